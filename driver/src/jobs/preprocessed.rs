//! The text of `-E`, which people read, and which compiler caches compare instead of the files.
//!
//! The text is that of the first architecture, like nvcc's. A cache must also see what else the output depends on, so
//! more follows, which changes nothing if the text is compiled:
//!
//! - a line marker for each file that was read and has none, because it has only macros, or is for another architecture
//! - for each other architecture with another text, a comment with a hash of that text
//! - a comment with a hash of the options from files and environment variables
//!
//! A host source is preprocessed by the host's compiler, like in nvcc. That is also how caches ask which compiler a program
//! is: they see the host's compiler and its version.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::{Runner, path_of};
use crate::error::Error;
use crate::headers;
use crate::input::{Input, InputKind, Origin};
use crate::pipeline::Emit;
use crate::toolchain::host_object::fnv1a;

impl Runner<'_> {
    /// The preprocessed text of an input.
    pub(super) fn preprocessed(&mut self, input: &Input) -> Result<Vec<u8>, Error> {
        if let (InputKind::Host, Origin::File(path)) = (input.kind, &input.origin) {
            let settings = &self.session.settings;
            let text =
                self.bench.preprocess_for_host(path, &settings.preprocessing, settings.line_markers)?;
            return Ok(text.into_bytes());
        }
        let source = self.read(input)?;
        let archs = self.all_archs();
        let first = self.session.code.first();
        let mut text = self.compile(input, &source, Emit::Preprocessed, first)?.text;
        let mut others = String::new();
        for arch in archs.into_iter().filter(|arch| *arch != first) {
            let other = self.compile(input, &source, Emit::Preprocessed, arch)?.text;
            if other != text {
                let _ = writeln!(others, "// {arch}: {:016x}", fnv1a(other.as_bytes()));
            }
        }
        if self.session.settings.line_markers {
            let files = self.headers.iter().filter(|header| !headers::is_embedded(&header.name));
            let markers = missing_markers(&text, &input.name(), files.map(path_of));
            text.push_str(&markers);
        }
        text.push_str(&others);
        if !self.session.from_elsewhere.is_empty() {
            let _ = writeln!(
                text,
                "// options: {:016x}",
                fnv1a(self.session.from_elsewhere.join("\n").as_bytes())
            );
        }
        Ok(text.into_bytes())
    }
}

/// Line markers that enter and leave each file that has none in the text.
fn missing_markers<'a>(text: &str, main: &str, files: impl Iterator<Item = &'a Path>) -> String {
    let marked = |line: &'_ str| line.strip_prefix("# ")?.split_once(' ').map(|(_, rest)| rest.to_owned());
    let mut names: BTreeSet<String> = BTreeSet::new();
    for name in text.lines().filter_map(marked) {
        names.insert(name.trim_end_matches([' ', '1', '2', '3']).to_owned());
    }
    let mut markers = String::new();
    let quoted = |name: &str| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    for file in files {
        let name = quoted(&file.display().to_string());
        if names.insert(name.clone()) {
            let _ = writeln!(markers, "# 1 {name} 1\n# 1 {} 2", quoted(main));
        }
    }
    markers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_marker() {
        let text = "# 1 \"a.h\" 1\nint a;\n# 2 \"s.h\" 1 3\nint s;\n# 3 \"k.cu\" 2\nint b;\n";
        let files = ["a.h", "s.h", "only \"macros\".h", "only \"macros\".h"].map(Path::new);
        let markers = missing_markers(text, "k.cu", files.into_iter());
        assert_eq!(markers, "# 1 \"only \\\"macros\\\".h\" 1\n# 1 \"k.cu\" 2\n");
    }
}
