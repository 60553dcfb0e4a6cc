//! Results of a run as JSON, one object per line: `--results=json`. docs/reference/output.md describes the
//! keys.

use serde::Serialize;
use serde_json::Value;
use weft_frontend::diag::visible::json_line;
use weft_run::report::BufferReport;
use weft_run::{Report, kernel};

use crate::args::run::RunArgs;

#[derive(Serialize)]
struct JsonLaunch<'a> {
    kind: &'static str,
    kernel: &'a str,
    symbol: &'a str,
    grid: [u32; 3],
    block: [u32; 3],
    instructions: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    microseconds: Vec<f64>,
}

#[derive(Serialize)]
struct JsonBuffer<'a> {
    kind: &'static str,
    argument: &'a str,
    name: Option<&'a str>,
    #[serde(rename = "type")]
    ty: &'static str,
    shape: &'a [usize],
    is_changed: bool,
    elements: Vec<Value>,
}

#[derive(Serialize)]
struct JsonComparison<'a> {
    kind: &'static str,
    argument: &'a str,
    name: Option<&'a str>,
    is_equal: bool,
}

/// The launch.
pub(super) fn launch(run: &Report, args: &RunArgs) -> String {
    json_line(&JsonLaunch {
        kind: "launch",
        kernel: &kernel::source_name(&run.kernel),
        symbol: &run.kernel,
        grid: args.grid,
        block: args.block,
        instructions: run.statistics.n_instructions,
        microseconds: run.times.iter().map(|time| time.as_secs_f64() * 1e6).collect(),
    })
}

/// A buffer or a variable with all its elements. Values that JSON numbers cannot represent are strings:
/// `"nan"`.
pub(super) fn buffer(found: &BufferReport) -> String {
    let buffer = &found.buffer;
    let element = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
    json_line(&JsonBuffer {
        kind: "buffer",
        argument: &found.place,
        name: found.name.as_deref(),
        ty: buffer.ty().name(),
        shape: buffer.shape(),
        is_changed: found.is_changed,
        elements: (0..buffer.len()).map(|index| element(buffer.text(index))).collect(),
    })
}

/// Whether a buffer has the expected contents.
pub(super) fn comparison(found: &BufferReport, is_equal: bool) -> String {
    json_line(&JsonComparison {
        kind: "comparison",
        argument: &found.place,
        name: found.name.as_deref(),
        is_equal,
    })
}
