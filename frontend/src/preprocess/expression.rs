//! The conditions of `#if` (C17 6.10.1, C++17 19.1): integers of 64 bits, signed or unsigned.

use super::Preprocessor;
use super::file::File;
use super::macros::{Dynamic, Meaning};
use crate::ast::LitPrefix;
use crate::diag::{Code, Diagnostic};
use crate::lex::literal;
use crate::lex::number::{self, Number};
use crate::limits::MAX_NESTING;
use crate::source::Span;
use crate::token::{Form, Keyword, Punct, Token, TokenKind};

/// A value of `intmax_t` or `uintmax_t`, which all have (C17 6.10.1p4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bits: i64,
    is_unsigned: bool,
}

impl Value {
    const ZERO: Value = Value { bits: 0, is_unsigned: false };

    fn truth(holds: bool) -> Value {
        Value { bits: i64::from(holds), is_unsigned: false }
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// An error in a condition. Boxed, since every level of the recursion has space for one.
struct Fault(Box<Diagnostic>);

fn fault<T>(span: Span, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault(Box::new(Diagnostic::new(Code::InvalidIfExpression, span, message))))
}

impl Preprocessor<'_> {
    /// Whether the condition in `self.line` holds; one that is wrong does not.
    pub(super) fn evaluate(&mut self, directive: &str, at: Span, file: &mut File<'_>) -> bool {
        let n_errors = self.compilation.sink.n_errors();
        let tokens = self.operands(file);
        if self.is_stopped || self.compilation.sink.n_errors() > n_errors {
            return false;
        }
        if tokens.is_empty() {
            self.error(Code::InvalidIfExpression, at, format!("`#{directive}` with no expression"));
            return false;
        }
        let mut evaluator = Evaluator {
            tokens: &tokens,
            pos: 0,
            at,
            nesting: 0,
            undefined: Vec::new(),
            interner: &self.compilation.interner,
        };
        let value = evaluator.whole();
        let undefined = evaluator.undefined;
        match value {
            Ok(value) => {
                undefined.into_iter().for_each(|name| self.warn_undefined(name));
                value.is_true()
            }
            Err(Fault(diagnostic)) => {
                self.compilation.sink.error(*diagnostic);
                false
            }
        }
    }

    fn warn_undefined(&mut self, name: Token) {
        if self.compilation.sink.is_on(Code::Undef) {
            let message = format!("`{}` is not defined, evaluates to 0", self.spelling(name));
            self.warn(Code::Undef, name.span, message);
        }
    }

    /// The tokens of the condition, with macros expanded and operators such as `defined` replaced by their values.
    fn operands(&mut self, file: &mut File<'_>) -> Vec<Token> {
        let mut tokens = Vec::with_capacity(self.line.len());
        let outer_space = std::mem::take(&mut self.expander.is_after_space);
        self.begin_alone();
        while let Some(token) = self.next_in_frames() {
            let value = match token.word() {
                Some(word) if word == self.words.defined => self.defined(token),
                Some(word) if token.form != Form::Painted && self.is_builtin(word) => {
                    match self.query(word) {
                        Some(query) => self.answer(token, query, file),
                        None => None,
                    }
                }
                _ => None,
            };
            match value {
                Some(Ok(value)) => {
                    let kind = TokenKind::Number(self.compilation.interner.intern(&value.to_string()));
                    tokens.push(Token { kind, ..token });
                }
                Some(Err(())) => break,
                None => tokens.extend(self.expand(token, file)),
            }
        }
        self.end_alone();
        self.expander.is_after_space = outer_space;
        tokens
    }

    /// `defined name`, `defined(name)` (C17 6.10.1p1). It also works in macro expansions, as in other compilers.
    fn defined(&mut self, defined: Token) -> Option<Result<u32, ()>> {
        let first = self.next_in_frames();
        let has_paren = first.is_some_and(|token| token.kind == TokenKind::Punct(Punct::LParen));
        let name = if has_paren { self.next_in_frames() } else { first };
        let Some((name, word)) = name.and_then(|name| Some((name, name.word()?))) else {
            let at = name.map_or(defined.span, |name| name.span);
            self.error(Code::InvalidIfExpression, at, "expected a macro name after `defined`");
            return Some(Err(()));
        };
        if has_paren {
            let close = self.next_in_frames();
            if close.is_none_or(|close| close.kind != TokenKind::Punct(Punct::RParen)) {
                self.error(Code::InvalidIfExpression, name.span.end(), "expected `)` after `defined(name`");
                return Some(Err(()));
            }
        }
        if self.meaning(word) == Meaning::Poisoned {
            self.report_poisoned(name);
        }
        Some(Ok(u32::from(self.is_defined(word))))
    }

