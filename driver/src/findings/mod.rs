//! Turns messages of ptxas and nvlink into diagnostics of the source.
//!
//! In: their messages, and the [`Program`] that they are about. Out: diagnostics with positions in it. The
//! tools only know symbols and lines of PTX, which mean little to the author of the source.
//!
//! - [`tool_message`]: parses their messages
//! - [`program`]: maps symbols and lines of PTX to the source
//! - [`inline`]: maps lines of inline PTX
//! - [`usage`]: the resources that kernels need
//! - [`linked`]: nvlink's errors about symbols
//! - [`table`]: the resources as a table
//! - this file: ptxas's messages about one program
//!
//! **Invariant.** No message is lost: those without a position are returned, and reported unchanged.

pub mod inline;
pub mod linked;
pub mod program;
pub mod table;
pub mod tool_message;
pub mod usage;

use weft_frontend::diag::{Code, Diagnostic};
use weft_lower::limits::{Limits, REGISTERS};
use weft_lower::target::Target;

use program::{Known, Program};
use tool_message::{Severity, ToolMessage};
use usage::Usage;

/// Messages without a position in the program, or not about the user's code.
#[derive(Debug, Default)]
pub struct Rest<'s> {
    /// The messages.
    pub messages: Vec<&'s ToolMessage>,
    /// The source position of the first compiler-generated line that ptxas rejects.
    pub made_for: Option<String>,
}

/// Emits the messages about the program, and returns the others. If one names a line, `with_lines` provides
/// the same program with line tables.
pub fn of_assembly<'s>(
    messages: &'s [ToolMessage],
    program: &mut Program,
    with_lines: &mut dyn FnMut() -> Option<Program>,
) -> Rest<'s> {
    let mut tables: Option<Option<Program>> = None;
    let mut rest = Rest::default();
    // The reason for such an error is in the warnings, which have lines.
    let has_narrow_addresses =
        messages.iter().any(|message| message.severity == Severity::Error && is_narrow(message));
    for message in messages.iter().filter(|message| message.severity != Severity::Info) {
        let found = match message.line {
            None if is_reported(message, program) => continue,
            None => of_symbol(message, program),
            Some(line) => {
                if program.made().is_some() && tables.is_none() {
                    tables = Some(with_lines());
                }
                let tables = tables.as_ref().and_then(Option::as_ref);
                let severity = if has_narrow_addresses && is_narrow(message) {
                    Severity::Error
                } else {
                    message.severity
                };
                let found = of_line((message, severity), line, program, tables);
                if found.is_none() && rest.made_for.is_none() {
                    let span = program.line(line, tables).zip(tables);
                    rest.made_for = span.map(|(span, tables)| tables.place(span));
                }
                found
            }
        };
        match found {
            Some(diagnostic) => program.emit(diagnostic),
            None => rest.messages.push(message),
        }
    }
    rest
}

/// A message about a line of PTX. Errors in generated lines are bugs in the compiler, except in inline PTX.
fn of_line(
    (message, severity): (&ToolMessage, Severity),
    line: usize,
    program: &Program,
    with_lines: Option<&Program>,
) -> Option<Diagnostic> {
    if let Some(excess) = Excess::read(&message.text) {
        return excess.diagnostic(program);
    }
    let (code, span) = match (severity, program.made()) {
        (Severity::Error, Some(_)) => (Code::RefusedPtx, program.inline_line(line, with_lines)?),
        (Severity::Error, None) => (Code::RefusedPtx, program.line(line, with_lines)?),
        (Severity::Warning, _) => {
            let inline = program.inline_line(line, with_lines);
            (Code::Ptxas, inline.or_else(|| program.line(line, with_lines))?)
        }
        (Severity::Info | Severity::Other, _) => return None,
    };
    let diagnostic = Diagnostic::new(code, span, phrase(&message.text));
    let version =
        message.text.split_once("requires PTX ISA .version ").and_then(|(_, rest)| rest.split(' ').next());
    Some(match version.filter(|_| program.made().is_some()) {
        Some(version) => diagnostic.with_help(format!("use `--ptx-version {version}`")),
        None => match specific_gpu(&message.text) {
            Some(gpu) => diagnostic.with_help(format!("compile for the GPU that supports it: `-arch={gpu}`")),
            None => diagnostic,
        },
    })
}

/// 32-bit addresses in a 64-bit program, which ptxas rejects from version 13, and always for GPUs from sm_90.
fn is_narrow(message: &ToolMessage) -> bool {
    message.text.starts_with("Program uses 32-bit address") || message.text.starts_with("32-Bit ")
}

