//! Reachability of a library function's blocks, with its queries answered.

use std::collections::BTreeMap;

use super::super::body::{Body, ConstantData, Instruction, Operation};
use super::Copier;

/// The maximum number of iterations of an unrolled loop.
const MOST_ROUNDS: u32 = 32;

/// The successors of a block.
#[derive(Clone, Copy, Debug)]
pub(super) enum Targets {
    None,
    One(usize),
    Two(usize, usize),
}

/// The control flow of a function.
#[derive(Debug)]
pub(super) struct Ways {
    /// The successors of each reachable block.
    pub(super) targets: Vec<Option<Targets>>,
    /// The number of predecessors of each block.
    pub(super) n_before: Vec<usize>,
    /// The unrolled loops, by first block.
    pub(super) rounds: BTreeMap<usize, Rounds>,
}

/// The iterations of a loop.
#[derive(Debug)]
pub(super) struct Rounds {
    /// The predecessor of the first block from the loop.
    pub(super) inside: usize,
    /// The predecessor of the first block from outside.
    pub(super) outside: usize,
    /// How many more times the first block may be reached.
    n_left: u32,
}

impl Targets {
    pub(super) fn all(self) -> impl Iterator<Item = usize> {
        let (first, second) = match self {
            Targets::None => (None, None),
            Targets::One(target) => (Some(target), None),
            Targets::Two(then, otherwise) => (Some(then), Some(otherwise)),
        };
        first.into_iter().chain(second)
    }
}

impl Ways {
    fn new(targets: Vec<Option<Targets>>) -> Self {
        let mut n_before = vec![0; targets.len()];
        for target in targets.iter().flatten().flat_map(|targets| targets.all()) {
            n_before[target] += 1;
        }
        Ways { targets, n_before, rounds: BTreeMap::new() }
    }

    /// Whether a block is a predecessor of another. `None` if there is no such block.
    pub(super) fn lead(&self, from: usize, to: usize) -> Option<bool> {
        Some(self.targets.get(from)?.is_some_and(|targets| targets.all().any(|target| target == to)))
    }

    /// Whether an unconditional branch's target can be merged into its predecessor.
    pub(super) fn is_part_of_the_one_before(&self, block: usize) -> bool {
        block != 0 && self.n_before[block] == 1 || self.rounds.contains_key(&block)
    }

    /// Begins an iteration of an unrolled loop.
    pub(super) fn begin_round(&mut self, first: usize) -> Option<()> {
        let rounds = self.rounds.get_mut(&first)?;
        rounds.n_left = rounds.n_left.checked_sub(1)?;
        Some(())
    }

    /// Unrolls loops that specify a factor, and end in their first block. Returns whether there are no
    /// others.
    pub(super) fn write_out_loops(&mut self, body: &Body) -> bool {
        for (block, targets) in self.targets.iter().enumerate() {
            for first in targets.iter().flat_map(|targets| targets.all()).filter(|target| *target <= block) {
                let unroll = body.blocks[block].last().and_then(|end| end.unroll);
                let count = unroll
                    .and_then(|unroll| unroll.count())
                    .filter(|count| (2..=MOST_ROUNDS).contains(count));
                let inside = self.inside(first, block);
                let outside = (0..self.targets.len())
                    .find(|from| *from != block && self.lead(*from, first) == Some(true));
                let (Some(count), Some(inside), Some(outside)) = (count, inside, outside) else {
                    return false;
                };
                // It is reached once more after the last iteration.
                self.rounds.insert(first, Rounds { inside, outside, n_left: count + 1 });
            }
        }
        true
    }

    /// The predecessor of a loop's first block within the loop, if there is one path from there to the last
    /// block, and one path to the first from outside.
    fn inside(&self, first: usize, last: usize) -> Option<usize> {
        let leads_on = |block: &usize| {
            let mut block = *block;
            // No block is visited twice: each has one predecessor.
            while block != last && block != first && self.n_before[block] == 1 {
                let Some(Targets::One(next)) = self.targets[block] else { return false };
                block = next;
            }
            block == last && self.n_before[block] == 1
        };
        let (Some(Targets::One(_)), Some(Targets::Two(then, otherwise)), 2) =
            (self.targets[last], self.targets[first], self.n_before[first])
        else {
            return None;
        };
        [then, otherwise].into_iter().find(leads_on)
    }
}

impl Copier<'_, '_> {
    /// The control flow that remains with the answers to the function's queries.
    pub(super) fn ways(&mut self, body: &Body) -> Option<Ways> {
        const EQUAL: u64 = 32;
        const UNEQUAL: u64 = 33;
        let library = self.library;
        // Values that metadata refers to belong to the library.
        let integer = |number: usize| {
            let own = || library.constant(number);
            let constant =
                number.checked_sub(body.first_constant).map_or_else(own, |idx| body.constants.get(idx));
            match constant?.data {
                ConstantData::Null => Some(0),
                ConstantData::Integer(value) => Some(value as u64),
                _ => None,
            }
        };
        let mut known: BTreeMap<usize, u64> = BTreeMap::new();
        let mut targets = vec![None; body.blocks.len()];
        let mut open = vec![0];
        while let Some(block) = open.pop() {
            if targets.get(block)?.is_some() {
                continue;
            }
            let mut end = Targets::None;
            for Instruction { operation, number, .. } in &body.blocks[block] {
                match operation {
                    Operation::Call { callee, arguments, .. } if self.is_question(*callee) => {
                        known.insert((*number)?, self.answer(body, *arguments.first()?)?);
                    }
                    Operation::Compare { predicate: predicate @ (EQUAL | UNEQUAL), left, right } => {
                        if let (Some(left), Some(right)) = (known.get(left), integer(*right)) {
                            known.insert((*number)?, u64::from((*left == right) == (*predicate == EQUAL)));
                        }
                    }
                    Operation::Branch(target) => end = Targets::One(*target),
                    Operation::Choose { condition, then, otherwise } => {
                        end = match known.get(condition) {
                            Some(0) => Targets::One(*otherwise),
                            Some(_) => Targets::One(*then),
                            None if then == otherwise => Targets::One(*then),
                            None => Targets::Two(*then, *otherwise),
                        };
                    }
                    _ => {}
                }
            }
            targets[block] = Some(end);
            open.extend(end.all());
        }
        Some(Ways::new(targets))
    }
}
