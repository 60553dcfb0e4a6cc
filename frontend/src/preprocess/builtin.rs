//! Built-in macros: `__LINE__` and so on (C17 6.10.8), the macros before the first line,
//! and the results of `__has_attribute` and similar operators.

use super::Preprocessor;
use super::macros::{Dynamic, Macro, MacroKind, Meaning};
use crate::diag::{Code, Diagnostic};
use crate::source::{Definition, Span};
use crate::token::{Symbol, Token, TokenKind};

use super::interface::{Predefined, Request};

impl Preprocessor<'_> {
    pub(super) fn define_builtins(&mut self) {
        let nowhere = self.compilation.sources.file(self.root).span().start();
        let definition = self.compilation.sources.add_definition(Definition { name: nowhere, list: nowhere });
        for (name, builtin) in Dynamic::ALL {
            let kind = MacroKind::Dynamic(builtin);
            let name = self.compilation.interner.intern(name);
            self.macros.add(Macro {
                name,
                definition,
                kind,
                is_identity: false,
                is_disabled: false,
                is_used: false,
            });
        }
    }

    /// The meaning of a word. On its first use, looks up its meaning before the first line.
    pub(super) fn meaning(&mut self, word: Symbol) -> Meaning {
        match self.macros.meaning(word) {
            Meaning::Unasked => self.ask(word),
            known @ (Meaning::Plain | Meaning::Macro(_) | Meaning::Poisoned) => known,
        }
    }

    fn ask(&mut self, word: Symbol) -> Meaning {
        let predefined = self.headers.predefined(self.compilation.interner.spelling(word));
        if matches!(predefined, Some(Predefined::Header(_))) && self.is_first {
            // A header says itself which others it needs.
            return Meaning::Plain;
        }
        // The text being read may contain the word.
        self.macros.set_meaning(word, Meaning::Plain);
        match predefined {
            None => {}
            Some(Predefined::Macro(definition)) => {
                let line = std::mem::take(&mut self.line);
                self.define_text(definition.into_owned());
                self.line = line;
            }
            Some(Predefined::Header(name)) => self.read_first(name),
        }
        self.macros.meaning(word)
    }

    /// Reads a header as if the first line of the program included it.
    fn read_first(&mut self, name: &str) {
        let request = Request { name, is_angled: true, includer: "", from: None };
        let Some(header) = self.find_header(&request) else { return };
        if self.is_guarded(header) {
            return;
        }
        let out = std::mem::take(&mut self.out);
        let line = std::mem::take(&mut self.line);
        let outer = self.expander.suspend();
        self.is_first = true;
        self.read_header(header, None);
        self.is_first = false;
        if !self.is_stopped {
            self.expander.resume(outer);
        }
        self.line = line;
        let mut made = std::mem::replace(&mut self.out, out);
        self.first.append(&mut made);
    }

    /// The value of a built-in macro.
    pub(super) fn expand_builtin(&mut self, name: Token, builtin: Dynamic) -> Token {
        let text = match builtin {
            Dynamic::Line => self.compilation.sources.location(name.span).line.to_string(),
            Dynamic::File => quoted(
                &self
                    .compilation
                    .options
                    .preprocessor
                    .file_prefixes
                    .apply(self.compilation.sources.location(name.span).file),
            ),
            Dynamic::BaseFile => quoted(
                &self
                    .compilation
                    .options
                    .preprocessor
                    .file_prefixes
                    .apply(self.compilation.sources.file(self.root).name()),
            ),
            Dynamic::Counter => {
                self.counter += 1;
                (self.counter - 1).to_string()
            }
            Dynamic::IncludeLevel => {
                let stack = self.compilation.sources.included_from(name.span);
                stack.len().to_string()
            }
            Dynamic::Date => quoted(&Moment::new(self.compilation.options.preprocessor.build_time).date()),
            Dynamic::Time => quoted(&Moment::new(self.compilation.options.preprocessor.build_time).time()),
            Dynamic::Timestamp => {
                quoted(&Moment::new(self.compilation.options.preprocessor.build_time).timestamp())
            }
            Dynamic::Pragma => return name,
            Dynamic::HasInclude
            | Dynamic::HasIncludeNext
            | Dynamic::HasAttribute
            | Dynamic::HasCppAttribute
            | Dynamic::HasBuiltin => {
                let message = format!("`{}` is only allowed in `#if` and `#elif`", self.spelling(name));
                self.error(Code::InvalidDirective, name.span, message);
                return self.gap(name.span);
            }
        };
        let symbol = self.compilation.interner.intern(&text);
        let kind = if text.starts_with('"') { TokenKind::Str(symbol) } else { TokenKind::Number(symbol) };
        Token { kind, ..name }
    }

    pub(super) fn report_poisoned(&mut self, name: Token) {
        let message = format!("attempt to use a poisoned identifier `{}`", self.spelling(name));
        let mut diagnostic = Diagnostic::new(Code::PoisonedIdentifier, name.span, message);
        if let Some(at) = name.word().and_then(|word| self.pragmas.poisoned_at(word)) {
            diagnostic = diagnostic.with_label(at, "poisoned here");
        }
        self.compilation.sink.error(diagnostic);
    }

    pub(super) fn nowhere(&self) -> Span {
        self.compilation.sources.file(self.root).span().start()
    }
}

