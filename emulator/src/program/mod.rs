//! Programs: modules that are linked, and decoded to what is executed.
//!
//! Goes in: the trees of modules. Comes out: a [`Program`], in which every name is an address, a register's number
//! or a place in the code, and every instruction one that is known.
//!
//! - [`layout`]: sizes of types and variables
//! - [`link`]: symbols, over all modules; `agree`: whether modules say the same of them
//! - `decode`: bodies of functions; `operand` for what their operands are, `agreement` for which registers fit, `mov` for copies, `access` and `atomic` for
//!   what accesses memory, `order` for what that has to do with other threads, `vector` for registers that are vectors, `special` for special registers, `call` for calls and parameters that are registers, `collective` for what the threads of a warp do
//!   together, `mbarrier` for mbarrier objects, `matrix` for matrices of a warp, `texture` for textures and surfaces, `copy` for asynchronous copies, `cluster` for clusters of blocks, `stack` for memory on the stack, `video` for video instructions; `target` for what
//!   a module says that it is for
//! - [`code`]: what they become
//! - `loops`: which loops may wait for other threads
//! - [`fragment`]: texts that stand within functions, checked
//! - [`kind`]: kinds of instructions, for those who count them
//! - `provenance`: which object an address is derived from
//! - `debug`: local variables, from debug information

pub mod fragment;
pub mod kind;
pub mod link;

pub(crate) mod atomic;
pub(crate) mod code;
mod convert;
pub mod layout;

mod access;
mod agree;
mod agreement;
mod bulk;
mod call;
mod cluster;
mod collective;
mod copy;
mod debug;
mod decode;
mod hint;
mod image;
mod labels;
mod loops;
mod matrix;
mod mbarrier;
mod modifiers;
mod mov;
mod note;
mod operand;
mod order;
pub(crate) mod provenance;
mod special;
mod stack;
mod sum;
mod target;
mod tensor;
mod texture;
mod vector;
mod video;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::memory::Windows;
use crate::memory::bytes::Bytes;
use crate::memory::error::Extent;
use crate::ptx::place::Place;
use crate::texture::{ObjectKind, Sampler};
use code::{Address, Callee, Code, Memory, Op, Source, Special};

pub use note::Note;

/// A program that can be run.
pub struct Program {
    /// Where the windows of its addresses lie.
    pub(crate) windows: &'static Windows,
    /// The functions that have a body.
    pub(crate) codes: Vec<Code>,
    /// The modules, for messages.
    pub(crate) modules: Vec<ModuleText>,
    /// The kernels by name, as indices into the functions.
    pub(crate) kernels: BTreeMap<String, usize>,
    /// The variables in global memory.
    pub(crate) globals: Vec<GlobalVariable>,
    /// The variables that are textures, samplers and surfaces, by their addresses, and what the text says of samplers.
    pub(crate) opaque: Vec<(u64, ObjectKind, Option<Sampler>)>,
    /// `.const`, as it is before the host writes to it.
    pub(crate) constants: Bytes,
    /// The variables there: the symbol, the offset, the size.
    pub(crate) constant_variables: Vec<(String, u64, u64)>,
    /// How much `.local` memory variables of modules take, in bytes, below the frames of each thread.
    pub(crate) local_size: u64,
    /// What is odd in the modules, and runs nevertheless.
    pub(crate) notes: Vec<Note>,
    /// The variables in `.shared`, in the order of their addresses.
    pub(crate) shared: Vec<SharedVariable>,
    /// How much `.shared` memory the variables of a block take, in bytes; dynamic memory lies behind them.
    pub(crate) dynamic_shared: u64,
}

/// What messages say of a module.
pub(crate) struct ModuleText {
    pub(crate) name: String,
    /// Where each line begins.
    line_starts: Vec<u32>,
    /// `.file`
    pub(crate) files: BTreeMap<u32, String>,
}

