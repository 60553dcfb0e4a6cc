//! The stages, on one screen: from a source text to the requested text.
//!
//! - [`interface`]: what a compilation takes and gives
//! - `reading`: the frontend; `checks`: what follows it
//!
//! [`translate`] is the compiler; [`crate::jobs`] does the rest that the command line requests.

mod checks;
mod interface;
mod reading;

use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::time::Instant;

use weft_frontend::ir::VerifiedModule;
use weft_frontend::ir::verify::Unverified;
use weft_frontend::source::SourceText;
use weft_frontend::token::{Token, print_tokens};
use weft_frontend::{Bodies, Compilation, Dialect, Preprocessed, ir};
use weft_lower::abi::header::header;
use weft_lower::abi::stub::host_stub;
use weft_lower::features::Uses;
use weft_lower::{
    Libdevice, Options, Output, Stopped, UNREADABLE_LIBDEVICE, depth_here, lower, on_guarded_thread,
};

use crate::abi::declared;
use crate::emit::source_in_ptx::with_source;
use crate::emit::times::Times;
use crate::error::{Error, Message};
use crate::findings::inline;
use crate::inline_ptx::InlinePtx;
use crate::input::read_file;
use crate::run::describe;
use crate::toolchain::library::Library;
use checks::{check_launches, check_symbols, check_target, diagnostics, find_libdevice, rejected};
pub use interface::{Emit, Outputs, Settings};
use reading::{Seen, analyze, headers, start};

/// Compiles a text.
///
/// `name` is its name in messages. An owned text is not copied. The work runs on a separate thread, whose
/// stack suffices for the deepest program that the parser accepts.
///
/// # Errors
///
/// [`Error::User`] with the diagnostics of a program with errors; [`Error::Internal`] for a bug in the
/// compiler, including a panic.
pub fn compile(
    name: &str,
    text: impl Into<Vec<u8>>,
    emit: Emit,
    options: &Options,
) -> Result<Outputs, Error> {
    compile_with(name, text, emit, &Settings::new(options.clone()))
}

/// Compiles a text with settings for macros, headers and warnings.
///
/// # Errors
///
/// Like [`compile`], and if a warning counts as an error.
pub fn compile_with(
    name: &str,
    text: impl Into<Vec<u8>>,
    emit: Emit,
    settings: &Settings,
) -> Result<Outputs, Error> {
    let text = text.into();
    on_own_thread(|| {
        let depth = depth_here();
        if depth == settings.dialect.depth {
            return translate(name, text, emit, settings);
        }
        let dialect = Dialect { depth, ..settings.dialect };
        translate(name, text, emit, &Settings { dialect, ..settings.clone() })
    })
}

/// Runs the work on a separate thread; a panic becomes an [`Error::Internal`].
fn on_own_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    // The state after a panic is dropped here, and not used.
    match panic::catch_unwind(AssertUnwindSafe(|| on_guarded_thread(work))) {
        Ok(Ok(result)) => result,
        Ok(Err(Stopped::Bug(bug))) => Err(Message::new(bug.message).internal()),
        Ok(Err(Stopped::NoStack(error))) => Err(Message::new(error.message).environment()),
        Err(panic) => Err(bug_of_panic(&*panic)),
    }
}

