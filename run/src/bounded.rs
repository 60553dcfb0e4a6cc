//! Reads files and streams completely, but streams only up to a limit: a pipe or a device may be endless.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The maximum number of bytes read from anything but a regular file.
pub const MAX_STREAM: u64 = 64 << 20;

/// Reads a file. From a pipe or a device, it reads at most [`MAX_STREAM`] bytes.
///
/// # Errors
///
/// If it cannot be read, or is longer.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let data = file.metadata()?;
    if !data.is_file() {
        return read_stream(file);
    }
    let mut bytes = Vec::new();
    let n_bytes = usize::try_from(data.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
    bytes.try_reserve_exact(n_bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a stream to its end, at most [`MAX_STREAM`] bytes.
///
/// # Errors
///
/// If it cannot be read, or is longer.
pub fn read_stream(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(MAX_STREAM + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_STREAM {
        let why = format!("input from a pipe or device is limited to {} MiB", MAX_STREAM >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_without_end_is_refused() {
        let error = read_file(Path::new("/dev/zero")).expect_err("it has no end");
        assert_eq!(error.to_string(), "input from a pipe or device is limited to 64 MiB");
        assert_eq!(read_file(Path::new("/dev/null")).expect("it is empty"), b"");
        assert_eq!(read_stream(&b"some"[..]).expect("it ends"), b"some");
    }
}
