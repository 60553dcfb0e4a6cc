//! What a kernel hands over to `vprintf`, call by call: the bytes that a text printed from them need not show.

use std::sync::{Arc, Mutex, PoisonError};

use weft_emulator::exec::trace::{Event, Tracer};

pub use weft_emulator::exec::trace::{PrintArgument, PrintCall};

/// Keeps the calls, and hands on what another tracer wants to know.
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
