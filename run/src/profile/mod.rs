//! Profiles, shown beside the source.
//!
//! In: the emulator's counts ([`Profile`]), the launch, and the available texts. Out: a [`Listing`], which
//! can be a table, a page, or data for other programs. `weft_emulator::profile` and docs/reference/run.md
//! explain the figures.
//!
//! - this file: source lines with their counts and their instructions
//! - `hints`: what costs time; `pitch`: padding that avoids bank conflicts
//! - `table`: for a terminal; `html` and `chart`: a page; `json`: for programs
//! - `number`: formats figures

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

/// The number of threads per warp.
const WARP_SIZE: u64 = 32;

/// A text, and its name in the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The name.
    pub name: String,
    /// Its content, if available.
    pub content: Option<String>,
}

/// A profile, with the texts that it refers to.
#[derive(Clone, Debug)]
pub struct Listing<'p> {
    /// The source name of the kernel.
    kernel: String,
    shape: Shape,
    profile: &'p Profile,
    total: Counts,
    files: Vec<File>,
    /// The variables of the source.
    variables: Vec<Variable>,
}

/// A file with executed lines.
#[derive(Clone, Debug)]
struct File {
    name: String,
    /// Its lines, if available.
    content: Vec<String>,
    lines: BTreeMap<u32, LineCounts>,
}

/// The counts of a line.
#[derive(Clone, Debug, Default)]
struct LineCounts {
    counts: Counts,
    instructions: Vec<Executed>,
}

/// An instruction of a line.
#[derive(Clone, Debug)]
struct Executed {
    /// Its index in the profile.
    number: usize,
    /// The line of the PTX.
    line: u32,
    text: String,
    kind: Kind,
    counts: Counts,
}

/// A line, in a list of all lines.
#[derive(Clone, Copy)]
struct Place<'l> {
    file: &'l File,
    number: u32,
    line: &'l LineCounts,
}

impl<'p> Listing<'p> {
    /// A profile of launches of the kernel with this symbol. `text_of` returns the text of a module or of a
    /// source file that a module names. Instructions without a source line are shown at their PTX line.
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

    /// Adds the types of variables, so that hints can name a layout without conflicts.
    #[must_use]
    pub fn with_variables(self, variables: Vec<Variable>) -> Self {
        Listing { variables, ..self }
    }

    /// What costs time, the largest loss first.
    pub fn hints(&self) -> Vec<Hint> {
        hints::of(self)
    }

    /// The lines, by number; the file with the most executed instructions first.
    fn places(&self) -> impl Iterator<Item = Place<'_>> {
        self.files
            .iter()
            .flat_map(|file| file.lines.iter().map(move |(&number, line)| Place { file, number, line }))
    }

    /// The lines with the most executed instructions, in that order.
    fn hottest(&self) -> Vec<Place<'_>> {
        let mut places: Vec<Place<'_>> = self.places().collect();
        places.sort_by_key(|place| std::cmp::Reverse(place.line.counts.n_warps));
        places
    }

    /// The file, the kernel and the launch: `saxpy.src: saxpy, grid of 4 blocks, block of 256 threads`.
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
    /// The number of its warp instructions.
    fn n_warps(&self) -> u64 {
        self.lines.values().map(|line| line.counts.n_warps).sum()
    }
}

impl Place<'_> {
    /// `saxpy.src:18`
    fn name(&self) -> String {
        format!("{}:{}", self.file.name, self.number)
    }

    /// The text of the line, trimmed.
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
