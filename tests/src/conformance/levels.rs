//! Asks nvcc and a producer about a unit, and compares what they make of it at each level.
//!
//! A function that differs at the prototypes is left out of what follows, since nothing would link with it. A file that a
//! compiler refuses is divided, until what it refuses stands alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::blame;
use super::machine::{Machine, program};
use super::model::{Signature, Unit};
use super::probe::{self, Given, Words};
use super::producer::{self, Made, NotMade, Producer};
use super::registers::{self, Registers};
use super::verdict::{Level, Outcome, Verdict};
use crate::Failure;
use crate::ptx_prototype::{self, Prototype};
use crate::random::Random;
use crate::tools::{Tool, Tools, run};

/// Asks about units.
pub struct Engine<'t> {
    /// Where the programs are.
    pub tools: &'t Tools,
    /// The GPU: `sm_90`.
    pub arch: String,
    /// The compiler that is looked at.
    pub producer: Producer,
    /// Whose registers are looked at.
    pub given: Given,
    /// Whether objects of the host are linked too, which take a compilation of the host's part.
    pub links_host: bool,
}

/// What both made of a source.
struct Both {
    ours: Made,
    theirs: Made,
}

/// The sources of a unit, made by both.
struct Pair {
    caller: Both,
    callee: Both,
}

/// How many values each call is tried with.
const N_ROUNDS: u64 = 3;

/// Words behind those that a call writes, which it must leave alone.
const N_BEHIND: usize = 4;

