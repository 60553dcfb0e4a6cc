//! What is reported of each instruction, and of each call of `vprintf`, while a kernel is traced.

use smallvec::SmallVec;

use crate::compute::Lanes;
use crate::program::kind::Kind;

/// An instruction that threads of a warp have executed together.
#[derive(Debug)]
pub struct Event<'a> {
    /// `%ctaid`
    pub block: [u32; 3],
    /// The number of the warp in its block.
    pub warp: u32,
    /// The threads that went on together, a bit for each lane.
    pub active: u32,
    /// Those of them whose guard (`@%p`) held: they executed it.
    pub executed: u32,
    /// The symbol of the function.
    pub function: &'a str,
    /// The name of the module.
    pub module: &'a str,
    /// The line of the PTX.
    pub line: u32,
    /// The number of the bytes of the module's text before the instruction.
    pub offset: u32,
    /// The file and the line that it was compiled from, if the module says it.
    pub source: Option<(&'a str, u32)>,
    /// What kind of work it is.
    pub kind: Kind,
    /// Of what accesses memory, the address of each thread.
    pub addresses: Option<Lanes>,
    /// What was written for each thread: to registers, by the results of the instruction, or to memory. Only lanes of
    /// `executed` count.
    pub written: SmallVec<[Lanes; 1]>,
    /// It stopped the launch: nothing was written.
    pub is_fault: bool,
}

/// What a thread has handed over to `vprintf` (PTX interoperability guide, chapter 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintCall {
    /// `%ctaid`
    pub block: [u32; 3],
    /// `%tid`
    pub thread: [u32; 3],
    /// The format, without the zero at its end.
    pub format: Vec<u8>,
    /// The address of the arguments, as it was given.
    pub address: u64,
    /// The arguments that the format asks for, widths and precisions among them.
    pub arguments: Vec<PrintArgument>,
}

/// An argument of `vprintf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintArgument {
    /// How far after the address of the arguments it lies, in bytes.
    pub offset: u64,
    /// What lies there.
    pub bytes: Vec<u8>,
    /// The string that it is the address of, if the format says so and it is not null.
    pub string: Option<Vec<u8>>,
}

/// Who is notified of each instruction. Blocks run one after the other, or in turns, meanwhile.
pub trait Tracer: Send {
    /// Whether it wants to know what this warp executes next; asked before each instruction.
    fn wants(&mut self, block: [u32; 3], warp: u32) -> bool;

    /// Threads have executed an instruction, or were stopped there.
    fn executed(&mut self, event: &Event<'_>);

    /// A thread has called `vprintf`. Of a warp, one lane comes after the other.
    fn printed(&mut self, call: &PrintCall) {
        let _ = call;
    }
}
