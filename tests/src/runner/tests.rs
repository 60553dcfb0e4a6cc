//! Tests of the test bench: fake compilers give wrong answers, and each kind of trial must notice.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::{Bench, abi, run, text, ui, values};
use crate::Failure;
use crate::golden::Mode;
use crate::tools::{Tool, Tools, repository};

/// A folder with fake programs, and the tests that use them.
struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    fn new() -> Stage {
        Stage { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("the file can be written");
        path
    }

    /// A program that writes `out` to the file after its `-o`, if there is one, and `err` to standard error.
    /// It is a link, because a newly written program may be busy.
    fn program(&self, name: &str, out: Option<&str>, err: &str, status: i32) {
        if let Some(out) = out {
            self.file(&format!("{name}.answer"), out);
        }
        self.file(&format!("{name}.complaint"), err);
        self.file(&format!("{name}.status"), &status.to_string());
        let stand_in = repository().join("tests/src/runner/stand_in.sh");
        symlink(stand_in, self.path(name)).expect("a link can be made");
    }

    fn bench(&self) -> Bench {
        let mut found: BTreeMap<_, _> =
            Tool::ALL.into_iter().map(|tool| (tool, self.path(tool.name()))).collect();
        // FileCheck is the real one, from LLVM.
        let check = Tool::FileCheck;
        found.insert(check, which::which(check.name()).expect("FileCheck comes with LLVM"));
        Bench::new(Tools::of_programs(self.path("weftc"), found), Mode::Compare)
    }
}

/// Requires a failure that contains `why`.
fn found(result: Result<(), Failure>, why: &str) {
    let failure = result.expect_err(why);
    assert!(failure.contains(why), "{failure}\nlacks `{why}`");
}

const ERROR: &str = "{\"severity\":\"error\",\"code\":\"x\",\"message\":\"one\",\"line\":1}\n";

/// The result of a `ui/` trial with the annotation `ERROR[x]`.
fn ui_trial(out: Option<&str>, err: &str, status: i32, golden: &str) -> Result<(), Failure> {
    let stage = Stage::new();
    stage.program("weftc", out, err, status);
    stage.file("weftc.advice", "for more information about this error, try `weftc --explain x`\n");
    let test = stage.file("a.src", "int a; //~ ERROR[x]\n");
    stage.file("a.stderr", golden);
    ui::check_file(&stage.bench(), &test)
}

#[test]
fn a_ui_trial_finds_every_fault() {
    ui_trial(None, ERROR, 1, ERROR).expect("as annotated");
    found(ui_trial(None, ERROR, 0, ERROR), "exit status 1 was expected");
    found(ui_trial(None, ERROR, 101, ERROR), "exit status 1 was expected");
    found(ui_trial(Some("half"), ERROR, 1, ERROR), "an output is written when");
    found(ui_trial(None, "", 1, ""), "expected, not reported");
    found(ui_trial(None, &ERROR.repeat(2), 1, ERROR), "reported, not expected");
    found(ui_trial(None, "thread 'main' panicked", 1, ERROR), "no diagnostic");
    found(ui_trial(None, ERROR, 1, "another text\n"), "differs");
}

/// The result of a `ptx/` trial.
fn text_trial(out: Option<&str>, err: &str, status: i32) -> Result<(), Failure> {
    let stage = Stage::new();
    stage.program("weftc", out, err, status);
    let test = stage.file("a.src", "int a;\n// CHECK: ret;\n");
    text::check_file(&stage.bench(), &test)
}

#[test]
fn a_text_trial_finds_every_fault() {
    text_trial(Some("ret;\n"), "", 0).expect("as checked");
    found(text_trial(Some("exit;\n"), "", 0), "expected string not found");
    found(text_trial(Some(""), "", 0), "is empty");
    found(text_trial(None, "", 0), "No such file");
    found(text_trial(Some("ret;\n"), "warning", 0), "no message was expected");
    found(text_trial(Some("ret;\n"), "", 1), "failed (exit status 1)");
}

