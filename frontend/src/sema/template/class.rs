//! Templates of structs and unions (C++17 17.5.1): their declarations, and the instances of them.
//!
//! An instance is declared where it is named, and completed where its members are needed: then the tokens of the template, or of the
//! specialization that fits, are read with the parameters bound.

use std::mem;
use std::rc::Rc;

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::instance::{Link, MAX_DEPTH, MAX_INSTANCES};
use super::text::{Binding, Text};
use super::{Mismatch, Signature, Template, TemplateData, Templates};
use crate::ast::{ClassId, DeclKind, Name, RecordSpec, TemplateArgsId, TemplateDecl, TemplateKind, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported, Severity};
use crate::ir::{
    self, ClassInstance, ClassTemplateData, DependentTy, DependentValue, Record, RecordData, TemplateArg, Ty,
    TyKind,
};
use crate::parse::Rereader;
use crate::sema::name::qualified::Outer;
use crate::sema::name::scope::{Binding as Bound, Entity, HostEntity};
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

/// What is known of a class template beside what all templates have.
pub(super) struct ClassFacts {
    pub(super) class: ir::ClassTemplate,
    pub(super) partials: Vec<Template>,
    /// The definitions of members outside of it.
    pub(super) members: Vec<MemberText>,
}

/// The definition of a member of a class template, outside of it.
#[derive(Clone)]
pub(super) struct MemberText {
    pub(super) text: Text,
    /// The template, or the partial specialization, whose member it is.
    pub(super) of: Template,
}

/// How far an instance is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Declared,
    Begun,
    Complete,
    /// An explicit specialization takes its place.
    Special,
}

/// An instance of a class template.
pub(super) struct InstanceFacts {
    pub(super) progress: Progress,
    /// What it is made from, a partial specialization perhaps, with the arguments of that.
    pub(super) source: Option<(Template, Vec<TemplateArg>)>,
    /// What names it first.
    pub(super) used: Span,
    pub(super) classes: SmallVec<[ClassId; 2]>,
}

/// What is remembered of class templates.
#[derive(Default)]
pub(super) struct ClassTemplates {
    pub(super) facts: HashMap<Template, ClassFacts>,
    pub(super) of_class: HashMap<ir::ClassTemplate, Template>,
    by_args: HashMap<(Template, Vec<TemplateArg>), Ty>,
    pub(super) instances: HashMap<Record, InstanceFacts>,
    /// Mistakes in specializations that may be the host's.
    of_host: HashMap<Record, Vec<Diagnostic>>,
    /// Mistakes in instances that were made where mistakes are no matter: they are mistakes all the same.
    deferred: Vec<Diagnostic>,
}

impl<'a> Templates<'a> {
    /// `template <…> struct S …`
    pub(super) fn declare_class_template(&mut self, text: &Text, is_union: bool) -> Result<(), Reported> {
        let declaration = &text.declaration;
        if declaration.of.is_some() {
            return self.declare_partial(text);
        }
        let name = declaration.name;
        self.check_params(&declaration.params)?;
        let value_tys = self.within(text, Binding::Pattern, |cx| cx.check_value_params(text))?;
        if let Some(known) = self.type_template_here(name, TemplateKind::Class { is_union })? {
            return self.declare_class_again(known, text);
        }
        let data = ClassTemplateData {
            name: self.spelling(name.symbol).to_owned(),
            namespace: text.namespace,
            outer: text.owner.as_ref().map(|owner| owner.class),
        };
        let class = self.module.types.class_templates.push(data);
        let args = self.params_as_args(declaration);
        let pattern = self.module.types.dependent_ty(DependentTy::Instance(class, args));
        let signature = Signature::without_defaults(pattern, value_tys);
        let template = self.add_template(text, signature);
        let facts = ClassFacts { class, partials: Vec::new(), members: Vec::new() };
        self.known.templates.classes.facts.insert(template, facts);
        self.known.templates.classes.of_class.insert(class, template);
        self.bind_template(template, name);
        self.check_class_syntax(text)
    }

