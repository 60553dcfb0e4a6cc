//! Constructors, destructors and conversion functions (C++17 15), and what constructors initialize before their bodies.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::Declaration;
use crate::ast::{Declarator, InitId, MemberInit, Method, MethodDefinition, Special};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    self, Func, FuncTy, Function, FunctionKind, Init, InitData, InlineHint, LinkName, Linkage, MethodKind,
    Place, PlaceData, Quals, Record, Stmt, StmtData, Ty, TyKind,
};
use crate::sema::Declarations;
use crate::sema::name::scope::Entity;
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
    /// The functions for the part that a base class has, by the one for a whole object.
    pub(in crate::sema) for_bases: HashMap<Func, Func>,
    /// The implicit default constructor, once it was needed.
    pub(in crate::sema) implicit: Option<Implicit>,
}

/// A implicit default constructor.
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
        let method =
            ir::Method { class, is_static: false, ref_qualifier: None, kind: MethodKind::Constructor };
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

    /// What a constructor does before its body: it initializes bases and members in the order of their declarations (C++17 15.6.2p13).
    pub(super) fn check_member_inits(
        &mut self,
        func: Func,
        inits: &[MemberInit],
        list: &mut ThinVec<Stmt>,
    ) -> Result<(), Reported> {
        let function = &self.module.functions[func];
        let Some(method) = function.method.filter(|method| method.kind == MethodKind::Constructor) else {
            if let Some(init) = inits.first() {
                let message = "only constructors take member initializers";
                return Err(self.error(Code::InvalidInitializer, init.span, message));
            }
            return Ok(());
        };
        let span = function.span;
        let class = method.class;
        let class_ty = self.module.types.record_ty(class);
        let Some(pointer) = self.expressions().this_pointer(span) else { return Err(self.poisoned()) };
        let object = self.place(PlaceData::Deref(pointer), class_ty, span);
        if let [delegate] = inits
            && self.names_class(delegate, class)
        {
            let init = self.conversions().check_direct_init(class_ty, delegate.init)?;
            self.push_member_init(object, init, delegate.span, list);
            return Ok(());
        }
        let mut given: BTreeMap<u32, &MemberInit> = BTreeMap::new();
        let mut failed = None;
        for init in inits {
            match self.initialized_member(class, init) {
                Ok(idx) => {
                    if let Some(before) = given.insert(idx, init) {
                        let spelling = self.spelling(init.name.symbol);
                        let message = format!("multiple initializations given for member `{spelling}`");
                        let diagnostic = Diagnostic::new(Code::InvalidInitializer, init.span, message)
                            .with_label(before.span, "previous initialization is here");
                        failed = Some(self.sink.error(diagnostic));
                    }
                }
                Err(reported) => failed = Some(reported),
            }
        }
        if let Some(reported) = failed {
            return Err(reported);
        }
        let fields = self.module.types.records[class].fields.as_deref().unwrap_or_default();
        let (n_fields, is_union) = (fields.len() as u32, self.module.types.records[class].is_union);
        for idx in 0..n_fields {
            // Of each one, the object that `this` is to is another expression.
            let (init, at) = match given.get(&idx) {
                Some(member) => (self.check_member_init(class, idx, member), member.span),
                None if is_union && !given.is_empty() => continue,
                None => (self.unnamed_member_init(func, class, idx), span),
            };
            match init {
                Ok(Some(init)) => {
                    self.construct_as_base(class, idx, init);
                    let Some(pointer) = self.expressions().this_pointer(at) else {
                        return Err(self.poisoned());
                    };
                    let object = self.place(PlaceData::Deref(pointer), class_ty, at);
                    let member = self.own_field(object, class, idx, at);
                    self.push_member_init(member, init, at, list);
                }
                Ok(None) => {}
                Err(reported) => failed = Some(reported),
            }
        }
        failed.map_or(Ok(()), Err)
    }

    fn push_member_init(&mut self, member: Place, init: Init, span: Span, list: &mut ThinVec<Stmt>) {
        let ty = self.place_ty(member);
        let found = self.statements().temporaries_of_member(ty, init);
        let stmt = self.statements().stmt(StmtData::Init(member, init), span);
        self.statements().push_full(stmt, found, list);
    }

    /// Whether the initializer delegates to another constructor of the class.
    fn names_class(&self, init: &MemberInit, class: Record) -> bool {
        let tag = self.module.types.class_name(class);
        init.ty.is_none() && init.scope.is_none() && tag == Some(self.spelling(init.name.symbol))
    }

    /// The index of the member that an initializer is for.
    fn initialized_member(&mut self, class: Record, init: &MemberInit) -> Result<u32, Reported> {
        let class_ty = self.module.types.record_ty(class);
        let spelling = self.spelling(init.name.symbol);
        if self.names_class(init, class) {
            let message = "an initializer for a delegating constructor must appear alone";
            return Err(self.error(Code::InvalidInitializer, init.span, message));
        }
        if let Some(idx) = self.initialized_base(class, init)? {
            return Ok(idx);
        }
        match self.expressions_ref().find_member(class, init.name.symbol) {
            Some(idx) if self.is_base(class, idx) => {
                let message = format!("member `{spelling}` of a base class cannot be initialized here");
                Err(self.error(Code::NoMember, init.name.span, message))
            }
            Some(idx) if !self.expressions_ref().is_named_member(class, idx) => {
                let message = "an initializer for a member of an anonymous struct or union is not supported";
                Err(self.error(Code::UnsupportedInitializer, init.name.span, message))
            }
            Some(idx) if init.scope.is_none() => Ok(idx),
            _ => {
                if self.known.broken_records.contains(&class) {
                    return Err(self.poisoned());
                }
                let shown = self.show(class_ty);
                let message = format!(
                    "member initializer `{spelling}` does not name a non-static data member or base of {shown}"
                );
                Err(self.error(Code::NoMember, init.name.span, message))
            }
        }
    }

    /// The index of the base class that an initializer is for, by its name or that of a type that it is.
    fn initialized_base(&mut self, class: Record, init: &MemberInit) -> Result<Option<u32>, Reported> {
        let bases = self.types_ref().bases_of(class);
        if bases.is_empty() {
            return Ok(None);
        }
        // In a class, the names of its bases are known.
        let tag = self.spelling(init.name.symbol);
        let is_named = |base: Record| self.module.types.records[base].tag.as_deref() == Some(tag);
        if init.scope.is_none()
            && init.ty.is_none()
            && let Some(&(idx, _)) = bases.iter().find(|&&(_, base)| is_named(base))
        {
            return Ok(Some(idx));
        }
        let entity = match &init.scope {
            _ if let Some(ty) = &init.ty => Some(Entity::Typedef(self.types().resolve_type_name(ty)?)),
            Some(scope) => Some(Entity::Typedef(self.names().qualified_tag(scope, init.name)?.0)),
            None => {
                let tag = self.names().tag_named(init.name)?.map(|(ty, _)| Entity::Typedef(ty));
                tag.or_else(|| self.names_ref().lookup(init.name.symbol).map(|binding| binding.entity))
            }
        };
        let Some(Entity::Typedef(ty)) = entity else { return Ok(None) };
        let record = self.module.types.record(ty);
        Ok(bases.iter().find(|&&(_, base)| Some(base) == record).map(|&(idx, _)| idx))
    }

    /// The part of a base class is constructed by the function that is for it.
    pub(super) fn construct_as_base(&mut self, class: Record, idx: u32, init: Init) {
        if !self.is_base(class, idx) {
            return;
        }
        let InitData::Construct(func, _) = self.arena.inits[init].data else { return };
        let method = self.module.functions[func].method;
        let specials = method.and_then(|method| self.known.specials.get(&method.class));
        if let Some(&twin) = specials.and_then(|specials| specials.for_bases.get(&func))
            && let InitData::Construct(func, _) = &mut self.arena.inits[init].data
        {
            *func = twin;
        }
    }

    fn is_base(&self, class: Record, idx: u32) -> bool {
        self.types_ref().bases_of(class).iter().any(|&(base, _)| base == idx)
    }

    fn check_member_init(
        &mut self,
        class: Record,
        idx: u32,
        member: &MemberInit,
    ) -> Result<Option<Init>, Reported> {
        let ty = self.conversions_ref().declared_field(class, idx);
        self.conversions().check_direct_init(ty, member.init).map(Some)
    }

    /// What becomes of a member that the constructor does not name.
    fn unnamed_member_init(&mut self, func: Func, class: Record, idx: u32) -> Result<Option<Init>, Reported> {
        let span = self.module.functions[func].span;
        let ty = self.conversions_ref().declared_field(class, idx);
        if let Some(init) = self.conversions().member_value(class, idx, span)? {
            return Ok(Some(init));
        }
        let is_reference = self.module.types.reference(ty).is_some();
        if is_reference || self.is_const(ty) && !self.conversions_ref().has_default(ty) {
            let field = self.module.types.records[class].fields.as_ref().and_then(|f| f.get(idx as usize));
            let (name, declared) = field
                .map_or_else(Default::default, |field| (field.name.clone().unwrap_or_default(), field.span));
            let what = if is_reference { "reference" } else { "const" };
            let message = format!("constructor must explicitly initialize the {what} member `{name}`");
            let diagnostic = Diagnostic::new(Code::UninitializedConst, span, message)
                .with_label(declared, "declared here");
            return Err(self.sink.error(diagnostic));
        }
        self.conversions().default_init(ty, span)
    }

    /// Of a constructor or destructor there are two functions, as in nvcc: one is for the part of an object that a base class has. In the
    /// class that is left out if nothing uses it.
    pub(super) fn define_for_base(&mut self, func: Func) {
        let mut function = self.module.functions[func].clone();
        let Some(method) = &mut function.method else { return };
        method.kind = match method.kind {
            MethodKind::Constructor => MethodKind::BaseConstructor,
            MethodKind::Destructor => MethodKind::BaseDestructor,
            _ => return,
        };
        let class = method.class;
        let is_instance = function.instance.is_some() || self.is_of_instance(class);
        if function.linkage == Linkage::Inline && is_instance {
            function.linkage = Linkage::Weak;
        }
        let twin = self.cx.module.functions.push(function);
        self.known.specials.entry(class).or_default().for_bases.insert(func, twin);
        self.cx.checked.push(twin);
        self.known.func_facts.entry(twin).or_default().defined = Some(self.module.functions[twin].span);
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

    /// A member of the object, as it is declared.
    pub(in crate::sema) fn own_field(&mut self, object: Place, class: Record, idx: u32, span: Span) -> Place {
        let ty = self.conversions_ref().declared_field(class, idx);
        // What has a reference type holds an address.
        let ty = match self.module.types.reference(ty) {
            Some((referred, _)) => self.module.types.pointer_to(referred),
            None => ty,
        };
        self.place(PlaceData::Field(object, idx), ty, span)
    }
}

pub(super) fn origin_of(definition: MethodDefinition) -> Origin {
    match definition {
        MethodDefinition::Elsewhere | MethodDefinition::Body => Origin::Provided,
        MethodDefinition::Default(_) => Origin::Defaulted,
        MethodDefinition::Delete(span) => Origin::Deleted(span),
    }
}
