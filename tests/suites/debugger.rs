//! gdb reads debug information of `weftc -G`, and of nvcc for the same program: functions, variables, types,
//! lines and scopes (tests/debugger/host/read.gdb). Debugging a running kernel needs a GPU and cuda-gdb: see
//! `ci/gpu.sh`, with the scripts of tests/debugger.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use weft_tests::Failure;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, repository, run};

const ARCH: &str = "-arch=sm_80";
const NEEDS: [Tool; 4] = [Tool::Nvcc, Tool::Ptxas, Tool::Nvlink, Tool::Gdb];

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    suite.add("debugger/gdb reads the cubin of weftc".to_owned(), &NEEDS, |bench| reads(bench, of_weftc));
    suite.add("debugger/gdb reads the cubin of nvcc".to_owned(), &NEEDS, |bench| reads(bench, of_nvcc));
    suite.add("debugger/finds what gdb does not print".to_owned(), &[], |_| missing());
    Ok(())
}

/// A way to make a linked cubin from the program and nvcc's callee, which is compiled.
type Linked = fn(&Bench, &Path, &Path) -> Result<PathBuf, Failure>;

fn reads(bench: &Bench, linked: Linked) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = repository().join("tests").join("debugger");
    let callee = work.path().join("callee.o");
    nvcc(bench, &folder.join("callee.cu"), &callee)?;
    let cubin = linked(bench, work.path(), &callee)?;
    let mut elf = fs::read(&cubin).map_err(|e| e.to_string())?;
    as_of_the_host(&mut elf)?;
    fs::write(&cubin, elf).map_err(|e| e.to_string())?;
    let script = folder.join("host").join("read.gdb");
    let mut gdb = bench.tools.tool(Tool::Gdb)?;
    // The program's folder contains the source.
    gdb.args(["-batch", "-nx", "-x"]).arg(&script).arg("-d").arg(&folder).arg(&cubin).current_dir(&folder);
    let answer = run(&mut gdb)?.success()?;
    let script = fs::read_to_string(&script).map_err(|e| e.to_string())?;
    says_in_order(&script, &answer.stdout)
}

fn of_weftc(bench: &Bench, work: &Path, callee: &Path) -> Result<PathBuf, Failure> {
    let cubin = work.join("weftc.cubin");
    let source = repository().join("tests").join("debugger").join("features.src");
    let mut weftc = bench.tools.weftc();
    weftc.args(["-G", ARCH]).arg(source).arg(callee).arg("-o").arg(&cubin);
    run(&mut weftc)?.success()?;
    Ok(cubin)
}

fn of_nvcc(bench: &Bench, work: &Path, callee: &Path) -> Result<PathBuf, Failure> {
    let (object, cubin) = (work.join("features.o"), work.join("nvcc.cubin"));
    nvcc(bench, &repository().join("tests").join("debugger").join("features.src"), &object)?;
    let mut nvlink = bench.tools.tool(Tool::Nvlink)?;
    nvlink.args([ARCH, "-g"]).arg(&object).arg(callee).arg("-o").arg(&cubin);
    run(&mut nvlink)?.success()?;
    Ok(cubin)
}

fn nvcc(bench: &Bench, source: &Path, object: &Path) -> Result<(), Failure> {
    let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
    nvcc.args(["-x", "cu", ARCH, "-G", "-rdc=true", "-cubin", "-o"]).arg(object).arg(source);
    run(&mut nvcc)?.success().map(|_| ())
}

/// Marks the ELF file as a host program, so that gdb reads it. The debug information of a linked cubin is
/// relocated: no other change is needed.
fn as_of_the_host(elf: &mut [u8]) -> Result<(), Failure> {
    /// The offsets of the OS ABI, its version and the machine in an ELF header.
    const SYSTEM: usize = 7;
    const SYSTEM_VERSION: usize = 8;
    const MACHINE: usize = 18;
    const EM_CUDA: [u8; 2] = 190_u16.to_le_bytes();
    const EM_X86_64: [u8; 2] = 62_u16.to_le_bytes();
    let machine = elf.get_mut(MACHINE..MACHINE + 2).filter(|machine| **machine == EM_CUDA);
    machine.ok_or("no cubin")?.copy_from_slice(&EM_X86_64);
    (elf[SYSTEM], elf[SYSTEM_VERSION]) = (0, 0);
    Ok(())
}

/// Checks that the text contains what the script expects, in order.
fn says_in_order(script: &str, said: &str) -> Result<(), Failure> {
    let mut lines = said.lines();
    for wanted in script.lines().filter_map(|line| line.strip_prefix("#= ")) {
        let pattern = Regex::new(wanted).map_err(|e| e.to_string())?;
        if !lines.any(|line| pattern.is_match(line)) {
            return Err(format!("gdb does not say in its place: {wanted}\nit says:\n{said}"));
        }
    }
    Ok(())
}

fn missing() -> Result<(), Failure> {
    let said = "type = struct S {\n    int a;\n    int b;\n}\n";
    says_in_order("ptype struct S\n#= int a;\n#= int b;\n", said)?;
    for script in ["#= int c;\n", "#= int b;\n#= int a;\n", "#= int a;\n#= int a;\n"] {
        if says_in_order(script, said).is_ok() {
            return Err(format!("nothing is missed of:\n{script}"));
        }
    }
    Ok(())
}
