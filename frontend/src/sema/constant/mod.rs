//! Constants: [`const_eval`], the values of constant expressions, and here the evaluation of `constexpr` functions (C++17 8.20), on the IR
//! of their bodies.
//!
//! In: an expression of the arena in which something is called. Out: its value, or the first step that is no
//! constant and the calls that led there. What C++ leaves undefined is no constant. An evaluation has objects of its
//! own; other variables it reads if they are constants, and never changes.
//!
//! - this file: where it begins, and its limits
//! - [`value`]: values, and pointers as paths into objects; [`memory`]: the objects of an evaluation
//! - [`object`]: reading and writing parts of objects
//! - [`expr`], [`operator`], [`place`], [`call`], [`init`], [`stmt`]: what nodes do
//! - [`outcome`]: values as what the rest of sema knows
//! - [`words`]: what is said where there is no value
//! - [`address_constant`]: addresses as integers; [`constant_object`]: what constants read of arrays and structs

mod address_constant;
mod builtin;
mod call;
pub(super) mod const_eval;
mod constant_object;
mod expr;
mod init;
mod memory;
mod object;
mod operator;
mod outcome;
mod place;
mod stmt;
mod value;
mod words;

use cranelift_entity::PrimaryMap;
use hashbrown::HashMap;

use super::Constants;
use super::Cx;
use crate::ir::{
    Body, Choice, ConstInit, Expr, ExprData, ExprNode, Init, InitNode, Local, LocalData, Place, PlaceData,
    PlaceNode, Stmt, StmtNode, Ty,
};
use crate::source::Span;
use const_eval::{Mode, NotConstant, Value, Why};
use memory::{Memory, SlotRef};
use std::cell::Cell;
use value::Datum;
pub(super) use words::Calls;

/// What is remembered of constants.
#[derive(Default)]
pub(super) struct ConstantFacts {
    /// How much work constants have taken so far.
    constant_work: Cell<u64>,
}

/// How deep calls may nest, as with nvcc.
const MAX_CALLS: u32 = 511;

/// How many statements, turns of loops and calls one evaluation may take. nvcc takes more.
const MAX_STEPS: u32 = 1 << 20;

/// How many expressions an evaluation may take, each part of an object that it makes or copies counted as
/// [`WORK_OF_PART`]: so its objects have a million parts at most.
const MAX_WORK: u32 = 1 << 24;

/// How many expressions a part of an object counts as.
const WORK_OF_PART: u64 = 16;

/// The same of all evaluations of a program.
const MAX_TOTAL_WORK: u64 = 1 << 29;

/// How many nodes an evaluation may nest for each node that the syntax tree may be high: a node takes less of the
/// stack than one in the checks.
const LEVELS_PER_HEIGHT: u32 = 4;

/// What a step gives, or why there is no value.
type Eval<T> = Result<T, Box<NotConstant>>;

/// The nodes of a function, or of the expression with which the evaluation begins.
#[derive(Clone, Copy)]
struct Nodes<'c> {
    exprs: &'c PrimaryMap<Expr, ExprNode>,
    places: &'c PrimaryMap<Place, PlaceNode>,
    choices: &'c PrimaryMap<Choice, [Place; 2]>,
    inits: &'c PrimaryMap<Init, InitNode>,
    /// None outside of functions.
    stmts: Option<&'c PrimaryMap<Stmt, StmtNode>>,
    locals: Option<&'c PrimaryMap<Local, LocalData>>,
}

impl<'c> Nodes<'c> {
    fn of_body(body: &'c Body) -> Self {
        let Body { exprs, places, choices, inits, stmts, locals, .. } = body;
        Nodes { exprs, places, choices, inits, stmts: Some(stmts), locals: Some(locals) }
    }
}

/// A call in progress.
struct Frame<'c> {
    nodes: Nodes<'c>,
    /// It is that of the expression with which the evaluation begins, whose variables are not the evaluation's.
    is_root: bool,
    /// Where variables are.
    locals: HashMap<Local, SlotRef>,
    /// The objects that live, in the order of their creation.
    living: Vec<SlotRef>,
    /// The values that names of [`ExprData::Bound`] stand for.
    bound: Vec<(Expr, Datum)>,
}

/// One evaluation.
struct Evaluator<'c, 'a> {
    cx: &'c Cx<'a>,
    memory: Memory,
    n_calls: u32,
    n_steps: u32,
    n_work: u32,
    level: u32,
    /// The mode in which the expression was to be evaluated.
    mode: Mode,
}

impl<'a> Constants<'a> {
    /// The number or address that an expression with calls is.
    pub(super) fn eval_evaluated(&self, expr: Expr, mode: Mode) -> Result<Value, NotConstant> {
        let span = self.span_of(expr);
        self.evaluate(mode, |evaluator, frame| {
            let datum = evaluator.value(frame, expr)?;
            evaluator.number(&datum, span)
        })
    }

    /// The number or address that is read of an object that a call makes.
    pub(super) fn eval_loaded(&self, place: Place, mode: Mode) -> Result<Value, NotConstant> {
        let span = self.arena.places[place].span;
        self.evaluate(mode, |evaluator, frame| {
            let pointer = evaluator.place(frame, place)?;
            let datum = evaluator.read(&pointer, span)?;
            evaluator.number(&datum, span)
        })
    }

