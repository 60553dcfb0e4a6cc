//! Buffers in files: NumPy's `.npy`, and raw files, which contain only the elements, in little-endian byte
//! order.
//!
//! Files are written atomically: to a temporary file, which is then renamed.

use std::io::{self, Write};
use std::path::Path;

use half::f16;
use npyz::{Deserialize, NpyFile, Order, WriterBuilder};

use super::Buffer;
use crate::bounded::read_file;
use crate::element::{Element, ElementType};

/// The maximum size of a `.npy` header in bytes: NumPy writes a few hundred at most.
const MAX_HEADER: usize = 4096;

/// The maximum nesting of brackets there: NumPy writes at most four, for a struct of arrays.
const MAX_NESTING: usize = 6;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// NumPy's `.npy`, which includes the type and the shape.
    Npy,
    /// Only the elements.
    Raw,
}

impl Format {
    /// The format by file name: NumPy's for `.npy`, otherwise raw.
    pub fn of(path: &Path) -> Self {
        let is_npy = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"));
        if is_npy { Format::Npy } else { Format::Raw }
    }
}

/// Decodes a `.npy` file.
///
/// # Errors
///
/// A phrase that describes the error.
pub fn decode_npy(bytes: &[u8]) -> Result<Buffer, String> {
    check_header(bytes)?;
    let file = NpyFile::new(bytes).map_err(|error| error.to_string())?;
    if file.order() == Order::Fortran && file.shape().len() > 1 {
        return Err("the array is in Fortran order; save `numpy.ascontiguousarray(…)`".to_owned());
    }
    let shape: Option<Vec<usize>> = file.shape().iter().map(|&dim| usize::try_from(dim).ok()).collect();
    let shape = shape.ok_or("its shape is too large")?;
    let n_elements = shape.iter().try_fold(1_usize, |n, &dim| n.checked_mul(dim));
    let is_whole = n_elements.and_then(|n| n.checked_mul(8)).is_some_and(|_| n_elements <= Some(bytes.len()));
    if !is_whole {
        return Err("the file is truncated".to_owned());
    }
    let dtype = file.dtype().descr();
    let name = dtype.trim_matches('\'').trim_start_matches(['<', '>', '|', '=']);
    let found = match name {
        "i1" => elements::<i8>(file),
        "u1" => elements::<u8>(file),
        "i2" => elements::<i16>(file),
        "u2" => elements::<u16>(file),
        "i4" => elements::<i32>(file),
        "u4" => elements::<u32>(file),
        "i8" => elements::<i64>(file),
        "u8" => elements::<u64>(file),
        "f2" => elements::<f16>(file),
        "f4" => elements::<f32>(file),
        "f8" => elements::<f64>(file),
        "b1" => {
            let flags: Vec<bool> = file.into_vec().map_err(|error| error.to_string())?;
            Ok(Buffer::new(&flags.into_iter().map(u8::from).collect::<Vec<_>>()))
        }
        _ => return Err(format!("unsupported element type {dtype}")),
    };
    found?.reshaped(shape).ok_or_else(|| "the number of elements does not match the shape".to_owned())
}

/// Checks that the header is no longer and no more nested than NumPy's, so that reading it is fast: the time
/// that npyz takes doubles with each bracket.
fn check_header(bytes: &[u8]) -> Result<(), String> {
    let is_npy = bytes.starts_with(b"\x93NUMPY");
    let (start, length) = match bytes.get(6..12) {
        Some([1, _, low, high, ..]) => (10, usize::from(u16::from_le_bytes([*low, *high]))),
        Some([_, _, a, b, c, d]) => (12, u32::from_le_bytes([*a, *b, *c, *d]) as usize),
        _ => (0, usize::MAX),
    };
    let header = bytes.get(start..).unwrap_or_default();
    match (is_npy, length) {
        (true, length)
            if length <= MAX_HEADER && nesting(&header[..length.min(header.len())]) <= MAX_NESTING =>
        {
            Ok(())
        }
        (true, _) => Err("its header is damaged".to_owned()),
        (false, _) => Err("it is not a `.npy` file".to_owned()),
    }
}

/// The maximum nesting of brackets in a text, closed or not.
fn nesting(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    text.iter()
        .map(|byte| {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth
        })
        .max()
        .unwrap_or(0)
}

fn elements<T: Element + Deserialize>(file: NpyFile<&[u8]>) -> Result<Buffer, String> {
    let elements: Vec<T> = file.into_vec().map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => "the file is truncated".to_owned(),
        _ => error.to_string(),
    })?;
    Ok(Buffer::new(&elements))
}

