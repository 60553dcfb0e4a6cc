//! Makes the tables that `src/tables.rs` takes in: the headers of `include/` with their texts, the names that
//! a program sees without an include and the header that each comes from, and the predefined macros.
//!
//! A name stands once, in its header: what is a name there is found by how these files are written. They
//! are our own, one declaration or enumerator to a line.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// What nvcc takes in before the first line of a program, from CUDA and from the host's C library.
const UNASKED: &[&str] = &[
    "alloca.h",
    "assert.h",
    "crt/host_defines.h",
    "cuda_runtime.h",
    "driver_types.h",
    "endian.h",
    "limits.h",
    "math.h",
    "stddef.h",
    "stdio.h",
    "stdlib.h",
    "sys/select.h",
    "sys/timex.h",
    "time.h",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=include");
    println!("cargo::rerun-if-changed=predefined.h");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut headers = BTreeMap::new();
    collect(&root.join("include"), "", &mut headers)?;
    let mut out = String::from("pub(crate) const HEADERS: &[(&str, &str)] = &[\n");
    for (name, path) in &headers {
        writeln!(out, "    ({name:?}, include_str!({path:?})),")?;
    }
    out.push_str("];\n\npub(crate) const UNASKED: &[(&str, &str)] = &[\n");
    let mut homes = BTreeMap::new();
    for header in UNASKED {
        let path = headers.get(*header).ok_or_else(|| format!("{header} is not in include/"))?;
        let text = fs::read_to_string(path)?;
        for name in names(&text) {
            homes.entry(name.to_owned()).or_insert(header);
        }
    }
    for (name, header) in &homes {
        writeln!(out, "    ({name:?}, {header:?}),")?;
    }
    out.push_str("];\n\npub(crate) const PREDEFINED: &[(&str, &str)] = &[\n");
    let text = fs::read_to_string(root.join("predefined.h"))?;
    let macros: BTreeMap<&str, &str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("#define "))
        .map(|line| (word(line), line))
        .collect();
    for (name, definition) in macros {
        writeln!(out, "    ({name:?}, {definition:?}),")?;
    }
    out.push_str("];\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("tables.rs"), out)?;
    Ok(())
}

/// The headers of a folder and of those in it, by the names they are included under.
fn collect(folder: &Path, prefix: &str, out: &mut BTreeMap<String, PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), out)?;
        } else {
            out.insert(name, entry.path());
        }
    }
    Ok(())
}

/// The names that a header declares: macros, typedefs, tags, enumerators.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let macro_name = line.strip_prefix("#define ").map(word);
        let tag = ["struct ", "enum "].into_iter().find_map(|keyword| line.strip_prefix(keyword)).map(word);
        let closing = line.strip_prefix("} ").map(word);
        let alias = line.strip_prefix("typedef ").and_then(|rest| rest.strip_suffix(';'));
        let alias = alias.and_then(|rest| rest.rsplit([' ', '*']).next());
        let enumerator = line.strip_prefix("    ").filter(|rest| rest.ends_with(',')).map(word);
        [macro_name, tag, closing, alias, enumerator].into_iter().flatten()
    })
}

/// The identifier at the beginning.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}
