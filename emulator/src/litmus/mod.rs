//! Litmus tests: all that the memory model of PTX lets a few threads come to.
//!
//! In: a program, and which threads of its kernels run; kernels take no arguments, and threads meet in variables. Out: every
//! combination of final values of the variables that are observed. The emulator proper runs one order of the threads; here
//! nothing is run in an order. Each thread is executed by itself with all values that its loads could read, and of the
//! candidates that fit together those are kept that the axioms allow.
//!
//! - `thread`: one thread, with chosen values for its loads
//! - `explore`: the candidates
//! - `model`: the axioms (PTX ISA "Memory Consistency Model"; Lustig, Sahasrabuddhe, Giroux, "A Formal Analysis of the NVIDIA
//!   PTX Memory Consistency Model", ASPLOS 2019, which writes them down as relations)
//! - `relation`: relations of events
//!
//! Deliberately not there: accesses of different sizes to the same bytes, operations of 128 bits, on vectors and on mbarrier
//! objects, proxies other than the generic one, and loops that wait.

mod explore;
mod model;
mod relation;
mod thread;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::error;
use std::fmt;

use crate::program::Program;

/// A thread of a litmus test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The kernel that it runs.
    pub kernel: String,
    /// The number of its cluster.
    pub cluster: u32,
    /// The number of its block, `%ctaid.x`.
    pub block: u32,
    /// Its number in the block, `%tid.x`.
    pub thread: u32,
}

/// A litmus test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Two or more threads.
    pub threads: Vec<Thread>,
    /// Variables that each is one thread's own: nothing is looked at but what it leaves there.
    pub results: Vec<String>,
    /// Other variables whose last values count.
    pub finals: Vec<String>,
}

/// All that can come out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// The values of the results, and behind them those of the finals.
    pub values: BTreeSet<Vec<u64>>,
    /// In some execution two accesses race (PTX ISA "Conflict and Data-races").
    pub has_race: bool,
}

/// Why a test has no outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// There is no such kernel, or it takes arguments.
    BadKernel(String),
    /// There is no such variable in global memory, or it is not a number.
    BadVariable(String),
    /// An instruction that is not there in litmus tests, by its line.
    Unsupported {
        /// What it is.
        what: &'static str,
        /// The module and the line.
        place: (String, u32),
    },
    /// Accesses of different sizes overlap.
    MixedSizes,
    /// Another thread's result is accessed.
    ForeignResult(String),
    /// An access to memory that is not there.
    BadAddress(u64),
    /// So many accesses, values or candidates that no end is in sight.
    TooMany(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadKernel(name) => write!(f, "no kernel `{name}` without parameters"),
            Error::BadVariable(name) => {
                write!(f, "no variable `{name}` of at most 8 bytes in global memory")
            }
            Error::Unsupported { what, place: (module, line) } => {
                write!(f, "{module}:{line}: {what} is not supported in litmus tests")
            }
            Error::MixedSizes => f.write_str("accesses of different sizes overlap"),
            Error::ForeignResult(name) => {
                write!(f, "the result `{name}` is accessed by more than one thread")
            }
            Error::BadAddress(address) => write!(f, "no variable at {address:#x}"),
            Error::TooMany(what) => write!(f, "too many {what}"),
        }
    }
}

impl error::Error for Error {}

/// All that can come out of a test.
///
/// # Errors
/// When the test is none, or too large.
pub fn explore(program: &Program, test: &Test) -> Result<Outcomes, Error> {
    explore::explore(program, test)
}
