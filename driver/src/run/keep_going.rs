//! `--keep-going`: reports the faults after which a launch continued, and their number.
//!
//! In: the collected faults. Out: a report for each distinct fault, and at the end a line with the number of
//! faults, which is the failure of the run.

use weft_emulator::exec::collected::{Collected, MAX_DISTINCT};
use weft_frontend::diag::render::Format;

use super::fault::FaultReport;
use super::texts::Texts;
use crate::emit::report;
use crate::error::{Error, Message, UserError};

/// The number of faults.
pub(super) struct Tally {
    n_faults: u64,
    n_distinct: usize,
    /// The number of faults that were not reported.
    n_left_out: u64,
}

impl Tally {
    /// Reports each distinct fault.
    pub(super) fn report(collected: &Collected, texts: &Texts, format: Format) -> Self {
        for repeated in &collected.distinct {
            let fault = Box::new(FaultReport::repeated(repeated, texts));
            report::error(&Error::User(UserError::Fault(fault)), format);
        }
        let Collected { distinct, n_faults, n_left_out } = collected;
        Tally { n_faults: *n_faults, n_distinct: distinct.len(), n_left_out: *n_left_out }
    }

    /// Ends the run. After faults it is a failure with their number.
    pub(super) fn conclude(mut self, outcome: Result<(), Error>, format: Format) -> Result<(), Error> {
        if self.n_faults == 0 {
            return outcome;
        }
        match outcome {
            Ok(()) => Err(self.summary().user()),
            Err(error @ Error::User(_)) => {
                if matches!(error, Error::User(UserError::Fault(_))) {
                    self.n_faults += 1;
                    self.n_distinct += 1;
                }
                report::error(&error, format);
                Err(self.summary().user())
            }
            // It determines the exit code.
            Err(error @ (Error::Environment(_) | Error::Internal(_))) => {
                report::error(&self.summary().user(), format);
                Err(error)
            }
        }
    }

    fn summary(&self) -> Message {
        let Tally { n_faults, n_distinct, n_left_out } = self;
        let unit = if *n_faults == 1 { "error" } else { "errors" };
        match n_left_out {
            0 => Message::new(format!("{n_faults} {unit} ({n_distinct} distinct)")),
            n => Message::new(format!("{n_faults} {unit} ({n_distinct} distinct, and {n} others not shown)"))
                .note(format!("at most {MAX_DISTINCT} distinct errors are kept")),
        }
    }
}
