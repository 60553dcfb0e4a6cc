//! Formats the values of a warp's lanes.

use std::fmt;
use std::ops::{Range, RangeInclusive};

use half::{bf16, f16};
use weft_emulator::memory::PARAM_WINDOW;

/// One value for each lane.
type Lanes = [u64; 32];

/// How to interpret the bits of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Bits: in hexadecimal, unless the number is small.
    Bits(u32),
    /// An unsigned integer with this number of bits.
    Unsigned(u32),
    /// A signed integer with this number of bits.
    Signed(u32),
    F16,
    Bf16,
    F32,
    F64,
    /// Bits that look like a `float` or a `double`: written with an `f` or a `d`.
    LikeF32,
    LikeF64,
}

/// The range of numbers that are likely to be meant as numbers.
const LIKELY: RangeInclusive<f64> = 1e-9..=1e9;

/// The value from which bits are written in hexadecimal.
const LARGE: u64 = 1 << 16;

impl Format {
    /// The format of an instruction's results: by the first type in its name, which is that of the result,
    /// except for comparisons.
    pub(super) fn of(instruction: &str) -> Format {
        let mut words = instruction.split_whitespace();
        let opcode = words.find(|word| !word.starts_with('@')).unwrap_or_default();
        if opcode.starts_with("setp") {
            return Format::Bits(1);
        }
        let format = opcode.split('.').skip(1).find_map(Format::named).unwrap_or(Format::Bits(64));
        let is_wide = opcode.split('.').any(|modifier| modifier == "wide");
        match format {
            Format::Signed(bits) if is_wide => Format::Signed(2 * bits),
            Format::Unsigned(bits) if is_wide => Format::Unsigned(2 * bits),
            other => other,
        }
    }

    fn named(ty: &str) -> Option<Format> {
        match ty {
            "f16" => return Some(Format::F16),
            "bf16" => return Some(Format::Bf16),
            "f32" => return Some(Format::F32),
            "f64" => return Some(Format::F64),
            "f16x2" | "bf16x2" => return Some(Format::Bits(32)),
            "pred" => return Some(Format::Bits(1)),
            _ => {}
        }
        let (letter, bits) = ty.split_at_checked(1)?;
        let bits = bits.parse().ok().filter(|bits| matches!(bits, 8 | 16 | 32 | 64))?;
        match letter {
            "b" => Some(Format::Bits(bits)),
            "u" => Some(Format::Unsigned(bits)),
            "s" => Some(Format::Signed(bits)),
            _ => None,
        }
    }

    fn text(self, value: u64) -> String {
        match self {
            Format::Bits(bits) => match truncated(value, bits) {
                small @ 0..LARGE => small.to_string(),
                large => format!("{large:#x}"),
            },
            Format::Unsigned(bits) => truncated(value, bits).to_string(),
            Format::Signed(bits) => signed(value, bits).to_string(),
            Format::F16 => f16::from_bits(value as u16).to_string(),
            Format::Bf16 => bf16::from_bits(value as u16).to_string(),
            Format::F32 => f32::from_bits(value as u32).to_string(),
            Format::F64 => f64::from_bits(value).to_string(),
            Format::LikeF32 => format!("{}f", f32::from_bits(value as u32)),
            Format::LikeF64 => format!("{}d", f64::from_bits(value)),
        }
    }

    /// Compilers move floating-point numbers as bits (`ld.global.b32`). If all values would be likely
    /// numbers, or zeros, they are taken to be numbers.
    fn read_as(self, values: &[u64]) -> Format {
        let floating = match self {
            Format::Bits(32) => Format::LikeF32,
            Format::Bits(64) => Format::LikeF64,
            other => return other,
        };
        let is_likely = |&value: &u64| {
            value == 0 || floating.number(value).is_some_and(|number| LIKELY.contains(&number.abs()))
        };
        let is_meant = values.iter().all(is_likely) && values.iter().any(|&value| value != 0);
        if is_meant { floating } else { self }
    }

