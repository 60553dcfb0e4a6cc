//! LLVM's bitstream container (LLVM Bitcode File Format, "Bitstream Format"): bits in, entries of blocks out, and back.
//!
//! What does not follow the format is `None`. What the entries mean is `excerpt`'s matter.

use std::ops::Range;
use std::rc::Rc;

/// What every file begins with.
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

/// How many bits can be looked at together, wherever they begin.
const PEEKED: u32 = 57;

/// Where to read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    /// In bits.
    position: usize,
    end: usize,
}

/// A block within another.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) id: u64,
    /// Of its abbreviation ids.
    pub(super) width: u32,
    /// Where it is, in bits, without its header: whole words, and not all need be there.
    pub(super) body: Range<usize>,
}

/// What a block consists of.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Block(Block),
    Abbreviation,
    /// Its code; the fields are where the caller has room for them.
    Record(u64),
}

/// How the fields of a record are written.
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

/// The abbreviations that the block of that name defines for others.
#[derive(Debug, Default)]
pub(super) struct BlockInfo {
    of: Vec<(u64, Vec<Abbreviation>)>,
}

/// What a block says, entry by entry.
#[derive(Debug)]
pub(super) struct Entries<'a> {
    pub(super) cursor: Cursor<'a>,
    width: u32,
    abbreviations: Vec<Abbreviation>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], range: Range<usize>) -> Self {
        let end = range.end.min(bytes.len() * 8);
        Cursor { bytes, position: range.start, end }
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// What is next: at least [`PEEKED`] bits, with zeros behind the end.
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

    /// A number of at most 32 bits.
    #[inline]
    fn fixed(&mut self, width: u32) -> Option<u64> {
        let value = self.peek() & ((1 << width) - 1);
        self.advance(width as usize)?;
        Some(value)
    }

    /// A number in as many pieces as it needs, of at most 32 bits; each has a last bit that says whether another follows.
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

    /// The block whose header is here, behind the id that says so; then what follows it is next.
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

    /// So many elements, each of at most 32 bits.
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

    fn field(&mut self, field: Field) -> Option<u64> {
        match field {
            Field::Literal(value) => Some(value),
            Field::Fixed(width) => self.fixed(width),
            Field::Vbr(width) => self.vbr(width),
            Field::Char6 => self.fixed(6).map(char6),
            Field::Array | Field::Blob => None,
        }
    }

    /// The code of a record; its fields replace what is in `into`. A field of bytes is where they begin, and their number.
    fn record(&mut self, fields: &[Field], into: &mut Vec<u64>) -> Option<u64> {
        into.clear();
        let (first, mut rest) = fields.split_first()?;
        let code = self.field(*first)?;
        while let Some((field, others)) = rest.split_first() {
            match field {
                Field::Array => {
                    let (n_elements, element) = (self.vbr(6)? as usize, *others.first()?);
                    // None takes less than a bit, but for those that are the same in every record.
                    if n_elements > self.end.checked_sub(self.position)? {
                        return None;
                    }
                    match element {
                        // Names, of which there are many.
                        Field::Fixed(width) => self.array(n_elements, width, into, |bits| bits)?,
                        Field::Char6 => self.array(n_elements, 6, into, char6)?,
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
            // The last bit of each piece of a `vbr(6)`: most fields have one piece.
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

/// The letter that six bits are.
fn char6(bits: u64) -> u64 {
    const CHAR6: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    u64::from(CHAR6[(bits & 63) as usize])
}

impl BlockInfo {
    /// Adds what such a block says.
    pub(super) fn read(&mut self, bytes: &[u8], block: &Block) -> Option<()> {
        let mut entries = Entries::new(bytes, block, &BlockInfo::default());
        let mut fields = Vec::new();
        let mut of = None;
        while let Some(entry) = entries.next(&mut fields)? {
            match entry {
                Entry::Record(SETBID) => of = Some(*fields.first()?),
                // It is for another block than this one.
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

    /// How many abbreviations blocks of that name have from their beginning on.
    pub(super) fn n_abbreviations(&self, id: u64) -> usize {
        self.of.iter().find(|(other, _)| *other == id).map_or(0, |(_, found)| found.len())
    }

    fn of(&self, id: u64) -> Vec<Abbreviation> {
        self.of.iter().find(|(other, _)| *other == id).map_or_else(Vec::new, |(_, found)| found.clone())
    }
}

impl<'a> Entries<'a> {
    pub(super) fn new(bytes: &'a [u8], block: &Block, info: &BlockInfo) -> Self {
        let cursor = Cursor::new(bytes, block.body.clone());
        Entries { cursor, width: block.width, abbreviations: info.of(block.id) }
    }

    /// What is from a place on where no abbreviations are known.
    pub(super) fn at(bytes: &'a [u8], position: usize, width: u32) -> Self {
        let cursor = Cursor::new(bytes, position..usize::MAX);
        Entries { cursor, width, abbreviations: Vec::new() }
    }

    /// The next entry; within, none where the block ends.
    pub(super) fn next(&mut self, fields: &mut Vec<u64>) -> Option<Option<Entry>> {
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
                Entry::Record(self.cursor.record(abbreviation, fields)?)
            }
        };
        Some(Some(entry))
    }
}

/// Where to write.
#[derive(Debug)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    /// What is no whole byte yet.
    word: u64,
    n_bits: u32,
}

impl Writer {
    pub(super) fn new() -> Self {
        Writer { bytes: MAGIC.to_vec(), word: 0, n_bits: 0 }
    }

    /// A number of at most 32 bits.
    fn fixed(&mut self, value: u64, width: u32) {
        self.word |= value << self.n_bits;
        self.n_bits += width;
        while self.n_bits >= 8 {
            self.bytes.push(self.word as u8);
            self.word >>= 8;
            self.n_bits -= 8;
        }
    }

    fn vbr(&mut self, mut value: u64, width: u32) {
        let follows = 1 << (width - 1);
        while value >= follows {
            self.fixed(value & (follows - 1) | follows, width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }

    fn align(&mut self) {
        if self.n_bits > 0 {
            self.fixed(0, 8 - self.n_bits);
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    /// Bits as they are in `from`.
    pub(super) fn copy(&mut self, from: &[u8], range: Range<usize>) {
        let mut cursor = Cursor::new(from, range);
        while let Some(bits) = cursor.fixed(32) {
            self.fixed(bits, 32);
        }
        let width = (cursor.end - cursor.position) as u32;
        if let Some(bits) = cursor.fixed(width) {
            self.fixed(bits, width);
        }
    }

    /// A block as it is in `from`, within one whose ids have that width.
    pub(super) fn copy_block(&mut self, outer: u32, from: &[u8], block: &Block) -> Option<()> {
        let start = self.enter(outer, block.id, block.width);
        self.bytes.extend(from.get(block.body.start / 8..block.body.end / 8)?);
        self.set_length(start);
        Some(())
    }

    /// A block; says where it begins.
    pub(super) fn enter(&mut self, outer: u32, id: u64, width: u32) -> usize {
        self.fixed(ENTER_SUBBLOCK, outer);
        self.vbr(id, 8);
        self.vbr(u64::from(width), 4);
        self.align();
        self.fixed(0, 32);
        self.bytes.len()
    }

    /// Ends the block that begins there.
    pub(super) fn leave(&mut self, width: u32, start: usize) {
        self.fixed(END_BLOCK, width);
        self.align();
        self.set_length(start);
    }

    fn set_length(&mut self, start: usize) {
        let n_words = (self.bytes.len() - start) / 4;
        self.bytes[start - 4..start].copy_from_slice(&(n_words as u32).to_le_bytes());
    }

    /// A record without an abbreviation.
    pub(super) fn record(&mut self, width: u32, code: u64, fields: &[u64]) {
        self.fixed(UNABBREV_RECORD, width);
        self.vbr(code, 6);
        self.vbr(fields.len() as u64, 6);
        fields.iter().for_each(|field| self.vbr(*field, 6));
    }

    /// Defines an abbreviation: a record of this code, without fields.
    pub(super) fn define_code(&mut self, width: u32, code: u64) {
        self.fixed(DEFINE_ABBREV, width);
        self.vbr(1, 5);
        self.fixed(1, 1);
        self.vbr(code, 8);
    }

    /// So many records without fields, by the abbreviation of that number.
    pub(super) fn codes(&mut self, width: u32, abbreviation: usize, n_records: usize) {
        (0..n_records).for_each(|_| self.fixed(FIRST_ABBREV + abbreviation as u64, width));
    }

    /// All that was written, after the last block.
    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
