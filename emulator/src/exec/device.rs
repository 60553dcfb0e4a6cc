//! A program with its memory, and launches of its kernels.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use super::collected::{Collected, Collector, Repeated};
use super::console::{Blocks, Console};
use super::fault::{Fault, FaultKind};
use super::grid::{self, Parallel};
pub use super::launch::{Checks, Launch, Statistics};
use super::names::Names;
use super::observe::SharedTracer;
use super::order::BlockOrder;
use super::pointees::Pointees;
use super::races::GridRaces;
use super::text::Text;
use super::trace::Tracer;
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::bytes::Bytes;
use crate::memory::error::AccessError;
use crate::memory::global::{Global, OutOfMemory};
use crate::memory::host::{HostMemory, HostOutOfMemory};
use crate::profile::Profile;
use crate::program::Program;
use crate::texture::{Object, Objects};

/// The maximum number of threads per block.
const MAX_THREADS: u64 = 1024;

/// The maximum number of blocks per cluster.
const MAX_CLUSTER: u64 = 16;

/// The maximum shared memory per block, in bytes.
const MAX_SHARED: u64 = 227 << 10;

/// The size of the memory that the blocks of a cooperative launch share, in bytes.
const GRID_WORKSPACE: u64 = 8;

/// A program with its memory.
pub struct Device<'p> {
    pub(super) program: &'p Program,
    /// Global memory.
    pub global: Global,
    /// The variables in constant memory, which only the host writes.
    constants: Bytes,
    objects: Objects,
    /// The output of kernels that has not been taken.
    console: Text,
    /// Kernels whose blocks turned out to depend on one another.
    dependent: BTreeSet<usize>,
    /// The counts of the last launch.
    profile: Option<Profile>,
    /// The faults that did not stop the last launch.
    collected: Collected,
    /// Receives each executed instruction.
    tracer: Option<SharedTracer>,
    /// The source names of functions and objects, for messages.
    pub names: Names,
    /// The number of blocks of the launch that have ended; can be read while it runs.
    pub n_blocks_ended: Arc<AtomicU64>,
}

/// The state that all threads of a launch share.
pub(super) struct LaunchContext<'a> {
    pub(super) program: &'a Program,
    /// The index of the kernel.
    pub(super) kernel: usize,
    pub(super) block_size: [u32; 3],
    pub(super) global: &'a Global,
    pub(super) constants: &'a Bytes,
    /// Textures, samplers and surfaces.
    pub(super) objects: &'a Objects,
    pub(super) params: &'a Bytes,
    /// The objects that the pointer parameters point to.
    pub(super) pointees: Pointees,
    /// The shared memory per block, in bytes.
    pub(super) shared_size: u64,
    pub(super) specials: GridSpecials,
    /// The number of instructions that each warp may execute.
    pub(super) step_limit: Option<u64>,
    pub(super) checks: Checks,
    pub(super) seed: Option<u64>,
    pub(super) order: BlockOrder,
    /// Set while blocks run at the same time.
    pub(super) parallel: Option<Parallel>,
    /// The number of blocks that have ended.
    pub(super) n_ended: &'a AtomicU64,
    /// Collects faults that do not stop the launch, if it continues after faults.
    pub(super) collector: Option<Collector>,
    /// The accesses recorded for the race check, if it is on.
    pub(super) races: Option<GridRaces>,
    /// Whether executed instructions are counted.
    pub(super) is_profiled: bool,
    /// Receives each executed instruction.
    pub(super) tracer: Option<&'a SharedTracer>,
    /// Receives what kernels print.
    pub(super) console: &'a (dyn Blocks + 'a),
    /// Whether the launch is profiled or traced.
    pub(super) is_observed: bool,
}

/// Special registers that are the same in all threads.
pub(super) struct GridSpecials {
    pub(super) ntid: [Lanes; 3],
    pub(super) nctaid: [Lanes; 3],
    pub(super) nwarpid: Lanes,
    pub(super) dynamic_shared: Lanes,
    pub(super) total_shared: Lanes,
    pub(super) nclusterid: [Lanes; 3],
    pub(super) cluster_nctaid: [Lanes; 3],
    pub(super) cluster_size: Lanes,
    pub(super) is_explicit_cluster: Lanes,
    /// The low and the high half of the address of a cooperative launch's workspace.
    pub(super) grid_workspace: [Lanes; 2],
}

