//! Mathematical functions: a kernel for each overload, its inputs, and its results on the emulator, from the
//! PTX of two compilers.
//!
//! - [`exact`]: the exact values, by MPFR; [`special`]: functions that it lacks
//! - [`error`]: the error of a result
//! - [`bound`]: CUDA's bounds
//! - [`measure`]: the largest error of many calls, and violations of the bounds

pub mod bound;
pub mod error;
pub mod exact;
pub mod measure;
mod special;

use std::cell::OnceCell;
use std::fmt::Write as _;

use weft_emulator::exec::device::Device;
use weft_emulator::exec::launch::{Checks, Launch};
use weft_emulator::program::Program;
use weft_frontend::Prototype;

use crate::Failure;
use crate::conformance::machine::program;
use crate::random::Random;

use error::Format;
use exact::Arg;

/// The number of input words per call: one for each argument, or element of one.
pub const N_WORDS: usize = 4;

/// The number of output words per call: its result, and values written through pointers.
pub const N_RESULTS: usize = 3;

/// The number of threads per block.
const BLOCK: usize = 128;

/// An overload of a mathematical function, or an expression.
#[derive(Clone, Debug)]
pub struct Function {
    prototype: Prototype,
    /// An expression of `$0`, `$1` and `$2` instead of a call of the function.
    expression: Option<&'static str>,
}

/// Expressions that depend on options: the result type, the operand types, and the expression.
const EXPRESSIONS: &[(&str, &[&str], &str)] = &[
    ("float", &["float", "float"], "$0 / $1"),
    ("float", &["float"], "1.0f / $0"),
    ("float", &["float"], "1.0f / sqrtf($0)"),
    ("float", &["float", "float", "float"], "$0 * $1 + $2"),
    ("float", &["float", "float", "float"], "$0 - $1 * $2"),
    ("float", &["float"], "-$0"),
    ("float", &["double"], "(float)$0"),
    ("double", &["float"], "(double)$0"),
    ("int", &["float"], "(int)$0"),
    ("unsigned long long", &["float"], "(unsigned long long)$0"),
    ("float", &["int"], "(float)$0"),
    ("int", &["float", "float"], "($0 < $1) + 2 * ($0 == $1) + 4 * ($0 != $1)"),
    ("float", &["float", "float"], "$0 > $1 ? $0 : $1"),
    ("double", &["double", "double"], "$0 / $1"),
];

impl Function {
    /// The overload as such a function, if it only computes with floating-point numbers.
    pub fn of(prototype: &Prototype) -> Option<Function> {
        let others = ["atomic", "__match", "__shfl", "__ld", "__st", "__nv_ldg"];
        let is_other = others.iter().any(|prefix| prototype.name.starts_with(prefix))
            || prototype.name.contains("Atomic");
        let known = ["float", "double", "int", "long", "unsigned int", "long long", "unsigned long long"];
        let pointers = ["float *", "double *", "int *", "const float *", "const double *"];
        let is_known = |ty: &String| known.contains(&ty.as_str()) || pointers.contains(&ty.as_str());
        let computes = |ty: &String| ty.starts_with("float") || ty.starts_with("double");
        let is_math = prototype.header.is_none()
            && !is_other
            && prototype.immediates.iter().all(Option::is_none)
            && prototype.params.iter().all(is_known)
            && prototype.params.iter().chain([&prototype.ret]).any(computes)
            && !prototype.params.is_empty();
        is_math.then(|| Function { prototype: prototype.clone(), expression: None })
    }

    /// Operators and conversions, whose results depend on options.
    pub fn operators() -> Vec<Function> {
        let function = |&(ret, params, expression): &(&str, &[&str], &'static str)| Function {
            prototype: Prototype {
                header: None,
                name: expression,
                ret: ret.to_owned(),
                params: params.iter().map(|&param| param.to_owned()).collect(),
                immediates: vec![None; params.len()],
                n_defaults: 0,
            },
            expression: Some(expression),
        };
        EXPRESSIONS.iter().map(function).collect()
    }

    /// Whether it is a `float` function that CUDA's headers declare.
    pub fn is_plain_single(&self) -> bool {
        let Prototype { name, params, ret, .. } = &self.prototype;
        let is_double = params.iter().chain([ret]).any(|ty| ty.contains("double"));
        !name.starts_with("__builtin_") && !name.starts_with("__nvvm_") && !is_double
    }

