//! Checks files of cases: compiles them with both compilers, and compares the results.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::{Answer, FileAnswer, INSTRUCTIONS, folder};
use crate::Failure;
use crate::atomics::{self, Cell, Mapping};
use crate::conformance::levels::Engine;
use crate::conformance::parse::parse;
use crate::conformance::probe::Given;
use crate::conformance::producer::{self, NotMade, Producer};
use crate::dwarf::{clauses, produce};
use crate::filecheck::{self, Prefixes};
use crate::isa::{self, compare};
use crate::launches::{self, LaunchSpec};
use crate::names;
use crate::runner::run::same_launches;
use crate::tools::{Tool, Tools, run};

/// The prefix of answers about cells that are ordered more strongly than needed.
pub(super) const STRONGER: &str = "stronger: ";

/// The prefix of answers about cells that the compiler rejects.
pub(super) const REFUSED: &str = "it is refused: ";

/// The number of cells of a matrix that are compiled at once.
const N_CELLS: usize = 1200;

/// Checks a file of cases, given by its path without extension; links host objects if requested.
///
/// # Errors
///
/// If a tool is missing or fails.
pub fn look_at(
    file: &str,
    tools: &Tools,
    producer: &Producer,
    arch: &str,
    links_host: bool,
) -> Result<FileAnswer, Failure> {
    let cases = Cases { tools, producer, arch };
    let path = folder().join(format!("{file}.src"));
    let whole = |answer: Result<Answer, NotMade>| match answer {
        Ok(answer) => Ok(FileAnswer::Whole(answer)),
        Err(NotMade::Refused { why, .. }) => {
            Ok(FileAnswer::Whole(Answer::Differs(format!("it is refused: {why}"))))
        }
        Err(NotMade::Failed(failure)) => Err(failure),
    };
    match file.split('/').next() {
        Some("signatures") => {
            let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let unit = parse(&text).map_err(|e| format!("{}: {e}", path.display()))?;
            let engine = Engine {
                tools,
                arch: arch.to_owned(),
                producer: producer.clone(),
                given: Given::Each,
                links_host,
            };
            Ok(FileAnswer::Unit(engine.check(&unit, 1)?))
        }
        Some("programs") => whole(cases.program(&path)),
        Some("pairs") => whole(cases.pair(&folder().join(file))),
        Some("symbols") => whole(cases.symbols(&path)),
        Some("texts") => whole(cases.text(&path)),
        Some("refused") => whole(cases.refused(&path)),
        Some("debug") => match cases.debug(&path) {
            Ok(rules) => Ok(FileAnswer::Named(rules)),
            refused @ Err(_) => whole(refused.map(|_| same(""))),
        },
        Some("instructions") => Ok(FileAnswer::Variants(cases.instruction(file)?)),
        Some("atomics") => match cases.atomics() {
            Ok(cells) => Ok(FileAnswer::Cells(cells)),
            Err(NotMade::Refused { why, .. }) => Err(format!("nvcc refuses it: {why}")),
            Err(NotMade::Failed(failure)) => Err(failure),
        },
        _ => Err(format!("no kind of case has files like `{file}`")),
    }
}

/// Cases that are whole files.
struct Cases<'t> {
    tools: &'t Tools,
    producer: &'t Producer,
    arch: &'t str,
}

fn same(what: &str) -> Answer {
    Answer::Same(vec![what.to_owned()])
}

