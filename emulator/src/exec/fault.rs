//! What stops a launch.

mod words;

use std::error;

use crate::compute::matrix::Misuse as MatrixMisuse;
use crate::compute::mbarrier::Misuse;
use crate::memory::error::AccessError;
use crate::memory::host::HostOutOfMemory;
use crate::program::Program;
use crate::program::code::{Code, Instruction};
use crate::tensor::MapMisuse;
use crate::texture::Misuse as TextureMisuse;

/// What a thread did wrong, or what was wrong with the launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The kernel that was launched, if there is such a one.
    pub kernel: Option<String>,
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
    /// The column there, from one; 0 if the module does not say it.
    pub column: u32,
}

/// Threads of a warp that are at the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first of them.
    pub first: Thread,
    /// How many there are.
    pub n_threads: u32,
    /// What they wait for.
    pub waits: Option<Waits>,
}

/// Threads of a block that have ended at the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The first of them.
    pub first: Thread,
    /// How many there are.
    pub n_threads: u32,
}

/// What threads wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waits {
    /// A barrier of the block.
    Barrier {
        /// Its number.
        number: u32,
        /// For how many threads; none: for all that have not ended.
        n_threads: Option<u32>,
    },
    /// Threads of their warp, a bit for each.
    Members(u32),
    /// All threads of the cluster.
    Cluster,
    /// Another value in memory, in a loop.
    Value(Box<Awaited>),
    /// The end of a phase of an mbarrier object, in a loop.
    Phase(Box<Phase>),
    /// Nothing: they loop, and read nothing that others could change.
    Nothing,
}

/// A phase of an mbarrier object that does not end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Where the object is.
    pub piece: Piece,
    /// How many arrivals are missing.
    pub n_arrivals: u64,
    /// How many bytes are missing.
    pub n_bytes: i64,
}

/// A value that threads read again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// Where it is.
    pub piece: Piece,
    /// What is there.
    pub value: u64,
    /// The thread that put it there, and where, if that is known: by an atomic operation, or lately.
    pub writer: Option<Thread>,
    /// Where that thread is now; none if it has ended.
    pub writer_is_at: Option<Thread>,
}

/// A space that threads write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// `.shared`
    Shared,
    /// `.local`
    Local,
    /// `.global`
    Global,
    /// A register that nothing writes; its address is its number.
    Register,
}

/// A piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its space.
    pub space: Space,
    /// Its address there.
    pub address: u64,
    /// Its size, in bytes.
    pub n_bytes: u64,
    /// The variable that it lies in, and how far after the beginning of that, where this is known.
    pub variable: Option<(String, u64)>,
}

/// A use of an undefined value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// Why it is undefined.
    pub cause: Cause,
    /// The thread that read or computed it, and where.
    pub by: Thread,
    /// What depends on it.
    pub usage: Usage,
}

/// Why a value is undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It was read where nothing had been written.
    Unwritten(Piece),
    /// A shuffle took it from a lane that does not take part (PTX ISA "shfl.sync").
    Shuffle {
        /// The lane.
        from: u32,
        /// Why it does not take part.
        absence: Absence,
    },
    /// An integer was divided by zero (PTX ISA "div", "rem").
    Division {
        /// For the remainder.
        is_remainder: bool,
    },
}

/// Why a lane does not take part in a shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The block has no such thread.
    NoThread,
    /// It has ended.
    Ended,
    /// It is not in the mask of the shuffle.
    NotInMask,
    /// It does not execute the instruction.
    Elsewhere,
}

/// What a value is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usage {
    /// Whether an instruction is executed.
    Condition,
    /// Which label a branch goes to, or which function is called.
    Target,
    /// Where an access goes.
    Address,
    /// It is written to global memory.
    Result,
    /// What an atomic operation makes of it.
    Atomic,
    /// At which barrier and with which threads one waits.
    Synchronization,
}

/// How a place is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// An atomic operation.
    Atomic,
}

/// Two accesses to the same place with nothing that orders them: that of the thread of the fault, and one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// What is accessed.
    pub piece: Piece,
    /// How the thread of the fault does it.
    pub access: RaceAccess,
    /// Who did it before.
    pub other: Thread,
    /// How.
    pub other_access: RaceAccess,
    /// Both write the same value.
    pub is_same_value: bool,
    /// Why nothing orders the two.
    pub why: Unordered,
}

/// How a place is accessed, and with what order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceAccess {
    /// What is done.
    pub touch: Touch,
    /// The order and the scope as PTX names them, of an access that is strong: `.relaxed.gpu`, `.volatile`.
    pub order: Option<String>,
}

