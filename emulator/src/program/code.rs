//! What functions become: instructions with numbered registers and known places.

use smallvec::SmallVec;

use super::kind::Kind;
use crate::compute::matrix::fragment::Fragment;
use crate::compute::{Compute, Lanes};
use crate::memory::bytes::Width;
use crate::memory::{Generic, NARROW, generic};
use crate::ptx::place::Place;
use crate::texture::Geometry;

/// A function.
pub(crate) struct Code {
    pub(crate) name: String,
    /// The number of its module.
    pub(crate) module: usize,
    pub(crate) instructions: Vec<Instruction>,
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
    Together {
        operation: Together,
        operands: SmallVec<[Source; 3]>,
        members: Option<Source>,
        results: SmallVec<[Option<Register>; 2]>,
    },
    /// Goes on at the instruction of the number.
    Branch {
        target: u32,
    },
    /// Goes on at one of the instructions.
    BranchIndexed {
        index: Source,
        targets: Vec<u32>,
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

/// A read of a texture.
pub(crate) struct TextureRead {
    pub(crate) action: TextureAction,
    pub(crate) geometry: Geometry,
    pub(crate) handle: Address,
    /// How it is read, in independent mode.
    pub(crate) sampler: Option<Address>,
    pub(crate) layer: Option<Source>,
    pub(crate) place: SmallVec<[Source; 4]>,
    pub(crate) coordinates: Coordinates,
    pub(crate) lod: LodSource,
    /// The type of the numbers, without a sign.
    pub(crate) ty: &'static str,
    pub(crate) results: SmallVec<[Option<Register>; 4]>,
    /// Gets whether there is memory behind all texels.
    pub(crate) resident: Option<Register>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextureAction {
    /// The texel at a place.
    Read,
    /// A component of the four texels around a place.
    Gather(u32),
}

/// What coordinates are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coordinates {
    /// Places.
    Float,
    /// Numbers of texels.
    Integer,
}

/// Which image of a texture is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LodSource {
    Base,
    Level(Source),
    Gradients(SmallVec<[Source; 4]>, SmallVec<[Source; 4]>),
}

/// An access to a surface.
pub(crate) struct SurfaceAccess {
    pub(crate) action: SurfaceAction,
    pub(crate) geometry: Geometry,
    pub(crate) handle: Address,
    pub(crate) layer: Option<Source>,
    /// The first counts bytes, but where the action says otherwise.
    pub(crate) place: SmallVec<[Source; 4]>,
    pub(crate) edge: SurfaceEdge,
    /// Of one number.
    pub(crate) width: Width,
    pub(crate) is_signed: bool,
    pub(crate) results: SmallVec<[Option<Register>; 4]>,
    pub(crate) values: SmallVec<[Source; 4]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SurfaceAction {
    Load,
    Store,
    Reduce {
        op: SurfaceReduction,
        /// The first coordinate counts texels.
        is_by_texel: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SurfaceReduction {
    Add,
    Min,
    Max,
    And,
    Or,
}

/// What becomes of an access beside a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SurfaceEdge {
    /// It must not be.
    Trap,
    /// It goes to the edge.
    Clamp,
    /// A load gives zeros, and a store does nothing.
    Zero,
}

/// What is asked of a texture or surface.
pub(crate) struct ObjectQuery {
    pub(crate) is_surface: bool,
    pub(crate) what: Queried,
    pub(crate) handle: Address,
    /// Of which image.
    pub(crate) level: Option<Source>,
    pub(crate) result: Option<Register>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queried {
    /// How many texels there are along an axis.
    Extent(usize),
    Layers,
    Levels,
    NormalizedCoordinates,
}

/// What is done with an mbarrier object (PTX ISA "mbarrier").
pub(crate) struct Mbarrier {
    pub(crate) address: Address,
    pub(crate) action: MbarrierAction,
    /// A count, a number of bytes, a state or a parity.
    pub(crate) operands: SmallVec<[Source; 1]>,
    /// The state before an arrival; whether the phase is over.
    pub(crate) result: Option<Register>,
    pub(crate) order: Order,
}

/// `cp.async`
pub(crate) struct CopyAsync {
    /// In shared memory.
    pub(crate) to: Address,
    /// In global memory.
    pub(crate) from: Address,
    pub(crate) n_bytes: u64,
    pub(crate) source: CopySource,
}

/// How much of the source is copied; the rest is zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopySource {
    All,
    /// So many bytes.
    Bytes(Source),
    /// Nothing where a predicate holds.
    Unless(Source),
}

/// `cp.async.bulk`, `cp.reduce.async.bulk`
pub(crate) struct BulkCopy {
    pub(crate) to: Address,
    pub(crate) from: Address,
    pub(crate) n_bytes: Source,
    pub(crate) completion: Completion,
    /// The blocks of the cluster that get it, a bit for each rank; none: the one that the address is of.
    pub(crate) blocks: Option<Source>,
    /// Which bytes of each 16 are copied, a bit for each.
    pub(crate) byte_mask: Option<Source>,
    pub(crate) reduction: Option<BulkReduction>,
}

/// `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`
pub(crate) struct TensorCopy {
    pub(crate) map: Address,
    /// Of the first element of the tile, the innermost first.
    pub(crate) coordinates: SmallVec<[Source; 5]>,
    /// Where the tile lies in shared memory.
    pub(crate) shared: Address,
    pub(crate) action: TensorAction,
    pub(crate) completion: Completion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TensorAction {
    /// From the tensor to shared memory, of these blocks of the cluster if it is said.
    Load { blocks: Option<Source> },
    /// From shared memory to the tensor.
    Store,
    /// By an operation on each element, of this name.
    Reduce(&'static str),
}

/// How a bulk copy tells that it is done (PTX ISA "Completion Mechanisms for Asynchronous Copy Operations").
#[derive(Clone, Copy, Debug)]
pub(crate) enum Completion {
    /// An object is told of the bytes.
    Mbarrier(Address),
    /// The thread waits for groups of its copies.
    Group,
}

/// What becomes of an element that is there, and of the one that comes.
pub(crate) struct BulkReduction {
    pub(crate) width: Width,
    pub(crate) update: Update,
}

/// `mma`, `wmma.mma`, `movmatrix`
pub(crate) struct MatrixCompute {
    pub(crate) compute: Compute,
    pub(crate) operands: SmallVec<[Source; 8]>,
    pub(crate) results: SmallVec<[Option<Register>; 8]>,
}

/// The registers of an access to a matrix.
pub(crate) enum MatrixRegisters {
    Loaded(SmallVec<[Option<Register>; 8]>),
    Stored(SmallVec<[Source; 8]>),
}

/// `ldmatrix`, `stmatrix`: one register for each matrix of 8 by 8 numbers of 16 bits.
pub(crate) struct MatrixRows {
    /// Of a row.
    pub(crate) address: Address,
    pub(crate) is_transposed: bool,
    pub(crate) registers: MatrixRegisters,
}

/// `wmma.load`, `wmma.store`
pub(crate) struct MatrixFragment {
    pub(crate) address: Address,
    /// From a row or column to the next, in elements.
    pub(crate) stride: Option<Source>,
    /// Rows follow one another in memory, and not columns.
    pub(crate) is_row: bool,
    pub(crate) fragment: Fragment,
    pub(crate) registers: MatrixRegisters,
}

impl MatrixRegisters {
    fn sources(&self) -> &[Source] {
        match self {
            MatrixRegisters::Loaded(_) => &[],
            MatrixRegisters::Stored(values) => values,
        }
    }

    fn results(&self) -> &[Option<Register>] {
        match self {
            MatrixRegisters::Loaded(results) => results,
            MatrixRegisters::Stored(_) => &[],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.sources().len() + self.results().len()
    }
}

impl MatrixRows {
    /// The threads that give addresses.
    pub(crate) fn lanes(&self) -> u32 {
        u32::MAX >> (32 - 8 * self.registers.len())
    }
}

impl MatrixFragment {
    /// The stride if none is said.
    pub(crate) fn usual_stride(&self) -> u64 {
        let (rows, cols) = self.fragment.size();
        (if self.is_row { cols } else { rows }) as u64
    }

    /// How large the registers of a thread are, in bytes.
    pub(crate) fn fragment_bytes(&self) -> u64 {
        (self.fragment.n_elements() * self.fragment.element.n_bits() / 8) as u64
    }

    /// What is read or written at once: an element, or a word of what is smaller than a byte.
    pub(crate) fn width(&self) -> Width {
        let n_bits = self.fragment.element.n_bits();
        let n_bytes = if n_bits < 8 { 4 } else { n_bits as u64 / 8 };
        Width::of_bytes(n_bytes).expect("invariant: elements have 8, 16, 32 or 64 bits")
    }

    /// How many of them each thread has.
    pub(crate) fn n_parts(&self) -> usize {
        (self.fragment_bytes() / self.width().bytes()) as usize
    }

    /// The register of such a part, and where it lies there.
    pub(crate) fn position(&self, part: usize) -> (usize, u32) {
        let n_bits = 8 * self.width().bytes() as usize;
        let n_register = if n_bits == 64 { 64 } else { 32 };
        (part * n_bits / n_register, (part * n_bits % n_register) as u32)
    }

    /// How far from the beginning of the matrix such a part of a thread lies, in bytes.
    pub(crate) fn offset(&self, lane: usize, part: usize, stride: u64) -> u64 {
        let n_bits = self.fragment.element.n_bits();
        let idx = part * 8 * self.width().bytes() as usize / n_bits;
        let (_, row, col) = self.fragment.place(lane, idx);
        let (line, along) = if self.is_row { (row, col) } else { (col, row) };
        // A stride has 32 bits.
        ((line as u64 * u64::from(stride as u32)) + along as u64) * n_bits as u64 / 8
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MbarrierAction {
    Init,
    Invalidate,
    ExpectTx,
    CompleteTx,
    Arrive {
        drops: bool,
        /// `.noComplete`
        is_incomplete: bool,
    },
    /// By one that is pending besides.
    ArriveExtended,
    ArriveExpectTx {
        drops: bool,
    },
    /// Nothing but that it must be one.
    Look,
    /// `.test_wait`, and `.try_wait`, which need not wait here: by the parity of a phase, or by a state.
    Wait {
        is_of_parity: bool,
    },
}

/// What an access has to do with those of other threads (PTX ISA "Memory Consistency Model").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) semantics: Semantics,
    pub(crate) scope: Scope,
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
    pub(crate) const WEAK: Order = Order { semantics: Semantics::Weak, scope: Scope::System };

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

/// What the threads at a barrier find out together (PTX ISA "bar.red").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BarrierVotes {
    pub(crate) reduction: BarrierReduction,
    pub(crate) predicate: Source,
    pub(crate) result: Option<Register>,
}

/// What is made of the predicates of all threads at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierReduction {
    /// How many hold.
    Count,
    /// Whether all hold.
    All,
    /// Whether one holds.
    Any,
}

impl Op {
    /// Where its operands come from.
    pub(crate) fn sources(&self) -> SmallVec<[Source; 8]> {
        let mut sources = SmallVec::new();
        match self {
            Op::Compute { operands, .. } => sources.extend_from_slice(operands),
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
            Op::Together { operands, members, .. } => {
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
                let mbarrier = match copy.completion {
                    Completion::Mbarrier(mbarrier) => mbarrier.base,
                    Completion::Group => None,
                };
                sources.extend([copy.to.base, copy.from.base, mbarrier].into_iter().flatten());
                sources.push(copy.n_bytes);
                sources.extend([copy.blocks, copy.byte_mask].into_iter().flatten());
            }
            Op::TensorCopy(copy) => {
                let mbarrier = match copy.completion {
                    Completion::Mbarrier(mbarrier) => mbarrier.base,
                    Completion::Group => None,
                };
                sources.extend([copy.map.base, copy.shared.base, mbarrier].into_iter().flatten());
                sources.extend_from_slice(&copy.coordinates);
                if let TensorAction::Load { blocks } = copy.action {
                    sources.extend(blocks);
                }
            }
            Op::MapCopy { to, from } => sources.extend([to.base, from.base].into_iter().flatten()),
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
            Op::Compute { results, .. } | Op::Together { results, .. } => results.iter().flatten().copied().collect(),
            Op::Load { results, .. } => results.iter().flatten().copied().collect(),
            Op::Atomic(atomic) => atomic.result.into_iter().collect(),
            Op::AtomicVector(atomic) => atomic.results.iter().flatten().copied().collect(),
            Op::AtomicWide(atomic) => atomic.result.into_iter().flatten().collect(),
            Op::Counter { result, .. } | Op::Alloca { result, .. } | Op::StackSave { result } => result.iter().copied().collect(),
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

/// What the threads of a warp do together (PTX ISA "Parallel Synchronization and Communication Instructions").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Together {
    /// `shfl.sync`, and `shfl` of the threads that are there.
    Shuffle(Shuffle),
    /// `vote.sync` and what it tells, and `vote` of the threads that are there.
    Vote(Vote),
    /// `match.any.sync`: who has the same value.
    MatchAny { is_wide: bool },
    /// `match.all.sync`: the members if all have the same value.
    MatchAll { is_wide: bool },
    /// `redux.sync`
    Reduce(Reduce),
    /// `redux.sync` of `.f32`
    ReduceFloat(ReduceFloat),
    /// `activemask`
    ActiveMask,
    /// `elect.sync`: the first of the members.
    Elect,
    /// `bar.warp.sync`
    Meet,
}

/// From which thread a value comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// What a vote tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

/// What is made of the values of all members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduce {
    Add,
    MinSigned,
    MinUnsigned,
    MaxSigned,
    MaxUnsigned,
    And,
    Or,
    Xor,
}

/// What is made of the numbers of all members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReduceFloat {
    /// The greatest, and not the least.
    pub(crate) is_max: bool,
    /// Of the magnitudes: `.abs`.
    pub(crate) is_abs: bool,
    /// One that is no number makes all none: `.NaN`. Otherwise it is left out.
    pub(crate) gives_nan: bool,
}

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
