//! The resources of kernels and functions, as a table or as JSON: `--resource-usage`.

use serde::Serialize;
use weft_frontend::diag::render::Format;
use weft_frontend::diag::visible::{json_line, visible};
use weft_run::kernel::source_name;

use super::program::Program;
use super::usage::{Memory, Usage};

/// A line of the table.
struct Row<'a> {
    usage: &'a Usage,
    /// The position, if known, and the name.
    place: Option<String>,
    name: String,
}

/// The table, in program order. `what` is its title: the GPU, and the file if there are several.
pub fn render(
    what: &str,
    target: &str,
    memory: Memory,
    all: &[Usage],
    programs: &[Program],
    format: Format,
) -> String {
    let mut rows: Vec<Row<'_>> =
        all.iter().filter(|usage| !is_copy(usage, all)).map(|it| row(it, programs)).collect();
    rows.sort_by_cached_key(|row| order(row, programs));
    match format {
        Format::Json => {
            let mut text = String::new();
            for row in &rows {
                text += &json_line(&JsonUsage::of(row, target));
            }
            text + &json_line(&JsonMemory {
                severity: "note",
                kind: "memory-usage",
                gpu: target,
                input: what,
                global: memory.global,
                constant: memory.constant,
            })
        }
        Format::Human { .. } | Format::Short | Format::Sarif | Format::Github => {
            table(what, target, memory, &rows).lines().map(|line| format!("{}\n", visible(line))).collect()
        }
    }
}

/// ptxas clones functions, and appends `$` and more to their names.
fn is_copy(usage: &Usage, all: &[Usage]) -> bool {
    let original = usage.symbol.split_once('$').map(|(original, _)| original);
    original.is_some_and(|original| all.iter().any(|other| other.symbol == original))
}

fn row<'a>(usage: &'a Usage, programs: &[Program]) -> Row<'a> {
    let known = programs.iter().find_map(|program| {
        let known = program.symbol(&usage.symbol).filter(|known| known.first_use.is_none())?;
        Some((program.place(known.span), known.name.clone()))
    });
    let (place, name) = known.unzip();
    Row { usage, place, name: name.unwrap_or_else(|| source_name(&usage.symbol)) }
}

/// Kernels before functions, each in program order.
fn order(row: &Row<'_>, programs: &[Program]) -> (bool, usize, Vec<u32>, String) {
    let symbol = &row.usage.symbol;
    let found = programs
        .iter()
        .enumerate()
        .find_map(|(idx, it)| Some((idx, it.sources().order(it.symbol(symbol)?.span))));
    let (idx, place) = found.unwrap_or((programs.len(), Vec::new()));
    (!row.usage.is_kernel, idx, place, symbol.clone())
}

type Column = (&'static str, fn(&Usage) -> Option<u64>);

const COLUMNS: [Column; 8] = [
    ("registers", |it| it.registers),
    ("spill stores", |it| it.spill_stores),
    ("spill loads", |it| it.spill_loads),
    ("stack", |it| it.stack),
    ("shared", |it| it.shared),
    ("constant", |it| it.constant),
    ("local", |it| it.local),
    ("barriers", |it| it.barriers),
];

fn table(what: &str, target: &str, memory: Memory, rows: &[Row<'_>]) -> String {
    // Columns without values are omitted.
    let columns: Vec<&Column> =
        COLUMNS.iter().filter(|(_, of)| rows.iter().any(|row| of(row.usage).is_some())).collect();
    let mut lines: Vec<Vec<String>> = vec![vec!["kernel or function".to_owned()]];
    lines[0].extend(columns.iter().map(|(head, _)| (*head).to_owned()));
    for row in rows {
        let place = row.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let mut line = vec![format!("{place}{}", row.name)];
        line.extend(columns.iter().map(|(_, of)| of(row.usage).map_or("-".to_owned(), |n| n.to_string())));
        lines.push(line);
    }
    let widths: Vec<usize> = (0..=columns.len())
        .map(|idx| lines.iter().map(|line| line[idx].chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = format!("resource usage of `{what}` for {target}:\n");
    for line in lines.iter().filter(|_| !rows.is_empty()) {
        let cells = line.iter().zip(&widths).enumerate().map(|(idx, (cell, &width))| match idx {
            0 => format!("  {cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        text += cells.collect::<String>().trim_end();
        text.push('\n');
    }
    let Memory { global, constant } = memory;
    text + &format!("  {global} bytes of global memory, {constant} bytes of constant memory\n")
}

/// A kernel or function, for `--error-format=json`; in bytes, except registers and barriers.
#[derive(Serialize)]
struct JsonUsage<'a> {
    severity: &'static str,
    kind: &'static str,
    gpu: &'a str,
    name: &'a str,
    symbol: &'a str,
    place: Option<&'a str>,
    is_kernel: bool,
    registers: Option<u64>,
    spill_stores: Option<u64>,
    spill_loads: Option<u64>,
    stack: Option<u64>,
    shared: Option<u64>,
    constant: Option<u64>,
    local: Option<u64>,
    barriers: Option<u64>,
}

impl<'a> JsonUsage<'a> {
    fn of(row: &'a Row<'_>, gpu: &'a str) -> Self {
        let usage = row.usage;
        JsonUsage {
            severity: "note",
            kind: "resource-usage",
            gpu,
            name: &row.name,
            symbol: &usage.symbol,
            place: row.place.as_deref(),
            is_kernel: usage.is_kernel,
            registers: usage.registers,
            spill_stores: usage.spill_stores,
            spill_loads: usage.spill_loads,
            stack: usage.stack,
            shared: usage.shared,
            constant: usage.constant,
            local: usage.local,
            barriers: usage.barriers,
        }
    }
}

/// The resources that a program needs once.
#[derive(Serialize)]
struct JsonMemory<'a> {
    severity: &'static str,
    kind: &'static str,
    gpu: &'a str,
    input: &'a str,
    global: u64,
    constant: u64,
}
