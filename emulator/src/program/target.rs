//! What a module says that it is for (PTX ISA ".version", ".target").
//!
//! Most instructions are taken whatever a module says. It counts where an instruction has left the language, and for
//! those that only some GPUs have.

use crate::ptx::syntax::Module;

/// GPUs from `sm_100a` on with all that they have, or their family has.
pub(super) const COMPLETE: &[&str] = &[
    "sm_100a", "sm_100f", "sm_101a", "sm_101f", "sm_103a", "sm_103f", "sm_107a", "sm_107f", "sm_110a",
    "sm_110f", "sm_120a", "sm_120f", "sm_121a", "sm_121f",
];

/// The version of PTX, and the architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target<'t> {
    /// The version that the module is written in.
    pub(crate) version: (u32, u32),
    /// The name of the architecture: `sm_90`, `sm_100a`.
    pub(crate) name: &'t str,
}

impl<'t> Target<'t> {
    /// What a module says.
    pub(crate) fn of(module: &Module<'t>) -> Self {
        Target { version: module.version, name: module.targets.first().copied().unwrap_or_default() }
    }

    /// The number of the architecture: 90 of `sm_90a`.
    pub(crate) fn number(self) -> u32 {
        let digits = self.name.trim_start_matches("sm_").trim_end_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse().unwrap_or(0)
    }
}
