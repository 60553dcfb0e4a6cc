//! Symbols of functions and variables.
//!
//! In: a [`Module`]. Out: the symbols that nvcc gives the same declarations: the Itanium C++ ABI's
//! (5.1) for C++ names, plain names for `extern "C"`, variables of the global namespace and names that
//! `__asm__` specifies.
//!
//! Internal names need only be unique in the module. nvcc puts functions, and variables of namespaces, into a namespace named after the
//! file and a hash; here they get the `L` of GCC and clang (`_ZL3foov`), so that the output does not
//! depend on the file's name, and unnamed namespaces their `_GLOBAL__N_1`. Variables of a file keep their plain names. Kernels are named as if they were not `static`, like nvcc without `-rdc=true`; where files are
//! linked, they and `static` variables are named after their [translation unit](super::unit), like nvcc's. String literals are
//! named `$str`, as in nvcc. If another entity
//! has this name, `$1` is appended.
//!
//! **Invariant**: two entities of a module that are not the same get different symbols, unless
//! both are exported: those have the symbols that the program specifies, and
//! [`conflicts`](super::conflict) reports collisions.

mod class_name;
mod dependent;
mod local_name;

use std::collections::HashSet;

use cranelift_entity::PrimaryMap;
use weft_frontend::ir::{
    Address, Addressed, ClassTemplate, DependentTy, DependentValue, Func, FuncTy, Function, FunctionKind,
    Global, GlobalData, LinkName, Linkage, Method, MethodKind, Module, Namespace, Quals, Record, RefKind,
    Space, TemplateArg, Ty, TyKind, TypeTable,
};

use super::operator;
use super::unit::UnitName;

/// The symbols of a module.
#[derive(Clone, Debug)]
pub struct Symbols {
    /// The symbols of functions.
    pub functions: PrimaryMap<Func, String>,
    /// The symbols of variables.
    pub globals: PrimaryMap<Global, String>,
}

impl Symbols {
    /// Names everything in a module that is not linked with others.
    pub fn of(module: &Module) -> Symbols {
        Symbols::in_unit(module, None)
    }

    /// Names everything in a module; `unit` is given if other translation units may have static kernels and
    /// variables, too.
    pub fn in_unit(module: &Module, unit: Option<&UnitName>) -> Symbols {
        let mut locals = std::collections::HashMap::new();
        let mut n_strings = 0;
        let mut next = |data: &GlobalData| {
            let n_before = match (&data.name, data.owner) {
                (None, _) => &mut n_strings,
                (Some(name), owner) => locals.entry((name.clone(), owner)).or_insert(0),
            };
            *n_before += 1;
            *n_before - 1
        };
        let globals = module.globals.values();
        let mut symbols = Symbols {
            functions: module.functions.keys().map(|func| function_symbol(module, func)).collect(),
            globals: globals
                .map(|data| {
                    let n_before = if data.is_extern { 0 } else { next(data) };
                    variable_symbol(module, data, n_before)
                })
                .collect(),
        };
        if let Some(unit) = unit {
            symbols.name_statics(module, unit);
        }
        symbols.part(module);
        symbols
    }

    /// Names static kernels and variables, which hosts look up by symbol, after the translation unit.
    fn name_statics(&mut self, module: &Module, unit: &UnitName) {
        for (func, symbol) in &mut self.functions {
            let function = &module.functions[func];
            let is_kernel = matches!(function.kind, FunctionKind::Kernel(_));
            let is_labelled = matches!(function.link_name, LinkName::Asm { .. });
            if is_kernel && !is_labelled && function.linkage == Linkage::Internal {
                *symbol = unit.of_static(symbol);
            }
        }
        for (global, symbol) in &mut self.globals {
            let data = &module.globals[global];
            let is_labelled = matches!(data.link_name, LinkName::Asm { .. });
            // Those of functions and in shared memory keep their names, like in nvcc.
            let is_of_file = data.owner.is_none() && data.space != Space::Shared;
            if data.name.is_some() && is_of_file && !is_labelled && data.linkage == Linkage::Internal {
                *symbol = unit.of_static(symbol);
            }
        }
    }

