//! Structs that are classes in CUDA's headers, with constructors and conversions that are all explicit: numbers of eight bits and less.
//!
//! A header that ships marks such a struct with the attribute `__weft_class__`, and has functions in place of the members:
//! `__weft_T_from_float` is the constructor of `T` that takes a `float`, `__weft_T_to_half` its conversion to `__half`. What has none
//! goes by way of one that holds the same: an integer by `long long` or else `float`, a half-precision number by `float`; and to a number
//! from the half-precision type that there is.

use smallvec::{SmallVec, smallvec};
use thin_vec::ThinVec;

use super::convert::own_int;
use crate::ast::{InitItem, InitKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Callee, Expr, ExprData, Func, HalfOp, HalfTy, Init, InitData, Ty};
use crate::sema::Builtins;
use crate::sema::name::scope::Entity;
use crate::source::Span;

/// The half-precision types, by the names that functions have for them; those with the larger numbers first.
const HALVES: [(HalfTy, &str); 4] = [
    (HalfTy::Bfloat, "bfloat16"),
    (HalfTy::Bfloat2, "bfloat162"),
    (HalfTy::Half, "half"),
    (HalfTy::Half2, "half2"),
];

/// A function that makes a value of another type.
enum Way {
    /// Of the value itself, or of what holds the same.
    Constructor(Func),
    /// The value.
    Conversion(Func),
    /// A half-precision number, which becomes the value.
    Through(Func, HalfTy),
}

