//! Whether the arguments of `printf` are what its format asks for (C17 7.21.6.1; CUDA C++ Programming Guide "Format
//! Specifiers").
//!
//! What is said is what clang says of the same call, and what device code does not print beside.
//!
//! - [`directive`][]: formats taken apart
//! - [`known`][]: what is known to be a format

mod directive;
mod known;

use crate::ast::{ExprId, ExprKind, StrLit};
use crate::diag::{Code, Diagnostic, Fix};
use crate::ir::{Expr, FloatTy, IntTy, Ty, TyKind};
use crate::sema::Warnings;
use crate::source::Span;
pub(in crate::sema) use known::Formats;

use directive::{Amount, Directive, Length, directives};

/// An argument before its promotion.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct Printed {
    pub(in crate::sema) ty: Ty,
    pub(in crate::sema) span: Span,
}

/// A format that is known.
struct Format<'l> {
    text: &'l [u8],
    /// As it stands in the call, if that is so.
    literal: Option<&'l StrLit>,
    /// The literal in the call, or what stands for the format there.
    span: Span,
    /// Where it stands otherwise.
    defined: Option<Span>,
}

impl Format<'_> {
    /// The diagnostic with what the format says at a place in the call, or with where it is defined, if that is another.
    fn labelled(&self, diagnostic: Diagnostic, at: Span, label: &str) -> Diagnostic {
        match self.defined {
            Some(_) => self.shown(diagnostic),
            None => diagnostic.with_label(at, label),
        }
    }

    /// The diagnostic with the place of the format, where that is another.
    fn shown(&self, diagnostic: Diagnostic) -> Diagnostic {
        match self.defined {
            Some(defined) => diagnostic.with_label(defined, "format string is defined here"),
            None => diagnostic,
        }
    }
}

/// What stands for the format in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// `__func__`, which has no directives.
    FunctionName,
    Otherwise,
}

/// Whether the rest of a format means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Goes,
    Stops,
}

/// Arguments, and how many of them directives have taken.
struct Arguments<'p> {
    all: &'p [Printed],
    n_taken: usize,
}

impl Arguments<'_> {
    fn take(&mut self) -> Option<Printed> {
        let next = self.all.get(self.n_taken).copied();
        self.n_taken += usize::from(next.is_some());
        next
    }
}

impl<'a> Warnings<'a> {
    /// Looks at a call of `printf` that is right.
    pub(in crate::sema) fn warn_format(&mut self, format: ExprId, value: Expr, args: &[Printed]) {
        let span = self.unit.exprs[format].span;
        let mut written = Vec::new();
        if self.find_literals(format, &mut written) == Written::FunctionName {
            return;
        }
        let mut found = Formats::default();
        if !self.conversions_ref().is_null_constant(value) {
            self.find_formats(value, 0, &mut found);
        }
        for text in &found.texts {
            let literal = written.iter().find(|&&(at, _)| at == text.span && text.is_whole());
            let format = Format {
                text: text.bytes(),
                literal: literal.map(|&(_, literal)| literal),
                span: literal.map_or(span, |&(at, _)| at),
                defined: text.is_by_variable.then_some(text.span),
            };
            let mut arguments = Arguments { all: args, n_taken: 0 };
            let outcome = self.warn_directives(&format, &mut arguments);
            // Of two formats, one may leave out what the other asks for.
            if outcome == Outcome::Goes
                && found.texts.len() == 1
                && let Some(unused) = arguments.take()
            {
                let message = "data argument not used by format string";
                let diagnostic = Diagnostic::new(Code::FormatExtraArgs, unused.span, message);
                self.warn(format.labelled(diagnostic, format.span, "format string is here"));
            }
        }
        if found.is_open {
            self.warn_no_literal(format, args);
        }
    }

