//! What is asked of types by `__is_pod`, `__is_same` and their kin (GNU C++ "Type Traits"; what each means, C++17 23.15.4.3 and
//! 23.15.6). Answers are those of nvcc 13.5, which differ from C++'s in that types with const members are trivial, and in that a default
//! constructor or a destructor that is deleted does not keep a class from being trivial.

use crate::ast::{Access, TypeName, TypeTrait};
use crate::diag::Reported;
use crate::ir::{Expr, ExprData, Func, Record, Ty, TyKind};
use crate::sema::Expressions;
use crate::sema::declaration::implicit::Manner;
use crate::sema::declaration::special::Origin;
use crate::source::Span;

impl Expressions<'_> {
    /// `__is_pod(type)`, or `__is_same(type, type)`: a constant of type `bool`.
    pub(super) fn type_trait(
        &mut self,
        asked: TypeTrait,
        name: &TypeName,
        other: Option<&TypeName>,
        span: Span,
    ) -> Result<Expr, Reported> {
        let ty = self.types().resolve_type_name(name)?;
        let answer = match other {
            Some(other) => {
                let second = self.types().resolve_type_name(other)?;
                self.is_so_of_two(asked, ty, second, other.span)?
            }
            None => self.is_so(asked, ty, name.span)?,
        };
        Ok(self.expr(ExprData::int(i128::from(answer)), Ty::BOOL, span))
    }

    fn is_so_of_two(
        &mut self,
        asked: TypeTrait,
        first: Ty,
        second: Ty,
        span: Span,
    ) -> Result<bool, Reported> {
        if asked == TypeTrait::Same {
            return Ok(self.same(first, second));
        }
        // A class is one of itself (C++17 23.15.6).
        let (Some(base), Some(derived)) = (self.class_of(first), self.class_of(second)) else {
            return Ok(false);
        };
        if base != derived {
            self.types().require_complete(second, span)?;
        }
        Ok(base == derived || self.types_ref().path_to_base(derived, base).is_some())
    }

    /// The struct that a type is.
    fn class_of(&self, ty: Ty) -> Option<Record> {
        self.module.types.record(ty).filter(|&record| !self.module.types.records[record].is_union)
    }

    fn is_so(&mut self, asked: TypeTrait, ty: Ty, span: Span) -> Result<bool, Reported> {
        let record = self.module.types.record(ty);
        let is_union = record.is_some_and(|record| self.module.types.records[record].is_union);
        match asked {
            TypeTrait::Class => return Ok(record.is_some() && !is_union),
            TypeTrait::Union => return Ok(is_union),
            TypeTrait::Enum => return Ok(matches!(self.module.types.kind(ty), TyKind::Enum(_))),
            TypeTrait::Function => return Ok(matches!(self.module.types.kind(ty), TyKind::Func(_))),
            _ => {}
        }
        let is_array = matches!(self.module.types.kind(ty), TyKind::Array(..));
        let is_open_array = matches!(self.module.types.kind(ty), TyKind::Array(_, None));
        let elem = self.innermost(ty);
        let is_object = !matches!(self.module.types.kind(elem), TyKind::Void | TyKind::Func(_));
        if is_object {
            self.types().require_complete(elem, span)?;
        }
        let manners = self.manners_of(elem);
        let copies_bytes = self.module.types.is_trivially_copyable(elem)
            || manners.destroys(Manner::Deleted) && !manners.is_copied_by_call();
        let is_trivially_copyable = is_object && copies_bytes && !manners.is_assigned_by_call();
        let is_trivial = is_trivially_copyable
            && (self.has_deleted_default(elem) || !self.conversions_ref().has_default(elem));
        let is_destructible = is_object && !is_open_array && self.is_destructible(elem);
        Ok(match asked {
            TypeTrait::Pod => is_trivial && self.has_standard_layout(elem),
            TypeTrait::Trivial => is_trivial,
            TypeTrait::TriviallyCopyable => is_trivially_copyable,
            TypeTrait::StandardLayout => is_object && self.has_standard_layout(elem),
            TypeTrait::Destructible => is_destructible,
            TypeTrait::TriviallyDestructible => is_destructible && !manners.is_destroyed(),
            TypeTrait::Aggregate => is_array || record.is_some_and(|record| !self.is_constructed(record)),
            TypeTrait::Empty => record.is_some_and(|record| !is_union && self.is_empty(record)),
            TypeTrait::Abstract
            | TypeTrait::Final
            | TypeTrait::Polymorphic
            | TypeTrait::BaseOf
            | TypeTrait::Same
            | TypeTrait::Class
            | TypeTrait::Union
            | TypeTrait::Enum
            | TypeTrait::Function => false,
        })
    }

    /// What the elements are of an array, and of arrays in it.
    fn innermost(&self, ty: Ty) -> Ty {
        match *self.module.types.kind(ty) {
            TyKind::Array(elem, _) => self.innermost(elem),
            _ => ty,
        }
    }

    /// Whether it has constructors or hidden parts, which no aggregate has (C++17 11.6.1p1).
    fn is_constructed(&self, record: Record) -> bool {
        let facts = self.known.record_facts.get(&record);
        self.module.types.records[record].half.is_some()
            || self.builtins_ref().is_dim3(record)
            || facts.is_some_and(|facts| facts.is_class || facts.hidden_member.is_some())
            || self.known.specials.get(&record).is_some_and(|specials| specials.is_constructed)
    }

    /// Whether the class deletes its default constructor.
    fn has_deleted_default(&self, ty: Ty) -> bool {
        let specials = self.module.types.record(ty).and_then(|record| self.known.specials.get(&record));
        let is_deleted = |&func: &Func| {
            let facts = self.known.func_facts.get(&func);
            self.calls_ref().n_required_args(func) == 1
                && facts.is_some_and(|facts| matches!(facts.origin, Origin::Deleted(_)))
        };
        specials.is_some_and(|specials| {
            specials.constructor_templates.is_empty()
                && specials.values.is_empty()
                && specials.constructors.iter().any(is_deleted)
        })
    }

    /// Whether anyone may call the destructor (C++17 23.15.4.3).
    fn is_destructible(&self, ty: Ty) -> bool {
        let destructor =
            self.module.types.record(ty).and_then(|record| self.known.specials.get(&record)?.destructor);
        let access = destructor.and_then(|func| self.known.func_facts.get(&func)).map(|facts| facts.access);
        access.is_none_or(|access| access == Access::Public) && !self.manners_of(ty).destroys(Manner::Deleted)
    }

    /// C++17 12p7
    fn has_standard_layout(&self, ty: Ty) -> bool {
        let Some(record) = self.module.types.record(ty) else { return true };
        let fields = self.module.types.records[record].fields.as_deref().unwrap_or_default();
        let mut access = None;
        let mut n_with_members = usize::from(self.has_members(record));
        for field in fields {
            let elem = self.innermost(field.ty);
            if self.module.types.reference(elem).is_some() || !self.has_standard_layout(elem) {
                return false;
            }
            if field.is_base {
                let base = self.module.types.record(elem);
                n_with_members += usize::from(base.is_some_and(|base| !self.is_empty(base)));
            } else if let Some(symbol) = field.name.as_ref().and_then(|name| self.interner.lookup(name)) {
                let hidden = self.known.names.access.get(&(record, symbol));
                let own = hidden.map_or(Access::Public, |&(access, _)| access);
                if *access.get_or_insert(own) != own {
                    return false;
                }
            }
        }
        let first = fields.iter().find(|field| !field.is_base && field.bit_width != Some(0));
        let first = first.and_then(|field| self.module.types.record(self.innermost(field.ty)));
        // To nvcc, only direct bases count.
        let is_base =
            |class: Record| self.types_ref().bases_of(record).iter().any(|&(_, base)| base == class);
        n_with_members <= 1 && !first.is_some_and(is_base)
    }

    /// Whether the class itself declares data members.
    fn has_members(&self, record: Record) -> bool {
        let fields = self.module.types.records[record].fields.as_deref().unwrap_or_default();
        fields.iter().any(|field| !field.is_base && field.bit_width != Some(0))
    }

    /// C++17 23.15.4.3: it has no members but bit-fields without a width, and bases that are empty.
    fn is_empty(&self, record: Record) -> bool {
        let fields = self.module.types.records[record].fields.as_deref().unwrap_or_default();
        let is_empty_base = |ty: Ty| self.module.types.record(ty).is_some_and(|base| self.is_empty(base));
        fields.iter().all(|field| field.bit_width == Some(0) || field.is_base && is_empty_base(field.ty))
    }
}
