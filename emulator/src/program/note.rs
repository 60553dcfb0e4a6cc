//! What is odd in a program, and runs nevertheless.

use std::fmt;

use super::code::Code;
use super::link::Input;
use crate::ptx::place::Place;

/// Something odd in a module that runs nevertheless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The name of the module.
    pub module: String,
    /// The line and the column, from one.
    pub at: (u32, u32),
    /// A lower-case phrase.
    pub message: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.at;
        write!(f, "{}:{line}:{column}: {}", self.module, self.message)
    }
}

/// The notes about modules, in their order.
pub(super) fn notes(codes: &[Code], inputs: &[Input<'_, '_>]) -> Vec<Note> {
    let of_module = |(module, input): (usize, &Input<'_, '_>)| {
        let codes = codes.iter().filter(|code| code.module == module);
        misaligned(&codes.flat_map(|code| code.misaligned.iter().copied()).collect::<Vec<Place>>(), input)
    };
    inputs.iter().enumerate().filter_map(of_module).collect()
}

/// What there is to say of misaligned accesses to parameters: one note, for the first.
fn misaligned(places: &[Place], input: &Input<'_, '_>) -> Option<Note> {
    let (&first, others) = places.split_first()?;
    let others = match others.len() {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    let message = format!(
        "misaligned access to a parameter{others}: nvcc emits it for packed structs; the emulator \
         runs it byte by byte, and ptxas accepts it, but may drop it"
    );
    Some(Note { module: input.name.to_owned(), at: first.line_column(input.text), message })
}
