//! The labels of a function: each is known in its block and in the blocks within it, before and after its place (PTX ISA "Labels").

use std::collections::HashMap;

/// Labels, lists of labels (`.branchtargets`), and the blocks that they belong to.
pub(super) struct Labels<'t> {
    /// The block around each block; the outermost is around itself.
    outer: Vec<usize>,
    /// The block at hand.
    pub(super) block: usize,
    /// The instruction that each label stands before.
    targets: HashMap<(usize, &'t str), u32>,
    tables: HashMap<(usize, &'t str), Vec<&'t str>>,
}

impl<'t> Labels<'t> {
    pub(super) fn new() -> Self {
        Labels { outer: vec![0], block: 0, targets: HashMap::new(), tables: HashMap::new() }
    }

    pub(super) fn enter(&mut self) {
        self.outer.push(self.block);
        self.block = self.outer.len() - 1;
    }

    pub(super) fn leave(&mut self) {
        self.block = self.outer[self.block];
    }

    /// A label of the block at hand; false if it has it already.
    pub(super) fn declare(&mut self, label: &'t str, instruction: u32) -> bool {
        self.targets.insert((self.block, label), instruction).is_none()
    }

    /// A list of labels of the block at hand.
    pub(super) fn declare_table(&mut self, name: &'t str, labels: &[&'t str]) {
        self.tables.insert((self.block, name), labels.to_vec());
    }

    /// The instruction that a label means in a block.
    pub(super) fn find(&self, block: usize, label: &str) -> Option<u32> {
        self.around(block).find_map(|block| self.targets.get(&(block, label)).copied())
    }

    /// The list of labels that a name means in a block, and the block that it is in.
    pub(super) fn find_table(&self, block: usize, name: &'t str) -> Option<(usize, &[&'t str])> {
        self.around(block).find_map(|block| Some((block, &self.tables.get(&(block, name))?[..])))
    }

    /// A block and those around it, from within.
    fn around(&self, block: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(block), |&block| Some(self.outer[block]).filter(|&outer| outer != block))
    }
}
