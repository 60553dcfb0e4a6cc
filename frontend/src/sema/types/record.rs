//! Structs and unions: their tags, their members, and what those say of the whole.

use hashbrown::HashMap;

use super::SpecifierContext;
use super::local::TypePlace;
use super::member::hidden_member;
use super::qualifier::Attrs;
use crate::ast::{Access, HostMembers, Member, Name, RecordSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Field, Func, OpaqueData, OpaqueKind, Record, RecordData, Ty, TyKind};
use crate::layout;
use crate::limits::MAX_NESTING;
use crate::sema::Types;
use crate::sema::declaration::implicit::Manners;
use crate::sema::declaration::special::Origin;
use crate::sema::name::advice::Advised;
use crate::source::Span;
use crate::token::Symbol;

/// What is remembered of a complete struct or union.
#[derive(Clone, Debug)]
pub(in crate::sema) struct RecordFacts {
    /// An object of it that is given no value is initialized all the same: by a constructor, or by the values that the class gives its
    /// members; or it has no default constructor.
    pub(in crate::sema) has_default: bool,
    /// Whether it holds a `long double`, in whatever depth.
    pub(in crate::sema) holds_long_double: bool,
    /// A const member: it keeps the whole from being assigned to, and wants an initializer.
    pub(in crate::sema) const_member: Option<(String, Span)>,
    /// A member of reference type, which does that too.
    pub(in crate::sema) reference_member: Option<(String, Span)>,
    /// A member that is const or a reference, and gets no value unless one is written: what it is, its name and where.
    pub(in crate::sema) unset_member: Option<(&'static str, String, Span)>,
    /// It has a union in it, or is one, of which a member has a constructor to copy it: there is no copying
    /// the whole (C++17 15.8.1p10).
    pub(in crate::sema) is_uncopyable: bool,
    /// A data member that is not public: the whole is no aggregate (C++17 11.6.1p1).
    pub(in crate::sema) hidden_member: Option<Span>,
    /// Functions of the header are its constructors and conversions.
    pub(in crate::sema) is_class: bool,
    /// Those of it and of its members.
    pub(in crate::sema) host_members: HostMembers,
    /// How it is copied and assigned.
    pub(in crate::sema) manners: Manners,
    /// How many structs lie within one another.
    pub(super) depth: u32,
    /// The own member that each name leads to, where they are many.
    pub(in crate::sema) names: Option<HashMap<Symbol, u32>>,
}

/// How the members of a record are packed.
#[derive(Clone, Copy)]
pub(super) struct Packing {
    /// See [`Field::pack`].
    pub(super) pack: Option<u32>,
    /// What `#pragma pack` says.
    pub(super) pragma: Option<u32>,
}

/// From how many members on their names are looked up in a table.
const MANY_MEMBERS: usize = 16;

impl Types<'_> {
    pub(super) fn resolve_record(
        &mut self,
        spec: &RecordSpec,
        context: SpecifierContext,
    ) -> Result<Ty, Reported> {
        let (Some(scope), Some(tag)) = (&spec.scope, spec.tag) else {
            return self.resolve_record_here(spec, context);
        };
        if spec.members.is_none() {
            let (ty, span) = self.names().qualified_tag(scope, tag)?;
            self.check_tag_kind(tag, ty, span, Some(spec.is_union))?;
            self.names().warn_type_use(ty, tag.span);
            return Ok(ty);
        }
        let outer = self.scopes.namespace();
        self.names().enter_tag_scope(scope, tag)?;
        let result = self.resolve_record_here(spec, context);
        self.scopes.go_to_namespace(outer);
        result
    }

