//! All suites, in one program. `cargo test -p weft-tests -- SUITE` runs one of them; see `weft_tests::runner::harness`.

mod asm_corpus;
mod atomics;
mod bounds;
mod builtins;
mod clang_warnings;
mod classes;
mod codes;
mod conformance;
mod constexprs;
mod constructs;
mod cxx_programs;
mod data;
mod debug_info;
mod debugger;
mod examples;
mod explain;
mod expressions;
mod fixes;
mod fuzz;
mod gencode;
mod halves;
mod headers;
mod host;
mod isa;
mod launches;
mod layouts;
mod lines;
mod litmus;
mod lookups;
mod macros;
mod math;
mod matrix;
mod messages;
mod mistakes;
mod mutated_ptx;
mod names;
mod nvcc_headers;
mod nvcc_options;
mod old_gpus;
mod overloads;
mod pages;
mod printed;
mod programs;
mod random_asm;
mod random_programs;
mod robustness;
mod sampling;
mod signatures;
mod small_floats;
mod templates;
mod templates_wrong;
mod textures;
mod transfers;

use std::process::ExitCode;

use mimalloc::MiMalloc;
use weft_tests::runner::harness::{Built, Entry, run};

/// The frontend and the emulator run in this process too: what they take is as fast as in `weftc`.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The folders whose files are trials of the suite `data`.
const DATA: &[&str] =
    &["ui", "ir", "llvm", "ptx", "abi", "values", "primitives", "run", "preprocess", "driver", "examples"];

macro_rules! suites {
    ($($name:ident)*) => {
        &[
            Entry { name: "data", roots: DATA, add: data::add },
            $(Entry { name: stringify!($name), roots: &[], add: $name::add },)*
        ]
    };
}

const SUITES: &[Entry] = suites! {
    asm_corpus
    atomics
    bounds
    builtins
    clang_warnings
    classes
    codes
    conformance
    constexprs
    constructs
    cxx_programs
    debug_info
    debugger
    examples
    explain
    expressions
    fixes
    fuzz
    gencode
    halves
    headers
    host
    isa
    launches
    layouts
    lines
    litmus
    lookups
    macros
    math
    matrix
    messages
    mistakes
    mutated_ptx
    names
    nvcc_headers
    nvcc_options
    old_gpus
    overloads
    pages
    printed
    programs
    random_asm
    random_programs
    robustness
    sampling
    signatures
    small_floats
    templates
    templates_wrong
    textures
    transfers
};

fn main() -> ExitCode {
    let weftc = env!("CARGO_BIN_EXE_weftc-under-test");
    run(SUITES, Built { weftc, folder: env!("CARGO_TARGET_TMPDIR") })
}
