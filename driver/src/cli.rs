//! The program `weftc`: from its arguments to an exit code.
//!
//! The first argument may be a command ([`Command`]); all others are options and inputs.

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
use crate::args::check_abi::CheckAbiArgs;
use crate::args::compile::ErrorFormat;
use crate::args::doctor::DoctorArgs;
use crate::args::generate::{CompletionsArgs, ManArgs};
use crate::args::run::RunArgs;
use crate::args::{Args, misread, nvcc};
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
    let rewritten = take_command(args).and_then(|(command, args)| Ok((command, nvcc::rewrite(args)?)));
    let (command, args) = match rewritten {
        Ok(rewritten) => rewritten,
        Err(message) => return fail(&message.user(), plain),
    };
    let wrong = |error: &clap::Error| not_read(error, command.name(), &args, plain);
    match command {
        Command::Compile => match Args::read(args.iter().cloned()) {
            Ok(args) => compile(args, start),
            Err(error) => wrong(&error),
        },
        Command::Run => match RunArgs::read(args.iter().cloned()) {
            Ok(args) => guarded(args.compile.format(), || run::run(&args)),
            Err(error) => wrong(&error),
        },
        Command::CheckAbi => match CheckAbiArgs::read(args.iter().cloned()) {
            Ok(args) => guarded(args.compile.format(), || abi::check(&args)),
            Err(error) => wrong(&error),
        },
        Command::Doctor => match DoctorArgs::read(args.iter().cloned()) {
            Ok(args) => match doctor::examine(&args.tools.options(), args.color) {
                Ok(true) => 0,
                Ok(false) => 2,
                Err(error) => fail(&error, plain),
            },
            Err(error) => wrong(&error),
        },
        Command::Completions => match CompletionsArgs::read(args.iter().cloned()) {
            Ok(args) => done(write_stdout(&args.script()), plain),
            Err(error) => wrong(&error),
        },
        Command::Man => match ManArgs::read(args.iter().cloned()) {
            Ok(args) => done(write_stdout(&args.page()), plain),
            Err(error) => wrong(&error),
        },
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
        if session.time_report {
            report::say(&times.render(start.elapsed()));
        }
        done
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

/// Reports an error in the arguments; help goes to standard output and is not an error.
fn not_read(error: &clap::Error, command: &str, words: &[OsString], format: Format) -> u8 {
    if error.use_stderr() {
        return fail(&misread::message(error, command, words).user(), format);
    }
    let color = Color::Auto.applies_to(&std::io::stdout());
    let text = if color { error.render().ansi().to_string() } else { error.to_string() };
    done(write_stdout(text.as_bytes()), format)
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

/// The command that the first argument selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    /// No command: the compiler.
    Compile,
    Run,
    CheckAbi,
    Doctor,
    Completions,
    Man,
}

impl Command {
    const NAMED: [Command; 5] =
        [Command::Run, Command::CheckAbi, Command::Doctor, Command::Completions, Command::Man];

    /// The command's name; empty for the compiler.
    fn name(self) -> &'static str {
        match self {
            Command::Compile => "",
            Command::Run => "run",
            Command::CheckAbi => "check-abi",
            Command::Doctor => "doctor",
            Command::Completions => "completions",
            Command::Man => "man",
        }
    }

    fn find(word: &str) -> Option<Command> {
        Command::NAMED.into_iter().find(|command| command.name() == word)
    }
}

/// Removes the command from the arguments, if the first one is a command. `help` becomes an option of the
/// command that follows.
fn take_command(mut args: Vec<OsString>) -> Result<(Command, Vec<OsString>), Message> {
    let word = |idx: usize| args.get(idx).and_then(|word| word.to_str());
    let unknown = |word: &str| misread::unknown_command(word).map_or(Ok(Command::Compile), Err);
    match word(1) {
        Some("help") => {
            let command = match word(2) {
                None => Command::Compile,
                Some(name) => Command::find(name).map_or_else(|| unknown(name), Ok)?,
            };
            let option = if word(2).is_some() { "--help" } else { "-h" };
            args.truncate(1);
            args.push(option.into());
            Ok((command, args))
        }
        // With `-x`, any name is that of a program.
        Some(_) if args.iter().any(|arg| arg.to_str().is_some_and(|arg| arg.starts_with("-x"))) => Ok((
            Command::find(word(1).unwrap_or_default()).unwrap_or(Command::Compile),
            without_command(args),
        )),
        Some(first) => {
            let command = Command::find(first).map_or_else(|| unknown(first), Ok)?;
            Ok((command, without_command(args)))
        }
        None => Ok((Command::Compile, args)),
    }
}

/// The arguments without the command's name.
fn without_command(mut args: Vec<OsString>) -> Vec<OsString> {
    if args.get(1).and_then(|word| word.to_str()).is_some_and(|word| Command::find(word).is_some()) {
        args.remove(1);
    }
    args
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