    fn resolve_record_here(&mut self, spec: &RecordSpec, context: SpecifierContext) -> Result<Ty, Reported> {
        if let (Some(tag), Some(args), None) = (spec.tag, spec.args.expand(), &spec.members) {
            return self.templates().tagged_instance(None, tag, args);
        }
        let attrs = self.collect_attrs(&spec.attrs, &[]);
        self.refuse_attrs(&attrs, if spec.is_union { "a union" } else { "a struct" });
        let Some(members) = &spec.members else {
            let Some(tag) = spec.tag else { return Err(self.poisoned()) };
            return self.refer_to_record(tag, spec, context);
        };
        if let Some((kind, span)) = attrs.opaque {
            return self.opaque_record(kind, spec, span);
        }
        let (record, ty) = match spec.tag {
            Some(tag) => self.begin_record(tag, spec)?,
            None => {
                let place = self.place_of_type(None);
                self.module.types.add_record(new_record(None, place, spec.is_union, spec.keyword))
            }
        };
        // What an unnamed struct or union without a declarator holds is its surroundings' (C++17 12.3.1p1).
        let is_transparent = spec.tag.is_none() && context == SpecifierContext::Alone;
        self.define_record((record, ty), spec, members, &attrs, is_transparent)?;
        if self.scopes.class().is_none() {
            self.declarations().define_waiting_methods();
        }
        Ok(ty)
    }

    /// Gives an instance of a class template, or an explicit specialization, its members.
    pub(in crate::sema) fn define_instance(
        &mut self,
        record: Record,
        spec: &RecordSpec,
    ) -> Result<(), Reported> {
        let attrs = self.collect_attrs(&spec.attrs, &[]);
        self.refuse_attrs(&attrs, if spec.is_union { "a union" } else { "a struct" });
        let Some(members) = &spec.members else { return Err(self.poisoned()) };
        let ty = self.module.types.record_ty(record);
        let waiting = self.declarations().take_waiting_methods();
        let result = self.define_record((record, ty), spec, members, &attrs, false);
        self.declarations().keep_waiting_methods(record);
        self.declarations().put_back_waiting_methods(waiting);
        result
    }

    fn define_record(
        &mut self,
        (record, ty): (Record, Ty),
        spec: &RecordSpec,
        members: &[Member],
        attrs: &Attrs,
        is_transparent: bool,
    ) -> Result<(), Reported> {
        self.names().advise(Advised::Record(record), attrs);
        let pack = self.record_pack(spec, attrs);
        let packing = Packing { pack, pragma: spec.pack };
        let n_errors = self.sink.n_errors();
        if is_transparent {
            self.refuse_in_anonymous(members);
        }
        let bases = self.resolve_bases(record, &spec.bases);
        let direct = (0..).zip(&bases);
        let direct =
            direct.filter_map(|(idx, base)| Some((idx, self.module.types.record(base.ty)?))).collect();
        self.known.names.open_bases.insert(record, direct);
        if !is_transparent {
            self.names().push_bases(&bases);
            self.scopes.push_class(record);
            if let (Some(tag), true) = (spec.tag, self.module.types.class_instance(record).is_some()) {
                self.scopes.bind_tag(tag.symbol, ty, tag.span);
            }
        }
        if !bases.is_empty() && spec.pack.is_some() {
            let span = spec.bases[0].span;
            self.unsupported_layout(span, "base classes in the scope of `#pragma pack` are not supported");
        }
        let fields = self.resolve_members(bases, members, Some(record), packing);
        if !is_transparent {
            self.leave_class(record);
            self.scopes.pop_template();
        }
        if spec.is_broken || self.sink.n_errors() > n_errors {
            self.known.broken_records.insert(record);
        }
        if spec.is_union {
            self.refuse_copied_members(&fields);
        }
        let data = &mut self.module.types.records[record];
        data.has_own_copy = spec.host_members.copy.or(spec.host_members.destructor).is_some();
        data.align = attrs.align.map(|(align, _)| align);
        let hidden_base = spec.bases.iter().find(|base| base.access != Access::Public);
        let hidden_member = hidden_base.map(|base| base.span).or_else(|| hidden_member(members));
        if hidden_member.is_some() || !spec.host_members.is_empty() || !self.is_plain(record, &fields) {
            self.module.types.note_sharing_padding(record);
        }
        let mut facts = self.complete_class(record, fields);
        self.known.names.open_bases.remove(&record);
        facts.is_uncopyable |= spec.is_union && !self.module.types.is_trivially_copyable(ty);
        facts.is_class = attrs.is_class;
        facts.host_members.add(spec.host_members);
        facts.hidden_member = hidden_member;
        let is_too_deep = facts.depth > MAX_NESTING;
        if is_too_deep {
            // Once is enough.
            facts.depth = 0;
        }
        self.known.record_facts.insert(record, facts);
        self.declarations().declare_implicit(record);
        if is_too_deep {
            return Err(self.too_deep(spec.tag.map_or(spec.keyword, |t| t.span)));
        }
        if layout::layout_of(&self.module.types, ty).is_err() {
            let span = spec.tag.map_or(spec.keyword, |t| t.span);
            return Err(self.error(Code::InvalidArrayLength, span, "type is too large"));
        }
        Ok(())
    }

