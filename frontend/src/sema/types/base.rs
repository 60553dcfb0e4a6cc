//! Base classes (C++17 13): a part of an object without a name, as an anonymous member is, and before all members.

use smallvec::SmallVec;
use thin_vec::thin_vec;

use crate::ast::{Access, BaseSpec, Name};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Conversion, Expr, ExprData, Field, InitData, Place, PlaceData, Record, StmtData, Ty};
use crate::layout;
use crate::limits::MAX_NESTING;
use crate::sema::Types;
use crate::sema::name::scope::Binding;
use crate::source::Span;
use crate::token::Symbol;

/// The way from an object to the part of it that a base class has: the indices of fields.
pub(in crate::sema) type BasePath = SmallVec<[u32; 2]>;

impl Types<'_> {
    /// The parts that an object has of the base classes. What is wrong with one is reported, and it is left out.
    pub(super) fn resolve_bases(&mut self, record: Record, bases: &[BaseSpec]) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        for base in bases {
            if let Ok(ty) = self.resolve_base(record, base, &fields) {
                fields.push(Field {
                    name: None,
                    ty,
                    bit_width: None,
                    align: None,
                    pack: None,
                    is_base: true,
                    is_mutable: false,
                    span: base.span,
                });
            }
        }
        fields
    }

    fn resolve_base(&mut self, record: Record, base: &BaseSpec, before: &[Field]) -> Result<Ty, Reported> {
        let ty = self.resolve_type_name(&base.ty)?;
        let span = base.ty.span;
        let Some(class) = self.module.types.record(ty) else {
            let shown = self.show(ty);
            return Err(self.error(
                Code::InvalidType,
                span,
                format!("base specifier must name a class, not {shown}"),
            ));
        };
        if class != record {
            self.require_complete(ty, span)?;
        }
        if self.known.record_facts.get(&class).is_some_and(|facts| facts.depth >= MAX_NESTING) {
            return Err(self.too_deep(span));
        }
        let data = &self.module.types.records[class];
        let message = if class == record {
            "a class cannot be derived from itself".to_owned()
        } else if data.is_union {
            "unions cannot be base classes".to_owned()
        } else if self.module.types.records[record].is_union {
            "unions cannot have base classes".to_owned()
        } else if before.iter().any(|field| self.module.types.record(field.ty) == Some(class)) {
            format!("base class {} specified more than once as a direct base class", self.show(ty))
        } else if let Some(twice) = self.base_twice(class, before) {
            let shown = self.show(twice);
            let message = format!("{shown} would be a base class twice, which is not supported");
            return Err(self.error(Code::UnsupportedMember, span, message));
        } else if self.builtins_ref().is_dim3(class)
            || self.module.types.half_ty(ty).is_some()
            || self.builtins_ref().is_class(ty)
        {
            let message = format!("{} as a base class is not supported", self.show(ty));
            return Err(self.error(Code::UnsupportedMember, span, message));
        } else {
            if base.access != Access::Public {
                self.known.names.hidden_bases.insert((record, class), (base.access, base.span));
            }
            return Ok(self.module.types.unqualified(ty));
        };
        Err(self.error(Code::InvalidType, span, message))
    }

    /// A class that another base class brings with it, too. That each base is in a class once makes the way to it the only one, and keeps
    /// hierarchies from growing with each level.
    fn base_twice(&mut self, class: Record, before: &[Field]) -> Option<Ty> {
        let mut known = Vec::new();
        for class in before.iter().filter_map(|field| self.module.types.record(field.ty)) {
            self.add_bases(class, &mut known);
        }
        let mut own = Vec::new();
        self.add_bases(class, &mut own);
        let twice = own.into_iter().find(|base| known.contains(base))?;
        Some(self.module.types.record_ty(twice))
    }

    /// Adds a class and all that it is derived from.
    fn add_bases(&self, class: Record, bases: &mut Vec<Record>) {
        bases.push(class);
        self.bases_of(class).iter().for_each(|&(_, base)| self.add_bases(base, bases));
    }

    /// The classes that a class is derived from directly, with the indices of their parts.
    pub(in crate::sema) fn bases_of(&self, class: Record) -> SmallVec<[(u32, Record); 2]> {
        let Some(fields) = self.module.types.records[class].fields.as_deref() else {
            return self.known.names.open_bases.get(&class).cloned().unwrap_or_default();
        };
        let bases = (0..).zip(fields).take_while(|(_, field)| field.is_base);
        bases.filter_map(|(idx, field)| Some((idx, self.module.types.record(field.ty)?))).collect()
    }

    /// The way from an object of the class to its part of a base class, if it is derived from that.
    pub(in crate::sema) fn path_to_base(&self, class: Record, base: Record) -> Option<BasePath> {
        let mut path = BasePath::new();
        self.add_path_to_base(class, base, &mut path).then_some(path)
    }

    fn add_path_to_base(&self, class: Record, base: Record, path: &mut BasePath) -> bool {
        self.bases_of(class).into_iter().any(|(idx, direct)| {
            path.push(idx);
            let is_found = direct == base || self.add_path_to_base(direct, base, path);
            if !is_found {
                path.pop();
            }
            is_found
        })
    }

    /// The way from an object of the one type to its part of the other, if the one is derived from the other.
    pub(in crate::sema) fn derivation(&self, from: Ty, to: Ty) -> Option<BasePath> {
        if from.is_plain_number() || to.is_plain_number() {
            return None;
        }
        let (from, to) = (self.module.types.record(from)?, self.module.types.record(to)?);
        if from == to { None } else { self.path_to_base(from, to) }
    }

    /// The part of an object that a base class has.
    pub(in crate::sema) fn part_of_base(&mut self, mut object: Place, path: &[u32], span: Span) -> Place {
        for &idx in path {
            let ty = self.place_ty(object);
            let part = self.expressions().field_ty(ty, idx);
            object = self.place(PlaceData::Field(object, idx), part, span);
        }
        object
    }

    /// How many bytes from the beginning of an object its part is.
    pub(in crate::sema) fn offset_of_base(&self, class: Record, path: &[u32]) -> u64 {
        let mut class = class;
        let mut offset = 0;
        for &idx in path {
            let Ok(known) = layout::record_layout(&self.module.types, class) else { return offset };
            offset += known.fields.get(idx as usize).map_or(0, |field| field.offset);
            let field = self.module.types.records[class].fields.as_ref().and_then(|f| f.get(idx as usize));
            let Some(inner) = field.and_then(|field| self.module.types.record(field.ty)) else {
                return offset;
            };
            class = inner;
        }
        offset
    }

    /// A pointer to an object as one to its part of a base class; a null pointer stays one.
    pub(in crate::sema) fn pointer_to_base(
        &mut self,
        pointer: Expr,
        path: &[u32],
        to: Ty,
    ) -> Result<Expr, Reported> {
        let span = self.span_of(pointer);
        let ty = self.ty_of(pointer);
        let Some(object_ty) = self.module.types.pointee(ty) else { return Err(self.poisoned()) };
        let class = self.module.types.record(object_ty);
        let is_first = class.is_some_and(|class| self.offset_of_base(class, path) == 0);
        if is_first {
            return Ok(self.expressions().conversion(Conversion::PtrToPtr, pointer, to));
        }
        let is_known =
            matches!(self.arena.exprs[pointer].data, ExprData::AddrOf(_) | ExprData::ArrayDecay(_));
        let to_part = |cx: &mut Self, pointer: Expr| {
            let object = cx.place(PlaceData::Deref(pointer), object_ty, span);
            let part = cx.part_of_base(object, path, span);
            cx.expr(ExprData::AddrOf(part), to, span)
        };
        if is_known {
            return Ok(to_part(self, pointer));
        }
        self.unless_null(pointer, to, to_part)
    }

    /// A pointer to the part of an object that a base class has as one to the object; a null pointer stays one.
    pub(in crate::sema) fn pointer_from_base(
        &mut self,
        pointer: Expr,
        offset: u64,
        to: Ty,
    ) -> Result<Expr, Reported> {
        if offset == 0 {
            return Ok(self.expressions().conversion(Conversion::PtrToPtr, pointer, to));
        }
        let span = self.span_of(pointer);
        self.unless_null(pointer, to, |cx, pointer| {
            let bytes = cx.module.types.pointer_to(Ty::CHAR);
            let ptr = cx.expressions().conversion(Conversion::PtrToPtr, pointer, bytes);
            let index = cx.expr(ExprData::int(offset), Ty::ULONG, span);
            let moved = cx.expr(ExprData::PtrOffset { ptr, index, subtract: true }, bytes, span);
            cx.expressions().conversion(Conversion::PtrToPtr, moved, to)
        })
    }

    /// What is made of a pointer, or a null pointer if it is one.
    fn unless_null(
        &mut self,
        pointer: Expr,
        to: Ty,
        make: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Result<Expr, Reported> {
        let (ty, span) = (self.ty_of(pointer), self.span_of(pointer));
        if self.func.is_none() {
            let message =
                "the conversion of a pointer to a base class that is not the first is not supported here";
            let diagnostic = Diagnostic::new(Code::UnsupportedMember, span, message)
                .with_help("use a reference, or the address of the object");
            return Err(self.sink.error(diagnostic));
        }
        let local = self.conversions().unnamed_local(ty, span);
        let init = self.init(InitData::Expr(pointer), span);
        let declared = self.statements().stmt(StmtData::Local(local, Some(init)), span);
        let [tested, used] = [(); 2].map(|()| {
            let place = self.place(PlaceData::Local(local), ty, span);
            self.expr(ExprData::Load(place), ty, span)
        });
        let cond = self.conversions().truth(tested)?;
        let then = make(self, used);
        let otherwise = self.expr(ExprData::Null, to, span);
        let chosen = self.expr(ExprData::Conditional { cond, then, otherwise }, to, span);
        Ok(self.expr(ExprData::Block(thin_vec![declared], chosen.into()), to, span))
    }

    /// What a class or one of its bases declares by a name that is no data member's. What a class has hides what its bases have.
    pub(in crate::sema) fn class_member(&self, class: Record, symbol: Symbol) -> Option<Binding> {
        if let Some(&binding) = self.known.class_names.get(&(class, symbol)) {
            return Some(binding);
        }
        let bases = self.bases_of(class);
        if bases.is_empty() || self.expressions_ref().own_member(class, symbol).is_some() {
            return None;
        }
        bases.iter().find_map(|&(_, base)| self.class_member(base, symbol))
    }

    /// How many classes have the name, of this one and its bases: no class whose name another hides.
    fn n_with_name(&self, class: Record, symbol: Symbol) -> usize {
        let bases = self.bases_of(class);
        let is_own = self.known.class_names.contains_key(&(class, symbol))
            || self.known.names.brought.contains_key(&(class, symbol))
            || self.expressions_ref().own_member(class, symbol).is_some();
        match is_own {
            true => 1,
            false => bases.iter().map(|&(_, base)| self.n_with_name(base, symbol)).sum(),
        }
    }

    /// Reports a name that several base classes have (C++17 13.2p8).
    pub(in crate::sema) fn require_one_base(&mut self, class: Record, name: Name) -> Result<(), Reported> {
        if self.n_with_name(class, name.symbol) <= 1 {
            return Ok(());
        }
        let spelling = self.spelling(name.symbol);
        let message = format!("member `{spelling}` found in multiple base classes");
        Err(self.error(Code::NoMember, name.span, message))
    }
}
