//! nvcc answers the same with and without the headers that [`nvcc_headers`] omits: the same PTX, or the same errors.
//!
//! Asked about one test input in [`SHARE`], about all with `WEFT_NVCC_HEADERS=all`.

use std::path::PathBuf;
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::damage::inputs;
use weft_tests::nvcc_headers;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Answer, NO_SPECIAL_FUNCTIONS, Tool, repository, run};

const ARCH: &str = "sm_90";

/// One input in this many.
const SHARE: usize = 40;

/// The number of trials, which share the inputs.
const N_TRIALS: usize = 2;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let is_whole = env::var("WEFT_NVCC_HEADERS").is_ok_and(|asked| asked == "all");
    let step = if is_whole { 1 } else { SHARE };
    let picked: Vec<PathBuf> = inputs()?.into_iter().step_by(step).map(|(path, _)| path).collect();
    for part in 0..N_TRIALS {
        let sources: Vec<PathBuf> = picked.iter().skip(part).step_by(N_TRIALS).cloned().collect();
        let name = format!("nvcc_headers/same answers, part {part} of {N_TRIALS} ({} inputs)", sources.len());
        suite.add(name, &[Tool::Nvcc], move |bench| same_answers(bench, &sources));
    }
    Ok(())
}

/// Compares what nvcc says of each source that does not need all headers; at least a quarter do not.
fn same_answers(bench: &Bench, sources: &[PathBuf]) -> Result<(), Failure> {
    let mut n_compared = 0;
    for source in sources {
        let source = repository().join(source);
        let text = fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
        if nvcc_headers::omitted(&bench.tools, &text)?.is_empty() {
            continue;
        }
        n_compared += 1;
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        let out = work.path().join("out.ptx");
        let start = || {
            let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
            nvcc.args(["-x", "cu", "-std=c++17", &format!("-arch={ARCH}"), "-rdc=true", "--ptx", "-o"]);
            nvcc.arg(&out).arg(&source);
            Ok(nvcc)
        };
        let ptx = |answer: Answer| {
            let ptx = fs::read_to_string(&out).ok();
            let _ = fs::remove_file(&out);
            (answer, ptx)
        };
        let (with, ptx_with) = ptx(run(start()?.arg(NO_SPECIAL_FUNCTIONS))?);
        let (without, ptx_without) = ptx(nvcc_headers::run_nvcc(&bench.tools, &source, start)?);
        if (with.status, &with.stderr, ptx_with) != (without.status, &without.stderr, ptx_without) {
            return Err(format!(
                "{}\n{}",
                without.report("without headers"),
                with.report("with all of them")
            ));
        }
    }
    if n_compared * 4 < sources.len() {
        return Err(format!("headers are omitted for only {n_compared} of {} inputs", sources.len()));
    }
    Ok(())
}
