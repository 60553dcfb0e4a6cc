//! Matrix products with sparsity and with scales, compared with plain matrix products.
//!
//! The tests create a full matrix and pack it: they compute the position of its elements and metadata from
//! the row and the column (PTX ISA "Sparse matrix storage", "Matrix Fragments for sparse …"), and likewise
//! that of the scales ("Block Scaling for mma.sync").

use super::matrix::{Fragment, Matrix, Random, Spot, Ty, spot_of_b, spot_of_c, try_multiply, ty};
use super::{ONE_BLOCK, kernel, run};
use crate::exec::launch::{Checks, Launch};

/// A sparse matrix: its rows, and the registers of its nonzero elements.
struct Sparse {
    values: Matrix,
    packed: Fragment,
    metadata: Fragment,
}

/// Which elements of a chunk are nonzero, in metadata order.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Any,
    Ascending,
}

/// How many elements share four bits of metadata, and the length of a group.
fn granularity(ty: Ty) -> (usize, usize) {
    match ty.name {
        "tf32" => (2, 1),
        "s4" | "u4" => (8, 2),
        _ if ty.n_bits == 4 => (8, 2),
        _ => (4, 1),
    }
}

/// The position of a nonzero element: the `idx`th of the chunk with that column.
fn spot_of_packed(ty: Ty, chunk: usize, (row, col, idx): (usize, usize, usize)) -> Spot {
    let packed = ty.packed();
    let register = row / 8 + 2 * (col / (8 * packed));
    let member = col / (2 * packed) % 4;
    (row % 8 * 4 + member, register, col % (2 * packed) / chunk * (chunk / 2) + idx)
}

/// The thread and the bit of a chunk's metadata.
fn spot_of_metadata(ty: Ty, n_chunks: usize, selector: usize, row: usize, chunk: usize) -> (usize, usize) {
    let quad = row % 8 * 4;
    match ty.n_bits {
        16 | 32 => (quad + selector * (n_chunks / 4) + chunk / 4, row / 8 * 16 + chunk % 4 * 4),
        _ => (quad + selector * 2 + row / 8 + 2 * (chunk / 8), chunk % 8 * 4),
    }
}

fn sparse(k: usize, ty_of_a: Ty, selector: usize, order: Order, random: &mut Random) -> Sparse {
    let (chunk, run) = granularity(ty_of_a);
    let mut values = Matrix { n_cols: k, values: vec![0.0; 16 * k] };
    let mut packed = Fragment::new(ty_of_a, 16 * k / 2 / 32 / ty_of_a.packed());
    // The metadata of other threads is ignored.
    let mut metadata = Fragment::new(ty("b32"), 1);
    metadata.registers[0].iter_mut().for_each(|word| *word = random.next(1 << 31));
    let n_units = chunk / run;
    for row in 0..16 {
        for first in (0..k).step_by(chunk) {
            let mut units = [random.next(n_units as u64) as usize, 0];
            let mut indices = if units[0] == 0 { 0b0100 } else { 0b1110 };
            if n_units == 4 {
                units[1] = (units[0] + 1 + random.next(3) as usize) % 4;
                if order == Order::Ascending {
                    units.sort_unstable();
                }
                indices = units[0] | units[1] << 2;
            }
            let there = if n_units == 4 { &units[..] } else { &units[..1] };
            for (idx, unit) in there.iter().enumerate() {
                for part in 0..run {
                    let value = ty_of_a.any(random);
                    values.values[row * k + first + unit * run + part] = value;
                    packed.put(spot_of_packed(ty_of_a, chunk, (row, first, idx * run + part)), value);
                }
            }
            let (lane, shift) = spot_of_metadata(ty_of_a, k / chunk, selector, row, first / chunk);
            let word = &mut metadata.registers[0][lane];
            *word = *word & !(0xF << shift) | (indices as u64) << shift;
        }
    }
    Sparse { values, packed, metadata }
}