impl LaunchContext<'_> {
    /// The number of threads per block.
    pub(super) fn n_threads(&self) -> u32 {
        self.block_size.iter().product()
    }

    /// The fault of `trap`: CUDA's cooperative groups execute it when a kernel synchronizes the grid in a
    /// launch that is not cooperative.
    pub(super) fn trap(&self) -> FaultKind {
        let has_workspace = self.specials.grid_workspace != [[0; WARP_SIZE]; 2];
        if has_workspace || !self.program.reads_grid_workspace() {
            FaultKind::Trap
        } else {
            FaultKind::NotCooperative
        }
    }

    pub(super) fn print(&self, position: u64, text: &[u8]) {
        if self.parallel.as_ref().is_none_or(|parallel| parallel.claims.is_surely_kept()) {
            self.console.print(position, text);
        }
    }

    /// Whether blocks that run at the same time turned out to depend on one another.
    pub(super) fn is_given_up(&self) -> bool {
        self.parallel.as_ref().is_some_and(|parallel| parallel.claims.is_given_up())
    }
}

impl<'p> Device<'p> {
    /// Creates a device with the program's variables, and `memory_limit` bytes for allocations.
    ///
    /// # Errors
    ///
    /// If the host has too little memory for the variables.
    pub fn new(program: &'p Program, memory_limit: u64) -> Result<Self, HostOutOfMemory> {
        Device::on_host(program, memory_limit, Arc::new(HostMemory::available()))
    }

    /// Creates a device that shares the host's memory with others.
    ///
    /// # Errors
    ///
    /// Like [`Device::new`].
    pub fn on_host(
        program: &'p Program,
        memory_limit: u64,
        host: Arc<HostMemory>,
    ) -> Result<Self, HostOutOfMemory> {
        let windows = program.windows;
        let global = Global::at(windows.global, memory_limit.min(windows.global_limit()), host);
        for variable in &program.globals {
            global.place(variable.address, variable.size, &variable.image, &variable.name)?;
        }
        let mut objects = Objects::default();
        for &(address, kind, sampler) in &program.opaque {
            objects.declare(address, kind);
            if let Some(sampler) = sampler {
                objects.bind(address, Object::Sampler(sampler));
            }
        }
        let constants = Bytes::zeroed(program.constants.len());
        let mut image = vec![0; constants.len()];
        program.constants.read(0, &mut image);
        constants.write(0, &image);
        let n_blocks_ended = Arc::default();
        Ok(Device {
            program,
            global,
            constants,
            objects,
            console: Text::default(),
            dependent: BTreeSet::new(),
            profile: None,
            collected: Collected::default(),
            tracer: None,
            names: Names::default(),
            n_blocks_ended,
        })
    }

    /// The generic address and the size of a variable in global or constant memory, by symbol.
    pub fn variable(&self, name: &str) -> Option<(u64, u64)> {
        self.global_variable(name).or_else(|| {
            let found = self.program.constant_variables.iter().find(|(symbol, ..)| symbol == name);
            found.map(|&(_, offset, size)| (self.program.windows.constant + offset, size))
        })
    }

    fn global_variable(&self, name: &str) -> Option<(u64, u64)> {
        let found = self.program.globals.iter().find(|variable| variable.name == name)?;
        Some((found.address, found.size))
    }

