//! Braces too many or too few: where it most likely is, by the indentation.
//!
//! A lost brace shifts all that follows, so that the parser notices it far from where it belongs, and misreads what
//! is between. Where the braces of a piece of the text do not match, the places at which the indentation disagrees
//! with them are tried: a brace is put in or taken out there, and what then has the fewest errors is
//! taken, if the brace explains one of them.

use std::borrow::Cow;

use crate::diag::{Code, Diagnostic, Fix};
use crate::source::{SourceMap, Span};
use crate::token::{Interner, Keyword, Punct, Token, TokenKind};

/// How many places are tried.
const MAX_TRIALS: usize = 8;

/// How many braces are mended.
const MAX_REPAIRS: usize = 4;

/// Longer texts are not read again and again.
const MAX_TOKENS: usize = 1 << 20;

/// How the braces of some tokens match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Braces {
    /// How many are open at the end.
    depth: i64,
    /// The least number that is open anywhere: negative where one closes that none opens.
    lowest: i64,
}

impl Braces {
    pub(crate) fn of(tokens: &[Token]) -> Self {
        tokens.iter().fold(Braces::default(), |Braces { depth, lowest }, token| match token.kind {
            TokenKind::Punct(Punct::LBrace) => Braces { depth: depth + 1, lowest },
            TokenKind::Punct(Punct::RBrace) => Braces { depth: depth - 1, lowest: lowest.min(depth - 1) },
            _ => Braces { depth, lowest },
        })
    }

    /// Whether more close than open at some place: one is missing in or before the tokens, or is too many there.
    pub(crate) fn close_more(self) -> bool {
        self.lowest < 0
    }

    pub(super) fn match_up(self) -> bool {
        self == Braces::default()
    }
}

/// The tokens with the braces where they belong, if the tokens have fewer errors then, and the messages about the
/// braces. `n_errors_of` parses on trial.
pub(super) fn mend(
    tokens: &[Token],
    sources: &SourceMap,
    interner: &Interner,
    n_errors_of: impl Fn(&[Token]) -> usize,
) -> (Option<Vec<Token>>, Vec<Diagnostic>) {
    if tokens.len() > MAX_TOKENS || has_open_literal(tokens, interner) {
        return (None, Vec::new());
    }
    let (mut mended, mut n_left, mut found) = (Cow::Borrowed(tokens), n_errors_of(tokens), Vec::new());
    while n_left > 0 && found.len() < MAX_REPAIRS {
        let trials = repairs(&mended, sources).into_iter().take(MAX_TRIALS).map(|repair| {
            let applied = repair.applied(&mended);
            (n_errors_of(&applied), repair, applied)
        });
        // The repair is an error itself. Of equals the first is the likeliest.
        let Some((n, repair, applied)) = trials.filter(|(n, ..)| *n < n_left).min_by_key(|(n, ..)| *n) else {
            break;
        };
        found.push(repair.diagnostic(&mended));
        (mended, n_left) = (Cow::Owned(applied), n);
    }
    match mended {
        Cow::Owned(mended) => (Some(mended), found),
        Cow::Borrowed(_) => (None, found),
    }
}

/// Whether a literal without an end has taken in what stands behind it, braces perhaps.
fn has_open_literal(tokens: &[Token], interner: &Interner) -> bool {
    let is_open = |symbol| interner.spelling(symbol).contains(['"', '\'']);
    tokens.iter().any(|token| matches!(token.kind, TokenKind::Other(symbol) if is_open(symbol)))
}

/// A brace put in before a token, or a token taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repair {
    /// A `}` before the token; the `{` that it closes.
    Close(usize, usize),
    /// A `{` before the token.
    Open(usize),
    /// The token, a brace.
    Remove(usize),
}

impl Repair {
    fn applied(self, tokens: &[Token]) -> Vec<Token> {
        let mut tokens = tokens.to_vec();
        let (at, punct) = match self {
            Repair::Close(at, _) => (at, Punct::RBrace),
            Repair::Open(at) => (at, Punct::LBrace),
            Repair::Remove(at) => {
                tokens.remove(at);
                return tokens;
            }
        };
        tokens.insert(at, Token::new(TokenKind::Punct(punct), behind(&tokens, at)));
        tokens
    }

