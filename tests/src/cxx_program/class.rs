//! Classes, and what class templates share with them: data members, constructors, operators, member functions.

use super::Generator;
use super::function::Saved;
use super::model::{Class, Func, Kind, Local, NUMBERS, Object, Ty, UNSIGNED, What};

/// How a class is written.
pub(super) struct Written<'a> {
    /// What precedes its head: `template <typename T>`, or nothing.
    pub(super) head: &'a str,
    /// What precedes members that are defined outside.
    pub(super) member_head: &'a str,
    /// Its name in its own text.
    pub(super) name: &'a str,
    /// Its name outside: `C<T, N>`.
    pub(super) full: &'a str,
    /// The name in its head: that of a specialization has arguments.
    pub(super) declared: &'a str,
    /// Its index in the list of classes.
    pub(super) class: usize,
}

impl Generator {
    /// A class that is no template.
    pub(super) fn class(&mut self) {
        let name = self.name("S");
        let full = self.qualified(&name);
        let kind = if self.chance(30) { Kind::Aggregate } else { Kind::Value };
        let mut interface = self.interface(&full, kind);
        self.add_bases(&mut interface);
        let class = self.declare_class(interface.clone());
        let written = Written { head: "", member_head: "", name: &name, full: &name, declared: &name, class };
        self.write_class(&written, &interface, true);
        if self.chance(30) && kind == Kind::Value {
            self.free_operators(class, &name);
        }
    }

    /// Adds a class whose operations are not known yet.
    pub(super) fn declare_class(&mut self, interface: Class) -> usize {
        let unfinished = Class {
            methods: Vec::new(),
            operators: Vec::new(),
            assigns: Vec::new(),
            constants: Vec::new(),
            types: Vec::new(),
            has_subscript: false,
            has_call: false,
            compares: false,
            is_touched: false,
            has_templates: false,
            ..interface
        };
        self.classes.push(unfinished);
        self.visible.push(self.classes.len() - 1);
        self.classes.len() - 1
    }

    /// What a class has, of which each specialization of a template has the same.
    pub(super) fn interface(&mut self, spelled: &str, kind: Kind) -> Class {
        let mut class = Class::new(spelled, kind);
        let least = usize::from(kind == Kind::Aggregate);
        for name in ["a", "b", "c"].iter().take(least + self.random.below(3)) {
            class.fields.push(((*name).to_owned(), self.any_ty()));
        }
        class.is_implicit = kind == Kind::Value && self.chance(50);
        for _ in 0..self.random.below(4) {
            let name = (*self.random.of(&["get", "mix", "step", "make"])).to_owned();
            let object = *self.random.of(&[
                Object::Const,
                Object::Const,
                Object::Static,
                Object::Mutable,
                Object::ConstLvalue,
                Object::Rvalue,
            ]);
            let (params, result) = (self.params(2, object == Object::Mutable), self.any_ty());
            if class.methods.iter().any(|other| other.name == name) {
                continue;
            }
            class.methods.push(Func { name, params, result, object, cost: 4, logs: false });
        }
        if self.chance(30) {
            class.constants.push("size".to_owned());
        }
        if self.chance(30) {
            class.types.push(("type".to_owned(), self.any_ty()));
        }
        if kind == Kind::Value {
            for sign in ["+", "-", "*", "^", "<<"] {
                if self.chance(15) {
                    class.operators.push((sign, Ty::Class(self.classes.len())));
                }
            }
            for sign in ["+=", "^=", "*="] {
                if self.chance(15) {
                    class.assigns.push(sign);
                }
            }
            class.compares = self.chance(25);
            class.is_touched = self.chance(15);
            class.has_templates = self.chance(20);
        }
        class.has_subscript = self.chance(20);
        class.has_call = self.chance(20);
        class
    }

