//! Parses a bitcode library: its types, and the names and numbers of its values (LLVM Bitcode File Format,
//! "LLVM IR Encoding").
//!
//! An unexpected entry makes the result `None`, as does input that is not bitcode: then LLVM's own reader
//! decides.

use std::cell::OnceCell;
use std::ops::Range;

use super::bitstream::{self, Block, BlockInfo, Entries, Entry, Letters};
use super::body::Constant;

/// The ids of blocks (llvm/Bitcode/LLVMBitCodes.h).
pub(super) mod block {
    pub(in super::super) const MODULE: u64 = 8;
    pub(in super::super) const PARAMATTR: u64 = 9;
    pub(in super::super) const PARAMATTR_GROUP: u64 = 10;
    pub(in super::super) const CONSTANTS: u64 = 11;
    pub(in super::super) const FUNCTION: u64 = 12;
    pub(in super::super) const IDENTIFICATION: u64 = 13;
    pub(in super::super) const VALUE_SYMTAB: u64 = 14;
    pub(in super::super) const METADATA: u64 = 15;
    pub(in super::super) const METADATA_ATTACHMENT: u64 = 16;
    pub(in super::super) const TYPE: u64 = 17;
    pub(in super::super) const USELIST: u64 = 18;
    pub(in super::super) const OPERAND_BUNDLE_TAGS: u64 = 21;
    pub(in super::super) const METADATA_KIND: u64 = 22;
    pub(in super::super) const STRTAB: u64 = 23;
    pub(in super::super) const SYMTAB: u64 = 25;
    pub(in super::super) const SYNC_SCOPE_NAMES: u64 = 26;
}

/// The record codes of a module.
pub(super) mod module {
    pub(in super::super) const VERSION: u64 = 1;
    pub(in super::super) const TRIPLE: u64 = 2;
    pub(in super::super) const DATALAYOUT: u64 = 3;
    pub(in super::super) const GLOBALVAR: u64 = 7;
    pub(in super::super) const FUNCTION: u64 = 8;
    pub(in super::super) const VALUES_UNUSED: u64 = 15;
    pub(in super::super) const VSTOFFSET: u64 = 13;
    pub(in super::super) const SOURCE_FILENAME: u64 = 16;
}

/// The record codes of types.
pub(super) mod ty {
    pub(in super::super) const NUMENTRY: u64 = 1;
    pub(in super::super) const VOID: u64 = 2;
    pub(in super::super) const FLOAT: u64 = 3;
    pub(in super::super) const DOUBLE: u64 = 4;
    pub(in super::super) const INTEGER: u64 = 7;
    pub(in super::super) const POINTER: u64 = 8;
    pub(in super::super) const ARRAY: u64 = 11;
    pub(in super::super) const STRUCT_ANON: u64 = 18;
    pub(in super::super) const STRUCT_NAME: u64 = 19;
    pub(in super::super) const STRUCT_NAMED: u64 = 20;
    pub(in super::super) const FUNCTION: u64 = 21;
    pub(in super::super) const OPAQUE_POINTER: u64 = 25;
}

/// The record codes of constants.
pub(super) mod constant {
    pub(in super::super) const SETTYPE: u64 = 1;
    pub(in super::super) const NULL: u64 = 2;
    pub(in super::super) const UNDEF: u64 = 3;
    pub(in super::super) const INTEGER: u64 = 4;
    pub(in super::super) const FLOAT: u64 = 6;
    pub(in super::super) const STRING: u64 = 8;
    pub(in super::super) const CSTRING: u64 = 9;
    pub(in super::super) const CE_INBOUNDS_GEP: u64 = 20;
    pub(in super::super) const DATA: u64 = 22;
    /// The second of four versions, whose type is a pointer's.
    pub(in super::super) const ASM_WITHOUT_TYPE: u64 = 23;
    /// The last version, which begins with its type.
    pub(in super::super) const ASM: u64 = 30;
}

/// The record codes of symbol tables.
pub(super) mod symbol {
    pub(in super::super) const ENTRY: u64 = 1;
    pub(in super::super) const FNENTRY: u64 = 3;
}

