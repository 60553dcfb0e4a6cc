//! libdevice as a file.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use weft_lower::Libdevice;

/// The maximum initial buffer size: a damaged file may claim a size of gigabytes.
const MOST_AT_ONCE: usize = 64 * 1024;

/// A libdevice that was found.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    /// The open file, after the first access.
    file: OnceLock<File>,
}

impl Library {
    /// The file at `path`.
    pub fn new(path: PathBuf) -> Self {
        Library { path, file: OnceLock::new() }
    }

    fn file(&self) -> io::Result<&File> {
        if let Some(file) = self.file.get() {
            return Ok(file);
        }
        let file = File::open(&self.path)?;
        Ok(self.file.get_or_init(|| file))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Libdevice for Library {
    fn whole(&self) -> io::Result<Vec<u8>> {
        fs::read(&self.path)
    }

    fn part(&self, start: usize, n_bytes: usize) -> io::Result<Vec<u8>> {
        let file = self.file()?;
        let mut part = Vec::new();
        while part.len() < n_bytes {
            let so_far = part.len();
            part.resize(so_far + (n_bytes - so_far).min(MOST_AT_ONCE), 0);
            let read = file.read_at(&mut part[so_far..], start.saturating_add(so_far) as u64);
            part.truncate(so_far + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => break,
                Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
        }
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn reads_parts_of_the_library() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("libdevice.10.bc");
        let library = Library::new(path.clone());
        assert!(library.part(0, 1).is_err());
        fs::write(&path, b"bitcode").expect("written");
        let part = |start, n_bytes| library.part(start, n_bytes).expect("read");
        assert_eq!(part(0, 3), b"bit");
        assert_eq!(part(3, usize::MAX), b"code");
        assert_eq!(part(7, 1), b"");
        assert_eq!(part(1 << 40, 1), b"");
    }
}
