//! The frontend of Weft: text in, typed program and diagnostics out.
//!
//! The way through is a chain of values, each made from the one before:
//! `.src` text → [`token`] stream → abstract syntax → [`ir::Module`] → [`ir::VerifiedModule`].
//! The crate is pure: it reads no file, no environment, starts no process and knows no LLVM.
//!
//! - [`source`]: the texts being compiled and positions in them
//! - [`diag`]: diagnostics as data, their codes, and their rendering
//! - [`limits`]: the bounds on recursion, and the stack that they ask for
//! - [`token`]: tokens and the interner of spellings
//! - [`ir`]: the typed, wholly explicit program
//! - [`layout`]: sizes, alignments, offsets
//! - [`ptx_name`]: which names PTX can have
//!
//! The stages are functions of this file: [`preprocess`] (with [`lex`] inside it), [`parse`], [`check`], and
//! then [`ir::verify::verify`]; [`lint`] looks at a program that is right for what is odd. Each takes what
//! the one before made and a [`Sink`] for what it finds, and
//! goes on after an error; only [`check`] gives nothing where there was one.
//!
//! The abstract syntax, the parser and the semantic analysis are private: what comes out of them
//! is the IR.

pub mod diag;
pub mod ir;
pub mod layout;
pub mod limits;
pub mod ptx_name;
pub mod source;
pub mod token;

mod ast;
mod extended;
mod lex;
mod lint;
mod parse;
mod predeclared;
mod preprocess;
mod sema;

pub use preprocess::{
    Dependency, Header, Headers, MacroOption, NoHeaders, NotFound, Predefined, PreprocessOptions,
    Preprocessed, Request, TakePiece,
};

pub use sema::Prototype;

use diag::Sink;
use ir::verify::{BodyVerifier, Unverified};
use layout::DataModel;
use limits::Depth;
use source::{FileId, SourceMap};
use token::{Interner, Token};

/// The abstract syntax of a translation unit, opaque but for its dump.
#[derive(Debug)]
pub struct Ast {
    unit: ast::TranslationUnit,
    dialect: Dialect,
}

/// What the meaning of a program depends on besides its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// Functions and variables of file scope without an execution space or a memory are the device's, as NVRTC has
    /// it with `-default-device`; otherwise they are the host's, which is an error.
    pub device_by_default: bool,
    /// What `long` and pointers are.
    pub model: DataModel,
    /// How deep a program may nest: less where there is little memory.
    pub depth: Depth,
}

impl Ast {
    /// The text of `--emit=ast`.
    pub fn print(&self, sources: &SourceMap, interner: &Interner) -> String {
        ast::print::print(&self.unit, sources, interner)
    }
}

/// Reads a file as preprocessing tokens, directives included (translation phases 1 to 3); the last is `Eof`.
pub fn lex(sources: &SourceMap, file: FileId, interner: &mut Interner) -> Vec<Token> {
    lex::lex(sources, file, interner)
}

/// Reads a file and what it includes, carries out the directives and expands macros (translation phases 1
/// to 4). What is left has no directive in it but the pragmas that the parser understands.
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
    Ast { unit: parse::balance::parse(tokens, dialect, sources, interner, sink), dialect }
}

/// Gives the program its meaning: names resolved, types checked, conversions explicit.
///
/// # Errors
/// When the sink holds an error, from this or an earlier stage.
pub fn check(ast: &Ast, interner: &Interner, sink: &mut Sink) -> Result<ir::Module, diag::Reported> {
    sema::check(&ast.unit, ast.dialect, interner, sink)
}

/// Looks for what is allowed and most likely not meant, and warns of it.
pub fn lint(ast: &Ast, module: &ir::Module, sources: &SourceMap, interner: &Interner, sink: &mut Sink) {
    let mut seen = lint::Seen::default();
    lint::look_at_syntax(&ast.unit, &ast.unit.nodes(), sources, sink, &mut seen);
    let funcs: Vec<ir::Func> = module.functions.keys().collect();
    lint::look_at_bodies(&seen, module, &funcs, sources, interner, sink);
    lint::look_at_program(&seen, module, sources, interner, sink);
}

/// Does what [`preprocess`] does, and gives the tokens away piece by piece as they are made, each piece behind the end
/// of a function, to [`Analysis::read`] for example. Ends where the first error is reported. Gives the headers that were
/// read.
pub fn preprocess_pieces(
    sources: &mut SourceMap,
    root: FileId,
    headers: &mut dyn Headers,
    options: &PreprocessOptions,
    interner: &mut Interner,
    sink: &mut Sink,
    take: &mut TakePiece<'_>,
) -> Vec<Dependency> {
    preprocess::preprocess_pieces(sources, root, headers, options, interner, sink, take)
}

