//! Mathematical functions that NVIDIA's libdevice defines (CUDA Math API).

use super::super::Ty;
use super::signature::Operand::{Any, Is, PointerTo, PointerToT, T};
use super::{Class, Operand, Signature};

/// The parameters and the result of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `T f(T)`
    Unary,
    /// `T f(T, T)`
    Binary,
    /// `T f(T, T, T)`
    Ternary,
    /// `T f(T, T, T, T)`
    Quaternary,
    /// `T f(int, const T *)`
    Vector,
    /// `int f(T)`
    ToInt,
    /// `long long f(T)`, or an integer type that the result is converted to
    ToInteger,
    /// `T f(T, int)`, or another integer type, whose values beyond those of `int` count as its ends
    Scaled,
    /// `T f(int, T)`
    Order,
    /// `T f(T, int *)`
    Exponent,
    /// `T f(T, T *)`
    Parts,
    /// `T f(T, T, int *)`
    Quotient,
    /// `void f(T, T *, T *)`
    Pair,
    /// `T f(const char *)`
    Text,
}

/// Rows: `Function: "stem" Shape;`
macro_rules! functions {
    ($($function:ident: $stem:literal $shape:ident;)*) => {
        /// A function of libdevice's, for `float` and for `double`; those whose names begin with `Fast`, and `FrsqrtRn`,
        /// for `float` only. Those of an angle in revolutions, whose names end in `2pi`, exist only as instructions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum LibraryFn {
            $($function,)*
        }

        impl LibraryFn {
            /// Its name in libdevice, without the prefix `__nv_` and the suffix `f` that most have for `float`.
            fn stem(self) -> &'static str {
                match self {
                    $(LibraryFn::$function => $stem,)*
                }
            }

            fn shape(self) -> Shape {
                match self {
                    $(LibraryFn::$function => Shape::$shape,)*
                }
            }
        }
    };
}

functions! {
    Acos: "acos" Unary;
    Acosh: "acosh" Unary;
    Asin: "asin" Unary;
    Asinh: "asinh" Unary;
    Atan: "atan" Unary;
    Atan2: "atan2" Binary;
    Atanh: "atanh" Unary;
    Cbrt: "cbrt" Unary;
    Cos: "cos" Unary;
    Cosh: "cosh" Unary;
    Cospi: "cospi" Unary;
    CylBesselI0: "cyl_bessel_i0" Unary;
    CylBesselI1: "cyl_bessel_i1" Unary;
    Erf: "erf" Unary;
    Erfc: "erfc" Unary;
    Erfcinv: "erfcinv" Unary;
    Erfcx: "erfcx" Unary;
    Erfinv: "erfinv" Unary;
    Exp: "exp" Unary;
    Exp10: "exp10" Unary;
    Exp2: "exp2" Unary;
    Expm1: "expm1" Unary;
    FastCos: "fast_cos" Unary;
    FastCos2pi: "fast_cos2pi" Unary;
    FastExp: "fast_exp" Unary;
    FastExp10: "fast_exp10" Unary;
    FastFdivide: "fast_fdivide" Binary;
    FastLog: "fast_log" Unary;
    FastLog10: "fast_log10" Unary;
    FastLog2: "fast_log2" Unary;
    FastPow: "fast_pow" Binary;
    FastSin: "fast_sin" Unary;
    FastSin2pi: "fast_sin2pi" Unary;
    FastSincos: "fast_sincos" Pair;
    FastSincos2pi: "fast_sincos2pi" Pair;
    FastTan: "fast_tan" Unary;
    FastTanh: "fast_tanh" Unary;
    Fdim: "fdim" Binary;
    Fmod: "fmod" Binary;
    Frexp: "frexp" Exponent;
    FrsqrtRn: "frsqrt_rn" Unary;
    Hypot: "hypot" Binary;
    Ilogb: "ilogb" ToInt;
    J0: "j0" Unary;
    J1: "j1" Unary;
    Jn: "jn" Order;
    Ldexp: "ldexp" Scaled;
    Lgamma: "lgamma" Unary;
    Llrint: "llrint" ToInteger;
    Llround: "llround" ToInteger;
    Log: "log" Unary;
    Log10: "log10" Unary;
    Log1p: "log1p" Unary;
    Log2: "log2" Unary;
    Logb: "logb" Unary;
    Modf: "modf" Parts;
    Nan: "nan" Text;
    Nextafter: "nextafter" Binary;
    Norm: "norm" Vector;
    Norm3d: "norm3d" Ternary;
    Norm4d: "norm4d" Quaternary;
    Normcdf: "normcdf" Unary;
    Normcdfinv: "normcdfinv" Unary;
    Pow: "pow" Binary;
    Rcbrt: "rcbrt" Unary;
    Remainder: "remainder" Binary;
    Remquo: "remquo" Quotient;
    Rhypot: "rhypot" Binary;
    Rnorm: "rnorm" Vector;
    Rnorm3d: "rnorm3d" Ternary;
    Rnorm4d: "rnorm4d" Quaternary;
    Round: "round" Unary;
    Rsqrt: "rsqrt" Unary;
    Scalbn: "scalbn" Scaled;
    Sin: "sin" Unary;
    Sincos: "sincos" Pair;
    Sincospi: "sincospi" Pair;
    Sinh: "sinh" Unary;
    Sinpi: "sinpi" Unary;
    Tan: "tan" Unary;
    Tanh: "tanh" Unary;
    Tgamma: "tgamma" Unary;
    Y0: "y0" Unary;
    Y1: "y1" Unary;
    Yn: "yn" Order;
}

