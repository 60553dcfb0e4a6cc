//! Statements (C++17 9), and where jumps may lead.
//!
//! A declaration becomes as many statements as it has declarators, so checks append to a list.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use cranelift_entity::PrimaryMap;

use super::Cx;
use super::const_eval::Value;
use super::convert::Target;
use super::lifetime::{Alive, Lifetimes};
use super::warn::Dropped;
use crate::ast::{ExprId, Name, StmtId, StmtKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Func, Label, LabelData, Local, LocalData, Stmt, StmtData, StmtNode, Ty, TyKind};
use crate::source::Span;
use crate::token::Symbol;

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
    label_uses: BTreeMap<Symbol, LabelUse>,
    gotos: Vec<(Symbol, Span, Alive)>,
    /// The variables with initializers, and those alive where the checks are.
    lifetimes: Lifetimes,
    alive: Alive,
    /// Some statement was not understood; reported.
    is_broken: bool,
    n_loops: u32,
    switches: Vec<SwitchCx>,
    /// What encloses the statement, loops and switches alike.
    n_breakable: u32,
}

struct LabelUse {
    label: Label,
    /// Where it stands, once it was seen, and what is alive there.
    defined: Option<(Span, Alive)>,
}

struct SwitchCx {
    /// The promoted type of the condition.
    ty: Ty,
    cases: Vec<i128>,
    seen: HashMap<i128, Span>,
    default: Option<Span>,
    alive: Alive,
    span: Span,
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
            label_uses: BTreeMap::new(),
            gotos: Vec::new(),
            lifetimes: Lifetimes::default(),
            alive: Alive::default(),
            is_broken: false,
            n_loops: 0,
            switches: Vec::new(),
            n_breakable: 0,
        }
    }

    /// From here to the end of the scope, an initialized variable is alive.
    pub(super) fn note_initialized(&mut self, span: Span, name: String) {
        self.alive = self.lifetimes.begin(self.alive, span, name);
    }
}

