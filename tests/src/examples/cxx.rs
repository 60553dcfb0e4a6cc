//! The examples in C++: each instance that a file has is compared with a plain loop.

use half::f16;
use weft_run::argument::Argument;
use weft_run::buffer::Buffer;
use weft_run::{Element, ElementType};

use super::{close, exact, launch, numbers, product, run};
use crate::Failure;
use crate::random::Random;

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| f64::from(value)).collect()
}

/// A buffer for results that are not read.
fn out(ty: ElementType, len: usize) -> Argument {
    Argument::unwritten(ty, [len])
}

/// An object of a class without members.
fn empty() -> Argument {
    Argument::bytes([0])
}

pub(super) fn block_reduce(ptx: &str) -> Result<(), Failure> {
    const N: usize = 1003;
    const GRID: usize = 3;
    // What a block strides over.
    let share = |block: usize, size: usize| (0..N).filter(move |i| i / size % GRID == block);
    let sized = |instance: &str, block: usize| {
        let launch = launch(ptx, &format!("block_reduce<{instance}, {block}>"));
        launch.grid(GRID as u32).block(block as u32).arg(N as u64)
    };
    let x = numbers(31, N);
    // Short sums of multiples of 2⁻¹⁰ are exact in any order.
    let sums = |size| -> Vec<f64> {
        (0..GRID).map(|block| share(block, size).map(|i| f64::from(x[i])).sum()).collect()
    };
    let report = run(sized("float, Sum<float>", 256).arg(x.clone()).arg(out(ElementType::F32, GRID)))?;
    close("sums", report.buffer(2), &sums(256), 0.0, 0.0)?;
    let report = run(sized("double, Sum<double>", 96).arg(wide(&x)).arg(out(ElementType::F64, GRID)))?;
    close("sums of double", report.buffer(2), &sums(96), 0.0, 0.0)?;

    let bits: Vec<u32> = (0..N).map(|i| 1 << (i % 29)).filter(|bit| bit & 0x0402_0100 == 0).collect();
    let bits: Vec<u32> = bits.iter().copied().cycle().take(N).collect();
    let wanted: Vec<u32> = (0..GRID).map(|block| share(block, 128).fold(0, |all, i| all | bits[i])).collect();
    let report =
        run(sized("unsigned int, Bits<unsigned int>", 128).arg(bits).arg(out(ElementType::U32, GRID)))?;
    exact("bits", report.buffer(2), &Buffer::new(&wanted))?;

    // The greatest value occurs more than once.
    let places: Vec<u32> = (0..N).flat_map(|i| [x[i].min(0.75).to_bits(), i as u32]).collect();
    let greatest = |block: usize| -> Option<usize> {
        share(block, 64).reduce(|best, i| if x[i].min(0.75) > x[best].min(0.75) { i } else { best })
    };
    let wanted: Vec<u32> =
        (0..GRID).filter_map(greatest).flat_map(|i| [x[i].min(0.75).to_bits(), i as u32]).collect();
    let report = run(sized("Place, Greatest", 64).arg(places).arg(out(ElementType::U32, 2 * GRID)))?;
    exact("places", report.buffer(2), &Buffer::new(&wanted))
}

/// `inclusive_scan` of the host, for as many tiles as one more block scans.
fn scanned(ptx: &str, instance: &str, n: usize, x: Buffer, ty: ElementType) -> Result<Buffer, Failure> {
    let (n_tiles, width) = (n.div_ceil(512), x.len() / n);
    let scan = |n_tiles: usize, n: usize, x: Buffer, total: Argument| {
        let launch = launch(ptx, &format!("scan_tiles<{instance}>")).grid(n_tiles as u32).block(128);
        run(launch.arg(n as i32).arg(x).arg(out(ty, n * width)).arg(total).arg(empty()))
    };
    let report = scan(n_tiles, n, x, out(ty, n_tiles * width))?;
    let totals = Buffer::of_bytes(
        ty,
        [(n_tiles - 1) * width],
        report.buffer(3).bytes()[..(n_tiles - 1) * width * 4].to_vec(),
    );
    let of_totals = scan(1, n_tiles - 1, totals.ok_or("totals of another size")?, Argument::null())?;
    let launch = launch(ptx, &format!("add_totals<{instance}>")).grid(n_tiles as u32 - 1).block(96);
    let launch = launch.arg(n as i32).arg(report.buffer(2).clone());
    let report = run(launch.arg(of_totals.buffer(2).clone()).arg(empty()))?;
    Ok(report.buffer(1).clone())
}

