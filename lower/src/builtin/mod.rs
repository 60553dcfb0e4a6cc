//! Built-in functions.
//!
//! There is a file for each family of [`Builtin`], one for built-in variables, and one for what
//! several families need:
//!
//! - `sync`: barriers and fences
//! - `warp`: warp collectives
//! - `atomic`: atomic memory operations
//! - `ordered`: atomic operations with a memory order
//! - `matrix`: matrix multiplication by a warp
//! - `memory`: accesses with cache hints
//! - `bytes`: operations on ranges of bytes
//! - `address`: state spaces of addresses
//! - `cluster`: thread block clusters and programmatic dependent launch
//! - `asynchronous`: barriers in shared memory, and asynchronous copies
//! - `thread`: clocks, sleep, traps, stack memory
//! - `hint`: hints for the optimizer
//! - `math`: arithmetic on numbers of several types
//! - `library`: mathematical functions that libdevice defines
//! - `integer`: integer arithmetic and bits
//! - `overflow`: integer arithmetic that reports overflow
//! - `float`, `convert`: explicit rounding modes, and reinterpretation of bits
//! - `rounded`: rounding modes given by an argument
//! - `simd`: two halves or four bytes of a word at once
//! - `dpx`: minima and maxima for dynamic programming
//! - `half`: half precision
//! - `texture`: textures and surfaces
//! - `system`: system calls
//! - `special_reg`: `threadIdx` and the other special registers
//! - `asm`: instructions without an LLVM equivalent, as inline PTX

mod address;
mod asm;
mod asynchronous;
mod atomic;
mod bytes;
mod cluster;
mod convert;
mod dpx;
mod float;
mod group_matrix;
mod half;
mod hint;
mod integer;
mod library;
mod math;
mod matrix;
mod memory;
mod ordered;
mod overflow;
mod rounded;
mod simd;
mod special_reg;
mod sync;
mod system;
mod texture;
mod thread;
mod warp;

pub(crate) use asm::Effect;
pub(crate) use half::libdevice_function;
pub(crate) use library::calls_libdevice;

use inkwell::values::{BasicValueEnum, IntValue};
use weft_frontend::ir::{Builtin, Expr, ExprNode};

use crate::Bug;
use crate::code::Code;
use crate::context::Cx;
use crate::expr::Expressions;

/// Built-in functions: evaluates their operands, and gives the values to instructions.
pub(crate) struct Builtins<'e, 'f, 'a, 'ctx> {
    cx: &'f Cx<'a, 'ctx>,
    code: &'f Code<'f, 'a, 'ctx>,
    exprs: &'e mut Expressions<'f, 'a, 'ctx>,
}

impl<'f, 'a, 'ctx> Expressions<'f, 'a, 'ctx> {
    /// The built-in functions.
    pub(crate) fn builtins(&mut self) -> Builtins<'_, 'f, 'a, 'ctx> {
        Builtins { cx: self.cx, code: self.code, exprs: self }
    }
}

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    /// A built-in function; the result, if it has one. A record is one LLVM value with the object's bytes.
    pub(crate) fn lower_builtin(
        &mut self,
        builtin: Builtin,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        match builtin {
            Builtin::Sync(op) => self.lower_sync(op, args, node),
            Builtin::Warp(op) => self.lower_warp(op, args, node).map(Some),
            Builtin::Atomic(op) => self.lower_atomic(op, args, node).map(Some),
            Builtin::Ordered(op) => self.lower_ordered(op, args, node),
            Builtin::Memory(op) => self.lower_memory(op, args, node),
            Builtin::Matrix(op) => self.lower_matrix(op, args, node).map(|()| None),
            Builtin::Bytes(op) => self.lower_bytes(op, args, node).map(Some),
            Builtin::Address(op) => self.lower_address_op(op, args, node).map(Some),
            Builtin::Async(op) => self.lower_async(op, args, node),
            Builtin::Cluster(op) => self.lower_cluster(op, args, node),
            Builtin::Thread(op) => self.lower_thread(op, args, node),
            Builtin::Hint(op) => self.lower_hint(op, args, node),
            Builtin::Overflow(op) => self.lower_overflow(op, args, node).map(Some),
            Builtin::Math(op) => self.lower_math(op, args, node).map(Some),
            Builtin::Library(function) => self.lower_library(function, args, node),
            Builtin::Half(op) => self.lower_half(op, args, node).map(Some),
            Builtin::Texture(op) => self.lower_texture(op, args, node),
            Builtin::System(op) => self.lower_system(op, args, node),
            Builtin::Integer(op) => self.lower_integer(op, args, node).map(Some),
            Builtin::Float(op) => self.lower_float(op, args, node).map(Some),
            Builtin::Convert(op) => self.lower_convert_op(op, args, node).map(Some),
            Builtin::Rounded(op) => self.lower_rounded(op, args, node).map(Some),
            Builtin::Simd(op, lanes) => self.lower_simd(op, lanes, args, node).map(Some),
            Builtin::Dpx(op, extreme, numbers) => self.lower_dpx(op, extreme, numbers, args, node).map(Some),
        }
    }

    /// The arguments, all scalars, in order.
    fn lower_scalars<const N: usize>(&mut self, args: &[Expr]) -> Result<[BasicValueEnum<'ctx>; N], Bug> {
        let args: &[Expr; N] =
            args.try_into().map_err(|_| Bug::from("a built-in function with other arguments"))?;
        let mut values = Vec::with_capacity(N);
        for &arg in args {
            values.push(self.exprs.lower_scalar(arg)?);
        }
        values.try_into().map_err(|_| Bug::from("a built-in function with other arguments"))
    }

    /// The arguments, all integers, in order.
    fn lower_ints<const N: usize>(&mut self, args: &[Expr]) -> Result<[IntValue<'ctx>; N], Bug> {
        Ok(self.lower_scalars::<N>(args)?.map(BasicValueEnum::into_int_value))
    }

    /// 1 or 0 for a truth value, of the result's type.
    fn truth(&self, truth: IntValue<'ctx>, node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ty = self.cx.scalar_ty(node.ty).into_int_type();
        Ok(self.code.builder.build_int_z_extend_or_bit_cast(truth, ty, "")?.into())
    }
}
