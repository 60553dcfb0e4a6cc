//! Mutates PTX: that of `weftc` and nvcc for the programs of tests/run and the examples, randomly changed by
//! bytes, tokens and lines, is checked, linked and run in this process, with all checks, a profile and an
//! instruction limit. None may panic, or take longer than the time limit: a separate thread does the work,
//! and records the current text.
//!
//! `WEFT_MUTATED_PTX=20000` tries this many texts instead of [`N_TEXTS`], and `WEFT_RANDOM_SEED` selects
//! others. A failure names the original, the seed and the number of the text, and leaves the text in
//! `target/mutated_ptx`. If the process dies, the text is in `target/mutated_ptx/running`.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use std::{env, fs, thread};

use weft_tests::Failure;
use weft_tests::directive::{Emit, Oracle};
use weft_tests::launches;
use weft_tests::mutated_ptx::{Original, mutated};
use weft_tests::random::{Random, hash};
use weft_tests::runner::{Bench, Suite, files};
use weft_tests::tools::{Tool, repository};

/// The default number of texts, over all originals.
const N_TEXTS: usize = 800;

/// One in this many programs of the folder gives originals.
const SHARE: usize = 2;

/// The time limit of a text: in a campaign, and while other tests run.
const CAMPAIGN_GUARD: Duration = Duration::from_secs(10);
const GUARD: Duration = Duration::from_secs(120);

/// The ways to compile a program to PTX.
const WAYS: [&str; 3] = ["-O0", "-O3", "nvcc"];

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n_texts = number("WEFT_MUTATED_PTX")?;
    let seed = number("WEFT_RANDOM_SEED")?.unwrap_or(1);
    let guard = if n_texts.is_some() { CAMPAIGN_GUARD } else { GUARD };
    let mut programs = files(&repository().join("tests/run"), "src")?;
    programs.sort();
    let programs: Vec<_> = programs.into_iter().step_by(SHARE).collect();
    let n_trials = programs.len() * WAYS.len();
    let n_each = n_texts.map_or(N_TEXTS, |n| n as usize).div_ceil(n_trials.max(1));
    for path in programs {
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (directives, _) = launches::parse(&text)?;
        let settings = directives.settings(directives.revisions().first().copied().flatten())?;
        // nvcc crashes at some programs.
        let is_taken = |way: &&str| *way != "nvcc" || settings.nvcc != Some(Oracle::Unchecked);
        for way in WAYS.into_iter().filter(is_taken) {
            let tools: &[Tool] = if way == "nvcc" { &[Tool::Nvcc] } else { &[] };
            let (path, text, name) = (path.clone(), text.clone(), format!("{name}{way}"));
            suite.add(format!("mutated_ptx/{name} ({n_each} texts)"), tools, move |bench| {
                let original = original(bench, &path, &text, way, name)?;
                campaign(original, seed, n_each, guard)
            });
        }
    }
    Ok(())
}

fn number(variable: &str) -> Result<Option<u64>, Failure> {
    let Ok(value) = env::var(variable) else { return Ok(None) };
    value.parse().map(Some).map_err(|_| format!("{variable}={value} is not a number"))
}

fn original(bench: &Bench, path: &Path, text: &str, way: &str, name: String) -> Result<Original, Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (directives, launches) = launches::parse(text)?;
    let mut settings = directives.settings(directives.revisions().first().copied().flatten())?;
    let ptx = match way {
        "nvcc" => bench.oracle_ptx(path, &settings, work.path())?,
        level => {
            settings.args.push(level.to_owned());
            bench.emit(path, Emit::Ptx, &settings, work.path())?
        }
    };
    Ok(Original::new(name, ptx, &launches))
}

/// Tries texts, on a thread that is abandoned if it hangs.
fn campaign(original: Original, seed: u64, n_texts: usize, guard: Duration) -> Result<(), Failure> {
    let folder = repository().join("target/mutated_ptx");
    fs::create_dir_all(folder.join("running")).map_err(|e| format!("{}: {e}", folder.display()))?;
    let name = original.name.clone();
    let (sender, end) = mpsc::channel::<Result<(), Failure>>();
    let running = folder.join("running").join(format!("{name}.ptx"));
    let at_work = running.clone();
    thread::spawn(move || {
        let mut random = Random::new(seed ^ hash(&original.name));
        for idx in 0..n_texts {
            let text = mutated(&mut random, &original.ptx, &original.ptx);
            let written = fs::write(&at_work, &text).map_err(|e| e.to_string());
            let tried = written.and_then(|()| original.try_text(&text));
            let tried = tried.map_err(|why| format!("seed {seed}, text {idx}: {why}"));
            if sender.send(tried).is_err() {
                return;
            }
        }
    });
    for idx in 0..n_texts {
        let failure = match end.recv_timeout(guard) {
            Ok(Ok(())) => continue,
            Ok(Err(why)) => why,
            Err(RecvTimeoutError::Timeout) => {
                format!("seed {seed}, text {idx}: more than {} s", guard.as_secs())
            }
            Err(RecvTimeoutError::Disconnected) => format!("seed {seed}, text {idx}: the thread died"),
        };
        let kept = folder.join(format!("{name}-{seed}-{idx}.ptx"));
        fs::rename(&running, &kept).map_err(|e| e.to_string())?;
        return Err(format!("{failure}\nthe text is {}", kept.display()));
    }
    fs::remove_file(&running).map_err(|e| format!("{}: {e}", running.display()))
}
