//! Sets of a body's entities, kept from one body to the next so that none allocates.

use std::marker::PhantomData;

use cranelift_entity::EntityRef;

/// A set of entities below a bound that [`Seen::reset`] gives.
#[derive(Debug)]
pub(super) struct Seen<K> {
    /// For each entity whether it is in the set.
    is_in: Vec<bool>,
    key: PhantomData<K>,
}

impl<K> Default for Seen<K> {
    fn default() -> Self {
        Seen { is_in: Vec::new(), key: PhantomData }
    }
}

impl<K: EntityRef> Seen<K> {
    /// Empties the set; keys are below `bound` from now on.
    pub(super) fn reset(&mut self, bound: usize) {
        self.is_in.clear();
        self.is_in.resize(bound, false);
    }

    /// Adds a key that is below the bound. Whether it was not there.
    pub(super) fn insert(&mut self, key: K) -> bool {
        !std::mem::replace(&mut self.is_in[key.index()], true)
    }

    pub(super) fn contains(&self, key: K) -> bool {
        self.is_in.get(key.index()).is_some_and(|&is_in| is_in)
    }

    /// The first key that the other set lacks.
    pub(super) fn first_not_in(&self, other: &Self) -> Option<K> {
        let others = other.is_in.iter().chain(std::iter::repeat(&false));
        self.is_in.iter().zip(others).position(|(&own, &other)| own && !other).map(K::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Local;

    #[test]
    fn reset_empties_the_set() {
        let (mut all, mut some) = (Seen::default(), Seen::default());
        all.reset(130);
        some.reset(1);
        let local = |n| Local::from_u32(n);
        assert!(all.insert(local(0)) && all.insert(local(129)) && !all.insert(local(129)));
        some.insert(local(0));
        assert_eq!((all.first_not_in(&some), some.first_not_in(&all)), (Some(local(129)), None));
        assert!(all.contains(local(129)) && !all.contains(local(65)));
        all.reset(130);
        assert!(!all.contains(local(129)) && !all.contains(local(500)));
    }
}
