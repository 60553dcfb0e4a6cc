//! Random constant expressions, and the values that compilers fold them to.
//!
//! A file has functions without parameters: both compilers compute their results at `-O3`, and return a
//! literal. So promotions, the usual arithmetic conversions, narrowing, shifts, comparisons and the order of
//! assignments are compared with nvcc, without running anything.
//!
//! No expression has undefined behavior: signed sums and products have narrow operands, divisors are odd,
//! shift counts are masked, and floats are converted to integers only where they fit.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::Failure;
use crate::random::Random;

const INTEGERS: [&str; 12] = [
    "bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];
const UNSIGNED: [&str; 5] =
    ["unsigned char", "unsigned short", "unsigned", "unsigned long", "unsigned long long"];
const NARROW: [&str; 4] = ["signed char", "unsigned char", "short", "bool"];
const LITERALS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "127",
    "128",
    "255",
    "0x8000",
    "65535",
    "2147483647",
    "2147483648",
    "4294967295u",
    "'a'",
    "'\\xff'",
    "1ull << 63",
    "0x7fffffffffffffff",
    "true",
];
const FLOATS: [&str; 6] = ["0.5f", "-1.25f", "3.0", "0.1", "-0.0f", "16777217.0"];

const N_VARIABLES: usize = 4;
const DEPTH: usize = 4;

/// A file with `n_functions` functions, called `f0` and so on.
pub fn source(seed: u64, n_functions: usize) -> String {
    let mut generator = Generator { random: Random::new(seed) };
    (0..n_functions).map(|idx| generator.function(idx)).collect()
}

struct Generator {
    random: Random,
}

impl Generator {
    fn function(&mut self, idx: usize) -> String {
        let returns = if self.random.once_in(5) { "double" } else { *self.random.of(&INTEGERS) };
        let mut body = String::new();
        for variable in 0..N_VARIABLES {
            let (ty, literal) = (*self.random.of(&INTEGERS), *self.random.of(&LITERALS));
            // Writing to a `String` cannot fail.
            let _ = write!(body, "{ty} v{variable} = ({ty})({literal}); ");
        }
        for _ in 0..2 {
            let (variable, value) = (self.random.below(N_VARIABLES), self.integer(2));
            let operator = *self.random.of(&["=", "&=", "|=", "^="]);
            let _ = write!(body, "v{variable} {operator} {value}; ");
        }
        let value = if returns == "double" { self.float(DEPTH) } else { self.integer(DEPTH) };
        format!("extern \"C\" __device__ {returns} f{idx}() {{ {body}return {value}; }}\n")
    }

    /// An expression of some integer type.
    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(3) {
                0 => format!("({})", self.random.of(&LITERALS)),
                _ => format!("v{}", self.random.below(N_VARIABLES)),
            };
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0 => {
                let operator = *self.random.of(&["+", "-", "*"]);
                let ty = *self.random.of(&UNSIGNED[2..]);
                format!("(({ty}){} {operator} {})", self.integer(depth), self.integer(depth))
            }
            1 => {
                let operator = *self.random.of(&["+", "-", "*"]);
                let (left, right) = (self.narrowed(depth), self.narrowed(depth));
                format!("({left} {operator} {right})")
            }
            2 => {
                let operator = *self.random.of(&["/", "%"]);
                let ty = *self.random.of(&["signed char", "short", "unsigned", "unsigned long long"]);
                format!("({} {operator} ({ty})({} | 1))", self.narrowed(depth), self.integer(depth))
            }
            3 => {
                let ty = *self.random.of(&UNSIGNED);
                format!("(unsigned)(({ty}){} << ({} & 7))", self.integer(depth), self.integer(depth))
            }
            4 => {
                let ty = *self.random.of(&INTEGERS);
                format!("(({ty}){} >> ({} & 7))", self.integer(depth), self.integer(depth))
            }
            5 => {
                let operator = *self.random.of(&["&", "|", "^"]);
                format!("({} {operator} {})", self.integer(depth), self.integer(depth))
            }
            6 => {
                let operator = *self.random.of(&["==", "!=", "<", "<=", ">", ">=", "&&", "||"]);
                format!("({} {operator} {})", self.integer(depth), self.integer(depth))
            }
            7 => {
                let (condition, then, other) =
                    (self.integer(depth), self.integer(depth), self.integer(depth));
                format!("({condition} ? {then} : {other})")
            }
            8 => format!("({}{})", self.random.of(&["~", "!", "+ "]), self.integer(depth)),
            9 => format!("(- {})", self.narrowed(depth)),
            10 => format!("({} < {})", self.float(depth), self.float(depth)),
            _ => format!("({}){}", self.random.of(&INTEGERS), self.integer(depth)),
        }
    }

    /// An expression so narrow that products of two fit in `int`.
    fn narrowed(&mut self, depth: usize) -> String {
        format!("({}){}", self.random.of(&NARROW), self.integer(depth))
    }

    /// An expression of a floating type, or of an integer that converts to one.
    fn float(&mut self, depth: usize) -> String {
        if depth == 0 {
            return (*self.random.of(&FLOATS)).to_owned();
        }
        let depth = depth - 1;
        match self.random.below(6) {
            0 => format!("({}){}", self.random.of(&["float", "double"]), self.integer(depth)),
            1 => format!("({} + {})", self.float(depth), self.float(depth)),
            2 => format!(
                "(({}){} * {})",
                self.random.of(&["float", "double"]),
                self.narrowed(depth),
                self.float(0)
            ),
            3 => format!("({} ? {} : {})", self.integer(depth), self.float(depth), self.float(depth)),
            4 => format!("(- {})", self.float(depth)),
            _ => format!("(float){}", self.float(depth)),
        }
    }
}