    /// Copies bytes to global or constant memory.
    ///
    /// # Errors
    ///
    /// If they are not within an allocation or a variable.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), AccessError> {
        match self.constant_offset(address, bytes.len()) {
            Some(offset) => {
                self.constants.write(offset, bytes);
                Ok(())
            }
            None => self.global.write(address, bytes),
        }
    }

    /// Copies bytes from global or constant memory.
    ///
    /// # Errors
    ///
    /// If they are not within an allocation or a variable.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), AccessError> {
        match self.constant_offset(address, bytes.len()) {
            Some(offset) => {
                self.constants.read(offset, bytes);
                Ok(())
            }
            None => self.global.read(address, bytes),
        }
    }

    /// The offset in constant memory of an access, if it is there.
    fn constant_offset(&self, address: u64, n_bytes: usize) -> Option<u64> {
        let offset = address.checked_sub(self.program.windows.constant)?;
        self.constants.holds(offset, n_bytes as u64).then_some(offset)
    }

    /// Creates a texture, sampler or surface, and returns its handle. The array is device memory.
    pub fn add_object(&mut self, object: Object) -> u64 {
        self.objects.add(object)
    }

    /// Binds a texture, sampler or surface to a variable of such a type, whose address is its handle. Returns
    /// false if there is no variable with this name.
    pub fn bind_object(&mut self, variable: &str, object: Object) -> bool {
        let found = self.global_variable(variable);
        if let Some((handle, _)) = found {
            self.objects.bind(handle, object);
        }
        found.is_some()
    }

    /// What kernels have printed since the last call, except in [`Device::launch_with_output`].
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.console).into_bytes()
    }

    /// The counts of the last launch, if it was profiled (`Launch::is_profiled`); if it was stopped, the
    /// counts until then.
    pub fn take_profile(&mut self) -> Option<Profile> {
        self.profile.take()
    }

    /// The faults that did not stop the last launch, if it continued after faults (`Launch::keeps_going`),
    /// even if another fault stopped it in the end.
    pub fn take_faults(&mut self) -> Collected {
        std::mem::take(&mut self.collected)
    }

    /// Reports each instruction that a warp executes from now on. Meanwhile launches use one core.
    pub fn trace(&mut self, tracer: Box<dyn Tracer>) {
        self.tracer = Some(Mutex::new(tracer));
    }

    /// Runs a kernel. `args` holds the bytes of each argument.
    ///
    /// # Errors
    ///
    /// If the launch is invalid, or a thread faults.
    pub fn launch(&mut self, kernel: &str, launch: &Launch, args: &[Vec<u8>]) -> Result<Statistics, Fault> {
        let mut console = std::mem::take(&mut self.console);
        let outcome = self.launch_with_output(kernel, launch, args, &mut |text: &[u8]| console.push(text));
        self.console = console;
        outcome
    }

    /// Like [`Device::launch`], but delivers what the kernel prints as it is printed: the output of a block
    /// once all blocks before it have ended.
    ///
    /// # Errors
    ///
    /// Like [`Device::launch`].
    pub fn launch_with_output(
        &mut self,
        kernel: &str,
        launch: &Launch,
        args: &[Vec<u8>],
        printed: &mut (dyn FnMut(&[u8]) + Send),
    ) -> Result<Statistics, Fault> {
        self.profile = None;
        self.collected = Collected::default();
        let bad = |why: String| Fault::from(FaultKind::BadLaunch(why));
        let number = self.program.kernels.get(kernel).copied();
        let number = number.ok_or_else(|| bad(format!("no kernel named `{kernel}`")))?;
        let n_threads: u64 = launch.block.iter().map(|&n| u64::from(n)).product();
        if n_threads == 0 || n_threads > MAX_THREADS {
            return Err(bad(format!("block has {n_threads} threads; it must have from 1 to {MAX_THREADS}")));
        }
        let shared_size = self.program.dynamic_shared + launch.dynamic_shared;
        if shared_size > MAX_SHARED {
            let message =
                format!("block has {shared_size} bytes of shared memory; the maximum is {MAX_SHARED}");
            return Err(bad(message));
        }
        let params = self.params(number, args).map_err(bad)?;
        let (cluster, is_explicit) = self.cluster(number, launch).map_err(bad)?;
        let order = BlockOrder::new(launch.grid, cluster, launch.seed);
        let order = order.ok_or_else(|| bad("the grid has too many blocks".to_owned()))?;
        let lanes = |value: u64| [value; WARP_SIZE];
        let workspace = self.grid_workspace(launch, shared_size, &order).map_err(Fault::from)?;
        let workspace_address = workspace.unwrap_or(0);
        let console = Console::new(printed);
        let mut cx = LaunchContext {
            program: self.program,
            kernel: number,
            block_size: launch.block,
            global: &self.global,
            constants: &self.constants,
            objects: &self.objects,
            params: &params,
            pointees: Pointees::new(self, number, &params, launch.checks),
            shared_size,
            specials: GridSpecials {
                ntid: launch.block.map(|n| lanes(u64::from(n))),
                nctaid: launch.grid.map(|n| lanes(u64::from(n))),
                nwarpid: lanes(n_threads.div_ceil(WARP_SIZE as u64)),
                dynamic_shared: lanes(launch.dynamic_shared),
                total_shared: lanes(shared_size),
                nclusterid: std::array::from_fn(|axis| lanes(u64::from(launch.grid[axis] / cluster[axis]))),
                cluster_nctaid: cluster.map(|n| lanes(u64::from(n))),
                cluster_size: lanes(order.cluster_size()),
                is_explicit_cluster: lanes(u64::from(is_explicit)),
                grid_workspace: [
                    lanes(workspace_address & u64::from(u32::MAX)),
                    lanes(workspace_address >> 32),
                ],
            },
            step_limit: launch.step_limit,
            checks: launch.checks,
            seed: launch.seed,
            order,
            parallel: None,
            n_ended: &self.n_blocks_ended,
            collector: launch.keeps_going.then(Collector::default),
            races: launch.checks.races.then(|| {
                let host = self.global.host();
                GridRaces::new(self.program, n_threads as u32, order.cluster_size(), host)
            }),
            is_profiled: launch.is_profiled,
            tracer: self.tracer.as_ref(),
            console: &console,
            is_observed: launch.is_profiled || self.tracer.is_some(),
        };
        self.n_blocks_ended.store(0, Ordering::Relaxed);
        let n_workers =
            launch.n_workers.unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
        let mut is_repeated = false;
        let outcome = if launch.is_cooperative || launch.checks.races || self.program.may_wait(number) {
            grid::run_in_turns(&cx)
        } else if n_workers == NonZeroUsize::MIN
            || order.n_clusters < 2
            || self.dependent.contains(&number)
            || self.tracer.is_some()
        {
            grid::run_one_by_one(&cx)
        } else if let Some(outcome) = grid::run_at_once(&mut cx, n_workers) {
            outcome
        } else {
            is_repeated = true;
            grid::run_one_by_one(&cx)
        };
        let collected = cx.collector.take().map(Collector::take).unwrap_or_default();
        if is_repeated && outcome.fault.is_none() && collected.is_empty() {
            self.dependent.insert(number);
        }
        if let Some(address) = workspace {
            // The kernel may have freed it.
            let _ = self.global.free(address);
        }
        self.profile = launch.is_profiled.then(|| outcome.profile.finish(self.program));
        self.collected = collected;
        for Repeated { fault, .. } in &mut self.collected.distinct {
            self.names.finish(fault, kernel);
        }
        match outcome.fault {
            None => Ok(Statistics { n_instructions: outcome.n_instructions }),
            Some(mut fault) => {
                self.names.finish(&mut fault, kernel);
                Err(fault)
            }
        }
    }

    /// The workspace that the blocks of a cooperative launch share: its size and the counter of its barrier,
    /// four zero bytes each. All of its blocks run at the same time.
    fn grid_workspace(
        &self,
        launch: &Launch,
        shared_size: u64,
        order: &BlockOrder,
    ) -> Result<Option<u64>, FaultKind> {
        if !launch.is_cooperative {
            return Ok(None);
        }
        let n_threads = launch.block.iter().product();
        let most = grid::max_resident(n_threads, shared_size, order.cluster_size()) * order.cluster_size();
        if order.n_blocks > most {
            return Err(FaultKind::BadLaunch(format!(
                "cooperative launch has {} blocks; at most {most} of this size can be resident at the same \
                 time",
                order.n_blocks
            )));
        }
        let allocated = self.global.allocate_named(GRID_WORKSPACE, "the workspace of the grid", true);
        let no_room = |error| match error {
            OutOfMemory::Device { wanted, left } => FaultKind::BadLaunch(format!(
                "a cooperative launch needs {wanted} bytes of memory, but only {left} are free"
            )),
            OutOfMemory::Host(error) => FaultKind::OutOfMemory { purpose: "a cooperative launch", error },
        };
        allocated.map(Some).map_err(no_room)
    }

    /// The number of blocks per cluster along each axis, and whether the kernel or the launch specifies it.
    fn cluster(&self, kernel: usize, launch: &Launch) -> Result<([u32; 3], bool), String> {
        let said = self.program.codes[kernel].cluster;
        let cluster = match (said, launch.cluster) {
            (None, None) => return Ok(([1; 3], false)),
            (Some(said), Some(asked)) if said != asked => {
                return Err(format!(
                    "the kernel requires clusters of {said:?} blocks, but the launch asks for {asked:?}"
                ));
            }
            (Some(cluster), _) | (None, Some(cluster)) => cluster,
        };
        let size: u64 = cluster.iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul);
        if size == 0 || size > MAX_CLUSTER {
            return Err(format!("cluster has {size} blocks; it must have from 1 to {MAX_CLUSTER}"));
        }
        if (0..3).any(|axis| !launch.grid[axis].is_multiple_of(cluster[axis])) {
            return Err(format!(
                "a grid of {:?} blocks cannot be divided into clusters of {cluster:?}",
                launch.grid
            ));
        }
        Ok((cluster, true))
    }

    /// The arguments at their offsets in `.param`.
    fn params(&self, kernel: usize, args: &[Vec<u8>]) -> Result<Bytes, String> {
        let slots = &self.program.codes[kernel].params;
        if slots.len() != args.len() {
            let unit = if slots.len() == 1 { "argument" } else { "arguments" };
            return Err(format!("the kernel expects {} {unit}, got {}", slots.len(), args.len()));
        }
        let end = slots.last().map_or(0, |slot| slot.offset + slot.size);
        let bytes = Bytes::zeroed(end as usize);
        for (idx, (slot, arg)) in slots.iter().zip(args).enumerate() {
            if slot.size != arg.len() as u64 {
                let (wanted, found) = (slot.size, arg.len());
                return Err(format!("argument {idx} has {found} bytes; the parameter has {wanted}"));
            }
            bytes.write(slot.offset, arg);
        }
        Ok(bytes)
    }
}
