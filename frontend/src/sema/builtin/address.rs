//! Built-in functions whose address is taken: those of C's library that device code has become functions of the object's
//! own, which do what a call does, as with nvcc. All others must be called.

use crate::diag::{Code, Reported};
use crate::ir::{
    Builtin, ExprData, Func, FuncTy, Function, FunctionKind, InlineHint, LinkName, Linkage, LocalData,
    PlaceData, Quals, StmtData, TyKind,
};
use crate::source::Span;

use super::super::Cx;
use super::super::stmt::FuncCx;
use super::table::{FunctionId, Overload};

/// A built-in function that the object has to define.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct Wanted {
    func: Func,
    overload: &'static Overload,
}

impl Cx<'_> {
    /// The function that a built-in one is where it is not called; `span` is its name's place.
    pub(in crate::sema) fn builtin_address(&mut self, id: FunctionId, span: Span) -> Result<Func, Reported> {
        let function = id.function();
        let [overload] = function.overloads else { return Err(self.builtin_not_called(function.name, span)) };
        let Builtin::Bytes(_) = overload.builtin else {
            return Err(self.builtin_not_called(function.name, span));
        };
        // To nvcc the spellings are functions of their own, which do not compare equal.
        let name = function.name;
        if let Some(&func) = self.known.builtin_addresses.get(name) {
            return Ok(func);
        }
        let ret = self.table_ty(overload.ret);
        let params = overload.params.iter().map(|&param| self.table_ty(param)).collect();
        let ty = TyKind::Func(FuncTy { ret, params, variadic: false });
        let ty = self.module.types.intern(ty, Quals::empty());
        let func = self.module.functions.push(Function {
            name: name.to_owned(),
            link_name: LinkName::C,
            linkage: Linkage::Internal,
            kind: FunctionKind::Device,
            ty,
            inline: InlineHint::Auto,
            body: None,
            is_referenced: true,
            span,
        });
        self.known.func_facts.entry(func).or_default().predeclare();
        self.known.builtin_addresses.insert(name, func);
        self.known.builtins_to_define.push(Wanted { func, overload });
        Ok(func)
    }

    /// Defines the functions whose addresses were taken. Stands between functions.
    pub(in crate::sema) fn define_builtins(&mut self) {
        for wanted in std::mem::take(&mut self.known.builtins_to_define) {
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
            let local = func_cx.locals.push(LocalData {
                name: None,
                ty,
                align: None,
                is_param: true,
                is_grid_constant: false,
                is_referenced: true,
                span,
            });
            func_cx.params.push(local);
            let place = self.place(PlaceData::Local(local), ty, span);
            args.push(self.expr(ExprData::Load(place), ty, span));
        }
        let value = self.expr(ExprData::Builtin(overload.builtin, args.into()), ret, span);
        self.func = Some(func_cx);
        let result = self.stmt(StmtData::Return(Some(value)), span);
        let root = self.stmt(StmtData::Block([result].into()), span);
        if let Some(mut func_cx) = self.func.take() {
            let body = self.take_body(&mut func_cx, root, span);
            self.module.functions[func].body = Some(body);
            self.checked.push(func);
        }
    }

    fn builtin_not_called(&mut self, name: &str, span: Span) -> Reported {
        let message = format!("built-in function `{name}` must be called");
        self.error(Code::BuiltinNotCalled, span, message)
    }
}
