//! Deduction guides: what the values say that initialize an object of a class template without arguments (C++17 16.3.1.8, 17.9).
//!
//! Each guide is a template of functions that return the class, so that overload resolution chooses one. Those of the constructors are made
//! once a class is to be deduced.

use std::rc::Rc;

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::text::{Binding, Text};
use super::{Template, Templates};
use crate::ast::{Name, TemplateDecl, TemplateKind, TemplateParam, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::Ty;
use crate::parse::{ConstructorText, Rereader, head_of_guide};
use crate::sema::name::qualified::Outer;
use crate::sema::name::scope::{Entity, HostEntity};
use crate::token::{Punct, Token, TokenKind};

/// Where a guide comes from: of two that fit equally well, the greater is meant (C++17 16.3.3p1.8 to p1.10).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    ConstructorTemplate,
    Constructor,
    /// `S(S<T>) -> S<T>`
    Copy,
    Written,
}

/// What is known of a guide beside what all templates have.
#[derive(Clone, Copy)]
struct GuideFacts {
    origin: Origin,
    is_explicit: bool,
}

/// What is remembered of guides.
#[derive(Default)]
pub(super) struct Guides {
    facts: HashMap<Template, GuideFacts>,
    /// By the class template.
    written: HashMap<Template, SmallVec<[Template; 2]>>,
    of_constructors: HashMap<Template, Rc<[Template]>>,
}

impl<'a> Templates<'a> {
    /// The class template that a type specifier names without arguments.
    pub(in crate::sema) fn class_without_args(&mut self, spec: &TypeSpec) -> Option<(Template, Name)> {
        let (template, name) = self.template_without_args(spec)?;
        self.known.templates.classes.facts.contains_key(&template).then_some((template, name))
    }

    /// The template of types or variables that a specifier names without arguments.
    pub(super) fn template_without_args(&mut self, spec: &TypeSpec) -> Option<(Template, Name)> {
        if self.known.templates.templates.is_empty() {
            return None;
        }
        let (binding, name) = match spec {
            TypeSpec::Named(name) => (self.names_ref().lookup(name.symbol), *name),
            TypeSpec::Nested(nested) => {
                let found = self.silently(|cx| match cx.names().scope_of(&nested.0)? {
                    // What completes an instance says what is wrong with it.
                    Outer::Type(ty) if !cx.is_complete_class(ty) => Ok(None),
                    _ => cx.names().member_named(&nested.0, nested.1),
                });
                (found.ok().flatten(), nested.1)
            }
            _ => return None,
        };
        match binding.map(|binding| binding.entity) {
            Some(Entity::Template(template)) => Some((template, name)),
            _ => None,
        }
    }

    fn is_complete_class(&self, ty: Ty) -> bool {
        let record = self.module.types.record(ty);
        record.is_some_and(|record| self.module.types.records[record].fields.is_some())
    }

    /// `template <…> S(parameters) -> S<…>;`
    pub(super) fn declare_guide(&mut self, declaration: &Rc<TemplateDecl>) -> Result<(), Reported> {
        let name = declaration.name;
        let TemplateKind::Guide { is_explicit } = declaration.kind else { return Err(self.poisoned()) };
        let template = match self.names_ref().lookup(name.symbol).map(|binding| binding.entity) {
            Some(Entity::Template(template)) => template,
            // One of a class of the host is the host's.
            Some(Entity::Host(HostEntity::Template)) => return Ok(()),
            _ => return Err(self.no_template_of_guide(name)),
        };
        if !self.known.templates.classes.facts.contains_key(&template) {
            return Err(self.no_template_of_guide(name));
        }
        if self.known.templates.templates[template].namespace != self.scopes.namespace() {
            let spelling = self.spelling(name.symbol);
            let message =
                format!("deduction guide must be declared in the same scope as template `{spelling}`");
            let diagnostic = Diagnostic::new(Code::InvalidTemplate, name.span, message)
                .with_label(self.template_span(template), "template is declared here");
            return Err(self.sink.error(diagnostic));
        }
        self.check_params(&declaration.params)?;
        let text = Text::new(declaration, self.scopes.namespace());
        let guide = self.add_guide(&text, GuideFacts { origin: Origin::Written, is_explicit })?;
        let pattern = self.known.templates.templates[guide].signature.pattern;
        let result = self.module.types.func(pattern).map(|func| func.ret);
        let class = result.and_then(|ty| self.module.types.instance_parts(ty)).map(|(class, _)| class);
        if class.and_then(|class| self.template_of_class_template(class)) != Some(template) {
            let spelling = self.spelling(name.symbol);
            let message = format!(
                "deduced type of a deduction guide for `{spelling}` is not written as a specialization of that template"
            );
            let diagnostic = Diagnostic::new(Code::InvalidTemplate, name.span, message)
                .with_label(self.template_span(template), "template is declared here");
            return Err(self.sink.error(diagnostic));
        }
        self.known.templates.guides.written.entry(template).or_default().push(guide);
        Ok(())
    }