/// The GPU with the feature that ptxas reports as missing, if the feature is specific to some GPUs: their
/// names end in a letter (PTX ISA ".target").
fn specific_gpu(text: &str) -> Option<String> {
    let (what, rest) = text.split_once(" not supported on .target '")?;
    let target = rest.split('\'').next().filter(|target| !target.ends_with(['a', 'f']))?;
    match what.rsplit_once('\'').and_then(|(before, _)| before.rsplit_once('\''))?.1.split('.').next()? {
        "wgmma" => Some("sm_90a".to_owned()),
        "tcgen05" if !matches!(target, "sm_103" | "sm_107" | "sm_110") => Some("sm_100a".to_owned()),
        "tcgen05" | "setmaxnreg" | "tensormap" => Some(format!("{target}a")),
        _ => None,
    }
}

/// A message about a function or a variable, or about the program as a whole.
fn of_symbol(message: &ToolMessage, program: &Program) -> Option<Diagnostic> {
    let text = message.text.trim_end_matches('.');
    if let Some(excess) = Excess::read(text) {
        return excess.diagnostic(program);
    }
    if let Some(rest) = text.strip_prefix("Unresolved extern ") {
        let known = program.symbol(quoted(rest)?)?;
        return Some(undefined(known).with_help("to link later, compile to a relocatable object: `-dc`"));
    }
    if message.severity != Severity::Warning {
        return None;
    }
    let symbol = entry(text)?;
    let known = program.symbol(symbol)?;
    let shown = text.replace(&format!("'{symbol}'"), symbol).replace(symbol, &format!("`{}`", known.name));
    let code = if is_about_launches(text) { Code::LaunchBounds } else { Code::Ptxas };
    Some(Diagnostic::new(code, known.span, phrase(&shown)))
}

/// Whether a message about a kernel's launch bounds was already reported, with numbers
/// (`weft_lower::limits`).
fn is_reported(message: &ToolMessage, program: &Program) -> bool {
    let known = entry(&message.text).and_then(|symbol| program.symbol(symbol));
    is_about_launches(&message.text) && known.is_some_and(|known| known.is_reported)
}

fn is_about_launches(text: &str) -> bool {
    let words = ["minnctapersm", "maxntid", "maxnreg", "adjusting per thread register count"];
    words.iter().any(|word| text.contains(word))
}

/// The kernel or function that a message names.
fn entry(text: &str) -> Option<&str> {
    quoted(text).or_else(|| {
        let (_, rest) = text.split_once("for entry ").or(text.split_once("For entry "))?;
        rest.split([' ', ',']).next()
    })
}

/// An exceeded memory limit.
struct Excess<'a> {
    /// The kernel, or `None` for the whole program.
    symbol: Option<&'a str>,
    what: &'a str,
    used: u64,
    max: u64,
}

impl<'a> Excess<'a> {
    /// Reads `Entry function 'k' uses too much shared data (0x13880 bytes, 0xc000 max)`.
    fn read(text: &'a str) -> Option<Self> {
        let (who, rest) = text.split_once(" uses too much ")?;
        let (what, rest) = rest.split_once(" (0x")?;
        let (used, rest) = rest.split_once(" bytes, 0x")?;
        let hex = |digits: &str| u64::from_str_radix(digits, 16).ok();
        let max = rest.split_once(" max")?.0;
        Some(Excess { symbol: quoted(who), what, used: hex(used)?, max: hex(max)? })
    }

    fn diagnostic(&self, program: &Program) -> Option<Diagnostic> {
        let Excess { what, used, max, .. } = self;
        let what = match *what {
            "shared data" => "shared memory",
            "global constant data" | "constant data" => "constant memory",
            "local data" => "local memory",
            "parameter space" => "memory for parameters",
            other => other,
        };
        let Some(symbol) = self.symbol else {
            let span = program.largest_constant()?;
            let message = format!("the program uses {used} bytes of {what}; the maximum is {max}");
            let diagnostic = Diagnostic::new(Code::ExcessResources, span, message);
            return Some(diagnostic.with_primary("the largest variable"));
        };
        let known = program.symbol(symbol)?;
        let message = format!("`{}` uses {used} bytes of {what}; the maximum is {max}", known.name);
        let diagnostic = Diagnostic::new(Code::ExcessResources, known.span, message);
        Some(match what {
            "shared memory" => diagnostic
                .with_help("for more, use an `extern __shared__` array, whose size is given at launch"),
            _ => diagnostic,
        })
    }
}

