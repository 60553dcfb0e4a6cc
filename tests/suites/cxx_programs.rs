//! Random programs of C++17: `weftc` -O0 and -O3, nvcc, and g++ on the host compute the same.
//!
//! Programs that g++ refuses, or whose behavior is undefined, are left out. A program that `weftc` refuses or gets wrong is reduced to the
//! lines that show the fault. `WEFT_CXX_PROGRAMS=5000` compares 5000 programs, `WEFT_RANDOM_SEED` is the first seed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use weft_emulator::exec::device::Device;
use weft_emulator::exec::launch::Launch;
use weft_emulator::program::link::{Input, link};
use weft_emulator::ptx;
use weft_tests::Failure;
use weft_tests::cxx_program::{self, N_THREADS, Program};
use weft_tests::overloads::refused;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{self, Tool};

const N_PROGRAMS: u64 = 60;
const PROGRAMS_OF_A_FILE: u64 = 60;
/// At most so many programs of a file may be left out.
const MAX_REFUSED: usize = 40;
/// At most so many faults of a file are reduced at each level; the others are only named.
const MAX_REDUCED: usize = 2;
const STEP_LIMIT: u64 = 100_000_000;

/// The results by program.
type Results = BTreeMap<usize, Vec<u32>>;
type Programs = BTreeMap<usize, Program>;
/// What each program computes on the emulator, or the emulator's fault.
type Runs = Vec<(usize, Result<Vec<u32>, Failure>)>;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let number = |name: &str| env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let n_files = number("WEFT_CXX_PROGRAMS").unwrap_or(N_PROGRAMS).div_ceil(PROGRAMS_OF_A_FILE);
    let first = number("WEFT_RANDOM_SEED").unwrap_or(1);
    for file in 0..n_files {
        let seed = first + file * PROGRAMS_OF_A_FILE;
        let name = format!("cxx_programs/seed-{seed} ({PROGRAMS_OF_A_FILE} programs, three ways)");
        suite.add(name, &[Tool::Nvcc, Tool::Gxx], move |bench| same_results(bench, seed));
    }
    Ok(())
}

fn same_results(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = work.path().to_owned();
    let way = Ways { bench, work: &folder };
    let mut programs: Programs =
        (seed..seed + PROGRAMS_OF_A_FILE).map(|seed| (seed as usize, cxx_program::program(seed))).collect();
    let expected = way.on_host(&mut programs)?;
    let mut failures = Vec::new();
    if programs.len() + MAX_REFUSED < PROGRAMS_OF_A_FILE as usize {
        let folder = work.keep();
        return Err(format!("only {} programs are left by g++: {}", programs.len(), folder.display()));
    }
    for level in ["-O0", "-O3"] {
        let faults = way.faults(&mut programs, level, &expected)?;
        for (idx, (number, program, what)) in faults.into_iter().enumerate() {
            if idx >= MAX_REDUCED {
                failures.push(format!("program {number}, weftc {level}: {what}\n"));
                continue;
            }
            let reduced =
                cxx_program::reduce(&program, |program| way.is_fault(number, program, level, &what));
            failures.push(format!("program {number}, weftc {level}: {what}\n{}\n", reduced.join("\n")));
        }
    }
    failures.extend(way.differences_of_nvcc(&programs, &expected)?);
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// The three ways to compile and run programs.
struct Ways<'a> {
    bench: &'a Bench,
    work: &'a Path,
}

