//! A profile as JSON.

use serde::Serialize;

use super::{Counts, Executed, Listing, Place};

/// Incremented when a key changes its meaning or is removed.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document {
    version: u32,
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    total: Figures,
    kinds: Vec<Kind>,
    lines: Vec<Line>,
    hints: Vec<Hint>,
}

#[derive(Serialize)]
struct Kind {
    kind: String,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Serialize)]
struct Line {
    file: String,
    line: u32,
    text: String,
    #[serde(flatten)]
    figures: Figures,
    instructions: Vec<Instruction>,
}

#[derive(Serialize)]
struct Instruction {
    /// The line of the PTX.
    line: u32,
    text: String,
    kind: String,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Serialize)]
struct Hint {
    place: Option<String>,
    message: String,
}

/// The counts. Zero counts are omitted.
#[derive(Serialize)]
struct Figures {
    warp_instructions: u64,
    thread_instructions: u64,
    active_lanes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    branches: Option<Branches>,
    #[serde(skip_serializing_if = "Option::is_none")]
    global: Option<Traffic>,
    #[serde(skip_serializing_if = "Option::is_none")]
    local: Option<Traffic>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shared: Option<Shared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    atomics: Option<Atomics>,
}

#[derive(Serialize)]
struct Branches {
    executed: u64,
    divergent: u64,
}

#[derive(Serialize)]
struct Traffic {
    requests: u64,
    bytes: u64,
    sectors: u64,
    ideal_sectors: u64,
    lines: u64,
}

#[derive(Serialize)]
struct Shared {
    requests: u64,
    passes: u64,
    conflicts: u64,
}

#[derive(Serialize)]
struct Atomics {
    requests: u64,
    operations: u64,
    conflicts: u64,
}

impl Listing<'_> {
    /// The profile as JSON: an object with the keys in docs/reference/run.md.
    pub fn json(&self) -> String {
        let kinds = self.profile.by_kind();
        let kinds =
            kinds.iter().map(|(kind, counts)| Kind { kind: kind.to_string(), figures: Figures::of(counts) });
        let hints = self.hints().into_iter();
        let document = Document {
            version: VERSION,
            kernel: self.kernel.clone(),
            grid: self.shape.grid,
            block: self.shape.block,
            total: Figures::of(&self.total),
            kinds: kinds.collect(),
            lines: self.places().map(|place| Line::of(&place)).collect(),
            hints: hints.map(|hint| Hint { place: hint.place, message: hint.message }).collect(),
        };
        let mut text =
            serde_json::to_string_pretty(&document).expect("invariant: strings and numbers serialize");
        text.push('\n');
        text
    }
}

impl Line {
    fn of(place: &Place<'_>) -> Line {
        let instruction = |executed: &Executed| Instruction {
            line: executed.line,
            text: executed.text.clone(),
            kind: executed.kind.to_string(),
            figures: Figures::of(&executed.counts),
        };
        Line {
            file: place.file.name.clone(),
            line: place.number,
            text: place.text().to_owned(),
            figures: Figures::of(&place.line.counts),
            instructions: place.line.instructions.iter().map(instruction).collect(),
        }
    }
}

impl Figures {
    fn of(counts: &Counts) -> Figures {
        let traffic = |traffic: &super::Traffic| {
            (traffic.n_requests > 0).then_some(Traffic {
                requests: traffic.n_requests,
                bytes: traffic.n_bytes,
                sectors: traffic.n_sectors,
                ideal_sectors: traffic.n_ideal_sectors,
                lines: traffic.n_lines,
            })
        };
        let Counts { branches, shared, atomics, .. } = counts;
        Figures {
            warp_instructions: counts.n_warps,
            thread_instructions: counts.n_threads,
            active_lanes: counts.n_active,
            branches: (branches.n_executed > 0)
                .then_some(Branches { executed: branches.n_executed, divergent: branches.n_divergent }),
            global: traffic(&counts.global),
            local: traffic(&counts.local),
            shared: (shared.n_requests > 0).then(|| Shared {
                requests: shared.n_requests,
                passes: shared.n_passes,
                conflicts: shared.n_conflicts(),
            }),
            atomics: (atomics.n_requests > 0).then_some(Atomics {
                requests: atomics.n_requests,
                operations: atomics.n_operations,
                conflicts: atomics.n_conflicts,
            }),
        }
    }
}
