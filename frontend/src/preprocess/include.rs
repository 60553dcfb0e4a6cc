//! Headers (C17 6.10.2): `#include`, `#include_next`, and include guards.
//!
//! The result for each name is cached, and for each header its guard, so that an `#include` of a guarded header
//! costs one table lookup: the header is neither located nor read.

use hashbrown::HashMap;

use super::file::File;
use super::interface::{Dependency, Header, NotFound, Request};
use super::macros::Meaning;
use super::{Preprocessor, Token, TokenKind};
use crate::diag::{Code, Diagnostic};
use crate::limits::{MAX_INCLUDE_DEPTH, MAX_INCLUDES};
use crate::source::{SourceTooLarge, Span};
use crate::token::{Punct, Symbol};

/// The headers that have been found.
#[derive(Debug, Default)]
pub(super) struct Includes {
    headers: Vec<Known>,
    /// Facts about each file, independent of its name.
    files: Vec<Read>,
    by_identity: HashMap<String, usize>,
    by_name: HashMap<Name, usize>,
    pub(super) dependencies: Vec<Dependency>,
    /// How deep headers include one another here.
    depth: usize,
}

/// A header by one of its names: `__FILE__` and the search for others use the path by which it was found.
#[derive(Debug)]
struct Known {
    header: Header,
    /// Which of [`Includes::files`] it is.
    file: usize,
}

#[derive(Debug, Default)]
struct Read {
    guard: Option<Symbol>,
    /// `#pragma once`
    is_once: bool,
    is_read: bool,
}

/// The key of a cached answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Name {
    name: Symbol,
    is_angled: bool,
    /// The header that includes, where that matters: one more than its number, or 0 for the program.
    includer: usize,
    from: Option<usize>,
}

impl Includes {
    pub(super) fn guard(&mut self, header: usize, name: Symbol) {
        self.file(header).guard = Some(name);
    }

    /// The header has been read, and will not be again.
    pub(super) fn note_read(&mut self, header: usize) {
        let file = self.file(header);
        (file.is_once, file.is_read) = (true, true);
    }

    pub(super) fn once(&mut self, header: usize) {
        self.file(header).is_once = true;
    }

    fn file(&mut self, header: usize) -> &mut Read {
        &mut self.files[self.headers[header].file]
    }
}

