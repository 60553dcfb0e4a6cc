//! Diagnostics as data.
//!
//! A pass takes a [`Sink`], emits diagnostics and continues. A function that cannot compute its value
//! because of an emitted error returns `Err(Reported)`: a [`Reported`] exists only if
//! an error has been emitted, so a silent failure does not compile.
//!
//! - [`code`]: the one list of codes
//! - [`level`]: which warnings are enabled
//! - `region`: pragmas that enable and disable warnings; `edg`: nvcc's diagnostic numbers
//! - `macros`: which warnings are not given in macro expansions
//! - [`explain`]: the long explanation of a code
//! - [`fix`]: edits that correct a mistake
//! - [`render`]: from a [`Diagnostic`] to text for people or JSON for programs
//! - [`sarif`], [`github`]: forms for code scanners and for GitHub
//! - `excerpt`: the part of a long line that is shown
//! - `origin`: the macros and headers through which a place was reached
//! - `similar`: suggestions for misspelled names
//! - [`visible`]: makes arbitrary text safe to print

pub mod code;
mod edg;
mod excerpt;
pub mod explain;
pub mod fix;
pub mod github;
pub mod level;
mod macros;
pub(crate) mod origin;
mod region;
pub mod render;
pub mod sarif;
pub mod similar;
pub mod visible;

pub use code::{Code, Severity};
pub use fix::Fix;
pub use level::{Level, Levels};
pub(crate) use region::{Change, Unchanged};

use hashbrown::HashSet;

use crate::source::{SourceMap, Span};
use region::Regions;

/// Witness that an error has been emitted to a [`Sink`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported(());

/// A place with words to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// Lower-case phrase; may be empty on the primary label.
    pub message: String,
}

/// One message to the user.
///
/// The message is a lower-case phrase without a full stop that makes sense code. Facts go to `notes`,
/// advice to `help`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of message.
    pub code: Code,
    /// How bad it is; from the code unless an option raised it.
    pub severity: Severity,
    /// The phrase.
    pub message: String,
    /// The smallest place at which the mistake can be seen.
    pub primary: Label,
    /// Other places that explain it: "declared here".
    pub secondary: Vec<Label>,
    /// Facts.
    pub notes: Vec<String>,
    /// Advice.
    pub help: Vec<String>,
    /// Advice that can be carried out.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A diagnostic of `code` at `span` with the code's own severity.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            primary: Label { span, message: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Whether an option made an error of a warning.
    pub fn is_promoted(&self) -> bool {
        self.severity == Severity::Error && self.code.group().is_some()
    }

    /// Words at the primary place.
    #[must_use]
    pub fn with_primary(mut self, message: impl Into<String>) -> Self {
        self.primary.message = message.into();
        self
    }

    /// One more place with words.
    #[must_use]
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.secondary.push(Label { span, message: message.into() });
        self
    }

    /// The same of one that has been made.
    pub(crate) fn add_label(&mut self, span: Span, message: impl Into<String>) {
        self.secondary.push(Label { span, message: message.into() });
    }

    /// One more fact.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// One more piece of advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The fixes that change source text: a macro expansion has no text of its own.
    pub fn applicable_fixes(&self) -> impl Iterator<Item = &Fix> {
        // A mistake in a macro's own text cannot be fixed at its arguments.
        let is_written = self.primary.span.is_written();
        let are_written = |fix: &&Fix| fix.edits.iter().all(|edit| edit.span.is_written());
        self.fixes.iter().filter(move |fix| is_written && are_written(fix))
    }

    /// Shortens names and literals of unusual length.
    fn shorten(&mut self) {
        let labels = self.secondary.iter_mut().chain([&mut self.primary]).map(|label| &mut label.message);
        let texts = labels.chain(&mut self.notes).chain(&mut self.help).chain([&mut self.message]);
        texts.for_each(shorten);
    }

    /// One more piece of advice that can be carried out.
    #[must_use]
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }
}

/// How long a text of a diagnostic may be, in bytes.
const MAX_TEXT: usize = 1000;

/// Keeps the beginning and the end of a text that is too long: the phrase is around the long part.
fn shorten(text: &mut String) {
    if text.len() <= MAX_TEXT {
        return;
    }
    let start = text.floor_char_boundary(MAX_TEXT / 2);
    let end = text.ceil_char_boundary(text.len() - MAX_TEXT / 2);
    text.replace_range(start..end, "…");
}

/// How far a [`Sink`] had come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    n_diagnostics: usize,
    n_errors: usize,
    n_promoted: usize,
}

