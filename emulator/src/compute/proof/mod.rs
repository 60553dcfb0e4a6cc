//! Every instruction that only computes, in every form there is, against the same in other arithmetic: integers of 128 bits,
//! bit by bit where bits are meant, and LLVM's soft floating point.
//!
//! The forms are what the instructions' own grammars allow and the decoder knows: one that is known and for which there is
//! no reference here fails, and so does a word of the decoder's sources that the grammars do not have.
//!
//! - `integer`: integers, logic, bits and bytes
//! - `float`: floating-point arithmetic
//! - `carry`: sums and differences of numbers in several registers
//! - `compare`: comparisons and choices
//! - `convert`: conversions between the types that registers have
//! - `inputs`: with which operands

mod carry;
mod compare;
mod convert;
mod float;
mod inputs;
mod integer;

use std::collections::BTreeSet;

use super::tests::{Random, for_each};
use super::{Operation, operation};

/// What is expected of operands: the bits of the results, or none where any will do.
type Reference = Box<dyn Fn(&[u64]) -> Vec<u64>>;

/// Opcodes, and what may follow them: one word of each group, or none where the group begins with an empty one. A
/// word with dots is several.
struct Grammar {
    opcodes: &'static [&'static str],
    groups: &'static [&'static [&'static str]],
}

const INTEGERS: &[&str] = &[
    "u16", "s16", "u32", "s32", "u64", "s64", "u16x2", "s16x2", "u8x4", "s8x4", "b16", "b32", "b64", "pred",
];
const FLOATS: &[&str] = &["f16", "f16x2", "bf16", "bf16x2", "f32", "f32x2", "f64"];
const SINGLES: &[&str] = &["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64"];
const ROUNDINGS: &[&str] = &["", "rn", "rna", "rz", "rm", "rp", "approx", "full"];
const RELATIONS: &[&str] = &[
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu",
    "num", "nan",
];
const COMPARED: &[&str] = &[
    "u16", "s16", "u32", "s32", "u64", "s64", "b16", "b32", "b64", "f16", "f16x2", "bf16", "bf16x2", "f32",
    "f64",
];

const GRAMMARS: &[Grammar] = &[
    Grammar {
        opcodes: &[
            "add", "sub", "mul", "mad", "div", "rem", "min", "max", "sad", "abs", "neg", "and", "or", "xor",
            "not", "cnot", "shl", "shr", "shf", "popc", "clz", "brev", "bfind", "bfe", "bfi", "mul24",
            "mad24",
        ],
        groups: &[
            &["", "lo", "hi", "wide", "l", "r", "shiftamt"],
            &["", "sat", "relu", "clamp", "wrap"],
            INTEGERS,
        ],
    },
    Grammar {
        opcodes: &["lop3", "bmsk", "szext", "fns", "prmt", "dp2a", "dp4a"],
        groups: &[
            &["", "and", "or", "clamp", "wrap", "lo", "hi"],
            &["b32", "u32", "s32"],
            &["", "u32", "s32", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"],
        ],
    },
    Grammar {
        opcodes: &[
            "add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "neg", "abs", "min", "max", "copysign",
            "rsqrt", "sin", "cos", "lg2", "ex2", "tanh",
        ],
        groups: &[
            ROUNDINGS,
            &["", "2pi"],
            &["", "ftz"],
            &["", "sat", "relu", "NaN"],
            &["", "xorsign.abs"],
            FLOATS,
        ],
    },
    Grammar {
        opcodes: &["setp", "set"],
        groups: &[
            RELATIONS,
            &["", "and", "or", "xor"],
            &["", "ftz"],
            &["", "u16", "s16", "u32", "s32", "f16", "f16x2", "bf16", "bf16x2", "f32"],
            COMPARED,
        ],
    },
    Grammar {
        opcodes: &["selp", "slct", "testp"],
        groups: &[
            &["", "ftz", "finite", "infinite", "number", "notanumber", "normal", "subnormal"],
            &["", "b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"],
            &["b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"],
        ],
    },
    Grammar {
        opcodes: &["cvt"],
        groups: &[
            &["", "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"],
            &["", "ftz"],
            &["", "sat"],
            SINGLES,
            SINGLES,
        ],
    },
    Grammar {
        opcodes: &["cvt"],
        groups: &[
            &["pack"],
            &["", "sat"],
            &["u2", "s2", "u4", "s4", "u8", "s8", "u16", "s16", "u32", "s32"],
            &["u32", "s32"],
            &["", "b32", "u32"],
        ],
    },
];

/// What conversions have in `convert/tests`, and comments and messages quote.
const OTHER_WORDS: &[&str] = &[
    "satfinite",
    "e4m3x2",
    "e5m2x2",
    "e2m3x2",
    "e3m2x2",
    "e2m1x2",
    "tf32",
    "ue8m0x2",
    "s2f6x2",
    "ue5m3x2",
    "x2",
    "rs",
    "e4m3x4",
    "e5m2x4",
    "e2m3x4",
    "e3m2x4",
    "e2m1x4",
];

/// The forms that are known, with their operations.
fn known_forms(grammar: &Grammar) -> Vec<(Vec<&'static str>, Operation)> {
    let mut forms: Vec<Vec<&str>> = grammar.opcodes.iter().map(|&opcode| vec![opcode]).collect();
    for group in grammar.groups {
        let longer = |form: &Vec<&'static str>| {
            let words = group.iter().map(|word| word.split('.').filter(|word| !word.is_empty()));
            words.map(|words| form.iter().copied().chain(words).collect()).collect::<Vec<Vec<&str>>>()
        };
        forms = forms.iter().flat_map(longer).collect();
    }
    let known = |form: Vec<&'static str>| operation(form[0], &form[1..]).map(|operation| (form, operation));
    forms.into_iter().filter_map(known).collect()
}

