//! The counts of an instruction, of a line, or of all.

use std::ops::AddAssign;

use crate::compute::WARP_SIZE;

/// The counts of executed instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of warp instructions: one for all threads that execute it together.
    pub n_warps: u64,
    /// The number of active threads of these: those on the path, whether their guard (`@%p`) was true or not.
    pub n_active: u64,
    /// The number of thread instructions: those whose guard was true.
    pub n_threads: u64,
    /// Branches.
    pub branches: Branches,
    /// Accesses to global memory, including those by generic addresses.
    pub global: Traffic,
    /// Accesses to local memory: variables whose address is taken, arrays, and spilled registers.
    pub local: Traffic,
    /// Accesses to shared memory.
    pub shared: SharedTraffic,
    /// Atomic operations.
    pub atomics: Atomics,
}

/// Branches of warps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// The number of executed branches.
    pub n_executed: u64,
    /// The number of those at which threads of the warp diverged.
    pub n_divergent: u64,
}

/// The traffic to memory that is accessed in sectors of 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of warp accesses: one for all threads that access memory together.
    pub n_requests: u64,
    /// The number of bytes that their threads accessed. Bytes that several threads access together count
    /// once.
    pub n_bytes: u64,
    /// The number of sectors of 32 bytes that they touched.
    pub n_sectors: u64,
    /// The number of sectors that those bytes would fill: for each access, its bytes over 32, rounded up.
    pub n_ideal_sectors: u64,
    /// The number of lines of 128 bytes that they touched.
    pub n_lines: u64,
}

/// Accesses to shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedTraffic {
    /// The number of warp accesses.
    pub n_requests: u64,
    /// The number of passes that they took.
    pub n_passes: u64,
    /// The number of passes that they would have taken without bank conflicts.
    pub n_ideal_passes: u64,
}

/// Atomic operations on global and shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Atomics {
    /// The number of warp instructions.
    pub n_requests: u64,
    /// The number of thread operations.
    pub n_operations: u64,
    /// The number of operations whose address another thread of the warp accessed at the same time.
    pub n_conflicts: u64,
}

impl Counts {
    /// The average number of active threads per warp instruction; `None` if nothing was executed.
    pub fn lanes(&self) -> Option<f64> {
        ratio(self.n_active, self.n_warps)
    }

    /// The same as a fraction of a whole warp, from 0 to 1: how well the lanes were used.
    pub fn simt_efficiency(&self) -> Option<f64> {
        self.lanes().map(|lanes| lanes / WARP_SIZE as f64)
    }
}

impl Branches {
    /// The fraction of branches at which threads diverged, from 0 to 1.
    pub fn divergence(&self) -> Option<f64> {
        ratio(self.n_divergent, self.n_executed)
    }
}

impl Traffic {
    /// The fraction of the sectors that would have sufficed, from 0 to 1.
    pub fn efficiency(&self) -> Option<f64> {
        ratio(self.n_ideal_sectors, self.n_sectors)
    }
}

impl SharedTraffic {
    /// The number of additional passes due to conflicts.
    pub fn n_conflicts(&self) -> u64 {
        self.n_passes - self.n_ideal_passes
    }

    /// The average number of passes per needed pass: 1 without conflicts, 32 at worst.
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
