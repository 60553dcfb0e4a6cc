//! The faults that stop a launch.

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

/// A thread's error, or an invalid launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The launched kernel, if it exists.
    pub kernel: Option<String>,
    /// The thread at fault; `None` if the launch cannot start.
    pub thread: Option<Box<Thread>>,
}

/// A thread, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The function that contains the instruction.
    pub function: String,
    /// `%ctaid`
    pub block: [u32; 3],
    /// `%tid`
    pub thread: [u32; 3],
    /// The module of the instruction, and its line there.
    pub place: (String, u32),
    /// The source file and line of the instruction, if the module records them.
    pub source: Option<(String, u32)>,
    /// The source column, from 1; 0 if the module does not record it.
    pub column: u32,
}

/// Threads of a warp at the same position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first of them.
    pub first: Thread,
    /// The number of threads.
    pub n_threads: u32,
    /// What they wait for.
    pub waits: Option<Waits>,
}

/// Threads of a block that have ended at the same position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The first of them.
    pub first: Thread,
    /// The number of threads.
    pub n_threads: u32,
}

/// The event that threads wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waits {
    /// A barrier of the block.
    Barrier {
        /// Its number.
        number: u32,
        /// The number of expected threads; `None` for all that have not ended.
        n_threads: Option<u32>,
    },
    /// Threads of their warp, as a mask.
    Members(u32),
    /// All threads of the cluster.
    Cluster,
    /// A value in memory to change, in a loop.
    Value(Box<Awaited>),
    /// The end of a phase of an mbarrier object, in a loop.
    Phase(Box<Phase>),
    /// No event: they loop, and read nothing that others could change.
    Nothing,
}

/// A phase of an mbarrier object that does not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The mbarrier object.
    pub piece: Piece,
    /// The number of pending arrivals.
    pub n_arrivals: u64,
    /// The number of pending bytes.
    pub n_bytes: i64,
}

/// A value that threads read over and over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// The location of the value.
    pub piece: Piece,
    /// The value.
    pub value: u64,
    /// The thread that wrote it, and where, if that is known: by an atomic operation, or recently.
    pub writer: Option<Thread>,
    /// The current position of that thread; `None` if it has ended.
    pub writer_is_at: Option<Thread>,
}

/// A state space that threads write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// `.shared`
    Shared,
    /// `.local`
    Local,
    /// `.global`
    Global,
    /// A register that nothing writes; its address is its index.
    Register,
}

/// A piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its state space.
    pub space: Space,
    /// Its address in the state space.
    pub address: u64,
    /// Its size, in bytes.
    pub n_bytes: u64,
    /// The variable that contains it, and the offset there, if known.
    pub variable: Option<(String, u64)>,
}

/// A use of an undefined value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// Why it is undefined.
    pub cause: Cause,
    /// The thread that read or computed it, and where.
    pub by: Thread,
    /// How it is used.
    pub usage: Usage,
}

/// Why a value is undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It was read from uninitialized memory.
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
        /// Whether it is a remainder.
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

/// How a value is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usage {
    /// Decides whether an instruction is executed.
    Condition,
    /// Decides where a branch goes, or which function is called.
    Target,
    /// As the address of an access.
    Address,
    /// It is written to global memory.
    Result,
    /// As the old value or an operand of an atomic operation.
    Atomic,
    /// Decides at which barrier, or with which threads, to wait.
    Synchronization,
}

/// How a location is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// An atomic operation.
    Atomic,
}

/// Two unordered accesses to the same location: that of the faulting thread, and an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The location.
    pub piece: Piece,
    /// The access of the faulting thread.
    pub access: RaceAccess,
    /// The thread of the earlier access.
    pub other: Thread,
    /// The earlier access.
    pub other_access: RaceAccess,
    /// Whether both write the same value.
    pub is_same_value: bool,
    /// Why the two are unordered.
    pub why: Unordered,
}

/// How a location is accessed, and with what memory order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceAccess {
    /// The kind of access.
    pub touch: Touch,
    /// The semantics and scope of a strong access as PTX spells them: `.relaxed.gpu`, `.volatile`.
    pub order: Option<String>,
}

/// Why two accesses are unordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unordered {
    /// The threads are in one warp, and have not synchronized in between.
    SameWarp,
    /// The threads are in two warps of a block, and have not synchronized in between.
    SameBlock,
    /// The threads are in two blocks, and have not synchronized in between.
    DifferentBlocks,
    /// There was a barrier in between, but not for both threads.
    DifferentBarrier,
    /// Both are strong, but one scope does not include the other thread.
    NarrowScope,
    /// Both are strong, but their sizes differ.
    DifferentSize,
    /// The released value was read, but not acquired.
    NoAcquire,
    /// The released value was read, but the following fence's scope is too narrow.
    NarrowFence,
    /// The released value was written or read with too narrow a scope.
    OutOfScope,
    /// A strong write after the first access was read, but releases nothing.
    NoRelease,
    /// One of them belongs to an asynchronous copy that was not waited for.
    Copy,
}