impl Engine<'_> {
    /// Compares a unit at all levels; the seed chooses the values.
    ///
    /// # Errors
    /// When a tool is absent or does what it must not. That compilers differ is in the outcome.
    pub fn check(&self, unit: &Unit, seed: u64) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::default();
        self.layouts(unit, &mut outcome)?;
        self.functions(unit, seed, &mut outcome)?;
        Ok(outcome)
    }

    fn functions(&self, unit: &Unit, seed: u64, outcome: &mut Outcome) -> Result<(), Failure> {
        if unit.functions.is_empty() {
            return Ok(());
        }
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        let pair = match self.pair(unit, work.path()) {
            Ok(pair) => pair,
            Err((NotMade::Failed(failure), _)) => return Err(failure),
            Err((NotMade::Refused { why, text }, by_oracle)) => {
                return self.without_refused(unit, seed, outcome, [&why, &text], by_oracle);
            }
        };
        unit.functions
            .iter()
            .for_each(|function| outcome.note(&function.name, Level::Compiled, Verdict::Same));
        let differing = prototypes(unit, &pair, outcome);
        if !differing.is_empty() {
            let rest = unit.only(|function| !differing.contains(&function.name));
            return self.functions(&rest, seed, outcome);
        }
        if self.producer.optimizes() {
            self.registers(unit, &pair, outcome)?;
        }
        self.linking(unit, &pair, work.path(), outcome)?;
        let unlinked = results(unit, &pair, seed, outcome)?;
        if unlinked.is_empty() {
            return Ok(());
        }
        self.functions(&unit.only(|function| !unlinked.contains(&function.name)), seed, outcome)
    }

    /// Goes on without the functions that a compiler refuses: those that its message leads to, or else by halves, until
    /// what is refused stands alone.
    fn without_refused(
        &self,
        unit: &Unit,
        seed: u64,
        outcome: &mut Outcome,
        [why, text]: [&str; 2],
        by_oracle: bool,
    ) -> Result<(), Failure> {
        let refused = match unit.functions.as_slice() {
            [only] => vec![only.name.clone()],
            _ => blame::by_line(unit, text, why),
        };
        for name in &refused {
            let verdict =
                if by_oracle { Verdict::Oracle(why.to_owned()) } else { Verdict::Differs(why.to_owned()) };
            outcome.note(name, Level::Compiled, verdict);
        }
        if !refused.is_empty() {
            return self.functions(&unit.only(|function| !refused.contains(&function.name)), seed, outcome);
        }
        let middle = unit.functions.len() / 2;
        for half in [&unit.functions[..middle], &unit.functions[middle..]] {
            let part = unit.only(|function| half.contains(function));
            self.functions(&part, seed, outcome)?;
        }
        Ok(())
    }

    /// Compiles both sources by both; where one of them refuses, whether it is the oracle.
    fn pair(&self, unit: &Unit, work: &Path) -> Result<Pair, (NotMade, bool)> {
        let write = |name: &str, text: String| -> Result<PathBuf, (NotMade, bool)> {
            let path = work.join(name);
            fs::write(&path, text).map_err(|e| (NotMade::Failed(e.to_string()), false))?;
            Ok(path)
        };
        let callee = write("callee.src", probe::callee(unit, self.given))?;
        let caller = write("caller.src", probe::caller(unit))?;
        let ours = |source: &Path| {
            self.producer
                .make(self.tools, source, &self.arch, work, self.links_host)
                .map_err(|why| (why, false))
        };
        let theirs = |source: &Path| {
            producer::nvcc(self.tools, source, &self.arch, work, self.links_host).map_err(|why| (why, true))
        };
        // What is refused the most is asked first.
        let their_caller = theirs(&caller)?;
        let our_callee = ours(&callee)?;
        Ok(Pair {
            callee: Both { ours: our_callee, theirs: theirs(&callee)? },
            caller: Both { ours: ours(&caller)?, theirs: their_caller },
        })
    }

    /// What functions tell of the layouts, by both compilers.
    fn layouts(&self, unit: &Unit, outcome: &mut Outcome) -> Result<(), Failure> {
        if unit.records.is_empty() {
            return Ok(());
        }
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        let source = work.path().join("layouts.src");
        fs::write(&source, probe::layouts(unit)).map_err(|e| e.to_string())?;
        let out = work.path().join("layouts.ptx");
        let made = self
            .producer
            .compile(self.tools, &source, &self.arch, &out)
            .map_err(|why| (why, false))
            .and_then(|()| {
                let theirs = producer::nvcc_ptx(self.tools, &source, &self.arch, work.path());
                theirs.map_err(|why| (why, true))
            });
        let theirs = match made {
            Ok(theirs) => theirs,
            Err((NotMade::Failed(failure), _)) => return Err(failure),
            Err((NotMade::Refused { why, .. }, by_oracle)) => {
                return self.divided_layouts(unit, outcome, &why, by_oracle);
            }
        };
        let ours = fs::read_to_string(&out).map_err(|e| e.to_string())?;
        let expected = told_layouts(unit, "nvcc", &theirs)?;
        match told_layouts(unit, "the producer", &ours) {
            Ok(found) => {
                for ((record, expected), found) in unit.records.iter().zip(expected).zip(found) {
                    let verdict = compare_layouts(record, expected, found);
                    outcome.records.insert(record.name.clone(), verdict);
                }
            }
            Err(why) => {
                for record in &unit.records {
                    outcome.records.insert(record.name.clone(), Verdict::Differs(why.clone()));
                }
            }
        }
        Ok(())
    }

    /// Records by halves. Each keeps the records that it needs; of these the other half's verdict counts as well.
    fn divided_layouts(
        &self,
        unit: &Unit,
        outcome: &mut Outcome,
        why: &str,
        by_oracle: bool,
    ) -> Result<(), Failure> {
        let [.., last] = unit.records.as_slice() else { return Ok(()) };
        if let [only] = unit.records.as_slice() {
            let verdict = if by_oracle { Verdict::Oracle(why.into()) } else { Verdict::Differs(why.into()) };
            outcome.records.insert(only.name.clone(), verdict);
            return Ok(());
        }
        // The last one may need those before it; without it, and then it with what it needs.
        let n = unit.records.len();
        let first = Unit { records: unit.records[..n / 2].to_vec(), functions: Vec::new(), ..unit.clone() };
        self.layouts(&first, outcome)?;
        if n == 2
            || first.records.iter().all(|record| outcome.records.get(&record.name) == Some(&Verdict::Same))
        {
            let known: Vec<String> = first.records.iter().map(|record| record.name.clone()).collect();
            if n - known.len() == 1 {
                let verdict =
                    if by_oracle { Verdict::Oracle(why.into()) } else { Verdict::Differs(why.into()) };
                outcome.records.insert(last.name.clone(), verdict);
                return Ok(());
            }
        }
        for record in &unit.records[n / 2..] {
            let needs = Signature {
                name: "f".into(),
                is_c: false,
                is_kernel: false,
                returns: super::model::Ty::Void,
                params: vec![super::model::Ty::Record(record.name.clone())],
                variadic: None,
            };
            let alone = Unit { functions: vec![needs], ..unit.clone() }.only(|_| true);
            if alone.records.len() < n {
                self.layouts(&Unit { functions: Vec::new(), ..alone }, outcome)?;
            } else {
                let verdict =
                    if by_oracle { Verdict::Oracle(why.into()) } else { Verdict::Differs(why.into()) };
                outcome.records.insert(record.name.clone(), verdict);
            }
        }
        Ok(())
    }

    /// The registers of what is passed and returned.
    fn registers(&self, unit: &Unit, pair: &Pair, outcome: &mut Outcome) -> Result<(), Failure> {
        let ours = registers::of_cubin(self.tools, &pair.callee.ours.cubin)?;
        let theirs = registers::of_cubin(self.tools, &pair.callee.theirs.cubin)?;
        let prototypes = ptx_prototype::parse(&pair.callee.theirs.ptx)?;
        let both = |is_it: &dyn Fn(&str) -> bool| {
            let of = |all: &BTreeMap<String, Registers>| {
                all.iter().find(|(symbol, _)| is_it(symbol)).map(|(_, own)| own.clone())
            };
            let prototype = prototypes.iter().find(|prototype| is_it(&prototype.name));
            (of(&ours), of(&theirs), prototype)
        };
        for (idx, function) in unit.functions.iter().enumerate().filter(|(_, function)| !function.is_kernel) {
            let mut verdicts = vec![match both(&|symbol| function.is_symbol(symbol)) {
                (Some(ours), Some(theirs), prototype) => {
                    let returned = prototype.and_then(|prototype| prototype.returns.first());
                    registers::compare_returned(&ours, &theirs, returned)
                }
                (None, ..) => Verdict::Differs("it is not in the cubin".into()),
                (_, None, _) => Verdict::Oracle("it is not in nvcc's cubin".into()),
            }];
            for param in self.given.params(idx, function) {
                let name = format!("given{param}_{}", function.name);
                let (Some(ours), Some(theirs), Some(prototype)) = both(&|symbol| symbol == name) else {
                    verdicts.push(Verdict::Differs(format!("`{name}` is not in both cubins")));
                    continue;
                };
                let n_bytes = prototype.params.get(param).map_or(0, ptx_prototype::Param::size);
                verdicts.push(registers::compare_given(&ours, &theirs, n_bytes));
            }
            verdicts.into_iter().for_each(|verdict| outcome.note(&function.name, Level::Registers, verdict));
        }
        Ok(())
    }

    /// Links the caller of one with the callee of the other, as cubins by nvlink and as objects of the host by nvcc.
    fn linking(&self, unit: &Unit, pair: &Pair, work: &Path, outcome: &mut Outcome) -> Result<(), Failure> {
        unit.functions
            .iter()
            .for_each(|function| outcome.note(&function.name, Level::Linking, Verdict::Same));
        let out = work.join("linked");
        for (caller, callee) in
            [(&pair.caller.ours, &pair.callee.theirs), (&pair.caller.theirs, &pair.callee.ours)]
        {
            let arch = format!("-arch={}", self.arch);
            let mut nvlink = self.tools.tool(Tool::Nvlink)?;
            nvlink.arg(&arch).arg("-o").arg(&out).args([&caller.cubin, &callee.cubin]);
            let mut commands = vec![("nvlink", nvlink)];
            if let (Some(caller), Some(callee)) = (&caller.object, &callee.object) {
                let mut dlink = self.tools.tool(Tool::Nvcc)?;
                dlink.arg(&arch).args(["-dlink", "-o"]).arg(work.join("linked.o")).args([caller, callee]);
                commands.push(("nvcc -dlink", dlink));
            }
            for (by, mut command) in commands {
                let answer = run(&mut command)?;
                let said = format!("{}{}", answer.stdout, answer.stderr);
                if answer.status == Some(0) && said.trim().is_empty() {
                    continue;
                }
                let how = format!("{by}, the caller by {}: {}", caller.by, said.trim());
                for name in blame::by_name(unit, &said) {
                    outcome.note(&name, Level::Linking, Verdict::Differs(how.clone()));
                }
            }
        }
        Ok(())
    }
}

