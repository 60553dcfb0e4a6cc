//! What is asked of types by `__is_pod`, `__is_same` and their kin (GNU C++ "Type Traits"; what each means, C++17 23.15.4.3 and
//! 23.15.6). Answers are those of nvcc, which differ from C++'s in that types with const members are trivial.
//!
//! Of the language's types `dim3` and the pairs of half-precision numbers have constructors that do something; no type has bases,
//! virtual functions or a destructor.

use crate::ast::{TypeName, TypeTrait};
use crate::diag::Reported;
use crate::ir::{Expr, ExprData, Record, Ty, TyKind};
use crate::sema::Expressions;
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
        let is_trivially_copyable = is_object
            && self.module.types.is_trivially_copyable(elem)
            && !self.manners_of(elem).is_assigned_by_call();
        Ok(match asked {
            TypeTrait::Pod | TypeTrait::Trivial => {
                is_trivially_copyable && !self.conversions_ref().has_default(elem)
            }
            TypeTrait::TriviallyCopyable => is_trivially_copyable,
            TypeTrait::StandardLayout => is_object,
            TypeTrait::Destructible => is_object && !is_open_array,
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

    /// Whether it has constructors, which no aggregate has (C++17 11.6.1p1).
    fn is_constructed(&self, record: Record) -> bool {
        self.module.types.records[record].half.is_some()
            || self.builtins_ref().is_dim3(record)
            || self.known.record_facts.get(&record).is_some_and(|facts| facts.is_class)
    }

    /// C++17 23.15.4.3: it has no members but bit-fields without a width, and bases that are empty.
    fn is_empty(&self, record: Record) -> bool {
        let fields = self.module.types.records[record].fields.as_deref().unwrap_or_default();
        let is_empty_base = |ty: Ty| self.module.types.record(ty).is_some_and(|base| self.is_empty(base));
        fields.iter().all(|field| field.bit_width == Some(0) || field.is_base && is_empty_base(field.ty))
    }
}
