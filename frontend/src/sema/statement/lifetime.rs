//! Which variables are alive where, so that a jump into the life of one can be told (C++17 9.7p3).
//!
//! A statement expression `({ … })`, which no jump may enter either, is like a variable that begins with it.
//! The variables with initializers form a tree: the parent of each is the one before it that was in scope. What
//! is alive at a place is a node with its ancestors. Each node also points some way further up, so that asking
//! takes logarithmic time however many variables there are.

use crate::source::Span;
use crate::token::Symbol;

/// A variable with an initializer, or a statement expression.
struct Node {
    span: Span,
    /// None for a statement expression.
    name: Option<Symbol>,
    parent: Option<usize>,
    /// How many ancestors it has.
    depth: u32,
    /// An ancestor further up.
    jump: Option<usize>,
}

/// What is alive at a place: the innermost variable, and with it all around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::sema) struct Alive(Option<usize>);

/// The variables of a function.
#[derive(Default)]
pub(in crate::sema) struct Lifetimes {
    nodes: Vec<Node>,
}

impl Lifetimes {
    /// Forgets all variables.
    pub(in crate::sema) fn clear(&mut self) {
        self.nodes.clear();
    }

    /// What is alive once a variable is initialized, or a statement expression entered.
    pub(super) fn begin(&mut self, alive: Alive, span: Span, name: Option<Symbol>) -> Alive {
        let parent = alive.0;
        let depth = self.n_alive(alive);
        let jump = parent.map(|parent| {
            // Two jumps of equal length above the parent are joined to one (skew binary numbers).
            let over = self.nodes[parent].jump;
            let further = over.and_then(|over| self.nodes[over].jump);
            let len = |from: usize, to: usize| self.nodes[from].depth - self.nodes[to].depth;
            match (over, further) {
                (Some(over), Some(further)) if len(parent, over) == len(over, further) => further,
                _ => parent,
            }
        });
        self.nodes.push(Node { span, name, parent, depth, jump });
        Alive(Some(self.nodes.len() - 1))
    }

    /// The first variable whose initialization a jump passes by, or the statement expression that it enters.
    pub(super) fn bypassed(&self, from: Alive, to: Alive) -> Option<(Span, Option<Symbol>)> {
        let n_common = self.n_common(from, to);
        // The outermost that is alive only at the end.
        let first = self.outwards(to, n_common + 1).0?;
        let node = &self.nodes[first];
        (node.depth == n_common).then_some((node.span, node.name))
    }

    fn n_alive(&self, alive: Alive) -> u32 {
        alive.0.map_or(0, |idx| self.nodes[idx].depth + 1)
    }

    /// The outermost `n` of what is alive, or all where there are fewer.
    fn outwards(&self, alive: Alive, n: u32) -> Alive {
        let mut at = alive;
        while let Some(idx) = at.0
            && self.n_alive(at) > n
        {
            let jump = Alive(self.nodes[idx].jump);
            at = if self.n_alive(jump) >= n { jump } else { Alive(self.nodes[idx].parent) };
        }
        at
    }

    /// How many variables are alive at both places.
    fn n_common(&self, a: Alive, b: Alive) -> u32 {
        let n = self.n_alive(a).min(self.n_alive(b));
        let (mut a, mut b) = (self.outwards(a, n), self.outwards(b, n));
        while let (Some(x), Some(y)) = (a.0, b.0)
            && x != y
        {
            let (x, y) = (&self.nodes[x], &self.nodes[y]);
            // At equal depth both jump equally far.
            (a, b) = if x.jump == y.jump {
                (Alive(x.parent), Alive(y.parent))
            } else {
                (Alive(x.jump), Alive(y.jump))
            };
        }
        self.n_alive(a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree in which the parent of each node is drawn; each question is answered by following parents too.
    #[test]
    fn bypassed_variables_match_a_full_walk() {
        let mut lifetimes = Lifetimes::default();
        let mut all = vec![Alive::default()];
        let mut random = 7_u64;
        let mut below = |n: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % n
        };
        for number in 0..200_u32 {
            let parent = all[all.len() - 1 - below(all.len().min(4))];
            all.push(lifetimes.begin(
                parent,
                Span::new(number, number),
                Some(Symbol::from_index(number as usize)),
            ));
        }
        let chain = |alive: Alive| {
            let next = |&idx: &usize| lifetimes.nodes[idx].parent;
            let mut chain: Vec<usize> = std::iter::successors(alive.0, next).collect();
            chain.reverse();
            chain
        };
        for _ in 0..2000 {
            let (from, to) = (all[below(all.len())], all[below(all.len())]);
            let (at_from, at_to) = (chain(from), chain(to));
            let first = at_to.iter().find(|idx| !at_from.contains(idx));
            let found = lifetimes.bypassed(from, to).and_then(|(_, name)| name);
            assert_eq!(found, first.and_then(|&idx| lifetimes.nodes[idx].name));
        }
    }
}
