//! The tree of namespaces, and which names each of them has (C++17 10.3).
//!
//! The parser and `sema` each have one: the parser to know which names are types, `sema` to know what they are. The names of the
//! global namespace are not in it, but in a table of their owner's, so that a program without namespaces does not search:
//! lookups ask their owner what a namespace itself has.
//!
//! **Invariant**: `visible` holds what the `using` directives around the current place make visible there.

use std::mem;

use cranelift_entity::PrimaryMap;
use hashbrown::{HashMap, HashSet};
use smallvec::SmallVec;

pub(crate) use crate::ir::Namespace;
use crate::token::Symbol;

#[derive(Clone, Default)]
struct Node {
    parent: Option<Namespace>,
    /// How many namespaces are around it.
    depth: u32,
    /// The unnamed namespace in it.
    unnamed: Option<Namespace>,
    /// Its inline namespaces.
    inline: Vec<Namespace>,
    /// What its `using` directives nominate, the implied ones of inline and unnamed namespaces included.
    directives: Vec<Namespace>,
}

/// The meanings that a lookup has found, in different namespaces: mostly one.
pub(crate) type Found<B> = SmallVec<[B; 2]>;

/// The namespaces of a program.
#[derive(Clone)]
pub(crate) struct Namespaces<B> {
    nodes: PrimaryMap<Namespace, Node>,
    names: HashMap<(Namespace, Symbol), B>,
    current: Namespace,
    /// The directives of the blocks that are open, with the depth of the block.
    of_blocks: Vec<(u32, Namespace)>,
    /// The namespaces that directives nominate, each with the one as whose members its names appear (C++17 10.3.4p2).
    visible: Vec<(Namespace, Namespace)>,
}

impl<B> Default for Namespaces<B> {
    fn default() -> Self {
        Namespaces {
            nodes: [Node::default()].into_iter().collect(),
            names: HashMap::new(),
            current: Namespace::GLOBAL,
            of_blocks: Vec::new(),
            visible: Vec::new(),
        }
    }
}