    /// Whether C defines a function with its name: most of these are in libdevice.
    pub fn is_of_c(&self) -> bool {
        !self.prototype.name.starts_with("__")
    }

    /// Its declaration: `float sinf(float)`.
    pub fn declaration(&self) -> String {
        let Prototype { name, ret, params, .. } = &self.prototype;
        match self.expression {
            Some(expression) => format!("{ret}: {expression} of {}", params.join(", ")),
            None => format!("{ret} {name}({})", params.join(", ")),
        }
    }

    /// Whether its first number is a `float`; without arguments, the result.
    fn is_single(&self) -> bool {
        let Prototype { params, ret, .. } = &self.prototype;
        let is_single = params.iter().chain([ret]).find_map(|ty| {
            let is_of = |name: &str| ty.trim_start_matches("const ").starts_with(name);
            (is_of("float") || is_of("double")).then(|| is_of("float"))
        });
        is_single == Some(true)
    }

    /// The arguments of a call with these words, like those in [`Function::kernel`].
    fn arguments(&self, words: &[u64]) -> Vec<Arg> {
        let real = |ty: &str, at: usize| Format::of(ty).number(words[at]);
        let argument = |(at, param): (usize, &String)| match param.strip_suffix('*') {
            Some(pointee) => {
                let ty = pointee.strip_prefix("const ")?.trim();
                Some(Arg::Reals((0..N_WORDS).map(|word| real(ty, word)).collect()))
            }
            None if param == "int" && self.is_of_order() => Some(Arg::Int(self.order(words[at]))),
            None => Some(match (param.as_str(), words[at]) {
                ("float" | "double", _) => Arg::Real(real(param, at)),
                ("int", word) => Arg::Int((word as i32).into()),
                ("unsigned int", word) => Arg::Int((word as u32).into()),
                ("unsigned long long", word) => Arg::Int(word.into()),
                (_, word) => Arg::Int((word as i64).into()),
            }),
        };
        self.prototype.params.iter().enumerate().filter_map(argument).collect()
    }

    /// Which of the [`N_RESULTS`] words have results, and their types.
    fn result_formats(&self) -> Vec<(usize, Format)> {
        let Prototype { params, ret, .. } = &self.prototype;
        let written = params.iter().filter(|param| !param.starts_with("const "));
        let written = written.filter_map(|param| param.strip_suffix('*')).map(str::trim);
        let types = std::iter::once(ret.as_str()).chain(written).enumerate();
        types.filter(|(_, ty)| *ty != "void").map(|(slot, ty)| (slot, Format::of(ty))).collect()
    }

    /// The order or the length that a word encodes.
    fn order(&self, word: u64) -> i128 {
        match (self.is_norm(), word % 12) {
            (true, _) => i128::from(word % 5),
            // CUDA's guide specifies a bound only for this order.
            (false, 11) => 128,
            (false, order) => i128::from(order) - 3,
        }
    }

    fn is_norm(&self) -> bool {
        self.prototype.name.contains("norm")
    }

    /// Whether its first argument is an order.
    fn is_of_order(&self) -> bool {
        let stem = self.prototype.name.trim_start_matches("__builtin_").trim_end_matches('f');
        ["jn", "yn", "norm", "rnorm"].contains(&stem)
    }

