//! Corrects the sections with debug information after LLVM's code generator (PTX interoperability guide 5.1).
//!
//! LLVM 22 writes DWARF 2, but cannot place a variable in the kernel's parameters or put a static variable into a
//! lexical block, and its tables of names use differences of labels, which PTX supports only from 7.5 on. So its output
//! is read into a tree ([`read`]), corrected ([`mend`]), and written again with our own table of names ([`write`]).

mod mend;
mod read;
mod write;

use super::address_class::AddressClass;
use crate::Bug;
use crate::context::Cx;

/// The location of a variable with a PTX symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AtSymbol {
    /// The address class.
    pub(crate) class: AddressClass,
    /// The address.
    pub(crate) symbol: String,
}

impl Cx<'_, '_> {
    /// Whether the symbol exists: LLVM drops unused variables.
    pub(crate) fn is_defined(&self, at: &AtSymbol) -> bool {
        at.class == AddressClass::Param || self.module.get_global(&at.symbol).is_some()
    }
}

/// Corrects the sections in the text. A variable's constant value is an index into `symbols`; symbols that
/// are not defined get no location.
pub(crate) fn rewrite(
    text: &str,
    symbols: &[AtSymbol],
    is_defined: impl Fn(&AtSymbol) -> bool,
) -> Result<String, Bug> {
    let Some(info) = Section::find(text, ".debug_info") else {
        return Ok(without_sections(text));
    };
    let abbrev = Section::find(text, ".debug_abbrev").ok_or("missing .debug_abbrev section")?;
    let mut unit = read::unit(info.body, abbrev.body)?;
    let lists = Section::find(text, ".debug_loc").map_or("", |section| section.body);
    mend::mend(&mut unit.root, lists, symbols, is_defined);
    let written = write::sections(&unit);
    // Removes LLVM's sections, and keeps everything else.
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    for name in [".debug_abbrev", ".debug_info", ".debug_pubnames", ".debug_pubtypes"] {
        if let Some(section) = Section::find(rest, name) {
            out.push_str(&rest[..section.start]);
            rest = &rest[section.end..];
        }
    }
    out.push_str(&written);
    out.push_str(rest);
    Ok(out)
}

/// For a program that defines nothing, LLVM writes only an empty section, and ptxas reports the others as
/// missing if the target says that there is debug information.
fn without_sections(text: &str) -> String {
    const EMPTY: &str = "\t.section\t.debug_macinfo\t{\t}\n";
    let kept = |line: &str| match line.strip_suffix(", debug\n") {
        Some(target) if target.starts_with(".target ") => format!("{target}\n"),
        _ if line == EMPTY => String::new(),
        _ => line.to_owned(),
    };
    if text.contains(EMPTY) { text.split_inclusive('\n').map(kept).collect() } else { text.to_owned() }
}

/// A section in the text.
struct Section<'t> {
    /// The offset of its directive.
    start: usize,
    /// The offset after its closing brace.
    end: usize,
    /// The text between the braces.
    body: &'t str,
}

impl<'t> Section<'t> {
    fn find(text: &'t str, name: &str) -> Option<Self> {
        let directive = format!("\t.section\t{name}\n");
        let start = text.find(&directive)?;
        let open = start + text[start..].find('{')?;
        let close = open + text[open..].find('}')?;
        let end = text[close..].find('\n').map_or(text.len(), |line| close + line + 1);
        Some(Section { start, end, body: &text[open + 1..close] })
    }
}

/// A compile unit.
#[derive(Debug, PartialEq, Eq)]
struct Unit {
    /// The size of an address in bytes.
    address_size: u8,
    root: Die,
}

/// A debugging information entry (DWARF 2, section 2.1).
#[derive(Debug, PartialEq, Eq)]
struct Die {
    tag: u64,
    /// The target of references: its offset in the section that was read.
    id: u64,
    attributes: Vec<Attribute>,
    children: Vec<Die>,
}

/// An attribute with its value (DWARF 2, section 2.2).
#[derive(Debug, PartialEq, Eq)]
struct Attribute {
    name: u64,
    /// The form of the value.
    form: u64,
    value: Value,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    /// A number, a flag.
    Number(u64),
    /// A LEB128 number, signed or unsigned.
    Leb(Vec<u8>),
    /// The address of a label or variable, or an offset in another section.
    Label(String),
    /// A text, without the terminating zero.
    Text(Vec<u8>),
    /// A location expression.
    Block(Vec<Piece>),
    /// Another entry.
    Entry(u64),
}

/// A piece of a location expression.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Byte(u8),
    /// An address.
    Label(String),
}

/// DWARF 2, figure 14: the tags that are used.
mod tag {
    pub(super) const FORMAL_PARAMETER: u64 = 0x05;
    pub(super) const SUBPROGRAM: u64 = 0x2e;
    pub(super) const ENUMERATION_TYPE: u64 = 0x04;
    pub(super) const VARIABLE: u64 = 0x34;
}

/// DWARF 2, figure 17: the attributes that are used, one of later versions, and two vendor extensions.
mod attribute {
    pub(super) const LOCATION: u64 = 0x02;
    pub(super) const NAME: u64 = 0x03;
    pub(super) const CONST_VALUE: u64 = 0x1c;
    pub(super) const ADDRESS_CLASS: u64 = 0x33;
    pub(super) const DECLARATION: u64 = 0x3c;
    pub(super) const TYPE: u64 = 0x49;
    pub(super) const ALIGNMENT: u64 = 0x88;
    pub(super) const LINKAGE_NAME: u64 = 0x2007;
    pub(super) const GNU_PUBNAMES: u64 = 0x2134;
}

/// DWARF 2, figure 18: the forms of values.
mod form {
    pub(super) const ADDR: u64 = 0x01;
    pub(super) const DATA2: u64 = 0x05;
    pub(super) const DATA4: u64 = 0x06;
    pub(super) const DATA8: u64 = 0x07;
    pub(super) const STRING: u64 = 0x08;
    pub(super) const BLOCK1: u64 = 0x0a;
    pub(super) const DATA1: u64 = 0x0b;
    pub(super) const FLAG: u64 = 0x0c;
    pub(super) const SDATA: u64 = 0x0d;
    pub(super) const UDATA: u64 = 0x0f;
    pub(super) const REF4: u64 = 0x13;
}

/// DWARF 2, figure 22: `DW_OP_addr`.
const OP_ADDR: u8 = 0x03;

/// The DWARF version that is written.
const VERSION: u16 = 2;

/// The unsigned LEB128 number at the start of the bytes (DWARF 2, section 7.6).
fn unsigned(bytes: &[u8]) -> u64 {
    let n_more = bytes.iter().take_while(|&&byte| byte & 0x80 != 0).count();
    bytes.iter().take(n_more.min(8) + 1).rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f))
}

#[cfg(test)]
mod tests;
