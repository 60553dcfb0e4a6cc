//! How the texels of an array lie in memory.
//!
//! The levels of a texture lie one after the other, the largest first; in each, layers or slices, rows, and the texels of a row.
//! Where a GPU has them is not visible to programs: only textures and surfaces get there.

use std::fmt;

use super::format::Format;

/// What a texture or a surface is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// Where it begins in global memory.
    pub address: u64,
    /// Its texels.
    pub format: Format,
    /// How they are arranged.
    pub geometry: Geometry,
    /// Texels along each axis; one along those that the geometry has not.
    pub extent: [u32; 3],
    /// How many layers there are: six for each cube, and one where there are none.
    pub n_layers: u32,
    /// How many images there are, each half as large as the one before.
    pub n_levels: u32,
}

/// How texels are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Geometry {
    /// `.1d`
    OneD,
    /// `.1d` with the number of a texel: linear memory, not an array.
    Linear,
    /// `.2d`
    TwoD,
    /// `.3d`
    ThreeD,
    /// `.a1d`
    OneDLayered,
    /// `.a2d`
    TwoDLayered,
    /// `.cube`
    Cubemap,
    /// `.acube`
    CubemapLayered,
}

impl Geometry {
    /// That of a name in PTX.
    pub(crate) fn named(name: &str) -> Option<Geometry> {
        Some(match name {
            "1d" => Geometry::OneD,
            "2d" => Geometry::TwoD,
            "3d" => Geometry::ThreeD,
            "a1d" => Geometry::OneDLayered,
            "a2d" => Geometry::TwoDLayered,
            "cube" => Geometry::Cubemap,
            "acube" => Geometry::CubemapLayered,
            _ => return None,
        })
    }

    /// How many coordinates there are, the number of a layer apart.
    pub fn n_coordinates(self) -> usize {
        match self {
            Geometry::OneD | Geometry::Linear | Geometry::OneDLayered => 1,
            Geometry::TwoD | Geometry::TwoDLayered => 2,
            Geometry::ThreeD | Geometry::Cubemap | Geometry::CubemapLayered => 3,
        }
    }

    /// Along how many axes there are texels.
    pub(crate) fn n_extents(self) -> usize {
        if self.is_cube() { 2 } else { self.n_coordinates() }
    }

    /// Whether there are several layers.
    pub fn is_layered(self) -> bool {
        matches!(self, Geometry::OneDLayered | Geometry::TwoDLayered | Geometry::CubemapLayered)
    }

    /// Whether the layers are the faces of cubes.
    pub fn is_cube(self) -> bool {
        matches!(self, Geometry::Cubemap | Geometry::CubemapLayered)
    }

    /// As surfaces have it: the faces of cubes are layers.
    pub(crate) fn of_surface(self) -> Geometry {
        if self.is_cube() { Geometry::TwoDLayered } else { self }
    }
}

impl fmt::Display for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Geometry::OneD => "one-dimensional",
            Geometry::Linear => "linear memory",
            Geometry::TwoD => "two-dimensional",
            Geometry::ThreeD => "three-dimensional",
            Geometry::OneDLayered => "one-dimensional layered",
            Geometry::TwoDLayered => "two-dimensional layered",
            Geometry::Cubemap => "a cubemap",
            Geometry::CubemapLayered => "a layered cubemap",
        })
    }
}

impl Array {
    /// Texels along each axis, of one of the images.
    pub fn extent_of(&self, level: u32) -> [u32; 3] {
        self.extent.map(|n| n.checked_shr(level).unwrap_or(0).max(1))
    }

    /// Bytes of all images.
    pub fn size(&self) -> u64 {
        (0..self.n_levels).map(|level| self.size_of(level)).sum()
    }

    fn size_of(&self, level: u32) -> u64 {
        let n_texels: u64 = self.extent_of(level).into_iter().map(u64::from).product();
        n_texels * u64::from(self.n_layers) * self.format.size()
    }

    /// Where a texel lies, which there is.
    pub fn address_of(&self, level: u32, layer: u32, [x, y, z]: [u32; 3]) -> u64 {
        let before: u64 = (0..level).map(|level| self.size_of(level)).sum();
        let [width, height, depth] = self.extent_of(level).map(u64::from);
        let row = (u64::from(layer) * depth + u64::from(z)) * height + u64::from(y);
        self.address + before + (row * width + u64::from(x)) * self.format.size()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Channel;
    use super::*;

    #[test]
    fn levels_are_contiguous() {
        let format = Format { channel: Channel::U16, n_channels: 2 };
        let geometry = Geometry::TwoDLayered;
        let array = Array { address: 256, format, geometry, extent: [5, 3, 1], n_layers: 2, n_levels: 3 };
        assert_eq!([0, 1, 2].map(|level| array.extent_of(level)), [[5, 3, 1], [2, 1, 1], [1, 1, 1]]);
        assert_eq!(array.size(), 4 * (30 + 4 + 2));
        assert_eq!(array.address_of(0, 1, [4, 2, 0]), 256 + 4 * 29);
        assert_eq!(array.address_of(1, 1, [0, 0, 0]), 256 + 4 * (30 + 2));
        assert_eq!(array.address_of(2, 1, [0, 0, 0]), 256 + 4 * (30 + 4 + 1));
    }
}
