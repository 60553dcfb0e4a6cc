//! Statements: variables, changes, control flow; each on lines of its own.

use super::Generator;
use super::model::{BOOL, Func, Kind, Local, NUMBERS, Object, Ty, UNSIGNED, WIDE, What};

impl Generator {
    /// Some statements, and the end of a function's body.
    pub(super) fn body(&mut self, result: &Ty, size: usize) {
        let n_locals = self.locals.len();
        self.statements(size, 1);
        if self.chance(15) && !self.is_tracked(result) {
            let (condition, value) = (self.expr(&BOOL, 1), self.expr(result, 1));
            self.line(format!("if {} return {value};", parenthesized(&condition)));
        }
        let value = self.returned(result);
        self.line(format!("return {value};"));
        self.line("}");
        self.locals.truncate(n_locals);
    }

    /// The value that a function returns. No variable of a class with copies of its own: whether it is copied is the compiler's choice.
    fn returned(&mut self, result: &Ty) -> String {
        match result {
            Ty::Class(class) if self.classes[*class].kind != Kind::Aggregate || self.chance(40) => {
                let number = self.number(2);
                self.of_number(result, &number)
            }
            Ty::Param(_) => {
                let number = self.number(2);
                self.of_number(result, &number)
            }
            _ => self.expr(result, 2),
        }
    }

