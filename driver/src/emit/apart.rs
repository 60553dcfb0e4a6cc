//! Checks that no output overwrites an input or another output, under any name.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::error::{Error, Message, shown};

/// Fails if the output is one of the inputs. `option` names the output, unless it is the main one: `-MF`.
///
/// # Errors
///
/// Names the file.
pub fn check<'a>(
    option: Option<&str>,
    output: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Error> {
    if !inputs.into_iter().any(|input| is_same(input, output)) {
        return Ok(());
    }
    let named = option.map(|option| format!(" of `{option}`")).unwrap_or_default();
    let text = format!("the output `{}`{named} is also an input", shown(output));
    Err(Message::new(text).help("choose another file or directory").user())
}

/// Fails if two outputs are the same file.
///
/// # Errors
///
/// Names the file and the options.
pub fn check_outputs(outputs: &[(&str, &Path)]) -> Result<(), Error> {
    for (idx, (option, output)) in outputs.iter().enumerate() {
        if let Some((other, _)) = outputs[..idx].iter().find(|(_, other)| is_same(other, output)) {
            let text = format!("`{}` is the output of `{other}` and of `{option}`", shown(output));
            return Err(Message::new(text).help("give each its own file").user());
        }
    }
    Ok(())
}

/// Whether two paths refer to the same file. A device may be both read and written.
fn is_same(one: &Path, other: &Path) -> bool {
    let data = |path: &Path| fs::metadata(path).ok();
    match (data(one), data(other)) {
        (Some(one), Some(other)) => one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => one == other || absolute(one).is_some_and(|one| absolute(other) == Some(one)),
    }
}

/// The absolute path of a file that need not exist, in a folder that does.
fn absolute(path: &Path) -> Option<std::path::PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_under_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.src"), "").unwrap();
        fs::create_dir(at("in")).unwrap();
        std::os::unix::fs::symlink("a.src", at("link")).unwrap();
        fs::hard_link(at("a.src"), at("hard")).unwrap();
        for name in ["a.src", "link", "hard", "in/../a.src"] {
            assert!(check(Some("-MF"), &at(name), [&*at("a.src")]).is_err(), "{name}");
        }
        assert!(check(None, &at("b"), [&*at("a.src")]).is_ok());
        assert!(check(None, Path::new("/dev/null"), [Path::new("/dev/null")]).is_ok());
        assert!(check_outputs(&[("-o", &at("new.ptx")), ("-MF", &at("in/../new.ptx"))]).is_err());
        assert!(check_outputs(&[("-o", &at("new.ptx")), ("-MF", &at("new.d"))]).is_ok());
    }
}
