//! Forms of matrix instructions: the emulator and ptxas accept the same ones.

use super::all_forms::{AllForms, Names, Target};

/// GPUs and PTX versions that introduced some of them.
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

/// The types of A and B.
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

/// The types of D and C.
const SUMS: [[&str; 2]; 6] =
    [["f16", "f16"], ["f32", "f32"], ["f32", "f16"], ["f16", "f32"], ["f64", "f64"], ["s32", "s32"]];

/// Whether the accumulators are of the same kind as the factors: integers, doubles, or other numbers.
fn is_alike(factor: &str, sum: &str) -> bool {
    let is_integer = factor.starts_with(['s', 'u']) || factor == "b1";
    (is_integer == (sum == "s32")) && ((factor == "f64") == (sum == "f64"))
}

/// The number of elements of a type per register.
fn packed(ty: &str) -> usize {
    match ty {
        "f64" | "f32" | "tf32" | "s32" => 1,
        "f16" | "bf16" => 2,
        "s4" | "u4" => 8,
        "b1" => 32,
        _ => 4,
    }
}

/// A list of registers.
fn registers(prefix: &str, n: usize) -> String {
    let registers: Vec<String> = (0..n).map(|idx| format!("{prefix}{idx}")).collect();
    format!("{{{}}}", registers.join(", "))
}

/// A list for this many elements in all threads; `None` if they do not fill registers.
fn list(ty: &str, n_elements: usize) -> Option<String> {
    let n = n_elements / 32 / packed(ty);
    let prefix = match ty {
        "f64" => "%d",
        "f32" => "%f",
        _ => "%r",
    };
    (n > 0 && n <= 16).then(|| registers(prefix, n))
}

/// The forms to compare with ptxas.
pub fn forms() -> AllForms {
    let mut slotted = Vec::new();
    for shape in SHAPES {
        products(shape, &mut slotted);
        opaque(shape, &mut slotted);
    }
    kinds(&mut slotted);
    rows(&mut slotted);
    let names = Names {
        variables: "",
        registers: ".reg .b32 %r<17>; .reg .f32 %f<17>; .reg .f64 %d<17>; .reg .b64 %l<2>; .reg .b16 %h<4>;",
    };
    AllForms { slotted, names, is_beyond_isa }
}

/// `ldmatrix`, `stmatrix`, `movmatrix`
fn rows(slotted: &mut Vec<String>) {
    for (count, n) in [(1, 1), (1, 2), (2, 2), (2, 4), (3, 3), (4, 4)] {
        let form = format!(
            "matrix.sync.aligned.(m8n8|m8n16|m16n8|m16n16).x{count}(|.trans|.shared|.trans.shared|.shared.trans|.global)"
        );
        let list = registers("%r", n);
        let types = "(b16|b8|b32|b8x16.b6x16_p32|b8x16.b4x16_p64)";
        slotted.push(format!("ld{form}.{types} {list}, [%l0];"));
        slotted.push(format!("st{form}.(b16|b8|b32) [%l0], {list};"));
    }
    slotted.push("movmatrix.sync.aligned.m8n8(.trans|).(b16|b32) %r0, %r1;".to_owned());
}

/// `mma`, and `mma.sp`, where A has half of its elements.
fn products([m, n, k]: [usize; 3], slotted: &mut Vec<String>) {
    for [a, b] in FACTORS {
        for [d, c] in SUMS.into_iter().filter(|[d, _]| is_alike(a, d)) {
            // `m8n8k4` of `.f16` is four products at once.
            let n_products = if [m, n, k] == [8, 8, 4] && a == "f16" { 4 } else { 1 };
            let operands = |share: usize| {
                let lists = [(d, m * n), (a, m * k / share), (b, n * k), (c, m * n)];
                let lists: Option<Vec<_>> =
                    lists.into_iter().map(|(ty, n)| list(ty, n_products * n)).collect();
                lists.map(|lists| lists.join(", "))
            };
            let types = format!("{d}.{a}.{b}.{c}");
            let form = format!("sync.aligned.m{m}n{n}k{k}");
            if let Some(operands) = operands(1) {
                let words = if d == "s32" { "|.satfinite" } else { "|.rn|.rna" };
                slotted.push(format!("mma.{form}.(row.col|col.row)({words}).{types} {operands};"));
                if a == "b1" {
                    slotted.push(format!("mma.{form}.row.col.{types}.(and|xor|or).popc {operands};"));
                }
            }
            if let Some(operands) = operands(2) {
                let words = if d == "s32" { "|.satfinite" } else { "" };
                slotted.push(format!(
                    "mma.sp(|::ordered_metadata).{form}.row.col({words}).{types} {operands}, %r16, (0|1|3|%r1);"
                ));
            }
        }
    }
}

