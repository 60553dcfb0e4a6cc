//! Decodes the body of a library function: instructions whose operands are the numbers of values.
//!
//! It supports the part of function blocks (LLVM Bitcode File Format) that mathematical functions use. Anything else makes
//! the result `None`.

use weft_frontend::ir::Unroll;

use super::bitstream::{self, Block, Entries, Entry};
use super::library::{Function, Library, Piece, Type, block, constant, exponent, inst};

/// A function's body. Values are numbered in this order: those of the library, parameters, constants,
/// instructions.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) first_constant: usize,
    pub(super) constants: Vec<Constant>,
    pub(super) blocks: Vec<Vec<Instruction>>,
    /// The number of instructions with a value.
    pub(super) n_values: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub(super) ty: usize,
    pub(super) data: ConstantData,
}

#[derive(Clone, Debug)]
pub(super) enum ConstantData {
    Null,
    Undef,
    Integer(i64),
    /// Its bits.
    Float(u64),
    /// The bits of an array's elements.
    Elements(Vec<u64>),
    Asm(Asm),
    /// The address of an element of a variable: the type's number, and the numbers of the variable and the
    /// indices.
    Address(usize, Vec<usize>),
    Other,
}

#[derive(Clone, Debug)]
pub(super) struct Asm {
    pub(super) has_effect: bool,
    pub(super) text: Vec<u8>,
    pub(super) constraints: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Instruction {
    pub(super) operation: Operation,
    /// Its number, if it is a value.
    pub(super) number: Option<usize>,
    /// The unroll factor of a loop, if this branches back to its beginning.
    pub(super) unroll: Option<Unroll>,
}

/// Operands are value numbers, targets block numbers, types type numbers.
#[derive(Debug)]
pub(super) enum Operation {
    Binary { code: u64, flags: u64, left: usize, right: usize },
    Cast { code: u64, value: usize, ty: usize },
    Extract { from: usize, index: u32 },
    Insert { into: usize, value: usize, index: u32 },
    Element { is_inbounds: bool, ty: usize, base: usize, indices: Vec<usize> },
    Load { ty: usize, address: usize, align: u32 },
    Store { address: usize, value: usize, align: u32 },
    Alloca { ty: usize, align: u32 },
    Compare { predicate: u64, left: usize, right: usize },
    Select { condition: usize, then: usize, otherwise: usize },
    Phi { ty: usize, incoming: Vec<(usize, usize)> },
    Call { ty: usize, callee: usize, arguments: Vec<usize>, attributes: usize },
    Return(Option<usize>),
    Branch(usize),
    Choose { condition: usize, then: usize, otherwise: usize },
}

impl Operation {
    fn is_end(&self) -> bool {
        matches!(self, Operation::Return(_) | Operation::Branch(_) | Operation::Choose { .. })
    }
}

/// The index of the instruction, the number of the metadata kind, and the number of the node.
type Attachment = (usize, u64, usize);

impl Library<'_> {
    /// Decodes a function's body.
    pub(super) fn decode(&self, function: &Function, piece: &Piece) -> Option<Body> {
        let Type::Function { parameters, .. } = self.types.get(function.ty)? else { return None };
        let first_constant = self.values.len() + parameters.len();
        let mut body = Body { first_constant, constants: Vec::new(), blocks: Vec::new(), n_values: 0 };
        let mut attachments: Vec<Attachment> = Vec::new();
        let mut n_values = first_constant;
        let (mut n_blocks, mut block) = (0, Vec::new());
        let mut entries = Entries::new(&piece.bytes, &piece.block, &self.info);
        let mut fields = Vec::new();
        while let Some(entry) = entries.next(&mut fields)? {
            match entry {
                Entry::Block(inner) if inner.id == block::CONSTANTS => {
                    if n_values != first_constant + body.constants.len() {
                        return None;
                    }
                    self.constants_of(&piece.bytes, &inner, &mut body.constants)?;
                    n_values = first_constant + body.constants.len();
                }
                Entry::Block(inner) if inner.id == block::METADATA_ATTACHMENT => {
                    self.read_attachments(piece, &inner, &mut attachments)?;
                }
                Entry::Block(inner) if [block::VALUE_SYMTAB, block::USELIST].contains(&inner.id) => {}
                Entry::Block(_) => return None,
                Entry::Abbreviation => {}
                Entry::Record(inst::DECLAREBLOCKS) => n_blocks = *fields.first()? as usize,
                Entry::Record(code) => {
                    let operation = self.operation(code, &fields, n_values)?;
                    let number = self.is_value(&operation)?.then_some(n_values);
                    n_values += usize::from(number.is_some());
                    let is_end = operation.is_end();
                    block.push(Instruction { operation, number, unroll: None });
                    if is_end {
                        body.blocks.push(std::mem::take(&mut block));
                    }
                }
            }
        }
        if body.blocks.len() != n_blocks || !block.is_empty() {
            return None;
        }
        body.n_values = n_values - first_constant - body.constants.len();
        self.attach(&mut body, &attachments)?;
        Some(body)
    }

