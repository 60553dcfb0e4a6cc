//! Calls (C++17 8.2.2).
//!
//! - [`overload`]: which function of a name is meant; [`method`]: member functions; [`constructor`]: constructors
//! - [`default_arg`]: default arguments; [`variadic`]: the arguments of `...`; [`std_reference`]: `std::move` and `std::forward`

mod constructor;
pub(super) mod default_arg;
mod method;
pub(super) mod overload;
mod std_reference;
pub(super) mod variadic;

use cranelift_entity::packed_option::ReservedValue;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::Calls;
use super::conversion::Target;
use super::expression::Operand;
use crate::ast::{ExprId, ExprKind, InitId, InitItem, InitKind, StdFunction};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    Callee, Conversion, Expr, ExprData, FloatTy, Func, FuncTy, FunctionKind, Place, Scalar, Ty, TyKind, View,
};
use crate::limits::{MAX_ARGUMENT_BYTES, MAX_VALUE_BYTES};
use crate::source::Span;
use crate::token::Punct;
use overload::{Arg, Args, Overloads};

/// The arguments that a function takes, by its type.
#[derive(Clone, Copy)]
struct Wanted {
    /// The function's type.
    ty: Ty,
    n_params: usize,
    is_variadic: bool,
}

impl Wanted {
    fn of(ty: Ty, func: &FuncTy) -> Self {
        Wanted { ty, n_params: func.params.len(), is_variadic: func.variadic }
    }
}

/// The values of arguments.
type Values = SmallVec<[Expr; 8]>;

