//! Spellings, each stored once, and the symbols that stand for them.
//!
//! The table of spellings is asked about each word of the text. Its places are tried one after another from the one
//! that the hash names, so that an answer takes a single line of the cache; a quarter of them at least is free.

use std::num::NonZeroU32;
use std::ops::Range;

use super::{ALTERNATIVES, Keyword, Punct};

/// An interned spelling. One more than its number: an `Option` of it is no larger. Packed, so that the flags of a
/// token find room beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(Rust, packed)]
pub struct Symbol(NonZeroU32);

impl Symbol {
    /// The symbol of a number that [`Symbol::index`] gave.
    pub(crate) fn from_index(index: usize) -> Self {
        let number = NonZeroU32::new(index as u32 + 1);
        Symbol(number.expect("invariant: there are fewer spellings than addresses"))
    }

    /// Whether it spells a keyword or an alternative token.
    pub(crate) fn is_reserved(self) -> bool {
        self.index() < Keyword::ALL.len() + ALTERNATIVES.len()
    }

    /// A number below [`Interner::len`], for tables beside the interner.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Spellings, each stored once. Keywords are interned first, in the order of [`Keyword::ALL`], then
/// the words that C++ reads as punctuators, in the order of [`ALTERNATIVES`].
#[derive(Debug)]
pub struct Interner {
    /// As many places as a power of two.
    table: Vec<Option<Slot>>,
    /// All spellings, one after another.
    text: String,
    /// Where each spelling begins in `text`, and where the last one ends.
    bounds: Vec<u32>,
    /// The symbols of single letters, which need no search: they are the names that programs use most.
    letters: [Option<Symbol>; 128],
}

/// A symbol in the table, with its hash, so that a table that grows need not look at the spellings.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    symbol: Symbol,
}

impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}

impl Interner {
    /// An interner that knows the keywords.
    pub fn new() -> Self {
        let n_reserved = Keyword::ALL.len() + ALTERNATIVES.len();
        let table = vec![None; (4 * n_reserved).next_power_of_two()];
        let mut interner = Interner { table, text: String::new(), bounds: vec![0], letters: [None; 128] };
        for keyword in Keyword::ALL {
            interner.intern(keyword.spelling());
        }
        for (word, _) in ALTERNATIVES {
            interner.intern(word);
        }
        interner
    }

    /// The symbol of a spelling.
    ///
    /// # Panics
    /// When the distinct spellings add up to 4 GiB: they come from texts that are smaller.
    pub fn intern(&mut self, spelling: &str) -> Symbol {
        self.intern_part(spelling, 0..spelling.len(), SpellingHash::of(spelling))
    }

    /// The symbol of a part of a text, whose hash is known. Only a new one is looked at as text.
    #[inline]
    pub(crate) fn intern_part(&mut self, text: &str, part: Range<usize>, hash: SpellingHash) -> Symbol {
        let hash = hash.finish();
        let known = self.find(&text.as_bytes()[part.clone()], hash);
        known.unwrap_or_else(|| self.add(&text[part], hash))
    }

    /// The symbol of a letter of ASCII by itself.
    #[inline]
    pub(crate) fn intern_letter(&mut self, letter: u8) -> Symbol {
        let known = self.letters.get(usize::from(letter)).copied().flatten();
        known.unwrap_or_else(|| self.add_letter(letter))
    }

    #[cold]
    fn add_letter(&mut self, letter: u8) -> Symbol {
        let symbol = self.intern(char::from(letter).encode_utf8(&mut [0; 4]));
        self.letters[usize::from(letter)] = Some(symbol);
        symbol
    }

    /// The symbol of a spelling that was interned before.
    pub fn lookup(&self, spelling: &str) -> Option<Symbol> {
        self.find(spelling.as_bytes(), SpellingHash::of(spelling).finish())
    }

    fn find(&self, spelling: &[u8], hash: u32) -> Option<Symbol> {
        let last_place = self.table.len() - 1;
        let mut place = hash as usize;
        while let Some(slot) = self.table[place & last_place] {
            if slot.hash == hash && self.is(slot.symbol, spelling) {
                return Some(slot.symbol);
            }
            place += 1;
        }
        None
    }

    fn is(&self, symbol: Symbol, spelling: &[u8]) -> bool {
        self.text.as_bytes().get(self.range(symbol)) == Some(spelling)
    }

    /// Stores a new spelling.
    #[inline(never)]
    fn add(&mut self, spelling: &str, hash: u32) -> Symbol {
        let symbol = Symbol::from_index(self.len());
        self.text.push_str(spelling);
        self.bounds
            .push(u32::try_from(self.text.len()).expect("invariant: a compilation's text is below 4 GiB"));
        if self.len() > self.table.len() / 4 * 3 {
            self.resize(2 * self.table.len());
        }
        self.enter(Slot { hash, symbol });
        symbol
    }

    fn resize(&mut self, n_places: usize) {
        let old = std::mem::replace(&mut self.table, vec![None; n_places]);
        old.into_iter().flatten().for_each(|slot| self.enter(slot));
    }

    /// Puts a symbol into the table, which has room.
    fn enter(&mut self, slot: Slot) {
        let last_place = self.table.len() - 1;
        let mut place = slot.hash as usize & last_place;
        while self.table[place].is_some() {
            place = (place + 1) & last_place;
        }
        self.table[place] = Some(slot);
    }

    /// Makes room for so many more spellings.
    pub(crate) fn reserve(&mut self, n_spellings: usize) {
        self.resize(((self.len() + n_spellings) / 3 * 4).next_power_of_two().max(self.table.len()));
    }

    /// How many spellings there are; the reserved words alone are some.
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The spelling of a symbol of this interner.
    pub fn spelling(&self, symbol: Symbol) -> &str {
        &self.text[self.range(symbol)]
    }

    /// Where the spelling of a symbol stands in the text.
    fn range(&self, symbol: Symbol) -> Range<usize> {
        let idx = symbol.index();
        self.bounds[idx] as usize..self.bounds[idx + 1] as usize
    }

    /// The keyword that the symbol spells, if any.
    pub fn keyword(&self, symbol: Symbol) -> Option<Keyword> {
        Keyword::ALL.get(symbol.index()).copied()
    }

    /// The punctuator that C++ reads for the word, if any: `and` is `&&`.
    pub fn alternative(&self, symbol: Symbol) -> Option<Punct> {
        let idx = symbol.index().checked_sub(Keyword::ALL.len())?;
        ALTERNATIVES.get(idx).map(|&(_, punct)| punct)
    }
}

/// A hash over eight bytes at a time, by products of which both halves count. Spellings are short and
/// come from the user's own text, so speed counts and collisions on purpose do not.
///
/// A spelling is a row of words of eight bytes and a last one that is not full, if need be an empty one; what it lacks
/// is zero. So whoever looks for the end of a word can make its hash on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpellingHash(u64);

impl SpellingHash {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    /// That of no words.
    pub(crate) fn new() -> Self {
        SpellingHash(Self::FACTOR)
    }

    fn of(spelling: &str) -> Self {
        let (words, rest) = spelling.as_bytes().as_chunks();
        let hash = words.iter().fold(Self::new(), |hash, &word| hash.and(u64::from_le_bytes(word)));
        hash.and(rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
    }

    /// That of one more word, whose first byte is the lowest.
    pub(crate) fn and(self, word: u64) -> Self {
        let product = u128::from(self.0 ^ word) * u128::from(Self::FACTOR);
        SpellingHash(product as u64 ^ (product >> 64) as u64)
    }

    fn finish(self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32
    }
}
