//! Matrix multiplication by a warp, with LLVM's intrinsics.
//!
//! A thread's part of a matrix is in an array of the program: its registers are loaded before the
//! instruction, and stored afterwards. All threads of the warp execute the instruction, so it is convergent.

use inkwell::attributes::AttributeLoc;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, IntValue, PointerValue};
use weft_frontend::ir::{Expr, ExprNode, Factor, MatrixOp, MatrixRole, MatrixShape, Sum};

use crate::Bug;
use crate::builtin::Builtins;
use crate::place::Address;

/// The registers of a thread for a matrix: their number and LLVM type.
#[derive(Clone, Copy)]
pub(super) struct Registers<'ctx> {
    pub(super) n: usize,
    pub(super) ty: BasicTypeEnum<'ctx>,
}

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_matrix(&mut self, op: MatrixOp, args: &[Expr], node: &ExprNode) -> Result<(), Bug> {
        match op {
            MatrixOp::MatrixLoad(shape, role) => self.lower_matrix_load(shape, role, args, node),
            MatrixOp::MatrixStore(shape, sum) => self.lower_matrix_store(shape, sum, args, node),
            MatrixOp::MatrixMultiply { shape, factor, to, from } => {
                let [to_at, a, b, from_at, layout, is_saturated] = self.lower_scalars(args)?;
                let layouts = layouts(constant(layout)?)?;
                // This option is obsolete for `float` and `__half` accumulators, and nvcc omits it.
                let end = match (factor, constant(is_saturated)?) {
                    (Factor::S8 | Factor::U8 | Factor::S4 | Factor::U4, 1) => ".satfinite",
                    _ => "",
                };
                let types = match factor {
                    Factor::Half => format!("{}.{}", to.ptx(), from.ptx()),
                    Factor::Double => format!("rn.{}", factor.ptx()),
                    _ => factor.ptx().to_owned(),
                };
                let name = format!("llvm.nvvm.wmma.{shape}.mma.{layouts}.{types}{end}");
                self.multiply(&name, (shape, factor, to, from), [to_at, a, b, from_at], node)
            }
            MatrixOp::GroupMultiply { factor, in_registers } => {
                self.lower_group_product(factor, in_registers, args, node)
            }
            MatrixOp::MatrixAndCount | MatrixOp::MatrixXorCount => {
                let [to, a, b, from, layout] = self.lower_scalars(args)?;
                let by = if op == MatrixOp::MatrixAndCount { "and" } else { "xor" };
                let layouts = layouts(constant(layout)?)?;
                let name = format!("llvm.nvvm.wmma.m8n8k128.mma.{by}.popc.{layouts}.b1");
                let of = (MatrixShape::M8N8K128, Factor::Bit, Sum::Int, Sum::Int);
                self.multiply(&name, of, [to, a, b, from], node)
            }
        }
    }

    fn lower_matrix_load(
        &mut self,
        shape: MatrixShape,
        role: MatrixRole,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<(), Bug> {
        let [to, from, stride, layout] = self.lower_scalars(args)?;
        self.exprs.debug.locate(node.span);
        let (matrix, ty) = match role {
            MatrixRole::A(factor) => ("a", factor.ptx()),
            MatrixRole::B(factor) => ("b", factor.ptx()),
            MatrixRole::C(sum) => ("c", sum.ptx()),
        };
        let layout = line(constant(layout)?)?;
        let name = format!("llvm.nvvm.wmma.{shape}.load.{matrix}.{layout}.stride.{ty}");
        let loaded = self.matrix_instruction(&name, &[from.get_type()], &[from.into(), stride.into()])?;
        let registers = self.matrix_registers(shape, role);
        self.put_registers(
            to.into_pointer_value(),
            registers,
            loaded.ok_or("a matrix load without a result")?,
        )
    }

    fn lower_matrix_store(
        &mut self,
        shape: MatrixShape,
        sum: Sum,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<(), Bug> {
        let [to, from, stride, layout] = self.lower_scalars(args)?;
        self.exprs.debug.locate(node.span);
        let name =
            format!("llvm.nvvm.wmma.{shape}.store.d.{}.stride.{}", line(constant(layout)?)?, sum.ptx());
        let mut operands: Vec<BasicMetadataValueEnum<'ctx>> = vec![to.into()];
        let registers = self.matrix_registers(shape, MatrixRole::C(sum));
        self.take_registers(from.into_pointer_value(), registers, &mut operands)?;
        operands.push(stride.into());
        self.matrix_instruction(&name, &[to.get_type()], &operands).map(drop)
    }

    /// Multiplies the matrices at A and B, adds the one at C, and stores the result to D.
    fn multiply(
        &mut self,
        name: &str,
        (shape, factor, to, from): (MatrixShape, Factor, Sum, Sum),
        [d, a, b, c]: [BasicValueEnum<'ctx>; 4],
        node: &ExprNode,
    ) -> Result<(), Bug> {
        self.exprs.debug.locate(node.span);
        let mut operands = Vec::new();
        for (at, role) in [(a, MatrixRole::A(factor)), (b, MatrixRole::B(factor)), (c, MatrixRole::C(from))] {
            let registers = self.matrix_registers(shape, role);
            self.take_registers(at.into_pointer_value(), registers, &mut operands)?;
        }
        let sums = self.matrix_instruction(name, &[], &operands)?;
        let registers = self.matrix_registers(shape, MatrixRole::C(to));
        self.put_registers(
            d.into_pointer_value(),
            registers,
            sums.ok_or("a matrix product without a result")?,
        )
    }

    /// LLVM does not mark its intrinsics as convergent.
    fn matrix_instruction(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'ctx>],
        operands: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let function = self.cx.intrinsic(name, types)?;
        let call = self.code.builder.build_direct_call(function, operands, "")?;
        call.add_attribute(AttributeLoc::Function, self.cx.enum_attr(self.cx.attrs.convergent, 0));
        Ok(call.try_as_basic_value().basic())
    }

    pub(super) fn take_registers(
        &self,
        from: PointerValue<'ctx>,
        registers: Registers<'ctx>,
        to: &mut Vec<BasicMetadataValueEnum<'ctx>>,
    ) -> Result<(), Bug> {
        for idx in 0..registers.n {
            let at = self.register_at(from, registers, idx)?;
            to.push(self.code.memory().load_part(at, registers.ty)?.into());
        }
        Ok(())
    }

    /// Stores the results of an instruction: one, or a struct of several.
    pub(super) fn put_registers(
        &self,
        to: PointerValue<'ctx>,
        registers: Registers<'ctx>,
        results: BasicValueEnum<'ctx>,
    ) -> Result<(), Bug> {
        for idx in 0..registers.n {
            let result = match results {
                BasicValueEnum::StructValue(all) => {
                    self.code.builder.build_extract_value(all, idx as u32, "")?
                }
                one => one,
            };
            self.code.memory().store_part(self.register_at(to, registers, idx)?, result)?;
        }
        Ok(())
    }

    fn register_at(
        &self,
        ptr: PointerValue<'ctx>,
        registers: Registers<'ctx>,
        idx: usize,
    ) -> Result<Address<'ctx>, Bug> {
        let align = if registers.ty == self.cx.tys.f64.into() { 8 } else { 4 };
        let base = Address { ptr, align, volatile: false };
        self.code.memory().byte_offset(base, u64::from(align) * idx as u64)
    }

    /// PTX ISA "Matrix Fragments for WMMA".
    fn matrix_registers(&self, shape: MatrixShape, role: MatrixRole) -> Registers<'ctx> {
        let tys = &self.cx.tys;
        let halves: BasicTypeEnum<'ctx> = self.cx.llvm.f16_type().vec_type(2).into();
        let (m, n, k) = match shape {
            MatrixShape::M16N16K16 => (16, 16, 16),
            MatrixShape::M32N8K16 => (32, 8, 16),
            MatrixShape::M8N32K16 => (8, 32, 16),
            MatrixShape::M16N16K8 => (16, 16, 8),
            MatrixShape::M8N8K4 => (8, 8, 4),
            MatrixShape::M8N8K32 => (8, 8, 32),
            MatrixShape::M8N8K128 => (8, 8, 128),
        };
        // A thread has one element in 32.
        let (n_elems, factor) = match role {
            MatrixRole::A(factor) => (m * k / 32, factor),
            MatrixRole::B(factor) => (k * n / 32, factor),
            MatrixRole::C(sum) => {
                let n = m * n / 32;
                return match sum {
                    Sum::Half => Registers { n: n / 2, ty: halves },
                    Sum::Float => Registers { n, ty: tys.f32.into() },
                    Sum::Double => Registers { n, ty: tys.f64.into() },
                    Sum::Int => Registers { n, ty: tys.i32.into() },
                };
            }
        };
        let word = tys.i32.into();
        match factor {
            // For any shape.
            Factor::Half => Registers { n: 8, ty: halves },
            Factor::Double => Registers { n: n_elems, ty: tys.f64.into() },
            Factor::Tf32 => Registers { n: n_elems, ty: word },
            Factor::Bfloat => Registers { n: n_elems / 2, ty: word },
            Factor::S8 | Factor::U8 => Registers { n: n_elems / 4, ty: word },
            Factor::S4 | Factor::U4 => Registers { n: n_elems / 8, ty: word },
            Factor::Bit => Registers { n: n_elems / 32, ty: word },
        }
    }
}

pub(super) fn constant(value: BasicValueEnum<'_>) -> Result<u64, Bug> {
    let constant = match value {
        BasicValueEnum::IntValue(int) => IntValue::get_zero_extended_constant(int),
        _ => None,
    };
    constant.ok_or_else(|| Bug::from("a layout that is not a constant"))
}

/// The layout of a matrix in memory.
fn line(layout: u64) -> Result<&'static str, Bug> {
    match layout {
        0 => Ok("row"),
        1 => Ok("col"),
        _ => Err(Bug::from("an invalid layout")),
    }
}

/// The layouts of two matrices.
fn layouts(layout: u64) -> Result<String, Bug> {
    Ok(format!("{}.{}", line(layout / 2)?, line(layout % 2)?))
}