/// The record codes of instructions.
pub(super) mod inst {
    pub(in super::super) const DECLAREBLOCKS: u64 = 1;
    pub(in super::super) const BINOP: u64 = 2;
    pub(in super::super) const CAST: u64 = 3;
    pub(in super::super) const RET: u64 = 10;
    pub(in super::super) const BR: u64 = 11;
    pub(in super::super) const PHI: u64 = 16;
    pub(in super::super) const ALLOCA: u64 = 19;
    pub(in super::super) const LOAD: u64 = 20;
    pub(in super::super) const EXTRACTVAL: u64 = 26;
    pub(in super::super) const INSERTVAL: u64 = 27;
    pub(in super::super) const CMP2: u64 = 28;
    pub(in super::super) const VSELECT: u64 = 29;
    pub(in super::super) const CALL: u64 = 34;
    pub(in super::super) const GEP: u64 = 43;
    pub(in super::super) const STORE: u64 = 44;
    /// A call flag: the function's type is explicit.
    pub(in super::super) const EXPLICIT_TYPE: u64 = 1 << 15;
}

/// The size of the first read, which contains a library's declarations and constants.
pub(super) const HEAD_BYTES: usize = 32 * 1024;

/// The approximate number of values in libdevice.
const USUAL_VALUES: usize = 1024;

/// Reads bytes of the bitcode at an offset; `None` if there are fewer than requested.
pub(super) type Read<'a> = dyn Fn(usize, usize) -> Option<Vec<u8>> + 'a;

/// The outermost blocks of a file and of its module.
#[derive(Debug)]
pub(super) struct Library<'a> {
    /// The start of the file, up to the first function body.
    pub(super) head: &'a [u8],
    pub(super) module: Block,
    pub(super) info: BlockInfo,
    /// The remaining blocks.
    pub(super) blocks: Vec<Block>,
    pub(super) types: Vec<Type>,
    /// Functions, variables and constants, by number.
    pub(super) values: Vec<Value>,
    /// The constant blocks, with the numbers of their constants.
    pub(super) constants: Vec<(Range<usize>, Block)>,
    /// The constants of each block, once needed. `None` if they cannot be parsed.
    pub(super) all_constants: OnceCell<Option<Vec<Vec<Constant>>>>,
    /// Whether the names follow the module, as in newer files.
    has_strings: bool,
    /// The string table with the values' names.
    names: Vec<u8>,
    /// The symbol table, which contains names, or at least body offsets.
    symbols: Vec<u8>,
}

/// A block, and the part of the file that contains it.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    pub(super) block: Block,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Void,
    Float,
    Double,
    Integer {
        width: u32,
    },
    /// The pointee in older bitcode, and the address space.
    Pointer {
        to: Option<usize>,
        space: u32,
    },
    Array {
        len: u64,
        of: usize,
    },
    Struct(Vec<usize>),
    Function {
        result: usize,
        parameters: Vec<usize>,
        is_variadic: bool,
    },
    Other,
}

/// The name of a value.
#[derive(Clone, Debug)]
enum Name {
    /// A range of the string table.
    Part(Range<usize>),
    /// Letters of the symbol table.
    Letters(Letters),
}

#[derive(Debug, Default)]
pub(super) struct Value {
    name: Option<Name>,
    pub(super) variable: Option<Variable>,
    pub(super) function: Option<Function>,
}

/// A variable with a known definition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) ty: usize,
    pub(super) space: u32,
    pub(super) is_constant: bool,
    /// The number of its initializer.
    pub(super) initializer: usize,
    /// The alignment in bytes, if specified.
    pub(super) align: u32,
}

#[derive(Debug)]
pub(super) struct Function {
    pub(super) ty: usize,
    pub(super) is_declaration: bool,
    /// The word offset of its body.
    pub(super) body: Option<usize>,
    /// The number of its attribute list, from one.
    pub(super) attributes: usize,
}

impl Piece {
    /// The block at a byte offset of the file; `outer` is the width of ids around it.
    pub(super) fn read(read: &Read<'_>, start: usize, outer: u32) -> Option<Piece> {
        const HEADER_BYTES: usize = 8;
        let header = read(start, HEADER_BYTES)?;
        let Entry::Block(block) = Entries::at(&header, 0, outer).next(&mut Vec::new())?? else { return None };
        let bytes = read(start, block.body.end / 8)?;
        (bytes.len() * 8 == block.body.end).then_some(Piece { bytes, block })
    }
}

impl Variable {
    /// From a record without the name. `None` for variables with the older type encoding, declarations, and
    /// those with a section.
    fn read(fields: &[u64]) -> Option<Variable> {
        const IS_CONSTANT: u64 = 1;
        const HAS_ITS_TYPE: u64 = 2;
        let [ty, flags, initializer, _, align, section, ..] = *fields else { return None };
        if section != 0 {
            return None;
        }
        let (ty, space) = (flags & HAS_ITS_TYPE != 0).then_some((ty as usize, (flags >> 2) as u32))?;
        Some(Variable {
            ty,
            space,
            is_constant: flags & IS_CONSTANT != 0,
            initializer: (initializer as usize).checked_sub(1)?,
            align: exponent(align)?,
        })
    }
}

