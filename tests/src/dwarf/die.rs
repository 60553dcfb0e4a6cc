//! DWARF entries as in `.debug_info`: tags, attributes, children; and the file table.

use std::collections::{BTreeMap, BTreeSet};

use gimli::{AttributeValue, DwAt, DwTag, Dwarf, EndianSlice, LittleEndian, UnitOffset};

use super::cubin::Cubin;
use super::tree::Place;
use crate::Failure;

/// The reader type.
pub(super) type Slice<'d> = EndianSlice<'d, LittleEndian>;

/// An entry.
#[derive(Debug)]
pub(super) struct Die<'d> {
    pub(super) offset: usize,
    pub(super) tag: DwTag,
    attributes: Vec<(DwAt, AttributeValue<Slice<'d>>)>,
    pub(super) children: Vec<Die<'d>>,
}

/// The sections to read.
#[derive(Debug)]
pub(super) struct Sections {
    sections: BTreeMap<&'static str, Vec<u8>>,
}

/// A unit's entries.
#[derive(Debug)]
pub(super) struct Unit<'d> {
    pub(super) root: Die<'d>,
    /// File numbers with their paths.
    pub(super) files: BTreeMap<u64, String>,
    /// Addresses with their files and lines.
    pub(super) lines: Vec<(u64, Place)>,
    pub(super) version: u16,
    debug_str: gimli::DebugStr<Slice<'d>>,
    debug_info: Slice<'d>,
}

const SECTIONS: [&str; 5] = [".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".debug_pubnames"];

impl Sections {
    pub(super) fn of(cubin: &Cubin) -> Sections {
        let section = |name: &'static str| (name, cubin.section(name).unwrap_or_default());
        Sections { sections: SECTIONS.into_iter().map(section).collect() }
    }

    fn slice(&self, name: &str) -> Slice<'_> {
        EndianSlice::new(self.sections.get(name).map_or(&[][..], Vec::as_slice), LittleEndian)
    }

    /// The entries of `.debug_pubnames`: offsets and names.
    pub(super) fn public_names(&self) -> Result<Vec<(usize, String)>, Failure> {
        let section = self.slice(".debug_pubnames");
        let mut names = Vec::new();
        let mut entries = gimli::DebugPubNames::new(section.slice(), LittleEndian).items();
        while let Some(entry) =
            entries.next().map_err(|e| format!("`.debug_pubnames` cannot be read: {e}"))?
        {
            let name = String::from_utf8_lossy(entry.name().slice()).into_owned();
            names.push((entry.die_offset().0, name));
        }
        Ok(names)
    }

    /// Reads the single unit of a cubin.
    pub(super) fn unit(&self) -> Result<Unit<'_>, Failure> {
        let failed = |e: gimli::Error| format!("the debug information cannot be read: {e}");
        let dwarf = Dwarf::load(|id| Ok(self.slice(id.name()))).map_err(failed)?;
        let mut headers = dwarf.units();
        let header =
            headers.next().map_err(failed)?.ok_or("there is no compilation unit in `.debug_info`")?;
        if headers.next().map_err(failed)?.is_some() {
            return Err("there are several compilation units in `.debug_info`".into());
        }
        let unit = dwarf.unit(header).map_err(failed)?;
        let mut tree = unit.entries_tree(None).map_err(failed)?;
        let root = entry(tree.root().map_err(failed)?).map_err(failed)?;
        let mut files = BTreeMap::new();
        if let Some(program) = &unit.line_program {
            let header = program.header();
            let folder = |n| header.directory(n).and_then(|folder| text(&dwarf.debug_str, &folder));
            for (idx, file) in header.file_names().iter().enumerate() {
                let name = text(&dwarf.debug_str, &file.path_name()).unwrap_or_default();
                let path = match folder(file.directory_index()) {
                    Some(folder) if !name.starts_with('/') && file.directory_index() != 0 => {
                        format!("{folder}/{name}")
                    }
                    _ => name,
                };
                files.insert(idx as u64 + 1, path);
            }
        }
        let mut lines = Vec::new();
        if let Some(program) = unit.line_program.clone() {
            let mut rows = program.rows();
            while let Some((_, row)) = rows.next_row().map_err(failed)? {
                let file = files.get(&row.file_index()).cloned().unwrap_or_default();
                let line = row.line().map_or(0, std::num::NonZero::get);
                lines.extend((!row.end_sequence()).then_some((row.address(), Place { file, line })));
            }
        }
        let (version, debug_info) = (unit.header.version(), self.slice(".debug_info"));
        Ok(Unit { root, files, lines, version, debug_str: dwarf.debug_str, debug_info })
    }
}

