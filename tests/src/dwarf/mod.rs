//! Debug information as a debugger sees it, of any compiler that makes cubins.
//!
//! - [`cubin`]: a cubin whose sections lie at addresses, and what its relocations name
//! - [`tree`]: a compilation unit's functions, scopes, variables and types, apart from how DWARF writes them down
//! - [`read`]: from a cubin to a tree, by way of [`die`], DWARF's entries as they are there; [`location`]: what an entry says of
//!   where a variable is
//! - [`compare`]: two trees, and the list of what differs; [`types`]: two types
//! - [`allowed`]: the differences from nvcc that there may be, each with its reason
//! - [`clauses`]: what the guide's chapter 5 asks for, one by one; [`text`]: a tree as text
//! - [`overlap`]: variables that lie where others do
//! - [`produce`]: source to cubin, by nvcc and by others
//! - [`verify`]: what `llvm-dwarfdump --verify` finds wrong
//!
//! Ranges of code are not compared: code of different compilers has different lengths. That ranges of scopes lie within each other,
//! and that no offset leads astray, is what `--verify` looks at.

pub mod allowed;
pub mod clauses;
pub mod compare;
pub mod cubin;
pub mod die;
pub mod location;
pub mod overlap;
pub mod produce;
pub mod read;
pub mod text;
pub mod tree;
mod types;
pub mod verify;

#[cfg(test)]
mod tests;
