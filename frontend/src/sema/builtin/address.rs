//! Built-in functions whose address is taken: those of C's library that device code has, mathematical ones of one type among
//! them, become functions of the object's own, which do what a call does, as with nvcc. Of one with overloads the type that is wanted
//! says which is meant (C++17 16.4). All others must be called.

use crate::diag::{Code, Reported};
use crate::ir::{
    Builtin, Expr, ExprData, Func, FuncTy, Function, LinkName, Linkage, LocalData, PlaceData, Quals,
    StmtData, Ty, TyKind,
};
use crate::source::Span;

use super::table;
use super::table::{FunctionId, Overload};
use crate::sema::Builtins;
use crate::sema::statement::FuncCx;

/// A built-in function that the object has to define.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct Wanted {
    func: Func,
    overload: &'static Overload,
}

impl Builtins<'_> {
    /// The function that a built-in one is where it is not called; `span` is its name's place.
    pub(in crate::sema) fn builtin_address(&mut self, id: FunctionId, span: Span) -> Result<Func, Reported> {
        let function = id.function();
        match function.overloads {
            [overload] => self.address_of_overload(function, overload, span),
            _ => Err(self.builtin_not_called(function.name, span)),
        }
    }

    /// The overload that has the type.
    pub(in crate::sema) fn builtin_of(&mut self, id: FunctionId, wanted: Ty) -> Option<&'static Overload> {
        let wanted = self.canonical(wanted);
        id.function().overloads.iter().find(|overload| self.overload_ty(overload) == wanted)
    }

    /// The address of the overload that has the type (C++17 16.4).
    pub(in crate::sema) fn chosen_builtin_address(
        &mut self,
        id: FunctionId,
        span: Span,
        wanted: Ty,
    ) -> Result<Expr, Reported> {
        let function = id.function();
        if let Some(overload) = self.builtin_of(id, wanted) {
            let func = self.address_of_overload(function, overload, span)?;
            return self.expressions().func_addr(func, span);
        }
        let wanted = self.canonical(wanted);
        let message =
            format!("no overload of built-in function `{}` has type {}", function.name, self.show(wanted));
        Err(self.error(Code::NoMatchingBuiltin, span, message))
    }

    fn overload_ty(&mut self, overload: &Overload) -> Ty {
        let ret = self.table_ty(overload.ret);
        let params = overload.params.iter().map(|&param| self.table_ty(param)).collect();
        let ty = TyKind::Func(FuncTy { ret, params, variadic: false });
        self.module.types.intern(ty, Quals::empty())
    }

    fn address_of_overload(
        &mut self,
        function: &'static table::Function,
        overload: &'static Overload,
        span: Span,
    ) -> Result<Func, Reported> {
        let is_library = match overload.builtin {
            Builtin::Bytes(_) => true,
            // What begins so is CUDA's own.
            Builtin::Math(_) | Builtin::Library(_) => !function.name.starts_with("__"),
            _ => false,
        };
        if !is_library {
            return Err(self.builtin_not_called(function.name, span));
        }
        // To nvcc the spellings are functions of their own, which do not compare equal.
        let name = function.name;
        let ty = self.overload_ty(overload);
        if let Some(&func) = self.known.builtins.builtin_addresses.get(&(name, ty)) {
            return Ok(func);
        }
        let link_name = if function.overloads.len() == 1 { LinkName::C } else { LinkName::Cxx };
        let func = self.module.functions.push(Function::device(
            name.to_owned(),
            ty,
            (link_name, Linkage::Internal),
            span,
        ));
        self.known.func_facts.entry(func).or_default().predeclare();
        self.known.builtins.builtin_addresses.insert((name, ty), func);
        self.known.builtins.builtins_to_define.push(Wanted { func, overload });
        Ok(func)
    }

    /// Defines the functions whose addresses were taken. Stands between functions.
    pub(in crate::sema) fn define_builtins(&mut self) {
        for wanted in std::mem::take(&mut self.known.builtins.builtins_to_define) {
            self.define_builtin(wanted);
        }
    }

    fn define_builtin(&mut self, Wanted { func, overload }: Wanted) {
        let span = self.module.functions[func].span;
        let ret = self.table_ty(overload.ret);
        let mut func_cx = Box::new(FuncCx::new(func, ret));
        let mut args = Vec::with_capacity(overload.params.len());
        for &param in overload.params {
            let ty = self.table_ty(param);
            let local = func_cx.locals.push(LocalData::unnamed(ty, true, span));
            func_cx.params.push(local);
            let place = self.place(PlaceData::Local(local), ty, span);
            args.push(self.expr(ExprData::Load(place), ty, span));
        }
        let value = self.expr(ExprData::Builtin(overload.builtin, args.into()), ret, span);
        self.func = Some(func_cx);
        let result = self.statements().stmt(StmtData::Return(Some(value)), span);
        let root = self.statements().stmt(StmtData::Block([result].into()), span);
        if let Some(mut func_cx) = self.func.take() {
            let body = self.take_body(&mut func_cx, root, span);
            self.module.functions[func].body = Some(body);
            self.checked.push(func);
        }
    }

    fn builtin_not_called(&mut self, name: &str, span: Span) -> Reported {
        let message = format!("built-in functions must be directly called: `{name}`");
        self.error(Code::BuiltinNotCalled, span, message)
    }
}
