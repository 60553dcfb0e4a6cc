//! Features that not every target supports.

use super::{PtxVersion, Target, Variant, v};

/// PTX features that require more than the oldest GPU or version: the input of [`choose_ptx`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// `bar.warp.sync`, `shfl.sync`, `vote.sync`
    WarpSync,
    /// `activemask`
    ActiveMask,
    /// `match.sync`
    Match,
    /// `redux.sync`
    Reduce,
    /// `atom.add.f64`
    AtomicAddDouble,
    /// `atom.add.noftz.f16`; `ld.relaxed`, `atom.cas.b16`
    AtomicAddHalf,
    /// `atom.add.noftz.f16x2`
    AtomicAddHalves,
    /// `atom.add.v2.f32`, `atom.add.v4.f32`
    AtomicAddVector,
    /// `atom.min`, `.max`, `.and`, `.or` and `.xor` of 64 bits
    AtomicLong,
    /// `atom.cas.b16`
    AtomicShort,
    /// `atom.cta`, `atom.sys`
    AtomicScope,
    /// The instructions of `__nv_atomic_load_n` and similar functions
    AtomicOrder,
    /// `ld.b128`, `st.b128` with a memory order
    AtomicQuad,
    /// `atom.exch.b128`, `atom.cas.b128`
    AtomicQuadExchange,
    /// An atomic operation that requires a compare-and-swap loop
    AtomicLoop,
    /// `atom.cluster`, `fence.cluster`
    ClusterScope,
    /// `fence.acquire`, `fence.release`
    OneWayFence,
    /// `add.f16` and similar instructions
    Half,
    /// `fma.rn.bf16`
    BfloatFma,
    /// `.maxclusterrank`: the third argument of `__launch_bounds__`
    MaxClusterRank,
    /// `.reqnctapercluster`: `__cluster_dims__`
    Cluster,
    /// `.blocksareclusters`: `__block_size__`
    BlocksAreClusters,
    /// `0xff(symbol)`: an address in an initial value that is written byte by byte
    AddressBytes,
    /// `barrier`
    Barrier,
    /// `shf`
    FunnelShift,
    /// `dp4a`, `dp2a`
    DotProduct,
    /// `vabsdiff2`, `vabsdiff4`
    LaneDifferences,
    /// `add.s16x2`, `max.s16x2`, `max.relu`
    PackedHalves,
    /// `alloca`
    Alloca,
    /// `nanosleep`
    Nanosleep,
    /// `isspacep.param`, `cvta.param`
    ParamWindow,
    /// `isspacep.shared::cluster`, `mapa`, `getctarank`
    ClusterShared,
    /// `barrier.cluster`, `fence.cluster`, `%clusterid` and similar registers
    ClusterBlocks,
    /// `barrier.cluster.arrive.relaxed`
    ClusterRelaxed,
    /// `griddepcontrol`
    GridDependency,
    /// `fns`
    FindNthSet,
    /// `mbarrier`
    SharedBarrier,
    /// `mbarrier.test_wait.parity`
    BarrierParity,
    /// `mbarrier.try_wait`
    BarrierTryWait,
    /// `cp.async`
    AsyncCopy,
    /// `wmma` of `.f16`, `m16n16k16`
    MatrixHalves,
    /// `wmma` of `.f16`, of other shapes
    MatrixLongHalves,
    /// `wmma` of `.s8`, `.u8`
    MatrixBytes,
    /// `wmma` of `.s4`, `.u4`, `.b1`
    MatrixSmall,
    /// `wmma` of `.bf16`, `.tf32`, `.f64`
    MatrixWide,
    /// `wmma.mma.and.popc`
    MatrixAnd,
    /// `wgmma.mma_async`
    GroupMatrix,
    /// `tex` and `tld4` with a residency predicate
    Residency,
    /// `tex.grad.cube`, `tex.grad.acube`
    CubemapGrad,
    /// Kernels whose parameters take more than 4,352 bytes
    LargeParams,
    /// `tanh.approx`
    TanhApprox,
    /// `sin.approx.2pi`, `cos.approx.2pi`
    Turns,
    /// `.loc` with `function_name` and `inlined_at`
    InlinedAt,
    /// `.b128` registers
    QuadRegister,
    /// `%reserved_smem_offset_1`
    ReservedShared,
    /// `.param .align 8 .b8 name[]`: a parameter without a size, for variadic arguments
    Variadic,
    /// `.attribute(.managed)`
    Managed,
}

