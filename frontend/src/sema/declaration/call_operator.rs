//! The call operators of lambda expressions (C++17 8.1.5.1).

use super::deduced_result::placeholder;
use super::function_body::Definition;
use super::{Declaration, Declarations};
use crate::ast::{DeclSpecs, Declarator, Lambda};
use crate::diag::{Code, Reported};
use thin_vec::ThinVec;

use crate::ir::{
    self, Callee, ExprData, Func, FuncTy, Function, FunctionKind, LambdaName, LocalData, MethodKind,
    PlaceData, Quals, Record, StmtData, TyKind,
};
use crate::sema::name::scope::{Binding, Entity};
use crate::sema::statement::FuncCx;
use crate::source::Span;

impl<'a> Declarations<'a> {
    /// Declares the call operator of a lambda in a function, and checks its body.
    pub(in crate::sema) fn define_call_operator(
        &mut self,
        closure: Record,
        current: Func,
        lambda: &'a Lambda,
    ) -> Result<(), Reported> {
        let (specs, declarator) = (&lambda.specs, &lambda.declarator);
        let Some(name) = declarator.name else { return Err(self.poisoned()) };
        let attrs = self.types().collect_attrs(&specs.attrs, &declarator.attrs);
        self.refuse_kernel_lambda(specs, declarator)?;
        let (ty, noexcept, params) = self.method_ty(closure, specs, declarator, false)?;
        let Some(FuncTy { ret, params: types, .. }) = self.module.types.func(ty).cloned() else {
            return Err(self.poisoned());
        };
        let number = self.expressions().number_lambda(current, &types[1..]);
        let method = self.method_of_closure(closure, false);
        let decl = Declaration { specs, declarator, name, ty, attrs: &attrs, noexcept };
        let function = self.new_method(&decl, method, FunctionKind::Device, true);
        let func = self.module.functions.push(function);
        self.module.types.records[closure].lambda =
            Some(LambdaName { call: Some(func), signature: ty, number });
        let facts = self.known.func_facts.entry(func).or_default();
        facts.noexcept = noexcept;
        facts.is_constexpr = true;
        facts.param_spans = params.iter().map(|param| param.span).collect();
        facts.defined = Some(name.span);
        self.calls().declare_default_args(func, &params)?;
        if let Some(placeholder) = placeholder(specs, declarator) {
            self.note_placeholder(func, placeholder);
        }
        let binding = Binding { entity: Entity::Func(func), span: Some(name.span) };
        self.known.class_names.insert((closure, name.symbol), binding);
        self.known.names.of_methods.insert(name.symbol);
        self.expressions().note_call_operator(func);
        let inits: &[_] = &[];
        let Some(body) = lambda.body.expand() else { return Err(self.poisoned()) };
        let definition = Definition { specs, declarator, inits, body };
        self.check_body_of(func, ret, params, definition, name)?;
        if lambda.captures.is_empty() && lambda.default.is_none() {
            self.declare_closure_conversion(closure, func);
        }
        Ok(())
    }

    /// Refuses a lambda that is declared as a kernel.
    pub(in crate::sema) fn refuse_kernel_lambda(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
    ) -> Result<(), Reported> {
        match self.types().collect_attrs(&specs.attrs, &declarator.attrs).global {
            Some(span) => {
                Err(self.error(Code::InvalidLambda, span, "a lambda expression cannot be a kernel"))
            }
            None => Ok(()),
        }
    }

    /// What captures nothing converts to a pointer to a function (C++17 8.1.5.1p6).
    fn declare_closure_conversion(&mut self, closure: Record, call: Func) {
        let function = self.without_body(call);
        let Some(FuncTy { ret, mut params, .. }) = self.module.types.func(function.ty).cloned() else {
            return;
        };
        let this = params.remove(0);
        let target = FuncTy { ret, params, variadic: false };
        let target = self.module.types.intern(TyKind::Func(target), Quals::empty());
        let pointer = self.module.types.pointer_to(target);
        let ty = FuncTy { ret: pointer, params: vec![this], variadic: false };
        let ty = self.module.types.intern(TyKind::Func(ty), Quals::empty());
        let method = ir::Method { kind: MethodKind::Conversion, ..self.method_of_closure(closure, false) };
        let conversion = Function { ty, method: Some(method), is_referenced: false, ..function };
        let conversion = self.module.functions.push(conversion);
        self.known.has_operators = true;
        self.known.specials.entry(closure).or_default().conversions.push(conversion);
    }

