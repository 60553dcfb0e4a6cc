//! Function templates (C++17 clause 17): a template is its tokens, and an instance is made by reading them again with the parameters bound.
//!
//! Only the signature is looked at where a template is declared: with the parameters bound to [types that depend on
//! them](crate::ir::DependentTy), which say what arguments deduce and how symbols are formed.
//!
//! - this file: which templates there are, and their declarations
//! - [`argument`]: the arguments of an instance; [`deduction`]: those that a call says
//! - [`instance`]: the functions that are instances
//! - [`special`]: explicit specializations and instantiations
//! - [`pattern`]: values in signatures that depend on parameters

mod argument;
mod deduction;
mod instance;
mod pattern;
mod special;

use std::mem;
use std::rc::Rc;

use cranelift_entity::PrimaryMap;
use hashbrown::{HashMap, HashSet};

use super::Templates;
use super::call::overload::Overloads;
use super::constant::const_eval::Value;
use super::context::{Cx, Evaluation};
use super::declaration::deduced_result::placeholder;
use super::name::scope::{Entity, NamedConst};
use crate::ast::{self, DeclKind, Name, TemplateDecl, TemplateParam, TemplateParamKind, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{DependentTy, Func, Namespace, TemplateArg, Ty};
use crate::parse::{Bound, Place, Rereader};
use crate::source::Span;
use crate::token::{Symbol, TokenKind};

pub(super) use deduction::Mismatch;
use instance::{Link, Pending};

/// A function template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Template(u32);
cranelift_entity::entity_impl!(Template, "template");

/// What is known of a template.
pub(super) struct TemplateData {
    pub(super) name: Name,
    pub(super) namespace: Namespace,
    /// The first, then the definition, if that is another.
    declarations: Vec<Rc<TemplateDecl>>,
    /// The function type, with types that depend on the parameters.
    pub(super) pattern: Ty,
    /// Which parameters of the function have default arguments: where.
    defaults: Vec<Option<Span>>,
    /// What names mean in it was declared before.
    horizon: Horizon,
    /// By the arguments; none if there can be none.
    instances: HashMap<Vec<TemplateArg>, Option<Func>>,
}

impl TemplateData {
    fn first(&self) -> &Rc<TemplateDecl> {
        &self.declarations[0]
    }

    fn definition(&self) -> Option<&Rc<TemplateDecl>> {
        self.declarations.iter().find(|declaration| declaration.is_definition)
    }
}

/// How much was declared at some place of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Horizon {
    n_functions: u32,
    n_names: u32,
    n_templates: u32,
}

/// What is remembered of templates.
#[derive(Default)]
pub(super) struct TemplateFacts {
    pub(super) templates: PrimaryMap<Template, TemplateData>,
    /// The templates that instances come from.
    of_instances: HashMap<Func, Template>,
    /// The instances that are to be made whether something uses them or not.
    instantiated: HashSet<Func>,
    /// The instances whose bodies are still to be made.
    pending: Vec<Pending>,
    /// The signature of a template is being read, in which parameters stand for nothing.
    pub(super) reads_pattern: bool,
    /// The parameters of the template whose text is being checked.
    open_params: Vec<Name>,
    /// How many signatures are being made within one another.
    depth: u32,
    n_instances: u32,
    /// The instance whose body is being made, with those that need it.
    chain: Option<Rc<Link>>,
}

/// What the parameters of a template stand for.
#[derive(Clone, Copy)]
enum Binding<'b> {
    /// Nothing yet: the signature is read.
    Pattern,
    Arguments(&'b [TemplateArg]),
}

