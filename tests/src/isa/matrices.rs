//! Forms of instructions on matrices: each that the emulator decodes is one that ptxas takes, and the other way round.

use std::path::Path;

use super::all_forms::{self, AllForms, Target};
use crate::Failure;
use crate::tools::Tools;

/// GPUs and versions of PTX, in which some came.
pub const TARGETS: [Target<'_>; 6] = [
    ("sm_75", "6.5"),
    ("sm_80", "7.0"),
    ("sm_90", "8.7"),
    ("sm_100f", "8.8"),
    ("sm_120a", "9.1"),
    ("sm_120f", "8.8"),
];

const SHAPES: [[usize; 3]; 15] = [
    [8, 8, 4],
    [8, 8, 16],
    [8, 8, 32],
    [8, 8, 128],
    [16, 8, 4],
    [16, 8, 8],
    [16, 8, 16],
    [16, 8, 32],
    [16, 8, 64],
    [16, 8, 128],
    [16, 8, 256],
    [16, 16, 8],
    [16, 16, 16],
    [32, 8, 16],
    [8, 32, 16],
];

/// Types of A and B.
const FACTORS: [[&str; 2]; 16] = [
    ["f16", "f16"],
    ["bf16", "bf16"],
    ["tf32", "tf32"],
    ["f64", "f64"],
    ["e4m3", "e4m3"],
    ["e4m3", "e5m2"],
    ["s8", "s8"],
    ["u8", "u8"],
    ["u8", "s8"],
    ["s4", "s4"],
    ["u4", "u4"],
    ["s4", "u4"],
    ["b1", "b1"],
    ["f16", "bf16"],
    ["s8", "s4"],
    ["tf32", "bf16"],
];

/// Types of D and C.
const SUMS: [[&str; 2]; 6] =
    [["f16", "f16"], ["f32", "f32"], ["f32", "f16"], ["f16", "f32"], ["f64", "f64"], ["s32", "s32"]];

/// Whether sums are of a kind with what is multiplied: integers, doubles, other numbers.
fn is_alike(factor: &str, sum: &str) -> bool {
    let is_integer = factor.starts_with(['s', 'u']) || factor == "b1";
    (is_integer == (sum == "s32")) && ((factor == "f64") == (sum == "f64"))
}

/// How many elements of a type a register has.
fn packed(ty: &str) -> usize {
    match ty {
        "f64" | "f32" | "tf32" | "s32" => 1,
        "f16" | "bf16" => 2,
        "s4" | "u4" => 8,
        "b1" => 32,
        _ => 4,
    }
}

/// A list of registers for so many elements of all threads; none where they do not fill them.
fn list(ty: &str, n_elements: usize) -> Option<String> {
    let n = n_elements / 32 / packed(ty);
    let prefix = match ty {
        "f64" => "%d",
        "f32" => "%f",
        _ => "%r",
    };
    let registers: Vec<String> = (0..n).map(|idx| format!("{prefix}{idx}")).collect();
    (n > 0 && n <= 16).then(|| format!("{{{}}}", registers.join(", ")))
}

/// Instructions, those that nothing has among them.
fn candidates() -> Vec<String> {
    let mut found = Vec::new();
    for shape in SHAPES {
        products(shape, &mut found);
        opaque(shape, &mut found);
        sparse(shape, &mut found);
    }
    kinds(&mut found);
    for count in [1, 2, 3, 4] {
        let Some(list) = list("b32", 32 * 4 * count) else { continue };
        for words in ["", ".trans", ".shared", ".trans.shared", ".shared.trans", ".global"] {
            found.push(format!("ldmatrix.sync.aligned.m8n8.x{count}{words}.b16 {list}, [%l0];"));
            found.push(format!("stmatrix.sync.aligned.m8n8.x{count}{words}.b16 [%l0], {list};"));
        }
        found.push(format!("ldmatrix.sync.aligned.m8n8.x{count}.shared.b32 {list}, [%l0];"));
    }
    for words in [".trans.b16", ".b16", ".trans.b32"] {
        found.push(format!("movmatrix.sync.aligned.m8n8{words} %r0, %r1;"));
    }
    found
}

/// `mma`
fn products([m, n, k]: [usize; 3], found: &mut Vec<String>) {
    for [a, b] in FACTORS {
        for [d, c] in SUMS.into_iter().filter(|[d, _]| is_alike(a, d)) {
            // `m8n8k4` of `.f16` is four products at once.
            let n_products = if [m, n, k] == [8, 8, 4] && a == "f16" { 4 } else { 1 };
            let lists =
                [(d, m * n), (a, m * k), (b, n * k), (c, m * n)].map(|(ty, n)| list(ty, n_products * n));
            let [Some(of_d), Some(of_a), Some(of_b), Some(of_c)] = lists else { continue };
            let operands = format!("{of_d}, {of_a}, {of_b}, {of_c}");
            let (types, shape) = (format!("{d}.{a}.{b}.{c}"), format!("mma.sync.aligned.m{m}n{n}k{k}"));
            for layouts in ["row.col", "col.row"] {
                found.push(format!("{shape}.{layouts}.{types} {operands};"));
            }
            let words: &[&str] = if d == "s32" { &["satfinite"] } else { &["rn", "rna"] };
            for word in words {
                found.push(format!("{shape}.row.col.{word}.{types} {operands};"));
            }
            if a == "b1" {
                for words in ["and.popc", "xor.popc", "or.popc"] {
                    found.push(format!("{shape}.row.col.{types}.{words} {operands};"));
                }
            }
        }
    }
}

