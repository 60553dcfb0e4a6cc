//! Constant expressions.
//!
//! In: an expression of the arena. Out: its [`Value`], or the smallest part that has none and why.
//! Integers wrap in two's complement; floating operations round to their type at each step.
//!
//! Where a constant is required ([`Mode::Required`]), what C++ leaves undefined is no constant
//! (C++17 8.20p2.6); elsewhere signed overflow wraps, as the program will.

use super::Calls;
use crate::extended::Extended;
use crate::ir::integer::Computed;
use crate::ir::{
    BinaryOp, Builtin, CompareOp, ConstInit, Conversion, Exact, Expr, ExprData, FloatTy, Func, Global,
    HintOp, IntTy, IntegerOp, Local, LogicalOp, Place, PlaceData, PlaceNode, Ty, TyKind, UnaryOp,
};
use crate::layout;
use crate::sema::Constants;
use crate::sema::expression::long_double;
use crate::source::Span;

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::sema) enum Value {
    /// Of an integer or enum type, in its range: see [`crate::ir::integer`].
    Int(i128),
    /// Of type `float` or `double`; of a `float`, the float's value.
    Float(f64),
    /// Of type `long double`.
    Extended(Extended),
    /// A pointer: bytes from a base.
    Addr(Base, i64),
}

/// Where a constant pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) enum Base {
    /// Address zero.
    Null,
    Global(Global),
    Func(Func),
}

/// That an expression is no constant: what of it is none, and why.
#[derive(Clone, Debug)]
pub(in crate::sema) struct NotConstant {
    pub(in crate::sema) span: Span,
    pub(in crate::sema) why: Why,
    /// The calls of `constexpr` functions that led there.
    pub(in crate::sema) calls: Option<Box<Calls>>,
}

impl NotConstant {
    pub(in crate::sema) fn new(span: Span, why: Why) -> Self {
        NotConstant { span, why, calls: None }
    }

    /// Whether a function is why.
    pub(in crate::sema) fn is_in_call(&self) -> bool {
        self.calls.is_some() || matches!(self.why, Why::Func(_))
    }

    /// Whether one of CUDA's built-in variables is why.
    pub(in crate::sema) fn reads_special(&self) -> bool {
        matches!(self.why, Why::Special)
    }
}

