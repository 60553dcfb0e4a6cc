//! Functions on numbers of at most eight bits: those that NVIDIA's headers declare, a kernel for each, and
//! its inputs: all values of narrow types, and for others those near representable numbers of a narrow
//! format. [`crate::math`] computes the kernels' results.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use regex::Regex;

use crate::Failure;
use crate::math::{N_RESULTS, N_WORDS};
use crate::tools::{Tool, Tools, run};

/// A computation to test.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name in messages.
    pub name: String,
    ret: String,
    params: Vec<String>,
    /// An expression of `$0`, `$1` and so on.
    expression: String,
}

/// NVIDIA's headers after preprocessing.
///
/// # Errors
///
/// If nvcc cannot be run.
pub fn headers(tools: &Tools, work: &Path) -> Result<String, Failure> {
    let source = work.join("declared.cu");
    std::fs::write(&source, "#include <cuda_fp4.h>\n").map_err(|e| e.to_string())?;
    let answer = run(tools.tool(Tool::Nvcc)?.args(["-E", "-arch=sm_90"]).arg(&source))?.success()?;
    Ok(answer.stdout.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join(" "))
}

/// The functions that they declare, in order.
///
/// # Errors
///
/// If the pattern is invalid.
pub fn functions(headers: &str) -> Result<Vec<Case>, Failure> {
    let pattern = regex(r"([\w ]+?)\s+(__nv_cvt_\w+)\s*\(([^(){]*)\)\s*;")?;
    let mut seen = BTreeSet::new();
    let mut cases = Vec::new();
    for found in pattern.captures_iter(headers) {
        let (ret, name) = (found[1].split_whitespace().last().unwrap_or_default(), &found[2]);
        // A match within a body is a call.
        if ret == "return" || !ret.starts_with("__") || !seen.insert(name.to_owned()) {
            continue;
        }
        let params: Vec<String> = found[3].split(',').map(param_type).collect();
        let expression = format!("{name}({})", arguments(&params));
        cases.push(Case { name: name.to_owned(), ret: ret.to_owned(), params, expression });
    }
    Ok(cases)
}

/// The constructors and conversions of the classes that they define, in order.
///
/// # Errors
///
/// If a pattern is invalid.
pub fn members(headers: &str) -> Result<Vec<Case>, Failure> {
    let class = regex(r"struct [^;{}]*?(__nv_fp\dx?\d?_\w+) \{ +public: +(\w+) __x;")?;
    let conversion = regex(r"operator +([\w ]+?)\(\) const")?;
    let classes: Vec<_> = class.captures_iter(headers).collect();
    let starts: Vec<usize> =
        classes.iter().filter_map(|class| class.get(0).map(|whole| whole.start())).collect();
    let ends = starts.iter().skip(1).copied().chain([headers.len()]);
    let mut cases = Vec::new();
    for ((class, &start), end) in classes.iter().zip(&starts).zip(ends) {
        let (tag, storage, body) = (&class[1], &class[2], &headers[start..end]);
        for constructor in regex(&format!(r"explicit [^;{{}}]*?\b{tag}\(([^()]+)\)"))?.captures_iter(body) {
            let params: Vec<String> = constructor[1].split(',').map(param_type).collect();
            let expression = format!("{tag}({}).__x", arguments(&params));
            let name = format!("{tag}({})", params.join(", "));
            cases.push(Case { name, ret: storage.to_owned(), params, expression });
        }
        for conversion in conversion.captures_iter(body) {
            let ret = conversion[1].to_owned();
            let (name, params) = (format!("({ret}){tag}"), vec![tag.to_owned()]);
            cases.push(Case { name, expression: format!("({ret})$0"), ret, params });
        }
    }
    Ok(cases)
}

fn regex(pattern: &str) -> Result<Regex, Failure> {
    Regex::new(pattern).map_err(|e| e.to_string())
}

fn arguments(params: &[String]) -> String {
    (0..params.len()).map(|at| format!("${at}")).collect::<Vec<_>>().join(", ")
}

/// The type of `const enum cudaRoundMode rounding`, without its qualifiers and the name.
fn param_type(text: &str) -> String {
    let words: Vec<&str> =
        text.split_whitespace().filter(|word| !matches!(*word, "const" | "enum")).collect();
    words[..words.len().saturating_sub(1)].join(" ")
}

/// The values of a parameter.
enum Values {
    /// A number of elements, each from a list.
    Lanes(usize, Vec<u64>, u32),
    /// An enumerator, or another value.
    Choice(Vec<u64>),
}