fn fragment_of(matrix: &Matrix, ty: Ty, spot: impl Fn(usize, usize) -> Spot) -> Fragment {
    let mut fragment = Fragment::new(ty, matrix.values.len() / 32 / ty.packed());
    for (row, col) in matrix.indices() {
        fragment.put(spot(row, col), matrix.at(row, col));
    }
    fragment
}

/// The scales of A's rows or B's columns: the numbers, line by line, and the register that holds them.
fn scales(
    is_a: bool,
    (format, n): (&str, usize),
    [byte, thread]: [usize; 2],
    random: &mut Random,
) -> (Vec<f64>, Fragment) {
    let mut register = Fragment::new(ty("b32"), 1);
    register.registers[0].iter_mut().for_each(|word| *word = random.next(1 << 31));
    let mut found = Vec::new();
    for line in 0..if is_a { 16 } else { 8 } {
        let lane = if is_a { line % 8 * 4 + thread * 2 + line / 8 } else { line * 4 + thread };
        for block in 0..n {
            let exponent = random.next(6) as i32 - 3;
            let (value, bits) = match format {
                "ue8m0" => (2.0_f64.powi(exponent), (127 + exponent) as u64),
                _ => {
                    let fraction = random.next(8);
                    (
                        2.0_f64.powi(exponent) * (1.0 + fraction as f64 / 8.0),
                        ((exponent + 7) as u64) << 3 | fraction,
                    )
                }
            };
            let word = &mut register.registers[0][lane];
            let shift = 8 * (byte + block);
            *word = *word & !(0xFF << shift) | bits << shift;
            found.push(value);
        }
    }
    (found, register)
}

/// The format of scales, and the number per row.
type Format<'n> = (&'n str, usize);

/// The byte and the thread selectors, of A and of B.
type Selectors = [[usize; 2]; 2];

/// The types of A, B, and the accumulators.
type Types<'n> = [&'n str; 3];

/// A size along `k`, and the number of its selectors.
type Size = (usize, usize);

/// A form to try.
struct Form<'n> {
    /// The suffix from `.kind` on, with `.scale_vec`, or nothing.
    kind: &'n str,
    k: usize,
    types: Types<'n>,
    /// The order and selector of the metadata, if A is sparse.
    sparse: Option<(Order, usize)>,
    /// The format and the number per row, and the selectors of A and B.
    scale: Option<(Format<'n>, Selectors)>,
    target: &'n str,
}

/// `e2m1` in the middle of a byte, with other bits that are ignored.
fn in_bytes(fragment: Fragment, n_elements: usize) -> Fragment {
    let mut bytes = Fragment::new(Ty { name: "e2m1", n_bits: 8 }, n_elements / 32 / 4);
    for (register, words) in fragment.registers.iter().enumerate() {
        for (lane, word) in words.iter().enumerate() {
            bytes.registers[register][lane] = (word << 2 & 0x3C3C_3C3C) | 0x8241_C300;
        }
    }
    bytes
}

