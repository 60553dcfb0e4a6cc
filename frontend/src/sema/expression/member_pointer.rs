//! Pointers to members (C++17 8.3.1p4), which are not supported: templates may ask whether there is one.

use crate::ast::{ExprId, ExprKind, TypeSpec};
use crate::diag::{Code, Reported};
use crate::ir::Ty;
use crate::sema::Expressions;
use crate::sema::name::qualified::Outer;
use crate::sema::name::scope::Entity;

impl Expressions<'_> {
    /// The type of `&S::m`, if the operand of `&` names a member that objects of the class have.
    ///
    /// # Errors
    /// Where the type is evaluated: it stands for a pointer to a member only where templates try their arguments.
    pub(super) fn member_pointer_ty(&mut self, operand: ExprId) -> Option<Result<Ty, Reported>> {
        let unit = self.unit;
        let ExprKind::Scoped { ty, name } = unit.exprs[operand].kind else { return None };
        let scope: &TypeSpec = &unit.type_names[ty].specs.ty;
        let found = self.templates().silently(|cx| {
            let Outer::Type(of) = cx.names().scope_of(scope)? else { return Ok(false) };
            cx.templates().complete(of, name.span);
            let Some(class) = cx.module.types.record(of) else { return Ok(false) };
            if cx.expressions_ref().find_member(class, name.symbol).is_some() {
                return Ok(true);
            }
            let binding = cx.names().member_named(scope, name)?;
            Ok(match binding.map(|binding| binding.entity) {
                Some(Entity::Func(func)) => cx.calls_ref().takes_object(func),
                Some(Entity::Overloads(id)) => {
                    let overloads = cx.calls_ref().overloads_of(id);
                    overloads.funcs.iter().any(|&func| cx.calls_ref().takes_object(func))
                }
                _ => false,
            })
        });
        if found != Ok(true) {
            return None;
        }
        let span = unit.exprs[operand].span;
        if self.templates_ref().is_trying() {
            return Some(Ok(self.stand_in()));
        }
        Some(Err(self.error(Code::UnsupportedMember, span, "pointers to members are not supported")))
    }

    /// A type in place of a pointer to a member: no object has it.
    fn stand_in(&mut self) -> Ty {
        if let Some(ty) = self.known.expressions.member_pointer {
            return ty;
        }
        let record = self.types().nameless_record("pointer to member");
        let ty = self.module.types.pointer_to(record);
        self.known.expressions.member_pointer = Some(ty);
        ty
    }
}