/// Encodes a buffer.
///
/// # Errors
///
/// If the format does not support the element type.
pub fn encode(buffer: &Buffer, format: Format) -> Result<Vec<u8>, String> {
    if format == Format::Raw {
        return Ok(buffer.bytes().to_vec());
    }
    let descr = match buffer.ty() {
        ElementType::I8 => "|i1",
        ElementType::U8 => "|u1",
        ElementType::I16 => "<i2",
        ElementType::U16 => "<u2",
        ElementType::I32 => "<i4",
        ElementType::U32 => "<u4",
        ElementType::I64 => "<i8",
        ElementType::U64 => "<u8",
        ElementType::F16 => "<f2",
        ElementType::F32 => "<f4",
        ElementType::F64 => "<f8",
        ElementType::Bf16 => return Err("`.npy` does not support bf16; save a raw `.bin` file".to_owned()),
    };
    let dtype =
        descr.parse().map(npyz::DType::Plain).map_err(|_| format!("NumPy does not know the type {descr}"))?;
    let shape: Vec<u64> = buffer.shape().iter().map(|&dim| dim as u64).collect();
    let mut out = Vec::new();
    let written = match buffer.ty() {
        ElementType::I8 => write::<i8>(buffer, dtype, &shape, &mut out),
        ElementType::U8 => write::<u8>(buffer, dtype, &shape, &mut out),
        ElementType::I16 => write::<i16>(buffer, dtype, &shape, &mut out),
        ElementType::U16 => write::<u16>(buffer, dtype, &shape, &mut out),
        ElementType::I32 => write::<i32>(buffer, dtype, &shape, &mut out),
        ElementType::U32 => write::<u32>(buffer, dtype, &shape, &mut out),
        ElementType::I64 => write::<i64>(buffer, dtype, &shape, &mut out),
        ElementType::U64 => write::<u64>(buffer, dtype, &shape, &mut out),
        ElementType::F16 | ElementType::Bf16 => write::<f16>(buffer, dtype, &shape, &mut out),
        ElementType::F32 => write::<f32>(buffer, dtype, &shape, &mut out),
        ElementType::F64 => write::<f64>(buffer, dtype, &shape, &mut out),
    };
    written.map_err(|error| error.to_string())?;
    Ok(out)
}

fn write<T: Element + npyz::Serialize>(
    buffer: &Buffer,
    dtype: npyz::DType,
    shape: &[u64],
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let mut writer = npyz::WriteOptions::<T>::new().dtype(dtype).shape(shape).writer(out).begin_nd()?;
    writer.extend(buffer.get::<T>().unwrap_or_default())?;
    writer.finish()
}

impl Buffer {
    /// Reads a `.npy` file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is invalid.
    pub fn read_npy(path: &Path) -> io::Result<Self> {
        decode_npy(&read_file(path)?).map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))
    }

    /// Writes a file atomically: NumPy's format for `.npy`, otherwise only the elements.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let bytes = encode(self, Format::of(path)).map_err(io::Error::other)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&bytes)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// `numpy.save` of `numpy.array([[1, 2, 3], [4, 5, 6]], dtype="<i2")`, following the description of the
    /// format.
    fn numpy_file() -> Vec<u8> {
        let mut header = b"{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }".to_vec();
        header.resize(117, b' ');
        header.push(b'\n');
        let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
        file.extend(header);
        file.extend((1..7_i16).flat_map(i16::to_le_bytes));
        file
    }

    #[test]
    fn files_of_numpy_are_read() {
        let buffer = decode_npy(&numpy_file()).expect("a file");
        assert_eq!(
            (buffer.signature(), buffer.to_vec::<i16>()),
            ("i16[2,3]".to_owned(), vec![1, 2, 3, 4, 5, 6])
        );
        let written = encode(&buffer, Format::Npy).expect("NumPy has the type");
        assert_eq!(written[written.len() - 12..], numpy_file()[128..]);
    }

    #[test]
    fn rejects_other_files_with_a_reason() {
        let file = numpy_file();
        let refused = |bytes: &[u8]| decode_npy(bytes).expect_err("it is damaged");
        assert_eq!(refused(b"1 2 3"), "it is not a `.npy` file");
        assert_eq!(refused(&file[..file.len() - 1]), "the file is truncated");
        let mut nested = file.clone();
        nested[60..100].fill(b'{');
        assert_eq!(refused(&nested), "its header is damaged", "it would take hours to read");
        for length in 0..128 {
            refused(&file[..length]);
        }
        let replaced = |from: &str, to: &str| {
            let text: Vec<char> = file.iter().map(|&byte| char::from(byte)).collect();
            let text: String = text.into_iter().collect();
            text.replace(from, to).chars().map(|c| c as u8).collect::<Vec<u8>>()
        };
        assert!(
            refused(&replaced("False, 'shape': (2, 3)", "True , 'shape': (2, 3)")).contains("Fortran order")
        );
        assert!(refused(&replaced("<i2", "<c8")).contains("'<c8'"));
        assert!(refused(&replaced("(2, 3), }    ", "(99999, 3), }")).contains("truncated"));
    }

    #[test]
    fn every_type_comes_back_from_its_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.npy");
        for ty in ElementType::ALL.into_iter().filter(|&ty| ty != ElementType::Bf16) {
            let bytes = (0..4 * ty.size() as u8).collect();
            let buffer = Buffer::of_bytes(ty, [2, 2], bytes).expect("four elements");
            buffer.save(&path).expect("it can be written");
            assert_eq!(Buffer::read_npy(&path).expect("it can be read"), buffer);
        }
        assert!(Buffer::zeros(ElementType::Bf16, [1]).save(&path).is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
