//! Signatures and names by the PTX interoperability ABI; plain Rust, no LLVM.
//!
//! - [`mangle`]: the names of functions and variables in the object file
//! - [`signature`]: how parameters and results pass

pub mod mangle;
pub mod signature;
