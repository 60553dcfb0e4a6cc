//! The interface of tracers: events for each instruction, and for each call of `vprintf`, while a kernel is
//! traced.

use smallvec::SmallVec;

use crate::compute::Lanes;
use crate::program::kind::Kind;

/// An instruction that threads of a warp have executed together.
#[derive(Debug)]
pub struct Event<'a> {
    /// `%ctaid`
    pub block: [u32; 3],
    /// The index of the warp in its block.
    pub warp: u32,
    /// The threads on this path, as a mask.
    pub active: u32,
    /// Those whose guard (`@%p`) was true: they executed it.
    pub executed: u32,
    /// The symbol of the function.
    pub function: &'a str,
    /// The name of the module.
    pub module: &'a str,
    /// The line of the PTX.
    pub line: u32,
    /// The byte offset of the instruction in the module's text.
    pub offset: u32,
    /// The source file and line that it was compiled from, if the module records them.
    pub source: Option<(&'a str, u32)>,
    /// Its kind.
    pub kind: Kind,
    /// For memory accesses, the address of each thread.
    pub addresses: Option<Lanes>,
    /// The values that each thread wrote: to its result registers, or to memory. Only lanes of `executed`
    /// count.
    pub written: SmallVec<[Lanes; 1]>,
    /// Whether it stopped the launch: then nothing was written.
    pub is_fault: bool,
}

/// A thread's call of `vprintf` (PTX interoperability guide, chapter 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintCall {
    /// `%ctaid`
    pub block: [u32; 3],
    /// `%tid`
    pub thread: [u32; 3],
    /// The format, without the terminating zero.
    pub format: Vec<u8>,
    /// The address of the arguments.
    pub address: u64,
    /// The arguments that the format consumes, including widths and precisions.
    pub arguments: Vec<PrintArgument>,
}

/// An argument of `vprintf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintArgument {
    /// Its offset from the address of the arguments, in bytes.
    pub offset: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The string at the address, if the format says `%s` and it is not null.
    pub string: Option<Vec<u8>>,
}

/// Receives each executed instruction. While there is a tracer, blocks run one after the other, or in turns.
pub trait Tracer: Send {
    /// Whether it wants to know what this warp executes next; called before each instruction.
    fn wants(&mut self, block: [u32; 3], warp: u32) -> bool;

    /// Threads have executed an instruction, or faulted at it.
    fn executed(&mut self, event: &Event<'_>);

    /// A thread has called `vprintf`. The lanes of a warp follow one another.
    fn printed(&mut self, call: &PrintCall) {
        let _ = call;
    }
}
