//! Turns a parsed argument into a value for a parameter.
//!
//! This reads files and generates contents. What the text leaves out comes from the parameter.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use weft_emulator::memory::host::HostMemory;

use super::spec::{BufferSpec, Expected, Literal, Source, Spec, SpecKind, SpecValue};
use super::{Argument, ArgumentError, Value};
use crate::bounded::read_file;
use crate::buffer::Buffer;
use crate::buffer::file::{Format, decode_npy};
use crate::buffer::generate::{Contents, GenerateError, generate};
use crate::element::{ElementType, Number, NumberKind};
use crate::parameter::ParameterType;

/// The context in which arguments are resolved.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The folder that relative paths start from.
    pub folder: PathBuf,
    /// The seed of random contents without one.
    pub seed: u64,
    /// The maximum size of a buffer, in bytes.
    pub max_bytes: u64,
    /// The host's memory, which limits the contents.
    pub host: Arc<HostMemory>,
    /// The size of an address in bytes.
    pub word: usize,
}

impl Default for Surroundings {
    fn default() -> Self {
        let host = Arc::new(HostMemory::available());
        Surroundings { folder: PathBuf::new(), seed: 0, max_bytes: 1 << 32, host, word: 8 }
    }
}

/// The maximum number of copies of a buffer's contents on the host: as read, as elements, and both before and
/// after the launch.
pub(super) const N_COPIES: u64 = 3;

type Result<T> = std::result::Result<T, ArgumentError>;

impl Spec {
    /// Makes the value for a parameter.
    ///
    /// # Errors
    ///
    /// If the value does not fit the parameter, or a file cannot be read.
    pub fn resolve(&self, parameter: &ParameterType, surroundings: &Surroundings) -> Result<Argument> {
        let value = self.resolve_value(parameter, surroundings)?;
        let cx = Resolver { text: &self.text, surroundings };
        let (found, wanted) = (value.size(surroundings.word), parameter.size());
        if found != wanted {
            let message = format!("the value has {found} bytes, but the parameter is {parameter}");
            return Err(cx.error(&self.value.span, message));
        }
        Ok(Argument { name: self.name.clone(), value })
    }

    /// The same without checking its size.
    pub(crate) fn resolve_value(
        &self,
        parameter: &ParameterType,
        surroundings: &Surroundings,
    ) -> Result<Value> {
        Resolver { text: &self.text, surroundings }.value(&self.value, Some(parameter))
    }
}

impl Expected {
    /// Makes a buffer; a type or shape that the text leaves out is that of `result`.
    ///
    /// # Errors
    ///
    /// If the contents do not fit, or a file cannot be read.
    pub fn resolve(&self, result: &Buffer, surroundings: &Surroundings) -> Result<Buffer> {
        let cx = Resolver { text: &self.text, surroundings };
        // A file has its own shape; only the number of its elements must match.
        let shape = match (&self.buffer.shape, &self.buffer.source) {
            (None, Source::File(_)) => None,
            (shape, _) => Some(shape.clone().unwrap_or(result.shape().to_vec())),
        };
        let ty = match &self.buffer.source {
            Source::File(path) if Format::of(path) == Format::Npy => self.buffer.ty,
            _ => Some(self.buffer.ty.unwrap_or(result.ty())),
        };
        cx.buffer(&BufferSpec { ty, shape, ..self.buffer.clone() }, None, &self.span)
    }
}

struct Resolver<'a> {
    text: &'a str,
    surroundings: &'a Surroundings,
}