/// The kind of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An invalid memory access.
    Access {
        /// The error.
        error: AccessError,
        /// The state space of the memory: `global`.
        space: &'static str,
        /// Whether it is a store.
        is_store: bool,
        /// The address in the instruction's state space.
        address: u64,
        /// The size of the access in bytes.
        n_bytes: u64,
    },
    /// A use of an undefined value.
    Undefined(Box<Undefined>),
    /// A data race.
    Race(Box<Race>),
    /// `trap`
    Trap,
    /// `trap` in a program that synchronizes its whole grid, in a launch that is not cooperative.
    NotCooperative,
    /// `brkpt`
    Breakpoint,
    /// A failed `assert`, with its text.
    Assert(String),
    /// `free` of an address that is not an allocation's.
    BadFree(u64, AccessError),
    /// A call of an address that is not a function's.
    BadCall(u64),
    /// A call whose argument sizes differ from the function's parameter sizes.
    MismatchedArguments(String),
    /// An index beyond the end of the branch's list of labels.
    BadBranch(u64),
    /// All threads wait, with no one left to release them.
    Deadlock(Vec<Group>),
    /// All threads loop or wait, and nothing changes any more.
    Livelock(Vec<Group>),
    /// Threads of one warp reach a barrier for whole warps separately.
    DivergentBarrier {
        /// The barrier's number.
        number: u32,
        /// The threads of the warp.
        groups: Vec<Group>,
    },
    /// A barrier for all threads of the block that some never reach, since they have ended.
    MissedBarrier {
        /// The barrier's number.
        number: u32,
        /// The number of threads of the block.
        n_threads: u32,
        /// The threads that have ended.
        ended: Vec<Ended>,
    },
    /// A thread executes a warp collective whose mask excludes it, or differs from another member's mask.
    Members {
        /// The mask.
        mask: u32,
        /// Whether the thread is in the mask, but gives another one.
        is_other: bool,
    },
    /// An instruction that requires all threads of a warp, without some of them.
    IncompleteWarp {
        /// The missing threads as a mask: they have ended, never existed, or do not execute it.
        missing: u32,
    },
    /// `ldmatrix` or `stmatrix` with the address of a row that is not in shared memory.
    NotShared(u64),
    /// `wmma.load` or `wmma.store` with different addresses or strides among the threads.
    UnequalMatrices,
    /// Invalid operands of a matrix instruction.
    Matrix(MatrixMisuse),
    /// Invalid use of an mbarrier object.
    Mbarrier {
        /// The error.
        misuse: Misuse,
        /// The address of the object, in the instruction's state space.
        address: u64,
    },
    /// An invalid access to a texture or surface.
    Texture {
        /// The error.
        misuse: Box<TextureMisuse>,
        /// The handle.
        handle: u64,
    },
    /// An invalid copy through a tensor map.
    TensorMap {
        /// The error.
        misuse: Box<MapMisuse>,
        /// The address of the map.
        address: u64,
    },
    /// Threads arrive at the cluster barrier twice without a wait, or wait without having arrived.
    ClusterBarrier {
        /// Whether it is the wait.
        is_wait: bool,
    },
    /// `cp.async` whose source size exceeds its copy size.
    BadCopy {
        /// The copy size in bytes.
        n_bytes: u64,
        /// The source size in bytes.
        of_source: u64,
    },
    /// A fault of an asynchronous copy, found where a thread waits for it.
    Copy {
        /// The fault.
        kind: Box<FaultKind>,
        /// The thread that issued the copy, and where.
        asked_by: Box<Thread>,
    },
    /// A bulk copy reads a thread's write without a `fence.proxy.async` in between.
    NoProxyFence {
        /// The location read.
        piece: Piece,
        /// The thread that wrote it.
        writer: Box<Thread>,
    },
    /// `cp.async.bulk` with an invalid size.
    BadBulkCopy(u64),
    /// `st.bulk` with an invalid size or address.
    BadBulkStore {
        /// The generic address, or the one in shared memory.
        address: u64,
        /// The size in bytes.
        n_bytes: u64,
    },
    /// A call of `printf` whose output exceeds the emulator's limit.
    PrintTooLong,
    /// `alloca` of more bytes than local memory has left.
    AllocaTooLarge(u64),
    /// `stackrestore` of a value that is not a stack pointer of the call.
    BadStack(u64),
    /// Calls nest so deeply that local memory is used up.
    StackOverflow,
    /// The host has too little memory.
    OutOfMemory {
        /// What the memory is for, in words.
        purpose: &'static str,
        /// The missing amount.
        error: HostOutOfMemory,
    },
    /// A warp has executed its maximum number of instructions.
    TooManySteps {
        /// The maximum.
        limit: u64,
        /// The positions of its threads.
        groups: Vec<Group>,
    },
    /// An instruction or function that the emulator does not support.
    Unsupported(String),
    /// An invalid launch.
    BadLaunch(String),
}

impl Fault {
    /// A fault of a thread.
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
