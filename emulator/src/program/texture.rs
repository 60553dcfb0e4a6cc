//! Reads of textures, accesses to surfaces, and what is asked of both (PTX ISA "Texture Instructions", "Surface Instructions").

use smallvec::SmallVec;

use super::code::{
    Address, Coordinates, LodSource, Memory, ObjectQuery, Op, Queried, Source, SurfaceAccess, SurfaceAction,
    SurfaceEdge, SurfaceReduction, TextureAction, TextureRead,
};
use super::operand::{Decoded, Names};
use crate::memory::bytes::Width;
use crate::ptx::syntax::{Initializer, Instruction, Operand, Property, Type, Variable};
use crate::texture::{AddressMode, Filter, Geometry, Sampler};

/// PTX has lists of as many numbers, whatever is needed.
const LIST: usize = 4;

impl<'t> Names<'_, 't> {
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
            ("tld4", [component @ ("r" | "g" | "b" | "a"), "2d", types @ ..]) => {
                let component = ["r", "g", "b", "a"].iter().position(|name| name == component).unwrap_or(0);
                (TextureAction::Gather(component as u32), None, "2d", types)
            }
            _ => return unknown(self),
        };
        let Some(geometry) = Geometry::named(geometry) else { return unknown(self) };
        let (["v4", ty, coordinates], Some(result_ty)) = (types, types.get(1).and_then(|ty| texel_type(ty)))
        else {
            return unknown(self);
        };
        let coordinates = match *coordinates {
            "f32" => Coordinates::Float,
            // Of such coordinates there is no level of detail to be worked out.
            "s32" if action == TextureAction::Read && lod != Some("grad") && !geometry.is_cube() => {
                Coordinates::Integer
            }
            _ => return unknown(self),
        };
        let ty = if *ty == "f32" { "f32" } else { "s32" };
        let [result, Operand::Parts(place), behind @ ..] = &instruction.operands[..] else {
            return Err(self.error("a read of a texture has a result and a place in brackets"));
        };
        let (result, resident) = match result {
            Operand::Pair(both) => {
                self.require_target("a predicate that tells of residency", (7, 1), 60)?;
                (&both.0, self.result(&both.1, Type::Pred)?)
            }
            result => (result, None),
        };
        let results =
            self.listed(result)?.iter().map(|&it| self.result(it, result_ty)).collect::<Decoded<_>>()?;
        let (handle, sampler, list) = match &place[..] {
            [handle, list] => (handle, None, list),
            [handle, sampler, list] => (handle, Some(sampler), list),
            _ => return Err(self.error("the place in a texture is a texture, a sampler and coordinates")),
        };
        let handle = self.handle(handle)?;
        let sampler = sampler.map(|sampler| self.handle(sampler)).transpose()?;
        let n_place = geometry.n_coordinates() + usize::from(geometry.is_layered());
        let mut place = self.coordinates(list, n_place, |idx| {
            if idx == 0 && geometry.is_layered() || coordinates == Coordinates::Integer {
                Type::B32
            } else {
                Type::F32
            }
        })?;
        let layer = geometry.is_layered().then(|| place.remove(0));
        let (lod, behind) = match (lod, behind) {
            (Some("level"), [level, rest @ ..]) => {
                (LodSource::Level(self.source(level, level_type(coordinates))?), rest)
            }
            (Some("grad"), [dx, dy, rest @ ..]) => {
                let mut derivatives = |list| self.coordinates(list, geometry.n_coordinates(), |_| Type::F32);
                (LodSource::Gradients(derivatives(dx)?, derivatives(dy)?), rest)
            }
            (None, rest) => (LodSource::Base, rest),
            _ => return Err(self.error("the level of the read is missing")),
        };
        if !behind.is_empty() {
            return Err(self.error("offsets and comparisons of reads of textures are not supported yet"));
        }
        let read = TextureRead {
            action,
            geometry,
            handle,
            sampler,
            layer,
            place,
            coordinates,
            lod,
            ty,
            results,
            resident,
        };
        Ok(Op::Texture(Box::new(read)))
    }

    /// `suld`, `sust`, `sured`
    pub(super) fn surface_access(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let unknown = |names: &Self| Err(names.unknown(instruction));
        let modifiers: SmallVec<[&str; 6]> = instruction
            .modifiers
            .iter()
            .copied()
            .filter(|it| !matches!(*it, "ca" | "cg" | "cs" | "cv" | "wb" | "wt"))
            .collect();
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
            // Conversions are what nobody writes: nvcc and LLVM have `.b` alone.
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
        let (width, register, is_signed) = match ty {
            "b8" if !is_reduction => (Width::B1, Type::B16, false),
            "b16" if !is_reduction => (Width::B2, Type::B16, false),
            "b32" => (Width::B4, Type::B32, false),
            "u32" if is_reduction => (Width::B4, Type::B32, false),
            "s32" if is_reduction => (Width::B4, Type::B32, true),
            "b64" if !is_reduction && n_elems < 4 => (Width::B8, Type::B64, false),
            "u64" if is_reduction => (Width::B8, Type::B64, false),
            _ => return unknown(self),
        };
        let (result, place, value) = match (action, &instruction.operands[..]) {
            (SurfaceAction::Load, [result, Operand::Parts(place)]) => (Some(result), place, None),
            (SurfaceAction::Store | SurfaceAction::Reduce { .. }, [Operand::Parts(place), value]) => {
                (None, place, Some(value))
            }
            _ => return Err(self.error("an access to a surface has a value and a place in brackets")),
        };
        let [handle, list] = &place[..] else {
            return Err(self.error("the place on a surface is a surface and coordinates"));
        };
        let handle = self.handle(handle)?;
        let n_place = geometry.n_coordinates() + usize::from(geometry.is_layered());
        let mut place = self.coordinates(list, n_place, |_| Type::B32)?;
        let layer = geometry.is_layered().then(|| place.remove(0));
        let mut results = SmallVec::new();
        for it in result.map_or(Ok(SmallVec::new()), |result| self.numbers(result, n_elems))? {
            results.push(self.result(it, register)?);
        }
        let mut values = SmallVec::new();
        for it in value.map_or(Ok(SmallVec::new()), |value| self.numbers(value, n_elems))? {
            values.push(self.source(it, register)?);
        }
        let access =
            SurfaceAccess { action, geometry, handle, layer, place, edge, width, is_signed, results, values };
        Ok(Op::Surface(Box::new(access)))
    }

    /// `txq`, `suq`
    pub(super) fn object_query(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
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
            "normalized_coords" if !is_surface => Queried::NormalizedCoordinates,
            _ => return Err(self.unknown(instruction)),
        };
        let (result, handle, level) = match (&instruction.operands[..], level) {
            ([result, handle], false) => (result, handle, None),
            ([result, handle, level], true) => (result, handle, Some(self.source(level, Type::B32)?)),
            _ => return Err(self.error("a query has a result and an object in brackets")),
        };
        let (result, handle) = (self.result(result, Type::B32)?, self.handle(handle)?);
        Ok(Op::ObjectQuery(Box::new(ObjectQuery { is_surface, what, handle, level, result })))
    }

    /// A register with a handle, or the name of an opaque variable, whose address is its handle.
    fn handle(&mut self, operand: &Operand<'t>) -> Decoded<Address> {
        match operand {
            Operand::Name(name) => {
                let address = crate::ptx::syntax::Address { base: Some(name), offset: 0 };
                self.address(&Operand::Address(address), Memory::Global)
            }
            address @ Operand::Address(_) => self.address(address, Memory::Global),
            _ => Err(self.error("the handle of a texture or surface is expected")),
        }
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
        if items.len() != n_written && items.len() != n {
            return Err(
                self.error(format!("the list has {} coordinates, and {n_written} are expected", items.len()))
            );
        }
        items[..n].iter().enumerate().map(|(idx, item)| self.source(item, ty(idx))).collect()
    }

    /// The four registers of a texel.
    fn listed<'o>(&self, list: &'o Operand<'t>) -> Decoded<SmallVec<[&'o Operand<'t>; 4]>> {
        self.numbers(list, LIST)
    }

    fn numbers<'o>(&self, list: &'o Operand<'t>, n: usize) -> Decoded<SmallVec<[&'o Operand<'t>; 4]>> {
        match list {
            Operand::Vector(items) if items.len() == n => Ok(items.iter().collect()),
            one if n == 1 && !matches!(one, Operand::Vector(_)) => Ok(SmallVec::from_slice(&[one])),
            _ => Err(self.error(format!("a list of {n} registers is expected"))),
        }
    }
}

