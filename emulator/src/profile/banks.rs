//! Bank conflicts in shared memory.
//!
//! CUDA C++ Programming Guide "Shared Memory" (compute capability 5.x and later): there are 32 banks, and
//! successive 32-bit words are in successive banks. Threads that access the same word, or parts of it, do not
//! conflict; those that access different words of one bank do, and are served in one pass after the other.
//!
//! Threads that access 8 or 16 bytes each are served by halves or quarters of the warp, so that at most 32
//! words are accessed at once, and an access takes the passes of all its parts. The Guide says so for
//! requests to global memory ("Global Memory", compute capability 3.x); the same is assumed here. Where
//! several parts access the same words, a GPU may need fewer passes than are counted. A conflict is a pass
//! beyond the first one of a part, so that what a GPU may save never counts as one.

use smallvec::SmallVec;

use super::counts::SharedTraffic;
use crate::compute::WARP_SIZE;

/// The number of banks.
pub const N_BANKS: u64 = 32;

/// The width of a bank, in bytes.
pub const BANK_WIDTH: u64 = 4;

/// The passes of a warp's access to shared memory: the lanes and addresses of its threads, each of which
/// accesses `n_bytes` and is aligned to them.
pub fn passes(accesses: &[(usize, u64)], n_bytes: u64) -> SharedTraffic {
    let n_words = n_bytes.div_ceil(BANK_WIDTH);
    // The lanes that are served at once: they access at most as many words as there are banks.
    let n_lanes = (N_BANKS / n_words).max(1) as usize;
    let mut traffic =
        SharedTraffic { n_requests: u64::from(!accesses.is_empty()), ..SharedTraffic::default() };
    for first in (0..WARP_SIZE).step_by(n_lanes) {
        let part = accesses.iter().filter(|(lane, _)| (first..first + n_lanes).contains(lane));
        let words = part.flat_map(|&(_, address)| {
            let word = address / BANK_WIDTH;
            word..word + n_words
        });
        let n_passes = passes_of_words(words.collect());
        traffic.n_passes += n_passes;
        traffic.n_ideal_passes += n_passes.min(1);
    }
    traffic
}

/// The largest number of different words in a bank.
fn passes_of_words(mut words: SmallVec<[u64; WARP_SIZE]>) -> u64 {
    words.sort_unstable();
    words.dedup();
    let mut n_words = [0; N_BANKS as usize];
    for word in words {
        n_words[(word % N_BANKS) as usize] += 1;
    }
    n_words.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The passes of a whole warp, and its passes without conflicts.
    fn of(address: impl Fn(u64) -> u64, n_bytes: u64) -> (u64, u64) {
        let accesses: Vec<(usize, u64)> = (0..32).map(|lane| (lane, address(lane as u64))).collect();
        let traffic = passes(&accesses, n_bytes);
        assert_eq!(traffic.n_requests, 1);
        (traffic.n_passes, traffic.n_ideal_passes)
    }

    #[test]
    fn words_conflict_in_a_bank_unless_they_are_the_same() {
        assert_eq!(of(|lane| lane * 4, 4), (1, 1), "a row");
        assert_eq!(of(|lane| lane * 32 * 4, 4), (32, 1), "a column of 32 x 32");
        assert_eq!(of(|lane| lane * 33 * 4, 4), (1, 1), "a column of 32 x 33");
        assert_eq!(of(|lane| lane * 2 * 4, 4), (2, 1), "every other word");
        assert_eq!(of(|lane| lane * 3 * 4, 4), (1, 1), "an odd stride");
        assert_eq!(of(|_| 64, 4), (1, 1), "one word for all");
        assert_eq!(of(|lane| lane % 2 * 128, 4), (2, 1), "two words of one bank");
        assert_eq!(of(|lane| lane, 1), (1, 1), "bytes of the same words");
        assert_eq!(of(|lane| lane * 128, 1), (32, 1), "bytes of one bank");
    }

    #[test]
    fn wide_accesses_are_served_by_parts_of_the_warp() {
        assert_eq!(of(|lane| lane * 8, 8), (2, 2), "double in a row");
        assert_eq!(of(|lane| lane * 16, 16), (4, 4), "float4 in a row");
        assert_eq!(of(|lane| lane * 16, 8), (4, 2), "every other double");
        assert_eq!(of(|lane| lane * 128, 16), (32, 4), "a float4 of each row of 128 bytes");
        assert_eq!(of(|_| 0, 16), (4, 4), "one float4 for all");
    }

    #[test]
    fn lanes_that_do_not_access_take_no_pass() {
        let few = [(3, 0), (20, 128)];
        assert_eq!((passes(&few, 4).n_passes, passes(&few, 4).n_ideal_passes), (2, 1));
        let wide = passes(&few, 16);
        assert_eq!((wide.n_passes, wide.n_ideal_passes, wide.n_conflicts()), (2, 2, 0), "different quarters");
        assert_eq!(passes(&[], 4), SharedTraffic::default());
    }
}
