//! PTX of `asm` statements, and the same with damage: a token removed, duplicated, or replaced.

use std::fmt::Write as _;

use super::forms::{FORMS, Form};
use crate::random::Random;

/// A text whose operands are `$0` and so on, with a constraint letter for each.
#[derive(Clone, Debug)]
pub struct Text {
    /// PTX.
    pub ptx: String,
    /// The letter of each operand.
    pub letters: &'static str,
    /// The kind of damage.
    pub damage: &'static str,
}

/// Texts without damage.
pub fn whole() -> Vec<Text> {
    let text = |form: &Form| Text { ptx: form.text.to_owned(), letters: form.letters, damage: "nothing" };
    FORMS.iter().map(text).collect()
}

/// `n` texts with one token damaged.
pub fn damaged(seed: u64, n: usize) -> Vec<Text> {
    let mut random = Random::new(seed);
    (0..n)
        .map(|_| {
            let form = *random.of(FORMS);
            let (ptx, damage) = damage(&mut random, &form);
            Text { ptx, letters: form.letters, damage }
        })
        .collect()
}

/// The damaged text, and the kind of damage.
fn damage(random: &mut Random, form: &Form) -> (String, &'static str) {
    let mut tokens = tokens(form.text);
    let at = random.below(tokens.len());
    let what = match random.below(5) {
        0 => {
            tokens.remove(at);
            "a token left out"
        }
        1 => {
            tokens.insert(at, tokens[at].clone());
            "a token twice"
        }
        2 => {
            tokens[at] = random.of(&self::tokens(random.clone().of(FORMS).text)).clone();
            "a token of another text"
        }
        3 => {
            tokens[at] = (*random.of(OTHERS)).to_owned();
            "another token"
        }
        _ => {
            let token = &mut tokens[at];
            let place = random.below(token.len());
            let letter = *random.of(&["x", "1", ".", "u", "_"]);
            token.replace_range(place..=place, letter);
            "another letter"
        }
    };
    // `asm` itself would reject operands that do not exist.
    let n_operands = form.letters.len();
    let text = tokens.concat();
    let is_operand = |rest: &str| {
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest[..n_digits].parse::<usize>().is_ok_and(|number| number < n_operands)
    };
    let sound = text.match_indices('$').all(|(at, _)| is_operand(&text[at + 1..]));
    match sound {
        true => (text, what),
        false => (form.text.replacen("u32", "u33", 1).replacen("b32", "b33", 1), "another type"),
    }
}

/// Replacements for a token.
const OTHERS: &[&str] = &["$0", "$1", "12", "0f3F800000", "p", ".u32", ".f32", ".b64", ",", "{", "]", "-"];

/// Words, operands, numbers, types, and every other character separately, including spaces.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mut token = String::from(c);
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if is_word(c) || matches!(c, '.' | '$' | '%') {
            while let Some(next) = chars.next_if(|&next| is_word(next) || c == '%' && next == '=') {
                token.push(next);
            }
        }
        tokens.push(token);
    }
    tokens
}

/// The `asm` statement of each text, in a separate function on one line.
pub fn source(texts: &[Text]) -> String {
    let mut source = String::new();
    for (idx, text) in texts.iter().enumerate() {
        let ptx = text.ptx.replace('%', "%%").replace("%%=", "%=").replace('$', "%");
        let ty = |letter: char| match letter {
            'h' => "short",
            'l' => "long long",
            'f' => "float",
            'd' => "double",
            'q' => "__int128",
            _ => "int",
        };
        let letters = || text.letters.chars().enumerate();
        let params: Vec<String> = letters().map(|(at, letter)| format!("{} x{at}", ty(letter))).collect();
        // All are outputs, so that all may be written.
        let operand =
            |(at, letter): (usize, char)| format!("\"+{}\"(x{at})", if letter == 'n' { 'r' } else { letter });
        let operands: Vec<String> = letters().map(operand).collect();
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            source,
            "__device__ void f{idx}({}) {{ asm volatile(\"{ptx}\" : {}); }}",
            params.join(", "),
            operands.join(", ")
        );
    }
    source
}

/// A module with the text, as a compiler writes it.
pub fn module(text: &Text) -> String {
    let mut registers = String::new();
    for (at, letter) in text.letters.chars().enumerate() {
        let ty = match letter {
            'h' => "b16",
            'l' => "b64",
            'f' => "f32",
            'd' => "f64",
            'q' => "b128",
            _ => "b32",
        };
        let _ = writeln!(registers, "\t.reg .{ty} %operand{at};");
    }
    let ptx = text.ptx.replace("%=", "1").replace('$', "%operand");
    format!(
        ".version 8.5\n.target sm_90\n.address_size 64\n.visible .func f()\n{{\n{registers}\t{ptx}\n\tret;\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_text() {
        for form in FORMS {
            assert_eq!(tokens(form.text).concat(), form.text);
        }
        assert_eq!(tokens("add.u32 $0, %tid.x;"), ["add", ".u32", " ", "$0", ",", " ", "%tid", ".x", ";"]);
    }
}
