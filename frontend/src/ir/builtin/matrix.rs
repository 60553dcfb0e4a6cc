//! Matrix multiplication by a warp (CUDA C++ Programming Guide "Warp Matrix Functions"; PTX ISA "wmma"): nvcc's built-in functions
//! on which the templates of `<mma.h>` are based. A thread's part of a matrix is in an array, whose layout is unspecified.

use std::fmt;

use super::super::Ty;
use super::Signature;
use super::signature::Operand::{Constant, Eights, Is, PointerTo};

/// An operation on matrices of a warp.
///
/// Layouts are constants: 0 where rows follow one another, 1 where columns do; of a product, twice that of A plus that of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatrixOp {
    /// `void(T *, const T *, unsigned stride, int layout)`: the part of the thread, from memory: PTX ISA "wmma.load"
    MatrixLoad(MatrixShape, MatrixRole),
    /// `void(T *, const T *, unsigned stride, int layout)`: to memory, from the part of the thread: PTX ISA "wmma.store"
    MatrixStore(MatrixShape, Sum),
    /// `void(D *, const A *, const A *, const C *, int layout, int is_saturated)`: PTX ISA "wmma.mma"
    MatrixMultiply {
        /// The shape of the matrices.
        shape: MatrixShape,
        /// The elements of A and B.
        factor: Factor,
        /// Those of D.
        to: Sum,
        /// Those of C.
        from: Sum,
    },
    /// `void(int *, const int *, const int *, const int *, unsigned layout)`: how many bits are one in both: PTX ISA "wmma.mma"
    MatrixAndCount,
    /// The same, how many differ.
    MatrixXorCount,
    /// `void(int m, int n, int k, int…, void *D, A, unsigned long long B)`: a product by four warps, of matrices in shared memory of
    /// which A and B are descriptors, while the program goes on; D is in the thread's registers. After the shape there are
    /// [`GroupFactor::options`]. PTX ISA "wgmma.mma_async"
    GroupMultiply {
        /// The elements of A and B.
        factor: GroupFactor,
        /// A is the thread's registers: `const void *`.
        in_registers: bool,
    },
}

/// How large matrices are: A has m rows and k columns, B k and n, C and D m and n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum MatrixShape {
    M16N16K16,
    M32N8K16,
    M8N32K16,
    M16N16K8,
    M8N8K4,
    M8N8K32,
    M8N8K128,
}

/// Which matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatrixRole {
    /// The first factor.
    A(Factor),
    /// The second factor.
    B(Factor),
    /// The addend.
    C(Sum),
}

/// The element type of the factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Factor {
    /// `__half`
    Half,
    /// `__nv_bfloat16`
    Bfloat,
    /// A `float` of which 19 bits count.
    Tf32,
    /// `double`
    Double,
    /// `signed char`
    S8,
    /// `unsigned char`
    U8,
    /// Signed integers of 4 bits.
    S4,
    /// Unsigned ones.
    U4,
    /// Bits.
    Bit,
}

/// The element type of the factors of warpgroup products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupFactor {
    /// `__half`
    Half,
    /// `__nv_bfloat16`
    Bfloat,
    /// A `float` of which 19 bits count.
    Tf32,
    /// Floating-point numbers of 8 bits.
    Byte,
}

/// An option of a warpgroup product, a constant that is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupOption {
    /// Elements of A along `m` follow one another in memory, and not those along `k`.
    TransposedA,
    /// Elements of B along `n`.
    TransposedB,
    /// The elements of A count with the other sign.
    NegatedA,
    /// The same of B.
    NegatedB,
    /// The elements of A are `e4m3`, and not `e5m2`.
    PreciseA,
    /// The same of B.
    PreciseB,
    /// The product is added to D, and does not replace it.
    Added,
    /// D is of `__half`, and not of `float`.
    HalfSums,
}

impl GroupFactor {
    /// How many columns A has.
    pub fn k(self) -> u32 {
        match self {
            GroupFactor::Half | GroupFactor::Bfloat => 16,
            GroupFactor::Tf32 => 8,
            GroupFactor::Byte => 32,
        }
    }

    /// The constants after the shape.
    pub fn options(self) -> &'static [GroupOption] {
        use GroupOption::*;
        match self {
            GroupFactor::Half => &[TransposedA, NegatedA, TransposedB, NegatedB, Added, HalfSums],
            GroupFactor::Bfloat => &[TransposedA, NegatedA, TransposedB, NegatedB, Added],
            GroupFactor::Tf32 => &[NegatedA, NegatedB, Added],
            GroupFactor::Byte => &[NegatedA, NegatedB, PreciseA, PreciseB, Added, HalfSums],
        }
    }
}

/// The element type of the sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sum {
    /// `__half`
    Half,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `int`
    Int,
}

impl Factor {
    /// The name in PTX.
    pub fn ptx(self) -> &'static str {
        match self {
            Factor::Half => "f16",
            Factor::Bfloat => "bf16",
            Factor::Tf32 => "tf32",
            Factor::Double => "f64",
            Factor::S8 => "s8",
            Factor::U8 => "u8",
            Factor::S4 => "s4",
            Factor::U4 => "u4",
            Factor::Bit => "b1",
        }
    }

    /// Whether A has rows and B columns, and nothing else.
    pub fn is_small(self) -> bool {
        matches!(self, Factor::S4 | Factor::U4 | Factor::Bit)
    }
}

impl Sum {
    /// The name in PTX.
    pub fn ptx(self) -> &'static str {
        match self {
            Sum::Half => "f16",
            Sum::Float => "f32",
            Sum::Double => "f64",
            Sum::Int => "s32",
        }
    }
}

