//! Statements (C++17 9), and where jumps may lead.
//!
//! A declaration becomes as many statements as it has declarators, so checks append to a list.
//!
//! - [`repeat`]: conditions, `if` and loops; [`range_for`]: loops over arrays, [`class_range`]: over objects of classes; [`switch`]: `switch` and its labels
//! - [`element_loop`]: loops that the program does not write
//! - [`asm`]: inline PTX
//! - [`cleanup`]: destructors where scopes are left
//! - [`temporary`]: the same of temporaries, where full expressions end; [`temporary_walk`] finds them
//! - [`statement_expression`]: GNU C's `({ … })`
//! - [`lifetime`]: which variables are alive where; [`flow`]: whether control reaches the end of a function

mod asm;
mod class_range;
pub(super) mod cleanup;
mod element_loop;
mod flow;
mod lifetime;
mod range_for;
mod repeat;
mod statement_expression;
mod switch;
mod temporary;
mod temporary_walk;

use std::collections::BTreeMap;
use std::mem;
use thin_vec::ThinVec;

use cranelift_entity::PrimaryMap;
use hashbrown::{HashMap, HashSet};

use super::Statements;
use super::constant::const_eval::Value;
use super::conversion::Target;
use super::declaration::deduced_result::ResultTy;
use super::expression::Operand;
use super::name::scope::Entity;
use super::warn::{Dropped, Formats};
use crate::ast::{ExprId, ExprKind, Name, StmtId, StmtKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    ConstInit, Expr, ExprData, Func, Label, LabelData, Local, LocalData, Place, PlaceData, Quals, Stmt,
    StmtData, StmtNode, Ty, TyKind, Unroll,
};
use crate::source::Span;
use crate::token::Symbol;
use cleanup::{Cleanup, NamedReturn};
use lifetime::{Alive, Lifetimes};
use range_for::Range;
use switch::SwitchCx;
use temporary::Temporaries;

/// The function whose body is being checked.
pub(super) struct FuncCx {
    pub(super) func: Func,
    pub(super) ret: Ty,
    pub(super) params: Vec<Local>,
    pub(super) locals: PrimaryMap<Local, LocalData>,
    pub(super) stmts: PrimaryMap<Stmt, StmtNode>,
    pub(super) labels: PrimaryMap<Label, LabelData>,
    /// The values of `const` variables that constant expressions may use.
    pub(super) local_values: HashMap<Local, Value>,
    /// The values of `constexpr` arrays and structs.
    pub(super) local_objects: HashMap<Local, ConstInit>,
    /// The types of the elements that are variables of a structured binding.
    pub(super) tuple_elements: HashMap<Local, Ty>,
    /// The formats that `const` variables stand for.
    pub(super) local_formats: HashMap<Local, Formats>,
    label_uses: BTreeMap<Symbol, LabelUse>,
    gotos: Vec<(Symbol, Span, Alive)>,
    /// The variables with initializers, and those alive where the checks are.
    pub(super) lifetimes: Lifetimes,
    pub(super) alive: Alive,
    /// Some statement was not understood; reported.
    is_broken: bool,
    pub(super) switches: Vec<SwitchCx>,
    /// Whether `return` statements say what the result is.
    pub(super) result: ResultTy,
    /// The range-based loops whose declarations are being checked.
    pub(super) ranges: Vec<Range>,
    /// The loops and switches around the statement.
    pub(super) breakables: Vec<Breakable>,
    /// How many statement expressions are around it.
    pub(super) expr_depth: u32,
    /// In how many heads of loops and switches it stands.
    pub(super) head_depth: u32,
    /// What the pragma before the next loop asks of it, and where it is.
    pub(super) unroll: Option<(Unroll, Span)>,
    /// Where the pragmas of loops are.
    pub(super) unroll_pragmas: BTreeMap<Stmt, Span>,
    /// How often a value is returned, and by the name of a variable: its name, it, and the value.
    pub(super) n_returns: usize,
    pub(super) named_returns: Vec<NamedReturn>,
    /// The objects whose destructors are called where their scopes are left, the innermost last.
    pub(super) cleanups: Vec<Cleanup>,
    /// There were some.
    pub(super) has_cleanups: bool,
    /// Some expression may have made an object with a destructor, and the temporaries whose end is known.
    pub(super) may_have_temporaries: bool,
    pub(super) ended: HashSet<Local>,
    /// A statement expression is left by a jump.
    pub(super) jumps_within: bool,
    /// The variables that are the object which the function returns.
    pub(super) results: Vec<Local>,
    /// How the bodies of loops and switches are left from within an expression, of those that are.
    pub(super) left_within: HashMap<Stmt, LeftWithin>,
}

