//! The numbers of the state spaces (NVPTXUsage "Address Spaces").

use weft_frontend::ir::Space;

/// Generic addresses: all pointers of the language.
pub(crate) const GENERIC: u16 = 0;
/// `.global`
pub(crate) const GLOBAL: u16 = 1;
/// `.shared`
pub(crate) const SHARED: u16 = 3;
/// `.const`
pub(crate) const CONSTANT: u16 = 4;
/// `.shared::cluster`
pub(crate) const CLUSTER_SHARED: u16 = 7;
/// `.local`
pub(crate) const LOCAL: u16 = 5;
/// `.param` of a kernel
pub(crate) const PARAM: u16 = 101;

/// The address space of a variable.
pub(crate) fn of(space: Space) -> u16 {
    match space {
        Space::Global => GLOBAL,
        Space::Constant => CONSTANT,
        Space::Shared => SHARED,
    }
}
