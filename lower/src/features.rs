//! What a program uses that not every GPU and PTX version has.

use std::collections::BTreeMap;

use weft_frontend::ir::{AtomicOp, Builtin, ExprData, FloatTy, FunctionKind, Module, SyncOp};
use weft_frontend::source::Span;

use crate::target::{Feature, PtxError, PtxVersion, Target, choose_ptx};

/// A program uses what the target or the PTX version that was asked for has not.
#[derive(Clone, Debug)]
pub struct Unavailable {
    /// What is lacking.
    pub error: PtxError,
    /// Where it is first used; none where the two do not go together whatever the program.
    pub span: Option<Span>,
}

/// The features that the module uses, each with the place of its first use.
pub fn used(module: &Module) -> BTreeMap<Feature, Span> {
    let mut features = BTreeMap::new();
    for function in module.functions.values() {
        if let FunctionKind::Kernel(bounds) = &function.kind
            && bounds.max_cluster_blocks.is_some()
        {
            features.entry(Feature::MaxClusterRank).or_insert(function.span);
        }
        let Some(body) = &function.body else { continue };
        for node in body.exprs.values() {
            if let ExprData::Builtin(builtin, _) = &node.data {
                let is_double = module.types.float_ty(node.ty) == Some(FloatTy::Double);
                if let Some(feature) = of_builtin(*builtin, is_double) {
                    features.entry(feature).or_insert(node.span);
                }
            }
        }
    }
    features
}

/// The PTX version for the module: see [`choose_ptx`].
///
/// # Errors
/// Names the feature that is lacking and its place.
pub fn ptx_version(
    module: &Module,
    target: Target,
    requested: Option<PtxVersion>,
) -> Result<PtxVersion, Unavailable> {
    let mut version = choose_ptx(target, requested, []).map_err(|error| Unavailable { error, span: None })?;
    for (feature, span) in used(module) {
        let needed = choose_ptx(target, requested, [feature]);
        version = version.max(needed.map_err(|error| Unavailable { error, span: Some(span) })?);
    }
    Ok(version)
}

fn of_builtin(builtin: Builtin, is_double: bool) -> Option<Feature> {
    match builtin {
        Builtin::Sync(SyncOp::SyncWarp) | Builtin::Warp(_) => Some(Feature::WarpSync),
        Builtin::Atomic(AtomicOp::AtomicAdd) => is_double.then_some(Feature::AtomicAddDouble),
        Builtin::Sync(SyncOp::SyncThreads) | Builtin::Math(_) | Builtin::Half(_) => None,
    }
}
