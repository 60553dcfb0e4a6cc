//! The emulator as a device.

use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use weft_emulator::exec::collected::Collected;
pub use weft_emulator::exec::device::Checks;
use weft_emulator::exec::device::{Device as Emulated, Launch};
use weft_emulator::exec::fault::FaultKind;
use weft_emulator::exec::names::Names;
use weft_emulator::exec::trace::Tracer;
use weft_emulator::memory::error::AccessError;
use weft_emulator::memory::global::OutOfMemory;
use weft_emulator::memory::host::{HostMemory, HostOutOfMemory};
use weft_emulator::profile::Profile;
use weft_emulator::program::Program;
use weft_emulator::tensor::{MAP_SIZE, TensorMap};
use weft_emulator::texture::Object;

use super::{Device, Shape, Statistics, Watcher};
use crate::error::Error;

/// The interval of progress reports.
const INTERVAL: Duration = Duration::from_millis(100);

/// A program whose memory is in this process.
pub struct Emulator<'p> {
    device: Emulated<'p>,
    options: EmulatorOptions,
}

/// The emulator's settings for a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmulatorOptions {
    /// The limit of instructions per warp; `None` for no limit.
    pub step_limit: Option<u64>,
    /// The number of cores; `None` for all.
    pub n_workers: Option<NonZeroUsize>,
    /// Randomizes the order of blocks and warps; `None` for ascending order.
    pub schedule: Option<u64>,
    /// The checks besides those that are always on.
    pub checks: Checks,
    /// Whether executed instructions are counted.
    pub is_profiled: bool,
    /// Whether the launch continues after faults of single threads.
    pub keeps_going: bool,
}

impl Default for EmulatorOptions {
    fn default() -> Self {
        let Launch { step_limit, n_workers, seed, checks, is_profiled, keeps_going, .. } = Launch::default();
        EmulatorOptions { step_limit, n_workers, schedule: seed, checks, is_profiled, keeps_going }
    }
}

impl<'p> Emulator<'p> {
    /// Loads the program with its variables, and adds `n_bytes` of memory, taken from the host.
    ///
    /// # Errors
    ///
    /// If the host has too little memory for the variables.
    pub fn on_host(
        program: &'p Program,
        memory: u64,
        options: EmulatorOptions,
        host: Arc<HostMemory>,
    ) -> Result<Self, Error> {
        let device = Emulated::on_host(program, memory, host).map_err(no_room)?;
        Ok(Emulator { device, options })
    }

    /// Reports each instruction that a warp executes from now on.
    pub fn trace(&mut self, tracer: Box<dyn Tracer>) {
        self.device.trace(tracer);
    }
}

impl Device for Emulator<'_> {
    fn allocate(&mut self, n_bytes: u64, name: &str, is_written: bool) -> Result<u64, Error> {
        self.device.global.allocate_named(n_bytes, name, is_written).map_err(|error| match error {
            OutOfMemory::Device { wanted, left } => {
                let text = format!("cannot allocate a buffer of {wanted} bytes: only {left} are left");
                Error::Launch(format!("not enough memory for {text}"))
            }
            OutOfMemory::Host(error) => no_room(error),
        })
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Error> {
        self.device.write(address, bytes).map_err(outside)
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Error> {
        self.device.read(address, bytes).map_err(outside)
    }

    fn variable(&mut self, symbol: &str) -> Result<Option<(u64, u64)>, Error> {
        Ok(self.device.variable(symbol))
    }

    fn describe(&mut self, names: Names) {
        self.device.names = names;
    }

    fn add_object(&mut self, object: Object) -> Result<u64, Error> {
        Ok(self.device.add_object(object))
    }

    fn tensor_map(&mut self, map: &TensorMap) -> Result<[u8; MAP_SIZE], Error> {
        Ok(map.encode())
    }

    fn bind_object(&mut self, variable: &str, object: Object) -> Result<bool, Error> {
        Ok(self.device.bind_object(variable, object))
    }

    fn launch(
        &mut self,
        kernel: &str,
        shape: &Shape,
        args: &[Vec<u8>],
        watcher: &mut dyn Watcher,
    ) -> Result<Statistics, Error> {
        let launch = Launch {
            dynamic_shared: shape.shared,
            is_cooperative: shape.is_cooperative,
            step_limit: self.options.step_limit,
            n_workers: self.options.n_workers,
            seed: self.options.schedule,
            checks: self.options.checks,
            is_profiled: self.options.is_profiled,
            keeps_going: self.options.keeps_going,
            ..Launch::new(shape.grid, shape.block)
        };
        let start = Instant::now();
        let n_blocks = shape.grid.iter().map(|&n| u64::from(n)).product();
        let n_ended = Arc::clone(&self.device.n_blocks_ended);
        let device = &mut self.device;
        let watcher = Mutex::new(watcher);
        let watcher = || watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let result = thread::scope(|scope| {
            // The thread sees the end of the launch when the other end of the channel is dropped.
            let (is_running, end) = mpsc::channel::<()>();
            // If no thread can be started, there is no progress display.
            let _ = thread::Builder::new().spawn_scoped(scope, move || {
                while end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    watcher().progress(n_ended.load(Ordering::Relaxed), n_blocks);
                }
            });
            let result =
                device.launch_with_output(kernel, &launch, args, &mut |text: &[u8]| watcher().printed(text));
            drop(is_running);
            result
        });
        let statistics = result.map_err(|fault| match fault.kind {
            FaultKind::BadLaunch(why) => Error::Launch(why),
            _ => fault.into(),
        })?;
        let n_instructions = Some(statistics.n_instructions);
        Ok(Statistics { n_instructions, elapsed: start.elapsed() })
    }

    fn take_faults(&mut self) -> Collected {
        self.device.take_faults()
    }

    fn take_profile(&mut self) -> Option<Profile> {
        self.device.take_profile()
    }
}

/// The host has too little memory.
pub(crate) fn no_room(error: HostOutOfMemory) -> Error {
    Error::Device { message: error.to_string(), help: None }
}

fn outside(error: AccessError) -> Error {
    Error::Launch(format!("cannot copy a buffer: {error}"))
}