    /// Gives a class its members, and finds how it is copied and destroyed; with what the members say of the whole.
    pub(super) fn complete_class(&mut self, record: Record, fields: Vec<Field>) -> RecordFacts {
        let manners = self.declarations_ref().find_manners(record, &fields);
        let (is_copied_by_call, is_destroyed) = (manners.is_copied_by_call(), manners.is_destroyed());
        self.module.types.records[record].has_own_copy |= is_copied_by_call || is_destroyed;
        self.module.types.complete_record(record, fields);
        if is_copied_by_call {
            self.module.types.note_copied_by_call(record);
        }
        if is_destroyed {
            self.module.types.note_destroyed(record);
        }
        RecordFacts { manners, ..self.record_facts_of(record) }
    }

    /// A union is not told which of its members it has.
    fn refuse_copied_members(&mut self, fields: &[Field]) {
        for field in fields {
            let manners = self.manners_of(field.ty);
            let why = match manners.is_destroyed() {
                true => "has a destructor",
                false => "is not copied as bytes",
            };
            if manners.is_destroyed() || !manners.copies_bytes() || !manners.assigns_bytes() {
                let shown = self.show(field.ty);
                let message = format!("a union with a member of type {shown}, which {why}, is not supported");
                self.error(Code::UnsupportedMember, field.span, message);
            }
        }
    }

    /// What the members say of the whole. Those of record type have their facts already, so that a
    /// struct of two structs of two structs and so on takes no longer than its text.
    fn record_facts_of(&self, record: Record) -> RecordFacts {
        let names = self.names_of_many(record);
        let mut facts = RecordFacts {
            has_default: self.is_default_written(record),
            holds_long_double: false,
            const_member: None,
            reference_member: None,
            unset_member: None,
            is_uncopyable: false,
            hidden_member: None,
            is_class: false,
            host_members: HostMembers::default(),
            manners: Manners::default(),
            depth: 1,
            names,
        };
        let data = &self.module.types.records[record];
        let mut has_default = false;
        let specials = self.known.specials.get(&record);
        for (idx, field) in (0..).zip(data.fields.iter().flatten()) {
            let is_reference = self.module.types.reference(field.ty).is_some();
            let is_set = specials.is_some_and(|specials| specials.values.contains_key(&idx))
                || !is_reference && self.conversions_ref().constructed_class(field.ty).is_some();
            if !is_set && (is_reference || self.is_const(field.ty)) {
                let what = if is_reference { "a reference" } else { "const" };
                let name = field.name.clone().unwrap_or_default();
                facts.unset_member.get_or_insert((what, name, field.span));
            }
            if self.is_const(field.ty) {
                let name = field.name.clone().unwrap_or_default();
                facts.const_member.get_or_insert((name, field.span));
            }
            if self.module.types.reference(field.ty).is_some() {
                let name = field.name.clone().unwrap_or_default();
                facts.reference_member.get_or_insert((name, field.span));
            }
            let mut ty = field.ty;
            while let TyKind::Array(elem, _) = *self.module.types.kind(ty) {
                ty = elem;
            }
            facts.holds_long_double |= self.expressions_ref().is_long_double(ty);
            let Some(inner) = self.module.types.record(ty) else { continue };
            if !is_set
                && let Some(facts_of_inner) = self.known.record_facts.get(&inner)
                && let Some(member) = &facts_of_inner.unset_member
            {
                facts.unset_member.get_or_insert(member.clone());
            }
            has_default |= self.builtins_ref().is_dim3(inner);
            if let Some(inner) = self.known.record_facts.get(&inner) {
                has_default |= inner.has_default;
                facts.holds_long_double |= inner.holds_long_double;
                facts.is_uncopyable |= inner.is_uncopyable;
                facts.host_members.add(inner.host_members);
                facts.depth = facts.depth.max(inner.depth + 1);
                if let (None, Some(member)) = (&facts.const_member, &inner.const_member) {
                    facts.const_member = Some(member.clone());
                }
                if let (None, Some(member)) = (&facts.reference_member, &inner.reference_member) {
                    facts.reference_member = Some(member.clone());
                }
            }
        }
        facts.has_default |= has_default && !data.is_union;
        facts
    }

