//! `atomicExch` and `atomicCAS` of 128 bits: templates in CUDA's headers for all types of 16 bytes at multiples of 16
//! (CUDA C++ Programming Guide "Atomic Functions").

use super::table::Function;
use crate::ir::{Atomic, AtomicOp, Builtin, Expr, ExprData, Quals, Scope, TyKind};
use crate::layout;
use crate::sema::Builtins;
use crate::source::Span;

impl Builtins<'_> {
    /// The call, if the function is one of these and the template takes the arguments: a pointer, and values of the very type
    /// that it points to.
    pub(in crate::sema) fn quad_exchange(
        &mut self,
        function: &Function,
        args: &[Expr],
        span: Span,
    ) -> Option<Expr> {
        let atomic = named(function.name)?;
        let (&ptr, values) = args.split_first()?;
        let n_values = if atomic.op == AtomicOp::CompareExchange { 2 } else { 1 };
        let to = self.module.types.pointee(self.ty_of(ptr))?;
        let types = &self.module.types;
        let layout = layout::layout_of(types, to).ok()?;
        let is_value = matches!(types.kind(to), TyKind::Int(_) | TyKind::Record(_));
        let is_quad = is_value && layout.size == 16 && layout.align >= 16;
        if !is_quad || types.quals(to).intersects(Quals::CONST | Quals::VOLATILE) || values.len() != n_values
        {
            return None;
        }
        let ty = self.module.types.unqualified(to);
        if !values.iter().all(|&value| self.cx.same_unqualified(self.ty_of(value), ty)) {
            return None;
        }
        let args = args.iter().copied().collect();
        Some(self.expr(ExprData::Builtin(Builtin::Atomic(atomic), args), ty, span))
    }
}

/// The operation behind a name.
fn named(name: &str) -> Option<Atomic> {
    let (op, scope) = if let Some(scope) = name.strip_prefix("atomicExch") {
        (AtomicOp::Exchange, scope)
    } else {
        (AtomicOp::CompareExchange, name.strip_prefix("atomicCAS")?)
    };
    let scope = match scope {
        "" => Scope::Device,
        "_block" => Scope::Block,
        "_system" => Scope::System,
        _ => return None,
    };
    Some(Atomic { op, scope })
}
