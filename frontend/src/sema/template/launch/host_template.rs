//! Function templates of the host: calls say with which arguments their launches are made.

use std::ops::Range;
use std::rc::Rc;

use hashbrown::{HashMap, HashSet};

use super::Found;
use super::walk::Walk;
use crate::ast::{HostText, HostTextKind, TemplateDecl, TemplateParamKind};
use crate::diag::Reported;
use crate::ir::{FuncTy, Quals, TemplateArg, Ty, TyKind};
use crate::parse::Rereader;
use crate::sema::Templates;
use crate::sema::call::overload::Args;
use crate::sema::template::text::{Binding, Horizon, Text};
use crate::sema::template::{Signature, Template, TemplateData};
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind};

/// How many instances of templates of the host are looked at.
const MAX_INSTANCES: usize = 10_000;

/// The templates of the host, and what calls make of them.
#[derive(Default)]
pub(super) struct HostTemplates {
    functions: HashMap<Symbol, Vec<Template>>,
    /// Templates whose instances are not known, by name: classes, members, functions with packs.
    others: HashMap<Symbol, Vec<usize>>,
    /// The instances that were called, or that need no body.
    known: HashSet<(Template, Vec<TemplateArg>)>,
    /// Those of them whose bodies are to be walked.
    queue: Vec<(Template, Vec<TemplateArg>)>,
    /// The templates that are used with arguments that are not known, and those of them that were walked.
    unknown: Vec<Template>,
    unknown_others: Vec<usize>,
}

impl HostTemplates {
    pub(super) fn has(&self, symbol: Symbol) -> bool {
        self.functions.contains_key(&symbol) || self.others.contains_key(&symbol)
    }

    fn need(&mut self, template: Template, args: Vec<TemplateArg>) {
        if self.known.len() < MAX_INSTANCES && self.known.insert((template, args.clone())) {
            self.queue.push((template, args));
        }
    }

    fn note_unknown(&mut self, template: Template) {
        if !self.unknown.contains(&template) {
            self.unknown.push(template);
        }
    }
}

impl<'a> Templates<'a> {
    /// Learns which templates the host has.
    pub(super) fn host_templates(
        &mut self,
        texts: &[(Rc<HostText>, Horizon)],
        kernels: &HashSet<Symbol>,
    ) -> HostTemplates {
        let mut host = HostTemplates::default();
        for (idx, (text, horizon)) in texts.iter().enumerate() {
            match &text.kind {
                HostTextKind::Template(declaration) => {
                    match self.add_host_template(declaration, text, *horizon, kernels, &host) {
                        Ok(Some(template)) => {
                            host.functions.entry(declaration.name.symbol).or_default().push(template);
                        }
                        Ok(None) => {}
                        Err(_) => host.others.entry(declaration.name.symbol).or_default().push(idx),
                    }
                }
                HostTextKind::Other(Some(name)) => host.others.entry(name.symbol).or_default().push(idx),
                HostTextKind::Code
                | HostTextKind::Specialization
                | HostTextKind::Instantiation
                | HostTextKind::Other(None) => {}
            }
        }
        host
    }

    /// A template of the host, whose signature is read where that is possible; none if it is known.
    fn add_host_template(
        &mut self,
        declaration: &Rc<TemplateDecl>,
        text: &HostText,
        horizon: Horizon,
        kernels: &HashSet<Symbol>,
        host: &HostTemplates,
    ) -> Result<Option<Template>, Reported> {
        if declaration.params.iter().any(|param| param.is_pack) {
            return Err(self.poisoned());
        }
        let scope = Text { horizon: Some(horizon), ..Text::new(declaration, text.namespace) };
        let mut found = Found::default();
        let mut none = HostTemplates::default();
        let signature = self.within(&scope, Binding::Pattern, |cx| {
            let value_tys = cx.check_value_params(&scope)?;
            let mut walk = Walk::new(cx, &scope, &declaration.tokens, kernels, &mut found, &mut none);
            Ok(walk.signature(value_tys))
        })?;
        let same =
            host.functions.get(&declaration.name.symbol).into_iter().flatten().copied().find(|&other| {
                let data = &self.known.templates.templates[other];
                data.namespace == text.namespace && self.is_same_template(other, declaration, &signature)
            });
        if let Some(same) = same {
            let data = &mut self.known.templates.templates[same];
            if declaration.is_definition {
                data.declarations.push(declaration.clone());
                data.horizon = horizon;
            }
            return Ok(None);
        }
        Ok(Some(self.known.templates.templates.push(TemplateData {
            name: declaration.name,
            namespace: text.namespace,
            declarations: vec![declaration.clone()],
            signature,
            horizon,
            instances: HashMap::new(),
            owner: None,
            outside: None,
        })))
    }

