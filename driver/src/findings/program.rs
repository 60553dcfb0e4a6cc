//! The program of a PTX text: maps its symbols and lines to the source.
//!
//! In: the outputs of compiling a source, or PTX of the user. Out: spans in its texts.

use std::collections::BTreeMap;
use std::ops::Range;

use weft_emulator::ptx::parse;
use weft_emulator::ptx::syntax::Linkage;
use weft_frontend::diag::{Code, Diagnostic, Levels, Sink};
use weft_frontend::source::{FileId, SourceMap, Span};
use weft_run::kernel::source_name;

use crate::abi::declared::Declared;
use crate::error::Diagnostics;
use crate::findings::inline::Inline;
use crate::pipeline::Outputs;

/// A program whose PTX is assembled.
#[derive(Debug)]
pub struct Program {
    /// Its name in messages.
    pub name: String,
    sources: SourceMap,
    sink: Sink,
    symbols: BTreeMap<String, Known>,
    /// The variable with the most constant memory.
    largest_constant: Option<Span>,
    lines: Lines,
    /// Its inline PTX.
    inline: Vec<Inline>,
}

/// The facts about a symbol.
#[derive(Clone, Debug)]
pub struct Known {
    /// The span of its name.
    pub span: Span,
    /// Its source name.
    pub name: String,
    /// The span of its first use, if it is defined elsewhere.
    pub first_use: Option<Span>,
    /// The maximum number of threads per block, if it is a kernel that specifies it.
    pub max_threads: Option<u64>,
    /// The minimum number of blocks per multiprocessor, if it is a kernel that specifies it.
    pub min_blocks: Option<u64>,
    /// Whether a warning about its launch bounds was already reported.
    pub is_reported: bool,
}

/// The origin of the PTX's lines.
#[derive(Debug)]
enum Lines {
    /// The lines are in the user's own file.
    Own(FileId),
    /// The lines were generated from the source; the PTX text.
    Made(String),
}

impl Program {
    /// A source's program, from its outputs; its warnings are already reported.
    pub fn of_source(name: &str, outputs: Outputs) -> Self {
        let Outputs { text, declared, inline, later, diagnostics: Diagnostics { sources, list }, .. } =
            outputs;
        let largest = declared.iter().filter(|it| it.constant > 0).max_by_key(|it| it.constant);
        let largest_constant = largest.map(|it| it.span);
        let is_reported =
            |span| list.iter().any(|it| it.code == Code::LaunchBounds && it.primary.span == span);
        let symbols = declared.into_iter().map(|it| {
            let Declared { symbol, name, span, first_use, max_threads, min_blocks, .. } = it;
            (symbol, Known { span, name, first_use, max_threads, min_blocks, is_reported: is_reported(span) })
        });
        let symbols = symbols.collect();
        let (name, lines) = (name.to_owned(), Lines::Made(text));
        Program { name, sources, sink: later, symbols, largest_constant, lines, inline }
    }

    /// A program of PTX; if the PTX cannot be parsed, it has lines but no symbols.
    pub fn of_ptx(name: &str, text: &[u8], levels: &Levels) -> Option<Self> {
        let sink = Sink::with_levels(levels.clone());
        let text = String::from_utf8_lossy(text).into_owned();
        let mut sources = SourceMap::new();
        let file = sources.add(name.to_owned(), text.clone()).ok()?;
        let base = sources.file(file).base();
        let mut symbols = BTreeMap::new();
        if let Ok(module) = parse(&text) {
            let functions = module.functions.iter().map(|it| (it.name, it.place, it.body.is_none()));
            let variables =
                module.variables.iter().map(|it| (it.name, it.place, it.linkage == Linkage::Extern));
            for (symbol, place, is_extern) in functions.chain(variables) {
                let end = place.0.saturating_add(symbol.len() as u32);
                let span = Span::new(base + place.0, base + end);
                let first_use = is_extern.then_some(span);
                // A definition may follow a declaration.
                if !is_extern || !symbols.contains_key(symbol) {
                    let name = source_name(symbol);
                    let known = Known {
                        span,
                        name,
                        first_use,
                        max_threads: None,
                        min_blocks: None,
                        is_reported: false,
                    };
                    symbols.insert(symbol.to_owned(), known);
                }
            }
        }
        let lines = Lines::Own(file);
        let (name, inline) = (name.to_owned(), Vec::new());
        Some(Program { name, sources, sink, symbols, largest_constant: None, lines, inline })
    }