impl Feature {
    /// The lowest version that supports it (PTX ISA, "PTX ISA Notes" of each instruction).
    pub fn min_ptx(self) -> PtxVersion {
        match self {
            Feature::WarpSync | Feature::Match | Feature::Variadic => v(6, 0),
            Feature::ActiveMask => v(6, 2),
            Feature::Reduce => v(7, 0),
            Feature::AtomicAddDouble | Feature::AtomicScope => v(5, 0),
            Feature::AtomicLong => PtxVersion::MIN,
            Feature::AtomicShort | Feature::AtomicAddHalf => v(6, 3),
            Feature::AtomicAddHalves => v(6, 2),
            Feature::AtomicAddVector => v(8, 1),
            Feature::AtomicOrder => v(5, 0),
            // PTX ISA "ld", "atom": 8.3, except for system scope.
            Feature::AtomicQuad | Feature::AtomicQuadExchange => v(8, 4),
            // PTX ISA "membar/fence": acquire and release came after acq_rel.
            Feature::AtomicLoop | Feature::OneWayFence => v(8, 6),
            Feature::Half => v(4, 2),
            Feature::BfloatFma | Feature::TanhApprox | Feature::SharedBarrier | Feature::AsyncCopy => v(7, 0),
            Feature::BarrierParity | Feature::Residency => v(7, 1),
            Feature::MatrixHalves => v(6, 0),
            Feature::MatrixLongHalves => v(6, 1),
            Feature::MatrixBytes | Feature::MatrixSmall => v(6, 3),
            Feature::MatrixWide => v(7, 0),
            Feature::MatrixAnd => v(7, 1),
            Feature::CubemapGrad => v(4, 3),
            Feature::AddressBytes => v(7, 1),
            Feature::InlinedAt => v(7, 2),
            Feature::MaxClusterRank
            | Feature::Cluster
            | Feature::ClusterScope
            | Feature::ClusterShared
            | Feature::ClusterBlocks
            | Feature::BarrierTryWait
            | Feature::GridDependency => v(7, 8),
            Feature::ClusterRelaxed | Feature::GroupMatrix => v(8, 0),
            Feature::Barrier | Feature::FindNthSet => v(6, 0),
            Feature::FunnelShift | Feature::LaneDifferences => PtxVersion::MIN,
            Feature::DotProduct => v(5, 0),
            Feature::PackedHalves => v(8, 0),
            Feature::Alloca => v(7, 3),
            Feature::BlocksAreClusters => v(9, 0),
            Feature::Nanosleep => v(6, 3),
            Feature::ParamWindow => v(7, 7),
            Feature::LargeParams => v(8, 1),
            Feature::QuadRegister => v(8, 3),
            Feature::ReservedShared => v(7, 6),
            Feature::Managed => v(4, 0),
            // Measured with ptxas 13.5.
            Feature::Turns => v(9, 5),
        }
    }

    /// The lowest architecture that supports it (PTX ISA, "Target ISA Notes").
    pub fn min_sm(self) -> u16 {
        match self {
            Feature::WarpSync | Feature::ActiveMask | Feature::Variadic => 30,
            Feature::Match => 70,
            Feature::Reduce => 80,
            Feature::AtomicAddDouble | Feature::AtomicScope | Feature::AtomicAddHalves => 60,
            Feature::AtomicLong => 32,
            Feature::AtomicShort | Feature::AtomicQuad | Feature::AtomicAddHalf => 70,
            Feature::AtomicOrder | Feature::Residency => 60,
            Feature::MatrixHalves | Feature::MatrixLongHalves => 70,
            Feature::MatrixBytes => 72,
            Feature::MatrixSmall => 75,
            Feature::MatrixWide | Feature::MatrixAnd => 80,
            Feature::CubemapGrad => 20,
            Feature::AtomicQuadExchange => 90,
            // Like nvcc; all GPUs could support it.
            Feature::AtomicLoop => 100,
            Feature::Half => 53,
            Feature::BfloatFma | Feature::SharedBarrier | Feature::BarrierParity | Feature::AsyncCopy => 80,
            // PTX ISA "Initializers": all GPUs.
            Feature::AddressBytes | Feature::InlinedAt | Feature::Turns => 0,
            Feature::MaxClusterRank
            | Feature::Cluster
            | Feature::BlocksAreClusters
            | Feature::PackedHalves
            | Feature::ClusterScope
            | Feature::GroupMatrix
            | Feature::OneWayFence
            | Feature::ClusterShared
            | Feature::ClusterBlocks
            | Feature::ClusterRelaxed
            | Feature::AtomicAddVector
            | Feature::BarrierTryWait
            | Feature::GridDependency => 90,
            Feature::Barrier | Feature::FindNthSet | Feature::LaneDifferences => 30,
            Feature::FunnelShift => 32,
            Feature::Alloca => 52,
            Feature::DotProduct => 61,
            Feature::Nanosleep | Feature::ParamWindow | Feature::LargeParams => 70,
            Feature::TanhApprox => 75,
            Feature::QuadRegister => 70,
            Feature::ReservedShared => 80,
            Feature::Managed => 30,
        }
    }

