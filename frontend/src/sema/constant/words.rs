//! What is said where there is no value: the step that is no constant, and the calls that led there.

use super::const_eval::{NotConstant, Why};
use super::value::Datum;
use crate::diag::Diagnostic;
use crate::ir::Func;
use crate::sema::Constants;
use crate::sema::Cx;
use crate::source::Span;

/// How many calls are named, from the innermost one on; the outermost one is another.
const MAX_NAMED: usize = 5;

/// The calls around a step, from the innermost one on.
#[derive(Clone, Debug, Default)]
pub(in crate::sema) struct Calls {
    named: Vec<(Span, String)>,
    outermost: Option<(Span, String)>,
    n_calls: usize,
}

impl Calls {
    pub(super) fn add(&mut self, cx: &Cx<'_>, func: Func, args: &[Datum], span: Span) {
        let args: Vec<String> = args.iter().map(shown).collect();
        let call = (span, format!("in call to `{}({})`", cx.module.functions[func].name, args.join(", ")));
        self.n_calls += 1;
        match self.named.len() {
            MAX_NAMED => self.outermost = Some(call),
            _ => self.named.push(call),
        }
    }
}

/// An argument as it may be written.
fn shown(datum: &Datum) -> String {
    match datum {
        Datum::Int(value) => value.to_string(),
        Datum::Float(value) => value.to_string(),
        Datum::Nothing | Datum::Pointer(_) => "…".to_owned(),
        Datum::Array(_) | Datum::Record(_) | Datum::Union(..) => "{…}".to_owned(),
    }
}

impl Constants<'_> {
    /// The message with the step that is no constant and the calls that led there.
    pub(in crate::sema) fn explained(&self, diagnostic: Diagnostic, not: &NotConstant) -> Diagnostic {
        let at = |diagnostic: Diagnostic, span: Span, words: String| {
            if span == diagnostic.primary.span && diagnostic.primary.message.is_empty() {
                diagnostic.with_primary(words)
            } else {
                diagnostic.with_label(span, words)
            }
        };
        let mut diagnostic = at(diagnostic, not.span, self.why_not(&not.why));
        if let Why::Func(func) = not.why {
            let function = &self.module.functions[func];
            diagnostic = diagnostic.with_label(function.span, format!("`{}` declared here", function.name));
        }
        let Some(calls) = &not.calls else { return diagnostic };
        for (span, words) in calls.named.iter().chain(&calls.outermost) {
            diagnostic = at(diagnostic, *span, words.clone());
        }
        let n_unnamed = calls.n_calls - calls.named.len() - usize::from(calls.outermost.is_some());
        match n_unnamed {
            0 => diagnostic,
            _ => diagnostic.with_note(format!("{n_unnamed} more calls are between these")),
        }
    }

    /// Why something is no constant, as a phrase.
    fn why_not(&self, why: &Why) -> String {
        let name = match why {
            Why::Text(text) => return (*text).to_owned(),
            Why::Words(words) => return words.to_string(),
            Why::Reported => return "has an error".to_owned(),
            Why::Special => return "reads a built-in variable".to_owned(),
            Why::OutOfRange(int, exact) => {
                let value = exact.map_or("the value".to_owned(), |exact| format!("value {exact}"));
                let ty = int.spelling();
                return format!("{value} is outside the range of representable values of type `{ty}`");
            }
            Why::Func(func) => return self.why_not_called(*func),
            Why::Local(local) => self.func.as_ref().and_then(|func| func.locals[*local].name.as_deref()),
            Why::Global(global) => self.module.globals[*global].name.as_deref(),
        };
        match name {
            Some(name) => format!("the value of `{name}` is not known at compile time"),
            None => "reads an object".to_owned(),
        }
    }

    fn why_not_called(&self, func: Func) -> String {
        let name = &self.module.functions[func].name;
        match self.known.func_facts.get(&func).is_some_and(|facts| facts.is_constexpr) {
            true => format!("`{name}` is not defined yet"),
            false => format!("`{name}` is not `constexpr`"),
        }
    }
}
