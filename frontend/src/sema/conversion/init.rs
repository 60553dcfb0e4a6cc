//! Initializers (C17 6.7.9, C++17 11.6).
//!
//! One path for all: the syntax becomes an [`Init`] of the arena; for a variable of static storage
//! duration `static_init` then evaluates it.
//!
//! Designators are taken as nvcc takes them ([`super::designator`]).

use std::mem;

use thin_vec::ThinVec;

use super::Target;
use super::construct::Form;
use super::designator::{Cursor, Elements};
use crate::ast::{ExprId, InitId, InitItem, InitKind, LitPrefix, StrLit};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, ExprData, Init, InitData, IntTy, Record, Ty, TyKind, View};
use crate::sema::Conversions;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::expression::Operand;
use crate::sema::expression::literal::unit_bytes;
use crate::source::Span;

/// Whether an aggregate has its own braces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    Own,
    /// Left out (C++17 11.6.1p12), or a designator led into it: the aggregate takes from the list around
    /// it what it needs.
    Elided,
}

impl<'a> Conversions<'a> {
    /// Checks the initializer of an object; gives the object's type too, since an array of unknown
    /// length gets its length here.
    pub(in crate::sema) fn check_init(
        &mut self,
        ty: Ty,
        id: InitId,
        target: Target,
    ) -> Result<(Init, Ty), Reported> {
        let unit = self.unit;
        let node = &unit.inits[id];
        if !ty.is_plain_number() && self.module.types.reference(ty).is_some() {
            let pointer = self.bind_init(id, ty, target)?;
            return Ok((self.init(InitData::Expr(pointer), node.span), ty));
        }
        if !ty.is_plain_number() {
            self.templates().complete(ty, node.span);
        }
        match &node.kind {
            InitKind::List(items) if self.builtins_ref().is_class(ty) => {
                Ok((self.builtins().check_class_list(ty, items, node.is_direct, node.span)?, ty))
            }
            InitKind::List(items) if self.constructed_class(ty).is_some() => {
                let form = if node.is_direct { Form::Direct } else { Form::CopyList };
                Ok((self.construct_from_list(ty, (id, items), form, node.span)?, ty))
            }
            InitKind::Parens(args) if self.constructed_class(ty).is_some() => {
                Ok((self.construct_from_exprs(ty, args, node.span)?, ty))
            }
            InitKind::Expr(expr) if node.is_direct && self.constructed_class(ty).is_some() => {
                Ok((self.construct_from_exprs(ty, &[*expr], node.span)?, ty))
            }
            InitKind::List(items) => {
                let is_aggregate = self.module.types.record(ty).is_some()
                    || matches!(self.module.types.kind(ty), TyKind::Array(..));
                let refuses = !self.initializes_variable
                    && match target {
                        Target::Initialize => false,
                        Target::Braces => is_aggregate && !self.builtins_ref().is_dim3_ty(ty),
                        Target::Argument(_) | Target::Assign => true,
                        Target::Return => !is_aggregate,
                    };
                let outer = mem::replace(&mut self.refuses_narrowing, refuses);
                let made = self.braced(ty, (id, items), node.span);
                self.refuses_narrowing = outer;
                if let Ok((init, _)) = made
                    && !self.initializes_variable
                {
                    self.refuse_open_value(ty, init)?;
                }
                made
            }
            InitKind::Parens(args) => Ok((self.builtins().check_parenthesized(ty, args, node.span)?, ty)),
            InitKind::Expr(expr) => {
                if let TyKind::Array(elem, len) = *self.module.types.kind(ty) {
                    return self.array_from_expr(ty, elem, len, *expr);
                }
                let value = self.calls().check_wanted(*expr, ty)?;
                let value = if node.is_direct && self.builtins_ref().casts_by_class(self.ty_of(value), ty) {
                    self.cast(value, ty, node.span)?
                } else {
                    self.convert(value, ty, target)?
                };
                Ok((self.init_of_value(value, node.span), ty))
            }
        }
    }