impl Resolver<'_> {
    fn value(&self, value: &SpecValue, parameter: Option<&ParameterType>) -> Result<Value> {
        let span = &value.span;
        match &value.kind {
            SpecKind::Null => Ok(Value::Bytes(vec![0; self.surroundings.word])),
            SpecKind::Number { ty, literal } => self.number(*ty, *literal, parameter, span).map(Value::Bytes),
            SpecKind::Bytes(bytes) => Ok(Value::Bytes(bytes.clone())),
            SpecKind::Reference { name, index } => Ok(Value::Reference { name: name.clone(), index: *index }),
            SpecKind::Struct(members) => match parameter {
                Some(ParameterType::Pointer { element, .. }) => self.list(members, *element, span),
                _ => self.structure(members, parameter, span),
            },
            SpecKind::Object(object) => {
                let (object, source) = &**object;
                let source = self.value(source, None)?;
                if let Value::Buffer(buffer) | Value::Unwritten(buffer) = &source {
                    object.array(buffer, 0).map_err(|message| self.error(span, message))?;
                }
                Ok(Value::Object(Box::new((object.clone(), source))))
            }
            SpecKind::TensorMap(map) => {
                let (map, source) = &**map;
                let source = self.value(source, None)?;
                if let Value::Buffer(buffer) | Value::Unwritten(buffer) = &source {
                    map.map(buffer, 0).map_err(|message| self.error(span, message))?;
                }
                Ok(Value::TensorMap(Box::new((map.clone(), source))))
            }
            SpecKind::Buffer(buffer) => {
                let element = match parameter {
                    Some(ParameterType::Pointer { element, .. }) => *element,
                    Some(ParameterType::Word(size)) if *size == self.surroundings.word => None,
                    None => None,
                    Some(other) => {
                        return Err(self.error(span, format!("the parameter is {other}, not a pointer")));
                    }
                };
                let is_written = buffer.source != Source::Nothing;
                let buffer = self.buffer(buffer, element, span)?;
                Ok(if is_written { Value::Buffer(buffer) } else { Value::Unwritten(buffer) })
            }
        }
    }

    fn number(
        &self,
        ty: Option<ElementType>,
        literal: Literal,
        parameter: Option<&ParameterType>,
        span: &Range<usize>,
    ) -> Result<Vec<u8>> {
        let ty = match (ty, parameter) {
            (Some(ty), _) => ty,
            (None, Some(ParameterType::Number(ty))) => *ty,
            (None, Some(ParameterType::Word(size))) => return self.word(*size, literal, span),
            (None, Some(ParameterType::Pointer { .. })) => {
                return self.word(self.surroundings.word, literal, span);
            }
            (None, Some(parameter @ ParameterType::Struct { .. })) => {
                let message = format!("the parameter is {parameter}, not a number");
                return Err(self.error(span, message).help("use `{…}`, `hex:…`, or a type as in `f16:1.5`"));
            }
            // C17 6.4.4.1p5, 6.4.4.2p4: constants without a suffix.
            (None, None) => match literal {
                Literal::Number(Number::Float(_)) => ElementType::F64,
                Literal::Number(Number::Int(_)) | Literal::Bits(_) => ElementType::I32,
            },
        };
        let bytes = match literal {
            Literal::Bits(bits) => low_bytes(bits, ty.size()),
            Literal::Number(number) => ty.bytes(number),
        };
        bytes.ok_or_else(|| self.error(span, format!("the number is out of range for {ty}")))
    }

    /// An integer of unknown signedness: any value that the signed or the unsigned type can represent.
    fn word(&self, size: usize, literal: Literal, span: &Range<usize>) -> Result<Vec<u8>> {
        let value = match literal {
            Literal::Bits(bits) => i128::from(bits),
            Literal::Number(Number::Int(value)) => value,
            Literal::Number(Number::Float(0.0)) => 0,
            Literal::Number(Number::Float(_)) => {
                let error = self.error(span, format!("the parameter is an integer of {} bits", 8 * size));
                return Err(error.help("to pass the bits of another type, prefix it: `f32:1.5`"));
            }
        };
        let bits = 8 * size as u32;
        let fits = -(1_i128 << (bits - 1)) <= value && value < 1_i128 << bits;
        if !fits {
            return Err(self.error(span, format!("the number is out of range for {bits} bits")));
        }
        Ok(value.to_le_bytes()[..size].to_vec())
    }

    /// Numbers in braces for a pointer are the elements of a buffer.
    fn list(
        &self,
        members: &[SpecValue],
        element: Option<ElementType>,
        span: &Range<usize>,
    ) -> Result<Value> {
        let mut numbers = Vec::new();
        for member in members {
            let SpecKind::Number { ty: None, literal: Literal::Number(number) } = member.kind else {
                return Err(self.error(&member.span, "expected a number: the parameter is a pointer"));
            };
            numbers.push(number);
        }
        let source = Source::Contents(Contents::List(numbers));
        self.buffer(&BufferSpec { ty: None, shape: None, source }, element, span).map(Value::Buffer)
    }

    /// By the members of the parameter, or else in C layout.
    fn structure(
        &self,
        members: &[SpecValue],
        parameter: Option<&ParameterType>,
        span: &Range<usize>,
    ) -> Result<Value> {
        let (size, known) = match parameter {
            Some(ParameterType::Struct { size, members }) => (Some(*size), members.as_slice()),
            None => (None, &[][..]),
            Some(other) => {
                let message = format!("the parameter is {other}, not a struct");
                return Err(self.error(span, message));
            }
        };
        if let (Some(size), false) = (size, known.is_empty()) {
            if members.len() != known.len() {
                let message = format!("the struct has {} members, got {}", known.len(), members.len());
                return Err(self.error(span, message));
            }
            let mut parts = Vec::new();
            for (member, (offset, ty)) in members.iter().zip(known) {
                let value = self.value(member, Some(ty))?;
                if value.size(self.surroundings.word) != ty.size() {
                    let message = format!(
                        "this has {} bytes, but the member is {ty}",
                        value.size(self.surroundings.word)
                    );
                    return Err(self.error(&member.span, message));
                }
                parts.push((*offset, value));
            }
            return Ok(joined(size, parts));
        }
        let (mut parts, mut end, mut align) = (Vec::new(), 0_usize, 1);
        for member in members {
            let value = self.value(member, None)?;
            let own = alignment(&value, self.surroundings.word);
            let offset = end.next_multiple_of(own);
            align = align.max(own);
            end = offset + value.size(self.surroundings.word);
            parts.push((offset, value));
        }
        // C17 6.7.2.1p17: padding at the end.
        Ok(joined(end.next_multiple_of(align), parts))
    }

    fn buffer(&self, spec: &BufferSpec, element: Option<ElementType>, span: &Range<usize>) -> Result<Buffer> {
        let contents = match &spec.source {
            Source::File(path) => return self.file(spec, path, element, span),
            Source::Contents(contents) => contents,
            Source::Nothing => &Contents::Zeros,
        };
        let ty = spec.ty.or(element).ok_or_else(|| {
            let error = self.error(span, "the element type is unknown");
            error.help("prefix it, as in `f32[1024]` or `f32={1, 2}`")
        })?;
        let shape = match (&spec.shape, contents) {
            (Some(shape), _) => shape.clone(),
            (None, Contents::List(numbers)) => vec![numbers.len()],
            (None, _) => {
                let error = self.error(span, "the number of elements is missing");
                return Err(error.help(format!("add it, as in `{ty}[1024]`")));
            }
        };
        self.check_size(ty, &shape, span)?;
        generate(ty, &shape, contents, self.surroundings.seed).map_err(|error| {
            let message = match error {
                GenerateError::NotOfType(index) => match contents {
                    Contents::List(_) => format!("element {index} is out of range for {ty}"),
                    _ => format!("element {index} would be out of range for {ty}"),
                },
                GenerateError::WrongCount { wanted, found } => {
                    format!("the buffer has {wanted} elements, but the list has {found}")
                }
                GenerateError::BadRange if ty.kind() == NumberKind::Float => {
                    "the range is empty or not finite".to_owned()
                }
                GenerateError::BadRange => format!("the range is empty or not within {ty}"),
            };
            self.error(span, message)
        })
    }

    fn check_size(&self, ty: ElementType, shape: &[usize], span: &Range<usize>) -> Result<()> {
        let n_bytes = shape.iter().try_fold(ty.size(), |n, &dim| n.checked_mul(dim));
        let limit = self.surroundings.max_bytes;
        match n_bytes {
            Some(n_bytes) if n_bytes as u64 <= limit => self.take_room(n_bytes as u64, span),
            _ => Err(self.error(span, format!("the buffer exceeds the memory limit of {limit} bytes"))),
        }
    }

    /// Reserves host memory for contents of this size.
    fn take_room(&self, n_bytes: u64, span: &Range<usize>) -> Result<()> {
        self.surroundings.host.take(n_bytes.saturating_mul(N_COPIES)).map_err(|error| {
            let mut error = self.error(span, error.to_string());
            error.is_environment = true;
            error
        })
    }

    fn file(
        &self,
        spec: &BufferSpec,
        path: &Path,
        element: Option<ElementType>,
        span: &Range<usize>,
    ) -> Result<Buffer> {
        let wrong = |why: String| self.error(span, format!("`{}`: {why}", path.display()));
        let full = self.surroundings.folder.join(path);
        let cannot = |why: &dyn std::fmt::Display| {
            let mut error = self.error(span, format!("cannot read `{}`: {why}", full.display()));
            error.is_environment = true;
            error
        };
        let data = fs::metadata(&full).map_err(|error| cannot(&cause(&error)))?;
        if data.len() > self.surroundings.max_bytes {
            return Err(wrong("it exceeds the memory limit".to_owned()));
        }
        self.take_room(data.len(), span)?;
        let bytes = read_file(&full).map_err(|error| cannot(&cause(&error)))?;
        let buffer = if Format::of(path) == Format::Npy {
            let buffer = decode_npy(&bytes).map_err(wrong)?;
            if let Some(ty) = spec.ty.filter(|&ty| ty != buffer.ty()) {
                return Err(wrong(format!("it has elements of {}, not of {ty}", buffer.ty())));
            }
            if let Some(ty) = element.filter(|ty| spec.ty.is_none() && ty.size() != buffer.ty().size()) {
                let help = format!("save it as {ty}, or prefix the type of the file");
                let error = wrong(format!("it has elements of {}, but the parameter of {ty}", buffer.ty()));
                return Err(error.help(help));
            }
            buffer
        } else {
            let ty = spec.ty.or(element).ok_or_else(|| {
                let error = self.error(span, "the element type is unknown");
                error.help("prefix it, as in `f32@x.bin`")
            })?;
            let n_elements = bytes.len() / ty.size();
            let buffer = Buffer::of_bytes(ty, [n_elements], bytes);
            buffer.ok_or_else(|| wrong(format!("its size is not a multiple of {} bytes", ty.size())))?
        };
        let Some(shape) = &spec.shape else { return Ok(buffer) };
        let n_elements = buffer.len();
        buffer.reshaped(shape.clone()).ok_or_else(|| wrong(format!("it has {n_elements} elements")))
    }

    fn error(&self, span: &Range<usize>, message: impl Into<String>) -> ArgumentError {
        ArgumentError {
            text: self.text.to_owned(),
            span: span.clone(),
            message: message.into(),
            help: None,
            is_environment: false,
        }
    }
}

