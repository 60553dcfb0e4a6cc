//! Textures and surfaces, by the handles of their objects (CUDA C++ Programming Guide "Texture Functions", "Surface Functions").

use std::fmt;

use super::super::Ty;
use super::signature::Operand::{self, Is, PointerTo, Struct, T};
use super::{Class, Signature};

/// A read of a texture, or an access to a surface. T is what it reads or writes: a number, or a vector of one, two or four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureOp {
    /// `T tex1Dfetch(handle, int x)`: PTX ISA "tex", with the number of a texel and not a coordinate.
    TextureFetch,
    /// `T tex2D(handle, float x, float y)` and its kin: PTX ISA "tex".
    TextureRead(Geometry, Level, Residency),
    /// `T tex2Dgather(handle, float x, float y, int component)`: PTX ISA "tld4".
    TextureGather(Residency),
    /// `T surf2Dread(handle, int x, int y, mode)` and its kin: PTX ISA "suld".
    SurfaceRead(Geometry),
    /// `void surf2Dwrite(T, handle, int x, int y, mode)` and its kin: PTX ISA "sust".
    SurfaceWrite(Geometry),
}

/// The geometry of the texels, which determines the coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Geometry {
    /// A row of them.
    OneD,
    /// Rows and columns.
    TwoD,
    /// Rows, columns and slices.
    ThreeD,
    /// Independent rows of the same length.
    OneDLayered,
    /// The same of rectangles.
    TwoDLayered,
    /// Six squares: a texture is read in a direction, and a surface at a place of a face.
    Cubemap,
    /// Several of these.
    CubemapLayered,
}

/// Which mipmap level of a texture is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The first.
    Base,
    /// That of an argument.
    Lod,
    /// The one selected by the derivatives of the coordinates.
    Grad,
}

/// Whether the operation reports, through a pointer to `bool`, if all texels were resident.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Residency {
    /// It does not.
    Assumed,
    /// It does: the last operand of a read, the last but one where a component is gathered.
    Reported,
}

/// `cudaTextureObject_t`, `cudaSurfaceObject_t`
const HANDLE: Operand = Is(Ty::ULONGLONG);
const F: Operand = Is(Ty::FLOAT);
const I: Operand = Is(Ty::INT);
/// `cudaSurfaceBoundaryMode`
const MODE: Operand = Is(Ty::UINT);
const F2: Operand = Struct("float2");
const F4: Operand = Struct("float4");
const RESIDENT: Operand = PointerTo(Ty::BOOL);

impl Geometry {
    /// All of them.
    pub const ALL: [Geometry; 7] = [
        Geometry::OneD,
        Geometry::TwoD,
        Geometry::ThreeD,
        Geometry::OneDLayered,
        Geometry::TwoDLayered,
        Geometry::Cubemap,
        Geometry::CubemapLayered,
    ];

    /// How many coordinates a texture has, the number of a layer apart.
    pub fn n_coordinates(self) -> usize {
        match self {
            Geometry::OneD | Geometry::OneDLayered => 1,
            Geometry::TwoD | Geometry::TwoDLayered => 2,
            Geometry::ThreeD | Geometry::Cubemap | Geometry::CubemapLayered => 3,
        }
    }

    /// Whether there are several layers.
    pub fn is_layered(self) -> bool {
        matches!(self, Geometry::OneDLayered | Geometry::TwoDLayered | Geometry::CubemapLayered)
    }

    /// How many operands give the place on a surface: the face of a cube is one, which includes the layer.
    pub fn n_surface_operands(self) -> usize {
        match self {
            Geometry::OneD => 1,
            Geometry::TwoD | Geometry::OneDLayered => 2,
            Geometry::ThreeD | Geometry::TwoDLayered | Geometry::Cubemap | Geometry::CubemapLayered => 3,
        }
    }

