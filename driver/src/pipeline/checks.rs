//! Checks of a correct program: its symbols, its launches, and what the target and the toolkit lack.

use std::path::PathBuf;

use weft_frontend::diag::{Code, Diagnostic, Sink};
use weft_frontend::ir;
use weft_frontend::layout::DataModel;
use weft_frontend::source::{SourceMap, Span};
use weft_lower::abi::conflict;
use weft_lower::features::{LibraryCall, Unavailable, Uses};
use weft_lower::limits;
use weft_lower::target::PtxVersion;

use super::interface::Settings;
use crate::error::{Diagnostics, Error, Message, UserError};
use crate::toolchain::discover;

/// Reports duplicate symbols, and those that nvcc would name differently.
pub(super) fn check_symbols(module: &ir::Module, mut sink: Sink) -> Sink {
    conflict::check(module).into_iter().for_each(|diagnostic| sink.emit(diagnostic));
    sink
}

/// Reports kernels whose launch bounds exceed the target's limits.
pub(super) fn check_launches(module: &ir::Module, settings: &Settings, mut sink: Sink) -> Sink {
    if sink.is_on(Code::LaunchBounds) {
        let found = limits::check(module, settings.options.target);
        found.into_iter().for_each(|diagnostic| sink.emit(diagnostic));
    }
    sink
}

/// Fails if the program uses something that the target or the requested PTX version lacks. Returns the PTX
/// version to write, if inline PTX needs one.
pub(super) fn check_target(
    uses: &Uses,
    inline: Option<(PtxVersion, Option<Span>)>,
    settings: &Settings,
    sources: SourceMap,
    mut sink: Sink,
) -> Result<(Option<PtxVersion>, SourceMap, Sink), Error> {
    let Settings { options, dialect, .. } = settings;
    if dialect.model == DataModel::Ilp32 && !options.target.has_narrow_addresses() {
        return Err(Message::new(format!("{} does not support 32-bit addresses", options.target))
            .note("ptxas supports them for GPUs up to sm_89")
            .help("omit `-m32`, or compile for an older GPU: `--arch sm_75`")
            .user());
    }
    match uses.ptx_version(options) {
        Ok(version) => {
            let Some((needed, span)) = inline.filter(|&(needed, _)| needed > version) else {
                return Ok((options.ptx_version, sources, sink));
            };
            match (options.ptx_version, span) {
                (None, _) => Ok((Some(needed), sources, sink)),
                // ptxas judges what is unknown here.
                (Some(requested), None) => Ok((Some(requested), sources, sink)),
                (Some(requested), Some(span)) => {
                    let message = format!("this requires PTX {needed}, but {requested} was selected");
                    let diagnostic = Diagnostic::new(Code::UnavailableFeature, span, message)
                        .with_help(format!("use `--ptx-version {needed}`"));
                    sink.emit(diagnostic);
                    Err(rejected(sources, sink))
                }
            }
        }
        Err(Unavailable { error, span: None }) => Err(Message::new(error.to_string()).user()),
        Err(Unavailable { error, span: Some(span) }) => {
            sink.emit(Diagnostic::new(Code::UnavailableFeature, span, error.to_string()));
            Err(rejected(sources, sink))
        }
    }
}

/// The path of libdevice, if the program calls one of its functions.
pub(super) fn find_libdevice(
    uses: &Uses,
    settings: &Settings,
    sources: SourceMap,
    mut sink: Sink,
) -> Result<(Option<PathBuf>, SourceMap, Sink), Error> {
    let Some(LibraryCall { name, span }) = uses.library_call(&settings.options) else {
        return Ok((None, sources, sink));
    };
    if let Some(found) = discover::find_libdevice(&settings.tools) {
        return Ok((Some(found.path), sources, sink));
    }
    let message =
        format!("`{name}` requires libdevice, NVIDIA's library of math functions, which was not found");
    let diagnostic = Diagnostic::new(Code::MissingLibdevice, *span, message)
        .with_note(format!(
            "searched for {} in {}",
            discover::LIBDEVICE,
            discover::places_looked_at(&settings.tools)
        ))
        .with_help("to install it: pip install nvidia-nvvm; or point `--cuda-path` to a CUDA toolkit");
    sink.emit(diagnostic);
    Err(rejected(sources, sink))
}

/// The error of a program with errors.
pub(super) fn rejected(sources: SourceMap, mut sink: Sink) -> Error {
    sink.settle(&sources);
    Error::User(UserError::Program(Diagnostics { list: sink.into_sorted(&sources), sources }))
}
