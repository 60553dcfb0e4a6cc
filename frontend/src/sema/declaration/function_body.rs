//! Definitions of functions: their parameters and bodies.

use super::Declaration;
use super::deduced_result::{ResultTy, placeholder};
use thin_vec::ThinVec;

use crate::ast::{DeclSpecs, Declarator, FunctionDef, MemberInit, Name, OfPack, StmtId, Storage};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Func, FuncTy, FunctionKind, LocalData, MethodKind, Stmt, StmtData, Ty, TyKind};
use crate::layout;
use crate::limits::MAX_ARGUMENT_BYTES;
use crate::sema::Declarations;
use crate::sema::builtin::{ASSERT_FAIL, FunctionId};
use crate::sema::name::scope::Entity;
use crate::sema::statement::FuncCx;
use crate::sema::types::Param;
use crate::source::Span;

/// A function with its body.
#[derive(Clone, Copy)]
pub(super) struct Definition<'d> {
    pub(super) specs: &'d DeclSpecs,
    pub(super) declarator: &'d Declarator,
    /// Those of a constructor.
    pub(super) inits: &'d [MemberInit],
    pub(super) body: StmtId,
}

impl<'d> From<&'d FunctionDef> for Definition<'d> {
    fn from(def: &'d FunctionDef) -> Self {
        Definition { specs: &def.specs, declarator: &def.declarator, inits: &def.inits, body: def.body }
    }
}

impl<'a> Declarations<'a> {
    /// A function with its body.
    pub(in crate::sema) fn check_function(&mut self, def: &'a FunctionDef) -> Result<(), Reported> {
        let namespace = self.scopes.namespace();
        let result = self.check_function_here(def);
        self.scopes.go_to_namespace(namespace);
        result
    }

    /// The same; a function with a qualified name leaves its namespace open.
    fn check_function_here(&mut self, def: &'a FunctionDef) -> Result<(), Reported> {
        let FunctionDef { specs, declarator, .. } = def;
        let Some(name) = declarator.name else { return Err(self.poisoned()) };
        if self.names_ref().is_refused_here(name) {
            self.calls().note_broken(name);
            self.scopes.bind(name.symbol, Entity::Poison, name.span);
            return Err(self.poisoned());
        }
        if let Some(class) = self.names().class_of_declarator(declarator)? {
            return self.check_method_outside(class, def, name);
        }
        let result = self.declare_definition(specs, declarator, name);
        let (func, params) = match result {
            Ok(found) => found,
            Err(reported) => {
                self.calls().note_broken(name);
                if self.scopes.get_here(name.symbol).is_none() {
                    self.scopes.bind(name.symbol, Entity::Poison, name.span);
                }
                return Err(reported);
            }
        };
        let Some(&FuncTy { ret, .. }) = self.module.types.func(self.module.functions[func].ty) else {
            return Err(self.poisoned());
        };
        self.check_body_of(func, ret, params, def.into(), name)
    }

    fn declare_definition(
        &mut self,
        specs: &'a DeclSpecs,
        declarator: &'a Declarator,
        name: Name,
    ) -> Result<(Func, Vec<Param>), Reported> {
        self.types().check_register(specs);
        let attrs = self.types().collect_attrs(&specs.attrs, &declarator.attrs);
        let deduced = placeholder(specs, declarator);
        let base = match deduced {
            Some(_) => Ty::VOID,
            None => self.types().base_of(specs, declarator)?,
        };
        self.types().refuse_type_of_result(specs, declarator);
        self.names().enter_declarator_scope(declarator)?;
        let declared = match deduced {
            Some(_) => self.types().declared_deducing(declarator)?,
            None => self.types().declared_ty(base, declarator)?,
        };
        // The parser has refused a `typedef` of a function definition.
        if let Some((Storage::Typedef, _)) = specs.storage {
            return Err(self.poisoned());
        }
        let Some(params) = declared.params else {
            let message = "function definition must declare its parameters itself, not by a typedef";
            return Err(self.error(Code::InvalidType, name.span, message));
        };
        let noexcept = declared.noexcept;
        let mut decl = Declaration { specs, declarator, name, ty: declared.ty, attrs: &attrs, noexcept };
        if let Some(placeholder) = deduced {
            decl.ty = self.deduced_before(&decl, placeholder, true)?;
        }
        let func = match self.names_ref().is_constant_of_host(&decl) {
            true => self.declare_host_constexpr(&decl, &params)?,
            false => self.declare_function(&decl, params.clone())?,
        };
        if let Some(placeholder) = deduced {
            self.note_placeholder(func, placeholder);
        }
        let facts = self.known.func_facts.entry(func).or_default();
        if let Some(previous) = facts.defined.replace(name.span) {
            let message = format!("redefinition of `{}`", self.spelling(name.symbol));
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                .with_label(previous, "previously defined here");
            return Err(self.sink.error(diagnostic));
        }
        if self.known.func_facts.get(&func).is_some_and(|facts| facts.is_builtin) {
            let spelling = self.spelling(name.symbol);
            let function = self.builtins_ref().find_declarable(spelling).map(FunctionId::function);
            let is_redefined = function.is_some_and(|function| {
                let types = self.module.types.func(decl.ty).map(|ty| ty.params.clone()).unwrap_or_default();
                function.is_defined_by_headers() || self.builtins().is_overload_of_headers(function, &types)
            });
            if spelling == ASSERT_FAIL || is_redefined {
                return Err(self.builtins().redefined_builtin(spelling, name.span));
            }
            let message =
                format!("definition of built-in function `{}` is ignored", self.spelling(name.symbol));
            let diagnostic =
                Diagnostic::new(Code::IgnoredDefinition, name.span, message).with_help("rename the function");
            self.sink.emit(diagnostic);
        }
        self.module.functions[func].span = name.span;
        self.module.functions[func].ty = decl.ty;
        Ok((func, params))
    }

