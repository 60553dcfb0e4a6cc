//! Functions, overloads, constants, and the function `run` of the program.

use super::Generator;
use super::model::{BOOL, Func, Kind, Local, Object, Param, Pass, Ty, UNSIGNED, WIDE, What};

/// The state of the function around, while another is written.
pub(super) struct Saved {
    locals: Vec<Local>,
    has_log: bool,
    cost: u64,
    times: u64,
}

impl Generator {
    /// Enters a function with these variables.
    pub(super) fn enter(&mut self, locals: Vec<Local>) -> Saved {
        Saved {
            locals: std::mem::replace(&mut self.locals, locals),
            has_log: std::mem::replace(&mut self.has_log, false),
            cost: std::mem::replace(&mut self.cost, 1),
            times: std::mem::replace(&mut self.times, 1),
        }
    }

    pub(super) fn leave(&mut self, saved: Saved) {
        self.leave_with_cost(saved);
    }

    /// Leaves a function. Returns what a call costs.
    pub(super) fn leave_with_cost(&mut self, saved: Saved) -> u64 {
        self.locals = saved.locals;
        self.has_log = saved.has_log;
        self.times = saved.times;
        std::mem::replace(&mut self.cost, saved.cost)
    }

    /// Parameters, of which some may change their arguments.
    pub(super) fn params(&mut self, most: usize, may_change: bool) -> Vec<Param> {
        let n = self.random.below(most + 1);
        let mut params: Vec<Param> = (0..n)
            .map(|_| {
                let ty = self.any_ty();
                let pass = match self.random.below(8) {
                    0..=2 => Pass::ConstRef,
                    3 => Pass::RvalueRef,
                    4 if may_change => Pass::Ref,
                    _ => Pass::Value,
                };
                Param { ty, pass, is_optional: false }
            })
            .collect();
        if let Some(last) = params.last_mut()
            && last.pass != Pass::Ref
            && last.ty == UNSIGNED
        {
            last.is_optional = self.random.once_in(3);
        }
        params
    }

    /// The declaration of a parameter.
    pub(super) fn param(&mut self, param: &Param, name: &str, has_default: bool) -> String {
        let spelled = self.spell(&param.ty);
        let declared = match param.pass {
            Pass::Value => format!("{spelled} {name}"),
            Pass::ConstRef => format!("const {spelled} &{name}"),
            Pass::Ref => format!("{spelled} &{name}"),
            Pass::RvalueRef => format!("{spelled} &&{name}"),
        };
        if param.is_optional && has_default { format!("{declared} = 11u") } else { declared }
    }

    /// The list of parameters of the function that is entered.
    pub(super) fn enter_params(&mut self, params: &[Param], has_defaults: bool) -> String {
        let mut list = Vec::new();
        for param in params {
            let name = self.name("x");
            list.push(self.param(param, &name, has_defaults));
            let is_const = matches!(param.pass, Pass::ConstRef);
            self.locals.push(Local { name, what: What::Object(param.ty.clone()), is_const });
        }
        list.join(", ")
    }

    /// A function; one with a log has effects.
    pub(super) fn function(&mut self, logs: bool) {
        let name = self.name("f");
        let params = self.params(3, logs);
        let result = self.result(logs);
        self.function_of(&name, params, result, logs);
    }

    fn result(&mut self, logs: bool) -> Ty {
        let tracked = self.tracked_classes();
        if logs && !tracked.is_empty() && self.chance(40) {
            return Ty::Class(*self.random.of(&tracked));
        }
        self.any_ty()
    }

    fn function_of(&mut self, name: &str, mut params: Vec<Param>, result: Ty, logs: bool) {
        let saved = self.enter(Vec::new());
        let tracked = self.tracked_classes();
        if logs && !tracked.is_empty() && self.chance(60) {
            let ty = Ty::Class(*self.random.of(&tracked));
            let pass = *self.random.of(&[Pass::Value, Pass::ConstRef, Pass::Ref, Pass::RvalueRef]);
            params.push(Param { ty, pass, is_optional: false });
        }
        if params.iter().rev().skip(1).any(|param| param.is_optional) {
            params.iter_mut().for_each(|param| param.is_optional = false);
        }
        self.has_log = logs;
        let list = self.enter_params(&params, true);
        let log = match (logs, list.is_empty()) {
            (true, true) => "unsigned &log",
            (true, false) => "unsigned &log, ",
            (false, _) => "",
        };
        let head = *self.random.of(&[
            "__device__",
            "__device__",
            "inline __device__",
            "static __device__",
            "__device__ __noinline__",
        ]);
        let spelled = self.spell(&result);
        match self.random.below(4) {
            0 => self.line(format!("{head} auto {name}({log}{list}) -> {spelled} {{")),
            _ => self.line(format!("{head} {spelled} {name}({log}{list}) {{")),
        }
        self.body(&result, 2);
        let cost = self.leave_with_cost(saved);
        let name = self.qualified(name);
        self.funcs.push(Func { name, params, result, object: Object::Static, cost, logs });
    }

