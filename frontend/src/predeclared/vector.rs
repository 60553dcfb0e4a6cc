//! The built-in vector types (CUDA C++ Programming Guide "Built-in Vector Types").
//!
//! Each is a struct of one to four members `x`, `y`, `z`, `w` of one type, with the alignment that one
//! access to all of them needs where there is such an access.

use crate::ir::Ty;
use crate::layout::DataModel;

/// A built-in vector type.
#[derive(Debug)]
pub(crate) struct Vector {
    pub(crate) name: &'static str,
    /// The function that makes one of its components.
    pub(crate) maker: &'static str,
    pub(crate) elem: Ty,
    pub(crate) n_elems: usize,
    /// Bytes, of a host with 64-bit `long`: [`Vector::align_in`].
    align: u32,
    /// The type that replaces one that CUDA is about to remove.
    pub(crate) successor: Option<&'static str>,
}

impl Vector {
    /// The names of all members; a type has the first of them.
    pub(crate) const MEMBERS: [&str; 4] = ["x", "y", "z", "w"];

    /// Bytes that its address is a multiple of. Where `long` has four bytes, one of them and two are aligned as one
    /// and two of `int` are; of four, CUDA's headers say how they are, whatever their size.
    pub(crate) fn align_in(&self, model: DataModel) -> u32 {
        let is_long = matches!(self.elem, Ty::LONG | Ty::ULONG);
        if is_long && model == DataModel::Ilp32 && self.n_elems < 4 { self.align / 2 } else { self.align }
    }
}

macro_rules! vectors {
    ($($name:literal $elem:ident $n_elems:literal $align:literal $(replaced by $successor:literal)?;)*) => {
        /// All of them.
        pub(crate) const VECTORS: &[Vector] = &[$(Vector {
            name: $name,
            maker: concat!("make_", $name),
            elem: Ty::$elem,
            n_elems: $n_elems,
            align: $align,
            successor: vectors!(@successor $($successor)?),
        },)*];
    };
    (@successor) => { None };
    (@successor $name:literal) => { Some($name) };
}

vectors! {
    "char1" SCHAR 1 1;
    "char2" SCHAR 2 2;
    "char3" SCHAR 3 1;
    "char4" SCHAR 4 4;
    "uchar1" UCHAR 1 1;
    "uchar2" UCHAR 2 2;
    "uchar3" UCHAR 3 1;
    "uchar4" UCHAR 4 4;
    "short1" SHORT 1 2;
    "short2" SHORT 2 4;
    "short3" SHORT 3 2;
    "short4" SHORT 4 8;
    "ushort1" USHORT 1 2;
    "ushort2" USHORT 2 4;
    "ushort3" USHORT 3 2;
    "ushort4" USHORT 4 8;
    "int1" INT 1 4;
    "int2" INT 2 8;
    "int3" INT 3 4;
    "int4" INT 4 16;
    "uint1" UINT 1 4;
    "uint2" UINT 2 8;
    "uint3" UINT 3 4;
    "uint4" UINT 4 16;
    "long1" LONG 1 8;
    "long2" LONG 2 16;
    "long3" LONG 3 8;
    "long4" LONG 4 16 replaced by "long4_16a";
    "long4_16a" LONG 4 16;
    "long4_32a" LONG 4 32;
    "ulong1" ULONG 1 8;
    "ulong2" ULONG 2 16;
    "ulong3" ULONG 3 8;
    "ulong4" ULONG 4 16 replaced by "ulong4_16a";
    "ulong4_16a" ULONG 4 16;
    "ulong4_32a" ULONG 4 32;
    "longlong1" LONGLONG 1 8;
    "longlong2" LONGLONG 2 16;
    "longlong3" LONGLONG 3 8;
    "longlong4" LONGLONG 4 16 replaced by "longlong4_16a";
    "longlong4_16a" LONGLONG 4 16;
    "longlong4_32a" LONGLONG 4 32;
    "ulonglong1" ULONGLONG 1 8;
    "ulonglong2" ULONGLONG 2 16;
    "ulonglong3" ULONGLONG 3 8;
    "ulonglong4" ULONGLONG 4 16 replaced by "ulonglong4_16a";
    "ulonglong4_16a" ULONGLONG 4 16;
    "ulonglong4_32a" ULONGLONG 4 32;
    "float1" FLOAT 1 4;
    "float2" FLOAT 2 8;
    "float3" FLOAT 3 4;
    "float4" FLOAT 4 16;
    "double1" DOUBLE 1 8;
    "double2" DOUBLE 2 16;
    "double3" DOUBLE 3 8;
    "double4" DOUBLE 4 16 replaced by "double4_16a";
    "double4_16a" DOUBLE 4 16;
    "double4_32a" DOUBLE 4 32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_successor_is_a_type_of_the_same_components() {
        for vector in VECTORS {
            let Some(name) = vector.successor else { continue };
            let successor = VECTORS.iter().find(|v| v.name == name).expect("a vector type");
            assert_eq!((successor.elem, successor.n_elems), (vector.elem, vector.n_elems), "{name}");
        }
    }
}
