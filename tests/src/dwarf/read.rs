//! Reads a [`Tree`] from a cubin.
//!
//! The variants of DWARF 2 by nvcc and LLVM give the same result: `void` may be a type or absent, a
//! bit-field's position counts from the end of a unit (DWARF2 5.5.4) or from the start of the struct (later
//! versions), an array's length is a count or the largest index, and a function may have its name in another
//! entry.

use std::collections::BTreeMap;

use gimli::{DwAt, DwAte, DwLang, Reader};

use super::cubin::Cubin;
use super::die::{Die, Sections, Unit};
use super::location::location;
use super::tree::{
    Block, Inlined, Member, Place, PointerKind, Qualifier, Record, Subprogram, Tree, Type, TypeId, Types,
    Variable,
};
use crate::Failure;

/// Reads the debug information of a cubin.
///
/// # Errors
///
/// Invalid debug information, and unknown entries.
pub fn read(cubin: &Cubin) -> Result<Tree, Failure> {
    let sections = Sections::of(cubin);
    let unit = sections.unit()?;
    let reader =
        Reading { cubin, unit: &unit, index: unit.index(), types: Types::default(), known: BTreeMap::new() };
    let mut tree = reader.tree()?;
    let index = unit.index();
    for (offset, name) in sections.public_names()? {
        let entry = index.get(&offset).and_then(|die| unit.text(die, gimli::DW_AT_name));
        tree.public_names.push((name, entry));
    }
    Ok(tree)
}

struct Reading<'u, 'd> {
    cubin: &'u Cubin,
    unit: &'u Unit<'d>,
    index: BTreeMap<usize, &'u Die<'d>>,
    types: Types,
    /// The known types, by entry offset.
    known: BTreeMap<usize, TypeId>,
}

impl<'u, 'd> Reading<'u, 'd> {
    fn tree(mut self) -> Result<Tree, Failure> {
        let root = &self.unit.root;
        let language = root.number(gimli::DW_AT_language).and_then(|n| u16::try_from(n).ok());
        let mut tree = Tree {
            name: self.text(root, gimli::DW_AT_name),
            folder: self.text(root, gimli::DW_AT_comp_dir),
            version: self.unit.version,
            lines: self.unit.lines.clone(),
            attributes: self.unit.attributes(),
            language: language.and_then(|n| DwLang(n).static_string()).unwrap_or_default().to_owned(),
            ..Tree::default()
        };
        self.scope(root, &mut tree)?;
        tree.types = self.types;
        Ok(tree)
    }

