//! What is told of each instruction while a kernel is traced.

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

/// Who is told of each instruction. Blocks run one after the other, or in turns, meanwhile.
pub trait Tracer: Send {
    /// Whether it wants to know what this warp executes next; asked before each instruction.
    fn wants(&mut self, block: [u32; 3], warp: u32) -> bool;

    /// Threads have executed an instruction, or were stopped there.
    fn executed(&mut self, event: &Event<'_>);
}
