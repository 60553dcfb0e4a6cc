//! Checks whether others could have put a program where it is found.
//!
//! The user specifies some places: by an option, or in the environment. A place that only derives from the
//! location of `weftc` may be a folder that anyone can write to, such as `/tmp`. There, a program is used
//! only if no one but root and the user could have put it.

use std::fmt;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use crate::error::shown;

/// The mode bits that let others write, and the one that prevents them from replacing files.
const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
const IS_STICKY: u32 = 0o1000;

/// Fails if somebody else could have put the file: if one of the folders that lead to it, including through
/// symbolic links, belongs to another user, or others can write to it.
///
/// # Errors
///
/// A phrase that names the folder.
pub fn check(path: &Path) -> Result<(), String> {
    let whole = std::path::absolute(path).map_err(|error| error.to_string())?;
    let real = fs::canonicalize(path).map_err(|error| error.to_string())?;
    for path in [whole, real] {
        path.ancestors().try_for_each(check_one)?;
    }
    Ok(())
}

fn check_one(path: &Path) -> Result<(), String> {
    let data = fs::symlink_metadata(path).map_err(|error| format!("`{}`: {error}", shown(path)))?;
    check_data(&data, geteuid().as_raw()).map_err(|why| format!("`{}` {why}", shown(path)))
}

fn check_data(data: &Metadata, user: u32) -> Result<(), &'static str> {
    if data.uid() != 0 && data.uid() != user {
        return Err("belongs to another user");
    }
    // A link has no mode of its own. In a sticky folder, only the owner can replace a file.
    let is_kept = data.is_symlink() || data.is_dir() && data.mode() & IS_STICKY != 0;
    if data.mode() & OTHERS_WRITE != 0 && !is_kept {
        return Err("can be written by all users");
    }
    // The user's own group has no other member, by the convention of many systems.
    let is_own_group = data.gid() == 0 || data.gid() == user;
    if data.mode() & GROUP_WRITES != 0 && !is_kept && !is_own_group {
        return Err("can be written by its group");
    }
    Ok(())
}

/// A skipped place, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The folder.
    pub path: PathBuf,
    /// A phrase with the reason.
    pub why: String,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` was skipped: {}", shown(&self.path), self.why)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn distrusts_folders_that_others_can_write() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode =
            |name: &str, mode| fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).unwrap();
        fs::create_dir_all(at("a/b")).unwrap();
        fs::write(at("a/b/ptxas"), "").unwrap();
        assert_eq!(check(&at("a/b/ptxas")), Ok(()));
        mode("a", 0o777);
        let why = check(&at("a/b/ptxas")).expect_err("others can write");
        assert_eq!(why, format!("`{}` can be written by all users", at("a").display()));
        // Through a link in a folder that only the user can write to.
        fs::create_dir(at("own")).unwrap();
        symlink(at("a/b"), at("own/link")).unwrap();
        assert!(check(&at("own/link/ptxas")).is_err());
        mode("a", 0o1777);
        assert_eq!(check(&at("own/link/ptxas")), Ok(()));
        mode("a/b/ptxas", 0o666);
        assert!(check(&at("a/b/ptxas")).is_err());
    }
}
