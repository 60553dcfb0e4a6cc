//! Errors in the command line, in this program's style: unknown commands and options with similar names, and
//! clap's other errors.

use std::collections::BTreeSet;
use std::error::Error as _;
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use weft_frontend::diag::similar::similar;

use super::nvcc::table::rows;
use super::{generate, nvcc};
use crate::error::{Message, shown};

/// A message for an error of clap. `name` is the command.
pub fn message(error: &clap::Error, name: &str) -> Message {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(" ")),
        _ => None,
    };
    let (argument, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    let message = match (error.kind(), argument, value) {
        (ErrorKind::UnknownArgument, Some(argument), _) => return unknown_option(&argument, name),
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
    if commands().any(|command| command == word) {
        return Some(Message::new(format!("the command `{word}` must be the first argument")));
    }
    let message = Message::new(format!("unknown command `{}`", shown(path)));
    Some(match meant {
        Some(meant) => message.help(format!("did you mean `weftc {meant}`?")),
        None => message
            .help(format!("the commands are {}", commands().collect::<Vec<_>>().join(", ")))
            .help("the name of a program ends in .cu or .src; `-x cu` accepts any name"),
    })
}

/// An option that the command does not support, as written, without its value.
pub fn unknown_option(written: &str, name: &str) -> Message {
    let message = Message::new(format!("unknown option `{written}`"));
    let command = generate::command(name);
    if let Some(similar) = similar_option(written, &command) {
        return message.help(format!("did you mean `{similar}`?"));
    }
    let bare = written.trim_start_matches('-');
    if !written.starts_with("--") && long_names(&command).contains(bare) {
        return message.help(format!("did you mean `--{bare}`?"));
    }
    if written == "-g" {
        return message.help("`-G` writes debug information of device code");
    }
    let has = |other: &&&str| nvcc::is_option(&generate::command(other), written);
    match generate::NAMES.iter().filter(|&&other| other != name).find(has) {
        Some(&"") => message.help(format!("`{written}` is an option of `weftc` without a command")),
        Some(other) => message.help(format!("`{written}` is an option of `weftc {other}`")),
        None => with_help(message, name),
    }
}

/// The option of the command that is most similar to another word.
pub fn similar_option(written: &str, command: &Command) -> Option<String> {
    let bare = written.trim_start_matches('-');
    let dashes = &written[..written.len() - bare.len()];
    // Only nvcc's long names have a single dash.
    let own = long_names(command).into_iter().filter(|_| dashes == "--");
    let theirs = rows().filter(|row| nvcc::has_row(command, row)).flat_map(|row| [row.long, row.short]);
    let candidates: Vec<String> =
        own.chain(theirs.filter(|name| name.len() > 1).map(str::to_owned)).filter(|it| it != bare).collect();
    let idx = similar(bare, candidates.iter().map(String::as_str))?;
    Some(format!("{dashes}{}", candidates[idx]))
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
    use std::ffi::OsString;

    use super::super::parse::{Unparsed, parse};
    use super::*;

    fn reported(line: &str) -> String {
        match parse(line.split(' ').map(OsString::from)).expect_err("a wrong line") {
            Unparsed::Wrong(message) => message.to_string(),
            Unparsed::Help(text) => panic!("{text}"),
        }
    }

    #[test]
    fn suggests_the_option_that_was_meant() {
        for (line, option, meant) in [
            ("weftc --line-inof a.cu", "--line-inof", "did you mean `--line-info`?"),
            ("weftc -genrate-line-info a.cu", "-genrate-line-info", "did you mean `-generate-line-info`?"),
            ("weftc -vE a.cu", "-vE", "`weftc --help` lists all options"),
            ("weftc run -c a.cu", "-c", "`-c` is an option of `weftc` without a command"),
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
        let for_block = reported("weftc run --block 0 a.cu");
        assert!(
            for_block.contains("invalid value `0` for `--block") && for_block.contains("at least 1"),
            "{for_block}"
        );
        let missing = reported("weftc check-abi");
        assert!(missing.starts_with("missing `<INPUT>"), "{missing}");
    }

    #[test]
    fn suggests_the_command_that_was_meant() {
        let reported = |word| unknown_command(word).map(|message| message.to_string()).unwrap_or_default();
        assert!(reported("rnu").contains("did you mean `weftc run`?"), "{}", reported("rnu"));
        assert!(reported("chek-abi").contains("did you mean `weftc check-abi`?"));
        assert!(reported("docter").contains("did you mean `weftc doctor`?"));
        assert!(reported("build").contains("the commands are run, check-abi"));
        assert!(reported("run").contains("must be the first argument"));
        for input in ["a.cu", "-", "--help", "src/run", "rnu.cu"] {
            assert_eq!(reported(input), "", "{input}");
        }
    }
}