fn values(ty: &str) -> Option<Values> {
    let all = |n_bits: u32| (0..1_u64 << n_bits).collect::<Vec<u64>>();
    Some(match ty {
        "float" => Values::Lanes(1, singles(), 32),
        "float2" => Values::Lanes(2, singles(), 32),
        "float4" => Values::Lanes(4, singles(), 32),
        "double" => Values::Lanes(1, doubles(), 64),
        "double2" => Values::Lanes(2, doubles(), 64),
        "double4" | "double4_16a" | "double4_32a" => Values::Lanes(4, doubles(), 64),
        "__half_raw" | "__nv_bfloat16_raw" | "__half" | "__nv_bfloat16" => Values::Lanes(1, all(16), 16),
        "__half2_raw" | "__nv_bfloat162_raw" | "__half2" | "__nv_bfloat162" => Values::Lanes(2, all(16), 16),
        "__nv_fp8_storage_t" | "__nv_fp4x2_storage_t" => Values::Lanes(1, all(8), 8),
        "__nv_fp8x2_storage_t" => Values::Lanes(2, all(8), 8),
        "__nv_fp6_storage_t" => Values::Lanes(1, all(6), 8),
        "__nv_fp6x2_storage_t" => Values::Lanes(2, all(6), 8),
        "__nv_fp4_storage_t" | "__nv_fp4_e2m1" => Values::Lanes(1, all(4), 8),
        "__nv_fp4x2_e2m1" => Values::Lanes(1, all(8), 8),
        "__nv_fp4x4_e2m1" => Values::Lanes(2, all(8), 8),
        _ if ty.starts_with("__nv_fp8_") => Values::Lanes(1, all(8), 8),
        _ if ty.starts_with("__nv_fp8x2_") => Values::Lanes(2, all(8), 8),
        _ if ty.starts_with("__nv_fp8x4_") => Values::Lanes(4, all(8), 8),
        _ if ty.starts_with("__nv_fp6_e") => Values::Lanes(1, all(6), 8),
        _ if ty.starts_with("__nv_fp6x2_e") => Values::Lanes(2, all(6), 8),
        _ if ty.starts_with("__nv_fp6x4_e") => Values::Lanes(4, all(6), 8),
        _ if ty.ends_with("int") => Values::Lanes(1, integers(), 64),
        "__nv_saturation_t" => Values::Choice(vec![0, 1, 5]),
        "__nv_fp8_interpretation_t" | "__nv_fp6_interpretation_t" => Values::Choice(vec![0, 1, 3]),
        "__nv_fp4_interpretation_t" => Values::Choice(vec![0]),
        "cudaRoundMode" => Values::Choice(vec![0, 1, 2, 3, 7]),
        _ => return None,
    })
}

/// Numbers near those of narrow formats, and halfway between two; those of all magnitudes; NaNs and
/// infinities.
fn singles() -> Vec<u64> {
    let rest = [0, 1, 0x3_ffff, 0x4_0000, 0x4_0001, 0x7_ffff];
    let near = (100..=146)
        .flat_map(|exponent| (0..16).flat_map(move |top| rest.map(|rest| (exponent, top << 19 | rest))));
    let mantissas = [0, 1, 0x3f_ffff, 0x40_0000, 0x40_0001, 0x5f_ffff, 0x60_0000, 0x60_0001, 0x7f_ffff];
    let far = (0..256).flat_map(|exponent| mantissas.map(|mantissa| (exponent, mantissa)));
    near.chain(far)
        .flat_map(|(exponent, mantissa)| [0, 1].map(|sign| sign << 31 | exponent << 23 | mantissa))
        .collect()
}

/// Small ones, and those near powers of two, of both signs.
fn integers() -> Vec<u64> {
    let near = (9..64).flat_map(|bit| [0, 1, 2].map(|more| (1_u64 << bit) + more - 1));
    let middle = (9..63).flat_map(|bit| [0, 1, 2].map(|more| (3_u64 << bit) + more - 1));
    (0..600).chain(near).chain(middle).flat_map(|value| [value, value.wrapping_neg()]).collect()
}

