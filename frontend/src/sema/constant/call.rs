//! Calls.

use smallvec::SmallVec;

use super::const_eval::{NotConstant, Why};
use super::stmt::Flow;
use super::value::{Address, Datum, Pointer, Root};
use super::{Eval, Evaluator, Frame, MAX_CALLS, Nodes};
use crate::ir::{Body, Expr, Func, Ty, TyKind, evaluated};
use crate::source::Span;
use hashbrown::HashMap;

/// The arguments of a call.
type Args = SmallVec<[Datum; 4]>;

impl<'c> Evaluator<'c, '_> {
    pub(super) fn call(
        &mut self,
        frame: &mut Frame<'c>,
        func: Func,
        (args, from_last): (&[Expr], bool),
        span: Span,
    ) -> Eval<Datum> {
        let order = evaluated(args, from_last);
        let mut args = order.map(|(_, arg)| self.value(frame, arg)).collect::<Eval<Args>>()?;
        if from_last {
            args.reverse();
        }
        self.call_with(func, args, span)
    }

    /// What a constructor makes of a new object of the type.
    pub(super) fn construct(
        &mut self,
        frame: &mut Frame<'c>,
        func: Func,
        args: &[Expr],
        ty: Ty,
        span: Span,
    ) -> Eval<Datum> {
        let blank = self.blank(ty, span)?;
        // To its constructor, no object is const.
        let body = self.body_of(func, span)?;
        let this = body.params.first().and_then(|&this| self.cx.module.types.pointee(body.locals[this].ty));
        let slot = self.memory.create(this.unwrap_or(ty), blank);
        let this = Datum::Pointer(Box::new(Pointer::Object(Address::of(Root::Slot(slot)))));
        let mut all: Args = SmallVec::from_iter([this]);
        for &arg in args {
            all.push(self.value(frame, arg)?);
        }
        self.call_with(func, all, span)?;
        let made = self.memory.get(slot).map(|object| object.datum.clone());
        self.memory.end(slot);
        match made {
            Some(datum) => Ok(datum),
            None => self.stop(span, "the object has ended"),
        }
    }

    fn call_with(&mut self, func: Func, args: Args, span: Span) -> Eval<Datum> {
        let body = self.body_of(func, span)?;
        self.step(span)?;
        if self.n_calls == MAX_CALLS {
            return self.stop(span, "calls nest more than 511 deep");
        }
        let shown = args.clone();
        self.n_calls += 1;
        let is_void = self.is_void(func);
        let result = self.run(body, is_void, args);
        self.n_calls -= 1;
        result.map_err(|mut not| {
            not.calls.get_or_insert_default().add(self.cx, func, &shown, span);
            not
        })
    }

    /// The body of a function that is `constexpr`.
    fn body_of(&self, func: Func, span: Span) -> Eval<&'c Body> {
        let cx = self.cx;
        let facts = cx.known.func_facts.get(&func);
        let why = match facts {
            Some(facts) if facts.is_broken => Why::Reported,
            Some(facts) if facts.is_constexpr => {
                let body = cx.known.constant_bodies.get(&func).or(cx.module.functions[func].body.as_ref());
                match body {
                    Some(body) => return Ok(body),
                    None => Why::Func(func),
                }
            }
            Some(_) | None => Why::Func(func),
        };
        Err(Box::new(NotConstant::new(span, why)))
    }

    fn run(&mut self, body: &'c Body, is_void: bool, args: Args) -> Eval<Datum> {
        let mut frame = Frame {
            nodes: Nodes::of_body(body),
            is_root: false,
            locals: HashMap::with_capacity(body.locals.len()),
            living: Vec::new(),
            bound: Vec::new(),
        };
        for (&param, arg) in body.params.iter().zip(args) {
            let slot = self.memory.create(body.locals[param].ty, arg);
            frame.locals.insert(param, slot);
            frame.living.push(slot);
        }
        let flow = self.stmt(&mut frame, body.root);
        self.end_objects(&mut frame, 0);
        match flow? {
            Flow::Return(value) => Ok(value),
            Flow::Next | Flow::Break | Flow::Continue if is_void => Ok(Datum::Nothing),
            Flow::Next | Flow::Break | Flow::Continue => {
                self.stop(body.end, "control reaches the end of the function without a value")
            }
        }
    }

    fn is_void(&self, func: Func) -> bool {
        let types = &self.cx.module.types;
        let ret = types.func(self.cx.module.functions[func].ty).map_or(Ty::ERROR, |ty| ty.ret);
        *types.kind(ret) == TyKind::Void
    }
}
