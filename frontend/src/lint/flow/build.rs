//! From a body to its graph. Expressions are walked in the order of their evaluation, which the typed
//! program fixes; `&&`, `||` and `?:` branch like statements.

use std::collections::BTreeMap;

use hashbrown::HashSet;

use super::super::switches::CaseSet;
use super::fold::truth;
use super::graph::{Block, BlockIdx, Event, Fall, Fork, ForkKind, Graph};
use crate::ir::{
    Asm, Body, CaseRange, Expr, ExprData, ForHead, Init, InitData, Label, LogicalOp, Module, Place,
    PlaceData, Stmt, StmtData, SwitchHead, TyKind, evaluated,
};
use crate::source::Span;

/// The graph of a body. `fallthroughs` are the statements that say that a case is meant to go on.
pub(super) fn graph(module: &Module, body: &Body, fallthroughs: &HashSet<Span>) -> Graph {
    let mut builder = Builder {
        module,
        body,
        fallthroughs,
        graph: Graph::default(),
        current: 0,
        breaks: Vec::new(),
        continues: Vec::new(),
        switches: Vec::new(),
        labels: BTreeMap::new(),
        last_stmt: None,
    };
    builder.block();
    let exit = builder.block();
    builder.graph.exit = exit;
    builder.stmt(body.root);
    builder.go_to(exit);
    builder.graph
}

/// The use of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Load,
    Store,
    /// Its address is taken: uses of the address are not tracked.
    Address,
}

struct Builder<'a> {
    module: &'a Module,
    body: &'a Body,
    fallthroughs: &'a HashSet<Span>,
    graph: Graph,
    current: BlockIdx,
    breaks: Vec<BlockIdx>,
    continues: Vec<BlockIdx>,
    /// The heads of the switches around.
    switches: Vec<BlockIdx>,
    labels: BTreeMap<Label, BlockIdx>,
    /// The previous statement within the same case; `None` after a label, and where fall-through is intended.
    last_stmt: Option<Span>,
}

