use super::{Operation, WARP_SIZE, carry, operation};

/// Numbers that follow from one another and look random (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Any number, a small one, or one near an edge.
    fn number(&mut self) -> u64 {
        let any = self.next();
        let edges =
            [0, 1, 2, 7, 31, 32, 33, 63, 64, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, u64::MAX >> 1];
        match self.next() % 4 {
            0 => any,
            1 => any % 70,
            2 => edges[(any % 15) as usize],
            _ => !edges[(any % 15) as usize],
        }
    }
}

pub(super) fn find(instruction: &str) -> Operation {
    let mut words = instruction.split('.');
    let opcode = words.next().unwrap_or_default();
    let modifiers: Vec<&str> = words.collect();
    operation(opcode, &modifiers).unwrap_or_else(|| panic!("`{instruction}` is unknown"))
}

/// The first result, of the first thread.
pub(super) fn result_of(operation: &Operation, operands: &[u64]) -> u64 {
    let lanes: Vec<_> = operands.iter().map(|&operand| [operand; WARP_SIZE]).collect();
    let lanes: Vec<_> = lanes.iter().collect();
    let mut results = vec![[0; WARP_SIZE]; operation.results.len()];
    (operation.compute)(&lanes, &mut results);
    assert!(results[0].iter().all(|&value| value == results[0][0]), "all lanes do the same");
    results[0][0]
}

/// Gives each of the operands to an operation, a warp's worth at a time, and what comes out to the check.
pub(super) fn for_each<const N: usize>(
    operation: &Operation,
    operands: impl IntoIterator<Item = [u64; N]>,
    mut check: impl FnMut([u64; N], &[u64]),
) {
    let mut operands = operands.into_iter();
    let mut lanes = [[0; WARP_SIZE]; N];
    let mut results = vec![[0; WARP_SIZE]; operation.results.len()];
    loop {
        let mut n_lanes = 0;
        for values in operands.by_ref().take(WARP_SIZE) {
            for (lanes, value) in lanes.iter_mut().zip(values) {
                lanes[n_lanes] = value;
            }
            n_lanes += 1;
        }
        if n_lanes == 0 {
            return;
        }
        (operation.compute)(&lanes.each_ref()[..operation.operands.len()], &mut results);
        for lane in 0..n_lanes {
            let values: [u64; 2] =
                std::array::from_fn(|idx| results.get(idx).map_or(0, |result| result[lane]));
            check(lanes.map(|lanes| lanes[lane]), &values[..results.len()]);
        }
    }
}

fn sign(value: u64, width: u32) -> i128 {
    i128::from((value << (64 - width)) as i64 >> (64 - width))
}

/// What an instruction computes, without a width, from its operands and the width.
type Wide = fn(i128, i128, i128, u32) -> i128;

/// Integer arithmetic against the same in 128 bits.
#[test]
fn integers_are_those_of_wider_arithmetic() {
    let mut random = Random(1);
    for (width, name) in [(16, "16"), (32, "32"), (64, "64")] {
        for is_signed in [false, true] {
            let ty = format!("{}{name}", if is_signed { 's' } else { 'u' });
            let mask = u64::MAX >> (64 - width);
            let wide = |value: u64| if is_signed { sign(value, width) } else { i128::from(value) };
            let operations: Vec<(String, Wide)> = vec![
                (format!("add.{ty}"), |a, b, _, _| a + b),
                (format!("sub.{ty}"), |a, b, _, _| a - b),
                (format!("mul.lo.{ty}"), |a, b, _, _| a.wrapping_mul(b)),
                (format!("mul.hi.{ty}"), |a, b, _, width| a.wrapping_mul(b) >> width),
                (format!("mad.lo.{ty}"), |a, b, c, _| a.wrapping_mul(b).wrapping_add(c)),
                (format!("mad.hi.{ty}"), |a, b, c, width| (a.wrapping_mul(b) >> width) + c),
                (format!("sad.{ty}"), |a, b, c, _| c + (a - b).abs()),
                (format!("min.{ty}"), |a, b, _, _| a.min(b)),
                (format!("max.{ty}"), |a, b, _, _| a.max(b)),
                (format!("div.{ty}"), |a, b, _, _| if b == 0 { -1 } else { a / b }),
                (format!("rem.{ty}"), |a, b, _, _| if b == 0 { a } else { a % b }),
            ];
            for (instruction, expected) in operations {
                let operation = find(&instruction);
                for _ in 0..500 {
                    let [a, b, c] = [random.number() & mask, random.number() & mask, random.number() & mask];
                    // The high half of an unsigned product of 64 bits needs all 128.
                    let product = u128::from(a).wrapping_mul(u128::from(b));
                    let high = |c: u64| ((product >> 64) as u64).wrapping_add(c);
                    let expected = match (&instruction[..], width) {
                        ("mul.hi.u64", _) => high(0),
                        ("mad.hi.u64", _) => high(c),
                        _ => expected(wide(a), wide(b), wide(c), width) as u64 & mask,
                    };
                    let operands = [a, b, c];
                    let found = result_of(&operation, &operands[..operation.operands.len()]);
                    assert_eq!(found, expected, "{instruction} {a:#x}, {b:#x}, {c:#x}");
                }
            }
        }
    }
}

