//! The pages of options: docs/reference/options.md from clap's table, docs/reference/nvcc-options.md from that of nvcc's options.
//!
//! `BLESS=1 cargo test -p weft-driver args::page` writes them.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use clap::{Arg, Command};

use super::generate;
use super::nvcc::table::{Arity, Does, NVCC, OTHERS, Program, Reader, Row};

const INTRODUCTION: &str = "\
# Options

Written by `BLESS=1 cargo test -p weft-driver args::page` from the command line's own table.

Spellings in square brackets are nvcc's; both spellings work. [Options of nvcc](nvcc-options.md) lists all of nvcc's.
";

const NVCC_INTRODUCTION: &str = "\
# Options of nvcc

Written by `BLESS=1 cargo test -p weft-driver args::page` from the table that the command line is read by.

weftc reads nvcc's command lines. Every option of nvcc 13.5 is one of these:

- **implemented**: it has nvcc's effect, by the option of weftc in the third column if that has another name
- **passed on**: a program that weftc runs gets it; it has no effect if the program is not run
- **no effect**: nothing is lost without it; the third column says why
- **no effect, warning**: `-Wunused-command-line-argument` warns
- **refused**: an error, with the reason and the nearest alternative

Values follow after `=` or as the next argument; those of `-I`, `-D`, `-U`, `-O`, `-t`, `-l` and `-L` also directly. Commas separate the
values of a LIST, and repeated options add to it. Of other repeated options the last one counts, with a warning if the values differ. The
words of `NVCC_PREPEND_FLAGS` and `NVCC_APPEND_FLAGS` come before and after the command line.
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

/// nvcc's options, with what each does here.
fn nvcc_page() -> String {
    let mut page = String::from(NVCC_INTRODUCTION);
    let kinds = ["implemented", "passed on", "no effect", "no effect, warning", "refused"];
    let counts = kinds.map(|kind| {
        let n = NVCC.iter().filter(|row| effect(row).0 == kind).count();
        format!("{n} {kind}")
    });
    let _ = writeln!(page, "\nOf {} options: {}.", NVCC.len(), counts.join(", "));
    for (title, rows) in [("The options of `nvcc --help`", NVCC), ("Other options", OTHERS)] {
        let _ = write!(page, "\n## {title}\n\n| option | effect | details |\n|---|---|---|\n");
        for row in rows {
            let value = match row.arity {
                Arity::Flag => "",
                Arity::Value => " VALUE",
                Arity::List => " LIST",
                Arity::Each => " VALUE…",
            };
            let names: Vec<String> = row.spellings().map(|name| code(&name)).collect();
            let (kind, details) = effect(row);
            let _ =
                writeln!(page, "| {}{value} | {kind} | {} |", names.join(", "), details.replace('|', "\\|"));
        }
    }
    page
}

/// The kind of effect, and details.
fn effect(row: &'static Row) -> (&'static str, String) {
    let program = |program| match program {
        Program::Ptxas => "ptxas",
        Program::Nvlink => "nvlink",
        Program::Fatbinary => "fatbinary",
        Program::Host => "the host compiler",
    };
    let reads = |reader: &Reader| match reader {
        Reader::Numbers(prefix) => format!("`{prefix}NUMBER` for each number"),
        Reader::Frontend => {
            "only `--diag_suppress`, `--diag_warning` and `--diag_error` have an effect".to_owned()
        }
        Reader::Host => "to the host compiler; macros and headers also count for device code".to_owned(),
        Reader::WarningKinds => "`-Werror=NAME` for warnings that weftc has".to_owned(),
        Reader::ForwardToCompiler => "as with `-Xcompiler`".to_owned(),
        Reader::ForwardToLinker => "unknown options are ignored".to_owned(),
        Reader::Files => "double quotes and backslashes as in nvcc".to_owned(),
    };
    match &row.does {
        Does::Ours([]) => ("implemented", String::new()),
        Does::Ours(ours) => {
            let is_same = ours.iter().any(|ours| row.spellings().any(|name| name == *ours));
            let ours: Vec<String> = ours.iter().map(|ours| code(ours)).collect();
            ("implemented", if is_same && ours.len() == 1 { String::new() } else { ours.join(", ") })
        }
        Does::Values(values, why) => {
            let is_done = values.iter().any(|(_, ours)| !ours.is_empty());
            let values: Vec<String> = values.iter().map(|(value, _)| code(value)).collect();
            let others = if why.is_empty() { String::new() } else { format!("; no other value: {why}") };
            (if is_done { "implemented" } else { "no effect" }, format!("{}{others}", values.join(", ")))
        }
        Does::Read(Reader::Host) => ("passed on", reads(&Reader::Host)),
        Does::Read(reader) => ("implemented", reads(reader)),
        Does::Passed(to, _) => ("passed on", format!("to {}", program(*to))),
        Does::Silent(why) => ("no effect", (*why).to_owned()),
        Does::Warned(why) => ("no effect, warning", (*why).to_owned()),
        Does::Refused(why, instead) => ("refused", format!("{why}; {instead}")),
    }
}

#[test]
fn options_page_matches_the_command_line() {
    compare("options.md", &page());
}

#[test]
fn page_of_nvccs_options_matches_the_table() {
    compare("nvcc-options.md", &nvcc_page());
}

fn compare(name: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference").join(name);
    if env::var_os("BLESS").is_some() {
        fs::write(&path, wanted).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).expect("the page can be read");
    for (found, wanted) in found.lines().zip(wanted.lines()) {
        assert_eq!(found, wanted, "docs/reference/{name}: BLESS=1 updates it");
    }
    assert_eq!(found.len(), wanted.len(), "docs/reference/{name}: BLESS=1 updates it");
}