/// A loop or switch around a statement.
pub(super) struct Breakable {
    is_loop: bool,
    expr_depth: u32,
    /// How many objects with destructors are around it.
    n_cleanups: usize,
    pub(super) left: LeftWithin,
}

impl Breakable {
    pub(super) fn new(is_loop: bool, func: &FuncCx) -> Self {
        let (expr_depth, n_cleanups) = (func.expr_depth, func.cleanups.len());
        Breakable { is_loop, expr_depth, n_cleanups, left: LeftWithin::default() }
    }
}

/// Which jumps in a body stand within an expression, where [`flow`] does not look.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) struct LeftWithin {
    pub(super) by_break: bool,
    pub(super) by_continue: bool,
}

struct LabelUse {
    label: Label,
    /// Where it stands, once it was seen, and what is alive there.
    defined: Option<(Span, Alive)>,
}

impl FuncCx {
    pub(super) fn new(func: Func, ret: Ty) -> Self {
        FuncCx {
            func,
            ret,
            params: Vec::new(),
            locals: PrimaryMap::new(),
            stmts: PrimaryMap::new(),
            labels: PrimaryMap::new(),
            local_values: HashMap::new(),
            local_objects: HashMap::new(),
            tuple_elements: HashMap::new(),
            local_formats: HashMap::new(),
            label_uses: BTreeMap::new(),
            gotos: Vec::new(),
            lifetimes: Lifetimes::default(),
            alive: Alive::default(),
            is_broken: false,
            switches: Vec::new(),
            result: ResultTy::Declared,
            ranges: Vec::new(),
            breakables: Vec::new(),
            expr_depth: 0,
            head_depth: 0,
            unroll: None,
            unroll_pragmas: BTreeMap::new(),
            n_returns: 0,
            named_returns: Vec::new(),
            cleanups: Vec::new(),
            has_cleanups: false,
            may_have_temporaries: false,
            ended: HashSet::new(),
            jumps_within: false,
            results: Vec::new(),
            left_within: HashMap::new(),
        }
    }

    /// That of the next function, in the memory of this one, whose body was taken.
    pub(super) fn next(mut self: Box<Self>, func: Func, ret: Ty) -> Box<Self> {
        let FuncCx {
            func: own_func,
            ret: own_ret,
            // They went with the body.
            params: _,
            locals: _,
            stmts: _,
            labels: _,
            unroll_pragmas: _,
            local_values,
            local_objects,
            tuple_elements,
            local_formats,
            label_uses,
            gotos,
            lifetimes,
            alive,
            is_broken,
            switches,
            result,
            ranges,
            breakables,
            expr_depth,
            head_depth,
            unroll,
            n_returns,
            named_returns,
            cleanups,
            has_cleanups,
            may_have_temporaries,
            ended,
            jumps_within,
            // They went with the body.
            results: _,
            left_within,
        } = &mut *self;
        (*own_func, *own_ret) = (func, ret);
        local_values.clear();
        local_objects.clear();
        tuple_elements.clear();
        local_formats.clear();
        label_uses.clear();
        gotos.clear();
        lifetimes.clear();
        switches.clear();
        ranges.clear();
        *result = ResultTy::Declared;
        breakables.clear();
        left_within.clear();
        named_returns.clear();
        cleanups.clear();
        ended.clear();
        (*n_returns, *has_cleanups) = (0, false);
        (*may_have_temporaries, *jumps_within) = (false, false);
        (*alive, *is_broken, *unroll) = (Alive::default(), false, None);
        (*expr_depth, *head_depth) = (0, 0);
        self
    }