    /// A kernel that calls it once per thread.
    fn kernel(&self, idx: usize) -> String {
        let Prototype { name, ret, params, .. } = &self.prototype;
        let (mut before, mut args, mut after) = (String::new(), Vec::new(), String::new());
        let mut n_results = 1;
        for (at, param) in params.iter().enumerate() {
            match param.strip_suffix('*') {
                Some(pointee) if pointee.starts_with("const ") => {
                    let ty = pointee.trim_start_matches("const ").trim();
                    let elems: Vec<String> = (0..N_WORDS).map(|word| number(ty, word)).collect();
                    let _ = writeln!(before, "    {ty} v{at}[{N_WORDS}] = {{ {} }};", elems.join(", "));
                    args.push(format!("v{at}"));
                }
                Some(pointee) => {
                    let ty = pointee.trim();
                    let _ = writeln!(before, "    {ty} v{at} = 0;");
                    args.push(format!("&v{at}"));
                    let _ = writeln!(after, "    out[{n_results}] = {};", bits(ty, &format!("v{at}")));
                    n_results += 1;
                }
                None if param == "int" && self.is_of_order() => {
                    // See `order`.
                    args.push(if self.is_norm() {
                        format!("(int)(w[{at}] % 5)")
                    } else {
                        format!("(w[{at}] % 12 == 11 ? 128 : (int)(w[{at}] % 12) - 3)")
                    });
                }
                None => args.push(number(param, at)),
            }
        }
        let call = match self.expression {
            Some(expression) => (0..args.len())
                .fold(expression.to_owned(), |call, at| call.replace(&format!("${at}"), &args[at])),
            None => format!("{name}({})", args.join(", ")),
        };
        let call = match ret.as_str() {
            "void" => format!("    {call};\n"),
            _ => format!("    {ret} r = {call};\n    out[0] = {};\n", bits(ret, "r")),
        };
        format!(
            "extern \"C\" __global__ void k{idx}(const unsigned long long *w, unsigned long long *out, int n)\n{{\n    \
             int t = blockIdx.x * blockDim.x + threadIdx.x;\n    if (t >= n) return;\n    w += {N_WORDS} * t;\n    \
             out += {N_RESULTS} * t;\n{before}{call}{after}}}\n"
        )
    }
}

/// A word as a number of the type.
fn number(ty: &str, at: usize) -> String {
    match ty {
        "float" => format!("__int_as_float((int)w[{at}])"),
        "double" => format!("__longlong_as_double((long long)w[{at}])"),
        _ => format!("({ty})w[{at}]"),
    }
}

/// A number of the type as a word.
fn bits(ty: &str, value: &str) -> String {
    match ty {
        "float" => format!("(unsigned)__float_as_int({value})"),
        "double" => format!("(unsigned long long)__double_as_longlong({value})"),
        _ => format!("(unsigned long long){value}"),
    }
}

/// A file with a kernel for each function.
pub fn source(functions: &[Function]) -> String {
    functions.iter().enumerate().map(|(idx, function)| function.kernel(idx)).collect()
}

/// The words of `n` calls: boundary values, in all pairs, then random ones.
pub fn inputs(function: &Function, n: usize, seed: u64) -> Vec<u64> {
    let Prototype { params, .. } = &function.prototype;
    let is_single = function.is_single();
    let mut random = Random::new(seed);
    let edges: Vec<f64> = edges();
    let word = |value: f64| if is_single { u64::from((value as f32).to_bits()) } else { value.to_bits() };
    let mut words = Vec::with_capacity(n * N_WORDS);
    for call in 0..n {
        for at in 0..N_WORDS {
            let is_number = params.get(at).is_none_or(|ty| ty.contains("float") || ty.contains("double"));
            let edge = [call % edges.len(), call / edges.len(), random.below(edges.len()), 0][at];
            words.push(match () {
                () if call < edges.len() * edges.len().min(n / 4 / edges.len()) && is_number => {
                    word(edges[edge % edges.len()])
                }
                () if !is_number => integer(&mut random),
                () => word(number_of(&mut random, is_single)),
            });
        }
    }
    words
}

/// Boundary values.
fn edges() -> Vec<f64> {
    let mut edges = vec![0.0, f64::INFINITY, f64::NAN];
    for value in [
        0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 10.0, 88.7, 104.0, 127.0, 128.0, 709.78, 745.2, 1024.0, 16777216.0,
        1e15, 1e30, 1e300,
    ] {
        edges.push(value);
    }
    for value in [1.0, 2.0, 4.0] {
        edges.push(std::f64::consts::PI / value);
    }
    edges.extend([
        f64::from(f32::MIN_POSITIVE),
        f64::from(f32::MAX),
        f64::from(f32::from_bits(1)),
        f64::MIN_POSITIVE,
    ]);
    edges.extend([
        f64::MAX,
        f64::from_bits(1),
        1.0 + f64::EPSILON,
        1.0 - f64::EPSILON,
        1.0 + 2.0_f64.powi(-23),
    ]);
    edges.extend([1.0 - 2.0_f64.powi(-24), 1e-4, 1e-8, 1e-30, 0.7, 0.9999]);
    let negative: Vec<f64> = edges.iter().map(|value| -value).collect();
    edges.extend(negative);
    edges
}

