//! Debug information, compared with nvcc's: names, types, sizes, members and their bits, enumerators, scopes,
//! declaration lines, and the memory of variables. Both compilers run in the same test;
//! `src/dwarf/allowed.rs` lists permitted differences, and each of them must occur.
//!
//! `WEFT_DEBUG_PRODUCER='clang-22 … {debug:-O0 -g} {in} -o {out}'` checks another compiler instead of
//! `weftc`.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use weft_tests::Failure;
use weft_tests::conformance::producer::{NotMade, Producer};
use weft_tests::directive::Machine;
use weft_tests::dwarf::allowed::{self, ALLOWED};
use weft_tests::dwarf::compare::{Difference, Kind, compare};
use weft_tests::dwarf::{overlap, produce, read, verify};
use weft_tests::examples;
use weft_tests::layouts;
use weft_tests::random_program;
use weft_tests::runner::{Bench, Suite, files};
use weft_tests::signature;
use weft_tests::tools::{Tool, Tools, repository};

const ARCH: &str = "sm_90";
const NEEDS: [Tool; 3] = [Tool::Nvcc, Tool::Ptxas, Tool::Dwarfdump];

/// The kinds of clang's differences, and no others: finding them shows that the comparison works.
const OF_CLANG: [(&str, &[Kind]); 2] = [
    (
        "scopes",
        &[
            Kind::Extra,
            Kind::Attributes,
            Kind::Language,
            Kind::Name,
            Kind::LinkageName,
            Kind::Storage,
            Kind::Scope,
            Kind::BodyBlock,
            Kind::PointerClass,
        ],
    ),
    (
        "types",
        &[
            Kind::Missing,
            Kind::Extra,
            Kind::Attributes,
            Kind::Language,
            Kind::Name,
            Kind::LinkageName,
            Kind::Place,
            Kind::Encoding,
            Kind::PointerClass,
            Kind::BitSize,
        ],
    ),
];

/// A name, and the text for a seed.
type RandomText = (&'static str, fn(u64) -> String);

/// The sources of random declarations.
const RANDOM: [RandomText; 2] = [
    ("structs", |seed| layouts::source(seed, 100, Machine::Bits64)),
    ("signatures", |seed| signature::source(seed, 60)),
];

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let root = repository();
    let mut sources = files(&root.join("tests").join("debug_info"), "src")?;
    sources.extend(examples::sources_in_c()?);
    let cases: Vec<Arc<Case>> =
        sources.into_iter().map(|source| Arc::new(Case { source, found: OnceLock::new() })).collect();
    for case in &cases {
        let name = case.source.strip_prefix(&root).unwrap_or(&case.source).display();
        let case = Arc::clone(case);
        suite.add(format!("debug_info/{name}"), &NEEDS, move |bench| case.is_as_nvcc_has_it(&bench.tools));
    }
    let n_seeds = match env::var("WEFT_DEBUG_SEEDS") {
        Ok(n) => n.parse().map_err(|_| format!("WEFT_DEBUG_SEEDS={n} is not a number"))?,
        Err(_) => 1,
    };
    for seed in 1..=n_seeds {
        for (name, source) in RANDOM {
            suite.add(format!("debug_info/random {name}, seed {seed}"), &NEEDS, move |bench| {
                random(bench, name, &source(seed))
            });
        }
        let needs = [NEEDS[0], NEEDS[1], NEEDS[2], Tool::Csmith, Tool::Gxx];
        suite.add(format!("debug_info/random program, seed {seed}"), &needs, move |bench| {
            let work = tempfile::tempdir().map_err(|e| e.to_string())?;
            let programs = random_program::generate(&bench.tools, 10 * seed, 1, work.path())?;
            // nvcc gets no include folders.
            let text = programs[0].device_text().replace("<csmith.h>", "\"/usr/include/csmith/csmith.h\"");
            random(bench, "program", &text)
        });
    }
    suite.add_last("debug_info/allowed differences".to_owned(), &NEEDS, move |bench| {
        each_occurs(&bench.tools, &cases)
    });
    suite.add("debug_info/reports a wrong reference".to_owned(), &NEEDS, leads_astray);
    for (name, kinds) in OF_CLANG {
        let needs = [Tool::Nvcc, Tool::Ptxas, Tool::Dwarfdump, Tool::Clang];
        suite
            .add(format!("debug_info/{name}.src (clang)"), &needs, move |bench| of_clang(bench, name, kinds));
    }
    Ok(())
}

/// A source that is compiled once, for any number of trials.
struct Case {
    source: PathBuf,
    found: OnceLock<Result<Found, Failure>>,
}

/// The results for a source.
struct Found {
    differences: Vec<Difference>,
    /// The errors that DWARF readers find only in ours.
    complaints: BTreeSet<String>,
    /// Variables with overlapping locations.
    overlaps: Vec<String>,
}

impl Case {
    fn find(&self, tools: &Tools) -> Result<&Found, Failure> {
        let other = env::var("WEFT_DEBUG_PRODUCER").map(Producer::Command);
        let producer = other.unwrap_or_else(|_| Producer::weftc("-O0"));
        let found = || find(tools, &producer, &self.source);
        self.found.get_or_init(found).as_ref().map_err(Clone::clone)
    }

