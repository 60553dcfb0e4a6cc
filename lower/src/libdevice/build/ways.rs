//! Reachability of the blocks of a library function, with its queries answered.

use std::collections::BTreeMap;

use super::super::body::{Body, ConstantData, Instruction, Operation};
use super::Copier;

/// Loops with more rounds are not written out.
const MOST_ROUNDS: u32 = 32;

/// Where a block's end leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Targets {
    None,
    One(usize),
    Two(usize, usize),
}

/// Where the blocks' ends lead.
#[derive(Debug)]
pub(super) struct Ways {
    /// Of the blocks that are reached.
    pub(super) targets: Vec<Option<Targets>>,
    /// How many blocks lead to a block.
    pub(super) n_before: Vec<usize>,
    /// The loops whose rounds are written out, by their first blocks.
    pub(super) rounds: BTreeMap<usize, Rounds>,
}

/// The rounds of a loop.
#[derive(Debug)]
pub(super) struct Rounds {
    /// The block that is next to the first if there is another round.
    pub(super) inside: usize,
    /// The block that leads to the first from outside.
    pub(super) outside: usize,
    /// How often the first block may still be met.
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

    /// Whether a block leads to another. None if there is no such block.
    pub(super) fn lead(&self, from: usize, to: usize) -> Option<bool> {
        Some(self.targets.get(from)?.is_some_and(|targets| targets.all().any(|target| target == to)))
    }

    /// Whether the target of an unconditional branch needs no block of its own.
    pub(super) fn is_part_of_the_one_before(&self, block: usize) -> bool {
        block != 0 && self.n_before[block] == 1 || self.rounds.contains_key(&block)
    }

    /// The first block of a loop whose rounds are written out is met.
    pub(super) fn begin_round(&mut self, first: usize) -> Option<()> {
        let rounds = self.rounds.get_mut(&first)?;
        rounds.n_left = rounds.n_left.checked_sub(1)?;
        Some(())
    }

    /// Has the rounds of loops written out which say how many become one, and end in their first block. Whether there are no others.
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
                // It is met once more when all rounds are done.
                self.rounds.insert(first, Rounds { inside, outside, n_left: count + 1 });
            }
        }
        true
    }

    /// The block that is next to the first of a loop within it, if one way leads from there to the last, and one way to the first from
    /// outside.
    fn inside(&self, first: usize, last: usize) -> Option<usize> {
        let leads_on = |block: &usize| {
            let mut block = *block;
            // No block is met twice: each has one before it.
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
    /// The paths that remain with the answers to the function's queries.
    pub(super) fn ways(&mut self, body: &Body) -> Option<Ways> {
        const EQUAL: u64 = 32;
        const UNEQUAL: u64 = 33;
        let library = self.library;
        // Values that metadata refers to are among the library's own.
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
