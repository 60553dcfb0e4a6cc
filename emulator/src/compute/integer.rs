//! Integer arithmetic, logic and shifts (PTX ISA "Integer Arithmetic Instructions", "Logic and Shift Instructions").

use num_traits::{PrimInt, WrappingAdd, WrappingMul, WrappingNeg, WrappingSub};

use super::lane::Lane;
use super::{Operation, in_parts, one, paired, three, two};

/// An integer type with its unsigned twin and the type of twice its width.
trait Integer: Lane + PrimInt + WrappingAdd + WrappingSub + WrappingMul {
    /// In bits.
    const WIDTH: u32;

    fn widened(self) -> i128;

    /// The low bits.
    fn narrowed(value: i128) -> Self;
}

macro_rules! integers {
    ($($ty:ty)*) => {
        $(impl Integer for $ty {
            const WIDTH: u32 = <$ty>::BITS;

            fn widened(self) -> i128 {
                i128::from(self)
            }

            fn narrowed(value: i128) -> Self {
                value as $ty
            }
        })*
    };
}

integers!(u8 u16 u32 u64 i8 i16 i32 i64);

/// Calls a generic function with the type that a modifier names.
macro_rules! by_type {
    ($name:expr, $function:ident $args:tt; $($modifier:literal => $ty:ty),*) => {
        match $name {
            $($modifier => Some($function::<$ty> $args),)*
            _ => None,
        }
    };
}

/// See [`super::operation`].
pub(super) fn operation(opcode: &str, modifiers: &[&str]) -> Option<Operation> {
    match (opcode, modifiers) {
        ("add" | "sub", ["sat", "s32"]) => Some(saturated::<i32>(opcode == "add")),
        ("add", ["sat", "u32"]) => Some(saturated::<u32>(true)),
        ("add", ["sat", "u16x2"]) => Some(paired(saturated::<u16>(true), 16)),
        ("add", ["sat", "s16x2"]) => Some(paired(saturated::<i16>(true), 16)),
        ("add" | "sub", ["sat", "u8x4"]) => Some(in_bytes(saturated::<u8>(opcode == "add"))),
        ("add" | "sub", ["sat", "s8x4"]) => Some(in_bytes(saturated::<i8>(opcode == "add"))),
        ("add" | "sub" | "min" | "max", ["u8x4"]) => Some(in_bytes(of_bytes::<u8>(opcode))),
        ("add" | "sub" | "min" | "max", ["s8x4"]) => Some(in_bytes(of_bytes::<i8>(opcode))),
        ("min" | "max", ["relu", "s8x4"]) => Some(in_bytes(rectified::<i8>(opcode == "min"))),
        ("neg", ["s8x4"]) => Some(in_bytes(negated::<i8>())),
        ("add" | "min" | "max", ["u16x2"]) => Some(paired(arithmetic(opcode, "u16")?, 16)),
        ("add" | "min" | "max", ["s16x2"]) => Some(paired(arithmetic(opcode, "s16")?, 16)),
        ("add" | "sub" | "min" | "max" | "div" | "rem", [ty]) => arithmetic(opcode, ty),
        ("mul" | "mad", [mode @ ("lo" | "hi"), ty]) => {
            by_type!(*ty, multiplied(opcode == "mad", *mode == "hi");
                "u16" => u16, "s16" => i16, "u32" => u32, "s32" => i32, "u64" => u64, "s64" => i64)
        }
        ("mul" | "mad", ["wide", ty]) => wide(opcode == "mad", ty),
        ("mad", ["hi", "sat", "s32"]) => Some(three(|a: i32, b: i32, c: i32| {
            let high = (i64::from(a) * i64::from(b)) >> 32;
            (high + i64::from(c)).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
        })),
        ("mul24" | "mad24", [mode @ ("lo" | "hi"), ty @ ("u32" | "s32")]) => {
            Some(multiplied_24(opcode == "mad24", *mode == "hi", *ty == "s32"))
        }
        ("mad24", ["hi", "sat", "s32"]) => Some(three(|a: i32, b: i32, c: i32| {
            let low = |value: i32| i64::from(value << 8 >> 8);
            let high = (low(a) * low(b)) >> 16;
            (high + i64::from(c)).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
        })),
        ("sad", [ty]) => by_type!(*ty, distance(); 
            "u16" => u16, "s16" => i16, "u32" => u32, "s32" => i32, "u64" => u64, "s64" => i64),
        ("abs", [ty]) => by_type!(*ty, absolute();  "s16" => i16, "s32" => i32, "s64" => i64),
        ("neg", [ty]) => by_type!(*ty, negated();  "s16" => i16, "s32" => i32, "s64" => i64),
        ("and" | "or" | "xor" | "not" | "cnot", [ty]) => logic(opcode, ty),
        ("shl", [ty]) => by_type!(*ty, shifted_left();  "b16" => u16, "b32" => u32, "b64" => u64),
        ("shr", [ty]) => by_type!(*ty, shifted_right(); 
            "b16" => u16, "b32" => u32, "b64" => u64, "u16" => u16, "u32" => u32, "u64" => u64,
            "s16" => i16, "s32" => i32, "s64" => i64),
        ("shf", [side @ ("l" | "r"), mode @ ("clamp" | "wrap"), "b32"]) => {
            Some(funnel_shifted(*side == "l", *mode == "wrap"))
        }
        ("popc" | "clz" | "brev", [ty]) => bits(opcode, ty),
        ("bfind", [ty]) => found(ty, false),
        ("bfind", ["shiftamt", ty]) => found(ty, true),
        ("bfe", [ty]) => extracted(ty),
        ("bfi", [ty]) => by_type!(*ty, inserted();  "b32" => u32, "b64" => u64),
        ("min" | "max", ["relu", "s32"]) => Some(rectified::<i32>(opcode == "min")),
        ("min" | "max", ["relu", "s16x2"]) => Some(paired(rectified::<i16>(opcode == "min"), 16)),
        _ => None,
    }
}

