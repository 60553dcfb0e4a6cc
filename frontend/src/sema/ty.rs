//! Types: from specifiers and declarators to [`Ty`], and the definitions of structs, unions and
//! enums on the way.

use std::collections::BTreeMap;

use super::const_eval::{Mode, Value, int_bits, int_range};
use super::scope::Entity;
use super::{Cx, qualifier::Attrs};
use crate::ast::{
    BuiltinTy, ChunkKind, DeclSpecs, Declarator, EnumSpec, ExprId, MemberDecl, MemberDeclarator, Name,
    ParamDecl, QualSpecs, RecordSpec, Storage, TypeName, TypeSpec,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Enum, EnumData, Field, FuncTy, IntTy, Quals, Record, RecordData, Ty, TyKind};
use crate::layout;
use crate::limits::MAX_NESTING;
use crate::source::Span;

/// A parameter of a function declarator.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: Option<Name>,
    /// Adjusted (C17 6.7.6.3p7), with its qualifiers.
    pub(super) ty: Ty,
    pub(super) span: Span,
}

/// What is remembered of a complete struct or union.
#[derive(Clone, Debug)]
pub(super) struct RecordFacts {
    /// An object of it has a constructor to run for a `dim3` in it.
    pub(super) holds_dim3: bool,
    /// A const member: it keeps the whole from being assigned to, and wants an initializer.
    pub(super) const_member: Option<(String, Span)>,
    /// How many structs lie within one another.
    depth: u32,
}

/// What a declarator says.
pub(super) struct Declared {
    pub(super) ty: Ty,
    /// The parameters, if the declarator itself is a function's.
    pub(super) params: Option<Vec<Param>>,
}

/// Whether the specifiers stand alone: `struct S;` declares `S` here, `struct S x;` need not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Alone,
    WithDeclarators,
}

