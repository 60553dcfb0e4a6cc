//! Reads of textures, and accesses to surfaces.
//!
//! Texels lie in global memory, so that each goes through the checks of other accesses, and blocks that run at the same time claim
//! what they access.

use smallvec::SmallVec;

use super::access::{Access, Place, origin};
use super::claims::Claim;
use super::fault::{FaultKind, Touch, Usage};
use super::step::{Step, StepError};
use super::undefined::Hole;
use super::warp::Warp;
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::bytes::Width;
use crate::program::code::{
    Coordinates, LodSource, Memory, ObjectQuery, Order, Queried, Register, Source, SurfaceAccess,
    SurfaceAction, SurfaceEdge, SurfaceReduction, TextureAction, TextureRead,
};
use crate::texture::{Array, Filter, Geometry, Kind, Lod, Misuse, Sampler, Tap, gathered, mixed, taps};

/// How many numbers a texel has at most.
const N_CHANNELS: usize = 4;

/// The bits in memory of a texel's numbers.
type Bits = [u64; N_CHANNELS];

impl Warp {
    /// `tex`, `tld4`
    pub(super) fn read_texture(&mut self, step: &Step<'_>, read: &TextureRead) -> Result<(), StepError> {
        self.require_operands(step, step.instruction.op.sources().as_slice())?;
        let handles = self.addresses(step, &read.handle);
        let samplers = read.sampler.map(|sampler| self.addresses(step, &sampler));
        let place: SmallVec<[Lanes; 4]> = read.place.iter().map(|&source| self.value(step, source)).collect();
        let layers = read.layer.map_or([0; WARP_SIZE], |layer| self.value(step, layer));
        let mut results = [[0; WARP_SIZE]; N_CHANNELS];
        for lane in step.lanes() {
            let handle = handles[lane];
            let misused = |misuse| misused(misuse, handle, lane);
            let found = step.cx.objects.texture(handle, samplers.map(|samplers| samplers[lane]));
            let (array, sampler) = found.map_err(misused)?;
            let sampler = &sampler;
            require_geometry(array.geometry, read.geometry).map_err(misused)?;
            let (kind, sampler_kind) = (
                if read.ty == "f32" { Kind::Float } else { Kind::Integer },
                array.format.channel.kind(sampler.gives_normalized),
            );
            if kind != sampler_kind {
                let (has, is_normalized) = (array.format, sampler.gives_normalized);
                return Err(misused(Misuse::OtherKind { has, is_normalized, wants: read.ty }));
            }
            let coordinates = |idx: usize| place.get(idx).map_or(0, |lanes| lanes[lane] as u32);
            let at = std::array::from_fn(|idx| f32::from_bits(coordinates(idx)));
            // The number of a layer is not negative to a GPU, but for what is between.
            let layer = (layers[lane] as u32 as i32).max(0) as u32;
            let texel = match (read.action, read.coordinates) {
                (TextureAction::Gather(component), _) => self
                    .gather(step, lane, (array, sampler), at, component)
                    .map_err(|error| error.within(handle))?,
                (TextureAction::Read, Coordinates::Integer) => {
                    let at: [i64; 3] = std::array::from_fn(|idx| i64::from(coordinates(idx) as i32));
                    self.fetch(step, lane, (array, sampler), layer, at)
                        .map_err(|error| error.within(handle))?
                }
                (TextureAction::Read, Coordinates::Float) => {
                    let lod = self.lod(step, &read.lod, lane);
                    if array.geometry.is_cube() && array.n_levels > 1 && matches!(lod, Lod::Gradients(..)) {
                        let what = "the derivatives of a cubemap of several levels".to_owned();
                        return Err(StepError { kind: FaultKind::Unsupported(what), lane: Some(lane) });
                    }
                    self.sample(step, lane, (array, sampler), &taps(array, sampler, layer, at, lod))?
                }
            };
            for (result, number) in results.iter_mut().zip(texel) {
                result[lane] = u64::from(number);
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

    /// What a read is made of, weighed.
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
        let mut numbers = absent(format.channel.kind(is_normalized));
        for (idx, number) in numbers.iter_mut().enumerate().take(format.n_channels as usize) {
            *number = match texels[..] {
                // One texel is given as it is.
                [(Some(bits), _)] if !is_normalized => format.channel.bits(bits[idx]),
                _ => {
                    let values = texels.iter().map(|(bits, weight)| match bits {
                        Some(bits) => (format.channel.value(bits[idx], is_normalized), *weight),
                        None => (f64::from(sampler.border[idx]), *weight),
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

    /// A component of the four texels around a place.
    fn gather(
        &mut self,
        step: &Step<'_>,
        lane: usize,
        (array, sampler): (&Array, &Sampler),
        at: [f32; 3],
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

    /// A texel by its number.
    fn fetch(
        &mut self,
        step: &Step<'_>,
        lane: usize,
        (array, sampler): (&Array, &Sampler),
        layer: u32,
        at: [i64; 3],
    ) -> Result<[u32; N_CHANNELS], TexelError> {
        if sampler.filter == Filter::Linear || sampler.has_normalized_coordinates {
            return Err(TexelError::Misuse(Misuse::FetchesFiltered, lane));
        }
        let is_within = (0..3).all(|axis| (0..i64::from(array.extent[axis])).contains(&at[axis]));
        // CUDA C++ Programming Guide "tex1Dfetch()": beside the array there are zeros.
        let address =
            is_within.then(|| array.address_of(0, layer.min(array.n_layers - 1), at.map(|at| at as u32)));
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
        self.watch(&alone, &access.watched(&addresses, Touch::Read, Order::WEAK, 0))?;
        match unwritten {
            Some(origin) => Err(self.undefined(step, origin, Usage::Result, lane)),
            None => Ok(bits),
        }
    }

    /// `suld`, `sust`, `sured`
    pub(super) fn access_surface(
        &mut self,
        step: &Step<'_>,
        access: &SurfaceAccess,
    ) -> Result<(), StepError> {
        let sources: SmallVec<[Source; 8]> =
            access.handle.base.into_iter().chain(access.layer).chain(access.place.iter().copied()).collect();
        self.require_operands(step, &sources)?;
        let handles = self.addresses(step, &access.handle);
        let place: SmallVec<[Lanes; 4]> =
            access.place.iter().map(|&source| self.value(step, source)).collect();
        let layers = access.layer.map(|layer| self.value(step, layer));
        let n_elems = access.results.len().max(access.values.len()) as u64;
        let n_bytes = access.width.bytes() * n_elems;
        let (mut addresses, mut beside) = ([0; WARP_SIZE], 0_u32);
        for lane in step.lanes() {
            let misused = |misuse| misused(misuse, handles[lane], lane);
            let array = step.cx.objects.surface(handles[lane]).map_err(misused)?;
            require_geometry(array.geometry.of_surface(), access.geometry).map_err(misused)?;
            let coordinate =
                |idx: usize| place.get(idx).map_or(0, |lanes| i64::from(lanes[lane] as u32 as i32));
            let layer = layers.map_or(0, |layers| i64::from(layers[lane] as u32 as i32));
            let at =
                [coordinate(0), coordinate(1), if access.layer.is_some() { layer } else { coordinate(2) }];
            match self.surface_address(array, access, at, n_bytes).map_err(misused)? {
                Some(address) => addresses[lane] = address,
                None => beside |= 1 << lane,
            }
        }
        let inside = Step { mask: step.mask & !beside, ..*step };
        match access.action {
            SurfaceAction::Load => self.load_surface(step, &inside, access, &addresses),
            SurfaceAction::Store => {
                self.store_at(&inside, Memory::Global, &addresses, access.width, &access.values, Order::WEAK)
            }
            SurfaceAction::Reduce { op, .. } => self.reduce_surface(&inside, access, op, &addresses),
        }
    }

    /// Where an access goes; nowhere if it is beside the surface, and that is no mistake.
    fn surface_address(
        &self,
        array: &Array,
        access: &SurfaceAccess,
        at: [i64; 3],
        n_bytes: u64,
    ) -> Result<Option<u64>, Misuse> {
        let size = array.format.size();
        let [width, height, depth] = array.extent.map(u64::from);
        let extent = [width * size, height, depth * u64::from(array.n_layers)];
        let is_by_texel = matches!(access.action, SurfaceAction::Reduce { is_by_texel: true, .. });
        let at = if is_by_texel { [at[0] * size as i64, at[1], at[2]] } else { at };
        let room = [n_bytes, 1, 1];
        let is_within = (0..3).all(|axis| at[axis] >= 0 && at[axis] as u64 + room[axis] <= extent[axis]);
        let at = match (is_within, access.edge) {
            (true, _) => at,
            (false, SurfaceEdge::Trap) => return Err(Misuse::Outside { at, extent }),
            (false, SurfaceEdge::Zero) => return Ok(None),
            (false, SurfaceEdge::Clamp) => {
                std::array::from_fn(|axis| at[axis].clamp(0, extent[axis].saturating_sub(room[axis]) as i64))
            }
        };
        let [x, y, z] = at.map(|at| at as u64);
        Ok(Some(array.address + (z * extent[1] + y) * extent[0] + x))
    }

    fn load_surface(
        &mut self,
        step: &Step<'_>,
        inside: &Step<'_>,
        surface: &SurfaceAccess,
        addresses: &Lanes,
    ) -> Result<(), StepError> {
        let width = surface.width;
        let n_bytes = width.bytes() * surface.results.len() as u64;
        let access = Access { memory: Memory::Global, n_bytes, is_store: false, claim: Claim::Read };
        let mut loaded = [[0; WARP_SIZE]; N_CHANNELS];
        let mut holes = Vec::new();
        self.access(inside, access, addresses, |place| {
            let lane = place.lane;
            for (idx, loaded) in loaded[..surface.results.len()].iter_mut().enumerate() {
                let distance = idx as u64 * width.bytes();
                loaded[lane] = place.load(distance, width);
                if let Some(bits) = place.hole(distance, width) {
                    let origin = origin(step, access, lane, addresses[lane] + distance, width);
                    holes.push(Hole { idx, bits, origin });
                }
            }
        })?;
        self.set_results(step, &surface.results, &loaded);
        if !holes.is_empty() {
            self.load_undefined(inside, &surface.results, &holes, |bits| bits);
        }
        self.watch(inside, &access.watched(addresses, Touch::Read, Order::WEAK, 0))
    }

    fn reduce_surface(
        &mut self,
        inside: &Step<'_>,
        surface: &SurfaceAccess,
        op: SurfaceReduction,
        addresses: &Lanes,
    ) -> Result<(), StepError> {
        self.require_operands(inside, &surface.values)?;
        let SurfaceAccess { width, is_signed, .. } = *surface;
        let value = surface.values.first().map_or([0; WARP_SIZE], |&value| self.value(inside, value));
        let n_bytes = width.bytes();
        let access = Access { memory: Memory::Global, n_bytes, is_store: true, claim: Claim::Write };
        self.access(inside, access, addresses, |place: Place<'_>| {
            let operand = value[place.lane];
            place.update(0, width, |old| reduced(op, width, is_signed, old, operand));
        })?;
        self.watch(inside, &access.watched(addresses, Touch::Atomic, Order::WEAK, 0))
    }

    /// `txq`, `suq`
    pub(super) fn query_object(&mut self, step: &Step<'_>, query: &ObjectQuery) -> Result<(), StepError> {
        self.require_operands(step, step.instruction.op.sources().as_slice())?;
        let handles = self.addresses(step, &query.handle);
        let levels = query.level.map_or([0; WARP_SIZE], |level| self.value(step, level));
        let mut result = [0; WARP_SIZE];
        for lane in step.lanes() {
            let misused = |misuse| misused(misuse, handles[lane], lane);
            let (array, is_normalized) = if query.is_surface {
                (step.cx.objects.surface(handles[lane]).map_err(misused)?, false)
            } else {
                let (array, sampler) = step.cx.objects.texture(handles[lane], None).map_err(misused)?;
                (array, sampler.has_normalized_coordinates)
            };
            let n_faces = if array.geometry.is_cube() { 6 } else { 1 };
            result[lane] = u64::from(match query.what {
                // PTX ISA "txq": there is no image behind the last.
                Queried::Extent(_) if levels[lane] >= u64::from(array.n_levels) => 0,
                Queried::Extent(axis) => array.extent_of(levels[lane] as u32)[axis],
                Queried::Layers => array.n_layers / n_faces,
                Queried::Levels => array.n_levels,
                Queried::NormalizedCoordinates => u32::from(is_normalized),
            });
        }
        self.set_results(step, &[query.result], &[result]);
        Ok(())
    }

    fn require_operands(&self, step: &Step<'_>, sources: &[Source]) -> Result<(), StepError> {
        if !self.is_shadowed(step) {
            return Ok(());
        }
        sources.iter().try_for_each(|&source| self.require_defined(step, source, Usage::Address))
    }

    fn set_results(&mut self, step: &Step<'_>, results: &[Option<Register>], values: &[Lanes]) {
        let frame = &mut self.frames[step.split.frame];
        for (register, values) in results.iter().zip(values) {
            let Some(register) = *register else { continue };
            for lane in step.lanes() {
                frame.registers[register.0 as usize][lane] = values[lane];
            }
            frame.shadow.define(register, step.mask);
        }
    }
}

/// What is wrong with a read of texels: with the object, or with an access to memory.
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

fn misused(misuse: Misuse, handle: u64, lane: usize) -> StepError {
    StepError { kind: FaultKind::Texture { misuse: Box::new(misuse), handle }, lane: Some(lane) }
}

fn require_geometry(has: Geometry, wants: Geometry) -> Result<(), Misuse> {
    if has == wants { Ok(()) } else { Err(Misuse::OtherGeometry { has, wants }) }
}

/// What a read gives for the numbers that a texel has not.
fn absent(kind: Kind) -> [u32; N_CHANNELS] {
    match kind {
        Kind::Float => [0, 0, 0, 1.0_f32.to_bits()],
        Kind::Integer => [0, 0, 0, 1],
    }
}

fn reduced(op: SurfaceReduction, width: Width, is_signed: bool, old: u64, operand: u64) -> u64 {
    let mask = width.mask();
    let (old, operand) = (old & mask, operand & mask);
    let wide = |value: u64| if is_signed { i128::from(value as u32 as i32) } else { i128::from(value) };
    let is_less = wide(old) < wide(operand);
    mask & match op {
        SurfaceReduction::Add => old.wrapping_add(operand),
        SurfaceReduction::Min if is_less => old,
        SurfaceReduction::Max if !is_less => old,
        SurfaceReduction::Min | SurfaceReduction::Max => operand,
        SurfaceReduction::And => old & operand,
        SurfaceReduction::Or => old | operand,
    }
}
