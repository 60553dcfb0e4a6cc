//! The search for the checks in an output.
//!
//! The labels are found first, each behind the one before it; they cut the output into sections,
//! and the checks between two labels are searched in their section only. So one missing line is
//! reported where it is missing, and not as the absence of a line much further on.

use std::ops::Range;

use super::directives::{Check, CheckKind, Checks};
use super::pattern::Variables;
use crate::Failure;

impl Checks {
    /// Checks an output.
    ///
    /// # Errors
    /// The first check that does not hold, with the place at which its search began.
    pub fn run(&self, output: &str) -> Result<(), Failure> {
        let mut search = Search { output, variables: Variables::new() };
        let sections = self.sections(output)?;
        for (checks, range) in sections {
            search.section(checks, range)?;
        }
        Ok(())
    }

    /// The checks between two labels, a leading label included, with their part of the output.
    fn sections(&self, output: &str) -> Result<Vec<Section<'_>>, Failure> {
        let mut sections = Vec::new();
        let (mut first, mut start, mut from) = (0, 0, 0);
        for (idx, check) in self.checks.iter().enumerate() {
            if check.kind != CheckKind::Label {
                continue;
            }
            let none = Variables::new();
            let found = check
                .pattern
                .find(output, from..output.len(), &none)
                .ok_or_else(|| report(output, check, from..output.len(), "no such label", &none))?;
            sections.push((&self.checks[first..idx], start..found.range.start));
            (first, start, from) = (idx, found.range.start, found.range.end);
        }
        sections.push((&self.checks[first..], start..output.len()));
        Ok(sections)
    }
}

/// Checks, and the part of the output in which they are searched.
type Section<'c> = (&'c [Check], Range<usize>);

struct Search<'o> {
    output: &'o str,
    variables: Variables,
}

impl Search<'_> {
    fn section(&mut self, checks: &[Check], range: Range<usize>) -> Result<(), Failure> {
        let mut at = range.start;
        let mut nots: Vec<&Check> = Vec::new();
        let mut idx = 0;
        while let Some(check) = checks.get(idx) {
            let matched = match check.kind {
                CheckKind::Not => {
                    nots.push(check);
                    idx += 1;
                    continue;
                }
                CheckKind::Dag => {
                    let group = checks[idx..].iter().take_while(|c| c.kind == CheckKind::Dag).count();
                    let matched = self.dag_group(&checks[idx..idx + group], at..range.end)?;
                    idx += group;
                    matched
                }
                CheckKind::Count(n) => {
                    idx += 1;
                    self.count(check, n, at..range.end)?
                }
                CheckKind::Plain | CheckKind::Label => {
                    idx += 1;
                    self.positive(check, at..range.end)?
                }
                CheckKind::Next | CheckKind::Same | CheckKind::Empty => {
                    idx += 1;
                    self.beside(check, at..range.end)?
                }
            };
            self.absent(&mut nots, at..matched.start)?;
            at = matched.end;
        }
        self.absent(&mut nots, at..range.end)
    }

    /// The first match; its variables take effect.
    fn positive(&mut self, check: &Check, range: Range<usize>) -> Result<Range<usize>, Failure> {
        self.defined(check, &range)?;
        match check.pattern.find(self.output, range.clone(), &self.variables) {
            Some(found) => {
                self.variables.extend(found.defined);
                Ok(found.range)
            }
            None => Err(report(self.output, check, range, "not found", &self.variables)),
        }
    }

    /// The first match, and as many line breaks before it as the kind asks for.
    fn beside(&mut self, check: &Check, range: Range<usize>) -> Result<Range<usize>, Failure> {
        let matched = self.positive(check, range.clone())?;
        let n_breaks = self.output[range.start..matched.start].matches('\n').count();
        let (wanted, place) =
            if check.kind == CheckKind::Same { (0, "on the same line") } else { (1, "on the next line") };
        if n_breaks == wanted {
            return Ok(matched);
        }
        let why = format!("found, but not {place}: on line {}", line_number(self.output, matched.start));
        Err(report(self.output, check, range, &why, &self.variables))
    }

    /// Each of the group once, without overlap, anywhere in the range.
    fn dag_group(&mut self, group: &[Check], range: Range<usize>) -> Result<Range<usize>, Failure> {
        let mut taken: Vec<Range<usize>> = Vec::new();
        for check in group {
            let mut from = range.start;
            let matched = loop {
                let matched = self.positive(check, from..range.end)?;
                match taken.iter().find(|t| matched.start < t.end && t.start < matched.end) {
                    Some(other) => from = other.end,
                    None => break matched,
                }
            };
            taken.push(matched);
        }
        let start = taken.iter().map(|t| t.start).min().unwrap_or(range.start);
        let end = taken.iter().map(|t| t.end).max().unwrap_or(range.start);
        Ok(start..end)
    }

    /// `n` matches, each behind the one before.
    fn count(&mut self, check: &Check, n: usize, range: Range<usize>) -> Result<Range<usize>, Failure> {
        let mut whole: Option<Range<usize>> = None;
        for n_before in 0..n {
            let from = whole.as_ref().map_or(range.start, |w| w.end);
            let matched = self
                .positive(check, from..range.end)
                .map_err(|e| format!("{e}\n  found {n_before} times of {n}"))?;
            whole = Some(whole.map_or(matched.start, |w| w.start)..matched.end);
        }
        Ok(whole.unwrap_or(range.start..range.start))
    }

    /// None of `nots` in the range; empties the list.
    fn absent(&self, nots: &mut Vec<&Check>, range: Range<usize>) -> Result<(), Failure> {
        for check in nots.drain(..) {
            self.defined(check, &range)?;
            if let Some(found) = check.pattern.find(self.output, range.clone(), &self.variables) {
                let why = "excluded, but found at the mark";
                return Err(report(self.output, check, found.range, why, &self.variables));
            }
        }
        Ok(())
    }

    fn defined(&self, check: &Check, range: &Range<usize>) -> Result<(), Failure> {
        match check.pattern.undefined(&self.variables).as_slice() {
            [] => Ok(()),
            names => {
                let why = format!("no value for {}", names.join(", "));
                Err(report(self.output, check, range.clone(), &why, &self.variables))
            }
        }
    }
}