impl<'a> Templates<'a> {
    /// A template at file scope.
    pub(super) fn declare_template(&mut self, declaration: &Rc<TemplateDecl>) -> Result<(), Reported> {
        let name = declaration.name;
        let namespace = self.scopes.namespace();
        self.check_params(&declaration.params)?;
        let (pattern, defaults) = self.pattern_of(declaration, namespace)?;
        let horizon = self.horizon_here();
        self.known.has_operators |= name.symbol.operator().is_some();
        if self.scopes.has_namespaces() {
            self.known.names_of_namespaces.insert(name.symbol);
        }
        let before = self.scopes.get_here(name.symbol);
        let mut overloads = match before.map(|before| before.entity) {
            None => Overloads::default(),
            Some(Entity::Func(func)) => {
                Overloads { funcs: [func].into_iter().collect(), ..Overloads::default() }
            }
            Some(Entity::Overloads(id)) => self.known.overloads[id].clone(),
            Some(Entity::Host(_)) => Overloads::default(),
            Some(_) => {
                let previous = before.expect("invariant: it has been found");
                return Err(self.names().redefinition(name, previous));
            }
        };
        let known = overloads.templates.iter().copied().find(|&template| {
            self.known.templates.templates[template].namespace == namespace
                && self.is_same_template(template, declaration, pattern)
        });
        if let Some(template) = known {
            return self.declare_again(template, declaration, &defaults);
        }
        let data = TemplateData {
            name,
            namespace,
            declarations: vec![declaration.clone()],
            pattern,
            defaults,
            horizon,
            instances: HashMap::new(),
        };
        let template = self.known.templates.templates.push(data);
        let spelling = self.spelling(name.symbol);
        overloads.builtin = overloads
            .builtin
            .or(self.builtins_ref().find_declarable(spelling).filter(|_| self.scopes.is_global()));
        overloads.templates.push(template);
        match before.map(|before| before.entity) {
            Some(Entity::Overloads(id)) => self.known.overloads[id] = overloads,
            _ => {
                let id = self.known.overloads.push(overloads);
                self.scopes.bind(name.symbol, Entity::Overloads(id), name.span);
            }
        }
        // It is known in its own text.
        self.known.templates.templates[template].horizon = self.horizon_here();
        Ok(())
    }

    /// What may not be among the parameters of a function template.
    fn check_params(&mut self, params: &[TemplateParam]) -> Result<(), Reported> {
        for (idx, param) in params.iter().enumerate() {
            if param.is_pack {
                let message = "parameter packs are not supported";
                return Err(self.error(Code::UnsupportedTemplate, param.span, message));
            }
            let Some(name) = param.name else { continue };
            let same = |other: &&TemplateParam| other.name.is_some_and(|other| other.symbol == name.symbol);
            if let Some(other) = params[..idx].iter().find(same) {
                let message = format!("redefinition of `{}`", self.spelling(name.symbol));
                let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                    .with_label(other.span, "previously declared here");
                return Err(self.sink.error(diagnostic));
            }
        }
        Ok(())
    }

    /// The types of parameters for values make sense, as far as they depend on no other.
    fn check_value_params(
        &mut self,
        declaration: &Rc<TemplateDecl>,
        namespace: Namespace,
    ) -> Result<(), Reported> {
        for (idx, param) in declaration.params.iter().enumerate() {
            if let TemplateParamKind::Value(tokens) = &param.kind {
                self.value_param_ty(declaration, namespace, tokens)?;
            }
            let Some(default) = &param.default else { continue };
            let later = declaration.params[idx..].iter().filter_map(|param| param.name);
            let later: Vec<Symbol> = later.map(|name| name.symbol).collect();
            let early = default.iter().find_map(|token| match token.kind {
                TokenKind::Ident(symbol) if later.contains(&symbol) => {
                    Some(Name { symbol, span: token.span })
                }
                _ => None,
            });
            if let Some(name) = early {
                return Err(self.names().undeclared(name, "identifier"));
            }
            if let TemplateParamKind::Value(_) = param.kind {
                let mut value = None;
                self.read_again(&declaration.params, namespace, |rereader, place, cx| {
                    let (unit, read) = rereader.value(default, place, cx.interner, cx.sink);
                    value = read;
                    unit
                });
                if value.is_none() {
                    return Err(self.poisoned());
                }
            }
        }
        Ok(())
    }

    fn is_same_template(&self, template: Template, declaration: &TemplateDecl, pattern: Ty) -> bool {
        let data = &self.known.templates.templates[template];
        let kind = |param: &TemplateParam| (mem::discriminant(&param.kind), param.is_pack);
        let (ours, theirs) = (&declaration.params, &data.first().params);
        ours.iter().map(kind).eq(theirs.iter().map(kind)) && self.same(data.pattern, pattern)
    }

