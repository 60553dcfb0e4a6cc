//! The memory that a variable lies in, as DWARF's `DW_AT_address_class` says it (PTX interoperability guide 5.2).

use weft_frontend::ir::Space;

/// The guide's codes, as far as they are given here. LLVM gives 2, for registers, and 6, for the frame in local memory, by
/// itself. Code and special registers hold no variables, and textures, samplers and surfaces are numbers to the language, which
/// lie where numbers lie.
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
    /// A generic address: what pointers hold.
    Generic = 12,
}

impl AddressClass {
    /// The code.
    pub(crate) fn code(self) -> u32 {
        self as u32
    }

    /// Where variables with static storage duration lie.
    pub(crate) fn of(space: Space) -> Self {
        match space {
            Space::Global => AddressClass::Global,
            Space::Constant => AddressClass::Constant,
            Space::Shared => AddressClass::Shared,
        }
    }
}