    /// Gives internal entities unique symbols.
    fn part(&mut self, module: &Module) {
        let is_internal_func = |func| module.functions[func].linkage == Linkage::Internal;
        let is_internal_global = |global| module.globals[global].linkage == Linkage::Internal;
        let mut taken = HashSet::with_capacity(self.functions.len() + self.globals.len());
        // Exported entities must keep their symbols, so they come first.
        for (func, symbol) in &self.functions {
            if !is_internal_func(func) {
                taken.insert(symbol.clone());
            }
        }
        for (global, symbol) in &self.globals {
            if !is_internal_global(global) {
                taken.insert(symbol.clone());
            }
        }
        let mut find = |symbol: &mut String| {
            let mut number = 0;
            let mut free = symbol.clone();
            while !taken.insert(free.clone()) {
                number += 1;
                free = format!("{symbol}${number}");
            }
            *symbol = free;
        };
        self.functions
            .iter_mut()
            .filter(|&(func, _)| is_internal_func(func))
            .for_each(|(_, symbol)| find(symbol));
        let globals = self.globals.iter_mut().filter(|&(global, _)| is_internal_global(global));
        globals.for_each(|(_, symbol)| find(symbol));
    }
}

/// The symbol of a function.
pub fn function_symbol(module: &Module, func: Func) -> String {
    let function = &module.functions[func];
    match &function.link_name {
        LinkName::Asm { symbol, .. } => symbol.clone(),
        LinkName::C | LinkName::Cxx => unlabelled_function_symbol(module, function),
    }
}

/// The symbol of a function, ignoring its asm label.
pub(super) fn unlabelled_function_symbol(module: &Module, function: &Function) -> String {
    if is_plain(function) { function.name.clone() } else { format!("_Z{}", encoding(module, function)) }
}

/// Whether a function has C language linkage: its symbol is its name, unless there is an asm label.
fn is_plain(function: &Function) -> bool {
    // C++17 10.5p6: an internal entity does not have C language linkage.
    let is_c = matches!(function.link_name, LinkName::C | LinkName::Asm { is_c: true, .. });
    is_c && function.linkage != Linkage::Internal
}

/// The symbol of a variable with static storage duration.
///
/// This counts the earlier ones of the same name: for a whole module, use [`Symbols::of`].
pub fn global_symbol(module: &Module, global: Global) -> String {
    let data = &module.globals[global];
    let is_alike = |other: &GlobalData| !other.is_extern && other.name == data.name;
    let is_sibling =
        |other: &GlobalData| is_alike(other) && (data.name.is_none() || other.owner == data.owner);
    let before = module.globals.iter().take_while(|&(other, _)| other != global);
    let n_before = before.filter(|(_, other)| is_sibling(other)).count();
    variable_symbol(module, data, n_before)
}

/// `n_before` is the number of earlier variables with the same name and owner.
fn variable_symbol(module: &Module, data: &GlobalData, n_before: usize) -> String {
    if let LinkName::Asm { symbol, .. } = &data.link_name {
        return symbol.clone();
    }
    match (&data.name, data.owner) {
        (None, _) if n_before == 0 => "$str".to_owned(),
        (None, _) => format!("$str_{n_before}"),
        (Some(name), Some(owner)) if !data.is_extern => {
            let owner = encoding(module, &module.functions[owner]);
            format!("_ZZ{owner}E{}{}", source_name(name), discriminator(n_before))
        }
        (Some(name), _) if data.namespace == Namespace::GLOBAL || data.link_name == LinkName::C => {
            name.clone()
        }
        (Some(name), _) => {
            let mut mangler = Mangler::new(module, "_Z");
            mangler.entity(data.namespace, data.linkage == Linkage::Internal, &source_name(name), &[]);
            mangler.out
        }
    }
}

/// `<discriminator>`: empty for the first of its name in a function.
fn discriminator(n_before: usize) -> String {
    match n_before.checked_sub(1) {
        None => String::new(),
        Some(n @ 0..10) => format!("_{n}"),
        Some(n) => format!("__{n}_"),
    }
}

