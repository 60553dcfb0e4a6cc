//! The arguments of `...`: `va_list` and what is done with it (C17 7.16).
//!
//! A `va_list` is what the host's ABI has. Of 64 bits it is an array of one struct: as a parameter it is a pointer, and
//! nothing is assigned to it; what the struct holds has no name in the language. Of 32 bits it is a `char *`.

use thin_vec::ThinVec;

use crate::ast::{ExprId, ExprKind, TypeName};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, ExprData, Field, FloatTy, Namespace, RecordData, Scalar, Ty, VaListOp, View};
use crate::layout::{self, DataModel};
use crate::predeclared::VA_LIST_TAG;
use crate::sema::Calls;
use crate::sema::expression::Operand;
use crate::sema::expression::integer_rank::promoted;
use crate::sema::name::scope::Entity;
use crate::source::Span;

/// Bytes of an `int`, below which nothing passes to `...`.
const INT_SIZE: u64 = 4;

/// The words of eight bytes in the struct.
const N_WORDS: u64 = 3;

/// The operation that a function's name stands for.
pub(in crate::sema) fn named(name: &str) -> Option<VaListOp> {
    Some(match name {
        "__builtin_va_start" => VaListOp::Start,
        "__builtin_va_end" => VaListOp::End,
        "__builtin_va_copy" => VaListOp::Copy,
        _ => return None,
    })
}

/// The bytes of an `__int128`.
const WIDE_INTEGER_SIZE: u64 = 16;

