//! Textures, surfaces and tensor maps on a GPU.
//!
//! Texels lie in CUDA arrays, whose layout is the driver's own. An array is filled from the buffer that the argument names; what a
//! surface holds is copied back to its buffer after the launch.

use std::mem;
use std::ptr;

use cudarc::driver::result::DriverError;
use cudarc::driver::sys::{
    self, CUDA_ARRAY3D_DESCRIPTOR, CUDA_MEMCPY3D, CUDA_RESOURCE_DESC, CUDA_TEXTURE_DESC, CUaddress_mode,
    CUarray_format, CUfilter_mode, CUmemorytype, CUresourcetype, CUtensorMap, CUtensorMapDataType,
    CUtensorMapFloatOOBfill, CUtensorMapInterleave, CUtensorMapL2promotion, CUtensorMapSwizzle,
};
use weft_emulator::tensor::{MAP_SIZE, Swizzle, TensorElement, TensorMap};
use weft_emulator::texture::{AddressMode, Array, Channel, Filter, Format, Geometry, Object, Sampler};

use super::failed;
use crate::error::Error;

/// Flags of arrays and textures in cuda.h: `CUDA_ARRAY3D_LAYERED`, …
const ARRAY_LAYERED: u32 = 1;
const ARRAY_SURFACE: u32 = 2;
const ARRAY_CUBEMAP: u32 = 4;
const TEXTURE_READ_AS_INTEGER: u32 = 1;
const TEXTURE_NORMALIZED_COORDINATES: u32 = 2;
const TEXTURE_SRGB: u32 = 16;

/// What was made for the arguments of a launch.
#[derive(Default)]
pub(super) struct Objects {
    textures: Vec<sys::CUtexObject>,
    surfaces: Vec<(sys::CUsurfObject, Array, sys::CUarray)>,
    arrays: Vec<sys::CUmipmappedArray>,
}

/// Which way texels are copied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    ToArray,
    ToBuffer,
}

impl Objects {
    /// Makes a texture or a surface, and gives its handle.
    pub(super) fn add(&mut self, object: &Object) -> Result<u64, Error> {
        match object {
            Object::Texture(array, sampler) => self.add_texture(array, sampler),
            Object::Surface(array) => self.add_surface(array),
            Object::Sampler(_) => {
                Err(Error::Launch("samplers without a texture are supported only on the emulator".to_owned()))
            }
        }
    }

    fn add_texture(&mut self, array: &Array, sampler: &Sampler) -> Result<u64, Error> {
        // SAFETY: the structures are plain data of C, for which zeros are valid.
        let (mut resource, mut desc) =
            unsafe { (mem::zeroed::<CUDA_RESOURCE_DESC>(), mem::zeroed::<CUDA_TEXTURE_DESC>()) };
        if array.geometry == Geometry::Linear {
            resource.resType = CUresourcetype::CU_RESOURCE_TYPE_LINEAR;
            resource.res.linear = linear_memory(array);
        } else if array.n_levels > 1 {
            resource.resType = CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
            resource.res.mipmap.hMipmappedArray = self.filled(array, 0)?;
        } else {
            resource.resType = CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
            resource.res.array.hArray = level(self.filled(array, 0)?, 0)?;
        }
        desc.addressMode = address_modes(array, sampler);
        desc.filterMode = filter(sampler.filter);
        desc.mipmapFilterMode = filter(sampler.level_filter);
        desc.mipmapLevelBias = sampler.level_bias;
        [desc.minMipmapLevelClamp, desc.maxMipmapLevelClamp] = sampler.levels;
        desc.borderColor = sampler.border.map(|number| number as f32);
        let is_integer = !matches!(array.format.channel, Channel::F16 | Channel::F32);
        for (is_set, flag) in [
            (is_integer && !sampler.gives_normalized, TEXTURE_READ_AS_INTEGER),
            (sampler.has_normalized_coordinates, TEXTURE_NORMALIZED_COORDINATES),
            (sampler.is_srgb, TEXTURE_SRGB),
        ] {
            desc.flags |= if is_set { flag } else { 0 };
        }
        let mut handle = 0;
        // SAFETY: the array lives until `destroy`, and the driver only reads both descriptions.
        let created = unsafe {
            sys::cuTexObjectCreate(&raw mut handle, &raw const resource, &raw const desc, ptr::null())
        };
        done(created, "create a texture")?;
        self.textures.push(handle);
        Ok(handle)
    }

