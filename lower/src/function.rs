//! The body of one function: the shared state of its statements and expressions, and the setup of
//! its parameters and locals.
//!
//! **Invariant**: the builder is always at the end of a block without a terminator. Code
//! after a `return` or a `goto` goes into an unreachable block, which LLVM removes.

use cranelift_entity::SecondaryMap;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, FunctionValue, InstructionValue, PointerValue};
use weft_frontend::ir::{
    Body, Expr, Func, FunctionKind, Global, InlineHint, Label, Local, Place, PlaceData, Quals, Ty,
};
use weft_frontend::source::Span;

use crate::Bug;
use crate::abi::signature::{Passing, Signature};
use crate::context::Cx;
use crate::debug_info::params::{ParamPlace, is_needed};
use crate::debug_info::scope::{FnDebug, ParamStorage};
use crate::place::Address;
use crate::stmt::JumpTargets;
use crate::switch::SwitchTargets;

/// The lowering of one function's body.
pub(crate) struct FnCx<'f, 'a, 'ctx> {
    /// The module's lowering.
    pub(crate) cx: &'f Cx<'a, 'ctx>,
    /// The function to lower.
    pub(crate) func: Func,
    /// Its definition.
    pub(crate) body: &'a Body,
    /// Its LLVM function.
    pub(crate) function: FunctionValue<'ctx>,
    /// How the result is passed, and its type.
    pub(crate) ret: (Passing, Ty),
    /// Where instructions go.
    pub(crate) builder: Builder<'ctx>,
    /// The addresses of parameters and local variables.
    pub(crate) locals: SecondaryMap<Local, Option<Address<'ctx>>>,
    /// The values of parameters without an address.
    pub(crate) registers: SecondaryMap<Local, Option<BasicValueEnum<'ctx>>>,
    /// The values of [`ExprData::Bound`](weft_frontend::ir::ExprData::Bound) expressions.
    pub(crate) bound: SecondaryMap<Expr, Option<BasicValueEnum<'ctx>>>,
    /// The blocks of labels.
    pub(crate) labels: SecondaryMap<Label, Option<BasicBlock<'ctx>>>,
    /// The targets of `break` and `continue`, the innermost last.
    pub(crate) jumps: Vec<JumpTargets<'ctx>>,
    /// The enclosing `switch` statements, the innermost last.
    pub(crate) switches: Vec<SwitchTargets<'ctx>>,
    /// The variables whose lifetime is to be ended, the innermost last.
    pub(crate) living: Vec<Address<'ctx>>,
    /// Debug information, if requested.
    pub(crate) debug: Option<FnDebug<'f, 'f, 'a, 'ctx>>,
    /// The buffer for the arguments of `printf`, and its size in bytes.
    pub(crate) printed: Option<(PointerValue<'ctx>, u64)>,
    /// Marks the end of the entry block's variables until the body is complete.
    variables_end: InstructionValue<'ctx>,
    variables: Builder<'ctx>,
}

/// Lowers the definition of a function.
pub(crate) fn lower_body<'f, 'a, 'ctx>(
    cx: &'f Cx<'a, 'ctx>,
    func: Func,
    debug: Option<FnDebug<'f, 'f, 'a, 'ctx>>,
) -> Result<(), Bug> {
    let data = &cx.ir.functions[func];
    let Some(body) = &data.body else { return Ok(()) };
    let lowered = cx.function(func);
    let func_ty = cx.ir.types.func(data.ty).expect("invariant: a function has a function type");
    let builder = cx.llvm.create_builder();
    builder.position_at_end(cx.llvm.append_basic_block(lowered.value, "entry"));
    let variables_end = builder
        .build_alloca(cx.tys.i1, "")?
        .as_instruction()
        .expect("invariant: a variable is an instruction");
    let mut fcx = FnCx {
        cx,
        func,
        body,
        function: lowered.value,
        ret: (lowered.signature.ret, func_ty.ret),
        builder,
        locals: SecondaryMap::new(),
        registers: SecondaryMap::new(),
        bound: SecondaryMap::new(),
        printed: None,
        labels: SecondaryMap::new(),
        jumps: Vec::new(),
        switches: Vec::new(),
        living: Vec::new(),
        debug,
        variables_end,
        variables: cx.llvm.create_builder(),
    };
    fcx.locate(data.span);
    if let Some(debug) = fcx.debug.as_ref().filter(|debug| debug.is_full())
        && data.inline == InlineHint::Always
    {
        debug.locate_at_call(&fcx.builder);
    }
    fcx.lower_params(&lowered.signature, matches!(data.kind, FunctionKind::Kernel(_)))?;
    fcx.lower_stmt(body.root)?;
    fcx.finish(body.end)
}

