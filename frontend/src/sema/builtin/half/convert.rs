//! Constructors and conversions of the half-precision types.
//!
//! `cuda_fp16.h` gives `__half` a constructor of each arithmetic type and a conversion to each, and
//! `__half2` one of two numbers; `cuda_bf16.h` likewise. None of them is `constexpr`.

use thin_vec::ThinVec;

use crate::ast::InitItem;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::builtin::Rounding;
use crate::ir::{
    Conversion, Expr, ExprData, HalfOp, HalfTy, Init, InitData, IntTy, PlaceData, Quals, Ty, TyKind,
};
use crate::sema::Builtins;
use crate::sema::conversion::Target;
use crate::sema::expression::integer_rank::promoted;
use crate::source::Span;

impl Builtins<'_> {
    /// Whether a constructor of the one type, or a conversion of the other, makes the one of the other
    /// without a cast; none where the language's own rules hold.
    pub(in crate::sema) fn converts_by_half(&self, from: Ty, to: Ty) -> bool {
        let types = &self.module.types;
        if types.record(from).is_none() && types.record(to).is_none() {
            return false;
        }
        match (types.half_ty(from), types.half_ty(to)) {
            (None, None) | (Some(_), Some(_)) => false,
            (None, Some(to)) => !to.is_pair() && self.has_constructor(from) || self.is_raw_of(from, to),
            (Some(half), None) => !half.is_pair() && self.has_conversion(to) || self.is_raw_of(to, half),
        }
    }

    pub(super) fn has_constructor(&self, from: Ty) -> bool {
        let types = &self.module.types;
        types.float_ty(from).is_some() || types.int_ty(from).is_some_and(|int| own_int(int).is_some())
    }

    pub(super) fn has_conversion(&self, to: Ty) -> bool {
        match *self.module.types.kind(to) {
            TyKind::Float(_) => true,
            TyKind::Int(int) => matches!(int, IntTy::Bool) || converted_int(int).is_some(),
            _ => false,
        }
    }

    /// The struct of bits that goes with a half-precision type, such as `__half_raw`.
    fn is_raw_of(&self, ty: Ty, half: HalfTy) -> bool {
        let Some(record) = self.module.types.record(ty) else { return false };
        let name = match half {
            HalfTy::Half => "__half_raw",
            HalfTy::Half2 => "__half2_raw",
            HalfTy::Bfloat => "__nv_bfloat16_raw",
            HalfTy::Bfloat2 => "__nv_bfloat162_raw",
        };
        self.module.types.records[record].typedef_name.as_deref() == Some(name)
    }

    /// The value as one of the other type, where [`Self::converts_by_half`].
    pub(in crate::sema) fn convert_by_half(
        &mut self,
        expr: Expr,
        to: Ty,
        target: Target,
    ) -> Result<Expr, Reported> {
        let from = self.ty_of(expr);
        match (self.module.types.half_ty(from), self.module.types.half_ty(to)) {
            (None, Some(half)) if self.is_raw_of(from, half) => Ok(self.same_bits(expr, to)),
            (Some(half), None) if self.is_raw_of(to, half) => Ok(self.same_bits(expr, to)),
            (None, _) => self.construct_half(expr, to, target),
            (Some(_), _) => Ok(self.half_as_number(expr, to)),
        }
    }

    /// The object read as one of another type of the same layout.
    fn same_bits(&mut self, expr: Expr, to: Ty) -> Expr {
        let (from, span) = (self.ty_of(expr), self.span_of(expr));
        let (from_ptr, to_ptr) = (self.module.types.pointer_to(from), self.module.types.pointer_to(to));
        let temporary = self.place(PlaceData::Temporary(expr), from, span);
        let address = self.expr(ExprData::AddrOf(temporary), from_ptr, span);
        let address = self.expressions().conversion(Conversion::PtrToPtr, address, to_ptr);
        let place = self.place(PlaceData::Deref(address), to, span);
        self.expr(ExprData::Load(place), to, span)
    }

    fn construct_half(&mut self, expr: Expr, to: Ty, target: Target) -> Result<Expr, Reported> {
        let (from, span) = (self.ty_of(expr), self.span_of(expr));
        let types = &self.module.types;
        if types.float_ty(from).is_some() {
            let is_double = self.canonical(from) == Ty::DOUBLE;
            let op = if is_double { HalfOp::FromDouble } else { HalfOp::FromFloat(Rounding::Nearest) };
            return Ok(self.half_builtin(op, vec![expr], to, span));
        }
        let is_long =
            matches!(types.int_ty(from), Some(IntTy::Long | IntTy::ULong | IntTy::Long32 | IntTy::ULong32));
        if is_long && matches!(target, Target::Assign) {
            let message = format!("assigning {} to {} is ambiguous", self.show(from), self.show(to));
            let diagnostic = Diagnostic::new(Code::InvalidConversion, span, message)
                .with_note("the type has assignment operators from `long long` but not from `long`")
                .with_help("cast it: `(long long)`");
            return Err(self.sink.error(diagnostic));
        }
        let own = match *types.kind(from) {
            TyKind::Int(int) => own_int(int),
            // What an enum promotes to.
            _ => None,
        };
        let value = match own {
            Some(int) => {
                let ty = self.module.types.intern(TyKind::Int(int), Quals::empty());
                self.conversions().numeric(expr, ty)
            }
            None => {
                let promoted = self.conversions().promote(expr);
                return self.construct_half(promoted, to, target);
            }
        };
        Ok(self.half_builtin(HalfOp::FromInt(Rounding::Nearest), vec![value], to, span))
    }

    pub(super) fn half_as_number(&mut self, expr: Expr, to: Ty) -> Expr {
        let span = self.span_of(expr);
        let own = self.module.types.int_ty(to).and_then(converted_int);
        let value = match own {
            Some(int) => {
                let ty = self.module.types.intern(TyKind::Int(int), Quals::empty());
                self.half_builtin(HalfOp::ToInt(Rounding::Zero), vec![expr], ty, span)
            }
            None => self.half_builtin(HalfOp::ToFloat, vec![expr], Ty::FLOAT, span),
        };
        self.conversions().numeric(value, to)
    }

    /// `(half)b` and `(__nv_bfloat16)h`: between the formats a cast alone leads.
    pub(in crate::sema) fn cast_between_halves(&mut self, expr: Expr, to: Ty) -> Option<Expr> {
        let (from, half) = (self.half_of(expr)?, self.module.types.half_ty(to)?);
        if from == half || from.is_pair() || half.is_pair() {
            return None;
        }
        let span = self.span_of(expr);
        let float = self.half_builtin(HalfOp::ToFloat, vec![expr], Ty::FLOAT, span);
        Some(self.half_builtin(HalfOp::FromFloat(Rounding::Nearest), vec![float], to, span))
    }

    /// The number zero.
    pub(in crate::sema) fn half_zero(&mut self, half: HalfTy, span: Span) -> Expr {
        self.half_number(0, half, span)
    }

    /// The number with these bits, in each place of a pair.
    fn half_number(&mut self, bits: i128, half: HalfTy, span: Span) -> Expr {
        let lane_ty = self.half_ty(half.lane());
        let bits = self.expr(ExprData::int(bits), Ty::USHORT, span);
        let lane = self.half_builtin(HalfOp::FromBits, vec![bits], lane_ty, span);
        if !half.is_pair() {
            return lane;
        }
        let ty = self.half_ty(half);
        self.half_builtin(HalfOp::Both, vec![lane], ty, span)
    }

    /// The one that `++` adds.
    pub(in crate::sema) fn half_one(&mut self, half: HalfTy, span: Span) -> Expr {
        let bits = match half.lane() {
            HalfTy::Half | HalfTy::Half2 => 0x3c00,
            HalfTy::Bfloat | HalfTy::Bfloat2 => 0x3f80,
        };
        self.half_number(bits, half, span)
    }

    /// `half2(a, b)`: each converts to a number.
    pub(in crate::sema) fn half_pair(
        &mut self,
        values: &[Expr],
        ty: Ty,
        span: Span,
    ) -> Result<Expr, Reported> {
        let half = self.module.types.half_ty(ty).filter(|half| half.is_pair());
        let (Some(half), &[low, high]) = (half, values) else {
            let (ty, n_values) = (self.show(ty), values.len());
            let message = format!("no constructor of {ty} accepts {n_values} values");
            return Err(self.error(Code::ExcessInitializers, span, message));
        };
        let lane_ty = self.half_ty(half.lane());
        let low = self.conversions().convert(low, lane_ty, Target::Initialize);
        let high = self.conversions().convert(high, lane_ty, Target::Initialize);
        let ty = self.module.types.unqualified(ty);
        Ok(self.half_builtin(HalfOp::Pair, vec![low?, high?], ty, span))
    }

    /// `{ … }` for a half-precision type: nothing, a value, or the two of a pair.
    pub(in crate::sema) fn check_half_list(
        &mut self,
        ty: Ty,
        items: &[InitItem],
        span: Span,
    ) -> Result<Init, Reported> {
        let values = self.constructor_values(items)?;
        let value = match values[..] {
            [] => return Ok(self.init(InitData::Record(ThinVec::new()), span)),
            [value] => self.conversions().convert(value, ty, Target::Initialize)?,
            [..] => self.half_pair(&values, ty, span)?,
        };
        Ok(self.init(InitData::Expr(value), span))
    }
}

