//! Texture reads, and queries of textures, samplers and surfaces.
//!
//! Texels are in global memory, so that the usual checks apply to each, and blocks that run at the same time
//! claim what they access.

use smallvec::SmallVec;

use super::access::{Access, origin};
use super::claims::Claim;
use super::fault::{FaultKind, Touch, Usage};
use super::step::{Step, StepError};
use super::warp::Warp;
use crate::compute::float::exact::{F16, F32, Rounding};
use crate::compute::{Lanes, WARP_SIZE};
use crate::program::code::{
    Coordinates, LodSource, Memory, ObjectQuery, Order, Queried, Register, Source, TexelType, TextureAction,
    TextureRead,
};
use crate::texture::{
    AddressMode, Array, At, Filter, Geometry, Kind, Lod, Misuse, Objects, Sampler, Tap, gathered, mixed, taps,
};

/// The maximum number of channels per texel.
const N_CHANNELS: usize = 4;

/// The number of color channels; the last one is not a color.
const N_COLORS: usize = 3;

/// The bits in memory of a texel's channels.
type Bits = [u64; N_CHANNELS];

impl Warp {
    /// `tex`, `tld4`
    pub(super) fn read_texture(&mut self, step: &Step<'_>, read: &TextureRead) -> Result<(), StepError> {
        self.require_operands(step, step.instruction.op.sources().as_slice())?;
        let handles = self.addresses(step, &read.handle);
        let samplers = read.sampler.map(|sampler| self.addresses(step, &sampler));
        let place: SmallVec<[Lanes; 4]> = read.place.iter().map(|&source| self.value(step, source)).collect();
        let layers = read.layer.map_or([0; WARP_SIZE], |layer| self.value(step, layer));
        let offsets: SmallVec<[Lanes; 4]> =
            read.offset.iter().map(|&source| self.value(step, source)).collect();
        let mut results = [[0; WARP_SIZE]; N_CHANNELS];
        for lane in step.lanes() {
            let handle = handles[lane];
            let misused = |misuse| misused(misuse, handle, lane);
            if let Some(reason) = read.unspecified {
                return Err(misused(Misuse::Unspecified(reason)));
            }
            let found = step.cx.objects.texture(handle, samplers.map(|samplers| samplers[lane]));
            let (array, sampler) = found.map_err(misused)?;
            let sampler = &sampler;
            require_geometry(array.geometry, read.geometry).map_err(misused)?;
            let (kind, sampler_kind) = (
                if read.ty == TexelType::Integer { Kind::Integer } else { Kind::Float },
                array.format.channel.kind(sampler.gives_normalized),
            );
            if kind != sampler_kind {
                let (has, is_normalized) = (array.format, sampler.gives_normalized);
                return Err(misused(Misuse::OtherKind { has, is_normalized, wants: read.ty.name() }));
            }
            let coordinates = |idx: usize| place.get(idx).map_or(0, |lanes| lanes[lane] as u32);
            let place = std::array::from_fn(|idx| f32::from_bits(coordinates(idx)));
            let mut offset = [0; 3];
            for (offset, lanes) in offset.iter_mut().zip(&offsets) {
                *offset = lanes[lane] as u32 as i32;
                // PTX ISA "tex"
                if !(-8..=7).contains(offset) {
                    return Err(misused(Misuse::FarOffset(*offset)));
                }
            }
            // It has no sign: a negative one is that of the last layer, as on an H200.
            let layer = layers[lane] as u32;
            let at = At { layer, place, offset };
            let texel = match (read.action, read.coordinates) {
                (TextureAction::Gather(component), _) => self
                    .gather(step, lane, (array, sampler), &at, component)
                    .map_err(|error| error.within(handle))?,
                (TextureAction::Read, Coordinates::Integer) => {
                    let at: [i64; 3] = std::array::from_fn(|idx| {
                        i64::from(coordinates(idx) as i32) + i64::from(offset[idx])
                    });
                    let level = match read.lod {
                        LodSource::Level(level) => self.value(step, level)[lane] as u32 as i32,
                        LodSource::Base | LodSource::Gradients(..) => 0,
                    };
                    self.fetch(step, lane, (array, sampler), (level, layer), at)
                        .map_err(|error| error.within(handle))?
                }
                (TextureAction::Read, Coordinates::Float) => {
                    let lod = self.lod(step, &read.lod, lane);
                    self.sample(step, lane, (array, sampler), &taps(array, sampler, &at, lod))?
                }
            };
            for (result, number) in results.iter_mut().zip(register_values(texel, read.ty)) {
                result[lane] = number;
            }
        }
        self.set_results(step, &read.results, &results);
        if let Some(resident) = read.resident {
            self.set_results(step, &[Some(resident)], &[[1; WARP_SIZE]]);
        }
        Ok(())
    }

    fn lod(&self, step: &Step<'_>, lod: &LodSource, lane: usize) -> Lod {
        let number = |source: Source| f32::from_bits(self.value(step, source)[lane] as u32);
        let along =
            |sources: &[Source]| std::array::from_fn(|idx| sources.get(idx).map_or(0.0, |&it| number(it)));
        match lod {
            LodSource::Base => Lod::Base,
            LodSource::Level(level) => Lod::Level(number(*level)),
            LodSource::Gradients(dx, dy) => Lod::Gradients(along(dx), along(dy)),
        }
    }

