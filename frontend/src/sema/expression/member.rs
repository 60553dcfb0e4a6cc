//! Members of objects by their names (C++17 8.2.5, 13.2): data members, those of anonymous members and base classes, constants of the class.

use smallvec::SmallVec;

use super::Operand;
use crate::ast::{ExprId, Name};
use crate::diag::{Code, Diagnostic, Fix, Reported};
use crate::ir::{Axis, Expr, ExprData, Field, Place, PlaceData, Quals, Record, Ty};
use crate::limits::MAX_NESTING;
use crate::predeclared::SpecialVar;
use crate::sema::call::overload::Overloads;
use crate::sema::name::advice::Advised;
use crate::sema::name::scope::Entity;
use crate::sema::{Evaluation, Expressions};
use crate::source::Span;
use crate::token::{Punct, Symbol};

/// The members that lead to one.
pub(in crate::sema) type MemberPath = SmallVec<[u32; 2]>;

impl Expressions<'_> {
    /// `base.name` and `base->name` (C++17 8.2.5).
    pub(super) fn check_member(
        &mut self,
        base: ExprId,
        arrow: bool,
        name: Name,
        span: Span,
    ) -> Result<Operand, Reported> {
        // What stands between the object and the member's name: the operator.
        let op_span = Span::new(self.unit.exprs[base].span.hi, name.span.lo);
        let base = self.check_expr(base)?;
        let base = if arrow { Operand::Value(self.arrow_pointer(base)?) } else { base };
        self.member_of_operand(base, arrow, op_span, name, span)
    }

    /// The operand of `->` as a pointer.
    pub(in crate::sema) fn arrow_pointer(&mut self, mut base: Operand) -> Result<Expr, Reported> {
        // What an `operator->` gives may have one, too (C++17 16.5.6).
        for _ in 0..MAX_NESTING {
            let span = self.operand_span(base);
            let Some(methods) = self.class_operator(base, Punct::Arrow)? else { break };
            base = self.calls().call_method(&methods, Some(base), span, &[], span)?;
        }
        self.rvalue(base)
    }

    /// The member functions of the operand's class that are the operator.
    pub(in crate::sema) fn class_operator(
        &mut self,
        operand: Operand,
        punct: Punct,
    ) -> Result<Option<Overloads>, Reported> {
        let Some(symbol) = punct.operator_name() else { return Ok(None) };
        if !self.known.names.of_methods.contains(&symbol) {
            return Ok(None);
        }
        let ty = self.operand_ty(operand)?;
        let name = Name { symbol, span: self.operand_span(operand) };
        let class = self.module.types.record(ty);
        Ok(class.and_then(|class| self.calls().methods_named(class, name)))
    }

    /// A member of what has been checked; `arrow`: what it points to.
    pub(in crate::sema) fn member_of_operand(
        &mut self,
        base: Operand,
        arrow: bool,
        op_span: Span,
        name: Name,
        span: Span,
    ) -> Result<Operand, Reported> {
        match base {
            Operand::Value(pointer) if arrow => self.pointer_member(pointer, op_span, name, span),
            Operand::Special(var, at) if var != SpecialVar::WarpSize => {
                self.special_member(var, at, name, span)
            }
            Operand::Place(place) => {
                self.require_record(self.place_ty(place), Some(place), op_span, name)?;
                self.member_operand(place, name, span)
            }
            Operand::Assigned(expr, ty) => {
                self.require_record(ty, None, op_span, name)?;
                let at = self.span_of(expr);
                let place = self.place(PlaceData::Assigned(expr), ty, at);
                self.member_of_object(place, name, span)
            }
            Operand::Member(place) => {
                self.require_record(self.place_ty(place), None, op_span, name)?;
                self.member_of_value(place, name, span)
            }
            Operand::Value(_)
            | Operand::Func(..)
            | Operand::Overloads(..)
            | Operand::FuncDeref(_)
            | Operand::Builtin(..)
            | Operand::Const(..)
            | Operand::Special(..) => {
                let value = self.rvalue(base)?;
                let ty = self.ty_of(value);
                self.require_record(ty, None, op_span, name)?;
                let at = self.span_of(value);
                let value = self.conversions().own_value(value)?;
                let place = self.place(PlaceData::Temporary(value), ty, at);
                self.member_of_value(place, name, span)
            }
        }
    }

    /// A member of what is no lvalue; what a reference leads to is one (C++17 8.2.5p6).
    fn member_of_value(&mut self, base: Place, name: Name, span: Span) -> Result<Operand, Reported> {
        Ok(match self.member_of_object(base, name, span)? {
            Operand::Place(place) if matches!(self.arena.places[place].data, PlaceData::Field(..)) => {
                Operand::Member(place)
            }
            operand => operand,
        })
    }

    /// A member of an object, or the function to which one refers.
    pub(in crate::sema) fn member_of_object(
        &mut self,
        base: Place,
        name: Name,
        span: Span,
    ) -> Result<Operand, Reported> {
        let place = self.member_of(base, name, span)?;
        let node = &self.arena.places[place];
        match node.data {
            PlaceData::Deref(pointer) if self.module.types.func(node.ty).is_some() => {
                Ok(Operand::FuncDeref(pointer))
            }
            _ => Ok(Operand::Place(place)),
        }
    }

    fn pointer_member(
        &mut self,
        pointer: Expr,
        op_span: Span,
        name: Name,
        span: Span,
    ) -> Result<Operand, Reported> {
        let ty = self.ty_of(pointer);
        let at = self.span_of(pointer);
        let Some(pointee) = self.module.types.pointee(ty) else {
            let shown = self.show(ty);
            let message = format!("member reference type {shown} is not a pointer");
            let mut diagnostic = Diagnostic::new(Code::InvalidMemberAccess, at, message);
            if self.module.types.record(ty).is_some() {
                diagnostic = diagnostic.with_fix(Fix::new("did you mean to use `.`?", op_span, "."));
            }
            return Err(self.sink.error(diagnostic));
        };
        self.require_record(pointee, None, op_span, name)?;
        self.refuse_long_doubles_in(pointee, at)?;
        let place = self.place(PlaceData::Deref(pointer), pointee, at);
        self.member_operand(place, name, span)
    }

    /// A member of an object, or a constant of its type, for which the object is evaluated (C++17 8.2.5p1).
    fn member_operand(&mut self, base: Place, name: Name, span: Span) -> Result<Operand, Reported> {
        if let Some(record) = self.module.types.record(self.place_ty(base))
            && self.find_member(record, name.symbol).is_none()
            && let Some(binding) = self.types_ref().class_member(record, name.symbol)
            && !matches!(binding.entity, Entity::Typedef(_))
        {
            self.names().require_access(record, name)?;
            let operand = self.entity_operand(binding, name)?;
            if let PlaceData::Local(_) | PlaceData::Global(_) = self.arena.places[base].data {
                return Ok(operand);
            }
            let object = self.discard(Operand::Place(base))?;
            return self.comma(object, operand, span);
        }
        self.member_of_object(base, name, span)
    }

    /// `S::member` where it is not evaluated: there is no object (C++17 8.1.4p2). None: it is something else.
    pub(in crate::sema) fn unevaluated_member(
        &mut self,
        ty: Ty,
        name: Name,
        span: Span,
    ) -> Option<Result<Operand, Reported>> {
        let record = self.module.types.record(ty).filter(|_| self.evaluation == Evaluation::Unevaluated)?;
        self.templates().complete(ty, name.span);
        self.find_member(record, name.symbol)?;
        let pointer = self.module.types.pointer_to(ty);
        let null = self.expr(ExprData::Null, pointer, span);
        let object = self.place(PlaceData::Deref(null), ty, span);
        Some(self.member_of_object(object, name, span))
    }

    /// The type is a struct or union that is defined.
    fn require_record(
        &mut self,
        ty: Ty,
        place: Option<Place>,
        op_span: Span,
        name: Name,
    ) -> Result<Record, Reported> {
        if let Some(record) = self.module.types.record(ty) {
            self.types().require_complete(ty, name.span)?;
            return Ok(record);
        }
        if self.canonical(ty) == Ty::ERROR {
            return Err(self.poisoned());
        }
        let shown = self.show(ty);
        let is_pointer = self.module.types.pointee(ty).is_some_and(|p| self.module.types.record(p).is_some());
        let diagnostic = if is_pointer {
            let message = format!("member reference type {shown} is a pointer");
            Diagnostic::new(Code::InvalidMemberAccess, name.span, message).with_fix(Fix::new(
                "did you mean to use `->`?",
                op_span,
                "->",
            ))
        } else {
            let message = format!("member reference base type {shown} is not a structure or union");
            Diagnostic::new(Code::InvalidMemberAccess, name.span, message)
        };
        let diagnostic = match place.map(|p| self.arena.places[p].span) {
            Some(span) => diagnostic.with_label(span, format!("has type {shown}")),
            None => diagnostic,
        };
        Err(self.sink.error(diagnostic))
    }

    pub(super) fn member_of(&mut self, base: Place, name: Name, span: Span) -> Result<Place, Reported> {
        let base_ty = self.place_ty(base);
        let Some(record) = self.module.types.record(base_ty) else { return Err(self.poisoned()) };
        let Some(path) = self.path_to_member(record, name.symbol) else {
            return Err(self.no_member(record, base_ty, name));
        };
        self.types().require_one_base(record, name)?;
        let object = self.class_of_whole(base).unwrap_or(record);
        self.names().require_data_access(record, object, name)?;
        let mut place = base;
        for idx in path {
            place = self.direct_member(place, idx, name, span)?;
        }
        Ok(place)
    }

    /// The class of the object whose part of a base class a place is, or of the object itself.
    pub(in crate::sema) fn class_of_whole(&self, place: Place) -> Option<Record> {
        let mut place = place;
        while let PlaceData::Field(outer, idx) = self.arena.places[place].data {
            let class = self.module.types.record(self.place_ty(outer))?;
            let fields = self.module.types.records[class].fields.as_deref().unwrap_or_default();
            if !fields.get(idx as usize).is_some_and(|field| field.is_base) {
                break;
            }
            place = outer;
        }
        self.module.types.record(self.place_ty(place))
    }

    /// A member of the class of an object itself: that with the name, or one in which that is.
    fn direct_member(&mut self, base: Place, idx: u32, name: Name, span: Span) -> Result<Place, Reported> {
        let base_ty = self.place_ty(base);
        let Some(record) = self.module.types.record(base_ty) else { return Err(self.poisoned()) };
        if !self.known.advice.is_empty()
            && let Some(field) =
                self.module.types.records[record].fields.as_ref().and_then(|f| f.get(idx as usize))
        {
            let declared = field.span;
            let spelling = self.spelling(name.symbol);
            self.names().warn_use(Advised::At(declared), spelling, name.span);
        }
        Ok(self.field_place(base, idx, span))
    }

    /// The place of a member of an object, or what it refers to.
    pub(super) fn field_place(&mut self, base: Place, idx: u32, span: Span) -> Place {
        let base_ty = self.place_ty(base);
        let ty = self.field_ty(base_ty, idx);
        if let Some((referred, _)) = self.module.types.reference(ty) {
            let quals = self.module.types.quals(base_ty) - Quals::RESTRICT;
            return self.conversions().referred_place(PlaceData::Field(base, idx), referred, quals, span);
        }
        self.place(PlaceData::Field(base, idx), ty, span)
    }

    /// The type of a member as part of an object of the type: with the object's qualifiers.
    pub(in crate::sema) fn field_ty(&mut self, record_ty: Ty, idx: u32) -> Ty {
        let quals = self.module.types.quals(record_ty);
        let record = self.module.types.record(record_ty).expect("invariant: a struct or union");
        let fields = self.module.types.records[record].fields.as_ref();
        let field = &fields.expect("invariant: a complete type")[idx as usize];
        let (ty, quals) = (field.ty, field.quals_in(quals));
        self.module.types.with_quals(ty, quals)
    }

    /// The index of the member with the name, or of the anonymous one or the base class in which it is.
    pub(in crate::sema) fn find_member(&self, record: Record, symbol: Symbol) -> Option<u32> {
        self.path_to_member(record, symbol).map(|path| path[0])
    }

    /// The way to the member with the name, through anonymous ones and base classes.
    pub(in crate::sema) fn path_to_member(&self, record: Record, symbol: Symbol) -> Option<MemberPath> {
        let mut path = MemberPath::new();
        self.add_path_to_member(record, symbol, &mut path).then_some(path)
    }

    fn add_path_to_member(&self, record: Record, symbol: Symbol, path: &mut MemberPath) -> bool {
        if let Some(idx) = self.own_member(record, symbol) {
            path.push(idx);
            let fields = self.module.types.records[record].fields.as_deref().unwrap_or_default();
            let field = fields.get(idx as usize).filter(|field| field.name.is_none());
            let inner = field.and_then(|field| self.module.types.record(field.ty));
            return inner.is_none_or(|inner| self.add_path_to_member(inner, symbol, path));
        }
        // What the class has itself hides what its bases have.
        if self.known.class_names.contains_key(&(record, symbol)) {
            return false;
        }
        let brought = self.known.names.brought.get(&(record, symbol)).map(|brought| brought.base);
        self.types_ref().bases_of(record).into_iter().any(|(idx, base)| {
            let leads = |to| base == to || self.types_ref().path_to_base(base, to).is_some();
            if brought.is_some_and(|to| !leads(to)) {
                return false;
            }
            path.push(idx);
            let is_found = self.add_path_to_member(base, symbol, path);
            if !is_found {
                path.pop();
            }
            is_found
        })
    }

    /// The index of the class's own member with the name, or of the anonymous one in which it is.
    pub(in crate::sema) fn own_member(&self, record: Record, symbol: Symbol) -> Option<u32> {
        if let Some(names) = self.known.record_facts.get(&record).and_then(|facts| facts.names.as_ref()) {
            return names.get(&symbol).copied();
        }
        let name = self.spelling(symbol);
        let has_name = |field: &Field| match &field.name {
            Some(own) => own == name,
            None => {
                let inner = self.module.types.record(field.ty).filter(|_| !field.is_base);
                inner.is_some_and(|inner| self.own_member(inner, symbol).is_some())
            }
        };
        let idx = self.module.types.records[record].fields.as_ref()?.iter().position(has_name)?;
        Some(idx as u32)
    }

    pub(in crate::sema) fn is_named_member(&self, record: Record, idx: u32) -> bool {
        let fields = self.module.types.records[record].fields.as_deref().unwrap_or_default();
        fields.get(idx as usize).is_some_and(|field| field.name.is_some())
    }

    pub(in crate::sema) fn no_member(&mut self, record: Record, ty: Ty, name: Name) -> Reported {
        if self.known.broken_records.contains(&record) {
            return self.poisoned();
        }
        let spelling = self.spelling(name.symbol);
        let ty = self.module.types.unqualified(ty);
        let message = format!("no member named `{spelling}` in {}", self.show(ty));
        let mut diagnostic = Diagnostic::new(Code::NoMember, name.span, message);
        let names = if self.sink.shows_more() { self.types_ref().member_names(record) } else { Vec::new() };
        if let Some(idx) =
            crate::diag::similar::similar(spelling, names.iter().map(|(name, _)| name.as_str()))
        {
            let (candidate, span) = &names[idx];
            let title = format!("did you mean `{candidate}`?");
            diagnostic = diagnostic.with_fix(Fix::new(title, name.span, candidate.as_str()));
            if !self.module.types.records[record].is_builtin {
                diagnostic = diagnostic.with_label(*span, format!("`{candidate}` declared here"));
            }
        }
        self.sink.error(diagnostic)
    }

    fn special_member(
        &mut self,
        var: SpecialVar,
        at: Span,
        name: Name,
        span: Span,
    ) -> Result<Operand, Reported> {
        let axis = match self.spelling(name.symbol) {
            "x" => Axis::X,
            "y" => Axis::Y,
            "z" => Axis::Z,
            _ => {
                let ty = self.names().special_ty(var);
                let record = self.require_record(ty, None, at, Name { symbol: name.symbol, span: at })?;
                return Err(self.no_member(record, ty, name));
            }
        };
        Ok(Operand::Value(self.expr(ExprData::SpecialReg(var.register(axis)), Ty::UINT, span)))
    }

    /// A member that keeps the whole from being assigned to, and wants an initializer: what it is, its name and its place.
    pub(in crate::sema) fn fixed_member(&self, record: Record) -> Option<(&'static str, String, Span)> {
        self.known.record_facts.get(&record)?.unset_member.clone()
    }
}
