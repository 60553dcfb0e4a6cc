//! Every diagnostic code is shown by a test in `ui/`, and every code there is one.

use std::collections::BTreeSet;
use std::fs;

use weft_frontend::diag::Code;
use weft_tests::annotation;
use weft_tests::runner::files;
use weft_tests::tools::repository;

#[test]
fn codes_and_tests_match() {
    let folder = repository().join("tests").join("ui");
    let mut shown: BTreeSet<String> = BTreeSet::new();
    for path in files(&folder, "src").expect("the folder can be read") {
        let text = fs::read_to_string(&path).expect("the test can be read");
        let annotations = annotation::parse(&text).expect("the annotations are well formed");
        shown.extend(annotations.into_iter().map(|annotation| annotation.code));
    }
    // A test in `ui/` is text, which a file that is not cannot be.
    let not_utf8 = fs::read_to_string(repository().join("tests/driver/not_utf8.toml"));
    let not_utf8 = not_utf8.expect("the test can be read");
    assert!(not_utf8.contains("error[invalid-utf8]"));
    shown.insert("invalid-utf8".to_owned());
    let known: BTreeSet<String> = Code::ALL.iter().map(|code| code.name().to_owned()).collect();
    let without_test: Vec<&String> = known.difference(&shown).collect();
    let unknown: Vec<&String> = shown.difference(&known).collect();
    assert!(
        without_test.is_empty() && unknown.is_empty(),
        "codes that no test in tests/ui shows: {without_test:#?}\ncodes that do not exist: {unknown:#?}"
    );
}
