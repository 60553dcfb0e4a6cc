//! The range-based `for` over objects of classes (C++17 9.5.4p1): `begin` and `end` are members of the class, or functions that
//! argument-dependent lookup finds; the operators of what they give are those that an expression would mean.

use thin_vec::ThinVec;

use super::range_for::{Range, RangeHead};
use crate::ast::{BinaryOp, Name, UnaryOp};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Local, Place, PlaceData, RefKind, Stmt, StmtData, Ty};
use crate::sema::Statements;
use crate::sema::call::overload::{Args, Overloads};
use crate::sema::conversion::Target;
use crate::sema::conversion::reference::Category;
use crate::sema::expression::Operand;
use crate::source::Span;

/// The functions that a class has for the loop.
struct Ends {
    begin: Overloads,
    end: Overloads,
}

impl Statements<'_> {
    pub(super) fn object_range(
        &mut self,
        object: Operand,
        ty: Ty,
        span: Span,
    ) -> Result<RangeHead, Reported> {
        let mut init = ThinVec::new();
        let held = self.hold_range(object, ty, span, &mut init)?;
        let members = self.member_ends(ty, span);
        let [begin, end] = match members {
            Some(Ends { begin, end }) => [("begin", Some(begin)), ("end", Some(end))],
            None => [("begin", None), ("end", None)],
        };
        let begin = self.range_end(begin, held, ty, span, &mut init)?;
        let end = self.range_end(end, held, ty, span, &mut init)?;
        let (at, stop) = (self.iterator(begin, span)?, self.iterator(end, span)?);
        let differs = self.expressions().comparison_of_operands(BinaryOp::Ne, (at, stop), span)?;
        let test = self.expressions().rvalue(differs)?;
        let test = self.conversions().truth(test)?;
        let cond = self.full_expression(test);
        let at = self.iterator(begin, span)?;
        let step = self.expressions().unary_of_operand(UnaryOp::PreInc, at, span)?;
        let step = self.expressions().discard(step)?;
        let step = self.full_effect(step);
        Ok(RangeHead { init, cond, step, range: Range::Iterator(begin) })
    }

    /// The element of the loop: `*begin`.
    pub(super) fn iterated_element(&mut self, at: Local, span: Span) -> Result<Operand, Reported> {
        let iterator = self.iterator(at, span)?;
        self.expressions().unary_of_operand(UnaryOp::Deref, iterator, span)
    }

    /// `auto &&range = object`: the address of what the loop goes over.
    fn hold_range(
        &mut self,
        object: Operand,
        ty: Ty,
        span: Span,
        list: &mut ThinVec<Stmt>,
    ) -> Result<Local, Reported> {
        let kind = match self.conversions_ref().category(object) {
            Category::Lvalue => RefKind::Lvalue,
            Category::BitField | Category::Xvalue | Category::Prvalue => RefKind::Rvalue,
        };
        let reference = self.module.types.reference_to(ty, kind);
        let address = self.conversions().bind(object, reference, Target::Initialize)?;
        let found = self.temporaries_of_bound(address);
        self.begin_temporaries(&found, list);
        let pointer = self.ty_of(address);
        let held = self.declare_value(address, pointer, span, list);
        self.end_temporaries(found, list, span);
        Ok(held)
    }

    /// The members `begin` and `end` of the class, if it has both: one alone does not count.
    fn member_ends(&mut self, ty: Ty, span: Span) -> Option<Ends> {
        let class = self.module.types.record(ty)?;
        let mut named = |spelling: &str| {
            let symbol = self.interner.lookup(spelling)?;
            self.calls().methods_named(class, Name { symbol, span })
        };
        Some(Ends { begin: named("begin")?, end: named("end")? })
    }

    /// `auto begin = range.begin()` or `auto begin = begin(range)`, and the same of `end`.
    fn range_end(
        &mut self,
        (spelling, members): (&str, Option<Overloads>),
        held: Local,
        ty: Ty,
        span: Span,
        list: &mut ThinVec<Stmt>,
    ) -> Result<Local, Reported> {
        let range = Operand::Place(self.held_range(held, ty, span));
        let found = match members {
            Some(members) => self.calls().call_method(&members, Some(range), span, &[], span)?,
            None => self.call_by_argument(spelling, range, ty, span)?,
        };
        let value = self.expressions().rvalue(found)?;
        let value = self.conversions().own_value(value)?;
        let declared = self.ty_of(value);
        let declared = self.module.types.unqualified(declared);
        self.types().require_complete(declared, span)?;
        let iterator = self.conversions().unnamed_local(declared, span);
        let init = self.conversions().init_of_value(value, span);
        let found = self.temporaries_of_init(declared, init);
        let stmt = self.stmt(StmtData::Local(iterator, Some(init)), span);
        self.push_full(stmt, found, list);
        self.note_destructor(iterator, span);
        Ok(iterator)
    }

    fn call_by_argument(
        &mut self,
        spelling: &str,
        range: Operand,
        ty: Ty,
        span: Span,
    ) -> Result<Operand, Reported> {
        let mut args = Args::new();
        args.push(self.calls().object_arg(range)?);
        let symbol = self.interner.lookup(spelling);
        let overloads = symbol.map(|symbol| self.calls().associated(symbol, &args)).unwrap_or_default();
        if overloads.is_empty() {
            let message =
                format!("invalid range expression of type {}: no `{spelling}` function", self.show(ty));
            let note =
                "a class has both `begin` and `end` as members, or functions of these names in its namespace";
            let diagnostic = Diagnostic::new(Code::NoMatchingFunction, span, message).with_note(note);
            return Err(self.sink.error(diagnostic));
        }
        self.calls().check_call_among(&overloads, span, &args, span)
    }

    fn held_range(&mut self, held: Local, ty: Ty, span: Span) -> Place {
        let pointer = self.func_cx().locals[held].ty;
        let address = self.local_value(held, pointer, span);
        self.place(PlaceData::Deref(address), ty, span)
    }

    fn iterator(&mut self, local: Local, span: Span) -> Result<Operand, Reported> {
        let place = self.expressions().local_place(local, span);
        place.map(Operand::Place).ok_or_else(|| self.poisoned())
    }
}
