//! Reads of textures, accesses to surfaces, and what is asked of both (PTX ISA "Texture Instructions", "Surface Instructions").

use smallvec::SmallVec;

use super::code::{
    Address, Coordinates, LodSource, Memory, ObjectQuery, Op, Queried, Source, SurfaceAccess, SurfaceAction,
    SurfaceEdge, SurfaceReduction, TexelType, TextureAction, TextureRead,
};
use super::operand::{Decoded, InstructionDecoder};
use crate::memory::bytes::Width;
use crate::ptx::syntax::{Initializer, Instruction, Operand, Property, Type, Variable};
use crate::texture::{AddressMode, Filter, Geometry, ObjectKind, Sampler};

/// PTX has lists of as many numbers, whatever is needed.
const LIST: usize = 4;

/// Why reads are not executed that compare.
const NO_COMPARISON: &str = "depth comparison is a property of the sampler that CUDA cannot set";

/// Why reads of multi-sample textures are not executed.
const NO_SAMPLES: &str = "multi-sample textures cannot be created with CUDA";

/// Why reads by the numbers of texels with derivatives are not executed.
const NO_DERIVATIVES: &str = "derivatives with texel coordinates are not specified by the PTX ISA";

/// Why formats are not told.
const NO_ENUMERATION: &str = "the channel data type is queried, whose values CUDA does not specify";

/// What the geometry of a read is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadGeometry {
    Single(Geometry),
    /// `.2dms`, `.a2dms`: so many numbers stand in front of the coordinates.
    MultiSample(usize),
}

