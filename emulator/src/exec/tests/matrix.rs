//! Matrix instructions, compared with plain matrix products.
//!
//! The tests map elements the other way round than the emulator: from the row and the column to the thread
//! and the register (PTX ISA "Matrix Fragments for …").

use super::{ONE_BLOCK, kernel, run};
use crate::exec::launch::{Checks, Launch};

/// A pseudorandom number generator.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ty {
    pub(super) name: &'static str,
    pub(super) n_bits: usize,
}

pub(super) fn ty(name: &'static str) -> Ty {
    let n_bits = match name {
        "f64" => 64,
        "f32" | "tf32" | "s32" | "b32" => 32,
        "f16" | "bf16" => 16,
        "e4m3" | "e5m2" | "e2m3" | "e3m2" | "s8" | "u8" => 8,
        "s4" | "u4" | "e2m1" => 4,
        _ => 1,
    };
    Ty { name, n_bits }
}

impl Ty {
    /// The number of elements per register.
    pub(super) fn packed(self) -> usize {
        (32 / self.n_bits).max(1)
    }

    pub(super) fn words(self) -> usize {
        self.n_bits.div_ceil(32)
    }

    /// The bits of a number that the type can represent.
    pub(super) fn bits(self, value: f64) -> u64 {
        match self.name {
            "f64" => value.to_bits(),
            "f32" | "tf32" => u64::from((value as f32).to_bits()),
            "bf16" => u64::from((value as f32).to_bits() >> 16),
            "f16" => float_bits(value, 5, 10),
            "e4m3" => float_bits(value, 4, 3),
            "e5m2" => float_bits(value, 5, 2),
            "e2m3" => float_bits(value, 2, 3),
            "e3m2" => float_bits(value, 3, 2),
            "e2m1" => float_bits(value, 2, 1),
            _ => value as i64 as u64 & (u64::MAX >> (64 - self.n_bits)),
        }
    }

    /// A number for which all sums of products are exact.
    pub(super) fn any(self, random: &mut Random) -> f64 {
        let n = random.next(15) as f64 - 7.0;
        match self.name {
            "b1" => random.next(2) as f64,
            "u4" => random.next(16) as f64,
            "s4" => random.next(16) as f64 - 8.0,
            "u8" => random.next(256) as f64,
            "s8" => random.next(256) as f64 - 128.0,
            "s32" => random.next(1 << 30) as f64 - f64::from(1 << 29),
            // Sums of products stay below 2048, up to which `.f16` has all integers.
            "f16" | "e4m3" | "e5m2" | "e2m3" | "e3m2" => n,
            "e2m1" => n.signum() * [0.0, 1.0, 2.0, 3.0, 4.0, 6.0][n.abs() as usize % 6],
            _ => n * [0.25, 1.0, 4.0][random.next(3) as usize],
        }
    }
}

/// The bits of a normal number or zero that the format can represent.
pub(super) fn float_bits(value: f64, n_exponent: u32, n_fraction: u32) -> u64 {
    let sign = u64::from(value < 0.0) << (n_exponent + n_fraction);
    if value == 0.0 {
        return 0;
    }
    let bits = value.abs().to_bits();
    let exponent = (bits >> 52) as i64 - 1023 + (1 << (n_exponent - 1)) - 1;
    assert_eq!(bits << (12 + n_fraction), 0, "{value} has too many digits");
    assert!(exponent > 0 && exponent < (1 << n_exponent), "{value} is out of range");
    sign | (exponent as u64) << n_fraction | bits >> (52 - n_fraction) & ((1 << n_fraction) - 1)
}

/// A thread, a register, and the element's index in it.
pub(super) type Spot = (usize, usize, usize);

/// The rows, the columns, and the elements.
pub(super) struct Matrix {
    pub(super) n_cols: usize,
    pub(super) values: Vec<f64>,
}

impl Matrix {
    pub(super) fn any(n_rows: usize, n_cols: usize, ty: Ty, random: &mut Random) -> Self {
        Matrix { n_cols, values: (0..n_rows * n_cols).map(|_| ty.any(random)).collect() }
    }

