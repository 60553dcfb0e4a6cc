//! Lowers the IR's types to LLVM's.
//!
//! A type has up to two LLVM types: as a *value* a `bool` is `i1`, and a record has no type; in *memory* a
//! `bool` is `i8`, and a record is a struct that [`Cx::record_ty`] creates. Sizes, alignments and offsets
//! never come from LLVM: `layout` defines them, and each LLVM type in memory has the size that `layout`
//! determines.

use std::sync::Arc;

use inkwell::context::Context;
use inkwell::types::{AnyType, AnyTypeEnum, BasicType, BasicTypeEnum, FunctionType, IntType};
use weft_frontend::ir::{Field, FloatTy, IntTy, Quals, Record, Scalar, Ty, TyKind, View};
use weft_frontend::layout::{self, FieldLayout, Layout, RecordLayout};

use crate::abi::signature::{Passing, Signature};
use crate::context::Cx;

/// How a type is handled in expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// It has no value.
    Void,
    /// Its values are LLVM values.
    Scalar,
    /// Its values are objects in memory.
    Record,
}

/// A type and its natural LLVM alignment, which is at most the language's.
#[derive(Clone, Copy)]
pub(crate) struct AlignedTy<'ctx> {
    ty: BasicTypeEnum<'ctx>,
    align: u64,
}