impl<'t> InstructionDecoder<'_, 't> {
    /// `tex`, `tld4`
    pub(super) fn texture_read(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let unknown = |names: &Self| Err(names.unknown(instruction));
        let modifiers = &instruction.modifiers[..];
        let (action, lod, geometry, types) = match (instruction.opcode, modifiers) {
            ("tex", ["level", geometry, types @ ..]) => {
                (TextureAction::Read, Some("level"), *geometry, types)
            }
            ("tex", ["grad", geometry, types @ ..]) => (TextureAction::Read, Some("grad"), *geometry, types),
            ("tex", ["base", geometry, types @ ..] | [geometry, types @ ..]) => {
                (TextureAction::Read, None, *geometry, types)
            }
            (
                "tld4",
                [
                    component @ ("r" | "g" | "b" | "a"),
                    geometry @ ("2d" | "a2d" | "cube" | "acube"),
                    types @ ..,
                ],
            ) => {
                let component = ["r", "g", "b", "a"].iter().position(|name| name == component).unwrap_or(0);
                (TextureAction::Gather(component as u32), None, *geometry, types)
            }
            _ => return unknown(self),
        };
        let geometry = match geometry {
            "2dms" | "a2dms" if lod.is_some() => return unknown(self),
            "2dms" => ReadGeometry::MultiSample(1),
            "a2dms" => ReadGeometry::MultiSample(2),
            name => match Geometry::named(name) {
                Some(geometry) => ReadGeometry::Single(geometry),
                None => return unknown(self),
            },
        };
        let is_gather = action != TextureAction::Read;
        let (ty, coordinates) = match types {
            ["v4", "f32", coordinates] => (TexelType::Float, *coordinates),
            ["v4", "s32" | "u32", coordinates] => (TexelType::Integer, *coordinates),
            ["v4", "f16", coordinates] if !is_gather => (TexelType::Half, *coordinates),
            ["v2", "f16x2", coordinates] if !is_gather => (TexelType::Halves, *coordinates),
            _ => return unknown(self),
        };
        let coordinates = match (coordinates, geometry) {
            ("f32", ReadGeometry::Single(_)) => Coordinates::Float,
            ("s32", ReadGeometry::MultiSample(_)) => Coordinates::Integer,
            ("s32", ReadGeometry::Single(geometry)) if !geometry.is_cube() && !is_gather => {
                Coordinates::Integer
            }
            _ => return unknown(self),
        };
        let [result, Operand::Parts(place), behind @ ..] = &instruction.operands[..] else {
            return Err(self.misfit("a texture read takes a result and coordinates in brackets"));
        };
        let (result, resident) = match result {
            Operand::Pair(both) => {
                self.require_target("a residency predicate", (7, 1), 60)?;
                (&both.0, self.result(&both.1, Type::Pred)?)
            }
            result => (result, None),
        };
        let (n_results, result_ty) = match ty {
            TexelType::Float => (LIST, Type::F32),
            TexelType::Integer => (LIST, Type::B32),
            TexelType::Half => (LIST, Type::F16),
            TexelType::Halves => (LIST / 2, Type::F16x2),
        };
        let results = self.numbers(result, n_results)?;
        let results = results.iter().map(|&it| self.result(it, result_ty)).collect::<Decoded<_>>()?;
        let (handle, sampler, list) = match &place[..] {
            [handle, list] => (handle, None, list),
            [handle, sampler, list] => (handle, Some(sampler), list),
            _ => return Err(self.misfit("expected a texture, a sampler and coordinates")),
        };
        let handle = self.handle(handle, &[ObjectKind::Texture])?;
        let sampler = sampler.map(|sampler| self.handle(sampler, &[ObjectKind::Sampler])).transpose()?;
        let (n_in_front, n_coordinates) = match geometry {
            ReadGeometry::Single(geometry) => (usize::from(geometry.is_layered()), geometry.n_coordinates()),
            ReadGeometry::MultiSample(n_in_front) => (n_in_front, 2),
        };
        let mut place = self.coordinates(list, n_in_front + n_coordinates, |idx| {
            if idx < n_in_front || coordinates == Coordinates::Integer { Type::B32 } else { Type::F32 }
        })?;
        let layer = (n_in_front > 0).then(|| place.remove(0));
        let (lod, behind) = match (lod, behind) {
            (Some("level"), [level, rest @ ..]) => {
                (LodSource::Level(self.source(level, level_type(coordinates))?), rest)
            }
            (Some("grad"), [dx, dy, rest @ ..]) => (
                LodSource::Gradients(
                    self.derivatives(dx, n_coordinates)?,
                    self.derivatives(dy, n_coordinates)?,
                ),
                rest,
            ),
            (None, rest) => (LodSource::Base, rest),
            _ => return Err(self.misfit("the mipmap level is missing")),
        };
        let (offset, is_compared) = self.offset_and_depth(behind, geometry, coordinates)?;
        let (geometry, of_geometry) = match geometry {
            // With the numbers of texels, an array of one dimension gives zeros on an H200.
            ReadGeometry::Single(Geometry::OneD) if coordinates == Coordinates::Integer => {
                (Geometry::Linear, None)
            }
            ReadGeometry::Single(geometry) => (geometry, None),
            ReadGeometry::MultiSample(_) => (Geometry::TwoD, Some(NO_SAMPLES)),
        };
        let has_derivatives = coordinates == Coordinates::Integer && matches!(lod, LodSource::Gradients(..));
        let of_operands = is_compared.then_some(NO_COMPARISON).or(has_derivatives.then_some(NO_DERIVATIVES));
        let read = TextureRead {
            action,
            geometry,
            handle,
            sampler,
            layer,
            place,
            coordinates,
            lod,
            offset,
            ty,
            unspecified: of_geometry.or(of_operands),
            results,
            resident,
        };
        Ok(Op::Texture(Box::new(read)))
    }

    /// `dPdx` and `dPdy`: lists, of four numbers for three.
    fn derivatives(&mut self, list: &Operand<'t>, n: usize) -> Decoded<SmallVec<[Source; 4]>> {
        let n_written = if n == 3 { LIST } else { n };
        match list {
            Operand::Vector(items) if items.len() == n_written => self.coordinates(list, n, |_| Type::F32),
            _ => Err(self.misfit(format!("expected a list of {n_written} derivatives"))),
        }
    }

    /// `{, e} {, f}`: by how many texels the place is moved, and a depth with which those that are there are compared, of which is
    /// told here only whether it is there.
    fn offset_and_depth(
        &mut self,
        operands: &[Operand<'t>],
        geometry: ReadGeometry,
        coordinates: Coordinates,
    ) -> Decoded<(SmallVec<[Source; 4]>, bool)> {
        let (offset, depth) = match operands {
            [] => (None, None),
            [offset @ Operand::Vector(_)] => (Some(offset), None),
            [depth] => (None, Some(depth)),
            [offset @ Operand::Vector(_), depth] => (Some(offset), Some(depth)),
            _ => return Err(self.misfit("only an offset in braces and a depth may follow the coordinates")),
        };
        let offset = match (offset, geometry) {
            (None, _) => SmallVec::new(),
            (Some(_), ReadGeometry::Single(Geometry::Cubemap | Geometry::CubemapLayered)) => {
                return Err(self.misfit("cubemaps do not support offsets"));
            }
            (Some(offset), ReadGeometry::Single(geometry)) => {
                self.coordinates(offset, geometry.n_coordinates(), |_| Type::S32)?
            }
            (Some(offset), ReadGeometry::MultiSample(_)) => self.coordinates(offset, 2, |_| Type::S32)?,
        };
        if let Some(depth) = depth {
            if coordinates == Coordinates::Integer || geometry == ReadGeometry::Single(Geometry::ThreeD) {
                return Err(self.misfit(
                    "depth comparison is not supported in three dimensions or with texel coordinates",
                ));
            }
            self.source(depth, Type::F32)?;
        }
        Ok((offset, depth.is_some()))
    }

    /// `suld`, `sust`, `sured`
    pub(super) fn surface_access(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let unknown = |names: &Self| Err(names.unknown(instruction));
        let is_cached = |it: &str| match instruction.opcode {
            "suld" => matches!(it, "ca" | "cg" | "cs" | "cv"),
            "sust" => matches!(it, "wb" | "cg" | "cs" | "wt"),
            _ => false,
        };
        let modifiers: SmallVec<[&str; 6]> =
            instruction.modifiers.iter().copied().filter(|it| !is_cached(it)).collect();
        let [form @ ("b" | "p"), types @ .., edge] = &modifiers[..] else { return unknown(self) };
        let edge = match *edge {
            "trap" => SurfaceEdge::Trap,
            "clamp" => SurfaceEdge::Clamp,
            "zero" => SurfaceEdge::Zero,
            _ => return unknown(self),
        };
        let (action, types) = match (instruction.opcode, *form, types) {
            ("suld", "b", types) => (SurfaceAction::Load, types),
            ("sust", "b", types) => (SurfaceAction::Store, types),
            ("sust", "p", types) => (SurfaceAction::StoreTexel, types),
            ("sured", _, [op, rest @ ..]) => {
                let op = match *op {
                    "add" => SurfaceReduction::Add,
                    "min" => SurfaceReduction::Min,
                    "max" => SurfaceReduction::Max,
                    "and" => SurfaceReduction::And,
                    "or" => SurfaceReduction::Or,
                    _ => return unknown(self),
                };
                (SurfaceAction::Reduce { op, is_by_texel: *form == "p" }, rest)
            }
            // `suld.p` is not known to ptxas any more.
            _ => return unknown(self),
        };
        let (geometry, n_elems, ty) = match *types {
            [geometry, ty] => (geometry, 1, ty),
            [geometry, "v2", ty] => (geometry, 2, ty),
            [geometry, "v4", ty] => (geometry, 4, ty),
            _ => return unknown(self),
        };
        let Some(geometry) = Geometry::named(geometry).filter(|geometry| !geometry.is_cube()) else {
            return unknown(self);
        };
        let is_reduction = matches!(action, SurfaceAction::Reduce { .. });
        if is_reduction && (n_elems > 1 || geometry.is_layered()) {
            return unknown(self);
        }
        let found = match action {
            SurfaceAction::Load | SurfaceAction::Store => accessed(ty, n_elems),
            SurfaceAction::StoreTexel => (ty == "b32").then_some((Width::B4, Type::B32, false)),
            SurfaceAction::Reduce { op, is_by_texel } => reduced(op, is_by_texel, ty),
        };
        let Some((width, register, is_signed)) = found else { return unknown(self) };
        if let (SurfaceAction::Reduce { op, .. }, Width::B8) = (action, width)
            && op != SurfaceReduction::Add
        {
            self.require_target("the least and the greatest of 64 bits", (8, 1), 0)?;
        }
        let (result, place, value) = match (action, &instruction.operands[..]) {
            (SurfaceAction::Load, [result, Operand::Parts(place)]) => (Some(result), place, None),
            (SurfaceAction::Reduce { .. }, [Operand::Parts(_), Operand::Vector(_)]) => {
                return Err(self.misfit("a reduction takes one number, without braces"));
            }
            (
                SurfaceAction::Store | SurfaceAction::StoreTexel | SurfaceAction::Reduce { .. },
                [Operand::Parts(place), value],
            ) => (None, place, Some(value)),
            _ => return Err(self.misfit("a surface access takes a value and coordinates in brackets")),
        };
        let [handle, list] = &place[..] else {
            return Err(self.misfit("expected a surface and coordinates"));
        };
        let handle = self.handle(handle, &[ObjectKind::Surface])?;
        let n_place = geometry.n_coordinates() + usize::from(geometry.is_layered());
        let mut place = self.coordinates(list, n_place, |_| Type::B32)?;
        let layer = geometry.is_layered().then(|| place.remove(0));
        let mut results = SmallVec::new();
        for it in result.map_or(Ok(SmallVec::new()), |result| self.numbers(result, n_elems))? {
            results.push(self.wide_result(it, register)?.0);
        }
        let mut values = SmallVec::new();
        for it in value.map_or(Ok(SmallVec::new()), |value| self.numbers(value, n_elems))? {
            values.push(self.wide_source(it, register)?);
        }
        let access =
            SurfaceAccess { action, geometry, handle, layer, place, edge, width, is_signed, results, values };
        Ok(Op::Surface(Box::new(access)))
    }

    /// `txq`, `suq`
    pub(super) fn object_query(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        if let ("istypep", [kind]) = (instruction.opcode, &instruction.modifiers[..]) {
            return self.kind_query(instruction, kind);
        }
        let (is_surface, level, what) = match (instruction.opcode, &instruction.modifiers[..]) {
            ("txq", ["level", what @ ("width" | "height" | "depth"), "b32"]) => (false, true, *what),
            ("txq", [what, "b32"]) => (false, false, *what),
            ("suq", [what, "b32"]) => (true, false, *what),
            _ => return Err(self.unknown(instruction)),
        };
        let what = match what {
            "width" => Queried::Extent(0),
            "height" => Queried::Extent(1),
            "depth" => Queried::Extent(2),
            "array_size" => Queried::Layers,
            "num_mipmap_levels" if !is_surface => Queried::Levels,
            "num_samples" if !is_surface => Queried::Samples,
            "normalized_coords" if !is_surface => Queried::NormalizedCoordinates,
            "force_unnormalized_coords" if !is_surface => Queried::ForcedCoordinates,
            "filter_mode" if !is_surface => Queried::Filter,
            "addr_mode_0" if !is_surface => Queried::AddressMode(0),
            "addr_mode_1" if !is_surface => Queried::AddressMode(1),
            "addr_mode_2" if !is_surface => Queried::AddressMode(2),
            "memory_layout" if is_surface => Queried::IsLinear,
            "channel_data_type" | "channel_order" => Queried::Unspecified(NO_ENUMERATION),
            _ => return Err(self.unknown(instruction)),
        };
        let (result, handle, level) = match (&instruction.operands[..], level) {
            ([result, handle], false) => (result, handle, None),
            ([result, handle, level], true) => (result, handle, Some(self.source(level, Type::B32)?)),
            _ => return Err(self.misfit("a query takes a result and an object in brackets")),
        };
        let kinds: &[ObjectKind] = match what {
            _ if is_surface => &[ObjectKind::Surface],
            Queried::ForcedCoordinates => &[ObjectKind::Sampler],
            Queried::Filter | Queried::AddressMode(_) => &[ObjectKind::Texture, ObjectKind::Sampler],
            _ => &[ObjectKind::Texture],
        };
        let (result, handle) = (self.result(result, Type::B32)?, self.handle(handle, kinds)?);
        Ok(Op::ObjectQuery(Box::new(ObjectQuery { is_surface, what, handle, level, result })))
    }

    /// `istypep`
    fn kind_query(&mut self, instruction: &Instruction<'t>, kind: &str) -> Decoded<Op> {
        let kind = match kind {
            "texref" => ObjectKind::Texture,
            "samplerref" => ObjectKind::Sampler,
            "surfref" => ObjectKind::Surface,
            _ => return Err(self.unknown(instruction)),
        };
        let [result, Operand::Name(handle)] = &instruction.operands[..] else {
            return Err(self.misfit("`istypep` takes a predicate and a register with a handle"));
        };
        self.source(&Operand::Name(handle), Type::B64)?;
        let address = crate::ptx::syntax::Address { base: Some(handle), offset: 0 };
        let handle = self.address(&Operand::Address(address), Memory::Global)?;
        if handle.base.is_none() {
            return Err(self.misfit("`istypep` takes a register, not a variable"));
        }
        let (result, what) = (self.result(result, Type::Pred)?, Queried::Kind(kind));
        Ok(Op::ObjectQuery(Box::new(ObjectQuery { is_surface: false, what, handle, level: None, result })))
    }

    /// A register with a handle, or the name of an opaque variable of one of the kinds, whose address is its handle.
    fn handle(&mut self, operand: &Operand<'t>, kinds: &[ObjectKind]) -> Decoded<Address> {
        let address = match operand {
            Operand::Name(name) => crate::ptx::syntax::Address { base: Some(name), offset: 0 },
            Operand::Address(address) => *address,
            _ => return Err(self.misfit("expected the handle of a texture or surface")),
        };
        if let Some(name) = address.base
            && self.register(&Operand::Name(name))?.is_none()
            && !self.is_object(name, kinds)
        {
            return Err(self.misfit(format!("the instruction does not accept the variable `{name}`")));
        }
        self.address(&Operand::Address(address), Memory::Global)
    }

    fn is_object(&self, name: &str, kinds: &[ObjectKind]) -> bool {
        self.symbols.object(name).is_some_and(|kind| kinds.contains(&kind))
    }

    /// Coordinates: one of them alone, or a list, which may be longer than is needed.
    fn coordinates(
        &mut self,
        list: &Operand<'t>,
        n: usize,
        ty: impl Fn(usize) -> Type,
    ) -> Decoded<SmallVec<[Source; 4]>> {
        let items: &[Operand<'t>] = match list {
            Operand::Vector(items) => items,
            one => std::slice::from_ref(one),
        };
        let n_written = if n == 3 { LIST } else { n };
        if items.len() < n || !items.len().is_power_of_two() || items.len() > LIST {
            let message = format!("expected {n_written} numbers in the list, found {}", items.len());
            return Err(self.misfit(message));
        }
        // What is behind them is not looked at.
        for beyond in &items[n..] {
            self.register(beyond)?;
        }
        items[..n].iter().enumerate().map(|(idx, item)| self.source(item, ty(idx))).collect()
    }

    fn numbers<'o>(&self, list: &'o Operand<'t>, n: usize) -> Decoded<SmallVec<[&'o Operand<'t>; 4]>> {
        match list {
            Operand::Vector(items) if items.len() == n => Ok(items.iter().collect()),
            one if n == 1 && !matches!(one, Operand::Vector(_)) => Ok(SmallVec::from_slice(&[one])),
            _ => Err(self.misfit(format!("expected a list of {n} registers"))),
        }
    }
}