    /// The constants of a block. Unsupported kinds take a number, too.
    pub(super) fn constants_of(&self, bytes: &[u8], block: &Block, into: &mut Vec<Constant>) -> Option<()> {
        let mut entries = Entries::new(bytes, block, &self.info);
        let mut fields = Vec::new();
        let mut ty = usize::MAX;
        while let Some(entry) = entries.next(&mut fields)? {
            let code = match entry {
                Entry::Abbreviation => continue,
                Entry::Record(constant::SETTYPE) => {
                    ty = *fields.first()? as usize;
                    continue;
                }
                Entry::Record(code) => code,
                Entry::Block(_) => return None,
            };
            let field = || fields.first().copied();
            let data = match code {
                constant::NULL => ConstantData::Null,
                constant::UNDEF => ConstantData::Undef,
                constant::INTEGER => ConstantData::Integer(signed(field()?)),
                constant::FLOAT => ConstantData::Float(field()?),
                constant::DATA | constant::STRING => ConstantData::Elements(fields.clone()),
                constant::CSTRING => ConstantData::Elements(fields.iter().copied().chain([0]).collect()),
                constant::ASM_WITHOUT_TYPE | constant::ASM => {
                    let fields = if code == constant::ASM { fields.get(1..)? } else { &fields[..] };
                    Asm::read(fields).map_or(ConstantData::Other, ConstantData::Asm)
                }
                constant::CE_INBOUNDS_GEP => {
                    let mut operands =
                        fields[fields.len() % 2..].chunks_exact(2).map(|pair| pair[1] as usize);
                    let address = operands.next().map(|base| ConstantData::Address(base, operands.collect()));
                    address.unwrap_or(ConstantData::Other)
                }
                _ => ConstantData::Other,
            };
            into.push(Constant { ty, data });
        }
        Some(())
    }

