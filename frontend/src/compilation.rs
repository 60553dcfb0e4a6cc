//! What the stages share, and the stages by their names.

use std::time::Duration;

use crate::analysis::{Analysis, FunctionVisitor};
use crate::diag::{Levels, Reported, Sink};
use crate::dialect::Dialect;
use crate::ir::verify::Unverified;
use crate::preprocess::{Dependency, Headers, PreprocessOptions, Preprocessed};
use crate::source::{FileId, SourceMap};
use crate::token::{Interner, Token};
use crate::{ast, lex, parse, preprocess};

/// What one compilation has at every stage.
pub struct Compilation {
    /// The texts, and every place in them.
    pub sources: SourceMap,
    /// The spellings of names.
    pub interner: Interner,
    /// What has been reported.
    pub sink: Sink,
    /// How the program is to be read.
    pub options: FrontendOptions,
}

/// How a program is to be read.
#[derive(Clone, Debug)]
pub struct FrontendOptions {
    /// What affects the meaning of the program.
    pub dialect: Dialect,
    /// Macros, headers, and the rest that the preprocessor takes.
    pub preprocessor: PreprocessOptions,
    /// Instances of kernel templates to make besides those that host code launches: `k<float, 4>`.
    pub instantiate: Vec<String>,
    /// The time since some start, for the times in [`Analyzed`], which nothing else depends on.
    pub clock: fn() -> Duration,
}

impl Default for FrontendOptions {
    /// The defaults of each; the time stands still.
    fn default() -> Self {
        FrontendOptions {
            dialect: Dialect::default(),
            preprocessor: PreprocessOptions::default(),
            instantiate: Vec::new(),
            clock: || Duration::ZERO,
        }
    }
}

/// What becomes of the bodies of functions once they have been checked.
pub enum Bodies<'a> {
    /// They are part of the module, which [`Unverified::verify`] then takes.
    Keep,
    /// They are dropped once they have been seen, for callers that only need diagnostics. They are more than half of the memory of
    /// a long program. The module is for [`Unverified::verify_but_bodies`] then.
    Visit(FunctionVisitor<'a>),
}

/// A program that has been read.
pub struct Analyzed {
    /// The program, unless it has a mistake.
    pub module: Result<Unverified, Reported>,
    /// The headers that were read, each once, in the order of their first use.
    pub dependencies: Vec<Dependency>,
    /// How long the preprocessor took.
    pub preprocessing: Duration,
    /// How long the stages after it took.
    pub analysis: Duration,
}

impl Compilation {
    /// Without a text yet; every warning at its own level.
    pub fn new(options: FrontendOptions) -> Self {
        Compilation::with_levels(options, Levels::default())
    }

    /// With levels of warnings.
    pub fn with_levels(options: FrontendOptions, levels: Levels) -> Self {
        Compilation {
            sources: SourceMap::new(),
            interner: Interner::new(),
            sink: Sink::with_levels(levels),
            options,
        }
    }

    /// Reads a file as preprocessing tokens, directives included (translation phases 1 to 3); the last is `Eof`.
    pub fn lex(&mut self, file: FileId) -> Vec<Token> {
        lex::lex(&self.sources, file, &mut self.interner)
    }

    /// Reads a file and its includes, executes the directives and expands macros (translation phases 1 to 4). The output has no
    /// directives except the pragmas for the parser.
    pub fn preprocess(&mut self, root: FileId, headers: &mut dyn Headers) -> Preprocessed {
        preprocess::preprocess(self, root, headers)
    }

    /// The text of `-E`: with `markers`, lines that say where the text comes from.
    pub fn print_preprocessed(&self, tokens: &[Token], markers: bool) -> String {
        preprocess::print::print(&self.sources, &self.interner, tokens, markers)
    }

    /// Reads the grammar of preprocessed tokens (translation phases 5 to 7).
    pub fn parse(&mut self, tokens: &[Token]) -> Ast {
        let Compilation { sources, interner, sink, options } = self;
        Ast { unit: parse::parse(tokens, options.dialect, sources, interner, sink) }
    }

    /// Reads a file as a program, function by function: neither its tokens nor its syntax tree are ever there as a whole.
    pub fn analyze(&mut self, root: FileId, headers: &mut dyn Headers, bodies: Bodies<'_>) -> Analyzed {
        let clock = self.options.clock;
        let start = clock();
        let mut analysis = Analysis::new(self);
        if let Bodies::Visit(visitor) = bodies {
            analysis = analysis.without_bodies(visitor);
        }
        let mut time_of_analysis = Duration::ZERO;
        let mut take = |tokens: &mut Vec<Token>, compilation: &mut Compilation| {
            let start = clock();
            analysis.read(tokens, compilation);
            time_of_analysis += clock().saturating_sub(start);
        };
        let dependencies = preprocess::preprocess_pieces(self, root, headers, &mut take);
        let preprocessing = clock().saturating_sub(start + time_of_analysis);
        let start = clock();
        let module = analysis.finish(self);
        let analysis = time_of_analysis + clock().saturating_sub(start);
        Analyzed { module, dependencies, preprocessing, analysis }
    }
}

/// The abstract syntax of a translation unit, opaque but for its dump.
#[derive(Debug)]
pub struct Ast {
    unit: ast::TranslationUnit,
}

impl Ast {
    /// The text of `--emit=ast`.
    pub fn print(&self, compilation: &Compilation) -> String {
        ast::print::print(&self.unit, &compilation.sources, &compilation.interner)
    }

    /// The uses of kernels in the host code that was skipped, one on a line: the place, how it is used, and the kernel with its
    /// template arguments as they are written. `a.cu:12:5: launch scale<float>`; in place of `launch`, the function of CUDA's runtime
    /// that takes the kernel as an argument, or `address`.
    pub fn print_launches(&self, compilation: &Compilation) -> String {
        ast::kernel_use::print(&self.unit, &compilation.sources, &compilation.interner)
    }
}
