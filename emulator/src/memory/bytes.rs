//! Memory that several host threads may access at the same time, like the blocks of a grid do: each access is
//! a relaxed atomic operation of its width.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// A piece of memory, aligned to 8 bytes.
#[derive(Debug)]
pub struct Bytes {
    words: Box<[AtomicU64]>,
    len: usize,
}

/// The size of an access, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 1
    B1,
    /// 2
    B2,
    /// 4
    B4,
    /// 8
    B8,
}

impl Width {
    /// The width of `n_bytes`.
    pub fn of_bytes(n_bytes: u64) -> Option<Width> {
        Some(match n_bytes {
            1 => Width::B1,
            2 => Width::B2,
            4 => Width::B4,
            8 => Width::B8,
            _ => return None,
        })
    }

    /// A mask of the width's bits.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes())
    }

    /// The size in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Width::B1 => 1,
            Width::B2 => 2,
            Width::B4 => 4,
            Width::B8 => 8,
        }
    }
}

impl Bytes {
    /// Memory of zeros.
    pub fn zeroed(len: usize) -> Self {
        Bytes { words: bytemuck::zeroed_slice_box(len.div_ceil(8)), len }
    }

    /// Memory of zeros; `None` if the host lacks the memory.
    pub fn try_zeroed(len: u64) -> Option<Self> {
        let len = usize::try_from(len).ok()?;
        Some(Bytes { words: bytemuck::try_zeroed_slice_box(len.div_ceil(8)).ok()?, len })
    }

    /// Freed memory that had this size.
    pub(super) fn freed(len: usize) -> Self {
        Bytes { words: Box::default(), len }
    }

    /// The size in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the size is zero.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether an access is in bounds.
    pub fn holds(&self, at: u64, n_bytes: u64) -> bool {
        at.checked_add(n_bytes).is_some_and(|end| end <= self.len as u64)
    }

    /// Reads a value, zero-extended.
    ///
    /// # Panics
    ///
    /// If the access is out of bounds, or not aligned to its width.
    pub fn load(&self, at: u64, width: Width) -> u64 {
        let place = self.place(at, width);
        // SAFETY: `place` is within the words and aligned to the width, and all accesses to them are atomic.
        unsafe {
            match width {
                Width::B1 => u64::from(AtomicU8::from_ptr(place).load(Ordering::Relaxed)),
                Width::B2 => u64::from(AtomicU16::from_ptr(place.cast()).load(Ordering::Relaxed)),
                Width::B4 => u64::from(AtomicU32::from_ptr(place.cast()).load(Ordering::Relaxed)),
                Width::B8 => AtomicU64::from_ptr(place.cast()).load(Ordering::Relaxed),
            }
        }
    }

    /// Writes the low bits of a value.
    ///
    /// # Panics
    ///
    /// If the access is out of bounds, or not aligned to its width.
    pub fn store(&self, at: u64, width: Width, value: u64) {
        let place = self.place(at, width);
        // SAFETY: `place` is within the words and aligned to the width, and all accesses to them are atomic.
        unsafe {
            match width {
                Width::B1 => AtomicU8::from_ptr(place).store(value as u8, Ordering::Relaxed),
                Width::B2 => AtomicU16::from_ptr(place.cast()).store(value as u16, Ordering::Relaxed),
                Width::B4 => AtomicU32::from_ptr(place.cast()).store(value as u32, Ordering::Relaxed),
                Width::B8 => AtomicU64::from_ptr(place.cast()).store(value, Ordering::Relaxed),
            }
        }
    }

    /// Atomically replaces a value by `make` of it, and returns the old value.
    ///
    /// # Panics
    ///
    /// If the access is out of bounds, or not aligned to its width.
    pub fn update(&self, at: u64, width: Width, make: impl Fn(u64) -> u64) -> u64 {
        let place = self.place(at, width);
        const ORDER: Ordering = Ordering::SeqCst;
        // SAFETY: `place` is within the words and aligned to the width, and all accesses to them are atomic.
        let old = unsafe {
            match width {
                Width::B1 => AtomicU8::from_ptr(place)
                    .fetch_update(ORDER, ORDER, |old| Some(make(u64::from(old)) as u8))
                    .map(u64::from)
                    .ok(),
                Width::B2 => AtomicU16::from_ptr(place.cast())
                    .fetch_update(ORDER, ORDER, |old| Some(make(u64::from(old)) as u16))
                    .map(u64::from)
                    .ok(),
                Width::B4 => AtomicU32::from_ptr(place.cast())
                    .fetch_update(ORDER, ORDER, |old| Some(make(u64::from(old)) as u32))
                    .map(u64::from)
                    .ok(),
                Width::B8 => {
                    AtomicU64::from_ptr(place.cast()).fetch_update(ORDER, ORDER, |old| Some(make(old))).ok()
                }
            }
        };
        old.expect("invariant: every value is updated")
    }

