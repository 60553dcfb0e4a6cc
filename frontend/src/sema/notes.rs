//! What is noted of few of a function's expressions.

use crate::ir::Expr;

/// Notes on expressions, each made when its expression was the newest: so they lie in order, and most expressions
/// are found to have none at once.
pub(super) struct Notes<T> {
    entries: Vec<(Expr, T)>,
}

impl<T> Default for Notes<T> {
    fn default() -> Self {
        Notes { entries: Vec::new() }
    }
}

impl<T> Notes<T> {
    /// Notes something of an expression that comes after all of which there are notes.
    pub(super) fn add(&mut self, expr: Expr, note: T) {
        debug_assert!(self.entries.last().is_none_or(|&(last, _)| last < expr), "notes lie in order");
        self.entries.push((expr, note));
    }

    #[inline]
    pub(super) fn get(&self, expr: Expr) -> Option<&T> {
        match self.entries.last() {
            Some(&(last, _)) if expr <= last => self.search(expr),
            Some(_) | None => None,
        }
    }

    fn search(&self, expr: Expr) -> Option<&T> {
        let idx = self.entries.binary_search_by_key(&expr, |&(noted, _)| noted).ok()?;
        Some(&self.entries[idx].1)
    }

    #[inline]
    pub(super) fn contains(&self, expr: Expr) -> bool {
        self.get(expr).is_some()
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_notes_by_expression() {
        let mut notes = Notes::default();
        assert_eq!(notes.get(Expr::from_u32(0)), None);
        for n in [1, 2, 5] {
            notes.add(Expr::from_u32(n), n);
        }
        let found: Vec<u32> = (0..7).filter_map(|n| notes.get(Expr::from_u32(n)).copied()).collect();
        assert_eq!(found, [1, 2, 5]);
        notes.clear();
        assert!(!notes.contains(Expr::from_u32(2)));
    }
}
