//! Rewrites nvcc's spellings to ours before clap parses the arguments.
//!
//! In: the arguments after the command, and the command as clap knows it. Out: arguments for clap, in which every option is one that
//! the command has, and warnings about options without effect. [`table`] says what becomes of each option of nvcc; its long names may
//! have one dash, too. An option that neither the table nor clap knows is an error, unless unknown options are forwarded.
//!
//! Repeated options with one value are like in nvcc: the last one counts, with a warning if the values differ.
//!
//! - [`table`]: the options
//! - [`words`]: lists, and the words of option files and environment variables

pub mod table;
pub mod words;

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Arg, Command};

use super::misread;
use crate::error::Message;
use crate::input::read_file;
use table::{Arity, Does, Reader, Row, Takes, rows};

/// The number of option files that a command line may name, so that files that name each other end.
const MAX_FILES: usize = 100;

/// A command line for clap.
#[derive(Debug, Default)]
pub struct Rewritten {
    /// The arguments.
    pub words: Vec<OsString>,
    /// Options without effect.
    pub unused: Vec<Message>,
    /// Words from option files.
    pub from_files: Vec<String>,
}

/// Rewrites the arguments of a command, whose name is empty for the compiler.
///
/// # Errors
///
/// If an option is unknown or refused, or lacks its value.
pub fn rewrite(
    args: impl IntoIterator<Item = OsString>,
    command: &Command,
    name: &str,
) -> Result<Rewritten, Message> {
    let mut rewriter = Rewriter {
        command,
        name,
        args: args.into_iter().collect(),
        groups: Vec::new(),
        last: BTreeMap::new(),
        host: Vec::new(),
        unknown: Vec::new(),
        is_forwarded: None,
        n_files: 0,
        from_files: Vec::new(),
        unused: Vec::new(),
    };
    while let Some(arg) = rewriter.args.pop_front() {
        if arg == "--" {
            let rest = std::iter::once(arg).chain(rewriter.args.drain(..)).collect();
            rewriter.groups.push(rest);
            break;
        }
        rewriter.word(arg)?;
    }
    rewriter.finish()
}

/// An option with one value.
struct Single {
    group: usize,
    shown: String,
    value: OsString,
}

struct Rewriter<'c> {
    command: &'c Command,
    name: &'c str,
    args: VecDeque<OsString>,
    /// The arguments that each argument became.
    groups: Vec<Vec<OsString>>,
    /// The last occurrence of options with one value, by their names.
    last: BTreeMap<(&'static str, &'static str), Single>,
    /// Options for the host compiler.
    host: Vec<String>,
    unknown: Vec<String>,
    /// Whether unknown options go to the host compiler, if they are forwarded.
    is_forwarded: Option<bool>,
    n_files: usize,
    from_files: Vec<String>,
    unused: Vec<Message>,
}

