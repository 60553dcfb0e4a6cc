//! Implicit conversion sequences and their order (C++17 16.3.3.1, 16.3.3.2).
//!
//! A sequence says how well an argument fits a parameter; computing it has no effect. Whether the conversion is carried out without an
//! error is `convert`'s to say.

use super::Arg;
use crate::ast::{ExprId, InitId, InitItem, InitKind};
use crate::ir::{Enum, Expr, FloatTy, IntTy, RefKind, Ty, TyKind};
use crate::sema::Calls;
use crate::sema::conversion::Target;
use crate::sema::conversion::reference::{Bound, Category, Unbound, sole_expr};
use crate::sema::expression::integer_rank::promoted;

/// How an argument fits a parameter, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Exact,
    Promotion,
    Conversion,
    /// By a constructor or conversion of a class.
    UserDefined,
    Ellipsis,
}

/// What tells sequences of one rank apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    /// From a pointer to one to this type.
    Pointer(Ty),
    /// A string literal as a pointer to `char`.
    WritableString,
    /// From a pointer to `bool`.
    PointerToBool,
    /// From an enum to its underlying type.
    ToUnderlying,
    /// To a base class so many steps away.
    ToBase(u32),
    /// By the constructor or conversion function that makes this type, and a conversion of that rank after it.
    Class(Ty, Rank),
}

/// How a parameter of reference type binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Binding {
    referred: Ty,
    kind: RefKind,
    /// To what is no lvalue.
    to_rvalue: bool,
}

/// How an argument becomes a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) struct Sequence {
    rank: Rank,
    kind: Kind,
    binding: Option<Binding>,
    /// From a braced list to a `std::initializer_list`.
    makes_list: bool,
}

impl Sequence {
    pub(in crate::sema) const EXACT: Sequence = Sequence::of(Rank::Exact, Kind::Plain);
    pub(super) const ELLIPSIS: Sequence = Sequence::of(Rank::Ellipsis, Kind::Plain);

    const fn of(rank: Rank, kind: Kind) -> Sequence {
        Sequence { rank, kind, binding: None, makes_list: false }
    }

    fn by_class(made: Ty, then: Rank) -> Sequence {
        Sequence::of(Rank::UserDefined, Kind::Class(made, then))
    }

    /// Whether nothing is converted: the parameter is the argument, or refers to it.
    pub(super) fn is_exact(self) -> bool {
        self.rank == Rank::Exact && self.kind == Kind::Plain
    }
}

