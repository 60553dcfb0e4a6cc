//! Operators that are functions of the program (C++17 16.3.1.2, 16.5).
//!
//! Operands are looked at as operands of such a function only where one has been declared, and one of them is of a class or an enum: else
//! the operator is the built-in one, as in C.

use smallvec::SmallVec;

use super::{Arg, Args, Candidate, Origin, Overloads, Sequence, Sequences, Viable};
use crate::ast::{BinaryOp, Name, Storage, UnaryOp};
use crate::diag::{Code, Reported};
use crate::ir::{Expr, ExprData, PlaceData, Scalar, Ty, View};
use crate::sema::Calls;
use crate::sema::declaration::Declaration;
use crate::sema::expression::Operand;
use crate::sema::name::scope::Entity;
use crate::sema::types::Param;
use crate::source::Span;
use crate::token::Punct;

/// An operator as it is used.
#[derive(Clone, Copy)]
pub(in crate::sema) struct OperatorUse {
    pub(in crate::sema) punct: Punct,
    /// It follows its operand: `x++`.
    pub(in crate::sema) is_postfix: bool,
    pub(in crate::sema) op_span: Span,
    /// Of the whole expression.
    pub(in crate::sema) span: Span,
}

impl OperatorUse {
    /// One with two operands.
    pub(in crate::sema) fn binary(op: BinaryOp, op_span: Span, span: Span) -> Self {
        OperatorUse { punct: binary_punct(op), is_postfix: false, op_span, span }
    }

    /// One that also assigns.
    pub(in crate::sema) fn assignment(op: BinaryOp, op_span: Span, span: Span) -> Self {
        OperatorUse { punct: assignment_punct(op), is_postfix: false, op_span, span }
    }

    /// One with one operand.
    pub(in crate::sema) fn unary(op: UnaryOp, op_span: Span, span: Span) -> Self {
        let is_postfix = matches!(op, UnaryOp::PostInc | UnaryOp::PostDec);
        OperatorUse { punct: unary_punct(op), is_postfix, op_span, span }
    }
}

fn binary_punct(op: BinaryOp) -> Punct {
    match op {
        BinaryOp::Mul => Punct::Star,
        BinaryOp::Div => Punct::Slash,
        BinaryOp::Rem => Punct::Percent,
        BinaryOp::Add => Punct::Plus,
        BinaryOp::Sub => Punct::Minus,
        BinaryOp::Shl => Punct::Shl,
        BinaryOp::Shr => Punct::Shr,
        BinaryOp::BitAnd => Punct::Amp,
        BinaryOp::BitXor => Punct::Caret,
        BinaryOp::BitOr => Punct::Pipe,
        BinaryOp::Lt => Punct::Lt,
        BinaryOp::Gt => Punct::Gt,
        BinaryOp::Le => Punct::Le,
        BinaryOp::Ge => Punct::Ge,
        BinaryOp::Eq => Punct::EqEq,
        BinaryOp::Ne => Punct::Ne,
        BinaryOp::LogAnd => Punct::AmpAmp,
        BinaryOp::LogOr => Punct::PipePipe,
        BinaryOp::Comma => Punct::Comma,
    }
}

fn assignment_punct(op: BinaryOp) -> Punct {
    match op {
        BinaryOp::Mul => Punct::StarEq,
        BinaryOp::Div => Punct::SlashEq,
        BinaryOp::Rem => Punct::PercentEq,
        BinaryOp::Add => Punct::PlusEq,
        BinaryOp::Sub => Punct::MinusEq,
        BinaryOp::Shl => Punct::ShlEq,
        BinaryOp::Shr => Punct::ShrEq,
        BinaryOp::BitAnd => Punct::AmpEq,
        BinaryOp::BitXor => Punct::CaretEq,
        BinaryOp::BitOr => Punct::PipeEq,
        BinaryOp::Lt
        | BinaryOp::Gt
        | BinaryOp::Le
        | BinaryOp::Ge
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::LogAnd
        | BinaryOp::LogOr
        | BinaryOp::Comma => unreachable!("invariant: only arithmetic operators combine with assignment"),
    }
}

