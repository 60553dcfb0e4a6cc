//! Built-in functions.
//!
//! A [`Builtin`] is one operation; the table in `sema` maps CUDA's names and overloads to it. There
//! is a family for each chapter of CUDA's functions:
//!
//! - `signature`: the types of operands and results
//! - `sync`: barriers and fences
//! - `warp`: warp collectives
//! - `atomic`: atomic memory operations
//! - `ordered`: atomic operations with a memory order
//! - `matrix`: matrix multiplication by a warp
//! - `memory`: accesses with cache hints
//! - `bytes`: operations on ranges of bytes
//! - `address`: state spaces of addresses
//! - `cluster`: thread block clusters and programmatic dependent launch
//! - `asynchronous`: barriers in shared memory, and asynchronous copies
//! - `thread`: clocks, sleep, traps, stack memory
//! - `hint`: hints for the optimizer
//! - `math`: arithmetic on numbers of several types
//! - `library`: mathematical functions that libdevice defines
//! - `integer`: integer arithmetic and bits
//! - `overflow`: integer arithmetic that reports overflow
//! - `float`: floating-point arithmetic with an explicit rounding mode
//! - `convert`: conversions with an explicit rounding mode, and reinterpretation of bits
//! - `rounded`: arithmetic and conversions whose rounding mode is an argument
//! - `simd`: two halves or four bytes of a word at once
//! - `dpx`: minima and maxima for dynamic programming
//! - `half`: half precision
//! - `texture`: textures and surfaces
//! - `system`: system calls
//!
//! Everything about an operation except its lowering is in its family: what it is, the
//! types of its operands, and whether it has side effects.

mod address;
mod asynchronous;
mod atomic;
mod bytes;
mod cluster;
mod convert;
mod dpx;
mod float;
pub mod half;
mod hint;
mod integer;
mod library;
mod math;
mod matrix;
mod memory;
mod ordered;
mod overflow;
mod rounded;
pub mod signature;
mod simd;
mod sync;
mod system;
mod texture;
mod thread;
mod warp;

use std::fmt;

pub use address::{AddressOp, Window};
pub use asynchronous::{AsyncOp, CopyForm};
pub use atomic::{Atomic, AtomicOp, Scope};
pub use bytes::BytesOp;
pub use cluster::ClusterOp;
pub use convert::ConvertOp;
pub use dpx::{DpxOp, Extreme, Numbers};
pub use float::{FloatOp, Rounding};
pub use half::HalfOp;
pub use hint::HintOp;
pub use integer::IntegerOp;
pub use library::LibraryFn;
pub use math::MathOp;
pub use matrix::{Factor, GroupFactor, GroupOption, MatrixOp, MatrixRole, MatrixShape, Sum};
pub use memory::{LoadCache, MemoryOp, StoreCache};
pub use ordered::{MemoryOrder, Ordered, OrderedOp};
pub use overflow::OverflowOp;
pub use rounded::RoundedOp;
pub use signature::{Class, Operand, Signature};
pub use simd::{Lanes, Sign, SimdOp};
pub use sync::SyncOp;
pub use system::SystemOp;
pub use texture::{Geometry, Level, Residency, TextureOp};
pub use thread::ThreadOp;
pub use warp::WarpOp;

/// The operation of a built-in function.
///
/// Operands and result are of the types that [`Builtin::signature`] names; T in the documentation of
/// the families is the type that each use chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Builtin {
    /// Barriers and fences.
    Sync(SyncOp),
    /// Warp collectives.
    Warp(WarpOp),
    /// Atomic memory operations.
    Atomic(Atomic),
    /// Atomic memory operations with a memory order.
    Ordered(Ordered),
    /// Accesses with cache hints.
    Memory(MemoryOp),
    /// Matrix multiplication by a warp.
    Matrix(MatrixOp),
    /// Operations on ranges of bytes.
    Bytes(BytesOp),
    /// State spaces of addresses.
    Address(AddressOp),
    /// Thread block clusters and programmatic dependent launch.
    Cluster(ClusterOp),
    /// Barriers in shared memory, and asynchronous copies.
    Async(AsyncOp),
    /// Clocks, sleep, traps, stack memory.
    Thread(ThreadOp),
    /// Hints for the optimizer.
    Hint(HintOp),
    /// Arithmetic on numbers of several types.
    Math(MathOp),
    /// Mathematical functions that libdevice defines.
    Library(LibraryFn),
    /// Integer arithmetic and bits.
    Integer(IntegerOp),
    /// Integer arithmetic that reports overflow.
    Overflow(OverflowOp),
    /// Floating-point arithmetic with an explicit rounding mode.
    Float(FloatOp),
    /// Conversions with an explicit rounding mode, and reinterpretation of bits.
    Convert(ConvertOp),
    /// Arithmetic and conversions whose rounding mode is an argument.
    Rounded(RoundedOp),
    /// SIMD operations on two halves or four bytes of a word.
    Simd(SimdOp, Lanes),
    /// Minima and maxima for dynamic programming.
    Dpx(DpxOp, Extreme, Numbers),
    /// Half precision.
    Half(HalfOp),
    /// Textures and surfaces.
    Texture(TextureOp),
    /// System calls.
    System(SystemOp),
}

