//! Programs at and beyond the compiler's limits: each is deeply nested, long, or has very many of something.
//!
//! A case has an expected outcome: the program is accepted, or rejected with this code as the first error.
//! The suite also requires of all of them: no crash, little memory, little time, few messages.
//!
//! - [`nesting`]: every construct that can contain itself, thousands deep, and chains of operators
//! - [`length`]: tokens, lines, comments and expressions of megabytes
//! - [`number`]: thousands of declarations, statements, members, arguments, errors
//! - [`preprocessor`]: the same for directives and macros, and macros with exponential expansions
//! - [`run`]: kernels that need more memory than the host has

mod host;
mod length;
mod nesting;
mod number;
mod preprocessor;
pub mod run;

use std::fmt;

/// The nesting depth.
const DEPTH: usize = 10_000;

/// The number of small things.
const COUNT: usize = 10_000;

/// A megabyte.
const MEGA: usize = 1 << 20;

/// The expected outcome of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The frontend and LLVM accept it.
    Taken,
    /// The frontend accepts it; it is not lowered, because LLVM is slow for it.
    Checked,
    /// It is rejected, with this code first.
    Refused(&'static str),
}

/// A program, generated on demand: all of them together are large.
pub struct Case {
    /// What it has much of.
    pub name: &'static str,
    /// The expected outcome.
    pub expected: Expected,
    text: Box<dyn Fn() -> Vec<u8> + Send + Sync>,
}

impl Case {
    /// The program.
    pub fn text(&self) -> Vec<u8> {
        (self.text)()
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case")
            .field("name", &self.name)
            .field("expected", &self.expected)
            .finish_non_exhaustive()
    }
}

/// All cases, with unique names.
pub fn cases() -> Vec<Case> {
    [nesting::cases(), length::cases(), number::cases(), preprocessor::cases(), host::cases()]
        .into_iter()
        .flatten()
        .collect()
}

fn case<T: Into<Vec<u8>>>(
    name: &'static str,
    expected: Expected,
    text: impl Fn() -> T + Send + Sync + 'static,
) -> Case {
    Case { name, expected, text: Box::new(move || text().into()) }
}

fn taken<T: Into<Vec<u8>>>(name: &'static str, text: impl Fn() -> T + Send + Sync + 'static) -> Case {
    case(name, Expected::Taken, text)
}

fn checked<T: Into<Vec<u8>>>(name: &'static str, text: impl Fn() -> T + Send + Sync + 'static) -> Case {
    case(name, Expected::Checked, text)
}

fn refused<T: Into<Vec<u8>>>(
    name: &'static str,
    code: &'static str,
    text: impl Fn() -> T + Send + Sync + 'static,
) -> Case {
    case(name, Expected::Refused(code), text)
}

/// A function with these statements, which can use the parameters `a` and `b`.
fn function(statements: &str) -> String {
    format!("__device__ int f(int a, int b)\n{{\n{statements}\nreturn a;\n}}\n")
}

/// A function that assigns an expression of its parameters `a` and `b`.
fn expression(text: &str) -> String {
    function(&format!("a = {text};"))
}

/// `inner` nested [`DEPTH`] times.
fn nest(open: &str, inner: &str, close: &str) -> String {
    [&open.repeat(DEPTH), inner, &close.repeat(DEPTH)].concat()
}

/// The concatenation of `text` for each number below `n`.
fn each(n: usize, text: impl Fn(usize) -> String) -> String {
    (0..n).map(text).collect()
}

/// The same, separated by commas.
fn list(n: usize, text: impl Fn(usize) -> String) -> String {
    (0..n).map(text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_differ() {
        let cases = cases();
        let names: BTreeSet<&str> = cases.iter().map(|case| case.name).collect();
        assert_eq!(names.len(), cases.len());
    }

    #[test]
    fn nests_have_two_sides() {
        assert!(nest("(", "a", ")").starts_with("((") && nest("(", "a", ")").ends_with("))"));
        assert_eq!(list(3, |i| format!("x{i}")), "x0, x1, x2");
    }
}
