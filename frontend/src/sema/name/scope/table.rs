//! The names of scopes that are open, with the innermost meaning of each at hand.

use std::num::NonZeroU32;

use crate::token::Symbol;

/// A meaning of a symbol, as a name or as a tag, and what it hides.
pub(super) struct Entry<T> {
    pub(super) symbol: Symbol,
    pub(super) meaning: T,
    /// How many scopes are around its own.
    pub(super) depth: u32,
    /// The entry of the symbol that it hides.
    pub(super) hidden: Option<u32>,
}

/// Meanings of symbols in the scopes that are open, the file's first. What a symbol means is found without a
/// search.
pub(super) struct Table<T> {
    pub(super) entries: Vec<Entry<T>>,
    /// By symbol: its innermost entry.
    pub(super) innermost: Vec<Option<NonZeroU32>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { entries: Vec::new(), innermost: Vec::new() }
    }
}

impl<T: Copy> Table<T> {
    pub(super) fn entry(&self, symbol: Symbol) -> Option<&Entry<T>> {
        let above = self.innermost[symbol.index()]?;
        self.entries.get(above.get() as usize - 1)
    }

    /// The meaning in the scope of that depth alone.
    pub(super) fn get_at(&self, symbol: Symbol, depth: u32) -> Option<T> {
        self.entry(symbol).filter(|entry| entry.depth == depth).map(|entry| entry.meaning)
    }

    /// The meaning in the scope of that depth, which others may hide.
    pub(super) fn hidden_at(&self, symbol: Symbol, depth: u32) -> Option<T> {
        let mut entry = self.entry(symbol)?;
        while entry.depth > depth {
            entry = &self.entries[entry.hidden? as usize];
        }
        (entry.depth == depth).then_some(entry.meaning)
    }

    /// The meaning in the outermost scope.
    pub(super) fn outermost(&self, symbol: Symbol) -> Option<T> {
        let mut entry = self.entry(symbol)?;
        while entry.depth > 0 {
            entry = &self.entries[entry.hidden? as usize];
        }
        Some(entry.meaning)
    }

    /// Gives the symbol its meaning in the innermost scope, which has that depth.
    pub(super) fn bind(&mut self, symbol: Symbol, meaning: T, depth: u32) {
        let innermost = &mut self.innermost[symbol.index()];
        let hidden = innermost.map(|above| above.get() - 1);
        if let Some(idx) = hidden
            && let Some(entry) = self.entries.get_mut(idx as usize)
            && entry.depth == depth
        {
            entry.meaning = meaning;
            return;
        }
        self.entries.push(Entry { symbol, meaning, depth, hidden });
        *innermost = NonZeroU32::new(self.entries.len() as u32);
    }

    /// Takes out the entries of the scopes that are deeper than that.
    pub(super) fn leave_all(&mut self, depth: u32) {
        while let Some(entry) = self.entries.last()
            && entry.depth > depth
        {
            self.innermost[entry.symbol.index()] = entry.hidden.and_then(|idx| NonZeroU32::new(idx + 1));
            self.entries.pop();
        }
    }

    /// Takes out the last entry of the scopes that are deeper than that.
    pub(super) fn leave(&mut self, depth: u32) -> Option<Entry<T>> {
        let entry = self.entries.pop_if(|entry| entry.depth > depth)?;
        self.innermost[entry.symbol.index()] = entry.hidden.and_then(|idx| NonZeroU32::new(idx + 1));
        Some(entry)
    }

    /// What the scope of that depth has.
    pub(super) fn of_scope(&self, depth: u32) -> impl Iterator<Item = &Entry<T>> {
        let first = self.entries.partition_point(|entry| entry.depth < depth);
        self.entries[first..].iter().take_while(move |entry| entry.depth == depth)
    }
}