    fn add_surface(&mut self, array: &Array) -> Result<u64, Error> {
        let texels = level(self.filled(array, ARRAY_SURFACE)?, 0)?;
        // SAFETY: as in `add_texture`.
        let mut resource = unsafe { mem::zeroed::<CUDA_RESOURCE_DESC>() };
        resource.resType = CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = texels;
        let mut handle = 0;
        // SAFETY: as in `add_texture`.
        let created = unsafe { sys::cuSurfObjectCreate(&raw mut handle, &raw const resource) };
        done(created, "create a surface")?;
        self.surfaces.push((handle, *array, texels));
        Ok(handle)
    }

    /// A CUDA array with what the buffer of texels holds.
    fn filled(&mut self, array: &Array, flags: u32) -> Result<sys::CUmipmappedArray, Error> {
        let desc = description(array, flags);
        let mut texels = ptr::null_mut();
        // SAFETY: the driver reads the description and writes the handle.
        let created =
            unsafe { sys::cuMipmappedArrayCreate(&raw mut texels, &raw const desc, array.n_levels) };
        done(created, "create an array of texels")?;
        self.arrays.push(texels);
        for number in 0..array.n_levels {
            copy(array, number, level(texels, number)?, Direction::ToArray)?;
        }
        Ok(texels)
    }

    /// Copies what surfaces hold to their buffers.
    pub(super) fn store_surfaces(&self) -> Result<(), Error> {
        self.surfaces.iter().try_for_each(|(_, array, texels)| copy(array, 0, *texels, Direction::ToBuffer))
    }

    /// Frees everything.
    pub(super) fn destroy(&mut self) {
        // SAFETY: each handle came from the driver, and is taken out of its list here.
        unsafe {
            for handle in self.textures.drain(..) {
                let _ = sys::cuTexObjectDestroy(handle);
            }
            for (handle, ..) in self.surfaces.drain(..) {
                let _ = sys::cuSurfObjectDestroy(handle);
            }
            for texels in self.arrays.drain(..) {
                let _ = sys::cuMipmappedArrayDestroy(texels);
            }
        }
    }
}

/// The buffer itself as the texels.
fn linear_memory(array: &Array) -> sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_3 {
    sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_3 {
        devPtr: array.address,
        format: format(array.format),
        numChannels: array.format.n_channels,
        sizeInBytes: array.size() as usize,
    }
}

/// What the driver is to know of an array.
fn description(array: &Array, flags: u32) -> CUDA_ARRAY3D_DESCRIPTOR {
    let [width, height, depth] = array.extent.map(|n| n as usize);
    let n_layers = array.n_layers as usize;
    // Zero along axes that the array lacks; layers and faces count as its depth.
    let (height, depth, kind) = match array.geometry {
        Geometry::OneD | Geometry::Linear => (0, 0, 0),
        Geometry::TwoD => (height, 0, 0),
        Geometry::ThreeD => (height, depth, 0),
        Geometry::OneDLayered => (0, n_layers, ARRAY_LAYERED),
        Geometry::TwoDLayered => (height, n_layers, ARRAY_LAYERED),
        Geometry::Cubemap => (height, n_layers, ARRAY_CUBEMAP),
        Geometry::CubemapLayered => (height, n_layers, ARRAY_CUBEMAP | ARRAY_LAYERED),
    };
    CUDA_ARRAY3D_DESCRIPTOR {
        Width: width,
        Height: height,
        Depth: depth,
        Format: format(array.format),
        NumChannels: array.format.n_channels,
        Flags: flags | kind,
    }
}

