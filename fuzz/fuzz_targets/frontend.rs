//! Bytes as a program. Half of the changes are the fuzzer's own, half go token by token.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|text: &[u8]| weft_fuzz::stages::run(text));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let changed = if seed % 2 == 0 { None } else { weft_fuzz::mutate::mutate(data, size, max_size, seed) };
    changed.unwrap_or_else(|| fuzzer_mutate(data, size, max_size))
});

fuzz_crossover!(|first: &[u8], second: &[u8], out: &mut [u8], seed: u32| {
    weft_fuzz::mutate::cross(first, second, out, seed).unwrap_or(0)
});
