//! Textures and surfaces as arguments: their options, and the array that a buffer becomes.
//!
//! The elements of a buffer are the channels of the texels. If the shape has one axis more than the geometry,
//! the last axis is the channels of a texel; the axes before it are rows of texels, slices or layers of rows,
//! in C layout.

use weft_emulator::texture::{Array, Channel, Filter, Format, Geometry, Sampler};

use crate::buffer::Buffer;
use crate::element::ElementType;

/// A texture or surface on a buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectSpec {
    /// Whether it can be written.
    pub is_surface: bool,
    /// The arrangement of texels; by default it follows from the number of the buffer's axes.
    pub geometry: Option<Geometry>,
    /// The number of texels along each axis, and of layers, in CUDA's order: the width first. By default that
    /// of the buffer.
    pub extent: Option<Vec<u32>>,
    /// The number of mipmap levels, one after the other, each half as large as the previous one.
    pub n_levels: u32,
    /// How a texture is read.
    pub sampler: Sampler,
}

/// The maximum number of texels along an axis: more than on any GPU.
const MAX_EXTENT: usize = 1 << 20;

impl ObjectSpec {
    /// The array in a buffer at an address.
    ///
    /// # Errors
    ///
    /// A phrase that describes the error.
    pub fn array(&self, buffer: &Buffer, address: u64) -> Result<Array, String> {
        let channel = channel_of(buffer.ty()).ok_or_else(|| {
            format!("texels cannot have components of type {}; components have at most 32 bits", buffer.ty())
        })?;
        let shape = buffer.shape();
        let geometry = match (self.geometry, shape.len()) {
            (Some(geometry), _) => geometry,
            (None, 1) => Geometry::OneD,
            (None, 2) => Geometry::TwoD,
            (None, 3) => Geometry::ThreeD,
            (None, n) => {
                return Err(format!(
                    "the buffer has {n} dimensions; specify the layout of the texels, for example `2d`"
                ));
            }
        };
        let n_axes = n_axes(geometry);
        let (axes, n_channels): (Vec<usize>, usize) = match (&self.extent, shape) {
            (Some(extent), _) if extent.len() != n_axes => {
                return Err(format!("expected {n_axes} extents, got {}", extent.len()));
            }
            (Some(extent), [.., last]) => {
                let n_channels = if shape.len() > 1 { *last } else { 1 };
                (extent.iter().map(|&n| n as usize).collect(), n_channels)
            }
            (None, shape) if shape.len() == n_axes => (shape.iter().rev().copied().collect(), 1),
            (None, [axes @ .., last]) if axes.len() == n_axes => {
                (axes.iter().rev().copied().collect(), *last)
            }
            _ => {
                let n = shape.len();
                return Err(format!(
                    "the buffer has {n} dimensions; expected {n_axes}, or one more for the components of a texel"
                ));
            }
        };
        if !matches!(n_channels, 1 | 2 | 4) {
            return Err(format!("texel has {n_channels} components; it must have 1, 2 or 4"));
        }
        if axes.iter().any(|&n| n == 0 || n > MAX_EXTENT) {
            return Err(format!("a dimension must have from 1 to {MAX_EXTENT} texels"));
        }
        let n_layers = match geometry {
            Geometry::OneD | Geometry::Linear | Geometry::TwoD | Geometry::ThreeD => 1,
            _ => axes[n_axes - 1],
        };
        if geometry.is_cube()
            && (axes[0] != axes[1] || n_layers % 6 != 0 || geometry == Geometry::Cubemap && n_layers != 6)
        {
            return Err("a cubemap must have six square faces: `[6, n, n]`".to_owned());
        }
        let n_coordinates = match geometry {
            Geometry::OneD | Geometry::Linear | Geometry::OneDLayered => 1,
            Geometry::TwoD | Geometry::TwoDLayered | Geometry::Cubemap | Geometry::CubemapLayered => 2,
            Geometry::ThreeD => 3,
        };
        let along = |axis: usize| if axis < n_coordinates { axes[axis] as u32 } else { 1 };
        let format = Format { channel, n_channels: n_channels as u32 };
        let extent = [along(0), along(1), along(2)];
        let (n_layers, n_levels) = (n_layers as u32, self.n_levels);
        let array = Array { address, format, geometry, extent, n_layers, n_levels };
        if self.sampler.is_srgb
            && !(self.sampler.gives_normalized && channel == Channel::U8 && n_channels == 4)
        {
            return Err("`srgb` requires texels of four u8 that are read as `float`".to_owned());
        }
        let sampler = &self.sampler;
        if geometry == Geometry::Linear
            && (self.is_surface
                || n_levels > 1
                || sampler.has_normalized_coordinates
                || sampler.filter == Filter::Linear)
        {
            return Err("`linear_memory` is for textures without a filter, levels or normalized coordinates"
                .to_owned());
        }
        let (wanted, found) = (array.size(), buffer.bytes().len() as u64);
        if wanted != found {
            return Err(format!("the texels need {wanted} bytes, but the buffer has {found}"));
        }
        Ok(array)
    }
}

