//! Memory as a grid sees it (PTX ISA "State Spaces", "Generic Addressing").
//!
//! Each space but registers has a window of the generic addresses. An address in a space is the offset in its
//! window, but for global memory, whose addresses are generic ones.
//!
//! - [`bytes`]: memory that several threads of the host may use at a time
//! - [`error`]: what is wrong with an access
//! - [`global`]: allocations, and which of them an address is in
//! - [`host`]: how much of the host's memory all of that may take
//! - [`layout`]: the elements and members of objects

pub mod bytes;
pub mod error;
pub mod global;
pub mod host;
pub mod layout;

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

/// How much of the window of `.shared` is the block's own; after it, blocks of its cluster have as much each, in the
/// order of their ranks.
pub const BLOCK_WINDOW: u64 = 1 << 20;

/// Where the windows lie.
#[derive(Debug)]
pub struct Windows {
    /// The bits of an address.
    pub address_bits: u32,
    /// How large each is, in bytes.
    pub size: u64,
    /// `.param` of kernels.
    pub param: u64,
    /// `.const`
    pub constant: u64,
    /// `.local`
    pub local: u64,
    /// `.shared`
    pub shared: u64,
    /// Where global memory begins.
    pub global: u64,
    /// Where the addresses of functions begin.
    pub function: u64,
}

/// Of addresses of 64 bits.
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

/// Of addresses of 32 bits, of which the highest four tell the window.
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
    /// Those of a module's addresses; none if there are no addresses of so many bits.
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

    /// How much global memory there can be.
    pub fn global_limit(&self) -> u64 {
        if self.address_bits == 64 { u64::MAX } else { self.param - self.global }
    }

    /// An address cut to the bits that there are.
    pub fn cut(&self, address: u64) -> u64 {
        address & (u64::MAX >> (64 - self.address_bits))
    }
}

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