/// Compares prototypes; the functions that differ.
fn prototypes(unit: &Unit, pair: &Pair, outcome: &mut Outcome) -> Vec<String> {
    let mut differing = Vec::new();
    for both in [&pair.callee, &pair.caller] {
        let (expected, found) =
            match (ptx_prototype::parse(&both.theirs.ptx), ptx_prototype::parse(&both.ours.ptx)) {
                (Ok(expected), Ok(found)) => (expected, found),
                (Err(why), _) => {
                    for name in blame::by_name(unit, &why) {
                        outcome.note(&name, Level::Prototypes, Verdict::Oracle(why.clone()));
                        differing.push(name);
                    }
                    continue;
                }
                (_, Err(why)) => {
                    for name in blame::by_name(unit, &why) {
                        outcome.note(&name, Level::Prototypes, Verdict::Differs(why.clone()));
                        differing.push(name);
                    }
                    continue;
                }
            };
        for function in &unit.functions {
            let own = |all: &[Prototype]| -> Vec<Prototype> {
                all.iter().filter(|p| blame::is_of(function, &p.name)).cloned().collect()
            };
            let verdict = match ptx_prototype::compare(&own(&expected), &own(&found)) {
                Ok(0) if !function.is_kernel => Verdict::Differs("nvcc shows no prototype of it".into()),
                Ok(_) => Verdict::Same,
                Err(how) => Verdict::Differs(how.trim_end().to_owned()),
            };
            if verdict != Verdict::Same {
                differing.push(function.name.clone());
            }
            outcome.note(&function.name, Level::Prototypes, verdict);
        }
    }
    differing
}