    /// Writes a class, and adds what it has.
    pub(super) fn write_class(&mut self, written: &Written<'_>, interface: &Class, adds: bool) {
        let word = *self.random.of(&["struct", "class"]);
        let head = if written.head.is_empty() { String::new() } else { format!("{} ", written.head) };
        let bases = self.base_list(interface, word);
        self.line(format!("{head}{word} {}{bases} {{", written.declared));
        if interface.kind == Kind::Value && self.chance(60) {
            self.line("unsigned s;");
            self.private_members();
            self.line("public:");
        } else {
            self.line("public:");
            if interface.kind == Kind::Value {
                self.line("unsigned s;");
            }
        }
        let mut given = Vec::new();
        for (name, ty) in &interface.fields {
            let spelled = self.spell(ty);

            if self.chance(25) {
                let saved = self.enter(Vec::new());
                self.no_lambdas = true;
                let number = self.number(1);
                let value = self.of_number(ty, &number);
                self.no_lambdas = false;
                self.leave(saved);
                self.line(format!("{spelled} {name} = {value};"));
                given.push(name.clone());
            } else {
                self.line(format!("{spelled} {name};"));
            }
        }
        for constant in &interface.constants {
            let value = self.constant_value();
            self.line(format!("static constexpr unsigned {constant} = {value};"));
            self.add(written, adds, |class| class.constants.push(constant.clone()));
        }
        for (name, ty) in &interface.types {
            let spelled = self.spell(ty);
            let text = match self.random.below(2) {
                0 => format!("using {name} = {spelled};"),
                _ => format!("typedef {spelled} {name};"),
            };
            self.line(text);
            self.add(written, adds, |class| class.types.push((name.clone(), ty.clone())));
        }
        if interface.kind == Kind::Value {
            self.constructors(written, interface, &given);
            self.member_operators(written, interface, adds);
            self.inherit(written, interface, adds);
        }
        let mut outside = Vec::new();
        for method in &interface.methods {
            let method = Func { object: method.object, ..method.clone() };
            if self.chance(20) {
                let declared = self.method_head(&method, "", &method.name, true);
                self.line(format!("{declared};"));
                outside.push(method);
            } else {
                let cost = self.method(written, interface, &method, "");
                self.add(written, adds, |class| class.methods.push(Func { cost, ..method.clone() }));
                self.other_overload(written, interface, &method);
            }
        }
        self.line("};");
        for method in outside {
            let qualifier = format!("{}::", written.full);
            let cost = self.method(written, interface, &method, &qualifier);
            self.add(written, adds, |class| class.methods.push(Func { cost, ..method.clone() }));
        }
    }

    fn add(&mut self, written: &Written<'_>, adds: bool, what: impl FnOnce(&mut Class)) {
        if adds {
            what(&mut self.classes[written.class]);
        }
    }

    /// Types and functions that only the class uses.
    fn private_members(&mut self) {
        if self.chance(20) {
            self.line("struct Inner { unsigned q; __device__ unsigned twice() const { return q + q; } };");
            self.line("__device__ unsigned inner() const { return Inner{s}.twice(); }");
        }
        if self.chance(20) {
            self.line("enum Local { first = 3, second };");
            self.line("__device__ unsigned choice() const { return s % 2u ? first : second; }");
        }
    }

