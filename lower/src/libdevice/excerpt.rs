//! A part of a module in LLVM's bitcode: some functions and what they use, as a module of its own.
//!
//! LLVM reads a module lazily, and leaves out the bodies that nobody asks for; but each function's declaration, its name and its
//! attributes it makes, and for a library of hundreds that takes longer than all the rest. Here whole blocks and records are
//! copied as they are. So that every value keeps its number, what is left out leaves a constant in its place that nobody uses.
//!
//! What is used is found without knowing what the operands of an instruction are: whatever could be a function's number is
//! taken for one. An entry of a kind that is not expected makes the answer `None`, as does all that is no bitcode;
//! LLVM's own reader has the last word on both the whole and the excerpt (LLVM Bitcode File Format, "LLVM IR Encoding").

use std::collections::BTreeMap;

use super::bitstream::{self, Entries, Entry, Writer};
use super::library::{
    Function, Item, Library, Piece, Read, Type, Value, block, constant, inst, read_constants, symbol,
};

/// The width of abbreviation ids in the blocks that are made here.
const WIDTH: u32 = 3;

/// The module with these functions, with what they use, and with all variables.
pub(super) fn excerpt(library: &Library<'_>, read: &Read<'_>, names: &[&str]) -> Option<Vec<u8>> {
    let used = library.used(read, names)?;
    library.write(&used)
}

impl Library<'_> {
    /// What these functions use, and they themselves.
    fn used(&self, read: &Read<'_>, names: &[&str]) -> Option<Used> {
        let mut used = Used { is_used: vec![false; self.values.len()], bodies: BTreeMap::new() };
        let mut mentioned = self.named.clone();
        for name in names {
            let is_it = |value: &Value| value.function.is_some() && self.name(value) == Some(name.as_bytes());
            mentioned.push(self.values.iter().position(is_it)?);
        }
        while let Some(number) = mentioned.pop() {
            // Most are no function's.
            let function = self.values.get(number).and_then(|value| value.function.as_ref());
            let Some(function) = function.filter(|_| !used.is_used[number]) else { continue };
            used.is_used[number] = true;
            if !function.is_declaration {
                let body = Piece::read(read, function.body?.checked_mul(4)?, self.module.width)?;
                self.read_body(function, &body, &mut mentioned)?;
                used.bodies.insert(number, body);
            }
        }
        Some(used)
    }

    /// Which numbers a function mentions. Instructions name values by how many values before them they were defined.
    fn read_body(&self, function: &Function, body: &Piece, mentioned: &mut Vec<usize>) -> Option<()> {
        let Type::Function { parameters, .. } = self.types.get(function.ty)? else { return None };
        let mut n_values = self.values.len() + parameters.len();
        let mut entries = Entries::new(&body.bytes, &body.block, &self.info);
        let mut fields = Vec::new();
        while let Some(entry) = entries.next(&mut fields)? {
            let code = match entry {
                Entry::Block(block) => {
                    match block.id {
                        block::CONSTANTS => {
                            n_values += read_constants(&body.bytes, &block, &self.info, mentioned)?;
                        }
                        block::VALUE_SYMTAB
                        | block::METADATA
                        | block::METADATA_ATTACHMENT
                        | block::USELIST => {}
                        _ => return None,
                    }
                    continue;
                }
                Entry::Abbreviation => continue,
                Entry::Record(code) => code,
            };
            let distance = |field: &u64| match code {
                // The lowest bit is the sign.
                inst::PHI => field >> 1,
                _ => *field,
            };
            // An `alloca` names a constant, by its number.
            if code != inst::ALLOCA {
                mentioned.extend(fields.iter().map(|field| n_values.wrapping_sub(distance(field) as usize)));
            }
            n_values += usize::from(is_value(&self.types, code, &fields)?);
        }
        Some(())
    }

    fn write(&self, used: &Used) -> Option<Vec<u8>> {
        let width = self.module.width;
        let mut writer = Writer::new();
        if let Some(block) = &self.identification {
            writer.copy_block(bitstream::OUTERMOST_WIDTH, self.head, block)?;
        }
        let start = writer.enter(bitstream::OUTERMOST_WIDTH, self.module.id, width);
        let mut n_left_out = 0;
        for item in &self.items {
            if let Item::Function(number, _) = item
                && !used.is_used[*number]
            {
                n_left_out += 1;
                continue;
            }
            self.write_constants(&mut writer, std::mem::take(&mut n_left_out))?;
            match item {
                Item::Bits(bits) | Item::Function(_, bits) => writer.copy(self.head, bits.clone()),
                Item::Block(block) => writer.copy_block(width, self.head, block)?,
            }
        }
        self.write_constants(&mut writer, n_left_out)?;
        // By its names LLVM knows its intrinsics, and wants to before it reads what calls them.
        if self.strings.is_none() {
            self.write_names(&mut writer, used)?;
        }
        for body in used.bodies.values() {
            writer.copy_block(width, &body.bytes, &body.block)?;
        }
        writer.leave(width, start);
        if let Some(strings) = &self.strings {
            writer.copy_block(bitstream::OUTERMOST_WIDTH, &strings.bytes, &strings.block)?;
        }
        Some(writer.finish())
    }

    /// What takes the numbers of so many functions.
    fn write_constants(&self, writer: &mut Writer, n_functions: usize) -> Option<()> {
        if n_functions > 0 {
            let integer = self.types.iter().position(|ty| matches!(ty, Type::Integer { .. }))?;
            // There are hundreds, and by an abbreviation they are read faster.
            let null = self.info.n_abbreviations(block::CONSTANTS);
            let width = WIDTH + (null as u32).checked_ilog2().unwrap_or_default();
            let start = writer.enter(self.module.width, block::CONSTANTS, width);
            writer.define_code(width, constant::NULL);
            writer.record(width, constant::SETTYPE, &[integer as u64]);
            writer.codes(width, null, n_functions);
            writer.leave(width, start);
        }
        Some(())
    }

    fn write_names(&self, writer: &mut Writer, used: &Used) -> Option<()> {
        let start = writer.enter(self.module.width, block::VALUE_SYMTAB, WIDTH);
        let mut fields = Vec::new();
        for (number, value) in self.values.iter().enumerate() {
            let name = self.name(value)?;
            if (value.function.is_none() || used.is_used[number]) && !name.is_empty() {
                fields.clear();
                fields.push(number as u64);
                fields.extend(name.iter().map(|byte| u64::from(*byte)));
                writer.record(WIDTH, symbol::ENTRY, &fields);
            }
        }
        writer.leave(WIDTH, start);
        Some(())
    }
}

