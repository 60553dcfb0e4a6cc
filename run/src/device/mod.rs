//! Devices: memory, and kernels that run on it.
//!
//! - [`emulator`]: on the CPU, with every access checked
//! - [`gpu`]: an NVIDIA GPU, through the CUDA driver, which is loaded on demand
//! - this file: the interface of devices

pub mod emulator;
pub mod gpu;

use std::time::Duration;

use weft_emulator::exec::collected::Collected;
use weft_emulator::exec::names::Names;
use weft_emulator::exec::text::Text;
use weft_emulator::tensor::{MAP_SIZE, TensorMap};
use weft_emulator::texture::Object;

use crate::error::Error;
use crate::profile::Profile;

/// The shape of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of blocks along each axis.
    pub grid: [u32; 3],
    /// The number of threads per block along each axis.
    pub block: [u32; 3],
    /// The dynamic shared memory per block, in bytes.
    pub shared: u64,
    /// Whether all blocks run at the same time, and can wait for one another.
    pub is_cooperative: bool,
}

/// Where kernels run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// On the CPU, with every access checked.
    #[default]
    Emulator,
    /// On the first GPU.
    Gpu,
}

/// The statistics of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The number of executed instructions, counted for each thread; `None` if the device does not count
    /// them.
    pub n_instructions: Option<u64>,
    /// The time it took, without copies.
    pub elapsed: Duration,
}

/// Receives events while a kernel runs.
pub trait Watcher: Send {
    /// The kernel has printed a piece of text, which may end anywhere. On a GPU, the driver writes the output
    /// to standard output itself.
    fn printed(&mut self, text: &[u8]);

    /// Reports now and then how many blocks have ended, if the device knows it. The number decreases if
    /// blocks run again.
    fn progress(&mut self, n_ended: u64, n_blocks: u64) {
        let _ = (n_ended, n_blocks);
    }

    /// Reports something unusual in a module that runs nevertheless: once, before the launch.
    fn noted(&mut self, note: &str) {
        let _ = note;
    }

    /// Receives the faults after which the launch continued ([`crate::Launch::keep_going`]) before another
    /// one stopped it. Called before the error is returned. If a launch completes, the report has the faults.
    fn went_on(&mut self, faults: Collected) {
        let _ = faults;
    }

    /// Receives the profile of a stopped launch of the kernel with this symbol, if it was profiled. Called
    /// before the error is returned.
    fn stopped(&mut self, kernel: &str, profile: Profile) {
        let _ = (kernel, profile);
    }
}

/// Collects the output of kernels.
#[derive(Debug, Default)]
pub struct Console(Text);

impl Watcher for Console {
    fn printed(&mut self, text: &[u8]) {
        self.0.push(text);
    }
}

impl Console {
    /// The whole output.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

/// Memory, and kernels that run on it.
pub trait Device {
    /// Allocates zeros or, unless `is_written`, uninitialized memory, and returns the address. Messages call
    /// it `name`. If the device can detect it, results must not depend on uninitialized memory.
    ///
    /// # Errors
    ///
    /// If there is too little memory.
    fn allocate(&mut self, n_bytes: u64, name: &str, is_written: bool) -> Result<u64, Error>;

    /// Copies bytes to the device.
    ///
    /// # Errors
    ///
    /// If they are not within an allocation or a variable.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Error>;

    /// Copies bytes from the device.
    ///
    /// # Errors
    ///
    /// If they are not within an allocation or a variable.
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Error>;

    /// The address and the size in bytes of a variable in global or constant memory, by symbol; `None` if
    /// there is no such variable.
    ///
    /// # Errors
    ///
    /// If the device fails.
    fn variable(&mut self, symbol: &str) -> Result<Option<(u64, u64)>, Error>;

    /// Sets the source names of functions and objects, for messages.
    fn describe(&mut self, names: Names) {
        let _ = names;
    }

    /// Creates a texture or surface in device memory, and returns its handle.
    ///
    /// # Errors
    ///
    /// If the device does not support it.
    fn add_object(&mut self, object: Object) -> Result<u64, Error> {
        let _ = object;
        Err(Error::Launch("textures and surfaces are supported only on the emulator".to_owned()))
    }

    /// The bytes of a tensor map.
    ///
    /// # Errors
    ///
    /// If the device does not support it.
    fn tensor_map(&mut self, map: &TensorMap) -> Result<[u8; MAP_SIZE], Error> {
        let _ = map;
        Err(Error::Launch("tensor maps are supported only on the emulator".to_owned()))
    }

    /// Binds a texture or surface to a variable of such a type, by symbol. Returns false if there is no such
    /// variable.
    ///
    /// # Errors
    ///
    /// If the device does not support it.
    fn bind_object(&mut self, variable: &str, object: Object) -> Result<bool, Error> {
        let _ = variable;
        self.add_object(object).map(|_| false)
    }

    /// Runs a kernel. `args` holds the bytes of each argument.
    ///
    /// # Errors
    ///
    /// If the launch is invalid, or a thread faults. The output until then is delivered.
    fn launch(
        &mut self,
        kernel: &str,
        shape: &Shape,
        args: &[Vec<u8>],
        watcher: &mut dyn Watcher,
    ) -> Result<Statistics, Error>;

    /// Repeats the last launch `n_launches` times, on what it left in memory, and gives the time of each.
    ///
    /// # Errors
    /// When the device cannot measure time, or the kernel fails.
    fn time(&mut self, n_launches: u32) -> Result<Vec<Duration>, Error> {
        let _ = n_launches;
        Err(Error::Launch("only a GPU can time launches".to_owned()))
    }

    /// The faults that did not stop the last launch, if the device goes on after some and was asked to.
    fn take_faults(&mut self) -> Collected {
        Collected::default()
    }

    /// The profile of the last launch, if the device profiles and was asked to.
    fn take_profile(&mut self) -> Option<Profile> {
        None
    }
}