/// The way through the frontend for programs without mistakes: what [`analyze_whole`] does, while the text is still
/// being read. It takes less time, and a third of the memory.
///
/// It goes function by function: neither the tokens of a long program nor its tree are ever there as a whole, those of
/// each function lie where those of the one before lay.
///
/// When the program has a mistake, what is to be said of it depends on all that there is. What the sink holds is of no
/// use then: the text is to be preprocessed again, with an empty one, for [`analyze_whole`].
pub struct Analysis<'a> {
    parser: parse::PieceParser,
    program: Program<'a>,
    /// How many symbols have been looked at.
    n_symbols: usize,
}

/// What is told of each function once its body has been checked.
pub type LookAtFunction<'a> = &'a mut dyn FnMut(&ir::Module, ir::Func);

/// What is known of a program that is read function by function.
struct Program<'a> {
    checker: sema::Checker,
    seen: lint::Seen,
    bodies: BodyVerifier,
    /// Sees each function before its body goes; none where bodies are kept.
    look_last: Option<LookAtFunction<'a>>,
}

impl<'a> Analysis<'a> {
    /// Before the first piece.
    pub fn new(dialect: Dialect, interner: &Interner, sink: &mut Sink) -> Self {
        let checker = sema::Checker::new(dialect, interner, sink);
        let program = Program {
            checker,
            seen: lint::Seen::default(),
            bodies: BodyVerifier::default(),
            look_last: None,
        };
        Analysis { parser: parse::PieceParser::new(dialect), program, n_symbols: 0 }
    }

    /// Lets go of the body of each function once it has been checked and verified and `look_last` has seen it, for who
    /// wants to know of a program's mistakes and no more. More than half of what a long program takes is bodies.
    ///
    /// The module is for [`Unverified::verify_but_bodies`] then.
    #[must_use]
    pub fn without_bodies(mut self, look_last: LookAtFunction<'a>) -> Self {
        self.program.look_last = Some(look_last);
        self
    }

    /// Reads a piece that [`preprocess_pieces`] gives, with all that comes with it.
    pub fn read(
        &mut self,
        tokens: &mut Vec<Token>,
        sources: &SourceMap,
        interner: &Interner,
        sink: &mut Sink,
    ) {
        let named: Vec<_> = predeclared::named(interner, self.n_symbols).collect();
        self.n_symbols = interner.len();
        self.program.checker.learn(&named, interner, sink);
        let Analysis { parser, program, .. } = self;
        parser.read(tokens, &named, interner, sink, &mut |unit, nodes, sink| {
            program.look_at(unit, nodes, sources, interner, sink);
        });
    }

    /// The program, once all of it has been read.
    ///
    /// # Errors
    /// When it has a mistake.
    pub fn finish(
        self,
        sources: &SourceMap,
        interner: &Interner,
        sink: &mut Sink,
    ) -> Result<Unverified, diag::Reported> {
        let Analysis { parser, mut program, .. } = self;
        parser.finish(interner, sink, &mut |unit, nodes, sink| {
            program.look_at(unit, nodes, sources, interner, sink);
        });
        let Program { checker, seen, bodies, look_last } = program;
        let module = checker.finish(&ast::TranslationUnit::default(), interner, sink)?;
        lint::look_at_program(&seen, &module, sources, interner, sink);
        Ok(Unverified::new(module, bodies, look_last.is_none()))
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
        let Program { checker, seen, bodies, look_last } = self;
        checker.check(unit, interner, sink);
        lint::look_at_syntax(unit, nodes, sources, sink, seen);
        if sink.reported().is_none() {
            // What was just made is at hand.
            lint::look_at_bodies(seen, checker.module(), checker.checked(), sources, interner, sink);
            bodies.verify(checker.module(), checker.checked().iter().copied());
            if let Some(look_last) = look_last {
                checker.checked().iter().for_each(|&func| look_last(checker.module(), func));
                checker.drop_bodies();
            }
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

/// Does what [`parse_as`], [`check`] and [`lint`] do, one after the other.
///
/// # Errors
/// When the sink holds an error, from this or an earlier stage.
pub fn analyze_whole(
    tokens: &[Token],
    dialect: Dialect,
    sources: &SourceMap,
    interner: &Interner,
    sink: &mut Sink,
) -> Result<ir::Module, diag::Reported> {
    let ast = parse_as(tokens, dialect, sources, interner, sink);
    let module = check(&ast, interner, sink)?;
    lint(&ast, &module, sources, interner, sink);
    Ok(module)
}

/// The overloads of all built-in functions.
pub fn builtin_prototypes() -> Vec<Prototype> {
    sema::builtin_prototypes()
}
