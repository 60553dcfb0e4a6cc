//! `weftc`, the compiler as a program. Everything is in the library `weft_driver`.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// It takes huge pages where there are: a long program touches so much memory that page faults are half of the
/// frontend's time with the C library's. LLVM's memory is its own as well (the crate's feature `override`).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    weft_driver::cli::run(std::env::args_os())
}
