//! Random programs of C++17: classes, templates, lambdas and what goes with them, each in a namespace of its own.
//!
//! A program has a function `run` of two numbers. What it computes is defined: numbers are unsigned, loops end, no operands depend on each
//! other's effects, and what constructors, assignments and destructors write goes to a log, in an order that C++17 says. Nearly
//! all programs are well-formed; the host's compiler says which. A line can be left out, to find the fault. The same seed gives the same
//! programs.

mod base;
mod class;
mod expression;
mod function;
mod lambda;
mod model;
mod reduce;
mod statement;
mod storage;
mod template;
mod tracked;

pub use reduce::reduce;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;
use model::{Class, ClassTemplate, Func, FuncTemplate, Local};

/// The kernel of each program has so many threads, each of which writes what `run` computes of its numbers.
pub const N_THREADS: usize = 4;

/// About so many statements a function may execute.
const MAX_COST: u64 = 2000;

/// The lines of a program.
pub type Program = Vec<String>;

/// What all programs use.
const PRELUDE: &str = "\
template <typename A, typename B> struct same { static constexpr bool value = false; };
template <typename A> struct same<A, A> { static constexpr bool value = true; };
";

/// The text for the host's compiler: `main` prints what the programs compute.
const HOST: &str = "\
#include <initializer_list>
#include <new>
#define __device__
#define __host__
#define __global__
#define __noinline__
";

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut generator = Generator {
        random: Random::new(seed),
        lines: Vec::new(),
        n_names: 0,
        classes: Vec::new(),
        visible: Vec::new(),
        enums: Vec::new(),
        funcs: Vec::new(),
        class_templates: Vec::new(),
        func_templates: Vec::new(),
        constants: Vec::new(),
        locals: Vec::new(),
        specialized: Vec::new(),
        type_param: None,
        no_lambdas: false,
        ranges: Vec::new(),
        has_log: false,
        within: Vec::new(),
        cost: 0,
        times: 1,
    };
    generator.program();
    generator.lines
}

/// The text for device compilers, and the number of the first line of each program, from 1 on.
pub fn device_text(programs: &[(usize, &Program)]) -> String {
    let mut text = in_namespaces(programs);
    for (number, _) in programs {
        let _ = writeln!(
            text,
            "extern \"C\" __global__ void kernel_{number}(unsigned *out) {{ unsigned t = threadIdx.x; \
             out[t] = p{number}::run(t * 2654435761u + {number}u, t * t + 3u); }}"
        );
    }
    text
}

/// The text for the host, which prints a line for each program.
pub fn host_text(programs: &[(usize, &Program)]) -> String {
    let mut text = format!("{HOST}{}", in_namespaces(programs));
    text.push_str("#include <cstdio>\n#include <cstdlib>\nint main(int, char **arguments) { switch (atoi(arguments[1])) {\n");
    for (number, _) in programs {
        let _ = writeln!(
            text,
            "case {number}: for (unsigned t = 0; t < {N_THREADS}; ++t) \
             printf(\"%u \", p{number}::run(t * 2654435761u + {number}u, t * t + 3u)); break;"
        );
    }
    text + "} }\n"
}

fn in_namespaces(programs: &[(usize, &Program)]) -> String {
    let mut text = PRELUDE.to_owned();
    for (number, lines) in programs {
        let _ = writeln!(text, "namespace p{number} {{ // program {number}\n{}\n}}", lines.join("\n"));
    }
    text
}

/// The programs that messages are about, by the lines of a text.
pub fn programs_at(text: &str, lines: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut program = None;
    for (idx, line) in text.lines().enumerate() {
        if let Some((_, number)) = line.split_once("{ // program ") {
            program = number.parse().ok();
        }
        if let (true, Some(program)) = (lines.contains(&(idx + 1)), program) {
            found.insert(program);
        }
    }
    found
}

struct Generator {
    random: Random,
    lines: Vec<String>,
    n_names: usize,
    classes: Vec<Class>,
    /// The classes that can be named here.
    visible: Vec<usize>,
    /// Scoped enums, all of which have an `A`.
    enums: Vec<String>,
    funcs: Vec<Func>,
    class_templates: Vec<ClassTemplate>,
    func_templates: Vec<FuncTemplate>,
    /// Names of constants, of type `unsigned`.
    constants: Vec<String>,
    locals: Vec<Local>,
    /// Specializations of class templates.
    specialized: Vec<String>,
    /// Whether an expression is in no function, where a lambda expression cannot be.
    no_lambdas: bool,
    /// Objects that a loop can take, as expressions with `#` for a number.
    ranges: Vec<String>,
    /// The type parameter of the template that is written.
    type_param: Option<&'static str>,
    /// Whether `log` can be named.
    has_log: bool,
    /// The names of the namespaces within the program's.
    within: Vec<String>,
    /// About how many statements the function executes so far.
    cost: u64,
    /// How often the current statement is executed.
    times: u64,
}

impl Generator {
    fn program(&mut self) {
        self.constants();
        for _ in 0..4 + self.random.below(8) {
            let opens = self.within.is_empty() && self.random.once_in(8);
            if opens {
                let name = self.name("n");
                let word = if self.random.once_in(3) { "inline " } else { "" };
                self.line(format!("{word}namespace {name} {{"));
                self.within.push(name);
            }
            match self.random.below(19) {
                0..=3 => self.class(),
                4..=6 => self.class_template(),
                7 | 8 => self.function(false),
                9 => self.overloads(),
                10..=12 => self.function_template(),
                13 => self.tracked(),
                14 => self.function(true),
                15 => self.range_class(),
                16 => self.class_of_bases(),
                17 => self.class(),
                _ => self.constants(),
            }
            if opens {
                self.line("}".to_owned());
                self.within.pop();
            }
        }
        if !self.classes.iter().any(|class| class.kind == model::Kind::Tracked) && self.random.once_in(2) {
            self.tracked();
        }
        self.run();
    }

    /// A new name, which begins with a letter.
    fn name(&mut self, letter: &str) -> String {
        self.n_names += 1;
        format!("{letter}{}", self.n_names)
    }

    /// A name of the namespace, as it is named anywhere.
    fn qualified(&self, name: &str) -> String {
        self.within.iter().map(|space| format!("{space}::")).collect::<String>() + name
    }

    fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    /// Whether there is room for so many more statements, which count from now on.
    fn affords(&mut self, cost: u64) -> bool {
        let all = self.cost + cost * self.times;
        if all <= MAX_COST {
            self.cost = all;
        }
        all <= MAX_COST
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides() {
        assert_eq!(program(7), program(7));
        assert_ne!(program(7), program(8));
    }

    #[test]
    fn lines_belong_to_programs() {
        let (one, two) = (program(1), program(2));
        let text = device_text(&[(1, &one), (2, &two)]);
        let line = text.lines().position(|line| line == two[0]).expect("it is there") + 1;
        assert_eq!(programs_at(&text, &BTreeSet::from([line])), BTreeSet::from([2]));
    }
}