#[test]
fn shifts_may_be_by_more_than_there_are_bits() {
    let mut random = Random(2);
    for (width, name) in [(16, "16"), (32, "32"), (64, "64")] {
        let mask = u64::MAX >> (64 - width);
        let operations =
            [find(&format!("shl.b{name}")), find(&format!("shr.u{name}")), find(&format!("shr.s{name}"))];
        for _ in 0..1000 {
            let (a, amount) = (random.number() & mask, random.number() & 0xFFFF_FFFF);
            let clamped = amount.min(100) as u32;
            let left = (u128::from(a) << clamped.min(64)) as u64 & mask;
            let left = if clamped >= width { 0 } else { left };
            let right = (u128::from(a) >> clamped) as u64;
            let arithmetic = (sign(a, width) >> clamped) as u64 & mask;
            for (operation, expected) in operations.iter().zip([left, right, arithmetic]) {
                assert_eq!(result_of(operation, &[a, amount]), expected, "{a:#x} by {amount}");
            }
        }
    }
}

/// Fields of bits, as the definition in PTX has them: bit by bit.
#[test]
fn fields_are_taken_and_put_bit_by_bit() {
    let mut random = Random(3);
    for (width, name) in [(32_u32, "32"), (64, "64")] {
        let mask = u64::MAX >> (64 - width);
        let take = [find(&format!("bfe.u{name}")), find(&format!("bfe.s{name}"))];
        let put = find(&format!("bfi.b{name}"));
        for _ in 0..3000 {
            let (a, b) = (random.number() & mask, random.number() & mask);
            let (position, len) = (random.number() & 0xFFFF_FFFF, random.number() & 0xFFFF_FFFF);
            let (at, n) = ((position & 0xFF) as u32, (len & 0xFF) as u32);
            let last = (at + n).saturating_sub(1).min(width - 1);
            for (operation, is_signed) in take.iter().zip([false, true]) {
                let fill = is_signed && n > 0 && a >> last & 1 != 0;
                let bit =
                    |idx: u32| if idx < n && at + idx < width { a >> (at + idx) & 1 != 0 } else { fill };
                let expected = (0..width).fold(0, |value, idx| value | u64::from(bit(idx)) << idx);
                assert_eq!(result_of(operation, &[a, position, len]), expected, "bfe {a:#x}, {at}, {n}");
            }
            let bit = |idx: u32| if (at..at + n).contains(&idx) { a >> (idx - at) & 1 } else { b >> idx & 1 };
            let expected = (0..width).fold(0, |value, idx| value | bit(idx) << idx);
            assert_eq!(result_of(&put, &[a, b, position, len]), expected, "bfi {a:#x}, {b:#x}, {at}, {n}");
        }
    }
}

