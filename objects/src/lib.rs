//! The interfaces of linker inputs: cubins, host objects, archives, PTX.
//!
//! The input is untrusted. This crate checks every size in a file, and returns errors as part of the result.
//! It does not link LLVM, so that it can be fuzzed.
//!
//! - [`interface`]: functions and variables with what is known about them; from PTX
//! - [`object`]: the same from cubins, including those in host objects and archives
//! - [`fatbin`]: the fat binaries that contain them

pub mod fatbin;
pub mod interface;
pub mod object;
