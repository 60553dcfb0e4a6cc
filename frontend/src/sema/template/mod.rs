//! Templates (C++17 clause 17): a template is its tokens, and an instance is made by reading them again with the parameters bound.
//!
//! Only the signature is looked at where a template is declared: with the parameters bound to [types that depend on
//! them](crate::ir::DependentTy), which say what arguments deduce and how symbols are formed.
//!
//! - this file: which templates there are, and their declarations
//! - [`argument`]: the arguments of an instance; [`address`]: those that are addresses; [`template_param`]: those that are templates; [`deduction`]: those that a call says; [`mismatch`]: why it says none
//! - [`instance`]: the functions that are instances
//! - [`launch`]: the instances that host code launches
//! - [`class`]: templates of structs; [`partial`]: partial specializations of them; [`member`]: member functions of their instances;
//!   [`member_template`]: templates that are members of classes;
//!   [`alias`]: templates of other names for types; [`variable`]: templates of variables
//! - [`guide`]: deduction guides, which say the arguments of classes that are named without them
//! - [`element`]: what the elements of a class are, for structured bindings
//! - [`special`]: explicit specializations and instantiations
//! - [`text`]: has the text of templates read again, and checks it in its scope
//! - [`pack`]: the elements of packs; [`pack_deduction`]: what a call says of them
//! - [`pattern`]: values in signatures that depend on parameters

mod address;
mod alias;
mod argument;
mod class;
mod deduction;
mod element;
mod guide;
mod instance;
mod launch;
mod member;
mod member_template;
mod mismatch;
mod pack;
mod pack_deduction;
mod partial;
mod pattern;
mod special;
mod template_param;
mod text;
mod variable;

use std::mem;
use std::rc::Rc;

use cranelift_entity::PrimaryMap;
use hashbrown::{HashMap, HashSet};

