//! Types: from specifiers and declarators to [`Ty`].
//!
//! - [`qualifier`]: CUDA's qualifiers and attributes; [`launch`]: what kernels say about their launches
//! - [`record`]: structs and unions; [`local`]: those of blocks; [`member`]: their members; [`static_member`]: static ones; [`bit_field`]: bit-fields; [`enumeration`]: enumerated types
//! - [`static_assert`]: assertions; [`attribute_args`]: arguments of GNU C's attributes
//! - [`complete`]: whether objects of a type can be made
//! - [`trailing`]: results after the parameters
//! - [`opaque`]: types of textures and surfaces

mod attribute_args;
pub(super) mod base;
mod bit_field;
mod closure;
mod complete;
mod enumeration;
mod launch;
mod local;
mod member;
mod opaque;
pub(super) mod qualifier;
pub(super) mod record;
mod static_assert;
mod static_member;
pub(super) mod trailing;
mod using;

use super::Types;
use super::constant::const_eval::Mode;
use super::name::advice::Advised;
use super::name::scope::{Entity, HostEntity};
use crate::ast::{
    BuiltinTy, Chunk, ChunkKind, DeclSpecs, Declarator, ExprId, FunctionChunk, InitId, Name, Noexcept,
    OfPack, ParamDecl, QualSpecs, Storage, TypeName, TypeSpec, Written,
};
use crate::diag::{Code, Diagnostic, Fix, Reported};
use crate::ir::Enum;
use crate::ir::{DependentTy, Exact, FuncTy, Quals, RefKind, Ty, TyKind, View};
use crate::layout::{self, LayoutError};
use crate::limits::MAX_NESTING;
use crate::source::Span;
use hashbrown::HashMap;

/// What is remembered of types.
#[derive(Default)]
pub(super) struct TypeFacts {
    /// The least and the greatest value of each enum, zero included.
    enum_ranges: HashMap<Enum, (Exact, Exact)>,
}

/// A parameter of a function declarator.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: Option<Name>,
    /// Adjusted (C17 6.7.6.3p7), with its qualifiers.
    pub(super) ty: Ty,
    pub(super) default: Option<InitId>,
    /// That it is not used is no matter.
    pub(super) is_maybe_unused: bool,
    /// `__grid_constant__`: of a kernel, which does not copy it.
    pub(super) is_grid_constant: bool,
    pub(super) pack: OfPack,
    pub(super) span: Span,
}

impl Param {
    /// The first parameter of a member function.
    pub(super) fn this(ty: Ty, span: Span) -> Self {
        Param {
            name: None,
            ty,
            default: None,
            is_maybe_unused: true,
            is_grid_constant: false,
            pack: OfPack::No,
            span,
        }
    }
}

/// What a declarator says.
pub(super) struct Declared {
    pub(super) ty: Ty,
    /// The parameters, if the declarator itself is a function's.
    pub(super) params: Option<Vec<Param>>,
    /// That declarator promises that no exception leaves the function.
    pub(super) noexcept: bool,
}

/// Which lengths arrays may have: members may have no elements (GNU C "Zero Length").
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lengths {
    Positive,
    Any,
}

/// Whether declarators follow the specifiers: `struct S;` always declares `S` in this scope, `struct S x;` may refer to
/// an outer one (C17 6.7.2.3p7).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecifierContext {
    Alone,
    WithDeclarators,
}

