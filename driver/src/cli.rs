//! The program `weftc`: from the words of the command line to an exit code.
//!
//! `doctor` is the one word that is a command; all else are options and inputs.

use std::ffi::OsString;
use std::panic;
use std::process::{self, ExitCode};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use weft_frontend::diag::render::Format;
use weft_frontend::diag::{Code, explain};
use weft_lower::Bug;

use crate::args::{Args, nvcc};
use crate::emit::report::{self, Color};
use crate::emit::times::Times;
use crate::emit::write_stdout;
use crate::error::{Error, InternalError, Message};
use crate::jobs;
use crate::toolchain::doctor;

/// Runs the program.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let start = Instant::now();
    let (is_doctor, args) = take_doctor(args.into_iter().collect());
    let plain = if asks_for_json(&args) {
        Format::Json
    } else {
        Format::Human { color: Color::Auto.applies_to(&std::io::stderr()) }
    };
    let args = match nvcc::rewrite(args) {
        Ok(args) => args,
        Err(message) => return fail(&message.user(), plain),
    };
    let args = match Args::read(args) {
        Ok(args) => args,
        Err(error) if error.use_stderr() && plain == Format::Json => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            return fail(&Message::new(first.trim_start_matches("error: ")).user(), plain);
        }
        // Help goes to standard output and is no failure.
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(1) } else { ExitCode::SUCCESS };
        }
    };
    let format = args.format();
    if args.version {
        let text = format!("weftc {} (LLVM {})\n", env!("CARGO_PKG_VERSION"), weft_lower::llvm_version());
        return write_stdout(text.as_bytes())
            .map_or_else(|error| fail(&error, format), |()| ExitCode::SUCCESS);
    }
    if let Some(code) = &args.explain {
        return match explain(code) {
            Ok(text) => write_stdout(text.as_bytes())
                .map_or_else(|error| fail(&error, format), |()| ExitCode::SUCCESS),
            Err(error) => fail(&error, format),
        };
    }
    if is_doctor {
        return match doctor::examine(&args.tools(), args.color) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(2),
            Err(error) => fail(&error, format),
        };
    }
    let place = PanicPlace::watch();
    let mut times = Times::default();
    times.add("args", start.elapsed());
    let last_words = move |bug: Bug| {
        let error = Message::new(bug.message).internal();
        report::error(&error, format);
        process::exit(i32::from(error.exit_code()))
    };
    let done = args.session().and_then(|session| {
        let done = weft_lower::on_this_thread(last_words, || jobs::run(&session, &mut times));
        if session.time_report {
            report::say(&times.render(start.elapsed()));
        }
        done
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&place.add_to(error), format),
    }
}

/// The text of `--explain`. The code may be given as a message shows it: `-Wunused-variable`.
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

fn fail(error: &Error, format: Format) -> ExitCode {
    report::error(error, format);
    ExitCode::from(error.exit_code())
}

/// Whether programs are to read the messages, found out before the line is read: it may be wrong.
fn asks_for_json(args: &[OsString]) -> bool {
    args.iter().any(|word| word == "--error-format=json")
        || args.windows(2).any(|pair| pair[0] == "--error-format" && pair[1] == "json")
}

/// Takes the command `doctor` off the line, if it is the first word.
fn take_doctor(mut args: Vec<OsString>) -> (bool, Vec<OsString>) {
    let is_doctor = args.get(1).is_some_and(|word| word == "doctor");
    if is_doctor {
        args.remove(1);
    }
    (is_doctor, args)
}

/// Where a panic happened: the message tells it, in place of the standard library's own words.
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
