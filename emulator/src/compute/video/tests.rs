//! Every form of every video instruction against the same in numbers of 128 bits, whose pieces are taken byte by byte.

use super::{Selectors, is_known, operation};
use crate::compute::tests::Random;
use crate::compute::{Lanes, WARP_SIZE};

/// Words for all lanes: any, and those whose bytes and halves are at the edges.
fn words(random: &mut Random) -> Lanes {
    let bytes = [0x00_u64, 0x01, 0x7F, 0x80, 0xFE, 0xFF];
    std::array::from_fn(|_| {
        let any = random.next();
        let edge = |at: u32| bytes[(any >> (8 * at)) as usize % bytes.len()] << (8 * at);
        match any >> 62 {
            0 => any & 0xFFFF_FFFF,
            1 => any % 40,
            _ => (0..4).map(edge).sum(),
        }
    })
}

/// The results of all lanes.
fn results(instruction: &str, selectors: Selectors<'_>, operands: &[Lanes; 3]) -> Lanes {
    let (opcode, modifiers) = instruction.split_once('.').expect("it has types");
    let modifiers: Vec<&str> = modifiers.split('.').collect();
    let operation = operation(opcode, &modifiers, selectors)
        .unwrap_or_else(|error| panic!("{instruction} {selectors:?}: {error}"));
    let operands: Vec<&Lanes> = operands.iter().take(operation.operands.len()).collect();
    let mut results = [[0; WARP_SIZE]];
    (operation.compute)(&operands, &mut results);
    results[0]
}

/// The bytes of a word that a selector means, the lowest first.
fn bytes_of(selector: Option<&str>) -> &'static [usize] {
    match selector {
        Some("b0") => &[0],
        Some("b1") => &[1],
        Some("b2") => &[2],
        Some("b3") => &[3],
        Some("h0") => &[0, 1],
        Some("h1") => &[2, 3],
        _ => &[0, 1, 2, 3],
    }
}

/// The number that bytes of a word are.
fn number(word: u64, bytes: &[usize], ty: &str) -> i128 {
    let all = (word as u32).to_le_bytes();
    let value = bytes.iter().rev().fold(0, |value, &at| value * 256 + i128::from(all[at]));
    let limit = 1_i128 << (8 * bytes.len());
    if ty == "s32" && value >= limit / 2 { value - limit } else { value }
}

fn least_and_greatest(n_bytes: usize, ty: &str) -> (i128, i128) {
    let limit = 1_i128 << (8 * n_bytes);
    if ty == "s32" { (-limit / 2, limit / 2 - 1) } else { (0, limit - 1) }
}

/// The first operation, as PTX's pseudocode has it.
fn computed(opcode: &str, mode: &str, a: i128, b: i128) -> i128 {
    match (opcode.trim_end_matches(['2', '4']), mode) {
        ("vadd", _) => a + b,
        ("vsub", _) => a - b,
        ("vabsdiff", _) => (a - b).abs(),
        ("vmin", _) => {
            if a < b {
                a
            } else {
                b
            }
        }
        ("vmax", _) => {
            if a > b {
                a
            } else {
                b
            }
        }
        ("vavrg", _) => ((a + b) as f64 / 2.0).round() as i128,
        ("vshl", "clamp") => (0..b.min(32)).fold(a, |value, _| value * 2),
        ("vshl", _) => (0..b % 32).fold(a, |value, _| value * 2),
        ("vshr", "clamp") => (0..b.min(32)).fold(a, |value, _| value.div_euclid(2)),
        ("vshr", _) => (0..b % 32).fold(a, |value, _| value.div_euclid(2)),
        ("vset", "eq") => i128::from(a == b),
        ("vset", "ne") => i128::from(a != b),
        ("vset", "lt") => i128::from(a < b),
        ("vset", "le") => i128::from(a <= b),
        ("vset", "gt") => i128::from(a > b),
        ("vset", "ge") => i128::from(a >= b),
        other => panic!("{other:?}"),
    }
}

