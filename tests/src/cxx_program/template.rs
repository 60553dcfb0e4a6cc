//! Templates of classes and functions, their specializations and instances.

use super::Generator;
use super::class::Written;
use super::model::{
    Arg, Class, ClassTemplate, Form, Func, FuncTemplate, Kind, Local, NUMBERS, Param, Ty, UNSIGNED, What,
};

impl Generator {
    pub(super) fn class_template(&mut self) {
        let name = self.name("C");
        let full = self.qualified(&name);
        let params: Vec<(&'static str, bool)> =
            self.random.of(&[vec![("T", true)], vec![("T", true), ("N", false)], vec![("N", false)]]).clone();
        let outer = self.enter_template(&params);
        let kind = if self.chance(15) { Kind::Aggregate } else { Kind::Value };
        let names: Vec<&str> = params.iter().map(|(name, _)| *name).collect();
        let spelled = format!("{full}<{}>", names.join(", "));
        let mut interface = self.interface(&spelled, kind);
        self.add_bases(&mut interface);
        let args = own_args(&params);
        interface.of = Some((self.class_templates.len(), args));
        let class = self.declare_class(interface.clone());
        let head = head_of(&params);
        let (own, default) = (format!("{name}<{}>", names.join(", ")), self.random.once_in(4));
        let mut declared_head = head.clone();
        if default && params.last().is_some_and(|(name, _)| *name == "N") {
            self.line(format!("{} class {name};", head.replace("unsigned N", "unsigned N = 2u")));
            declared_head.clone_from(&head);
        }
        let written = Written {
            head: &declared_head,
            member_head: &head,
            name: &name,
            full: &own,
            declared: &name,
            class,
        };
        self.write_class(&written, &interface, true);
        self.leave_template(outer);
        let mut finished = self.classes[class].clone();
        // A call of a specialization may cost more.
        for method in &mut finished.methods {
            method.cost = 2 * method.cost + 5;
        }
        self.class_templates.push(ClassTemplate { name: full, params: params.clone(), class: finished });
        let template = self.class_templates.len() - 1;
        for _ in 0..self.random.below(3) {
            self.class_specialization(template, &name, &interface);
        }
    }

    /// A partial or explicit specialization, with the same interface.
    fn class_specialization(&mut self, template: usize, name: &str, interface: &Class) {
        let params = self.class_templates[template].params.clone();
        let mut left = Vec::new();
        let mut args = Vec::new();
        let fixed = self.random.below(params.len());
        for (idx, &(param, is_type)) in params.iter().enumerate() {
            if idx != fixed && self.chance(70) {
                left.push((param, is_type));
                args.push(if is_type { Arg::Type(Ty::Param(param)) } else { Arg::Value(param.to_owned()) });
            } else if is_type {
                args.push(Arg::Type(Ty::Number(self.random.below(NUMBERS.len()))));
            } else {
                args.push(Arg::Value(self.small_constant().0));
            }
        }
        let spelled = self.instance_name(template, &args);
        if self.specialized.contains(&spelled) {
            return;
        }
        self.specialized.push(spelled.clone());
        let outer = self.enter_template(&left);
        let mut interface = self.substituted(interface, &params, &args);
        // It has no bases, and so no more than the template says.
        interface.bases.clear();
        interface.inherited.clear();
        interface.spelled.clone_from(&spelled);
        interface.of = Some((template, args));
        let class = self.declare_class(interface.clone());
        let own = spelled.replacen(&self.class_templates[template].name, name, 1);
        let inner = spelled.rsplit("::").next().map_or(&*spelled, |_| &*own).to_owned();
        let head = head_of(&left);
        let written =
            Written { head: &head, member_head: &head, name, full: &inner, declared: &inner, class };
        // Members of an explicit specialization are defined outside without `template <>`.
        let written = if left.is_empty() {
            Written { head: "template <>", member_head: "", ..written }
        } else {
            written
        };
        self.write_class(&written, &interface, false);
        self.leave_template(outer);
        self.classes[class].spelled.push_str(" /* specialization */");
        self.visible.retain(|&visible| visible != class);
    }

    fn enter_template(&mut self, params: &[(&'static str, bool)]) -> (Option<&'static str>, usize, usize) {
        let outer = (self.type_param, self.visible.len(), self.constants.len());
        self.type_param = params.iter().find(|(_, is_type)| *is_type).map(|(name, _)| *name);
        if params.iter().any(|(_, is_type)| !is_type) {
            self.constants.push("N".to_owned());
        }
        outer
    }

    fn leave_template(&mut self, outer: (Option<&'static str>, usize, usize)) {
        self.type_param = outer.0;
        self.visible.truncate(outer.1);
        self.constants.truncate(outer.2);
    }

    fn instance_name(&self, template: usize, args: &[Arg]) -> String {
        let list: Vec<String> = args
            .iter()
            .map(|arg| match arg {
                Arg::Type(ty) => self.spell(ty),
                Arg::Value(text) => text.clone(),
            })
            .collect();
        format!("{}<{}>", self.class_templates[template].name, list.join(", "))
    }

    /// A type that is an instance of a class template, if there is one.
    pub(super) fn instance(&mut self) -> Option<Ty> {
        if self.class_templates.is_empty() {
            return None;
        }
        let template = self.random.below(self.class_templates.len());
        let args = self.template_args(template);
        let class = self.instantiate(template, args);
        Some(Ty::Class(class))
    }

    fn template_args(&mut self, template: usize) -> Vec<Arg> {
        let params = self.class_templates[template].params.clone();
        let values: Vec<usize> = self
            .visible
            .iter()
            .copied()
            .filter(|&class| {
                self.classes[class].kind == Kind::Value && self.classes[class].spelled.len() < 30
            })
            .collect();
        params
            .iter()
            .map(|(_, is_type)| match (is_type, self.random.below(4)) {
                (true, 0) if self.type_param.is_some() => Arg::Type(Ty::Param("T")),
                (true, 1) if !values.is_empty() => Arg::Type(Ty::Class(*self.random.of(&values))),
                (true, 2) if !self.enums.is_empty() => {
                    Arg::Type(Ty::Enum(self.random.of(&self.enums).clone()))
                }
                (true, _) => Arg::Type(Ty::Number(self.random.below(NUMBERS.len()))),
                (false, 0) if self.constants.last().is_some_and(|name| name == "N") => {
                    Arg::Value("N".to_owned())
                }
                (false, _) => Arg::Value(self.small_constant().0),
            })
            .collect()
    }

    /// The class of a template with these arguments.
    pub(super) fn instantiate(&mut self, template: usize, args: Vec<Arg>) -> usize {
        let spelled = self.instance_name(template, &args);
        if let Some(class) = self.classes.iter().position(|class| class.spelled == spelled) {
            return class;
        }
        let ClassTemplate { params, class, .. } = self.class_templates[template].clone();
        let mut instance = self.substituted(&class, &params, &args);
        instance.spelled = spelled;
        instance.of = Some((template, args));
        // A specialization may have none.
        instance.bases.clear();
        let number = self.classes.len();
        for (_, operand) in &mut instance.operators {
            *operand = Ty::Class(number);
        }
        self.classes.push(instance);
        self.visible.push(number);
        number
    }

    /// A class with its template's parameters replaced.
    fn substituted(&mut self, class: &Class, params: &[(&'static str, bool)], args: &[Arg]) -> Class {
        let mut class = class.clone();
        for (_, ty) in class.fields.iter_mut().chain(&mut class.types) {
            *ty = self.replaced(ty, params, args);
        }
        for method in &mut class.methods {
            method.result = self.replaced(&method.result, params, args);
            for Param { ty, .. } in &mut method.params {
                *ty = self.replaced(ty, params, args);
            }
        }
        class
    }

    fn replaced(&mut self, ty: &Ty, params: &[(&'static str, bool)], args: &[Arg]) -> Ty {
        match ty {
            Ty::Param(name) => params
                .iter()
                .zip(args)
                .find_map(|((param, _), arg)| match arg {
                    Arg::Type(ty) if param == name => Some(ty.clone()),
                    _ => None,
                })
                .unwrap_or_else(|| ty.clone()),
            Ty::Class(class) if self.is_dependent(ty) => {
                let Some((template, of)) = self.classes[*class].of.clone() else { return ty.clone() };
                let of = of
                    .iter()
                    .map(|arg| match arg {
                        Arg::Type(ty) => Arg::Type(self.replaced(ty, params, args)),
                        Arg::Value(text) => params
                            .iter()
                            .zip(args)
                            .find_map(|((param, is_type), arg)| match arg {
                                Arg::Value(value) if !is_type && param == text => {
                                    Some(Arg::Value(value.clone()))
                                }
                                _ => None,
                            })
                            .unwrap_or_else(|| arg.clone()),
                    })
                    .collect();
                Ty::Class(self.instantiate(template, of))
            }
            Ty::Class(_) | Ty::Number(_) | Ty::Enum(_) => ty.clone(),
        }
    }

    pub(super) fn function_template(&mut self) {
        let name = self.name("g");
        let form = match self.random.below(12) {
            0 => Form::Plain,
            1 => Form::Two,
            2 => Form::Number,
            3 => Form::Array,
            4 => Form::Pointer,
            5 | 6 => Form::Pack,
            7 => Form::Forward,
            8 => Form::Callable,
            9 => Form::Recursive,
            10 if !self.class_templates.is_empty() => {
                Form::OfTemplate(self.random.below(self.class_templates.len()))
            }
            _ => Form::Written,
        };
        let cost = self.template_of_form(&name, form);
        if form == Form::Plain {
            self.more_overloads(&name);
        }
        let name = self.qualified(&name);
        self.func_templates.push(FuncTemplate { name, form, cost: 2 * cost + 10 });
    }

    /// Writes a template. Returns what a call costs, for classes with cheap conversions.
    fn template_of_form(&mut self, name: &str, form: Form) -> u64 {
        let Head { head, list, objects, params } = match form {
            Form::Pack => return self.pack_template(name),
            Form::OfTemplate(template) => return self.template_of_instances(name, template),
            _ => Head::of(form),
        };
        let outer = self.enter_template(params);
        let locals = objects
            .into_iter()
            .map(|(name, ty)| Local { name: name.to_owned(), what: What::Object(ty), is_const: true })
            .collect();
        let saved = self.enter(locals);
        let result = *self.random.of(&["unsigned", "auto"]);
        self.line(format!("{head} __device__ {result} {name}({list}) {{"));
        match form {
            Form::Callable => {
                self.line("unsigned r = f(y) + f(y + 1u);");
                self.locals.push(Local {
                    name: "r".to_owned(),
                    what: What::Object(UNSIGNED),
                    is_const: false,
                });
            }
            Form::Recursive => {
                let value = self.number(1);
                self.line(format!("if constexpr (N > 1u) return {name}<N - 1u>({value} + N); else {{"));
            }
            Form::Forward => {
                self.line("if constexpr (same<T, unsigned &>::value) return 5u + x; else {");
            }
            _ if self.chance(40) && params.iter().any(|(_, is_type)| *is_type) => {
                let spelled = self.any_number();
                let value = self.number(2);
                self.line(format!("if constexpr (sizeof(T) == sizeof({spelled})) {{ return {value}; }}"));
            }
            _ => {}
        }
        self.body(&UNSIGNED, 2);
        if matches!(form, Form::Recursive | Form::Forward) {
            self.line("}");
        }
        let cost = self.leave_with_cost(saved);
        self.leave_template(outer);
        cost
    }

    fn any_number(&mut self) -> &'static str {
        NUMBERS[self.random.below(NUMBERS.len())]
    }

    fn pack_template(&mut self, name: &str) -> u64 {
        let outer = self.enter_template(&[]);
        let saved = self.enter(Vec::new());
        let number = self.number(1);
        match self.random.below(5) {
            0 => self.line(format!(
                "template <typename... Ts> __device__ unsigned {name}(const Ts &...xs) {{ return ({number} + ... + static_cast<unsigned>(xs)) * unsigned(sizeof...(Ts)); }}"
            )),
            1 => self.line(format!(
                "template <typename... Ts> __device__ unsigned {name}(Ts... xs) {{ unsigned r = {number}; ((r = r * 3u + static_cast<unsigned>(xs)), ...); return r; }}"
            )),
            2 => self.line(format!(
                "template <typename T, typename... Ts> __device__ unsigned {name}(T x, Ts... xs) {{ if constexpr (sizeof...(xs) > 0) return {name}(xs...) * 5u + static_cast<unsigned>(x); else return static_cast<unsigned>(x) + {number}; }}"
            )),
            3 => self.line(format!(
                "template <typename... Ts> __device__ unsigned {name}(Ts &&...xs) {{ unsigned t[] = {{{number}, static_cast<unsigned>(xs)...}}; unsigned r = 0u; for (unsigned x : t) r = r * 7u + x; return r + unsigned((sizeof(Ts) + ... + 0u)); }}"
            )),
            _ => {
                self.line(format!("template <typename T> __device__ unsigned {name}(T x) {{ return static_cast<unsigned>(x) ^ {number}; }}"));
                self.line(format!(
                    "template <typename T, typename U, typename... Ts> __device__ unsigned {name}(T x, U y, Ts... xs) {{ return {name}(y, xs...) * 3u + {name}(x); }}"
                ));
            }
        }
        let cost = self.leave_with_cost(saved);
        self.leave_template(outer);
        4 * cost
    }

    /// A function template of the instances of a class template.
    fn template_of_instances(&mut self, name: &str, template: usize) -> u64 {
        let params = self.class_templates[template].params.clone();
        let outer = self.enter_template(&params);
        let args = own_args(&params);
        let class = self.instantiate(template, args);
        let spelled = self.classes[class].spelled.clone();
        let local = Local { name: "x".to_owned(), what: What::Object(Ty::Class(class)), is_const: true };
        let saved = self.enter(vec![local]);
        self.line(format!("{} __device__ unsigned {name}(const {spelled} &x) {{", head_of(&params)));
        self.body(&UNSIGNED, 2);
        let cost = self.leave_with_cost(saved);
        self.leave_template(outer);
        cost
    }

    /// More templates and functions with the name of `(T x, unsigned y)`.
    fn more_overloads(&mut self, name: &str) {
        if self.chance(40) {
            let number = self.random.below(100);
            let ty = self.convertible_ty();
            if !self.is_dependent(&ty) {
                let spelled = self.spell(&ty);
                self.line(format!(
                    "template <> __device__ unsigned {name}<{spelled}>({spelled} x, unsigned y) {{ return static_cast<unsigned>(x) * {number}u + y; }}"
                ));
            }
        }
        if self.chance(40) && !self.class_templates.is_empty() {
            let template = self.random.below(self.class_templates.len());
            let ClassTemplate { name: of, params, .. } = self.class_templates[template].clone();
            let names: Vec<&str> = params.iter().map(|(name, _)| *name).collect();
            let number = self.random.below(100);
            self.line(format!(
                "{} __device__ unsigned {name}({of}<{}> x, unsigned y) {{ return {number}u ^ y; }}",
                head_of(&params),
                names.join(", ")
            ));
        }
        if self.chance(30) {
            let number = self.random.below(100);
            self.line(format!(
                "__device__ unsigned {name}(bool x, unsigned y) {{ return x ? {number}u : y; }}"
            ));
        }
    }

    /// A call of a function template.
    pub(super) fn call_of_template(&mut self, depth: usize) -> Option<String> {
        if self.func_templates.is_empty() {
            return None;
        }
        let FuncTemplate { name, form, cost } = self.random.of(&self.func_templates).clone();
        if !self.affords(cost) {
            return None;
        }
        let ty = self.convertible_ty();
        let spelled = self.spell(&ty);
        let number = self.number(depth);
        let small = self.small_constant().0;
        Some(match form {
            Form::Plain if self.random.once_in(3) => {
                format!("{name}<{spelled}>({}, {number})", self.expr(&ty, depth))
            }
            Form::Plain => format!("{name}({}, {number})", self.expr(&ty, depth)),
            Form::Two => {
                let other = self.convertible_ty();
                format!("{name}({}, {})", self.expr(&ty, depth), self.expr(&other, depth))
            }
            Form::Number => format!("{name}<{small}>({})", self.expr(&ty, depth)),
            Form::Array => {
                let array = self.array_name()?;
                format!("{name}({array})")
            }
            Form::Pointer => format!("{name}(&{}, {number})", self.local_of(&ty, false)?),
            Form::Pack => {
                let mut args = Vec::new();
                for _ in 0..1 + self.random.below(3) {
                    let ty = self.convertible_ty();
                    args.push(self.expr(&ty, depth));
                }
                format!("{name}({})", args.join(", "))
            }
            Form::Forward => format!("{name}({})", self.expr(&ty, depth)),
            Form::Callable => format!("{name}({}, {number})", self.callable(depth)?),
            Form::OfTemplate(template) => {
                let args = self.template_args(template);
                let class = self.instantiate(template, args);
                format!("{name}({})", self.expr(&Ty::Class(class), depth))
            }
            Form::Recursive => format!("{name}<{small}>({number})"),
            Form::Written => format!("{name}<{spelled}>()"),
        })
    }

    fn array_name(&mut self) -> Option<String> {
        let names: Vec<String> = self
            .locals
            .iter()
            .filter_map(|local| match &local.what {
                What::Array(Ty::Class(class), _) if self.classes[*class].kind != Kind::Value => None,
                What::Array(..) => Some(local.name.clone()),
                _ => None,
            })
            .collect();
        (!names.is_empty()).then(|| self.random.of(&names).clone())
    }

    /// What can be called with a number: a lambda expression, a closure, an object, a function.
    fn callable(&mut self, depth: usize) -> Option<String> {
        let closures: Vec<String> = self
            .locals
            .iter()
            .filter(|local| matches!(local.what, What::Closure { n_params: 1, .. }))
            .map(|local| local.name.clone())
            .collect();
        let callable: Vec<usize> =
            self.visible.iter().copied().filter(|&class| self.classes[class].has_call).collect();
        let functions: Vec<String> =
            self.funcs.iter().filter(|func| is_of_number(func)).map(|func| func.name.clone()).collect();
        match self.random.below(4) {
            0 if !closures.is_empty() => Some(self.random.of(&closures).clone()),
            1 if !callable.is_empty() => {
                let class = Ty::Class(*self.random.of(&callable));
                Some(self.expr(&class, depth))
            }
            2 if !functions.is_empty() => Some(self.random.of(&functions).clone()),
            _ if self.no_lambdas => None,
            _ => Some(self.lambda(1, depth)),
        }
    }
}

/// The head of a function template that is no pack: how its parameters are written, and what can be named in its body.
struct Head {
    head: &'static str,
    list: &'static str,
    /// Values that depend on the parameters, and their types.
    objects: Vec<(&'static str, Ty)>,
    /// The template parameters that the body names.
    params: &'static [(&'static str, bool)],
}

impl Head {
    fn of(form: Form) -> Head {
        let typed: &[(&'static str, bool)] = &[("T", true)];
        let t = |name| (name, Ty::Param("T"));
        let y = ("y", UNSIGNED);
        let (head, list, objects, params) = match form {
            Form::Plain => ("template <typename T>", "T x, unsigned y", vec![t("x"), y], typed),
            Form::Two => {
                let objects = vec![t("x"), ("y", Ty::Param("U"))];
                ("template <typename T, typename U>", "const T &x, U y", objects, typed)
            }
            Form::Number => {
                let params: &[_] = &[("N", false), ("T", true)];
                ("template <unsigned N, typename T>", "T x", vec![t("x")], params)
            }
            Form::Array => {
                let params: &[_] = &[("T", true), ("N", false)];
                ("template <typename T, unsigned N>", "T (&x)[N]", vec![t("x[N - 1u]")], params)
            }
            Form::Pointer => ("template <typename T>", "const T *x, unsigned y", vec![t("*x"), y], typed),
            Form::Forward => ("template <typename T>", "T &&x", vec![("x", Ty::Param("auto"))], &[] as &[_]),
            Form::Callable => ("template <typename F>", "F f, unsigned y", vec![y], &[] as &[_]),
            Form::Recursive => {
                let params: &[_] = &[("N", false)];
                ("template <unsigned N>", "unsigned y", vec![y], params)
            }
            Form::Written | Form::Pack | Form::OfTemplate(_) => {
                ("template <typename T>", "", Vec::new(), typed)
            }
        };
        Head { head, list, objects, params }
    }
}

fn is_of_number(func: &Func) -> bool {
    func.name.contains('c')
        && func.params.len() == 1
        && func.result == UNSIGNED
        && func.params[0].ty == UNSIGNED
        && !func.logs
}

/// The parameters of a template as its own arguments.
fn own_args(params: &[(&'static str, bool)]) -> Vec<Arg> {
    let arg = |&(name, is_type): &(&'static str, bool)| match is_type {
        true => Arg::Type(Ty::Param(name)),
        false => Arg::Value(name.to_owned()),
    };
    params.iter().map(arg).collect()
}

fn head_of(params: &[(&'static str, bool)]) -> String {
    let list: Vec<String> = params
        .iter()
        .map(|(name, is_type)| if *is_type { format!("typename {name}") } else { format!("unsigned {name}") })
        .collect();
    format!("template <{}>", list.join(", "))
}
