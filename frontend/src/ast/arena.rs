//! Storage for nodes of one kind.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

use cranelift_entity::EntityRef;

/// Nodes in the order in which they were made, each with a handle. The last ones can be forgotten: the next nodes
/// take their memory and their handles.
#[derive(Debug)]
pub(crate) struct Arena<K, V> {
    nodes: Vec<V>,
    keys: PhantomData<K>,
}

impl<K: EntityRef, V> Arena<K, V> {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Arena { nodes: Vec::with_capacity(capacity), keys: PhantomData }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn push(&mut self, node: V) -> K {
        let key = K::new(self.nodes.len());
        self.nodes.push(node);
        key
    }

    /// The nodes between two places; missing ones are omitted.
    pub(crate) fn range(&self, range: &Range<usize>) -> &[V] {
        self.nodes.get(range.clone()).unwrap_or_default()
    }

    /// Forgets all but the first nodes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.nodes.truncate(len);
    }
}

impl<K, V> Default for Arena<K, V> {
    fn default() -> Self {
        Arena { nodes: Vec::new(), keys: PhantomData }
    }
}

impl<K: EntityRef, V> IndexMut<K> for Arena<K, V> {
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.nodes[key.index()]
    }
}

impl<K: EntityRef, V> Index<K> for Arena<K, V> {
    type Output = V;

    fn index(&self, key: K) -> &V {
        &self.nodes[key.index()]
    }
}
