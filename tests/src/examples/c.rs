//! The examples in C: each kernel is compared with a plain loop, which uses `f64` where the kernel uses `float`.

use half::f16;
use weft_run::argument::Argument;
use weft_run::buffer::Buffer;
use weft_run::profile::{AccessSpace, Kind};
use weft_run::{ElementType, Report, Tolerance, compare};

use super::{close, exact, launch, numbers, product, run};
use crate::Failure;
use crate::random::Random;

pub(super) fn layernorm(ptx: &str) -> Result<(), Failure> {
    // Not a whole number of tiles, and several rounds through the ring buffer.
    let (n_rows, n_columns) = (43, 68);
    let epsilon = 1e-3_f32;
    let (x, bias) = (numbers(21, n_rows * n_columns), numbers(22, n_columns));
    let (gain, shift) = (numbers(23, n_columns), numbers(24, n_columns));
    let gelu = |x: f64| 0.5 * x * (1.0 + (0.797_884_560_8 * (x + 0.044_715 * x * x * x)).tanh());
    let mut wanted = Vec::new();
    for row in x.chunks(n_columns) {
        let y: Vec<f64> =
            row.iter().zip(&bias).map(|(x, bias)| gelu(f64::from(*x) + f64::from(*bias))).collect();
        let mean = y.iter().sum::<f64>() / n_columns as f64;
        let variance = y.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / n_columns as f64;
        let scale = 1.0 / (variance + f64::from(epsilon)).sqrt();
        wanted
            .extend((0..n_columns).map(|i| f64::from(gain[i]) * (y[i] - mean) * scale + f64::from(shift[i])));
    }
    let launch = launch(ptx, "layernorm").grid(2).block(160).shared(64 * n_columns as u64);
    let launch = launch.arg(x).arg(bias).arg(gain).arg(shift);
    let launch = launch.arg(Argument::unwritten(ElementType::F32, [n_rows * n_columns]));
    let report = run(launch.arg(n_rows as i32).arg(n_columns as i32).arg(epsilon))?;
    close("out", report.buffer(4), &wanted, 1e-5, 1e-5)
}

pub(super) fn call(ptx: &str) -> Result<(), Failure> {
    let report = run(launch(ptx, "test").arg(Argument::unwritten(ElementType::I32, [1])))?;
    exact("p", report.buffer(0), &Buffer::new(&[3_i32]))
}

/// No size is a multiple of a tile, and rows end within chunks.
pub(super) fn hgemm(ptx: &str) -> Result<(), Failure> {
    let (m, n, k) = (70, 83, 75);
    let (lda, ldb, ldc) = (80, 96, 85);
    let (alpha, beta) = (1.5_f32, -0.25_f32);
    let (a, b, c) = (numbers(14, m * lda), numbers(15, k * ldb), numbers(16, m * ldc));
    let wanted = product((m, n, k), alpha, (&a, lda), (&b, ldb), beta, (&c, ldc));
    let halves = |numbers: Vec<f32>| -> Vec<f16> { numbers.into_iter().map(f16::from_f32).collect() };
    let launch = launch(ptx, "hgemm").grid((2, 2)).block(128).profile();
    let launch = launch.arg(m as i32).arg(n as i32).arg(k as i32).arg(alpha).arg(halves(a)).arg(lda as i32);
    let launch = launch.arg(halves(b)).arg(ldb as i32).arg(beta).arg(c).arg(ldc as i32);
    let report = run(launch)?;
    close("c", report.buffer(9), &wanted, 1e-6, 1e-5)?;
    match report.profile().kind(Kind::Load(AccessSpace::Shared)).shared.n_conflicts() {
        0 => Ok(()),
        n => Err(format!("{n} conflicts in the banks of shared memory")),
    }
}

pub(super) fn saxpy(ptx: &str) -> Result<(), Failure> {
    const N: usize = 1003;
    let (x, y) = (numbers(1, N), numbers(2, N));
    // There are fewer threads than elements.
    let launch = launch(ptx, "saxpy").grid(2).block(160);
    let report = run(launch.arg(N as u64).arg(1.7_f32).arg(x.clone()).arg(y.clone()))?;
    let wanted: Vec<f64> =
        x.iter().zip(&y).map(|(x, y)| f64::from(1.7_f32) * f64::from(*x) + f64::from(*y)).collect();
    // Two roundings of numbers below 2 and 3.
    close("y", report.buffer(3), &wanted, 0.0, 2.5e-7)
}