    /// Copies bytes out.
    ///
    /// # Panics
    ///
    /// If they are out of bounds.
    pub fn read(&self, at: u64, out: &mut [u8]) {
        let mut done = 0;
        while done < out.len() {
            let width = Self::step(at + done as u64, out.len() - done);
            let bytes = self.load(at + done as u64, width).to_le_bytes();
            let n_bytes = width.bytes() as usize;
            out[done..done + n_bytes].copy_from_slice(&bytes[..n_bytes]);
            done += n_bytes;
        }
    }

    /// Copies bytes in.
    ///
    /// # Panics
    ///
    /// If they are out of bounds.
    pub fn write(&self, at: u64, bytes: &[u8]) {
        let mut done = 0;
        while done < bytes.len() {
            let width = Self::step(at + done as u64, bytes.len() - done);
            let n_bytes = width.bytes() as usize;
            let mut word = [0; 8];
            word[..n_bytes].copy_from_slice(&bytes[done..done + n_bytes]);
            self.store(at + done as u64, width, u64::from_le_bytes(word));
            done += n_bytes;
        }
    }

    /// A larger copy, with zeros at the end; `None` if the host lacks the memory.
    pub fn try_grown(&self, len: u64) -> Option<Self> {
        let mut grown = Bytes::try_zeroed(len.max(self.len as u64))?;
        for (new, old) in grown.words.iter_mut().zip(&self.words) {
            *new.get_mut() = old.load(Ordering::Relaxed);
        }
        Some(grown)
    }

    /// Fills a range with a byte.
    ///
    /// # Panics
    ///
    /// If it is out of bounds.
    pub fn fill(&self, at: u64, n_bytes: u64, byte: u8) {
        let word = u64::from(byte) * 0x0101_0101_0101_0101;
        let (mut at, end) = (at, at + n_bytes);
        while at < end {
            let width = Self::step(at, (end - at) as usize);
            self.store(at, width, word);
            at += width.bytes();
        }
    }

    /// The widest aligned access at an offset that does not exceed `n_bytes`.
    fn step(at: u64, n_bytes: usize) -> Width {
        if at.is_multiple_of(8) && n_bytes >= 8 { Width::B8 } else { Width::B1 }
    }

    fn place(&self, at: u64, width: Width) -> *mut u8 {
        debug_assert!(self.holds(at, width.bytes()), "invariant: accesses are checked");
        assert!(at & (width.bytes() - 1) == 0, "invariant: accesses are aligned");
        let word = &self.words[at as usize / 8];
        // SAFETY: the offset is below 8, and with the width of an aligned access at most 8.
        unsafe { word.as_ptr().cast::<u8>().add(at as usize % 8) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_other_widths_than_were_written() {
        let bytes = Bytes::zeroed(16);
        bytes.store(8, Width::B8, 0x0123_4567_89AB_CDEF);
        assert_eq!(bytes.load(8, Width::B4), 0x89AB_CDEF);
        assert_eq!(bytes.load(14, Width::B2), 0x0123);
        bytes.store(9, Width::B1, 0xFF55);
        let mut out = [0; 3];
        bytes.read(8, &mut out);
        assert_eq!(out, [0xEF, 0x55, 0xAB]);
    }

    #[test]
    fn ranges_are_filled() {
        let bytes = Bytes::zeroed(24);
        bytes.fill(3, 14, 0xAB);
        let mut out = [0; 24];
        bytes.read(0, &mut out);
        let expected: [u8; 24] = std::array::from_fn(|at| if (3..17).contains(&at) { 0xAB } else { 0 });
        assert_eq!(out, expected);
    }

    #[test]
    fn the_end_is_the_end() {
        let bytes = Bytes::zeroed(6);
        assert!(bytes.holds(2, 4) && !bytes.holds(3, 4) && !bytes.holds(u64::MAX, 2));
    }
}
