//! What is counted of an instruction, of a line, or of all.

use std::ops::AddAssign;

use crate::compute::WARP_SIZE;

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many instructions warps executed: once for all threads that execute it together.
    pub n_warps: u64,
    /// For how many threads that was: those that went on together, whether the guard of the instruction (`@%p`) held
    /// for them or not.
    pub n_active: u64,
    /// How many instructions threads executed: those whose guard held.
    pub n_threads: u64,
    /// Branches.
    pub branches: Branches,
    /// Accesses to global memory, also by generic addresses.
    pub global: Traffic,
    /// The same to local memory: variables whose address is taken, arrays, and what found no register.
    pub local: Traffic,
    /// The same to shared memory.
    pub shared: SharedTraffic,
    /// Atomic operations.
    pub atomics: Atomics,
}

/// Branches of warps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// How many were executed.
    pub n_executed: u64,
    /// At how many of them threads of the warp went different ways.
    pub n_divergent: u64,
}

/// What warps moved from and to memory that is accessed in sectors of 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// How many accesses of warps there were: once for all threads that access it together.
    pub n_requests: u64,
    /// How many bytes their threads asked for. What several threads ask for together counts once.
    pub n_bytes: u64,
    /// How many sectors of 32 bytes they touched.
    pub n_sectors: u64,
    /// How many sectors those bytes would have filled: of each access, its bytes over 32, rounded up.
    pub n_ideal_sectors: u64,
    /// How many lines of 128 bytes they touched.
    pub n_lines: u64,
}

/// Accesses to shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedTraffic {
    /// How many accesses of warps there were.
    pub n_requests: u64,
    /// How many passes they took.
    pub n_passes: u64,
    /// How many they would have taken without conflicts in the banks.
    pub n_ideal_passes: u64,
}

/// Atomic operations on global and shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Atomics {
    /// How many instructions of warps there were.
    pub n_requests: u64,
    /// How many operations of threads that was.
    pub n_operations: u64,
    /// How many of them found their address taken by a thread of the same warp at the same time.
    pub n_conflicts: u64,
}

impl Counts {
    /// How many threads went on together at an instruction of a warp, on average; none where nothing was executed.
    pub fn lanes(&self) -> Option<f64> {
        ratio(self.n_active, self.n_warps)
    }

    /// The same as a part of a whole warp, from 0 to 1: how well the lanes were used.
    pub fn simt_efficiency(&self) -> Option<f64> {
        self.lanes().map(|lanes| lanes / WARP_SIZE as f64)
    }
}

impl Branches {
    /// At which part of the branches threads went different ways, from 0 to 1.
    pub fn divergence(&self) -> Option<f64> {
        ratio(self.n_divergent, self.n_executed)
    }
}

impl Traffic {
    /// Which part of the sectors would have done, from 0 to 1.
    pub fn efficiency(&self) -> Option<f64> {
        ratio(self.n_ideal_sectors, self.n_sectors)
    }
}

impl SharedTraffic {
    /// How many passes more conflicts took.
    pub fn n_conflicts(&self) -> u64 {
        self.n_passes - self.n_ideal_passes
    }

    /// How many passes an access took for each that it needed, on average: 1 without conflicts, 32 at worst.
    pub fn ways(&self) -> Option<f64> {
        ratio(self.n_passes, self.n_ideal_passes)
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        let Counts { n_warps, n_active, n_threads, branches, global, local, shared, atomics } = other;
        self.n_warps += n_warps;
        self.n_active += n_active;
        self.n_threads += n_threads;
        self.branches += branches;
        self.global += global;
        self.local += local;
        self.shared += shared;
        self.atomics += atomics;
    }
}

impl AddAssign for Branches {
    fn add_assign(&mut self, Branches { n_executed, n_divergent }: Branches) {
        self.n_executed += n_executed;
        self.n_divergent += n_divergent;
    }
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Traffic) {
        let Traffic { n_requests, n_bytes, n_sectors, n_ideal_sectors, n_lines } = other;
        self.n_requests += n_requests;
        self.n_bytes += n_bytes;
        self.n_sectors += n_sectors;
        self.n_ideal_sectors += n_ideal_sectors;
        self.n_lines += n_lines;
    }
}

impl AddAssign for SharedTraffic {
    fn add_assign(&mut self, SharedTraffic { n_requests, n_passes, n_ideal_passes }: SharedTraffic) {
        self.n_requests += n_requests;
        self.n_passes += n_passes;
        self.n_ideal_passes += n_ideal_passes;
    }
}

impl AddAssign for Atomics {
    fn add_assign(&mut self, Atomics { n_requests, n_operations, n_conflicts }: Atomics) {
        self.n_requests += n_requests;
        self.n_operations += n_operations;
        self.n_conflicts += n_conflicts;
    }
}