fn check(form: &Form<'_>) {
    let Form { kind, k, types: [a, b, sum], sparse: order, scale, target } = *form;
    let is_bytes = kind.contains("f8f6f4");
    let sized = |name: &'static str| match name {
        "e2m1" if is_bytes => Ty { name, n_bits: 8 },
        _ => ty(name),
    };
    let name = |name: &str| NAMES.iter().copied().find(|it| *it == name).expect("a type");
    let (a, b, sum) = (sized(name(a)), sized(name(b)), ty(name(sum)));
    let random = &mut Random(k as u64 + 7);
    let of_b = Matrix::any(k, 8, b, random);
    let of_c = Matrix::any(16, 8, if sum.name == "s32" { sum } else { ty("f16") }, random);
    let b_registers = fragment_of(&of_b, b, |row, col| spot_of_b(b, row, col));
    let c_registers = fragment_of(&of_c, sum, |row, col| spot_of_c(sum, row, col));
    let (of_a, a_registers, mut extras) = match order {
        Some((order, selector)) => {
            let Sparse { values, packed, metadata } = sparse(k, a, selector, order, random);
            (values, packed, vec![(metadata, format!(", {selector}"))])
        }
        None => {
            let values = Matrix::any(16, k, a, random);
            let packed = a.packed();
            let spot = |row: usize, col: usize| {
                (row % 8 * 4 + col / packed % 4, row / 8 + 2 * (col / (4 * packed)), col % packed)
            };
            let registers = fragment_of(&values, a, spot);
            (values, registers, vec![])
        }
    };
    let widened = |fragment: Fragment, ty: Ty, n: usize| {
        if ty.name == "e2m1" && is_bytes { in_bytes(fragment, n) } else { fragment }
    };
    let a_registers = widened(a_registers, a, 16 * k / if order.is_some() { 2 } else { 1 });
    let b_registers = widened(b_registers, b, 8 * k);
    let mut factors = [vec![1.0; 16], vec![1.0; 8]];
    let mut n_blocks = 1;
    if let Some((format, selectors)) = scale {
        n_blocks = format.1;
        for (idx, [byte, thread]) in selectors.into_iter().enumerate() {
            let (found, register) = scales(idx == 0, format, [byte, thread], random);
            factors[idx] = found;
            extras.push((register, format!(", {{{byte}, {thread}}}")));
        }
    }
    let sp = match order {
        None => "",
        Some((Order::Any, _)) => ".sp",
        Some((Order::Ascending, _)) => ".sp::ordered_metadata",
    };
    let stype = scale.map_or(String::new(), |((format, _), _)| format!(".{format}"));
    let instruction = format!(
        "mma{sp}.sync.aligned.m16n8k{k}.row.col{kind}.{1}.{0}.{2}.{1}{stype}",
        a.name, sum.name, b.name
    );
    let mut fragments = vec![&a_registers, &b_registers, &c_registers];
    fragments.extend(extras.iter().map(|(register, _)| register));
    let suffixes: Vec<&str> = extras.iter().map(|(_, suffix)| suffix.as_str()).collect();
    let mut found = Fragment::new(sum, 4 / sum.packed());
    try_multiply(&instruction, &fragments, &suffixes, &mut found, target)
        .unwrap_or_else(|error| panic!("{instruction}: {error}"));
    let mut n_different = 0;
    for (row, col) in of_c.indices() {
        let product = |at: usize| {
            let block = at * n_blocks / k;
            let factor = factors[0][row * n_blocks + block] * factors[1][col * n_blocks + block];
            of_a.at(row, at) * of_b.at(at, col) * factor
        };
        let products: f64 = (0..k).map(product).sum();
        let expected = sum.bits(products + of_c.at(row, col));
        assert_eq!(found.bits(spot_of_c(sum, row, col)), expected, "{instruction}: {row}, {col}");
        n_different += usize::from(products != 0.0);
    }
    assert!(n_different > 64, "{instruction} has hardly anything to multiply");
}

const NAMES: [&str; 15] = [
    "f16", "bf16", "tf32", "f32", "s32", "s8", "u8", "s4", "u4", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1",
    "b32",
];