    /// The weighted texels of a read.
    fn sample(
        &mut self,
        step: &Step<'_>,
        lane: usize,
        (array, sampler): (&Array, &Sampler),
        taps: &[Tap],
    ) -> Result<[u32; N_CHANNELS], StepError> {
        let mut texels: SmallVec<[(Option<Bits>, f64); 8]> = SmallVec::new();
        for tap in taps {
            let bits = tap.address.map(|address| self.texel(step, lane, array, address)).transpose()?;
            texels.push((bits, tap.weight));
        }
        let (format, is_normalized) = (array.format, sampler.gives_normalized);
        let mut numbers = missing_channels(format.channel.kind(is_normalized));
        for (idx, number) in numbers.iter_mut().enumerate().take(format.n_channels as usize) {
            *number = match texels[..] {
                // A single texel is returned unchanged.
                [(Some(bits), _)] if !is_normalized => format.channel.bits(bits[idx]),
                _ => {
                    let is_srgb = sampler.is_srgb && idx < N_COLORS;
                    let values = texels.iter().map(|(bits, weight)| match bits {
                        Some(bits) => (format.channel.value(bits[idx], is_normalized, is_srgb), *weight),
                        None => (sampler.border[idx], *weight),
                    });
                    let value = mixed(values);
                    match format.channel.kind(is_normalized) {
                        Kind::Float => (value as f32).to_bits(),
                        Kind::Integer => value as i64 as u32,
                    }
                }
            };
        }
        Ok(numbers)
    }

    /// One channel of the four texels around a position.
    fn gather(
        &mut self,
        step: &Step<'_>,
        lane: usize,
        (array, sampler): (&Array, &Sampler),
        at: &At,
        component: u32,
    ) -> Result<[u32; N_CHANNELS], TexelError> {
        if component >= array.format.n_channels {
            return Err(TexelError::Misuse(Misuse::NoComponent(component), lane));
        }
        let mut numbers = [0; N_CHANNELS];
        for (number, address) in numbers.iter_mut().zip(gathered(array, sampler, at)) {
            let tap = Tap { address, weight: 1.0 };
            *number = self.sample(step, lane, (array, sampler), &[tap])?[component as usize];
        }
        Ok(numbers)
    }

    /// A texel by index.
    fn fetch(
        &mut self,
        step: &Step<'_>,
        lane: usize,
        (array, sampler): (&Array, &Sampler),
        (level, layer): (i32, u32),
        at: [i64; 3],
    ) -> Result<[u32; N_CHANNELS], TexelError> {
        if sampler.filter == Filter::Linear || sampler.has_normalized_coordinates {
            return Err(TexelError::Misuse(Misuse::FetchesFiltered, lane));
        }
        let number = u32::try_from(level).ok().filter(|&level| level < array.n_levels);
        let Some(level) = number else { return Err(TexelError::Misuse(Misuse::NoLevel(level), lane)) };
        let extent = array.extent_of(level);
        let is_within = (0..3).all(|axis| (0..i64::from(extent[axis])).contains(&at[axis]));
        // CUDA C++ Programming Guide "tex1Dfetch()": reads outside the array return zeros.
        let layer = layer.min(array.n_layers - 1);
        let address = is_within.then(|| array.address_of(level, layer, at.map(|at| at as u32)));
        let border = Sampler { border: [0.0; 4], ..*sampler };
        Ok(self.sample(step, lane, (array, &border), &[Tap { address, weight: 1.0 }])?)
    }

    /// The bits of a texel.
    fn texel(
        &mut self,
        step: &Step<'_>,
        lane: usize,
        array: &Array,
        address: u64,
    ) -> Result<Bits, StepError> {
        let format = array.format;
        let access =
            Access { memory: Memory::Global, n_bytes: format.size(), is_store: false, claim: Claim::Read };
        let (width, addresses) = (format.channel.width(), [address; WARP_SIZE]);
        let alone = Step { mask: 1 << lane, ..*step };
        let (mut bits, mut unwritten) = ([0; N_CHANNELS], None);
        self.access(&alone, access, &addresses, |place| {
            for (idx, bits) in (0..u64::from(format.n_channels)).zip(&mut bits) {
                *bits = place.load(idx * width.bytes(), width);
                if place.hole(idx * width.bytes(), width).is_some() {
                    unwritten.get_or_insert(origin(step, access, lane, address + idx * width.bytes(), width));
                }
            }
        })?;
        self.watch(&alone, &access.watched(&addresses, Touch::Read, Order::WEAK))?;
        if let Some(origin) = unwritten {
            step.survive(self.undefined(step, origin, Usage::Result, lane))?;
        }
        Ok(bits)
    }

