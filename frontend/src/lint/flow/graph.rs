//! Basic blocks, and what happens in each.

use crate::ir::{Func, Local};
use crate::source::Span;

/// Index of a block.
pub(super) type BlockIdx = usize;

/// The flow of control through a function.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) blocks: Vec<Block>,
    /// Where control leaves the function. The first block is where it enters.
    pub(super) exit: BlockIdx,
    /// Where control can run from the statements of one case into the next.
    pub(super) falls: Vec<Fall>,
}

/// Statements that are carried out together.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) events: Vec<Event>,
    /// Where control goes next: where a condition holds, then where it does not.
    pub(super) succs: Vec<BlockIdx>,
    /// Where it would go, but that the condition is a constant.
    pub(super) cut: Vec<BlockIdx>,
    /// The condition that selects a successor.
    pub(super) fork: Option<Fork>,
    /// For a `switch`, the labels of the successors; the last, the path past all of them, has none.
    pub(super) labels: Vec<Span>,
}

/// The relevant events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A statement begins.
    Stmt(Span),
    /// A variable begins to live, without a value.
    Declare(Local),
    /// A variable is read.
    Use(Local, Span),
    /// A variable gets a value, or its address goes where it may get one.
    Store(Local),
    /// A function is called.
    Call(Func, Span),
}

/// The condition of a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fork {
    pub(super) kind: ForkKind,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForkKind {
    If,
    Conditional,
    And,
    Or,
    While,
    For,
    Do,
    Switch,
}

impl ForkKind {
    /// When control goes to the successor of the index.
    pub(super) fn describe(self, idx: usize) -> &'static str {
        match (self, idx) {
            (ForkKind::If, 0) => "`if` condition is true",
            (ForkKind::If, _) => "`if` condition is false",
            (ForkKind::Conditional, 0) => "`?:` condition is true",
            (ForkKind::Conditional, _) => "`?:` condition is false",
            (ForkKind::And, 0) => "`&&` condition is true",
            (ForkKind::And, _) => "`&&` condition is false",
            (ForkKind::Or, 0) => "`||` condition is true",
            (ForkKind::Or, _) => "`||` condition is false",
            (ForkKind::While, 0) => "`while` loop is entered",
            (ForkKind::While, _) => "`while` loop exits because its condition is false",
            (ForkKind::For, 0) => "`for` loop is entered",
            (ForkKind::For, _) => "`for` loop exits because its condition is false",
            (ForkKind::Do, 0) => "`do` loop condition is true",
            (ForkKind::Do, _) => "`do` loop exits because its condition is false",
            (ForkKind::Switch, _) => "this `switch` case is taken",
        }
    }
}

/// A case that another runs into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fall {
    /// The end of the code that falls into it.
    pub(super) from: BlockIdx,
    /// The last statement of that.
    pub(super) last: Span,
    /// The label.
    pub(super) label: Span,
}

impl Graph {
    /// The blocks that control can reach; with `through_cut`, over edges that a constant cut too.
    pub(super) fn reachable(&self, through_cut: bool) -> Vec<bool> {
        let mut reached = vec![false; self.blocks.len()];
        let mut queue = vec![0];
        while let Some(block) = queue.pop() {
            if std::mem::replace(&mut reached[block], true) {
                continue;
            }
            queue.extend(&self.blocks[block].succs);
            if through_cut {
                queue.extend(&self.blocks[block].cut);
            }
        }
        reached
    }

    /// For each block those from which control comes.
    pub(super) fn preds(&self) -> Vec<Vec<BlockIdx>> {
        let mut preds = vec![Vec::new(); self.blocks.len()];
        for (idx, block) in self.blocks.iter().enumerate() {
            for &succ in &block.succs {
                preds[succ].push(idx);
            }
        }
        preds
    }
}
