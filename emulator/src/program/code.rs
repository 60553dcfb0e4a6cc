//! What functions become: instructions with numbered registers and known places.

mod collective;
mod copy;
mod frame;
mod matrix;
mod object;

pub(crate) use collective::{
    BarrierReduction, BarrierVotes, Reduce, ReduceFloat, Shuffle, Vote, WarpCollective,
};
pub(crate) use copy::{
    BulkCopy, BulkReduction, Completion, CopyAsync, CopySource, Mbarrier, MbarrierAction, TensorAction,
    TensorCopy,
};
pub(crate) use frame::FrameVariable;
pub(crate) use matrix::{MatrixCompute, MatrixFragment, MatrixRegisters, MatrixRows, RowForm};
pub(crate) use object::{
    Coordinates, LodSource, ObjectQuery, Queried, SurfaceAccess, SurfaceAction, SurfaceEdge,
    SurfaceReduction, TexelType, TextureAction, TextureRead,
};

use smallvec::SmallVec;

use super::kind::Kind;
use super::provenance::Base;
use crate::compute::{Compute, Lanes};
use crate::memory::bytes::Width;
use crate::memory::{Generic, NARROW, generic};
use crate::ptx::place::Place;

/// A function.
pub(crate) struct Code {
    pub(crate) name: String,
    /// The number of its module.
    pub(crate) module: usize,
    pub(crate) instructions: Vec<Instruction>,
    /// For each instruction, the object that its address is derived from, if that is sure.
    pub(crate) bases: Vec<Option<Base>>,
    /// How many registers each thread has in it.
    pub(crate) n_registers: u32,
    /// Those of them that are read and that nothing writes.
    pub(crate) unwritten: Vec<Unwritten>,
    /// The constants that its instructions name.
    pub(crate) constants: Vec<Lanes>,
    /// Where its parameters lie: of a kernel, in `.param`; of another function, in its frame.
    pub(crate) params: Vec<Slot>,
    /// Holds the address of the last parameter, if that is as large as what a call has for it: the arguments of `...`.
    /// It lies behind the frame.
    pub(crate) open_param: Option<Register>,
    /// Where what it gives lies in its frame.
    pub(crate) returns: Vec<Slot>,
    /// Of a kernel: how many blocks its clusters have along each axis, if it says so (`.reqnctapercluster`).
    pub(crate) cluster: Option<[u32; 3]>,
    /// How much local memory a call of it takes, in bytes: its variables and parameters.
    pub(crate) frame_size: u64,
    /// The accesses of parameters that are misaligned.
    pub(crate) misaligned: Vec<Place>,
    /// The variables in its frame, in the order of their offsets.
    pub(crate) variables: Vec<FrameVariable>,
}

impl Code {
    /// The variable that an offset in the frame is in.
    pub(crate) fn variable_at(&self, offset: u64) -> Option<&FrameVariable> {
        let idx = self.variables.partition_point(|variable| variable.start <= offset);
        self.variables.get(idx.checked_sub(1)?).filter(|variable| variable.holds(offset))
    }
}

/// A register that is read and that nothing writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unwritten {
    pub(crate) register: Register,
    pub(crate) name: String,
    /// How large it is, in bytes.
    pub(crate) n_bytes: u64,
    /// The first instruction that reads it.
    pub(crate) reader: u32,
}

/// A piece of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) offset: u64,
    pub(crate) size: u64,
}

/// An instruction, and under which condition it is executed.
pub(crate) struct Instruction {
    pub(crate) op: Op,
    pub(crate) guard: Option<Guard>,
    pub(crate) place: Place,
    /// The file and the line of the source that it comes from, if the module says it.
    pub(crate) source: Option<(u32, u32)>,
    /// The column there, from one; 0 for none.
    pub(crate) column: u32,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    pub(crate) predicate: Register,
    pub(crate) is_negated: bool,
}

/// The number of a register in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Register(pub(crate) u32);

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Register(Register),
    /// A constant of the function.
    Constant(u32),
    Special(Special),
    /// The address of a place in the frame: the offset.
    Frame(u32),
}