fn arithmetic(opcode: &str, ty: &str) -> Option<Operation> {
    macro_rules! all {
        ($function:ident) => {
            by_type!(ty, $function();
                "u16" => u16, "s16" => i16, "u32" => u32, "s32" => i32, "u64" => u64, "s64" => i64)
        };
    }
    match opcode {
        "add" => all!(sum),
        "sub" => all!(difference),
        "min" => all!(least),
        "max" => all!(greatest),
        "div" => all!(quotient),
        _ => all!(remainder),
    }
}

fn sum<T: Integer>() -> Operation {
    two(|a: T, b: T| a.wrapping_add(&b))
}

fn difference<T: Integer>() -> Operation {
    two(|a: T, b: T| a.wrapping_sub(&b))
}

fn least<T: Integer>() -> Operation {
    two(|a: T, b: T| a.min(b))
}

fn greatest<T: Integer>() -> Operation {
    two(|a: T, b: T| a.max(b))
}

/// What a division by zero gives is not specified (PTX ISA "div"); GPUs give all ones.
fn quotient<T: Integer>() -> Operation {
    two(|a: T, b: T| if b.is_zero() { T::narrowed(-1) } else { T::narrowed(a.widened() / b.widened()) })
}

/// Of a division by zero, the dividend.
fn remainder<T: Integer>() -> Operation {
    two(|a: T, b: T| if b.is_zero() { a } else { T::narrowed(a.widened() % b.widened()) })
}

/// Zero in place of what is negative.
fn rectified<T: Integer>(is_least: bool) -> Operation {
    two(move |a: T, b: T| (if is_least { a.min(b) } else { a.max(b) }).max(T::zero()))
}

/// The operation for each byte of a word.
fn in_bytes(operation: Operation) -> Operation {
    in_parts(operation, 8, 32)
}

fn of_bytes<T: Integer>(opcode: &str) -> Operation {
    match opcode {
        "add" => sum::<T>(),
        "sub" => difference::<T>(),
        "min" => least::<T>(),
        _ => greatest::<T>(),
    }
}

/// What lies beyond the numbers of the type is the nearest of them.
fn saturated<T: Integer>(is_sum: bool) -> Operation {
    if is_sum { two(|a: T, b: T| a.saturating_add(b)) } else { two(|a: T, b: T| a.saturating_sub(b)) }
}

