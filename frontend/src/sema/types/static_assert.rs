//! `static_assert` (C++17 10p6), of the device and, at file scope, of the host.

use super::Mode;
use crate::ast::{ExprId, ExprKind};
use crate::diag::Code;
use crate::ir::Exact;
use crate::sema::{Types, builtin};
use crate::source::Span;

/// Functions without a header, beside GNU C's `__builtin_…`, that the host's library declares `constexpr` or that nvcc evaluates.
const EVALUATED: [&str; 9] =
    ["abs", "ceil", "copysign", "fabs", "isfinite", "isinf", "isnan", "signbit", "strlen"];

impl Types<'_> {
    /// Checks an assertion that may be the host's: one about its types or functions is.
    pub(in crate::sema) fn check_shared_assert(&mut self, cond: ExprId, message: Option<ExprId>) {
        let mark = self.sink.mark();
        let needed_host_code = self.needs_host_code.replace(false);
        let is_wrong_anywhere = self.check_static_assert(cond, message);
        let is_of_host = self.needs_host_code.replace(needed_host_code);
        if self.dialect.host_code.is_skipped()
            && let Some(error) = self.sink.take_first_error_since(mark)
        {
            match error.code {
                // What of the host's is not known may have led to another specialization.
                Code::StaticAssertFailed if !is_of_host => self.sink.emit(error),
                Code::NotConstant if is_wrong_anywhere => self.sink.emit(error),
                _ => {}
            }
        } else if is_of_host {
            self.needs_host_code.set(true);
        }
    }

    /// Checks an assertion. Gives whether its condition is no constant for a reason that no code of the host changes: a `constexpr`
    /// function has no value, or it calls a function of CUDA's or reads one of its variables.
    pub(in crate::sema) fn check_static_assert(&mut self, cond: ExprId, message: Option<ExprId>) -> bool {
        let span = self.unit.exprs[cond].span;
        let mut is_wrong_anywhere = false;
        let holds = self.in_scratch(|cx| {
            let value = cx.conversions().check_condition(cond)?;
            let evaluated = cx.constants().eval(value, Mode::Required);
            is_wrong_anywhere = matches!(&evaluated, Err(not) if not.is_in_call()
                || not.reads_special()
                || cx.types().calls_cuda(cond, not.span));
            cx.expressions().require_int_value(value, evaluated, "condition of `static_assert`")
        });
        if holds == Ok(Exact::ZERO) {
            let text = match message.map(|m| &self.unit.exprs[m].kind) {
                Some(ExprKind::Str(literal)) => {
                    let literal = &self.unit.strings[*literal];
                    let text: String = literal.units.iter().filter_map(|&u| char::from_u32(u)).collect();
                    format!("static assertion failed: {text}")
                }
                Some(_) | None => "static assertion failed".into(),
            };
            self.error(Code::StaticAssertFailed, span, text);
        }
        is_wrong_anywhere
    }

    /// Whether the part of the expression at `at` calls a built-in function that is not `constexpr` for nvcc either.
    fn calls_cuda(&self, expr: ExprId, at: Span) -> bool {
        let node = &self.unit.exprs[expr];
        match node.kind {
            ExprKind::Call { callee, .. } if node.span == at => match self.unit.exprs[callee].kind {
                ExprKind::Ident(symbol) => {
                    let name = self.spelling(symbol);
                    let is_evaluated = name.starts_with("__builtin_") || EVALUATED.contains(&name);
                    let is_cudas = builtin::named(name).any(|(header, _)| header.is_none());
                    is_cudas && !is_evaluated && self.names_ref().lookup(symbol).is_none()
                }
                _ => false,
            },
            ExprKind::Paren(operand)
            | ExprKind::Unary { operand, .. }
            | ExprKind::Cast { operand, .. }
            | ExprKind::NamedCast { operand, .. } => self.calls_cuda(operand, at),
            ExprKind::Binary { lhs, rhs, .. } => self.calls_cuda(lhs, at) || self.calls_cuda(rhs, at),
            ExprKind::Conditional { cond, then, otherwise } => [Some(cond), then, Some(otherwise)]
                .into_iter()
                .flatten()
                .any(|part| self.calls_cuda(part, at)),
            _ => false,
        }
    }
}
