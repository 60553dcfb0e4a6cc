//! Accesses to textures and surfaces (PTX ISA "Texture Instructions", "Surface Instructions").

use smallvec::SmallVec;

use super::{Address, Register, Source};
use crate::memory::bytes::Width;
use crate::texture::{Geometry, ObjectKind};

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
    /// How many texels further it is read along each axis; none where nothing is said.
    pub(crate) offset: SmallVec<[Source; 4]>,
    pub(crate) ty: TexelType,
    /// What the instruction does is nowhere said, for this reason.
    pub(crate) unspecified: Option<&'static str>,
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

/// What a read gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TexelType {
    /// `.f32`
    Float,
    /// `.f16`
    Half,
    /// `.f16x2`: two in a register.
    Halves,
    /// `.s32`, `.u32`
    Integer,
}

impl TexelType {
    pub(crate) fn name(self) -> &'static str {
        match self {
            TexelType::Float => "f32",
            TexelType::Half => "f16",
            TexelType::Halves => "f16x2",
            TexelType::Integer => "s32",
        }
    }
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
    /// Of numbers, which become those of a texel; the first coordinate counts texels.
    StoreTexel,
    Reduce {
        op: SurfaceReduction,
        /// The first coordinate counts texels, which say whether the numbers have a sign.
        is_by_texel: bool,
    },
}

impl SurfaceAction {
    /// Whether the first coordinate counts texels.
    pub(crate) fn is_by_texel(self) -> bool {
        matches!(self, SurfaceAction::StoreTexel | SurfaceAction::Reduce { is_by_texel: true, .. })
    }
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

/// What is asked of a texture, sampler or surface.
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
    Samples,
    NormalizedCoordinates,
    /// The same of a sampler, the other way round.
    ForcedCoordinates,
    Filter,
    /// Along an axis.
    AddressMode(usize),
    /// Whether it lies in memory as rows one behind the other.
    IsLinear,
    /// Whether the handle is one of these.
    Kind(ObjectKind),
    /// What is given is nowhere said, for this reason.
    Unspecified(&'static str),
}
