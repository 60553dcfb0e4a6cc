//! Finds the functions that a message is about: by their names in it, or by line numbers.

use super::model::{Signature, Unit};

/// Whether a word is a function's symbol, or that of something derived from it.
pub fn is_of(function: &Signature, word: &str) -> bool {
    function.is_symbol(word)
        || word.strip_suffix(function.name.as_str()).is_some_and(|before| before.ends_with('_'))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The functions that a message names; all if it names none.
pub fn by_name(unit: &Unit, message: &str) -> Vec<String> {
    let named = named(unit, message);
    if named.is_empty() { unit.functions.iter().map(|f| f.name.clone()).collect() } else { named }
}

fn named(unit: &Unit, message: &str) -> Vec<String> {
    let words: Vec<&str> = words(message).collect();
    let is_meant = |function: &&Signature| words.iter().any(|word| is_of(function, word));
    unit.functions.iter().filter(is_meant).map(|f| f.name.clone()).collect()
}

/// The functions whose definitions contain the lines in a message, in PTX or C: `x.ptx, line 12`,
/// `x.src:12:3`, `x.src(12)`. Empty if there are no such lines.
pub fn by_line(unit: &Unit, text: &str, message: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for number in numbers(message) {
        let head = lines.iter().take(number).rev().find(|line| {
            [".entry ", ".func ", "__device__ ", "__global__ "].iter().any(|word| line.contains(word))
        });
        for name in head.map(|head| named(unit, head)).unwrap_or_default() {
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// The line numbers in a message.
fn numbers(message: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for mark in [", line ", ".src:", ".src("] {
        for rest in message.split(mark).skip(1) {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            found.extend(digits.parse::<usize>().ok());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::parse::parse;

    #[test]
    fn names_and_lines_lead_to_functions() {
        let unit = parse("__device__ int f1x(int a); __device__ int f11x(int a); __global__ void k2x();");
        let unit = unit.expect("it is right");
        assert_eq!(by_name(&unit, "Prototype doesn't match for '_Z4f11xi' in 'a.cubin'"), ["f11x"]);
        assert_eq!(by_name(&unit, "in call_f1x, given0_k2x"), ["f1x", "k2x"]);
        assert_eq!(by_name(&unit, "out of memory").len(), 3);
        let ptx = ".visible .func f1x(\n)\n{\n}\n.visible .entry call_f11x()\n{\n ret;\n}\n";
        assert_eq!(by_line(&unit, ptx, "ptxas a.ptx, line 7; error : no"), ["f11x"]);
        assert_eq!(by_line(&unit, ptx, "a.src(3): error"), ["f1x"]);
        assert!(by_line(&unit, ptx, "error").is_empty());
    }
}
