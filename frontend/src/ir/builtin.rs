//! The functions that the compiler knows by itself.
//!
//! A [`Builtin`] is one operation on operands of fixed types; the table in
//! `sema` maps CUDA's names and overloads to it.

/// An operation behind a built-in function. Operands and result are of the types that its
/// documentation names; T is the type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Builtin {
    /// `__syncthreads()`: PTX ISA "bar"
    SyncThreads,
    /// `__syncwarp(unsigned)`: PTX ISA "bar.warp.sync"
    SyncWarp,
    /// `T atomicAdd(T*, T)`, T of int, unsigned, unsigned long long, float, double: relaxed, at
    /// device scope; gives the old value
    AtomicAdd,
    /// `T min(T, T)`, T integer (signed or unsigned by the type) or floating (IEEE minNum)
    Min,
    /// `T max(T, T)`
    Max,
    /// `T abs(T)`, T signed integer or floating
    Abs,
    /// `T fma(T, T, T)`, floating, rounded once
    Fma,
    /// `T sqrt(T)`, floating, correctly rounded
    Sqrt,
    /// `float rsqrtf(float)`: PTX ISA "rsqrt.approx"; double: `rsqrt.approx` refined is not here
    Rsqrt,
    /// `T floor(T)`, floating
    Floor,
    /// `T ceil(T)`, floating
    Ceil,
    /// `T trunc(T)`, floating
    Trunc,
    /// `T __shfl_sync(unsigned mask, T, int lane, int width)`, T of 32 or 64 bits, among each `width`
    /// lanes: PTX ISA "shfl.sync"
    ShflIdx,
    /// `T __shfl_up_sync(unsigned mask, T, unsigned delta, int width)`, likewise
    ShflUp,
    /// `T __shfl_down_sync(unsigned mask, T, unsigned delta, int width)`, likewise
    ShflDown,
    /// `T __shfl_xor_sync(unsigned mask, T, int lane_mask, int width)`, likewise
    ShflXor,
}
