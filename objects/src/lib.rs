//! What inputs of a link say of their symbols: cubins, objects of the host, archives, PTX.
//!
//! The bytes may come from anywhere. Nothing here trusts a size that a file states, and whatever is wrong with a file is part of
//! what is returned. This crate links no LLVM, so that it can be fuzzed.
//!
//! - [`interface`]: functions and variables with what is known of them; from PTX
//! - [`object`]: the same from cubins, and from those that objects of the host and archives hold
//! - [`fatbin`]: how these hold them

pub mod fatbin;
pub mod interface;
pub mod object;