    /// Whether the class is a POD for the purpose of layout, hidden members and functions of the host aside (Itanium C++ ABI 1.1, C++03 9p4).
    /// As with nvcc 13.5, what the class defaults or deletes does not count.
    fn is_plain(&self, record: Record, fields: &[Field]) -> bool {
        let types = &self.module.types;
        let is_plain = |field: &Field| {
            let mut ty = field.ty;
            while let TyKind::Array(elem, _) = *types.kind(ty) {
                ty = elem;
            }
            let shares_padding = types.record(ty).is_some_and(|record| types.shares_padding(record));
            !field.is_base && types.reference(ty).is_none() && !shares_padding
        };
        let is_provided = |func: &Func| {
            let facts = self.known.func_facts.get(func);
            facts.is_none_or(|facts| facts.origin == Origin::Provided || facts.is_explicit)
        };
        let specials = self.known.specials.get(&record);
        let is_special = specials.is_some_and(|specials| {
            let mut written =
                specials.constructors.iter().chain(&specials.assignments).chain(&specials.destructor);
            !specials.constructor_templates.is_empty()
                || !specials.values.is_empty()
                || written.any(is_provided)
        });
        !is_special && fields.iter().all(is_plain)
    }

    /// Whether the class says what becomes of an object without a value.
    fn is_default_written(&self, record: Record) -> bool {
        let Some(specials) = self.known.specials.get(&record) else { return false };
        let is_trivial = |&func: &Func| {
            let facts = self.known.func_facts.get(&func);
            self.calls_ref().n_required_args(func) == 1
                && facts.is_some_and(|facts| facts.origin == Origin::Defaulted)
        };
        // A closure has none.
        let is_implicit = !specials.is_constructed || !specials.inherits.is_empty();
        let has_trivial =
            !specials.declares_constructor() && is_implicit || specials.constructors.iter().any(is_trivial);
        !specials.values.is_empty() || !has_trivial
    }

    fn names_of_many(&self, record: Record) -> Option<HashMap<Symbol, u32>> {
        let fields = self.module.types.records[record].fields.as_ref()?;
        if fields.len() < MANY_MEMBERS {
            return None;
        }
        let mut names = HashMap::with_capacity(fields.len());
        for (idx, field) in (0..).zip(fields).filter(|(_, field)| !field.is_base) {
            let inner = self.module.types.record(field.ty).filter(|_| field.name.is_none());
            let inner = inner.map(|inner| self.member_names(inner)).unwrap_or_default();
            let own = field.name.iter().chain(inner.iter().map(|(name, _)| name));
            for symbol in own.filter_map(|name| self.interner.lookup(name)) {
                names.entry(symbol).or_insert(idx);
            }
        }
        Some(names)
    }

