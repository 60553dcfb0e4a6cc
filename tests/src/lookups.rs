//! Random programs of namespaces, each in a namespace of its own, and lookups of their names.
//!
//! What a name means shows in its size, since each variable, function's result and type has one of its own. A line is a declaration or a
//! lookup, and can be left out. The same seed gives the same lines.

use std::collections::{BTreeMap, BTreeSet};

use crate::random::Random;

/// A line of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its text, without the line break.
    pub text: String,
    /// Which program it is of. Programs do not see one another.
    pub program: usize,
    /// The number of the lookup, if it is one.
    pub lookup: Option<usize>,
}

/// Names of variables, functions and types: which has which differs from namespace to namespace.
const NAMES: [&str; 5] = ["x", "f", "g", "S", "T"];

/// Names of namespaces.
const NAMESPACES: [&str; 3] = ["A", "B", "C"];

const MAX_DEPTH: usize = 3;

/// The lines of so many programs.
pub fn lines(seed: u64, n_programs: usize) -> Vec<Line> {
    let mut generator = Generator {
        random: Random::new(seed),
        lines: Vec::new(),
        scopes: BTreeMap::new(),
        objects: Vec::new(),
        paths: Vec::new(),
        shorts: BTreeSet::new(),
        declared: Vec::new(),
        program: 0,
        n_sizes: 0,
        n_lookups: 0,
    };
    for program in 0..n_programs {
        let name = format!("w{program}");
        generator.program = program;
        generator.objects.clear();
        generator.declared.clear();
        generator.paths = vec![format!("::{name}")];
        generator.line(format!("namespace {name} {{"));
        generator.members(&[name], 0);
        generator.lookup();
        generator.line("}".to_owned());
    }
    generator.lines
}

/// The source, without some of the lines, which are numbered from 0; the others keep their places.
pub fn source(lines: &[Line], left_out: &BTreeSet<usize>) -> String {
    let text = |(idx, line): (usize, &Line)| match left_out.contains(&idx) {
        true => "\n".to_owned(),
        false => format!("{}\n", line.text),
    };
    lines.iter().enumerate().map(text).collect()
}

/// What the lookups found, by the PTX: the sizes, by the number of the lookup.
pub fn found(ptx: &str) -> BTreeMap<usize, String> {
    let found = |line: &str| {
        let (head, value) = line.strip_suffix(';')?.split_once(" = ")?;
        let (_, number) = head.split_whitespace().last()?.rsplit_once("found_")?;
        Some((number.parse().ok()?, value.to_owned()))
    };
    ptx.lines().filter_map(found).collect()
}

/// What a namespace has declared by a name itself.
#[derive(Default)]
struct Declared {
    /// The parameters of its functions.
    params: BTreeSet<String>,
    is_variable: bool,
    is_struct: bool,
    is_typedef: bool,
}

/// The names that a namespace has declared itself.
#[derive(Default)]
struct Scope {
    names: BTreeMap<&'static str, Declared>,
    /// Whether each namespace in it is inline.
    inner: BTreeMap<&'static str, bool>,
}

struct Generator {
    random: Random,
    lines: Vec<Line>,
    /// By the names of the namespaces around and their own; that of an unnamed one is empty.
    scopes: BTreeMap<Vec<String>, Scope>,
    /// Objects of types of namespaces, and the types, with absolute names.
    objects: Vec<(String, String)>,
    /// Absolute names of the program's namespaces.
    paths: Vec<String>,
    /// The names of those that are neither inline nor unnamed, without such ones around them; those of inline ones in the same place.
    shorts: BTreeSet<String>,
    /// What namespaces have declared: their absolute names, and the names of members.
    declared: Vec<(String, &'static str)>,
    program: usize,
    n_sizes: usize,
    n_lookups: usize,
}

impl Generator {
    fn line(&mut self, text: String) {
        self.lines.push(Line { text, program: self.program, lookup: None });
    }

    fn size(&mut self) -> usize {
        self.n_sizes += 1;
        self.n_sizes
    }

