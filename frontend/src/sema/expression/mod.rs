//! Expressions: the dispatcher, and what an expression is before one knows how it is used.
//!
//! [`Expressions::check_expr`] gives an [`Operand`]: a value, or a designation whose value has not been read
//! yet. [`Expressions::rvalue`] reads it.
//!
//! - [`literal`]: literals; [`function_name`]: `__func__`; [`named`]: names; [`place`]: expressions that designate objects;
//!   [`member`]: members of objects; [`qualified_member`]: by names with `::`; [`this`]: `this`, and members by their names alone;
//!   [`host_object`]: `constexpr` objects of the host
//! - [`lambda`]: lambda expressions; [`allocation`]: `new` and `delete`; [`destroy`]: explicit calls of destructors
//! - [`arith`]: operators; [`assign`]: assignments and increments; [`conditional`]: the conditional operator
//! - [`type_query`]: what is asked of types and members; [`type_trait`]: `__is_pod`, `__is_same` and their kin
//! - [`required_constant`]: expressions that must be constants; [`long_double`]: where `long double` is allowed
//! - [`integer_rank`]: promotions and common types of integers

mod allocation;
mod arith;
mod assign;
mod conditional;
mod destroy;
mod function_name;
mod host_object;
pub(super) mod integer_rank;
pub(super) mod lambda;
pub(super) mod literal;
pub(super) mod long_double;
pub(super) mod member;
mod member_pointer;
mod named;
mod place;
pub(super) mod qualified_member;
mod required_constant;
mod this;
mod type_query;
mod type_trait;

use super::Expressions;
use super::builtin::FunctionId;
use super::call::overload::{OperatorUse, OverloadsId};
use super::constant::const_eval::Value;
use super::warn::Dropped;
use crate::ast::{BinaryOp, ExprId, ExprKind, Name, UnaryOp};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::Global;
use crate::ir::{Conversion, Expr, ExprData, Func, Place, PlaceData, Quals, Record, Ty, View};
use crate::predeclared::SpecialVar;
use crate::source::Span;
use crate::token::Punct;
use hashbrown::HashMap;

/// What is remembered of expressions.
#[derive(Default)]
pub(super) struct ExpressionFacts {
    /// The global of each string literal seen.
    strings: HashMap<(Vec<u8>, Ty), Global>,
    /// The class whose default member initializer is checked, apart from any object.
    pub(super) value_of: Option<crate::ir::Record>,
    lambdas: lambda::LambdaFacts,
    /// The functions that placement `new` calls, for objects and for arrays.
    placement: [Option<Func>; 2],
    /// What stands for the types of pointers to members.
    member_pointer: Option<Ty>,
}

/// What an expression is (C++17 6.10), before it is read, called or written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    /// A value.
    Value(Expr),
    /// An lvalue.
    Place(Place),
    /// An object that is no lvalue: a member of a value.
    Member(Place),
    /// What an assignment assigned to; the expression also gives its value. The type is the
    /// object's, with its qualifiers.
    Assigned(Expr, Ty),
    /// A function by its name.
    Func(Func, Span),
    /// Several functions by their name.
    Overloads(OverloadsId, Span),
    /// A function by a pointer.
    FuncDeref(Expr),
    /// A built-in function.
    Builtin(FunctionId, Span),
    /// A constant that has no object: an index into the context's list.
    Const(u32, Span),
    /// A built-in variable.
    Special(SpecialVar, Span),
}

