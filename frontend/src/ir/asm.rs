//! Inline PTX (Inline PTX Assembly in CUDA).
//!
//! **Invariants** (checked by `verify`): each operand that the text names exists; an operand has a type of its
//! register's size and kind; an output is a place that may be written.

use std::ops::Range;

use thin_vec::ThinVec;

use super::{Expr, FloatTy, Place, Scalar, Ty, TypeTable};
use crate::layout;
use crate::source::Span;

/// An `asm` statement: the places of the outputs are evaluated first, then the inputs, then read-write outputs
/// are read; the outputs are written in order.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The text, in order.
    pub pieces: ThinVec<AsmPiece>,
    /// The outputs.
    pub outputs: ThinVec<AsmOutput>,
    /// The inputs.
    pub inputs: ThinVec<AsmInput>,
    /// It has other effects than its outputs: it has no outputs, or `volatile` or a `"memory"` clobber.
    pub has_effects: bool,
    /// Where the template, the value of its string literals, is in the source.
    pub places: ThinVec<AsmPlace>,
}

/// A part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsmPiece {
    /// Its kind.
    pub data: AsmPieceData,
    /// Its bytes in the template.
    pub template: Range<u32>,
}

/// The kind of a part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AsmPieceData {
    /// Literal text.
    Text(Box<str>),
    /// The register of an operand: of the outputs and then the inputs.
    Operand(u32),
    /// A number unique to this copy of the `asm`.
    Unique,
}

/// Where the bytes of the template, from one on, are in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsmPlace {
    /// The first of them.
    pub from: u32,
    /// From the first one to the end of its literal; where they are not written byte by byte, the whole literal, which
    /// stands for each.
    pub span: Span,
    /// Whether they are written byte by byte.
    pub is_exact: bool,
}

/// What an `asm` writes.
#[derive(Clone, Copy, Debug)]
pub struct AsmOutput {
    /// The target. Not const.
    pub place: Place,
    /// In which register.
    pub register: AsmRegister,
    /// `+`: the register has the place's value before.
    pub is_read: bool,
    /// `&`: it is written before all inputs have been read.
    pub is_early: bool,
    /// Its number in the program's text.
    pub number: u32,
}

/// What an `asm` reads.
#[derive(Clone, Copy, Debug)]
pub struct AsmInput {
    /// Its value.
    pub value: Expr,
    /// In which register.
    pub register: AsmRegister,
    /// Its number in the program's text: operands without a register count too.
    pub number: u32,
}

/// Registers by their constraints (Inline PTX Assembly in CUDA, "Constraints").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AsmRegister {
    /// `h`: `.u16`
    Short,
    /// `r`: `.u32`
    Word,
    /// `l`: `.u64`
    Long,
    /// `q`: `.b128`
    Quad,
    /// `f`: `.f32`
    Float,
    /// `d`: `.f64`
    Double,
}

impl AsmRegister {
    /// All of them.
    pub const ALL: [AsmRegister; 6] = [
        AsmRegister::Short,
        AsmRegister::Word,
        AsmRegister::Long,
        AsmRegister::Quad,
        AsmRegister::Float,
        AsmRegister::Double,
    ];

    /// The letter of its constraint.
    pub fn letter(self) -> char {
        match self {
            AsmRegister::Short => 'h',
            AsmRegister::Word => 'r',
            AsmRegister::Long => 'l',
            AsmRegister::Quad => 'q',
            AsmRegister::Float => 'f',
            AsmRegister::Double => 'd',
        }
    }

    /// The type in which PTX declares it, without the dot.
    pub fn ptx_type(self) -> &'static str {
        match self {
            AsmRegister::Short => "b16",
            AsmRegister::Word => "b32",
            AsmRegister::Long => "b64",
            AsmRegister::Quad => "b128",
            AsmRegister::Float => "f32",
            AsmRegister::Double => "f64",
        }
    }

    /// Its size in bytes.
    pub fn size(self) -> u64 {
        match self {
            AsmRegister::Short => 2,
            AsmRegister::Word | AsmRegister::Float => 4,
            AsmRegister::Long | AsmRegister::Double => 8,
            AsmRegister::Quad => 16,
        }
    }

    /// Whether it holds a floating-point number.
    pub fn is_float(self) -> bool {
        matches!(self, AsmRegister::Float | AsmRegister::Double)
    }

    /// Whether nvcc accepts values of the type in it; there is no conversion.
    pub fn takes(self, types: &TypeTable, ty: Ty) -> bool {
        AsmRegister::of(types, ty) == Some(self)
    }

    /// The register for values of the type.
    pub fn of(types: &TypeTable, ty: Ty) -> Option<AsmRegister> {
        match types.scalar(ty)? {
            Scalar::Float(FloatTy::Float) => Some(AsmRegister::Float),
            Scalar::Float(FloatTy::Double | FloatTy::LongDouble) => Some(AsmRegister::Double),
            Scalar::Int(_) | Scalar::Enum(_) | Scalar::Pointer(_) => {
                let size = layout::size_of(types, ty).ok()?;
                let of_ints = AsmRegister::ALL.into_iter().filter(|register| !register.is_float());
                of_ints.into_iter().find(|register| register.size() == size)
            }
            Scalar::Nullptr | Scalar::Opaque(_) | Scalar::Reference(..) => None,
        }
    }
}

impl Asm {
    /// How many operands the text can name.
    pub fn n_operands(&self) -> usize {
        self.outputs.len() + self.inputs.len()
    }

    /// The registers of the operands that the text can name, in order.
    pub fn registers(&self) -> impl Iterator<Item = AsmRegister> + '_ {
        let outputs = self.outputs.iter().map(|output| output.register);
        outputs.chain(self.inputs.iter().map(|input| input.register))
    }

    /// Where bytes of the template are written.
    pub fn span_of(&self, template: Range<u32>) -> Span {
        let first = span_at(&self.places, template.start);
        if template.is_empty() {
            return first.start();
        }
        first.to(span_at(&self.places, template.end - 1))
    }
}

/// Where a byte of a template is written.
pub(crate) fn span_at(places: &[AsmPlace], byte_idx: u32) -> Span {
    let idx = places.partition_point(|place| place.from <= byte_idx);
    let Some(place) = idx.checked_sub(1).map(|idx| places[idx]) else { return Span::default() };
    if !place.is_exact {
        return place.span;
    }
    let lo = place.span.lo + (byte_idx - place.from);
    // The escape sequence begins after the last byte before it.
    let hi = match places.get(idx) {
        Some(next) if next.from == byte_idx + 1 && next.span.hi == place.span.hi => next.span.lo,
        _ => lo + 1,
    };
    Span::new(lo, hi)
}
