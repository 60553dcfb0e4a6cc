//! Random forms of the instructions that the emulator fully supports: it rejects none that ptxas accepts.

use std::collections::BTreeSet;
use std::path::Path;

use weft_emulator::program::fragment::{check, closed};

use super::all_forms::{Names, Target, refused};
use crate::Failure;
use crate::random::Random;
use crate::tools::Tools;

/// GPUs and PTX versions.
pub const TARGETS: [Target<'_>; 3] = [("sm_75", "8.5"), ("sm_90", "9.0"), ("sm_100a", "9.0")];

/// The number of tries for each instruction and GPU.
const N_EACH: usize = 600;

/// The modifiers after opcodes, in order: at most one of each group.
const GROUPS: &[&[&str]] = &[
    &["lo", "hi", "wide", "l", "r", "shiftamt", "eq", "ne", "lt", "ltu", "hs", "nan", "finite", "rs"],
    &["rn", "rz", "rm", "rp", "rna", "rni", "rzi", "approx", "full", "wrap", "clamp", "and", "or", "cc"],
    &["ftz"],
    &["sat", "relu", "NaN", "satfinite"],
];

const TYPES: &[&str] = &[
    "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "b16", "b32", "b64", "f16", "f16x2", "bf16",
    "bf16x2", "f32", "f32", "f64", "f32x2", "s16x2", "u16x2", "pred", "tf32", "e4m3x2", "b128",
];

/// Modifiers that may be inserted.
const OTHERS: &[&str] =
    &["volatile", "global", "uni", "v2", "sync", "xorsign", "abs", "f4e", "normal", "oob", "po"];

pub(super) fn candidate(random: &mut Random, opcode: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for group in GROUPS {
        if random.once_in(3) {
            words.push(*random.of(group));
        }
    }
    let has_two = matches!(opcode, "cvt" | "set" | "slct" | "dp2a" | "dp4a") != random.once_in(6);
    let types: Vec<&str> = (0..1 + usize::from(has_two)).map(|_| *random.of(TYPES)).collect();
    words.extend(&types);
    if random.once_in(8) {
        let at = random.below(words.len() + 1);
        words.insert(at, *random.of(OTHERS));
    }
    if random.once_in(8) {
        let (from, to) = (random.below(words.len()), random.below(words.len()));
        words.swap(from, to);
    }
    let operands = operands(opcode, types[0], types[types.len() - 1], &words);
    format!("{opcode}.{} {operands};", words.join("."))
}

fn register(ty: &str) -> &'static str {
    match ty {
        "pred" => "%p0",
        "b128" => "%q0",
        "e4m3x2" => "%h0",
        _ if ty.ends_with("64") || ty == "f32x2" => "%l0",
        _ if ty.ends_with("16") => "%h0",
        _ => "%r0",
    }
}

/// Operands for the form, if there is such a form.
fn operands(opcode: &str, first: &str, last: &str, words: &[&str]) -> String {
    let (a, b) = (register(first), register(last));
    let combined = if words.contains(&"and") || words.contains(&"or") { ", %p1" } else { "" };
    match opcode {
        "setp" => format!("%p0, {b}, {b}{combined}"),
        "set" => format!("{a}, {b}, {b}{combined}"),
        "testp" => format!("%p0, {b}"),
        "selp" => format!("{a}, {a}, {a}, %p0"),
        "slct" => format!("{a}, {a}, {a}, {b}"),
        "popc" | "clz" | "bfind" => format!("%r0, {a}"),
        "shl" | "shr" | "bmsk" | "szext" => format!("{a}, {a}, %r1"),
        "bfe" => format!("{a}, {a}, %r1, %r2"),
        "bfi" => format!("{a}, {a}, {a}, %r1, %r2"),
        "lop3" if combined.is_empty() => "%r0, %r1, %r2, %r3, 3".to_owned(),
        "lop3" => "%r0|%p0, %r1, %r2, %r3, 3, %p1".to_owned(),
        "cvt" if first.ends_with("x2") && !last.ends_with("x2") => format!("{a}, {b}, {b}"),
        "cvt" => format!("{a}, {b}"),
        "neg" | "abs" | "not" | "cnot" | "brev" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2"
        | "ex2" | "tanh" | "mov" => format!("{a}, {a}"),
        "mul" | "mad" if words.contains(&"wide") => {
            let wide = if a == "%h0" { "%r0" } else { "%l0" };
            let sum = if opcode == "mad" { format!(", {wide}") } else { String::new() };
            format!("{wide}, {a}, {a}{sum}")
        }
        "mad" | "fma" | "sad" | "mad24" | "shf" | "dp2a" | "dp4a" | "prmt" | "madc" | "fns" => {
            format!("{a}, {a}, {a}, {a}")
        }
        _ => format!("{a}, {a}, {a}"),
    }
}

/// Untyped registers, so that only their sizes matter.
const NAMES: Names<'static> = Names {
    variables: "",
    registers: ".reg .b16 %h<1>; .reg .b32 %r<4>; .reg .b64 %l<1>; .reg .b128 %q<1>; .reg .pred %p<2>; ",
};

/// Compares what both accept; returns the number of forms that ptxas accepts.
///
/// # Errors
///
/// Lists the forms that only ptxas accepts.
pub fn compare(tools: &Tools, target: Target<'_>, work: &Path) -> Result<usize, Failure> {
    let mut random = Random::new(u64::from(target.0.as_bytes()[3]));
    let all: BTreeSet<String> = closed()
        .flat_map(|opcode| vec![opcode; N_EACH])
        .map(|opcode| candidate(&mut random, opcode))
        .collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let mistake = |text: &str| check(&format!("{}{text}", NAMES.registers), 64).mistakes.into_iter().next();
    let refused = refused(tools, target, NAMES, &all, |text| mistake(text).is_some(), work)?;
    let mut wrong = Vec::new();
    for instruction in all.iter().filter(|instruction| !refused.contains(*instruction)) {
        if let Some(mistake) = mistake(instruction) {
            wrong.push(format!("{instruction} ({})", mistake.message));
        }
    }
    if wrong.is_empty() {
        Ok(all.len() - refused.len())
    } else {
        Err(format!("ptxas takes\n{}", wrong.join("\n")))
    }
}
