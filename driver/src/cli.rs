//! The program `weftc`: from its arguments to an exit code.
//!
//! [`parse`] reads the arguments.

use std::ffi::OsString;
use std::panic::{self, AssertUnwindSafe};
use std::process::{self, ExitCode};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use clap::ValueEnum;
use rustix::process::{Resource, getrlimit};
use weft_frontend::diag::render::Format;
use weft_frontend::diag::{Code, explain};
use weft_lower::Bug;

use crate::abi;
use crate::args::Args;
use crate::args::compile::ErrorFormat;
use crate::args::parse::{Parsed, Request, Unparsed, parse};
use crate::emit::report::{self, Color};
use crate::emit::times::Times;
use crate::emit::write_stdout;
use crate::error::{Error, InternalError, Message};
use crate::interrupt;
use crate::jobs;
use crate::out_of_memory;
use crate::pipeline;
use crate::run;
use crate::toolchain::{discover, doctor};

/// The stack that parsing the command line and writing messages need, in bytes.
const STACK_BYTES: usize = 4 << 20;

/// Runs the program.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let exit_code = run_on_stack(args.into_iter().collect());
    report::finish(exit_code);
    ExitCode::from(exit_code)
}

/// Runs on this thread, or on one with a larger stack if needed.
fn run_on_stack(args: Vec<OsString>) -> u8 {
    let is_small = getrlimit(Resource::Stack).current.is_some_and(|limit| limit < STACK_BYTES as u64);
    // If the address space is limited, the existing stack may not grow.
    if !is_small && getrlimit(Resource::As).current.is_none() {
        return run_here(args);
    }
    let format = asked_format(&args, Color::Never);
    match thread::Builder::new().stack_size(STACK_BYTES).spawn(move || run_here(args)) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic)),
        Err(_) => fail(&Message::new(weft_lower::no_stack(STACK_BYTES).message).environment(), format),
    }
}

fn run_here(args: Vec<OsString>) -> u8 {
    let start = Instant::now();
    interrupt::watch();
    let plain = asked_format(&args, Color::Auto);
    out_of_memory::watch(plain == Format::Json);
    report::begin(plain);
    let Parsed { request, unused } = match parse(args) {
        Ok(parsed) => parsed,
        Err(Unparsed::Wrong(message)) => return fail(&message.user(), plain),
        Err(Unparsed::Help(text)) => {
            let color = Color::Auto.applies_to(&std::io::stdout());
            let text = if color { text.ansi().to_string() } else { text.to_string() };
            return done(write_stdout(text.as_bytes()), plain);
        }
    };
    let compile_args = match &request {
        Request::Compile(args) => Some(&args.compile),
        Request::Run(args) => Some(&args.compile),
        Request::CheckAbi(args) => Some(&args.compile),
        Request::Doctor(_) | Request::Completions(_) | Request::Man(_) => None,
    };
    if let Some(args) = compile_args.filter(|_| !unused.is_empty())
        && let Err(error) = args.report_unused(&unused)
    {
        return fail(&error, plain);
    }
    match request {
        Request::Compile(args) => compile(*args, start),
        Request::Run(args) => guarded(args.compile.format(), || run::run(&args)),
        Request::CheckAbi(args) => guarded(args.compile.format(), || abi::check(&args)),
        Request::Doctor(args) => match doctor::examine(&args.tools.options(), args.color) {
            Ok(true) => 0,
            Ok(false) => 2,
            Err(error) => fail(&error, plain),
        },
        Request::Completions(args) => done(write_stdout(&args.script()), plain),
        Request::Man(args) => done(write_stdout(&args.page()), plain),
    }
}

