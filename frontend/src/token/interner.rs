//! Spellings, each stored once, and their symbols.
//!
//! The table of spellings is queried for each word of the text, and in a long program the cost is waiting
//! for memory. So the table has a byte for each slot, the tag, by which a new spelling is recognized
//! without other accesses: the tags of tens of thousands of spellings stay in the cache. Slots are tried
//! eight at a time from the one that the hash selects; at least a quarter of them are free.

use std::num::NonZeroU32;
use std::ops::Range;

use super::{ALTERNATIVES, Keyword, OPERATORS, Punct};

/// An interned spelling. One more than its number: an `Option` of it is no larger. Packed, so that the flags of a
/// token find room beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(Rust, packed)]
pub struct Symbol(NonZeroU32);

/// How many parameters of a generic lambda expression may have types that its arguments say.
pub(crate) const MAX_AUTO_PARAMS: usize = 16;

impl Symbol {
    /// The symbol of a number that [`Symbol::index`] gave.
    pub(crate) fn from_index(index: usize) -> Self {
        let number = NonZeroU32::new(index as u32 + 1);
        Symbol(number.expect("invariant: there are fewer spellings than addresses"))
    }

    /// The operator that functions with the name are, if it is such a name.
    pub(crate) fn operator(self) -> Option<Punct> {
        let idx = self.index().checked_sub(Keyword::ALL.len() + ALTERNATIVES.len())?;
        OPERATORS.get(idx).map(|&(punct, _)| punct)
    }