use super::Templates;
use super::call::overload::Overloads;
use super::declaration::deduced_result::placeholder;
use super::declaration::method::ref_qualifier;
use super::name::scope::{Entity, HostEntity};
use crate::ast::{Name, OfPack, Storage, TemplateDecl, TemplateKind, TemplateParam, TemplateParamKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{DependentTy, DependentValue, Func, Namespace, RefKind, TemplateArg, Ty};
use crate::parse::Rereader;
use crate::source::Span;
use crate::token::{Symbol, Token, TokenKind};

use instance::{Link, Pending};
use member_template::Owner;
pub(super) use mismatch::Mismatch;
use pack::Element;
pub(super) use text::Horizon;
use text::{Binding, Text};

/// A template, or a partial specialization of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Template(u32);
cranelift_entity::entity_impl!(Template, "template");

/// What is known of a template.
pub(super) struct TemplateData {
    pub(super) name: Name,
    pub(super) namespace: Namespace,
    /// The class whose member it is.
    owner: Option<Rc<Owner>>,
    /// Its definition outside of that class.
    outside: Option<Text>,
    /// The first, then the definition, if that is another.
    declarations: Vec<Rc<TemplateDecl>>,
    signature: Signature,
    /// Names in it mean what was declared before.
    horizon: Horizon,
    /// By the arguments; `None` where the signature has errors with them.
    instances: HashMap<Vec<TemplateArg>, Option<Func>>,
}

impl TemplateData {
    fn first(&self) -> &Rc<TemplateDecl> {
        &self.declarations[0]
    }

    fn definition(&self) -> Option<&Rc<TemplateDecl>> {
        self.declarations.iter().find(|declaration| declaration.is_definition)
    }

    /// The declaration that the signature of instances is read from.
    fn text(&self) -> Text {
        self.text_of(self.first())
    }

    fn text_of(&self, declaration: &Rc<TemplateDecl>) -> Text {
        Text {
            declaration: declaration.clone(),
            namespace: self.namespace,
            horizon: Some(self.horizon),
            owner: self.owner.clone(),
        }
    }
}

/// What is known of what a template declares, whatever its arguments are.
#[derive(Clone)]
struct Signature {
    /// The function type, with types that depend on the parameters; of a class template and its partial specializations the type.
    pattern: Ty,
    /// By the parameter of the template: the type of a value, if that depends on no other parameter.
    value_tys: Vec<Option<Ty>>,
    /// By the parameter of the function: where its default argument is.
    defaults: Vec<Option<Span>>,
    /// The first parameter is `this`, for which a call has no argument.
    has_object: bool,
    /// `&` or `&&` after the parameters.
    ref_qualifier: Option<RefKind>,
}

impl Signature {
    /// Of what has no parameters of a function with default arguments.
    fn without_defaults(pattern: Ty, value_tys: Vec<Option<Ty>>) -> Self {
        Signature { pattern, value_tys, defaults: Vec::new(), has_object: false, ref_qualifier: None }
    }
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
    /// The signature of a template is being read, with its parameters bound to no arguments.
    pub(super) reads_pattern: bool,
    /// The packs of the texts that are being checked.
    packs: Vec<Vec<Element>>,
    /// The parameters of the template whose text is being checked.
    open_params: Vec<Name>,
    /// Those of them that are templates.
    param_templates: Vec<template_param::ParamTemplate>,
    classes: class::ClassTemplates,
    variables: variable::VariableTemplates,
    guides: guide::Guides,
    /// The member functions of instances that nothing has used.
    methods: HashMap<Func, member::InstanceMethod>,
    /// What alias templates stand for.
    aliases: HashMap<(Template, Vec<TemplateArg>), Ty>,
    /// Values that names stand for which depend on the parameters of a template.
    dependent_values: Vec<DependentValue>,
    /// How many checks are going on whose errors are no matter.
    n_silent: u32,
    /// How many signatures are being made within one another.
    depth: u32,
    n_instances: u32,
    /// The instance whose body is being made, with those that need it.
    chain: Option<Rc<Link>>,
    /// The host code whose launches say which instances there are.
    launches: launch::LaunchFacts,
}

impl<'a> Templates<'a> {
    /// A template at file scope.
    pub(super) fn declare_template(&mut self, declaration: &Rc<TemplateDecl>) -> Result<(), Reported> {
        match declaration.kind {
            TemplateKind::Function => self.declare_function_template(declaration),
            TemplateKind::Guide { .. } => self.declare_guide(declaration),
            _ if declaration.may_be_of_host => {
                // What it needs may be the host's: then it is.
                let declared = self.silently(|cx| cx.declare_other_template(declaration));
                let errors = declared.err();
                let is_sure = |error: &Diagnostic| {
                    matches!(error.code, Code::Redefinition | Code::ConflictingTypes | Code::InvalidTemplate)
                };
                for error in errors.iter().flatten().filter(|error| is_sure(error)) {
                    self.sink.error(error.clone());
                }
                if errors.is_some()
                    && declaration.of.is_none()
                    && self.scopes.get_here(declaration.name.symbol).is_none()
                {
                    let name = declaration.name;
                    self.scopes.bind(name.symbol, Entity::Host(HostEntity::Template), name.span);
                }
                Ok(())
            }
            _ => self.declare_other_template(declaration),
        }
    }

    /// A template of anything but functions.
    fn declare_other_template(&mut self, declaration: &Rc<TemplateDecl>) -> Result<(), Reported> {
        match declaration.kind {
            TemplateKind::Function => self.declare_function_template(declaration),
            TemplateKind::Member => self.declare_member(declaration),
            TemplateKind::Guide { .. } => self.declare_guide(declaration),
            TemplateKind::Class { .. } | TemplateKind::Alias | TemplateKind::Variable => {
                self.declare_plain_template(&Text::new(declaration, self.scopes.namespace()))
            }
        }
    }

    /// A template of types or variables.
    fn declare_plain_template(&mut self, text: &Text) -> Result<(), Reported> {
        match text.declaration.kind {
            TemplateKind::Class { is_union } => self.declare_class_template(text, is_union),
            TemplateKind::Alias => self.declare_alias_template(text),
            TemplateKind::Variable => self.declare_variable_template(text),
            TemplateKind::Function | TemplateKind::Member | TemplateKind::Guide { .. } => {
                Err(self.poisoned())
            }
        }
    }

    fn declare_function_template(&mut self, declaration: &Rc<TemplateDecl>) -> Result<(), Reported> {
        let name = declaration.name;
        let namespace = self.scopes.namespace();
        self.check_params(&declaration.params)?;
        let text = Text::new(declaration, namespace);
        let signature = self.signature_of(&text)?;
        let horizon = self.horizon_here();
        self.known.has_operators |= name.symbol.operator().is_some();
        if self.scopes.has_namespaces() {
            self.known.names_of_namespaces.insert(name.symbol);
        }
        let before = self.scopes.get_here(name.symbol);
        let mut overloads = match before.map(|before| before.entity) {
            None => Overloads::default(),
            Some(Entity::Func(func)) => Overloads::of(func),
            Some(Entity::Overloads(id)) => self.known.overloads[id].clone(),
            Some(Entity::Host(_)) => Overloads::default(),
            Some(_) => {
                let previous = before.expect("invariant: it has been found");
                return Err(self.names().redefinition(name, previous));
            }
        };
        let known = overloads.templates.iter().copied().find(|&template| {
            self.known.templates.templates[template].namespace == namespace
                && self.is_same_template(template, declaration, &signature)
        });
        if let Some(template) = known {
            return self.declare_again(template, declaration, &signature.defaults);
        }
        let data = TemplateData {
            name,
            namespace,
            owner: None,
            outside: None,
            declarations: vec![declaration.clone()],
            signature,
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
            if let Some(default) = param.default.as_ref().filter(|_| param.is_pack) {
                let message = "template parameter pack cannot have a default argument";
                return Err(self.error(Code::InvalidDefaultArgument, default[0].span, message));
            }
            if let TemplateParamKind::Value(tokens) = &param.kind
                && let Some(name) =
                    params[..idx].iter().filter(|param| param.is_pack).find_map(|pack| pack.name)
                && tokens.iter().any(|token| token.kind == TokenKind::Ident(name.symbol))
            {
                let message = "a parameter whose type depends on a parameter pack is not supported";
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

    /// Checks the types of parameters for values, and what of default arguments does not depend on arguments. Gives the types that
    /// depend on no other parameter.
    fn check_value_params(&mut self, text: &Text) -> Result<Vec<Option<Ty>>, Reported> {
        let mut value_tys = Vec::new();
        let params = &text.declaration.params;
        for (idx, param) in params.iter().enumerate() {
            let ty = match &param.kind {
                TemplateParamKind::Type | TemplateParamKind::Template(_) => None,
                TemplateParamKind::Value(tokens) => Some(self.value_param_ty(text, tokens)?),
            };
            value_tys.push(ty.filter(|&ty| !self.module.types.is_dependent(ty)));
            let Some(default) = &param.default else { continue };
            let before = text.of_default(idx);
            if let Some(name) = text.later_name(idx) {
                self.within(&before, Binding::Pattern, |cx| match cx.names_ref().lookup(name.symbol) {
                    Some(_) => Ok(()),
                    None => Err(cx.names().undeclared(name, "identifier")),
                })?;
            }
            if ty.is_some() {
                self.read_again(&before, default, Rereader::value)?;
            }
        }
        Ok(value_tys)
    }

    fn is_same_template(
        &self,
        template: Template,
        declaration: &TemplateDecl,
        signature: &Signature,
    ) -> bool {
        let data = &self.known.templates.templates[template];
        let kind = |param: &TemplateParam| (mem::discriminant(&param.kind), param.is_pack);
        let (ours, theirs) = (&declaration.params, &data.first().params);
        ours.iter().map(kind).eq(theirs.iter().map(kind))
            && dependent_types(ours) == dependent_types(theirs)
            && data.signature.ref_qualifier == signature.ref_qualifier
            && self.same(data.signature.pattern, signature.pattern)
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
        let of_function =
            defaults.iter().copied().zip(data.signature.defaults.iter().copied()).find_map(twice);
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

    /// The signature of a template.
    fn signature_of(&mut self, text: &Text) -> Result<Signature, Reported> {
        self.within(text, Binding::Pattern, |cx| {
            let value_tys = cx.check_value_params(text)?;
            let (unit, specs, declarator) = cx.read_head(text)?;
            cx.in_unit(unit, |cx| {
                let base = match placeholder(specs, declarator) {
                    Some(placeholder) => {
                        let auto = match placeholder.is_decltype() {
                            true => DependentTy::DecltypeAuto,
                            false => DependentTy::Auto,
                        };
                        let auto = cx.module.types.dependent_ty(auto);
                        cx.types().qualified(auto, &specs.quals)?
                    }
                    None => cx.types().base_of(specs, declarator)?,
                };
                let declared = cx.types().declared_ty(base, declarator)?;
                let is_static = matches!(specs.storage, Some((Storage::Static, _)))
                    || text.owner.as_ref().is_some_and(|owner| owner.is_static);
                let has_object = text.owner.is_some() && !is_static;
                let (ty, params) = match &text.owner {
                    Some(owner) => {
                        cx.declarations().with_object(owner.class, declarator, is_static, declared)?
                    }
                    None => (declared.ty, declared.params.unwrap_or_default()),
                };
                let defaults = params.iter().map(|param| param.default.map(|init| unit.inits[init].span));
                let defaults: Vec<Option<Span>> = defaults.collect();
                let first = defaults.iter().position(Option::is_some).unwrap_or(defaults.len());
                let is_missing = |&idx: &usize| defaults[idx].is_none() && params[idx].pack == OfPack::No;
                if let Some(missing) = (first..defaults.len()).find(is_missing) {
                    let message = "missing default argument on parameter";
                    return Err(cx.error(Code::InvalidDefaultArgument, params[missing].span, message));
                }
                let ref_qualifier = ref_qualifier(declarator);
                Ok(Signature { pattern: cx.canonical(ty), value_tys, defaults, has_object, ref_qualifier })
            })
        })
    }

    /// Whether a signature is tried with arguments: mistakes are reasons, and not reported.
    pub(in crate::sema) fn is_trying(&self) -> bool {
        self.known.templates.n_silent > 0 && self.known.templates.depth > 0
    }

    /// Whether instances of the template are kernels.
    fn is_kernel_template(&self, template: Template) -> bool {
        self.known.templates.templates[template].first().is_kernel()
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

/// The types of the parameters for values that depend on parameters before them, where those are numbers: such templates are the same if they
/// are written alike (C++17 17.6.6.1p5).
fn dependent_types(params: &[TemplateParam]) -> Vec<(usize, Vec<Result<usize, TokenKind>>)> {
    let mut found = Vec::new();
    for (idx, param) in params.iter().enumerate() {
        let TemplateParamKind::Value(tokens) = &param.kind else { continue };
        let own = param.name.map(|name| name.symbol);
        let place = |symbol: Symbol| {
            params[..idx].iter().position(|before| before.name.is_some_and(|name| name.symbol == symbol))
        };
        let read = |token: &Token| match token.kind {
            TokenKind::Ident(symbol) if own == Some(symbol) => None,
            TokenKind::Ident(symbol) if let Some(place) = place(symbol) => Some(Ok(place)),
            kind => Some(Err(kind)),
        };
        let ty: Vec<_> = tokens.iter().filter_map(read).collect();
        if ty.iter().any(Result::is_ok) {
            found.push((idx, ty));
        }
    }
    found
}