/// What a variable of the type is, if it is a texture, sampler or surface.
pub(super) fn kind_of(ty: Type) -> Option<ObjectKind> {
    match ty {
        Type::Texref => Some(ObjectKind::Texture),
        Type::Samplerref => Some(ObjectKind::Sampler),
        Type::Surfref => Some(ObjectKind::Surface),
        _ => None,
    }
}

/// Whether a variable of the type is a texture, sampler or surface.
pub(super) fn is_opaque(ty: Type) -> bool {
    kind_of(ty).is_some()
}

/// The sampler that a variable is, if its text says how it reads (PTX ISA "Texture, Sampler and Surface Types").
pub(super) fn sampler_of(variable: &Variable<'_>) -> Result<Option<Sampler>, String> {
    let Some(init) = variable.init.as_ref().filter(|_| is_opaque(variable.ty)) else { return Ok(None) };
    if variable.ty != Type::Samplerref {
        return Err(format!("only the host can set properties of a `.{}`", variable.ty.name()));
    }
    let items = match init {
        Initializer::List(items) => &items[..],
        other => std::slice::from_ref(other),
    };
    let mut sampler = Sampler { has_normalized_coordinates: true, ..Sampler::default() };
    for item in items {
        let Initializer::Property(name, value) = item else {
            return Err("the initial value of a sampler must be a list of its properties".to_owned());
        };
        let unknown = || format!("invalid value of the sampler property `{name}`");
        match (*name, *value) {
            ("addr_mode_0" | "addr_mode_1" | "addr_mode_2", Property::Word(word)) => {
                let axis = usize::from(name.as_bytes()[name.len() - 1] - b'0');
                sampler.address_modes[axis] = address_mode(word).ok_or_else(unknown)?;
            }
            ("filter_mode", Property::Word("nearest")) => sampler.filter = Filter::Point,
            ("filter_mode", Property::Word("linear")) => sampler.filter = Filter::Linear,
            ("force_unnormalized_coords", Property::Number(is_forced)) => {
                sampler.has_normalized_coordinates = is_forced == 0;
            }
            _ => return Err(unknown()),
        }
    }
    Ok(Some(sampler))
}