#[test]
fn sparse_matrices_of_all_types() {
    let forms: [(&[Types<'_>], &[Size]); 5] = [
        (&[["f16", "f16", "f16"], ["f16", "f16", "f32"], ["bf16", "bf16", "f32"]], &[(16, 4), (32, 2)]),
        (&[["tf32", "tf32", "f32"]], &[(8, 4), (16, 2)]),
        (&[["s8", "u8", "s32"], ["u8", "s8", "s32"]], &[(32, 2), (64, 1)]),
        (&[["s4", "u4", "s32"], ["u4", "u4", "s32"]], &[(64, 2), (128, 1)]),
        (&[["e4m3", "e5m2", "f32"], ["e5m2", "e5m2", "f32"]], &[(64, 1)]),
    ];
    for (types, shapes) in forms {
        for (&types, &(k, n_selectors)) in types.iter().flat_map(|t| shapes.iter().map(move |s| (t, s))) {
            for selector in 0..n_selectors {
                for order in [Order::Any, Order::Ascending] {
                    let sparse = Some((order, selector));
                    check(&Form { kind: "", k, types, sparse, scale: None, target: "" });
                }
            }
        }
    }
}

#[test]
fn small_formats_in_bytes() {
    let small = ["e4m3", "e5m2", "e2m3", "e3m2", "e2m1"];
    for (a, b) in small.into_iter().flat_map(|a| small.map(|b| (a, b))) {
        for sparse in [None, Some((Order::Ascending, 0))] {
            let k = if sparse.is_some() { 64 } else { 32 };
            let form = Form {
                kind: ".kind::f8f6f4",
                k,
                types: [a, b, "f32"],
                sparse,
                scale: None,
                target: "sm_120a",
            };
            check(&form);
            let kind = ".kind::mxf8f6f4.block_scale.scale_vec::1X";
            for selectors in [[[0, 0], [0, 0]], [[3, 1], [2, 3]]] {
                check(&Form { kind, scale: Some((("ue8m0", 1), selectors)), ..form });
            }
        }
    }
    let types = ["e4m3", "e3m2", "f16"];
    check(&Form { kind: ".kind::f8f6f4", k: 32, types, sparse: None, scale: None, target: "sm_120f" });
}

#[test]
fn four_bits_with_scales() {
    for sparse in [None, Some((Order::Ascending, 0))] {
        let (k, types) = (if sparse.is_some() { 128 } else { 64 }, ["e2m1", "e2m1", "f32"]);
        let tried =
            |kind, scale| check(&Form { kind, k, types, sparse, scale: Some(scale), target: "sm_120a" });
        for selectors in [[[0, 0], [0, 0]], [[2, 1], [2, 3]], [[2, 0], [0, 1]]] {
            tried(".kind::mxf4.block_scale", (("ue8m0", 2), selectors));
            tried(".kind::mxf4nvf4.block_scale.scale_vec::2X", (("ue8m0", 2), selectors));
        }
        for selectors in [[[0, 0], [0, 2]], [[0, 1], [0, 3]]] {
            tried(".kind::mxf4nvf4.block_scale.scale_vec::4X", (("ue4m3", 4), selectors));
        }
    }
}

/// Registers of zeros, except the metadata.
fn with_metadata(sp: &str, types: [&'static str; 3], k: usize, metadata: u64) -> Result<(), String> {
    let [a, b, sum] = types.map(ty);
    let registers = |ty: Ty, n: usize| Fragment::new(ty, n / 32 / ty.packed());
    let (of_a, of_b, of_c) = (registers(a, 8 * k), registers(b, 8 * k), registers(sum, 128));
    let mut word = Fragment::new(ty("b32"), 1);
    word.registers[0] = [metadata; 32];
    let instruction =
        format!("mma.{sp}.sync.aligned.m16n8k{k}.row.col.{1}.{0}.{2}.{1}", a.name, sum.name, b.name);
    try_multiply(&instruction, &[&of_a, &of_b, &of_c, &word], &[", 0"], &mut registers(sum, 128), "")
}

#[test]
fn indices_without_a_meaning_stop_the_launch() {
    let halves = ["f16", "f16", "f32"];
    assert_eq!(with_metadata("sp", halves, 16, 0x4444_4444), Ok(()));
    assert_eq!(with_metadata("sp", halves, 16, 0x1111_1111), Ok(()));
    for (sp, types, k, metadata) in [
        ("sp", halves, 16, 0x4444_5444),
        ("sp::ordered_metadata", halves, 16, 0x4444_4414),
        ("sp", ["tf32", "tf32", "f32"], 8, 0x4444_44D4),
        ("sp", ["s4", "u4", "s32"], 128, 0),
    ] {
        let error = with_metadata(sp, types, k, metadata).expect_err("metadata without a meaning");
        assert!(error.contains("invalid indices"), "{error}");
    }
}

#[test]
fn scales_without_a_meaning_stop_the_launch() {
    let four = ty("e2m1");
    let registers = [Fragment::new(four, 4), Fragment::new(four, 2), Fragment::new(ty("f32"), 4)];
    let word = |bits: u64| {
        let mut word = Fragment::new(ty("b32"), 1);
        word.registers[0] = [bits; 32];
        word
    };
    let tried = |of_a: u64, selectors: &str| {
        let (of_a, of_b) = (word(of_a), word(0x3838_3838));
        let [a, b, c] = &registers;
        let instruction = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3";
        let suffixes = [", {0, 0}", selectors];
        try_multiply(
            instruction,
            &[a, b, c, &of_a, &of_b],
            &suffixes,
            &mut Fragment::new(ty("f32"), 4),
            "sm_120a",
        )
    };
    assert_eq!(tried(0x3838_3838, ", {0, 3}"), Ok(()));
    assert!(tried(0x3838_B838, ", {0, 3}").expect_err("a sign").contains("upper bit"));
    assert!(tried(0x3838_3838, ", {1, 0}").expect_err("a byte").contains("out of range"));
    assert!(tried(0x3838_3838, ", {0, 4}").expect_err("a thread").contains("out of range"));
}

/// What becomes of four words of each thread: they fill two of 64 rows of 16 bytes in shared memory; `%r5` is
/// the address of the thread's first row, and `body` leaves words in `%x0` to `%x3`.
fn through_rows(body: &str, words: &[u32]) -> Vec<u32> {
    try_rows(body, words).unwrap_or_else(|error| panic!("{error}"))
}

fn try_rows(body: &str, words: &[u32]) -> Result<Vec<u32>, String> {
    let text = kernel(&format!(
        ".shared .align 16 .b8 s[1024]; .reg .b32 %x<8>; .reg .b32 %w<4>;\n\
         ld.param.u64 %rd3, [p]; mul.wide.u32 %rd4, %r1, 16; add.u64 %rd3, %rd3, %rd4;\n\
         ld.global.v4.b32 {{%w0, %w1, %w2, %w3}}, [%rd3]; mov.u32 %r4, s; mad.lo.u32 %r5, %r1, 16, %r4;\n\
         {body}\nst.global.v4.b32 [%rd3], {{%x0, %x1, %x2, %x3}};"
    ));
    let text =
        text.replacen(".version 8.0", ".version 8.8", 1).replacen(".target sm_90", ".target sm_100f", 1);
    let launch = Launch { checks: Checks::ALL, ..ONE_BLOCK };
    run(&text, &launch, words, &[vec![0; 4]])
}

/// 32 rows of 16 numbers of `n_bits`, and the words that contain them.
fn packed_rows(random: &mut Random, n_bits: usize) -> (Vec<u8>, Vec<u32>) {
    let numbers: Vec<u8> = (0..32 * 16).map(|_| random.next(1 << n_bits) as u8).collect();
    let word = |word: usize| {
        let bits = (0..32).filter(|bit| {
            let at = word % 4 * 32 + bit;
            let number = at / n_bits;
            // The bits after the numbers are ignored.
            number >= 16 || numbers[word / 4 * 16 + number] >> (at % n_bits) & 1 != 0
        });
        bits.fold(0, |word, bit| word | 1 << bit)
    };
    let words = (0..32 * 4).map(word).collect();
    (numbers, words)
}

/// Rows of 4-bit and 6-bit numbers, expanded to bytes.
#[test]
fn numbers_are_unpacked_into_bytes() {
    let random = &mut Random(3);
    for (n_bits, name) in [(4, "b4x16_p64"), (6, "b6x16_p32")] {
        let (numbers, words) = packed_rows(random, n_bits);
        let found = through_rows(
            &format!(
                "st.shared.v4.b32 [%r5], {{%w0, %w1, %w2, %w3}}; bar.sync 0;\n\
                 ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.{name} {{%x0, %x1, %x2, %x3}}, [%r5];"
            ),
            &words,
        );
        for (lane, matrix, byte) in
            (0..32).flat_map(|l| (0..4).flat_map(move |m| (0..4).map(move |b| (l, m, b))))
        {
            let number = numbers[(matrix * 8 + lane / 4) * 16 + lane % 4 * 4 + byte];
            assert_eq!(
                (found[lane * 4 + matrix] >> (8 * byte)) as u8,
                number,
                "{name}: {lane}, {matrix}, {byte}"
            );
        }
    }
}

/// Of 16×16 numbers, a thread holds four rows of a column in each of two registers.
#[test]
fn squares_of_bytes_are_transposed() {
    let random = &mut Random(5);
    for (n_bits, name) in [(4, "b8x16.b4x16_p64"), (6, "b8x16.b6x16_p32"), (8, "b8")] {
        let (numbers, words) = packed_rows(random, n_bits);
        for (count, list) in [(1, "{%x0, %x1}"), (2, "{%x0, %x1, %x2, %x3}")] {
            let found = through_rows(
                &format!(
                    "st.shared.v4.b32 [%r5], {{%w0, %w1, %w2, %w3}}; bar.sync 0; mov.b32 %x2, 0; mov.b32 %x3, 0;\n\
                     ldmatrix.sync.aligned.m16n16.x{count}.trans.shared.{name} {list}, [%r5];"
                ),
                &words,
            );
            for (at, word) in found.iter().enumerate() {
                let (lane, register) = (at / 4, at % 4);
                let (first_row, col) = (register / 2 * 16 + lane % 4 * 4, register % 2 * 8 + lane / 4);
                let bytes: [u8; 4] = std::array::from_fn(|row| numbers[(first_row + row) * 16 + col]);
                let expected = if register < 2 * count { u32::from_le_bytes(bytes) } else { 0 };
                assert_eq!(*word, expected, "{name}.x{count}: {lane}, {register}");
            }
        }
    }
}

/// The fault names the thread with an uninitialized byte, and the byte's address.
#[test]
fn holes_of_squares_are_those_of_their_bytes() {
    // Byte 10 of row 6 is in byte 2 of the second register of thread 2 * 4 + 1.
    let hole = |reads: &str| {
        format!(
            ".shared .align 16 .b8 t[512]; mov.u32 %r4, t; mad.lo.u32 %r5, %r1, 16, %r4; setp.eq.u32 %p1, %r1, 6;\n\
             @!%p1 st.shared.v4.b32 [%r5], {{%w0, %w1, %w2, %w3}}; @%p1 st.shared.v2.b32 [%r5], {{%w0, %w1}};\n\
             @%p1 st.shared.b16 [%r5+8], 0; @%p1 st.shared.b8 [%r5+11], 0; @%p1 st.shared.b32 [%r5+12], 0; bar.sync 0;\n\
             mov.b32 %x2, 0; mov.b32 %x3, 0; ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {{%x0, %x1}}, [%r5];\n\
             {reads}"
        )
    };
    let looks_at = |bit| hole(&format!("bfe.u32 %r6, %x1, {bit}, 8; setp.eq.u32 %p1, %r6, 7; @%p1 exit;"));
    let words = vec![0x0101_0101; 128];
    let error = try_rows(&looks_at(16), &words).expect_err("a byte is missing");
    assert!(error.contains("by thread (9, 0, 0)") && error.contains("`t+0x6a`, 1 byte of"), "{error}");
    assert!(try_rows(&looks_at(8), &words).is_ok());
}

/// 16×8 matrices of bytes are stored column by column: threads hold them like accumulators.
#[test]
fn bytes_are_stored_as_columns() {
    let words: Vec<u32> = (0..128).map(|n: u32| n.wrapping_mul(0x9E37_79B9)).collect();
    let found = through_rows(
        "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%r5], {%w0, %w1, %w2, %w3}; bar.sync 0;\n\
         ld.shared.v4.b32 {%x0, %x1, %x2, %x3}, [%r5];",
        &words,
    );
    for matrix in 0..4 {
        for (row, col) in (0..16).flat_map(|row| (0..8).map(move |col| (row, col))) {
            // The upper rows are in bytes 0 and 1, the lower ones in 2 and 3.
            let (lane, _, _) = spot_of_c(ty("f32"), row, col);
            let held = words[lane * 4 + matrix] >> (8 * (row / 8 * 2 + col % 2)) & 0xFF;
            let stored = found[(matrix * 8 + col) * 4 + row / 4] >> (8 * (row % 4)) & 0xFF;
            assert_eq!(stored, held, "{matrix}: {row}, {col}");
        }
    }
}
