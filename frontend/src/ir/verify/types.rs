//! Records and enums, and relations between types.

use std::fmt::Display;

use cranelift_entity::EntityRef;

use super::super::{Field, FuncTy, IntTy, Quals, Scalar, Ty, TyKind, TypeTable, View};
use super::{Check, require, require_align};
use crate::layout;

/// What the walk over the bodies asks of each type again and again, found once.
#[derive(Debug, Default)]
pub(super) struct TypeFacts {
    by_ty: Vec<Facts>,
    /// Those that are not complete, and may be once more of the program is known.
    incomplete: Vec<Ty>,
}

#[derive(Clone, Copy, Debug)]
struct Facts {
    /// [`check_ty`] has nothing against it.
    is_sound: bool,
    is_complete: bool,
    /// A value can have it, but for `void`.
    is_of_values: bool,
    /// An object can have it.
    is_of_places: bool,
    /// It is a function type that [`is_callable`].
    is_callable: bool,
    /// It is an integer type on which arithmetic is done: not `bool`, no enum.
    is_arithmetic_int: bool,
    is_float: bool,
    is_bool: bool,
}

impl Facts {
    fn of(types: &TypeTable, ty: Ty) -> Self {
        let is_sound = check_ty(types, ty, ty).is_ok();
        let is_complete = is_complete(types, ty);
        let is_scalar_or_record = matches!(types.view(ty), View::Scalar(_) | View::Record(_));
        Facts {
            is_sound,
            is_complete,
            is_of_values: is_sound && is_complete && is_scalar_or_record && types.quals(ty).is_empty(),
            is_of_places: is_sound
                && !matches!(
                    types.kind(ty),
                    TyKind::Void | TyKind::Func(_) | TyKind::Nullptr | TyKind::Reference(..)
                ),
            is_callable: types.func(ty).is_some_and(|func| is_callable(types, func)),
            is_arithmetic_int: matches!(types.kind(ty), TyKind::Int(int) if *int != IntTy::Bool),
            is_float: matches!(types.kind(ty), TyKind::Float(_)),
            is_bool: matches!(types.kind(ty), TyKind::Int(IntTy::Bool)),
        }
    }
}

impl Facts {
    /// Whether the type, or one that it is made of, can still become complete.
    fn may_be_completed(self, types: &TypeTable, ty: Ty) -> bool {
        match types.view(ty) {
            View::Func(_) => !self.is_callable,
            View::Void | View::Error => false,
            View::Scalar(_) | View::Array(..) | View::Record(_) => !self.is_complete,
        }
    }
}

impl TypeFacts {
    /// Finds them for the types that are new, or more complete than they were.
    pub(super) fn update(&mut self, types: &TypeTable) {
        let TypeFacts { by_ty, incomplete } = self;
        incomplete.retain(|&ty| {
            by_ty[ty.index()] = Facts::of(types, ty);
            by_ty[ty.index()].may_be_completed(types, ty)
        });
        for ty in types.all_but(by_ty.len()) {
            let facts = Facts::of(types, ty);
            by_ty.push(facts);
            if facts.may_be_completed(types, ty) {
                incomplete.push(ty);
            }
        }
    }

    /// Whether a value can have the type, which is not `void`.
    pub(super) fn is_of_values(&self, ty: Ty) -> bool {
        self.by_ty.get(ty.index()).is_some_and(|facts| facts.is_of_values)
    }

    /// Whether an object can have the type.
    pub(super) fn is_of_places(&self, ty: Ty) -> bool {
        self.by_ty.get(ty.index()).is_some_and(|facts| facts.is_of_places)
    }

    /// Whether parameters and return type of the function type are complete.
    pub(super) fn is_callable(&self, ty: Ty) -> bool {
        self.by_ty.get(ty.index()).is_some_and(|facts| facts.is_callable)
    }

    /// Whether it is an integer type on which arithmetic is done.
    pub(super) fn is_arithmetic_int(&self, ty: Ty) -> bool {
        self.by_ty.get(ty.index()).is_some_and(|facts| facts.is_arithmetic_int)
    }

