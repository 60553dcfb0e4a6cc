//! The tables of docs/reference/language.md, "Construct by construct".
//!
//! In: the text of the document. Out: a [`Row`] for each construct, in order. A row is
//! ``| construct | yes | ui/name, ptx/name |`` or ``| construct | no: `code` | ui/name |``.

use std::collections::BTreeSet;

use crate::Failure;

/// One construct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line in the document, from 1.
    pub line: usize,
    /// The title of its table.
    pub area: String,
    /// The code with which it is rejected; `None` if it is accepted.
    pub refused: Option<String>,
    /// Paths below `tests/`, without extension.
    pub tests: Vec<String>,
}

/// The number of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Accepted constructs.
    pub taken: usize,
    /// Rejected constructs.
    pub refused: usize,
    /// Distinct tests that show them.
    pub tests: usize,
}

const SECTION: &str = "## Construct by construct";
const HEAD: [&str; 3] = ["construct", "taken", "shown by"];

/// Parses the tables.
///
/// # Errors
///
/// Each line that is not a row.
pub fn parse(document: &str) -> Result<Vec<Row>, Failure> {
    let lines = document.lines().enumerate().skip_while(|(_, line)| *line != SECTION).skip(1);
    let (mut rows, mut failure) = (Vec::new(), String::new());
    let mut area = "";
    for (line_idx, text) in lines.take_while(|(_, line)| !line.starts_with("## ")) {
        let line = line_idx + 1;
        if let Some(title) = text.strip_prefix("### ") {
            area = title;
        }
        let Some(cells) = text.strip_prefix('|') else { continue };
        let cells = cells.strip_suffix('|').map(cells_of).unwrap_or_default();
        if cells == HEAD || cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| c == '-')) {
            continue;
        }
        match row(line, area, &cells) {
            Ok(row) => rows.push(row),
            Err(why) => failure.push_str(&format!("line {line}: {why}\n    {text}\n")),
        }
    }
    if failure.is_empty() { Ok(rows) } else { Err(failure) }
}

/// The cells of a row; a bar in code, or after a backslash, is not a separator.
fn cells_of(text: &str) -> Vec<&str> {
    let (mut cells, mut start, mut in_code, mut escaped) = (Vec::new(), 0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            '`' => in_code = !in_code,
            '|' if !in_code && !escaped => {
                cells.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        escaped = c == '\\';
    }
    cells.push(text[start..].trim());
    cells
}

fn row(line: usize, area: &str, cells: &[&str]) -> Result<Row, Failure> {
    let [construct, taken, shown_by] = cells else {
        return Err(format!("a row has three columns, not {}", cells.len()));
    };
    if construct.is_empty() {
        return Err("the construct is missing".into());
    }
    let refused = match taken.strip_prefix("no: `").and_then(|code| code.strip_suffix('`')) {
        Some(code) => Some(code.to_owned()),
        None if *taken == "yes" => None,
        None => return Err(format!("`{taken}` is neither `yes` nor a code, as in no: `code`")),
    };
    let tests: Vec<String> = shown_by.split(',').map(|test| test.trim().to_owned()).collect();
    if tests.iter().any(String::is_empty) {
        return Err("no test shows it".into());
    }
    Ok(Row { line, area: area.to_owned(), refused, tests })
}

/// Checks that every test exists, and that rejected constructs name a test with the code.
///
/// `find` returns the codes that a test shows, or `None` if there is no such test.
///
/// # Errors
///
/// Each row with an invalid claim.
pub fn check(rows: &[Row], find: impl Fn(&str) -> Option<BTreeSet<String>>) -> Result<Counts, Failure> {
    let mut counts = Counts::default();
    let (mut tests, mut failure) = (BTreeSet::new(), String::new());
    for row in rows {
        let mut shown = BTreeSet::new();
        for test in &row.tests {
            match find(test) {
                Some(codes) => shown.extend(codes),
                None => failure.push_str(&format!("line {}: there is no test {test}\n", row.line)),
            }
            tests.insert(test);
        }
        match &row.refused {
            Some(code) if !shown.contains(code) => {
                failure.push_str(&format!("line {}: none of the tests shows {code}\n", row.line));
            }
            Some(_) => counts.refused += 1,
            None => counts.taken += 1,
        }
    }
    counts.tests = tests.len();
    if failure.is_empty() { Ok(counts) } else { Err(failure) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "## Other\n| a |\n\n## Construct by construct\n\n### Types\n\n\
        | construct | taken | shown by |\n|---|---|---|\n| `a | b` | yes | ptx/a, ui/b |\n\
        | `goto *p` | no: `some-code` | ui/b |\n## Next\n| b |\n";

    fn find(test: &str) -> Option<BTreeSet<String>> {
        match test {
            "ui/b" => Some(BTreeSet::from(["some-code".to_owned()])),
            "ptx/a" => Some(BTreeSet::new()),
            _ => None,
        }
    }

    #[test]
    fn rows_are_counted() {
        let rows = parse(DOCUMENT).expect("two rows");
        assert_eq!((rows[1].line, rows[1].area.as_str()), (11, "Types"));
        assert_eq!(check(&rows, find), Ok(Counts { taken: 1, refused: 1, tests: 2 }));
    }

    #[test]
    fn a_row_that_claims_too_much_is_found() {
        let fails = |from: &str, to: &str, why: &str| {
            let result = parse(&DOCUMENT.replace(from, to)).and_then(|rows| check(&rows, find));
            let failure = result.expect_err(why);
            assert!(failure.contains(why), "{failure}\nlacks `{why}`");
        };
        fails("| yes |", "|", "three columns");
        fails("| yes |", "| partly |", "neither");
        fails("ptx/a, ui/b", "", "no test shows it");
        fails("ptx/a", "ptx/c", "line 10: there is no test ptx/c");
        fails("some-code` | ui/b", "other-code` | ui/b", "line 11: none of the tests shows other-code");
        fails("some-code` | ui/b", "some-code` | ptx/a", "none of the tests shows some-code");
    }
}
