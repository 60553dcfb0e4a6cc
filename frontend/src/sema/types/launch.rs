//! What a kernel says about its launches (CUDA C++ Programming Guide "Launch Bounds", "Maximum Number of
//! Registers per Thread", "Thread Block Clusters").

use super::qualifier::Attrs;
use crate::ast::{BinaryOp, ExprId, ExprKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Exact, LaunchBounds};
use crate::sema::Types;
use crate::source::Span;

/// Where each of the qualifiers was written, and what all of them say.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::sema) struct Launch {
    pub(in crate::sema) bounds: LaunchBounds,
    launch_bounds: Option<Span>,
    maxnreg: Option<Span>,
    cluster_dims: Option<Span>,
    block_size: Option<Span>,
    /// `__block_size__` has said how many blocks a cluster has.
    block_size_has_cluster: bool,
}

impl Launch {
    /// The qualifiers, named.
    pub(in crate::sema) fn qualifiers(&self) -> [(Option<Span>, &'static str); 4] {
        [
            (self.launch_bounds, "__launch_bounds__"),
            (self.maxnreg, "__maxnreg__"),
            (self.cluster_dims, "__cluster_dims__"),
            (self.block_size, "__block_size__"),
        ]
    }
}

impl Types<'_> {
    /// `__launch_bounds__(threads, blocks, cluster)`, of which a 0 says nothing, as nvcc has it.
    pub(super) fn collect_launch_bounds(&mut self, args: &[ExprId], span: Span, launch: &mut Launch) {
        if args.is_empty() || args.len() > 3 {
            let message = format!("`__launch_bounds__` expects 1 to 3 arguments, got {}", args.len());
            self.error(Code::InvalidLaunchBounds, span, message);
            return;
        }
        let mut values = [None; 3];
        for (slot, &arg) in values.iter_mut().zip(args) {
            let Ok(value) = self.launch_bound(arg) else { return };
            *slot = value;
        }
        let [max_threads, min_blocks, max_cluster_blocks] = values;
        launch.bounds = LaunchBounds { max_threads, min_blocks, max_cluster_blocks, ..launch.bounds };
        launch.launch_bounds = Some(span);
    }

    /// `__maxnreg__(registers)`
    pub(super) fn collect_maxnreg(&mut self, arg: ExprId, span: Span, launch: &mut Launch) {
        launch.bounds.max_registers = self.launch_value(arg, "number of registers");
        launch.maxnreg = Some(span);
    }

    /// `__cluster_dims__(x, y, z)`, or `__cluster_dims__()`: each launch says it.
    pub(super) fn collect_cluster_dims(&mut self, args: &[ExprId], span: Span, launch: &mut Launch) {
        launch.cluster_dims = Some(span);
        if args.is_empty() {
            launch.bounds.cluster.get_or_insert([0; 3]);
            return;
        }
        if let Some(dims) = self.dimensions(args, span, "__cluster_dims__") {
            launch.bounds.cluster = Some(dims);
        }
    }

    /// `__block_size__((x, y, z), (x, y, z))`: the threads of a block, and the blocks of a cluster, which is
    /// then what a launch counts.
    pub(super) fn collect_block_size(&mut self, args: &[ExprId], span: Span, launch: &mut Launch) {
        launch.block_size = Some(span);
        launch.block_size_has_cluster = args.len() > 1;
        let tuples: Vec<_> = args.iter().map(|&arg| self.tuple(arg)).collect();
        let tuples: Option<Vec<Vec<ExprId>>> = tuples.into_iter().collect();
        let Some((block, cluster)) = tuples.as_deref().and_then(|tuples| match tuples {
            [block] if block.len() == 3 => Some((block, None)),
            [block, cluster] if block.len() == 3 => Some((block, Some(cluster))),
            _ => None,
        }) else {
            let message = "`__block_size__` expects the block dimensions in parentheses, then optionally those of a cluster";
            let diagnostic = Diagnostic::new(Code::InvalidLaunchBounds, span, message)
                .with_help("use `__block_size__((x, y, z))` or `__block_size__((x, y, z), (x, y, z))`");
            self.sink.emit(diagnostic);
            return;
        };
        launch.bounds.block = self.dimensions(block, span, "__block_size__");
        if let Some(cluster) = cluster {
            launch.bounds.cluster = self.dimensions(cluster, span, "__block_size__");
        }
    }

