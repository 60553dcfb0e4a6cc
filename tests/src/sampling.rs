//! A second implementation of texture sampling, from the formulas of the CUDA C++ Programming Guide, "Texture
//! Fetching" and "Cubemap Textures": for random textures, at coordinates that include edges, corners, NaNs,
//! infinities and huge numbers.
//!
//! It shares nothing with the emulator. Texels are small multiples of a quarter, so that every sum is exact.

use std::fmt::Write as _;

use crate::random::Random;

/// The number of reads per texture.
pub const N_READS: usize = 64;

/// The number of input words per read: three coordinates, a layer, a level, two derivatives of three
/// coordinates, and three offsets.
const N_WORDS: usize = 14;

/// The address mode for coordinates outside the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Clamp,
    Wrap,
    Mirror,
    Border,
}

/// How the mipmap level is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lod {
    Base,
    Level,
    Gradients,
}

/// A texture, its sampler, and its reads.
#[derive(Clone, Debug)]
pub struct Sampling {
    geometry: &'static Geometry,
    extent: [usize; 3],
    n_layers: usize,
    n_levels: usize,
    n_channels: usize,
    element: &'static Element,
    /// The channels of the texels, as in the argument's text.
    numbers: Vec<f64>,
    mode: Mode,
    border: [f64; 4],
    is_linear: bool,
    is_mip_linear: bool,
    is_normalized: bool,
    bias: f64,
    levels: [f64; 2],
    lod: Lod,
    is_moved: bool,
    reads: Vec<Read>,
}

#[derive(Debug)]
struct Geometry {
    ptx: &'static str,
    text: &'static str,
    n_axes: usize,
    is_layered: bool,
    is_cube: bool,
}

const GEOMETRIES: [Geometry; 7] = [
    Geometry { ptx: "1d", text: "1d", n_axes: 1, is_layered: false, is_cube: false },
    Geometry { ptx: "2d", text: "2d", n_axes: 2, is_layered: false, is_cube: false },
    Geometry { ptx: "3d", text: "3d", n_axes: 3, is_layered: false, is_cube: false },
    Geometry { ptx: "a1d", text: "layered1d", n_axes: 1, is_layered: true, is_cube: false },
    Geometry { ptx: "a2d", text: "layered2d", n_axes: 2, is_layered: true, is_cube: false },
    Geometry { ptx: "cube", text: "cubemap", n_axes: 2, is_layered: false, is_cube: true },
    Geometry { ptx: "acube", text: "layered_cubemap", n_axes: 2, is_layered: true, is_cube: true },
];

/// The channel type, and how it is read.
#[derive(Debug)]
struct Element {
    text: &'static str,
    /// For normalized integers, the value that is read as 1.
    one: Option<f64>,
    is_integer: bool,
    /// The minimum; in quarters for floating-point numbers.
    least: i64,
    greatest: i64,
}

const ELEMENTS: [Element; 7] = [
    Element { text: "f32", one: None, is_integer: false, least: -4000, greatest: 4000 },
    Element { text: "f16", one: None, is_integer: false, least: -2000, greatest: 2000 },
    Element { text: "u8", one: Some(255.0), is_integer: false, least: 0, greatest: 255 },
    Element { text: "i16", one: Some(32767.0), is_integer: false, least: -32768, greatest: 32767 },
    Element { text: "i8", one: None, is_integer: true, least: -128, greatest: 127 },
    Element { text: "u16", one: None, is_integer: true, least: 0, greatest: 65535 },
    Element { text: "i32", one: None, is_integer: true, least: -(1 << 31), greatest: (1 << 31) - 1 },
];

#[derive(Clone, Copy, Debug)]
struct Read {
    place: [f32; 3],
    layer: i32,
    level: f32,
    steps: [[f32; 3]; 2],
    offset: [i32; 3],
}

/// Boundary values of coordinates that are not normalized.
const EDGES: [f32; 16] = [
    0.0,
    -0.0,
    0.5,
    1.0,
    -0.5,
    -1.0,
    1.5,
    2.0,
    3.0,
    0.998_046_9,
    1e-40,
    -1e-20,
    3e30,
    -3e30,
    f32::INFINITY,
    f32::NEG_INFINITY,
];

