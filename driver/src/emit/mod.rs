//! Writes outputs atomically.
//!
//! - this file: writes a file, or standard output
//! - [`depfile`]: the dependencies of an output, for `make`
//! - [`report`]: messages on standard error
//! - [`times`]: the durations of stages; [`time_reports`]: reports of them
//! - [`source_in_ptx`]: PTX with the lines of the source
//! - [`apart`]: checks that no output overwrites an input
//!
//! **Invariant.** A regular file is written as a temporary next to the target and renamed over it, so that no
//! reader ever sees half of it. Anything else (`/dev/null`, a pipe) is written in place: a rename would
//! replace the device.

pub mod apart;
pub mod depfile;
pub mod report;
pub mod source_in_ptx;
pub mod time_reports;
pub mod times;

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Message, shown};
use crate::interrupt;

/// The destination of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

impl Destination {
    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Destination::Stdout => None,
            Destination::File(path) => Some(path),
        }
    }

    /// Writes the whole output.
    ///
    /// # Errors
    ///
    /// Names the file and the cause. The target is then unchanged.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Destination::Stdout => write_stdout(bytes),
            Destination::File(path) => write_file(path, bytes),
        }
    }
}

/// A reader that has closed the pipe (`weftc --emit=ir x.src | head`) is not an error.
pub(crate) fn write_stdout(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Message::file("write to", Path::new("standard output"), &error).environment())
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let fail = |error: io::Error| Message::file("write", path, &error).environment();
    let refuse = |why: String| Message::new(format!("cannot write `{}`: {why}", shown(path))).environment();
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => return Err(refuse("it is a directory".to_owned())),
        Ok(data) if !data.is_file() => {
            let written = OpenOptions::new().write(true).open(path).and_then(|mut f| f.write_all(bytes));
            return written.map_err(fail);
        }
        Ok(data) if data.permissions().readonly() => return Err(refuse("it is read-only".to_owned())),
        Ok(_) | Err(_) => {}
    }
    let target = followed(path).map_err(fail)?;
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(refuse(format!("directory `{}` does not exist", shown(folder))));
    }
    // The permissions that `open` would give, subject to the user's umask.
    let mut builder = tempfile::Builder::new();
    builder.prefix(".weftc-").permissions(Permissions::from_mode(0o666));
    let (mut file, _held) = interrupt::temporary(|| builder.tempfile_in(folder)).map_err(fail)?;
    file.as_file_mut().write_all(bytes).map_err(fail)?;
    if exchange(file.path(), &target).is_ok() {
        // The temporary's name now refers to the old output, which is deleted with it.
        return Ok(());
    }
    file.persist(&target).map_err(|error| fail(error.error))?;
    Ok(())
}

/// The target of a symbolic link, which need not exist: the file that opening the link for writing would
/// create.
fn followed(path: &Path) -> io::Result<PathBuf> {
    // Linux's limit.
    const MAX_LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&target) {
            // An absolute target replaces the whole path.
            Ok(link) => target = target.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => return Ok(target),
        }
    }
    Err(rustix::io::Errno::LOOP.into())
}

/// Atomically swaps two existing files. A plain rename over an existing file makes ext4 flush the new one to
/// disk (`auto_da_alloc`), which takes longer than the compilation.
fn exchange(from: &Path, to: &Path) -> rustix::io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, from, CWD, to, RenameFlags::EXCHANGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ptx");
        for text in ["one", "two"] {
            Destination::File(path.clone()).write(text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::write(folder.path().join("plain"), "").unwrap();
        let mode = |name| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode("a.ptx"), mode("plain"));
    }

    #[test]
    fn names_files_that_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &Path| Destination::File(path.to_owned()).write(b"x").unwrap_err().to_string();
        assert!(write(folder.path()).contains("it is a directory"));
        assert!(write(&folder.path().join("no/a.ptx")).contains("does not exist"));
        let locked = folder.path().join("locked.ptx");
        fs::write(&locked, "old").unwrap();
        fs::set_permissions(&locked, Permissions::from_mode(0o444)).unwrap();
        assert!(write(&locked).contains("it is read-only"));
        assert_eq!(fs::read_to_string(&locked).unwrap(), "old");
        assert_eq!(write(Path::new("/dev/full")), "cannot write `/dev/full`: no space left on device");
        assert_eq!(write(Path::new("/proc/a.ptx")), "cannot write `/proc/a.ptx`: no such file or directory");
    }

    #[test]
    fn keeps_devices_and_links() {
        let folder = tempfile::tempdir().unwrap();
        Destination::File(PathBuf::from("/dev/null")).write(b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        Destination::File(link.clone()).write(b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
    }

    #[test]
    fn creates_the_target_of_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("in")).unwrap();
        std::os::unix::fs::symlink("in/second", at("first")).unwrap();
        std::os::unix::fs::symlink("real", at("in/second")).unwrap();
        Destination::File(at("first")).write(b"new").unwrap();
        assert_eq!(fs::read_to_string(at("in/real")).unwrap(), "new");
        assert!(fs::symlink_metadata(at("first")).unwrap().is_symlink());
        std::os::unix::fs::symlink("loop", at("loop")).unwrap();
        let error = Destination::File(at("loop")).write(b"x").unwrap_err().to_string();
        assert!(error.ends_with("too many levels of symbolic links"), "{error}");
    }
}