    fn declare_again(
        &mut self,
        template: Template,
        declaration: &Rc<TemplateDecl>,
        defaults: &[Option<Span>],
    ) -> Result<(), Reported> {
        let data = &self.known.templates.templates[template];
        let at = |param: &TemplateParam| param.default.as_ref().map(|tokens| tokens[0].span);
        let ours = declaration.params.iter().map(at);
        let theirs = data.first().params.iter().map(at);
        let twice = |(ours, theirs): (Option<Span>, Option<Span>)| Some((ours?, theirs?));
        let of_template = ours.zip(theirs).find_map(twice);
        let of_function = defaults.iter().copied().zip(data.defaults.iter().copied()).find_map(twice);
        for (found, message) in [
            (of_template, "template parameter redefines default argument"),
            (of_function, "redefinition of default argument"),
        ] {
            if let Some((span, previous)) = found {
                let diagnostic = Diagnostic::new(Code::InvalidDefaultArgument, span, message)
                    .with_label(previous, "previous default argument defined here");
                return Err(self.sink.error(diagnostic));
            }
        }
        let name = declaration.name;
        let horizon = self.horizon_here();
        let data = &mut self.known.templates.templates[template];
        if !declaration.is_definition {
            return Ok(());
        }
        if let Some(definition) = data.definition() {
            let previous = definition.name.span;
            let message = format!("redefinition of `{}`", self.spelling(name.symbol));
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                .with_label(previous, "previously defined here");
            return Err(self.sink.error(diagnostic));
        }
        data.declarations.push(declaration.clone());
        data.horizon = horizon;
        Ok(())
    }

    fn horizon_here(&mut self) -> Horizon {
        Horizon {
            n_functions: self.module.functions.len() as u32,
            n_names: self.scopes.count_names(),
            n_templates: self.known.templates.templates.len() as u32,
        }
    }

    /// The type of the functions that a template declares, and how many default arguments they have.
    fn pattern_of(
        &mut self,
        declaration: &Rc<TemplateDecl>,
        namespace: Namespace,
    ) -> Result<(Ty, Vec<Option<Span>>), Reported> {
        let declaration = declaration.clone();
        self.within(&declaration.params, namespace, Binding::Pattern, |cx| {
            cx.check_value_params(&declaration, namespace)?;
            let unit = cx.read_again(&declaration.params, namespace, |rereader, place, cx| {
                rereader.head(&declaration.tokens, place, cx.interner, cx.sink)
            });
            let Some(unit) = unit else { return Err(cx.poisoned()) };
            cx.in_unit(unit, |cx| {
                let Some(DeclKind::Declarators { specs, declarators }) =
                    unit.decls.first().map(|decl| &decl.kind)
                else {
                    return Err(cx.poisoned());
                };
                let declarator = &declarators[0].declarator;
                if let Some(span) = specs.extern_c.span() {
                    return Err(cx.error(Code::UnsupportedTemplate, span, "templates must have C++ linkage"));
                }
                let base = match placeholder(specs, declarator) {
                    Some(_) => {
                        let auto = match specs.ty {
                            TypeSpec::DecltypeAuto => DependentTy::DecltypeAuto,
                            _ => DependentTy::Auto,
                        };
                        let auto = cx.module.types.dependent_ty(auto);
                        cx.types().qualified(auto, &specs.quals)?
                    }
                    None => cx.types().base_of(specs, declarator)?,
                };
                let declared = cx.types().declared_ty(base, declarator)?;
                let params = declared.params.unwrap_or_default();
                let defaults = params.iter().map(|param| param.default.map(|init| unit.inits[init].span));
                let defaults: Vec<Option<Span>> = defaults.collect();
                let first = defaults.iter().position(Option::is_some).unwrap_or(defaults.len());
                if let Some(missing) = (first..defaults.len()).find(|&idx| defaults[idx].is_none()) {
                    let message = "missing default argument on parameter";
                    return Err(cx.error(Code::InvalidDefaultArgument, params[missing].span, message));
                }
                Ok((cx.canonical(declared.ty), defaults))
            })
        })
    }

