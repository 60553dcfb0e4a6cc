//! Sets of a body's entities: bits, kept from one body to the next so that none allocates.

use std::marker::PhantomData;

use cranelift_entity::EntityRef;

/// A set of entities below a bound that [`Seen::reset`] gives.
pub(super) struct Seen<K> {
    words: Vec<u64>,
    key: PhantomData<K>,
}

impl<K> Default for Seen<K> {
    fn default() -> Self {
        Seen { words: Vec::new(), key: PhantomData }
    }
}

impl<K: EntityRef> Seen<K> {
    /// Empties the set; keys are below `bound` from now on.
    pub(super) fn reset(&mut self, bound: usize) {
        self.words.clear();
        self.words.resize(bound.div_ceil(64), 0);
    }

    /// Makes it the keys, from the first on, for which the answer is yes.
    pub(super) fn fill(&mut self, mut answers: impl ExactSizeIterator<Item = bool>) {
        self.reset(0);
        while answers.len() > 0 {
            let bits = answers.by_ref().take(64).enumerate();
            self.words.push(bits.fold(0, |word, (bit, is_in)| word | u64::from(is_in) << bit));
        }
    }

    /// Adds a key that is below the bound. Whether it was not there.
    pub(super) fn insert(&mut self, key: K) -> bool {
        let (word, bit) = (&mut self.words[key.index() / 64], 1 << (key.index() % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub(super) fn contains(&self, key: K) -> bool {
        self.words.get(key.index() / 64).is_some_and(|word| word & 1 << (key.index() % 64) != 0)
    }

    /// The first key that the other set lacks.
    pub(super) fn first_not_in(&self, other: &Self) -> Option<K> {
        let others = other.words.iter().copied().chain(std::iter::repeat(0));
        let missing = self.words.iter().zip(others).map(|(own, other)| own & !other);
        let (idx, bits) = missing.enumerate().find(|&(_, bits)| bits != 0)?;
        Some(K::new(idx * 64 + bits.trailing_zeros() as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Local;

    #[test]
    fn a_set_knows_what_it_holds_until_it_is_reset() {
        let (mut all, mut some) = (Seen::default(), Seen::default());
        all.reset(130);
        some.reset(1);
        let local = |n| Local::from_u32(n);
        assert!(all.insert(local(0)) && all.insert(local(129)) && !all.insert(local(129)));
        some.insert(local(0));
        assert_eq!((all.first_not_in(&some), some.first_not_in(&all)), (Some(local(129)), None));
        all.fill((0..130).map(|n| n == 64 || n == 129));
        assert!(all.contains(local(64)) && all.contains(local(129)) && !all.contains(local(65)));
        all.reset(130);
        assert!(!all.contains(local(129)) && !all.contains(local(500)));
    }
}