impl LibraryFn {
    /// Its name in CUDA, for `float` or for `double`.
    pub fn name(self, is_single: bool) -> String {
        let suffix = self.suffix(is_single);
        match self.stem().strip_prefix("fast_") {
            Some(stem) => format!("__{stem}{suffix}"),
            None if self == LibraryFn::FrsqrtRn => format!("__{}", self.stem()),
            None => format!("{}{suffix}", self.stem()),
        }
    }

    /// Its name in libdevice.
    pub fn symbol(self, is_single: bool) -> String {
        format!("__nv_{}{}", self.stem(), self.suffix(is_single))
    }

    fn suffix(self, is_single: bool) -> &'static str {
        if is_single && self != LibraryFn::FrsqrtRn { "f" } else { "" }
    }

    pub(super) fn signature(self) -> Signature {
        let (ret, params): (Operand, &[Operand]) = match self.shape() {
            Shape::Unary => (T, &[T]),
            Shape::Binary => (T, &[T, T]),
            Shape::Ternary => (T, &[T, T, T]),
            Shape::Quaternary => (T, &[T, T, T, T]),
            Shape::Vector => (T, &[Is(Ty::INT), PointerToT]),
            Shape::ToInt => (Is(Ty::INT), &[T]),
            Shape::ToInteger => (Any(Class::Int), &[T]),
            Shape::Scaled => (T, &[T, Any(Class::Int)]),
            Shape::Order => (T, &[Is(Ty::INT), T]),
            Shape::Exponent => (T, &[T, PointerTo(Ty::INT)]),
            Shape::Parts => (T, &[T, PointerToT]),
            Shape::Quotient => (T, &[T, T, PointerTo(Ty::INT)]),
            Shape::Pair => (Is(Ty::VOID), &[T, PointerToT, PointerToT]),
            Shape::Text => (T, &[PointerTo(Ty::CHAR)]),
        };
        Signature { class: Class::Float, ret, params, is_variadic: false }
    }

    /// Whether it only gives a value.
    pub(super) fn is_pure(self) -> bool {
        match self.shape() {
            Shape::Exponent | Shape::Parts | Shape::Quotient | Shape::Pair => false,
            Shape::Unary
            | Shape::Binary
            | Shape::Ternary
            | Shape::Quaternary
            | Shape::Vector
            | Shape::ToInt
            | Shape::ToInteger
            | Shape::Scaled
            | Shape::Order
            | Shape::Text => true,
        }
    }
}
