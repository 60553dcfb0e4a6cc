//! The rule of `-MD`: the files that an output was made from, in make's syntax.
//!
//! Names are bytes, like in file systems.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// `targets: inputs`, and with `phony` an empty rule for each header.
///
/// `targets` is already in make's syntax, like the value of `-MT`; [`escaped`] converts a path.
pub fn render(targets: &[u8], inputs: &[&Path], headers: &[&Path], phony: bool) -> Vec<u8> {
    let mut text = [targets, b":"].concat();
    for path in inputs.iter().chain(headers) {
        text.push(b' ');
        text.extend(escaped(path));
    }
    text.push(b'\n');
    for header in headers.iter().filter(|_| phony) {
        text.push(b'\n');
        text.extend(escaped(header));
        text.extend(b":\n");
    }
    text
}

/// A path in make's syntax. Make cannot represent a line break in a name: it is replaced by `?`, which
/// matches any character, so make finds the file.
pub fn escaped(path: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b' ' | b'\t' | b'#' | b'\\' => text.extend([b'\\', byte]),
            b'$' => text.extend(b"$$"),
            b'\n' | b'\r' => text.push(b'?'),
            _ => text.push(byte),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn names_are_escaped_for_make() {
        let target = escaped(Path::new("out/a b.ptx"));
        let text = render(&target, &[Path::new("$x.src")], &[Path::new("y#.h")], false);
        assert_eq!(text, b"out/a\\ b.ptx: $$x.src y\\#.h\n");
    }

    #[test]
    fn bytes_stay_and_line_breaks_make_no_rules() {
        let name = Path::new(OsStr::from_bytes(b"a\xff\nall:.src"));
        assert_eq!(render(b"a.ptx", &[name], &[], true), b"a.ptx: a\xff?all:.src\n");
    }

    #[test]
    fn headers_can_have_rules_of_their_own() {
        let text = render(b"a.ptx b", &[Path::new("a.src")], &[Path::new("x.h"), Path::new("y.h")], true);
        assert_eq!(text, b"a.ptx b: a.src x.h y.h\n\nx.h:\n\ny.h:\n");
    }
}