/// Why nothing orders two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unordered {
    /// The threads are of one warp, and nothing has synchronised them since.
    SameWarp,
    /// The same of threads of two warps of a block.
    SameBlock,
    /// The same of threads of two blocks.
    OtherBlock,
    /// There was a barrier since, which was not for both threads.
    OtherBarrier,
    /// Both are strong, and a scope does not include the other thread.
    NarrowScope,
    /// Both are strong, and they access pieces of different sizes.
    OtherSize,
    /// What was released has been read, and not acquired.
    NoAcquire,
    /// What was released has been read, and the fence after that has too narrow a scope.
    NarrowFence,
    /// What was released has been read by or for a scope that is too narrow.
    OutOfScope,
    /// A strong write that came after the first access has been read, and releases nothing.
    NoRelease,
    /// One of them is that of a copy that no one has waited for.
    Copy,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An access to memory.
    Access {
        /// What is wrong with it.
        error: AccessError,
        /// The space of the memory: `global`.
        space: &'static str,
        /// It writes.
        is_store: bool,
        /// The address in the space of the instruction.
        address: u64,
        /// How much is accessed, in bytes.
        n_bytes: u64,
    },
    /// Something depends on a value that was never written.
    Undefined(Box<Undefined>),
    /// Two threads access the same place, and nothing orders them.
    Race(Box<Race>),
    /// `trap`
    Trap,
    /// `trap` in a program that waits for its whole grid, in a launch that is not cooperative.
    NotCooperative,
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
    /// Threads wait, and no one is left who could let them go on: who waits, where, for what.
    Deadlock(Vec<Group>),
    /// Threads loop or wait, and nothing changes any more: who waits, where, for what.
    Livelock(Vec<Group>),
    /// Threads of one warp reach a barrier for whole warps separately: where they are.
    DivergentBarrier {
        /// Its number.
        number: u32,
        /// The threads of the warp.
        groups: Vec<Group>,
    },
    /// A barrier that is for all threads of the block, some of which have ended and never come to it.
    MissedBarrier {
        /// Its number.
        number: u32,
        /// How many threads the block has.
        n_threads: u32,
        /// Those that have ended.
        ended: Vec<Ended>,
    },
    /// A thread takes part in what the threads of a mask do together, and is not one of them; or gives another mask.
    Members {
        /// The mask.
        mask: u32,
        /// The thread is in the mask, and gives another.
        is_other: bool,
    },
    /// An instruction that wants all threads of a warp, without some of them.
    IncompleteWarp {
        /// They have ended, never were, or do not execute it: a bit for each.
        missing: u32,
    },
    /// `ldmatrix` or `stmatrix` of a row that is not in shared memory: the address.
    NotShared(u64),
    /// `wmma.load` or `wmma.store` by threads that give other addresses or strides.
    UnequalMatrices,
    /// Operands of an instruction on matrices that have no meaning.
    Matrix(MatrixMisuse),
    /// Something with an mbarrier object that must not be.
    Mbarrier {
        /// What is wrong with it.
        misuse: Misuse,
        /// The address of the object, in the space of the instruction.
        address: u64,
    },
    /// An access to a texture or surface that must not be.
    Texture {
        /// What is wrong with it.
        misuse: Box<TextureMisuse>,
        /// The handle.
        handle: u64,
    },
    /// A copy by a tensor map that must not be.
    TensorMap {
        /// What is wrong with it.
        misuse: Box<MapMisuse>,
        /// The address of the map.
        address: u64,
    },
    /// Threads arrive at the barrier of the cluster twice without a wait, or wait there and have not arrived.
    ClusterBarrier {
        /// They wait.
        is_wait: bool,
    },
    /// `cp.async` of fewer bytes than it is to take of the source.
    BadCopy {
        /// How many are copied.
        n_bytes: u64,
        /// How many of the source.
        of_source: u64,
    },
    /// What a copy that a thread has asked for did, where it was waited for.
    Copy {
        /// What it did.
        kind: Box<FaultKind>,
        /// Who asked for it, and where.
        asked_by: Box<Thread>,
    },
    /// A bulk copy reads what a thread has written, and no `fence.proxy.async` is between.
    NoProxyFence {
        /// What it reads.
        piece: Piece,
        /// Who wrote it.
        writer: Box<Thread>,
    },
    /// `cp.async.bulk` of a number of bytes that it cannot copy.
    BadBulkCopy(u64),
    /// `st.bulk` of a number of bytes that it cannot write, or to where it does not.
    BadBulkStore {
        /// The generic address, or that in shared memory.
        address: u64,
        /// How many bytes.
        n_bytes: u64,
    },
    /// One call of `printf` prints more than the emulator lets it.
    PrintTooLong,
    /// `alloca` of more bytes than there are.
    AllocaTooLarge(u64),
    /// `stackrestore` of what is no stack pointer of the call.
    BadStack(u64),
    /// Calls nest so deep that local memory is used up.
    StackOverflow,
    /// The host does not have enough memory for something.
    OutOfMemory {
        /// What it is, in words.
        purpose: &'static str,
        /// How much is missing.
        error: HostOutOfMemory,
    },
    /// A warp has executed as many instructions as are allowed.
    TooManySteps {
        /// So many.
        limit: u64,
        /// Where its threads were.
        groups: Vec<Group>,
    },
    /// What the emulator does not do yet.
    Unsupported(String),
    /// The launch cannot begin.
    BadLaunch(String),
}

impl Fault {
    /// What a thread did.
    pub(super) fn by(kind: FaultKind, thread: Thread) -> Self {
        Fault { kind, kernel: None, thread: Some(Box::new(thread)) }
    }
}

impl Thread {
    pub(super) fn new(
        program: &Program,
        code: &Code,
        instruction: &Instruction,
        block: [u32; 3],
        thread: [u32; 3],
    ) -> Self {
        let module = &program.modules[code.module];
        let file = |(file, line): (u32, u32)| Some((module.files.get(&file)?.clone(), line));
        Thread {
            function: code.name.clone(),
            block,
            thread,
            place: (module.name.clone(), module.line(instruction.place)),
            source: instruction.source.and_then(file),
            column: instruction.column,
        }
    }
}

impl error::Error for Fault {}

impl From<FaultKind> for Fault {
    fn from(kind: FaultKind) -> Self {
        Fault { kind, kernel: None, thread: None }
    }
}