    /// The operands of a texture read, with the one that reports residency.
    fn texture_params(self, level: Level) -> &'static [Operand] {
        use Geometry::{Cubemap, CubemapLayered, OneD, OneDLayered, ThreeD, TwoD, TwoDLayered};
        match (self, level) {
            (OneD, Level::Base) => &[HANDLE, F, RESIDENT],
            (OneD, Level::Lod) => &[HANDLE, F, F, RESIDENT],
            (OneD, Level::Grad) => &[HANDLE, F, F, F, RESIDENT],
            (TwoD, Level::Base) => &[HANDLE, F, F, RESIDENT],
            (TwoD, Level::Lod) => &[HANDLE, F, F, F, RESIDENT],
            (TwoD, Level::Grad) => &[HANDLE, F, F, F2, F2, RESIDENT],
            (ThreeD | Cubemap, Level::Base) => &[HANDLE, F, F, F, RESIDENT],
            (ThreeD | Cubemap, Level::Lod) => &[HANDLE, F, F, F, F, RESIDENT],
            (ThreeD | Cubemap, Level::Grad) => &[HANDLE, F, F, F, F4, F4, RESIDENT],
            (OneDLayered, Level::Base) => &[HANDLE, F, I, RESIDENT],
            (OneDLayered, Level::Lod) => &[HANDLE, F, I, F, RESIDENT],
            (OneDLayered, Level::Grad) => &[HANDLE, F, I, F, F, RESIDENT],
            (TwoDLayered, Level::Base) => &[HANDLE, F, F, I, RESIDENT],
            (TwoDLayered, Level::Lod) => &[HANDLE, F, F, I, F, RESIDENT],
            (TwoDLayered, Level::Grad) => &[HANDLE, F, F, I, F2, F2, RESIDENT],
            (CubemapLayered, Level::Base) => &[HANDLE, F, F, F, I, RESIDENT],
            (CubemapLayered, Level::Lod) => &[HANDLE, F, F, F, I, F, RESIDENT],
            (CubemapLayered, Level::Grad) => &[HANDLE, F, F, F, I, F4, F4, RESIDENT],
        }
    }
}

impl Residency {
    /// The operands, of all those that there can be.
    fn of(self, params: &'static [Operand]) -> &'static [Operand] {
        match (self, params.split_last()) {
            (Residency::Assumed, Some((_, others))) => others,
            (Residency::Assumed, None) | (Residency::Reported, _) => params,
        }
    }
}

impl TextureOp {
    pub(super) fn signature(self) -> Signature {
        let texel = |params| Signature::of(Class::Texel, T, params);
        match self {
            TextureOp::TextureFetch => texel(&[HANDLE, I]),
            TextureOp::TextureRead(geometry, level, residency) => {
                texel(residency.of(geometry.texture_params(level)))
            }
            TextureOp::TextureGather(Residency::Assumed) => texel(&[HANDLE, F, F, I]),
            TextureOp::TextureGather(Residency::Reported) => texel(&[HANDLE, F, F, RESIDENT, I]),
            TextureOp::SurfaceRead(geometry) => Signature::of(
                Class::SurfaceElement,
                T,
                match geometry.n_surface_operands() {
                    1 => &[HANDLE, I, MODE],
                    2 => &[HANDLE, I, I, MODE],
                    _ => &[HANDLE, I, I, I, MODE],
                },
            ),
            TextureOp::SurfaceWrite(geometry) => Signature::of(
                Class::SurfaceElement,
                Is(Ty::VOID),
                match geometry.n_surface_operands() {
                    1 => &[T, HANDLE, I, MODE],
                    2 => &[T, HANDLE, I, I, MODE],
                    _ => &[T, HANDLE, I, I, I, MODE],
                },
            ),
        }
    }

    /// Whether it writes nothing.
    pub(super) fn is_pure(self) -> bool {
        match self {
            TextureOp::TextureFetch | TextureOp::SurfaceRead(_) => true,
            TextureOp::TextureRead(_, _, residency) | TextureOp::TextureGather(residency) => {
                residency == Residency::Assumed
            }
            TextureOp::SurfaceWrite(_) => false,
        }
    }
}

impl fmt::Display for TextureOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, geometry) = match *self {
            TextureOp::TextureFetch => ("TextureFetch", None),
            TextureOp::TextureRead(geometry, ..) => ("TextureRead", Some(geometry)),
            TextureOp::TextureGather(_) => ("TextureGather", None),
            TextureOp::SurfaceRead(geometry) => ("SurfaceRead", Some(geometry)),
            TextureOp::SurfaceWrite(geometry) => ("SurfaceWrite", Some(geometry)),
        };
        f.write_str(name)?;
        if let Some(geometry) = geometry {
            write!(f, " {geometry:?}")?;
        }
        if let TextureOp::TextureRead(_, level @ (Level::Lod | Level::Grad), _) = self {
            write!(f, " {level:?}")?;
        }
        match self {
            TextureOp::TextureRead(_, _, Residency::Reported)
            | TextureOp::TextureGather(Residency::Reported) => f.write_str(" Reported"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residency_operand_is_last() {
        for geometry in Geometry::ALL {
            for level in [Level::Base, Level::Lod, Level::Grad] {
                let told = TextureOp::TextureRead(geometry, level, Residency::Reported).signature().params;
                let assumed = TextureOp::TextureRead(geometry, level, Residency::Assumed).signature().params;
                assert_eq!(told.split_last(), Some((&RESIDENT, assumed)));
                assert!(!assumed.contains(&RESIDENT));
            }
        }
    }
}