    /// Checks something as the text of a template: where it stands, with its parameters bound.
    fn within<R>(
        &mut self,
        params: &[TemplateParam],
        namespace: Namespace,
        binding: Binding<'_>,
        check: impl FnOnce(&mut Templates<'a>) -> R,
    ) -> R {
        let func = self.func.take();
        let arena = mem::take(&mut self.arena);
        let evaluation = mem::replace(&mut self.evaluation, Evaluation::AtRunTime);
        let placeholder = self.placeholder.take();
        let deducing = self.deducing.take();
        let refuses_narrowing = mem::take(&mut self.refuses_narrowing);
        let initializes_variable = mem::take(&mut self.initializes_variable);
        let is_pattern = matches!(binding, Binding::Pattern);
        let reads_pattern = mem::replace(&mut self.known.templates.reads_pattern, is_pattern);
        let expansions = mem::take(&mut self.expansions);
        let horizon = self.leave_text(None);
        let blocks = self.scopes.leave_blocks();
        let outer = self.scopes.go_to_namespace(namespace);
        self.scopes.push_template();
        let names = params.iter().filter_map(|param| param.name).collect();
        let open_params = mem::replace(&mut self.known.templates.open_params, names);
        self.bind_params(params, binding);
        let result = check(self);
        self.known.templates.open_params = open_params;
        self.scopes.pop_template();
        self.known.templates.reads_pattern = reads_pattern;
        self.scopes.go_to_namespace(outer);
        self.scopes.enter_again(blocks);
        self.func = func;
        self.arena = arena;
        self.evaluation = evaluation;
        self.placeholder = placeholder;
        self.deducing = deducing;
        self.refuses_narrowing = refuses_narrowing;
        self.initializes_variable = initializes_variable;
        self.expansions = expansions;
        self.leave_text(horizon);
        result
    }

    /// Lets names mean what they meant at that place, and gives what was before.
    fn enter_text(&mut self, horizon: Horizon) -> Option<Horizon> {
        self.leave_text(Some(horizon))
    }

    fn leave_text(&mut self, outer: Option<Horizon>) -> Option<Horizon> {
        self.scopes.set_horizon(outer.map(|horizon| horizon.n_names));
        mem::replace(&mut self.horizon, outer)
    }

    /// Reports a name in the text of a template that is that of a parameter (C++17 17.6.1p6).
    pub(super) fn refuse_shadowing(&mut self, name: Name) -> Result<(), Reported> {
        let known = self.known.templates.open_params.iter().find(|param| param.symbol == name.symbol);
        let Some(&Name { span, .. }) = known else { return Ok(()) };
        let message = format!("declaration of `{}` shadows template parameter", self.spelling(name.symbol));
        let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
            .with_label(span, "template parameter is declared here");
        self.scopes.bind(name.symbol, Entity::Poison, name.span);
        Err(self.sink.error(diagnostic))
    }

    fn bind_params(&mut self, params: &[TemplateParam], binding: Binding<'_>) {
        for (idx, param) in params.iter().enumerate() {
            let Some(name) = param.name else { continue };
            let entity = match (binding, &param.kind) {
                (Binding::Pattern, TemplateParamKind::Value(_)) => Entity::TemplateParam(idx as u32),
                (Binding::Pattern, _) => {
                    Entity::Typedef(self.module.types.dependent_ty(DependentTy::Param(idx as u32)))
                }
                (Binding::Arguments(args), _) => match args.get(idx) {
                    Some(&TemplateArg::Type(ty)) => Entity::Typedef(ty),
                    Some(&TemplateArg::Value(ty, value)) => {
                        let name = self.spelling(name.symbol).to_owned();
                        let span = param.span;
                        let value = Value::Int(value);
                        self.known.named_consts.push(NamedConst {
                            name,
                            ty,
                            value,
                            is_referenced: true,
                            span,
                        });
                        Entity::Const(self.known.named_consts.len() as u32 - 1)
                    }
                    Some(TemplateArg::Pack(_)) | None => continue,
                },
            };
            self.scopes.bind(name.symbol, entity, name.span);
        }
    }

    /// Has the parser read tokens of a template, and keeps what it makes of them.
    fn read_again(
        &mut self,
        params: &[TemplateParam],
        namespace: Namespace,
        read: impl FnOnce(&mut Rereader, Place<'_>, &mut Cx<'a>) -> ast::TranslationUnit,
    ) -> Option<&'a ast::TranslationUnit> {
        let bound: Vec<Bound> = params
            .iter()
            .filter_map(|param| {
                let is_type = matches!(param.kind, TemplateParamKind::Type);
                Some(Bound { symbol: param.name?.symbol, is_type })
            })
            .collect();
        let rereader = self.rereader.take()?;
        let unit = read(rereader, Place { namespace, params: &bound }, &mut self.cx);
        self.rereader = Some(rereader);
        Some(self.units.push_get(Box::new(unit)))
    }

