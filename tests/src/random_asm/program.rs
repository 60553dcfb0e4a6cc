//! Kernels with random `asm` statements, without mistakes and without unspecified behavior: the results are
//! the same with every compiler.

use std::fmt::Write as _;

use super::forms::{FORMS, Form, NAMES};
use super::{Statement, place, statement, value};
use crate::math::{N_RESULTS, N_WORDS};
use crate::random::Random;

/// The nesting depth of branches and loops.
const DEPTH: usize = 3;

/// The maximum number of statements in a block.
const N_STATEMENTS: usize = 6;

/// The text before all kernels.
const PRELUDE: &str = "\
#define FOUR 4
#define BEFORE \"{ .reg .b32 a; \"
#define ADD(to, from) asm(\"add.u32 %0, %0, %1;\" : \"+r\"(to) : \"r\"(from))
struct Record { unsigned r; unsigned long long l; unsigned short h; float f; };
";

/// A file of `n` kernels, `k0` and so on.
pub fn source(seed: u64, n: usize) -> String {
    let mut random = Random::new(seed);
    let mut text = PRELUDE.to_owned();
    for name in NAMES {
        let _ = writeln!(text, "static constexpr char {}[] = \"{name}\";", name.replace('.', "_"));
    }
    for idx in 0..n {
        kernel(&mut random, &mut text, idx);
    }
    text
}

fn kernel(random: &mut Random, text: &mut String, idx: usize) {
    let how = *random.of(&["__noinline__", "__forceinline__", "inline"]);
    let body: String = (0..2).map(|_| format!("    {}\n", pure(random))).collect();
    let sign = *random.of(&["unsigned ", ""]);
    // Writing to a `String` cannot fail.
    let _ = write!(
        text,
        "\nstatic __device__ {how} unsigned g{idx}(unsigned r0, {sign}int r1)\n{{\n    unsigned r2 = 9, r3 = 5;\n{body}    \
         return r2 + r3;\n}}\n\n\
         extern \"C\" __global__ void k{idx}(const unsigned long long *w, unsigned long long *out, int n)\n{{\n    \
         int t = blockIdx.x * blockDim.x + threadIdx.x;\n    if (t >= n) return;\n    w += {N_WORDS} * t;\n    \
         out += {N_RESULTS} * t;\n    \
         unsigned r0 = (unsigned)w[0], r2 = (unsigned)(w[1] >> 7);\n    {sign}int r1 = (unsigned)(w[0] >> 32), r3 = t;\n    \
         unsigned short h0 = (unsigned short)w[2], h2 = (unsigned short)(w[3] >> 9);\n    {sign}short h1 = (short)w[1];\n    \
         unsigned long long l0 = w[1];\n    {sign}long long l1 = w[2], l2 = w[3];\n    \
         float f0 = (float)(r0 & 4095) / 8, f1 = __uint_as_float(r2);\n    \
         double d0 = (double)(r1 & 65535) / 4, d1 = 1.75;\n    \
         __int128 q0 = l0;\n    unsigned m[4] = {{r0, 2, 3, r2}};\n    unsigned *p = m + (r0 & 1);\n    \
         struct Record s = {{r2, w[3], h2, 0.5f}};\n    uint2 v = make_uint2(r0 + 1, 4);\n"
    );
    block(random, text, idx, DEPTH, "    ");
    let _ = write!(
        text,
        "    out[0] = r0 ^ 3ull * r1 ^ 5ull * r2 ^ 7ull * r3 ^ (unsigned long long)h0 << 40 ^ (unsigned long long)h1 << 13 ^ h2;\n    \
         out[1] = l0 + 3 * (unsigned long long)l1 + 5 * (unsigned long long)l2 + (unsigned long long)q0 + (unsigned long long)(q0 >> 64)\n        \
         + s.r + s.l + s.h + v.x + 11 * v.y;\n    \
         out[2] = __float_as_uint(f0) ^ (unsigned long long)__float_as_uint(f1) << 32 ^ __float_as_uint(s.f)\n        \
         ^ (unsigned long long)__double_as_longlong(d0) ^ 3 * (unsigned long long)__double_as_longlong(d1)\n        \
         ^ m[0] ^ 3ull * m[1] ^ 5ull * m[2] ^ 7ull * m[3];\n}}\n"
    );
}

/// A statement in a function that only has 32-bit numbers.
fn pure(random: &mut Random) -> String {
    const PURE: &[&str] = &[
        "asm(\"mad.lo.u32 %0, %1, %2, %0;\" : \"+r\"(r2) : \"r\"(r0), \"r\"(r1));",
        "asm(\"xor.b32 %0, %1, %2;\" : \"=r\"(r3) : \"r\"(r1), \"n\"(21));",
        "asm volatile(\"{ .reg .b32 t; shl.b32 t, %1, 3; sub.u32 %0, t, %1; }\" : \"=r\"(r2) : \"r\"(r0));",
        "if (r0 & 1) asm(\"not.b32 %0, %0;\" : \"+r\"(r3));",
        "for (int i = 0; i < 3; i++) asm(\"add.u32 %0, %0, %1;\" : \"+r\"(r3) : \"r\"(r2 + i));",
    ];
    (*random.of(PURE)).to_owned()
}

