//! Functions on texts that only the host has, and that nvcc computes where it knows the texts: `strlen`, and with
//! `__builtin_` before their names `strcmp`, `strncmp`, `memcmp`, `strchr` and `memchr` (C17 7.24; GNU C "Other Builtins").
//!
//! Where nvcc gives what C does not, or C says nothing, a call stays one of the host's function.

use std::cmp::Ordering;

use crate::ast::{ExprId, ExprKind};
use crate::diag::Reported;
use crate::ir::{Conversion, Expr, ExprData, Quals, Ty};
use crate::sema::Builtins;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::conversion::Target;
use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextFunction {
    Length,
    Compare,
    CompareCounted,
    CompareBytes,
    Find,
    FindByte,
}

/// What a call comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Size(usize),
    Int(i32),
    /// The byte behind so many of the first argument's, or none.
    Place(Option<usize>),
}

impl TextFunction {
    fn named(name: &str) -> Option<TextFunction> {
        match name {
            "strlen" | "__builtin_strlen" => Some(TextFunction::Length),
            "__builtin_strcmp" => Some(TextFunction::Compare),
            "__builtin_strncmp" => Some(TextFunction::CompareCounted),
            "__builtin_memcmp" => Some(TextFunction::CompareBytes),
            "__builtin_strchr" => Some(TextFunction::Find),
            "__builtin_memchr" => Some(TextFunction::FindByte),
            _ => None,
        }
    }

    fn n_params(self) -> usize {
        match self {
            TextFunction::Length => 1,
            TextFunction::Compare | TextFunction::Find => 2,
            TextFunction::CompareCounted | TextFunction::CompareBytes | TextFunction::FindByte => 3,
        }
    }

    /// Whether it takes the address of any bytes.
    fn is_of_bytes(self) -> bool {
        matches!(self, TextFunction::CompareBytes | TextFunction::FindByte)
    }

    /// Whether the second argument is a character.
    fn finds(self) -> bool {
        matches!(self, TextFunction::Find | TextFunction::FindByte)
    }

    /// What it gives of these bytes, which are all behind the addresses that are known.
    fn compute(self, first: &[u8], second: &[u8], c: u8, n: usize) -> Option<Outcome> {
        let text = |bytes| text_of(bytes).map(<[u8]>::len);
        Some(match self {
            TextFunction::Length => Outcome::Size(text(first)?),
            TextFunction::Compare => Outcome::Int(sign(text_of(first)?.cmp(text_of(second)?))),
            TextFunction::CompareCounted => {
                let counted = |bytes| match text_of(bytes) {
                    Some(text) => Some(&text[..n.min(text.len())]),
                    None => bytes.get(..n),
                };
                Outcome::Int(sign(counted(first)?.cmp(counted(second)?)))
            }
            TextFunction::CompareBytes => {
                let mut pairs = first.iter().zip(second).take(n);
                match pairs.find(|(a, b)| a != b) {
                    Some((&a, &b)) => Outcome::Int(i32::from(a) - i32::from(b)),
                    None if n <= first.len().min(second.len()) => Outcome::Int(0),
                    None => return None,
                }
            }
            TextFunction::Find => {
                let text = &first[..=text(first)?];
                Outcome::Place(text.iter().position(|&byte| byte == c))
            }
            TextFunction::FindByte => match first.iter().take(n).position(|&byte| byte == c) {
                None if n > first.len() => return None,
                found => Outcome::Place(found),
            },
        })
    }
}

/// The text that begins there, without the zero at its end.
fn text_of(bytes: &[u8]) -> Option<&[u8]> {
    Some(&bytes[..bytes.iter().position(|&byte| byte == 0)?])
}

/// What nvcc gives of an order.
fn sign(order: Ordering) -> i32 {
    order as i32
}

