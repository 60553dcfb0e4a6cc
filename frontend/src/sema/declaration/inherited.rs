//! Inheriting constructors (C++17 10.3.3p16, 15.6.3): those of a base class initialize objects of a derived one, which has a `using`
//! declaration for them.
//!
//! To overload resolution they are candidates of the base class. For the one that is chosen, the derived class has a function, made once:
//! it hands its parameters to the constructor of the base, and initializes the other bases and the members as an implicit default
//! constructor does.

use thin_vec::ThinVec;

use super::special::Origin;
use crate::ast::OfPack;
use crate::diag::{Code, Reported};
use crate::ir::{Expr, Func, Init, InitData, Local, PlaceData, Quals, Record, Stmt, StmtData, Ty, TyKind};
use crate::sema::call::overload::Overloads;
use crate::sema::expression::Operand;
use crate::sema::types::Param;
use crate::sema::{Cx, Declarations};
use crate::source::Span;

impl Cx<'_> {
    /// The constructors that objects of the class may be initialized by: its own, and those that it inherits. With one argument,
    /// those that would copy a part of the object are left out.
    pub(in crate::sema) fn constructors_of(&self, class: Record, n_args: usize) -> Overloads {
        let mut all = self.own_constructors(class);
        let Some(specials) = self.known.specials.get(&class) else { return all };
        for &base in &specials.inherits {
            all.naming = Some(class);
            let inherited = self.constructors_of(base, n_args);
            let hides = |func: Func| {
                let is_default = self.calls_ref().n_required_args(func) == 1;
                is_default && !specials.declares_constructor()
                    || n_args == 1 && self.takes_own_object(func, class)
                    || specials.constructors.iter().any(|&own| self.has_params_of(own, func))
            };
            inherited.funcs.into_iter().filter(|&func| !hides(func)).for_each(|func| all.add(func));
            all.templates.extend(inherited.templates);
        }
        all
    }

    fn own_constructors(&self, class: Record) -> Overloads {
        let specials = self.known.specials.get(&class);
        let funcs = specials.map(|specials| specials.constructors.clone()).unwrap_or_default();
        let templates = self.templates_ref().constructor_templates(class);
        Overloads { funcs, templates, ..Overloads::default() }
    }

    /// Whether a constructor of a base class would copy the part that an object of the class has of it: it takes no such object alone
    /// (C++17 16.3.1p8).
    pub(in crate::sema) fn takes_own_object(&self, func: Func, class: Record) -> bool {
        let types = &self.module.types;
        let function = &self.module.functions[func];
        let Some(method) = function.method.filter(|method| method.class != class) else { return false };
        let first = types.func(function.ty).and_then(|ty| ty.params.get(1));
        let Some((referred, _)) = first.and_then(|&first| types.reference(first)) else { return false };
        let Some(taken) = types.record(referred) else { return false };
        let is_derived =
            |derived, base| derived == base || self.types_ref().path_to_base(derived, base).is_some();
        is_derived(class, taken) && is_derived(taken, method.class)
    }

    fn has_params_of(&self, own: Func, inherited: Func) -> bool {
        let types = &self.module.types;
        let params = |func: Func| {
            types.func(types.canonical(self.module.functions[func].ty)).map(|ty| &ty.params[1..])
        };
        params(own) == params(inherited)
    }
}

