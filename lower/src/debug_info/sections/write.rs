//! Writes the tree as the text of `.debug_abbrev`, `.debug_info` and `.debug_pubnames`.

use std::collections::HashMap;
use std::fmt::Write;

use super::{Die, Piece, Unit, VERSION, Value, attribute, form, tag};

/// The size of a unit's header after its length: version, abbreviation offset, address size (DWARF 2, section
/// 7.5.1).
const HEADER_SIZE: u64 = 4 + 2 + 4 + 1;

/// The key of abbreviations: the tag, whether there are children, names and forms.
type Shape = (u64, bool, Vec<(u64, u64)>);

/// The three sections.
pub(super) fn sections(unit: &Unit) -> String {
    let mut layout = Layout {
        unit,
        offsets: HashMap::new(),
        entries: Vec::new(),
        codes: HashMap::new(),
        shapes: Vec::new(),
    };
    let end = layout.measure(&unit.root, HEADER_SIZE);
    let mut out = Section::new(".debug_abbrev");
    for (idx, (tag, has_children, attributes)) in layout.shapes.iter().enumerate() {
        let mut bytes = Vec::new();
        unsigned(&mut bytes, idx as u64 + 1);
        unsigned(&mut bytes, *tag);
        bytes.push((*has_children).into());
        for &(name, form) in attributes.iter().chain([&(0, 0)]) {
            unsigned(&mut bytes, name);
            unsigned(&mut bytes, form);
        }
        out.bytes(&bytes);
    }
    out.bytes(&[0]);
    let mut text = out.finish();

    let mut out = Section::new(".debug_info");
    out.word(4, end - 4);
    out.bytes(&VERSION.to_le_bytes());
    out.word(4, ".debug_abbrev");
    out.bytes(&[unit.address_size]);
    layout.write(&unit.root, &mut layout.entries.iter(), &mut out);
    text.push_str(&out.finish());

    text.push_str(&names(&layout, end));
    text
}

/// The public names of the unit (DWARF 2, section 6.1.1).
fn names(layout: &Layout<'_>, info_size: u64) -> String {
    let is_defined =
        |die: &Die| matches!(die.tag, tag::SUBPROGRAM | tag::VARIABLE) && !die.has(attribute::DECLARATION);
    let defined = layout.unit.root.children.iter().filter(|die| is_defined(die));
    let named: Vec<_> = defined.filter_map(|die| Some((layout.offsets[&die.id], die.name()?))).collect();
    let entries: u64 = named.iter().map(|(_, name)| 4 + name.len() as u64 + 1).sum();
    let mut out = Section::new(".debug_pubnames");
    out.word(4, 2 + 4 + 4 + entries + 4);
    out.bytes(&VERSION.to_le_bytes());
    out.word(4, ".debug_info");
    out.word(4, info_size);
    for (offset, name) in named {
        out.word(4, offset);
        out.text(name);
    }
    out.word(4, 0);
    out.finish()
}

/// The layout of the sections.
struct Layout<'u> {
    unit: &'u Unit,
    /// The offset of each entry in the section, by id.
    offsets: HashMap<u64, u64>,
    /// The abbreviation codes of the entries, in order.
    entries: Vec<u64>,
    /// The code of each abbreviation.
    codes: HashMap<Shape, u64>,
    /// The abbreviations by code, which begin with 1.
    shapes: Vec<Shape>,
}

