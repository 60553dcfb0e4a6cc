//! `weftc`, the compiler as a program. Everything is in the library `weft_driver`.

use std::process::ExitCode;

fn main() -> ExitCode {
    weft_driver::cli::run(std::env::args_os())
}
