//! Why a template has no instance for a call, and what messages say of it.

use super::{Template, Templates};
use crate::diag::Diagnostic;
use crate::ir::{Func, TemplateArg, Ty};

/// Why a template has no instance for a call.
#[derive(Clone, Debug)]
pub(in crate::sema) enum Mismatch {
    /// It takes another number of arguments: the least, the most.
    Count(usize, usize),
    /// More template arguments are written than it has parameters.
    TooManyExplicit,
    /// A written argument is not one of the parameter with that index.
    Explicit(usize, Vec<Diagnostic>),
    /// Nothing says what the parameter is.
    Undeduced(usize),
    /// Two arguments say different things of the parameter.
    Conflict(usize, Box<(TemplateArg, TemplateArg)>),
    /// The type of the argument is not of the parameter's form.
    Form(Ty, Ty),
    /// An argument does not convert to the parameter of the instance.
    Conversion(Func),
    /// The signature makes no sense with these arguments.
    Substitution(Vec<TemplateArg>, Vec<Diagnostic>),
}

impl Templates<'_> {
    /// Why the template has no instance for a call, in clang's words.
    pub(in crate::sema) fn why_ignored(&self, template: Template, why: &Mismatch, n_args: usize) -> String {
        match why {
            Mismatch::Count(least, most) => {
                let (bound, wanted) = match n_args < *least {
                    _ if least == most => ("", *least),
                    true => ("at least ", *least),
                    false => ("at most ", *most),
                };
                let plural = if wanted == 1 { "" } else { "s" };
                let were = if n_args == 1 { "was" } else { "were" };
                format!(
                    "candidate function template not viable: requires {bound}{wanted} argument{plural}, \
                     but {n_args} {were} provided"
                )
            }
            Mismatch::TooManyExplicit => "candidate template ignored: too many template arguments".to_owned(),
            Mismatch::Explicit(idx, errors) => {
                let reason = first_message(errors);
                format!(
                    "candidate template ignored: invalid explicitly-specified argument for template parameter \
                     `{}`{reason}",
                    self.param_name(template, *idx)
                )
            }
            Mismatch::Undeduced(idx) => {
                let name = self.param_name(template, *idx);
                format!("candidate template ignored: couldn't infer template argument `{name}`")
            }
            Mismatch::Conflict(idx, both) => {
                let (first, second) = &**both;
                let what = match first {
                    TemplateArg::Type(_) => "conflicting types",
                    TemplateArg::Template(_) => "conflicting templates",
                    TemplateArg::Value(..) | TemplateArg::Address(..) | TemplateArg::Dependent(_) => {
                        "conflicting values"
                    }
                    TemplateArg::Pack(_) => "packs of different lengths",
                };
                format!(
                    "candidate template ignored: deduced {what} for parameter `{}` (`{}` vs. `{}`)",
                    self.param_name(template, *idx),
                    self.shown_arg(first),
                    self.shown_arg(second)
                )
            }
            Mismatch::Form(param, arg) => format!(
                "candidate template ignored: could not match `{}` against `{}`",
                self.shown_pattern(template, *param),
                self.module.types.display(*arg)
            ),
            // Said by the conversions.
            Mismatch::Conversion(_) => String::new(),
            Mismatch::Substitution(args, errors) => format!(
                "candidate template ignored: substitution failure [with {}]{}",
                self.shown_bindings(template, args),
                first_message(errors)
            ),
        }
    }

    /// A type of the signature, with the parameters by their names.
    fn shown_pattern(&self, template: Template, ty: Ty) -> String {
        let mut text = self.module.types.display(ty);
        for idx in 0..self.known.templates.templates[template].first().params.len() {
            text = text.replace(&format!("type-parameter-{idx}"), &self.param_name(template, idx));
        }
        text
    }

    /// `T = int, N = 4`
    fn shown_bindings(&self, template: Template, args: &[TemplateArg]) -> String {
        let show = |(idx, arg): (usize, &TemplateArg)| {
            format!("{} = {}", self.param_name(template, idx), self.shown_arg(arg))
        };
        args.iter().enumerate().map(show).collect::<Vec<_>>().join(", ")
    }

    /// An argument for messages; that for a pack in `<…>`.
    fn shown_arg(&self, arg: &TemplateArg) -> String {
        let text = self.module.types.display_template_args(std::slice::from_ref(arg));
        match arg {
            TemplateArg::Pack(_) => text,
            TemplateArg::Type(_)
            | TemplateArg::Value(..)
            | TemplateArg::Address(..)
            | TemplateArg::Template(_)
            | TemplateArg::Dependent(_) => {
                let inner = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
                inner.unwrap_or(&text).to_owned()
            }
        }
    }
}

fn first_message(errors: &[Diagnostic]) -> String {
    errors.first().map_or_else(String::new, |error| format!(": {}", error.message))
}
