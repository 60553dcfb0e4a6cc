//! Statements with misleading layout: an empty body, an `else` that belongs to another
//! `if`, a line that is indented as if it were part of a statement.
//!
//! Looks at the syntax and at the layout of the text.

use super::Syntax;
use crate::ast::{StmtId, StmtKind};
use crate::diag::{Code, Diagnostic, Fix};
use crate::source::Span;

impl Syntax<'_> {
    pub(super) fn layout(&mut self) {
        let unit = self.unit;
        for node in unit.stmts.range(&self.nodes.stmts) {
            match node.kind {
                StmtKind::If { then, otherwise, .. } => {
                    if otherwise.is_none() {
                        self.empty_body(node.span, then, "if", None);
                    }
                    self.dangling_else(then, otherwise);
                }
                StmtKind::Switch { body, .. } => self.empty_body(node.span, body, "switch", None),
                StmtKind::Block(stmts) => self.statements(unit.stmt_list(stmts)),
                _ => {}
            }
        }
    }

    fn statements(&mut self, stmts: &[StmtId]) {
        let unit = self.unit;
        for pair in stmts.windows(2) {
            let (stmt, next) = (&unit.stmts[pair[0]], pair[1]);
            let (word, body) = match stmt.kind {
                StmtKind::While { body, .. } => ("while", body),
                StmtKind::For { body, .. } | StmtKind::RangeFor { body, .. } => ("for", body),
                StmtKind::If { then, otherwise, .. } => {
                    match otherwise {
                        Some(body) if !matches!(unit.stmts[body].kind, StmtKind::If { .. }) => {
                            self.misleading_indentation(stmt.span, "else", body, next);
                        }
                        Some(_) => {}
                        None => self.misleading_indentation(stmt.span, "if", then, next),
                    }
                    continue;
                }
                _ => continue,
            };
            self.misleading_indentation(stmt.span, word, body, next);
            self.empty_body(stmt.span, body, word, Some(next));
        }
    }

    /// A `;` on the line of the head. A loop without a body is common: it is warned of only where what
    /// follows looks like one.
    fn empty_body(&mut self, stmt: Span, body: StmtId, word: &str, next: Option<StmtId>) {
        let unit = self.unit;
        let semi = unit.stmts[body].span;
        if !matches!(unit.stmts[body].kind, StmtKind::Empty) {
            return;
        }
        if self.begins_line(semi) {
            return;
        }
        if let Some(next) = next {
            let is_block = matches!(unit.stmts[next].kind, StmtKind::Block(_));
            if !is_block && self.column(unit.stmts[next].span) <= self.column(stmt) {
                return;
            }
        }
        let what = if matches!(word, "if" | "switch") { "statement" } else { "loop" };
        let diagnostic = Diagnostic::new(Code::EmptyBody, semi, format!("{word} {what} has empty body"))
            .with_help("put the semicolon on a separate line to silence this warning");
        self.warn(diagnostic);
    }

    /// `if (a) if (b) …; else …;`
    fn dangling_else(&mut self, then: StmtId, otherwise: Option<StmtId>) {
        let unit = self.unit;
        if otherwise.is_some() {
            return;
        }
        // The inner one took the `else`.
        let mut inner = then;
        loop {
            match unit.stmts[inner].kind {
                StmtKind::If { then, otherwise: Some(otherwise), .. } => {
                    let at = self.else_between(unit.stmts[then].span, unit.stmts[otherwise].span);
                    let message = "add explicit braces to avoid dangling else";
                    let title = "add braces around the inner `if` to keep this meaning";
                    let span = unit.stmts[inner].span;
                    let fix = Fix::new(title, span.start(), "{ ").and(span.end(), " }");
                    let diagnostic = Diagnostic::new(Code::DanglingElse, at, message)
                        .with_label(Span::new(span.lo, span.lo + 2), "the `else` belongs to this `if`")
                        .with_fix(fix);
                    return self.warn(diagnostic);
                }
                StmtKind::While { body, .. }
                | StmtKind::For { body, .. }
                | StmtKind::RangeFor { body, .. } => inner = body,
                _ => return,
            }
        }
    }

    /// The place of the `else` between two statements.
    fn else_between(&self, then: Span, otherwise: Span) -> Span {
        let between = Span::new(then.hi, otherwise.lo.max(then.hi));
        match self.sources.text(between).find("else") {
            Some(at) => Span::new(then.hi + at as u32, then.hi + at as u32 + 4),
            None => otherwise,
        }
    }

    fn misleading_indentation(&mut self, stmt: Span, word: &str, body: StmtId, next: StmtId) {
        if !self.sink.is_on(Code::MisleadingIndentation) {
            return;
        }
        let unit = self.unit;
        let (body, next) = (&unit.stmts[body], &unit.stmts[next]);
        if matches!(body.kind, StmtKind::Block(_) | StmtKind::Empty)
            || matches!(
                next.kind,
                StmtKind::Empty | StmtKind::Label { .. } | StmtKind::Case { .. } | StmtKind::Default { .. }
            )
        {
            return;
        }
        let (stmt_line, body_line, next_line) = (self.line(stmt), self.line(body.span), self.line(next.span));
        // The head begins its line; the body and the next statement are each on a line of their own.
        let is_laid_out = self.begins_line(body.span) && self.begins_line(next.span);
        if !is_laid_out || body_line == stmt_line || next_line <= body_line {
            return;
        }
        let (at, body_at, next_at) = (self.indentation(stmt), self.column(body.span), self.column(next.span));
        if body_at != next_at || at.is_none_or(|at| next_at <= at) {
            return;
        }
        let message = format!("misleading indentation; statement is not part of the previous `{word}`");
        let diagnostic = Diagnostic::new(Code::MisleadingIndentation, next.span.start(), message)
            .with_label(Span::new(stmt.lo, stmt.lo + 1), format!("the `{word}` ends before this statement"))
            .with_help("add braces to include the statement");
        self.warn(diagnostic);
    }

    fn line(&self, span: Span) -> u32 {
        self.sources.line_column(span).line
    }

    /// The column, a tab counting up to the next multiple of eight.
    fn column(&self, span: Span) -> usize {
        width(self.before(span))
    }

    /// The place of the first word of the line.
    fn indentation(&self, span: Span) -> Option<usize> {
        let before = self.before(span);
        let blank = before.len() - before.trim_start().len();
        before.get(..blank).map(width)
    }

    fn begins_line(&self, span: Span) -> bool {
        self.before(span).trim().is_empty()
    }

    /// The text on the line before the place.
    fn before(&self, span: Span) -> &str {
        let file = self.sources.file(self.sources.file_of(span));
        let at = self.sources.range(span).start;
        let start = file.line_range(file.line_idx(at as u32)).map_or(at, |line| line.start);
        &file.text()[start..at]
    }
}

fn width(text: &str) -> usize {
    text.chars().fold(0, |column, c| if c == '\t' { (column / 8 + 1) * 8 } else { column + 1 })
}
