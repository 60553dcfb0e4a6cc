//! Compares a function's results with the exact ones: the largest error, and violations of CUDA's bounds.

use rug::Float;

use super::bound::{self, Bound, Options, Rule};
use super::error::{self, Error, Format, OTHER_KIND};
use super::exact::{Arg, Exact, Meaning};
use super::{Function, N_RESULTS, N_WORDS};

/// The errors of all calls of a function. A result of another kind, NaN instead of a number or a zero of the
/// other sign, counts as [`OTHER_KIND`].
#[derive(Clone, Debug, Default)]
pub struct Measure {
    /// The largest error in units in the last place, where the bound is in these.
    ulps: u64,
    /// The same where there is no bound.
    unbounded_ulps: u64,
    /// The largest absolute error, where the bound is absolute.
    absolute: f64,
    /// The largest relative error, where the bound is relative.
    relative: f64,
    /// The number of results with a bound.
    pub n_bounded: usize,
    /// The number of results beyond the bound.
    pub n_beyond: usize,
    /// The number of excused results beyond the bound.
    pub n_excused: usize,
    /// Their largest error in units in the last place.
    pub ulps_beyond: u64,
    /// The first of them, with its arguments.
    pub first_beyond: String,
    /// The bound, as text for a table.
    pub bound: String,
}

impl Function {
    /// Whether its results have an exact meaning that only depends on values.
    pub fn has_meaning(&self) -> bool {
        Meaning::of(self.expression.unwrap_or(self.prototype.name), self.is_single()).is_some()
    }

    /// Compares the results of calls with the exact ones; results without an exact meaning are skipped.
    /// Violations for `excused` arguments are counted separately.
    pub fn measure(
        &self,
        words: &[u64],
        results: &[u64],
        option: &str,
        excused: fn(&[f64]) -> bool,
    ) -> Option<Measure> {
        let name = self.expression.unwrap_or(self.prototype.name);
        let options = Options::of(option);
        let is_single = self.is_single();
        let meaning = Meaning::of(name, is_single)?;
        let formats = self.result_formats();
        let rules: Vec<Rule> = (0..formats.len())
            .map(|idx| bound::rule(name, &meaning.stem, is_single, idx == 1, options))
            .collect();
        let mut measure = Measure { bound: rules.first()?.to_string(), ..Measure::default() };
        for (words, results) in words.chunks_exact(N_WORDS).zip(results.chunks_exact(N_RESULTS)) {
            let args = self.arguments(words);
            let numbers: Vec<f64> = args.iter().map(number).collect();
            let variants = variants(&args, options.flushes);
            let exact: Vec<Vec<Exact>> = variants.iter().map(|args| meaning.results(args)).collect();
            for (idx, &(slot, format)) in formats.iter().enumerate() {
                let errors = exact.iter().filter_map(|exact| exact.get(idx)).map(|exact| {
                    error::error(results[slot], exact, format, meaning.rounding, options.flushes)
                });
                let error = errors.min_by_key(|error| error.ulps)?;
                let bound = rules[idx].of(&numbers);
                if excused(&numbers) && !is_within(error, bound) {
                    measure.n_excused += 1;
                    continue;
                }
                if !measure.take(error, bound) {
                    let of: Vec<String> = numbers.iter().map(|it| format!("{it:e}")).collect();
                    let found = format.number(results[slot]);
                    let exact =
                        exact.first().and_then(|it| it.get(idx)).map_or(String::new(), Exact::to_string);
                    measure.first_beyond =
                        format!("of ({}): {found} instead of {exact}, {error:?}", of.join(", "));
                }
            }
        }
        Some(measure)
    }
}

impl Measure {
    /// The largest errors, in the terms of the bounds; in brackets those without a bound.
    pub fn errors(&self) -> String {
        let mut errors = Vec::new();
        let ulps = |ulps: u64| match ulps {
            OTHER_KIND => "another kind".to_owned(),
            // The exact number is irrelevant.
            1_000_000.. => format!("{:.0e}", ulps as f64),
            _ => ulps.to_string(),
        };
        if self.ulps > 0 || (self.absolute == 0.0 && self.relative == 0.0 && self.unbounded_ulps == 0) {
            errors.push(ulps(self.ulps));
        }
        if self.absolute > 0.0 {
            errors.push(format!("{:.1e} absolute", self.absolute));
        }
        if self.relative > 0.0 {
            errors.push(format!("{:.1e} relative", self.relative));
        }
        if self.unbounded_ulps > 0 {
            errors.push(format!("({})", ulps(self.unbounded_ulps)));
        }
        errors.join(", ")
    }

    /// Counts an error; returns false for the first one beyond the bound.
    fn take(&mut self, error: Error, bound: Bound) -> bool {
        self.n_bounded += usize::from(bound != Bound::None);
        match bound {
            Bound::Ulps(_) => self.ulps = self.ulps.max(error.ulps),
            Bound::Absolute(_) => self.absolute = self.absolute.max(error.absolute),
            Bound::Relative(_) => self.relative = self.relative.max(error.relative),
            Bound::None => self.unbounded_ulps = self.unbounded_ulps.max(error.ulps),
        }
        if is_within(error, bound) {
            return true;
        }
        self.n_beyond += 1;
        self.ulps_beyond = self.ulps_beyond.max(error.ulps);
        self.n_beyond > 1
    }
}

fn is_within(error: Error, bound: Bound) -> bool {
    match bound {
        Bound::Ulps(ulps) => error.ulps <= ulps,
        Bound::Absolute(bound) => error.absolute <= bound,
        Bound::Relative(bound) => error.relative <= bound,
        Bound::None => true,
    }
}

fn number(arg: &Arg) -> f64 {
    match arg {
        Arg::Real(value) => value.to_f64(),
        Arg::Int(value) => *value as f64,
        Arg::Reals(_) => f64::NAN,
    }
}

/// The arguments and, if the program flushes, all combinations in which subnormal ones are zero: some
/// operations of a function see the original, others do not.
fn variants(args: &[Arg], flushes: bool) -> Vec<Vec<Arg>> {
    let mut all = vec![args.to_vec()];
    for (idx, arg) in args.iter().enumerate().filter(|_| flushes) {
        let is_tiny = |value: &Float| value.prec() == f32::MANTISSA_DIGITS && Format::Single.is_tiny(value);
        let flushed = |value: &Float| {
            if is_tiny(value) { Float::with_val(value.prec(), value * 0_u32) } else { value.clone() }
        };
        let flushed = match arg {
            Arg::Real(value) if is_tiny(value) => Arg::Real(flushed(value)),
            Arg::Reals(values) if values.iter().any(is_tiny) => {
                Arg::Reals(values.iter().map(flushed).collect())
            }
            Arg::Real(_) | Arg::Reals(_) | Arg::Int(_) => continue,
        };
        let others = all.clone().into_iter().map(|mut args| {
            args[idx] = flushed.clone();
            args
        });
        all.extend(others.collect::<Vec<_>>());
    }
    all
}
