//! Random programs of namespaces: `weftc` refuses those that nvcc refuses, in the same line, and the names of the others mean the same.
//!
//! What `weftc` refuses and nvcc does not, clang must refuse in the same line, as C++ does. `WEFT_LOOKUP_FILES=80` compares more.
//! g++ is the witness for one mistake alone that clang does not see either: a `using` declaration of a type and something else, of
//! different namespaces (C++17 6.4.3.2p6).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::lookups::{self, Line};
use weft_tests::overloads::refused;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{self, Answer, Tool};

const N_FILES: u64 = 1;
const N_PROGRAMS: usize = 40;
/// So many mistakes of a program are compared, one after the other; then it is left out.
const MAX_MISTAKES: usize = 6;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n_files = env::var("WEFT_LOOKUP_FILES").ok().and_then(|n| n.parse().ok()).unwrap_or(N_FILES);
    for seed in 1..=n_files {
        let name = format!("lookups/seed-{seed} ({N_PROGRAMS} programs)");
        suite.add(name, &[Tool::Nvcc, Tool::Clang, Tool::Gxx], move |bench| same_meanings(bench, seed));
    }
    Ok(())
}

/// The lines of a seed, those that are left out, and the file.
struct Programs {
    lines: Vec<Line>,
    left_out: BTreeSet<usize>,
    folder: tempfile::TempDir,
}

/// Leaves out the mistakes of each program, one at a time, until nvcc takes what is left.
fn same_meanings(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let mut programs = Programs {
        lines: lookups::lines(seed, N_PROGRAMS),
        left_out: BTreeSet::new(),
        folder: tempfile::tempdir().map_err(|e| e.to_string())?,
    };
    let mut n_mistakes: BTreeMap<usize, usize> = BTreeMap::new();
    let answer = loop {
        let answer = nvcc(bench, &programs.write(&BTreeSet::new())?)?;
        let theirs = programs.first_mistakes(&answer.stderr);
        let ours = programs.our_mistakes(bench)?;
        if theirs.is_empty() && (answer.status == Some(0) || ours.is_empty()) {
            break answer.success().map_err(|failure| programs.kept(failure))?;
        }
        if theirs.is_empty() {
            // Some mistakes make nvcc stop without a message.
            programs.require_clang(bench, &ours)?;
            programs.left_out.extend(ours.values());
        }
        for (program, &line) in &theirs {
            // A line before that is refused by `weftc` alone is looked at when nvcc has nothing to say.
            if ours.get(program).is_none_or(|&ours| ours > line) {
                return Err(programs.failure("nvcc alone refuses", line));
            }
            programs.left_out.insert(line);
            *n_mistakes.entry(*program).or_default() += 1;
        }
        let is_wrong = |program: &usize| n_mistakes.get(program).is_some_and(|&n| n >= MAX_MISTAKES);
        programs.leave_out(&theirs.into_iter().filter(|(program, _)| is_wrong(program)).collect());
    };
    let (mut theirs, ours) = (lookups::found(&answer.stdout), programs.our_mistakes(bench)?);
    programs.require_clang(bench, &ours)?;
    programs.leave_out(&ours);
    let source = programs.write(&BTreeSet::new())?;
    let found = lookups::found(&weftc(bench, &source)?.success()?.stdout);
    theirs.retain(|&number, _| programs.has_lookup(number));
    if theirs.len() < N_PROGRAMS / 4 {
        return Err(format!("{} lookups of {N_PROGRAMS} programs are compared", theirs.len()));
    }
    for (number, size) in &theirs {
        let ours = found.get(number).map_or("nothing", String::as_str);
        if ours != size {
            let line = programs.lines.iter().position(|line| line.lookup == Some(*number)).unwrap_or(0);
            return Err(programs.failure(&format!("nvcc finds size {size}, weftc {ours}"), line));
        }
    }
    Ok(())
}

impl Programs {
    /// The file with what is left, without some programs.
    fn write(&self, without: &BTreeSet<usize>) -> Result<std::path::PathBuf, Failure> {
        let of_them = (0..self.lines.len()).filter(|&line| without.contains(&self.lines[line].program));
        let path = self.folder.path().join("lookups.src");
        let text = lookups::source(&self.lines, &self.left_out.iter().copied().chain(of_them).collect());
        fs::write(&path, text).map_err(|e| e.to_string())?;
        Ok(path)
    }

    /// The first line of each program that messages refuse.
    fn first_mistakes(&self, messages: &str) -> BTreeMap<usize, usize> {
        let mut first = BTreeMap::new();
        for number in refused(messages) {
            if let Some(line) = self.lines.get(number - 1) {
                first.entry(line.program).or_insert(number - 1);
            }
        }
        first
    }

