//! LLVM's bitstream container (LLVM Bitcode File Format, "Bitstream Format"): bits in, entries of blocks out.
//!
//! Input that does not follow the format gives `None`. `library` and `body` interpret the entries.

use std::ops::Range;
use std::rc::Rc;

/// The magic number of every file.
pub(super) const MAGIC: [u8; 4] = [b'B', b'C', 0xc0, 0xde];

/// The width of abbreviation ids outside all blocks.
pub(super) const OUTERMOST_WIDTH: u32 = 2;

const END_BLOCK: u64 = 0;
const ENTER_SUBBLOCK: u64 = 1;
const DEFINE_ABBREV: u64 = 2;
const UNABBREV_RECORD: u64 = 3;
const FIRST_ABBREV: u64 = 4;

/// The block that defines abbreviations for others, and its record that says for which.
pub(super) const BLOCKINFO: u64 = 0;
const SETBID: u64 = 1;

/// The number of bits that can be read at once, at any position.
const PEEKED: u32 = 57;

/// A position to read from.
#[derive(Clone, Copy, Debug)]
struct Cursor<'a> {
    bytes: &'a [u8],
    /// The position in bits.
    position: usize,
    end: usize,
}

/// A nested block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) id: u64,
    /// The width of its abbreviation ids.
    pub(super) width: u32,
    /// Its range in bits, without the header: whole words, which may be truncated.
    pub(super) body: Range<usize>,
}

/// The entries of a block.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Block(Block),
    Abbreviation,
    /// A record with this code; its fields are in the caller's buffer.
    Record(u64),
}

/// The letters at the end of a record, by position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters {
    /// The position in bits.
    position: usize,
    n_letters: usize,
    /// The width of a letter: six-bit letters are encoded.
    width: u32,
}

/// The encoding of a record's fields.
#[derive(Clone, Copy, Debug)]
enum Field {
    Literal(u64),
    Fixed(u32),
    Vbr(u32),
    Array,
    Char6,
    Blob,
}

type Abbreviation = Rc<[Field]>;

/// The abbreviations that a `BLOCKINFO` block defines for other blocks.
#[derive(Debug, Default)]
pub(super) struct BlockInfo {
    of: Vec<(u64, Vec<Abbreviation>)>,
}

/// Iterates over the entries of a block.
#[derive(Debug)]
pub(super) struct Entries<'a> {
    cursor: Cursor<'a>,
    width: u32,
    abbreviations: Vec<Abbreviation>,
    /// Whether letters at the end of a record are only located.
    leaves_letters: bool,
    /// The letters of the last record.
    pub(super) letters: Option<Letters>,
}

impl<'a> Cursor<'a> {
    fn new(bytes: &'a [u8], range: Range<usize>) -> Self {
        let end = range.end.min(bytes.len() * 8);
        Cursor { bytes, position: range.start, end }
    }

    /// The next bits: at least [`PEEKED`], with zeros after the end.
    #[inline]
    fn peek(&self) -> u64 {
        let rest = self.bytes.get(self.position / 8..).unwrap_or_default();
        let word = match rest.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        word >> (self.position % 8)
    }

    fn advance(&mut self, n_bits: usize) -> Option<()> {
        let next = self.position + n_bits;
        if next > self.end {
            return None;
        }
        self.position = next;
        Some(())
    }

    /// A fixed-width number of at most 32 bits.
    #[inline]
    fn fixed(&mut self, width: u32) -> Option<u64> {
        let value = self.peek() & ((1 << width) - 1);
        self.advance(width as usize)?;
        Some(value)
    }

    /// A variable-width number in pieces of at most 32 bits, whose last bit says whether another piece
    /// follows.
    #[inline]
    fn vbr(&mut self, width: u32) -> Option<u64> {
        let follows = 1 << (width - 1);
        let first = self.peek() & (follows * 2 - 1);
        if first < follows {
            self.advance(width as usize)?;
            return Some(first);
        }
        let (mut value, mut shift) = (0, 0);
        loop {
            let mut word = self.peek();
            for n_pieces in 1..=PEEKED / width {
                let piece = word & (follows * 2 - 1);
                value |= (piece & (follows - 1)).checked_shl(shift)?;
                if piece & follows == 0 {
                    self.advance((n_pieces * width) as usize)?;
                    return Some(value);
                }
                shift += width - 1;
                word >>= width;
            }
            self.advance((PEEKED / width * width) as usize)?;
        }
    }

    fn align(&mut self) {
        self.position = self.position.next_multiple_of(32);
    }