    pub(super) fn at(&self, row: usize, col: usize) -> f64 {
        self.values[row * self.n_cols + col]
    }

    pub(super) fn indices(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let n_cols = self.n_cols;
        (0..self.values.len()).map(move |idx| (idx / n_cols, idx % n_cols))
    }
}

/// The registers of all threads: for each, the words of a fragment.
pub(super) struct Fragment {
    pub(super) ty: Ty,
    pub(super) registers: Vec<[u64; 32]>,
}

impl Fragment {
    pub(super) fn new(ty: Ty, n_registers: usize) -> Self {
        Fragment { ty, registers: vec![[0; 32]; n_registers] }
    }

    pub(super) fn put(&mut self, (lane, register, part): Spot, value: f64) {
        self.registers[register][lane] |= self.ty.bits(value) << (part * self.ty.n_bits);
    }

    pub(super) fn bits(&self, (lane, register, part): Spot) -> u64 {
        self.registers[register][lane] >> (part * self.ty.n_bits) & (u64::MAX >> (64 - self.ty.n_bits))
    }

    /// The words of a thread.
    fn words(&self, lane: usize) -> impl Iterator<Item = u32> {
        let n_words = self.ty.words();
        self.registers.iter().flat_map(move |register| {
            let value = register[lane];
            (0..n_words).map(move |word| (value >> (32 * word)) as u32)
        })
    }
}

/// The position of an element of A.
fn spot_of_a(m: usize, ty: Ty, row: usize, k: usize) -> Spot {
    let packed = ty.packed();
    (row % 8 * 4 + k / packed % 4, row / 8 + m / 8 * (k / (4 * packed)), k % packed)
}

pub(super) fn spot_of_b(ty: Ty, k: usize, col: usize) -> Spot {
    let packed = ty.packed();
    (col * 4 + k / packed % 4, k / (4 * packed), k % packed)
}

pub(super) fn spot_of_c(ty: Ty, row: usize, col: usize) -> Spot {
    let idx = row / 8 * 2 + col % 2;
    (row % 8 * 4 + col / 2, idx / ty.packed(), idx % ty.packed())
}

/// Executes an instruction with three matrices.
fn multiply(instruction: &str, fragments: [&Fragment; 3], d: &mut Fragment) {
    let found = try_multiply(instruction, &fragments, &[], d, "");
    found.unwrap_or_else(|error| panic!("{instruction}: {error}"));
}

