//! The parameters of a launch, and its statistics.

use std::num::NonZeroUsize;

/// The default limit of instructions per warp: some minutes.
pub const STEP_LIMIT: u64 = 1 << 30;

/// The parameters of a launch.
///
/// Results, output and faults are reproducible: they do not depend on the number of cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The number of blocks along each axis.
    pub grid: [u32; 3],
    /// The number of threads per block along each axis.
    pub block: [u32; 3],
    /// The number of blocks per cluster along each axis. By default as the kernel specifies, or one.
    pub cluster: Option<[u32; 3]>,
    /// Whether all blocks run at the same time, and can synchronize with `grid.sync()` of CUDA's cooperative
    /// groups, like after `cudaLaunchCooperativeKernel`.
    pub is_cooperative: bool,
    /// The dynamic shared memory per block, in bytes.
    pub dynamic_shared: u64,
    /// The limit of instructions per warp, which ends infinite loops. An instruction that several threads of
    /// the warp execute together counts once. `None` for no limit.
    pub step_limit: Option<u64>,
    /// The number of cores to run blocks on. `None` for all cores.
    pub n_workers: Option<NonZeroUsize>,
    /// Randomizes the order of blocks and warps. `None` for ascending order.
    pub seed: Option<u64>,
    /// The checks besides those that are always on.
    pub checks: Checks,
    /// Whether to count executed instructions, for `Device::take_profile`.
    pub is_profiled: bool,
    /// Whether to continue after invalid accesses, uses of undefined values and races. They are collected for
    /// `Device::take_faults` ([`collected`](super::collected)). All other faults stop the launch.
    pub keeps_going: bool,
}

/// The checks besides those of bounds, alignment and lifetime, which are always on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Uses of values read from uninitialized memory: shared and local memory, and allocations that start
    /// uninitialized. Copying such a value is allowed; computing with it is not.
    pub uninitialized: bool,
    /// Data races: unordered accesses of two threads to the same bytes, at least one of them a write. This
    /// check takes time and memory, and blocks run on one core.
    pub races: bool,
    /// Whether races between writes of the same value count. No effect without `races`.
    pub same_value_races: bool,
    /// Whether the race check treats `.volatile` accesses as weak. By PTX they are `.relaxed.sys`, which do
    /// not race with one another.
    pub volatile_races: bool,
    /// Barriers for whole warps that only a part of a warp reaches, and barriers for the whole block that
    /// some threads never reach, since they have ended.
    pub divergent_barriers: bool,
    /// Accesses through a pointer to one object that land in another one, where the code shows which object
    /// the pointer derives from.
    pub provenance: bool,
}

impl Launch {
    /// A launch of these blocks and threads, without dynamic shared memory, with defaults for all else.
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
    /// The cheap checks: all but races.
    pub const USUAL: Checks = Checks {
        uninitialized: true,
        races: false,
        same_value_races: true,
        volatile_races: false,
        divergent_barriers: true,
        provenance: true,
    };
    /// All checks for what PTX forbids.
    pub const ALL: Checks = Checks { races: true, ..Checks::USUAL };
    /// No checks.
    pub const NONE: Checks =
        Checks { uninitialized: false, divergent_barriers: false, provenance: false, ..Checks::USUAL };
}

impl Default for Checks {
    fn default() -> Self {
        Checks::USUAL
    }
}

/// The statistics of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The number of executed instructions, counted for each thread.
    pub n_instructions: u64,
}
