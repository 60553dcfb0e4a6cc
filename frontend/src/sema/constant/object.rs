//! Reading and writing objects and their parts.

use super::value::{Address, Datum, Pointer, Root, Step};
use super::{Eval, Evaluator};
use crate::ir::{ConstInit, Global, IntTy, Quals, Ty, TyKind};
use crate::layout;
use crate::source::Span;

const UNINITIALIZED: &str = "read of uninitialized object";
const PAST_THE_END: &str = "the pointer is one past the end of its object";
const ENDED: &str = "the lifetime of the object has ended";

impl Evaluator<'_, '_> {
    /// The type of a whole object.
    pub(super) fn root_ty(&self, root: Root, span: Span) -> Eval<Ty> {
        match root {
            Root::Global(global) => Ok(self.cx.module.globals[global].ty),
            Root::Outer(local) => match &self.cx.func {
                Some(func) => Ok(func.locals[local].ty),
                None => self.stop(span, "reads an object"),
            },
            Root::Slot(slot) => match self.memory.get(slot) {
                Some(object) => Ok(object.ty),
                None => self.stop(span, ENDED),
            },
        }
    }

    /// The type of the part to which a step leads.
    pub(super) fn part_ty(&self, outer: Ty, step: Step) -> Option<Ty> {
        let types = &self.cx.module.types;
        match (step, types.kind(outer)) {
            (Step::Index(_), TyKind::Array(elem, _)) => Some(*elem),
            (Step::Field(idx), TyKind::Record(record)) => {
                Some(types.records[*record].fields.as_ref()?.get(idx as usize)?.ty)
            }
            _ => None,
        }
    }

    /// The type of the object at an address, or of the array before its last step.
    pub(super) fn address_ty(&self, address: &Address, n_steps: usize, span: Span) -> Eval<Ty> {
        let mut ty = self.root_ty(address.root, span)?;
        for &step in &address.path[..n_steps] {
            ty = match self.part_ty(ty, step) {
                Some(ty) => ty,
                None => return self.stop(span, "reads an object"),
            };
        }
        Ok(ty)
    }

    /// The length of the array of which the address is an element.
    pub(super) fn array_len(&self, address: &Address, span: Span) -> Eval<Option<u64>> {
        let Some((Step::Index(_), outer)) = address.path.split_last() else { return Ok(None) };
        let ty = self.address_ty(address, outer.len(), span)?;
        match *self.cx.module.types.kind(ty) {
            TyKind::Array(_, Some(len)) => Ok(Some(len)),
            _ => self.stop(span, "the length of the array is not known"),
        }
    }

    /// An object may be at the address: it is not behind an array or another object.
    pub(super) fn require_object(&self, address: &Address, span: Span) -> Eval<()> {
        if address.is_past {
            return self.stop(span, PAST_THE_END);
        }
        if let (Some(len), Some(&Step::Index(idx))) = (self.array_len(address, span)?, address.path.last())
            && idx >= len
        {
            return self.stop(span, PAST_THE_END);
        }
        Ok(())
    }

    /// The address that a pointer is, if an object may be there.
    pub(super) fn object_at(&self, pointer: &Pointer, span: Span) -> Eval<Address> {
        match pointer {
            Pointer::Null => self.stop(span, "dereference of a null pointer"),
            Pointer::Func(_) => self.stop(span, "the pointer is to a function"),
            Pointer::Object(address) => Ok(address.clone()),
        }
    }

    /// The value of the object.
    pub(super) fn read(&mut self, address: &Address, span: Span) -> Eval<Datum> {
        self.require_object(address, span)?;
        match address.root {
            Root::Slot(slot) => {
                let Some(object) = self.memory.get(slot) else { return self.stop(span, ENDED) };
                let mut datum = &object.datum;
                for &step in &address.path {
                    datum = match part(datum, step) {
                        Some(datum) => datum,
                        None => return self.stop(span, no_part(datum)),
                    };
                }
                if !datum.is_whole() {
                    return self.stop(span, UNINITIALIZED);
                }
                let datum = datum.clone();
                self.parts(datum.weight() - 1, span)?;
                Ok(datum)
            }
            Root::Global(global) => self.read_global(global, address, span),
            Root::Outer(local) => {
                let func = self.cx.func.as_ref();
                if let (true, Some(&value)) =
                    (address.path.is_empty(), func.and_then(|func| func.local_values.get(&local)))
                {
                    return self.datum_of(value, self.root_ty(address.root, span)?, span);
                }
                let Some(init) = func.and_then(|func| func.local_objects.get(&local)) else {
                    return self.stop_at_local(local, span);
                };
                self.read_init(init, address, span)
            }
        }
    }

