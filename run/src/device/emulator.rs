//! The emulator as a device.

use std::time::Instant;

use weft_emulator::exec::device::{Device as Emulated, Launch};
use weft_emulator::exec::fault::FaultKind;
use weft_emulator::memory::error::AccessError;
use weft_emulator::program::Program;

use super::{Device, Shape, Statistics, Watcher};
use crate::error::Error;

/// A program with memory in this process.
pub struct Emulator<'p> {
    device: Emulated<'p>,
}

impl<'p> Emulator<'p> {
    /// The program with its variables, and so many bytes of memory besides.
    pub fn new(program: &'p Program, memory: u64) -> Self {
        Emulator { device: Emulated::new(program, memory) }
    }
}

impl Device for Emulator<'_> {
    fn allocate(&mut self, n_bytes: u64) -> Result<u64, Error> {
        self.device.global.allocate(n_bytes, 1).map_err(|error| {
            let text = format!("a buffer of {} bytes, and {} are left", error.wanted, error.left);
            Error::Launch(format!("the memory does not suffice for {text}"))
        })
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Error> {
        self.device.global.write(address, bytes).map_err(outside)
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Error> {
        self.device.global.read(address, bytes).map_err(outside)
    }

    fn launch(
        &mut self,
        kernel: &str,
        shape: &Shape,
        args: &[Vec<u8>],
        watcher: &mut dyn Watcher,
    ) -> Result<Statistics, Error> {
        let launch = Launch { dynamic_shared: shape.shared, ..Launch::new(shape.grid, shape.block) };
        let start = Instant::now();
        let result = self.device.launch(kernel, &launch, args);
        let output = self.device.take_output();
        if !output.is_empty() {
            watcher.printed(&output);
        }
        let statistics = result.map_err(|fault| match fault.kind {
            FaultKind::BadLaunch(why) => Error::Launch(why),
            _ => fault.into(),
        })?;
        let n_instructions = Some(statistics.n_instructions);
        Ok(Statistics { n_instructions, elapsed: start.elapsed() })
    }
}

fn outside(error: AccessError) -> Error {
    Error::Launch(format!("a buffer cannot be copied: {error}"))
}
