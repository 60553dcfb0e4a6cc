//! A text in front of the frontend, and what is collected while it is read.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use weft_frontend::ir::verify::Unverified;
use weft_frontend::source::{FileId, SourceText};
use weft_frontend::{Bodies, Compilation, Dependency, FrontendOptions, PreprocessOptions, ir};
use weft_lower::features::Uses;

use super::checks::rejected;
use super::interface::Settings;
use crate::emit::times::Times;
use crate::error::{Error, Message};
use crate::headers::Loader;
use crate::inline_ptx::InlinePtx;

/// What function bodies use, and the PTX in them.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) uses: Uses,
    pub(super) ptx: InlinePtx,
}

impl Seen {
    pub(super) fn visit_function(&mut self, module: &ir::Module, func: ir::Func) {
        self.uses.visit_function(module, func);
        self.ptx.visit_function(module, func);
    }
}

/// A compilation of the text, which has not been read yet.
pub(super) fn start(
    name: &str,
    text: SourceText,
    settings: &Settings,
) -> Result<(Compilation, FileId), Error> {
    let Settings { preprocessing, dialect, .. } = settings;
    let preprocessor = PreprocessOptions {
        macros: preprocessing.macros.clone(),
        includes: preprocessing.includes.clone(),
        file_prefixes: preprocessing.file_prefixes.clone(),
        continues_without_headers: dialect.host_code.is_skipped(),
        ..PreprocessOptions::default()
    };
    let options =
        FrontendOptions { dialect: *dialect, preprocessor, instantiate: settings.instantiate.clone(), clock };
    let mut compilation = Compilation::with_levels(options, settings.levels.clone());
    let file = compilation.sources.add(name.to_owned(), text).map_err(|_| {
        let message = Message::new(format!("`{name}` is too large"));
        message.note("the maximum is 4 GiB").user()
    })?;
    Ok((compilation, file))
}

/// The time since it was first asked for.
fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// The header search.
pub(super) fn headers(settings: &Settings) -> Loader<'_> {
    Loader::new(&settings.preprocessing, &settings.options, settings.dialect)
}

/// The program, and the headers that it includes.
pub(super) fn analyze(
    compilation: &mut Compilation,
    file: FileId,
    bodies: Bodies<'_>,
    settings: &Settings,
    times: &mut Times,
) -> Result<(Unverified, Vec<Dependency>), Error> {
    let analyzed = compilation.analyze(file, &mut headers(settings), bodies);
    times.add("preprocess", analyzed.preprocessing);
    times.add("analyze", analyzed.analysis);
    match analyzed.module {
        Ok(module) => Ok((module, analyzed.dependencies)),
        Err(_) => Err(rejected(compilation)),
    }
}
