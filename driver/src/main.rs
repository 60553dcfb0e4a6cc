//! `weftc`, the compiler as a program. Everything is in the library `weft_driver`.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Faster than the C library's, for LLVM's memory too (the crate's feature `override`). Huge pages are not asked
/// for (`no_thp`): a small program would wait for the first one, and where a hypervisor has to find it, long.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    weft_driver::cli::run(std::env::args_os())
}