/// Whether a variable of the type is a texture, sampler or surface.
pub(super) fn is_opaque(ty: Type) -> bool {
    matches!(ty, Type::Texref | Type::Samplerref | Type::Surfref)
}

/// The sampler that a variable is, if its text says how it reads (PTX ISA "Texture, Sampler and Surface Types").
pub(super) fn sampler_of(variable: &Variable<'_>) -> Result<Option<Sampler>, String> {
    let Some(init) = variable.init.as_ref().filter(|_| is_opaque(variable.ty)) else { return Ok(None) };
    if variable.ty != Type::Samplerref {
        return Err(format!("properties of a `.{}` are the host's to say", variable.ty.name()));
    }
    let items = match init {
        Initializer::List(items) => &items[..],
        other => std::slice::from_ref(other),
    };
    let mut sampler = Sampler { has_normalized_coordinates: true, ..Sampler::default() };
    for item in items {
        let Initializer::Property(name, value) = item else {
            return Err("the initial value of a sampler is a list of its properties".to_owned());
        };
        let unknown = || format!("`{name}` of a sampler is not that");
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

fn texel_type(name: &str) -> Option<Type> {
    match name {
        "f32" => Some(Type::F32),
        "s32" | "u32" => Some(Type::B32),
        _ => None,
    }
}

fn level_type(coordinates: Coordinates) -> Type {
    match coordinates {
        Coordinates::Float => Type::F32,
        Coordinates::Integer => Type::B32,
    }
}
