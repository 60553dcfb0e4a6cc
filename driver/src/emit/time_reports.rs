//! Reports of how long the stages of a run took, in nvcc's forms.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::times::Times;
use super::{Destination, report, write_stdout};
use crate::error::{Error, Message};

/// Which reports to write.
#[derive(Clone, Debug, Default)]
pub struct TimeReports {
    /// `--time-report`: JSON on standard error.
    pub json: bool,
    /// `--time`: the file to which rows of a table are added; `-` is standard output.
    pub table: Option<PathBuf>,
    /// `--fdevice-time-trace`: the file of a trace, without `.json`.
    pub trace: Option<PathBuf>,
}

/// The first row of nvcc's table.
const HEADINGS: &str =
    "source file name , phase name , phase input files , phase output file , arch , tool, metric , unit\n";

impl TimeReports {
    /// Writes the reports of a run with these inputs.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write(&self, times: &Times, inputs: &[&Path], total: Duration) -> Result<(), Error> {
        if self.json {
            report::say(&times.render(total));
        }
        if let Some(path) = &self.table {
            add_rows(path, &rows(times, inputs))?;
        }
        match &self.trace {
            Some(path) => Destination::File(path.with_added_extension("json")).write(trace(times).as_bytes()),
            None => Ok(()),
        }
    }
}

fn rows(times: &Times, inputs: &[&Path]) -> String {
    let inputs: Vec<String> = inputs.iter().map(|path| path.display().to_string()).collect();
    let mut rows = String::new();
    for (stage, time) in times.stages() {
        let ms = time.as_secs_f64() * 1000.0;
        let _ = writeln!(rows, "{} , {stage} ,  ,  ,  , weftc , {ms:.4} , ms", inputs.join(" "));
    }
    rows
}

fn add_rows(path: &Path, rows: &str) -> Result<(), Error> {
    if path.as_os_str() == "-" {
        return write_stdout(format!("{HEADINGS}{rows}").as_bytes());
    }
    let added = OpenOptions::new().create(true).append(true).open(path).and_then(|mut file| {
        let headings = if file.metadata()?.len() == 0 { HEADINGS } else { "" };
        file.write_all(format!("{headings}{rows}").as_bytes())
    });
    added.map_err(|error| Message::file("write", path, &error).environment())
}

/// Complete events of the Trace Event Format, one after the other.
fn trace(times: &Times) -> String {
    let mut start = Duration::ZERO;
    let events = times.stages().map(|(name, time)| {
        let (ts, dur) = (start.as_micros(), time.as_micros());
        start += time;
        serde_json::json!({ "name": name, "ph": "X", "ts": ts, "dur": dur, "pid": 0, "tid": 0 })
    });
    let events: Vec<serde_json::Value> = events.collect();
    format!("{}\n", serde_json::json!({ "traceEvents": events }))
}