/// A special register that holds the same as long as the warp runs (PTX ISA "Special Registers").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Tid(Axis),
    Ntid(Axis),
    Ctaid(Axis),
    Nctaid(Axis),
    ClusterId(Axis),
    NClusterId(Axis),
    /// Of the block in its cluster.
    ClusterCtaid(Axis),
    ClusterNctaid(Axis),
    ClusterRank,
    ClusterSize,
    /// The launch or the kernel says how large clusters are.
    IsExplicitCluster,
    LaneId,
    WarpId,
    NWarpId,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    DynamicSharedSize,
    TotalSharedSize,
    /// The number of the multiprocessor: there is one.
    SmId,
    NSmId,
    GridId,
    /// The address of what the blocks of a cooperative launch share, the low and the high half: `%envreg2`, `%envreg1`; zero in
    /// other launches. So CUDA's cooperative groups read it.
    GridWorkspaceLow,
    GridWorkspaceHigh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    X,
    Y,
    Z,
}

/// Which memory an access is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    Generic,
    /// By addresses of 32 bits.
    NarrowGeneric,
    Global,
    Shared,
    Const,
    Local,
    /// Of a kernel.
    Param,
    /// A place in the frame: a parameter of a function.
    Frame,
}

impl Memory {
    /// Which memory an address is in, and where there.
    pub(crate) fn find(self, at: u64) -> Generic {
        match self {
            Memory::Generic => generic(at),
            Memory::NarrowGeneric => NARROW.find(NARROW.cut(at)),
            Memory::Global => Generic::Global(at),
            Memory::Shared => Generic::Shared(at),
            Memory::Const => Generic::Const(at),
            Memory::Local | Memory::Frame => Generic::Local(at),
            Memory::Param => Generic::Param(at),
        }
    }
}

/// Where an access goes: the base plus the offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub(crate) memory: Memory,
    pub(crate) base: Option<Source>,
    pub(crate) offset: i64,
}

/// How a value becomes as wide as the register that takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extension {
    /// Zeros above.
    Zero,
    /// The sign, from a width to a width, in bits.
    Sign { from: u32, to: u32 },
}

pub(crate) enum Op {
    /// Results from operands; a result without a register is dropped.
    Compute {
        compute: Compute,
        operands: SmallVec<[Source; 3]>,
        results: SmallVec<[Option<Register>; 2]>,
    },
    /// An integer division. What a division by zero gives is not specified (PTX ISA "div", "rem").
    Divide {
        compute: Compute,
        /// The dividend and the divisor.
        operands: [Source; 2],
        width: Width,
        result: Option<Register>,
        /// It gives the remainder.
        is_remainder: bool,
    },
    /// Reads one value after the other.
    Load {
        address: Address,
        width: Width,
        extension: Extension,
        results: SmallVec<[Option<Register>; 4]>,
        order: Order,
    },
    /// Writes one value after the other.
    Store {
        address: Address,
        width: Width,
        values: SmallVec<[Source; 4]>,
        order: Order,
    },
    /// Replaces a value in memory, as one step, and gives what it was.
    Atomic(Atomic),
    /// The same of several values, each by itself.
    AtomicVector(Box<AtomicVector>),
    /// The same of 128 bits.
    AtomicWide(AtomicWide),
    /// What is done with an mbarrier object.
    Mbarrier(Box<Mbarrier>),
    /// `tex`, `tld4`
    Texture(Box<TextureRead>),
    /// `suld`, `sust`, `sured`
    Surface(Box<SurfaceAccess>),
    /// `txq`, `suq`
    ObjectQuery(Box<ObjectQuery>),
    /// Asks for a copy from global to shared memory.
    CopyAsync(Box<CopyAsync>),
    /// Those that were asked for are a group.
    CopyCommit,
    /// Waits for copies, but for so many of the last groups; none: for all.
    CopyWait {
        n_left: Option<u64>,
    },
    /// When the copies are done, arrives at an mbarrier object: as one of those that are expected, or as one more.
    CopyArrive {
        address: Address,
        is_counted: bool,
    },
    /// Asks for a copy of many bytes.
    BulkCopy(Box<BulkCopy>),
    /// Writes so many bytes of zeros.
    BulkStore {
        to: Address,
        n_bytes: Source,
    },
    /// Asks for a copy of a tile of a tensor.
    TensorCopy(Box<TensorCopy>),
    /// Copies a tensor map to global memory.
    MapCopy {
        to: Address,
        from: Address,
    },
    /// The bulk copies that were asked for are a group.
    BulkCommit,
    /// Waits for groups of bulk copies, but for so many of the last: until they have read, or until they are done.
    BulkWait {
        n_left: u64,
        is_for_reads: bool,
    },
    /// Orders accesses of threads and of copies: `fence.proxy.async`.
    ProxyFence,
    /// What all threads of a warp compute of their matrices.
    MatrixCompute(Box<MatrixCompute>),
    /// `ldmatrix`, `stmatrix`
    MatrixRows(Box<MatrixRows>),
    /// `wmma.load`, `wmma.store`
    MatrixFragment(Box<MatrixFragment>),
    /// What the threads of a warp do together.
    WarpCollective {
        operation: WarpCollective,
        operands: SmallVec<[Source; 3]>,
        members: Option<Source>,
        results: SmallVec<[Option<Register>; 2]>,
    },
    /// Goes on at the instruction of the number.
    Branch {
        target: u32,
        /// What part of a turn it takes, if it goes backward (`program/loops`).
        cost: u32,
    },
    /// Goes on at one of the instructions.
    BranchIndexed {
        index: Source,
        targets: Vec<u32>,
        /// What part of a turn it takes, if one of them is further back (`program/loops`).
        cost: u32,
    },
    /// A call, with copies of pieces of the frame into that of the callee, and back.
    Call {
        callee: Callee,
        args: SmallVec<[Slot; 4]>,
        returns: SmallVec<[Slot; 1]>,
    },
    Return,
    Exit,
    Trap,
    Breakpoint,
    /// Waits for the threads of the block: all, or as many as are said.
    Barrier {
        number: Source,
        n_threads: Option<Source>,
        /// The threads of a warp come together: `.aligned`.
        is_for_warps: bool,
        /// What they find out together.
        votes: Option<BarrierVotes>,
    },
    /// Counts its threads at a barrier, and goes on.
    Arrive {
        number: Source,
        n_threads: Source,
    },
    /// Arrives at the barrier of the cluster, and goes on.
    ClusterArrive {
        is_release: bool,
    },
    /// Waits until all threads of the cluster have arrived.
    ClusterWait,
    /// Reads a counter.
    Counter {
        /// How many of its low bits are left out.
        shift: u32,
        /// The bits that are kept.
        mask: u64,
        result: Option<Register>,
    },
    /// Makes room on the stack, aligned to so many bytes.
    Alloca {
        size: Source,
        align: u64,
        result: Option<Register>,
    },
    /// Gives the stack pointer.
    StackSave {
        result: Option<Register>,
    },
    /// Puts the stack pointer back.
    StackRestore {
        pointer: Source,
    },
    /// Orders what a thread does in memory.
    Fence(Fence),
    /// Lets others go on.
    Sleep,
    /// Nothing that a thread could see.
    Nothing,
}