impl<'ctx> FnCx<'_, '_, 'ctx> {
    fn lower_params(&mut self, signature: &Signature, is_kernel: bool) -> Result<(), Bug> {
        let n_hidden = signature.n_hidden_params();
        let places = self.param_places(signature, is_kernel);
        for (param_idx, (&param, passing)) in self.body.params.iter().zip(&signature.params).enumerate() {
            let value = self
                .function
                .get_nth_param((n_hidden + param_idx) as u32)
                .expect("invariant: the LLVM function has the signature's parameters");
            let place = places[param_idx];
            let ty = self.body.locals[param].ty;
            match *passing {
                // The parameter owns the bytes: LLVM copies them if they are written, or the caller has
                // copied them.
                Passing::Memory { align, .. } | Passing::Indirect { align, .. } => {
                    let ptr = value.into_pointer_value();
                    let volatile = self.is_volatile(ty);
                    let given = Address { ptr, align, volatile };
                    if place == ParamPlace::Frame {
                        let address = self.local(param)?;
                        self.copy(address, Address { volatile: false, ..given }, ty)?;
                    } else {
                        self.locals[param] = Some(given);
                    }
                }
                Passing::Direct { .. } if matches!(place, ParamPlace::Register | ParamPlace::Param) => {
                    self.registers[param] = Some(value);
                }
                Passing::Direct { .. } | Passing::Void => {
                    let address = self.local(param)?;
                    self.store_scalar(address, ty, value)?;
                }
            }
            self.describe_param(param_idx as u32, place);
        }
        Ok(())
    }

    fn describe_param(&self, number: u32, place: ParamPlace) {
        let Some(debug) = &self.debug else { return };
        let param = self.body.params[number as usize];
        let storage = match (place, self.locals[param]) {
            (ParamPlace::Param, _) => ParamStorage::Param,
            // Computing the address of a parameter's own bytes takes an instruction.
            (ParamPlace::Any, Some(address)) if address.ptr.as_instruction().is_none() => return,
            (_, Some(address)) => ParamStorage::Frame(address.ptr),
            // A parameter in a register is described once it is known whether it is used.
            (_, None) => return,
        };
        debug.param(self.body, number, storage, self.variables_end);
    }