    fn diagnostic(self, tokens: &[Token]) -> Diagnostic {
        match self {
            Repair::Close(at, open) => {
                let span = behind(tokens, at);
                Diagnostic::new(Code::ExpectedToken, span, "expected `}` here, by the indentation")
                    .with_label(tokens[open].span, "to match this `{`")
                    .with_fix(Fix::new("add it", span, " }"))
            }
            Repair::Open(at) => {
                let span = behind(tokens, at);
                Diagnostic::new(Code::ExpectedToken, span, "expected `{` here, by the indentation")
                    .with_fix(Fix::new("add it", span, " {"))
            }
            Repair::Remove(at) => {
                let span = tokens[at].span;
                let message = match tokens[at].kind {
                    TokenKind::Punct(Punct::LBrace) => "unclosed `{`",
                    _ => "extraneous closing brace (`}`)",
                };
                Diagnostic::new(Code::UnmatchedBracket, span, message).with_fix(Fix::new(
                    "remove it",
                    span,
                    "",
                ))
            }
        }
    }
}

/// The place behind the token before.
fn behind(tokens: &[Token], at: usize) -> Span {
    at.checked_sub(1).map_or(tokens[at].span.start(), |before| tokens[before].span.end())
}

/// A block that is open.
struct Block {
    open: usize,
    /// The column of the statement or declaration that it belongs to.
    indent: u32,
    /// Its `{` is not there.
    is_guess: bool,
}

/// What the indentation suggests, the likeliest first.
fn repairs(tokens: &[Token], sources: &SourceMap) -> Vec<Repair> {
    match Braces::of(tokens) {
        Braces { lowest, .. } if lowest < 0 => surplus_close(tokens, sources),
        Braces { depth, .. } if depth > 0 => missing_close(tokens, sources),
        _ => Vec::new(),
    }
}

/// The tokens that begin a line, with their columns; what macros and pragmas bring is on no line.
struct Lines<'a> {
    sources: &'a SourceMap,
    in_pragma: bool,
    n_parens: u32,
    /// Where the statement or declaration began.
    indent: u32,
    begins: bool,
}

impl<'a> Lines<'a> {
    fn new(sources: &'a SourceMap) -> Self {
        Lines { sources, in_pragma: false, n_parens: 0, indent: 0, begins: true }
    }

    /// The column of the token if it begins a line, within no parentheses.
    fn column(&mut self, token: Token) -> Option<u32> {
        match token.kind {
            TokenKind::PragmaStart(_) => self.in_pragma = true,
            TokenKind::PragmaEnd => self.in_pragma = false,
            TokenKind::Punct(Punct::LParen) => self.n_parens += 1,
            TokenKind::Punct(Punct::RParen) => self.n_parens = self.n_parens.saturating_sub(1),
            // A brace outweighs parentheses that were left open.
            TokenKind::Punct(Punct::RBrace) => self.n_parens = 0,
            _ => {}
        }
        let is_line = token.at_line_start && token.span.is_written() && !self.in_pragma && self.n_parens == 0;
        let column = is_line.then(|| self.sources.line_column(token.span).column);
        if let Some(column) = column.filter(|_| self.begins) {
            self.indent = column;
        }
        self.begins = matches!(
            token.kind,
            TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace | Punct::Colon)
                | TokenKind::PragmaEnd
        ) && self.n_parens == 0;
        column
    }
}

/// Where a line is no deeper than the block that it should be in.
fn missing_close(tokens: &[Token], sources: &SourceMap) -> Vec<Repair> {
    let (mut repairs, mut open, mut lines) = (Vec::new(), Vec::<Block>::new(), Lines::new(sources));
    for (idx, &token) in tokens.iter().enumerate() {
        let column = lines.column(token);
        let punct = |punct| token.kind == TokenKind::Punct(punct);
        let is_end = token.kind == TokenKind::Eof;
        if let Some(column) = column.or(is_end.then_some(1))
            && !is_label(tokens, idx)
            && !punct(Punct::LBrace)
        {
            while let Some(block) = open.last() {
                let is_out =
                    if punct(Punct::RBrace) { column < block.indent } else { column <= block.indent };
                if !is_out || block.open + 1 == idx || is_unindented(tokens, block, sources) {
                    break;
                }
                let is_second = |at: usize| tokens[at].kind == TokenKind::Punct(Punct::Semi);
                if idx > block.open + 2 && is_second(idx - 1) && is_second(idx - 2) {
                    // Of `struct S { int a; };` the `}` is missing.
                    repairs.push(Repair::Close(idx - 1, block.open));
                }
                if is_inserted(tokens, block.open) {
                    repairs.push(Repair::Remove(block.open));
                }
                repairs.push(Repair::Close(idx, block.open));
                open.pop();
            }
        }
        if punct(Punct::LBrace) {
            let indent = column.unwrap_or(lines.indent);
            open.push(Block { open: idx, indent, is_guess: false });
        } else if punct(Punct::RBrace) {
            open.pop();
        }
    }
    repairs
}

