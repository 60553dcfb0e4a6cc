//! Initial values of variables.

use super::object::narrowed;
use super::value::{Datum, Step};
use super::{Eval, Evaluator, Frame};
use crate::ir::{Init, InitData, Ty, TyKind};
use crate::layout;

impl<'c> Evaluator<'c, '_> {
    /// What an object of the type holds that is initialized so.
    pub(super) fn init(&mut self, frame: &mut Frame<'c>, init: Init, ty: Ty) -> Eval<Datum> {
        let node = &frame.nodes.inits[init];
        let span = node.span;
        self.work(1, span)?;
        match &node.data {
            InitData::Expr(expr) => self.value(frame, *expr),
            InitData::Array(elems) => {
                let (Datum::Array(mut parts), &TyKind::Array(elem, _)) =
                    (self.zero(ty, span)?, self.cx.module.types.kind(ty))
                else {
                    return self.stop(span, "the type has no constants");
                };
                for &(idx, init) in elems {
                    let value = self.nested(span, |evaluator| evaluator.init(frame, init, elem))?;
                    if let Some(part) = usize::try_from(idx).ok().and_then(|idx| parts.get_mut(idx)) {
                        *part = value;
                    }
                }
                Ok(Datum::Array(parts))
            }
            &InitData::Each(elem_init) => {
                let &TyKind::Array(elem, Some(len)) = self.cx.module.types.kind(ty) else {
                    return self.stop(span, "the type has no constants");
                };
                self.parts(len, span)?;
                let mut parts = Vec::new();
                for _ in 0..len {
                    parts.push(self.nested(span, |evaluator| evaluator.init(frame, elem_init, elem))?);
                }
                Ok(Datum::Array(parts))
            }
            InitData::Construct(func, args) => self.construct(frame, *func, args, ty, span),
            data @ (InitData::Record(members) | InitData::Partial(members)) => {
                let mut whole = match data {
                    InitData::Partial(_) => self.blank(ty, span)?,
                    _ => self.zero(ty, span)?,
                };
                for &(idx, init) in members {
                    let Some(member) = self.part_ty(ty, Step::Field(idx)) else {
                        return self.stop(span, "the type has no constants");
                    };
                    let value = self.nested(span, |evaluator| evaluator.init(frame, init, member))?;
                    let value = self.in_field(ty, idx, value);
                    match &mut whole {
                        Datum::Union(..) => whole = Datum::Union(idx, Box::new(value)),
                        Datum::Record(parts) => match parts.get_mut(idx as usize) {
                            Some(part) => *part = value,
                            None => return self.stop(span, "the type has no constants"),
                        },
                        _ => return self.stop(span, "the type has no constants"),
                    }
                }
                Ok(whole)
            }
            InitData::Bytes(bytes) => {
                let types = &self.cx.module.types;
                let &TyKind::Array(elem, Some(len)) = types.kind(ty) else {
                    return self.stop(span, "the type has no constants");
                };
                let Some(int) = types.int_ty(elem) else {
                    return self.stop(span, "the type has no constants");
                };
                self.parts(len, span)?;
                let size = layout::int_layout(int).size as usize;
                let mut parts: Vec<Datum> = bytes
                    .chunks(size)
                    .map(|unit| unit.iter().rev().fold(0, |bits, &byte| bits << 8 | i128::from(byte)))
                    .map(|bits| Datum::Int(int.wrap(bits)))
                    .collect();
                parts.resize(len as usize, Datum::Int(0));
                Ok(Datum::Array(parts))
            }
        }
    }

    /// What a member keeps of a value.
    fn in_field(&self, ty: Ty, idx: u32, value: Datum) -> Datum {
        let types = &self.cx.module.types;
        let field = types
            .record(ty)
            .and_then(|record| types.records[record].fields.as_ref()?.get(idx as usize))
            .and_then(|field| Some((field.bit_width?, types.int_ty(field.ty)?)));
        match (field, value) {
            (Some((width, int)), Datum::Int(value)) => Datum::Int(narrowed(int, width, value)),
            (_, value) => value,
        }
    }
}