impl Builtin {
    /// The types of the operands and the result.
    pub fn signature(self) -> Signature {
        match self {
            Builtin::Sync(op) => op.signature(),
            Builtin::Warp(op) => op.signature(),
            Builtin::Atomic(op) => op.signature(),
            Builtin::Ordered(op) => op.signature(),
            Builtin::Memory(op) => op.signature(),
            Builtin::Bytes(op) => op.signature(),
            Builtin::Address(op) => op.signature(),
            Builtin::Cluster(op) => op.signature(),
            Builtin::Async(op) => op.signature(),
            Builtin::Matrix(op) => op.signature(),
            Builtin::Thread(op) => op.signature(),
            Builtin::Hint(op) => op.signature(),
            Builtin::Math(op) => op.signature(),
            Builtin::Library(function) => function.signature(),
            Builtin::Integer(op) => op.signature(),
            Builtin::Overflow(op) => op.signature(),
            Builtin::Float(op) => op.signature(),
            Builtin::Convert(op) => op.signature(),
            Builtin::Rounded(op) => op.signature(),
            Builtin::Simd(op, _) => op.signature(),
            Builtin::Dpx(op, _, numbers) => op.signature(numbers),
            Builtin::Half(op) => op.signature(),
            Builtin::Texture(op) => op.signature(),
            Builtin::System(op) => op.signature(),
        }
    }

    /// Whether it only computes a value: it writes nothing and does not wait.
    pub fn is_pure(self) -> bool {
        match self {
            Builtin::Sync(_)
            | Builtin::Warp(_)
            | Builtin::Atomic(_)
            | Builtin::Ordered(_)
            | Builtin::Async(_)
            | Builtin::Matrix(_)
            | Builtin::Bytes(_)
            | Builtin::Thread(_)
            | Builtin::Overflow(_)
            | Builtin::System(_) => false,
            Builtin::Hint(op) => op.is_pure(),
            Builtin::Library(function) => function.is_pure(),
            Builtin::Memory(op) => op.is_pure(),
            Builtin::Cluster(op) => op.is_pure(),
            Builtin::Dpx(op, ..) => op.is_pure(),
            Builtin::Texture(op) => op.is_pure(),
            Builtin::Address(_)
            | Builtin::Math(_)
            | Builtin::Integer(_)
            | Builtin::Float(_)
            | Builtin::Convert(_)
            | Builtin::Rounded(_)
            | Builtin::Simd(..)
            | Builtin::Half(_) => true,
        }
    }
}

/// The operation without operands, as `--emit=ir` prints it; names are unique across families.
impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Builtin::Sync(op) => write!(f, "{op:?}"),
            Builtin::Warp(op) => write!(f, "{op:?}"),
            Builtin::Atomic(op) => write!(f, "{op:?}"),
            Builtin::Ordered(op) => write!(f, "{op:?}"),
            Builtin::Memory(op) => write!(f, "{op:?}"),
            Builtin::Bytes(op) => write!(f, "{op:?}"),
            Builtin::Address(op) => write!(f, "{op:?}"),
            Builtin::Cluster(op) => write!(f, "{op:?}"),
            Builtin::Async(op) => write!(f, "{op:?}"),
            Builtin::Matrix(op) => write!(f, "{op:?}"),
            Builtin::Thread(op) => write!(f, "{op:?}"),
            Builtin::Hint(op) => write!(f, "{op:?}"),
            Builtin::Math(op) => write!(f, "{op:?}"),
            Builtin::Library(function) => write!(f, "{function:?}"),
            Builtin::Integer(op) => write!(f, "{op:?}"),
            Builtin::Overflow(op) => write!(f, "{op:?}"),
            Builtin::Float(op) => write!(f, "{op:?}"),
            Builtin::Convert(op) => write!(f, "{op:?}"),
            Builtin::Rounded(op) => write!(f, "{op:?}"),
            Builtin::Simd(op, lanes) => write!(f, "{op:?} {lanes:?}"),
            Builtin::Half(op) => write!(f, "{op:?}"),
            Builtin::Texture(op) => write!(f, "{op}"),
            Builtin::System(op) => write!(f, "{op:?}"),
            Builtin::Dpx(op, extreme, numbers) => write!(f, "{op:?} {extreme:?} {numbers:?}"),
        }
    }
}
