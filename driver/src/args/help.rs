//! `-h` and `--help`: the common options on one screen, and all options in groups.
//!
//! An option's text is the same in both; [`Brief`] selects the options for the screen.

use clap::Command;

/// The help of `-h` for a command.
pub struct Brief {
    /// The options, by their clap ids, in display order.
    pub options: &'static [&'static str],
    /// The text after the options.
    pub after: &'static str,
}

impl Brief {
    /// The command with only these options, in one group.
    pub fn of(&self, command: Command) -> Command {
        let command = command.mut_args(|arg| {
            let place = self.options.iter().position(|&name| name == arg.get_id().as_str());
            let arg = arg.help_heading(None::<&'static str>);
            match place {
                Some(place) => arg.display_order(place),
                None => arg.hide(true),
            }
        });
        command.after_help(self.after)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::generate::{NAMES, brief, command};

    #[test]
    fn the_brief_help_fits_on_a_screen() {
        for name in NAMES {
            let brief = brief(name);
            let known: BTreeSet<String> =
                command(name).get_arguments().map(|arg| arg.get_id().to_string()).collect();
            for option in brief.options {
                assert!(known.contains(*option), "weftc {name}: no option {option}");
            }
            let text = brief.of(command(name)).term_width(100).render_help().to_string();
            assert!(text.lines().count() <= 40, "weftc {name} -h: {} lines\n{text}", text.lines().count());
            for line in text.lines() {
                assert!(line.chars().count() <= 100, "weftc {name} -h: too long: {line}");
            }
        }
        assert_eq!(brief("").options.len(), 20);
    }

    #[test]
    fn help_entries_begin_with_a_verb() {
        let verbs: BTreeSet<&str> = "Add Allow Bind Choose Compare Compile Continue Count Define Disable Do Drop Enable \
            Explain Flush Fuse Include Keep Launch Like Link List Make Omit Only Pass Print Read Replace Report Round Run \
            Save Search Set Show Stop Test Trace Treat Undefine Use Vary With Write"
            .split_whitespace()
            .collect();
        for name in NAMES {
            for arg in command(name).get_arguments().filter(|arg| !arg.is_positional()) {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                let first = help.split([' ', ':']).next().unwrap_or_default();
                assert!(verbs.contains(first), "weftc {name} --{}: {help}", arg.get_id());
                assert!(!help.ends_with('.'), "weftc {name} --{}: {help}", arg.get_id());
                assert!(arg.get_help_heading().is_some(), "weftc {name} --{} is in no group", arg.get_id());
            }
        }
    }
}