impl Sampling {
    /// The texture of a seed.
    pub fn of(seed: u64) -> Sampling {
        let mut random = Random::new(seed);
        let geometry = random.of(&GEOMETRIES);
        let element = random.of(&ELEMENTS);
        let mut extent = [1; 3];
        for extent in &mut extent[..geometry.n_axes] {
            *extent = 1 + random.below(7);
        }
        if geometry.is_cube {
            extent[1] = extent[0];
        }
        let n_layers = match (geometry.is_layered, geometry.is_cube) {
            (false, _) => 1,
            (true, _) => 1 + random.below(3),
        } * if geometry.is_cube { 6 } else { 1 };
        let lod = *random.of(&[Lod::Base, Lod::Level, Lod::Gradients]);
        let n_levels = if lod == Lod::Base { 1 } else { 1 + random.below(4) };
        let n_channels = *random.of(&[1, 2, 4]);
        let mode = *random.of(&[Mode::Clamp, Mode::Wrap, Mode::Mirror, Mode::Border]);
        let mut sampling = Sampling {
            geometry,
            extent,
            n_layers,
            n_levels,
            n_channels,
            element,
            numbers: Vec::new(),
            mode,
            border: std::array::from_fn(|_| {
                random.below(9) as f64 * if element.is_integer { 1.0 } else { 0.25 }
            }),
            is_linear: !element.is_integer && !random.once_in(3),
            is_mip_linear: !element.is_integer && !random.once_in(3),
            is_normalized: !random.once_in(3),
            bias: *random.of(&[0.0, 0.0, 0.25, -1.0]),
            levels: *random.of(&[[0.0, 16.0], [0.0, 16.0], [0.5, 1.5]]),
            lod,
            is_moved: !geometry.is_cube && random.once_in(2),
            reads: Vec::new(),
        };
        let n_numbers = (0..n_levels).map(|level| sampling.n_texels(level)).sum::<usize>() * n_channels;
        let n_values = (element.greatest - element.least + 1) as usize;
        let unit = if element.is_integer || element.one.is_some() { 1.0 } else { 0.25 };
        sampling.numbers =
            (0..n_numbers).map(|_| (element.least + random.below(n_values) as i64) as f64 * unit).collect();
        sampling.reads = (0..N_READS).map(|_| sampling.read(&mut random)).collect();
        sampling
    }

    fn read(&self, random: &mut Random) -> Read {
        let mut place = [0.0; 3];
        for (axis, at) in place.iter_mut().enumerate() {
            let n = self.extent[axis] as f32;
            let near =
                (random.below(4 << 12) as f32 / 4096.0 - 1.5) * if self.is_normalized { 1.0 } else { n };
            // Division by another coordinate must not give a point halfway between two weights: the last bit
            // would decide.
            let near = if self.geometry.is_cube { near * 0.731_058_6 } else { near };
            *at = match random.below(8) {
                0 if self.geometry.is_cube => random.below(9) as f32 - 4.0,
                0 => *random.of(&EDGES),
                1 if !self.geometry.is_cube => f32::NAN,
                // Between texels, and in their middles.
                2 | 3 => {
                    let half = random.below(6 * self.extent[axis] + 1) as f32 / 2.0 - n;
                    if self.is_normalized { half / n } else { half }
                }
                _ => near,
            };
        }
        if self.geometry.is_cube && place.iter().all(|&at| at == 0.0) {
            place[1] = 0.5;
        }
        let step = |random: &mut Random| std::array::from_fn(|_| (random.below(64) as f32 - 32.0) / 32.0);
        Read {
            place,
            layer: random.below(6) as i32 - 1,
            level: random.below(80) as f32 / 16.0 - 0.5,
            steps: [step(random), step(random)],
            offset: std::array::from_fn(|_| if self.is_moved { random.below(16) as i32 - 8 } else { 0 }),
        }
    }

    fn extent_of(&self, level: usize) -> [usize; 3] {
        self.extent.map(|n| (n >> level).max(1))
    }

    fn n_texels(&self, level: usize) -> usize {
        self.extent_of(level).iter().product::<usize>() * self.n_layers
    }

