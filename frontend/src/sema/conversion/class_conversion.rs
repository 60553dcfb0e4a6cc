//! Conversions that a class defines: by constructors and conversion functions (C++17 15.3).

use crate::diag::Reported;
use crate::ir::{Expr, ExprData, Func, PlaceData, Record, Ty};
use crate::sema::Conversions;
use crate::sema::call::overload::{Arg, Overloads, Sequence};
use crate::sema::conversion::Target;
use crate::sema::conversion::construct::Form;
use crate::sema::expression::Operand;
use crate::source::Span;

impl Conversions<'_> {
    /// How a class makes the value one of the type: by a constructor that is not explicit, or by a conversion function; with the type that
    /// this makes, and how that is converted then.
    pub(in crate::sema) fn class_conversion(&mut self, value: Expr, to: Ty) -> Option<(Ty, Sequence)> {
        self.complete_classes(value, to);
        if self.known.specials.is_empty() || self.known.conversions.is_converting {
            return None;
        }
        let from = self.ty_of(value);
        if let Some(class) = self.constructed_class(to)
            && self.module.types.record(from) != Some(class)
        {
            let is_made = self.without_conversions(|cx| {
                let constructors = cx.constructors_of(class, 1);
                let mut funcs = constructors.funcs;
                let arg = cx.conversions().arg_of_value(value);
                for template in constructors.templates {
                    let made = cx.templates().instance_for_call(template, None, &[arg]).ok();
                    funcs.extend(made.filter(|&func| !cx.takes_own_object(func, class)));
                }
                funcs
                    .iter()
                    .any(|&func| !cx.conversions_ref().is_explicit(func) && cx.calls().takes_arg(func, arg))
            });
            if is_made {
                return Some((self.canonical(to), Sequence::EXACT));
            }
        }
        let func = self.conversion_function(value, to, Form::Copy)?;
        let made = self.result_of(func);
        let then = self.without_conversions(|cx| cx.conversions().sequence_of_made(made, to))?;
        Some((self.canonical(made), then))
    }

    /// How what a conversion function makes is converted.
    fn sequence_of_made(&mut self, made: Ty, to: Ty) -> Option<Sequence> {
        let made = self.module.types.unqualified(made);
        let stand_in = self.expr(ExprData::Bound, made, Span::default());
        self.calls().sequence(stand_in, to)
    }

    /// Whether a class has a word in the conversion: constructors of the type, or a function of the value's class that makes it.
    pub(super) fn has_class_conversion(&mut self, value: Expr, to: Ty) -> bool {
        self.complete_classes(value, to);
        self.constructed_class(to).is_some() || self.conversion_function(value, to, Form::Copy).is_some()
    }

    /// Checks something where no class converts a value: two conversions by classes do not follow one another (C++17 16.3.3.1p4).
    fn without_conversions<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.known.conversions.set_converting(true);
        let result = check(self);
        self.known.conversions.set_converting(outer);
        result
    }

    /// The value as one of the other type, where [`Self::has_class_conversion`].
    pub(super) fn convert_by_class(&mut self, value: Expr, to: Ty, form: Form) -> Result<Expr, Reported> {
        let span = self.span_of(value);
        if let Some(func) = self.conversion_function(value, to, form) {
            let made = self.call_conversion(value, func, span)?;
            return self.convert(made, to, Target::Initialize);
        }
        let arg = self.arg_of_value(value);
        let init = self.construct(to, &[arg], form, span)?;
        Ok(self.value_of_init(init, to, span))
    }

    /// The value that a conversion function of the one argument's class makes for an object of the type.
    pub(super) fn converted_by_function(
        &mut self,
        args: &[Arg],
        ty: Ty,
        form: Form,
    ) -> Result<Option<Expr>, Reported> {
        let [Arg::Value(value) | Arg::Object(_, value)] = *args else { return Ok(None) };
        match self.conversion_function(value, ty, form) {
            Some(func) => self.call_conversion(value, func, self.span_of(value)).map(Some),
            None => Ok(None),
        }
    }

    /// The conversion function of the value's class that makes a value of the type, or one that is converted to it (C++17 16.3.1.5).
    pub(in crate::sema) fn conversion_function(&mut self, value: Expr, to: Ty, form: Form) -> Option<Func> {
        self.complete_classes(value, to);
        let from = self.ty_of(value);
        let class = self.module.types.record(from)?;
        let funcs = self.conversion_functions(class);
        if funcs.is_empty() {
            return None;
        }
        let object = self.object_of(value);
        self.without_conversions(|cx| {
            let mut viable = Vec::new();
            for func in funcs {
                if form == Form::Copy && cx.conversions_ref().is_explicit(func) {
                    continue;
                }
                let made = cx.conversions().result_of(func);
                let Some(then) = cx.conversions().sequence_of_made(made, to) else { continue };
                let Some(first) = cx.calls().object_sequence(func, object) else { continue };
                viable.push((func, first, then));
            }
            let best = viable.iter().position(|&(ours, first, then)| {
                viable.iter().all(|&(func, other_first, other_then)| {
                    func == ours
                        || !cx.calls().is_better(other_first, first)
                            && (cx.calls().is_better(first, other_first)
                                || cx.calls().is_better(then, other_then))
                })
            });
            best.map(|idx| viable[idx].0)
        })
    }

    /// The conversion function that makes an operand of a built-in operator of an object (C++17 16.3.1.2p3): of those that are not explicit,
    /// the only one, or the one that fits the object best.
    pub(in crate::sema) fn operand_conversion(&mut self, value: Expr) -> Option<Func> {
        let class = self.module.types.record(self.ty_of(value))?;
        let funcs = self.conversion_functions(class);
        let object = self.object_of(value);
        let mut viable = Vec::new();
        for func in funcs {
            if self.is_explicit(func) {
                continue;
            }
            let made = self.result_of(func);
            if self.module.types.scalar(made).is_some()
                && let Some(sequence) = self.calls().object_sequence(func, object)
            {
                viable.push((func, sequence));
            }
        }
        let best = viable.iter().position(|&(ours, sequence)| {
            viable.iter().all(|&(func, other)| func == ours || self.calls().is_better(sequence, other))
        });
        best.map(|idx| viable[idx].0)
    }

    /// The value as an operand of a built-in operator.
    pub(in crate::sema) fn operand_value(&mut self, value: Expr) -> Result<Expr, Reported> {
        if self.known.specials.is_empty() {
            return Ok(value);
        }
        match self.operand_conversion(value) {
            Some(func) => self.call_conversion(value, func, self.span_of(value)),
            None => Ok(value),
        }
    }

    /// The conversion functions of a class and of its bases; one hides those to the same type that its bases have.
    fn conversion_functions(&mut self, class: Record) -> Vec<Func> {
        let own = self.known.specials.get(&class).map(|specials| specials.conversions.to_vec());
        let mut funcs = own.unwrap_or_default();
        for (_, base) in self.types_ref().bases_of(class) {
            for inherited in self.conversion_functions(base) {
                let made = self.exact_result(inherited);
                if !funcs.iter().any(|&func| self.same(self.exact_result(func), made)) {
                    funcs.push(inherited);
                }
            }
        }
        funcs
    }

    /// The conversion function of a class that makes the type, exactly.
    pub(in crate::sema) fn conversion_to(&mut self, class: Record, ty: Ty) -> Option<Func> {
        self.conversion_functions(class).into_iter().find(|&func| self.same(self.exact_result(func), ty))
    }

    fn exact_result(&self, func: Func) -> Ty {
        self.module.types.func(self.module.functions[func].ty).map_or(Ty::ERROR, |ty| ty.ret)
    }

    /// The type of what a conversion function returns, without a reference.
    pub(in crate::sema) fn result_of(&mut self, func: Func) -> Ty {
        let made = self.exact_result(func);
        self.unreferenced(made)
    }

    /// The object that a value was read from, or an object that holds it.
    pub(super) fn object_of(&mut self, value: Expr) -> Operand {
        match self.arena.exprs[value].data {
            ExprData::Load(place) => match self.arena.places[place].data {
                PlaceData::CompoundLiteral(..) | PlaceData::Temporary(_) => Operand::Member(place),
                _ if self.arena.expiring.contains(value) => Operand::Member(place),
                _ => Operand::Place(place),
            },
            _ => Operand::Value(value),
        }
    }

    pub(in crate::sema) fn call_conversion(
        &mut self,
        value: Expr,
        func: Func,
        span: Span,
    ) -> Result<Expr, Reported> {
        if let Some(invoker) = self.declarations().invoker_behind(func, span)? {
            return self.expressions().rvalue(Operand::Func(invoker, span));
        }
        let object = self.object_of(value);
        let methods = Overloads::of(func);
        let made = self.calls().call_method(&methods, Some(object), span, &[], span)?;
        self.expressions().rvalue(made)
    }
}