fn multiplied<T: Integer>(adds: bool, is_high: bool) -> Operation {
    let product = move |a: T, b: T| {
        let product = a.widened().wrapping_mul(b.widened());
        T::narrowed(if is_high { product >> T::WIDTH } else { product })
    };
    if adds { three(move |a: T, b: T, c: T| product(a, b).wrapping_add(&c)) } else { two(product) }
}

fn wide(adds: bool, ty: &str) -> Option<Operation> {
    macro_rules! pair {
        ($narrow:ty, $wide:ty) => {{
            let product = |a: $narrow, b: $narrow| <$wide>::from(a).wrapping_mul(<$wide>::from(b));
            if adds {
                three(move |a: $narrow, b: $narrow, c: $wide| product(a, b).wrapping_add(c))
            } else {
                two(product)
            }
        }};
    }
    Some(match ty {
        "u16" => pair!(u16, u32),
        "s16" => pair!(i16, i32),
        "u32" => pair!(u32, u64),
        "s32" => pair!(i32, i64),
        _ => return None,
    })
}

/// The product of the low 24 bits, which has 48: its low 32, or those above the low 16.
fn multiplied_24(adds: bool, is_high: bool, is_signed: bool) -> Operation {
    let low = move |value: u32| match is_signed {
        true => i64::from((value << 8) as i32 >> 8),
        false => i64::from(value & 0xFF_FFFF),
    };
    let product = move |a: u32, b: u32| {
        let product = low(a) * low(b);
        (if is_high { product >> 16 } else { product }) as u32
    };
    if adds { three(move |a, b, c: u32| product(a, b).wrapping_add(c)) } else { two(product) }
}

fn distance<T: Integer>() -> Operation {
    three(|a: T, b: T, c: T| {
        let distance = if a < b { b.wrapping_sub(&a) } else { a.wrapping_sub(&b) };
        c.wrapping_add(&distance)
    })
}

fn absolute<T: Integer + WrappingNeg>() -> Operation {
    one(|a: T| if a < T::zero() { a.wrapping_neg() } else { a })
}

fn negated<T: Integer + WrappingNeg>() -> Operation {
    one(|a: T| a.wrapping_neg())
}

fn logic(opcode: &str, ty: &str) -> Option<Operation> {
    macro_rules! all {
        ($function:ident) => {
            by_type!(ty, $function();  "b16" => u16, "b32" => u32, "b64" => u64)
        };
    }
    match (opcode, ty) {
        ("and", "pred") => Some(two(|a: bool, b: bool| a & b)),
        ("or", "pred") => Some(two(|a: bool, b: bool| a | b)),
        ("xor", "pred") => Some(two(|a: bool, b: bool| a ^ b)),
        ("not", "pred") => Some(one(|a: bool| !a)),
        ("and", _) => all!(conjunction),
        ("or", _) => all!(disjunction),
        ("xor", _) => all!(exclusive),
        ("not", _) => all!(complement),
        _ => all!(is_zero),
    }
}

fn conjunction<T: Integer>() -> Operation {
    two(|a: T, b: T| a & b)
}

fn disjunction<T: Integer>() -> Operation {
    two(|a: T, b: T| a | b)
}

fn exclusive<T: Integer>() -> Operation {
    two(|a: T, b: T| a ^ b)
}

fn complement<T: Integer>() -> Operation {
    one(|a: T| !a)
}

fn is_zero<T: Integer>() -> Operation {
    one(|a: T| if a.is_zero() { T::one() } else { T::zero() })
}

/// Amounts of the width and above leave nothing (PTX ISA "shl").
fn shifted_left<T: Integer>() -> Operation {
    two(|a: T, amount: u32| if amount >= T::WIDTH { T::zero() } else { a << amount as usize })
}

/// Amounts of the width and above leave the sign (PTX ISA "shr").
fn shifted_right<T: Integer>() -> Operation {
    two(|a: T, amount: u32| {
        let amount = amount.min(T::WIDTH);
        if amount == T::WIDTH {
            if a < T::zero() { !T::zero() } else { T::zero() }
        } else {
            a >> amount as usize
        }
    })
}