    /// `txq`, `suq`, `istypep`
    pub(super) fn query_object(&mut self, step: &Step<'_>, query: &ObjectQuery) -> Result<(), StepError> {
        self.require_operands(step, step.instruction.op.sources().as_slice())?;
        let handles = self.addresses(step, &query.handle);
        let levels = query.level.map_or([0; WARP_SIZE], |level| self.value(step, level));
        let mut result = [0; WARP_SIZE];
        for lane in step.lanes() {
            let answer = answer(step.cx.objects, query, handles[lane], levels[lane]);
            result[lane] = u64::from(answer.map_err(|misuse| misused(misuse, handles[lane], lane))?);
        }
        self.set_results(step, &[query.result], &[result]);
        Ok(())
    }

    pub(super) fn require_operands(&mut self, step: &Step<'_>, sources: &[Source]) -> Result<(), StepError> {
        if !self.is_shadowed(step) {
            return Ok(());
        }
        sources.iter().try_for_each(|&source| self.require_defined(step, source, Usage::Address))
    }

    pub(super) fn set_results(&mut self, step: &Step<'_>, results: &[Option<Register>], values: &[Lanes]) {
        let frame = &mut self.frames[step.path.frame];
        for (register, values) in results.iter().zip(values) {
            let Some(register) = *register else { continue };
            for lane in step.lanes() {
                frame.registers[register.0 as usize][lane] = values[lane];
            }
            frame.shadow.define(register, step.mask);
        }
    }
}

/// An error in reading texels: of the object, or of a memory access.
enum TexelError {
    Misuse(Misuse, usize),
    Step(StepError),
}

impl TexelError {
    fn within(self, handle: u64) -> StepError {
        match self {
            TexelError::Misuse(misuse, lane) => misused(misuse, handle, lane),
            TexelError::Step(error) => error,
        }
    }
}

impl From<StepError> for TexelError {
    fn from(error: StepError) -> Self {
        TexelError::Step(error)
    }
}

pub(super) fn misused(misuse: Misuse, handle: u64, lane: usize) -> StepError {
    StepError { kind: FaultKind::Texture { misuse: Box::new(misuse), handle }, lane: Some(lane) }
}

pub(super) fn require_geometry(has: Geometry, wants: Geometry) -> Result<(), Misuse> {
    if has == wants { Ok(()) } else { Err(Misuse::OtherGeometry { has, wants }) }
}

/// The result of a query (PTX ISA "txq", "suq", "istypep").
fn answer(objects: &Objects, query: &ObjectQuery, handle: u64, level: u64) -> Result<u32, Misuse> {
    let array = || {
        if query.is_surface {
            objects.surface(handle)
        } else {
            objects.texture(handle, None).map(|(array, _)| array)
        }
    };
    Ok(match query.what {
        Queried::Extent(axis) => {
            let array = array()?;
            if axis >= array.geometry.n_extents() {
                let wants = ["width", "height", "depth"][axis];
                return Err(Misuse::NoAxis { has: array.geometry, wants });
            }
            match u32::try_from(level) {
                Ok(level) if level < array.n_levels => array.extent_of(level)[axis],
                // There is no level after the last.
                _ => 0,
            }
        }
        Queried::Layers => match array()? {
            array if array.geometry.is_layered() => {
                array.n_layers / if array.geometry.is_cube() { 6 } else { 1 }
            }
            _ => 0,
        },
        Queried::Levels => match array()?.n_levels {
            1 => 0,
            n_levels => n_levels,
        },
        Queried::Samples => array().map(|_| 0)?,
        Queried::NormalizedCoordinates => {
            u32::from(objects.texture(handle, None)?.1.has_normalized_coordinates)
        }
        Queried::ForcedCoordinates => u32::from(!objects.sampler_alone(handle)?.has_normalized_coordinates),
        Queried::Filter => match objects.sampler(handle)?.filter {
            Filter::Point => 0,
            Filter::Linear => 1,
        },
        Queried::AddressMode(axis) => match objects.sampler(handle)?.address_modes[axis] {
            AddressMode::Wrap => 0,
            AddressMode::Mirror => 1,
            AddressMode::Clamp => 3,
            AddressMode::Border => 4,
        },
        // Surfaces are on arrays, whose row layout is not visible to programs.
        Queried::IsLinear => objects.surface(handle).map(|_| 0)?,
        Queried::Kind(kind) => u32::from(objects.kind(handle) == Some(kind)),
        Queried::Unspecified(reason) => return Err(Misuse::Unspecified(reason)),
    })
}

/// The register values of a texel's channels.
fn register_values(texel: [u32; N_CHANNELS], ty: TexelType) -> [u64; N_CHANNELS] {
    let half = |bits: u32| F16.round(F32.value(u64::from(bits)), Rounding::Nearest);
    match ty {
        TexelType::Float | TexelType::Integer => texel.map(u64::from),
        TexelType::Half => texel.map(half),
        TexelType::Halves => {
            let [r, g, b, a] = texel.map(half);
            [r | g << 16, b | a << 16, 0, 0]
        }
    }
}

/// The values of channels that the texel lacks.
fn missing_channels(kind: Kind) -> [u32; N_CHANNELS] {
    match kind {
        Kind::Float => [0, 0, 0, 1.0_f32.to_bits()],
        Kind::Integer => [0, 0, 0, 1],
    }
}
