//! Calls, and the parameters of a function: attributes on parameters, arguments and results.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::Linkage;
use inkwell::types::{AnyType, FunctionType};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, CallSiteValue, FunctionValue, PointerValue};
use weft_frontend::ir::{Callee, Expr, Func, Ty, evaluated};
use weft_frontend::source::Span;

use crate::Bug;
use crate::abi::signature::{Convention, Extension, Passing, Signature};
use crate::addr_space;
use crate::context::Cx;
use crate::effects;
use crate::expr::Expressions;
use crate::place::Address;
use crate::types::Shape;

/// The callee.
enum Target<'ctx> {
    Function(FunctionValue<'ctx>),
    Pointer(FunctionType<'ctx>, PointerValue<'ctx>),
}

/// The arguments of a call.
#[derive(Clone, Copy)]
pub(crate) struct Args<'a> {
    pub(crate) exprs: &'a [Expr],
    /// Whether they are evaluated from the last to the first.
    pub(crate) from_last: bool,
}

impl<'a> Args<'a> {
    pub(crate) fn in_order(exprs: &'a [Expr]) -> Self {
        Args { exprs, from_last: false }
    }

    /// Those that are evaluated after one.
    fn after(self, idx: usize) -> &'a [Expr] {
        if self.from_last { &self.exprs[..idx] } else { &self.exprs[idx + 1..] }
    }
}

/// A lowered call.
struct Made<'ctx> {
    call: CallSiteValue<'ctx>,
    ret: Ty,
    /// The result, if it is returned in memory.
    result: Option<Address<'ctx>>,
}

/// Whether a function can write its result there directly.
fn is_plain(address: &Address<'_>) -> bool {
    address.ptr.get_type().get_address_space() == addr_space::GENERIC.into() && !address.volatile
}

impl<'ctx> Expressions<'_, '_, 'ctx> {
    /// A call that does not return a record; the result, if there is one.
    pub(crate) fn lower_scalar_call(
        &mut self,
        callee: Callee,
        args: Args<'_>,
        span: Span,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let result = self.make_call(callee, None, args, None, span)?.call.try_as_basic_value().basic();
        result.ok_or_else(|| Bug::from("a call with a scalar type gave no value"))
    }

    /// A call whose result is unused.
    pub(crate) fn lower_call_for_effect(
        &mut self,
        callee: Callee,
        args: Args<'_>,
        span: Span,
    ) -> Result<(), Bug> {
        self.make_call(callee, None, args, None, span).map(drop)
    }

    /// A call that returns a record, which goes to `to`.
    pub(crate) fn lower_record_call(
        &mut self,
        callee: Callee,
        args: Args<'_>,
        span: Span,
        to: Address<'ctx>,
    ) -> Result<(), Bug> {
        let made = self.make_call(callee, None, args, Some(to), span)?;
        if let Some(result) = made.result {
            return if result.ptr == to.ptr { Ok(()) } else { self.code.memory().copy(to, result, made.ret) };
        }
        let value =
            made.call.try_as_basic_value().basic().ok_or("a call with a record type gave no value")?;
        let (size, copied) = (self.cx.layout(made.ret).size, self.cx.copied_size(made.ret));
        if size == copied || copied == 0 && !self.cx.is_empty(made.ret) {
            return if size > 0 { self.code.memory().store_part(to, value) } else { Ok(()) };
        }
        // Where the object is the part of a base class, members may be in its padding.
        let result = self.code.temporary(made.ret)?;
        self.code.memory().store_part(result, value)?;
        self.code.memory().copy(to, result, made.ret)
    }

    /// The call of a constructor for the object.
    pub(crate) fn lower_construction(
        &mut self,
        constructor: Func,
        object: Address<'ctx>,
        args: &[Expr],
        span: Span,
    ) -> Result<(), Bug> {
        let this = self.cx.generic(&self.code.builder, object.ptr)?;
        self.make_call(Callee::Direct(constructor), Some(this), Args::in_order(args), None, span).map(drop)
    }

