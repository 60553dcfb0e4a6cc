//! Reports faults of threads like diagnostics: with the expression in the source.

use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::Path;

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::termcolor::{Ansi, NoColor};
use codespan_reporting::term::{self, Config};
use serde::Serialize;
use weft_emulator::exec::collected::Repeated;
use weft_emulator::exec::fault::{Fault, FaultKind, Thread};
use weft_frontend::diag::render::Format;
use weft_frontend::diag::visible::{json_line, visible, visible_name};
use weft_frontend::diag::{github, sarif};
use weft_run::kernel::source_name;

use super::expression;
use super::texts::Texts;

/// The maximum size of a file whose lines are shown, in bytes.
const MAX_SHOWN_FILE: u64 = 16 << 20;

/// A fault with its source lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultReport {
    message: String,
    /// The launched kernel.
    kernel: Option<String>,
    thread: Option<ThreadReport>,
    /// The number of occurrences and of threads, if counted.
    counts: Option<(u64, u64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct ThreadReport {
    function: String,
    block: [u32; 3],
    thread: [u32; 3],
    ptx: Line,
    source: Option<Line>,
}

/// A line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    file: String,
    line: u32,
    /// The column of the expression, from one, if known.
    column: Option<u32>,
    /// The whole text, if available.
    text: Option<String>,
}

impl FaultReport {
    /// A fault, with the texts of its lines.
    pub(crate) fn new(fault: &Fault, texts: &Texts) -> Self {
        let thread = fault.thread.as_deref().map(|thread| ThreadReport {
            function: source_name(&thread.function),
            block: thread.block,
            thread: thread.thread,
            ptx: ptx_line(thread, texts),
            source: thread.source.as_ref().map(|(file, line)| {
                let line = source_line(thread, file, *line, texts);
                match fault.kind {
                    FaultKind::Access { is_store: false, .. } => line.of_read(),
                    _ => line,
                }
            }),
        });
        let kernel = fault.kernel.as_deref().map(source_name);
        FaultReport { message: fault.kind.to_string(), kernel, thread, counts: None }
    }

    /// A fault after which the launch continued.
    pub(crate) fn repeated(repeated: &Repeated, texts: &Texts) -> Self {
        let counts = Some((repeated.n_times, repeated.n_threads));
        FaultReport { counts, ..FaultReport::new(&repeated.fault, texts) }
    }

    /// The number of faults like this one: `41 more like it, by 12 threads in all`; `None` if it is the only
    /// one.
    fn others(&self) -> Option<String> {
        let (n_times, n_threads) = self.counts?;
        let by = if n_threads == 1 { "thread" } else { "threads" };
        (n_times > 1).then(|| format!("{} more of the same, in {n_threads} {by} in total", n_times - 1))
    }

    /// The message in the requested format.
    pub(crate) fn render(&self, format: Format) -> String {
        match format {
            Format::Human { color } => self.human(color),
            Format::Short => self.short(),
            Format::Json => self.json(),
            Format::Github => {
                let place = self.place();
                let place = place.as_ref().map(|(file, line, column)| (file.as_str(), *line, *column));
                github::annotation("error", "weftc fault", place, "", &self.to_string())
            }
            Format::Sarif => {
                let mut run = sarif::Run::new();
                run.add_finding(self.finding());
                run.document(env!("CARGO_PKG_VERSION"), 1)
            }
        }
    }

    /// On one line that begins with the position: in the source if known, else in the PTX.
    fn short(&self) -> String {
        let text = self.to_string();
        let text = visible(&text);
        match self.place() {
            Some((file, line, column)) => {
                format!("{}:{line}:{}: error[fault]: {text}\n", visible_name(&file), column.unwrap_or(1))
            }
            None => format!("weftc: error: {text}\n"),
        }
    }

    /// The file, the line and the column; without a known column that of the line's first word.
    fn place(&self) -> Option<(String, u32, Option<u32>)> {
        let thread = self.thread.as_ref()?;
        let line = thread.source.as_ref().unwrap_or(&thread.ptx);
        Some((line.file.clone(), line.line, line.column.or_else(|| line.first_column())))
    }

