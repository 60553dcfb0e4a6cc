//! The names and overloads of built-in functions, and the choice among them.
//!
//! Each line of the table is one overload as CUDA's headers declare it for device code. Overloads
//! are chosen as C++ does (C++17 16.3): the one that is better for some argument and worse for none.
//! A call that is ambiguous to nvcc is ambiguous here.

use super::Cx;
use super::convert::{Target, promoted};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Builtin, Expr, ExprData, FloatTy, Quals, Ty, TyKind, TypeTable};
use crate::source::Span;

/// The type of a parameter or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Plain(Ty),
    PointerTo(Ty),
}

struct Overload {
    name: &'static str,
    builtin: Builtin,
    ret: Ty,
    params: &'static [Type],
    /// The value of a last parameter that the call may leave out.
    default: Option<i128>,
}

macro_rules! overloads {
    ($($ret:ident $name:literal ($($param:ident $($star:literal)?),*) $(default $default:literal)? => $builtin:ident;)*) => {
        &[$(Overload {
            name: $name,
            builtin: Builtin::$builtin,
            ret: Ty::$ret,
            params: &[$(overloads!(@type $param $($star)?)),*],
            default: overloads!(@default $($default)?),
        },)*]
    };
    (@type $ty:ident) => { Type::Plain(Ty::$ty) };
    (@type $ty:ident $star:literal) => { Type::PointerTo(Ty::$ty) };
    (@default) => { None };
    (@default $value:literal) => { Some($value) };
}

