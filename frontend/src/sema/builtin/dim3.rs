//! The constructors of `dim3`, which CUDA's headers declare.
//!
//! CUDA declares `dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)`, `dim3(uint3)` and the
//! conversion back to `uint3`. So a `dim3` that nobody initializes is (1, 1, 1), a number converts
//! to one, and the two structs convert to each other; and a `dim3` is no aggregate, which takes
//! nothing from the list around it.

use thin_vec::ThinVec;

use crate::ast::{ExprId, InitItem};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Conversion, Expr, ExprData, Init, InitData, PlaceData, Record, Ty, TyKind};
use crate::sema::Builtins;
use crate::sema::conversion::Target;
use crate::source::Span;

impl Builtins<'_> {
    pub(in crate::sema) fn is_dim3(&self, record: Record) -> bool {
        self.known.builtin_records.is_some_and(|records| records.dim3.0 == record)
    }

    pub(in crate::sema) fn is_dim3_ty(&self, ty: Ty) -> bool {
        self.module.types.record(ty).is_some_and(|record| self.is_dim3(record))
    }

    /// One of the two is a `dim3`, the other what converts to and from it.
    pub(in crate::sema) fn converts_by_dim3(&self, from: Ty, to: Ty) -> bool {
        let Some(records) = self.known.builtin_records else { return false };
        let is_uint3 = |ty| self.same(ty, records.uint3);
        let (from, to) = (self.canonical(from), self.canonical(to));
        let is_number =
            matches!(self.module.types.kind(from), TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_));
        self.is_dim3_ty(to) && (is_uint3(from) || is_number) || is_uint3(to) && self.is_dim3_ty(from)
    }

    /// The value as one of the other type, where [`Self::converts_by_dim3`].
    pub(in crate::sema) fn convert_by_dim3(&mut self, expr: Expr, to: Ty) -> Result<Expr, Reported> {
        let span = self.span_of(expr);
        let from = self.ty_of(expr);
        if self.module.types.record(from).is_none() {
            return self.dim3_of(vec![expr], to, span);
        }
        // `threadIdx` and the like stay what registers hold.
        if matches!(self.arena.exprs[expr].data, ExprData::Record(_)) {
            self.arena.exprs[expr].ty = to;
            return Ok(expr);
        }
        // Both are three `unsigned`s: the one is read as the other.
        let (from_ptr, to_ptr) = (self.module.types.pointer_to(from), self.module.types.pointer_to(to));
        let temporary = self.place(PlaceData::Temporary(expr), from, span);
        let address = self.expr(ExprData::AddrOf(temporary), from_ptr, span);
        let address = self.expressions().conversion(Conversion::PtrToPtr, address, to_ptr);
        let place = self.place(PlaceData::Deref(address), to, span);
        Ok(self.expr(ExprData::Load(place), to, span))
    }

    /// `dim3(x, y, z)`, of which some may be left out.
    pub(in crate::sema) fn dim3_of(
        &mut self,
        values: Vec<Expr>,
        ty: Ty,
        span: Span,
    ) -> Result<Expr, Reported> {
        if let Some(&extra) = values.get(3) {
            let message =
                format!("excess elements in `dim3` initializer: expected at most 3, have {}", values.len());
            return Err(self.cx.error(Code::ExcessInitializers, self.span_of(extra), message));
        }
        let values: Vec<_> = values
            .into_iter()
            .map(|value| self.conversions().convert(value, Ty::UINT, Target::Initialize))
            .collect();
        let mut fields: Vec<Expr> = values.into_iter().collect::<Result<_, _>>()?;
        while fields.len() < 3 {
            fields.push(self.expr(ExprData::int(1), Ty::UINT, span));
        }
        let ty = self.module.types.unqualified(ty);
        Ok(self.expr(ExprData::Record(fields.into()), ty, span))
    }

    /// `T name(a, b)`: several values in parentheses, which a constructor alone takes.
    pub(in crate::sema) fn check_parenthesized(
        &mut self,
        ty: Ty,
        args: &[ExprId],
        span: Span,
    ) -> Result<Init, Reported> {
        let values: Vec<_> = args.iter().map(|&arg| self.expressions().check_rvalue(arg)).collect();
        let values: Vec<Expr> = values.into_iter().collect::<Result<_, _>>()?;
        if self.module.types.half_ty(ty).is_some() {
            let value = self.half_pair(&values, ty, span)?;
            return Ok(self.init(InitData::Expr(value), span));
        }
        if self.is_class(ty) && !values.is_empty() {
            let value = self.construct_class(&values, ty, span)?;
            return Ok(self.init(InitData::Expr(value), span));
        }
        if !self.is_dim3_ty(ty) {
            let message = "initialization by a parenthesized list of values is not supported";
            let diagnostic = Diagnostic::new(Code::UnsupportedInitializer, span, message)
                .with_help("use braces: `= { … }`");
            return Err(self.sink.error(diagnostic));
        }
        let value = self.dim3_of(values, ty, span)?;
        Ok(self.dim3_init(value, span))
    }

    /// `{x, y, z}` for a `dim3`.
    pub(in crate::sema) fn check_dim3_list(
        &mut self,
        ty: Ty,
        items: &[InitItem],
        span: Span,
    ) -> Result<Init, Reported> {
        let values = self.constructor_values(items)?;
        if let [value] = values[..]
            && self.module.types.record(self.ty_of(value)).is_some()
        {
            let value = self.conversions().convert(value, ty, Target::Initialize)?;
            return Ok(self.init(InitData::Expr(value), span));
        }
        for &value in &values {
            self.conversions().check_narrowing(value, Ty::UINT)?;
        }
        let value = self.dim3_of(values, ty, span)?;
        Ok(self.dim3_init(value, span))
    }

    /// The components of the value, one by one: constants stay constants.
    fn dim3_init(&mut self, value: Expr, span: Span) -> Init {
        let ExprData::Record(fields) = self.arena.exprs[value].data.clone() else {
            return self.init(InitData::Expr(value), span);
        };
        let mut members = ThinVec::new();
        for (idx, field) in (0..).zip(fields) {
            let at = self.span_of(field);
            members.push((idx, self.init(InitData::Expr(field), at)));
        }
        self.init(InitData::Record(members), span)
    }

    /// A `dim3` without an initializer.
    pub(in crate::sema) fn default_dim3(&mut self, ty: Ty, span: Span) -> Result<Init, Reported> {
        let value = self.dim3_of(Vec::new(), ty, span)?;
        Ok(self.dim3_init(value, span))
    }
}