fn entry<'d>(node: gimli::EntriesTreeNode<'_, '_, Slice<'d>>) -> Result<Die<'d>, gimli::Error> {
    let die = node.entry();
    let attributes = die.attrs().iter().map(|attribute| (attribute.name(), attribute.value())).collect();
    let (UnitOffset(offset), tag) = (die.offset(), die.tag());
    let mut children = Vec::new();
    let mut nodes = node.children();
    while let Some(child) = nodes.next()? {
        children.push(entry(child)?);
    }
    Ok(Die { offset, tag, attributes, children })
}

fn text(strings: &gimli::DebugStr<Slice<'_>>, value: &AttributeValue<Slice<'_>>) -> Option<String> {
    let bytes = value.string_value(strings)?;
    Some(String::from_utf8_lossy(bytes.slice()).into_owned())
}

impl<'d> Die<'d> {
    pub(super) fn attribute(&self, name: DwAt) -> Option<&AttributeValue<Slice<'d>>> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// A number, if the attribute is present.
    pub(super) fn number(&self, name: DwAt) -> Option<u64> {
        number(self.attribute(name)?)
    }

    /// The same as a signed number if its form is signed, or if it needs all 64 bits: nvcc writes -1 like
    /// that.
    pub(super) fn signed(&self, name: DwAt) -> Option<i64> {
        match self.attribute(name)? {
            AttributeValue::Sdata(value) => Some(*value),
            other => Some(number(other)?.cast_signed()),
        }
    }

    pub(super) fn flag(&self, name: DwAt) -> bool {
        match self.attribute(name) {
            Some(AttributeValue::Flag(set)) => *set,
            Some(_) => true,
            None => false,
        }
    }

    /// The offset of the entry that an attribute refers to.
    pub(super) fn reference(&self, name: DwAt) -> Option<usize> {
        match self.attribute(name)? {
            AttributeValue::UnitRef(UnitOffset(offset)) => Some(*offset),
            _ => None,
        }
    }

    /// The bytes of an expression.
    pub(super) fn expression(&self, name: DwAt) -> Option<Slice<'d>> {
        match self.attribute(name)? {
            AttributeValue::Exprloc(gimli::Expression(bytes)) | AttributeValue::Block(bytes) => Some(*bytes),
            _ => None,
        }
    }

    /// The children with this tag.
    pub(super) fn children_of(&self, tag: DwTag) -> impl Iterator<Item = &Die<'d>> {
        self.children.iter().filter(move |child| child.tag == tag)
    }
}

fn number(value: &AttributeValue<Slice<'_>>) -> Option<u64> {
    match value {
        AttributeValue::AddressClass(gimli::DwAddr(class)) => Some(*class),
        AttributeValue::FileIndex(index) => Some(*index),
        AttributeValue::Encoding(encoding) => Some(u64::from(encoding.0)),
        AttributeValue::Language(language) => Some(u64::from(language.0)),
        AttributeValue::Addr(address) => Some(*address),
        other => other.udata_value(),
    }
}

impl<'d> Unit<'d> {
    /// A text, if the attribute is present.
    pub(super) fn text(&self, die: &Die<'d>, name: DwAt) -> Option<String> {
        text(&self.debug_str, die.attribute(name)?)
    }

    /// The offset in `.debug_info` of bytes that were read from there.
    pub(super) fn offset_of(&self, bytes: Slice<'d>) -> u64 {
        bytes.offset_from(self.debug_info) as u64
    }

    /// The attributes of each tag's entries.
    pub(super) fn attributes(&self) -> BTreeMap<String, BTreeSet<String>> {
        fn walk(die: &Die<'_>, all: &mut BTreeMap<String, BTreeSet<String>>) {
            let of_tag = all.entry(die.tag.to_string()).or_default();
            of_tag.extend(die.attributes.iter().map(|(name, _)| name.to_string()));
            die.children.iter().for_each(|child| walk(child, all));
        }
        let mut all = BTreeMap::new();
        walk(&self.root, &mut all);
        all
    }

    /// The entries by offset.
    pub(super) fn index(&self) -> BTreeMap<usize, &Die<'d>> {
        fn walk<'u, 'd>(die: &'u Die<'d>, all: &mut BTreeMap<usize, &'u Die<'d>>) {
            all.insert(die.offset, die);
            die.children.iter().for_each(|child| walk(child, all));
        }
        let mut all = BTreeMap::new();
        walk(&self.root, &mut all);
        all
    }
}
