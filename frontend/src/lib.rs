//! The frontend of Weft: from source text to a typed program and diagnostics.
//!
//! The stages form a chain:
//! source text → [`token`] stream → AST → [`ir::Module`] → [`ir::VerifiedModule`].
//! The crate is pure: it does not read files or the environment, start processes, or depend on LLVM.
//!
//! - [`source`]: the texts being compiled and positions in them
//! - [`diag`]: diagnostics as data, their codes, and their rendering
//! - [`limits`]: the bounds on recursion, and the stack size that they require
//! - [`token`]: tokens and the interner of spellings
//! - [`ir`]: the typed program, with everything implicit made explicit
//! - [`layout`]: sizes, alignments, offsets
//! - [`ptx_name`]: the names that are valid in PTX
//!
//! [`analyze`] runs them all, on one function after the other; [`Analysis`] does for a caller that has its own preprocessor or wants to
//! see functions as they come. [`lex`], [`preprocess`] and [`parse`] give the output of single stages, to be printed. Each stage takes a
//! [`Sink`] for diagnostics, and continues after an error. Correct programs are also looked at for suspicious code.
//!
//! The AST, the parser and the semantic analysis are private: their output
//! is the IR.

pub mod diag;
pub mod ir;
pub mod layout;
pub mod limits;
pub mod ptx_name;
pub mod source;
pub mod token;

#[macro_use]
mod contexts;

mod ast;
mod extended;
mod lex;
mod lint;
mod namespace;
mod parse;
mod predeclared;
mod preprocess;
mod sema;

pub use preprocess::{
    Dependency, Header, Headers, MacroOption, NoHeaders, NotFound, PieceConsumer, Predefined,
    PreprocessOptions, Preprocessed, Request,
};

pub use sema::Prototype;

use std::mem;

use diag::Sink;
use ir::verify::{BodyVerifier, Unverified};
use layout::DataModel;
use limits::Depth;
use parse::balance::Braces;
use source::{FileId, SourceMap};
use token::{Interner, Token};

/// The abstract syntax of a translation unit, opaque but for its dump.
#[derive(Debug)]
pub struct Ast {
    unit: ast::TranslationUnit,
}

/// Options that affect the meaning of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// Functions and variables of file scope without an execution space or a memory are the device's, as NVRTC has
    /// it with `-default-device`; otherwise they are the host's, which is an error.
    pub device_by_default: bool,
    /// The sizes of `long` and pointers.
    pub model: DataModel,
    /// How deep a program may nest: less where there is little memory.
    pub depth: Depth,
    /// What becomes of host code.
    pub host_code: HostCode,
    /// Device code can call `constexpr` functions of the host, as with nvcc's `--expt-relaxed-constexpr`.
    pub relaxed_constexpr: bool,
    /// The value of `__cplusplus`; `None` for that of C++17.
    pub cplusplus: Option<&'static str>,
}

impl Dialect {
    /// Whether a name is a keyword of the C++ standard, and not of C++17.
    pub(crate) fn reserves(self, name: &str) -> bool {
        let is_later = self.cplusplus.is_some_and(|number| number >= "202002L");
        is_later
            && matches!(
                name,
                "char8_t"
                    | "concept"
                    | "consteval"
                    | "constinit"
                    | "co_await"
                    | "co_return"
                    | "co_yield"
                    | "requires"
            )
    }
}

/// What becomes of functions, variables and types at file scope that are the host's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostCode {
    /// They are errors.
    Refuse,
    /// They are skipped; their use in device code is an error.
    #[default]
    Skip,
    /// As [`Skip`](HostCode::Skip), but definitions of functions and variables are errors: the output is for a
    /// host linker, which would miss them.
    SkipDeclarations,
}

impl HostCode {
    /// Whether host code is skipped.
    pub fn is_skipped(self) -> bool {
        self != HostCode::Refuse
    }
}

impl Ast {
    /// The text of `--emit=ast`.
    pub fn print(&self, sources: &SourceMap, interner: &Interner) -> String {
        ast::print::print(&self.unit, sources, interner)
    }

    /// The uses of kernels in the host code that was skipped, one on a line: the place, how it is used, and the kernel with its
    /// template arguments as they are written. `a.cu:12:5: launch scale<float>`; in place of `launch`, the function of CUDA's runtime
    /// that takes the kernel as an argument, or `address`.
    pub fn print_launches(&self, sources: &SourceMap, interner: &Interner) -> String {
        ast::kernel_use::print(&self.unit, sources, interner)
    }
}

