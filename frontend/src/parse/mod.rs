//! The grammar (translation phases 5 to 7): from tokens to the [`ast`](crate::ast).
//!
//! Recursive descent with one token of lookahead; where C needs to know whether an identifier names
//! a type, [`scope`] knows. What CUDA C++ has and the language has not is refused by name, and
//! skipped as a whole.
//!
//! **Invariant**: a mistake gives one message. A function that cannot make its value reports, and
//! returns `Err(Reported)` up to a place that recovers: the statement, the declaration, a condition's
//! parentheses. No second message is given at the token of the last, nor beside a token that the
//! preprocessor has reported.
//!
//! **Invariant**: the text nests at most [`MAX_NESTING`](crate::limits::MAX_NESTING) deep, and no tree is higher than
//! [`MAX_HEIGHT`](crate::limits::MAX_HEIGHT) nodes.
//!
//! - [`scope`]: which names are types
//! - [`height`]: nodes into their arenas, and how high the tree grows
//! - [`recover`]: reporting, and going on after a mistake; [`balance`]: a brace too many or too few
//! - [`decl`]: declarations; [`declarator`]: declarators; [`ty`]: type specifiers; [`keyword`]: which keywords they are; [`record`]: the
//!   bodies of structs, unions and enums; [`attr`]: attributes and CUDA's qualifiers
//! - [`namespace`]: namespaces; [`qualified`]: names with `::`
//! - [`stmt`], [`condition`], [`expr`], [`literal`], [`init`]: statements, conditions, expressions, literals,
//!   initializers
//! - [`asm`]: inline PTX
//! - [`host`]: host code, which is skipped
//! - [`pragma`]: pragmas apart from the grammar; [`pack`]: how structs are laid out from one on
//! - [`refused`]: constructs that are recognised in order to be refused

mod asm;
mod attr;
pub(crate) mod balance;
mod condition;
mod decl;
mod declarator;
mod expr;
mod height;
pub(crate) mod host;
mod init;
mod keyword;
mod launch;
mod literal;
mod namespace;
mod pack;
mod pragma;
mod qualified;
mod range_for;
mod record;
mod recover;
mod refused;
mod scope;
mod stmt;
mod structured_binding;
mod ty;

use std::cell::OnceCell;

use hashbrown::HashSet;

use crate::Dialect;
use crate::ast::{Decl, DeclKind, HostMembers, Name, Nodes, StmtId, TranslationUnit};
use crate::diag::{Code, Diagnostic, Reported, Sink};
use crate::limits::Depth;
use crate::namespace::Namespace;
use crate::predeclared::{self, Predeclared};
use crate::source::{SourceMap, Span};
use crate::token::{Interner, Keyword, Punct, Symbol, Token, TokenKind};
use balance::Braces;
use literal::Numbers;
use pack::{PackStack, Packs};
use scope::Scopes;

/// Reads a whole translation unit, for its syntax alone. `tokens` ends in `Eof`, as the lexer makes it.
pub(crate) fn parse(
    tokens: &[Token],
    dialect: Dialect,
    sources: &SourceMap,
    interner: &Interner,
    sink: &mut Sink,
) -> TranslationUnit {
    let kept = Kept { unit: TranslationUnit::for_tokens(tokens.len()), ..Kept::default() };
    let mut parser = Parser::new(kept, dialect, interner, sink);
    parser.scopes.learn(&predeclared::named(interner, 0).collect::<Vec<_>>(), interner.len());
    parser.read(tokens.to_vec(), Braces::of(tokens), sources);
    parser.unit
}

/// Takes the declarations of a unit, and looks at the nodes that are new.
pub(crate) type Take<'a> = dyn FnMut(&TranslationUnit, &Nodes, &mut Sink) + 'a;

/// A translation unit that is read piece by piece, and handed over function by function: what stands at file scope up
/// to the end of a function, and what stands behind the last one. The nodes of a function's body are forgotten then,
/// and those of the next one take their place; declarations are handed over once.
pub(crate) struct PieceParser {
    dialect: Dialect,
    kept: Kept,
}

/// What one piece of the tokens leaves to the next.
#[derive(Default)]
struct Kept {
    /// What `#pragma pack` says.
    pack_stack: PackStack,
    unit: TranslationUnit,
    waiting: Vec<StmtId>,
    scopes: Scopes,
    /// See [`Parser`].
    device_functions: HashSet<(Namespace, Symbol)>,
    kernels: HashSet<Symbol>,
    numbers: Numbers,
    /// The nodes that have been handed over.
    seen: Nodes,
}