/// A symbol that no input defines.
fn undefined(known: &Known) -> Diagnostic {
    let Known { span, name, first_use, .. } = known;
    let message = format!("undefined reference to `{name}`");
    let used = first_use.unwrap_or(*span);
    let diagnostic = Diagnostic::new(Code::UndefinedSymbol, used, message);
    let diagnostic = if used == *span { diagnostic } else { diagnostic.with_label(*span, "declared here") };
    diagnostic.with_help("to link with the object that defines it, add that object: `-o x.cubin a.src b.o`")
}

/// Warns of spills in kernels and functions, and of kernels whose minimum number of blocks does not fit on a
/// multiprocessor.
pub fn of_usage(all: &[Usage], target: Target, program: &mut Program) {
    for usage in all {
        let Some(known) = program.symbol(&usage.symbol).cloned() else { continue };
        let found = [spills(usage, &known), crowded(usage, &known, target)];
        found.into_iter().flatten().for_each(|diagnostic| program.emit(diagnostic));
    }
}

fn spills(usage: &Usage, known: &Known) -> Option<Diagnostic> {
    let (stores, loads) = (usage.spill_stores.unwrap_or(0), usage.spill_loads.unwrap_or(0));
    if stores + loads == 0 {
        return None;
    }
    let name = &known.name;
    let message =
        format!("`{name}` spills registers: {stores} bytes of spill stores, {loads} bytes of spill loads");
    let diagnostic = Diagnostic::new(Code::Spills, known.span, message);
    Some(match usage.registers {
        Some(registers) => diagnostic.with_note(format!("each thread uses {registers} registers")).with_help(
            "to allow more, reduce `__launch_bounds__`, or raise `__maxnreg__` or `-maxrregcount`",
        ),
        None => diagnostic.with_note("a function also preserves registers that its caller needs"),
    })
}

fn crowded(usage: &Usage, known: &Known, target: Target) -> Option<Diagnostic> {
    let Known { span, name, max_threads, min_blocks, is_reported, .. } = known;
    // Registers are allocated to warps in units of eight per thread, on all current GPUs.
    if let Some((registers, threads)) =
        usage.registers.zip(*max_threads).filter(|(_, threads)| *threads <= 1024)
    {
        let needed = registers.next_multiple_of(8) * threads.next_multiple_of(32);
        if needed > REGISTERS {
            let message = format!(
                "a block of {threads} threads of `{name}` needs {needed} registers; a multiprocessor has {REGISTERS}"
            );
            let diagnostic = Diagnostic::new(Code::LaunchBounds, *span, message);
            return Some(diagnostic.with_note(format!("each thread uses {registers} registers")));
        }
    }
    let Limits { shared: Some(limit), reserved, .. } = Limits::of(target) else { return None };
    let (shared, blocks) = usage.shared.filter(|&shared| shared > 0).zip(*min_blocks)?;
    let is_crowded = !is_reported && blocks > 1 && blocks * (shared + reserved) > limit;
    is_crowded.then(|| {
        let message = format!(
            "launch bounds request {blocks} blocks with {shared} bytes of shared memory each per multiprocessor; {target} has {limit} bytes"
        );
        Diagnostic::new(Code::LaunchBounds, *span, message)
    })
}

/// The first word between quotes.
fn quoted(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('\'')?;
    rest.split_once('\'').map(|(word, _)| word)
}

/// A tool's message as a phrase: ours begin in lower case, except for abbreviations.
pub fn phrase(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let mut chars = text.chars();
    let (first, second) = (chars.next(), chars.clone().next());
    if second.is_some_and(char::is_uppercase) {
        return text.to_owned();
    }
    first.into_iter().flat_map(char::to_lowercase).chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_begin_small() {
        let phrases = ["Stack size is odd.", "SM Arch ('sm_75') is odd", "A", ""].map(phrase);
        assert_eq!(phrases, ["stack size is odd", "SM Arch ('sm_75') is odd", "a", ""]);
    }

    #[test]
    fn excess_is_read() {
        let read = |text| Excess::read(text).map(|it| (it.symbol, it.what, it.used, it.max));
        let of_kernel = "Entry function 'k' uses too much shared data (0x13880 bytes, 0xc000 max)";
        assert_eq!(read(of_kernel), Some((Some("k"), "shared data", 80000, 49152)));
        let of_all = "File uses too much global constant data (0x10010 bytes, 0x10000 max)";
        assert_eq!(read(of_all), Some((None, "global constant data", 65552, 65536)));
        assert_eq!(read("uses too much of it"), None);
    }
}