    /// A call, with `this` before the arguments if there is one; a result in memory goes to `to` if possible.
    fn make_call(
        &mut self,
        callee: Callee,
        this: Option<PointerValue<'ctx>>,
        args: Args<'_>,
        to: Option<Address<'ctx>>,
        span: Span,
    ) -> Result<Made<'ctx>, Bug> {
        let cx = self.cx;
        let (target, signature, func_ty) = match callee {
            Callee::Direct(func) => {
                let lowered = cx.function(func);
                (Target::Function(lowered.value), lowered.signature.clone(), cx.ir.functions[func].ty)
            }
            // C++17 8.2.2p5: the callee is evaluated before the arguments.
            Callee::Indirect(pointer) => {
                let pointer_ty = self.body.exprs[pointer].ty;
                let func_ty = cx
                    .ir
                    .types
                    .written_pointee(pointer_ty)
                    .ok_or("a call through a value that is not a pointer")?;
                let func = cx.ir.types.written_func(func_ty).ok_or("a call of a non-function")?;
                let signature = Signature::of(&cx.ir.types, func, Convention::Device);
                let llvm_ty = cx.function_ty(func_ty, &signature);
                let pointer = self.lower_scalar(pointer)?.into_pointer_value();
                (Target::Pointer(llvm_ty, pointer), signature, func_ty)
            }
        };
        let ret = cx.ir.types.func(func_ty).ok_or("a call of a non-function")?.ret;
        let result = match signature.ret {
            Passing::Void | Passing::Direct { .. } | Passing::Memory { .. } => None,
            Passing::Indirect { .. } => Some(match to.filter(is_plain) {
                Some(to) => to,
                None => self.code.temporary(ret)?,
            }),
        };
        let is_local =
            matches!(target, Target::Function(function) if function.get_linkage() == Linkage::Internal);
        let mut passed = Vec::with_capacity(args.exprs.len() + 2);
        passed.extend(result.map(|result| BasicMetadataValueEnum::from(result.ptr)));
        let mut passings = Vec::with_capacity(args.exprs.len() + 1);
        if let Some(this) = this {
            let object = &cx.ir.types.func(func_ty).ok_or("a call of a non-function")?.params;
            passings.push((signature.params[0], object[0]));
            passed.push(this.into());
        }
        let n_before = passings.len();
        for (arg_idx, arg) in evaluated(args.exprs, args.from_last) {
            let ty = self.body.exprs[arg].ty;
            let param_idx = n_before + arg_idx;
            let extra = || Passing::of_extra(&cx.ir.types, ty);
            let passing = signature.params.get(param_idx).copied().unwrap_or_else(extra);
            if let (Passing::Memory { size, align }, true, true) =
                (passing, is_local, param_idx >= signature.params.len())
            {
                passings.push((Passing::Void, ty));
                passed.push(self.lower_words(arg, size, align)?);
                continue;
            }
            passings.push((passing, ty));
            passed.push(match passing {
                Passing::Indirect { .. } => self.lower_copied_argument(arg)?,
                Passing::Void | Passing::Direct { .. } | Passing::Memory { .. } => {
                    let align = if let Passing::Memory { align, .. } = passing { align } else { 1 };
                    self.lower_argument(arg, args.after(arg_idx), align)?
                }
            });
        }
        if args.from_last {
            let n_values = args.exprs.len();
            let (n_passings, n_passed) = (passings.len(), passed.len());
            passings[n_passings - n_values..].reverse();
            passed[n_passed - n_values..].reverse();
        }
        if passings.len() > signature.params.len() {
            cx.has_variadic_call.set(true);
        }
        self.debug.locate(span);
        let call = match target {
            Target::Function(function) => self.code.builder.build_direct_call(function, &passed, "")?,
            Target::Pointer(ty, pointer) => {
                self.code.builder.build_indirect_call(ty, pointer, &passed, "")?
            }
        };
        cx.annotate(&passings, signature.params.len(), signature.ret, |loc, attr| {
            call.add_attribute(loc, attr)
        });
        if matches!(callee, Callee::Indirect(_)) {
            call.add_attribute(AttributeLoc::Function, cx.enum_attr(cx.attrs.convergent, 0));
        }
        Ok(Made { call, ret, result })
    }

    /// An argument passed by address: a copy that belongs to the callee.
    fn lower_copied_argument(&mut self, arg: Expr) -> Result<BasicMetadataValueEnum<'ctx>, Bug> {
        // It is a variable, whose destructor the caller calls.
        if self.cx.ir.types.is_destroyed(self.body.exprs[arg].ty) {
            return Ok(self.lower_record(arg)?.ptr.into());
        }
        let temporary = self.code.temporary(self.body.exprs[arg].ty)?;
        self.lower_record_into(arg, temporary)?;
        Ok(temporary.ptr.into())
    }

    /// An argument; `later` are the arguments evaluated after it. LLVM reads a record with the parameter's
    /// alignment.
    fn lower_argument(
        &mut self,
        arg: Expr,
        later: &[Expr],
        align: u32,
    ) -> Result<BasicMetadataValueEnum<'ctx>, Bug> {
        let ty = self.body.exprs[arg].ty;
        if self.cx.shape(ty) != Shape::Record {
            return Ok(self.lower_scalar(arg)?.into());
        }
        let from = self.lower_record(arg)?;
        // The call copies the bytes, but only after all arguments are evaluated, and only from a generic
        // address.
        if is_plain(&from) && from.align >= align && later.iter().all(|&arg| effects::is_pure(self.body, arg))
        {
            return Ok(from.ptr.into());
        }
        let temporary = self.code.variable(ty, Some(align), "")?;
        self.code.memory().copy(temporary, from, ty)?;
        Ok(temporary.ptr.into())
    }

    /// A variadic record for a function that other objects do not see, as words of its alignment. By address,
    /// LLVM would place it at a multiple of 16, where `va_arg` does not expect it.
    fn lower_words(&mut self, arg: Expr, size: u64, align: u32) -> Result<BasicMetadataValueEnum<'ctx>, Bug> {
        let from = self.lower_record(arg)?;
        let value = self.code.builder.build_load(self.cx.words_ty(size, align), from.ptr, "")?;
        let load = inkwell::values::BasicValue::as_instruction_value(&value)
            .ok_or("a load that is not an instruction")?;
        load.set_alignment(from.align)?;
        load.set_volatile(from.volatile)?;
        Ok(value.into())
    }
}