/// Reads a file as preprocessing tokens, directives included (translation phases 1 to 3); the last is `Eof`.
pub fn lex(sources: &SourceMap, file: FileId, interner: &mut Interner) -> Vec<Token> {
    lex::lex(sources, file, interner)
}

/// Reads a file and its includes, executes the directives and expands macros (translation phases 1
/// to 4). The output has no directives except the pragmas for the parser.
pub fn preprocess(
    sources: &mut SourceMap,
    root: FileId,
    headers: &mut dyn Headers,
    options: &PreprocessOptions,
    interner: &mut Interner,
    sink: &mut Sink,
) -> Preprocessed {
    preprocess::preprocess(sources, root, headers, options, interner, sink)
}

/// The text of `-E`: with `markers`, lines that say where the text comes from.
pub fn print_preprocessed(
    sources: &SourceMap,
    interner: &Interner,
    tokens: &[Token],
    markers: bool,
) -> String {
    preprocess::print::print(sources, interner, tokens, markers)
}

/// Reads the grammar (translation phases 5 to 7).
pub fn parse(tokens: &[Token], sources: &SourceMap, interner: &Interner, sink: &mut Sink) -> Ast {
    parse_as(tokens, Dialect::default(), sources, interner, sink)
}

/// The same, of a dialect, which the later stages keep to.
pub fn parse_as(
    tokens: &[Token],
    dialect: Dialect,
    sources: &SourceMap,
    interner: &Interner,
    sink: &mut Sink,
) -> Ast {
    Ast { unit: parse::parse(tokens, dialect, sources, interner, sink) }
}

/// Like [`preprocess`], but hands over the tokens piece by piece as they are produced, each piece after the end
/// of a function, to [`Analysis::read`] for example. Gives the headers that were read.
pub fn preprocess_pieces(
    sources: &mut SourceMap,
    root: FileId,
    headers: &mut dyn Headers,
    options: &PreprocessOptions,
    interner: &mut Interner,
    sink: &mut Sink,
    take: &mut PieceConsumer<'_>,
) -> Vec<Dependency> {
    preprocess::preprocess_pieces(sources, root, headers, options, interner, sink, take)
}

/// The way of a program through the stages after the preprocessor, while the text is still being read.
///
/// It goes function by function: neither the tokens of a long program nor its tree are ever there as a whole, those of
/// each function reuse the memory of the previous one.
pub struct Analysis<'a> {
    parser: parse::PieceParser,
    program: Program<'a>,
    /// How many symbols have been looked at.
    n_symbols: usize,
    /// The last piece, which waits until the next one shows that it has the braces that it should have.
    held: parse::Piece,
}

/// Called for each function after its body has been checked.
pub type FunctionVisitor<'a> = &'a mut dyn FnMut(&ir::Module, ir::Func);

/// The state of a program that is read function by function.
struct Program<'a> {
    checker: sema::Checker,
    seen: lint::Seen,
    bodies: BodyVerifier,
    /// The number of errors when the last function had been checked.
    n_errors: usize,
    /// Sees each function before its body is dropped; `None` if bodies are kept.
    visitor: Option<FunctionVisitor<'a>>,
}

impl<'a> Analysis<'a> {
    /// Before the first piece.
    pub fn new(dialect: Dialect, interner: &Interner, sink: &mut Sink) -> Self {
        let checker = sema::Checker::new(dialect, interner, sink);
        let program = Program {
            checker,
            seen: lint::Seen::default(),
            bodies: BodyVerifier::default(),
            n_errors: 0,
            visitor: None,
        };
        Analysis {
            parser: parse::PieceParser::new(dialect),
            program,
            n_symbols: 0,
            held: parse::Piece::default(),
        }
    }

    /// Drops the body of each function once it has been checked, verified and seen by `visitor`, for callers that
    /// only need diagnostics. Bodies are more than half of the memory of a long program.
    ///
    /// The module is for [`Unverified::verify_but_bodies`] then.
    #[must_use]
    pub fn without_bodies(mut self, visitor: FunctionVisitor<'a>) -> Self {
        self.program.visitor = Some(visitor);
        self
    }