    pub(super) fn is_float(&self, ty: Ty) -> bool {
        self.by_ty.get(ty.index()).is_some_and(|facts| facts.is_float)
    }

    pub(super) fn is_bool(&self, ty: Ty) -> bool {
        self.by_ty.get(ty.index()).is_some_and(|facts| facts.is_bool)
    }

    /// Checks a type to its depth.
    pub(super) fn check_ty(&self, types: &TypeTable, ty: Ty, entity: impl Display + Copy) -> Check {
        let is_sound = self.by_ty.get(ty.index()).is_some_and(|facts| facts.is_sound);
        if is_sound { Ok(()) } else { check_ty(types, ty, entity) }
    }

    /// Whether a value or variable can have the type.
    pub(super) fn is_complete(&self, ty: Ty) -> bool {
        self.by_ty.get(ty.index()).is_some_and(|facts| facts.is_complete)
    }
}

/// Checks the records, enums and typedefs of a module.
pub(super) fn check(types: &TypeTable) -> Check {
    for (record, data) in &types.records {
        require_align(data.align, record)?;
        let Some(fields) = &data.fields else { continue };
        for (field_idx, field) in fields.iter().enumerate() {
            check_field(types, field, format_args!("{record}.{field_idx}"))?;
        }
        require(layout::record_layout(types, record).is_ok(), record, "a complete record has a layout")?;
    }
    for (enum_, data) in &types.enums {
        for (name, value) in data.enumerators.iter().flatten() {
            let fits = data.underlying.has_constant(*value);
            require(
                fits,
                format_args!("{enum_} {name}"),
                "an enumerator is in range of the underlying type",
            )?;
        }
    }
    for (typedef, data) in &types.typedefs {
        check_ty(types, data.ty, typedef)?;
    }
    Ok(())
}

fn check_field(types: &TypeTable, field: &Field, entity: impl Display + Copy) -> Check {
    check_ty(types, field.ty, entity)?;
    require_align(field.align, entity)?;
    let Some(width) = field.bit_width else { return Ok(()) };
    let Some(int) = types.int_ty(field.ty) else {
        return require(false, entity, "a bit-field has integer or enum type");
    };
    let max = layout::int_layout(int).size * 8;
    require(u64::from(width) <= max, entity, "a bit-field is no wider than its type")?;
    require(width > 0 || field.name.is_none(), entity, "a bit-field without bits has no name")
}

/// Checks a type to its depth.
pub(super) fn check_ty(types: &TypeTable, ty: Ty, entity: impl Display + Copy) -> Check {
    let has_restrict = types.written_quals(ty).contains(Quals::RESTRICT);
    let leads_on = types.target(ty).is_some();
    require(!has_restrict || leads_on, entity, "`__restrict__` is on pointers and references only")?;
    match types.view(ty) {
        View::Error => require(false, entity, "no type is the poison type"),
        View::Scalar(Scalar::Pointer(inner)) | View::Array(inner, _) => {
            require(types.reference(inner).is_none(), entity, "no pointer or array is of references")?;
            check_ty(types, inner, entity)
        }
        View::Scalar(Scalar::Reference(inner, _)) => {
            let is_referable = types.reference(inner).is_none() && *types.kind(inner) != TyKind::Void;
            require(is_referable, entity, "a reference is to an object or a function")?;
            check_ty(types, inner, entity)
        }
        View::Func(func) => check_func_ty(types, func, entity),
        View::Scalar(_) | View::Void | View::Record(_) => Ok(()),
    }
}

fn check_func_ty(types: &TypeTable, func: &FuncTy, entity: impl Display + Copy) -> Check {
    let is_array_or_func = |ty| matches!(types.kind(ty), TyKind::Array(..) | TyKind::Func(_));
    check_ty(types, func.ret, entity)?;
    require(!is_array_or_func(func.ret), entity, "a function returns no array and no function")?;
    for &param in &func.params {
        check_ty(types, param, entity)?;
        let is_adjusted = !is_array_or_func(param) && *types.kind(param) != TyKind::Void;
        require(is_adjusted, entity, "a parameter is neither `void`, array nor function")?;
        require(types.quals(param).is_empty(), entity, "a function type's parameters are unqualified")?;
    }
    Ok(())
}

