//! Names that are more than an identifier.
//!
//! - [`scope`]: which names are types
//! - [`namespace`]: namespaces and `using`
//! - [`qualified`]: names with `::`

mod namespace;
mod qualified;
pub(super) mod scope;
