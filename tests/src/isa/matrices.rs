//! Forms of instructions on matrices: each that the emulator decodes is one that ptxas takes, and the other way round.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use weft_emulator::program::link::{Input, link};
use weft_emulator::ptx::parse;

use super::all_forms::Target;
use crate::Failure;
use crate::tools::{Tool, Tools, run};

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
    bytes(&mut found);
    for words in [".trans.b16", ".b16", ".trans.b32"] {
        found.push(format!("movmatrix.sync.aligned.m8n8{words} %r0, %r1;"));
    }
    found
}

/// `ldmatrix` and `stmatrix` of bytes.
fn bytes(found: &mut Vec<String>) {
    for (count, n) in [(1, 1), (1, 2), (2, 2), (2, 4), (4, 4)] {
        let Some(list) = list("b32", 32 * n) else { continue };
        for (shape, words) in ["m8n8", "m8n16", "m16n8", "m16n16"]
            .into_iter()
            .flat_map(|shape| ["", ".trans", ".shared", ".trans.shared"].map(|words| (shape, words)))
        {
            for ty in ["b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64"] {
                found.push(format!("ldmatrix.sync.aligned.{shape}.x{count}{words}.{ty} {list}, [%l0];"));
            }
            found.push(format!("stmatrix.sync.aligned.{shape}.x{count}{words}.b8 [%l0], {list};"));
        }
    }
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

/// What the PTX ISA has not, and ptxas lets pass: sums of other types than the shape has; and what is not run.
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
    // What the emulator says that it does not run.
    let is_left_out = opcode.starts_with("ldmatrix.sync.aligned.m16n16.");
    is_selector
        || is_bare
        || is_left_out
        || opcode.starts_with("wmma.") && (is_small || has(&["f64"]) && !has(&["m8n8k4"]))
}

/// A function with the instructions, one a line from [`FIRST_LINE`] on: of functions of their own ptxas refuses some that it takes alone.
fn module(instructions: &[&str], (arch, version): Target<'_>) -> String {
    format!(
        ".version {version}\n.target {arch}\n.address_size 64\n.visible .func f() {{\n\
         .reg .b32 %r<17>; .reg .f32 %f<17>; .reg .f64 %d<17>; .reg .b64 %l<2>; .reg .b16 %h<4>;\n{}\nret;\n}}\n",
        instructions.join("\n")
    )
}

const FIRST_LINE: usize = 6;

/// Those of the instructions that ptxas takes. Of many mistakes it tells some: it is asked again without their lines, and about each
/// half where it tells of none, until it takes what is left.
fn taken_by_ptxas<'c>(
    tools: &Tools,
    target: Target<'_>,
    work: &Path,
    candidates: &[&'c str],
) -> Result<Vec<&'c str>, Failure> {
    let source = work.join("matrices.ptx");
    let mut left = candidates.to_vec();
    while !left.is_empty() {
        std::fs::write(&source, module(&left, target)).map_err(|e| e.to_string())?;
        let mut ptxas = tools.tool(Tool::Ptxas)?;
        let arch = format!("-arch={}", target.0);
        ptxas.args(["-c", "-O0", &arch, "-o"]).arg(work.join("matrices.o")).arg(&source);
        let answer = run(&mut ptxas)?;
        if answer.status == Some(0) {
            break;
        }
        let line = |said: &str| -> Option<usize> {
            let (before, _) = said.split_once("; error").or_else(|| said.split_once("; fatal"))?;
            let (file, line) = before.split_once(", line ")?;
            line.parse::<usize>().ok()?.checked_sub(FIRST_LINE).filter(|_| file.ends_with(".ptx"))
        };
        let wrong: BTreeSet<usize> = answer.stderr.lines().filter_map(line).collect();
        if wrong.iter().any(|line| *line >= left.len()) {
            return Err(answer.report("ptxas tells of no instruction"));
        }
        if wrong.is_empty() {
            // A mistake within its own macros.
            let (first, second) = left.split_at(left.len() / 2);
            if first.is_empty() {
                return Ok(Vec::new());
            }
            let mut taken = taken_by_ptxas(tools, target, work, first)?;
            taken.extend(taken_by_ptxas(tools, target, work, second)?);
            return Ok(taken);
        }
        let kept = left.iter().enumerate().filter(|(line, _)| !wrong.contains(line));
        left = kept.map(|(_, candidate)| *candidate).collect();
    }
    Ok(left)
}

/// Compares what both take of one GPU and version; gives how many forms both take.
///
/// # Errors
/// Lists the forms that only one of them takes.
pub fn compare(tools: &Tools, target: Target<'_>, work: &Path) -> Result<usize, Failure> {
    let candidates = candidates();
    let (mut decoded, mut refused) = (Vec::new(), Vec::new());
    let mut reasons = BTreeMap::new();
    for candidate in &candidates {
        let text = module(&[candidate], target);
        let tree = parse(&text).map_err(|error| format!("{candidate}: {error}"))?;
        match link(&[Input { name: "matrices", text: &text, module: &tree }]).map(drop) {
            Ok(()) => decoded.push(candidate.as_str()),
            Err(error) => {
                refused.push(candidate.as_str());
                reasons.insert(candidate.as_str(), error.to_string());
            }
        }
    }
    let taken: BTreeSet<&str> = taken_by_ptxas(tools, target, work, &decoded)?.into_iter().collect();
    let alone = decoded.iter().filter(|candidate| !taken.contains(*candidate));
    let mut differences: Vec<String> =
        alone.map(|candidate| format!("the emulator alone takes {candidate}")).collect();
    for candidate in taken_by_ptxas(tools, target, work, &refused)? {
        if !is_beyond_isa(candidate) {
            differences.push(format!("ptxas alone takes {candidate} ({})", reasons[candidate]));
        }
    }
    if differences.is_empty() { Ok(taken.len()) } else { Err(differences.join("\n")) }
}