    /// The only target that supports it, if there is just one.
    pub fn sole_target(self) -> Option<Target> {
        match self {
            Feature::GroupMatrix => Some(Target { sm: 90, variant: Variant::Arch }),
            _ => None,
        }
    }

    /// Its description, for a message.
    pub fn name(self) -> &'static str {
        match self {
            Feature::WarpSync => "warp-level operations with a mask",
            Feature::ActiveMask => "`__activemask`",
            Feature::Match => "warp match operations",
            Feature::Reduce => "warp reductions",
            Feature::AtomicAddDouble => "`atomicAdd` of `double`",
            Feature::AtomicAddHalf => "`atomicAdd` of half-precision numbers",
            Feature::AtomicAddHalves => "`atomicAdd` of `__half2`",
            Feature::AtomicAddVector => "vectorized `atomicAdd`",
            Feature::AtomicLong => "this 64-bit atomic operation",
            Feature::AtomicShort => "16-bit atomic compare-and-swap",
            Feature::AtomicOrder => "atomic operations with a memory order",
            Feature::AtomicQuad => "128-bit atomic accesses",
            Feature::AtomicQuadExchange => "128-bit atomic exchange",
            Feature::AtomicLoop => "this atomic operation on this type",
            Feature::ClusterScope => "cluster scope",
            Feature::OneWayFence => "acquire-only and release-only fences",
            Feature::AtomicScope => "atomic operations with block or system scope",
            Feature::Half => "half-precision arithmetic",
            Feature::BfloatFma => "fused multiply-add of `__nv_bfloat16`",
            Feature::Cluster => "`__cluster_dims__`",
            Feature::BlocksAreClusters => "`__block_size__`",
            Feature::MaxClusterRank => "the maximum cluster size of `__launch_bounds__`",
            Feature::AddressBytes => "an address in a packed initial value",
            Feature::Barrier => "numbered barriers",
            Feature::FunnelShift => "funnel shifts",
            Feature::DotProduct => "dot products of bytes",
            Feature::LaneDifferences => "SIMD differences",
            Feature::PackedHalves => "packed half-precision arithmetic",
            Feature::Alloca => "`alloca`",
            Feature::Nanosleep => "`__nanosleep`",
            Feature::ParamWindow => "addresses of parameters",
            Feature::LargeParams => "more than 4352 bytes of kernel parameters",
            Feature::InlinedAt => "line tables for inlined code",
            Feature::QuadRegister => "128-bit registers",
            Feature::ReservedShared => "reserved shared memory",
            Feature::Variadic => "variadic functions",
            Feature::Managed => "`__managed__` variables",
            Feature::TanhApprox => "approximate hyperbolic tangent",
            Feature::Turns => "sine and cosine of an angle in revolutions",
            Feature::ClusterShared => "distributed shared memory",
            Feature::ClusterBlocks => "thread block clusters",
            Feature::ClusterRelaxed => "`__cluster_barrier_arrive_relaxed`",
            Feature::GridDependency => "programmatic dependent launch",
            Feature::FindNthSet => "`__fns`",
            Feature::SharedBarrier => "barriers in shared memory (`mbarrier`)",
            Feature::BarrierParity => "waits for the parity of an `mbarrier`",
            Feature::BarrierTryWait => "waits with a time limit for an `mbarrier`",
            Feature::MatrixHalves | Feature::MatrixLongHalves => "matrix multiplication",
            Feature::MatrixBytes => "matrix multiplication of bytes",
            Feature::MatrixSmall => "matrix multiplication of bits or 4-bit integers",
            Feature::MatrixWide => "matrix multiplication of these types",
            Feature::MatrixAnd => "matrix multiplication with `and`",
            Feature::GroupMatrix => "warpgroup matrix multiplication (`wgmma`)",
            Feature::AsyncCopy => "asynchronous copies",
            Feature::Residency => "texture reads that report whether memory is resident",
            Feature::CubemapGrad => "cubemap reads with derivatives",
        }
    }
}
