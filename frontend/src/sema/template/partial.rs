//! Partial specializations of class templates (C++17 17.5.5): which of them an instance is made from.

use super::class::Progress;
use super::text::{Binding, Text};
use super::{Signature, Template, Templates};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{DependentTy, TemplateArg, Ty};
use crate::parse::Rereader;
use crate::source::Span;

impl<'a> Templates<'a> {
    /// `template <…> struct S<T *> …`
    pub(super) fn declare_partial(&mut self, text: &Text) -> Result<(), Reported> {
        let declaration = text.declaration.clone();
        let name = declaration.name;
        self.check_params(&declaration.params)?;
        let (pattern, value_tys) = self.within(text, Binding::Pattern, |cx| {
            let value_tys = cx.check_value_params(text)?;
            Ok((cx.specialized_ty(text)?, value_tys))
        })?;
        let Some(DependentTy::Instance(class, _)) = self.module.types.dependent(pattern).cloned() else {
            let message = "partial specialization does not use any of its template parameters";
            return Err(self.error(Code::InvalidTemplate, name.span, message));
        };
        let Some(template) = self.template_of_class_template(class) else { return Err(self.poisoned()) };
        if let Some(idx) = self.undeducible(pattern, declaration.params.len()) {
            let param = &declaration.params[idx];
            let shown = param.name.map_or("", |name| self.spelling(name.symbol));
            let message = format!("partial specialization cannot deduce template parameter `{shown}`");
            return Err(self.error(Code::InvalidTemplate, param.span, message));
        }
        let primary = &self.known.templates.templates[template];
        if primary.signature.pattern == pattern {
            let message = "partial specialization does not specialize any template argument";
            let diagnostic = Diagnostic::new(Code::InvalidTemplate, name.span, message)
                .with_label(primary.name.span, "primary template is declared here");
            return Err(self.sink.error(diagnostic));
        }
        let known = self.partials_of(template).into_iter().find(|&partial| {
            let data = &self.known.templates.templates[partial];
            data.signature.pattern == pattern && data.first().params.len() == declaration.params.len()
        });
        if let Some(known) = known {
            self.define_template(known, text)?;
            return self.check_class_syntax(text);
        }
        let signature = Signature::without_defaults(pattern, value_tys);
        let partial = self.add_template(text, signature);
        self.known.templates.templates[partial].horizon = self.horizon_here();
        if let Some(facts) = self.known.templates.classes.facts.get_mut(&template) {
            facts.partials.push(partial);
        }
        self.check_late_partial(partial, template, name.span)?;
        self.check_class_syntax(text)
    }

    /// The type that the tokens of a specialization, or of the scope of a member, name where the parameters are bound.
    pub(super) fn specialized_ty(&mut self, text: &Text) -> Result<Ty, Reported> {
        let Some(of) = &text.declaration.of else { return Err(self.poisoned()) };
        let (unit, ty) = self.read_again(text, of, Rereader::type_name)?;
        let ty = self.in_unit(unit, |cx| cx.types().resolve_type_name(&unit.type_names[ty]))?;
        Ok(self.canonical(ty))
    }

    /// Reports an instance that would have been made from a partial specialization that follows (C++17 17.5.5p1).
    fn check_late_partial(
        &mut self,
        partial: Template,
        template: Template,
        span: Span,
    ) -> Result<(), Reported> {
        let made = self.known.templates.classes.instances.iter();
        let is_late = |facts: &super::class::InstanceFacts| {
            facts.progress == Progress::Complete
                && facts.source.as_ref().is_some_and(|(source, _)| *source == template)
        };
        let mut made: Vec<_> =
            made.filter(|(_, facts)| is_late(facts)).map(|(&record, facts)| (record, facts.used)).collect();
        made.sort_by_key(|&(record, _)| record);
        for (record, used) in made {
            let ty = self.module.types.record_ty(record);
            if self.deduce_partial(partial, ty).is_some() {
                let shown = self.module.types.display(ty);
                let message =
                    format!("partial specialization that `{shown}` should be made from follows its use");
                let diagnostic =
                    Diagnostic::new(Code::InvalidTemplate, span, message).with_label(used, "it is used here");
                return Err(self.sink.error(diagnostic));
            }
        }
        Ok(())
    }