    fn operation(&self, code: u64, fields: &[u64], n_values: usize) -> Option<Operation> {
        // Relative to this value; forward references have another form.
        let value = |field: &u64| n_values.checked_sub(*field as usize).filter(|value| *value < n_values);
        Some(match (code, fields) {
            (inst::BINOP, [left, right, code, flags @ ..]) if flags.len() < 2 => Operation::Binary {
                code: *code,
                flags: flags.first().copied().unwrap_or_default(),
                left: value(left)?,
                right: value(right)?,
            },
            (inst::CAST, [operand, ty, code]) => {
                Operation::Cast { code: *code, value: value(operand)?, ty: *ty as usize }
            }
            (inst::EXTRACTVAL, [from, index]) => {
                Operation::Extract { from: value(from)?, index: u32::try_from(*index).ok()? }
            }
            (inst::INSERTVAL, [into, operand, index]) => Operation::Insert {
                into: value(into)?,
                value: value(operand)?,
                index: u32::try_from(*index).ok()?,
            },
            (inst::GEP, [flags @ (0 | 1 | 3), ty, base, indices @ ..]) => Operation::Element {
                // An inbounds access does not wrap, which newer bitcode states explicitly.
                is_inbounds: *flags != 0,
                ty: *ty as usize,
                base: value(base)?,
                indices: indices.iter().map(value).collect::<Option<_>>()?,
            },
            (inst::LOAD, [address, ty, align, 0]) => {
                Operation::Load { ty: *ty as usize, address: value(address)?, align: exponent(*align)? }
            }
            (inst::STORE, [address, operand, align, 0]) => Operation::Store {
                address: value(address)?,
                value: value(operand)?,
                align: exponent(*align)?,
            },
            (inst::ALLOCA, [ty, _, _, flags]) => {
                const ALIGN: u64 = 0x1f;
                const HAS_ITS_TYPE: u64 = 1 << 6;
                if flags & !ALIGN != HAS_ITS_TYPE {
                    return None;
                }
                Operation::Alloca { ty: *ty as usize, align: exponent(flags & ALIGN)? }
            }
            (inst::CMP2, [left, right, predicate]) => {
                Operation::Compare { predicate: *predicate, left: value(left)?, right: value(right)? }
            }
            (inst::VSELECT, [then, otherwise, condition]) => Operation::Select {
                condition: value(condition)?,
                then: value(then)?,
                otherwise: value(otherwise)?,
            },
            (inst::PHI, [ty, incoming @ ..]) if incoming.len().is_multiple_of(2) => {
                // The lowest bit is the sign, since forward references are possible.
                let incoming = incoming.chunks_exact(2).map(|pair| {
                    let distance = (pair[0] >> 1) as usize;
                    let value = if pair[0] & 1 == 0 {
                        n_values.checked_sub(distance)
                    } else {
                        n_values.checked_add(distance)
                    };
                    Some((value?, pair[1] as usize))
                });
                Operation::Phi { ty: *ty as usize, incoming: incoming.collect::<Option<_>>()? }
            }
            (inst::CALL, [attributes, flags, ty, callee, arguments @ ..]) => {
                // Whether it may be a tail call does not matter here.
                const TAIL: u64 = 1;
                if flags & !TAIL != inst::EXPLICIT_TYPE {
                    return None;
                }
                Operation::Call {
                    ty: *ty as usize,
                    callee: value(callee)?,
                    arguments: arguments.iter().map(value).collect::<Option<_>>()?,
                    attributes: *attributes as usize,
                }
            }
            (inst::RET, []) => Operation::Return(None),
            (inst::RET, [operand]) => Operation::Return(Some(value(operand)?)),
            (inst::BR, [target]) => Operation::Branch(*target as usize),
            (inst::BR, [then, otherwise, condition]) => Operation::Choose {
                condition: value(condition)?,
                then: *then as usize,
                otherwise: *otherwise as usize,
            },
            _ => return None,
        })
    }

    fn is_value(&self, operation: &Operation) -> Option<bool> {
        match operation {
            Operation::Call { ty, .. } => {
                let Type::Function { result, .. } = self.types.get(*ty)? else { return None };
                Some(*self.types.get(*result)? != Type::Void)
            }
            Operation::Store { .. }
            | Operation::Return(_)
            | Operation::Branch(_)
            | Operation::Choose { .. } => Some(false),
            _ => Some(true),
        }
    }

    fn read_attachments(&self, piece: &Piece, block: &Block, into: &mut Vec<Attachment>) -> Option<()> {
        let mut entries = Entries::new(&piece.bytes, block, &self.info);
        let mut fields = Vec::new();
        while let Some(entry) = entries.next(&mut fields)? {
            if let Entry::Record(_) = entry {
                // Attachments of the function itself have an even number of fields.
                let (1, [instruction, pairs @ ..]) = (fields.len() % 2, &fields[..]) else { return None };
                into.extend(
                    pairs.chunks_exact(2).map(|pair| (*instruction as usize, pair[0], pair[1] as usize)),
                );
            }
        }
        Some(())
    }

    /// Records the loop metadata of attachments.
    fn attach(&self, body: &mut Body, attachments: &[Attachment]) -> Option<()> {
        if attachments.is_empty() {
            return Some(());
        }
        let loops = self.kind(b"llvm.loop")?;
        for (number, _, node) in attachments.iter().filter(|(_, kind, _)| *kind == loops) {
            let count = self.unroll(*node)?;
            let mut instructions = body.blocks.iter_mut().flatten();
            instructions.nth(*number)?.unroll = Some(count);
        }
        Some(())
    }

    /// The number of a kind of metadata.
    fn kind(&self, name: &[u8]) -> Option<u64> {
        let mut kind = None;
        self.each_record(block::METADATA_KIND, |_, fields| {
            if let [number, letters @ ..] = fields
                && letters.iter().copied().eq(name.iter().copied().map(u64::from))
            {
                kind = Some(*number);
            }
        })?;
        kind
    }

