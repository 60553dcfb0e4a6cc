//! Signatures and names by the PTX interoperability ABI; plain Rust, no LLVM.
//!
//! - [`conflict`]: symbols that two things have, or nvcc would not give
//! - [`mod@header`]: what a program defines, declared for other compilers
//! - [`mangle`]: the names of functions and variables in the object file
//! - [`signature`]: how parameters and results pass
//! - [`unit`]: names that tell translation units apart

pub mod conflict;
pub mod header;
pub mod mangle;
pub mod signature;
pub mod unit;
