//! The text of an `asm`: operands, escapes, and where each byte is written.
//!
//! Without operands nothing in it is special, as nvcc has it; with operands, `%` stands before what is, and before
//! a letter stands for itself, unless a digit follows.

use std::ops::Range;

use thin_vec::ThinVec;

use super::operand::Slot;
use crate::ast::{AsmStmt, AsmString, LitPrefix};
use crate::diag::{Code, Diagnostic, Fix, Reported};
use crate::ir::asm::span_at;
use crate::ir::{AsmPiece, AsmPieceData, AsmPlace};
use crate::lex::literal;
use crate::sema::Statements;
use crate::source::Span;

type Text = (ThinVec<AsmPiece>, ThinVec<AsmPlace>);

/// What stands behind a `%`.
enum Escape<'t> {
    Percent,
    Unique,
    Number(&'t str),
    Name(&'t str),
    /// A word of PTX, which begins with the `%`: `%tid.x`, `%laneid`.
    Word,
    /// What is none of nvcc's, so long.
    Other(usize),
}

impl Escape<'_> {
    /// The escape in a text behind the `%`, and its length.
    fn of(rest: &str) -> (Escape<'_>, usize) {
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        match rest.as_bytes() {
            [b'%', ..] => (Escape::Percent, 1),
            [b'=', ..] => (Escape::Unique, 1),
            [b'0'..=b'9', ..] => (Escape::Number(&rest[..n_digits]), n_digits),
            [b'a'..=b'z' | b'A'..=b'Z', behind @ ..] if !behind.first().is_some_and(u8::is_ascii_digit) => {
                (Escape::Word, 0)
            }
            [b'[', ..] if let Some(close) = rest.find(']') => (Escape::Name(&rest[1..close]), close + 1),
            _ => {
                let len = rest.chars().next().map_or(0, char::len_utf8);
                (Escape::Other(len), len)
            }
        }
    }
}