    /// Checks the initializer of a variable: within it nvcc takes what narrows, wherever it stands.
    pub(in crate::sema) fn check_variable_init(
        &mut self,
        ty: Ty,
        id: InitId,
    ) -> Result<(Init, Ty), Reported> {
        let outer = mem::replace(&mut self.initializes_variable, true);
        let checked = self.check_init(ty, id, Target::Initialize);
        self.initializes_variable = outer;
        checked
    }

    fn array_from_expr(
        &mut self,
        ty: Ty,
        elem: Ty,
        len: Option<u64>,
        expr: ExprId,
    ) -> Result<(Init, Ty), Reported> {
        if let Some(literal) = self.string_for(elem, expr) {
            return self.array_from_string(ty, len, literal, self.unit.exprs[expr].span);
        }
        self.expressions().check_rvalue(expr)?;
        let shown = self.show(ty);
        let message = format!("array of type {shown} must be initialized with an initializer list");
        Err(self.cx.error(Code::InvalidInitializer, self.unit.exprs[expr].span, message))
    }

    /// The literal, where the expression is one whose characters the elements can be (C++17 11.6.2p1).
    fn string_for(&self, elem: Ty, expr: ExprId) -> Option<&'a StrLit> {
        let TyKind::Int(int) = *self.module.types.kind(elem) else { return None };
        let literal = self.expressions_ref().string_behind(expr)?;
        let takes = match literal.prefix {
            LitPrefix::None | LitPrefix::U8 => matches!(int, IntTy::Char | IntTy::SChar | IntTy::UChar),
            LitPrefix::U16 => int == IntTy::Char16,
            LitPrefix::U32 => int == IntTy::Char32,
            LitPrefix::Wide => int == IntTy::WChar,
        };
        takes.then_some(literal)
    }

    // C++17 11.6.2
    fn array_from_string(
        &mut self,
        ty: Ty,
        len: Option<u64>,
        literal: &StrLit,
        span: Span,
    ) -> Result<(Init, Ty), Reported> {
        let n_units = literal.units.len() as u64 + 1;
        if let Some(len) = len.filter(|&len| len < n_units) {
            let message = format!(
                "initializer-string for char array is too long: {n_units} characters with the terminating null, array size {len}"
            );
            return Err(self.error(Code::ExcessInitializers, span, message));
        }
        let ty = self.module.types.with_len(ty, n_units);
        Ok((self.init(InitData::Bytes(unit_bytes(literal).into()), span), ty))
    }

    /// `{ … }` for an object of any type.
    fn braced(
        &mut self,
        ty: Ty,
        (id, items): (InitId, &'a [InitItem]),
        span: Span,
    ) -> Result<(Init, Ty), Reported> {
        if self.constructed_class(ty).is_some() {
            return Ok((self.construct_from_list(ty, (id, items), Form::CopyList, span)?, ty));
        }
        if items.is_empty() {
            self.names().require_device_default(ty, span)?;
        } else {
            self.names().require_device_construction(ty, span)?;
        }
        match self.module.types.view(ty) {
            View::Array(elem, len) => {
                if let [InitItem { designators, init }] = items
                    && designators.is_empty()
                    && let InitKind::Expr(expr) = self.unit.inits[*init].kind
                    && let Some(literal) = self.string_for(elem, expr)
                {
                    return self.array_from_string(ty, len, literal, span);
                }
                let mut cursor = Cursor::new(items);
                let (init, n_elems) = self.array_body(elem, len, &mut cursor, Braces::Own, None, span)?;
                if len.is_none() && n_elems == 0 {
                    return Err(self.error(Code::InvalidArrayLength, span, "array has length zero"));
                }
                Ok((init, self.module.types.with_len(ty, n_elems)))
            }
            View::Record(record) if self.builtins_ref().is_dim3(record) => {
                Ok((self.builtins().check_dim3_list(ty, items, span)?, ty))
            }
            View::Record(_) if self.module.types.half_ty(ty).is_some() => {
                Ok((self.builtins().check_half_list(ty, items, span)?, ty))
            }
            View::Record(_) if self.builtins_ref().is_class(ty) => {
                Ok((self.builtins().check_class_list(ty, items, false, span)?, ty))
            }
            View::Record(record) => {
                self.types().require_complete(ty, span)?;
                let mut cursor = Cursor::new(items);
                if items.len() == 1
                    && items[0].designators.is_empty()
                    && let Some(init) = self.whole_record(ty, record, &mut cursor)?
                {
                    return Ok((init, ty));
                }
                Ok((self.record_body(ty, record, &mut cursor, Braces::Own, None, span)?, ty))
            }
            View::Error => Err(self.poisoned()),
            View::Scalar(_) | View::Void | View::Func(_) => Ok((self.braced_scalar(ty, items, span)?, ty)),
        }
    }

    fn braced_scalar(&mut self, ty: Ty, items: &'a [InitItem], span: Span) -> Result<Init, Reported> {
        let Some(first) = items.first() else {
            let ty = self.module.types.unqualified(ty);
            let zero = self.zero_value(ty, span)?;
            return Ok(self.init(InitData::Expr(zero), span));
        };
        if let Some(extra) = items.get(1) {
            let span = self.unit.inits[extra.init].span;
            return Err(self.error(Code::ExcessInitializers, span, "excess elements in scalar initializer"));
        }
        if !first.designators.is_empty() {
            let message = "designator in the initializer of a scalar";
            return Err(self.error(Code::InvalidDesignator, span, message));
        }
        if matches!(self.unit.inits[first.init].kind, InitKind::List(_)) {
            let message = "too many braces around scalar initializer";
            return Err(self.cx.error(Code::InvalidInitializer, self.unit.inits[first.init].span, message));
        }
        let mut cursor = Cursor::new(items);
        self.element(ty, &mut cursor, None)
    }

    /// The object that the next item initializes, with brace elision. Where designators lead into it, it keeps what
    /// it has been `base` for.
    pub(in crate::sema) fn element(
        &mut self,
        ty: Ty,
        cursor: &mut Cursor<'a>,
        base: Option<Init>,
    ) -> Result<Init, Reported> {
        let Some(item) = cursor.peek() else { return Err(self.poisoned()) };
        if cursor.leads_on() {
            return self.designated_element(ty, cursor, base);
        }
        let unit = self.unit;
        let node = &unit.inits[item.init];
        if self.module.types.reference(ty).is_some() {
            cursor.advance();
            let pointer = self.bind_init(item.init, ty, Target::Initialize)?;
            return Ok(self.init(InitData::Expr(pointer), node.span));
        }
        if let TyKind::Array(elem, None) = *self.module.types.kind(ty) {
            cursor.advance();
            return self.open_member(elem, item.init);
        }
        let expr = match &node.kind {
            InitKind::List(items) => {
                cursor.advance();
                let init = self.braced(ty, (item.init, items), node.span)?.0;
                self.refuse_open_value(ty, init)?;
                return Ok(init);
            }
            InitKind::Expr(expr) => *expr,
            InitKind::Parens(_) => return Err(self.poisoned()),
        };
        match self.module.types.view(ty) {
            View::Array(elem, len) => {
                if let Some(literal) = self.string_for(elem, expr) {
                    cursor.advance();
                    return Ok(self.array_from_string(ty, len, literal, node.span)?.0);
                }
                Ok(self.array_body(elem, len, cursor, Braces::Elided, None, node.span)?.0)
            }
            View::Record(record) => match self.whole_record(ty, record, cursor)? {
                Some(init) => Ok(init),
                None if !self.takes_values(ty) => {
                    // All that follow would meet the same.
                    while cursor.peek().is_some() {
                        cursor.advance();
                    }
                    let shown = self.show(ty);
                    let message = format!("{shown} has no members to initialize");
                    let diagnostic = Diagnostic::new(Code::ExcessInitializers, node.span, message)
                        .with_help("initialize it with `{}`");
                    Err(self.sink.error(diagnostic))
                }
                None => self.record_body(ty, record, cursor, Braces::Elided, None, node.span),
            },
            View::Scalar(_) | View::Error | View::Void | View::Func(_) => {
                let checked = cursor.checked;
                cursor.advance();
                let value = match checked {
                    Some(operand) if !matches!(operand, Operand::Builtin(..) | Operand::Overloads(..)) => {
                        self.expressions().rvalue(operand)?
                    }
                    _ => self.calls().check_wanted(expr, ty)?,
                };
                // What is refused is not warned of before.
                if self.refuses_narrowing {
                    self.check_narrowing(value, ty)?;
                }
                let n_reported = self.sink.diagnostics().len();
                let converted = self.convert(value, ty, Target::Initialize)?;
                if !self.refuses_narrowing && self.sink.diagnostics().len() == n_reported {
                    self.check_narrowing(value, ty)?;
                }
                let folded = self.folded_element(converted);
                Ok(self.init(InitData::Expr(folded), node.span))
            }
        }
    }

    /// The value of a flexible array member (GNU C "Zero Length"): a list in braces, which gives it its length.
    fn open_member(&mut self, elem: Ty, id: InitId) -> Result<Init, Reported> {
        let node = &self.unit.inits[id];
        let InitKind::List(items) = &node.kind else {
            let message = "flexible array member must be initialized with a list in braces";
            return Err(self.error(Code::UnsupportedInitializer, node.span, message));
        };
        if let [InitItem { init, .. }] = items[..]
            && let InitKind::Expr(expr) = self.unit.inits[init].kind
            && self.string_for(elem, expr).is_some()
        {
            let message = "string literal cannot initialize a flexible array member";
            return Err(self.error(Code::UnsupportedInitializer, node.span, message));
        }
        let mut cursor = Cursor::new(items);
        let (init, n_elems) = self.array_body(elem, None, &mut cursor, Braces::Own, None, node.span)?;
        let array = self.module.types.array_of(elem, Some(n_elems));
        self.types().require_writable_value(array, node.span)?;
        Ok(init)
    }

    /// Reports a value for the flexible array member of an object that is no variable with static storage duration:
    /// a part of one, or one in a function.
    pub(in crate::sema) fn refuse_open_value(&mut self, ty: Ty, init: Init) -> Result<(), Reported> {
        let InitData::Record(members) = &self.arena.inits[init].data else { return Ok(()) };
        let Some(&(idx, value)) = members.last() else { return Ok(()) };
        let member_ty = self.expressions().field_ty(ty, idx);
        if !matches!(self.module.types.kind(member_ty), TyKind::Array(_, None)) {
            return Ok(());
        }
        let message =
            "flexible array member can be initialized only in a variable with static storage duration";
        Err(self.cx.error(Code::UnsupportedInitializer, self.arena.inits[value].span, message))
    }

    /// Whether a list without braces of its own can give anything in the type a value.
    fn takes_values(&self, ty: Ty) -> bool {
        let types = &self.module.types;
        match types.view(ty) {
            View::Array(elem, len) => len != Some(0) && self.takes_values(elem),
            View::Record(record) => match &types.records[record].fields {
                Some(fields) => fields.iter().any(|field| self.takes_values(field.ty)),
                // It is incomplete, which is reported.
                None => true,
            },
            View::Scalar(_) | View::Error | View::Void | View::Func(_) => true,
        }
    }

    /// The object into which the next item's designators lead on.
    fn designated_element(
        &mut self,
        ty: Ty,
        cursor: &mut Cursor<'a>,
        base: Option<Init>,
    ) -> Result<Init, Reported> {
        let parts = match self.overridden_parts(ty, base) {
            Ok(parts) => parts,
            Err(reported) => {
                cursor.advance();
                return Err(reported);
            }
        };
        let span = cursor.peek().map_or_else(Span::default, |item| self.unit.inits[item.init].span);
        match self.module.types.view(ty) {
            View::Array(elem, len) => Ok(self.array_body(elem, len, cursor, Braces::Elided, parts, span)?.0),
            View::Record(record) if !self.builtins_ref().is_dim3(record) => {
                self.types().require_complete(ty, span)?;
                self.record_body(ty, record, cursor, Braces::Elided, parts, span)
            }
            View::Scalar(_) | View::Record(_) | View::Error | View::Void | View::Func(_) => {
                cursor.advance();
                let shown = self.show(ty);
                let message = format!("designator in the initializer of {shown}");
                Err(self.error(Code::InvalidDesignator, span, message))
            }
        }
    }

    /// A converted or negated constant as a constant, so that a list of constants is seen to be one.
    fn folded_element(&mut self, expr: Expr) -> Expr {
        if !matches!(self.arena.exprs[expr].data, ExprData::Convert(..) | ExprData::Unary(..)) {
            return expr;
        }
        let (ty, span) = (self.ty_of(expr), self.span_of(expr));
        match self.constants().eval(expr, Mode::Optional) {
            Ok(Value::Int(value)) if self.module.types.int_ty(ty).is_some() => {
                self.expr(ExprData::int(value), ty, span)
            }
            Ok(value @ (Value::Float(_) | Value::Extended(_))) => {
                self.expressions().value_expr(value, ty, span)
            }
            Ok(Value::Int(_) | Value::Addr(..)) | Err(_) => expr,
        }
    }

    /// The next item's expression, checked once.
    fn next_operand(&mut self, expr: ExprId, cursor: &mut Cursor<'a>) -> Result<Operand, Reported> {
        match cursor.checked {
            Some(operand) => Ok(operand),
            None => {
                let operand = self.expressions().check_expr(expr)?;
                cursor.checked = Some(operand);
                Ok(operand)
            }
        }
    }

    /// A whole struct from a value of its type, if the next item is one.
    fn whole_record(
        &mut self,
        to: Ty,
        record: Record,
        cursor: &mut Cursor<'a>,
    ) -> Result<Option<Init>, Reported> {
        let Some(item) = cursor.peek() else { return Ok(None) };
        let InitKind::Expr(expr) = self.unit.inits[item.init].kind else { return Ok(None) };
        // Which of its functions is meant the member says.
        if self.calls().overloads_behind(expr).is_some() {
            return Ok(None);
        }
        let operand = match self.next_operand(expr, cursor) {
            Ok(operand) => operand,
            Err(reported) => {
                cursor.advance();
                return Err(reported);
            }
        };
        let ty = self.expressions().operand_ty(operand)?;
        // What is no aggregate takes one value, which converts or does not; an object of a derived class converts to any class.
        let is_whole = self.module.types.record(ty) == Some(record)
            || self.types_ref().derivation(ty, to).is_some()
            || self.builtins_ref().is_dim3(record)
            || self.module.types.half_ty(to).is_some()
            || self.builtins_ref().is_class(to)
            || self.constructed_class(to).is_some()
            || matches!(operand, Operand::Value(value) if self.conversion_function(value, to, Form::Copy).is_some())
            || self.builtins_ref().converts_by_dim3(ty, to);
        if !is_whole {
            return Ok(None);
        }
        cursor.advance();
        let value = self.expressions().rvalue(operand)?;
        let value = self.convert(value, to, Target::Initialize)?;
        let span = self.span_of(value);
        Ok(Some(self.init_of_value(value, span)))
    }

    /// The elements of an array, and how many it would have if the list gave its length.
    fn array_body(
        &mut self,
        elem: Ty,
        len: Option<u64>,
        cursor: &mut Cursor<'a>,
        braces: Braces,
        parts: Option<InitData>,
        span: Span,
    ) -> Result<(Init, u64), Reported> {
        // Nothing in an incomplete type takes a value, and the list would never end.
        if let Err(reported) = self.types().require_complete(elem, span) {
            cursor.advance();
            return Err(reported);
        }
        let mut elements = match parts {
            Some(InitData::Array(list)) => Elements::of(list),
            _ => Elements::default(),
        };
        let mut idx = 0;
        let mut n_elems = 0;
        let mut result = Ok(());
        while let Some(item) = cursor.peek() {
            if braces == Braces::Elided && cursor.begins_designated() {
                break;
            }
            let steps = match self.array_step(cursor, idx, len) {
                Ok(steps) => steps,
                Err(reported) => {
                    cursor.advance();
                    return Err(reported);
                }
            };
            if len.is_some_and(|len| steps.first >= len) {
                if braces == Braces::Own {
                    return Err(self.excess(item, "array"));
                }
                break;
            }
            if let Err(reported) = self.array_elements(elem, steps, cursor, &mut elements) {
                result = Err(reported);
            }
            idx = steps.last + 1;
            n_elems = n_elems.max(idx);
        }
        result?;
        let mut elements = elements.into_list();
        if (elements.len() as u64) < len.unwrap_or(0) {
            self.require_no_reference(elem, span)?;
        }
        self.default_elements(elem, len.unwrap_or(n_elems), &mut elements, span)?;
        Ok((self.init(InitData::Array(elements), span), n_elems))
    }

    fn excess(&mut self, item: &InitItem, what: &str) -> Reported {
        // Members that were not understood are missing, or a `}`.
        if !self.known.broken_records.is_empty() {
            return self.poisoned();
        }
        let span = self.unit.inits[item.init].span;
        self.error(Code::ExcessInitializers, span, format!("excess elements in {what} initializer"))
    }

    fn record_body(
        &mut self,
        ty: Ty,
        record: Record,
        cursor: &mut Cursor<'a>,
        braces: Braces,
        parts: Option<InitData>,
        span: Span,
    ) -> Result<Init, Reported> {
        let is_union = self.module.types.records[record].is_union;
        let what = if is_union { "union" } else { "struct" };
        let n_fields = self.module.types.records[record].fields.as_ref().map_or(0, Vec::len) as u32;
        let mut kept: ThinVec<(u32, Init)> = match parts {
            Some(InitData::Record(members)) => members,
            _ => ThinVec::new(),
        };
        let mut members: ThinVec<(u32, Init)> = ThinVec::new();
        let mut idx = 0;
        let mut result = Ok(());
        while let Some(item) = cursor.peek() {
            if braces == Braces::Elided && cursor.begins_designated() {
                break;
            }
            match self.record_step(cursor, record, ty, idx) {
                Ok(step) => idx = step,
                Err(reported) => {
                    cursor.advance();
                    return Err(reported);
                }
            }
            // Unnamed bit-fields take no initializer (C17 6.7.9p9).
            while idx < n_fields && self.is_padding(record, idx) {
                idx += 1;
            }
            if idx >= n_fields || is_union && !members.is_empty() {
                if braces == Braces::Own {
                    return Err(self.excess(item, what));
                }
                break;
            }
            let field_ty = self.expressions().field_ty(ty, idx);
            let before = kept.iter().position(|&(known, _)| known == idx).map(|at| kept.remove(at).1);
            match self.element(field_ty, cursor, before) {
                Ok(init) => members.push((idx, init)),
                Err(reported) => result = Err(reported),
            }
            idx += 1;
        }
        result?;
        if !is_union {
            if !kept.is_empty() {
                members.append(&mut kept);
                members.sort_by_key(|&(idx, _)| idx);
            }
            for idx in (0..n_fields).filter(|idx| members.iter().all(|(known, _)| known != idx)) {
                let field_ty = self.declared_field(record, idx);
                let has_none = self.module.types.reference(field_ty).is_some();
                self.require_no_reference(if has_none { ty } else { field_ty }, span)?;
            }
            self.warn_missing_members(record, &members, cursor, braces, span);
            self.default_members(ty, &mut members, span)?;
        }
        Ok(self.init(InitData::Record(members), span))
    }

    /// The type with which a member was declared.
    pub(in crate::sema) fn declared_field(&self, record: Record, idx: u32) -> Ty {
        let fields = self.module.types.records[record].fields.as_deref().unwrap_or_default();
        fields.get(idx as usize).map_or(Ty::ERROR, |field| field.ty)
    }

    /// What the list gives no value is no reference and has none in it (C++17 11.6.1p8).
    fn require_no_reference(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        if ty.is_plain_number() {
            return Ok(());
        }
        let mut elem = ty;
        while let TyKind::Array(inner, _) = *self.module.types.kind(elem) {
            elem = inner;
        }
        let facts = self.module.types.record(elem).and_then(|record| self.known.record_facts.get(&record));
        let Some((name, declared)) = facts.and_then(|facts| facts.reference_member.clone()) else {
            return Ok(());
        };
        let message = format!("no value for the reference member `{name}` of {}", self.show(elem));
        let end = Span::new(span.hi.saturating_sub(1), span.hi);
        let diagnostic = Diagnostic::new(Code::InvalidReference, end, message)
            .with_label(declared, format!("`{name}` declared here"));
        Err(self.sink.error(diagnostic))
    }

    /// Warns of a list that ends before the last member.
    fn warn_missing_members(
        &mut self,
        record: Record,
        members: &[(u32, Init)],
        cursor: &Cursor<'a>,
        braces: Braces,
        span: Span,
    ) {
        let is_designated = braces == Braces::Own && cursor.has_designators();
        let code = match is_designated {
            true => Code::MissingDesignatedFieldInitializers,
            false => Code::MissingFieldInitializers,
        };
        // Where designators lead into it, others may follow.
        let is_led_into = braces == Braces::Elided && cursor.has_designators();
        if members.is_empty() || is_led_into || !self.sink.is_on(code) {
            return;
        }
        let fields = self.module.types.records[record].fields.iter().flatten();
        let missing = (0..).zip(fields).find(|(idx, field)| {
            let is_padding = field.name.is_none() && field.bit_width.is_some();
            let is_flexible = matches!(self.module.types.kind(field.ty), TyKind::Array(_, None));
            !is_padding && !is_flexible && members.iter().all(|(known, _)| known != idx)
        });
        let Some((_, field)) = missing else { return };
        let message = match &field.name {
            Some(name) => format!("missing field `{name}` initializer"),
            None => "missing initializer for an unnamed member".to_owned(),
        };
        let declared = field.span;
        let end = Span::new(span.hi.saturating_sub(1), span.hi);
        let diagnostic = Diagnostic::new(code, end, message)
            .with_label(declared, "declared here")
            .with_note("members without an initializer are zero");
        self.sink.emit(diagnostic);
    }

    fn is_padding(&self, record: Record, idx: u32) -> bool {
        let field = self.module.types.records[record].fields.as_ref().and_then(|f| f.get(idx as usize));
        field.is_some_and(|f| f.name.is_none() && f.bit_width.is_some())
    }

    pub(super) fn is_bit_field(&self, record_ty: Ty, idx: u32) -> bool {
        let fields =
            self.module.types.record(record_ty).and_then(|r| self.module.types.records[r].fields.as_ref());
        fields.and_then(|fields| fields.get(idx as usize)).is_some_and(|field| field.bit_width.is_some())
    }
}
