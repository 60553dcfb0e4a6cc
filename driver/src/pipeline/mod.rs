//! The stages, on one screen: from a source text to the requested text.
//!
//! [`translate`] is the compiler; [`crate::jobs`] does the rest that the command line requests.

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use weft_frontend::diag::{Code, Diagnostic, Levels, Reported, Sink};
use weft_frontend::ir::VerifiedModule;
use weft_frontend::ir::verify::Unverified;
use weft_frontend::layout::DataModel;
use weft_frontend::source::{FileId, SourceMap, SourceText, Span};
use weft_frontend::token::{Interner, print_tokens};
use weft_frontend::{
    Analysis, Dependency, Dialect, PreprocessOptions, Preprocessed, ir, lex, parse_as, preprocess,
    preprocess_pieces, print_preprocessed,
};
use weft_lower::abi::conflict;
use weft_lower::abi::header::header;
use weft_lower::abi::stub::host_stub;
use weft_lower::features::{LibraryCall, Unavailable, Uses};
use weft_lower::limits;
use weft_lower::target::PtxVersion;
use weft_lower::{
    Libdevice, Options, Output, Stopped, UNREADABLE_LIBDEVICE, depth_here, lower, on_guarded_thread,
};

use crate::abi::declared::{self, Declared};
use crate::emit::source_in_ptx::with_source;
use crate::emit::times::Times;
use crate::error::{Diagnostics, Error, Message, UserError};
use crate::findings::inline::{self, Inline};
use crate::headers::{Loader, Preprocessing};
use crate::inline_ptx::InlinePtx;
use crate::jobs::read_file;
use crate::run::describe::{self, Kernel};
use crate::toolchain::library::Library;
use crate::toolchain::{ToolOptions, discover};
use weft_run::variable::Variable;

/// The text to output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Emit {
    /// The tokens of the file, one on a line
    Tokens,
    /// The program after preprocessing, which can be compiled
    Preprocessed,
    /// The syntax tree
    Ast,
    /// The uses of kernels in host code, one on a line
    Launches,
    /// The typed program
    Ir,
    /// LLVM IR after the passes of the optimization level
    LlvmIr,
    /// PTX
    Ptx,
    /// A header for C, C++ and CUDA that declares what the program defines
    Header,
    /// None: the program is only checked.
    #[value(skip)]
    Nothing,
}

impl Emit {
    /// What its files end in.
    pub fn extension(self) -> &'static str {
        match self {
            Emit::Tokens => "tokens",
            Emit::Preprocessed => "i",
            Emit::Ast => "ast",
            Emit::Launches => "launches",
            Emit::Ir => "ir",
            Emit::LlvmIr => "ll",
            Emit::Ptx => "ptx",
            Emit::Header => "h",
            Emit::Nothing => "",
        }
    }
}

/// The settings of a compilation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The options of code generation, including the GPU.
    pub options: Options,
    /// The levels of warnings.
    pub levels: Levels,
    /// The language dialect.
    pub dialect: Dialect,
    /// Macros and headers.
    pub preprocessing: Preprocessing,
    /// Whether [`Emit::Preprocessed`] has line markers.
    pub line_markers: bool,
    /// Where to search for libdevice, if a program calls one of its functions.
    pub tools: ToolOptions,
    /// With [`Emit::Ptx`], describe kernels and variables for a run: [`Outputs::kernels`], [`Outputs::variables`].
    pub describe_kernels: bool,
    /// With [`Emit::Ptx`], describe functions and variables as declared, and inline PTX:
    /// [`Outputs::declared`], [`Outputs::inline`].
    pub describe_symbols: bool,
    /// Whether to make the host's part of the program.
    pub makes_host_stub: bool,
    /// Whether PTX has the lines of the source as comments.
    pub source_in_ptx: bool,
}

impl Settings {
    /// Defaults for everything but the options: the default warnings, no macros, only the embedded headers.
    pub fn new(options: Options) -> Self {
        Settings {
            options,
            levels: Levels::default(),
            dialect: Dialect::default(),
            preprocessing: Preprocessing::default(),
            line_markers: true,
            tools: ToolOptions::default(),
            describe_kernels: false,
            describe_symbols: false,
            makes_host_stub: false,
            source_in_ptx: false,
        }
    }
}

