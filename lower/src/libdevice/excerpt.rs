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
use std::ops::Range;

use super::bitstream::{self, Block, BlockInfo, Entries, Entry, Writer};

/// The numbers of blocks (llvm/Bitcode/LLVMBitCodes.h).
mod block {
    pub(super) const MODULE: u64 = 8;
    pub(super) const PARAMATTR: u64 = 9;
    pub(super) const PARAMATTR_GROUP: u64 = 10;
    pub(super) const CONSTANTS: u64 = 11;
    pub(super) const FUNCTION: u64 = 12;
    pub(super) const IDENTIFICATION: u64 = 13;
    pub(super) const VALUE_SYMTAB: u64 = 14;
    pub(super) const METADATA: u64 = 15;
    pub(super) const METADATA_ATTACHMENT: u64 = 16;
    pub(super) const TYPE: u64 = 17;
    pub(super) const USELIST: u64 = 18;
    pub(super) const OPERAND_BUNDLE_TAGS: u64 = 21;
    pub(super) const METADATA_KIND: u64 = 22;
    pub(super) const STRTAB: u64 = 23;
    pub(super) const SYMTAB: u64 = 25;
    pub(super) const SYNC_SCOPE_NAMES: u64 = 26;
}

/// The codes of records in a module.
mod module {
    pub(super) const VERSION: u64 = 1;
    pub(super) const TRIPLE: u64 = 2;
    pub(super) const DATALAYOUT: u64 = 3;
    pub(super) const GLOBALVAR: u64 = 7;
    pub(super) const FUNCTION: u64 = 8;
    pub(super) const VALUES_UNUSED: u64 = 15;
    pub(super) const VSTOFFSET: u64 = 13;
    pub(super) const SOURCE_FILENAME: u64 = 16;
}

/// Those of types.
mod ty {
    pub(super) const NUMENTRY: u64 = 1;
    pub(super) const VOID: u64 = 2;
    pub(super) const INTEGER: u64 = 7;
    pub(super) const STRUCT_NAME: u64 = 19;
    pub(super) const FUNCTION: u64 = 21;
}

/// Those of constants. From `NULL` to `FLOAT` they name no other value.
mod constant {
    pub(super) const SETTYPE: u64 = 1;
    pub(super) const NULL: u64 = 2;
    pub(super) const FLOAT: u64 = 6;
    pub(super) const STRING: u64 = 8;
    pub(super) const CSTRING: u64 = 9;
    pub(super) const CE_INBOUNDS_GEP: u64 = 20;
    pub(super) const DATA: u64 = 22;
    /// Of several versions.
    pub(super) const INLINEASM: [u64; 4] = [18, 23, 28, 30];
}

/// Those of names.
mod symbol {
    pub(super) const ENTRY: u64 = 1;
    pub(super) const FNENTRY: u64 = 3;
}

/// Those of instructions.
mod inst {
    pub(super) const DECLAREBLOCKS: u64 = 1;
    pub(super) const BINOP: u64 = 2;
    pub(super) const CAST: u64 = 3;
    pub(super) const EXTRACTELT: u64 = 6;
    pub(super) const INSERTELT: u64 = 7;
    pub(super) const SHUFFLEVEC: u64 = 8;
    pub(super) const RET: u64 = 10;
    pub(super) const BR: u64 = 11;
    pub(super) const SWITCH: u64 = 12;
    pub(super) const UNREACHABLE: u64 = 15;
    pub(super) const PHI: u64 = 16;
    pub(super) const ALLOCA: u64 = 19;
    pub(super) const LOAD: u64 = 20;
    pub(super) const EXTRACTVAL: u64 = 26;
    pub(super) const INSERTVAL: u64 = 27;
    pub(super) const CMP2: u64 = 28;
    pub(super) const VSELECT: u64 = 29;
    pub(super) const CALL: u64 = 34;
    pub(super) const GEP: u64 = 43;
    pub(super) const STORE: u64 = 44;
    pub(super) const UNOP: u64 = 56;
    pub(super) const FREEZE: u64 = 58;
    /// In a call's flags: the function's type is named, and operations of floating point have theirs.
    pub(super) const EXPLICIT_TYPE: u64 = 1 << 15;
    pub(super) const FAST_MATH: u64 = 1 << 17;
}