impl fmt::Display for MatrixShape {
    /// As in PTX.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MatrixShape::M16N16K16 => "m16n16k16",
            MatrixShape::M32N8K16 => "m32n8k16",
            MatrixShape::M8N32K16 => "m8n32k16",
            MatrixShape::M16N16K8 => "m16n16k8",
            MatrixShape::M8N8K4 => "m8n8k4",
            MatrixShape::M8N8K32 => "m8n8k32",
            MatrixShape::M8N8K128 => "m8n8k128",
        })
    }
}

macro_rules! access {
    ($ty:ident, $layout:expr) => {
        Signature::fixed(
            Is(Ty::VOID),
            const { &[PointerTo(Ty::$ty), PointerTo(Ty::$ty), Is(Ty::UINT), $layout] },
        )
    };
}

macro_rules! product {
    ($d:ident, $ab:ident, $c:ident, $layout:expr) => {
        Signature::fixed(
            Is(Ty::VOID),
            const {
                &[
                    PointerTo(Ty::$d),
                    PointerTo(Ty::$ab),
                    PointerTo(Ty::$ab),
                    PointerTo(Ty::$c),
                    $layout,
                    Constant(0, 1),
                ]
            },
        )
    };
}

/// The shape, the options and the matrices.
macro_rules! group_product {
    ($a:expr, $k:literal, $($option:ident)*) => {
        Signature::fixed(
            Is(Ty::VOID),
            const {
                &[
                    Constant(64, 64),
                    Eights(256),
                    Constant($k, $k),
                    $($option,)*
                    PointerTo(Ty::VOID),
                    $a,
                    Is(Ty::ULONGLONG),
                ]
            },
        )
    };
}

/// Rows and columns.
const ROWS: super::Operand = Constant(0, 0);
const COLS: super::Operand = Constant(1, 1);
const ANY: super::Operand = Constant(0, 1);

impl MatrixOp {
    pub(super) fn signature(self) -> Signature {
        match self {
            MatrixOp::MatrixLoad(_, MatrixRole::A(factor)) if factor.is_small() => access!(INT, ROWS),
            MatrixOp::MatrixLoad(_, MatrixRole::B(factor)) if factor.is_small() => access!(INT, COLS),
            MatrixOp::MatrixLoad(_, MatrixRole::A(Factor::Double) | MatrixRole::B(Factor::Double)) => {
                access!(DOUBLE, ANY)
            }
            MatrixOp::MatrixLoad(_, MatrixRole::A(_) | MatrixRole::B(_)) => access!(INT, ANY),
            MatrixOp::MatrixLoad(_, MatrixRole::C(sum)) | MatrixOp::MatrixStore(_, sum) => match sum {
                Sum::Half | Sum::Int => access!(INT, ANY),
                Sum::Float => access!(FLOAT, ANY),
                Sum::Double => access!(DOUBLE, ANY),
            },
            MatrixOp::MatrixMultiply { factor, to, from, .. } => match (to, from) {
                _ if factor.is_small() => product!(INT, INT, INT, COLS),
                (Sum::Double, _) | (_, Sum::Double) => product!(DOUBLE, DOUBLE, DOUBLE, Constant(0, 3)),
                (Sum::Float, Sum::Float) => product!(FLOAT, INT, FLOAT, Constant(0, 3)),
                (Sum::Float, Sum::Half | Sum::Int) => product!(FLOAT, INT, INT, Constant(0, 3)),
                (Sum::Half | Sum::Int, Sum::Float) => product!(INT, INT, FLOAT, Constant(0, 3)),
                (Sum::Half | Sum::Int, Sum::Half | Sum::Int) => product!(INT, INT, INT, Constant(0, 3)),
            },
            MatrixOp::MatrixAndCount | MatrixOp::MatrixXorCount => Signature::fixed(
                Is(Ty::VOID),
                &[PointerTo(Ty::INT), PointerTo(Ty::INT), PointerTo(Ty::INT), PointerTo(Ty::INT), COLS],
            ),
            MatrixOp::GroupMultiply { factor, in_registers: false } => match factor {
                GroupFactor::Half => group_product!(Is(Ty::ULONGLONG), 16, ANY ANY ANY ANY ANY ANY),
                GroupFactor::Bfloat => group_product!(Is(Ty::ULONGLONG), 16, ANY ANY ANY ANY ANY),
                GroupFactor::Tf32 => group_product!(Is(Ty::ULONGLONG), 8, ANY ANY ANY),
                GroupFactor::Byte => group_product!(Is(Ty::ULONGLONG), 32, ANY ANY ANY ANY ANY ANY),
            },
            MatrixOp::GroupMultiply { factor, in_registers: true } => match factor {
                GroupFactor::Half => group_product!(PointerTo(Ty::VOID), 16, ANY ANY ANY ANY ANY ANY),
                GroupFactor::Bfloat => group_product!(PointerTo(Ty::VOID), 16, ANY ANY ANY ANY ANY),
                GroupFactor::Tf32 => group_product!(PointerTo(Ty::VOID), 8, ANY ANY ANY),
                GroupFactor::Byte => group_product!(PointerTo(Ty::VOID), 32, ANY ANY ANY ANY ANY ANY),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warpgroup_products_have_a_constant_per_option() {
        for factor in [GroupFactor::Half, GroupFactor::Bfloat, GroupFactor::Tf32, GroupFactor::Byte] {
            for in_registers in [false, true] {
                let params = MatrixOp::GroupMultiply { factor, in_registers }.signature().params;
                let n_constants = params.iter().filter(|param| param.constants().is_some()).count();
                assert_eq!(
                    (n_constants, params.len()),
                    (3 + factor.options().len(), n_constants + 3),
                    "{factor:?}"
                );
                assert_eq!(params[2], Constant(factor.k(), factor.k()));
            }
        }
    }
}
