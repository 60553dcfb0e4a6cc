//! PTX text as a tree.
//!
//! Goes in: the text of a module. Comes out: its declarations and instructions, or the first place that is no PTX.
//! An instruction is a name, its modifiers and its operands here; which ones there are, and what they mean, is
//! the decoder's affair. Nothing is copied: names are parts of the text.
//!
//! - [`syntax`]: the tree
//! - `lex`: tokens
//! - [`parse()`]: from text to tree, for declarations and functions; `body`, `operand`, `constant` for what is
//!   in them
//! - [`names`]: the names that it mentions
//! - [`place`]: where in the text something is, and errors that say so

pub mod names;
pub mod place;
pub mod syntax;

mod body;
mod constant;
mod lex;
mod operand;
mod parse;

#[cfg(test)]
mod tests;

pub use parse::{parse, parse_statements};