fn format(format: Format) -> CUarray_format {
    match format.channel {
        Channel::U8 => CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8,
        Channel::S8 => CUarray_format::CU_AD_FORMAT_SIGNED_INT8,
        Channel::U16 => CUarray_format::CU_AD_FORMAT_UNSIGNED_INT16,
        Channel::S16 => CUarray_format::CU_AD_FORMAT_SIGNED_INT16,
        Channel::U32 => CUarray_format::CU_AD_FORMAT_UNSIGNED_INT32,
        Channel::S32 => CUarray_format::CU_AD_FORMAT_SIGNED_INT32,
        Channel::F16 => CUarray_format::CU_AD_FORMAT_HALF,
        Channel::F32 => CUarray_format::CU_AD_FORMAT_FLOAT,
    }
}

/// The modes of the axes that the array has. Along others a texture is read at 0, which with a border would be half beside it.
fn address_modes(array: &Array, sampler: &Sampler) -> [CUaddress_mode; 3] {
    let mut modes = [CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP; 3];
    let own = modes.iter_mut().zip(sampler.address_modes).take(array.geometry.n_coordinates());
    for (to, mode) in own {
        *to = match mode {
            AddressMode::Wrap => CUaddress_mode::CU_TR_ADDRESS_MODE_WRAP,
            AddressMode::Clamp => CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP,
            AddressMode::Mirror => CUaddress_mode::CU_TR_ADDRESS_MODE_MIRROR,
            AddressMode::Border => CUaddress_mode::CU_TR_ADDRESS_MODE_BORDER,
        };
    }
    modes
}

fn filter(filter: Filter) -> CUfilter_mode {
    match filter {
        Filter::Point => CUfilter_mode::CU_TR_FILTER_MODE_POINT,
        Filter::Linear => CUfilter_mode::CU_TR_FILTER_MODE_LINEAR,
    }
}

/// One image of an array.
fn level(texels: sys::CUmipmappedArray, number: u32) -> Result<sys::CUarray, Error> {
    let mut array = ptr::null_mut();
    // SAFETY: the array exists, and `array` is there to be written.
    let got = unsafe { sys::cuMipmappedArrayGetLevel(&raw mut array, texels, number) };
    done(got, "find an image of a texture")?;
    Ok(array)
}

/// Copies one image between its CUDA array and the buffer of the array.
fn copy(array: &Array, number: u32, texels: sys::CUarray, direction: Direction) -> Result<(), Error> {
    let desc = copy_description(array, number, texels, direction);
    // SAFETY: the buffer has all texels of the array, which `ObjectSpec::array` has checked.
    done(unsafe { sys::cuMemcpy3D_v2(&raw const desc) }, "copy texels")
}

fn copy_description(array: &Array, number: u32, texels: sys::CUarray, direction: Direction) -> CUDA_MEMCPY3D {
    let [width, height, depth] = array.extent_of(number).map(|n| n as usize);
    let row = width * array.format.size() as usize;
    let buffer = array.address_of(number, 0, [0; 3]);
    let (device, opaque) = (CUmemorytype::CU_MEMORYTYPE_DEVICE, CUmemorytype::CU_MEMORYTYPE_ARRAY);
    let (from, to) = match direction {
        Direction::ToArray => (device, opaque),
        Direction::ToBuffer => (opaque, device),
    };
    // What is not of the kind that the memory's type names is not read.
    CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: from,
        srcHost: ptr::null(),
        srcDevice: buffer,
        srcArray: texels,
        reserved0: ptr::null_mut(),
        srcPitch: row,
        srcHeight: height,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: to,
        dstHost: ptr::null_mut(),
        dstDevice: buffer,
        dstArray: texels,
        reserved1: ptr::null_mut(),
        dstPitch: row,
        dstHeight: height,
        WidthInBytes: row,
        Height: height,
        Depth: depth * array.n_layers as usize,
    }
}