    /// The arguments of the kernel, by the grammar of `weftc run`.
    pub fn arguments(&self) -> [String; 3] {
        let words: Vec<String> =
            self.reads.iter().flat_map(|read| read.words()).map(|word| word.to_string()).collect();
        let numbers: Vec<String> = self.numbers.iter().map(f64::to_string).collect();
        let n_texels = numbers.len() / self.n_channels;
        let mut shape: Vec<String> =
            self.extent[..self.geometry.n_axes].iter().map(usize::to_string).collect();
        if self.geometry.is_layered || self.geometry.is_cube {
            shape.push(self.n_layers.to_string());
        }
        let mut texture = format!(
            "texture({}[{n_texels}, {}]={{{}}}, {}({}), levels({}), bias({}), lod({}, {})",
            self.element.text,
            self.n_channels,
            numbers.join(", "),
            self.geometry.text,
            shape.join(", "),
            self.n_levels,
            self.bias,
            self.levels[0],
            self.levels[1]
        );
        let [r, g, b, a] = self.border;
        texture += &match self.mode {
            Mode::Clamp => ", clamp".to_owned(),
            Mode::Wrap => ", wrap".to_owned(),
            Mode::Mirror => ", mirror".to_owned(),
            Mode::Border => format!(", border({r}, {g}, {b}, {a})"),
        };
        for (is_said, word) in [
            (self.is_linear, ", linear"),
            (self.is_mip_linear, ", mip_linear"),
            (self.is_normalized, ", normalized"),
            (self.element.one.is_some(), ", float"),
        ] {
            texture += if is_said { word } else { "" };
        }
        [
            format!("u32[{N_READS}, {N_WORDS}]={{{}}}", words.join(", ")),
            texture + ")",
            format!("u32[{N_READS}, 4]"),
        ]
    }

