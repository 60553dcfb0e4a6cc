//! The dependency file of `-MD`: what an output was made from, in `make`'s words.

use std::path::Path;

/// `target: inputs`.
pub fn render<'a>(target: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> String {
    let inputs: Vec<String> = inputs.into_iter().map(|input| format!(" {}", escaped(input))).collect();
    format!("{}:{}\n", escaped(target), inputs.concat())
}

fn escaped(path: &Path) -> String {
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
        let text = render(Path::new("out/a b.ptx"), [Path::new("$x.src"), Path::new("y#.src")]);
        assert_eq!(text, "out/a\\ b.ptx: $$x.src y\\#.src\n");
    }
}
