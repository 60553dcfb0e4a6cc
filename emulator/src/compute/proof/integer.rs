//! Integers in 128 bits, and bits one by one.

use super::Reference;

/// The width of a type, and whether it has a sign.
pub(super) fn int_type(name: &str) -> Option<(u32, bool)> {
    Some(match name {
        "u8" => (8, false),
        "s8" => (8, true),
        "u16" | "b16" => (16, false),
        "s16" => (16, true),
        "u32" | "b32" => (32, false),
        "s32" => (32, true),
        "u64" | "b64" => (64, false),
        "s64" => (64, true),
        "pred" => (1, false),
        _ => return None,
    })
}

/// The number that bits are.
pub(super) fn number(bits: u64, (width, is_signed): (u32, bool)) -> i128 {
    let value = i128::from(bits) & ((1 << width) - 1);
    if is_signed && value >= 1 << (width - 1) { value - (1 << width) } else { value }
}

fn low(value: i128, width: u32) -> u64 {
    (value & ((1_i128 << width) - 1)) as u64
}

fn bit(value: u64, at: u32) -> bool {
    at < 64 && value >> at & 1 != 0
}

/// A word from its bits.
fn word(width: u32, bit: impl Fn(u32) -> bool) -> u64 {
    (0..width).fold(0, |word, at| word | u64::from(bit(at)) << at)
}

fn clamped(value: i128, (width, is_signed): (u32, bool)) -> i128 {
    let (least, greatest) =
        if is_signed { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) };
    value.clamp(least, greatest)
}

/// None of other instructions.
pub(super) fn reference(form: &[&str]) -> Option<Reference> {
    if let [opcode, rest @ .., ty @ ("u16x2" | "s16x2" | "u8x4" | "s8x4")] = form {
        let (ty, _) = ty.split_once('x')?;
        return parts(opcode, rest, ty);
    }
    words(form).or_else(|| arithmetic(form)).or_else(|| bits(form))
}

/// The same in each half or byte of a word.
fn parts(opcode: &str, rest: &[&str], ty: &str) -> Option<Reference> {
    let form: Vec<&str> = [opcode].into_iter().chain(rest.iter().copied()).chain([ty]).collect();
    let (width, _) = int_type(ty)?;
    let part = reference(&form)?;
    Some(Box::new(move |values| {
        let of = |shift: u32| {
            part(&values.iter().map(|value| low((value >> shift).into(), width)).collect::<Vec<_>>())
        };
        vec![(0..32).step_by(width as usize).fold(0, |word, shift| word | of(shift)[0] << shift)]
    }))
}

fn arithmetic(form: &[&str]) -> Option<Reference> {
    let ty = int_type(form.last()?)?;
    let (width, is_signed) = ty;
    // The high half of a product without a sign takes all bits that there are.
    let product = move |a: u64, b: u64| -> u128 {
        if is_signed { (number(a, ty) * number(b, ty)) as u128 } else { u128::from(a) * u128::from(b) }
    };
    let high = move |a: u64, b: u64| match is_signed {
        true => (number(a, ty) * number(b, ty)) >> width,
        false => (product(a, b) >> width) as i128,
    };
    let plain = |f: fn(i128, i128, i128) -> i128| -> Reference {
        Box::new(move |v| vec![low(f(number(v[0], ty), number(v[1], ty), number(v[2], ty)), width)])
    };
    let short = move |bits: u64| number(bits, (24, is_signed));
    Some(match (form[0], &form[1..form.len() - 1]) {
        ("add", []) => plain(|a, b, _| a + b),
        ("sub", []) => plain(|a, b, _| a - b),
        ("add", ["sat"]) => {
            Box::new(move |v| vec![low(clamped(number(v[0], ty) + number(v[1], ty), ty), width)])
        }
        ("sub", ["sat"]) => {
            Box::new(move |v| vec![low(clamped(number(v[0], ty) - number(v[1], ty), ty), width)])
        }
        ("min", []) => plain(|a, b, _| if a < b { a } else { b }),
        ("max", []) => plain(|a, b, _| if a > b { a } else { b }),
        ("min", ["relu"]) => plain(|a, b, _| {
            if a < 0 || b < 0 {
                0
            } else if a < b {
                a
            } else {
                b
            }
        }),
        ("max", ["relu"]) => plain(|a, b, _| {
            if a < 0 && b < 0 {
                0
            } else if a > b {
                a
            } else {
                b
            }
        }),
        // What a division by zero gives is what GPUs give.
        ("div", []) => plain(|a, b, _| if b == 0 { -1 } else { a / b }),
        ("rem", []) => plain(|a, b, _| if b == 0 { a } else { a % b }),
        ("sad", []) => plain(|a, b, c| c + (a - b).abs()),
        ("abs", []) => plain(|a, _, _| a.abs()),
        ("neg", []) => plain(|a, _, _| -a),
        ("mul", ["lo"]) => Box::new(move |v| vec![low(product(v[0], v[1]) as i128, width)]),
        ("mul", ["hi"]) => Box::new(move |v| vec![low(high(v[0], v[1]), width)]),
        ("mul", ["wide"]) => Box::new(move |v| vec![low(product(v[0], v[1]) as i128, 2 * width)]),
        ("mad", ["lo"]) => Box::new(move |v| {
            vec![low(product(v[0], v[1]) as i128, width).wrapping_add(v[2]) & u64::MAX >> (64 - width)]
        }),
        ("mad", ["hi"]) => Box::new(move |v| vec![low(high(v[0], v[1]) + i128::from(v[2]), width)]),
        ("mad", ["wide"]) => Box::new(move |v| {
            vec![low(
                number(low(product(v[0], v[1]) as i128, 2 * width), (2 * width, false)) + i128::from(v[2]),
                2 * width,
            )]
        }),
        ("mad", ["hi", "sat"]) => {
            Box::new(move |v| vec![low(clamped(high(v[0], v[1]) + number(v[2], ty), ty), width)])
        }
        ("mul24", ["lo"]) => Box::new(move |v| vec![low(short(v[0]) * short(v[1]), 32)]),
        ("mul24", ["hi"]) => Box::new(move |v| vec![low((short(v[0]) * short(v[1])) >> 16, 32)]),
        ("mad24", ["lo"]) => Box::new(move |v| vec![low(short(v[0]) * short(v[1]) + i128::from(v[2]), 32)]),
        ("mad24", ["hi"]) => {
            Box::new(move |v| vec![low(((short(v[0]) * short(v[1])) >> 16) + i128::from(v[2]), 32)])
        }
        ("mad24", ["hi", "sat"]) => Box::new(move |v| {
            vec![low(clamped(((short(v[0]) * short(v[1])) >> 16) + number(v[2], ty), ty), 32)]
        }),
        _ => return None,
    })
}

