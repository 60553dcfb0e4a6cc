//! The rule of `-MD`: what an output was made from, in `make`'s words.

use std::path::Path;

/// `targets: inputs`, and with `phony` an empty rule for each header.
///
/// `targets` is in make's words already, as `-MT` has it; [`escaped`] makes it of a path.
pub fn render(targets: &str, inputs: &[&Path], headers: &[&Path], phony: bool) -> String {
    let names = inputs.iter().chain(headers).map(|path| format!(" {}", escaped(path)));
    let mut text = format!("{targets}:{}\n", names.collect::<String>());
    if phony {
        text.extend(headers.iter().map(|header| format!("\n{}:\n", escaped(header))));
    }
    text
}

/// A path as make reads it.
pub fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for c in path.to_string_lossy().chars() {
        match c {
            ' ' | '#' | '\\' => text.extend(['\\', c]),
            '$' => text.push_str("$$"),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_for_make() {
        let target = escaped(Path::new("out/a b.ptx"));
        let text = render(&target, &[Path::new("$x.src")], &[Path::new("y#.h")], false);
        assert_eq!(text, "out/a\\ b.ptx: $$x.src y\\#.h\n");
    }

    #[test]
    fn headers_can_have_rules_of_their_own() {
        let text = render("a.ptx b", &[Path::new("a.src")], &[Path::new("x.h"), Path::new("y.h")], true);
        assert_eq!(text, "a.ptx b: a.src x.h y.h\n\nx.h:\n\ny.h:\n");
    }
}