pub(crate) struct Atomic {
    pub(crate) address: Address,
    pub(crate) width: Width,
    pub(crate) update: Update,
    pub(crate) operands: SmallVec<[Source; 2]>,
    pub(crate) result: Option<Register>,
    /// The number of the operation if the order of several does not matter, and nobody looks at the result.
    pub(crate) reduction: Option<u8>,
    /// It puts a value there that is not made of the old one: an exchange, with or without a comparison.
    pub(crate) replaces: bool,
    pub(crate) order: Order,
}

pub(crate) struct AtomicVector {
    /// Of the first.
    pub(crate) address: Address,
    /// Of each.
    pub(crate) width: Width,
    pub(crate) update: Update,
    /// One for each value.
    pub(crate) operands: SmallVec<[Source; 4]>,
    /// Of each value; none at all if nothing is given.
    pub(crate) results: SmallVec<[Option<Register>; 4]>,
    pub(crate) order: Order,
}

/// An exchange of 128 bits, which lie in two registers, the low half first.
pub(crate) struct AtomicWide {
    pub(crate) address: Address,
    /// Only where memory holds this: `.cas`.
    pub(crate) expected: Option<[Register; 2]>,
    pub(crate) new: [Register; 2],
    pub(crate) result: Option<[Register; 2]>,
    pub(crate) order: Order,
}

/// What an access has to do with those of other threads (PTX ISA "Memory Consistency Model").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) semantics: Semantics,
    pub(crate) scope: Scope,
    /// It is `.volatile`, which means `.relaxed.sys`.
    pub(crate) is_volatile: bool,
}

/// A fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    pub(crate) semantics: Semantics,
    pub(crate) scope: Scope,
}

/// What accesses and fences order (PTX ISA "Operation Types").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Semantics {
    /// Nothing, and nobody else may access the same meanwhile.
    Weak,
    /// Nothing.
    Relaxed,
    /// What follows comes behind it.
    Acquire,
    /// What was before comes before it.
    Release,
    AcquireRelease,
    /// `fence.sc`
    Sequential,
}

/// The threads that an order counts for (PTX ISA "Scope").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    Block,
    Cluster,
    Device,
    System,
}