impl Calls<'_> {
    /// How the argument fits a parameter of the type, if it does.
    pub(in crate::sema) fn arg_sequence(&mut self, arg: Arg, to: Ty) -> Option<Sequence> {
        if let Some((referred, kind)) = self.module.types.reference(to) {
            return self.reference_sequence(arg, referred, kind);
        }
        match arg {
            Arg::Value(value) | Arg::Object(_, value) => self.sequence(value, to),
            Arg::Braced(init, _) => self.list_sequence(init, to),
            Arg::Overloaded(id) => self.has_overload_of(id, to).then_some(Sequence::EXACT),
        }
    }

    /// How a parameter of reference type binds to the argument (C++17 16.3.3.1.4).
    fn reference_sequence(&mut self, arg: Arg, referred: Ty, kind: RefKind) -> Option<Sequence> {
        let (from, category) = match arg {
            Arg::Value(value) => (self.expressions().prvalue_ty(value), Category::Prvalue),
            Arg::Object(operand, _) => {
                (self.expressions().operand_ty(operand).ok()?, self.conversions_ref().category(operand))
            }
            Arg::Braced(init, _) => return self.list_reference_sequence(init, referred, kind),
            Arg::Overloaded(id) => {
                let pointer = self.module.types.pointer_to(referred);
                let binding = Some(Binding { referred, kind, to_rvalue: false });
                let fits = !self.conversions_ref().takes_address(id) && self.has_overload_of(id, pointer);
                return fits.then_some(Sequence { binding, ..Sequence::EXACT });
            }
        };
        let to_rvalue = !matches!(category, Category::Lvalue | Category::BitField);
        match self.conversions().binding(from, category, referred, kind) {
            Ok(Bound::Directly) if let Some(path) = self.types_ref().derivation(from, referred) => {
                let made = Sequence::of(Rank::Conversion, Kind::ToBase(path.len() as u32));
                Some(Sequence { binding: Some(Binding { referred, kind, to_rvalue }), ..made })
            }
            Ok(Bound::Directly) | Err(Unbound::BitField) => {
                Some(Sequence { binding: Some(Binding { referred, kind, to_rvalue }), ..Sequence::EXACT })
            }
            Ok(Bound::Converted) => {
                let (Arg::Value(value) | Arg::Object(_, value)) = arg else { return None };
                let made = self.sequence(value, referred)?;
                Some(Sequence { binding: Some(Binding { referred, kind, to_rvalue: true }), ..made })
            }
            Err(_) => None,
        }
    }

    fn list_reference_sequence(&mut self, init: InitId, referred: Ty, kind: RefKind) -> Option<Sequence> {
        let unit = self.unit;
        let InitKind::List(items) = &unit.inits[init].kind else { return None };
        if let Some(expr) = sole_expr(unit, items) {
            let direct = self.aside(|cx| {
                let arg = cx.calls().check_object_arg(expr).ok()?;
                let sequence = cx.calls().reference_sequence(arg, referred, kind)?;
                sequence.is_exact().then_some(sequence)
            });
            if direct.is_some() {
                return direct;
            }
        }
        let bare = self.module.types.unqualified(referred);
        self.conversions().binding(bare, Category::Prvalue, referred, kind).ok()?;
        let made = self.list_sequence(init, referred)?;
        Some(Sequence { binding: Some(Binding { referred, kind, to_rvalue: true }), ..made })
    }

    /// How the value fits a parameter of the type, if it does.
    pub(in crate::sema) fn sequence(&mut self, value: Expr, to: Ty) -> Option<Sequence> {
        let from = self.ty_of(value);
        let to = self.module.types.unqualified(to);
        let types = &self.module.types;
        let plain = |rank| Some(Sequence::of(rank, Kind::Plain));
        match (types.kind(from), types.kind(to)) {
            _ if self.same(from, to) => Some(Sequence::EXACT),
            (&TyKind::Pointer(from), &TyKind::Pointer(to)) => self.pointer_sequence(value, from, to),
            (_, TyKind::Pointer(_) | TyKind::Nullptr) if self.conversions_ref().is_null_constant(value) => {
                plain(Rank::Conversion)
            }
            (TyKind::Pointer(_), TyKind::Int(IntTy::Bool)) => {
                Some(Sequence::of(Rank::Conversion, Kind::PointerToBool))
            }
            (&TyKind::Enum(enum_), &TyKind::Int(int)) => self.enum_sequence(value, enum_, int),
            (&TyKind::Int(from), &TyKind::Int(to)) if promoted(from) == to => plain(Rank::Promotion),
            (TyKind::Float(FloatTy::Float), TyKind::Float(FloatTy::Double)) => plain(Rank::Promotion),
            (TyKind::Int(_) | TyKind::Float(_), TyKind::Int(_) | TyKind::Float(_)) => plain(Rank::Conversion),
            (TyKind::Enum(_), TyKind::Float(_)) if self.is_number(value) => plain(Rank::Conversion),
            (TyKind::Record(_), TyKind::Record(_))
                if let Some(path) = self.types_ref().derivation(from, to) =>
            {
                Some(Sequence::of(Rank::Conversion, Kind::ToBase(path.len() as u32)))
            }
            (TyKind::Record(_), _) | (_, TyKind::Record(_)) => self.class_sequence(value, to),
            _ => None,
        }
    }

    /// An enum's promotions are to what its values need and, where it is fixed, to its underlying type (C++17 7.6).
    fn enum_sequence(&self, value: Expr, enum_: Enum, to: IntTy) -> Option<Sequence> {
        let data = &self.module.types.enums[enum_];
        let (rank, kind) = match self.conversions_ref().promoted_int(value)? {
            _ if data.is_fixed && data.underlying == to => (Rank::Promotion, Kind::ToUnderlying),
            promoted if promoted == to => (Rank::Promotion, Kind::Plain),
            _ => (Rank::Conversion, Kind::Plain),
        };
        Some(Sequence::of(rank, kind))
    }

    fn pointer_sequence(&mut self, value: Expr, from: Ty, to: Ty) -> Option<Sequence> {
        if let Some(path) = self.conversions_ref().base_path(from, to) {
            return Some(Sequence::of(Rank::Conversion, Kind::ToBase(path.len() as u32)));
        }
        if self.conversions().pointer_converts(from, to) {
            let is_void = |ty| matches!(self.module.types.kind(ty), TyKind::Void);
            let rank = if is_void(to) && !is_void(from) { Rank::Conversion } else { Rank::Exact };
            return Some(Sequence::of(rank, Kind::Pointer(to)));
        }
        self.conversions_ref()
            .is_writable_string(value, to)
            .then_some(Sequence::of(Rank::Exact, Kind::WritableString))
    }

    /// What constructors and conversion functions of the language's own classes do. Where several of them fit equally well, there is
    /// a sequence all the same (C++17 16.3.3.1p10): to carry it out is the mistake.
    fn class_sequence(&mut self, value: Expr, to: Ty) -> Option<Sequence> {
        let from = self.ty_of(value);
        if self.builtins_ref().converts_by_dim3(from, to) && !self.module.types.is_scoped_enum(from) {
            return Some(Sequence::by_class(to, Rank::Exact));
        }
        if let Some((made, then)) = self.conversions().class_conversion(value, to) {
            return Some(Sequence::by_class(made, then.rank));
        }
        let types = &self.module.types;
        let is_number = |ty: Ty| matches!(types.kind(ty), TyKind::Int(_) | TyKind::Float(_));
        let is_lane = |ty: Ty| types.half_ty(ty).is_some_and(|half| !half.is_pair());
        if is_lane(from) && is_number(to) {
            // There is one to `float`, which is the best way to `double`, and one to each integer type.
            return Some(match types.float_ty(to) {
                Some(FloatTy::Float) => Sequence::by_class(Ty::FLOAT, Rank::Exact),
                Some(FloatTy::Double) => Sequence::by_class(Ty::FLOAT, Rank::Promotion),
                Some(FloatTy::LongDouble) | None => Sequence::by_class(self.canonical(to), Rank::Exact),
            });
        }
        let is_made = is_lane(to) && self.is_number(value) || self.builtins_ref().converts_by_half(from, to);
        is_made.then(|| Sequence::by_class(self.canonical(to), Rank::Exact))
    }

    /// How a braced list fits (C++17 16.3.3.1.5).
    fn list_sequence(&mut self, init: InitId, to: Ty) -> Option<Sequence> {
        let unit = self.unit;
        let to = self.module.types.unqualified(to);
        let InitKind::List(items) = &unit.inits[init].kind else { return None };
        let sole = sole_expr(unit, items);
        if let Some(elem) = self.conversions_ref().listed_elem(to) {
            return self.listed_sequence(items, elem, to);
        }
        if let TyKind::Array(elem, len) = *self.module.types.kind(to) {
            return self.array_sequence(items, elem, len);
        }
        if self.module.types.record(to).is_none() {
            return match sole {
                Some(expr) => self.aside(|cx| {
                    let arg = cx.calls().check_arg(expr).ok()?;
                    cx.calls().arg_sequence(arg, to)
                }),
                None => items.is_empty().then_some(Sequence::EXACT),
            };
        }
        let is_whole = sole.is_some_and(|expr| {
            self.aside(|cx| {
                cx.expressions().check_rvalue(expr).is_ok_and(|value| cx.same(cx.ty_of(value), to))
            })
        });
        if is_whole {
            return Some(Sequence::EXACT);
        }
        // To nvcc, a list of which a value would be narrowed does not fit, but in initial values of variables.
        let may_narrow = self.initializes_variable;
        let is_made = self.aside(|cx| {
            let n_narrowed = cx.n_narrowed;
            let made = cx.conversions().check_braced(to, init, Target::Argument(None));
            if made.is_ok() && (may_narrow || cx.n_narrowed == n_narrowed) {
                return true;
            }
            // Constructors that are explicit are considered, too.
            sole.is_some_and(|expr| cx.calls().makes_other_half(expr, to))
        });
        is_made.then(|| Sequence::by_class(self.canonical(to), Rank::Exact))
    }

    /// The worst conversion of an element of a `std::initializer_list` (C++17 16.3.3.1.5p5).
    fn listed_sequence(&mut self, items: &[InitItem], elem: Ty, to: Ty) -> Option<Sequence> {
        if let Some(expr) = sole_expr(self.unit, items)
            && self.aside(|cx| {
                let value = cx.expressions().check_rvalue(expr);
                value.is_ok_and(|value| cx.same_unqualified(cx.ty_of(value), to))
            })
        {
            return Some(Sequence::EXACT);
        }
        let mut worst = Sequence::EXACT;
        for InitItem { designators, init } in items {
            if !designators.is_empty() {
                return None;
            }
            let sequence = match self.unit.inits[*init].kind {
                InitKind::Expr(expr) => self.aside(|cx| {
                    let arg = cx.calls().check_object_arg(expr).ok()?;
                    cx.calls().arg_sequence(arg, elem)
                })?,
                InitKind::List(_) => self.list_sequence(*init, elem)?,
                InitKind::Parens(_) => return None,
            };
            if sequence.rank > worst.rank {
                worst = sequence;
            }
        }
        Some(Sequence { makes_list: true, binding: None, ..worst })
    }

    /// The worst conversion of an element (C++17 16.3.3.1.5p5).
    fn array_sequence(&mut self, items: &[InitItem], elem: Ty, len: Option<u64>) -> Option<Sequence> {
        if len.is_none_or(|len| items.len() as u64 > len) {
            return None;
        }
        let mut worst = Sequence::EXACT;
        for InitItem { designators, init } in items {
            let InitKind::Expr(expr) = self.unit.inits[*init].kind else { return None };
            if !designators.is_empty() {
                return None;
            }
            let sequence = self.aside(|cx| {
                let arg = cx.calls().check_arg(expr).ok()?;
                cx.calls().arg_sequence(arg, elem)
            })?;
            if sequence.rank > worst.rank {
                worst = sequence;
            }
        }
        Some(worst)
    }

    /// Whether a cast alone makes a number of the half-precision type of one of the other.
    fn makes_other_half(&mut self, expr: ExprId, to: Ty) -> bool {
        let Ok(value) = self.expressions().check_rvalue(expr) else { return false };
        let halves = [self.ty_of(value), to].map(|ty| self.module.types.half_ty(ty));
        halves.iter().all(|half| half.is_some_and(|half| !half.is_pair()))
    }

    /// Whether the first is the better of two sequences of one argument (C++17 16.3.3.2).
    pub(in crate::sema) fn is_better(&mut self, a: Sequence, b: Sequence) -> bool {
        let is_by_class = |sequence: Sequence| sequence.rank == Rank::UserDefined;
        if a.makes_list != b.makes_list && is_by_class(a) == is_by_class(b) && b.rank != Rank::Ellipsis {
            // C++17 16.3.3.2p3.1
            return a.makes_list;
        }
        if a.rank != b.rank {
            return a.rank < b.rank;
        }
        if self.is_better_kind(a.kind, b.kind) {
            return true;
        }
        match (a.binding, b.binding) {
            (Some(ours), Some(theirs)) => {
                !self.is_better_kind(b.kind, a.kind) && self.is_better_binding(ours, theirs)
            }
            _ => false,
        }
    }

    fn is_better_kind(&mut self, a: Kind, b: Kind) -> bool {
        match (a, b) {
            (Kind::Class(made, a), Kind::Class(other, b)) => made == other && a < b,
            (Kind::ToBase(a), Kind::ToBase(b)) => a < b,
            // A pointer to a base is better than one to `void` (C++17 16.3.3.2p4.2).
            (Kind::ToBase(_), Kind::Pointer(_)) => true,
            (Kind::Pointer(a), Kind::Pointer(b)) => self.is_less_qualified(a, b),
            (Kind::PointerToBool | Kind::WritableString, _) => false,
            (_, Kind::PointerToBool | Kind::WritableString)
            | (Kind::ToUnderlying, Kind::Plain)
            | (Kind::Plain, Kind::Pointer(_)) => true,
            _ => false,
        }
    }

    /// C++17 16.3.3.2p3.2.3 to 3.2.6.
    fn is_better_binding(&mut self, a: Binding, b: Binding) -> bool {
        match (a.kind, b.kind) {
            (RefKind::Rvalue, RefKind::Lvalue) if a.to_rvalue && b.to_rvalue => return true,
            (RefKind::Lvalue, RefKind::Rvalue) if a.to_rvalue && b.to_rvalue => return false,
            (RefKind::Lvalue, RefKind::Rvalue) => return self.module.types.func(a.referred).is_some(),
            _ => {}
        }
        let (fewer, more) = (self.module.types.quals(a.referred), self.module.types.quals(b.referred));
        fewer != more && more.contains(fewer) && self.same_unqualified(a.referred, b.referred)
    }

    /// Whether the one pointed-to type differs from the other in that it lacks qualifiers (C++17 16.3.3.2p3).
    fn is_less_qualified(&mut self, a: Ty, b: Ty) -> bool {
        let (mut a, mut b) = (a, b);
        let mut lacks = false;
        loop {
            let (fewer, more) = (self.module.types.quals(a), self.module.types.quals(b));
            if !more.contains(fewer) {
                return false;
            }
            lacks |= fewer != more;
            match (self.module.types.pointee(a), self.module.types.pointee(b)) {
                (Some(inner_a), Some(inner_b)) => (a, b) = (inner_a, inner_b),
                _ => return lacks && self.same_unqualified(a, b),
            }
        }
    }
}