impl Rewriter<'_> {
    fn word(&mut self, arg: OsString) -> Result<(), Message> {
        let Some(text) = arg.to_str().filter(|text| text.starts_with('-') && text.len() > 1) else {
            if let Some(file) = arg.to_str().and_then(|text| text.strip_prefix('@'))
                && !Path::new(&arg).exists()
            {
                return Err(Message::new(format!(
                    "`@{file}`: options are not read from files by `@`, like in nvcc"
                ))
                .help(format!("write `-optf {file}`")));
            }
            self.groups.push(vec![arg]);
            return Ok(());
        };
        let own = own(self.command, text);
        let row = find(text).filter(|(row, _)| self.name.is_empty() || own.is_none() || self.has_row(row));
        match (row, own) {
            (Some((row, value)), _) => self.row(row, text, value.map(OsString::from)),
            (None, Some(takes_next)) => {
                let next = if takes_next { self.args.pop_front() } else { None };
                self.groups.push(std::iter::once(arg).chain(next).collect());
                Ok(())
            }
            (None, None) => {
                self.unknown.push(text.to_owned());
                Ok(())
            }
        }
    }

    /// An option of the table, as written, with the value in the same argument.
    fn row(&mut self, row: &'static Row, text: &str, value: Option<OsString>) -> Result<(), Message> {
        if let Does::Refused(why, instead) = row.does {
            return Err(Message::new(format!("`{}` is not supported: {why}", name_in(text))).help(instead));
        }
        if let Does::Read(Reader::WarningKinds) = row.does {
            self.warning_kinds(text, value);
            return Ok(());
        }
        let value = match (row.arity, value) {
            (Arity::Flag, Some(_)) => {
                return Err(Message::new(format!("`{}` takes no value", name_in(text))));
            }
            (Arity::Flag, None) => None,
            (_, Some(value)) => Some(value),
            (_, None) => {
                let next = self.args.pop_front();
                Some(next.ok_or_else(|| Message::new(format!("`{text}` requires a value")))?)
            }
        };
        if let Some(wrong) = value.as_deref().and_then(|value| wrong_value(row, value)) {
            let message = Message::new(format!("invalid value `{wrong}` for `{}`", name_in(text)));
            return Err(match row.takes {
                Takes::OneOf(all) => message.help(format!("supported values: {}", all.join(", "))),
                Takes::Number | Takes::Any => message.help("expected a number"),
            });
        }
        let group = self.groups.len();
        let words = self.words_of(row, text, value.as_deref())?;
        self.groups.push(words);
        if row.arity == Arity::Value {
            let value = value.unwrap_or_default();
            let shown = match text.contains('=') || find(text).is_some_and(|(_, value)| value.is_some()) {
                true => text.to_owned(),
                false => format!("{text} {}", value.display()),
            };
            let single = Single { group, shown: shown.clone(), value: value.clone() };
            if let Some(earlier) = self.last.insert((row.long, row.short), single) {
                self.groups[earlier.group].clear();
                if earlier.value != value {
                    let text = format!("`{}` has no effect: `{shown}` overrides it", earlier.shown);
                    self.unused.push(Message::new(text));
                }
            }
        }
        Ok(())
    }

    /// The arguments that an option becomes.
    fn words_of(
        &mut self,
        row: &'static Row,
        text: &str,
        value: Option<&OsStr>,
    ) -> Result<Vec<OsString>, Message> {
        let listed = value.and_then(OsStr::to_str).unwrap_or_default();
        let warn = |rewriter: &mut Self, why: &str| {
            rewriter.unused.push(Message::new(format!("`{}` has no effect: {why}", name_in(text))));
            Ok(Vec::new())
        };
        match &row.does {
            Does::Silent(_) | Does::Refused(..) => Ok(Vec::new()),
            Does::Warned(why) => warn(self, why),
            Does::Ours([]) => Ok(std::iter::once(text.into()).chain(value.map(OsStr::to_owned)).collect()),
            Does::Ours(_) if !self.has_row(row) => Err(misread::unknown_option(name_in(text), self.name)),
            Does::Ours(ours) => Ok(each_with_value(ours, row.arity, value)),
            Does::Passed(..) if !self.has_row(row) => {
                let why = format!("`weftc {}` does not run this program", self.name);
                warn(self, &why)
            }
            Does::Passed(_, ours) if row.arity == Arity::List => {
                let parts = words::parts(listed);
                Ok(parts
                    .iter()
                    .flat_map(|part| words::for_shell(part))
                    .map(|part| joined(ours, part.as_ref()))
                    .collect())
            }
            Does::Passed(_, ours) => Ok(each_with_value(&[ours], row.arity, value)),
            Does::Values(values, why) => {
                let Some((_, ours)) = values.iter().find(|(known, _)| *known == listed) else {
                    let all: Vec<&str> = values.iter().map(|(known, _)| *known).collect();
                    let message = Message::new(format!("invalid value `{listed}` for `{}`", name_in(text)));
                    let message = if why.is_empty() { message } else { message.note(*why) };
                    return Err(message.help(format!("supported values: {}", all.join(", "))));
                };
                Ok(ours.iter().filter(|ours| has(self.command, ours)).map(OsString::from).collect())
            }
            Does::Read(reader) => self.read(*reader, listed),
        }
    }

    fn read(&mut self, reader: Reader, value: &str) -> Result<Vec<OsString>, Message> {
        match reader {
            Reader::Numbers(prefix) => return Ok(numbered(prefix, value).collect()),
            Reader::Frontend => return Ok(of_frontend(value)),
            Reader::Host => {
                let parts = words::parts(value);
                self.host.extend(parts.iter().flat_map(|part| words::for_shell(part)));
            }
            Reader::ForwardToCompiler => self.is_forwarded = Some(true),
            Reader::ForwardToLinker => self.is_forwarded = Some(self.is_forwarded == Some(true)),
            Reader::Files => {
                let mut all = Vec::new();
                for file in words::parts(value) {
                    self.n_files += 1;
                    if self.n_files > MAX_FILES {
                        return Err(Message::new(format!("more than {MAX_FILES} files of options")));
                    }
                    let text = read_file(Path::new(&file))
                        .map_err(|_| Message::new(format!("cannot read the file of options `{file}`")))?;
                    all.extend(words::of_file(&String::from_utf8_lossy(&text)));
                }
                self.from_files.extend(all.iter().cloned());
                for word in all.into_iter().rev() {
                    self.args.push_front(word.into());
                }
            }
            Reader::WarningKinds => {}
        }
        Ok(Vec::new())
    }

    /// nvcc's own `-Werror` takes kinds of warnings, also as the next argument; that of host compilers takes no argument.
    fn warning_kinds(&mut self, text: &str, value: Option<OsString>) {
        let is_kinds = |word: &OsString| word.to_str().is_some_and(are_kinds);
        let kinds = match value {
            None if self.args.front().is_some_and(is_kinds) => self.args.pop_front(),
            value => value.filter(is_kinds),
        };
        self.groups.push(match kinds {
            Some(kinds) => kinds.to_str().into_iter().flat_map(error_options).collect(),
            None => vec![format!("-{}", text.trim_start_matches('-')).into()],
        });
    }

    fn has_row(&self, row: &'static Row) -> bool {
        has_row(self.command, row)
    }

    fn finish(mut self) -> Result<Rewritten, Message> {
        match (self.is_forwarded, self.unknown.first()) {
            (None, Some(unknown)) => return Err(misread::unknown_option(name_in(unknown), self.name)),
            (Some(true), _) => self.host.append(&mut self.unknown),
            (Some(false) | None, _) => {}
        }
        let (preprocessor, rest) = of_preprocessor(std::mem::take(&mut self.host));
        let is_passed = has(self.command, "--host-option");
        if let (Some(first), false) = (rest.first(), is_passed) {
            let text = format!(
                "`-Xcompiler {first}` has no effect: `weftc {}` does not run the host compiler",
                self.name
            );
            self.unused.push(Message::new(text));
        }
        let rest = rest.iter().filter(|_| is_passed).map(|option| joined("--host-option", option.as_ref()));
        // They come before nvcc's own options.
        let words = preprocessor.into_iter().chain(rest).chain(self.groups.into_iter().flatten()).collect();
        Ok(Rewritten { words, unused: self.unused, from_files: self.from_files })
    }
}

