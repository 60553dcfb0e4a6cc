//! Programs at and beyond what the compiler bounds: each nests, is long or has very many of something.
//!
//! A case says what comes of it: it is taken, or refused with a diagnostic code, the first that is reported. What is
//! more must hold of all of them, see the suite: no crash, little memory, little time, few messages.
//!
//! - [`nesting`]: every construct that can stand within itself, thousands deep, and chains of operators
//! - [`length`]: tokens, lines, comments and expressions of megabytes
//! - [`number`]: thousands of declarations, statements, members, arguments, errors
//! - [`preprocessor`]: the same for directives and macros, and macros that explode
//! - [`run`]: kernels that want more memory than the host has

mod length;
mod nesting;
mod number;
mod preprocessor;
pub mod run;

use std::fmt;

/// How deep things nest.
const DEPTH: usize = 10_000;

/// How many there are of small things.
const COUNT: usize = 10_000;

/// A megabyte.
const MEGA: usize = 1 << 20;

/// What comes of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The frontend takes it, and so does LLVM.
    Taken,
    /// The frontend takes it; it is not lowered, since LLVM's time for it is its own.
    Checked,
    /// It is refused, and this code comes first.
    Refused(&'static str),
}

/// A program, made when it is asked for: all of them together are large.
pub struct Case {
    /// What it has much of.
    pub name: &'static str,
    /// What comes of it.
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

/// All cases, with names that differ.
pub fn cases() -> Vec<Case> {
    [nesting::cases(), length::cases(), number::cases(), preprocessor::cases()]
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

/// A function with these statements, which have the parameters `a` and `b`.
fn function(statements: &str) -> String {
    format!("__device__ int f(int a, int b)\n{{\n{statements}\nreturn a;\n}}\n")
}

/// A function that assigns an expression of its parameters `a` and `b`.
fn expression(text: &str) -> String {
    function(&format!("a = {text};"))
}

/// What `inner` stands within, [`DEPTH`] deep.
fn nest(open: &str, inner: &str, close: &str) -> String {
    [&open.repeat(DEPTH), inner, &close.repeat(DEPTH)].concat()
}

/// What `text` makes of each number below `n`.
fn each(n: usize, text: impl Fn(usize) -> String) -> String {
    (0..n).map(text).collect()
}

/// The same with commas between.
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