/// The result of compiling a program without errors.
#[derive(Debug)]
pub struct Outputs {
    /// The requested text.
    pub text: String,
    /// The included headers, in the order of their first use.
    pub dependencies: Vec<Dependency>,
    /// The kernels, if requested.
    pub kernels: Vec<Kernel>,
    /// The variables, if requested with the kernels.
    pub variables: Vec<Variable>,
    /// Functions and variables, if requested.
    pub declared: Vec<Declared>,
    /// Inline PTX, if requested.
    pub inline: Vec<Inline>,
    /// The host's part, as C++, if requested.
    pub host_stub: String,
    /// Its warnings.
    pub diagnostics: Diagnostics,
    /// Receives diagnostics of later tools, and applies the levels of options and pragmas.
    pub later: Sink,
    /// The durations of the stages.
    pub times: Times,
}

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
    let mut reading = Reading::start(name, SourceText::decode(text), settings)?;
    if emit == Emit::Tokens {
        let Reading { file, sources, mut interner, sink, .. } = reading;
        let tokens = times.measure("lex", || lex(&sources, file, &mut interner));
        return finish(print_tokens(&sources, &interner, &tokens), sources, sink, times);
    }
    if emit == Emit::Nothing {
        let mut seen = Seen::default();
        // Bodies take the most memory, and only lowering needs them again.
        let (module, dependencies) = reading.analyze(Bodies::LookAt(&mut seen), &mut times);
        let Reading { sources, sink, .. } = reading;
        let Ok(module) = module else { return Err(rejected(sources, sink)) };
        let outputs = check_declarations(module, seen, settings, sources, sink, times)?;
        return Ok(Outputs { dependencies, ..outputs });
    }
    if !matches!(emit, Emit::Preprocessed | Emit::Ast | Emit::Launches) {
        let (module, dependencies) = reading.analyze(Bodies::Keep, &mut times);
        let Reading { sources, sink, .. } = reading;
        let Ok(module) = module else { return Err(rejected(sources, sink)) };
        let output = match emit {
            Emit::LlvmIr => Some(Output::LlvmIr),
            Emit::Ptx => Some(Output::Ptx),
            _ => None,
        };
        if emit == Emit::Header {
            let outputs = declare(module, name, sources, sink, times)?;
            return Ok(Outputs { dependencies, ..outputs });
        }
        let outputs = translate_module(module, output, settings, sources, sink, times)?;
        return Ok(Outputs { dependencies, ..outputs });
    }
    let Preprocessed { tokens, dependencies } = times.measure("preprocess", || reading.preprocess());
    let Reading { sources, interner, mut sink, .. } = reading;
    let text = if emit == Emit::Preprocessed {
        print_preprocessed(&sources, &interner, &tokens, settings.line_markers)
    } else {
        let dialect = settings.dialect;
        // What device code has that is not supported does not matter for launches.
        let mut unheard = Sink::new();
        let sink = if emit == Emit::Ast { &mut sink } else { &mut unheard };
        let ast = times.measure("parse", || parse_as(&tokens, dialect, &sources, &interner, sink));
        match emit {
            Emit::Ast => ast.print(&sources, &interner),
            _ => ast.print_launches(&sources, &interner),
        }
    };
    Ok(Outputs { dependencies, ..finish(text, sources, sink, times)? })
}

/// The program, or the proof that errors were reported, and the headers that it includes.
type Analyzed = (Result<Unverified, Reported>, Vec<Dependency>);

/// What happens to function bodies once they have been checked.
enum Bodies<'a> {
    /// They are part of the module.
    Keep,
    /// They are dropped after collecting what they use.
    LookAt(&'a mut Seen),
}

/// What function bodies use, and the PTX in them.
#[derive(Default)]
struct Seen {
    uses: Uses,
    ptx: InlinePtx,
}

impl Seen {
    fn visit_function(&mut self, module: &ir::Module, func: ir::Func) {
        self.uses.visit_function(module, func);
        self.ptx.visit_function(module, func);
    }
}

/// A text during the frontend stages.
struct Reading<'a> {
    settings: &'a Settings,
    sources: SourceMap,
    file: FileId,
    interner: Interner,
    sink: Sink,
}

impl<'a> Reading<'a> {
    /// At the start of the text.
    fn start(name: &str, text: SourceText, settings: &'a Settings) -> Result<Self, Error> {
        let mut sources = SourceMap::new();
        let file = sources.add(name.to_owned(), text).map_err(|_| {
            let message = Message::new(format!("`{name}` is too large"));
            message.note("the maximum is 4 GiB").user()
        })?;
        let sink = Sink::with_levels(settings.levels.clone());
        Ok(Reading { settings, sources, file, interner: Interner::new(), sink })
    }