/// Sorted by name.
static TABLE: &[Overload] = overloads! {
    VOID "__syncthreads"() => SyncThreads;
    VOID "__syncwarp"(UINT) default 0xffff_ffff => SyncWarp;
    INT "__shfl_sync"(UINT, INT, INT, INT) default 32 => ShflIdx;
    UINT "__shfl_sync"(UINT, UINT, INT, INT) default 32 => ShflIdx;
    LONG "__shfl_sync"(UINT, LONG, INT, INT) default 32 => ShflIdx;
    ULONG "__shfl_sync"(UINT, ULONG, INT, INT) default 32 => ShflIdx;
    LONGLONG "__shfl_sync"(UINT, LONGLONG, INT, INT) default 32 => ShflIdx;
    ULONGLONG "__shfl_sync"(UINT, ULONGLONG, INT, INT) default 32 => ShflIdx;
    FLOAT "__shfl_sync"(UINT, FLOAT, INT, INT) default 32 => ShflIdx;
    DOUBLE "__shfl_sync"(UINT, DOUBLE, INT, INT) default 32 => ShflIdx;
    INT "__shfl_up_sync"(UINT, INT, UINT, INT) default 32 => ShflUp;
    UINT "__shfl_up_sync"(UINT, UINT, UINT, INT) default 32 => ShflUp;
    LONG "__shfl_up_sync"(UINT, LONG, UINT, INT) default 32 => ShflUp;
    ULONG "__shfl_up_sync"(UINT, ULONG, UINT, INT) default 32 => ShflUp;
    LONGLONG "__shfl_up_sync"(UINT, LONGLONG, UINT, INT) default 32 => ShflUp;
    ULONGLONG "__shfl_up_sync"(UINT, ULONGLONG, UINT, INT) default 32 => ShflUp;
    FLOAT "__shfl_up_sync"(UINT, FLOAT, UINT, INT) default 32 => ShflUp;
    DOUBLE "__shfl_up_sync"(UINT, DOUBLE, UINT, INT) default 32 => ShflUp;
    INT "__shfl_down_sync"(UINT, INT, UINT, INT) default 32 => ShflDown;
    UINT "__shfl_down_sync"(UINT, UINT, UINT, INT) default 32 => ShflDown;
    LONG "__shfl_down_sync"(UINT, LONG, UINT, INT) default 32 => ShflDown;
    ULONG "__shfl_down_sync"(UINT, ULONG, UINT, INT) default 32 => ShflDown;
    LONGLONG "__shfl_down_sync"(UINT, LONGLONG, UINT, INT) default 32 => ShflDown;
    ULONGLONG "__shfl_down_sync"(UINT, ULONGLONG, UINT, INT) default 32 => ShflDown;
    FLOAT "__shfl_down_sync"(UINT, FLOAT, UINT, INT) default 32 => ShflDown;
    DOUBLE "__shfl_down_sync"(UINT, DOUBLE, UINT, INT) default 32 => ShflDown;
    INT "__shfl_xor_sync"(UINT, INT, INT, INT) default 32 => ShflXor;
    UINT "__shfl_xor_sync"(UINT, UINT, INT, INT) default 32 => ShflXor;
    LONG "__shfl_xor_sync"(UINT, LONG, INT, INT) default 32 => ShflXor;
    ULONG "__shfl_xor_sync"(UINT, ULONG, INT, INT) default 32 => ShflXor;
    LONGLONG "__shfl_xor_sync"(UINT, LONGLONG, INT, INT) default 32 => ShflXor;
    ULONGLONG "__shfl_xor_sync"(UINT, ULONGLONG, INT, INT) default 32 => ShflXor;
    FLOAT "__shfl_xor_sync"(UINT, FLOAT, INT, INT) default 32 => ShflXor;
    DOUBLE "__shfl_xor_sync"(UINT, DOUBLE, INT, INT) default 32 => ShflXor;
    INT "abs"(INT) => Abs;
    LONG "abs"(LONG) => Abs;
    LONGLONG "abs"(LONGLONG) => Abs;
    FLOAT "abs"(FLOAT) => Abs;
    DOUBLE "abs"(DOUBLE) => Abs;
    INT "atomicAdd"(INT "*", INT) => AtomicAdd;
    UINT "atomicAdd"(UINT "*", UINT) => AtomicAdd;
    ULONGLONG "atomicAdd"(ULONGLONG "*", ULONGLONG) => AtomicAdd;
    FLOAT "atomicAdd"(FLOAT "*", FLOAT) => AtomicAdd;
    DOUBLE "atomicAdd"(DOUBLE "*", DOUBLE) => AtomicAdd;
    FLOAT "ceil"(FLOAT) => Ceil;
    DOUBLE "ceil"(DOUBLE) => Ceil;
    FLOAT "ceilf"(FLOAT) => Ceil;
    FLOAT "fabs"(FLOAT) => Abs;
    DOUBLE "fabs"(DOUBLE) => Abs;
    FLOAT "fabsf"(FLOAT) => Abs;
    FLOAT "floor"(FLOAT) => Floor;
    DOUBLE "floor"(DOUBLE) => Floor;
    FLOAT "floorf"(FLOAT) => Floor;
    FLOAT "fma"(FLOAT, FLOAT, FLOAT) => Fma;
    DOUBLE "fma"(DOUBLE, DOUBLE, DOUBLE) => Fma;
    FLOAT "fmaf"(FLOAT, FLOAT, FLOAT) => Fma;
    FLOAT "fmax"(FLOAT, FLOAT) => Max;
    DOUBLE "fmax"(DOUBLE, DOUBLE) => Max;
    FLOAT "fmaxf"(FLOAT, FLOAT) => Max;
    FLOAT "fmin"(FLOAT, FLOAT) => Min;
    DOUBLE "fmin"(DOUBLE, DOUBLE) => Min;
    FLOAT "fminf"(FLOAT, FLOAT) => Min;
    INT "max"(INT, INT) => Max;
    UINT "max"(UINT, UINT) => Max;
    UINT "max"(INT, UINT) => Max;
    UINT "max"(UINT, INT) => Max;
    LONG "max"(LONG, LONG) => Max;
    ULONG "max"(ULONG, ULONG) => Max;
    ULONG "max"(LONG, ULONG) => Max;
    ULONG "max"(ULONG, LONG) => Max;
    LONGLONG "max"(LONGLONG, LONGLONG) => Max;
    ULONGLONG "max"(ULONGLONG, ULONGLONG) => Max;
    ULONGLONG "max"(LONGLONG, ULONGLONG) => Max;
    ULONGLONG "max"(ULONGLONG, LONGLONG) => Max;
    FLOAT "max"(FLOAT, FLOAT) => Max;
    DOUBLE "max"(DOUBLE, DOUBLE) => Max;
    DOUBLE "max"(FLOAT, DOUBLE) => Max;
    DOUBLE "max"(DOUBLE, FLOAT) => Max;
    INT "min"(INT, INT) => Min;
    UINT "min"(UINT, UINT) => Min;
    UINT "min"(INT, UINT) => Min;
    UINT "min"(UINT, INT) => Min;
    LONG "min"(LONG, LONG) => Min;
    ULONG "min"(ULONG, ULONG) => Min;
    ULONG "min"(LONG, ULONG) => Min;
    ULONG "min"(ULONG, LONG) => Min;
    LONGLONG "min"(LONGLONG, LONGLONG) => Min;
    ULONGLONG "min"(ULONGLONG, ULONGLONG) => Min;
    ULONGLONG "min"(LONGLONG, ULONGLONG) => Min;
    ULONGLONG "min"(ULONGLONG, LONGLONG) => Min;
    FLOAT "min"(FLOAT, FLOAT) => Min;
    DOUBLE "min"(DOUBLE, DOUBLE) => Min;
    DOUBLE "min"(FLOAT, DOUBLE) => Min;
    DOUBLE "min"(DOUBLE, FLOAT) => Min;
    FLOAT "rsqrtf"(FLOAT) => Rsqrt;
    FLOAT "sqrt"(FLOAT) => Sqrt;
    DOUBLE "sqrt"(DOUBLE) => Sqrt;
    FLOAT "sqrtf"(FLOAT) => Sqrt;
    FLOAT "trunc"(FLOAT) => Trunc;
    DOUBLE "trunc"(DOUBLE) => Trunc;
    FLOAT "truncf"(FLOAT) => Trunc;
};

