//! The frontend of Weft: from source text to a typed program and diagnostics.
//!
//! The stages form a chain:
//! source text → [`token`] stream → AST → [`ir::Module`] → [`ir::VerifiedModule`].
//! The crate is pure: it does not read files or the environment, start processes, or depend on LLVM.
//!
//! - [`source`]: the texts being compiled and positions in them
//! - [`diag`]: diagnostics as data, their codes, and their rendering
//! - [`limits`]: the bounds on recursion, and the stack size that they require
//! - [`token`]: tokens and the interner of spellings
//! - [`ir`]: the typed program, with everything implicit made explicit
//! - [`layout`]: sizes, alignments, offsets
//! - [`ptx_name`]: the names that are valid in PTX
//!
//! A [`Compilation`] is what all of them share. [`Compilation::analyze`] runs them, on one function after the other;
//! [`lex`](Compilation::lex), [`preprocess`](Compilation::preprocess) and [`parse`](Compilation::parse) give the output of single stages,
//! to be printed. Each stage continues after an error. Correct programs are also looked at for suspicious code.
//!
//! The AST, the parser and the semantic analysis are private: their output
//! is the IR.

pub mod diag;
pub mod ir;
pub mod layout;
pub mod limits;
pub mod ptx_name;
pub mod source;
pub mod token;

#[macro_use]
mod contexts;

mod analysis;
mod ast;
mod compilation;
mod dialect;
mod extended;
mod lex;
mod lint;
mod namespace;
mod parse;
mod predeclared;
mod preprocess;
mod sema;

pub use analysis::FunctionVisitor;
pub use compilation::{Analyzed, Ast, Bodies, Compilation, FrontendOptions};
pub use dialect::{Dialect, HostCode};
pub use preprocess::{
    Dependency, Header, Headers, MacroOption, NoHeaders, NotFound, Predefined, PreprocessOptions,
    Preprocessed, Request,
};
pub use sema::Prototype;

/// The overloads of all built-in functions.
pub fn builtin_prototypes() -> Vec<Prototype> {
    sema::builtin_prototypes()
}