impl ModuleText {
    fn new(name: &str, text: &str, files: &[(u32, &str)]) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1);
        ModuleText {
            name: name.to_owned(),
            line_starts: std::iter::once(0).chain(ends).collect(),
            files: files.iter().map(|&(number, name)| (number, name.to_owned())).collect(),
        }
    }

    /// The line of a place, from one.
    pub(crate) fn line(&self, place: Place) -> u32 {
        self.line_starts.partition_point(|&start| start <= place.0) as u32
    }
}

/// A variable in global memory.
#[derive(Clone, Debug)]
pub(crate) struct GlobalVariable {
    pub(crate) name: String,
    pub(crate) address: u64,
    /// In bytes.
    pub(crate) size: u64,
    /// What it holds at the start; what is missing is zero.
    pub(crate) image: Vec<u8>,
}

/// A variable in shared memory.
#[derive(Clone, Debug)]
pub(crate) struct SharedVariable {
    pub(crate) name: String,
    /// Its address in `.shared`.
    pub(crate) start: u64,
    /// In bytes; zero for dynamic memory.
    pub(crate) size: u64,
}

impl SharedVariable {
    /// Whether an address in `.shared` is in it.
    pub(crate) fn holds(&self, address: u64) -> bool {
        (self.start..self.start + self.size).contains(&address)
    }

    /// For messages.
    pub(crate) fn extent(&self) -> Extent {
        Extent { start: self.start, len: self.size, name: Some(format!("`{}`", self.name)) }
    }
}

impl Program {
    /// Whether blocks of a kernel may wait for one another: it reads from global memory what others write meanwhile, or
    /// looks at what an atomic operation gives.
    pub(crate) fn may_wait(&self, kernel: usize) -> bool {
        let is_global = |address: &Address| {
            matches!(address.memory, Memory::Generic | Memory::NarrowGeneric | Memory::Global)
        };
        let reachable = self.reachable(kernel);
        let mut instructions = reachable.into_iter().flat_map(|number| &self.codes[number].instructions);
        instructions.any(|instruction| instruction.op.observed().is_some_and(is_global))
    }

    /// Whether some function asks where the workspace of a cooperative launch is.
    pub(crate) fn reads_grid_workspace(&self) -> bool {
        let is_workspace = |source: &Source| {
            matches!(source, Source::Special(Special::GridWorkspaceLow | Special::GridWorkspaceHigh))
        };
        let mut instructions = self.codes.iter().flat_map(|code| &code.instructions);
        instructions.any(|instruction| instruction.op.sources().iter().any(is_workspace))
    }

    /// The functions that a function may call, and itself.
    fn reachable(&self, from: usize) -> BTreeSet<usize> {
        let (mut found, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(number) = open.pop() {
            if !found.insert(number) {
                continue;
            }
            for instruction in &self.codes[number].instructions {
                match instruction.op {
                    Op::Call { callee: Callee::Direct(callee), .. } => open.push(callee),
                    Op::Call { callee: Callee::Indirect(_), .. } => return (0..self.codes.len()).collect(),
                    _ => {}
                }
            }
        }
        found
    }

    /// The variable with a size that begins at an address in `.shared`.
    pub(crate) fn shared_variable_at(&self, start: u64) -> Option<&SharedVariable> {
        let idx = self.shared.partition_point(|variable| variable.start < start);
        self.shared.get(idx).filter(|variable| variable.start == start && variable.size > 0)
    }

    /// The variable that an address in `.shared` is in.
    pub(crate) fn shared_variable_with(&self, address: u64) -> Option<&SharedVariable> {
        self.shared.iter().find(|variable| variable.holds(address))
    }

    /// The variable that an address in `.shared` is in, and how far behind its beginning.
    pub(crate) fn shared_variable(&self, address: u64) -> Option<(String, u64)> {
        let found = self.shared_variable_with(address)?;
        Some((found.name.clone(), address - found.start))
    }

    /// What is odd in the modules, and runs nevertheless, in their order.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The names of the kernels.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.keys().map(String::as_str)
    }
}
