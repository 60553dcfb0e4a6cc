//! The page of options, docs/reference/options.md, which this test compares with clap's table.
//!
//! `BLESS=1 cargo test -p weft-driver args::page` writes it.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use clap::{Arg, Command};

use super::generate;

const INTRODUCTION: &str = "\
# Options

Written by `BLESS=1 cargo test -p weft-driver args::page` from the command line's own table.

Spellings in square brackets are nvcc's; both spellings work.
";

/// All commands, with a table for each heading of their `--help`.
fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    for name in generate::NAMES {
        add_command(&generate::command(name), &mut page);
    }
    page
}

fn add_command(command: &Command, page: &mut String) {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let _ = write!(page, "\n## `{}`\n\n{}\n", command.get_name(), one_line(&about));
    let mut headings: Vec<&str> = Vec::new();
    for arg in command.get_arguments().filter(|arg| is_shown(arg)) {
        if !headings.contains(&heading(arg)) {
            headings.push(heading(arg));
        }
    }
    for title in headings {
        let _ = write!(page, "\n**{title}**\n\n| option | meaning |\n|---|---|\n");
        for arg in command.get_arguments().filter(|arg| is_shown(arg) && heading(arg) == title) {
            let _ = writeln!(page, "| {} | {} |", spelling(arg), meaning(arg));
        }
    }
}

fn is_shown(arg: &Arg) -> bool {
    !arg.is_hide_set()
}

fn heading(arg: &Arg) -> &str {
    arg.get_help_heading().unwrap_or(if arg.is_positional() { "Arguments" } else { "Options" })
}

/// `` `-I`, `--include-path DIR` ``
fn spelling(arg: &Arg) -> String {
    let value = match arg.get_value_names() {
        Some(names) if arg.get_action().takes_values() => {
            let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
            format!(" {}", names.join(" "))
        }
        _ => String::new(),
    };
    let names = [arg.get_short().map(|c| format!("-{c}")), arg.get_long().map(|name| format!("--{name}"))];
    let names: Vec<String> = names.into_iter().flatten().collect();
    match &names[..] {
        [] => code(value.trim()),
        [name] => code(&format!("{name}{value}")),
        [first, ..] => names[1..]
            .iter()
            .fold(code(first), |text, name| format!("{text}, {}", code(&format!("{name}{value}")))),
    }
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// The help, the default and the values.
fn meaning(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut text = one_line(&help).replace('<', "&lt;").replace('|', "\\|");
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| code(&value.to_string_lossy())).collect();
    if !defaults.is_empty() && arg.get_action().takes_values() && !arg.is_hide_default_value_set() {
        let _ = write!(text, "; default: {}", defaults.join(", "));
    }
    let values: Vec<String> = arg.get_possible_values().iter().map(|value| code(value.get_name())).collect();
    if !values.is_empty() && arg.get_action().takes_values() {
        let _ = write!(text, "; one of {}", values.join(", "));
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn options_page_matches_the_command_line() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/options.md");
    let wanted = page();
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &wanted).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).expect("the page can be read");
    for (found, wanted) in found.lines().zip(wanted.lines()) {
        assert_eq!(found, wanted, "docs/reference/options.md: BLESS=1 updates it");
    }
    assert_eq!(found.len(), wanted.len(), "docs/reference/options.md: BLESS=1 updates it");
}
