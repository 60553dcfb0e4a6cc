//! Structured bindings (C++17 11.5): names for the elements of an array or the members of a struct. What they are elements of is a
//! variable without a name, or a reference. A name stands for its element, as an anonymous union's member does; [`super::tuple_binding`]
//! has classes whose elements `get` gives.

use smallvec::SmallVec;
use thin_vec::ThinVec;

use crate::ast::{ExprId, ExprKind, InitId, InitKind, Name, StructuredBinding, TranslationUnit};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    Expr, ExprData, Field, Init, InitData, Local, LocalData, Place, PlaceData, Quals, RefKind, Stmt,
    StmtData, Ty, TyKind,
};
use crate::layout;
use crate::sema::Declarations;
use crate::sema::conversion::Target;
use crate::sema::conversion::reference::sole_expr;
use crate::sema::expression::Operand;
use crate::sema::name::scope::{Binding, Entity};
use crate::source::Span;
use crate::token::Symbol;

/// How many numbers and structs an array may have in all of which a copy is bound to.
const MAX_COPIED: u64 = 256;

/// An array that is copied element by element.
#[derive(Clone, Copy)]
enum Source {
    /// What the expression names, which has no effects.
    Named(ExprId),
    /// What the variable points to.
    Behind(Local),
    /// What the name means.
    Bound(Binding, Name),
}

impl<'a> Declarations<'a> {
    pub(super) fn check_structured_binding(
        &mut self,
        binding: &'a StructuredBinding,
        list: &mut ThinVec<Stmt>,
    ) {
        let local = self.declare_bound(binding);
        let declared: SmallVec<[Symbol; 4]> =
            binding.names.iter().filter_map(|&name| self.declare_element(local, name)).collect();
        let is_whole = declared.len() == binding.names.len();
        if self.check_bound(binding, local, is_whole, list).is_err() {
            for name in &binding.names {
                if declared.contains(&name.symbol) {
                    self.scopes.bind(name.symbol, Entity::Poison, name.span);
                }
            }
        }
    }

    /// The variable, whose type is not known yet.
    fn declare_bound(&mut self, binding: &StructuredBinding) -> Local {
        let names: Vec<&str> = binding.names.iter().map(|name| self.spelling(name.symbol)).collect();
        let data = LocalData {
            name: Some(format!("[{}]", names.join(", ")).into()),
            ty: Ty::ERROR,
            align: None,
            is_param: false,
            is_grid_constant: false,
            is_referenced: false,
            span: binding.list,
        };
        self.statements().func_cx().locals.push(data)
    }

    /// Declares the name of an element, whose index is known when the type is.
    fn declare_element(&mut self, local: Local, name: Name) -> Option<Symbol> {
        self.names().warn_shadow(name);
        self.names().declare(name, Entity::Element(local, u32::MAX)).ok().map(|()| name.symbol)
    }

