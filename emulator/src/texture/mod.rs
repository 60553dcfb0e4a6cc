//! Textures, samplers and surfaces: arrays in global memory, and how they are read (PTX ISA "Texture, Sampler and Surface
//! Types"; CUDA C++ Programming Guide "Texture and Surface Memory", "Texture Fetching").
//!
//! - `array`: how the texels of an array lie in memory
//! - `format`: texels as numbers
//! - `sample`: which texels a read is made of, and what it makes of them
//! - `cube`: from a direction to a place on a face
//! - this file: the objects, and what is wrong with an access
//!
//! Nothing here knows threads. An array is an allocation of global memory, so that what checks other accesses checks those to
//! texels, too.

mod array;
mod cube;
mod format;
mod sample;

use std::collections::BTreeMap;
use std::error;
use std::fmt;

pub use array::{Array, Geometry};
pub(crate) use format::Kind;
pub use format::{Channel, Format};
pub use sample::{AddressMode, Filter, Sampler};
pub(crate) use sample::{At, Lod, Tap, gathered, mixed, taps};

/// What a handle stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Object {
    /// An array that is read, with the sampler that unified mode has with it.
    Texture(Array, Sampler),
    /// How textures are read, in independent mode.
    Sampler(Sampler),
    /// An array that is read and written.
    Surface(Array),
}

/// The type of an opaque variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectKind {
    /// `.texref`
    Texture,
    /// `.samplerref`
    Sampler,
    /// `.surfref`
    Surface,
}

impl Object {
    fn kind(&self) -> ObjectKind {
        match self {
            Object::Texture(..) => ObjectKind::Texture,
            Object::Sampler(_) => ObjectKind::Sampler,
            Object::Surface(_) => ObjectKind::Surface,
        }
    }
}

/// The objects of a device, by their handles.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    objects: BTreeMap<u64, Object>,
    /// Variables, by their addresses, of which no one may have said which object they are.
    variables: BTreeMap<u64, ObjectKind>,
}

/// The first handle that is given out: no address is that large, and no small number is one by chance.
const FIRST_HANDLE: u64 = 0x7ec7_0000_0000_0001;

impl Objects {
    /// Gives the object a handle.
    pub(crate) fn add(&mut self, object: Object) -> u64 {
        let handle = (FIRST_HANDLE..).find(|handle| !self.objects.contains_key(handle));
        let handle = handle.expect("invariant: memory is full long before all numbers are given out");
        self.objects.insert(handle, object);
        handle
    }

    /// Binds the object to a handle: of a variable, that is its address.
    pub(crate) fn bind(&mut self, handle: u64, object: Object) {
        self.objects.insert(handle, object);
    }

    /// There is an opaque variable at an address.
    pub(crate) fn declare(&mut self, address: u64, kind: ObjectKind) {
        self.variables.insert(address, kind);
    }

    /// What a handle is that of, if it is one.
    pub(crate) fn kind(&self, handle: u64) -> Option<ObjectKind> {
        let bound = self.objects.get(&handle).map(Object::kind);
        bound.or_else(|| self.variables.get(&handle).copied())
    }

    /// How a texture is read in unified mode, or what a sampler says.
    pub(crate) fn sampler(&self, handle: u64) -> Result<&Sampler, Misuse> {
        match self.objects.get(&handle) {
            Some(Object::Texture(_, sampler) | Object::Sampler(sampler)) => Ok(sampler),
            Some(Object::Surface(_)) => Err(Misuse::OtherObject("a texture or sampler")),
            None => Err(Misuse::NoHandle("a texture or sampler")),
        }
    }

    /// The array of a texture, and how it is read: in independent mode as a sampler says, but for what is the texture's.
    pub(crate) fn texture(&self, handle: u64, sampler: Option<u64>) -> Result<(&Array, Sampler), Misuse> {
        let (array, own) = match self.objects.get(&handle) {
            Some(Object::Texture(array, own)) => (array, *own),
            Some(_) => return Err(Misuse::OtherObject("a texture")),
            None => return Err(Misuse::NoHandle("a texture")),
        };
        match sampler.map(|sampler| self.objects.get(&sampler)) {
            None => Ok((array, own)),
            Some(Some(Object::Sampler(sampler))) => {
                let has_normalized_coordinates =
                    own.has_normalized_coordinates && sampler.has_normalized_coordinates;
                let Sampler { gives_normalized, is_srgb, .. } = own;
                Ok((array, Sampler { has_normalized_coordinates, gives_normalized, is_srgb, ..*sampler }))
            }
            Some(Some(_)) => Err(Misuse::OtherObject("a sampler")),
            Some(None) => Err(Misuse::NoHandle("a sampler")),
        }
    }

