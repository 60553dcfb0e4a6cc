//! The line table of a cubin (DWARF 3, 6.2), which ptxas makes from PTX's `.file` and `.loc`: the source
//! lines of each function's code.

use std::collections::{BTreeMap, BTreeSet};

use gimli::{AttributeValue, DebugLine, DebugLineOffset, EndianSlice, LineProgramHeader, LittleEndian};

use crate::Failure;
use crate::dwarf::cubin::Cubin;

/// A file and a line, from 1.
pub type Line = (String, u64);

/// The source lines of a cubin's code, by function symbol.
pub type Lines = BTreeMap<String, BTreeSet<Line>>;

type Bytes<'d> = EndianSlice<'d, LittleEndian>;

/// Reads the table.
///
/// # Errors
///
/// If there is none, or it cannot be read.
pub fn read(cubin: Vec<u8>) -> Result<Lines, Failure> {
    let cubin = Cubin::read(cubin)?;
    let data = cubin.section(".debug_line").ok_or("there is no line table")?;
    let failed = |e: gimli::Error| format!("the line table cannot be read: {e}");
    let mut lines = Lines::new();
    let mut start = 0;
    while start < data.len() {
        let table = DebugLine::new(&data, LittleEndian);
        let program = table.program(DebugLineOffset(start), 8, None, None).map_err(failed)?;
        // The length does not include itself.
        start += 4 + program.header().unit_length();
        let mut rows = program.rows();
        let mut function = None;
        // The previous row: it applies up to this one's address.
        let mut before: Option<(u64, Line)> = None;
        while let Some((header, row)) = rows.next_row().map_err(failed)? {
            // A sequence is a function.
            function = function.or_else(|| cubin.function_at(row.address()));
            let name = function.ok_or_else(|| format!("no function is at {:#x}", row.address()))?;
            // Rows for inlined calls have no code.
            if let Some((address, line)) = before.take()
                && address < row.address()
            {
                lines.entry(name.to_owned()).or_default().insert(line);
            }
            if row.end_sequence() {
                function = None;
            } else if let Some(line) = row.line() {
                before = Some((row.address(), (file(header, row.file_index())?, line.get())));
            }
        }
    }
    Ok(lines)
}

/// The lines in a PTX text, by function.
pub fn directives(ptx: &str) -> Lines {
    let files: BTreeMap<&str, &str> = ptx.lines().filter_map(file_directive).collect();
    let (mut lines, mut function) = (Lines::new(), String::new());
    for line in ptx.lines().map(str::trim) {
        if line.contains(".entry ") || line.contains(".func ") {
            let name = line.rsplit([' ', '\t']).next().unwrap_or_default();
            name.trim_end_matches(['(', ')']).clone_into(&mut function);
        } else if let Some(place) = line.strip_prefix(".loc") {
            let mut words = place.split_whitespace();
            if let (Some(file), Some(Ok(line))) =
                (words.next().and_then(|number| files.get(number)), words.next().map(str::parse))
            {
                lines.entry(function.clone()).or_default().insert(((*file).to_owned(), line));
            }
        }
    }
    lines
}

/// The number and the name of `.file 1 "name"`.
fn file_directive(line: &str) -> Option<(&str, &str)> {
    let (number, name) = line.trim().strip_prefix(".file")?.trim().split_once(char::is_whitespace)?;
    Some((number, name.split('"').nth(1)?))
}

/// The path of a file.
fn file(header: &LineProgramHeader<Bytes<'_>>, index: u64) -> Result<String, Failure> {
    let text = |value: AttributeValue<Bytes<'_>>| match value {
        AttributeValue::String(bytes) => Ok(bytes.to_string_lossy().into_owned()),
        other => Err(format!("a name is no string: {other:?}")),
    };
    let file = header.file(index).ok_or_else(|| format!("there is no file {index}"))?;
    let name = text(file.path_name())?;
    if file.directory_index() == 0 {
        return Ok(name);
    }
    let directory = file.directory(header).ok_or_else(|| format!("file {index} has no directory"))?;
    Ok(format!("{}/{name}", text(directory)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_of_functions() {
        let text = ".visible .entry k(\n\t.param .u64 p\n)\n{\n\t.loc\t1 4 0\n\t.loc\t2 7 3, function_name $L, inlined_at 1 4 0\n}\n\
                    .func  (.param .b32 r) f(\n\t.param .b32 x\n)\n{\n\t.loc\t1 9 5\n}\n\t.file\t1 \"/d/a b.cu\"\n\t.file 2 \"h.h\", 1, 2\n";
        let lines = directives(text);
        let of = |name: &str| -> Vec<(&str, u64)> {
            lines[name].iter().map(|(file, line)| (file.as_str(), *line)).collect()
        };
        assert_eq!(of("k"), [("/d/a b.cu", 4), ("h.h", 7)]);
        assert_eq!(of("f"), [("/d/a b.cu", 9)]);
    }
}