/// An alignment in bytes, from its binary logarithm plus one; zero if unspecified.
pub(super) fn exponent(field: u64) -> Option<u32> {
    const LARGEST: u64 = 16;
    match field {
        0 => Some(0),
        1..=LARGEST => Some(1 << (field - 1)),
        _ => None,
    }
}

impl<'a> Library<'a> {
    pub(super) fn open(head: &'a [u8], read: &Read<'_>) -> Option<Self> {
        if !head.starts_with(&bitstream::MAGIC) {
            return None;
        }
        let mut entries = Entries::at(head, bitstream::MAGIC.len() * 8, bitstream::OUTERMOST_WIDTH);
        let mut fields = Vec::new();
        let module = loop {
            match entries.next(&mut fields)?? {
                Entry::Block(block) if block.id == block::IDENTIFICATION => {}
                Entry::Block(block) if block.id == block::MODULE => break block,
                _ => return None,
            }
        };
        let mut library = Library {
            head,
            module,
            info: BlockInfo::default(),
            blocks: Vec::new(),
            types: Vec::new(),
            values: Vec::with_capacity(USUAL_VALUES),
            constants: Vec::new(),
            all_constants: OnceCell::new(),
            has_strings: false,
            names: Vec::new(),
            symbols: Vec::new(),
        };
        library.read_module(read)?;
        Some(library)
    }

    fn read_module(&mut self, read: &Read<'_>) -> Option<()> {
        let mut entries = Entries::new(self.head, &self.module, &self.info);
        let mut fields = Vec::new();
        let mut symbols = None;
        loop {
            match entries.next(&mut fields)?? {
                Entry::Abbreviation
                | Entry::Record(module::TRIPLE | module::DATALAYOUT | module::SOURCE_FILENAME) => {}
                Entry::Record(module::VERSION) => match fields[..] {
                    [1] => {}
                    [2] => self.read_strings(read)?,
                    _ => return None,
                },
                Entry::Record(module::VSTOFFSET) => symbols = fields.first().copied(),
                // An obsolete count of metadata.
                Entry::Record(module::VALUES_UNUSED) => {}
                Entry::Record(module::GLOBALVAR) => {
                    let (name, fields) = self.leading_name(&fields)?;
                    self.values.push(Value { name, variable: Variable::read(fields), function: None });
                }
                Entry::Record(module::FUNCTION) => {
                    let (name, fields) = self.leading_name(&fields)?;
                    // Constants of the function: prefix and prologue data, and the personality function.
                    if [10, 13, 14].iter().any(|field| fields.get(*field).is_some_and(|field| *field != 0)) {
                        return None;
                    }
                    let [ty, _, is_declaration, _, attributes, ..] = *fields else { return None };
                    let function = Function {
                        ty: ty as usize,
                        is_declaration: is_declaration != 0,
                        body: None,
                        attributes: attributes as usize,
                    };
                    self.values.push(Value { name, variable: None, function: Some(function) });
                }
                // The bodies of other functions follow.
                Entry::Block(block) if block.id == block::FUNCTION => break,
                Entry::Block(block) => {
                    self.read_block(&block)?;
                    self.blocks.push(block);
                }
                Entry::Record(_) => return None,
            }
        }
        let symbols = Piece::read(read, (symbols? as usize).checked_mul(4)?, self.module.width)?;
        self.read_symbols(symbols)
    }

