//! The functions that the compiler knows by itself.
//!
//! A [`Builtin`] is one operation; the table in `sema` maps CUDA's names and overloads to it. There
//! is a family for each chapter of CUDA's functions:
//!
//! - `signature`: the types of operands and results
//! - `sync`: barriers and fences
//! - `warp`: what the lanes of a warp do together
//! - `atomic`: atomic memory operations
//! - `ordered`: the same with a memory order
//! - `matrix`: products of matrices by a warp
//! - `memory`: accesses that say what becomes of them in the caches
//! - `bytes`: what is done to many bytes at once
//! - `address`: state spaces of addresses
//! - `cluster`: clusters of blocks, and grids that wait for others
//! - `asynchronous`: barriers in shared memory, and asynchronous copies
//! - `thread`: clocks, sleep, traps, memory of the stack
//! - `hint`: what the optimiser is told
//! - `math`: arithmetic on numbers of several types
//! - `library`: mathematical functions that libdevice defines
//! - `integer`: integer arithmetic and bits
//! - `overflow`: integer arithmetic that tells whether it is exact
//! - `float`: floating-point arithmetic that says how it rounds
//! - `convert`: conversions that say how they round, and bits of one type as another
//! - `rounded`: arithmetic and conversions that round as an argument says
//! - `simd`: two halves or four bytes of a word at once
//! - `dpx`: minima and maxima for dynamic programming
//! - `half`: half precision
//! - `texture`: textures and surfaces
//! - `system`: what the driver does
//!
//! All that is said of an operation apart from its lowering stands in its family: what it is, the
//! types of its operands, and whether it does more than give a value.

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

/// An operation behind a built-in function.
///
/// Operands and result are of the types that [`Builtin::signature`] names; T in the documentation of
/// the families is the type that each use chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Builtin {
    /// Barriers and fences.
    Sync(SyncOp),
    /// What the lanes of a warp do together.
    Warp(WarpOp),
    /// Atomic memory operations.
    Atomic(Atomic),
    /// Atomic memory operations with a memory order.
    Ordered(Ordered),
    /// Accesses that say what becomes of them in the caches.
    Memory(MemoryOp),
    /// Products of matrices by a warp.
    Matrix(MatrixOp),
    /// What is done to many bytes at once.
    Bytes(BytesOp),
    /// State spaces of addresses.
    Address(AddressOp),
    /// Clusters of blocks, and grids that wait for others.
    Cluster(ClusterOp),
    /// Barriers in shared memory, and asynchronous copies.
    Async(AsyncOp),
    /// Clocks, sleep, traps, memory of the stack.
    Thread(ThreadOp),
    /// What the optimiser is told.
    Hint(HintOp),
    /// Arithmetic on numbers of several types.
    Math(MathOp),
    /// Mathematical functions that libdevice defines.
    Library(LibraryFn),
    /// Integer arithmetic and bits.
    Integer(IntegerOp),
    /// Integer arithmetic that tells whether it is exact.
    Overflow(OverflowOp),
    /// Floating-point arithmetic that says how it rounds.
    Float(FloatOp),
    /// Conversions that say how they round, and bits of one type as another.
    Convert(ConvertOp),
    /// Arithmetic and conversions that round as an argument says.
    Rounded(RoundedOp),
    /// Two halves or four bytes of a word at once.
    Simd(SimdOp, Lanes),
    /// Minima and maxima for dynamic programming.
    Dpx(DpxOp, Extreme, Numbers),
    /// Half precision.
    Half(HalfOp),
    /// Textures and surfaces.
    Texture(TextureOp),
    /// What the driver does.
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

    /// Whether it only gives a value: it writes nothing, and waits for nobody.
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

/// The operation alone, as `--emit=ir` prints it: the families share no names.
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
