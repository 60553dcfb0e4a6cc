//! Lowers the IR's module to LLVM's: first declares functions, then defines variables, each after those that
//! its initial value refers to, and lowers bodies last.

use inkwell::AddressSpace;
use inkwell::attributes::AttributeLoc;
use inkwell::llvm_sys::LLVMCallConv;
use inkwell::module::Linkage as LlvmLinkage;
use inkwell::values::{FunctionValue, GlobalValue};
use weft_frontend::ir::{
    Func, Function, FunctionKind, Global, GlobalData, InlineHint, LaunchBounds, LinkName, Linkage,
    OpaqueKind, Quals, Space,
};
use weft_frontend::layout;

use crate::Bug;
use crate::abi::mangle::has_unnamed_type;
use crate::abi::signature::{Convention, Signature};
use crate::addr_space;
use crate::code::undef;
use crate::constant::make_literal;
use crate::context::{Cx, LoweredFunc};
use crate::debug_info::ModuleDebug;
use crate::function::lower_body;
use crate::order;

/// The alignment of `malloc`, in bytes (CUDA C++ Programming Guide "Dynamic Global Memory Allocation").
const HEAP_ALIGN: u64 = 16;

/// Lowers the whole module.
pub(crate) fn lower_module(cx: &mut Cx<'_, '_>) -> Result<(), Bug> {
    for func in cx.ir.functions.keys() {
        // A function with incomplete types is not used.
        if Signature::is_known(&cx.ir.types, cx.ir.functions[func].ty) {
            let lowered = cx.declare_function(func)?;
            cx.functions[func] = Some(lowered);
        }
    }
    for global in order::of_globals(cx.ir)? {
        cx.add_global(global)?;
    }
    let cx = &*cx;
    let debug = ModuleDebug::new(cx);
    cx.keep_variables(debug.as_ref().is_some_and(ModuleDebug::is_full));
    if let Some(debug) = &debug {
        debug.defined_globals();
    }
    for func in cx.ir.functions.keys() {
        let fn_debug = match &debug {
            Some(debug) if cx.ir.functions[func].body.is_some() => Some(debug.function(func)),
            _ => None,
        };
        lower_body(cx, func, fn_debug)?;
    }
    if let Some(debug) = &debug {
        debug.used_globals();
    }
    Ok(())
}

