//! libdevice as a file.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use weft_lower::Libdevice;

/// For how much there is room before anything is read: a damaged file may say that it goes on for gigabytes.
const MOST_AT_ONCE: usize = 64 * 1024;

/// A libdevice that was found.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
}

impl Library {
    /// The file at `path`.
    pub fn new(path: PathBuf) -> Self {
        Library { path }
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
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(start as u64))?;
        let mut part = Vec::with_capacity(n_bytes.min(MOST_AT_ONCE));
        file.take(n_bytes as u64).read_to_end(&mut part)?;
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn parts_are_of_what_is_there() {
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