/// A piece of the tokens.
#[derive(Default)]
pub(crate) struct Piece {
    /// They end in `Eof`.
    pub(crate) tokens: Vec<Token>,
    pub(crate) braces: Braces,
}

impl PieceParser {
    /// Before the first piece.
    pub(crate) fn new(dialect: Dialect) -> Self {
        PieceParser { dialect, kept: Kept::default() }
    }

    /// Reads a piece of the tokens, and leaves them. `named` are the compiler's own names that no piece before has
    /// had, with those that the text itself has made: `interner` knows all.
    pub(crate) fn read(
        &mut self,
        piece: &mut Piece,
        named: &[(Symbol, Predeclared)],
        sources: &SourceMap,
        interner: &Interner,
        sink: &mut Sink,
        take: &mut Take<'_>,
    ) {
        self.with(interner, sink, take, |parser| {
            parser.scopes.learn(named, interner.len());
            parser.read(std::mem::take(&mut piece.tokens), piece.braces, sources);
            piece.tokens = std::mem::take(&mut parser.tokens);
        });
    }

    /// Hands over what stands behind the last function.
    pub(crate) fn finish(mut self, interner: &Interner, sink: &mut Sink, take: &mut Take<'_>) {
        self.with(interner, sink, take, Parser::hand_over);
    }

    fn with<'a>(
        &mut self,
        interner: &'a Interner,
        sink: &'a mut Sink,
        take: &'a mut Take<'a>,
        work: impl FnOnce(&mut Parser<'a>),
    ) {
        let mut parser = Parser::new(std::mem::take(&mut self.kept), self.dialect, interner, sink);
        parser.take = Some(take);
        work(&mut parser);
        let Parser { pack_stack, unit, waiting, scopes, device_functions, kernels, numbers, seen, .. } =
            parser;
        self.kept = Kept { pack_stack, unit, waiting, scopes, device_functions, kernels, numbers, seen };
    }
}

/// The value, or the witness that an error was reported.
type Parsed<T> = Result<T, Reported>;

struct Parser<'a> {
    /// The piece that is being read: not empty. Behind `Eof` stands what pragmas have behind their names.
    tokens: Vec<Token>,
    /// What `#pragma pack` says at each of them.
    packs: Packs,
    /// What it says at their end.
    pack_stack: PackStack,
    /// In the order of the text.
    pragmas: Vec<pragma::Placed>,
    /// Below the length of `tokens`; [`Parser::go_to`] sets it.
    pos: usize,
    /// The current token: the one at `pos`.
    here: Token,
    dialect: Dialect,
    interner: &'a Interner,
    sink: &'a mut Sink,
    unit: TranslationUnit,
    /// Takes the functions, if they are handed over.
    take: Option<&'a mut Take<'a>>,
    /// The nodes that have been handed over.
    seen: Nodes,
    /// How high the highest of what was made since the mark is: see [`height`].
    high_water: u16,
    /// The statements of the blocks that are being read, the outermost block's first.
    waiting: Vec<StmtId>,
    scopes: Scopes,
    /// For each opening bracket the token that closes it, once something asks.
    closers: OnceCell<Vec<u32>>,
    nesting: u32,
    /// Within `extern "C"`: the span of the string.
    extern_c: Option<Span>,
    /// The token at which the last error was reported.
    last_error: Option<usize>,
    /// At file scope after a mistake, where what follows may be the rest of a function.
    is_adrift: bool,
    /// The declaration at file scope has been found too deep.
    is_too_deep: bool,
    /// The parameters of the declarator at hand were not understood.
    has_broken_params: bool,
    /// The body of a function is being read: the token of its `{`.
    body_open: Option<usize>,
    /// The functions that were declared for the device: a definition need not say it again.
    device_functions: HashSet<(Namespace, Symbol)>,
    /// The kernels, templates among them.
    kernels: HashSet<Symbol>,
    numbers: Numbers,
    /// Those of the struct whose members are being read.
    host_members: HostMembers,
    /// Whether it has a constructor `S() = default`.
    has_defaulted_constructor: bool,
    /// Within a `class`, which has been refused as a whole.
    in_class: bool,
}