/// Collects the diagnostics of the passes, in order of emission, without disabled warnings.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    levels: Levels,
    /// Changes of the levels by pragmas.
    regions: Option<Box<Regions>>,
    n_errors: usize,
    n_promoted: usize,
    /// No warning is taken.
    is_quiet: bool,
}

impl Sink {
    /// An empty sink that takes the warnings that are on by default.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty sink that takes the warnings that are wanted.
    pub fn with_levels(levels: Levels) -> Self {
        Sink { levels, ..Self::default() }
    }

    /// An empty sink for a check whose warnings are not wanted. The witness of earlier errors is there.
    pub(crate) fn aside(&self) -> Self {
        Sink { n_errors: self.n_errors, ..Self::default() }
    }

    /// An empty sink for later diagnostics, when this one's have been shown: options and pragmas apply as
    /// before.
    pub fn successor(&self) -> Self {
        Sink { levels: self.levels.clone(), regions: self.regions.clone(), ..Self::default() }
    }

    /// Whether the warning may be enabled anywhere; if not, its check can be skipped.
    pub fn is_on(&self, code: Code) -> bool {
        match &self.regions {
            Some(regions) => regions.is_on_somewhere(code),
            None => self.levels.level(code) != Level::Ignored,
        }
    }

    /// A pragma changes the levels for the following text.
    pub(crate) fn change_levels(&mut self, at: Span, change: &Change<'_>) -> Result<(), Unchanged> {
        let regions = self.regions.get_or_insert_with(|| Box::new(Regions::new(&self.levels)));
        regions.change(at, change, &self.levels)
    }

    /// Suppresses warnings from here on, or accepts them again; returns the previous setting. For a check
    /// that will be made once more.
    pub fn set_quiet(&mut self, is_quiet: bool) -> bool {
        std::mem::replace(&mut self.is_quiet, is_quiet)
    }

    /// Takes a diagnostic of any severity.
    pub fn emit(&mut self, mut diagnostic: Diagnostic) {
        match diagnostic.severity {
            Severity::Error => self.n_errors += 1,
            Severity::Warning if self.is_quiet => return,
            // Its place decides in the end.
            Severity::Warning if self.regions.as_ref().is_some_and(|regions| !regions.is_empty()) => {
                if !self.is_on(diagnostic.code) {
                    return;
                }
            }
            Severity::Warning => match self.levels.level(diagnostic.code) {
                Level::Ignored => return,
                Level::Warning => {}
                // No pass is to behave otherwise for it: it does not count as reported.
                Level::Error => {
                    diagnostic.severity = Severity::Error;
                    self.n_promoted += 1;
                }
            },
        }
        diagnostic.shorten();
        self.diagnostics.push(diagnostic);
    }