    fn query(&self, word: crate::token::Symbol) -> Option<Dynamic> {
        let name = self.compilation.interner.spelling(word);
        let builtin = Dynamic::ALL.iter().find(|(spelling, _)| *spelling == name)?.1;
        match builtin {
            Dynamic::HasInclude
            | Dynamic::HasIncludeNext
            | Dynamic::HasAttribute
            | Dynamic::HasCppAttribute
            | Dynamic::HasBuiltin => Some(builtin),
            Dynamic::Line
            | Dynamic::File
            | Dynamic::BaseFile
            | Dynamic::Counter
            | Dynamic::IncludeLevel
            | Dynamic::Date
            | Dynamic::Time
            | Dynamic::Timestamp
            | Dynamic::Pragma => None,
        }
    }

    /// `__has_include(…)` (C++17 19.1p4) and similar operators.
    fn answer(&mut self, query: Token, builtin: Dynamic, file: &mut File<'_>) -> Option<Result<u32, ()>> {
        let name = self.spelling(query).to_owned();
        let open = self.next_in_frames();
        if open.is_none_or(|open| open.kind != TokenKind::Punct(Punct::LParen)) {
            self.error(Code::InvalidIfExpression, query.span, format!("expected `(` after `{name}`"));
            return Some(Err(()));
        }
        let is_include = matches!(builtin, Dynamic::HasInclude | Dynamic::HasIncludeNext);
        let mut operand = Vec::new();
        let mut depth = 0;
        loop {
            // A macro may expand to a header's name; the name of an attribute is never a macro.
            let token = self.next_in_frames();
            let Some(token) = token else {
                let message = format!("expected `)` at the end of the operand of `{name}`");
                self.error(Code::InvalidIfExpression, query.span, message);
                return Some(Err(()));
            };
            match token.kind {
                TokenKind::Punct(Punct::LParen) => depth += 1,
                TokenKind::Punct(Punct::RParen) if depth == 0 => break,
                TokenKind::Punct(Punct::RParen) => depth -= 1,
                _ => {}
            }
            let is_header = operand.first().is_some_and(|first: &Token| {
                first.kind == TokenKind::Punct(Punct::Lt) || matches!(first.kind, TokenKind::Str(_))
            });
            if is_include && !is_header {
                operand.extend(self.expand(token, file));
            } else {
                operand.push(token);
            }
        }
        let answer = match builtin {
            Dynamic::HasInclude | Dynamic::HasIncludeNext => {
                let Some((name, is_angled)) = self.header_of_tokens(&operand) else {
                    let message = format!("expected a header name as the operand of `{name}`");
                    self.error(Code::InvalidIfExpression, query.span, message);
                    return Some(Err(()));
                };
                let is_next = builtin == Dynamic::HasIncludeNext;
                u32::from(self.has_header(&name, is_angled, is_next, file))
            }
            Dynamic::HasBuiltin => {
                let name: String = operand.iter().map(|&token| self.spelling(token)).collect();
                u32::from(crate::sema::has_builtin(&name))
            }
            _ => {
                let name: String = operand.iter().map(|&token| self.spelling(token)).collect();
                super::builtin::has_attribute(&name)
            }
        };
        Some(Ok(answer))
    }
}

/// Reads the grammar of conditional expressions.
struct Evaluator<'a> {
    tokens: &'a [Token],
    pos: usize,
    /// The directive.
    at: Span,
    nesting: u32,
    /// Names that are no macros, where their value counts.
    undefined: Vec<Token>,
    interner: &'a crate::token::Interner,
}