/// The option of the table that an argument begins, and the value in it.
pub(super) fn find(text: &str) -> Option<(&'static Row, Option<&str>)> {
    let name = text.trim_start_matches('-');
    let (whole, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
    if let Some(row) = rows().find(|row| !whole.is_empty() && (row.long == whole || row.short == whole)) {
        return Some((row, value));
    }
    let letter = (!text.starts_with("--")).then(|| name.split_at_checked(1)).flatten();
    let (letter, rest) = letter?;
    rows().find(|row| row.short == letter && row.is_attachable()).map(|row| (row, Some(rest)))
}

/// The first value that nvcc does not take.
fn wrong_value(row: &Row, value: &OsStr) -> Option<String> {
    let value = value.to_str()?;
    let values = if row.arity == Arity::List { words::parts(value) } else { vec![value.to_owned()] };
    values.into_iter().find(|value| !row.takes.has(value.trim()))
}

/// The option without its value: `-arch` of `-arch=sm_90`.
fn name_in(text: &str) -> &str {
    match find(text) {
        Some((row, _)) if row.is_attachable() => text,
        _ => text.split('=').next().unwrap_or(text),
    }
}

/// Whether an argument is an option of the command.
pub(super) fn is_option(command: &Command, text: &str) -> bool {
    own(command, text).is_some() || find(text).is_some_and(|(row, _)| has_row(command, row))
}

/// Whether the command has an option that this one becomes.
pub(super) fn has_row(command: &Command, row: &'static Row) -> bool {
    let ours = row.ours();
    ours.is_empty() || ours.iter().any(|ours| has(command, ours))
}

/// Whether clap takes the argument as an option, and then whether its value is the next argument.
fn own(command: &Command, text: &str) -> Option<bool> {
    let (arg, rest) = match text.strip_prefix("--") {
        Some(name) => {
            let (name, value) =
                name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            (long(command, name)?, value)
        }
        None => {
            let mut chars = text.strip_prefix('-')?.chars();
            let letter = chars.next()?;
            let arg = command.get_arguments().find(|arg| arg.get_short() == Some(letter))?;
            (arg, (text.len() > 1 + letter.len_utf8()).then_some(chars.as_str()))
        }
    };
    match arg.get_action().takes_values() {
        true => Some(rest.is_none()),
        // No clusters: `-vE` is a mistake.
        false if text.starts_with("--") || rest.is_none() => Some(false),
        false => None,
    }
}

/// Whether the command has an option, which may have a value.
fn has(command: &Command, option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(name) => long(command, name.split('=').next().unwrap_or(name)).is_some(),
        None => command.get_arguments().any(|arg| arg.get_short() == option.chars().nth(1)),
    }
}

