//! Random signatures, as one source for both compilers.
//!
//! Every file has structs and enums, and functions that use them, in the forms in which a signature reaches
//! PTX: a definition, a call of an external function, a call through a pointer, a kernel. The bodies only
//! prevent the compilers from dropping a parameter or a call. The same seed gives the same file.

use std::fmt::Write as _;

use crate::random::Random;

const SCALARS: [&str; 16] = [
    "bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "float",
    "double",
    "double",
];

const N_STRUCTS: usize = 24;
const N_ENUMS: usize = 3;
const MAX_PARAMS: usize = 8;
const MAX_MEMBERS: usize = 5;
/// The maximum size of a struct: eight fit in the 4096 bytes of kernel parameters.
const MAX_SIZE: usize = 320;

/// A file with `n_functions` signatures.
pub fn source(seed: u64, n_functions: usize) -> String {
    let mut generator = Generator { random: Random::new(seed), text: String::new(), sizes: Vec::new() };
    generator.types();
    for idx in 0..n_functions {
        generator.function(idx);
    }
    generator.text
}

struct Generator {
    random: Random,
    text: String,
    /// An upper bound of the size of each struct so far, in bytes.
    sizes: Vec<usize>,
}

/// A type: the text before and after the declared name.
#[derive(Clone, Debug)]
struct Ty {
    before: String,
    after: &'static str,
    /// The struct's index, for one whose values come from a variable.
    structure: Option<usize>,
}

impl Ty {
    fn plain(before: impl Into<String>) -> Ty {
        Ty { before: before.into(), after: "", structure: None }
    }

    fn declare(&self, name: &str) -> String {
        format!("{} {name}{}", self.before, self.after)
    }
}

impl Generator {
    /// Enums, and structs of scalars, pointers, enums, arrays and earlier structs, each with a variable.
    fn types(&mut self) {
        for idx in 0..N_ENUMS {
            self.line(&format!("enum E{idx} {{ A{idx}, B{idx} = {} }};", idx * 100));
        }
        for idx in 0..N_STRUCTS {
            let n_members = 1 + self.random.below(MAX_MEMBERS);
            let mut members = String::new();
            let mut size = 0;
            for member_idx in 0..n_members {
                let ty = self.ty();
                let (dimensions, n_elements) = self.dimensions(&ty);
                let member_size = ty.structure.map_or(8, |idx| self.sizes[idx]) * n_elements;
                if size + member_size <= MAX_SIZE {
                    size += member_size;
                    let declared = ty.declare(&format!("m{member_idx}{dimensions}"));
                    // Writing to a `String` cannot fail.
                    let _ = write!(members, " {declared};");
                }
            }
            if members.is_empty() {
                members.push_str(" char m;");
            }
            self.line(&format!("struct S{idx} {{{members} }};"));
            self.line(&format!("extern __device__ S{idx} s{idx};"));
            self.sizes.push(size.next_multiple_of(8).max(8));
        }
    }

    /// The array dimensions of a member, and the number of its elements.
    fn dimensions(&mut self, ty: &Ty) -> (String, usize) {
        if !ty.after.is_empty() || self.random.below(3) > 0 {
            (String::new(), 1)
        } else if self.random.once_in(3) {
            let (rows, columns) = (1 + self.random.below(3), 1 + self.random.below(3));
            (format!("[{rows}][{columns}]"), rows * columns)
        } else {
            let n = 1 + self.random.below(5);
            (format!("[{n}]"), n)
        }
    }

    fn ty(&mut self) -> Ty {
        match self.random.below(10) {
            0..5 => Ty::plain(*self.random.of(&SCALARS)),
            5 => Ty::plain(format!("E{}", self.random.below(N_ENUMS))),
            6 => self.pointer(),
            _ if self.sizes.is_empty() => Ty::plain(*self.random.of(&SCALARS)),
            _ => {
                let idx = self.random.below(self.sizes.len());
                Ty { before: format!("S{idx}"), after: "", structure: Some(idx) }
            }
        }
    }

    /// A type of a parameter, which can be a reference.
    fn param(&mut self) -> Ty {
        let ty = self.ty();
        if !ty.after.is_empty() || !self.random.once_in(6) {
            return ty;
        }
        let quals = if ty.before.contains('*') { "" } else { *self.random.of(&["", "const ", "volatile "]) };
        Ty::plain(format!("{quals}{} &", ty.before))
    }

    fn pointer(&mut self) -> Ty {
        let to = *self.random.of(&SCALARS);
        match self.random.below(7) {
            0 => Ty::plain("void *"),
            1 => Ty::plain(format!("const {to} *")),
            2 => Ty::plain(format!("{to} **")),
            3 => Ty { before: format!("{to} (*"), after: ")[3]", structure: None },
            4 => Ty { before: format!("{to} (*"), after: ")(int, const char *)", structure: None },
            5 if !self.sizes.is_empty() => Ty::plain(format!("S{} *", self.random.below(self.sizes.len()))),
            _ => Ty::plain(format!("{to} *")),
        }
    }

    /// One signature, in one of the forms.
    fn function(&mut self, idx: usize) {
        let n_params = self.random.below(MAX_PARAMS + 1);
        let params: Vec<Ty> = (0..n_params).map(|_| self.param()).collect();
        let returns = if self.random.once_in(6) { Ty::plain("void") } else { self.returned() };
        let named: Vec<String> =
            params.iter().enumerate().map(|(idx, ty)| ty.declare(&format!("p{idx}"))).collect();
        let (named, arguments) = (named.join(", "), arguments(n_params));
        let result = if returns.before == "void" { "" } else { "return " };
        let linkage = if self.random.once_in(3) { "extern \"C\" " } else { "" };
        let before = &returns.before;
        match self.random.below(4) {
            0 => {
                let value = match (before.as_str(), returns.structure) {
                    ("void", _) => String::new(),
                    (_, Some(structure)) => format!("return s{structure}; "),
                    (reference, None) if reference.ends_with('&') => {
                        format!("return *({} *)0; ", reference.trim_end_matches('&'))
                    }
                    (_, None) => format!("return ({before})0; "),
                };
                self.line(&format!("{linkage}__device__ {before} f{idx}({named}) {{ {value}}}"));
            }
            1 => {
                self.line(&format!("{linkage}__device__ {before} x{idx}({named});"));
                self.line(&format!("__device__ {before} f{idx}({named}) {{ {result}x{idx}({arguments}); }}"));
            }
            2 => {
                let separator = if n_params == 0 { "" } else { ", " };
                self.line(&format!(
                    "__device__ {before} f{idx}({before} (*callee)({named}){separator}{named}) \
                     {{ {result}callee({arguments}); }}"
                ));
            }
            _ => self.line(&format!("{linkage}__global__ void k{idx}({named}) {{ }}")),
        }
    }

    /// A return type without a part after the function's name.
    fn returned(&mut self) -> Ty {
        loop {
            let ty = self.param();
            if ty.after.is_empty() {
                return ty;
            }
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

fn arguments(n_params: usize) -> String {
    (0..n_params).map(|idx| format!("p{idx}")).collect::<Vec<_>>().join(", ")
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
    fn every_shape_and_type_occurs() {
        let text = source(1, 400);
        let pieces = SCALARS.iter().copied().chain([
            "__global__",
            "(*callee)",
            " x",
            "extern \"C\"",
            "void *",
            ")[3]",
        ]);
        for piece in pieces {
            assert!(text.contains(piece), "{piece}");
        }
    }
}