    /// A module whose kernel makes all reads.
    pub fn module(&self) -> String {
        let Geometry { ptx: geometry, n_axes, is_layered, is_cube, .. } = *self.geometry;
        let n_axes = if is_cube { 3 } else { n_axes };
        let list = |first: usize, name: &str| {
            let mut items: Vec<String> = (first..first + n_axes).map(|idx| format!("{name}{idx}")).collect();
            if n_axes == 3 {
                items.push(items[0].clone());
            }
            items
        };
        let mut place = list(0, "%f");
        if is_layered {
            place.insert(0, "%r3".to_owned());
            place.truncate(4);
            if place.len() == 3 {
                place.push("%f0".to_owned());
            }
        }
        let (word, after) = match self.lod {
            Lod::Base => ("", String::new()),
            Lod::Level => ("level.", ", %f4".to_owned()),
            Lod::Gradients => {
                ("grad.", format!(", {{{}}}, {{{}}}", list(5, "%f").join(", "), list(8, "%f").join(", ")))
            }
        };
        let offset =
            if self.is_moved { format!(", {{{}}}", list(11, "%r").join(", ")) } else { String::new() };
        let ty = if self.element.is_integer { "s32" } else { "f32" };
        let mut loads = String::new();
        for idx in 0..N_WORDS {
            // Writing to a `String` cannot fail.
            let _ = writeln!(loads, "ld.global.b32 %r{idx}, [%rd1+{}]; mov.b32 %f{idx}, %r{idx};", 4 * idx);
        }
        format!(
            ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 at, .param .u64 t, .param .u64 out) {{\n\
             .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b64 %rd<5>;\n\
             ld.param.u64 %rd1, [at]; ld.param.u64 %rd2, [t]; ld.param.u64 %rd3, [out]; mov.u32 %r15, %tid.x;\n\
             mad.wide.u32 %rd1, %r15, {}, %rd1; mad.wide.u32 %rd3, %r15, 16, %rd3;\n{loads}\
             tex.{word}{geometry}.v4.{ty}.f32 {{%r16, %r17, %r18, %r19}}, [%rd2, {{{}}}]{after}{offset};\n\
             st.global.v4.b32 [%rd3], {{%r16, %r17, %r18, %r19}};\nret; }}\n",
            4 * N_WORDS,
            place.join(", ")
        )
    }

    /// A read and its texture, as text.
    pub fn describe(&self, read: usize) -> String {
        format!("{:?}\n{:?}", self.reads[read], Sampling { reads: Vec::new(), ..self.clone() })
    }

    /// The expected words of the reads.
    pub fn wanted(&self) -> Vec<u32> {
        self.reads.iter().flat_map(|read| self.wanted_of(read)).collect()
    }

    fn wanted_of(&self, read: &Read) -> [u32; 4] {
        std::array::from_fn(|channel| match (channel < self.n_channels, self.element.is_integer) {
            (true, true) => self.value(read, channel) as i64 as u32,
            (true, false) => (self.value(read, channel) as f32).to_bits(),
            (false, true) => u32::from(channel == 3),
            (false, false) => if channel == 3 { 1.0_f32 } else { 0.0 }.to_bits(),
        })
    }

    /// A channel of a read, interpolated between the levels.
    fn value(&self, read: &Read, channel: usize) -> f64 {
        let level = match self.lod {
            Lod::Base => 0.0,
            Lod::Level => f64::from(read.level),
            Lod::Gradients => {
                read.steps.map(|step| self.length(read, step)).into_iter().fold(0.0, f64::max).log2()
            }
        };
        let last = (self.n_levels - 1) as f64;
        let level = (level + self.bias).clamp(self.levels[0], self.levels[1]).clamp(0.0, last);
        if !self.is_mip_linear {
            return self.value_of_level(read, channel, (level + 0.5).floor().min(last) as usize);
        }
        let fixed = (level * 256.0).round();
        let (lower, weight) = ((fixed / 256.0).floor(), fixed / 256.0 - (fixed / 256.0).floor());
        let first = self.value_of_level(read, channel, lower as usize);
        if weight == 0.0 {
            return first;
        }
        first * (1.0 - weight) + self.value_of_level(read, channel, (lower + 1.0).min(last) as usize) * weight
    }

    /// The length of a derivative in texels of the first level.
    fn length(&self, read: &Read, step: [f32; 3]) -> f64 {
        let step = step.map(f64::from);
        let on_face = |place: [f64; 3]| {
            let (_, major, sides) = face(place);
            (major, sides)
        };
        let step = if self.geometry.is_cube {
            let place = read.place.map(f64::from);
            let (major, sides) = on_face(place);
            // The face is that of the coordinates, also for the derivative: its coordinates are linear in
            // those of the direction.
            let beyond = on_face_of(place, step);
            // d(s / m) / 2
            [0, 1]
                .map(|axis| (beyond[axis + 1] * major - sides[axis] * beyond[0]) / (2.0 * major * major))
                .to_vec()
        } else {
            step[..self.geometry.n_axes].to_vec()
        };
        let is_normalized = self.is_normalized || self.geometry.is_cube;
        let texels =
            step.iter().zip(self.extent).map(|(step, n)| step * if is_normalized { n as f64 } else { 1.0 });
        texels.map(|texels| texels * texels).sum::<f64>().sqrt()
    }

    /// The guide's tex(x), tex(x, y) and tex(x, y, z) of a level.
    fn value_of_level(&self, read: &Read, channel: usize, level: usize) -> f64 {
        let extent = self.extent_of(level);
        let mut place = read.place.map(f64::from);
        // It has no sign on a GPU.
        let layer = read.layer as u32 as usize;
        let layer = if self.geometry.is_cube {
            let (face, major, sides) = face(place);
            place = [(sides[0] / major + 1.0) / 2.0, (sides[1] / major + 1.0) / 2.0, 0.0];
            let cube = if self.geometry.is_layered { layer.min(self.n_layers / 6 - 1) } else { 0 };
            6 * cube + face
        } else {
            layer.min(self.n_layers - 1)
        };
        let axis = |axis: usize| {
            if axis >= self.geometry.n_axes {
                return vec![(Some(0), 1.0)];
            }
            self.along(place[axis], extent[axis], read.offset[axis])
        };
        let (xs, ys, zs) = (axis(0), axis(1), axis(2));
        let mut sum = 0.0;
        for &(z, of_z) in &zs {
            for &(y, of_y) in &ys {
                for &(x, of_x) in &xs {
                    let number = match (x, y, z) {
                        (Some(x), Some(y), Some(z)) => self.number(level, layer, [x, y, z], channel),
                        _ => self.border[channel] * self.element.one.unwrap_or(1.0),
                    };
                    sum += number * of_x * of_y * of_z;
                }
            }
        }
        sum / self.element.one.unwrap_or(1.0)
    }

    /// A channel of a texel, before normalization.
    fn number(&self, level: usize, layer: usize, [x, y, z]: [usize; 3], channel: usize) -> f64 {
        let before: usize = (0..level).map(|level| self.n_texels(level)).sum();
        let [width, height, depth] = self.extent_of(level);
        let texel = before + ((layer * depth + z) * height + y) * width + x;
        let number = self.numbers[texel * self.n_channels + channel];
        self.element.one.map_or(number, |one| number.max(-one))
    }

    /// The texels along an axis (`None` for the border), with their weights.
    fn along(&self, at: f64, n: usize, offset: i32) -> Vec<(Option<usize>, f64)> {
        let (is_normalized, length) = (self.is_normalized || self.geometry.is_cube, n as f64);
        let mode = match self.mode {
            Mode::Wrap | Mode::Mirror if !is_normalized => Mode::Clamp,
            mode => mode,
        };
        let at = if at.is_nan() { 0.0 } else { at };
        let place = if is_normalized { at * length } else { at };
        let place = place + f64::from(offset);
        let place = match mode {
            Mode::Clamp | Mode::Border => place,
            _ if place.is_infinite() => 0.0,
            // frac(x), but less than 1.
            Mode::Wrap if place < 0.0 && place > -1e-9 => length - 1e-9,
            Mode::Wrap => ((place % length) + length) % length,
            Mode::Mirror => {
                let twice = ((place % (2.0 * length)) + 2.0 * length) % (2.0 * length);
                if twice >= length { 2.0 * length - twice } else { twice }
            }
        };
        let texel = |number: f64| match mode {
            Mode::Border if number < 0.0 || number >= length => None,
            Mode::Wrap => Some((number as i64).rem_euclid(n as i64) as usize),
            // With mirroring, outside the array is the last texel.
            Mode::Clamp | Mode::Mirror | Mode::Border => Some(number.clamp(0.0, length - 1.0) as usize),
        };
        if !self.is_linear {
            return vec![(texel(place.floor()), 1.0)];
        }
        if place.is_infinite() {
            return vec![(texel(place), 1.0)];
        }
        let before = place - 0.5;
        let (first, weight) = (before.floor(), ((before - before.floor()) * 256.0 + 0.5).floor() / 256.0);
        vec![(texel(first), 1.0 - weight), (texel(first + 1.0), weight)]
    }
}