impl Ways<'_> {
    /// What the programs compute on the host. Programs that g++ refuses or that trap are removed.
    fn on_host(&self, programs: &mut Programs) -> Result<Results, Failure> {
        let (source, program) = (self.work.join("host.cpp"), self.work.join("host"));
        loop {
            let text = cxx_program::host_text(&list(programs));
            fs::write(&source, &text).map_err(|e| e.to_string())?;
            let mut gxx = self.bench.tools.tool(Tool::Gxx)?;
            // It takes some ambiguous calls otherwise.
            gxx.args(["-std=c++17", "-w", "-pedantic-errors", "-fmax-errors=0", "-fsanitize=undefined"]);
            let answer = tools::run(
                gxx.arg("-fsanitize-undefined-trap-on-error").arg("-o").arg(&program).arg(&source),
            )?;
            if answer.status == Some(0) {
                break;
            }
            let wrong = cxx_program::programs_at(&text, &refused(&answer.stderr));
            if wrong.is_empty() {
                return answer.success().map(|_| Results::new());
            }
            programs.retain(|number, _| !wrong.contains(number));
        }
        let mut results = Results::new();
        for &number in programs.keys() {
            let answer = tools::run(Command::new(&program).arg(number.to_string()))?;
            if answer.status == Some(0) {
                let words = answer.stdout.split_whitespace();
                results.insert(number, words.filter_map(|word| word.parse().ok()).collect());
            }
        }
        // What is undefined ends the program.
        programs.retain(|number, _| results.contains_key(number));
        Ok(results)
    }

    /// The programs that `weftc` refuses or gets wrong, with what is wrong. They are removed from `programs`.
    fn faults(
        &self,
        programs: &mut Programs,
        level: &str,
        expected: &Results,
    ) -> Result<Vec<(usize, Program, String)>, Failure> {
        let mut faults = Vec::new();
        let ptx = loop {
            let (text, answer) = self.weftc(programs, level)?;
            if answer.status == Some(0) {
                break answer.stdout;
            }
            let mut wrong = cxx_program::programs_at(&text, &refused(&answer.stderr));
            if wrong.is_empty() {
                wrong = self.failing_alone(programs, level)?;
            }
            if wrong.is_empty() {
                return answer.success().map(|_| faults);
            }
            for number in wrong {
                let program = programs.remove(&number).ok_or("a program fails twice")?;
                let what = self.message(&BTreeMap::from([(number, program.clone())]), level)?;
                faults.push((number, program, what));
            }
        };
        for (number, found) in results(&ptx, programs)? {
            let expected = &expected[&number];
            if found.as_ref() != Ok(expected) {
                let program = programs.remove(&number).ok_or("a program fails twice")?;
                faults.push((number, program, DIFFERS.to_owned()));
            }
        }
        Ok(faults)
    }

    /// The programs that `weftc` fails to compile, each in a file of its own.
    fn failing_alone(&self, programs: &Programs, level: &str) -> Result<BTreeSet<usize>, Failure> {
        let mut found = BTreeSet::new();
        for (&number, program) in programs {
            let (_, answer) = self.weftc(&BTreeMap::from([(number, program.clone())]), level)?;
            if answer.status != Some(0) {
                found.insert(number);
            }
        }
        Ok(found)
    }

    /// Whether a program is well-defined on the host and has the fault.
    fn is_fault(&self, number: usize, program: &Program, level: &str, what: &str) -> bool {
        let mut programs = BTreeMap::from([(number, program.clone())]);
        let Ok(expected) = self.on_host(&mut programs) else { return false };
        if programs.is_empty() {
            return false;
        }
        if what != DIFFERS {
            return self.message(&programs, level).is_ok_and(|message| message == what);
        }
        self.faults(&mut programs, level, &expected)
            .is_ok_and(|faults| faults.iter().any(|fault| fault.2 == what))
    }

    /// The first error of `weftc`, without its place.
    fn message(&self, programs: &Programs, level: &str) -> Result<String, Failure> {
        let (_, answer) = self.weftc(programs, level)?;
        let is_error = |line: &&str| {
            line.contains(": error") || line.contains("panicked") || line.starts_with("weftc: error")
        };
        let line = answer.stderr.lines().find(is_error).unwrap_or("nothing is refused");
        let message = line.split_once("error").map_or(line, |(_, message)| message);
        // Names in it change while the program is reduced.
        Ok(message.split(['`']).step_by(2).collect())
    }

    fn weftc(&self, programs: &Programs, level: &str) -> Result<(String, tools::Answer), Failure> {
        let text = cxx_program::device_text(&list(programs));
        let source = self.work.join("programs.cu");
        fs::write(&source, &text).map_err(|e| e.to_string())?;
        let mut weftc = self.bench.tools.weftc();
        weftc.arg(&source).args([level, "-w", "--error-format=short", "--emit=ptx", "-o", "-"]);
        Ok((text, tools::run(&mut weftc)?))
    }

    /// The programs that nvcc refuses or gets wrong.
    fn differences_of_nvcc(&self, programs: &Programs, expected: &Results) -> Result<Vec<Failure>, Failure> {
        let mut programs = programs.clone();
        let mut failures = Vec::new();
        let source = self.work.join("nvcc.cu");
        let ptx = loop {
            let text = cxx_program::device_text(&list(&programs));
            fs::write(&source, &text).map_err(|e| e.to_string())?;
            let mut nvcc = self.bench.tools.tool(Tool::Nvcc)?;
            nvcc.args([
                "-x",
                "cu",
                "-std=c++17",
                "-arch=sm_75",
                "--ptx",
                "-w",
                "-Xcudafe",
                "--error_limit=1000",
            ]);
            let answer = tools::run(nvcc.args(["-o", "-"]).arg(&source))?;
            if answer.status == Some(0) {
                break answer.stdout;
            }
            let wrong = cxx_program::programs_at(&text, &refused(&answer.stderr));
            if wrong.is_empty() {
                return answer.success().map(|_| failures);
            }
            for number in &wrong {
                let program = programs.remove(number).ok_or("a program fails twice")?;
                let first = answer.stderr.lines().find(|line| line.contains("error")).unwrap_or_default();
                failures.push(format!("program {number}: nvcc refuses: {first}\n{}\n", program.join("\n")));
            }
        };
        for (number, found) in results(&ptx, &programs)? {
            if found.as_ref() != Ok(&expected[&number]) {
                let program = programs[&number].join("\n");
                failures.push(format!(
                    "program {number}: nvcc: {found:?}, host {:?}\n{program}\n",
                    expected[&number]
                ));
            }
        }
        Ok(failures)
    }
}

const DIFFERS: &str = "computes something else";

fn list(programs: &Programs) -> Vec<(usize, &Program)> {
    programs.iter().map(|(&number, program)| (number, program)).collect()
}

/// What the kernels in PTX compute, one for each program.
fn results(ptx: &str, programs: &Programs) -> Result<Runs, Failure> {
    let module = ptx::parse(ptx).map_err(|e| e.to_string())?;
    let program =
        link(&[Input { name: "programs.ptx", text: ptx, module: &module }]).map_err(|e| e.to_string())?;
    let run = |number: usize| {
        let mut device = Device::new(&program, 1 << 28).map_err(|error| error.to_string())?;
        let size = 4 * N_THREADS;
        let out = device.global.allocate(size as u64, 4).map_err(|_| String::from("no memory"))?;
        let launch =
            Launch { step_limit: Some(STEP_LIMIT), ..Launch::new([1, 1, 1], [N_THREADS as u32, 1, 1]) };
        let args = [out.to_le_bytes().to_vec()];
        device.launch(&format!("kernel_{number}"), &launch, &args).map_err(|fault| fault.to_string())?;
        let mut bytes = vec![0; size];
        device.global.read(out, &mut bytes).map_err(|e| format!("{e:?}"))?;
        Ok(bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect())
    };
    Ok(programs.keys().map(|&number| (number, run(number))).collect())
}