    fn no_template_of_guide(&mut self, name: Name) -> Reported {
        let message = format!("no class template named `{}`", self.spelling(name.symbol));
        self.error(Code::UndeclaredIdentifier, name.span, message)
    }

    fn add_guide(&mut self, text: &Text, facts: GuideFacts) -> Result<Template, Reported> {
        let signature = self.signature_of(text)?;
        let horizon = text.horizon;
        let guide = self.add_template(text, signature);
        if let Some(horizon) = horizon {
            self.known.templates.templates[guide].horizon = horizon;
        }
        self.known.templates.guides.facts.insert(guide, facts);
        Ok(guide)
    }

    /// All guides of a class template.
    ///
    /// # Errors
    /// The class is a member of another, which is not supported.
    pub(in crate::sema) fn guides_of(
        &mut self,
        template: Template,
        name: Name,
    ) -> Result<SmallVec<[Template; 2]>, Reported> {
        if self.known.templates.templates[template].owner.is_some() {
            let message = format!(
                "deducing the arguments of `{}`, which is a member of a class, is not supported",
                self.spelling(name.symbol)
            );
            let diagnostic = Diagnostic::new(Code::UnsupportedTemplate, name.span, message)
                .with_help("write the template arguments");
            return Err(self.sink.error(diagnostic));
        }
        let implicit = match self.known.templates.guides.of_constructors.get(&template) {
            Some(known) => known.clone(),
            None => {
                let made = self.guides_of_constructors(template);
                // Constructors may be known later.
                if self.known.templates.templates[template].definition().is_some() {
                    self.known.templates.guides.of_constructors.insert(template, made.clone());
                }
                made
            }
        };
        let mut guides = self.known.templates.guides.written.get(&template).cloned().unwrap_or_default();
        if self.horizon.is_some() {
            guides.retain(|&mut guide| !self.is_template_beyond_horizon(guide));
        }
        guides.extend(implicit.iter().copied());
        Ok(guides)
    }

    /// Whether the first of two guides that fit equally well is meant.
    pub(in crate::sema) fn is_better_guide(&self, a: Template, b: Template) -> bool {
        let origin = |guide| self.known.templates.guides.facts.get(&guide).map(|facts| facts.origin);
        origin(a) > origin(b)
    }

    pub(in crate::sema) fn is_explicit_guide(&self, guide: Template) -> bool {
        self.known.templates.guides.facts.get(&guide).is_some_and(|facts| facts.is_explicit)
    }

    /// The parameters of the definition of a class, each with a name, with the default arguments of the first declaration.
    fn params_of_guides(&self, definition: &TemplateDecl, first: &TemplateDecl) -> Vec<TemplateParam> {
        let param = |(idx, (own, first)): (usize, (&TemplateParam, &TemplateParam))| {
            let unnamed = || self.interner.lookup(&format!("auto:{}", idx + 1));
            let unnamed = || unnamed().map(|symbol| Name { symbol, span: own.span });
            TemplateParam {
                name: own.name.or_else(unnamed),
                default: own.default.clone().or_else(|| first.default.clone()),
                ..own.clone()
            }
        };
        definition.params.iter().zip(&first.params).enumerate().map(param).collect()
    }

