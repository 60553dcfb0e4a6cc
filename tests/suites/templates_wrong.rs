//! Programs with one mistake each in function templates, `templates_wrong/*.cu`, which nvcc and clang refuse: `weftc` gives one error, at the
//! place of clang's first error or of what clang underlines with it.
//!
//! A program begins with comments:
//!
//! ```text
//! // TITLE
//! // clang: LINE:COLUMN …          the places, from 1
//! // instances: LINE:COLUMN …      the uses that need the instance with the mistake, the innermost first: the error explains each line
//! // better: LINE:COLUMN REASON    a better place than clang's
//! ```
//!
//! One in [`STRIDE`] is compared with clang, whose places must be those in the file; `WEFT_MESSAGES=all` compares all, and shows that nvcc
//! refuses each. The programs of [`NOT_YET`] must be refused, and an error must name what is not supported.

use std::path::{Path, PathBuf};
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::directive::DEFAULT_ARCH;
use weft_tests::mistake::{Found, found};
use weft_tests::runner::{Bench, Suite, files};
use weft_tests::tools::{self, Tool, repository};

use crate::messages::{PLACES, Place, first_error, joined};

/// One in so many programs is compared with clang.
const STRIDE: usize = 8;

/// The programs with templates that `weftc` refuses for now.
const NOT_YET: &[&str] = &["parameter_of_float", "specialization_partial"];

struct Program {
    path: PathBuf,
    name: String,
    text: String,
    clang: Vec<Place>,
    instances: Vec<Place>,
    better: Option<Place>,
}

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let programs = programs()?;
    let is_all = env::var("WEFT_MESSAGES").is_ok_and(|which| which == "all");
    let is_known = |name: &&&str| programs.iter().any(|program| program.name == **name);
    if let Some(name) = NOT_YET.iter().find(|name| !is_known(name)) {
        return Err(format!("`NOT_YET` names `{name}`, and there is no such program"));
    }
    suite.add(format!("templates_wrong/one error in each of {} programs", programs.len()), &[], move |_| {
        joined(programs.iter().filter_map(|program| program.check().err()).collect())
    });
    suite.add("templates_wrong/places of clang".into(), &[Tool::Clang], move |bench| {
        let compared = self::programs()?;
        let compared = compared.iter().step_by(if is_all { 1 } else { STRIDE });
        joined(compared.filter_map(|program| program.compare_with_clang(bench).err()).collect())
    });
    if is_all {
        suite.add("templates_wrong/nvcc refuses".into(), &[Tool::Nvcc], move |bench| {
            let programs = self::programs()?;
            joined(programs.iter().filter_map(|program| program.refused_by_nvcc(bench).err()).collect())
        });
    }
    Ok(())
}

fn programs() -> Result<Vec<Program>, Failure> {
    let paths = files(&repository().join("tests/suites/templates_wrong"), "cu")?;
    paths.iter().map(|path| Program::read(path).map_err(|e| format!("{}: {e}", path.display()))).collect()
}

/// `LINE:COLUMN`
fn place(text: &str) -> Result<Place, Failure> {
    let parsed =
        text.split_once(':').and_then(|(line, column)| Some((line.parse().ok()?, column.parse().ok()?)));
    parsed.ok_or_else(|| format!("`{text}` is no place"))
}

impl Program {
    fn read(path: &Path) -> Result<Program, Failure> {
        let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
        let mut comments = text.lines().map_while(|line| line.strip_prefix("// "));
        comments.next().ok_or("it does not begin with a title")?;
        let (mut clang, mut instances, mut better) = (Vec::new(), Vec::new(), None);
        for comment in comments {
            let (key, value) = comment.split_once(": ").ok_or(format!("`{comment}` has no key"))?;
            let places = || value.split(' ').map(place).collect::<Result<Vec<Place>, Failure>>();
            match key {
                "clang" => clang = places()?,
                "instances" => instances = places()?,
                "better" => {
                    let (at, _reason) = value.split_once(' ').ok_or("a better place without a reason")?;
                    better = Some(place(at)?);
                }
                _ => return Err(format!("`{key}` is no key")),
            }
        }
        if clang.is_empty() || better.is_some_and(|at| clang.contains(&at)) {
            return Err("it has no place of clang's, or calls it better".to_owned());
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Program { path: path.to_owned(), name, text, clang, instances, better })
    }

    /// Compares what `weftc` reports with the comments.
    fn check(&self) -> Result<(), Failure> {
        let errors: Vec<Found> = found(&self.text).into_iter().filter(|found| found.is_error).collect();
        let fails = |why: &str| {
            let line = |e: &Found| format!("  {}:{}: [{}] {}\n", e.at.0, e.at.1, e.code, e.message);
            let shown: String = errors.iter().map(line).collect();
            Err(format!("{}: {why}:\n{}{shown}", self.name, self.text))
        };
        let is_unsupported = errors.iter().any(|error| error.code.starts_with("unsupported-"));
        if NOT_YET.contains(&self.name.as_str()) {
            return if is_unsupported {
                Ok(())
            } else {
                fails("listed in `NOT_YET`, but no error names what is not supported")
            };
        }
        let [error] = &errors[..] else { return fails(&format!("{} errors", errors.len())) };
        if is_unsupported {
            return fails("it is refused for another reason");
        }
        let is_right = match self.better {
            Some(better) => error.at == better,
            None => self.clang.contains(&error.at),
        };
        if !is_right {
            return fails("the error is not where the comments say");
        }
        match self.instances.iter().find(|(line, _)| !error.explained_at.contains(line)) {
            Some((line, _)) => fails(&format!("the error does not show the use in line {line}")),
            None => Ok(()),
        }
    }

    /// Compares the comments with what clang says.
    fn compare_with_clang(&self, bench: &Bench) -> Result<(), Failure> {
        let mut clang = bench.tools.tool(Tool::Clang)?;
        // As device code of CUDA, without its headers: clang compares who calls what.
        clang.args(["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_75"]);
        clang.args(["-D__device__=__attribute__((device))", "-D__global__=__attribute__((global))"]);
        let answer = tools::run(clang.args(["-std=c++17", "-fsyntax-only"]).args(PLACES).arg(&self.path))?;
        let places = first_error(&answer)?;
        if places == self.clang {
            return Ok(());
        }
        let shown: Vec<String> = places.iter().map(|(line, column)| format!("{line}:{column}")).collect();
        Err(format!("{}: clang's places are `{}`", self.name, shown.join(" ")))
    }

    fn refused_by_nvcc(&self, bench: &Bench) -> Result<(), Failure> {
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        match bench.nvcc(&self.path, DEFAULT_ARCH, &work.path().join("wrong.ptx"))?.status {
            Some(0) => Err(format!("{}: nvcc accepts it:\n{}", self.name, self.text)),
            _ => Ok(()),
        }
    }
}
