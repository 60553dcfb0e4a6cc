//! The features of a program that not every GPU and PTX version supports.
//!
//! - `builtin`: features that built-in functions need

mod builtin;

use std::collections::{BTreeMap, BTreeSet};

use weft_frontend::ir::{
    AsmPiece, AsmPieceData, AsmRegister, Body, Builtin, ConstInit, ExprData, FloatTy, Func, Function,
    FunctionKind, HalfOp, LibraryFn, Module, StmtData, Ty, TyKind, TypeTable,
};
use weft_frontend::layout;
use weft_frontend::source::Span;

use crate::Options;
use crate::builtin::{calls_libdevice, libdevice_function};
use crate::target::{Feature, PtxError, PtxVersion, choose_ptx};

/// A program uses a feature that the target or the requested PTX version lacks.
#[derive(Clone, Debug)]
pub struct Unavailable {
    /// The missing feature.
    pub error: PtxError,
    /// Its first use; `None` if the target and the version are incompatible for any program.
    pub span: Option<Span>,
}

/// A call of a function that libdevice defines.
#[derive(Clone, Debug)]
pub struct LibraryCall {
    /// Its name in the program: `sinf`.
    pub name: String,
    /// The span of the call.
    pub span: Span,
}

/// Whether a libdevice function is the `float` version, by the types of its arguments and result, in order.
pub(crate) fn is_single(types: &TypeTable, mut tys: impl Iterator<Item = Ty>) -> bool {
    tys.find_map(|ty| types.float_ty(ty)) == Some(FloatTy::Float)
}

/// Whether `tanh.approx` is available on the GPU and in the requested PTX version (PTX ISA, "tanh").
pub(crate) fn has_tanh(options: &Options) -> bool {
    choose_ptx(options.target, options.ptx_version, [Feature::TanhApprox]).is_ok()
}

/// The features that a program uses, collected function by function.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Required features, each with its first use.
    needed: BTreeMap<Feature, Span>,
    /// Optional features, used if available, without and with `-use_fast_math`.
    wished: [BTreeSet<Feature>; 2],
    /// The first call of a libdevice function, without `-use_fast_math` and with it; and the same without
    /// [`Feature::TanhApprox`].
    library_calls: [[Option<LibraryCall>; 2]; 2],
}

impl Uses {
    /// The features that a module uses.
    pub fn of(module: &Module) -> Self {
        let mut uses = Uses::default();
        module.functions.keys().for_each(|func| uses.visit_function(module, func));
        uses.visit_variables(module);
        uses
    }

    /// Adds the features that a function uses.
    pub fn visit_function(&mut self, module: &Module, func: Func) {
        let function = &module.functions[func];
        if let FunctionKind::Kernel(bounds) = &function.kind {
            let needed = [
                (bounds.max_cluster_blocks.is_some(), Feature::MaxClusterRank),
                (bounds.cluster.is_some(), Feature::Cluster),
                (bounds.block.is_some(), Feature::BlocksAreClusters),
                (has_grid_constant(function), Feature::ParamWindow),
                (has_large_params(&module.types, function), Feature::LargeParams),
            ];
            for (_, feature) in needed.into_iter().filter(|&(is_needed, _)| is_needed) {
                self.need(feature, function.span);
            }
        }
        let Some(body) = &function.body else { return };
        if is_variadic(&module.types, function.ty) {
            self.need(Feature::Variadic, function.span);
        }
        self.visit_asm(body);
        for node in body.exprs.values() {
            if names_variadic(module, body, &node.data) {
                self.need(Feature::Variadic, node.span);
            }
            if let ExprData::Builtin(builtin, args) = &node.data {
                let builtin = *builtin;
                let object = args.first().and_then(|&arg| module.types.pointee(body.exprs[arg].ty));
                if let Some(feature) = builtin::needed(builtin, &module.types, node.ty, object) {
                    self.need(feature, node.span);
                }
                for (is_fast, wished) in [false, true].into_iter().zip(&mut self.wished) {
                    wished.extend(builtin::wished(builtin, is_fast));
                }
                if let Builtin::Library(function) = builtin {
                    let tys = args.iter().map(|&arg| body.exprs[arg].ty).chain([node.ty]);
                    let is_single = is_single(&module.types, tys);
                    self.call_library(
                        function,
                        is_single,
                        &function.name(is_single),
                        node.span,
                        &[true, false],
                    );
                }
                if let Builtin::Half(HalfOp::Function(function)) = builtin
                    && let Some(half) = module.types.half_ty(node.ty)
                {
                    let name = function.name(half.is_pair());
                    for has_tanh in [true, false] {
                        if let Some(library) = libdevice_function(function, half, has_tanh) {
                            self.call_library(library, true, &name, node.span, &[has_tanh]);
                        }
                    }
                }
            }
        }
    }

    /// Adds the features that inline PTX needs; of its text, only what headers that ship have in every program is examined.
    fn visit_asm(&mut self, body: &Body) {
        for node in body.stmts.values() {
            let StmtData::Asm(asm) = &node.data else { continue };
            if asm.registers().any(|register| register == AsmRegister::Quad) {
                self.need(Feature::QuadRegister, node.span);
            }
            let names_reserved = |piece: &AsmPiece| matches!(&piece.data, AsmPieceData::Text(text) if text.contains("reserved_smem_offset_"));
            if asm.pieces.iter().any(names_reserved) {
                self.need(Feature::ReservedShared, node.span);
            }
        }
    }

