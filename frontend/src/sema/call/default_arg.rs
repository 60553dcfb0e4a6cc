//! Default arguments (C++17 11.3.6).
//!
//! One is checked where it is declared, without a function around it, and again in each call that lacks
//! the argument: what a name in it means is what it meant at file scope.

use crate::ast::{InitId, Name, OfPack};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, Func, Ty};
use crate::sema::Calls;
use crate::sema::conversion::Target;
use crate::sema::types::Param;
use crate::source::Span;

/// How many default arguments one call may take, those in other default arguments included.
const MAX_EXPANSIONS: u32 = 1000;

/// A default argument of a function.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct DefaultArg {
    init: InitId,
    /// The unit that has it, if it was read again for an instance of a template.
    unit: Option<u32>,
    span: Span,
    /// How many functions were declared before it: names mean no later ones.
    n_declared: u32,
}

/// The default arguments that are being put into a call.
#[derive(Default)]
pub(in crate::sema) struct Expansions {
    depth: u32,
    n_taken: u32,
    /// The call that takes them.
    call: Span,
    /// How many functions were declared where the innermost one stands.
    pub(in crate::sema) n_declared: Option<u32>,
    /// The parameters beside a default argument that is checked where it is declared: they are not known in it.
    pub(in crate::sema) params: Vec<Name>,
}

impl Expansions {
    /// The call that takes the arguments.
    pub(in crate::sema) fn call(&self) -> Span {
        self.call
    }

    /// Whether the call lacks the argument that is checked: no other default argument needs it.
    pub(in crate::sema) fn is_outermost(&self) -> bool {
        self.depth == 1
    }
}

