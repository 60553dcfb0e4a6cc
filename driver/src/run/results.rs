//! Prints, saves and compares buffers and variables after a run.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use weft_frontend::diag::render::Format;
use weft_run::argument::{ArgumentError, Expected, Surroundings};
use weft_run::buffer::file::{self, encode};
use weft_run::report::{AllElements, BufferReport, Summary};
use weft_run::{Buffer, ElementType, Report, Tolerance, compare, kernel};

use super::json;
use crate::args::run::{DeviceKind, ResultsForm, RunArgs};
use crate::emit::{Destination, report, write_stdout};
use crate::error::{Error, Message};

/// What to do with buffers and variables, each identified by its argument's index or by its name.
pub(super) struct Results {
    /// The second value is true if all elements are printed.
    prints: Vec<(String, bool)>,
    saves: Vec<(String, PathBuf)>,
    expectations: Vec<(String, Expected)>,
    tolerance: Tolerance,
}

impl Results {
    /// Reads the request from the command line.
    pub(super) fn of(args: &RunArgs) -> Result<Self, Error> {
        let print = |word: &String| match word.split_once('=') {
            None => Ok((word.clone(), false)),
            Some((key, "all")) => Ok((key.to_owned(), true)),
            Some((key, _)) => Err(Message::new(format!("`--print {word}`: expected `all` after `=`"))
                .help(format!("`--print {key}` prints a summary, `--print {key}=all` all elements"))
                .user()),
        };
        let pair = |option: &str, word: &str, example: &str| match word.split_once('=') {
            Some((key, value)) if !key.is_empty() && !value.is_empty() => {
                Ok((key.trim().to_owned(), value.to_owned()))
            }
            _ => Err(Message::new(format!(
                "`--{option} {word}`: expected a buffer or a variable, `=` and a value"
            ))
            .help(format!("for example `--{option} {example}`"))
            .user()),
        };
        let save =
            |word: &String| pair("save", word, "3=y.npy").map(|(key, file)| (key, PathBuf::from(file)));
        let expect = |word: &String| {
            let (key, text) = pair("expect", word, "3=zeros")?;
            let expected = Expected::parse(&text).map_err(|error| bad_expectation(&key, error).user())?;
            Ok((key, expected))
        };
        Ok(Results {
            prints: args.print.iter().map(print).collect::<Result<_, Error>>()?,
            saves: args.save.iter().map(save).collect::<Result<_, Error>>()?,
            expectations: args.expect.iter().map(expect).collect::<Result<_, Error>>()?,
            tolerance: Tolerance { relative: args.rtol, absolute: args.atol, ulps: args.ulp },
        })
    }

    /// The requested buffers and variables.
    pub(super) fn keys(&self) -> impl Iterator<Item = &String> {
        let prints = self.prints.iter().map(|(key, _)| key);
        let saves = self.saves.iter().map(|(key, _)| key);
        prints.chain(saves).chain(self.expectations.iter().map(|(key, _)| key))
    }

    /// The files that buffers are saved to.
    pub(super) fn saved_files(&self) -> impl Iterator<Item = &Path> {
        self.saves.iter().map(|(_, path)| path.as_path())
    }

    /// The files that results are compared with.
    pub(super) fn expected_files(&self) -> impl Iterator<Item = &Path> {
        self.expectations.iter().filter_map(|(_, expected)| expected.buffer.file())
    }

    /// Prints, saves and compares. All comparisons are made; the last failed one is the error.
    pub(super) fn show(&self, run: &Report, args: &RunArgs, format: Format) -> Result<(), Error> {
        let mut text = String::new();
        let is_json = args.results == ResultsForm::Json;
        if !args.quiet {
            text.push_str(&if is_json { json::launch(run, args) } else { headline(run, args) });
        }
        if is_json {
            self.print_json(run, args, &mut text)?;
        } else {
            self.print(run, args, &mut text)?;
        }
        let mut wrong = None;
        for (key, expected) in &self.expectations {
            let found = find(run, key)?;
            let checked = self.check(found, key, expected, args);
            if is_json && !args.quiet {
                text.push_str(&json::comparison(found, checked.is_ok()));
            }
            match checked {
                Ok(()) if args.quiet || is_json => {}
                Ok(()) => text.push_str(&format!("{}: as expected\n", found.title())),
                Err(error) => {
                    if let Some(earlier) = wrong.replace(error) {
                        report::error(&earlier, format);
                    }
                }
            }
        }
        write_stdout(text.as_bytes())?;
        self.save(run)?;
        wrong.map_or(Ok(()), Err)
    }

    fn save(&self, run: &Report) -> Result<(), Error> {
        for (key, path) in &self.saves {
            let buffer = &find(run, key)?.buffer;
            let bytes = encode(buffer, file::Format::of(path))
                .map_err(|why| Message::new(format!("cannot save `{}`: {why}", path.display())).user())?;
            Destination::File(path.clone()).write(&bytes)?;
        }
        Ok(())
    }

