//! Tensor maps as arguments: their options, and the map of a buffer.
//!
//! Axes are in the order of the buffer's shape, the innermost last: `tensor_map(f16[64, 128], box(8, 64))`
//! has tiles of 8 rows.

use weft_emulator::tensor::{Swizzle, TensorElement, TensorMap};

use crate::buffer::Buffer;
use crate::element::ElementType;

/// A map of a buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TensorMapSpec {
    /// The number of elements that a tile spans along each axis.
    pub box_extents: Vec<u32>,
    /// The step between elements of the tile along each axis; by default 1.
    pub steps: Option<Vec<u32>>,
    /// The layout of tiles in shared memory.
    pub swizzle: Swizzle,
}

impl TensorMapSpec {
    /// The map of a buffer at an address.
    ///
    /// # Errors
    ///
    /// A phrase that describes the error.
    pub fn map(&self, buffer: &Buffer, address: u64) -> Result<TensorMap, String> {
        let element = element_of(buffer.ty())
            .ok_or_else(|| format!("tensor maps cannot have elements of {}", buffer.ty()))?;
        let shape = buffer.shape();
        let extents: Option<Vec<u32>> = shape.iter().rev().map(|&n| u32::try_from(n).ok()).collect();
        let extents = extents.ok_or("a dimension of the tensor is too large")?;
        let mut stride = element.size();
        let mut strides = Vec::new();
        for &extent in &extents {
            stride = stride.saturating_mul(extent.into());
            strides.push(stride);
        }
        strides.pop();
        let inwards = |axes: &[u32]| axes.iter().rev().copied().collect::<Vec<u32>>();
        let map = TensorMap {
            address,
            element,
            strides,
            box_extents: inwards(&self.box_extents),
            steps: self.steps.as_deref().map_or_else(|| vec![1; extents.len()], inwards),
            extents,
            swizzle: self.swizzle,
        };
        map.check().map_err(|misuse| misuse.to_string())?;
        Ok(map)
    }
}

fn element_of(ty: ElementType) -> Option<TensorElement> {
    Some(match ty {
        ElementType::U8 => TensorElement::U8,
        ElementType::U16 => TensorElement::U16,
        ElementType::U32 => TensorElement::U32,
        ElementType::I32 => TensorElement::S32,
        ElementType::U64 => TensorElement::U64,
        ElementType::I64 => TensorElement::S64,
        ElementType::F16 => TensorElement::F16,
        ElementType::Bf16 => TensorElement::Bf16,
        ElementType::F32 => TensorElement::F32,
        ElementType::F64 => TensorElement::F64,
        ElementType::I8 | ElementType::I16 => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_those_of_the_buffer_from_the_last_on() {
        let spec = TensorMapSpec { box_extents: vec![2, 8, 16], ..TensorMapSpec::default() };
        let map = spec.map(&Buffer::zeros(ElementType::F16, [3, 10, 40]), 256).unwrap();
        assert_eq!((map.extents, map.strides), (vec![40, 10, 3], vec![80, 800]));
        assert_eq!((map.box_extents, map.steps), (vec![16, 8, 2], vec![1, 1, 1]));
    }

    #[test]
    fn rejects_mismatched_tensor_maps() {
        let wrong = |ty, shape: &[usize], extents: &[u32]| {
            let spec = TensorMapSpec { box_extents: extents.to_vec(), ..TensorMapSpec::default() };
            spec.map(&Buffer::zeros(ty, shape), 0).unwrap_err()
        };
        assert!(wrong(ElementType::I8, &[16], &[16]).contains("cannot have elements of i8"));
        assert!(wrong(ElementType::F32, &[4, 6], &[4, 4]).contains("stride is 24 bytes"));
        assert!(wrong(ElementType::F32, &[4, 8], &[4]).contains("as many dimensions"));
        assert!(wrong(ElementType::F32, &[1, 1, 1, 1, 1, 4], &[1; 6]).contains("must have from 1 to 5"));
    }
}
