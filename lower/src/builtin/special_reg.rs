//! `threadIdx` and the other special registers.

use inkwell::values::BasicValueEnum;
use weft_frontend::ir::{Axis, SpecialReg};

use crate::Bug;
use crate::builtin::Builtins;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    /// A special register (PTX ISA "Special Registers").
    pub(crate) fn lower_special_reg(&self, reg: SpecialReg) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (name, axis) = match reg {
            SpecialReg::Tid(axis) => ("tid", axis),
            SpecialReg::Ntid(axis) => ("ntid", axis),
            SpecialReg::Ctaid(axis) => ("ctaid", axis),
            SpecialReg::Nctaid(axis) => ("nctaid", axis),
            SpecialReg::WarpSize => {
                return self.code.call_intrinsic("llvm.nvvm.read.ptx.sreg.warpsize", &[], &[]);
            }
        };
        let axis = match axis {
            Axis::X => 'x',
            Axis::Y => 'y',
            Axis::Z => 'z',
        };
        self.code.call_intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{name}.{axis}"), &[], &[])
    }
}