/// The number of axes of texels, including one for layers.
fn n_axes(geometry: Geometry) -> usize {
    match geometry {
        Geometry::OneD | Geometry::Linear => 1,
        Geometry::TwoD | Geometry::OneDLayered => 2,
        Geometry::ThreeD | Geometry::TwoDLayered | Geometry::Cubemap | Geometry::CubemapLayered => 3,
    }
}

fn channel_of(ty: ElementType) -> Option<Channel> {
    Some(match ty {
        ElementType::U8 => Channel::U8,
        ElementType::I8 => Channel::S8,
        ElementType::U16 => Channel::U16,
        ElementType::I16 => Channel::S16,
        ElementType::U32 => Channel::U32,
        ElementType::I32 => Channel::S32,
        ElementType::F16 => Channel::F16,
        ElementType::F32 => Channel::F32,
        ElementType::U64 | ElementType::I64 | ElementType::Bf16 | ElementType::F64 => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(geometry: Option<Geometry>) -> ObjectSpec {
        ObjectSpec { is_surface: false, geometry, extent: None, n_levels: 1, sampler: Sampler::default() }
    }

    #[test]
    fn axes_are_those_of_the_buffer_from_the_last_on() {
        let buffer = Buffer::zeros(ElementType::U8, [3, 5, 4]);
        let array = spec(Some(Geometry::TwoD)).array(&buffer, 64).unwrap();
        assert_eq!((array.extent, array.n_layers, array.format.n_channels), ([5, 3, 1], 1, 4));
        let array = spec(Some(Geometry::OneDLayered)).array(&buffer, 64).unwrap();
        assert_eq!((array.extent, array.n_layers, array.format.n_channels), ([5, 1, 1], 3, 4));
        let array = spec(None).array(&buffer, 64).unwrap();
        assert_eq!((array.extent, array.geometry, array.format.n_channels), ([4, 5, 3], Geometry::ThreeD, 1));
    }

    #[test]
    fn rejects_mismatched_textures() {
        let wrong =
            |ty, shape: &[usize], geometry| spec(geometry).array(&Buffer::zeros(ty, shape), 0).unwrap_err();
        assert!(wrong(ElementType::F64, &[4], None).contains("f64"));
        assert!(wrong(ElementType::F32, &[4, 4, 3], Some(Geometry::TwoD)).contains("1, 2 or 4"));
        assert!(wrong(ElementType::F32, &[4], Some(Geometry::ThreeD)).contains("dimensions"));
        assert!(wrong(ElementType::F32, &[5, 4, 4], Some(Geometry::Cubemap)).contains("six square faces"));
        let srgb = Sampler { is_srgb: true, gives_normalized: true, ..Sampler::default() };
        let srgb = ObjectSpec { sampler: srgb, ..spec(Some(Geometry::TwoD)) };
        assert!(srgb.array(&Buffer::zeros(ElementType::U8, [2, 2, 4]), 0).is_ok());
        assert!(srgb.array(&Buffer::zeros(ElementType::U8, [2, 2, 2]), 0).unwrap_err().contains("`srgb`"));
        assert!(srgb.array(&Buffer::zeros(ElementType::I8, [2, 2, 4]), 0).unwrap_err().contains("`srgb`"));
        let filtered = Sampler { filter: Filter::Linear, ..Sampler::default() };
        let filtered = ObjectSpec { sampler: filtered, ..spec(Some(Geometry::Linear)) };
        let bytes = Buffer::zeros(ElementType::U8, [8, 4]);
        assert!(filtered.array(&bytes, 0).unwrap_err().contains("`linear_memory`"));
        assert!(spec(Some(Geometry::Linear)).array(&bytes, 0).is_ok());
        let levels = ObjectSpec { n_levels: 3, extent: Some(vec![4, 4]), ..spec(Some(Geometry::TwoD)) };
        assert!(levels.array(&Buffer::zeros(ElementType::F32, [21]), 0).is_ok());
        assert!(levels.array(&Buffer::zeros(ElementType::F32, [20]), 0).is_err());
    }
}
