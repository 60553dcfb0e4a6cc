//! Which trials take long.

use std::env;
use std::mem;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long trials took: `WEFT_TIMES=20` tells the twenty slowest.
#[derive(Debug)]
pub(super) struct Times {
    n: usize,
    taken: Mutex<Vec<(Duration, String)>>,
}

impl Times {
    /// None if nobody asks.
    pub(super) fn from_env() -> Option<Arc<Times>> {
        let n = env::var("WEFT_TIMES").ok()?.parse().ok()?;
        Some(Arc::new(Times { n, taken: Mutex::default() }))
    }

    /// Begins with a trial.
    pub(super) fn timer(self: Arc<Self>, name: String) -> Timer {
        Timer { times: self, name, start: Instant::now() }
    }

    /// A line for each of the slowest, which come first.
    pub(super) fn slowest(&self) -> Vec<String> {
        let mut taken = self.taken.lock().map(|taken| taken.clone()).unwrap_or_default();
        taken.sort_by(|a, b| b.cmp(a));
        let line = |(time, name): &(Duration, String)| format!("{:8.2} s  {name}", time.as_secs_f64());
        taken.iter().take(self.n).map(line).collect()
    }
}

/// A trial that is running, up to when it goes.
pub(super) struct Timer {
    times: Arc<Times>,
    name: String,
    start: Instant,
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Ok(mut taken) = self.times.taken.lock() {
            taken.push((self.start.elapsed(), mem::take(&mut self.name)));
        }
    }
}
