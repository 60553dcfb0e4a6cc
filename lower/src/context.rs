//! The shared state of the lowering of one module: LLVM's module, the IR, common types,
//! and the LLVM values of the IR's functions and variables.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::num::NonZeroU32;

use cranelift_entity::SecondaryMap;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::{BasicTypeEnum, FloatType, IntType, PointerType};
use inkwell::values::{FunctionValue, GlobalValue, IntValue, MetadataValue, PointerValue};
use weft_frontend::ir::{self, Func, Global, Record};
use weft_frontend::layout::DataModel;
use weft_frontend::source::SourceMap;

use crate::abi::mangle::Symbols;
use crate::abi::signature::Signature;
use crate::addr_space;
use crate::debug_info::OuterScopes;
use crate::debug_info::inlined::ScopeFunctions;
use crate::debug_info::sections::AtSymbol;
use crate::types::AlignedTy;
use crate::unroll::UnrollRequest;
use crate::{Bug, Options, symbol};

/// The lowering of one module.
pub(crate) struct Cx<'a, 'ctx> {
    /// LLVM's context.
    pub(crate) llvm: &'ctx Context,
    /// The module under construction.
    pub(crate) module: Module<'ctx>,
    /// The module to lower.
    pub(crate) ir: &'a ir::Module,
    /// The symbols of its functions and variables.
    pub(crate) symbols: Symbols,
    /// The source texts, for positions.
    pub(crate) sources: &'a SourceMap,
    /// The options.
    pub(crate) options: &'a Options,
    /// The types of scalars.
    pub(crate) tys: ScalarTys<'ctx>,
    /// The lowered functions.
    pub(crate) functions: SecondaryMap<Func, Option<LoweredFunc<'ctx>>>,
    /// The lowered variables.
    pub(crate) globals: SecondaryMap<Global, Option<GlobalValue<'ctx>>>,
    /// The types that [`Cx::record_ty`] built.
    pub(crate) records: RefCell<SecondaryMap<Record, Option<AlignedTy<'ctx>>>>,
    /// Whether any call has variadic arguments.
    pub(crate) has_variadic_call: Cell<bool>,
    /// The called libdevice functions.
    pub(crate) library_calls: RefCell<BTreeSet<String>>,
    /// The requests of `#pragma unroll`, in loop order.
    pub(crate) unroll_requests: RefCell<Vec<UnrollRequest>>,
    /// The functions that the scopes of line tables belong to.
    pub(crate) debug_scopes: RefCell<ScopeFunctions>,
    /// The parent of each lexical block's scope.
    pub(crate) outer_scopes: RefCell<OuterScopes>,
    /// The locations of variables that debug information refers to by number.
    pub(crate) debug_symbols: RefCell<Vec<AtSymbol>>,
    /// The metadata kind `invariant.load`.
    pub(crate) invariant_load_kind: u32,
    /// The metadata kind `range`.
    pub(crate) range_kind: u32,
    /// Attribute kinds by purpose.
    pub(crate) attrs: AttrKinds,
}

/// A function's LLVM value and its signature.
#[derive(Clone, Debug)]
pub(crate) struct LoweredFunc<'ctx> {
    /// LLVM's function.
    pub(crate) value: FunctionValue<'ctx>,
    /// How its parameters and result are passed.
    pub(crate) signature: Signature,
}

/// LLVM's types of scalars.
pub(crate) struct ScalarTys<'ctx> {
    /// `bool` as a value.
    pub(crate) i1: IntType<'ctx>,
    /// `char`, and `bool` in memory.
    pub(crate) i8: IntType<'ctx>,
    /// `int`
    pub(crate) i32: IntType<'ctx>,
    /// `long long`
    pub(crate) i64: IntType<'ctx>,
    /// The integer type of an address: for offsets, and for pointers as integers.
    pub(crate) word: IntType<'ctx>,
    /// `float`
    pub(crate) f32: FloatType<'ctx>,
    /// `double`
    pub(crate) f64: FloatType<'ctx>,
    /// A generic pointer, like every pointer of the language.
    pub(crate) ptr: PointerType<'ctx>,
}

/// LLVM's numbers of attribute kinds.
pub(crate) struct AttrKinds {
    pub(crate) alignstack: u32,
    pub(crate) byval: u32,
    pub(crate) align: u32,
    pub(crate) signext: u32,
    pub(crate) zeroext: u32,
    pub(crate) noalias: u32,
    pub(crate) readonly: u32,
    pub(crate) convergent: u32,
    pub(crate) nounwind: u32,
    pub(crate) willreturn: u32,
    pub(crate) memory: u32,
}

impl AttrKinds {
    fn new() -> Self {
        let kind = Attribute::get_named_enum_kind_id;
        AttrKinds {
            alignstack: kind("alignstack"),
            byval: kind("byval"),
            align: kind("align"),
            signext: kind("signext"),
            zeroext: kind("zeroext"),
            noalias: kind("noalias"),
            readonly: kind("readonly"),
            convergent: kind("convergent"),
            nounwind: kind("nounwind"),
            willreturn: kind("willreturn"),
            memory: kind("memory"),
        }
    }
}