/// A kernel that loads the registers, executes an instruction, and stores those of D; the words of each
/// thread follow one another. Matrices after the third are registers without braces, each with its suffix.
pub(super) fn try_multiply(
    instruction: &str,
    fragments: &[&Fragment],
    suffixes: &[&str],
    d: &mut Fragment,
    target: &str,
) -> Result<(), String> {
    let mut body = ".reg .b32 %x<112>; .reg .f32 %f<112>; .reg .f64 %d<112>;\n".to_owned();
    let list = |ty: Ty, first: usize, n: usize| -> Vec<String> {
        let prefix = match ty.name {
            "f32" => "%f",
            "f64" => "%d",
            _ => "%x",
        };
        (first..first + n).map(|idx| format!("{prefix}{idx}")).collect()
    };
    let kind = |ty: Ty| match ty.name {
        "f32" => "f32",
        "f64" => "f64",
        _ => "b32",
    };
    let n_words: usize = fragments
        .iter()
        .copied()
        .chain([&*d])
        .map(|fragment| fragment.registers.len() * fragment.ty.words())
        .sum();
    let stride = 4 * n_words.next_multiple_of(2);
    body += &format!(
        "ld.param.u64 %rd3, [p]; mov.u32 %r1, %laneid; mul.wide.u32 %rd4, %r1, {stride}; add.u64 %rd3, %rd3, %rd4;\n"
    );
    let (mut at, mut lists) = (0, Vec::new());
    for (idx, fragment) in fragments.iter().enumerate() {
        let registers = list(fragment.ty, 16 * idx, fragment.registers.len());
        for register in &registers {
            body += &format!("ld.global.{} {register}, [%rd3+{at}];\n", kind(fragment.ty));
            at += 4 * fragment.ty.words();
        }
        lists.push(match idx.checked_sub(3) {
            None => format!("{{{}}}", registers.join(", ")),
            Some(extra) => format!("{}{}", registers.join(", "), suffixes[extra]),
        });
    }
    let results = list(d.ty, 96, d.registers.len());
    body += &format!("{instruction} {{{}}}, {};\n", results.join(", "), lists.join(", "));
    let first_result = at / 4;
    for register in &results {
        body += &format!("st.global.{} [%rd3+{at}], {register};\n", kind(d.ty));
        at += 4 * d.ty.words();
    }
    let mut words = Vec::new();
    for lane in 0..32 {
        let start = words.len();
        fragments.iter().for_each(|fragment| words.extend(fragment.words(lane)));
        words.resize(start + stride / 4, 0xDEAD_BEEF);
    }
    let mut text = kernel(&body).replacen(".version 8.0", ".version 8.8", 1);
    if !target.is_empty() {
        text = text.replacen(".target sm_90", &format!(".target {target}"), 1);
    }
    let found = run(&text, &ONE_BLOCK, &words, &[vec![0; 4]])?;
    for lane in 0..32 {
        let mut words = found[lane * stride / 4 + first_result..].iter();
        for register in &mut d.registers {
            register[lane] = (0..d.ty.words()).fold(0, |value, word| {
                value | u64::from(*words.next().expect("it was stored")) << (32 * word)
            });
        }
    }
    Ok(())
}

