//! Buffers: elements of one type, with a shape.
//!
//! - this file: a buffer, and its elements as Rust types
//! - [`generate`]: contents that are the same on every machine
//! - [`mod@file`]: raw files and NumPy's `.npy`

pub mod file;
pub mod generate;

use crate::element::{Element, ElementType, Number};

/// Elements of one type, in row-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    ty: ElementType,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Buffer {
    /// A buffer of zeros.
    pub fn zeros(ty: ElementType, shape: impl Into<Vec<usize>>) -> Self {
        let shape = shape.into();
        let bytes = vec![0; shape.iter().product::<usize>() * ty.size()];
        Buffer { ty, shape, bytes }
    }

    /// A one-dimensional buffer.
    pub fn new<T: Element>(elements: &[T]) -> Self {
        let mut bytes = Vec::with_capacity(size_of_val(elements));
        for element in elements {
            element.append_to(&mut bytes);
        }
        Buffer { ty: T::TYPE, shape: vec![elements.len()], bytes }
    }

    /// Little-endian bytes as elements; `None` if their number does not match the shape.
    pub fn of_bytes(ty: ElementType, shape: impl Into<Vec<usize>>, bytes: Vec<u8>) -> Option<Self> {
        let shape = shape.into();
        let n_elements = shape.iter().try_fold(1_usize, |n, &dim| n.checked_mul(dim))?;
        (n_elements.checked_mul(ty.size())? == bytes.len()).then_some(Buffer { ty, shape, bytes })
    }

    /// The same elements in another shape; `None` if that has another number of elements.
    #[must_use]
    pub fn reshaped(self, shape: impl Into<Vec<usize>>) -> Option<Self> {
        Buffer::of_bytes(self.ty, shape, self.bytes)
    }

    /// The type of its elements.
    pub fn ty(&self) -> ElementType {
        self.ty
    }

    /// The number of elements along each axis; the last axis is contiguous.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.ty.size()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its bytes, mutable.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The bytes of an element.
    pub fn element(&self, index: usize) -> &[u8] {
        let size = self.ty.size();
        &self.bytes[index * size..][..size]
    }

    /// An element as a number.
    pub fn number(&self, index: usize) -> Number {
        self.ty.number(self.element(index))
    }

    /// An element as a text.
    pub fn text(&self, index: usize) -> String {
        self.ty.text(self.element(index))
    }

    /// The elements as a Rust type; `None` if they have another type.
    pub fn get<T: Element>(&self) -> Option<Vec<T>> {
        (self.ty == T::TYPE).then(|| self.bytes.chunks_exact(self.ty.size()).map(T::of_bytes).collect())
    }

    /// The elements as a Rust type.
    ///
    /// # Panics
    ///
    /// If they have another type: that is a bug in the calling program.
    pub fn to_vec<T: Element>(&self) -> Vec<T> {
        self.get().unwrap_or_else(|| panic!("the buffer has elements of {}, not of {}", self.ty, T::TYPE))
    }

    /// The elements in another type, each rounded to nearest; `None` if the type cannot represent one of
    /// them.
    pub fn converted(&self, ty: ElementType) -> Option<Self> {
        if ty == self.ty {
            return Some(self.clone());
        }
        let mut bytes = Vec::with_capacity(self.len() * ty.size());
        for index in 0..self.len() {
            bytes.extend(ty.bytes(self.number(index))?);
        }
        Some(Buffer { ty, shape: self.shape.clone(), bytes })
    }

    /// `f32[64,64]`; `f32` for a number without a shape.
    pub fn signature(&self) -> String {
        if self.shape.is_empty() {
            return self.ty.to_string();
        }
        let shape: Vec<String> = self.shape.iter().map(ToString::to_string).collect();
        format!("{}[{}]", self.ty, shape.join(","))
    }

    /// The index of an element along each axis: `[1,2]`.
    pub fn index_text(&self, index: usize) -> String {
        if self.shape.is_empty() {
            return "value".to_owned();
        }
        let mut rest = index;
        let mut indices: Vec<String> = Vec::new();
        for &dim in self.shape.iter().rev() {
            indices.push((rest % dim.max(1)).to_string());
            rest /= dim.max(1);
        }
        indices.reverse();
        format!("[{}]", indices.join(","))
    }
}

impl<T: Element> From<&[T]> for Buffer {
    fn from(elements: &[T]) -> Self {
        Buffer::new(elements)
    }
}

impl<T: Element> From<Vec<T>> for Buffer {
    fn from(elements: Vec<T>) -> Self {
        Buffer::new(&elements)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_out_as_they_went_in() {
        let buffer = Buffer::new(&[1.5_f32, -2.0, 0.0, 3.0]).reshaped([2, 2]).expect("four elements");
        assert_eq!(buffer.to_vec::<f32>(), [1.5, -2.0, 0.0, 3.0]);
        assert_eq!(buffer.get::<u32>(), None);
        assert_eq!((buffer.signature(), buffer.index_text(3)), ("f32[2,2]".to_owned(), "[1,1]".to_owned()));
        assert_eq!(buffer.clone().reshaped([3]), None);
        let words = buffer.converted(ElementType::I32);
        assert_eq!(words, None, "1.5 is not an integer");
        let doubles = buffer.converted(ElementType::F64).expect("wider");
        assert_eq!(doubles.to_vec::<f64>(), [1.5, -2.0, 0.0, 3.0]);
    }
}
