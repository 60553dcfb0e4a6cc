//! The data model: the sizes of the host's `long`, `size_t` and pointers (PTX Interop 1.1).
//!
//! For a 32-bit host they match g++ with `-m32`, except that eight bytes are aligned to eight, like in
//! nvcc's device compiler in 32-bit mode (`cicc -m32`) and in LLVM's data layout of `nvptx`
//! (`i64:64`). `__int128` has 16 bytes and that alignment in both models.

use crate::ir::{IntTy, Ty};

/// The width of addresses, and its consequences for the integer types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// `long` and pointers have 64 bits.
    #[default]
    Lp64,
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
}

impl DataModel {
    /// Bytes of a pointer, and its alignment.
    pub fn pointer_size(self) -> u64 {
        match self {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }

    /// The bits of an address, as `.address_size` has them.
    pub fn address_bits(self) -> u32 {
        self.pointer_size() as u32 * 8
    }

    /// The largest size of an object in bytes: the largest difference of two pointers.
    pub fn max_size(self) -> u64 {
        match self {
            DataModel::Lp64 => i64::MAX as u64,
            DataModel::Ilp32 => i32::MAX as u64,
        }
    }

    /// The type `long`.
    pub fn long(self) -> IntTy {
        match self {
            DataModel::Lp64 => IntTy::Long,
            DataModel::Ilp32 => IntTy::Long32,
        }
    }

    /// The type `unsigned long`.
    pub fn ulong(self) -> IntTy {
        match self {
            DataModel::Lp64 => IntTy::ULong,
            DataModel::Ilp32 => IntTy::ULong32,
        }
    }

    /// `int64_t`: the first signed type of 64 bits.
    pub fn int64(self) -> IntTy {
        match self {
            DataModel::Lp64 => IntTy::Long,
            DataModel::Ilp32 => IntTy::LongLong,
        }
    }

    /// `uint64_t`
    pub fn uint64(self) -> IntTy {
        match self {
            DataModel::Lp64 => IntTy::ULong,
            DataModel::Ilp32 => IntTy::ULongLong,
        }
    }

    /// `size_t`, which `sizeof` gives.
    pub fn size_ty(self) -> Ty {
        match self {
            DataModel::Lp64 => Ty::ULONG,
            DataModel::Ilp32 => Ty::UINT,
        }
    }

    /// `ptrdiff_t`, the difference of two pointers.
    pub fn ptrdiff_ty(self) -> Ty {
        match self {
            DataModel::Lp64 => Ty::LONG,
            DataModel::Ilp32 => Ty::INT,
        }
    }

    /// An address of which all but the bits that there are is cut off.
    pub fn wrap_address(self, address: i64) -> i64 {
        match self {
            DataModel::Lp64 => address,
            DataModel::Ilp32 => i64::from(address as u32),
        }
    }
}