/// Line of the byte `at`, from 1.
fn line_number(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// How many lines of the output a failure shows before and behind the mark.
const N_LINES_BEFORE: usize = 3;
const N_LINES_BEHIND: usize = 16;

/// The whole message of a check that does not hold.
fn report(output: &str, check: &Check, range: Range<usize>, why: &str, variables: &Variables) -> Failure {
    let mark = line_number(output, range.start);
    let mut text = format!("line {} of the test: {why}\n    {}\n", check.line, check.text);
    for (name, value) in variables {
        text.push_str(&format!("  {name} = `{value}`\n"));
    }
    text.push_str(&format!("  searched from line {mark} of the output:\n"));
    for (line_idx, line) in output.lines().enumerate() {
        let number = line_idx + 1;
        if number + N_LINES_BEFORE >= mark && number <= mark + N_LINES_BEHIND {
            let arrow = if number == mark { '>' } else { ' ' };
            text.push_str(&format!("  {arrow}{number:5} | {line}\n"));
        }
    }
    if let Some((number, line)) = nearest_line(output, check, range) {
        text.push_str(&format!("  nearest line:\n   {number:5} | {line}\n"));
    }
    text
}

/// The line of the searched part that reads most like the check.
fn nearest_line<'o>(output: &'o str, check: &Check, range: Range<usize>) -> Option<(usize, &'o str)> {
    let pattern = check.text.split_once(':').map_or("", |(_, pattern)| pattern).trim();
    let first = line_number(output, range.start);
    let lines = output[range].lines().enumerate().take(2000);
    let scored = lines.map(|(idx, line)| (similarity(pattern, line.trim()), first + idx, line));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.6).then_some((best.1, best.2))
}

fn similarity(a: &str, b: &str) -> f32 {
    similar::TextDiff::from_chars(a, b).ratio()
}
