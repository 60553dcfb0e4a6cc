//! Counters while blocks run: each block has its own, which are added to those of the launch when it ends. So
//! no two cores update the same counter, and an abandoned attempt leaves no counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::patterns::{Key, Sample};
use super::{Counts, InstructionProfile, Line, Profile};
use crate::program::Program;
use crate::program::code::{Code, Instruction};

/// The counts of each instruction.
#[derive(Default)]
pub(crate) struct Counter {
    /// By function index; functions that no thread called have no counts.
    codes: Vec<Vec<Counts>>,
    /// Samples of accesses to variables in shared memory, by function and instruction.
    samples: BTreeMap<(usize, u32), Sample>,
}

impl Counter {
    /// The counts of an instruction.
    pub(crate) fn at(&mut self, code_number: usize, code: &Code, pc: u32) -> Option<&mut Counts> {
        if self.codes.len() <= code_number {
            self.codes.resize_with(code_number + 1, Vec::new);
        }
        let counts = &mut self.codes[code_number];
        if counts.is_empty() {
            counts.resize(code.instructions.len(), Counts::default());
        }
        counts.get_mut(pc as usize)
    }

    /// Adds an access of an instruction to a variable in shared memory.
    pub(crate) fn sample(&mut self, code_number: usize, pc: u32, key: Key) {
        self.samples.entry((code_number, pc)).or_default().add(key, 1);
    }

    /// Adds the counts of another block.
    pub(crate) fn add(&mut self, other: Counter) {
        for (place, sample) in other.samples {
            self.samples.entry(place).or_default().merge(sample);
        }
        if self.codes.len() < other.codes.len() {
            self.codes.resize_with(other.codes.len(), Vec::new);
        }
        for (own, others) in self.codes.iter_mut().zip(other.codes) {
            if own.is_empty() {
                *own = others;
            } else {
                own.iter_mut().zip(others).for_each(|(own, other)| *own += other);
            }
        }
    }

    /// The profile: executed instructions with their positions.
    pub(crate) fn finish(&self, program: &Program) -> Profile {
        let names = Names::new(program);
        let mut instructions = Vec::new();
        for (number, (code, counts)) in program.codes.iter().zip(&self.codes).enumerate() {
            let function: Arc<str> = code.name.as_str().into();
            let all = (0..).zip(code.instructions.iter().zip(counts));
            let executed = all.filter(|(_, (_, counts))| counts.n_warps > 0);
            instructions.extend(executed.map(|(pc, (instruction, &counts))| InstructionProfile {
                ptx: names.ptx(code, instruction),
                offset: instruction.place.0,
                source: names.source(code, instruction),
                function: Arc::clone(&function),
                kind: instruction.kind,
                counts,
                patterns:
                    self.samples.get(&(number, pc)).map_or_else(Vec::new, |sample| sample.finish(program)),
            }));
        }
        instructions.sort_by(|a, b| (&a.ptx.file, a.offset).cmp(&(&b.ptx.file, b.offset)));
        Profile { instructions }
    }
}

/// The names of files, each stored once.
struct Names<'p> {
    program: &'p Program,
    modules: Vec<Arc<str>>,
    files: Vec<Vec<(u32, Arc<str>)>>,
}

impl<'p> Names<'p> {
    fn new(program: &'p Program) -> Self {
        let modules = program.modules.iter().map(|module| module.name.as_str().into()).collect();
        let files = program.modules.iter().map(|module| {
            module.files.iter().map(|(&number, name)| (number, name.as_str().into())).collect()
        });
        Names { program, modules, files: files.collect() }
    }

    fn ptx(&self, code: &Code, instruction: &Instruction) -> Line {
        let line = self.program.modules[code.module].line(instruction.place);
        Line { file: Arc::clone(&self.modules[code.module]), line }
    }

    fn source(&self, code: &Code, instruction: &Instruction) -> Option<Line> {
        let (wanted, line) = instruction.source?;
        let (_, file) = self.files[code.module].iter().find(|(number, _)| *number == wanted)?;
        Some(Line { file: Arc::clone(file), line })
    }
}
