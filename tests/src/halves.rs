//! Half-precision functions: a kernel for each overload, and its inputs: all numbers for unary functions,
//! otherwise boundary values and random ones. [`crate::math`] computes the kernels' results.

use std::fmt::Write as _;

use weft_frontend::Prototype;

use crate::math::{N_RESULTS, N_WORDS};
use crate::random::Random;

/// The types of arguments and results, with their size in bits.
const TYPES: &[(&str, u32)] = &[
    ("__half", 16),
    ("__half2", 32),
    ("__nv_bfloat16", 16),
    ("__nv_bfloat162", 32),
    ("bool", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned int", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("float", 32),
    ("double", 64),
    ("float2", 64),
];

/// An overload of a half-precision function.
#[derive(Clone, Debug)]
pub struct Function {
    prototype: Prototype,
}

impl Function {
    /// The overload as such a function, if its result only depends on values.
    pub fn of(prototype: &Prototype) -> Option<Function> {
        let is_known = |ty: &String| TYPES.iter().any(|(known, _)| known == ty);
        let is_half = |ty: &String| ty.starts_with("__half") || ty.starts_with("__nv_bfloat16");
        let Prototype { name, ret, params, .. } = prototype;
        let computes = params.iter().chain([ret]).all(is_known)
            && params.iter().chain([ret]).any(is_half)
            && !params.is_empty()
            && !name.starts_with("__shfl");
        computes.then(|| Function { prototype: prototype.clone() })
    }

    /// Whether the headers support it for a GPU: fused multiplication of bfloat is supported from sm_80 on.
    pub fn is_for(&self, arch: &str) -> bool {
        let Prototype { name, ret, .. } = &self.prototype;
        let is_fused = name.starts_with("__hfma") || *name == "__hcmadd";
        arch != "sm_75" || !is_fused || !ret.starts_with("__nv_bfloat16")
    }

    /// Its declaration: `__half hexp(__half)`.
    pub fn declaration(&self) -> String {
        let Prototype { name, ret, params, .. } = &self.prototype;
        format!("{ret} {name}({})", params.join(", "))
    }

    fn kernel(&self, idx: usize) -> String {
        let Prototype { name, ret, params, .. } = &self.prototype;
        let args: Vec<String> =
            params.iter().enumerate().map(|(at, ty)| format!("*(const {ty} *)(w + {at})")).collect();
        format!(
            "extern \"C\" __global__ void k{idx}(const unsigned long long *w, unsigned long long *out, int n)\n{{\n    \
             int t = blockIdx.x * blockDim.x + threadIdx.x;\n    if (t >= n) return;\n    w += {N_WORDS} * t;\n    \
             out += {N_RESULTS} * t;\n    *({ret} *)out = {name}({});\n}}\n",
            args.join(", ")
        )
    }

    /// The input words of its calls; `n` of them if not all numbers are tried. Mathematical functions get
    /// each number, conversions and others one in `step`.
    pub fn inputs(&self, n: usize, step: usize, seed: u64) -> Vec<u64> {
        let step = if self.prototype.name.starts_with('h') { 1 } else { step };
        let mut random = Random::new(seed);
        let mut words = Vec::new();
        match self.prototype.params.as_slice() {
            [one] if bits(one) <= 16 => {
                for value in (0..1 << bits(one)).step_by(step) {
                    words.extend([value, 0, 0, 0]);
                }
            }
            // Two numbers per call, each of them once.
            [one] if one.starts_with("__") => {
                for low in (0..1_u64 << 15).step_by(step) {
                    words.extend([low | ((0xffff - low) << 16), 0, 0, 0]);
                }
            }
            params => {
                for _ in 0..n {
                    for at in 0..N_WORDS {
                        words.push(params.get(at).map_or(0, |ty| value(&mut random, ty)));
                    }
                }
            }
        }
        words
    }
}

fn bits(ty: &str) -> u32 {
    TYPES.iter().find(|(known, _)| *known == ty).map_or(64, |(_, bits)| *bits)
}

/// A value of the type: for half precision one of few, so that equal ones meet, or an arbitrary one.
fn value(random: &mut Random, ty: &str) -> u64 {
    // Zeros, ones, the least and the greatest numbers, infinities and NaN, of both formats.
    const EDGES: [u64; 14] = [
        0, 0x8000, 0x3c00, 0xbc00, 0x3f80, 0xbf80, 1, 0x0400, 0x7bff, 0x7c00, 0x7f7f, 0x7f80, 0xff80, 0x7fff,
    ];
    let mut half = || match random.below(4) {
        0 => *random.of(&EDGES),
        // Numbers of ordinary size.
        1 => (0x3800 + random.draw() % 0x0c00) | ((random.draw() & 1) << 15),
        _ => random.draw() & 0xffff,
    };
    match ty {
        "__half" | "__nv_bfloat16" => half(),
        "__half2" | "__nv_bfloat162" => half() | (half() << 16),
        "float" => float(random).to_bits().into(),
        "float2" => u64::from(float(random).to_bits()) | (u64::from(float(random).to_bits()) << 32),
        "double" => match random.below(3) {
            0 => random.draw(),
            _ => f64::from(float(random)).to_bits() ^ random.below(4) as u64,
        },
        _ => {
            let shift = random.below(60);
            let word = random.draw() >> shift;
            if random.once_in(2) { word } else { word.wrapping_neg() }
        }
    }
}

/// Numbers near those of half precision, and halfway between two.
fn float(random: &mut Random) -> f32 {
    let bits = random.draw() as u32;
    match random.below(4) {
        0 => f32::from_bits(bits),
        1 => f32::from_bits(bits & 0xffff_8000),
        // With exponents of `half`.
        2 => f32::from_bits((bits & 0x8fff_f000) | 0x3000_0000),
        _ => f32::from_bits((bits & 0x87ff_ffff) | 0x3800_0000),
    }
}

/// A file with a kernel for each function.
pub fn source(functions: &[Function]) -> String {
    let mut text = String::from("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n");
    for (idx, function) in functions.iter().enumerate() {
        let _ = writeln!(text, "{}", function.kernel(idx));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &'static str, ty: &str, n_params: usize) -> Function {
        let params = vec![ty.to_owned(); n_params];
        let immediates = vec![None; n_params];
        let prototype = Prototype { header: None, name, ret: ty.into(), params, immediates, n_defaults: 0 };
        Function::of(&prototype).expect("a function of half precision")
    }

    #[test]
    fn tries_all_numbers_of_unary_functions() {
        let words = function("hexp", "__half", 1).inputs(10, 7, 0);
        assert_eq!(words.len(), N_WORDS << 16);
        let pairs = function("h2exp", "__half2", 1).inputs(10, 7, 0);
        let mut all: Vec<u64> =
            pairs.iter().step_by(N_WORDS).flat_map(|word| [word & 0xffff, word >> 16]).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..1 << 16));
        assert_eq!(function("__hadd", "__half", 2).inputs(10, 7, 0).len(), 10 * N_WORDS);
    }
}
