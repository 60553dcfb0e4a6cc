//! Parses the text of `.debug_abbrev` and `.debug_info` into a tree.

use std::collections::{HashMap, HashSet};

use super::{Attribute, Die, Piece, Unit, VERSION, Value, form, unsigned};
use crate::Bug;

/// The contents of an abbreviation (DWARF 2, section 7.5.3).
struct Abbreviation {
    tag: u64,
    has_children: bool,
    /// Names and forms.
    attributes: Vec<(u64, u64)>,
}

/// The compile unit of the section; LLVM writes one.
pub(super) fn unit(info: &str, abbrev: &str) -> Result<Unit, Bug> {
    let abbreviations = abbreviations(&mut Words::new(abbrev)?)?;
    let mut words = Words::new(info)?;
    // The length, which the end of the text implies.
    words.number(4)?;
    if words.number(2)? != u64::from(VERSION) {
        return Err(Bug::from("debug information of another version than DWARF 2"));
    }
    words.label(4)?;
    let address_size = words.number(1)? as u8;
    let root = entry(&mut words, &abbreviations, address_size)?.ok_or("a unit without an entry")?;
    let (mut ids, mut references) = (HashSet::new(), Vec::new());
    let mut open = vec![&root];
    while let Some(die) = open.pop() {
        ids.insert(die.id);
        references.extend(die.attributes.iter().filter_map(|attribute| match attribute.value {
            Value::Entry(id) => Some(id),
            _ => None,
        }));
        open.extend(&die.children);
    }
    if references.iter().any(|id| !ids.contains(id)) {
        return Err(Bug::from("debug information refers to a missing entry"));
    }
    Ok(Unit { address_size, root })
}

fn abbreviations(words: &mut Words<'_>) -> Result<HashMap<u64, Abbreviation>, Bug> {
    let mut all = HashMap::new();
    loop {
        let code = words.unsigned()?;
        if code == 0 {
            return Ok(all);
        }
        let (tag, has_children) = (words.unsigned()?, words.number(1)? != 0);
        let mut attributes = Vec::new();
        loop {
            let attribute = (words.unsigned()?, words.unsigned()?);
            if attribute == (0, 0) {
                break;
            }
            attributes.push(attribute);
        }
        all.insert(code, Abbreviation { tag, has_children, attributes });
    }
}

/// An entry with its children, or `None` at the end of a list. The depth is that of lexical blocks, which the
/// parser limits.
fn entry(
    words: &mut Words<'_>,
    abbreviations: &HashMap<u64, Abbreviation>,
    address_size: u8,
) -> Result<Option<Die>, Bug> {
    let id = words.offset;
    let code = words.unsigned()?;
    if code == 0 {
        return Ok(None);
    }
    let abbreviation = abbreviations.get(&code).ok_or("an entry without an abbreviation")?;
    let mut die = Die { tag: abbreviation.tag, id, attributes: Vec::new(), children: Vec::new() };
    for &(name, form) in &abbreviation.attributes {
        die.attributes.push(Attribute { name, form, value: value(words, form, address_size)? });
    }
    if abbreviation.has_children {
        while let Some(child) = entry(words, abbreviations, address_size)? {
            die.children.push(child);
        }
    }
    Ok(Some(die))
}

fn value(words: &mut Words<'_>, form: u64, address_size: u8) -> Result<Value, Bug> {
    Ok(match form {
        form::ADDR => words.number_or_label(address_size)?,
        form::DATA1 | form::FLAG => Value::Number(words.number(1)?),
        form::DATA2 => Value::Number(words.number(2)?),
        form::DATA4 => words.number_or_label(4)?,
        form::DATA8 => Value::Number(words.number(8)?),
        form::UDATA | form::SDATA => Value::Leb(words.leb()?),
        form::REF4 => Value::Entry(words.number(4)?),
        form::STRING => {
            let mut text = Vec::new();
            loop {
                match words.number(1)? {
                    0 => break,
                    byte => text.push(byte as u8),
                }
            }
            Value::Text(text)
        }
        form::BLOCK1 => {
            let end = words.number(1)? + words.offset;
            let mut pieces = Vec::new();
            while words.offset < end {
                pieces.push(
                    match words.number_or_label(if words.is_label() { address_size } else { 1 })? {
                        Value::Label(label) => Piece::Label(label),
                        Value::Number(byte) => Piece::Byte(byte as u8),
                        _ => return Err(Bug::from("an unsupported location expression")),
                    },
                );
            }
            Value::Block(pieces)
        }
        form => return Err(Bug { message: format!("debug information has a value of form {form:#x}") }),
    })
}

/// The words of a section, in order.
struct Words<'t> {
    /// The size and the value of each.
    words: Vec<(u8, &'t str)>,
    next: usize,
    /// The offset in bytes.
    offset: u64,
}

impl<'t> Words<'t> {
    fn new(text: &'t str) -> Result<Self, Bug> {
        let mut words = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (directive, values) = line.split_once(' ').ok_or("a line of a section without a value")?;
            let size = match directive {
                ".b8" => 1,
                ".b16" => 2,
                ".b32" => 4,
                ".b64" => 8,
                _ => return Err(Bug { message: format!("a section has the directive {directive}") }),
            };
            words.extend(values.split(',').map(|value| (size, value.trim())));
        }
        Ok(Words { words, next: 0, offset: 0 })
    }

    fn word(&mut self) -> Result<(u8, &'t str), Bug> {
        let &(size, word) = self.words.get(self.next).ok_or("a section ends too early")?;
        self.next += 1;
        self.offset += u64::from(size);
        Ok((size, word))
    }

    /// Whether a label comes next.
    fn is_label(&self) -> bool {
        self.words.get(self.next).is_some_and(|(_, word)| !word.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// A number of this size, which LLVM may split into several words.
    fn number(&mut self, size: u8) -> Result<u64, Bug> {
        let (mut number, mut done) = (0, 0);
        while done < size {
            let (n_bytes, word) = self.word()?;
            let part: u64 = word.parse().map_err(|_| Bug { message: format!("{word} is not a number") })?;
            number |= part << (8 * done);
            done += n_bytes;
        }
        if done == size { Ok(number) } else { Err(Bug::from("a number does not fit its form")) }
    }

    fn label(&mut self, size: u8) -> Result<String, Bug> {
        match self.word()? {
            (n_bytes, label) if n_bytes == size => Ok(label.to_owned()),
            _ => Err(Bug::from("a label whose size differs from its form")),
        }
    }

    fn number_or_label(&mut self, size: u8) -> Result<Value, Bug> {
        if self.is_label() {
            self.label(size).map(Value::Label)
        } else {
            self.number(size).map(Value::Number)
        }
    }

    /// The bytes of a LEB128 (DWARF 2, section 7.6).
    fn leb(&mut self) -> Result<Vec<u8>, Bug> {
        let mut bytes = Vec::new();
        loop {
            bytes.push(self.number(1)? as u8);
            if bytes.last().is_some_and(|byte| byte & 0x80 == 0) {
                return Ok(bytes);
            }
        }
    }

    fn unsigned(&mut self) -> Result<u64, Bug> {
        Ok(unsigned(&self.leb()?))
    }
}
