//! Forms of the instructions of which the emulator says that it knows all: of random ones it refuses none that ptxas takes.

use std::collections::BTreeSet;
use std::path::Path;

use weft_emulator::program::fragment::{check, closed};

use crate::Failure;
use crate::random::Random;
use crate::tools::{Tool, Tools, run};

/// GPUs, and the version of PTX.
pub const TARGETS: [(&str, &str); 3] = [("sm_75", "8.5"), ("sm_90", "9.0"), ("sm_100a", "9.0")];

/// How many of each instruction are tried, for each GPU.
const N_EACH: usize = 600;

/// What stands behind opcodes, in its order: one word of each group, or none.
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

/// What may be put between.
const OTHERS: &[&str] =
    &["volatile", "global", "uni", "v2", "sync", "xorsign", "abs", "f4e", "normal", "oob", "po"];

fn candidate(random: &mut Random, opcode: &str) -> String {
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

/// Operands that fit the form, if there is such a form.
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

/// Registers without a kind of number, so that their sizes alone count.
const REGISTERS: &str =
    ".reg .b16 %h<1>; .reg .b32 %r<4>; .reg .b64 %l<1>; .reg .b128 %q<1>; .reg .pred %p<2>; ";

/// How many lines stand before the first instruction of a module.
const N_LINES: usize = 6;

/// The instructions of those that ptxas takes. It tells of some mistakes each time, so that it is asked until there is none.
fn taken(
    tools: &Tools,
    mut open: Vec<String>,
    target: (&str, &str),
    work: &Path,
) -> Result<Vec<String>, Failure> {
    let (arch, version) = target;
    let source = work.join("forms.ptx");
    loop {
        let text = format!(
            ".version {version}\n.target {arch}\n.address_size 64\n.visible .func f()\n{{\n{REGISTERS}\n{}\nret;\n}}\n",
            open.join("\n")
        );
        std::fs::write(&source, text).map_err(|e| e.to_string())?;
        let mut ptxas = tools.tool(Tool::Ptxas)?;
        ptxas.args(["-c", "-O0", &format!("-arch={arch}"), "-o"]).arg(work.join("forms.o")).arg(&source);
        let answer = run(&mut ptxas)?;
        if answer.status == Some(0) {
            return Ok(open);
        }
        let line = |message: &str| {
            let (_, rest) = message.split_once(", line ")?;
            let (number, _) = rest.split_once("; ")?;
            number.parse::<usize>().ok()?.checked_sub(N_LINES + 1)
        };
        let wrong: BTreeSet<usize> = answer.stderr.lines().filter_map(line).collect();
        let n_before = open.len();
        open =
            open.into_iter().enumerate().filter(|(idx, _)| !wrong.contains(idx)).map(|(_, it)| it).collect();
        if open.len() == n_before {
            return Err(answer.report("no line of the instructions is refused"));
        }
    }
}

/// Compares what both take; gives how many ptxas takes.
///
/// # Errors
/// Lists the forms that ptxas alone takes.
pub fn compare(tools: &Tools, target: (&str, &str), work: &Path) -> Result<usize, Failure> {
    let mut random = Random::new(u64::from(target.0.as_bytes()[3]));
    let all: BTreeSet<String> = closed()
        .flat_map(|opcode| vec![opcode; N_EACH])
        .map(|opcode| candidate(&mut random, opcode))
        .collect();
    let taken = taken(tools, all.into_iter().collect(), target, work)?;
    let mut wrong = Vec::new();
    for instruction in &taken {
        if let Some(mistake) = check(&format!("{REGISTERS}{instruction}")).mistakes.first() {
            wrong.push(format!("{instruction} ({})", mistake.message));
        }
    }
    if wrong.is_empty() { Ok(taken.len()) } else { Err(format!("ptxas takes\n{}", wrong.join("\n"))) }
}
