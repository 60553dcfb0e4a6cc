//! Addresses of macro expansions.
//!
//! An expansion has as many addresses as its macro's replacement list has bytes, so that each place in the list, and
//! each part of a token, has an address of its own in each expansion. Tokens of arguments keep the addresses that
//! they had: those in the source.

use super::{MACRO_SPACE, SourceMap, Span};

/// Where a macro is defined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition {
    /// The macro's name.
    pub(crate) name: Span,
    /// The replacement list.
    pub(crate) list: Span,
}

/// A handle on a definition of a [`SourceMap`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct DefinitionId(u32);

/// One use of a macro. There may be millions of them, so that each is kept in 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion {
    /// The macro.
    definition: DefinitionId,
    /// Where the copy begins.
    base: u32,
    /// The invocation, from the macro's name to the `)` if it has arguments. It may itself be in an expansion.
    call: Span,
}

/// The copy of a replacement list that an expansion is.
#[derive(Clone, Copy)]
pub(super) struct Copied {
    definition: Definition,
    base: u32,
    call: Span,
}

/// A place in a macro's replacement list whose token is shown elsewhere: in a file, at the
/// invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The macro's name in its definition.
    pub definition: Span,
    /// Its span in the replacement list.
    pub place: Span,
}

/// Which end of a span an address is: a beginning becomes the invocation's beginning, an end its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

impl SourceMap {
    /// Keeps where a macro is defined.
    pub(crate) fn add_definition(&mut self, definition: Definition) -> DefinitionId {
        let id = DefinitionId(self.definitions.len() as u32);
        self.definitions.push(definition);
        id
    }

    /// Where a macro is defined.
    pub(crate) fn definition(&self, id: DefinitionId) -> Definition {
        self.definitions[id.0 as usize]
    }

    /// Makes room for so many expansions at once.
    pub(crate) fn reserve_expansions(&mut self, n_expansions: usize) {
        self.expansions.reserve(n_expansions);
    }

    /// Makes room for an expansion of a macro. An address in its replacement list plus the answer, wrapping, is the
    /// address in the expansion. None when there is no room left.
    pub(crate) fn add_expansion(&mut self, definition: DefinitionId, call: Span) -> Option<u32> {
        let list = self.definition(definition).list;
        let base = MACRO_SPACE + self.n_expanded;
        // The address past the last one belongs to the copy as well.
        let end = base.checked_add(list.hi - list.lo)?.checked_add(2)?;
        self.n_expanded = end - 1 - MACRO_SPACE;
        self.expansions.push(Expansion { definition, base, call });
        Some(base.wrapping_sub(list.lo))
    }

    /// The expansion of an address.
    pub(super) fn expansion(&self, address: u32) -> Option<Copied> {
        let idx = self.expansions.partition_point(|e| e.base <= address).checked_sub(1)?;
        let Expansion { definition, base, call } = self.expansions[idx];
        (address >= MACRO_SPACE).then(|| Copied { definition: self.definition(definition), base, call })
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
            levels.push(Level { definition: expansion.definition.name, place });
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

impl Copied {
    /// Bytes of the list.
    fn len(&self) -> u32 {
        self.definition.list.hi - self.definition.list.lo
    }

    fn contains(&self, address: u32) -> bool {
        (self.base..=self.base + self.len()).contains(&address)
    }

    fn in_list(&self, address: u32) -> u32 {
        self.definition.list.lo + (address - self.base).min(self.len())
    }

    /// Maps an address in the expansion to the invocation. The point past its last byte is past the call.
    fn out(&self, address: u32, end: End) -> u32 {
        let is_behind = self.len() > 0 && address >= self.base + self.len();
        if end == End::Last || is_behind { self.call.hi } else { self.call.lo }
    }
}