    fn read_global(&mut self, global: Global, address: &Address, span: Span) -> Eval<Datum> {
        let cx = self.cx;
        if let (true, Some(&value)) = (address.path.is_empty(), cx.known.global_values.get(&global)) {
            return self.datum_of(value, cx.module.globals[global].ty, span);
        }
        let init =
            cx.module.globals[global].init.as_ref().filter(|_| cx.constants().is_constant_object(global));
        match init {
            Some(init) => self.read_init(init, address, span),
            None => self.stop_at_global(global, span),
        }
    }

    /// The part of a constant object at the end of the path.
    fn read_init(&mut self, init: &ConstInit, address: &Address, span: Span) -> Eval<Datum> {
        let mut ty = self.root_ty(address.root, span)?;
        let mut part = Some(init);
        for (idx, &step) in address.path.iter().enumerate() {
            if let (Some(ConstInit::Bytes(bytes)), Step::Index(at), TyKind::Array(elem, _)) =
                (part, step, self.cx.module.types.kind(ty))
                && idx + 1 == address.path.len()
                && let Some(int) = self.cx.module.types.int_ty(*elem)
            {
                return Ok(Datum::Int(character(bytes, int, at)));
            }
            part = match part {
                Some(init) => match (init, step) {
                    (ConstInit::Zero, _) => None,
                    (ConstInit::Array(elems), Step::Index(at)) => {
                        let found = elems.binary_search_by_key(&at, |&(idx, _)| idx).ok();
                        found.map(|found| &elems[found].1)
                    }
                    (ConstInit::Record(members), Step::Field(field)) => {
                        let found = members.iter().find(|&&(idx, _)| idx == field).map(|(_, init)| init);
                        if found.is_none() && self.is_union(ty) {
                            return self.stop(span, "reads a member of a union that has no value");
                        }
                        found
                    }
                    _ => return self.stop(span, "reads an object"),
                },
                None => None,
            };
            ty = match self.part_ty(ty, step) {
                Some(ty) => ty,
                None => return self.stop(span, "reads an object"),
            };
        }
        match part {
            Some(init) => self.datum_of_init(init, ty, span),
            None => self.zero(ty, span),
        }
    }

    fn is_union(&self, ty: Ty) -> bool {
        let types = &self.cx.module.types;
        types.record(ty).is_some_and(|record| types.records[record].is_union)
    }

