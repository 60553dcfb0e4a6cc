//! Values of an evaluation as what the rest of sema knows, and the other way.

use super::const_eval::{Base, NotConstant, Value, Why};
use super::value::{Address, Datum, Pointer, Root, Step};
use super::{Eval, Evaluator};
use crate::ir::{ConstInit, Global, Local, Ty, TyKind};
use crate::layout;
use crate::source::Span;

const OWN_ADDRESS: &str = "the address of an object that does not outlive the evaluation is not a constant";

impl Evaluator<'_, '_> {
    /// The number or address.
    pub(super) fn number(&mut self, datum: &Datum, span: Span) -> Eval<Value> {
        match datum {
            &Datum::Int(value) => Ok(Value::Int(value)),
            &Datum::Float(value) => Ok(Value::Float(value)),
            Datum::Pointer(pointer) => match &**pointer {
                Pointer::Null => Ok(Value::Addr(Base::Null, 0)),
                &Pointer::Func(func) => Ok(Value::Addr(Base::Func(func), 0)),
                Pointer::Object(address) => {
                    let (global, offset) = self.offset(address, span)?;
                    Ok(Value::Addr(Base::Global(global), offset))
                }
            },
            Datum::Nothing | Datum::Array(_) | Datum::Record(_) | Datum::Union(..) => {
                self.stop(span, "the value is not a number")
            }
        }
    }

    /// The variable at the address, and how many bytes into it the address is.
    fn offset(&self, address: &Address, span: Span) -> Eval<(Global, i64)> {
        let Root::Global(global) = address.root else { return self.stop(span, OWN_ADDRESS) };
        let cx = self.cx;
        if cx.known.host_objects.contains(&global) {
            return self.stop(span, "host variable has no address in device code");
        }
        if cx.module.globals[global].is_managed {
            return self.stop(
                span,
                "the address of a `__managed__` variable is not known until the program is loaded",
            );
        }
        let mut ty = cx.module.globals[global].ty;
        let mut offset = 0;
        for &step in &address.path {
            let Some(part) = self.part_ty(ty, step) else { return self.stop(span, OWN_ADDRESS) };
            offset += match step {
                Step::Index(idx) => idx.saturating_mul(self.size_of(part)),
                Step::Field(idx) => match cx.constants().field_offset(ty, idx) {
                    Some(offset) => offset,
                    None => return self.stop(span, "the member has no address"),
                },
            };
            ty = part;
        }
        if address.is_past {
            offset += self.size_of(ty);
        }
        match i64::try_from(offset) {
            Ok(offset) => Ok((global, offset)),
            Err(_) => self.stop(span, "the pointer leaves the address space"),
        }
    }

    fn size_of(&self, ty: Ty) -> u64 {
        layout::size_of(&self.cx.module.types, ty).unwrap_or(0)
    }

    /// What a variable of the type holds before the program starts.
    pub(super) fn initial_value(&mut self, datum: &Datum, ty: Ty, span: Span) -> Eval<ConstInit> {
        let types = &self.cx.module.types;
        match (datum, types.kind(ty)) {
            (Datum::Array(parts), &TyKind::Array(elem, _)) => {
                let mut values = Vec::new();
                for (idx, part) in (0..).zip(parts) {
                    let value = self.initial_value(part, elem, span)?;
                    if value != ConstInit::Zero {
                        values.push((idx, value));
                    }
                }
                Ok(if values.is_empty() { ConstInit::Zero } else { ConstInit::Array(values) })
            }
            (Datum::Record(parts), TyKind::Record(_)) => {
                let mut values = Vec::new();
                for (idx, part) in (0..).zip(parts) {
                    values.extend(self.member_value(idx, part, ty, span)?);
                }
                Ok(if values.is_empty() { ConstInit::Zero } else { ConstInit::Record(values) })
            }
            (Datum::Union(idx, part), TyKind::Record(_)) => {
                let value = self.member_value(*idx, part, ty, span)?;
                Ok(value.map_or(ConstInit::Zero, |value| ConstInit::Record(vec![value])))
            }
            _ => {
                let value = self.number(datum, span)?;
                Ok(match self.cx.constants().const_init(value) {
                    // A member of a union is known by its value.
                    ConstInit::Float(value) if value.to_bits() == 0 => ConstInit::Zero,
                    ConstInit::Int(0) => ConstInit::Zero,
                    value => value,
                })
            }
        }
    }