impl Calls<'_> {
    /// The struct, an array of one of which is a list of arguments.
    pub(in crate::sema) fn va_list_tag(&mut self) -> Ty {
        if let Some(tag) = self.known.va_list_tag {
            return tag;
        }
        let span = Span::default();
        let words = self.module.types.array_of(Ty::ULONG, Some(N_WORDS));
        let field = Field {
            is_base: false,
            is_mutable: false,
            name: Some("<list>".into()),
            ty: words,
            bit_width: None,
            align: None,
            pack: None,
            span,
        };
        let (_, tag) = self.module.types.add_record(RecordData {
            tag: Some(VA_LIST_TAG.into()),
            typedef_name: None,
            outer: None,
            owner: None,
            namespace: Namespace::GLOBAL,
            is_union: false,
            fields: Some(vec![field]),
            align: None,
            is_builtin: true,
            half: None,
            has_own_copy: false,
            lambda: None,
            span,
        });
        self.known.va_list_tag = Some(tag);
        tag
    }

    /// What `va_list` stands for.
    pub(in crate::sema) fn va_list_ty(&mut self) -> Ty {
        match self.module.types.model() {
            DataModel::Lp64 => {
                let tag = self.va_list_tag();
                self.module.types.array_of(tag, Some(1))
            }
            DataModel::Ilp32 => self.module.types.pointer_to(Ty::CHAR),
        }
    }

    /// A call of `va_start`, `va_end` or `va_copy`.
    pub(in crate::sema) fn check_va_list_call(
        &mut self,
        op: VaListOp,
        name: &str,
        args: &[ExprId],
        name_span: Span,
        span: Span,
    ) -> Result<Expr, Reported> {
        let n_wanted = if op == VaListOp::End { 1 } else { 2 };
        if args.len() != n_wanted {
            return Err(self.builtins().other_argument_count(name, n_wanted, args, span));
        }
        let lists = if op == VaListOp::Start { &args[..1] } else { args };
        let lists: Vec<_> = lists.iter().map(|&list| self.check_va_list(list)).collect();
        if op == VaListOp::Start {
            self.check_va_start(args[1], name_span)?;
        }
        let lists: ThinVec<Expr> = lists.into_iter().collect::<Result<_, _>>()?;
        Ok(self.expr(ExprData::VaList(op, lists), Ty::VOID, span))
    }

    /// Where `va_start` stands, and that it names the last parameter (C17 7.16.1.4p4).
    fn check_va_start(&mut self, last: ExprId, name_span: Span) -> Result<(), Reported> {
        let ty = self.func.as_ref().map(|func| self.module.functions[func.func].ty);
        if !ty.and_then(|ty| self.module.types.func(ty)).is_some_and(|func| func.variadic) {
            let message = "`va_start` used in function with fixed args";
            return Err(self.error(Code::InvalidVariadic, name_span, message));
        }
        let mut named = last;
        while let ExprKind::Paren(inner) = self.unit.exprs[named].kind {
            named = inner;
        }
        let last_param = self.statements().func_cx().params.last().copied();
        let is_last = match self.unit.exprs[named].kind {
            ExprKind::Ident(symbol) => match self.names_ref().lookup(symbol).map(|binding| binding.entity) {
                Some(Entity::Local(local)) => {
                    self.statements().func_cx().locals[local].is_referenced = true;
                    Some(local) == last_param
                }
                Some(_) | None => false,
            },
            _ => false,
        };
        if is_last {
            return Ok(());
        }
        let span = self.unit.exprs[last].span;
        let message = "second argument to `va_start` is not the last named parameter";
        self.sink.emit(Diagnostic::new(Code::Varargs, span, message));
        Ok(())
    }

    /// A list as the pointer to its first word.
    fn check_va_list(&mut self, list: ExprId) -> Result<Expr, Reported> {
        match self.module.types.model() {
            DataModel::Lp64 => self.check_list_struct(list),
            DataModel::Ilp32 => self.check_list_pointer(list),
        }
    }

    /// A list that is a `char *`, as the pointer to it.
    fn check_list_pointer(&mut self, list: ExprId) -> Result<Expr, Reported> {
        let span = self.unit.exprs[list].span;
        let operand = self.expressions().check_expr(list)?;
        let ty = self.expressions().operand_ty(operand)?;
        let list_ty = self.va_list_ty();
        match operand {
            Operand::Place(place) | Operand::Member(place) if self.same(ty, list_ty) => {
                let ptr_ty = self.module.types.pointer_to(ty);
                Ok(self.expr(ExprData::AddrOf(place), ptr_ty, span))
            }
            _ => {
                let ty = self.show(ty);
                let message = format!("expected an object of the type `va_list`, found {ty}");
                Err(self.error(Code::InvalidVariadic, span, message))
            }
        }
    }

    /// A list that is an array, as the pointer to its struct.
    fn check_list_struct(&mut self, list: ExprId) -> Result<Expr, Reported> {
        let value = self.expressions().check_rvalue(list)?;
        let ty = self.ty_of(value);
        let pointee = self.module.types.pointee(ty);
        let is_list = pointee.is_some_and(|pointee| {
            let types = &self.module.types;
            let record = types.record(pointee).map(|record| &types.records[record]);
            types.quals(pointee).is_empty()
                && record
                    .is_some_and(|record| record.is_builtin && record.tag.as_deref() == Some(VA_LIST_TAG))
        });
        if is_list {
            return Ok(value);
        }
        let ty = self.show(ty);
        let message = format!("expected a `va_list`, found {ty}");
        Err(self.cx.error(Code::InvalidVariadic, self.span_of(value), message))
    }

    /// `va_arg(list, type)`
    pub(in crate::sema) fn check_va_arg(
        &mut self,
        list: ExprId,
        name: &TypeName,
        span: Span,
    ) -> Result<Expr, Reported> {
        let ty = self.types().resolve_type_name(name);
        let list = self.check_va_list(list)?;
        let ty = self.module.types.unqualified(ty?);
        self.require_argument_ty(ty, name.span)?;
        Ok(self.expr(ExprData::VaList(VaListOp::Arg, [list].into()), ty, span))
    }

    /// That an argument of `...` lies where nvcc's functions look for it, and where they may read it: those of packed
    /// types they read as if these were aligned, from addresses that are not.
    pub(super) fn require_unpacked(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        // nvcc does not compile a `va_arg` of most of those, and miscompiles others.
        let is_wide = self.has_wide_integer(ty)
            && layout::size_of(&self.module.types, ty).is_ok_and(|size| size > WIDE_INTEGER_SIZE);
        let (what, note) = match (self.is_packed(ty), is_wide) {
            (false, false) => return Ok(()),
            (true, _) => {
                ("which is packed", "in code from nvcc, calls and functions disagree about where it is")
            }
            (false, true) => {
                ("with an `__int128` and other members", "functions compiled by nvcc cannot read it")
            }
        };
        let shown = self.show(ty);
        let message = format!("variadic argument of type {shown}, {what}, is not supported");
        let diagnostic = Diagnostic::new(Code::UnsupportedLayout, span, message)
            .with_note(note)
            .with_help("pass its address");
        Err(self.sink.error(diagnostic))
    }

    /// Whether there is an `__int128` in a struct. A union is words.
    fn has_wide_integer(&self, ty: Ty) -> bool {
        let types = &self.module.types;
        match types.view(ty) {
            View::Array(elem, _) => self.has_wide_integer(elem),
            View::Scalar(Scalar::Int(int)) => layout::int_layout(int).size == WIDE_INTEGER_SIZE,
            View::Record(record) if !types.records[record].is_union => {
                let mut fields = types.records[record].fields.iter().flatten();
                fields.any(|field| field.bit_width.is_none() && self.has_wide_integer(field.ty))
            }
            View::Scalar(_) | View::Record(_) | View::Error | View::Void | View::Func(_) => false,
        }
    }

    /// Whether a struct, or what is in it, is packed so that a scalar may lie at less than its alignment.
    fn is_packed(&self, ty: Ty) -> bool {
        let types = &self.module.types;
        match types.view(ty) {
            View::Array(elem, _) => self.is_packed(elem),
            View::Record(record) => {
                let data = &types.records[record];
                let fields = || data.fields.iter().flatten();
                let is_wide = |field: &Field| {
                    field.bit_width.is_none()
                        && layout::align_of(types, field.ty).is_ok_and(|align| align > 1)
                };
                // A packed union is bytes.
                let is_bytes = data.is_union && layout::align_of(types, ty) == Ok(1);
                let is_packed = fields().any(|field| field.pack.is_some()) && fields().any(is_wide);
                is_packed && !is_bytes || fields().any(|field| self.is_packed(field.ty))
            }
            View::Scalar(_) | View::Error | View::Void | View::Func(_) => false,
        }
    }

    /// That an argument of `...` can have the type: one that promotion leaves as it is (C17 7.16.1.1p2), or with a
    /// warning, as nvcc has it, another.
    fn require_argument_ty(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        let types = &self.module.types;
        let promoted = match types.view(ty) {
            View::Scalar(Scalar::Int(int)) if promoted(int) != int => promoted(int).spelling(),
            View::Scalar(Scalar::Enum(enum_))
                if layout::int_layout(types.enums[enum_].underlying).size < INT_SIZE =>
            {
                "int"
            }
            View::Scalar(Scalar::Float(FloatTy::Float)) => "double",
            View::Record(_) if types.is_trivially_copyable(ty) => {
                self.types().require_complete(ty, span)?;
                return self.require_unpacked(ty, span);
            }
            View::Error => return Err(self.poisoned()),
            View::Scalar(Scalar::Opaque(_))
            | View::Record(_)
            | View::Void
            | View::Array(..)
            | View::Func(_) => {
                let shown = self.show(ty);
                let message = format!("no variadic argument can have type {shown}");
                return Err(self.error(Code::InvalidVariadic, span, message));
            }
            View::Scalar(_) => return Ok(()),
        };
        let shown = self.show(ty);
        let message = format!(
            "second argument to `va_arg` is of promotable type {shown}; it is passed as `{promoted}`"
        );
        let diagnostic = Diagnostic::new(Code::Varargs, span, message)
            .with_help(format!("use `{promoted}` and convert the value"));
        self.sink.emit(diagnostic);
        Ok(())
    }
}
