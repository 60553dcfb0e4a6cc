//! Which texels a read is made of, and what it makes of them (CUDA C++ Programming Guide "Texture Fetching").
//!
//! Weights are fixed-point numbers with eight bits after the point, as the guide says.

use smallvec::SmallVec;

use super::array::Array;
use super::cube;

/// How a texture is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// What becomes of coordinates beside the array, along each axis.
    pub address_modes: [AddressMode; 3],
    /// Which texels a read is made of.
    pub filter: Filter,
    /// The same of the images, of which there may be several.
    pub level_filter: Filter,
    /// Coordinates go from 0 to 1, and not to the number of texels.
    pub has_normalized_coordinates: bool,
    /// Integers of up to 16 bits become `float`s from 0 or -1 to 1 (`cudaReadModeNormalizedFloat`).
    pub gives_normalized: bool,
    /// What bytes stand for is their brightness as sRGB has it: the first three numbers of a texel of four become linear
    /// (`cudaTextureDesc::sRGB`).
    pub is_srgb: bool,
    /// What is read where [`AddressMode::Border`] finds nothing: of each number its value, which a host gives for integers, too.
    pub border: [f64; 4],
    /// What is added to the level of a read.
    pub level_bias: f32,
    /// The least and the greatest level of a read.
    pub levels: [f32; 2],
}

impl Default for Sampler {
    /// The nearest texel, at the edge where there is none.
    fn default() -> Self {
        Sampler {
            address_modes: [AddressMode::Clamp; 3],
            filter: Filter::Point,
            level_filter: Filter::Point,
            has_normalized_coordinates: false,
            gives_normalized: false,
            is_srgb: false,
            border: [0.0; 4],
            level_bias: 0.0,
            levels: [0.0, f32::MAX],
        }
    }
}

/// What becomes of coordinates beside an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressMode {
    /// The array is repeated.
    Wrap,
    /// The texel at the edge is read.
    Clamp,
    /// The array is repeated, each time in a mirror.
    Mirror,
    /// Another value is read.
    Border,
}

/// Which texels, or images, a read is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The nearest.
    Point,
    /// The two nearest along each axis.
    Linear,
}

/// Which image is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lod {
    /// The first.
    Base,
    /// This one.
    Level(f32),
    /// That which fits these derivatives of the coordinates.
    Gradients([f32; 3], [f32; 3]),
}

/// A texel that a read is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tap {
    /// Where it lies in memory; none where the border is read.
    pub(crate) address: Option<u64>,
    pub(crate) weight: f64,
}

/// The texels of a read.
pub(crate) type Taps = SmallVec<[Tap; 8]>;

/// What 1 is in fixed-point weights.
const ONE: i64 = 1 << 8;

/// Where all numbers of texels are integers, and exact.
const FAR: f64 = (1_u64 << 52) as f64;

/// A texel along an axis: its number, none where the border is, and its weight, of [`ONE`].
type Along = SmallVec<[(Option<u32>, i64); 2]>;

/// Where something is read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct At {
    /// The number of a layer, or of a cube.
    pub(crate) layer: u32,
    pub(crate) place: [f32; 3],
    /// How many texels further, in whatever image is read.
    pub(crate) offset: [i32; 3],
}

/// The texels that a read at a place is made of: at most eight of each of two images. Weights that are zero are left out.
pub(crate) fn taps(array: &Array, sampler: &Sampler, at: &At, lod: Lod) -> Taps {
    let mut taps = Taps::new();
    for (level, level_weight) in levels(array, sampler, at, lod) {
        let (layer, along) = axes(array, sampler, at, level, sampler.filter);
        for &(z, z_weight) in &along[2] {
            for &(y, y_weight) in &along[1] {
                for &(x, x_weight) in &along[0] {
                    let weight =
                        x_weight as f64 * y_weight as f64 * z_weight as f64 / (ONE * ONE * ONE) as f64;
                    if weight == 0.0 {
                        continue;
                    }
                    let address = match [x, y, z] {
                        [Some(x), Some(y), Some(z)] => Some(array.address_of(level, layer, [x, y, z])),
                        _ => None,
                    };
                    taps.push(Tap { address, weight: weight * level_weight });
                }
            }
        }
    }
    taps
}

/// The four texels between which a place lies, in the order of `tld4`: against the clock, from the one below on the left (PTX ISA
/// "tld4").
pub(crate) fn gathered(array: &Array, sampler: &Sampler, at: &At) -> [Option<u64>; 4] {
    let (layer, along) = axes(array, sampler, at, 0, Filter::Linear);
    let nth = |axis: usize, idx: usize| along[axis][idx.min(along[axis].len() - 1)].0;
    [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[x, y]| match (nth(0, x), nth(1, y)) {
        (Some(x), Some(y)) => Some(array.address_of(0, layer, [x, y, 0])),
        _ => None,
    })
}

/// A number of a read, from those of its texels.
pub(crate) fn mixed(numbers: impl Iterator<Item = (f64, f64)>) -> f64 {
    numbers.map(|(number, weight)| number * weight).sum()
}