pub(super) fn reduce(ptx: &str) -> Result<(), Failure> {
    const N: usize = 1003;
    const GRID: usize = 3;
    const BLOCK: usize = 96;
    let x = numbers(3, N);
    let shares = (0..GRID).map(|block| {
        let own = (0..N).filter(move |i| i / BLOCK % GRID == block);
        own.map(|i| f64::from(x[i])).collect::<Vec<f64>>()
    });
    let shares: Vec<Vec<f64>> = shares.collect();
    let arranged = |kernel: &str| {
        let launch = launch(ptx, kernel).grid(GRID as u32).block(BLOCK as u32).shared(BLOCK as u64 / 32 * 4);
        run(launch.arg(N as u64).arg(x.clone()).arg(Argument::unwritten(ElementType::F32, [GRID])))
    };
    // Short sums of multiples of 2⁻¹⁰ are exact in any order.
    let sums: Vec<f64> = shares.iter().map(|share| share.iter().sum()).collect();
    close("block_sum", arranged("block_sum")?.buffer(2), &sums, 0.0, 0.0)?;
    let greatest: Vec<f64> =
        shares.iter().map(|share| share.iter().copied().fold(f64::MIN, f64::max)).collect();
    close("block_max", arranged("block_max")?.buffer(2), &greatest, 0.0, 0.0)
}

pub(super) fn sgemm(ptx: &str) -> Result<(), Failure> {
    let (m, n, k) = (70, 67, 33);
    let (lda, ldb, ldc) = (35, 67, 71);
    let (alpha, beta) = (1.5_f32, -0.25_f32);
    let (a, b, c) = (numbers(4, m * lda), numbers(5, k * ldb), numbers(6, m * ldc));
    let wanted = product((m, n, k), alpha, (&a, lda), (&b, ldb), beta, (&c, ldc));
    let launch = launch(ptx, "sgemm").grid((2, 2)).block(256);
    let launch = launch.arg(m as i32).arg(n as i32).arg(k as i32).arg(alpha);
    let launch = launch.arg(a).arg(lda as i32).arg(b).arg(ldb as i32).arg(beta).arg(c).arg(ldc as i32);
    close("c", run(launch)?.buffer(9), &wanted, 1e-6, 1e-5)
}

pub(super) fn transpose(ptx: &str) -> Result<(), Failure> {
    let (rows, columns) = (45, 70);
    let x = numbers(7, rows * columns);
    let wanted: Vec<f32> = (0..rows * columns).map(|i| x[i % rows * columns + i / rows]).collect();
    let launch = launch(ptx, "transpose").grid((3, 2)).block((32, 8)).arg(rows as i32).arg(columns as i32);
    let report = run(launch.arg(x).arg(Argument::unwritten(ElementType::F32, [rows * columns])))?;
    exact("out", report.buffer(3), &Buffer::new(&wanted))
}

pub(super) fn resample(ptx: &str) -> Result<(), Failure> {
    let ((from_width, from_height), (width, height)) = ((7, 5), (19, 12));
    let (step_x, step_y, gain) = (0.375_f32, 0.4375_f32, 1.25_f32);
    let mut random = Random::new(11);
    let image: Vec<u8> = (0..4 * from_width * from_height).map(|_| random.below(256) as u8).collect();
    // The pixels on both sides of a coordinate, and the distance. Weights have eight fractional bits.
    let between = |at: f32, n: usize| {
        let fixed = ((f64::from(at) - 0.5) * 256.0).round() as i64;
        let pixel = |idx: i64| idx.clamp(0, n as i64 - 1) as usize;
        let (idx, weight) = (fixed.div_euclid(256), fixed.rem_euclid(256) as f64 / 256.0);
        (pixel(idx), pixel(idx + 1), weight)
    };
    let mut wanted = Vec::new();
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let (left, right, along) = between((x as f32 + 0.5) * step_x, from_width);
        let (above, below, down) = between((y as f32 + 0.5) * step_y, from_height);
        for channel in 0..4 {
            let at = |x: usize, y: usize| f64::from(image[4 * (y * from_width + x) + channel]) / 255.0;
            let row = |y: usize| at(left, y) * (1.0 - along) + at(right, y) * along;
            let colour = row(above) * (1.0 - down) + row(below) * down;
            let gain = if channel < 3 { f64::from(gain) } else { 1.0 };
            wanted.push(((gain * colour).min(1.0) * 255.0 + 0.5).floor() as u8);
        }
    }
    let list: Vec<String> = image.iter().map(u8::to_string).collect();
    let texture =
        format!("texture(u8[{from_height},{from_width},4]={{{}}}, 2d, linear, float)", list.join(", "));
    let launch = launch(ptx, "resample").grid((2, 1)).block((16, 16)).arg_text(texture);
    let launch = launch.arg_text(format!("surface(u8[{height},{width},4], 2d)"));
    let launch = launch.arg(width).arg(height).arg(step_x).arg(step_y).arg(gain);
    let report = run(launch)?;
    // A half may be rounded either way, since the kernel works in `float`.
    let found = report.buffer(1);
    let is_close = |(found, wanted): (&u8, &u8)| found.abs_diff(*wanted) <= 1;
    let n_equal = found.bytes().iter().zip(&wanted).filter(|(found, wanted)| found == wanted).count();
    if found.bytes().iter().zip(&wanted).all(is_close) && n_equal + 4 >= wanted.len() {
        return Ok(());
    }
    let wanted = Buffer::of_bytes(ElementType::U8, found.shape().to_vec(), wanted);
    exact("out", found, &wanted.ok_or("an image of another size")?)
}