    /// For a document of all messages.
    pub(crate) fn finding(&self) -> sarif::Finding {
        let properties: serde_json::Value =
            serde_json::from_str(&self.json()).expect("invariant: what was written is JSON");
        sarif::Finding {
            rule: ("fault", "A thread of a kernel did something invalid, and the emulator stopped it."),
            message: self.to_string(),
            place: self.place(),
            properties,
        }
    }

    fn human(&self, color: bool) -> String {
        let mut diagnostic = Diagnostic::<()>::error().with_message(visible(&self.message));
        let mut file = SimpleFile::new(String::new(), String::new());
        if let Some(thread) = &self.thread {
            let shown = thread.source.as_ref().filter(|line| line.text.is_some()).unwrap_or(&thread.ptx);
            let shown = shown.escaped();
            if let Some(range) = shown.range() {
                file = SimpleFile::new(shown.file, shown.text.unwrap_or_default());
                diagnostic = diagnostic.with_label(Label::primary((), range));
            }
            let mut notes = thread.notes(self.kernel.as_deref());
            notes.extend(self.others().map(|others| format!("note: and {others}")));
            diagnostic = diagnostic.with_notes(notes.iter().map(|note| visible(note).into_owned()).collect());
        }
        let config = Config::default();
        let text = if color {
            let mut out = Ansi::new(Vec::new());
            term::emit_to_write_style(&mut out, &config, &file, &diagnostic).map(|()| out.into_inner())
        } else {
            let mut out = NoColor::new(Vec::new());
            term::emit_to_write_style(&mut out, &config, &file, &diagnostic).map(|()| out.into_inner())
        };
        match text {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) => format!("error: {}\n", visible(&self.to_string())),
        }
    }

    fn json(&self) -> String {
        let thread = self.thread.as_ref();
        let place = |line: &Line| JsonPlace { file: line.file.clone(), line: line.line, column: line.column };
        let value = JsonFault {
            severity: "error",
            kind: "fault",
            message: &self.message,
            kernel: self.kernel.as_deref(),
            function: thread.map(|thread| thread.function.as_str()),
            block: thread.map(|thread| thread.block),
            thread: thread.map(|thread| thread.thread),
            ptx: thread.map(|thread| place(&thread.ptx)),
            source: thread.and_then(|thread| thread.source.as_ref()).map(place),
            count: self.counts.map(|(n_times, _)| n_times),
            threads: self.counts.map(|(_, n_threads)| n_threads),
        };
        json_line(&value)
    }
}

impl ThreadReport {
    /// The function, and the kernel if that is a different one.
    fn place(&self, kernel: Option<&str>) -> String {
        match kernel.filter(|&kernel| kernel != self.function) {
            Some(kernel) => format!("`{}` of kernel `{kernel}`", self.function),
            None => format!("`{}`", self.function),
        }
    }

    fn thread_name(&self) -> String {
        let ([x, y, z], [bx, by, bz]) = (self.thread, self.block);
        format!("thread ({x}, {y}, {z}) of block ({bx}, {by}, {bz})")
    }

    fn notes(&self, kernel: Option<&str>) -> Vec<String> {
        let mut notes = vec![format!("note: in {}, by {}", self.place(kernel), self.thread_name())];
        let Line { file, line, .. } = &self.ptx;
        notes.push(match self.ptx.content() {
            Some(text) => format!("note: at {file}:{line}: {text}"),
            None => format!("note: at {file}:{line}"),
        });
        if let Some(Line { file, line, text: None, .. }) = &self.source {
            notes.push(format!("note: from {file}:{line}"));
        }
        notes
    }
}

impl Line {
    /// The line with control characters escaped; the text's other lines become empty.
    fn escaped(&self) -> Line {
        let idx = self.line.saturating_sub(1) as usize;
        let line = self.text.as_deref().and_then(|text| text.lines().nth(idx));
        let text = line.map(|line| format!("{}{}\n", "\n".repeat(idx), visible(line)));
        // Columns refer to the unescaped line.
        let is_same = line.is_some_and(|line| visible(line) == line);
        let column = self.column.filter(|_| is_same);
        Line { file: visible_name(&self.file).into_owned(), line: self.line, column, text }
    }