impl<'a> Expressions<'a> {
    /// Checks an expression whose use is not known yet.
    pub(super) fn check_expr(&mut self, id: ExprId) -> Result<Operand, Reported> {
        let unit = self.unit;
        let node = &unit.exprs[id];
        let span = node.span;
        match &node.kind {
            ExprKind::Int(literal) => self.int_literal(*literal, span).map(Operand::Value),
            ExprKind::Float(literal) => self.float_literal(*literal, span).map(Operand::Value),
            ExprKind::Char(literal) => Ok(Operand::Value(self.char_literal(*literal, span))),
            ExprKind::Str(literal) => Ok(Operand::Place(self.string_literal(&unit.strings[*literal], span))),
            ExprKind::Bool(value) => {
                Ok(Operand::Value(self.expr(ExprData::int(i128::from(*value)), Ty::BOOL, span)))
            }
            ExprKind::Nullptr => Ok(Operand::Value(self.expr(ExprData::Null, Ty::NULLPTR, span))),
            ExprKind::Ident(symbol) => match self.local_named(*symbol, span) {
                Some(place) => Ok(Operand::Place(place)),
                None => self.check_name(*symbol, span),
            },
            ExprKind::Element { pack, idx } => {
                self.templates().check_element(Name { symbol: *pack, span }, *idx)
            }
            ExprKind::SizeofPack { len, .. } => self.templates().sizeof_pack(*len, span),
            ExprKind::Expansion(_) | ExprKind::Fold { .. } => Err(self.templates().open_pack(span)),
            ExprKind::Paren(inner) => self.check_expr(*inner),
            ExprKind::Unary { op, op_span, operand } => self.check_unary(*op, *op_span, *operand, span),
            ExprKind::Binary { op: BinaryOp::Comma, lhs, rhs, .. } => self.check_comma(*lhs, *rhs, span),
            ExprKind::Binary { op, op_span, lhs, rhs } => self.check_binary(*op, *op_span, *lhs, *rhs, span),
            ExprKind::Assign { op, op_span, lhs, rhs } => self.check_assign(*op, *op_span, *lhs, *rhs, span),
            ExprKind::Conditional { cond, then, otherwise } => {
                self.check_conditional(*cond, *then, *otherwise, span)
            }
            ExprKind::Call { callee, args } => self.calls().check_call(*callee, unit.args(*args), span),
            ExprKind::Index { base, index } => self.check_index(*base, *index, span),
            ExprKind::Member { base, arrow, name } => match self.member_of_host_object(id, span) {
                Some(constant) => constant,
                None => self.check_member(*base, *arrow, *name, span),
            },
            ExprKind::ScopedMember { base, arrow, member } => {
                self.check_scoped_member(*base, *arrow, *member, span)
            }
            ExprKind::ConversionCall { base, arrow, ty } => {
                self.check_conversion_call((*base, *arrow), *ty, span)
            }
            ExprKind::Destroy { base, arrow, scope, ty } => {
                self.check_destroy((*base, *arrow), scope.expand(), *ty, span).map(Operand::Value)
            }
            ExprKind::New(id) => self.check_new(&unit.news[*id], span).map(Operand::Value),
            ExprKind::Delete { operand, is_array } => {
                self.check_delete(*operand, *is_array, span).map(Operand::Value)
            }
            ExprKind::Braced(_) => {
                let message = "initializer list has no type here";
                let diagnostic = Diagnostic::new(Code::InvalidInitializer, span, message)
                    .with_help("write the type before the list: `T{…}`");
                Err(self.sink.error(diagnostic))
            }
            ExprKind::TemplateId { .. } => match self.templates().variable_operand(id)? {
                Some(variable) => Ok(variable),
                None => self.calls().named_instance(id),
            },
            ExprKind::Scoped { ty, name } => self.names().check_scoped(&unit.type_names[*ty], *name, span),
            ExprKind::This => self.check_this(span).map(Operand::Value),
            ExprKind::StdFunction { function, .. } => {
                let message = format!("`{}` can only be called", function.name());
                Err(self.error(Code::BuiltinNotCalled, span, message))
            }
            ExprKind::NumericLimit { ty, limit } => {
                self.names().check_numeric_limit(&unit.type_names[*ty], *limit, span).map(Operand::Value)
            }
            ExprKind::VaArg { list, ty } => {
                self.calls().check_va_arg(*list, &unit.type_names[*ty], span).map(Operand::Value)
            }
            ExprKind::Lambda(id) => self.check_lambda(*id, span),
            ExprKind::Statements(block) => {
                self.statements().check_statements(*block, span).map(Operand::Value)
            }
            ExprKind::Cast { ty, operand } => {
                self.conversions().check_cast(&unit.type_names[*ty], *operand, span)
            }
            ExprKind::NamedCast { cast, ty, operand } => {
                self.conversions().check_named_cast(*cast, &unit.type_names[*ty], *operand, span)
            }
            ExprKind::FunctionalCast { ty, args } => {
                self.conversions().check_functional_cast(&unit.type_names[*ty], unit.args(*args), span)
            }
            ExprKind::CompoundLiteral { ty, init, is_object } => {
                let literal = self.conversions().check_compound_literal(
                    &unit.type_names[*ty],
                    *init,
                    *is_object,
                    span,
                )?;
                Ok(match literal {
                    // nvcc has C's rule (C17 6.5.2.5p4) in device code.
                    Operand::Member(place) if *is_object && self.func.is_some() => Operand::Place(place),
                    rvalue => rvalue,
                })
            }
            ExprKind::SizeofExpr(operand) => self.check_sizeof_expr(*operand, span).map(Operand::Value),
            ExprKind::SizeofType(name) => {
                let name = &unit.type_names[*name];
                let ty = self.types().resolve_type_name(name)?;
                self.sizeof(ty, name.span, span).map(Operand::Value)
            }
            ExprKind::AlignofExpr(operand) => {
                let (ty, func_align) = self.in_unevaluated(|cx| {
                    let operand = cx.expressions().check_expr(*operand)?;
                    Ok((
                        cx.expressions().operand_ty(operand)?,
                        cx.expressions_ref().align_of_function(operand),
                    ))
                })?;
                match func_align {
                    Some(align) => {
                        let size_ty = self.module.types.model().size_ty();
                        Ok(Operand::Value(self.expr(ExprData::int(align), size_ty, span)))
                    }
                    None => self.alignof(ty, unit.exprs[*operand].span, span).map(Operand::Value),
                }
            }
            ExprKind::AlignofType(name) => {
                let name = &unit.type_names[*name];
                let ty = self.types().resolve_type_name(name)?;
                self.alignof(ty, name.span, span).map(Operand::Value)
            }
            ExprKind::Offsetof { ty, path } => {
                self.offsetof(&unit.type_names[*ty], &unit.paths[*path], span).map(Operand::Value)
            }
            ExprKind::TypeTrait { asked, ty, other } => {
                let other = other.map(|other| &unit.type_names[other]);
                self.type_trait(*asked, &unit.type_names[*ty], other, span).map(Operand::Value)
            }
            ExprKind::RangeElement => self.statements().range_element(span),
            ExprKind::Error => Err(self.poisoned()),
        }
    }

