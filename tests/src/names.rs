//! Random declarations whose symbols both compilers must make, as one source.
//!
//! Where [`signature`](crate::signature) varies what the calling sequence depends on, this varies
//! what a C++ name does: pointers, qualifiers at every depth, arrays, functions within functions,
//! typedef names, tags, and variables of one name in one function. The same seed gives the same
//! file.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;

const PRELUDE: &str = "\
struct P { int x; };
struct Forward;
union U { int i; float f; };
enum E { A, B };
typedef struct { int q; } Unnamed;
typedef enum { C, D } Chosen;
typedef float real;
typedef const int cint;
typedef int row[4];
typedef P *ptr;
typedef int fn(int, const P *);
typedef void (*handler)(int, ...);
";

const SCALARS: [&str; 17] = [
    "bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "real",
    "cint",
];

const TAGGED: [&str; 9] = ["P", "struct P", "U", "E", "Unnamed", "Chosen", "dim3", "uint3", "ptr"];

/// How deep a type goes at most.
const MAX_DEPTH: usize = 5;

/// A file with `n_functions` functions, each with a name of its own.
pub fn source(seed: u64, n_functions: usize) -> String {
    let mut generator = Generator { random: Random::new(seed), text: PRELUDE.to_owned() };
    for idx in 0..n_functions {
        generator.function(idx);
        generator.variable(idx);
    }
    generator.text
}

/// The symbols of functions, kernels and variables in a PTX text that do not depend on the file's
/// name, as nvcc's internal ones do.
pub fn symbols(ptx: &str) -> BTreeSet<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let mut found = BTreeSet::new();
    for line in ptx.lines() {
        let words: Vec<&str> = line.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect();
        let declares = [".func", ".entry", ".global", ".const", ".shared"];
        if line.split_whitespace().any(|word| declares.contains(&word)) {
            let is_ours = |word: &&&str| word.starts_with("_Z") || word.starts_with("name_");
            found.extend(
                words.iter().filter(is_ours).filter(|word| !word.contains("_param_")).map(|&w| w.to_owned()),
            );
        }
    }
    found
}

struct Generator {
    random: Random,
    text: String,
}

enum Ty {
    /// With its qualifiers.
    Base(String),
    Pointer(Box<Ty>, &'static str),
    Array(Box<Ty>, usize),
    Func(Box<Ty>, Vec<Ty>, bool),
}

impl Ty {
    /// The declaration of `name`.
    fn declare(&self, name: &str) -> String {
        match self {
            Ty::Base(text) => format!("{text} {name}"),
            Ty::Pointer(to, quals) => {
                let inner = format!("*{quals} {name}");
                match **to {
                    Ty::Array(..) | Ty::Func(..) => to.declare(&format!("({inner})")),
                    Ty::Base(_) | Ty::Pointer(..) => to.declare(&inner),
                }
            }
            Ty::Array(elem, len) => elem.declare(&format!("{name}[{len}]")),
            Ty::Func(ret, params, variadic) => {
                let mut list: Vec<String> = params.iter().map(|param| param.declare("")).collect();
                list.extend(variadic.then(|| "...".to_owned()));
                ret.declare(&format!("{name}({})", list.join(", ")))
            }
        }
    }
}

impl Generator {
    fn function(&mut self, idx: usize) {
        let n_params = self.random.below(8);
        let mut params: Vec<Ty> = Vec::new();
        for _ in 0..n_params {
            let ty = self.param(MAX_DEPTH);
            params.push(ty);
        }
        let named: Vec<String> =
            params.iter().enumerate().map(|(idx, ty)| ty.declare(&format!("p{idx}"))).collect();
        let head = match self.random.below(8) {
            0 => "__global__ void",
            1 => "extern \"C\" __device__ int",
            _ => "__device__ int",
        };
        let result = if head.ends_with("int") { " return a;" } else { "" };
        // Each block adds to `a`, so that neither compiler leaves a variable out.
        let mut body = "volatile int a = 0;".to_owned();
        for _ in 0..self.random.below(4) {
            let name = if self.random.once_in(2) { "x" } else { "count" };
            let storage = if self.random.once_in(3) { "__shared__" } else { "static __device__" };
            let _ = write!(body, " {{ {storage} volatile int {name}; {name} = a; a = {name} + 1; }}");
        }
        let _ = writeln!(self.text, "{head} name_{idx}({}) {{ {body}{result} }}", named.join(", "));
    }