/// What the kernels of `layouts` tell, record by record: facts, and then the bytes of each bit-field.
type Told = (Vec<u64>, Vec<u8>);

fn told_layouts(unit: &Unit, by: &str, ptx: &str) -> Result<Vec<Told>, Failure> {
    let program = program(&[("layouts.ptx", ptx)]).map_err(|why| format!("the layouts by {by}: {why}"))?;
    let mut machine = Machine::new(&program)?;
    let mut told = Vec::new();
    for record in &unit.records {
        let n_facts = probe::facts(record).len();
        let n_fields = probe::bit_fields(record).len();
        let room = 8 * n_facts + n_fields * 4096;
        let out = machine.allocate(room)?;
        machine.launch(&format!("layout_{}", record.name), &[out.to_le_bytes().to_vec()])?;
        let facts = machine.read(out, n_facts)?;
        let size = usize::try_from(facts[0]).unwrap_or(usize::MAX).min(4096);
        told.push((facts, machine.read_bytes(out + 8 * n_facts as u64, size * n_fields)?));
    }
    Ok(told)
}

fn compare_layouts(record: &super::model::Record, expected: Told, found: Told) -> Verdict {
    let mut wrong = Vec::new();
    for ((what, expected), found) in probe::facts(record).iter().zip(&expected.0).zip(&found.0) {
        if expected != found {
            wrong.push(format!("{what} is {found}, and {expected} with nvcc"));
        }
    }
    let size = expected.0[0] as usize;
    if wrong.is_empty() && size > 0 {
        for (idx, name) in probe::bit_fields(record).iter().enumerate() {
            let bytes = |told: &Told| told.1[idx * size..(idx + 1) * size].to_vec();
            let (expected, found) = (bytes(&expected), bytes(&found));
            if expected != found {
                wrong.push(format!("the bits of `{name}` are {found:02x?}, and {expected:02x?} with nvcc"));
            }
        }
    }
    if wrong.is_empty() { Verdict::Same } else { Verdict::Differs(wrong.join("; ")) }
}

