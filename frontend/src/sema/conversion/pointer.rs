//! Conversions between pointers, and the type that two of them have in common (C++17 7.5, 7.11, 8p4).

use super::Qualification;
use crate::diag::Reported;
use crate::ir::{Conversion, Expr, Quals, Ty, TyKind};
use crate::sema::Conversions;
use crate::sema::types::base::BasePath;

impl Conversions<'_> {
    /// Whether a pointer to the one type converts to a pointer to the other by itself.
    pub(in crate::sema) fn pointer_converts(&mut self, from: Ty, to: Ty) -> bool {
        self.pointer_conversion(from, to) == Qualification::Converts
    }

    /// The way from what the one pointer leads to, to its part of the base class that the other leads to, without a loss of qualifiers
    /// (C++17 7.11p3).
    pub(in crate::sema) fn base_path(&self, from: Ty, to: Ty) -> Option<BasePath> {
        let keeps = self.module.types.quals(to).contains(self.module.types.quals(from));
        self.types_ref().derivation(from, to).filter(|_| keeps)
    }

    /// Pointer and qualification conversions (C++17 7.5, 7.11).
    pub(super) fn pointer_conversion(&mut self, from: Ty, to: Ty) -> Qualification {
        let is_func = self.module.types.func(from).is_some();
        if matches!(self.module.types.kind(to), TyKind::Void) && !is_func {
            let (lost, kept) = (self.module.types.quals(from), self.module.types.quals(to));
            return if kept.contains(lost) { Qualification::Converts } else { Qualification::Discards };
        }
        let (mut from, mut to) = (from, to);
        let mut outer_const = true;
        let mut result = Qualification::Converts;
        for level in 0.. {
            let (lost, kept) = (self.module.types.quals(from), self.module.types.quals(to));
            if !kept.contains(lost) || level > 0 && lost != kept && !outer_const {
                result = Qualification::Discards;
            }
            outer_const &= kept.contains(Quals::CONST);
            match (self.module.types.pointee(from), self.module.types.pointee(to)) {
                (Some(f), Some(t)) => (from, to) = (f, t),
                (Some(_), None) | (None, Some(_)) | (None, None) => break,
            }
        }
        if self.same_unqualified(from, to) { result } else { Qualification::Differs }
    }

    /// The type to which both pointers convert (C++17 8p4): of a comparison, a conditional.
    pub(in crate::sema) fn composite_pointer(&mut self, left: Ty, right: Ty) -> Option<Ty> {
        let (l, r) = (self.module.types.pointee(left)?, self.module.types.pointee(right)?);
        if self.pointer_conversion(l, r) == Qualification::Converts {
            return Some(right);
        }
        if self.pointer_conversion(r, l) == Qualification::Converts {
            return Some(left);
        }
        let is_void = |ty| matches!(self.module.types.kind(ty), TyKind::Void);
        let is_func = |ty| self.module.types.func(ty).is_some();
        let pointee = if (is_void(l) || is_void(r)) && !is_func(l) && !is_func(r) {
            let quals = self.module.types.quals(l) | self.module.types.quals(r);
            self.module.types.with_quals(Ty::VOID, quals)
        } else if let Some(base) = self.common_base(l, r) {
            let quals = self.module.types.quals(l) | self.module.types.quals(r);
            self.module.types.with_quals(base, quals)
        } else {
            self.combine_qualifiers(l, r)?
        };
        Some(self.module.types.pointer_to(pointee))
    }

    /// The class of two that the other is derived from.
    fn common_base(&self, left: Ty, right: Ty) -> Option<Ty> {
        let types = self.types_ref();
        if types.derivation(left, right).is_some() {
            return Some(right);
        }
        types.derivation(right, left).map(|_| left)
    }

    /// A pointer as the composite type of it and another (C++17 8p4).
    pub(in crate::sema) fn as_composite(&mut self, expr: Expr, ty: Ty) -> Result<Expr, Reported> {
        match (self.module.types.pointee(self.ty_of(expr)), self.module.types.pointee(ty)) {
            (Some(from), Some(to)) if let Some(path) = self.types_ref().derivation(from, to) => {
                let at = self.span_of(expr);
                self.names().require_base_access(from, to, at)?;
                self.types().pointer_to_base(expr, &path, ty)
            }
            _ => Ok(self.as_pointer(expr, ty)),
        }
    }

    /// The qualification-combined type of two pointees (C++17 8p4): where they differ in qualifiers
    /// alone, at any depth, the type to which pointers to both convert.
    fn combine_qualifiers(&mut self, left: Ty, right: Ty) -> Option<Ty> {
        let (mut left, mut right) = (left, right);
        let mut levels = Vec::new();
        loop {
            let (l, r) = (self.module.types.quals(left), self.module.types.quals(right));
            if l != r {
                levels.iter_mut().for_each(|outer| *outer |= Quals::CONST);
            }
            levels.push(l | r);
            match (self.module.types.pointee(left), self.module.types.pointee(right)) {
                (Some(l), Some(r)) => (left, right) = (l, r),
                (Some(_), None) | (None, Some(_)) | (None, None) => break,
            }
        }
        if !self.same_unqualified(left, right) {
            return None;
        }
        let mut ty = self.module.types.unqualified(left);
        while let Some(quals) = levels.pop() {
            ty = self.module.types.with_quals(ty, quals);
            if !levels.is_empty() {
                ty = self.module.types.pointer_to(ty);
            }
        }
        Some(ty)
    }

    /// A pointer, or a null pointer constant, as a pointer of the type.
    pub(in crate::sema) fn as_pointer(&mut self, expr: Expr, ty: Ty) -> Expr {
        if self.is_null_constant(expr) {
            self.null_of(expr, ty)
        } else if self.same(self.ty_of(expr), ty) {
            expr
        } else {
            self.expressions().conversion(Conversion::PtrToPtr, expr, ty)
        }
    }
}
