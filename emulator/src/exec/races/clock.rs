//! Vector clocks: which accesses of other threads precede what a thread does next.
//!
//! Each block counts its synchronization events, and that count is the time of its threads. A clock holds
//! times by [`Key`]: of a whole block, of a warp or of one thread, so that the clock after a barrier has one
//! entry and not a thousand. An access at a time precedes everything that is ordered by a clock with this
//! time or a later one for its thread.

use std::sync::Arc;

use crate::compute::WARP_SIZE;

/// The number of bits of a key that select threads of a block.
const THREAD_BITS: u32 = 12;

/// Marks actors that are copies, and their keys.
const CHANNEL: u32 = 1 << 31;

/// The maker of an access: a warp, by its index in the grid, or a channel: the copies that complete on the
/// same event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Actor(u32);

/// The threads that a time is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64);

impl Actor {
    /// The warp with this index in the grid.
    pub(super) fn warp(number: u64) -> Self {
        Actor(number as u32 & !CHANNEL)
    }

    pub(super) fn channel(number: u32) -> Self {
        Actor(number | CHANNEL)
    }

    /// The index of the warp in the grid, or of the channel.
    pub(super) fn number(self) -> u32 {
        self.0 & !CHANNEL
    }

    pub(super) fn is_channel(self) -> bool {
        self.0 & CHANNEL != 0
    }

    /// The block of a warp, and the warp's index there.
    pub(super) fn place(self, n_warps: u32) -> (u64, u32) {
        (u64::from(self.0 / n_warps), self.0 % n_warps)
    }

    fn keys(self, n_warps: u32) -> (Key, Key) {
        if self.is_channel() {
            return (Key::channel(self), Key::channel(self));
        }
        let (block, warp) = self.place(n_warps);
        (Key::block(block), Key::warp(block, warp))
    }
}

impl Key {
    pub(super) fn block(block: u64) -> Self {
        Key(block << THREAD_BITS)
    }

    pub(super) fn warp(block: u64, warp: u32) -> Self {
        Key(block << THREAD_BITS | u64::from(warp + 1))
    }

    pub(super) fn thread(block: u64, thread: u32) -> Self {
        Key(block << THREAD_BITS | u64::from(thread + 64))
    }

    pub(super) fn channel(channel: Actor) -> Self {
        Key(u64::from(channel.0) << (THREAD_BITS + 20))
    }

    /// The key of the block and, for a thread's key, that of the warp.
    fn wider(self) -> (Key, Option<Key>) {
        let (block, code) = (self.0 >> THREAD_BITS, self.0 & ((1 << THREAD_BITS) - 1));
        let thread = code.checked_sub(64);
        (Key::block(block), thread.map(|thread| Key::warp(block, (thread / WARP_SIZE as u64) as u32)))
    }
}

/// Times by keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// In the order of the keys.
    entries: Vec<(Key, u32)>,
}

impl Clock {
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn get(&self, key: Key) -> Option<u32> {
        match &self.entries[..] {
            [] => None,
            [(only, time)] => (*only == key).then_some(*time),
            entries => entries.binary_search_by_key(&key, |&(key, _)| key).ok().map(|idx| entries[idx].1),
        }
    }

    /// The time until which all accesses of a block precede, by the entry of the whole block.
    pub(super) fn block_time(&self, block: u64) -> u32 {
        self.get(Key::block(block)).unwrap_or(0)
    }

    /// Whether the accesses of all threads of the actor at a time precede.
    pub(super) fn covers_all(&self, actor: Actor, time: u32, n_warps: u32) -> bool {
        let (block, warp) = actor.keys(n_warps);
        self.get(block).is_some_and(|at| at >= time) || self.get(warp).is_some_and(|at| at >= time)
    }

    /// Whether a thread's access at a time precedes.
    pub(super) fn covers(&self, actor: Actor, lane: u32, time: u32, n_warps: u32) -> bool {
        if self.covers_all(actor, time, n_warps) {
            return true;
        }
        if actor.is_channel() {
            return false;
        }
        let (block, warp) = actor.place(n_warps);
        let key = Key::thread(block, warp * WARP_SIZE as u32 + lane);
        self.get(key).is_some_and(|at| at >= time)
    }

    /// Adds that everything until a time of these threads precedes.
    pub(super) fn raise(&mut self, key: Key, time: u32) {
        match self.entries.binary_search_by_key(&key, |&(key, _)| key) {
            Ok(idx) => self.entries[idx].1 = self.entries[idx].1.max(time),
            Err(idx) => self.entries.insert(idx, (key, time)),
        }
        self.prune();
    }