    pub(super) fn check_body_of(
        &mut self,
        func: Func,
        ret: Ty,
        params: Vec<Param>,
        def: Definition<'a>,
        name: Name,
    ) -> Result<(), Reported> {
        let body = def.body;
        self.calls().require_return_ty(ret, name.span)?;
        let n_left_out = self.sink.n_errors() + self.n_poisoned.get();
        if let FunctionKind::Kernel(_) = self.module.functions[func].kind {
            for param in &params {
                if !param.ty.is_plain_number() && self.manners_of(param.ty).is_destroyed() {
                    let shown = self.show(param.ty);
                    let message = format!(
                        "a kernel's parameter of type {shown}, which has a destructor, is not supported"
                    );
                    self.error(Code::UnsupportedMember, param.span, message);
                }
            }
        }
        self.begin_body(func, ret, params);
        self.placeholder = placeholder(def.specs, def.declarator);
        if self.placeholder.is_some() {
            self.statements().func_cx().result = ResultTy::Deduced(None);
        }
        let mut list = ThinVec::new();
        // What is wrong is reported, and the initializer is missing.
        let _reported = self.check_member_inits(func, def.inits, &mut list);
        let span = self.unit.stmts[body].span;
        if let Some(method) = self.module.functions[func].method
            && method.kind == MethodKind::Destructor
        {
            let declared = self.module.functions[func].span;
            self.statements().note_parts(method.class, declared);
        }
        list.append(&mut self.statements().check_list(body));
        self.note_empty(func, &list);
        self.statements().end_scope(0, &mut list, span.end());
        let root = self.statements().stmt(StmtData::Block(list), span);
        self.statements().check_gotos();
        self.statements().place_result();
        self.scopes.pop();
        let end = Span::new(span.hi.saturating_sub(1), span.hi);
        // Statements with errors in them are missing, so that the flow is not known.
        let mut is_whole = self.sink.n_errors() + self.n_poisoned.get() == n_left_out;
        if is_whole && def.specs.constexpr.is_some() {
            self.check_constexpr_body();
            is_whole = self.sink.n_errors() + self.n_poisoned.get() == n_left_out;
        }
        let FuncCx { ret, result, .. } = *self.statements().func_cx();
        if result == ResultTy::Deduced(None) && !self.ends_deduction(func, is_whole, name) {
            is_whole = false;
        }
        let is_void = matches!(self.module.types.kind(ret), TyKind::Void);
        if is_whole && !self.is_damaged && !is_void && self.statements_ref().falls_through(root) {
            let name = &self.module.functions[func].name;
            let message = format!("non-void function `{name}` does not return a value in all control paths");
            self.sink.emit(Diagnostic::new(Code::MissingReturn, end, message));
        }
        if !is_whole && def.specs.constexpr.is_some() {
            self.calls().note_broken(name);
        }
        if !is_whole || self.is_damaged {
            self.known.func_facts.entry(func).or_default().is_broken = true;
        }
        self.finish_body(func, root, end);
        Ok(())
    }

    /// Opens the scope of a function's parameters.
    pub(super) fn begin_body(&mut self, func: Func, ret: Ty, params: Vec<Param>) {
        self.func = Some(match self.spare.take() {
            Some(before) => before.next(func, ret),
            None => Box::new(FuncCx::new(func, ret)),
        });
        self.scopes.push();
        for param in params {
            self.declare_param(param);
        }
        if let Some(this) = self.this_param(func) {
            self.statements().func_cx().locals[this].name = Some("this".into());
        }
    }

    /// Gives the function its body, once all of it is checked.
    pub(super) fn finish_body(&mut self, func: Func, root: Stmt, end: Span) {
        if self.func.is_some() {
            self.statements().check_temporaries(root);
        }
        if let Some(mut func_cx) = self.func.take() {
            let body = self.take_body(&mut func_cx, root, end);
            if self.is_constexpr_of_host(func) {
                self.known.constant_bodies.insert(func, body);
            } else {
                self.module.functions[func].body = Some(body);
                self.checked.push(func);
                self.define_for_base_if_used(func);
            }
            self.spare = Some(func_cx);
        }
    }

    fn declare_param(&mut self, param: Param) {
        // An incomplete type is reported; the parameter stays, so that the others keep their place.
        let complete = self.types().require_value_ty(param.ty, MAX_ARGUMENT_BYTES, param.span);
        // nvcc has no parameters that take no room.
        if complete.is_ok() && layout::size_of(&self.module.types, param.ty) == Ok(0) {
            let ty = self.show(param.ty);
            self.error(
                Code::InvalidType,
                param.span,
                format!("parameter has type {ty}, which has size zero"),
            );
        }
        let name = param.name.map(|n| self.spelling(n.symbol).into());
        let data = LocalData {
            name,
            ty: param.ty,
            align: None,
            is_param: true,
            is_grid_constant: param.is_grid_constant,
            is_referenced: param.is_maybe_unused,
            span: param.span,
        };
        let func = self.statements().func_cx();
        let local = func.locals.push(data);
        func.params.push(local);
        let Some(name) = param.name else { return };
        let entity = if complete.is_ok() { Entity::Local(local) } else { Entity::Poison };
        let entity = match param.pack {
            OfPack::No | OfPack::Whole => entity,
            OfPack::Element(0) => self.templates().pack_of_params(entity),
            OfPack::Element(_) => return self.templates().add_to_pack(name.symbol, entity),
        };
        self.names().warn_shadow(name);
        // A second parameter of the name is reported there.
        let _reported = self.names().declare(name, entity);
    }
}