    fn member_value(&mut self, idx: u32, part: &Datum, ty: Ty, span: Span) -> Eval<Option<(u32, ConstInit)>> {
        let Some(member) = self.part_ty(ty, Step::Field(idx)) else { return Ok(None) };
        let value = self.initial_value(part, member, span)?;
        let is_union = matches!(part, Datum::Union(..));
        Ok((is_union || value != ConstInit::Zero).then_some((idx, value)))
    }

    /// A number or address of the type.
    pub(super) fn datum_of(&mut self, value: Value, ty: Ty, span: Span) -> Eval<Datum> {
        match value {
            Value::Int(value) => Ok(Datum::Int(value)),
            Value::Float(value) => Ok(Datum::Float(value)),
            Value::Extended(_) => self.stop(span, "`long double` is not evaluated in functions"),
            Value::Addr(Base::Null, 0) => Ok(Datum::null()),
            Value::Addr(Base::Null, _) => self.stop(span, "the address is no object's"),
            Value::Addr(Base::Func(func), _) => Ok(Datum::Pointer(Box::new(Pointer::Func(func)))),
            Value::Addr(Base::Global(global), offset) => {
                let pointee = self.cx.module.types.target(ty).unwrap_or(Ty::VOID);
                self.pointer_to_global(global, offset, pointee, span)
            }
        }
    }

    /// A pointer to the part of a variable that begins at the offset and has the type.
    pub(super) fn pointer_to_global(
        &mut self,
        global: Global,
        offset: i64,
        pointee: Ty,
        span: Span,
    ) -> Eval<Datum> {
        let types = &self.cx.module.types;
        let mut address = Address::of(Root::Global(global));
        let mut ty = self.cx.module.globals[global].ty;
        let Ok(mut rest) = u64::try_from(offset) else {
            return self.stop(span, "the address is before the start of the object");
        };
        while rest > 0 || types.kind(ty) != types.kind(pointee) {
            let step = match *types.kind(ty) {
                TyKind::Array(elem, _) => {
                    let size = self.size_of(elem).max(1);
                    let idx = rest / size;
                    rest %= size;
                    Step::Index(idx)
                }
                TyKind::Record(record) => {
                    let Ok(layout) = layout::record_layout(types, record) else {
                        return self.stop(span, "the member has no address");
                    };
                    let within = |(idx, field): (u32, &crate::ir::Field)| {
                        let start = layout.fields.get(idx as usize)?.offset;
                        let end = start + self.size_of(field.ty);
                        (start..end).contains(&rest).then_some((idx, start))
                    };
                    let fields = types.records[record].fields.iter().flatten();
                    let Some((idx, start)) = (0..).zip(fields).find_map(within) else {
                        return self.stop(span, "the address is no member's");
                    };
                    rest -= start;
                    Step::Field(idx)
                }
                _ if rest == self.size_of(ty) => {
                    address.is_past = true;
                    break;
                }
                _ => return self.stop(span, "the address is not that of an object of its type"),
            };
            ty = match self.part_ty(ty, step) {
                Some(ty) => ty,
                None => return self.stop(span, "the address is no member's"),
            };
            address = address.part(step);
        }
        Ok(Datum::Pointer(Box::new(Pointer::Object(address))))
    }

    pub(super) fn stop_at_local<T>(&self, local: Local, span: Span) -> Eval<T> {
        Err(Box::new(NotConstant::new(span, Why::Local(local))))
    }

    pub(super) fn stop_at_global<T>(&self, global: Global, span: Span) -> Eval<T> {
        Err(Box::new(NotConstant::new(span, Why::Global(global))))
    }
}