/// The words of a round: random ones, or those at the ends of types.
fn input(random: &mut Random, round: u64, n: usize) -> Vec<u64> {
    const ENDS: [u64; 10] = [0, 1, 0x7f, 0x80, 0x7fff, 0x8000, 0x7fff_ffff, 0x8000_0000, 1 << 63, u64::MAX];
    let mut word = || match round {
        0 => random.draw(),
        1 => *random.of(&ENDS),
        _ => u64::MAX,
    };
    (0..n).map(|_| word()).collect()
}

/// Executes all four pairings. Where one cannot be linked, nothing is executed, and those that keep it from it are returned.
fn results(unit: &Unit, pair: &Pair, seed: u64, outcome: &mut Outcome) -> Result<Vec<String>, Failure> {
    let (caller, callee) = (&pair.caller, &pair.callee);
    // nvcc with itself comes first: where that fails, what nvcc has a part in says nothing.
    let mut faulty: Vec<String> = Vec::new();
    let mut packed: Vec<(String, u64, Vec<u8>)> = Vec::new();
    for (caller, callee, is_oracle) in [
        (&caller.theirs, &callee.theirs, true),
        (&caller.ours, &callee.theirs, false),
        (&caller.theirs, &callee.ours, false),
        (&caller.ours, &callee.ours, false),
    ] {
        let way = format!("the caller by {}, the callee by {}", caller.by, callee.by);
        let has_oracle = caller.by == "nvcc" || callee.by == "nvcc";
        let program = match program(&[("caller.ptx", &caller.ptx), ("callee.ptx", &callee.ptx)]) {
            Ok(program) => program,
            Err(why) => {
                let blamed = blame::by_name(unit, &why);
                for name in &blamed {
                    let how = format!("{way}: {why}");
                    let verdict = if is_oracle { Verdict::Oracle(how) } else { Verdict::Differs(how) };
                    outcome.note(name, Level::Results, verdict);
                }
                return Ok(blamed);
            }
        };
        let kernels = ptx_prototype::parse(&caller.ptx)?;
        let mut run = Run::begin(&program, unit, seed)?;
        for (idx, function) in unit.functions.iter().enumerate() {
            let told = if function.is_kernel {
                if is_oracle { run.pack(idx, function, &kernels, &mut packed) } else { Ok(()) }
                    .and_then(|()| run.kernel(idx, function, &kernels, &packed))
            } else {
                run.call(idx, function)
            };
            let verdict = match told {
                Ok(()) => Verdict::Same,
                Err(how) if is_oracle => {
                    faulty.push(function.name.clone());
                    Verdict::Oracle(format!("{way}: {how}"))
                }
                Err(_) if has_oracle && faulty.contains(&function.name) => Verdict::Same,
                Err(how) => Verdict::Differs(format!("{way}: {how}")),
            };
            match verdict {
                // What differs without nvcc counts even where nvcc is at fault.
                Verdict::Differs(_) if faulty.contains(&function.name) => {
                    let levels = outcome.functions.entry(function.name.clone()).or_default();
                    levels.insert(Level::Results, verdict);
                }
                Verdict::Same | Verdict::Differs(_) | Verdict::Oracle(_) => {
                    outcome.note(&function.name, Level::Results, verdict);
                }
            }
        }
    }
    Ok(Vec::new())
}

/// One of the four programs, with the two buffers.
struct Run<'p> {
    machine: Machine<'p>,
    unit: &'p Unit,
    input: u64,
    output: u64,
    n_words: usize,
    seed: u64,
}

impl<'p> Run<'p> {
    fn begin(
        program: &'p weft_emulator::program::Program,
        unit: &'p Unit,
        seed: u64,
    ) -> Result<Self, Failure> {
        let n_words = unit.functions.iter().map(|f| Words::of(unit, f).n).max().unwrap_or(0) + N_BEHIND;
        let mut machine = Machine::new(program)?;
        let (input, output) = (machine.allocate(8 * n_words)?, machine.allocate(8 * n_words)?);
        machine.launch("weft_begin", &[input.to_le_bytes().to_vec(), output.to_le_bytes().to_vec()])?;
        Ok(Run { machine, unit, input, output, n_words, seed })
    }