    /// The same for ordered keys.
    pub(super) fn raise_all(&mut self, keys: impl Iterator<Item = Key>, time: u32) {
        let other = Clock { entries: keys.map(|key| (key, time)).collect() };
        self.join(&other);
    }

    /// Adds everything that precedes by another clock.
    pub(super) fn join(&mut self, other: &Clock) {
        let (mine, theirs) = (std::mem::take(&mut self.entries), &other.entries);
        let mut joined = Vec::with_capacity(mine.len() + theirs.len());
        let (mut left, mut right) = (mine.into_iter().peekable(), theirs.iter().copied().peekable());
        while let (Some(&(a, at)), Some(&(b, bt))) = (left.peek(), right.peek()) {
            joined.push((
                a.min(b),
                if a == b {
                    at.max(bt)
                } else if a < b {
                    at
                } else {
                    bt
                },
            ));
            if a <= b {
                left.next();
            }
            if b <= a {
                right.next();
            }
        }
        joined.extend(left);
        joined.extend(right);
        self.entries = joined;
        self.prune();
    }

    /// Removes entries that those of whole blocks and warps imply.
    fn prune(&mut self) {
        let (mut block, mut warps) = (None, [0; WARP_SIZE]);
        self.entries.retain(|&(key, time)| {
            let (of_block, of_warp) = key.wider();
            if key == of_block {
                (block, warps) = (Some((key, time)), [0; WARP_SIZE]);
                return true;
            }
            if block.is_none_or(|(key, _)| key != of_block) {
                (block, warps) = (Some((of_block, 0)), [0; WARP_SIZE]);
            }
            let by_block = block.map_or(0, |(_, time)| time);
            let number = |key: Key| ((key.0 - of_block.0 - 1) as usize).min(WARP_SIZE - 1);
            match of_warp {
                None => {
                    warps[number(key)] = time;
                    time > by_block
                }
                Some(warp) => time > by_block && time > warps[number(warp)],
            }
        });
    }

    fn is_within(&self, other: &Clock) -> bool {
        self.entries.iter().all(|&(key, time)| {
            let (block, warp) = key.wider();
            let has = |key: Key| other.get(key).is_some_and(|at| at >= time);
            has(key) || has(block) || warp.is_some_and(has)
        })
    }
}

/// Joins clocks that threads may share.
pub(super) fn join(into: &mut Arc<Clock>, from: &Arc<Clock>) {
    if Arc::ptr_eq(into, from) || from.is_empty() {
        return;
    }
    if into.is_empty() {
        *into = Arc::clone(from);
    } else if !from.is_within(into) {
        if into.is_within(from) {
            *into = Arc::clone(from);
        } else {
            Arc::make_mut(into).join(from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_blocks_and_warps_cover_their_threads() {
        let mut clock = Clock::default();
        let warp = |number| Actor::warp(number);
        clock.raise(Key::thread(3, 40), 5);
        assert!(clock.covers(warp(3 * 4 + 1), 8, 5, 4) && !clock.covers(warp(3 * 4 + 1), 9, 5, 4));
        assert!(!clock.covers(warp(3 * 4 + 1), 8, 6, 4) && !clock.covers_all(warp(3 * 4 + 1), 1, 4));
        clock.raise(Key::warp(3, 1), 6);
        assert_eq!(clock.entries.len(), 1);
        assert!(clock.covers_all(warp(13), 6, 4) && !clock.covers_all(warp(12), 1, 4));
        clock.raise_all([Key::block(3), Key::channel(Actor::channel(7))].into_iter(), 6);
        assert_eq!(clock.entries.len(), 2);
        assert!(clock.covers_all(warp(15), 6, 4) && !clock.covers_all(warp(16), 1, 4));
        assert!(clock.covers(Actor::channel(7), 0, 6, 4) && !clock.covers(Actor::channel(8), 0, 1, 4));
    }

    #[test]
    fn joins_keep_the_later_time() {
        let mut clock = Arc::new(Clock::default());
        let mut other = Clock::default();
        other.raise_all([Key::block(1), Key::thread(2, 0)].into_iter(), 3);
        Arc::make_mut(&mut clock).raise(Key::thread(2, 0), 7);
        join(&mut clock, &Arc::new(other));
        assert!(clock.covers(Actor::warp(2), 0, 7, 1) && clock.covers_all(Actor::warp(1), 3, 1));
    }
}