impl Builtins<'_> {
    /// A call of such a function, if its value is known.
    pub(in crate::sema) fn check_text_function(
        &mut self,
        callee: ExprId,
        args: &[ExprId],
        span: Span,
    ) -> Option<Result<Expr, Reported>> {
        let ExprKind::Ident(symbol) = self.unit.exprs[callee].kind else { return None };
        let function = TextFunction::named(self.spelling(symbol))?;
        if args.len() != function.n_params() || self.names_ref().lookup(symbol).is_some() {
            return None;
        }
        let mut values = Vec::with_capacity(args.len());
        for (idx, &arg) in args.iter().enumerate() {
            let ty = self.text_function_param(function, idx);
            let value = self.expressions().check_rvalue(arg);
            match value.and_then(|value| self.conversions().convert(value, ty, Target::Argument(None))) {
                Ok(value) => values.push(value),
                Err(reported) => return Some(Err(reported)),
            }
        }
        match self.text_outcome(function, &values) {
            Some(outcome) => Some(Ok(self.text_result(function, outcome, values[0], span))),
            // Which says that it is the host's.
            None => self.expressions().check_expr(callee).err().map(Err),
        }
    }

    fn text_function_param(&mut self, function: TextFunction, idx: usize) -> Ty {
        match idx {
            2 => self.module.types.model().size_ty(),
            1 if function.finds() => Ty::INT,
            _ if function.is_of_bytes() => {
                let any = self.module.types.with_quals(Ty::VOID, Quals::CONST);
                self.module.types.pointer_to(any)
            }
            _ => self.text_ty(),
        }
    }

    fn text_outcome(&self, function: TextFunction, args: &[Expr]) -> Option<Outcome> {
        let number = |arg: Option<&Expr>| match self.constants().eval(*arg?, Mode::Optional) {
            Ok(Value::Int(value)) => Some(value),
            _ => None,
        };
        let first = self.constants().constant_bytes(args[0])?;
        let (second, c) = match args.get(1) {
            // nvcc compares it with what is converted from the text; to C it is converted to a character.
            arg if function.finds() => (Vec::new(), i8::try_from(number(arg)?).ok()? as u8),
            Some(&arg) => (self.constants().constant_bytes(arg)?, 0),
            None => (Vec::new(), 0),
        };
        let n = match args.get(2) {
            arg @ Some(_) => usize::try_from(number(arg)?).ok()?,
            None => 0,
        };
        function.compute(&first, &second, c, n)
    }

    fn text_result(&mut self, function: TextFunction, outcome: Outcome, first: Expr, span: Span) -> Expr {
        let n_before = match outcome {
            Outcome::Size(size) => {
                let ty = self.module.types.model().size_ty();
                return self.expr(ExprData::int(size as u64), ty, span);
            }
            Outcome::Int(value) => return self.expr(ExprData::int(value), Ty::INT, span),
            Outcome::Place(n_before) => n_before,
        };
        let pointee = if function.is_of_bytes() { Ty::VOID } else { Ty::CHAR };
        let ty = self.module.types.pointer_to(pointee);
        let Some(n_before) = n_before else { return self.expr(ExprData::Null, ty, span) };
        let chars = self.module.types.pointer_to(Ty::CHAR);
        let ptr = self.expressions().conversion(Conversion::PtrToPtr, first, chars);
        let index = self.cx.expr(ExprData::int(n_before as u64), self.module.types.model().size_ty(), span);
        let moved = self.expr(ExprData::PtrOffset { ptr, index, subtract: false }, chars, span);
        if ty == chars { moved } else { self.expressions().conversion(Conversion::PtrToPtr, moved, ty) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_not_read_past_the_end() {
        let compute = |function: TextFunction, n| function.compute(b"ab", b"ab\0", b'c', n);
        for (function, n, expected) in [
            (TextFunction::Length, 0, None),
            (TextFunction::Compare, 0, None),
            (TextFunction::Find, 0, None),
            (TextFunction::CompareCounted, 2, Some(Outcome::Int(0))),
            (TextFunction::CompareCounted, 3, None),
            (TextFunction::CompareBytes, 2, Some(Outcome::Int(0))),
            (TextFunction::CompareBytes, 3, None),
            (TextFunction::FindByte, 2, Some(Outcome::Place(None))),
            (TextFunction::FindByte, 3, None),
        ] {
            assert_eq!(compute(function, n), expected, "{function:?} {n}");
        }
    }
}
