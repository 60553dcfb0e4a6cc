//! Uninitialized variables.
//!
//! At each point a variable is certainly uninitialized, certainly initialized, or either. A read where
//! it is certainly uninitialized is reported; where it may be either, only if some branch certainly leads to the
//! read without an assignment on the way: then the program is wrong, or the branch is
//! never taken. Nothing else is reported, to avoid false warnings.
//!
//! Only scalars are tracked. Taking the address counts as an initialization.

use super::super::Lints;
use super::graph::{BlockIdx, Event, ForkKind, Graph};
use crate::diag::{Code, Diagnostic, Fix};
use crate::ir::{Body, Local, TyKind};
use crate::source::Span;

/// The set of possible states: empty while unreached.
type State = u8;

const UNINIT: State = 1;
const INIT: State = 2;

/// A read of a variable without a value.
struct Finding {
    span: Span,
    /// The branches that lead to it; empty if all do.
    branches: Vec<(Span, &'static str)>,
}

impl Lints<'_> {
    pub(super) fn uninitialized(&mut self, body: &Body, graph: &Graph) {
        if !self.sink.is_on(Code::Uninitialized) && !self.sink.is_on(Code::SometimesUninitialized) {
            return;
        }
        let declared = graph.blocks.iter().flat_map(|block| &block.events).filter_map(|event| match event {
            Event::Declare(local) => Some(*local),
            _ => None,
        });
        let mut tracked: Vec<Local> = declared.filter(|&local| self.is_scalar(body, local)).collect();
        tracked.sort();
        tracked.dedup();
        if tracked.is_empty() {
            return;
        }
        let reached = graph.reachable(false);
        let preds = graph.preds();
        for local in tracked {
            let states = states(graph, local);
            let finding = find(graph, &reached, &preds, &states, local);
            if let Some(finding) = finding {
                self.report_uninit(body, local, &finding);
            }
        }
    }

    fn is_scalar(&self, body: &Body, local: Local) -> bool {
        let types = &self.module.types;
        matches!(
            types.kind(types.canonical(body.locals[local].ty)),
            TyKind::Int(_) | TyKind::Float(_) | TyKind::Pointer(_) | TyKind::Enum(_)
        )
    }

    fn report_uninit(&mut self, body: &Body, local: Local, finding: &Finding) {
        let data = &body.locals[local];
        let name = data.name.as_deref().unwrap_or_default();
        let mut diagnostic = match finding.branches.first() {
            None => Diagnostic::new(
                Code::Uninitialized,
                finding.span,
                format!("variable `{name}` is uninitialized when used here"),
            ),
            Some(&(branch, when)) => Diagnostic::new(
                Code::SometimesUninitialized,
                branch,
                format!("variable `{name}` is used uninitialized whenever {when}"),
            )
            .with_label(finding.span, "uninitialized use occurs here"),
        };
        for &(span, when) in finding.branches.iter().skip(1) {
            diagnostic = diagnostic.with_label(span, format!("or whenever {when}"));
        }
        diagnostic = diagnostic.with_label(data.span, format!("`{name}` declared here"));
        let types = &self.module.types;
        let zero = match types.kind(types.canonical(data.ty)) {
            TyKind::Int(_) => Some(" = 0"),
            TyKind::Float(crate::ir::FloatTy::Float) => Some(" = 0.0f"),
            TyKind::Float(_) => Some(" = 0.0"),
            TyKind::Pointer(_) => Some(" = nullptr"),
            _ => None,
        };
        // The declarator may go on after the name.
        if let Some(zero) = zero
            && matches!(self.next_char(data.span), Some(';' | ','))
        {
            let title = format!("initialize the variable `{name}`");
            diagnostic = diagnostic.with_fix(Fix::new(title, data.span.end(), zero));
        }
        self.warn(diagnostic);
    }

    /// The first character after the place that is not a blank.
    fn next_char(&self, span: Span) -> Option<char> {
        let file = self.sources.file(self.sources.file_of(span));
        file.text().get(self.sources.range(span).end..)?.trim_start().chars().next()
    }
}