/// Opcodes, what follows the types, and how many types there are.
fn forms(n_elements: usize) -> Vec<(String, &'static str)> {
    let suffix = if n_elements == 1 { String::new() } else { n_elements.to_string() };
    let mut forms = vec![("vadd", ""), ("vsub", ""), ("vabsdiff", ""), ("vmin", ""), ("vmax", "")];
    forms.extend(["eq", "ne", "lt", "le", "gt", "ge"].map(|relation| ("vset", relation)));
    if n_elements == 1 {
        forms.extend([("vshl", "clamp"), ("vshl", "wrap"), ("vshr", "clamp"), ("vshr", "wrap")]);
    } else {
        forms.push(("vavrg", ""));
    }
    forms.into_iter().map(|(opcode, mode)| (format!("{opcode}{suffix}"), mode)).collect()
}

/// The types of the result and of the operands.
fn types(opcode: &str) -> Vec<[&'static str; 3]> {
    let both = ["u32", "s32"];
    let all = both.iter().flat_map(|result| both.iter().flat_map(|a| both.map(|b| [*result, *a, b])));
    let is_valid = |types: &[&str; 3]| match opcode.trim_end_matches(['2', '4']) {
        "vset" => types[0] == "u32",
        "vshl" | "vshr" => types[2] == "u32",
        _ => true,
    };
    all.filter(is_valid).collect()
}

fn instruction(opcode: &str, types: [&str; 3], words: &[&str]) -> String {
    let types = if opcode.starts_with("vset") { &types[1..] } else { &types[..] };
    let words = types.iter().chain(words).filter(|word| !word.is_empty());
    words.fold(opcode.to_owned(), |text, word| text + "." + word)
}

