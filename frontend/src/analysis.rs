//! The way of a program through the parser and the checks, piece by piece.

use std::mem;

use crate::compilation::Compilation;
use crate::diag::{Reported, Sink};
use crate::ir::verify::{BodyVerifier, Unverified};
use crate::parse::balance::Braces;
use crate::source::SourceMap;
use crate::token::{Interner, Token};
use crate::{ast, ir, lint, parse, predeclared, sema};

/// The way of a program through the stages after the preprocessor, while the text is still being read.
///
/// It goes function by function: neither the tokens of a long program nor its tree are ever there as a whole, those of
/// each function reuse the memory of the previous one.
pub(crate) struct Analysis<'a> {
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
    pub(crate) fn new(compilation: &mut Compilation) -> Self {
        let Compilation { interner, sink, options, .. } = compilation;
        let checker = sema::Checker::new(options.dialect, interner, sink);
        let program = Program {
            checker,
            seen: lint::Seen::default(),
            bodies: BodyVerifier::default(),
            n_errors: 0,
            visitor: None,
        };
        Analysis {
            parser: parse::PieceParser::new(options.dialect),
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
    pub(crate) fn without_bodies(mut self, visitor: FunctionVisitor<'a>) -> Self {
        self.program.visitor = Some(visitor);
        self
    }

    /// Takes a piece of the tokens, and reads the one before.
    pub(crate) fn read(&mut self, tokens: &mut Vec<Token>, compilation: &mut Compilation) {
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
        self.read_piece(&mut piece, compilation);
        // Its memory is for the next one.
        *tokens = piece.tokens;
    }

    fn read_piece(&mut self, piece: &mut parse::Piece, compilation: &mut Compilation) {
        let Compilation { sources, interner, sink, .. } = compilation;
        let named: Vec<_> = predeclared::named(interner, self.n_symbols).collect();
        self.n_symbols = interner.len();
        self.program.checker.learn(&named, interner, sink);
        let Analysis { parser, program, .. } = self;
        parser.read(piece, &named, sources, interner, sink, &mut |unit, nodes, rereader, sink| {
            program.look_at(unit, nodes, rereader, sources, interner, sink);
        });
    }

    /// The program, once all of it has been read.
    ///
    /// # Errors
    /// When it has a mistake.
    pub(crate) fn finish(mut self, compilation: &mut Compilation) -> Result<Unverified, Reported> {
        let instantiate = instances_to_make(compilation);
        let mut last = mem::take(&mut self.held);
        self.read_piece(&mut last, compilation);
        let Compilation { sources, interner, sink, .. } = compilation;
        let Analysis { parser, mut program, .. } = self;
        let (mut rereader, unit) = parser.finish(interner, sink, &mut |unit, nodes, rereader, sink| {
            program.look_at(unit, nodes, rereader, sources, interner, sink);
        });
        program.look_at(&unit, &ast::Nodes::default(), &mut rereader, sources, interner, sink);
        let Program { checker, seen, bodies, visitor, .. } = program;
        let module = checker.finish(&unit, &mut rereader, &instantiate, interner, sink)?;
        lint::check_program(&seen, &module, sources, interner, sink);
        Ok(Unverified::new(module, bodies, visitor.is_none()))
    }
}

/// The tokens of the instances that are asked for; each list ends in `Eof`.
fn instances_to_make(compilation: &mut Compilation) -> Vec<Vec<Token>> {
    let texts = compilation.options.instantiate.clone();
    // A text that does not fit is as if it were empty, and an error.
    let tokens = |text: String| match compilation.sources.add("--instantiate".to_owned(), text) {
        Ok(file) => compilation.lex(file),
        Err(_) => Vec::new(),
    };
    texts.into_iter().map(tokens).collect()
}

impl Program<'_> {
    /// Checks a function and the declarations before it, of which `nodes` are new.
    fn look_at(
        &mut self,
        unit: &ast::TranslationUnit,
        nodes: &ast::Nodes,
        rereader: &mut parse::Rereader,
        sources: &SourceMap,
        interner: &Interner,
        sink: &mut Sink,
    ) {
        let Program { checker, seen, bodies, n_errors, visitor } = self;
        let n_errors_before = sink.n_errors();
        let is_damaged = n_errors_before > *n_errors;
        checker.check(unit, is_damaged, rereader, interner, sink);
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