/// Of the 64 bits in `b:a`, the high or the low 32 after the shift (PTX ISA "shf").
fn funnel_shifted(is_left: bool, wraps: bool) -> Operation {
    three(move |a: u32, b: u32, amount: u32| {
        let amount = if wraps { amount & 31 } else { amount.min(32) };
        let both = u64::from(b) << 32 | u64::from(a);
        if is_left { ((both << amount) >> 32) as u32 } else { (both >> amount) as u32 }
    })
}

fn bits(opcode: &str, ty: &str) -> Option<Operation> {
    Some(match (opcode, ty) {
        ("popc", "b32") => one(u32::count_ones),
        ("popc", "b64") => one(u64::count_ones),
        ("clz", "b32") => one(u32::leading_zeros),
        ("clz", "b64") => one(u64::leading_zeros),
        ("brev", "b32") => one(u32::reverse_bits),
        ("brev", "b64") => one(u64::reverse_bits),
        _ => return None,
    })
}

/// The number of the highest bit that is not as the sign; with `shiftamt`, how far it has to be moved to the
/// left to become the highest. All ones for none (PTX ISA "bfind").
fn found(ty: &str, is_amount: bool) -> Option<Operation> {
    let find = move |value: u64, width: u32| match value.checked_ilog2() {
        None => u32::MAX,
        Some(position) if is_amount => width - 1 - position,
        Some(position) => position,
    };
    Some(match ty {
        "u32" => one(move |a: u32| find(u64::from(a), 32)),
        "u64" => one(move |a: u64| find(a, 64)),
        "s32" => one(move |a: i32| find(u64::from((a ^ a >> 31) as u32), 32)),
        "s64" => one(move |a: i64| find((a ^ a >> 63) as u64, 64)),
        _ => return None,
    })
}

/// PTX ISA "bfe": bits from a position on; where there are none, the sign, which is that of the field.
fn extracted(ty: &str) -> Option<Operation> {
    let extract = |value: u64, position: u32, len: u32, width: u32, is_signed: bool| -> u64 {
        let (position, len) = (position & 0xFF, len & 0xFF);
        let bit = |at: u32| value >> at.min(width - 1) & 1 != 0;
        let sign = is_signed && len > 0 && bit((position + len - 1).min(width - 1));
        let fill = if sign { u64::MAX } else { 0 };
        let field = if position >= 64 { 0 } else { value >> position };
        let n_bits = len.min(width.saturating_sub(position));
        let mask = if n_bits >= 64 { u64::MAX } else { (1 << n_bits) - 1 };
        field & mask | fill & !mask
    };
    Some(match ty {
        "u32" => three(move |a: u32, b: u32, c: u32| extract(u64::from(a), b, c, 32, false) as u32),
        "s32" => three(move |a: u32, b: u32, c: u32| extract(u64::from(a), b, c, 32, true) as u32),
        "u64" => three(move |a: u64, b: u32, c: u32| extract(a, b, c, 64, false)),
        "s64" => three(move |a: u64, b: u32, c: u32| extract(a, b, c, 64, true)),
        _ => return None,
    })
}

/// PTX ISA "bfi": the low bits of the first operand, put into the second.
fn inserted<T: Integer>() -> Operation {
    let mut operation = three(|_: T, _: T, _: u32| T::zero());
    operation.operands.push(u32::TYPE);
    operation.compute = std::sync::Arc::new(|operands, results| {
        for lane in 0..super::WARP_SIZE {
            let (field, value) = (operands[0][lane], operands[1][lane]);
            let (position, len) = (operands[2][lane] as u32 & 0xFF, operands[3][lane] as u32 & 0xFF);
            let n_bits = len.min(T::WIDTH.saturating_sub(position));
            let mask = match n_bits {
                0 => 0,
                n_bits => (u64::MAX >> (64 - n_bits)) << position,
            };
            let moved = if n_bits == 0 { 0 } else { field << position };
            results[0][lane] = T::from_bits(value & !mask | moved & mask).to_bits();
        }
    });
    operation
}
