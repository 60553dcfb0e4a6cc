//! The functions that are instances of templates (C++17 17.7.1).

use std::rc::Rc;

use super::text::Binding;
use super::{Mismatch, Template, Templates};
use crate::ast::{DeclKind, TemplateArgsId, TemplateKind};
use crate::diag::{Code, Diagnostic, Mark, Reported, Severity};
use crate::ir::{Func, Instance, Linkage, TemplateArg, Ty};
use crate::limits::MAX_PACK_ELEMENTS;
use crate::parse::Rereader;
use crate::sema::call::overload::Arg;
use crate::source::Span;

/// How messages name an instance that led to a mistake, as clang does.
const REQUESTED: &str = "in instantiation of function template specialization";
const REQUESTED_CLASS: &str = "in instantiation of template class";
const REQUESTED_METHOD: &str = "in instantiation of member function";

/// How many instances may be made within one another.
pub(super) const MAX_DEPTH: u32 = 200;

/// How many instances a program may have.
pub(super) const MAX_INSTANCES: u32 = 100_000;

/// An instance whose body is still to be made.
pub(in crate::sema) struct Pending {
    pub(super) func: Func,
    pub(super) source: Source,
    /// What uses it first.
    pub(super) used: Span,
    /// The instances that need one another up to it.
    pub(super) chain: Option<Rc<Link>>,
}

/// What the body of an instance is read from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// A template of functions.
    Template(Template),
    /// The class template whose member it is.
    Method,
}

/// An instance that needs others.
pub(in crate::sema) struct Link {
    shown: String,
    /// Where it is needed.
    used: Span,
    pub(super) depth: u32,
    outer: Option<Rc<Link>>,
    /// How messages name it.
    what: &'static str,
}

impl Link {
    /// An instance of a class template.
    pub(super) fn of_class(shown: String, used: Span, depth: u32, outer: Option<Rc<Link>>) -> Self {
        Link { shown, used, depth, outer, what: REQUESTED_CLASS }
    }
}

/// How many of the instances that lead to a mistake are shown.
const MAX_SHOWN: usize = 10;

impl<'a> Templates<'a> {
    /// The instance of a template that a call means.
    pub(in crate::sema) fn instance_for_call(
        &mut self,
        template: Template,
        written: Option<TemplateArgsId>,
        args: &[Arg],
    ) -> Result<Func, Mismatch> {
        let explicit = self.explicit_args(template, written)?;
        let args = self.deduce_call(template, explicit, args)?;
        self.instance(template, args)
    }

    /// The instance whose arguments are all written, defaults aside.
    pub(in crate::sema) fn written_whole(
        &mut self,
        template: Template,
        written: TemplateArgsId,
    ) -> Option<Func> {
        let explicit = self.explicit_args(template, Some(written)).ok()?;
        let args = self.complete_args(template, explicit).ok()?;
        self.instance(template, args).ok()
    }

    /// The instance that has the function type, of the most specialized template that has one (C++17 16.4p4).
    pub(in crate::sema) fn instance_of_ty(
        &mut self,
        templates: &[Template],
        written: Option<TemplateArgsId>,
        ty: Ty,
    ) -> Option<Func> {
        let (template, args) = self.most_specialized(templates, written, ty)?;
        let func = self.instance(template, args).ok()?;
        self.same(self.module.functions[func].ty, ty).then_some(func)
    }

    /// The instance with the arguments, which is declared if there is none.
    pub(super) fn instance(&mut self, template: Template, args: Vec<TemplateArg>) -> Result<Func, Mismatch> {
        if let Some(&known) = self.known.templates.templates[template].instances.get(&args) {
            return known.ok_or_else(|| Mismatch::Substitution(args, Vec::new()));
        }
        let n_elements: usize = args.iter().map(TemplateArg::n_elements).sum();
        let declared = self.silently(|cx| match n_elements {
            0..=MAX_PACK_ELEMENTS => cx.declare_instance(template, &args),
            _ => {
                let message = format!("more than {MAX_PACK_ELEMENTS} arguments in parameter packs");
                let span = cx.template_span(template);
                Err(cx.error(Code::NestingTooDeep, span, message))
            }
        });
        let func = declared.as_ref().ok().copied();
        self.known.templates.templates[template].instances.insert(args.clone(), func);
        if let Some(func) = func {
            self.known.templates.of_instances.insert(func, template);
        }
        declared.map_err(|why| self.no_substitution(args, why))
    }