/// `mma.sp`: A has half of its elements.
fn sparse([m, n, k]: [usize; 3], found: &mut Vec<String>) {
    for [a, b] in FACTORS {
        for [d, c] in SUMS.into_iter().filter(|[d, _]| is_alike(a, d)) {
            let lists = [(d, m * n), (a, m * k / 2), (b, n * k), (c, m * n)].map(|(ty, n)| list(ty, n));
            let [Some(of_d), Some(of_a), Some(of_b), Some(of_c)] = lists else { continue };
            let operands = format!("{of_d}, {of_a}, {of_b}, {of_c}, %r16");
            let form = format!("sync.aligned.m{m}n{n}k{k}.row.col");
            let types = format!("{d}.{a}.{b}.{c}");
            for selector in ["0", "1", "3", "%r1"] {
                found.push(format!("mma.sp.{form}.{types} {operands}, {selector};"));
            }
            found.push(format!("mma.sp::ordered_metadata.{form}.{types} {operands}, 0;"));
            if d == "s32" {
                found.push(format!("mma.sp.{form}.satfinite.{types} {operands}, 0;"));
            }
        }
    }
}

/// `mma` and `mma.sp` with `.kind`.
fn kinds(found: &mut Vec<String>) {
    let small = [["e4m3", "e4m3"], ["e5m2", "e2m3"], ["e3m2", "e4m3"], ["e2m1", "e2m1"]];
    let words = |n: usize| {
        let registers: Vec<String> = (0..n).map(|idx| format!("%r{idx}")).collect();
        format!("{{{}}}", registers.join(", "))
    };
    let mut of = |kind: &str,
                  [d, a, b]: [&str; 3],
                  k: usize,
                  is_sparse: bool,
                  scales: Option<(&str, &str)>| {
        let per_word = if kind.contains("mxf4") { 8 } else { 4 };
        let (n_a, n_b) = (16 * k / 32 / per_word / if is_sparse { 2 } else { 1 }, 8 * k / 32 / per_word);
        let Some(sums) = list(d, 128).filter(|_| n_a > 0 && n_b > 0) else { return };
        let (sp, metadata) = if is_sparse { (".sp::ordered_metadata", ", %r16, 0") } else { ("", "") };
        let (stype, selectors) =
            scales.map_or((String::new(), String::new()), |(ty, of)| (format!(".{ty}"), format!(", {of}")));
        found.push(format!(
            "mma{sp}.sync.aligned.m16n8k{k}.row.col.{kind}.{d}.{a}.{b}.{d}{stype} {sums}, {}, {}, {sums}{metadata}{selectors};",
            words(n_a),
            words(n_b)
        ));
    };
    const PLAIN: &str = "%r14, {0, 0}, %r15, {0, 0}";
    for is_sparse in [false, true] {
        for [a, b] in small {
            for k in [16, 32, 64] {
                of("kind::f8f6f4", ["f32", a, b], k, is_sparse, None);
                of("kind::f8f6f4", ["f16", a, b], k, is_sparse, None);
                for vector in ["", ".scale_vec::1X", ".scale_vec::2X"] {
                    let kind = format!("kind::mxf8f6f4.block_scale{vector}");
                    of(&kind, ["f32", a, b], k, is_sparse, Some(("ue8m0", PLAIN)));
                }
            }
            of("kind::mxf8f6f4.block_scale", ["f16", a, b], 32, is_sparse, Some(("ue8m0", PLAIN)));
            of("kind::mxf8f6f4.block_scale", ["f32", a, b], 32, is_sparse, Some(("ue4m3", PLAIN)));
            of("kind::mxf8f6f4", ["f32", a, b], 32, is_sparse, None);
        }
        let four = ["f32", "e2m1", "e2m1"];
        for kind in ["kind::mxf4", "kind::mxf4nvf4"] {
            for vector in ["", ".scale_vec::1X", ".scale_vec::2X", ".scale_vec::4X"] {
                for ty in ["ue8m0", "ue4m3"] {
                    for k in [64, 128] {
                        of(&format!("{kind}.block_scale{vector}"), four, k, is_sparse, Some((ty, PLAIN)));
                    }
                }
            }
        }
    }
    // Selectors, those out of range among them, and registers in their place.
    for [a, b] in [
        ["3, 1", "3, 3"],
        ["4, 0", "0, 0"],
        ["0, 2", "0, 0"],
        ["0, 0", "0, 4"],
        ["1, 0", "2, 0"],
        ["%h0, %h1", "%h2, %h3"],
    ] {
        let selectors = format!("%r14, {{{a}}}, %r15, {{{b}}}");
        for (kind, k, ty) in [
            ("kind::mxf8f6f4.block_scale", 32, "ue8m0"),
            ("kind::mxf4.block_scale", 64, "ue8m0"),
            ("kind::mxf4nvf4.block_scale.scale_vec::4X", 64, "ue4m3"),
        ] {
            of(kind, ["f32", "e2m1", "e2m1"], k, false, Some((ty, &selectors)));
        }
    }
    // ptxas takes the kind in any place.
    let registers = "{%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%f0, %f1, %f2, %f3}";
    found.push(format!("mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e2m1.f32 {registers};"));
    let scaled = "kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e2m1.e2m1.f32.ue8m0";
    found.push(format!("mma.sync.aligned.{scaled} {registers}, {PLAIN};"));
}