/// Tries a shape with types of A, B, C and D; `by` replaces the product.
fn check((m, k): (usize, usize), [a, b, c, d]: [&'static str; 4], suffix: &str, by: fn(f64, f64) -> f64) {
    let [a, b, c, d] = [a, b, c, d].map(ty);
    let (n, random) = (8, &mut Random(m as u64 * 1000 + k as u64));
    let (of_a, of_b, of_c) =
        (Matrix::any(m, k, a, random), Matrix::any(k, n, b, random), Matrix::any(m, n, c, random));
    let n_registers = |ty: Ty, n_elements: usize| n_elements / 32 / ty.packed();
    let mut fragments = [
        Fragment::new(a, n_registers(a, m * k)),
        Fragment::new(b, n_registers(b, n * k)),
        Fragment::new(c, n_registers(c, m * n)),
    ];
    for (row, col) in of_a.indices() {
        fragments[0].put(spot_of_a(m, a, row, col), of_a.at(row, col));
    }
    for (row, col) in of_b.indices() {
        fragments[1].put(spot_of_b(b, row, col), of_b.at(row, col));
    }
    for (row, col) in of_c.indices() {
        fragments[2].put(spot_of_c(c, row, col), of_c.at(row, col));
    }
    let mut found = Fragment::new(d, n_registers(d, m * n));
    let instruction =
        format!("mma.sync.aligned.m{m}n{n}k{k}.row.col.{}.{}.{}.{}{suffix}", d.name, a.name, b.name, c.name);
    multiply(&instruction, [&fragments[0], &fragments[1], &fragments[2]], &mut found);
    for (row, col) in of_c.indices() {
        let sum: f64 = (0..k).map(|at| by(of_a.at(row, at), of_b.at(at, col))).sum();
        let expected = d.bits(sum + of_c.at(row, col));
        assert_eq!(found.bits(spot_of_c(d, row, col)), expected, "{instruction}: {row}, {col}");
    }
}

fn product(a: f64, b: f64) -> f64 {
    a * b
}

#[test]
fn products_of_halves() {
    for k in [8, 16] {
        check((16, k), ["f16", "f16", "f32", "f32"], "", product);
        check((16, k), ["f16", "f16", "f16", "f16"], "", product);
        check((16, k), ["bf16", "bf16", "f32", "f32"], "", product);
    }
}

#[test]
fn products_of_words_and_doubles() {
    check((16, 4), ["tf32", "tf32", "f32", "f32"], "", product);
    check((16, 8), ["tf32", "tf32", "f32", "f32"], "", product);
    check((8, 4), ["f64"; 4], "", product);
    for k in [4, 8, 16] {
        check((16, k), ["f64"; 4], "", product);
    }
}

#[test]
fn products_of_bytes() {
    for shape in [(8, 16), (16, 16), (16, 32)] {
        for types in [["s8", "s8"], ["u8", "u8"], ["u8", "s8"], ["s8", "u8"]] {
            check(shape, [types[0], types[1], "s32", "s32"], "", product);
        }
    }
    for k in [16, 32] {
        for types in [["e4m3", "e4m3"], ["e5m2", "e5m2"], ["e4m3", "e5m2"], ["e5m2", "e4m3"]] {
            check((16, k), [types[0], types[1], "f32", "f32"], "", product);
            check((16, k), [types[0], types[1], "f16", "f16"], "", product);
        }
    }
}

#[test]
fn products_of_less_than_bytes() {
    for shape in [(8, 32), (16, 32), (16, 64)] {
        for types in [["s4", "s4"], ["u4", "u4"], ["u4", "s4"], ["s4", "u4"]] {
            check(shape, [types[0], types[1], "s32", "s32"], "", product);
        }
    }
    for shape in [(8, 128), (16, 128), (16, 256)] {
        check(shape, ["b1", "b1", "s32", "s32"], ".and.popc", product);
        check(shape, ["b1", "b1", "s32", "s32"], ".xor.popc", |a, b| (a - b).abs());
    }
}

/// `mma.m8n8k4` of `.f16`: four products, by eight threads each.
#[test]
fn quarters_of_a_warp_have_products_of_their_own() {
    let half = ty("f16");
    for (layouts, a_is_row, b_is_row) in [
        ("row.row", true, true),
        ("row.col", true, false),
        ("col.row", false, true),
        ("col.col", false, false),
    ] {
        for [c, d] in [["f16", "f16"], ["f32", "f32"], ["f16", "f32"]] {
            let (c, d) = (ty(c), ty(d));
            let n_registers = |ty: Ty| if ty == half { 4 } else { 8 };
            let mut a_registers = Fragment::new(half, 2);
            let mut b_registers = Fragment::new(half, 2);
            let mut c_registers = Fragment::new(c, n_registers(c));
            let random = &mut Random(4);
            // The thread of a row or column from 0 to 7.
            let lane = |quarter: usize, line: usize| quarter * 4 + line % 4 + line / 4 * 16;
            let packed = |lane: usize, idx: usize| (lane, idx / 2, idx % 2);
            let spot_of_sum = |ty: Ty, quarter: usize, row: usize, col: usize| match ty == half {
                true => packed(lane(quarter, row), col),
                // Two threads have two rows, and two columns of each four.
                false => {
                    let member = row % 2 + col / 2 % 2 * 2;
                    let idx = col % 2 + row / 2 % 2 * 2 + col / 4 * 4;
                    (quarter * 4 + member + row / 4 * 16, idx, 0)
                }
            };
            let mut all = Vec::new();
            for quarter in 0..4 {
                let a = Matrix::any(8, 4, half, random);
                let b = Matrix::any(4, 8, half, random);
                let sum = Matrix::any(8, 8, half, random);
                for (row, k) in a.indices() {
                    let spot = match a_is_row {
                        true => packed(lane(quarter, row), k),
                        false => packed(quarter * 4 + k + row / 4 * 16, row % 4),
                    };
                    a_registers.put(spot, a.at(row, k));
                }
                for (k, col) in b.indices() {
                    let spot = match b_is_row {
                        true => packed(quarter * 4 + k + col / 4 * 16, col % 4),
                        false => packed(lane(quarter, col), k),
                    };
                    b_registers.put(spot, b.at(k, col));
                }
                for (row, col) in sum.indices() {
                    c_registers.put(spot_of_sum(c, quarter, row, col), sum.at(row, col));
                }
                all.push((a, b, sum));
            }
            let mut found = Fragment::new(d, n_registers(d));
            let instruction = format!("mma.sync.aligned.m8n8k4.{layouts}.{}.f16.f16.{}", d.name, c.name);
            multiply(&instruction, [&a_registers, &b_registers, &c_registers], &mut found);
            for (quarter, (a, b, sum)) in all.iter().enumerate() {
                for (row, col) in sum.indices() {
                    let products: f64 = (0..4).map(|k| a.at(row, k) * b.at(k, col)).sum();
                    let expected = d.bits(products + sum.at(row, col));
                    let spot = spot_of_sum(d, quarter, row, col);
                    assert_eq!(found.bits(spot), expected, "{instruction}: {quarter}, {row}, {col}");
                }
            }
        }
    }
}

/// One number in each place: `.satfinite` saturates where sums wrap otherwise, and doubles are rounded as the
/// instruction says.
#[test]
fn sums_are_bounded_and_rounded_as_said() {
    let all = |name: &'static str, n_registers: usize, bits: u64| {
        let mut fragment = Fragment::new(ty(name), n_registers);
        fragment.registers.iter_mut().for_each(|register| *register = [bits; 32]);
        fragment
    };
    let (bytes, greatest) = (all("s8", 1, 0x7F7F_7F7F), all("s32", 2, 0x7FFF_FFFF));
    for (modifier, expected) in [(".satfinite", 0x7FFF_FFFF), ("", 0x7FFF_FFFF + 16 * 127 * 127)] {
        let mut found = Fragment::new(ty("s32"), 2);
        let instruction = format!("mma.sync.aligned.m8n8k16.row.col{modifier}.s32.s8.s8.s32");
        multiply(&instruction, [&bytes, &bytes, &greatest], &mut found);
        assert_eq!(found.registers, [[expected; 32]; 2], "{instruction}");
    }
    let third = all("f64", 1, (1.0_f64 / 3.0).to_bits());
    let one = all("f64", 2, 1.0_f64.to_bits());
    let steps = |next: fn(f64) -> f64| (0..4).fold(1.0, |sum, _| next(sum)).to_bits();
    let mut sums = Vec::new();
    for rounding in ["", ".rn", ".rz", ".rm", ".rp"] {
        let mut found = Fragment::new(ty("f64"), 2);
        let instruction = format!("mma.sync.aligned.m8n8k4.row.col{rounding}.f64.f64.f64.f64");
        multiply(&instruction, [&third, &third, &one], &mut found);
        sums.push(found.registers[0][0]);
    }
    assert_eq!(sums[0], steps(|sum| (1.0_f64 / 3.0).mul_add(1.0 / 3.0, sum)));
    assert_eq!(sums[1], sums[0]);
    assert_eq!(sums[2], sums[3]);
    assert!(sums[2] < sums[4] && (sums[2]..=sums[4]).contains(&sums[0]), "{sums:x?}");
}

