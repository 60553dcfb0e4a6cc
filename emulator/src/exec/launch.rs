//! How a kernel is launched, and what a launch did.

use std::num::NonZeroUsize;

/// How many instructions a warp may execute if nothing else is said: some minutes.
pub const STEP_LIMIT: u64 = 1 << 30;

/// How a kernel is launched.
///
/// Results, what is printed and faults are the same whenever the same is launched, on however many cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// How many blocks there are along each axis.
    pub grid: [u32; 3],
    /// How many threads a block has along each axis.
    pub block: [u32; 3],
    /// How many blocks a cluster has along each axis. None: as the kernel says, or one.
    pub cluster: Option<[u32; 3]>,
    /// All blocks run at the same time, and may wait for one another with `grid.sync()` of CUDA's cooperative groups: what
    /// `cudaLaunchCooperativeKernel` does.
    pub is_cooperative: bool,
    /// How much dynamic shared memory a block has, in bytes.
    pub dynamic_shared: u64,
    /// How many instructions each warp may execute: a loop without an end comes to one here. An instruction that the
    /// threads of a warp execute together counts once. None: as many as it likes.
    pub step_limit: Option<u64>,
    /// On how many cores blocks may run. None: on all that there are.
    pub n_workers: Option<NonZeroUsize>,
    /// Varies the order of blocks and of warps. None: in the order of their numbers.
    pub seed: Option<u64>,
    /// What is watched besides.
    pub checks: Checks,
    /// What is executed is counted, for `Device::take_profile`.
    pub is_profiled: bool,
    /// Wrong accesses, uses of undefined values and races do not stop the launch. They are kept for `Device::take_faults`
    /// ([`collected`](super::collected)). All other faults stop it.
    pub keeps_going: bool,
}

/// What is watched besides the bounds, the alignment and the lifetime of what is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Values that were read where nothing was written before: in shared and local memory, and in allocations that begin
    /// so. Copies of them are allowed; what depends on them is not.
    pub uninitialized: bool,
    /// Races: accesses of two threads to the same bytes, one of them a write, that nothing orders. Looking for them takes
    /// time and memory, and blocks run on one core.
    pub races: bool,
    /// Races of writes of the same value count, too. Without `races`, nothing.
    pub same_value_races: bool,
    /// `.volatile` accesses are plain ones for the check of races. By PTX they are `.relaxed.sys`: they do not race
    /// with one another.
    pub volatile_races: bool,
    /// Barriers that are for whole warps, and that a part of a warp comes to; barriers that are for the whole block, and that
    /// some of its threads never come to, since they have ended.
    pub divergent_barriers: bool,
    /// Accesses through a pointer to one object that land in another one, where the code shows which object the pointer was
    /// derived from.
    pub provenance: bool,
}

impl Launch {
    /// So many blocks of so many threads, without dynamic shared memory, and as is usual in all else.
    pub const fn new(grid: [u32; 3], block: [u32; 3]) -> Self {
        Launch {
            grid,
            block,
            cluster: None,
            is_cooperative: false,
            dynamic_shared: 0,
            step_limit: Some(STEP_LIMIT),
            n_workers: None,
            seed: None,
            checks: Checks::USUAL,
            is_profiled: false,
            keeps_going: false,
        }
    }
}

/// One thread.
impl Default for Launch {
    fn default() -> Self {
        Launch::new([1; 3], [1; 3])
    }
}

impl Checks {
    /// Those that cost little: all but races.
    pub const USUAL: Checks = Checks {
        uninitialized: true,
        races: false,
        same_value_races: true,
        volatile_races: false,
        divergent_barriers: true,
        provenance: true,
    };
    /// All that find what PTX does not allow.
    pub const ALL: Checks = Checks { races: true, ..Checks::USUAL };
    /// None.
    pub const NONE: Checks =
        Checks { uninitialized: false, divergent_barriers: false, provenance: false, ..Checks::USUAL };
}

impl Default for Checks {
    fn default() -> Self {
        Checks::USUAL
    }
}

/// What a launch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How many instructions were executed, each thread's counted.
    pub n_instructions: u64,
}
