//! Copies of objects whose class says how they are made (C++17 15.8.1). A value of such a class is an object that nothing else has: what
//! a call returns, or a compound literal that a constructor initializes. Where an object is read, the copy is made once it is known that
//! one is needed.

use crate::diag::Reported;
use crate::ir::{Expr, ExprData, InitData, PlaceData, Record, View};
use crate::sema::Conversions;
use crate::sema::call::overload::Overloads;
use crate::sema::conversion::construct::Form;
use crate::sema::declaration::special::Origin;
use crate::sema::expression::Operand;

impl Conversions<'_> {
    /// The value as that of an object of its own, which may be the one that it initializes.
    pub(in crate::sema) fn own_value(&mut self, value: Expr) -> Result<Expr, Reported> {
        let ty = self.ty_of(value);
        if ty.is_plain_number() {
            return Ok(value);
        }
        match self.module.types.view(ty) {
            View::Record(class) if !self.manners_of_class(class).copies_bytes() => {
                self.own_object(value, class)
            }
            _ => Ok(value),
        }
    }

    fn own_object(&mut self, value: Expr, class: Record) -> Result<Expr, Reported> {
        match self.arena.exprs[value].data {
            ExprData::Load(place) => match self.arena.places[place].data {
                PlaceData::CompoundLiteral(..) | PlaceData::Temporary(_) => Ok(value),
                _ if self.arena.expiring.contains(value) => self.copy_of(Operand::Member(place), class),
                _ => self.copy_of(Operand::Place(place), class),
            },
            ExprData::Assign { .. } => {
                let (ty, span) = (self.ty_of(value), self.span_of(value));
                let place = self.place(PlaceData::Assigned(value), ty, span);
                self.copy_of(Operand::Place(place), class)
            }
            ExprData::Conditional { cond, then, otherwise } => {
                let then = self.own_value(then)?;
                let otherwise = self.own_value(otherwise)?;
                self.arena.exprs[value].data = ExprData::Conditional { cond, then, otherwise };
                Ok(value)
            }
            ExprData::Comma(first, second) => {
                let second = self.own_value(second)?;
                self.arena.exprs[value].data = ExprData::Comma(first, second);
                Ok(value)
            }
            ExprData::Block(_, last) if let Some(last) = last.expand() => {
                let last = self.own_value(last)?;
                if let ExprData::Block(_, value) = &mut self.arena.exprs[value].data {
                    *value = last.into();
                }
                Ok(value)
            }
            _ => Ok(value),
        }
    }

    /// Another object made of this one.
    fn copy_of(&mut self, source: Operand, class: Record) -> Result<Expr, Reported> {
        let span = self.expressions_ref().operand_span(source);
        let specials = self.known.specials.get(&class);
        let funcs = specials.into_iter().flat_map(|s| s.constructors.iter().chain(&s.implicit_copies));
        let methods = Overloads { funcs: funcs.copied().collect(), ..Overloads::default() };
        let ty = self.module.types.record_ty(class);
        let object = self.constructed_object(ty, span);
        let arg = self.calls().object_arg(source)?;
        let Some((func, args)) =
            self.calls().choose_constructor(&methods, object, &[arg], Form::Direct, span)?
        else {
            return Err(self.calls().no_choice_of_constructor(
                &methods,
                object,
                &[arg],
                (ty, Form::Direct),
                span,
            ));
        };
        let origin = self.known.func_facts.get(&func).map(|facts| facts.origin);
        if origin == Some(Origin::Defaulted) && !self.manners_of_class(class).is_copied_by_call() {
            return self.expressions().rvalue(source);
        }
        let init = self.init(InitData::Construct(func, args), span);
        Ok(self.value_of_init(init, ty, span))
    }
}
