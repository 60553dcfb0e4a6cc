//! Constructors, destructors and conversion functions (C++17 15), and what constructors initialize before their bodies.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::Declaration;
use crate::ast::{Declarator, InitId, Method, MethodDefinition, Special};
use crate::diag::{Code, Reported};
use crate::ir::{
    self, Func, FuncTy, Function, FunctionKind, InlineHint, LinkName, Linkage, MethodKind, Quals, Record,
    Stmt, StmtData, Ty, TyKind,
};
use crate::sema::Declarations;
use crate::sema::template::Template;
use crate::sema::types::Param;
use crate::source::Span;

/// What a class has beside its names: constructors, a destructor, conversion functions, values of its members.
#[derive(Clone, Debug, Default)]
pub(in crate::sema) struct Specials {
    /// Those that the class declares, with a body or without.
    pub(in crate::sema) constructors: SmallVec<[Func; 4]>,
    pub(in crate::sema) conversions: SmallVec<[Func; 2]>,
    /// The templates of constructors.
    pub(in crate::sema) constructor_templates: SmallVec<[Template; 2]>,
    pub(in crate::sema) destructor: Option<Func>,
    /// The default member initializers, by the index of the member.
    pub(in crate::sema) values: BTreeMap<u32, MemberValue>,
    /// One of the constructors is the program's, or explicit: the class is no aggregate (C++17 11.6.1p1).
    pub(in crate::sema) is_constructed: bool,
    /// The assignment operators that it declares for objects of its own.
    pub(in crate::sema) assignments: SmallVec<[Func; 2]>,
    /// The constructors that copy and move an object which it does not declare, if they are more than a copy of bytes.
    pub(in crate::sema) implicit_copies: SmallVec<[Func; 2]>,
    /// The same of assignment operators.
    pub(in crate::sema) implicit_assignments: SmallVec<[Func; 2]>,
    /// The destructor that it does not declare, once it was needed.
    pub(in crate::sema) implicit_destructor: Option<Func>,
    /// The base classes whose constructors it inherits.
    pub(in crate::sema) inherits: SmallVec<[Record; 1]>,
    /// Its functions for such constructors, by those, once they were needed.
    pub(in crate::sema) inheriting: HashMap<Func, Func>,
    /// The functions for the part that a base class has, by the one for a whole object.
    pub(in crate::sema) for_bases: HashMap<Func, Func>,
    /// The implicit default constructor, once it was needed.
    pub(in crate::sema) implicit: Option<Implicit>,
}

impl Specials {
    /// Whether the class declares a constructor itself: it has no implicit default constructor then (C++17 15.1p4).
    pub(in crate::sema) fn declares_constructor(&self) -> bool {
        !self.constructors.is_empty() || !self.constructor_templates.is_empty()
    }
}

/// An implicit default constructor.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) enum Implicit {
    /// It gives members constants.
    Constants,
    Func(Func),
}

/// The value that a class gives a member.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct MemberValue {
    pub(in crate::sema) init: InitId,
    /// The unit that has it, if it was read again for an instance of a template.
    pub(in crate::sema) unit: Option<u32>,
    /// In how many blocks the class lies.
    pub(in crate::sema) depth: u32,
    /// It is being checked.
    pub(in crate::sema) is_open: bool,
    /// A mistake in it was reported.
    pub(in crate::sema) is_broken: bool,
}

/// How a class declares a special member, if it says so at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::sema) enum Origin {
    /// By a function of the program's.
    #[default]
    Provided,
    /// `= default`: as it would be without a word.
    Defaulted,
    /// `= delete`: a use is a mistake.
    Deleted(Span),
}