    /// The words of a round for the function of that number.
    fn words(&self, idx: usize, round: u64) -> Vec<u64> {
        let mut random = Random::new(self.seed ^ (idx as u64) << 32 ^ round << 56);
        input(&mut random, round, self.n_words)
    }

    fn round(&mut self, kernel: &str, args: &[Vec<u8>], words: &Words, input: &[u64]) -> Result<(), Failure> {
        self.machine.write(self.input, input)?;
        self.machine.write(self.output, &vec![0; self.n_words])?;
        self.machine.launch(kernel, args)?;
        let found = self.machine.read(self.output, self.n_words)?;
        let mut expected = words.expected(input);
        expected.resize(self.n_words, 0);
        match (0..self.n_words).find(|&at| found[at] != expected[at]) {
            None => Ok(()),
            Some(at) => Err(match words.leaf(at) {
                Some(leaf) => {
                    format!("`{kernel}`: `{leaf}` arrives as {:#x}, and was {:#x}", found[at], expected[at])
                }
                None => format!("`{kernel}` writes {:#x} behind its results", found[at]),
            }),
        }
    }

    /// Calls a function by its name and through its address.
    fn call(&mut self, idx: usize, function: &Signature) -> Result<(), Failure> {
        let words = Words::of(self.unit, function);
        for round in 0..N_ROUNDS {
            let input = self.words(idx, round);
            let n_ways = 1 + i32::from(probe::is_called_through_pointer(self.unit, function));
            for way in 0..n_ways {
                let args = [way.to_le_bytes().to_vec()];
                self.round(&format!("call_{}", function.name), &args, &words, &input)?;
            }
        }
        Ok(())
    }

    /// The bytes of a kernel's arguments, as nvcc lays them out.
    fn pack(
        &mut self,
        idx: usize,
        function: &Signature,
        kernels: &[Prototype],
        packed: &mut Vec<(String, u64, Vec<u8>)>,
    ) -> Result<(), Failure> {
        let n_bytes: usize = sizes(function, kernels)?.iter().sum();
        for round in 0..N_ROUNDS {
            let words = self.words(idx, round);
            self.machine.write(self.input, &words)?;
            let to = self.machine.allocate(n_bytes.max(1))?;
            self.machine.launch(&format!("pack_{}", function.name), &[to.to_le_bytes().to_vec()])?;
            packed.push((function.name.clone(), round, self.machine.read_bytes(to, n_bytes)?));
        }
        Ok(())
    }

    /// Launches a kernel with these bytes.
    fn kernel(
        &mut self,
        idx: usize,
        function: &Signature,
        kernels: &[Prototype],
        packed: &[(String, u64, Vec<u8>)],
    ) -> Result<(), Failure> {
        let words = Words::of(self.unit, function);
        let sizes = sizes(function, kernels)?;
        let symbol = entry(function, kernels)?.name.clone();
        for round in 0..N_ROUNDS {
            let Some((.., bytes)) =
                packed.iter().find(|(name, own, _)| *name == function.name && *own == round)
            else {
                return Ok(());
            };
            let mut rest = bytes.as_slice();
            let mut args = Vec::new();
            for &size in &sizes {
                let (own, behind) =
                    rest.split_at_checked(size).ok_or("the parameters are larger than nvcc's")?;
                args.push(own.to_vec());
                rest = behind;
            }
            let input = self.words(idx, round);
            self.round(&symbol, &args, &words, &input)?;
        }
        Ok(())
    }
}

fn entry<'p>(function: &Signature, kernels: &'p [Prototype]) -> Result<&'p Prototype, Failure> {
    let is_it = |p: &&Prototype| p.kind == ptx_prototype::Kind::Entry && function.is_symbol(&p.name);
    kernels.iter().find(is_it).ok_or_else(|| format!("there is no kernel `{}`", function.name))
}

/// The sizes of a kernel's parameters, in bytes.
fn sizes(function: &Signature, kernels: &[Prototype]) -> Result<Vec<usize>, Failure> {
    Ok(entry(function, kernels)?.params.iter().map(|param| param.size() as usize).collect())
}