const OURS: &str = ".visible .func f(.param .align 4 .b8 a[8]) { ret; }\n";

/// The result of an `abi/` trial for the two compilers' PTX and ptxas's status.
fn abi_trial(ours: &str, theirs: &str, ptxas: i32) -> Result<(), Failure> {
    let stage = Stage::new();
    stage.program("weftc", Some(ours), "", 0);
    stage.program("nvcc", Some(theirs), "", 0);
    stage.program("ptxas", Some(""), "", ptxas);
    let test = stage.file("a.src", "");
    abi::check_file(&stage.bench(), &test)
}

#[test]
fn an_abi_trial_finds_every_fault() {
    abi_trial(OURS, OURS, 0).expect("equal");
    found(abi_trial(OURS, &OURS.replace(".align 4", ".align 8"), 0), "f differs");
    found(abi_trial(OURS, "", 0), "f is not expected");
    found(abi_trial("", OURS, 0), "f is missing");
    found(abi_trial("", "", 0), "nothing was compared");
    found(abi_trial(OURS, OURS, 1), "failed (exit status 1)");
}

/// The result of a `values/` trial for the two compilers' PTX and ptxas's status.
fn values_trial(ours: &str, theirs: &str, ptxas: i32) -> Result<(), Failure> {
    let stage = Stage::new();
    stage.program("weftc", Some(ours), "", 0);
    stage.program("nvcc", Some(theirs), "", 0);
    stage.program("ptxas", Some(""), "", ptxas);
    let test = stage.file("a.src", "");
    values::check_file(&stage.bench(), &test)
}

#[test]
fn a_values_trial_finds_every_fault() {
    const VALUE: &str = ".visible .global .align 4 .u32 v = 1;\n";
    values_trial(VALUE, VALUE, 0).expect("equal");
    found(values_trial(VALUE, &VALUE.replace("= 1", "= 2"), 0), "v: byte 0: expected 02; actual 01");
    found(values_trial("", "", 0), "nothing was compared");
    found(values_trial(VALUE, VALUE, 1), "failed (exit status 1)");
}

/// A kernel that stores a number.
fn storing(number: &str) -> String {
    format!(
        ".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n    \
         .reg .b32 %r<2>;\n    .reg .b64 %rd<2>;\n    ld.param.u64 %rd1, [out];\n    \
         mov.b32 %r1, {number};\n    st.global.b32 [%rd1], %r1;\n    ret;\n}}\n"
    )
}

/// The result of a `run/` trial for the two compilers' PTX.
fn run_trial(ours: &str, theirs: &str, directives: &str) -> Result<(), Failure> {
    let stage = Stage::new();
    stage.program("weftc", Some(ours), "", 0);
    stage.program("nvcc", Some(theirs), "", 0);
    let test = stage.file("a.src", &format!("//@ launch: k grid=1 block=1\n{directives}"));
    run::check_file(&stage.bench(), &test)
}

#[test]
fn a_run_trial_finds_every_fault() {
    let seven = storing("7");
    let arg = |ty: &str| format!("//@ arg: out={ty}[1]\n");
    run_trial(&seven, &seven, &(arg("i32") + "//@ expect: out={7}")).expect("as expected");
    let wrong = run_trial(&seven, &seven, &(arg("i32") + "//@ expect: out={8}"));
    let ways = ["weftc -O0", "weftc -O3", "nvcc"].map(|way| {
        format!(
            "{way}: `k`, launched by line 1: buffer 0 (out): 1 of 1 elements differ\n  [0]  is 7, expected 8"
        )
    });
    let said = wrong.clone().expect_err("all three are wrong");
    assert!(ways.iter().all(|way| said.contains(way)), "{said}");
    found(run_trial(&seven, &storing("8"), &arg("i32")), "is 7 (0x00000007), and 8 (0x00000008) with nvcc");
    found(run_trial(&storing("8"), &seven, &arg("i32")), "weftc -O0 beside nvcc");
    found(run_trial(&storing("0"), &storing("0"), &arg("i32")), "nothing is shown");
    found(run_trial(&seven, &seven, &(arg("i32") + "//@ expect: in={7}")), "there is no buffer `in`");
    found(run_trial(&seven, &seven, &(arg("i32") + "//@ expect: out={7, 7}")), "the buffer has 1 elements");
    found(run_trial(&seven, &seven, &(arg("i32") + "//@ printed: seven")), "printed is");
    found(run_trial(&seven, &seven, &arg("i8")), "out-of-bounds");
    found(run_trial(&seven, &seven, ""), "expects 1 argument, got 0");
    found(run_trial(&seven, "no PTX", &arg("i32")), "kernel.ptx:1:1");
    let alone = |number| arg("i32") + "//@ nvcc: unchecked (it is wrong)\n//@ expect: out=" + number;
    run_trial(&seven, "no PTX", &alone("7")).expect("nvcc is not asked");
    found(run_trial(&seven, "no PTX", &alone("8")), "weftc -O3: `k`");
}

