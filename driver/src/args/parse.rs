//! From the words of the command line to the arguments of a command.
//!
//! The first word may be the name of a command; without one, the compiler's options may come from NVCC_PREPEND_FLAGS and
//! NVCC_APPEND_FLAGS, too, like nvcc's. [`nvcc::rewrite`] and clap do the rest.

use std::env;
use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, FromArgMatches};

use super::check_abi::CheckAbiArgs;
use super::doctor::DoctorArgs;
use super::generate::{self, CompletionsArgs, ManArgs};
use super::nvcc::{self, words};
use super::run::RunArgs;
use super::{Args, misread};
use crate::error::Message;

/// A command with its arguments.
#[derive(Debug)]
pub enum Request {
    /// No command: the compiler.
    Compile(Box<Args>),
    /// `weftc run`
    Run(Box<RunArgs>),
    /// `weftc check-abi`
    CheckAbi(Box<CheckAbiArgs>),
    /// `weftc doctor`
    Doctor(Box<DoctorArgs>),
    /// `weftc completions`
    Completions(CompletionsArgs),
    /// `weftc man`
    Man(ManArgs),
}

/// A request, and warnings about options without effect.
#[derive(Debug)]
pub struct Parsed {
    /// The request.
    pub request: Request,
    /// The warnings.
    pub unused: Vec<Message>,
}

/// Why there is no request.
#[derive(Debug)]
pub enum Unparsed {
    /// Help is requested: its text, with colors.
    Help(clap::builder::StyledStr),
    /// The command line is wrong.
    Wrong(Message),
}

impl From<Message> for Unparsed {
    fn from(message: Message) -> Self {
        Unparsed::Wrong(message)
    }
}

/// The environment variables whose words come before and after the command line.
const VARIABLES: [&str; 2] = ["NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"];

/// Parses the command line, whose first word is the program's name.
///
/// # Errors
///
/// If it is wrong, or help is requested.
pub fn parse(line: impl IntoIterator<Item = OsString>) -> Result<Parsed, Unparsed> {
    let mut line = line.into_iter().peekable();
    let program = line.next();
    let first = line.peek().and_then(|word| word.to_str()).unwrap_or_default();
    if first == "help" {
        return help(line.nth(1));
    }
    let name = find(first).unwrap_or_default();
    let flags = VARIABLES.map(|name| env::var(name).unwrap_or_default());
    let flags = if name.is_empty() { flags } else { Default::default() };
    let [before, after] = flags.each_ref().map(|flags| words::of_variable(flags));
    let around = |words: &[String]| words.iter().map(OsString::from).collect::<Vec<_>>();
    let line =
        around(&before).into_iter().chain(line.skip(usize::from(!name.is_empty()))).chain(around(&after));
    let command = generate::command(name);
    let rewritten = nvcc::rewrite(line, &command, name).map_err(|message| {
        let set = VARIABLES.iter().zip(&flags).filter(|(_, flags)| !flags.is_empty());
        set.fold(message, |message, (name, flags)| message.note(format!("{name} is `{flags}`")))
    })?;
    let line: Vec<OsString> = program.into_iter().chain(rewritten.words).collect();
    match matches(command, &line, name).and_then(|matches| request(name, &matches)) {
        Ok(mut request) => {
            if let Request::Compile(args) = &mut request {
                args.from_elsewhere = [before, after, rewritten.from_files].concat();
            }
            Ok(Parsed { request, unused: rewritten.unused })
        }
        Err(error) if !error.use_stderr() => Err(Unparsed::Help(error.render())),
        Err(error) => Err(misread::message(&error, name).into()),
    }
}

/// The command with a name.
fn find(name: &str) -> Option<&'static str> {
    generate::NAMES.into_iter().find(|known| *known == name)
}

/// `weftc help [COMMAND]`: brief without a command.
fn help(command: Option<OsString>) -> Result<Parsed, Unparsed> {
    let Some(command) = command else { return parse(["weftc", "-h"].map(OsString::from)) };
    let name = command.to_str().unwrap_or_default();
    match find(name) {
        Some(_) => parse(["weftc", name, "--help"].map(OsString::from)),
        None => Err(misread::unknown_command(name)
            .unwrap_or_else(|| Message::new(format!("unknown command `{name}`")))
            .into()),
    }
}

/// Parses with clap; help is brief unless `--help` asks for it.
fn matches(command: Command, words: &[OsString], name: &str) -> Result<ArgMatches, clap::Error> {
    let is_whole = words.iter().any(|word| word == "--help");
    match command.try_get_matches_from(words) {
        Err(error) if error.kind() == ErrorKind::DisplayHelp && !is_whole => {
            generate::brief(name).of(generate::command(name)).try_get_matches_from(words)
        }
        matches => matches,
    }
}

fn request(name: &str, matches: &ArgMatches) -> Result<Request, clap::Error> {
    Ok(match name {
        "run" => Request::Run(Box::new(RunArgs::of(matches)?)),
        "check-abi" => Request::CheckAbi(Box::new(CheckAbiArgs::of(matches)?)),
        "doctor" => Request::Doctor(Box::new(DoctorArgs::from_arg_matches(matches)?)),
        "completions" => Request::Completions(CompletionsArgs::from_arg_matches(matches)?),
        "man" => Request::Man(ManArgs::from_arg_matches(matches)?),
        _ => Request::Compile(Box::new(Args::of(matches)?)),
    })
}
