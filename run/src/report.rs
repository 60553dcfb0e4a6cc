//! The report of a run.

use std::fmt;
use std::time::Duration;

use weft_emulator::exec::collected::Collected;

use crate::buffer::Buffer;
use crate::device::Statistics;
use crate::element::NumberKind;
use crate::print_calls::PrintCall;
use crate::profile::Profile;

/// The number of elements that a short text shows.
const N_SHOWN: usize = 8;

/// The report of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The symbol of the kernel.
    pub kernel: String,
    /// The buffers, in the order of the arguments.
    pub buffers: Vec<BufferReport>,
    /// The variables that were set or read.
    pub variables: Vec<BufferReport>,
    /// The output of the kernel.
    pub printed: Vec<u8>,
    /// Its calls of `vprintf`, if recorded.
    pub print_calls: Vec<PrintCall>,
    /// The statistics.
    pub statistics: Statistics,
    /// How long each further launch took on the GPU ([`crate::Launch::time`]).
    pub times: Vec<Duration>,
    /// The faults that it went on after ([`crate::Launch::keep_going`]).
    pub faults: Collected,
    /// The profile, if it was counted.
    pub profile: Option<Profile>,
}

/// A buffer or a variable after a run.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferReport {
    /// The content.
    pub buffer: Buffer,
    /// The index of its argument, from zero; in a struct, with the index of the member: `3.1`. For a
    /// variable, its name: `::n`.
    pub place: String,
    /// Its name.
    pub name: Option<String>,
    /// The symbol, for a variable.
    pub symbol: Option<String>,
    /// Whether only the size of the variable is known, and the elements are its bytes.
    pub is_opaque: bool,
    /// Whether the kernel has changed it, or it was uninitialized.
    pub is_changed: bool,
    /// Whether the source declares that the kernel does not write there.
    pub is_const: bool,
}

/// A key to look up a buffer: the index of its argument, or its name.
pub trait BufferKey: fmt::Display {
    /// Whether the key is for this buffer.
    fn is(&self, buffer: &BufferReport) -> bool;
}

impl BufferKey for usize {
    fn is(&self, buffer: &BufferReport) -> bool {
        buffer.place == self.to_string()
    }
}

impl BufferKey for &str {
    fn is(&self, buffer: &BufferReport) -> bool {
        let names = [buffer.name.as_deref(), buffer.symbol.as_deref(), Some(&buffer.place)];
        names.contains(&Some(*self))
    }
}

impl Report {
    /// Finds a buffer by the index of its argument, from zero, or by name; or a variable by name or symbol.
    /// Buffers take precedence.
    pub fn find(&self, key: impl BufferKey) -> Option<&BufferReport> {
        self.buffers.iter().chain(&self.variables).find(|buffer| key.is(buffer))
    }

    /// The content of a buffer or a variable, found like in [`Report::find`].
    ///
    /// # Panics
    ///
    /// If there is none: that is a bug in the calling program.
    pub fn buffer(&self, key: impl BufferKey) -> &Buffer {
        let mut all = self.buffers.iter().chain(&self.variables);
        match all.find(|buffer| key.is(buffer)) {
            Some(found) => &found.buffer,
            None => panic!("no buffer or variable named `{key}`"),
        }
    }

    /// The profile.
    ///
    /// # Panics
    ///
    /// If the launch was not profiled ([`crate::Launch::profile`]): that is a bug in the calling program.
    pub fn profile(&self) -> &Profile {
        match &self.profile {
            Some(profile) => profile,
            None => panic!("profiling was not enabled for this launch"),
        }
    }

    /// The output of the kernel as a text.
    pub fn printed(&self) -> String {
        String::from_utf8_lossy(&self.printed).into_owned()
    }
}

impl BufferReport {
    /// The index of the argument, and the name: `3 (y)`; for a variable, the name.
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) if self.place.starts_with("::") => name.clone(),
            Some(name) => format!("{} ({name})", self.place),
            None => self.place.clone(),
        }
    }
}

/// A buffer on one line, or all of its elements.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'b>(pub &'b Buffer);