    fn check_bound(
        &mut self,
        binding: &'a StructuredBinding,
        local: Local,
        is_whole: bool,
        list: &mut ThinVec<Stmt>,
    ) -> Result<(), Reported> {
        let (specs, declared) = (&binding.specs, &binding.declared);
        self.check_binding_specifiers(binding, local)?;
        let Some(init) = declared.init else {
            let message = "structured binding requires an initializer";
            return Err(self.error(Code::InvalidStructuredBinding, binding.list, message));
        };
        let is_reference = !declared.declarator.chunks.is_empty();
        let array = match value_of(self.unit, init) {
            Some(value) if !is_reference => self.array_named(value)?.map(|ty| (value, ty)),
            _ => None,
        };
        let ty = match array {
            Some((_, array)) => self.types().qualified(array, &specs.quals)?,
            None => {
                let base = self.expressions().deduce_auto(
                    specs,
                    &declared.declarator,
                    declared.init,
                    binding.names[0],
                    &mut None,
                )?;
                self.types().declared_ty(base, &declared.declarator)?.ty
            }
        };
        let whole = self.conversions_ref().unreferenced(ty);
        self.types().require_complete(whole, binding.list)?;
        let is_tuple = self.has_tuple_elements(whole, binding)?;
        let indices = if is_tuple { Vec::new() } else { self.elements_of(whole, binding)? };
        self.statements().func_cx().locals[local].ty = Ty::ERROR;
        let init = match array {
            Some((value, _)) => self.copy_of_array(value, ty, list)?,
            None => self.conversions().check_variable_init(ty, init)?.0,
        };
        let found = self.statements().temporaries_of_init(ty, init);
        let stmt = self.statements().stmt(StmtData::Local(local, Some(init)), binding.list);
        self.statements().push_full(stmt, found, list);
        self.statements().func_cx().locals[local].ty = ty;
        self.statements().func_cx().note_initialized(binding.names[0]);
        self.statements().note_destructor(local, binding.list);
        if !is_whole {
            return Err(self.poisoned());
        }
        if is_tuple {
            return self.declare_tuple_elements(binding, local, list);
        }
        for (name, idx) in binding.names.iter().zip(indices) {
            self.scopes.bind(name.symbol, Entity::Element(local, idx), name.span);
        }
        Ok(())
    }

    // C++17 10.1p1, 11.5p1
    fn check_binding_specifiers(
        &mut self,
        binding: &StructuredBinding,
        local: Local,
    ) -> Result<(), Reported> {
        let (specs, declarator) = (&binding.specs, &binding.declared.declarator);
        let storage = specs.storage.map(|(_, span)| (span, "declared with a storage class"));
        let inline = specs.inline.span().map(|span| (span, "declared `inline`"));
        let constexpr = specs.constexpr.span().map(|span| (span, "declared `constexpr`"));
        if let Some((span, how)) = storage.or(constexpr).or(inline) {
            let message = format!("structured binding cannot be {how}");
            return Err(self.error(Code::InvalidStructuredBinding, span, message));
        }
        let attrs = self.types().collect_attrs(&specs.attrs, &declarator.attrs);
        self.types().refuse_function_attrs(&attrs, "a structured binding");
        self.types().refuse_packed(&attrs, "a structured binding");
        if let Some(span) = attrs.shared.or(attrs.device).or(attrs.constant).or(attrs.managed) {
            let message = "memory qualifiers are not allowed on a structured binding";
            return Err(self.error(Code::InvalidAttribute, span, message));
        }
        let data = &mut self.statements().func_cx().locals[local];
        data.align = attrs.align.map(|(align, _)| align);
        data.is_referenced = attrs.is_maybe_unused;
        Ok(())
    }

    /// The type of the array that the expression designates.
    fn array_named(&mut self, value: ExprId) -> Result<Option<Ty>, Reported> {
        if let Some(literal) = self.expressions_ref().string_behind(value) {
            return Ok(Some(self.expressions().string_ty(literal)));
        }
        let was_quiet = self.sink.set_quiet(true);
        let ty = self.in_scratch(|cx| {
            let operand = cx.expressions().check_expr(value)?;
            cx.expressions().operand_ty(operand)
        });
        self.sink.set_quiet(was_quiet);
        let ty = ty?;
        Ok(matches!(self.module.types.kind(ty), TyKind::Array(..)).then_some(ty))
    }

