//! Declarations of `constexpr` functions and variables (C++17 10.1.5): what bodies may not have, the functions of the
//! host, and the values of variables in place of what they were computed from.

use std::mem;

use cranelift_entity::packed_option::ReservedValue;
use thin_vec::ThinVec;

use super::Declaration;
use super::special::Origin;
use crate::diag::{Code, Reported};
use crate::ir::{
    ConstInit, Expr, ExprData, Func, Function, FunctionKind, Init, InitData, InlineHint, LinkName, Linkage,
    Namespace, StmtData, Ty, TyKind,
};
use crate::sema::call::overload::Overloads;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::name::advice::Advised;
use crate::sema::name::scope::{Binding, Entity, HostEntity};
use crate::sema::types::Param;
use crate::sema::{Declarations, Evaluation};
use crate::source::Span;

impl Declarations<'_> {
    /// Refuses what the body of a `constexpr` function may not have, whether a constant needs the function or not
    /// (C++17 10.1.5p3). nvcc takes `asm` with a warning.
    pub(super) fn check_constexpr_body(&mut self) {
        let Some(func) = &self.func else { return };
        let mut mistakes = Vec::new();
        let has_goto = func.stmts.values().any(|node| matches!(node.data, StmtData::Goto(_)));
        for node in func.stmts.values() {
            let what = match node.data {
                StmtData::Local(local, None) => match &func.locals[local].name {
                    Some(name) => format!("variable `{name}` in a `constexpr` function must be initialized"),
                    None => "variable in a `constexpr` function must be initialized".to_owned(),
                },
                StmtData::Static(_) => {
                    "variable of static storage duration is not allowed in a `constexpr` function".to_owned()
                }
                StmtData::Goto(_) => "`goto` is not allowed in a `constexpr` function".to_owned(),
                StmtData::Label(..) if !has_goto => {
                    "label is not allowed in a `constexpr` function".to_owned()
                }
                _ => continue,
            };
            mistakes.push((node.span, what));
        }
        for (span, message) in mistakes {
            self.error(Code::InvalidConstexpr, span, message);
        }
    }

    /// Whether the function being checked, or the lack of one, may call `constexpr` functions of the host: device code
    /// may not, in constant expressions neither, but in what is not evaluated, as with nvcc. Host code with launches has no function.
    fn may_call_host(&self) -> bool {
        (self.evaluation == Evaluation::Unevaluated)
            || self.func.as_ref().is_none_or(|func| {
                func.func == Func::reserved_value() || self.is_constexpr_of_host(func.func)
            })
    }

    pub(super) fn is_constexpr_of_host(&self, func: Func) -> bool {
        self.known.func_facts.get(&func).is_some_and(|facts| facts.is_constexpr_of_host)
    }

    /// Reports what device code uses of `std` that its headers define: to nvcc, such functions are the host's, most of them `constexpr`.
    pub(super) fn refuse_function_of_std(&mut self, func: Func, span: Span) {
        let is_of_std = |func: Func| {
            let function = &self.module.functions[func];
            let namespace = match function.method {
                // To nvcc its members are the device's, too (CUDA C++ Programming Guide "Initializer Lists").
                Some(method) if self.conversions_ref().is_initializer_list(method.class) => Namespace::GLOBAL,
                Some(method) => self.module.types.records[method.class].namespace,
                None => function.namespace,
            };
            namespace != Namespace::GLOBAL && self.module.types.is_std(namespace)
        };
        if !is_of_std(func) || self.may_call_host() {
            return;
        }
        let facts = self.known.func_facts.get(&func);
        let is_from_std = self.func.as_ref().is_some_and(|caller| is_of_std(caller.func));
        if is_from_std || facts.is_some_and(|facts| facts.origin != Origin::Provided) {
            return;
        }
        let is_constexpr = facts.is_some_and(|facts| facts.is_constexpr);
        let function = &self.module.functions[func];
        let scope = if function.method.is_some() { "" } else { "std::" };
        let name = format!("{scope}{}", function.name);
        let _reported = if is_constexpr {
            self.names().require_relaxed_constexpr(&name, span)
        } else {
            let message = format!("`{name}` is a host function, which device code cannot call");
            Err(self.error(Code::UnsupportedHostCode, span, message))
        };
    }

    /// The `constexpr` functions of the host that a name of the host means.
    pub(in crate::sema) fn host_constexpr(&self, binding: Binding) -> Option<Entity> {
        self.known.host_constexprs.get(&binding.span?).copied().filter(|_| self.may_call_host())
    }

    /// Declares a `constexpr` function of the host, which constant expressions outside of device functions may call. It is
    /// no part of the output.
    pub(super) fn declare_host_constexpr(
        &mut self,
        decl: &Declaration<'_>,
        params: &[Param],
    ) -> Result<Func, Reported> {
        let name = decl.name;
        let func = self.cx.module.functions.push(Function {
            name: self.spelling(name.symbol).to_owned(),
            namespace: self.scopes.namespace(),
            link_name: LinkName::Cxx,
            linkage: Linkage::External,
            kind: FunctionKind::Device,
            ty: decl.ty,
            inline: InlineHint::Auto,
            instance: None,
            method: None,
            body: None,
            is_referenced: true,
            span: name.span,
        });
        self.names().advise(Advised::Func(func), decl.attrs);
        let facts = self.known.func_facts.entry(func).or_default();
        (facts.is_constexpr, facts.is_constexpr_of_host) = (true, true);
        facts.param_spans = params.iter().map(|param| param.span).collect();
        self.calls().declare_default_args(func, params)?;
        let previous = self.scopes.get_here(name.symbol).and_then(|previous| self.host_constexpr(previous));
        let entity = match previous {
            None => Entity::Func(func),
            Some(Entity::Overloads(overloads)) => {
                self.known.overloads[overloads].add(func);
                Entity::Overloads(overloads)
            }
            Some(previous) => {
                let mut overloads = Overloads::default();
                if let Entity::Func(previous) = previous {
                    overloads.add(previous);
                }
                overloads.add(func);
                Entity::Overloads(self.known.overloads.push(overloads))
            }
        };
        self.known.host_constexprs.insert(name.span, entity);
        // The body may name it.
        let is_taken = self
            .scopes
            .get_here(name.symbol)
            .is_some_and(|binding| !matches!(binding.entity, Entity::Host(_)));
        if !is_taken && !self.is_name_of_device(name.symbol) {
            self.scopes.bind(name.symbol, Entity::Host(HostEntity::Function), name.span);
        }
        Ok(func)
    }

    /// Puts the value of a constant variable of a block in place of the calls that compute it.
    pub(super) fn fold_calls(&mut self, init: Init, ty: Ty) {
        match mem::replace(&mut self.arena.inits[init].data, InitData::Bytes(ThinVec::new())) {
            InitData::Expr(expr) => {
                let data = self.folded_call(expr, ty);
                self.arena.inits[init].data = data;
            }
            InitData::Array(elems) => {
                let elem = match *self.module.types.kind(ty) {
                    TyKind::Array(elem, _) => elem,
                    _ => Ty::ERROR,
                };
                elems.iter().for_each(|&(_, part)| self.fold_calls(part, elem));
                self.arena.inits[init].data = InitData::Array(elems);
            }
            InitData::Record(members) => {
                for &(idx, part) in &members {
                    let member = self.expressions().field_ty(ty, idx);
                    self.fold_calls(part, member);
                }
                self.arena.inits[init].data = InitData::Record(members);
            }
            data @ InitData::Bytes(_) => self.arena.inits[init].data = data,
            data @ (InitData::Partial(_) | InitData::Each(_) | InitData::Construct(..)) => {
                let span = self.arena.inits[init].span;
                self.arena.inits[init].data = data;
                if let Ok(value) = self.constants().eval_init(init, ty)
                    && let Some(made) = self.init_of(&value, ty, span)
                {
                    self.arena.inits[init] = self.arena.inits[made].clone();
                }
            }
        }
    }

    fn folded_call(&mut self, expr: Expr, ty: Ty) -> InitData {
        if !self.is_made_of_calls(expr) {
            return InitData::Expr(expr);
        }
        let span = self.span_of(expr);
        if self.module.types.record(ty).is_some() {
            return match self.constants().eval_object(expr, ty) {
                Ok(value) if let Some(init) = self.init_of(&value, ty, span) => {
                    mem::replace(&mut self.arena.inits[init].data, InitData::Bytes(ThinVec::new()))
                }
                Ok(_) | Err(_) => InitData::Expr(expr),
            };
        }
        match self.constants().eval(expr, Mode::Value) {
            Ok(Value::Int(value)) => self.arena.exprs[expr].data = ExprData::int(value),
            Ok(Value::Float(value)) => self.arena.exprs[expr].data = ExprData::Float(value),
            Ok(Value::Addr(crate::sema::constant::const_eval::Base::Null, 0)) => {
                self.arena.exprs[expr].data = ExprData::Null
            }
            Ok(Value::Extended(_) | Value::Addr(..)) | Err(_) => {}
        }
        InitData::Expr(expr)
    }

    /// Whether the expression is a call, or made of calls and operators.
    fn is_made_of_calls(&self, expr: Expr) -> bool {
        match self.arena.exprs[expr].data {
            ExprData::Call { .. } | ExprData::CallIndirect { .. } => true,
            ExprData::Convert(_, operand) | ExprData::Unary(_, operand) | ExprData::Not(operand) => {
                self.is_made_of_calls(operand)
            }
            ExprData::Binary(_, lhs, rhs)
            | ExprData::Compare(_, lhs, rhs)
            | ExprData::Logical(_, lhs, rhs)
            | ExprData::Comma(lhs, rhs) => self.is_made_of_calls(lhs) || self.is_made_of_calls(rhs),
            ExprData::Conditional { cond, then, otherwise } => {
                [cond, then, otherwise].into_iter().any(|part| self.is_made_of_calls(part))
            }
            ExprData::Load(place) => self.constants().is_of_call(place),
            _ => false,
        }
    }

    /// An initializer that makes the value; none if an address is in it.
    fn init_of(&mut self, value: &ConstInit, ty: Ty, span: Span) -> Option<Init> {
        let scalar = self.module.types.unqualified(ty);
        let data = match (value, self.module.types.kind(ty).clone()) {
            (ConstInit::Zero, TyKind::Array(..)) => InitData::Array(ThinVec::new()),
            (ConstInit::Zero, TyKind::Record(_)) => InitData::Record(ThinVec::new()),
            (ConstInit::Zero, TyKind::Int(_) | TyKind::Enum(_)) => {
                InitData::Expr(self.expr(ExprData::int(0), scalar, span))
            }
            (ConstInit::Zero, TyKind::Float(_)) => {
                InitData::Expr(self.expr(ExprData::Float(0.0), scalar, span))
            }
            (ConstInit::Zero, TyKind::Pointer(_)) => InitData::Expr(self.expr(ExprData::Null, scalar, span)),
            (&ConstInit::Int(value), TyKind::Int(_) | TyKind::Enum(_)) => {
                InitData::Expr(self.expr(ExprData::int(value), scalar, span))
            }
            (&ConstInit::Float(value), TyKind::Float(_)) => {
                InitData::Expr(self.expr(ExprData::Float(value), scalar, span))
            }
            (ConstInit::Array(elems), TyKind::Array(elem, _)) => {
                let parts = elems.iter().map(|(idx, part)| Some((*idx, self.init_of(part, elem, span)?)));
                InitData::Array(parts.collect::<Option<_>>()?)
            }
            (ConstInit::Record(members), TyKind::Record(_)) => {
                let part = |(idx, part): &(u32, ConstInit)| {
                    let member = self.expressions().field_ty(ty, *idx);
                    Some((*idx, self.init_of(part, member, span)?))
                };
                InitData::Record(members.iter().map(part).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Some(self.init(data, span))
    }
}
