//! nvcc answers the same with and without the headers that [`nvcc_headers`] omits: the same PTX, or the same errors.
//!
//! Asked about one test input in [`SHARE`], about all with `WEFT_NVCC_HEADERS=all`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::damage::inputs;
use weft_tests::nvcc_headers;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Answer, NO_SPECIAL_FUNCTIONS, Tool, repository, run};

const ARCH: &str = "sm_90";

/// One input in this many.
const SHARE: usize = 40;

/// nvcc's message about this input has half a gigabyte.
const TOO_LONG: &str = "tests/ui/preprocess/macro_expansion_too_large.src";

/// The number of trials, which share the inputs.
const N_TRIALS: usize = 2;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let is_whole = env::var("WEFT_NVCC_HEADERS").is_ok_and(|asked| asked == "all");
    let step = if is_whole { 1 } else { SHARE };
    let all = inputs()?.into_iter().map(|(path, _)| path).filter(|path| path != Path::new(TOO_LONG));
    let picked: Vec<PathBuf> = all.step_by(step).collect();
    for part in 0..N_TRIALS {
        let sources: Vec<PathBuf> = picked.iter().skip(part).step_by(N_TRIALS).cloned().collect();
        let name = format!("nvcc_headers/same answers, part {part} of {N_TRIALS} ({} inputs)", sources.len());
        suite.add(name, &[Tool::Nvcc], move |bench| same_answers(bench, &sources));
    }
    Ok(())
}

/// Compares what nvcc says of each source that does not need all headers; at least a quarter do not.
fn same_answers(bench: &Bench, sources: &[PathBuf]) -> Result<(), Failure> {
    let (mut n_compared, mut differences) = (0, Vec::new());
    for source in sources {
        let source = repository().join(source);
        let text = fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
        if !nvcc_headers::omitted(&bench.tools, &text)?.is_empty() {
            n_compared += 1;
            differences.extend(difference(bench, &source)?);
        }
    }
    if !differences.is_empty() {
        return Err(differences.join("\n"));
    }
    if n_compared * 4 < sources.len() {
        return Err(format!("headers are omitted for only {n_compared} of {} inputs", sources.len()));
    }
    Ok(())
}

/// What nvcc said, without addresses: ptxas shows one of its own where an operand has no value.
fn said(answer: &Answer) -> String {
    let is_address = |part: &&str| part.len() > 11 && part.bytes().all(|c| c.is_ascii_digit());
    answer.stderr.split('\'').filter(|part| !is_address(part)).collect()
}

/// How nvcc's answer about a source differs without the headers that it does not need.
fn difference(bench: &Bench, source: &Path) -> Result<Option<Failure>, Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let out = work.path().join("out.ptx");
    let start = || {
        let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
        nvcc.args(["-x", "cu", "-std=c++17", &format!("-arch={ARCH}"), "-rdc=true", "--ptx", "-o"]);
        nvcc.arg(&out).arg(source);
        Ok(nvcc)
    };
    let ptx = |answer: Answer| {
        let ptx = fs::read_to_string(&out).ok();
        let _ = fs::remove_file(&out);
        (answer, ptx)
    };
    let (with, ptx_with) = ptx(run(start()?.arg(NO_SPECIAL_FUNCTIONS))?);
    let (without, ptx_without) = ptx(nvcc_headers::run_nvcc(&bench.tools, source, start)?);
    let is_same = (with.status, said(&with), ptx_with) == (without.status, said(&without), ptx_without);
    Ok((!is_same)
        .then(|| format!("{}\n{}", without.report("without headers"), with.report("with all of them"))))
}