    /// Another function that is declared alike.
    fn without_body(&mut self, func: Func) -> Function {
        let body = self.module.functions[func].body.take();
        let function = self.module.functions[func].clone();
        self.module.functions[func].body = body;
        function
    }

    fn method_of_closure(&self, class: Record, is_static: bool) -> ir::Method {
        ir::Method { class, is_static, ref_qualifier: None, kind: MethodKind::Named, inherits: None }
    }

    /// The function whose address a lambda is converted to, if the function is such a conversion: it calls the call operator.
    pub(in crate::sema) fn invoker_behind(
        &mut self,
        conversion: Func,
        span: Span,
    ) -> Result<Option<Func>, Reported> {
        let Some(method) = self.module.functions[conversion].method else { return Ok(None) };
        let class = method.class;
        let lambda = self.module.types.records[class].lambda;
        let Some(call) = lambda.and_then(|lambda| lambda.call) else { return Ok(None) };
        if let Some(&invoker) = self.known.declarations.invokers.get(&class) {
            return Ok(Some(invoker));
        }
        let target = self.module.types.func(self.module.functions[conversion].ty).map(|func| func.ret);
        let Some(ty) = target.and_then(|target| self.module.types.pointee(target)) else {
            return Err(self.poisoned());
        };
        let params = self.module.types.func(ty).map(|func| func.params.clone()).unwrap_or_default();
        if let Some(&copied) = params.iter().find(|&&ty| self.is_copy_chosen(ty)) {
            // As in nvcc, the object would have to be handed on without a copy.
            let shown = self.show(copied);
            let message = format!(
                "the conversion of a lambda with a parameter of type {shown} to a pointer to a function is not supported"
            );
            return Err(self.error(Code::UnsupportedLambda, span, message));
        }
        let method = Some(self.method_of_closure(class, true));
        let function = self.without_body(call);
        // It has nvcc's name.
        let invoker = Function { name: "_FUN".to_owned(), ty, method, ..function };
        let func = self.module.functions.push(invoker);
        self.known.declarations.invokers.insert(class, func);
        let span = self.module.functions[func].span;
        self.known.func_facts.entry(func).or_default().defined = Some(span);
        self.apart(|cx| cx.declarations().define_invoker(func, call, span));
        Ok(Some(func))
    }

    fn define_invoker(&mut self, func: Func, call: Func, span: Span) {
        let types = &self.module.types;
        let own = types.func(self.module.functions[func].ty).cloned();
        let this = types.func(self.module.functions[call].ty).and_then(|func| func.params.first().copied());
        let (Some(FuncTy { ret, params, .. }), Some(this)) = (own, this) else { return };
        self.func = Some(Box::new(FuncCx::new(func, ret)));
        let mut args = ThinVec::new();
        args.push(self.expr(ExprData::Null, this, span));
        for ty in params {
            let func_cx = self.statements().func_cx();
            let local = func_cx.locals.push(LocalData::unnamed(ty, true, span));
            func_cx.params.push(local);
            let held = PlaceData::Local(local);
            args.push(match self.module.types.reference(ty) {
                Some((referred, _)) => self.conversions().held_address(held, referred, Quals::empty(), span),
                None => {
                    let place = self.place(held, ty, span);
                    let value = self.module.types.unqualified(ty);
                    self.expr(ExprData::Load(place), value, span)
                }
            });
        }
        let value_ty = self.conversions().value_ty(ret);
        let value = self.expr(ExprData::call(Callee::Direct(call), args), value_ty, span);
        let data = match self.module.types.kind(ret) {
            TyKind::Void => StmtData::Expr(value),
            _ => StmtData::Return(Some(value)),
        };
        let result = self.statements().stmt(data, span);
        let root = self.statements().stmt(StmtData::Block([result].into()), span);
        self.finish_body(func, root, span);
    }
}