/// The compiler, and the options that print something and exit.
fn compile(args: Args, start: Instant) -> u8 {
    let format = args.compile.format();
    if args.version {
        let text = format!("weftc {} (LLVM {})\n", env!("CARGO_PKG_VERSION"), weft_lower::llvm_version());
        return done(write_stdout(text.as_bytes()), format);
    }
    if let Some(name) = &args.print_prog_name {
        let path = discover::path_or_name(name, &args.tools());
        return done(write_stdout(format!("{}\n", path.display()).as_bytes()), format);
    }
    if let Some(list) = args.code.list() {
        return done(write_stdout(list.as_bytes()), format);
    }
    if let Some(code) = &args.explain {
        return match explain(code) {
            Ok(text) => done(write_stdout(text.as_bytes()), format),
            Err(error) => fail(&error, format),
        };
    }
    let place = PanicPlace::watch();
    let mut times = Times::default();
    times.add("args", start.elapsed());
    let last_words = move |bug: Bug| {
        let error = Message::new(bug.message).internal();
        let exit_code = fail(&error, format);
        report::finish(exit_code);
        process::exit(i32::from(exit_code))
    };
    let done = args.session().and_then(|session| {
        let done = weft_lower::on_this_thread(last_words, || jobs::run(&session, &mut times));
        let done = done.unwrap_or_else(|error| Err(Message::new(error.message).environment()));
        done.and(session.time_reports.write(&times, &session.input_paths(), start.elapsed()))
    });
    match done {
        Ok(()) => 0,
        Err(error) => fail(&place.add_to(error), format),
    }
}

/// Runs a command whose work starts its own threads, because LLVM may stop them.
fn guarded(format: Format, work: impl FnOnce() -> Result<(), Error>) -> u8 {
    let place = PanicPlace::watch();
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => fail(&place.add_to(error), format),
        Err(panic) => fail(&place.add_to(pipeline::bug_of_panic(&*panic)), format),
    }
}

/// The exit code of a command that has written to standard output.
fn done(written: Result<(), Error>, format: Format) -> u8 {
    written.map_or_else(|error| fail(&error, format), |()| 0)
}

/// The text of `--explain`. The code may have the form of messages: `-Wunused-variable`.
fn explain(name: &str) -> Result<String, Error> {
    let bare = name.trim_start_matches("-Werror,").trim_start_matches("-Wno-").trim_start_matches("-W");
    match bare {
        "warnings" => return Ok(explain::list(|code| code.group().is_some())),
        "errors" => return Ok(explain::list(|code| code.group().is_none())),
        _ => {}
    }
    if let Some(code) = Code::find(bare) {
        return Ok(explain::explain(code));
    }
    let message = Message::new(format!("no message has the code `{name}`"));
    Err(match explain::similar_code(bare) {
        Some(similar) => message.help(format!("did you mean `{similar}`?")),
        None => message.help("`--explain warnings` and `--explain errors` list the codes"),
    }
    .user())
}

fn fail(error: &Error, format: Format) -> u8 {
    report::error(error, format);
    error.exit_code()
}

/// The requested message format, determined before parsing, which may fail.
fn asked_format(args: &[OsString], color: Color) -> Format {
    let mut asked = None;
    let mut words = args.iter().filter_map(|word| word.to_str()).peekable();
    while let Some(word) = words.next() {
        match word.strip_prefix("--error-format") {
            Some("") => asked = words.peek().copied(),
            Some(value) => asked = value.strip_prefix('='),
            None => {}
        }
    }
    match asked.and_then(|value| ErrorFormat::from_str(value, false).ok()) {
        Some(ErrorFormat::Human) | None => Format::Human { color: color.applies_to(&std::io::stderr()) },
        Some(ErrorFormat::Short) => Format::Short,
        Some(ErrorFormat::Json) => Format::Json,
        Some(ErrorFormat::Sarif) => Format::Sarif,
        Some(ErrorFormat::Github) => Format::Github,
    }
}

/// The location of a panic: our message reports it instead of that of the standard library.
struct PanicPlace(Arc<Mutex<Option<String>>>);

impl PanicPlace {
    fn watch() -> Self {
        let place = Arc::new(Mutex::new(None));
        let seen = Arc::clone(&place);
        panic::set_hook(Box::new(move |info| {
            let place = info.location().map(ToString::to_string);
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = place;
        }));
        PanicPlace(place)
    }

    fn add_to(&self, error: Error) -> Error {
        let place = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (error, place) {
            (Error::Internal(InternalError(message)), Some(place)) => {
                message.note(format!("at {place}")).internal()
            }
            (error @ (Error::User(_) | Error::Environment(_) | Error::Internal(_)), _) => error,
        }
    }
}
