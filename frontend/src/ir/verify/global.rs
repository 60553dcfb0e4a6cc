//! Variables with static storage duration and their values.
//!
//! A value is of the type it is for: integers and floats in range, addresses for pointers and integers of their size, elements
//! and members by ascending index within the type, at most one member of a union, no unnamed
//! bit-field, bytes for character arrays that they fit into. The flexible array member of a whole variable may
//! have elements.

use super::super::{ConstInit, Global, GlobalData, IntTy, Linkage, Module, Space, Ty, TyKind, TypeTable};
use super::types::{check_ty, float_fits, holds_characters, is_complete, is_pointer};
use super::{Check, get, require, require_align, require_callable};

/// Checks a variable.
pub(super) fn check(module: &Module, global: Global, data: &GlobalData) -> Check {
    let types = &module.types;
    check_ty(types, data.ty, global)?;
    require_align(data.align, global)?;
    let is_object = !matches!(types.kind(data.ty), TyKind::Void | TyKind::Func(_));
    require(is_object, global, "a variable has an object type")?;
    require(
        !data.is_managed || data.space == Space::Global,
        global,
        "a managed variable is in global memory",
    )?;
    let may_be_incomplete = data.is_extern;
    require(
        may_be_incomplete || is_complete(types, data.ty),
        global,
        "a defined variable has a complete type",
    )?;
    let has_value = !data.is_extern && data.space != Space::Shared;
    require(
        data.init.is_some() == has_value,
        global,
        "a variable has an initial value unless it is `extern` or shared",
    )?;
    if data.name.is_none() {
        let is_literal = matches!(data.init, Some(ConstInit::Bytes(_) | ConstInit::Zero));
        let is_string = is_literal && data.linkage == Linkage::Internal;
        require(is_string, global, "a variable without a name is an internal string literal")?;
    }
    if let Some(owner) = data.owner {
        let has_body = get(&module.functions, owner)?.body.is_some();
        require(has_body, global, "the owner of a variable has a body")?;
    }
    match &data.init {
        Some(init) => check_init(module, global, data.ty, init, true),
        None => Ok(()),
    }
}

/// Checks the value of a variable, or with `is_whole` unset of a part of one.
fn check_init(module: &Module, global: Global, ty: Ty, init: &ConstInit, is_whole: bool) -> Check {
    let types = &module.types;
    let fits = |holds| require(holds, global, "an initial value is of the variable's type");
    match init {
        ConstInit::Zero => Ok(()),
        ConstInit::Int(value) => fits(types.int_ty(ty).is_some_and(|int| int.has_constant(*value))),
        ConstInit::Float(value) => fits(float_fits(types, ty, *value)),
        ConstInit::GlobalAddr(target, _) => {
            get(&module.globals, *target)?;
            fits(holds_address(types, ty))
        }
        ConstInit::FuncAddr(target) => {
            let function = get(&module.functions, *target)?;
            require_callable(module, *target, function)?;
            fits(holds_address(types, ty))
        }
        ConstInit::IntPtr(_) => fits(is_pointer(types, ty) || types.reference(ty).is_some()),
        ConstInit::Bytes(bytes) => fits(holds_characters(types, ty, bytes.len())),
        ConstInit::Array(elems) => {
            let TyKind::Array(elem_ty, Some(len)) = *types.kind(ty) else { return fits(false) };
            fits(elems.is_sorted_by(|a, b| a.0 < b.0) && elems.iter().all(|elem| elem.0 < len))?;
            elems.iter().try_for_each(|(_, elem)| check_init(module, global, elem_ty, elem, false))
        }
        ConstInit::Record(members) => {
            let record = types.record(ty).map(|record| &types.records[record]);
            let Some((data, fields)) = record.and_then(|data| Some((data, data.fields.as_ref()?))) else {
                return fits(false);
            };
            fits(members.is_sorted_by(|a, b| a.0 < b.0) && (!data.is_union || members.len() <= 1))?;
            let last_idx = fields.len().wrapping_sub(1);
            members.iter().try_for_each(|(field_idx, member)| {
                let Some(field) = fields.get(*field_idx as usize) else { return fits(false) };
                fits(field.name.is_some() || field.bit_width.is_none())?;
                match (types.kind(field.ty), member) {
                    (&TyKind::Array(elem_ty, None), ConstInit::Array(elems)) => {
                        fits(is_whole && *field_idx as usize == last_idx)?;
                        fits(elems.is_sorted_by(|a, b| a.0 < b.0))?;
                        elems
                            .iter()
                            .try_for_each(|(_, elem)| check_init(module, global, elem_ty, elem, false))
                    }
                    _ => check_init(module, global, field.ty, member, false),
                }
            })
        }
    }
}

/// Whether the type is a pointer, a reference, or an integer of its size.
fn holds_address(types: &TypeTable, ty: Ty) -> bool {
    let is_wide = |int: &IntTy| int.bits() == types.model().address_bits();
    let is_address = is_pointer(types, ty) || types.reference(ty).is_some();
    is_address || matches!(types.kind(ty), TyKind::Int(int) if is_wide(int))
}
