//! `printf` (CUDA C++ Programming Guide "Formatted Output").

use thin_vec::ThinVec;

use crate::ast::ExprId;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Builtin, Expr, ExprData, Quals, SystemOp, Ty, TyKind};
use crate::layout;
use crate::sema::Builtins;
use crate::sema::conversion::Target;
use crate::sema::warn::Printed;
use crate::source::Span;

/// How many arguments behind the format are printed.
const MAX_ARGUMENTS: usize = 32;

/// The bytes of the largest scalar that a format can speak of.
const MAX_SCALAR_SIZE: u64 = 8;

impl Builtins<'_> {
    /// `const char *`
    pub(super) fn text_ty(&mut self) -> Ty {
        let const_char = self.module.types.with_quals(Ty::CHAR, Quals::CONST);
        self.module.types.pointer_to(const_char)
    }

    pub(super) fn check_printf(
        &mut self,
        args: &[ExprId],
        name_span: Span,
        span: Span,
    ) -> Result<Expr, Reported> {
        let Some((&format, extras)) = args.split_first() else {
            let message = "too few arguments to `printf`, expected at least 1, have 0";
            return Err(self.error(Code::ArgumentCount, span, message));
        };
        let text = self.text_ty();
        let written = self.expressions().check_rvalue(format);
        let converted =
            written.and_then(|value| self.conversions().convert(value, text, Target::Argument(None)));
        let extras: Vec<_> = extras.iter().map(|&extra| self.check_printed(extra)).collect();
        let mut values: ThinVec<Expr> = [converted?].into();
        let mut printed = Vec::with_capacity(extras.len());
        for extra in extras {
            let (value, as_written) = extra?;
            values.push(value);
            printed.push(as_written);
        }
        self.warnings().warn_format(format, written?, &printed);
        if let Some(&first) = values.get(MAX_ARGUMENTS + 1) {
            let n_extras = values.len() - 1;
            let message =
                format!("`printf` has {n_extras} arguments after the format; the maximum is {MAX_ARGUMENTS}");
            let diagnostic = Diagnostic::new(Code::DevicePrintf, self.span_of(first), message)
                .with_label(name_span, "in this call")
                .with_help("print the remaining arguments in a separate call");
            self.sink.emit(diagnostic);
        }
        Ok(self.expr(ExprData::Builtin(Builtin::System(SystemOp::Printf), values), Ty::INT, span))
    }

    /// An argument behind the format: a scalar that a format can speak of. nvcc takes structs, too, and puts them where
    /// nothing that a format asks for could find the arguments behind them.
    fn check_printed(&mut self, arg: ExprId) -> Result<(Expr, Printed), Reported> {
        let value = self.expressions().check_rvalue(arg)?;
        let (ty, span) = (self.ty_of(value), self.span_of(value));
        let types = &self.module.types;
        let help = match types.kind(ty) {
            TyKind::Record(_) if types.half_ty(ty).is_some_and(|half| !half.is_pair()) => {
                "convert it: `(float)`"
            }
            TyKind::Record(_) => "print its members",
            TyKind::Int(int) if layout::int_layout(*int).size > MAX_SCALAR_SIZE => {
                "print its upper and lower halves as `unsigned long long`"
            }
            _ => return self.calls().promote_argument(value).map(|value| (value, Printed { ty, span })),
        };
        let ty = self.show(ty);
        let message = format!("cannot print a value of type {ty}");
        let diagnostic = Diagnostic::new(Code::InvalidConversion, span, message)
            .with_note("no conversion specifier of `printf` accepts this type")
            .with_help(help);
        Err(self.sink.error(diagnostic))
    }
}