fn unary_punct(op: UnaryOp) -> Punct {
    match op {
        UnaryOp::Plus => Punct::Plus,
        UnaryOp::Neg => Punct::Minus,
        UnaryOp::BitNot => Punct::Tilde,
        UnaryOp::Not => Punct::Bang,
        UnaryOp::Deref => Punct::Star,
        UnaryOp::AddrOf => Punct::Amp,
        UnaryOp::PreInc | UnaryOp::PostInc => Punct::PlusPlus,
        UnaryOp::PreDec | UnaryOp::PostDec => Punct::MinusMinus,
    }
}

/// How many parameters a function that is the operator has (C++17 16.5.1 to 16.5.7): the least and the most.
fn arity(punct: Punct) -> (usize, usize) {
    match punct {
        Punct::Tilde | Punct::Bang | Punct::Arrow => (1, 1),
        Punct::Plus | Punct::Minus | Punct::Star | Punct::Amp | Punct::PlusPlus | Punct::MinusMinus => (1, 2),
        _ => (2, 2),
    }
}

fn is_comparison(punct: Punct) -> bool {
    matches!(punct, Punct::Lt | Punct::Gt | Punct::Le | Punct::Ge | Punct::EqEq | Punct::Ne)
}

/// Whether the built-in operator writes to its first operand.
fn is_assignment(punct: Punct) -> bool {
    matches!(punct, Punct::PlusPlus | Punct::MinusMinus)
        || punct.spelling().ends_with('=') && !is_comparison(punct)
}