pub(super) fn scan(ptx: &str) -> Result<(), Failure> {
    const N: usize = 1403;
    let mut random = Random::new(32);
    let counts: Vec<i32> = (0..N).map(|_| random.below(1000) as i32 - 300).collect();
    let running: Vec<i32> = counts
        .iter()
        .scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        })
        .collect();
    let found = scanned(ptx, "int, Plus", N, Buffer::new(&counts), ElementType::I32)?;
    exact("sums", &found, &Buffer::new(&running))?;

    let steps: Vec<f32> = numbers(33, 2 * N);
    let mut wanted = Vec::new();
    let (mut factor, mut shift) = (1.0, 0.0);
    for step in wide(&steps).chunks_exact(2) {
        (factor, shift) = (factor * step[0], shift * step[0] + step[1]);
        wanted.extend([factor, shift]);
    }
    let found = scanned(ptx, "Affine, Then", N, Buffer::new(&steps), ElementType::F32)?;
    close("maps", &found, &wanted, 1e-5, 1e-5)
}

pub(super) fn tiled_transpose(ptx: &str) -> Result<(), Failure> {
    let (rows, columns) = (45, 70);
    let source = |i: usize| i % rows * columns + i / rows;
    let arranged = |instance: &str, size: usize, block: (u32, u32)| {
        let launch = launch(ptx, &format!("tiled_transpose<{instance}>")).block(block);
        let grid = (columns.div_ceil(size) as u32, rows.div_ceil(size) as u32);
        launch.grid(grid).arg(rows as i32).arg(columns as i32)
    };
    let x = numbers(34, rows * columns);
    let wanted: Vec<f32> = (0..x.len()).map(|i| x[source(i)]).collect();
    let launch = arranged("float, 32, 8", 32, (32, 8)).arg(x.clone());
    let report = run(launch.arg(out(ElementType::F32, x.len())))?;
    exact("out", report.buffer(3), &Buffer::new(&wanted))?;

    let pairs = wide(&numbers(35, 2 * rows * columns));
    let wanted: Vec<f64> =
        (0..rows * columns).flat_map(|i| [pairs[2 * source(i)], pairs[2 * source(i) + 1]]).collect();
    let launch = arranged("double2, 16, 4", 16, (16, 4)).arg(pairs);
    let report = run(launch.arg(out(ElementType::F64, 2 * rows * columns)))?;
    exact("out of pairs", report.buffer(3), &Buffer::new(&wanted))
}

pub(super) fn tiled_product(ptx: &str) -> Result<(), Failure> {
    let (m, n, k): (usize, usize, usize) = (70, 67, 33);
    let (large, small) = ("Shape<32, 64, 8, 4, 4>", "Shape<16, 16, 16, 1, 1>");
    let arranged = |types: &str, shape: &str| {
        let (tile, block) = if shape == large { ((32, 64), 128) } else { ((16, 16), 256) };
        let launch = launch(ptx, &format!("tiled_product<{types}, {shape}>")).block(block);
        let grid = (n.div_ceil(tile.1) as u32, m.div_ceil(tile.0) as u32);
        launch.grid(grid).arg(m as i32).arg(n as i32).arg(k as i32)
    };
    let (a, b) = (numbers(36, m * k), numbers(37, k * n));
    let wanted = product((m, n, k), 1.0, (&a, k), (&b, n), 0.0, (&vec![0.0; m * n], n));
    let launch = arranged("float, float", large).arg(a.clone()).arg(b.clone());
    let report = run(launch.arg(out(ElementType::F32, m * n)))?;
    close("c", report.buffer(5), &wanted, 1e-6, 1e-5)?;
    // The products are exact in `double`, and so are their sums.
    let launch = arranged("float, double", small).arg(a).arg(b);
    let report = run(launch.arg(out(ElementType::F64, m * n)))?;
    close("c of double", report.buffer(5), &wanted, 0.0, 0.0)?;

    let mut random = Random::new(38);
    let mut bytes = |n: usize| -> Vec<i8> { (0..n).map(|_| random.below(256) as u8 as i8).collect() };
    let (a, b) = (bytes(m * k), bytes(k * n));
    let cell = |row: usize, column: usize| -> i32 {
        (0..k).map(|i| i32::from(a[row * k + i]) * i32::from(b[i * n + column])).sum()
    };
    let wanted: Vec<i32> = (0..m * n).map(|i| cell(i / n, i % n)).collect();
    let launch = arranged("signed char, int", small).arg(a.clone()).arg(b.clone());
    let report = run(launch.arg(out(ElementType::I32, m * n)))?;
    exact("c of bytes", report.buffer(5), &Buffer::new(&wanted))
}

