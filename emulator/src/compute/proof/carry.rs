//! Sums and differences with carries: each form against the same in 128 bits.

use super::super::carry::operation;
use super::super::tests::{Random, for_each};
use super::integer::number;

/// The carry of a difference says that nothing was borrowed.
#[test]
fn carries_are_proved() {
    let mut random = Random(11);
    let edges =
        [0, 1, 2, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, u64::MAX >> 1, 1 << 63, u64::MAX, u64::MAX - 1];
    let mut n_forms = 0;
    for opcode in ["add", "addc", "sub", "subc", "mad", "madc"] {
        for part in ["", "lo", "hi"] {
            for cc in ["", "cc"] {
                for (ty, width, is_signed) in
                    [("u32", 32, false), ("s32", 32, true), ("u64", 64, false), ("s64", 64, true)]
                {
                    let words: Vec<&str> =
                        [part, cc, ty].into_iter().filter(|word| !word.is_empty()).collect();
                    let form = format!("{opcode}.{}", words.join("."));
                    let takes = opcode.ends_with('c');
                    let is_valid = (part.is_empty() != opcode.starts_with("mad")) && (takes || cc == "cc");
                    let Some(carrying) = operation(opcode, &words) else {
                        assert!(!is_valid, "{form} is unknown");
                        continue;
                    };
                    assert!(is_valid && carrying.takes == takes && carrying.gives == (cc == "cc"), "{form}");
                    n_forms += 1;
                    let mask = u64::MAX >> (64 - width);
                    let mut any = || match random.next() {
                        value if value % 2 == 0 => edges[(value >> 8) as usize % edges.len()] & mask,
                        _ => random.next() & mask,
                    };
                    let is_product = opcode.starts_with("mad");
                    // The carry comes last, behind two operands or three.
                    let operands: Vec<[u64; 4]> = (0..4000_u64)
                        .map(|idx| {
                            let (a, b, c, carry) = (any(), any(), any(), idx % 2);
                            if is_product { [a, b, c, carry] } else { [a, b, carry, 0] }
                        })
                        .collect();
                    for_each(&carrying.operation, operands, |[a, b, c, last], found| {
                        let ty = (width, is_signed);
                        let high = match is_signed {
                            true => (number(a, ty) * number(b, ty)) >> width,
                            false => ((u128::from(a) * u128::from(b)) >> width) as i128,
                        };
                        let (first, second, carry) = match (is_product, part) {
                            (false, _) => (i128::from(a), i128::from(b), c),
                            (true, "hi") => (high & i128::from(mask), i128::from(c), last),
                            (true, _) => (i128::from(a.wrapping_mul(b) & mask), i128::from(c), last),
                        };
                        let (value, carries) = match opcode {
                            "sub" => (first - second, first >= second),
                            "subc" => {
                                let value = first - second - i128::from(1 - carry);
                                (value, value >= 0)
                            }
                            _ => {
                                let value = first + second + if takes { i128::from(carry) } else { 0 };
                                (value, value > i128::from(mask))
                            }
                        };
                        let expected = [value as u64 & mask, carries.into()];
                        assert_eq!(found, &expected[..found.len()], "{form} {a:#x}, {b:#x}, {c:#x}, {last}");
                    });
                }
            }
        }
    }
    assert_eq!(n_forms, 12 * 4);
}