    /// The template of types that the name is in the innermost scope.
    ///
    /// # Errors
    /// The name is taken by something else.
    pub(super) fn type_template_here(
        &mut self,
        name: Name,
        kind: TemplateKind,
    ) -> Result<Option<Template>, Reported> {
        let here = self.scopes.get_here(name.symbol).or_else(|| {
            let (ty, span) = self.scopes.tag_here(name.symbol)?;
            Some(Bound { entity: Entity::Typedef(ty), span })
        });
        match here {
            None | Some(Bound { entity: Entity::Host(HostEntity::Template), .. }) => Ok(None),
            Some(Bound { entity: Entity::Template(template), .. })
                if self.known.templates.templates[template].first().kind == kind =>
            {
                Ok(Some(template))
            }
            Some(previous) => Err(self.names().redefinition(name, previous)),
        }
    }

    /// A new template.
    pub(super) fn add_template(&mut self, text: &Text, signature: Signature) -> Template {
        let data = TemplateData {
            name: text.declaration.name,
            namespace: text.namespace,
            owner: text.owner.clone(),
            outside: None,
            declarations: vec![text.declaration.clone()],
            signature,
            horizon: self.horizon_here(),
            instances: HashMap::new(),
        };
        self.known.templates.templates.push(data)
    }

    /// Gives a template its name, with which it is known in its own text.
    pub(super) fn bind_template(&mut self, template: Template, name: Name) {
        if self.scopes.has_namespaces() {
            self.known.names_of_namespaces.insert(name.symbol);
        }
        self.scopes.bind(name.symbol, Entity::Template(template), name.span);
        self.known.templates.templates[template].horizon = self.horizon_here();
    }

    /// The parameters of a template as arguments of its own.
    pub(super) fn params_as_args(&mut self, declaration: &TemplateDecl) -> Vec<TemplateArg> {
        let arg = |(idx, param): (usize, &crate::ast::TemplateParam)| {
            let idx = idx as u32;
            let is_type = !matches!(param.kind, crate::ast::TemplateParamKind::Value(_));
            match (is_type, param.is_pack) {
                (true, false) => TemplateArg::Type(self.module.types.dependent_ty(DependentTy::Param(idx))),
                (true, true) => {
                    let ty = self.module.types.dependent_ty(DependentTy::Param(idx));
                    let pack = self.module.types.dependent_ty(DependentTy::Expansion(ty));
                    TemplateArg::Pack(vec![TemplateArg::Type(pack)])
                }
                (false, false) => TemplateArg::Dependent(DependentValue::Param(idx)),
                (false, true) => {
                    let pack = DependentValue::Operator("sp", vec![DependentValue::Param(idx)]);
                    TemplateArg::Pack(vec![TemplateArg::Dependent(pack)])
                }
            }
        };
        declaration.params.iter().enumerate().map(arg).collect()
    }

    fn declare_class_again(&mut self, template: Template, text: &Text) -> Result<(), Reported> {
        let declaration = &text.declaration;
        let name = declaration.name;
        let first = self.known.templates.templates[template].first().clone();
        let kind = |param: &crate::ast::TemplateParam| (mem::discriminant(&param.kind), param.is_pack);
        if !declaration.params.iter().map(kind).eq(first.params.iter().map(kind)) {
            let message = format!(
                "template parameters of `{}` differ from those of its previous declaration",
                self.spelling(name.symbol)
            );
            let diagnostic = Diagnostic::new(Code::ConflictingTypes, name.span, message)
                .with_label(first.name.span, "previously declared here");
            return Err(self.sink.error(diagnostic));
        }
        self.define_template(template, text)?;
        if declaration.is_definition { self.check_class_syntax(text) } else { Ok(()) }
    }

