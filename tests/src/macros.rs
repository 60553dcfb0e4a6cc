//! Random macros and invocations of them, from [`random`](crate::random) numbers.
//!
//! Replacement lists use other macros, with and without arguments, stringize and paste; so rescanning,
//! painting and white space occur in every combination. Each invocation is on its own line. g++ determines
//! which ones are errors, and those lines are omitted.

use std::fmt::Write;

use crate::random::Random;

/// A program's definitions and its invocations.
#[derive(Debug)]
pub struct Program {
    definitions: String,
    /// One line each.
    invocations: Vec<String>,
}

/// A macro of a program.
struct Macro {
    name: String,
    /// `None` for an object-like macro.
    n_params: Option<usize>,
    is_variadic: bool,
}

const WORDS: [&str; 10] = ["a", "b", "x", "1", "2e", "+", "-", "<", ">", "="];

impl Program {
    /// The program of a seed, with this number of invocations.
    pub fn new(seed: u64, n_invocations: usize) -> Program {
        let mut random = Random::new(seed);
        let macros: Vec<Macro> = (0..14)
            .map(|idx| {
                let n_params = (idx % 3 > 0).then(|| random.below(4));
                let is_variadic = n_params.is_some() && random.once_in(3);
                Macro { name: format!("m{idx}"), n_params, is_variadic }
            })
            .collect();
        let mut definitions = String::from("#define empty\n#define str(...) #__VA_ARGS__\n");
        definitions.push_str("#define xstr(...) str(__VA_ARGS__)\n");
        for one in &macros {
            let list = list(one, &macros, &mut random);
            writeln!(definitions, "#define {}{} {list}", one.name, params(one)).expect("a string");
        }
        let invocations = (0..n_invocations).map(|_| {
            let mut text = call(&macros, &[], 3, &mut random);
            if random.once_in(2) {
                text = format!("xstr({text})");
            }
            text
        });
        Program { invocations: invocations.collect(), definitions }
    }

    /// The text without the invocations on these lines, counted from 1.
    pub fn text(&self, without: &[usize]) -> String {
        let first = self.definitions.lines().count() + 1;
        let mut text = self.definitions.clone();
        for (idx, invocation) in self.invocations.iter().enumerate() {
            let line = if without.contains(&(first + idx)) { "" } else { invocation };
            writeln!(text, "{line} ;{idx};").expect("a string");
        }
        text
    }

    /// The number of invocations.
    pub fn n_invocations(&self) -> usize {
        self.invocations.len()
    }
}

fn params(one: &Macro) -> String {
    let Some(n_params) = one.n_params else { return String::new() };
    let mut names: Vec<String> = (0..n_params).map(|idx| format!("p{idx}")).collect();
    if one.is_variadic {
        names.push("...".into());
    }
    format!("({})", names.join(", "))
}

/// A replacement list.
fn list(one: &Macro, macros: &[Macro], random: &mut Random) -> String {
    let mut names: Vec<String> = (0..one.n_params.unwrap_or(0)).map(|idx| format!("p{idx}")).collect();
    if one.is_variadic {
        names.push("__VA_ARGS__".into());
    }
    let mut text = String::new();
    for _ in 0..random.below(6) {
        let piece = match random.below(12) {
            0..4 if !names.is_empty() => random.of(&names).clone(),
            4 if !names.is_empty() => format!("#{}", random.of(&names)),
            5 if !names.is_empty() => format!("x ## {}", random.of(&names)),
            6 if !names.is_empty() => format!("{} ## {}", random.of(&names), random.of(&names)),
            7 if one.is_variadic => format!(", ## {}", "__VA_ARGS__"),
            8 if one.is_variadic => format!("__VA_OPT__({} {})", random.of(&WORDS), random.of(&names)),
            9 => random.of(macros).name.clone(),
            10 => call(macros, &names, 1, random),
            _ => (*random.of(&WORDS)).to_owned(),
        };
        // Words are separated, and `#` from what would change its meaning.
        let is_apart =
            text.ends_with([')', '+', '-', '>', '=']) && piece.starts_with(['(', '+', '<', 'x', 'm']);
        if !is_apart || !random.once_in(3) {
            text.push(' ');
        }
        text.push_str(&piece);
    }
    text.trim().to_owned()
}

/// An invocation whose arguments contain invocations, up to a depth.
fn call(macros: &[Macro], names: &[String], depth: usize, random: &mut Random) -> String {
    let one = random.of(macros);
    let Some(n_params) = one.n_params else { return one.name.clone() };
    if random.once_in(8) {
        return one.name.clone();
    }
    let n_args = n_params + if one.is_variadic { random.below(3) } else { 0 };
    let args: Vec<String> = (0..n_args).map(|_| arg(macros, names, depth, random)).collect();
    let mut text = format!("{}({})", one.name, args.join(if random.once_in(2) { "," } else { ", " }));
    if random.once_in(6) {
        text.push_str("(y)");
    }
    text
}

fn arg(macros: &[Macro], names: &[String], depth: usize, random: &mut Random) -> String {
    match random.below(9) {
        0 => String::new(),
        1 => "empty".into(),
        2 => format!("({}, {})", random.of(&WORDS), random.of(&WORDS)),
        3 if !names.is_empty() => random.of(names).clone(),
        4..7 if depth > 0 => call(macros, names, depth - 1, random),
        7 => format!("{} {}", random.of(&WORDS), random.of(&WORDS)),
        _ => (*random.of(&WORDS)).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_one_program() {
        let program = Program::new(7, 20);
        assert_eq!(program.text(&[]), Program::new(7, 20).text(&[]));
        assert_ne!(program.text(&[]), Program::new(8, 20).text(&[]));
        let first = program.text(&[]).lines().count() - 19;
        assert!(program.text(&[first]).contains("\n ;0;\n"));
        assert_eq!(program.n_invocations(), 20);
    }
}
