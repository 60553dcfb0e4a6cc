//! Programs for GPUs before `sm_75`, from `sm_20` on: the PTX version suffices, and there are no internal
//! errors.
//!
//! Each program that runs and each example is compiled for GPUs that NVIDIA no longer supports: it gives PTX,
//! or an error that names what the GPU lacks. The ptxas of CUDA 12, which supports `sm_50` and later,
//! assembles the PTX unless it has a newer version, or `asm` statements, which may require another GPU. Each
//! program is compiled for one GPU; `WEFT_OLD_GPUS=all` compiles it for all of them.

use std::path::{Path, PathBuf};
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::directive::Directives;
use weft_tests::examples;
use weft_tests::launches;
use weft_tests::runner::{Bench, Suite, files};
use weft_tests::tools::{Tool, repository, run};

const GPUS: [&str; 14] = [
    "sm_20", "sm_21", "sm_30", "sm_32", "sm_35", "sm_37", "sm_50", "sm_52", "sm_53", "sm_60", "sm_61",
    "sm_62", "sm_70", "sm_72",
];

/// The number of GPUs that the ptxas of CUDA 12 does not support, and its last PTX version.
const UNKNOWN_TO_PTXAS: usize = 6;
const LAST_VERSION: (u32, u32) = (8, 0);

/// Errors that say what a GPU lacks; a header uses `#error`.
const REFUSALS: [&str; 2] = ["error[unavailable-feature]", "error[error-directive]"];

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let is_whole = env::var("WEFT_OLD_GPUS").is_ok_and(|asked| asked == "all");
    let root = repository();
    let mut sources = examples::sources()?;
    sources.extend(files(&root.join("tests/run"), "src")?);
    for (source_idx, source) in sources.into_iter().enumerate() {
        let text = fs::read_to_string(&source).map_err(|e| e.to_string())?;
        let directives = Directives::parse_with(&text, &mut |_, key, _| Ok(launches::is_of_runs(key)))?;
        let options =
            directives.all_settings()?.first().map_or_else(Vec::new, |settings| settings.args.clone());
        let picked = source_idx % GPUS.len();
        let gpus: Vec<usize> = if is_whole { (0..GPUS.len()).collect() } else { vec![picked] };
        let name =
            format!("old_gpus/{} ({})", source.strip_prefix(&root).unwrap_or(&source).display(), gpus.len());
        let program = Program { source, options, has_asm: text.contains("asm") };
        suite.add(name, &[Tool::NarrowPtxas], move |bench| {
            gpus.iter().try_for_each(|&gpu| program.is_taken(bench, gpu))
        });
    }
    Ok(())
}

struct Program {
    source: PathBuf,
    options: Vec<String>,
    has_asm: bool,
}

impl Program {
    fn is_taken(&self, bench: &Bench, gpu: usize) -> Result<(), Failure> {
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        let out = work.path().join("a.ptx");
        let mut weftc = bench.tools.weftc();
        weftc.args(["-w", "--emit=ptx", "--arch", GPUS[gpu]]).args(&self.options);
        let answer = run(weftc.arg("-o").arg(&out).arg(&self.source))?;
        if answer.status == Some(1) && REFUSALS.iter().any(|refusal| answer.stderr.contains(refusal)) {
            return Ok(());
        }
        answer.success()?;
        let text = fs::read_to_string(&out).map_err(|e| e.to_string())?;
        let is_known = version(&text).ok_or("PTX of no version")? <= LAST_VERSION;
        if gpu < UNKNOWN_TO_PTXAS || !is_known || self.has_asm {
            return Ok(());
        }
        self.assembles(bench, gpu, &out)
    }

    fn assembles(&self, bench: &Bench, gpu: usize, ptx: &Path) -> Result<(), Failure> {
        let mut ptxas = bench.tools.tool(Tool::NarrowPtxas)?;
        let is_narrow = self.options.iter().any(|option| option == "-m32");
        ptxas.args(is_narrow.then_some(["-m", "32"]).into_iter().flatten());
        ptxas.arg("-c").arg(format!("-arch={}", GPUS[gpu])).arg("-o").arg("/dev/null").arg(ptx);
        run(&mut ptxas)?.success().map(drop)
    }
}

fn version(ptx: &str) -> Option<(u32, u32)> {
    let (major, minor) =
        ptx.lines().find_map(|line| line.strip_prefix(".version "))?.trim().split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
