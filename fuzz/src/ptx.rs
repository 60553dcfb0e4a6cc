//! PTX from a text to a run: whatever the text, it ends in an error or in a kernel that has been executed.

use std::sync::Arc;

use weft_emulator::exec::device::Device;
use weft_emulator::exec::launch::{Checks, Launch};
use weft_emulator::memory::host::HostMemory;
use weft_emulator::program::link::{Input, link};
use weft_emulator::ptx::parse;

/// How much memory a program has, in bytes.
const MEMORY: u64 = 1 << 20;

/// How much memory of the host a run may take, in bytes.
const HOST_MEMORY: u64 = 1 << 28;

/// How many instructions a warp may execute.
const STEP_LIMIT: u64 = 500;

/// Reads a text as PTX, links it, and runs the kernels that take nothing.
pub fn run(text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    let Ok(module) = parse(&text) else { return };
    let Ok(program) = link(&[Input { name: "fuzz.ptx", text: &text, module: &module }]) else { return };
    for function in module.functions.iter().filter(|f| f.is_entry && f.body.is_some()) {
        if function.prototype.params.is_empty() {
            let host = Arc::new(HostMemory::limited(HOST_MEMORY));
            let Ok(mut device) = Device::on_host(&program, MEMORY, host) else { continue };
            let launch = Launch {
                step_limit: Some(STEP_LIMIT),
                n_workers: Some(std::num::NonZeroUsize::MIN),
                checks: Checks::ALL,
                is_profiled: true,
                ..Launch::new([2, 1, 1], [33, 1, 1])
            };
            // What a thread must not do is no finding.
            let _ = device.launch(function.name, &launch, &[]);
        }
    }
}
