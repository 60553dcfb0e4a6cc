//! Runs linked modules on the emulator, kernel by kernel.

use weft_emulator::exec::device::Device;
use weft_emulator::exec::launch::{Checks, Launch};
use weft_emulator::program::Program;
use weft_emulator::program::link::{Input, link};
use weft_emulator::ptx::parse;

use crate::Failure;

/// The instruction limit of a probe kernel: far more than any needs.
const MAX_STEPS: u64 = 4_000_000;

/// The memory for buffers, in bytes.
const MEMORY: u64 = 64 << 20;

/// Links modules, given by names and texts.
///
/// # Errors
///
/// If a text is not valid PTX, or the modules do not link.
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
    /// Creates a machine with the program's variables.
    ///
    /// # Errors
    ///
    /// If the host has too little memory.
    pub fn new(program: &'p Program) -> Result<Self, Failure> {
        Ok(Machine { device: Device::new(program, MEMORY).map_err(|e| e.to_string())? })
    }

    /// Allocates zeroed memory.
    ///
    /// # Errors
    ///
    /// If there is too little memory.
    pub fn allocate(&self, n_bytes: usize) -> Result<u64, Failure> {
        self.device.global.allocate(n_bytes as u64, 256).map_err(|e| format!("{e:?}"))
    }

    /// Writes words.
    ///
    /// # Errors
    ///
    /// If the address is out of bounds.
    pub fn write(&self, address: u64, words: &[u64]) -> Result<(), Failure> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.device.global.write(address, &bytes).map_err(|e| e.to_string())
    }

    /// Reads words.
    ///
    /// # Errors
    ///
    /// If the address is out of bounds.
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
    ///
    /// If the address is out of bounds.
    pub fn read_bytes(&self, address: u64, n: usize) -> Result<Vec<u8>, Failure> {
        let mut bytes = vec![0; n];
        self.device.global.read(address, &mut bytes).map_err(|e| e.to_string())?;
        Ok(bytes)
    }

    /// Runs a kernel with one thread, checking bounds, alignment and uses of undefined values.
    ///
    /// # Errors
    ///
    /// The fault.
    pub fn launch(&mut self, kernel: &str, args: &[Vec<u8>]) -> Result<(), Failure> {
        let checks = Checks { races: false, ..Checks::ALL };
        let launch = Launch { step_limit: Some(MAX_STEPS), checks, ..Launch::new([1; 3], [1; 3]) };
        self.device.launch(kernel, &launch, args).map(drop).map_err(|fault| fault.to_string())
    }
}
