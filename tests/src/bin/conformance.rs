//! Checks conformance to the interoperability guide, of `weftc` or another compiler: `ci/conformance`,
//! `ci/abi-fuzz`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program that tells people")]

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use clap::{Args, Parser, Subcommand};
use weft_tests::Failure;
use weft_tests::conformance::campaign::Campaign;
use weft_tests::conformance::generate;
use weft_tests::conformance::levels::Engine;
use weft_tests::conformance::model::Unit;
use weft_tests::conformance::parse::parse;
use weft_tests::conformance::probe::{self, Given};
use weft_tests::conformance::producer::Producer;
use weft_tests::conformance::table::{Table, report};
use weft_tests::tools::Tools;

/// Compares what a compiler makes with what nvcc makes, by NVIDIA's PTX interoperability guide.
#[derive(Debug, Parser)]
#[command(name = "conformance")]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The clause table.
    Table(TableLine),
    /// Random signatures.
    Fuzz(Fuzz),
    /// The types and functions of a file.
    Check(Check),
}

#[derive(Debug, Args)]
struct Common {
    /// The compiler that is looked at: a command that makes PTX {out} of the source {in}. Not given: weftc
    #[arg(long, value_name = "COMMAND")]
    producer: Option<String>,
    /// The options of weftc
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, conflicts_with = "producer")]
    weftc: Vec<String>,
    /// The GPU
    #[arg(long, default_value = "sm_90")]
    arch: String,
}

#[derive(Debug, Args)]
struct TableLine {
    /// A compiler that is looked at: a command that makes PTX {out} of the source {in}. May be given several times; not given:
    /// weftc at -O3 and -O0
    #[arg(long, value_name = "COMMAND")]
    producer: Vec<String>,
    /// Looks at weftc too, where producers are given
    #[arg(long)]
    beside_weftc: bool,
    /// The GPU
    #[arg(long, default_value = "sm_90")]
    arch: String,
    /// Only rows whose id begins so
    #[arg(long, value_name = "ID")]
    row: Option<String>,
    /// Writes what came out as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Writes the table as a page in Markdown
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// How many files are looked at at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

impl TableLine {
    fn run(&self) -> Result<bool, Failure> {
        let tools = tools()?;
        let mut table = Table::read()?;
        if let Some(row) = &self.row {
            table.clause.retain(|clause| clause.id.starts_with(row));
        }
        let mut producers = Vec::new();
        if self.producer.is_empty() || self.beside_weftc {
            producers.extend([Producer::weftc("-O3"), Producer::weftc("-O0")]);
        }
        producers.extend(self.producer.iter().cloned().map(Producer::Command));
        let mut reports = Vec::new();
        for producer in producers {
            let report = table.look_at(&tools, &producer, &self.arch, self.jobs)?;
            println!("{}", report.text());
            reports.push(report);
        }
        let write =
            |file: &Path, text: &str| fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()));
        if let Some(file) = &self.json {
            write(file, &serde_json::to_string_pretty(&reports).map_err(|e| e.to_string())?)?;
        }
        if let Some(file) = &self.page {
            write(file, &report::page(&reports))?;
        }
        Ok(reports.iter().all(|report| report.n_passing() == report.rows.len()))
    }
}

#[derive(Debug, Args)]
struct Fuzz {
    #[command(flatten)]
    common: Common,
    /// The seeds, the last one not included
    #[arg(long, value_name = "A..B", value_parser = seeds)]
    seeds: Range<u64>,
    /// How many signatures a seed has
    #[arg(long, default_value_t = 250)]
    signatures: usize,
    /// No variadic functions
    #[arg(long)]
    without_variadic: bool,
    /// How many seeds are looked at at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Findings are reported as they are, and not made small
    #[arg(long)]
    no_shrink: bool,
    /// Where findings are kept
    #[arg(long, default_value = "target/abi-fuzz")]
    findings: PathBuf,
}

#[derive(Debug, Args)]
struct Check {
    #[command(flatten)]
    common: Common,
    /// Enums, structs, unions, functions and kernels, as C; or the seed of random ones
    file: PathBuf,
    /// How many signatures a seed has
    #[arg(long, default_value_t = 250)]
    signatures: usize,
    /// Only prints the declarations
    #[arg(long)]
    print: bool,
    /// Only writes the sources that compilers are asked about into a folder
    #[arg(long, value_name = "FOLDER")]
    sources: Option<PathBuf>,
}

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let (first, end) = text.split_once("..").ok_or("A..B is expected")?;
    let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is not a number"));
    Ok(number(first)?..number(end)?)
}

impl Common {
    fn producer(&self) -> Option<Producer> {
        let command = self.producer.clone().map(Producer::Command);
        command.or_else(|| (!self.weftc.is_empty()).then(|| Producer::Weftc(self.weftc.clone())))
    }
}

fn main() -> ExitCode {
    let done = match Line::parse().command {
        Command::Table(table) => table.run(),
        Command::Fuzz(fuzz) => fuzz.run(),
        Command::Check(check) => check.run(),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}

impl Fuzz {
    fn run(self) -> Result<bool, Failure> {
        let campaign = Campaign {
            producer: self.common.producer(),
            seeds: self.seeds,
            n_signatures: self.signatures,
            arch: self.common.arch,
            without_variadic: self.without_variadic,
            n_jobs: self.jobs,
            shrinks: !self.no_shrink,
            findings: Some(self.findings),
        };
        let summary = campaign.run(&tools()?, &|line| println!("{line}"))?;
        println!("{summary}");
        Ok(summary.findings.is_empty())
    }
}

impl Check {
    fn run(&self) -> Result<bool, Failure> {
        let seed = self.file.to_str().and_then(|file| file.parse().ok());
        let unit = match seed {
            Some(seed) => generate::unit(seed, self.signatures),
            None => read(&self.file)?,
        };
        if self.print {
            print!("{unit}");
            return Ok(true);
        }
        if let Some(folder) = &self.sources {
            return write_sources(&unit, folder).map(|()| true);
        }
        let tools = tools()?;
        let producer = self.common.producer().unwrap_or_else(|| Producer::weftc("-O3"));
        let arch = self.common.arch.clone();
        let engine = Engine { tools: &tools, arch, producer, given: Given::Each, links_host: true };
        let outcome = engine.check(&unit, 1)?;
        for (name, levels) in &outcome.functions {
            let passed: Vec<&str> = levels.keys().map(|level| level.name()).collect();
            println!("{name}: {}", passed.join(", "));
        }
        for (name, level, how) in outcome.faults_of_the_oracle() {
            println!("{name}: {level}: nvcc's own: {how}");
        }
        let differences = outcome.differences();
        for (name, level, how) in &differences {
            println!("{name}: {level} differ: {how}");
        }
        Ok(differences.is_empty())
    }
}

/// The tools, with the `weftc` next to this program unless `WEFTC` names another one.
fn tools() -> Result<Tools, Failure> {
    let program = env::current_exe().map_err(|e| e.to_string())?;
    Tools::find(&program.with_file_name("weftc"))
}

fn read(file: &Path) -> Result<Unit, Failure> {
    let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    parse(&text).map_err(|e| format!("{}: {e}", file.display()))
}

fn write_sources(unit: &Unit, folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let sources = [
        ("callee.src", probe::callee(unit, Given::Each)),
        ("caller.src", probe::caller(unit)),
        ("layouts.src", probe::layouts(unit)),
    ];
    for (name, text) in sources {
        fs::write(folder.join(name), text).map_err(|e| format!("{name}: {e}"))?;
    }
    Ok(())
}
