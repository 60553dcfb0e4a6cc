//! libdevice as a file, and what is kept of it between compilations.
//!
//! To read all of libdevice and to optimise a function of it takes longer than to compile a small kernel. So what the
//! lowering makes of a function is kept in a folder of the user's, as other compilers keep modules and precompiled headers:
//! `WEFT_CACHE_DIR`, or else `weft` in `XDG_CACHE_HOME` or in `~/.cache`. An empty `WEFT_CACHE_DIR` keeps nothing. No output
//! depends on what is kept, and nothing fails where nothing can be.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs::{self, DirBuilder, Metadata};
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;
use weft_lower::Libdevice;

/// What the names of the folders begin with.
const FOLDER: &str = "libdevice-";

/// A compiler or a libdevice that has been replaced leaves its folder behind. After this time another one removes it.
const LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A sum of what follows stands before what is kept.
const SUM_BYTES: usize = size_of::<u64>();

/// A libdevice that was found.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    /// Where things are kept: of this file and this compiler.
    folder: Option<PathBuf>,
}

impl Library {
    /// The file at `path`, with a place for what is made of it.
    pub fn new(path: PathBuf) -> Self {
        let folder = cache().and_then(|cache| Some(cache.join(format!("{FOLDER}{:016x}", state(&path)?))));
        Library { path, folder }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn try_keep(&self, folder: &Path, name: &str, bitcode: &[u8]) -> io::Result<()> {
        if !folder.is_dir() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            remove_old(folder);
        }
        // Other compilations may be writing the same, and none may read a half of it.
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(&sum(bitcode).to_le_bytes())?;
        file.write_all(bitcode)?;
        file.persist(folder.join(name))?;
        Ok(())
    }
}

impl Libdevice for Library {
    fn bitcode(&self) -> io::Result<Vec<u8>> {
        fs::read(&self.path)
    }

    fn kept(&self, name: &str) -> Option<Vec<u8>> {
        let mut kept = fs::read(self.folder.as_ref()?.join(name)).ok()?;
        let (said, bitcode) = kept.split_first_chunk::<SUM_BYTES>()?;
        if u64::from_le_bytes(*said) != sum(bitcode) {
            return None;
        }
        kept.drain(..SUM_BYTES);
        Some(kept)
    }

    fn keep(&self, name: &str, bitcode: &[u8]) {
        if let Some(folder) = &self.folder {
            // Without a place for it everything works, and takes its time.
            let _ = self.try_keep(folder, name, bitcode);
        }
    }
}

/// The folder for what is kept, if there is one.
pub fn cache() -> Option<PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from);
    if let Some(own) = folder("WEFT_CACHE_DIR") {
        return Some(own).filter(|own| !own.as_os_str().is_empty());
    }
    // XDG Base Directory Specification: a relative path is to be ignored.
    let named = folder("XDG_CACHE_HOME").filter(|cache| cache.is_absolute());
    let cache = named.or_else(|| Some(folder("HOME").filter(|home| home.is_absolute())?.join(".cache")));
    Some(cache?.join("weft"))
}

/// What tells one state of this compiler and of libdevice from another.
fn state(libdevice: &Path) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    weft_lower::llvm_version().hash(&mut hasher);
    for path in [&env::current_exe().ok()?, libdevice] {
        path.hash(&mut hasher);
        stamp(&fs::metadata(path).ok()?).hash(&mut hasher);
    }
    Some(hasher.finish())
}

/// What changes when a file does.
fn stamp(file: &Metadata) -> [i64; 4] {
    [file.ino() as i64, file.len() as i64, file.mtime(), file.mtime_nsec()]
}

fn sum(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Removes the folders beside a new one to which nothing has been added for long.
fn remove_old(folder: &Path) {
    let siblings = folder.parent().and_then(|cache| fs::read_dir(cache).ok());
    for sibling in siblings.into_iter().flatten().flatten() {
        let is_ours = sibling.file_name().to_string_lossy().starts_with(FOLDER);
        let changed = sibling.metadata().and_then(|metadata| metadata.modified());
        let age = changed.ok().and_then(|changed| SystemTime::now().duration_since(changed).ok());
        if is_ours && age.is_some_and(|age| age > LIFETIME) {
            let _ = fs::remove_dir_all(sibling.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn library(folder: &TempDir) -> Library {
        Library { path: folder.path().join("libdevice.10.bc"), folder: Some(folder.path().join("kept")) }
    }

    #[test]
    fn what_is_kept_is_found() {
        let folder = TempDir::new().expect("a folder");
        let library = library(&folder);
        assert_eq!(library.kept("__nv_sinf.bc"), None);
        library.keep("__nv_sinf.bc", b"BC");
        library.keep("__nv_cosf.bc", b"");
        assert_eq!(library.kept("__nv_sinf.bc").as_deref(), Some(&b"BC"[..]));
        assert_eq!(library.kept("__nv_cosf.bc").as_deref(), Some(&b""[..]));
    }

    #[test]
    fn what_is_damaged_is_not() {
        let folder = TempDir::new().expect("a folder");
        let library = library(&folder);
        let file = folder.path().join("kept/__nv_sinf.bc");
        library.keep("__nv_sinf.bc", b"some bitcode");
        let whole = fs::read(&file).expect("what was kept");
        for n_bytes in 0..whole.len() {
            fs::write(&file, &whole[..n_bytes]).expect("written");
            assert_eq!(library.kept("__nv_sinf.bc"), None, "{n_bytes} of {} bytes", whole.len());
        }
        let mut other = whole.clone();
        other[SUM_BYTES] ^= 1;
        fs::write(&file, other).expect("written");
        assert_eq!(library.kept("__nv_sinf.bc"), None);
    }

    #[test]
    fn folders_grow_old() {
        let cache = TempDir::new().expect("a folder");
        let folder = |name: &str| {
            let path = cache.path().join(name);
            fs::create_dir(&path).expect("a folder");
            path
        };
        let (old, other, recent) = (folder("libdevice-1"), folder("other"), folder("libdevice-2"));
        let long_ago = SystemTime::now() - LIFETIME - Duration::from_secs(60);
        for path in [&old, &other] {
            fs::File::open(path).and_then(|file| file.set_modified(long_ago)).expect("a time");
        }
        remove_old(&cache.path().join("libdevice-3"));
        assert!(!old.exists());
        assert!(other.exists() && recent.exists());
    }

    #[test]
    fn a_folder_that_cannot_be_is_no_failure() {
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, b"").expect("written");
        let library = Library { path: PathBuf::new(), folder: Some(file.join("kept")) };
        library.keep("__nv_sinf.bc", b"BC");
        assert_eq!(library.kept("__nv_sinf.bc"), None);
    }

    #[test]
    fn another_state_of_the_file_is_another_folder() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("libdevice.10.bc");
        assert_eq!(state(&path), None);
        fs::write(&path, b"one").expect("written");
        let before = state(&path);
        assert!(before.is_some());
        assert_eq!(state(&path), before);
        fs::write(&path, b"other").expect("written");
        assert_ne!(state(&path), before);
    }
}