impl<'a, 'ctx> Cx<'a, 'ctx> {
    /// Lowers `ir` into a module with the target's triple and data layout.
    pub(crate) fn new(
        llvm: &'ctx Context,
        module: Module<'ctx>,
        ir: &'a ir::Module,
        sources: &'a SourceMap,
        options: &'a Options,
    ) -> Result<Self, Bug> {
        Ok(Cx {
            llvm,
            module,
            ir,
            symbols: symbol::of(ir, options.unit.as_ref())?,
            sources,
            options,
            tys: ScalarTys {
                i1: llvm.bool_type(),
                i8: llvm.i8_type(),
                i32: llvm.i32_type(),
                i64: llvm.i64_type(),
                word: match ir.types.model() {
                    DataModel::Lp64 => llvm.i64_type(),
                    DataModel::Ilp32 => llvm.i32_type(),
                },
                f32: llvm.f32_type(),
                f64: llvm.f64_type(),
                ptr: llvm.ptr_type(addr_space::GENERIC.into()),
            },
            functions: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            records: RefCell::default(),
            has_variadic_call: Cell::new(false),
            library_calls: RefCell::default(),
            unroll_requests: RefCell::default(),
            debug_scopes: RefCell::default(),
            outer_scopes: RefCell::default(),
            debug_symbols: RefCell::default(),
            invariant_load_kind: llvm.get_kind_id("invariant.load"),
            range_kind: llvm.get_kind_id("range"),
            attrs: AttrKinds::new(),
        })
    }

    /// A lowered function.
    pub(crate) fn function(&self, func: Func) -> &LoweredFunc<'ctx> {
        self.functions[func].as_ref().expect("invariant: functions are declared before bodies are lowered")
    }

    /// The address of a variable, in its own address space.
    pub(crate) fn global(&self, global: Global) -> PointerValue<'ctx> {
        let variable = self.globals[global].expect("invariant: variables are declared before they are used");
        variable.as_pointer_value()
    }

    /// The declaration of an intrinsic, overloaded on `types`.
    pub(crate) fn intrinsic(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'ctx>],
    ) -> Result<FunctionValue<'ctx>, Bug> {
        Intrinsic::find(name)
            .and_then(|intrinsic| intrinsic.get_declaration(&self.module, types))
            .ok_or_else(|| Bug { message: format!("LLVM has no intrinsic `{name}`") })
    }

    /// Adds an attribute without a value to the function.
    pub(crate) fn add_fn_attr(&self, function: FunctionValue<'ctx>, name: &str) {
        let kind = Attribute::get_named_enum_kind_id(name);
        function.add_attribute(AttributeLoc::Function, self.llvm.create_enum_attribute(kind, 0));
    }

    /// Adds a string attribute to the function.
    pub(crate) fn add_fn_string_attr(&self, function: FunctionValue<'ctx>, key: &str, value: &str) {
        function.add_attribute(AttributeLoc::Function, self.llvm.create_string_attribute(key, value));
    }

    /// The pointer in the generic address space.
    pub(crate) fn generic(
        &self,
        builder: &Builder<'ctx>,
        ptr: PointerValue<'ctx>,
    ) -> Result<PointerValue<'ctx>, Bug> {
        if ptr.get_type().get_address_space() == addr_space::GENERIC.into() {
            return Ok(ptr);
        }
        if ptr.is_const() {
            return Ok(ptr.const_address_space_cast(self.tys.ptr));
        }
        Ok(builder.build_address_space_cast(ptr, self.tys.ptr, "")?)
    }

    /// The address of the element at `index`, within the same object.
    pub(crate) fn gep(
        &self,
        builder: &Builder<'ctx>,
        elem: BasicTypeEnum<'ctx>,
        ptr: PointerValue<'ctx>,
        index: IntValue<'ctx>,
    ) -> Result<PointerValue<'ctx>, Bug> {
        // SAFETY: the index counts elements of a sized type; the program guarantees that the result is within
        // the object (C++17 8.7p4).
        Ok(unsafe { builder.build_in_bounds_gep(elem, ptr, &[index], "")? })
    }

    /// An integer type of any width.
    pub(crate) fn wide_int_ty(&self, n_bits: u32) -> Result<IntType<'ctx>, Bug> {
        let n_bits = NonZeroU32::new(n_bits).ok_or("an integer type without bits")?;
        Ok(self.llvm.custom_width_int_type(n_bits)?)
    }

    /// An integer of `n_bits` whose lowest `width` bits are set.
    pub(crate) fn low_bits(&self, n_bits: u32, width: u32) -> Result<IntValue<'ctx>, Bug> {
        let mask = u128::MAX.checked_shr(128 - width).unwrap_or(0);
        Ok(self.wide_int_ty(n_bits)?.const_int_arbitrary_precision(&[mask as u64, (mask >> 64) as u64]))
    }

    /// The range of a `bool` in memory: 0 or 1.
    pub(crate) fn bool_range(&self) -> MetadataValue<'ctx> {
        let bound = |value| self.tys.i8.const_int(value, false).into();
        self.llvm.metadata_node(&[bound(0), bound(2)])
    }
}