    fn partials_of(&self, template: Template) -> Vec<Template> {
        self.known
            .templates
            .classes
            .facts
            .get(&template)
            .map_or_else(Vec::new, |facts| facts.partials.clone())
    }

    /// The partial specialization that an instance is made from, with its arguments; none: the template itself.
    pub(super) fn partial_for(
        &mut self,
        template: Template,
        ty: Ty,
        used: Span,
    ) -> Result<Option<(Template, Vec<TemplateArg>)>, Reported> {
        let partials = self.partials_of(template);
        self.best_partial(&partials, ty, used)
    }

    /// The most specialized of the partial specializations that fit, with its arguments.
    pub(super) fn best_partial(
        &mut self,
        partials: &[Template],
        ty: Ty,
        used: Span,
    ) -> Result<Option<(Template, Vec<TemplateArg>)>, Reported> {
        let mut found: Vec<(Template, Vec<TemplateArg>)> = Vec::new();
        for &partial in partials {
            if let Some(args) = self.deduce_partial(partial, ty) {
                found.push((partial, args));
            }
        }
        if found.len() < 2 {
            return Ok(found.pop());
        }
        let candidates: Vec<Template> = found.iter().map(|&(partial, _)| partial).collect();
        let best = (0..candidates.len()).find(|&idx| {
            let mut others = candidates.iter().filter(|&&other| other != candidates[idx]);
            others.all(|&other| self.is_more_specialized(candidates[idx], other))
        });
        if let Some(best) = best {
            return Ok(Some(found.swap_remove(best)));
        }
        let shown = self.module.types.display(ty);
        let message = format!("ambiguous partial specializations of `{shown}`");
        let mut diagnostic = Diagnostic::new(Code::InvalidTemplate, used, message);
        for &partial in &candidates {
            diagnostic = diagnostic.with_label(self.template_span(partial), "partial specialization matches");
        }
        Err(self.sink.error(diagnostic))
    }

    /// The arguments with which a partial specialization is the type.
    fn deduce_partial(&mut self, partial: Template, ty: Ty) -> Option<Vec<TemplateArg>> {
        let data = &self.known.templates.templates[partial];
        let (pattern, n_params) = (data.signature.pattern, data.first().params.len());
        let text = data.text();
        let mut deduced = self.nothing_deduced(partial, vec![None; n_params], true);
        if !self.unify(pattern, ty, &mut deduced) {
            return None;
        }
        let args = self.complete_args(partial, deduced.args).ok()?;
        if !self.is_class_pattern(pattern) {
            return Some(args);
        }
        // What nothing is deduced from must fit as well.
        self.known.templates.depth += 1;
        let named =
            self.silently(|cx| cx.within(&text, Binding::Arguments(&args), |cx| cx.specialized_ty(&text)));
        self.known.templates.depth -= 1;
        if let Err(why) = &named {
            self.defer_unsupported(why);
        }
        (named.ok()? == ty).then_some(args)
    }

    /// Whether the pattern is that of a class, and no variable's.
    fn is_class_pattern(&self, pattern: Ty) -> bool {
        let class = self.module.types.instance_parts(pattern).map(|(class, _)| class);
        class.is_some_and(|class| self.template_of_class_template(class).is_some())
    }

    /// A parameter that arguments of the specialization do not say.
    pub(super) fn undeducible(&mut self, pattern: Ty, n_params: usize) -> Option<usize> {
        (0..n_params).find(|&idx| {
            let is_written: Vec<bool> = (0..n_params).map(|other| other != idx).collect();
            !self.takes_part(pattern, &is_written)
        })
    }
}
