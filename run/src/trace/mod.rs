//! Traces: a line for each instruction that a warp executes.
//!
//! ```text
//! 0,0,0 3 ffffffff saxpy.src:18 PTX 56  ld.global.b32 %r7, [%rd11]  at 0x7f0000001280+(0 4 … 124)  = 1f
//! ```
//!
//! A line has the block, the warp, the mask of executing lanes (followed by `/` and the active lanes if there are
//! more), the line of the source and of the PTX, the instruction, the accessed addresses, and the written values of
//! the executing lanes. If all lanes agree, there is one value; even steps are `0 4 … 124`, and repetitions
//! `0 1 x16`. Addresses are the first one and the distances from it. Bits that look like floating-point numbers are
//! written as such, with an `f` or a `d`.
//!
//! - this file: the filter, and the output
//! - `values`: formats values of lanes

mod values;

use std::fmt;
use std::io::Write;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use weft_emulator::exec::trace::{Event, Tracer};

use crate::ptx_text::instruction_at;
use values::{Format, Values, addresses};

/// The default limit of traced instructions.
pub const DEFAULT_LIMIT: u64 = 10_000;

/// The number of threads per warp.
const WARP_SIZE: u32 = 32;

/// The filter of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFilter {
    /// Only this block.
    pub block: Option<[u32; 3]>,
    /// Only instructions that this thread of a block executes, and only its values.
    pub thread: Option<[u32; 3]>,
    /// Only these source lines; or PTX lines for instructions without a source line.
    pub lines: Option<RangeInclusive<u32>>,
    /// The number of instructions after which nothing more is written; the kernel continues.
    pub limit: u64,
}

impl Default for TraceFilter {
    /// All instructions, up to [`DEFAULT_LIMIT`].
    fn default() -> Self {
        TraceFilter { block: None, thread: None, lines: None, limit: DEFAULT_LIMIT }
    }
}

/// A requested trace.
#[derive(Clone)]
pub(crate) struct Trace {
    filter: TraceFilter,
    out: Arc<Mutex<dyn Write + Send>>,
}

impl Trace {
    pub(crate) fn new(filter: TraceFilter, out: impl Write + Send + 'static) -> Self {
        Trace { filter, out: Arc::new(Mutex::new(out)) }
    }

    /// A tracer for modules, given by names and texts, and blocks of this shape.
    pub(crate) fn tracer(&self, modules: &[(String, String)], [x, y, _]: [u32; 3]) -> impl Tracer + use<> {
        let number = self.filter.thread.map(|[at_x, at_y, at_z]| {
            let rows = at_y.wrapping_add(y.wrapping_mul(at_z));
            at_x.wrapping_add(x.wrapping_mul(rows))
        });
        Writer {
            place: number.map(|number| (number / WARP_SIZE, number % WARP_SIZE)),
            modules: modules.to_vec(),
            n_left: self.filter.limit,
            trace: self.clone(),
        }
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trace").field("filter", &self.filter).finish_non_exhaustive()
    }
}

/// Writes executed instructions.
struct Writer {
    trace: Trace,
    /// The warp and the lane of the only traced thread, if there is one.
    place: Option<(u32, u32)>,
    modules: Vec<(String, String)>,
    n_left: u64,
}

impl Tracer for Writer {
    fn wants(&mut self, block: [u32; 3], warp: u32) -> bool {
        self.n_left > 0
            && self.trace.filter.block.is_none_or(|only| only == block)
            && self.place.is_none_or(|(only, _)| only == warp)
    }

    fn executed(&mut self, event: &Event<'_>) {
        let line = event.source.map_or(event.line, |(_, line)| line);
        let is_meant = self.trace.filter.lines.as_ref().is_none_or(|lines| lines.contains(&line));
        let lanes = self.place.map_or(u32::MAX, |(_, lane)| 1 << lane);
        if !is_meant || event.active & lanes == 0 {
            return;
        }
        let module = self.modules.iter().find(|(name, _)| name == event.module);
        let text = module.map(|(_, text)| instruction_at(text, event.offset as usize)).unwrap_or_default();
        let mut line = Line { event, text: &text, lanes }.to_string();
        line.push('\n');
        self.n_left -= 1;
        if self.n_left == 0 {
            let limit = self.trace.filter.limit;
            line.push_str(&format!("trace: limit of {limit} instructions reached; the kernel continues\n"));
        }
        let mut out = self.trace.out.lock().unwrap_or_else(PoisonError::into_inner);
        // If the reader has closed the stream, nothing more is written.
        if out.write_all(line.as_bytes()).and_then(|()| out.flush()).is_err() {
            self.n_left = 0;
        }
    }
}

/// The line for an instruction, for the lanes of a mask.
struct Line<'e> {
    event: &'e Event<'e>,
    text: &'e str,
    lanes: u32,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { event, text, lanes } = *self;
        let [x, y, z] = event.block;
        let (active, executed) = (event.active & lanes, event.executed & lanes);
        write!(f, "{x},{y},{z} {} {executed:08x}", event.warp)?;
        if executed != active {
            write!(f, "/{active:08x}")?;
        }
        if let Some((file, line)) = event.source {
            // Folders are omitted for brevity.
            write!(f, " {}:{line}", file.rsplit('/').next().unwrap_or(file))?;
        }
        write!(f, " PTX {}  {text}", event.line)?;
        if executed == 0 {
            return Ok(());
        }
        if let Some(all) = &event.addresses {
            write!(f, "  at {}", addresses(all, executed))?;
        }
        let format = Format::of(text);
        for (idx, lanes) in event.written.iter().enumerate() {
            let sign = if idx == 0 { "  =" } else { ";" };
            write!(f, "{sign} {}", Values { lanes, mask: executed, format })?;
        }
        if event.is_fault {
            f.write_str("  (the kernel was stopped here)")?;
        }
        Ok(())
    }
}
