//! `DebugInfo::Variables` changes no instruction: what is found on the emulator is of the program that was asked for.

use std::path::{Path, PathBuf};

use weft_driver::{DebugInfo, Emit, OptLevel, Options, compile_file, options};

/// The sources of a folder of the repository.
fn sources(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries =
        folder.read_dir().expect("the folder is there").map(|entry| entry.expect("an entry").path());
    let mut sources: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "src")).collect();
    sources.sort();
    sources
}

/// The lines of PTX that are no debug information.
fn code(ptx: &str) -> Vec<&str> {
    let sections = ptx.find("\t.section\t").unwrap_or(ptx.len());
    let is_code = |line: &&str| {
        let line = line.trim();
        let is_debug = [".loc\t", ".file\t", "$L__tmp", "$L__func_", "$L__BB0_0:", "//"];
        !line.is_empty() && !is_debug.iter().any(|start| line.starts_with(start))
    };
    ptx[..sections].lines().filter(is_code).map(|line| line.strip_suffix(", debug").unwrap_or(line)).collect()
}

#[test]
fn descriptions_of_variables_change_no_instruction() {
    let compiled = |path: &Path, debug| {
        let options = Options { opt_level: OptLevel::O0, debug, ..options() };
        compile_file(path, Emit::Ptx, &options).ok().map(|outputs| outputs.text)
    };
    let mut n_described = 0;
    let programs = sources("tests/run").into_iter().chain(sources("tests/debug_info"));
    for path in programs.chain(sources("examples")) {
        // Some need options, or NVIDIA's library.
        let Some(plain) = compiled(&path, DebugInfo::Lines) else { continue };
        let described = compiled(&path, DebugInfo::Variables).expect("it compiles without descriptions");
        let differs = code(&described).into_iter().zip(code(&plain)).find(|(one, other)| one != other);
        assert_eq!(differs, None, "{}", path.display());
        assert_eq!(code(&described).len(), code(&plain).len(), "{}", path.display());
        n_described += usize::from(described.contains(".section\t.debug_info"));
    }
    assert!(n_described >= 100, "{n_described} programs with descriptions");
}
