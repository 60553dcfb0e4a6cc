//! Instances of kernel templates that are asked for by name: `--instantiate 'k<float, 4>'`.

use std::rc::Rc;

use super::host_template::HostTemplates;
use super::kernel::overloads_of;
use super::walk::Walk;
use super::{Found, Name, TemplateDecl, TemplateKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::Namespace;
use crate::parse::Rereader;
use crate::sema::Templates;
use crate::sema::call::overload::Overloads;
use crate::sema::template::Mismatch;
use crate::sema::template::text::{Binding, Text};
use crate::source::Span;
use crate::token::{Symbol, Token};

impl Templates<'_> {
    /// Makes the instance that the tokens name, which end in `Eof`.
    pub(in crate::sema) fn instantiate_named(&mut self, tokens: &[Token]) -> Result<(), Reported> {
        let span = match tokens {
            [first, .., last, _] => first.span.to(last.span),
            [only, ..] => only.span,
            [] => Span::default(),
        };
        let found = self.unheard(|cx| cx.instances_named(tokens));
        let (overloads, found) = found.unwrap_or_default();
        let kernels: Vec<_> =
            overloads.templates.iter().copied().filter(|&it| self.is_kernel_template(it)).collect();
        let Some(&first) = kernels.first() else {
            let message =
                format!("`{}` does not name an instance of a kernel template", self.written(tokens));
            let diagnostic = Diagnostic::new(Code::InvalidTemplate, span, message)
                .with_help("write the name with its template arguments: `--instantiate 'name<float, 4>'`");
            return Err(self.sink.error(diagnostic));
        };
        let right: Vec<_> = found.iter().filter_map(|found| found.as_ref().ok().copied()).collect();
        match right[..] {
            [func] => {
                self.module.functions[func].is_referenced = true;
                self.need_body(func, span);
                Ok(())
            }
            [] => {
                let name = self.template_name(first);
                let message = format!("kernel template `{name}` has no instance with these arguments");
                let mut diagnostic = Diagnostic::new(Code::NoMatchingFunction, span, message);
                for (&template, found) in overloads.templates.iter().zip(&found) {
                    if let Err(why) = found {
                        diagnostic
                            .add_label(self.template_span(template), self.why_ignored(template, why, 0));
                    }
                }
                Err(self.sink.error(diagnostic))
            }
            _ => {
                let message = "`--instantiate` names instances of several templates";
                Err(self.error(Code::AmbiguousCall, span, message))
            }
        }
    }

    fn written(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for token in tokens {
            text.push_str(if token.after_space && !text.is_empty() { " " } else { "" });
            text.push_str(token.spelling(self.interner));
        }
        text.trim_end().to_owned()
    }

    /// What the tokens name, and what of each template the instance is.
    fn instances_named(
        &mut self,
        tokens: &[Token],
    ) -> Option<(Overloads, Vec<Result<crate::ir::Func, Mismatch>>)> {
        let (_, tokens) = tokens.split_last()?;
        let declaration = Rc::new(TemplateDecl {
            name: Name { symbol: Symbol::from_index(0), span: Span::default() },
            params: Vec::new(),
            tokens: Vec::new(),
            is_definition: true,
            kind: TemplateKind::Function,
            of: None,
            may_be_of_host: true,
            inner: None,
        });
        let scope = Text::new(&declaration, Namespace::GLOBAL);
        let (kernels, mut found, mut host) = (Default::default(), Found::default(), HostTemplates::default());
        self.within(&scope, Binding::Arguments(&[]), |cx| {
            let mut walk = Walk::new(cx, &scope, tokens, &kernels, &mut found, &mut host);
            let mut named = None;
            walk.in_function(|walk| named = walk.read(tokens.to_vec(), Rereader::value));
            let (unit, id) = named?;
            let overloads = walk.check(unit, |cx| overloads_of(cx, id))?;
            overloads.written?;
            let mut found = Vec::new();
            for &template in &overloads.templates {
                found.push(walk.cx.in_unit(unit, |cx| {
                    let explicit = cx.explicit_args(template, overloads.written)?;
                    let args = cx.complete_args(template, explicit)?;
                    cx.instance(template, args)
                }));
            }
            Some((overloads, found))
        })
    }
}
