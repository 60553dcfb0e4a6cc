//! The lines of the source in PTX, as comments before the code that was made from them: nvcc's `-src-in-ptx`.

use std::collections::BTreeMap;
use std::fmt::Write;

use weft_frontend::source::{SourceFile, SourceMap};

/// Adds a comment before each `.loc`, whose numbers of files `.file` explains. Files that are not among the sources have none.
pub fn with_source(ptx: &str, sources: &SourceMap) -> String {
    let files: BTreeMap<&str, &SourceFile> = ptx.lines().filter_map(|line| file(line, sources)).collect();
    let mut text = String::with_capacity(ptx.len() * 2);
    for line in ptx.lines() {
        if let Some((file, number, written)) = place(line, &files) {
            let _ = write!(text, "\n//{}:{number} {}\n", file.name(), written.trim_end());
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The number and the source of `.file 1 "a.cu"`.
fn file<'p, 's>(line: &'p str, sources: &'s SourceMap) -> Option<(&'p str, &'s SourceFile)> {
    let (number, rest) = line.trim().strip_prefix(".file")?.trim_start().split_once(char::is_whitespace)?;
    let path = rest.split('"').nth(1)?;
    let is_same = |file: &SourceFile| {
        let name = file.name().trim_start_matches("./");
        path.strip_suffix(name).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
    };
    sources.files().map(|(_, file)| file).find(|file| is_same(file)).map(|file| (number, file))
}

/// The file, the number and the text of the line of `.loc 1 7 3`.
fn place<'s>(line: &str, files: &BTreeMap<&str, &'s SourceFile>) -> Option<(&'s SourceFile, usize, &'s str)> {
    let mut words = line.trim().strip_prefix(".loc")?.split_whitespace();
    let file = *files.get(words.next()?)?;
    let number: usize = words.next()?.parse().ok()?;
    Some((file, number, file.text().lines().nth(number.checked_sub(1)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_the_line() {
        let mut sources = SourceMap::new();
        sources.add("a.cu".to_owned(), "int a;\nint b;\n").expect("a small text");
        let ptx = "\t.loc\t1 2 5\n\tret;\n\t.loc\t2 1 1\n\t.file\t1 \"/x/a.cu\"\n\t.file\t2 \"/x/ba.cu\"\n";
        let wanted = "\n//a.cu:2 int b;\n\t.loc\t1 2 5\n\tret;\n\t.loc\t2 1 1\n\t.file\t1 \"/x/a.cu\"\n\t.file\t2 \"/x/ba.cu\"\n";
        assert_eq!(with_source(ptx, &sources), wanted);
    }
}