    /// The indices of the elements that have the names (C++17 11.5p2, p4).
    fn elements_of(&mut self, ty: Ty, binding: &StructuredBinding) -> Result<Vec<u32>, Reported> {
        let bare = self.module.types.unqualified(ty);
        let shown = self.show(bare);
        let n_names = binding.names.len();
        let refuse = |cx: &mut Self, message: String| {
            Err(cx.error(Code::InvalidStructuredBinding, binding.list, message))
        };
        let (count, indices) = match *self.module.types.kind(ty) {
            TyKind::Array(_, Some(len)) => {
                // More than there are names are not needed to say so.
                let indices = (0..n_names as u32 + 1).filter(|&idx| u64::from(idx) < len).collect();
                (len, indices)
            }
            TyKind::Record(record) => {
                let data = &self.module.types.records[record];
                if data.is_union {
                    return refuse(self, format!("cannot bind names to the members of the union {shown}"));
                }
                let hidden = self.known.record_facts.get(&record).and_then(|facts| facts.hidden_member);
                if let Some(hidden) = hidden {
                    let message = format!("cannot bind names to the members of {shown}: not all are public");
                    let diagnostic = Diagnostic::new(Code::InvalidStructuredBinding, binding.list, message)
                        .with_label(hidden, "declared here");
                    return Err(self.sink.error(diagnostic));
                }
                let fields = data.fields.as_deref().unwrap_or_default();
                let types = &self.module.types;
                let has_members = |field: &Field| layout::is_empty_record(types, field.ty) != Ok(true);
                if fields.iter().any(|field| field.is_base && has_members(field)) {
                    let message = format!(
                        "structured bindings of {shown}, whose base class has members, are not supported"
                    );
                    return Err(self.error(Code::UnsupportedMember, binding.list, message));
                }
                let is_anonymous =
                    |field: &Field| field.name.is_none() && field.bit_width.is_none() && !field.is_base;
                if fields.iter().any(is_anonymous) {
                    let what = "it has an anonymous struct or union";
                    return refuse(self, format!("cannot bind names to the members of {shown}: {what}"));
                }
                if self.known.broken_records.contains(&record) {
                    return Err(self.poisoned());
                }
                let named = fields.iter().zip(0_u32..).filter(|(field, _)| field.name.is_some());
                let indices: Vec<u32> = named.map(|(_, idx)| idx).collect();
                if indices.is_empty() || data.is_builtin && !self.has_public_members(ty) {
                    return refuse(self, format!("type {shown} has no elements to bind names to"));
                }
                (indices.len() as u64, indices)
            }
            TyKind::Error => return Err(self.poisoned()),
            _ => return refuse(self, format!("type {shown} has no elements to bind names to")),
        };
        self.require_names(count, ty, binding).map(|()| indices)
    }

    /// There are as many names as elements.
    pub(super) fn require_names(
        &mut self,
        count: u64,
        ty: Ty,
        binding: &StructuredBinding,
    ) -> Result<(), Reported> {
        let n_names = binding.names.len();
        if count == n_names as u64 {
            return Ok(());
        }
        let bare = self.module.types.unqualified(ty);
        let shown = self.show(bare);
        let were = if n_names == 1 { "name was" } else { "names were" };
        let only = if count > n_names as u64 { "only " } else { "" };
        let elements = if count == 1 { "element" } else { "elements" };
        let message = format!("type {shown} has {count} {elements}, but {only}{n_names} {were} provided");
        Err(self.error(Code::InvalidStructuredBinding, binding.list, message))
    }

    /// Whether a struct of the compiler's is one with public members in CUDA's headers.
    fn has_public_members(&self, ty: Ty) -> bool {
        let Some(record) = self.module.types.record(ty) else { return false };
        let tag = self.module.types.records[record].tag.as_deref().unwrap_or_default();
        // The others hide theirs: `__half`, or `va_list`.
        self.builtins_ref().vector_of(ty).is_some() || matches!(tag, "dim3" | "__half2" | "__nv_bfloat162")
    }