impl Declarations<'_> {
    /// The function of the class that initializes an object of it by a constructor, which may be that of a base.
    pub(in crate::sema) fn inheriting_constructor(
        &mut self,
        class: Record,
        func: Func,
    ) -> Result<Func, Reported> {
        let Some(method) = self.module.functions[func].method else { return Err(self.poisoned()) };
        if method.class == class {
            return Ok(func);
        }
        let Some(specials) = self.known.specials.get(&class) else { return Err(self.poisoned()) };
        if let Some(&made) = specials.inheriting.get(&func) {
            return Ok(made);
        }
        let leads = |base: Record| {
            base == method.class || self.types_ref().path_to_base(base, method.class).is_some()
        };
        let Some(base) = specials.inherits.iter().copied().find(|&base| leads(base)) else {
            return Err(self.poisoned());
        };
        let inner = self.inheriting_constructor(base, func)?;
        let made = self.declare_inheriting(class, func)?;
        self.known.specials.entry(class).or_default().inheriting.insert(func, made);
        let span = self.module.functions[made].span;
        self.apart(|cx| {
            cx.within_class(class, |cx| cx.declarations().write_inheriting(made, (class, base), inner, span))
        })?;
        Ok(made)
    }

    fn declare_inheriting(&mut self, class: Record, func: Func) -> Result<Func, Reported> {
        let mut function = self.module.functions[func].clone();
        let this = self.module.types.record_ty(class);
        let this = self.module.types.pointer_to(this);
        let Some(mut ty) = self.module.types.func(function.ty).cloned() else { return Err(self.poisoned()) };
        let data = &self.module.types.records[class];
        (function.span, function.namespace) = (data.span, data.namespace);
        if ty.variadic {
            let message = "an inherited constructor with `...` is not supported";
            return Err(self.error(Code::UnsupportedMember, function.span, message));
        }
        ty.params[0] = this;
        function.ty = self.module.types.intern(TyKind::Func(ty), Quals::empty());
        if let Some(method) = &mut function.method {
            method.inherits = Some(method.class);
            method.class = class;
        }
        function.name = self.module.types.class_name(class).unwrap_or_default().to_owned();
        (function.body, function.is_referenced) = (None, true);
        function.linkage = self.linkage_of_method(class, true);
        let span = function.span;
        let made = self.cx.module.functions.push(function);
        let is_constexpr = self.known.func_facts.get(&func).is_some_and(|facts| facts.is_constexpr);
        let facts = self.known.func_facts.entry(made).or_default();
        (facts.is_constexpr, facts.defined) = (is_constexpr, Some(span));
        Ok(made)
    }

    fn write_inheriting(
        &mut self,
        func: Func,
        (class, base): (Record, Record),
        inner: Func,
        span: Span,
    ) -> Result<(), Reported> {
        let ty = self.module.types.func(self.module.functions[func].ty).cloned();
        let Some(ty) = ty else { return Err(self.poisoned()) };
        let this = self.module.types.with_quals(ty.params[0], Quals::CONST);
        let own = ty.params[1..].iter().map(|&ty| Param { ty, ..Param::this(this, span) });
        let params: Vec<Param> = std::iter::once(Param::this(this, span)).chain(own).collect();
        debug_assert!(params.iter().all(|param| param.pack == OfPack::No));
        self.begin_body(func, Ty::VOID, params);
        let mut list = ThinVec::new();
        let written = self.init_parts(func, (class, base), inner, &mut list, span);
        let root = self.statements().stmt(StmtData::Block(list), span);
        self.scopes.pop();
        self.finish_body(func, root, span);
        written
    }

    /// The base is initialized by its constructor, and the rest as where no constructor names it.
    fn init_parts(
        &mut self,
        func: Func,
        (class, base): (Record, Record),
        inner: Func,
        list: &mut ThinVec<Stmt>,
        span: Span,
    ) -> Result<(), Reported> {
        let parts = self.types_ref().bases_of(class);
        let of_base = parts.iter().find(|&&(_, part)| part == base).map(|&(idx, _)| idx);
        let n_fields = self.module.types.records[class].fields.as_ref().map_or(0, Vec::len) as u32;
        for idx in 0..n_fields {
            let init = match Some(idx) == of_base {
                true => {
                    let made = self.names().for_part_of_base(Some(base), |cx| {
                        cx.declarations().forwarding_init(base, inner, span)
                    });
                    Some(made?)
                }
                false => self.unnamed_member_init(func, class, idx)?,
            };
            if let Some(init) = init {
                self.init_part(&[idx], init, span, list)?;
            }
        }
        Ok(())
    }

    fn forwarding_init(&mut self, base: Record, inner: Func, span: Span) -> Result<Init, Reported> {
        let facts = self.known.func_facts.get(&inner);
        if facts.is_some_and(|facts| facts.origin == Origin::Defaulted) {
            let ty = self.module.types.record_ty(base);
            let init = self.conversions().default_init(ty, span)?;
            return Ok(init.unwrap_or_else(|| self.init(InitData::Partial(ThinVec::new()), span)));
        }
        let params = self.statements().func_cx().params[1..].to_vec();
        let args = params.into_iter().map(|param| self.forwarded(param, span));
        let args = args.collect::<Result<ThinVec<Expr>, Reported>>()?;
        Ok(self.init(InitData::Construct(inner, args), span))
    }

    /// What a parameter hands on. As with nvcc 13.5, an object by value is moved; C++17 15.6.3p1 lets it initialize the parameter itself.
    fn forwarded(&mut self, param: Local, span: Span) -> Result<Expr, Reported> {
        let ty = self.statements().func_cx().locals[param].ty;
        let ty = match self.module.types.reference(ty) {
            Some((referred, _)) => self.module.types.pointer_to(referred),
            None => ty,
        };
        let place = self.place(PlaceData::Local(param), ty, span);
        let value = self.expressions().rvalue(Operand::Member(place))?;
        self.conversions().own_value(value)
    }
}
