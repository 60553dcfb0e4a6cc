//! Barriers in shared memory, and asynchronous copies.
//!
//! LLVM's intrinsics for barriers access only the barrier, so LLVM moves other accesses past them; we use inline PTX
//! that may access all memory, as in CUDA's headers.

use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum};
use weft_frontend::ir::builtin::CopyForm;
use weft_frontend::ir::{AsyncOp, Expr, ExprNode};

use crate::builtin::Builtins;
use crate::{Bug, addr_space};

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_async(
        &mut self,
        op: AsyncOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let state = BasicTypeEnum::from(self.cx.tys.i64);
        match op {
            AsyncOp::BarrierInit => {
                self.lower_on_barrier("mbarrier.init.shared.b64 [$0], $1;", None, args, node)
            }
            AsyncOp::BarrierInvalidate => {
                self.lower_on_barrier("mbarrier.inval.shared.b64 [$0];", None, args, node)
            }
            AsyncOp::BarrierArrive => {
                self.lower_on_barrier("mbarrier.arrive.shared.b64 $0, [$1];", Some(state), args, node)
            }
            AsyncOp::BarrierArriveDrop => {
                self.lower_on_barrier("mbarrier.arrive_drop.shared.b64 $0, [$1];", Some(state), args, node)
            }
            AsyncOp::BarrierTestWait => self.lower_wait("mbarrier.test_wait.shared.b64", args, node),
            AsyncOp::BarrierTestWaitParity => {
                self.lower_wait("mbarrier.test_wait.parity.shared.b64", args, node)
            }
            AsyncOp::BarrierTryWait => self.lower_wait("mbarrier.try_wait.shared.b64", args, node),
            AsyncOp::BarrierTryWaitParity => {
                self.lower_wait("mbarrier.try_wait.parity.shared.b64", args, node)
            }
            AsyncOp::BarrierPendingCount => {
                let [state] = self.lower_scalars(args)?;
                self.exprs.debug.locate(node.span);
                let text = "mbarrier.pending_count.b64 $0, $1;";
                self.code.asm_value(text, self.cx.tys.i32.into(), &[state.into()]).map(Some)
            }
            AsyncOp::CopyAsync(n_bytes, form) => self.lower_copy_async(n_bytes, form, args, node),
            AsyncOp::CommitCopies => self.lower_plain("cp.async.commit_group;", node),
            AsyncOp::WaitForCopies => {
                let [n_groups] = self.lower_ints(args)?;
                let n_groups = n_groups
                    .get_zero_extended_constant()
                    .ok_or("a number of groups that is not a constant")?;
                self.lower_plain(&format!("cp.async.wait_group {n_groups};"), node)
            }
            AsyncOp::CopiesArrive => {
                self.lower_on_barrier("cp.async.mbarrier.arrive.shared.b64 [$0];", None, args, node)
            }
        }
    }

    /// An instruction on the barrier that the first argument points to.
    fn lower_on_barrier(
        &mut self,
        text: &str,
        ret: Option<BasicTypeEnum<'ctx>>,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.exprs.lower_scalar(arg)?);
        }
        self.exprs.debug.locate(node.span);
        let Some(barrier) = values.first_mut() else { return Err(Bug::from("a missing barrier operand")) };
        *barrier = self.shared_address(barrier.into_pointer_value())?;
        let values: Vec<BasicMetadataValueEnum<'ctx>> = values.into_iter().map(Into::into).collect();
        match ret {
            Some(ret) => self.code.asm_load(text, ret, &values).map(Some),
            None => self.code.asm_effect(text, &values).map(|()| None),
        }
    }

    /// A test whether a phase is complete; `operands` follow the barrier.
    fn lower_wait(
        &mut self,
        opcode: &str,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let others: String = (2..=args.len()).map(|n| format!(", ${n}")).collect();
        let text = format!("{{ .reg .pred %p; {opcode} %p, [$1]{others}; selp.b32 $0, 1, 0, %p; }}");
        self.lower_on_barrier(&text, Some(self.cx.tys.i32.into()), args, node)
    }

    /// LLVM's intrinsics print a constant size as part of the instruction. Waiting for the copies accesses
    /// all memory.
    fn lower_copy_async(
        &mut self,
        n_bytes: u8,
        form: CopyForm,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let [to, from, n_read] = self.lower_scalars(args)?;
        self.exprs.debug.locate(node.span);
        let shared = self.cx.llvm.ptr_type(addr_space::SHARED.into());
        let global = self.cx.llvm.ptr_type(addr_space::GLOBAL.into());
        let to = self.code.builder.build_address_space_cast(to.into_pointer_value(), shared, "")?;
        let from = self.code.builder.build_address_space_cast(from.into_pointer_value(), global, "")?;
        let cache = if n_bytes == 16 && form == CopyForm::Pipeline { "cg" } else { "ca" };
        let is_whole = form == CopyForm::Plain
            && n_read.is_int_value()
            && n_read.into_int_value().get_zero_extended_constant() == Some(n_bytes.into());
        if is_whole {
            let name = format!("llvm.nvvm.cp.async.{cache}.shared.global.{n_bytes}");
            self.code.call_intrinsic_for_effect(&name, &[to.into(), from.into()])?;
            return Ok(None);
        }
        let name = format!("llvm.nvvm.cp.async.{cache}.shared.global.{n_bytes}.s");
        self.code.call_intrinsic_for_effect(&name, &[to.into(), from.into(), n_read.into()])?;
        Ok(None)
    }
}
