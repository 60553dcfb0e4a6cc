//! What a debugger sees of a program, compared with what it sees of nvcc's: names, types, sizes, members and their bits, enumerators,
//! scopes, lines of declarations, and the memory that a variable is in. Both compilers are asked in the same run; what may differ is in
//! `src/dwarf/allowed.rs`, and each difference there must occur.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use weft_tests::Failure;
use weft_tests::conformance::producer::{NotMade, Producer};
use weft_tests::dwarf::compare::{Difference, Kind, compare};
use weft_tests::dwarf::{produce, read};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, Tools, repository};

const ARCH: &str = "sm_90";

/// The kinds of what differs of clang, and nothing else does: that they are seen shows that the comparison sees.
const OF_CLANG: [(&str, &[Kind]); 2] = [
    (
        "scopes",
        &[
            Kind::Extra,
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
            Kind::Language,
            Kind::Name,
            Kind::LinkageName,
            Kind::Place,
            Kind::Encoding,
            Kind::PointerClass,
            Kind::BitSize,
            Kind::Number,
        ],
    ),
];

fn main() -> ExitCode {
    Suite::run(suite())
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    for (name, kinds) in OF_CLANG {
        let needs = [Tool::Nvcc, Tool::Ptxas, Tool::Clang];
        suite.add(format!("tests/debug_info/{name}.src (clang)"), &needs, move |bench| {
            of_clang(bench, name, kinds)
        });
    }
    Ok(suite)
}

/// What differs of a source.
fn differences(tools: &Tools, producer: &Producer, source: &Path) -> Result<Vec<Difference>, Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let made = |made: Result<produce::Made, NotMade>| match made {
        Ok(made) => Ok(made),
        Err(NotMade::Refused { why, .. }) => Err(why),
        Err(NotMade::Failed(failure)) => Err(failure),
    };
    let theirs = made(produce::theirs(tools, source, ARCH, work.path()))?;
    let ours = made(produce::ours(tools, producer, source, ARCH, work.path()))?;
    Ok(compare(&read::read(&theirs.cubin)?, &read::read(&ours.cubin)?))
}

fn of_clang(bench: &Bench, name: &str, kinds: &[Kind]) -> Result<(), Failure> {
    let nvcc = bench.tools.tool(Tool::Nvcc)?;
    let cuda = Path::new(nvcc.get_program()).ancestors().nth(2).ok_or("nvcc stands in no toolkit")?;
    let command = format!(
        "clang-22 -x cuda --cuda-path='{}' --cuda-device-only --cuda-gpu-arch={ARCH} -std=c++17 {{debug:-O0 -g}} -w -S {{in}} -o {{out}}",
        cuda.display()
    );
    let source = repository().join("tests").join("debug_info").join(name).with_extension("src");
    let found = differences(&bench.tools, &Producer::Command(command), &source)?;
    let seen: BTreeSet<Kind> = found.iter().map(|difference| difference.kind).collect();
    if seen == kinds.iter().copied().collect() {
        return Ok(());
    }
    let list: Vec<String> = found.iter().map(Difference::to_string).collect();
    Err(format!("other kinds than expected: {seen:?}\n{}", list.join("\n")))
}