impl Declarations<'_> {
    /// What the name of a member function is, by how it is declared.
    pub(super) fn method_kind(special: Option<Special>) -> MethodKind {
        match special {
            None => MethodKind::Named,
            Some(Special::Constructor) => MethodKind::Constructor,
            Some(Special::Destructor) => MethodKind::Destructor,
            Some(Special::Conversion) => MethodKind::Conversion,
        }
    }

    /// The default constructor of a class that does not declare one: a function that constructs the members.
    pub(in crate::sema) fn implicit_constructor(&mut self, class: Record) -> Result<Func, Reported> {
        let data = &self.module.types.records[class];
        let (span, namespace) = (data.span, data.namespace);
        let name = self.module.types.class_name(class).unwrap_or_default().to_owned();
        let class_ty = self.module.types.record_ty(class);
        let this = self.module.types.pointer_to(class_ty);
        let ty = FuncTy { ret: Ty::VOID, params: vec![this], variadic: false };
        let ty = self.module.types.intern(TyKind::Func(ty), Quals::empty());
        let kind = MethodKind::Constructor;
        let method = ir::Method { class, is_static: false, ref_qualifier: None, kind, inherits: None };
        let constructors = self.known.specials.get(&class).map(|specials| specials.constructors.clone());
        let mut declared = constructors.unwrap_or_default().into_iter();
        let declared = declared.find(|&func| self.calls_ref().n_required_args(func) == 1);
        let function = Function {
            name,
            namespace,
            link_name: LinkName::Cxx,
            linkage: self.linkage_of_method(class, true),
            kind: FunctionKind::Device,
            ty,
            inline: InlineHint::Auto,
            instance: None,
            method: Some(method),
            body: None,
            is_referenced: true,
            span,
        };
        let func = match declared {
            Some(func) => {
                self.cx.module.functions[func] = function;
                func
            }
            None => self.cx.module.functions.push(function),
        };
        self.known.specials.entry(class).or_default().implicit = Some(Implicit::Func(func));
        let facts = self.known.func_facts.entry(func).or_default();
        (facts.is_constexpr, facts.defined) = (true, Some(span));
        let constant = self.module.types.with_quals(this, Quals::CONST);
        self.apart(|cx| {
            cx.within_class(class, |cx| cx.declarations().construct_members(func, constant, span))
        })?;
        Ok(func)
    }

    /// The body of an implicit constructor.
    fn construct_members(&mut self, func: Func, this: Ty, span: Span) -> Result<(), Reported> {
        self.begin_body(func, Ty::VOID, vec![Param::this(this, span)]);
        let mut list = ThinVec::new();
        let made = self.check_member_inits(func, &[], &mut list);
        let root = self.statements().stmt(StmtData::Block(list), span);
        self.scopes.pop();
        self.finish_body(func, root, span);
        made
    }

    /// What a special member must not be, and what of it is not supported.
    pub(super) fn check_special(
        &mut self,
        special: Special,
        class: Record,
        decl: &Declaration<'_>,
        params: &[Param],
    ) -> Result<(), Reported> {
        let span = decl.name.span;
        let own = &params[1..];
        match special {
            Special::Constructor => {
                let class_ty = self.module.types.record_ty(class);
                if let [first, rest @ ..] = own
                    && rest.iter().all(|param| param.default.is_some())
                    && self.same_unqualified(first.ty, class_ty)
                {
                    let message = "copy constructor must pass its first argument by reference";
                    return Err(self.error(Code::InvalidSpecifiers, first.span, message));
                }
                self.refuse_object_qualifiers(decl.declarator, "constructor")
            }
            Special::Destructor => {
                if let Some(param) = own.first() {
                    let message = "destructor cannot have any parameters";
                    return Err(self.error(Code::InvalidSpecifiers, param.span, message));
                }
                self.refuse_object_qualifiers(decl.declarator, "destructor")
            }
            Special::Conversion => {
                if let Some(param) = own.first() {
                    let message = "conversion function cannot have any parameters";
                    return Err(self.error(Code::InvalidSpecifiers, param.span, message));
                }
                let ret = self.module.types.func(decl.ty).map_or(Ty::ERROR, |func| func.ret);
                let class_ty = self.module.types.record_ty(class);
                let to = self.conversions_ref().unreferenced(ret);
                if to == Ty::VOID || self.same_unqualified(to, class_ty) {
                    let (class_ty, to) = (self.show(class_ty), self.show(to));
                    let message =
                        format!("conversion function converting {class_ty} to {to} will never be used");
                    return Err(self.error(Code::InvalidSpecifiers, span, message));
                }
                Ok(())
            }
        }
    }

    fn refuse_object_qualifiers(&mut self, declarator: &Declarator, what: &str) -> Result<(), Reported> {
        let Some(chunk) = super::method::function_chunk(declarator) else { return Ok(()) };
        let qualifier = chunk.quals.const_.span().or(chunk.quals.volatile.span());
        match qualifier.or(chunk.ref_qualifier.map(|(_, span)| span)) {
            Some(span) => {
                let message = format!("{what} cannot have a qualifier");
                Err(self.error(Code::InvalidSpecifiers, span, message))
            }
            None => Ok(()),
        }
    }

    /// Notes a special member of the class that is being read, beside the others.
    pub(super) fn bind_special(
        &mut self,
        special: Special,
        class: Record,
        func: Func,
        method: &Method,
    ) -> Result<(), Reported> {
        let origin = origin_of(method.definition);
        let is_explicit = method.specs.explicit.is_some();
        let facts = self.known.func_facts.entry(func).or_default();
        (facts.origin, facts.is_explicit) = (origin, is_explicit);
        let specials = self.known.specials.entry(class).or_default();
        let list = match special {
            Special::Constructor => specials.constructors.to_vec(),
            Special::Conversion => specials.conversions.to_vec(),
            Special::Destructor => specials.destructor.into_iter().collect(),
        };
        let span = self.module.functions[func].span;
        for other in list {
            self.refuse_same_method(span, other, func)?;
        }
        let is_copy = special == Special::Constructor && self.deed(func).is_some();
        let is_default = special == Special::Constructor && self.calls_ref().n_required_args(func) == 1;
        if origin == Origin::Defaulted && !is_copy && !is_default && special != Special::Destructor {
            let message = "only special member functions can be defaulted";
            return Err(self.error(Code::InvalidSpecifiers, span, message));
        }
        let is_provided = origin == Origin::Provided;
        let specials = self.known.specials.entry(class).or_default();
        match special {
            Special::Constructor => {
                specials.constructors.push(func);
                specials.is_constructed |= is_provided || is_explicit;
            }
            Special::Conversion => {
                specials.conversions.push(func);
                self.known.has_operators = true;
            }
            Special::Destructor => specials.destructor = Some(func),
        }
        Ok(())
    }

    /// Of a constructor or destructor there are two functions, as in nvcc: one is for the part of an object that a base class has. In the
    /// class that is left out if nothing uses it.
    pub(super) fn define_for_base(&mut self, func: Func) {
        let twin = self.twin_of(func);
        if twin != func && self.module.functions[twin].body.is_none() {
            self.define_twin(func, twin);
        }
    }

    /// The function for the part that a base class has, of a constructor or destructor for a whole object. As with nvcc, a use of it brings
    /// both.
    pub(in crate::sema) fn function_for_base(&mut self, func: Func) -> Func {
        let twin = self.twin_of(func);
        let function = &mut self.module.functions[func];
        // One that is always inlined is left out as others are.
        let is_inlined = function.inline == InlineHint::Always;
        if twin != func && function.linkage == Linkage::Inline && !is_inlined {
            function.linkage = Linkage::Weak;
        }
        twin
    }

    fn twin_of(&mut self, func: Func) -> Func {
        let mut function = self.module.functions[func].clone();
        let Some(method) = &mut function.method else { return func };
        let class = method.class;
        let specials = self.cx.known.specials.entry(class).or_default();
        if let Some(&twin) = specials.for_bases.get(&func) {
            return twin;
        }
        method.kind = match method.kind {
            MethodKind::Constructor => MethodKind::BaseConstructor,
            MethodKind::Destructor => MethodKind::BaseDestructor,
            MethodKind::Named
            | MethodKind::Conversion
            | MethodKind::BaseConstructor
            | MethodKind::BaseDestructor => return func,
        };
        // It is left out if nothing uses it.
        function.body = None;
        let twin = self.cx.module.functions.push(function);
        specials.for_bases.insert(func, twin);
        if self.module.functions[func].body.is_some() {
            self.define_twin(func, twin);
        }
        twin
    }

    /// Gives the function for the part of a base class its body, if it is there: that of the function for a whole object.
    pub(super) fn define_for_base_if_used(&mut self, func: Func) {
        let Some(method) = self.module.functions[func].method else { return };
        let specials = self.known.specials.get(&method.class);
        if let Some(&twin) = specials.and_then(|specials| specials.for_bases.get(&func)) {
            self.define_twin(func, twin);
        }
    }

    fn define_twin(&mut self, func: Func, twin: Func) {
        let function = &self.module.functions[func];
        let (body, ty, linkage, span) = (function.body.clone(), function.ty, function.linkage, function.span);
        let Some(method) = function.method else { return };
        let is_instance = function.instance.is_some() || self.is_of_instance(method.class);
        let linkage = if linkage == Linkage::Inline && is_instance { Linkage::Weak } else { linkage };
        let data = &mut self.module.functions[twin];
        (data.body, data.ty, data.linkage, data.span) = (body, ty, linkage, span);
        self.cx.checked.push(twin);
        let facts = self.known.func_facts.get(&func);
        let (is_constexpr, is_broken) =
            facts.map_or((false, false), |facts| (facts.is_constexpr, facts.is_broken));
        let facts = self.known.func_facts.entry(twin).or_default();
        (facts.defined, facts.is_constexpr, facts.is_broken) = (Some(span), is_constexpr, is_broken);
    }

    /// Notes that a constructor has no parameters, and a body that does nothing; members that it constructs all the same are looked at where
    /// it is asked for.
    pub(super) fn note_empty(&mut self, func: Func, list: &[Stmt]) {
        let function = &self.module.functions[func];
        let is_default = function.method.is_some_and(|method| method.kind == MethodKind::Constructor)
            && self.module.types.func(function.ty).is_some_and(|ty| ty.params.len() == 1);
        if !is_default {
            return;
        }
        let body = self.statements().func_cx();
        let is_construction = |&stmt: &Stmt| matches!(body.stmts[stmt].data, StmtData::Init(..));
        let is_empty = list.iter().all(is_construction);
        self.known.func_facts.entry(func).or_default().is_empty = is_empty;
    }
}

pub(super) fn origin_of(definition: MethodDefinition) -> Origin {
    match definition {
        MethodDefinition::Elsewhere | MethodDefinition::Body => Origin::Provided,
        MethodDefinition::Default(_) => Origin::Defaulted,
        MethodDefinition::Delete(span) => Origin::Deleted(span),
    }
}