    /// The facts about a symbol.
    pub fn symbol(&self, symbol: &str) -> Option<&Known> {
        self.symbols.get(symbol)
    }

    /// Whether a kernel specifies its minimum number of blocks per multiprocessor.
    pub fn has_min_blocks(&self) -> bool {
        self.symbols.values().any(|known| known.min_blocks.is_some_and(|blocks| blocks > 1))
    }

    /// The variable with the most constant memory.
    pub fn largest_constant(&self) -> Option<Span> {
        self.largest_constant
    }

    /// The file, line and column of a span.
    pub fn place(&self, span: Span) -> String {
        let at = self.sources.location(span);
        format!("{}:{}:{}", at.file, at.line, at.column)
    }

    /// The texts.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Whether warnings of this code are enabled anywhere.
    pub fn wants(&self, code: Code) -> bool {
        self.sink.is_on(code)
    }

    /// Adds a diagnostic, if it is enabled.
    pub fn emit(&mut self, diagnostic: Diagnostic) {
        self.sink.emit(diagnostic);
    }

    /// The diagnostics since the last call, at the levels of options and pragmas; and whether any is an
    /// error.
    pub fn take(&mut self) -> (Vec<Diagnostic>, bool) {
        let next = self.sink.successor();
        let mut sink = std::mem::replace(&mut self.sink, next);
        sink.settle(&self.sources);
        let has_failed = sink.has_failed();
        (sink.into_sorted(&self.sources), has_failed)
    }

    /// The diagnostics as a failure, with the texts: ends the program's use.
    pub fn failure(&mut self, list: Vec<Diagnostic>) -> Diagnostics {
        Diagnostics { list, sources: std::mem::take(&mut self.sources) }
    }

    /// The PTX, if it was generated from a source.
    pub fn made(&self) -> Option<&str> {
        match &self.lines {
            Lines::Own(_) => None,
            Lines::Made(text) => Some(text),
        }
    }

    /// The source position of a PTX line. For generated PTX, `with_lines` is the same program with line
    /// tables, and the position is from there.
    pub fn line(&self, number: usize, with_lines: Option<&Program>) -> Option<Span> {
        match &self.lines {
            Lines::Own(file) => {
                let file = self.sources.file(*file);
                let range = trimmed(file.text(), file.line_range(number.checked_sub(1)?)?);
                Some(Span::new(file.base() + range.start as u32, file.base() + range.end as u32))
            }
            Lines::Made(text) => {
                let with_lines = with_lines?;
                let Lines::Made(tables) = &with_lines.lines else { return None };
                let number = same_line(text, number, tables)?;
                let (name, line, column) = source_line(tables, number)?;
                with_lines.span_of(&name, line, column)
            }
        }
    }

    /// The position of a line of inline PTX in generated PTX.
    pub fn inline_line(&self, number: usize, with_lines: Option<&Program>) -> Option<Span> {
        let made = self.made()?;
        let before: Vec<&str> = made.lines().take(number.checked_sub(1)?).map(str::trim).collect();
        let begin = before.iter().rposition(|line| *line == "// begin inline asm")?;
        if before[begin..].contains(&"// end inline asm") {
            return None;
        }
        let n_lines =
            made.lines().skip(begin + 1).take_while(|line| line.trim() != "// end inline asm").count();
        let at = self.line(number, with_lines)?;
        let contains_line = |inline: &&Inline| {
            let written = self.sources.written(inline.span);
            (written.lo..written.hi.max(written.lo + 1)).contains(&at.lo)
        };
        // A macro may contain several.
        let found =
            self.inline.iter().filter(contains_line).max_by_key(|inline| inline.lines.len() == n_lines)?;
        Some(found.lines.get(number - begin - 2).copied().unwrap_or(found.span))
    }

    /// The span of the word at a line and column of a file.
    fn span_of(&self, name: &str, line: usize, column: usize) -> Option<Span> {
        let fits =
            |known: &str| known == name || name.ends_with(&format!("/{}", known.trim_start_matches("./")));
        let (_, file) = self.sources.files().find(|(_, file)| fits(file.name()))?;
        let range = file.line_range(line.checked_sub(1)?)?;
        let text = file.text();
        let start = (range.start + column.max(1) - 1).min(range.end);
        let start = text.floor_char_boundary(start);
        let rest = &text[start..range.end];
        let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').filter(|&len| len > 0);
        let len = len.unwrap_or_else(|| rest.trim_end().len().min(1));
        Some(Span::new(file.base() + start as u32, file.base() + (start + len) as u32))
    }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let line = &text[range.clone()];
    let start = range.start + (line.len() - line.trim_start().len());
    start..start + line.trim().len()
}