impl Calls<'_> {
    /// Checks the declaration of a function that is an operator (C++17 16.5p6, p8).
    pub(in crate::sema) fn check_operator(
        &mut self,
        punct: Punct,
        decl: &Declaration<'_>,
        params: &[Param],
        is_member: bool,
    ) -> Result<(), Reported> {
        let at_name = decl.name.span;
        let name = self.spelling(decl.name.symbol).to_owned();
        let (least, most) = arity(punct);
        let is_variadic = self.module.types.func(decl.ty).is_some_and(|ty| ty.variadic);
        let is_of_own_type =
            |param: &Param| self.has_own_operators(self.conversions_ref().unreferenced(param.ty));
        let default = params.iter().find(|param| param.default.is_some());
        let must_be_member = matches!(punct, Punct::Eq | Punct::LParen | Punct::LBracket | Punct::Arrow);
        let is_static = matches!(decl.specs.storage, Some((Storage::Static, _)));
        let (span, message) = if is_member && is_static || must_be_member && !is_member {
            (at_name, format!("`{name}` must be a non-static member function"))
        } else if punct == Punct::LParen {
            self.known.has_operators = true;
            return Ok(());
        } else if params.len() < least || params.len() > most || is_variadic {
            let n_objects = usize::from(is_member);
            let (least, most) = (least - n_objects, most - n_objects);
            let wanted = if least == most { least.to_string() } else { format!("{least} or {most}") };
            let plural = if most == 1 { "" } else { "s" };
            (at_name, format!("`{name}` must have {wanted} parameter{plural}"))
        } else if !is_member && !params.iter().any(is_of_own_type) {
            (at_name, format!("`{name}` must have a parameter of class or enumeration type"))
        } else if let (Punct::PlusPlus | Punct::MinusMinus, [_, second]) = (punct, params)
            && self.canonical(second.ty) != Ty::INT
        {
            (second.span, format!("second parameter of postfix `{name}` must have type `int`"))
        } else if let Some(default) = default {
            (default.span, format!("`{name}` cannot have default arguments"))
        } else if decl.specs.extern_c.is_some() {
            (at_name, format!("`{name}` cannot have C linkage"))
        } else if decl.attrs.global.is_some() {
            (at_name, format!("`{name}` cannot be a kernel"))
        } else {
            self.known.has_operators = true;
            return Ok(());
        };
        Err(self.error(Code::InvalidOperator, span, message))
    }

    /// What an operator gives that is a function of the program. None: it is the built-in one.
    pub(in crate::sema) fn overloaded_operator(
        &mut self,
        used: OperatorUse,
        operands: &[Arg],
    ) -> Result<Option<Operand>, Reported> {
        let types = operands.iter().map(|&operand| self.object_ty(operand));
        let types: SmallVec<[Ty; 2]> = types.flatten().collect();
        if !types.iter().any(|&ty| self.has_own_operators(ty)) {
            return Ok(None);
        }
        // One that was not understood may be meant.
        if let Some(symbol) = used.punct.operator_name()
            && self.known.broken_names.contains(&symbol)
        {
            return Err(self.poisoned());
        }
        let mut args = Args::from_slice(operands);
        let mut overloads = self.operator_funcs(used.punct, &args);
        if let (Some(symbol), Some(&first)) = (used.punct.operator_name(), types.first())
            && self.object_ty(operands[0]).is_some()
        {
            let name = Name { symbol, span: used.op_span };
            if let Some(methods) = self.member_operators(first, name) {
                overloads.funcs.extend(methods.funcs);
                overloads.templates.extend(methods.templates);
                overloads.naming = methods.naming;
            }
        }
        if overloads.funcs.is_empty() && overloads.templates.is_empty() {
            return Ok(None);
        }
        if used.is_postfix {
            args.push(Arg::Value(self.expr(ExprData::int(0), Ty::INT, used.op_span)));
        }
        let mut viable = self.viable_funcs(&overloads, &args);
        let ignored = self.add_viable_templates(&overloads, &args, &mut viable);
        let is_exact =
            |viable: &Viable<Candidate>| viable.sequences.iter().all(|sequence| sequence.is_exact());
        if types.iter().any(|&ty| self.is_library_number(ty)) {
            // CUDA's headers have operators for it, whose conversions are not candidates here.
            viable.retain(|viable| is_exact(viable));
            if viable.is_empty() {
                return Ok(None);
            }
        } else if let Some(sequences) = self.builtin_operator(used.punct, operands) {
            if !viable.iter().any(|viable| self.hides_builtin(viable.candidate, &types)) {
                viable.push(Viable {
                    candidate: Candidate::BuiltinOperator,
                    sequences,
                    origin: Origin::Function,
                });
            }
        } else if viable.is_empty() && used.punct == Punct::Amp && operands.len() == 1 {
            return Ok(None);
        } else if viable.is_empty() {
            return Err(self.no_operator(used, &overloads.funcs, &args, &ignored));
        }
        match self.best(&viable).map(|idx| viable[idx].candidate) {
            Some(Candidate::Func(func)) => {
                let result = self.call_chosen(func, used.op_span, &args, used.span)?;
                if is_assignment(used.punct) && operands.len() == 2 {
                    self.evaluate_from_last(result);
                }
                Ok(Some(result))
            }
            Some(Candidate::Builtin(_) | Candidate::BuiltinOperator) => Ok(None),
            None => Err(self.ambiguous_operator(used, &viable, &args)),
        }
    }

    /// Has the right operand of an operator that assigns evaluated first (C++17 8.18p1, 16.3.1.2p2). `result` is what the call returns.
    pub(in crate::sema) fn evaluate_from_last(&mut self, result: Operand) {
        let call = match result {
            Operand::Value(call) => call,
            Operand::Place(place) | Operand::Member(place) => match self.arena.places[place].data {
                PlaceData::Deref(call) => call,
                _ => return,
            },
            _ => return,
        };
        if let ExprData::Call { from_last, .. } = &mut self.arena.exprs[call].data {
            *from_last = true;
        }
    }

    /// Whether a function has the parameters of the built-in operator for operands of the types (C++17 16.3.1.2p3).
    fn hides_builtin(&self, candidate: Candidate, types: &[Ty]) -> bool {
        let Candidate::Func(func) = candidate else { return false };
        let func_ty = self.module.types.func(self.module.functions[func].ty);
        func_ty.is_some_and(|ty| ty.params.iter().zip(types).all(|(&param, &ty)| self.same(param, ty)))
    }

    /// The functions that the operator may mean: those that are visible, and those of the operands' namespaces.
    fn operator_funcs(&mut self, punct: Punct, operands: &Args) -> Overloads {
        let Some(symbol) = punct.operator_name() else { return Overloads::default() };
        let mut visible = Overloads::default();
        match self.names_ref().lookup(symbol).map(|binding| binding.entity) {
            Some(Entity::Func(func)) => visible.add(func),
            Some(Entity::Overloads(id)) => visible = self.overloads_of(id),
            Some(Entity::Several) => {
                if let Some(id) = self.names().functions_named(symbol) {
                    visible = self.overloads_of(id);
                }
            }
            _ => {}
        }
        self.with_associated(symbol, &visible, operands)
    }

    /// Whether functions can be operators for the type (C++17 16.5p6).
    fn has_own_operators(&self, ty: Ty) -> bool {
        matches!(self.module.types.view(ty), View::Record(_) | View::Scalar(Scalar::Enum(_)))
    }

    /// The type of an object or value.
    fn object_ty(&self, arg: Arg) -> Option<Ty> {
        match arg {
            Arg::Value(value) | Arg::Object(_, value) => Some(self.ty_of(value)),
            Arg::Braced(..) | Arg::Overloaded(_) => None,
        }
    }

    /// Whether it is a half-precision type, or another class of CUDA's headers.
    fn is_library_number(&self, ty: Ty) -> bool {
        self.module.types.half_ty(ty).is_some() || self.builtins_ref().is_class(ty)
    }

    /// How the operands fit the built-in operator (C++17 16.6): of all of its kind, the one with the operands' promoted types is the best.
    fn builtin_operator(&mut self, punct: Punct, args: &[Arg]) -> Option<Sequences> {
        let mut values: SmallVec<[Expr; 2]> = SmallVec::new();
        for &arg in args {
            let (Arg::Value(value) | Arg::Object(_, value)) = arg else { return None };
            values.push(value);
        }
        let is_pointer = |cx: &Self, value| cx.module.types.pointee(cx.ty_of(value)).is_some();
        let exact = |n| Some((0..n).map(|_| Sequence::EXACT).collect());
        if let [left, right] = values[..]
            && is_comparison(punct)
            && self.same(self.ty_of(left), self.ty_of(right))
        {
            let is_enum = matches!(self.module.types.scalar(self.ty_of(left)), Some(Scalar::Enum(_)));
            return if is_enum { exact(2) } else { None };
        }
        let fit = |(idx, &value): (usize, &Expr)| {
            let ty = self.ty_of(value);
            if self.module.types.record(ty).is_some() {
                if idx == 0 && is_assignment(punct) {
                    return None;
                }
                let func = self.conversions().operand_conversion(value)?;
                let made = self.conversions().result_of(func);
                return self.sequence(value, made);
            }
            let to = match self.module.types.scalar(ty)? {
                _ if matches!(punct, Punct::AmpAmp | Punct::PipePipe | Punct::Bang) => Ty::BOOL,
                Scalar::Enum(_) if idx == 0 && is_assignment(punct) => return None,
                Scalar::Enum(_) if values.iter().any(|&other| is_pointer(self, other)) => Ty::LONG,
                Scalar::Int(_) if idx == 0 && is_assignment(punct) => ty,
                Scalar::Int(_) | Scalar::Enum(_) => Ty::int(self.conversions_ref().promoted_int(value)?),
                Scalar::Float(_) | Scalar::Pointer(_) => ty,
                Scalar::Reference(..) | Scalar::Nullptr | Scalar::Opaque(_) => return None,
            };
            self.sequence(value, to)
        };
        values.iter().enumerate().map(fit).collect()
    }
}
