//! Makes `weftc` one static binary: the C++ runtime and the compression libraries that LLVM wants
//! are linked from their archives, so that the program needs the C library alone at run time.
//!
//! The archives are offered to the linker through a folder of links that is searched first and has
//! no shared library in it. Where an archive is missing the shared library is taken, with a warning.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const ARCHIVES: &[&str] = &["libstdc++.a", "libz.a", "libzstd.a"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS")? != "linux" || env::var("CARGO_CFG_TARGET_ENV")? != "gnu" {
        return Ok(());
    }
    let folder = PathBuf::from(env::var("OUT_DIR")?).join("archives");
    fs::create_dir_all(&folder)?;
    for archive in ARCHIVES {
        let output = Command::new("cc").arg(format!("-print-file-name={archive}")).output()?;
        let path = PathBuf::from(String::from_utf8(output.stdout)?.trim());
        if !path.is_absolute() {
            println!("cargo::warning={archive} is missing: weftc will need the shared library");
            continue;
        }
        let link = folder.join(archive);
        if link.symlink_metadata().is_ok() {
            fs::remove_file(&link)?;
        }
        std::os::unix::fs::symlink(path, link)?;
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-arg-bins=-static-libgcc");
    // Without position independence the loader has nothing to relocate at each start.
    println!("cargo::rustc-link-arg-bins=-no-pie");
    Ok(())
}
