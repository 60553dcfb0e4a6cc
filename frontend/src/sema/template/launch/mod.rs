//! The instances of kernel templates that host code needs, as nvcc makes them: those that it launches, or whose addresses it takes.
//!
//! Host code is tokens that the parser skipped. Those of it that name a kernel template are walked here at the end of the text: blocks
//! are scopes, declarations that can be read are declared with their types, and where a kernel template is named, the arguments
//! are read as those of a call are. What cannot be read has no type, and nothing is concluded from it: a launch whose instance is not
//! known is a warning.
//!
//! - this file: which texts there are, and what becomes of what is found
//! - [`walk`]: statements, blocks, functions; [`tokens`]: brackets and lists
//! - [`declare`]: what declarations say of names
//! - [`kernel`]: names of kernels
//! - [`named`]: instances that are asked for by name
//! - [`host_template`]: function templates of the host, whose launches are made for each instance that is called

mod declare;
mod generic_lambda;
mod host_template;
mod kernel;
mod named;
mod tokens;
mod walk;

use std::mem;
use std::rc::Rc;

use hashbrown::HashSet;

use super::text::{Binding, Horizon, Text};
use super::{Template, Templates};
use crate::ast::{HostText, HostTextKind, Name, TemplateDecl, TemplateKind};
use crate::diag::{Code, Diagnostic};
use crate::ir::Func;
use crate::source::Span;
use crate::token::Symbol;
use host_template::HostTemplates;
use walk::Walk;

/// What is remembered of host code that names kernel templates.
#[derive(Default)]
pub(in crate::sema) struct LaunchFacts {
    texts: Vec<(Rc<HostText>, Horizon)>,
}

/// What has been found out about launches.
#[derive(Default)]
struct Found {
    /// The instances, and where they are named.
    instances: Vec<(Func, Span)>,
    /// The names whose instances are not known: the template, and why.
    unknown: Vec<(Span, Template, Option<String>)>,
}

impl<'a> Templates<'a> {
    /// Remembers the host code that was skipped in the unit.
    pub(in crate::sema) fn note_host_texts(&mut self) {
        for text in &self.unit.host_texts {
            let horizon = self.horizon_here();
            self.known.templates.launches.texts.push((text.clone(), horizon));
        }
    }

    /// Has the instances made that the host code of the whole text launches.
    pub(in crate::sema) fn instantiate_launches(&mut self) {
        let texts = mem::take(&mut self.known.templates.launches.texts);
        let kernels = self.kernel_names();
        if texts.is_empty() || kernels.is_empty() {
            return;
        }
        // Host code may call what is the host's.
        let is_relaxed = mem::replace(&mut self.dialect.relaxed_constexpr, true);
        let found = self.unheard(|cx| {
            let mut found = Found::default();
            let mut host = cx.host_templates(&texts, &kernels);
            cx.note_special_host_texts(&texts, &kernels, &mut host);
            for (text, horizon) in &texts {
                match &text.kind {
                    HostTextKind::Code | HostTextKind::Specialization => {
                        cx.walk_with(text, *horizon, &kernels, &mut found, &mut host, |walk| {
                            walk.item(text.record);
                        });
                    }
                    HostTextKind::Template(_) | HostTextKind::Instantiation | HostTextKind::Other(_) => {}
                }
            }
            cx.walk_host_instances(&texts, &kernels, &mut found, &mut host);
            found
        });
        self.dialect.relaxed_constexpr = is_relaxed;
        for (func, span) in found.instances {
            self.module.functions[func].is_referenced = true;
            self.need_body(func, span);
        }
        let mut warned = HashSet::new();
        for (span, template, why) in found.unknown {
            if warned.insert(span) {
                self.warn_unknown(span, template, why);
            }
        }
    }

    /// The names of the templates that are kernels.
    fn kernel_names(&self) -> HashSet<Symbol> {
        let kernels = self.known.templates.templates.values().filter(|data| data.first().is_kernel());
        kernels.map(|data| data.name.symbol).collect()
    }

    /// Walks the tokens of a text that is not an instance.
    fn walk_with(
        &mut self,
        text: &HostText,
        horizon: Horizon,
        kernels: &HashSet<Symbol>,
        found: &mut Found,
        host: &mut HostTemplates,
        work: impl FnOnce(&mut Walk<'_, 'a>),
    ) {
        let declaration = Rc::new(TemplateDecl {
            name: Name { symbol: text.record.unwrap_or(Symbol::from_index(0)), span: Span::default() },
            params: Vec::new(),
            tokens: Vec::new(),
            is_definition: true,
            kind: TemplateKind::Function,
            of: None,
            may_be_of_host: true,
            inner: None,
        });
        let scope = Text { horizon: Some(horizon), ..Text::new(&declaration, text.namespace) };
        self.within(&scope, Binding::Arguments(&[]), |cx| {
            work(&mut Walk::new(cx, &scope, &text.tokens, kernels, found, host));
        });
    }

    fn warn_unknown(&mut self, span: Span, template: Template, why: Option<String>) {
        let name = self.template_name(template);
        let message = format!("cannot tell which instance of kernel template `{name}` host code needs");
        let label = why.unwrap_or_else(|| "declared here".to_owned());
        let diagnostic = Diagnostic::new(Code::UnknownInstance, span, message)
            .with_label(self.template_span(template), label)
            .with_help(format!("write the template arguments, or add `--instantiate '{name}<…>'`"));
        self.sink.emit(diagnostic);
    }

    /// Runs a check of which nothing is reported.
    fn unheard<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        let aside = self.sink.aside();
        let said = mem::replace(self.sink, aside);
        let (n_poisoned, needs_host_code) = (self.n_poisoned.get(), self.needs_host_code.get());
        let result = check(self);
        self.n_poisoned.set(n_poisoned);
        self.needs_host_code.set(needs_host_code);
        *self.sink = said;
        result
    }
}