    /// The same of `weftc`, which a mistake keeps silent about the same name elsewhere.
    fn our_mistakes(&self, bench: &Bench) -> Result<BTreeMap<usize, usize>, Failure> {
        let mut all = BTreeMap::new();
        loop {
            let source = self.write(&all.keys().copied().collect())?;
            let more = self.first_mistakes(&weftc(bench, &source)?.stderr);
            if more.is_empty() {
                return Ok(all);
            }
            all.extend(more);
        }
    }

    /// Compares mistakes that nvcc does not see with clang's.
    fn require_clang(&self, bench: &Bench, ours: &BTreeMap<usize, usize>) -> Result<(), Failure> {
        let theirs = if ours.is_empty() { BTreeSet::new() } else { self.clang_mistakes(bench)? };
        for &line in ours.values().filter(|&line| !theirs.contains(&(line + 1))) {
            if !self.is_ambiguous_using(bench, line)? {
                return Err(self.failure("weftc alone refuses", line));
            }
        }
        Ok(())
    }

    /// Whether a line has a `using` declaration of a name that is ambiguous to `weftc` and to g++.
    fn is_ambiguous_using(&self, bench: &Bench, line: usize) -> Result<bool, Failure> {
        let program = self.lines[line].program;
        let others = self.lines.iter().map(|line| line.program).filter(|&other| other != program).collect();
        let source = self.write(&others)?;
        let mut gxx = bench.tools.tool(Tool::Gxx)?;
        gxx.args(["-x", "c++", "-std=c++17", "-fsyntax-only", "-w", "-D__device__="]);
        let theirs = tools::run(gxx.arg(&source))?.stderr;
        let ours = weftc(bench, &source)?.stderr;
        let is_in = |messages: &str, kind: &str| {
            let of_kind: Vec<&str> = messages.lines().filter(|message| message.contains(kind)).collect();
            refused(&of_kind.join("\n")).contains(&(line + 1))
        };
        let has_using = self.lines[line].text.contains("using ");
        Ok(has_using && is_in(&ours, "error[ambiguous-reference]") && is_in(&theirs, "is ambiguous"))
    }

    /// The numbers of the lines that clang refuses.
    fn clang_mistakes(&self, bench: &Bench) -> Result<BTreeSet<usize>, Failure> {
        let mut clang = bench.tools.tool(Tool::Clang)?;
        clang.args(["-x", "c++", "-std=c++17", "-fsyntax-only", "-w", "-ferror-limit=0", "-D__device__="]);
        Ok(refused(&tools::run(clang.arg(self.write(&BTreeSet::new())?))?.stderr))
    }

    /// Leaves these programs out.
    fn leave_out(&mut self, programs: &BTreeMap<usize, usize>) {
        let of_them = (0..self.lines.len()).filter(|&line| programs.contains_key(&self.lines[line].program));
        self.left_out.extend(of_them);
    }

    fn has_lookup(&self, number: usize) -> bool {
        let is_it = |line: &usize| self.lines[*line].lookup == Some(number) && !self.left_out.contains(line);
        (0..self.lines.len()).any(|line| is_it(&line))
    }

    /// Keeps the file of a failure that no line explains.
    fn kept(&mut self, failure: Failure) -> Failure {
        self.folder.disable_cleanup(true);
        format!("{failure}\nthe file is {}", self.folder.path().join("lookups.src").display())
    }

    /// What is wrong with a line, and its program.
    fn failure(&self, what: &str, line: usize) -> Failure {
        let program = self.lines[line].program;
        let of_it = (0..self.lines.len())
            .filter(|line| self.lines[*line].program == program && !self.left_out.contains(line));
        let text: Vec<&str> = of_it.map(|line| self.lines[line].text.as_str()).collect();
        format!("{what}:\n{}\nof:\n{}\n", self.lines[line].text, text.join("\n"))
    }
}

fn weftc(bench: &Bench, source: &Path) -> Result<Answer, Failure> {
    let mut weftc = bench.tools.weftc();
    tools::run(weftc.arg(source).args(["-w", "-O0", "--error-format=short", "--emit=ptx", "-o", "-"]))
}

fn nvcc(bench: &Bench, source: &Path) -> Result<Answer, Failure> {
    let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
    let args = ["-x", "cu", "-std=c++17", "-arch=sm_75", "-rdc=true", "--ptx", "-w", "-o", "-"];
    tools::run(nvcc.args(args).args(["-Xcudafe", "--error_limit=1000"]).arg(source))
}
