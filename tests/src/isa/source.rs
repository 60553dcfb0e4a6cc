//! Kernels for the variants of instructions, and their input words.

use std::fmt::Write as _;

use super::Variant;
use crate::Failure;
use crate::math::{N_RESULTS, N_WORDS};
use crate::random::Random;

/// PTX types with their C types, and their constraint letters in inline assembly.
const TYPES: &[(&str, &str, char)] = &[
    ("b8", "unsigned char", 'r'),
    ("u8", "unsigned char", 'r'),
    ("s8", "signed char", 'r'),
    ("b16", "unsigned short", 'h'),
    ("u16", "unsigned short", 'h'),
    ("s16", "short", 'h'),
    ("b32", "unsigned int", 'r'),
    ("u32", "unsigned int", 'r'),
    ("s32", "int", 'r'),
    ("b64", "unsigned long long", 'l'),
    ("u64", "unsigned long long", 'l'),
    ("s64", "long long", 'l'),
    // The bits of one.
    ("f16", "unsigned short", 'h'),
    ("f32", "float", 'f'),
    ("f64", "double", 'd'),
    ("pred", "bool", 'r'),
];

/// The C type of a PTX type.
pub fn c_type(ptx: &str) -> Option<&'static str> {
    TYPES.iter().find(|(name, ..)| *name == ptx).map(|(_, c, _)| *c)
}

/// The base name of CUDA's vectors of a PTX type: `uchar` for `uchar2`.
pub fn vector_type(ptx: &str) -> Option<String> {
    let (sign, rest) = match c_type(ptx)?.strip_prefix("unsigned ") {
        Some(rest) => ("u", rest),
        None => ("", c_type(ptx)?.trim_start_matches("signed ")),
    };
    Some(format!("{sign}{}", rest.replace(' ', "")))
}

/// A file of kernels, `k0` and so on.
///
/// # Errors
///
/// A type that PTX lacks.
pub fn source(variants: &[Variant]) -> Result<String, Failure> {
    let mut text = String::new();
    for (idx, variant) in variants.iter().enumerate() {
        text.push_str(&kernel(variant, idx)?);
    }
    Ok(text)
}

fn kernel(variant: &Variant, idx: usize) -> Result<String, Failure> {
    let form = &variant.form;
    let c = |ty: &String| c_type(ty).ok_or_else(|| format!("{}: there is no type {ty}", form.isa));
    let operands: Vec<&str> = form.operands.iter().map(c).collect::<Result<_, _>>()?;
    let result = form.result.as_ref().map(c).transpose()?;
    let params: Vec<String> = operands.iter().zip('a'..).map(|(ty, name)| format!("{ty} {name}")).collect();
    let args: Vec<String> =
        operands.iter().enumerate().map(|(at, ty)| format!("*(const {ty} *)(w + {at})")).collect();
    let body = match (&form.value, &form.body, &form.asm) {
        (Some(value), ..) if result.is_some() => format!("return {value};"),
        (Some(value), ..) => format!("{value};"),
        (_, Some(body), _) => body.clone(),
        (_, _, Some(ptx)) => asm(variant, ptx),
        _ => return Err(format!("{}: no source", form.isa)),
    };
    let call = format!("f{idx}({})", args.join(", "));
    let call = result.map_or(format!("{call};"), |ty| format!("*({ty} *)out = {call};"));
    let mut text = form.prelude.replace("{n}", &idx.to_string());
    // Writing to a `String` cannot fail.
    let _ = write!(
        text,
        "\nstatic __device__ __forceinline__ {} f{idx}({})\n{{\n    {}\n}}\n\
         extern \"C\" __global__ void k{idx}(const unsigned long long *w, unsigned long long *out, int n)\n{{\n    \
         int t = blockIdx.x * blockDim.x + threadIdx.x;\n    if (t >= n) return;\n    w += {N_WORDS} * t;\n    \
         out += {N_RESULTS} * t;\n    {call}\n}}\n",
        result.unwrap_or("void"),
        params.join(", "),
        body.replace("{n}", &idx.to_string()),
    );
    Ok(text)
}

/// Statements around PTX. Bytes and predicates are in 32-bit registers.
fn asm(variant: &Variant, ptx: &str) -> String {
    let form = &variant.form;
    let letter = |ty: &str| TYPES.iter().find(|(name, ..)| *name == ty).map_or('r', |(_, _, letter)| *letter);
    let is_narrow = |ty: &str| ty.ends_with('8') || ty == "pred";
    let ptx = ptx.replace('\n', "\\n").replace('"', "\\\"");
    let inputs: Vec<String> = form
        .operands
        .iter()
        .zip('a'..)
        .map(|(ty, name)| {
            let cast = if is_narrow(ty) { "(unsigned int)" } else { "" };
            format!("\"{}\"({cast}{name})", letter(ty))
        })
        .collect();
    let inputs = inputs.join(", ");
    let Some(result) = &form.result else { return format!("asm volatile(\"{ptx}\" : : {inputs});") };
    let ty = if is_narrow(result) { "unsigned int" } else { c_type(result).unwrap_or("unsigned int") };
    format!("{ty} r;\n    asm(\"{ptx}\" : \"={}\"(r) : {inputs});\n    return r;", letter(result))
}

/// The words of `n` calls: boundary values, and others.
pub fn inputs(variant: &Variant, n: usize, seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    let mut words = Vec::new();
    for _ in 0..n {
        for at in 0..N_WORDS {
            words.push(variant.form.operands.get(at).map_or(0, |ty| value(&mut random, ty)));
        }
    }
    words
}

fn value(random: &mut Random, ty: &str) -> u64 {
    let bits: u32 = ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().unwrap_or(1);
    let bits = bits.min(64);
    if let "f32" | "f64" = ty {
        const EDGES: [f64; 14] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.5,
            -2.5,
            255.5,
            -32768.5,
            65536.0,
            4.0e9,
            1.0e-40,
            f64::INFINITY,
            f64::NAN,
        ];
        let value = match random.below(3) {
            0 => *random.of(&EDGES),
            1 => (random.draw() as i32) as f64 / 65536.0,
            _ => (random.draw() as i64) as f64 / 4_294_967_296.0,
        };
        return if ty == "f32" { u64::from((value as f32).to_bits()) } else { value.to_bits() };
    }
    let mask = u64::MAX >> (64 - bits);
    let value = match random.below(4) {
        0 => random.below(4) as u64,
        1 => (1 << (bits - 1)) - (random.below(3) as u64).min(1 << (bits - 1)),
        2 => u64::MAX - random.below(3) as u64,
        _ => random.draw(),
    };
    value & mask
}