    /// Checks an expression and reads its value.
    pub(super) fn check_rvalue(&mut self, id: ExprId) -> Result<Expr, Reported> {
        let id = self.warnings_ref().peeled(id);
        let node = &self.unit.exprs[id];
        // The shorter way to what most expressions are.
        match node.kind {
            ExprKind::Ident(symbol) => {
                if let Some(place) = self.local_named(symbol, node.span) {
                    return self.load(place);
                }
            }
            ExprKind::Int(literal) => return self.int_literal(literal, node.span),
            ExprKind::Float(literal) => return self.float_literal(literal, node.span),
            ExprKind::Binary { op, op_span, lhs, rhs } if !self.known.has_operators => {
                return self.check_binary_value(op, op_span, lhs, rhs, node.span);
            }
            ExprKind::Call { callee, args } => {
                let args = self.unit.args(args);
                return match self.calls().check_call(callee, args, node.span)? {
                    Operand::Value(value) => Ok(value),
                    operand => self.rvalue(operand),
                };
            }
            ExprKind::Index { base, index } => {
                return match self.check_index(base, index, node.span)? {
                    Operand::Place(place) => self.load(place),
                    operand => self.rvalue(operand),
                };
            }
            _ => {}
        }
        // The operand is not copied as a whole: it has just been written in parts, for which a processor would wait.
        match self.check_expr(id) {
            Ok(Operand::Value(expr)) => Ok(expr),
            Ok(Operand::Place(place)) => self.load(place),
            Ok(operand) => self.rvalue(operand),
            Err(reported) => Err(reported),
        }
    }

    /// Checks an expression of which only the effect counts (C++17 8p12).
    pub(super) fn check_discarded(&mut self, id: ExprId, dropped: Dropped) -> Result<Expr, Reported> {
        let operand = self.check_expr(id)?;
        let value = self.discard(operand)?;
        self.warnings().warn_discarded(id, value, dropped);
        Ok(value)
    }