/// What an excerpt has of a library.
#[derive(Debug)]
struct Used {
    /// By number; variables and constants are, all of them.
    is_used: Vec<bool>,
    /// What functions do, in the order of their numbers: bodies have no other names.
    bodies: BTreeMap<usize, Piece>,
}

/// Whether an instruction is a value, and takes a number.
fn is_value(types: &[Type], code: u64, fields: &[u64]) -> Option<bool> {
    match code {
        inst::BINOP
        | inst::CAST
        | inst::EXTRACTELT
        | inst::INSERTELT
        | inst::SHUFFLEVEC
        | inst::PHI
        | inst::ALLOCA
        | inst::LOAD
        | inst::EXTRACTVAL
        | inst::INSERTVAL
        | inst::CMP2
        | inst::VSELECT
        | inst::GEP
        | inst::UNOP
        | inst::FREEZE => Some(true),
        inst::DECLAREBLOCKS | inst::RET | inst::BR | inst::SWITCH | inst::UNREACHABLE | inst::STORE => {
            Some(false)
        }
        // Attributes, flags, those of floating point if there are any, the function's type.
        inst::CALL => {
            let flags = *fields.get(1)?;
            if flags & inst::EXPLICIT_TYPE == 0 {
                return None;
            }
            let ty = *fields.get(if flags & inst::FAST_MATH == 0 { 2 } else { 3 })?;
            let Type::Function { result, .. } = types.get(ty as usize)? else { return None };
            Some(!matches!(types.get(*result)?, Type::Void))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