    /// The value that the constant object has.
    fn datum_of_init(&mut self, init: &ConstInit, ty: Ty, span: Span) -> Eval<Datum> {
        let types = &self.cx.module.types;
        match (init, types.kind(ty).clone()) {
            (ConstInit::Zero, _) => self.zero(ty, span),
            (&ConstInit::Int(value), _) => Ok(Datum::Int(value)),
            (&ConstInit::Float(value), TyKind::Float(_)) => Ok(Datum::Float(value)),
            (ConstInit::Array(elems), TyKind::Array(elem, _)) => {
                let Datum::Array(mut parts) = self.zero(ty, span)? else {
                    return self.stop(span, "reads an array");
                };
                for (idx, init) in elems {
                    if let Some(part) = parts.get_mut(*idx as usize) {
                        *part = self.datum_of_init(init, elem, span)?;
                    }
                }
                Ok(Datum::Array(parts))
            }
            (ConstInit::Bytes(bytes), TyKind::Array(elem, Some(len))) => {
                let Some(int) = types.int_ty(elem) else { return self.stop(span, "reads an array") };
                self.parts(len, span)?;
                Ok(Datum::Array((0..len).map(|idx| Datum::Int(character(bytes, int, idx))).collect()))
            }
            (ConstInit::Record(members), TyKind::Record(_)) if self.is_union(ty) => {
                let Some((idx, init)) = members.first() else { return self.zero(ty, span) };
                let Some(member) = self.part_ty(ty, Step::Field(*idx)) else {
                    return self.stop(span, "reads a union");
                };
                Ok(Datum::Union(*idx, Box::new(self.datum_of_init(init, member, span)?)))
            }
            (ConstInit::Record(members), TyKind::Record(_)) => {
                let Datum::Record(mut parts) = self.zero(ty, span)? else {
                    return self.stop(span, "reads a struct");
                };
                for (idx, init) in members {
                    let member = self.part_ty(ty, Step::Field(*idx));
                    if let (Some(part), Some(member)) = (parts.get_mut(*idx as usize), member) {
                        *part = self.datum_of_init(init, member, span)?;
                    }
                }
                Ok(Datum::Record(parts))
            }
            (&ConstInit::FuncAddr(func), TyKind::Pointer(_)) => {
                Ok(Datum::Pointer(Box::new(Pointer::Func(func))))
            }
            (&ConstInit::GlobalAddr(global, offset), TyKind::Pointer(pointee)) => {
                self.pointer_to_global(global, offset, pointee, span)
            }
            _ => self.stop(span, "reads an address"),
        }
    }

    /// An object of the type that is zero.
    pub(super) fn zero(&mut self, ty: Ty, span: Span) -> Eval<Datum> {
        self.work(1, span)?;
        let types = &self.cx.module.types;
        match *types.kind(ty) {
            TyKind::Int(_) | TyKind::Enum(_) => Ok(Datum::Int(0)),
            TyKind::Float(_) if !self.cx.expressions_ref().is_long_double(ty) => Ok(Datum::Float(0.0)),
            TyKind::Pointer(_) | TyKind::Reference(..) | TyKind::Nullptr => Ok(Datum::null()),
            TyKind::Array(elem, Some(len)) => {
                self.parts(len, span)?;
                let one = self.zero(elem, span)?;
                self.parts((one.weight() - 1).saturating_mul(len), span)?;
                Ok(Datum::Array(vec![one; len as usize]))
            }
            TyKind::Record(record) => {
                let data = &types.records[record];
                let fields: Vec<Ty> = data.fields.iter().flatten().map(|field| field.ty).collect();
                if data.is_union {
                    let Some(&first) = fields.first() else { return Ok(Datum::Record(Vec::new())) };
                    return Ok(Datum::Union(0, Box::new(self.zero(first, span)?)));
                }
                fields.into_iter().map(|ty| self.zero(ty, span)).collect::<Eval<_>>().map(Datum::Record)
            }
            _ => self.stop(span, "the type has no constants"),
        }
    }

    /// An object of the type that nothing has initialized.
    pub(super) fn blank(&mut self, ty: Ty, span: Span) -> Eval<Datum> {
        let mut datum = self.zero(ty, span)?;
        datum.forget();
        Ok(datum)
    }

    /// For each union on the way to what is initialized, the member that it gets by that, without a value yet (C++17 12.3p5).
    fn chosen_members(&mut self, address: &Address, span: Span) -> Eval<Vec<Datum>> {
        let Root::Slot(slot) = address.root else { return Ok(Vec::new()) };
        let Some(object) = self.memory.get(slot) else { return self.stop(span, ENDED) };
        let mut ty = object.ty;
        let mut chosen = Vec::new();
        for &step in &address.path {
            let types = &self.cx.module.types;
            let is_union = types.record(ty).is_some_and(|record| types.records[record].is_union);
            ty = match self.part_ty(ty, step) {
                Some(ty) => ty,
                None => return self.stop(span, "initializes an object"),
            };
            if is_union {
                chosen.push(self.blank(ty, span)?);
            }
        }
        Ok(chosen)
    }