    /// Notes the instances that specializations replace, and those that explicit instantiations ask for.
    pub(super) fn note_special_host_texts(
        &mut self,
        texts: &[(Rc<HostText>, Horizon)],
        kernels: &HashSet<Symbol>,
        host: &mut HostTemplates,
    ) {
        for of_kind in [true, false] {
            for (text, horizon) in texts {
                let is_specialization = match text.kind {
                    HostTextKind::Specialization => true,
                    HostTextKind::Instantiation => false,
                    HostTextKind::Code | HostTextKind::Template(_) | HostTextKind::Other(_) => continue,
                };
                if is_specialization != of_kind {
                    continue;
                }
                let mut found = Found::default();
                self.walk_with(text, *horizon, kernels, &mut found, host, |walk| {
                    walk.special(is_specialization);
                });
            }
        }
    }

    /// Walks the bodies of the instances that are called, which may call others.
    pub(super) fn walk_host_instances(
        &mut self,
        texts: &[(Rc<HostText>, Horizon)],
        kernels: &HashSet<Symbol>,
        found: &mut Found,
        host: &mut HostTemplates,
    ) {
        let (mut n_unknown, mut n_others) = (0, 0);
        loop {
            if let Some((template, args)) = host.queue.pop() {
                self.walk_host_template(template, Some(&args), kernels, found, host);
            } else if let Some(&template) = host.unknown.get(n_unknown) {
                n_unknown += 1;
                self.walk_host_template(template, None, kernels, found, host);
            } else if let Some(&idx) = host.unknown_others.get(n_others) {
                n_others += 1;
                let (text, horizon) = &texts[idx];
                let tokens = match &text.kind {
                    HostTextKind::Template(declaration) => &declaration.tokens,
                    _ => &text.tokens,
                };
                let text = HostText {
                    kind: HostTextKind::Code,
                    namespace: text.namespace,
                    record: None,
                    tokens: tokens.clone(),
                };
                let params = match &texts[idx].0.kind {
                    HostTextKind::Template(declaration) => names_of(declaration),
                    _ => Vec::new(),
                };
                self.walk_with(&text, *horizon, kernels, found, host, |walk| walk.unknown_template(&params));
            } else {
                return;
            }
        }
    }

    fn walk_host_template(
        &mut self,
        template: Template,
        args: Option<&[TemplateArg]>,
        kernels: &HashSet<Symbol>,
        found: &mut Found,
        host: &mut HostTemplates,
    ) {
        let data = &self.known.templates.templates[template];
        let Some(definition) = data.definition().cloned() else { return };
        let scope = data.text_of(&definition);
        let params = names_of(&definition);
        self.within(&scope, Binding::Arguments(args.unwrap_or_default()), |cx| {
            let mut walk = Walk::new(cx, &scope, &definition.tokens, kernels, found, host);
            match args {
                Some(_) => walk.template_body(&params),
                None => walk.unknown_template(&params),
            }
        });
    }
}

/// The names of the parameters, and whether they are types.
fn names_of(declaration: &TemplateDecl) -> Vec<(Symbol, bool)> {
    let params = declaration.params.iter();
    params
        .filter_map(|param| Some((param.name?.symbol, matches!(param.kind, TemplateParamKind::Type))))
        .collect()
}

