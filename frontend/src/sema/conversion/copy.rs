//! Copies of objects whose class says how they are made (C++17 15.8.1). A value of such a class is an object that nothing else has: what
//! a call returns, or a compound literal that a constructor initializes. Where an object is read, the copy is made once it is known that
//! one is needed.

use smallvec::SmallVec;

use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, ExprData, Func, InitData, PlaceData, Quals, Record, RefKind, Ty, View};
use crate::sema::Conversions;
use crate::sema::call::overload::{Arg, Overloads, Sequence};
use crate::sema::context::Cx;
use crate::sema::conversion::construct::Form;
use crate::sema::declaration::special::Origin;
use crate::sema::expression::Operand;
use crate::sema::types::base::BasePath;

impl Cx<'_> {
    /// Whether overload resolution says how an object of the type is copied: copies call functions, or a template of constructors may take
    /// the object.
    pub(in crate::sema) fn is_copy_chosen(&self, ty: Ty) -> bool {
        if ty.is_plain_number() {
            return false;
        }
        let View::Record(class) = self.module.types.view(ty) else { return false };
        !self.manners_of_class(class).copies_bytes()
            || self
                .known
                .specials
                .get(&class)
                .is_some_and(|specials| !specials.constructor_templates.is_empty())
    }
}

impl Conversions<'_> {
    /// The value as that of an object of its own, which may be the one that it initializes.
    pub(in crate::sema) fn own_value(&mut self, value: Expr) -> Result<Expr, Reported> {
        let ty = self.ty_of(value);
        match self.module.types.record(ty).filter(|_| self.is_copy_chosen(ty)) {
            Some(class) => self.own_object(value, class),
            None => Ok(value),
        }
    }

    /// The instance of a constructor template that fits an object better than the copy that its class has anyway, which is of bytes
    /// (C++17 16.3.3): `template <class T> S(T &&)` for an object that is not const.
    pub(super) fn copying_template(&mut self, class: Record, arg: Arg) -> Option<Func> {
        let plain = self.copy_sequences(class, arg);
        self.templates_ref().constructor_templates(class).into_iter().find_map(|template| {
            let func = self.templates().instance_for_call(template, None, &[arg]).ok()?;
            let param = self.calls_ref().param_of(self.module.functions[func].ty, 1)?;
            let sequence = self.calls().arg_sequence(arg, param)?;
            // One that takes the object itself copies none (C++17 15.8.1p5).
            let is_better = self.module.types.reference(param).is_some()
                && plain.iter().all(|&plain| self.calls().is_better(sequence, plain));
            is_better.then_some(func)
        })
    }

    /// Whether an object of a derived class initializes one of its base by a copy of bytes: no constructor of the base fits it better.
    ///
    /// # Errors
    /// A constructor fits it as well as the copy.
    pub(super) fn is_copied_as_base(&mut self, value: Expr, to: Ty, form: Form) -> Result<bool, Reported> {
        let Some(class) = self.module.types.record(to) else { return Ok(false) };
        if !self.manners_of_class(class).copies_bytes() {
            return Ok(false);
        }
        let arg = self.arg_of_value(value);
        let copies = self.copy_sequences(class, arg);
        let specials = self.known.specials.get(&class);
        let mut funcs = specials.map(|specials| specials.constructors.to_vec()).unwrap_or_default();
        for template in self.templates_ref().constructor_templates(class) {
            funcs.extend(self.templates().instance_for_call(template, None, &[arg]).ok());
        }
        for func in funcs {
            let is_explicit = form != Form::Direct && self.is_explicit(func);
            if is_explicit || self.deed(func).is_some() || !self.calls().takes_arg(func, arg) {
                continue;
            }
            let param = self.calls_ref().param_of(self.module.functions[func].ty, 1);
            let Some(sequence) = param.and_then(|param| self.calls().arg_sequence(arg, param)) else {
                continue;
            };
            if copies.iter().all(|&copy| self.calls().is_better(sequence, copy)) {
                return Ok(false);
            }
            if !copies.iter().any(|&copy| self.calls().is_better(copy, sequence)) {
                let message =
                    format!("initialization of {} by a copy or by a constructor is ambiguous", self.show(to));
                let diagnostic = Diagnostic::new(Code::AmbiguousCall, self.span_of(value), message)
                    .with_label(self.module.functions[func].span, "candidate constructor");
                return Err(self.sink.error(diagnostic));
            }
        }
        Ok(true)
    }

    /// The value as an argument.
    pub(super) fn arg_of_value(&mut self, value: Expr) -> Arg {
        match self.object_of(value) {
            Operand::Value(value) => Arg::Value(value),
            object => Arg::Object(object, value),
        }
    }

    /// The part of an object that is its base class, as a value.
    pub(super) fn value_of_base(&mut self, value: Expr, path: &BasePath, to: Ty) -> Expr {
        let (from, span) = (self.ty_of(value), self.span_of(value));
        let object = match self.object_of(value) {
            Operand::Place(place) | Operand::Member(place) => place,
            _ => self.place(PlaceData::Temporary(value), from, span),
        };
        let part = self.types().part_of_base(object, path, span);
        self.expr(ExprData::Load(part), to, span)
    }

    /// How an argument fits the functions that copy and move, or assign, the objects of a class that does not write them.
    pub(in crate::sema) fn copy_sequences(&mut self, class: Record, arg: Arg) -> SmallVec<[Sequence; 2]> {
        let ty = self.module.types.record_ty(class);
        let constant = self.module.types.with_quals(ty, Quals::CONST);
        let params = [
            self.module.types.reference_to(constant, RefKind::Lvalue),
            self.module.types.reference_to(ty, RefKind::Rvalue),
        ];
        params.into_iter().filter_map(|param| self.calls().arg_sequence(arg, param)).collect()
    }

    fn own_object(&mut self, value: Expr, class: Record) -> Result<Expr, Reported> {
        match self.arena.exprs[value].data {
            ExprData::Load(place) => match self.arena.places[place].data {
                PlaceData::CompoundLiteral(..) | PlaceData::Temporary(_) => Ok(value),
                _ if self.arena.expiring.contains(value) => self.copy_of(Operand::Member(place), class),
                _ => self.copy_of(Operand::Place(place), class),
            },
            ExprData::Assign { .. } => {
                let (ty, span) = (self.ty_of(value), self.span_of(value));
                let place = self.place(PlaceData::Assigned(value), ty, span);
                self.copy_of(Operand::Place(place), class)
            }
            ExprData::Conditional { cond, then, otherwise } => {
                let then = self.own_value(then)?;
                let otherwise = self.own_value(otherwise)?;
                self.arena.exprs[value].data = ExprData::Conditional { cond, then, otherwise };
                Ok(value)
            }
            ExprData::Comma(first, second) => {
                let second = self.own_value(second)?;
                self.arena.exprs[value].data = ExprData::Comma(first, second);
                Ok(value)
            }
            ExprData::Block(_, last) if let Some(last) = last.expand() => {
                let last = self.own_value(last)?;
                if let ExprData::Block(_, value) = &mut self.arena.exprs[value].data {
                    *value = last.into();
                }
                Ok(value)
            }
            _ => Ok(value),
        }
    }

    /// Another object made of this one.
    fn copy_of(&mut self, source: Operand, class: Record) -> Result<Expr, Reported> {
        let span = self.expressions_ref().operand_span(source);
        let ty = self.module.types.record_ty(class);
        let object = self.constructed_object(ty, span);
        let arg = self.calls().object_arg(source)?;
        let methods = if self.manners_of_class(class).copies_bytes() {
            let Some(func) = self.copying_template(class, arg) else {
                return self.expressions().rvalue(source);
            };
            Overloads::of(func)
        } else {
            let specials = self.known.specials.get(&class);
            let funcs = specials.into_iter().flat_map(|s| s.constructors.iter().chain(&s.implicit_copies));
            let templates = self.templates_ref().constructor_templates(class);
            Overloads { funcs: funcs.copied().collect(), templates, ..Overloads::default() }
        };
        let Some((func, args)) =
            self.calls().choose_constructor(&methods, object, &[arg], Form::Direct, span)?
        else {
            return Err(self.calls().no_choice_of_constructor(
                &methods,
                object,
                &[arg],
                (ty, Form::Direct),
                span,
            ));
        };
        let origin = self.known.func_facts.get(&func).map(|facts| facts.origin);
        if origin == Some(Origin::Defaulted) && !self.manners_of_class(class).is_copied_by_call() {
            return self.expressions().rvalue(source);
        }
        let init = self.init(InitData::Construct(func, args), span);
        Ok(self.value_of_init(init, ty, span))
    }
}
