//! The members of structs and unions: data, types, constants, and the declarations of functions.

use std::collections::BTreeMap;

use super::SpecifierContext;
use super::qualifier::Attrs;
use super::record::Packing;
use super::using::Brought;
use crate::ast::{
    Access, DeclSpecs, InitId, Member, MemberDecl, MemberDeclarator, MemberUsing, Name, Storage, TypeSpec,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Field, Record, Ty, TyKind};
use crate::layout;
use crate::sema::Types;
use crate::sema::declaration::Declaration;
use crate::sema::declaration::special::MemberValue;
use crate::sema::name::advice::Advised;
use crate::sema::name::scope::{Binding, Entity};
use crate::source::Span;

/// The surroundings of a member.
#[derive(Clone, Copy)]
struct MemberPlace {
    in_union: bool,
    /// It is the last of a struct with others: a flexible array can be one (C17 6.7.2.1p18).
    may_be_open: bool,
}

impl Types<'_> {
    /// The members that could be read; the others are reported and left out.
    pub(super) fn resolve_members(
        &mut self,
        bases: Vec<Field>,
        decls: &[Member],
        record: Option<Record>,
        packing: Packing,
    ) -> Vec<Field> {
        let in_union = record.is_some_and(|record| self.module.types.records[record].is_union);
        let mut fields = bases;
        let mut names: BTreeMap<String, Span> = BTreeMap::new();
        let mut has_named = false;
        let mut brought: Vec<(&MemberUsing, Brought)> = Vec::new();
        for (decl_idx, decl) in decls.iter().enumerate() {
            let decl = match decl {
                Member::Data(decl) => decl,
                Member::Method(id) if self.unit.methods[*id].specs.friend.is_some() => {
                    // What is wrong is reported.
                    let _reported = self.declarations().declare_friend(*id);
                    continue;
                }
                Member::Using(list) => {
                    for using in list {
                        match self.bring(using, &fields, &names) {
                            Ok(of_kind) => brought.push((using, of_kind)),
                            Err(_reported) => {}
                        }
                    }
                    continue;
                }
                Member::FriendTemplate(name) => {
                    self.befriend_template(*name);
                    continue;
                }
                Member::Template(template) => {
                    // What is wrong is reported, and the class lacks it.
                    let _reported = self.templates().declare_member_template(template);
                    continue;
                }
                Member::Assertion(assertion) => {
                    self.check_shared_assert(assertion.cond, assertion.message);
                    continue;
                }
                Member::Method(id) => {
                    let specs = &self.unit.methods[*id].specs;
                    if specs.is_mutable {
                        let span = specs.span;
                        self.error(Code::InvalidSpecifiers, span, "a function cannot be `mutable`");
                    }
                    // What is wrong is reported, and the class lacks it.
                    let _reported = self.declarations().declare_method(*id, &names);
                    continue;
                }
            };
            if decl.specs.friend.is_some() {
                // What is wrong is reported.
                let _reported = self.befriend_type(decl);
                continue;
            }
            self.restrict(decl);
            if decl.specs.is_mutable && decl.specs.storage.is_some() {
                let span = decl.specs.span;
                let message = "`mutable` is for data members that are not `static`";
                self.error(Code::InvalidSpecifiers, span, message);
            }
            if let Some((Storage::Typedef, _)) = decl.specs.storage {
                self.member_types(decl, &names);
                continue;
            }
            if let Some((_, span)) = decl.specs.storage {
                self.static_members(decl, span, &mut names);
                continue;
            }
            if self.refuse_static_specifiers(decl).is_err() {
                continue;
            }
            let context = if decl.declarators.is_empty() {
                SpecifierContext::Alone
            } else {
                SpecifierContext::WithDeclarators
            };
            let Ok(base) = self.specified_ty(&decl.specs, context) else { continue };
            if decl.declarators.is_empty() {
                self.anonymous_member(decl, base, packing, &mut fields, &mut names);
                has_named = true;
            }
            for (member_idx, member) in decl.declarators.iter().enumerate() {
                let is_last = decl_idx + 1 == decls.len() && member_idx + 1 == decl.declarators.len();
                let place = MemberPlace { in_union, may_be_open: is_last && !in_union && has_named };
                let field = self.resolve_member(&decl.specs, base, packing, member, place);
                let Ok(mut field) = field else { continue };
                has_named |= field.name.is_some();
                self.refuse_beside_method(member);
                self.add_member_name(field.name.clone(), field.span, &mut names);
                // In a union it separates nothing; where the struct has the attribute `packed`, nvcc ignores it.
                let is_ignored = in_union || packing.pragma.is_none() && packing.pack.is_some();
                if is_ignored && field.bit_width == Some(0) {
                    continue;
                }
                if let Some(init) = member.init {
                    self.add_member_value(record, fields.len() as u32, init);
                }
                let Ok(padding) = self.overwide_padding(&mut field, in_union) else { continue };
                fields.push(field);
                fields.extend(padding);
            }
        }
        for (using, of_kind) in brought {
            // What is wrong is reported.
            let _reported = match of_kind {
                Brought::Functions => self.bring_functions(using, &fields, &names),
                Brought::Constructors => Ok(()),
                Brought::Other => self.refuse_beside_brought(using, &names),
            };
        }
        fields
    }

    /// Types that are members, with names that are no tags (C++17 12.2.5p1).
    fn member_types(&mut self, decl: &MemberDecl, names: &BTreeMap<String, Span>) {
        let Ok(base) = self.specified_ty(&decl.specs, SpecifierContext::WithDeclarators) else { return };
        for member in &decl.declarators {
            let Some(name) = member.declarator.name else { continue };
            let Ok(ty) = self.member_ty(base, &member.declarator) else { continue };
            if let Some(&span) = names.get(self.spelling(name.symbol)) {
                let message = format!("duplicate member `{}`", self.spelling(name.symbol));
                let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                    .with_label(span, "previously declared here");
                self.sink.error(diagnostic);
                continue;
            }
            let attrs = self.collect_attrs(&decl.specs.attrs, &member.declarator.attrs);
            let declaration = Declaration {
                specs: &decl.specs,
                declarator: &member.declarator,
                name,
                ty,
                attrs: &attrs,
                noexcept: false,
            };
            // What is wrong is reported.
            let _reported = self.declarations().declare_typedef(&declaration, member.init);
        }
    }

    /// Notes the value that the class gives a member.
    fn add_member_value(&mut self, record: Option<Record>, idx: u32, init: InitId) {
        let unit = self.templates_ref().unit_here();
        let Some(class) = record.filter(|_| self.scopes.class().is_some()) else {
            let span = self.unit.inits[init].span;
            let message = "default member initializers of an unnamed struct or union are not supported";
            self.error(Code::UnsupportedMember, span, message);
            return;
        };
        let value = MemberValue {
            init,
            unit,
            depth: self.scopes.depth_outside_classes(),
            is_open: false,
            is_broken: false,
        };
        self.known.specials.entry(class).or_default().values.insert(idx, value);
        self.known.declarations.waiting_values.push((class, idx));
    }

    /// Notes who may name what a line of members declares.
    fn restrict(&mut self, decl: &MemberDecl) {
        let tag = match &decl.specs.ty {
            TypeSpec::Record(record) => record.tag,
            TypeSpec::Enum(enumeration) => enumeration.tag,
            _ => None,
        };
        let enumerators = match &decl.specs.ty {
            TypeSpec::Enum(enumeration) if enumeration.scoped.is_none() => enumeration.enumerators.as_deref(),
            _ => None,
        };
        let enumerators = enumerators.unwrap_or_default().iter().map(|enumerator| enumerator.name);
        let names = decl.declarators.iter().filter_map(|member| member.declarator.name);
        for name in names.chain(tag).chain(enumerators) {
            self.names().restrict(decl.access, name);
        }
    }

    /// Reports a data member by the name of a member function.
    fn refuse_beside_method(&mut self, member: &MemberDeclarator) {
        let Some(name) = member.declarator.name else { return };
        if let Some(Binding { entity: Entity::Func(_) | Entity::Overloads(_), span: Some(span) }) =
            self.scopes.get_here(name.symbol)
        {
            let message = format!("duplicate member `{}`", self.spelling(name.symbol));
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                .with_label(span, "previously declared here");
            self.sink.error(diagnostic);
        }
    }

    pub(super) fn add_member_name(
        &mut self,
        name: Option<String>,
        span: Span,
        names: &mut BTreeMap<String, Span>,
    ) {
        let Some(name) = name else { return };
        if let Some(&previous) = names.get(&name) {
            let message = format!("duplicate member `{name}`");
            let diagnostic = Diagnostic::new(Code::Redefinition, span, message)
                .with_label(previous, "previously declared here");
            self.sink.error(diagnostic);
            return;
        }
        names.insert(name, span);
    }

    /// A member of struct or union type without a name, whose members are the outer one's too.
    fn anonymous_member(
        &mut self,
        decl: &MemberDecl,
        ty: Ty,
        packing: Packing,
        fields: &mut Vec<Field>,
        names: &mut BTreeMap<String, Span>,
    ) {
        let record = match &decl.specs.ty {
            TypeSpec::Record(spec) if spec.tag.is_none() => self.module.types.record(ty),
            // A tag declared within a struct; C++ scopes it there.
            TypeSpec::Record(_) | TypeSpec::Enum(_) => return,
            TypeSpec::Builtin(_)
            | TypeSpec::Named(_)
            | TypeSpec::Element(_)
            | TypeSpec::Nested(_)
            | TypeSpec::Instance(_)
            | TypeSpec::Global
            | TypeSpec::Auto
            | TypeSpec::DecltypeAuto
            | TypeSpec::TypeofExpr(_)
            | TypeSpec::TypeofType(_)
            | TypeSpec::Decltype(_)
            | TypeSpec::Error => {
                self.error(Code::InvalidType, decl.span, "declaration does not declare a member");
                return;
            }
        };
        let Some(record) = record else { return };
        for (name, span) in self.member_names(record) {
            if let Some(symbol) = self.interner.lookup(&name) {
                self.names().restrict(decl.access, Name { symbol, span });
            }
            self.add_member_name(Some(name), span, names);
        }
        fields.push(Field {
            is_base: false,
            is_mutable: false,
            name: None,
            ty,
            bit_width: None,
            align: None,
            pack: packing.pack,
            span: decl.span,
        });
    }

    /// The same without those of base classes.
    pub(in crate::sema) fn own_member_names(&self, record: Record) -> Vec<(String, Span)> {
        let mut names = Vec::new();
        for field in self.module.types.records[record].fields.iter().flatten().filter(|field| !field.is_base)
        {
            match (&field.name, self.module.types.record(field.ty)) {
                (Some(name), _) => names.push((name.clone(), field.span)),
                (None, Some(inner)) => names.extend(self.member_names(inner)),
                (None, None) => {}
            }
        }
        names
    }

    /// The names of the members, those of anonymous ones and base classes included.
    pub(in crate::sema) fn member_names(&self, record: Record) -> Vec<(String, Span)> {
        let mut names = Vec::new();
        for field in self.module.types.records[record].fields.iter().flatten() {
            match (&field.name, self.module.types.record(field.ty)) {
                (Some(name), _) => names.push((name.clone(), field.span)),
                (None, Some(inner)) => names.extend(self.member_names(inner)),
                (None, None) => {}
            }
        }
        names
    }

    // C++17 10.1.1p9
    fn check_mutable(&mut self, ty: Ty, at: Span) -> Result<(), Reported> {
        let what = match self.module.types.reference(ty) {
            Some(_) => "a reference",
            None if self.is_const(ty) => "a `const` member",
            None => return Ok(()),
        };
        Err(self.error(Code::InvalidSpecifiers, at, format!("{what} cannot be `mutable`")))
    }

    fn resolve_member(
        &mut self,
        specs: &DeclSpecs,
        base: Ty,
        packing: Packing,
        member: &MemberDeclarator,
        place: MemberPlace,
    ) -> Result<Field, Reported> {
        let declarator = &member.declarator;
        let span = declarator.name.map_or(declarator.span, |n| n.span);
        let attrs: Attrs = self.collect_attrs(&specs.attrs, &declarator.attrs);
        self.refuse_attrs(&attrs, "a member");
        self.names().advise(Advised::At(span), &attrs);
        let ty = self.member_ty(base, declarator)?;
        if self.module.types.func(ty).is_some() {
            let message = "a member function whose type is a typedef name is not supported";
            return Err(self.error(Code::UnsupportedMember, span, message));
        }
        if place.in_union && self.module.types.reference(ty).is_some() {
            let message = "a union cannot have a member of reference type";
            return Err(self.error(Code::InvalidReference, span, message));
        }
        self.refuse_type_of_result(specs, declarator);
        if specs.is_mutable {
            self.check_mutable(ty, specs.span)?;
        }
        let object = match *self.module.types.kind(ty) {
            TyKind::Array(elem, None) if place.may_be_open => elem,
            _ => ty,
        };
        self.require_complete(object, span)?;
        let bit_width = match member.bit_width {
            Some(width) => {
                self.refuse_alignas(&attrs, "a bit-field");
                let is_packed = packing.pack.is_some() || attrs.packed.is_some();
                Some(self.bit_width(ty, width, declarator.name, is_packed)?)
            }
            None => None,
        };
        self.require_no_opaque_object(ty, span)?;
        let name = declarator.name.map(|n| self.spelling(n.symbol).to_owned());
        if let (Some(_), Some((_, span))) = (packing.pragma, attrs.align) {
            self.unsupported_layout(
                span,
                "an aligned member in the scope of `#pragma pack` is not supported",
            );
        }
        if let (Some(2..), Some(span)) = (packing.pragma, attrs.packed) {
            self.unsupported_layout(span, "`packed` in the scope of `#pragma pack` is not supported");
        }
        if declarator.name.is_none() {
            self.warn_host_layout(packing, bit_width, span);
        }
        let pack = if attrs.packed.is_some() { Some(1) } else { packing.pack };
        if let (Some((align, at)), None, Some(_)) = (attrs.align, pack, bit_width)
            && layout::align_of(&self.module.types, ty).is_ok_and(|natural| align < natural)
        {
            let message = "a bit-field with an alignment smaller than that of its type is not supported";
            self.unsupported_layout(at, message);
        }
        if packing.pack.is_none() && pack.is_some() && bit_width == Some(0) {
            self.unsupported_layout(span, "a packed bit-field of width zero is not supported");
        }
        Ok(Field {
            is_base: false,
            is_mutable: specs.is_mutable,
            name,
            ty,
            bit_width,
            align: attrs.align.map(|(align, _)| align),
            pack,
            span,
        })
    }
}

/// A data member that is not public. Bit-fields without a name are none.
pub(super) fn hidden_member(members: &[Member]) -> Option<Span> {
    members.iter().find_map(|member| match member {
        Member::Data(data)
            if data.access != Access::Public
                && data.specs.storage.is_none()
                && (data.declarators.iter().any(|member| member.declarator.name.is_some())
                    || matches!(&data.specs.ty, TypeSpec::Record(record) if record.tag.is_none())) =>
        {
            Some(data.declarators.first().map_or(data.span, |member| member.declarator.span))
        }
        Member::Data(_)
        | Member::Method(_)
        | Member::Template(_)
        | Member::FriendTemplate(_)
        | Member::Using(..)
        | Member::Assertion(_) => None,
    })
}