    pub(super) fn discard(&mut self, operand: Operand) -> Result<Expr, Reported> {
        let (Operand::Place(place) | Operand::Member(place)) = operand else {
            let value = self.rvalue(operand)?;
            // The result is a new object, though an operand of the choice may be an existing one.
            let is_choice = matches!(self.arena.exprs[value].data, ExprData::Conditional { .. });
            return if is_choice { self.conversions().own_value(value) } else { Ok(value) };
        };
        let ty = self.place_ty(place);
        let is_volatile = self.module.types.quals(ty).contains(Quals::VOLATILE);
        if is_volatile || self.bit_field_width(place).is_some() {
            return self.rvalue(operand);
        }
        let span = self.arena.places[place].span;
        let pointer = self.module.types.pointer_to(ty);
        Ok(self.expr(ExprData::AddrOf(place), pointer, span))
    }

    /// The type that `sizeof` sees, qualifiers included.
    pub(super) fn operand_ty(&mut self, operand: Operand) -> Result<Ty, Reported> {
        match operand {
            Operand::Value(expr) => Ok(self.prvalue_ty(expr)),
            Operand::Place(place) | Operand::Member(place) => Ok(self.place_ty(place)),
            Operand::Assigned(_, ty) => Ok(ty),
            Operand::Func(func, _) => Ok(self.module.functions[func].ty),
            Operand::Overloads(overloads, span) => Err(self.calls().unresolved_overloads(overloads, span)),
            Operand::FuncDeref(expr) => {
                let pointee = self.module.types.pointee(self.ty_of(expr));
                pointee.ok_or_else(|| self.poisoned())
            }
            Operand::Builtin(function, span) => {
                let func = self.builtins().builtin_address(function, span)?;
                Ok(self.module.functions[func].ty)
            }
            Operand::Const(idx, _) => Ok(self.known.named_consts[idx as usize].ty),
            Operand::Special(var, _) => Ok(self.names().special_ty(var)),
        }
    }

    /// The type of a value, with the qualifiers of one of a class.
    pub(super) fn prvalue_ty(&mut self, value: Expr) -> Ty {
        let ty = self.ty_of(value);
        match self.arena.value_quals.get(value).copied() {
            Some(quals) => self.module.types.with_quals(ty, quals),
            None => ty,
        }
    }

    /// Notes the qualifiers of a value, if it is of a class.
    pub(super) fn note_quals(&mut self, value: Expr, quals: Quals) {
        if !quals.is_empty() && self.module.types.record(self.ty_of(value)).is_some() {
            self.arena.value_quals.add(value, quals);
        }
    }

    pub(super) fn operand_span(&self, operand: Operand) -> Span {
        match operand {
            Operand::Value(expr) | Operand::Assigned(expr, _) | Operand::FuncDeref(expr) => {
                self.span_of(expr)
            }
            Operand::Place(place) | Operand::Member(place) => self.arena.places[place].span,
            Operand::Func(_, span)
            | Operand::Overloads(_, span)
            | Operand::Builtin(_, span)
            | Operand::Const(_, span)
            | Operand::Special(_, span) => span,
        }
    }

    /// Reads the value: the lvalue-to-rvalue, array-to-pointer and function-to-pointer conversions
    /// (C++17 7.1 to 7.3).
    pub(super) fn rvalue(&mut self, operand: Operand) -> Result<Expr, Reported> {
        match operand {
            Operand::Value(expr) | Operand::Assigned(expr, _) | Operand::FuncDeref(expr) => Ok(expr),
            Operand::Place(place) => self.load(place),
            Operand::Member(place) => {
                let value = self.load(place)?;
                if self.is_copy_chosen(self.ty_of(value)) {
                    self.arena.expiring.add(value, ());
                }
                Ok(value)
            }
            Operand::Func(func, span) => self.func_addr(func, span),
            Operand::Overloads(overloads, span) => Err(self.calls().unresolved_overloads(overloads, span)),
            Operand::Builtin(function, span) => {
                let func = self.builtins().builtin_address(function, span)?;
                self.func_addr(func, span)
            }
            Operand::Const(idx, span) => {
                let constant = &self.known.named_consts[idx as usize];
                let (ty, value) = (constant.ty, constant.value);
                let ty = self.module.types.unqualified(ty);
                Ok(self.value_expr(value, ty, span))
            }
            Operand::Special(var, span) => Ok(self.special_value(var, span)),
        }
    }

