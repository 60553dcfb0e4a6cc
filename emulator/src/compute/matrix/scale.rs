//! Factors of blocks of rows and columns (PTX ISA "Block Scaling for mma.sync").

use super::numbers;
use crate::compute::Lanes;

/// What factors are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScaleFormat {
    /// Powers of two.
    Ue8m0,
    /// `.e4m3` without a sign.
    Ue4m3,
}

/// How many factors a row of A and a column of B have, and what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    pub(crate) format: ScaleFormat,
    /// 1, 2 or 4.
    pub(crate) n_blocks: usize,
}

/// The factors of a matrix: the data, the number of the byte and that of the threads.
#[derive(Clone, Copy)]
pub(crate) struct Factors<'r> {
    pub(crate) data: &'r Lanes,
    pub(crate) byte: usize,
    pub(crate) thread: usize,
}

impl<'r> Factors<'r> {
    /// From the three registers. The numbers are those of the first thread: that they are the same in all is checked before.
    pub(crate) fn of(registers: &[&'r Lanes]) -> Self {
        Factors {
            data: registers[0],
            byte: registers[1][0] as u16 as usize,
            thread: registers[2][0] as u16 as usize,
        }
    }
}

impl Scale {
    /// Whether the selectors of a matrix are ones that the PTX ISA has, and the same in all threads.
    pub(crate) fn has_selectors(self, is_a: bool, byte: &Lanes, thread: &Lanes) -> bool {
        let same = |lanes: &Lanes| lanes.iter().all(|value| *value as u16 == lanes[0] as u16);
        let is_byte = self.has_byte(byte[0] as u16);
        same(byte) && same(thread) && is_byte && Self::has_thread(is_a, thread[0] as u16)
    }

    /// Whether there is such a byte selector.
    pub(crate) fn has_byte(self, byte: u16) -> bool {
        byte < 4 && usize::from(byte).is_multiple_of(self.n_blocks)
    }

    /// Whether there is such a thread selector.
    pub(crate) fn has_thread(is_a: bool, thread: u16) -> bool {
        thread < if is_a { 2 } else { 4 }
    }

    /// A thread of which a factor is used that is none: one of `.ue4m3` with the upper bit.
    pub(crate) fn wrong_lane(self, is_a: bool, factors: Factors<'_>) -> Option<usize> {
        let lines = 0..if is_a { 16 } else { 8 };
        let lanes = lines.map(|line| home(is_a, line, factors.thread));
        let bytes = move |lane: usize| {
            (0..self.n_blocks).map(move |block| factors.data[lane] >> (8 * (factors.byte + block)))
        };
        let is_wrong = |lane: &usize| bytes(*lane).any(|byte| byte & 0x80 != 0);
        lanes.filter(|lane| self.format == ScaleFormat::Ue4m3 && is_wrong(lane)).min()
    }

    /// The factor of a row of A or column of B at a place along `k`, of `n` places.
    pub(crate) fn factor(
        self,
        is_a: bool,
        factors: Factors<'_>,
        line: usize,
        (at, n): (usize, usize),
    ) -> f64 {
        let byte = (factors.byte + at * self.n_blocks / n) % 4;
        let lane = home(is_a, line, factors.thread);
        numbers::scale(self.format, factors.data[lane] >> (8 * byte) & 0xFF)
    }
}

/// The thread that has the factors of a row of A or a column of B.
fn home(is_a: bool, line: usize, thread: usize) -> usize {
    if is_a { line % 8 * 4 + thread % 2 * 2 + line / 8 } else { line * 4 + thread % 4 }
}
