//! Enums: their tags, their enumerators, and the integer type that holds them.

use crate::ast::{Attr, EnumSpec, Name};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Enum, EnumData, Exact, IntTy, Ty, TyKind};
use crate::sema::Types;
use crate::sema::builtin::{BOUNDARY_MODE_TAG, ROUND_MODE_TAG};
use crate::sema::constant::const_eval::Value;
use crate::sema::name::advice::Advised;
use crate::sema::name::scope::{Entity, NamedConst};
use crate::source::Span;

impl Types<'_> {
    // C++17 10.2
    pub(super) fn resolve_enum(&mut self, spec: &EnumSpec) -> Result<Ty, Reported> {
        let (Some(scope), Some(tag)) = (&spec.scope, spec.tag) else { return self.resolve_enum_here(spec) };
        if spec.enumerators.is_none() && spec.underlying.is_none() && spec.scoped.is_none() {
            let (ty, span) = self.names().qualified_tag(scope, tag)?;
            self.check_tag_kind(tag, ty, span, None)?;
            return Ok(ty);
        }
        if spec.enumerators.is_none() {
            let message = "an enum with a qualified name is declared without enumerators";
            return Err(self.error(Code::InvalidEnum, tag.span, message));
        }
        let outer = self.scopes.namespace();
        self.names().enter_tag_scope(scope, tag)?;
        let result = self.resolve_enum_here(spec);
        self.scopes.go_to_namespace(outer);
        result
    }

    fn resolve_enum_here(&mut self, spec: &EnumSpec) -> Result<Ty, Reported> {
        if spec.enumerators.is_none()
            && let Some(tag) = spec.tag
            && (spec.underlying.is_some() || spec.scoped.is_some())
        {
            return self.declare_opaque_enum(tag, spec);
        }
        let Some(enumerators) = &spec.enumerators else {
            let Some(tag) = spec.tag else { return Err(self.poisoned()) };
            let Some((ty, span)) = self.names().tag_named(tag)? else {
                return Err(self.names().undeclared(tag, "enum"));
            };
            self.check_tag_kind(tag, ty, span, None)?;
            return Ok(ty);
        };
        let fixed = self.fixed_underlying(spec)?;
        let attrs = self.collect_attrs(&spec.attrs, &[]);
        self.refuse_attrs(&attrs, "an enum");
        self.refuse_align(&attrs, "an enum");
        let (enum_, ty) = self.begin_enum(spec, fixed)?;
        self.module.types.enums[enum_].enumerators = Some(Vec::new());
        // Within the braces its enumerators are plain names, of the underlying type (C++17 10.2p5).
        if spec.scoped.is_some() {
            self.scopes.push();
        }
        let mut next = Exact::ZERO;
        for (idx, enumerator) in enumerators.iter().enumerate() {
            let known = match enumerator.value {
                Some(value) => self.int_constant(value, "value of an enumerator").ok(),
                None => Some(next),
            };
            let value = known.unwrap_or(next);
            self.check_enumerator_range(value, fixed, enumerator.name);
            let name = self.spelling(enumerator.name.symbol).to_owned();
            let constant = value.wrapped(fixed.unwrap_or(IntTy::Int128));
            self.module.types.enums[enum_].enumerators.get_or_insert_default().push((name, constant));
            self.widen_enum_range(enum_, constant);
            // A taken name is reported; its value stays, so that those behind it keep theirs.
            if self.scopes.is_file_scope() && self.scopes.class().is_none() && spec.scoped.is_none() {
                let _reported = self.declarations().refuse_builtin_name(enumerator.name, "an enumerator");
            }
            let entity = match spec.scoped {
                Some(_) => self.integer_constant(enumerator.name, fixed, constant),
                // What depends on its value is not known, either.
                None if known.is_none() => Entity::Poison,
                None => Entity::Enumerator(ty, idx as u32),
            };
            let _reported = self.names().declare(enumerator.name, entity);
            if !enumerator.attrs.is_empty() {
                let attrs = self.collect_attrs(&enumerator.attrs, &[]);
                self.refuse_attrs(&attrs, "an enumerator");
                self.refuse_packed(&attrs, "an enumerator");
                self.refuse_align(&attrs, "an enumerator");
                self.names().advise(Advised::At(enumerator.name.span), &attrs);
            }
            next = value.successor();
        }
        if spec.scoped.is_some() {
            self.scopes.pop();
        }
        if fixed.is_none() {
            let (min, max) = self.enum_range(enum_);
            if min < Exact::ZERO && !max.fits(IntTy::LongLong) {
                let span = spec.tag.map_or(spec.keyword, |tag| tag.span);
                let message = format!("no integer type can represent the enumerators from {min} to {max}");
                // What does not fit would not be a constant of the type.
                self.module.types.enums[enum_].enumerators = Some(Vec::new());
                self.known.types.enum_ranges.remove(&enum_);
                for name in enumerators.iter().map(|enumerator| enumerator.name) {
                    self.scopes.bind(name.symbol, Entity::Poison, name.span);
                }
                return Err(self.error(Code::InvalidEnum, span, message));
            }
            self.module.types.enums[enum_].underlying = self.underlying_ty(enum_, attrs.packed.is_some());
        }
        Ok(ty)
    }

    /// What the name of a constant means that is an integer.
    fn integer_constant(&mut self, name: Name, int: Option<IntTy>, value: i128) -> Entity {
        let constant = NamedConst {
            name: self.spelling(name.symbol).to_owned(),
            ty: Ty::int(int.unwrap_or(IntTy::Int)),
            value: Value::Int(value),
            is_referenced: true,
            is_value: false,
            span: name.span,
        };
        Entity::Const(self.known.add_constant(constant))
    }

    /// Reports `mode` on a definition, before the tag or behind the braces: nvcc has other sizes then.
    pub(super) fn refuse_mode(&mut self, spec: &EnumSpec, behind: &[Attr]) {
        let mut attrs = spec.attrs.iter().chain(behind);
        if spec.enumerators.is_some()
            && let Some(attr) = attrs.find(|attr| self.mode_argument(attr).is_some())
        {
            let message = "`mode` on the definition of an enum is not supported";
            let diagnostic = Diagnostic::new(Code::UnsupportedAttribute, attr.span, message)
                .with_help("write the type after the name: `enum E : short`");
            let _reported = self.sink.error(diagnostic);
        }
    }

    /// `enum tag : type;` (C++17 10.2p3)
    fn declare_opaque_enum(&mut self, tag: Name, spec: &EnumSpec) -> Result<Ty, Reported> {
        let fixed = self.fixed_underlying(spec)?;
        let Some((ty, span)) = self.names().tag_declared_here(tag)? else {
            return Ok(self.begin_enum(spec, fixed)?.1);
        };
        self.check_tag_kind(tag, ty, span, None)?;
        self.check_same_underlying(tag, ty, (fixed, spec.scoped.is_some()), span)?;
        Ok(ty)
    }

    /// The integer type behind the `:`.
    fn fixed_underlying(&mut self, spec: &EnumSpec) -> Result<Option<IntTy>, Reported> {
        // C++17 10.2p5
        let Some(name) = &spec.underlying else { return Ok(spec.scoped.map(|_| IntTy::Int)) };
        let ty = self.resolve_type_name(name)?;
        if let TyKind::Int(int) = *self.module.types.kind(ty) {
            return Ok(Some(int));
        }
        let shown = self.show(ty);
        let message = format!("non-integral type {shown} is an invalid underlying type");
        Err(self.error(Code::InvalidEnum, name.span, message))
    }

    /// The enum that a definition completes.
    fn begin_enum(&mut self, spec: &EnumSpec, fixed: Option<IntTy>) -> Result<(Enum, Ty), Reported> {
        if let Some(tag) = spec.tag
            && let Some((ty, span)) = self.names().tag_declared_here(tag)?
        {
            let TyKind::Enum(enum_) = *self.module.types.kind(ty) else {
                return Err(self.tag_redefinition(tag, span));
            };
            if self.module.types.enums[enum_].enumerators.is_some() {
                return Err(self.tag_redefinition(tag, span));
            }
            self.check_same_underlying(tag, ty, (fixed, spec.scoped.is_some()), span)?;
            self.module.types.enums[enum_].span = tag.span;
            return Ok((enum_, ty));
        }
        let place = self.place_of_type(spec.tag.map(|tag| tag.symbol));
        let (enum_, ty) = self.cx.module.types.add_enum(EnumData {
            tag: spec.tag.map(|t| self.spelling(t.symbol).to_owned()),
            typedef_name: None,
            outer: place.outer,
            owner: place.owner,
            namespace: place.namespace,
            underlying: fixed.unwrap_or(IntTy::Int),
            is_fixed: fixed.is_some(),
            is_scoped: spec.scoped.is_some(),
            enumerators: None,
            span: spec.tag.map_or(spec.keyword, |t| t.span),
        });
        if let Some(tag) = spec.tag {
            self.scopes.bind_tag(tag.symbol, ty, tag.span);
            // The header that has it comes before all that names it.
            if self.scopes.is_file_scope() && self.scopes.is_global() && self.scopes.class().is_none() {
                let known = match self.spelling(tag.symbol) {
                    ROUND_MODE_TAG => Some(&mut self.known.round_mode),
                    BOUNDARY_MODE_TAG => Some(&mut self.known.boundary_mode),
                    _ => None,
                };
                if let Some(known) = known {
                    known.get_or_insert(ty);
                }
            }
        }
        Ok((enum_, ty))
    }

    /// All declarations of an enum have one underlying type (C++17 10.2p6).
    fn check_same_underlying(
        &mut self,
        tag: Name,
        ty: Ty,
        (fixed, is_scoped): (Option<IntTy>, bool),
        previous: Option<Span>,
    ) -> Result<(), Reported> {
        let TyKind::Enum(enum_) = *self.module.types.kind(ty) else { return Ok(()) };
        let data = &self.module.types.enums[enum_];
        let is_same_kind = data.is_scoped == is_scoped;
        if data.is_fixed && fixed == Some(data.underlying) && is_same_kind {
            return Ok(());
        }
        let spelling = self.spelling(tag.symbol);
        let message = match is_same_kind {
            true => format!("enumeration `{spelling}` redeclared with different underlying type"),
            false => format!(
                "enumeration `{spelling}` was previously declared as {} enumeration",
                if data.is_scoped { "a scoped" } else { "an unscoped" }
            ),
        };
        let mut diagnostic = Diagnostic::new(Code::InvalidEnum, tag.span, message);
        if let Some(span) = previous {
            diagnostic = diagnostic.with_label(span, "declared here");
        }
        Err(self.sink.error(diagnostic))
    }

    fn check_enumerator_range(&mut self, value: Exact, fixed: Option<IntTy>, name: Name) {
        let (ty, (min, max)) = match fixed {
            Some(int) => (int.spelling(), Exact::range(int)),
            None => ("any integer type", (Exact::range(IntTy::LongLong).0, Exact::range(IntTy::ULongLong).1)),
        };
        if value < min || value > max {
            let message = format!("enumerator value {value} is not representable in {ty}");
            self.error(Code::InvalidEnum, name.span, message);
        }
    }

    /// The smallest type from `unsigned int` or `int` on that holds all values, as GCC chooses.
    fn underlying_ty(&self, enum_: Enum, is_packed: bool) -> IntTy {
        let (min, max) = self.enum_range(enum_);
        let model = self.module.types.model();
        let candidates = if min < Exact::ZERO {
            [IntTy::SChar, IntTy::Short, IntTy::Int, model.int64()]
        } else {
            [IntTy::UChar, IntTy::UShort, IntTy::UInt, model.uint64()]
        };
        // GNU C "Type Attributes": a packed one is as small as can be.
        let candidates = if is_packed { &candidates[..] } else { &candidates[2..] };
        let fits = |int: &&IntTy| min.fits(**int) && max.fits(**int);
        candidates.iter().find(fits).copied().unwrap_or(model.int64())
    }

    /// The least and the greatest enumerator of an enum whose underlying type was not written; zero
    /// counts as one.
    pub(in crate::sema) fn enum_range(&self, enum_: Enum) -> (Exact, Exact) {
        self.known.types.enum_ranges.get(&enum_).copied().unwrap_or((Exact::ZERO, Exact::ZERO))
    }

    fn widen_enum_range(&mut self, enum_: Enum, constant: i128) {
        let value = Exact::from(constant);
        let (min, max) = self.enum_range(enum_);
        self.known.types.enum_ranges.insert(enum_, (min.min(value), max.max(value)));
    }

    /// The value of an enumerator.
    pub(in crate::sema) fn enumerator_value(&self, ty: Ty, idx: u32) -> Value {
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
