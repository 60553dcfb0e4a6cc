//! References (C++17 11.3.2): what they bind to (11.6.3), and what is meant by an expression that leads to one.
//!
//! What holds a reference holds an address. To name it is to read the address and designate what lies there, so that
//! expressions know places and pointers alone. A temporary that a reference binds to is an unnamed variable, which lives
//! as long as the block; where its destructor is called, `statement::temporary` decides.

use super::Target;
use crate::ast::{ExprId, ExprKind, InitId, InitItem, InitKind, NamedCast, TranslationUnit, UnaryOp};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Conversion, Expr, ExprData, Init, InitData, Place, PlaceData, Quals, RefKind, Ty, TyKind};
use crate::sema::Conversions;
use crate::sema::call::overload::Arg;
use crate::sema::expression::Operand;
use crate::source::Span;

/// What an initial value is, as far as a reference that it is for asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) enum Category {
    Lvalue,
    /// A bit-field, to which no reference binds.
    BitField,
    Xvalue,
    Prvalue,
}

/// How a reference binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) enum Bound {
    /// To what the operand designates, or to the object that its value becomes.
    Directly,
    /// To a temporary of the type referred to, which the value is converted to.
    Converted,
}

/// Why a reference does not bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) enum Unbound {
    /// It would lose qualifiers.
    Discards,
    /// It wants an lvalue, and has a value or one of another type.
    WantsLvalue,
    /// It wants a value, and has an lvalue.
    WantsRvalue,
    BitField,
}

