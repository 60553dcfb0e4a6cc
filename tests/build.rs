//! Links the compiler under test as driver/build.rs links `weftc`.

use std::env;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS")? == "linux" && env::var("CARGO_CFG_TARGET_ENV")? == "gnu" {
        for argument in ["-static-libgcc", "-no-pie"] {
            println!("cargo::rustc-link-arg-bin=weftc-under-test={argument}");
        }
    }
    Ok(())
}
