//! Every diagnostic code is shown by a test in `ui/`, and every code there is one; docs/reference/warnings.md lists the
//! warnings as they are.

use std::collections::BTreeSet;
use std::fs;

use weft_frontend::diag::Code;
use weft_frontend::diag::code::Group;
use weft_tests::annotation;
use weft_tests::runner::files;
use weft_tests::tools::repository;

/// What no test in `ui/` shows, which is text and goes no further than PTX; and the test in `driver/` that does.
const ELSEWHERE: &[(&str, &str)] = &[
    ("invalid-utf8", "not_utf8"),
    ("spills", "spills"),
    ("ptxas", "places_of_findings"),
    ("excess-resources", "places_of_findings"),
    ("refused-ptx", "places_of_findings"),
    ("undefined-symbol", "places_of_findings"),
];

#[test]
fn codes_and_tests_match() {
    let folder = repository().join("tests").join("ui");
    let mut shown: BTreeSet<String> = BTreeSet::new();
    for path in files(&folder, "src").expect("the folder can be read") {
        let text = fs::read_to_string(&path).expect("the test can be read");
        let annotations = annotation::parse(&text).expect("the annotations are well formed");
        shown.extend(annotations.into_iter().map(|annotation| annotation.code));
    }
    for (code, test) in ELSEWHERE {
        let path = repository().join("tests/driver").join(test).with_extension("toml");
        let text = fs::read_to_string(&path).expect("the test can be read");
        let forms = [format!("error[{code}]"), format!("warning[-W{code}]")];
        assert!(forms.iter().any(|form| text.contains(form)), "{} does not show `{code}`", path.display());
        shown.insert((*code).to_owned());
    }
    let known: BTreeSet<String> = Code::ALL.iter().map(|code| code.name().to_owned()).collect();
    let without_test: Vec<&String> = known.difference(&shown).collect();
    let unknown: Vec<&String> = shown.difference(&known).collect();
    assert!(
        without_test.is_empty() && unknown.is_empty(),
        "codes that no test in tests/ui shows: {without_test:#?}\ncodes that do not exist: {unknown:#?}"
    );
}

#[test]
fn the_list_of_warnings_is_whole() {
    let page =
        fs::read_to_string(repository().join("docs/reference/warnings.md")).expect("the page can be read");
    let (_, list) = page.split_once("## The list").expect("the page has the list");
    let parts: Vec<&str> = list.split("\n### ").skip(1).collect();
    let groups = [Group::Default, Group::All, Group::Extra, Group::Own];
    assert_eq!(parts.len(), groups.len());
    for (group, part) in groups.into_iter().zip(parts) {
        let rows: Vec<&str> = part.lines().filter(|line| line.starts_with("| `")).collect();
        let mut wanted: Vec<String> = Code::ALL
            .iter()
            .filter(|code| code.group() == Some(group))
            .map(|code| format!("| `{}` | {} |", code.name(), code.explanation().replace('|', "\\|")))
            .collect();
        wanted.sort();
        assert_eq!(
            rows, wanted,
            "{group:?}: docs/reference/warnings.md is to list the warnings of diag/code.rs"
        );
    }
}