    /// What a sampler of its own says.
    pub(crate) fn sampler_alone(&self, handle: u64) -> Result<&Sampler, Misuse> {
        match self.objects.get(&handle) {
            Some(Object::Sampler(sampler)) => Ok(sampler),
            Some(_) => Err(Misuse::OtherObject("a sampler")),
            None => Err(Misuse::NoHandle("a sampler")),
        }
    }

    /// The array of a surface.
    pub(crate) fn surface(&self, handle: u64) -> Result<&Array, Misuse> {
        match self.objects.get(&handle) {
            Some(Object::Surface(array)) => Ok(array),
            Some(_) => Err(Misuse::OtherObject("a surface")),
            None => Err(Misuse::NoHandle("a surface")),
        }
    }
}

/// What is wrong with an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// The handle is none of this.
    NoHandle(&'static str),
    /// It is that of something else than this.
    OtherObject(&'static str),
    /// The instruction is for another geometry.
    OtherGeometry {
        /// That of the array.
        has: Geometry,
        /// That of the instruction.
        wants: Geometry,
    },
    /// The instruction gives numbers of another kind than the texels are.
    OtherKind {
        /// What the texels are.
        has: Format,
        /// They are given as `float`s in a range.
        is_normalized: bool,
        /// The type of the instruction.
        wants: &'static str,
    },
    /// What is read by the numbers of texels is read with a filter, or with coordinates from 0 to 1.
    FetchesFiltered,
    /// A component is gathered that the texels have not.
    NoComponent(u32),
    /// The place is moved by so many texels, and may be by -8 to 7.
    FarOffset(i32),
    /// An image is read by its number, and there is none.
    NoLevel(i32),
    /// An extent is asked for that the geometry has not.
    NoAxis {
        /// That of the array.
        has: Geometry,
        /// The extent.
        wants: &'static str,
    },
    /// Numbers are stored to texels of more of them: what the others get is not known.
    TooFewNumbers {
        /// What the texels are.
        has: Format,
        /// How many numbers are stored.
        n: usize,
    },
    /// A number is stored that the texels do not have.
    NotRepresentable(Format),
    /// Integers of another width are reduced than the texels are.
    NotReducible {
        /// What the texels are.
        has: Format,
        /// How wide the integers are.
        n_bits: u64,
    },
    /// It is nowhere said what the instruction does, for this reason.
    Unspecified(&'static str),
    /// A place beside a surface, which the instruction is to report.
    Outside {
        /// The place: bytes along the row, then rows and layers or slices.
        at: [i64; 3],
        /// How many there are of each.
        extent: [u64; 3],
    },
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::NoHandle(what) => write!(f, "not the handle of {what}"),
            Misuse::OtherObject(what) => write!(f, "not the handle of {what}, but of another kind of object"),
            Misuse::OtherGeometry { has, wants } => {
                write!(f, "the object is {has}, but is accessed as {wants}")
            }
            Misuse::OtherKind { has, is_normalized, wants } => {
                let how = if *is_normalized { " read as normalized `float`" } else { "" };
                write!(f, "the texels are {has}{how}, but the instruction returns `.{wants}`")
            }
            Misuse::FetchesFiltered => f.write_str(
                "texel coordinates cannot be combined with a linear filter or normalized coordinates",
            ),
            Misuse::NoComponent(component) => write!(f, "the texels have no component {component}"),
            Misuse::FarOffset(by) => write!(f, "offset is {by} texels; it must be from -8 to 7"),
            Misuse::NoLevel(level) => write!(f, "no mipmap level {level}"),
            Misuse::NoAxis { has, wants } => write!(f, "the object is {has} and has no {wants}"),
            Misuse::TooFewNumbers { has, n } => {
                write!(
                    f,
                    "the texels are {has}, but only {n} stored; the values of the others are unspecified"
                )
            }
            Misuse::NotRepresentable(has) => write!(
                f,
                "the texels are {has}, which cannot represent the stored value; the PTX ISA does not specify \
                 the result"
            ),
            Misuse::NotReducible { has, n_bits } => {
                write!(f, "the texels are {has}, but the reduction is on integers of {n_bits} bits")
            }
            Misuse::Unspecified(reason) => f.write_str(reason),
            Misuse::Outside { at: [x, y, z], extent: [width, height, depth] } => write!(
                f,
                "access to byte {x} of row {y} in slice or layer {z} is out of bounds; the surface has \
                 {depth} of {height} rows of {width} bytes"
            ),
        }
    }
}

impl error::Error for Misuse {}