    /// The elements of an array, of which a variable becomes a copy (C++17 11.5p1).
    fn copy_of_array(&mut self, value: ExprId, ty: Ty, list: &mut ThinVec<Stmt>) -> Result<Init, Reported> {
        let span = self.unit.exprs[value].span;
        let (n_elements, elem) = self.scalars_of(ty);
        if n_elements > MAX_COPIED {
            let message = format!(
                "a copy of more than {MAX_COPIED} elements for a structured binding is not supported"
            );
            let diagnostic = Diagnostic::new(Code::UnsupportedDeclarator, span, message)
                .with_help("bind the names to the array itself: `auto &[…]`");
            return Err(self.sink.error(diagnostic));
        }
        self.names().require_device_copy(elem, span)?;
        let value = self.warnings_ref().peeled(value);
        let source = match self.unit.exprs[value].kind {
            ExprKind::Ident(_) | ExprKind::RangeElement | ExprKind::Str(_) => Source::Named(value),
            _ => {
                let pointer = self.address_of_array(value)?;
                let pointer_ty = self.ty_of(pointer);
                let local = self.conversions().unnamed_local(pointer_ty, span);
                let init = self.init(InitData::Expr(pointer), span);
                let stmt = self.statements().stmt(StmtData::Local(local, Some(init)), span);
                list.push(stmt);
                Source::Behind(local)
            }
        };
        self.copy_elements(source, &mut Vec::new(), ty, span)
    }

    /// The elements of an array that a lambda captures.
    pub(in crate::sema) fn copy_of_captured(
        &mut self,
        binding: Binding,
        name: Name,
        ty: Ty,
    ) -> Result<Init, Reported> {
        let (n_elements, _) = self.scalars_of(ty);
        if n_elements > MAX_COPIED {
            let message =
                format!("the capture of a copy of more than {MAX_COPIED} elements is not supported");
            let diagnostic = Diagnostic::new(Code::UnsupportedLambda, name.span, message)
                .with_help("capture a reference: `&`");
            return Err(self.sink.error(diagnostic));
        }
        self.copy_elements(Source::Bound(binding, name), &mut Vec::new(), ty, name.span)
    }

    fn address_of_array(&mut self, value: ExprId) -> Result<Expr, Reported> {
        let operand = self.expressions().check_expr(value)?;
        let ty = self.expressions().operand_ty(operand)?;
        let kind = match operand {
            Operand::Member(_) | Operand::Value(_) => RefKind::Rvalue,
            _ => RefKind::Lvalue,
        };
        let reference = self.module.types.reference_to(ty, kind);
        self.conversions().bind(operand, reference, Target::Initialize)
    }

    /// How many elements an array has that are no arrays, and their type.
    fn scalars_of(&self, ty: Ty) -> (u64, Ty) {
        let (mut count, mut ty) = (1_u64, ty);
        while let TyKind::Array(elem, len) = *self.module.types.kind(ty) {
            (count, ty) = (count.saturating_mul(len.unwrap_or(0)), elem);
        }
        (count, ty)
    }

    fn copy_elements(
        &mut self,
        source: Source,
        path: &mut Vec<u64>,
        ty: Ty,
        span: Span,
    ) -> Result<Init, Reported> {
        if let TyKind::Array(elem, len) = *self.module.types.kind(ty) {
            let mut elements = ThinVec::new();
            for idx in 0..len.unwrap_or(0) {
                path.push(idx);
                elements.push((idx, self.copy_elements(source, path, elem, span)?));
                path.pop();
            }
            return Ok(self.init(InitData::Array(elements), span));
        }
        let mut place = match source {
            Source::Named(value) => match self.expressions().check_expr(value)? {
                Operand::Place(place) | Operand::Member(place) => place,
                _ => return Err(self.poisoned()),
            },
            Source::Bound(binding, name) => match self.expressions().entity_operand(binding, name)? {
                Operand::Place(place) | Operand::Member(place) => place,
                _ => return Err(self.poisoned()),
            },
            Source::Behind(local) => {
                let pointer = self.statements().func_cx().locals[local].ty;
                let Some(array) = self.module.types.pointee(pointer) else { return Err(self.poisoned()) };
                let held = self.place(PlaceData::Local(local), pointer, span);
                let pointer = self.expr(ExprData::Load(held), pointer, span);
                self.place(PlaceData::Deref(pointer), array, span)
            }
        };
        for &idx in &*path {
            place = self.element_of(place, idx, span);
        }
        let value = self.expressions().load(place)?;
        let value = self.conversions().own_value(value)?;
        Ok(self.init(InitData::Expr(value), span))
    }