#[test]
fn one_value_is_taken_from_each_word() {
    let mut random = Random(1);
    let parts = [None, Some("b0"), Some("b1"), Some("b2"), Some("b3"), Some("h0"), Some("h1")];
    for (opcode, mode) in forms(1) {
        for types in types(&opcode) {
            let saturations: &[&str] = if opcode == "vset" { &[""] } else { &["", "sat"] };
            for sat in saturations {
                let ends = parts.map(|part| (part, "")).into_iter();
                for (part, second) in ends.chain(["add", "min", "max"].map(|second| (None, second))) {
                    for (a_part, b_part) in parts.iter().flat_map(|&a| parts.map(|b| (a, b))) {
                        let operands = [words(&mut random), words(&mut random), words(&mut random)];
                        let selectors =
                            Selectors { result: part, operands: [a_part, b_part], negated: [false; 3] };
                        let text = instruction(&opcode, types, &[sat, mode, second]);
                        let found = results(&text, selectors, &operands);
                        for lane in 0..WARP_SIZE {
                            let [x, y, z] = operands.map(|operand| operand[lane]);
                            let a = number(x, bytes_of(a_part), types[1]);
                            let b = number(y, bytes_of(b_part), types[2]);
                            let mut value = computed(&opcode, mode, a, b);
                            let places = bytes_of(part);
                            if *sat == "sat" {
                                let (least, greatest) = least_and_greatest(places.len(), types[0]);
                                value = value.clamp(least, greatest);
                            }
                            let c = number(z, bytes_of(None), types[0]);
                            value = match second {
                                "add" => value + c,
                                "min" => value.min(c),
                                "max" => value.max(c),
                                _ => value,
                            };
                            let mut expected = (z as u32).to_le_bytes();
                            for (&place, byte) in places.iter().zip(value.to_le_bytes()) {
                                expected[place] = byte;
                            }
                            let expected = u64::from(u32::from_le_bytes(expected));
                            assert_eq!(found[lane], expected, "{text} {selectors:?} {x:#x}, {y:#x}, {z:#x}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn several_values_are_taken_from_both_words() {
    let mut random = Random(2);
    let halves = ["h10", "h32", "h00", "h13", "h31", "h22"].map(Some);
    let bytes = ["b3210", "b7654", "b0000", "b0246", "b7171", "b4567"].map(Some);
    let all_of_bytes = [
        "b0", "b1", "b10", "b2", "b20", "b21", "b210", "b3", "b30", "b31", "b310", "b32", "b320", "b321",
        "b3210",
    ];
    for (n_elements, choices, masks) in [(2, halves, &["h0", "h1", "h10"][..]), (4, bytes, &all_of_bytes[..])]
    {
        let choices: Vec<Option<&str>> = choices.into_iter().chain([None]).collect();
        let size = 4 / n_elements;
        for (opcode, mode) in forms(n_elements) {
            for types in types(&opcode) {
                let ends: &[&str] =
                    if opcode.starts_with("vset") { &["", "add"] } else { &["", "sat", "add"] };
                for end in ends {
                    for mask in masks.iter().map(|&mask| Some(mask)).chain([None]) {
                        let operands = [words(&mut random), words(&mut random), words(&mut random)];
                        let chosen = [(); 2].map(|()| choices[random.next() as usize % choices.len()]);
                        let selectors = Selectors { result: mask, operands: chosen, negated: [false; 3] };
                        let text = instruction(&opcode, types, &[mode, end]);
                        let found = results(&text, selectors, &operands);
                        for lane in 0..WARP_SIZE {
                            let [x, y, z] = operands.map(|operand| operand[lane]);
                            let both = x | y << 32;
                            let mut merged = (z as u32).to_le_bytes();
                            let mut sum = z as i128;
                            for idx in 0..n_elements {
                                let digit = idx.to_string();
                                if mask.is_some_and(|mask| !mask.contains(&digit)) {
                                    continue;
                                }
                                let taken = |which: usize| {
                                    let number_of = |selector: &str| {
                                        let digit = selector.as_bytes()[n_elements - idx];
                                        usize::from(digit - b'0')
                                    };
                                    let element = chosen[which].map_or(idx + which * n_elements, number_of);
                                    let word = both >> (8 * size * element);
                                    number(word, &[0, 1][..size], types[1 + which])
                                };
                                let mut value = computed(&opcode, mode, taken(0), taken(1));
                                if *end == "sat" {
                                    let (least, greatest) = least_and_greatest(size, types[0]);
                                    value = value.clamp(least, greatest);
                                }
                                sum += value;
                                for at in 0..size {
                                    merged[idx * size + at] = value.to_le_bytes()[at];
                                }
                            }
                            let sum = sum.rem_euclid(1 << 32) as u64;
                            let merged = u64::from(u32::from_le_bytes(merged));
                            let expected = if *end == "add" { sum } else { merged };
                            assert_eq!(found[lane], expected, "{text} {selectors:?} {x:#x}, {y:#x}, {z:#x}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn products_are_added_and_moved() {
    let mut random = Random(3);
    let parts = [None, Some("b0"), Some("b3"), Some("h0"), Some("h1")];
    let signs =
        [[false; 3], [true, false, false], [false, true, false], [true, true, false], [false, false, true]];
    for types in types("vmad") {
        for (scale, shift) in [("", 0), ("shr7", 7), ("shr15", 15)] {
            for (sat, plus_one, negated) in ["", "sat"].iter().flat_map(|&sat| {
                signs.map(|negated| (sat, "", negated)).into_iter().chain([(sat, "po", [false; 3])])
            }) {
                for (a_part, b_part) in parts.iter().flat_map(|&a| parts.map(|b| (a, b))) {
                    let operands = [words(&mut random), words(&mut random), words(&mut random)];
                    let selectors = Selectors { result: None, operands: [a_part, b_part], negated };
                    let text = instruction("vmad", types, &[plus_one, sat, scale]);
                    let found = results(&text, selectors, &operands);
                    for lane in 0..WARP_SIZE {
                        let [x, y, z] = operands.map(|operand| operand[lane]);
                        let a = number(x, bytes_of(a_part), types[1]);
                        let b = number(y, bytes_of(b_part), types[2]);
                        let product_is_negated = negated[0] ^ negated[1];
                        let is_signed =
                            types[1] == "s32" || types[2] == "s32" || product_is_negated || negated[2];
                        let ty = if is_signed { "s32" } else { "u32" };
                        let mut sum = if product_is_negated { -(a * b) } else { a * b };
                        sum += match negated[2] {
                            false => number(z, bytes_of(None), ty),
                            true => number(u64::from(u32::MAX) - z, bytes_of(None), ty) + 1,
                        };
                        sum += i128::from(plus_one == "po");
                        let mut result = sum.div_euclid(1 << shift);
                        if sat == "sat" {
                            let (least, greatest) = least_and_greatest(4, ty);
                            result = result.clamp(least, greatest);
                        }
                        let expected = result.rem_euclid(1 << 32) as u64;
                        assert_eq!(found[lane], expected, "{text} {selectors:?} {x:#x}, {y:#x}, {z:#x}");
                    }
                }
            }
        }
    }
}

/// Examples worked out by hand.
#[test]
fn sums_of_distances_and_averages_are_as_by_hand() {
    let value =
        |text: &str, result: Option<&'static str>, operands: [Option<&'static str>; 2], values: [u64; 3]| {
            let selectors = Selectors { result, operands, negated: [false; 3] };
            results(text, selectors, &values.map(|value| [value; WARP_SIZE]))[0]
        };
    let none = [None; 2];
    for (text, values, expected) in [
        // |0x10 - 0x20| + |0xFF - 0| + |1 - 3| + |0 - 0xFF| + 5
        ("vabsdiff4.u32.u32.u32.add", [0x10FF_0100, 0x2000_03FF, 5], 16 + 255 + 2 + 255 + 5),
        ("vabsdiff2.u32.u32.u32.add", [0x0001_FFFF, 0x0005_0000, 1], 4 + 65535 + 1),
        ("vadd4.s32.s32.s32.sat", [0x7F80_01FF, 0x01FF_0101, 0], 0x7F80_0200),
        ("vavrg4.s32.s32.s32", [0x01FF_FE05, 0x02FE_FF06, 0], 0x02FE_FE06),
        ("vset4.u32.u32.lt", [0x0102_0304, 0x0201_0304, 0], 0x0100_0000),
    ] {
        assert_eq!(value(text, None, none, values), expected, "{text}");
    }
    assert_eq!(
        value("vadd.s32.s32.u32.sat", Some("h1"), [Some("b0"), Some("h0")], [0x80, 5, 0x1234_5678]),
        0xFF85_5678
    );
    assert_eq!(
        value("vsub2.u32.u32.u32.sat", Some("h0"), [Some("h00"), Some("h33")], [3, 0x0005_0001, 0xAAAA_BBBB]),
        0xAAAA_0000
    );
}

#[test]
fn rejects_unknown_video_forms() {
    let wrong = |text: &str, result: Option<&str>, a: Option<&str>, negated: [bool; 3]| {
        let (opcode, modifiers) = text.split_once('.').expect("it has types");
        let modifiers: Vec<&str> = modifiers.split('.').collect();
        let selectors = Selectors { result, operands: [a, None], negated };
        operation(opcode, &modifiers, selectors).map(drop).expect_err(text)
    };
    let no = [false; 3];
    for (text, result, a, negated, expected) in [
        ("vadd.u32.u32", None, None, no, "needs 3 types"),
        ("vset.u32.u32.u32.lt", None, None, no, "needs 2 types"),
        ("vadd.u32.u32.u32.add", Some("b0"), None, no, "data merge cannot be combined"),
        ("vadd.u32.u32.u32", None, Some("b4"), no, "`.b4` does not select a byte or half"),
        ("vadd.u32.u32.u32", None, None, [true, false, false], "cannot be negated"),
        ("vadd.u32.u32.u32.clamp", None, None, no, "unknown modifier `.clamp`"),
        ("vshl.u32.u32.u32", None, None, no, "`.clamp` or `.wrap`"),
        ("vshl.u32.u32.s32.wrap", None, None, no, "must be a `.u32`"),
        ("vset.u32.u32", None, None, no, "a comparison"),
        ("vset.u32.u32.hs", None, None, no, "unknown modifier `.hs`"),
        ("vmad.u32.u32.u32", None, None, [true, false, true], "can negate the product or the addend"),
        ("vmad.u32.u32.u32.po", None, None, [false, false, true], "neither with `.po`"),
        ("vmad.u32.u32.u32", Some("h0"), None, no, "a whole word"),
        ("vadd2.u32.u32.u32.sat.add", None, None, no, "cannot be combined with `.add`"),
        ("vadd2.u32.u32.u32.min", None, None, no, "unknown modifier `.min`"),
        ("vadd2.u32.u32.u32", Some("h01"), None, no, "does not select any of 2"),
        ("vadd2.u32.u32.u32", Some("h2"), None, no, "does not select any of 2"),
        ("vadd4.u32.u32.u32", Some("b"), None, no, "does not select any of 4"),
        ("vadd4.u32.u32.u32", None, Some("b8210"), no, "does not select 4 of 8 elements"),
        ("vadd4.u32.u32.u32", None, Some("b210"), no, "does not select 4 of 8 elements"),
        ("vadd2.u32.u32.u32", None, Some("b10"), no, "does not select 2 of 4 elements"),
    ] {
        let message = wrong(text, result, a, negated);
        assert!(message.contains(expected), "{text}: {message}");
    }
    assert!(!is_known("vavrg") && !is_known("vmad2") && !is_known("vshl4") && !is_known("vote"));
}