    /// Compares a buffer with the expected contents.
    fn check(
        &self,
        found: &BufferReport,
        key: &str,
        expected: &Expected,
        args: &RunArgs,
    ) -> Result<(), Error> {
        let title = found.title();
        let surroundings =
            Surroundings { seed: args.seed, max_bytes: args.memory, ..Surroundings::default() };
        let result = seen_as(found, expected.buffer.ty);
        let wanted = expected.resolve(&result, &surroundings).map_err(|error| {
            let is_environment = error.is_environment;
            let message = bad_expectation(key, error);
            if is_environment { message.environment() } else { message.user() }
        })?;
        let result = seen_as(found, Some(wanted.ty()));
        let comparison = compare(&result, &wanted, self.tolerance)
            .map_err(|why| Message::new(format!("cannot compare {title}: {why}")).user())?;
        if comparison.is_equal() {
            return Ok(());
        }
        let all = comparison.to_string();
        let (first, rest) = all.split_once('\n').unwrap_or((&all, ""));
        let message = Message::new(format!("{title} differs from the expected values: {first}"));
        let mut message = rest.lines().fold(message, |message, line| message.note(line.trim_start()));
        if args.device == DeviceKind::Emulator && !args.races {
            message = message.help("`--races` checks for data races, a frequent cause of wrong results");
        }
        Err(message.user())
    }

    /// The requested buffers or, by default, those that the kernel has changed, with all elements.
    fn print_json(&self, run: &Report, args: &RunArgs, text: &mut String) -> Result<(), Error> {
        for (key, _) in &self.prints {
            text.push_str(&json::buffer(find(run, key)?));
        }
        if self.prints.is_empty() && !args.quiet {
            let all = run.buffers.iter().chain(&run.variables);
            all.filter(|buffer| buffer.is_changed).for_each(|buffer| text.push_str(&json::buffer(buffer)));
        }
        Ok(())
    }

    /// The requested buffers or, by default, those that the kernel has changed, abbreviated.
    fn print(&self, run: &Report, args: &RunArgs, text: &mut String) -> Result<(), Error> {
        for (key, is_all) in &self.prints {
            let found = find(run, key)?;
            if *is_all {
                text.push_str(&format!(
                    "{}: {}\n{}",
                    found.title(),
                    found.buffer.signature(),
                    AllElements(&found.buffer)
                ));
            } else {
                text.push_str(&format!("{}: {}\n", found.title(), Summary(&found.buffer)));
            }
        }
        if self.prints.is_empty() && !args.quiet {
            for buffer in run.buffers.iter().chain(&run.variables).filter(|buffer| buffer.is_changed) {
                text.push_str(&format!("{}: {}\n", buffer.title(), Summary(&buffer.buffer)));
            }
            let mut all = run.buffers.iter().chain(&run.variables);
            if !run.buffers.is_empty() && !all.any(|buffer| buffer.is_changed) {
                text.push_str("no buffer changed\n");
            }
        }
        Ok(())
    }
}

/// A buffer's content; a variable of unknown type, as elements of a type that fits.
fn seen_as(found: &BufferReport, ty: Option<ElementType>) -> Cow<'_, Buffer> {
    let bytes = found.buffer.bytes();
    let fitting =
        ty.filter(|ty| found.is_opaque && *ty != found.buffer.ty() && bytes.len().is_multiple_of(ty.size()));
    let seen = fitting.and_then(|ty| Buffer::of_bytes(ty, [bytes.len() / ty.size()], bytes.to_vec()));
    seen.map_or(Cow::Borrowed(&found.buffer), Cow::Owned)
}

fn bad_expectation(key: &str, error: ArgumentError) -> Message {
    let message = Message::new(format!("`--expect {key}=…`: {}", error.message));
    let message = message.note(format!("in\n{}", error.excerpt()));
    error.help.into_iter().fold(message, Message::help)
}

/// The launch and its statistics.
fn headline(run: &Report, args: &RunArgs) -> String {
    let extent = |[x, y, z]: [u32; 3]| match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x} x {y}"),
        _ => format!("{x} x {y} x {z}"),
    };
    let name = kernel::source_name(&run.kernel);
    let mut text = format!("{name}: grid {}, block {}", extent(args.grid), extent(args.block));
    if let Some(n_instructions) = run.statistics.n_instructions {
        text.push_str(&format!(", {n_instructions} instructions"));
    }
    if let Some((shortest, median)) = shortest_and_median(&run.times) {
        let n = run.times.len();
        text.push_str(&format!(", shortest of {n} launches {shortest:.1} us, median {median:.1} us"));
    }
    text.push('\n');
    text
}

/// Of launches, in microseconds.
fn shortest_and_median(times: &[Duration]) -> Option<(f64, f64)> {
    let mut times: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e6).collect();
    times.sort_by(f64::total_cmp);
    Some((*times.first()?, times[times.len() / 2]))
}

fn find<'r>(run: &'r Report, key: &str) -> Result<&'r BufferReport, Error> {
    run.find(key).ok_or_else(|| {
        let message = Message::new(format!("no buffer or variable named `{key}`"));
        let titles: Vec<String> = run.buffers.iter().map(BufferReport::title).collect();
        let help = if titles.is_empty() {
            "no argument is a buffer".to_owned()
        } else {
            format!("available: {}; numbers are argument indices from 0", titles.join(", "))
        };
        message.help(help).user()
    })
}
