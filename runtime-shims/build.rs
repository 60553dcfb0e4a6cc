//! Makes the tables that `src/tables.rs` takes in: the headers of `include/` with their texts, the names that
//! a program sees without an include and the header that each comes from, and the predefined macros. A name
//! stands once, in its header.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "src/hash.rs"]
mod hash;
#[allow(unreachable_pub, reason = "the library shows it")]
#[path = "src/names.rs"]
mod names;

use names::{names, word};

/// What nvcc takes in before the first line of a program, from CUDA and from the host's C library.
const UNASKED: &[&str] = &[
    "alloca.h",
    "assert.h",
    "crt/host_defines.h",
    "ctype.h",
    "cuda_device_runtime_api.h",
    "cuda_runtime.h",
    "device_types.h",
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
    "weft/va_list.h",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=include");
    println!("cargo::rerun-if-changed=predefined.h");
    println!("cargo::rerun-if-changed=predefined32.h");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut headers = BTreeMap::new();
    collect(&root.join("include"), "", &mut headers)?;
    let mut out = String::from("pub(crate) const HEADERS: &[(&str, &str)] = &[\n");
    for (name, path) in &headers {
        writeln!(out, "    ({name:?}, include_str!({path:?})),")?;
    }
    out.push_str("];\n\n");
    write_known(&mut out, &known_names(&root, &headers)?)?;
    write_narrow(&mut out, &fs::read_to_string(root.join("predefined32.h"))?)?;
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("tables.rs"), out)?;
    Ok(())
}

/// The names that need no include, each with what it stands for, as Rust.
fn known_names(
    root: &Path,
    headers: &BTreeMap<String, PathBuf>,
) -> Result<BTreeMap<String, String>, Box<dyn Error>> {
    let mut known = BTreeMap::new();
    for header in UNASKED {
        let path = headers.get(*header).ok_or_else(|| format!("{header} is not in include/"))?;
        let text = fs::read_to_string(path)?;
        for name in names(&text) {
            known.entry(name.to_owned()).or_insert_with(|| format!("Known::Header({header:?})"));
        }
    }
    let text = fs::read_to_string(root.join("predefined.h"))?;
    for definition in text.lines().filter_map(|line| line.strip_prefix("#define ")) {
        known.insert(word(definition).to_owned(), format!("Known::Macro({definition:?})"));
    }
    Ok(known)
}

/// A hash table with open addressing: half of its slots are free, so that a search is short.
fn write_known(out: &mut String, known: &BTreeMap<String, String>) -> Result<(), Box<dyn Error>> {
    let n_slots = (2 * known.len()).next_power_of_two();
    let mut slots = vec![0_u16; n_slots];
    writeln!(out, "pub(crate) const KNOWN: &[(&str, Known)] = &[")?;
    for (idx, (name, meaning)) in known.iter().enumerate() {
        writeln!(out, "    ({name:?}, {meaning}),")?;
        let mut slot = hash::hash(name) % n_slots;
        while slots[slot] != 0 {
            slot = (slot + 1) % n_slots;
        }
        slots[slot] = u16::try_from(idx + 1)?;
    }
    writeln!(out, "];\n\n/// Places in `KNOWN`, counted from 1; 0 is a free slot.")?;
    writeln!(out, "pub(crate) static SLOTS: &[u16; {n_slots}] = &{slots:?};")?;
    Ok(())
}

/// What the predefined macros of a 32-bit host are where they are others: by name, none for those that are not there.
fn write_narrow(out: &mut String, text: &str) -> Result<(), Box<dyn Error>> {
    let mut narrow = BTreeMap::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("#undef ") {
            narrow.insert(name, None);
        } else if let Some(definition) = line.strip_prefix("#define ") {
            narrow.insert(word(definition), Some(definition));
        }
    }
    writeln!(out, "\npub(crate) const NARROW: &[(&str, Option<&str>)] = &[")?;
    for meaning in narrow {
        writeln!(out, "    {meaning:?},")?;
    }
    writeln!(out, "];")?;
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
