//! What a run left behind.

use std::fmt;
use std::time::Duration;

use weft_emulator::exec::collected::Collected;

use crate::buffer::Buffer;
use crate::device::Statistics;
use crate::element::NumberKind;
use crate::print_calls::PrintCall;
use crate::profile::Profile;

/// How many elements a short text shows.
const N_SHOWN: usize = 8;

/// What a run left behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The symbol of the kernel.
    pub kernel: String,
    /// The buffers, in the order of the arguments.
    pub buffers: Vec<BufferReport>,
    /// The variables that were set or are to be read.
    pub variables: Vec<BufferReport>,
    /// What the kernel printed.
    pub printed: Vec<u8>,
    /// What it handed over to `vprintf`, if that was to be kept.
    pub print_calls: Vec<PrintCall>,
    /// What it took.
    pub statistics: Statistics,
    /// How long each further launch took on the GPU ([`crate::Launch::time`]).
    pub times: Vec<Duration>,
    /// The faults that it went on after ([`crate::Launch::keep_going`]).
    pub faults: Collected,
    /// What it executed, if that was to be counted.
    pub profile: Option<Profile>,
}

/// A buffer or a variable after a run.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferReport {
    /// What it holds.
    pub buffer: Buffer,
    /// Which argument it is, from zero; of a struct, with the number of the member: `3.1`. Of a variable, its name: `::n`.
    pub place: String,
    /// What it is called.
    pub name: Option<String>,
    /// The symbol of a variable.
    pub symbol: Option<String>,
    /// Only the size of the variable is known, and the elements are its bytes.
    pub is_opaque: bool,
    /// The kernel has changed it, or nothing had been written there.
    pub is_changed: bool,
    /// The source says that the kernel does not write there.
    pub is_const: bool,
}

/// How a buffer is asked for: by the number of its argument, or by its name.
pub trait BufferKey: fmt::Display {
    /// Whether it means this one.
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
    /// A buffer by the number of its argument, from zero, or by its name; a variable by its name or symbol, after the buffers.
    pub fn find(&self, key: impl BufferKey) -> Option<&BufferReport> {
        self.buffers.iter().chain(&self.variables).find(|buffer| key.is(buffer))
    }

    /// What a buffer or a variable holds, as [`Report::find`] finds it.
    ///
    /// # Panics
    /// When there is no such: that is a mistake in the program that asks.
    pub fn buffer(&self, key: impl BufferKey) -> &Buffer {
        let mut all = self.buffers.iter().chain(&self.variables);
        match all.find(|buffer| key.is(buffer)) {
            Some(found) => &found.buffer,
            None => panic!("no buffer or variable named `{key}`"),
        }
    }

    /// What the kernel executed.
    ///
    /// # Panics
    /// When that was not to be counted ([`crate::Launch::profile`]): that is a mistake in the program that asks.
    pub fn profile(&self) -> &Profile {
        match &self.profile {
            Some(profile) => profile,
            None => panic!("profiling was not enabled for this launch"),
        }
    }

    /// What the kernel printed, as a text.
    pub fn printed(&self) -> String {
        String::from_utf8_lossy(&self.printed).into_owned()
    }
}

impl BufferReport {
    /// The number of the argument, and the name: `3 (y)`; of a variable, the name.
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) if self.place.starts_with("::") => name.clone(),
            Some(name) => format!("{} ({name})", self.place),
            None => self.place.clone(),
        }
    }
}

/// A buffer in one line, or all of its elements.
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

/// All elements of a buffer, a row of its last axis on a line.
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

/// Six digits, without those that say nothing.
fn short(value: f64) -> String {
    if value == 0.0 || (1e-3..1e9).contains(&value.abs()) {
        let text = format!("{value:.6}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    format!("{value:.6e}")
}

/// What is said of many elements; those that are no numbers are left out of all but their count.
struct Measures {
    /// The places of the least and of the greatest one.
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