    /// The value as a number, to detect even steps; `None` for a NaN.
    fn number(self, value: u64) -> Option<f64> {
        let number = match self {
            Format::Bits(bits) | Format::Unsigned(bits) => truncated(value, bits) as f64,
            Format::Signed(bits) => signed(value, bits) as f64,
            Format::F16 => f16::from_bits(value as u16).to_f64(),
            Format::Bf16 => bf16::from_bits(value as u16).to_f64(),
            Format::F32 | Format::LikeF32 => f64::from(f32::from_bits(value as u32)),
            Format::F64 | Format::LikeF64 => f64::from_bits(value),
        };
        // Larger numbers are not exact.
        (number.abs() < (1_u64 << f64::MANTISSA_DIGITS) as f64).then_some(number)
    }
}

fn truncated(value: u64, bits: u32) -> u64 {
    value & u64::MAX >> (64 - bits)
}

fn signed(value: u64, bits: u32) -> i64 {
    (value << (64 - bits)) as i64 >> (64 - bits)
}

/// A 64-bit number in this range is taken to be a generic address.
const ADDRESSES: Range<u64> = PARAM_WINDOW..1 << 47;

/// The values of the lanes of a mask, abbreviated if they agree or have even steps.
pub(super) struct Values<'v> {
    pub(super) lanes: &'v Lanes,
    pub(super) mask: u32,
    pub(super) format: Format,
}

impl fmt::Display for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<u64> = of_mask(self.lanes, self.mask).collect();
        let is_address = |value: &u64| ADDRESSES.contains(value);
        let is_wide = matches!(self.format, Format::Unsigned(64) | Format::Signed(64) | Format::Bits(64));
        if is_wide && values.iter().all(is_address) {
            return f.write_str(&around(&values));
        }
        f.write_str(&short(&values, self.format.read_as(&values)))
    }
}

/// The addresses that the lanes of a mask access.
pub(super) fn addresses(lanes: &Lanes, mask: u32) -> String {
    around(&of_mask(lanes, mask).collect::<Vec<u64>>())
}

/// Addresses: the first one, and the distances of the others from it.
fn around(addresses: &[u64]) -> String {
    let first = addresses.first().copied().unwrap_or(0);
    let distances: Vec<u64> = addresses.iter().map(|address| address.wrapping_sub(first)).collect();
    if distances.iter().all(|&distance| distance == 0) {
        return format!("{first:#x}");
    }
    format!("{first:#x}+({})", short(&distances, Format::Signed(64)))
}

/// Abbreviates values: one for all, `0 4 … 124` for even steps, and repeated values once.
fn short(values: &[u64], format: Format) -> String {
    let text = |value: &u64| format.text(*value);
    let n_values = values.len();
    let repeats = |period: &usize| {
        n_values.is_multiple_of(*period) && values.iter().zip(&values[*period..]).all(|(a, b)| a == b)
    };
    let period = (1..n_values).find(repeats).unwrap_or(n_values);
    let once = &values[..period];
    let mut short = match once {
        [first, second, .., last] if has_even_steps(once, format) => {
            format!("{} {} … {}", text(first), text(second), text(last))
        }
        all => all.iter().map(text).collect::<Vec<String>>().join(" "),
    };
    if period > 1 && period < n_values {
        short.push_str(&format!(" x{}", n_values / period));
    }
    short
}

/// Whether there are at least four values with even steps.
fn has_even_steps(values: &[u64], format: Format) -> bool {
    let numbers: Option<Vec<f64>> = values.iter().map(|&value| format.number(value)).collect();
    let Some(numbers) = numbers else { return false };
    let mut steps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
    let first = steps.next();
    values.len() >= 4 && steps.all(|step| Some(step) == first)
}

