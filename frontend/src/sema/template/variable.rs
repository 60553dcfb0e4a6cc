//! Templates of variables (C++17 17.5.1p1): constants, of which each instance has its own value.

use hashbrown::HashMap;

use super::text::{Binding, Text};
use super::{Signature, Template, Templates};
use crate::ast::{
    DeclKind, DeclSpecs, Declarator, ExprId, ExprKind, InitDeclarator, Name, TemplateArgsId, TemplateKind,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{ClassTemplateData, DependentTy, TemplateArg, Ty};
use crate::parse::Rereader;
use crate::sema::expression::Operand;
use crate::sema::name::scope::{self, Entity, HostEntity};
use crate::source::Span;

/// What is remembered of templates of variables.
#[derive(Default)]
pub(super) struct VariableTemplates {
    facts: HashMap<Template, VariableFacts>,
    /// By the arguments; poison while it is being made.
    instances: HashMap<(Template, Vec<TemplateArg>), scope::Binding>,
}

/// A template of variables.
struct VariableFacts {
    /// What its instances would be as types: so partial specializations of variables are compared like those of classes.
    class: crate::ir::ClassTemplate,
    partials: Vec<Template>,
}

impl<'a> Templates<'a> {
    /// `template <…> constexpr int v = …;`
    pub(super) fn declare_variable_template(&mut self, text: &Text) -> Result<(), Reported> {
        let declaration = &text.declaration;
        let name = declaration.name;
        self.check_params(&declaration.params)?;
        if declaration.of.is_some() {
            return self.declare_partial_variable(text);
        }
        let value_tys = self.within(text, Binding::Pattern, |cx| cx.check_value_params(text))?;
        match self.scopes.get_here(name.symbol) {
            None | Some(scope::Binding { entity: Entity::Host(HostEntity::Template), .. }) => {}
            Some(previous) => return Err(self.names().redefinition(name, previous)),
        }
        let data = ClassTemplateData {
            name: self.spelling(name.symbol).to_owned(),
            namespace: text.namespace,
            outer: text.owner.as_ref().map(|owner| owner.class),
        };
        let class = self.module.types.class_templates.push(data);
        let args = self.params_as_args(declaration);
        let pattern = self.module.types.dependent_ty(DependentTy::Instance(class, args));
        let template = self.add_template(text, Signature::without_defaults(pattern, value_tys));
        let facts = VariableFacts { class, partials: Vec::new() };
        self.known.templates.variables.facts.insert(template, facts);
        self.bind_template(template, name);
        Ok(())
    }

    /// `template <…> constexpr int v<T *> = …;`
    fn declare_partial_variable(&mut self, text: &Text) -> Result<(), Reported> {
        let declaration = text.declaration.clone();
        let name = declaration.name;
        let Some(of) = &declaration.of else { return Err(self.poisoned()) };
        let (template, pattern, value_tys) = self.within(text, Binding::Pattern, |cx| {
            let value_tys = cx.check_value_params(text)?;
            let (unit, id) = cx.read_again(text, of, Rereader::value)?;
            cx.in_unit(unit, |cx| {
                let Some((template, _, args)) = cx.variable_named(id)? else {
                    let message = format!("no variable template named `{}`", cx.spelling(name.symbol));
                    return Err(cx.error(Code::UndeclaredIdentifier, name.span, message));
                };
                let args = cx.written_args(template, args, name)?;
                Ok((template, cx.variable_pattern(template, args)?, value_tys))
            })
        })?;
        if let Some(idx) = self.undeducible(pattern, declaration.params.len()) {
            let param = &declaration.params[idx];
            let shown = param.name.map_or("", |name| self.spelling(name.symbol));
            let message = format!("partial specialization cannot deduce template parameter `{shown}`");
            return Err(self.error(Code::InvalidTemplate, param.span, message));
        }
        let partial = self.add_template(text, Signature::without_defaults(pattern, value_tys));
        if let Some(facts) = self.known.templates.variables.facts.get_mut(&template) {
            facts.partials.push(partial);
        }
        Ok(())
    }

    /// The arguments as those of a type.
    fn variable_pattern(&mut self, template: Template, args: Vec<TemplateArg>) -> Result<Ty, Reported> {
        let Some(facts) = self.known.templates.variables.facts.get(&template) else {
            return Err(self.poisoned());
        };
        let class = facts.class;
        Ok(self.module.types.dependent_ty(DependentTy::Instance(class, args)))
    }

    /// The template of variables that an expression names, with its name and the written arguments; none if it names something else.
    pub(in crate::sema) fn variable_named(
        &mut self,
        id: ExprId,
    ) -> Result<Option<(Template, Name, TemplateArgsId)>, Reported> {
        let unit = self.unit;
        let ExprKind::TemplateId { name, args } = unit.exprs[id].kind else { return Ok(None) };
        let span = unit.exprs[name].span;
        let (binding, symbol) = match unit.exprs[name].kind {
            ExprKind::Ident(symbol) => (self.names_ref().lookup(symbol), symbol),
            ExprKind::Scoped { ty, name } => {
                let scope = &unit.type_names[ty].specs.ty;
                (self.silently(|cx| cx.names().member_named(scope, name)).ok().flatten(), name.symbol)
            }
            _ => return Ok(None),
        };
        let Some(Entity::Template(template)) = binding.map(|binding| binding.entity) else { return Ok(None) };
        let is_variable = self.known.templates.templates[template].first().kind == TemplateKind::Variable;
        Ok(is_variable.then_some((template, Name { symbol, span }, args)))
    }

    /// An instance of a template of variables in an expression; none if it is something else.
    pub(in crate::sema) fn variable_operand(&mut self, id: ExprId) -> Result<Option<Operand>, Reported> {
        let Some((template, name, args)) = self.variable_named(id)? else { return Ok(None) };
        if let Some(binding) = self.names_ref().lookup(name.symbol)
            && binding.entity == Entity::Template(template)
        {
            self.names().require_inherited(binding, name)?;
        }
        let args = self.written_args(template, args, name)?;
        let binding = self.variable_instance(template, args, name.span)?;
        self.expressions().entity_operand(binding, name).map(Some)
    }

    fn variable_instance(
        &mut self,
        template: Template,
        args: Vec<TemplateArg>,
        used: Span,
    ) -> Result<scope::Binding, Reported> {
        let key = (template, args);
        if let Some(&known) = self.known.templates.variables.instances.get(&key) {
            return if known.entity == Entity::Poison { Err(self.poisoned()) } else { Ok(known) };
        }
        let poison = scope::Binding { entity: Entity::Poison, span: None };
        self.known.templates.variables.instances.insert(key.clone(), poison);
        let shown = self.shown_instance(template, &key.1);
        let mark = self.sink.mark();
        let made = self.make_variable(template, key.1.clone(), used);
        if made.is_err() {
            let message =
                format!("in instantiation of variable template specialization `{shown}` requested here");
            self.sink.change_since(mark, |diagnostic| diagnostic.add_label(used, message.clone()));
        }
        let binding = made?;
        self.known.templates.variables.instances.insert(key, binding);
        Ok(binding)
    }

    fn make_variable(
        &mut self,
        template: Template,
        args: Vec<TemplateArg>,
        used: Span,
    ) -> Result<scope::Binding, Reported> {
        if self.known.templates.depth >= super::instance::MAX_DEPTH {
            let message = format!(
                "recursive template instantiation exceeded maximum depth of {}",
                super::instance::MAX_DEPTH
            );
            return Err(self.error(Code::NestingTooDeep, used, message));
        }
        let ty = self.variable_pattern(template, args.clone())?;
        let partials = self
            .known
            .templates
            .variables
            .facts
            .get(&template)
            .map(|facts| facts.partials.clone())
            .unwrap_or_default();
        let (source, args) = self.best_partial(&partials, ty, used)?.unwrap_or((template, args));
        let text = self.known.templates.templates[source].text();
        self.known.templates.depth += 1;
        let result = self.within(&text, Binding::Arguments(&args), |cx| {
            let (unit, ()) = cx.read_again(&text, &text.declaration.tokens, Rereader::definition)?;
            match unit.decls.first().map(|decl| (&decl.kind, decl.span)) {
                Some((DeclKind::Declarators { specs, declarators }, span)) => {
                    cx.in_unit(unit, |cx| cx.declare_instance_variable(specs, declarators, span))
                }
                _ => Err(cx.poisoned()),
            }
        });
        self.known.templates.depth -= 1;
        result
    }

    /// Declares a variable that no scope has.
    fn declare_instance_variable(
        &mut self,
        specs: &'a DeclSpecs,
        declarators: &'a [InitDeclarator],
        span: Span,
    ) -> Result<scope::Binding, Reported> {
        let [InitDeclarator { declarator: Declarator { name: Some(name), .. }, .. }] = declarators else {
            return Err(self.poisoned());
        };
        if specs.attrs.iter().any(|attr| {
            use crate::ast::AttrKind;
            matches!(attr.kind, AttrKind::Device | AttrKind::Constant | AttrKind::Shared | AttrKind::Managed)
        }) {
            let message = "a template of variables in the memory of the device is not supported";
            return Err(self.error(Code::UnsupportedTemplate, name.span, message));
        }
        let mark = self.sink.mark();
        self.declarations().check_declarators(specs, declarators, span, None);
        let found = self.scopes.get_here(name.symbol);
        match (found, self.sink.reported().filter(|_| self.sink.n_errors_since(mark) > 0)) {
            (_, Some(reported)) => Err(reported),
            (Some(binding @ scope::Binding { entity: Entity::Const(idx), .. }), None) => {
                self.known.named_consts[idx as usize].is_referenced = true;
                Ok(binding)
            }
            _ => {
                let message = "a template of variables that are no constants of numbers is not supported";
                Err(self.error(Code::UnsupportedTemplate, name.span, message))
            }
        }
    }

    /// `template <> constexpr int v<int> = …;` False: it is none of a variable.
    pub(super) fn specialize_variable(&mut self, decl: &'a DeclKind) -> Result<bool, Reported> {
        let DeclKind::Declarators { specs, declarators } = decl else { return Ok(false) };
        let [InitDeclarator { declarator, .. }] = &declarators[..] else { return Ok(false) };
        let (Some(name), Some(written)) = (declarator.name, declarator.template_args.expand()) else {
            return Ok(false);
        };
        if declarator.is_function() {
            return Ok(false);
        }
        self.names().enter_declarator_scope(declarator)?;
        let Some(scope::Binding { entity: Entity::Template(template), .. }) =
            self.names_ref().lookup(name.symbol)
        else {
            return Ok(false);
        };
        let args = self.written_args(template, written, name)?;
        if self.known.templates.variables.instances.contains_key(&(template, args.clone())) {
            let shown = self.shown_instance(template, &args);
            let message = format!("explicit specialization of `{shown}` after instantiation");
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message);
            return Err(self.sink.error(diagnostic));
        }
        self.scopes.push_template();
        let binding = self.declare_instance_variable(specs, declarators, declarator.span);
        self.scopes.pop_template();
        self.known.templates.variables.instances.insert((template, args), binding?);
        Ok(true)
    }

    /// The symbol's part of an instance whose arguments depend on parameters.
    pub(super) fn dependent_variable(&mut self, id: ExprId) -> Option<crate::ir::DependentValue> {
        let (template, ..) = self.variable_named(id).ok()??;
        let data = &self.known.templates.templates[template];
        let (namespace, symbol) = (data.namespace, data.name.symbol);
        Some(crate::ir::DependentValue::Variable(namespace, self.spelling(symbol).to_owned()))
    }

    /// Whether arguments as they are written depend on parameters.
    pub(super) fn are_dependent_args(&mut self, args: TemplateArgsId) -> bool {
        use crate::ast::TemplateArg as Written;
        let unit = self.unit;
        unit.template_args[args].iter().any(|&arg| match arg {
            Written::Type(ty) => self.is_dependent_name(ty),
            Written::Value(value) => self.is_dependent_value(value),
            Written::Types(_) | Written::Values(_) => true,
        })
    }
}