    /// The line of a read: at an assignment, the expression that is read is the assigned one.
    fn of_read(self) -> Line {
        let assigned = || {
            let line = self.text.as_deref()?.lines().nth(self.line.checked_sub(1)? as usize)?;
            expression::assigned(line, &expression::at(line, self.column?)?)
        };
        match assigned() {
            Some(value) => Line { column: u32::try_from(value.start + 1).ok(), ..self },
            None => self,
        }
    }

    /// The column of the line's first word.
    fn first_column(&self) -> Option<u32> {
        let line = self.text.as_deref()?.lines().nth(self.line.checked_sub(1)? as usize)?;
        let n_blanks = line.chars().take_while(|c| c.is_whitespace()).count();
        u32::try_from(n_blanks + 1).ok()
    }

    /// The byte range of the expression, or of the trimmed line.
    fn range(&self) -> Option<Range<usize>> {
        let text = self.text.as_deref()?;
        let mut start = 0;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            if number == self.line {
                let indent = line.len() - line.trim_start().len();
                let part = self.column.and_then(|column| expression::at(line.trim_end(), column));
                let part = part.unwrap_or(indent..line.trim_end().len().max(indent));
                return Some(start + part.start..start + part.end);
            }
            start += line.len();
        }
        None
    }

    fn content(&self) -> Option<&str> {
        self.text.as_deref()?.get(self.range()?)
    }
}

fn ptx_line(thread: &Thread, texts: &Texts) -> Line {
    let (name, line) = &thread.place;
    let module = texts.modules.iter().find(|module| module.name == *name);
    Line { file: name.clone(), line: *line, column: None, text: module.map(|module| module.ptx.clone()) }
}

/// A source line. In PTX of other compilers, columns may be those of statements.
fn source_line(thread: &Thread, file: &str, line: u32, texts: &Texts) -> Line {
    let is_ours = texts.modules.iter().any(|module| module.name == thread.place.0 && module.source.is_some());
    let column = (is_ours && thread.column > 0).then_some(thread.column);
    let (file, text) = source_text(file, texts);
    Line { file, line, column, text }
}

/// The name and the text of a source: an input, or a file that PTX names.
pub(super) fn source_text(file: &str, texts: &Texts) -> (String, Option<String>) {
    let own = texts.modules.iter().filter_map(|module| module.source.as_ref());
    let is_same =
        |name: &str| name == file || fs::canonicalize(name).is_ok_and(|whole| whole == Path::new(file));
    let own =
        own.into_iter().find(|(name, _)| is_same(name)).map(|(name, text)| (name.clone(), text.clone()));
    match own {
        Some((name, text)) => (name, Some(text)),
        None => (file.to_owned(), small_file(Path::new(file))),
    }
}

fn small_file(path: &Path) -> Option<String> {
    let data = fs::metadata(path).ok()?;
    let is_small = data.is_file() && data.len() <= MAX_SHOWN_FILE;
    is_small.then(|| fs::read_to_string(path).ok()).flatten()
}

impl fmt::Display for FaultReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let Some(thread) = &self.thread else { return Ok(()) };
        write!(f, ", in {}, by {}", thread.place(self.kernel.as_deref()), thread.thread_name())?;
        write!(f, ", at {}:{}", thread.ptx.file, thread.ptx.line)?;
        match &thread.source {
            Some(Line { file, line, column: Some(column), .. }) => {
                write!(f, ", from {file}:{line}:{column}")?
            }
            Some(Line { file, line, column: None, .. }) => write!(f, ", from {file}:{line}")?,
            None => {}
        }
        match self.others() {
            Some(others) => write!(f, ", and {others}"),
            None => Ok(()),
        }
    }
}

/// A fault, for `--error-format=json`.
#[derive(Serialize)]
struct JsonFault<'a> {
    severity: &'static str,
    kind: &'static str,
    message: &'a str,
    kernel: Option<&'a str>,
    function: Option<&'a str>,
    block: Option<[u32; 3]>,
    thread: Option<[u32; 3]>,
    ptx: Option<JsonPlace>,
    source: Option<JsonPlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<u64>,
}

#[derive(Serialize)]
struct JsonPlace {
    file: String,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
}
