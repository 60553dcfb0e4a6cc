//! A text on its way through the frontend.

use std::time::{Duration, Instant};

use weft_frontend::diag::{Reported, Sink};
use weft_frontend::ir::verify::Unverified;
use weft_frontend::source::{FileId, SourceMap, SourceText};
use weft_frontend::token::Interner;
use weft_frontend::{
    Analysis, Dependency, PreprocessOptions, Preprocessed, ir, preprocess, preprocess_pieces,
};
use weft_lower::features::Uses;

use super::interface::Settings;
use crate::emit::times::Times;
use crate::error::{Error, Message};
use crate::headers::Loader;
use crate::inline_ptx::InlinePtx;

/// The program, or the proof that errors were reported, and the headers that it includes.
pub(super) type Analyzed = (Result<Unverified, Reported>, Vec<Dependency>);

/// What happens to function bodies once they have been checked.
pub(super) enum Bodies<'a> {
    /// They are part of the module.
    Keep,
    /// They are dropped after collecting what they use.
    LookAt(&'a mut Seen),
}

/// What function bodies use, and the PTX in them.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) uses: Uses,
    pub(super) ptx: InlinePtx,
}

impl Seen {
    fn visit_function(&mut self, module: &ir::Module, func: ir::Func) {
        self.uses.visit_function(module, func);
        self.ptx.visit_function(module, func);
    }
}

/// A text during the frontend stages.
pub(super) struct Reading<'a> {
    pub(super) settings: &'a Settings,
    pub(super) sources: SourceMap,
    pub(super) file: FileId,
    pub(super) interner: Interner,
    pub(super) sink: Sink,
}

impl<'a> Reading<'a> {
    /// At the start of the text.
    pub(super) fn start(name: &str, text: SourceText, settings: &'a Settings) -> Result<Self, Error> {
        let mut sources = SourceMap::new();
        let file = sources.add(name.to_owned(), text).map_err(|_| {
            let message = Message::new(format!("`{name}` is too large"));
            message.note("the maximum is 4 GiB").user()
        })?;
        let sink = Sink::with_levels(settings.levels.clone());
        Ok(Reading { settings, sources, file, interner: Interner::new(), sink })
    }

    /// Preprocesses the whole text.
    pub(super) fn preprocess(&mut self) -> Preprocessed {
        let (mut headers, options) = self.surroundings();
        preprocess(&mut self.sources, self.file, &mut headers, &options, &mut self.interner, &mut self.sink)
    }

    /// The header search and the preprocessor's options.
    fn surroundings(&self) -> (Loader<'a>, PreprocessOptions) {
        let Settings { preprocessing, options, dialect, .. } = self.settings;
        let headers = Loader::new(preprocessing, options, *dialect);
        let options = PreprocessOptions {
            macros: preprocessing.macros.clone(),
            includes: preprocessing.includes.clone(),
            file_prefixes: preprocessing.file_prefixes.clone(),
            continues_without_headers: dialect.host_code.is_skipped(),
            ..PreprocessOptions::default()
        };
        (headers, options)
    }

    /// Analyzes the program while it is preprocessed.
    pub(super) fn analyze(&mut self, bodies: Bodies<'_>, times: &mut Times) -> Analyzed {
        let start = Instant::now();
        let (mut headers, options) = self.surroundings();
        let Reading { sources, interner, sink, .. } = self;
        let mut analysis = Analysis::new(self.settings.dialect, interner, sink);
        let mut visitor;
        if let Bodies::LookAt(seen) = bodies {
            visitor = |module: &ir::Module, func| seen.visit_function(module, func);
            analysis = analysis.without_bodies(&mut visitor);
        }
        let mut time_of_analysis = Duration::ZERO;
        let dependencies = preprocess_pieces(
            sources,
            self.file,
            &mut headers,
            &options,
            interner,
            sink,
            &mut |piece, sources, interner, sink| {
                let start = Instant::now();
                analysis.read(piece, sources, interner, sink);
                time_of_analysis += start.elapsed();
            },
        );
        times.add("preprocess", start.elapsed().saturating_sub(time_of_analysis));
        let start = Instant::now();
        let module = analysis.finish(sources, interner, sink);
        times.add("analyze", time_of_analysis + start.elapsed());
        (module, dependencies)
    }
}