    /// Reads the scope of a unit or namespace.
    fn scope(&mut self, scope: &'u Die<'d>, tree: &mut Tree) -> Result<(), Failure> {
        for die in &scope.children {
            match die.tag {
                gimli::DW_TAG_variable if die.attribute(gimli::DW_AT_specification).is_none() => {
                    tree.variables.push(self.variable(die)?);
                }
                // Without code it is a declaration, or the origin of inlined calls.
                gimli::DW_TAG_subprogram if die.attribute(gimli::DW_AT_low_pc).is_some() => {
                    tree.subprograms.push(self.subprogram(die)?);
                }
                gimli::DW_TAG_namespace => self.scope(die, tree)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn text(&self, die: &Die<'d>, name: DwAt) -> String {
        self.unit.text(die, name).unwrap_or_default()
    }

    /// The entry, or the one that it completes, whichever has the attribute.
    fn with<'a>(&self, die: &'a Die<'d>, name: DwAt) -> &'a Die<'d>
    where
        'u: 'a,
    {
        let mut at = die;
        while at.attribute(name).is_none() {
            let origin = at
                .reference(gimli::DW_AT_specification)
                .or_else(|| at.reference(gimli::DW_AT_abstract_origin));
            match origin.and_then(|offset| self.index.get(&offset)) {
                Some(origin) => at = origin,
                None => return die,
            }
        }
        at
    }

    fn linkage_name(&self, die: &Die<'d>) -> Option<String> {
        [gimli::DW_AT_MIPS_linkage_name, gimli::DW_AT_linkage_name]
            .into_iter()
            .find_map(|name| self.unit.text(self.with(die, name), name))
    }

    fn place(&self, die: &Die<'d>) -> Option<Place> {
        let die = self.with(die, gimli::DW_AT_decl_line);
        self.place_of(die, gimli::DW_AT_decl_file, gimli::DW_AT_decl_line)
    }

    fn place_of(&self, die: &Die<'d>, file: DwAt, line: DwAt) -> Option<Place> {
        let (file, line) = (die.number(file)?, die.number(line)?);
        let file = self.unit.files.get(&file).cloned().unwrap_or_else(|| format!("file {file}"));
        Some(Place { file, line })
    }

    fn subprogram(&mut self, die: &'u Die<'d>) -> Result<Subprogram, Failure> {
        let code = die.number(gimli::DW_AT_low_pc).and_then(|address| self.cubin.function_at(address));
        let mut subprogram = Subprogram {
            name: self.text(self.with(die, gimli::DW_AT_name), gimli::DW_AT_name),
            linkage_name: self.linkage_name(die),
            is_external: self.with(die, gimli::DW_AT_external).flag(gimli::DW_AT_external),
            place: self.place(die),
            result: self.type_of(self.with(die, gimli::DW_AT_type))?,
            code: code.map(str::to_owned),
            address: die.number(gimli::DW_AT_low_pc).zip(die.number(gimli::DW_AT_high_pc)),
            ..Subprogram::default()
        };
        for parameter in die.children_of(gimli::DW_TAG_formal_parameter) {
            subprogram.parameters.push(self.variable(parameter)?);
        }
        subprogram.body = self.block(die)?;
        self.inlined(die, &mut subprogram.inlined)?;
        Ok(subprogram)
    }

    fn inlined(&mut self, scope: &'u Die<'d>, all: &mut Vec<Inlined>) -> Result<(), Failure> {
        for die in &scope.children {
            match die.tag {
                gimli::DW_TAG_inlined_subroutine => {
                    let call = self.place_of(die, gimli::DW_AT_call_file, gimli::DW_AT_call_line);
                    all.push(Inlined { subprogram: self.subprogram(die)?, call });
                }
                gimli::DW_TAG_lexical_block => self.inlined(die, all)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn block(&mut self, die: &'u Die<'d>) -> Result<Block, Failure> {
        let mut block = Block::default();
        for child in &die.children {
            match child.tag {
                gimli::DW_TAG_variable => block.variables.push(self.variable(child)?),
                gimli::DW_TAG_lexical_block => {
                    let inner = self.block(child)?;
                    if inner.variables.is_empty() {
                        block.blocks.extend(inner.blocks);
                    } else {
                        block.blocks.push(inner);
                    }
                }
                _ => {}
            }
        }
        Ok(block)
    }

    fn variable(&mut self, die: &'u Die<'d>) -> Result<Variable, Failure> {
        let name = self.text(self.with(die, gimli::DW_AT_name), gimli::DW_AT_name);
        // nvcc's name for an unnamed union that is a variable.
        let is_made_up = name.strip_prefix("__T").is_some_and(|n| n.parse::<u32>().is_ok());
        Ok(Variable {
            name: if is_made_up { String::new() } else { name },
            linkage_name: self.linkage_name(die),
            is_external: self.with(die, gimli::DW_AT_external).flag(gimli::DW_AT_external),
            place: self.place(die),
            class: die.number(gimli::DW_AT_address_class),
            location: location(self.cubin, self.unit, die),
            ty: self.type_of(self.with(die, gimli::DW_AT_type))?,
        })
    }

    /// The type of `gimli::DW_AT_type`; `void` if absent.
    fn type_of(&mut self, die: &Die<'d>) -> Result<TypeId, Failure> {
        if die.attribute(gimli::DW_AT_type).is_none() {
            return Ok(TypeId::default());
        }
        let offset = die.reference(gimli::DW_AT_type).ok_or("a type is no reference within the unit")?;
        if let Some(known) = self.known.get(&offset) {
            return Ok(*known);
        }
        let die = *self.index.get(&offset).ok_or_else(|| format!("there is no type at {offset:#x}"))?;
        // Types may be recursive.
        let id = self.types.add(Type::Void);
        self.known.insert(offset, id);
        let ty = self.read_type(die)?;
        self.types.set(id, ty);
        Ok(id)
    }

    fn read_type(&mut self, die: &'u Die<'d>) -> Result<Type, Failure> {
        let name = || self.text(die, gimli::DW_AT_name);
        let size = die.number(gimli::DW_AT_byte_size).unwrap_or(0);
        Ok(match die.tag {
            gimli::DW_TAG_unspecified_type if name() == "void" => Type::Void,
            gimli::DW_TAG_base_type => {
                let encoding = die.number(gimli::DW_AT_encoding).and_then(|n| u8::try_from(n).ok());
                let encoding = encoding.and_then(|n| DwAte(n).static_string()).unwrap_or_default().to_owned();
                Type::Base { name: name(), encoding, size }
            }
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type => Type::Pointer {
                to: self.type_of(die)?,
                class: die.number(gimli::DW_AT_address_class),
                kind: match die.tag {
                    gimli::DW_TAG_reference_type => PointerKind::Lvalue,
                    gimli::DW_TAG_rvalue_reference_type => PointerKind::Rvalue,
                    _ => PointerKind::Pointer,
                },
            },
            gimli::DW_TAG_array_type => Type::Array { of: self.type_of(die)?, counts: counts(die) },
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                Type::Record(Record {
                    is_union: die.tag == gimli::DW_TAG_union_type,
                    name: name(),
                    size,
                    place: self.place(die),
                    members: self.members(die)?,
                })
            }
            gimli::DW_TAG_enumeration_type => {
                let value = |die: &Die<'d>| die.signed(gimli::DW_AT_const_value).unwrap_or(0);
                let enumerators = die.children_of(gimli::DW_TAG_enumerator);
                let enumerators =
                    enumerators.map(|die| (self.text(die, gimli::DW_AT_name), value(die))).collect();
                Type::Enum { name: name(), size, place: self.place(die), enumerators }
            }
            gimli::DW_TAG_typedef => {
                Type::Typedef { name: name(), place: self.place(die), to: self.type_of(die)? }
            }
            gimli::DW_TAG_const_type => {
                Type::Qualified { qualifier: Qualifier::Const, to: self.type_of(die)? }
            }
            gimli::DW_TAG_volatile_type => {
                Type::Qualified { qualifier: Qualifier::Volatile, to: self.type_of(die)? }
            }
            gimli::DW_TAG_restrict_type => {
                Type::Qualified { qualifier: Qualifier::Restrict, to: self.type_of(die)? }
            }
            gimli::DW_TAG_subroutine_type => {
                let parameters = die.children_of(gimli::DW_TAG_formal_parameter);
                Type::Function {
                    result: self.type_of(die)?,
                    parameters: parameters.map(|die| self.type_of(die)).collect::<Result<_, _>>()?,
                    is_variadic: die.children_of(gimli::DW_TAG_unspecified_parameters).next().is_some(),
                }
            }
            other => return Err(format!("{other} at {:#x} is not a type", die.offset)),
        })
    }

    fn members(&mut self, die: &'u Die<'d>) -> Result<Vec<Member>, Failure> {
        let mut members = Vec::new();
        for member in
            die.children_of(gimli::DW_TAG_member).filter(|member| !member.flag(gimli::DW_AT_external))
        {
            let n_bits = member.number(gimli::DW_AT_bit_size);
            let from_start = 8 * offset(member)?;
            let first_bit =
                match (member.signed(gimli::DW_AT_bit_offset), member.number(gimli::DW_AT_data_bit_offset)) {
                    (_, Some(first)) => i64::try_from(first).map_err(|e| e.to_string())?,
                    (Some(from_end), None) => {
                        let unit = member
                            .signed(gimli::DW_AT_byte_size)
                            .ok_or("a bit-field without `gimli::DW_AT_byte_size`")?;
                        from_start + 8 * unit - from_end - n_bits.unwrap_or(0).cast_signed()
                    }
                    (None, None) => from_start,
                };
            let (name, place) = (self.text(member, gimli::DW_AT_name), self.place(member));
            members.push(Member { name, ty: self.type_of(member)?, first_bit, n_bits, place });
        }
        Ok(members)
    }
}

/// The offset of a member in bytes.
fn offset(member: &Die<'_>) -> Result<i64, Failure> {
    if let Some(mut bytes) = member.expression(gimli::DW_AT_data_member_location) {
        let operation = bytes.read_u8().map_err(|e| e.to_string())?;
        if operation != gimli::DW_OP_plus_uconst.0 {
            return Err(format!("the place of a member at {:#x} is not an offset", member.offset));
        }
        return Ok(bytes.read_uleb128().map_err(|e| e.to_string())?.cast_signed());
    }
    Ok(member.signed(gimli::DW_AT_data_member_location).unwrap_or(0))
}

fn counts(die: &Die<'_>) -> Vec<Option<u64>> {
    let count = |range: &Die<'_>| {
        let last = || range.number(gimli::DW_AT_upper_bound)?.checked_add(1);
        range.number(gimli::DW_AT_count).or_else(last)
    };
    die.children_of(gimli::DW_TAG_subrange_type).map(count).collect()
}