fn block(random: &mut Random, text: &mut String, idx: usize, depth: usize, indent: &str) {
    let inner = format!("{indent}    ");
    for _ in 0..1 + random.below(N_STATEMENTS) {
        match random.below(if depth == 0 { 14 } else { 18 }) {
            0 => {
                let (to, from) = (place(random, 'r'), value(random, 'r'));
                let _ = writeln!(text, "{indent}{to} += g{idx}(r0 + ({from}), r1);");
            }
            1 => {
                let _ = writeln!(text, "{indent}r{} = 3u * r{} + 1;", random.below(4), random.below(4));
            }
            2 => memory(random, text, indent),
            3 => {
                let (to, from) = (place(random, 'r'), value(random, 'r'));
                let _ = writeln!(text, "{indent}ADD({to}, {from});");
            }
            4 => {
                let to = place(random, 'r');
                let form = word(random);
                let (made, other) = (statement(random, form), random.below(99));
                let _ = writeln!(
                    text,
                    "{indent}{to} = ({{ {} r2; }}) * 3u + g{idx}({other}, 1);",
                    made.written()
                );
            }
            5 => {
                let name = random.of(NAMES).replace('.', "_");
                let (to, a, b) = (place(random, 'r'), value(random, 'r'), value(random, 'r'));
                let _ = writeln!(
                    text,
                    "{indent}asm(\"%1 %0, %2, %3;\" : \"=r\"({to}) : \"C\"({name}), \"r\"({a}), \"r\"({b}));"
                );
            }
            6 => several(random, text, indent),
            14 | 15 => {
                let _ = writeln!(text, "{indent}if ({}) {{", condition(random));
                block(random, text, idx, depth - 1, &inner);
                if random.once_in(2) {
                    let _ = writeln!(text, "{indent}}} else {{");
                    block(random, text, idx, depth - 1, &inner);
                }
                let _ = writeln!(text, "{indent}}}");
            }
            16 => {
                let (variable, end) = (format!("i{depth}"), 1 + random.below(4));
                if random.once_in(2) {
                    let _ = writeln!(text, "#pragma unroll");
                }
                let _ =
                    writeln!(text, "{indent}for (int {variable} = 0; {variable} < {end}; {variable}++) {{");
                block(random, text, idx, depth - 1, &inner);
                let _ = writeln!(text, "{indent}}}");
            }
            17 => {
                let end = 1 + random.below(5);
                let _ = writeln!(
                    text,
                    "{indent}for (unsigned j{depth} = r0 & {end}; j{depth} > 0; j{depth}--) {{"
                );
                block(random, text, idx, depth - 1, &inner);
                let _ = writeln!(text, "{indent}}}");
            }
            _ => {
                let form = random.of(FORMS);
                let made = statement(random, form);
                let _ = writeln!(text, "{indent}{}", spread(random, &made));
            }
        }
    }
}

/// A form whose result is a word.
fn word(random: &mut Random) -> &'static Form {
    let words: Vec<&Form> =
        FORMS.iter().filter(|form| form.n_outputs == 1 && form.letters.starts_with('r')).collect();
    words[random.below(words.len())]
}

fn condition(random: &mut Random) -> String {
    let (left, right) = (random.below(4), random.below(4));
    (*random.of(&["r0 & 4", "l0 > 5", "h0 < 300", "t & 1"])).to_owned() + &format!(" || r{left} == r{right}")
}

/// Accesses through addresses, to memory that C code accesses, too.
fn memory(random: &mut Random, text: &mut String, indent: &str) {
    let (at, index) = (random.below(4), value(random, 'r'));
    let _ = match random.below(4) {
        0 => writeln!(
            text,
            "{indent}asm volatile(\"st.u32 [%0], %1;\" : : \"l\"(&m[{at}]), \"r\"({index}) : \"memory\");"
        ),
        1 => writeln!(
            text,
            "{indent}asm volatile(\"ld.u32 %0, [%1+4];\" : \"=r\"(r{at}) : \"l\"(m + (({index}) & 1)) : \"memory\");"
        ),
        2 => writeln!(
            text,
            "{indent}asm(\"ld.global.u64 %0, [%1];\" : \"=l\"(l{}) : \"l\"(w + {at}));",
            at % 3
        ),
        _ => writeln!(
            text,
            "{indent}asm volatile(\"{{ .reg .u32 a; ld.u32 a, [%0]; add.u32 a, a, %1; st.u32 [%0], a; }}\" : : \"l\"(p), \"r\"({index}) : \"memory\");"
        ),
    };
}

/// Two forms in one text, of which the second may read the results of the first.
fn several(random: &mut Random, text: &mut String, indent: &str) {
    let (first, second) = (place(random, 'r'), place(random, 'l'));
    let (a, b) = (value(random, 'r'), value(random, 'l'));
    let _ = writeln!(
        text,
        "{indent}asm(\"add.u32 %0, %2, %2;\\n\\t\"\n{indent}    BEFORE \"mov.u32 a, %0; mul.wide.u32 %1, a, %2; }}\\n\\t\"\n{indent}    \
         \"add.u64 %1, %1, %3;\"\n{indent}    : \"=&r\"({first}), \"=&l\"({second}) : \"r\"({a}), \"l\"({b}));"
    );
}

/// The statement, sometimes with its text in several literals or a raw one.
fn spread(random: &mut Random, statement: &Statement) -> String {
    let written = statement.written();
    let quoted = format!("\"{}\"", statement.text);
    match random.below(6) {
        0 => written.replacen(&quoted, &quoted.replacen("; ", ";\\n\\t\"\n        \"", 1), 1),
        1 => written.replacen(&quoted, &format!("R\"({})\"", statement.text), 1),
        _ => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_have_their_numbers() {
        let mut random = Random::new(3);
        for form in FORMS {
            let made = statement(&mut random, form);
            assert!(!made.text.contains('$'), "{}", made.text);
            let n = made.outputs.len() + made.inputs.len();
            assert!(!made.text.contains(&format!("%{n}")), "{}", made.written());
        }
    }
}