    /// What a signature is with arguments that make no sense in it.
    pub(super) fn no_substitution(&mut self, args: Vec<TemplateArg>, why: Vec<Diagnostic>) -> Mismatch {
        self.defer_unsupported(&why);
        Mismatch::Substitution(args, why)
    }

    /// Reports what Weft lacks: whether arguments make sense is not known then.
    pub(super) fn defer_unsupported(&mut self, errors: &[Diagnostic]) {
        let is_unsupported = |error: &&Diagnostic| error.code.name().starts_with("unsupported-");
        if let Some(error) = errors.iter().find(is_unsupported) {
            self.defer(error.clone());
        }
    }

    fn declare_instance(&mut self, template: Template, args: &[TemplateArg]) -> Result<Func, Reported> {
        let data = &self.known.templates.templates[template];
        let (text, pattern) = (data.text(), data.signature.pattern);
        if self.known.templates.depth >= MAX_DEPTH {
            let message = format!("recursive template instantiation exceeded maximum depth of {MAX_DEPTH}");
            return Err(self.error(Code::NestingTooDeep, text.declaration.name.span, message));
        }
        self.known.templates.depth += 1;
        if text.owner.is_some() {
            let result = self.declare_method_instance(template, args);
            self.known.templates.depth -= 1;
            return result;
        }
        let result = self.within(&text, Binding::Arguments(args), |cx| {
            let (unit, specs, declarator) = cx.read_head(&text)?;
            let instance = Instance { args: args.to_vec(), pattern };
            cx.in_unit(unit, |cx| cx.declarations().declare_instance(specs, declarator, instance, false))
        });
        self.known.templates.depth -= 1;
        if let (Ok(func), TemplateKind::Guide { .. }) = (&result, text.declaration.kind) {
            // Nothing calls it.
            self.module.functions[*func].is_referenced = false;
        }
        result
    }

    /// Notes that an instance is needed, and makes its body at once where that must be known.
    pub(in crate::sema) fn need_body(&mut self, func: Func, used: Span) {
        let template = self.known.templates.of_instances.get(&func).copied();
        let is_first = self.known.func_facts.get(&func).is_none_or(|facts| !facts.is_needed);
        if template.is_some() && is_first {
            self.require_symbol(func, used);
        }
        let Some(template) = template.filter(|&t| self.known.templates.templates[t].owner.is_none()) else {
            return self.need_method(func, used);
        };
        let facts = self.known.func_facts.entry(func).or_default();
        if std::mem::replace(&mut facts.is_needed, true) || facts.defined.is_some() {
            return;
        }
        let at_once = facts.is_constexpr || facts.is_undeduced;
        let chain = self.known.templates.chain.clone();
        let pending = Pending { func, source: Source::Template(template), used, chain };
        if at_once && self.known.templates.templates[template].definition().is_some() {
            self.make_body(pending);
        } else {
            self.known.templates.pending.push(pending);
        }
    }

    /// The body of an instance says what its result is.
    pub(in crate::sema) fn need_result(&mut self, func: Func, used: Span) {
        let function = &self.module.functions[func];
        if (function.instance.is_some() || function.method.is_some())
            && self.known.func_facts.get(&func).is_some_and(|facts| facts.is_undeduced)
        {
            self.need_body(func, used);
        }
    }

    /// Makes the bodies of the instances that are needed and whose templates are defined. At the end of the text, others may define the
    /// remaining ones, but for explicit instantiations, which are errors.
    pub(in crate::sema) fn make_pending(&mut self, is_end: bool) {
        let mut waiting = Vec::new();
        loop {
            let pending = std::mem::take(&mut self.known.templates.pending);
            if pending.is_empty() {
                break;
            }
            for pending in pending {
                let is_defined = match pending.source {
                    Source::Template(template) => {
                        self.known.templates.templates[template].definition().is_some()
                    }
                    Source::Method => self.has_definition(pending.func),
                };
                match is_defined {
                    true => self.make_body(pending),
                    false if is_end => self.undefined_instance(&pending),
                    false => waiting.push(pending),
                }
            }
        }
        self.known.templates.pending = waiting;
        self.report_deferred();
    }

