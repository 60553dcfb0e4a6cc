//! Runs `weftc`, nvcc, ptxas and nvlink.
//!
//! Each uses a temporary folder of the caller: nothing is kept from one run to the next. Within a run, nvcc
//! runs once for each file of the repository, GPU and options, since several suites compare with the same
//! answer.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Bench, narrow};
use crate::Failure;
use crate::directive::{Emit, Machine, Settings};
use crate::nvcc_headers;
use crate::tools::{Answer, Tool, repository, run};

/// nvcc's answers about files of the repository in this run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers(Arc<Mutex<HashMap<Question, Arc<OnceLock<Known>>>>>);

/// The source, the GPU and further options.
type Question = (PathBuf, String, Vec<String>);

/// An answer, and the PTX if nvcc wrote it; or why nvcc does not start.
type Known = Result<(Answer, Option<Vec<u8>>), Failure>;

impl Answers {
    /// The slot for the answer to a question. A second thread waits for the first.
    fn of(&self, question: Question) -> Arc<OnceLock<Known>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry(question).or_default())
    }
}

impl Bench {
    /// The output of `weftc` for a correct program.
    ///
    /// # Errors
    ///
    /// If it rejects the program, or reports anything.
    pub fn emit(
        &self,
        source: &Path,
        emit: Emit,
        settings: &Settings,
        work: &Path,
    ) -> Result<String, Failure> {
        let out = work.join(format!("weftc.{}", emit.name()));
        let answer = self.weftc(source, emit, settings, &out)?.success()?;
        if !answer.stderr.is_empty() {
            return Err(answer.report("no message was expected"));
        }
        fs::read_to_string(&out).map_err(|e| answer.report(&format!("{}: {e}", out.display())))
    }