impl Cx<'_> {
    pub(super) fn func_cx(&mut self) -> &mut FuncCx {
        self.func.as_mut().expect("invariant: statements and locals are in a function")
    }

    pub(super) fn stmt(&mut self, data: StmtData, span: Span) -> Stmt {
        self.func_cx().stmts.push(StmtNode { data, span })
    }

    /// Opens a scope around `check`.
    pub(super) fn in_scope<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.push();
        let alive = self.func_cx().alive;
        let result = check(self);
        self.func_cx().alive = alive;
        self.scopes.pop();
        result
    }

    /// Checks a statement that is a scope of its own: the body of an `if` or a loop (C++17 9.4p1).
    fn check_body(&mut self, id: StmtId) -> Stmt {
        let unit = self.unit;
        let span = unit.stmts[id].span;
        if let StmtKind::Block(_) = unit.stmts[id].kind {
            return self.check_block(id);
        }
        let mut list = self.in_scope(|cx| {
            let mut list = Vec::new();
            cx.check_stmt(id, &mut list);
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
        let list = self.in_scope(|cx| cx.check_list(id));
        self.stmt(StmtData::Block(list), span)
    }

    /// The statements of a block, in the scope that is open.
    pub(super) fn check_list(&mut self, id: StmtId) -> Vec<Stmt> {
        let unit = self.unit;
        let mut list = Vec::new();
        match &unit.stmts[id].kind {
            StmtKind::Block(stmts) => stmts.iter().for_each(|&stmt| self.check_stmt(stmt, &mut list)),
            _ => self.check_stmt(id, &mut list),
        }
        list
    }

    fn check_stmt(&mut self, id: StmtId, list: &mut Vec<Stmt>) {
        let unit = self.unit;
        let node = &unit.stmts[id];
        let span = node.span;
        let data = match &node.kind {
            StmtKind::Expr(expr) => self.check_discarded(*expr, Dropped::Statement).map(StmtData::Expr),
            StmtKind::Decl(decl) => return self.check_local_decl(decl, list),
            StmtKind::Block(_) => {
                let block = self.check_block(id);
                return list.push(block);
            }
            StmtKind::If { cond, then, otherwise } => {
                let cond = self.check_condition(*cond);
                let then = self.check_body(*then);
                let otherwise = otherwise.map(|s| self.check_body(s));
                cond.map(|cond| StmtData::If { cond, then, otherwise })
            }
            StmtKind::While { cond, body } => {
                let cond = self.check_condition(*cond);
                let body = self.check_loop_body(*body);
                cond.map(|cond| StmtData::While { cond, body })
            }
            StmtKind::DoWhile { body, cond } => {
                let body = self.check_loop_body(*body);
                let cond = self.check_condition(*cond);
                cond.map(|cond| StmtData::DoWhile { body, cond })
            }
            StmtKind::For { init, cond, step, body } => self.check_for(*init, *cond, *step, *body),
            StmtKind::Switch { cond, body } => self.check_switch(*cond, *body, span),
            StmtKind::Case { value, body } => {
                let value = self.check_case(*value, span);
                return self.check_labelled(*body, list, span, |body| value.map(|v| StmtData::Case(v, body)));
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
                let alive = func.alive;
                func.gotos.push((name.symbol, name.span, alive));
                Ok(StmtData::Goto(label))
            }
            StmtKind::Break => self.check_break(span),
            StmtKind::Continue => self.check_continue(span),
            StmtKind::Return(value) => self.check_return(*value, span),
            StmtKind::Empty => Ok(StmtData::Empty),
            StmtKind::Error => {
                self.func_cx().is_broken = true;
                Err(self.poisoned())
            }
        };
        // A statement with an error in it is missing.
        if let Ok(data) = data {
            let stmt = self.stmt(data, span);
            list.push(stmt);
        }
    }

    /// A label and the statement behind it. In C++ that can be a declaration, whose further
    /// statements follow the labelled one.
    fn check_labelled(
        &mut self,
        body: StmtId,
        list: &mut Vec<Stmt>,
        span: Span,
        label: impl FnOnce(Stmt) -> Result<StmtData, Reported>,
    ) {
        let mut bodies = Vec::new();
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

    fn check_loop_body(&mut self, body: StmtId) -> Stmt {
        let func = self.func_cx();
        func.n_loops += 1;
        func.n_breakable += 1;
        let body = self.check_body(body);
        let func = self.func_cx();
        func.n_loops -= 1;
        func.n_breakable -= 1;
        body
    }

    // C++17 9.5.3
    fn check_for(
        &mut self,
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) -> Result<StmtData, Reported> {
        self.in_scope(|cx| {
            let mut list = Vec::new();
            if let Some(init) = init {
                cx.check_stmt(init, &mut list);
            }
            let cond = cond.map(|c| cx.check_condition(c));
            let step = step.map(|s| cx.check_discarded(s, Dropped::Statement));
            cx.check_not_redeclared_in(body);
            let body = cx.check_loop_body(body);
            let (cond, step) = (cond.transpose()?, step.transpose()?);
            Ok(StmtData::For { init: list, cond, step, body })
        })
    }

    /// The names of a `for`'s declaration are not to be declared again in its body's outermost
    /// block (C++17 6.3.3p4).
    fn check_not_redeclared_in(&mut self, body: StmtId) {
        let unit = self.unit;
        let StmtKind::Block(stmts) = &unit.stmts[body].kind else { return };
        for &stmt in stmts {
            let StmtKind::Decl(decl) = &unit.stmts[stmt].kind else { continue };
            let crate::ast::DeclKind::Declarators { declarators, .. } = &decl.kind else { continue };
            for name in declarators.iter().filter_map(|d| d.declarator.name) {
                if let Some(previous) = self.scopes.get_here(name.symbol) {
                    self.redefinition(name, previous);
                }
            }
        }
    }

    // C++17 9.4.2
    fn check_switch(&mut self, cond: ExprId, body: StmtId, span: Span) -> Result<StmtData, Reported> {
        let value = self.check_rvalue(cond).and_then(|value| self.switch_value(value));
        let ty = value.map_or(Ty::ERROR, |value| self.ty_of(value));
        let func = self.func_cx();
        let alive = func.alive;
        func.switches.push(SwitchCx {
            ty,
            cases: Vec::new(),
            seen: HashMap::new(),
            default: None,
            alive,
            span: Span::new(span.lo, span.lo + 6),
        });
        func.n_breakable += 1;
        let body = self.check_body(body);
        let func = self.func_cx();
        func.n_breakable -= 1;
        let switch = func.switches.pop().expect("invariant: pushed above");
        Ok(StmtData::Switch {
            value: value?,
            cases: switch.cases,
            has_default: switch.default.is_some(),
            body,
        })
    }

    fn switch_value(&mut self, value: crate::ir::Expr) -> Result<crate::ir::Expr, Reported> {
        let ty = self.ty_of(value);
        if self.module.types.int_ty(ty).is_some() {
            return Ok(self.promote(value));
        }
        let (ty, span) = (self.show(ty), self.span_of(value));
        let message = format!("statement requires expression of integer type ({ty} invalid)");
        Err(self.error(Code::InvalidCondition, span, message))
    }

    fn check_case(&mut self, value: ExprId, span: Span) -> Result<i128, Reported> {
        let constant = self.int_constant(value, "case value");
        let Some(switch) = self.func_cx().switches.last() else {
            let keyword = Span::new(span.lo, span.lo + 4);
            return Err(self.error(Code::MisplacedLabel, keyword, "`case` outside of a `switch`"));
        };
        let ty = switch.ty;
        let constant = constant?;
        let Some(int) = self.module.types.int_ty(ty) else { return Err(self.poisoned()) };
        let span = self.unit.exprs[value].span;
        if !constant.fits(int) {
            let ty = self.show(ty);
            let message = format!("case value {constant} cannot be narrowed to type {ty}");
            return Err(self.error(Code::NarrowingCase, span, message));
        }
        let switch = self.func_cx().switches.last_mut().expect("invariant: seen above");
        let bits = constant.wrapped(int);
        if let Some(previous) = switch.seen.insert(bits, span) {
            let message = format!("duplicate case value {constant}");
            let diagnostic = Diagnostic::new(Code::DuplicateCase, span, message)
                .with_label(previous, "previous case here");
            return Err(self.sink.error(diagnostic));
        }
        switch.cases.push(bits);
        self.check_switch_jump(span);
        Ok(bits)
    }

    fn check_default(&mut self, span: Span) -> Result<(), Reported> {
        let keyword = Span::new(span.lo, span.lo + 7);
        let Some(switch) = self.func_cx().switches.last_mut() else {
            return Err(self.error(Code::MisplacedLabel, keyword, "`default` outside of a `switch`"));
        };
        if let Some(previous) = switch.default.replace(keyword) {
            let diagnostic =
                Diagnostic::new(Code::DuplicateCase, keyword, "second `default` in one `switch`")
                    .with_label(previous, "previous `default` here");
            return Err(self.sink.error(diagnostic));
        }
        self.check_switch_jump(keyword);
        Ok(())
    }

    /// The jump from the head of the switch to the label passes by no initialization. C++17 9.7p3
    /// forbids it; nvcc takes it with a warning, as C does.
    fn check_switch_jump(&mut self, span: Span) {
        let func = self.func_cx();
        let Some(switch) = func.switches.last() else { return };
        let head = switch.span;
        let Some((at, name)) = func.lifetimes.bypassed(switch.alive, func.alive) else { return };
        let name = name.to_owned();
        let diagnostic = Diagnostic::new(
            Code::SwitchPastInitialization,
            span,
            "the jump from `switch` to this label passes by an initialization",
        )
        .with_label(head, "the jump starts here")
        .with_label(at, format!("the jump bypasses the initialization of `{name}`"))
        .with_help("put the case's statements in braces");
        self.sink.emit(diagnostic);
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
        let gotos = std::mem::take(&mut self.func_cx().gotos);
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
            let Some((variable, name)) = func.lifetimes.bypassed(from, to) else { continue };
            let name = name.to_owned();
            let message = "cannot jump from this `goto` to its label";
            let diagnostic = Diagnostic::new(Code::JumpPastInitialization, span, message)
                .with_label(at, "the label")
                .with_label(variable, format!("the jump bypasses the initialization of `{name}`"));
            self.sink.error(diagnostic);
        }
    }

    fn check_break(&mut self, span: Span) -> Result<StmtData, Reported> {
        if self.func_cx().n_breakable > 0 {
            return Ok(StmtData::Break);
        }
        Err(self.error(Code::MisplacedJump, span, "`break` outside of a loop or `switch`"))
    }

    fn check_continue(&mut self, span: Span) -> Result<StmtData, Reported> {
        if self.func_cx().n_loops > 0 {
            return Ok(StmtData::Continue);
        }
        Err(self.error(Code::MisplacedJump, span, "`continue` outside of a loop"))
    }

    // C++17 9.6.3
    fn check_return(&mut self, value: Option<ExprId>, span: Span) -> Result<StmtData, Reported> {
        let func = self.func_cx();
        let (ret, func) = (func.ret, func.func);
        let name = self.module.functions[func].name.clone();
        let is_void = matches!(self.module.types.kind(ret), TyKind::Void);
        let Some(id) = value else {
            if is_void {
                return Ok(StmtData::Return(None));
            }
            let message = format!("non-void function `{name}` should return a value");
            return Err(self.error(Code::ReturnMismatch, span, message));
        };
        let value = self.check_rvalue(id)?;
        if !is_void {
            let value = self.convert(value, ret, Target::Return)?;
            return Ok(StmtData::Return(Some(value)));
        }
        // A void expression may be returned from a void function.
        if self.canonical(self.ty_of(value)) == Ty::VOID {
            return Ok(StmtData::Return(Some(value)));
        }
        let message = format!("void function `{name}` should not return a value");
        Err(self.error(Code::ReturnMismatch, self.unit.exprs[id].span, message))
    }
}