impl Evaluator<'_> {
    fn whole(&mut self) -> Result<Value, Fault> {
        let value = self.comma(true)?;
        match self.tokens.get(self.pos) {
            None => Ok(value),
            Some(token) => match token.kind {
                TokenKind::Punct(Punct::RParen) => {
                    fault(token.span, "unmatched `)` in preprocessor expression")
                }
                TokenKind::Punct(punct) if precedence(punct).is_none() => self.invalid(token),
                _ => {
                    let spelling = token.spelling(self.interner);
                    fault(
                        token.span,
                        format!(
                            "token is not a valid binary operator in a preprocessor subexpression: `{spelling}`"
                        ),
                    )
                }
            },
        }
    }

    fn invalid<T>(&self, token: &Token) -> Result<T, Fault> {
        let spelling = token.spelling(self.interner);
        let what = match token.kind {
            TokenKind::Str(_) => "a string literal".to_owned(),
            _ => format!("`{spelling}`"),
        };
        fault(token.span, format!("{what} is not valid in a preprocessor expression"))
    }

    fn kind(&self) -> Option<TokenKind> {
        self.tokens.get(self.pos).map(|token| token.kind)
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.kind() == Some(TokenKind::Punct(punct));
        self.pos += usize::from(found);
        found
    }

    fn span(&self) -> Span {
        match self.tokens.get(self.pos) {
            Some(token) => token.span,
            None => self.tokens.last().map_or(self.at, |token| token.span.end()),
        }
    }

    /// `conditional ("," conditional)*`; `counts` says whether the value matters (C17 6.6p6).
    fn comma(&mut self, counts: bool) -> Result<Value, Fault> {
        let mut value = self.conditional(counts)?;
        while self.eat(Punct::Comma) {
            value = self.conditional(counts)?;
        }
        Ok(value)
    }

    /// `binary ["?" comma ":" conditional]`
    fn conditional(&mut self, counts: bool) -> Result<Value, Fault> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(Fault(Box::new(
                Diagnostic::new(Code::NestingTooDeep, self.span(), "nesting is too deep")
                    .with_note(format!("the maximum is {MAX_NESTING} nested parentheses")),
            )));
        }
        let condition = self.binary(0, counts)?;
        let mut value = condition;
        if self.eat(Punct::Question) {
            let first = self.comma(counts && condition.is_true())?;
            if !self.eat(Punct::Colon) {
                return fault(self.span(), "expected `:` after `?` and its expression");
            }
            let second = self.conditional(counts && !condition.is_true())?;
            // C17 6.5.15p5
            let bits = if condition.is_true() { first.bits } else { second.bits };
            value = Value { bits, is_unsigned: first.is_unsigned || second.is_unsigned };
        }
        self.nesting -= 1;
        Ok(value)
    }

    /// `unary (operator unary)*`, of operators that bind at least as tight as `least`.
    fn binary(&mut self, least: u8, counts: bool) -> Result<Value, Fault> {
        let mut left = self.unary(counts)?;
        while let Some(TokenKind::Punct(operator)) = self.kind() {
            let Some(binding) = precedence(operator).filter(|&binding| binding >= least) else { break };
            let at = self.span();
            self.pos += 1;
            if self.pos >= self.tokens.len() {
                let message = format!("expected an expression after `{}`", operator.spelling());
                return fault(at, message);
            }
            let right_counts = counts
                && match operator {
                    Punct::AmpAmp => left.is_true(),
                    Punct::PipePipe => !left.is_true(),
                    _ => true,
                };
            let right = self.binary(binding + 1, right_counts)?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if !right_counts => Value::ZERO,
                None => return fault(at, "division by zero in preprocessor expression"),
            };
        }
        Ok(left)
    }

    /// `("+" | "-" | "~" | "!") unary | primary`
    fn unary(&mut self, counts: bool) -> Result<Value, Fault> {
        let mut operators = Vec::new();
        while let Some(TokenKind::Punct(
            operator @ (Punct::Plus | Punct::Minus | Punct::Tilde | Punct::Bang),
        )) = self.kind()
        {
            operators.push(operator);
            self.pos += 1;
        }
        let mut value = self.primary(counts)?;
        for operator in operators.into_iter().rev() {
            let Value { bits, is_unsigned } = value;
            value = match operator {
                Punct::Minus => Value { bits: bits.wrapping_neg(), is_unsigned },
                Punct::Tilde => Value { bits: !bits, is_unsigned },
                Punct::Bang => Value::truth(bits == 0),
                _ => value,
            };
        }
        Ok(value)
    }

    /// `number | character | identifier | "true" | "false" | "(" comma ")"`
    fn primary(&mut self, counts: bool) -> Result<Value, Fault> {
        let Some(&token) = self.tokens.get(self.pos) else {
            return fault(self.span(), "expected value in expression");
        };
        self.pos += 1;
        match token.kind {
            TokenKind::Number(symbol) => number_value(self.interner.spelling(symbol), token.span),
            TokenKind::Char(symbol) => character_value(self.interner.spelling(symbol), token.span),
            TokenKind::Keyword(Keyword::True) => Ok(Value::truth(true)),
            TokenKind::Keyword(Keyword::False) => Ok(Value::ZERO),
            // C17 6.10.1p4
            TokenKind::Ident(_) | TokenKind::Keyword(_) => {
                if counts {
                    self.undefined.push(token);
                }
                Ok(Value::ZERO)
            }
            TokenKind::Punct(Punct::LParen) => {
                let value = self.comma(counts)?;
                if !self.eat(Punct::RParen) {
                    let diagnostic = Diagnostic::new(
                        Code::InvalidIfExpression,
                        self.span(),
                        "expected `)` in preprocessor expression",
                    )
                    .with_label(token.span, "to match this `(`");
                    return Err(Fault(Box::new(diagnostic)));
                }
                Ok(value)
            }
            TokenKind::Punct(punct) if precedence(punct).is_some() || punct == Punct::RParen => {
                let spelling = punct.spelling();
                fault(token.span, format!("expected an expression before `{spelling}`"))
            }
            TokenKind::Punct(_)
            | TokenKind::Str(_)
            | TokenKind::Other(_)
            | TokenKind::PragmaStart(_)
            | TokenKind::PragmaEnd
            | TokenKind::Eof => self.invalid(&token),
        }
    }
}