fn long<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|arg| arg.get_long() == Some(name))
}

/// Each option with the value.
fn each_with_value(ours: &[&str], arity: Arity, value: Option<&OsStr>) -> Vec<OsString> {
    let values: Vec<OsString> = match (value, arity) {
        (None, _) => return ours.iter().map(OsString::from).collect(),
        // A path that is not UTF-8 is not split.
        (Some(value), Arity::List) => value.to_str().map_or(vec![value.to_owned()], |text| {
            words::parts(text).into_iter().map(OsString::from).collect()
        }),
        (Some(value), Arity::Flag | Arity::Value | Arity::Each) => vec![value.to_owned()],
    };
    ours.iter().flat_map(|ours| values.iter().map(move |value| joined(ours, value))).collect()
}

/// Divides options for the host compiler into those that change device code, since nvcc uses its preprocessor (macros, headers,
/// `__FILE__`), as options of weftc, and the others.
fn of_preprocessor(options: Vec<String>) -> (Vec<OsString>, Vec<String>) {
    const NAMES: [(&str, &str); 7] = [
        ("-D", "--define-macro"),
        ("-U", "--undefine-macro"),
        ("-isystem", "--system-include"),
        ("-include", "--pre-include"),
        ("-I", "--include-path"),
        ("-fmacro-prefix-map=", "--macro-prefix-map"),
        ("-ffile-prefix-map=", "--macro-prefix-map"),
    ];
    let (mut ours, mut rest) = (Vec::new(), Vec::new());
    let mut options = options.into_iter();
    while let Some(option) = options.next() {
        let known = NAMES.iter().find_map(|(name, ours)| Some((*ours, option.strip_prefix(name)?)));
        let Some((name, value)) = known else {
            rest.push(option);
            continue;
        };
        let value = if value.is_empty() { options.next().unwrap_or_default() } else { value.to_owned() };
        ours.push(joined(name, OsStr::new(&value)));
    }
    (ours, rest)
}

/// The warnings among options of nvcc's frontend.
fn of_frontend(value: &str) -> Vec<OsString> {
    let mut all = Vec::new();
    for option in value.split([',', ' ']) {
        let (name, number) = option.trim_start_matches('-').split_once('=').unwrap_or_default();
        let prefix = match name {
            "diag_suppress" => "-Wno-nvcc-",
            "diag_warning" => "-Wnvcc-",
            "diag_error" => "-Werror=nvcc-",
            _ => continue,
        };
        all.extend(numbered(prefix, number));
    }
    all
}

/// An option for each number in a list.
fn numbered(prefix: &'static str, list: &str) -> impl Iterator<Item = OsString> {
    list.split(',').map(move |number| format!("{prefix}{}", number.trim()).into())
}

