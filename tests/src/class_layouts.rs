//! Random classes with bases, on whose layouts both compilers must agree (Itanium C++ ABI 2.4).
//!
//! A file has classes of scalars, arrays, bit-fields, references and earlier classes, with up to three bases, many of them empty, with every
//! mix of access specifiers and of special members: constructors, assignments and destructors decide whether members of derived classes lie
//! in the padding of a class. For each one its size, its alignment, and the offsets of its public members and of those of its bases. The
//! same seed gives the same file.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;

const SCALARS: [&str; 12] = [
    "bool",
    "char",
    "signed char",
    "short",
    "int",
    "unsigned",
    "long",
    "long long",
    "float",
    "double",
    "int *",
    "__int128",
];
/// The types of bit-fields, with their bits.
const UNITS: [(&str, usize); 6] =
    [("bool", 1), ("char", 8), ("short", 16), ("int", 32), ("unsigned", 32), ("long long", 64)];
const ALIGNMENTS: [usize; 4] = [2, 4, 8, 16];
/// What a class may say of its objects, of each line one at most; `C` is its name.
const SPECIALS: [&[&str]; 7] = [
    &["__device__ C();", "C() = default;", "explicit C() = default;", "C() = delete;"],
    &["__device__ C(int);", "template <class T> __device__ C(T *);"],
    &["__device__ C(const C &);", "C(const C &) = default;", "C(const C &) = delete;"],
    &["__device__ C &operator=(const C &);", "C &operator=(const C &) = default;"],
    &["__device__ C &operator=(int);", "__device__ C &operator=(C &&);", "C &operator=(C &&) = default;"],
    &["__device__ ~C();", "~C() = default;"],
    &["__device__ operator int();"],
];
const MAX_MEMBERS: usize = 4;
const MAX_BASES: usize = 3;
/// The maximum nesting of classes in others.
const MAX_DEPTH: usize = 5;

/// A class so far.
struct Class {
    /// It and all that it is derived from.
    family: BTreeSet<usize>,
    /// The names of members that are public in it, of its bases, too.
    names: Vec<String>,
    depth: usize,
}

struct Generator {
    random: Random,
    text: String,
    classes: Vec<Class>,
    n_members: usize,
}

/// A file with `n_classes` classes.
pub fn source(seed: u64, n_classes: usize) -> String {
    let mut generator =
        Generator { random: Random::new(seed), text: String::new(), classes: Vec::new(), n_members: 0 };
    for idx in 0..n_classes {
        generator.class(idx);
    }
    generator.text
}

impl Generator {
    // Writing to a `String` cannot fail.
    fn class(&mut self, idx: usize) {
        let mut class = Class { family: BTreeSet::from([idx]), names: Vec::new(), depth: 1 };
        let bases = self.bases(&mut class);
        let word = if self.random.once_in(4) { "class" } else { "struct" };
        let align = match self.random.once_in(8) {
            true => format!("__attribute__((aligned({}))) ", self.random.of(&ALIGNMENTS)),
            false => String::new(),
        };
        let mut body = String::new();
        let mut is_public = word == "struct";
        // Empty classes are what is special about bases.
        let n_members = if self.random.once_in(3) { 0 } else { 1 + self.random.below(MAX_MEMBERS) };
        for _ in 0..n_members {
            if self.random.once_in(3) {
                let access = *self.random.of(&["public", "public", "protected", "private"]);
                is_public = access == "public";
                let _ = write!(body, " {access}:");
            }
            self.member(&mut class, &mut body, is_public);
        }
        body.push_str(" public:");
        for choices in SPECIALS {
            if self.random.once_in(8) {
                let special = *self.random.of(choices);
                let _ = write!(body, " {}", special.replace('C', &format!("C{idx}")));
            }
        }
        let _ = writeln!(self.text, "{word} {align}C{idx}{bases} {{{body} }};");
        let offsets: String =
            class.names.iter().map(|name| format!(", __builtin_offsetof(C{idx}, {name})")).collect();
        let _ = writeln!(
            self.text,
            "__device__ unsigned long layout{idx}[] = {{sizeof(C{idx}), alignof(C{idx}){offsets}}};"
        );
        self.classes.push(class);
    }

    /// The list of bases: no class is a base twice.
    fn bases(&mut self, class: &mut Class) -> String {
        let mut list = Vec::new();
        for _ in 0..self.random.below(MAX_BASES + 1) {
            if self.classes.is_empty() {
                break;
            }
            // Near ones are derived from others themselves.
            let n_near = self.classes.len().min(12);
            let idx = self.classes.len() - 1 - self.random.below(n_near);
            let base = &self.classes[idx];
            if base.depth >= MAX_DEPTH || !base.family.is_disjoint(&class.family) {
                continue;
            }
            class.family.extend(base.family.iter().copied());
            class.depth = class.depth.max(base.depth + 1);
            let access = *self.random.of(&["public ", "public ", "public ", "protected ", "private "]);
            if access == "public " {
                class.names.extend(base.names.iter().cloned());
            }
            list.push(format!("{access}C{idx}"));
        }
        if list.is_empty() { String::new() } else { format!(" : {}", list.join(", ")) }
    }

    fn member(&mut self, class: &mut Class, body: &mut String, is_public: bool) {
        self.n_members += 1;
        let name = format!("m{}", self.n_members);
        let mut has_offset = true;
        let _ = match self.random.below(10) {
            0..2 => {
                has_offset = false;
                let (ty, bits) = *self.random.of(&UNITS);
                match self.random.below(8) {
                    0 => write!(body, " {ty} : 0;"),
                    1 => write!(body, " {ty} : {};", 1 + self.random.below(bits)),
                    _ => write!(body, " {ty} {name} : {};", 1 + self.random.below(bits)),
                }
            }
            2..5 if !self.classes.is_empty() => {
                let n_near = self.classes.len().min(12);
                let idx = self.classes.len() - 1 - self.random.below(n_near);
                let depth = self.classes[idx].depth;
                if depth < MAX_DEPTH {
                    class.depth = class.depth.max(depth + 1);
                    let dimension = if self.random.once_in(4) { "[2]" } else { "" };
                    write!(body, " ::C{idx} {name}{dimension};")
                } else {
                    write!(body, " char {name};")
                }
            }
            5 => {
                has_offset = false;
                write!(body, " union {{ int {name}; char {name}c; }};")
            }
            6 => {
                has_offset = false;
                match self.random.once_in(2) {
                    true => write!(body, " int &{name};"),
                    false => write!(body, " int {name} = 3;"),
                }
            }
            _ => {
                let ty = *self.random.of(&SCALARS);
                let dimension = if self.random.once_in(4) { "[3]" } else { "" };
                write!(body, " {ty} {name}{dimension};")
            }
        };
        if has_offset && is_public {
            class.names.push(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides() {
        assert_eq!(source(5, 30), source(5, 30));
        assert_ne!(source(5, 30), source(6, 30));
    }

    #[test]
    fn every_shape_occurs() {
        let text = source(1, 300);
        for shape in
            [", public C", "private C", " : 0;", "aligned", " union {", "~C", "&operator=", "[2];", "int &m"]
        {
            assert!(text.contains(shape), "{shape}");
        }
    }
}