    /// The constructor from a number, and others; the conversion to a number.
    fn constructors(&mut self, written: &Written<'_>, interface: &Class, given: &[String]) {
        let name = written.name;
        let saved = self.enter(Vec::new());
        let x = self.name("x");
        self.locals.push(Local { name: x.clone(), what: What::Object(UNSIGNED), is_const: false });
        let mut init = Vec::new();
        for (field, ty) in &interface.fields {
            if !given.contains(field) || self.chance(30) {
                let number = self.number(1);
                let value = self.of_number(ty, &number);
                init.push(match self.random.below(2) {
                    0 => format!("{field}({value})"),
                    _ => format!("{field}{{{value}}}"),
                });
            }
        }
        let number = self.number(2);
        let init = format!(
            " : {}s({number}){}",
            self.base_inits(interface),
            init.iter().map(|init| format!(", {init}")).collect::<String>()
        );
        let explicit = if interface.is_implicit { "" } else { "explicit " };
        match self.random.below(4) {
            0 => {
                let y = self.name("x");
                self.line(format!(
                    "{explicit}__device__ {name}(unsigned {x}, unsigned {y} = 3u){init} {{ s += {y}; }}"
                ));
            }
            1 if interface.fields.is_empty() || self.chance(50) => {
                let y = self.name("x");
                self.line(format!(
                    "__device__ {name}(unsigned {x}, int {y}, int){init} {{ s ^= unsigned({y}); }}"
                ));
                self.line(format!("{explicit}__device__ {name}(unsigned {x}) : {name}({x}, 5, 6) {{ }}"));
            }
            _ => {
                self.line(format!("{explicit}__device__ {name}(unsigned {x}){init} {{"));
                self.statements(0, 1);
                self.line("}");
            }
        }
        self.leave(saved);
        if self.chance(25) {
            let copied: String =
                interface.fields.iter().map(|(field, _)| format!(", {field}(o.{field})")).collect();
            let change = 1 + self.random.below(99);
            let (bases, assigned_bases) = self.base_copies(interface);
            self.line(format!(
                "__device__ {name}(const {name} &o) : {bases}s(o.s + {change}u){copied} {{ }}"
            ));
            let assigned: String =
                interface.fields.iter().map(|(field, _)| format!("{field} = o.{field}; ")).collect();
            if self.chance(50) {
                self.line(format!("__device__ {name}({name} &&o) : {bases}s(o.s ^ {change}u){copied} {{ }}"));
            }
            self.line(format!(
                "__device__ {name} &operator=(const {name} &o) {{ {assigned_bases}s = o.s * {change}u; {assigned}return *this; }}"
            ));
        }
        let explicit = if self.chance(50) { "explicit " } else { "" };
        let saved = self.enter_method(interface, true);
        let number = self.number(2);
        self.leave(saved);
        self.line(format!("{explicit}__device__ operator unsigned() const {{ return {number}; }}"));
    }

    fn member_operators(&mut self, written: &Written<'_>, interface: &Class, adds: bool) {
        let name = written.name;
        for (sign, operand) in interface.operators.clone() {
            let number = self.in_method(interface, |this| this.number(1));
            let o = *self.random.of(&["const ", ""]);
            let param = if o.is_empty() { format!("{name} o") } else { format!("const {name} &o") };
            self.line(format!(
                "__device__ {name} operator{sign}({param}) const {{ return {name}(s * 3u + o.s + {number}); }}"
            ));
            self.add(written, adds, |class| class.operators.push((sign, operand)));
        }
        for sign in interface.assigns.clone() {
            let number = self.in_method(interface, |this| this.number(1));
            self.line(format!(
                "__device__ {name} &operator{sign}(unsigned o) {{ s {sign} o + {number}; return *this; }}"
            ));
            self.add(written, adds, |class| class.assigns.push(sign));
        }
        if interface.compares {
            self.line(format!("__device__ bool operator==(const {name} &o) const {{ return s == o.s; }}"));
            self.line(format!("__device__ bool operator<(const {name} &o) const {{ return s < o.s; }}"));
            self.add(written, adds, |class| class.compares = true);
        }
        if interface.is_touched {
            let step = self.random.below(99);
            self.line(format!("mutable unsigned m = {step}u;"));
            self.line("__device__ void touch(unsigned x) const { m = m * 3u + x; }");
            self.line("__device__ unsigned touched() const { return m; }");
            self.add(written, adds, |class| class.is_touched = true);
        }
        if interface.has_templates {
            let number = self.in_method(interface, |this| this.number(1));
            self.line(format!(
                "template <typename U> __device__ unsigned as(const U &u) const {{ return static_cast<unsigned>(u) * 5u + unsigned(sizeof(U)) + {number}; }}"
            ));
            self.line("template <unsigned K> __device__ unsigned at() const { if constexpr (K > 1u) return at<K - 1u>() + K; else return s; }");
            self.add(written, adds, |class| class.has_templates = true);
        }
        if interface.has_subscript {
            let number = self.in_method(interface, |this| this.number(1));
            self.line(format!(
                "__device__ unsigned operator[](unsigned i) const {{ return s * i + {number}; }}"
            ));
            self.add(written, adds, |class| class.has_subscript = true);
        }
        if interface.has_call {
            let number = self.in_method(interface, |this| this.number(1));
            self.line(format!(
                "__device__ unsigned operator()(unsigned i) const {{ return (s ^ i) + {number}; }}"
            ));
            self.add(written, adds, |class| class.has_call = true);
        }
    }