    /// Checks what stands in another unit.
    fn in_unit<R>(&mut self, unit: &'a ast::TranslationUnit, check: impl FnOnce(&mut Self) -> R) -> R {
        let outer = mem::replace(&mut self.unit, unit);
        let result = check(self);
        self.unit = outer;
        result
    }

    /// Which of the units that were read again is the one that is checked.
    pub(super) fn unit_here(&self) -> Option<u32> {
        let is_here = |idx: &usize| self.units.get(*idx).is_some_and(|unit| std::ptr::eq(unit, self.unit));
        (0..self.units.len()).rev().find(is_here).map(|idx| idx as u32)
    }

    /// The value of a parameter of an instance for which a call has no argument.
    pub(super) fn default_of_instance(
        &mut self,
        func: Func,
        unit: u32,
        ty: Ty,
        init: ast::InitId,
        span: Span,
    ) -> Option<Result<crate::ir::Expr, Reported>> {
        let unit = self.units.get(unit as usize)?;
        let template = self.known.templates.of_instances.get(&func).copied()?;
        let args = self.module.functions[func].instance.as_ref()?.args.clone();
        let data = &self.known.templates.templates[template];
        let (declaration, namespace, horizon) = (data.first().clone(), data.namespace, data.horizon);
        let outer = self.enter_text(horizon);
        let blocks = self.scopes.leave_blocks();
        let namespace = self.scopes.go_to_namespace(namespace);
        self.scopes.push_template();
        self.bind_params(&declaration.params, Binding::Arguments(&args));
        let (mark, call) = (self.sink.mark(), self.expansions.call());
        let value = self.in_unit(unit, |cx| cx.quietly(|cx| cx.calls().check_default_value(ty, init, span)));
        let shown = self.shown_instance(template, &args);
        self.sink.change_since(mark, |diagnostic| {
            let message = format!(
                "in instantiation of default function argument expression for `{shown}` required here"
            );
            diagnostic.add_label(call, message);
        });
        self.scopes.pop_template();
        self.scopes.go_to_namespace(namespace);
        self.scopes.enter_again(blocks);
        self.leave_text(outer);
        Some(value)
    }

    /// Whether the function was declared behind the template whose text is being checked: it is not known there.
    pub(super) fn is_beyond_horizon(&self, func: Func) -> bool {
        self.horizon.is_some_and(|horizon| func.as_u32() >= horizon.n_functions)
            && !self.declarations_ref().is_predeclared(func)
    }

    /// The same of a template.
    pub(super) fn is_template_beyond_horizon(&self, template: Template) -> bool {
        self.horizon.is_some_and(|horizon| template.as_u32() >= horizon.n_templates)
    }

    pub(super) fn template_name(&self, template: Template) -> &'a str {
        self.spelling(self.known.templates.templates[template].name.symbol)
    }

    /// The name of a template for messages, with the arguments of an instance.
    fn shown_instance(&self, template: Template, args: &[TemplateArg]) -> String {
        let name = self.spelling(self.known.templates.templates[template].name.symbol);
        format!("{name}{}", self.module.types.display_template_args(args))
    }

    /// The name of a parameter for messages.
    fn param_name(&self, template: Template, idx: usize) -> String {
        let param = &self.known.templates.templates[template].first().params[idx];
        param.name.map_or_else(String::new, |name| self.spelling(name.symbol).to_owned())
    }
}