impl Order {
    /// That of an access of which nothing is said.
    pub(crate) const WEAK: Order =
        Order { semantics: Semantics::Weak, scope: Scope::System, is_volatile: false };

    /// Others may access the same meanwhile: it is atomic, `.volatile`, `.relaxed` or more.
    pub(crate) fn is_strong(self) -> bool {
        self.semantics != Semantics::Weak
    }
}

impl Semantics {
    /// Who reads what it writes comes behind what was before it.
    pub(crate) fn is_release(self) -> bool {
        matches!(self, Semantics::Release | Semantics::AcquireRelease | Semantics::Sequential)
    }

    /// What follows comes behind what was before the write that it reads from.
    pub(crate) fn is_acquire(self) -> bool {
        matches!(self, Semantics::Acquire | Semantics::AcquireRelease | Semantics::Sequential)
    }
}

impl Op {
    /// Where its operands come from.
    pub(crate) fn sources(&self) -> SmallVec<[Source; 8]> {
        let mut sources = SmallVec::new();
        match self {
            Op::Compute { operands, .. } => sources.extend_from_slice(operands),
            Op::Divide { operands, .. } => sources.extend_from_slice(operands),
            Op::Load { address, .. } => sources.extend(address.base),
            Op::Store { address, values, .. } => {
                sources.extend(address.base);
                sources.extend_from_slice(values);
            }
            Op::Atomic(atomic) => {
                sources.extend(atomic.address.base);
                sources.extend_from_slice(&atomic.operands);
            }
            Op::AtomicVector(atomic) => {
                sources.extend(atomic.address.base);
                sources.extend_from_slice(&atomic.operands);
            }
            Op::AtomicWide(atomic) => {
                sources.extend(atomic.address.base);
                let values = atomic.expected.into_iter().flatten().chain(atomic.new);
                sources.extend(values.map(Source::Register));
            }
            Op::WarpCollective { operands, members, .. } => {
                sources.extend_from_slice(operands);
                sources.extend(*members);
            }
            Op::BranchIndexed { index: source, .. }
            | Op::Alloca { size: source, .. }
            | Op::StackRestore { pointer: source } => sources.push(*source),
            Op::Call { callee: Callee::Indirect(source), .. } => sources.push(*source),
            Op::Barrier { number, n_threads, votes, .. } => {
                sources.push(*number);
                sources.extend(*n_threads);
                sources.extend(votes.map(|votes| votes.predicate));
            }
            Op::Arrive { number, n_threads } => sources.extend([*number, *n_threads]),
            Op::CopyAsync(copy) => {
                sources.extend([copy.to.base, copy.from.base].into_iter().flatten());
                sources.extend(match copy.source {
                    CopySource::All => None,
                    CopySource::Bytes(source) | CopySource::Unless(source) => Some(source),
                });
            }
            Op::BulkCopy(copy) => {
                sources
                    .extend([copy.to.base, copy.from.base, copy.completion.source()].into_iter().flatten());
                sources.push(copy.n_bytes);
                sources.extend([copy.blocks, copy.byte_mask].into_iter().flatten());
            }
            Op::TensorCopy(copy) => {
                sources.extend(
                    [copy.map.base, copy.shared.base, copy.completion.source()].into_iter().flatten(),
                );
                sources.extend_from_slice(&copy.coordinates);
                if let TensorAction::Load { blocks } = copy.action {
                    sources.extend(blocks);
                }
            }
            Op::MapCopy { to, from } => sources.extend([to.base, from.base].into_iter().flatten()),
            Op::BulkStore { to, n_bytes } => {
                sources.extend(to.base);
                sources.push(*n_bytes);
            }
            Op::CopyArrive { address, .. } => sources.extend(address.base),
            Op::MatrixCompute(matrix) => sources.extend_from_slice(&matrix.operands),
            Op::MatrixRows(matrix) => {
                sources.extend(matrix.address.base);
                sources.extend_from_slice(matrix.registers.sources());
            }
            Op::MatrixFragment(matrix) => {
                sources.extend([matrix.address.base, matrix.stride].into_iter().flatten());
                sources.extend_from_slice(matrix.registers.sources());
            }
            Op::Texture(read) => {
                sources.extend(read.handle.base);
                sources.extend(read.sampler.and_then(|sampler| sampler.base));
                sources.extend(read.layer);
                sources.extend_from_slice(&read.place);
                match &read.lod {
                    LodSource::Base => {}
                    LodSource::Level(level) => sources.push(*level),
                    LodSource::Gradients(dx, dy) => sources.extend(dx.iter().chain(dy).copied()),
                }
                sources.extend_from_slice(&read.offset);
            }
            Op::Surface(access) => {
                sources.extend(access.handle.base);
                sources.extend(access.layer);
                sources.extend_from_slice(&access.place);
                sources.extend_from_slice(&access.values);
            }
            Op::ObjectQuery(query) => {
                sources.extend(query.handle.base);
                sources.extend(query.level);
            }
            Op::Mbarrier(mbarrier) => {
                sources.extend(mbarrier.address.base);
                sources.extend_from_slice(&mbarrier.operands);
            }
            Op::Call { callee: Callee::Direct(_) | Callee::System(_), .. }
            | Op::Branch { .. }
            | Op::Return
            | Op::Exit
            | Op::Trap
            | Op::Breakpoint
            | Op::Counter { .. }
            | Op::StackSave { .. }
            | Op::Fence(_)
            | Op::Sleep
            | Op::ClusterArrive { .. }
            | Op::ClusterWait
            | Op::CopyCommit
            | Op::CopyWait { .. }
            | Op::BulkCommit
            | Op::BulkWait { .. }
            | Op::ProxyFence
            | Op::Nothing => {}
        }
        sources
    }