    /// The name of the type that the parameter of a generic lambda expression has: its number is one of [`MAX_AUTO_PARAMS`].
    pub(crate) fn auto_param(idx: usize) -> Option<Self> {
        let first = Keyword::ALL.len() + ALTERNATIVES.len() + OPERATORS.len();
        (idx < MAX_AUTO_PARAMS).then(|| Symbol::from_index(first + idx))
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
/// the words that C++ reads as punctuators, in the order of [`ALTERNATIVES`], then the names in [`OPERATORS`], then those of [`Symbol::auto_param`].
#[derive(Debug)]
pub struct Interner {
    /// Of each place, eight to a word: zero where it is free, else the tag of the spelling. There are as many words as a
    /// power of two.
    tags: Vec<u64>,
    /// The contents of the slots.
    symbols: Vec<[Option<Symbol>; 8]>,
    /// All spellings, one after another.
    text: String,
    /// Each spelling, by the number of its symbol.
    entries: Vec<Entry>,
    /// The symbols of single characters, which need no search: they are the names and numbers that programs use most.
    characters: [Option<Symbol>; 128],
}

/// A spelling: its first eight bytes, which is all that most have, and where it is in the text.
#[derive(Clone, Copy, Debug)]
struct Entry {
    first: u64,
    start: u32,
    len: u32,
}

impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}

impl Interner {
    /// An interner that knows the keywords.
    pub fn new() -> Self {
        let mut interner = Interner {
            tags: Vec::new(),
            symbols: Vec::new(),
            text: String::new(),
            entries: Vec::new(),
            characters: [None; 128],
        };
        interner.resize(64);
        for keyword in Keyword::ALL {
            interner.intern(keyword.spelling());
        }
        for (word, _) in ALTERNATIVES {
            interner.intern(word);
        }
        for (_, name) in OPERATORS {
            interner.intern(name);
        }
        for number in 1..=MAX_AUTO_PARAMS {
            interner.intern(&format!("auto:{number}"));
        }
        // What `new` and `delete` call.
        for function in ["malloc", "free"] {
            interner.intern(function);
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
    #[inline(always)]
    pub(crate) fn intern_part(&mut self, text: &str, part: Range<usize>, hash: SpellingHash) -> Symbol {
        let known = self.find(&text.as_bytes()[part.clone()], hash);
        known.unwrap_or_else(|| self.add(&text[part], hash))
    }

    /// The symbol of a character of ASCII by itself.
    #[inline]
    pub(crate) fn intern_character(&mut self, character: u8) -> Symbol {
        let known = self.characters.get(usize::from(character)).copied().flatten();
        known.unwrap_or_else(|| self.add_character(character))
    }

    #[cold]
    fn add_character(&mut self, character: u8) -> Symbol {
        let symbol = self.intern(char::from(character).encode_utf8(&mut [0; 4]));
        self.characters[usize::from(character)] = Some(symbol);
        symbol
    }

    /// The symbol of a spelling that was interned before.
    pub fn lookup(&self, spelling: &str) -> Option<Symbol> {
        self.find(spelling.as_bytes(), SpellingHash::of(spelling))
    }

    #[inline(always)]
    fn find(&self, spelling: &[u8], hash: SpellingHash) -> Option<Symbol> {
        // Most often the first place with the tag is the right one.
        let group = hash.group() & (self.tags.len() - 1);
        let tags = self.tags[group];
        let same = places_of(hash.tag(), tags);
        if same != 0
            && let Some(symbol) = self.symbols[group][same.trailing_zeros() as usize / 8]
            && self.is(symbol, spelling, hash.first)
        {
            return Some(symbol);
        }
        if same == 0 && has_free_place(tags) { None } else { self.find_anywhere(spelling, hash) }
    }

    /// The same in all places in which it can be.
    #[inline(never)]
    fn find_anywhere(&self, spelling: &[u8], hash: SpellingHash) -> Option<Symbol> {
        let mut group = hash.group();
        loop {
            group &= self.tags.len() - 1;
            let tags = self.tags[group];
            let mut same = places_of(hash.tag(), tags);
            while same != 0 {
                let symbol = self.symbols[group][same.trailing_zeros() as usize / 8]?;
                if self.is(symbol, spelling, hash.first) {
                    return Some(symbol);
                }
                same &= same - 1;
            }
            if has_free_place(tags) {
                return None;
            }
            group += 1;
        }
    }

    /// Whether the symbol has the spelling, which begins with `first`.
    #[inline(always)]
    fn is(&self, symbol: Symbol, spelling: &[u8], first: u64) -> bool {
        let entry = self.entries[symbol.index()];
        entry.first == first
            && entry.len as usize == spelling.len()
            && (spelling.len() <= 8 || is_same_end(&self.text.as_bytes()[entry.range()], spelling))
    }

    /// Stores a new spelling.
    #[inline(never)]
    fn add(&mut self, spelling: &str, hash: SpellingHash) -> Symbol {
        let symbol = Symbol::from_index(self.len());
        let start = self.text.len() as u32;
        self.text.push_str(spelling);
        let end = u32::try_from(self.text.len()).expect("invariant: a compilation's text is below 4 GiB");
        self.entries.push(Entry { first: hash.first, start, len: end - start });
        if self.len() > self.tags.len() * 6 {
            self.resize(2 * self.tags.len());
        } else {
            self.enter(symbol, hash);
        }
        symbol
    }

    /// Makes the table anew with so many words of places.
    fn resize(&mut self, n_groups: usize) {
        self.tags = vec![0; n_groups];
        self.symbols = vec![[None; 8]; n_groups];
        for idx in 0..self.len() {
            let symbol = Symbol::from_index(idx);
            self.enter(symbol, SpellingHash::of(self.spelling(symbol)));
        }
    }

    /// Puts a symbol into the table, which has room.
    fn enter(&mut self, symbol: Symbol, hash: SpellingHash) {
        let last_group = self.tags.len() - 1;
        let mut group = hash.group() & last_group;
        while !has_free_place(self.tags[group]) {
            group = (group + 1) & last_group;
        }
        // Places are taken in their order, so that the free ones have no tags behind them.
        let place = (8 - self.tags[group].leading_zeros() as usize / 8) % 8;
        self.tags[group] |= u64::from(hash.tag()) << (8 * place);
        self.symbols[group][place] = Some(symbol);
    }

    /// Makes room for so many more spellings.
    pub(crate) fn reserve(&mut self, n_spellings: usize) {
        self.resize(((self.len() + n_spellings) / 6).next_power_of_two().max(self.tags.len()));
    }

    /// How many spellings there are; the reserved words alone are some.
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The spelling of a symbol of this interner.
    pub fn spelling(&self, symbol: Symbol) -> &str {
        &self.text[self.entries[symbol.index()].range()]
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

/// The places, of eight, that have the tag: the highest bit of each. There may be some above the first that have not.
#[inline(always)]
fn places_of(tag: u8, tags: u64) -> u64 {
    let differences = tags ^ u64::from_ne_bytes([tag; 8]);
    differences.wrapping_sub(u64::from_ne_bytes([1; 8])) & !differences & HIGHEST_BITS
}

/// Whether one of the eight places is free.
#[inline(always)]
fn has_free_place(tags: u64) -> bool {
    tags & HIGHEST_BITS != HIGHEST_BITS
}

const HIGHEST_BITS: u64 = u64::from_ne_bytes([0x80; 8]);

impl Entry {
    /// Where it is in the text.
    fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// Whether two spellings of the same length, eight bytes or more, are equal after the first eight.
#[inline(always)]
fn is_same_end(one: &[u8], other: &[u8]) -> bool {
    match (one.last_chunk::<8>(), other.last_chunk::<8>()) {
        // The last eight bytes and the first may overlap.
        (Some(last), Some(other_last)) if one.len() <= 16 => last == other_last,
        _ => one == other,
    }
}

/// A hash over eight bytes at a time, by products of which both halves count. Spellings are short and
/// come from the user's own text, so speed counts and collisions on purpose do not.
///
/// A spelling is a row of words of eight bytes and a last one that is not full, if need be an empty one; what it lacks
/// is zero. So whoever looks for the end of a word can make its hash on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpellingHash {
    hash: u64,
    /// The first word.
    first: u64,
}

impl SpellingHash {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    /// That of the first word.
    pub(crate) fn new(first: u64) -> Self {
        SpellingHash { hash: Self::FACTOR, first }.and(first)
    }

    fn of(spelling: &str) -> Self {
        let (words, rest) = spelling.as_bytes().as_chunks();
        let rest = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let mut words = words.iter().map(|&word| u64::from_le_bytes(word)).chain([rest]);
        let first = words.next().unwrap_or(0);
        words.fold(Self::new(first), |hash, word| hash.and(word))
    }

    /// That of one more word, whose first byte is the lowest.
    pub(crate) fn and(self, word: u64) -> Self {
        let product = u128::from(self.hash ^ word) * u128::from(Self::FACTOR);
        SpellingHash { hash: product as u64 ^ (product >> 64) as u64, ..self }
    }

    /// Where the spelling belongs in a table, once it is brought into its bounds.
    fn group(self) -> usize {
        self.hash as usize
    }

    /// Distinguishes it from most others of its group; never zero.
    fn tag(self) -> u8 {
        (self.hash >> 56) as u8 | 0x80
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spellings of all lengths up to some twenty bytes, of which many have the same beginning or end.
    fn spellings() -> impl Iterator<Item = String> {
        (0..4000).flat_map(|n| {
            [format!("{n}"), format!("v{n}"), format!("{n:09}_name"), format!("a_longer_name_{n}")]
        })
    }

    #[test]
    fn spellings_keep_their_symbols_while_the_table_grows() {
        let mut interner = Interner::new();
        let first: Vec<Symbol> = spellings().map(|spelling| interner.intern(&spelling)).collect();
        interner.reserve(100_000);
        for (spelling, symbol) in spellings().zip(first) {
            assert_eq!(interner.intern(&spelling), symbol, "{spelling}");
            assert_eq!(interner.lookup(&spelling), Some(symbol));
            assert_eq!(interner.spelling(symbol), spelling);
        }
    }

    #[test]
    fn trailing_zeros_are_part_of_a_spelling() {
        let mut interner = Interner::new();
        let with_zeros = ["a", "a\0", "a\0\0", "abcdefgh", "abcdefgh\0", ""];
        let symbols = with_zeros.map(|spelling| interner.intern(spelling));
        assert_eq!(symbols.map(|symbol| interner.spelling(symbol).to_owned()), with_zeros);
    }
}