fn bits(form: &[&str]) -> Option<Reference> {
    let ty = int_type(form.last()?)?;
    let (width, is_signed) = ty;
    let each = |f: fn(bool, bool) -> bool| -> Reference {
        Box::new(move |v| vec![word(width, |at| f(bit(v[0], at), bit(v[1], at)))])
    };
    let sign = move |value: u64| is_signed && bit(value, width - 1);
    Some(match (form[0], &form[1..form.len() - 1]) {
        ("and", []) => each(|a, b| a && b),
        ("or", []) => each(|a, b| a || b),
        ("xor", []) => each(|a, b| a != b),
        ("not", []) => each(|a, _| !a),
        ("cnot", []) => Box::new(|v| vec![u64::from(v[0] == 0)]),
        ("shl", []) => {
            Box::new(move |v| vec![word(width, |at| u64::from(at) >= v[1] && bit(v[0], at - v[1] as u32))])
        }
        ("shr", []) => Box::new(move |v| {
            let from = |at: u32| u64::from(at) + v[1];
            vec![word(
                width,
                |at| if from(at) < width.into() { bit(v[0], from(at) as u32) } else { sign(v[0]) },
            )]
        }),
        ("shf", [side, mode]) => {
            let (is_left, wraps) = (*side == "l", *mode == "wrap");
            Box::new(move |v| {
                let amount = if wraps { v[2] % 32 } else { v[2].min(32) } as u32;
                let both = |at: u32| if at < 32 { bit(v[0], at) } else { bit(v[1], at - 32) };
                vec![word(32, |at| both(if is_left { 32 + at - amount } else { at + amount }))]
            })
        }
        ("popc", []) => Box::new(move |v| vec![(0..width).filter(|&at| bit(v[0], at)).count() as u64]),
        ("clz", []) => {
            Box::new(move |v| vec![(0..width).rev().take_while(|&at| !bit(v[0], at)).count() as u64])
        }
        ("brev", []) => Box::new(move |v| vec![word(width, |at| bit(v[0], width - 1 - at))]),
        ("bfind", rest) => {
            let is_amount = rest == ["shiftamt"];
            Box::new(move |v| {
                let place = (0..width).rev().find(|&at| bit(v[0], at) != sign(v[0]));
                vec![place.map_or(0xFFFF_FFFF, |at| u64::from(if is_amount { width - 1 - at } else { at }))]
            })
        }
        ("bfe", []) => Box::new(move |v| {
            let (first, n) = ((v[1] & 0xFF) as u32, (v[2] & 0xFF) as u32);
            let fill = is_signed && n > 0 && bit(v[0], (first + n - 1).min(width - 1));
            vec![word(width, |at| if at < n && first + at < width { bit(v[0], first + at) } else { fill })]
        }),
        ("bfi", []) => Box::new(move |v| {
            let (first, n) = ((v[2] & 0xFF) as u32, (v[3] & 0xFF) as u32);
            vec![word(width, |at| {
                if (first..first + n).contains(&at) { bit(v[0], at - first) } else { bit(v[1], at) }
            })]
        }),
        _ => return None,
    })
}

