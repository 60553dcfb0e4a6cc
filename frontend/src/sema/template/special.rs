//! Explicit specializations and instantiations (C++17 17.7.2, 17.7.3).

use super::{Mismatch, Template, Templates};
use crate::ast::{DeclKind, DeclSpecs, Declarator, Name, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Instance, TemplateArg, Ty};
use crate::sema::name::scope::Entity;
use crate::source::Span;

impl<'a> Templates<'a> {
    /// `template <> …`
    pub(in crate::sema) fn check_specialization(&mut self, decl: &'a DeclKind) -> Result<(), Reported> {
        let namespace = self.scopes.namespace();
        let result = self.specialize(decl);
        self.scopes.go_to_namespace(namespace);
        result
    }

    /// `template …;`
    pub(in crate::sema) fn check_instantiation(&mut self, decl: &'a DeclKind) -> Result<(), Reported> {
        let namespace = self.scopes.namespace();
        let result = self.instantiate(decl);
        self.scopes.go_to_namespace(namespace);
        result
    }

    /// A function in place of an instance. One with a qualified name leaves its namespace open.
    fn specialize(&mut self, decl: &'a DeclKind) -> Result<(), Reported> {
        if let DeclKind::Declarators { specs, declarators } = decl
            && let (TypeSpec::Record(spec), true) = (&specs.ty, declarators.is_empty())
        {
            return match spec.may_be_of_host {
                true => self.specialize_class_of_host(spec),
                false => self.specialize_class(spec),
            };
        }
        if self.specialize_variable(decl)? {
            return Ok(());
        }
        let (specs, declarator) = self.declared_function(decl)?;
        let Some(name) = declarator.name else { return Err(self.poisoned()) };
        self.names().enter_declarator_scope(declarator)?;
        let ty = self.function_ty(specs, declarator)?;
        let (template, args) = self.instance_named(declarator, name, ty, "specialization")?;
        let pattern = self.known.templates.templates[template].signature.pattern;
        let known = self.known.templates.templates[template].instances.get(&args).copied().flatten();
        let func = match known {
            Some(func) if self.known.func_facts.get(&func).is_some_and(|facts| facts.is_needed) => {
                let shown = self.shown_instance(template, &args);
                let message = format!("explicit specialization of `{shown}` after instantiation");
                let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message);
                return Err(self.sink.error(diagnostic));
            }
            Some(func) => func,
            None => {
                let instance = Instance { args: args.clone(), pattern };
                self.declarations().declare_instance(specs, declarator, instance, true)?
            }
        };
        let data = &mut self.known.templates.templates[template];
        data.instances.insert(args, Some(func));
        // It is no longer made from the template.
        self.known.templates.of_instances.remove(&func);
        if let DeclKind::Function(def) = decl {
            return self.declarations().define_instance(func, def);
        }
        Ok(())
    }

    /// An instance that is made whether something uses it or not.
    fn instantiate(&mut self, decl: &'a DeclKind) -> Result<(), Reported> {
        if let DeclKind::Declarators { specs, declarators } = decl
            && let (TypeSpec::Record(spec), true) = (&specs.ty, declarators.is_empty())
        {
            return self.instantiate_class(spec);
        }
        if let DeclKind::Function(def) = decl {
            if let Some(name) = def.declarator.name.filter(|name| self.scopes.get_here(name.symbol).is_none())
            {
                self.scopes.bind(name.symbol, Entity::Poison, name.span);
            }
            let body = self.unit.stmts[def.body].span;
            let message = "explicit template instantiation cannot have a definition";
            let diagnostic = Diagnostic::new(Code::InvalidTemplate, Span::new(body.lo, body.lo + 1), message)
                .with_help("for an explicit specialization, write `template <>`");
            return Err(self.sink.error(diagnostic));
        }
        let (specs, declarator) = self.declared_function(decl)?;
        let Some(name) = declarator.name else { return Err(self.poisoned()) };
        self.names().enter_declarator_scope(declarator)?;
        let ty = self.function_ty(specs, declarator)?;
        let (template, args) = self.instance_named(declarator, name, ty, "instantiation")?;
        let func = match self.instance(template, args) {
            Ok(func) => func,
            Err(Mismatch::Substitution(_, mut errors)) if !errors.is_empty() => {
                let mut error = errors.swap_remove(0);
                error.add_label(name.span, "in explicit instantiation here");
                return Err(self.sink.error(error));
            }
            Err(why) => {
                let message = self.why_ignored(template, &why, 0);
                return Err(self.error(Code::NoMatchingFunction, name.span, message));
            }
        };
        self.module.functions[func].is_referenced = true;
        self.declarations().make_exported(func);
        if !self.known.templates.instantiated.insert(func) {
            let shown = self.module.functions[func].instance.as_ref().map(|instance| instance.args.clone());
            let shown = self.shown_instance(template, &shown.unwrap_or_default());
            let message = format!("duplicate explicit instantiation of `{shown}`");
            return Err(self.error(Code::InvalidTemplate, name.span, message));
        }
        self.need_body(func, name.span);
        Ok(())
    }

    fn declared_function(&mut self, decl: &'a DeclKind) -> Result<(&'a DeclSpecs, &'a Declarator), Reported> {
        match decl {
            DeclKind::Function(def) => Ok((&def.specs, &def.declarator)),
            DeclKind::Declarators { specs, declarators } if declarators.len() == 1 => {
                Ok((specs, &declarators[0].declarator))
            }
            _ => Err(self.poisoned()),
        }
    }

    fn function_ty(&mut self, specs: &'a DeclSpecs, declarator: &'a Declarator) -> Result<Ty, Reported> {
        let base = self.types().base_of(specs, declarator)?;
        Ok(self.types().declared_ty(base, declarator)?.ty)
    }

    /// The instance that has the name, the written arguments and the type (C++17 17.8.2.6).
    fn instance_named(
        &mut self,
        declarator: &Declarator,
        name: Name,
        ty: Ty,
        what: &str,
    ) -> Result<(Template, Vec<TemplateArg>), Reported> {
        let templates = match self.scopes.get_here(name.symbol).map(|here| here.entity) {
            Some(Entity::Overloads(id)) => self.known.overloads[id].templates.clone(),
            Some(Entity::Poison) => return Err(self.poisoned()),
            _ => Default::default(),
        };
        let found = self.most_specialized(&templates, declarator.template_args.expand(), ty);
        found.ok_or_else(|| {
            let message = format!(
                "no function template matches function template {what} `{}`",
                self.spelling(name.symbol)
            );
            self.error(Code::NoMatchingFunction, name.span, message)
        })
    }
}
