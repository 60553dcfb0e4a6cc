//! Lambda expressions: closures that are called at once, kept in variables, or passed to templates.

use super::Generator;
use super::model::{Local, Ty, UNSIGNED, What};

/// Names of data members, which a closure has by `this`.
const FIELDS: [&str; 4] = ["a", "b", "c", "s"];

fn is_member(local: &Local) -> bool {
    FIELDS.contains(&local.name.as_str()) || local.name.starts_with("this->")
}

impl Generator {
    /// What a lambda expression captures. Only that can be named afterwards, and not be changed.
    fn captures(&mut self) -> String {
        let mut named: Vec<Local> =
            self.locals.iter().filter(|local| !is_member(local) && local.name != "log").cloned().collect();
        for local in &mut self.locals {
            local.is_const = true;
        }
        match self.random.below(4) {
            0 => "&".to_owned(),
            1 => "=".to_owned(),
            2 if !named.is_empty() => {
                while named.len() > 2 {
                    let idx = self.random.below(named.len());
                    named.remove(idx);
                }
                named.iter_mut().for_each(|local| local.is_const = true);
                let list: Vec<String> = named
                    .iter()
                    .map(|local| format!("{}{}", self.random.of(&["", "&"]), local.name))
                    .collect();
                self.locals = named;
                list.join(", ")
            }
            _ if !self.locals.iter().any(is_member) => {
                let (name, value) = (self.name("y"), self.number(1));
                self.locals =
                    vec![Local { name: name.clone(), what: What::Object(UNSIGNED), is_const: true }];
                format!("{name} = {value}")
            }
            _ => "=".to_owned(),
        }
    }

    /// A parameter of a lambda expression.
    fn lambda_param(&mut self, is_generic: bool) -> (String, Local) {
        let name = self.name("x");
        let (spelled, ty) = if is_generic {
            let spelled = *self.random.of(&["auto ", "const auto &", "auto &&"]);
            (spelled, Ty::Param("auto"))
        } else {
            ("unsigned ", UNSIGNED)
        };
        (format!("{spelled}{name}"), Local { name, what: What::Object(ty), is_const: true })
    }

    /// A lambda expression in one line, of so many parameters.
    pub(super) fn lambda(&mut self, n_params: usize, depth: usize) -> String {
        let (locals, has_log) = (self.locals.clone(), std::mem::take(&mut self.has_log));
        let captures = self.captures();
        let is_generic = self.random.once_in(4);
        let mut params = Vec::new();
        for _ in 0..n_params {
            let (text, local) = self.lambda_param(is_generic);
            params.push(text);
            self.locals.push(local);
        }
        let value = self.number(depth);
        (self.locals, self.has_log) = (locals, has_log);
        let result = if self.random.once_in(4) { " -> unsigned" } else { "" };
        format!("[{captures}]({}){result} {{ return {value}; }}", params.join(", "))
    }

    /// A closure that is called where it is made.
    pub(super) fn immediate(&mut self, depth: usize) -> Option<String> {
        if self.no_lambdas {
            return None;
        }
        let n_params = self.random.below(3);
        let lambda = self.lambda(n_params, depth);
        let args: Vec<String> = (0..n_params).map(|_| self.number(depth)).collect();
        Some(format!("{lambda}({})", args.join(", ")))
    }

    /// A variable that is a closure.
    pub(super) fn closure(&mut self) {
        let name = self.name("l");
        let (locals, has_log) = (self.locals.clone(), std::mem::take(&mut self.has_log));
        let (cost, times) = (std::mem::replace(&mut self.cost, 1), std::mem::replace(&mut self.times, 1));
        let captures = self.captures();
        let (n_params, is_generic) = (self.random.below(3), self.random.once_in(3));
        let mut params = Vec::new();
        for _ in 0..n_params {
            let (text, local) = self.lambda_param(is_generic);
            params.push(text);
            self.locals.push(local);
        }
        let word = if self.random.once_in(4) { " -> unsigned" } else { "" };
        self.line(format!("auto {name} = [{captures}]({}){word} {{", params.join(", ")));
        self.statements(0, 2);
        let value = self.number(2);
        self.line(format!("return {value};"));
        self.line("};");
        (self.locals, self.has_log) = (locals, has_log);
        let own = std::mem::replace(&mut self.cost, cost);
        self.times = times;
        self.locals.push(Local {
            name,
            what: What::Closure { n_params, cost: own, is_generic },
            is_const: true,
        });
    }

    /// A call of a closure in a variable.
    pub(super) fn call_of_closure(&mut self, depth: usize) -> Option<String> {
        let closures: Vec<(String, usize, u64, bool)> = self
            .locals
            .iter()
            .filter_map(|local| match local.what {
                What::Closure { n_params, cost, is_generic } => {
                    Some((local.name.clone(), n_params, cost, is_generic))
                }
                What::Object(_) | What::Array(..) => None,
            })
            .collect();
        if closures.is_empty() {
            return None;
        }
        let (name, n_params, cost, is_generic) = self.random.of(&closures).clone();
        if !self.affords(cost) {
            return None;
        }
        let args: Vec<String> = (0..n_params)
            .map(|_| {
                let ty = if is_generic { self.convertible_ty() } else { UNSIGNED };
                self.expr(&ty, depth)
            })
            .collect();
        Some(format!("{name}({})", args.join(", ")))
    }

    /// A closure that changes what is around it, called at once.
    pub(super) fn changing_closure(&mut self) {
        let (n_locals, x) = (self.locals.len(), self.name("x"));
        self.line(format!("[&](unsigned {x}) {{"));
        self.locals.push(Local { name: x, what: What::Object(UNSIGNED), is_const: false });
        self.statements(1, 2);
        self.locals.truncate(n_locals);
        let value = self.number(1);
        self.line(format!("}}({value});"));
    }
}