/// What is on words alone, by PTX's pseudocode.
fn words(form: &[&str]) -> Option<Reference> {
    Some(match form {
        ["lop3", rest @ .., "b32"] => {
            let combine = rest.first().map(|&word| word == "and");
            Box::new(move |v| {
                let number = |at: u32| {
                    u32::from(bit(v[0], at)) * 4 + u32::from(bit(v[1], at)) * 2 + u32::from(bit(v[2], at))
                };
                let result = word(32, |at| bit(v[3], number(at)));
                let (any, other) = (result != 0, v[4] != 0);
                let predicate =
                    combine.map(|is_and| u64::from(if is_and { any && other } else { any || other }));
                [result].into_iter().chain(predicate).collect()
            })
        }
        ["bmsk", mode, "b32"] => {
            let clamps = *mode == "clamp";
            Box::new(move |v| {
                let (a, b) = ((v[0] & 31) as u32, (v[1] & 31) as u32);
                let (far, wide) = (clamps && v[0] >= 32, clamps && v[1] >= 32);
                vec![word(32, |at| !far && at >= a && (wide || at < a + b))]
            })
        }
        ["szext", mode, ty] => {
            let (clamps, is_signed) = (*mode == "clamp", *ty == "s32");
            Box::new(move |v| {
                let n = (v[1] & 31) as u32;
                let is_whole = clamps && v[1] >= 32;
                let fill = is_signed && n > 0 && bit(v[0], n - 1);
                vec![word(32, |at| if is_whole || at < n { bit(v[0], at) } else { fill })]
            })
        }
        ["fns", "b32"] => Box::new(|v| {
            let (base, offset) = (number(v[1], (32, false)), number(v[2], (32, true)));
            let is_set = |at: i128| (0..32).contains(&at) && bit(v[0], at as u32);
            if offset == 0 {
                return vec![if is_set(base) { base as u64 } else { 0xFFFF_FFFF }];
            }
            let (mut at, mut left) = (base, offset.abs() - 1);
            while (0..32).contains(&at) {
                if is_set(at) {
                    if left == 0 {
                        return vec![at as u64];
                    }
                    left -= 1;
                }
                at += offset.signum();
            }
            vec![0xFFFF_FFFF]
        }),
        ["prmt", "b32", rest @ ..] => {
            // The bytes that the modes take for each selector, the last one first.
            let table: Option<[&str; 4]> = match rest {
                [] => None,
                ["f4e"] => Some(["3210", "4321", "5432", "6543"]),
                ["b4e"] => Some(["5670", "6701", "7012", "0123"]),
                ["rc8"] => Some(["0000", "1111", "2222", "3333"]),
                ["ecl"] => Some(["3210", "3211", "3222", "3333"]),
                ["ecr"] => Some(["0000", "1110", "2210", "3210"]),
                ["rc16"] => Some(["1010", "3232", "1010", "3232"]),
                _ => return None,
            };
            Box::new(move |v| {
                let bytes: Vec<u8> =
                    [v[0], v[1]].iter().flat_map(|&word| (word as u32).to_le_bytes()).collect();
                let control = |at: usize| match table {
                    Some(table) => usize::from(table[v[2] as usize % 4].as_bytes()[3 - at] - b'0'),
                    None => (v[2] >> (4 * at)) as usize % 16,
                };
                let byte = |at: usize| match control(at) {
                    number @ 0..8 => bytes[number],
                    number if bytes[number - 8] >= 128 => 255,
                    _ => 0,
                };
                vec![u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]).into()]
            })
        }
        ["dp4a", a, b] => {
            let (a, b) = (*a == "s32", *b == "s32");
            Box::new(move |v| {
                let part = |word: u64, at: u32, is_signed| number(word >> (8 * at), (8, is_signed));
                let sum: i128 = (0..4).map(|at| part(v[0], at, a) * part(v[1], at, b)).sum();
                vec![low(sum + i128::from(v[2]), 32)]
            })
        }
        ["dp2a", half, a, b] => {
            let (first, a, b) = (if *half == "hi" { 2 } else { 0 }, *a == "s32", *b == "s32");
            Box::new(move |v| {
                let part = |word: u64, at: u32, width: u32, is_signed| {
                    number(word >> (width * at), (width, is_signed))
                };
                let sum: i128 = (0..2).map(|at| part(v[0], at, 16, a) * part(v[1], first + at, 8, b)).sum();
                vec![low(sum + i128::from(v[2]), 32)]
            })
        }
        _ => return None,
    })
}
