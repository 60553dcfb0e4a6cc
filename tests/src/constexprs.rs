//! Random `constexpr` functions, and constants that they compute: loops, arrays, structs, references, pointers, recursion, and
//! what C++ leaves undefined.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::random::Random;

const PRELUDE: &str = "struct Pair { int a; long long b; unsigned bits : 5; };
__device__ constexpr int table[6] = {3, -1, 4, 1, -5, 9};
__device__ constexpr void bump(int &n, int by) { n += by; }
__device__ constexpr int at(const int *from, int n) { return from[n]; }
__device__ constexpr Pair pair(int a, long long b) { return {a, b, (unsigned)a}; }
__device__ constexpr int down(int n) { return n <= 0 ? n : down(n - 3) + 1; }
";

/// Variables of each function, of these types.
const TYPES: &[&str] =
    &["int", "unsigned", "long long", "short", "signed char", "unsigned long long", "double"];

const LITERALS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "-1",
    "-8",
    "31",
    "100",
    "255u",
    "1000000",
    "2147483647",
    "1099511627776",
    "1.5",
    "'a'",
];

const BINARY: &[&str] = &["+", "-", "*", "+", "-", "*", "/", "<", "==", ">=", "!=", "&&", "||"];

/// Those of integers alone.
const BITS: &[&str] = &["&", "|", "^", "<<", ">>", "%"];

const ASSIGNMENTS: &[&str] = &["=", "=", "+=", "-=", "*="];

/// A file with `n_constants` constants, each of a function of its own, but for those in the lines that are left out.
pub fn source(seed: u64, n_constants: usize, left_out: &BTreeSet<usize>) -> String {
    let mut text = PRELUDE.to_owned();
    for idx in 0..n_constants {
        let mut writer =
            Writer { random: Random::new(seed << 20 | idx as u64), text: String::new(), n_loops: 0 };
        writer.function(idx);
        text.push_str(&writer.text);
        let args = [writer.literal(), writer.literal()].join(", ");
        if left_out.contains(&(text.lines().count() + 1)) {
            text.push('\n');
        } else {
            let _ = writeln!(text, "__device__ long long value_{idx} = f_{idx}({args});");
        }
    }
    text
}

struct Writer {
    random: Random,
    text: String,
    n_loops: usize,
}

impl Writer {
    fn function(&mut self, idx: usize) {
        let ret = *self.random.of(&["int", "long long", "unsigned"]);
        let _ = write!(self.text, "__device__ constexpr {ret} f_{idx}(int v0, long long v1) {{");
        for variable in 2..5 {
            let (ty, value) = (*self.random.of(TYPES), self.expr(2, 2));
            let _ = write!(self.text, " {ty} v{variable} = ({ty})({value});");
        }
        self.text.push_str(" int list[4] = {1, v0 & 7, 3}; Pair p = pair(v0 & 15, 7); int *cursor = list;");
        for _ in 0..2 + self.random.below(4) {
            self.statement(2);
        }
        let value = self.expr(5, 3);
        let _ = writeln!(self.text, " return ({ret})({value}); }}");
    }

    fn statement(&mut self, depth: usize) {
        let n_kinds = if depth == 0 { 6 } else { 11 };
        let text = match self.random.below(n_kinds) {
            0..=2 => {
                let (variable, op) = (self.random.below(5), *self.random.of(ASSIGNMENTS));
                format!(" v{variable} {op} {};", self.expr(5, 2))
            }
            3 => format!(" list[({}) & 3] = (int)({});", self.integer(5, 1), self.integer(5, 2)),
            4 => {
                let member = *self.random.of(&["a", "b", "bits"]);
                format!(" p.{member} += (int)({});", self.integer(5, 1))
            }
            5 => self
                .random
                .of(&[
                    " bump(list[1], v0 & 3);",
                    " cursor = &list[v0 & 3]; *cursor += 2;",
                    " ++cursor;",
                    " cursor -= 1;",
                    " v0++;",
                    " p = pair((int)p.b & 63, p.a);",
                    " for (auto &element : list) element ^= 1;",
                    " for (auto n : table) v1 += n;",
                ])
                .to_string(),
            6 => {
                let cond = self.expr(5, 2);
                let _ = write!(self.text, " if ({cond}) {{");
                self.statement(depth - 1);
                self.text.push_str(" } else {");
                self.statement(depth - 1);
                " }".to_owned()
            }
            7 | 8 => {
                self.n_loops += 1;
                let counter = format!("i{}", self.n_loops);
                let turns = 1 + self.random.below(9);
                let _ = write!(self.text, " for (int {counter} = 0; {counter} < {turns}; {counter}++) {{");
                if self.random.once_in(3) {
                    let (cond, jump) = (self.expr(5, 1), *self.random.of(&["break", "continue"]));
                    let _ = write!(self.text, " if ({cond}) {jump};");
                }
                let _ = write!(self.text, " v1 += {counter};");
                self.statement(depth - 1);
                " }".to_owned()
            }
            9 => {
                let value = self.integer(5, 1);
                let _ = write!(self.text, " switch (({value}) & 3) {{ case 0:");
                self.statement(0);
                self.text.push_str(" case 1: { int k = v0; v1 ^= k; break; } case 2:");
                self.statement(0);
                self.text.push_str(" break; default:");
                self.statement(0);
                " }".to_owned()
            }
            _ => {
                let _ = write!(self.text, " {{ short w = 5; while (w-- > 0) {{");
                self.statement(depth - 1);
                " } }".to_owned()
            }
        };
        self.text.push_str(&text);
    }