/// Compares a form with its reference, with all operands that are to be tried.
fn prove(form: &[&str], operation: &Operation, reference: &Reference, random: &mut Random) {
    let n_results = operation.results.len();
    inputs::each(form, &operation.operands, random, |operands| {
        let check = |values: [u64; inputs::MAX_OPERANDS], found: &[u64]| {
            let expected = reference(&values);
            let found = &found[..n_results.min(expected.len())];
            assert_eq!(found, expected, "{} {values:x?}", form.join("."));
        };
        for_each(operation, operands.iter().copied(), check);
    });
}

/// Proves all forms of a grammar, and gives how many there are.
fn prove_all(grammar: &Grammar) -> usize {
    let (mut random, mut names) = (Random(7), BTreeSet::new());
    for (form, operation) in known_forms(grammar) {
        if !names.insert(form.join(".")) {
            continue;
        }
        let reference = integer::reference(&form)
            .or_else(|| compare::reference(&form))
            .or_else(|| convert::reference(&form))
            .or_else(|| float::reference(&form))
            .unwrap_or_else(|| panic!("nothing proves `{}`", form.join(".")));
        prove(&form, &operation, &reference, &mut random);
    }
    names.len()
}

#[test]
fn integers_and_bits_are_proved() {
    assert!(prove_all(&GRAMMARS[0]) + prove_all(&GRAMMARS[1]) > 150);
}

#[test]
fn floating_point_arithmetic_is_proved() {
    assert!(prove_all(&GRAMMARS[2]) > 150);
}

#[test]
fn comparisons_and_choices_are_proved() {
    assert!(prove_all(&GRAMMARS[3]) + prove_all(&GRAMMARS[4]) > 1000);
}

#[test]
fn conversions_are_proved() {
    assert!(prove_all(&GRAMMARS[5]) > 700);
    assert_eq!(prove_all(&GRAMMARS[6]), 8);
}

/// Each word that the sources match on is in a grammar, so that nothing is added that no one proves.
#[test]
fn no_word_is_left_out() {
    let sources = [
        include_str!("../bits.rs"),
        include_str!("../compare.rs"),
        include_str!("../convert/mod.rs"),
        include_str!("../convert/pack.rs"),
        include_str!("../convert/packed.rs"),
        include_str!("../convert/stochastic.rs"),
        include_str!("../float/approximate.rs"),
        include_str!("../float/mod.rs"),
        include_str!("../float/modifiers.rs"),
        include_str!("../float/rules.rs"),
        include_str!("../float/exact.rs"),
        include_str!("../integer.rs"),
        include_str!("../mod.rs"),
    ];
    let known: BTreeSet<&str> = GRAMMARS
        .iter()
        .flat_map(|grammar| grammar.opcodes.iter().chain(grammar.groups.iter().copied().flatten()))
        .flat_map(|words| words.split('.'))
        .chain(OTHER_WORDS.iter().copied())
        .collect();
    for source in sources {
        let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            for word in line.split('"').skip(1).step_by(2) {
                let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric());
                assert!(!is_word || known.contains(word), "`{word}` is in no grammar: {line}");
            }
        }
    }
}