    fn guides_of_constructors(&mut self, template: Template) -> Rc<[Template]> {
        let data = &self.known.templates.templates[template];
        let first = data.first().clone();
        let definition = data.definition().unwrap_or(&first).clone();
        let text = data.text_of(&definition);
        let params = self.params_of_guides(&definition, &first);
        let instance = instance_tokens(definition.name, &params);
        let constructors = self.silently(|cx| {
            cx.within(&text, Binding::Pattern, |cx| {
                let read =
                    |rereader: &mut Rereader, text: crate::parse::Text<'_>, interner: &_, sink: &mut _| {
                        rereader.constructors(text, &instance, interner, sink)
                    };
                cx.read_again(&text, &definition.tokens, read).map(|(_, found)| found)
            })
        });
        let head = |constructor: ConstructorText| Head {
            origin: match constructor.template_params {
                Some(_) => Origin::ConstructorTemplate,
                None => Origin::Constructor,
            },
            is_explicit: constructor.is_explicit,
            name: constructor.name,
            own: constructor.template_params.unwrap_or_default(),
            params: constructor.params,
        };
        let mut heads: Vec<Head> = constructors.unwrap_or_default().into_iter().map(head).collect();
        let name = definition.name;
        if heads.is_empty() {
            heads.push(Head::plain(Origin::Constructor, name, &[]));
        }
        heads.push(Head::plain(Origin::Copy, name, &instance));
        let mut guides = Vec::new();
        for head in heads {
            let facts = GuideFacts { origin: head.origin, is_explicit: head.is_explicit };
            let declaration = Rc::new(head.declaration(&params, &instance));
            let text = Text { declaration, ..text.clone() };
            // One whose parameters make no sense outside of the class says nothing.
            guides.extend(self.silently(|cx| cx.add_guide(&text, facts)));
        }
        guides.into()
    }
}

/// What a guide is made of that a class template has without a declaration.
struct Head {
    origin: Origin,
    is_explicit: bool,
    name: Name,
    /// The parameters of a constructor that is a template.
    own: Vec<TemplateParam>,
    /// From `(` to `)`.
    params: Vec<Token>,
}

impl Head {
    /// One with a parameter of the type, if there are tokens of such.
    fn plain(origin: Origin, name: Name, param: &[Token]) -> Head {
        let at = |punct| Token::new(TokenKind::Punct(punct), name.span);
        let params = [&[at(Punct::LParen)], param, &[at(Punct::RParen)]].concat();
        Head { origin, is_explicit: false, name, own: Vec::new(), params }
    }

    /// `auto S(parameters) -> S<…>`, as a template of functions.
    fn declaration(self, params: &[TemplateParam], instance: &[Token]) -> TemplateDecl {
        let name = self.name;
        let at = |kind| Token::new(kind, name.span);
        let mut tokens = head_of_guide(name.span).to_vec();
        tokens.push(at(TokenKind::Ident(name.symbol)));
        tokens.extend(self.params);
        tokens.push(at(TokenKind::Punct(Punct::Arrow)));
        tokens.extend_from_slice(instance);
        tokens.push(at(TokenKind::Eof));
        TemplateDecl {
            name,
            params: params.iter().cloned().chain(self.own).collect(),
            tokens,
            is_definition: false,
            kind: TemplateKind::Guide { is_explicit: self.is_explicit },
            of: None,
            may_be_of_host: true,
            inner: None,
        }
    }
}

/// `S<T, N, U...>`
fn instance_tokens(name: Name, params: &[TemplateParam]) -> Vec<Token> {
    let at = |kind| Token::new(kind, name.span);
    let mut tokens = vec![at(TokenKind::Ident(name.symbol)), at(TokenKind::Punct(Punct::Lt))];
    for (idx, param) in params.iter().enumerate() {
        if idx > 0 {
            tokens.push(at(TokenKind::Punct(Punct::Comma)));
        }
        tokens.extend(param.name.map(|name| at(TokenKind::Ident(name.symbol))));
        if param.is_pack {
            tokens.push(at(TokenKind::Punct(Punct::Ellipsis)));
        }
    }
    tokens.push(at(TokenKind::Punct(Punct::Gt)));
    tokens
}
