//! Linked modules on the emulator, kernel by kernel.

use weft_emulator::exec::device::Device;
use weft_emulator::exec::launch::{Checks, Launch};
use weft_emulator::program::Program;
use weft_emulator::program::link::{Input, link};
use weft_emulator::ptx::parse;

use crate::Failure;

/// How many instructions a kernel of a probe may execute: far more than any needs.
const MAX_STEPS: u64 = 4_000_000;

/// Memory for buffers, in bytes.
const MEMORY: u64 = 64 << 20;

/// Links modules, by their names and texts.
///
/// # Errors
/// Text that is not PTX, or contradicts itself.
pub fn program(modules: &[(&str, &str)]) -> Result<Program, Failure> {
    let mut parsed = Vec::new();
    for (name, text) in modules {
        parsed.push((*name, parse(text).map_err(|e| format!("{name}: {e}"))?, *text));
    }
    let inputs: Vec<Input<'_, '_>> =
        parsed.iter().map(|(name, module, text)| Input { name, text, module }).collect();
    link(&inputs).map_err(|e| e.to_string())
}

/// A program with memory.
pub struct Machine<'p> {
    device: Device<'p>,
}

impl<'p> Machine<'p> {
    /// The program's variables at their places.
    ///
    /// # Errors
    /// When the host has no room.
    pub fn new(program: &'p Program) -> Result<Self, Failure> {
        Ok(Machine { device: Device::new(program, MEMORY).map_err(|e| e.to_string())? })
    }

    /// Memory of so many bytes, which hold zeros.
    ///
    /// # Errors
    /// When there is no room.
    pub fn allocate(&self, n_bytes: usize) -> Result<u64, Failure> {
        self.device.global.allocate(n_bytes as u64, 256).map_err(|e| format!("{e:?}"))
    }

    /// Writes words.
    ///
    /// # Errors
    /// An address outside.
    pub fn write(&self, address: u64, words: &[u64]) -> Result<(), Failure> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.device.global.write(address, &bytes).map_err(|e| e.to_string())
    }

    /// Reads words.
    ///
    /// # Errors
    /// An address outside.
    pub fn read(&self, address: u64, n: usize) -> Result<Vec<u64>, Failure> {
        let bytes = self.read_bytes(address, 8 * n)?;
        Ok(bytes
            .chunks_exact(8)
            .map(|word| word.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
            .collect())
    }

    /// Reads bytes.
    ///
    /// # Errors
    /// An address outside.
    pub fn read_bytes(&self, address: u64, n: usize) -> Result<Vec<u8>, Failure> {
        let mut bytes = vec![0; n];
        self.device.global.read(address, &mut bytes).map_err(|e| e.to_string())?;
        Ok(bytes)
    }

    /// Runs a kernel with one thread. Bounds, alignments and what depends on undefined values are watched.
    ///
    /// # Errors
    /// The report of the fault.
    pub fn launch(&mut self, kernel: &str, args: &[Vec<u8>]) -> Result<(), Failure> {
        let checks = Checks { races: false, ..Checks::ALL };
        let launch = Launch { step_limit: Some(MAX_STEPS), checks, ..Launch::new([1; 3], [1; 3]) };
        self.device.launch(kernel, &launch, args).map(drop).map_err(|fault| fault.to_string())
    }
}
