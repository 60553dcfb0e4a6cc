//! The calls of `vprintf` with their raw arguments, which the printed text need not show.

use std::sync::{Arc, Mutex, PoisonError};

use weft_emulator::exec::trace::{Event, Tracer};

pub use weft_emulator::exec::trace::{PrintArgument, PrintCall};

/// Records the calls, and forwards events to another tracer.
pub(crate) struct Recorder {
    pub(crate) kept: Arc<Mutex<Vec<PrintCall>>>,
    pub(crate) next: Option<Box<dyn Tracer>>,
}

impl Tracer for Recorder {
    fn wants(&mut self, block: [u32; 3], warp: u32) -> bool {
        self.next.as_mut().is_some_and(|next| next.wants(block, warp))
    }

    fn executed(&mut self, event: &Event<'_>) {
        if let Some(next) = &mut self.next {
            next.executed(event);
        }
    }

    fn printed(&mut self, call: &PrintCall) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(call.clone());
    }
}
