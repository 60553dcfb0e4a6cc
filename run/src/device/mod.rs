//! Devices: what has memory and runs kernels.
//!
//! - [`emulator`]: on the CPU, with every access checked
//! - [`gpu`]: NVIDIA's, through the CUDA driver, which is loaded when it is asked for
//! - this file: what a device does

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

/// How many blocks, threads and bytes a launch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many blocks there are along each axis.
    pub grid: [u32; 3],
    /// How many threads a block has along each axis.
    pub block: [u32; 3],
    /// How much dynamic shared memory a block has, in bytes.
    pub shared: u64,
    /// All blocks run at the same time, and may wait for one another.
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

/// What a launch took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How many instructions were executed, each thread's counted; none where that is not counted.
    pub n_instructions: Option<u64>,
    /// How long it took, without copies.
    pub elapsed: Duration,
}

/// What is reported while a kernel runs.
pub trait Watcher: Send {
    /// The kernel has printed something: a piece, which may end anywhere. On a GPU, the driver writes that to standard output itself.
    fn printed(&mut self, text: &[u8]);

    /// So many blocks of so many have ended, or less where they are run once more: told now and then, by a device that
    /// knows it.
    fn progress(&mut self, n_ended: u64, n_blocks: u64) {
        let _ = (n_ended, n_blocks);
    }

    /// Something odd in a module, which runs nevertheless: once, before the launch.
    fn noted(&mut self, note: &str) {
        let _ = note;
    }

    /// The launch went on after these faults ([`crate::Launch::keep_going`]), and another one stopped it in the end. This is called before
    /// the error is returned. Of a launch that reaches its end, the report has the faults.
    fn went_on(&mut self, faults: Collected) {
        let _ = faults;
    }

    /// The launch of a kernel, which is given by its symbol, was stopped, and what it had executed until then was counted:
    /// told before the error is given.
    fn stopped(&mut self, kernel: &str, profile: Profile) {
        let _ = (kernel, profile);
    }
}

/// Keeps what kernels print.
#[derive(Debug, Default)]
pub struct Console(Text);

impl Watcher for Console {
    fn printed(&mut self, text: &[u8]) {
        self.0.push(text);
    }
}

impl Console {
    /// All that was printed.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

/// Memory, and kernels that run on it.
pub trait Device {
    /// Makes an allocation of zeros, and gives its address. Messages call it by the name. On those of one that is not
    /// written nothing may depend, if the device can tell.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn allocate(&mut self, n_bytes: u64, name: &str, is_written: bool) -> Result<u64, Error>;

    /// Copies bytes to the device.
    ///
    /// # Errors
    /// When they are not within an allocation or a variable.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Error>;

    /// Copies bytes from the device.
    ///
    /// # Errors
    /// When they are not within an allocation or a variable.
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Error>;

    /// The address and the size in bytes of a variable in global or constant memory, by its symbol; none if there is no such.
    ///
    /// # Errors
    /// When the device fails.
    fn variable(&mut self, symbol: &str) -> Result<Option<(u64, u64)>, Error>;

    /// What messages are to call functions and objects.
    fn describe(&mut self, names: Names) {
        let _ = names;
    }

    /// Makes a texture or surface of memory of the device, and gives its handle.
    ///
    /// # Errors
    /// When the device has none.
    fn add_object(&mut self, object: Object) -> Result<u64, Error> {
        let _ = object;
        Err(Error::Launch("textures and surfaces are supported only on the emulator".to_owned()))
    }

    /// The bytes of a tensor map.
    ///
    /// # Errors
    /// When the device has none.
    fn tensor_map(&mut self, map: &TensorMap) -> Result<[u8; MAP_SIZE], Error> {
        let _ = map;
        Err(Error::Launch("tensor maps are supported only on the emulator".to_owned()))
    }

    /// Binds a texture or surface to a variable of such a type, which is given by its symbol. False: there is none.
    ///
    /// # Errors
    /// When the device has none.
    fn bind_object(&mut self, variable: &str, object: Object) -> Result<bool, Error> {
        let _ = variable;
        self.add_object(object).map(|_| false)
    }

    /// Runs a kernel to its end. `args` are the bytes of the arguments, one after the other.
    ///
    /// # Errors
    /// When the launch makes no sense, or a thread does what it must not. What was printed before that is reported.
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

    /// What the last launch executed, if the device counts that and was asked to.
    fn take_profile(&mut self) -> Option<Profile> {
        None
    }
}