    /// Preprocesses the whole text.
    fn preprocess(&mut self) -> Preprocessed {
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
    fn analyze(&mut self, bodies: Bodies<'_>, times: &mut Times) -> Analyzed {
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

/// The remaining checks of a program that is not lowered; its functions have been visited.
fn check_declarations(
    module: Unverified,
    seen: Seen,
    settings: &Settings,
    sources: SourceMap,
    sink: Sink,
    mut times: Times,
) -> Result<Outputs, Error> {
    let module = times.measure("verify", || module.verify_but_bodies());
    let module = module.map_err(|error| Message::new(error.message).internal())?;
    let Seen { mut uses, ptx } = seen;
    uses.visit_variables(&module);
    let sink = check_symbols(&module, sink);
    let mut sink = check_launches(&module, settings, sink);
    let needed = ptx.finish(&module, &settings.options, &mut sink);
    let (_, sources, sink) = check_target(&uses, needed, settings, sources, sink)?;
    let (_, sources, sink) = find_libdevice(&uses, settings, sources, sink)?;
    finish(String::new(), sources, sink, times)
}

/// Reports duplicate symbols, and those that nvcc would name differently.
fn check_symbols(module: &ir::Module, mut sink: Sink) -> Sink {
    conflict::check(module).into_iter().for_each(|diagnostic| sink.emit(diagnostic));
    sink
}

/// Reports kernels whose launch bounds exceed the target's limits.
fn check_launches(module: &ir::Module, settings: &Settings, mut sink: Sink) -> Sink {
    if sink.is_on(Code::LaunchBounds) {
        let found = limits::check(module, settings.options.target);
        found.into_iter().for_each(|diagnostic| sink.emit(diagnostic));
    }
    sink
}

/// Fails if the program uses something that the target or the requested PTX version lacks. Returns the PTX
/// version to write, if inline PTX needs one.
fn check_target(
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
fn find_libdevice(
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

/// The program, verified for lowering.
fn verify(module: Unverified, times: &mut Times) -> Result<VerifiedModule, Error> {
    let verified = times.measure("verify", || module.verify());
    verified.map_err(|error| Message::new(error.message).internal())
}

/// A header with declarations for what the program defines.
fn declare(
    module: Unverified,
    name: &str,
    sources: SourceMap,
    sink: Sink,
    mut times: Times,
) -> Result<Outputs, Error> {
    let verified = verify(module, &mut times)?;
    let sink = check_symbols(verified.module(), sink);
    let text = header(&verified, &sources, name);
    finish(text, sources, sink, times)
}

/// The stages after the frontend, up to the requested output.
fn translate_module(
    module: Unverified,
    output: Option<Output>,
    settings: &Settings,
    sources: SourceMap,
    sink: Sink,
    mut times: Times,
) -> Result<Outputs, Error> {
    let verified = verify(module, &mut times)?;
    let mut sink = sink;
    let needed = InlinePtx::of(verified.module());
    let needed = needed.finish(verified.module(), &settings.options, &mut sink);
    let Some(output) = output else {
        return finish(ir::print::print(verified.module()), sources, sink, times);
    };
    let sink = check_symbols(verified.module(), sink);
    let sink = check_launches(verified.module(), settings, sink);
    if sink.has_failed() {
        return Err(rejected(sources, sink));
    }
    let uses = Uses::of(verified.module());
    let (ptx_version, sources, sink) = check_target(&uses, needed, settings, sources, sink)?;
    let options = &Options { ptx_version, ..settings.options.clone() };
    let (libdevice, sources, mut sink) = find_libdevice(&uses, settings, sources, sink)?;
    let libdevice = libdevice.map(Library::new);
    let start = Instant::now();
    let lowered = lower(
        &verified,
        &sources,
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
    lowered.warnings.into_iter().for_each(|warning| sink.emit(warning));
    let (kernels, variables) = match settings.describe_kernels {
        true => (describe::kernels(verified.module()), describe::variables(verified.module())),
        false => (Vec::new(), Vec::new()),
    };
    let (declared, inline) = match settings.describe_symbols {
        true => (
            declared::symbols(verified.module(), &sources, options.unit.as_ref()),
            inline::of_module(verified.module()),
        ),
        false => (Vec::new(), Vec::new()),
    };
    let host_stub = match settings.makes_host_stub {
        true => host_stub(&verified, options.unit.as_ref()),
        false => String::new(),
    };
    let text = match settings.source_in_ptx && output == Output::Ptx {
        true => with_source(&lowered.text, &sources),
        false => lowered.text,
    };
    Ok(Outputs { kernels, variables, declared, inline, host_stub, ..finish(text, sources, sink, times)? })
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
fn finish(text: String, sources: SourceMap, mut sink: Sink, times: Times) -> Result<Outputs, Error> {
    let later = sink.successor();
    sink.settle(&sources);
    if sink.has_failed() {
        return Err(rejected(sources, sink));
    }
    let diagnostics = Diagnostics { list: sink.into_sorted(&sources), sources };
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

fn rejected(sources: SourceMap, mut sink: Sink) -> Error {
    sink.settle(&sources);
    Error::User(UserError::Program(Diagnostics { list: sink.into_sorted(&sources), sources }))
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
