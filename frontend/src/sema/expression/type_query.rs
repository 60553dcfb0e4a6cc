//! What is asked of types, members and expressions: `sizeof`, `alignof`, `offsetof`, `typeof`, `decltype`, and the type that
//! `auto` stands for.

use super::Operand;
use crate::ast::{
    Chunk, ChunkKind, DeclSpecs, Declarator, Designator, ExprId, ExprKind, InitId, InitKind, Name, QualSpecs,
    TypeName, TypeSpec,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, ExprData, Place, PlaceData, Quals, RefKind, Scalar, Ty, TyKind, View};
use crate::layout;
use crate::sema::Expressions;
use crate::sema::call::overload::ClassValues;
use crate::sema::conversion::reference::{Category, sole_expr};
use crate::source::Span;

impl Expressions<'_> {
    /// `__builtin_offsetof(type, path)` (C17 7.19p3, GNU C "Offsetof").
    pub(super) fn offsetof(
        &mut self,
        name: &TypeName,
        path: &[Designator],
        span: Span,
    ) -> Result<Expr, Reported> {
        // As with nvcc it may be defined there.
        let mut ty = self.types().resolve_new_type_name(name)?;
        let mut offset = 0_u64;
        for designator in path {
            let (inner, distance, at) = match *designator {
                Designator::Field(member) => {
                    let (inner, distance) = self.member_offset(ty, member)?;
                    (inner, Some(distance), member.span)
                }
                Designator::Range(_, _, at) => {
                    return Err(self.error(
                        Code::InvalidSubscript,
                        at,
                        "`offsetof` does not accept a range of elements",
                    ));
                }
                Designator::Index(index, at) => {
                    let TyKind::Array(elem, _) = *self.module.types.kind(ty) else {
                        let ty = self.show(ty);
                        let message = format!("subscripted member is not an array: it has type {ty}");
                        return Err(self.error(Code::InvalidSubscript, at, message));
                    };
                    let index = self.types().int_constant(index, "subscript")?;
                    let size = layout::size_of(&self.module.types, elem).unwrap_or(0);
                    (elem, u64::try_from(index).ok().and_then(|index| index.checked_mul(size)), at)
                }
            };
            ty = inner;
            let sum = distance.and_then(|distance| offset.checked_add(distance));
            offset = match sum.filter(|&sum| sum <= self.module.types.model().max_size()) {
                Some(sum) => sum,
                None => return Err(self.error(Code::InvalidSubscript, at, "the offset is out of range")),
            };
        }
        Ok(self.cx.expr(ExprData::int(offset), self.module.types.model().size_ty(), span))
    }

    /// A member's type, and its distance from the beginning of the struct in bytes.
    fn member_offset(&mut self, ty: Ty, name: Name) -> Result<(Ty, u64), Reported> {
        let Some(record) = self.module.types.record(ty) else {
            let ty = self.show(ty);
            let message = format!("`offsetof` requires struct or union type, {ty} invalid");
            return Err(self.error(Code::InvalidMemberAccess, name.span, message));
        };
        self.types().require_complete(ty, name.span)?;
        let Some(idx) = self.find_member(record, name.symbol) else {
            return Err(self.no_member(record, ty, name));
        };
        self.names().require_data_access(record, record, name)?;
        let types = &self.module.types;
        let Ok(layout) = layout::record_layout(types, record) else { return Err(self.poisoned()) };
        let field = layout.fields[idx as usize];
        if field.bits.is_some() {
            let message = "cannot compute offset of bit-field";
            return Err(self.error(Code::InvalidMemberAccess, name.span, message));
        }
        let ty = self.field_ty(ty, idx);
        if self.is_named_member(record, idx) {
            return Ok((ty, field.offset));
        }
        // It is a member of an anonymous one.
        let (ty, offset) = self.member_offset(ty, name)?;
        Ok((ty, field.offset + offset))
    }

    /// The type of an expression that is not evaluated (GNU C "Typeof").
    pub(in crate::sema) fn typeof_expr(&mut self, operand: ExprId) -> Result<Ty, Reported> {
        // A literal's array is only made where the program uses it.
        if let Some(literal) = self.string_behind(operand) {
            return Ok(self.string_ty(literal));
        }
        let span = self.unit.exprs[operand].span;
        let ty = self.in_unevaluated(|cx| {
            let operand = cx.expressions().check_expr(operand)?;
            cx.expressions().operand_ty(operand)
        })?;
        self.refuse_nullptr(ty, span)
    }

    /// Refuses `nullptr_t` for a type of objects.
    fn refuse_nullptr(&mut self, ty: Ty, span: Span) -> Result<Ty, Reported> {
        if self.canonical(ty) != Ty::NULLPTR {
            return Ok(ty);
        }
        Err(self.error(Code::UnsupportedType, span, "the type `nullptr_t` is not supported"))
    }

    /// The type that `decltype` names (C++17 10.1.7.2p4): of a name or a member, the declared one; of
    /// another expression its own, which of an lvalue is a reference.
    pub(in crate::sema) fn decltype(&mut self, id: ExprId) -> Result<Ty, Reported> {
        self.refuse_unevaluated_lambda(id)?;
        let node = &self.unit.exprs[id];
        if self.known.templates.reads_pattern
            && let Some(ty) = self.templates().dependent_decltype(id)
        {
            return Ok(ty);
        }
        if let Some(ty) = self.declarations().declared_element(id) {
            return Ok(ty);
        }
        let is_entity = matches!(
            node.kind,
            ExprKind::Ident(_) | ExprKind::Element { .. } | ExprKind::Member { .. } | ExprKind::Scoped { .. }
        );
        let is_made = matches!(node.kind, ExprKind::CompoundLiteral { is_object: false, .. });
        let span = node.span;
        let ty = self.in_unevaluated(|cx| {
            let operand = cx.expressions().check_expr(id)?;
            match operand {
                Operand::Place(place) | Operand::Member(place) if is_entity => {
                    cx.expressions().declared_ty_of(place)
                }
                Operand::FuncDeref(pointer) if is_entity => cx.expressions().declared_function_ty(pointer),
                Operand::Func(..)
                | Operand::Overloads(..)
                | Operand::Builtin(..)
                | Operand::Const(..)
                | Operand::Special(..)
                    if is_entity =>
                {
                    cx.expressions().operand_ty(operand)
                }
                Operand::Value(value) => Ok(cx.expressions().prvalue_ty(value)),
                // `T{…}` is a prvalue (C++17 8.2.3).
                Operand::Place(place) | Operand::Member(place) if is_made => Ok(cx.place_ty(place)),
                // So is `T(…)`: the object as a whole.
                Operand::Member(place)
                    if matches!(
                        cx.arena.places[place].data,
                        PlaceData::CompoundLiteral(..) | PlaceData::Temporary(_)
                    ) =>
                {
                    Ok(cx.place_ty(place))
                }
                Operand::Place(_)
                | Operand::Member(_)
                | Operand::Assigned(..)
                | Operand::Func(..)
                | Operand::Overloads(..)
                | Operand::FuncDeref(_)
                | Operand::Builtin(..)
                | Operand::Const(..)
                | Operand::Special(..) => {
                    let kind = match operand {
                        Operand::Member(_) => RefKind::Rvalue,
                        _ => RefKind::Lvalue,
                    };
                    let ty = cx.expressions().operand_ty(operand)?;
                    Ok(cx.module.types.reference_to(ty, kind))
                }
            }
        })?;
        self.refuse_nullptr(ty, span)
    }

    /// The type with which what the place was named by was declared.
    fn declared_ty_of(&mut self, place: Place) -> Result<Ty, Reported> {
        let held = |cx: &Self| match cx.arena.places[place].data {
            PlaceData::Deref(pointer) => match cx.arena.exprs[pointer].data {
                ExprData::Load(held) => Some(held),
                _ => None,
            },
            _ => None,
        };
        // What a name leads to by itself is a reference's.
        Ok(match self.arena.places[held(self).unwrap_or(place)].data {
            PlaceData::Field(base, idx) => self.declared_field_ty(base, idx),
            PlaceData::Local(local) => self.statements().func_cx().locals[local].ty,
            PlaceData::Global(global) => self.module.globals[global].ty,
            _ => self.place_ty(place),
        })
    }

    fn declared_function_ty(&mut self, pointer: Expr) -> Result<Ty, Reported> {
        let ExprData::Load(held) = self.arena.exprs[pointer].data else { return Err(self.poisoned()) };
        self.declared_ty_of(held)
    }

    /// The type with which a member was declared, whatever the object's qualifiers.
    fn declared_field_ty(&self, base: crate::ir::Place, idx: u32) -> Ty {
        let record = self.module.types.record(self.place_ty(base));
        self.conversions_ref().declared_field(record.expect("invariant: only records have members"), idx)
    }

    /// What `auto` stands for in a declaration, with its qualifiers (C++17 10.1.7.4.1). `deduced` is what
    /// it stood for in the declarators before.
    pub(in crate::sema) fn deduce_auto(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
        init: Option<InitId>,
        name: Name,
        deduced: &mut Option<Ty>,
    ) -> Result<Ty, Reported> {
        if let Some(class) = self.calls().deduced_class(&specs.ty, ClassValues::Init(init)) {
            let (class, spelling) = class?;
            self.require_same_deduced(spelling, class, name, deduced)?;
            return self.types().qualified(class, &specs.quals);
        }
        self.check_chunks_of_auto(specs, declarator)?;
        let mut attrs = specs.attrs.iter().chain(&declarator.attrs);
        if let Some(attr) = attrs.find(|attr| self.types_ref().mode_argument(attr).is_some()) {
            return Err(self.error(
                Code::InvalidAttribute,
                attr.span,
                "machine mode does not apply to `auto`",
            ));
        }
        let initializer = init.map(|init| &self.unit.inits[init]);
        let operand = match initializer.map(|init| &init.kind) {
            Some(InitKind::Expr(operand)) => *operand,
            Some(InitKind::Parens(operands)) if operands.len() == 1 => operands[0],
            // `auto x{value}` (C++17 10.1.7.4.1p4)
            Some(InitKind::List(items))
                if initializer.is_some_and(|init| init.is_direct)
                    && let Some(value) = sole_expr(self.unit, items) =>
            {
                value
            }
            // `auto x = {1, 2}` (C++17 10.1.7.4.1p4)
            Some(InitKind::List(items))
                if initializer.is_some_and(|init| !init.is_direct)
                    && matches!(specs.ty, TypeSpec::Auto)
                    && declarator
                        .chunks
                        .iter()
                        .all(|chunk| matches!(chunk.kind, ChunkKind::Reference(..))) =>
            {
                let span = initializer.map_or_else(Span::default, |init| init.span);
                let base = self.conversions().deduced_list(items, span)?;
                self.require_same_deduced("auto", base, name, deduced)?;
                return self.types().qualified(base, &specs.quals);
            }
            Some(InitKind::Parens(_) | InitKind::List(_)) => {
                let message = "`auto` with an initializer list is not supported";
                return Err(self.error(Code::UnsupportedAuto, specs.ty_span, message));
            }
            None => {
                let spelling = self.spelling(name.symbol);
                let message = format!(
                    "declaration of variable `{spelling}` with deduced type `auto` requires an initializer"
                );
                return Err(self.error(Code::InvalidAuto, name.span, message));
            }
        };
        if let TypeSpec::DecltypeAuto = specs.ty {
            let before = self.deducing.replace(name.symbol);
            let ty = self.decltype(operand);
            self.deducing = before;
            return ty;
        }
        let base = self.deduced_base(&specs.quals, &declarator.chunks, operand, Some(name))?;
        self.require_same_deduced("auto", base, name, deduced)?;
        self.types().qualified(base, &specs.quals)
    }

    /// All declarators deduce the same type (C++17 10.1.7.4p8).
    fn require_same_deduced(
        &mut self,
        placeholder: &str,
        base: Ty,
        name: Name,
        deduced: &mut Option<Ty>,
    ) -> Result<(), Reported> {
        let Some(before) = deduced.replace(base).filter(|&before| !self.same(before, base)) else {
            return Ok(());
        };
        let (before, base) = (self.show(before), self.show(base));
        let message =
            format!("`{placeholder}` deduced as {before} in an earlier declarator and as {base} here");
        Err(self.error(Code::InvalidAuto, name.span, message))
    }

    /// What `auto` stands for beside the qualifiers, where the chunks make a type of it that the value is for: a variable's of
    /// the name, or a result's.
    pub(in crate::sema) fn deduced_base(
        &mut self,
        specs: &QualSpecs,
        chunks: &[Chunk],
        operand: ExprId,
        name: Option<Name>,
    ) -> Result<Ty, Reported> {
        let is_forwarding = *specs == QualSpecs::default() && chunks.len() == 1;
        let mut ty = match chunks.first().map(|chunk| &chunk.kind) {
            Some(&ChunkKind::Reference(kind, _)) => self.type_referred(operand, kind, is_forwarding, name)?,
            _ => self.type_of_initializer(operand, name)?,
        };
        for _ in chunks.iter().filter(|chunk| matches!(chunk.kind, ChunkKind::Pointer(_))) {
            let Some(pointee) = self.module.types.pointee(ty) else {
                let ty = self.show(ty);
                let message = match name {
                    Some(name) => format!(
                        "variable `{}` with type `auto *` has incompatible initializer of type {ty}",
                        self.spelling(name.symbol)
                    ),
                    None => format!("cannot deduce return type `auto *` from returned value of type {ty}"),
                };
                return Err(self.cx.error(Code::InvalidAuto, self.unit.exprs[operand].span, message));
            };
            ty = pointee;
        }
        let quals = self.module.types.quals(ty);
        let bare = self.module.types.unqualified(ty);
        let mut written = Quals::empty();
        written.set(Quals::CONST, specs.const_.is_some());
        written.set(Quals::VOLATILE, specs.volatile.is_some());
        Ok(self.module.types.with_quals(bare, quals.difference(written)))
    }

    /// A declarator adds pointers and references to `auto` at most, and nothing to `decltype(auto)` (C++17 10.1.7.4.1p5).
    fn check_chunks_of_auto(&mut self, specs: &DeclSpecs, declarator: &Declarator) -> Result<(), Reported> {
        let chunks = &declarator.chunks;
        if let TypeSpec::DecltypeAuto = specs.ty
            && (!chunks.is_empty() || specs.quals != QualSpecs::default())
        {
            let message = "`decltype(auto)` cannot be combined with qualifiers and declarators";
            return Err(self.error(Code::InvalidAuto, specs.ty_span, message));
        }
        for chunk in chunks {
            let what = match chunk.kind {
                ChunkKind::Pointer(_) | ChunkKind::Reference(..) => continue,
                ChunkKind::Array(_) => "arrays of `auto` are not supported",
                ChunkKind::Function(_) => "functions that return `auto` are not supported",
            };
            return Err(self.error(Code::UnsupportedAuto, specs.ty_span, what));
        }
        Ok(())
    }

    /// The type of the object or function that a reference of deduced type refers to; of an lvalue for `auto &&`, a reference to it
    /// (C++17 17.8.2.1p3).
    fn type_referred(
        &mut self,
        operand: ExprId,
        kind: RefKind,
        is_forwarding: bool,
        name: Option<Name>,
    ) -> Result<Ty, Reported> {
        let before = self.deducing;
        self.deducing = name.map(|name| name.symbol).or(before);
        let was_quiet = self.sink.set_quiet(true);
        let found = self.in_unevaluated(|cx| {
            let operand = cx.expressions().check_expr(operand)?;
            let ty = cx.expressions().operand_ty(operand)?;
            Ok((ty, cx.conversions_ref().category(operand)))
        });
        self.sink.set_quiet(was_quiet);
        self.deducing = before;
        let (ty, category) = found?;
        let span = self.unit.exprs[operand].span;
        if matches!(self.module.types.kind(ty), TyKind::Void) {
            return Err(self.error(Code::InvalidAuto, span, "cannot form a reference to `void`"));
        }
        let ty = self.refuse_nullptr(ty, span)?;
        let is_lvalue = matches!(category, Category::Lvalue | Category::BitField);
        Ok(match kind {
            RefKind::Rvalue if is_forwarding && is_lvalue => {
                self.module.types.reference_to(ty, RefKind::Lvalue)
            }
            _ => ty,
        })
    }

    /// The type of the value that an initializer has. It is checked once more when the type is known.
    pub(in crate::sema) fn type_of_initializer(
        &mut self,
        operand: ExprId,
        name: Option<Name>,
    ) -> Result<Ty, Reported> {
        let before = self.deducing;
        self.deducing = name.map(|name| name.symbol).or(before);
        let was_quiet = self.sink.set_quiet(true);
        let ty = self.in_unevaluated(|cx| {
            if let Some(literal) = cx.expressions_ref().string_behind(operand) {
                let array = cx.expressions().string_ty(literal);
                let TyKind::Array(elem, _) = *cx.module.types.kind(array) else { return Err(cx.poisoned()) };
                return Ok(cx.module.types.pointer_to(elem));
            }
            let value = cx.expressions().check_rvalue(operand)?;
            Ok(cx.ty_of(value))
        });
        self.sink.set_quiet(was_quiet);
        self.deducing = before;
        let ty = ty?;
        let span = self.unit.exprs[operand].span;
        match self.module.types.kind(ty) {
            TyKind::Void => Err(self.error(Code::InvalidAuto, span, "variable has incomplete type `void`")),
            _ => self.refuse_nullptr(ty, span),
        }
    }

    /// Reports a lambda whose type alone is asked for (C++17 8.1.5p2).
    pub(super) fn refuse_unevaluated_lambda(&mut self, mut operand: ExprId) -> Result<(), Reported> {
        while let ExprKind::Paren(inner) = self.unit.exprs[operand].kind {
            operand = inner;
        }
        let ExprKind::Lambda(_) = self.unit.exprs[operand].kind else { return Ok(()) };
        let message = "lambda expression in an unevaluated operand";
        Err(self.cx.error(Code::InvalidLambda, self.unit.exprs[operand].span, message))
    }

    pub(super) fn check_sizeof_expr(&mut self, operand: ExprId, span: Span) -> Result<Expr, Reported> {
        let at = self.unit.exprs[operand].span;
        self.refuse_unevaluated_lambda(operand)?;
        // A literal's array is only made where the program uses it.
        if let Some(literal) = self.string_behind(operand) {
            let ty = self.string_ty(literal);
            return self.sizeof(ty, at, span);
        }
        let ty = self.in_unevaluated(|cx| {
            let operand = cx.expressions().check_expr(operand)?;
            if let Operand::Place(place) | Operand::Member(place) = operand
                && cx.expressions_ref().bit_field_width(place).is_some()
            {
                let span = cx.expressions_ref().operand_span(operand);
                return Err(cx.error(
                    Code::InvalidSizeof,
                    span,
                    "invalid application of `sizeof` to bit-field",
                ));
            }
            cx.expressions().operand_ty(operand)
        })?;
        self.sizeof(ty, at, span)
    }

    /// The alignment that the declarations of a function ask for (GNU C "Common Function Attributes").
    pub(super) fn align_of_function(&self, operand: Operand) -> Option<u32> {
        let func = match operand {
            Operand::Func(func, _) => func,
            Operand::FuncDeref(pointer) => match self.arena.exprs[pointer].data {
                ExprData::FuncAddr(func) => func,
                _ => return None,
            },
            _ => return None,
        };
        self.known.func_facts.get(&func)?.align
    }

    // C++17 8.3.3
    pub(super) fn sizeof(&mut self, ty: Ty, ty_span: Span, span: Span) -> Result<Expr, Reported> {
        let ty = self.conversions_ref().unreferenced(ty);
        if self.is_unsized(ty, "sizeof", ty_span)? {
            return Ok(self.cx.expr(ExprData::int(1), self.module.types.model().size_ty(), span));
        }
        match layout::size_of(&self.module.types, ty) {
            Ok(size) => {
                Ok(self.cx.expr(ExprData::int(i128::from(size)), self.module.types.model().size_ty(), span))
            }
            Err(_) => Err(self.error(Code::InvalidSizeof, ty_span, "the size of the type is unknown")),
        }
    }

    // C++17 8.3.6
    pub(super) fn alignof(&mut self, ty: Ty, ty_span: Span, span: Span) -> Result<Expr, Reported> {
        let ty = self.conversions_ref().unreferenced(ty);
        let object = match *self.module.types.kind(ty) {
            TyKind::Array(elem, _) => elem,
            _ => ty,
        };
        if self.is_unsized(object, "alignof", ty_span)? {
            return Ok(self.cx.expr(ExprData::int(1), self.module.types.model().size_ty(), span));
        }
        match layout::align_of(&self.module.types, ty) {
            Ok(align) => {
                Ok(self.cx.expr(ExprData::int(i128::from(align)), self.module.types.model().size_ty(), span))
            }
            Err(_) => Err(self.error(Code::InvalidSizeof, ty_span, "the alignment of the type is unknown")),
        }
    }

    /// Whether the type has no size: a function's and `void`, which count as one byte, to GNU C and to nvcc
    /// (GNU C "Arithmetic on void- and Function-Pointers").
    fn is_unsized(&mut self, ty: Ty, operator: &str, span: Span) -> Result<bool, Reported> {
        let what = match self.module.types.view(ty) {
            View::Void => "`void`",
            View::Func(_) => "a function type",
            View::Scalar(Scalar::Opaque(_)) => return Err(self.types().opaque_misuse(span)),
            View::Scalar(_) | View::Error | View::Array(..) | View::Record(_) => {
                return self.types().require_complete(ty, span).map(|()| false);
            }
        };
        let message = format!("`{operator}` of {what} is a GNU extension; it is 1");
        self.sink.emit(Diagnostic::new(Code::PointerArith, span, message));
        Ok(true)
    }
}