/// Examples worked out by hand from PTX's descriptions.
#[test]
fn words_are_as_described() {
    let max = 0xFFFF_FFFF;
    for (instruction, operands, expected) in [
        ("add.sat.s32", vec![0x7FFF_FFFF, 1], 0x7FFF_FFFF),
        ("sub.sat.s32", vec![0x8000_0000, 1], 0x8000_0000),
        ("mul.wide.s16", vec![0xFFFF, 3], 0xFFFF_FFFD),
        ("mul.wide.u16", vec![0xFFFF, 3], 0x2_FFFD),
        ("mad.wide.s32", vec![max, 2, 5], 3),
        ("mul24.lo.s32", vec![0x00FF_FFFF, 2], 0xFFFF_FFFE),
        ("mul24.hi.u32", vec![0x00FF_FFFF, 0x00FF_FFFF], 0xFFFF_FE00),
        ("shf.l.clamp.b32", vec![0x8000_0000, 1, 1], 3),
        ("shf.r.wrap.b32", vec![1, 3, 33], 0x8000_0000),
        ("shf.l.clamp.b32", vec![5, 7, 40], 5),
        ("lop3.b32", vec![0xF0, 0xCC, 0xAA, 0x96], 0x96),
        ("lop3.b32", vec![1, 2, 4, 0], 0),
        ("prmt.b32", vec![0x3322_1100, 0x7766_5544, 0x7531], 0x7755_3311),
        ("prmt.b32", vec![0x0000_8000, 0, 0x9081], 0xFF00_0080),
        ("prmt.b32.rc16", vec![0x4433_2211, 0, 1], 0x4433_4433),
        ("prmt.b32.f4e", vec![0x4433_2211, 0x8877_6655, 2], 0x6655_4433),
        ("bfind.u32", vec![0x10], 4),
        ("bfind.s32", vec![max], max),
        ("bfind.s32", vec![0xFFFF_FFF0], 3),
        ("bfind.shiftamt.u32", vec![0x10], 27),
        ("fns.b32", vec![0xAAAA_AAAA, 3, 2], 5),
        ("fns.b32", vec![0xAAAA_AAAA, 3, max], 3),
        ("fns.b32", vec![0, 3, 1], max),
        ("bmsk.clamp.b32", vec![4, 8], 0xFF0),
        ("szext.wrap.s32", vec![0x80, 8], 0xFFFF_FF80),
        ("dp4a.s32.u32", vec![0xFF01_0203, 0x0101_0101, 10], 15),
        ("dp2a.hi.s32.s32", vec![0xFFFF_0002, 0x0305_0000, 1], 8),
        ("min.relu.s32", vec![max, 3], 0),
        ("max.s16x2", vec![0x0001_8000, 0xFFFF_0001], 0x0001_0001),
        ("popc.b64", vec![u64::MAX], 64),
        ("clz.b32", vec![0], 32),
        ("brev.b32", vec![1], 0x8000_0000),
        ("cnot.b32", vec![0], 1),
    ] {
        assert_eq!(result_of(&find(instruction), &operands), expected, "{instruction} {operands:x?}");
    }
}

#[test]
fn numbers_in_several_registers_carry() {
    let mut random = Random(4);
    for (kind, is_sum) in [("add", true), ("sub", false)] {
        let [low, high] = [(kind.to_owned(), ["cc", "u32"]), (format!("{kind}c"), ["cc", "u32"])];
        let [low, high] = [low, high].map(|(opcode, modifiers)| {
            carry::operation(&opcode, &modifiers).unwrap_or_else(|| panic!("`{opcode}` is unknown"))
        });
        assert!(low.gives && !low.takes && high.takes);
        for _ in 0..2000 {
            let (a, b) = (random.number(), random.number());
            let mut first = [[0; WARP_SIZE]; 2];
            let lanes = |value: u64| [value & 0xFFFF_FFFF; WARP_SIZE];
            (low.operation.compute)(&[&lanes(a), &lanes(b)], &mut first);
            let mut second = [[0; WARP_SIZE]; 2];
            (high.operation.compute)(&[&lanes(a >> 32), &lanes(b >> 32), &first[1]], &mut second);
            let expected = if is_sum { a.overflowing_add(b) } else { a.overflowing_sub(b) };
            // The carry of a difference says that nothing was borrowed.
            let found = (second[0][0] << 32 | first[0][0], (second[1][0] != 0) == is_sum);
            assert_eq!(found, expected, "{kind} {a:#x}, {b:#x}");
        }
    }
}

