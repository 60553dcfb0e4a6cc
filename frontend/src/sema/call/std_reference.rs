//! `std::move` and `std::forward` (C++17 23.2.4): casts to references. nvcc takes them in device code as they are; they are in headers that it
//! always includes.

use crate::ast::{ExprId, StdFunction, TypeNameId};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{RefKind, TyKind};
use crate::sema::Calls;
use crate::sema::conversion::Target;
use crate::sema::conversion::reference::Category;
use crate::sema::expression::Operand;
use crate::source::Span;

impl Calls<'_> {
    /// A call of one that gives a reference to its argument.
    pub(super) fn check_std_reference(
        &mut self,
        function: StdFunction,
        ty: Option<TypeNameId>,
        args: &[ExprId],
        span: Span,
    ) -> Result<Operand, Reported> {
        let &[arg] = args else {
            let message = format!("`{}` takes 1 argument, {} given", function.name(), args.len());
            return Err(self.error(Code::ArgumentCount, span, message));
        };
        match (function, ty) {
            (StdFunction::Forward, Some(ty)) => self.check_forward(ty, arg, span),
            (StdFunction::Forward, None) => {
                let message =
                    "no matching function for call to `std::forward`: its template argument is not deduced";
                let diagnostic = Diagnostic::new(Code::NoMatchingBuiltin, span, message)
                    .with_help("write the type: `std::forward<T>(…)`");
                Err(self.sink.error(diagnostic))
            }
            (_, Some(_)) => {
                let message = format!("template arguments of `{}` are not supported", function.name());
                Err(self.error(Code::UnsupportedTemplate, span, message))
            }
            (_, None) => self.check_move(arg, span),
        }
    }

    fn check_move(&mut self, arg: ExprId, span: Span) -> Result<Operand, Reported> {
        let operand = self.expressions().check_expr(arg)?;
        let ty = self.expressions().operand_ty(operand)?;
        if let TyKind::Void = self.module.types.kind(ty) {
            let at = self.unit.exprs[arg].span;
            return Err(self.error(Code::InvalidReference, at, "cannot form a reference to `void`"));
        }
        let kind = match self.conversions_ref().category(operand) {
            Category::Lvalue | Category::BitField => RefKind::Lvalue,
            Category::Xvalue | Category::Prvalue => RefKind::Rvalue,
        };
        let param = self.module.types.reference_to(ty, kind);
        let pointer = self.conversions().bind(operand, param, Target::Argument(None))?;
        let result = self.module.types.reference_to(ty, RefKind::Rvalue);
        Ok(self.conversions().result_operand(pointer, result, span))
    }

    fn check_forward(&mut self, ty: TypeNameId, arg: ExprId, span: Span) -> Result<Operand, Reported> {
        let unit = self.unit;
        let name = &unit.type_names[ty];
        let ty = self.types().resolve_type_name(name)?;
        if let TyKind::Void = self.module.types.kind(ty) {
            return Err(self.error(Code::InvalidReference, name.span, "cannot form a reference to `void`"));
        }
        let referred = self.conversions_ref().unreferenced(ty);
        let result = self.module.types.reference_to(ty, RefKind::Rvalue);
        let operand = self.expressions().check_expr(arg)?;
        let from = self.expressions().operand_ty(operand)?;
        let category = self.conversions_ref().category(operand);
        let takes_lvalue = self.conversions().binding(from, category, referred, RefKind::Lvalue).is_ok()
            && category == Category::Lvalue;
        let is_lvalue = matches!(self.module.types.reference(result), Some((_, RefKind::Lvalue)));
        if is_lvalue && !takes_lvalue {
            let message = "`std::forward` must not be used to convert an rvalue to an lvalue";
            return Err(self.error(Code::InvalidReference, unit.exprs[arg].span, message));
        }
        let kind = if takes_lvalue { RefKind::Lvalue } else { RefKind::Rvalue };
        let param = self.module.types.reference_to(referred, kind);
        let pointer = self.conversions().bind(operand, param, Target::Argument(None))?;
        Ok(self.conversions().result_operand(pointer, result, span))
    }
}
