//! Comparison and selection (PTX ISA "Comparison and Selection Instructions").

use std::cmp::Ordering;
use std::sync::Arc;

use super::float::exact::Value;
use super::float::{Bf16, F16, Float};
use super::lane::Lane;
use super::{Compute, Operation, WARP_SIZE, one, three};
use crate::ptx::syntax::Type;

/// See [`super::operation`].
pub(super) fn operation(opcode: &str, modifiers: &[&str]) -> Option<Operation> {
    match (opcode, modifiers) {
        ("setp", [relation, rest @ .., ty]) => {
            let (combine, flushes) = combination(rest)?;
            if flushes && !may_flush(ty) {
                return None;
            }
            if let "f16x2" | "bf16x2" = *ty {
                return pairs(relation, combine, ty, flushes);
            }
            let mut operation = compare(relation, combine, flushes, ty)?;
            // Of half precision the opposite is not given.
            if let "f16" | "bf16" = *ty {
                operation.results.truncate(1);
            }
            Some(operation)
        }
        ("set", [relation, rest @ .., result, ty]) => {
            let (combine, flushes) = combination(rest)?;
            if !has_result(ty, result, flushes) {
                return None;
            }
            set(relation, combine, flushes, result, ty)
        }
        ("testp", [what, ty]) => match *ty {
            "f32" => tested::<f32>(what),
            "f64" => tested::<f64>(what),
            _ => None,
        },
        ("slct", [ty, "s32"]) => chosen(ty, |a: i32| a >= 0),
        ("slct", [ty, "f32"]) => chosen(ty, |a: f32| a >= 0.0),
        ("slct", ["ftz", ty, "f32"]) => chosen(ty, |a: f32| a.flushed() >= 0.0),
        ("selp", [ty]) => Some(match *ty {
            "b16" | "u16" | "s16" => selected::<u16>(),
            "b32" | "u32" | "s32" | "f32" => selected::<u32>(),
            "b64" | "u64" | "s64" | "f64" => selected::<u64>(),
            _ => return None,
        }),
        _ => None,
    }
}

/// `slct`: the first operand where the third is not negative (PTX ISA "slct").
fn chosen<C: Lane>(ty: &str, is_first: fn(C) -> bool) -> Option<Operation> {
    fn of<T: Lane, C: Lane>(is_first: fn(C) -> bool) -> Operation {
        three(move |a: T, b: T, choice: C| if is_first(choice) { a } else { b })
    }
    Some(match ty {
        "b16" | "u16" | "s16" => of::<u16, C>(is_first),
        "b32" | "u32" | "s32" | "f32" => of::<u32, C>(is_first),
        "b64" | "u64" | "s64" | "f64" => of::<u64, C>(is_first),
        _ => return None,
    })
}

fn may_flush(ty: &str) -> bool {
    matches!(ty, "f16" | "f16x2" | "f32")
}

/// Whether `set` gives a type of what is compared, as ptxas takes it.
fn has_result(ty: &str, result: &str, flushes: bool) -> bool {
    let is_supported = match ty {
        "f16" => matches!(result, "u32" | "s32" | "u16" | "s16" | "f16" | "bf16"),
        "bf16" => matches!(result, "u32" | "s32" | "u16" | "s16" | "bf16"),
        "f16x2" | "bf16x2" => matches!(result, "u32" | "s32") || result == ty,
        _ => matches!(result, "u32" | "s32" | "f32" | "f16" | "bf16"),
    };
    is_supported && (!flushes || may_flush(ty) && result != "bf16")
}

fn selected<T: Lane>() -> Operation {
    three(|a: T, b: T, is_first: bool| if is_first { a } else { b })
}

/// `setp`: the outcome of the comparison and its opposite, each combined with the third operand if there is one
/// (PTX ISA "setp").
fn compare(relation: &str, combine: Option<&str>, flushes: bool, ty: &str) -> Option<Operation> {
    Some(match ty {
        "b16" | "u16" => of_integers::<u16>(relation, combine, ty)?,
        "b32" | "u32" => of_integers::<u32>(relation, combine, ty)?,
        "b64" | "u64" => of_integers::<u64>(relation, combine, ty)?,
        "s16" => of_integers::<i16>(relation, combine, ty)?,
        "s32" => of_integers::<i32>(relation, combine, ty)?,
        "s64" => of_integers::<i64>(relation, combine, ty)?,
        "f16" => of_floats::<F16>(relation, combine, flushes)?,
        "bf16" => of_floats::<Bf16>(relation, combine, flushes)?,
        "f32" => of_floats::<f32>(relation, combine, flushes)?,
        "f64" => of_floats::<f64>(relation, combine, flushes)?,
        _ => return None,
    })
}

