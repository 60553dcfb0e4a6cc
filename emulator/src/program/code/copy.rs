//! What copies while threads go on (PTX ISA "Data Movement and Conversion Instructions: Asynchronous copy"), and what tells of it.

use smallvec::SmallVec;

use super::{Address, Order, Register, Source, Update};
use crate::memory::bytes::Width;

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

impl Completion {
    /// Where the address of what is told comes from.
    pub(super) fn source(self) -> Option<Source> {
        match self {
            Completion::Mbarrier(mbarrier) => mbarrier.base,
            Completion::Group => None,
        }
    }
}

/// What becomes of an element that is there, and of the one that comes.
pub(crate) struct BulkReduction {
    pub(crate) width: Width,
    pub(crate) update: Update,
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
