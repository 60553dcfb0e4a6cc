//! Signatures and names by the PTX interoperability ABI; plain Rust, no LLVM.
//!
//! - [`conflict`]: symbols that collide, or that differ from nvcc's
//! - [`mod@header`]: declarations of the program's entities for other compilers
//! - [`mangle`]: the names of functions and variables in the object file
//! - [`signature`]: how parameters and results pass, and which by address
//! - [`mod@stub`]: the functions and variables of the host that stand for those of the device
//! - [`unit`]: names that distinguish translation units

pub mod conflict;
pub mod header;
pub mod mangle;
mod operator;
pub mod signature;
pub mod stub;
pub mod unit;