/// The kinds that nvcc's `-Werror` accepts.
const WARNING_KINDS: &[&str] = &[
    "all-warnings",
    "conversion",
    "cross-execution-space-call",
    "reorder",
    "default-stream-launch",
    "missing-launch-bounds",
    "ext-lambda-captures-this",
    "deprecated-declarations",
];

fn are_kinds(word: &str) -> bool {
    word.split(',').all(|kind| WARNING_KINDS.contains(&kind))
}

fn error_options(kinds: &str) -> impl Iterator<Item = OsString> {
    kinds.split(',').filter_map(|kind| match kind {
        "all-warnings" => Some("-Werror".into()),
        "deprecated-declarations" | "conversion" => Some(format!("-Werror={kind}").into()),
        _ => None,
    })
}

/// `--option=value`, or `-ovalue`.
fn joined(option: &str, value: &OsStr) -> OsString {
    let mut joined = OsString::from(option);
    if option.starts_with("--") {
        joined.push("=");
    }
    joined.push(value);
    joined
}

#[cfg(test)]
mod tests {
    use super::super::generate;
    use super::*;

    fn rewritten_for(name: &str, line: &str) -> Result<Rewritten, String> {
        let args = line.split(' ').map(OsString::from);
        rewrite(args, &generate::command(name), name).map_err(|message| message.to_string())
    }