/// The bytes of a tensor map as the driver makes them.
pub(super) fn tensor_map(map: &TensorMap) -> Result<[u8; MAP_SIZE], Error> {
    map.check().map_err(|misuse| Error::Launch(misuse.to_string()))?;
    let element = match map.element {
        TensorElement::U8 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT8,
        TensorElement::U16 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT16,
        TensorElement::U32 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT32,
        TensorElement::S32 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_INT32,
        TensorElement::U64 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT64,
        TensorElement::S64 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_INT64,
        TensorElement::F16 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
        TensorElement::F32 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        TensorElement::F64 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
        TensorElement::Bf16 => CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    };
    let swizzle = match map.swizzle {
        Swizzle::None => CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_NONE,
        Swizzle::B32 => CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_32B,
        Swizzle::B64 => CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_64B,
        Swizzle::B128 => CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_128B,
    };
    let extents: Vec<u64> = map.extents.iter().map(|&extent| extent.into()).collect();
    // SAFETY: the structure is plain data of C, for which zeros are valid.
    let mut encoded = unsafe { mem::zeroed::<CUtensorMap>() };
    // SAFETY: there are as many extents, steps and box extents as axes, and one stride less (`TensorMap::check`).
    let made = unsafe {
        sys::cuTensorMapEncodeTiled(
            &raw mut encoded,
            element,
            map.extents.len() as u32,
            ptr::with_exposed_provenance_mut(map.address as usize),
            extents.as_ptr(),
            map.strides.as_ptr(),
            map.box_extents.as_ptr(),
            map.steps.as_ptr(),
            CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
            swizzle,
            CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )
    };
    done(made, "create a tensor map")?;
    // SAFETY: a map is 128 bytes of plain data.
    Ok(unsafe { mem::transmute::<CUtensorMap, [u8; MAP_SIZE]>(encoded) })
}

fn done(result: sys::CUresult, what: &str) -> Result<(), Error> {
    result.result().map_err(|error: DriverError| failed(what, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_copied_whole() {
        let format = Format { channel: Channel::U16, n_channels: 2 };
        let geometry = Geometry::TwoDLayered;
        let array = Array { address: 256, format, geometry, extent: [6, 4, 1], n_layers: 3, n_levels: 2 };
        let desc = copy_description(&array, 1, ptr::null_mut(), Direction::ToBuffer);
        assert_eq!(
            (desc.srcMemoryType, desc.dstMemoryType),
            (CUmemorytype::CU_MEMORYTYPE_ARRAY, CUmemorytype::CU_MEMORYTYPE_DEVICE)
        );
        assert_eq!((desc.WidthInBytes, desc.Height, desc.Depth), (3 * 4, 2, 3));
        assert_eq!((desc.dstPitch, desc.dstHeight), (3 * 4, 2));
        assert_eq!(desc.dstDevice, 256 + 6 * 4 * 3 * 4);
    }

    #[test]
    fn layers_count_as_depth() {
        let format = Format { channel: Channel::F32, n_channels: 4 };
        let array = |geometry, extent, n_layers| Array {
            address: 0,
            format,
            geometry,
            extent,
            n_layers,
            n_levels: 1,
        };
        let extents = |array: Array| {
            let desc = description(&array, ARRAY_SURFACE);
            (desc.Width, desc.Height, desc.Depth, desc.Flags)
        };
        assert_eq!(extents(array(Geometry::OneD, [5, 1, 1], 1)), (5, 0, 0, ARRAY_SURFACE));
        assert_eq!(extents(array(Geometry::ThreeD, [5, 6, 7], 1)), (5, 6, 7, ARRAY_SURFACE));
        assert_eq!(
            extents(array(Geometry::OneDLayered, [5, 1, 1], 2)),
            (5, 0, 2, ARRAY_SURFACE | ARRAY_LAYERED)
        );
        let cubes = ARRAY_SURFACE | ARRAY_LAYERED | ARRAY_CUBEMAP;
        assert_eq!(extents(array(Geometry::CubemapLayered, [8, 8, 1], 12)), (8, 8, 12, cubes));
    }
}
