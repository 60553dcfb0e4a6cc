//! A profile as a text table for a terminal.

use std::fmt::Write;

use super::number::{counted, part, percent};
use super::{Counts, Listing, Place};

/// The maximum number of source lines shown.
const MAX_LINES: usize = 12;

/// The maximum length of a shown source line, in characters.
const MAX_TEXT: usize = 48;

/// A column of figures: its title, and the figure of a line, if it has one.
struct Column {
    title: &'static str,
    figure: fn(&Counts, &Counts) -> Option<String>,
}

/// The columns. Empty ones are omitted.
const COLUMNS: [Column; 8] = [
    Column { title: "share", figure: |line, total| Some(percent(part(line.n_warps, total.n_warps))) },
    Column { title: "instructions", figure: |line, _| Some(line.n_warps.to_string()) },
    Column { title: "lanes", figure: |line, _| line.lanes().map(|lanes| format!("{lanes:.1}")) },
    Column {
        title: "sectors",
        figure: |line, _| (line.global.n_sectors > 0).then(|| line.global.n_sectors.to_string()),
    },
    Column { title: "needed", figure: |line, _| line.global.efficiency().map(percent) },
    Column {
        title: "wavefronts",
        figure: |line, _| (line.shared.n_passes > 0).then(|| line.shared.n_passes.to_string()),
    },
    Column {
        title: "conflicts",
        figure: |line, _| (line.shared.n_passes > 0).then(|| line.shared.n_conflicts().to_string()),
    },
    Column { title: "divergent", figure: |line, _| line.branches.divergence().map(percent) },
];

impl Listing<'_> {
    /// The profile as a text: the most executed lines, the instructions by kind, memory, and hints.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let total = &self.total;
        let lanes = total.lanes().unwrap_or(0.0);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "profile of {}: {} warp instructions, {lanes:.1} of 32 lanes active on average",
            self.kernel, total.n_warps
        );
        self.lines(&mut text);
        self.kinds(&mut text);
        summary(total, &mut text);
        for hint in self.hints() {
            let _ = writeln!(text, "hint: {hint}");
        }
        text
    }

    fn lines(&self, text: &mut String) {
        let places = self.hottest();
        let shown = &places[..places.len().min(MAX_LINES)];
        let figure = |column: &Column, place: &Place<'_>| (column.figure)(&place.line.counts, &self.total);
        let columns: Vec<&Column> = COLUMNS
            .iter()
            .filter(|column| shown.iter().any(|place| figure(column, place).is_some()))
            .collect();
        let mut rows = vec![columns.iter().map(|column| column.title.to_owned()).collect::<Vec<String>>()];
        for place in shown {
            rows.push(columns.iter().map(|column| figure(column, place).unwrap_or_default()).collect());
        }
        let names = std::iter::once("line".to_owned()).chain(shown.iter().map(Place::name));
        let names: Vec<String> = names.collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let texts = std::iter::once("").chain(shown.iter().map(Place::text));
        text.push('\n');
        for ((row, name), source) in aligned(&rows).iter().zip(&names).zip(texts) {
            let line = format!("{row}  {name:width$}  {}", shortened(source));
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let rest: u64 = places[shown.len()..].iter().map(|place| place.line.counts.n_warps).sum();
        if rest > 0 {
            let n_lines = places.len() - shown.len();
            let share = percent(part(rest, self.total.n_warps));
            let _ = writeln!(text, "and {n_lines} more lines with {share} of the instructions");
        }
    }

    fn kinds(&self, text: &mut String) {
        let kinds = self.profile.by_kind();
        let mut kinds: Vec<_> = kinds.iter().collect();
        kinds.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.n_warps));
        let mut rows = vec![["share", "instructions", "by threads"].map(str::to_owned).to_vec()];
        for (_, counts) in &kinds {
            let share = percent(part(counts.n_warps, self.total.n_warps));
            rows.push(vec![share, counts.n_warps.to_string(), counts.n_threads.to_string()]);
        }
        let names = std::iter::once("kind".to_owned()).chain(kinds.iter().map(|(kind, _)| kind.to_string()));
        text.push('\n');
        for (row, name) in aligned(&rows).iter().zip(names) {
            let _ = writeln!(text, "{row}  {name}");
        }
        text.push('\n');
    }
}

/// Summarizes memory accesses and branches, one line each, if there are any.
fn summary(total: &Counts, text: &mut String) {
    let Counts { global, local, shared, atomics, branches, .. } = total;
    if let Some(efficiency) = global.efficiency() {
        let _ = writeln!(
            text,
            "global memory: {}, {} bytes, {} sectors in {} cache lines, {} of the sectors needed",
            accesses(global.n_requests),
            global.n_bytes,
            global.n_sectors,
            global.n_lines,
            percent(efficiency)
        );
    }
    if shared.n_requests > 0 {
        let _ = writeln!(
            text,
            "shared memory: {}, {} wavefronts, {} of them bank conflicts",
            accesses(shared.n_requests),
            shared.n_passes,
            shared.n_conflicts()
        );
    }
    if local.n_requests > 0 {
        let (accesses, n_bytes, n_sectors) = (accesses(local.n_requests), local.n_bytes, local.n_sectors);
        let _ = writeln!(text, "local memory: {accesses}, {n_bytes} bytes, {n_sectors} sectors");
    }
    if atomics.n_requests > 0 {
        let _ = writeln!(
            text,
            "atomics: {}, {} operations, {} of them conflicting (same address as another lane)",
            accesses(atomics.n_requests),
            atomics.n_operations,
            atomics.n_conflicts
        );
    }
    if branches.n_executed > 0 {
        let (n_executed, n_divergent) = (branches.n_executed, branches.n_divergent);
        let _ = writeln!(text, "branches: {n_executed}, {n_divergent} of them divergent");
    }
}

fn accesses(number: u64) -> String {
    counted(number, "access", "accesses")
}

/// Aligns the cells of rows, flush right.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let n_columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}"));
        cells.collect::<Vec<String>>().join("  ")
    };
    rows.iter().map(line).collect()
}

/// Truncates a source line to the available width.
fn shortened(line: &str) -> String {
    let line = line.split_whitespace().collect::<Vec<&str>>().join(" ");
    let mut text: String = line.chars().take(MAX_TEXT).collect();
    if line.chars().nth(MAX_TEXT).is_some() {
        text.push('…');
    }
    text
}
