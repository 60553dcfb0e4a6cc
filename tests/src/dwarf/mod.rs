//! Debug information as a debugger sees it, for any compiler that makes cubins.
//!
//! - [`cubin`]: a cubin whose sections have addresses, and the symbols of its relocations
//! - [`tree`]: the functions, scopes, variables and types of a compilation unit, independent of their DWARF
//!   encoding
//! - [`read`]: reads a tree from a cubin, through [`die`], DWARF's entries; [`location`]: the locations of
//!   variables
//! - [`compare`]: compares two trees; [`types`]: compares two types
//! - [`allowed`]: the permitted differences from nvcc, each with its reason
//! - [`clauses`]: the rules of the guide's chapter 5; [`text`]: a tree as text
//! - [`overlap`]: variables whose locations overlap
//! - [`produce`]: compiles sources to cubins, with nvcc and other compilers
//! - [`verify`]: the errors of `llvm-dwarfdump --verify`
//!
//! Code ranges are not compared: the code of different compilers has different lengths. `--verify` checks
//! that scopes nest and that offsets are valid.

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