fn address_mode(word: &str) -> Option<AddressMode> {
    Some(match word {
        "wrap" => AddressMode::Wrap,
        "mirror" => AddressMode::Mirror,
        "clamp_to_edge" => AddressMode::Clamp,
        "clamp_to_border" => AddressMode::Border,
        _ => return None,
    })
}

/// The width of the numbers that are loaded or stored, the type of their registers, and whether they have a sign.
fn accessed(ty: &str, n_elems: usize) -> Option<(Width, Type, bool)> {
    Some(match ty {
        "b8" => (Width::B1, Type::B16, false),
        "b16" => (Width::B2, Type::B16, false),
        "b32" => (Width::B4, Type::B32, false),
        "b64" if n_elems < LIST => (Width::B8, Type::B64, false),
        _ => return None,
    })
}

/// The same of what is reduced: by texel, these say whether the numbers have a sign.
fn reduced(op: SurfaceReduction, is_by_texel: bool, ty: &str) -> Option<(Width, Type, bool)> {
    use SurfaceReduction::{Add, And, Max, Min, Or};
    match (is_by_texel, op, ty) {
        (true, _, "b32") | (false, And | Or, "b32") | (false, Add | Min | Max, "u32") => {
            Some((Width::B4, Type::B32, false))
        }
        (false, Add | Min | Max, "s32") => Some((Width::B4, Type::B32, true)),
        (true, Min | Max, "b64") | (false, Add | Min | Max, "u64") => Some((Width::B8, Type::B64, false)),
        (false, Min | Max, "s64") => Some((Width::B8, Type::B64, true)),
        _ => None,
    }
}

fn level_type(coordinates: Coordinates) -> Type {
    match coordinates {
        Coordinates::Float => Type::F32,
        Coordinates::Integer => Type::B32,
    }
}
