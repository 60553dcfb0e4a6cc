//! Memory as a grid sees it (PTX ISA "State Spaces", "Generic Addressing").
//!
//! Each space but registers has a window of the generic addresses. An address in a space is the offset in its
//! window, but for global memory, whose addresses are generic ones.
//!
//! - [`bytes`]: memory that several threads of the host may use at a time
//! - [`global`]: allocations, and which of them an address is in

pub mod bytes;
pub mod global;

use std::fmt;

/// How large the window of a space with offsets is, in bytes.
pub const WINDOW_SIZE: u64 = 1 << 32;

/// Where the window of `.param` of kernels begins.
pub const PARAM_WINDOW: u64 = 0x7B00_0000_0000;

/// Where the window of `.const` begins.
pub const CONST_WINDOW: u64 = 0x7C00_0000_0000;

/// Where the window of `.local` begins.
pub const LOCAL_WINDOW: u64 = 0x7D00_0000_0000;

/// Where the window of `.shared` begins.
pub const SHARED_WINDOW: u64 = 0x7E00_0000_0000;

/// Where global memory begins.
pub const GLOBAL_START: u64 = 0x7F00_0000_0000;

/// Where the addresses of functions begin: nothing can be read there.
pub const FUNCTION_START: u64 = 0x1_0000_0000;

/// How far the addresses of functions are from one another.
pub const FUNCTION_STRIDE: u64 = 16;

/// Which memory a generic address is in, and where there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generic {
    /// `.param` of a kernel.
    Param(u64),
    /// `.const`
    Const(u64),
    /// `.local`
    Local(u64),
    /// `.shared`
    Shared(u64),
    /// Global memory, or nothing.
    Global(u64),
}

/// Finds the window of a generic address.
pub fn generic(address: u64) -> Generic {
    let window = address & !(WINDOW_SIZE - 1);
    let offset = address & (WINDOW_SIZE - 1);
    match window {
        PARAM_WINDOW => Generic::Param(offset),
        CONST_WINDOW => Generic::Const(offset),
        LOCAL_WINDOW => Generic::Local(offset),
        SHARED_WINDOW => Generic::Shared(offset),
        _ => Generic::Global(address),
    }
}

/// What is wrong with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessError {
    /// The address is no multiple of the size.
    Misaligned,
    /// It is in no allocation, or reaches beyond its end; the nearest allocation before it, if there is one: its address
    /// and its size.
    OutOfBounds(Option<(u64, u64)>),
    /// It was freed.
    Freed,
    /// Nothing was ever written there.
    Uninitialized,
    /// It can only be read.
    ReadOnly,
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccessError::Misaligned => f.write_str("the address is misaligned"),
            AccessError::OutOfBounds(_) => f.write_str("the address is out of bounds"),
            AccessError::Freed => f.write_str("the memory was freed"),
            AccessError::Uninitialized => f.write_str("nothing was written there before"),
            AccessError::ReadOnly => f.write_str("the memory can only be read"),
        }
    }
}
