//! Base classes: what a class inherits, and class templates whose bases are a pack.

use super::Generator;
use super::class::Written;
use super::model::{Class, Func, Kind, Object, Ty, UNSIGNED};

impl Generator {
    /// Gives a class bases, perhaps. None has padding at its end, where `weftc` supports no members of a derived class.
    pub(super) fn add_bases(&mut self, interface: &mut Class) {
        if interface.kind != Kind::Value || !self.chance(25) {
            return;
        }
        let mut found = self.possible_bases();
        for _ in 0..1 + self.random.below(2) {
            if found.is_empty() {
                break;
            }
            let base = *self.random.of(&found);
            // No class is a base twice.
            let all = self.with_bases(base);
            found.retain(|&other| self.with_bases(other).iter().all(|base| !all.contains(base)));
            interface.bases.push(base);
        }
        for &base in &interface.bases {
            for (name, ty) in &self.classes[base].fields {
                let is_own = interface.fields.iter().any(|(own, _)| own == name);
                let has =
                    |other: &&usize| self.classes[**other].fields.iter().any(|(other, _)| other == name);
                if !is_own && interface.bases.iter().filter(has).count() == 1 {
                    interface.inherited.push((format!("this->{name}"), ty.clone()));
                }
            }
        }
    }

    fn possible_bases(&self) -> Vec<usize> {
        let is_possible = |&class: &usize| {
            let Class { fields, kind, bases, spelled, .. } = &self.classes[class];
            let has_no_padding = fields.iter().all(|(_, ty)| *ty == UNSIGNED);
            *kind == Kind::Value
                && has_no_padding
                && bases.len() < 2
                && !spelled.contains("/*")
                && !self.is_dependent(&Ty::Class(class))
        };
        self.visible.iter().copied().filter(is_possible).collect()
    }

    /// A class and all its bases.
    fn with_bases(&self, class: usize) -> Vec<usize> {
        let mut all = vec![class];
        let mut at = 0;
        while at < all.len() {
            all.extend(&self.classes[all[at]].bases);
            at += 1;
        }
        all
    }

    /// The bases in the head of a class.
    pub(super) fn base_list(&self, interface: &Class, word: &str) -> String {
        let access = if word == "class" { "public " } else { "" };
        let bases: Vec<String> =
            interface.bases.iter().map(|&base| format!("{access}{}", self.classes[base].spelled)).collect();
        if bases.is_empty() { String::new() } else { format!(" : {}", bases.join(", ")) }
    }

    /// The initializers of the bases in a constructor.
    pub(super) fn base_inits(&mut self, interface: &Class) -> String {
        let mut inits = String::new();
        for &base in &interface.bases {
            let number = self.number(1);
            let (open, close) = *self.random.of(&[('(', ')'), ('{', '}')]);
            inits += &format!("{}{open}{number}{close}, ", self.classes[base].spelled);
        }
        inits
    }

    /// The initializers of the bases in a copy constructor, and the statements of an assignment.
    pub(super) fn base_copies(&self, interface: &Class) -> (String, String) {
        let spelled = interface.bases.iter().map(|&base| &self.classes[base].spelled);
        let copies = spelled.clone().map(|base| format!("{base}(o), ")).collect();
        let assigned = spelled.map(|base| format!("static_cast<{base} &>(*this) = o; ")).collect();
        (copies, assigned)
    }

    /// Adds member functions of the bases, by `using` or without it.
    pub(super) fn inherit(&mut self, written: &Written<'_>, interface: &Class, adds: bool) {
        let mut inherited: Vec<(usize, Func)> = Vec::new();
        for &base in &interface.bases {
            inherited.extend(self.classes[base].methods.iter().map(|method| (base, method.clone())));
        }
        for (base, method) in &inherited {
            let is_known = interface.methods.iter().any(|own| own.name == method.name);
            if is_known || inherited.iter().filter(|(_, other)| other.name == method.name).count() > 1 {
                continue;
            }
            if self.chance(50) {
                let spelled = &self.classes[*base].spelled;
                self.line(format!("using {spelled}::{};", method.name));
            }
            // A specialization of a template would lack it.
            if adds && written.head.is_empty() {
                self.classes[written.class].methods.push(method.clone());
            }
        }
    }

    /// A variable of a class that has the class as a base.
    pub(super) fn derived_local(&mut self, class: usize) -> Option<String> {
        let derived: Vec<usize> = (0..self.classes.len())
            .filter(|&derived| derived != class && self.with_bases(derived).contains(&class))
            .collect();
        derived.into_iter().find_map(|derived| self.local_of(&Ty::Class(derived), false))
    }

    /// A class template whose base classes are a pack, and an instance.
    pub(super) fn class_of_bases(&mut self) {
        let mut bases: Vec<usize> = Vec::new();
        for base in self.possible_bases() {
            let all = self.with_bases(base);
            let is_new =
                bases.iter().all(|&other| self.with_bases(other).iter().all(|base| !all.contains(base)));
            if is_new && bases.len() < 3 && self.chance(60) {
                bases.push(base);
            }
        }
        if bases.is_empty() {
            return;
        }
        let (name, factor) = (self.name("P"), 1 + self.random.below(9));
        let sum = match self.random.below(3) {
            0 => "(0u + ... + static_cast<unsigned>(static_cast<const Bs &>(*this)))".to_owned(),
            1 => "(static_cast<unsigned>(static_cast<const Bs &>(*this)) ^ ... ^ s)".to_owned(),
            _ => format!("(s + ... + (unsigned(sizeof(Bs)) * {factor}u))"),
        };
        self.line(format!("template <typename... Bs> struct {name} : Bs... {{"));
        self.line("unsigned s;");
        self.line(format!("explicit __device__ {name}(unsigned x) : Bs(x * {factor}u)..., s(x) {{ }}"));
        self.line(format!("__device__ unsigned all() const {{ return {sum}; }}"));
        self.line("explicit __device__ operator unsigned() const { return all() + s; }");
        self.line("};");
        let args: Vec<&str> = bases.iter().map(|&base| &*self.classes[base].spelled).collect();
        let mut class = Class::new(&format!("{}<{}>", self.qualified(&name), args.join(", ")), Kind::Value);
        let (params, result, object) = (Vec::new(), UNSIGNED, Object::Const);
        class.methods.push(Func { name: "all".to_owned(), params, result, object, cost: 20, logs: false });
        class.bases = bases;
        self.classes.push(class);
        self.visible.push(self.classes.len() - 1);
    }
}