impl Cases<'_> {
    /// PTX by the producer, and by nvcc.
    fn both(&self, source: &Path, work: &Path) -> Result<[String; 2], NotMade> {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let out = work.join(format!("{stem}.ptx"));
        self.producer.compile(self.tools, source, self.arch, &out)?;
        let ours = fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))?;
        Ok([ours, producer::nvcc_ptx(self.tools, source, self.arch, work)?])
    }

    fn program(&self, source: &Path) -> Result<Answer, NotMade> {
        let work = work_folder()?;
        let [ours, theirs] = self.both(source, work.path())?;
        let ways = [
            ("the producer", vec![("kernel.ptx", ours.as_str())]),
            ("nvcc", vec![("kernel.ptx", theirs.as_str())]),
        ];
        let launches = launches_of(source)?;
        Ok(match same_launches(&launches, &ways) {
            Ok(()) => same("results"),
            Err(how) => Answer::Differs(how),
        })
    }

    fn pair(&self, folder: &Path) -> Result<Answer, NotMade> {
        let work = work_folder()?;
        let [caller, callee] = ["caller.src", "callee.src"].map(|name| folder.join(name));
        let mut made = Vec::new();
        for source in [&caller, &callee] {
            let ours = self.producer.make(self.tools, source, self.arch, work.path(), false)?;
            made.push([ours, producer::nvcc(self.tools, source, self.arch, work.path(), false)?]);
        }
        let mut ways = Vec::new();
        for caller in &made[0] {
            for callee in &made[1] {
                let mut nvlink = self.tools.tool(Tool::Nvlink)?;
                nvlink.arg(format!("-arch={}", self.arch)).arg("-o").arg(work.path().join("linked"));
                let answer = run(nvlink.args([&caller.cubin, &callee.cubin]))?;
                let way = format!("the caller by {}, the callee by {}", caller.by, callee.by);
                // Every pairing warns about recursion.
                let is_warning = |line: &str| line.contains("Stack size for entry function");
                let said = answer.stdout.lines().chain(answer.stderr.lines()).find(|line| !is_warning(line));
                if answer.status != Some(0) || said.is_some() {
                    return Ok(Answer::Differs(answer.report(&way)));
                }
                let modules = vec![("caller.ptx", caller.ptx.as_str()), ("callee.ptx", callee.ptx.as_str())];
                ways.push((way, modules));
            }
        }
        let ways: Vec<_> = ways.iter().map(|(way, modules)| (way.as_str(), modules.clone())).collect();
        Ok(match same_launches(&launches_of(&caller)?, &ways) {
            Ok(()) => Answer::Same(vec!["linking".to_owned(), "results".to_owned()]),
            Err(how) => Answer::Differs(how),
        })
    }

    fn symbols(&self, source: &Path) -> Result<Answer, NotMade> {
        let work = work_folder()?;
        let [ours, theirs] = self.both(source, work.path())?.map(|ptx| names::symbols(&ptx));
        if theirs.is_empty() {
            return Ok(Answer::NvccFails("nvcc's text has no symbols".into()));
        }
        let list = |all: &BTreeSet<String>, less: &BTreeSet<String>| {
            all.difference(less).cloned().collect::<Vec<_>>().join(" ")
        };
        let (missing, extra) = (list(&theirs, &ours), list(&ours, &theirs));
        if missing.is_empty() && extra.is_empty() {
            return Ok(same("symbols"));
        }
        Ok(Answer::Differs(format!("missing: {missing}; not expected: {extra}")))
    }

    /// The requirements of chapter 5 on debug information.
    fn debug(&self, source: &Path) -> Result<BTreeMap<String, Answer>, NotMade> {
        let work = work_folder()?;
        let text = fs::read_to_string(source).map_err(|e| format!("{}: {e}", source.display()))?;
        let theirs = produce::theirs(self.tools, source, self.arch, work.path())?;
        let ours = produce::ours(self.tools, self.producer, source, self.arch, work.path())?;
        Ok(clauses::answers(self.tools, &text, &theirs, &ours)?)
    }

    fn text(&self, source: &Path) -> Result<Answer, NotMade> {
        let work = work_folder()?;
        let text = fs::read_to_string(source).map_err(|e| e.to_string())?;
        let check = |ptx: &str| filecheck::check(self.tools, &text, &Prefixes::plain(), ptx);
        let [ours, theirs] = self.both(source, work.path())?;
        if let Err(how) = check(&theirs) {
            return Ok(Answer::NvccFails(how));
        }
        Ok(match check(&ours) {
            Ok(()) => same("text"),
            Err(how) => Answer::Differs(how),
        })
    }

    /// All variants of an instruction.
    fn instruction(&self, file: &str) -> Result<BTreeMap<String, Answer>, Failure> {
        let of = file.trim_start_matches(INSTRUCTIONS);
        let work = work_folder()?;
        let mut variants = isa::variants(&isa::forms()?)?;
        variants.retain(|variant| variant.form.of == of);
        let mut answers = BTreeMap::new();
        for some in isa::files(&variants) {
            let outcomes = compare::compare(self.tools, self.producer, some, self.arch, work.path())?;
            for (variant, outcome) in some.iter().zip(outcomes) {
                let levels =
                    ["instruction", "results"].into_iter().take(1 + usize::from(variant.has_value()));
                let answer = match outcome {
                    Ok(()) => Answer::Same(levels.map(str::to_owned).collect()),
                    Err(how) => Answer::Differs(how),
                };
                // Several variants may have the same spelling.
                let name = |n| format!("{} ({n})", variant.form.isa);
                let free = (1..).map(name).find(|name| !answers.contains_key(name));
                answers.insert(free.unwrap_or_default(), answer);
            }
        }
        Ok(answers)
    }

    /// All cells of the matrix of atomic operations, by the guide's rows.
    fn atomics(&self) -> Result<BTreeMap<String, BTreeMap<String, Answer>>, NotMade> {
        let work = work_folder()?;
        let sm = self.arch.trim_start_matches("sm_").trim_end_matches(char::is_alphabetic);
        let sm: u32 = sm.parse().map_err(|_| format!("`{}` is no GPU", self.arch))?;
        let mut cells = atomics::cells(sm);
        cells.sort_by_key(Cell::group);
        let mut rows: BTreeMap<String, BTreeMap<String, Answer>> = BTreeMap::new();
        for cells in cells.chunks(N_CELLS) {
            let source = work.path().join("cells.src");
            fs::write(&source, atomics::source(cells)).map_err(|e| e.to_string())?;
            let theirs = producer::nvcc_ptx(self.tools, &source, self.arch, work.path())?;
            let theirs = atomics::functions(&theirs);
            let ours = self.cells(cells, work.path())?;
            for (idx, (cell, ours)) in cells.iter().zip(ours).enumerate() {
                let theirs = theirs.get(&format!("f{idx}")).cloned().unwrap_or_default();
                let answer = match (atomics::mapping(cell, &theirs, false), ours) {
                    (Mapping::Other(what), _) => Answer::NvccFails(what),
                    (_, Err(why)) => Answer::Differs(format!("{REFUSED}{why}")),
                    (_, Ok(ours)) => match atomics::mapping(cell, &ours, false) {
                        Mapping::Other(what) if atomics::is_stronger(cell, &ours) => {
                            Answer::Differs(format!("{STRONGER}{what}"))
                        }
                        Mapping::Other(what) => Answer::Differs(what),
                        Mapping::Recommended | Mapping::Alternative => same("mapping"),
                    },
                };
                rows.entry(cell.row()).or_default().insert(cell.to_string(), answer);
            }
        }
        Ok(rows)
    }

    /// The producer's output for each cell: of all at once, or if that is rejected, of each group.
    fn cells(&self, cells: &[Cell], work: &Path) -> Result<Vec<Result<Vec<String>, String>>, NotMade> {
        let (source, out) = (work.join("ours.src"), work.join("ours.ptx"));
        fs::write(&source, atomics::source(cells)).map_err(|e| e.to_string())?;
        match self.producer.compile(self.tools, &source, self.arch, &out) {
            Ok(()) => {
                let ptx = fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))?;
                let functions = atomics::functions(&ptx);
                let of = |idx| functions.get(&format!("f{idx}")).cloned().unwrap_or_default();
                return Ok((0..cells.len()).map(|idx| Ok(of(idx))).collect());
            }
            Err(failure @ NotMade::Failed(_)) => return Err(failure),
            Err(NotMade::Refused { why, .. }) => {
                if cells.iter().all(|cell| cell.group() == cells[0].group()) {
                    let why =
                        why.lines().find(|line| line.contains("error")).unwrap_or("no error").to_owned();
                    return Ok(vec![Err(why); cells.len()]);
                }
            }
        }
        let mut found = Vec::new();
        for group in cells.chunk_by(|a, b| a.group() == b.group()) {
            found.extend(self.cells(group, work)?);
        }
        Ok(found)
    }

    fn refused(&self, source: &Path) -> Result<Answer, NotMade> {
        let work = work_folder()?;
        match producer::nvcc_ptx(self.tools, source, self.arch, work.path()) {
            Err(NotMade::Refused { .. }) => {}
            Err(failure @ NotMade::Failed(_)) => return Err(failure),
            Ok(_) => return Ok(Answer::NvccFails("nvcc takes it".into())),
        }
        match self.producer.compile(self.tools, source, self.arch, &work.path().join("out.ptx")) {
            Err(NotMade::Refused { .. }) => Ok(same("refused")),
            Err(failure @ NotMade::Failed(_)) => Err(failure),
            Ok(()) => Ok(Answer::Differs("it is taken".into())),
        }
    }
}

fn work_folder() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir().map_err(|e| format!("no temporary folder: {e}"))
}

fn launches_of(source: &Path) -> Result<Vec<LaunchSpec>, Failure> {
    let text = fs::read_to_string(source).map_err(|e| format!("{}: {e}", source.display()))?;
    let (_, launches) = launches::parse(&text).map_err(|e| format!("{}: {e}", source.display()))?;
    if launches.is_empty() { Err(format!("{}: it has no launch", source.display())) } else { Ok(launches) }
}