    /// A number as an expression. Constants without an object are never addresses.
    pub(super) fn value_expr(&mut self, value: Value, ty: Ty, span: Span) -> Expr {
        let data = match value {
            Value::Int(value) => ExprData::int(value),
            Value::Float(value) => ExprData::Float(value),
            Value::Extended(value) => {
                let expr = self.expr(ExprData::Float(value.nearest), ty, span);
                if value.rest != 0 {
                    self.arena.rests.add(expr, value.rest);
                }
                return expr;
            }
            Value::Addr(..) => ExprData::Null,
        };
        self.expr(data, ty, span)
    }

    #[inline(always)]
    pub(super) fn load(&mut self, place: Place) -> Result<Expr, Reported> {
        let node = &self.arena.places[place];
        let (ty, span) = (node.ty, node.span);
        // The shorter way to what is read mostly.
        if ty.is_plain_number() && !matches!(node.data, PlaceData::Conditional(..) | PlaceData::Comma(..)) {
            return Ok(self.expr(ExprData::Load(place), ty, span));
        }
        self.load_any(place, ty, span)
    }

    /// The same of an object of any type.
    #[inline(never)]
    fn load_any(&mut self, place: Place, ty: Ty, span: Span) -> Result<Expr, Reported> {
        match self.module.types.view(ty) {
            View::Array(elem, _) => {
                let pointer = self.module.types.pointer_to(elem);
                return Ok(self.expr(ExprData::ArrayDecay(place), pointer, span));
            }
            View::Record(record) => {
                self.types().require_complete(ty, span)?;
                self.require_copyable(record, ty, span)?;
            }
            View::Void | View::Func(_) | View::Error => self.types().require_complete(ty, span)?,
            View::Scalar(_) => {}
        }
        // Where the place is chosen at run time, choose between values instead: lowering can keep
        // those in registers.
        let data = match self.arena.places[place].data {
            PlaceData::Conditional(cond, choice) => {
                let [then, otherwise] = self.arena.choices[choice];
                let (then, otherwise) = (self.load(then)?, self.load(otherwise)?);
                ExprData::Conditional { cond, then, otherwise }
            }
            PlaceData::Comma(first, second) => ExprData::Comma(first, self.load(second)?),
            PlaceData::Local(_)
            | PlaceData::Global(_)
            | PlaceData::Deref(_)
            | PlaceData::Field(..)
            | PlaceData::Temporary(_)
            | PlaceData::Assigned(_)
            | PlaceData::CompoundLiteral(..) => ExprData::Load(place),
        };
        let ty = self.module.types.unqualified(ty);
        Ok(self.expr(data, ty, span))
    }

    /// The record has a copy constructor for the object.
    fn require_copyable(&mut self, record: Record, ty: Ty, span: Span) -> Result<(), Reported> {
        // `__half` alone has a constructor that takes what is volatile, by way of `__half_raw`.
        let is_number = self.module.types.half_ty(ty).is_some_and(|half| !half.is_pair());
        if self.module.types.quals(ty).contains(Quals::VOLATILE) && !is_number {
            return Err(self.volatile_copy(ty, span));
        }
        self.names().require_device_copy(ty, span)?;
        if !self.known.record_facts.get(&record).is_some_and(|facts| facts.is_uncopyable) {
            return Ok(());
        }
        let message = format!("cannot copy an object of type {}", self.show(ty));
        let diagnostic = Diagnostic::new(Code::UncopyableUnion, span, message)
            .with_note("the copy constructor of a union with a `__half2` or `__nv_bfloat162` is deleted")
            .with_help("copy a member, or use `__half2_raw` or `__half[2]` in the union");
        Err(self.sink.error(diagnostic))
    }

    /// C++'s structs have neither copy constructors nor assignments for volatile objects (C++17 15.8).
    pub(super) fn volatile_copy(&mut self, ty: Ty, span: Span) -> Reported {
        let message = format!("cannot copy an object of type {}", self.show(ty));
        let diagnostic = Diagnostic::new(Code::VolatileCopy, span, message)
            .with_note("C++ does not copy volatile structs and unions; C does")
            .with_help("copy each member");
        self.sink.error(diagnostic)
    }