impl<'ctx> Cx<'_, 'ctx> {
    /// Size and alignment of a complete type.
    pub(crate) fn layout(&self, ty: Ty) -> Layout {
        layout::layout_of(&self.ir.types, ty).expect("invariant: verified types of objects are complete")
    }

    /// The bytes that a value of the type occupies in memory: fewer than its size for a `long double`.
    pub(crate) fn stored_size(&self, ty: Ty) -> u64 {
        match self.ir.types.float_ty(ty) {
            Some(float) => u64::from(layout::float_bits(float) / 8),
            None => self.layout(ty).size,
        }
    }

    /// The bytes that are written where an object of the type is: those of a part that a base class has are without its padding, in which
    /// members may be.
    pub(crate) fn copied_size(&self, ty: Ty) -> u64 {
        match self.ir.types.view(ty) {
            // In the byte of an empty class another object may be.
            View::Record(_) if self.is_empty(ty) => 0,
            View::Record(record) => self.record_layout(record).own_size,
            View::Array(..) | View::Scalar(_) | View::Void | View::Func(_) | View::Error => {
                self.layout(ty).size
            }
        }
    }

    /// The layout of a complete record.
    pub(crate) fn record_layout(&self, record: Record) -> Arc<RecordLayout> {
        layout::record_layout(&self.ir.types, record).expect("invariant: verified records are complete")
    }

    /// How the type is handled in expressions.
    pub(crate) fn shape(&self, ty: Ty) -> Shape {
        match self.ir.types.view(ty) {
            View::Void => Shape::Void,
            View::Scalar(_) => Shape::Scalar,
            View::Record(_) => Shape::Record,
            View::Array(..) | View::Func(_) | View::Error => {
                unreachable!("invariant: arrays, functions and the poison type have no values")
            }
        }
    }

    /// Whether it is `bool`, or an enum that `bool` represents.
    pub(crate) fn is_bool(&self, ty: Ty) -> bool {
        self.ir.types.int_ty(ty) == Some(IntTy::Bool)
    }

    /// Whether it is an integer or enum type with negative values.
    pub(crate) fn is_signed(&self, ty: Ty) -> bool {
        self.ir.types.int_ty(ty).is_some_and(IntTy::is_signed)
    }

    /// The LLVM type of an integer as a value.
    pub(crate) fn int_ty(&self, int: IntTy) -> IntType<'ctx> {
        match int {
            IntTy::Bool => self.tys.i1,
            IntTy::Char | IntTy::SChar | IntTy::UChar => self.tys.i8,
            IntTy::Short | IntTy::UShort | IntTy::Char16 => self.llvm.i16_type(),
            IntTy::Int | IntTy::UInt | IntTy::Long32 | IntTy::ULong32 | IntTy::WChar | IntTy::Char32 => {
                self.tys.i32
            }
            IntTy::Long | IntTy::ULong | IntTy::LongLong | IntTy::ULongLong => self.tys.i64,
            IntTy::Int128 | IntTy::UInt128 => self.llvm.i128_type(),
        }
    }

    /// The LLVM type of a scalar as a value.
    pub(crate) fn scalar_ty(&self, ty: Ty) -> BasicTypeEnum<'ctx> {
        match self.ir.types.scalar(ty).expect("invariant: only scalars have values in LLVM's sense") {
            Scalar::Int(int) => self.int_ty(int).into(),
            Scalar::Enum(enum_) => self.int_ty(self.ir.types.enums[enum_].underlying).into(),
            Scalar::Float(FloatTy::Float) => self.tys.f32.into(),
            Scalar::Float(FloatTy::Double | FloatTy::LongDouble) => self.tys.f64.into(),
            Scalar::Pointer(_) | Scalar::Reference(..) | Scalar::Nullptr => self.tys.ptr.into(),
            Scalar::Opaque(_) => self.tys.i64.into(),
        }
    }

    /// The LLVM type of an object in memory.
    pub(crate) fn mem_ty(&self, ty: Ty) -> BasicTypeEnum<'ctx> {
        match *self.ir.types.kind(ty) {
            TyKind::Record(record) => self.record_ty(record),
            TyKind::Array(elem, len) => array(self.llvm, self.mem_ty(elem), len.unwrap_or(0)),
            _ if self.is_bool(ty) => self.tys.i8.into(),
            _ => self.scalar_ty(ty),
        }
    }

    /// Whether the type is volatile.
    pub(crate) fn is_volatile(&self, ty: Ty) -> bool {
        self.ir.types.quals(ty).contains(Quals::VOLATILE)
    }

    /// The LLVM type for pointer arithmetic: of the right size, and sized.
    pub(crate) fn step_ty(&self, ty: Ty) -> BasicTypeEnum<'ctx> {
        match self.ir.types.kind(ty) {
            // A GNU extension that nvcc supports: `void` and functions have size 1 in pointer arithmetic.
            TyKind::Void | TyKind::Func(_) => self.tys.i8.into(),
            TyKind::Record(_) | TyKind::Array(..) => self.bytes_ty(self.layout(ty).size),
            _ => self.mem_ty(ty),
        }
    }

    /// An array of bytes.
    pub(crate) fn bytes_ty(&self, size: u64) -> BasicTypeEnum<'ctx> {
        array(self.llvm, self.tys.i8.into(), size)
    }

    /// An array of words of `align` bytes, at most 8, and of bytes for the rest.
    pub(crate) fn words_ty(&self, size: u64, align: u32) -> BasicTypeEnum<'ctx> {
        let (word, n_bytes) = match align {
            1 => (self.llvm.i8_type(), 1),
            2 => (self.llvm.i16_type(), 2),
            4 => (self.llvm.i32_type(), 4),
            _ => (self.llvm.i64_type(), 8),
        };
        let words = array(self.llvm, word.into(), size / n_bytes);
        match size % n_bytes {
            0 => words,
            rest => self.llvm.struct_type(&[words, self.bytes_ty(rest)], true).into(),
        }
    }

    /// The LLVM type of a record in memory: a struct with its members at their offsets if LLVM can express
    /// that, otherwise integers that cover it.
    ///
    /// The type only matters for parameters and results, which LLVM splits into the type's members; it never
    /// determines the offset of a member.
    pub(crate) fn record_ty(&self, record: Record) -> BasicTypeEnum<'ctx> {
        self.aligned_record_ty(record).ty
    }

    // Records are cached: nested records could otherwise take exponential time.
    fn aligned_record_ty(&self, record: Record) -> AlignedTy<'ctx> {
        if let Some(known) = self.records.borrow()[record] {
            return known;
        }
        let layout = self.record_layout(record);
        let ty = self.struct_ty(record, &layout).unwrap_or_else(|| self.cover_ty(layout.layout));
        self.records.borrow_mut()[record] = Some(ty);
        ty
    }

    /// The record as a struct of its members; `None` if they overlap.
    fn struct_ty(&self, record: Record, layout: &RecordLayout) -> Option<AlignedTy<'ctx>> {
        let data = &self.ir.types.records[record];
        let fields = data.fields.as_deref().unwrap_or_default();
        if data.is_union || fields.iter().any(|field| field.bit_width.is_some()) {
            return None;
        }
        let mut members = Vec::with_capacity(fields.len());
        let (mut end, mut align) = (0, 1);
        for (field, &FieldLayout { offset, .. }) in fields.iter().zip(&layout.fields) {
            if matches!(self.ir.types.kind(field.ty), TyKind::Array(_, None)) || self.is_empty_base(field) {
                continue;
            }
            let member = self.aligned_ty(field.ty);
            // Packed: LLVM would move the member. Or it is in the padding of a base.
            if !offset.is_multiple_of(member.align) || offset < end {
                return None;
            }
            self.pad(&mut members, end, offset, member.align);
            members.push(member.ty);
            end = offset + self.layout(field.ty).size;
            align = align.max(member.align);
        }
        // Packed, although LLVM would place all members correctly: for a parameter, LLVM writes the higher of
        // the alignments of the type and the attribute.
        if align > layout.layout.align.into() {
            return None;
        }
        self.pad(&mut members, end, layout.layout.size, align);
        Some(AlignedTy { ty: self.llvm.struct_type(&members, false).into(), align })
    }

    /// Whether the field is the part of a base class without members, which takes no room.
    pub(crate) fn is_empty_base(&self, field: &Field) -> bool {
        field.is_base && self.is_empty(field.ty)
    }

    /// Whether the type is a class without members: nothing is in the byte that an object has.
    pub(crate) fn is_empty(&self, ty: Ty) -> bool {
        layout::is_empty_record(&self.ir.types, ty) == Ok(true)
    }

    /// Fills the gap from `end` to `offset`, unless LLVM's own alignment to `align` does.
    fn pad(&self, members: &mut Vec<BasicTypeEnum<'ctx>>, end: u64, offset: u64, align: u64) {
        if end.next_multiple_of(align) != offset {
            members.push(self.bytes_ty(offset - end));
        }
    }

    fn aligned_ty(&self, ty: Ty) -> AlignedTy<'ctx> {
        match *self.ir.types.kind(ty) {
            TyKind::Record(record) => self.aligned_record_ty(record),
            TyKind::Array(elem, _) => AlignedTy { ty: self.mem_ty(ty), align: self.aligned_ty(elem).align },
            _ => AlignedTy {
                ty: self.mem_ty(ty),
                align: self.layout(self.ir.types.canonical(ty)).align.into(),
            },
        }
    }

    /// Integers as wide as the alignment allows that cover the size.
    fn cover_ty(&self, Layout { size, align }: Layout) -> AlignedTy<'ctx> {
        let unit = u64::from(align.min(8));
        let int = match unit {
            1 => self.tys.i8,
            2 => self.llvm.i16_type(),
            4 => self.tys.i32,
            _ => self.tys.i64,
        };
        let ty = self.llvm.struct_type(&[array(self.llvm, int.into(), size / unit)], false).into();
        AlignedTy { ty, align: unit }
    }

    /// The LLVM type of a variable or parameter: at least one byte.
    pub(crate) fn passed_ty(&self, ty: Ty) -> BasicTypeEnum<'ctx> {
        if self.layout(ty).size == 0 { self.bytes_ty(1) } else { self.mem_ty(ty) }
    }

    /// The LLVM type of a result in memory. LLVM returns it element by element: a type that is copied as
    /// memory has few and wide elements.
    pub(crate) fn returned_ty(&self, ty: Ty) -> BasicTypeEnum<'ctx> {
        if self.parts(ty).is_some() {
            return self.passed_ty(ty);
        }
        let Layout { size, align } = self.layout(ty);
        self.words_ty(size, align.min(self.widest_scalar(ty) as u32))
    }

    /// The LLVM type of a parameter in memory with this alignment, which determines the elements that a call
    /// copies.
    pub(crate) fn byval_ty(&self, ty: Ty, align: u32) -> AnyTypeEnum<'ctx> {
        let is_memory = self.parts(ty).is_none();
        let ty = if is_memory { self.words_ty(self.layout(ty).size, align) } else { self.passed_ty(ty) };
        ty.as_any_type_enum()
    }

    /// The size of a member; a flexible array member has size 0.
    pub(crate) fn member_size(&self, ty: Ty) -> u64 {
        layout::size_of(&self.ir.types, ty).unwrap_or(0)
    }

    /// The step of pointer arithmetic on this type, in bytes.
    pub(crate) fn step_size(&self, ty: Ty) -> u64 {
        match self.ir.types.kind(ty) {
            TyKind::Void | TyKind::Func(_) => 1,
            _ => self.layout(ty).size,
        }
    }

    /// The LLVM type of a function.
    pub(crate) fn function_ty(&self, func: Ty, signature: &Signature) -> FunctionType<'ctx> {
        let func = self.ir.types.func(func).expect("invariant: a function has a function type");
        let hidden = (0..signature.n_hidden_params()).map(|_| self.tys.ptr.into());
        let params = func.params.iter().zip(&signature.params).map(|(&ty, passing)| match passing {
            Passing::Memory { .. } | Passing::Indirect { .. } => self.tys.ptr.into(),
            Passing::Void | Passing::Direct { .. } => self.scalar_ty(ty).into(),
        });
        let params: Vec<_> = hidden.chain(params).collect();
        match signature.ret {
            Passing::Void | Passing::Indirect { .. } => self.llvm.void_type().fn_type(&params, func.variadic),
            Passing::Direct { .. } => self.scalar_ty(func.ret).fn_type(&params, func.variadic),
            Passing::Memory { .. } => self.returned_ty(func.ret).fn_type(&params, func.variadic),
        }
    }
}

/// An array type of any length; inkwell's lengths have 32 bits, so a longer one is an array of arrays.
fn array<'ctx>(llvm: &'ctx Context, elem: BasicTypeEnum<'ctx>, len: u64) -> BasicTypeEnum<'ctx> {
    match u32::try_from(len) {
        Ok(len) => elem.array_type(len).into(),
        Err(_) => {
            let chunk = 1_u64 << 31;
            let whole = array(llvm, elem.array_type(1 << 31).into(), len / chunk);
            match (len % chunk) as u32 {
                0 => whole,
                rest => {
                    let members = [whole, elem.array_type(rest).into()];
                    llvm.struct_type(&members, true).into()
                }
            }
        }
    }
}
