//! The number of memory sectors that a warp touches at once.
//!
//! CUDA C++ Best Practices Guide "Coalesced Access to Global Memory": the accesses of a warp's threads
//! coalesce into as many 32-byte transactions as are needed to serve all of them. Four of these sectors are a
//! cache line, 128 bytes. Whether a sector comes from a cache or from memory is not modeled.

use smallvec::SmallVec;

use super::counts::{Atomics, Traffic};
use crate::compute::WARP_SIZE;

/// The size of a sector, in bytes.
pub const SECTOR_SIZE: u64 = 32;

/// The size of a cache line, in bytes.
pub const LINE_SIZE: u64 = 128;

/// The size of a word, in bytes.
const WORD_SIZE: u64 = 4;

/// Indices of sectors or lines, or addresses.
type Numbers = SmallVec<[u64; WARP_SIZE]>;

/// The traffic of a warp's access to global memory: the addresses of its threads, each of which accesses
/// `n_bytes` and is aligned to them.
pub fn global(addresses: &[u64], n_bytes: u64) -> Traffic {
    if addresses.is_empty() {
        return Traffic::default();
    }
    let touched = |size: u64| {
        let pieces = addresses.iter().flat_map(|address| address / size..=(address + (n_bytes - 1)) / size);
        n_distinct(pieces.collect())
    };
    // Accesses aligned to their size overlap only if they are equal.
    let n_bytes = n_bytes * n_distinct(addresses.iter().copied().collect());
    Traffic {
        n_requests: 1,
        n_bytes,
        n_sectors: touched(SECTOR_SIZE),
        n_ideal_sectors: n_bytes.div_ceil(SECTOR_SIZE),
        n_lines: touched(LINE_SIZE),
    }
}

/// The traffic of a warp's access to local memory: the lanes and addresses of its threads.
///
/// CUDA C++ Programming Guide "Device Memory Accesses": local memory is laid out so that 32-bit words at the
/// same address are adjacent for the threads of a warp. So a line holds one word of each thread.
pub fn local(accesses: &[(usize, u64)], n_bytes: u64) -> Traffic {
    if accesses.is_empty() {
        return Traffic::default();
    }
    let n_words = n_bytes.div_ceil(WORD_SIZE);
    let lanes_of_sector = SECTOR_SIZE / WORD_SIZE;
    let n_sectors_of_line = LINE_SIZE / SECTOR_SIZE;
    let words = accesses.iter().flat_map(|&(lane, address)| {
        let first = address / WORD_SIZE;
        (first..first + n_words).map(move |word| (lane as u64, word))
    });
    let sectors: Numbers =
        words.clone().map(|(lane, word)| word * n_sectors_of_line + lane / lanes_of_sector).collect();
    let n_bytes = n_bytes * accesses.len() as u64;
    Traffic {
        n_requests: 1,
        n_bytes,
        n_sectors: n_distinct(sectors),
        n_ideal_sectors: n_bytes.div_ceil(SECTOR_SIZE),
        n_lines: n_distinct(words.map(|(_, word)| word).collect()),
    }
}

impl Atomics {
    /// Atomic operations of a warp on these addresses. Those on one address are serialized.
    pub(crate) fn of(addresses: Numbers) -> Atomics {
        let n_operations = addresses.len() as u64;
        Atomics { n_requests: 1, n_operations, n_conflicts: n_operations - n_distinct(addresses) }
    }
}

/// The number of distinct values.
fn n_distinct(mut numbers: Numbers) -> u64 {
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The addresses of a whole warp.
    fn strided(base: u64, stride: u64) -> Vec<u64> {
        (0..32).map(|lane| base + lane * stride).collect()
    }

    fn sectors(addresses: &[u64], n_bytes: u64) -> (u64, u64, u64) {
        let traffic = global(addresses, n_bytes);
        (traffic.n_sectors, traffic.n_ideal_sectors, traffic.n_lines)
    }

    #[test]
    fn sectors_of_strides() {
        assert_eq!(sectors(&strided(0x1000, 4), 4), (4, 4, 1), "128 bytes in a row");
        assert_eq!(sectors(&strided(0x1000, 8), 4), (8, 4, 2), "every other float");
        assert_eq!(sectors(&strided(0x1000, 128), 4), (32, 4, 32), "a column of 32 floats");
        assert_eq!(sectors(&strided(0x1000, 16), 16), (16, 16, 4), "float4 in a row");
        assert_eq!(sectors(&strided(0x1000, 1), 1), (1, 1, 1), "bytes in a row");
        assert_eq!(sectors(&strided(0x1000, 64), 64), (64, 64, 16), "two sectors each");
        assert_eq!(sectors(&strided(0x1000, 0), 4), (1, 1, 1), "one float for all");
        assert_eq!(sectors(&strided(0x1004, 4), 4), (5, 4, 2), "a row that begins one float late");
        assert_eq!(sectors(&[], 4), (0, 0, 0));
    }

    #[test]
    fn counts_each_sector_once_in_any_order() {
        let reversed: Vec<u64> = strided(0, 4).into_iter().rev().collect();
        assert_eq!(global(&reversed, 4), global(&strided(0, 4), 4));
        let pairs: Vec<u64> = (0..32).map(|lane| lane / 2 * 4).collect();
        let traffic = global(&pairs, 4);
        assert_eq!((traffic.n_bytes, traffic.n_sectors, traffic.n_ideal_sectors), (64, 2, 2));
    }

    #[test]
    fn threads_have_their_words_of_local_memory_side_by_side() {
        let same: Vec<(usize, u64)> = (0..32).map(|lane| (lane, 8)).collect();
        let traffic = local(&same, 4);
        assert_eq!((traffic.n_bytes, traffic.n_sectors, traffic.n_lines), (128, 4, 1));
        let wide = local(&same, 8);
        assert_eq!((wide.n_bytes, wide.n_sectors, wide.n_lines), (256, 8, 2));
        let own: Vec<(usize, u64)> = (0..32).map(|lane| (lane, lane as u64 * 4)).collect();
        assert_eq!(local(&own, 4).n_sectors, 32, "each thread another element");
    }
}