impl Cx<'_> {
    /// The type that the specifiers name, with their qualifiers.
    pub(super) fn resolve_specs(&mut self, specs: &DeclSpecs, standing: Standing) -> Result<Ty, Reported> {
        let base = match &specs.ty {
            TypeSpec::Builtin(builtin) => self.builtin_ty(*builtin, specs.ty_span)?,
            TypeSpec::Named(name) => self.named_ty(*name)?,
            TypeSpec::Record(spec) => self.resolve_record(spec, standing)?,
            TypeSpec::Enum(spec) => self.resolve_enum(spec)?,
            TypeSpec::Auto => {
                return Err(self.error(Code::UnsupportedAuto, specs.ty_span, "`auto` is not supported"));
            }
            TypeSpec::Error => return Err(self.poisoned()),
        };
        self.qualified(base, &specs.quals)
    }

    fn builtin_ty(&mut self, builtin: BuiltinTy, span: Span) -> Result<Ty, Reported> {
        let unsupported = match builtin {
            BuiltinTy::Void => return Ok(Ty::VOID),
            BuiltinTy::Bool => return Ok(Ty::BOOL),
            BuiltinTy::Char => return Ok(Ty::CHAR),
            BuiltinTy::SChar => return Ok(Ty::SCHAR),
            BuiltinTy::UChar => return Ok(Ty::UCHAR),
            BuiltinTy::Short => return Ok(Ty::SHORT),
            BuiltinTy::UShort => return Ok(Ty::USHORT),
            BuiltinTy::Int => return Ok(Ty::INT),
            BuiltinTy::UInt => return Ok(Ty::UINT),
            BuiltinTy::Long => return Ok(Ty::LONG),
            BuiltinTy::ULong => return Ok(Ty::ULONG),
            BuiltinTy::LongLong => return Ok(Ty::LONGLONG),
            BuiltinTy::ULongLong => return Ok(Ty::ULONGLONG),
            BuiltinTy::Float => return Ok(Ty::FLOAT),
            BuiltinTy::Double => return Ok(Ty::DOUBLE),
            BuiltinTy::Int128 => "__int128",
            BuiltinTy::UInt128 => "unsigned __int128",
            BuiltinTy::LongDouble => "long double",
        };
        Err(self.error(Code::UnsupportedType, span, format!("type `{unsupported}` is not supported")))
    }

    fn named_ty(&mut self, name: Name) -> Result<Ty, Reported> {
        match self.lookup(name.symbol).map(|b| b.entity) {
            Some(Entity::Typedef(Ty::ERROR) | Entity::Poison) => Err(self.poisoned()),
            Some(Entity::Typedef(ty)) => Ok(ty),
            Some(
                Entity::Func(_)
                | Entity::Global(_)
                | Entity::Local(_)
                | Entity::Enumerator(..)
                | Entity::Const(_)
                | Entity::Special(_),
            )
            | None => Err(self.no_type(name)),
        }
    }

    /// The error of a name that nothing declares as a type.
    fn no_type(&mut self, name: Name) -> Reported {
        let spelling = self.spelling(name.symbol);
        if !crate::predeclared::vectors().any(|vector| vector == spelling) {
            return self.undeclared(name, "type");
        }
        self.scopes.bind(name.symbol, Entity::Poison, name.span);
        let message = format!("the built-in vector type `{spelling}` is not supported");
        self.error(Code::UnsupportedType, name.span, message)
    }

    /// Adds qualifiers (C17 6.7.3).
    fn qualified(&mut self, ty: Ty, specs: &QualSpecs) -> Result<Ty, Reported> {
        let mut quals = Quals::empty();
        quals.set(Quals::CONST, specs.const_.is_some());
        quals.set(Quals::VOLATILE, specs.volatile.is_some());
        if let Some(span) = specs.restrict {
            let pointee = self.module.types.pointee(ty);
            if pointee.is_none_or(|pointee| self.module.types.func(pointee).is_some()) {
                let what = if pointee.is_some() { "a pointer to an object" } else { "a pointer" };
                let ty = self.show(ty);
                let message = format!("`__restrict__` needs {what}, and {ty} is none");
                return Err(self.error(Code::InvalidQualifier, span, message));
            }
            quals |= Quals::RESTRICT;
        }
        Ok(self.module.types.with_quals(ty, quals))
    }

    /// The type of a cast or of `sizeof`.
    pub(super) fn resolve_type_name(&mut self, name: &TypeName) -> Result<Ty, Reported> {
        self.refuse_type_definition(name)?;
        self.resolve_new_type_name(name)
    }

    /// The type of a compound literal, which may be defined there.
    pub(super) fn resolve_new_type_name(&mut self, name: &TypeName) -> Result<Ty, Reported> {
        let base = self.resolve_specs(&name.specs, Standing::WithDeclarators)?;
        Ok(self.declared_ty(base, &name.declarator)?.ty)
    }

    fn refuse_type_definition(&mut self, name: &TypeName) -> Result<(), Reported> {
        // C++17 8.3.3p1, 8.4p2 and others
        let defines = match &name.specs.ty {
            TypeSpec::Record(spec) => spec.members.is_some(),
            TypeSpec::Enum(spec) => spec.enumerators.is_some(),
            TypeSpec::Builtin(_) | TypeSpec::Named(_) | TypeSpec::Auto | TypeSpec::Error => false,
        };
        if defines {
            let diagnostic =
                Diagnostic::new(Code::InvalidType, name.specs.ty_span, "a type cannot be defined here")
                    .with_help("define it in a declaration before");
            return Err(self.sink.error(diagnostic));
        }
        Ok(())
    }

    /// Applies a declarator to the specifiers' type.
    pub(super) fn declared_ty(&mut self, base: Ty, declarator: &Declarator) -> Result<Declared, Reported> {
        let mut ty = base;
        let mut params = None;
        for (idx, chunk) in declarator.chunks.iter().enumerate().rev() {
            params = None;
            ty = match &chunk.kind {
                ChunkKind::Pointer(quals) => {
                    let pointer = self.module.types.pointer_to(ty);
                    self.qualified(pointer, quals)?
                }
                ChunkKind::Array(len) => self.array_ty(ty, *len, chunk.span)?,
                ChunkKind::Function { params: decls, variadic } => {
                    let list = self.resolve_params(decls)?;
                    let ty = self.func_ty(ty, &list, variadic.is_some(), chunk.span)?;
                    params = (idx == 0).then_some(list);
                    ty
                }
                ChunkKind::Reference => {
                    return Err(self.error(
                        Code::UnsupportedReference,
                        chunk.span,
                        "references are not supported",
                    ));
                }
            };
            // Typedef names can pile up what no declarator could.
            if self.module.types.depth(ty) > MAX_NESTING {
                return Err(self.too_deep(chunk.span));
            }
        }
        Ok(Declared { ty, params })
    }

    fn too_deep(&mut self, span: Span) -> Reported {
        let message = format!("the type nests more than {MAX_NESTING} levels deep");
        self.error(Code::NestingTooDeep, span, message)
    }

    // C17 6.7.6.2
    fn array_ty(&mut self, elem: Ty, len: Option<ExprId>, span: Span) -> Result<Ty, Reported> {
        let what = match self.module.types.kind(elem) {
            TyKind::Void => Some("`void`"),
            TyKind::Func(_) => Some("functions"),
            TyKind::Array(_, None) => Some("arrays of unknown length"),
            TyKind::Error
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Nullptr
            | TyKind::Pointer(_)
            | TyKind::Array(_, Some(_))
            | TyKind::Record(_)
            | TyKind::Enum(_)
            | TyKind::Typedef(_) => None,
        };
        if let Some(what) = what {
            return Err(self.error(Code::InvalidType, span, format!("there are no arrays of {what}")));
        }
        self.require_complete(elem, span)?;
        let Some(len_expr) = len else { return Ok(self.module.types.array_of(elem, None)) };
        let len = self.array_len(len_expr)?;
        let ty = self.module.types.array_of(elem, Some(len));
        if layout::size_of(&self.module.types, ty).is_err() {
            let span = self.unit.exprs[len_expr].span;
            return Err(self.error(Code::InvalidArrayLength, span, "array is too large"));
        }
        Ok(ty)
    }

    fn array_len(&mut self, expr: ExprId) -> Result<u64, Reported> {
        let span = self.unit.exprs[expr].span;
        let value = self.in_scratch(|cx| {
            let len = cx.check_rvalue(expr)?;
            if cx.module.types.int_ty(cx.ty_of(len)).is_some()
                && let Err(not) = cx.eval(len, Mode::Required)
                && !cx.scopes.is_file_scope()
            {
                let message = "arrays of variable length are not supported";
                let diagnostic = Diagnostic::new(Code::UnsupportedVla, span, message)
                    .with_label(not.span, not.why)
                    .with_help(
                        "use a constant: a literal, an enumerator, or a `const int` with a constant value",
                    );
                return Err(cx.sink.error(diagnostic));
            }
            cx.require_int(len, "length of an array")
        })?;
        match u64::try_from(value) {
            Ok(0) => Err(self.error(Code::InvalidArrayLength, span, "array has length zero")),
            Ok(len) => Ok(len),
            Err(_) => Err(self.error(Code::InvalidArrayLength, span, format!("array has length {value}"))),
        }
    }

    // C17 6.7.6.3
    fn func_ty(&mut self, ret: Ty, params: &[Param], variadic: bool, span: Span) -> Result<Ty, Reported> {
        let what = match self.module.types.kind(ret) {
            TyKind::Array(..) => Some("an array"),
            TyKind::Func(_) => Some("a function"),
            TyKind::Error
            | TyKind::Void
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Nullptr
            | TyKind::Pointer(_)
            | TyKind::Record(_)
            | TyKind::Enum(_)
            | TyKind::Typedef(_) => None,
        };
        if let Some(what) = what {
            let ret = self.show(ret);
            let message = format!("function cannot return {what}, type {ret}");
            return Err(self.error(Code::InvalidType, span, message));
        }
        let params = params.iter().map(|p| self.module.types.unqualified(p.ty)).collect();
        // The return type keeps its qualifiers (C++17 11.3.5p8), which the symbol shows; a call's value
        // has none.
        Ok(self.module.types.intern(TyKind::Func(FuncTy { ret, params, variadic }), Quals::empty()))
    }

    fn resolve_params(&mut self, decls: &[ParamDecl]) -> Result<Vec<Param>, Reported> {
        // All of them first, so that each says what is wrong with it.
        let params: Vec<_> = decls.iter().map(|decl| self.resolve_param(decl)).collect();
        params.into_iter().collect()
    }

    fn resolve_param(&mut self, decl: &ParamDecl) -> Result<Param, Reported> {
        let attrs = self.collect_attrs(&decl.specs.attrs, &decl.declarator.attrs);
        self.refuse_attrs(&attrs, "a parameter");
        if let Some(init) = decl.default {
            let span = self.unit.inits[init].span;
            self.error(Code::UnsupportedDefaultArgument, span, "default arguments are not supported");
        }
        self.check_register(&decl.specs);
        if let Some((Storage::Typedef | Storage::Extern | Storage::Static, span)) = decl.specs.storage {
            self.error(Code::InvalidSpecifiers, span, "storage class does not apply to a parameter");
        }
        let base = self.resolve_specs(&decl.specs, Standing::WithDeclarators)?;
        let ty = self.declared_ty(base, &decl.declarator)?.ty;
        let name = decl.declarator.name;
        let span = name.map_or(decl.span, |n| n.span);
        // C17 6.7.6.3p7, p8
        let ty = match *self.module.types.kind(ty) {
            TyKind::Array(elem, _) => self.module.types.pointer_to(elem),
            TyKind::Func(_) => self.module.types.pointer_to(ty),
            TyKind::Void => {
                return Err(self.error(Code::InvalidType, span, "parameter cannot have type `void`"));
            }
            TyKind::Error
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Nullptr
            | TyKind::Pointer(_)
            | TyKind::Record(_)
            | TyKind::Enum(_)
            | TyKind::Typedef(_) => ty,
        };
        Ok(Param { name, ty, span })
    }

    /// `register` is gone from C++17 (Annex C.1.6), and nvcc takes it with a warning.
    pub(super) fn check_register(&mut self, specs: &DeclSpecs) {
        if let Some((Storage::Register, span)) = specs.storage {
            let message = "`register` has no meaning in C++17";
            self.sink.emit(Diagnostic::new(Code::DeprecatedRegister, span, message));
        }
    }

    /// Objects of the type can be made: it is not `void`, not a function, and all of it is known.
    pub(super) fn require_complete(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        let why = match *self.module.types.kind(ty) {
            TyKind::Error => return Err(self.poisoned()),
            TyKind::Void => None,
            TyKind::Func(_) => None,
            TyKind::Array(elem, Some(_)) => return self.require_complete(elem, span),
            TyKind::Array(_, None) => None,
            TyKind::Record(record) => {
                let data = &self.module.types.records[record];
                if data.fields.is_some() {
                    return Ok(());
                }
                Some(data.span)
            }
            TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Nullptr
            | TyKind::Pointer(_)
            | TyKind::Enum(_)
            | TyKind::Typedef(_) => return Ok(()),
        };
        let shown = self.show(ty);
        let mut diagnostic = Diagnostic::new(Code::IncompleteType, span, format!("incomplete type {shown}"));
        if let Some(declared) = why {
            diagnostic = diagnostic.with_label(declared, "declared here, and not defined");
        }
        Err(self.sink.error(diagnostic))
    }

    fn resolve_record(&mut self, spec: &RecordSpec, standing: Standing) -> Result<Ty, Reported> {
        let attrs = self.collect_attrs(&spec.attrs, &[]);
        self.refuse_attrs(&attrs, if spec.is_union { "a union" } else { "a struct" });
        let Some(members) = &spec.members else {
            let Some(tag) = spec.tag else { return Err(self.poisoned()) };
            return self.refer_to_record(tag, spec, standing);
        };
        let (record, ty) = match spec.tag {
            Some(tag) => self.begin_record(tag, spec)?,
            None => self.module.types.add_record(new_record(None, spec.is_union, spec.keyword)),
        };
        let fields = self.resolve_members(members, spec.is_union);
        let data = &mut self.module.types.records[record];
        data.align = attrs.align.map(|(align, _)| align);
        data.fields = Some(fields);
        let mut facts = self.record_facts_of(record);
        let is_too_deep = facts.depth > MAX_NESTING;
        if is_too_deep {
            // Once is enough.
            facts.depth = 0;
        }
        self.record_facts.insert(record, facts);
        if is_too_deep {
            return Err(self.too_deep(spec.tag.map_or(spec.keyword, |t| t.span)));
        }
        if layout::layout_of(&self.module.types, ty).is_err() {
            let span = spec.tag.map_or(spec.keyword, |t| t.span);
            return Err(self.error(Code::InvalidArrayLength, span, "type is too large"));
        }
        Ok(ty)
    }

    /// What the members say of the whole. Those of record type have their facts already, so that a
    /// struct of two structs of two structs and so on takes no longer than its text.
    fn record_facts_of(&self, record: Record) -> RecordFacts {
        let mut facts = RecordFacts { holds_dim3: false, const_member: None, depth: 1 };
        let data = &self.module.types.records[record];
        for field in data.fields.iter().flatten() {
            if self.is_const(field.ty) {
                let name = field.name.clone().unwrap_or_default();
                facts.const_member.get_or_insert((name, field.span));
            }
            let mut ty = field.ty;
            while let TyKind::Array(elem, _) = *self.module.types.kind(ty) {
                ty = elem;
            }
            let Some(inner) = self.module.types.record(ty) else { continue };
            facts.holds_dim3 |= self.is_dim3(inner);
            if let Some(inner) = self.record_facts.get(&inner) {
                facts.holds_dim3 |= inner.holds_dim3;
                facts.depth = facts.depth.max(inner.depth + 1);
                if let (None, Some(member)) = (&facts.const_member, &inner.const_member) {
                    facts.const_member = Some(member.clone());
                }
            }
        }
        facts.holds_dim3 &= !data.is_union;
        facts
    }

    /// `struct tag` without members (C++17 6.3.2p7).
    fn refer_to_record(&mut self, tag: Name, spec: &RecordSpec, standing: Standing) -> Result<Ty, Reported> {
        let known = match standing {
            Standing::Alone => self.scopes.tag_here(tag.symbol),
            Standing::WithDeclarators => self.lookup_tag(tag.symbol),
        };
        if let Some((ty, span)) = known {
            self.check_tag_kind(tag, ty, span, Some(spec.is_union))?;
            return Ok(ty);
        }
        let name = self.spelling(tag.symbol).to_owned();
        let (_, ty) = self.module.types.add_record(new_record(Some(name), spec.is_union, tag.span));
        self.scopes.bind_tag(tag.symbol, ty, tag.span);
        Ok(ty)
    }

    /// The record that a definition completes.
    fn begin_record(&mut self, tag: Name, spec: &RecordSpec) -> Result<(Record, Ty), Reported> {
        // A struct cannot take the name of a typedef of the scope (C++17 10.1.3p6), but of one that
        // stands for the struct itself.
        if let Some(previous) = self.scopes.get_here(tag.symbol)
            && let Entity::Typedef(ty) = previous.entity
            && matches!(self.module.types.written(ty), TyKind::Typedef(_))
            && self.scopes.tag_here(tag.symbol).is_none_or(|(of_tag, _)| !self.same(of_tag, ty))
        {
            return Err(self.redefinition(tag, previous));
        }
        let known = if self.scopes.is_file_scope() {
            self.lookup_tag(tag.symbol)
        } else {
            self.scopes.tag_here(tag.symbol)
        };
        if let Some((ty, span)) = known {
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
        let (record, ty) = self.module.types.add_record(new_record(Some(name), spec.is_union, tag.span));
        self.scopes.bind_tag(tag.symbol, ty, tag.span);
        Ok((record, ty))
    }

    fn tag_redefinition(&mut self, tag: Name, previous: Option<Span>) -> Reported {
        let spelling = self.spelling(tag.symbol);
        let mut diagnostic =
            Diagnostic::new(Code::Redefinition, tag.span, format!("redefinition of `{spelling}`"));
        if let Some(span) = previous {
            diagnostic = diagnostic.with_label(span, "previously defined here");
        }
        self.sink.error(diagnostic)
    }

    /// The tag names what the keyword says; `is_union` is none for `enum` (C++17 10.1.7.3p3).
    fn check_tag_kind(
        &mut self,
        tag: Name,
        ty: Ty,
        previous: Option<Span>,
        is_union: Option<bool>,
    ) -> Result<(), Reported> {
        let types = &self.module.types;
        let known = types.record(ty).map(|record| types.records[record].is_union);
        if known == is_union {
            return Ok(());
        }
        let spelling = self.spelling(tag.symbol);
        let message = format!("use of `{spelling}` with a tag that does not match its declaration");
        let mut diagnostic = Diagnostic::new(Code::TagMismatch, tag.span, message);
        if let Some(span) = previous {
            diagnostic = diagnostic.with_label(span, "declared here");
        }
        Err(self.sink.error(diagnostic))
    }

    /// The members that could be read; the others are reported and left out.
    fn resolve_members(&mut self, decls: &[MemberDecl], in_union: bool) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        let mut names: BTreeMap<String, Span> = BTreeMap::new();
        for decl in decls {
            if let Some((_, span)) = decl.specs.storage {
                self.error(Code::UnsupportedMember, span, "static members are not supported");
                continue;
            }
            let Ok(base) = self.resolve_specs(&decl.specs, Standing::WithDeclarators) else { continue };
            if decl.declarators.is_empty() {
                self.anonymous_member(decl, base, &mut fields, &mut names);
            }
            for member in &decl.declarators {
                let Ok(field) = self.resolve_member(&decl.specs, base, member) else { continue };
                self.add_member_name(field.name.clone(), field.span, &mut names);
                if in_union && field.bit_width == Some(0) {
                    continue;
                }
                fields.push(field);
            }
        }
        fields
    }

    fn add_member_name(&mut self, name: Option<String>, span: Span, names: &mut BTreeMap<String, Span>) {
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
        fields: &mut Vec<Field>,
        names: &mut BTreeMap<String, Span>,
    ) {
        let record = match &decl.specs.ty {
            TypeSpec::Record(spec) if spec.tag.is_none() => self.module.types.record(ty),
            // A tag declared within a struct; C++ scopes it there.
            TypeSpec::Record(_) | TypeSpec::Enum(_) => return,
            TypeSpec::Builtin(_) | TypeSpec::Named(_) | TypeSpec::Auto | TypeSpec::Error => {
                self.error(Code::InvalidType, decl.span, "declaration does not declare a member");
                return;
            }
        };
        let Some(record) = record else { return };
        for (name, span) in self.member_names(record) {
            self.add_member_name(Some(name), span, names);
        }
        fields.push(Field { name: None, ty, bit_width: None, align: None, span: decl.span });
    }

    /// The names of the members, those of anonymous ones included.
    pub(super) fn member_names(&self, record: Record) -> Vec<(String, Span)> {
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

    fn resolve_member(
        &mut self,
        specs: &DeclSpecs,
        base: Ty,
        member: &MemberDeclarator,
    ) -> Result<Field, Reported> {
        let declarator = &member.declarator;
        let span = declarator.name.map_or(declarator.span, |n| n.span);
        let attrs: Attrs = self.collect_attrs(&specs.attrs, &declarator.attrs);
        self.refuse_attrs(&attrs, "a member");
        if let Some(init) = member.init {
            let span = self.unit.inits[init].span;
            let message = "default member initializers are not supported";
            return Err(self.error(Code::UnsupportedMember, span, message));
        }
        let ty = self.declared_ty(base, declarator)?.ty;
        if self.module.types.func(ty).is_some() {
            let message = "member functions are not supported";
            return Err(self.error(Code::UnsupportedMember, span, message));
        }
        self.require_complete(ty, span)?;
        let bit_width = match member.bit_width {
            Some(width) => Some(self.bit_width(ty, width, declarator.name)?),
            None => None,
        };
        let name = declarator.name.map(|n| self.spelling(n.symbol).to_owned());
        Ok(Field { name, ty, bit_width, align: attrs.align.map(|(align, _)| align), span })
    }

    // C++17 12.2.4
    fn bit_width(&mut self, ty: Ty, width: ExprId, name: Option<Name>) -> Result<u32, Reported> {
        let span = self.unit.exprs[width].span;
        let Some(int) = self.module.types.int_ty(ty) else {
            let ty = self.show(ty);
            let message = format!("bit-field has type {ty}, which is not an integer type");
            return Err(self.error(Code::InvalidBitField, span, message));
        };
        let value = self.int_constant(width, "width of a bit-field")?;
        match u32::try_from(value) {
            Ok(0) if name.is_some() => {
                Err(self.error(Code::InvalidBitField, span, "named bit-field has width zero"))
            }
            Ok(width) if width <= int_bits(int) => Ok(width),
            Ok(_) => {
                let ty = self.show(ty);
                let message = format!("width of the bit-field ({value} bits) exceeds the width of {ty}");
                Err(self.error(Code::InvalidBitField, span, message))
            }
            Err(_) => Err(self.error(Code::InvalidBitField, span, "bit-field has a negative width")),
        }
    }

    // C++17 10.2
    fn resolve_enum(&mut self, spec: &EnumSpec) -> Result<Ty, Reported> {
        if let Some(span) = spec.scoped {
            return Err(self.error(Code::UnsupportedScopedEnum, span, "scoped enums are not supported"));
        }
        if spec.enumerators.is_none()
            && let (Some(tag), Some(_)) = (spec.tag, &spec.underlying)
        {
            return self.declare_opaque_enum(tag, spec);
        }
        let Some(enumerators) = &spec.enumerators else {
            let Some(tag) = spec.tag else { return Err(self.poisoned()) };
            let Some((ty, span)) = self.lookup_tag(tag.symbol) else {
                return Err(self.undeclared(tag, "enum"));
            };
            self.check_tag_kind(tag, ty, span, None)?;
            return Ok(ty);
        };
        let fixed = self.fixed_underlying(spec)?;
        let (enum_, ty) = self.begin_enum(spec, fixed)?;
        self.module.types.enums[enum_].enumerators = Some(Vec::new());
        let mut next = 0;
        for (idx, enumerator) in enumerators.iter().enumerate() {
            let value = match enumerator.value {
                Some(value) => self.int_constant(value, "value of an enumerator").unwrap_or(next),
                None => next,
            };
            self.check_enumerator_range(value, fixed, enumerator.name);
            let name = self.spelling(enumerator.name.symbol).to_owned();
            self.module.types.enums[enum_].enumerators.get_or_insert_default().push((name, value));
            // A taken name is reported; its value stays, so that those behind it keep theirs.
            let _reported = self.declare(enumerator.name, Entity::Enumerator(ty, idx as u32));
            next = value + 1;
        }
        if fixed.is_none() {
            self.module.types.enums[enum_].underlying = self.underlying_ty(enum_);
        }
        Ok(ty)
    }

    /// `enum tag : type;` (C++17 10.2p3)
    fn declare_opaque_enum(&mut self, tag: Name, spec: &EnumSpec) -> Result<Ty, Reported> {
        let fixed = self.fixed_underlying(spec)?;
        let Some((ty, span)) = self.scopes.tag_here(tag.symbol) else {
            return Ok(self.begin_enum(spec, fixed)?.1);
        };
        self.check_tag_kind(tag, ty, span, None)?;
        self.check_same_underlying(tag, ty, fixed, span)?;
        Ok(ty)
    }

    /// The integer type behind the `:`.
    fn fixed_underlying(&mut self, spec: &EnumSpec) -> Result<Option<IntTy>, Reported> {
        let Some(name) = &spec.underlying else { return Ok(None) };
        let ty = self.resolve_type_name(name)?;
        if let TyKind::Int(int) = *self.module.types.kind(ty) {
            return Ok(Some(int));
        }
        let shown = self.show(ty);
        let message = format!("underlying type {shown} is not an integer type");
        Err(self.error(Code::InvalidEnum, name.span, message))
    }

    /// The enum that a definition completes.
    fn begin_enum(&mut self, spec: &EnumSpec, fixed: Option<IntTy>) -> Result<(Enum, Ty), Reported> {
        if let Some(tag) = spec.tag
            && let Some((ty, span)) = self.scopes.tag_here(tag.symbol)
        {
            let TyKind::Enum(enum_) = *self.module.types.kind(ty) else {
                return Err(self.tag_redefinition(tag, span));
            };
            if self.module.types.enums[enum_].enumerators.is_some() {
                return Err(self.tag_redefinition(tag, span));
            }
            self.check_same_underlying(tag, ty, fixed, span)?;
            self.module.types.enums[enum_].span = tag.span;
            return Ok((enum_, ty));
        }
        let (enum_, ty) = self.module.types.add_enum(EnumData {
            tag: spec.tag.map(|t| self.spelling(t.symbol).to_owned()),
            typedef_name: None,
            underlying: fixed.unwrap_or(IntTy::Int),
            is_fixed: fixed.is_some(),
            enumerators: None,
            span: spec.tag.map_or(spec.keyword, |t| t.span),
        });
        if let Some(tag) = spec.tag {
            self.scopes.bind_tag(tag.symbol, ty, tag.span);
        }
        Ok((enum_, ty))
    }

    /// All declarations of an enum have one underlying type (C++17 10.2p6).
    fn check_same_underlying(
        &mut self,
        tag: Name,
        ty: Ty,
        fixed: Option<IntTy>,
        previous: Option<Span>,
    ) -> Result<(), Reported> {
        let TyKind::Enum(enum_) = *self.module.types.kind(ty) else { return Ok(()) };
        let data = &self.module.types.enums[enum_];
        if data.is_fixed && fixed == Some(data.underlying) {
            return Ok(());
        }
        let spelling = self.spelling(tag.symbol);
        let message = format!("enum `{spelling}` is declared with another underlying type");
        let mut diagnostic = Diagnostic::new(Code::InvalidEnum, tag.span, message);
        if let Some(span) = previous {
            diagnostic = diagnostic.with_label(span, "declared here");
        }
        Err(self.sink.error(diagnostic))
    }

    fn check_enumerator_range(&mut self, value: i128, fixed: Option<IntTy>, name: Name) {
        let (ty, (min, max)) = match fixed {
            Some(int) => (int.spelling(), int_range(int)),
            None => ("any integer type", (i128::from(i64::MIN), i128::from(u64::MAX))),
        };
        if value < min || value > max {
            let message = format!("enumerator value {value} is not representable in {ty}");
            self.error(Code::InvalidEnum, name.span, message);
        }
    }

    /// The smallest type from `unsigned int` or `int` on that holds all values, as GCC chooses.
    fn underlying_ty(&self, enum_: Enum) -> IntTy {
        let (min, max) = self.enum_range(enum_);
        let candidates = if min < 0 { [IntTy::Int, IntTy::Long] } else { [IntTy::UInt, IntTy::ULong] };
        let fits =
            |int: &IntTy| (int_range(*int).0..=int_range(*int).1).contains(&max) && int_range(*int).0 <= min;
        candidates.into_iter().find(fits).unwrap_or(IntTy::Long)
    }

    /// The least and the greatest enumerator; zero counts as one.
    pub(super) fn enum_range(&self, enum_: Enum) -> (i128, i128) {
        let values = self.module.types.enums[enum_].enumerators.iter().flatten().map(|&(_, value)| value);
        values.fold((0, 0), |(min, max), value| (min.min(value), max.max(value)))
    }

    /// Evaluates an integer constant expression that stands alone.
    pub(super) fn int_constant(&mut self, expr: ExprId, what: &str) -> Result<i128, Reported> {
        self.in_scratch(|cx| {
            let value = cx.check_rvalue(expr)?;
            cx.require_int(value, what)
        })
    }

    /// `static_assert` (C++17 10p6).
    pub(super) fn check_static_assert(&mut self, cond: ExprId, message: Option<ExprId>) {
        let span = self.unit.exprs[cond].span;
        let holds = self.in_scratch(|cx| {
            let value = cx.check_condition(cond)?;
            cx.require_int(value, "condition of `static_assert`")
        });
        if holds == Ok(0) {
            let text = match message.map(|m| &self.unit.exprs[m].kind) {
                Some(crate::ast::ExprKind::Str(literal)) => {
                    let text: String = literal.units.iter().filter_map(|&u| char::from_u32(u)).collect();
                    format!("static assertion failed: {text}")
                }
                Some(_) | None => "static assertion failed".into(),
            };
            self.error(Code::StaticAssertFailed, span, text);
        }
    }

    /// The value of an enumerator.
    pub(super) fn enumerator_value(&self, ty: Ty, idx: u32) -> Value {
        let value = match *self.module.types.kind(ty) {
            TyKind::Enum(enum_) => {
                let list = self.module.types.enums[enum_].enumerators.as_ref();
                list.and_then(|list| list.get(idx as usize)).map(|&(_, value)| value)
            }
            _ => None,
        };
        Value::Int(value.expect("invariant: an enumerator is of its enum"))
    }
}

fn new_record(tag: Option<String>, is_union: bool, span: Span) -> RecordData {
    RecordData { tag, typedef_name: None, is_union, fields: None, align: None, is_builtin: false, span }
}
