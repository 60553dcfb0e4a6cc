//! Profiles and traces, on the terminal and in files.
//!
//! A trace to standard error is written as it is made; in a file it is written atomically when the kernel has
//! ended.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use weft_run::Launch;
use weft_run::device::Shape;
use weft_run::profile::{Listing, Profile, Text};
use weft_run::trace::TraceFilter;

use super::fault::source_text;
use super::texts::Texts;
use crate::args::run::RunArgs;
use crate::emit::Destination;
use crate::error::{Error, Message};

/// The requested profiles.
pub(super) struct Profiles(Vec<(Form, Destination)>);

/// The format of a profile.
#[derive(Clone, Copy)]
enum Form {
    Table,
    Page,
    Data,
}

impl Profiles {
    /// Reads the request from the command line. The name of a file determines its format.
    pub(super) fn of(args: &RunArgs) -> Result<Self, Error> {
        let output = |path: &PathBuf| {
            if path.as_os_str() == "-" {
                return Ok((Form::Table, Destination::Stdout));
            }
            let form = match path.extension().and_then(|extension| extension.to_str()) {
                Some("html" | "htm") => Form::Page,
                Some("json") => Form::Data,
                Some("txt") => Form::Table,
                _ => {
                    let message = format!("`--profile={}`: unknown file extension", path.display());
                    let help = "use .html for a page, .json for data, .txt for the table";
                    return Err(Message::new(message).help(help).user());
                }
            };
            Ok((form, Destination::File(path.clone())))
        };
        args.profile.iter().map(output).collect::<Result<_, Error>>().map(Profiles)
    }

    pub(super) fn are_wanted(&self) -> bool {
        !self.0.is_empty()
    }

    /// Writes the profile of the kernel with this symbol.
    pub(super) fn write(
        &self,
        kernel: &str,
        profile: &Profile,
        args: &RunArgs,
        texts: &Texts,
    ) -> Result<(), Error> {
        let (shared, is_cooperative) = (args.shared, args.cooperative);
        let shape = Shape { grid: args.grid, block: args.block, shared, is_cooperative };
        let listing = Listing::new(kernel, shape, profile, |name| text_of(name, texts));
        let variables = texts.modules.iter().flat_map(|module| module.variables.iter().cloned());
        let listing = listing.with_variables(variables.collect());
        for (form, destination) in &self.0 {
            let text = match form {
                Form::Table => listing.table(),
                Form::Page => listing.html(),
                Form::Data => listing.json(),
            };
            destination.write(text.as_bytes())?;
        }
        Ok(())
    }
}

/// The text of a module, or of its source.
fn text_of(name: &str, texts: &Texts) -> Text {
    if let Some(module) = texts.modules.iter().find(|module| module.name == name) {
        return Text { name: name.to_owned(), content: Some(module.ptx.clone()) };
    }
    let (name, content) = source_text(name, texts);
    Text { name, content }
}

/// A requested trace.
pub(super) struct Trace {
    filter: TraceFilter,
    /// The file, and its future content; `None` if the trace goes to standard error.
    file: Option<(PathBuf, Kept)>,
}

impl Trace {
    /// Reads the request from the command line.
    pub(super) fn of(args: &RunArgs) -> Option<Self> {
        let path = args.trace.as_ref()?;
        let filter = TraceFilter {
            block: args.trace_block,
            thread: args.trace_thread,
            lines: args.trace_lines.clone(),
            limit: args.trace_limit,
        };
        let file = (path != Path::new("-")).then(|| (path.clone(), Kept::default()));
        Some(Trace { filter, file })
    }

    pub(super) fn is_on_terminal(&self) -> bool {
        self.file.is_none()
    }

    /// Adds the trace to the launch.
    pub(super) fn attach(&self, launch: Launch) -> Launch {
        match &self.file {
            Some((_, kept)) => launch.trace(self.filter.clone(), kept.clone()),
            None => launch.trace(self.filter.clone(), io::stderr()),
        }
    }

    /// Writes the file, if there is one.
    pub(super) fn finish(self) -> Result<(), Error> {
        let Some((path, kept)) = self.file else { return Ok(()) };
        let text = std::mem::take(&mut *kept.0.lock().unwrap_or_else(PoisonError::into_inner));
        Destination::File(path).write(&text)
    }
}

/// A buffer of written bytes.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
