//! Errors in the command line, in this program's style: unknown commands and options with similar names, and
//! clap's other errors.

use std::collections::BTreeSet;
use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use weft_frontend::diag::similar::similar;

use super::{generate, nvcc};
use crate::error::{Message, shown};

/// A message for an error of clap. `name` is the command, and `words` are its arguments.
pub fn message(error: &clap::Error, name: &str, words: &[OsString]) -> Message {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(" ")),
        _ => None,
    };
    let (argument, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    let message = match (error.kind(), argument, value) {
        (ErrorKind::UnknownArgument, Some(argument), _) => return unknown_option(&argument, name, words),
        (ErrorKind::InvalidValue, Some(argument), None) => {
            Message::new(format!("`{argument}` requires a value"))
        }
        (ErrorKind::InvalidValue, Some(argument), Some(value)) if value.is_empty() => {
            Message::new(format!("`{argument}` requires a value"))
        }
        (ErrorKind::InvalidValue, Some(argument), Some(value)) => {
            let message = Message::new(format!("invalid value `{value}` for `{argument}`"));
            match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(all)) => with_values(message, &value, all),
                _ => message,
            }
        }
        (ErrorKind::ValueValidation, Some(argument), Some(value)) => {
            let why = error.source().map(|why| format!(": {why}")).unwrap_or_default();
            Message::new(format!("invalid value `{value}` for `{argument}`{why}"))
        }
        (ErrorKind::MissingRequiredArgument, Some(argument), _) => {
            Message::new(format!("missing `{argument}`"))
        }
        (ErrorKind::ArgumentConflict, Some(argument), _) => {
            Message::new(format!("`{argument}` is given more than once, or with an option that excludes it"))
        }
        _ => {
            let whole = error.to_string();
            let first = whole.lines().next().unwrap_or_default();
            Message::new(first.trim_start_matches("error: ").replace('\'', "`"))
        }
    };
    with_help(message, name)
}

/// A message if the first argument is neither a command nor an input.
pub fn unknown_command(word: &str) -> Option<Message> {
    let path = Path::new(word);
    if word.starts_with('-') || word.is_empty() || path.components().count() > 1 || path.exists() {
        return None;
    }
    let commands = || generate::NAMES.into_iter().skip(1).chain(["help"]);
    let meant = similar(word, commands()).and_then(|idx| commands().nth(idx));
    if path.extension().is_some() {
        return None;
    }
    let message = Message::new(format!("unknown command `{}`", shown(path)));
    Some(match meant {
        Some(meant) => message.help(format!("did you mean `weftc {meant}`?")),
        None => message
            .help(format!("the commands are {}", commands().collect::<Vec<_>>().join(", ")))
            .help("the name of a program ends in .cu or .src; `-x cu` accepts any name"),
    })
}

/// An option that the command does not support.
fn unknown_option(argument: &str, name: &str, words: &[OsString]) -> Message {
    // For an argument like `-lineinf`, clap reports only the first letter.
    let texts = words.iter().filter_map(|word| word.to_str());
    let whole = texts.map(|text| text.split('=').next().unwrap_or(text)).find(|text| {
        !argument.starts_with("--") && !text.starts_with("--") && text.len() > 2 && text.starts_with(argument)
    });
    let written = whole.unwrap_or(argument);
    let message = Message::new(format!("unknown option `{written}`"));
    let bare = written.trim_start_matches('-');
    let dashes = &written[..written.len() - bare.len()];
    let own = long_names(&generate::command(name));
    // Only nvcc's long names have a single dash.
    let mut candidates: Vec<String> =
        own.iter().filter(|_| dashes == "--").map(|long| (*long).to_owned()).collect();
    candidates.extend(nvcc::names().filter_map(|(theirs, ours)| {
        let is_here = ours.is_none_or(|ours| own.contains(ours.trim_start_matches('-')));
        (is_here && theirs.len() > 1).then(|| theirs.to_owned())
    }));
    if let Some(idx) = similar(bare, candidates.iter().map(String::as_str)) {
        return message.help(format!("did you mean `{dashes}{}`?", candidates[idx]));
    }
    if dashes == "-" && own.contains(bare) {
        return message.help(format!("did you mean `--{bare}`?"));
    }
    let elsewhere = generate::NAMES.iter().find(|&&other| {
        other != name && dashes == "--" && long_names(&generate::command(other)).contains(bare)
    });
    match elsewhere {
        Some(&"") => message.help(format!("`{written}` is an option of `weftc` without a command")),
        Some(other) => message.help(format!("`{written}` is an option of `weftc {other}`")),
        None => with_help(message, name),
    }
}