    /// `struct tag` without members (C++17 6.3.2p7).
    fn refer_to_record(
        &mut self,
        tag: Name,
        spec: &RecordSpec,
        context: SpecifierContext,
    ) -> Result<Ty, Reported> {
        let known = match context {
            SpecifierContext::Alone => self.names().tag_declared_here(tag)?,
            SpecifierContext::WithDeclarators => self.names().tag_named(tag)?,
        };
        if let Some((ty, span)) = known {
            self.check_tag_kind(tag, ty, span, Some(spec.is_union))?;
            if !self.known.advice.is_empty() && context == SpecifierContext::WithDeclarators {
                self.names().warn_type_use(ty, tag.span);
            }
            return Ok(ty);
        }
        let name = self.spelling(tag.symbol).to_owned();
        let mut place = self.place_of_type(Some(tag.symbol));
        place.outer = place.outer.filter(|_| context == SpecifierContext::Alone);
        let (_, ty) = self.module.types.add_record(new_record(Some(name), place, spec.is_union, tag.span));
        match context {
            SpecifierContext::Alone => self.scopes.bind_tag(tag.symbol, ty, tag.span),
            SpecifierContext::WithDeclarators => {
                self.scopes.bind_tag_outside_classes(tag.symbol, ty, tag.span)
            }
        }
        Ok(ty)
    }

    /// A struct whose variables are textures or surfaces: nvcc sees no more of it than its name, and neither does anyone here.
    fn opaque_record(&mut self, kind: OpaqueKind, spec: &RecordSpec, span: Span) -> Result<Ty, Reported> {
        let Some(tag) = spec.tag.filter(|_| {
            !spec.is_union
                && self.scopes.is_file_scope()
                && self.scopes.is_global()
                && self.scopes.class().is_none()
        }) else {
            let message = "a texture or surface type must be a named struct at file scope";
            return Err(self.error(Code::UnsupportedType, span, message));
        };
        if let Some((_, previous)) = self.scopes.tag_here(tag.symbol) {
            return Err(self.tag_redefinition(tag, previous));
        }
        self.resolve_members(
            Vec::new(),
            spec.members.as_deref().unwrap_or_default(),
            None,
            Packing { pack: None, pragma: None },
        );
        let tag_text = self.spelling(tag.symbol).to_owned();
        let (_, ty) = self.module.types.add_opaque(OpaqueData { tag: tag_text, kind, span: tag.span });
        self.scopes.bind_tag(tag.symbol, ty, tag.span);
        Ok(ty)
    }

    /// Leaves the scope of a struct or union. Of the names that it has, other places know no more (C++17 6.3.7p1), and C's programs do: what
    /// they meant is remembered.
    fn leave_class(&mut self, record: Record) {
        for (symbol, binding) in self.scopes.pop_class() {
            if self.known.class_names.insert((record, symbol), binding).is_none() {
                self.known.names.of_classes.entry(record).or_default().push(symbol);
            }
            if let Some(span) = binding.span {
                self.known.nested_names.entry(symbol).or_insert(span);
            }
        }
    }

    /// Says of a name that nothing declares, or of a tag that nothing defines, that a struct has one.
    pub(in crate::sema) fn note_nested(&self, symbol: Symbol, diagnostic: Diagnostic) -> Diagnostic {
        let Some(&span) = self.known.nested_names.get(&symbol) else { return diagnostic };
        let spelling = self.spelling(symbol);
        diagnostic
            .with_label(span, format!("`{spelling}` is declared within a struct"))
            .with_note("as in C++, a name declared in a struct is not visible outside it")
            .with_help(format!("declare `{spelling}` before the struct"))
    }

    /// The record that a definition completes.
    fn begin_record(&mut self, tag: Name, spec: &RecordSpec) -> Result<(Record, Ty), Reported> {
        if let Some((ty, span)) = self.names().tag_declared_here(tag)? {
            self.check_tag_kind(tag, ty, span, Some(spec.is_union))?;
            if let Some(record) = self.module.types.record(ty) {
                if self.module.types.records[record].fields.is_some() {
                    return Err(self.tag_redefinition(tag, span));
                }
                self.module.types.records[record].span = tag.span;
                return Ok((record, ty));
            }
        }
        let name = self.spelling(tag.symbol).to_owned();
        let place = self.place_of_type(Some(tag.symbol));
        let (record, ty) =
            self.module.types.add_record(new_record(Some(name), place, spec.is_union, tag.span));
        self.scopes.bind_tag(tag.symbol, ty, tag.span);
        Ok((record, ty))
    }