    /// The block whose header follows its id; the position is then after the block.
    fn block(&mut self) -> Option<Block> {
        let (id, width) = (self.vbr(8)?, self.vbr(4)?);
        self.align();
        let n_words = self.fixed(32)? as usize;
        let body = self.position..self.position + n_words * 32;
        if !(2..=32).contains(&width) {
            return None;
        }
        self.position = body.end;
        Some(Block { id, width: width as u32, body })
    }

    fn abbreviation(&mut self) -> Option<Abbreviation> {
        let n_fields = self.vbr(5)?;
        let mut fields = Vec::new();
        for _ in 0..n_fields {
            let is_literal = self.fixed(1)? == 1;
            fields.push(if is_literal {
                Field::Literal(self.vbr(8)?)
            } else {
                match self.fixed(3)? {
                    kind @ (1 | 2) => match (kind, self.vbr(5)?) {
                        (_, 0) => Field::Literal(0),
                        (1, width @ ..=32) => Field::Fixed(width as u32),
                        (2, width @ 2..=32) => Field::Vbr(width as u32),
                        _ => return None,
                    },
                    3 => Field::Array,
                    4 => Field::Char6,
                    5 => Field::Blob,
                    _ => return None,
                }
            });
        }
        Some(fields.into())
    }

    /// Elements of at most 32 bits each.
    #[inline]
    fn array(
        &mut self,
        mut n_elements: usize,
        width: u32,
        into: &mut Vec<u64>,
        element: impl Fn(u64) -> u64,
    ) -> Option<()> {
        let n_at_once = (PEEKED / width) as usize;
        while n_elements > 0 {
            let (word, n) = (self.peek(), n_elements.min(n_at_once));
            self.advance(n * width as usize)?;
            into.extend((0..n as u32).map(|idx| element(word >> (idx * width) & ((1 << width) - 1))));
            n_elements -= n;
        }
        Some(())
    }

    /// Skips letters.
    fn letters(&mut self, n_letters: usize, width: u32) -> Option<Letters> {
        let position = self.position;
        self.advance(n_letters.checked_mul(width as usize)?)?;
        Some(Letters { position, n_letters, width })
    }

    fn field(&mut self, field: Field) -> Option<u64> {
        match field {
            Field::Literal(value) => Some(value),
            Field::Fixed(width) => self.fixed(width),
            Field::Vbr(width) => self.vbr(width),
            Field::Char6 => self.fixed(CHAR6_WIDTH).map(char6),
            Field::Array | Field::Blob => None,
        }
    }

    /// The code of a record; its fields replace the content of `into`. A blob becomes its position and size.
    /// `letters`: letters at the end are located instead.
    fn record(
        &mut self,
        fields: &[Field],
        into: &mut Vec<u64>,
        letters: Option<&mut Option<Letters>>,
    ) -> Option<u64> {
        into.clear();
        let (first, mut rest) = fields.split_first()?;
        let code = self.field(*first)?;
        while let Some((field, others)) = rest.split_first() {
            match field {
                Field::Array => {
                    let (n_elements, element) = (self.vbr(6)? as usize, *others.first()?);
                    // Every element takes at least a bit, except literals.
                    if n_elements > self.end.checked_sub(self.position)? {
                        return None;
                    }
                    match element {
                        Field::Fixed(width @ (7 | 8)) if let Some(letters) = letters => {
                            *letters = Some(self.letters(n_elements, width)?);
                        }
                        Field::Char6 if let Some(letters) = letters => {
                            *letters = Some(self.letters(n_elements, CHAR6_WIDTH)?);
                        }
                        // Names, which are frequent.
                        Field::Fixed(width) => self.array(n_elements, width, into, |bits| bits)?,
                        Field::Char6 => self.array(n_elements, CHAR6_WIDTH, into, char6)?,
                        element => {
                            for _ in 0..n_elements {
                                into.push(self.field(element)?);
                            }
                        }
                    }
                    return Some(code);
                }
                Field::Blob => {
                    let n_bytes = self.vbr(6)? as usize;
                    self.align();
                    into.extend([self.position as u64 / 8, n_bytes as u64]);
                    self.position = self.position.checked_add(n_bytes.checked_mul(8)?)?;
                    self.align();
                    return Some(code);
                }
                _ => into.push(self.field(*field)?),
            }
            rest = others;
        }
        Some(code)
    }