    /// Functions of one name, which differ in a parameter.
    pub(super) fn overloads(&mut self) {
        let name = self.name("o");
        let mut types: Vec<Ty> = Vec::new();
        for _ in 0..2 + self.random.below(3) {
            let ty = self.any_ty();
            if types.contains(&ty) {
                continue;
            }
            types.push(ty.clone());
            let pass = *self.random.of(&[Pass::Value, Pass::ConstRef]);
            let mut params = vec![Param { ty: ty.clone(), pass, is_optional: false }];
            if self.chance(30) {
                params.push(Param { ty: UNSIGNED, pass: Pass::Value, is_optional: true });
            }
            let result = self.any_ty();
            self.function_of(&name, params, result, false);
            if pass == Pass::ConstRef && self.chance(40) {
                let result = self.any_ty();
                let params = vec![Param { ty, pass: Pass::RvalueRef, is_optional: false }];
                self.function_of(&name, params, result, false);
            }
        }
    }

    /// Constants, an enum, or a function that is one.
    pub(super) fn constants(&mut self) {
        match self.random.below(4) {
            0 | 1 => {
                let (name, value) = (self.name("K"), self.constant_value());
                let word =
                    *self.random.of(&["constexpr unsigned", "const unsigned", "static constexpr unsigned"]);
                self.line(format!("{word} {name} = {value};"));
                let name = self.qualified(&name);
                self.constants.push(name);
            }
            2 => {
                let name = self.name("E");
                let under = *self.random.of(&["unsigned char", "unsigned", "short", "unsigned long long"]);
                let values = format!("A = {}, B, C = 9", self.random.below(7));
                self.line(format!("enum class {name} : {under} {{ {values} }};"));
                let name = self.qualified(&name);
                self.enums.push(name);
            }
            _ => {
                let name = self.name("c");
                let saved = self.enter(Vec::new());
                let x = self.name("x");
                self.locals.push(Local { name: x.clone(), what: What::Object(UNSIGNED), is_const: false });
                let (constants, seed) = (self.constants.clone(), self.random.below(99));
                let step = constants.first().cloned().unwrap_or_else(|| "5u".to_owned());
                self.line(format!("__device__ constexpr unsigned {name}(unsigned {x}) {{"));
                self.line("unsigned r = 1u;".to_owned());
                self.line(format!("for (unsigned i = 0; i < {x} % 5u + 1u; ++i) r = r * {seed}u + {x} + i;"));
                self.line(format!("return r ^ {step};"));
                self.line("}");
                self.leave(saved);
                let name = self.qualified(&name);
                let param = Param { ty: UNSIGNED, pass: Pass::Value, is_optional: false };
                self.funcs.push(Func {
                    name: name.clone(),
                    params: vec![param],
                    result: UNSIGNED,
                    object: Object::Static,
                    cost: 10,
                    logs: false,
                });
                let constant = self.name("K");
                let argument = self.random.below(50);
                self.line(format!("constexpr unsigned {constant} = {name}({argument}u);"));
                let constant = self.qualified(&constant);
                self.constants.push(constant);
            }
        }
    }

    /// The value of a constant.
    pub(super) fn constant_value(&mut self) -> String {
        let literal = self.random.below(100);
        if self.constants.is_empty() || self.random.once_in(2) {
            return format!("{literal}u");
        }
        let constant = self.random.of(&self.constants).clone();
        match self.random.below(3) {
            0 => constant,
            1 => format!("{constant} * {literal}u + 1u"),
            _ => format!("({constant} > {literal}u ? {constant} : {literal}u)"),
        }
    }

    /// A small constant, for lengths and template arguments.
    pub(super) fn small_constant(&mut self) -> (String, usize) {
        let number = 1 + self.random.below(4);
        (format!("{number}u"), number)
    }

    /// The function that the kernel calls.
    pub(super) fn run(&mut self) {
        let mut locals = Vec::new();
        for name in ["lo", "hi"] {
            locals.push(Local { name: name.to_owned(), what: What::Object(UNSIGNED), is_const: false });
        }
        let saved = self.enter(locals);
        self.line("__device__ unsigned run(unsigned lo, unsigned hi) {");
        self.line("unsigned log = 1u;");
        self.has_log = true;
        for (name, ty) in [("w", WIDE), ("q", BOOL)] {
            let value = self.expr(&ty, 2);
            self.line(format!("{} {name} = {value};", self.spell(&ty)));
            self.locals.push(Local { name: name.to_owned(), what: What::Object(ty), is_const: false });
        }
        self.line("{");
        let n_locals = self.locals.len();
        for _ in 0..6 + self.random.below(8) {
            self.statement(2);
        }
        let mut sums = Vec::new();
        for local in self.locals.clone() {
            if let What::Object(ty) = &local.what
                && !matches!(ty, Ty::Class(class) if self.classes[*class].kind == Kind::Tracked)
            {
                sums.push(self.as_number(ty, &local.name));
            }
        }
        for sum in sums {
            self.line(format!("log = log * 31u + {sum};"));
        }
        self.line("}");
        self.locals.truncate(n_locals);
        self.line("return log;");
        self.line("}");
        self.leave(saved);
    }
}