#[test]
fn a_run_trial_lets_numbers_be_off_as_far_as_is_said() {
    let (one, next, other) = (storing("0x3f800000"), storing("0x3f800001"), storing("0x3f800002"));
    let directives = "//@ arg: out=f32[1]\n//@ expect: out={1}\n//@ tolerance: 1 ulps";
    run_trial(&next, &one, directives).expect("one step apart");
    found(run_trial(&other, &one, directives), "weftc -O3 beside nvcc");
    found(run_trial(&next, &one, "//@ arg: out=f32[1]"), "0x3f800001");
    // Integers must be exact all the same; by their bits the two zeros and all NaNs differ.
    found(run_trial(&next, &one, "//@ arg: out=i32[1]\n//@ tolerance: 1 ulps"), "0x3f800001");
    found(run_trial(&storing("0x7fc00000"), &storing("0x7fffffff"), "//@ arg: out=f32[1]"), "0x7fc00000");
    let by_value = "//@ arg: out=f32[1]\n//@ tolerance: 0 ulps";
    run_trial(&storing("0x7fc00000"), &storing("0x7fffffff"), by_value).expect("two NaNs");
}

/// The result of a pair's trial for this answer of nvlink.
fn link_trial(err: &str, status: i32) -> Result<(), Failure> {
    let stage = Stage::new();
    for (name, answer) in [("weftc", OURS), ("nvcc", OURS), ("ptxas", ""), ("nvlink", "")] {
        let (err, status) = if name == "nvlink" { (err, status) } else { ("", 0) };
        stage.program(name, Some(answer), err, status);
    }
    let (caller, callee) = (stage.file("caller.src", ""), stage.file("callee.src", ""));
    abi::check_pair(&stage.bench(), &caller, &callee)
}

#[test]
fn a_link_trial_finds_every_fault() {
    link_trial("", 0).expect("links");
    found(link_trial("Prototype doesn't match", 1), "failed (exit status 1)");
    found(link_trial("nvlink warning", 0), "nvlink warns");
}

#[test]
fn an_oracle_that_disagrees_is_found() {
    let ask = |directive: &str, err: &str, status: i32| {
        let stage = Stage::new();
        stage.program("nvcc", Some(""), err, status);
        let test = stage.file("a.src", &format!("//@ nvcc: {directive}\n"));
        text::ask_file(&stage.bench(), &test)
    };
    ask("accepts", "", 0).expect("agrees");
    ask("rejects", "a.src(1): error: no", 2).expect("agrees");
    found(ask("accepts", "a.src(1): error: no", 2), "failed (exit status 2)");
    found(ask("rejects", "", 0), "nvcc accepts it");
    found(ask("rejects", "Killed", 137), "without finding an error");
}

#[test]
fn stray_files_and_halves_are_refused() {
    let stage = Stage::new();
    stage.file("a.txt", "");
    found(super::files(stage.folder.path(), "src").map(drop), "no test of this folder has such a name");
    assert_eq!(super::files(Path::new("/no/such/folder"), "src"), Ok(Vec::new()));
}
