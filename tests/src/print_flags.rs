//! Every combination of flags, widths and precisions with every numeric conversion of `printf`: as formats
//! that a kernel passes to `vprintf` one by one, and as a host program, whose C library determines the
//! expected output.

use std::fmt::Write as _;

/// Conversion letters, with the type that the host program converts the value to.
const CONVERSIONS: [(&str, &str, Kind); 19] = [
    ("d", "int", Kind::Int),
    ("i", "int", Kind::Int),
    ("hhd", "int", Kind::Int),
    ("u", "unsigned", Kind::Int),
    ("o", "unsigned", Kind::Int),
    ("x", "unsigned", Kind::Int),
    ("X", "unsigned", Kind::Int),
    ("lld", "long long", Kind::Long),
    ("llx", "long long", Kind::Long),
    ("c", "int", Kind::Letter),
    ("p", "void *", Kind::Long),
    ("f", "double", Kind::Fraction),
    ("F", "double", Kind::Fraction),
    ("e", "double", Kind::Fraction),
    ("E", "double", Kind::Fraction),
    ("g", "double", Kind::Fraction),
    ("G", "double", Kind::Fraction),
    ("a", "double", Kind::Fraction),
    ("A", "double", Kind::Fraction),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Long,
    Letter,
    Fraction,
}

const FLAGS: [&str; 5] = ["-", "+", " ", "#", "0"];

/// Widths as written, with the argument of a `*`.
const WIDTHS: [(&str, Option<i32>); 4] = [("", None), ("11", None), ("*", Some(13)), ("*", Some(-13))];
const PRECISIONS: [(&str, Option<i32>); 7] = [
    ("", None),
    (".", None),
    (".1", None),
    (".3", None),
    (".*", Some(0)),
    (".*", Some(25)),
    (".*", Some(-3)),
];

/// None is rounded up to a power of ten, for which glibc 2.36 loses the zeros of `%#g`.
const FRACTIONS: [f64; 10] = [0.0, -0.0, 1.0, -2.5, 100.0, 123_456.0, 1e-5, 5e-324, f64::INFINITY, f64::NAN];
const NUMBERS: [i64; 4] = [0, 5, -7, 0x1234_5678_9ABC];
const LETTERS: [i64; 1] = [65];

/// The maximum size of a format and of an argument list, in bytes.
const FORMAT_SIZE: usize = 32;
const LIST_SIZE: usize = 16;

/// A call.
pub struct Call {
    /// Its format, without the newline.
    pub format: String,
    stars: Vec<i32>,
    ty: &'static str,
    kind: Kind,
    bits: u64,
}

/// All calls. Undefined combinations are included if glibc has a sensible behavior: a GPU's host prints that.
pub fn calls() -> Vec<Call> {
    let mut calls = Vec::new();
    for (letters, ty, kind) in CONVERSIONS {
        let values: Vec<u64> = match kind {
            Kind::Fraction => FRACTIONS.iter().map(|value| value.to_bits()).collect(),
            Kind::Letter => LETTERS.iter().map(|&value| value as u64).collect(),
            Kind::Int | Kind::Long => NUMBERS.iter().map(|&value| value as u64).collect(),
        };
        for set in 0..1 << FLAGS.len() {
            let flags: String =
                (0..FLAGS.len()).filter(|idx| set >> idx & 1 != 0).map(|idx| FLAGS[idx]).collect();
            // C17 7.21.6.1p6: zero padding and a precision are undefined for a character.
            if kind == Kind::Letter && flags.contains('0') {
                continue;
            }
            for (width, by_width) in WIDTHS {
                for (precision, by_precision) in PRECISIONS {
                    if kind == Kind::Letter && !precision.is_empty() {
                        continue;
                    }
                    let format = format!("%{flags}{width}{precision}{letters}");
                    let stars: Vec<i32> = by_width.into_iter().chain(by_precision).collect();
                    calls.extend(values.iter().map(|&bits| Call {
                        format: format.clone(),
                        stars: stars.clone(),
                        ty,
                        kind,
                        bits,
                    }));
                }
            }
        }
    }
    calls
}

/// The input of `vprintf`: the formats, and the argument lists.
pub fn buffers(calls: &[Call]) -> (Vec<u8>, Vec<u8>) {
    let (mut formats, mut lists) = (Vec::new(), Vec::new());
    for call in calls {
        formats.extend_from_slice(call.format.as_bytes());
        formats.push(b'\n');
        formats.resize(formats.len().next_multiple_of(FORMAT_SIZE), 0);
        let mut list: Vec<u8> = call.stars.iter().flat_map(|star| star.to_le_bytes()).collect();
        let size = if matches!(call.kind, Kind::Int | Kind::Letter) { 4 } else { 8 };
        list.resize(list.len().next_multiple_of(size), 0);
        list.extend_from_slice(&call.bits.to_le_bytes()[..size]);
        list.resize(LIST_SIZE, 0);
        lists.extend(list);
    }
    (formats, lists)
}

/// A kernel `print` whose threads each call `vprintf` once, if their index is below `n`.
pub fn ptx() -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n\
         .visible .entry print(.param .u64 formats, .param .u64 lists, .param .u32 n) {{\n\
         .reg .pred %p; .reg .b32 %r<9>; .reg .b64 %rd<9>; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n\
         mad.lo.u32 %r1, %r2, %r3, %r1; ld.param.u32 %r4, [n]; setp.ge.u32 %p, %r1, %r4; @%p ret;\n\
         ld.param.u64 %rd1, [formats]; mul.wide.u32 %rd2, %r1, {FORMAT_SIZE}; add.u64 %rd1, %rd1, %rd2;\n\
         ld.param.u64 %rd3, [lists]; mul.wide.u32 %rd2, %r1, {LIST_SIZE}; add.u64 %rd3, %rd3, %rd2;\n\
         {{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd1; st.param.b64 [a], %rd3; call (r), vprintf, (f, a); }}\n\
         ret; }}\n"
    )
}

/// The host program: calls of one kind are a loop over a table.
pub fn host_text(calls: &[Call]) -> String {
    let mut text = String::from(
        "#include <stdio.h>\n#include <string.h>\nstruct Call { const char *format; int n, a, b, kind; unsigned long long bits; };\n\
         static const Call calls[] = {\n",
    );
    let types = ["int", "unsigned", "long long", "void *", "double"];
    for call in calls {
        let kind = types.iter().position(|ty| *ty == call.ty).unwrap_or_default();
        let star = |idx: usize| call.stars.get(idx).copied().unwrap_or_default();
        let (format, bits, n) = (&call.format, call.bits, call.stars.len());
        let _ = writeln!(text, "{{\"{format}\\n\", {n}, {}, {}, {kind}, {bits}ull}},", star(0), star(1));
    }
    text.push_str("};\ntemplate <class T> static void print(const Call &c, T v)\n{\n    if (c.n == 0) printf(c.format, v);\n");
    text.push_str(
        "    else if (c.n == 1) printf(c.format, c.a, v);\n    else printf(c.format, c.a, c.b, v);\n}\n",
    );
    text.push_str("int main()\n{\n    for (const Call &c : calls) {\n        double d;\n        memcpy(&d, &c.bits, 8);\n");
    text.push_str("        switch (c.kind) {\n        case 0: print(c, (int)c.bits); break;\n        case 1: print(c, (unsigned)c.bits); break;\n");
    text.push_str("        case 2: print(c, (long long)c.bits); break;\n        case 3: print(c, (void *)c.bits); break;\n");
    text.push_str("        default: print(c, d);\n        }\n    }\n}\n");
    text
}