/// The names, each as often as it has overloads.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|overload| overload.name)
}

/// The name as the table has it, if it is a built-in function's.
pub(super) fn find(name: &str) -> Option<&'static str> {
    names().find(|&known| known == name)
}

/// How an argument fits a parameter, best first (C++17 16.3.3.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Exact,
    Promotion,
    Conversion,
}

impl Cx<'_> {
    pub(super) fn check_builtin_call(
        &mut self,
        name: &'static str,
        name_span: Span,
        args: Vec<Expr>,
        span: Span,
    ) -> Result<Expr, Reported> {
        let overload = self.choose(name, name_span, &args)?;
        let mut values = Vec::new();
        for (&arg, &param) in args.iter().zip(overload.params) {
            let ty = param_ty(&mut self.module.types, param);
            let value = self.convert(arg, ty, Target::Argument(None))?;
            // The operation has one type: `min(int, unsigned)` is the minimum of two `unsigned`s.
            let one_type = matches!(overload.builtin, Builtin::Min | Builtin::Max);
            values.push(if one_type { self.numeric(value, overload.ret) } else { value });
        }
        if let Some(default) = overload.default
            && values.len() + 1 == overload.params.len()
        {
            let last = overload.params[values.len()];
            let ty = param_ty(&mut self.module.types, last);
            values.push(self.expr(ExprData::Int(default), ty, span.end()));
        }
        Ok(self.expr(ExprData::Builtin(overload.builtin, values), overload.ret, span))
    }

    /// The best of the overloads (C++17 16.3.3p1).
    fn choose(&mut self, name: &str, name_span: Span, args: &[Expr]) -> Result<&'static Overload, Reported> {
        let overloads: Vec<&'static Overload> = TABLE.iter().filter(|o| o.name == name).collect();
        let mut viable: Vec<(&'static Overload, Vec<Rank>)> = Vec::new();
        for &overload in &overloads {
            let n_least = overload.params.len() - usize::from(overload.default.is_some());
            if args.len() < n_least || args.len() > overload.params.len() {
                continue;
            }
            let ranks = args.iter().zip(overload.params).map(|(&arg, &param)| self.rank(arg, param));
            if let Some(ranks) = ranks.collect::<Option<Vec<_>>>() {
                viable.push((overload, ranks));
            }
        }
        let beats = |a: &[Rank], b: &[Rank]| {
            let pairs = || a.iter().zip(b);
            pairs().all(|(a, b)| a <= b) && pairs().any(|(a, b)| a < b)
        };
        let best = viable.iter().find(|(overload, ranks)| {
            viable
                .iter()
                .all(|(other, other_ranks)| std::ptr::eq(*overload, *other) || beats(ranks, other_ranks))
        });
        match best {
            Some((overload, _)) => Ok(overload),
            None => Err(self.no_overload(name, name_span, args, &overloads, !viable.is_empty())),
        }
    }

    fn rank(&mut self, arg: Expr, param: Type) -> Option<Rank> {
        let from = self.ty_of(arg);
        let types = &mut self.module.types;
        match param {
            Type::PointerTo(_) => {
                let ty = param_ty(types, param);
                if self.same(from, ty) {
                    Some(Rank::Exact)
                } else {
                    self.is_null_constant(arg).then_some(Rank::Conversion)
                }
            }
            Type::Plain(to) => {
                if types.canonical(from) == to {
                    return Some(Rank::Exact);
                }
                let is_promotion = match (types.kind(from), types.kind(to)) {
                    (TyKind::Int(from), TyKind::Int(to)) => promoted(*from) == *to,
                    (TyKind::Float(FloatTy::Float), TyKind::Float(FloatTy::Double)) => true,
                    (TyKind::Enum(_), TyKind::Int(_)) => {
                        return Some(if self.promotes_to(arg, to) {
                            Rank::Promotion
                        } else {
                            Rank::Conversion
                        });
                    }
                    (TyKind::Int(_) | TyKind::Float(_), TyKind::Int(_) | TyKind::Float(_))
                    | (TyKind::Enum(_), TyKind::Float(_)) => false,
                    _ => return None,
                };
                Some(if is_promotion { Rank::Promotion } else { Rank::Conversion })
            }
        }
    }

    fn promotes_to(&mut self, arg: Expr, to: Ty) -> bool {
        let promoted = self.promote(arg);
        self.same(self.ty_of(promoted), to)
    }

    fn no_overload(
        &mut self,
        name: &str,
        name_span: Span,
        args: &[Expr],
        overloads: &[&Overload],
        is_ambiguous: bool,
    ) -> Reported {
        let mut written: Vec<String> = Vec::new();
        for &arg in args {
            written.push(self.module.types.display(self.ty_of(arg)));
        }
        let written = written.join(", ");
        let (code, message) = if is_ambiguous {
            (Code::AmbiguousBuiltin, format!("call to `{name}` with arguments ({written}) is ambiguous"))
        } else {
            (Code::NoMatchingBuiltin, format!("no overload of `{name}` takes the arguments ({written})"))
        };
        let mut diagnostic = Diagnostic::new(code, name_span, message);
        for overload in overloads {
            let mut params: Vec<String> = Vec::new();
            for &param in overload.params {
                let ty = param_ty(&mut self.module.types, param);
                params.push(self.module.types.display(ty));
            }
            let ret = self.module.types.display(overload.ret);
            diagnostic = diagnostic.with_note(format!("candidate: `{ret} {name}({})`", params.join(", ")));
        }
        if is_ambiguous {
            diagnostic = diagnostic.with_help("cast the arguments to the type that is meant");
        }
        self.sink.error(diagnostic)
    }
}

fn param_ty(types: &mut TypeTable, param: Type) -> Ty {
    match param {
        Type::Plain(ty) => ty,
        Type::PointerTo(ty) => types.intern(TyKind::Pointer(ty), Quals::empty()),
    }
}