    /// Another declaration of a template, which may define it.
    pub(super) fn define_template(&mut self, template: Template, text: &Text) -> Result<(), Reported> {
        let declaration = &text.declaration;
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

    /// Reports what is wrong with the members whatever the arguments are: nvcc reads them where they are declared, but no bodies.
    pub(super) fn check_class_syntax(&mut self, text: &Text) -> Result<(), Reported> {
        self.note_functions(&text.declaration);
        if !text.declaration.is_definition || text.declaration.may_be_of_host {
            return Ok(());
        }
        self.within(text, Binding::Pattern, |cx| {
            cx.read_again(text, &text.declaration.tokens, Rereader::class).map(|_| ())
        })
    }

    /// Notes the names of member functions, by the tokens: a call of one may be what makes an instance complete.
    fn note_functions(&mut self, declaration: &TemplateDecl) {
        for pair in declaration.tokens.windows(2) {
            match (pair[0].kind, pair[1].kind) {
                (TokenKind::Ident(symbol), TokenKind::Punct(Punct::LParen)) => {
                    self.known.names.of_methods.insert(symbol);
                }
                (TokenKind::Keyword(Keyword::Operator), TokenKind::Punct(punct)) => {
                    self.known.has_operators = true;
                    self.known.names.of_methods.extend(punct.operator_name());
                }
                _ => {}
            }
        }
    }

    /// The template of types, or of variables, that a name is.
    pub(super) fn template_named(&mut self, spec: &TypeSpec) -> Result<(Template, Name), Reported> {
        match spec {
            TypeSpec::Named(name) => Ok((self.template_at(None, *name)?, *name)),
            TypeSpec::Nested(nested) => Ok((self.template_at(Some(&nested.0), nested.1)?, nested.1)),
            _ => Err(self.poisoned()),
        }
    }

    fn template_at(&mut self, scope: Option<&TypeSpec>, name: Name) -> Result<Template, Reported> {
        let binding = match scope {
            Some(scope) => self.names().member_named(scope, name)?,
            None => {
                let binding = self.names_ref().lookup(name.symbol);
                binding.map_or(Ok(()), |binding| self.names().require_inherited(binding, name))?;
                binding
            }
        };
        let template = match binding.map(|binding| binding.entity) {
            Some(Entity::Template(template)) => Some(template),
            // In its own text, the name is that of the instance, too.
            Some(Entity::Typedef(ty)) => self
                .module
                .types
                .instance_parts(ty)
                .filter(|(class, _)| {
                    self.module.types.class_templates[*class].name == self.spelling(name.symbol)
                })
                .and_then(|(class, _)| self.known.templates.classes.of_class.get(&class).copied()),
            Some(Entity::Poison) => return Err(self.poisoned()),
            Some(Entity::Host(host)) => {
                let declared = binding.and_then(|binding| binding.span);
                return Err(self.names().host_entity_used(host, name, declared));
            }
            Some(Entity::Several) => return Err(self.names().ambiguous(name)),
            _ => None,
        };
        template.ok_or_else(|| {
            if self.names_ref().is_refused(name.symbol) {
                return self.poisoned();
            }
            let message = format!("no template named `{}`", self.spelling(name.symbol));
            self.error(Code::UndeclaredIdentifier, name.span, message)
        })
    }

    /// `S<int>`, or what an alias template stands for.
    pub(in crate::sema) fn instance_ty(
        &mut self,
        spec: &TypeSpec,
        written: TemplateArgsId,
    ) -> Result<Ty, Reported> {
        if self.known.templates.reads_pattern
            && let TypeSpec::Nested(nested) = spec
            && let Outer::Type(of) = self.names().scope_of(&nested.0)?
            && self.module.types.is_dependent(of)
        {
            let args = self.args_of_unknown(written)?;
            let name = self.spelling(nested.1.symbol).to_owned();
            let of = self.canonical(of);
            return Ok(self.module.types.dependent_ty(DependentTy::MemberInstance(of, name, args)));
        }
        if let Some(param) = self.param_named(spec) {
            let args = self.args_of_unknown(written)?;
            let args = self.args_of_param(spec, args);
            return Ok(self.module.types.dependent_ty(DependentTy::ParamInstance(param, args)));
        }
        let (template, name) = self.template_named(spec)?;
        self.instance_of(template, written, name)
    }

    fn instance_of(
        &mut self,
        template: Template,
        written: TemplateArgsId,
        name: Name,
    ) -> Result<Ty, Reported> {
        let kind = self.known.templates.templates[template].first().kind;
        if let TemplateKind::Class { .. } = kind
            && self.expands_early(template, written)
        {
            // Which of its parameters the elements are for is known in an instance.
            let args = self.args_of_unknown(written)?;
            return self.class_instance(template, args, name.span);
        }
        let args = self.written_args(template, written, name)?;
        match kind {
            TemplateKind::Class { .. } => self.class_instance(template, args, name.span),
            TemplateKind::Alias => self.alias_ty(template, args, name),
            TemplateKind::Function
            | TemplateKind::Variable
            | TemplateKind::Member
            | TemplateKind::Guide { .. } => {
                let message = format!("`{}` is not a template of types", self.spelling(name.symbol));
                let diagnostic = Diagnostic::new(Code::InvalidTemplate, name.span, message)
                    .with_label(self.template_span(template), "declared here");
                Err(self.sink.error(diagnostic))
            }
        }
    }

    /// All arguments of an instance by its name.
    pub(super) fn written_args(
        &mut self,
        template: Template,
        written: TemplateArgsId,
        name: Name,
    ) -> Result<Vec<TemplateArg>, Reported> {
        let found = self.explicit_args(template, Some(written));
        let found = found.and_then(|explicit| self.complete_args(template, explicit));
        found.map_err(|why| self.wrong_args(template, why, name))
    }

    /// Reports arguments that are not those of the template.
    fn wrong_args(&mut self, template: Template, why: Mismatch, name: Name) -> Reported {
        let what = match self.known.templates.templates[template].first().kind {
            TemplateKind::Class { .. } => "class",
            TemplateKind::Alias => "alias",
            TemplateKind::Variable => "variable",
            TemplateKind::Function | TemplateKind::Member | TemplateKind::Guide { .. } => "function",
        };
        let spelling = self.spelling(name.symbol);
        let message = match why {
            Mismatch::TooManyExplicit => {
                format!("too many template arguments for {what} template `{spelling}`")
            }
            Mismatch::Undeduced(idx)
                if idx < self.known.templates.templates[template].first().params.len() =>
            {
                format!("too few template arguments for {what} template `{spelling}`")
            }
            Mismatch::Explicit(idx, errors) if errors.is_empty() => {
                let param = &self.known.templates.templates[template].first().params[idx];
                match param.kind {
                    crate::ast::TemplateParamKind::Type => {
                        "template argument for template type parameter must be a type".to_owned()
                    }
                    crate::ast::TemplateParamKind::Template(_) => {
                        "template argument for template template parameter must be a class template or an alias template".to_owned()
                    }
                    crate::ast::TemplateParamKind::Value(_) => {
                        "template argument for non-type template parameter must be an expression".to_owned()
                    }
                }
            }
            Mismatch::Explicit(_, mut errors) | Mismatch::Substitution(_, mut errors)
                if !errors.is_empty() =>
            {
                return self.sink.error(errors.swap_remove(0));
            }
            _ => return self.poisoned(),
        };
        let diagnostic = Diagnostic::new(Code::InvalidTemplate, name.span, message)
            .with_label(self.template_span(template), "template is declared here");
        self.sink.error(diagnostic)
    }

    /// The instance of a class template with the arguments, which is declared if there is none.
    pub(super) fn class_instance(
        &mut self,
        template: Template,
        args: Vec<TemplateArg>,
        used: Span,
    ) -> Result<Ty, Reported> {
        let Some(facts) = self.known.templates.classes.facts.get(&template) else {
            return Err(self.poisoned());
        };
        let class = facts.class;
        if args.iter().any(|arg| self.module.types.is_dependent_arg(arg)) {
            return Ok(self.module.types.dependent_ty(DependentTy::Instance(class, args)));
        }
        let key = (template, args);
        if let Some(&known) = self.known.templates.classes.by_args.get(&key) {
            return Ok(known);
        }
        let (template, args) = key;
        self.known.templates.n_instances += 1;
        if self.known.templates.n_instances > MAX_INSTANCES {
            let message = format!("the program has more than {MAX_INSTANCES} instances of templates");
            return Err(self.error(Code::NestingTooDeep, used, message));
        }
        let data = &self.known.templates.templates[template];
        let is_union = data.first().kind == TemplateKind::Class { is_union: true };
        let tag = self.shown_instance(template, &args);
        let (record, ty) = self.cx.module.types.add_record(RecordData {
            tag: Some(tag),
            typedef_name: None,
            outer: data.owner.as_ref().map(|owner| owner.class),
            owner: None,
            namespace: data.namespace,
            is_union,
            fields: None,
            align: None,
            is_builtin: false,
            half: None,
            has_own_copy: false,
            lambda: None,
            span: data.name.span,
        });
        let instance = ClassInstance { template: class, args: args.clone() };
        self.module.types.set_class_instance(record, instance);
        self.known.templates.classes.by_args.insert((template, args), ty);
        let facts =
            InstanceFacts { progress: Progress::Declared, source: None, used, classes: SmallVec::new() };
        self.known.templates.classes.instances.insert(record, facts);
        Ok(ty)
    }

    /// The template of types by its handle.
    pub(super) fn template_of_class_template(&self, class: ir::ClassTemplate) -> Option<Template> {
        self.known.templates.classes.of_class.get(&class).copied()
    }

    /// The template that a struct is an instance of.
    pub(super) fn template_of_class(&self, record: Record) -> Option<Template> {
        let class = self.module.types.class_instance(record)?.template;
        self.known.templates.classes.of_class.get(&class).copied()
    }

    /// Makes the members of a struct or union, or of the elements of an array, if it is an instance that lacks them.
    pub(in crate::sema) fn complete(&mut self, ty: Ty, used: Span) {
        let mut ty = ty;
        if let Some(record) = self.module.types.record(ty)
            && self.known.templates.classes.of_host.contains_key(&record)
        {
            self.report_of_host(record);
        }
        while let TyKind::Array(elem, _) = *self.module.types.kind(ty) {
            ty = elem;
        }
        if let Some(record) = self.module.types.record(ty)
            && self.module.types.records[record].fields.is_none()
        {
            self.complete_class(record, used);
        }
    }

    /// Whether an instance is made from its template, and no explicit specialization takes its place.
    pub(in crate::sema) fn is_made_instance(&self, record: Record) -> bool {
        let facts = self.known.templates.classes.instances.get(&record);
        facts.is_some_and(|facts| facts.progress != Progress::Special)
    }

    fn complete_class(&mut self, record: Record, used: Span) {
        let Some(facts) = self.known.templates.classes.instances.get(&record) else { return };
        if facts.progress != Progress::Declared {
            return;
        }
        let depth = self.known.templates.chain.as_ref().map_or(0, |link| link.depth) + 1;
        let is_silent = self.known.templates.n_silent > 0;
        let aside = self.sink.aside();
        let said = mem::replace(self.sink, aside);
        if self.make_class(record, used, depth).is_err() {
            // Nothing more is said of what it lacks.
            self.known.broken_records.insert(record);
            if self.module.types.records[record].fields.is_none() {
                self.module.types.complete_record(record, Vec::new());
            }
        }
        let found = mem::replace(self.sink, said).into_emitted();
        for diagnostic in found {
            match diagnostic.severity {
                Severity::Error if is_silent => self.known.templates.classes.deferred.push(diagnostic),
                Severity::Error => drop(self.sink.error(diagnostic)),
                _ if is_silent => {}
                _ => self.sink.emit(diagnostic),
            }
        }
    }

    /// Notes a mistake that is one wherever it was found.
    pub(super) fn defer(&mut self, error: Diagnostic) {
        self.known.templates.classes.deferred.push(error);
    }

    /// Reports mistakes in instances that were made where mistakes are no matter.
    pub(super) fn report_deferred(&mut self) {
        for diagnostic in mem::take(&mut self.known.templates.classes.deferred) {
            self.sink.error(diagnostic);
        }
    }

    fn make_class(&mut self, record: Record, used: Span, depth: u32) -> Result<(), Reported> {
        let ty = self.module.types.record_ty(record);
        let (Some(template), Some(instance)) =
            (self.template_of_class(record), self.module.types.class_instance(record).cloned())
        else {
            return Ok(());
        };
        let (source, args) = match self.partial_for(template, ty, used)? {
            Some(found) => found,
            None => (template, instance.args),
        };
        let data = &self.known.templates.templates[source];
        let Some(text) = data.definition().map(|definition| data.text_of(definition)) else { return Ok(()) };
        let name = text.declaration.name;
        if depth > MAX_DEPTH {
            let message = format!("recursive template instantiation exceeded maximum depth of {MAX_DEPTH}");
            return Err(self.error(Code::NestingTooDeep, used, message));
        }
        if let Some(facts) = self.known.templates.classes.instances.get_mut(&record) {
            facts.progress = Progress::Begun;
            facts.source = Some((source, args.clone()));
        }
        self.module.types.records[record].span = name.span;
        let shown = self.module.types.display(ty);
        let link = Rc::new(Link::of_class(shown, used, depth, self.known.templates.chain.clone()));
        let outer = self.known.templates.chain.replace(link.clone());
        let mark = self.sink.mark();
        let result = self.within(&text, Binding::Arguments(&args), |cx| {
            let (unit, ()) = cx.read_again(&text, &text.declaration.tokens, Rereader::class)?;
            let Some(spec) = unit.decls.first().and_then(|decl| record_spec(&decl.kind)) else {
                return Err(cx.poisoned());
            };
            if let Some(facts) = cx.known.templates.classes.instances.get_mut(&record) {
                facts.classes = spec.class.expand().into_iter().collect();
            }
            cx.in_unit(unit, |cx| cx.types().define_instance(record, spec))
        });
        self.known.templates.chain = outer;
        if let Some(facts) = self.known.templates.classes.instances.get_mut(&record) {
            facts.progress = Progress::Complete;
        }
        self.label_instances(mark, &link);
        result
    }

    /// `struct S<int>`
    pub(in crate::sema) fn tagged_instance(
        &mut self,
        scope: Option<&TypeSpec>,
        tag: Name,
        written: TemplateArgsId,
    ) -> Result<Ty, Reported> {
        let template = self.template_at(scope, tag)?;
        self.instance_of(template, written, tag)
    }

    /// `template struct S<int>;`: all members are made whether something uses them or not (C++17 17.7.2p8).
    pub(super) fn instantiate_class(&mut self, spec: &'a RecordSpec) -> Result<(), Reported> {
        let (Some(tag), Some(written)) = (spec.tag, spec.args.expand()) else {
            let span = spec.tag.map_or(spec.keyword, |tag| tag.span);
            let message = "explicit instantiation lacks the template arguments after its name";
            return Err(self.error(Code::InvalidTemplate, span, message));
        };
        if spec.members.is_some() {
            let message = "explicit template instantiation cannot have a definition";
            let diagnostic = Diagnostic::new(Code::InvalidTemplate, tag.span, message)
                .with_help("for an explicit specialization, write `template <>`");
            return Err(self.sink.error(diagnostic));
        }
        if spec.may_be_of_host {
            // One of a template of the host is the host's, too.
            let template = self.silently(|cx| cx.template_at(spec.scope.as_deref(), tag));
            let is_of_device = template.is_ok_and(|template| {
                let data = &self.known.templates.templates[template];
                data.definition().is_some_and(|definition| !definition.may_be_of_host)
            });
            if !is_of_device {
                return Ok(());
            }
        }
        let ty = self.tagged_instance(spec.scope.as_deref(), tag, written)?;
        self.types().require_complete(ty, tag.span)?;
        let Some(record) = self.module.types.record(ty) else { return Err(self.poisoned()) };
        for func in self.methods_of(record) {
            self.declarations().make_exported(func);
            self.need_body(func, tag.span);
        }
        Ok(())
    }

    /// A specialization that may be the host's: what is wrong is said where something uses it.
    pub(super) fn specialize_class_of_host(&mut self, spec: &'a RecordSpec) -> Result<(), Reported> {
        let Err(errors) = self.silently(|cx| cx.specialize_class(spec)) else { return Ok(()) };
        if let Some(error) = errors.iter().find(|error| error.code == Code::Redefinition) {
            return Err(self.sink.error(error.clone()));
        }
        let (Some(tag), Some(written)) = (spec.tag, spec.args.expand()) else { return Ok(()) };
        let named = self.silently(|cx| cx.tagged_instance(spec.scope.as_deref(), tag, written));
        if let Some(record) = named.ok().and_then(|ty| self.module.types.record(ty)) {
            self.known.broken_records.insert(record);
            self.known.templates.classes.of_host.insert(record, errors);
        }
        Ok(())
    }

    /// Reports what is wrong with a specialization that was taken for the host's, once something of the device uses it.
    pub(in crate::sema) fn report_of_host(&mut self, record: Record) {
        for error in self.known.templates.classes.of_host.remove(&record).unwrap_or_default() {
            self.sink.error(error);
        }
    }

    /// `template <> struct S<int> { … };`, or its declaration.
    pub(super) fn specialize_class(&mut self, spec: &'a RecordSpec) -> Result<(), Reported> {
        let (Some(tag), Some(written)) = (spec.tag, spec.args.expand()) else {
            let span = spec.tag.map_or(spec.keyword, |tag| tag.span);
            let message = "explicit specialization lacks the template arguments after its name";
            return Err(self.error(Code::InvalidTemplate, span, message));
        };
        let named = self.tagged_instance(spec.scope.as_deref(), tag, written)?;
        let Some(record) = self.module.types.record(named) else { return Err(self.poisoned()) };
        let facts = self.known.templates.classes.instances.get(&record);
        let progress = facts.map_or(Progress::Special, |facts| facts.progress);
        let shown = self.module.types.display(named);
        if matches!(progress, Progress::Begun | Progress::Complete) {
            let message = format!("explicit specialization of `{shown}` after instantiation");
            let mut diagnostic = Diagnostic::new(Code::Redefinition, tag.span, message);
            if let Some(facts) = facts {
                diagnostic = diagnostic.with_label(facts.used, "implicit instantiation first required here");
            }
            return Err(self.sink.error(diagnostic));
        }
        if let Some(facts) = self.known.templates.classes.instances.get_mut(&record) {
            facts.progress = Progress::Special;
            facts.classes = spec.class.expand().into_iter().collect();
        }
        if spec.members.is_none() {
            return Ok(());
        }
        if self.module.types.records[record].fields.is_some() {
            let previous = self.module.types.records[record].span;
            let message = format!("redefinition of `{shown}`");
            let diagnostic = Diagnostic::new(Code::Redefinition, tag.span, message)
                .with_label(previous, "previously defined here");
            return Err(self.sink.error(diagnostic));
        }
        self.module.types.records[record].span = tag.span;
        let namespace = self.module.types.records[record].namespace;
        let outer = self.scopes.go_to_namespace(namespace);
        let result = self.types().define_instance(record, spec);
        self.scopes.go_to_namespace(outer);
        result
    }
}

/// The struct that a declaration defines.
fn record_spec(kind: &DeclKind) -> Option<&RecordSpec> {
    match kind {
        DeclKind::Declarators { specs, .. } => match &specs.ty {
            TypeSpec::Record(spec) => Some(spec),
            _ => None,
        },
        _ => None,
    }
}