impl Calls<'_> {
    pub(super) fn check_call(
        &mut self,
        callee: ExprId,
        args: &[ExprId],
        span: Span,
    ) -> Result<Operand, Reported> {
        if let Some(known) = self.builtins().check_text_function(callee, args, span) {
            return known.map(Operand::Value);
        }
        if let Some((name, ty)) = self.builtins_ref().specialization(callee) {
            return self.builtins().check_specialized_call(name, ty, callee, args, span).map(Operand::Value);
        }
        if let ExprKind::StdFunction { function, ty } = self.unit.exprs[callee].kind {
            return match function {
                StdFunction::Min | StdFunction::Max => {
                    self.names().check_std_call(function, ty, args, span).map(Operand::Value)
                }
                StdFunction::Move | StdFunction::Forward => {
                    self.check_std_reference(function, ty, args, span)
                }
            };
        }
        if let Some(call) = self.check_member_call(callee, args, span) {
            return call;
        }
        if let Some((overloads, name_span)) = self.written_instance(callee)? {
            let args = self.check_args(args, true)?;
            if self.are_methods(&overloads) {
                let object = self.implicit_object(&overloads, name_span);
                return self.call_method(&overloads, object, name_span, &args, span);
            }
            return self.check_call_among(&overloads, name_span, &args, span);
        }
        if let Some(call) = self.check_call_by_arguments(callee, args, span) {
            return call;
        }
        let callee_span = self.unit.exprs[callee].span;
        let callee = self.expressions().check_expr(callee);
        if let Ok(Operand::Builtin(function, name_span)) = callee
            && let Some(call) = self.builtins().check_generic_call(function.function(), name_span, args, span)
        {
            return call.map(Operand::Value);
        }
        let args = self.check_args(args, callee.is_ok_and(|callee| self.takes_references(callee)));
        self.check_call_of(callee?, callee_span, args?, span)
    }

    /// A call of what has been checked.
    pub(super) fn check_call_of(
        &mut self,
        callee: Operand,
        callee_span: Span,
        args: Args,
        span: Span,
    ) -> Result<Operand, Reported> {
        let (callee, ty) = match callee {
            Operand::Builtin(function, name_span) => {
                let function = function.function();
                let n_args = args.len();
                let value = |(idx, &arg): (usize, &Arg)| match arg {
                    Arg::Value(value) => Ok(value),
                    Arg::Braced(init, id) => {
                        let param = self.builtins().sole_builtin_param(function, n_args, idx);
                        self.check_listed_arg(init, id, param)
                    }
                    Arg::Object(..) | Arg::Overloaded(_) => self.typed_arg(arg),
                };
                let values: Result<Values, _> = args.iter().enumerate().map(value).collect();
                return self
                    .builtins()
                    .check_builtin_call(function, name_span, &values?, span)
                    .map(Operand::Value);
            }
            Operand::Func(func, at) if self.module.functions[func].method.is_some() => {
                let methods = Overloads::of(func);
                let object = self.implicit_object(&methods, at);
                return self.call_method(&methods, object, at, &args, span);
            }
            Operand::Func(func, at) => (self.direct_callee(func, at)?, self.module.functions[func].ty),
            Operand::Overloads(overloads, at) if self.are_methods(&self.known.overloads[overloads]) => {
                let methods = self.overloads_of(overloads);
                let object = self.implicit_object(&methods, at);
                return self.call_method(&methods, object, at, &args, span);
            }
            Operand::Overloads(overloads, at) => {
                return self.check_overloaded_call(overloads, at, &args, span);
            }
            Operand::Value(_)
            | Operand::Place(_)
            | Operand::Member(_)
            | Operand::Assigned(..)
            | Operand::FuncDeref(_)
            | Operand::Const(..)
            | Operand::Special(..) => {
                if let Some(methods) = self.expressions().class_operator(callee, Punct::LParen)? {
                    return self.call_method(&methods, Some(callee), callee_span, &args, span);
                }
                let value = self.expressions().rvalue(callee)?;
                let ty = self.ty_of(value);
                let Some(pointee) = self.module.types.pointee(ty) else {
                    return Err(self.not_a_function(ty, callee_span));
                };
                (Callee::Indirect(value), pointee)
            }
        };
        self.call_with(callee, ty, &args, callee_span, span)
    }

    /// A call of the callee, which has the type.
    pub(super) fn call_with(
        &mut self,
        callee: Callee,
        ty: Ty,
        args: &[Arg],
        callee_span: Span,
        span: Span,
    ) -> Result<Operand, Reported> {
        let Some(func_ty) = self.module.types.func(ty) else {
            let pointer = self.module.types.pointer_to(ty);
            return Err(self.not_a_function(pointer, callee_span));
        };
        let (ret, wanted) = (func_ty.ret, Wanted::of(ty, func_ty));
        self.require_return_ty(ret, span)?;
        let args = self.convert_args(callee, wanted, args, span)?;
        let value_ty = self.conversions().value_ty(ret);
        let call = self.expr(ExprData::call(callee, args), value_ty, span);
        let quals = self.module.types.quals(ret);
        self.expressions().note_quals(call, quals);
        Ok(self.conversions().result_operand(call, ret, span))
    }

    /// Whether a function that may be meant has a parameter of reference type.
    fn takes_references(&self, callee: Operand) -> bool {
        let types = &self.module.types;
        if let Operand::Place(place) | Operand::Member(place) = callee
            && types.record(self.place_ty(place)).is_some()
        {
            return true;
        }
        let takes = |func: Func| types.takes_references(self.module.functions[func].ty);
        match callee {
            Operand::Func(func, _) => takes(func),
            Operand::Overloads(id, _) => {
                let overloads = &self.known.overloads[id];
                !overloads.templates.is_empty() || overloads.funcs.iter().any(|&func| takes(func))
            }
            Operand::FuncDeref(value) | Operand::Value(value) => {
                types.pointee(self.ty_of(value)).is_some_and(|func| types.takes_references(func))
            }
            Operand::Place(place) | Operand::Member(place) => {
                types.pointee(self.place_ty(place)).is_some_and(|func| types.takes_references(func))
            }
            Operand::Assigned(_, ty) => types.pointee(ty).is_some_and(|func| types.takes_references(func)),
            Operand::Builtin(..) | Operand::Const(..) | Operand::Special(..) => false,
        }
    }

    /// All of them, also where there are mistakes; `as_objects` where references may bind to them.
    pub(in crate::sema) fn check_args(&mut self, ids: &[ExprId], as_objects: bool) -> Result<Args, Reported> {
        let mut args = Args::new();
        let mut failed = None;
        for &id in ids {
            let checked = if as_objects { self.check_object_arg(id) } else { self.check_arg(id) };
            match checked {
                Ok(arg) => args.push(arg),
                Err(reported) => failed = Some(reported),
            }
        }
        failed.map_or(Ok(args), Err)
    }

    pub(super) fn check_arg(&mut self, id: ExprId) -> Result<Arg, Reported> {
        match self.unit.exprs[id].kind {
            ExprKind::Braced(init) => Ok(Arg::Braced(init, id)),
            _ if self.overloads_behind(id).is_some() => Ok(Arg::Overloaded(id)),
            _ => self.expressions().check_rvalue(id).map(Arg::Value),
        }
    }

    /// An argument to which a reference may bind: an object is not read.
    pub(in crate::sema) fn check_object_arg(&mut self, id: ExprId) -> Result<Arg, Reported> {
        match self.unit.exprs[id].kind {
            ExprKind::Braced(init) => return Ok(Arg::Braced(init, id)),
            _ if self.overloads_behind(id).is_some() => return Ok(Arg::Overloaded(id)),
            _ => {}
        }
        let operand = self.expressions().check_expr(id)?;
        self.object_arg(operand)
    }

    /// The same of what has been checked.
    pub(in crate::sema) fn object_arg(&mut self, operand: Operand) -> Result<Arg, Reported> {
        let value = match operand {
            Operand::Value(value) => return Ok(Arg::Value(value)),
            Operand::Special(..) => return self.expressions().rvalue(operand).map(Arg::Value),
            Operand::Place(place) | Operand::Member(place) => self.unread_value(place),
            Operand::Assigned(..)
            | Operand::Func(..)
            | Operand::Overloads(..)
            | Operand::FuncDeref(_)
            | Operand::Builtin(..)
            | Operand::Const(..) => self.expressions().rvalue(operand)?,
        };
        Ok(Arg::Object(operand, value))
    }

    /// What stands for the object's value where it is asked how well that fits.
    fn unread_value(&mut self, place: Place) -> Expr {
        let (ty, span) = (self.place_ty(place), self.arena.places[place].span);
        if let TyKind::Array(elem, _) = *self.module.types.kind(ty) {
            let pointer = self.module.types.pointer_to(elem);
            return self.expr(ExprData::ArrayDecay(place), pointer, span);
        }
        let ty = self.module.types.unqualified(ty);
        self.expr(ExprData::Load(place), ty, span)
    }

    /// Arguments whose parameters have no types of their own.
    pub(super) fn typed_args(&mut self, args: &[Arg]) -> Result<Values, Reported> {
        args.iter().map(|&arg| self.typed_arg(arg)).collect()
    }

    pub(in crate::sema) fn typed_arg(&mut self, arg: Arg) -> Result<Expr, Reported> {
        match arg {
            Arg::Value(value) => Ok(value),
            Arg::Object(operand, _) => self.expressions().rvalue(operand),
            Arg::Braced(init, id) if id == ExprId::reserved_value() => {
                let span = self.unit.inits[init].span;
                let message = "a list cannot be passed to `...`";
                Err(self.error(Code::InvalidConversion, span, message))
            }
            Arg::Braced(_, id) | Arg::Overloaded(id) => self.expressions().check_rvalue(id),
        }
    }

    /// A braced list for a parameter of a built-in function, which has the type if it is the same of all that are meant: a list of one
    /// value is that value, where it is not the type that says what is in the list (C++17 16.3.3.1.5).
    pub(super) fn check_listed_arg(
        &mut self,
        init: InitId,
        id: ExprId,
        param: Option<Ty>,
    ) -> Result<Expr, Reported> {
        let unit = self.unit;
        let is_record = param.is_some_and(|param| self.module.types.record(param).is_some());
        if let InitKind::List(items) = &unit.inits[init].kind
            && let [InitItem { designators, init }] = &items[..]
            && let InitKind::Expr(expr) = unit.inits[*init].kind
            && designators.is_empty()
            && !is_record
        {
            let value = self.expressions().check_rvalue(expr)?;
            self.arena.listed.add(value, ());
            return Ok(value);
        }
        match param {
            Some(param) => self.conversions().check_braced(param, init, Target::Argument(None)),
            None => self.expressions().check_rvalue(id),
        }
    }

    pub(super) fn direct_callee(&mut self, func: Func, at: Span) -> Result<Callee, Reported> {
        if matches!(self.module.functions[func].kind, FunctionKind::Kernel(_)) {
            let name = &self.module.functions[func].name;
            let message = format!("call to the kernel `{name}` from device code");
            let diagnostic = Diagnostic::new(Code::KernelCall, at, message)
                .with_label(self.module.functions[func].span, "declared `__global__` here")
                .with_note("kernels can only be launched from host code");
            return Err(self.sink.error(diagnostic));
        }
        self.templates().need_result(func, at);
        self.declarations().require_deduced(func, at)?;
        self.declarations().mark_used(func, at);
        Ok(Callee::Direct(func))
    }

    fn not_a_function(&mut self, ty: Ty, span: Span) -> Reported {
        let ty = self.show(ty);
        let message = format!("called object type {ty} is not a function or function pointer");
        self.error(Code::NotAFunction, span, message)
    }

    pub(super) fn require_return_ty(&mut self, ret: Ty, span: Span) -> Result<(), Reported> {
        let is_void = matches!(self.module.types.kind(ret), TyKind::Void);
        self.note_temporary(ret);
        if !ret.is_plain_number() && self.manners_of(ret).is_never_copied() {
            // nvcc passes it as its bytes, but returns it through an address.
            let message = format!(
                "returning an object of type {}, which cannot be copied or moved, is not supported",
                self.show(ret)
            );
            return Err(self.error(Code::UnsupportedMember, span, message));
        }
        if is_void { Ok(()) } else { self.types().require_value_ty(ret, MAX_VALUE_BYTES, span) }
    }

    /// The arguments in the parameters' types; those of `...` promoted.
    fn convert_args(
        &mut self,
        callee: Callee,
        wanted: Wanted,
        args: &[Arg],
        span: Span,
    ) -> Result<ThinVec<Expr>, Reported> {
        let n_params = wanted.n_params;
        if args.len() > n_params && !wanted.is_variadic {
            return Err(self.argument_count(callee, wanted, args, span));
        }
        let mut values = ThinVec::with_capacity(n_params.max(args.len()));
        let mut failed = None;
        for (idx, &arg) in args.iter().enumerate() {
            let value = match (self.param_of(wanted.ty, idx), arg) {
                (Some(param), Arg::Value(value)) if param.is_plain_number() && self.ty_of(value) == param => {
                    Ok(value)
                }
                (Some(param), arg) => {
                    let target = Target::Argument(self.param_span(callee, idx));
                    self.convert_arg(arg, param, target)
                }
                (None, arg) => self.typed_arg(arg).and_then(|value| self.promote_argument(value)),
            };
            if let Ok(value) = value {
                let ty = self.ty_of(value);
                self.note_temporary(ty);
            }
            match value {
                Ok(value) => values.push(value),
                Err(reported) => failed = Some(reported),
            }
        }
        self.begin_default_args(span);
        for idx in args.len()..n_params {
            let default = match (callee, self.param_of(wanted.ty, idx)) {
                (Callee::Direct(func), Some(param)) => self.default_arg(func, idx, param),
                (Callee::Direct(_) | Callee::Indirect(_), _) => None,
            };
            let Some(default) = default else {
                return Err(self.argument_count(callee, wanted, args, span));
            };
            if let Ok(value) = default {
                let ty = self.ty_of(value);
                self.note_temporary(ty);
            }
            match default {
                Ok(value) => values.push(value),
                Err(reported) => failed = Some(reported),
            }
        }
        failed.map_or(Ok(values), Err)
    }

    /// The argument as a parameter of the type takes it.
    fn convert_arg(&mut self, arg: Arg, param: Ty, target: Target) -> Result<Expr, Reported> {
        if self.module.types.reference(param).is_some() {
            return self.conversions().bind_arg(arg, param, target);
        }
        let value = match arg {
            Arg::Value(value) => value,
            Arg::Object(operand, _) => self.expressions().rvalue(operand)?,
            Arg::Braced(init, _) => return self.conversions().check_braced(param, init, target),
            Arg::Overloaded(id) => {
                let value = self.check_wanted(id, param)?;
                return self.conversions().convert(value, param, target);
            }
        };
        let value = self.conversions().convert(value, param, target)?;
        let span = self.span_of(value);
        self.types().require_value_ty(param, MAX_ARGUMENT_BYTES, span)?;
        Ok(value)
    }

    /// The type of a parameter of a function that has the type.
    pub(super) fn param_of(&self, ty: Ty, idx: usize) -> Option<Ty> {
        self.module.types.func(ty)?.params.get(idx).copied()
    }

    fn param_span(&self, callee: Callee, idx: usize) -> Option<Span> {
        match callee {
            Callee::Direct(func) => self.known.func_facts.get(&func)?.param_spans.get(idx).copied(),
            Callee::Indirect(_) => None,
        }
    }

    fn argument_count(&mut self, callee: Callee, wanted: Wanted, args: &[Arg], span: Span) -> Reported {
        let n_objects = match callee {
            Callee::Direct(func) => usize::from(self.takes_object(func)),
            Callee::Indirect(_) => 0,
        };
        let (n_params, n_args) = (wanted.n_params - n_objects, args.len() - n_objects);
        let few_or_many = if n_args < n_params { "few" } else { "many" };
        let n_defaults = match callee {
            Callee::Direct(func) => self.n_default_args(func),
            Callee::Indirect(_) => 0,
        };
        let (bound, n_wanted) = match (wanted.is_variadic, n_defaults, n_args < n_params) {
            (false, 0, _) => ("", n_params),
            (true, _, _) | (_, _, true) => ("at least ", n_params - n_defaults),
            (false, _, false) => ("at most ", n_params),
        };
        let message = format!(
            "too {few_or_many} arguments to function call, expected {bound}{n_wanted}, have {n_args}"
        );
        let at = match args.get(wanted.n_params) {
            Some(&(Arg::Value(extra) | Arg::Object(_, extra))) => self.span_of(extra),
            Some(&Arg::Braced(extra, _)) => self.unit.inits[extra].span,
            Some(&Arg::Overloaded(extra)) => self.unit.exprs[extra].span,
            None => Span::new(span.hi.saturating_sub(1), span.hi),
        };
        let mut diagnostic = Diagnostic::new(Code::ArgumentCount, at, message);
        if let Callee::Direct(func) = callee
            && !self.declarations_ref().is_predeclared(func)
        {
            let data = &self.module.functions[func];
            diagnostic = diagnostic.with_label(data.span, format!("`{}` declared here", data.name));
        }
        self.sink.error(diagnostic)
    }

    /// Default argument promotions (C++17 8.2.2p9).
    pub(super) fn promote_argument(&mut self, arg: Expr) -> Result<Expr, Reported> {
        let ty = self.ty_of(arg);
        match self.module.types.view(ty) {
            View::Scalar(Scalar::Int(_) | Scalar::Enum(_)) => Ok(self.conversions().promote(arg)),
            View::Scalar(Scalar::Float(FloatTy::Float)) => {
                Ok(self.expressions().conversion(Conversion::FloatToFloat, arg, Ty::DOUBLE))
            }
            View::Scalar(Scalar::Nullptr) => {
                let pointer = self.module.types.pointer_to(Ty::VOID);
                Ok(self.conversions().null_of(arg, pointer))
            }
            View::Record(_) if self.module.types.half_ty(ty).is_some() => {
                let (ty, span) = (self.show(ty), self.span_of(arg));
                let message = format!("cannot pass a value of type {ty} to `...`");
                let diagnostic = Diagnostic::new(Code::InvalidConversion, span, message)
                    .with_note("nvcc does not promote it, so no `va_arg` can read it")
                    .with_help("convert it: `(float)`");
                Err(self.sink.error(diagnostic))
            }
            View::Record(_) if !self.module.types.is_trivially_copyable(ty) => {
                let (ty, span) = (self.show(ty), self.span_of(arg));
                let message = format!("cannot pass a value of type {ty} to `...`");
                let diagnostic = Diagnostic::new(Code::InvalidConversion, span, message)
                    .with_note("it has a copy constructor, so no `va_arg` can read it")
                    .with_help("pass its address");
                Err(self.sink.error(diagnostic))
            }
            View::Record(_) => {
                self.require_unpacked(ty, self.span_of(arg))?;
                Ok(arg)
            }
            View::Scalar(Scalar::Float(FloatTy::Double | FloatTy::LongDouble) | Scalar::Pointer(_)) => {
                Ok(arg)
            }
            View::Error => Err(self.poisoned()),
            View::Scalar(Scalar::Opaque(_) | Scalar::Reference(..))
            | View::Void
            | View::Array(..)
            | View::Func(_) => {
                let (ty, span) = (self.show(ty), self.span_of(arg));
                let message = format!("cannot pass a value of type {ty} to `...`");
                Err(self.error(Code::InvalidConversion, span, message))
            }
        }
    }
}
