//! Checks of a correct program: its symbols, its launches, and what the target and the toolkit lack.

use std::mem;
use std::path::PathBuf;

use weft_frontend::Compilation;
use weft_frontend::diag::{Code, Diagnostic, Sink};
use weft_frontend::ir;
use weft_frontend::layout::DataModel;
use weft_frontend::source::Span;
use weft_lower::abi::conflict;
use weft_lower::features::{LibraryCall, Unavailable, Uses};
use weft_lower::limits;
use weft_lower::target::PtxVersion;

use super::interface::Settings;
use crate::error::{Diagnostics, Error, Message, UserError};
use crate::toolchain::discover;

/// Reports duplicate symbols, and those that nvcc would name differently.
pub(super) fn check_symbols(module: &ir::Module, sink: &mut Sink) {
    conflict::check(module).into_iter().for_each(|diagnostic| sink.emit(diagnostic));
}

/// Reports kernels whose launch bounds exceed the target's limits.
pub(super) fn check_launches(module: &ir::Module, settings: &Settings, sink: &mut Sink) {
    if sink.is_on(Code::LaunchBounds) {
        let found = limits::check(module, settings.options.target);
        found.into_iter().for_each(|diagnostic| sink.emit(diagnostic));
    }
}

/// Fails if the program uses something that the target or the requested PTX version lacks. Returns the PTX
/// version to write, if inline PTX needs one.
pub(super) fn check_target(
    uses: &Uses,
    inline: Option<(PtxVersion, Option<Span>)>,
    settings: &Settings,
    compilation: &mut Compilation,
) -> Result<Option<PtxVersion>, Error> {
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
                return Ok(options.ptx_version);
            };
            match (options.ptx_version, span) {
                (None, _) => Ok(Some(needed)),
                // ptxas judges what is unknown here.
                (Some(requested), None) => Ok(Some(requested)),
                (Some(requested), Some(span)) => {
                    let message = format!("this requires PTX {needed}, but {requested} was selected");
                    let diagnostic = Diagnostic::new(Code::UnavailableFeature, span, message)
                        .with_help(format!("use `--ptx-version {needed}`"));
                    compilation.sink.emit(diagnostic);
                    Err(rejected(compilation))
                }
            }
        }
        Err(Unavailable { error, span: None }) => Err(Message::new(error.to_string()).user()),
        Err(Unavailable { error, span: Some(span) }) => {
            compilation.sink.emit(Diagnostic::new(Code::UnavailableFeature, span, error.to_string()));
            Err(rejected(compilation))
        }
    }
}

/// The path of libdevice, if the program calls one of its functions.
pub(super) fn find_libdevice(
    uses: &Uses,
    settings: &Settings,
    compilation: &mut Compilation,
) -> Result<Option<PathBuf>, Error> {
    let Some(LibraryCall { name, span }) = uses.library_call(&settings.options) else {
        return Ok(None);
    };
    if let Some(found) = discover::find_libdevice(&settings.tools) {
        return Ok(Some(found.path));
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
    compilation.sink.emit(diagnostic);
    Err(rejected(compilation))
}

/// The error of a program with errors. Takes what has been reported and the texts.
pub(super) fn rejected(compilation: &mut Compilation) -> Error {
    Error::User(UserError::Program(diagnostics(compilation)))
}

/// What has been reported, in the order of the texts, which go with it.
pub(super) fn diagnostics(compilation: &mut Compilation) -> Diagnostics {
    let (sources, mut sink) = (mem::take(&mut compilation.sources), mem::take(&mut compilation.sink));
    sink.settle(&sources);
    Diagnostics { list: sink.into_sorted(&sources), sources }
}