    /// The absolute name of a namespace: unnamed ones need none.
    fn absolute(path: &[String]) -> String {
        path.iter().filter(|name| !name.is_empty()).map(|name| format!("::{name}")).collect()
    }

    /// The name without those of inline and unnamed namespaces.
    fn short(&self, path: &[String]) -> String {
        let is_plain = |at: &usize| {
            let scope = self.scopes.get(&path[..*at]);
            *at == 0 || scope.and_then(|scope| scope.inner.get(path[*at].as_str())) == Some(&false)
        };
        let plain = (0..path.len()).filter(is_plain).filter(|&at| !path[at].is_empty());
        plain.map(|at| format!("::{}", path[at])).collect()
    }

    fn members(&mut self, path: &[String], depth: usize) {
        for _ in 0..3 + self.random.below(5) {
            match self.random.below(10) {
                0..=2 => self.entity(path),
                3 | 4 if depth < MAX_DEPTH => self.namespace(path, depth),
                5 => self.object(path),
                6 => {
                    // What is unknown is the host's outside of functions.
                    let using = self.using(true);
                    self.line(using);
                }
                7 if self.random.once_in(3) => {
                    let target = self.random.of(&self.paths).clone();
                    self.line(format!("namespace N = {target};"));
                }
                _ => self.lookup(),
            }
        }
    }

    fn namespace(&mut self, path: &[String], depth: usize) {
        let is_unnamed = self.random.once_in(6);
        let name = if is_unnamed { "" } else { *self.random.of(&NAMESPACES) };
        let is_new_inline = self.random.once_in(4);
        let inner = [path, &[name.to_owned()]].concat();
        let known = self.scopes.get(path).and_then(|scope| scope.inner.get(name)).copied();
        let is_inline = known.unwrap_or(is_new_inline && !is_unnamed);
        // No two have a name in common, with inline and unnamed ones left out or not.
        if known.is_none() && !is_unnamed && !self.shorts.insert(self.short(path) + "::" + name) {
            return;
        }
        self.scopes.entry(path.to_vec()).or_default().inner.insert(name, is_inline);
        let absolute = Self::absolute(&inner);
        if !self.paths.contains(&absolute) {
            self.paths.push(absolute);
        }
        self.line(format!("{}namespace {name} {{", if is_inline { "inline " } else { "" }));
        self.members(&inner, depth + 1);
        self.line("}".to_owned());
    }

    /// A variable, function or type. A struct may share its name with a variable or functions.
    fn entity(&mut self, path: &[String]) {
        let name = *self.random.of(&NAMES);
        let param = match self.random.below(4) {
            0 => "int".to_owned(),
            1 => "float".to_owned(),
            _ if self.objects.is_empty() => "int".to_owned(),
            _ => self.random.of(&self.objects).1.clone(),
        };
        let (kind, size) = (self.random.below(8), self.size());
        let scope = self.scopes.entry(path.to_vec()).or_default();
        if scope.inner.contains_key(name) {
            return;
        }
        let declared = scope.names.entry(name).or_default();
        let is_ordinary = declared.is_variable || declared.is_typedef;
        let text = match kind {
            0..=3 if !is_ordinary && declared.params.insert(param.clone()) => {
                format!("__device__ char (&{name}({param}))[{size}];")
            }
            4 | 5 if !is_ordinary && declared.params.is_empty() => {
                declared.is_variable = true;
                format!("__device__ char {name}[{size}];")
            }
            6 if !declared.is_struct && !declared.is_typedef => {
                declared.is_struct = true;
                format!("struct {name} {{ char c[{size}]; }};")
            }
            7 if !is_ordinary && declared.params.is_empty() && !declared.is_struct => {
                declared.is_typedef = true;
                format!("using {name} = char[{size}];")
            }
            _ => return,
        };
        self.declared.push((Self::absolute(path), name));
        self.line(text);
    }

