//! Suspicious comments (`-Wcomment`).

use memchr::{memchr, memmem};

use super::Lints;
use crate::diag::{Code, Diagnostic};
use crate::lex::Lexer;
use crate::source::{SourceFile, Span};
use crate::token::{Interner, TokenKind};

impl Lints<'_> {
    /// Looks at the comments of all texts that are the user's.
    pub(super) fn comments(&mut self) {
        if !self.sink.is_on(Code::Comment) {
            return;
        }
        for (_, file) in self.sources.files().filter(|(_, file)| !file.is_system()) {
            let mut found = Vec::new();
            check_comments(file.text(), &mut |odd, at| found.push((odd, at)));
            for (odd, at) in found {
                self.sink.emit(odd.diagnostic(file, at));
            }
        }
    }
}

/// The kind of suspicious comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Odd {
    /// `/*` within a comment that began so: the first `*/` ends it.
    Nested,
    /// A comment of one line that ends in a backslash.
    Continued,
}

impl Odd {
    fn diagnostic(self, file: &SourceFile, at: usize) -> Diagnostic {
        let start = file.base() + at as u32;
        match self {
            Odd::Nested => {
                let message = "`/*` within block comment";
                Diagnostic::new(Code::Comment, Span::new(start, start + 2), message)
                    .with_help("block comments do not nest: the first `*/` ends the comment")
            }
            Odd::Continued => {
                let message = "multi-line `//` comment: the backslash continues it on the next line";
                Diagnostic::new(Code::Comment, Span::new(start, start + 1), message)
            }
        }
    }
}

/// Reports the places of suspicious comments, which are between the tokens.
fn check_comments(text: &str, tell: &mut impl FnMut(Odd, usize)) {
    let (mut lexer, mut interner) = (Lexer::new(text, 0), Interner::new());
    let mut end = 0;
    loop {
        let token = lexer.token(&mut interner);
        let start = token.span.lo as usize;
        look_between(&text.as_bytes()[..start], end, tell);
        if token.kind == TokenKind::Eof {
            return;
        }
        end = token.span.hi as usize;
    }
}

fn look_between(text: &[u8], mut pos: usize, tell: &mut impl FnMut(Odd, usize)) {
    while let Some(len) = memchr(b'/', &text[pos..]) {
        pos += len;
        pos = match text.get(pos + 1) {
            Some(b'*') => block_comment(text, pos + 2, tell),
            Some(b'/') => line_comment(text, pos + 2, tell),
            _ => pos + 1,
        };
    }
}

fn block_comment(text: &[u8], start: usize, tell: &mut impl FnMut(Odd, usize)) -> usize {
    let end = memmem::find(&text[start..], b"*/").map_or(text.len(), |len| start + len);
    let mut pos = start;
    // In `/*/` the two share an asterisk, and the comment ends.
    while let Some(len) = memmem::find(&text[pos..end], b"/*") {
        tell(Odd::Nested, pos + len);
        pos += len + 2;
    }
    (end + 2).min(text.len())
}

fn line_comment(text: &[u8], start: usize, tell: &mut impl FnMut(Odd, usize)) -> usize {
    let mut pos = start;
    let mut is_told = false;
    while let Some(len) = memchr(b'\n', &text[pos..]) {
        let line = text[pos..pos + len].strip_suffix(b"\r").unwrap_or(&text[pos..pos + len]);
        if line.last() != Some(&b'\\') {
            return pos + len;
        }
        if !is_told {
            tell(Odd::Continued, pos + line.len() - 1);
            is_told = true;
        }
        pos += len + 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odd(text: &str) -> Vec<(Odd, &str)> {
        let mut found = Vec::new();
        check_comments(text, &mut |odd, at| found.push((odd, &text[at..])));
        found
    }

    #[test]
    fn distinguishes_comments_from_lookalikes() {
        for text in [
            "/* one */ /* two */",
            "/*/ * */ x",
            "/**/ /***/",
            "\"/* /* \\\" /*\" '\"' // a \\ b\n",
            "R\"x(/* /* )\" // )x\" 1'000'000 /* */ 0xf'f",
            "don't\n/* it's */",
            "// one\n// two",
            "u8R\"(/* /*)\" foR \"/* /*\"",
            "/* open",
            "// open",
            "'",
            "R\"",
        ] {
            assert_eq!(odd(text), [], "{text}");
        }
        assert_eq!(odd("/* /* */ x"), [(Odd::Nested, "/* */ x")]);
        assert_eq!(
            odd("// a \\\r\nb \\\nc\n/* /* */"),
            [(Odd::Continued, "\\\r\nb \\\nc\n/* /* */"), (Odd::Nested, "/* */")]
        );
        assert_eq!(odd("\"\\"), []);
    }
}
