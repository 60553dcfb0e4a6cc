//! Literals (C++17 5.13): their types, and the arrays behind strings.

use crate::ast::{CharLit, ExprId, ExprKind, FloatLit, FloatSuffix, IntLength, IntLit, LitPrefix, StrLit};
use crate::diag::{Code, Diagnostic, Fix, Reported};
use crate::extended::Extended;
use crate::ir::{
    ConstInit, Exact, Expr, ExprData, GlobalData, IntTy, LinkName, Linkage, Namespace, Place, PlaceData,
    Quals, Space, Ty,
};
use crate::sema::Expressions;
use crate::sema::constant::const_eval::Value;
use crate::source::Span;

impl<'a> Expressions<'a> {
    // C++17 5.13.2
    pub(super) fn int_literal(&mut self, literal: IntLit, span: Span) -> Result<Expr, Reported> {
        let is_plain = literal.is_decimal && !literal.is_unsigned && literal.length == IntLength::None;
        match i32::try_from(literal.value) {
            Ok(value) if is_plain && value > 0 => Ok(self.expr(ExprData::Int(value.into()), Ty::INT, span)),
            _ => self.other_int_literal(literal, span),
        }
    }

    /// The same of a literal that may be odd.
    #[inline(never)]
    fn other_int_literal(&mut self, literal: IntLit, span: Span) -> Result<Expr, Reported> {
        let model = self.module.types.model();
        let (long, ulong) = (model.long(), model.ulong());
        let all = [IntTy::Int, IntTy::UInt, long, ulong, IntTy::LongLong, IntTy::ULongLong];
        let from = match literal.length {
            IntLength::None => 0,
            IntLength::Long => 2,
            IntLength::LongLong => 4,
        };
        // Decimal ones are never unsigned by themselves.
        let may_be = |int: &&IntTy| match (literal.is_unsigned, literal.is_decimal) {
            (true, _) => !int.is_signed(),
            (false, true) => int.is_signed(),
            (false, false) => true,
        };
        let mut candidates = all[from..].iter().filter(may_be);
        let value = i128::from(literal.value);
        // What `int` holds, all of them hold.
        let fits = |int: &&IntTy| literal.value >> 31 == 0 || Exact::from(value).fits(**int);
        let int = match candidates.find(fits) {
            Some(&int) => int,
            // As with nvcc and GNU C; C++ has no such literal (C++17 5.13.2p3).
            None => {
                let message = "integer literal is too large to be represented in a signed integer type, interpreting as unsigned";
                let fix = Fix::new("add the suffix", span.end(), "u");
                let diagnostic =
                    Diagnostic::new(Code::ImplicitlyUnsignedLiteral, span, message).with_fix(fix);
                self.sink.emit(diagnostic);
                if literal.length != IntLength::LongLong && Exact::from(value).fits(ulong) {
                    ulong
                } else {
                    IntTy::ULongLong
                }
            }
        };
        let expr = self.expr(ExprData::int(value), Ty::int(int), span);
        if value == 0 {
            self.arena.zero_literals.add(expr, ());
        }
        // Below that they fit in every type.
        if !literal.is_decimal && value > 0x7f && self.sink.is_on(Code::ConstantConversion) {
            self.arena.bit_patterns.insert(expr);
        }
        Ok(expr)
    }

    pub(super) fn float_literal(&mut self, literal: FloatLit, span: Span) -> Result<Expr, Reported> {
        let ty = match literal.suffix {
            FloatSuffix::None => Ty::DOUBLE,
            FloatSuffix::F => Ty::FLOAT,
            FloatSuffix::L(rest) => {
                self.warn_long_double(span);
                let value = Extended { nearest: literal.value, rest };
                return Ok(self.value_expr(Value::Extended(value), Ty::LONGDOUBLE, span));
            }
            FloatSuffix::Far => return Err(self.far_long_double(span)),
        };
        Ok(self.expr(ExprData::Float(literal.value), ty, span))
    }

    // C++17 5.13.3
    pub(super) fn char_literal(&mut self, literal: CharLit, span: Span) -> Expr {
        let ty = if literal.is_multichar { Ty::INT } else { character_ty(literal.prefix) };
        let expr = self.expr(ExprData::int(i128::from(literal.value)), ty, span);
        // C++17 7.11p1 says integer literals; nvcc takes characters too.
        if literal.value == 0 && !literal.is_multichar {
            self.arena.zero_literals.add(expr, ());
        }
        expr
    }

    /// The array behind a string literal (C++17 5.13.5p8): equal ones share one.
    pub(super) fn string_literal(&mut self, literal: &StrLit, span: Span) -> Place {
        let ty = self.string_ty(literal);
        self.string_place(unit_bytes(literal), ty, span)
    }

    /// The array of the type that holds the bytes and a zero.
    pub(super) fn string_place(&mut self, bytes: Vec<u8>, ty: Ty, span: Span) -> Place {
        let key = (bytes, ty);
        let global = match self.known.expressions.strings.get(&key) {
            Some(&global) => global,
            None => {
                let global = self.module.globals.push(GlobalData {
                    name: None,
                    link_name: LinkName::Cxx,
                    linkage: Linkage::Internal,
                    space: Space::Global,
                    is_managed: false,
                    ty,
                    align: None,
                    init: Some(ConstInit::Bytes(key.0.clone())),
                    is_extern: false,
                    owner: None,
                    namespace: Namespace::GLOBAL,
                    span,
                });
                self.known.expressions.strings.insert(key, global);
                global
            }
        };
        self.place(PlaceData::Global(global), ty, span)
    }

    /// The type of a string literal: of its characters and the terminating zero.
    pub(in crate::sema) fn string_ty(&mut self, literal: &StrLit) -> Ty {
        let character = self.module.types.with_quals(character_ty(literal.prefix), Quals::CONST);
        self.module.types.array_of(character, Some(literal.units.len() as u64 + 1))
    }

    /// The string literal that the expression is, parentheses aside.
    pub(in crate::sema) fn string_behind(&self, expr: ExprId) -> Option<&'a StrLit> {
        match &self.unit.exprs[expr].kind {
            ExprKind::Str(literal) => Some(&self.unit.strings[*literal]),
            ExprKind::Paren(inner) => self.string_behind(*inner),
            _ => None,
        }
    }
}

/// The type of a character literal, and of a string literal's elements (C++17 5.13.3, 5.13.5).
fn character_ty(prefix: LitPrefix) -> Ty {
    match prefix {
        LitPrefix::None | LitPrefix::U8 => Ty::CHAR,
        LitPrefix::U16 => Ty::CHAR16,
        LitPrefix::U32 => Ty::CHAR32,
        LitPrefix::Wide => Ty::WCHAR,
    }
}

/// The characters of a string literal as they lie in memory, without the terminating zero.
pub(in crate::sema) fn unit_bytes(literal: &StrLit) -> Vec<u8> {
    match literal.prefix {
        LitPrefix::None | LitPrefix::U8 => literal.units.iter().map(|&unit| unit as u8).collect(),
        LitPrefix::U16 => literal.units.iter().flat_map(|&unit| (unit as u16).to_le_bytes()).collect(),
        LitPrefix::U32 | LitPrefix::Wide => {
            literal.units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
        }
    }
}
