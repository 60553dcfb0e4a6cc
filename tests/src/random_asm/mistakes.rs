//! `asm` statements with one mistake each, which both compilers must reject.

use std::fmt::Write as _;

use super::forms::FORMS;
use super::{Statement, statement};
use crate::random::Random;

/// A statement with a mistake.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// The kind of mistake.
    pub what: &'static str,
    /// The statement, on one line.
    pub written: String,
}

/// Inserts a mistake into a correct statement; `None` if it is not applicable.
type Damage = fn(&mut Random, Statement) -> Option<String>;

const DAMAGES: &[(&str, Damage)] = &[
    ("the number of an operand that there is not", |random, mut it| {
        let _ = write!(it.text, " // %{}", it.outputs.len() + it.inputs.len() + random.below(30));
        Some(it.written())
    }),
    ("a modifier of an operand", |random, mut it| {
        let _ = write!(it.text, " // %{}0", random.of(&["q", "c", "a"]));
        Some(it.written())
    }),
    ("an output that is no lvalue", |_, mut it| {
        let output = it.outputs.first_mut()?;
        output.1 = match output.0.chars().last()? {
            'r' => "r0 + 1u",
            'l' => "l0 + 1",
            'f' => "1.5f",
            _ => return None,
        }
        .to_owned();
        Some(it.written())
    }),
    ("an input with `=` or `+`", |random, mut it| {
        let input = it.inputs.first_mut()?;
        if input.0 == "n" {
            return None;
        }
        input.0.insert_str(0, if random.once_in(2) { "=" } else { "+" });
        Some(it.written())
    }),
    ("an output without `=`", |_, mut it| {
        let output = it.outputs.first_mut()?;
        output.0 = output.0.chars().last()?.to_string();
        Some(it.written())
    }),
    ("an output that is a number or a text", |random, mut it| {
        it.outputs.first_mut()?.0 = (*random.of(&["=n", "=C"])).to_owned();
        Some(it.written())
    }),
    ("a constraint of another letter", |random, mut it| {
        let letter = *random.of(&["m", "g", "i", "x", "R", "b", "p", "s", "0"]);
        it.inputs.first_mut()?.0 = letter.to_owned();
        Some(it.written())
    }),
    ("two letters", |_, mut it| {
        it.inputs.first_mut()?.0.push('r');
        Some(it.written())
    }),
    ("no letter", |_, mut it| {
        it.outputs.first_mut()?.0 = "=".to_owned();
        Some(it.written())
    }),
    ("a value of another size", |random, mut it| {
        let input = it.inputs.first_mut()?;
        let others: &[&str] = match input.0.as_str() {
            "r" => &["h0", "l0", "f0", "d0", "q0", "flag", "letter"],
            "h" => &["r0", "l0", "letter", "f0", "flag"],
            "l" => &["r0", "h0", "d0", "f0", "q0"],
            "f" => &["r0", "d0", "1"],
            "d" => &["f0", "l0", "1"],
            "n" => &["r0", "1.0f", "m"],
            "q" => &["l0", "d0"],
            _ => return None,
        };
        input.1 = (*random.of(others)).to_owned();
        Some(it.written())
    }),
    ("an output of another size", |random, mut it| {
        let output = it.outputs.first_mut()?;
        let others: &[&str] = match output.0.chars().last()? {
            'r' => &["h0", "l0", "f0", "flag", "letter", "d0"],
            'h' => &["r0", "l0", "letter"],
            'l' => &["r0", "h0", "d0"],
            'f' => &["r0", "d0"],
            'd' => &["f0", "l0"],
            _ => return None,
        };
        output.1 = (*random.of(others)).to_owned();
        Some(it.written())
    }),
    ("a struct", |random, mut it| {
        it.inputs.first_mut()?.1 = (*random.of(&["s", "v"])).to_owned();
        Some(it.written())
    }),
    ("a name that is not declared", |random, mut it| {
        let inputs = &mut it.inputs;
        if inputs.is_empty() {
            return None;
        }
        let at = random.below(inputs.len());
        inputs[at].1 = "unknown".to_owned();
        Some(it.written())
    }),
    ("a register among what is changed", |random, mut it| {
        it.clobbers = vec![*random.of(&["cc", "r0", "%r1", "mem"])];
        Some(it.written())
    }),
    ("no parentheses around an operand", |_, it| {
        let (constraint, value) = it.inputs.first()?;
        let written = it.written();
        let with = format!("\"{constraint}\"({value})");
        Some(written.replacen(&with, &format!("\"{constraint}\" 3"), 1))
    }),
    ("a constraint that is no string", |_, it| {
        let written = it.written();
        let (constraint, _) = it.inputs.first()?;
        Some(written.replacen(&format!("\"{constraint}\"("), "r(", 1))
    }),
    ("a comma too many", |_, it| {
        let written = it.written();
        Some(written.replacen(" : \"", " : , \"", 1))
    }),
    ("no `;`", |_, it| Some(it.written().trim_end_matches(';').to_owned() + " r0 = 1;")),
    ("a text that is no string", |_, it| {
        let written = it.written();
        Some(written.replacen(&format!("\"{}\"", it.text), "text", 1))
    }),
];

/// `n` statements with mistakes.
pub fn mistakes(seed: u64, n: usize) -> Vec<Mistake> {
    let mut random = Random::new(seed);
    let mut made = Vec::new();
    while made.len() < n {
        let form = random.of(FORMS);
        let statement = statement(&mut random, form);
        // Each kind occurs before any occurs twice.
        let (what, damage) = DAMAGES[made.len() % DAMAGES.len()];
        if let Some(written) = damage(&mut random, statement) {
            made.push(Mistake { what, written });
        }
    }
    made
}

/// The number of lines before the first statement.
const N_LINES: usize = 3;

/// A file with the statements, each in a separate function on its own line.
pub fn source(statements: &[&str]) -> String {
    let mut text =
        "#define FOUR 4\nstruct Record { unsigned r; unsigned long long l; unsigned short h; float f; };\n\n"
            .to_owned();
    for (idx, statement) in statements.iter().enumerate() {
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "__device__ void f{idx}(unsigned r0, unsigned r1, unsigned r2, unsigned r3, unsigned short h0, short h1, unsigned short h2, \
             unsigned long long l0, long long l1, unsigned long long l2, float f0, float f1, double d0, double d1, __int128 q0, \
             unsigned *m, unsigned *p, struct Record s, uint2 v, unsigned long long *w, bool flag, char letter) {{ {statement} }}"
        );
    }
    text
}

/// The index of the statement on a line of the file, counted from 1.
pub fn statement_of(line: usize) -> Option<usize> {
    (line - 1).checked_sub(N_LINES)
}
