//! What constant expressions read of arrays and structs: string literals, and what is `constexpr`
//! (C++17 8.20p2.7).

use std::borrow::Cow;

use super::const_eval::{Base, Mode, Value};
use crate::ir::{
    ConstInit, Expr, ExprData, FloatTy, Global, IntTy, Linkage, Place, PlaceData, Quals, Ty, TyKind,
};
use crate::layout;
use crate::sema::Constants;

/// A constant object, or a part of one; none where all of it is zero.
type Part<'a> = Option<Cow<'a, ConstInit>>;

impl Constants<'_> {
    /// The value of a number or pointer in a constant object; none if it lies in no such object.
    pub(super) fn constant_part(&self, place: Place, mode: Mode) -> Option<Value> {
        let (part, ty) = self.part_at(place, mode)?;
        let kind = self.module.types.kind(ty);
        Some(match (part.as_deref(), kind) {
            (None | Some(ConstInit::Zero), TyKind::Int(_) | TyKind::Enum(_)) => Value::Int(0),
            // No array or struct has one.
            (_, TyKind::Float(FloatTy::LongDouble)) => return None,
            (None | Some(ConstInit::Zero), TyKind::Float(_)) => Value::Float(0.0),
            (None | Some(ConstInit::Zero), TyKind::Pointer(_)) => Value::Addr(Base::Null, 0),
            (Some(&ConstInit::Int(value)), TyKind::Int(_) | TyKind::Enum(_)) => Value::Int(value),
            (Some(&ConstInit::Float(value)), TyKind::Float(_)) => Value::Float(value),
            // One in an integer is known only when the program is loaded.
            (Some(ConstInit::GlobalAddr(..) | ConstInit::FuncAddr(_)), TyKind::Int(_)) => return None,
            (Some(&ConstInit::GlobalAddr(global, offset)), _) => Value::Addr(Base::Global(global), offset),
            (Some(&ConstInit::FuncAddr(func)), _) => Value::Addr(Base::Func(func), 0),
            (Some(&ConstInit::IntPtr(address)), _) => Value::Addr(Base::Null, address as i64),
            _ => return None,
        })
    }

    /// The bytes from an address that is known to the end of the array there, of characters that never change.
    pub(in crate::sema) fn constant_bytes(&self, pointer: Expr) -> Option<Vec<u8>> {
        if !self.keeps_pointee(pointer) {
            return None;
        }
        let (array, array_ty, start) = match self.constant_array(pointer, 0) {
            Some(found) => found,
            None => {
                let Ok(Value::Addr(Base::Global(global), start)) = self.eval(pointer, Mode::Optional) else {
                    return None;
                };
                let data = &self.module.globals[global];
                let init = data.init.as_ref().filter(|_| self.keeps_elements(global))?;
                (Some(Cow::Borrowed(init)), data.ty, start.into())
            }
        };
        let TyKind::Array(elem, Some(len)) = *self.module.types.kind(array_ty) else { return None };
        let is_byte =
            matches!(self.module.types.kind(elem), TyKind::Int(IntTy::Char | IntTy::SChar | IntTy::UChar));
        let start = u64::try_from(start).ok().filter(|_| is_byte)?;
        let byte = |idx| match self.element_part(array.clone(), array_ty, idx)?.0.as_deref() {
            Some(&ConstInit::Int(byte)) => Some(byte as u8),
            Some(ConstInit::Zero) | None => Some(0),
            Some(_) => None,
        };
        (start..len).map(byte).collect()
    }

    /// The constant object that an address of an element is in, an array, and how many elements stand before that one.
    fn constant_array(&self, pointer: Expr, offset: i128) -> Option<(Part<'_>, Ty, i128)> {
        match self.arena.exprs[pointer].data {
            ExprData::ArrayDecay(place) => {
                let (part, ty) = self.part_at(place, Mode::Optional)?;
                Some((part, ty, offset))
            }
            ExprData::AddrOf(place) if let PlaceData::Deref(pointer) = self.arena.places[place].data => {
                self.constant_array(pointer, offset)
            }
            ExprData::Convert(_, pointer) => self.constant_array(pointer, offset),
            ExprData::PtrOffset { ptr, index, subtract: false } => {
                let Ok(Value::Int(index)) = self.eval(index, Mode::Optional) else { return None };
                self.constant_array(ptr, offset.checked_add(index)?)
            }
            _ => None,
        }
    }

    /// Whether no conversion makes bytes of another type of what the address is of.
    fn keeps_pointee(&self, pointer: Expr) -> bool {
        let types = &self.module.types;
        match self.arena.exprs[pointer].data {
            ExprData::Convert(_, inner) => {
                let pointee = |expr: Expr| types.pointee(self.ty_of(expr)).map(|ty| types.kind(ty));
                let (from, to) = (pointee(inner), pointee(pointer));
                (from == to || from != Some(&TyKind::Void) && to == Some(&TyKind::Void))
                    && self.keeps_pointee(inner)
            }
            ExprData::PtrOffset { ptr, .. } => self.keeps_pointee(ptr),
            ExprData::Conditional { then, otherwise, .. } => {
                self.keeps_pointee(then) && self.keeps_pointee(otherwise)
            }
            ExprData::AddrOf(place) if let PlaceData::Deref(pointer) = self.arena.places[place].data => {
                self.keeps_pointee(pointer)
            }
            _ => true,
        }
    }

    /// Whether the elements of a variable, an array, never change.
    fn keeps_elements(&self, global: Global) -> bool {
        let elem = match *self.module.types.kind(self.module.globals[global].ty) {
            TyKind::Array(elem, _) => elem,
            _ => return false,
        };
        self.module.types.quals(elem) == Quals::CONST || self.is_constant_object(global)
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

    pub(super) fn is_constant_object(&self, global: Global) -> bool {
        let data = &self.module.globals[global];
        let is_literal = data.name.is_none() && data.linkage == Linkage::Internal;
        is_literal && matches!(data.init, Some(ConstInit::Bytes(_) | ConstInit::Zero))
            || self.known.constexpr_objects.contains(&global)
    }
}
