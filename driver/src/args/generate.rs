//! Man pages and shell completions, generated from the options: `weftc man`, `weftc completions`.

use clap::{Command, CommandFactory, Parser};
use clap_complete::Shell;

use super::Args;
use super::check_abi::{self, CheckAbiArgs};
use super::doctor::{self, DoctorArgs};
use super::help::Brief;
use super::run::{self, RunArgs};

/// The command names; the first one is the compiler, which has none.
pub const NAMES: [&str; 6] = ["", "run", "check-abi", "doctor", "completions", "man"];

const COMPLETIONS_AFTER: &str = "\
Examples:
  weftc completions bash > ~/.local/share/bash-completion/completions/weftc
  weftc completions zsh > ~/.zfunc/_weftc
  weftc completions fish > ~/.config/fish/completions/weftc.fish";

const MAN_AFTER: &str = "\
Examples:
  weftc man | man -l -
  weftc man run > weftc-run.1";

/// What `-h` shows for `completions`.
const COMPLETIONS_BRIEF: Brief = Brief { options: &["shell", "help"], after: COMPLETIONS_AFTER };

/// What `-h` shows for `man`.
const MAN_BRIEF: Brief = Brief { options: &["command", "help"], after: MAN_AFTER };

/// Print a script that completes the command line of weftc in a shell.
#[derive(Debug, Parser)]
#[command(name = "weftc completions", disable_version_flag = true, disable_help_flag = true)]
#[command(after_help = COMPLETIONS_AFTER, max_term_width = 100)]
#[command(override_usage = "weftc completions <SHELL>")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,

    /// Print this help
    #[arg(short, long, action = clap::ArgAction::HelpShort, help_heading = "General")]
    pub help: Option<bool>,
}

/// Print a man page.
#[derive(Debug, Parser)]
#[command(name = "weftc man", disable_version_flag = true, disable_help_flag = true)]
#[command(after_help = MAN_AFTER, max_term_width = 100)]
#[command(override_usage = "weftc man [COMMAND]")]
pub struct ManArgs {
    /// The command that the page is about [default: the compiler]
    #[arg(value_name = "COMMAND", value_parser = clap::builder::PossibleValuesParser::new(&NAMES[1..]))]
    pub command: Option<String>,

    /// Print this help
    #[arg(short, long, action = clap::ArgAction::HelpShort, help_heading = "General")]
    pub help: Option<bool>,
}

impl CompletionsArgs {
    /// The script.
    pub fn script(&self) -> Vec<u8> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut whole(), "weftc", &mut script);
        script
    }
}

impl ManArgs {
    /// The page in roff.
    ///
    /// # Panics
    ///
    /// Never: writing to memory succeeds.
    pub fn page(&self) -> Vec<u8> {
        let name = self.command.as_deref().unwrap_or_default();
        // A page's name is one word.
        let title = match name {
            "run" => "weftc-run",
            "check-abi" => "weftc-check-abi",
            "doctor" => "weftc-doctor",
            "completions" => "weftc-completions",
            "man" => "weftc-man",
            _ => "weftc",
        };
        let page = command(name).name(title).version(env!("CARGO_PKG_VERSION"));
        let mut text = Vec::new();
        let man = clap_mangen::Man::new(page).title(title).manual("weftc");
        man.render(&mut text).expect("invariant: writing to memory succeeds");
        text
    }
}

/// A command by name. Of repeated options with one value, the last one counts, like in nvcc.
pub fn command(name: &str) -> Command {
    let command = match name {
        "run" => RunArgs::command(),
        "check-abi" => CheckAbiArgs::command(),
        "doctor" => DoctorArgs::command(),
        "completions" => CompletionsArgs::command(),
        "man" => ManArgs::command(),
        _ => Args::command(),
    };
    command.args_override_self(true)
}

/// What `-h` shows for a command.
pub fn brief(name: &str) -> Brief {
    match name {
        "run" => run::BRIEF,
        "check-abi" => check_abi::BRIEF,
        "doctor" => doctor::BRIEF,
        "completions" => COMPLETIONS_BRIEF,
        "man" => MAN_BRIEF,
        _ => super::BRIEF,
    }
}

/// The compiler with all commands as clap's subcommands, for completions.
fn whole() -> Command {
    let named = |name: &'static str| command(name).name(name);
    NAMES.into_iter().skip(1).fold(Args::command(), |whole, name| whole.subcommand(named(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The long options of a command, or the letters of those without a long name.
    fn options(name: &str) -> Vec<String> {
        let command = command(name);
        let arguments = command.get_arguments().filter(|arg| !arg.is_positional());
        let spelled = |arg: &clap::Arg| match (arg.get_long(), arg.get_short()) {
            (Some(long), _) => long.to_owned(),
            (None, short) => short.map(String::from).unwrap_or_default(),
        };
        arguments.map(spelled).collect()
    }

    #[test]
    fn man_pages_mention_every_option() {
        for name in NAMES {
            let page = ManArgs { command: Some(name.to_owned()), help: None }.page();
            let page = String::from_utf8(page).expect("text").replace("\\-", "-");
            assert!(page.contains(".SH SYNOPSIS"), "{name}: {page}");
            for option in options(name) {
                let spelled = if option.len() == 1 { format!("-{option}") } else { format!("--{option}") };
                assert!(page.contains(&spelled), "weftc {name}: the man page lacks {spelled}");
            }
        }
    }

    #[test]
    fn completions_mention_every_option() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = CompletionsArgs { shell, help: None }.script();
            let script = String::from_utf8(script).expect("text");
            for name in NAMES {
                assert!(script.contains(name), "{shell}: {name}");
                for option in options(name) {
                    let spelled = match (shell, option.len()) {
                        (Shell::Fish, 1) => format!("-s {option}"),
                        (Shell::Fish, _) => format!("-l {option}"),
                        (_, 1) => format!("-{option}"),
                        (_, _) => format!("--{option}"),
                    };
                    assert!(script.contains(&spelled), "{shell}: weftc {name} lacks {spelled}");
                }
            }
        }
    }
}