/// The text as a string literal.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The result of `__has_cpp_attribute` and `__has_attribute`: the value of the supported attributes.
pub(super) fn has_attribute(name: &str) -> u32 {
    let bare = name.strip_prefix("gnu::").unwrap_or(name);
    let bare = bare.strip_prefix("__").and_then(|bare| bare.strip_suffix("__")).unwrap_or(bare);
    match bare {
        // As g++ answers, whatever the year of the language.
        "nodiscard" => 201_907,
        "maybe_unused" => 201_603,
        "noreturn" => 200_809,
        "deprecated" => 201_309,
        "fallthrough" => 201_603,
        "aligned" | "always_inline" | "noinline" | "packed" | "unused" => 1,
        _ => 0,
    }
}

/// A moment in the calendar, UTC.
struct Moment {
    year: u64,
    month: usize,
    day: u64,
    weekday: usize,
    second: u64,
}

impl Moment {
    /// From seconds since 1970; saturates at the end of the year 9999.
    fn new(seconds: u64) -> Self {
        let seconds = seconds.min(253_402_300_799);
        let (mut days, second) = (seconds / 86_400, seconds % 86_400);
        let weekday = (days + 4) % 7;
        let is_leap =
            |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
        let mut year = 1970;
        while days >= 365 + u64::from(is_leap(year)) {
            days -= 365 + u64::from(is_leap(year));
            year += 1;
        }
        let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let mut month = 0;
        while days >= lengths[month] {
            days -= lengths[month];
            month += 1;
        }
        Moment { year, month, day: days + 1, weekday: weekday as usize, second }
    }

    fn month(&self) -> &'static str {
        const NAMES: [&str; 12] =
            ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        NAMES[self.month]
    }

    /// `Mmm dd yyyy`, the day with a space for its first digit where it has one.
    fn date(&self) -> String {
        format!("{} {:2} {}", self.month(), self.day, self.year)
    }

    /// `hh:mm:ss`
    fn time(&self) -> String {
        let Moment { second, .. } = self;
        format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
    }

    fn timestamp(&self) -> String {
        const NAMES: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
        format!("{} {} {:2} {} {}", NAMES[self.weekday], self.month(), self.day, self.time(), self.year)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_date_and_time_as_in_c() {
        let shown = |seconds| Moment::new(seconds).timestamp();
        assert_eq!(Moment::new(0).date(), "Jan  1 1970");
        assert_eq!(Moment::new(951_826_154).date(), "Feb 29 2000");
        assert_eq!(Moment::new(951_826_154).time(), "12:09:14");
        assert_eq!(shown(1_000_000_000), "Sun Sep  9 01:46:40 2001");
        assert_eq!(shown(u64::MAX), "Fri Dec 31 23:59:59 9999");
    }
}