/// Whether an unnamed struct or enum is part of a function's symbol.
pub(crate) fn has_unnamed_type(module: &Module, func: Func) -> bool {
    let function = &module.functions[func];
    function.link_name == LinkName::Cxx && mangled(module, function).has_unnamed
}

/// `<encoding>` of a function.
fn encoding(module: &Module, function: &Function) -> String {
    mangled(module, function).out
}

/// `<encoding>` of a function.
fn mangled<'a>(module: &'a Module, function: &Function) -> Mangler<'a> {
    let mut mangler = Mangler::new(module, "");
    mangler.encoding(function);
    mangler
}

/// A mangled name under construction.
struct Mangler<'a> {
    types: &'a TypeTable,
    functions: &'a PrimaryMap<Func, Function>,
    globals: &'a PrimaryMap<Global, GlobalData>,
    out: String,
    /// The components that a `<substitution>` can refer to, in the order of completion.
    components: Vec<Component>,
    /// Whether it contains an `<unnamed-type-name>`, or the name of a type in an unnamed namespace.
    has_unnamed: bool,
    /// In how many templates the one is on whose parameters types depend.
    depth: u32,
}

/// What a `<substitution>` stands for.
#[derive(PartialEq)]
enum Component {
    /// A type, and if it depends on parameters in how many templates these are.
    Type(TyKind, Quals, u32),
    Namespace(Namespace),
    /// A template, by its `<unqualified-name>`.
    Template(Namespace, String),
    /// A template that is a member.
    MemberTemplate(Record, MethodKind, String),
    /// A template that is a member of a type which depends on parameters.
    DependentTemplate(Ty, String),
}

impl<'a> Mangler<'a> {
    /// For another name, which shares no substitutions with this one.
    fn apart(&self, prefix: &str) -> Self {
        let (out, components) = (prefix.to_owned(), Vec::new());
        Mangler {
            types: self.types,
            functions: self.functions,
            globals: self.globals,
            out,
            components,
            has_unnamed: false,
            depth: 0,
        }
    }

    fn new(module: &'a Module, prefix: &str) -> Self {
        Mangler {
            types: &module.types,
            functions: &module.functions,
            globals: &module.globals,
            out: prefix.to_owned(),
            components: Vec::new(),
            has_unnamed: false,
            depth: 0,
        }
    }

    /// `<encoding>` of a function: its name, and its parameters unless it has C language linkage.
    fn encoding(&mut self, function: &Function) {
        // A `static` kernel is named like others, so that the host finds it.
        let is_kernel = matches!(function.kind, FunctionKind::Kernel(_));
        let is_local = function.linkage == Linkage::Internal && !is_kernel;
        let namespace = if is_plain(function) { Namespace::GLOBAL } else { function.namespace };
        let n_params = self.types.func(function.ty).map_or(0, |ty| ty.params.len());
        let name = match operator::code(&function.name, n_params) {
            Some(code) => code.to_owned(),
            None => source_name(&function.name),
        };
        if let Some(method) = &function.method {
            return self.method(method, function, &name);
        }
        let instance = function.instance.as_deref();
        self.entity(namespace, is_local, &name, instance.map_or(&[], |instance| &instance.args));
        if let Some(func) = instance.and_then(|instance| self.types.func(instance.pattern)) {
            // As the template declares them, the result included.
            self.ty(func.ret);
            return self.params(func);
        }
        if let Some(ty) = self.types.func(function.ty).filter(|_| !is_plain(function)) {
            self.params(ty);
        }
    }

    /// `<name>` of a function or variable, by its `<unqualified-name>` and the arguments of an instance. One that `is_local` is of this
    /// object alone.
    fn entity(&mut self, namespace: Namespace, is_local: bool, name: &str, args: &[TemplateArg]) {
        let is_nested = self.is_nested(namespace);
        if is_nested {
            self.out.push('N');
        }
        let template = Component::Template(namespace, name.to_owned());
        // An argument may be an instance of the same template.
        if args.is_empty() || !self.substitution(&template) {
            if namespace != Namespace::GLOBAL {
                self.namespace(namespace);
            }
            // What is in an unnamed namespace does not say it again.
            if is_local && !self.has_unnamed {
                self.out.push('L');
            }
            self.has_unnamed = false;
            self.out.push_str(name);
            if !args.is_empty() {
                self.components.push(template);
            }
        }
        if !args.is_empty() {
            self.template_args(args);
        }
        if is_nested {
            self.out.push('E');
        }
    }

