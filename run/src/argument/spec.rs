//! A parsed argument, before it is known which parameter it is for.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::ArgumentError;
use super::object::ObjectSpec;
use super::parse::Parser;
use super::tensor::TensorMapSpec;
use crate::buffer::generate::Contents;
use crate::element::{ElementType, Number};

/// A parsed argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// The text.
    pub text: String,
    /// The name of its buffer.
    pub name: Option<String>,
    /// The value.
    pub value: SpecValue,
}

/// The parsed contents of a buffer: generated contents, a list, a number for all elements, or a buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The text.
    pub text: String,
    /// The buffer; what it leaves out is taken from the buffer to fill or compare with.
    pub buffer: BufferSpec,
    /// Its position in the text.
    pub span: Range<usize>,
}

/// A parsed value, and its position in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecValue {
    /// The byte range in the text.
    pub span: Range<usize>,
    /// The value.
    pub kind: SpecKind,
}

/// The kinds of values.
#[derive(Clone, Debug, PartialEq)]
pub enum SpecKind {
    /// The null pointer.
    Null,
    /// `5`, `f32:1.5`
    Number {
        /// The type prefix.
        ty: Option<ElementType>,
        /// The number.
        literal: Literal,
    },
    /// `{1, 2}`
    Struct(Vec<SpecValue>),
    /// `hex:0011`
    Bytes(Vec<u8>),
    /// `&x[3]`
    Reference {
        /// The name.
        name: String,
        /// The index of the element.
        index: i64,
    },
    /// `texture(f32[4]=iota, linear)`: with a buffer, or a reference to one.
    Object(Box<(ObjectSpec, SpecValue)>),
    /// `tensor_map(f32[64, 64]=iota, box(8, 32))`: with a buffer, or a reference to one.
    TensorMap(Box<(TensorMapSpec, SpecValue)>),
    /// `f32[4]=iota`
    Buffer(BufferSpec),
}

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// A value.
    Number(Number),
    /// The bits of its type: `bits(0x7fc00000)`.
    Bits(u64),
}

/// A parsed buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferSpec {
    /// The type of its elements.
    pub ty: Option<ElementType>,
    /// Its shape.
    pub shape: Option<Vec<usize>>,
    /// The source of its elements.
    pub source: Source,
}

/// The source of a buffer's elements.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// None: the buffer is uninitialized.
    Nothing,
    /// Generated contents.
    Contents(Contents),
    /// A file.
    File(PathBuf),
}

impl Spec {
    /// Parses an argument.
    ///
    /// # Errors
    ///
    /// If it does not follow the grammar; the error has the position.
    pub fn parse(text: &str) -> Result<Self, ArgumentError> {
        Parser::new(text).argument()
    }
}

impl Spec {
    /// The files that it reads.
    pub fn files(&self) -> Vec<&Path> {
        let mut files = Vec::new();
        self.value.add_files(&mut files);
        files
    }
}

impl SpecValue {
    fn add_files<'s>(&'s self, files: &mut Vec<&'s Path>) {
        match &self.kind {
            SpecKind::Buffer(buffer) => files.extend(buffer.file()),
            SpecKind::Struct(members) => members.iter().for_each(|member| member.add_files(files)),
            SpecKind::Object(object) => object.1.add_files(files),
            SpecKind::TensorMap(map) => map.1.add_files(files),
            SpecKind::Null | SpecKind::Number { .. } | SpecKind::Bytes(_) | SpecKind::Reference { .. } => {}
        }
    }
}

impl BufferSpec {
    /// The file that it reads.
    pub fn file(&self) -> Option<&Path> {
        match &self.source {
            Source::File(path) => Some(path),
            Source::Nothing | Source::Contents(_) => None,
        }
    }
}

impl Expected {
    /// Parses the contents of a buffer.
    ///
    /// # Errors
    ///
    /// If they do not follow the grammar; the error has the position.
    pub fn parse(text: &str) -> Result<Self, ArgumentError> {
        Parser::new(text).expected()
    }
}
