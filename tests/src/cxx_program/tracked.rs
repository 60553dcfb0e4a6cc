//! Classes whose constructors, assignments and destructors write to the log, and statements with their objects.
//!
//! A full expression has one such effect at most, but for what C++17 puts in an order.

use super::Generator;
use super::model::{BOOL, Class, Func, Kind, Local, Object, Ty, UNSIGNED, What};

impl Generator {
    pub(super) fn tracked_classes(&self) -> Vec<usize> {
        self.visible.iter().copied().filter(|&class| self.classes[class].kind == Kind::Tracked).collect()
    }

    pub(super) fn tracked(&mut self) {
        let name = self.name("L");
        let mut class = Class::new(&self.qualified(&name), Kind::Tracked);
        class.copies = self.chance(75);
        class.assigned = self.chance(60);
        class.methods.push(Func {
            name: "get".to_owned(),
            params: Vec::new(),
            result: UNSIGNED,
            object: Object::Const,
            cost: 1,
            logs: false,
        });
        let n = self.random.below(1000);
        self.line(format!("struct {name} {{"));
        self.line("unsigned *at; unsigned v;");
        self.line("__device__ void note(unsigned x) const { *at = *at * 31u + x + v; }");
        self.line(format!("__device__ {name}(unsigned &log, unsigned x) : at(&log), v(x) {{ note({n}u); }}"));
        match class.copies {
            true => self
                .line(format!("__device__ {name}(const {name} &o) : at(o.at), v(o.v + 1u) {{ note(2u); }}")),
            false => self.line(format!("{name}(const {name} &) = delete;")),
        }
        if self.chance(60) || !class.copies {
            self.line(format!("__device__ {name}({name} &&o) : at(o.at), v(o.v) {{ o.v = 0u; note(3u); }}"));
        }
        if class.assigned {
            self.line(format!(
                "__device__ {name} &operator=(const {name} &o) {{ v = o.v; note(4u); return *this; }}"
            ));
            if self.chance(50) {
                self.line(format!("__device__ {name} &operator=({name} &&o) {{ v = o.v; o.v = 9u; note(5u); return *this; }}"));
            }
        }
        if self.chance(85) {
            self.line(format!("__device__ ~{name}() {{ note(6u); }}"));
        }
        self.line("__device__ unsigned get() const { return v; }");
        self.line("};");
        self.classes.push(class);
        self.visible.push(self.classes.len() - 1);
    }

    /// A statement with an object of a tracked class, if there is one.
    pub(super) fn tracked_statement(&mut self, depth: usize) -> bool {
        let tracked = self.tracked_classes();
        if tracked.is_empty() || !self.affords(5) {
            return false;
        }
        let class = *self.random.of(&tracked);
        let ty = Ty::Class(class);
        let (spelled, name, number) = (self.spell(&ty), self.name("t"), self.number(1));
        let (copies, assigned) = (self.classes[class].copies, self.classes[class].assigned);
        let mut what = What::Object(ty.clone());
        match self.random.below(15) {
            0 => self.line(format!("{spelled} {name}(log, {number});")),
            1 => self.line(format!("{spelled} {name}{{log, {number}}};")),
            2 => self.line(format!("auto {name} = {spelled}(log, {number});")),
            3 => self.line(format!("const {spelled} &{name} = {spelled}(log, {number});")),
            4 => match self.local_of(&ty, false) {
                Some(other) if copies => self.line(format!("{spelled} {name} = {other};")),
                _ => return false,
            },
            5 => match self.local_of(&ty, true) {
                Some(other) => self.line(format!("{spelled} {name} = static_cast<{spelled} &&>({other});")),
                None => return false,
            },
            6 => match self.local_of(&ty, true) {
                Some(other) if assigned => {
                    self.line(format!("{other} = {spelled}(log, {number});"));
                    return true;
                }
                _ => return false,
            },
            7 => {
                self.line(format!("unsigned {name} = {spelled}(log, {number}).get();"));
                what = What::Object(UNSIGNED);
            }
            8 => {
                let condition = self.expr(&BOOL, 1);
                self.line(format!(
                    "unsigned {name} = {condition} ? {spelled}(log, {number}).get() : {spelled}(log, 7u).get();"
                ));
                what = What::Object(UNSIGNED);
            }
            9 => {
                self.line(format!(
                    "bool {name} = {spelled}(log, {number}).get() % 2u == 0u && {spelled}(log, 5u).get() > 3u;"
                ));
                what = What::Object(BOOL);
            }
            10 => {
                self.line(format!("{spelled} {name}[2] = {{{{log, {number}}}, {{log, 4u}}}};"));
                what = What::Array(ty, 2);
            }
            11 if depth > 0 => {
                let n_locals = self.locals.len();
                self.line(format!("for (unsigned {name} = 0u; {name} < 3u; ++{name}) {{"));
                self.line(format!("{spelled} {name}_0(log, {number} + {name});"));
                let condition = self.expr(&BOOL, 1);
                let word = *self.random.of(&["break", "continue", "++log"]);
                self.line(format!("if ({condition}) {word};"));
                self.statement(depth - 1);
                self.line("}");
                self.locals.truncate(n_locals);
                return true;
            }
            13 | 14 => {
                self.tracked_storage(class);
                return true;
            }
            12 => {
                self.changing_closure();
                return true;
            }
            _ => return false,
        }
        let is_const = name.is_empty() || self.lines.last().is_some_and(|line| line.starts_with("const "));
        self.locals.push(Local { name, what, is_const });
        true
    }
}