    /// The address for a result returned in memory.
    pub(crate) fn result_address(&self) -> Result<Address<'ctx>, Bug> {
        let (Passing::Indirect { align, .. }, Some(param)) = (self.ret.0, self.function.get_first_param())
        else {
            return Err(Bug::from("a result has no address"));
        };
        Ok(Address { ptr: param.into_pointer_value(), align, volatile: false })
    }

    /// The address of a local variable; allocated in the entry block on first use.
    pub(crate) fn local(&mut self, local: Local) -> Result<Address<'ctx>, Bug> {
        if let Some(address) = self.locals[local] {
            return Ok(address);
        }
        if self.registers[local].is_some() {
            return Err(Bug::from("a parameter in a register has no address"));
        }
        let data = &self.body.locals[local];
        let name = data.name.as_deref().unwrap_or("");
        let address = self.variable(data.ty, data.align, name)?;
        self.locals[local] = Some(address);
        Ok(address)
    }

    /// The value of a parameter without an address.
    pub(crate) fn in_register(&self, place: Place) -> Option<BasicValueEnum<'ctx>> {
        match self.body.places[place].data {
            PlaceData::Local(local) => self.registers[local],
            _ => None,
        }
    }

    /// A new variable in the entry block.
    pub(crate) fn variable(&self, ty: Ty, align: Option<u32>, name: &str) -> Result<Address<'ctx>, Bug> {
        let layout = self.cx.layout(ty);
        let align = layout.align.max(align.unwrap_or(1));
        // As large as `sizeof`, because callers may copy that many bytes.
        let memory = match self.cx.stored_size(ty) < layout.size {
            true => self.cx.bytes_ty(layout.size),
            false => self.cx.passed_ty(ty),
        };
        self.variables.position_before(&self.variables_end);
        let ptr = self.variables.build_alloca(memory, name)?;
        set_alignment(ptr, align)?;
        Ok(Address { ptr, align, volatile: self.is_volatile(ty) })
    }

    /// Allocates memory in the entry block.
    pub(crate) fn bytes(&self, size: u64, align: u32) -> Result<PointerValue<'ctx>, Bug> {
        self.variables.position_before(&self.variables_end);
        let ptr = self.variables.build_alloca(self.cx.bytes_ty(size), "")?;
        set_alignment(ptr, align)?;
        Ok(ptr)
    }

    /// An object that lives at least until the end of the full expression.
    pub(crate) fn temporary(&self, ty: Ty) -> Result<Address<'ctx>, Bug> {
        self.variable(ty, None, "")
    }

    /// Whether the type is volatile.
    pub(crate) fn is_volatile(&self, ty: Ty) -> bool {
        self.cx.ir.types.quals(ty).contains(Quals::VOLATILE)
    }

    /// Sets the position of the following LLVM values.
    pub(crate) fn locate(&self, span: Span) {
        if let Some(debug) = &self.debug {
            debug.locate(&self.builder, span);
        }
    }

    /// The same for an operation, whose line is that of its last operand, if that differs.
    pub(crate) fn locate_operation(&self, whole: Span, last: Span) {
        if let Some(debug) = &self.debug {
            debug.locate_operation(&self.builder, whole, last);
        }
    }

    /// Makes the local variable visible to debuggers from here on.
    pub(crate) fn describe_local(&self, local: Local, address: Address<'ctx>) {
        if let Some(debug) = &self.debug {
            debug.variable(self.body, local, address.ptr, self.variables_end);
        }
    }

    /// Makes the static or shared variable visible to debuggers in this scope.
    pub(crate) fn describe_static(&self, global: Global) {
        if let Some(debug) = &self.debug {
            debug.static_variable(global, self.variables_end);
        }
    }

    /// Lowers the contents of a lexical block.
    pub(crate) fn scoped<R>(
        &mut self,
        span: Span,
        inside: impl FnOnce(&mut Self) -> Result<R, Bug>,
    ) -> Result<R, Bug> {
        if let Some(debug) = &mut self.debug {
            debug.enter(span);
        }
        let value = inside(self)?;
        if let Some(debug) = &mut self.debug {
            debug.leave();
        }
        Ok(value)
    }

    /// A new block, at the end of the function for now.
    pub(crate) fn new_block(&self, name: &str) -> BasicBlock<'ctx> {
        self.cx.llvm.append_basic_block(self.function, name)
    }

    /// The current block.
    pub(crate) fn block(&self) -> BasicBlock<'ctx> {
        self.builder.get_insert_block().expect("invariant: the builder is in a block")
    }

    /// Continues in `block`, which is placed after all code so far.
    pub(crate) fn continue_in(&self, block: BasicBlock<'ctx>) -> Result<(), Bug> {
        let last = self.block();
        if last != block {
            block.move_after(last).map_err(|()| Bug::from("a block is not in its function"))?;
        }
        self.builder.position_at_end(block);
        Ok(())
    }

    /// Continues in an unreachable block.
    pub(crate) fn continue_unreachable(&self) -> Result<(), Bug> {
        self.continue_in(self.new_block("dead"))
    }

    /// Branches to `block`, and continues there.
    pub(crate) fn fall_into(&self, block: BasicBlock<'ctx>) -> Result<(), Bug> {
        self.builder.build_unconditional_branch(block)?;
        self.continue_in(block)
    }

    /// The value from one of two predecessors.
    pub(crate) fn merge(
        &self,
        first: (BasicValueEnum<'ctx>, BasicBlock<'ctx>),
        second: (BasicValueEnum<'ctx>, BasicBlock<'ctx>),
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let phi = self.builder.build_phi(first.0.get_type(), "")?;
        phi.add_incoming(&[(&first.0, first.1), (&second.0, second.1)]);
        Ok(phi.as_basic_value())
    }

    /// Describes the parameters in registers. An unused one has no register, so it is stored to the frame.
    fn describe_registers(&self) -> Result<(), Bug> {
        let Some(debug) = &self.debug else { return Ok(()) };
        if matches!(self.cx.ir.functions[self.func].kind, FunctionKind::Kernel(_)) {
            return Ok(());
        }
        for (number, &param) in self.body.params.iter().enumerate() {
            let Some(value) = self.registers[param] else { continue };
            let storage = if is_needed(value) {
                ParamStorage::Register(value)
            } else {
                let address = self.variable(self.body.locals[param].ty, None, "")?;
                self.variables.position_before(&self.variables_end);
                self.variables.build_store(address.ptr, value)?;
                ParamStorage::Frame(address.ptr)
            };
            debug.param(self.body, number as u32, storage, self.variables_end);
        }
        Ok(())
    }

    /// Ends the function at its closing brace.
    fn finish(self, end: Span) -> Result<(), Bug> {
        self.describe_registers()?;
        self.locate(end);
        self.return_nothing()?;
        self.variables_end.erase_from_basic_block();
        Ok(())
    }

    /// Returns without a value, from any function.
    pub(crate) fn return_nothing(&self) -> Result<(), Bug> {
        match self.ret.0 {
            Passing::Void | Passing::Indirect { .. } => self.builder.build_return(None)?,
            // C++17 9.6.3p2: undefined; like nvcc, this returns an arbitrary value.
            Passing::Direct { .. } => {
                let undefined = undef(self.cx.scalar_ty(self.ret.1));
                self.builder.build_return(Some(&undefined))?
            }
            Passing::Memory { .. } => {
                let undefined = undef(self.cx.returned_ty(self.ret.1));
                self.builder.build_return(Some(&undefined))?
            }
        };
        Ok(())
    }
}

/// The alignment of a variable.
fn set_alignment(ptr: PointerValue<'_>, align: u32) -> Result<(), Bug> {
    let instruction = ptr.as_instruction().expect("invariant: a variable is an instruction");
    Ok(instruction.set_alignment(align)?)
}

/// An undefined value.
pub(crate) fn undef(ty: BasicTypeEnum<'_>) -> BasicValueEnum<'_> {
    match ty {
        BasicTypeEnum::ArrayType(ty) => ty.get_undef().into(),
        BasicTypeEnum::FloatType(ty) => ty.get_undef().into(),
        BasicTypeEnum::IntType(ty) => ty.get_undef().into(),
        BasicTypeEnum::PointerType(ty) => ty.get_undef().into(),
        BasicTypeEnum::StructType(ty) => ty.get_undef().into(),
        BasicTypeEnum::VectorType(ty) => ty.get_undef().into(),
        BasicTypeEnum::ScalableVectorType(ty) => ty.get_undef().into(),
    }
}