/// A random number: with random bits, or of ordinary size.
fn number_of(random: &mut Random, is_single: bool) -> f64 {
    let unit = |random: &mut Random| (random.draw() >> 11) as f64 / (1_u64 << 53) as f64;
    let sign = if random.once_in(2) { -1.0 } else { 1.0 };
    match random.below(6) {
        0 if is_single => f64::from(f32::from_bits(random.draw() as u32)),
        0 => f64::from_bits(random.draw()),
        1 => sign * unit(random),
        2 => sign * 10.0 * unit(random),
        3 => sign * 1000.0 * unit(random),
        4 => sign * (60.0 * (unit(random) - 0.5)).exp2(),
        _ => (random.below(81) as f64 - 40.0) / 2.0,
    }
}

fn integer(random: &mut Random) -> u64 {
    const ENDS: [i64; 8] = [0, 1, -1, 0x7fff_ffff, -0x8000_0000, i64::MAX, i64::MIN, 1 << 31];
    match random.below(4) {
        0 => *random.of(&ENDS) as u64,
        1 => random.draw(),
        _ => (random.below(400) as i64 - 200) as u64,
    }
}

/// PTX with kernels `k0`, `k1` and so on, which is read when the first one runs.
pub struct Kernels {
    /// The text.
    pub ptx: String,
    program: OnceCell<Result<Program, Failure>>,
}

impl Kernels {
    /// The kernels of a text.
    pub fn of(ptx: String) -> Kernels {
        Kernels { ptx, program: OnceCell::new() }
    }

    /// The results of a function's kernel for these words.
    ///
    /// # Errors
    ///
    /// If the PTX is invalid, or the kernel faults.
    pub fn computed(&self, idx: usize, words: &[u64]) -> Result<Vec<u64>, Failure> {
        let program = self.program.get_or_init(|| program(&[("math.ptx", &self.ptx)]));
        let program = program.as_ref().map_err(Clone::clone)?;
        let n = words.len() / N_WORDS;
        let mut device = Device::new(program, 1 << 30).map_err(|e| e.to_string())?;
        // Loops over slices: closures for single bytes take longer than the kernel, without optimization.
        let (mut input, mut output) = (Vec::with_capacity(8 * words.len()), vec![0; 8 * N_RESULTS * n]);
        for word in words {
            input.extend_from_slice(&word.to_le_bytes());
        }
        let from = device.global.allocate(input.len() as u64, 256).map_err(|e| format!("{e:?}"))?;
        let to = device.global.allocate(output.len() as u64, 256).map_err(|e| format!("{e:?}"))?;
        device.global.write(from, &input).map_err(|e| e.to_string())?;
        device.global.write(to, &output).map_err(|e| e.to_string())?;
        // Few calls are one block, so that no thread ends before a barrier.
        let block = n.clamp(1, BLOCK);
        let grid = [n.div_ceil(block) as u32, 1, 1];
        let checks = Checks { races: false, ..Checks::ALL };
        let launch = Launch { checks, ..Launch::new(grid, [block as u32, 1, 1]) };
        let args =
            [from.to_le_bytes().to_vec(), to.to_le_bytes().to_vec(), (n as i32).to_le_bytes().to_vec()];
        device.launch(&format!("k{idx}"), &launch, &args).map_err(|fault| fault.to_string())?;
        device.global.read(to, &mut output).map_err(|e| e.to_string())?;
        Ok(output.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect())
    }
}

/// The calls whose results differ by more than `max_units` in the last place: their number, and the first one
/// with its words.
pub fn differences(words: &[u64], ours: &[u64], theirs: &[u64], max_units: u64) -> Option<(usize, String)> {
    let is_far = |(our, their): (&u64, &u64)| our.abs_diff(*their) > max_units;
    let differs: Vec<usize> = (0..words.len() / N_WORDS)
        .filter(|call| {
            let results = call * N_RESULTS..(call + 1) * N_RESULTS;
            ours[results.clone()].iter().zip(&theirs[results]).any(is_far)
        })
        .collect();
    let &first = differs.first()?;
    let results = first * N_RESULTS..(first + 1) * N_RESULTS;
    let given = &words[first * N_WORDS..(first + 1) * N_WORDS];
    let text = format!("of {given:x?}: {:x?}, and nvcc {:x?}", &ours[results.clone()], &theirs[results]);
    Some((differs.len(), text))
}
