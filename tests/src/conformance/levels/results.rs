//! Compares computed results, in all four pairings of caller and callee.

use weft_emulator::program::Program;

use super::super::blame;
use super::super::machine::{Machine, program};
use super::super::model::{Signature, Unit};
use super::super::probe::{self, Words};
use super::super::producer::Made;
use super::super::verdict::{Level, Outcome, Verdict};
use super::Pair;
use crate::Failure;
use crate::ptx_prototype::{self, Prototype};
use crate::random::Random;

/// The number of tries of each call.
const N_ROUNDS: u64 = 3;

/// The number of words after the output that a call must not write.
const N_GUARD: usize = 4;

/// The input words of a round: random ones, or extreme values.
fn input(random: &mut Random, round: u64, n: usize) -> Vec<u64> {
    const ENDS: [u64; 10] = [0, 1, 0x7f, 0x80, 0x7fff, 0x8000, 0x7fff_ffff, 0x8000_0000, 1 << 63, u64::MAX];
    let mut word = || match round {
        0 => random.draw(),
        1 => *random.of(&ENDS),
        _ => u64::MAX,
    };
    (0..n).map(|_| word()).collect()
}

/// The outcome of the four pairings for one function: the error in each, if any.
#[derive(Default)]
struct Pairings {
    oracle: Option<String>,
    our_caller: Option<String>,
    our_callee: Option<String>,
    ours: Option<String>,
}

impl Pairings {
    /// If nvcc fails with itself, the mixed pairings show which side of nvcc is at fault.
    fn verdict(self, is_kernel: bool) -> Verdict {
        let Pairings { oracle, our_caller, our_callee, ours } = self;
        let Some(oracle) = oracle else {
            return ours.or(our_caller).or(our_callee).map_or(Verdict::Same, Verdict::Differs);
        };
        if let Some(how) = ours {
            return Verdict::Differs(how);
        }
        let whose = match (our_caller, our_callee) {
            _ if is_kernel => "the kernel",
            (None, Some(_)) => "the caller, with either callee",
            (Some(_), None) => "the callee, with either caller",
            (Some(_), Some(_)) => "caller and callee",
            (None, None) => "the two together, neither with ours",
        };
        Verdict::Oracle(format!("{whose}: {oracle}"))
    }
}

/// An accessor for the outcome of a pairing.
type Place = fn(&mut Pairings) -> &mut Option<String>;

/// Runs all four pairings. If one cannot be linked, no results are compared, and the functions that prevent
/// it are returned. The program does not call kernels: they are launched where both sides are by the same
/// compiler.
pub(super) fn compare(
    unit: &Unit,
    pair: &Pair,
    seed: u64,
    outcome: &mut Outcome,
) -> Result<Vec<String>, Failure> {
    let (caller, callee) = (&pair.caller, &pair.callee);
    let mut pairings: Vec<Pairings> = unit.functions.iter().map(|_| Pairings::default()).collect();
    let mut packed: Vec<(String, u64, Vec<u8>)> = Vec::new();
    let ways: [(&Made, &Made, Place); 4] = [
        (&caller.theirs, &callee.theirs, |pairings| &mut pairings.oracle),
        (&caller.ours, &callee.theirs, |pairings| &mut pairings.our_caller),
        (&caller.theirs, &callee.ours, |pairings| &mut pairings.our_callee),
        (&caller.ours, &callee.ours, |pairings| &mut pairings.ours),
    ];
    for (idx, (caller, callee, of)) in ways.into_iter().enumerate() {
        let way = format!("the caller by {}, the callee by {}", caller.by, callee.by);
        let is_oracle = idx == 0;
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
        for (number, function) in unit.functions.iter().enumerate() {
            let result = match function.is_kernel {
                false => run.call(number, function),
                true if is_oracle => run
                    .pack(number, function, &kernels, &mut packed)
                    .and_then(|()| run.kernel(number, function, &kernels, &packed)),
                true if caller.by == callee.by => run.kernel(number, function, &kernels, &packed),
                true => Ok(()),
            };
            *of(&mut pairings[number]) = result.err().map(|how| format!("{way}: {how}"));
        }
    }
    for (function, pairings) in unit.functions.iter().zip(pairings) {
        outcome.note(&function.name, Level::Results, pairings.verdict(function.is_kernel));
    }
    Ok(Vec::new())
}

/// One of the four programs, with its two buffers.
struct Run<'p> {
    machine: Machine<'p>,
    unit: &'p Unit,
    input: u64,
    output: u64,
    n_words: usize,
    seed: u64,
}

impl<'p> Run<'p> {
    fn begin(program: &'p Program, unit: &'p Unit, seed: u64) -> Result<Self, Failure> {
        let n_words = unit.functions.iter().map(|f| Words::of(unit, f).n).max().unwrap_or(0) + N_GUARD;
        let mut machine = Machine::new(program)?;
        let (input, output) = (machine.allocate(8 * n_words)?, machine.allocate(8 * n_words)?);
        machine.launch("weft_begin", &[input.to_le_bytes().to_vec(), output.to_le_bytes().to_vec()])?;
        Ok(Run { machine, unit, input, output, n_words, seed })
    }

    /// The input words of a round for the function with this index.
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
                None => format!("`{kernel}` writes {:#x} after its results", found[at]),
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

    /// The bytes of a kernel's arguments in nvcc's layout.
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
                let (own, after) =
                    rest.split_at_checked(size).ok_or("the parameters are larger than nvcc's")?;
                args.push(own.to_vec());
                rest = after;
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