    pub(super) fn tag_redefinition(&mut self, tag: Name, previous: Option<Span>) -> Reported {
        let spelling = self.spelling(tag.symbol);
        let mut diagnostic =
            Diagnostic::new(Code::Redefinition, tag.span, format!("redefinition of `{spelling}`"));
        if let Some(span) = previous {
            diagnostic = diagnostic.with_label(span, "previously defined here");
        }
        self.sink.error(diagnostic)
    }

    /// The tag names what the keyword says; `is_union` is none for `enum` (C++17 10.1.7.3p3).
    pub(super) fn check_tag_kind(
        &mut self,
        tag: Name,
        ty: Ty,
        previous: Option<Span>,
        is_union: Option<bool>,
    ) -> Result<(), Reported> {
        let types = &self.module.types;
        let known = match types.opaque(ty) {
            Some(_) => Some(false),
            None => types.record(ty).map(|record| types.records[record].is_union),
        };
        if known == is_union {
            return Ok(());
        }
        let spelling = self.spelling(tag.symbol);
        let message = format!("use of `{spelling}` with tag type that does not match previous declaration");
        let mut diagnostic = Diagnostic::new(Code::TagMismatch, tag.span, message);
        if let Some(span) = previous {
            diagnostic = diagnostic.with_label(span, "declared here");
        }
        Err(self.sink.error(diagnostic))
    }

    /// What the alignment of the members' types counts for at most.
    fn record_pack(&mut self, spec: &RecordSpec, attrs: &Attrs) -> Option<u32> {
        let Some(packed) = attrs.packed else { return spec.pack };
        // By one byte, both ask for the same.
        if spec.pack.is_some_and(|pack| pack > 1) {
            self.unsupported_layout(packed, "`packed` in the scope of `#pragma pack` is not supported");
        }
        let members = spec.members.iter().flatten();
        let data = members.filter_map(|member| match member {
            Member::Data(data) => Some(data),
            Member::Method(_)
            | Member::Template(_)
            | Member::FriendTemplate(_)
            | Member::Using(..)
            | Member::Assertion(_) => None,
        });
        let mut of_members = data.flat_map(|member| {
            let declarators = member.declarators.iter().flat_map(|d| &d.declarator.attrs);
            member.specs.attrs.iter().chain(declarators)
        });
        if attrs.align.is_some()
            && let Some(own) = of_members.find(|attr| self.is_alignment(attr))
        {
            let message =
                "an aligned member in a struct that is both `packed` and `aligned` is not supported";
            self.unsupported_layout(own.span, message);
        }
        Some(1)
    }

    /// A type that no program names, and that no object has.
    pub(in crate::sema) fn nameless_record(&mut self, shown: &str) -> Ty {
        let place = TypePlace { outer: None, owner: None, namespace: crate::ir::Namespace::GLOBAL };
        let data = new_record(Some(shown.to_owned()), place, false, Span::default());
        self.cx.module.types.add_record(data).1
    }

    /// Where nvcc's device compiler and the host's do not agree, a program is better warned.
    pub(super) fn unsupported_layout(&mut self, span: Span, message: &str) -> Reported {
        let diagnostic = Diagnostic::new(Code::UnsupportedLayout, span, message)
            .with_note("nvcc uses different layouts for the device and for the host");
        self.sink.error(diagnostic)
    }
}

pub(super) fn new_record(
    tag: Option<String>,
    TypePlace { outer, owner, namespace }: TypePlace,
    is_union: bool,
    span: Span,
) -> RecordData {
    RecordData {
        tag,
        typedef_name: None,
        outer,
        owner,
        namespace,
        is_union,
        fields: None,
        align: None,
        is_builtin: false,
        half: None,
        has_own_copy: false,
        lambda: None,
        span,
    }
}
