//! Classes in functions (C++17 12.4): their member functions see what the blocks around them have, and of variables the constants alone.

use super::scope::{Binding, Entity, NamedConst};
use crate::ast::Name;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::TyKind;
use crate::sema::Names;
use crate::sema::constant::const_eval::Value;
use crate::source::Span;
use crate::token::Symbol;

impl Names<'_> {
    /// What the names of the function's variables mean in the member functions of its classes.
    pub(in crate::sema) fn enclosing_locals(&mut self) -> Vec<(Symbol, Binding)> {
        if self.func.is_none() {
            return Vec::new();
        }
        let mut locals = self.scopes.visible_locals();
        for (_, binding) in &mut locals {
            binding.entity = self.enclosing_constant(*binding).unwrap_or(Entity::Enclosing);
        }
        locals
    }

    /// The constant that a variable is, whose value is used, but not its address.
    pub(in crate::sema) fn enclosing_constant(&mut self, binding: Binding) -> Option<Entity> {
        let (Entity::Local(local), Some(span)) = (binding.entity, binding.span) else { return None };
        let func = self.cx.func.as_mut()?;
        let &value @ (Value::Int(_) | Value::Float(_) | Value::Extended(_)) =
            func.local_values.get(&local)?
        else {
            return None;
        };
        let data = &mut func.locals[local];
        if !matches!(self.cx.module.types.kind(data.ty), TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_))
        {
            return None;
        }
        data.is_referenced = true;
        let name = data.name.as_deref().unwrap_or_default().to_owned();
        let ty = data.ty;
        let constant = NamedConst { name, ty, value, is_referenced: true, is_value: false, span };
        Some(Entity::Const(self.cx.known.add_constant(constant)))
    }

    /// Reports a variable of the function around a local class (C++17 12.4p1).
    pub(in crate::sema) fn enclosing_local_used(&mut self, name: Name, declared: Option<Span>) -> Reported {
        let spelling = self.spelling(name.symbol);
        let message = format!("reference to local variable `{spelling}` declared in enclosing function");
        let mut diagnostic = Diagnostic::new(Code::UndeclaredIdentifier, name.span, message);
        if let Some(span) = declared {
            diagnostic = diagnostic.with_label(span, format!("`{spelling}` declared here"));
        }
        self.sink.error(diagnostic)
    }
}