/// The variable's state at the beginning and the end of each block.
fn states(graph: &Graph, local: Local) -> Vec<(State, State)> {
    let mut states = vec![(0, 0); graph.blocks.len()];
    // A jump past the declaration finds no value either.
    states[0].0 = UNINIT;
    let mut queue = vec![0];
    while let Some(idx) = queue.pop() {
        let end = at_end(graph, idx, local, states[idx].0);
        states[idx].1 = end;
        for &succ in &graph.blocks[idx].succs {
            let before = states[succ].0;
            if before | end != before {
                states[succ].0 |= end;
                queue.push(succ);
            }
        }
    }
    states
}

fn at_end(graph: &Graph, block: BlockIdx, local: Local, start: State) -> State {
    graph.blocks[block].events.iter().fold(start, |state, event| after(event, local, state))
}

fn after(event: &Event, local: Local, state: State) -> State {
    match *event {
        Event::Declare(declared) if declared == local => UNINIT,
        Event::Store(stored) if stored == local => INIT,
        Event::Stmt(_) | Event::Declare(_) | Event::Use(..) | Event::Store(_) | Event::Call(..) => state,
    }
}

/// The first read that is worth a word; those that are certain first.
fn find(
    graph: &Graph,
    reached: &[bool],
    preds: &[Vec<BlockIdx>],
    states: &[(State, State)],
    local: Local,
) -> Option<Finding> {
    let mut sometimes: Option<Finding> = None;
    let mut always: Option<Finding> = None;
    for (idx, block) in graph.blocks.iter().enumerate().filter(|&(idx, _)| reached[idx]) {
        let mut state = states[idx].0;
        for event in &block.events {
            if let Event::Use(used, span) = *event
                && used == local
            {
                let is_earlier =
                    |other: &Option<Finding>| other.as_ref().is_none_or(|other| span < other.span);
                if state == UNINIT && is_earlier(&always) {
                    always = Some(Finding { span, branches: Vec::new() });
                } else if state == UNINIT | INIT && is_earlier(&sometimes) {
                    let branches = branches(graph, preds, states, idx, local);
                    if !branches.is_empty() {
                        sometimes = Some(Finding { span, branches });
                    }
                }
                // The rest was reported here.
                state = INIT;
            }
            state = after(event, local, state);
        }
    }
    always.or(sometimes)
}

/// The branches from which the read in a block follows for certain without a value on the way.
fn branches(
    graph: &Graph,
    preds: &[Vec<BlockIdx>],
    states: &[(State, State)],
    block: BlockIdx,
    local: Local,
) -> Vec<(Span, &'static str)> {
    // How many ways out of each block lead to the read.
    let mut n_leading = vec![0; graph.blocks.len()];
    n_leading[block] = graph.blocks[block].succs.len().max(1);
    let leads = |n_leading: &[usize], idx: BlockIdx| n_leading[idx] >= graph.blocks[idx].succs.len().max(1);
    let mut queue = vec![block];
    while let Some(idx) = queue.pop() {
        for &pred in &preds[idx] {
            if states[pred].1 == INIT || states[pred].1 == 0 {
                continue;
            }
            let declares = graph.blocks[pred].events.contains(&Event::Declare(local));
            n_leading[pred] += 1;
            if n_leading[pred] == graph.blocks[pred].succs.len() && !declares {
                queue.push(pred);
            }
        }
    }
    let mut branches = Vec::new();
    for (idx, node) in graph.blocks.iter().enumerate() {
        let Some(fork) = node.fork else { continue };
        if n_leading[idx] == 0 || n_leading[idx] >= node.succs.len() || states[idx].1 != UNINIT {
            continue;
        }
        for (way, &succ) in node.succs.iter().enumerate() {
            if !leads(&n_leading, succ) {
                continue;
            }
            match (fork.kind, node.labels.get(way)) {
                (ForkKind::Switch, Some(label)) => {
                    branches.push((Span::new(label.lo, label.lo + 4), fork.kind.describe(way)));
                }
                // A `switch` without `default` is assumed to handle all values.
                (ForkKind::Switch, None) => {}
                (_, _) => branches.push((fork.span, fork.kind.describe(way))),
            }
        }
    }
    branches
}
