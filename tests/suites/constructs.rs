//! Existing tests show every row of docs/reference/language.md, "Construct by construct".

use std::collections::BTreeSet;
use std::fs;

use weft_frontend::diag::Code;
use weft_tests::Failure;
use weft_tests::constructs::{self, Row};
use weft_tests::runner::Suite;
use weft_tests::tools::repository;
use weft_tests::{annotation, runner};

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let path = repository().join("docs/reference/language.md");
    let document = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let rows = constructs::parse(&document).map_err(|e| format!("{}:\n{e}", path.display()))?;
    let mut areas: Vec<String> = rows.iter().map(|row| row.area.clone()).collect();
    areas.dedup();
    for area in areas {
        let own: Vec<Row> = rows.iter().filter(|row| row.area == area).cloned().collect();
        let known = constructs::check(&own, shown);
        let name = match &known {
            Ok(counts) => format!(
                "constructs/{area} ({} taken, {} refused, {} tests)",
                counts.taken, counts.refused, counts.tests
            ),
            Err(_) => format!("constructs/{area}"),
        };
        suite.add(name, &[], move |_| known.map(drop));
    }
    Ok(())
}

/// The codes that a test shows: an annotated file, a file of another kind, or a folder of files.
fn shown(test: &str) -> Option<BTreeSet<String>> {
    let path = repository().join("tests").join(test);
    if path.is_dir() {
        let has = |extension| runner::files(&path, extension).is_ok_and(|files| !files.is_empty());
        return (has("src") || has("cu")).then(BTreeSet::new);
    }
    if path.with_extension("toml").is_file() || path.with_extension("cu").is_file() {
        return Some(BTreeSet::new());
    }
    let text = fs::read_to_string(path.with_extension("src")).ok()?;
    let codes: BTreeSet<String> = annotation::parse(&text).ok()?.into_iter().map(|a| a.code).collect();
    codes.iter().all(|code| Code::ALL.iter().any(|known| known.name() == code)).then_some(codes)
}
