//! TODO name
pub(super) mod advice;
pub(super) mod host_code;
pub(super) mod host_function;
pub(super) mod known_function;
pub(super) mod lacking;
pub(super) mod library_function;
mod namespace;
mod qualified;
mod runtime_function;
pub(super) mod scope;
pub(super) mod system_function;
mod unused;

