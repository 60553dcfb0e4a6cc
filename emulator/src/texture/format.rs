//! Texels as numbers.

use std::fmt;

use crate::memory::bytes::Width;

/// What a texel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Its numbers.
    pub channel: Channel,
    /// How many of them: one, two or four.
    pub n_channels: u32,
}

/// A number of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// An unsigned integer of 8 bits.
    U8,
    /// A signed one.
    S8,
    /// An unsigned integer of 16 bits.
    U16,
    /// A signed one.
    S16,
    /// An unsigned integer of 32 bits.
    U32,
    /// A signed one.
    S32,
    /// A floating-point number of 16 bits.
    F16,
    /// One of 32 bits.
    F32,
}

/// What an instruction gives for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `.f32`
    Float,
    /// `.s32`, `.u32`
    Integer,
}

impl Channel {
    /// How it lies in memory.
    pub fn width(self) -> Width {
        match self {
            Channel::U8 | Channel::S8 => Width::B1,
            Channel::U16 | Channel::S16 | Channel::F16 => Width::B2,
            Channel::U32 | Channel::S32 | Channel::F32 => Width::B4,
        }
    }

    fn is_float(self) -> bool {
        matches!(self, Channel::F16 | Channel::F32)
    }

    /// What a read gives for it. An integer of up to 16 bits can be a `float` (`cudaReadModeNormalizedFloat`).
    pub(crate) fn kind(self, is_normalized: bool) -> Kind {
        let is_scaled = is_normalized && self.width() != Width::B4;
        if self.is_float() || is_scaled { Kind::Float } else { Kind::Integer }
    }

    /// The value of the bits in memory, and 1 as the number that stands for it; of a byte that is a brightness of sRGB, the linear one.
    pub(crate) fn value(self, bits: u64, is_normalized: bool, is_srgb: bool) -> f64 {
        let scaled =
            |value: f64, greatest: f64| if is_normalized { (value / greatest).max(-1.0) } else { value };
        match self {
            Channel::U8 if is_srgb => linear(scaled(f64::from(bits as u8), 255.0)),
            Channel::U8 => scaled(f64::from(bits as u8), 255.0),
            Channel::S8 => scaled(f64::from(bits as u8 as i8), 127.0),
            Channel::U16 => scaled(f64::from(bits as u16), 65535.0),
            Channel::S16 => scaled(f64::from(bits as u16 as i16), 32767.0),
            Channel::U32 => f64::from(bits as u32),
            Channel::S32 => f64::from(bits as u32 as i32),
            Channel::F16 => half(bits as u16),
            Channel::F32 => f64::from(f32::from_bits(bits as u32)),
        }
    }

    /// What a register of 32 bits gets for the bits in memory, as they are.
    pub(crate) fn bits(self, bits: u64) -> u32 {
        match self {
            Channel::S8 => i32::from(bits as u8 as i8) as u32,
            Channel::S16 => i32::from(bits as u16 as i16) as u32,
            Channel::F16 => (half(bits as u16) as f32).to_bits(),
            Channel::U8 | Channel::U16 | Channel::U32 | Channel::S32 | Channel::F32 => bits as u32,
        }
    }
}

/// The linear brightness of one of sRGB, both from 0 to 1 (IEC 61966-2-1).
fn linear(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// The value of a number of 16 bits (IEEE 754 binary16).
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

impl Format {
    /// Bytes of a texel.
    pub fn size(self) -> u64 {
        self.channel.width().bytes() * u64::from(self.n_channels)
    }
}

impl fmt::Display for Format {
    /// `u8`, `4 of f32`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let channel = match self.channel {
            Channel::U8 => "u8",
            Channel::S8 => "i8",
            Channel::U16 => "u16",
            Channel::S16 => "i16",
            Channel::U32 => "u32",
            Channel::S32 => "i32",
            Channel::F16 => "f16",
            Channel::F32 => "f32",
        };
        if self.n_channels == 1 {
            f.write_str(channel)
        } else {
            write!(f, "{} of {channel}", self.n_channels)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_become_floats_from_minus_one_to_one() {
        assert_eq!([0, 128, 255].map(|bits| Channel::U8.value(bits, true, false)), [0.0, 128.0 / 255.0, 1.0]);
        assert_eq!([0x80, 0x81, 0x7f].map(|bits| Channel::S8.value(bits, true, false)), [-1.0, -1.0, 1.0]);
        assert_eq!([0x8000, 0x8001].map(|bits| Channel::S16.value(bits, true, false)), [-1.0, -1.0]);
        assert_eq!(Channel::U8.value(200, false, false), 200.0);
    }

    #[test]
    fn bytes_of_srgb_become_linear() {
        let linear = |byte| Channel::U8.value(byte, true, true);
        assert_eq!([linear(0), linear(255)], [0.0, 1.0]);
        // The steps at the dark end are those of a line, and the grey of 21.4 % is at 127.5 of 255.
        assert_eq!(linear(10), 10.0 / 255.0 / 12.92);
        assert!(linear(127) < 0.214_05 && linear(128) > 0.214_05, "{}", linear(127));
    }

    #[test]
    fn halves_are_read_to_the_last_bit() {
        let cases = [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x0001, 2_f64.powi(-24)),
            (0x7bff, 65504.0),
            (0x03ff, 1023.0 * 2_f64.powi(-24)),
        ];
        for (bits, value) in cases {
            assert_eq!(half(bits), value, "{bits:#x}");
        }
        assert!(half(0x7e00).is_nan() && half(0xfc00) == f64::NEG_INFINITY);
    }
}