    /// Adds the features that the variables of a module use.
    pub fn visit_variables(&mut self, module: &Module) {
        for global in module.globals.values() {
            if global.init.as_ref().is_some_and(|init| holds_variadic(module, init)) {
                self.need(Feature::Variadic, global.span);
            }
            if let Some(init) = &global.init
                && has_packed_address(&module.types, global.ty, init)
            {
                self.need(Feature::AddressBytes, global.span);
            }
            if global.is_managed {
                self.need(Feature::Managed, global.span);
            }
        }
    }

    /// The first call of a libdevice function, if there is one; with `-use_fast_math` some functions are
    /// instructions.
    pub fn library_call(&self, options: &Options) -> Option<&LibraryCall> {
        let has_tanh = has_tanh(options);
        self.library_calls[usize::from(!has_tanh)][usize::from(options.fast_math)].as_ref()
    }

    /// Adds a call, for GPUs with or without [`Feature::TanhApprox`].
    fn call_library(
        &mut self,
        function: LibraryFn,
        is_single: bool,
        name: &str,
        span: Span,
        has_tanh: &[bool],
    ) {
        for &has_tanh in has_tanh {
            let firsts = &mut self.library_calls[usize::from(!has_tanh)];
            for (is_fast, first) in [false, true].into_iter().zip(firsts) {
                if calls_libdevice(function, is_single, is_fast)
                    && first.as_ref().is_none_or(|call| span.lo < call.span.lo)
                {
                    *first = Some(LibraryCall { name: name.to_owned(), span });
                }
            }
        }
    }

    fn need(&mut self, feature: Feature, place: Span) {
        let first = self.needed.entry(feature).or_insert(place);
        if place.lo < first.lo {
            *first = place;
        }
    }

    /// The PTX version for the program: see [`choose_ptx`].
    ///
    /// # Errors
    ///
    /// Names the missing feature and its first use.
    pub fn ptx_version(&self, options: &Options) -> Result<PtxVersion, Unavailable> {
        let (target, requested) = (options.target, options.ptx_version);
        let version = choose_ptx(target, requested, []);
        let mut version = version.map_err(|error| Unavailable { error, span: None })?;
        for (&feature, &span) in &self.needed {
            let needed = choose_ptx(target, requested, [feature]);
            version = version.max(needed.map_err(|error| Unavailable { error, span: Some(span) })?);
        }
        for &feature in &self.wished[usize::from(options.fast_math)] {
            // Optional features are replaced if unavailable.
            if let Ok(wished) = choose_ptx(target, requested, [feature]) {
                version = version.max(wished);
            }
        }
        Ok(version)
    }
}

/// Whether a function type ends in `...`.
fn is_variadic(types: &TypeTable, ty: Ty) -> bool {
    types.func(ty).is_some_and(|func| func.variadic)
}

/// Whether the expression calls a variadic function, or takes its address: then its declaration is part of
/// the PTX.
fn names_variadic(module: &Module, body: &Body, expr: &ExprData) -> bool {
    match expr {
        ExprData::Call { callee, .. } | ExprData::FuncAddr(callee) => {
            is_variadic(&module.types, module.functions[*callee].ty)
        }
        ExprData::CallIndirect { callee, .. } => {
            let callee = module.types.pointee(body.exprs[*callee].ty);
            callee.is_some_and(|callee| is_variadic(&module.types, callee))
        }
        _ => false,
    }
}

/// Whether a parameter is `__grid_constant__`, so that its address in `.param` space can be taken.
fn has_grid_constant(function: &Function) -> bool {
    let body = function.body.as_ref();
    body.is_some_and(|body| body.params.iter().any(|&param| body.locals[param].is_grid_constant))
}

/// Whether the parameters exceed the size that every PTX version supports.
fn has_large_params(types: &TypeTable, function: &Function) -> bool {
    let params = types.func(function.ty).map_or(&[][..], |ty| &ty.params);
    let size = params.iter().fold(0_u64, |size, &param| match layout::layout_of(types, param) {
        Ok(layout) => size.next_multiple_of(u64::from(layout.align)) + layout.size,
        Err(_) => size,
    });
    size > LEAST_PARAM_BYTES
}

/// The size of kernel parameters that ptxas supports in every PTX version, in bytes.
const LEAST_PARAM_BYTES: u64 = 4352;

/// Whether the value of a variable contains the address of a variadic function.
fn holds_variadic(module: &Module, init: &ConstInit) -> bool {
    match init {
        ConstInit::FuncAddr(func) => is_variadic(&module.types, module.functions[*func].ty),
        ConstInit::Array(elems) => elems.iter().any(|(_, init)| holds_variadic(module, init)),
        ConstInit::Record(members) => members.iter().any(|(_, init)| holds_variadic(module, init)),
        ConstInit::GlobalAddr(..)
        | ConstInit::Zero
        | ConstInit::Int(_)
        | ConstInit::Float(_)
        | ConstInit::IntPtr(_)
        | ConstInit::Bytes(_) => false,
    }
}

/// Whether a variable's value contains an address and cannot be written in words of an address's size.
fn has_packed_address(types: &TypeTable, ty: Ty, init: &ConstInit) -> bool {
    let is_word = |bytes: u64| bytes.is_multiple_of(types.model().pointer_size());
    let is_aligned = layout::size_of(types, ty).is_ok_and(is_word);
    any_address(types, ty, init, 0, &|offset| !is_aligned || !is_word(offset))
}

/// Whether `holds` is true for the offset of an address in the value.
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
