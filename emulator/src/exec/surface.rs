//! Accesses to surfaces: by byte, or by texel; then the texel's channels determine what is stored or reduced
//! (PTX ISA "Surface Instructions").

use smallvec::SmallVec;

use super::access::{Access, Place, origin};
use super::claims::Claim;
use super::fault::{Touch, Usage};
use super::races::Watched;
use super::step::{Step, StepError};
use super::texture::{misused, require_geometry};
use super::undefined::Hole;
use super::warp::Warp;
use crate::compute::float::exact::{F16, F32, Rounding};
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::bytes::Width;
use crate::program::code::{
    Memory, Order, Source, SurfaceAccess, SurfaceAction, SurfaceEdge, SurfaceReduction,
};
use crate::texture::{Array, Channel, Format, Misuse};

/// The maximum number of elements of an access.
const N_NUMBERS: usize = 4;

impl Warp {
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
        let (mut addresses, mut beside) = ([0; WARP_SIZE], 0_u32);
        for lane in step.lanes() {
            let misused = |misuse| misused(misuse, handles[lane], lane);
            let array = step.cx.objects.surface(handles[lane]).map_err(misused)?;
            require_geometry(array.geometry.of_surface(), access.geometry).map_err(misused)?;
            let n_bytes = size_of(access, array.format).map_err(misused)?;
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
            SurfaceAction::StoreTexel => self.store_texels(&inside, access, &handles, &addresses),
            SurfaceAction::Reduce { op, .. } => {
                self.reduce_surface(&inside, access, op, &handles, &addresses)
            }
        }
    }

    /// The address of an access; `None` if it is outside the surface and the instruction permits that.
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
        let at = if access.action.is_by_texel() { [at[0] * size as i64, at[1], at[2]] } else { at };
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
        let mut loaded = [[0; WARP_SIZE]; N_NUMBERS];
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
        self.watch(inside, &access.watched(addresses, Touch::Read, Order::WEAK))
    }

    /// `sust.p`
    fn store_texels(
        &mut self,
        inside: &Step<'_>,
        surface: &SurfaceAccess,
        handles: &Lanes,
        addresses: &Lanes,
    ) -> Result<(), StepError> {
        for &value in &surface.values {
            self.require_defined(inside, value, Usage::Result)?;
        }
        let values: SmallVec<[Lanes; 4]> =
            surface.values.iter().map(|&value| self.value(inside, value)).collect();
        for lane in inside.lanes() {
            let misused = |misuse| misused(misuse, handles[lane], lane);
            let Format { channel, n_channels } =
                inside.cx.objects.surface(handles[lane]).map_err(misused)?.format;
            let numbers =
                values[..n_channels as usize].iter().map(|value| stored(channel, value[lane] as u32));
            let format = Format { channel, n_channels };
            let numbers: Option<SmallVec<[u64; 4]>> = numbers.collect();
            let numbers = numbers.ok_or(Misuse::NotRepresentable(format)).map_err(misused)?;
            let (width, alone) = (channel.width(), Step { mask: 1 << lane, ..*inside });
            let access = Access {
                memory: Memory::Global,
                n_bytes: format.size(),
                is_store: true,
                claim: Claim::Write,
            };
            let mut changed = [0; WARP_SIZE];
            self.access(&alone, access, addresses, |place| {
                for (distance, &number) in (0..).step_by(width.bytes() as usize).zip(&numbers) {
                    changed[lane] |= place.changes(distance, width, number);
                    place.store(distance, width, number, 0);
                }
            })?;
            let watched = access.watched(addresses, Touch::Write, Order::WEAK);
            self.watch(&alone, &Watched { changed: &changed, ..watched })?;
        }
        Ok(())
    }

    fn reduce_surface(
        &mut self,
        inside: &Step<'_>,
        surface: &SurfaceAccess,
        op: SurfaceReduction,
        handles: &Lanes,
        addresses: &Lanes,
    ) -> Result<(), StepError> {
        self.require_operands(inside, &surface.values)?;
        let width = surface.width;
        let mut is_signed = [surface.is_signed; WARP_SIZE];
        if surface.action.is_by_texel() {
            for lane in inside.lanes() {
                let array = inside.cx.objects.surface(handles[lane]);
                let array = array.map_err(|misuse| misused(misuse, handles[lane], lane))?;
                is_signed[lane] = array.format.channel == Channel::S32;
            }
        }
        let value = surface.values.first().map_or([0; WARP_SIZE], |&value| self.value(inside, value));
        let n_bytes = width.bytes();
        let access = Access { memory: Memory::Global, n_bytes, is_store: true, claim: Claim::Write };
        self.access(inside, access, addresses, |place: Place<'_>| {
            let operand = value[place.lane];
            place.update(0, width, |old| reduced(op, width, is_signed[place.lane], old, operand));
        })?;
        self.watch(inside, &access.watched(addresses, Touch::Atomic, Order::WEAK))
    }
}

/// The size of an access in bytes; for texels, that of the texel.
fn size_of(access: &SurfaceAccess, format: Format) -> Result<u64, Misuse> {
    let n_bytes = access.width.bytes();
    match access.action {
        SurfaceAction::Load | SurfaceAction::Store => {
            Ok(n_bytes * access.results.len().max(access.values.len()) as u64)
        }
        SurfaceAction::StoreTexel if access.values.len() < format.n_channels as usize => {
            Err(Misuse::TooFewNumbers { has: format, n: access.values.len() })
        }
        SurfaceAction::StoreTexel => Ok(format.size()),
        SurfaceAction::Reduce { is_by_texel: true, .. }
            if !matches!(format.channel, Channel::U32 | Channel::S32) || format.size() != n_bytes =>
        {
            Err(Misuse::NotReducible { has: format, n_bits: 8 * n_bytes })
        }
        SurfaceAction::Reduce { .. } => Ok(n_bytes),
    }
}

/// The bits in memory of a number in a register, whose kind is that of the texel; `None` if the texel cannot
/// represent it (PTX ISA "sust": the result is unspecified).
fn stored(channel: Channel, number: u32) -> Option<u64> {
    let (bits, signed) = (u64::from(number), i64::from(number as i32));
    match channel {
        Channel::U8 | Channel::U16 | Channel::U32 => (bits <= channel.width().mask()).then_some(bits),
        Channel::S8 => i8::try_from(signed).ok().map(|number| u64::from(number as u8)),
        Channel::S16 => i16::try_from(signed).ok().map(|number| u64::from(number as u16)),
        Channel::S32 | Channel::F32 => Some(bits),
        Channel::F16 => {
            let half = F16.round(F32.value(bits), Rounding::Nearest);
            (F16.value(half).compare(F32.value(bits)).is_none_or(|order| order.is_eq())).then_some(half)
        }
    }
}

fn reduced(op: SurfaceReduction, width: Width, is_signed: bool, old: u64, operand: u64) -> u64 {
    let mask = width.mask();
    let (old, operand) = (old & mask, operand & mask);
    let sign = 1_u64 << (8 * width.bytes() - 1);
    // Flipping the sign bit orders signed integers like unsigned ones.
    let wide = |value: u64| if is_signed { value ^ sign } else { value };
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
