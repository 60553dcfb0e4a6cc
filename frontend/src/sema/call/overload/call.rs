//! Calls of functions that share a name.

use smallvec::SmallVec;

use super::{Arg, Args, Candidate, Origin, Overloads, OverloadsId, Sequence, Sequences, Viable};
use crate::ast::{InitId, InitKind};
use crate::diag::Reported;
use crate::ir::{Func, Record, Ty};
use crate::predeclared::named_texture_op;
use crate::sema::Calls;
use crate::sema::expression::Operand;
use crate::sema::template::{Mismatch, Template};
use crate::source::Span;

/// The templates without an instance for a call, and why.
pub(in crate::sema) type Ignored = Vec<(Template, Mismatch)>;

impl Calls<'_> {
    pub(in crate::sema::call) fn check_overloaded_call(
        &mut self,
        overloads: OverloadsId,
        name_span: Span,
        args: &[Arg],
        span: Span,
    ) -> Result<Operand, Reported> {
        let overloads = self.overloads_of(overloads);
        self.check_call_among(&overloads, name_span, args, span)
    }

    /// A call of one of the functions.
    pub(in crate::sema) fn check_call_among(
        &mut self,
        overloads: &Overloads,
        name_span: Span,
        args: &[Arg],
        span: Span,
    ) -> Result<Operand, Reported> {
        for &arg in args {
            self.check_listed_items(arg)?;
        }
        let mut viable = self.viable_funcs(overloads, args);
        let ignored = self.add_viable_templates(overloads, args, &mut viable);
        let builtin = overloads.builtin.map(|id| id.function());
        if let Some(function) = builtin {
            // Where the program's function takes the arguments, a call without a template argument means it.
            if let Some(op) = named_texture_op(function.name)
                && viable.is_empty()
            {
                let values = self.typed_args(args)?;
                return self
                    .builtins()
                    .check_texture_call(op, name_span, None, &values, span)
                    .map(Operand::Value);
            }
            self.builtins().add_viable_builtins(function, args, &mut viable);
            if viable.is_empty() {
                let values = self.typed_args(args)?;
                if let Some(call) = self.builtins().quad_exchange(function, &values, span) {
                    return Ok(Operand::Value(call));
                }
            }
        }
        let best = self.best(&viable);
        if let (Some(host), Some(best)) = (overloads.host.iter().find(|host| host.takes(args.len())), best)
            && !viable[best].sequences.iter().all(|sequence| sequence.is_exact())
        {
            return Err(self.may_mean_host(overloads, name_span, host.span));
        }
        match (best.map(|idx| viable[idx].candidate), builtin) {
            (Some(Candidate::Func(func)), _) => self.call_chosen(func, name_span, args, span),
            (Some(Candidate::Builtin(chosen)), Some(function)) if !chosen.is_of_host() => {
                self.builtins().call_builtin(function, chosen, args, span).map(Operand::Value)
            }
            _ => Err(self.no_overload(overloads, name_span, args, &viable, &ignored)),
        }
    }

    /// Finds the mistakes in a list that is an argument: where it is tried for a parameter, nothing is reported.
    fn check_list_items(&mut self, init: InitId) -> Result<(), Reported> {
        let unit = self.unit;
        match &unit.inits[init].kind {
            InitKind::List(items) => items.iter().try_for_each(|item| self.check_list_items(item.init)),
            InitKind::Expr(expr) => self.check_arg(*expr).map(|_| ()),
            InitKind::Parens(_) => Ok(()),
        }
    }

    pub(super) fn call_chosen(
        &mut self,
        func: Func,
        name_span: Span,
        args: &[Arg],
        span: Span,
    ) -> Result<Operand, Reported> {
        self.use_overload(func, name_span);
        self.call_func(func, name_span, args, span)
    }

    /// A call of the function; of a member function, the first argument is the object.
    pub(in crate::sema::call) fn call_func(
        &mut self,
        func: Func,
        name_span: Span,
        args: &[Arg],
        span: Span,
    ) -> Result<Operand, Reported> {
        self.require_not_deleted(func, name_span)?;
        self.declarations().define_implicit(func)?;
        let object = args.first().copied().filter(|_| self.takes_object(func));
        let class = object.and_then(|object| self.class_of_object(object));
        let whole = match object {
            Some(Arg::Object(Operand::Place(place) | Operand::Member(place), _)) => {
                self.expressions_ref().class_of_whole(place)
            }
            _ => class,
        };
        self.names().require_method_access(func, class, whole, name_span)?;
        let callee = self.direct_callee(func, name_span)?;
        let ty = self.module.functions[func].ty;
        match args {
            [object, own @ ..] if self.takes_object(func) => {
                let mut args = Args::new();
                args.push(Arg::Value(self.object_address(func, *object)?));
                args.extend_from_slice(own);
                self.call_with(callee, ty, &args, name_span, span)
            }
            _ => self.call_with(callee, ty, args, name_span, span),
        }
    }

    /// The program's function that a call of the name means.
    pub(in crate::sema) fn best_func(&mut self, overloads: &Overloads, args: &[Arg]) -> Option<Func> {
        let mut viable = self.viable_funcs(overloads, args);
        self.add_viable_templates(overloads, args, &mut viable);
        match viable.get(self.best(&viable)?)?.candidate {
            Candidate::Func(func) => Some(func),
            Candidate::Builtin(_) | Candidate::BuiltinOperator => None,
        }
    }

    /// The program's functions that take the arguments.
    pub(super) fn viable_funcs(
        &mut self,
        overloads: &Overloads,
        args: &[Arg],
    ) -> SmallVec<[Viable<Candidate>; 2]> {
        let fits = |&func: &Func| {
            let sequences = self.func_sequences(overloads.naming, func, args)?;
            Some(Viable { candidate: Candidate::Func(func), sequences, origin: Origin::Function })
        };
        overloads.funcs.iter().filter_map(fits).collect()
    }

    /// Adds the instances of templates that take the arguments, and gives why others do not.
    pub(super) fn add_viable_templates(
        &mut self,
        overloads: &Overloads,
        args: &[Arg],
        viable: &mut SmallVec<[Viable<Candidate>; 2]>,
    ) -> Ignored {
        let mut ignored = Vec::new();
        for &template in &overloads.templates {
            let own = &args[usize::from(self.templates_ref().has_object(template))..];
            match self.templates().instance_for_call(template, overloads.written, own) {
                Ok(func) => {
                    if let Some(sequences) = self.func_sequences(overloads.naming, func, args) {
                        let origin = Origin::Template(template);
                        viable.push(Viable { candidate: Candidate::Func(func), sequences, origin });
                    } else {
                        ignored.push((template, Mismatch::Conversion(func)));
                    }
                }
                Err(why) => ignored.push((template, why)),
            }
        }
        ignored
    }

    /// How the arguments fit the function's parameters, if it takes as many.
    fn own_sequences(&mut self, func: Func, args: &[Arg]) -> Option<Sequences> {
        let ty = self.module.functions[func].ty;
        let func_ty = self.module.types.func(ty)?;
        let (n_params, is_variadic) = (func_ty.params.len(), func_ty.variadic);
        if args.len() + self.n_default_args(func) < n_params || args.len() > n_params && !is_variadic {
            return None;
        }
        let sequence = |(idx, &arg)| match self.param_for(func, ty, idx, arg) {
            Some(param) => self.arg_sequence(arg, param),
            None => Some(Sequence::ELLIPSIS),
        };
        args.iter().enumerate().map(sequence).collect()
    }

    /// The type of the parameter that takes an argument; the object of a member function is one of reference type.
    pub(super) fn param_for(&mut self, func: Func, ty: Ty, idx: usize, arg: Arg) -> Option<Ty> {
        let object = if idx == 0 { self.object_param(func, arg) } else { None };
        object.or_else(|| self.param_of(ty, idx))
    }

    /// The member functions that take the arguments, of which the first is the object, if there is one.
    pub(in crate::sema::call) fn viable_methods(
        &mut self,
        methods: &Overloads,
        has_object: bool,
        args: &[Arg],
    ) -> (SmallVec<[Viable<Func>; 2]>, Ignored) {
        let mut viable: SmallVec<[Viable<Func>; 2]> = SmallVec::new();
        if methods.written.is_none() {
            for &func in &methods.funcs {
                let sequences = self.method_sequences(methods.naming, func, has_object, args);
                viable.extend(sequences.map(|sequences| Viable {
                    candidate: func,
                    sequences,
                    origin: Origin::Function,
                }));
            }
        }
        let mut ignored = Vec::new();
        for &template in &methods.templates {
            let own = &args[usize::from(has_object)..];
            match self.templates().instance_for_call(template, methods.written, own) {
                Ok(func) => match self.method_sequences(methods.naming, func, has_object, args) {
                    Some(sequences) => {
                        viable.push(Viable {
                            candidate: func,
                            sequences,
                            origin: Origin::Template(template),
                        });
                    }
                    None => ignored.push((template, Mismatch::Conversion(func))),
                },
                Err(why) => ignored.push((template, why)),
            }
        }
        (viable, ignored)
    }

    /// How the arguments, of which the first is the object if there is one, fit a member function.
    fn method_sequences(
        &mut self,
        naming: Option<Record>,
        func: Func,
        has_object: bool,
        args: &[Arg],
    ) -> Option<Sequences> {
        match (self.takes_object(func), has_object) {
            (true, false) => None,
            // It takes any object (C++17 16.3.1p5).
            (false, true) => {
                let mut sequences = self.own_sequences(func, &args[1..])?;
                sequences.insert(0, Sequence::EXACT);
                Some(sequences)
            }
            (true, true) | (false, false) => self.func_sequences(naming, func, args),
        }
    }

    /// How the arguments fit a function. Member functions count as those of the class that has them by `using` declarations (C++17 16.3.1p4).
    fn func_sequences(&mut self, naming: Option<Record>, func: Func, args: &[Arg]) -> Option<Sequences> {
        let mut sequences = self.own_sequences(func, args)?;
        if let (Some(class), Some(&object)) = (naming, args.first())
            && let Some(own) = self.object_param(func, object)
            && let Some((referred, kind)) = self.module.types.reference(own)
        {
            let quals = self.module.types.quals(referred);
            let class = self.module.types.record_ty(class);
            let class = self.module.types.with_quals(class, quals);
            let param = self.module.types.reference_to(class, kind);
            if let Some(sequence) = self.arg_sequence(object, param) {
                sequences[0] = sequence;
            }
        }
        Some(sequences)
    }

    /// The class of an object that a member function is called for.
    fn class_of_object(&mut self, object: Arg) -> Option<Record> {
        let ty = match object {
            Arg::Value(value) => self.ty_of(value),
            Arg::Object(operand, _) => self.expressions().operand_ty(operand).ok()?,
            Arg::Braced(..) | Arg::Overloaded(_) => return None,
        };
        self.module.types.record(ty)
    }

    /// Finds the mistakes in the argument, if it is a list.
    pub(in crate::sema::call) fn check_listed_items(&mut self, arg: Arg) -> Result<(), Reported> {
        match arg {
            Arg::Braced(init, _) => self.in_scratch(|cx| cx.quietly(|cx| cx.calls().check_list_items(init))),
            Arg::Value(_) | Arg::Object(..) | Arg::Overloaded(_) => Ok(()),
        }
    }
}
