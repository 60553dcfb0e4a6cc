//! The grammar (translation phases 5 to 7): from tokens to the [`ast`](crate::ast).
//!
//! Recursive descent with one token of lookahead; where C needs to know whether an identifier names
//! a type, [`name::scope`] knows. What CUDA C++ has and the language has not is refused by name, and
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
//! The work is divided into contexts. Each is a folder with the methods of one concern and the facts that it alone
//! needs, and a view of [`Parser`], which has what all share: the current token, the syntax in the making, which names
//! are types, the sink. A method names the context that it calls: `self.types().type_name()`.
//!
//! - [`name`]: which names are types; namespaces, `using`, names with `::`
//! - [`types`]: specifiers and declarators; structs, unions, enums; attributes
//! - [`declaration`]: declarations and functions
//! - [`expression`]: expressions, literals, initializers
//! - [`statement`]: statements, conditions, inline PTX
//! - [`template`]: templates, which are kept as tokens, and their arguments
//! - [`host`]: host code, which is skipped
//! - [`refused`]: constructs that are recognised in order to be refused
//!
//! What they share:
//!
//! - [`context`]: the views; [`cursor`]: the current token
//! - [`height`]: nodes into their arenas, how high the tree grows, how deep the text nests
//! - [`recover`]: reporting, and going on after a mistake; [`balance`]: a brace too many or too few
//! - [`pragma`]: pragmas apart from the grammar; [`pack`]: how structs are laid out from one on

pub(crate) mod balance;
mod context;
mod cursor;
mod declaration;
mod expression;
mod height;
pub(crate) mod host;
mod name;
mod pack;
mod pragma;
mod recover;
mod refused;
mod statement;
mod template;
mod types;

use std::cell::OnceCell;

use hashbrown::{HashMap, HashSet};
use smallvec::SmallVec;

use crate::Dialect;
use crate::ast::{ClassId, Nodes, TranslationUnit};
use crate::diag::{Reported, Sink};
use crate::namespace::Namespace;
use crate::predeclared::{self, Predeclared};
use crate::source::{SourceMap, Span};
use crate::token::{Interner, Symbol, Token, TokenKind};
use balance::Braces;
use context::{Declarations, Expressions, HostItems, Names, Refusals, Statements, Templates, Types};
use declaration::DeclarationFacts;
use expression::literal::Numbers;
use name::scope::Scopes;
use pack::{PackStack, Packs};
use statement::StatementFacts;
use template::expansion::PackFacts;
use types::TypeFacts;
use types::record::OpenRecord;

pub(crate) use name::scope::PackLen;
pub(crate) use template::again::{Bound, BoundKind, InClass, Reread, Rereader, Text};
pub(crate) use template::guide::{ConstructorText, head_of_guide};

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
pub(crate) type Take<'a> = dyn FnMut(&TranslationUnit, &Nodes, &mut Rereader, &mut Sink) + 'a;

/// A translation unit that is read piece by piece, and handed over function by function: what stands at file scope up
/// to the end of a function, and what stands behind the last one. The nodes of a function's body are forgotten then,
/// and those of the next one take their place; declarations are handed over once.
pub(crate) struct PieceParser {
    dialect: Dialect,
    kept: Kept,
}

/// The functions of a name that were declared for the device.
type DeviceFunctions = SmallVec<[DeviceFunction; 2]>;

#[derive(Clone, Copy)]
struct DeviceFunction {
    /// How many parameters it has, where the declaration says it.
    n_params: Option<usize>,
    is_defined: bool,
}

/// What one piece of the tokens leaves to the next.
#[derive(Default)]
struct Kept {
    /// What `#pragma pack` says.
    pack_stack: PackStack,
    unit: TranslationUnit,
    statement_facts: StatementFacts,
    scopes: Scopes,
    /// See [`Parser`].
    device_functions: HashMap<(Namespace, Symbol), DeviceFunctions>,
    kernels: HashSet<Symbol>,
    launchers: HashSet<Symbol>,
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