    /// The unroll factor of a loop, from its metadata node.
    fn unroll(&self, node: usize) -> Option<Unroll> {
        const STRING: u64 = 1;
        const VALUE: u64 = 2;
        const NODE: u64 = 3;
        const NAME: u64 = 4;
        const DISTINCT_NODE: u64 = 5;
        const NAMED_NODE: u64 = 10;
        const STRINGS: u64 = 35;
        // The offsets of nodes in newer bitcode.
        const INDEX_OFFSET: u64 = 38;
        const INDEX: u64 = 39;
        let mut nodes: Vec<(u64, Vec<u64>)> = Vec::new();
        self.each_record(block::METADATA, |code, fields| match code {
            NAME | NAMED_NODE | INDEX_OFFSET | INDEX => {}
            STRINGS => {
                let strings = self.strings(fields).unwrap_or_default();
                nodes.extend(strings.into_iter().map(|letters| (STRING, letters)));
            }
            code => nodes.push((code, fields.to_vec())),
        })?;
        // Operand numbers begin with one; the first operand is the node itself.
        let operand = |number: u64| nodes.get((number as usize).checked_sub(1)?);
        let Some((DISTINCT_NODE, operands)) = nodes.get(node) else { return None };
        let [_, hint] = operands[..] else { return None };
        let Some((NODE, hint)) = operand(hint) else { return None };
        let [word, count] = hint[..] else { return None };
        let (Some((STRING, word)), Some((VALUE, count))) = (operand(word), operand(count)) else {
            return None;
        };
        if !word.iter().copied().eq(b"llvm.loop.unroll.count".iter().copied().map(u64::from)) {
            return None;
        }
        let [_, count] = count[..] else { return None };
        let ConstantData::Integer(count) = self.constant(count as usize)?.data else { return None };
        Unroll::by(u32::try_from(count).ok()?)
    }

    /// The letters of the strings in a record: their number, the offset of the letters, and the bytes, which
    /// begin with the lengths.
    fn strings(&self, fields: &[u64]) -> Option<Vec<Vec<u64>>> {
        let [n_strings, first, start, n_bytes] = *fields else { return None };
        let bytes = self.head.get(start as usize..)?.get(..n_bytes as usize)?;
        let (lengths, mut letters) = bytes.split_at_checked(first as usize)?;
        let lengths = bitstream::lengths(lengths, n_strings as usize)?;
        let mut strings = Vec::new();
        for length in lengths {
            let (string, rest) = letters.split_at_checked(length)?;
            strings.push(string.iter().copied().map(u64::from).collect());
            letters = rest;
        }
        Some(strings)
    }

    /// A constant of the library.
    pub(super) fn constant(&self, number: usize) -> Option<&Constant> {
        let blocks = self.all_constants.get_or_init(|| {
            let decoded = self.constants.iter().map(|(numbers, block)| {
                let mut constants = Vec::new();
                self.constants_of(self.head, block, &mut constants)?;
                (constants.len() == numbers.len()).then_some(constants)
            });
            decoded.collect()
        });
        let idx = self.constants.iter().position(|(numbers, _)| numbers.contains(&number))?;
        blocks.as_ref()?[idx].get(number - self.constants[idx].0.start)
    }
}

impl Asm {
    /// Flags, the text and the constraints, each with its length. `None` for another dialect, or if the stack
    /// must be aligned.
    fn read(fields: &[u64]) -> Option<Asm> {
        let [flags @ 0..=1, n_bytes, rest @ ..] = fields else { return None };
        let (text, rest) = rest.split_at_checked(*n_bytes as usize)?;
        let [n_bytes, constraints @ ..] = rest else { return None };
        let bytes = |letters: &[u64]| letters.iter().map(|letter| *letter as u8).collect();
        (constraints.len() == *n_bytes as usize).then(|| Asm {
            has_effect: *flags == 1,
            text: bytes(text),
            constraints: bytes(constraints),
        })
    }
}

/// A number with its sign in the lowest bit. Negative zero encodes the minimum.
fn signed(field: u64) -> i64 {
    match (field >> 1) as i64 {
        0 if field == 1 => i64::MIN,
        magnitude if field & 1 == 0 => magnitude,
        magnitude => -magnitude,
    }
}