impl Calls<'_> {
    /// Brings the default arguments of a declaration into its function.
    pub(in crate::sema) fn declare_default_args(
        &mut self,
        func: Func,
        params: &[Param],
    ) -> Result<(), Reported> {
        let is_file_scope = self.scopes.is_file_scope();
        if !is_file_scope && self.n_default_args(func) > 0 {
            // C++17 11.3.6p4: calls in the block have those of the block alone.
            let span = params.first().map_or(self.module.functions[func].span, |param| param.span);
            let message = "a declaration within a function that hides default arguments is not supported";
            return Err(self.error(Code::UnsupportedDefaultArgument, span, message));
        }
        if params.iter().all(|param| param.default.is_none()) {
            return Ok(());
        }
        let mut known =
            self.known.func_facts.get(&func).map_or_else(Vec::new, |facts| facts.defaults.clone());
        known.resize(params.len(), None);
        let n_declared = self.module.functions.len() as u32;
        let unit = self.templates_ref().unit_here();
        for (slot, param) in known.iter_mut().zip(params) {
            let Some(init) = param.default else { continue };
            let span = self.unit.inits[init].span;
            if !is_file_scope {
                let message = "default arguments in a declaration within a function are not supported";
                let diagnostic = Diagnostic::new(Code::UnsupportedDefaultArgument, span, message)
                    .with_help("declare the function at file scope");
                return Err(self.sink.error(diagnostic));
            }
            if let Some(previous) = slot.replace(DefaultArg { init, unit, span, n_declared }) {
                let message = "redefinition of default argument";
                let diagnostic = Diagnostic::new(Code::InvalidDefaultArgument, span, message)
                    .with_label(previous.span, "previously defined here");
                return Err(self.sink.error(diagnostic));
            }
            // One of an instance is made where it is needed (C++17 17.7.1p4), one of a member function is checked when its class is
            // complete.
            if unit.is_some() || self.module.functions[func].method.is_some() {
                continue;
            }
            self.cx.expansions.params = params.iter().filter_map(|param| param.name).collect();
            let value = self.in_scratch(|cx| cx.calls().check_default_value(param.ty, init, param.span));
            self.cx.expansions.params.clear();
            value?;
        }
        let first = known.iter().position(Option::is_some).unwrap_or(known.len());
        let mut missing = (first..known.len()).filter(|&idx| known[idx].is_none());
        // Elements of a pack may follow (C++17 11.3.6p4): a call has them, and all before them.
        if missing.clone().any(|idx| params[idx].pack != OfPack::No) {
            return Ok(());
        }
        if let Some(missing) = missing.next() {
            let message = "missing default argument on parameter";
            let mut diagnostic = Diagnostic::new(Code::InvalidDefaultArgument, params[missing].span, message);
            if let Some(DefaultArg { span, .. }) = known[first] {
                diagnostic = diagnostic.with_label(span, "earlier default argument is here");
            }
            return Err(self.sink.error(diagnostic));
        }
        self.known.func_facts.entry(func).or_default().defaults = known;
        Ok(())
    }

    /// Checks the default arguments of a member function, in the scope of its class.
    pub(in crate::sema) fn check_default_args_of_method(&mut self, params: &[Param]) {
        self.cx.expansions.params = params.iter().filter_map(|param| param.name).collect();
        for param in params {
            let Some(init) = param.default else { continue };
            // What is wrong is reported.
            let _reported = self.in_scratch(|cx| cx.calls().check_default_value(param.ty, init, param.span));
        }
        self.cx.expansions.params.clear();
    }

    /// Reports a name that nothing declares, if a parameter beside the default argument has it (C++17 11.3.6p9).
    pub(in crate::sema) fn parameter_in_default_arg(&mut self, name: Name) -> Option<Reported> {
        let param = self.expansions.params.iter().find(|param| param.symbol == name.symbol)?;
        let message = format!("default argument references parameter `{}`", self.spelling(name.symbol));
        let diagnostic = Diagnostic::new(Code::InvalidDefaultArgument, name.span, message)
            .with_label(param.span, "parameter declared here");
        Some(self.sink.error(diagnostic))
    }

    /// Refuses default arguments where no function is declared: in the type of a pointer or a typedef
    /// (C++17 11.3.6p3).
    pub(in crate::sema) fn refuse_default_args(&mut self, params: &[Param]) {
        if let Some(init) = params.iter().find_map(|param| param.default) {
            let span = self.unit.inits[init].span;
            let message = "default arguments can only be specified for parameters in a function declaration";
            self.error(Code::InvalidDefaultArgument, span, message);
        }
    }

    pub(in crate::sema) fn check_default_value(
        &mut self,
        ty: Ty,
        init: InitId,
        declared: Span,
    ) -> Result<Expr, Reported> {
        let ty = self.module.types.unqualified(ty);
        self.conversions().check_braced(ty, init, Target::Argument(Some(declared)))
    }

    /// How many of the last parameters have default arguments.
    pub(super) fn n_default_args(&self, func: Func) -> usize {
        let facts = self.known.func_facts.get(&func);
        facts.map_or(0, |facts| facts.defaults.iter().flatten().count())
    }

    /// A call lacks arguments.
    pub(super) fn begin_default_args(&mut self, call: Span) {
        if self.expansions.depth == 0 {
            self.expansions.n_taken = 0;
            self.expansions.call = call;
        }
    }

    /// The value of a parameter for which a call has no argument.
    pub(in crate::sema) fn default_arg(
        &mut self,
        func: Func,
        param_idx: usize,
        ty: Ty,
    ) -> Option<Result<Expr, Reported>> {
        let facts = self.known.func_facts.get(&func)?;
        let DefaultArg { init, unit, span, n_declared } = (*facts.defaults.get(param_idx)?)?;
        self.expansions.n_taken += 1;
        if self.expansions.n_taken == MAX_EXPANSIONS {
            let message =
                format!("call uses {MAX_EXPANSIONS} or more default arguments, which is not supported");
            return Some(Err(self.cx.error(Code::NestingTooDeep, self.expansions.call, message)));
        }
        if self.expansions.n_taken > MAX_EXPANSIONS {
            return Some(Err(self.poisoned()));
        }
        self.expansions.depth += 1;
        let value = match unit {
            Some(unit) => self.templates().default_of_instance(func, unit, ty, init, span),
            None => Some(self.templates().in_numbered_unit(None, |cx| {
                cx.calls().default_of_function(func, ty, init, span, n_declared)
            })),
        };
        self.expansions.depth -= 1;
        value
    }

    fn default_of_function(
        &mut self,
        func: Func,
        ty: Ty,
        init: InitId,
        span: Span,
        n_declared: u32,
    ) -> Result<Expr, Reported> {
        let outer = self.expansions.n_declared.replace(n_declared);
        let inner = self.scopes.leave_blocks();
        let namespace = self.cx.scopes.go_to_namespace(self.module.functions[func].namespace);
        let value = match self.module.functions[func].method {
            Some(method) => self.within_class(method.class, |cx| {
                cx.quietly(|cx| cx.calls().check_default_value(ty, init, span))
            }),
            None => self.quietly(|cx| cx.calls().check_default_value(ty, init, span)),
        };
        self.scopes.go_to_namespace(namespace);
        self.scopes.enter_again(inner);
        self.expansions.n_declared = outer;
        value
    }
}