    /// The struct that an expression is, as the initial value of a variable.
    pub(super) fn eval_object(&self, expr: Expr, ty: Ty) -> Result<ConstInit, NotConstant> {
        let span = self.span_of(expr);
        self.evaluate(Mode::Required, |evaluator, frame| {
            let datum = evaluator.value(frame, expr)?;
            evaluator.initial_value(&datum, ty, span)
        })
    }

    /// The object that an initializer makes.
    pub(super) fn eval_init(&self, init: Init, ty: Ty) -> Result<ConstInit, NotConstant> {
        let span = self.arena.inits[init].span;
        self.evaluate(Mode::Required, |evaluator, frame| {
            let datum = evaluator.init(frame, init, ty)?;
            evaluator.initial_value(&datum, ty, span)
        })
    }

    /// Whether the place lies in an object that the expression makes, by a call perhaps, or is at an address that a call returns.
    pub(super) fn is_of_call(&self, place: Place) -> bool {
        let mut at = place;
        loop {
            match self.arena.places[at].data {
                PlaceData::Field(outer, _) => at = outer,
                PlaceData::Temporary(value) => {
                    return matches!(
                        self.arena.exprs[value].data,
                        ExprData::Call { .. } | ExprData::CallIndirect { .. }
                    );
                }
                PlaceData::Deref(pointer) => match self.arena.exprs[pointer].data {
                    ExprData::PtrOffset { ptr, .. } => match self.arena.exprs[ptr].data {
                        ExprData::ArrayDecay(array) => at = array,
                        ExprData::Call { .. } | ExprData::CallIndirect { .. } => return true,
                        _ => return false,
                    },
                    ExprData::ArrayDecay(array) => at = array,
                    ExprData::Call { .. } | ExprData::CallIndirect { .. } => return true,
                    _ => return false,
                },
                PlaceData::Local(_)
                | PlaceData::Global(_)
                | PlaceData::Assigned(_)
                | PlaceData::Conditional(..)
                | PlaceData::Comma(..) => return false,
                PlaceData::CompoundLiteral(..) => return true,
            }
        }
    }

    fn evaluate<'c, R>(
        &'c self,
        mode: Mode,
        evaluate: impl FnOnce(&mut Evaluator<'c, 'a>, &mut Frame<'c>) -> Eval<R>,
    ) -> Result<R, NotConstant> {
        let mut evaluator = Evaluator {
            cx: self,
            memory: Memory::default(),
            n_calls: 0,
            n_steps: 0,
            n_work: 0,
            level: 0,
            mode,
        };
        let arena = &self.arena;
        let nodes = Nodes {
            exprs: &arena.exprs,
            places: &arena.places,
            choices: &arena.choices,
            inits: &arena.inits,
            stmts: self.func.as_ref().map(|func| &func.stmts),
            locals: self.func.as_ref().map(|func| &func.locals),
        };
        let mut frame =
            Frame { nodes, is_root: true, locals: HashMap::new(), living: Vec::new(), bound: Vec::new() };
        let result = evaluate(&mut evaluator, &mut frame);
        let spent = self.known.constants.constant_work.get() + u64::from(evaluator.n_work);
        self.known.constants.constant_work.set(spent);
        result.map_err(|not| *not)
    }
}

impl Evaluator<'_, '_> {
    fn stop<T>(&self, span: Span, why: &'static str) -> Eval<T> {
        Err(Box::new(NotConstant::new(span, Why::Text(why))))
    }

    fn stop_with<T>(&self, span: Span, why: String) -> Eval<T> {
        Err(Box::new(NotConstant::new(span, Why::Words(why.into()))))
    }

    /// Counts a statement, a turn of a loop or a call.
    fn step(&mut self, span: Span) -> Eval<()> {
        self.n_steps += 1;
        if self.n_steps > MAX_STEPS {
            return self.stop(span, "the evaluation takes more than 1048576 steps");
        }
        Ok(())
    }

    /// Counts parts of objects that are made or copied.
    fn parts(&mut self, n_parts: u64, span: Span) -> Eval<()> {
        self.work(n_parts.saturating_mul(WORK_OF_PART), span)
    }

    /// Counts expressions.
    fn work(&mut self, amount: u64, span: Span) -> Eval<()> {
        self.n_work = self.n_work.saturating_add(amount.try_into().unwrap_or(u32::MAX));
        if self.n_work > MAX_WORK {
            return self.stop(span, "the evaluation takes too long");
        }
        if self.cx.known.constants.constant_work.get() > MAX_TOTAL_WORK {
            return self.stop(span, "the constants of the program take too long to evaluate");
        }
        Ok(())
    }

    /// Evaluates what is in a node.
    fn nested<R>(&mut self, span: Span, evaluate: impl FnOnce(&mut Self) -> Eval<R>) -> Eval<R> {
        if self.level >= LEVELS_PER_HEIGHT * u32::from(self.cx.dialect.depth.height) {
            return self.stop(span, "the evaluation nests too deep");
        }
        self.level += 1;
        let result = evaluate(self);
        self.level -= 1;
        result
    }
}
