//! The modules of a run, and the texts for messages.

use weft_run::variable::Variable;

use super::describe;

/// The modules of a run, and the texts for messages.
pub(crate) struct Texts {
    pub(super) modules: Vec<ModuleText>,
}

/// A module, and its source.
pub(super) struct ModuleText {
    pub(super) name: String,
    pub(super) ptx: String,
    /// The name and the text of the source; `None` for PTX.
    pub(super) source: Option<(String, String)>,
    pub(super) kernels: Vec<describe::Kernel>,
    pub(super) variables: Vec<Variable>,
}
