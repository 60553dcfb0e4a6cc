//! A test in `ui/` shows every diagnostic code, and uses no others; docs/reference/warnings.md lists all
//! warnings.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use weft_frontend::diag::Code;
use weft_frontend::diag::code::Group;
use weft_tests::Failure;
use weft_tests::annotation;
use weft_tests::runner::{Suite, files};
use weft_tests::tools::repository;

/// Codes that no test in `ui/` can show, since these are text and end at PTX; with the test in `driver/` that
/// does.
const ELSEWHERE: &[(&str, &str)] = &[
    ("invalid-utf8", "not_utf8"),
    ("unused-command-line-argument", "nvcc_options"),
    ("spills", "spills"),
    ("ptxas", "places_of_findings"),
    ("excess-resources", "places_of_findings"),
    ("refused-ptx", "places_of_findings"),
    ("undefined-symbol", "places_of_findings"),
];

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    suite.add("codes/every code has a test".into(), &[], |_| every_code_has_a_test());
    suite.add("codes/every warning is listed".into(), &[], |_| every_warning_is_listed());
    Ok(())
}

fn every_code_has_a_test() -> Result<(), Failure> {
    let folder = repository().join("tests").join("ui");
    let mut shown: BTreeSet<String> = BTreeSet::new();
    for path in files(&folder, "src")? {
        let annotations = annotation::parse(&read(&path)?).map_err(|e| format!("{}: {e}", path.display()))?;
        shown.extend(annotations.into_iter().map(|annotation| annotation.code));
    }
    for (code, test) in ELSEWHERE {
        let path = repository().join("tests/driver").join(test).with_extension("toml");
        let text = read(&path)?;
        let forms = [format!("error[{code}]"), format!("warning[-W{code}]")];
        if !forms.iter().any(|form| text.contains(form)) {
            return Err(format!("{} does not show `{code}`", path.display()));
        }
        shown.insert((*code).to_owned());
    }
    let known: BTreeSet<String> = Code::ALL.iter().map(|code| code.name().to_owned()).collect();
    let without_test: Vec<&String> = known.difference(&shown).collect();
    let unknown: Vec<&String> = shown.difference(&known).collect();
    if without_test.is_empty() && unknown.is_empty() {
        return Ok(());
    }
    Err(format!("codes without a test in tests/ui: {without_test:#?}\ncodes that do not exist: {unknown:#?}"))
}

fn every_warning_is_listed() -> Result<(), Failure> {
    let page = read(&repository().join("docs/reference/warnings.md"))?;
    let (_, list) = page.split_once("## The list").ok_or("docs/reference/warnings.md has no list")?;
    let parts: Vec<&str> = list.split("\n### ").skip(1).collect();
    let groups = [Group::Default, Group::All, Group::Extra, Group::Own];
    if parts.len() != groups.len() {
        return Err(format!(
            "docs/reference/warnings.md has {} groups, expected {}",
            parts.len(),
            groups.len()
        ));
    }
    for (group, part) in groups.into_iter().zip(parts) {
        let rows: Vec<&str> = part.lines().filter(|line| line.starts_with("| `")).collect();
        let mut wanted: Vec<String> = Code::ALL
            .iter()
            .filter(|code| code.group() == Some(group))
            .map(|code| format!("| `{}` | {} |", code.name(), code.explanation().replace('|', "\\|")))
            .collect();
        wanted.sort();
        if rows != wanted {
            let (rows, wanted) = (rows.join("\n"), wanted.join("\n"));
            return Err(format!(
                "docs/reference/warnings.md, {group:?}, lists\n{rows}\nbut diag/code.rs has\n{wanted}"
            ));
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}
