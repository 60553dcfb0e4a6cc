//! The text of templates: read again by the parser, and checked in the scope that the template has, with its parameters bound.

use std::mem;
use std::rc::Rc;

use super::member_template::Owner;
use super::template_param::ParamTemplate;
use super::{Template, Templates};
use crate::ast::{
    DeclKind, DeclSpecs, Declarator, InitId, Name, TemplateDecl, TemplateKind, TemplateParam,
    TemplateParamKind, TranslationUnit,
};
use crate::diag::{Code, Diagnostic, Reported, Sink};
use crate::ir::{DependentTy, DependentValue, Expr, Func, Namespace, Record, TemplateArg, Ty};
use crate::parse::{self, Bound, BoundKind, PackLen, Reread, Rereader};
use crate::sema::name::scope::Entity;
use crate::source::Span;
use crate::token::{Interner, Symbol, Token, TokenKind};

/// A declaration of a template, and how its names are looked up.
#[derive(Clone)]
pub(super) struct Text {
    pub(super) declaration: Rc<TemplateDecl>,
    pub(super) namespace: Namespace,
    /// None: the text is still being read, and every name declared so far is visible.
    pub(super) horizon: Option<Horizon>,
    /// The class whose member it is.
    pub(super) owner: Option<Rc<Owner>>,
}

impl Text {
    /// A declaration that is being read, in its namespace.
    pub(super) fn new(declaration: &Rc<TemplateDecl>, namespace: Namespace) -> Self {
        Text { declaration: declaration.clone(), namespace, horizon: None, owner: None }
    }

    /// The first name in the default argument of a parameter that is also that of this parameter or a later one, which are not declared
    /// there yet (C++17 6.3.9p3).
    pub(super) fn later_name(&self, idx: usize) -> Option<Name> {
        let later = &self.declaration.params[idx..];
        let is_later =
            |symbol| later.iter().any(|param| param.name.is_some_and(|name| name.symbol == symbol));
        later[0].default.iter().flatten().find_map(|token| match token.kind {
            TokenKind::Ident(symbol) if is_later(symbol) => Some(Name { symbol, span: token.span }),
            _ => None,
        })
    }

    /// What has the names of the default argument of a parameter.
    pub(super) fn of_default(&self, idx: usize) -> Text {
        let mut text = self.clone();
        if self.later_name(idx).is_some() {
            let declaration = &self.declaration;
            text.declaration = Rc::new(TemplateDecl {
                params: declaration.params[..idx].to_vec(),
                tokens: Vec::new(),
                of: None,
                inner: None,
                ..**declaration
            });
        }
        text
    }
}

/// How much was declared at some place of the text.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct Horizon {
    n_functions: u32,
    n_names: u32,
    n_templates: u32,
}

/// What the parameters of a template are bound to.
#[derive(Clone, Copy)]
pub(super) enum Binding<'b> {
    /// Types that depend on them: the signature is checked.
    Pattern,
    Arguments(&'b [TemplateArg]),
}

impl<'a> Templates<'a> {
    /// How much is declared here.
    pub(super) fn horizon_here(&mut self) -> Horizon {
        Horizon {
            n_functions: self.module.functions.len() as u32,
            n_names: self.scopes.count_names(),
            n_templates: self.known.templates.templates.len() as u32,
        }
    }

