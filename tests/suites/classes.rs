//! Programs of classes, `classes/*.cu`: what [`templates`](super::templates) compares of theirs.

use weft_tests::Failure;
use weft_tests::runner::{Suite, files};
use weft_tests::tools::{Tool, repository};

use super::templates::{name, same_program};

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for path in files(&repository().join("tests/suites/classes"), "cu")? {
        let trial = format!("classes/{}.cu", name(&path));
        suite.add(trial, &[Tool::Nvcc], move |bench| same_program(bench, &path));
    }
    Ok(())
}
