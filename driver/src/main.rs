//! `weftc`, the compiler as a program. Everything is in the library `weft_driver`.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Faster than the C library's allocator, and serves LLVM too (feature `override`). It does not request huge
/// pages (`no_thp`): a small program would wait for the first one, which takes long under a hypervisor.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    weft_driver::cli::run(std::env::args_os())
}
