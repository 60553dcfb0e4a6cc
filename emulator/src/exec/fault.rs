//! What stops a launch.

use std::error;
use std::fmt;

use crate::memory::AccessError;

/// What a thread did wrong, or what was wrong with the launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The thread that did it; none where a launch cannot begin.
    pub thread: Option<Box<Thread>>,
}

/// A thread, and where it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The function whose code it executed.
    pub function: String,
    /// `%ctaid`
    pub block: [u32; 3],
    /// `%tid`
    pub thread: [u32; 3],
    /// The module of the instruction, and its line there.
    pub place: (String, u32),
    /// The file and the line that it was compiled from, if the module says it.
    pub source: Option<(String, u32)>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An access to memory.
    Access {
        /// What is wrong with it.
        error: AccessError,
        /// It writes.
        is_store: bool,
        /// The address in the space of the instruction.
        address: u64,
        /// How much is accessed, in bytes.
        n_bytes: u64,
    },
    /// `trap`
    Trap,
    /// `brkpt`
    Breakpoint,
    /// `assert` of what is false, with what it says.
    Assert(String),
    /// `free` of what is no allocation.
    BadFree(u64, AccessError),
    /// A call of what is no function.
    BadCall(u64),
    /// A call with arguments that are not as large as the parameters of the function.
    OtherArguments(String),
    /// An index that the list of labels has not.
    BadBranch(u64),
    /// Threads wait at a barrier that the others will not come to.
    Deadlock,
    /// Calls nest so deep that local memory is used up.
    StackOverflow,
    /// More instructions were executed than are allowed.
    TooManySteps,
    /// What the emulator does not do yet.
    Unsupported(String),
    /// The launch cannot begin.
    BadLaunch(String),
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::Access { error, is_store, address, n_bytes } => {
                let what = if *is_store { "store" } else { "load" };
                write!(f, "{what} of {n_bytes} bytes at {address:#x}: {error}")?;
                if let AccessError::OutOfBounds(Some((start, len))) = error {
                    write!(f, " (the allocation before it has {len} bytes, from {start:#x} on)")?;
                }
                Ok(())
            }
            FaultKind::Trap => f.write_str("`trap` was executed"),
            FaultKind::Breakpoint => f.write_str("`brkpt` was executed"),
            FaultKind::Assert(message) => f.write_str(message),
            FaultKind::BadFree(address, error) => write!(f, "`free` of {address:#x}: {error}"),
            FaultKind::BadCall(address) => write!(f, "call of {address:#x}, which is no function"),
            FaultKind::OtherArguments(name) => {
                write!(f, "a call of `{name}` with other arguments than it has parameters")
            }
            FaultKind::BadBranch(index) => write!(f, "indexed branch beyond its labels, by {index}"),
            FaultKind::Deadlock => f.write_str("threads wait at a barrier that others never reach"),
            FaultKind::StackOverflow => f.write_str("calls nest so deep that local memory is used up"),
            FaultKind::TooManySteps => f.write_str("more instructions were executed than are allowed"),
            FaultKind::Unsupported(what) => write!(f, "{what} is not supported yet"),
            FaultKind::BadLaunch(why) => f.write_str(why),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if let Some(thread) = &self.thread {
            let (([x, y, z], [bx, by, bz]), (module, line)) = ((thread.thread, thread.block), &thread.place);
            write!(f, ", in `{}`, by thread ({x}, {y}, {z}) of block ({bx}, {by}, {bz})", thread.function)?;
            write!(f, ", at {module}:{line}")?;
            if let Some((file, line)) = &thread.source {
                write!(f, ", from {file}:{line}")?;
            }
        }
        Ok(())
    }
}

impl error::Error for Fault {}

impl From<FaultKind> for Fault {
    fn from(kind: FaultKind) -> Self {
        Fault { kind, thread: None }
    }
}