    /// The head of a member function, in the class or outside.
    fn method_head(&mut self, method: &Func, qualifier: &str, name: &str, is_inside: bool) -> String {
        let params: Vec<String> =
            method.params.iter().map(|param| self.param(param, "", is_inside)).collect();
        let word = if method.object == Object::Static && is_inside { "static " } else { "" };
        let result = self.spell(&method.result);
        format!(
            "{word}__device__ {result} {qualifier}{name}({}){}",
            params.join(", "),
            object_word(method.object)
        )
    }

    /// A member function with its body, and what a call costs.
    fn method(&mut self, written: &Written<'_>, interface: &Class, method: &Func, qualifier: &str) -> u64 {
        let is_inside = qualifier.is_empty();
        let saved = match method.object {
            Object::Static => self.enter(Vec::new()),
            _ => self.enter_method(interface, method.object != Object::Mutable),
        };
        let params = self.enter_params(&method.params, is_inside);
        let word = if method.object == Object::Static && is_inside { "static " } else { "" };
        let result = self.spell(&method.result);
        let head = if is_inside || written.member_head.is_empty() {
            String::new()
        } else {
            format!("{} ", written.member_head)
        };
        self.line(format!(
            "{head}{word}__device__ {result} {qualifier}{}({params}){} {{",
            method.name,
            object_word(method.object)
        ));
        self.body(&method.result, 1);
        self.leave_with_cost(saved)
    }

    /// Another function of the name: for rvalues beside one for lvalues, or with other parameters.
    fn other_overload(&mut self, written: &Written<'_>, interface: &Class, method: &Func) {
        if method.object == Object::ConstLvalue && self.chance(50) {
            let other = Func { object: Object::Rvalue, ..method.clone() };
            self.method(written, interface, &other, "");
        } else if method.object == Object::Const && self.chance(20) {
            let name = &method.name;
            self.line(format!(
                "__device__ unsigned {name}(const char *, int) const {{ return {}u; }}",
                NUMBERS.len()
            ));
        }
    }

    /// Operators of the class that are functions of the namespace.
    fn free_operators(&mut self, class: usize, name: &str) {
        for sign in ["%", "|", "&"] {
            if self.chance(40) {
                let number = self.random.below(1000);
                self.line(format!(
                    "__device__ {name} operator{sign}(const {name} &l, const {name} &r) {{ return {name}(unsigned(l) * {number}u ^ unsigned(r)); }}"
                ));
                self.classes[class].operators.push((sign, Ty::Class(class)));
            }
        }
    }

    /// Makes something with the data members at hand.
    fn in_method<R>(&mut self, interface: &Class, what: impl FnOnce(&mut Self) -> R) -> R {
        let saved = self.enter_method(interface, true);
        let result = what(self);
        self.leave(saved);
        result
    }

    /// Enters a member function that is not static.
    fn enter_method(&mut self, interface: &Class, is_const: bool) -> Saved {
        let mut locals = Vec::new();
        for (name, ty) in &interface.fields {
            let name = if self.chance(20) { format!("this->{name}") } else { name.clone() };
            locals.push(Local { name, what: What::Object(ty.clone()), is_const });
        }
        for (name, ty) in &interface.inherited {
            locals.push(Local { name: name.clone(), what: What::Object(ty.clone()), is_const });
        }
        if interface.kind == Kind::Value {
            locals.push(Local { name: "s".to_owned(), what: What::Object(UNSIGNED), is_const });
        }
        self.enter(locals)
    }
}

fn object_word(object: Object) -> &'static str {
    match object {
        Object::Static | Object::Mutable => "",
        Object::Const => " const",
        Object::ConstLvalue => " const &",
        Object::Rvalue => " &&",
    }
}