impl<'a> Parser<'a> {
    /// Before the first token.
    fn new(kept: Kept, dialect: Dialect, interner: &'a Interner, sink: &'a mut Sink) -> Self {
        let Kept { pack_stack, unit, waiting, scopes, device_functions, kernels, numbers, seen } = kept;
        Parser {
            tokens: Vec::new(),
            packs: Packs::default(),
            pack_stack,
            pragmas: Vec::new(),
            pos: 0,
            here: Token::new(TokenKind::Eof, Span::default()),
            dialect,
            interner,
            sink,
            unit,
            take: None,
            seen,
            high_water: 0,
            waiting,
            scopes,
            closers: OnceCell::new(),
            nesting: 0,
            extern_c: None,
            last_error: None,
            is_adrift: false,
            is_too_deep: false,
            has_broken_params: false,
            body_open: None,
            device_functions,
            kernels,
            numbers,
            host_members: HostMembers::default(),
            has_defaulted_constructor: false,
            in_class: false,
        }
    }

    /// Reads a piece of the tokens, from one end of a declaration to another.
    fn read(&mut self, tokens: Vec<Token>, braces: Braces, sources: &SourceMap) {
        if braces.match_up() {
            return self.read_as_is(tokens);
        }
        let n_errors_of = |tokens: &[Token]| self.n_errors_of(tokens);
        let (mended, found) = balance::mend(&tokens, sources, self.interner, n_errors_of);
        found.into_iter().for_each(|diagnostic| self.sink.emit(diagnostic));
        self.read_as_is(mended.unwrap_or(tokens));
    }

    /// The number of errors in a piece, found without a trace.
    fn n_errors_of(&self, tokens: &[Token]) -> usize {
        let mut trial = self.sink.aside();
        let mark = trial.mark();
        let kept = Kept {
            pack_stack: self.pack_stack.clone(),
            scopes: self.scopes.clone(),
            device_functions: self.device_functions.clone(),
            kernels: self.kernels.clone(),
            ..Kept::default()
        };
        let mut parser = Parser::new(kept, self.dialect, self.interner, &mut trial);
        parser.read_as_is(tokens.to_vec());
        trial.n_errors_since(mark)
    }

    fn read_as_is(&mut self, tokens: Vec<Token>) {
        if tokens.is_empty() {
            return;
        }
        let apart = pragma::set_apart(tokens, &mut self.pack_stack, self.interner, self.sink);
        pragma::Apart { tokens: self.tokens, packs: self.packs, pragmas: self.pragmas } = apart;
        self.go_to(0);
        self.closers = OnceCell::new();
        self.last_error = None;
        self.translation_unit();
        self.warn_unused_pragmas();
    }
}