/// The width of abbreviation ids in the blocks that are made here.
const WIDTH: u32 = 3;

/// How much is read first, where a library's declarations and constants are.
const HEAD_BYTES: usize = 32 * 1024;

/// The module with these functions, with what they use, and with all variables. `read` gives some bytes of the whole bitcode,
/// from a place on: as many as were asked for, if they are there.
pub(super) fn excerpt(read: &Read<'_>, names: &[&str]) -> Option<Vec<u8>> {
    let head = read(0, HEAD_BYTES)?;
    let library = Library::open(&head, read)?;
    let used = library.used(read, names)?;
    library.write(&used)
}

pub(super) type Read<'a> = dyn Fn(usize, usize) -> Option<Vec<u8>> + 'a;

/// What is at the outermost level of a file, and of the module in it.
#[derive(Debug)]
struct Library<'a> {
    /// The file, as far as the first function's body.
    head: &'a [u8],
    identification: Option<Block>,
    module: Block,
    info: BlockInfo,
    items: Vec<Item>,
    types: Vec<Type>,
    /// Functions, variables and constants, by their numbers.
    values: Vec<Value>,
    /// The table of names that stands behind modules of a newer kind.
    strings: Option<Piece>,
    /// What the values' names are parts of.
    names: Vec<u8>,
    /// The numbers that constants name.
    named: Vec<usize>,
}

/// A block, and the part of the file that it is in.
#[derive(Debug)]
struct Piece {
    bytes: Vec<u8>,
    block: Block,
}

/// What a module consists of.
#[derive(Debug)]
enum Item {
    /// A record, or an abbreviation's definition.
    Bits(Range<usize>),
    Block(Block),
    /// The record of the function of that number.
    Function(usize, Range<usize>),
}

#[derive(Clone, Copy, Debug)]
enum Type {
    Void,
    Integer,
    Function { result: usize, n_parameters: usize },
    Other,
}

#[derive(Debug, Default)]
struct Value {
    name: Range<usize>,
    function: Option<Function>,
}

#[derive(Debug)]
struct Function {
    ty: usize,
    is_declaration: bool,
    /// Where what it does begins, in words.
    body: Option<usize>,
}

impl Piece {
    /// The block that begins there in the file, in bytes, within one whose ids have that width.
    fn read(read: &Read<'_>, start: usize, outer: u32) -> Option<Piece> {
        const HEADER_BYTES: usize = 8;
        let header = read(start, HEADER_BYTES)?;
        let Entry::Block(block) = Entries::at(&header, 0, outer).next(&mut Vec::new())?? else { return None };
        let bytes = read(start, block.body.end / 8)?;
        (bytes.len() * 8 == block.body.end).then_some(Piece { bytes, block })
    }
}

impl<'a> Library<'a> {
    fn open(head: &'a [u8], read: &Read<'_>) -> Option<Self> {
        if !head.starts_with(&bitstream::MAGIC) {
            return None;
        }
        let mut entries = Entries::at(head, bitstream::MAGIC.len() * 8, bitstream::OUTERMOST_WIDTH);
        let mut fields = Vec::new();
        let mut identification = None;
        let module = loop {
            match entries.next(&mut fields)?? {
                Entry::Block(block) if block.id == block::IDENTIFICATION => identification = Some(block),
                Entry::Block(block) if block.id == block::MODULE => break block,
                _ => return None,
            }
        };
        let mut library = Library {
            head,
            identification,
            module,
            info: BlockInfo::default(),
            items: Vec::new(),
            types: Vec::new(),
            values: Vec::new(),
            strings: None,
            names: Vec::new(),
            named: Vec::new(),
        };
        library.read_module(read)?;
        Some(library)
    }

