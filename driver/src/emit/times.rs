//! The time report: `--time-report`.

use std::time::{Duration, Instant};

use serde::Serialize;

/// Stages with their durations, in execution order.
#[derive(Clone, Debug, Default)]
pub struct Times {
    stages: Vec<(&'static str, Duration)>,
}

impl Times {
    /// Runs a stage and records its duration.
    pub fn measure<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let value = work();
        self.add(stage, start.elapsed());
        value
    }

    /// Records a stage that was measured elsewhere.
    pub fn add(&mut self, stage: &'static str, time: Duration) {
        self.stages.push((stage, time));
    }

    /// The stages.
    pub fn stages(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        self.stages.iter().copied()
    }

    /// Appends the stages of another part of the run.
    pub fn append(&mut self, mut other: Times) {
        self.stages.append(&mut other.stages);
    }

    /// A JSON object on one line: the microseconds of each stage, of the whole run, and of the part outside
    /// of LLVM and other programs.
    pub fn render(&self, total: Duration) -> String {
        let is_foreign = |stage: &str| matches!(stage, "llvm" | "ptxas" | "nvlink" | "fatbinary" | "cc");
        let foreign: Duration = self.stages().filter(|(stage, _)| is_foreign(stage)).map(|(_, t)| t).sum();
        let report = Report {
            stages: self.stages().map(|(stage, time)| Stage { stage, us: time.as_micros() }).collect(),
            total_us: total.as_micros(),
            own_us: total.saturating_sub(foreign).as_micros(),
        };
        let mut line = serde_json::to_string(&report).expect("invariant: strings and numbers serialize");
        line.push('\n');
        line
    }
}

#[derive(Serialize)]
struct Report {
    stages: Vec<Stage>,
    /// From the start of the program to the report.
    total_us: u128,
    /// The part outside of LLVM and other programs.
    own_us: u128,
}

#[derive(Serialize)]
struct Stage {
    stage: &'static str,
    us: u128,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn llvm_and_other_programs_are_not_our_own_time() {
        let mut times = Times::default();
        for (stage, us) in [("parse", 30), ("llvm", 900), ("ptxas", 5000)] {
            times.add(stage, Duration::from_micros(us));
        }
        let line = times.render(Duration::from_micros(6000));
        assert!(line.ends_with(",\"total_us\":6000,\"own_us\":100}\n"), "{line}");
        assert!(line.contains("{\"stage\":\"llvm\",\"us\":900}"), "{line}");
    }
}