    /// An element of an array.
    fn element_of(&mut self, array: Place, idx: u64, span: Span) -> Place {
        let ty = self.place_ty(array);
        let TyKind::Array(elem, _) = *self.module.types.kind(ty) else { return array };
        let pointer = self.module.types.pointer_to(elem);
        let ptr = self.expr(ExprData::ArrayDecay(array), pointer, span);
        let index = self.expr(ExprData::int(idx), Ty::LONG, span);
        let moved = self.expr(ExprData::PtrOffset { ptr, index, subtract: false }, pointer, span);
        self.place(PlaceData::Deref(moved), elem, span)
    }

    /// What the name of an element means.
    pub(in crate::sema) fn bound_element(
        &mut self,
        local: Local,
        idx: u32,
        name: Name,
    ) -> Result<Operand, Reported> {
        if idx == u32::MAX {
            let name_of = self.spelling(name.symbol);
            let message =
                format!("binding `{name_of}` cannot appear in the initializer of its own declaration");
            return Err(self.error(Code::InvalidAuto, name.span, message));
        }
        let Some(whole) = self.expressions().local_place(local, name.span) else {
            return Err(self.poisoned());
        };
        let ty = self.place_ty(whole);
        if self.module.types.record(ty).is_none() {
            let element = self.element_of(whole, idx.into(), name.span);
            return Ok(Operand::Place(element));
        }
        let field_ty = self.expressions().field_ty(ty, idx);
        let held = PlaceData::Field(whole, idx);
        let Some((referred, _)) = self.module.types.reference(field_ty) else {
            self.expressions().refuse_long_doubles_in(field_ty, name.span)?;
            return Ok(Operand::Place(self.place(held, field_ty, name.span)));
        };
        let quals = self.module.types.quals(ty) - Quals::RESTRICT;
        if self.module.types.func(referred).is_some() {
            return Ok(Operand::FuncDeref(self.conversions().held_address(held, referred, quals, name.span)));
        }
        Ok(Operand::Place(self.conversions().referred_place(held, referred, quals, name.span)))
    }

    /// The type of an element as `decltype` names it: with the qualifiers of the whole, or the reference that it is (C++17 11.5p3, p4).
    pub(in crate::sema) fn declared_element(&mut self, id: ExprId) -> Option<Ty> {
        let ExprKind::Ident(symbol) = self.unit.exprs[id].kind else { return None };
        let (local, idx) = match self.names_ref().lookup(symbol)?.entity {
            Entity::Element(local, idx) => (local, idx),
            Entity::Local(local) => return self.func.as_ref()?.tuple_elements.get(&local).copied(),
            _ => return None,
        };
        let ty = self.func.as_ref()?.locals.get(local)?.ty;
        let whole = self.conversions_ref().unreferenced(ty);
        match *self.module.types.kind(whole) {
            TyKind::Array(elem, _) => Some(elem),
            TyKind::Record(_) if idx != u32::MAX => {
                let field_ty = self.expressions().field_ty(whole, idx);
                Some(field_ty)
            }
            _ => None,
        }
    }
}

/// The value of an initializer that is one: `= e`, `(e)` or `{e}`.
fn value_of(unit: &TranslationUnit, init: InitId) -> Option<ExprId> {
    let node = &unit.inits[init];
    match &node.kind {
        InitKind::Expr(value) => Some(*value),
        InitKind::Parens(values) => match values[..] {
            [value] => Some(value),
            _ => None,
        },
        InitKind::List(items) if node.is_direct => sole_expr(unit, items),
        InitKind::List(_) => None,
    }
}
