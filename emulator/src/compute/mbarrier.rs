//! The words of mbarrier objects (PTX ISA "mbarrier"): what arriving and waiting makes of them.
//!
//! PTX leaves open what is in the 64 bits of an object. Here they are, from the low end: how many arrivals are pending,
//! how many each phase expects, the bytes that transactions have still to bring (with a sign), the parity of the phase,
//! and a mark of an object that has been initialized. What an arrival gives, the state, is the word before it.

use std::fmt;

/// How many bits a count has.
const COUNT_BITS: u32 = 20;

/// The highest count (PTX ISA "mbarrier", "Contents of the mbarrier object").
const MAX_COUNT: u64 = (1 << COUNT_BITS) - 1;

/// Where the parity is.
const PARITY: u64 = 1 << 61;

/// Marks an object that has been initialized.
const MARK: u64 = 0b10 << 62;

/// What a thread does with an object that it must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// It was not initialized, or has been invalidated.
    NotInitialized,
    /// It is not in shared memory.
    NotShared,
    /// It belongs to another block, and gives no state and lets no one wait.
    OtherBlock,
    /// A count of arrivals that is none.
    BadCount(u64),
    /// More threads arrive than the phase still expects.
    TooManyArrivals {
        /// So many arrive.
        count: u64,
        /// So many are pending.
        pending: u64,
    },
    /// `.noComplete`, and the arrival completes the phase.
    Completes,
    /// More bytes of transactions than can be counted.
    TooManyBytes(i64),
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::NotInitialized => f.write_str("not initialized"),
            Misuse::NotShared => f.write_str("not in shared memory"),
            Misuse::OtherBlock => f.write_str("in the shared memory of another block"),
            Misuse::BadCount(count) => write!(f, "count is {count}; it must be from 1 to {MAX_COUNT}"),
            Misuse::TooManyArrivals { count: 1, pending: 0 } => {
                f.write_str("a thread arrives, but no arrival is pending")
            }
            Misuse::TooManyArrivals { count, pending } => {
                write!(f, "{count} arrivals, but only {pending} pending")
            }
            Misuse::Completes => f.write_str("an arrival with `.noComplete` completes the phase"),
            Misuse::TooManyBytes(n) => {
                write!(f, "{n} bytes of transactions pending; the maximum is {MAX_COUNT}")
            }
        }
    }
}

/// An object, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Object {
    pending: u64,
    expected: u64,
    tx: i64,
    is_odd: bool,
}

/// How many arrivals and how many bytes the phase of an object still expects.
pub fn missing(word: u64) -> Option<(u64, i64)> {
    Object::of(word).ok().map(|object| (object.pending, object.tx))
}

impl Object {
    fn of(word: u64) -> Result<Self, Misuse> {
        if word & 0b11 << 62 != MARK {
            return Err(Misuse::NotInitialized);
        }
        let field = |at: u32| word >> at & MAX_COUNT;
        // 21 bits, the highest of which is the sign.
        let tx = (word << 3) as i64 >> 43;
        Ok(Object { pending: field(0), expected: field(COUNT_BITS), tx, is_odd: word & PARITY != 0 })
    }

    fn word(self) -> u64 {
        let tx = (self.tx as u64 & ((1 << 21) - 1)) << (2 * COUNT_BITS);
        MARK | self.pending | self.expected << COUNT_BITS | tx | if self.is_odd { PARITY } else { 0 }
    }

    /// The word, of the next phase if all that this one waits for has come (PTX ISA "Phase Completion").
    fn settled(mut self) -> Result<u64, Misuse> {
        if self.tx.unsigned_abs() > MAX_COUNT {
            return Err(Misuse::TooManyBytes(self.tx));
        }
        if self.pending == 0 && self.tx == 0 {
            self.pending = self.expected;
            self.is_odd = !self.is_odd;
        }
        Ok(self.word())
    }
}

/// How threads arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arrival {
    /// How many.
    pub(crate) count: u64,
    /// They come no more in later phases: `.arrive_drop`.
    pub(crate) drops: bool,
    /// They must not complete the phase: `.noComplete`.
    pub(crate) is_incomplete: bool,
    /// So many bytes are expected besides: `.expect_tx`.
    pub(crate) tx: i64,
}

/// An object that so many threads arrive at.
pub(crate) fn initialized(count: u64) -> Result<u64, Misuse> {
    checked(count)?;
    Ok(Object { pending: count, expected: count, tx: 0, is_odd: false }.word())
}

fn checked(count: u64) -> Result<(), Misuse> {
    if (1..=MAX_COUNT).contains(&count) { Ok(()) } else { Err(Misuse::BadCount(count)) }
}

/// Threads arrive.
pub(crate) fn arrived(word: u64, arrival: Arrival) -> Result<u64, Misuse> {
    let Arrival { count, drops, is_incomplete, tx } = arrival;
    let mut object = Object::of(word)?;
    checked(count)?;
    if count > object.pending {
        return Err(Misuse::TooManyArrivals { count, pending: object.pending });
    }
    object.tx += tx;
    object.pending -= count;
    if drops {
        object.expected = object.expected.saturating_sub(count);
    }
    if is_incomplete && object.pending == 0 {
        return Err(Misuse::Completes);
    }
    object.settled()
}

