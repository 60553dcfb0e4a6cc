//! Expressions and places.
//!
//! An [`Expr`] is a value, a [`Place`] designates an object. What C and C++ leave implicit between
//! the two is explicit here: reading an object is [`ExprData::Load`], an array that decays to a
//! pointer is [`ExprData::ArrayDecay`], each implicit conversion is an [`ExprData::Convert`].
//!
//! **Invariants** (checked by `verify`):
//! - the graph of a function's expressions and places is a tree: each is used once, except a
//!   [`ExprData::Bound`], which is named by its [`ExprData::Modify`] and used at most once within it;
//! - an expression's type is unqualified; a place's type carries the qualifiers of the access;
//! - the operands of an arithmetic operator have the operator's own (canonical) type;
//! - conditions have type `bool`.

use cranelift_entity::packed_option::PackedOption;
use thin_vec::ThinVec;

use crate::source::Span;

use super::{Builtin, Choice, Expr, Func, Global, Local, Place, Stmt, Ty};

/// A value.
#[derive(Clone, Debug)]
pub struct ExprNode {
    /// How it is computed.
    pub data: ExprData,
    /// Its type, unqualified; `void` if it has no value.
    pub ty: Ty,
    /// Where it was written.
    pub span: Span,
}

// Most nodes of a program are values.
const _: () = assert!(size_of::<ExprNode>() == 32);

/// How a value is computed.
#[derive(Clone, Debug)]
pub enum ExprData {
    /// A constant of integer, `bool` or enum type, in the type's range: see [`super::integer`]. To be made by
    /// [`ExprData::int`] and read by [`ExprData::as_int`].
    Int(i64),
    /// A constant of floating type; of a `float`, the float's value, exactly.
    Float(f64),
    /// The null pointer of a pointer type, or of `nullptr_t`.
    Null,
    /// The object's value, of any complete object type except an array.
    Load(Place),
    /// A pointer to the object.
    AddrOf(Place),
    /// A pointer to the first element of the array.
    ArrayDecay(Place),
    /// A pointer to the function.
    FuncAddr(Func),
    /// A special register of the thread, an `unsigned int` (`warpSize`: `int`).
    SpecialReg(SpecialReg),
    /// An arithmetic operator on one operand of the expression's type.
    Unary(UnaryOp, Expr),
    /// An arithmetic operator on two operands of the expression's type; for a shift, the right
    /// operand has its own promoted integer type.
    Binary(BinaryOp, Expr, Expr),
    /// A comparison of two operands of the same arithmetic or pointer type; gives `bool`.
    Compare(CompareOp, Expr, Expr),
    /// `!` on a `bool`; gives `bool`.
    Not(Expr),
    /// `&&` or `||` on `bool`s; the right one is evaluated only where needed; gives `bool`.
    Logical(LogicalOp, Expr, Expr),
    /// A pointer moved by a number of elements (not bytes). The index has an integer type of any
    /// width and signedness, and is extended by it; `subtract` moves backwards.
    PtrOffset {
        /// The pointer, to a complete object type.
        ptr: Expr,
        /// The number of elements.
        index: Expr,
        /// `ptr - index`
        subtract: bool,
    },
    /// The difference of two pointers in elements, a `long`.
    PtrDiff(Expr, Expr),
    /// A conversion to the expression's type.
    Convert(Conversion, Expr),
    /// `cond ? then : otherwise`, both of the expression's type (which may be `void`); one of them
    /// is evaluated.
    Conditional {
        /// A `bool`.
        cond: Expr,
        /// The value where true.
        then: Expr,
        /// The value where false.
        otherwise: Expr,
    },
    /// `place = value`; its value is the stored one. The value is evaluated first, then the place
    /// (C++17 8.18p1).
    Assign {
        /// The target. Not const.
        place: Place,
        /// Of the place's unqualified type.
        value: Expr,
    },
    /// The value bound to this expression by the enclosing [`ExprData::Modify`].
    Bound,
    /// `first, second`: the first is evaluated for its effects.
    Comma(Expr, Expr),
    // Variants that own memory come last, so that one comparison decides whether dropping must free some.
    /// An integer constant like [`ExprData::Int`] that does not fit in `i64`.
    WideInt(Box<i128>),
    /// `place op= rhs`, `++place`, `place--` and so on: read, compute, write.
    ///
    /// Order (C++17 8.18p1): the `rhs` if there is one; the place; the load; `new`; the store.
    Modify {
        /// The place that is read and written. Not const.
        place: Place,
        /// How the new value is computed.
        change: Box<Change>,
        /// Which of the two values the expression has.
        yields: Yields,
    },
    /// A call of a function by its name.
    Call {
        /// The callee.
        callee: Func,
        /// The arguments, converted to the parameter types; the variadic ones are promoted.
        args: ThinVec<Expr>,
        /// Whether they are evaluated from the last to the first: operands of an operator that assigns (C++17 8.18p1).
        from_last: bool,
    },
    /// A call by a pointer to a function.
    CallIndirect {
        /// The pointer.
        callee: Expr,
        /// As in [`ExprData::Call`].
        args: ThinVec<Expr>,
    },
    /// A built-in function.
    Builtin(Builtin, ThinVec<Expr>),
    /// A lexical block with the value of the expression after its statements, or `void` without one:
    /// GNU's `({ … })`. No jump leads into it.
    Block(ThinVec<Stmt>, PackedOption<Expr>),
    /// An operation on the arguments of `...` (C17 7.16). The operands are pointers to records of 24 bytes,
    /// whose first eight hold the address, in local memory, of the next argument.
    VaList(VaListOp, ThinVec<Expr>),
    /// A record made of its fields' values, in order: `threadIdx` as a whole, and casts to
    /// vector types.
    Record(ThinVec<Expr>),
}

