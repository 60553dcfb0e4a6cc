//! Random textures, read on the emulator at random coordinates and boundary values: the results match the
//! formulas of the CUDA C++ Programming Guide, which `src/sampling.rs` implements independently.
//! `WEFT_SAMPLING=20000` sets the number of textures.

use std::env;

use weft_run::Launch;
use weft_tests::Failure;
use weft_tests::runner::Suite;
use weft_tests::sampling::{N_READS, Sampling};

/// The number of textures.
const N_TEXTURES: u64 = 1500;

/// The number of textures per trial.
const N_EACH: u64 = 250;

/// The memory of the emulator for one.
const MEMORY: u64 = 1 << 20;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n = match env::var("WEFT_SAMPLING") {
        Ok(n) => n.parse().map_err(|_| format!("WEFT_SAMPLING={n} is not a number"))?,
        Err(_) => N_TEXTURES,
    };
    for first in (0..n).step_by(N_EACH as usize) {
        let name = format!("sampling/{first} ({N_EACH} textures, {N_READS} reads of each)");
        suite.add(name, &[], move |_| {
            let wrong: Vec<Failure> = (first..first + N_EACH).filter_map(|seed| read(seed).err()).collect();
            if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
        });
    }
    Ok(())
}

fn read(seed: u64) -> Result<(), Failure> {
    let sampling = Sampling::of(seed);
    let launch = Launch::new().memory(MEMORY).block(N_READS as u32).module("sampling.ptx", sampling.module());
    let launch = sampling.arguments().into_iter().fold(launch, Launch::arg_text);
    let report = launch.run().map_err(|error| format!("seed {seed}: {error}\n{sampling:?}"))?;
    let found = report.buffers.last().ok_or("there is no buffer")?.buffer.bytes();
    let found: Vec<u32> =
        found.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let wanted = sampling.wanted();
    match (0..wanted.len()).find(|&idx| !is_same(found[idx], wanted[idx])) {
        None if found.len() == wanted.len() => Ok(()),
        None => Err(format!("seed {seed}: {} words for {}", found.len(), wanted.len())),
        Some(idx) => Err(format!(
            "seed {seed}, read {}, number {}: {:#x} ({}), and the guide's formula gives {:#x} ({})\n{}",
            idx / 4,
            idx % 4,
            found[idx],
            f32::from_bits(found[idx]),
            wanted[idx],
            f32::from_bits(wanted[idx]),
            sampling.describe(idx / 4)
        )),
    }
}

/// Both zeros are equal.
fn is_same(found: u32, wanted: u32) -> bool {
    found == wanted || (found | wanted) == 1 << 31
}