fn translate(name: &str, text: Vec<u8>, emit: Emit, settings: &Settings) -> Result<Outputs, Error> {
    let mut times = Times::default();
    let (mut compilation, file) = start(name, SourceText::decode(text), settings)?;
    let compilation = &mut compilation;
    match emit {
        Emit::Tokens => {
            let tokens = times.measure("lex", || compilation.lex(file));
            let text = print_tokens(&compilation.sources, &compilation.interner, &tokens);
            finish(text, compilation, times)
        }
        Emit::Preprocessed | Emit::Ast | Emit::Launches => {
            let preprocessed =
                times.measure("preprocess", || compilation.preprocess(file, &mut headers(settings)));
            let Preprocessed { tokens, dependencies } = preprocessed;
            let text = match emit {
                Emit::Preprocessed => compilation.print_preprocessed(&tokens, settings.line_markers),
                Emit::Ast => times.measure("parse", || compilation.parse(&tokens)).print(compilation),
                _ => launches(&tokens, compilation, &mut times),
            };
            Ok(Outputs { dependencies, ..finish(text, compilation, times)? })
        }
        Emit::Nothing => {
            let mut seen = Seen::default();
            // Bodies take the most memory, and only lowering needs them again.
            let mut visitor = |module: &ir::Module, func| seen.visit_function(module, func);
            let bodies = Bodies::Visit(&mut visitor);
            let (module, dependencies) = analyze(compilation, file, bodies, settings, &mut times)?;
            let outputs = check_declarations(module, seen, settings, compilation, times)?;
            Ok(Outputs { dependencies, ..outputs })
        }
        Emit::Ir | Emit::LlvmIr | Emit::Ptx | Emit::Header => {
            let (module, dependencies) = analyze(compilation, file, Bodies::Keep, settings, &mut times)?;
            let outputs = match emit {
                Emit::Header => declare(module, name, compilation, times)?,
                Emit::LlvmIr => translate_module(module, Output::LlvmIr, settings, compilation, times)?,
                Emit::Ptx => translate_module(module, Output::Ptx, settings, compilation, times)?,
                _ => print_module(module, settings, compilation, times)?,
            };
            Ok(Outputs { dependencies, ..outputs })
        }
    }
}

/// The uses of kernels in host code. What device code has that is not supported does not matter for them.
fn launches(tokens: &[Token], compilation: &mut Compilation, times: &mut Times) -> String {
    let heard = mem::take(&mut compilation.sink);
    let ast = times.measure("parse", || compilation.parse(tokens));
    compilation.sink = heard;
    ast.print_launches(compilation)
}

/// The remaining checks of a program that is not lowered; its functions have been visited.
fn check_declarations(
    module: Unverified,
    seen: Seen,
    settings: &Settings,
    compilation: &mut Compilation,
    mut times: Times,
) -> Result<Outputs, Error> {
    let module = times.measure("verify", || module.verify_but_bodies());
    let module = module.map_err(|error| Message::new(error.message).internal())?;
    let Seen { mut uses, ptx } = seen;
    uses.visit_variables(&module);
    check_symbols(&module, &mut compilation.sink);
    check_launches(&module, settings, &mut compilation.sink);
    let needed = ptx.finish(&module, &settings.options, &mut compilation.sink);
    check_target(&uses, needed, settings, compilation)?;
    find_libdevice(&uses, settings, compilation)?;
    finish(String::new(), compilation, times)
}

/// The program, verified for lowering.
fn verify(module: Unverified, times: &mut Times) -> Result<VerifiedModule, Error> {
    let verified = times.measure("verify", || module.verify());
    verified.map_err(|error| Message::new(error.message).internal())
}

/// A header with declarations for what the program defines.
fn declare(
    module: Unverified,
    name: &str,
    compilation: &mut Compilation,
    mut times: Times,
) -> Result<Outputs, Error> {
    let verified = verify(module, &mut times)?;
    check_symbols(verified.module(), &mut compilation.sink);
    let text = header(&verified, &compilation.sources, name);
    finish(text, compilation, times)
}

/// The typed program as text.
fn print_module(
    module: Unverified,
    settings: &Settings,
    compilation: &mut Compilation,
    mut times: Times,
) -> Result<Outputs, Error> {
    let verified = verify(module, &mut times)?;
    let ptx = InlinePtx::of(verified.module());
    ptx.finish(verified.module(), &settings.options, &mut compilation.sink);
    finish(ir::print::print(verified.module()), compilation, times)
}

