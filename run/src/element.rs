//! The element types of buffers and parameters: sizes, parsing and printing of values.

use std::fmt;

use half::{bf16, f16};

/// The type of a buffer's elements, or of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ElementType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    Bf16,
    F32,
    F64,
}

/// The kind of a number type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Floating-point numbers.
    Float,
}

/// A number, represented exactly: integers in 128 bits, floating-point numbers as `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A floating-point number.
    Float(f64),
}

impl ElementType {
    /// All types.
    pub const ALL: [ElementType; 12] = [
        ElementType::I8,
        ElementType::U8,
        ElementType::I16,
        ElementType::U16,
        ElementType::I32,
        ElementType::U32,
        ElementType::I64,
        ElementType::U64,
        ElementType::F16,
        ElementType::Bf16,
        ElementType::F32,
        ElementType::F64,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            ElementType::I8 => "i8",
            ElementType::U8 => "u8",
            ElementType::I16 => "i16",
            ElementType::U16 => "u16",
            ElementType::I32 => "i32",
            ElementType::U32 => "u32",
            ElementType::I64 => "i64",
            ElementType::U64 => "u64",
            ElementType::F16 => "f16",
            ElementType::Bf16 => "bf16",
            ElementType::F32 => "f32",
            ElementType::F64 => "f64",
        }
    }

    /// The type with this name; PTX's `s32` is `i32`.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.into_iter().find(|ty| ty.name() == name);
        found.or(match name {
            "s8" => Some(ElementType::I8),
            "s16" => Some(ElementType::I16),
            "s32" => Some(ElementType::I32),
            "s64" => Some(ElementType::I64),
            _ => None,
        })
    }

    /// Its size, and alignment, in bytes.
    pub fn size(self) -> usize {
        match self {
            ElementType::I8 | ElementType::U8 => 1,
            ElementType::I16 | ElementType::U16 | ElementType::F16 | ElementType::Bf16 => 2,
            ElementType::I32 | ElementType::U32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::U64 | ElementType::F64 => 8,
        }
    }

    /// The kind of its numbers.
    pub fn kind(self) -> NumberKind {
        match self {
            ElementType::I8 | ElementType::I16 | ElementType::I32 | ElementType::I64 => NumberKind::Signed,
            ElementType::U8 | ElementType::U16 | ElementType::U32 | ElementType::U64 => NumberKind::Unsigned,
            ElementType::F16 | ElementType::Bf16 | ElementType::F32 | ElementType::F64 => NumberKind::Float,
        }
    }

    /// The number of bits of a floating-point type's significand.
    pub fn precision(self) -> u32 {
        match self {
            ElementType::F16 => 11,
            ElementType::Bf16 => 8,
            ElementType::F32 => 24,
            ElementType::F64 => 53,
            _ => 8 * self.size() as u32,
        }
    }

    /// The smallest and the largest number of an integer type.
    pub fn range(self) -> (i128, i128) {
        let bits = 8 * self.size() as u32;
        match self.kind() {
            NumberKind::Signed => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            NumberKind::Unsigned => (0, (1 << bits) - 1),
            NumberKind::Float => (0, 0),
        }
    }

    /// The little-endian bytes of a number; `None` if an integer type cannot represent it. A floating-point
    /// type rounds to nearest.
    pub fn bytes(self, number: Number) -> Option<Vec<u8>> {
        let whole = |number| match number {
            Number::Int(value) => Some(value),
            Number::Float(value) if value.fract() == 0.0 && value.abs() < 1e30 => Some(value as i128),
            Number::Float(_) => None,
        };
        if self.kind() != NumberKind::Float {
            let value = whole(number)?;
            let (least, greatest) = self.range();
            let is_in_range = least <= value && value <= greatest;
            return is_in_range.then(|| value.to_le_bytes()[..self.size()].to_vec());
        }
        let value = match number {
            Number::Int(value) => value as f64,
            Number::Float(value) => value,
        };
        Some(match self {
            ElementType::F16 => f16::from_f64(value).to_le_bytes().to_vec(),
            ElementType::Bf16 => bf16::from_f64(value).to_le_bytes().to_vec(),
            ElementType::F32 => match number {
                Number::Int(value) => (value as f32).to_le_bytes().to_vec(),
                Number::Float(value) => (value as f32).to_le_bytes().to_vec(),
            },
            _ => value.to_le_bytes().to_vec(),
        })
    }

    /// The number in `bytes`, which has the type's size.
    pub fn number(self, bytes: &[u8]) -> Number {
        let mut wide = [0; 8];
        let n = self.size().min(bytes.len());
        wide[..n].copy_from_slice(&bytes[..n]);
        let bits = u64::from_le_bytes(wide);
        match self {
            ElementType::I8 => Number::Int((bits as i8).into()),
            ElementType::I16 => Number::Int((bits as i16).into()),
            ElementType::I32 => Number::Int((bits as i32).into()),
            ElementType::I64 => Number::Int((bits as i64).into()),
            ElementType::U8 | ElementType::U16 | ElementType::U32 | ElementType::U64 => {
                Number::Int(bits.into())
            }
            ElementType::F16 => Number::Float(f16::from_bits(bits as u16).to_f64()),
            ElementType::Bf16 => Number::Float(bf16::from_bits(bits as u16).to_f64()),
            ElementType::F32 => Number::Float(f32::from_bits(bits as u32).into()),
            ElementType::F64 => Number::Float(f64::from_bits(bits)),
        }
    }

    /// A number for people: the shortest text that reads back as the same number.
    pub fn text(self, bytes: &[u8]) -> String {
        match (self, self.number(bytes)) {
            (_, Number::Int(value)) => value.to_string(),
            (_, Number::Float(value)) if !value.is_finite() => {
                let sign = if value < 0.0 { "-" } else { "" };
                format!("{sign}{}", if value.is_nan() { "nan" } else { "inf" })
            }
            (ElementType::F64, Number::Float(value)) => shortest(format!("{value:?}")),
            (ElementType::F32, Number::Float(value)) => shortest(format!("{:?}", value as f32)),
            // Few digits suffice for this type.
            (ElementType::F16, Number::Float(value)) => few_digits(value, 5),
            (_, Number::Float(value)) => few_digits(value, 4),
        }
    }
}