impl fmt::Display for Summary<'_> {
    /// `f32[1024]  0 2 4 6 8 10 12 14 …  min 0, max 2046, mean 1023`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let buffer = self.0;
        write!(f, "{} ", buffer.signature())?;
        for index in 0..buffer.len().min(N_SHOWN) {
            write!(f, " {}", buffer.text(index))?;
        }
        if buffer.len() <= N_SHOWN {
            return Ok(());
        }
        let measures = Measures::of(buffer);
        let text = |index: usize| buffer.text(index);
        f.write_str(" …  ")?;
        if let Some((least, greatest)) = measures.extremes {
            write!(f, "min {}, max {}, mean {}", text(least), text(greatest), short(measures.mean))?;
        }
        match (measures.n_nan, measures.extremes) {
            (0, _) => Ok(()),
            (n, Some(_)) => write!(f, ", {n} nan"),
            (n, None) => write!(f, "{n} nan"),
        }
    }
}

/// All elements of a buffer, one row of the last axis per line.
#[derive(Clone, Copy, Debug)]
pub struct AllElements<'b>(pub &'b Buffer);

impl fmt::Display for AllElements<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let buffer = self.0;
        let width = match buffer.shape() {
            [] => 1,
            [_] => 16,
            [.., last] => (*last).max(1),
        };
        for row in (0..buffer.len()).step_by(width) {
            write!(f, "{}", buffer.index_text(row))?;
            for index in row..(row + width).min(buffer.len()) {
                write!(f, " {}", buffer.text(index))?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// Six digits, without trailing zeros.
fn short(value: f64) -> String {
    if value == 0.0 || (1e-3..1e9).contains(&value.abs()) {
        let text = format!("{value:.6}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    format!("{value:.6e}")
}

/// Statistics of elements; NaNs are only counted.
struct Measures {
    /// The indices of the smallest and the largest one.
    extremes: Option<(usize, usize)>,
    mean: f64,
    n_nan: usize,
}

impl Measures {
    fn of(buffer: &Buffer) -> Self {
        let (mut extremes, mut sum, mut n_nan) = (None, 0.0, 0);
        let is_less = |a: usize, b: usize| match (buffer.ty().kind(), buffer.number(a), buffer.number(b)) {
            (NumberKind::Float, a, b) => a.as_f64() < b.as_f64(),
            (_, crate::element::Number::Int(a), crate::element::Number::Int(b)) => a < b,
            (_, a, b) => a.as_f64() < b.as_f64(),
        };
        for index in 0..buffer.len() {
            let value = buffer.number(index).as_f64();
            if value.is_nan() {
                n_nan += 1;
                continue;
            }
            sum += value;
            let (least, greatest) = extremes.unwrap_or((index, index));
            let least = if is_less(index, least) { index } else { least };
            let greatest = if is_less(greatest, index) { index } else { greatest };
            extremes = Some((least, greatest));
        }
        let n = buffer.len() - n_nan;
        Measures { extremes, mean: if n == 0 { f64::NAN } else { sum / n as f64 }, n_nan }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_in_one_line() {
        let text = |buffer: &Buffer| Summary(buffer).to_string();
        assert_eq!(text(&Buffer::new(&[1.5_f32, 2.0])), "f32[2]  1.5 2");
        let many: Vec<i32> = (-1..99).collect();
        assert_eq!(text(&Buffer::new(&many)), "i32[100]  -1 0 1 2 3 4 5 6 …  min -1, max 98, mean 48.5");
        let mut odd = vec![f64::NAN; 9];
        assert_eq!(text(&Buffer::new(&odd)), "f64[9]  nan nan nan nan nan nan nan nan …  9 nan");
        odd[3] = 1e-5;
        assert!(text(&Buffer::new(&odd)).ends_with("min 1e-5, max 1e-5, mean 1.000000e-5, 8 nan"));
    }

    #[test]
    fn all_elements_row_by_row() {
        let buffer = Buffer::new(&[1_u8, 2, 3, 4, 5, 6]).reshaped([2, 3]).expect("six");
        assert_eq!(AllElements(&buffer).to_string(), "[0,0] 1 2 3\n[1,0] 4 5 6\n");
    }
}