    /// A type of the namespace and an object of it, for which functions of the namespace are found.
    fn object(&mut self, path: &[String]) {
        let (number, size) = (self.size(), self.size());
        let absolute = Self::absolute(path);
        self.line(format!(
            "struct Tag{number} {{ char c[{size}]; }}; extern __device__ Tag{number} t{number};"
        ));
        self.objects.push((format!("{absolute}::t{number}"), format!("{absolute}::Tag{number}")));
    }

    /// The absolute name of a namespace, and a name, mostly of something that it has.
    fn member(&mut self) -> (String, &'static str) {
        match self.declared.is_empty() || self.random.once_in(4) {
            true => (self.random.of(&self.paths).clone(), *self.random.of(&NAMES)),
            false => self.random.of(&self.declared).clone(),
        }
    }

    /// A name of a namespace: absolute, from the program's on, from any on, or another name of something.
    fn qualifier(&mut self, absolute: &str) -> String {
        let names: Vec<&str> = absolute.split("::").skip(1).collect();
        match self.random.below(5) {
            0 | 1 => absolute.to_owned(),
            2 => names.join("::"),
            3 => names[self.random.below(names.len())..].join("::"),
            _ => (*self.random.of(&["A", "B", "C", "N"])).to_owned(),
        }
    }

    /// A directive or declaration, of a namespace with an absolute name or one of some other kind.
    fn using(&mut self, is_absolute: bool) -> String {
        let (absolute, name) = self.member();
        let qualifier = if is_absolute { absolute } else { self.qualifier(&absolute) };
        match self.random.once_in(2) {
            true => format!("using namespace {qualifier};"),
            false => format!("using {qualifier}::{name};"),
        }
    }

    fn lookup(&mut self) {
        let number = self.n_lookups;
        self.n_lookups += 1;
        let mut before = String::new();
        for _ in 0..self.random.below(3) {
            let size = self.size();
            let name = *self.random.of(&NAMES);
            before += &match self.random.below(8) {
                0 => format!("char {name}[{size}]; "),
                1 => format!("struct {name} {{ char c[{size}]; }}; "),
                2 => format!("__device__ char (&{name}(int))[{size}]; "),
                3 => {
                    let (absolute, _) = self.member();
                    format!("namespace N = {}; ", self.qualifier(&absolute))
                }
                4 => format!("{{ {} }} ", self.using(false)),
                _ => self.using(false) + " ",
            };
        }
        let (absolute, name) = self.member();
        let qualified = match self.random.once_in(2) {
            true => format!("{}::{name}", self.qualifier(&absolute)),
            false => name.to_owned(),
        };
        let what = match self.random.below(8) {
            0 | 1 => qualified,
            2 => format!("{qualified}(1)"),
            3 => format!("{name}(1.0f)"),
            4 => format!("struct {name}"),
            _ if self.objects.is_empty() => name.to_owned(),
            5 => format!("{qualified}({})", self.random.of(&self.objects).0),
            6 => format!("({name})({})", self.random.of(&self.objects).0),
            _ => format!("{name}({})", self.random.of(&self.objects).0),
        };
        let text = format!(
            "__device__ int lookup_{number}() {{ {before}static __device__ volatile int found_{number} = sizeof({what}); return found_{number}; }}"
        );
        self.lines.push(Line { text, program: self.program, lookup: Some(number) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides() {
        assert_eq!(lines(7, 20), lines(7, 20));
        assert_ne!(lines(7, 20), lines(8, 20));
        let with_lookups: BTreeSet<usize> =
            lines(7, 20).iter().filter(|line| line.lookup.is_some()).map(|line| line.program).collect();
        assert_eq!(with_lookups, (0..20).collect());
    }

    #[test]
    fn what_was_found_is_the_value_of_a_variable() {
        let ptx = ".global .align 4 .u32 _ZZ8lookup_7E7found_7 = 12;\n.global .u32 other = 3;\n";
        assert_eq!(found(ptx), BTreeMap::from([(7, "12".to_owned())]));
    }
}