pub(super) fn stencil3d(ptx: &str) -> Result<(), Failure> {
    let (nx, ny, nz) = (37, 11, 5);
    let (centre, side) = (0.5_f32, 0.0625_f32);
    let x = numbers(8, nx * ny * nz);
    let at = |i: usize| f64::from(x[i]);
    let wanted: Vec<f64> = (0..x.len())
        .map(|i| {
            let (column, row, plane) = (i % nx, i / nx % ny, i / nx / ny);
            let is_inner = |i: usize, n: usize| i > 0 && i < n - 1;
            if !is_inner(column, nx) || !is_inner(row, ny) || !is_inner(plane, nz) {
                return at(i);
            }
            let neighbours: f64 = [1, nx, nx * ny].iter().map(|&step| at(i - step) + at(i + step)).sum();
            f64::from(centre) * at(i) + f64::from(side) * neighbours
        })
        .collect();
    let size: Vec<u8> = [nx, ny, nz].iter().flat_map(|&n| (n as i32).to_le_bytes()).collect();
    let launch = launch(ptx, "stencil3d").grid((2, 2)).block((32, 8)).arg(Argument::bytes(size));
    let launch = launch.arg(centre).arg(side).arg(x.clone());
    let report = run(launch.arg(Argument::unwritten(ElementType::F32, [x.len()])))?;
    // The weights are powers of two, and the sums short: everything is exact.
    close("out", report.buffer(4), &wanted, 0.0, 0.0)
}

pub(super) fn histogram(ptx: &str) -> Result<(), Failure> {
    const N: usize = 1501;
    let mut random = Random::new(9);
    // Dark pixels are as frequent as bright ones.
    let rgb: Vec<u16> =
        (0..3 * N).map(|_| (0xFFFF >> random.below(16)) as u16 ^ random.below(3) as u16).collect();
    let mut wanted = vec![5_u32; 32];
    for pixel in rgb.chunks_exact(3) {
        let weighted =
            [13933, 46871, 4732].iter().zip(pixel).map(|(weight, &value)| weight * u32::from(value));
        let luminance = (weighted.sum::<u32>() + 0x8000) >> 16;
        // The bin edges are the powers of √2 from 2 on, rounded, except the first and the last.
        let edge = |bin: u32| match bin {
            0 => 0,
            31 => 65535,
            _ => (f64::from(bin + 1) / 2.0).exp2().round() as u32,
        };
        let bin = (0..32).rev().find(|&bin| edge(bin) <= luminance).unwrap_or(0);
        wanted[bin as usize] += 1;
    }
    let launch = launch(ptx, "exposure_histogram").grid(3).block(256);
    let report = run(launch.arg(N as u64).arg(rgb).arg(vec![5_u32; 32]))?;
    exact("count", report.buffer(2), &Buffer::new(&wanted))
}