fn of_mask(lanes: &Lanes, mask: u32) -> impl Iterator<Item = u64> {
    lanes.iter().enumerate().filter(move |(lane, _)| mask >> lane & 1 != 0).map(|(_, &value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(instruction: &str, mask: u32, value: impl Fn(u64) -> u64) -> String {
        let lanes = std::array::from_fn(|lane| value(lane as u64));
        Values { lanes: &lanes, mask, format: Format::of(instruction) }.to_string()
    }

    #[test]
    fn values_are_written_by_the_type_of_the_instruction() {
        let one = |instruction: &str, bits: u64| text(instruction, 1, |_| bits);
        assert_eq!(one("fma.rn.f32 %r1, %r2, %r3, %r4", 0x3fc0_0000), "1.5");
        assert_eq!(one("ld.global.nc.v2.f64 {%rd1, %rd2}, [%rd3]", 0xc000_0000_0000_0000), "-2");
        assert_eq!(one("add.bf16 %rs1, %rs2, %rs3", 0x3f80), "1");
        assert_eq!(one("cvt.f16.f32 %rs1, %r1", 0x3800), "0.5");
        assert_eq!(one("sub.s32 %r1, %r2, 1", 0xffff_ffff), "-1");
        assert_eq!(one("mul.wide.s32 %rd1, %r1, 4", u64::MAX - 3), "-4");
        assert_eq!(one("@!%p1 mov.u32 %r1, %tid.x", 70000), "70000");
        assert_eq!(one("ld.b32 %r1, [%rd1]", 70000), "0x11170");
        assert_eq!(one("ld.b32 %r1, [%rd1]", 0xbfc0_0000), "-1.5f");
        assert_eq!(one("ld.b64 %rd1, [%rd1]", 0x3fd0_0000_0000_0000), "0.25d");
        assert_eq!(one("ld.b32 %r1, [%rd1]", 0x7fc0_0000), "0x7fc00000", "not a number");
        assert_eq!(one("mov.b32 %r1, 7", 7), "7");
        assert_eq!(one("cvta.to.global.u64 %rd1, %rd2", 0x7f00_0000_0000), "0x7f0000000000");
        assert_eq!(one("setp.lt.f32 %p1, %r1, %r2", 1), "1");
    }

    #[test]
    fn values_that_agree_are_written_once() {
        assert_eq!(text("mov.u32 %r1, 5", u32::MAX, |_| 5), "5");
        assert_eq!(text("mov.u32 %r1, %tid.x", u32::MAX, |lane| 4 * lane), "0 4 … 124");
        assert_eq!(text("mov.s32 %r1, %r2", 0xf0, |lane| 4_u64.wrapping_sub(lane)), "0 -1 … -3");
        assert_eq!(text("mov.u32 %r1, %r2", 0b1011, |lane| lane), "0 1 3", "the lanes of the mask");
        assert_eq!(text("mov.u32 %r1, %r2", 0b1111, |lane| lane * lane), "0 1 4 9");
        assert_eq!(text("mov.u32 %r1, %r2", u32::MAX, |lane| lane % 2), "0 1 x16");
        assert_eq!(
            text("mov.u32 %r1, %r2", u32::MAX, |lane| lane / 16),
            "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"
        );
        let floats = |lane: u64| u64::from((lane as f32 / 2.0).to_bits());
        assert_eq!(text("ld.b32 %r1, [%rd1]", u32::MAX, floats), "0f 0.5f … 15.5f");
        assert_eq!(text("ld.b32 %r1, [%rd1]", 0b11, |lane| 0x3f80_0000 * lane + lane), "0f 1.0000001f");
        assert_eq!(text("ld.b32 %r1, [%rd1]", 0b11, |lane| 0x3f80_0000 * lane + 7), "7 0x3f800007");
        let nan = |lane: u64| u64::from(f32::NAN.to_bits()) + lane;
        assert_eq!(text("mov.f32 %r1, %r2", 0b1111, nan), "NaN NaN NaN NaN");
    }

    #[test]
    fn addresses_are_written_by_their_distances() {
        let of = |mask, address: fn(u64) -> u64| {
            addresses(&std::array::from_fn(|lane| address(lane as u64)), mask)
        };
        assert_eq!(of(u32::MAX, |lane| 0x1000 + 4 * lane), "0x1000+(0 4 … 124)");
        assert_eq!(of(u32::MAX, |lane| 0x1000 - 8 * lane), "0x1000+(0 -8 … -248)");
        assert_eq!(of(u32::MAX, |_| 0x1000), "0x1000");
        assert_eq!(of(u32::MAX, |lane| 0x1000 + lane % 4 * 128), "0x1000+(0 128 … 384 x8)");
        assert_eq!(of(0b111, |lane| lane * lane), "0x0+(0 1 4)");
        let pointers = text("add.s64 %rd1, %rd2, %rd3", 0b11, |lane| 0x7f00_0000_0100 + lane);
        assert_eq!(pointers, "0x7f0000000100+(0 1)");
    }
}