/// The texels along each axis of an image, and its layer.
fn axes(array: &Array, sampler: &Sampler, at: &At, level: u32, filter: Filter) -> (u32, [Along; 3]) {
    let At { layer, place, offset } = *at;
    let extent = array.extent_of(level);
    let n_axes = array.geometry.n_coordinates();
    let is_cube = array.geometry.is_cube();
    let (layer, place) = if is_cube {
        let (face, [s, t]) = cube::face(place);
        let cube = layer.min(array.n_layers / 6 - 1);
        (6 * cube + face, [s, t, 0.0])
    } else {
        (layer.min(array.n_layers - 1), place.map(f64::from))
    };
    let is_normalized = sampler.has_normalized_coordinates || is_cube;
    let along = |axis: usize| {
        // The face of a cube is a square.
        if axis >= if is_cube { 2 } else { n_axes } {
            return Along::from_slice(&[(Some(0), ONE)]);
        }
        let n = extent[axis];
        // A NaN counts as zero.
        let at = if place[axis].is_nan() { 0.0 } else { place[axis] };
        let at = if is_normalized { at * f64::from(n) } else { at };
        let at = at + f64::from(offset[axis]);
        let mode = match sampler.address_modes[axis] {
            // They are for coordinates that go to 1.
            AddressMode::Wrap | AddressMode::Mirror if !is_normalized => AddressMode::Clamp,
            mode => mode,
        };
        let at = match mode {
            // As what has no place in any of the copies.
            AddressMode::Wrap | AddressMode::Mirror if !at.is_finite() => 0.0,
            // In a mirror, x is 1 - frac(x): that shows where x is between two texels.
            AddressMode::Mirror => unmirrored(at, f64::from(n)),
            // Beyond that there are no fractions, and numbers of texels that an integer has not.
            AddressMode::Wrap if at.abs() >= FAR => at % f64::from(n),
            AddressMode::Wrap | AddressMode::Clamp | AddressMode::Border => at,
        };
        let texel = |idx: i64| addressed(idx, n, mode);
        match filter {
            Filter::Point => Along::from_slice(&[(texel(at.floor() as i64), ONE)]),
            Filter::Linear => {
                let fixed = ((at - 0.5) * ONE as f64 + 0.5).floor() as i64;
                let (idx, weight) = (fixed.div_euclid(ONE), fixed.rem_euclid(ONE));
                Along::from_slice(&[(texel(idx), ONE - weight), (texel(idx.saturating_add(1)), weight)])
            }
        }
    };
    (layer, [along(0), along(1), along(2)])
}

/// The place in the array, of `n` texels, for one in its images in mirrors.
fn unmirrored(at: f64, n: f64) -> f64 {
    let from_start = at.rem_euclid(2.0 * n);
    if from_start >= n { 2.0 * n - from_start } else { from_start }
}

/// The number of a texel that there is, for one that there may not be.
fn addressed(idx: i64, n: u32, mode: AddressMode) -> Option<u32> {
    let n = i64::from(n);
    let found = match mode {
        AddressMode::Wrap => idx.rem_euclid(n),
        AddressMode::Clamp => idx.clamp(0, n - 1),
        AddressMode::Mirror => match idx.rem_euclid(2 * n) {
            idx if idx >= n => 2 * n - 1 - idx,
            idx => idx,
        },
        AddressMode::Border if !(0..n).contains(&idx) => return None,
        AddressMode::Border => idx,
    };
    Some(found as u32)
}

/// The images that a read is made of, and their weights.
fn levels(array: &Array, sampler: &Sampler, at: &At, lod: Lod) -> SmallVec<[(u32, f64); 2]> {
    let last = array.n_levels - 1;
    let level = match lod {
        Lod::Base => 0.0,
        Lod::Level(level) => f64::from(level),
        Lod::Gradients(dx, dy) => gradient_level(array, sampler, at, dx, dy),
    };
    let [least, greatest] = sampler.levels.map(f64::from);
    let level = (level + f64::from(sampler.level_bias)).max(least).min(greatest).clamp(0.0, f64::from(last));
    match sampler.level_filter {
        Filter::Point => SmallVec::from_slice(&[(((level + 0.5).floor() as u32).min(last), 1.0)]),
        Filter::Linear => {
            let fixed = (level * ONE as f64).round() as u64;
            let (idx, weight) = ((fixed / ONE as u64) as u32, (fixed % ONE as u64) as f64 / ONE as f64);
            if weight == 0.0 {
                SmallVec::from_slice(&[(idx, 1.0)])
            } else {
                SmallVec::from_slice(&[(idx, 1.0 - weight), ((idx + 1).min(last), weight)])
            }
        }
    }
}

/// The level of which a step in the grid is no longer than the distance of two texels.
fn gradient_level(array: &Array, sampler: &Sampler, at: &At, dx: [f32; 3], dy: [f32; 3]) -> f64 {
    let is_cube = array.geometry.is_cube();
    let is_normalized = sampler.has_normalized_coordinates || is_cube;
    let scale = |axis: usize| if is_normalized { f64::from(array.extent[axis]) } else { 1.0 };
    let n_axes = if is_cube { 2 } else { array.geometry.n_coordinates() };
    let length = |step: [f32; 3]| {
        let step = if is_cube { cube::step_on_face(at.place, step) } else { step.map(f64::from) };
        let squares = (0..n_axes).map(|axis| (step[axis] * scale(axis)).powi(2));
        squares.sum::<f64>().sqrt()
    };
    length(dx).max(length(dy)).log2()
}
