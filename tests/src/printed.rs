//! Random calls of `printf`: formats with arguments of the matching types, as device code and as a host
//! program, whose C library determines the expected output.
//!
//! Nothing in a call is undefined (C17 7.21.6.1): a flag occurs only where it has a meaning. Values are read
//! from memory, so that compilers do not know them.

use std::fmt::Write as _;

use crate::random::Random;

/// The number of arguments after the format that are printed (CUDA C++ Programming Guide "Limitations").
const MAX_ARGUMENTS: usize = 32;

/// The exclusive upper bound of large widths and precisions.
const MOST: usize = 400;

/// The maximum size of a text, including the terminating zero.
const TEXT_SIZE: usize = 8;

const INTEGERS: [(&str, &str, bool); 14] = [
    ("bool", "", false),
    ("char", "hh", true),
    ("signed char", "hh", true),
    ("unsigned char", "hh", false),
    ("short", "h", true),
    ("unsigned short", "h", false),
    ("int", "", true),
    ("unsigned", "", false),
    ("long", "l", true),
    ("unsigned long", "l", false),
    ("long long", "ll", true),
    ("unsigned long long", "ll", false),
    ("Level", "", true),
    ("Small", "hh", true),
];

const NUMBERS: [i64; 12] =
    [0, 1, -1, 7, -128, 255, 65_535, -32_768, i32::MAX as i64, i32::MIN as i64, i64::MAX, i64::MIN];

/// The number of [`FRACTIONS`] without nines, whose rounding never adds a digit.
const N_SHORT: usize = 9;

