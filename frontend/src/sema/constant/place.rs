//! Places: which object an lvalue is.

use super::value::{Address, Datum, Root, Step};
use super::{Eval, Evaluator, Frame};
use crate::ir::{Conversion, Exact, Expr, ExprData, IntTy, Place, PlaceData, Quals, Yields};
use crate::source::Span;

impl<'c> Evaluator<'c, '_> {
    /// The object that the place is.
    pub(super) fn place(&mut self, frame: &mut Frame<'c>, place: Place) -> Eval<Address> {
        let span = frame.nodes.places[place].span;
        self.work(1, span)?;
        self.nested(span, |evaluator| evaluator.place_of(frame, place))
    }

    fn place_of(&mut self, frame: &mut Frame<'c>, place: Place) -> Eval<Address> {
        let nodes = frame.nodes;
        let node = &nodes.places[place];
        match node.data {
            PlaceData::Local(local) => match frame.locals.get(&local) {
                Some(&slot) => Ok(Address::of(Root::Slot(slot))),
                None if frame.is_root => Ok(Address::of(Root::Outer(local))),
                None => self.stop(node.span, "the lifetime of the variable has not begun"),
            },
            PlaceData::Global(global) => Ok(Address::of(Root::Global(global))),
            PlaceData::Deref(pointer) => {
                let pointer = self.pointer(frame, pointer)?;
                self.object_at(&pointer, node.span)
            }
            PlaceData::Field(outer, idx) => {
                let outer = self.place(frame, outer)?;
                self.require_object(&outer, node.span)?;
                Ok(outer.part(Step::Field(idx)))
            }
            PlaceData::Temporary(value) => {
                let datum = self.value(frame, value)?;
                let slot = self.memory.create(nodes.exprs[value].ty, datum);
                frame.living.push(slot);
                Ok(Address::of(Root::Slot(slot)))
            }
            PlaceData::Assigned(assignment) => Ok(self.assign(frame, assignment)?.0),
            PlaceData::Conditional(cond, choice) => {
                let [then, otherwise] = nodes.choices[choice];
                let taken = if self.truth(frame, cond)? { then } else { otherwise };
                self.place(frame, taken)
            }
            PlaceData::Comma(effect, place) => {
                self.discarded(frame, effect)?;
                self.place(frame, place)
            }
            PlaceData::CompoundLiteral(local, init) => {
                let ty = node.ty;
                let datum = self.init(frame, init, ty)?;
                let slot = self.memory.create(ty, datum);
                frame.living.push(slot);
                frame.locals.insert(local, slot);
                Ok(Address::of(Root::Slot(slot)))
            }
        }
    }

    /// The value of the object that the place is.
    pub(super) fn load(&mut self, frame: &mut Frame<'c>, place: Place) -> Eval<Datum> {
        let node = &frame.nodes.places[place];
        if self.cx.module.types.quals(node.ty).contains(Quals::VOLATILE) {
            return self.stop(node.span, "reads a volatile object");
        }
        // Mostly it is a number of the evaluation's own.
        if let PlaceData::Local(local) = node.data
            && let Some(&slot) = frame.locals.get(&local)
            && let Some(object) = self.memory.get(slot)
            && let datum @ (Datum::Int(_) | Datum::Float(_)) = &object.datum
        {
            return Ok(datum.clone());
        }
        let span = node.span;
        let address = self.place(frame, place)?;
        self.read(&address, span)
    }

    /// The object that an assignment assigns to, and the value of the assignment.
    pub(super) fn assign(&mut self, frame: &mut Frame<'c>, assignment: Expr) -> Eval<(Address, Datum)> {
        let node = &frame.nodes.exprs[assignment];
        let span = node.span;
        match node.data {
            ExprData::Assign { place, value } => {
                let value = self.value(frame, value)?;
                let address = self.assigned_place(frame, place, span)?;
                let value = self.write(&address, value, span)?;
                Ok((address, value))
            }
            ExprData::Modify { place, ref change, yields } => {
                let n_bound = frame.bound.len();
                if let Some(binding) = change.rhs {
                    let value = self.value(frame, binding.value)?;
                    frame.bound.push((binding.bound, value));
                }
                let address = self.assigned_place(frame, place, span)?;
                let old = self.read(&address, span)?;
                frame.bound.push((change.old, old.clone()));
                let new = match frame.nodes.exprs[change.new].data {
                    ExprData::Convert(conversion, computed) => {
                        self.changed(frame, conversion, computed, change.new)?
                    }
                    _ => self.value(frame, change.new)?,
                };
                frame.bound.truncate(n_bound);
                let new = self.write(&address, new, span)?;
                Ok((address, if yields == Yields::Old { old } else { new }))
            }
            _ => self.stop(span, "modifies an object"),
        }
    }

    /// The value that a compound assignment or an increment has computed, in the type of the object. nvcc counts as an
    /// overflow there what a signed type does not hold, operands that become unsigned included; with `bool` it computes
    /// otherwise.
    fn changed(
        &mut self,
        frame: &mut Frame<'c>,
        conversion: Conversion,
        computed: Expr,
        converted: Expr,
    ) -> Eval<Datum> {
        let nodes = frame.nodes;
        let (from, node) = (nodes.exprs[computed].ty, &nodes.exprs[converted]);
        let (to, span) = (node.ty, node.span);
        let value = self.value(frame, computed)?;
        let types = &self.cx.module.types;
        if let (Some(held), Some(int)) = (types.int_ty(to), types.int_ty(from))
            && (held.is_signed() || held == IntTy::Bool)
        {
            let mut parts = vec![value.clone()];
            if let (false, ExprData::Binary(_, lhs, rhs)) = (int.is_signed(), &nodes.exprs[computed].data) {
                parts.extend([self.value(frame, *lhs)?, self.value(frame, *rhs)?]);
            }
            let fits = |part: &Datum| match part {
                &Datum::Int(number) => Exact::of(int, number).fits(held),
                _ => true,
            };
            if !parts.iter().all(fits) {
                return self.stop(span, "the result is outside the range of the type that is assigned to");
            }
        }
        self.converted(conversion, value, from, to, span)
    }

    fn assigned_place(&mut self, frame: &mut Frame<'c>, place: Place, span: Span) -> Eval<Address> {
        if self.cx.module.types.quals(frame.nodes.places[place].ty).contains(Quals::VOLATILE) {
            return self.stop(span, "modifies a volatile object");
        }
        self.place(frame, place)
    }
}