    fn is_as_nvcc_has_it(&self, tools: &Tools) -> Result<(), Failure> {
        self.find(tools)?.is_as_nvcc_has_it()
    }
}

impl Found {
    fn is_as_nvcc_has_it(&self) -> Result<(), Failure> {
        let not_allowed = self.differences.iter().filter(|difference| allowed::find(difference).is_none());
        let mut wrong: Vec<String> = not_allowed.map(Difference::to_string).collect();
        wrong.extend(self.complaints.iter().map(|complaint| format!("llvm-dwarfdump --verify: {complaint}")));
        wrong.extend(self.overlaps.iter().cloned());
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    }
}

/// Keeps the file on a failure.
fn random(bench: &Bench, name: &str, text: &str) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join(format!("{name}.src"));
    fs::write(&source, text).map_err(|e| e.to_string())?;
    let found = find(&bench.tools, &Producer::weftc("-O0"), &source);
    found.and_then(|found| found.is_as_nvcc_has_it()).map_err(|failure| {
        let kept = work.keep().join(format!("{name}.src"));
        format!("{failure}\nthe file is {}", kept.display())
    })
}

/// Permitted differences that no longer occur are an error.
fn each_occurs(tools: &Tools, cases: &[Arc<Case>]) -> Result<(), Failure> {
    let mut seen = BTreeSet::new();
    for case in cases {
        seen.extend(
            case.find(tools)?.differences.iter().filter_map(allowed::find).map(|allowed| allowed.name),
        );
    }
    let never: Vec<&str> =
        ALLOWED.iter().map(|allowed| allowed.name).filter(|name| !seen.contains(name)).collect();
    if never.is_empty() { Ok(()) } else { Err(format!("in no source there is: {}", never.join(", "))) }
}

fn made(made: Result<produce::Made, NotMade>) -> Result<produce::Made, Failure> {
    made.map_err(|not_made| match not_made {
        NotMade::Refused { why, .. } => why,
        NotMade::Failed(failure) => failure,
    })
}

fn find(tools: &Tools, producer: &Producer, source: &Path) -> Result<Found, Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let arch = examples::arch(source, ARCH)?;
    let theirs = made(produce::theirs(tools, source, &arch, work.path()))?;
    let ours = made(produce::ours(tools, producer, source, &arch, work.path()))?;
    let known = verify::complaints(tools, &theirs.cubin, work.path())?;
    let complaints = verify::complaints(tools, &ours.cubin, work.path())?;
    let complaints = complaints.difference(&known).cloned().collect();
    let (their_tree, our_tree) = (read::read(&theirs.cubin)?, read::read(&ours.cubin)?);
    let nvccs_own = overlap::overlaps(&their_tree);
    if !nvccs_own.is_empty() {
        return Err(format!("nvcc's own: {}", nvccs_own.join("\n")));
    }
    Ok(Found {
        differences: compare(&their_tree, &our_tree),
        complaints,
        overlaps: overlap::overlaps(&our_tree),
    })
}

/// nvcc's own debug information, in which the first type's offset is wrong by one byte.
fn leads_astray(bench: &Bench) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = repository().join("examples").join("call.src");
    let whole = made(produce::theirs(&bench.tools, &source, ARCH, work.path()))?;
    let (before, info) = whole.ptx.split_once(".debug_info\n").ok_or("nvcc's PTX has no .debug_info")?;
    let number = |line: &str| line.strip_prefix(".b32 ")?.trim().parse::<u32>().ok();
    // The first field is the length of the unit.
    let (line, offset) =
        info.lines().filter_map(|line| Some((line, number(line)?))).nth(1).ok_or("there is no reference")?;
    let info = info.replacen(&format!("{line}\n"), &format!(".b32 {}\n", offset + 1), 1);
    let broken = produce::assembled(&bench.tools, format!("{before}.debug_info\n{info}"), ARCH, work.path());
    let broken = made(broken)?.cubin;
    let [known, found] =
        [&whole.cubin, &broken].map(|cubin| verify::complaints(&bench.tools, cubin, work.path()));
    if found? == known? {
        return Err("llvm-dwarfdump --verify finds nothing".into());
    }
    match read::read(&broken) {
        Ok(_) => Err("it is read as if it were whole".into()),
        Err(_) => Ok(()),
    }
}

fn of_clang(bench: &Bench, name: &str, kinds: &[Kind]) -> Result<(), Failure> {
    let cuda = bench.tools.toolkit()?;
    let command = format!(
        "clang-22 -x cuda --cuda-path='{}' --cuda-device-only --cuda-gpu-arch={ARCH} -std=c++17 {{debug:-O0 -g}} -w -S {{in}} -o {{out}}",
        cuda.display()
    );
    let source = repository().join("tests").join("debug_info").join(name).with_extension("src");
    let found = find(&bench.tools, &Producer::Command(command), &source)?.differences;
    let seen: BTreeSet<Kind> = found.iter().map(|difference| difference.kind).collect();
    if seen == kinds.iter().copied().collect() {
        return Ok(());
    }
    let list: Vec<String> = found.iter().map(Difference::to_string).collect();
    Err(format!("other kinds than expected: {seen:?}\n{}", list.join("\n")))
}
