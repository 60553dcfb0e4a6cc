//! Signatures and names by the PTX interoperability ABI; plain Rust, no LLVM.