impl Builder<'_> {
    fn block(&mut self) -> BlockIdx {
        self.graph.blocks.push(Block::default());
        self.graph.blocks.len() - 1
    }

    fn event(&mut self, event: Event) {
        self.graph.blocks[self.current].events.push(event);
    }

    fn go_to(&mut self, to: BlockIdx) {
        self.graph.blocks[self.current].succs.push(to);
    }

    /// Control continues elsewhere; the following code is not reached from here.
    fn jump(&mut self, to: BlockIdx) {
        self.go_to(to);
        self.current = self.block();
    }

    fn label(&mut self, label: Label) -> BlockIdx {
        if let Some(&block) = self.labels.get(&label) {
            return block;
        }
        let block = self.block();
        self.labels.insert(label, block);
        block
    }

    fn note(&mut self, span: Span) {
        self.last_stmt = Some(span);
        self.event(Event::Stmt(span));
    }

    fn stmt(&mut self, stmt: Stmt) {
        let body = self.body;
        let node = &body.stmts[stmt];
        match &node.data {
            StmtData::Expr(expr) => {
                self.note(node.span);
                self.expr(*expr);
            }
            StmtData::Local(local, init) => {
                if init.is_some() {
                    self.note(node.span);
                }
                self.event(Event::Declare(*local));
                if let Some(init) = *init {
                    self.init(init);
                    self.event(Event::Store(*local));
                }
            }
            StmtData::Init(place, init) => {
                self.init(*init);
                self.place(*place, Access::Store);
            }
            StmtData::Static(_) => {}
            StmtData::Asm(asm) => {
                self.note(node.span);
                self.asm(asm);
            }
            StmtData::Block(stmts) => stmts.iter().for_each(|&stmt| self.stmt(stmt)),
            StmtData::If { cond, then, otherwise } => {
                self.note(node.span);
                let (holds, fails, end) = (self.block(), self.block(), self.block());
                self.branch(*cond, holds, fails, ForkKind::If);
                self.current = holds;
                self.stmt(*then);
                self.go_to(end);
                self.current = fails;
                if let Some(otherwise) = otherwise.expand() {
                    self.stmt(otherwise);
                }
                self.go_to(end);
                self.current = end;
                self.last_stmt = Some(node.span);
            }
            StmtData::While { cond, body, unroll: _ } => {
                self.note(node.span);
                let (head, turn, end) = (self.block(), self.block(), self.block());
                self.go_to(head);
                self.current = head;
                self.branch(*cond, turn, end, ForkKind::While);
                self.current = turn;
                self.repeated(*body, head, end);
                self.go_to(head);
                self.current = end;
                self.last_stmt = Some(node.span);
            }
            StmtData::DoWhile { body, cond, unroll: _ } => {
                self.note(node.span);
                let (turn, test, end) = (self.block(), self.block(), self.block());
                self.go_to(turn);
                self.current = turn;
                self.repeated(*body, test, end);
                self.go_to(test);
                self.current = test;
                self.branch(*cond, turn, end, ForkKind::Do);
                self.current = end;
                self.last_stmt = Some(node.span);
            }
            StmtData::For(head, body) => {
                let ForHead { init, cond, step, unroll: _ } = &**head;
                self.note(node.span);
                init.iter().for_each(|&stmt| self.stmt(stmt));
                let (head, turn, next, end) = (self.block(), self.block(), self.block(), self.block());
                self.go_to(head);
                self.current = head;
                match *cond {
                    Some(cond) => self.branch(cond, turn, end, ForkKind::For),
                    None => self.go_to(turn),
                }
                self.current = turn;
                self.repeated(*body, next, end);
                self.go_to(next);
                self.current = next;
                if let Some(step) = *step {
                    self.expr(step);
                }
                self.go_to(head);
                self.current = end;
                self.last_stmt = Some(node.span);
            }
            StmtData::Switch { head, body } => {
                self.note(node.span);
                self.expr(head.value);
                self.switch(head, *body, node.span);
                self.last_stmt = Some(node.span);
            }
            StmtData::Case(_, body) | StmtData::Default(body) => {
                self.case(node.span);
                self.stmt(*body);
            }
            StmtData::Label(label, body) => {
                let block = self.label(*label);
                self.go_to(block);
                self.current = block;
                self.stmt(*body);
            }
            StmtData::Goto(label) => {
                self.event(Event::Stmt(node.span));
                let block = self.label(*label);
                self.jump(block);
            }
            StmtData::Break => {
                if let Some(&block) = self.breaks.last() {
                    self.jump(block);
                }
            }
            StmtData::Continue => {
                if let Some(&block) = self.continues.last() {
                    self.jump(block);
                }
            }
            StmtData::Return(value) => {
                if let Some(value) = *value {
                    self.expr(value);
                }
                let exit = self.graph.exit;
                self.jump(exit);
            }
            StmtData::Empty => {
                if self.fallthroughs.contains(&node.span) {
                    self.last_stmt = None;
                }
            }
        }
    }

    fn repeated(&mut self, body: Stmt, next: BlockIdx, end: BlockIdx) {
        self.continues.push(next);
        self.breaks.push(end);
        self.stmt(body);
        self.continues.pop();
        self.breaks.pop();
    }

    fn switch(&mut self, switch: &SwitchHead, body: Stmt, span: Span) {
        let (head, end) = (self.current, self.block());
        self.graph.blocks[head].fork =
            Some(Fork { kind: ForkKind::Switch, span: Span::new(span.lo, span.lo + 6) });
        self.switches.push(head);
        self.breaks.push(end);
        self.current = self.block();
        self.last_stmt = None;
        self.stmt(body);
        self.go_to(end);
        self.breaks.pop();
        self.switches.pop();
        if !switch.has_default && !self.covers(switch.value, &switch.cases) {
            self.graph.blocks[head].succs.push(end);
        }
        self.current = end;
    }

    /// Whether the cases are all the values that an enum names.
    fn covers(&self, value: Expr, cases: &[CaseRange]) -> bool {
        let types = &self.module.types;
        let mut expr = value;
        while let ExprData::Convert(_, inner) = self.body.exprs[expr].data {
            expr = inner;
        }
        let TyKind::Enum(enum_) = *types.kind(types.canonical(self.body.exprs[expr].ty)) else {
            return false;
        };
        let enumerators = types.enums[enum_].enumerators.as_deref().unwrap_or_default();
        let cases = CaseSet::new(cases);
        !enumerators.is_empty() && enumerators.iter().all(|&(_, value)| cases.contains(value))
    }

    fn case(&mut self, span: Span) {
        let from = self.current;
        let block = self.block();
        self.go_to(block);
        if let Some(last) = self.last_stmt.take() {
            self.graph.falls.push(Fall { from, last, label: span });
        }
        if let Some(&head) = self.switches.last() {
            self.graph.blocks[head].succs.push(block);
            self.graph.blocks[head].labels.push(span);
        }
        self.current = block;
    }

    /// To one block or the other.
    fn branch(&mut self, cond: Expr, holds: BlockIdx, fails: BlockIdx, kind: ForkKind) {
        let node = &self.body.exprs[cond];
        match node.data {
            ExprData::Not(inner) => {
                // The kind determines the order of the successors.
                if truth(self.body, inner).is_none()
                    && !matches!(self.body.exprs[inner].data, ExprData::Logical(..))
                {
                    self.expr(inner);
                    return self.fork(holds, fails, Fork { kind, span: node.span });
                }
                self.branch(inner, fails, holds, kind);
            }
            ExprData::Logical(op, lhs, rhs) => {
                let middle = self.block();
                match op {
                    LogicalOp::And => self.branch(lhs, middle, fails, ForkKind::And),
                    LogicalOp::Or => self.branch(lhs, holds, middle, ForkKind::Or),
                }
                self.current = middle;
                self.branch(rhs, holds, fails, kind);
            }
            _ => {
                self.expr(cond);
                match truth(self.body, cond) {
                    Some(true) => self.decided(holds, fails, kind),
                    Some(false) => self.decided(fails, holds, kind),
                    None => self.fork(holds, fails, Fork { kind, span: node.span }),
                }
            }
        }
    }

    fn fork(&mut self, holds: BlockIdx, fails: BlockIdx, fork: Fork) {
        let block = &mut self.graph.blocks[self.current];
        block.succs.extend([holds, fails]);
        block.fork = Some(fork);
    }

    /// A constant condition. That of a loop is meant; that of an `if` is how code is switched off.
    fn decided(&mut self, taken: BlockIdx, other: BlockIdx, kind: ForkKind) {
        let block = &mut self.graph.blocks[self.current];
        block.succs.push(taken);
        if !matches!(kind, ForkKind::While | ForkKind::For | ForkKind::Do) {
            block.cut.push(other);
        }
    }

    fn expr(&mut self, expr: Expr) {
        let body = self.body;
        let node = &body.exprs[expr];
        match &node.data {
            ExprData::Int(_)
            | ExprData::WideInt(_)
            | ExprData::Float(_)
            | ExprData::Null
            | ExprData::FuncAddr(_)
            | ExprData::SpecialReg(_)
            | ExprData::Bound => {}
            ExprData::Load(place) => self.place(*place, Access::Load),
            ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => self.place(*place, Access::Address),
            ExprData::Unary(_, inner) | ExprData::Not(inner) | ExprData::Convert(_, inner) => {
                self.expr(*inner)
            }
            ExprData::Binary(_, lhs, rhs)
            | ExprData::Compare(_, lhs, rhs)
            | ExprData::PtrDiff(lhs, rhs)
            | ExprData::Comma(lhs, rhs)
            | ExprData::PtrOffset { ptr: lhs, index: rhs, .. } => {
                self.expr(*lhs);
                self.expr(*rhs);
            }
            ExprData::Logical(..) => {
                let end = self.block();
                self.branch(expr, end, end, ForkKind::If);
                self.current = end;
            }
            ExprData::Conditional { cond, then, otherwise } => {
                let (then, otherwise) = (*then, *otherwise);
                self.either(*cond, |b| b.expr(then), |b| b.expr(otherwise));
            }
            ExprData::Assign { place, value } => {
                self.expr(*value);
                self.place(*place, Access::Store);
            }
            ExprData::Modify { place, change, .. } => {
                if let Some(rhs) = change.rhs {
                    self.expr(rhs.value);
                }
                // Like for clang, this gives no value to a variable that has none: `total += x[i]` in a loop.
                self.place(*place, Access::Load);
                self.expr(change.new);
            }
            ExprData::Call { callee, args, from_last } => {
                evaluated(args, *from_last).for_each(|(_, arg)| self.expr(arg));
                self.event(Event::Call(*callee, node.span));
            }
            ExprData::CallIndirect { callee, args } => {
                self.expr(*callee);
                args.iter().for_each(|&arg| self.expr(arg));
            }
            ExprData::Builtin(_, args) | ExprData::VaList(_, args) | ExprData::Record(args) => {
                args.iter().for_each(|&arg| self.expr(arg))
            }
            ExprData::Block(stmts, value) => {
                stmts.iter().for_each(|&stmt| self.stmt(stmt));
                value.expand().into_iter().for_each(|value| self.expr(value));
            }
        }
    }

    fn either(&mut self, cond: Expr, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        let (holds, fails, end) = (self.block(), self.block(), self.block());
        self.branch(cond, holds, fails, ForkKind::Conditional);
        self.current = holds;
        then(self);
        self.go_to(end);
        self.current = fails;
        otherwise(self);
        self.go_to(end);
        self.current = end;
    }

    fn asm(&mut self, asm: &Asm) {
        asm.inputs.iter().for_each(|input| self.expr(input.value));
        for output in &asm.outputs {
            if output.is_read {
                self.place(output.place, Access::Load);
            }
            match self.body.places[output.place].data {
                PlaceData::Local(local) => self.event(Event::Store(local)),
                _ if output.is_read => {}
                _ => self.place(output.place, Access::Store),
            }
        }
    }

    fn place(&mut self, place: Place, access: Access) {
        let node = &self.body.places[place];
        match node.data {
            PlaceData::Local(local) => self.event(match access {
                Access::Load => Event::Use(local, node.span),
                Access::Store | Access::Address => Event::Store(local),
            }),
            PlaceData::Global(_) => {}
            PlaceData::Deref(pointer) => self.expr(pointer),
            PlaceData::Field(outer, _) => self.place(outer, access),
            PlaceData::Temporary(value) | PlaceData::Assigned(value) => self.expr(value),
            PlaceData::Conditional(cond, choice) => {
                let [then, otherwise] = self.body.choices[choice];
                self.either(cond, |b| b.place(then, access), |b| b.place(otherwise, access));
            }
            PlaceData::Comma(first, place) => {
                self.expr(first);
                self.place(place, access);
            }
            PlaceData::CompoundLiteral(local, init) => {
                self.init(init);
                self.event(Event::Store(local));
            }
        }
    }

    fn init(&mut self, init: Init) {
        let body = self.body;
        match &body.inits[init].data {
            InitData::Expr(expr) => self.expr(*expr),
            InitData::Array(items) => items.iter().for_each(|&(_, init)| self.init(init)),
            InitData::Record(items) | InitData::Partial(items) => {
                items.iter().for_each(|&(_, init)| self.init(init));
            }
            InitData::Each(elem) => self.init(*elem),
            InitData::Construct(_, args) => args.iter().for_each(|&arg| self.expr(arg)),
            InitData::Bytes(_) => {}
        }
    }
}
