//! Profiles beside the texts that they are of.
//!
//! In: what the emulator counted ([`Profile`]), how the kernel was launched, and the texts at hand. Out: a [`Listing`],
//! which is a table, a page, or data for other programs. What the figures mean is said in `weft_emulator::profile` and
//! docs/reference/run.md.
//!
//! - this file: lines of the source with what was counted there, and the instructions behind them
//! - `hints`: what a profile shows that costs time; `pitch`: longer rows that avoid conflicts
//! - `table`: for a terminal; `html` and `chart`: a page; `json`: for programs
//! - `number`: figures as texts

mod chart;
mod hints;
mod html;
mod json;
mod number;
mod pitch;
mod table;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use hints::Hint;
pub use weft_emulator::profile::{
    AccessSpace, Atomics, Branches, Counts, InstructionProfile, Kind, Line, Profile, SharedPattern,
    SharedTraffic, Traffic,
};

use crate::device::Shape;
use crate::kernel::source_name;
use crate::ptx_text::instruction_at;
use crate::variable::Variable;

/// How many threads a warp has.
const WARP_SIZE: u64 = 32;

/// A text, by the name by which it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The name.
    pub name: String,
    /// What is in it, if that is at hand.
    pub content: Option<String>,
}

/// A profile beside the texts.
#[derive(Clone, Debug)]
pub struct Listing<'p> {
    /// What the source calls the kernel.
    kernel: String,
    shape: Shape,
    profile: &'p Profile,
    total: Counts,
    files: Vec<File>,
    /// What the source says of variables.
    variables: Vec<Variable>,
}

/// A file with the lines of which something was executed.
#[derive(Clone, Debug)]
struct File {
    name: String,
    /// Its lines, if they are at hand.
    content: Vec<String>,
    lines: BTreeMap<u32, LineCounts>,
}

/// What was counted of a line.
#[derive(Clone, Debug, Default)]
struct LineCounts {
    counts: Counts,
    instructions: Vec<Executed>,
}

/// An instruction of a line.
#[derive(Clone, Debug)]
struct Executed {
    /// Its number in the profile.
    number: usize,
    /// The line of the PTX.
    line: u32,
    text: String,
    kind: Kind,
    counts: Counts,
}

/// A line, where all are looked at.
#[derive(Clone, Copy)]
struct Place<'l> {
    file: &'l File,
    number: u32,
    line: &'l LineCounts,
}

impl<'p> Listing<'p> {
    /// A profile of launches of a kernel, which is given by its symbol. `text_of` gives the text of a module or of a file
    /// that a module names. Instructions that come from no line of a source are shown at theirs of the PTX.
    pub fn new(
        kernel: &str,
        shape: Shape,
        profile: &'p Profile,
        mut text_of: impl FnMut(&str) -> Text,
    ) -> Self {
        let mut texts = BTreeMap::<String, Text>::new();
        let mut files = BTreeMap::<String, File>::new();
        for (number, instruction) in profile.instructions.iter().enumerate() {
            let place = instruction.source.as_ref().unwrap_or(&instruction.ptx);
            for name in [&place.file, &instruction.ptx.file] {
                if !texts.contains_key(&**name) {
                    texts.insert(name.to_string(), text_of(name));
                }
            }
            let (shown, module) = (&texts[&*place.file], &texts[&*instruction.ptx.file]);
            let file = files.entry(shown.name.clone()).or_insert_with(|| File {
                name: shown.name.clone(),
                content: shown.content.iter().flat_map(|text| text.lines()).map(str::to_owned).collect(),
                lines: BTreeMap::new(),
            });
            let line = file.lines.entry(place.line).or_default();
            line.counts += instruction.counts;
            let content = module.content.as_deref().unwrap_or_default();
            line.instructions.push(Executed {
                number,
                line: instruction.ptx.line,
                text: instruction_at(content, instruction.offset as usize),
                kind: instruction.kind,
                counts: instruction.counts,
            });
        }
        let mut files: Vec<File> = files.into_values().collect();
        files.sort_by_key(|file| std::cmp::Reverse(file.n_warps()));
        let total = profile.total();
        Listing { kernel: source_name(kernel), shape, profile, total, files, variables: Vec::new() }
    }

    /// The same with the types of variables, so that hints can name a layout without conflicts.
    #[must_use]
    pub fn with_variables(self, variables: Vec<Variable>) -> Self {
        Listing { variables, ..self }
    }

    /// What costs time, worst first.
    pub fn hints(&self) -> Vec<Hint> {
        hints::of(self)
    }

    /// The lines by number, those of the file of which most was executed first.
    fn places(&self) -> impl Iterator<Item = Place<'_>> {
        self.files
            .iter()
            .flat_map(|file| file.lines.iter().map(move |(&number, line)| Place { file, number, line }))
    }

    /// The lines of which most instructions were executed, those first.
    fn hottest(&self) -> Vec<Place<'_>> {
        let mut places: Vec<Place<'_>> = self.places().collect();
        places.sort_by_key(|place| std::cmp::Reverse(place.line.counts.n_warps));
        places
    }

    /// What was launched, from which file, and how: `saxpy.src: saxpy, grid of 4 blocks, block of 256 threads`.
    fn headline(&self) -> String {
        let Shape { grid, block, .. } = self.shape;
        let file = self.files.first().map_or_else(String::new, |file| format!("{}: ", file.name));
        let counted = |axes: [u32; 3], one: &str| {
            let plural = if axes == [1; 3] { "" } else { "s" };
            format!("{} {one}{plural}", extent(axes))
        };
        format!(
            "{file}{}, grid of {}, block of {}",
            self.kernel,
            counted(grid, "block"),
            counted(block, "thread")
        )
    }
}

impl File {
    /// How many instructions warps executed of it.
    fn n_warps(&self) -> u64 {
        self.lines.values().map(|line| line.counts.n_warps).sum()
    }
}

impl Place<'_> {
    /// `saxpy.src:18`
    fn name(&self) -> String {
        format!("{}:{}", self.file.name, self.number)
    }

    /// The text of the line, without the blanks around it.
    fn text(&self) -> &str {
        self.file.content.get(self.number as usize - 1).map_or("", |line| line.trim())
    }
}

/// `4`, `4 x 2`
fn extent([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x} x {y}"),
        _ => format!("{x} x {y} x {z}"),
    }
}
