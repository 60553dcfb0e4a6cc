//! What a program uses that not every GPU and PTX version has.
//!
//! - `builtin`: what built-in functions need

mod builtin;

use std::collections::BTreeMap;

use weft_frontend::ir::{
    Builtin, ConstInit, ExprData, Function, FunctionKind, Module, Ty, TyKind, TypeTable,
};
use weft_frontend::layout;
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
    for global in module.globals.values() {
        if let Some(init) = &global.init
            && has_packed_address(&module.types, global.ty, init)
        {
            features.entry(Feature::AddressBytes).or_insert(global.span);
        }
    }
    for function in module.functions.values() {
        if let FunctionKind::Kernel(bounds) = &function.kind {
            let needed = [
                (bounds.max_cluster_blocks.is_some(), Feature::MaxClusterRank),
                (bounds.cluster.is_some(), Feature::Cluster),
                (bounds.block.is_some(), Feature::BlocksAreClusters),
                (has_grid_constant(function), Feature::ParamWindow),
                (has_large_params(&module.types, function), Feature::LargeParams),
            ];
            for (_, feature) in needed.into_iter().filter(|&(is_needed, _)| is_needed) {
                features.entry(feature).or_insert(function.span);
            }
        }
    }
    for (builtin, ty, span) in builtins(module) {
        if let Some(feature) = builtin::needed(builtin, &module.types, ty) {
            features.entry(feature).or_insert(span);
        }
    }
    features
}

/// Whether a parameter is `__grid_constant__`, which has an address in `.param` space.
fn has_grid_constant(function: &Function) -> bool {
    let body = function.body.as_ref();
    body.is_some_and(|body| body.params.iter().any(|&param| body.locals[param].is_grid_constant))
}

/// Whether the parameters take more than every PTX version has room for.
fn has_large_params(types: &TypeTable, function: &Function) -> bool {
    let params = types.func(function.ty).map_or(&[][..], |ty| &ty.params);
    let size = params.iter().fold(0_u64, |size, &param| match layout::layout_of(types, param) {
        Ok(layout) => size.next_multiple_of(u64::from(layout.align)) + layout.size,
        Err(_) => size,
    });
    size > LEAST_PARAM_BYTES
}

/// How many bytes the parameters of a kernel can take in every PTX version, as ptxas has it.
const LEAST_PARAM_BYTES: u64 = 4352;

/// The uses of built-in functions, each with the type that it gives.
fn builtins(module: &Module) -> impl Iterator<Item = (Builtin, Ty, Span)> {
    let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
    bodies.flat_map(|body| body.exprs.values()).filter_map(|node| match node.data {
        ExprData::Builtin(builtin, _) => Some((builtin, node.ty, node.span)),
        _ => None,
    })
}

/// Whether a variable's value holds an address and cannot be written in words of an address's size.
fn has_packed_address(types: &TypeTable, ty: Ty, init: &ConstInit) -> bool {
    let is_word = |bytes: u64| bytes.is_multiple_of(layout::POINTER_SIZE);
    let is_aligned = layout::size_of(types, ty).is_ok_and(is_word);
    any_address(types, ty, init, 0, &|offset| !is_aligned || !is_word(offset))
}

/// Whether an address in the value lies at an offset for which `holds`.
fn any_address(
    types: &TypeTable,
    ty: Ty,
    init: &ConstInit,
    offset: u64,
    holds: &impl Fn(u64) -> bool,
) -> bool {
    match init {
        ConstInit::GlobalAddr(..) | ConstInit::FuncAddr(_) => holds(offset),
        ConstInit::Zero
        | ConstInit::Int(_)
        | ConstInit::Float(_)
        | ConstInit::IntPtr(_)
        | ConstInit::Bytes(_) => false,
        ConstInit::Array(elems) => {
            let TyKind::Array(elem, _) = *types.kind(ty) else { return false };
            let size = layout::size_of(types, elem).unwrap_or(0);
            elems.iter().any(|(idx, init)| any_address(types, elem, init, offset + idx * size, holds))
        }
        ConstInit::Record(members) => {
            let Some(record) = types.record(ty) else { return false };
            let Ok(layout) = layout::record_layout(types, record) else { return false };
            let fields = types.records[record].fields.as_deref().unwrap_or_default();
            members.iter().any(|(idx, init)| {
                let idx = *idx as usize;
                any_address(types, fields[idx].ty, init, offset + layout.fields[idx].offset, holds)
            })
        }
    }
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
    for feature in builtins(module).filter_map(|(builtin, ..)| builtin::wished(builtin)) {
        // What is only wished for is done without where it cannot be had.
        if let Ok(wished) = choose_ptx(target, requested, [feature]) {
            version = version.max(wished);
        }
    }
    Ok(version)
}