/// Compares the results of a file's functions, where both compilers fold them.
///
/// # Errors
///
/// Each function with two values; and fewer than nine functions in ten that both have folded.
pub fn compare(
    source: &str,
    expected: &BTreeMap<String, u64>,
    actual: &BTreeMap<String, u64>,
) -> Result<(), Failure> {
    let mut failure = String::new();
    let (mut n_functions, mut n_compared) = (0, 0);
    for (idx, line) in source.lines().enumerate() {
        n_functions += 1;
        let name = format!("f{idx}");
        if let (Some(expected), Some(actual)) = (expected.get(&name), actual.get(&name)) {
            n_compared += 1;
            if expected != actual {
                let _ = writeln!(failure, "{name} is {actual:#x}, by nvcc {expected:#x}\n  {line}");
            }
        }
    }
    if n_compared < n_functions * 9 / 10 {
        let _ = writeln!(failure, "only {n_compared} of {n_functions} functions were folded by both");
    }
    if failure.is_empty() { Ok(()) } else { Err(failure) }
}

/// The result of each function in PTX, if it is a literal: integers as the stored 64 bits, floats as their
/// bits.
pub fn returned(ptx: &str) -> BTreeMap<String, u64> {
    let mut returned = BTreeMap::new();
    let mut function = String::new();
    let mut registers: BTreeMap<&str, u64> = BTreeMap::new();
    for line in ptx.lines().map(str::trim) {
        if let Some((_, rest)) = line.split_once(".func").filter(|_| line.contains("func_retval0)")) {
            let name = rest.rsplit(')').find(|part| !part.trim_matches(['(', ' ']).is_empty()).unwrap_or("");
            name.trim().trim_end_matches(['(', ' ']).clone_into(&mut function);
            registers.clear();
        } else if let Some(operands) = line.strip_prefix("mov.") {
            if let Some((register, value)) =
                operands.split_once(char::is_whitespace).and_then(|(_, o)| two(o))
            {
                registers.extend(literal(value).map(|value| (register, value)));
            }
        } else if let Some(store) =
            line.strip_prefix("st.param.").and_then(|rest| rest.strip_prefix(['b', 'f', 's', 'u']))
        {
            let width =
                store.split_whitespace().next().and_then(|bits| bits.parse::<u32>().ok()).unwrap_or(64);
            let value = two(store).map(|(_, value)| value);
            let value = value.and_then(|value| literal(value).or_else(|| registers.get(value).copied()));
            returned.extend(
                value.map(|value| (function.clone(), value & (u64::MAX >> (64 - width.clamp(1, 64))))),
            );
        }
    }
    returned
}

/// The two operands of an instruction.
fn two(operands: &str) -> Option<(&str, &str)> {
    let (first, second) = operands.trim_end_matches(';').split_once(',')?;
    Some((first.trim(), second.trim()))
}

fn literal(text: &str) -> Option<u64> {
    if let Some(bits) = text.strip_prefix("0d").or_else(|| text.strip_prefix("0f")) {
        return u64::from_str_radix(bits, 16).ok();
    }
    text.parse::<i64>().map(|value| value as u64).or_else(|_| text.parse::<u64>()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_and_too_few_values_are_found() {
        let source = source(1, 10);
        let right: BTreeMap<String, u64> = (0..10).map(|idx| (format!("f{idx}"), idx)).collect();
        compare(&source, &right, &right).expect("equal");
        let mut wrong = right.clone();
        wrong.insert("f3".into(), 4);
        assert!(compare(&source, &right, &wrong).expect_err("f3").contains("f3 is 0x4, by nvcc 0x3"));
        wrong.retain(|name, _| name > &"f3".to_owned());
        assert!(compare(&source, &right, &wrong).expect_err("few").contains("only 6 of 10"));
    }

    #[test]
    fn literals_are_read_from_both_compilers_text() {
        let nvcc =
            ".visible .func  (.param .b32 func_retval0) f0()\n{\n\tst.param.b32 \t[func_retval0+0], -5;\n}\n";
        let ours = ".visible .func  (.param .b32 func_retval0) f0()\n{\n\tmov.b32 \t%r1, -5;\n\
                    \tst.param.b32 \t[func_retval0], %r1;\n}\n";
        let expected = BTreeMap::from([("f0".to_owned(), 0xffff_fffb)]);
        assert_eq!(returned(nvcc), expected);
        assert_eq!(returned(ours), expected);
        let double =
            ".func  (.param .b64 func_retval0) g()\nst.param.f64 \t[func_retval0+0], 0d3FF0000000000000;\n";
        assert_eq!(returned(double).get("g"), Some(&0x3ff0_0000_0000_0000));
        assert!(returned(&ours.replace("mov.b32 \t%r1, -5", "ld.b32 %r1, [x]")).is_empty());
    }
}