    /// Takes a piece that [`preprocess_pieces`] gives, with all that comes with it, and reads the one before.
    pub fn read(
        &mut self,
        tokens: &mut Vec<Token>,
        sources: &SourceMap,
        interner: &Interner,
        sink: &mut Sink,
    ) {
        let braces = Braces::of(tokens);
        if braces.close_more() && !self.held.tokens.is_empty() {
            // A brace is missing in one of the two: they are read as one. The first ends in `Eof`.
            self.held.tokens.pop();
            self.held.tokens.append(tokens);
            self.held.braces = Braces::of(&self.held.tokens);
            return;
        }
        let mut piece = parse::Piece { tokens: mem::take(tokens), braces };
        mem::swap(&mut self.held, &mut piece);
        self.read_piece(&mut piece, sources, interner, sink);
        // Its memory is for the next one.
        *tokens = piece.tokens;
    }

    fn read_piece(
        &mut self,
        piece: &mut parse::Piece,
        sources: &SourceMap,
        interner: &Interner,
        sink: &mut Sink,
    ) {
        let named: Vec<_> = predeclared::named(interner, self.n_symbols).collect();
        self.n_symbols = interner.len();
        self.program.checker.learn(&named, interner, sink);
        let Analysis { parser, program, .. } = self;
        parser.read(piece, &named, sources, interner, sink, &mut |unit, nodes, sink| {
            program.look_at(unit, nodes, sources, interner, sink);
        });
    }

    /// The program, once all of it has been read.
    ///
    /// # Errors
    /// When it has a mistake.
    pub fn finish(
        mut self,
        sources: &SourceMap,
        interner: &Interner,
        sink: &mut Sink,
    ) -> Result<Unverified, diag::Reported> {
        let mut last = mem::take(&mut self.held);
        self.read_piece(&mut last, sources, interner, sink);
        let Analysis { parser, mut program, .. } = self;
        parser.finish(interner, sink, &mut |unit, nodes, sink| {
            program.look_at(unit, nodes, sources, interner, sink);
        });
        let Program { checker, seen, bodies, visitor, .. } = program;
        let module = checker.finish(&ast::TranslationUnit::default(), interner, sink)?;
        lint::check_program(&seen, &module, sources, interner, sink);
        Ok(Unverified::new(module, bodies, visitor.is_none()))
    }
}

impl Program<'_> {
    /// Checks a function and the declarations before it, of which `nodes` are new.
    fn look_at(
        &mut self,
        unit: &ast::TranslationUnit,
        nodes: &ast::Nodes,
        sources: &SourceMap,
        interner: &Interner,
        sink: &mut Sink,
    ) {
        let Program { checker, seen, bodies, n_errors, visitor } = self;
        let n_errors_before = sink.n_errors();
        let is_damaged = n_errors_before > *n_errors;
        checker.check(unit, is_damaged, interner, sink);
        *n_errors = sink.n_errors();
        let is_correct = !is_damaged && sink.n_errors() == n_errors_before;
        if is_correct {
            // The new nodes are still in the cache.
            lint::check_syntax(unit, nodes, sources, sink, seen);
            lint::check_bodies(seen, checker.module(), checker.checked(), sources, interner, sink);
        }
        if sink.reported().is_none() {
            bodies.verify(checker.module(), checker.checked().iter().copied());
            if let Some(visitor) = visitor {
                checker.checked().iter().for_each(|&func| visitor(checker.module(), func));
            }
        }
        if visitor.is_some() {
            checker.drop_bodies();
        }
    }
}

/// Preprocesses and analyzes a text at the same time: [`preprocess_pieces`] for an [`Analysis`].
///
/// # Errors
/// When the program has a mistake; see [`Analysis`].
pub fn analyze(
    sources: &mut SourceMap,
    root: FileId,
    headers: &mut dyn Headers,
    options: &PreprocessOptions,
    dialect: Dialect,
    interner: &mut Interner,
    sink: &mut Sink,
) -> Result<Unverified, diag::Reported> {
    let mut analysis = Analysis::new(dialect, interner, sink);
    let mut take = |tokens: &mut Vec<Token>, sources: &SourceMap, interner: &Interner, sink: &mut Sink| {
        analysis.read(tokens, sources, interner, sink);
    };
    preprocess_pieces(sources, root, headers, options, interner, sink, &mut take);
    analysis.finish(sources, interner, sink)
}

/// [`analyze`] for a text without headers and options.
#[cfg(test)]
fn analyze_alone(
    sources: &mut SourceMap,
    file: FileId,
    interner: &mut Interner,
    sink: &mut Sink,
) -> Result<Unverified, diag::Reported> {
    let options = PreprocessOptions::default();
    analyze(sources, file, &mut NoHeaders, &options, Dialect::default(), interner, sink)
}

/// The overloads of all built-in functions.
pub fn builtin_prototypes() -> Vec<Prototype> {
    sema::builtin_prototypes()
}