pub(super) fn gravity(ptx: &str) -> Result<(), Failure> {
    const N: usize = 300;
    let (dt, soft2) = (0.125_f32, 0.01_f32);
    let mut bodies = numbers(39, 7 * N);
    for body in bodies.chunks_exact_mut(7) {
        body[3] = body[3].abs() / 64.0;
    }
    let old = wide(&bodies);
    let mut next = old.clone();
    for (own, moved) in old.chunks_exact(7).zip(next.chunks_exact_mut(7)) {
        for other in old.chunks_exact(7) {
            let way = [other[0] - own[0], other[1] - own[1], other[2] - own[2]];
            let distance2 = way.iter().map(|d| d * d).sum::<f64>() + f64::from(soft2);
            for axis in 0..3 {
                moved[4 + axis] += way[axis] * other[3] / distance2.powf(1.5) * f64::from(dt);
            }
        }
        for axis in 0..3 {
            moved[axis] += moved[4 + axis] * f64::from(dt);
        }
    }
    let launch = launch(ptx, "gravity<128>").grid(3).block(128).arg(N as i32).arg(dt).arg(soft2);
    let report = run(launch.arg(bodies).arg(out(ElementType::F32, 7 * N)))?;
    close("next", report.buffer(4), &next, 1e-5, 2e-6)
}

/// The transform of each group of `n` complex numbers; `sign` is 1 for the inverse without its factor.
fn transformed(x: &[f64], n: usize, sign: f64) -> Vec<f64> {
    let mut result = Vec::new();
    for points in x.chunks_exact(2 * n) {
        for k in 0..n {
            let (mut re, mut im) = (0.0, 0.0);
            for (i, point) in points.chunks_exact(2).enumerate() {
                let angle = sign * std::f64::consts::TAU * (i * k % n) as f64 / n as f64;
                re += point[0] * angle.cos() - point[1] * angle.sin();
                im += point[0] * angle.sin() + point[1] * angle.cos();
            }
            result.extend([re, im]);
        }
    }
    result
}

pub(super) fn fft(ptx: &str) -> Result<(), Failure> {
    const N: usize = 64;
    let x = numbers(40, 3 * 2 * N);
    let sized = |direction: &str| launch(ptx, &format!("fft<float, 64, {direction}>")).grid(3).block(32);
    let report = run(sized("false").arg(x.clone()).arg(out(ElementType::F32, x.len())))?;
    close("forward", report.buffer(1), &transformed(&wide(&x), N, -1.0), 1e-6, 1e-5)?;
    let report = run(sized("true").arg(report.buffer(1).clone()).arg(out(ElementType::F32, x.len())))?;
    close("inverse", report.buffer(1), &wide(&x), 0.0, 1e-6)?;

    let x = wide(&numbers(41, 2 * 16));
    let launch = launch(ptx, "fft<double, 16, false>").block(8).arg(x.clone());
    let report = run(launch.arg(out(ElementType::F64, x.len())))?;
    close("double", report.buffer(1), &transformed(&x, 16, -1.0), 1e-13, 1e-13)
}

pub(super) fn expressions(ptx: &str) -> Result<(), Failure> {
    const N: usize = 301;
    let [x, y, z] = [42, 43, 44].map(|seed| numbers(seed, N));
    let element = |((x, y), z): ((f64, f64), f64)| {
        if x > 0.0 { 2.0 * x + y * z } else { (x * x + y * y).sqrt() }
    };
    let wanted: Vec<f64> = wide(&x).into_iter().zip(wide(&y)).zip(wide(&z)).map(element).collect();
    let arranged = |ty: &str| launch(ptx, &format!("expressions<{ty}>")).grid(2).block(96).arg(N as i32);
    let launch = arranged("float").arg(x.clone()).arg(y.clone()).arg(z.clone());
    let report = run(launch.arg(out(ElementType::F32, N)))?;
    close("out", report.buffer(4), &wanted, 1e-6, 1e-7)?;
    let launch = arranged("double").arg(wide(&x)).arg(wide(&y)).arg(wide(&z));
    let report = run(launch.arg(out(ElementType::F64, N)))?;
    close("out of double", report.buffer(4), &wanted, 1e-15, 0.0)
}