    fn read_module(&mut self, read: &Read<'_>) -> Option<()> {
        let mut entries = Entries::new(self.head, &self.module, &self.info);
        let mut fields = Vec::new();
        let mut symbols = None;
        loop {
            let start = entries.cursor.position();
            let entry = entries.next(&mut fields)??;
            let bits = start..entries.cursor.position();
            match entry {
                Entry::Abbreviation
                | Entry::Record(module::TRIPLE | module::DATALAYOUT | module::SOURCE_FILENAME) => {
                    self.items.push(Item::Bits(bits));
                }
                Entry::Record(module::VERSION) => {
                    match fields[..] {
                        [1] => {}
                        [2] => self.read_strings(read)?,
                        _ => return None,
                    }
                    self.items.push(Item::Bits(bits));
                }
                Entry::Record(module::VSTOFFSET) => symbols = fields.first().copied(),
                // A count of metadata that LLVM no longer reads.
                Entry::Record(module::VALUES_UNUSED) => {}
                Entry::Record(module::GLOBALVAR) => {
                    self.items.push(Item::Bits(bits));
                    let (name, _) = self.leading_name(&fields)?;
                    self.values.push(Value { name, function: None });
                }
                Entry::Record(module::FUNCTION) => {
                    self.items.push(Item::Function(self.values.len(), bits));
                    let (name, fields) = self.leading_name(&fields)?;
                    // Constants of the function's: data before it and in it, and what handles exceptions.
                    if [10, 13, 14].iter().any(|field| fields.get(*field).is_some_and(|field| *field != 0)) {
                        return None;
                    }
                    let [ty, _, is_declaration, ..] = *fields else { return None };
                    let function =
                        Function { ty: ty as usize, is_declaration: is_declaration != 0, body: None };
                    self.values.push(Value { name, function: Some(function) });
                }
                // From here on there are other functions' bodies.
                Entry::Block(block) if block.id == block::FUNCTION => break,
                Entry::Block(block) => {
                    self.read_block(&block)?;
                    self.items.push(Item::Block(block));
                }
                Entry::Record(_) => return None,
            }
        }
        let symbols = Piece::read(read, (symbols? as usize).checked_mul(4)?, self.module.width)?;
        self.read_symbols(&symbols)
    }