/// Without a trailing `.0`.
fn shortest(text: String) -> String {
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A number with at most `n_digits` digits.
pub(crate) fn few_digits(value: f64, n_digits: usize) -> String {
    let rounded: f64 = format!("{value:.*e}", n_digits - 1).parse().unwrap_or(value);
    shortest(format!("{rounded:?}"))
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Number {
    /// The nearest `f64`.
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

/// A Rust type that buffers can hold.
pub trait Element: Copy {
    /// The element type.
    const TYPE: ElementType;

    /// Appends its little-endian bytes.
    fn append_to(self, bytes: &mut Vec<u8>);

    /// The value of bytes of its size.
    fn of_bytes(bytes: &[u8]) -> Self;
}

macro_rules! elements {
    ($($rust:ty => $ty:ident),* $(,)?) => {$(
        impl Element for $rust {
            const TYPE: ElementType = ElementType::$ty;

            fn append_to(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn of_bytes(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$rust>()];
                own.copy_from_slice(bytes);
                <$rust>::from_le_bytes(own)
            }
        }
    )*};
}

elements! {
    i8 => I8, u8 => U8, i16 => I16, u16 => U16, i32 => I32, u32 => U32, i64 => I64, u64 => U64,
    f16 => F16, bf16 => Bf16, f32 => F32, f64 => F64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_bytes_of_their_type_or_none() {
        assert_eq!(ElementType::I16.bytes(Number::Int(-2)), Some(vec![0xfe, 0xff]));
        assert_eq!(ElementType::U8.bytes(Number::Int(255)), Some(vec![255]));
        assert_eq!(ElementType::U8.bytes(Number::Int(256)), None);
        assert_eq!(ElementType::U64.bytes(Number::Int(-1)), None);
        assert_eq!(ElementType::I32.bytes(Number::Float(1.5)), None);
        assert_eq!(ElementType::I32.bytes(Number::Float(3.0)), Some(vec![3, 0, 0, 0]));
        assert_eq!(ElementType::F32.bytes(Number::Float(1.5)), Some(1.5_f32.to_le_bytes().to_vec()));
        assert_eq!(ElementType::F16.bytes(Number::Float(1.0)), Some(vec![0, 0x3c]));
        assert_eq!(ElementType::Bf16.bytes(Number::Int(1)), Some(vec![0x80, 0x3f]));
    }

    #[test]
    fn texts_are_as_short_as_they_can_be() {
        assert_eq!(ElementType::F32.text(&0.1_f32.to_le_bytes()), "0.1");
        assert_eq!(ElementType::F32.text(&4.0_f32.to_le_bytes()), "4");
        assert_eq!(ElementType::F64.text(&f64::NEG_INFINITY.to_le_bytes()), "-inf");
        assert_eq!(ElementType::F16.text(&f16::from_f32(0.1).to_le_bytes()), "0.099976");
        assert_eq!(ElementType::I8.text(&[0xff]), "-1");
        assert_eq!(ElementType::U8.text(&[0xff]), "255");
    }
}