fn long_names(command: &Command) -> BTreeSet<String> {
    command.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned).collect()
}

fn with_values(message: Message, value: &str, all: &[String]) -> Message {
    let message = message.note(format!("possible values: {}", all.join(", ")));
    match similar(value, all.iter().map(String::as_str)) {
        Some(idx) => message.help(format!("did you mean `{}`?", all[idx])),
        None => message,
    }
}

fn with_help(message: Message, name: &str) -> Message {
    let command = if name.is_empty() { "weftc".to_owned() } else { format!("weftc {name}") };
    message.help(format!("`{command} --help` lists all options"))
}

#[cfg(test)]
mod tests {
    use super::super::run::RunArgs;
    use super::super::{Args, check_abi::CheckAbiArgs};
    use super::*;

    fn reported(line: &str) -> String {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let words = nvcc::rewrite(words).expect("spellings that are accepted");
        let error = Args::read(words.clone()).expect_err("a wrong line");
        message(&error, "", &words).to_string()
    }

    #[test]
    fn suggests_the_option_that_was_meant() {
        for (line, option, meant) in [
            ("weftc --line-inof a.cu", "--line-inof", "did you mean `--line-info`?"),
            ("weftc -lineinof a.cu", "-lineinof", "did you mean `-lineinfo`?"),
            ("weftc -fmadd=false a.cu", "-fmadd", "did you mean `-fmad`?"),
            ("weftc -use_fast_maht a.cu", "-use_fast_maht", "did you mean `-use_fast_math`?"),
            ("weftc -syntax-only a.cu", "-syntax-only", "did you mean"),
            ("weftc --block=32 a.cu", "--block", "`--block` is an option of `weftc run`"),
            ("weftc --frobnicate a.cu", "--frobnicate", "`weftc --help` lists all options"),
        ] {
            let reported = reported(line);
            assert!(reported.starts_with(&format!("unknown option `{option}`")), "{line}: {reported}");
            assert!(reported.contains(meant), "{line}: {reported}");
        }
    }

    #[test]
    fn names_the_values_of_an_option() {
        let for_emit = reported("weftc --emit=irr a.cu");
        assert!(for_emit.starts_with("invalid value `irr` for `--emit"), "{for_emit}");
        assert!(for_emit.contains("possible values: ") && for_emit.contains("did you mean `ir`?"));
        assert!(reported("weftc a.cu --emit").starts_with("`--emit <TEXT>` requires a value"));
        let words: Vec<OsString> = ["weftc run", "--block", "0", "a.cu"].map(OsString::from).to_vec();
        let error = RunArgs::read(words.clone()).expect_err("a wrong line");
        let reported = message(&error, "run", &words).to_string();
        assert!(
            reported.contains("invalid value `0` for `--block") && reported.contains("at least 1"),
            "{reported}"
        );
        let words: Vec<OsString> = ["weftc check-abi"].map(OsString::from).to_vec();
        let error = CheckAbiArgs::read(words.clone()).expect_err("a wrong line");
        let reported = message(&error, "check-abi", &words).to_string();
        assert!(reported.starts_with("missing `<INPUT>"), "{reported}");
    }

    #[test]
    fn suggests_the_command_that_was_meant() {
        let reported = |word| unknown_command(word).map(|message| message.to_string()).unwrap_or_default();
        assert!(reported("rnu").contains("did you mean `weftc run`?"), "{}", reported("rnu"));
        assert!(reported("chek-abi").contains("did you mean `weftc check-abi`?"));
        assert!(reported("docter").contains("did you mean `weftc doctor`?"));
        assert!(reported("build").contains("the commands are run, check-abi"));
        for input in ["a.cu", "-", "--help", "src/run", "rnu.cu"] {
            assert_eq!(reported(input), "", "{input}");
        }
    }
}