impl Parser<'_> {
    /// Hands over what was read, and forgets the body of the function that it ends with.
    fn hand_over(&mut self) {
        let Some(take) = &mut self.take else { return };
        take(&self.unit, &self.unit.nodes_since(&self.seen), self.sink);
        if let Some(Decl { kind: DeclKind::Function(function), .. }) = self.unit.decls.pop() {
            self.unit.truncate(&function.nodes);
        }
        self.unit.decls.clear();
        self.seen = self.unit.nodes();
    }

    fn token(&self) -> Token {
        self.here
    }

    fn kind(&self) -> TokenKind {
        self.here.kind
    }

    /// Makes the token at the place the current one.
    fn go_to(&mut self, pos: usize) {
        self.pos = pos;
        self.here = self.tokens[pos];
    }

    /// What stands `ahead` tokens after the current one.
    fn kind_at(&self, ahead: usize) -> TokenKind {
        self.kind_of(self.pos + ahead)
    }

    fn kind_of(&self, idx: usize) -> TokenKind {
        self.tokens.get(idx).map_or(TokenKind::Eof, |t| t.kind)
    }

    fn span(&self) -> Span {
        self.here.span
    }

    /// The span of the token before the current one.
    fn prev_span(&self) -> Span {
        self.tokens[self.pos.saturating_sub(1)].span
    }

    /// From `start` to the token before the current one.
    fn span_from(&self, start: Span) -> Span {
        // Nothing has been taken.
        if start == self.span() { start } else { start.to(self.prev_span()) }
    }

    /// Takes the current token. `Eof` stays.
    fn bump(&mut self) -> Token {
        let token = self.here;
        if token.kind != TokenKind::Eof
            && let Some(&next) = self.tokens.get(self.pos + 1)
        {
            self.pos += 1;
            self.here = next;
        }
        token
    }

    fn is(&self, punct: Punct) -> bool {
        self.kind() == TokenKind::Punct(punct)
    }

    fn is_at(&self, ahead: usize, punct: Punct) -> bool {
        self.kind_at(ahead) == TokenKind::Punct(punct)
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    fn is_eof(&self) -> bool {
        self.kind() == TokenKind::Eof
    }

    /// Takes the punctuator, if it comes next.
    fn eat(&mut self, punct: Punct) -> Option<Span> {
        self.is(punct).then(|| self.bump().span)
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> Option<Span> {
        self.is_keyword(keyword).then(|| self.bump().span)
    }

    fn eat_ident(&mut self) -> Option<Name> {
        let TokenKind::Ident(symbol) = self.kind() else { return None };
        let span = self.bump().span;
        Some(Name { symbol, span })
    }

    /// Takes the punctuator, or reports that it is missing.
    fn expect(&mut self, punct: Punct) -> Parsed<Span> {
        match self.eat(punct) {
            Some(span) => Ok(span),
            None => Err(self.expected(punct)),
        }
    }

    /// Takes the bracket that closes the one at `open`, or reports that it is missing.
    #[inline]
    fn expect_close(&mut self, punct: Punct, open: Span) -> Parsed<Span> {
        match self.eat(punct) {
            Some(span) => Ok(span),
            None => Err(self.missing_close(punct, open)),
        }
    }

    fn missing_close(&mut self, punct: Punct, open: Span) -> Reported {
        // An unterminated literal took the rest of its line, in which the bracket may stand.
        if let Some(reported) = self.sink.reported()
            && punct == Punct::RBrace
            && self.has_swallowed(punct)
        {
            return reported;
        }
        let opening = match punct {
            Punct::RParen => Punct::LParen,
            Punct::RBracket => Punct::LBracket,
            Punct::Gt => Punct::Lt,
            _ => Punct::LBrace,
        };
        let diagnostic = self
            .expected_diagnostic(punct)
            .with_label(open, format!("to match this `{}`", opening.spelling()));
        self.error(diagnostic)
    }

    /// Reports a name that is a keyword of the selected C++ standard.
    fn check_reserved(&mut self, symbol: Symbol) -> Parsed<()> {
        let name = self.interner.spelling(symbol);
        if !self.dialect.reserves(name) {
            return Ok(());
        }
        let message = format!("expected a name, found `{name}`, a keyword of C++20");
        Err(self.error(Diagnostic::new(Code::ExpectedIdentifier, self.span(), message)))
    }

    fn expect_ident(&mut self, what: &str) -> Parsed<Name> {
        if let Some(name) = self.eat_ident() {
            return Ok(name);
        }
        let message = format!("expected {what}, found {}", self.describe());
        Err(self.error(Diagnostic::new(Code::ExpectedIdentifier, self.span(), message)))
    }

    /// A name, which an operator can be.
    fn expect_name(&mut self) -> Parsed<Name> {
        if self.is_keyword(Keyword::Operator) { self.operator_name() } else { self.expect_ident("a name") }
    }

    /// Runs `inner` one level deeper, unless that is too deep.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= self.dialect.depth.nesting {
            return Err(self.too_deep(self.span()));
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    fn too_deep(&mut self, span: Span) -> Reported {
        if self.is_too_deep
            && let Some(reported) = self.sink.reported()
        {
            return reported;
        }
        let Depth { nesting, height } = self.dialect.depth;
        let diagnostic = Diagnostic::new(Code::NestingTooDeep, span.start(), "nesting is too deep")
            .with_note(format!("the maximum is {nesting} nested brackets and {height} nested operators"));
        let diagnostic = if self.dialect.depth == Depth::default() {
            diagnostic.with_help("split the expression: name its parts, or move them into functions")
        } else {
            diagnostic
                .with_help("the address space left for a stack is too small: raise its limit (`ulimit -v`)")
        };
        let reported = self.error(diagnostic);
        self.is_too_deep = true;
        reported
    }
}

#[cfg(test)]
mod tests;