    /// Whether constant expressions may use none of its variables.
    pub(super) fn has_no_constants(&self) -> bool {
        self.local_values.is_empty() && self.local_objects.is_empty()
    }

    /// From here to the end of the scope, an initialized variable is alive.
    pub(super) fn note_initialized(&mut self, name: Name) {
        self.alive = self.lifetimes.begin(self.alive, name.span, Some(name.symbol));
    }
}

impl Statements<'_> {
    pub(super) fn func_cx(&mut self) -> &mut FuncCx {
        self.func.as_mut().expect("invariant: statements and locals are in a function")
    }

    #[inline]
    pub(super) fn stmt(&mut self, data: StmtData, span: Span) -> Stmt {
        self.func_cx().stmts.push(StmtNode { data, span })
    }

    /// Opens a scope around `check`.
    pub(super) fn in_scope<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.push();
        let alive = self.func_cx().alive;
        let n_cleanups = self.func_cx().cleanups.len();
        let result = check(self);
        let func = self.func_cx();
        func.alive = alive;
        func.cleanups.truncate(n_cleanups);
        self.scopes.pop();
        result
    }

    /// Checks a statement that is a scope of its own: the body of an `if` or a loop (C++17 9.4p1).
    pub(super) fn check_body(&mut self, id: StmtId) -> Stmt {
        let unit = self.unit;
        let span = unit.stmts[id].span;
        if let StmtKind::Block(_) = unit.stmts[id].kind {
            return self.check_block(id);
        }
        let mut list = self.in_scope(|cx| {
            let mut list = ThinVec::new();
            let n_cleanups = cx.statements().n_cleanups();
            cx.statements().check_stmt(id, &mut list);
            cx.statements().end_scope(n_cleanups, &mut list, span.end());
            list
        });
        match (list.pop(), list.is_empty()) {
            (Some(only), true) => only,
            (None, _) => self.stmt(StmtData::Empty, span),
            (Some(last), false) => {
                list.push(last);
                self.stmt(StmtData::Block(list), span)
            }
        }
    }

    fn check_block(&mut self, id: StmtId) -> Stmt {
        let span = self.unit.stmts[id].span;
        let list = self.in_scope(|cx| {
            let n_cleanups = cx.statements().n_cleanups();
            let mut list = cx.statements().check_list(id);
            cx.statements().end_scope(n_cleanups, &mut list, span.end());
            list
        });
        self.stmt(StmtData::Block(list), span)
    }

    /// The statements of a block, in the scope that is open.
    pub(super) fn check_list(&mut self, id: StmtId) -> ThinVec<Stmt> {
        let unit = self.unit;
        let mut list = ThinVec::new();
        match &unit.stmts[id].kind {
            StmtKind::Block(stmts) => {
                let stmts = unit.stmt_list(*stmts);
                list.reserve_exact(stmts.len());
                stmts.iter().for_each(|&stmt| self.check_stmt(stmt, &mut list));
            }
            _ => self.check_stmt(id, &mut list),
        }
        list
    }

    pub(super) fn check_stmt(&mut self, id: StmtId, list: &mut ThinVec<Stmt>) {
        let func = self.func_cx();
        func.jumps_within &= func.expr_depth > 0;
        let unit = self.unit;
        let node = &unit.stmts[id];
        let span = node.span;
        let data = match &node.kind {
            StmtKind::Expr(expr) => {
                self.expressions().check_discarded(*expr, Dropped::Statement).map(StmtData::Expr)
            }
            StmtKind::Decl(decl) => {
                return self.declarations().check_local_decl(&unit.local_decls[*decl], list);
            }
            StmtKind::Block(_) => {
                let block = self.check_block(id);
                return list.push(block);
            }
            StmtKind::If { constexpr, cond, then, otherwise } => {
                self.check_if(*constexpr, cond, *then, *otherwise, span)
            }
            StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::RangeFor { .. } => {
                let asked = self.func_cx().unroll.take();
                // A loop with an error in it is missing.
                let Ok(data) = self.check_loop(id, asked.map(|(unroll, _)| unroll)) else { return };
                let stmt = self.stmt(data, span);
                if let Some((_, pragma)) = asked {
                    self.func_cx().unroll_pragmas.insert(stmt, pragma);
                }
                return list.push(stmt);
            }
            StmtKind::Unroll { pragma, count, body } => {
                return self.check_unrolled(*pragma, *count, *body, list);
            }
            StmtKind::Switch { cond, body } => self.check_switch(cond, *body, span),
            StmtKind::Case { first, last, body } => {
                let case = self.check_case(*first, *last, span);
                return self.check_labelled(*body, list, span, |body| {
                    case.map(|v| StmtData::Case(Box::new(v), body))
                });
            }
            StmtKind::Default { body } => {
                let ok = self.check_default(span);
                return self.check_labelled(*body, list, span, |body| ok.map(|()| StmtData::Default(body)));
            }
            StmtKind::Label { name, body } => {
                let label = self.check_label(*name);
                return self
                    .check_labelled(*body, list, span, |body| label.map(|l| StmtData::Label(l, body)));
            }
            StmtKind::Goto(name) => {
                let label = self.label(*name);
                let func = self.func_cx();
                func.labels[label].is_used = true;
                func.jumps_within |= func.expr_depth > 0;
                let alive = func.alive;
                func.gotos.push((name.symbol, name.span, alive));
                Ok(StmtData::Goto(label))
            }
            StmtKind::Break => self.check_break(span, list),
            StmtKind::Continue => self.check_continue(span, list),
            StmtKind::Return(value) => {
                self.check_return(*value, span).map(|data| self.return_past_cleanups(data, list, span))
            }
            StmtKind::Asm(asm) => self.check_asm(*asm).map(|asm| StmtData::Asm(Box::new(asm))),
            StmtKind::Fallthrough => self.check_fallthrough(span),
            StmtKind::Empty => Ok(StmtData::Empty),
            StmtKind::Error => {
                self.func_cx().is_broken = true;
                Err(self.poisoned())
            }
        };
        // A statement with an error in it is missing.
        let Ok(data) = data else { return };
        let found = match data {
            StmtData::Expr(expr) => self.temporaries_of_expr(expr),
            _ => Temporaries::default(),
        };
        let stmt = self.stmt(data, span);
        self.push_full(stmt, found, list);
    }

    /// A label and the statement behind it. In C++ that can be a declaration, whose further
    /// statements follow the labelled one.
    fn check_labelled(
        &mut self,
        body: StmtId,
        list: &mut ThinVec<Stmt>,
        span: Span,
        label: impl FnOnce(Stmt) -> Result<StmtData, Reported>,
    ) {
        let mut bodies = ThinVec::new();
        self.check_stmt(body, &mut bodies);
        let mut bodies = bodies.into_iter();
        let first = match bodies.next() {
            Some(first) => first,
            None => self.stmt(StmtData::Empty, span.end()),
        };
        let labelled = match label(first) {
            Ok(data) => self.stmt(data, span),
            Err(_) => first,
        };
        list.push(labelled);
        list.extend(bodies);
    }

    /// The label of a name in this function, whether it was seen yet or not.
    fn label(&mut self, name: Name) -> Label {
        let spelling = self.spelling(name.symbol).to_owned();
        let func = self.func_cx();
        if let Some(label) = func.label_uses.get(&name.symbol) {
            return label.label;
        }
        let label = func.labels.push(LabelData { name: spelling, is_used: false, span: name.span });
        func.label_uses.insert(name.symbol, LabelUse { label, defined: None });
        label
    }

    fn check_label(&mut self, name: Name) -> Result<Label, Reported> {
        let label = self.label(name);
        let func = self.func_cx();
        let alive = func.alive;
        func.labels[label].span = name.span;
        let label_use = func.label_uses.get_mut(&name.symbol).expect("invariant: made above");
        if let Some((previous, _)) = label_use.defined {
            let message = format!("redefinition of label `{}`", self.spelling(name.symbol));
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                .with_label(previous, "previously defined here");
            return Err(self.sink.error(diagnostic));
        }
        label_use.defined = Some((name.span, alive));
        Ok(label)
    }

    /// Checks, at the end of a function, that each `goto` leads somewhere it may.
    pub(super) fn check_gotos(&mut self) {
        let gotos = mem::take(&mut self.func_cx().gotos);
        if let (true, Some(&(_, span, _))) = (self.func_cx().has_cleanups, gotos.first()) {
            let message = "`goto` in a function that has objects with destructors is not supported";
            self.error(Code::UnsupportedMember, span, message);
            return;
        }
        for (symbol, span, from) in gotos {
            let func = self.func_cx();
            let Some((at, to)) = func.label_uses.get(&symbol).and_then(|l| l.defined) else {
                // It may stand in what was not understood.
                if func.is_broken {
                    continue;
                }
                let message = format!("use of undeclared label `{}`", self.spelling(symbol));
                self.error(Code::UndeclaredLabel, span, message);
                continue;
            };
            let Some((barrier, variable)) = func.lifetimes.bypassed(from, to) else { continue };
            let diagnostic = match variable {
                Some(symbol) => {
                    let name = self.spelling(symbol);
                    let message = "cannot jump from this `goto` to its label";
                    Diagnostic::new(Code::JumpPastInitialization, span, message)
                        .with_label(barrier, format!("jump bypasses initialization of variable `{name}`"))
                }
                None => {
                    let message = "cannot jump into a statement expression";
                    Diagnostic::new(Code::JumpIntoExpression, span, message)
                        .with_label(barrier, "the statement expression")
                }
            };
            self.sink.error(diagnostic.with_label(at, "the label"));
        }
    }

    fn check_break(&mut self, span: Span, list: &mut ThinVec<Stmt>) -> Result<StmtData, Reported> {
        let func = self.func_cx();
        let expr_depth = func.expr_depth;
        func.jumps_within |= expr_depth > 0;
        let Some(breakable) = func.breakables.last_mut() else {
            return Err(self.misplaced_jump("break", "loop or switch", span));
        };
        breakable.left.by_break |= breakable.expr_depth < expr_depth;
        let n_cleanups = breakable.n_cleanups;
        self.leave_scopes(n_cleanups, list, span);
        Ok(StmtData::Break)
    }

    fn check_continue(&mut self, span: Span, list: &mut ThinVec<Stmt>) -> Result<StmtData, Reported> {
        let func = self.func_cx();
        let expr_depth = func.expr_depth;
        func.jumps_within |= expr_depth > 0;
        let Some(breakable) = func.breakables.iter_mut().rev().find(|around| around.is_loop) else {
            return Err(self.misplaced_jump("continue", "loop", span));
        };
        breakable.left.by_continue |= breakable.expr_depth < expr_depth;
        let n_cleanups = breakable.n_cleanups;
        self.leave_scopes(n_cleanups, list, span);
        Ok(StmtData::Continue)
    }

    fn misplaced_jump(&mut self, word: &str, of: &str, span: Span) -> Reported {
        if self.func_cx().head_depth > 0 {
            let message = format!("`{word}` in the condition or step of a loop or `switch` is not supported");
            return self.error(Code::UnsupportedExtension, span, message);
        }
        self.error(Code::MisplacedJump, span, format!("`{word}` statement not in {of} statement"))
    }

    /// What a `return` that names a variable or parameter gives.
    pub(super) fn return_object(
        &mut self,
        (symbol, local, object): (Symbol, Local, Place),
        ret: Ty,
    ) -> Result<Expr, Reported> {
        let value = self.expressions().rvalue(Operand::Member(object))?;
        let manners = self.manners_of(self.ty_of(value));
        let is_result = self.same(self.ty_of(value), ret)
            && !self.func_cx().locals[local].is_param
            && (!manners.copies_bytes() || manners.is_destroyed());
        let value = self.conversions().convert(value, ret, Target::Return)?;
        if is_result {
            let left_out = ThinVec::new();
            self.func_cx().named_returns.push(NamedReturn { name: symbol, local, value, left_out });
        }
        Ok(value)
    }

    /// Where each `return` names one variable of the outermost block, that is the result, and nothing is copied: so does nvcc.
    pub(super) fn place_result(&mut self) {
        let func = self.func_cx();
        let returns = mem::take(&mut func.named_returns);
        let Some(&NamedReturn { name: symbol, local, .. }) = returns.first() else { return };
        let is_outermost = self
            .scopes
            .get_here(symbol)
            .is_some_and(|binding| matches!(binding.entity, Entity::Local(found) if found == local));
        let is_only = returns.iter().all(|named| named.local == local);
        if !is_only || returns.len() != self.func_cx().n_returns || !is_outermost {
            return;
        }
        let ty = self.func_cx().locals[local].ty;
        for NamedReturn { value, left_out, .. } in returns {
            for stmt in left_out {
                self.func_cx().stmts[stmt].data = StmtData::Empty;
            }
            let span = self.span_of(value);
            let place = self.place(PlaceData::Local(local), ty, span);
            self.arena.exprs[value].data = ExprData::Load(place);
        }
        self.func_cx().results.push(local);
    }

    /// The variable or parameter that a `return` names, of a class that says how it is copied: its object is not needed any more
    /// (C++17 15.8.3p3).
    pub(super) fn returned_object(&mut self, id: ExprId) -> Option<(Symbol, Local, Place)> {
        let id = self.warnings_ref().peeled(id);
        let ExprKind::Ident(symbol) = self.unit.exprs[id].kind else { return None };
        let Some(Entity::Local(local)) = self.names_ref().lookup(symbol).map(|binding| binding.entity) else {
            return None;
        };
        let ty = self.func_cx().locals[local].ty;
        let is_object = self.module.types.reference(ty).is_none()
            && self.module.types.record(ty).is_some()
            && !self.module.types.quals(ty).contains(Quals::VOLATILE);
        let manners = self.manners_of(ty);
        if !is_object || !self.is_copy_chosen(ty) && !manners.is_destroyed() {
            return None;
        }
        let span = self.unit.exprs[id].span;
        Some((symbol, local, self.expressions().local_place(local, span)?))
    }

    // C++17 9.6.3
    fn check_return(&mut self, value: Option<ExprId>, span: Span) -> Result<StmtData, Reported> {
        let func = self.func_cx();
        func.n_returns += 1;
        func.jumps_within |= func.expr_depth > 0;
        if let ResultTy::Deduced(before) = func.result {
            return self.declarations().check_deducing_return(value, before, span);
        }
        let (ret, func) = (func.ret, func.func);
        let is_void = matches!(self.module.types.kind(ret), TyKind::Void);
        let Some(id) = value else {
            if is_void {
                return Ok(StmtData::Return(None));
            }
            let name = &self.module.functions[func].name;
            let message = format!("non-void function `{name}` should return a value");
            self.sink.emit(Diagnostic::new(Code::MissingReturn, span, message));
            return Ok(StmtData::Return(None));
        };
        if !is_void {
            let value = match self.returned_object(id) {
                Some(object) => self.return_object(object, ret)?,
                None => self.conversions().check_converted(id, ret, Target::Return)?,
            };
            return Ok(StmtData::Return(Some(value)));
        }
        let value = self.expressions().check_rvalue(id)?;
        // A void expression may be returned from a void function.
        if self.canonical(self.ty_of(value)) == Ty::VOID {
            return Ok(StmtData::Return(Some(value)));
        }
        let name = &self.module.functions[func].name;
        let message = format!("void function `{name}` should not return a value");
        Err(self.cx.error(Code::ReturnMismatch, self.unit.exprs[id].span, message))
    }
}