/// Of bits alone is known whether they are the same; `lo` and its kin are for numbers without a sign.
fn of_integers<T: Lane + Ord>(relation: &str, combine: Option<&str>, ty: &str) -> Option<Operation> {
    let (is_typed, is_unsigned) = (!ty.starts_with('b'), ty.starts_with('u'));
    let relation: fn(T, T) -> bool = match relation {
        "eq" => |a, b| a == b,
        "ne" => |a, b| a != b,
        "lt" if is_typed => |a, b| a < b,
        "le" if is_typed => |a, b| a <= b,
        "gt" if is_typed => |a, b| a > b,
        "ge" if is_typed => |a, b| a >= b,
        "lo" if is_unsigned => |a, b| a < b,
        "ls" if is_unsigned => |a, b| a <= b,
        "hi" if is_unsigned => |a, b| a > b,
        "hs" if is_unsigned => |a, b| a >= b,
        _ => return None,
    };
    Some(predicates(relation, combine))
}

/// With a `u` behind them, relations hold where a NaN is compared.
fn of_floats<F: Float>(relation: &str, combine: Option<&str>, flushes: bool) -> Option<Operation> {
    let relation: fn(Option<Ordering>) -> bool = match relation {
        "eq" => |order| order.is_some_and(Ordering::is_eq),
        "ne" => |order| order.is_some_and(Ordering::is_ne),
        "lt" => |order| order.is_some_and(Ordering::is_lt),
        "le" => |order| order.is_some_and(Ordering::is_le),
        "gt" => |order| order.is_some_and(Ordering::is_gt),
        "ge" => |order| order.is_some_and(Ordering::is_ge),
        "equ" => |order| order.is_none_or(Ordering::is_eq),
        "neu" => |order| order.is_none_or(Ordering::is_ne),
        "ltu" => |order| order.is_none_or(Ordering::is_lt),
        "leu" => |order| order.is_none_or(Ordering::is_le),
        "gtu" => |order| order.is_none_or(Ordering::is_gt),
        "geu" => |order| order.is_none_or(Ordering::is_ge),
        "num" => |order| order.is_some(),
        "nan" => |order| order.is_none(),
        _ => return None,
    };
    let relation = move |a: F, b: F| {
        let (a, b) = if flushes { (a.flushed(), b.flushed()) } else { (a, b) };
        relation(a.order(b))
    };
    Some(predicates(relation, combine))
}

/// How the outcome is combined with a predicate, and whether subnormal operands are zeros.
fn combination<'m>(modifiers: &[&'m str]) -> Option<(Option<&'m str>, bool)> {
    Some(match *modifiers {
        [] => (None, false),
        ["ftz"] => (None, true),
        [combine @ ("and" | "or" | "xor")] => (Some(combine), false),
        [combine @ ("and" | "or" | "xor"), "ftz"] => (Some(combine), true),
        _ => return None,
    })
}

/// `setp` of pairs: an outcome for each half, combined with the third operand if there is one (PTX ISA "Half Precision
/// Comparison Instructions").
fn pairs(relation: &str, combine: Option<&str>, ty: &str, flushes: bool) -> Option<Operation> {
    let part = compare(relation, combine, flushes, &ty[..ty.len() - 2])?.compute;
    let compute: Compute = Arc::new(move |operands, results| {
        for (shift, result) in [0, 16].into_iter().zip(results) {
            let halves = [0, 1].map(|idx: usize| operands[idx].map(|value| value >> shift & 0xFFFF));
            let mut values = vec![&halves[0], &halves[1]];
            values.extend(operands.get(2));
            let mut outcomes = [[0; WARP_SIZE]; 2];
            part(&values, &mut outcomes);
            *result = outcomes[0];
        }
    });
    let mut operands = vec![Type::B32; 2];
    operands.extend(combine.map(|_| bool::TYPE));
    Some(Operation { compute, results: vec![bool::TYPE; 2], operands })
}