impl Read {
    fn words(&self) -> [u32; N_WORDS] {
        let [x, y, z] = self.place.map(f32::to_bits);
        let [[a, b, c], [d, e, f]] = self.steps.map(|step| step.map(f32::to_bits));
        let [i, j, k] = self.offset.map(|offset| offset as u32);
        [x, y, z, self.layer as u32, self.level.to_bits(), a, b, c, d, e, f, i, j, k]
    }
}

/// The face of a direction, the coordinate along its axis, and those on the face: the guide's table of m, s
/// and t.
fn face(place: [f64; 3]) -> (usize, f64, [f64; 2]) {
    let [x, y, z] = place.map(f64::abs);
    let number = match () {
        () if x >= y && x >= z => usize::from(place[0] < 0.0),
        () if y >= z => 2 + usize::from(place[1] < 0.0),
        () => 4 + usize::from(place[2] < 0.0),
    };
    let [m, s, t] = coordinates(number, place);
    (number, m, [s, t])
}

fn coordinates(face: usize, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [[x, -z, -y], [-x, z, -y], [y, x, z], [-y, x, -z], [z, x, -y], [-z, -x, -y]][face]
}

/// The coordinates of a derivative, on the face of the coordinates.
fn on_face_of(place: [f64; 3], step: [f64; 3]) -> [f64; 3] {
    coordinates(face(place).0, step)
}