    fn plain_record(&mut self, into: &mut Vec<u64>) -> Option<u64> {
        into.clear();
        let (code, mut n_fields) = (self.vbr(6)?, self.vbr(6)?);
        while n_fields > 0 {
            let word = self.peek();
            // The continuation bits of `vbr(6)`: most fields have one piece.
            const FOLLOWS: u64 = 0o40_40_40_40_40_40_40_40_40;
            let n_short = u64::from((word & FOLLOWS).trailing_zeros() / 6).min(9).min(n_fields);
            if n_short == 0 {
                into.push(self.vbr(6)?);
                n_fields -= 1;
                continue;
            }
            self.advance(n_short as usize * 6)?;
            into.extend((0..n_short).map(|idx| word >> (idx * 6) & 31));
            n_fields -= n_short;
        }
        Some(code)
    }
}

const CHAR6_WIDTH: u32 = 6;

/// The letter of a six-bit code.
fn char6(bits: u64) -> u64 {
    const CHAR6: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    u64::from(CHAR6[(bits & 63) as usize])
}

/// The lengths of `n` strings.
pub(super) fn lengths(bytes: &[u8], n: usize) -> Option<Vec<usize>> {
    const WIDTH: u32 = 6;
    let mut cursor = Cursor::new(bytes, 0..bytes.len() * 8);
    (0..n).map(|_| cursor.vbr(WIDTH).map(|length| length as usize)).collect()
}

impl Letters {
    pub(super) fn len(self) -> usize {
        self.n_letters
    }

    /// The letters, from the file's bytes.
    pub(super) fn read(self, bytes: &[u8]) -> Vec<u8> {
        let mut cursor =
            Cursor::new(bytes, self.position..self.position + self.n_letters * self.width as usize);
        let letter = |bits| if self.width == CHAR6_WIDTH { char6(bits) } else { bits };
        (0..self.n_letters).map_while(|_| cursor.fixed(self.width).map(|bits| letter(bits) as u8)).collect()
    }
}

impl BlockInfo {
    /// Adds the abbreviations of a `BLOCKINFO` block.
    pub(super) fn read(&mut self, bytes: &[u8], block: &Block) -> Option<()> {
        let mut entries = Entries::new(bytes, block, &BlockInfo::default());
        let mut fields = Vec::new();
        let mut of = None;
        while let Some(entry) = entries.next(&mut fields)? {
            match entry {
                Entry::Record(SETBID) => of = Some(*fields.first()?),
                // It is for another block.
                Entry::Abbreviation => {
                    let abbreviation = entries.abbreviations.pop()?;
                    let id = of?;
                    match self.of.iter_mut().find(|(other, _)| *other == id) {
                        Some((_, others)) => others.push(abbreviation),
                        None => self.of.push((id, vec![abbreviation])),
                    }
                }
                Entry::Record(_) | Entry::Block(_) => {}
            }
        }
        Some(())
    }

    fn of(&self, id: u64) -> Vec<Abbreviation> {
        self.of.iter().find(|(other, _)| *other == id).map_or_else(Vec::new, |(_, found)| found.clone())
    }
}

impl<'a> Entries<'a> {
    pub(super) fn new(bytes: &'a [u8], block: &Block, info: &BlockInfo) -> Self {
        let cursor = Cursor::new(bytes, block.body.clone());
        Entries {
            cursor,
            width: block.width,
            abbreviations: info.of(block.id),
            leaves_letters: false,
            letters: None,
        }
    }

    /// A reader at a position without known abbreviations.
    pub(super) fn at(bytes: &'a [u8], position: usize, width: u32) -> Self {
        let cursor = Cursor::new(bytes, position..usize::MAX);
        Entries { cursor, width, abbreviations: Vec::new(), leaves_letters: false, letters: None }
    }

    /// The same, but letters at the end of a record are only located, in `letters`.
    pub(super) fn leaving_letters(self) -> Self {
        Entries { leaves_letters: true, ..self }
    }

    /// The next entry; the inner `Option` is `None` at the end of the block.
    pub(super) fn next(&mut self, fields: &mut Vec<u64>) -> Option<Option<Entry>> {
        self.letters = None;
        let entry = match self.cursor.fixed(self.width)? {
            END_BLOCK => return Some(None),
            ENTER_SUBBLOCK => Entry::Block(self.cursor.block()?),
            DEFINE_ABBREV => {
                self.abbreviations.push(self.cursor.abbreviation()?);
                Entry::Abbreviation
            }
            UNABBREV_RECORD => Entry::Record(self.cursor.plain_record(fields)?),
            id => {
                let abbreviation = self.abbreviations.get((id - FIRST_ABBREV) as usize)?;
                let letters = self.leaves_letters.then_some(&mut self.letters);
                Entry::Record(self.cursor.record(abbreviation, fields, letters)?)
            }
        };
        Some(Some(entry))
    }
}
