//! Memory as a grid sees it (PTX ISA "State Spaces", "Generic Addressing").
//!
//! Each space but registers has a window of the generic addresses. An address in a space is the offset in its
//! window, but for global memory, whose addresses are generic ones.
//!
//! - [`bytes`]: memory that several threads of the host may use at a time
//! - [`error`]: what is wrong with an access
//! - [`global`]: allocations, and which of them an address is in
//! - [`host`]: how much of the host's memory all of that may take

pub mod bytes;
pub mod error;
pub mod global;
pub mod host;

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
