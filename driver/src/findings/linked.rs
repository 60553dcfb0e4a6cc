//! nvlink's errors about symbols that do not match.
//!
//! nvlink only reports symbols and files. A symbol of a source compiled in the same run has a position there.
//! Multiple definitions and mismatched declarations are reported before linking ([`crate::abi`]).

use std::collections::BTreeSet;

use weft_frontend::diag::{Code, Diagnostic};
use weft_run::kernel::source_name;

use super::program::Program;
use super::tool_message::{Severity, ToolMessage};
use super::{Excess, phrase, quoted, undefined};
use crate::error::Message;

/// Messages without a position in a program.
#[derive(Debug, Default)]
pub struct Unplaced {
    /// Undefined symbols of other inputs.
    pub undefined: Vec<Message>,
    /// Warnings.
    pub warnings: Vec<Message>,
    /// Whether there is an error of another kind.
    pub has_other: bool,
}

/// Emits messages in the programs that they are about.
pub fn of_link(messages: &[ToolMessage], programs: &mut [Program]) -> Unplaced {
    let mut unplaced = Unplaced::default();
    let mut seen = BTreeSet::new();
    for message in messages {
        let is_undefined = message.text.starts_with("Undefined reference");
        match message.severity {
            Severity::Info => {}
            Severity::Warning => unplaced.warnings.extend(warn(message, programs)),
            // One for each input that uses the symbol.
            Severity::Error if is_undefined && !seen.insert(quoted(&message.text)) => {}
            Severity::Error if is_undefined => unplaced.undefined.extend(lacking(message, programs)),
            Severity::Error if emit_excess(message, programs) => {}
            Severity::Error | Severity::Other => unplaced.has_other |= !is_last_word(&message.text),
        }
    }
    unplaced
}

/// A kernel, or the whole program, exceeds a limit.
fn emit_excess(message: &ToolMessage, programs: &mut [Program]) -> bool {
    let Some(excess) = Excess::read(&message.text) else { return false };
    let found = programs.iter_mut().find_map(|program| Some((excess.diagnostic(program)?, program)));
    found.map(|(diagnostic, program)| program.emit(diagnostic)).is_some()
}

/// `merge_elf failed` follows the actual error.
fn is_last_word(text: &str) -> bool {
    text.ends_with(" failed") && !text.contains('\'')
}

fn warn(message: &ToolMessage, programs: &mut [Program]) -> Option<Message> {
    let symbol = quoted(&message.text).unwrap_or_default();
    let defines = |program: &&mut Program| program.symbol(symbol).is_some_and(|it| it.first_use.is_none());
    let Some(program) = programs.iter_mut().find(defines) else {
        return Some(no_code(&message.text).unwrap_or_else(|| Message::new(phrase(&message.text))));
    };
    let known = program.symbol(symbol)?;
    let text = message.text.replace(&format!("'{symbol}'"), &format!("`{}`", known.name));
    let diagnostic = Diagnostic::new(Code::Ptxas, known.span, phrase(&text));
    program.emit(diagnostic);
    None
}

/// `SM Arch ('sm_75') not found in 'a.o'`
fn no_code(text: &str) -> Option<Message> {
    let (gpu, file) = text.strip_prefix("SM Arch ('")?.split_once("') not found in '")?;
    let message = Message::new(format!("`{}` contains no code for {gpu}", file.trim_end_matches('\'')));
    Some(message.help(format!(
        "compile it for that GPU too: `-gencode arch={},code={gpu}`",
        gpu.replace("sm_", "compute_")
    )))
}

fn lacking(message: &ToolMessage, programs: &mut [Program]) -> Option<Message> {
    let mut words = message.text.split('\'').skip(1).step_by(2);
    let (symbol, file) = (words.next()?, words.next().unwrap_or_default());
    for program in programs {
        if let Some(known) = program.symbol(symbol).filter(|known| known.first_use.is_some()) {
            let diagnostic = undefined(known);
            program.emit(diagnostic);
            return None;
        }
    }
    let name = source_name(symbol);
    let shown = if name == symbol { String::new() } else { format!(", as `{symbol}`") };
    let message = Message::new(format!("undefined reference to `{name}`"));
    Some(message.note(format!("used in {file}{shown}")).help("add the object that defines it to the inputs"))
}