    /// The name with which records of a newer kind begin, and the other fields.
    fn leading_name<'f>(&self, fields: &'f [u64]) -> Option<(Range<usize>, &'f [u64])> {
        if self.strings.is_none() {
            return Some((0..0, fields));
        }
        let ([offset, length], fields) = fields.split_first_chunk()?;
        Some((*offset as usize..offset.checked_add(*length)? as usize, fields))
    }

    fn read_block(&mut self, block: &Block) -> Option<()> {
        match block.id {
            bitstream::BLOCKINFO => self.info.read(self.head, block)?,
            block::TYPE => self.read_types(block)?,
            block::CONSTANTS => {
                let n_constants = read_constants(self.head, block, &self.info, &mut self.named)?;
                self.values.resize_with(self.values.len() + n_constants, Value::default);
            }
            block::PARAMATTR
            | block::PARAMATTR_GROUP
            | block::METADATA
            | block::METADATA_KIND
            | block::OPERAND_BUNDLE_TAGS
            | block::SYNC_SCOPE_NAMES => {}
            _ => return None,
        }
        Some(())
    }

    fn read_types(&mut self, block: &Block) -> Option<()> {
        let mut entries = Entries::new(self.head, block, &self.info);
        let mut fields = Vec::new();
        while let Some(entry) = entries.next(&mut fields)? {
            let ty = match entry {
                Entry::Abbreviation | Entry::Record(ty::NUMENTRY | ty::STRUCT_NAME) => continue,
                Entry::Record(ty::VOID) => Type::Void,
                Entry::Record(ty::INTEGER) => Type::Integer,
                // Whether it is variadic, the result's type, and those of the parameters.
                Entry::Record(ty::FUNCTION) => {
                    Type::Function { result: *fields.get(1)? as usize, n_parameters: fields.len() - 2 }
                }
                Entry::Record(_) => Type::Other,
                Entry::Block(_) => return None,
            };
            self.types.push(ty);
        }
        Some(())
    }

    /// The table of names that stands behind the module.
    fn read_strings(&mut self, read: &Read<'_>) -> Option<()> {
        let mut start = self.module.body.end / 8;
        let piece = loop {
            let piece = Piece::read(read, start, bitstream::OUTERMOST_WIDTH)?;
            match piece.block.id {
                block::STRTAB => break piece,
                // It says again what the module says.
                block::SYMTAB => start += piece.bytes.len(),
                _ => return None,
            }
        };
        let mut entries = Entries::new(&piece.bytes, &piece.block, &self.info);
        let mut fields = Vec::new();
        while let Some(entry) = entries.next(&mut fields)? {
            if let (Entry::Record(_), [start, n_bytes]) = (entry, &fields[..]) {
                self.names = piece.bytes.get(*start as usize..)?.get(..*n_bytes as usize)?.to_vec();
            }
        }
        self.strings = Some(piece);
        Some(())
    }

    /// The table of names, or at least of bodies, within the module.
    fn read_symbols(&mut self, symbols: &Piece) -> Option<()> {
        let mut entries = Entries::new(&symbols.bytes, &symbols.block, &self.info);
        let mut fields = Vec::new();
        while let Some(entry) = entries.next(&mut fields)? {
            let code = match entry {
                Entry::Abbreviation => continue,
                Entry::Record(code) => code,
                Entry::Block(_) => return None,
            };
            let (number, name) = fields.split_first()?;
            let value = self.values.get_mut(*number as usize)?;
            let name = match code {
                symbol::ENTRY => name,
                symbol::FNENTRY => {
                    let (body, name) = name.split_first()?;
                    value.function.as_mut()?.body = Some(*body as usize);
                    name
                }
                _ => return None,
            };
            if self.strings.is_none() {
                let start = self.names.len();
                self.names.extend(name.iter().map(|byte| *byte as u8));
                value.name = start..self.names.len();
            }
        }
        Some(())
    }

    fn name(&self, value: &Value) -> Option<&[u8]> {
        self.names.get(value.name.clone())
    }

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
        let Type::Function { n_parameters, .. } = self.types.get(function.ty)? else { return None };
        let mut n_values = self.values.len() + n_parameters;
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
            let integer = self.types.iter().position(|ty| matches!(ty, Type::Integer))?;
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

/// How many constants a block defines. The numbers of values that they name are added to `named`, and others perhaps too.
fn read_constants(bitcode: &[u8], block: &Block, info: &BlockInfo, named: &mut Vec<usize>) -> Option<usize> {
    let mut entries = Entries::new(bitcode, block, info);
    let mut fields = Vec::new();
    let mut n_constants = 0;
    while let Some(entry) = entries.next(&mut fields)? {
        let code = match entry {
            Entry::Abbreviation | Entry::Record(constant::SETTYPE) => continue,
            Entry::Record(code) => code,
            Entry::Block(_) => return None,
        };
        match code {
            constant::NULL..=constant::FLOAT | constant::STRING | constant::CSTRING | constant::DATA => {}
            code if constant::INLINEASM.contains(&code) => {}
            // Each behind its type.
            constant::CE_INBOUNDS_GEP => {
                named.extend(fields.iter().rev().step_by(2).map(|field| *field as usize));
            }
            _ => named.extend(fields.iter().map(|field| *field as usize)),
        }
        n_constants += 1;
    }
    Some(n_constants)
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