    pub(super) fn is_tracked(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Class(class) if self.classes[*class].kind == Kind::Tracked)
    }

    pub(super) fn statements(&mut self, least: usize, more: usize) {
        for _ in 0..least + self.random.below(more + 1) {
            self.statement(1);
        }
    }

    pub(super) fn statement(&mut self, depth: usize) {
        if !self.affords(1) {
            return;
        }
        match self.random.below(22) {
            0..=5 => self.variable(),
            6..=8 => self.change(),
            9 if depth > 0 => self.branch(depth),
            10 if depth > 0 => self.repeat(depth),
            11 if depth > 0 => self.switch(depth),
            12 => self.closure(),
            13 if depth > 0 => self.block(depth),
            14..=17 if self.has_log => self.logged(depth),
            18 => self.array(),
            19 => self.new_object(),
            20 if self.touch() => {}
            _ => self.change(),
        }
    }

    /// A variable with a value.
    fn variable(&mut self) {
        let ty = self.any_ty();
        let (name, spelled) = (self.name("v"), self.spell(&ty));
        let mut is_const = false;
        match (self.random.below(10), &ty) {
            (0, _) => {
                let value = self.expr(&ty, 2);
                self.line(format!("const {spelled} &{name} = {value};"));
                is_const = true;
            }
            (1, _) => {
                let value = self.expr(&ty, 2);
                self.line(format!("const {spelled} {name} = {value};"));
                is_const = true;
            }
            (2, _) => match self.local_of(&ty, true) {
                Some(local) => self.line(format!("{spelled} &{name} = {local};")),
                None => return,
            },
            (3, _) => {
                let number = self.number(2);
                let value = self.of_number(&ty, &number);
                self.line(format!("{spelled} &&{name} = {value};"));
            }
            (4, Ty::Class(class)) if self.classes[*class].kind == Kind::Value => {
                let value = self.number(2);
                let (open, close) = *self.random.of(&[("(", " + 0u)"), ("{", "}")]);
                self.line(format!("{spelled} {name}{open}{value}{close};"));
            }
            (4, Ty::Class(class)) => {
                let number = self.number(2);
                let list = self.list(*class, &number);
                let sign = *self.random.of(&["", " = "]);
                self.line(format!("{spelled} {name}{sign}{list};"));
            }
            (5, Ty::Class(class)) if !self.classes[*class].types.is_empty() => {
                let (member, of) = self.classes[*class].types[0].clone();
                let word = if self.is_dependent(&ty) { "typename " } else { "" };
                let value = self.expr(&of, 2);
                self.line(format!("{word}{spelled}::{member} {name} = {value};"));
                self.locals.push(Local { name, what: What::Object(of), is_const });
                return;
            }
            (6, Ty::Class(class))
                if self.classes[*class].kind == Kind::Aggregate && self.classes[*class].fields.len() > 1 =>
            {
                let fields = self.classes[*class].fields.clone();
                let names: Vec<String> = fields.iter().map(|_| self.name("v")).collect();
                let value = self.expr(&ty, 2);
                self.line(format!("auto [{}] = {value};", names.join(", ")));
                for (name, (_, ty)) in names.into_iter().zip(fields) {
                    // A closure cannot capture it in C++17.
                    let number = self.as_number(&ty, &name);
                    let variable = self.name("v");
                    self.line(format!("unsigned {variable} = {number};"));
                    self.locals.push(Local { name: variable, what: What::Object(UNSIGNED), is_const: false });
                }
                return;
            }
            (7, _) => {
                let value = self.expr(&ty, 2);
                // A lambda expression cannot be in what is not evaluated.
                if value.contains('[') {
                    return;
                }
                self.line(format!("decltype({value}) {name}_0 = {value};"));
                self.line(format!("{spelled} {name} = {name}_0;"));
            }
            (8, Ty::Class(_) | Ty::Param(_)) => {
                let number = self.number(2);
                let value = self.of_number(&ty, &number);
                self.line(format!("auto {name} = {value};"));
            }
            _ => {
                let value = self.expr(&ty, 3);
                self.line(format!("{spelled} {name} = {value};"));
            }
        }
        self.locals.push(Local { name, what: What::Object(ty), is_const });
    }

    fn array(&mut self) {
        let ty = self.any_ty();
        let (name, spelled) = (self.name("v"), self.spell(&ty));
        let (text, len) = self.small_constant();
        // A closure with a copy of a tracked object would be a temporary with a destructor in a list, which `weftc` refuses.
        let could_have = std::mem::replace(&mut self.no_lambdas, true);
        let values: Vec<String> = (0..len)
            .map(|_| {
                let number = self.number(1);
                self.of_number(&ty, &number)
            })
            .collect();
        self.no_lambdas = could_have;
        let length = if self.chance(30) { String::new() } else { text };
        self.line(format!("{spelled} {name}[{length}] = {{{}}};", values.join(", ")));
        self.locals.push(Local { name, what: What::Array(ty, len), is_const: false });
    }

    /// A change of a variable.
    fn change(&mut self) {
        let methods = self.changing_methods();
        if !methods.is_empty() && self.chance(35) {
            let (object, method) = self.random.of(&methods).clone();
            if self.affords(method.cost)
                && let Some(args) = self.args(&method.params, 1)
            {
                self.line(format!("{object}.{}({args});", method.name));
                return;
            }
        }
        let ty = self.any_ty();
        let Some(local) = self.local_of(&ty, true) else { return };
        match &ty {
            Ty::Class(class) if self.chance(60) => {
                let class = &self.classes[*class];
                if let Some(sign) = class.assigns.first().copied() {
                    let value = self.number(2);
                    self.line(format!("{local} {sign} {value};"));
                    return;
                }
            }
            ty if *ty == UNSIGNED || *ty == WIDE => {
                let sign = *self.random.of(&["+=", "-=", "*=", "^=", "|=", "="]);
                let value = self.expr(ty, 2);
                let text = match self.random.below(6) {
                    0 => format!("{local}++;"),
                    1 => format!("--{local};"),
                    _ => format!("{local} {sign} {value};"),
                };
                self.line(text);
                return;
            }
            _ => {}
        }
        let value = self.expr(&ty, 2);
        self.line(format!("{local} = {value};"));
    }

    /// Variables with member functions that change them.
    fn changing_methods(&self) -> Vec<(String, Func)> {
        let mut found = Vec::new();
        for local in self.locals.iter().filter(|local| !local.is_const) {
            if let What::Object(Ty::Class(class)) = local.what
                && self.visible.contains(&class)
            {
                let methods = self.classes[class].methods.iter();
                let changing = methods.filter(|method| method.object == Object::Mutable && !method.logs);
                found.extend(changing.map(|method| (local.name.clone(), method.clone())));
            }
        }
        found
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.expr(&BOOL, 2);
        let n_locals = self.locals.len();
        match self.random.below(3) {
            0 => {
                let (name, value) = (self.name("v"), self.number(2));
                self.line(format!("if (unsigned {name} = {value}; {condition}) {{"));
                self.locals.push(Local { name, what: What::Object(UNSIGNED), is_const: false });
            }
            1 => {
                let (name, value) = (self.name("v"), self.number(2));
                self.line(format!("if (unsigned {name} = {value}) {{"));
                self.locals.push(Local { name, what: What::Object(UNSIGNED), is_const: false });
            }
            _ => self.line(format!("if {} {{", parenthesized(&condition))),
        }
        let n_inner = self.locals.len();
        self.some(depth);
        self.locals.truncate(n_inner);
        if self.chance(50) {
            self.line("} else {");
            self.some(depth);
        }
        self.line("}");
        self.locals.truncate(n_locals);
    }

    fn some(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth - 1);
        }
    }

    fn block(&mut self, depth: usize) {
        let n_locals = self.locals.len();
        self.line("{");
        self.some(depth);
        self.line("}");
        self.locals.truncate(n_locals);
    }

    fn repeat(&mut self, depth: usize) {
        let turns = 1 + self.random.below(5);
        if self.times * turns as u64 > 60 {
            return;
        }
        let (i, n_locals, times) = (self.name("i"), self.locals.len(), self.times);
        let mut what = What::Object(UNSIGNED);
        let arrays: Vec<(String, Ty, usize)> = self
            .locals
            .iter()
            .filter_map(|local| match &local.what {
                What::Array(ty, len) if !self.is_tracked(ty) => Some((local.name.clone(), ty.clone(), *len)),
                _ => None,
            })
            .collect();
        let mut end = "}";
        match self.random.below(6) {
            0 if !arrays.is_empty() => {
                let (array, ty, _) = self.random.of(&arrays).clone();
                let declared = match self.random.below(4) {
                    0 => "const auto &".to_owned(),
                    1 => "auto ".to_owned(),
                    2 => format!("{} ", self.spell(&ty)),
                    _ => format!("const {} &", self.spell(&ty)),
                };
                self.line(format!("for ({declared}{i} : {array}) {{"));
                what = What::Object(ty);
            }
            1 => self.line(format!("for (int {i}_0 : {{3, 5, 8}}) {{ unsigned {i} = {i}_0;")),
            5 if self.loop_over_range(&i) => {}
            2 => {
                self.line(format!("unsigned {i} = 0u;"));
                self.line(format!("while ({i}++ < {turns}u) {{"));
            }
            3 => {
                self.line(format!("unsigned {i} = 0u;"));
                self.line("do {");
                end = "while_end";
            }
            _ => self.line(format!("for (unsigned {i} = 0u; {i} < {turns}u; ++{i}) {{")),
        }
        self.times *= turns as u64;
        self.locals.push(Local { name: i.clone(), what, is_const: true });
        self.some(depth);
        if self.chance(20) {
            let condition = self.expr(&BOOL, 1);
            let word = if end == "}" { *self.random.of(&["break", "continue"]) } else { "break" };
            self.line(format!("if {} {word};", parenthesized(&condition)));
            self.statement(depth - 1);
        }
        match end {
            "}" => self.line("}"),
            _ => self.line(format!("}} while (++{i} < {turns}u);")),
        }
        self.locals.truncate(n_locals);
        self.times = times;
    }

    fn switch(&mut self, depth: usize) {
        let (value, n_locals) = (self.number(2), self.locals.len());
        self.line(format!("switch ({value} % 4u) {{"));
        for case in 0..3 {
            self.line(if case < 2 { format!("case {case}u: {{") } else { "default: {".to_owned() });
            self.some(depth);
            let end = if self.chance(70) { "break; }" } else { "}" };
            self.line(end);
            self.locals.truncate(n_locals);
        }
        self.line("}");
    }

    /// Adds a number of the program to the log, or lets it be changed.
    fn logged(&mut self, depth: usize) {
        if self.chance(60) && self.tracked_statement(depth) {
            return;
        }
        let funcs: Vec<Func> = self.funcs.iter().filter(|func| func.logs).cloned().collect();
        if !funcs.is_empty() && self.chance(60) {
            let func = self.random.of(&funcs).clone();
            if self.affords(func.cost)
                && let Some(args) = self.args(&func.params, 1)
            {
                let separator = if args.is_empty() { "" } else { ", " };
                let call = format!("{}(log{separator}{args})", func.name);
                let name = self.name("v");
                if self.is_tracked(&func.result) && self.chance(50) {
                    let spelled = self.spell(&func.result);
                    self.line(format!("{spelled} {name} = {call};"));
                    self.locals.push(Local { name, what: What::Object(func.result), is_const: true });
                } else {
                    let number = self.as_number(&func.result, &call);
                    self.line(format!("unsigned {name} = {number};"));
                    self.locals.push(Local { name, what: What::Object(UNSIGNED), is_const: false });
                }
                return;
            }
        }
        let value = self.number(2);
        self.line(format!("log = log * {}u + {value};", NUMBERS.len()));
    }
}

fn parenthesized(condition: &str) -> String {
    format!("({condition})")
}
