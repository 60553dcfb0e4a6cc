//! The output of kernels, delivered as it is printed, in block order.
//!
//! The output of a block is delivered at once if all blocks before it have ended, and buffered until then if
//! not. If an attempt to run blocks at the same time is abandoned, and they run again one after the other,
//! they print the delivered text again: until then the block did not depend on any other, or its claims would
//! have conflicted. So that many bytes are dropped the second time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::text::Text;

/// Receives what is printed.
pub(super) type Printed<'a> = &'a mut (dyn FnMut(&[u8]) + Send);

/// The output of a launch's blocks.
pub(super) struct Console<'a> {
    state: Mutex<State<'a>>,
}

struct State<'a> {
    printed: Printed<'a>,
    /// The position of the first block that has not ended.
    front: u64,
    /// The later blocks that have ended.
    ended: BTreeSet<u64>,
    /// The output of later blocks.
    kept: BTreeMap<u64, Text>,
    /// The number of delivered bytes.
    n_delivered: usize,
    /// The number of those that will be printed again.
    n_repeated: usize,
}

/// A console with the receiver's type erased, so that its owner's lifetime is independent of the receiver's.
pub(super) trait Blocks: Sync {
    /// The block at a position printed something.
    fn print(&self, position: u64, text: &[u8]);

    /// The block at a position ended: the next output is that of the first one that has not.
    fn end(&self, position: u64);

    /// The blocks run again.
    fn begin_again(&self);

    /// The launch stopped: delivers the output of all started blocks, in order.
    fn stop(&self);
}

impl<'a> Console<'a> {
    pub(super) fn new(printed: Printed<'a>) -> Self {
        let (ended, kept) = (BTreeSet::new(), BTreeMap::new());
        Console { state: Mutex::new(State { printed, front: 0, ended, kept, n_delivered: 0, n_repeated: 0 }) }
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Blocks for Console<'_> {
    fn print(&self, position: u64, text: &[u8]) {
        let mut state = self.state();
        if position == state.front {
            state.deliver(text);
        } else {
            state.kept.entry(position).or_default().push(text);
        }
    }

    fn end(&self, position: u64) {
        let mut state = self.state();
        state.ended.insert(position);
        loop {
            let front = state.front;
            if !state.ended.remove(&front) {
                return;
            }
            state.front += 1;
            if let Some(text) = state.kept.remove(&(front + 1)) {
                text.pieces().for_each(|piece| state.deliver(piece));
            }
        }
    }

    fn begin_again(&self) {
        let mut state = self.state();
        state.front = 0;
        state.ended.clear();
        state.kept.clear();
        state.n_repeated = state.n_delivered;
    }

    fn stop(&self) {
        let mut state = self.state();
        for text in std::mem::take(&mut state.kept).into_values() {
            text.pieces().for_each(|piece| state.deliver(piece));
        }
    }
}

impl State<'_> {
    fn deliver(&mut self, text: &[u8]) {
        let n_repeated = self.n_repeated.min(text.len());
        self.n_repeated -= n_repeated;
        let text = &text[n_repeated..];
        if !text.is_empty() {
            self.n_delivered += text.len();
            (self.printed)(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output_of(what: impl FnOnce(&Console<'_>)) -> Vec<String> {
        let mut all = Vec::new();
        let mut printed = |text: &[u8]| all.push(String::from_utf8_lossy(text).into_owned());
        what(&Console::new(&mut printed));
        all
    }

    #[test]
    fn prints_blocks_in_order() {
        let found = output_of(|console| {
            console.print(2, b"c");
            console.print(0, b"a");
            console.print(1, b"b");
            console.end(1);
            console.print(0, b"A");
            console.end(0);
            console.print(2, b"C");
            console.end(2);
            console.print(3, b"d");
        });
        assert_eq!(found, ["a", "A", "b", "c", "C", "d"]);
    }

    #[test]
    fn prints_repeated_output_once() {
        let found = output_of(|console| {
            console.print(1, b"never");
            console.print(0, b"one ");
            console.begin_again();
            console.print(0, b"one two ");
            console.end(0);
            console.print(1, b"three");
        });
        assert_eq!(found, ["one ", "two ", "three"]);
    }

    #[test]
    fn prints_kept_output_when_a_launch_stops() {
        let found = output_of(|console| {
            console.print(2, b"c");
            console.print(1, b"b");
            console.stop();
        });
        assert_eq!(found, ["b", "c"]);
    }
}
