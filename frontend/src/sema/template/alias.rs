//! Alias templates (C++17 17.5.7): they are replaced by what they stand for.

use super::text::{Binding, Text};
use super::{Signature, Template, Templates};
use crate::ast::{Name, TemplateKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{TemplateArg, Ty, TypedefData};
use crate::parse::Rereader;

impl<'a> Templates<'a> {
    /// `template <…> using name = type;`
    pub(super) fn declare_alias_template(&mut self, text: &Text) -> Result<(), Reported> {
        let declaration = &text.declaration;
        let name = declaration.name;
        self.check_params(&declaration.params)?;
        let value_tys = self.within(text, Binding::Pattern, |cx| cx.check_value_params(text))?;
        if let Some(known) = self.type_template_here(name, TemplateKind::Alias)? {
            let message = format!("redefinition of `{}`", self.spelling(name.symbol));
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                .with_label(self.template_span(known), "previously declared here");
            return Err(self.sink.error(diagnostic));
        }
        let template = self.add_template(text, Signature::without_defaults(Ty::VOID, value_tys));
        self.bind_template(template, name);
        if declaration.may_be_of_host {
            return Ok(());
        }
        // nvcc checks what does not depend on arguments.
        let text = self.known.templates.templates[template].text();
        self.within(&text, Binding::Pattern, |cx| {
            cx.read_again(&text, &text.declaration.tokens, Rereader::alias).map(|_| ())
        })
    }

    /// What an alias template stands for, with the arguments.
    pub(super) fn alias_ty(
        &mut self,
        template: Template,
        args: Vec<TemplateArg>,
        name: Name,
    ) -> Result<Ty, Reported> {
        let key = (template, args);
        if let Some(&known) = self.known.templates.aliases.get(&key) {
            return Ok(known);
        }
        let (template, args) = key;
        let text = self.known.templates.templates[template].text();
        if self.known.templates.depth >= super::instance::MAX_DEPTH {
            let message = "recursive alias template is too deep";
            return Err(self.error(Code::NestingTooDeep, name.span, message));
        }
        self.known.templates.depth += 1;
        let mark = self.sink.mark();
        let ty = self.within(&text, Binding::Arguments(&args), |cx| {
            let (unit, ty) = cx.read_again(&text, &text.declaration.tokens, Rereader::alias)?;
            cx.in_unit(unit, |cx| cx.types().resolve_type_name(&unit.type_names[ty]))
        });
        self.known.templates.depth -= 1;
        let shown = self.shown_instance(template, &args);
        if ty.is_err() {
            let message = format!("in instantiation of alias template `{shown}` requested here");
            self.sink.change_since(mark, |diagnostic| diagnostic.add_label(name.span, message.clone()));
        }
        let mut ty = ty?;
        if !self.module.types.is_dependent(ty) {
            // nvcc describes it as a typedef name.
            let data = TypedefData {
                name: shown,
                namespace: text.namespace,
                ty,
                align: None,
                is_builtin: false,
                span: text.declaration.name.span,
            };
            ty = self.module.types.add_typedef(data).1;
        }
        self.known.templates.aliases.insert((template, args), ty);
        Ok(ty)
    }
}
