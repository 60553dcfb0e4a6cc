//! Accesses to textures and surfaces (PTX ISA "Texture Instructions", "Surface Instructions").

use smallvec::SmallVec;

use super::{Address, Register, Source};
use crate::memory::bytes::Width;
use crate::texture::Geometry;

/// A read of a texture.
pub(crate) struct TextureRead {
    pub(crate) action: TextureAction,
    pub(crate) geometry: Geometry,
    pub(crate) handle: Address,
    /// How it is read, in independent mode.
    pub(crate) sampler: Option<Address>,
    pub(crate) layer: Option<Source>,
    pub(crate) place: SmallVec<[Source; 4]>,
    pub(crate) coordinates: Coordinates,
    pub(crate) lod: LodSource,
    /// The type of the numbers, without a sign.
    pub(crate) ty: &'static str,
    pub(crate) results: SmallVec<[Option<Register>; 4]>,
    /// Gets whether there is memory behind all texels.
    pub(crate) resident: Option<Register>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextureAction {
    /// The texel at a place.
    Read,
    /// A component of the four texels around a place.
    Gather(u32),
}

/// What coordinates are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coordinates {
    /// Places.
    Float,
    /// Numbers of texels.
    Integer,
}

/// Which image of a texture is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LodSource {
    Base,
    Level(Source),
    Gradients(SmallVec<[Source; 4]>, SmallVec<[Source; 4]>),
}

/// An access to a surface.
pub(crate) struct SurfaceAccess {
    pub(crate) action: SurfaceAction,
    pub(crate) geometry: Geometry,
    pub(crate) handle: Address,
    pub(crate) layer: Option<Source>,
    /// The first counts bytes, but where the action says otherwise.
    pub(crate) place: SmallVec<[Source; 4]>,
    pub(crate) edge: SurfaceEdge,
    /// Of one number.
    pub(crate) width: Width,
    pub(crate) is_signed: bool,
    pub(crate) results: SmallVec<[Option<Register>; 4]>,
    pub(crate) values: SmallVec<[Source; 4]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SurfaceAction {
    Load,
    Store,
    Reduce {
        op: SurfaceReduction,
        /// The first coordinate counts texels.
        is_by_texel: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SurfaceReduction {
    Add,
    Min,
    Max,
    And,
    Or,
}

/// What becomes of an access beside a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SurfaceEdge {
    /// It must not be.
    Trap,
    /// It goes to the edge.
    Clamp,
    /// A load gives zeros, and a store does nothing.
    Zero,
}

/// What is asked of a texture or surface.
pub(crate) struct ObjectQuery {
    pub(crate) is_surface: bool,
    pub(crate) what: Queried,
    pub(crate) handle: Address,
    /// Of which image.
    pub(crate) level: Option<Source>,
    pub(crate) result: Option<Register>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queried {
    /// How many texels there are along an axis.
    Extent(usize),
    Layers,
    Levels,
    NormalizedCoordinates,
}
