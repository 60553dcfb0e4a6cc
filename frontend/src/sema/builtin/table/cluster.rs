//! CUDA C++ Programming Guide "Thread Block Clusters", "Distributed Shared Memory", "Programmatic Dependent Launch": what CUDA's
//! headers have for `sm_90`.

use super::functions;
use crate::ir::Builtin::Cluster;
use crate::ir::ClusterOp::*;
use crate::sema::builtin::ty::*;

functions! {
    "__cluster_barrier_arrive": VOID() => Cluster(ClusterArrive);
    "__cluster_barrier_arrive_relaxed": VOID() => Cluster(ClusterArriveRelaxed);
    "__cluster_barrier_wait": VOID() => Cluster(ClusterWait);
    "__threadfence_cluster": VOID() => Cluster(FenceCluster);
    "__cluster_map_shared_rank": VOID_PTR(const_ptr(VOID), UINT) => Cluster(MapShared);
    "__cluster_query_shared_rank": UINT(const_ptr(VOID)) => Cluster(SharedRank);
    "__cluster_map_shared_multicast": UINT2(const_ptr(VOID), UINT) => Cluster(MapMulticast);
    "__clusterDimIsSpecified": UINT() => Cluster(IsExplicitCluster);
    "__clusterRelativeBlockRank": UINT() => Cluster(RankInCluster);
    "__clusterSizeInBlocks": UINT() => Cluster(ClusterSize);
    "__clusterDim": DIM3() => Cluster(ClusterDim);
    "__clusterRelativeBlockIdx": DIM3() => Cluster(IdxInCluster);
    "__clusterGridDimInClusters": DIM3() => Cluster(GridDimInClusters);
    "__clusterIdx": DIM3() => Cluster(ClusterIdx);
    "cudaGridDependencySynchronize": VOID() => Cluster(GridWait);
    "cudaTriggerProgrammaticLaunchCompletion": VOID() => Cluster(LaunchDependents);
}