impl<'ctx> Cx<'_, 'ctx> {
    fn declare_function(&self, func: Func) -> Result<LoweredFunc<'ctx>, Bug> {
        let data = &self.ir.functions[func];
        let func_ty = self.ir.types.written_func(data.ty).ok_or("a function without a function type")?;
        let convention = match data.kind {
            FunctionKind::Kernel(_) => Convention::Kernel,
            FunctionKind::Device => Convention::Device,
        };
        let signature = Signature::of(&self.ir.types, func_ty, convention);
        let name = &self.symbols.functions[func];
        let ty = self.function_ty(data.ty, &signature);
        let value = self.module.add_function(name, ty, Some(self.function_linkage(func)));
        let params: Vec<_> = signature.params.iter().copied().zip(func_ty.params.iter().copied()).collect();
        self.annotate(&params, params.len(), signature.ret, |loc, attr| value.add_attribute(loc, attr));
        self.add_function_attrs(value, data);
        if data.link_name == LinkName::C && data.name == "malloc" && data.body.is_none() {
            let align = self.enum_attr(self.attrs.align, HEAP_ALIGN);
            value.add_attribute(AttributeLoc::Return, align);
            value.add_attribute(AttributeLoc::Return, self.enum_attr(self.attrs.noalias, 0));
        }
        self.add_param_attrs(value, data, signature.n_hidden_params());
        Ok(LoweredFunc { value, signature })
    }

    fn function_linkage(&self, func: Func) -> LlvmLinkage {
        let data = &self.ir.functions[func];
        match (&data.kind, data.linkage) {
            // nvcc ignores `weak` on kernels, and has `.weak` for inline ones of relocatable code.
            (FunctionKind::Kernel(_), Linkage::Inline)
                if data.body.is_some() && self.options.unit.is_some() =>
            {
                LlvmLinkage::WeakODR
            }
            (FunctionKind::Kernel(_), Linkage::Weak) if data.instance.is_some() && data.body.is_some() => {
                LlvmLinkage::WeakODR
            }
            // LLVM would change the parameter alignment of an internal function, or drop it: see `emit`.
            (
                FunctionKind::Kernel(_),
                Linkage::Internal | Linkage::External | Linkage::Inline | Linkage::Weak,
            ) => LlvmLinkage::External,
            (FunctionKind::Device, Linkage::Internal) => LlvmLinkage::Internal,
            (FunctionKind::Device, _) if data.body.is_none() => LlvmLinkage::External,
            (FunctionKind::Device, _) if self.options.whole_program => LlvmLinkage::Internal,
            // C++17 6.5p8: other modules cannot declare it. Its symbol is internal, like in nvcc.
            (FunctionKind::Device, _) if has_unnamed_type(self.ir, func) => LlvmLinkage::Internal,
            (FunctionKind::Device, Linkage::External) => LlvmLinkage::External,
            (FunctionKind::Device, Linkage::Inline) => LlvmLinkage::LinkOnceODR,
            (FunctionKind::Device, Linkage::Weak) => LlvmLinkage::WeakAny,
        }
    }

    fn add_function_attrs(&self, value: FunctionValue<'ctx>, data: &Function) {
        let add = |kind| value.add_attribute(AttributeLoc::Function, self.enum_attr(kind, 0));
        add(self.attrs.nounwind);
        // LLVM removes it again if nothing in the function synchronizes.
        add(self.attrs.convergent);
        self.add_float_attrs(value);
        match data.inline {
            InlineHint::Auto => {}
            InlineHint::Inline => self.add_fn_attr(value, "inlinehint"),
            InlineHint::Always => self.add_fn_attr(value, "alwaysinline"),
            InlineHint::Never => self.add_fn_attr(value, "noinline"),
        }
        if let FunctionKind::Kernel(bounds) = &data.kind {
            value.set_call_conventions(LLVMCallConv::LLVMPTXKernelCallConv as u32);
            self.add_launch_bounds(value, bounds);
        }
    }

    /// Adds the attributes of `float` arithmetic.
    pub(crate) fn add_float_attrs(&self, value: FunctionValue<'ctx>) {
        if self.options.ftz {
            self.add_fn_string_attr(value, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
        }
    }

    // NVPTXUsage "Kernel Metadata"
    fn add_launch_bounds(&self, value: FunctionValue<'ctx>, bounds: &LaunchBounds) {
        let LaunchBounds { max_threads, min_blocks, max_cluster_blocks, max_registers, cluster, block } =
            *bounds;
        let dims = |[x, y, z]: [u32; 3]| format!("{x},{y},{z}");
        // nvcc writes no bound if the exact number is known.
        let max_threads = max_threads.filter(|_| block.is_none());
        let max_cluster_blocks = max_cluster_blocks.filter(|_| cluster.is_none_or(|dims| dims == [0; 3]));
        let cluster = cluster.or(block.map(|_| [1; 3]));
        let bounds = [
            ("nvvm.maxntid", max_threads.map(|n_threads| format!("{n_threads},1,1"))),
            ("nvvm.minctasm", min_blocks.map(|n_blocks| n_blocks.to_string())),
            ("nvvm.maxclusterrank", max_cluster_blocks.map(|n_blocks| n_blocks.to_string())),
            ("nvvm.maxnreg", max_registers.map(|n_registers| n_registers.to_string())),
            ("nvvm.cluster_dim", cluster.map(dims)),
            ("nvvm.reqntid", block.map(dims)),
            ("nvvm.blocksareclusters", block.map(|_| String::new())),
        ];
        for (key, bound) in bounds {
            if let Some(bound) = bound {
                self.add_fn_string_attr(value, key, &bound);
            }
        }
    }

    /// The guarantee of `__restrict__` (C17 6.7.3.1): no other access reaches an object written through the
    /// pointer, and a `const` target is not written at all. A kernel then reads through it with
    /// `ld.global.nc`. An option makes all pointer parameters of kernels `__restrict__`.
    fn add_param_attrs(&self, value: FunctionValue<'ctx>, data: &Function, n_hidden: usize) {
        let Some(body) = &data.body else { return };
        let all_are_restrict = self.options.restrict && matches!(data.kind, FunctionKind::Kernel(_));
        for (param_idx, &param) in body.params.iter().enumerate() {
            if body.locals[param].is_grid_constant {
                let attr = self.llvm.create_string_attribute("nvvm.grid_constant", "");
                value.add_attribute(AttributeLoc::Param((n_hidden + param_idx) as u32), attr);
            }
            let ty = body.locals[param].ty;
            let is_restrict = self.ir.types.quals(ty).contains(Quals::RESTRICT)
                || all_are_restrict && self.ir.types.target(ty).is_some();
            if !is_restrict {
                continue;
            }
            let loc = AttributeLoc::Param((n_hidden + param_idx) as u32);
            value.add_attribute(loc, self.enum_attr(self.attrs.noalias, 0));
            let pointee = self.ir.types.target(ty).filter(|&pointee| !self.ir.types.has_mutable(pointee));
            let pointee = pointee.map(|pointee| self.ir.types.quals(pointee));
            if pointee.is_some_and(|quals| quals.contains(Quals::CONST) && !quals.contains(Quals::VOLATILE)) {
                value.add_attribute(loc, self.enum_attr(self.attrs.readonly, 0));
            }
        }
    }

    /// Adds a variable with its initial value, which refers to existing functions and variables.
    fn add_global(&mut self, global: Global) -> Result<(), Bug> {
        let data = &self.ir.globals[global];
        let name = &self.symbols.globals[global];
        let space = addr_space::of(data.space).into();
        // Another module may define an object whose type is never completed here.
        let is_complete = layout::align_of(&self.ir.types, data.ty).is_ok();
        let value = data.init.as_ref().map(|init| self.const_init(data.ty, init)).transpose()?;
        let ty = match value {
            // LLVM requires the variable to have the value's type.
            Some(value) => value.get_type(),
            None if is_complete => self.mem_ty(data.ty),
            None => self.bytes_ty(0),
        };
        let variable = self.module.add_global(ty, Some(space), name);
        if let Some(value) = value {
            variable.set_initializer(&value);
        }
        variable.set_alignment(self.global_align(global));
        variable.set_linkage(match data.linkage {
            Linkage::External | Linkage::Inline | Linkage::Weak if data.is_extern => LlvmLinkage::External,
            Linkage::External => LlvmLinkage::External,
            Linkage::Inline => LlvmLinkage::WeakODR,
            Linkage::Weak => LlvmLinkage::WeakAny,
            Linkage::Internal => LlvmLinkage::Internal,
        });
        if let Some(opaque) = self.ir.types.opaque(data.ty) {
            self.annotate_opaque(variable, opaque)?;
        }
        if data.is_managed {
            self.annotate_variable(variable, "managed")?;
        }
        let is_const =
            self.ir.types.quals(data.ty).contains(Quals::CONST) && !self.ir.types.has_mutable(data.ty);
        let is_volatile = self.ir.types.quals(data.ty).contains(Quals::VOLATILE);
        variable.set_constant(is_const && !is_volatile && data.init.is_some());
        if data.name.is_none() {
            make_literal(variable);
        }
        match data.space {
            // PTX ISA ".shared": there is no initial value.
            Space::Shared if !data.is_extern => variable.set_initializer(&undef(ty)),
            Space::Shared => {}
            // The host may write it before a launch.
            Space::Global | Space::Constant => {
                let is_host_visible = data.name.is_some() && data.owner.is_none() && !is_const;
                variable.set_externally_initialized(is_host_visible && !data.is_extern);
            }
        }
        self.globals[global] = Some(variable);
        Ok(())
    }

    /// Keeps the variables of this file that host code finds by their names, used or not, and as a whole, like nvcc; with
    /// full debug information also those that only a debugger finds. (LLVM Language Reference "The 'llvm.compiler.used' Global
    /// Variable".)
    fn keep_variables(&self, with_debug_info: bool) {
        let is_kept = |data: &GlobalData| {
            let for_host = data.owner.is_none() && data.space != Space::Shared;
            let is_defined = data.name.is_some() && !data.is_extern;
            is_defined && data.linkage == Linkage::Internal && (for_host || with_debug_info)
        };
        let kept = self.ir.globals.iter().filter(|(_, data)| is_kept(data));
        let ptr = self.llvm.ptr_type(AddressSpace::default());
        let addresses: Vec<_> = kept
            .filter_map(|(global, _)| self.globals[global])
            .map(|variable| variable.as_pointer_value().const_address_space_cast(ptr))
            .collect();
        if addresses.is_empty() {
            return;
        }
        let used = self.module.add_global(ptr.array_type(addresses.len() as u32), None, "llvm.compiler.used");
        used.set_initializer(&ptr.const_array(&addresses));
        used.set_linkage(LlvmLinkage::Appending);
        used.set_section(Some("llvm.metadata"));
    }

    /// Marks a variable as a texture or surface (PTX ISA "Texture, Sampler and Surface Types"), with LLVM's
    /// annotations.
    fn annotate_opaque(&self, variable: GlobalValue<'ctx>, opaque: OpaqueKind) -> Result<(), Bug> {
        let kind = match opaque {
            OpaqueKind::Texture => "texture",
            OpaqueKind::Surface => "surface",
        };
        self.annotate_variable(variable, kind)
    }

    /// Adds one of LLVM's PTX annotations to a variable.
    fn annotate_variable(&self, variable: GlobalValue<'ctx>, kind: &str) -> Result<(), Bug> {
        let one = self.tys.i32.const_int(1, false);
        let what = self.llvm.metadata_string(kind);
        let node = self.llvm.metadata_node(&[variable.as_pointer_value().into(), what.into(), one.into()]);
        self.module
            .add_global_metadata("nvvm.annotations", &node)
            .map_err(|_| Bug::from("LLVM takes no annotation of a variable"))
    }

    /// The alignment of a variable, in bytes.
    pub(crate) fn global_align(&self, global: Global) -> u32 {
        let data = &self.ir.globals[global];
        let natural = layout::align_of(&self.ir.types, data.ty).unwrap_or(1);
        data.align.unwrap_or(natural)
    }
}