    /// Writes an object, and gives what it holds then: a bit-field takes as much as it has room for.
    pub(super) fn write(&mut self, address: &Address, value: Datum, span: Span) -> Eval<Datum> {
        self.write_as(address, value, false, span)
    }

    /// The same for what is initialized, or written.
    pub(super) fn write_as(
        &mut self,
        address: &Address,
        value: Datum,
        is_initialized: bool,
        span: Span,
    ) -> Eval<Datum> {
        self.require_object(address, span)?;
        let Root::Slot(slot) = address.root else {
            return self.stop(span, "modifies an object that is not of the evaluation");
        };
        let Some(object) = self.memory.get(slot) else { return self.stop(span, ENDED) };
        let types = &self.cx.module.types;
        let mut ty = object.ty;
        let mut value = value;
        let mut is_const = types.quals(ty).contains(Quals::CONST);
        for &step in &address.path {
            if let (Step::Field(idx), Some(record)) = (step, types.record(ty))
                && let Some(field) = types.records[record].fields.iter().flatten().nth(idx as usize)
                && let (Some(width), Some(int), &Datum::Int(whole)) =
                    (field.bit_width, types.int_ty(field.ty), &value)
                && address.path.last() == Some(&step)
            {
                value = Datum::Int(narrowed(int, width, whole));
            }
            ty = match self.part_ty(ty, step) {
                Some(ty) => ty,
                None => return self.stop(span, "modifies an object"),
            };
            is_const |= types.quals(ty).contains(Quals::CONST);
        }
        if is_const && !is_initialized {
            return self.stop(span, "modifies a const object");
        }
        let chosen = if is_initialized { self.chosen_members(address, span)? } else { Vec::new() };
        let Some(object) = self.memory.get_mut(slot) else { return self.stop(span, ENDED) };
        let mut datum = &mut object.datum;
        let mut chosen = chosen.into_iter();
        for &step in &address.path {
            if let (Datum::Union(active, part), Step::Field(idx)) = (&mut *datum, step)
                && let Some(blank) = chosen.next()
                && *active != idx
            {
                (*active, **part) = (idx, blank);
            }
            datum = match part_mut(datum, step) {
                Some(part) => part,
                None => return self.stop(span, "modifies a member of a union that has no value"),
            };
        }
        *datum = value.clone();
        Ok(value)
    }
}

fn part(datum: &Datum, step: Step) -> Option<&Datum> {
    match (datum, step) {
        (Datum::Array(parts), Step::Index(idx)) => parts.get(usize::try_from(idx).ok()?),
        (Datum::Record(parts), Step::Field(idx)) => parts.get(idx as usize),
        (Datum::Union(active, part), Step::Field(idx)) if *active == idx => Some(part),
        _ => None,
    }
}

fn part_mut(datum: &mut Datum, step: Step) -> Option<&mut Datum> {
    match (datum, step) {
        (Datum::Array(parts), Step::Index(idx)) => parts.get_mut(usize::try_from(idx).ok()?),
        (Datum::Record(parts), Step::Field(idx)) => parts.get_mut(idx as usize),
        (Datum::Union(active, part), Step::Field(idx)) if *active == idx => Some(part),
        _ => None,
    }
}

fn no_part(datum: &Datum) -> &'static str {
    match datum {
        Datum::Union(..) => "reads a member of a union that has no value",
        _ => UNINITIALIZED,
    }
}

/// What a bit-field of the width keeps of a value.
pub(super) fn narrowed(int: IntTy, width: u32, value: i128) -> i128 {
    if int == IntTy::Bool || width == 0 || width >= int.bits() {
        return value;
    }
    let above = 128 - width;
    if int.is_signed() { value << above >> above } else { ((value as u128) << above >> above) as i128 }
}

/// A character of a string, as it lies in memory.
fn character(bytes: &[u8], int: IntTy, idx: u64) -> i128 {
    let size = layout::int_layout(int).size;
    let start = idx.saturating_mul(size) as usize;
    let unit = (0..size as usize).rev().fold(0, |unit, byte| {
        unit << 8 | i128::from(bytes.get(start.saturating_add(byte)).copied().unwrap_or(0))
    });
    int.wrap(unit)
}