/// `wmma`
fn opaque([m, n, k]: [usize; 3], found: &mut Vec<String>) {
    let of_factor = |ty: &str, n_elements: usize| match ty {
        "f16" => Some("{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}".to_owned()),
        ty => list(ty, n_elements),
    };
    let shape = format!("m{m}n{n}k{k}");
    for layout in ["row", "col"] {
        for [ty, _] in FACTORS.into_iter().filter(|[a, b]| a == b) {
            for (matrix, n_elements) in [("a", m * k), ("b", n * k)] {
                let Some(list) = of_factor(ty, n_elements) else { continue };
                let load = format!("wmma.load.{matrix}.sync.aligned.{layout}.{shape}");
                found.push(format!("{load}.shared.{ty} {list}, [%l0], %r9;"));
            }
        }
        for [ty, _] in SUMS.into_iter().filter(|[d, c]| d == c) {
            let Some(list) = list(ty, m * n) else { continue };
            found.push(format!("wmma.load.c.sync.aligned.{layout}.{shape}.global.{ty} {list}, [%l0];"));
            found.push(format!("wmma.store.d.sync.aligned.{layout}.{shape}.{ty} [%l0], {list}, %r9;"));
        }
    }
    for [ty, _] in FACTORS.into_iter().filter(|[a, b]| a == b) {
        for [d, c] in SUMS.into_iter().filter(|[d, _]| is_alike(ty, d)) {
            let lists = [list(d, m * n), of_factor(ty, m * k), of_factor(ty, n * k), list(c, m * n)];
            let [Some(of_d), Some(of_a), Some(of_b), Some(of_c)] = lists else { continue };
            let operands = format!("{of_d}, {of_a}, {of_b}, {of_c}");
            let types = if ty == "f16" { format!("{d}.{c}") } else { format!("{d}.{ty}.{ty}.{c}") };
            for layouts in ["row.col", "col.row"] {
                found.push(format!("wmma.mma.sync.aligned.{layouts}.{shape}.{types} {operands};"));
            }
            let word = if ty == "f64" { "rn" } else { "satfinite" };
            found.push(format!("wmma.mma.sync.aligned.row.col.{shape}.{types}.{word} {operands};"));
            if ty == "b1" {
                for words in ["and.popc", "xor.popc"] {
                    found.push(format!("wmma.mma.{words}.sync.aligned.row.col.{shape}.{types} {operands};"));
                }
            }
        }
    }
}

/// What the PTX ISA has not, and ptxas lets pass: sums of other types than the shape has.
fn is_beyond_isa(candidate: &str) -> bool {
    let opcode = candidate.split(' ').next().unwrap_or_default();
    let has = |words: &[&str]| words.iter().any(|word| opcode.split('.').any(|it| it == *word));
    let is_small = has(&["m8n8k32", "m8n8k128"]) && has(&["f32"]);
    // Of this form alone it lets selectors pass whose threads there are not.
    let is_selector = opcode.starts_with("mma.sp.")
        && opcode.ends_with("m16n8k32.row.col.f32.f16.f16.f32")
        && candidate.ends_with(", 3;");
    // And a kind that wants scales, without them.
    let is_bare = opcode.contains(".kind::mxf8f6f4.") && !opcode.contains(".block_scale");
    is_selector || is_bare || opcode.starts_with("wmma.") && (is_small || has(&["f64"]) && !has(&["m8n8k4"]))
}

/// Compares what both take of one GPU and version; gives how many forms both take.
///
/// # Errors
/// Lists the forms that only one of them takes.
pub fn compare(tools: &Tools, target: Target<'_>, work: &Path) -> Result<usize, Failure> {
    let registers = ".reg .b32 %r<17>; .reg .f32 %f<17>; .reg .f64 %d<17>; .reg .b64 %l<2>; .reg .b16 %h<4>;";
    let forms =
        AllForms { candidates: candidates(), variables: "", registers, are_alone: false, is_beyond_isa };
    all_forms::compare(tools, target, &forms, work)
}