    fn rewritten(line: &str) -> String {
        let out = rewritten_for("", line).expect("a line that is taken");
        out.words.iter().map(|arg| arg.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    fn refused(line: &str) -> String {
        rewritten_for("", line).expect_err("a line that is refused")
    }

    fn unused(line: &str) -> String {
        rewritten_for("", line)
            .expect("a line that is taken")
            .unused
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn every_option_of_ours_is_one() {
        let command = generate::command("");
        for row in rows() {
            for ours in row.ours() {
                assert!(has(&command, ours), "{}: {ours}", row.long);
                let arg = match ours.strip_prefix("--") {
                    Some(name) => long(&command, name.split('=').next().unwrap_or(name)),
                    None => command.get_arguments().find(|arg| arg.get_short() == ours.chars().nth(1)),
                };
                let takes = arg.is_some_and(|arg| arg.get_action().takes_values());
                let is_fixed =
                    ours.contains('=') || ours.starts_with("-W") || matches!(row.does, Does::Values(..));
                assert_eq!(takes, is_fixed || row.arity != Arity::Flag, "{}: {ours}", row.long);
            }
        }
    }

    #[test]
    fn accepts_a_build_line_of_nvcc() {
        let ours = rewritten("-arch=sm_90 -rdc true -dc -lineinfo -O3 -std=c++17 -m64 a.src -o a.o");
        let same = "--arch=sm_90 --relocatable-device-code=true --device-c --line-info -O3 --std=c++17 \
                    --machine=64 a.src -oa.o";
        assert_eq!(ours, same);
        assert_eq!(rewritten("-arch sm_80 --ptx a.src"), "--arch=sm_80 --ptx a.src");
        let ptxas = rewritten("-Xptxas -v,-warn-spills --ptxas-options=-O1 -maxrregcount 32 a.src");
        let same = "--ptxas-option=-v --ptxas-option=-warn-spills --ptxas-option=-O1 \
                    --ptxas-option=-maxrregcount=32 a.src";
        assert_eq!(ptxas, same);
        let werror = rewritten("--Werror all-warnings -Werror reorder -Werror=shift-count -Werror a.src");
        assert_eq!(werror, "-Werror -Werror=shift-count -Werror a.src");
        let numbers = rewritten("-diag-suppress 177,550 --diag-error=20 -Xcudafe --diag_suppress=68 a.src");
        assert_eq!(numbers, "-Wno-nvcc-177 -Wno-nvcc-550 -Werror=nvcc-20 -Wno-nvcc-68 a.src");
        assert_eq!(
            rewritten("-fdebug-prefix-map=a=b,c -ffile-prefix-map==d -fdebug-compilation-dir e a.src"),
            "--debug-prefix-map=a=b,c --debug-prefix-map==d --macro-prefix-map==d --debug-compilation-dir=e a.src"
        );
        assert_eq!(
            rewritten(
                "-DN=1 -Xcompiler -fPIC,-ffile-prefix-map=a=b,-DM -Xcompiler -isystem -Xcompiler s a.src"
            ),
            "--macro-prefix-map=a=b --define-macro=M --system-include=s --host-option=-fPIC --define-macro=N=1 a.src"
        );
        assert_eq!(rewritten("-keep -O 2 a.src"), "--save-temps -O2 a.src");
        let ours = rewritten(
            "-gencode arch=compute_90,code=[sm_90,compute_90] -code sm_80 -res-usage -fatbin a.src",
        );
        let same = "--generate-code=arch=compute_90,code=[sm_90,compute_90] --gpu-code=sm_80 \
                    --resource-usage --fatbin a.src";
        assert_eq!(ours, same);
    }

    #[test]
    fn accepts_every_spelling_of_preprocessor_options() {
        for line in ["-I a,b a.src", "-Ia -Ib a.src", "--include-path=a,b a.src", "-I=a -I b a.src"] {
            assert_eq!(rewritten(line), "--include-path=a --include-path=b a.src", "{line}");
        }
        let ours = rewritten("-DN=4 -D M,K=a=b -UN -isystem s -include x.h -E -P a.src");
        let same = "--define-macro=N=4 --define-macro=M --define-macro=K=a=b --undefine-macro=N \
                    --system-include=s --pre-include=x.h --preprocess -P a.src";
        assert_eq!(ours, same);
        assert_eq!(
            rewritten("-MM -MF a.d -MT t a.src"),
            "--generate-nonsystem-dependencies --dependency-output=a.d --dependency-target-name=t a.src"
        );
    }

    #[test]
    fn keeps_values_and_words_after_a_double_dash() {
        assert_eq!(rewritten("-o -ptx a.src"), "-o-ptx a.src");
        assert_eq!(rewritten("--explain -dc a.src"), "--explain -dc a.src");
        assert_eq!(rewritten("-- -ptx"), "-- -ptx");
        assert_eq!(rewritten("-"), "-");
        assert_eq!(rewritten("--emit=ir a.src"), "--emit=ir a.src");
    }

    #[test]
    fn the_last_of_repeated_options_counts() {
        assert_eq!(rewritten("-O3 -arch=sm_80 -O 2 -arch sm_90 a.src"), "-O2 --arch=sm_90 a.src");
        assert_eq!(unused("-O3 -O 2 a.src"), "`-O3` has no effect: `-O 2` overrides it");
        assert_eq!(unused("-O2 -O=2 -m64 -m64 a.src"), "");
        assert_eq!(
            rewritten("-maxrregcount 32 -maxrregcount=64 a.src"),
            "--ptxas-option=-maxrregcount=64 a.src"
        );
        assert_eq!(rewritten("-MT a -MT b a.src"), "--dependency-target-name=b a.src");
    }

    #[test]
    fn unknown_options_are_errors_unless_they_are_forwarded() {
        assert!(refused("a.src -frobnicate=1").starts_with("unknown option `-frobnicate`"));
        assert_eq!(
            rewritten("-foo=1 -forward-unknown-to-host-compiler --bar a.src"),
            "--host-option=-foo=1 --host-option=--bar a.src"
        );
        assert_eq!(rewritten("-foo -forward-unknown-to-host-linker a.src"), "a.src");
        assert!(refused("a.src -arch").contains("requires a value"));
        assert!(refused("a.src -lineinfo=1").contains("takes no value"));
        assert!(refused("-dlto a.src").contains("link without it"));
        assert!(refused("@options a.src").contains("write `-optf options`"));
    }

    #[test]
    fn commands_have_only_their_options() {
        let of = |line| rewritten_for("run", line);
        let own = of("-e y=1 --shared 4 -arch=sm_80 a.src").expect("a line that is taken");
        assert_eq!(own.words, ["-e", "y=1", "--shared", "4", "--arch=sm_80", "a.src"]);
        let passed = of("-Xptxas -v -Xcompiler -O2,-DN a.src").expect("a line that is taken");
        assert_eq!(passed.words, ["--define-macro=N", "a.src"]);
        assert_eq!(passed.unused.len(), 2);
        assert!(
            of("-dc a.src").is_err_and(|error| error.contains("is an option of `weftc` without a command"))
        );
    }
}