/// Systems that need exchanges of rows, and one that has no solution: matrices, right sides and solutions.
fn systems(n: usize, size: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut a = wide(&numbers(45, n * size * size));
    let x = wide(&numbers(46, n * size));
    for matrix in a.chunks_exact_mut(size * size) {
        for row in 0..size {
            matrix[row * size + (row + 1) % size] += 3.0;
        }
        matrix[0] = 0.0;
    }
    a[5 * size * size..][..2 * size].fill(0.0);
    let row = |system: usize, row: usize| -> f64 {
        (0..size).map(|i| a[(system * size + row) * size + i] * x[system * size + i]).sum()
    };
    let b = (0..n * size).map(|i| row(i / size, i % size)).collect();
    (a, b, x)
}

/// The results of one launch, in which the sixth system has none.
fn solutions<T: Element>(
    ptx: &str,
    ty: &str,
    size: usize,
    narrow: fn(f64) -> T,
    error: f64,
) -> Result<(), Failure> {
    const N: usize = 77;
    let (a, b, mut x) = systems(N, size);
    let narrowed = |values: &[f64]| -> Vec<T> { values.iter().map(|&value| narrow(value)).collect() };
    // What is not written stays as it is.
    x[5 * size..][..size].fill(9.0);
    let launch = launch(ptx, &format!("solve<{ty}, {size}>")).grid(3).block(32).arg(N as i32);
    let launch = launch.arg(narrowed(&a)).arg(narrowed(&b)).arg(narrowed(&vec![9.0; N * size]));
    let report = run(launch.arg(narrowed(&[9.0; N])))?;
    close("x", report.buffer(3), &x, error, error)?;
    let mut off = [0.0; N];
    off[5] = f64::INFINITY;
    close("off", report.buffer(4), &off, 0.0, error)
}

pub(super) fn small_matrix(ptx: &str) -> Result<(), Failure> {
    solutions::<f32>(ptx, "float", 3, |value| value as f32, 1e-5)?;
    solutions::<f64>(ptx, "double", 4, |value| value, 1e-13)
}

/// One instance of `convert_elements`, with fewer threads than elements.
fn converted<From: Element, To: Element>(
    ptx: &str,
    types: &str,
    from: &[From],
    rule: impl Fn(&From) -> To,
) -> Result<(), Failure> {
    let wanted: Vec<To> = from.iter().map(rule).collect();
    let launch = launch(ptx, &format!("convert_elements<{types}>")).grid(2).block(64);
    let launch = launch.arg(from.len() as i32).arg(from.to_vec());
    let report = run(launch.arg(out(To::TYPE, from.len())))?;
    exact(types, report.buffer(2), &Buffer::new(&wanted))
}

pub(super) fn convert(ptx: &str) -> Result<(), Failure> {
    let mut random = Random::new(47);
    let mut shorts: Vec<u16> = (0..201).map(|_| random.below(65536) as u16).collect();
    shorts[..6].copy_from_slice(&[0, 127, 128, 65407, 65408, 65535]);
    converted(ptx, "__half, unsigned short", &shorts, |&x| f16::from_f32(f32::from(x) / 65535.0))?;
    converted(ptx, "unsigned char, unsigned short", &shorts, |&x| {
        ((u32::from(x) + 128) >> 8).min(255) as u8
    })?;

    let waves: Vec<f32> =
        numbers(48, 201).iter().map(|x| 1.25 * x).chain([f32::INFINITY, f32::NAN]).collect();
    // `f32::max` and `fmaxf` return the other value for a NaN.
    let fixed = |x: f32, least: f32, scale: f32| (x.max(least).min(1.0) * scale).round_ties_even();
    converted(ptx, "short, float", &waves, |&x| fixed(x, -1.0, 32767.0) as i16)?;
    let halves: Vec<f16> = waves.iter().map(|&x| f16::from_f32(x)).collect();
    converted(ptx, "unsigned char, __half", &halves, |x| fixed(x.to_f32(), 0.0, 255.0) as u8)?;

    let samples: Vec<i8> = (-128..=127).collect();
    let level = |&x: &i8| fixed((f32::from(x) / 127.0).max(-1.0), 0.0, 65535.0) as u16;
    converted(ptx, "unsigned short, signed char", &samples, level)
}

