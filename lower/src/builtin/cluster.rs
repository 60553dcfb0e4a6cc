//! Thread block clusters and programmatic dependent launch.

use inkwell::values::{BasicValueEnum, PointerValue};
use weft_frontend::ir::{ClusterOp, Expr, ExprNode};

use crate::atomic::space_of;
use crate::builtin::Builtins;
use crate::{Bug, addr_space};

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_cluster(
        &mut self,
        op: ClusterOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        match op {
            ClusterOp::ClusterArrive => self.lower_cluster_effect("barrier.cluster.arrive", node),
            ClusterOp::ClusterArriveRelaxed => {
                self.lower_cluster_effect("barrier.cluster.arrive.relaxed", node)
            }
            ClusterOp::ClusterWait => self.lower_cluster_effect("barrier.cluster.wait", node),
            ClusterOp::FenceCluster => self.lower_cluster_effect("fence.sc.cluster", node),
            // LLVM's intrinsics do not order memory accesses, because for LLVM they access no memory.
            ClusterOp::GridWait => self.lower_plain("griddepcontrol.wait;", node),
            ClusterOp::LaunchDependents => self.lower_plain("griddepcontrol.launch_dependents;", node),
            ClusterOp::MapShared => self.lower_map_shared(args, node).map(Some),
            ClusterOp::SharedRank => {
                let [ptr] = self.lower_scalars(args)?;
                self.exprs.debug.locate(node.span);
                self.code.call_intrinsic("llvm.nvvm.getctarank", &[], &[ptr.into()]).map(Some)
            }
            ClusterOp::MapMulticast => {
                let [ptr, mask] = self.lower_scalars(args)?;
                self.exprs.debug.locate(node.span);
                let shared = self.shared_address(ptr.into_pointer_value())?;
                self.words([shared, mask]).map(Some)
            }
            ClusterOp::IsExplicitCluster => {
                self.exprs.debug.locate(node.span);
                let is_explicit = self.code.call_intrinsic("llvm.nvvm.is_explicit_cluster", &[], &[])?;
                self.truth(is_explicit.into_int_value(), node).map(Some)
            }
            ClusterOp::RankInCluster => self.lower_cluster_reg("cluster.ctarank", node).map(Some),
            ClusterOp::ClusterSize => self.lower_cluster_reg("cluster.nctarank", node).map(Some),
            ClusterOp::ClusterDim => self.lower_cluster_dims("cluster.nctaid", node).map(Some),
            ClusterOp::IdxInCluster => self.lower_cluster_dims("cluster.ctaid", node).map(Some),
            ClusterOp::GridDimInClusters => self.lower_cluster_dims("nclusterid", node).map(Some),
            ClusterOp::ClusterIdx => self.lower_cluster_dims("clusterid", node).map(Some),
        }
    }

    fn lower_cluster_effect(&self, name: &str, node: &ExprNode) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        self.exprs.debug.locate(node.span);
        self.code.call_intrinsic_for_effect(&format!("llvm.nvvm.{name}"), &[])?;
        Ok(None)
    }

    /// The same location in another block's shared memory, in the shared address space if the variable is
    /// known. This is inline PTX because to LLVM, the result of its intrinsic does not point to the variable.
    fn lower_map_shared(&mut self, args: &[Expr], node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [ptr, rank] = self.lower_scalars(args)?;
        self.exprs.debug.locate(node.span);
        let (word, ptr) = (self.cx.tys.word, ptr.into_pointer_value());
        if space_of(ptr) != Some(addr_space::SHARED) {
            let there =
                self.code.asm_value("mapa.u64 $0, $1, $2;", word.into(), &[ptr.into(), rank.into()])?;
            return Ok(self
                .code
                .builder
                .build_int_to_ptr(there.into_int_value(), self.cx.tys.ptr, "")?
                .into());
        }
        let args = [self.in_shared(ptr)?.into(), rank.into()];
        let there = self.code.asm_value("mapa.shared::cluster.u64 $0, $1, $2;", word.into(), &args)?;
        let space = self.cx.llvm.ptr_type(addr_space::CLUSTER_SHARED.into());
        let there = self.code.builder.build_int_to_ptr(there.into_int_value(), space, "")?;
        Ok(self.code.builder.build_address_space_cast(there, self.cx.tys.ptr, "")?.into())
    }

    /// A 32-bit address in shared memory, as instructions take it.
    pub(super) fn shared_address(&self, ptr: PointerValue<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ptr = self.in_shared(ptr)?;
        Ok(self.code.builder.build_ptr_to_int(ptr, self.cx.tys.i32, "")?.into())
    }

    fn in_shared(&self, ptr: PointerValue<'ctx>) -> Result<PointerValue<'ctx>, Bug> {
        let shared = self.cx.llvm.ptr_type(addr_space::SHARED.into());
        Ok(self.code.builder.build_address_space_cast(ptr, shared, "")?)
    }

    fn lower_cluster_reg(&self, name: &str, node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        self.exprs.debug.locate(node.span);
        self.code.call_intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{name}"), &[], &[])
    }

    fn lower_cluster_dims(&self, name: &str, node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let x = self.lower_cluster_reg(&format!("{name}.x"), node)?;
        let y = self.lower_cluster_reg(&format!("{name}.y"), node)?;
        let z = self.lower_cluster_reg(&format!("{name}.z"), node)?;
        self.words([x, y, z])
    }

    /// A struct of words in its memory representation.
    fn words<const N: usize>(&self, words: [BasicValueEnum<'ctx>; N]) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ty = self.cx.llvm.struct_type(&[self.cx.tys.i32.into(); N], false);
        let mut whole = ty.get_undef();
        for (idx, word) in (0..).zip(words) {
            whole = self.code.builder.build_insert_value(whole, word, idx, "")?.into_struct_value();
        }
        Ok(whole.into())
    }
}
