//! Comparison and selection (PTX ISA "Comparison and Selection Instructions").

use super::lane::Lane;
use super::{Compute, Operation, WARP_SIZE, three};

/// See [`super::operation`].
pub(super) fn operation(opcode: &str, modifiers: &[&str]) -> Option<Operation> {
    match (opcode, modifiers) {
        ("setp", [relation, ty]) => compare(relation, None, ty),
        ("setp", [relation, combine @ ("and" | "or" | "xor"), ty]) => compare(relation, Some(combine), ty),
        ("selp", [ty]) => Some(match *ty {
            "b16" | "u16" | "s16" => selected::<u16>(),
            "b32" | "u32" | "s32" | "f32" => selected::<u32>(),
            "b64" | "u64" | "s64" | "f64" => selected::<u64>(),
            _ => return None,
        }),
        _ => None,
    }
}

fn selected<T: Lane>() -> Operation {
    three(|a: T, b: T, is_first: bool| if is_first { a } else { b })
}

/// `setp`: the outcome of the comparison and its opposite, each combined with the third operand if there is one
/// (PTX ISA "setp").
fn compare(relation: &str, combine: Option<&str>, ty: &str) -> Option<Operation> {
    Some(match ty {
        "b16" | "u16" => of_integers::<u16>(relation, combine, ty == "b16")?,
        "b32" | "u32" => of_integers::<u32>(relation, combine, ty == "b32")?,
        "b64" | "u64" => of_integers::<u64>(relation, combine, ty == "b64")?,
        "s16" => of_integers::<i16>(relation, combine, false)?,
        "s32" => of_integers::<i32>(relation, combine, false)?,
        "s64" => of_integers::<i64>(relation, combine, false)?,
        "f32" => of_floats::<f32>(relation, combine)?,
        "f64" => of_floats::<f64>(relation, combine)?,
        _ => return None,
    })
}

fn of_integers<T: Lane + Ord>(relation: &str, combine: Option<&str>, is_untyped: bool) -> Option<Operation> {
    let relation: fn(T, T) -> bool = match relation {
        "eq" => |a, b| a == b,
        "ne" => |a, b| a != b,
        "lt" | "lo" if !is_untyped => |a, b| a < b,
        "le" | "ls" if !is_untyped => |a, b| a <= b,
        "gt" | "hi" if !is_untyped => |a, b| a > b,
        "ge" | "hs" if !is_untyped => |a, b| a >= b,
        _ => return None,
    };
    Some(predicates(relation, combine))
}

/// With a `u` behind them, relations hold where a NaN is compared.
fn of_floats<T: Lane + PartialOrd>(relation: &str, combine: Option<&str>) -> Option<Operation> {
    let relation: fn(T, T) -> bool = match relation {
        "eq" => |a, b| a == b,
        "ne" => |a, b| a.partial_cmp(&b).is_some_and(|order| order.is_ne()),
        "lt" => |a, b| a < b,
        "le" => |a, b| a <= b,
        "gt" => |a, b| a > b,
        "ge" => |a, b| a >= b,
        "equ" => |a, b| a.partial_cmp(&b).is_none_or(|order| order.is_eq()),
        "neu" => |a, b| a != b,
        "ltu" => |a, b| a.partial_cmp(&b).is_none_or(|order| order.is_lt()),
        "leu" => |a, b| a.partial_cmp(&b).is_none_or(|order| order.is_le()),
        "gtu" => |a, b| a.partial_cmp(&b).is_none_or(|order| order.is_gt()),
        "geu" => |a, b| a.partial_cmp(&b).is_none_or(|order| order.is_ge()),
        "num" => |a, b| a.partial_cmp(&b).is_some(),
        "nan" => |a, b| a.partial_cmp(&b).is_none(),
        _ => return None,
    };
    Some(predicates(relation, combine))
}

fn predicates<T: Lane>(relation: fn(T, T) -> bool, combine: Option<&str>) -> Operation {
    let combined: fn(bool, bool) -> bool = match combine {
        None => |outcome, _| outcome,
        Some("and") => |outcome, other| outcome & other,
        Some("or") => |outcome, other| outcome | other,
        Some(_) => |outcome, other| outcome ^ other,
    };
    let compute: Compute = std::sync::Arc::new(move |operands, results| {
        for lane in 0..WARP_SIZE {
            let outcome = relation(T::from_bits(operands[0][lane]), T::from_bits(operands[1][lane]));
            let other = operands.get(2).is_some_and(|other| other[lane] != 0);
            results[0][lane] = combined(outcome, other).to_bits();
            results[1][lane] = combined(!outcome, other).to_bits();
        }
    });
    let mut operands = vec![T::TYPE; 2];
    operands.extend(combine.map(|_| bool::TYPE));
    Operation { compute, results: vec![bool::TYPE; 2], operands }
}
