//! Parses the options of a texture, a surface or a tensor map.

use weft_emulator::tensor::Swizzle;
use weft_emulator::texture::{AddressMode, Filter, Geometry, Sampler};

use super::object::ObjectSpec;
use super::parse::{Parser, Result};
use super::spec::{SpecKind, SpecValue};
use super::tensor::TensorMapSpec;
use crate::element::Number;

/// The options that may follow the buffer.
const OPTIONS: &str = "available: 1d, 2d, 3d, linear_memory, layered1d, layered2d, cubemap, layered_cubemap, each with extents as \
 in `2d(64, 32)`; levels(3); and for textures point, linear, clamp, wrap, mirror, border, \
 border(0, 0, 0, 1), normalized, float, srgb, mip_point, mip_linear, bias(0.5), lod(0, 2)";

/// Why `cudaTextureDesc::seamlessCubemap` is not supported.
const SEAMLESS: &str = "CUDA does not specify the result where three faces meet; without this option, each face is \
     read separately";

/// Why `cudaTextureDesc::maxAnisotropy` is not supported.
const ANISOTROPY: &str = "CUDA does not specify which texels such a filter reads; without this option, the longer \
 step selects the level";

/// The options that may follow the buffer of a tensor map.
const MAP_OPTIONS: &str = "available: box(8, 64), steps(1, 2), and swizzle(32), swizzle(64) or swizzle(128)";