/// The integer type whose constructor takes a value of the type.
pub(super) fn own_int(int: IntTy) -> Option<IntTy> {
    match int {
        IntTy::Short | IntTy::UShort | IntTy::Int | IntTy::UInt | IntTy::LongLong | IntTy::ULongLong => {
            Some(int)
        }
        IntTy::Long => Some(IntTy::LongLong),
        IntTy::ULong => Some(IntTy::ULongLong),
        IntTy::Long32 => Some(IntTy::Int),
        IntTy::ULong32 => Some(IntTy::UInt),
        IntTy::Bool
        | IntTy::Char
        | IntTy::SChar
        | IntTy::UChar
        | IntTy::WChar
        | IntTy::Char16
        | IntTy::Char32 => Some(promoted(int)),
        IntTy::Int128 | IntTy::UInt128 => None,
    }
}

/// The integer type to which the conversion to a type leads first.
fn converted_int(int: IntTy) -> Option<IntTy> {
    match int {
        IntTy::SChar
        | IntTy::UChar
        | IntTy::Short
        | IntTy::UShort
        | IntTy::Int
        | IntTy::UInt
        | IntTy::LongLong
        | IntTy::ULongLong => Some(int),
        IntTy::Char => Some(IntTy::SChar),
        IntTy::Long => Some(IntTy::LongLong),
        IntTy::ULong => Some(IntTy::ULongLong),
        IntTy::Long32 => Some(IntTy::Int),
        IntTy::ULong32 => Some(IntTy::UInt),
        IntTy::Bool | IntTy::WChar | IntTy::Char16 | IntTy::Char32 | IntTy::Int128 | IntTy::UInt128 => None,
    }
}
