//! The state space of a variable as DWARF's `DW_AT_address_class` (PTX interoperability guide 5.2).

use weft_frontend::ir::Space;

/// The guide's codes that are used here. LLVM adds 2, for registers, and 6, for the frame in local memory.
/// Code and special registers contain no variables, and textures, samplers and surfaces are numbers, which
/// are in the state space of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressClass {
    /// Constant memory.
    Constant = 4,
    /// Global memory.
    Global = 5,
    /// The kernel's parameters.
    Param = 7,
    /// Shared memory.
    Shared = 8,
    /// A generic address, like all pointers.
    Generic = 12,
}

impl AddressClass {
    /// The code.
    pub(crate) fn code(self) -> u32 {
        self as u32
    }

    /// The state spaces of variables with static storage duration.
    pub(crate) fn of(space: Space) -> Self {
        match space {
            Space::Global => AddressClass::Global,
            Space::Constant => AddressClass::Constant,
            Space::Shared => AddressClass::Shared,
        }
    }
}
