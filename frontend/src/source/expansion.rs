//! Addresses of what macros expanded to.
//!
//! An expansion has as many addresses as its macro's replacement list has bytes, so that each place in the list, and
//! each part of a token, has an address of its own in each expansion. Tokens of arguments keep the addresses that
//! they had: the place where the user wrote them.

use super::{MACRO_SPACE, SourceMap, Span};

/// One use of a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The macro's name in its definition.
    pub definition: Span,
    /// The invocation, from the macro's name to the `)` if it has arguments. It may itself lie in an expansion.
    pub call: Span,
    /// Address of the replacement list in its file.
    list: u32,
    /// Where the copy begins.
    base: u32,
    /// Bytes of the list; the address behind the last one belongs to the copy as well.
    len: u32,
}

/// A place in a macro's replacement list at which something stands that is shown elsewhere: in a file, at the
/// invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The macro's name in its definition.
    pub definition: Span,
    /// What it is about, in the replacement list.
    pub place: Span,
}

/// Which end of a span an address is: a beginning becomes the invocation's beginning, an end its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

impl SourceMap {
    /// Makes room for an expansion of the `list`. An address in the list plus the answer, wrapping, is the address in
    /// the expansion. None when there is no room left.
    pub(crate) fn add_expansion(&mut self, definition: Span, call: Span, list: Span) -> Option<u32> {
        let base = self.expansions.last().map_or(MACRO_SPACE, |last| last.base + last.len + 1);
        let len = list.hi - list.lo;
        base.checked_add(len)?.checked_add(2)?;
        self.expansions.push(Expansion { definition, call, list: list.lo, base, len });
        Some(base.wrapping_sub(list.lo))
    }

    /// The expansion in which an address lies.
    pub(super) fn expansion(&self, address: u32) -> Option<&Expansion> {
        let idx = self.expansions.partition_point(|e| e.base <= address).checked_sub(1)?;
        (address >= MACRO_SPACE).then(|| &self.expansions[idx])
    }

    /// The address in a file at which something in an expansion is shown.
    pub(super) fn written_address(&self, mut address: u32, end: End) -> u32 {
        while let Some(expansion) = self.expansion(address) {
            address = expansion.out(address, end);
        }
        address
    }

    /// The macros through which the beginning of the span came, from the one that the text names to the one in
    /// whose definition it is written.
    pub fn backtrace(&self, span: Span) -> Vec<Level> {
        let mut levels = Vec::new();
        let Span { mut lo, mut hi } = span;
        while let Some(expansion) = self.expansion(lo) {
            // The end may have come through more macros, or through others.
            while let Some(inner) = self.expansion(hi).filter(|inner| inner.base > expansion.base) {
                hi = inner.call.hi;
            }
            if !expansion.contains(hi) || hi < lo {
                hi = lo;
            }
            let place = Span::new(expansion.in_list(lo), expansion.in_list(hi));
            levels.push(Level { definition: expansion.definition, place });
            (lo, hi) = (expansion.out(lo, End::First), expansion.out(hi, End::Last));
        }
        levels.reverse();
        levels
    }

    /// Whether the span begins in the argument of a macro, or in its name.
    pub fn is_argument(&self, span: Span) -> bool {
        self.expansions.iter().any(|expansion| (expansion.call.lo..expansion.call.hi).contains(&span.lo))
    }

    /// The place in a file at which the first byte of the span is written: in the innermost macro's definition, if
    /// a macro made it.
    pub fn spelling(&self, span: Span) -> Span {
        let in_file = |address| self.expansion(address).map_or(address, |e| e.in_list(address));
        let lo = in_file(span.lo);
        let hi = in_file(span.hi);
        Span::new(lo, hi.max(lo))
    }
}

impl Expansion {
    fn contains(&self, address: u32) -> bool {
        (self.base..=self.base + self.len).contains(&address)
    }

    fn in_list(&self, address: u32) -> u32 {
        self.list + (address - self.base).min(self.len)
    }

    /// An address in the expansion as one in the invocation. The point behind its last byte is behind the call.
    fn out(&self, address: u32, end: End) -> u32 {
        let is_behind = self.len > 0 && address >= self.base + self.len;
        if end == End::Last || is_behind { self.call.hi } else { self.call.lo }
    }
}
