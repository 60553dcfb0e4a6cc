//! Copies and fills of bytes, `memcpy`, `memset` and struct assignments: of every small size and of large
//! ones, of unknown sizes, at every alignment, between all state spaces. On the emulator, the PTX of `weftc`
//! at -O0 and -O3 gives the same results as nvcc's, and at -O3 executes hardly more instructions anywhere,
//! and fewer in all.
//!
//! `WEFT_TRANSFERS=5000` sets their number.

use std::{env, fs};

use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::Tool;
use weft_tests::transfers;

/// The number per file.
const N_TRANSFERS: usize = 200;

/// The permitted ratio of instructions to those of nvcc's code: where nvcc moves bytes one by one without a
/// loop, testing the addresses may be useless.
const MOST: (u64, u64) = (8, 5);

/// The permitted additional instructions.
const MORE: u64 = 20;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n = match env::var("WEFT_TRANSFERS") {
        Ok(n) => n.parse().map_err(|_| format!("WEFT_TRANSFERS={n} is not a number"))?,
        Err(_) => N_TRANSFERS,
    };
    for seed in 1..=n.div_ceil(N_TRANSFERS) as u64 {
        let name = format!("transfers/seed-{seed} ({N_TRANSFERS} copies and fills, weftc -O0 = -O3 = nvcc)");
        suite.add(name, &[Tool::Nvcc], move |bench| same_bytes(bench, seed, true));
        if seed % 5 == 1 {
            let name = format!("transfers/seed-{seed} ({N_TRANSFERS} copies and fills, 32-bit addresses)");
            suite.add(name, &[Tool::Nvcc], move |bench| same_bytes(bench, seed, false));
        }
    }
    Ok(())
}

fn same_bytes(bench: &Bench, seed: u64, is_wide: bool) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let transfers = transfers::transfers(seed, N_TRANSFERS);
    let source = work.path().join("transfers.src");
    fs::write(&source, transfers::source(&transfers)).map_err(|e| e.to_string())?;
    let settings =
        Directives::parse(if is_wide { "//@ args: -w\n" } else { "//@ args: -w -m32\n" })?.settings(None)?;
    let mut ways = vec![("nvcc", bench.oracle_ptx(&source, &settings, work.path())?)];
    for level in ["-O0", "-O3"] {
        let mut settings = settings.clone();
        settings.args.push(level.to_owned());
        ways.push((level, bench.emit(&source, Emit::Ptx, &settings, work.path())?));
    }
    let mut wrong = Vec::new();
    let mut counts = vec![Vec::new(); N_TRANSFERS];
    for (way, ptx) in &ways {
        for (found, (transfer, counts)) in
            transfers::executed(ptx, &transfers, is_wide)?.into_iter().zip(transfers.iter().zip(&mut counts))
        {
            match found.and_then(|found| transfer.n_instructions(found)) {
                Ok(n) => counts.push(n),
                Err(message) => wrong.push(format!("{transfer:?}\n  {way}: {message}")),
            }
        }
    }
    for (transfer, counts) in transfers.iter().zip(&counts) {
        if let &[theirs, _, ours] = counts.as_slice()
            && ours > theirs * MOST.0 / MOST.1 + MORE
        {
            wrong.push(format!("{transfer:?}\n  {ours} instructions, and nvcc's {theirs}"));
        }
    }
    let in_all = |way: usize| counts.iter().filter_map(|counts| counts.get(way)).sum::<u64>();
    if in_all(2) > in_all(0) / 2 {
        wrong.push(format!("{} instructions in all, and nvcc's {}", in_all(2), in_all(0)));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
