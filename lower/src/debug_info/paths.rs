//! Names of files in debug information (`-fdebug-prefix-map`, `-fdebug-compilation-dir`), with clang's meaning.
//!
//! A name is what messages call the file, so that the same input and options give the same bytes in any directory. PTX's
//! `.file` has no place for a directory: where one is given, it stands before the names of files.

use weft_frontend::source::PrefixMap;

/// What names of files look like in debug information.
#[derive(Clone, Debug, Default)]
pub struct DebugPaths {
    /// The directory that relative names are relative to; empty if none is said.
    pub compilation_dir: String,
    /// What names begin with, and directories.
    pub prefixes: PrefixMap,
}

impl DebugPaths {
    /// The name of the compile unit: the file's, without a directory that was not in it.
    pub fn unit(&self, given: &str) -> String {
        self.prefixes.apply(given)
    }

    /// The directory of the compile unit; empty if none was said.
    pub fn directory(&self) -> String {
        if self.compilation_dir.is_empty() {
            return String::new();
        }
        self.prefixes.apply(&self.compilation_dir)
    }

    /// The path of a file, as `.file` has it.
    pub fn file(&self, given: &str) -> String {
        let (name, directory) = (self.unit(given), self.directory());
        // A name that was absolute stays alone, whatever has become of it.
        if directory.is_empty() || given.starts_with('/') || name.starts_with('/') {
            return name;
        }
        let separator = if directory.ends_with('/') { "" } else { "/" };
        format!("{directory}{separator}{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_names_are_joined_to_the_directory() {
        let paths = DebugPaths {
            compilation_dir: "/home/me".into(),
            prefixes: [("/home", "/H"), ("gen/", "/G/"), ("/abs", "abs")].into_iter().collect(),
        };
        assert_eq!(paths.directory(), "/H/me");
        assert_eq!((paths.unit("a.src"), paths.file("a.src")), ("a.src".into(), "/H/me/a.src".into()));
        assert_eq!(paths.file("gen/a.src"), "/G/a.src");
        assert_eq!(paths.file("/home/a.src"), "/H/a.src");
        assert_eq!(paths.file("/abs/a.src"), "abs/a.src");
        let paths = DebugPaths { compilation_dir: "/".into(), ..DebugPaths::default() };
        assert_eq!(paths.file("a.src"), "/a.src");
        assert_eq!(DebugPaths::default().file("./a.src"), "./a.src");
    }
}