/// Why something is no constant; [`Constants::explained`] puts it into words.
#[derive(Clone, Debug)]
pub(in crate::sema) enum Why {
    Text(&'static str),
    Words(Box<str>),
    /// It is called, and has no body that can be evaluated.
    Func(Func),
    /// It has a mistake that was reported.
    Reported,
    /// A built-in variable is read.
    Special,
    /// It is read.
    Local(Local),
    Global(Global),
    /// The type does not hold the value.
    OutOfRange(IntTy, Option<Exact>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) enum Mode {
    Required,
    /// The initial value of a variable: nvcc also takes shifts by too many bits there, which leave nothing but the sign.
    Initial,
    /// An expression that may be constant, and of which nothing depends on that. Functions are not called.
    Optional,
    /// The initial value of a variable, which may be used in constant expressions if it is constant.
    Value,
}

impl Mode {
    /// Whether `constexpr` functions are evaluated.
    fn calls(self) -> bool {
        self != Mode::Optional
    }

    /// Whether what overflows has no value.
    fn is_strict(self) -> bool {
        matches!(self, Mode::Required | Mode::Initial)
    }
}

/// The value rounded to the type.
fn round_float(float: FloatTy, value: f64) -> f64 {
    match float {
        FloatTy::Float => f64::from(value as f32),
        FloatTy::Double | FloatTy::LongDouble => value,
    }
}

/// What an operation makes of its operand: a signalling NaN becomes a quiet one.
fn quieted(value: f64) -> f64 {
    if value.is_nan() { f64::from_bits(value.to_bits() | 1 << 51) } else { value }
}

/// The nearest value of the type to an integer.
pub(in crate::sema) fn int_to_float(float: FloatTy, value: Exact) -> f64 {
    match float {
        FloatTy::Float => f64::from(value.to_f32()),
        FloatTy::Double | FloatTy::LongDouble => value.to_f64(),
    }
}

impl Constants<'_> {
    /// The value of the expression.
    #[inline]
    pub(in crate::sema) fn eval(&self, expr: Expr, mode: Mode) -> Result<Value, NotConstant> {
        // Mostly it is a literal, or a variable that is seen to be none where the function has no constants.
        match self.arena.exprs[expr].data {
            ExprData::Int(value) => Ok(Value::Int(value.into())),
            ExprData::Load(place)
                if let PlaceNode { data: PlaceData::Local(local), span, .. } = self.arena.places[place]
                    && self.func.as_ref().is_none_or(|func| func.has_no_constants()) =>
            {
                Err(NotConstant::new(span, Why::Local(local)))
            }
            _ => self.eval_any(expr, mode),
        }
    }

    /// The same of any other expression.
    #[inline(never)]
    fn eval_any(&self, expr: Expr, mode: Mode) -> Result<Value, NotConstant> {
        let node = &self.arena.exprs[expr];
        let not_constant = |why| Err(NotConstant::new(node.span, Why::Text(why)));
        match node.data {
            ExprData::Int(value) => Ok(Value::Int(value.into())),
            ExprData::WideInt(ref value) => Ok(Value::Int(**value)),
            ExprData::Float(nearest) if self.expressions_ref().is_long_double(node.ty) => {
                let rest = self.arena.rests.get(expr).copied().unwrap_or(0);
                Ok(Value::Extended(Extended { nearest, rest }))
            }
            ExprData::Float(value) => Ok(Value::Float(value)),
            ExprData::Null => Ok(Value::Addr(Base::Null, 0)),
            ExprData::Load(place) => self.eval_load(place, mode),
            ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => {
                let (base, offset) = self.eval_place(place, mode)?;
                Ok(Value::Addr(base, offset))
            }
            ExprData::FuncAddr(func) => Ok(Value::Addr(Base::Func(func), 0)),
            ExprData::SpecialReg(_) => Err(NotConstant::new(node.span, Why::Special)),
            ExprData::Unary(op, operand) => {
                let operand = self.eval(operand, mode)?;
                self.unary_value(op, operand, node.ty, mode).map_err(|why| NotConstant::new(node.span, why))
            }
            ExprData::Binary(op, lhs, rhs) => {
                let (lhs, rhs) = (self.eval(lhs, mode)?, self.eval(rhs, mode)?);
                self.binary_value(op, lhs, rhs, node.ty, mode).map_err(|why| NotConstant::new(node.span, why))
            }
            ExprData::Compare(op, lhs, rhs) => {
                let int = self.module.types.int_ty(self.ty_of(lhs));
                let (lhs, rhs) = (self.eval(lhs, mode)?, self.eval(rhs, mode)?);
                match compare(op, int, lhs, rhs) {
                    Some(holds) => Ok(Value::Int(i128::from(holds))),
                    None => not_constant("compares pointers to different objects"),
                }
            }
            ExprData::Not(operand) => {
                let operand = self.eval_bool(operand, mode)?;
                Ok(Value::Int(i128::from(!operand)))
            }
            ExprData::Logical(op, lhs, rhs) => {
                let decided = match op {
                    LogicalOp::And => false,
                    LogicalOp::Or => true,
                };
                let value = self.eval_bool(lhs, mode)?;
                let value = if value == decided { value } else { self.eval_bool(rhs, mode)? };
                Ok(Value::Int(i128::from(value)))
            }
            ExprData::PtrOffset { .. } => self.eval_ptr_offset(expr, false, mode),
            ExprData::PtrDiff(lhs, rhs) => {
                let size = self.pointee_size(lhs);
                match (self.eval(lhs, mode)?, self.eval(rhs, mode)?, size) {
                    (Value::Addr(a, x), Value::Addr(b, y), Some(size)) if a == b && size > 0 => {
                        let int = self.module.types.int_ty(node.ty);
                        let bytes = i128::from(x) - i128::from(y);
                        let bytes = int.map_or(bytes, |int| int.wrap(bytes));
                        Ok(Value::Int(bytes / i128::from(size)))
                    }
                    _ => not_constant("subtracts pointers to different objects"),
                }
            }
            ExprData::Convert(conversion, operand) => {
                let (value, from) = (self.eval(operand, mode)?, self.ty_of(operand));
                self.converted_value(conversion, value, from, node.ty).ok_or_else(|| {
                    NotConstant::new(node.span, Why::Text("conversion is not a constant expression"))
                })
            }
            ExprData::Conditional { cond, then, otherwise } => {
                let taken = if self.eval_bool(cond, mode)? { then } else { otherwise };
                self.eval(taken, mode)
            }
            ExprData::Comma(first, second) => {
                self.eval(first, mode)?;
                self.eval(second, mode)
            }
            ExprData::Bound => match self.arena.bindings.get(expr) {
                Some(&value) => self.eval(value, mode),
                None => not_constant("reads an object"),
            },
            ExprData::Assign { .. } | ExprData::Modify { .. } => not_constant("modifies an object"),
            ExprData::Call { .. }
            | ExprData::CallIndirect { .. }
            | ExprData::Builtin(
                Builtin::Hint(HintOp::Expect) | Builtin::Integer(IntegerOp::LeadingZeros),
                _,
            ) if mode.calls() => self.eval_evaluated(expr, mode),
            ExprData::Call { .. } | ExprData::CallIndirect { .. } | ExprData::Builtin(..) => {
                not_constant("calls a function")
            }
            ExprData::Record(_) if self.arena.made_records.contains(&expr) => {
                not_constant("calls a function")
            }
            ExprData::Block(..) => not_constant("executes statements"),
            ExprData::VaList(..) => not_constant("reads a variadic argument"),
            ExprData::Record(_) => not_constant("a struct is not a constant expression"),
        }
    }

    fn eval_bool(&self, expr: Expr, mode: Mode) -> Result<bool, NotConstant> {
        match self.eval(expr, mode)? {
            Value::Int(value) => Ok(value != 0),
            Value::Float(_) | Value::Extended(_) | Value::Addr(..) => {
                Err(NotConstant::new(self.span_of(expr), Why::Text("the condition is not a constant")))
            }
        }
    }

    /// A pointer some elements on. As a subscript it stays within its array, or one past its end; nvcc takes
    /// other sums whatever the distance (C++17 8.7p4 is stricter).
    fn eval_ptr_offset(&self, expr: Expr, is_subscript: bool, mode: Mode) -> Result<Value, NotConstant> {
        let node = &self.arena.exprs[expr];
        let not_constant = |why| Err(NotConstant::new(node.span, Why::Text(why)));
        let ExprData::PtrOffset { ptr, index, subtract } = node.data else { return self.eval(expr, mode) };
        let size = self.pointee_size(ptr);
        match (self.eval(ptr, mode)?, self.eval(index, mode)?, size) {
            (Value::Addr(base, offset), Value::Int(index), Some(size)) => {
                if is_subscript && !subtract && !self.may_be_index(ptr, index) {
                    return not_constant("the index is outside the array");
                }
                let index = if subtract { -index } else { index };
                let distance = index.checked_mul(i128::from(size));
                match distance.and_then(|distance| self.moved_address(base, offset, distance)) {
                    Some(moved) => Ok(Value::Addr(base, moved)),
                    None => not_constant("the pointer leaves the address space"),
                }
            }
            _ => not_constant("the pointer is not a constant"),
        }
    }

    /// Whether the array that `ptr` is made from, if it is one, has an element at the index or ends there.
    fn may_be_index(&self, ptr: Expr, index: i128) -> bool {
        let ExprData::ArrayDecay(array) = self.arena.exprs[ptr].data else { return true };
        match *self.module.types.kind(self.place_ty(array)) {
            TyKind::Array(_, Some(len)) => (0..=i128::from(len)).contains(&index),
            _ => index >= 0,
        }
    }

    /// The value that a variable of static storage duration starts with. PTX cannot write a symbol minus a
    /// number, or a function plus a number, and nvcc refuses both.
    pub(in crate::sema) fn eval_initial_value(&self, expr: Expr) -> Result<Value, NotConstant> {
        let value = self.eval(expr, Mode::Initial)?;
        let why = match value {
            Value::Addr(Base::Global(_), ..0) => "the address is before the start of the object",
            Value::Addr(Base::Func(_), offset) if offset != 0 => {
                "the address is inside the code of a function"
            }
            Value::Addr(..) | Value::Int(_) | Value::Float(_) | Value::Extended(_) => return Ok(value),
        };
        Err(NotConstant::new(self.span_of(expr), Why::Text(why)))
    }

    /// The offset some bytes on. An address without an object has no more bits than a pointer; to nvcc it begins
    /// anew behind the last one, but has none before the first.
    fn moved_address(&self, base: Base, offset: i64, distance: i128) -> Option<i64> {
        match base {
            Base::Null => {
                let address = i128::from(offset as u64) + distance;
                (address >= 0).then(|| self.module.types.model().wrap_address(address as i64))
            }
            Base::Global(_) | Base::Func(_) => i64::try_from(i128::from(offset) + distance).ok(),
        }
    }

    fn pointee_size(&self, ptr: Expr) -> Option<u64> {
        let pointee = self.module.types.pointee(self.ty_of(ptr))?;
        layout::size_of(&self.module.types, pointee).ok()
    }

    fn eval_load(&self, place: Place, mode: Mode) -> Result<Value, NotConstant> {
        let node = &self.arena.places[place];
        let (value, why) = match node.data {
            PlaceData::Local(local) => {
                let value = self.func.as_ref().and_then(|func| func.local_values.get(&local));
                (value, Why::Local(local))
            }
            PlaceData::Global(global) => (self.known.global_values.get(&global), Why::Global(global)),
            PlaceData::Deref(_) => (self.referred_value(place, mode), Why::Text("reads an object")),
            PlaceData::Field(..)
            | PlaceData::Temporary(_)
            | PlaceData::Assigned(_)
            | PlaceData::Conditional(..)
            | PlaceData::Comma(..)
            | PlaceData::CompoundLiteral(..) => (None, Why::Text("reads an object")),
        };
        match value {
            Some(&value) => Ok(value),
            None => match self.constant_part(place, mode) {
                Some(value) => Ok(value),
                None if mode.calls() && self.is_of_call(place) => self.eval_loaded(place, mode),
                None => Err(NotConstant::new(node.span, why)),
            },
        }
    }

    /// The value of the constant to which a reference or pointer leads that is itself one.
    fn referred_value(&self, place: Place, mode: Mode) -> Option<&Value> {
        let Ok((Base::Global(global), 0)) = self.eval_place(place, mode) else { return None };
        let types = &self.module.types;
        let is_whole = types.scalar(self.module.globals[global].ty) == types.scalar(self.place_ty(place));
        self.known.global_values.get(&global).filter(|_| is_whole)
    }

    /// The address of an object of static storage duration.
    fn eval_place(&self, place: Place, mode: Mode) -> Result<(Base, i64), NotConstant> {
        let node = &self.arena.places[place];
        let not_constant = |why| Err(NotConstant::new(node.span, Why::Text(why)));
        match node.data {
            PlaceData::Global(global) if self.known.host_objects.contains(&global) => {
                not_constant("host variable has no address in device code")
            }
            PlaceData::Global(global) if self.module.globals[global].is_managed => not_constant(
                "the address of a `__managed__` variable is not known until the program is loaded",
            ),
            PlaceData::Global(global) => Ok((Base::Global(global), 0)),
            PlaceData::Deref(ptr) => match self.eval_ptr_offset(ptr, true, mode)? {
                Value::Addr(base, offset) => Ok((base, offset)),
                Value::Int(_) | Value::Float(_) | Value::Extended(_) => {
                    not_constant("the address is not a constant")
                }
            },
            PlaceData::Field(outer, idx) => {
                let (base, offset) = self.eval_place(outer, mode)?;
                if self.is_past_end(outer, base, offset) {
                    return not_constant("member of an object past the end");
                }
                match self.field_offset(self.place_ty(outer), idx) {
                    Some(inner) => Ok((base, offset + inner as i64)),
                    None => not_constant("the member has no address"),
                }
            }
            PlaceData::Local(_) => not_constant("the address of a local variable is not a constant"),
            PlaceData::Temporary(_)
            | PlaceData::Assigned(_)
            | PlaceData::Conditional(..)
            | PlaceData::Comma(..)
            | PlaceData::CompoundLiteral(..) => not_constant("the address is not a constant"),
        }
    }

    /// Whether the place, which has members, lies at the end of its array or of the whole variable: it may be pointed
    /// to, but has no members (C++17 8.2.5).
    fn is_past_end(&self, place: Place, base: Base, offset: i64) -> bool {
        let PlaceData::Deref(pointer) = self.arena.places[place].data else { return false };
        let types = &self.module.types;
        let size = match base {
            Base::Global(global) => layout::size_of(types, self.module.globals[global].ty).ok(),
            Base::Null | Base::Func(_) => None,
        };
        let is_past_variable = size.is_some_and(|size| i128::from(offset) >= i128::from(size));
        let ExprData::PtrOffset { ptr, index, subtract: false } = self.arena.exprs[pointer].data else {
            return is_past_variable;
        };
        let ExprData::ArrayDecay(array) = self.arena.exprs[ptr].data else { return is_past_variable };
        match (types.kind(self.place_ty(array)), self.eval(index, Mode::Optional)) {
            (TyKind::Array(_, Some(len)), Ok(Value::Int(index))) => index >= i128::from(*len),
            _ => is_past_variable,
        }
    }

    pub(super) fn field_offset(&self, record_ty: Ty, idx: u32) -> Option<u64> {
        let record = self.module.types.record(record_ty)?;
        let layout = layout::record_layout(&self.module.types, record).ok()?;
        layout.fields.get(idx as usize).map(|f| f.offset)
    }

    /// What the operator makes of a number of the type.
    pub(super) fn unary_value(&self, op: UnaryOp, operand: Value, ty: Ty, mode: Mode) -> Result<Value, Why> {
        match (operand, self.module.types.int_ty(ty)) {
            (Value::Int(value), Some(int)) => in_range(int, int.unary(op, value), mode),
            (Value::Float(value), _) => Ok(Value::Float(quieted(-value))),
            (Value::Extended(value), _) => Ok(Value::Extended(value.neg())),
            (Value::Int(_) | Value::Addr(..), _) => Err(Why::Text("the operand is not a constant")),
        }
    }

    /// What the operator makes of two numbers; `ty` is the type of the result.
    pub(super) fn binary_value(
        &self,
        op: BinaryOp,
        lhs: Value,
        rhs: Value,
        ty: Ty,
        mode: Mode,
    ) -> Result<Value, Why> {
        let types = &self.module.types;
        match (lhs, rhs) {
            (Value::Int(a), Value::Int(b)) => {
                let Some(int) = types.int_ty(ty) else {
                    return Err(Why::Text("the operands are not constants"));
                };
                let b = match op {
                    BinaryOp::Shl | BinaryOp::Shr if mode == Mode::Initial && b >= int.bits().into() => {
                        // All bits go: the rest of the way is one more shift.
                        return Ok(Value::Int(if op == BinaryOp::Shr && a < 0 && int.is_signed() {
                            -1
                        } else {
                            0
                        }));
                    }
                    _ => b,
                };
                in_range(int, int.binary(op, a, b).map_err(Why::Text)?, mode)
            }
            (Value::Float(a), Value::Float(b)) => {
                let Some(float) = types.float_ty(ty) else {
                    return Err(Why::Text("the operands are not constants"));
                };
                match float_op(op, float, a, b) {
                    Some(0.0) if vanishes(op, a, b) => Err(Why::Text(VANISHES)),
                    Some(value) => Ok(Value::Float(value)),
                    None => Err(Why::Text("the operands are not integers")),
                }
            }
            (Value::Extended(a), Value::Extended(b)) => match long_double::operation(op, a, b) {
                Some(value) => Ok(Value::Extended(value)),
                None => Err(Why::Text(long_double::TOO_FAR)),
            },
            (Value::Int(_) | Value::Float(_) | Value::Extended(_) | Value::Addr(..), _) => {
                Err(Why::Text("the operands are not constants"))
            }
        }
    }

    /// The value in another type.
    pub(super) fn converted_value(
        &self,
        conversion: Conversion,
        value: Value,
        from: Ty,
        to: Ty,
    ) -> Option<Value> {
        let types = &self.module.types;
        if self.expressions_ref().is_long_double(from) || self.expressions_ref().is_long_double(to) {
            return long_double::converted(types, value, from, to);
        }
        match (conversion, value) {
            (Conversion::IntToInt, Value::Int(value)) => Some(Value::Int(types.int_ty(to)?.wrap(value))),
            (Conversion::IntToFloat, Value::Int(value)) => {
                let exact = Exact::of(types.int_ty(from)?, value);
                Some(Value::Float(int_to_float(types.float_ty(to)?, exact)))
            }
            (Conversion::FloatToInt, Value::Float(value)) => {
                let int = types.int_ty(to)?;
                let exact = Exact::truncated(value).filter(|exact| exact.fits(int))?;
                Some(Value::Int(exact.wrapped(int)))
            }
            (Conversion::FloatToFloat, Value::Float(value)) => {
                let rounded = round_float(types.float_ty(to)?, quieted(value));
                (rounded != 0.0 || value == 0.0).then_some(Value::Float(rounded))
            }
            (Conversion::ToBool, Value::Int(value)) => Some(Value::Int(i128::from(value != 0))),
            (Conversion::ToBool, Value::Float(value)) => Some(Value::Int(i128::from(value != 0.0))),
            (Conversion::PtrToBool, Value::Addr(base, offset)) => match base {
                Base::Null => Some(Value::Int(i128::from(offset != 0))),
                Base::Global(_) | Base::Func(_) => Some(Value::Int(1)),
            },
            (Conversion::PtrToPtr, Value::Addr(..)) => Some(value),
            (Conversion::IntToPtr, Value::Int(value)) => {
                let address = types.model().wrap_address(value as i64);
                Some(Value::Addr(Base::Null, address))
            }
            (Conversion::PtrToInt, Value::Addr(Base::Null, offset)) => {
                Some(Value::Int(types.int_ty(to)?.wrap(i128::from(offset as u64))))
            }
            (Conversion::ToVoid, _) => None,
            (
                Conversion::IntToInt
                | Conversion::IntToFloat
                | Conversion::FloatToInt
                | Conversion::FloatToFloat
                | Conversion::ToBool
                | Conversion::PtrToBool
                | Conversion::PtrToPtr
                | Conversion::IntToPtr
                | Conversion::PtrToInt
                | Conversion::HandleToInt,
                _,
            ) => None,
        }
    }

    /// The constant as what a variable holds before the program starts.
    pub(in crate::sema) fn const_init(&self, value: Value) -> ConstInit {
        match value {
            Value::Int(value) => ConstInit::Int(value),
            Value::Float(value) => ConstInit::Float(value),
            Value::Extended(value) => ConstInit::Float(value.nearest),
            Value::Addr(Base::Null, 0) => ConstInit::Zero,
            Value::Addr(Base::Null, offset) => ConstInit::IntPtr(offset as u64),
            Value::Addr(Base::Global(global), offset) => ConstInit::GlobalAddr(global, offset),
            Value::Addr(Base::Func(func), _) => ConstInit::FuncAddr(func),
        }
    }
}

/// The result in the type: wrapped where unsigned, no constant where signed and required.
fn in_range(int: IntTy, computed: Computed, mode: Mode) -> Result<Value, Why> {
    if computed.overflows && int.is_signed() && mode.is_strict() {
        return Err(Why::OutOfRange(int, computed.exact));
    }
    Ok(Value::Int(computed.value))
}

const VANISHES: &str = "value is too small for its type";

/// Whether a result of zero is a number that is too small: nvcc takes that for no constant.
fn vanishes(op: BinaryOp, a: f64, b: f64) -> bool {
    match op {
        BinaryOp::Mul => a != 0.0 && b != 0.0,
        BinaryOp::Div => a != 0.0 && b.is_finite(),
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Rem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::Shr => false,
    }
}

fn float_op(op: BinaryOp, float: FloatTy, a: f64, b: f64) -> Option<f64> {
    let single = |f: fn(f32, f32) -> f32| f64::from(f(a as f32, b as f32));
    let value = match (op, float) {
        (BinaryOp::Add, FloatTy::Float) => single(|a, b| a + b),
        (BinaryOp::Sub, FloatTy::Float) => single(|a, b| a - b),
        (BinaryOp::Mul, FloatTy::Float) => single(|a, b| a * b),
        (BinaryOp::Div, FloatTy::Float) => single(|a, b| a / b),
        (BinaryOp::Add, FloatTy::Double) => a + b,
        (BinaryOp::Sub, FloatTy::Double) => a - b,
        (BinaryOp::Mul, FloatTy::Double) => a * b,
        (BinaryOp::Div, FloatTy::Double) => a / b,
        (
            BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr,
            FloatTy::Float | FloatTy::Double,
        )
        | (_, FloatTy::LongDouble) => return None,
    };
    Some(value)
}

/// Compares two constants of a type; `int` is that type, if it is one of integers.
pub(in crate::sema) fn compare(op: CompareOp, int: Option<IntTy>, lhs: Value, rhs: Value) -> Option<bool> {
    use std::cmp::Ordering;
    let ordering = match (lhs, rhs) {
        (Value::Int(a), Value::Int(b)) => return Some(int?.compare(op, a, b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(&b),
        (Value::Extended(a), Value::Extended(b)) => a.compare(b),
        (Value::Addr(a, x), Value::Addr(b, y)) if a == b => Some((x as u64).cmp(&(y as u64))),
        // No object lies at address zero, and where it lies is not known otherwise.
        (Value::Addr(Base::Null, 0), Value::Addr(..)) | (Value::Addr(..), Value::Addr(Base::Null, 0)) => {
            match op {
                CompareOp::Eq | CompareOp::Ne => None,
                CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => return None,
            }
        }
        (Value::Int(_) | Value::Float(_) | Value::Extended(_) | Value::Addr(..), _) => return None,
    };
    Some(match op {
        CompareOp::Eq => ordering == Some(Ordering::Equal),
        CompareOp::Ne => ordering != Some(Ordering::Equal),
        CompareOp::Lt => ordering == Some(Ordering::Less),
        CompareOp::Le => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        CompareOp::Gt => ordering == Some(Ordering::Greater),
        CompareOp::Ge => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_round_to_their_type() {
        let tenth = f64::from(0.1_f32);
        assert_eq!(
            float_op(BinaryOp::Add, FloatTy::Float, tenth, f64::from(0.2_f32)),
            Some(f64::from(0.1_f32 + 0.2))
        );
        assert_eq!(int_to_float(FloatTy::Float, 16_777_217.into()), 16_777_216.0);
    }
}
