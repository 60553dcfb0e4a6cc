//! Signatures and names by the PTX interoperability ABI; plain Rust, no LLVM.
//!
//! - [`signature`]: how parameters and results pass

pub mod signature;