/// The same, and their neighbors in higher precision.
fn doubles() -> Vec<u64> {
    let beyond =
        [f64::MAX, f64::MIN_POSITIVE, 1e-50, 1e300, f64::from(f32::MAX) * 1.000_000_01, f64::from_bits(1)];
    let signed = beyond.iter().flat_map(|value| [value.to_bits(), (-value).to_bits()]);
    let nans = [0x7ff0_0000_0000_0001, 0xfff4_0000_0000_0000, 0xfff8_0000_0000_0000, 0x7ffc_0000_0000_0000];
    let near = singles().into_iter().enumerate().map(|(idx, bits)| {
        let bits = f64::from(f32::from_bits(bits as u32)).to_bits();
        match idx / 2 % 3 {
            0 => bits,
            1 => bits + 1,
            _ => bits.saturating_sub(1),
        }
    });
    near.chain(signed).chain(nans).collect()
}

impl Case {
    /// The number of words of a parameter.
    fn n_words(ty: &str) -> usize {
        match values(ty) {
            Some(Values::Lanes(n_lanes, _, width)) => (n_lanes * width as usize).div_ceil(64),
            Some(Values::Choice(_)) | None => 1,
        }
    }

    fn kernel(&self, idx: usize) -> String {
        let (mut at, mut expression) = (0, self.expression.clone());
        for (param, ty) in self.params.iter().enumerate() {
            let is_choice = matches!(values(ty), Some(Values::Choice(_)));
            let value =
                if is_choice { format!("({ty})(int)w[{at}]") } else { format!("*(const {ty} *)(w + {at})") };
            expression = expression.replace(&format!("${param}"), &value);
            at += Case::n_words(ty);
        }
        format!(
            "extern \"C\" __global__ void k{idx}(const unsigned long long *w, unsigned long long *out, int n)\n{{\n    \
             int t = blockIdx.x * blockDim.x + threadIdx.x;\n    if (t >= n) return;\n    w += {N_WORDS} * t;\n    \
             out += {N_RESULTS} * t;\n    {}\n}}\n",
            self.store(&expression)
        )
    }

    /// A statement that stores the result.
    fn store(&self, value: &str) -> String {
        match &self.ret[..] {
            "float4" => format!(
                "const float4 r = {value}; *(float2 *)out = make_float2(r.x, r.y); *(float2 *)(out + 1) = make_float2(r.z, r.w);"
            ),
            ret => format!("*({ret} *)out = {value};"),
        }
    }

    /// The words of its calls: each `step`th of all numbers, with all of its options.
    ///
    /// # Errors
    ///
    /// A parameter of an unknown type.
    pub fn inputs(&self, step: usize) -> Result<Vec<u64>, Failure> {
        let unknown = |ty: &String| format!("{}: nothing is known of `{ty}`", self.name);
        let params: Vec<Values> =
            self.params.iter().map(|ty| values(ty).ok_or_else(|| unknown(ty))).collect::<Result<_, _>>()?;
        // Numbers are combined with others, and with all enumerators.
        let n_numbers = params.iter().map(|param| match param {
            Values::Lanes(_, list, _) => list.len(),
            Values::Choice(_) => 1,
        });
        let n_numbers = n_numbers.max().unwrap_or(1);
        let step = if n_numbers > 256 { step } else { 1 };
        let mut words = Vec::new();
        for from in (0..n_numbers).step_by(step) {
            let mut calls: Vec<Vec<u64>> = vec![Vec::new()];
            for (idx, param) in params.iter().enumerate() {
                let options = match param {
                    Values::Choice(choices) => choices.iter().map(|&choice| vec![choice]).collect(),
                    Values::Lanes(n_lanes, list, width) => {
                        vec![packed(list, from + 101 * idx, *n_lanes, *width)]
                    }
                };
                let longer = |call: &Vec<u64>| {
                    options.iter().map(|option| [&call[..], option].concat()).collect::<Vec<_>>()
                };
                calls = calls.iter().flat_map(longer).collect();
            }
            for mut call in calls {
                call.resize(N_WORDS, 0);
                words.extend(call);
            }
        }
        Ok(words)
    }
}

/// Numbers of a list, from an index on, packed into words.
fn packed(list: &[u64], from: usize, n_lanes: usize, width: u32) -> Vec<u64> {
    let mut words = vec![0; (n_lanes * width as usize).div_ceil(64)];
    for lane in 0..n_lanes {
        let at = lane * width as usize;
        words[at / 64] |= list[(from + lane * 37) % list.len()] << (at % 64);
    }
    words
}

/// A file with a kernel for each case.
pub fn source(cases: &[Case]) -> String {
    let mut text = String::from("#include <cuda_fp4.h>\n");
    for (idx, case) in cases.iter().enumerate() {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{}", case.kernel(idx));
    }
    text
}