impl ExprData {
    /// An integer constant.
    pub fn int(value: impl Into<i128>) -> Self {
        let value = value.into();
        match i64::try_from(value) {
            Ok(value) => ExprData::Int(value),
            Err(_) => ExprData::WideInt(Box::new(value)),
        }
    }

    /// The value of an integer constant.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            ExprData::Int(value) => Some((*value).into()),
            ExprData::WideInt(value) => Some(**value),
            _ => None,
        }
    }

    /// A call.
    pub fn call(callee: Callee, args: ThinVec<Expr>) -> Self {
        match callee {
            Callee::Direct(callee) => ExprData::Call { callee, args, from_last: false },
            Callee::Indirect(callee) => ExprData::CallIndirect { callee, args },
        }
    }
}

/// The arguments of a call, each with its index, in the order in which they are evaluated.
pub fn evaluated(args: &[Expr], from_last: bool) -> impl Iterator<Item = (usize, Expr)> {
    (0..args.len())
        .map(move |nth| if from_last { args.len() - 1 - nth } else { nth })
        .map(|idx| (idx, args[idx]))
}

/// An operation on variadic arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VaListOp {
    /// `va_start(list)`, in a variadic function; `void`
    Start,
    /// `va_arg(list, T)`: the next argument, of the expression's type, which is that of a promoted value
    Arg,
    /// `va_end(list)`; `void`
    End,
    /// `va_copy(to, from)`; `void`
    Copy,
}

/// The computation of an [`ExprData::Modify`] on the value that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The value that is computed before the place is evaluated.
    pub rhs: Option<Binding>,
    /// An [`ExprData::Bound`]: within `new`, the value that was read.
    pub old: Expr,
    /// The new value, of the place's unqualified type.
    pub new: Expr,
}

/// An expression evaluated once under the name of a [`ExprData::Bound`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The expression that is evaluated.
    pub value: Expr,
    /// The [`ExprData::Bound`] that refers to it.
    pub bound: Expr,
}

/// The value of an [`ExprData::Modify`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yields {
    /// The old value: postfix `++`, `--`.
    Old,
    /// The new value.
    New,
}

/// The callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function by its name.
    Direct(Func),
    /// A pointer to a function.
    Indirect(Expr),
}

/// Arithmetic on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `~`
    BitNot,
}

/// Arithmetic on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<`
    Shl,
    /// `>>`: arithmetic where the left operand is signed
    Shr,
}

/// A comparison. It is unsigned for pointers, and ordered for floats except `Ne`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// `&&` and `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogicalOp {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// A conversion; from and to are the types of the operand and of the expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// Between integer and enum types, not to `bool`: truncated, or extended by the operand's
    /// signedness.
    IntToInt,
    /// Integer to floating, by the operand's signedness, rounded to nearest.
    IntToFloat,
    /// Floating to integer, towards zero.
    FloatToInt,
    /// Between floating types, rounded to nearest.
    FloatToFloat,
    /// Arithmetic to `bool`: whether it differs from zero.
    ToBool,
    /// Pointer to `bool`: whether it differs from null.
    PtrToBool,
    /// Between pointer types; the address stays.
    PtrToPtr,
    /// Integer to pointer, extended by the operand's signedness or truncated.
    IntToPtr,
    /// Pointer to integer, truncated where the integer is smaller.
    PtrToInt,
    /// The handle of a texture or surface to the integer that an object of the host's is.
    HandleToInt,
    /// To `void`.
    ToVoid,
}

/// A special register (PTX ISA "Special Registers").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpecialReg {
    /// `threadIdx`
    Tid(Axis),
    /// `blockDim`
    Ntid(Axis),
    /// `blockIdx`
    Ctaid(Axis),
    /// `gridDim`
    Nctaid(Axis),
    /// `warpSize`
    WarpSize,
}

/// A component of a three-dimensional special register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// `.x`
    X,
    /// `.y`
    Y,
    /// `.z`
    Z,
}

/// A reference to an object (an lvalue).
#[derive(Clone, Debug)]
pub struct PlaceNode {
    /// How it is computed.
    pub data: PlaceData,
    /// The type of the object, with the qualifiers that the access has.
    pub ty: Ty,
    /// Where it was written.
    pub span: Span,
}

const _: () = assert!(size_of::<PlaceNode>() == 24);

/// How a place is computed.
#[derive(Clone, Debug)]
pub enum PlaceData {
    /// A parameter or local variable.
    Local(Local),
    /// A variable with static storage duration.
    Global(Global),
    /// The object that the pointer points to. `a[i]` is the `Deref` of a `PtrOffset`.
    Deref(Expr),
    /// The member with this index of a struct or union.
    Field(Place, u32),
    /// The value of a record, held by an object that lives until the end of the full expression:
    /// the place of `f().x`.
    Temporary(Expr),
    /// The object that the assignment (an [`ExprData::Assign`] or an [`ExprData::Modify`] that
    /// yields the new value) assigned to, after it: C++'s `(a = b) = c` and `&++i`.
    Assigned(Expr),
    /// `cond ? then : otherwise` of two lvalues of the same type: the first where it is true.
    Conditional(Expr, Choice),
    /// `effect, place`.
    Comma(Expr, Place),
    /// A compound literal: a variable without a name, initialized on each evaluation.
    CompoundLiteral(Local, super::Init),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_all_widths_round_trip() {
        let edges = [0, -1, i128::from(i64::MIN), i128::from(i64::MAX), i128::from(u64::MAX)];
        for value in edges.into_iter().chain([i128::MIN, i128::MAX]) {
            assert_eq!(ExprData::int(value).as_int(), Some(value));
        }
        assert_eq!(ExprData::Null.as_int(), None);
    }
}
