//! What is said where no function of a name takes the arguments, or several do equally well: clang's words.

use super::{Arg, Candidate, Ignored, OperatorUse, Origin, Overloads, Viable};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Func, Quals, RefKind, Ty};
use crate::sema::Calls;
use crate::sema::builtin::MAX_CANDIDATES;
use crate::sema::conversion::reference::{Category, Unbound};
use crate::sema::expression::Operand;
use crate::sema::template::Mismatch;
use crate::source::Span;

impl Calls<'_> {
    /// The error of a call that means no function, or several.
    pub(super) fn no_overload(
        &mut self,
        overloads: &Overloads,
        name_span: Span,
        args: &[Arg],
        viable: &[Viable<Candidate>],
        ignored: &Ignored,
    ) -> Reported {
        let is_ambiguous = viable.iter().any(|viable| viable.origin != Origin::BuiltinTemplate);
        let name = self.interner.lookup(&self.overloads_name(overloads));
        if !is_ambiguous && name.is_some_and(|name| self.known.broken_names.contains(&name)) {
            return self.poisoned();
        }
        let mut diagnostic = match overloads.builtin {
            Some(builtin) => self.builtins_ref().no_choice(builtin.function(), name_span, args, is_ambiguous),
            None => self.no_function(overloads, name_span, args, is_ambiguous),
        };
        let is_shown = |func: &Func| {
            let is_viable = viable.iter().any(|viable| viable.candidate == Candidate::Func(*func));
            is_ambiguous == is_viable && !self.declarations_ref().is_predeclared(*func)
        };
        let shown: Vec<Func> = overloads.funcs.iter().copied().filter(is_shown).collect();
        for &func in shown.iter().take(MAX_CANDIDATES) {
            let label = match is_ambiguous {
                true => "candidate function".to_owned(),
                false => format!("candidate function not viable: {}", self.why_not_viable(func, args)),
            };
            diagnostic = diagnostic.with_label(self.module.functions[func].span, label);
        }
        if shown.len() > MAX_CANDIDATES {
            let n_others = shown.len() - MAX_CANDIDATES;
            diagnostic = diagnostic.with_note(format!("and {n_others} other candidates"));
        }
        if is_ambiguous {
            for viable in viable.iter().filter(|viable| matches!(viable.origin, Origin::Template(_))) {
                if let Candidate::Func(func) = viable.candidate {
                    diagnostic =
                        diagnostic.with_label(self.module.functions[func].span, "candidate function");
                }
            }
        } else {
            diagnostic = self.with_ignored(diagnostic, ignored, args);
        }
        self.sink.error(diagnostic)
    }

    /// The error of a call that a function of the host may take better.
    pub(super) fn may_mean_host(&mut self, overloads: &Overloads, name_span: Span, host: Span) -> Reported {
        let name = self.overloads_name(overloads);
        let message =
            format!("call to `{name}` converts its arguments, and may mean the host function `{name}`");
        let diagnostic = Diagnostic::new(Code::UnsupportedHostCode, name_span, message)
            .with_label(host, "host function")
            .with_help("cast the arguments to the types of the device function");
        self.cx.sink.error(self.with_candidates(diagnostic, overloads))
    }

    fn no_function(
        &self,
        overloads: &Overloads,
        name_span: Span,
        args: &[Arg],
        is_ambiguous: bool,
    ) -> Diagnostic {
        let (name, written) = (self.overloads_name(overloads), self.written_args(args));
        if is_ambiguous {
            let message = format!("call to `{name}` with arguments ({written}) is ambiguous");
            Diagnostic::new(Code::AmbiguousCall, name_span, message)
                .with_help("cast the arguments to the intended type")
        } else {
            let message = format!("no matching function for call to `{name}` with arguments ({written})");
            Diagnostic::new(Code::NoMatchingFunction, name_span, message)
        }
    }

    /// The error of a call that no member function takes, or several do equally well.
    pub(in crate::sema::call) fn no_method(
        &mut self,
        methods: &Overloads,
        has_object: bool,
        name_span: Span,
        args: &[Arg],
        (viable, ignored): (&[Viable<Func>], &Ignored),
    ) -> Reported {
        let name = self.overloads_name(methods);
        let written = self.written_args(&args[usize::from(has_object)..]);
        let mut diagnostic = if viable.is_empty() {
            let message =
                format!("no matching member function for call to `{name}` with arguments ({written})");
            Diagnostic::new(Code::NoMatchingFunction, name_span, message)
        } else {
            let message = format!("call to member function `{name}` with arguments ({written}) is ambiguous");
            Diagnostic::new(Code::AmbiguousCall, name_span, message)
        };
        for &func in methods.funcs.iter().take(MAX_CANDIDATES) {
            let span = self.module.functions[func].span;
            if viable.is_empty() {
                let args = if has_object && !self.takes_object(func) { &args[1..] } else { args };
                let why = match self.takes_object(func) && !has_object {
                    true => "requires an object".to_owned(),
                    false => self.why_not_viable(func, args),
                };
                diagnostic = diagnostic.with_label(span, format!("candidate function not viable: {why}"));
            } else if viable.iter().any(|viable| viable.candidate == func) {
                diagnostic = diagnostic.with_label(span, "candidate function");
            }
        }
        diagnostic = self.with_templates(diagnostic, viable, ignored, args);
        self.sink.error(diagnostic)
    }

    /// Points at templates of member functions: those that fit, or else those that do not, with the reason.
    fn with_templates(
        &mut self,
        mut diagnostic: Diagnostic,
        viable: &[Viable<Func>],
        ignored: &Ignored,
        args: &[Arg],
    ) -> Diagnostic {
        for viable in viable.iter().filter(|viable| matches!(viable.origin, Origin::Template(_))) {
            let span = self.module.functions[viable.candidate].span;
            diagnostic = diagnostic.with_label(span, "candidate function");
        }
        if viable.is_empty() {
            diagnostic = self.with_ignored(diagnostic, ignored, args);
        }
        diagnostic
    }

    /// Says why templates have no instance for a call.
    pub(super) fn with_ignored(
        &mut self,
        mut diagnostic: Diagnostic,
        ignored: &Ignored,
        args: &[Arg],
    ) -> Diagnostic {
        for (template, why) in ignored.iter().take(MAX_CANDIDATES) {
            let label = match *why {
                Mismatch::Conversion(func) => {
                    let reason = self.why_not_viable(func, args);
                    format!("candidate function template not viable: {reason}")
                }
                _ => {
                    let n_args = args.len() - usize::from(self.templates_ref().has_object(*template));
                    self.templates().why_ignored(*template, why, n_args)
                }
            };
            diagnostic = diagnostic.with_label(self.templates_ref().template_span(*template), label);
        }
        diagnostic
    }

    /// The error of an object for which no constructor fits, or several do equally well. The first argument is the object.
    pub(in crate::sema::call) fn no_constructor_fits(
        &mut self,
        constructors: &Overloads,
        ty: Ty,
        span: Span,
        args: &[Arg],
        (viable, ignored): (&[Viable<Func>], &Ignored),
    ) -> Reported {
        let (shown, written) = (self.show(ty), self.written_args(&args[1..]));
        let mut diagnostic = if viable.is_empty() {
            let message =
                format!("no matching constructor for initialization of {shown} with arguments ({written})");
            Diagnostic::new(Code::NoMatchingFunction, span, message)
        } else {
            let message = format!("call to constructor of {shown} with arguments ({written}) is ambiguous");
            Diagnostic::new(Code::AmbiguousCall, span, message)
        };
        for &func in constructors.funcs.iter().take(MAX_CANDIDATES) {
            let declared = self.module.functions[func].span;
            if viable.is_empty() {
                let why = self.why_not_viable(func, args);
                diagnostic =
                    diagnostic.with_label(declared, format!("candidate constructor not viable: {why}"));
            } else if viable.iter().any(|viable| viable.candidate == func) {
                diagnostic = diagnostic.with_label(declared, "candidate constructor");
            }
        }
        diagnostic = self.with_templates(diagnostic, viable, ignored, args);
        self.sink.error(diagnostic)
    }

    /// The error of an operator that no function of its name takes.
    pub(super) fn no_operator(
        &mut self,
        used: OperatorUse,
        funcs: &[Func],
        args: &[Arg],
        ignored: &Ignored,
    ) -> Reported {
        let types: Vec<String> = args.iter().map(|&arg| format!("`{}`", self.written_arg(arg))).collect();
        let message = match &types[..] {
            [left, right] if !used.is_postfix => {
                format!("invalid operands to binary expression ({left} and {right})")
            }
            _ => format!("invalid argument type {} to unary expression", types[0]),
        };
        let mut diagnostic = Diagnostic::new(Code::InvalidOperands, used.op_span, message);
        for &func in funcs.iter().take(MAX_CANDIDATES) {
            let label = format!("candidate function not viable: {}", self.why_not_viable(func, args));
            diagnostic = diagnostic.with_label(self.module.functions[func].span, label);
        }
        diagnostic = self.with_ignored(diagnostic, ignored, args);
        self.sink.error(diagnostic)
    }

    /// The error of an operator for which several functions fit equally well.
    pub(super) fn ambiguous_operator(
        &mut self,
        used: OperatorUse,
        viable: &[Viable<Candidate>],
        args: &[Arg],
    ) -> Reported {
        let operator = used.punct.spelling();
        let types: Vec<String> = args.iter().map(|&arg| format!("`{}`", self.written_arg(arg))).collect();
        let message = format!("use of overloaded operator `{operator}` is ambiguous ({})", types.join(", "));
        let mut diagnostic = Diagnostic::new(Code::AmbiguousCall, used.op_span, message);
        for viable in viable.iter().take(MAX_CANDIDATES) {
            diagnostic = match viable.candidate {
                Candidate::Func(func) => {
                    diagnostic.with_label(self.module.functions[func].span, "candidate function")
                }
                Candidate::Builtin(_) | Candidate::BuiltinOperator => {
                    diagnostic.with_note(format!("the built-in `{operator}` fits, too"))
                }
            };
        }
        self.sink.error(diagnostic)
    }

    /// Points at each of the functions.
    pub(super) fn with_candidates(&self, mut diagnostic: Diagnostic, overloads: &Overloads) -> Diagnostic {
        for &func in overloads
            .funcs
            .iter()
            .filter(|&&func| !self.declarations_ref().is_predeclared(func))
            .take(MAX_CANDIDATES)
        {
            diagnostic = diagnostic.with_label(self.module.functions[func].span, "candidate function");
        }
        diagnostic
    }

    pub(super) fn overloads_name(&self, overloads: &Overloads) -> String {
        match overloads.funcs.first() {
            Some(&func) => self.module.functions[func].name.clone(),
            None if let Some(&template) = overloads.templates.first() => {
                self.templates_ref().template_name(template).to_owned()
            }
            None => overloads.builtin.map_or_else(String::new, |builtin| builtin.function().name.to_owned()),
        }
    }

    /// The types of the arguments.
    pub(in crate::sema) fn written_args(&self, args: &[Arg]) -> String {
        let types: Vec<String> = args.iter().map(|&arg| self.written_arg(arg)).collect();
        types.join(", ")
    }

    fn written_arg(&self, arg: Arg) -> String {
        match arg {
            Arg::Value(value) => self.module.types.display(self.ty_of(value)),
            Arg::Object(Operand::Place(place) | Operand::Member(place), _) => {
                self.module.types.display(self.place_ty(place))
            }
            Arg::Object(_, value) => self.module.types.display(self.ty_of(value)),
            Arg::Braced(..) => "initializer list".to_owned(),
            Arg::Overloaded(_) => "<overloaded function type>".to_owned(),
        }
    }

    /// Why the function does not take the arguments.
    fn why_not_viable(&mut self, func: Func, args: &[Arg]) -> String {
        let ty = self.module.functions[func].ty;
        let func_ty = self.module.types.func(ty);
        let (n_params, is_variadic) = func_ty.map_or((0, false), |ty| (ty.params.len(), ty.variadic));
        let n_objects = usize::from(self.takes_object(func));
        let (n_params, n_args) = (n_params.saturating_sub(n_objects), args.len().saturating_sub(n_objects));
        let n_defaults = self.n_default_args(func);
        let is_few = n_args + n_defaults < n_params;
        if is_few || n_args > n_params && !is_variadic {
            let (bound, n_wanted) = match (is_few, is_variadic || n_defaults > 0) {
                (_, false) => ("", n_params),
                (true, true) => ("at least ", n_params - n_defaults),
                (false, true) => ("at most ", n_params),
            };
            let plural = if n_wanted == 1 { "" } else { "s" };
            let were = if n_args == 1 { "was" } else { "were" };
            return format!("requires {bound}{n_wanted} argument{plural}, but {n_args} {were} provided");
        }
        for (idx, &arg) in args.iter().enumerate() {
            let Some(param) = self.param_for(func, ty, idx, arg) else { break };
            if self.arg_sequence(arg, param).is_none() {
                if idx < n_objects {
                    let from = self.written_arg(arg);
                    return format!("`this` argument has type `{from}`, which the function does not take");
                }
                return self.why_not_arg(idx - n_objects, arg, param);
            }
        }
        String::new()
    }

    fn why_not_arg(&mut self, idx: usize, arg: Arg, param: Ty) -> String {
        let (nth, from) = (ordinal(idx + 1), self.written_arg(arg));
        if let (Some((referred, kind)), Arg::Value(_) | Arg::Object(..)) =
            (self.module.types.reference(param), arg)
            && let Some(why) = self.why_unbound(arg, referred, kind)
        {
            return match why {
                Unbound::Discards => format!("{nth} argument (`{from}`) would lose qualifiers"),
                Unbound::WantsRvalue => format!("expects an rvalue for {nth} argument"),
                Unbound::WantsLvalue | Unbound::BitField => format!("expects an lvalue for {nth} argument"),
            };
        }
        if let Arg::Value(value) | Arg::Object(_, value) = arg
            && let Some(lost) = self.lost_qualifiers(self.ty_of(value), param)
        {
            return format!("{nth} argument (`{from}`) would lose {lost}");
        }
        let from = if matches!(arg, Arg::Value(_) | Arg::Object(..)) { format!("`{from}`") } else { from };
        format!(
            "no known conversion from {from} to `{}` for {nth} argument",
            self.module.types.display(param)
        )
    }

    /// Why a reference to the argument's own type does not bind to it.
    fn why_unbound(&mut self, arg: Arg, referred: Ty, kind: RefKind) -> Option<Unbound> {
        let (from, category) = match arg {
            Arg::Value(value) => (self.ty_of(value), Category::Prvalue),
            Arg::Object(operand, _) => {
                (self.expressions().operand_ty(operand).ok()?, self.conversions_ref().category(operand))
            }
            Arg::Braced(..) | Arg::Overloaded(_) => return None,
        };
        if !self.same_unqualified(from, referred) {
            return None;
        }
        self.conversions().binding(from, category, referred, kind).err()
    }

    /// The qualifiers of what is pointed to, where those alone are lost.
    fn lost_qualifiers(&mut self, from: Ty, to: Ty) -> Option<&'static str> {
        let (from, to) = (self.module.types.pointee(from)?, self.module.types.pointee(to)?);
        let lost = self.module.types.quals(from) - self.module.types.quals(to);
        if !self.same_unqualified(from, to) {
            return None;
        }
        match (lost.contains(Quals::CONST), lost.contains(Quals::VOLATILE)) {
            (true, true) => Some("const and volatile qualifiers"),
            (true, false) => Some("const qualifier"),
            (false, true) => Some("volatile qualifier"),
            (false, false) => None,
        }
    }
}

/// `1st`, `2nd`, …
fn ordinal(n: usize) -> String {
    let suffix = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{suffix}")
}