impl Builtins<'_> {
    /// Whether it is such a struct.
    pub(in crate::sema) fn is_class(&self, ty: Ty) -> bool {
        self.class_tag(ty).is_some()
    }

    fn class_tag(&self, ty: Ty) -> Option<&str> {
        let record = self.module.types.record(ty)?;
        self.known.record_facts.get(&record).filter(|facts| facts.is_class)?;
        self.module.types.records[record].tag.as_deref()
    }

    /// Whether a cast from the one type to the other calls a constructor or a conversion.
    pub(in crate::sema) fn casts_by_class(&self, from: Ty, to: Ty) -> bool {
        self.class_way(from, to).is_some()
    }

    fn class_way(&self, from: Ty, to: Ty) -> Option<Way> {
        if self.is_class(to) {
            return self.constructor(&[from], to).map(Way::Constructor);
        }
        let tag = self.class_tag(from)?;
        let function = |word: &str| self.class_function(&format!("__weft_{tag}_to_{word}"));
        if let Some(func) = self.class_words(to).first().and_then(|word| function(word)) {
            return Some(Way::Conversion(func));
        }
        let bool_function = if self.canonical(to) == Ty::BOOL { function("bool") } else { None };
        if let Some(func) = bool_function {
            return Some(Way::Conversion(func));
        }
        let (half, func) = HALVES.into_iter().find_map(|(half, word)| Some((half, function(word)?)))?;
        let is_float2 = self.class_words(to).first() == Some(&"float2");
        let goes_on = match self.module.types.half_ty(to) {
            Some(other) => other.is_pair() == half.is_pair(),
            None if half.is_pair() => is_float2,
            None => {
                matches!(self.canonical(to), Ty::FLOAT | Ty::DOUBLE)
                    || self.module.types.int_ty(to).is_some() && self.has_conversion(to)
            }
        };
        goes_on.then_some(Way::Through(func, half))
    }

    fn class_function(&self, name: &str) -> Option<Func> {
        match self.names_ref().lookup(self.interner.lookup(name)?)?.entity {
            Entity::Func(func) => Some(func),
            _ => None,
        }
    }

    /// The types whose constructors take a value of the type, as functions name them, the best first.
    fn class_words(&self, ty: Ty) -> SmallVec<[&'static str; 2]> {
        let types = &self.module.types;
        if let Some(half) = types.half_ty(ty) {
            let own = HALVES.into_iter().find(|&(known, _)| known == half).map(|(_, word)| word);
            return own.into_iter().chain([if half.is_pair() { "float2" } else { "float" }]).collect();
        }
        if let Some(vector) = self.vector_of(ty) {
            return smallvec![vector.name];
        }
        match self.canonical(ty) {
            Ty::FLOAT => smallvec!["float"],
            Ty::DOUBLE => smallvec!["double"],
            _ => match types.int_ty(ty).and_then(own_int) {
                Some(int) if int.is_signed() => smallvec!["longlong", "float"],
                Some(_) => smallvec!["ulonglong", "float"],
                None => SmallVec::new(),
            },
        }
    }

    /// The constructor that takes values of the types.
    fn constructor(&self, from: &[Ty], to: Ty) -> Option<Func> {
        let tag = self.class_tag(to)?;
        let words: Vec<_> = from.iter().map(|&ty| self.class_words(ty)).collect();
        (0..2).find_map(|choice| {
            let words: Option<Vec<&str>> = words.iter().map(|words| words.get(choice).copied()).collect();
            self.class_function(&format!("__weft_{tag}_from_{}", words?.join("_")))
        })
    }

    /// The value of the other type, where [`Self::casts_by_class`].
    pub(in crate::sema) fn cast_by_class(
        &mut self,
        expr: Expr,
        to: Ty,
        span: Span,
    ) -> Result<Expr, Reported> {
        let to = self.module.types.unqualified(to);
        match self.class_way(self.ty_of(expr), to) {
            None => self.construct_class(&[expr], to, span),
            Some(Way::Constructor(func) | Way::Conversion(func)) => self.call_class(func, &[expr], span),
            Some(Way::Through(func, half)) => {
                let value = self.call_class(func, &[expr], span)?;
                match self.module.types.half_ty(to) {
                    Some(other) if other == half => Ok(value),
                    Some(other) if other.is_pair() => {
                        let float2 = self.vector_named("float2");
                        let floats = self.half_builtin(HalfOp::ToFloat2, vec![value], float2, span);
                        Ok(self.half_builtin(HalfOp::FromFloat2, vec![floats], to, span))
                    }
                    Some(_) => self.conversions().cast(value, to, span),
                    None if half.is_pair() => Ok(self.half_builtin(HalfOp::ToFloat2, vec![value], to, span)),
                    None => Ok(self.half_as_number(value, to)),
                }
            }
        }
    }

    /// `T(a)`, `T(a, b)`
    pub(in crate::sema) fn construct_class(
        &mut self,
        values: &[Expr],
        to: Ty,
        span: Span,
    ) -> Result<Expr, Reported> {
        let from: Vec<Ty> = values.iter().map(|&value| self.ty_of(value)).collect();
        if let (&[value], &[from]) = (values, &from[..])
            && self.module.types.record(from) == self.module.types.record(to)
        {
            return Ok(value);
        }
        match self.constructor(&from, to) {
            Some(func) => self.call_class(func, values, span),
            None => {
                let types: Vec<String> = from.into_iter().map(|ty| self.show(ty)).collect();
                let message = format!(
                    "no matching constructor for initialization of {} from {}",
                    self.show(to),
                    types.join(" and ")
                );
                Err(self.error(Code::InvalidCast, span, message))
            }
        }
    }

    fn call_class(&mut self, func: Func, values: &[Expr], span: Span) -> Result<Expr, Reported> {
        let ty = self.module.functions[func].ty;
        let func_ty = self.module.types.func(ty).expect("invariant: functions have function types");
        let (ret, params) = (func_ty.ret, func_ty.params.clone());
        let mut args = ThinVec::with_capacity(values.len());
        for (&value, &param) in values.iter().zip(&params) {
            let is_pair = self.half_of(value).is_some_and(HalfTy::is_pair);
            args.push(if is_pair && self.module.types.half_ty(param).is_none() {
                let param = self.module.types.unqualified(param);
                self.half_builtin(HalfOp::ToFloat2, vec![value], param, span)
            } else {
                self.conversions().cast(value, param, span)?
            });
        }
        self.declarations().mark_used(func, span);
        Ok(self.expr(ExprData::call(Callee::Direct(func), args), ret, span))
    }

    /// The values within the braces of a type that has constructors, here or as CUDA's `dim3` and half-precision numbers.
    pub(in crate::sema::builtin) fn constructor_values(
        &mut self,
        items: &[InitItem],
    ) -> Result<Vec<Expr>, Reported> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            let node = &self.unit.inits[item.init];
            let InitKind::Expr(expr) = node.kind else {
                let message =
                    "nested braces in the initializer of a type with constructors are not supported";
                return Err(self.error(Code::UnsupportedInitializer, node.span, message));
            };
            if !item.designators.is_empty() {
                let message = "designator in initializer of a type with constructors";
                return Err(self.error(Code::InvalidDesignator, node.span, message));
            }
            values.push(self.expressions().check_rvalue(expr));
        }
        values.into_iter().collect()
    }

    /// `{ … }` for such a struct: nothing, a value of its own, or, behind a name or the type, what a constructor takes.
    pub(in crate::sema) fn check_class_list(
        &mut self,
        ty: Ty,
        items: &[InitItem],
        is_direct: bool,
        span: Span,
    ) -> Result<Init, Reported> {
        let values = self.constructor_values(items)?;
        if values.is_empty() {
            return Ok(self.init(InitData::Record(ThinVec::new()), span));
        }
        let is_own = values.len() == 1 && self.is_class(self.ty_of(values[0]));
        if !is_direct && !is_own {
            let shown = self.show(ty);
            let message = format!("chosen constructor of {shown} is explicit in copy-initialization");
            let name = self.module.types.display(ty).to_string();
            let diagnostic = Diagnostic::new(Code::InvalidConversion, span, message)
                .with_help(format!("write the type: `{name}{{ … }}`"));
            return Err(self.sink.error(diagnostic));
        }
        let value = self.construct_class(&values, ty, span)?;
        Ok(self.init(InitData::Expr(value), span))
    }
}
