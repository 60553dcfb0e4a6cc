//! Random `asm` statements: correct programs, for which nvcc computes the same; statements with a mistake,
//! which nvcc rejects, too; and texts with a mistake, which ptxas rejects.
//!
//! - [`forms`]: the instructions in them
//! - [`program`]: kernels without mistakes
//! - [`mistakes`]: statements with one mistake
//! - [`texts`]: PTX, and the same with damage
//! - [`shown`]: the mistakes in a test of diagnostics

pub mod forms;
pub mod mistakes;
pub mod program;
pub mod shown;
pub mod texts;

use self::forms::Form;
use crate::random::Random;

/// An `asm` statement in parts.
#[derive(Clone, Debug)]
pub struct Statement {
    /// `asm`, `asm volatile`, and other spellings.
    keyword: &'static str,
    /// The text, with `%0` and so on for operands, without quotes.
    text: String,
    /// Constraints and expressions.
    outputs: Vec<(String, String)>,
    inputs: Vec<(String, String)>,
    clobbers: Vec<&'static str>,
}

impl Statement {
    /// The statement as source text.
    fn written(&self) -> String {
        let list = |operands: &[(String, String)]| {
            let operand = |(constraint, value): &(String, String)| format!("\"{constraint}\"({value})");
            operands.iter().map(operand).collect::<Vec<_>>().join(", ")
        };
        let clobbers: Vec<String> = self.clobbers.iter().map(|name| format!("\"{name}\"")).collect();
        let mut parts = vec![list(&self.outputs), list(&self.inputs), clobbers.join(", ")];
        while parts.last().is_some_and(String::is_empty) {
            parts.pop();
        }
        let parts: String = parts.iter().map(|part| format!(" : {part}")).collect();
        format!("{}(\"{}\"{parts});", self.keyword, self.text)
    }
}

/// A statement of one form, on the variables that programs have.
fn statement(random: &mut Random, form: &Form) -> Statement {
    let letters: Vec<char> = form.letters.chars().collect();
    let (written, read) = letters.split_at(form.n_outputs);
    let mut outputs = Vec::new();
    for &letter in written {
        // A register that is written early must not be read late.
        let early = if form.n_outputs > 1 || random.once_in(4) { "&" } else { "" };
        outputs.push((format!("={early}{letter}"), place(random, letter)));
    }
    let mut inputs = Vec::new();
    // The operand number for each `$`.
    let mut numbers: Vec<usize> = (0..outputs.len()).collect();
    for &letter in read {
        // An output that is read first is an input, too.
        if form.n_outputs == 1 && letter == written[0] && outputs[0].0.starts_with('=') && random.once_in(4) {
            outputs[0].0.replace_range(..1, "+");
            numbers.push(0);
            continue;
        }
        numbers.push(outputs.len() + inputs.len());
        inputs.push((letter.to_string(), value(random, letter)));
    }
    let mut text = form.text.replace('%', "%%").replace("%%=", "%=");
    for (idx, number) in numbers.iter().enumerate() {
        text = text.replace(&format!("${idx}"), &format!("%{number}"));
    }
    let keyword = *random.of(&["asm", "asm volatile", "__asm__", "__asm__ __volatile__", "asm"]);
    let clobbers = if random.once_in(8) { vec!["memory"] } else { Vec::new() };
    Statement { keyword, text, outputs, inputs, clobbers }
}

/// An lvalue.
fn place(random: &mut Random, letter: char) -> String {
    let places: &[&str] = match letter {
        'h' => &["h0", "h1", "h2", "s.h"],
        'r' => &["r0", "r1", "r2", "r3", "m[1]", "m[r0 & 3]", "s.r", "v.y", "*p"],
        'l' => &["l0", "l1", "l2", "s.l"],
        'f' => &["f0", "f1", "s.f"],
        'd' => &["d0", "d1"],
        _ => &["q0"],
    };
    (*random.of(places)).to_owned()
}

/// An expression.
fn value(random: &mut Random, letter: char) -> String {
    let values: &[&str] = match letter {
        'h' => &["(unsigned short)7", "(short)(r0 >> 3)", "(unsigned short)m[2]"],
        'r' => &["r0 + r1", "r2 ^ 0x55u", "(int)r3", "17", "m[r1 & 3]", "(unsigned)l0", "'a' + 1", "v.x"],
        'l' => &["l0 + r1", "(long)l1", "w[1]", "1ull << 33", "(unsigned long)r2"],
        'f' => &["1.5f", "-f0", "(float)(r0 & 255)"],
        'd' => &["0.25", "(double)(r1 & 1023)"],
        'n' => &["3", "1 + 2", "sizeof(short)", "(char)5", "true", "FOUR"],
        _ => &["q0"],
    };
    if letter == 'n' || random.once_in(3) { (*random.of(values)).to_owned() } else { place(random, letter) }
}
