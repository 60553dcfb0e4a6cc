//! What constructors initialize before their bodies: bases and members, those of anonymous structs and unions too (C++17 15.6.2).

use std::collections::BTreeMap;

use thin_vec::ThinVec;

use crate::ast::MemberInit;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Func, Init, InitData, MethodKind, Place, PlaceData, Record, Stmt, StmtData};
use crate::sema::Declarations;
use crate::sema::expression::member::MemberPath;
use crate::sema::name::scope::Entity;
use crate::source::Span;

/// The initializers that a constructor has, by the way to what each is for.
type Given<'i> = BTreeMap<MemberPath, &'i MemberInit>;

impl Declarations<'_> {
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
        let given = self.given_inits(class, inits)?;
        self.init_members_of(func, class, &mut MemberPath::new(), &given, list)
    }

    /// The initializers that are written, by the way to what each is for.
    fn given_inits<'i>(&mut self, class: Record, inits: &'i [MemberInit]) -> Result<Given<'i>, Reported> {
        let mut given = Given::new();
        let mut failed = None;
        for init in inits {
            match self.initialized_member(class, init) {
                Ok(path) => {
                    let before = given.keys().find(|before| self.excludes(class, before, &path));
                    if let Some(&before) = before.and_then(|path| given.get(path)) {
                        let spelling = self.spelling(init.name.symbol);
                        let message = match before.name.symbol == init.name.symbol {
                            true => format!("multiple initializations given for member `{spelling}`"),
                            false => "only one member of a union can be initialized".to_owned(),
                        };
                        let diagnostic = Diagnostic::new(Code::InvalidInitializer, init.span, message)
                            .with_label(before.span, "previous initialization is here");
                        failed = Some(self.sink.error(diagnostic));
                    }
                    given.insert(path, init);
                }
                Err(reported) => failed = Some(reported),
            }
        }
        failed.map_or(Ok(given), Err)
    }

    /// Whether two members are the same, or of the same union, of which one alone is initialized (C++17 15.6.2p8).
    fn excludes(&self, class: Record, a: &[u32], b: &[u32]) -> bool {
        let mut class = class;
        for (&own, &other) in a.iter().zip(b) {
            let data = &self.module.types.records[class];
            if own != other {
                return data.is_union;
            }
            let field = data.fields.as_ref().and_then(|fields| fields.get(own as usize));
            let Some(inner) = field.and_then(|field| self.module.types.record(field.ty)) else { break };
            class = inner;
        }
        true
    }

    /// Initializes the bases and members of a class, or the members of an anonymous one, which `path` leads to.
    fn init_members_of(
        &mut self,
        func: Func,
        class: Record,
        path: &mut MemberPath,
        given: &Given<'_>,
        list: &mut ThinVec<Stmt>,
    ) -> Result<(), Reported> {
        let span = self.module.functions[func].span;
        let data = &self.module.types.records[class];
        let (n_fields, is_union) = (data.fields.as_ref().map_or(0, Vec::len) as u32, data.is_union);
        let has_given = |path: &MemberPath| given.keys().any(|known| known.starts_with(path));
        let chooses = is_union && has_given(path);
        let mut failed = None;
        for idx in 0..n_fields {
            path.push(idx);
            let done = match (given.get(path), self.anonymous_member(class, idx)) {
                (Some(member), _) => {
                    let init = self.check_member_init(class, idx, member);
                    init.and_then(|init| self.init_part(path, init, member.span, list))
                }
                _ if chooses && !has_given(path) => Ok(()),
                (None, Some(inner)) => self.init_members_of(func, inner, path, given, list),
                (None, None) => {
                    let init = match is_union {
                        true => self.conversions().member_value(class, idx, span),
                        false => self.unnamed_member_init(func, class, idx),
                    };
                    init.and_then(|init| init.map_or(Ok(()), |init| self.init_part(path, init, span, list)))
                }
            };
            path.pop();
            failed = failed.or(done.err());
        }
        failed.map_or(Ok(()), Err)
    }

    /// The class of a member without a name, whose members are those of the class.
    pub(in crate::sema) fn anonymous_member(&self, class: Record, idx: u32) -> Option<Record> {
        let field = self.module.types.records[class].fields.as_ref()?.get(idx as usize)?;
        let is_anonymous = field.name.is_none() && field.bit_width.is_none() && !field.is_base;
        self.module.types.record(field.ty).filter(|_| is_anonymous)
    }

    /// Initializes a base or a member of the object that is constructed.
    pub(super) fn init_part(
        &mut self,
        path: &[u32],
        init: Init,
        at: Span,
        list: &mut ThinVec<Stmt>,
    ) -> Result<(), Reported> {
        // Of each part, the object that `this` is to is another expression.
        let Some(pointer) = self.expressions().this_pointer(at) else { return Err(self.poisoned()) };
        let Some(object) = self.module.types.pointee(self.ty_of(pointer)) else {
            return Err(self.poisoned());
        };
        let mut object = self.place(PlaceData::Deref(pointer), object, at);
        for &idx in path {
            let ty = self.place_ty(object);
            let Some(class) = self.module.types.record(ty) else { return Err(self.poisoned()) };
            self.construct_as_base(class, idx, init);
            object = self.own_field(object, class, idx, at);
        }
        self.push_member_init(object, init, at, list);
        Ok(())
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

    /// The way to the member that an initializer is for, through anonymous ones.
    fn initialized_member(&mut self, class: Record, init: &MemberInit) -> Result<MemberPath, Reported> {
        let class_ty = self.module.types.record_ty(class);
        let spelling = self.spelling(init.name.symbol);
        if self.names_class(init, class) {
            let message = "an initializer for a delegating constructor must appear alone";
            return Err(self.error(Code::InvalidInitializer, init.span, message));
        }
        if let Some(idx) = self.initialized_base(class, init)? {
            return Ok(MemberPath::from_slice(&[idx]));
        }
        match self.expressions_ref().path_to_member(class, init.name.symbol) {
            Some(path) if self.is_base(class, path[0]) => {
                let message = format!("member `{spelling}` of a base class cannot be initialized here");
                Err(self.error(Code::NoMember, init.name.span, message))
            }
            Some(path) if init.scope.is_none() => Ok(path),
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
    pub(in crate::sema) fn construct_as_base(&mut self, class: Record, idx: u32, init: Init) {
        if !self.is_base(class, idx) {
            return;
        }
        let InitData::Construct(func, _) = self.arena.inits[init].data else { return };
        let twin = self.function_for_base(func);
        if let InitData::Construct(func, _) = &mut self.arena.inits[init].data {
            *func = twin;
        }
    }

    fn is_base(&self, class: Record, idx: u32) -> bool {
        self.base_at(class, idx).is_some()
    }

    /// The base class whose part of an object is at that index.
    pub(in crate::sema) fn base_at(&self, class: Record, idx: u32) -> Option<Record> {
        let bases = self.types_ref().bases_of(class);
        bases.iter().find(|&&(at, _)| at == idx).map(|&(_, base)| base)
    }

    fn check_member_init(&mut self, class: Record, idx: u32, member: &MemberInit) -> Result<Init, Reported> {
        let ty = self.conversions_ref().declared_field(class, idx);
        let base = self.base_at(class, idx);
        self.names().for_part_of_base(base, |cx| cx.conversions().check_direct_init(ty, member.init))
    }

    /// What becomes of a member that the constructor does not name.
    pub(super) fn unnamed_member_init(
        &mut self,
        func: Func,
        class: Record,
        idx: u32,
    ) -> Result<Option<Init>, Reported> {
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
        let base = self.base_at(class, idx);
        self.names().for_part_of_base(base, |cx| cx.conversions().default_init(ty, span))
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
