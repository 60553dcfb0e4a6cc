//! Kernel arguments, as texts and as values.
//!
//! ```text
//! argument  = [ name "=" ] value
//! value     = "null" | reference | struct | object | map | buffer | scalar
//! scalar    = [ type ":" ] number                     5   -1.5   0x10   f32:1.5   bf16:nan
//! struct    = "{" [ value { "," value } ] "}"         {1, f32:2.5, &x}
//!           | "hex:" digits                           hex:0100_0000
//! reference = "&" name [ "[" integer "]" ]            &x   &x[16]
//! object    = ( "texture" | "surface" ) "(" ( buffer | reference ) { "," option } ")"
//! map       = "tensor_map" "(" ( buffer | reference ) "," option { "," option } ")"
//! option    = word [ "(" number { "," number } ")" ]     2d   2d(64, 32)   linear   border(0, 0, 0, 1)
//! buffer    = [ type ] shape [ "=" contents ]         f32[1024]   f32[64,64]=random(7)
//!           | [ type "=" ] list                       i32={1, 2, 3}   {1, 2, 3}
//!           | [ type ] [ shape ] "@" path             @x.npy   f32@x.bin   f32[64,64]@"x, y.bin"
//! shape     = "[" [ integer { "," integer } ] "]"
//! contents  = "zeros" | "ones" | "iota" | "fill" "(" number ")" | list
//!           | "random" [ "(" [ seed [ "," number "," number ] ] ")" ]
//! list      = "{" [ number { "," number } ] "}"
//! number    = an integer, decimal or with 0x or 0b before it | a decimal with a point or an exponent
//!           | "inf" | "-inf" | "nan" | "true" | "false" | "bits" "(" integer ")"
//! type      = "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64"
//!           | "f16" | "bf16" | "f32" | "f64"
//! ```
//!
//! A buffer is allocated, and its address is passed. A buffer without contents is uninitialized, like memory of
//! `cudaMalloc`: the emulator reports results that depend on it. Other arguments can refer to a named buffer with
//! `&name`. Digits of numbers may be separated by `_`. An unquoted path extends to the end of the text, or in a
//! struct to the next `,` or `}`.
//!
//! What the text leaves out comes from the parameter: the type of a number, of a buffer's elements and of a
//! struct's members, and whether braces enclose a struct or the elements of a buffer. If the parameter's type is
//! unknown, a number in a struct has its type in C, `int` or `double`. Structs have C layout.
//!
//! - [`spec`]: parsed arguments; `parse` is the parser, `parse_object` the part for textures and surfaces
//! - [`object`]: textures and surfaces; [`tensor`]: tensor maps
//! - `resolve`: turns a parsed argument into a value for a parameter
//! - this file: the value

pub mod object;
mod parse;
mod parse_object;
mod resolve;
pub mod spec;
pub mod tensor;

use std::error;
use std::fmt;
use std::ops::Range;

use object::ObjectSpec;
use resolve::N_COPIES;
pub use resolve::Surroundings;
pub use spec::{Expected, Spec};

use tensor::TensorMapSpec;
use weft_emulator::tensor::MAP_SIZE;

use crate::buffer::Buffer;
use crate::element::{Element, ElementType};

/// The argument for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The name of its buffer.
    pub name: Option<String>,
    /// Its value.
    pub value: Value,
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The bytes of a number or of a struct without pointers.
    Bytes(Vec<u8>),
    /// A buffer, whose address is passed.
    Buffer(Buffer),
    /// An uninitialized buffer, like memory of `cudaMalloc`: zeros that results must not depend on.
    Unwritten(Buffer),
    /// The address of an element of a named buffer; the element need not exist.
    Reference {
        /// The name.
        name: String,
        /// The index of the element.
        index: i64,
    },
    /// The handle of a texture or surface: how it is read, and its buffer, or a reference to one.
    Object(Box<(ObjectSpec, Value)>),
    /// A tensor map: its tiles, and its buffer, or a reference to one.
    TensorMap(Box<(TensorMapSpec, Value)>),
    /// A struct: its size in bytes, and the offsets and values of its members.
    Struct(usize, Vec<(usize, Value)>),
}

impl Argument {
    /// The address of an element of a named buffer.
    pub fn reference(name: impl Into<String>, index: i64) -> Self {
        Value::Reference { name: name.into(), index }.into()
    }

    /// The bytes of a struct in C layout.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Value::Bytes(bytes.into()).into()
    }

    /// An uninitialized buffer, for results.
    pub fn unwritten(ty: ElementType, shape: impl Into<Vec<usize>>) -> Self {
        Value::Unwritten(Buffer::zeros(ty, shape)).into()
    }

    /// The null pointer.
    pub fn null() -> Self {
        0_u64.into()
    }

    /// The same with a name for its buffer, for the report and for other arguments.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Argument { name: Some(name.into()), value: self.value }
    }
}

impl Value {
    /// Its size in a kernel's parameters, in bytes.
    pub fn size(&self, word: usize) -> usize {
        match self {
            Value::Bytes(bytes) => bytes.len(),
            Value::Buffer(_) | Value::Unwritten(_) | Value::Reference { .. } => word,
            Value::Object(_) => 8,
            Value::TensorMap(_) => MAP_SIZE,
            Value::Struct(size, _) => *size,
        }
    }

    /// The host memory that the contents of its buffers may take in a launch, in bytes.
    pub(crate) fn n_host_bytes(&self) -> u64 {
        match self {
            Value::Bytes(_) | Value::Reference { .. } => 0,
            Value::Buffer(buffer) | Value::Unwritten(buffer) => N_COPIES * buffer.bytes().len() as u64,
            Value::Object(object) => object.1.n_host_bytes(),
            Value::TensorMap(map) => map.1.n_host_bytes(),
            Value::Struct(_, parts) => parts.iter().map(|(_, part)| part.n_host_bytes()).sum(),
        }
    }
}

impl From<Value> for Argument {
    fn from(value: Value) -> Self {
        Argument { name: None, value }
    }
}

impl<T: Element> From<T> for Argument {
    fn from(number: T) -> Self {
        let mut bytes = Vec::new();
        number.append_to(&mut bytes);
        Value::Bytes(bytes).into()
    }
}

impl From<Buffer> for Argument {
    fn from(buffer: Buffer) -> Self {
        Value::Buffer(buffer).into()
    }
}

impl<T: Element> From<Vec<T>> for Argument {
    fn from(elements: Vec<T>) -> Self {
        Buffer::from(elements).into()
    }
}

impl<T: Element> From<&[T]> for Argument {
    fn from(elements: &[T]) -> Self {
        Buffer::from(elements).into()
    }
}

/// An error in the text of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    /// The text.
    pub text: String,
    /// The erroneous byte range.
    pub span: Range<usize>,
    /// A lower-case phrase.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
    /// Whether a file is missing or cannot be read, and the text is correct.
    pub is_environment: bool,
}

impl ArgumentError {
    /// The text, with the error underlined.
    pub fn excerpt(&self) -> String {
        let columns = |range: Range<usize>| self.text.get(range).map_or(0, |part| part.chars().count());
        let (before, wrong) = (columns(0..self.span.start), columns(self.span.clone()));
        format!("{}\n{}{}", self.text, " ".repeat(before), "^".repeat(wrong.max(1)))
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(help) = &self.help {
            write!(f, "; {help}")?;
        }
        if !self.text.is_empty() {
            write!(f, "\n  {}", self.excerpt().replace('\n', "\n  "))?;
        }
        Ok(())
    }
}

impl error::Error for ArgumentError {}