/// The number of the same line in the text with line tables, which has more lines.
fn same_line(plain: &str, number: usize, tables: &str) -> Option<usize> {
    let is_code = |line: &&str| !is_of_tables(line);
    let nth = plain.lines().take(number).filter(is_code).count().checked_sub(1)?;
    let wanted = plain.lines().nth(number - 1)?;
    let mut code = tables.lines().enumerate().filter(|(_, line)| is_code(line));
    code.nth(nth).filter(|(_, line)| line.trim() == wanted.trim()).map(|(idx, _)| idx + 1)
}

/// Whether a line only exists with line tables.
fn is_of_tables(line: &str) -> bool {
    let line = line.trim();
    let directives = [".loc", ".file", ".version", ".section", "$L__tmp", "$L__func", "$L__info", "//"];
    line.is_empty() || directives.iter().any(|it| line.starts_with(it)) && !line.contains("inline asm")
}

/// The file, line and column of the last `.loc` before a line (PTX ISA ".loc", ".file").
fn source_line(text: &str, number: usize) -> Option<(String, usize, usize)> {
    let before: Vec<&str> = text.lines().take(number).collect();
    let loc = before.iter().rev().find_map(|line| line.trim().strip_prefix(".loc"))?;
    let mut words = loc.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    let file = words.next()?;
    let line = words.next()?.parse().ok()?;
    let column = words.next()?.parse().ok()?;
    let name = text.lines().find_map(|line| {
        let rest = line.trim().strip_prefix(".file")?.trim_start().strip_prefix(file)?;
        Some(rest.trim_start().strip_prefix('"')?.split('"').next()?.to_owned())
    })?;
    Some((name, line, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = ".version 7.0\n.entry k()\n{\n\t// begin inline asm\n\tfrob;\n\tret;\n}\n";
    const TABLES: &str = "//\n.version 7.2\n.entry k()\n{\n$L__func_begin0:\n\t.loc 1 3 5\n\t// begin inline asm\n\tfrob;\n\
                          \t.loc 2 7 1, function_name $L__info_string0, inlined_at 1 4 2\n\tret;\n}\n\t.file 1 \"a.src\"\n\t.file 2 \"d/b.h\"\n";

    #[test]
    fn lines_are_found_in_the_text_with_tables() {
        assert_eq!(same_line(PLAIN, 5, TABLES), Some(8));
        assert_eq!(source_line(TABLES, 8), Some(("a.src".into(), 3, 5)));
        assert_eq!(same_line(PLAIN, 6, TABLES), Some(10));
        assert_eq!(source_line(TABLES, 10), Some(("d/b.h".into(), 7, 1)));
        assert_eq!(source_line(TABLES, 3), None);
        // If the two are different programs, there is no position.
        assert_eq!(same_line(PLAIN, 5, &TABLES.replace("frob", "prob")), None);
    }

    #[test]
    fn ptx_of_the_users_is_its_own_source() {
        let text = ".version 7.0\n.target sm_80\n.address_size 64\n.extern .func f;\n.visible .entry _Z1kv()\n{\n\tcall f;\n\tret;\n}\n";
        let program = Program::of_ptx("a.ptx", text.as_bytes(), &Levels::default()).expect("small");
        let kernel = program.symbol("_Z1kv").expect("a kernel");
        assert_eq!((kernel.name.as_str(), program.place(kernel.span)), ("k", "a.ptx:5:17".to_owned()));
        assert!(program.symbol("f").expect("a function").first_use.is_some());
        let line = program.line(7, None).expect("a line");
        assert_eq!((program.sources().text(line), program.place(line)), ("call f;", "a.ptx:7:2".to_owned()));
        assert!(program.line(0, None).is_none() && program.line(99, None).is_none());
        let damaged = Program::of_ptx("a.ptx", b".frob\xff", &Levels::default()).expect("small");
        assert!(damaged.symbol("k").is_none() && damaged.line(1, None).is_some());
    }
}