    /// Whether the names in a namespace are `<nested-name>`s; those of `std` are not (Itanium C++ ABI 5.1.2).
    fn is_nested(&self, namespace: Namespace) -> bool {
        namespace != Namespace::GLOBAL && !self.types.is_std(namespace)
    }

    /// `<encoding>` of a member function, by its `<unqualified-name>`.
    fn method(&mut self, method: &Method, function: &Function, name: &str) {
        let instance = function.instance.as_deref();
        // As the template declares them.
        let ty = instance.map_or(function.ty, |instance| instance.pattern);
        let Some(func) = self.types.func(ty) else { return };
        let mut own = func.clone();
        let owner = self.owner_of(method.class);
        if let Some(owner) = owner {
            self.local_prefix(owner);
        }
        self.out.push('N');
        if !method.is_static {
            let this = own.params.remove(0);
            self.qualifiers(
                self.types.pointee(this).map_or(Quals::empty(), |object| self.types.quals(object)),
            );
            self.out.push_str(match method.ref_qualifier {
                Some(RefKind::Lvalue) => "R",
                Some(RefKind::Rvalue) => "O",
                None => "",
            });
        }
        self.prefix(method.class);
        self.has_unnamed = false;
        match method.kind {
            MethodKind::Named => self.out.push_str(name),
            // Without virtual bases, those of a whole object and of a base do the same.
            MethodKind::Constructor | MethodKind::BaseConstructor if method.inherits.is_some() => {}
            MethodKind::Constructor => self.out.push_str("C1"),
            MethodKind::BaseConstructor => self.out.push_str("C2"),
            MethodKind::Destructor => self.out.push_str("D1"),
            MethodKind::BaseDestructor => self.out.push_str("D2"),
            MethodKind::Conversion => {
                self.out.push_str("cv");
                self.ty(own.ret);
            }
        }
        if let Some(base) = method.inherits {
            self.inherited(method.kind, base);
        }
        if let Some(instance) = instance {
            self.components.push(Component::MemberTemplate(method.class, method.kind, name.to_owned()));
            self.template_args(&instance.args);
        }
        self.out.push('E');
        self.local_suffix(owner);
        self.in_member_of(method.inherits.unwrap_or(method.class), |mangler| {
            if instance.is_some() && matches!(method.kind, MethodKind::Named) {
                mangler.ty(own.ret);
            }
            mangler.params(&own);
        });
    }

    /// `CI1 <base class type>`, of a constructor that is inherited.
    fn inherited(&mut self, kind: MethodKind, base: Record) {
        self.out.push_str(if kind == MethodKind::BaseConstructor { "CI2" } else { "CI1" });
        let component = self.type_component(&TyKind::Record(base), Quals::empty());
        // Like nvcc, which does not count it among the components that others repeat.
        if !self.substitution(&component) {
            self.record(base);
        }
    }

    /// `<CV-qualifiers>`
    fn qualifiers(&mut self, quals: Quals) {
        for (qual, letter) in [(Quals::RESTRICT, 'r'), (Quals::VOLATILE, 'V'), (Quals::CONST, 'K')] {
            if quals.contains(qual) {
                self.out.push(letter);
            }
        }
    }

    /// `<template-args>`
    fn template_args(&mut self, args: &[TemplateArg]) {
        self.out.push('I');
        args.iter().for_each(|arg| self.template_arg(arg));
        self.out.push('E');
    }