/// Where a `}` does not stand below what it closes.
fn surplus_close(tokens: &[Token], sources: &SourceMap) -> Vec<Repair> {
    let (mut opens, mut removals) = (Vec::new(), Vec::new());
    let (mut open, mut lines) = (Vec::<Block>::new(), Lines::new(sources));
    for (idx, &token) in tokens.iter().enumerate() {
        let before = lines.indent;
        let column = lines.column(token);
        match token.kind {
            TokenKind::Punct(Punct::LBrace) => {
                let indent = column.unwrap_or(lines.indent);
                open.push(Block { open: idx, indent, is_guess: false });
            }
            TokenKind::Punct(Punct::RBrace) => {
                // A guess that this does not close was none.
                while open.last().is_some_and(|block| block.is_guess && Some(block.indent) != column) {
                    open.pop();
                }
                match (open.last(), column) {
                    (Some(block), _) if block.is_guess => {
                        opens.push(Repair::Open(block.open));
                        open.pop();
                    }
                    // Deeper than what it would close, or behind a statement of another line.
                    (Some(block), Some(column)) if column > block.indent => {
                        removals.push(Repair::Remove(idx))
                    }
                    (Some(block), None) if begins_line_between(tokens, block.open, idx) => {
                        removals.push(Repair::Remove(idx));
                    }
                    (Some(_), _) => {
                        open.pop();
                    }
                    (None, _) => removals.push(Repair::Remove(idx)),
                }
            }
            _ => {
                if let Some(column) = column {
                    while open.last().is_some_and(|block| block.is_guess && column <= block.indent) {
                        open.pop();
                    }
                    if column > before && takes_block(tokens, idx) {
                        open.push(Block { open: idx, indent: before, is_guess: true });
                    }
                }
            }
        }
    }
    opens.extend(removals);
    opens
}

/// Whether a line begins behind one token and not behind the other.
fn begins_line_between(tokens: &[Token], from: usize, to: usize) -> bool {
    tokens[from + 1..to].iter().any(|token| token.at_line_start)
}

/// `case 1:`, `default:`, `label:`
fn is_label(tokens: &[Token], idx: usize) -> bool {
    let next_is_colon = tokens.get(idx + 1).is_some_and(|next| next.kind == TokenKind::Punct(Punct::Colon));
    match tokens[idx].kind {
        TokenKind::Keyword(Keyword::Case | Keyword::Default) => true,
        TokenKind::Ident(_) => next_is_colon,
        _ => false,
    }
}

/// A block that no head needs, whose first statement stands in the line of its `{`.
fn is_inserted(tokens: &[Token], open: usize) -> bool {
    let is_bare = open.checked_sub(1).is_some_and(|before| {
        matches!(tokens[before].kind, TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace))
    });
    is_bare && tokens.get(open + 1).is_some_and(|next| !next.at_line_start)
}

/// `extern "C" {`, within which nothing is indented.
fn is_linkage(tokens: &[Token], open: usize) -> bool {
    open.checked_sub(1).is_some_and(|before| matches!(tokens[before].kind, TokenKind::Str(_)))
}

/// Whether the lines in a block need not be deeper than it: in a linkage specification, and in a namespace that begins so.
fn is_unindented(tokens: &[Token], block: &Block, sources: &SourceMap) -> bool {
    let is_first_out = tokens
        .get(block.open + 1)
        .is_some_and(|first| first.at_line_start && sources.line_column(first.span).column <= block.indent);
    is_linkage(tokens, block.open) || is_first_out && is_namespace(tokens, block.open)
}

/// `namespace a::b {`
fn is_namespace(tokens: &[Token], open: usize) -> bool {
    let is_name = |kind| matches!(kind, TokenKind::Ident(_) | TokenKind::Punct(Punct::ColonColon));
    let head = tokens[..open].iter().rev().find(|token| !is_name(token.kind));
    head.is_some_and(|token| token.kind == TokenKind::Keyword(Keyword::Namespace))
}

/// Whether a `{` could stand before the token: behind a head, or a tag.
fn takes_block(tokens: &[Token], idx: usize) -> bool {
    let kind = |back: usize| idx.checked_sub(back).map(|at| tokens[at].kind);
    match kind(1) {
        Some(TokenKind::Punct(Punct::RParen)) | Some(TokenKind::Keyword(Keyword::Else | Keyword::Do)) => true,
        Some(TokenKind::Ident(_)) => {
            matches!(kind(2), Some(TokenKind::Keyword(Keyword::Struct | Keyword::Union | Keyword::Enum)))
        }
        _ => false,
    }
}