impl Conversions<'_> {
    /// The place to which a reference leads that is held in a place of the kind: of a variable or member, with the qualifiers that
    /// it has as a part of an object.
    pub(in crate::sema) fn referred_place(
        &mut self,
        held: PlaceData,
        referred: Ty,
        quals: Quals,
        span: Span,
    ) -> Place {
        let pointer = self.held_address(held, referred, quals, span);
        self.place(PlaceData::Deref(pointer), referred, span)
    }

    /// The address that is held there.
    pub(in crate::sema) fn held_address(
        &mut self,
        held: PlaceData,
        referred: Ty,
        quals: Quals,
        span: Span,
    ) -> Expr {
        let pointer = self.module.types.pointer_to(referred);
        let held_ty = self.module.types.with_quals(pointer, quals);
        let held = self.place(held, held_ty, span);
        self.expr(ExprData::Load(held), pointer, span)
    }

    /// What an expression of the type gives, whose value is the one computed: of a reference, what it leads to (C++17 8p5).
    pub(in crate::sema) fn result_operand(&mut self, value: Expr, ty: Ty, span: Span) -> Operand {
        match self.module.types.reference(ty) {
            None => Operand::Value(value),
            Some((referred, _)) if self.module.types.func(referred).is_some() => Operand::FuncDeref(value),
            Some((referred, kind)) => {
                let place = self.place(PlaceData::Deref(value), referred, span);
                match kind {
                    RefKind::Lvalue => Operand::Place(place),
                    RefKind::Rvalue => Operand::Member(place),
                }
            }
        }
    }

    /// The type of the values that expressions have where the type is declared: of a reference, a pointer.
    pub(in crate::sema) fn value_ty(&mut self, ty: Ty) -> Ty {
        match self.module.types.reference(ty) {
            Some((referred, _)) => self.module.types.pointer_to(referred),
            None => self.module.types.unqualified(ty),
        }
    }

    /// The type without the reference, if it is one.
    pub(in crate::sema) fn unreferenced(&self, ty: Ty) -> Ty {
        self.module.types.reference(ty).map_or(ty, |(referred, _)| referred)
    }

    /// What the operand is (C++17 6.10).
    pub(in crate::sema) fn category(&self, operand: Operand) -> Category {
        match operand {
            Operand::Place(place) | Operand::Member(place)
                if self.expressions_ref().bit_field_width(place).is_some() =>
            {
                Category::BitField
            }
            Operand::Assigned(expr, _) => match self.arena.exprs[expr].data {
                ExprData::Assign { place, .. } | ExprData::Modify { place, .. }
                    if self.expressions_ref().bit_field_width(place).is_some() =>
                {
                    Category::BitField
                }
                _ => Category::Lvalue,
            },
            Operand::Place(_)
            | Operand::Func(..)
            | Operand::Overloads(..)
            | Operand::FuncDeref(_)
            | Operand::Builtin(..)
            | Operand::Const(..) => Category::Lvalue,
            Operand::Member(_) => Category::Xvalue,
            Operand::Value(_) | Operand::Special(..) => Category::Prvalue,
        }
    }

    /// How a reference of the kind binds to an expression of the type (C++17 11.6.3p5).
    pub(in crate::sema) fn binding(
        &mut self,
        from: Ty,
        category: Category,
        referred: Ty,
        kind: RefKind,
    ) -> Result<Bound, Unbound> {
        if self.module.types.func(referred).is_some() {
            let is_same = self.same(from, referred);
            return if is_same { Ok(Bound::Directly) } else { Err(Unbound::WantsLvalue) };
        }
        let is_related = self.same_unqualified(from, referred)
            || self.is_array_of_any_length(from, referred)
            || self.types_ref().derivation(from, referred).is_some();
        if is_related && !self.module.types.quals(referred).contains(self.module.types.quals(from)) {
            return Err(match (kind, category) {
                (RefKind::Rvalue, Category::Lvalue | Category::BitField) => Unbound::WantsRvalue,
                _ => Unbound::Discards,
            });
        }
        let takes_values = match kind {
            RefKind::Rvalue => true,
            RefKind::Lvalue => {
                let quals = self.module.types.quals(referred);
                quals.contains(Quals::CONST) && !quals.contains(Quals::VOLATILE)
            }
        };
        match (kind, category) {
            (RefKind::Lvalue, Category::Lvalue) if is_related => Ok(Bound::Directly),
            (RefKind::Lvalue, Category::BitField) if is_related && !takes_values => Err(Unbound::BitField),
            (RefKind::Lvalue, _) if !takes_values => Err(Unbound::WantsLvalue),
            // To nvcc, pointers that differ in qualifiers inside are related, too.
            (RefKind::Rvalue, Category::Lvalue | Category::BitField)
                if self.differs_in_qualifiers(from, referred)
                    || self.types_ref().derivation(from, referred).is_some() =>
            {
                Err(Unbound::WantsRvalue)
            }
            (_, Category::Xvalue | Category::Prvalue) if is_related => Ok(Bound::Directly),
            _ => Ok(Bound::Converted),
        }
    }

    /// Whether a reference to an array of unknown length may be to the array: C++20's rule, which nvcc has before it.
    fn is_array_of_any_length(&mut self, from: Ty, referred: Ty) -> bool {
        match (self.module.types.kind(from), self.module.types.kind(referred)) {
            (&TyKind::Array(from, Some(_)), &TyKind::Array(referred, None)) => {
                self.same_unqualified(from, referred)
            }
            _ => false,
        }
    }

    /// The address that a reference of the type holds which is initialized by the expression or list.
    pub(super) fn bind_expr(&mut self, id: ExprId, to: Ty, target: Target) -> Result<Expr, Reported> {
        if let ExprKind::Braced(init) = self.unit.exprs[id].kind {
            return self.bind_init(init, to, target);
        }
        if let Some(pointer) = self.bind_named_function(id, to)? {
            return Ok(pointer);
        }
        let operand = self.expressions().check_expr(id)?;
        self.bind(operand, to, target)
    }

    /// The one of several functions that a reference to a function is for.
    fn bind_named_function(&mut self, id: ExprId, to: Ty) -> Result<Option<Expr>, Reported> {
        let Some((referred, _)) = self.module.types.reference(to) else { return Ok(None) };
        let is_named = self.module.types.func(referred).is_some() && !self.takes_address(id);
        if !is_named || self.calls().overloads_behind(id).is_none() {
            return Ok(None);
        }
        let pointer = self.module.types.pointer_to(referred);
        self.calls().check_wanted(id, pointer).map(Some)
    }

    /// Whether the expression is `&` and what follows: a value.
    pub(in crate::sema) fn takes_address(&self, id: ExprId) -> bool {
        matches!(
            self.unit.exprs[self.warnings_ref().peeled(id)].kind,
            ExprKind::Unary { op: UnaryOp::AddrOf, .. }
        )
    }

    /// The same of an initializer.
    pub(super) fn bind_init(&mut self, id: InitId, to: Ty, target: Target) -> Result<Expr, Reported> {
        let unit = self.unit;
        let node = &unit.inits[id];
        let items = match &node.kind {
            InitKind::Expr(expr) => return self.bind_expr(*expr, to, target),
            InitKind::Parens(args) => match args[..] {
                [arg] => return self.bind_expr(arg, to, target),
                _ => {
                    let message = "reference must be initialized with a single value";
                    return Err(self.error(Code::InvalidInitializer, node.span, message));
                }
            },
            InitKind::List(items) => items,
        };
        let Some((referred, kind)) = self.module.types.reference(to) else { return Err(self.poisoned()) };
        // C++17 11.6.4p3
        if let Some(expr) = sole_expr(unit, items)
            && self.is_related_to(expr, referred)
        {
            return self.bind_expr(expr, to, target);
        }
        let bare = self.module.types.unqualified(referred);
        if let Err(why) = self.binding(bare, Category::Prvalue, referred, kind) {
            let shown = format!("an initializer list temporary of type {}", self.show(bare));
            return Err(self.does_not_bind(why, &shown, to, node.span, target));
        }
        let (init, ty) = self.check_init(bare, id, target)?;
        let place = self.literal_place(init, ty, node.span);
        Ok(self.address_as(place, referred, node.span))
    }

    /// Whether the reference to the type would bind to what is in the list, which is then not the type's list.
    fn is_related_to(&mut self, expr: ExprId, referred: Ty) -> bool {
        self.aside(|cx| {
            let ty = match cx
                .expressions()
                .check_expr(expr)
                .and_then(|operand| cx.expressions().operand_ty(operand))
            {
                Ok(ty) => ty,
                // The mistake is reported by the one that reads it.
                Err(_) => return true,
            };
            cx.same_unqualified(ty, referred)
        })
    }

    /// The address that a reference of the type holds which the operand initializes.
    pub(in crate::sema) fn bind(
        &mut self,
        operand: Operand,
        to: Ty,
        target: Target,
    ) -> Result<Expr, Reported> {
        let Some((referred, kind)) = self.module.types.reference(to) else { return Err(self.poisoned()) };
        let span = self.expressions_ref().operand_span(operand);
        if self.module.types.func(referred).is_some() {
            let pointer = self.module.types.pointer_to(referred);
            let value = self.expressions().rvalue(operand)?;
            if self.same(self.ty_of(value), pointer) {
                return Ok(value);
            }
            let own = self.ty_of(value);
            let own = self.module.types.pointee(own).unwrap_or(own);
            let shown = format!("a value of unrelated type {}", self.show(own));
            return Err(self.does_not_bind(Unbound::WantsLvalue, &shown, to, span, target));
        }
        let from = self.expressions().operand_ty(operand)?;
        if self.canonical(from) == Ty::ERROR {
            return Err(self.poisoned());
        }
        let category = self.category(operand);
        match self.binding(from, category, referred, kind) {
            Ok(Bound::Directly) => {
                self.names().require_base_access(from, referred, span)?;
                self.bind_directly(operand, from, referred, span)
            }
            Ok(Bound::Converted) => {
                let value = self.expressions().rvalue(operand)?;
                let bare = self.module.types.unqualified(referred);
                let value = self.convert(value, bare, target)?;
                self.bind_value(value, referred, span)
            }
            Err(why) => {
                let from = self.show(from);
                let shown = match category {
                    Category::Lvalue | Category::BitField => format!("a value of unrelated type {from}"),
                    Category::Xvalue | Category::Prvalue => format!("a temporary of type {from}"),
                };
                let shown = match why {
                    Unbound::Discards => format!("a value of type {from}"),
                    Unbound::WantsRvalue => format!("an lvalue of type {from}"),
                    Unbound::WantsLvalue | Unbound::BitField => shown,
                };
                Err(self.does_not_bind(why, &shown, to, span, target))
            }
        }
    }

    /// The address of the object itself or of its part of a base class, whoever knows of that.
    pub(in crate::sema) fn bind_directly(
        &mut self,
        operand: Operand,
        from: Ty,
        referred: Ty,
        span: Span,
    ) -> Result<Expr, Reported> {
        if self.module.types.opaque(from).is_some() {
            return Err(self.types().opaque_misuse(span));
        }
        match operand {
            Operand::Place(place) => Ok(self.address_as(place, referred, span)),
            Operand::Member(place) => {
                self.keep_temporary(place);
                Ok(self.address_as(place, referred, span))
            }
            Operand::Assigned(expr, ty) => {
                let at = self.span_of(expr);
                let place = self.place(PlaceData::Assigned(expr), ty, at);
                Ok(self.address_as(place, referred, span))
            }
            // It has no address, which is reported.
            Operand::Const(..) => self.expressions().address_of(operand, span),
            Operand::Value(_)
            | Operand::Special(..)
            | Operand::Func(..)
            | Operand::Overloads(..)
            | Operand::FuncDeref(_)
            | Operand::Builtin(..) => {
                let value = self.expressions().rvalue(operand)?;
                self.bind_value(value, referred, span)
            }
        }
    }

    /// The address of a temporary that has the value.
    fn bind_value(&mut self, value: Expr, referred: Ty, span: Span) -> Result<Expr, Reported> {
        let ty = self.ty_of(value);
        self.types().require_complete(ty, span)?;
        let value = self.own_value(value)?;
        let init = self.init(InitData::Expr(value), span);
        let place = self.literal_place(init, ty, span);
        Ok(self.address_as(place, referred, span))
    }

    /// The place's address as a pointer to the type, which differs in qualifiers at most.
    pub(in crate::sema) fn address_as(&mut self, place: Place, referred: Ty, span: Span) -> Expr {
        let own = self.place_ty(place);
        let path = self.types_ref().derivation(own, referred);
        let (place, own) = match path {
            Some(path) => {
                let part = self.types().part_of_base(place, &path, span);
                (part, self.place_ty(part))
            }
            None => (place, own),
        };
        let own = self.module.types.pointer_to(own);
        let address = self.expr(ExprData::AddrOf(place), own, span);
        let wanted = self.module.types.pointer_to(referred);
        match self.same(own, wanted) {
            true => address,
            false => self.expressions().conversion(Conversion::PtrToPtr, address, wanted),
        }
    }

    /// A temporary lives as long as a reference with static storage duration that is bound to it (C++17 15.2p6): it would be a variable.
    pub(in crate::sema) fn refuse_lasting_temporary(&mut self, ty: Ty, init: Init) -> Result<(), Reported> {
        let InitData::Expr(mut expr) = self.arena.inits[init].data else { return Ok(()) };
        if self.module.types.reference(ty).is_none() {
            return Ok(());
        }
        while let ExprData::Convert(_, operand) = self.arena.exprs[expr].data {
            expr = operand;
        }
        let ExprData::AddrOf(mut place) = self.arena.exprs[expr].data else { return Ok(()) };
        while let PlaceData::Field(outer, _) = self.arena.places[place].data {
            place = outer;
        }
        if !matches!(self.arena.places[place].data, PlaceData::CompoundLiteral(..)) {
            return Ok(());
        }
        let message = "reference with static storage duration to a temporary is not supported";
        let diagnostic = Diagnostic::new(Code::UnsupportedReference, self.arena.inits[init].span, message)
            .with_help("declare a variable that it refers to");
        Err(self.cx.sink.error(diagnostic))
    }

    /// A value of which a member is bound to lives as long as the reference (C++17 15.2p6).
    pub(in crate::sema) fn keep_temporary(&mut self, member: Place) {
        let mut root = member;
        while let PlaceData::Field(outer, _) = self.arena.places[root].data {
            root = outer;
        }
        let (ty, span) = (self.place_ty(root), self.arena.places[root].span);
        if let PlaceData::Temporary(value) = self.arena.places[root].data {
            let local = self.unnamed_local(ty, span);
            let init = self.init(InitData::Expr(value), span);
            self.arena.places[root].data = PlaceData::CompoundLiteral(local, init);
        }
    }

    /// The address that a parameter of reference type gets.
    pub(in crate::sema) fn bind_arg(&mut self, arg: Arg, to: Ty, target: Target) -> Result<Expr, Reported> {
        match arg {
            Arg::Value(value) => self.bind(Operand::Value(value), to, target),
            Arg::Object(operand, _) => self.bind(operand, to, target),
            Arg::Braced(init, _) => self.bind_init(init, to, target),
            Arg::Overloaded(id) => self.bind_expr(id, to, target),
        }
    }

    /// A cast to a reference (C++17 8.2.9p2, p3, 8.2.10p11, 8.2.11p4): in C's way where no word says which.
    pub(super) fn cast_reference(
        &mut self,
        cast: Option<NamedCast>,
        id: ExprId,
        to: Ty,
        span: Span,
    ) -> Result<Operand, Reported> {
        let Some((referred, kind)) = self.module.types.reference(to) else { return Err(self.poisoned()) };
        if self.module.types.func(referred).is_some() {
            let pointer = self.bind_expr(id, to, Target::Initialize)?;
            return Ok(self.result_operand(pointer, to, span));
        }
        let operand = self.expressions().check_expr(id)?;
        let (from, category) = (self.expressions().operand_ty(operand)?, self.category(operand));
        // An object of a base class is one of the class that is derived from it (C++17 8.2.9p2).
        let is_downcast = self.types_ref().derivation(referred, from).is_some();
        if matches!(cast, None | Some(NamedCast::Static)) && !is_downcast {
            let bound = match self.binding(from, category, referred, kind) {
                Ok(_) => Some(to),
                Err(Unbound::WantsRvalue) => {
                    let lvalue = self.module.types.reference_to(referred, RefKind::Lvalue);
                    self.binding(from, category, referred, RefKind::Lvalue).is_ok().then_some(lvalue)
                }
                Err(_) => None,
            };
            // A cast in C's way goes to bases that nobody knows of, too (C++17 8.4p4).
            if let (None, Some(_), Some(_)) = (cast, bound, self.types_ref().derivation(from, referred)) {
                let pointer = self.bind_directly(operand, from, referred, span)?;
                return Ok(self.result_operand(pointer, to, span));
            }
            if let Some(reference) = bound {
                let pointer = self.bind(operand, reference, Target::Initialize)?;
                return Ok(self.result_operand(pointer, to, span));
            }
        }
        let [source, target] = [from, referred].map(|ty| self.module.types.pointer_to(ty));
        let is_object = match category {
            Category::Lvalue => true,
            Category::Xvalue => kind == RefKind::Rvalue,
            Category::BitField | Category::Prvalue => false,
        };
        let is_allowed = is_object
            && match cast {
                None => true,
                Some(NamedCast::Static) => is_downcast && !self.casts_away_const(source, target),
                Some(NamedCast::Reinterpret) => !self.casts_away_const(source, target),
                Some(NamedCast::Const) => self.differs_in_qualifiers(source, target),
            };
        if !is_allowed {
            let word = cast.map_or("cast", NamedCast::word);
            return Err(match is_object && cast == Some(NamedCast::Reinterpret) {
                true => self.lost_qualifiers_in_cast(word, from, to, span),
                false => self.invalid_cast(word, from, to, span),
            });
        }
        if cast == Some(NamedCast::Static) {
            self.require_relation(from, referred, span)?;
        }
        let address = self.bind_directly(operand, from, from, span)?;
        let address = self.cast(address, target, span)?;
        Ok(self.result_operand(address, to, span))
    }

    /// Clang's words for what does not bind.
    fn does_not_bind(&mut self, why: Unbound, from: &str, to: Ty, span: Span, target: Target) -> Reported {
        let (referred, kind) = self.module.types.reference(to).unwrap_or((to, RefKind::Lvalue));
        let shown = self.show(to);
        let quals = self.module.types.quals(referred);
        let (code, message) = match why {
            Unbound::Discards => {
                let message = format!("binding reference of type {shown} to {from} drops qualifiers");
                (Code::DiscardedQualifiers, message)
            }
            Unbound::WantsRvalue => {
                let message = format!("rvalue reference of type {shown} cannot bind to {from}");
                (Code::InvalidReference, message)
            }
            Unbound::BitField => {
                let message = format!("non-const reference of type {shown} cannot bind to a bit-field");
                (Code::InvalidReference, message)
            }
            Unbound::WantsLvalue => {
                let what = match (kind, quals.contains(Quals::VOLATILE)) {
                    (RefKind::Rvalue, _) => "reference",
                    (RefKind::Lvalue, true) => "volatile lvalue reference",
                    (RefKind::Lvalue, false) => "non-const lvalue reference",
                };
                (Code::InvalidReference, format!("{what} of type {shown} cannot bind to {from}"))
            }
        };
        let mut diagnostic = Diagnostic::new(code, span, message);
        if let Target::Argument(Some(declared)) = target {
            diagnostic = diagnostic.with_label(declared, "parameter declared here");
        }
        self.sink.error(diagnostic)
    }
}

/// The expression of a list that has one, without a designator.
pub(in crate::sema) fn sole_expr(unit: &TranslationUnit, items: &[InitItem]) -> Option<ExprId> {
    match items {
        [InitItem { designators, init }] if designators.is_empty() => match unit.inits[*init].kind {
            InitKind::Expr(expr) => Some(expr),
            _ => None,
        },
        _ => None,
    }
}
