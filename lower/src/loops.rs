//! The natural loops of an LLVM function: their blocks and nesting.
//!
//! A loop is closed by a branch back to a block that dominates it. Cycles with several
//! entries are not loops here, as for LLVM's loop passes.

use std::collections::{BTreeSet, HashMap};

use inkwell::basic_block::BasicBlock;
use inkwell::values::{FunctionValue, InstructionValue};

/// A loop. Blocks are indices into [`Loops::blocks`].
#[derive(Debug)]
pub(crate) struct Loop {
    /// The block that every iteration begins with.
    pub(crate) header: usize,
    /// The blocks that branch back to it.
    pub(crate) latches: Vec<usize>,
    /// All of its blocks, including those of inner loops.
    pub(crate) blocks: BTreeSet<usize>,
    /// The smallest enclosing loop.
    pub(crate) parent: Option<usize>,
}

/// The loops of a function.
#[derive(Debug)]
pub(crate) struct Loops<'ctx> {
    /// The reachable blocks, each after at least one of its predecessors.
    pub(crate) blocks: Vec<BasicBlock<'ctx>>,
    /// The loops, inner ones before outer ones.
    pub(crate) loops: Vec<Loop>,
}

impl<'ctx> Loops<'ctx> {
    /// The loops of a function with a body.
    pub(crate) fn of(function: FunctionValue<'ctx>) -> Self {
        let blocks = reverse_postorder(function);
        let numbers: HashMap<_, _> =
            blocks.iter().enumerate().map(|(number, &block)| (block, number)).collect();
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (from, &block) in blocks.iter().enumerate() {
            for to in successors(block) {
                predecessors[numbers[&to]].push(from);
            }
        }
        let dominators = dominators(&predecessors);
        let mut latches: HashMap<usize, Vec<usize>> = HashMap::new();
        for (header, sources) in predecessors.iter().enumerate() {
            for &latch in sources.iter().filter(|&&latch| dominates(&dominators, header, latch)) {
                latches.entry(header).or_default().push(latch);
            }
        }
        let mut loops: Vec<_> = latches
            .into_iter()
            .map(|(header, latches)| {
                let blocks = body(header, &latches, &predecessors);
                Loop { header, latches, blocks, parent: None }
            })
            .collect();
        loops.sort_by_key(|it| (it.blocks.len(), it.header));
        for inner in 0..loops.len() {
            let header = loops[inner].header;
            loops[inner].parent =
                (inner + 1..loops.len()).find(|&outer| loops[outer].blocks.contains(&header));
        }
        Loops { blocks, loops }
    }

    /// The innermost loop of each block.
    pub(crate) fn innermost(&self) -> Vec<Option<usize>> {
        let mut innermost = vec![None; self.blocks.len()];
        for (number, it) in self.loops.iter().enumerate().rev() {
            it.blocks.iter().for_each(|&block| innermost[block] = Some(number));
        }
        innermost
    }
}

fn successors(block: BasicBlock<'_>) -> impl Iterator<Item = BasicBlock<'_>> {
    let operands = block.get_terminator().into_iter().flat_map(InstructionValue::get_operands);
    operands.flatten().filter_map(|operand| operand.block())
}

fn reverse_postorder(function: FunctionValue<'_>) -> Vec<BasicBlock<'_>> {
    let Some(entry) = function.get_first_basic_block() else { return Vec::new() };
    let (mut seen, mut order) = (std::collections::HashSet::from([entry]), Vec::new());
    let mut open = vec![(entry, successors(entry).collect::<Vec<_>>())];
    while let Some((block, rest)) = open.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => open.push((next, successors(next).collect())),
            Some(_) => {}
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The immediate dominator of each block, from its predecessors (Cooper, Harvey, Kennedy: "A Simple, Fast
/// Dominance Algorithm"). The entry's is itself.
fn dominators(predecessors: &[Vec<usize>]) -> Vec<usize> {
    const UNKNOWN: usize = usize::MAX;
    let mut closest = vec![UNKNOWN; predecessors.len()];
    if let Some(entry) = closest.first_mut() {
        *entry = 0;
    }
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for block in 1..predecessors.len() {
            let known = predecessors[block].iter().copied().filter(|&from| closest[from] != UNKNOWN);
            let Some(common) = known.reduce(|a, b| common_dominator(&closest, a, b)) else { continue };
            has_changed |= closest[block] != common;
            closest[block] = common;
        }
    }
    closest
}

fn common_dominator(closest: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = closest[a];
        } else {
            b = closest[b];
        }
    }
    a
}

fn dominates(closest: &[usize], above: usize, mut block: usize) -> bool {
    // A block comes after those that dominate it.
    while block > above {
        block = closest[block];
    }
    block == above
}

fn body(header: usize, latches: &[usize], predecessors: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut blocks = BTreeSet::from([header]);
    let mut open = latches.to_vec();
    while let Some(block) = open.pop() {
        if blocks.insert(block) {
            open.extend(&predecessors[block]);
        }
    }
    blocks
}