#[test]
fn compares_nans() {
    let nan = u64::from(f32::NAN.to_bits());
    let [one, two] = [1.0_f32, 2.0].map(|value| u64::from(value.to_bits()));
    for (instruction, a, b, expected) in [
        ("setp.lt.f32", one, two, 1),
        ("setp.lt.f32", one, nan, 0),
        ("setp.ltu.f32", one, nan, 1),
        ("setp.ne.f32", one, nan, 0),
        ("setp.neu.f32", one, nan, 1),
        ("setp.num.f32", one, nan, 0),
        ("setp.nan.f32", one, nan, 1),
        ("setp.eq.ftz.f32", 1, 0x8000_0002, 1),
        ("setp.lt.s32", 0xFFFF_FFFF, 0, 1),
        ("setp.lo.u32", 0xFFFF_FFFF, 0, 0),
        ("setp.gt.f16", 0x4000, 0x3C00, 1),
        ("set.eq.u32.f16x2", 0x3C00_4000, 0x3C00_3C00, 0xFFFF_0000),
        ("set.ge.f32.s32", 3, 3, u64::from(1.0_f32.to_bits())),
    ] {
        assert_eq!(result_of(&find(instruction), &[a, b]), expected, "{instruction} {a:#x}, {b:#x}");
    }
    assert!(operation("setp", &["lt", "b32"]).is_none() && operation("setp", &["lt", "f8"]).is_none());
}

#[test]
fn conversions_round_and_clamp() {
    let single = |value: f32| u64::from(value.to_bits());
    for (instruction, operand, expected) in [
        ("cvt.rzi.s32.f32", single(-2.7), 0xFFFF_FFFE),
        ("cvt.rni.s32.f32", single(2.5), 2),
        ("cvt.rpi.s32.f32", single(2.1), 3),
        ("cvt.rmi.s32.f32", single(-2.1), 0xFFFF_FFFD),
        ("cvt.rzi.u32.f32", single(-1.0), 0),
        ("cvt.rzi.s32.f32", single(3e9), 0x7FFF_FFFF),
        ("cvt.rzi.s32.f32", single(f32::NAN), 0),
        ("cvt.rzi.u8.f32", single(300.0), 255),
        ("cvt.rn.f32.s32", 0xFFFF_FFFF, single(-1.0)),
        ("cvt.rn.f32.u32", 0xFFFF_FFFF, single(4294967296.0)),
        ("cvt.rz.f32.u32", 0xFFFF_FFFF, single(4294967040.0)),
        ("cvt.f64.f32", single(1.5), 1.5_f64.to_bits()),
        ("cvt.rn.f32.f64", 1e300_f64.to_bits(), single(f32::INFINITY)),
        ("cvt.rz.f32.f64", 1e300_f64.to_bits(), single(f32::MAX)),
        ("cvt.sat.f32.f32", single(2.5), single(1.0)),
        ("cvt.sat.f32.f32", single(f32::NAN), 0),
        ("cvt.rni.f32.f32", single(-0.4), single(-0.0)),
        ("cvt.rn.f16.f32", single(65520.0), 0x7C00),
        ("cvt.rn.bf16.f32", single(1.0), 0x3F80),
        ("cvt.s32.s8", 0x80, 0xFFFF_FF80),
        ("cvt.u16.u32", 0x1_2345, 0x2345),
        ("cvt.sat.s8.s32", 300, 127),
        ("cvt.sat.u8.s32", 0xFFFF_FFFF, 0),
    ] {
        assert_eq!(result_of(&find(instruction), &[operand]), expected, "{instruction} {operand:#x}");
    }
    assert_eq!(result_of(&find("cvt.rn.f16x2.f32"), &[single(1.0), single(2.0)]), 0x3C00_4000);
    // To an integer, a rounding is needed.
    assert!(operation("cvt", &["s32", "f32"]).is_none());
}
