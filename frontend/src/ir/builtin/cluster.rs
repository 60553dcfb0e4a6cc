//! Thread block clusters and dependent grids (CUDA C++ Programming Guide "Thread Block Clusters", "Distributed
//! Shared Memory", "Programmatic Dependent Launch").

use super::super::Ty;
use super::Signature;
use super::signature::Operand::{Is, PointerTo, Struct};

/// An operation of the blocks of a cluster, or of grids that depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClusterOp {
    /// `void __cluster_barrier_arrive()`: PTX ISA "barrier.cluster.arrive"
    ClusterArrive,
    /// `void __cluster_barrier_arrive_relaxed()`: PTX ISA "barrier.cluster.arrive", without an order of memory accesses
    ClusterArriveRelaxed,
    /// `void __cluster_barrier_wait()`: PTX ISA "barrier.cluster.wait"
    ClusterWait,
    /// `void __threadfence_cluster()`: PTX ISA "fence.sc.cluster"
    FenceCluster,
    /// `void *__cluster_map_shared_rank(const void *, unsigned rank)`: the same place in the shared memory of the cluster's block
    /// of that rank: PTX ISA "mapa"
    MapShared,
    /// `unsigned __cluster_query_shared_rank(const void *)`: the rank of the block whose shared memory it is: PTX ISA "getctarank"
    SharedRank,
    /// `uint2 __cluster_map_shared_multicast(const void *, unsigned blocks)`: the address within shared memory, and the mask
    MapMulticast,
    /// `unsigned __clusterDimIsSpecified()`: PTX ISA "%is_explicit_cluster"
    IsExplicitCluster,
    /// `unsigned __clusterRelativeBlockRank()`: PTX ISA "%cluster_ctarank"
    RankInCluster,
    /// `unsigned __clusterSizeInBlocks()`: PTX ISA "%cluster_nctarank"
    ClusterSize,
    /// `dim3 __clusterDim()`: blocks a cluster: PTX ISA "%cluster_nctaid"
    ClusterDim,
    /// `dim3 __clusterRelativeBlockIdx()`: the block's place in the cluster: PTX ISA "%cluster_ctaid"
    IdxInCluster,
    /// `dim3 __clusterGridDimInClusters()`: clusters in the grid: PTX ISA "%nclusterid"
    GridDimInClusters,
    /// `dim3 __clusterIdx()`: the cluster's place in the grid: PTX ISA "%clusterid"
    ClusterIdx,
    /// `void cudaGridDependencySynchronize()`: PTX ISA "griddepcontrol.wait"
    GridWait,
    /// `void cudaTriggerProgrammaticLaunchCompletion()`: PTX ISA "griddepcontrol.launch_dependents"
    LaunchDependents,
}

impl ClusterOp {
    pub(super) fn signature(self) -> Signature {
        match self {
            ClusterOp::ClusterArrive
            | ClusterOp::ClusterArriveRelaxed
            | ClusterOp::ClusterWait
            | ClusterOp::FenceCluster
            | ClusterOp::GridWait
            | ClusterOp::LaunchDependents => Signature::fixed(Is(Ty::VOID), &[]),
            ClusterOp::MapShared => {
                Signature::fixed(PointerTo(Ty::VOID), &[PointerTo(Ty::VOID), Is(Ty::UINT)])
            }
            ClusterOp::SharedRank => Signature::fixed(Is(Ty::UINT), &[PointerTo(Ty::VOID)]),
            ClusterOp::MapMulticast => {
                Signature::fixed(Struct("uint2"), &[PointerTo(Ty::VOID), Is(Ty::UINT)])
            }
            ClusterOp::IsExplicitCluster | ClusterOp::RankInCluster | ClusterOp::ClusterSize => {
                Signature::fixed(Is(Ty::UINT), &[])
            }
            ClusterOp::ClusterDim
            | ClusterOp::IdxInCluster
            | ClusterOp::GridDimInClusters
            | ClusterOp::ClusterIdx => Signature::fixed(Struct("dim3"), &[]),
        }
    }

    /// Whether it only gives a value.
    pub(super) fn is_pure(self) -> bool {
        match self {
            ClusterOp::ClusterArrive
            | ClusterOp::ClusterArriveRelaxed
            | ClusterOp::ClusterWait
            | ClusterOp::FenceCluster
            | ClusterOp::GridWait
            | ClusterOp::LaunchDependents => false,
            ClusterOp::MapShared
            | ClusterOp::SharedRank
            | ClusterOp::MapMulticast
            | ClusterOp::IsExplicitCluster
            | ClusterOp::RankInCluster
            | ClusterOp::ClusterSize
            | ClusterOp::ClusterDim
            | ClusterOp::IdxInCluster
            | ClusterOp::GridDimInClusters
            | ClusterOp::ClusterIdx => true,
        }
    }
}