/// Whether a value or variable can have the type.
pub(super) fn is_complete(types: &TypeTable, ty: Ty) -> bool {
    layout::layout_of(types, ty).is_ok()
}

/// Whether parameters and return type are complete.
pub(super) fn is_callable(types: &TypeTable, func: &FuncTy) -> bool {
    let returns = *types.kind(func.ret) == TyKind::Void || is_complete(types, func.ret);
    returns && func.params.iter().all(|&param| is_complete(types, param))
}

/// The same type to the language; an expression or place has a pointer where something holds a reference.
pub(super) fn same(types: &TypeTable, a: Ty, b: Ty) -> bool {
    a == b || types.canonical(a) == types.canonical(b) || is_held_address(types, a, b)
}

/// Whether the first is a pointer to what the second, a reference, refers to.
fn is_held_address(types: &TypeTable, pointer: Ty, reference: Ty) -> bool {
    match (types.kind(pointer), types.kind(reference)) {
        (&TyKind::Pointer(a), &TyKind::Reference(b, _)) => types.canonical(a) == types.canonical(b),
        _ => false,
    }
}

/// The same type to the language but for the top-level qualifiers (of an array, its elements').
#[inline]
pub(super) fn same_unqualified(types: &TypeTable, a: Ty, b: Ty) -> bool {
    a == b || same_but_qualifiers(types, a, b)
}

#[inline(never)]
fn same_but_qualifiers(types: &TypeTable, a: Ty, b: Ty) -> bool {
    match (types.kind(a), types.kind(b)) {
        (TyKind::Array(a, m), TyKind::Array(b, n)) => m == n && same_unqualified(types, *a, *b),
        (TyKind::Pointer(_), TyKind::Reference(..)) => is_held_address(types, a, b),
        (a, b) => a == b,
    }
}

/// The same type, where one may be an array whose length the other knows.
#[inline]
pub(super) fn same_object(types: &TypeTable, a: Ty, b: Ty) -> bool {
    a == b || same_but_length(types, a, b)
}

#[inline(never)]
fn same_but_length(types: &TypeTable, a: Ty, b: Ty) -> bool {
    match (types.kind(a), types.kind(b)) {
        (TyKind::Array(a, None), TyKind::Array(b, _)) | (TyKind::Array(a, _), TyKind::Array(b, None)) => {
            same(types, *a, *b)
        }
        _ => same(types, a, b),
    }
}

/// A type of the integer promotions' results (C17 6.3.1.1p2).
pub(super) fn is_promoted_int(types: &TypeTable, ty: Ty) -> bool {
    matches!(types.kind(ty), TyKind::Int(int) if layout::int_layout(*int).size >= 4)
}

pub(super) fn is_pointer(types: &TypeTable, ty: Ty) -> bool {
    matches!(types.kind(ty), TyKind::Pointer(_))
}

/// Whether so many bytes of characters fit into an object of the type.
pub(super) fn holds_characters(types: &TypeTable, ty: Ty, n_bytes: usize) -> bool {
    let TyKind::Array(elem, Some(_)) = *types.kind(ty) else { return false };
    let is_character = matches!(types.kind(elem), TyKind::Int(int) if int.is_character());
    is_character && layout::size_of(types, ty).is_ok_and(|size| n_bytes as u64 <= size)
}

/// Whether the value is one of the type's.
pub(super) fn float_fits(types: &TypeTable, ty: Ty, value: f64) -> bool {
    match types.float_ty(ty) {
        Some(super::super::FloatTy::Float) => value.is_nan() || f64::from(value as f32) == value,
        Some(super::super::FloatTy::Double | super::super::FloatTy::LongDouble) => true,
        None => false,
    }
}