const FRACTIONS: [f64; 18] = [
    0.0,
    -0.0,
    0.5,
    1.5,
    -2.5,
    0.1,
    1e-5,
    100_000.0,
    123_456_789.0,
    9.999_999_5,
    999_999.5,
    1e22,
    -1e300,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// The beginning of both programs.
const PRELUDE: &str = "enum Level { LOW = -1, HIGH = 1 };\nenum Small : signed char { TINY = -1 };\n";

/// Makes device code compile with the host's compiler.
const HOST_PRELUDE: &str = "#include <stdio.h>\n#include <string.h>\n#define __global__ static\n\
    static double __longlong_as_double(long long bits) { double d; memcpy(&d, &bits, 8); return d; }\n";

/// Random calls, and what they print.
#[derive(Clone, Debug)]
pub struct Printing {
    numbers: Vec<i64>,
    fractions: Vec<f64>,
    texts: Vec<u8>,
    body: String,
}

struct Generator {
    random: Random,
    numbers: Vec<i64>,
    fractions: Vec<f64>,
    n_texts: usize,
    is_wide: bool,
}

impl Printing {
    /// `n_calls` calls, for addresses of 64 or of 32 bits.
    pub fn new(seed: u64, n_calls: usize, is_wide: bool) -> Printing {
        let mut random = Random::new(seed);
        let mut numbers = NUMBERS.to_vec();
        numbers.extend((0..20).map(|_| random.draw() as i64 >> random.below(64)));
        let mut fractions = FRACTIONS.to_vec();
        fractions.extend((0..14).map(|_| {
            let magnitude = 10_f64.powi(random.below(40) as i32 - 20);
            (random.draw() as i64 as f64 / i64::MAX as f64) * magnitude
        }));
        let mut texts = Vec::new();
        for len in 0..TEXT_SIZE {
            texts.extend((0..len).map(|idx| b'a' + ((len + idx) % 26) as u8));
            texts.resize((len + 1) * TEXT_SIZE, 0);
        }
        let mut generator = Generator { random, numbers, fractions, n_texts: TEXT_SIZE, is_wide };
        let body = (0..n_calls).map(|idx| generator.call(idx)).collect();
        Printing { numbers: generator.numbers, fractions: generator.fractions, texts, body }
    }

    fn kernel(&self) -> String {
        let params = "const long long *n, const long long *d, const char *t";
        format!("{PRELUDE}__global__ void print({params})\n{{\n{}}}\n", self.body)
    }

    fn bits(&self) -> impl Iterator<Item = i64> {
        self.fractions.iter().map(|fraction| fraction.to_bits() as i64)
    }

    /// The device code, with its launch directives.
    pub fn device_text(&self, args: &str) -> String {
        let texts = self.texts.iter().map(|&byte| i64::from(byte));
        format!(
            "//@ args: {args}\n//@ launch: print grid=1 block=1\n//@ arg: n=i64={{{}}}\n//@ arg: d=i64={{{}}}\n\
             //@ arg: t=i8={{{}}}\n{}",
            list(self.numbers.iter().copied()),
            list(self.bits()),
            list(texts),
            self.kernel()
        )
    }

    /// The host program.
    pub fn host_text(&self) -> String {
        let minimum = i64::MIN.to_string();
        let list = |values| list(values).replace(&minimum, "-9223372036854775807 - 1");
        format!(
            "{HOST_PRELUDE}{}int main()\n{{\n    static const long long n[] = {{{}}};\n    \
             static const long long d[] = {{{}}};\n    static const char t[] = {{{}}};\n    print(n, d, t);\n}}\n",
            self.kernel(),
            list(self.numbers.clone()),
            list(self.bits().collect()),
            list(self.texts.iter().map(|&byte| i64::from(byte)).collect()),
        )
    }
}

fn list(values: impl IntoIterator<Item = i64>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(", ")
}

impl Generator {
    /// A call, which prints one line that begins with its index.
    fn call(&mut self, idx: usize) -> String {
        let mut format = format!("{idx}:");
        let mut args = String::new();
        let n_wanted = if self.random.once_in(8) { MAX_ARGUMENTS } else { self.random.below(9) };
        let mut n_args = 0;
        while n_args < n_wanted {
            let room = n_wanted - n_args;
            n_args += self.directive(room, &mut format, &mut args);
            let separator = *self.random.of(&[" ", ",", "|", " %% ", "/"]);
            format.push_str(separator);
        }
        format!("    printf(\"{format};\\n\"{args});\n")
    }

    /// A conversion specification with at most `room` arguments; returns their number.
    fn directive(&mut self, room: usize, format: &mut String, args: &mut String) -> usize {
        let mut before = String::new();
        let mut n_args = 1;
        let start = format.len();
        format.push('%');
        let kind = self.random.below(10);
        let flags: &[char] = match kind {
            0..=3 => &['-', '+', ' ', '0'],
            4 | 5 => &['-', '0', '#'],
            6 | 7 => &['-', '+', ' ', '0', '#'],
            _ => &['-'],
        };
        for &flag in flags {
            if self.random.once_in(4) {
                format.push(flag);
            }
        }
        let has_precision = !matches!(kind, 9) && self.random.once_in(3);
        for is_precision in [false, true] {
            if is_precision && !has_precision || !is_precision && !self.random.once_in(3) {
                continue;
            }
            format.push_str(if is_precision { "." } else { "" });
            if room > n_args && self.random.once_in(3) {
                format.push('*');
                let number = self.number();
                let most = if self.random.once_in(6) { MOST } else { 13 };
                let _ = write!(before, ", (int)({number} % {most})");
                n_args += 1;
            } else {
                let most = if self.random.once_in(12) { MOST } else { 14 };
                let amount = 1 + self.random.below(most);
                let _ = write!(format, "{amount}");
            }
        }
        let (letters, arg) = match kind {
            0..=3 => self.integer(true),
            4 | 5 => {
                let is_alternate = format[start..].contains('#');
                let (letters, arg) = self.integer(false);
                // Decimal conversions have no alternative form.
                (if is_alternate { letters.replace('u', "x") } else { letters }, arg)
            }
            6 | 7 => {
                let idx = self.random.below(self.fractions.len());
                let letter = *self.random.of(&["f", "F", "e", "E", "g", "G", "a", "A", "lf"]);
                let is_kept = format[start..].contains('#') && matches!(letter, "g" | "G");
                // glibc 2.36 prints `1.e+06` for `%#g` of 999999.5: it loses the zeros when rounding adds a
                // digit.
                let idx = if is_kept { idx % N_SHORT } else { idx };
                let cast = if is_kept { "" } else { *self.random.of(&["", "(float)"]) };
                (letter.to_owned(), format!("{cast}__longlong_as_double(d[{idx}])"))
            }
            8 => {
                let text = TEXT_SIZE * self.random.below(self.n_texts);
                let text = if self.random.once_in(3) { "\"text\"".to_owned() } else { format!("t + {text}") };
                ("s".to_owned(), text)
            }
            _ if self.random.once_in(2) => {
                let number = self.number();
                ("p".to_owned(), format!("(void *)(size_t)({number} | 1)"))
            }
            _ => {
                let number = self.number();
                ("c".to_owned(), format!("(char)(32 + ({number} & 63))"))
            }
        };
        format.push_str(&letters);
        let _ = write!(args, "{before}, {arg}");
        n_args
    }

    fn number(&mut self) -> String {
        format!("n[{}]", self.random.below(self.numbers.len()))
    }

    fn integer(&mut self, is_signed: bool) -> (String, String) {
        let (ty, length, _) = loop {
            let row = *self.random.of(&INTEGERS);
            if row.2 == is_signed || self.random.once_in(4) {
                break row;
            }
        };
        let number = self.number();
        // Narrow arguments are promoted, and may be printed as the promoted type.
        let length = if length.starts_with('h') && self.random.once_in(2) { "" } else { length };
        let length = match (ty, self.is_wide, self.random.below(4)) {
            ("long" | "unsigned long", true, 0) => "z",
            ("long" | "unsigned long", true, 1) => "t",
            ("long long" | "unsigned long long", _, 0) => "j",
            _ => length,
        };
        let letter =
            if is_signed { self.random.of(&["d", "i"]) } else { self.random.of(&["u", "o", "x", "X"]) };
        let value = match ty {
            "Level" => format!("({number} & 1 ? LOW : HIGH)"),
            "Small" => "TINY".to_owned(),
            _ => format!("({ty}){number}"),
        };
        (format!("{length}{letter}"), value)
    }
}