    /// A variable of the file.
    fn variable(&mut self, idx: usize) {
        let space = *self.random.of(&["__device__ int", "__constant__ int", "extern \"C\" { __device__ int"]);
        let close = if space.contains('{') { " }" } else { "" };
        let _ = writeln!(self.text, "{space} name_v{idx};{close}");
    }

    /// What a parameter can have.
    fn param(&mut self, depth: usize) -> Ty {
        match self.random.below(12) {
            0 => Ty::Array(Box::new(self.object(depth - 1)), 1 + self.random.below(9)),
            1 => self.func(depth - 1),
            2 => Ty::Base("handler".to_owned()),
            _ => self.object(depth),
        }
    }

    /// A type of complete objects that is no array.
    fn object(&mut self, depth: usize) -> Ty {
        if depth == 0 || self.random.once_in(3) {
            return self.base();
        }
        let to = self.pointee(depth - 1);
        let to_object = match &to {
            Ty::Base(name) => name != "fn",
            Ty::Func(..) => false,
            Ty::Pointer(..) | Ty::Array(..) => true,
        };
        // A pointer to a function may not be qualified by `restrict`.
        let quals: &[&str] = if to_object {
            &["", "", "", " const", " volatile", " const volatile", " __restrict__", " const __restrict__"]
        } else {
            &["", "", " const", " volatile"]
        };
        let quals = *self.random.of(quals);
        Ty::Pointer(Box::new(to), quals)
    }

    fn pointee(&mut self, depth: usize) -> Ty {
        if depth == 0 {
            return self.base();
        }
        match self.random.below(9) {
            0 => Ty::Array(Box::new(self.object(depth - 1)), 1 + self.random.below(20)),
            1 => {
                let inner = Ty::Array(Box::new(self.object(depth - 1)), 1 + self.random.below(3));
                Ty::Array(Box::new(inner), 2)
            }
            2 => self.func(depth - 1),
            3 => Ty::Base(format!("{}void", self.quals())),
            4 => Ty::Base(format!("{}Forward", self.quals())),
            5 => Ty::Base((*self.random.of(&["row", "const row", "fn"])).to_owned()),
            _ => self.object(depth),
        }
    }

    fn func(&mut self, depth: usize) -> Ty {
        let ret = if depth == 0 || self.random.once_in(3) {
            Ty::Base("void".to_owned())
        } else {
            self.object(depth - 1)
        };
        let n_params = self.random.below(4);
        let params = (0..n_params).map(|_| self.object(depth.saturating_sub(1))).collect();
        Ty::Func(Box::new(ret), params, self.random.once_in(6))
    }

    fn base(&mut self) -> Ty {
        let name = if self.random.once_in(3) { *self.random.of(&TAGGED) } else { *self.random.of(&SCALARS) };
        Ty::Base(format!("{}{name}", self.quals()))
    }

    fn quals(&mut self) -> &'static str {
        self.random.of::<&str>(&["", "", "", "", "const ", "volatile ", "const volatile "])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides() {
        assert_eq!(source(7, 40), source(7, 40));
        assert_ne!(source(7, 40), source(8, 40));
    }

    #[test]
    fn symbols_are_those_that_are_declared() {
        let ptx = "\
.visible .func  (.param .b32 func_retval0) _Z6name_0i(
\t.param .b32 _Z6name_0i_param_0
.global .align 4 .u32 _ZZ6name_0iE1x = 1;
.visible .const .align 4 .u32 name_v0;
\t.shared .align 4 .u32 _ZZ6name_0iE1x_0;
\tcall.uni _Z5otherv, ();
\tld.global.u32 %r1, [_ZZ6name_0iE1y];
";
        let expected = ["_Z6name_0i", "_ZZ6name_0iE1x", "_ZZ6name_0iE1x_0", "name_v0"];
        assert!(symbols(ptx).iter().map(String::as_str).eq(expected));
    }
}
