//! Operations of one thread: clocks, sleep, traps, stack memory.

use inkwell::values::BasicValueEnum;
use weft_frontend::ir::{Expr, ExprNode, ThreadOp};

use crate::Bug;
use crate::builtin::Builtins;

/// nvcc's alignment of stack allocations, in bytes.
const ALLOCA_ALIGN: u32 = 16;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_thread(
        &mut self,
        op: ThreadOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        match op {
            ThreadOp::Clock => {
                self.exprs.debug.locate(node.span);
                // As wide as `long`, or as the function's name says.
                let is_word = self.cx.scalar_ty(node.ty) == self.cx.tys.i32.into();
                let register = if is_word { "clock" } else { "clock64" };
                let name = format!("llvm.nvvm.read.ptx.sreg.{register}");
                self.code.call_intrinsic(&name, &[], &[]).map(Some)
            }
            ThreadOp::PerformanceCounter(counter) => {
                self.exprs.debug.locate(node.span);
                self.code.call_intrinsic(&format!("llvm.nvvm.read.ptx.sreg.pm{counter}"), &[], &[]).map(Some)
            }
            ThreadOp::Sleep => {
                let [nanoseconds] = self.lower_scalars(args)?;
                self.exprs.debug.locate(node.span);
                self.code.call_intrinsic_for_effect("llvm.nvvm.nanosleep", &[nanoseconds.into()])?;
                Ok(None)
            }
            // LLVM's own trap also ends the thread, but nvcc lets execution continue.
            ThreadOp::Trap => self.lower_plain("trap;", node),
            ThreadOp::Breakpoint => self.lower_plain("brkpt;", node),
            ThreadOp::ProfilerTrigger => {
                let [counter] = self.lower_ints(args)?;
                let counter =
                    counter.get_zero_extended_constant().ok_or("a counter that is not a constant")?;
                self.lower_plain(&format!("pmevent {counter};"), node)
            }
            ThreadOp::Alloca => {
                let [size] = self.lower_ints(args)?;
                self.exprs.debug.locate(node.span);
                let memory = self.code.builder.build_array_alloca(self.cx.tys.i8, size, "")?;
                let instruction =
                    memory.as_instruction().ok_or("an allocation that is not an instruction")?;
                instruction
                    .set_alignment(ALLOCA_ALIGN)
                    .map_err(|_| Bug::from("LLVM takes no alignment of memory"))?;
                Ok(Some(memory.into()))
            }
            ThreadOp::Unreachable => {
                self.exprs.debug.locate(node.span);
                self.code.builder.build_unreachable()?;
                self.code.continue_in(self.code.new_block("unreachable"))?;
                Ok(None)
            }
        }
    }

    /// An instruction without operands.
    pub(super) fn lower_plain(
        &self,
        text: &str,
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        self.exprs.debug.locate(node.span);
        self.code.asm_effect(text, &[])?;
        Ok(None)
    }
}