    /// Runs `weftc` on one file, in the file's folder, so that messages name it without a path.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn weftc(
        &self,
        source: &Path,
        emit: Emit,
        settings: &Settings,
        out: &Path,
    ) -> Result<Answer, Failure> {
        let (folder, name) = split(source)?;
        let mut command = self.tools.weftc();
        command.current_dir(folder).args(["--arch", &settings.arch]).args(&settings.args);
        command.arg(format!("--emit={}", emit.name())).arg("-o").arg(out).arg(name);
        run(&mut command)
    }

    /// Runs nvcc on one file, to PTX, in the project's language mode.
    ///
    /// # Errors
    ///
    /// If it is missing.
    pub fn nvcc(&self, source: &Path, arch: &str, out: &Path) -> Result<Answer, Failure> {
        self.nvcc_with(source, arch, &[], out)
    }

    fn nvcc_with(&self, source: &Path, arch: &str, options: &[&str], out: &Path) -> Result<Answer, Failure> {
        if !source.starts_with(repository()) {
            return self.ask_nvcc(source, arch, options, out);
        }
        let owned = options.iter().map(ToString::to_string).collect();
        let known = self.answers.of((source.to_owned(), arch.to_owned(), owned));
        let ask = || self.ask_nvcc(source, arch, options, out).map(|answer| (answer, fs::read(out).ok()));
        let (answer, ptx) = known.get_or_init(ask).as_ref().map_err(Clone::clone)?;
        if let Some(ptx) = ptx {
            fs::write(out, ptx).map_err(|e| format!("{}: {e}", out.display()))?;
        }
        Ok(answer.clone())
    }

    fn ask_nvcc(&self, source: &Path, arch: &str, options: &[&str], out: &Path) -> Result<Answer, Failure> {
        nvcc_headers::run_nvcc(&self.tools, source, || {
            let mut nvcc = self.tools.tool(Tool::Nvcc)?;
            nvcc.current_dir(split(source)?.0);
            nvcc.args(["-x", "cu", "-std=c++17", &format!("-arch={arch}"), "-rdc=true"]).args(options);
            nvcc.args(["--ptx", "-o"]).arg(out).arg(source);
            Ok(nvcc)
        })
    }

    /// The PTX of nvcc.
    ///
    /// # Errors
    ///
    /// If it rejects the file.
    pub fn nvcc_ptx(&self, source: &Path, arch: &str, work: &Path) -> Result<String, Failure> {
        self.nvcc_ptx_with(source, arch, &[], work)
    }

    /// The PTX of NVIDIA's compiler for a test's settings.
    ///
    /// # Errors
    ///
    /// If it rejects the file.
    pub fn oracle_ptx(&self, source: &Path, settings: &Settings, work: &Path) -> Result<String, Failure> {
        match settings.machine() {
            Machine::Bits64 => {
                let source = with_instances(source, &settings.instances(), work)?;
                self.nvcc_ptx_with(&source, &settings.arch, &settings.options_of_both(), work)
            }
            Machine::Bits32 => narrow::ptx(self, source, &settings.arch, work),
        }
    }

    /// The same with additional options.
    ///
    /// # Errors
    ///
    /// If it rejects the file.
    pub fn nvcc_ptx_with(
        &self,
        source: &Path,
        arch: &str,
        options: &[&str],
        work: &Path,
    ) -> Result<String, Failure> {
        let out = work.join("nvcc.ptx");
        let answer = self.nvcc_with(source, arch, options, &out)?.success()?;
        fs::read_to_string(&out).map_err(|e| answer.report(&e.to_string()))
    }

    /// Assembles PTX with ptxas to a relocatable object at [`cubin`].
    ///
    /// # Errors
    ///
    /// If it is missing.
    pub fn ptxas(&self, ptx: &str, name: &str, arch: &str, work: &Path) -> Result<Answer, Failure> {
        self.ptxas_of(ptx, name, arch, Machine::Bits64, work)
    }

    /// The same for an address size: 32 bits need the ptxas of an older toolkit.
    ///
    /// # Errors
    ///
    /// If it is missing.
    pub fn ptxas_of(
        &self,
        ptx: &str,
        name: &str,
        arch: &str,
        machine: Machine,
        work: &Path,
    ) -> Result<Answer, Failure> {
        let text = work.join(format!("{name}.ptx"));
        fs::write(&text, ptx).map_err(|e| e.to_string())?;
        let mut command = self.tools.tool(machine.ptxas())?;
        if machine == Machine::Bits32 {
            command.args(["-m", "32"]);
        }
        command.arg("-c").arg(format!("-arch={arch}")).arg("-o").arg(cubin(work, name)).arg(text);
        run(&mut command)
    }

    /// Links cubins.
    ///
    /// # Errors
    ///
    /// If nvlink is missing.
    pub fn nvlink(&self, cubins: &[&Path], arch: &str, out: &Path) -> Result<Answer, Failure> {
        let mut command = self.tools.tool(Tool::Nvlink)?;
        run(command.arg(format!("-arch={arch}")).arg("-o").arg(out).args(cubins))
    }
}

/// The path of the output of [`Bench::ptxas`].
pub fn cubin(work: &Path, name: &str) -> PathBuf {
    work.join(format!("{name}.cubin"))
}

/// A folder for one trial, which is removed with the value.
pub(crate) fn work_folder() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir().map_err(|e| format!("no temporary folder: {e}"))
}

/// A file with the instances of kernel templates that `weftc` makes by `--instantiate`, which nvcc lacks: it takes their
/// addresses. The file itself, if there are none.
fn with_instances(source: &Path, instances: &[&str], work: &Path) -> Result<PathBuf, Failure> {
    if instances.is_empty() {
        return Ok(source.to_owned());
    }
    let addresses: Vec<String> =
        instances.iter().map(|instance| format!("(const void *){instance}")).collect();
    let text = format!(
        "#include \"{}\"\nstatic const void *const instances[] = {{{}}};\n",
        source.display(),
        addresses.join(", ")
    );
    let file = work.join("instances.cu");
    fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(file)
}

fn split(source: &Path) -> Result<(&Path, &OsStr), Failure> {
    let parts = source.parent().zip(source.file_name());
    parts.ok_or_else(|| format!("{} is not a file", source.display()))
}
