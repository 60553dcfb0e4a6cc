//! Addresses of functions that share a name: the type that is wanted says which is meant (C++17 16.4).

use super::{Overloads, OverloadsId};
use crate::ast::{ExprId, ExprKind, ExprNode, TemplateArgsId, UnaryOp};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, Func, Ty};
use crate::sema::Calls;
use crate::sema::expression::Operand;
use crate::sema::name::scope::Entity;
use crate::source::Span;

impl Calls<'_> {
    /// Checks what becomes a value of the type: a name of several functions is the one that has it (C++17 16.4p1).
    pub(in crate::sema) fn check_wanted(&mut self, id: ExprId, to: Ty) -> Result<Expr, Reported> {
        if !to.is_plain_number()
            && let Some(wanted) = self.module.types.pointee(to)
            && self.module.types.func(wanted).is_some()
            && let Some((overloads, span)) = self.overloads_behind(id)
        {
            return self.chosen_address(&overloads, span, wanted);
        }
        self.expressions().check_rvalue(id)
    }

    /// The functions of a name with several that the expression names, parentheses and an `&` aside (C++17 16.4p1).
    pub(in crate::sema) fn overloads_behind(&mut self, id: ExprId) -> Option<(Overloads, Span)> {
        let unit = self.unit;
        let inside = |mut id: ExprId| {
            while let ExprKind::Paren(inner) = unit.exprs[id].kind {
                id = inner;
            }
            &unit.exprs[id]
        };
        let expr = match *inside(id) {
            ExprNode { kind: ExprKind::Unary { op: UnaryOp::AddrOf, operand, .. }, .. } => inside(operand),
            ref expr => expr,
        };
        if let ExprKind::TemplateId { name, args } = expr.kind {
            if self.names_variable(name) {
                return None;
            }
            return self.written_overloads(name, args).ok();
        }
        let ExprKind::Ident(symbol) = expr.kind else { return None };
        let overloads = match self.names_ref().lookup(symbol).map(|binding| binding.entity) {
            Some(Entity::Overloads(id)) => self.overloads_of(id),
            Some(Entity::Several) => {
                let id = self.names().functions_named(symbol)?;
                self.overloads_of(id)
            }
            Some(_) => return None,
            None => {
                let builtin = self.builtins().builtin_named(symbol)?;
                if !builtin.function().has_overloads() {
                    return None;
                }
                Overloads { builtin: Some(builtin), ..Overloads::default() }
            }
        };
        Some((overloads, expr.span))
    }

    /// The templates that are called with written arguments, if the expression is a name with such.
    pub(in crate::sema::call) fn written_instance(
        &mut self,
        mut callee: ExprId,
    ) -> Result<Option<(Overloads, Span)>, Reported> {
        while let ExprKind::Paren(inner) = self.unit.exprs[callee].kind {
            callee = inner;
        }
        match self.unit.exprs[callee].kind {
            ExprKind::TemplateId { name, .. } if self.names_variable(name) => Ok(None),
            ExprKind::TemplateId { name, args } => self.written_overloads(name, args).map(Some),
            _ => Ok(None),
        }
    }

    /// Whether the name is that of a template of variables.
    fn names_variable(&mut self, name: ExprId) -> bool {
        let unit = self.unit;
        let binding = match unit.exprs[name].kind {
            ExprKind::Ident(symbol) => self.names_ref().lookup(symbol),
            ExprKind::Scoped { ty, name } => {
                let scope = &unit.type_names[ty].specs.ty;
                self.templates().silently(|cx| cx.names().member_named(scope, name)).ok().flatten()
            }
            _ => None,
        };
        matches!(binding.map(|binding| binding.entity), Some(Entity::Template(_)))
    }

    fn written_overloads(
        &mut self,
        name: ExprId,
        args: TemplateArgsId,
    ) -> Result<(Overloads, Span), Reported> {
        let span = self.unit.exprs[name].span;
        match self.expressions().check_expr(name)? {
            Operand::Overloads(id, _) => {
                self.templates().check_written(args)?;
                let templates = self.overloads_of(id).templates;
                Ok((Overloads { templates, written: Some(args), ..Overloads::default() }, span))
            }
            Operand::Builtin(function, _) => {
                Err(self.builtins().uncalled_template(function.function().name, span))
            }
            _ => {
                let message = "the name before `<` is not that of a template";
                Err(self.error(Code::NoMatchingFunction, span, message))
            }
        }
    }

    /// The function that a name with template arguments means where it is not called.
    pub(in crate::sema) fn named_instance(&mut self, id: ExprId) -> Result<Operand, Reported> {
        let Some((overloads, span)) = self.written_instance(id)? else { return Err(self.poisoned()) };
        let mut found = None;
        for &template in &overloads.templates {
            if let Some(func) =
                overloads.written.and_then(|args| self.templates().written_whole(template, args))
            {
                if found.is_some() {
                    found = None;
                    break;
                }
                found = Some(func);
            }
        }
        match found {
            Some(func) => {
                self.use_overload(func, span);
                self.templates().need_result(func, span);
                self.declarations().require_deduced(func, span)?;
                Ok(Operand::Func(func, span))
            }
            None => {
                let name = self.overloads_name(&overloads);
                let message = format!("cannot tell which instance of `{name}` is meant");
                let diagnostic = Diagnostic::new(Code::AmbiguousCall, span, message);
                Err(self.cx.sink.error(self.with_candidates(diagnostic, &overloads)))
            }
        }
    }

    /// Whether one of the functions that the expression names becomes a value of the type.
    pub(super) fn has_overload_of(&mut self, id: ExprId, to: Ty) -> bool {
        let Some(wanted) = self.module.types.pointee(to) else { return false };
        let Some((overloads, _)) = self.overloads_behind(id) else { return false };
        self.overload_of(&overloads, wanted).is_some()
            || overloads.builtin.is_some_and(|id| self.builtins().builtin_of(id, wanted).is_some())
    }

    fn overload_of(&mut self, overloads: &Overloads, wanted: Ty) -> Option<Func> {
        let func =
            overloads.funcs.iter().copied().find(|&func| self.same(self.module.functions[func].ty, wanted));
        func.or_else(|| self.templates().instance_of_ty(&overloads.templates, overloads.written, wanted))
    }

    fn chosen_address(&mut self, overloads: &Overloads, span: Span, wanted: Ty) -> Result<Expr, Reported> {
        if let Some(func) = self.overload_of(overloads, wanted) {
            self.use_overload(func, span);
            return self.expressions().func_addr(func, span);
        }
        if let Some(builtin) = overloads.builtin
            && (overloads.funcs.is_empty() || self.builtins().builtin_of(builtin, wanted).is_some())
        {
            return self.builtins().chosen_builtin_address(builtin, span, wanted);
        }
        let message = format!(
            "address of overloaded function `{}` does not match required type {}",
            self.overloads_name(overloads),
            self.show(wanted)
        );
        let diagnostic = Diagnostic::new(Code::NoMatchingFunction, span, message);
        Err(self.cx.sink.error(self.with_candidates(diagnostic, overloads)))
    }

    /// The error of a name of several functions where nothing says which is meant.
    pub(in crate::sema) fn unresolved_overloads(&mut self, id: OverloadsId, span: Span) -> Reported {
        let overloads = self.overloads_of(id);
        let message = "reference to overloaded function could not be resolved; did you mean to call it?";
        let diagnostic = Diagnostic::new(Code::AmbiguousCall, span, message);
        self.cx.sink.error(self.with_candidates(diagnostic, &overloads))
    }
}