    /// Hands over what follows the last function, and returns the names that are known at the end of the text, with the syntax that
    /// lies outside of functions: default arguments are checked again in each call.
    pub(crate) fn finish(
        mut self,
        interner: &Interner,
        sink: &mut Sink,
        take: &mut Take<'_>,
    ) -> (Rereader, TranslationUnit) {
        self.with(interner, sink, take, Parser::hand_over);
        let unit = std::mem::take(&mut self.kept.unit);
        (Rereader { kept: self.kept, dialect: self.dialect }, unit)
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
        self.kept = parser.into_kept();
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
    statement_facts: StatementFacts,
    scopes: Scopes,
    /// For each opening bracket the token that closes it, once something asks.
    closers: OnceCell<Vec<u32>>,
    nesting: u32,
    /// The token at which the last error was reported.
    last_error: Option<usize>,
    /// The `>` of the template arguments that are being read: it is no operator.
    angle_end: usize,
    /// An explicit specialization or instantiation is read.
    is_special: bool,
    /// Nothing in it says that it is the device's.
    is_special_of_host: bool,
    /// The tokens are those of a template, whose name is known.
    is_again: bool,
    /// The parameters of that template that are types: names in them are types after `typename` alone.
    type_params: Vec<Symbol>,
    /// All parameters of that template.
    own_params: Vec<Symbol>,
    /// The instance of a class template whose member the tokens declare, with the classes around it, from the outside in.
    instance_classes: SmallVec<[ClassId; 2]>,
    /// The bodies of member functions are kept as tokens.
    keeps_bodies: bool,
    /// The declaration at file scope has been found too deep.
    is_too_deep: bool,
    /// The body of a function is being read: the token of its `{`.
    body_open: Option<usize>,
    /// The functions that were declared for the device: a definition need not say it again.
    device_functions: HashMap<(Namespace, Symbol), DeviceFunctions>,
    /// The kernels, templates among them.
    kernels: HashSet<Symbol>,
    /// The templates that are kernels, and those of the host that name one: host code with one of these names is kept.
    launchers: HashSet<Symbol>,
    numbers: Numbers,
    record: OpenRecord,
    pack_facts: PackFacts,
    type_facts: TypeFacts,
    declaration_facts: DeclarationFacts,
}

impl<'a> Parser<'a> {
    /// Before the first token.
    fn new(kept: Kept, dialect: Dialect, interner: &'a Interner, sink: &'a mut Sink) -> Self {
        let Kept {
            pack_stack,
            unit,
            statement_facts,
            scopes,
            device_functions,
            kernels,
            launchers,
            numbers,
            seen,
        } = kept;
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
            statement_facts,
            scopes,
            closers: OnceCell::new(),
            nesting: 0,
            last_error: None,
            angle_end: usize::MAX,
            is_special: false,
            is_special_of_host: false,
            is_again: false,
            type_params: Vec::new(),
            own_params: Vec::new(),
            instance_classes: SmallVec::new(),
            keeps_bodies: false,
            is_too_deep: false,
            body_open: None,
            device_functions,
            kernels,
            launchers,
            numbers,
            record: OpenRecord::default(),
            pack_facts: PackFacts::default(),
            type_facts: TypeFacts::default(),
            declaration_facts: DeclarationFacts::default(),
        }
    }

    /// What is left for the next piece.
    fn into_kept(self) -> Kept {
        let Parser {
            pack_stack,
            unit,
            statement_facts,
            scopes,
            device_functions,
            kernels,
            launchers,
            numbers,
            seen,
            ..
        } = self;
        Kept {
            pack_stack,
            unit,
            statement_facts,
            scopes,
            device_functions,
            kernels,
            launchers,
            numbers,
            seen,
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
            launchers: self.launchers.clone(),
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
        self.set_tokens(tokens);
        self.declarations().translation_unit();
        self.warn_unused_pragmas();
    }

    /// Goes to the first of the tokens, which end in `Eof`.
    fn set_tokens(&mut self, tokens: Vec<Token>) {
        let apart = pragma::set_apart(tokens, &mut self.pack_stack, self.interner, self.sink);
        pragma::Apart { tokens: self.tokens, packs: self.packs, pragmas: self.pragmas } = apart;
        self.go_to(0);
        self.closers = OnceCell::new();
        self.last_error = None;
    }
}

impl Parser<'_> {
    /// Hands over what was read, and forgets the body of the function that it ends with.
    fn hand_over(&mut self) {
        let Some(take) = &mut self.take else { return };
        // The names are lent out.
        let kept = Kept {
            scopes: std::mem::take(&mut self.scopes),
            device_functions: std::mem::take(&mut self.device_functions),
            kernels: std::mem::take(&mut self.kernels),
            launchers: std::mem::take(&mut self.launchers),
            numbers: std::mem::take(&mut self.numbers),
            ..Kept::default()
        };
        let mut rereader = Rereader { kept, dialect: self.dialect };
        take(&self.unit, &self.unit.nodes_since(&self.seen), &mut rereader, self.sink);
        let Kept { scopes, device_functions, kernels, launchers, numbers, .. } = rereader.kept;
        (self.scopes, self.device_functions) = (scopes, device_functions);
        (self.kernels, self.launchers, self.numbers) = (kernels, launchers, numbers);
        if let Some(decl) = self.unit.decls.pop()
            && let Some(function) = decl.kind.function()
        {
            self.unit.truncate(&function.nodes);
        }
        self.unit.decls.clear();
        self.unit.host_texts.clear();
        self.seen = self.unit.nodes();
    }
}

#[cfg(test)]
mod tests;