fn number_value(spelling: &str, span: Span) -> Result<Value, Fault> {
    match number::number(spelling) {
        Ok((Number::Int(lit), _)) => {
            let bits = lit.value as i64;
            // C17 6.4.4.1p5; a decimal number that fits nothing else is unsigned, as in other compilers.
            Ok(Value { bits, is_unsigned: lit.is_unsigned || bits < 0 })
        }
        Ok((Number::Float(_), _)) => fault(span, "floating point literal in preprocessor expression"),
        Err(error) => Err(Fault(Box::new(Diagnostic::new(error.code, span, error.message)))),
    }
}

fn character_value(spelling: &str, span: Span) -> Result<Value, Fault> {
    let (lit, errors) = literal::character(spelling);
    if let Some(error) = errors.into_iter().find(|error| error.code.group().is_none()) {
        return Err(Fault(Box::new(Diagnostic::new(error.code, span, error.message))));
    }
    let is_unsigned = match lit.prefix {
        LitPrefix::U16 | LitPrefix::U32 => true,
        LitPrefix::None | LitPrefix::U8 | LitPrefix::Wide => false,
    };
    Ok(Value { bits: lit.value, is_unsigned })
}

/// How tight a binary operator binds.
fn precedence(operator: Punct) -> Option<u8> {
    Some(match operator {
        Punct::PipePipe => 0,
        Punct::AmpAmp => 1,
        Punct::Pipe => 2,
        Punct::Caret => 3,
        Punct::Amp => 4,
        Punct::EqEq | Punct::Ne => 5,
        Punct::Lt | Punct::Gt | Punct::Le | Punct::Ge => 6,
        Punct::Shl | Punct::Shr => 7,
        Punct::Plus | Punct::Minus => 8,
        Punct::Star | Punct::Slash | Punct::Percent => 9,
        _ => return None,
    })
}

/// The value of a binary operation, with the usual arithmetic conversions; `None` for a division by zero.
fn apply(operator: Punct, left: Value, right: Value) -> Option<Value> {
    let is_unsigned = left.is_unsigned || right.is_unsigned;
    let (a, b) = (left.bits, right.bits);
    let (ua, ub) = (a as u64, b as u64);
    let number = |bits: i64| Some(Value { bits, is_unsigned });
    let order = if is_unsigned { ua.cmp(&ub) } else { a.cmp(&b) };
    match operator {
        Punct::PipePipe => Some(Value::truth(a != 0 || b != 0)),
        Punct::AmpAmp => Some(Value::truth(a != 0 && b != 0)),
        Punct::Pipe => number(a | b),
        Punct::Caret => number(a ^ b),
        Punct::Amp => number(a & b),
        Punct::EqEq => Some(Value::truth(a == b)),
        Punct::Ne => Some(Value::truth(a != b)),
        Punct::Lt => Some(Value::truth(order.is_lt())),
        Punct::Gt => Some(Value::truth(order.is_gt())),
        Punct::Le => Some(Value::truth(order.is_le())),
        Punct::Ge => Some(Value::truth(order.is_ge())),
        // The left operand's type (C17 6.5.7p3).
        Punct::Shl => Some(Value { bits: shifted(left, right, false), is_unsigned: left.is_unsigned }),
        Punct::Shr => Some(Value { bits: shifted(left, right, true), is_unsigned: left.is_unsigned }),
        Punct::Plus => number(a.wrapping_add(b)),
        Punct::Minus => number(a.wrapping_sub(b)),
        Punct::Star => number(a.wrapping_mul(b)),
        Punct::Slash | Punct::Percent if b == 0 => None,
        Punct::Slash if is_unsigned => number((ua / ub) as i64),
        Punct::Slash => number(a.wrapping_div(b)),
        Punct::Percent if is_unsigned => number((ua % ub) as i64),
        Punct::Percent => number(a.wrapping_rem(b)),
        _ => None,
    }
}

/// A shift; as in GNU's preprocessor, a negative count shifts the other way, and one that is too large all bits out.
fn shifted(left: Value, count: Value, is_right: bool) -> i64 {
    let is_negative = !count.is_unsigned && count.bits < 0;
    let is_right = is_right != is_negative;
    let n_bits = if is_negative { count.bits.unsigned_abs() } else { count.bits as u64 };
    match (is_right, left.is_unsigned) {
        (true, true) if n_bits < 64 => ((left.bits as u64) >> n_bits) as i64,
        (true, false) => left.bits >> n_bits.min(63),
        (false, _) if n_bits < 64 => left.bits << n_bits,
        _ => 0,
    }
}
