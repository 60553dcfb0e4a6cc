//! Names of files in debug information (`-fdebug-prefix-map`, `-fdebug-compilation-dir`), with clang's meaning.
//!
//! A name is the one that messages use for the file, so that the same input and options give the same bytes in any directory. PTX's
//! `.file` has no field for a directory: if one is given, it is prepended to the names of files.

use weft_frontend::source::PrefixMap;

/// The mapping of file names in debug information.
#[derive(Clone, Debug, Default)]
pub struct DebugPaths {
    /// The directory of relative names; empty if not specified.
    pub compilation_dir: String,
    /// Prefixes of names, and directories.
    pub prefixes: PrefixMap,
}

impl DebugPaths {
    /// The name of the compile unit: the file's name, without a directory that the user did not write.
    pub fn unit(&self, given: &str) -> String {
        self.prefixes.apply(given)
    }

    /// The directory of the compile unit; empty if not specified.
    pub fn directory(&self) -> String {
        if self.compilation_dir.is_empty() {
            return String::new();
        }
        self.prefixes.apply(&self.compilation_dir)
    }

    /// The path of a file for `.file`.
    pub fn file(&self, given: &str) -> String {
        let (name, directory) = (self.unit(given), self.directory());
        // An absolute name gets no directory, whatever it is mapped to.
        if directory.is_empty() || given.starts_with('/') || name.starts_with('/') {
            return name;
        }
        let separator = if directory.ends_with('/') { "" } else { "/" };
        format!("{directory}{separator}{name}")
    }
}

/// A name as LLVM writes it in `.file`.
pub(super) fn in_directive(name: &[u8]) -> String {
    let mut written = String::with_capacity(name.len());
    for &byte in name {
        match byte {
            b'"' | b'\\' => written.extend(['\\', char::from(byte)]),
            b' '..=b'~' => written.push(char::from(byte)),
            0x08 => written.push_str("\\b"),
            0x0c => written.push_str("\\f"),
            b'\n' => written.push_str("\\n"),
            b'\r' => written.push_str("\\r"),
            b'\t' => written.push_str("\\t"),
            _ => written.push_str(&format!("\\{byte:03o}")),
        }
    }
    written
}

/// Escapes quotes in file names by their octal code, like LLVM does for non-ASCII bytes. ptxas does not
/// support escaping: a quote ends the string even after a backslash.
pub(crate) fn without_quotes(text: String) -> String {
    if !text.contains("\\\"") {
        return text;
    }
    let mut written = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if !line.starts_with("\t.file\t") {
            written.push_str(line);
            continue;
        }
        let mut rest = line.chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                written.push(c);
                continue;
            }
            match rest.next() {
                Some('"') => written.push_str("\\042"),
                escaped => written.extend([Some(c), escaped].into_iter().flatten()),
            }
        }
    }
    written
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

    #[test]
    fn escapes_quotes_in_names() {
        let name = in_directive("a\"b\\\"é\t".as_bytes());
        assert_eq!(name, "a\\\"b\\\\\\\"\\303\\251\\t");
        let text = format!("\tmov\n\t.file\t1 \"{name}\"\n\t.file\t2 \"c\\\\\"\n");
        let expected = "\tmov\n\t.file\t1 \"a\\042b\\\\\\042\\303\\251\\t\"\n\t.file\t2 \"c\\\\\"\n";
        assert_eq!(without_quotes(text), expected);
    }
}