    /// Takes an error, and gives the witness of it.
    pub fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        debug_assert_eq!(diagnostic.severity, Severity::Error);
        self.emit(diagnostic);
        Reported(())
    }

    /// Decides about the warnings by their places: the pragmas in effect there, and that system headers are not
    /// the user's to change. All has been emitted.
    pub fn settle(&mut self, sources: &SourceMap) {
        self.settle_regions(sources);
        self.diagnostics.retain(|diagnostic| {
            let (code, span) = (diagnostic.code, diagnostic.primary.span);
            let is_dropped = code.group().is_some()
                && (sources.is_system(span) || macros::is_of_no_use(code, span, sources));
            self.n_promoted -= usize::from(is_dropped && diagnostic.is_promoted());
            !is_dropped
        });
        self.report_once(sources);
    }

    /// A mistake in the text of a macro is one, however often the macro is expanded, and so is a doubt about a template, however many
    /// instances it has.
    fn report_once(&mut self, sources: &SourceMap) {
        let mut known = HashSet::new();
        let (n_errors, n_promoted) = (&mut self.n_errors, &mut self.n_promoted);
        self.diagnostics.retain(|diagnostic| {
            let span = diagnostic.primary.span;
            let is_of_macro = diagnostic.severity == Severity::Error
                && !sources.backtrace(span).is_empty()
                && !sources.is_argument(span);
            let is_warning = diagnostic.severity == Severity::Warning || diagnostic.is_promoted();
            let is_kept = !is_of_macro && !is_warning
                || known.insert((diagnostic.code, sources.spelling(span), diagnostic.message.clone()));
            match diagnostic.severity {
                _ if diagnostic.is_promoted() => *n_promoted -= usize::from(!is_kept),
                Severity::Error => *n_errors -= usize::from(!is_kept),
                Severity::Warning => {}
            }
            is_kept
        });
    }

    fn settle_regions(&mut self, sources: &SourceMap) {
        let Some(regions) = self.regions.take().filter(|regions| !regions.is_empty()) else { return };
        let (levels, n_promoted) = (&self.levels, &mut self.n_promoted);
        self.diagnostics.retain_mut(|diagnostic| {
            if diagnostic.code.group().is_none() {
                return true;
            }
            *n_promoted -= usize::from(diagnostic.is_promoted());
            let level = regions.level(diagnostic.code, diagnostic.primary.span, levels, sources);
            diagnostic.severity = match level {
                Level::Ignored | Level::Warning => Severity::Warning,
                Level::Error => Severity::Error,
            };
            *n_promoted += usize::from(level == Level::Error);
            level != Level::Ignored
        });
    }

    /// Whether there is to be no output: errors, or warnings that count as such.
    pub fn has_failed(&self) -> bool {
        self.n_errors + self.n_promoted > 0
    }

    /// The witness that an error was emitted, if one was.
    pub fn reported(&self) -> Option<Reported> {
        (self.n_errors > 0).then_some(Reported(()))
    }

    /// How many errors were emitted.
    pub fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// All diagnostics, by place in the translation unit; those at one place are in the order of
    /// emission. The passes go over the text one after the other, the reader only once.
    pub fn into_sorted(self, sources: &SourceMap) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        diagnostics.sort_by_cached_key(|diagnostic| sources.order(diagnostic.primary.span));
        diagnostics
    }

    /// All that was emitted, in order.
    pub(crate) fn into_emitted(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    /// How far it has come.
    pub(crate) fn mark(&self) -> Mark {
        Mark { n_diagnostics: self.diagnostics.len(), n_errors: self.n_errors, n_promoted: self.n_promoted }
    }

    pub(crate) fn n_errors_since(&self, mark: Mark) -> usize {
        self.n_errors - mark.n_errors
    }

    /// Drops the diagnostics emitted since: they will be replaced by others.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.diagnostics.truncate(mark.n_diagnostics);
        self.n_errors = mark.n_errors;
        self.n_promoted = mark.n_promoted;
    }

    /// Changes what was emitted since.
    pub(crate) fn change_since(&mut self, mark: Mark, change: impl FnMut(&mut Diagnostic)) {
        self.diagnostics[mark.n_diagnostics..].iter_mut().for_each(change);
    }

    /// The first error since.
    pub(crate) fn first_error_since(&self, mark: Mark) -> Option<&Diagnostic> {
        self.diagnostics[mark.n_diagnostics..]
            .iter()
            .find(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The first error since, and the witness of it, which stays valid although the diagnostics since are dropped: whoever takes it
    /// reports the error if it turns out to matter.
    pub(crate) fn take_first_error_since(&mut self, mark: Mark) -> Option<Diagnostic> {
        if self.n_errors_since(mark) == 0 {
            return None;
        }
        let new = self.diagnostics.drain(mark.n_diagnostics..);
        let first = new.into_iter().find(|diagnostic| diagnostic.severity == Severity::Error);
        self.rewind(mark);
        first
    }

    /// The witness of an error that was taken by [`Sink::take_first_error_since`].
    pub(crate) fn postponed(&self) -> Reported {
        Reported(())
    }

    /// The last error of that code and place, if it is there: something was found out that belongs to it.
    pub(crate) fn error_at(&mut self, code: Code, span: Span) -> Option<&mut Diagnostic> {
        self.diagnostics.iter_mut().rev().find(|known| known.code == code && known.primary.span == span)
    }

    /// Whether a further error will be shown: otherwise a search for suggestions is not worth its
    /// time.
    pub(crate) fn shows_more(&self) -> bool {
        self.n_errors < render::MAX_ERRORS
    }

    /// All that was emitted, in order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceText;

    #[test]
    fn does_not_warn_in_system_headers() {
        let mut sources = SourceMap::new();
        let own = sources.add("own.src".into(), "int x;").expect("small");
        let header = SourceText::from("int y;");
        let system = sources.add_file("header.h".into(), header, None, true).expect("small");
        let mut levels = Levels::default();
        levels.apply("error").expect("a known name");
        let mut sink = Sink::with_levels(levels);
        for file in [system, own] {
            let span = sources.file(file).span();
            sink.emit(Diagnostic::new(Code::ShiftCount, span, "warned"));
            sink.emit(Diagnostic::new(Code::Redefinition, span, "an error"));
        }
        sink.settle(&sources);
        let codes: Vec<Code> = sink.diagnostics().iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(codes, [Code::Redefinition, Code::ShiftCount, Code::Redefinition]);
        assert!(sink.has_failed());
    }
}