/// `mma` and `mma.sp` with `.kind`.
fn kinds(slotted: &mut Vec<String>) {
    const SMALL: &str = "(e4m3.e4m3|e5m2.e2m3|e3m2.e4m3|e2m1.e2m1)";
    const SCALES: &str = "%r14, {0, 0}, %r15, {0, 0}";
    // Selectors, including those out of range, and registers instead.
    const SELECTORS: &str = "%r14, {(0, 0|3, 1|4, 0|0, 2|%h0, %h1)}, %r15, {(0, 0|3, 3|0, 4|2, 0|%h2, %h3)}";
    const VECTORS: &str = "block_scale(|.scale_vec::1X|.scale_vec::2X|.scale_vec::4X)";
    for (is_sparse, k) in [false, true].into_iter().flat_map(|it| [16, 32, 64, 128].map(|k| (it, k))) {
        let (sp, metadata) = if is_sparse { (".sp::ordered_metadata", ", %r16, 0") } else { ("", "") };
        let mut of = |kind: &str, d: &str, factors: &str, scales: Option<&str>| {
            let per_word = if kind.contains("mxf4") { 8 } else { 4 };
            let (n_a, n_b) = (16 * k / 32 / per_word / if is_sparse { 2 } else { 1 }, 8 * k / 32 / per_word);
            let Some(sums) = list(d, 128).filter(|_| n_a > 0 && n_b > 0 && n_a <= 16) else { return };
            let (a, b) = (registers("%r", n_a), registers("%r", n_b));
            let form = format!("mma{sp}.sync.aligned.m16n8k{k}.row.col.kind::{kind}.{d}.{factors}.{d}");
            let (types, scales) =
                scales.map_or(("", String::new()), |of| (".(ue8m0|ue4m3)", format!(", {of}")));
            slotted.push(format!("{form}{types} {sums}, {a}, {b}, {sums}{metadata}{scales};"));
        };
        for d in ["f32", "f16"] {
            of("(f8f6f4|mxf8f6f4)", d, SMALL, None);
            of(&format!("mxf8f6f4.{VECTORS}"), d, SMALL, Some(SCALES));
        }
        of(&format!("(mxf4|mxf4nvf4).{VECTORS}"), "f32", "e2m1.e2m1", Some(SCALES));
        of("mxf8f6f4.block_scale", "f32", "e2m1.e2m1", Some(SELECTORS));
        of("(mxf4.block_scale|mxf4nvf4.block_scale.scale_vec::4X)", "f32", "e2m1.e2m1", Some(SELECTORS));
    }
    // ptxas accepts the kind at any position.
    let (sums, a, b) = (registers("%f", 4), registers("%r", 4), registers("%r", 2));
    let form = "m16n8k32.row.col.f32.e2m1.e2m1.f32";
    slotted.push(format!("mma.sync.aligned.kind::f8f6f4.{form} {sums}, {a}, {b}, {sums};"));
    let scaled = format!("kind::mxf8f6f4.block_scale.scale_vec::1X.{form}.ue8m0");
    slotted.push(format!("mma.sync.aligned.{scaled} {sums}, {a}, {b}, {sums}, {SCALES};"));
}

/// `wmma`
fn opaque([m, n, k]: [usize; 3], slotted: &mut Vec<String>) {
    let shape = format!("m{m}n{n}k{k}");
    let of_factor = |ty, n| if ty == "f16" { Some(registers("%r", 8)) } else { list(ty, n) };
    let memory = "(|.shared|.global)";
    for [ty, _] in FACTORS.into_iter().filter(|[a, b]| a == b) {
        for (matrix, n_elements) in [("a", m * k), ("b", n * k)] {
            let Some(list) = of_factor(ty, n_elements) else { continue };
            let load = format!("wmma.load.{matrix}.sync.aligned.(row|col).{shape}{memory}.{ty}");
            slotted.push(format!("{load} {list}, [%l0](|, %r9);"));
        }
        for [d, c] in SUMS.into_iter().filter(|[d, _]| is_alike(ty, d)) {
            let lists = [list(d, m * n), of_factor(ty, m * k), of_factor(ty, n * k), list(c, m * n)];
            let Some(operands) = lists.into_iter().collect::<Option<Vec<_>>>() else { continue };
            let types = if ty == "f16" { format!("{d}.{c}") } else { format!("{d}.{ty}.{ty}.{c}") };
            let (bits, last) = match ty {
                "b1" => ("|.and.popc|.xor.popc", "|.satfinite"),
                "f64" => ("", "|.rn"),
                _ => ("", "|.satfinite"),
            };
            slotted.push(format!(
                "wmma.mma({bits}).sync.aligned.(row.col|col.row).{shape}.{types}({last}) {};",
                operands.join(", ")
            ));
        }
    }
    for [ty, _] in SUMS.into_iter().filter(|[d, c]| d == c) {
        let Some(list) = list(ty, m * n) else { continue };
        slotted
            .push(format!("wmma.load.c.sync.aligned.(row|col).{shape}{memory}.{ty} {list}, [%l0](|, %r9);"));
        slotted
            .push(format!("wmma.store.d.sync.aligned.(row|col).{shape}{memory}.{ty} [%l0], {list}(|, %r9);"));
    }
}

/// Forms that ptxas accepts, but the PTX ISA does not define: accumulators of other types than the shape
/// supports, and others.
fn is_beyond_isa(candidate: &str) -> bool {
    let opcode = candidate.split(' ').next().unwrap_or_default();
    let has = |words: &[&str]| words.iter().any(|word| opcode.split('.').any(|it| it == *word));
    let is_small = has(&["m8n8k32", "m8n8k128"]) && has(&["f32"]);
    // Only for this form, it accepts selectors of threads that do not exist.
    let is_selector = opcode.starts_with("mma.sp")
        && opcode.ends_with("m16n8k32.row.col.f32.f16.f16.f32")
        && candidate.ends_with(", 3;");
    // And kinds that require scales, without them.
    let is_bare = opcode.contains(".kind::mxf8f6f4.") && !opcode.contains(".block_scale");
    is_selector || is_bare || opcode.starts_with("wmma.") && (is_small || has(&["f64"]) && !has(&["m8n8k4"]))
}