/// `wmma`: from memory to memory, in row or column order, with a stride.
fn check_wmma(
    (m, n, k): (usize, usize, usize),
    names: [&'static str; 4],
    suffix: &str,
    by: fn(f64, f64) -> f64,
) {
    let [a, b, c, d] = names.map(ty);
    let random = &mut Random(7);
    let is_small = a.n_bits < 8;
    for [a_is_row, b_is_row, is_row] in [[true, false, true], [false, true, false], [true, true, false]] {
        if is_small && (!a_is_row || b_is_row) {
            continue;
        }
        let (of_a, of_b, of_c) =
            (Matrix::any(m, k, a, random), Matrix::any(k, n, b, random), Matrix::any(m, n, c, random));
        let mut memory = Vec::new();
        let mut body =
            ".reg .b32 %x<112>; .reg .f32 %f<112>; .reg .f64 %d<112>; ld.param.u64 %rd3, [p];\n".to_owned();
        let mut lists = Vec::new();
        let layout = |is_row: bool| if is_row { "row" } else { "col" };
        let shape = format!("m{m}n{n}k{k}");
        // The rows of the matrices have 16 bytes more than needed.
        let stride = |ty: Ty, is_row: bool, n_rows: usize, n_cols: usize| {
            (if is_row { n_cols } else { n_rows }) + 128 / ty.n_bits
        };
        let n_registers = |ty: Ty, role: char, n_elements: usize| match (ty.name, role) {
            ("f16", 'a' | 'b') => 8,
            _ => n_elements / 32 / ty.packed(),
        };
        let list = |ty: Ty, first: usize, n: usize| {
            let prefix = match ty.name {
                "f32" => "%f",
                "f64" => "%d",
                _ => "%x",
            };
            let registers: Vec<String> = (first..first + n).map(|idx| format!("{prefix}{idx}")).collect();
            format!("{{{}}}", registers.join(", "))
        };
        for (idx, (role, ty, is_row, matrix)) in
            [('a', a, a_is_row, &of_a), ('b', b, b_is_row, &of_b), ('c', c, is_row, &of_c)]
                .into_iter()
                .enumerate()
        {
            let (n_rows, n_cols) = (matrix.values.len() / matrix.n_cols, matrix.n_cols);
            let stride = stride(ty, is_row, n_rows, n_cols);
            let start = memory.len();
            let n_bytes = stride * n_rows.max(n_cols) * ty.n_bits / 8;
            memory.resize(start + n_bytes.next_multiple_of(64), 0_u8);
            for (row, col) in matrix.indices() {
                let at = if is_row { row * stride + col } else { col * stride + row };
                let bits = ty.bits(matrix.at(row, col));
                let n_bits = ty.n_bits;
                for bit in (0..n_bits).filter(|bit| bits >> bit & 1 != 0) {
                    let place = 8 * start + at * n_bits + bit;
                    memory[place / 8] |= 1 << (place % 8);
                }
            }
            let registers = list(ty, 20 * idx, n_registers(ty, role, matrix.values.len()));
            let layout = layout(is_row);
            body += &format!(
                "add.u64 %rd4, %rd3, {start}; wmma.load.{role}.sync.aligned.{layout}.{shape}.global.{} {registers}, [%rd4], {stride};\n",
                ty.name
            );
            lists.push(registers);
        }
        let results = list(d, 60, n_registers(d, 'd', m * n));
        let types = if a.name == "f16" {
            format!("{}.{}", d.name, c.name)
        } else {
            format!("{}.{}.{}.{}", d.name, a.name, b.name, c.name)
        };
        let (before, behind) = if suffix.ends_with("popc") { (suffix, "") } else { ("", suffix) };
        let (a_layout, b_layout) = (layout(a_is_row), layout(b_is_row));
        body += &format!(
            "wmma.mma{before}.sync.aligned.{a_layout}.{b_layout}.{shape}.{types}{behind} {results}, {};\n",
            lists.join(", ")
        );
        // D has no stride: its rows follow one another.
        let start = memory.len();
        memory.resize(start + m * n * d.n_bits / 8, 0);
        body += &format!(
            "wmma.store.d.sync.aligned.{}.{shape}.global.{} [%rd3+{start}], {results};",
            layout(is_row),
            d.name
        );
        let words: Vec<u32> =
            memory.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four"))).collect();
        let launch = Launch { checks: Checks::ALL, ..ONE_BLOCK };
        let found = run(&kernel(&body), &launch, &words, &[vec![0; 4]])
            .unwrap_or_else(|error| panic!("{body}: {error}"));
        let bytes: Vec<u8> = found.iter().flat_map(|word| word.to_le_bytes()).collect();
        for (row, col) in of_c.indices() {
            let at = if is_row { row * n + col } else { col * m + row };
            let n_bytes = d.n_bits / 8;
            let place = start + at * n_bytes;
            let bits =
                bytes[place..place + n_bytes].iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            let sum: f64 = (0..k).map(|at| by(of_a.at(row, at), of_b.at(at, col))).sum();
            assert_eq!(bits, d.bits(sum + of_c.at(row, col)), "{body}: {row}, {col}");
        }
    }
}

#[test]
fn opaque_fragments_agree_with_one_another() {
    let shapes = [(16, 16, 16), (32, 8, 16), (8, 32, 16)];
    for shape in shapes {
        for [c, d] in [["f16", "f16"], ["f32", "f32"], ["f16", "f32"]] {
            check_wmma(shape, ["f16", "f16", c, d], "", product);
        }
        check_wmma(shape, ["bf16", "bf16", "f32", "f32"], "", product);
        check_wmma(shape, ["s8", "s8", "s32", "s32"], "", product);
        check_wmma(shape, ["u8", "u8", "s32", "s32"], ".satfinite", product);
    }
    check_wmma((16, 16, 8), ["tf32", "tf32", "f32", "f32"], "", product);
    check_wmma((8, 8, 4), ["f64"; 4], ".rn", product);
    check_wmma((8, 8, 4), ["f64"; 4], "", product);
    check_wmma((8, 8, 32), ["s4", "s4", "s32", "s32"], "", product);
    check_wmma((8, 8, 32), ["u4", "u4", "s32", "s32"], "", product);
    check_wmma((8, 8, 128), ["b1", "b1", "s32", "s32"], ".and.popc", product);
    check_wmma((8, 8, 128), ["b1", "b1", "s32", "s32"], ".xor.popc", |a, b| (a - b).abs());
}

#[test]
fn reports_misuse_of_opaque_fragments() {
    let load = "wmma.load.a.sync.aligned.row.m8n8k4.f64 {%d0}, [%rd3], %r6;";
    for (body, expected) in [
        (format!("ld.param.u64 %rd3, [p]; add.u64 %rd3, %rd3, 4; mov.u32 %r6, 4; {load}"), "misaligned"),
        (format!("ld.param.u64 %rd3, [p]; mov.u32 %r6, %r1; {load}"), "with different addresses or strides"),
        (format!("mov.u64 %rd3, %rd1; mov.u32 %r6, 4; {load}"), "with different addresses or strides"),
        (format!("ld.param.u64 %rd3, [p]; mov.u32 %r6, 2000000000; {load}"), "out-of-bounds"),
    ] {
        let error = run(&kernel(&format!(".reg .f64 %d<2>; {body}")), &ONE_BLOCK, &[0; 64], &[vec![0; 4]]);
        let error = error.expect_err(&body);
        assert!(error.contains(expected), "{body}: {error}");
    }
}

#[test]
fn rejects_mismatched_shapes() {
    for (body, expected) in [
        (
            "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%f0, %f1, %f2, %f3};",
            "unknown instruction",
        ),
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%f0, %f1, %f2, %f3};",
            "unknown instruction",
        ),
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2}, {%r0, %r1}, {%f0, %f1, %f2, %f3};",
            "the matrix takes 4 registers, found 3",
        ),
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r0, %r1};",
            "takes 4 operands, found 3",
        ),
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r0, %rd1}, {%f0, %f1, %f2, %f3};",
            "`%rd1` does not match",
        ),
        (
            "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%f0, %f1, %f2, %f3};",
            "needs `.version 8.4` or later",
        ),
        ("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0}, [%r1];", "the matrix takes 2 registers, found 1"),
        (
            "ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r0, [%r1];",
            "the registers of a matrix must be in a list",
        ),
        (
            "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r0, %r1}, {%f0}, {%r0}, {%r0, %r1};",
            "`.f32`, which does not match",
        ),
        (
            "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r0, %r1}, {1}, {%r0}, {%r0, %r1};",
            "expected a register",
        ),
    ] {
        let error = run(&kernel(&format!(".reg .f32 %f<9>; {body}")), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]);
        let error = error.expect_err(body);
        assert!(error.contains(expected), "{body}: {error}");
    }
}
