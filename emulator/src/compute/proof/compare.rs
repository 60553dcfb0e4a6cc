//! Comparisons, by the order of exact values, and choices.

use super::Reference;
use super::float::exact_value;
use super::integer::{int_type, number};

/// None of other instructions.
pub(super) fn reference(form: &[&str]) -> Option<Reference> {
    match form {
        ["setp", relation, rest @ .., ty] => setp(relation, rest, ty),
        ["set", relation, rest @ .., result, ty] => set(relation, rest, result, ty),
        ["selp", _] => Some(Box::new(|v| vec![if v[2] != 0 { v[0] } else { v[1] }])),
        ["slct", rest @ .., choice] => {
            let is_integer = *choice == "s32";
            let flushes = rest.contains(&"ftz");
            Some(Box::new(move |v| {
                let is_first = match is_integer {
                    true => number(v[2], (32, true)) >= 0,
                    false => exact_value(v[2], "f32", flushes) >= 0.0,
                };
                vec![if is_first { v[0] } else { v[1] }]
            }))
        }
        ["testp", what, ty] => testp(what, ty),
        _ => None,
    }
}

/// Whether a relation holds, of numbers, or else of values of which one may be no number.
fn outcome(relation: &str, ty: &str, flushes: bool, a: u64, b: u64) -> bool {
    let (is_less, is_same, is_unordered) = match int_type(ty) {
        Some(int) => (number(a, int) < number(b, int), number(a, int) == number(b, int), false),
        None => {
            let (a, b) = (exact_value(a, ty, flushes), exact_value(b, ty, flushes));
            (a < b, a == b, a.is_nan() || b.is_nan())
        }
    };
    let is_greater = !is_less && !is_same && !is_unordered;
    let of_number = |name: &str| match name {
        "eq" => is_same,
        "ne" => is_less || is_greater,
        "lt" | "lo" => is_less,
        "le" | "ls" => is_less || is_same,
        "gt" | "hi" => is_greater,
        "ge" | "hs" => is_greater || is_same,
        other => panic!("{other}"),
    };
    match relation {
        "num" => !is_unordered,
        "nan" => is_unordered,
        "equ" | "neu" | "ltu" | "leu" | "gtu" | "geu" => is_unordered || of_number(&relation[..2]),
        _ => of_number(relation),
    }
}

fn combined(rest: &[&str], outcome: bool, other: bool) -> bool {
    match rest.iter().find(|word| **word != "ftz") {
        None => outcome,
        Some(&"and") => outcome && other,
        Some(&"or") => outcome || other,
        Some(_) => outcome != other,
    }
}

fn owned(words: &[&str]) -> Vec<&'static str> {
    let all = ["and", "or", "xor", "ftz"];
    words.iter().filter_map(|word| all.into_iter().find(|known| known == word)).collect()
}

fn setp(relation: &str, rest: &[&str], ty: &str) -> Option<Reference> {
    let (relation, rest) = (relation.to_owned(), owned(rest));
    let flushes = rest.contains(&"ftz");
    let (single, is_pair) = (ty.trim_end_matches("x2").to_owned(), ty.ends_with("x2"));
    let gives_opposite = !matches!(ty, "f16" | "bf16");
    Some(Box::new(move |v| {
        let holds = |a, b| outcome(&relation, &single, flushes, a, b);
        let outcomes = match is_pair {
            true => [0, 16].map(|shift| holds(v[0] >> shift & 0xFFFF, v[1] >> shift & 0xFFFF)),
            false => [holds(v[0], v[1]), !holds(v[0], v[1])],
        };
        let n_results = if gives_opposite { 2 } else { 1 };
        outcomes[..n_results].iter().map(|&outcome| combined(&rest, outcome, v[2] != 0).into()).collect()
    }))
}

fn set(relation: &str, rest: &[&str], result: &str, ty: &str) -> Option<Reference> {
    let (relation, rest) = (relation.to_owned(), owned(rest));
    let flushes = rest.contains(&"ftz");
    let (single, is_pair) = (ty.trim_end_matches("x2").to_owned(), ty.ends_with("x2"));
    // All ones, or the bits of one.
    let yes: u64 = match result {
        "u32" | "s32" if is_pair => 0xFFFF,
        "u32" | "s32" => 0xFFFF_FFFF,
        "u16" | "s16" => 0xFFFF,
        "f16" | "f16x2" => 0b0_01111 << 10,
        "bf16" | "bf16x2" => 0b0_01111111 << 7,
        "f32" => 0b0_01111111 << 23,
        _ => return None,
    };
    Some(Box::new(move |v| {
        let value = |a, b| {
            let outcome = outcome(&relation, &single, flushes, a, b);
            if combined(&rest, outcome, v[2] != 0) { yes } else { 0 }
        };
        vec![match is_pair {
            true => value(v[0] >> 16, v[1] >> 16) << 16 | value(v[0] & 0xFFFF, v[1] & 0xFFFF),
            false => value(v[0], v[1]),
        }]
    }))
}

fn testp(what: &str, ty: &str) -> Option<Reference> {
    let (what, ty) = (what.to_owned(), ty.to_owned());
    Some(Box::new(move |v| {
        let value = exact_value(v[0], &ty, false);
        let least = if ty == "f32" { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
        let holds = match &what[..] {
            "finite" => value.is_finite(),
            "infinite" => value.is_infinite(),
            "number" => !value.is_nan(),
            "notanumber" => value.is_nan(),
            "normal" => value.is_finite() && value.abs() >= least,
            _ => value != 0.0 && value.abs() < least,
        };
        vec![holds.into()]
    }))
}
