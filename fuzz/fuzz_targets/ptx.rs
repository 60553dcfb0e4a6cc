//! PTX: parsed, linked, executed.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| weft_fuzz::ptx::run(text));
