//! The differences from nvcc that there may be, each with its reason.

use super::compare::Difference;

/// A difference that there may be.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    /// Its name.
    pub name: &'static str,
    /// Why it is there.
    pub why: &'static str,
    is_it: fn(&Difference) -> bool,
}

/// All of them.
pub const ALLOWED: &[Allowed] = &[];

/// The first that a difference is.
pub fn find(difference: &Difference) -> Option<&'static Allowed> {
    ALLOWED.iter().find(|allowed| (allowed.is_it)(difference))
}
