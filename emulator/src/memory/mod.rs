//! Memory as a grid sees it (PTX ISA "State Spaces", "Generic Addressing").
//!
//! Each state space except registers has a window of the generic addresses. An address in a state space is
//! the offset in its window, except for global memory, whose addresses are generic ones.
//!
//! - [`bytes`]: memory that several host threads may access at the same time
//! - [`error`]: errors of accesses
//! - [`global`]: allocations, and which of them contains an address
//! - [`host`]: the limit of host memory
//! - [`layout`]: the elements and members of objects

pub mod bytes;
pub mod error;
pub mod global;
pub mod host;
pub mod layout;

/// The size of the window of a state space, in bytes.
pub const WINDOW_SIZE: u64 = 1 << 32;

/// The start of the window of kernels' `.param`.
pub const PARAM_WINDOW: u64 = 0x7B00_0000_0000;

/// The start of the window of `.const`.
pub const CONST_WINDOW: u64 = 0x7C00_0000_0000;

/// The start of the window of `.local`.
pub const LOCAL_WINDOW: u64 = 0x7D00_0000_0000;

/// The start of the window of `.shared`.
pub const SHARED_WINDOW: u64 = 0x7E00_0000_0000;

/// The start of global memory.
pub const GLOBAL_START: u64 = 0x7F00_0000_0000;

/// The start of function addresses: nothing can be read there.
pub const FUNCTION_START: u64 = 0x1_0000_0000;

/// The distance between function addresses.
pub const FUNCTION_STRIDE: u64 = 16;

/// The size of the block's own part of the `.shared` window; the blocks of its cluster follow with one part
/// each, by rank.
pub const BLOCK_WINDOW: u64 = 1 << 20;

/// The positions of the windows.
#[derive(Debug)]
pub struct Windows {
    /// The number of bits of an address.
    pub address_bits: u32,
    /// The size of each window, in bytes.
    pub size: u64,
    /// `.param` of kernels.
    pub param: u64,
    /// `.const`
    pub constant: u64,
    /// `.local`
    pub local: u64,
    /// `.shared`
    pub shared: u64,
    /// The start of global memory.
    pub global: u64,
    /// The start of function addresses.
    pub function: u64,
}

/// For 64-bit addresses.
pub static WIDE: Windows = Windows {
    address_bits: 64,
    size: WINDOW_SIZE,
    param: PARAM_WINDOW,
    constant: CONST_WINDOW,
    local: LOCAL_WINDOW,
    shared: SHARED_WINDOW,
    global: GLOBAL_START,
    function: FUNCTION_START,
};

/// For 32-bit addresses, whose highest four bits select the window.
pub static NARROW: Windows = Windows {
    address_bits: 32,
    size: 1 << 28,
    param: 0xB000_0000,
    constant: 0xC000_0000,
    local: 0xD000_0000,
    shared: 0xE000_0000,
    global: 0x1000_0000,
    function: 0xF000_0000,
};

impl Windows {
    /// The windows for a module's address size; `None` if the size is not supported.
    pub fn of_bits(bits: u32) -> Option<&'static Windows> {
        match bits {
            64 => Some(&WIDE),
            32 => Some(&NARROW),
            _ => None,
        }
    }

    /// Finds the window of a generic address.
    pub fn find(&self, address: u64) -> Generic {
        let window = address & !(self.size - 1);
        let offset = address & (self.size - 1);
        match window {
            _ if window == self.param => Generic::Param(offset),
            _ if window == self.constant => Generic::Const(offset),
            _ if window == self.local => Generic::Local(offset),
            _ if window == self.shared => Generic::Shared(offset),
            _ => Generic::Global(address),
        }
    }

    /// The maximum size of global memory.
    pub fn global_limit(&self) -> u64 {
        if self.address_bits == 64 { u64::MAX } else { self.param - self.global }
    }

    /// An address truncated to the address size.
    pub fn cut(&self, address: u64) -> u64 {
        address & (u64::MAX >> (64 - self.address_bits))
    }
}

/// The memory that contains a generic address, and the offset there.
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
    /// Global memory, or no memory.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_window_is_found() {
        for windows in [&WIDE, &NARROW] {
            let at = |start: u64| start + windows.size - 8;
            let rest = windows.size - 8;
            assert_eq!(windows.find(at(windows.param)), Generic::Param(rest));
            assert_eq!(windows.find(at(windows.constant)), Generic::Const(rest));
            assert_eq!(windows.find(at(windows.local)), Generic::Local(rest));
            assert_eq!(windows.find(at(windows.shared)), Generic::Shared(rest));
            for address in [0, windows.global, windows.function] {
                assert_eq!(windows.find(address), Generic::Global(address));
            }
        }
        assert_eq!(generic(SHARED_WINDOW + 4), WIDE.find(SHARED_WINDOW + 4));
        assert_eq!(NARROW.cut(0x1_0000_0004), 4);
        assert!(NARROW.global + NARROW.global_limit() <= NARROW.param);
        assert!(Windows::of_bits(16).is_none());
    }
}
