//! What constant expressions read of arrays and structs: string literals, and what is `constexpr`
//! (C++17 8.20p2.7).

use std::borrow::Cow;

use super::Cx;
use super::const_eval::{Base, Mode, Value};
use crate::ir::{ConstInit, Expr, ExprData, Global, IntTy, Linkage, Place, PlaceData, Quals, Ty, TyKind};
use crate::layout;

/// A constant object, or a part of one; none where all of it is zero.
type Part<'a> = Option<Cow<'a, ConstInit>>;

impl Cx<'_> {
    /// The value of a number or pointer in a constant object; none if it lies in no such object.
    pub(super) fn constant_part(&self, place: Place, mode: Mode) -> Option<Value> {
        let (part, ty) = self.part_at(place, mode)?;
        let kind = self.module.types.kind(ty);
        Some(match (part.as_deref(), kind) {
            (None | Some(ConstInit::Zero), TyKind::Int(_) | TyKind::Enum(_)) => Value::Int(0),
            (None | Some(ConstInit::Zero), TyKind::Float(_)) => Value::Float(0.0),
            (None | Some(ConstInit::Zero), TyKind::Pointer(_)) => Value::Addr(Base::Null, 0),
            (Some(&ConstInit::Int(value)), TyKind::Int(_) | TyKind::Enum(_)) => Value::Int(value),
            (Some(&ConstInit::Float(value)), TyKind::Float(_)) => Value::Float(value),
            (Some(&ConstInit::GlobalAddr(global, offset)), _) => Value::Addr(Base::Global(global), offset),
            (Some(&ConstInit::FuncAddr(func)), _) => Value::Addr(Base::Func(func), 0),
            (Some(&ConstInit::IntPtr(address)), _) => Value::Addr(Base::Null, address as i64),
            _ => return None,
        })
    }

    /// The text up to its zero at an address that is known, of an object that never changes.
    pub(super) fn constant_text(&self, pointer: Expr) -> Option<Vec<u8>> {
        let (global, start) = match self.eval(pointer, Mode::Optional) {
            Ok(Value::Addr(Base::Global(global), offset)) => (global, offset),
            Ok(_) => return None,
            Err(_) => self.constant_pointer(pointer)?,
        };
        let data = &self.module.globals[global];
        let TyKind::Array(elem, Some(len)) = *self.module.types.kind(data.ty) else { return None };
        let is_const = self.module.types.quals(elem) == Quals::CONST || self.is_constant_object(global);
        let is_text = matches!(self.module.types.kind(elem), TyKind::Int(IntTy::Char));
        let init = data.init.as_ref().filter(|_| is_const && is_text)?;
        let mut text = Vec::new();
        for idx in u64::try_from(start).ok()?..len {
            let byte = match self.element_part(Some(Cow::Borrowed(init)), data.ty, idx)?.0.as_deref() {
                Some(&ConstInit::Int(byte)) => byte as u8,
                Some(ConstInit::Zero) | None => 0,
                Some(_) => return None,
            };
            if byte == 0 {
                return Some(text);
            }
            text.push(byte);
        }
        None
    }

    /// What a pointer that never changes holds, `constexpr` or not.
    fn constant_pointer(&self, pointer: Expr) -> Option<(Global, i64)> {
        let ExprData::Load(place) = self.arena.exprs[pointer].data else { return None };
        let PlaceData::Global(variable) = self.arena.places[place].data else { return None };
        let data = &self.module.globals[variable];
        match data.init {
            Some(ConstInit::GlobalAddr(global, offset))
                if self.module.types.quals(data.ty) == Quals::CONST =>
            {
                Some((global, offset))
            }
            _ => None,
        }
    }

    fn part_at(&self, place: Place, mode: Mode) -> Option<(Part<'_>, Ty)> {
        match self.arena.places[place].data {
            PlaceData::Global(global) => {
                let data = &self.module.globals[global];
                let init = data.init.as_ref().filter(|_| self.is_constant_object(global))?;
                Some((Some(Cow::Borrowed(init)), data.ty))
            }
            PlaceData::Local(local) => {
                let func = self.func.as_ref()?;
                let init = func.local_objects.get(&local)?;
                Some((Some(Cow::Borrowed(init)), func.locals[local].ty))
            }
            PlaceData::Field(outer, field_idx) => {
                let (outer, outer_ty) = self.part_at(outer, mode)?;
                self.member_part(outer, outer_ty, field_idx)
            }
            PlaceData::Deref(pointer) => {
                let (array, idx) = match self.arena.exprs[pointer].data {
                    ExprData::PtrOffset { ptr, index, subtract: false } => {
                        (ptr, self.eval(index, mode).ok()?)
                    }
                    _ => (pointer, Value::Int(0)),
                };
                let (ExprData::ArrayDecay(array), Value::Int(idx)) = (&self.arena.exprs[array].data, idx)
                else {
                    return None;
                };
                let (array, array_ty) = self.part_at(*array, mode)?;
                self.element_part(array, array_ty, u64::try_from(idx).ok()?)
            }
            PlaceData::Temporary(_)
            | PlaceData::Assigned(_)
            | PlaceData::Conditional(..)
            | PlaceData::Comma(..)
            | PlaceData::CompoundLiteral(..) => None,
        }
    }

    fn member_part<'p>(&self, outer: Part<'p>, outer_ty: Ty, field_idx: u32) -> Option<(Part<'p>, Ty)> {
        let record = &self.module.types.records[self.module.types.record(outer_ty)?];
        let ty = record.fields.as_ref()?.get(field_idx as usize)?.ty;
        let found = match outer {
            Some(Cow::Borrowed(ConstInit::Record(members))) => {
                members.iter().find(|&&(idx, _)| idx == field_idx).map(|(_, init)| Cow::Borrowed(init))
            }
            None | Some(Cow::Borrowed(ConstInit::Zero)) => None,
            Some(_) => return None,
        };
        // Of a union there is one member.
        (found.is_some() || !record.is_union).then_some((found, ty))
    }

    fn element_part<'p>(&self, array: Part<'p>, array_ty: Ty, idx: u64) -> Option<(Part<'p>, Ty)> {
        let TyKind::Array(elem, Some(len)) = *self.module.types.kind(array_ty) else { return None };
        if idx >= len {
            return None;
        }
        let found = match array {
            Some(Cow::Borrowed(ConstInit::Array(elems))) => {
                let position = elems.binary_search_by_key(&idx, |&(elem_idx, _)| elem_idx).ok();
                position.map(|position| Cow::Borrowed(&elems[position].1))
            }
            Some(Cow::Borrowed(ConstInit::Bytes(bytes))) => {
                Some(Cow::Owned(self.character(bytes, elem, idx)?))
            }
            None | Some(Cow::Borrowed(ConstInit::Zero)) => None,
            Some(_) => return None,
        };
        Some((found, elem))
    }

    /// A character of a string, as it lies in memory.
    fn character(&self, bytes: &[u8], ty: Ty, idx: u64) -> Option<ConstInit> {
        let int = self.module.types.int_ty(ty)?;
        let size = layout::int_layout(int).size;
        let start = usize::try_from(idx.checked_mul(size)?).ok()?;
        let unit = (0..size as usize).rev().fold(0, |unit, byte_idx| {
            unit << 8 | i128::from(bytes.get(start + byte_idx).copied().unwrap_or(0))
        });
        Some(ConstInit::Int(int.wrap(unit)))
    }

    fn is_constant_object(&self, global: Global) -> bool {
        let data = &self.module.globals[global];
        let is_literal = data.name.is_none() && data.linkage == Linkage::Internal;
        is_literal && matches!(data.init, Some(ConstInit::Bytes(_) | ConstInit::Zero))
            || self.known.constexpr_objects.contains(&global)
    }
}
