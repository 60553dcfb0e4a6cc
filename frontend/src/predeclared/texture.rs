//! The functions that CUDA declares as templates for all types of texels (CUDA C++ Programming Guide "Texture Functions",
//! "Surface Functions").

use crate::ir::{Geometry, Level, Residency, TextureOp};

/// The geometries as names have them; of two that begin alike, the longer first.
const GEOMETRIES: [(&str, Geometry); 7] = [
    ("1DLayered", Geometry::OneDLayered),
    ("1D", Geometry::OneD),
    ("2DLayered", Geometry::TwoDLayered),
    ("2D", Geometry::TwoD),
    ("3D", Geometry::ThreeD),
    ("CubemapLayered", Geometry::CubemapLayered),
    ("Cubemap", Geometry::Cubemap),
];

/// The operation of the function with the name, without residency.
pub(crate) fn named_texture_op(name: &str) -> Option<TextureOp> {
    if let Some(rest) = name.strip_prefix("surf") {
        let (geometry, access) = geometry_of(rest)?;
        return match access {
            "read" => Some(TextureOp::SurfaceRead(geometry)),
            "write" => Some(TextureOp::SurfaceWrite(geometry)),
            _ => None,
        };
    }
    let (geometry, rest) = geometry_of(name.strip_prefix("tex")?)?;
    let level = match (geometry, rest) {
        (Geometry::OneD, "fetch") => return Some(TextureOp::TextureFetch),
        (Geometry::TwoD, "gather") => return Some(TextureOp::TextureGather(Residency::Assumed)),
        (_, "") => Level::Base,
        (_, "Lod") => Level::Lod,
        (_, "Grad") => Level::Grad,
        _ => return None,
    };
    Some(TextureOp::TextureRead(geometry, level, Residency::Assumed))
}

fn geometry_of(name: &str) -> Option<(Geometry, &str)> {
    GEOMETRIES.iter().find_map(|&(geometry, of)| Some((of, name.strip_prefix(geometry)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_a_whole() {
        let read = |geometry, level| Some(TextureOp::TextureRead(geometry, level, Residency::Assumed));
        assert_eq!(named_texture_op("tex2D"), read(Geometry::TwoD, Level::Base));
        assert_eq!(named_texture_op("tex1DLayeredGrad"), read(Geometry::OneDLayered, Level::Grad));
        assert_eq!(named_texture_op("tex1Dfetch"), Some(TextureOp::TextureFetch));
        let write = TextureOp::SurfaceWrite(Geometry::CubemapLayered);
        assert_eq!(named_texture_op("surfCubemapLayeredwrite"), Some(write));
        for name in
            ["tex", "tex4D", "tex2Dfetch", "tex3Dgather", "tex2DLodx", "surf2D", "surf2Dreadx", "texture"]
        {
            assert_eq!(named_texture_op(name), None, "{name}");
        }
    }
}
