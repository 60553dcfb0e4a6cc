//! Which constructor is meant (C++17 16.3.1.3). To overload resolution the object that is constructed is the first argument.

use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::overload::{Arg, Args, Ignored, Overloads, Sequence, Viable};
use crate::diag::Reported;
use crate::ir::{Expr, ExprData, Func, Ty};
use crate::sema::Calls;
use crate::sema::conversion::construct::Form;
use crate::sema::expression::Operand;
use crate::source::Span;

impl Calls<'_> {
    /// The constructor that fits best, and the values of its parameters after `this`. None: none fits, or several do equally well.
    ///
    /// # Errors
    /// If an argument is not converted, or the constructor cannot be used here.
    pub(in crate::sema) fn choose_constructor(
        &mut self,
        constructors: &Overloads,
        object: Operand,
        args: &[Arg],
        form: Form,
        span: Span,
    ) -> Result<Option<(Func, ThinVec<Expr>)>, Reported> {
        for &arg in args {
            self.check_listed_items(arg)?;
        }
        let all = self.with_object(object, args)?;
        // The one conversion by a class is this one.
        let is_converting = self.known.conversions.set_converting(form == Form::Copy);
        let (viable, _) = self.viable_constructors(constructors, &all, form);
        let best = self.best(&viable);
        self.known.conversions.set_converting(is_converting);
        let Some(best) = best else { return Ok(None) };
        let func = viable[best].candidate;
        self.use_overload(func, span);
        let call = self.call_func(func, span, &all, span)?;
        let Operand::Value(call) = call else { return Err(self.poisoned()) };
        let ExprData::Call { args, .. } = &self.arena.exprs[call].data else { return Err(self.poisoned()) };
        Ok(Some((func, args[1..].iter().copied().collect())))
    }

    /// Whether some constructor takes the arguments.
    pub(in crate::sema) fn takes_list(
        &mut self,
        constructors: &Overloads,
        object: Operand,
        args: &[Arg],
        form: Form,
    ) -> Result<bool, Reported> {
        let all = self.with_object(object, args)?;
        Ok(!self.viable_constructors(constructors, &all, form).0.is_empty())
    }

    /// The constructors that take the arguments, of which the first is the object.
    fn viable_constructors(
        &mut self,
        constructors: &Overloads,
        args: &[Arg],
        form: Form,
    ) -> (SmallVec<[Viable<Func>; 2]>, Ignored) {
        let (mut viable, ignored) = self.viable_methods(constructors, true, args);
        // Of the instances of templates, both is known only now.
        if form == Form::Copy {
            viable.retain(|viable| !self.conversions_ref().is_explicit(viable.candidate));
        }
        if let (Some(class), [_, _]) = (constructors.naming, args) {
            viable.retain(|viable| !self.takes_own_object(viable.candidate, class));
        }
        (viable, ignored)
    }

    fn with_object(&mut self, object: Operand, args: &[Arg]) -> Result<Args, Reported> {
        let mut all = Args::new();
        all.push(self.object_arg(object)?);
        all.extend_from_slice(args);
        Ok(all)
    }

    /// The error of an object for which no constructor fits, or several do.
    pub(in crate::sema) fn no_choice_of_constructor(
        &mut self,
        constructors: &Overloads,
        object: Operand,
        args: &[Arg],
        (ty, form): (Ty, Form),
        span: Span,
    ) -> Reported {
        let all = match self.with_object(object, args) {
            Ok(all) => all,
            Err(reported) => return reported,
        };
        let is_converting = self.known.conversions.set_converting(form == Form::Copy);
        let (viable, ignored) = self.viable_constructors(constructors, &all, form);
        let reported = self.no_constructor_fits(constructors, ty, span, &all, (&viable, &ignored));
        self.known.conversions.set_converting(is_converting);
        reported
    }

    /// Whether a constructor takes the one argument.
    pub(in crate::sema) fn takes_arg(&mut self, func: Func, arg: Arg) -> bool {
        let ty = self.module.functions[func].ty;
        let n_required = self.n_required_args(func);
        if n_required > 2 {
            return false;
        }
        match self.param_of(ty, 1) {
            Some(param) => self.arg_sequence(arg, param).is_some(),
            None => self.module.types.func(ty).is_some_and(|func| func.variadic),
        }
    }

    /// How many parameters of a function have no default argument, `this` included.
    pub(in crate::sema) fn n_required_args(&self, func: Func) -> usize {
        let ty = self.module.types.func(self.module.functions[func].ty);
        let n_params = ty.map_or(0, |ty| ty.params.len());
        n_params - self.n_default_args(func).min(n_params)
    }

    /// How the object fits a member function that is called for it, if it does.
    pub(in crate::sema) fn object_sequence(&mut self, func: Func, object: Operand) -> Option<Sequence> {
        let object = self.object_arg(object).ok()?;
        let param = self.object_param(func, object)?;
        self.arg_sequence(object, param)
    }
}
