//! Functions of the program's that have the name of a built-in one (C++17 16.1).
//!
//! One with other parameters is an overload beside those in the table. One with the same parameters is, to nvcc,
//! the built-in function itself, whose body it does not look at; where a header of CUDA's defines the function,
//! it is a redefinition.

use super::table::{Function, Overload};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::builtin::CopyForm;
use crate::ir::{AsyncOp, Builtin, FuncTy, HintOp, IntegerOp, SyncOp, ThreadOp, Ty};
use crate::predeclared::named_texture_op;
use crate::sema::Builtins;
use crate::source::Span;

/// What `assert` calls: a program may declare it as CUDA's header does, with `noexcept`.
pub(in crate::sema) const ASSERT_FAIL: &str = "__assert_fail";

/// What a declaration with the name of a built-in function declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) enum Beside {
    /// The built-in function.
    Same,
    /// An overload of it.
    Overload,
}

impl Function {
    /// Whether CUDA's headers define it, and nvcc does not know it by itself: no program can define it again.
    pub(in crate::sema) fn is_defined_by_headers(&self) -> bool {
        let overload = self.overloads.first().filter(|_| !self.is_own());
        overload.is_some_and(|overload| match overload.builtin {
            Builtin::Atomic(_)
            | Builtin::Memory(_)
            | Builtin::Cluster(_)
            | Builtin::Rounded(_)
            | Builtin::Warp(_)
            | Builtin::Address(_)
            | Builtin::Dpx(..) => true,
            Builtin::Sync(op) => match op {
                SyncOp::SyncWarp | SyncOp::Barrier | SyncOp::BarrierCount => true,
                SyncOp::SyncThreadsCount | SyncOp::SyncThreadsAnd | SyncOp::SyncThreadsOr => {
                    !self.name.starts_with('_')
                }
                SyncOp::SyncThreads | SyncOp::FenceBlock | SyncOp::FenceDevice | SyncOp::FenceSystem => false,
            },
            Builtin::Hint(op) => op == HintOp::AccessProperty,
            Builtin::Async(op) => matches!(op, AsyncOp::CopyAsync(_, CopyForm::Plain)),
            Builtin::Thread(op) => op == ThreadOp::Sleep,
            Builtin::Integer(op) => matches!(
                op,
                IntegerOp::FindNthSet
                    | IntegerOp::SwapBytes
                    | IntegerOp::FunnelLeft
                    | IntegerOp::FunnelLeftClamp
                    | IntegerOp::FunnelRight
                    | IntegerOp::FunnelRightClamp
                    | IntegerOp::Dp4a
                    | IntegerOp::Dp2aLow
                    | IntegerOp::Dp2aHigh
            ),
            _ => false,
        })
    }
}

/// Functions for `double`, to which CUDA's headers add one for `float`.
const WITH_FLOAT_IN_HEADERS: &[&str] = &[
    "cospi",
    "cyl_bessel_i0",
    "cyl_bessel_i1",
    "erfcinv",
    "erfcx",
    "erfinv",
    "exp10",
    "j0",
    "j1",
    "jn",
    "normcdf",
    "normcdfinv",
    "rcbrt",
    "rsqrt",
    "sincos",
    "sincospi",
    "sinpi",
    "y0",
    "y1",
    "yn",
];

impl Builtins<'_> {
    /// Whether CUDA's headers define the overload with these parameters, of a function that nvcc knows by itself for others.
    pub(in crate::sema) fn is_overload_of_headers(&mut self, function: &Function, params: &[Ty]) -> bool {
        match function.name {
            "min" | "max" => params.iter().any(|&param| !self.same(param, Ty::INT)),
            "copysign" => matches!(*params, [first, second] if !self.same(first, second)),
            name => {
                WITH_FLOAT_IN_HEADERS.contains(&name)
                    && params.iter().any(|&param| self.same(param, Ty::FLOAT))
            }
        }
    }

    /// What a function with these types declares.
    pub(in crate::sema) fn beside_builtin(
        &mut self,
        function: &'static Function,
        ty: &FuncTy,
        is_noexcept: bool,
        span: Span,
    ) -> Result<Beside, Reported> {
        let name = function.name;
        let (ret, params) = (ty.ret, ty.params.as_slice());
        if let Some(vector) = super::vector::made_by(name) {
            let is_same =
                params.len() == vector.n_elems && params.iter().all(|&ty| self.same(ty, vector.elem));
            return if is_same { Err(self.redefined_builtin(name, span)) } else { Ok(Beside::Overload) };
        }
        if name == "printf" && self.is_printf(ty) {
            return Ok(Beside::Same);
        }
        // A function beside CUDA's templates: calls without a template argument mean it where it takes the arguments.
        if named_texture_op(name).is_some() {
            return Ok(Beside::Overload);
        }
        if function.overloads.is_empty() {
            let message = format!("overloading `{name}`, which accepts any argument types, is not supported");
            return Err(self.error(Code::UnsupportedOverloading, span, message));
        }
        let overloads: Vec<&Overload> = self.overloads(function).collect();
        for overload in overloads {
            if ty.variadic || !self.has_params(overload, params) {
                continue;
            }
            let expected = self.table_ty(overload.ret);
            if !self.same(expected, ret) {
                let (ret, expected) = (self.show(ret), self.show(expected));
                let message = format!(
                    "conflicting types for built-in function `{name}`: it returns {expected}, not {ret}"
                );
                return Err(self.error(Code::ConflictingTypes, span, message));
            }
            return match overload.builtin {
                _ if function.is_own() => Ok(Beside::Same),
                // Which is declared there, and not defined.
                Builtin::System(_) if name == ASSERT_FAIL && is_noexcept => Ok(Beside::Same),
                // CUDA's headers define these in C++.
                Builtin::Atomic(_)
                | Builtin::Memory(_)
                | Builtin::Cluster(_)
                | Builtin::Rounded(_)
                | Builtin::System(_) => Err(self.redefined_builtin(name, span)),
                _ => Ok(Beside::Same),
            };
        }
        Ok(Beside::Overload)
    }

    /// Whether it is the type of `printf`.
    fn is_printf(&mut self, ty: &FuncTy) -> bool {
        let text = self.text_ty();
        ty.variadic && self.same(ty.ret, Ty::INT) && matches!(*ty.params, [format] if self.same(format, text))
    }

    fn has_params(&mut self, overload: &Overload, params: &[Ty]) -> bool {
        overload.params.len() == params.len()
            && overload
                .params
                .iter()
                .zip(params)
                .all(|(&param, &ty)| self.known_table_ty(param).is_some_and(|param| self.same(param, ty)))
    }

    pub(in crate::sema) fn redefined_builtin(&mut self, name: &str, span: Span) -> Reported {
        let message = format!("redefinition of built-in function `{name}`");
        let diagnostic = Diagnostic::new(Code::Redefinition, span, message)
            .with_note("CUDA's headers define a function with these parameters")
            .with_help("rename it");
        self.sink.error(diagnostic)
    }
}
