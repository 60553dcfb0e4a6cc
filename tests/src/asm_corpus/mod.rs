//! The `asm` statements of CUDA's own headers: `weftc` must accept what ptxas accepts for a GPU, and ptxas
//! must accept the output of `weftc`.
//!
//! - [`extract`]: extracts the statements of a header
//! - [`ask`]: the answers of ptxas and `weftc` about them

pub mod ask;
pub mod extract;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::Failure;
use crate::tools::{Tool, Tools};

/// An `asm` statement of a header.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Statement {
    /// Its text, with string literals joined.
    pub text: String,
    /// Outputs, then inputs.
    pub operands: Vec<Operand>,
    /// The number of outputs.
    pub n_outputs: usize,
}

/// An operand of a statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operand {
    /// The modifiers before the letter: `=`, `+`, `&`.
    pub modes: String,
    /// The letter of its register class, or `n` for a constant.
    pub letter: char,
    /// `[name]`.
    pub name: Option<String>,
    /// The value of a constant, if the header specifies it.
    pub number: Option<u64>,
}

/// The statements of all headers.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// Each distinct statement, with the headers that contain it.
    pub statements: BTreeMap<Statement, BTreeSet<String>>,
    /// The total number of statements.
    pub n_found: usize,
    /// The skipped statements, by reason: their number, and the first one.
    pub skipped: BTreeMap<&'static str, (usize, String)>,
}

impl Corpus {
    /// Reads the headers.
    ///
    /// # Errors
    ///
    /// If there are none, or the host's preprocessor rejects one.
    pub fn read(tools: &Tools) -> Result<Corpus, Failure> {
        let root = folder(tools)?;
        let mut corpus = Corpus::default();
        for path in headers(&root)? {
            let text = String::from_utf8_lossy(&fs::read(&path).map_err(|e| e.to_string())?).into_owned();
            // The macros of `x.hpp` are in `x.h`.
            let is_second = path.extension().is_some_and(|extension| extension == "hpp");
            let first = if is_second { fs::read_to_string(path.with_extension("h")).ok() } else { None };
            let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
            for found in extract::statements(tools, &text, &first.unwrap_or_default())
                .map_err(|why| format!("{name}: {why}"))?
            {
                corpus.n_found += 1;
                match found {
                    Ok(statement) => {
                        corpus.statements.entry(statement).or_default().insert(name.clone());
                    }
                    Err((reason, text)) => {
                        let skipped = corpus.skipped.entry(reason).or_insert((0, format!("{name}: {text}")));
                        skipped.0 += 1;
                    }
                }
            }
        }
        Ok(corpus)
    }
}

/// The folder of CUDA's headers, next to nvcc.
fn folder(tools: &Tools) -> Result<PathBuf, Failure> {
    let nvcc = tools.tool(Tool::Nvcc)?;
    let beside =
        Path::new(nvcc.get_program()).parent().and_then(Path::parent).map(|root| root.join("include"));
    let named = env::var_os("CUDA_PATH").map(|root| PathBuf::from(root).join("include"));
    let is_there = |folder: &PathBuf| folder.join("cuda_fp16.hpp").is_file();
    beside
        .into_iter()
        .chain(named)
        .find(is_there)
        .ok_or_else(|| "CUDA's headers are not beside nvcc".to_owned())
}

/// All files that contain `asm`, in order.
fn headers(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
            let path = entry.map_err(|e| e.to_string())?.path();
            if path.is_dir() {
                folders.push(path);
            } else if fs::read(&path).is_ok_and(|bytes| bytes.windows(3).any(|three| three == b"asm")) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