    /// Puts the literals in an expression into the list, where it is made of nothing but them and choices.
    fn find_literals(&self, format: ExprId, found: &mut Vec<(Span, &'a StrLit)>) -> Written {
        let node = &self.unit.exprs[format];
        match node.kind {
            ExprKind::Paren(inner) => return self.find_literals(inner, found),
            ExprKind::Str(literal) => found.push((node.span, &self.unit.strings[literal])),
            ExprKind::Conditional { then: Some(then), otherwise, .. } => {
                self.find_literals(then, found);
                self.find_literals(otherwise, found);
            }
            ExprKind::Cast { operand, .. } => return self.find_literals(operand, found),
            ExprKind::Ident(symbol)
                if ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"].contains(&self.spelling(symbol)) =>
            {
                return Written::FunctionName;
            }
            _ => {}
        }
        Written::Otherwise
    }

    /// Where the format is no literal.
    fn warn_no_literal(&mut self, format: ExprId, args: &[Printed]) {
        let node = &self.unit.exprs[format];
        if !args.is_empty() {
            let message = "format string is not a string literal";
            return self.warn(Diagnostic::new(Code::FormatNonliteral, node.span, message));
        }
        let message = "format string is not a string literal (potentially insecure)";
        let mut diagnostic = Diagnostic::new(Code::FormatSecurity, node.span, message);
        if !matches!(node.kind, ExprKind::Conditional { .. }) {
            let title = "treat the string as an argument to avoid this";
            diagnostic = diagnostic.with_fix(Fix::new(title, node.span.start(), "\"%s\", "));
        }
        self.warn(diagnostic);
    }

    fn warn_directives(&mut self, format: &Format<'_>, args: &mut Arguments<'_>) -> Outcome {
        let (directives, end) = directives(format.text);
        // Numbers may leave arguments out and ask for them again.
        if let Some(numbered) = directives.iter().find(|directive| directive.is_numbered) {
            let at = self.part(format, numbered.range.start, numbered.range.end);
            let message = "device code does not support positional arguments";
            self.warn(format.shown(Diagnostic::new(Code::DevicePrintf, at, message)));
            return Outcome::Stops;
        }
        for directive in &directives {
            if self.warn_directive(format, directive, args) == Outcome::Stops {
                return Outcome::Stops;
            }
        }
        match end {
            None => Outcome::Goes,
            Some(end) => {
                let at = self.part(format, end, end + 1);
                let message = "format string contains `\\0` within the string body";
                self.warn(format.shown(Diagnostic::new(Code::Format, at, message)));
                Outcome::Stops
            }
        }
    }

    fn warn_directive(
        &mut self,
        format: &Format<'_>,
        directive: &Directive,
        args: &mut Arguments<'_>,
    ) -> Outcome {
        let at = self.part(format, directive.range.start, directive.range.end);
        let Some(conversion) = directive.conversion else {
            self.warn(format.shown(Diagnostic::new(Code::Format, at, "incomplete format specifier")));
            return Outcome::Stops;
        };
        if !b"%diouxXcspnfFeEgGaAmCSbB".contains(&conversion) {
            let letters = std::str::from_utf8(&format.text[directive.letters.clone()]);
            let letter = match letters.ok().and_then(|letters| letters.chars().next_back()) {
                Some(letter) => letter.escape_debug().to_string(),
                None => format!("\\x{conversion:02x}"),
            };
            let message = format!("invalid conversion specifier `{letter}`");
            self.warn(format.shown(Diagnostic::new(Code::FormatInvalidSpecifier, at, message)));
            // It may have been meant for an argument.
            return if args.take().is_some() { Outcome::Goes } else { Outcome::Stops };
        }
        for (amount, what) in [(directive.width, "field width"), (directive.precision, "field precision")] {
            if amount == Amount::Argument && self.warn_amount(format, at, what, args) == Outcome::Stops {
                return Outcome::Stops;
            }
        }
        if conversion == b'%' {
            return Outcome::Goes;
        }
        self.warn_device(format, at, directive, conversion);
        if conversion == b'm' {
            return Outcome::Goes;
        }
        let arg = args.take();
        let is_gnu = b"CSbB".contains(&conversion);
        if !is_gnu {
            self.warn_modifiers(format, directive, conversion);
        }
        let Some(arg) = arg else {
            let message = "more `%` conversions than data arguments";
            self.warn(format.shown(Diagnostic::new(Code::FormatInsufficientArgs, at, message)));
            return Outcome::Stops;
        };
        if !is_gnu {
            self.warn_argument(format, directive, conversion, arg);
        }
        Outcome::Goes
    }

    /// A width or precision that is an argument.
    fn warn_amount(
        &mut self,
        format: &Format<'_>,
        at: Span,
        what: &str,
        args: &mut Arguments<'_>,
    ) -> Outcome {
        let Some(arg) = args.take() else {
            let message = format!("`*` specified {what} is missing a matching `int` argument");
            self.warn(format.shown(Diagnostic::new(Code::FormatInsufficientArgs, at, message)));
            return Outcome::Stops;
        };
        let int = self.module.types.int_ty(arg.ty);
        if !int.is_some_and(|int| Length::None.takes(int, self.module.types.model())) {
            let ty = self.show(arg.ty);
            let message = format!("{what} should have type `int`, but argument has type {ty}");
            let diagnostic = Diagnostic::new(Code::Format, arg.span, message);
            self.warn(format.labelled(diagnostic, at, "in this conversion specification"));
        }
        Outcome::Goes
    }

    /// What C prints and device code does not.
    fn warn_device(&mut self, format: &Format<'_>, at: Span, directive: &Directive, conversion: u8) {
        let what = match (conversion, directive.length) {
            (b'n' | b'm' | b'C' | b'S' | b'b' | b'B', _) => format!("`%{}`", char::from(conversion)),
            (b'c' | b's', Length::Long) => "wide characters".to_owned(),
            (_, Length::LongDouble) => "`long double`".to_owned(),
            _ if directive.flags.contains(&b'\'') => "grouped digits".to_owned(),
            _ => return,
        };
        let message = format!("device code does not support {what} in `printf`");
        self.warn(format.shown(Diagnostic::new(Code::DevicePrintf, at, message)));
    }

    /// Flags, precision and length that have no meaning with the conversion.
    fn warn_modifiers(&mut self, format: &Format<'_>, directive: &Directive, conversion: u8) {
        let at = self.part(format, directive.range.start, directive.range.end);
        let letter = char::from(conversion);
        let mut say = |message: String| self.warn(format.shown(Diagnostic::new(Code::Format, at, message)));
        if directive.precision != Amount::None && b"cpn".contains(&conversion) {
            say(format!(
                "precision used with `{letter}` conversion specifier, resulting in undefined behavior"
            ));
        }
        let has = |flag: u8| directive.flags.contains(&flag);
        let flags: [(u8, &[u8]); 5] = [
            (b'\'', b"diufFgG"),
            (b'0', b"diouxXaAeEfFgG"),
            (b'+', b"diaAeEfFgG"),
            (b' ', b"diaAeEfFgG"),
            (b'#', b"oxXaAeEfFgG"),
        ];
        for (flag, conversions) in flags {
            if has(flag) && !conversions.contains(&conversion) {
                let flag = char::from(flag);
                say(format!(
                    "flag `{flag}` results in undefined behavior with `{letter}` conversion specifier"
                ));
            }
        }
        for (flag, other) in [(b' ', b'+'), (b'0', b'-')] {
            if has(flag) && has(other) {
                let (flag, other) = (char::from(flag), char::from(other));
                say(format!("flag `{flag}` is ignored when flag `{other}` is present"));
            }
        }
        let is_valid = match directive.length {
            Length::None => true,
            Length::Long => b"diouxXaAeEfFgGcsn".contains(&conversion),
            Length::LongDouble => b"diouxXaAeEfFgG".contains(&conversion),
            _ => b"diouxXn".contains(&conversion),
        };
        if !is_valid {
            let length = directive.length.spelling();
            say(format!(
                "length modifier `{length}` results in undefined behavior or no effect with `{letter}` conversion specifier"
            ));
        }
    }

    /// An argument of another type than the directive asks for.
    fn warn_argument(&mut self, format: &Format<'_>, directive: &Directive, conversion: u8, arg: Printed) {
        let types = &self.module.types;
        let length = directive.length;
        let int = types.int_ty(arg.ty);
        let pointee = types.pointee(arg.ty);
        let takes = |length: Length| int.is_some_and(|int| length.takes(int, types.model()));
        let (is_right, wanted) = match conversion {
            b'd' | b'i' => (takes(length), length.signed()),
            b'o' | b'u' | b'x' | b'X' => (takes(length), length.unsigned()),
            b'c' => (takes(Length::None), "int"),
            b's' if length == Length::Long => (pointee.is_some_and(|to| self.is_text(to, true)), "wchar_t *"),
            b's' => (pointee.is_some_and(|to| self.is_text(to, false)), "char *"),
            b'p' => (pointee.is_some() || matches!(types.kind(arg.ty), TyKind::Nullptr), "void *"),
            b'n' => (pointee.is_some(), "int *"),
            _ if length == Length::LongDouble => {
                (self.expressions_ref().is_long_double(arg.ty), "long double")
            }
            _ => (types.float_ty(arg.ty).is_some_and(|float| float != FloatTy::LongDouble), "double"),
        };
        if is_right || matches!(types.kind(arg.ty), TyKind::Error) {
            return;
        }
        let has = match *types.kind(arg.ty) {
            TyKind::Enum(enum_) => {
                format!("has underlying type `{}`", types.enums[enum_].underlying.spelling())
            }
            TyKind::Nullptr => "has type `void *`".to_owned(),
            _ => format!("has type {}", self.show(arg.ty)),
        };
        let message = format!("format specifies type `{wanted}` but the argument {has}");
        let at = self.part(format, directive.range.start, directive.range.end);
        let diagnostic = Diagnostic::new(Code::Format, arg.span, message);
        let mut diagnostic = format.labelled(diagnostic, at, "specified here");
        if let Some(letters) = self.letters_for(directive, conversion, arg.ty)
            && at != format.span
        {
            let place = self.part(format, directive.letters.start, directive.letters.end);
            let start = String::from_utf8_lossy(&format.text[directive.range.start..directive.letters.start]);
            diagnostic = diagnostic.with_fix(Fix::new(format!("use `{start}{letters}`"), place, letters));
        }
        self.warn(diagnostic);
    }

    /// Whether it is a type of characters.
    fn is_text(&self, ty: Ty, is_wide: bool) -> bool {
        match self.module.types.kind(ty) {
            TyKind::Int(IntTy::WChar) => is_wide,
            TyKind::Int(IntTy::Char | IntTy::SChar | IntTy::UChar) => !is_wide,
            _ => false,
        }
    }

    /// Length and conversion for an argument of the type, where they go with the rest of the directive.
    fn letters_for(&self, directive: &Directive, conversion: u8, ty: Ty) -> Option<String> {
        let types = &self.module.types;
        let letters = match *types.kind(ty) {
            TyKind::Int(_) | TyKind::Enum(_) => {
                let int = types.int_ty(ty)?;
                let letter = match (conversion, int.is_signed()) {
                    (b'o' | b'x' | b'X', _) => char::from(conversion),
                    (b'i', true) => 'i',
                    (_, true) => 'd',
                    (_, false) => 'u',
                };
                format!("{}{letter}", Length::of(int).spelling())
            }
            TyKind::Float(FloatTy::Float | FloatTy::Double) => match conversion {
                b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => char::from(conversion).to_string(),
                _ => "f".to_owned(),
            },
            TyKind::Pointer(to) if self.is_text(to, false) => "s".to_owned(),
            TyKind::Pointer(_) | TyKind::Nullptr => "p".to_owned(),
            _ => return None,
        };
        let is_plain = match letters.as_bytes().last() {
            Some(b's') => directive.flags.iter().all(|&flag| flag == b'-'),
            Some(b'p') => {
                directive.flags.iter().all(|&flag| flag == b'-') && directive.precision == Amount::None
            }
            Some(b'o' | b'x' | b'X') => !directive.flags.iter().any(|flag| b"+ ".contains(flag)),
            Some(b'd' | b'i' | b'u') => {
                !directive.flags.contains(&b'#')
                    && (!directive.flags.contains(&b'+') || !letters.ends_with('u'))
            }
            _ => true,
        };
        is_plain.then_some(letters)
    }

    /// Where a part of a format stands, if it is written as it is meant; otherwise the whole literal.
    fn part(&self, format: &Format<'_>, start: usize, end: usize) -> Span {
        let Some(literal) = format.literal else { return format.span };
        let pieces = &literal.pieces;
        let idx = pieces.partition_point(|piece| piece.first as usize <= start);
        let Some(piece) = idx.checked_sub(1).map(|idx| pieces[idx]) else { return format.span };
        let spelling = self.interner.spelling(piece.spelling);
        // Where a line splice is in it, places in spelling and text differ.
        let is_plain =
            spelling.starts_with('"') && spelling.len() == (piece.span.hi - piece.span.lo) as usize;
        let first = piece.first as usize;
        match (offset_of(spelling, start - first), offset_of(spelling, end - first)) {
            (Some(lo), Some(hi))
                if is_plain && spelling.is_char_boundary(lo) && spelling.is_char_boundary(hi) =>
            {
                Span::new(piece.span.lo + lo as u32, piece.span.lo + hi as u32)
            }
            _ => format.span,
        }
    }
}

/// Where a byte of a literal stands in its spelling, if only simple escapes stand before it; the one behind the last
/// stands at the closing quote.
fn offset_of(spelling: &str, byte_idx: usize) -> Option<usize> {
    let text = spelling.as_bytes();
    let mut at = 1;
    for _ in 0..byte_idx {
        at += match (text.get(at)?, text.get(at + 1)) {
            (b'\\', Some(escape)) if b"'\"?\\abfnrtvee".contains(escape) => 2,
            (b'\\', _) => return None,
            _ => 1,
        };
    }
    (at < text.len()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locates_places_after_simple_escapes() {
        assert_eq!(offset_of(r#""a\n%d""#, 2), Some(4));
        assert_eq!(offset_of(r#""a\n%d""#, 4), Some(6));
        assert_eq!(offset_of(r#""a\n%d""#, 5), None);
        assert_eq!(offset_of(r#""\x25d""#, 1), None);
    }
}