impl<'a> Walk<'_, 'a> {
    /// The signature that the tokens of a function declare. Parameters whose types are not known take no part in deduction.
    fn signature(&mut self, value_tys: Vec<Option<Ty>>) -> Signature {
        let names = names_of(&self.scope.declaration);
        let mut signature = Signature::without_defaults(Ty::ERROR, value_tys);
        let name = self.scope.declaration.name.symbol;
        let mut params = Vec::new();
        self.in_function(|walk| {
            walk.name_params(&names);
            let Some(open) = walk.params_of(name) else { return };
            for range in walk.split(open + 1..walk.close(open)) {
                if walk.kind(range.start) == TokenKind::Keyword(Keyword::Void) && range.len() == 1 {
                    continue;
                }
                let default = walk.find(range.clone(), Punct::Eq);
                signature.defaults.push(default.map(|at| walk.tokens[at].span));
                params.push(walk.parameter_ty(range).unwrap_or(Ty::ERROR));
            }
        });
        let types = &mut self.cx.module.types;
        let ty =
            types.intern(TyKind::Func(FuncTy { ret: Ty::VOID, params, variadic: false }), Quals::empty());
        signature.pattern = self.cx.canonical(ty);
        signature
    }

    /// The parenthesis of the parameters of the function that the tokens declare.
    fn params_of(&self, name: Symbol) -> Option<usize> {
        let mut at = 0;
        while at + 1 < self.tokens.len() {
            if self.kind(at) == TokenKind::Ident(name) {
                let after = match self.is(at + 1, Punct::Lt) {
                    true => self.close_angle(at + 1)?.0 + 1,
                    false => at + 1,
                };
                if self.is(after, Punct::LParen) {
                    return Some(after);
                }
            }
            at = self.after(at);
        }
        None
    }

    /// The type of a parameter.
    fn parameter_ty(&mut self, range: Range<usize>) -> Option<Ty> {
        let end = self.find(range.clone(), Punct::Eq).unwrap_or(range.end);
        let (unit, name) = self.read(self.tokens[range.start..end].to_vec(), Rereader::parameter)?;
        let ty = self.check(unit, |cx| cx.types().resolve_type_name(&unit.type_names[name]))?;
        let types = &mut self.cx.module.types;
        let ty = match *types.kind(ty) {
            TyKind::Array(elem, _) => types.pointer_to(elem),
            TyKind::Func(_) => types.pointer_to(ty),
            _ => types.unqualified(ty),
        };
        Some(ty)
    }

    /// The parser knows what the names of the template's parameters are, and sema has them bound.
    fn name_params(&mut self, params: &[(Symbol, bool)]) {
        params.iter().for_each(|&(symbol, is_type)| self.names.declare(symbol, is_type));
    }

    /// The declaration of a template, whose parameters are bound to arguments.
    fn template_body(&mut self, params: &[(Symbol, bool)]) {
        self.in_function(|walk| {
            walk.name_params(params);
            walk.all_statements();
        });
    }

    /// A template whose arguments are not known: what depends on them is not known either.
    fn unknown_template(&mut self, params: &[(Symbol, bool)]) {
        self.in_function(|walk| {
            let span = walk.tokens[0].span;
            for &(symbol, is_type) in params {
                walk.declare_unknown(symbol, span, is_type);
            }
            walk.all_statements();
        });
    }

    /// Notes the instance that an explicit specialization or instantiation names.
    fn special(&mut self, is_specialization: bool) {
        let is_function = |walk: &Self, at: usize| match walk.kind(at) {
            TokenKind::Ident(symbol) => walk.host.functions.contains_key(&symbol),
            _ => false,
        };
        let Some(name) = (0..self.tokens.len()).find(|&at| is_function(self, at)) else { return };
        let TokenKind::Ident(symbol) = self.kind(name) else { return };
        let angles = self.is(name + 1, Punct::Lt).then(|| self.close_angle(name + 1)).flatten();
        let open = angles.map_or(name, |(close, _)| close) + 1;
        self.in_function(|walk| {
            let params: Vec<Ty> = walk
                .split(open + 1..walk.close(open))
                .into_iter()
                .map(|range| walk.parameter_ty(range).unwrap_or(Ty::ERROR))
                .collect();
            let types = &mut walk.cx.module.types;
            let ty =
                types.intern(TyKind::Func(FuncTy { ret: Ty::VOID, params, variadic: false }), Quals::empty());
            for template in walk.host.functions[&symbol].clone() {
                let Some(explicit) = walk.explicit(template, angles.map(|(close, _)| (name + 1, close)))
                else {
                    continue;
                };
                let Some(args) = walk.cx.deduce_from_ty(template, explicit, ty) else { continue };
                match is_specialization {
                    true => {
                        walk.host.known.insert((template, args));
                    }
                    false => walk.host.need(template, args),
                }
                return;
            }
            if is_specialization {
                return;
            }
            walk.note_unknown(symbol);
        });
    }

    /// The template arguments that are written; none if they are not the template's, or not known.
    fn explicit(
        &mut self,
        template: Template,
        angles: Option<(usize, usize)>,
    ) -> Option<Vec<Option<TemplateArg>>> {
        let Some((open, close)) = angles else {
            return self.cx.explicit_args(template, None).ok();
        };
        let mut tokens: Vec<Token> = self.tokens[open..=close].to_vec();
        let last = tokens.len() - 1;
        tokens[last].kind = TokenKind::Punct(Punct::Gt);
        let (unit, args) = self.read(tokens, Rereader::template_args)?;
        self.check(unit, |cx| cx.explicit_args(template, Some(args)).map_err(|_| cx.poisoned()))
    }

    /// All templates of the name may be meant, with any arguments.
    fn note_unknown(&mut self, symbol: Symbol) {
        for template in self.host.functions.get(&symbol).cloned().unwrap_or_default() {
            self.host.note_unknown(template);
        }
        for other in self.host.others.get(&symbol).cloned().unwrap_or_default() {
            if !self.host.unknown_others.contains(&other) {
                self.host.unknown_others.push(other);
            }
        }
    }

    /// A name of templates of the host, within a call or an address that begins at a token.
    pub(super) fn host_use(&mut self, name: usize, begin: usize) {
        let TokenKind::Ident(symbol) = self.kind(name) else { return };
        let is_member = name > 0 && (self.is(name - 1, Punct::Dot) || self.is(name - 1, Punct::Arrow));
        let start = self.first_of_name(name, begin);
        if self.host.others.contains_key(&symbol) {
            // Members are not looked up, so that any of the name may be meant.
            self.note_unknown(symbol);
            return;
        }
        if is_member || start == name && self.names.is_type(symbol).is_some() {
            return;
        }
        let angles = match self.is(name + 1, Punct::Lt) {
            true => self.close_angle(name + 1).filter(|(_, rest)| rest.is_none()),
            false => None,
        };
        let angles = angles.map(|(close, _)| (name + 1, close));
        let after = angles.map_or(name, |(_, close)| close) + 1;
        let is_call = self.is(after, Punct::LParen);
        if !is_call && angles.is_none() || self.is(after, Punct::LaunchOpen) {
            return;
        }
        if self.is_doubtful {
            return self.note_unknown(symbol);
        }
        let args: Args = match is_call {
            true => {
                let parts = self.split(after + 1..self.close(after));
                parts.into_iter().map(|arg| self.argument_or_opaque(arg)).collect()
            }
            false => Args::new(),
        };
        let mut viable = Vec::new();
        for template in self.host.functions.get(&symbol).cloned().unwrap_or_default() {
            let Some(explicit) = self.explicit(template, angles) else { continue };
            let mark = self.cx.sink.mark();
            let found = match is_call {
                true => self.cx.deduce_call(template, explicit, &args).ok(),
                false => self.cx.complete_args(template, explicit).ok(),
            };
            self.cx.sink.rewind(mark);
            viable.extend(found.map(|args| (template, args)));
        }
        let best = (0..viable.len()).find(|&idx| {
            let is_best =
                |other: usize| other == idx || self.cx.is_more_specialized(viable[idx].0, viable[other].0);
            (0..viable.len()).all(is_best)
        });
        let may_be_function = angles.is_none()
            && viable.iter().any(|&(template, _)| {
                let namespace = self.cx.known.templates.templates[template].namespace;
                self.cx.names_ref().has_host_function(namespace, symbol, args.len())
            });
        match best {
            Some(idx) if !may_be_function => {
                let (template, args) = viable.swap_remove(idx);
                self.host.need(template, args);
            }
            _ => self.note_unknown(symbol),
        }
    }
}