pub(super) fn bitonic(ptx: &str) -> Result<(), Failure> {
    const N: usize = 2048;
    let mut random = Random::new(10);
    let keys: Vec<u32> = (0..N).map(|_| random.below(5000) as u32).collect();
    let (mut key, mut value) = (Buffer::new(&keys), Buffer::new(&(0..N as u32).collect::<Vec<u32>>()));
    let sized = |kernel: &str| launch(ptx, kernel).grid(N as u32 / 512).block(256);
    (key, value) = moved(&run(sized("bitonic_sort_block").arg(key).arg(value))?);
    let mut length = 1024_u64;
    while length <= N as u64 {
        let mut distance = length / 2;
        while distance >= 512 {
            let launch = sized("bitonic_merge_global").arg(key).arg(value).arg(length).arg(distance);
            (key, value) = moved(&run(launch)?);
            distance /= 2;
        }
        let launch = sized("bitonic_merge_block").arg(key).arg(value).arg(length);
        (key, value) = moved(&run(launch)?);
        length *= 2;
    }
    let mut wanted = keys.clone();
    wanted.sort_unstable();
    exact("key", &key, &Buffer::new(&wanted))?;
    // Each value is still with its key, and occurs once.
    let mut values = value.to_vec::<u32>();
    let theirs: Vec<u32> =
        values.iter().map(|&i| keys.get(i as usize).copied().unwrap_or(u32::MAX)).collect();
    exact("key of the value", &Buffer::new(&theirs), &Buffer::new(&wanted))?;
    values.sort_unstable();
    exact("values", &Buffer::new(&values), &Buffer::new(&(0..N as u32).collect::<Vec<u32>>()))
}

fn moved(report: &Report) -> (Buffer, Buffer) {
    (report.buffer(0).clone(), report.buffer(1).clone())
}

pub(super) fn nbody(ptx: &str) -> Result<(), Failure> {
    const N: usize = 300;
    let (dt, soft2) = (0.125_f32, 0.01_f32);
    let (mut bodies, velocities) = (numbers(11, 4 * N), numbers(12, 3 * N));
    for body in bodies.chunks_exact_mut(4) {
        body[3] = body[3].abs() / 64.0;
    }
    let wide = |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<f64>>();
    let (old, mut velocity) = (wide(&bodies), wide(&velocities));
    let mut next = old.clone();
    for i in 0..N {
        let mut pull = [0.0; 3];
        for other in old.chunks_exact(4) {
            let way: Vec<f64> = (0..3).map(|axis| other[axis] - old[4 * i + axis]).collect();
            let distance2 = way.iter().map(|d| d * d).sum::<f64>() + f64::from(soft2);
            for axis in 0..3 {
                pull[axis] += way[axis] * other[3] / distance2.powf(1.5);
            }
        }
        for axis in 0..3 {
            velocity[3 * i + axis] += pull[axis] * f64::from(dt);
            next[4 * i + axis] += velocity[3 * i + axis] * f64::from(dt);
        }
    }
    let launch = launch(ptx, "nbody").grid(2).block(256).arg(N as i32).arg(dt).arg(soft2);
    let launch = launch.arg(bodies).arg(velocities);
    let report = run(launch.arg(Argument::unwritten(ElementType::F32, [4 * N])))?;
    close("velocity", report.buffer(4), &velocity, 1e-5, 2e-6)?;
    close("next", report.buffer(5), &next, 1e-5, 1e-6)
}

pub(super) fn mandelbrot(ptx: &str) -> Result<(), Failure> {
    let (width, height, limit) = (75, 43, 24);
    // These are exact in `float`, so that rounding starts in the second iteration.
    let (left, top, pixel) = (-2.0, 1.25, 0.0625);
    let wanted: Vec<i32> = (0..width * height)
        .map(|i| {
            let (c_re, c_im) = (left + f64::from(i % width) * pixel, top - f64::from(i / width) * pixel);
            let (mut re, mut im, mut count) = (0.0, 0.0, 0);
            while count < limit && re * re + im * im <= 4.0 {
                (re, im) = (re * re - im * im + c_re, 2.0 * re * im + c_im);
                count += 1;
            }
            count
        })
        .collect();
    let sized = |kernel: &str| launch(ptx, kernel).grid((3, 6)).block((32, 8)).arg(width).arg(height);
    let out = || Argument::unwritten(ElementType::I32, [(width * height) as usize]);
    let near = sized("mandelbrot").arg(left as f32).arg(top as f32).arg(pixel as f32).arg(limit).arg(out());
    let deep = sized("mandelbrot_deep").arg(left).arg(top).arg(pixel).arg(limit).arg(out());
    for (launch, n_allowed) in [(near, 8), (deep, 2)] {
        let report = run(launch)?;
        let comparison = compare(report.buffer(6), &Buffer::new(&wanted), Tolerance::default())?;
        // A pixel at the edge of the set may differ.
        if comparison.n_different > n_allowed {
            return Err(format!("{}: {comparison}", report.kernel));
        }
    }
    Ok(())
}
