//! The table as text, and as a page.

use super::cases::{REFUSED, STRONGER};
use super::{Answer, Report};

/// The number of differing cases of a row that are shown.
const MOST_SHOWN: usize = 12;

impl Report {
    /// The number of rows that pass.
    pub fn n_passing(&self) -> usize {
        self.rows.iter().filter(|row| row.passes).count()
    }

    /// The table as text: a line per row, followed by its differences.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let verdict = if row.passes { "ok" } else { "DIFFERS" };
            text.push_str(&format!("{verdict:8}{:34}{}\n", row.id, row.rule));
            let wrong = row.cases.iter().filter(|(_, answer)| !matches!(answer, Answer::Same(_)));
            let n_wrong = wrong.clone().count();
            for (case, answer) in wrong.take(MOST_SHOWN) {
                match answer {
                    Answer::Same(_) => {}
                    Answer::Differs(how) => text.push_str(&format!("        {case}: {how}\n")),
                    Answer::NvccFails(how) => {
                        text.push_str(&format!("        {case}: nvcc's own code fails: {how}\n"))
                    }
                }
            }
            if n_wrong > MOST_SHOWN {
                text.push_str(&format!("        and {} others\n", n_wrong - MOST_SHOWN));
            }
        }
        let cells =
            self.rows.iter().filter(|row| row.id.starts_with("4-")).flat_map(|row| row.cases.values());
        let (mut n_cells, mut n_same, mut n_stronger, mut n_refused) = (0, 0, 0, 0);
        for answer in cells {
            n_cells += 1;
            match answer {
                Answer::Same(_) => n_same += 1,
                Answer::Differs(how) if how.starts_with(STRONGER) => n_stronger += 1,
                Answer::Differs(how) if how.starts_with(REFUSED) => n_refused += 1,
                Answer::Differs(_) | Answer::NvccFails(_) => {}
            }
        }
        if n_cells > 0 {
            let n_wrong = n_cells - n_same - n_stronger - n_refused;
            text.push_str(&format!(
                "{n_cells} atomic operations: {n_same} a mapping of the guide's, {n_stronger} stronger, {n_refused} \
                 refused, {n_wrong} wrong\n"
            ));
        }
        text.push_str(&format!(
            "{} of {} rows like nvcc, {} for {}\n",
            self.n_passing(),
            self.rows.len(),
            self.producer,
            self.arch
        ));
        text
    }
}

/// A page with the tables of several reports side by side.
pub fn page(reports: &[Report]) -> String {
    let mut text = String::from(PAGE);
    text.push_str("| clause | section | rule | levels |");
    reports.iter().for_each(|report| text.push_str(&format!(" {} |", report.producer)));
    text.push_str("\n|---|---|---|---|");
    reports.iter().for_each(|_| text.push_str("---|"));
    text.push('\n');
    let Some(first) = reports.first() else { return text };
    for (idx, row) in first.rows.iter().enumerate() {
        let mut levels: Vec<&str> = Vec::new();
        for answer in row.cases.values() {
            if let Answer::Same(own) = answer {
                own.iter().filter(|own| *own != "compiled").for_each(|own| {
                    if !levels.contains(&own.as_str()) {
                        levels.push(own);
                    }
                });
            }
        }
        text.push_str(&format!("| {} | {} | {} | {} |", row.id, row.section, row.rule, levels.join(", ")));
        for report in reports {
            let row = &report.rows[idx];
            let n_same = row.cases.values().filter(|answer| matches!(answer, Answer::Same(_))).count();
            text.push_str(&match row.passes {
                true => format!(" {n_same} same |"),
                false => format!(" **{} of {} differ** |", row.cases.len() - n_same, row.cases.len()),
            });
        }
        text.push('\n');
    }
    text.push('\n');
    for report in reports {
        text.push_str(&format!(
            "{}: {} of {} rows like nvcc.\n\n",
            report.producer,
            report.n_passing(),
            report.rows.len()
        ));
    }
    text
}

const PAGE: &str = "\
# Conformance

Every rule of chapters 1 to 7 of NVIDIA's *PTX Writer's Guide to Interoperability* 13.3, and how compilers follow it, compared
with nvcc 13.5, for sm_90. `ci/conformance --page FILE` writes this page. `ci/conformance --producer 'COMMAND {in} {out}'`
tests any compiler of CUDA C that makes PTX: the command compiles the file `{in}` for separate compilation, and writes
PTX to `{out}`; `{debug:OPTIONS}` is replaced by OPTIONS where debug information of unoptimized code is needed.

A row counts cases: functions, kernels, structs and programs of `tests/conformance/`, and for chapter 4 the cells of the
matrix of atomic operations: each legal operation, order, scope, type and state space, whose instructions must be a
**mapping** of the guide, like nvcc's (docs/reference/atomics.md). Each function is compared at these
levels, and a case is the same if all of them are:

- **prototypes**: the symbols in both compilers' PTX, and of each parameter and result kind, size, alignment and place
- **layouts**: sizes, alignments, offsets, and the bytes of each bit-field; both compilers' programs write them to buffers
- **registers**: where ptxas finds each parameter of both compilers' functions, by nvdisasm
- **linking**: one compiler's caller with the other's callee, both ways, as cubins by nvlink and as objects of the host by
  `nvcc -dlink`
- **results**: all four pairings of caller and callee, called by name and through a pointer, with values at random and at the
  ends of their types; what arrives must be, bit for bit, what was passed

For chapters 5 and 6 the **debug information** in cubins is compared with nvcc's
(docs/reference/debug-info.md).

The last rows are the instructions, special registers and directives of *PTX: Parallel Thread Execution, ISA Version 1.1*. A source must
reach all variants (docs/reference/ptx-isa-1.1.md): the **instruction**, or its present form, is in the PTX, ptxas accepts it,
and the **results** are those of nvcc's PTX on the emulator. At -O0, where nothing selects instructions, only inline PTX and directives have to
reach theirs.

";
