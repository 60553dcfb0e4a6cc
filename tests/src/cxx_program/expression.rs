//! Expressions without effects: numbers and values of the program's types.

use super::Generator;
use super::model::{Arg, BOOL, Func, Kind, NUMBERS, Object, Param, Pass, Ty, UNSIGNED, WIDE, What};

impl Generator {
    /// The type's spelling.
    pub(super) fn spell(&self, ty: &Ty) -> String {
        match ty {
            Ty::Number(number) => NUMBERS[*number].to_owned(),
            Ty::Enum(name) => name.clone(),
            Ty::Class(class) => self.classes[*class].spelled.clone(),
            Ty::Param(name) => (*name).to_owned(),
        }
    }

    /// Whether the type depends on the template's parameters.
    pub(super) fn is_dependent(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Param(_) => true,
            Ty::Number(_) | Ty::Enum(_) => false,
            Ty::Class(class) => {
                self.classes[*class].of.iter().flat_map(|(_, args)| args).any(|arg| match arg {
                    Arg::Type(ty) => self.is_dependent(ty),
                    Arg::Value(text) => text == "N",
                })
            }
        }
    }

    /// A value as `unsigned`.
    pub(super) fn as_number(&mut self, ty: &Ty, text: &str) -> String {
        match ty {
            Ty::Number(0) => text.to_owned(),
            Ty::Class(class) if self.classes[*class].kind == Kind::Aggregate => {
                let fields = self.classes[*class].fields.clone();
                let (name, ty) = self.random.of(&fields).clone();
                self.as_number(&ty, &format!("({text}).{name}"))
            }
            Ty::Class(class) if self.classes[*class].kind == Kind::Tracked => format!("({text}).get()"),
            Ty::Number(_) | Ty::Enum(_) | Ty::Class(_) | Ty::Param(_) if self.random.once_in(3) => {
                format!("(unsigned)({text})")
            }
            _ => format!("static_cast<unsigned>({text})"),
        }
    }

    /// A value of the type, made of a number. It is a prvalue.
    pub(super) fn of_number(&mut self, ty: &Ty, text: &str) -> String {
        let spelled = self.spell(ty);
        match ty {
            Ty::Number(0) => format!("({text} + 0u)"),
            Ty::Enum(_) => format!("static_cast<{spelled}>(({text}) & 127u)"),
            Ty::Number(_) if self.random.once_in(2) => format!("static_cast<{spelled}>({text})"),
            Ty::Number(_) => format!("({spelled})({text})"),
            Ty::Class(class) if self.classes[*class].kind == Kind::Aggregate => {
                format!("{spelled}{}", self.list(*class, text))
            }
            Ty::Class(class) if self.classes[*class].kind == Kind::Tracked => {
                format!("{spelled}(log, {text})")
            }
            Ty::Class(_) => match self.random.below(3) {
                0 => format!("{spelled}{{{text}}}"),
                1 => format!("static_cast<{spelled}>({text})"),
                _ => format!("{spelled}({text})"),
            },
            Ty::Param(_) => match self.random.below(2) {
                0 => format!("static_cast<{spelled}>({text})"),
                _ => format!("{spelled}({text})"),
            },
        }
    }

    /// The list of values for an aggregate.
    pub(super) fn list(&mut self, class: usize, text: &str) -> String {
        let fields = self.classes[class].fields.clone();
        let values: Vec<String> = fields
            .iter()
            .enumerate()
            .map(|(idx, (_, ty))| {
                let text = if idx == 0 { text.to_owned() } else { self.number(0) };
                self.of_number(ty, &text)
            })
            .collect();
        format!("{{{}}}", values.join(", "))
    }

    /// A number of type `unsigned`.
    pub(super) fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.once_in(6) {
            return self.leaf();
        }
        let found = match self.random.below(21) {
            0..=3 => {
                let sign = *self.random.of(&["+", "-", "*", "^", "&", "|", "+", "^"]);
                Some(format!("({} {sign} {})", self.number(depth - 1), self.number(depth - 1)))
            }
            4 => Some(match self.random.below(3) {
                0 => format!("({} / ({} | 1u))", self.number(depth - 1), self.number(depth - 1)),
                1 => format!("({} % ({} | 1u))", self.number(depth - 1), self.number(depth - 1)),
                _ => {
                    let sign = *self.random.of(&["<<", ">>"]);
                    format!("({} {sign} ({} & 31u))", self.number(depth - 1), self.number(depth - 1))
                }
            }),
            5 => {
                let sign = *self.random.of(&["~", "-", "+"]);
                Some(format!("({sign}{})", self.number(depth - 1)))
            }
            6 => Some(format!(
                "({} ? {} : {})",
                self.expr(&BOOL, depth - 1),
                self.number(depth - 1),
                self.number(depth - 1)
            )),
            7..=9 => self.call_of_function(None, depth - 1),
            10 | 11 => self.call_of_method(None, depth - 1),
            12 | 13 => self.call_of_template(depth - 1),
            14 => self.immediate(depth - 1),
            15 => self.call_of_closure(depth - 1),
            16 => self.asked(),
            17 => self.call_of_member_template(depth - 1),
            _ => {
                let ty = self.any_ty();
                let text = self.expr(&ty, depth - 1);
                Some(self.as_number(&ty, &text))
            }
        };
        found.unwrap_or_else(|| self.leaf())
    }

    /// What is asked of a type, or a constant of one.
    fn asked(&mut self) -> Option<String> {
        let ty = self.any_ty();
        let spelled = self.spell(&ty);
        Some(match (self.random.below(3), &ty) {
            (0, _) => format!("unsigned(sizeof({spelled}))"),
            (1, Ty::Class(class)) if !self.classes[*class].constants.is_empty() => {
                let constants = self.classes[*class].constants.clone();
                format!("({spelled}::{} + 0u)", self.random.of(&constants))
            }
            _ => {
                let other = self.any_ty();
                format!("unsigned(same<{spelled}, {}>::value)", self.spell(&other))
            }
        })
    }

    /// A literal, constant, or variable.
    fn leaf(&mut self) -> String {
        if self.random.once_in(3) || (self.locals.is_empty() && self.constants.is_empty()) {
            let bits = self.random.below(17);
            return format!("{}u", self.random.below(1 << bits));
        }
        if !self.constants.is_empty() && (self.random.once_in(5) || self.locals.is_empty()) {
            // Not the constant itself, which would have no address on the device.
            return format!("({} + 0u)", self.random.of(&self.constants));
        }
        let local = self.random.of(&self.locals).clone();
        match local.what {
            What::Object(ty) => self.as_number(&ty, &local.name),
            What::Array(ty, len) => {
                let at = format!("{}[{}]", local.name, self.random.below(len));
                self.as_number(&ty, &at)
            }
            What::Closure { .. } => "7u".to_owned(),
        }
    }

    /// A type that there is, for a value.
    pub(super) fn any_ty(&mut self) -> Ty {
        let classes: Vec<usize> =
            self.visible.iter().copied().filter(|&class| self.classes[class].kind != Kind::Tracked).collect();
        match self.random.below(10) {
            0..=2 => Ty::Number(self.random.below(NUMBERS.len())),
            3 if !self.enums.is_empty() => Ty::Enum(self.random.of(&self.enums).clone()),
            4 => self.type_param.map_or(UNSIGNED, Ty::Param),
            5 | 6 => self.instance().unwrap_or(UNSIGNED),
            7..=9 if !classes.is_empty() => Ty::Class(*self.random.of(&classes)),
            _ => UNSIGNED,
        }
    }

    /// The same, without aggregates: a type that numbers convert to.
    pub(super) fn convertible_ty(&mut self) -> Ty {
        loop {
            let ty = self.any_ty();
            match &ty {
                Ty::Class(class) if self.classes[*class].kind != Kind::Value => {}
                _ => return ty,
            }
        }
    }

    /// A value of the type.
    pub(super) fn expr(&mut self, ty: &Ty, depth: usize) -> String {
        if *ty == UNSIGNED {
            return self.number(depth);
        }
        if let (true, Some(local)) = (self.random.once_in(2), self.local_of(ty, false)) {
            return local;
        }
        if depth > 0 {
            let found = match self.random.below(6) {
                0 => self.call_of_function(Some(ty), depth - 1),
                1 => self.call_of_method(Some(ty), depth - 1),
                2 => {
                    let (condition, depth) = (self.expr(&BOOL, depth - 1), depth - 1);
                    let (yes, no) = (self.expr(ty, depth), self.expr(ty, depth));
                    // Both operands must have the type: an `unsigned char` would be promoted otherwise.
                    Some(format!("({condition} ? {yes} : {no})"))
                }
                _ => self.operation(ty, depth - 1),
            };
            if let Some(found) = found {
                return found;
            }
        }
        let number = self.number(depth.saturating_sub(1));
        self.of_number(ty, &number)
    }

    /// An operator that has the type.
    fn operation(&mut self, ty: &Ty, depth: usize) -> Option<String> {
        match ty {
            ty if *ty == WIDE => {
                let sign = *self.random.of(&["+", "-", "*", "^", "&"]);
                Some(format!("({} {sign} {})", self.expr(ty, depth), self.expr(ty, depth)))
            }
            ty if *ty == BOOL => Some(self.condition(depth)),
            Ty::Enum(name) => Some(format!("{name}::A")),
            Ty::Class(class) => {
                let operators = self.classes[*class].operators.clone();
                if operators.is_empty() || !self.affords(3) {
                    return None;
                }
                let (sign, operand) = self.random.of(&operators).clone();
                let left = self.expr(ty, depth);
                Some(format!("({left} {sign} {})", self.expr(&operand, depth)))
            }
            Ty::Number(_) | Ty::Param(_) => None,
        }
    }

    /// A truth value.
    fn condition(&mut self, depth: usize) -> String {
        let comparing: Vec<usize> =
            self.visible.iter().copied().filter(|&class| self.classes[class].compares).collect();
        match self.random.below(6) {
            0 => format!("!{}", self.expr(&BOOL, depth.saturating_sub(1))),
            1 if depth > 0 => {
                let sign = *self.random.of(&["&&", "||"]);
                format!("({} {sign} {})", self.expr(&BOOL, depth - 1), self.expr(&BOOL, depth - 1))
            }
            2 if !comparing.is_empty() && self.affords(3) => {
                let class = Ty::Class(*self.random.of(&comparing));
                let sign = *self.random.of(&["==", "<"]);
                format!("({} {sign} {})", self.expr(&class, depth), self.expr(&class, depth))
            }
            _ => {
                let sign = *self.random.of(&["<", ">", "<=", ">=", "==", "!="]);
                format!("({} {sign} {})", self.number(depth), self.number(depth))
            }
        }
    }

    /// The name of a variable of the type.
    pub(super) fn local_of(&mut self, ty: &Ty, is_changed: bool) -> Option<String> {
        let names: Vec<String> = self
            .locals
            .iter()
            .filter(|local| !(is_changed && local.is_const))
            .filter_map(|local| match &local.what {
                What::Object(of) if of == ty => Some(local.name.clone()),
                What::Array(of, len) if of == ty => Some(format!("{}[{}]", local.name, len - 1)),
                _ => None,
            })
            .collect();
        (!names.is_empty()).then(|| self.random.of(&names).clone())
    }

    /// A call of a function without effects, with a result of the type or as a number.
    fn call_of_function(&mut self, ty: Option<&Ty>, depth: usize) -> Option<String> {
        let fits = |func: &&Func| {
            let is_pure = func.params.iter().all(|param| param.pass != Pass::Ref);
            !func.logs && is_pure && ty.is_none_or(|ty| *ty == func.result)
        };
        let funcs: Vec<Func> = self.funcs.iter().filter(fits).cloned().collect();
        if funcs.is_empty() {
            return None;
        }
        let func = self.random.of(&funcs).clone();
        if !self.affords(func.cost) {
            return None;
        }
        let args = self.args(&func.params, depth)?;
        let call = format!("{}({args})", func.name);
        Some(if ty.is_none() { self.as_number(&func.result, &call) } else { call })
    }

    /// The arguments of a call.
    pub(super) fn args(&mut self, params: &[Param], depth: usize) -> Option<String> {
        let mut args = Vec::new();
        for param in params {
            if param.is_optional && self.random.once_in(2) {
                break;
            }
            args.push(self.arg(param, depth)?);
        }
        Some(args.join(", "))
    }

    fn arg(&mut self, param: &Param, depth: usize) -> Option<String> {
        match param.pass {
            Pass::Ref => self.local_of(&param.ty, true),
            Pass::RvalueRef => {
                if let (true, Some(local)) = (self.random.once_in(2), self.local_of(&param.ty, true)) {
                    return Some(format!("static_cast<{} &&>({local})", self.spell(&param.ty)));
                }
                let number = self.number(depth);
                Some(self.of_number(&param.ty, &number))
            }
            Pass::Value | Pass::ConstRef => {
                if let Ty::Class(class) = param.ty {
                    if let (true, Some(derived)) = (self.random.once_in(3), self.derived_local(class)) {
                        return Some(derived);
                    }
                    let class = &self.classes[class];
                    if class.is_implicit && self.random.once_in(5) {
                        return Some(self.number(depth));
                    }
                    if class.kind == Kind::Aggregate && self.random.once_in(5) {
                        let Ty::Class(class) = param.ty else { return None };
                        let number = self.number(depth);
                        return Some(self.list(class, &number));
                    }
                    if class.kind == Kind::Tracked && !class.copies {
                        let number = self.number(depth);
                        return Some(self.of_number(&param.ty, &number));
                    }
                }
                Some(self.expr(&param.ty, depth))
            }
        }
    }

    /// A call of a member function that changes nothing.
    fn call_of_method(&mut self, ty: Option<&Ty>, depth: usize) -> Option<String> {
        let mut found = Vec::new();
        for &class in &self.visible {
            if self.classes[class].kind == Kind::Tracked {
                continue;
            }
            for method in &self.classes[class].methods {
                let is_pure = method.params.iter().all(|param| param.pass != Pass::Ref);
                if method.object != Object::Mutable && is_pure && ty.is_none_or(|ty| *ty == method.result) {
                    found.push((class, method.clone()));
                }
            }
        }
        if found.is_empty() {
            return if ty.is_none() { self.subscript(depth) } else { None };
        }
        let (class, method) = self.random.of(&found).clone();
        if !self.affords(method.cost) {
            return None;
        }
        let object = self.object(class, &method, depth);
        let args = self.args(&method.params, depth)?;
        let call = format!("{object}{}({args})", method.name);
        Some(if ty.is_none() { self.as_number(&method.result, &call) } else { call })
    }

    /// The object of a call, and `.`, or `::` of a static member function.
    fn object(&mut self, class: usize, method: &Func, depth: usize) -> String {
        let ty = Ty::Class(class);
        let spelled = self.spell(&ty);
        match method.object {
            Object::Static if self.random.once_in(2) => format!("{spelled}::"),
            Object::Rvalue => {
                let number = self.number(depth);
                format!("{}.", self.of_number(&ty, &number))
            }
            Object::Static | Object::Const | Object::ConstLvalue | Object::Mutable => {
                let object = self.expr(&ty, depth);
                if self.random.once_in(6) && self.local_of(&ty, false).as_deref() == Some(object.as_str()) {
                    format!("(&{object})->")
                } else {
                    format!("({object}).")
                }
            }
        }
    }

    /// `x[i]` or `x(i)` of an object.
    fn subscript(&mut self, depth: usize) -> Option<String> {
        let with: Vec<usize> = self
            .visible
            .iter()
            .copied()
            .filter(|&class| self.classes[class].has_subscript || self.classes[class].has_call)
            .collect();
        if with.is_empty() || !self.affords(3) {
            return None;
        }
        let class = *self.random.of(&with);
        let object = self.expr(&Ty::Class(class), depth);
        let number = self.number(depth);
        Some(match self.classes[class].has_subscript {
            true => format!("({object})[({number})]"),
            false => format!("({object})({number})"),
        })
    }
}