    /// The name that records of the newer form begin with, and the other fields.
    fn leading_name<'f>(&self, fields: &'f [u64]) -> Option<(Option<Name>, &'f [u64])> {
        if !self.has_strings {
            return Some((None, fields));
        }
        let ([offset, length], fields) = fields.split_first_chunk()?;
        let name = Name::Part(*offset as usize..offset.checked_add(*length)? as usize);
        Some((Some(name), fields))
    }

    fn read_block(&mut self, block: &Block) -> Option<()> {
        match block.id {
            bitstream::BLOCKINFO => self.info.read(self.head, block)?,
            block::TYPE => self.read_types(block)?,
            block::CONSTANTS => {
                let n_constants = count_constants(self.head, block, &self.info)?;
                let first = self.values.len();
                self.values.resize_with(first + n_constants, Value::default);
                self.constants.push((first..self.values.len(), block.clone()));
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
            let record = match entry {
                Entry::Abbreviation | Entry::Record(ty::NUMENTRY | ty::STRUCT_NAME) => continue,
                Entry::Record(code) => code,
                Entry::Block(_) => return None,
            };
            let field = |idx: usize| fields.get(idx).copied();
            let others = |rest: &[u64]| rest.iter().map(|ty| *ty as usize).collect();
            let ty = match record {
                ty::VOID => Type::Void,
                ty::FLOAT => Type::Float,
                ty::DOUBLE => Type::Double,
                ty::INTEGER => Type::Integer { width: u32::try_from(field(0)?).ok()? },
                ty::POINTER => {
                    let space = u32::try_from(field(1).unwrap_or_default()).ok()?;
                    Type::Pointer { to: Some(field(0)? as usize), space }
                }
                ty::OPAQUE_POINTER => Type::Pointer { to: None, space: u32::try_from(field(0)?).ok()? },
                ty::ARRAY => Type::Array { len: field(0)?, of: field(1)? as usize },
                // The first field says whether it is packed.
                ty::STRUCT_ANON | ty::STRUCT_NAMED if field(0)? == 0 => Type::Struct(others(&fields[1..])),
                // Whether it is variadic, the result type, and the parameter types.
                ty::FUNCTION => Type::Function {
                    result: field(1)? as usize,
                    parameters: others(&fields[2..]),
                    is_variadic: field(0)? != 0,
                },
                _ => Type::Other,
            };
            self.types.push(ty);
        }
        Some(())
    }

    /// The string table after the module.
    fn read_strings(&mut self, read: &Read<'_>) -> Option<()> {
        let mut start = self.module.body.end / 8;
        let piece = loop {
            let piece = Piece::read(read, start, bitstream::OUTERMOST_WIDTH)?;
            match piece.block.id {
                block::STRTAB => break piece,
                // It duplicates the module's contents.
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
        self.has_strings = true;
        Some(())
    }

    /// The symbol table in the module.
    fn read_symbols(&mut self, symbols: Piece) -> Option<()> {
        let mut entries = Entries::new(&symbols.bytes, &symbols.block, &self.info).leaving_letters();
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
            if let Some(letters) = entries.letters {
                value.name = Some(Name::Letters(letters));
            } else if !self.has_strings {
                let start = self.names.len();
                self.names.extend(name.iter().map(|byte| *byte as u8));
                value.name = Some(Name::Part(start..self.names.len()));
            }
        }
        self.symbols = symbols.bytes;
        Some(())
    }

    /// Visits the records of the module's outermost blocks of this kind.
    pub(super) fn each_record(&self, id: u64, mut each: impl FnMut(u64, &[u64])) -> Option<()> {
        let mut fields = Vec::new();
        for block in self.blocks.iter().filter(|block| block.id == id) {
            let mut entries = Entries::new(self.head, block, &self.info);
            while let Some(entry) = entries.next(&mut fields)? {
                match entry {
                    Entry::Record(code) => each(code, &fields),
                    Entry::Abbreviation => {}
                    Entry::Block(_) => return None,
                }
            }
        }
        Some(())
    }

    /// The name of a value, which may be empty.
    pub(super) fn name(&self, value: &Value) -> Option<String> {
        let name = match value.name.as_ref()? {
            Name::Part(part) => self.names.get(part.clone())?.to_vec(),
            Name::Letters(letters) => letters.read(&self.symbols),
        };
        String::from_utf8(name).ok()
    }

    /// The number of the function with this name.
    pub(super) fn function(&self, name: &str) -> Option<usize> {
        self.values.iter().position(|value| {
            value.function.is_some()
                && match value.name.as_ref() {
                    Some(Name::Part(part)) => self.names.get(part.clone()) == Some(name.as_bytes()),
                    Some(Name::Letters(letters)) => {
                        letters.len() == name.len() && letters.read(&self.symbols) == name.as_bytes()
                    }
                    None => false,
                }
        })
    }
}

/// The number of constants that a block defines.
fn count_constants(bitcode: &[u8], block: &Block, info: &BlockInfo) -> Option<usize> {
    let mut entries = Entries::new(bitcode, block, info);
    let mut fields = Vec::new();
    let mut n_constants = 0;
    while let Some(entry) = entries.next(&mut fields)? {
        match entry {
            Entry::Abbreviation | Entry::Record(constant::SETTYPE) => {}
            Entry::Record(_) => n_constants += 1,
            Entry::Block(_) => return None,
        }
    }
    Some(n_constants)
}