impl Preprocessor<'_> {
    /// `# include <name>`, `# include "name"`, `# include tokens`
    pub(super) fn include(&mut self, directive: Span, is_next: bool, file: &mut File<'_>) {
        let Some((name, is_angled, at)) = self.header_name(directive, file) else { return };
        if file.is_in_args {
            let message = "embedding an `#include` directive within macro arguments is not supported";
            return self.error(Code::InvalidDirective, directive, message);
        }
        let included_at = directive.to(at);
        let from = if is_next { self.next_directory(directive, file) } else { None };
        let header = match self.find(&name, is_angled, from, file) {
            Ok(header) => header,
            Err(reason) => return self.not_found(&name, at, reason),
        };
        if !self.is_guarded(header) {
            self.read_header(header, Some(included_at));
        }
    }

    /// The name of the header, with `true` for one in angle brackets, and its place.
    fn header_name(&mut self, directive: Span, file: &mut File<'_>) -> Option<(String, bool, Span)> {
        if let Some((text, span)) = file.lexer.header_name() {
            let name = text[1..text.len() - 1].to_owned();
            let is_angled = text.starts_with('<');
            self.end_of_line("include", file);
            return self.checked_name(name, is_angled, span);
        }
        self.lex_rest(file);
        let (Some(first), Some(last)) = (self.line.first(), self.line.last()) else {
            let message = "missing header name";
            let diagnostic = Diagnostic::new(Code::InvalidDirective, directive, message)
                .with_help("write `#include <name>` or `#include \"name\"`");
            self.compilation.sink.error(diagnostic);
            return None;
        };
        // C17 6.10.2p4
        let span = first.span.to(last.span);
        let mut tokens = Vec::new();
        self.begin_alone();
        while let Some(token) = self.next_in_frames() {
            tokens.extend(self.expand(token, file));
        }
        self.end_alone();
        match self.header_of_tokens(&tokens) {
            Some((name, is_angled)) => self.checked_name(name, is_angled, span),
            None => {
                let message = "expected `\"name\"` or `<name>`";
                self.error(Code::InvalidDirective, span, message);
                None
            }
        }
    }

    fn checked_name(&mut self, name: String, is_angled: bool, span: Span) -> Option<(String, bool, Span)> {
        if name.is_empty() {
            self.error(Code::InvalidDirective, span, "empty filename");
            return None;
        }
        Some((name, is_angled, span))
    }

    /// The name of a header that macros made.
    pub(super) fn header_of_tokens(&self, tokens: &[Token]) -> Option<(String, bool)> {
        match tokens {
            [token] if matches!(token.kind, TokenKind::Str(_)) => {
                let name = self.spelling(*token).strip_prefix('"')?.strip_suffix('"')?;
                Some((name.to_owned(), false))
            }
            [open, name @ .., close]
                if open.kind == TokenKind::Punct(Punct::Lt) && close.kind == TokenKind::Punct(Punct::Gt) =>
            {
                let mut text = String::new();
                for (idx, token) in name.iter().chain([close]).enumerate() {
                    if token.after_space && idx > 0 {
                        text.push(' ');
                    }
                    text.push_str(self.spelling(*token));
                }
                text.pop();
                Some((text, true))
            }
            _ => None,
        }
    }

    /// Where `#include_next` goes on.
    fn next_directory(&mut self, directive: Span, file: &File<'_>) -> Option<usize> {
        let Some(header) = file.header else {
            self.warn(Code::IncludeNextOutsideHeader, directive, "`#include_next` in primary source file");
            return None;
        };
        Some(self.includes.headers[header].header.next)
    }

    /// Whether there is a header (C++17 19.1p4).
    pub(super) fn has_header(&mut self, name: &str, is_angled: bool, is_next: bool, file: &File<'_>) -> bool {
        let from = file.header.filter(|_| is_next).map(|header| self.includes.headers[header].header.next);
        self.find(name, is_angled, from, file).is_ok()
    }

    /// The header of a name in a directive of the file.
    fn find(
        &mut self,
        name: &str,
        is_angled: bool,
        from: Option<usize>,
        file: &File<'_>,
    ) -> Result<usize, NotFound> {
        let includer = if is_angled { 0 } else { file.header.map_or(0, |header| header + 1) };
        let key = Name { name: self.compilation.interner.intern(name), is_angled, includer, from };
        if let Some(&known) = self.includes.by_name.get(&key) {
            return Ok(known);
        }
        let includer = self.compilation.sources.file(file.id).name().to_owned();
        // `-include` looks from the working directory.
        let includer = if includer.starts_with('<') && file.header.is_none() { "" } else { &includer };
        let request = Request { name, is_angled, includer, from };
        let header = self.headers.find(&request)?;
        let header = self.known(header);
        self.includes.by_name.insert(key, header);
        Ok(header)
    }

    /// A header that no directive asks for.
    pub(super) fn find_header(&mut self, request: &Request<'_>) -> Option<usize> {
        let name = self.compilation.interner.intern(request.name);
        let key = Name { name, is_angled: request.is_angled, includer: 0, from: request.from };
        if let Some(&known) = self.includes.by_name.get(&key) {
            return Some(known);
        }
        let header = self.headers.find(request).ok()?;
        let header = self.known(header);
        self.includes.by_name.insert(key, header);
        Some(header)
    }

    /// The number of a header, which may have been found before by another way.
    fn known(&mut self, mut header: Header) -> usize {
        let Includes { headers, files, by_identity, .. } = &mut self.includes;
        let file = *by_identity.entry_ref(&header.identity).or_insert(files.len());
        if file == files.len() {
            files.push(Read::default());
        } else {
            let is_same = |known: &Known| {
                known.file == file && known.header.name == header.name && known.header.next == header.next
            };
            if let Some(known) = headers.iter().position(is_same) {
                return known;
            }
            // The text is there only once.
            if let Some(known) = headers.iter().find(|known| known.file == file) {
                header.text = known.header.text.clone();
            }
        }
        headers.push(Known { header, file });
        headers.len() - 1
    }

    /// Whether there would be nothing in a header if it were read now.
    pub(super) fn is_guarded(&self, header: usize) -> bool {
        let known = &self.includes.files[self.includes.headers[header].file];
        let is_defined = |name: Symbol| matches!(self.macros.meaning(name), Meaning::Macro(_));
        known.is_once && known.is_read || known.guard.is_some_and(is_defined)
    }

    pub(super) fn read_header(&mut self, header: usize, included_at: Option<Span>) {
        let at = included_at.unwrap_or_else(|| self.nowhere());
        if self.includes.depth >= MAX_INCLUDE_DEPTH || self.n_included >= MAX_INCLUDES {
            let (message, note) = if self.includes.depth >= MAX_INCLUDE_DEPTH {
                ("`#include` nested too deeply", format!("the maximum depth is {MAX_INCLUDE_DEPTH}"))
            } else {
                ("too many headers", format!("the maximum is {MAX_INCLUDES} in one compilation"))
            };
            let diagnostic = Diagnostic::new(Code::IncludeTooDeep, at, message)
                .with_note(note)
                .with_help("add `#pragma once` to headers that include each other");
            return self.stop(diagnostic);
        }
        let was_read = std::mem::replace(&mut self.includes.file(header).is_read, true);
        let Header { name, path, text, is_system, .. } = &self.includes.headers[header].header;
        if !was_read {
            let dependency = Dependency { name: name.clone(), path: path.clone(), is_system: *is_system };
            self.includes.dependencies.push(dependency);
        }
        match self.compilation.sources.add_file(name.clone(), text.clone(), included_at, *is_system) {
            Ok(id) => {
                self.n_included += 1;
                self.includes.depth += 1;
                self.read(id, Some(header));
                self.includes.depth -= 1;
            }
            Err(error) => self.too_much_text(at, &error),
        }
    }

    pub(super) fn too_much_text(&mut self, at: Span, _: &SourceTooLarge) {
        let diagnostic = Diagnostic::new(Code::IncludeTooDeep, at, "translation unit is too large")
            .with_note("the maximum is 2 GiB, counting each header as often as it is included");
        self.stop(diagnostic);
    }

    /// The declarations of the header are missing from here on, so reading stops, unless most of them are the host's.
    fn not_found(&mut self, name: &str, at: Span, reason: NotFound) {
        let message = reason.message.unwrap_or_else(|| format!("`{name}` file not found"));
        let mut diagnostic = Diagnostic::new(Code::HeaderNotFound, at, message);
        (diagnostic.notes, diagnostic.help) = (reason.notes, reason.help);
        if self.compilation.options.preprocessor.continues_without_headers {
            self.compilation.sink.error(diagnostic);
        } else {
            self.stop(diagnostic);
        }
    }
}