impl Statements<'_> {
    /// The text taken apart. Of an operand that could not be made, nothing is said.
    pub(super) fn asm_template(
        &mut self,
        stmt: &AsmStmt,
        slots: &[Result<Slot, Reported>],
    ) -> Result<Text, Reported> {
        let (text, places) = self.asm_literal(stmt.text)?;
        let mut pieces = ThinVec::new();
        if slots.is_empty() {
            add_text(&mut pieces, &text, 0..text.len());
            return Ok((pieces, places));
        }
        let mut outcome = Ok(());
        let mut from = 0;
        while let Some(at) = text[from..].find('%').map(|at| from + at) {
            add_text(&mut pieces, &text[from..at], from..at);
            let (escape, len) = Escape::of(&text[at + 1..]);
            let template = at..at + 1 + len;
            let span = span_of(&places, template.clone());
            match self.asm_escape(stmt, &escape, slots.len(), span) {
                Ok(Some(idx)) => match &slots[idx] {
                    Ok(Slot::Register(register)) => {
                        pieces.push(piece(AsmPieceData::Operand(*register), template));
                    }
                    Ok(Slot::Text(text)) => add_text(&mut pieces, text, template),
                    Err(reported) => outcome = Err(*reported),
                },
                Ok(None) if matches!(escape, Escape::Unique) => {
                    pieces.push(piece(AsmPieceData::Unique, template));
                }
                Ok(None) => add_text(&mut pieces, "%", template),
                Err(reported) => outcome = Err(reported),
            }
            from = at + 1 + len;
        }
        add_text(&mut pieces, &text[from..], from..text.len());
        outcome.map(|()| (pieces, places))
    }

    /// The operand that an escape names, if it names one.
    fn asm_escape(
        &mut self,
        stmt: &AsmStmt,
        escape: &Escape<'_>,
        n_operands: usize,
        span: Span,
    ) -> Result<Option<usize>, Reported> {
        let (message, help) = match *escape {
            Escape::Percent | Escape::Unique | Escape::Word => return Ok(None),
            Escape::Number(digits) => match digits.parse::<usize>() {
                Ok(idx) if idx < n_operands => return Ok(Some(idx)),
                _ => {
                    let operands = if n_operands == 1 { "operand" } else { "operands" };
                    (
                        format!(
                            "invalid operand number `%{digits}` in `asm` string, which has {n_operands} {operands}"
                        ),
                        None,
                    )
                }
            },
            Escape::Name(name) => return self.asm_operand_named(stmt, name, span).map(Some),
            Escape::Other(0) => {
                ("invalid `%` at the end of `asm` string".to_owned(), Some("write `%%` for a `%`"))
            }
            Escape::Other(_) => {
                let help = "write `%%` for a `%`, as in `%%tid.x`; `%0` is the first operand";
                ("invalid `%` escape in `asm` string".to_owned(), Some(help))
            }
        };
        let mut diagnostic = Diagnostic::new(Code::InvalidAsm, span, message);
        diagnostic.help.extend(help.map(str::to_owned));
        if let Escape::Other(1..) = escape {
            diagnostic = diagnostic.with_fix(Fix::new("write `%%`", span.start(), "%"));
        }
        Err(self.sink.error(diagnostic))
    }

    /// `%[name]`, which clang has and nvcc has not.
    fn asm_operand_named(&mut self, stmt: &AsmStmt, name: &str, span: Span) -> Result<usize, Reported> {
        let operands = stmt.outputs.iter().chain(&stmt.inputs);
        let mut named = operands.enumerate().filter(|(_, operand)| {
            operand.name.is_some_and(|own| self.interner.spelling(own.symbol) == name)
        });
        let (first, second) = (named.next(), named.next());
        let Some((idx, operand)) = first else {
            let message = format!("unknown symbolic operand name `{}` in `asm` string", name.escape_debug());
            return Err(self.error(Code::InvalidAsm, span, message));
        };
        if let (Some(own), Some((_, other))) = (operand.name, second) {
            let other = other.name.map_or(other.span, |other| other.span);
            let message = format!("duplicate use of asm operand name `{name}`");
            let diagnostic =
                Diagnostic::new(Code::InvalidAsm, other, message).with_label(own.span, "first used here");
            return Err(self.sink.error(diagnostic));
        }
        let message = format!("nvcc does not support operand names in `asm`; this operand is `%{idx}`");
        let fix = Fix::new(format!("write `%{idx}`"), span, format!("%{idx}"));
        self.sink.emit(Diagnostic::new(Code::AsmOperandName, span, message).with_fix(fix));
        Ok(idx)
    }

    /// The bytes of the text's literals, and where they are written.
    fn asm_literal(&mut self, string: AsmString) -> Result<(String, ThinVec<AsmPlace>), Reported> {
        let literal = &self.unit.strings[string.literal];
        let mut places: ThinVec<AsmPlace> = ThinVec::new();
        let mut bytes = Vec::with_capacity(literal.units.len());
        let error = |cx: &mut Self, message: &str| Err(cx.error(Code::InvalidAsm, string.span, message));
        if !matches!(literal.prefix, LitPrefix::None | LitPrefix::U8) {
            return error(self, "cannot use a string literal with an encoding prefix in `asm`");
        }
        for piece in &literal.pieces {
            let spelling = self.interner.spelling(piece.spelling);
            let decoded = literal::string(spelling, literal.prefix);
            let from = bytes.len() as u32;
            // Where a line splice is in it, places in spelling and text differ.
            if spelling.len() != (piece.span.hi - piece.span.lo) as usize {
                places.push(AsmPlace { from, span: piece.span, is_exact: false });
            } else {
                let end = piece.span.hi;
                let at = |place: usize| Span::new(piece.span.lo + place as u32, end);
                places.push(AsmPlace { from, span: at(decoded.place_of(0)), is_exact: true });
                for &(unit, place) in decoded.jumps() {
                    // The sequence before it begins where the last place leads to.
                    places.push(AsmPlace { from: from + unit, span: at(place as usize), is_exact: true });
                }
            }
            bytes.extend(decoded.units.iter().map(|&unit| unit as u8));
        }
        if bytes.contains(&0) {
            return error(self, "`asm` string contains `\\0`; nvcc ignores the rest");
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok((text, places)),
            Err(_) => error(self, "`asm` string is not valid UTF-8"),
        }
    }
}

fn piece(data: AsmPieceData, template: Range<usize>) -> AsmPiece {
    AsmPiece { data, template: template.start as u32..template.end as u32 }
}

fn add_text(pieces: &mut ThinVec<AsmPiece>, text: &str, template: Range<usize>) {
    if !text.is_empty() {
        pieces.push(piece(AsmPieceData::Text(text.into()), template));
    }
}

fn span_of(places: &[AsmPlace], template: Range<usize>) -> Span {
    let first = span_at(places, template.start as u32);
    first.to(span_at(places, template.end as u32 - 1))
}
