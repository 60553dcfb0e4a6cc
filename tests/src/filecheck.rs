//! Runs LLVM's FileCheck on the output of a compilation.
//!
//! In: a test with its CHECK lines, and the output. Out: nothing, or FileCheck's report. A line that looks
//! like a check, but has a prefix or suffix that is never used, is an error: FileCheck would ignore it.

use std::fs;
use std::sync::LazyLock;

use regex::Regex;

use crate::Failure;
use crate::tools::{Tool, Tools, run};

/// The prefixes of checks.
#[derive(Clone, Debug)]
pub struct Prefixes {
    /// The prefixes of this run.
    pub active: Vec<String>,
    /// Those of the test's other runs.
    pub others: Vec<String>,
}

impl Prefixes {
    /// Only `CHECK`.
    pub fn plain() -> Self {
        Prefixes { active: vec!["CHECK".into()], others: Vec::new() }
    }
}

/// Checks `output` against the lines of `test` that have one of the active prefixes.
///
/// # Errors
///
/// A line that FileCheck would ignore, no check at all, the first failing check, or a missing FileCheck.
pub fn check(tools: &Tools, test: &str, prefixes: &Prefixes, output: &str) -> Result<(), Failure> {
    refuse_ignored_lines(test, prefixes)?;
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let [checks, input] = ["test.src", "output"].map(|name| work.path().join(name));
    fs::write(&checks, test).and_then(|()| fs::write(&input, output)).map_err(|e| e.to_string())?;
    let mut command = tools.tool(Tool::FileCheck)?;
    command.args(["--allow-unused-prefixes", "--dump-input=never", "--color=false"]);
    command.arg(format!("--check-prefixes={}", prefixes.active.join(",")));
    run(command.arg("--input-file").arg(&input).arg(&checks))?.success()?;
    Ok(())
}

fn refuse_ignored_lines(test: &str, prefixes: &Prefixes) -> Result<(), Failure> {
    static CHECK: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"//\s*([A-Z][A-Z0-9_]*)((?:-[A-Za-z0-9]+)*):")
            .expect("invariant: a constant pattern compiles")
    });
    static SUFFIX: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(-(NEXT|SAME|EMPTY|NOT|DAG|LABEL|COUNT-[1-9][0-9]*))?$")
            .expect("invariant: a constant pattern compiles")
    });
    for (idx, text) in test.lines().enumerate() {
        let Some(parts) = CHECK.captures(text) else { continue };
        let (prefix, suffix) = (&parts[1], &parts[2]);
        let is_known = prefixes.active.iter().chain(&prefixes.others).any(|known| known == prefix);
        let wrong = match (is_known, SUFFIX.is_match(suffix)) {
            (true, true) => continue,
            (true, false) => format!("no check has the suffix `{suffix}`"),
            // A word in a comment.
            (false, _) if suffix.is_empty() => continue,
            (false, _) => format!("no revision has the prefix `{prefix}`"),
        };
        return Err(format!("line {}: {wrong}\n    {}", idx + 1, text.trim()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(test: &str, output: &str) -> Result<(), Failure> {
        let path = which::which(Tool::FileCheck.name()).expect("FileCheck comes with LLVM");
        let tools = Tools::of_programs("weftc".into(), [(Tool::FileCheck, path)].into());
        check(&tools, test, &Prefixes::plain(), output)
    }

    #[test]
    fn reports_the_check_that_does_not_hold() {
        let test = "// CHECK: one\n// CHECK-NEXT: two [[A:[a-z]+]]\n// CHECK: [[A]]\n";
        checked(test, "one\ntwo x\nx\n").expect("all hold");
        let error = checked(test, "one\nzero\ntwo x\nx\n").expect_err("a line is between");
        assert!(error.contains("CHECK-NEXT: is not on the line after"), "{error}");
        checked(test, "one\ntwo x\ny\n").expect_err("the variable has another value");
        checked("int a;\n", "one\n").expect_err("there is no check");
    }

    #[test]
    fn refuses_lines_that_nothing_looks_at() {
        let refused = |line: &str| checked(&format!("// CHECK: one\n{line}\n"), "one\n").expect_err(line);
        assert!(refused("// CHECK-NXET: two").contains("line 2: no check has the suffix `-NXET`"));
        assert!(refused("// O3-NEXT: two").contains("line 2: no revision has the prefix `O3`"));
        checked("// CHECK: one\n// NOTE: two\n", "one\n").expect("a note is no check");
    }
}