impl Types<'_> {
    /// The type that the specifiers of a declaration name.
    pub(super) fn resolve_specs(
        &mut self,
        specs: &DeclSpecs,
        context: SpecifierContext,
    ) -> Result<Ty, Reported> {
        let ty = self.specified_ty(specs, context)?;
        let is_typedef = matches!(specs.storage, Some((Storage::Typedef, _)));
        if !is_typedef && self.expressions_ref().is_long_double(ty) {
            self.expressions().warn_long_double(specs.ty_span);
        }
        Ok(ty)
    }

    /// The type that the specifiers name, with their qualifiers.
    pub(in crate::sema) fn specified_ty(
        &mut self,
        specs: &DeclSpecs,
        context: SpecifierContext,
    ) -> Result<Ty, Reported> {
        let base = match &specs.ty {
            TypeSpec::Builtin(builtin) => self.builtin_ty(*builtin, specs.ty_span)?,
            TypeSpec::Named(name) => self.named_ty(*name)?,
            TypeSpec::Element(element) => self.templates().element_ty(element.0, element.1)?,
            TypeSpec::Nested(nested) => self.names().nested_ty(&nested.0, nested.1)?,
            TypeSpec::Instance(instance) => self.templates().instance_ty(&instance.0, instance.1)?,
            TypeSpec::Record(spec) => self.resolve_record(spec, context)?,
            TypeSpec::Enum(spec) => {
                self.refuse_mode(spec, &specs.attrs);
                self.resolve_enum(spec)?
            }
            TypeSpec::Auto => {
                return Err(self.error(Code::UnsupportedAuto, specs.ty_span, "`auto` is not supported here"));
            }
            TypeSpec::DecltypeAuto => {
                let message = "`decltype(auto)` is not supported here";
                return Err(self.error(Code::UnsupportedAuto, specs.ty_span, message));
            }
            TypeSpec::TypeofExpr(operand) => self.expressions().typeof_expr(*operand)?,
            TypeSpec::TypeofType(name) => self.resolve_type_name(name)?,
            TypeSpec::Decltype(operand) => self.expressions().decltype(*operand)?,
            TypeSpec::Global | TypeSpec::Error => return Err(self.poisoned()),
        };
        let mut quals = specs.quals;
        if quals.restrict.is_some() && self.is_typedef_of_no_pointer(&specs.ty, base) {
            quals.restrict = Written::default();
        }
        let ty = self.qualified(base, &quals)?;
        self.moded(ty, &specs.attrs)
    }

    /// Whether the specifier is a typedef name, and not of a pointer: nvcc ignores `__restrict__` beside it, as in
    /// `uint8_t __restrict__ *p`.
    fn is_typedef_of_no_pointer(&self, spec: &TypeSpec, ty: Ty) -> bool {
        let is_typedef = match spec {
            TypeSpec::Named(name) => !self.scopes.names_tag(name.symbol),
            TypeSpec::Element(_) => true,
            TypeSpec::Nested(_)
            | TypeSpec::Instance(_)
            | TypeSpec::Global
            | TypeSpec::Builtin(_)
            | TypeSpec::Record(_)
            | TypeSpec::Enum(_)
            | TypeSpec::Auto
            | TypeSpec::DecltypeAuto
            | TypeSpec::TypeofExpr(_)
            | TypeSpec::TypeofType(_)
            | TypeSpec::Decltype(_)
            | TypeSpec::Error => false,
        };
        is_typedef && self.module.types.pointee(ty).is_none()
    }

    fn builtin_ty(&mut self, builtin: BuiltinTy, span: Span) -> Result<Ty, Reported> {
        match builtin {
            BuiltinTy::Void => Ok(Ty::VOID),
            BuiltinTy::Bool => Ok(Ty::BOOL),
            BuiltinTy::Char => Ok(Ty::CHAR),
            BuiltinTy::SChar => Ok(Ty::SCHAR),
            BuiltinTy::UChar => Ok(Ty::UCHAR),
            BuiltinTy::Short => Ok(Ty::SHORT),
            BuiltinTy::UShort => Ok(Ty::USHORT),
            BuiltinTy::Int => Ok(Ty::INT),
            BuiltinTy::UInt => Ok(Ty::UINT),
            BuiltinTy::Long => Ok(Ty::LONG),
            BuiltinTy::ULong => Ok(Ty::ULONG),
            BuiltinTy::LongLong => Ok(Ty::LONGLONG),
            BuiltinTy::ULongLong => Ok(Ty::ULONGLONG),
            BuiltinTy::Float => Ok(Ty::FLOAT),
            BuiltinTy::Double => Ok(Ty::DOUBLE),
            BuiltinTy::Int128 => Ok(Ty::INT128),
            BuiltinTy::UInt128 => Ok(Ty::UINT128),
            BuiltinTy::WChar => Ok(Ty::WCHAR),
            BuiltinTy::Char16 => Ok(Ty::CHAR16),
            BuiltinTy::Char32 => Ok(Ty::CHAR32),
            BuiltinTy::LongDouble => self.expressions().long_double(span),
        }
    }

    pub(super) fn named_ty(&mut self, name: Name) -> Result<Ty, Reported> {
        let binding = self.names_ref().lookup(name.symbol);
        match binding.map(|b| b.entity) {
            Some(Entity::Typedef(Ty::ERROR) | Entity::Poison) => Err(self.poisoned()),
            Some(Entity::Host(host @ (HostEntity::Type | HostEntity::Template | HostEntity::Namespace))) => {
                Err(self.names().host_entity_used(host, name, binding.and_then(|b| b.span)))
            }
            Some(Entity::Several) => Err(self.names().ambiguous(name)),
            Some(Entity::Typedef(ty)) => {
                self.warn_named_ty(ty, name, binding.and_then(|b| b.span));
                if let Some(binding) = binding {
                    self.names().require_inherited(binding, name)?;
                }
                Ok(ty)
            }
            Some(Entity::Template(template)) => {
                let spelling = self.spelling(name.symbol);
                let message = format!("use of template `{spelling}` requires template arguments");
                let diagnostic = Diagnostic::new(Code::InvalidTemplate, name.span, message)
                    .with_label(self.templates_ref().template_span(template), "template is declared here");
                Err(self.sink.error(diagnostic))
            }
            Some(
                Entity::Func(_)
                | Entity::Overloads(_)
                | Entity::Global(_)
                | Entity::Local(_)
                | Entity::Field(_)
                | Entity::Member(_)
                | Entity::Element(..)
                | Entity::Enumerator(..)
                | Entity::Const(_)
                | Entity::Special(_)
                | Entity::Constant(_)
                | Entity::TemplateParam(_)
                | Entity::Pack(_)
                | Entity::Enclosing
                | Entity::Captured(_)
                | Entity::Namespace(_)
                | Entity::Host(HostEntity::Function | HostEntity::Variable),
            )
            | None => Err(self.names().undeclared(name, "type")),
        }
    }

    /// What there is to say of a type that is named, whose name was declared there.
    pub(super) fn warn_named_ty(&mut self, ty: Ty, name: Name, declared: Option<Span>) {
        self.builtins().warn_deprecated_vector(ty, name.span);
        if !self.known.local_typedefs.is_empty() {
            self.known.local_typedefs.retain(|&(_, span)| Some(span) != declared);
        }
        if !self.known.advice.is_empty() {
            if let Some(declared) = declared {
                let spelling = self.spelling(name.symbol);
                self.names().warn_use(Advised::At(declared), spelling, name.span);
            }
            self.names().warn_type_use(ty, name.span);
        }
    }

    /// Adds qualifiers (C17 6.7.3).
    #[inline]
    pub(super) fn qualified(&mut self, ty: Ty, specs: &QualSpecs) -> Result<Ty, Reported> {
        if *specs == QualSpecs::default() { Ok(ty) } else { self.add_qualifiers(ty, specs) }
    }

    /// The same where there are some.
    #[inline(never)]
    fn add_qualifiers(&mut self, ty: Ty, specs: &QualSpecs) -> Result<Ty, Reported> {
        let mut quals = Quals::empty();
        quals.set(Quals::CONST, specs.const_.is_some());
        quals.set(Quals::VOLATILE, specs.volatile.is_some());
        if let Some(span) = specs.restrict.span() {
            let pointee = self.module.types.target(ty);
            if pointee.is_none_or(|pointee| self.module.types.func(pointee).is_some()) {
                let what = if pointee.is_some() { "a pointer to an object" } else { "a pointer" };
                let ty = self.show(ty);
                let message = format!("`__restrict__` requires {what}; {ty} is invalid");
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
        let base = self.resolve_specs(&name.specs, SpecifierContext::WithDeclarators)?;
        self.declared_object_ty(base, &name.declarator)
    }

    fn refuse_type_definition(&mut self, name: &TypeName) -> Result<(), Reported> {
        // C++17 8.3.3p1, 8.4p2 and others
        if name.specs.ty.is_definition() {
            let diagnostic =
                Diagnostic::new(Code::InvalidType, name.specs.ty_span, "type cannot be defined here")
                    .with_help("define it in a separate declaration before this one");
            return Err(self.sink.error(diagnostic));
        }
        Ok(())
    }

    /// The specifiers of a function's result, or of that of what a pointer leads to, define no type (C++17 11.3.5p11).
    pub(super) fn refuse_type_of_result(&mut self, specs: &DeclSpecs, declarator: &Declarator) {
        let is_function = |chunk: &Chunk| matches!(chunk.kind, ChunkKind::Function(_));
        if specs.ty.is_definition() && declarator.chunks.iter().any(is_function) {
            let message = "type cannot be defined in the result type of a function";
            let diagnostic = Diagnostic::new(Code::InvalidType, specs.ty_span, message)
                .with_help("define it in a separate declaration before this one");
            self.sink.error(diagnostic);
        }
    }

    /// Applies a declarator to the specifiers' type.
    pub(super) fn declared_ty(&mut self, base: Ty, declarator: &Declarator) -> Result<Declared, Reported> {
        self.declared_with(base, declarator, Lengths::Positive)
    }

    fn declared_with(
        &mut self,
        base: Ty,
        declarator: &Declarator,
        lengths: Lengths,
    ) -> Result<Declared, Reported> {
        let mut declared = if declarator.chunks.is_empty() {
            Declared { ty: base, params: None, noexcept: false }
        } else {
            self.derived_ty(base, &declarator.chunks, lengths)?
        };
        declared.ty = self.moded(declared.ty, &declarator.attrs)?;
        Ok(declared)
    }

    /// The same of a declarator that is more than a name.
    pub(super) fn derived_ty(
        &mut self,
        base: Ty,
        chunks: &[Chunk],
        lengths: Lengths,
    ) -> Result<Declared, Reported> {
        let mut ty = base;
        let mut params: Option<Vec<Param>> = None;
        let mut is_noexcept = false;
        for (idx, chunk) in chunks.iter().enumerate().rev() {
            if let Some(params) = params.take() {
                self.calls().refuse_default_args(&params);
            }
            ty = match &chunk.kind {
                ChunkKind::Pointer(_) | ChunkKind::Array(_) if self.module.types.reference(ty).is_some() => {
                    let what = match chunk.kind {
                        ChunkKind::Array(_) => "array of references",
                        _ => "pointer to a reference",
                    };
                    let message = format!("{what} of type {} is not allowed", self.show(ty));
                    return Err(self.error(Code::InvalidReference, chunk.span, message));
                }
                ChunkKind::Pointer(quals) => {
                    let pointer = self.module.types.pointer_to(ty);
                    self.qualified(pointer, quals)?
                }
                ChunkKind::Array(len) => self.array_ty(ty, *len, lengths, chunk.span)?,
                ChunkKind::Function(function) => {
                    let FunctionChunk { params: decls, variadic, noexcept, trailing, .. } = &**function;
                    let list = self.resolve_params(decls, variadic.is_some())?;
                    let ret = match trailing {
                        Some(name) if !name.specs.ty.is_placeholder() => self.trailing_ty(name, &list)?,
                        _ => ty,
                    };
                    let ty = self.func_ty(ret, &list, variadic.is_some(), chunk.span)?;
                    params = Some(list);
                    if let Some(noexcept) = noexcept {
                        is_noexcept = self.check_noexcept(*noexcept, idx == 0)?;
                    }
                    ty
                }
                ChunkKind::Reference(kind, quals) => {
                    let is_inner = |inner: &Chunk| matches!(inner.kind, ChunkKind::Reference(..));
                    let is_doubled = chunks.get(idx + 1).is_some_and(is_inner);
                    self.reference_ty(ty, *kind, quals, is_doubled, chunk.span)?
                }
            };
            // Typedef names can pile up what no declarator could.
            if self.module.types.depth(ty) > MAX_NESTING {
                return Err(self.too_deep(chunk.span));
            }
        }
        Ok(Declared { ty, params, noexcept: is_noexcept })
    }

    /// The same where no function is declared.
    pub(super) fn declared_object_ty(&mut self, base: Ty, declarator: &Declarator) -> Result<Ty, Reported> {
        self.object_ty(base, declarator, Lengths::Positive)
    }

    /// The same of a member.
    fn member_ty(&mut self, base: Ty, declarator: &Declarator) -> Result<Ty, Reported> {
        self.object_ty(base, declarator, Lengths::Any)
    }

    fn object_ty(&mut self, base: Ty, declarator: &Declarator, lengths: Lengths) -> Result<Ty, Reported> {
        let declared = self.declared_with(base, declarator, lengths)?;
        self.calls().refuse_default_args(declared.params.as_deref().unwrap_or_default());
        if declared.noexcept {
            let message = "`noexcept` in a function pointer type is not supported";
            return Err(self.error(Code::UnsupportedException, declarator.span, message));
        }
        Ok(declared.ty)
    }

    /// Whether an exception specification promises something. As a part of a pointer's type it would
    /// make another type (C++17 11.3.5p8).
    fn check_noexcept(&mut self, noexcept: Noexcept, is_declared: bool) -> Result<bool, Reported> {
        if !is_declared {
            let message = "`noexcept` in a function pointer type is not supported";
            return Err(self.error(Code::UnsupportedException, noexcept.span, message));
        }
        let Some(cond) = noexcept.cond else { return Ok(true) };
        self.in_scratch(|cx| {
            let value = cx.conversions().check_condition(cond)?;
            Ok(cx.expressions().require_int(value, "condition of `noexcept`")? != Exact::ZERO)
        })
    }

    pub(super) fn too_deep(&mut self, span: Span) -> Reported {
        let message = format!("type has more than {MAX_NESTING} levels of nesting");
        self.error(Code::NestingTooDeep, span, message)
    }

    /// A reference (C++17 11.3.2). `is_doubled`: it is written at a reference, which only a name can stand for.
    fn reference_ty(
        &mut self,
        referred: Ty,
        kind: RefKind,
        specs: &QualSpecs,
        is_doubled: bool,
        span: Span,
    ) -> Result<Ty, Reported> {
        if is_doubled || matches!(self.module.types.kind(referred), TyKind::Void) {
            let what = if is_doubled { "a reference" } else { "`void`" };
            return Err(self.error(
                Code::InvalidReference,
                span,
                format!("reference to {what} is not allowed"),
            ));
        }
        if let Some(at) = specs.const_.span().or(specs.volatile.span()) {
            let message = "a reference cannot be qualified; qualify the type that it refers to";
            return Err(self.error(Code::InvalidReference, at, message));
        }
        self.expressions().refuse_long_doubles_in(referred, span)?;
        let reference = self.module.types.reference_to(referred, kind);
        self.qualified(reference, specs)
    }

    // C17 6.7.6.2
    fn array_ty(
        &mut self,
        elem: Ty,
        len: Option<ExprId>,
        lengths: Lengths,
        span: Span,
    ) -> Result<Ty, Reported> {
        let what = match self.module.types.view(elem) {
            View::Void => Some("`void`"),
            View::Func(_) => Some("functions"),
            View::Array(_, None) => Some("arrays of unknown length"),
            View::Scalar(_) | View::Error | View::Array(_, Some(_)) | View::Record(_) => None,
        };
        if let Some(what) = what {
            return Err(self.error(Code::InvalidType, span, format!("array of {what} is not allowed")));
        }
        // C++17 11.3.4p1 wants a complete type. Where the array is only declared, nvcc takes a struct that is not.
        if self.module.types.record(elem).is_none() {
            self.require_complete(elem, span)?;
        }
        let Some(len_expr) = len else { return Ok(self.module.types.array_of(elem, None)) };
        if self.known.templates.reads_pattern
            && let Some(array) = self.templates().dependent_array(elem, len_expr)
        {
            return Ok(array);
        }
        let len = self.array_len(len_expr, lengths)?;
        let ty = self.module.types.array_of(elem, Some(len));
        if layout::size_of(&self.module.types, ty) == Err(LayoutError::TooLarge) {
            let span = self.unit.exprs[len_expr].span;
            return Err(self.error(Code::InvalidArrayLength, span, "array is too large"));
        }
        Ok(ty)
    }

    fn array_len(&mut self, expr: ExprId, lengths: Lengths) -> Result<u64, Reported> {
        let span = self.unit.exprs[expr].span;
        let value = self.in_scratch(|cx| {
            let len = cx.expressions().check_rvalue(expr)?;
            let len = match cx.module.types.record(cx.ty_of(len)) {
                Some(_) => cx.conversions().operand_value(len)?,
                None => len,
            };
            if cx.module.types.int_ty(cx.ty_of(len)).is_some()
                && let Err(not) = cx.constants().eval(len, Mode::Required)
                && !cx.scopes.is_file_scope()
            {
                let message = "variable length arrays are not supported";
                let diagnostic = Diagnostic::new(Code::UnsupportedVla, span, message).with_help(
                    "use a constant: a literal, an enumerator, or a `const int` with a constant initializer",
                );
                return Err(cx.expressions().not_constant(diagnostic, &not));
            }
            cx.expressions().require_int(len, "length of an array")
        })?;
        match u64::try_from(value) {
            // GNU C "Zero Length"
            Ok(0) if lengths == Lengths::Any => Ok(0),
            Ok(0) => Err(self.error(Code::InvalidArrayLength, span, "array has length zero")),
            Ok(len) => Ok(len),
            Err(_) => Err(self.error(
                Code::InvalidArrayLength,
                span,
                format!("array has length {value}, which is negative"),
            )),
        }
    }

    // C17 6.7.6.3
    fn func_ty(&mut self, ret: Ty, params: &[Param], variadic: bool, span: Span) -> Result<Ty, Reported> {
        let what = match self.module.types.view(ret) {
            View::Array(..) => Some("an array"),
            View::Func(_) => Some("a function"),
            View::Scalar(_) | View::Error | View::Void | View::Record(_) => None,
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

    fn resolve_params(&mut self, decls: &[ParamDecl], is_variadic: bool) -> Result<Vec<Param>, Reported> {
        let is_alone = decls.len() == 1 && !is_variadic;
        // All of them first, so that each says what is wrong with it.
        let params: Vec<_> = decls.iter().map(|decl| self.resolve_param(decl, is_alone)).collect();
        params.into_iter().filter_map(Result::transpose).collect()
    }

    /// None where it is what says that there are none.
    fn resolve_param(&mut self, decl: &ParamDecl, is_alone: bool) -> Result<Option<Param>, Reported> {
        let mut attrs = self.collect_attrs(&decl.specs.attrs, &decl.declarator.attrs);
        let is_grid_constant = attrs.grid_constant.take().is_some();
        if attrs.any {
            self.refuse_attrs(&attrs, "a parameter");
            self.refuse_packed(&attrs, "a parameter");
            self.refuse_align(&attrs, "a parameter");
        }
        self.check_register(&decl.specs);
        if let Some((Storage::Typedef | Storage::Extern | Storage::Static, span)) = decl.specs.storage {
            self.error(Code::InvalidSpecifiers, span, "storage class does not apply to a parameter");
        }
        let base = self.resolve_specs(&decl.specs, SpecifierContext::WithDeclarators)?;
        let ty = self.declared_object_ty(base, &decl.declarator)?;
        let name = decl.declarator.name;
        let span = name.map_or(decl.span, |n| n.span);
        // C17 6.7.6.3p7, p8
        let ty = match self.module.types.view(ty) {
            View::Array(elem, _) => self.module.types.pointer_to(elem),
            View::Func(_) => self.module.types.pointer_to(ty),
            // C++17 11.3.5p4: `(void)` by another name.
            View::Void if is_alone && name.is_none() && self.canonical(ty) == Ty::VOID => return Ok(None),
            View::Void => {
                return Err(self.error(Code::InvalidType, span, "argument may not have `void` type"));
            }
            View::Scalar(_) | View::Error | View::Record(_) => ty,
        };
        let is_maybe_unused = attrs.is_maybe_unused;
        if is_grid_constant && !self.module.types.quals(ty).contains(Quals::CONST) {
            let message = "`__grid_constant__` is only allowed on `const` parameters";
            self.error(Code::InvalidAttribute, span, message);
        }
        let pack = decl.pack;
        let ty = match pack {
            OfPack::Whole => {
                let pattern = self.module.types.unqualified(ty);
                self.module.types.dependent_ty(DependentTy::Expansion(pattern))
            }
            OfPack::No | OfPack::Element(_) => ty,
        };
        Ok(Some(Param { name, ty, default: decl.default, is_maybe_unused, is_grid_constant, pack, span }))
    }

    /// `register` is gone from C++17 (Annex C.1.6), and nvcc takes it with a warning.
    pub(super) fn check_register(&mut self, specs: &DeclSpecs) {
        if let Some((Storage::Register, span)) = specs.storage {
            let message = "`register` has no meaning in C++17";
            let fix = Fix::new("remove it", span, "");
            self.sink.emit(Diagnostic::new(Code::DeprecatedRegister, span, message).with_fix(fix));
        }
    }

    /// Evaluates an integer constant expression that stands alone.
    pub(super) fn int_constant(&mut self, expr: ExprId, what: &str) -> Result<Exact, Reported> {
        self.in_scratch(|cx| {
            let value = cx.expressions().check_rvalue(expr)?;
            cx.expressions().require_int(value, what)
        })
    }
}
