//! What the text of an argument says, before it is known what it is for.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::ArgumentError;
use super::object::ObjectSpec;
use super::parse::Parser;
use super::tensor::TensorMapSpec;
use crate::buffer::generate::Contents;
use crate::element::{ElementType, Number};

/// An argument as a text has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// The text.
    pub text: String,
    /// What it calls its buffer.
    pub name: Option<String>,
    /// The value.
    pub value: SpecValue,
}

/// What a buffer is to hold, as a text has it: contents, a list, a number that all elements are, or a buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The text.
    pub text: String,
    /// The buffer; what it leaves out is as the result has it.
    pub buffer: BufferSpec,
    /// Its place in the text.
    pub span: Range<usize>,
}

/// A value and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecValue {
    /// The bytes of the text.
    pub span: Range<usize>,
    /// The value.
    pub kind: SpecKind,
}

/// What a text says.
#[derive(Clone, Debug, PartialEq)]
pub enum SpecKind {
    /// The null pointer.
    Null,
    /// `5`, `f32:1.5`
    Number {
        /// The type in front of it.
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
        /// The number of the element.
        index: i64,
    },
    /// `texture(f32[4]=iota, linear)`: with a buffer, or a reference to one.
    Object(Box<(ObjectSpec, SpecValue)>),
    /// `tensor_map(f32[64, 64]=iota, box(8, 32))`: with a buffer, or a reference to one.
    TensorMap(Box<(TensorMapSpec, SpecValue)>),
    /// `f32[4]=iota`
    Buffer(BufferSpec),
}

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// By its value.
    Number(Number),
    /// By the bits of its type: `bits(0x7fc00000)`.
    Bits(u64),
}

/// A buffer as a text has it.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferSpec {
    /// The type of its elements.
    pub ty: Option<ElementType>,
    /// Its shape.
    pub shape: Option<Vec<usize>>,
    /// Where its elements come from.
    pub source: Source,
}

/// Where the elements of a buffer come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Nowhere: nothing has been written there.
    Nothing,
    /// They are made.
    Contents(Contents),
    /// They are in a file.
    File(PathBuf),
}

impl Spec {
    /// Reads the text of an argument.
    ///
    /// # Errors
    /// When it does not follow the grammar; the place within the text is reported.
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
    /// Reads what a buffer is to hold.
    ///
    /// # Errors
    /// When it does not follow the grammar; the place within the text is reported.
    pub fn parse(text: &str) -> Result<Self, ArgumentError> {
        Parser::new(text).expected()
    }
}