    fn template_arg(&mut self, arg: &TemplateArg) {
        match arg {
            TemplateArg::Type(ty) => self.ty(*ty),
            TemplateArg::Value(ty, value) => self.literal(*ty, *value),
            TemplateArg::Address(ty, address) => self.address(*ty, address),
            TemplateArg::Template(template) => self.template_name(*template),
            TemplateArg::Dependent(value @ DependentValue::Variable(..)) => self.dependent_value(value),
            TemplateArg::Dependent(value) => {
                // nvcc leaves out that it expands a pack.
                let value = match value {
                    DependentValue::Operator("sp", values) => &values[0],
                    value => value,
                };
                self.out.push('X');
                self.dependent_value(value);
                self.out.push('E');
            }
            TemplateArg::Pack(args) => {
                self.out.push('J');
                args.iter().for_each(|arg| self.template_arg(arg));
                self.out.push('E');
            }
        }
    }

    /// `<expr-primary>` of what a reference refers to, or an expression that takes its address.
    fn address(&mut self, ty: Ty, address: &Address) {
        let is_pointer = self.types.reference(ty).is_none();
        self.out.push_str(if is_pointer { "XadL_Z" } else { "L_Z" });
        match address.of {
            Addressed::Func(func) => self.encoding(&self.functions[func]),
            Addressed::Global(global) => {
                let data = &self.globals[global];
                self.entity(
                    data.namespace,
                    data.linkage == Linkage::Internal,
                    &source_name(&address.name),
                    &[],
                );
            }
        }
        self.out.push_str(if is_pointer { "EE" } else { "E" });
    }

    /// `<expr-primary>` of an integer or enum type.
    fn literal(&mut self, ty: Ty, value: i128) {
        self.out.push('L');
        self.ty(ty);
        if value < 0 {
            self.out.push('n');
        }
        self.out.push_str(&value.unsigned_abs().to_string());
        self.out.push('E');
    }

    /// `<type>` of an instance of a class template.
    fn class_instance(&mut self, template: ClassTemplate, args: &[TemplateArg]) {
        let data = &self.types.class_templates[template];
        let is_nested = self.is_nested(data.namespace) || data.outer.is_some();
        if is_nested {
            self.out.push('N');
        }
        self.template_prefix(template);
        self.template_args(args);
        if is_nested {
            self.out.push('E');
        }
    }

    /// `<template-prefix>` of a class template.
    fn template_prefix(&mut self, template: ClassTemplate) {
        let component = self.template_component(template);
        if self.substitution(&component) {
            return;
        }
        let data = &self.types.class_templates[template];
        let name = source_name(&data.name);
        if let Some(outer) = data.outer {
            self.prefix(outer);
        } else if data.namespace != Namespace::GLOBAL {
            self.namespace(data.namespace);
        }
        self.out.push_str(&name);
        self.components.push(component);
    }

    fn template_component(&self, template: ClassTemplate) -> Component {
        let data = &self.types.class_templates[template];
        let name = source_name(&data.name);
        match data.outer {
            Some(outer) => Component::MemberTemplate(outer, MethodKind::Named, name),
            None => Component::Template(data.namespace, name),
        }
    }

    /// `<name>` of a template of types, as an argument.
    fn template_name(&mut self, template: ClassTemplate) {
        let component = self.template_component(template);
        if self.substitution(&component) {
            return;
        }
        let data = &self.types.class_templates[template];
        let is_nested = self.is_nested(data.namespace) || data.outer.is_some();
        self.out.push_str(if is_nested { "N" } else { "" });
        self.template_prefix(template);
        self.out.push_str(if is_nested { "E" } else { "" });
    }

    /// `<prefix>` that ends in a namespace.
    fn namespace(&mut self, namespace: Namespace) {
        if self.types.is_std(namespace) {
            self.out.push_str("St");
            return;
        }
        let component = Component::Namespace(namespace);
        let data = &self.types.namespaces[namespace];
        self.has_unnamed |= data.name.is_none();
        if self.substitution(&component) {
            return;
        }
        if let Some(parent) = data.parent.filter(|&parent| parent != Namespace::GLOBAL) {
            self.namespace(parent);
        }
        self.out.push_str(&source_name(data.name.as_deref().unwrap_or("_GLOBAL__N_1")));
        self.components.push(component);
    }