/// `set`: the outcome as a number, all ones or `1.0` where it holds (PTX ISA "set"); of pairs, in each half.
fn set(relation: &str, combine: Option<&str>, flushes: bool, result: &str, ty: &str) -> Option<Operation> {
    let is_pair = matches!(ty, "f16x2" | "bf16x2");
    let yes: u64 = match result {
        "u32" | "s32" if is_pair => 0xFFFF,
        "u32" | "s32" => 0xFFFF_FFFF,
        "u16" | "s16" => 0xFFFF,
        "f16" | "f16x2" => 0x3C00,
        "bf16" | "bf16x2" => 0x3F80,
        "f32" => 0x3F80_0000,
        _ => return None,
    };
    let part = compare(relation, combine, flushes, if is_pair { &ty[..ty.len() - 2] } else { ty })?;
    let compute: Compute = Arc::new(move |operands, results| {
        let mut outcomes = [[0; WARP_SIZE]; 2];
        (part.compute)(operands, &mut outcomes);
        results[0] = outcomes[0].map(|outcome| if outcome != 0 { yes } else { 0 });
    });
    let operation = Operation { compute, results: vec![Type::named(result)?], operands: part.operands };
    Some(if is_pair { paired_but_for_predicates(operation) } else { operation })
}

/// The operation for each half of a register; a predicate counts for both.
fn paired_but_for_predicates(operation: Operation) -> Operation {
    let part = operation.compute;
    let compute: Compute = Arc::new(move |operands, results| {
        results[0] = [0; WARP_SIZE];
        for shift in [0, 16] {
            let halves = [0, 1].map(|idx: usize| operands[idx].map(|value| value >> shift & 0xFFFF));
            let mut values = vec![&halves[0], &halves[1]];
            values.extend(operands.get(2));
            let mut outcome = [[0; WARP_SIZE]];
            part(&values, &mut outcome);
            for lane in 0..WARP_SIZE {
                results[0][lane] |= outcome[0][lane] << shift;
            }
        }
    });
    let mut operands = vec![Type::B32; 2];
    operands.extend(operation.operands.get(2));
    Operation { compute, results: operation.results, operands }
}

/// PTX ISA "testp"
fn tested<F: Float>(what: &str) -> Option<Operation> {
    let test: fn(F) -> bool = match what {
        "finite" => |a| matches!(a.value(), Value::Finite { .. }),
        "infinite" => |a| matches!(a.value(), Value::Infinity(_)),
        "number" => |a| !a.is_nan(),
        "notanumber" => |a| a.is_nan(),
        "normal" => |a| {
            let is_zero = a.without_sign().to_bits() == 0;
            matches!(a.value(), Value::Finite { .. }) && !is_zero && !F::FORMAT.is_subnormal(a.to_bits())
        },
        "subnormal" => |a| F::FORMAT.is_subnormal(a.to_bits()),
        _ => return None,
    };
    Some(one(test))
}

fn predicates<T: Lane>(
    relation: impl Fn(T, T) -> bool + Send + Sync + 'static,
    combine: Option<&str>,
) -> Operation {
    let combined: fn(bool, bool) -> bool = match combine {
        None => |outcome, _| outcome,
        Some("and") => |outcome, other| outcome & other,
        Some("or") => |outcome, other| outcome | other,
        Some(_) => |outcome, other| outcome ^ other,
    };
    let compute: Compute = Arc::new(move |operands, results| {
        for lane in 0..WARP_SIZE {
            let outcome = relation(T::from_bits(operands[0][lane]), T::from_bits(operands[1][lane]));
            let other = operands.get(2).is_some_and(|other| other[lane] != 0);
            results[0][lane] = combined(outcome, other).to_bits();
            if let Some(opposite) = results.get_mut(1) {
                opposite[lane] = combined(!outcome, other).to_bits();
            }
        }
    });
    let mut operands = vec![T::TYPE; 2];
    operands.extend(combine.map(|_| bool::TYPE));
    Operation { compute, results: vec![bool::TYPE; 2], operands }
}