    /// Reports an explicit instantiation; anything else becomes a declaration of what another object defines.
    fn undefined_instance(&mut self, pending: &Pending) {
        if let Source::Template(template) = pending.source
            && self.known.templates.instantiated.contains(&pending.func)
        {
            let function = &self.module.functions[pending.func];
            let args = function.instance.as_ref().map_or(&[][..], |instance| &instance.args);
            let shown = self.shown_instance(template, args);
            let message = format!("explicit instantiation of undefined function template `{shown}`");
            let diagnostic = Diagnostic::new(Code::UndefinedFunction, pending.used, message)
                .with_label(self.template_span(template), "explicit instantiation refers here");
            self.sink.error(diagnostic);
            return;
        }
        let function = &mut self.module.functions[pending.func];
        match function.linkage {
            Linkage::Inline | Linkage::Weak => function.linkage = Linkage::External,
            Linkage::Internal | Linkage::External => {}
        }
    }

    pub(super) fn make_body(&mut self, pending: Pending) {
        let Pending { func, source, used, chain } = pending;
        let depth = chain.as_ref().map_or(0, |link| link.depth) + 1;
        if self.known.func_facts.get(&func).is_some_and(|facts| facts.defined.is_some()) {
            return;
        }
        let args = match &self.module.functions[func].instance {
            Some(instance) => instance.args.clone(),
            None => Vec::new(),
        };
        let (shown, what) = match source {
            Source::Template(template) => (self.shown_instance(template, &args), REQUESTED),
            Source::Method => (self.shown_method(func), REQUESTED_METHOD),
        };
        self.known.templates.n_instances += 1;
        let is_many = self.known.templates.n_instances > MAX_INSTANCES;
        if is_many || depth > MAX_DEPTH {
            // Nothing more is said of it.
            self.known.func_facts.entry(func).or_default().defined = Some(used);
            let message = match is_many {
                true => format!("the program has more than {MAX_INSTANCES} instances of templates"),
                false => format!("recursive template instantiation exceeded maximum depth of {MAX_DEPTH}"),
            };
            self.error(Code::NestingTooDeep, used, message);
            return;
        }
        let link = Rc::new(Link { shown, used, depth, outer: chain, what });
        let outer = self.known.templates.chain.replace(link.clone());
        let mark = self.sink.mark();
        match source {
            Source::Template(template) => self.make_function_body(func, template, &args, used),
            Source::Method => self.make_method_body(func, used),
        }
        self.known.templates.chain = outer;
        self.label_instances(mark, &link);
    }

    fn make_function_body(&mut self, func: Func, template: Template, args: &[TemplateArg], used: Span) {
        let data = &self.known.templates.templates[template];
        let Some(text) = data.definition().map(|definition| data.text_of(definition)) else { return };
        let mark = self.sink.mark();
        self.within(&text, Binding::Arguments(args), |cx| {
            let read = cx.read_again(&text, &text.declaration.tokens, Rereader::definition);
            match read {
                Ok((unit, ())) if cx.sink.n_errors_since(mark) == 0 => {
                    if let Some(DeclKind::Function(def)) = unit.decls.first().map(|decl| &decl.kind) {
                        // What is wrong is reported.
                        let _reported = cx.in_unit(unit, |cx| cx.declarations().define_instance(func, def));
                    }
                }
                Ok(_) | Err(_) => cx.known.func_facts.entry(func).or_default().defined = Some(used),
            }
        });
    }

    /// Labels the errors since the mark with the instances that led to them.
    pub(super) fn label_instances(&mut self, mark: Mark, link: &Rc<Link>) {
        self.sink.change_since(mark, |diagnostic: &mut Diagnostic| {
            // What was made within it has said more.
            let is_said = diagnostic.secondary.iter().any(|label| {
                [REQUESTED, REQUESTED_CLASS, REQUESTED_METHOD]
                    .iter()
                    .any(|what| label.message.starts_with(what))
            });
            if diagnostic.severity != Severity::Error || is_said {
                return;
            }
            for link in std::iter::successors(Some(link), |link| link.outer.as_ref()).take(MAX_SHOWN) {
                diagnostic.add_label(link.used, format!("{} `{}` requested here", link.what, link.shown));
            }
        });
    }
}