    pub(super) fn func_addr(&mut self, func: Func, span: Span) -> Result<Expr, Reported> {
        if matches!(self.module.functions[func].kind, crate::ir::FunctionKind::Kernel(_)) {
            let name = &self.module.functions[func].name;
            let message =
                format!("taking the address of the kernel `{name}` in device code is not supported");
            return Err(self.error(Code::UnsupportedKernelAddress, span, message));
        }
        if self.calls_ref().takes_object(func) {
            let message = "reference to non-static member function must be called";
            return Err(self.error(Code::InvalidMemberAccess, span, message));
        }
        self.names().require_method_access(func, None, None, span)?;
        self.names().refuse_system_address(func, span)?;
        self.declarations().mark_used(func, span);
        let ty = self.module.functions[func].ty;
        let pointer = self.module.types.pointer_to(ty);
        Ok(self.expr(ExprData::FuncAddr(func), pointer, span))
    }

    fn check_unary(
        &mut self,
        op: UnaryOp,
        op_span: Span,
        operand: ExprId,
        span: Span,
    ) -> Result<Operand, Reported> {
        match op {
            _ if self.known.has_operators && op != UnaryOp::AddrOf => {
                let operand = self.check_expr(operand)?;
                let used = OperatorUse::unary(op, op_span, span);
                let arg = self.calls().object_arg(operand)?;
                match self.calls().overloaded_operator(used, &[arg])? {
                    Some(result) => Ok(result),
                    None => self.builtin_unary(op, op_span, operand, span),
                }
            }
            UnaryOp::Plus | UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::Not => {
                let operand = self.check_rvalue(operand)?;
                self.unary_arith(op, op_span, operand, span).map(Operand::Value)
            }
            UnaryOp::Deref => {
                let operand = self.check_rvalue(operand)?;
                self.deref(operand, span)
            }
            UnaryOp::AddrOf => {
                if let Some(ty) = self.member_pointer_ty(operand) {
                    let ty = ty?;
                    return Ok(Operand::Value(self.expr(ExprData::Null, ty, span)));
                }
                let operand = match self.conversions().literal_object(operand)? {
                    Some(literal) => literal,
                    None => self.check_expr(operand)?,
                };
                if self.class_operator(operand, Punct::Amp)?.is_some() {
                    let used = OperatorUse::unary(op, op_span, span);
                    let arg = self.calls().object_arg(operand)?;
                    if let Some(result) = self.calls().overloaded_operator(used, &[arg])? {
                        return Ok(result);
                    }
                }
                self.address_of(operand, span).map(Operand::Value)
            }
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                let operand = self.check_expr(operand)?;
                self.check_increment(op, op_span, operand, span)
            }
        }
    }

    /// The operator, which may be a function of the program, with an operand that has been checked.
    pub(in crate::sema) fn unary_of_operand(
        &mut self,
        op: UnaryOp,
        operand: Operand,
        span: Span,
    ) -> Result<Operand, Reported> {
        if self.known.has_operators {
            let arg = self.calls().object_arg(operand)?;
            let used = OperatorUse::unary(op, span, span);
            if let Some(result) = self.calls().overloaded_operator(used, &[arg])? {
                return Ok(result);
            }
        }
        self.builtin_unary(op, span, operand, span)
    }

    /// The built-in operator with an operand that has been checked.
    fn builtin_unary(
        &mut self,
        op: UnaryOp,
        op_span: Span,
        operand: Operand,
        span: Span,
    ) -> Result<Operand, Reported> {
        match op {
            UnaryOp::Plus | UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::Not => {
                let mut operand = self.rvalue(operand)?;
                if op != UnaryOp::Not {
                    operand = self.conversions().operand_value(operand)?;
                }
                self.unary_arith(op, op_span, operand, span).map(Operand::Value)
            }
            UnaryOp::Deref => {
                let operand = self.rvalue(operand)?;
                let operand = self.conversions().operand_value(operand)?;
                self.deref(operand, span)
            }
            UnaryOp::AddrOf => self.address_of(operand, span).map(Operand::Value),
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.check_increment(op, op_span, operand, span)
            }
        }
    }

    /// A conversion node.
    pub(super) fn conversion(&mut self, conversion: Conversion, expr: Expr, to: Ty) -> Expr {
        let span = self.span_of(expr);
        let from = self.ty_of(expr);
        let converted = self.expr(ExprData::Convert(conversion, expr), to, span);
        if self.is_long_double(from) || self.is_long_double(to) {
            return self.folded_long_double(converted, to, span);
        }
        converted
    }
}