    /// Reports qualifiers that contradict one another, once all are read.
    pub(super) fn check_launch(&mut self, attrs: &Attrs) {
        let Launch { launch_bounds, maxnreg, cluster_dims, block_size_has_cluster, .. } = attrs.launch;
        if let (Some(span), Some(bounds)) = (maxnreg, launch_bounds) {
            let message = "`__maxnreg__` and `__launch_bounds__` attributes are not compatible";
            let diagnostic = Diagnostic::new(Code::InvalidLaunchBounds, span, message)
                .with_label(bounds, "both limit the number of registers of a thread");
            self.sink.emit(diagnostic);
        }
        let is_open = attrs.launch.bounds.cluster == Some([0; 3]);
        if let (Some(span), true, Some(block)) = (cluster_dims, is_open, attrs.launch.block_size) {
            let message =
                "`__cluster_dims__` without dimensions and `__block_size__` attributes are not compatible";
            let diagnostic = Diagnostic::new(Code::InvalidLaunchBounds, span, message).with_label(
                block,
                "launches of such a kernel count clusters, so the cluster size must be known",
            );
            self.sink.emit(diagnostic);
        } else if let (true, Some(span)) = (block_size_has_cluster, cluster_dims) {
            let message = "`__cluster_dims__` conflicts with the cluster size in `__block_size__`";
            self.error(Code::InvalidLaunchBounds, span, message);
        }
    }

    /// One to three positive numbers, 1 for those that are not written.
    fn dimensions(&mut self, args: &[ExprId], span: Span, name: &str) -> Option<[u32; 3]> {
        if args.len() > 3 {
            let message = format!("`{name}` expects at most 3 dimensions, got {}", args.len());
            self.error(Code::InvalidLaunchBounds, span, message);
            return None;
        }
        let mut dims = [1; 3];
        for (slot, &arg) in dims.iter_mut().zip(args) {
            *slot = self.launch_value(arg, "dimension")?;
        }
        Some(dims)
    }

    /// The elements of `(a, b, c)`, which the grammar takes for an expression.
    fn tuple(&self, arg: ExprId) -> Option<Vec<ExprId>> {
        let ExprKind::Paren(mut rest) = self.unit.exprs[arg].kind else { return None };
        let mut elems = Vec::new();
        while let ExprKind::Binary { op: BinaryOp::Comma, lhs, rhs, .. } = self.unit.exprs[rest].kind {
            elems.push(rhs);
            rest = lhs;
        }
        elems.push(rest);
        elems.reverse();
        Some(elems)
    }

    fn launch_bound(&mut self, arg: ExprId) -> Result<Option<u32>, Reported> {
        let what = "launch bound";
        let value = self.int_constant(arg, what)?;
        if value == Exact::ZERO {
            return Ok(None);
        }
        self.positive(arg, value, what).map(Some)
    }

    fn launch_value(&mut self, arg: ExprId, what: &str) -> Option<u32> {
        let value = self.int_constant(arg, what).ok()?;
        self.positive(arg, value, what).ok()
    }

    fn positive(&mut self, arg: ExprId, value: Exact, what: &str) -> Result<u32, Reported> {
        match u32::try_from(value) {
            Ok(value) if value > 0 && value <= i32::MAX as u32 => Ok(value),
            Ok(_) | Err(_) => {
                let span = self.unit.exprs[arg].span;
                let message = format!("{what} {value} is not a positive `int`");
                Err(self.error(Code::InvalidLaunchBounds, span, message))
            }
        }
    }
}