    fn literal(&mut self) -> String {
        (*self.random.of(LITERALS)).to_owned()
    }

    /// An expression over the first variables.
    fn expr(&mut self, n_variables: usize, depth: usize) -> String {
        match self.random.below(if depth == 0 { 4 } else { 12 }) {
            0 | 1 => format!("v{}", self.random.below(n_variables)),
            2 => self.literal(),
            3 if n_variables < 5 => self.literal(),
            3 => (*self.random.of(&["p.a", "p.b", "p.bits", "list[2]", "*cursor", "table[3]"])).to_owned(),
            4 => self.integer(n_variables, depth),
            5 => format!(
                "({} ? {} : {})",
                self.expr(n_variables, 0),
                self.expr(n_variables, depth - 1),
                self.expr(n_variables, 0)
            ),
            6 => format!("({}({}))", self.random.of(&["-", "!", "+"]), self.expr(n_variables, depth - 1)),
            7 => format!("(({})({}))", self.random.of(TYPES), self.expr(n_variables, depth - 1)),
            _ => {
                let (lhs, rhs) = (self.expr(n_variables, depth - 1), self.expr(n_variables, depth - 1));
                format!("({lhs} {} {rhs})", self.random.of(BINARY))
            }
        }
    }

    fn integer(&mut self, n_variables: usize, depth: usize) -> String {
        if depth == 0 {
            return format!("v{}", self.random.below(2));
        }
        match self.random.below(5) {
            0 => format!("at(table, ({}) & 7)", self.integer(n_variables, depth - 1)),
            1 => format!("down((int)({}) & 255)", self.integer(n_variables, depth - 1)),
            2 => format!("(int)({})", self.expr(n_variables, depth - 1)),
            _ => {
                let (lhs, rhs) = (self.integer(n_variables, depth - 1), self.integer(n_variables, depth - 1));
                let op = *self.random.of(BITS);
                match op {
                    "<<" | ">>" => format!("({lhs} {op} ({rhs} & 31))"),
                    _ => format!("({lhs} {op} {rhs})"),
                }
            }
        }
    }
}

/// The values of the constants, by the PTX.
pub fn values(ptx: &str) -> BTreeMap<String, String> {
    let value = |line: &str| {
        let (name, value) = match line.strip_suffix(';')?.split_once(" = ") {
            Some((head, value)) => (head.split_whitespace().last()?, value),
            None => (line.strip_suffix(';')?.split_whitespace().last()?, "0"),
        };
        name.starts_with("value_").then(|| (name.to_owned(), value.to_owned()))
    };
    ptx.lines().filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_the_same_in_every_run() {
        let text = source(3, 5, &BTreeSet::new());
        assert_eq!(text, source(3, 5, &BTreeSet::new()));
        assert_eq!(text.matches("value_").count(), 5);
        let line = text.lines().position(|line| line.contains("value_2")).unwrap() + 1;
        assert!(!source(3, 5, &BTreeSet::from([line])).contains("value_2"));
    }

    #[test]
    fn values_are_read_of_ptx() {
        let ptx = ".global .align 8 .u64 value_1 = -4;\n.visible .global .align 8 .u64 value_2;\n";
        let expected = [("value_1".to_owned(), "-4".to_owned()), ("value_2".to_owned(), "0".to_owned())];
        assert_eq!(values(ptx), BTreeMap::from(expected));
    }
}