impl Parser<'_> {
    /// object = ( "texture" | "surface" ) "(" ( buffer | "&" name ) { "," option } ")"
    pub(super) fn object(&mut self) -> Result<SpecKind> {
        let is_surface = self.word() == "surface";
        let source = self.source_of_object()?;
        let mut object =
            ObjectSpec { is_surface, geometry: None, extent: None, n_levels: 1, sampler: Sampler::default() };
        loop {
            self.blanks();
            if self.eat(')') {
                return Ok(SpecKind::Object(Box::new((object, source))));
            }
            if !self.eat(',') {
                return Err(self.error_here("expected `,` or `)`"));
            }
            self.option(&mut object)?;
        }
    }

    /// word "(" ( buffer | "&" name )
    fn source_of_object(&mut self) -> Result<SpecValue> {
        self.at += self.word().len();
        self.expect('(')?;
        let source = self.nested_value()?;
        if !matches!(source.kind, SpecKind::Buffer(_) | SpecKind::Reference { index: 0, .. }) {
            return Err(self.error(source.span, "expected a buffer, or the name of one: `&x`"));
        }
        Ok(source)
    }

    /// map = "tensor_map" "(" ( buffer | "&" name ) "," option { "," option } ")"
    pub(super) fn tensor_map(&mut self) -> Result<SpecKind> {
        let start = self.at;
        let source = self.source_of_object()?;
        let mut map = TensorMapSpec::default();
        loop {
            self.blanks();
            if self.eat(')') {
                break;
            }
            if !self.eat(',') {
                return Err(self.error_here("expected `,` or `)`"));
            }
            self.blanks();
            let start = self.at;
            let word = self.word();
            self.at += word.len();
            let numbers = self.numbers()?.unwrap_or_default();
            let counts: Option<Vec<u32>> = numbers
                .iter()
                .map(|&n| (n >= 0.0 && n <= f64::from(u32::MAX) && n.fract() == 0.0).then_some(n as u32))
                .collect();
            match (word, counts.as_deref()) {
                ("box", Some(extents @ [_, ..])) => map.box_extents = extents.to_vec(),
                ("steps", Some(steps @ [_, ..])) => map.steps = Some(steps.to_vec()),
                ("swizzle", Some(&[n_bytes])) if Swizzle::of_bytes(n_bytes.into()).is_some() => {
                    map.swizzle = Swizzle::of_bytes(n_bytes.into()).unwrap_or_default();
                }
                _ => {
                    let error = self.error(start..self.at, "expected an option of a tensor map");
                    return Err(error.help(MAP_OPTIONS));
                }
            }
        }
        if map.box_extents.is_empty() {
            let error = self.error(start..self.at, "the box size is missing");
            return Err(error.help("give it for each dimension, as in `box(8, 64)`"));
        }
        Ok(SpecKind::TensorMap(Box::new((map, source))))
    }

    fn option(&mut self, object: &mut ObjectSpec) -> Result<()> {
        self.blanks();
        let start = self.at;
        let word = self.word();
        self.at += word.len();
        let sampler = &mut object.sampler;
        if let Some(geometry) = geometry_named(word) {
            object.geometry = Some(geometry);
            object.extent = self.numbers()?.map(|all| all.into_iter().map(|n| n as u32).collect());
            return Ok(());
        }
        let is_known = match word {
            "levels" => {
                let count = self.one_number()?;
                if !(1.0..=32.0).contains(&count) {
                    return Err(self.error(start..self.at, "a texture must have from 1 to 32 levels"));
                }
                object.n_levels = count as u32;
                return Ok(());
            }
            _ if object.is_surface => false,
            "seamless" => {
                return Err(self.error(start..self.at, "seamless cubemaps are not emulated").help(SEAMLESS));
            }
            "anisotropy" => {
                return Err(self
                    .error(start..self.at, "anisotropic filters are not emulated")
                    .help(ANISOTROPY));
            }
            "border" => {
                sampler.address_modes = [AddressMode::Border; 3];
                if let Some(numbers) = self.numbers()? {
                    for (border, number) in sampler.border.iter_mut().zip(numbers) {
                        *border = number;
                    }
                }
                true
            }
            "bias" => {
                sampler.level_bias = self.one_number()? as f32;
                true
            }
            "lod" => {
                match self.numbers()?.as_deref() {
                    Some(&[least, greatest]) => sampler.levels = [least as f32, greatest as f32],
                    _ => return Err(self.error(start..self.at, "expected two levels: `lod(0, 2)`")),
                }
                true
            }
            word => plain_option(sampler, word),
        };
        if is_known {
            Ok(())
        } else {
            Err(self.error(start..self.at, "expected an option of a texture or surface").help(OPTIONS))
        }
    }

    /// "(" number { "," number } ")", if present
    fn numbers(&mut self) -> Result<Option<Vec<f64>>> {
        self.blanks();
        if !self.eat('(') {
            return Ok(None);
        }
        let mut numbers = Vec::new();
        loop {
            numbers.push(match self.number()? {
                Number::Int(value) => value as f64,
                Number::Float(value) => value,
            });
            self.blanks();
            if self.eat(')') {
                return Ok(Some(numbers));
            }
            if !self.eat(',') {
                return Err(self.error_here("expected `,` or `)`"));
            }
        }
    }

    fn one_number(&mut self) -> Result<f64> {
        match self.numbers()?.as_deref() {
            Some(&[number]) => Ok(number),
            _ => Err(self.error_here("expected a number between `(` and `)`")),
        }
    }
}

fn geometry_named(word: &str) -> Option<Geometry> {
    Some(match word {
        "1d" => Geometry::OneD,
        "linear_memory" => Geometry::Linear,
        "2d" => Geometry::TwoD,
        "3d" => Geometry::ThreeD,
        "layered1d" => Geometry::OneDLayered,
        "layered2d" => Geometry::TwoDLayered,
        "cubemap" => Geometry::Cubemap,
        "layered_cubemap" => Geometry::CubemapLayered,
        _ => return None,
    })
}

fn plain_option(sampler: &mut Sampler, word: &str) -> bool {
    match word {
        "point" => sampler.filter = Filter::Point,
        "linear" => sampler.filter = Filter::Linear,
        "mip_point" => sampler.level_filter = Filter::Point,
        "mip_linear" => sampler.level_filter = Filter::Linear,
        "clamp" => sampler.address_modes = [AddressMode::Clamp; 3],
        "wrap" => sampler.address_modes = [AddressMode::Wrap; 3],
        "mirror" => sampler.address_modes = [AddressMode::Mirror; 3],
        "normalized" => sampler.has_normalized_coordinates = true,
        "float" => sampler.gives_normalized = true,
        "srgb" => sampler.is_srgb = true,
        _ => return false,
    }
    true
}
