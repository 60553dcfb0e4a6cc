//! Mistakes specific to device code: barriers that some threads do not reach, and more threads or shared memory
//! than a block can have.

use std::collections::BTreeSet;

use super::Lints;
use crate::diag::{Code, Diagnostic};
use crate::ir::{
    Body, Builtin, Expr, ExprData, Function, FunctionKind, Init, InitData, Local, PlaceData, Space,
    SpecialReg, Stmt, StmtData, SyncOp,
};
use crate::layout;
use crate::source::Span;

/// Bytes of shared memory that a block can have without a request at its launch (CUDA C++ Programming Guide
/// "Technical Specifications per Compute Capability").
const MAX_STATIC_SHARED: u64 = 48 << 10;

/// Threads that a block can have (as before).
const MAX_THREADS: u64 = 1024;

impl Lints<'_> {
    pub(super) fn shared_memory(&mut self) {
        let module = self.module;
        for data in module.globals.values().filter(|data| data.space == Space::Shared && !data.is_extern) {
            let Ok(layout) = layout::layout_of(&module.types, data.ty) else { continue };
            if layout.size > MAX_STATIC_SHARED {
                let message = format!(
                    "variable takes {} bytes of shared memory; the maximum is 49152 (48 KiB)",
                    layout.size
                );
                let diagnostic = Diagnostic::new(Code::SharedMemorySize, data.span, message)
                    .with_note("`ptxas` rejects kernels that use it")
                    .with_help("for more, use an `extern __shared__` array, whose size is given at launch");
                self.warn(diagnostic);
            }
        }
    }

    pub(super) fn launch_bounds(&mut self, function: &Function) {
        let FunctionKind::Kernel(bounds) = &function.kind else { return };
        let product = |dims: [u32; 3]| dims.into_iter().map(u64::from).product::<u64>();
        let max = bounds.max_threads.map(u64::from);
        let block = bounds.block.map(product);
        let message = match (max, block) {
            (Some(max), _) if max > MAX_THREADS => {
                format!("launch bounds specify {max} threads per block; the maximum is {MAX_THREADS}")
            }
            (_, Some(block)) if block > MAX_THREADS => {
                format!("block size is {block} threads; the maximum is {MAX_THREADS}")
            }
            (Some(max), Some(block)) if block > max => {
                format!("block size is {block} threads; the launch bounds allow {max}")
            }
            (Some(_) | None, _) => return,
        };
        let diagnostic = Diagnostic::new(Code::LaunchBounds, function.span, message)
            .with_note("every launch of the kernel with this many fails");
        self.warn(diagnostic);
    }

    pub(super) fn barriers(&mut self, body: &Body) {
        let has_barrier = || body.exprs.values().any(|node| is_barrier(&node.data));
        if self.sink.is_on(Code::DivergentBarrier) && has_barrier() {
            self.barriers_in(body, body.root, &varying_locals(body), None);
        }
    }

    /// Barriers under conditions that are not the same for all threads of a block; `under` is the outermost such
    /// condition around the statement.
    fn barriers_in(&mut self, body: &Body, stmt: Stmt, varying: &BTreeSet<Local>, under: Option<Span>) {
        match &body.stmts[stmt].data {
            StmtData::Expr(expr) => {
                if let (Some(cond), true) = (under, is_barrier(&body.exprs[*expr].data)) {
                    let message = "barrier in divergent control flow";
                    let diagnostic = Diagnostic::new(Code::DivergentBarrier, body.exprs[*expr].span, message)
                        .with_label(cond, "depends on `threadIdx`")
                        .with_note("all threads of the block must reach the same barrier; otherwise the kernel may hang")
                        .with_help("move the barrier after the `if`");
                    self.warn(diagnostic);
                }
            }
            StmtData::If { cond, then, otherwise } => {
                let own = || varies(body, *cond, varying).then(|| body.exprs[*cond].span);
                let under = under.or_else(own);
                for branch in [Some(*then), otherwise.expand()].into_iter().flatten() {
                    self.barriers_in(body, branch, varying, under);
                }
            }
            StmtData::Block(stmts) => {
                stmts.iter().for_each(|&stmt| self.barriers_in(body, stmt, varying, under));
            }
            StmtData::While { body: inner, .. }
            | StmtData::DoWhile { body: inner, .. }
            | StmtData::For(_, inner)
            | StmtData::Switch { body: inner, .. }
            | StmtData::Case(_, inner)
            | StmtData::Default(inner)
            | StmtData::Label(_, inner) => self.barriers_in(body, *inner, varying, under),
            StmtData::Local(..)
            | StmtData::Init(..)
            | StmtData::Static(_)
            | StmtData::Asm(_)
            | StmtData::Goto(_)
            | StmtData::Break
            | StmtData::Continue
            | StmtData::Return(_)
            | StmtData::Empty => {}
        }
    }
}

fn is_barrier(data: &ExprData) -> bool {
    matches!(data, ExprData::Builtin(Builtin::Sync(SyncOp::SyncThreads), _))
}

/// The variables that get a value by `threadIdx`, and no other.
fn varying_locals(body: &Body) -> BTreeSet<Local> {
    let mut assigned: BTreeSet<Local> =
        body.exprs.values().filter_map(|node| assigned(body, &node.data)).collect();
    for node in body.stmts.values() {
        if let StmtData::Asm(asm) = &node.data {
            assigned.extend(asm.outputs.iter().filter_map(|output| match body.places[output.place].data {
                PlaceData::Local(local) => Some(local),
                _ => None,
            }));
        }
    }
    let mut varying = BTreeSet::new();
    for node in body.stmts.values() {
        if let StmtData::Local(local, Some(init)) = node.data
            && !assigned.contains(&local)
            && value_of(body, init).is_some_and(|value| varies(body, value, &varying))
        {
            varying.insert(local);
        }
    }
    varying
}

fn assigned(body: &Body, data: &ExprData) -> Option<Local> {
    let (ExprData::Assign { place, .. } | ExprData::Modify { place, .. } | ExprData::AddrOf(place)) = data
    else {
        return None;
    };
    match body.places[*place].data {
        PlaceData::Local(local) => Some(local),
        _ => None,
    }
}

fn value_of(body: &Body, init: Init) -> Option<Expr> {
    match body.inits[init].data {
        InitData::Expr(expr) => Some(expr),
        InitData::Array(_)
        | InitData::Record(_)
        | InitData::Partial(_)
        | InitData::Each(_)
        | InitData::Construct(..)
        | InitData::Bytes(_) => None,
    }
}

/// Whether the value is computed from `threadIdx`. Results of calls and loads may be the same for all threads.
fn varies(body: &Body, expr: Expr, varying: &BTreeSet<Local>) -> bool {
    let of = |expr| varies(body, expr, varying);
    match body.exprs[expr].data {
        ExprData::SpecialReg(SpecialReg::Tid(_)) => true,
        ExprData::Load(place) => match body.places[place].data {
            PlaceData::Local(local) => varying.contains(&local),
            _ => false,
        },
        ExprData::Convert(_, inner) | ExprData::Not(inner) | ExprData::Unary(_, inner) => of(inner),
        ExprData::Binary(_, lhs, rhs) | ExprData::Compare(_, lhs, rhs) | ExprData::Logical(_, lhs, rhs) => {
            of(lhs) || of(rhs)
        }
        _ => false,
    }
}