impl<B: Copy> Namespaces<B> {
    /// Whether the program has no namespace but the global one.
    #[inline(always)]
    pub(crate) fn is_trivial(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The namespace in which declarations are read.
    #[inline(always)]
    pub(crate) fn current(&self) -> Namespace {
        self.current
    }

    /// Goes to another namespace, and gives the one before.
    pub(crate) fn go_to(&mut self, namespace: Namespace) -> Namespace {
        let before = mem::replace(&mut self.current, namespace);
        if before != namespace {
            self.update_visible();
        }
        before
    }

    /// Leaves the current namespace for the one around it.
    pub(crate) fn leave(&mut self) {
        let parent = self.nodes[self.current].parent;
        self.go_to(parent.unwrap_or(Namespace::GLOBAL));
    }

    /// A new namespace in the current one.
    pub(crate) fn add(&mut self, is_named: bool, is_inline: bool) -> Namespace {
        let parent = self.current;
        let depth = self.nodes[parent].depth + 1;
        let namespace = self.nodes.push(Node { parent: Some(parent), depth, ..Node::default() });
        let node = &mut self.nodes[parent];
        if is_inline {
            node.inline.push(namespace);
        }
        if !is_named {
            node.unnamed = Some(namespace);
        }
        // C++17 10.3.1p8, 10.3.1.1p1
        if is_inline || !is_named {
            node.directives.push(namespace);
            self.update_visible();
        }
        namespace
    }

    /// The unnamed namespace in the current one.
    pub(crate) fn unnamed(&self) -> Option<Namespace> {
        self.nodes[self.current].unnamed
    }

    /// How many namespaces are around the current one.
    pub(crate) fn depth(&self) -> u32 {
        self.nodes[self.current].depth
    }

    /// The namespaces around this one, itself first.
    pub(crate) fn around(&self, namespace: Namespace) -> impl Iterator<Item = Namespace> {
        std::iter::successors(Some(namespace), |&at| self.nodes[at].parent)
    }

    /// What the namespace itself has of the name.
    pub(crate) fn get(&self, namespace: Namespace, symbol: Symbol) -> Option<B> {
        self.names.get(&(namespace, symbol)).copied()
    }

    /// The meaning that the namespace has of the name, or will have.
    pub(crate) fn entry(&mut self, namespace: Namespace, symbol: Symbol) -> &mut B
    where
        B: Default,
    {
        self.names.entry((namespace, symbol)).or_default()
    }

    /// The names of the namespace, in no order.
    pub(crate) fn names_in(&self, namespace: Namespace) -> impl Iterator<Item = (Symbol, B)> {
        let of_it = move |(&(of, symbol), &meaning): (&(Namespace, Symbol), &B)| {
            (of == namespace).then_some((symbol, meaning))
        };
        self.names.iter().filter_map(of_it)
    }

    /// Unqualified lookup from the current namespace outwards (C++17 6.4.1): the first namespace of which something is a
    /// member, or appears as one, and what that is; `direct` finds what a namespace itself has.
    pub(crate) fn unqualified<T>(&self, direct: impl Fn(Namespace) -> Option<T>) -> (Namespace, Found<T>) {
        for namespace in self.around(self.current) {
            let mut found: Found<T> = direct(namespace).into_iter().collect();
            for &(appears_in, nominated) in &self.visible {
                if appears_in == namespace {
                    found.extend(direct(nominated));
                }
            }
            if !found.is_empty() {
                return (namespace, found);
            }
        }
        (Namespace::GLOBAL, Found::new())
    }

    /// Lookup of `namespace::name` (C++17 6.4.3.2), of which `direct` finds what a namespace itself has.
    pub(crate) fn qualified<T>(
        &self,
        namespace: Namespace,
        direct: impl Fn(Namespace) -> Option<T>,
    ) -> Found<T> {
        let (mut found, mut visited) = (Found::new(), HashSet::new());
        visited.insert(namespace);
        let mut waiting = vec![namespace];
        while let Some(namespace) = waiting.pop() {
            let mut set = self.inline_set(namespace);
            let n_before = found.len();
            found.extend(set.iter().filter_map(|&at| direct(at)));
            if found.len() == n_before {
                let nominated = set.drain(..).flat_map(|at| self.nodes[at].directives.iter().copied());
                waiting.extend(nominated.filter(|&at| visited.insert(at)));
            }
        }
        found
    }

    /// The namespace with its inline namespaces, and theirs (C++17 10.3.1p9).
    pub(crate) fn inline_set(&self, namespace: Namespace) -> Vec<Namespace> {
        let mut set = vec![namespace];
        let mut at = 0;
        while let Some(&next) = set.get(at) {
            set.extend(&self.nodes[next].inline);
            at += 1;
        }
        set
    }

    /// The innermost namespace around it, or itself, that is not inline.
    pub(crate) fn outside_inline(&self, namespace: Namespace) -> Namespace {
        let is_inline = |at: Namespace| {
            self.nodes[at].parent.is_some_and(|parent| self.nodes[parent].inline.contains(&at))
        };
        self.around(namespace).find(|&at| !is_inline(at)).unwrap_or(namespace)
    }

    /// Adds `using namespace nominated;` to the current namespace.
    pub(crate) fn add_directive(&mut self, nominated: Namespace) {
        let directives = &mut self.nodes[self.current].directives;
        if !directives.contains(&nominated) {
            directives.push(nominated);
            self.update_visible();
        }
    }

    /// Adds one to a block of that depth.
    pub(crate) fn add_block_directive(&mut self, depth: u32, nominated: Namespace) {
        self.of_blocks.push((depth, nominated));
        self.update_visible();
    }

    /// Leaves the blocks that are deeper than that.
    #[inline(always)]
    pub(crate) fn leave_blocks(&mut self, depth: u32) {
        if !self.of_blocks.is_empty() {
            self.drop_block_directives(depth);
        }
    }

    /// Takes the directives of all open blocks out, for the time being.
    pub(crate) fn take_block_directives(&mut self) -> Vec<(u32, Namespace)> {
        let taken = mem::take(&mut self.of_blocks);
        if !taken.is_empty() {
            self.update_visible();
        }
        taken
    }

    pub(crate) fn put_back_block_directives(&mut self, directives: Vec<(u32, Namespace)>) {
        if !directives.is_empty() {
            self.of_blocks = directives;
            self.update_visible();
        }
    }

    fn drop_block_directives(&mut self, depth: u32) {
        self.of_blocks.retain(|&(of, _)| of <= depth);
        self.update_visible();
    }

    fn update_visible(&mut self) {
        let around = self.around(self.current);
        let of_namespaces =
            around.flat_map(|at| self.nodes[at].directives.iter().map(move |&nominated| (at, nominated)));
        let of_blocks = self.of_blocks.iter().map(|&(_, nominated)| (self.current, nominated));
        let mut waiting: Vec<(Namespace, Namespace)> = of_namespaces.chain(of_blocks).collect();
        let (mut visible, mut visited) = (Vec::new(), HashSet::new());
        while let Some((place, nominated)) = waiting.pop() {
            let appears_in = self.common(place, nominated);
            // C++17 10.3.4p4: directives in a nominated namespace count as well.
            if visited.insert((place, nominated)) {
                visible.push((appears_in, nominated));
                waiting.extend(self.nodes[nominated].directives.iter().map(|&next| (place, next)));
            }
        }
        visible.sort_unstable();
        visible.dedup();
        self.visible = visible;
    }

    /// The nearest namespace around both.
    fn common(&self, a: Namespace, b: Namespace) -> Namespace {
        let (mut a, mut b) = (a, b);
        while a != b {
            let deeper = if self.nodes[a].depth >= self.nodes[b].depth { &mut a } else { &mut b };
            *deeper = self.nodes[*deeper].parent.unwrap_or(Namespace::GLOBAL);
        }
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Symbol {
        Symbol::from_index(0)
    }

    fn unqualified(tree: &Namespaces<u32>, global: Option<u32>) -> Vec<u32> {
        tree.unqualified(|at| if at == Namespace::GLOBAL { global } else { tree.get(at, x()) }).1.to_vec()
    }

    fn qualified(tree: &Namespaces<u32>, namespace: Namespace, global: Option<u32>) -> Vec<u32> {
        let direct = |at| if at == Namespace::GLOBAL { global } else { tree.get(at, x()) };
        tree.qualified(namespace, direct).to_vec()
    }

    #[test]
    fn looks_outwards_from_the_current_namespace() {
        let mut tree = Namespaces::<u32>::default();
        let a = tree.add(true, false);
        tree.go_to(a);
        let b = tree.add(true, false);
        *tree.entry(a, x()) = 1;
        tree.go_to(b);
        assert_eq!(unqualified(&tree, None), [1]);
        *tree.entry(b, x()) = 2;
        assert_eq!(unqualified(&tree, None), [2]);
        assert_eq!(qualified(&tree, a, None), [1]);
        assert_eq!(qualified(&tree, Namespace::GLOBAL, Some(3)), [3]);
    }

    #[test]
    fn names_of_a_directive_appear_in_the_common_namespace() {
        let mut tree = Namespaces::<u32>::default();
        let [a, b] = [tree.add(true, false), tree.add(true, false)];
        *tree.entry(a, x()) = 1;
        tree.go_to(b);
        tree.add_directive(a);
        // As a member of the global namespace, it is beside the global one, and hidden by that of `b`.
        assert_eq!(unqualified(&tree, Some(3)), [3, 1]);
        *tree.entry(b, x()) = 2;
        assert_eq!(unqualified(&tree, Some(3)), [2]);
    }

    #[test]
    fn directives_are_transitive_and_may_be_circular() {
        let mut tree = Namespaces::<u32>::default();
        let [a, b] = [tree.add(true, false), tree.add(true, false)];
        for (from, to) in [(a, b), (b, a)] {
            tree.go_to(from);
            tree.add_directive(to);
        }
        tree.go_to(Namespace::GLOBAL);
        *tree.entry(b, x()) = 2;
        assert_eq!(unqualified(&tree, None), [0; 0]);
        tree.add_block_directive(1, a);
        assert_eq!(unqualified(&tree, None), [2]);
        tree.leave_blocks(0);
        assert_eq!(unqualified(&tree, None), [0; 0]);
        assert_eq!(qualified(&tree, a, None), [2]);
    }

    #[test]
    fn members_of_inline_namespaces_are_the_outer_ones() {
        let mut tree = Namespaces::<u32>::default();
        let a = tree.add(true, false);
        tree.go_to(a);
        let v = tree.add(true, true);
        *tree.entry(v, x()) = 1;
        assert_eq!(unqualified(&tree, None), [1]);
        tree.go_to(Namespace::GLOBAL);
        assert_eq!(qualified(&tree, a, None), [1]);
        assert_eq!(unqualified(&tree, None), [0; 0]);
    }
}