/// So many bytes are expected besides, or have come if that is negative; no thread arrives.
pub(crate) fn transacted(word: u64, tx: i64) -> Result<u64, Misuse> {
    let mut object = Object::of(word)?;
    object.tx += tx;
    // What expects bytes completes nothing.
    if tx < 0 { object.settled() } else { object.settled().map(|_| object.word()) }
}

/// One more arrival is pending in this phase alone (PTX ISA "cp.async.mbarrier.arrive").
pub(crate) fn extended(word: u64) -> Result<u64, Misuse> {
    let mut object = Object::of(word)?;
    checked(object.pending + 1)?;
    object.pending += 1;
    Ok(object.word())
}

/// Whether a phase has ended, of which the parity is known.
pub(crate) fn is_over(word: u64, is_odd: bool) -> Result<bool, Misuse> {
    Ok(Object::of(word)?.is_odd != is_odd)
}

/// Whether the phase in which a state was taken is an odd one.
pub(crate) fn parity(state: u64) -> bool {
    state & PARITY != 0
}

/// How many arrivals were pending in a state (PTX ISA "mbarrier.pending_count").
pub(crate) fn pending(state: u64) -> u64 {
    state & MAX_COUNT
}

/// The object is one.
pub(crate) fn require(word: u64) -> Result<(), Misuse> {
    Object::of(word).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Arrival = Arrival { count: 1, drops: false, is_incomplete: false, tx: 0 };

    #[test]
    fn words_round_trip() {
        for tx in [0, 1, -1, MAX_COUNT as i64, -(MAX_COUNT as i64)] {
            for is_odd in [false, true] {
                let object = Object { pending: 5, expected: MAX_COUNT, tx, is_odd };
                assert_eq!(Object::of(object.word()), Ok(object));
            }
        }
        for word in [0, u64::MAX, 1 << 62] {
            assert_eq!(Object::of(word), Err(Misuse::NotInitialized), "{word:#x}");
        }
    }

    #[test]
    fn a_phase_ends_with_its_last_arrival() {
        let start = initialized(3).expect("a count");
        let one = arrived(start, ONE).expect("three come");
        assert_eq!((is_over(one, false), pending(one)), (Ok(false), 2));
        let next = arrived(one, Arrival { count: 2, ..ONE }).expect("two are left");
        assert_eq!((is_over(next, false), is_over(next, true), pending(next)), (Ok(true), Ok(false), 3));
        let last = arrived(next, Arrival { count: 3, ..ONE }).expect("three come again");
        assert_eq!(last, start);
    }

    #[test]
    fn dropped_threads_are_no_longer_expected() {
        let start = initialized(2).expect("a count");
        let dropped = arrived(start, Arrival { drops: true, ..ONE }).expect("one drops out");
        assert_eq!(pending(dropped), 1);
        let next = arrived(dropped, ONE).expect("the other arrives");
        assert_eq!((parity(next), pending(next)), (true, 1));
    }

    #[test]
    fn a_phase_waits_for_its_bytes() {
        let start = initialized(1).expect("a count");
        let expecting = arrived(start, Arrival { tx: 48, ..ONE }).expect("one arrives");
        assert_eq!(is_over(expecting, false), Ok(false));
        let half = transacted(expecting, -16).expect("16 come");
        assert_eq!(is_over(half, false), Ok(false));
        assert_eq!(transacted(half, -32).map(parity), Ok(true));
        // They may come before anybody expects them.
        let early = transacted(start, -16).expect("16 come");
        assert!(!parity(early));
        assert_eq!(arrived(early, Arrival { tx: 16, ..ONE }).map(parity), Ok(true));
        assert_eq!(transacted(transacted(start, 16).expect("expected"), -16).map(parity), Ok(false));
    }

    #[test]
    fn misuse_is_found() {
        assert_eq!(initialized(0), Err(Misuse::BadCount(0)));
        assert_eq!(initialized(1 << 20), Err(Misuse::BadCount(1 << 20)));
        let start = initialized(2).expect("a count");
        assert_eq!(
            arrived(start, Arrival { count: 3, ..ONE }),
            Err(Misuse::TooManyArrivals { count: 3, pending: 2 })
        );
        assert_eq!(arrived(start, Arrival { count: 2, is_incomplete: true, ..ONE }), Err(Misuse::Completes));
        assert!(arrived(start, Arrival { is_incomplete: true, ..ONE }).is_ok());
        assert_eq!(arrived(0, ONE), Err(Misuse::NotInitialized));
        assert_eq!(transacted(start, 1 << 20), Err(Misuse::TooManyBytes(1 << 20)));
        assert_eq!(extended(start).map(pending), Ok(3));
        // Of those that were expected, all have dropped out.
        let none = arrived(start, Arrival { count: 2, drops: true, ..ONE }).expect("both drop out");
        assert_eq!(arrived(none, ONE), Err(Misuse::TooManyArrivals { count: 1, pending: 0 }));
    }
}
