//! Objects that `new` makes, in the heap or in place, and objects that loops take.

use super::Generator;
use super::model::{Kind, Local, Ty, UNSIGNED, What};

impl Generator {
    /// A class with `begin` and `end`.
    pub(super) fn range_class(&mut self) {
        let (iterator, name, step) = (self.name("I"), self.name("R"), 1 + self.random.below(7));
        match self.random.below(3) {
            0 => {
                self.line(format!("template <typename T> struct {name} {{"));
                self.line("T x[3];");
                self.line(format!(
                    "explicit __device__ {name}(unsigned v) : x{{T(v), T(v + {step}u), T(3)}} {{ }}"
                ));
                self.line("__device__ const T *begin() const { return x; }");
                self.line("__device__ const T *end() const { return x + 3; }");
                self.line("};");
                let ty = *self.random.of(&["unsigned", "unsigned short", "unsigned long long"]);
                self.ranges.push(format!("{}<{ty}>(#)", self.qualified(&name)));
                return;
            }
            form => {
                self.line(format!("struct {iterator} {{"));
                self.line("unsigned at;");
                self.line(format!("__device__ unsigned operator*() const {{ return at * {step}u; }}"));
                self.line(format!("__device__ {iterator} &operator++() {{ ++at; return *this; }}"));
                self.line(format!(
                    "__device__ bool operator!=(const {iterator} &o) const {{ return at != o.at; }}"
                ));
                self.line("};");
                self.line(format!("struct {name} {{"));
                self.line("unsigned first;");
                if form == 1 {
                    self.line(format!(
                        "__device__ {iterator} begin() const {{ return {iterator}{{first}}; }}"
                    ));
                    self.line(format!(
                        "__device__ {iterator} end() const {{ return {iterator}{{first + 3u}}; }}"
                    ));
                }
                self.line("};");
                if form == 2 {
                    self.line(format!(
                        "__device__ {iterator} begin(const {name} &r) {{ return {iterator}{{r.first}}; }}"
                    ));
                    self.line(format!(
                        "__device__ {iterator} end({name} r) {{ return {iterator}{{r.first + 2u}}; }}"
                    ));
                }
            }
        }
        self.ranges.push(format!("{}{{#}}", self.qualified(&name)));
    }

    /// The head of a loop over an object of such a class, if there is one; its variable is a number.
    pub(super) fn loop_over_range(&mut self, variable: &str) -> bool {
        if self.ranges.is_empty() {
            return false;
        }
        let (range, number) = (self.random.of(&self.ranges).clone(), self.number(1));
        let declared = *self.random.of(&["unsigned ", "auto ", "const auto &", "auto &&"]);
        self.line(format!("for ({declared}{variable}_0 : {}) {{", range.replace('#', &number)));
        self.line(format!("unsigned {variable} = unsigned({variable}_0);"));
        true
    }

    /// An object of a class that converts to a number, made by `new`.
    pub(super) fn new_object(&mut self) {
        let classes: Vec<usize> = self
            .visible
            .iter()
            .copied()
            .filter(|&class| self.classes[class].kind == Kind::Value && !self.is_dependent(&Ty::Class(class)))
            .collect();
        if classes.is_empty() || !self.affords(10) {
            return;
        }
        let ty = Ty::Class(*self.random.of(&classes));
        let (spelled, p, v, number) = (self.spell(&ty), self.name("p"), self.name("v"), self.number(2));
        let as_number = self.as_number(&ty, &format!("*{p}"));
        match self.random.below(3) {
            0 => self.line(format!("{spelled} *{p} = new {spelled}({number});")),
            1 => self.line(format!("auto {p} = new {spelled}{{{number}}};")),
            _ => self.line(format!("const {spelled} *{p} = new {spelled}({number});")),
        }
        self.line(format!("unsigned {v} = {as_number};"));
        self.line(format!("delete {p};"));
        self.locals.push(Local { name: v, what: What::Object(UNSIGNED), is_const: false });
    }

    /// An object of a tracked class, in the heap or in place. Its number is a variable.
    pub(super) fn tracked_storage(&mut self, class: usize) {
        let spelled = self.classes[class].spelled.clone();
        let tag = spelled.rsplit("::").next().unwrap_or_default().to_owned();
        let (p, v, number) = (self.name("p"), self.name("v"), self.number(1));
        let end = match self.random.below(4) {
            0 => {
                self.line(format!("{spelled} *{p} = new {spelled}(log, {number});"));
                format!("delete {p};")
            }
            1 => {
                self.line(format!("{spelled} *{p} = new {spelled}[2]{{{{log, {number}}}, {{log, 4u}}}};"));
                format!("delete[] {p};")
            }
            2 => {
                self.line(format!("alignas({spelled}) unsigned char {p}_0[sizeof({spelled})];"));
                self.line(format!("{spelled} *{p} = new ({p}_0) {spelled}(log, {number});"));
                format!("{p}->~{tag}();")
            }
            _ => {
                self.line(format!("{spelled} {p}_0(log, {number});"));
                self.line(format!("{p}_0.~{tag}();"));
                self.line(format!("{spelled} *{p} = new (&{p}_0) {spelled}{{log, 8u}};"));
                "++log;".to_owned()
            }
        };
        self.line(format!("unsigned {v} = {p}->get();"));
        self.line(end);
        self.locals.push(Local { name: v, what: What::Object(UNSIGNED), is_const: false });
    }

    /// A call that changes a mutable member, if there is a variable with one.
    pub(super) fn touch(&mut self) -> bool {
        let names: Vec<String> = self
            .locals
            .iter()
            .filter(|local| self.has_log || !local.is_const)
            .filter(|local| {
                matches!(local.what, What::Object(Ty::Class(class)) if self.classes[class].is_touched)
            })
            .map(|local| local.name.clone())
            .collect();
        if names.is_empty() {
            return false;
        }
        let (name, number) = (self.random.of(&names).clone(), self.number(1));
        self.line(format!("{name}.touch({number});"));
        true
    }

    /// A call of a member template, as a number.
    pub(super) fn call_of_member_template(&mut self, depth: usize) -> Option<String> {
        let with: Vec<usize> =
            self.visible.iter().copied().filter(|&class| self.classes[class].has_templates).collect();
        if with.is_empty() || !self.affords(6) {
            return None;
        }
        let ty = Ty::Class(*self.random.of(&with));
        let object = self.expr(&ty, depth);
        if self.random.once_in(2) {
            let word = if self.is_dependent(&ty) { "template " } else { "" };
            return Some(format!("({object}).{word}at<{}>()", self.small_constant().0));
        }
        let arg = self.convertible_ty();
        let arg = self.expr(&arg, depth);
        Some(format!("({object}).as({arg})"))
    }
}
