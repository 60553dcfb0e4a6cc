//! Member functions of instances of class templates (C++17 17.7.1p2): one has a body once something uses it.

use std::rc::Rc;

use super::class::MemberText;
use super::instance::{Pending, Source};
use super::text::{Binding, Text};
use super::{Template, Templates};
use crate::ast::{
    ClassId, DeclKind, FunctionDef, Method, MethodId, MethodText, Name, TemplateDecl, TranslationUnit,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{DependentTy, Func, Record, TemplateArg};
use crate::parse::Rereader;
use crate::sema::context::Units;
use crate::sema::types::Param;
use crate::source::Span;
use crate::token::{Keyword, TokenKind};

/// What an instance of a class template is made from.
pub(in crate::sema) struct ClassSource {
    text: Text,
    args: Vec<TemplateArg>,
}

impl ClassSource {
    pub(super) fn new(text: Text, args: Vec<TemplateArg>) -> Self {
        ClassSource { text, args }
    }

    /// The text of the template, or of the partial specialization.
    pub(super) fn text(&self) -> &Text {
        &self.text
    }

    pub(super) fn args(&self) -> &[TemplateArg] {
        &self.args
    }
}

/// A member function of an instance, as its class declares it.
pub(super) struct InstanceMethod {
    /// The outermost class around it.
    instance: Record,
    /// The unit that declares it.
    unit: u32,
    id: MethodId,
    pub(super) params: Vec<Param>,
}

impl<'a> Templates<'a> {
    /// Keeps a member function of an instance until something uses it.
    pub(in crate::sema) fn keep_method(
        &mut self,
        instance: Record,
        id: MethodId,
        func: Func,
        params: Vec<Param>,
    ) {
        let Some(unit) = self.unit_here() else { return };
        let method = InstanceMethod { instance, unit, id, params };
        self.known.templates.methods.insert(func, method);
    }

    /// How the class declares a member function of an instance.
    pub(super) fn declared_method_of(&self, method: &InstanceMethod) -> Option<&'a Method> {
        let units: &'a Units = self.units;
        let unit: &'a TranslationUnit = units.get(method.unit as usize)?;
        Some(&unit.methods[method.id])
    }

    /// A definition of a member outside of its class template.
    pub(super) fn declare_member(&mut self, declaration: &Rc<TemplateDecl>) -> Result<(), Reported> {
        if declaration.of.is_none() {
            return self.define_method_template(declaration);
        }
        let text = Text::new(declaration, self.scopes.namespace());
        let name = declaration.name;
        let of = self.within(&text, Binding::Pattern, |cx| {
            cx.check_value_params(&text)?;
            cx.specialized_ty(&text)
        })?;
        let Some(DependentTy::Instance(class, _)) = self.module.types.dependent(of) else {
            let message = "template parameters are not those of the class whose member this is";
            return Err(self.error(Code::InvalidTemplate, name.span, message));
        };
        let Some(template) = self.template_of_class_template(*class) else { return Err(self.poisoned()) };
        let facts = self.known.templates.classes.facts.get(&template);
        let partials = facts.map_or(&[][..], |facts| &facts.partials);
        let source = [template].iter().chain(partials).copied().find(|&source| {
            let data = &self.known.templates.templates[source];
            data.signature.pattern == of && data.first().params.len() == declaration.params.len()
        });
        let Some(source) = source else {
            let message =
                "out-of-line definition does not match the class template or a partial specialization of it";
            let diagnostic = Diagnostic::new(Code::InvalidTemplate, name.span, message)
                .with_label(self.template_span(template), "class template is declared here");
            return Err(self.sink.error(diagnostic));
        };
        if !self.declares_member(source, name) {
            let shown = self.template_name(source);
            let message = format!(
                "out-of-line definition of `{}` does not match any declaration in `{shown}`",
                self.spelling(name.symbol)
            );
            let diagnostic = Diagnostic::new(Code::NoMember, name.span, message)
                .with_label(self.template_span(source), "class template is declared here");
            return Err(self.sink.error(diagnostic));
        }
        let text = Text { horizon: Some(self.horizon_here()), ..text };
        if let Some(facts) = self.known.templates.classes.facts.get_mut(&template) {
            facts.members.push(MemberText { text, of: source });
        }
        Ok(())
    }

    /// Whether the tokens of a class template have the name.
    fn declares_member(&self, source: Template, name: Name) -> bool {
        let data = &self.known.templates.templates[source];
        let Some(definition) = data.definition() else { return false };
        if let Some(punct) = name.symbol.operator() {
            let mut pairs = definition.tokens.windows(2);
            return pairs.any(|pair| {
                pair[0].kind == TokenKind::Keyword(Keyword::Operator)
                    && pair[1].kind == TokenKind::Punct(punct)
            });
        }
        definition.tokens.iter().any(|token| token.kind == TokenKind::Ident(name.symbol))
    }

    /// Notes that a member function of an instance is needed.
    pub(super) fn need_method(&mut self, func: Func, used: Span) {
        if !self.known.templates.methods.contains_key(&func) {
            return;
        }
        self.module.functions[func].is_referenced = true;
        let facts = self.known.func_facts.entry(func).or_default();
        if std::mem::replace(&mut facts.is_needed, true) || facts.defined.is_some() {
            return;
        }
        let at_once = facts.is_constexpr || facts.is_undeduced;
        let chain = self.known.templates.chain.clone();
        let pending = Pending { func, source: Source::Method, used, chain };
        if at_once && self.has_definition(func) {
            self.make_body(pending);
        } else {
            self.known.templates.pending.push(pending);
        }
    }

    /// The member functions of an instance that nothing has used, those of structs within it included.
    pub(super) fn methods_of(&self, instance: Record) -> Vec<Func> {
        let methods = self.known.templates.methods.iter();
        let mut found: Vec<Func> = methods
            .filter(|(func, method)| {
                method.instance == instance && self.module.functions[**func].instance.is_none()
            })
            .map(|(&func, _)| func)
            .collect();
        found.sort_unstable();
        found
    }

    /// Whether a member function of an instance is defined, in its class or outside.
    pub(super) fn has_definition(&self, func: Func) -> bool {
        let Some(method) = self.known.templates.methods.get(&func) else { return false };
        self.declared_method_of(method).is_some_and(|declared| declared.text.is_some())
            || match self.known.templates.of_instances.get(&func) {
                Some(&template) => self.is_defined_outside(template),
                None => !self.definitions_outside(func).is_empty(),
            }
    }

    /// The definitions outside of the class template that have the name of the member function.
    fn definitions_outside(&self, func: Func) -> Vec<MemberText> {
        let Some(method) = self.known.templates.methods.get(&func) else { return Vec::new() };
        let Some(template) = self.template_of_class(method.instance) else { return Vec::new() };
        let classes = &self.known.templates.classes;
        let source = classes.instances.get(&method.instance).and_then(|facts| facts.source.as_ref());
        let (Some(facts), Some((source, _)), Some(name)) = (
            classes.facts.get(&template),
            source,
            self.declared_method_of(method).and_then(|declared| declared.declarator.name),
        ) else {
            return Vec::new();
        };
        let is_named = |member: &&MemberText| {
            member.of == *source
                && member.text.declaration.name.symbol == name.symbol
                && member.text.declaration.inner.is_none()
        };
        facts.members.iter().filter(is_named).cloned().collect()
    }

    /// The class that a member function is of, for messages: `S<int>::f`.
    pub(super) fn shown_method(&self, func: Func) -> String {
        let function = &self.module.functions[func];
        match function.method {
            Some(method) => {
                let types = &self.module.types;
                let data = &types.records[method.class];
                let unnamed = if data.lambda.is_some() { "(lambda)" } else { "" };
                let tag = data.tag.as_deref().unwrap_or(unnamed);
                format!("{}::{}", types.qualified_name(function.namespace, tag), function.name)
            }
            None => function.name.clone(),
        }
    }

    /// The body of a member function of an instance.
    pub(super) fn make_method_body(&mut self, func: Func, used: Span) {
        let outside = self.definitions_outside(func);
        let Some(method) = self.known.templates.methods.remove(&func) else { return };
        let Some(class) = self.module.functions[func].method.map(|method| method.class) else { return };
        if let Some(&template) = self.known.templates.of_instances.get(&func) {
            return self.make_template_method_body(func, template, method, used);
        }
        let Some((source, args)) = self
            .known
            .templates
            .classes
            .instances
            .get(&method.instance)
            .and_then(|facts| facts.source.clone())
        else {
            return;
        };
        let Some(declared) = self.declared_method_of(&method) else { return };
        if let Some(body) = &declared.text {
            let data = &self.known.templates.templates[source];
            let Some(text) = data.definition().map(|definition| data.text_of(definition)) else { return };
            self.within(&text, Binding::Arguments(&args), |cx| {
                cx.known.func_facts.entry(func).or_default().defined = Some(used);
                let Ok((unit_of_body, def)) = cx.read_body(&text, body) else { return };
                cx.in_unit(unit_of_body, |cx| {
                    cx.within_plain_class(class, |cx| {
                        // What is wrong is reported.
                        let _reported =
                            cx.declarations().define_instance_method(func, declared, def, method.params);
                    });
                });
            });
            return;
        }
        let classes = self.known.templates.classes.instances.get(&method.instance);
        let classes = classes.map(|facts| facts.classes.clone()).unwrap_or_default();
        let is_only = outside.len() == 1;
        for member in outside {
            if self.define_from_outside(func, class, &member.text, &args, &classes, is_only) {
                return;
            }
        }
    }

    /// Defines a member function by a definition outside of its class template, if that is its own.
    fn define_from_outside(
        &mut self,
        func: Func,
        class: Record,
        text: &Text,
        args: &[TemplateArg],
        classes: &[ClassId],
        is_only: bool,
    ) -> bool {
        self.within(text, Binding::Arguments(args), |cx| {
            let read = cx.read_of_class(text, classes);
            let unit = match read {
                Ok((unit, ())) => unit,
                Err(_) => return true,
            };
            let Some(DeclKind::Function(def)) = unit.decls.first().map(|decl| &decl.kind) else {
                return false;
            };
            let Some(name) = def.declarator.name else { return false };
            cx.in_unit(unit, |cx| {
                if !is_only {
                    let found = cx.silently(|cx| {
                        cx.within_plain_class(class, |cx| {
                            cx.declarations().method_declared_by(class, def, name)
                        })
                    });
                    if found.ok() != Some(func) {
                        return false;
                    }
                }
                // What is wrong is reported.
                let _reported =
                    cx.within_plain_class(class, |cx| cx.declarations().define_outside(class, def, name));
                cx.known.func_facts.entry(func).or_default().defined.get_or_insert(name.span);
                true
            })
        })
    }

    /// The body of a member function, in a unit of its own.
    pub(super) fn read_body(
        &mut self,
        text: &Text,
        method: &MethodText,
    ) -> Result<(&'a TranslationUnit, &'a FunctionDef), Reported> {
        let (unit, ()) = self.read_again(text, &method.tokens, |rereader, text, interner, sink| {
            rereader.method_body(text, method, interner, sink)
        })?;
        match unit.decls.first().map(|decl| &decl.kind) {
            Some(DeclKind::Function(def)) => Ok((unit, def)),
            _ => Err(self.poisoned()),
        }
    }

    fn read_of_class(
        &mut self,
        text: &Text,
        classes: &[ClassId],
    ) -> Result<(&'a TranslationUnit, ()), Reported> {
        let tokens = text.declaration.tokens.clone();
        self.read_again(text, &tokens, |rereader, text, interner, sink| {
            let text = crate::parse::Text { classes, ..text };
            Rereader::definition(rereader, text, interner, sink)
        })
    }

    /// What a class is made from, with the arguments of that, if it is an instance of a template or within one.
    pub(in crate::sema) fn source_of_class(&self, class: Record) -> Option<ClassSource> {
        let instance = self.instance_around(class);
        let (source, args) = self.known.templates.classes.instances.get(&instance)?.source.clone()?;
        let data = &self.known.templates.templates[source];
        let text = data.definition().map(|definition| data.text_of(definition))?;
        Some(ClassSource { text, args })
    }

    /// Checks something with the parameters of the template bound that a class is made from.
    pub(in crate::sema) fn in_scope_of_class<R>(
        &mut self,
        source: &ClassSource,
        check: impl FnOnce(&mut Templates<'a>) -> R,
    ) -> R {
        self.in_scope_of(&source.text, Binding::Arguments(&source.args), check)
    }

    /// The class that has the others around a class within it.
    pub(in crate::sema) fn outermost_class(&self, class: Record) -> Record {
        self.classes_outwards(class).last().unwrap_or(class)
    }

    /// The class, and those that have it within them, from the inside out.
    pub(in crate::sema) fn classes_outwards(&self, class: Record) -> impl Iterator<Item = Record> + '_ {
        let records = &self.module.types.records;
        std::iter::successors(Some(class), |&inner| records[inner].outer)
    }

    /// The instance of a class template that a class is, or is within: the innermost one.
    pub(super) fn instance_around(&self, class: Record) -> Record {
        let mut around = self.classes_outwards(class);
        around.find(|&class| self.module.types.class_instance(class).is_some()).unwrap_or(class)
    }
}
