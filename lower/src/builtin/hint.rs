//! Hints for the optimizer.

use inkwell::values::{BasicValueEnum, OperandBundle};
use weft_frontend::ir::{Expr, ExprNode, HintOp};

use crate::Bug;
use crate::builtin::Builtins;
use crate::effects::is_pure;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_hint(
        &mut self,
        op: HintOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        match op {
            HintOp::Expect => {
                let [value, expected] = self.lower_scalars(args)?;
                self.exprs.debug.locate(node.span);
                let ty = self.cx.scalar_ty(node.ty);
                self.code.call_intrinsic("llvm.expect", &[ty], &[value.into(), expected.into()]).map(Some)
            }
            HintOp::Assume => {
                // An operand with side effects is not evaluated.
                if args.iter().all(|&arg| is_pure(self.exprs.body, arg)) {
                    let [truth] = self.lower_ints(args)?;
                    self.exprs.debug.locate(node.span);
                    let truth = self.code.builder.build_int_truncate_or_bit_cast(
                        truth,
                        self.cx.llvm.bool_type(),
                        "",
                    )?;
                    self.code.call_intrinsic_for_effect("llvm.assume", &[truth.into()])?;
                }
                Ok(None)
            }
            HintOp::AccessProperty => {
                let [address, _policy] = self.lower_scalars::<2>(args)?;
                Ok(Some(address))
            }
            HintOp::AssumeAligned => {
                let operands = self.lower_scalars::<3>(args)?;
                self.exprs.debug.locate(node.span);
                let bundle = OperandBundle::create("align", &operands.map(Into::into));
                let function = self.cx.intrinsic("llvm.assume", &[])?;
                let truth = self.cx.llvm.bool_type().const_all_ones();
                self.code.builder.build_direct_call_with_operand_bundles(
                    function,
                    &[truth.into()],
                    &[bundle],
                    "",
                )?;
                Ok(Some(operands[0]))
            }
        }
    }
}