/// The stages after the frontend, up to the requested output.
fn translate_module(
    module: Unverified,
    output: Output,
    settings: &Settings,
    compilation: &mut Compilation,
    mut times: Times,
) -> Result<Outputs, Error> {
    let verified = verify(module, &mut times)?;
    let needed = InlinePtx::of(verified.module());
    let needed = needed.finish(verified.module(), &settings.options, &mut compilation.sink);
    check_symbols(verified.module(), &mut compilation.sink);
    check_launches(verified.module(), settings, &mut compilation.sink);
    if compilation.sink.has_failed() {
        return Err(rejected(compilation));
    }
    let uses = Uses::of(verified.module());
    let ptx_version = check_target(&uses, needed, settings, compilation)?;
    let options = &Options { ptx_version, ..settings.options.clone() };
    let libdevice = find_libdevice(&uses, settings, compilation)?.map(Library::new);
    let start = Instant::now();
    let lowered = lower(
        &verified,
        &compilation.sources,
        options,
        libdevice.as_ref().map(|library| library as &dyn Libdevice),
        output,
    );
    let elapsed = start.elapsed();
    let lowered = lowered.map_err(|bug| match &libdevice {
        Some(library) if bug.message == UNREADABLE_LIBDEVICE => unreadable(library.path()),
        _ => Message::new(bug.message).internal(),
    })?;
    // Everything but building the IR is LLVM's, including the freeing of its module.
    times.add("build", lowered.times.build);
    times.add("llvm", elapsed.saturating_sub(lowered.times.build));
    lowered.warnings.into_iter().for_each(|warning| compilation.sink.emit(warning));
    let (kernels, variables) = match settings.describe_kernels {
        true => (describe::kernels(verified.module()), describe::variables(verified.module())),
        false => (Vec::new(), Vec::new()),
    };
    let (declared, inline) = match settings.describe_symbols {
        true => (
            declared::symbols(verified.module(), &compilation.sources, options.unit.as_ref()),
            inline::of_module(verified.module()),
        ),
        false => (Vec::new(), Vec::new()),
    };
    let host_stub = match settings.makes_host_stub {
        true => host_stub(&verified, options.unit.as_ref()),
        false => String::new(),
    };
    let text = match settings.source_in_ptx && output == Output::Ptx {
        true => with_source(&lowered.text, &compilation.sources),
        false => lowered.text,
    };
    Ok(Outputs { kernels, variables, declared, inline, host_stub, ..finish(text, compilation, times)? })
}

/// An error in libdevice.
fn unreadable(path: &Path) -> Error {
    let Err(error) = read_file(path) else {
        let message = format!("`{}` is not valid LLVM bitcode", path.display());
        return Message::new(message)
            .help("reinstall it: pip install --force-reinstall nvidia-nvvm")
            .environment();
    };
    error
}

/// The text, unless an error was found on the way.
fn finish(text: String, compilation: &mut Compilation, times: Times) -> Result<Outputs, Error> {
    let later = compilation.sink.successor();
    compilation.sink.settle(&compilation.sources);
    if compilation.sink.has_failed() {
        return Err(rejected(compilation));
    }
    let diagnostics = diagnostics(compilation);
    let (dependencies, kernels, variables) = (Vec::new(), Vec::new(), Vec::new());
    let (declared, inline, host_stub) = (Vec::new(), Vec::new(), String::new());
    Ok(Outputs {
        text,
        dependencies,
        kernels,
        variables,
        declared,
        inline,
        host_stub,
        diagnostics,
        later,
        times,
    })
}

/// A panic as an internal error.
pub(crate) fn bug_of_panic(payload: &(dyn std::any::Any + Send)) -> Error {
    Message::new(panic_message(payload)).internal()
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    format!("the compiler panicked: {}", text.unwrap_or_else(|| "no message".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_bug_with_its_message() {
        let error = on_own_thread::<()>(|| panic!("no such {}", "place")).expect_err("it panics");
        assert_eq!(error.exit_code(), 101);
        assert_eq!(error.to_string(), "the compiler panicked: no such place");
    }
}