impl Layout<'_> {
    /// Assigns offsets and abbreviations to the entry and its children; returns the end.
    fn measure(&mut self, die: &Die, start: u64) -> u64 {
        self.offsets.insert(die.id, start);
        let shape = die.shape();
        let code = match self.codes.get(&shape) {
            Some(&code) => code,
            None => {
                self.shapes.push(shape.clone());
                let code = self.shapes.len() as u64;
                self.codes.insert(shape, code);
                code
            }
        };
        self.entries.push(code);
        let mut end = start + unsigned_size(code);
        for attribute in &die.attributes {
            end += self.size(attribute.form, &attribute.value);
        }
        for child in &die.children {
            end = self.measure(child, end);
        }
        end + u64::from(!die.children.is_empty())
    }

    fn size(&self, form: u64, value: &Value) -> u64 {
        match (form, value) {
            (form::DATA1 | form::FLAG, _) => 1,
            (form::DATA2, _) => 2,
            (form::DATA4 | form::REF4, _) => 4,
            (form::DATA8, _) => 8,
            (form::ADDR, _) => self.unit.address_size.into(),
            (_, Value::Text(text)) => text.len() as u64 + 1,
            (_, Value::Block(pieces)) => 1 + self.block_size(pieces),
            (_, Value::Leb(bytes)) => bytes.len() as u64,
            (_, Value::Number(_) | Value::Label(_) | Value::Entry(_)) => 4,
        }
    }

    fn block_size(&self, pieces: &[Piece]) -> u64 {
        let size = |piece: &Piece| match piece {
            Piece::Byte(_) => 1,
            Piece::Label(_) => u64::from(self.unit.address_size),
        };
        pieces.iter().map(size).sum()
    }

    /// Writes the entry, whose abbreviation code is the next one.
    fn write(&self, die: &Die, codes: &mut std::slice::Iter<'_, u64>, out: &mut Section) {
        out.end_line();
        unsigned(&mut out.line, *codes.next().expect("invariant: every entry was measured"));
        for attribute in &die.attributes {
            let size = self.size(attribute.form, &attribute.value);
            match &attribute.value {
                Value::Leb(bytes) => out.bytes(bytes),
                // No two-byte directive works in every version, and a label does not occur in two bytes.
                Value::Number(number) if size < 4 => out.bytes(&number.to_le_bytes()[..size as usize]),
                Value::Number(number) => out.word(size, number),
                Value::Label(label) => out.word(size, label),
                Value::Entry(id) => out.word(4, self.offsets[id]),
                Value::Text(text) => out.text(text),
                Value::Block(pieces) => {
                    out.bytes(&[self.block_size(pieces) as u8]);
                    for piece in pieces {
                        match piece {
                            Piece::Byte(byte) => out.bytes(&[*byte]),
                            Piece::Label(label) => out.word(self.unit.address_size.into(), label),
                        }
                    }
                }
            }
        }
        for child in &die.children {
            self.write(child, codes, out);
        }
        if !die.children.is_empty() {
            out.bytes(&[0]);
        }
    }
}

impl Die {
    fn shape(&self) -> Shape {
        let attributes = self.attributes.iter().map(|attribute| (attribute.name, attribute.form)).collect();
        (self.tag, !self.children.is_empty(), attributes)
    }

    fn has(&self, name: u64) -> bool {
        self.attributes.iter().any(|attribute| attribute.name == name)
    }

    fn name(&self) -> Option<&[u8]> {
        self.attributes.iter().find_map(|attribute| match &attribute.value {
            Value::Text(text) if attribute.name == attribute::NAME => Some(&text[..]),
            _ => None,
        })
    }
}

/// The text of a section.
struct Section {
    text: String,
    /// Bytes that are not written yet, on one line.
    line: Vec<u8>,
}

impl Section {
    fn new(name: &str) -> Self {
        Section { text: format!("\t.section\t{name}\n\t{{\n"), line: Vec::new() }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.line.extend(bytes);
    }

    /// A text with a terminating zero.
    fn text(&mut self, text: &[u8]) {
        self.bytes(text);
        self.bytes(&[0]);
    }

    /// A number or label of four or eight bytes.
    fn word(&mut self, size: u64, value: impl std::fmt::Display) {
        self.end_line();
        writeln!(self.text, ".b{} {value}", size * 8).expect("invariant: a string takes all that is written");
    }

    fn end_line(&mut self) {
        /// The maximum number of bytes on a line.
        const LINE: usize = 64;
        for bytes in self.line.chunks(LINE) {
            self.text.push_str(".b8 ");
            for (idx, &byte) in bytes.iter().enumerate() {
                if idx > 0 {
                    self.text.push(',');
                }
                // This loop writes most of the output.
                for (unit, is_shown) in [(100, byte >= 100), (10, byte >= 10), (1, true)] {
                    if is_shown {
                        self.text.push(char::from(b'0' + byte / unit % 10));
                    }
                }
            }
            self.text.push('\n');
        }
        self.line.clear();
    }

    fn finish(mut self) -> String {
        self.end_line();
        self.text.push_str("\t}\n");
        self.text
    }
}

/// Unsigned LEB128 (DWARF 2, section 7.6).
fn unsigned(out: &mut Vec<u8>, mut number: u64) {
    loop {
        let byte = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            out.push(byte);
            return;
        }
        out.push(byte | 0x80);
    }
}

fn unsigned_size(number: u64) -> u64 {
    let n_bits = u64::BITS - number.leading_zeros();
    n_bits.div_ceil(7).max(1).into()
}