    /// The registers that hold its results behind it.
    pub(crate) fn results(&self) -> SmallVec<[Register; 4]> {
        match self {
            Op::Compute { results, .. } | Op::WarpCollective { results, .. } => results.iter().flatten().copied().collect(),
            Op::Load { results, .. } => results.iter().flatten().copied().collect(),
            Op::Atomic(atomic) => atomic.result.into_iter().collect(),
            Op::AtomicVector(atomic) => atomic.results.iter().flatten().copied().collect(),
            Op::AtomicWide(atomic) => atomic.result.into_iter().flatten().collect(),
            Op::Counter { result, .. } | Op::Divide { result, .. } | Op::Alloca { result, .. } | Op::StackSave { result } => result.iter().copied().collect(),
            Op::Texture(read) => read.results.iter().copied().chain([read.resident]).flatten().collect(),
            Op::Surface(access) => access.results.iter().flatten().copied().collect(),
            Op::ObjectQuery(query) => query.result.into_iter().collect(),
            Op::Mbarrier(mbarrier) => mbarrier.result.into_iter().collect(),
            Op::MatrixCompute(matrix) => matrix.results.iter().flatten().copied().collect(),
            Op::MatrixRows(matrix) => matrix.registers.results().iter().flatten().copied().collect(),
            Op::MatrixFragment(matrix) => matrix.registers.results().iter().flatten().copied().collect(),
            Op::Store { .. }
            | Op::Branch { .. }
            | Op::BranchIndexed { .. }
            | Op::Call { .. }
            | Op::Return
            | Op::Exit
            | Op::Trap
            | Op::Breakpoint
            // What it finds out is known when it opens.
            | Op::Barrier { .. }
            | Op::Arrive { .. }
            | Op::StackRestore { .. }
            | Op::Fence(_)
            | Op::Sleep
            | Op::ClusterArrive { .. }
            | Op::ClusterWait
            | Op::CopyAsync(_)
            | Op::CopyCommit
            | Op::CopyWait { .. }
            | Op::CopyArrive { .. }
            | Op::BulkCopy(_)
            | Op::BulkStore { .. }
            | Op::TensorCopy(_)
            | Op::MapCopy { .. }
            | Op::BulkCommit
            | Op::BulkWait { .. }
            | Op::ProxyFence
            | Op::Nothing => SmallVec::new(),
        }
    }
}

/// The new value from the old one and the operands.
pub(crate) type Update = std::sync::Arc<dyn Fn(u64, &[u64]) -> u64 + Send + Sync>;

pub(crate) enum Callee {
    /// The number of the function in the program.
    Direct(usize),
    /// What is not PTX.
    System(System),
    /// The address of the function.
    Indirect(Source),
}

/// The functions that are there without a definition (PTX interoperability guide, chapter 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    Vprintf,
    Malloc,
    AlignedMalloc,
    Free,
    AssertFail,
}

impl System {
    pub(crate) fn named(name: &str) -> Option<System> {
        Some(match name {
            "vprintf" => System::Vprintf,
            "malloc" => System::Malloc,
            "__cuda_syscall_aligned_malloc" => System::AlignedMalloc,
            "free" => System::Free,
            "__assertfail" => System::AssertFail,
            _ => return None,
        })
    }
}
