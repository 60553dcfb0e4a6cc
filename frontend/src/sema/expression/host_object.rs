//! `constexpr` objects of the host in device code: nvcc takes the values of their members, and of nothing else that is no constant expression.

use super::Operand;
use crate::ast::{ExprId, ExprKind, Name};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Place, PlaceData, TyKind};
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::name::scope::NamedConst;
use crate::sema::{Evaluation, Expressions};
use crate::source::Span;

impl Expressions<'_> {
    /// The number that a member of a `constexpr` object of the host is: a constant, which has no address.
    #[inline(always)]
    pub(super) fn member_of_host_object(
        &mut self,
        member: ExprId,
        span: Span,
    ) -> Option<Result<Operand, Reported>> {
        if self.evaluation != Evaluation::AtRunTime || self.known.host_objects.is_empty() {
            return None;
        }
        self.constant_of_host(member, span)
    }

    #[inline(never)]
    fn constant_of_host(&mut self, member: ExprId, span: Span) -> Option<Result<Operand, Reported>> {
        let mut root = member;
        loop {
            match self.unit.exprs[root].kind {
                ExprKind::Paren(inner) | ExprKind::Member { base: inner, arrow: false, .. } => root = inner,
                ExprKind::Ident(_) | ExprKind::Scoped { .. } => break,
                _ => return None,
            }
        }
        // What is wrong is reported where the member is checked as any other.
        let constant = self.in_scratch(|cx| {
            cx.quietly(|cx| {
                let operand = cx.expressions().check_expr(member).ok()?;
                let (Operand::Place(place) | Operand::Member(place)) = operand else { return None };
                let ty = cx.place_ty(place);
                let is_value = matches!(
                    cx.module.types.kind(ty),
                    TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_) | TyKind::Pointer(_)
                );
                if !is_value || !cx.expressions_ref().is_of_host_object(place) {
                    return None;
                }
                let value = cx.expressions().rvalue(operand).ok()?;
                Some((ty, cx.constants().eval(value, Mode::Value).ok()?))
            })
        });
        let (ty, value) = constant?;
        if let Value::Addr(base, offset) = value {
            return Some(self.constant_address(base, offset, ty, span));
        }
        let name = match self.unit.exprs[member].kind {
            ExprKind::Member { name, .. } => self.spelling(name.symbol).to_owned(),
            _ => return None,
        };
        let constant = NamedConst { name, ty, value, is_referenced: true, is_value: false, span };
        Some(Ok(Operand::Const(self.known.add_constant(constant), span)))
    }

    fn is_of_host_object(&self, mut place: Place) -> bool {
        loop {
            match self.arena.places[place].data {
                PlaceData::Field(outer, _) => place = outer,
                PlaceData::Global(global) => return self.known.host_objects.contains(&global),
                _ => return false,
            }
        }
    }

    pub(super) fn host_object_used(&mut self, name: Name) -> Reported {
        let spelling = self.spelling(name.symbol);
        let message =
            format!("host variable `{spelling}` can only be used in constant expressions in device code");
        let diagnostic = Diagnostic::new(Code::HostConstAddress, name.span, message).with_help(
            "declare it outside of classes, as `__device__ constexpr` or `__constant__ constexpr`",
        );
        self.sink.error(diagnostic)
    }
}