impl<'ctx> Cx<'_, 'ctx> {
    /// An enum attribute of LLVM.
    pub(crate) fn enum_attr(&self, kind: u32, value: u64) -> Attribute {
        self.llvm.create_enum_attribute(kind, value)
    }

    /// Adds the attributes of parameters and result to a function or a call.
    pub(crate) fn annotate(
        &self,
        params: &[(Passing, Ty)],
        n_fixed: usize,
        ret: Passing,
        add: impl Fn(AttributeLoc, Attribute),
    ) {
        let n_hidden = usize::from(matches!(ret, Passing::Indirect { .. }));
        let is_extra = |param_idx: usize| param_idx >= n_fixed;
        for (param_idx, &(passing, ty)) in params.iter().enumerate() {
            let loc = AttributeLoc::Param((n_hidden + param_idx) as u32);
            match passing {
                Passing::Void => {}
                Passing::Direct { extension, .. } => self.annotate_extension(loc, extension, &add),
                Passing::Memory { size, align } => {
                    let byval_ty = if is_extra(param_idx) {
                        // Otherwise LLVM would use the alignment of the type.
                        self.words_ty(size, align).as_any_type_enum()
                    } else {
                        self.byval_ty(ty, align)
                    };
                    let byval = self.llvm.create_type_attribute(self.attrs.byval, byval_ty);
                    add(loc, byval);
                    add(loc, self.enum_attr(self.attrs.align, align.into()));
                }
                Passing::Indirect { align, .. } => self.annotate_address(loc, align, &add),
            }
        }
        match ret {
            Passing::Void => {}
            Passing::Direct { extension, .. } => {
                self.annotate_extension(AttributeLoc::Return, extension, &add);
            }
            // Otherwise LLVM would use the alignment of the result's LLVM type.
            Passing::Memory { align, .. } => {
                add(AttributeLoc::Return, self.enum_attr(self.attrs.alignstack, align.into()));
            }
            Passing::Indirect { align, .. } => self.annotate_address(AttributeLoc::Param(0), align, &add),
        }
    }

    /// Attributes for the address of an object that no other code accesses.
    fn annotate_address(&self, loc: AttributeLoc, align: u32, add: &impl Fn(AttributeLoc, Attribute)) {
        add(loc, self.enum_attr(self.attrs.noalias, 0));
        add(loc, self.enum_attr(self.attrs.align, align.into()));
    }

    // PTX Interop 2.3 (A): nvcc's callers trust the callee's extension of a result.
    fn annotate_extension(
        &self,
        loc: AttributeLoc,
        extension: Extension,
        add: &impl Fn(AttributeLoc, Attribute),
    ) {
        match extension {
            Extension::None => {}
            Extension::Sign => add(loc, self.enum_attr(self.attrs.signext, 0)),
            Extension::Zero => add(loc, self.enum_attr(self.attrs.zeroext, 0)),
        }
    }
}