    /// The parameters of a `<bare-function-type>`.
    fn params(&mut self, func: &FuncTy) {
        if func.params.is_empty() && !func.variadic {
            self.out.push('v');
        }
        for &param in &func.params {
            self.ty(param);
        }
        if func.variadic {
            self.out.push('z');
        }
    }

    /// `<type>`
    fn ty(&mut self, ty: Ty) {
        let quals = self.types.written_quals(self.types.canonical(ty));
        let kind = self.types.kind(ty).clone();
        if quals.is_empty() {
            return self.unqualified(kind);
        }
        let component = self.type_component(&kind, quals);
        if self.substitution(&component) {
            return;
        }
        self.qualifiers(quals);
        self.unqualified(kind);
        self.components.push(component);
    }

    fn type_component(&self, kind: &TyKind, quals: Quals) -> Component {
        let is_dependent = match kind {
            TyKind::Dependent(_) => true,
            TyKind::Pointer(inner) | TyKind::Reference(inner, _) | TyKind::Array(inner, _) => {
                self.types.is_dependent(*inner)
            }
            TyKind::Func(func) => {
                func.params.iter().chain([&func.ret]).any(|&part| self.types.is_dependent(part))
            }
            _ => false,
        };
        Component::Type(kind.clone(), quals, if is_dependent { self.depth } else { 0 })
    }

    fn unqualified(&mut self, kind: TyKind) {
        if let Some(code) = kind.itanium_code() {
            return self.out.push_str(code);
        }
        // `auto` is as good as built in.
        if let TyKind::Dependent(dependent) = kind
            && let DependentTy::Auto | DependentTy::DecltypeAuto = self.types.dependent_of(dependent)
        {
            return self.dependent(self.types.dependent_of(dependent));
        }
        let component = self.type_component(&kind, Quals::empty());
        if self.substitution(&component) {
            return;
        }
        match &kind {
            TyKind::Pointer(pointee) => {
                self.out.push('P');
                self.ty(*pointee);
            }
            TyKind::Reference(referred, kind) => {
                self.out.push(match kind {
                    RefKind::Lvalue => 'R',
                    RefKind::Rvalue => 'O',
                });
                self.ty(*referred);
            }
            TyKind::Array(elem, len) => {
                let len = len.map(|len| len.to_string()).unwrap_or_default();
                self.out.push_str(&format!("A{len}_"));
                self.ty(*elem);
            }
            TyKind::Func(func) => {
                self.out.push('F');
                self.ty(func.ret);
                self.params(func);
                self.out.push('E');
            }
            TyKind::Record(record) => self.record(*record),
            TyKind::Enum(enum_) => self.enum_(*enum_),
            TyKind::Dependent(dependent) => {
                let dependent = self.types.dependent_of(*dependent);
                self.dependent(dependent);
            }
            TyKind::Opaque(opaque) => self.out.push_str(&source_name(&self.types.opaques[*opaque].tag)),
            // The canonical type has no typedef names, and the others are built-in.
            TyKind::Error
            | TyKind::Void
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Nullptr
            | TyKind::Typedef(_) => {}
        }
        self.components.push(component);
    }

    /// Writes the `<substitution>` for a component that occurred before.
    fn substitution(&mut self, component: &Component) -> bool {
        let Some(idx) = self.components.iter().position(|known| known == component) else { return false };
        self.out.push('S');
        if let Some(number) = idx.checked_sub(1) {
            self.out.push_str(&base_36(number));
        }
        self.out.push('_');
        true
    }
}

/// `<source-name>`. Non-ASCII letters are escaped like in nvcc.
fn source_name(name: &str) -> String {
    if name.is_ascii() {
        return format!("{}{name}", name.len());
    }
    let written = name.chars().map(|c| match u32::from(c) {
        0..0x80 => c.to_string(),
        code @ 0x80..0x1_0000 => format!("_u{code:04x}"),
        code => format!("_U{code:08x}"),
    });
    let written: String = written.collect();
    format!("{}{written}", written.len())
}

/// `<seq-id>`: digits and capitals.
fn base_36(mut number: usize) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % 36]));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
#[path = "mangle_tests.rs"]
mod tests;