pub(super) fn sample(ptx: &str) -> Result<(), Failure> {
    const ROWS: usize = 21;
    const COLUMNS: usize = 37;
    let scores = numbers(49, ROWS * COLUMNS);
    let mut random = Random::new(50);
    let (mut drawn, mut picked, mut best) = (Vec::new(), Vec::new(), Vec::new());
    for row in wide(&scores).chunks_exact(COLUMNS) {
        let sum: f64 = row.iter().map(|x| x.exp()).sum();
        let share = |column: usize| row[column].exp() / sum;
        // In the middle of the column's range, so that rounding chooses no other.
        let column = random.below(COLUMNS);
        drawn.push(((0..column).map(share).sum::<f64>() + share(column) / 2.0) as f32);
        picked.push(column as i32);
        best.push((0..COLUMNS).map(share).fold(0.0, f64::max));
    }
    for (size, grid, block) in [(8, 3, 64), (32, 7, 96)] {
        let launch = launch(ptx, &format!("sample<{size}>")).grid(grid).block(block);
        let launch = launch.arg(ROWS as i32).arg(COLUMNS as i32).arg(scores.clone()).arg(drawn.clone());
        let report = run(launch.arg(out(ElementType::I32, ROWS)).arg(out(ElementType::F32, ROWS)))?;
        exact("picked", report.buffer(4), &Buffer::new(&picked))?;
        close("best", report.buffer(5), &best, 1e-5, 0.0)?;
    }
    Ok(())
}

/// `radix_sort` of the host.
fn sorted<T: Element>(ptx: &str, ty: &str, mut key: Buffer) -> Result<Buffer, Failure> {
    let (n, n_blocks) = (key.len(), key.len().div_ceil(128));
    let sized = |kernel: &str| {
        let launch = launch(ptx, &format!("{kernel}<{ty}>")).grid(n_blocks as u32).block(128);
        launch.arg(n as i32)
    };
    for shift in (0..8 * size_of::<T>() as i32).step_by(4) {
        let count = sized("count_digits").arg(shift).arg(key.clone());
        let count = run(count.arg(out(ElementType::I32, 16 * n_blocks)))?.buffer(3).clone();
        let place = launch(ptx, "place_digits<16>").block(16).arg(n_blocks as i32).arg(count);
        let place = run(place)?.buffer(1).clone();
        key = run(sized("move_keys").arg(shift).arg(key).arg(place).arg(out(T::TYPE, n)))?.buffer(4).clone();
    }
    Ok(key)
}

pub(super) fn radix_sort(ptx: &str) -> Result<(), Failure> {
    const N: usize = 301;
    let mut random = Random::new(51);
    // Many keys are equal, and many share their high digits.
    let keys: Vec<u64> = (0..N).map(|_| random.draw() << (8 * random.below(9)).min(63)).collect();

    let mut unsigned: Vec<u32> = keys.iter().map(|&key| key as u32 >> 16).collect();
    let found = sorted::<u32>(ptx, "unsigned int", Buffer::new(&unsigned))?;
    unsigned.sort_unstable();
    exact("unsigned", &found, &Buffer::new(&unsigned))?;
    let mut signed: Vec<i32> = keys.iter().map(|&key| key as i32).collect();
    let found = sorted::<i32>(ptx, "int", Buffer::new(&signed))?;
    signed.sort_unstable();
    exact("int", &found, &Buffer::new(&signed))?;
    let mut long: Vec<i64> = keys.iter().map(|&key| key as i64).collect();
    let found = sorted::<i64>(ptx, "long long", Buffer::new(&long))?;
    long.sort_unstable();
    exact("long long", &found, &Buffer::new(&long))?;
    let mut float = numbers(52, N - 2);
    float.extend([f32::NEG_INFINITY, f32::MAX]);
    let found = sorted::<f32>(ptx, "float", Buffer::new(&float))?;
    float.sort_unstable_by(f32::total_cmp);
    exact("float", &found, &Buffer::new(&float))
}
