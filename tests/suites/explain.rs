//! The pages of `--explain`: the wrong example of each gives its code, the right one does not and has no
//! errors, and nvcc's answers are those that the page states.

use std::fs;
use std::path::Path;

use weft_tests::Failure;
use weft_tests::mistake::found;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, repository};

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let folder = repository().join("docs/diagnostics");
    let mut pages: Vec<_> = fs::read_dir(&folder)
        .map_err(|e| format!("{}: {e}", folder.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    pages.sort();
    for page in pages {
        let code = page.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let text = fs::read_to_string(&page).map_err(|e| format!("{}: {e}", page.display()))?;
        let (name, text_of) = (code.clone(), text.clone());
        suite.add(format!("explain/{code}"), &[], move |bench| check(bench, &name, &text_of));
        suite.add(format!("explain/{code} (nvcc)"), &[Tool::Nvcc], move |bench| ask_nvcc(bench, &text));
    }
    Ok(())
}

fn check(bench: &Bench, code: &str, text: &str) -> Result<(), Failure> {
    let (wrong, right) = examples(text)?;
    if !found(wrong).iter().any(|found| found.code == code) && !is_found_later(bench, code, wrong)? {
        return Err(format!("the wrong example does not give `{code}`:\n{:?}", found(wrong)));
    }
    let of_right = found(right);
    if of_right.iter().any(|found| found.code == code || found.is_error)
        || is_found_later(bench, code, right)?
    {
        return Err(format!("the right example is not right:\n{of_right:?}"));
    }
    // The page is built into the compiler.
    let mut weftc = bench.tools.weftc();
    let said = weft_tests::tools::run(weftc.args(["--explain", code]))?.success()?.stdout;
    if said.contains(wrong) { Ok(()) } else { Err(format!("`--explain {code}` lacks its page:\n{said}")) }
}

/// Whether `weftc` reports it after the frontend, when it makes PTX.
fn is_found_later(bench: &Bench, code: &str, example: &str) -> Result<bool, Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    fs::write(work.path().join("a.src"), example).map_err(|e| e.to_string())?;
    let mut weftc = bench.tools.weftc();
    weftc.args(["-arch=sm_90", "--error-format=short", "a.src", "-o", "a.ptx"]).current_dir(work.path());
    Ok(weft_tests::tools::run(&mut weftc)?.stderr.contains(&format!("warning[-W{code}]")))
}

fn ask_nvcc(bench: &Bench, text: &str) -> Result<(), Failure> {
    let (wrong, right) = examples(text)?;
    let rejects = text.contains("nvcc rejects the wrong example.");
    if !rejects && !text.contains("nvcc accepts the wrong example.") {
        return Err("the page does not say what nvcc does".into());
    }
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    for (name, example, accepts) in [("wrong", wrong, !rejects), ("right", right, true)] {
        let source = work.path().join(format!("{name}.src"));
        fs::write(&source, example).map_err(|e| e.to_string())?;
        let answer = bench.nvcc(Path::new(&source), "sm_75", &work.path().join("out.ptx"))?;
        if (answer.status == Some(0)) != accepts {
            return Err(answer.report(&format!("nvcc says otherwise of the {name} example")));
        }
    }
    Ok(())
}

/// The wrong and the right example.
fn examples(text: &str) -> Result<(&str, &str), Failure> {
    let example = |head: &str| {
        let (_, after) = text.split_once(&format!("## {head}\n\n```cuda\n"))?;
        after.split_once("```").map(|(example, _)| example)
    };
    match (example("Wrong"), example("Right")) {
        (Some(wrong), Some(right)) => Ok((wrong, right)),
        (None, _) | (_, None) => {
            Err("a page has `## Wrong` and `## Right`, with a block of `cuda` each".into())
        }
    }
}
