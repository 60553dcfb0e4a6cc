//! Which GPUs and PTX versions there are, and which goes with which.

use std::fmt;

/// A GPU architecture, as `sm_90` or `sm_90a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    sm: u16,
    variant: Variant,
}

/// Which of an architecture's features are promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Those that later architectures have too.
    Base,
    /// Those of the family: `f`.
    Family,
    /// All of this one: `a`.
    Arch,
}

/// A version of the PTX ISA, as `8.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PtxVersion {
    /// Before the point.
    pub major: u8,
    /// Behind the point.
    pub minor: u8,
}

impl fmt::Display for PtxVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}