    /// Checks something of the text apart from the function and the expression that need it.
    pub(super) fn within<R>(
        &mut self,
        text: &Text,
        binding: Binding<'_>,
        check: impl FnOnce(&mut Templates<'a>) -> R,
    ) -> R {
        self.apart(|cx| cx.templates().in_scope_of(text, binding, check))
    }

    /// Checks something with the names that the text has.
    pub(super) fn in_scope_of<R>(
        &mut self,
        text: &Text,
        binding: Binding<'_>,
        check: impl FnOnce(&mut Templates<'a>) -> R,
    ) -> R {
        let (mut check, mut result) = (Some(check), None);
        self.enter_text(text, binding, &mut |cx| result = check.take().map(|check| check(cx)));
        result.expect("invariant: it was checked")
    }

    /// The same; the scope of a text may be that of another one.
    fn enter_text(&mut self, text: &Text, binding: Binding<'_>, check: &mut dyn FnMut(&mut Templates<'a>)) {
        let horizon = self.set_horizon(text.horizon);
        let blocks = match &text.owner {
            Some(owner) if let Some(depth) = self.depth_of_open(owner.class) => self.scopes.leave_to(depth),
            _ => self.scopes.leave_blocks(),
        };
        match &text.owner {
            // Its members are still being read.
            Some(owner) if self.depth_of_open(owner.class).is_some() => {
                self.with_params(text, binding, check);
            }
            Some(owner) => {
                // What is checked around it has other parameters.
                let open_params = mem::take(&mut self.known.templates.open_params);
                self.in_class_of(owner, &mut |cx| cx.with_params(text, binding, check));
                self.known.templates.open_params = open_params;
            }
            None => {
                let namespace = self.scopes.go_to_namespace(text.namespace);
                self.with_params(text, binding, check);
                self.scopes.go_to_namespace(namespace);
            }
        }
        self.scopes.enter_again(blocks);
        self.set_horizon(horizon);
    }

    /// In which scope the members of a class are being read.
    fn depth_of_open(&self, class: Record) -> Option<u32> {
        let is_open = self.module.types.records[class].fields.is_none();
        self.scopes.depth_of_class(class).filter(|_| is_open)
    }

    /// Checks something in the scope of the class that has a template.
    fn in_class_of(&mut self, owner: &Owner, check: &mut dyn FnMut(&mut Templates<'a>)) {
        if let Some(around) = &owner.lambda {
            let namespace = self.module.types.records[owner.class].namespace;
            let outer = self.scopes.go_to_namespace(namespace);
            self.expressions().within_lambda(owner.class, around, &mut |cx| check(cx.templates()));
            self.scopes.go_to_namespace(outer);
            return;
        }
        let mut within =
            |cx: &mut Templates<'a>| cx.within_plain_class(owner.class, |cx| check(cx.templates()));
        match &owner.source {
            Some(source) => {
                self.enter_text(source.text(), Binding::Arguments(source.args()), &mut within);
            }
            None => within(self),
        }
    }

    /// Checks something with the parameters bound in a scope of their own.
    fn with_params(&mut self, text: &Text, binding: Binding<'_>, check: &mut dyn FnMut(&mut Templates<'a>)) {
        let params = &text.declaration.params;
        let mut names: Vec<Name> = params.iter().filter_map(|param| param.name).collect();
        if text.owner.is_some() {
            names.extend_from_slice(&self.known.templates.open_params);
        }
        let open_params = mem::replace(&mut self.known.templates.open_params, names);
        let templates = ParamTemplate::among(params);
        let param_templates = mem::replace(&mut self.known.templates.param_templates, templates);
        let is_pattern = match binding {
            Binding::Pattern => true,
            Binding::Arguments(args) => args.iter().any(|arg| self.module.types.is_dependent_arg(arg)),
        };
        let reads_pattern = mem::replace(&mut self.known.templates.reads_pattern, is_pattern);
        let n_packs = self.known.templates.packs.len();
        self.scopes.push_template();
        self.bind_params(params, binding);
        check(self);
        self.scopes.pop_template();
        self.known.templates.packs.truncate(n_packs);
        self.known.templates.reads_pattern = reads_pattern;
        self.known.templates.open_params = open_params;
        self.known.templates.param_templates = param_templates;
    }

    /// Lets names mean what they meant at that place, and gives the place before.
    fn set_horizon(&mut self, horizon: Option<Horizon>) -> Option<Horizon> {
        self.scopes.set_horizon(horizon.map(|horizon| horizon.n_names));
        mem::replace(&mut self.horizon, horizon)
    }

    fn bind_params(&mut self, params: &[TemplateParam], binding: Binding<'_>) {
        for (idx, param) in params.iter().enumerate() {
            let Some(name) = param.name else { continue };
            let entity = match (binding, &param.kind) {
                (Binding::Pattern, TemplateParamKind::Value(_)) => {
                    self.dependent_entity(DependentValue::Param(idx as u32))
                }
                (Binding::Pattern, TemplateParamKind::Type | TemplateParamKind::Template(_)) => {
                    Entity::Typedef(self.module.types.dependent_ty(DependentTy::Param(idx as u32)))
                }
                (Binding::Arguments(args), _) => match args.get(idx) {
                    Some(&TemplateArg::Type(ty)) => Entity::Typedef(ty),
                    Some(arg @ (TemplateArg::Value(..) | TemplateArg::Address(..))) => {
                        self.entity_of_value(arg, self.spelling(name.symbol), param.span)
                    }
                    Some(&TemplateArg::Template(class)) => match self.template_of_class_template(class) {
                        Some(template) => Entity::Template(template),
                        None => Entity::Poison,
                    },
                    Some(TemplateArg::Dependent(value)) => self.dependent_entity(value.clone()),
                    Some(TemplateArg::Pack(args)) => self.pack_of(args),
                    None => continue,
                },
            };
            self.scopes.bind(name.symbol, entity, name.span);
        }
    }

    /// Reports a name in the text of a template that is that of a parameter (C++17 17.6.1p6).
    pub(in crate::sema) fn refuse_shadowing(&mut self, name: Name) -> Result<(), Reported> {
        let known = self.known.templates.open_params.iter().find(|param| param.symbol == name.symbol);
        let Some(&Name { span, .. }) = known else { return Ok(()) };
        let message = format!("declaration of `{}` shadows template parameter", self.spelling(name.symbol));
        let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
            .with_label(span, "template parameter is declared here");
        self.scopes.bind(name.symbol, Entity::Poison, name.span);
        Err(self.sink.error(diagnostic))
    }

    /// Has the parser read tokens of the template, and keeps the syntax.
    pub(super) fn read_again<T>(
        &mut self,
        text: &Text,
        tokens: &[Token],
        read: impl FnOnce(&mut Rereader, parse::Text<'_>, &Interner, &mut Sink) -> Reread<T>,
    ) -> Result<(&'a TranslationUnit, T), Reported> {
        let params = self.bound_params(text);
        let Some(rereader) = self.rereader.take() else { return Err(self.poisoned()) };
        let namespace = text.namespace;
        let mark = self.sink.mark();
        let owner = text.owner.as_ref();
        let class = owner.and_then(|owner| Some(parse::InClass { tag: owner.tag?, classes: &owner.classes }));
        let classes = owner.filter(|owner| owner.is_outside).map_or(&[][..], |owner| &owner.classes);
        let (unit, found) = read(
            rereader,
            parse::Text { tokens, namespace, params: &params, classes, class },
            self.interner,
            self.sink,
        );
        self.rereader = Some(rereader);
        let unit = self.units.push_get(Box::new(unit));
        // What was read all the same lacks something.
        match self.sink.reported().filter(|_| self.sink.n_errors_since(mark) > 0) {
            Some(reported) => Err(reported),
            None => Ok((unit, found?)),
        }
    }

    /// The parameters that are bound for a text, those of the templates around it included.
    fn bound_params(&self, text: &Text) -> Vec<Bound> {
        let source = text.owner.as_ref().and_then(|owner| owner.source.as_ref());
        let mut params = source.map_or_else(Vec::new, |source| self.bound_params(source.text()));
        if let Some(around) = text.owner.as_ref().and_then(|owner| owner.lambda.as_ref()) {
            let names = around.names.iter();
            let names = names.map(|&(symbol, binding)| (symbol, self.bound_kind(symbol, binding.entity)));
            let own = around.own.iter().map(|&(symbol, ..)| (symbol, BoundKind::Value));
            params.extend(names.chain(own).map(|(symbol, kind)| Bound { symbol, kind, pack: None }));
            params.extend(around.packs.iter().map(|(symbol, elements, _)| Bound {
                symbol: *symbol,
                kind: BoundKind::Value,
                pack: Some(PackLen::Known(elements.len() as u32)),
            }));
        }
        let bound = |param: &TemplateParam| {
            let kind = match param.kind {
                TemplateParamKind::Type => BoundKind::Type,
                TemplateParamKind::Value(_) => BoundKind::Value,
                TemplateParamKind::Template(_) => BoundKind::TypeTemplate,
            };
            let symbol = param.name?.symbol;
            let len = match (self.known.templates.reads_pattern, self.pack_len(symbol)) {
                (true, None) => PackLen::Open,
                (_, len) => PackLen::Known(len.unwrap_or(0)),
            };
            Some(Bound { symbol, kind, pack: param.is_pack.then_some(len) })
        };
        params.extend(text.declaration.params.iter().filter_map(bound));
        params
    }

    /// What a name around a lambda expression means to the parser.
    fn bound_kind(&self, symbol: Symbol, entity: Entity) -> BoundKind {
        match entity {
            Entity::Typedef(ty) => {
                let class = self.module.types.record(ty).and_then(|class| self.template_of_class(class));
                let is_own = class.is_some_and(|of| self.known.templates.templates[of].name.symbol == symbol);
                if is_own { BoundKind::InjectedName } else { BoundKind::Type }
            }
            Entity::Template(template) => match self.known.templates.templates[template].first().kind {
                TemplateKind::Class { .. } | TemplateKind::Alias => BoundKind::InjectedName,
                TemplateKind::Function
                | TemplateKind::Variable
                | TemplateKind::Member
                | TemplateKind::Guide { .. } => BoundKind::Template,
            },
            Entity::Overloads(id) if !self.calls_ref().overloads_of(id).templates.is_empty() => {
                BoundKind::Template
            }
            _ => BoundKind::Value,
        }
    }

    /// The declaration of the function that the text has, without the body.
    pub(super) fn read_head(
        &mut self,
        text: &Text,
    ) -> Result<(&'a TranslationUnit, &'a DeclSpecs, &'a Declarator), Reported> {
        if text.owner.as_ref().is_some_and(|owner| !owner.is_outside) {
            let (unit, id) = self.read_method(text)?;
            let method = &unit.methods[id];
            return Ok((unit, &method.specs, &method.declarator));
        }
        let (unit, ()) = self.read_again(text, &text.declaration.tokens, Rereader::head)?;
        match unit.decls.first().map(|decl| &decl.kind) {
            Some(DeclKind::Declarators { specs, declarators }) => {
                Ok((unit, specs, &declarators[0].declarator))
            }
            _ => Err(self.poisoned()),
        }
    }

    /// Checks syntax of another unit.
    pub(super) fn in_unit<R>(&mut self, unit: &'a TranslationUnit, check: impl FnOnce(&mut Self) -> R) -> R {
        let outer = mem::replace(&mut self.unit, unit);
        let result = check(self);
        self.unit = outer;
        result
    }

    /// The same of one of the units that were read again, or of the program's text.
    pub(in crate::sema) fn in_numbered_unit<R>(
        &mut self,
        unit: Option<u32>,
        check: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let unit = match unit {
            Some(unit) => self.units.get(unit as usize).unwrap_or(self.text),
            None => self.text,
        };
        self.in_unit(unit, check)
    }

    /// Which of the units that were read again is the one that is checked.
    pub(in crate::sema) fn unit_here(&self) -> Option<u32> {
        let is_here = |idx: &usize| self.units.get(*idx).is_some_and(|unit| std::ptr::eq(unit, self.unit));
        (0..self.units.len()).rev().find(is_here).map(|idx| idx as u32)
    }

    /// The value of a parameter of an instance for which a call has no argument.
    pub(in crate::sema) fn default_of_instance(
        &mut self,
        func: Func,
        unit: u32,
        ty: Ty,
        init: InitId,
        span: Span,
    ) -> Option<Result<Expr, Reported>> {
        let unit = self.units.get(unit as usize)?;
        let (mark, call) = (self.sink.mark(), self.expansions.call());
        let template = self.known.templates.of_instances.get(&func).copied();
        let class = self.module.functions[func].method.map(|method| method.class);
        let (value, shown) = match class {
            Some(class) if template.is_none() => {
                let blocks = self.scopes.leave_blocks();
                let value = self.in_unit(unit, |cx| {
                    cx.within_class(class, |cx| {
                        cx.quietly(|cx| cx.calls().check_default_value(ty, init, span))
                    })
                });
                self.scopes.enter_again(blocks);
                (value, self.shown_method(func))
            }
            _ => {
                let template = template?;
                let args = self.module.functions[func].instance.as_ref()?.args.clone();
                let text = self.known.templates.templates[template].text();
                let value = self.in_scope_of(&text, Binding::Arguments(&args), |cx| {
                    cx.in_unit(unit, |cx| cx.quietly(|cx| cx.calls().check_default_value(ty, init, span)))
                });
                (value, self.shown_instance(template, &args))
            }
        };
        if self.expansions.is_outermost() {
            let needed = format!(
                "in instantiation of default function argument expression for `{shown}` required here"
            );
            self.sink.change_since(mark, |diagnostic| diagnostic.add_label(call, needed.clone()));
        }
        Some(value)
    }

    /// Whether the function was declared after the template whose text is checked, which does not know it then.
    pub(in crate::sema) fn is_beyond_horizon(&self, func: Func) -> bool {
        // A member is found where its class is known.
        self.horizon.is_some_and(|horizon| func.as_u32() >= horizon.n_functions)
            && self.module.functions[func].method.is_none()
            && !self.declarations_ref().is_predeclared(func)
    }

    /// The same of a template.
    pub(in crate::sema) fn is_template_beyond_horizon(&self, template: Template) -> bool {
        // A member is found where its class is known.
        self.horizon.is_some_and(|horizon| template.as_u32() >= horizon.n_templates)
            && self.known.templates.templates[template].owner.is_none()
    }
}