/// The low bytes of a number, if the others are zero.
fn low_bytes(bits: u64, size: usize) -> Option<Vec<u8>> {
    let bytes = bits.to_le_bytes();
    bytes[size..].iter().all(|&byte| byte == 0).then(|| bytes[..size].to_vec())
}

/// The cause in words, without the operating system's error number.
fn cause(error: &std::io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    let mut chars = text[..end].chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// The alignment of a value in a struct. For a number, it is the size.
fn alignment(value: &Value, word: usize) -> usize {
    match value {
        Value::Bytes(bytes) if matches!(bytes.len(), 1 | 2 | 4 | 8) => bytes.len(),
        Value::Bytes(_) => 1,
        Value::Buffer(_) | Value::Unwritten(_) | Value::Reference { .. } => word,
        Value::Object(_) => 8,
        // CUDA Driver API "CUtensorMap"
        Value::TensorMap(_) => 128,
        Value::Struct(_, parts) => parts.iter().map(|(_, part)| alignment(part, word)).max().unwrap_or(1),
    }
}

fn joined(size: usize, parts: Vec<(usize, Value)>) -> Value {
    Value::Struct(size, parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(text: &str, ty: &ParameterType) -> std::result::Result<Value, String> {
        let argument = Spec::parse(text).expect("it is well formed");
        let argument = argument.resolve(ty, &Surroundings::default());
        argument.map(|argument| argument.value).map_err(|error| error.message)
    }

    fn bytes(text: &str, ty: &ParameterType) -> Vec<u8> {
        match resolved(text, ty) {
            Ok(Value::Bytes(bytes)) => bytes,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_number_takes_the_type_of_the_parameter() {
        let float = ParameterType::Number(ElementType::F32);
        assert_eq!(bytes("2", &float), 2.0_f32.to_le_bytes());
        assert_eq!(bytes("-1", &ParameterType::Word(4)), [255; 4]);
        assert_eq!(bytes("0xffffffff", &ParameterType::Word(4)), [255; 4]);
        assert_eq!(bytes("f32:1.5", &ParameterType::Word(4)), 1.5_f32.to_le_bytes());
        assert_eq!(bytes("u64:7", &ParameterType::Word(8)), 7_u64.to_le_bytes());
        assert_eq!(bytes("bits(0x7fc00001)", &float), 0x7fc0_0001_u32.to_le_bytes());
        let half = ParameterType::Struct { size: 2, members: Vec::new() };
        assert_eq!(bytes("bf16:1", &half), [0x80, 0x3f]);
        let refused = |text, ty: &ParameterType| resolved(text, ty).expect_err("it does not fit");
        assert_eq!(refused("0x100000000", &ParameterType::Word(4)), "the number is out of range for 32 bits");
        assert_eq!(refused("1.5", &ParameterType::Word(4)), "the parameter is an integer of 32 bits");
        assert_eq!(refused("u64:1", &float), "the value has 8 bytes, but the parameter is f32");
        assert_eq!(refused("f32[4]", &float), "the parameter is f32, not a pointer");
        assert_eq!(refused("1", &half), "the parameter is a struct of 2 bytes, not a number");
    }

    #[test]
    fn a_list_for_a_pointer_is_a_buffer() {
        let pointer = |element| ParameterType::Pointer { size: 8, element, is_const: false };
        let floats = resolved("{1, 2.5}", &pointer(Some(ElementType::F32)));
        assert_eq!(floats, Ok(Value::Buffer(Buffer::new(&[1.0_f32, 2.5]))));
        let unknown = resolved("{1, 2.5}", &pointer(None));
        assert_eq!(unknown, Err("the element type is unknown".to_owned()));
        let odd = resolved("{1, null}", &pointer(Some(ElementType::F32)));
        assert_eq!(odd, Err("expected a number: the parameter is a pointer".to_owned()));
    }

    #[test]
    fn structs_are_laid_out_as_in_c() {
        let of_size = |size| ParameterType::Struct { size, members: Vec::new() };
        // struct { char c; struct { int i; } s; float f; double d; short h; }
        let Ok(Value::Struct(32, parts)) = resolved("{i8:1, {2}, f32:3, 4.0, u16:5}", &of_size(32)) else {
            panic!("a struct of 32 bytes");
        };
        assert_eq!(parts.iter().map(|(offset, _)| *offset).collect::<Vec<_>>(), [0, 4, 8, 16, 24]);
        let wrong = resolved("{1, 2}", &of_size(12)).expect_err("eight bytes");
        assert_eq!(wrong, "the value has 8 bytes, but the parameter is a struct of 12 bytes");
        let members = vec![
            (0, ParameterType::Pointer { size: 8, element: Some(ElementType::F32), is_const: true }),
            (8, ParameterType::Number(ElementType::U16)),
        ];
        let known = ParameterType::Struct { size: 16, members };
        let Ok(Value::Struct(16, parts)) = resolved("{[2]=ones, 7}", &known) else { panic!("a struct") };
        assert_eq!(parts[0].1, Value::Buffer(Buffer::new(&[1.0_f32, 1.0])));
        assert_eq!(parts[1], (8, Value::Bytes(vec![7, 0])));
        assert!(resolved("{null}", &known).expect_err("one is missing").contains("2 members, got 1"));
    }

    #[test]
    fn files_have_the_type_and_the_shape_that_are_said() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("x.bin"), [0, 0, 128, 63, 0, 0, 0, 64]).expect("written");
        Buffer::new(&[1_u16, 2, 3]).save(&folder.path().join("x.npy")).expect("written");
        let surroundings = Surroundings { folder: folder.path().to_owned(), ..Surroundings::default() };
        let read = |text: &str| {
            let argument =
                Spec::parse(text).expect("well formed").resolve(&ParameterType::Word(8), &surroundings);
            argument.map(|argument| argument.value)
        };
        assert_eq!(read("f32@x.bin"), Ok(Value::Buffer(Buffer::new(&[1.0_f32, 2.0]))));
        assert_eq!(read("@x.npy"), Ok(Value::Buffer(Buffer::new(&[1_u16, 2, 3]))));
        let refused = |text| read(text).expect_err("refused");
        assert_eq!(refused("@x.bin").message, "the element type is unknown");
        assert_eq!(refused("f64[2]@x.bin").message, "`x.bin`: it has 1 elements");
        assert_eq!(refused("i32@x.npy").message, "`x.npy`: it has elements of u16, not of i32");
        let missing = refused("@y.npy");
        assert!(missing.is_environment && missing.message.ends_with("y.npy`: no such file or directory"));
        assert!(refused("u8[0x10_0000_0000]").message.contains("exceeds the memory limit"));
    }

    #[test]
    fn expectations_take_the_type_of_the_result() {
        let result = Buffer::new(&[0.5_f32, 0.5]);
        let expected =
            |text| Expected::parse(text).expect("well formed").resolve(&result, &Surroundings::default());
        assert_eq!(expected("0.5"), Ok(result.clone()));
        assert_eq!(expected("{0.5, 0.5}"), Ok(result.clone()));
        assert!(
            expected("{0.5}").expect_err("one is missing").message.contains("2 elements, but the list has 1")
        );
    }
}
