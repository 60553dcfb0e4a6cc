//! What copies, moves and assigns an object as a whole (C++17 15.8): whether it calls functions, and those that a class has without
//! writing them.

use std::ops::Index;

use thin_vec::{ThinVec, thin_vec};

use super::special::Origin;
use crate::ast::OfPack;
use crate::diag::Reported;
use crate::ir::{
    self, BinaryOp, CompareOp, Expr, ExprData, Field, ForHead, Func, FuncTy, Function, FunctionKind,
    InitData, InlineHint, LinkName, MethodKind, Place, PlaceData, Quals, Record, RefKind, Stmt, StmtData, Ty,
    TyKind,
};
use crate::sema::expression::Operand;
use crate::sema::types::Param;
use crate::sema::{Cx, Declarations};
use crate::source::Span;

/// What can be done with an object as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) enum Deed {
    /// Another one is made of it.
    Copy,
    /// The same of one that is not needed any more.
    Move,
    /// Another one is assigned to it.
    CopyAssign,
    /// The same of one that is not needed any more.
    MoveAssign,
}

impl Deed {
    const ALL: [Deed; 4] = [Deed::Copy, Deed::Move, Deed::CopyAssign, Deed::MoveAssign];

    /// It makes an object.
    pub(in crate::sema) fn constructs(self) -> bool {
        matches!(self, Deed::Copy | Deed::Move)
    }

    fn moves(self) -> bool {
        matches!(self, Deed::Move | Deed::MoveAssign)
    }

    /// The same for an object that is still needed.
    fn copying(self) -> Deed {
        if self.constructs() { Deed::Copy } else { Deed::CopyAssign }
    }

    /// What the function is called in messages.
    pub(in crate::sema) fn function(self) -> &'static str {
        match self {
            Deed::Copy => "copy constructor",
            Deed::Move => "move constructor",
            Deed::CopyAssign => "copy assignment operator",
            Deed::MoveAssign => "move assignment operator",
        }
    }
}

/// How it is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::sema) enum Manner {
    /// As C does it: the bytes are copied.
    #[default]
    Bytes,
    /// A function does it, written or not.
    Call,
    /// Not at all.
    Deleted,
}

/// How a class does it.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::sema) struct Manners {
    deeds: [Manner; 4],
    /// How its life ends; by nothing at all instead of bytes.
    destroy: Manner,
}

impl Index<Deed> for Manners {
    type Output = Manner;

    fn index(&self, deed: Deed) -> &Manner {
        &self.deeds[deed as usize]
    }
}

impl Manners {
    /// Both ways to make another object copy bytes.
    pub(in crate::sema) fn copies_bytes(&self) -> bool {
        self.is_plain(Deed::Copy)
    }

    /// Both ways to assign copy bytes.
    pub(in crate::sema) fn assigns_bytes(&self) -> bool {
        self.is_plain(Deed::CopyAssign)
    }

    /// Making another object is the work of functions: its bytes are never copied.
    pub(in crate::sema) fn is_copied_by_call(&self) -> bool {
        [self[Deed::Copy], self[Deed::Move]].contains(&Manner::Call)
    }

    /// No object is made of another.
    pub(in crate::sema) fn is_never_copied(&self) -> bool {
        [self[Deed::Copy], self[Deed::Move]] == [Manner::Deleted; 2]
    }

    /// Something is done where its life ends, or that is not possible.
    pub(in crate::sema) fn is_destroyed(&self) -> bool {
        self.destroy != Manner::Bytes
    }

    /// That is what is done where its life ends.
    pub(in crate::sema) fn destroys(&self, manner: Manner) -> bool {
        self.destroy == manner
    }

    /// A function assigns.
    pub(in crate::sema) fn is_assigned_by_call(&self) -> bool {
        [self[Deed::CopyAssign], self[Deed::MoveAssign]].contains(&Manner::Call)
    }

    fn is_plain(&self, deed: Deed) -> bool {
        let moving = if deed.constructs() { Deed::Move } else { Deed::MoveAssign };
        self[deed.copying()] == Manner::Bytes && self[moving] == Manner::Bytes
    }
}

impl Cx<'_> {
    /// How objects of the type, or the elements of such an array, are copied and assigned.
    pub(in crate::sema) fn manners_of(&self, mut ty: Ty) -> Manners {
        while let TyKind::Array(elem, _) = *self.module.types.kind(ty) {
            ty = elem;
        }
        let class = self.module.types.record(ty);
        class.map_or_else(Manners::default, |class| self.manners_of_class(class))
    }

    /// The same of a class.
    pub(in crate::sema) fn manners_of_class(&self, class: Record) -> Manners {
        self.known.record_facts.get(&class).map_or_else(Manners::default, |facts| facts.manners)
    }

    /// What a special member function does, if it is one that copies or assigns (C++17 15.8.1p1, 15.8.2p1).
    pub(in crate::sema) fn deed(&self, func: Func) -> Option<Deed> {
        let function = &self.module.functions[func];
        let method = function.method.filter(|_| function.instance.is_none())?;
        let types = &self.module.types;
        let ty = types.func(function.ty)?;
        let &first = ty.params.get(1)?;
        let (referred, kind) = match types.reference(first) {
            Some((referred, kind)) => (referred, Some(kind)),
            None => (first, None),
        };
        if types.record(referred) != Some(method.class) {
            return None;
        }
        match (method.kind, kind) {
            (MethodKind::Constructor | MethodKind::BaseConstructor, Some(kind))
                if self.calls_ref().n_required_args(func) <= 2 =>
            {
                Some(if kind == RefKind::Rvalue { Deed::Move } else { Deed::Copy })
            }
            (MethodKind::Named, kind) if function.name == "operator=" => {
                Some(if kind == Some(RefKind::Rvalue) { Deed::MoveAssign } else { Deed::CopyAssign })
            }
            _ => None,
        }
    }
}

impl Declarations<'_> {
    /// How a class with these members is copied and assigned.
    pub(in crate::sema) fn find_manners(&self, class: Record, fields: &[Field]) -> Manners {
        let is_plain = |field: &Field| {
            let manners = self.manners_of(field.ty);
            manners.copies_bytes() && manners.assigns_bytes() && !manners.is_destroyed()
        };
        if !self.known.specials.contains_key(&class) && fields.iter().all(is_plain) {
            return Manners::default();
        }
        let mut manners = Manners::default();
        for deed in Deed::ALL {
            manners.deeds[deed as usize] = self.manner(class, fields, deed, manners);
        }
        manners.destroy = self.destroy_manner(class, fields);
        manners
    }

    /// How the life of its objects ends (C++17 15.4p4, p5).
    fn destroy_manner(&self, class: Record, fields: &[Field]) -> Manner {
        let own = self.known.specials.get(&class).and_then(|specials| specials.destructor);
        let origin = own.and_then(|func| self.known.func_facts.get(&func)).map(|facts| facts.origin);
        match origin {
            Some(Origin::Provided) => return Manner::Call,
            Some(Origin::Deleted(_)) => return Manner::Deleted,
            Some(Origin::Defaulted) | None => {}
        }
        let parts = fields.iter().map(|field| self.manners_of(field.ty).destroy);
        parts.fold(Manner::Bytes, |found, part| match (found, part) {
            (Manner::Deleted, _) | (_, Manner::Deleted) => Manner::Deleted,
            (Manner::Call, _) | (_, Manner::Call) => Manner::Call,
            _ => Manner::Bytes,
        })
    }

    /// The destructor of a class that has one which does something.
    pub(in crate::sema) fn destructor_of(&mut self, class: Record) -> Result<Func, Reported> {
        let specials = self.known.specials.get(&class);
        let known = specials.and_then(|specials| specials.destructor.or(specials.implicit_destructor));
        let func = match known {
            Some(func) => func,
            None => {
                let this = self.module.types.record_ty(class);
                let this = self.module.types.pointer_to(this);
                let ty = FuncTy { ret: Ty::VOID, params: vec![this], variadic: false };
                let name = self.module.types.class_name(class).unwrap_or_default().to_owned();
                let func = self.push_implicit(class, name, MethodKind::Destructor, ty);
                self.known.specials.entry(class).or_default().implicit_destructor = Some(func);
                self.known.func_facts.entry(func).or_default().origin = Origin::Defaulted;
                func
            }
        };
        let facts = self.known.func_facts.entry(func).or_default();
        if facts.origin != Origin::Defaulted || facts.defined.is_some() {
            return Ok(func);
        }
        let span = self.module.functions[func].span;
        self.known.func_facts.entry(func).or_default().defined = Some(span);
        self.module.functions[func].linkage = self.linkage_of_method(class, true);
        self.apart(|cx| {
            cx.within_class(class, |cx| cx.declarations().write_destructor(func, class, span));
        });
        Ok(func)
    }

    /// The body of a destructor that the class does not write: the members and bases are destroyed.
    fn write_destructor(&mut self, func: Func, class: Record, span: Span) {
        let class_ty = self.module.types.record_ty(class);
        let this = self.module.types.pointer_to(class_ty);
        let this = self.module.types.with_quals(this, Quals::CONST);
        self.begin_body(func, Ty::VOID, vec![Param::this(this, span)]);
        self.statements().note_parts(class, span);
        let mut list = ThinVec::new();
        self.statements().end_scope(0, &mut list, span);
        let root = self.statements().stmt(StmtData::Block(list), span);
        self.scopes.pop();
        self.finish_body(func, root, span);
    }

    /// How it does this; `before` says how it copies.
    fn manner(&self, class: Record, fields: &[Field], deed: Deed, before: Manners) -> Manner {
        let origins = self.origins(class, deed);
        if origins.contains(&Origin::Provided) {
            return Manner::Call;
        }
        if origins.contains(&Origin::Defaulted) {
            return self.manner_of_parts(fields, deed);
        }
        if !origins.is_empty() || !deed.moves() && self.deletes_copies(class) {
            return Manner::Deleted;
        }
        if deed.moves() && !self.moves_implicitly(class) {
            return before[deed.copying()];
        }
        match self.manner_of_parts(fields, deed) {
            Manner::Deleted if deed.moves() => before[deed.copying()],
            manner => manner,
        }
    }

    /// What the members and bases make of it (C++17 15.8.1p10, 15.8.2p7).
    fn manner_of_parts(&self, fields: &[Field], deed: Deed) -> Manner {
        let mut found = Manner::Bytes;
        let mut is_fixed = false;
        for field in fields {
            match self.manners_of(field.ty)[deed] {
                Manner::Bytes => {}
                Manner::Call => found = Manner::Call,
                Manner::Deleted => return Manner::Deleted,
            }
            is_fixed |= self.is_const(field.ty) || self.module.types.reference(field.ty).is_some();
        }
        // Where bytes are copied, the assignment says what is wrong.
        if found == Manner::Call && is_fixed && !deed.constructs() { Manner::Deleted } else { found }
    }

    /// Why nothing of the kind can be done: a member that cannot, or what the class says.
    pub(in crate::sema) fn why_deleted(&self, class: Record, deed: Deed) -> Option<(Span, String)> {
        if !deed.moves() && !self.declares(class, deed) && self.deletes_copies(class) {
            let moving =
                [Deed::Move, Deed::MoveAssign].into_iter().find(|&deed| self.declares(class, deed))?;
            let declared = *self.declared(class, moving).first()?;
            let why = format!("the class declares a {}", moving.function());
            return Some((self.module.functions[declared].span, why));
        }
        let fields = self.module.types.records[class].fields.as_deref()?;
        let cannot = |field: &&Field| {
            let is_fixed = self.is_const(field.ty) || self.module.types.reference(field.ty).is_some();
            self.manners_of(field.ty)[deed] == Manner::Deleted || is_fixed && !deed.constructs()
        };
        let field = fields.iter().find(cannot)?;
        let what = if field.is_base { "base class" } else { "member" };
        Some((field.span, format!("this {what} has no {}", deed.function())))
    }

    fn origins(&self, class: Record, deed: Deed) -> Vec<Origin> {
        self.declared(class, deed)
            .into_iter()
            .map(|func| self.known.func_facts.get(&func).map_or(Origin::Provided, |facts| facts.origin))
            .collect()
    }

    /// The functions for it that the class declares.
    fn declared(&self, class: Record, deed: Deed) -> Vec<Func> {
        let Some(specials) = self.known.specials.get(&class) else { return Vec::new() };
        let funcs: &[Func] = if deed.constructs() { &specials.constructors } else { &specials.assignments };
        funcs.iter().copied().filter(|&func| self.deed(func) == Some(deed)).collect()
    }

    fn declares(&self, class: Record, deed: Deed) -> bool {
        !self.declared(class, deed).is_empty()
    }

    /// A class that says how it is moved is not copied in a way that it does not say (C++17 15.8.1p6, 15.8.2p2).
    fn deletes_copies(&self, class: Record) -> bool {
        self.declares(class, Deed::Move) || self.declares(class, Deed::MoveAssign)
    }

    /// Whether the class is moved in another way than copied without saying so (C++17 15.8.1p8, 15.8.2p4).
    fn moves_implicitly(&self, class: Record) -> bool {
        let has_destructor =
            self.known.specials.get(&class).is_some_and(|specials| specials.destructor.is_some());
        !has_destructor && !Deed::ALL.into_iter().any(|deed| self.declares(class, deed))
    }

    /// Declares the functions that the class has without a word, if one of them is more than a copy of bytes.
    pub(in crate::sema) fn declare_implicit(&mut self, class: Record) {
        let manners = self.manners_of_class(class);
        for deed in Deed::ALL {
            let moves = deed.moves() && (!self.moves_implicitly(class) || manners[deed] == Manner::Deleted);
            if manners.is_plain(deed) || moves || self.declares(class, deed) {
                continue;
            }
            let func = self.implicit_function(class, deed);
            let is_deleted = manners[deed] == Manner::Deleted;
            let span = self.module.functions[func].span;
            let origin = if is_deleted { Origin::Deleted(span) } else { Origin::Defaulted };
            self.known.func_facts.entry(func).or_default().origin = origin;
            let specials = self.known.specials.entry(class).or_default();
            let list = if deed.constructs() {
                &mut specials.implicit_copies
            } else {
                &mut specials.implicit_assignments
            };
            list.push(func);
        }
    }

    fn implicit_function(&mut self, class: Record, deed: Deed) -> Func {
        let class_ty = self.module.types.record_ty(class);
        let this = self.module.types.pointer_to(class_ty);
        let param = if deed.moves() {
            self.module.types.reference_to(class_ty, RefKind::Rvalue)
        } else {
            let constant = self.module.types.with_quals(class_ty, Quals::CONST);
            self.module.types.reference_to(constant, RefKind::Lvalue)
        };
        let (name, kind, ret) = if deed.constructs() {
            let name = self.module.types.class_name(class).unwrap_or_default().to_owned();
            (name, MethodKind::Constructor, Ty::VOID)
        } else {
            let ret = self.module.types.reference_to(class_ty, RefKind::Lvalue);
            ("operator=".to_owned(), MethodKind::Named, ret)
        };
        self.push_implicit(class, name, kind, FuncTy { ret, params: vec![this, param], variadic: false })
    }

    fn push_implicit(&mut self, class: Record, name: String, kind: MethodKind, ty: FuncTy) -> Func {
        let data = &self.module.types.records[class];
        let (span, namespace) = (data.span, data.namespace);
        let ty = self.module.types.intern(TyKind::Func(ty), Quals::empty());
        let linkage = self.linkage_of_method(class, true);
        self.cx.module.functions.push(Function {
            name,
            namespace,
            link_name: LinkName::Cxx,
            linkage,
            kind: FunctionKind::Device,
            ty,
            inline: InlineHint::Auto,
            instance: None,
            method: Some(ir::Method { class, is_static: false, ref_qualifier: None, kind, inherits: None }),
            body: None,
            is_referenced: true,
            span,
        })
    }

    /// The body of `operator new` for a place: it returns the second argument.
    pub(in crate::sema) fn write_placement(
        &mut self,
        func: Func,
        memory: Ty,
        params: Vec<Param>,
        span: Span,
    ) {
        self.begin_body(func, memory, params);
        let address = self.statements().func_cx().locals.keys().nth(1);
        let mut list = ThinVec::new();
        if let Some(address) = address {
            let value = self.statements().local_value(address, memory, span);
            list.push(self.statements().stmt(StmtData::Return(Some(value)), span));
        }
        let root = self.statements().stmt(StmtData::Block(list), span);
        self.scopes.pop();
        self.finish_body(func, root, span);
    }

    /// Gives a function its body that the class does not write, once something uses it.
    pub(in crate::sema) fn define_implicit(&mut self, func: Func) -> Result<(), Reported> {
        let (Some(deed), Some(method)) = (self.deed(func), self.module.functions[func].method) else {
            return Ok(());
        };
        let class = method.class;
        let facts = self.known.func_facts.entry(func).or_default();
        if facts.origin != Origin::Defaulted || facts.defined.is_some() {
            return Ok(());
        }
        let span = self.module.functions[func].span;
        self.known.func_facts.entry(func).or_default().defined = Some(span);
        self.module.functions[func].linkage = self.linkage_of_method(class, true);
        self.apart(|cx| {
            cx.within_class(class, |cx| cx.declarations().write_implicit(func, class, deed, span))
        })
    }

    /// The body: what is done with each base and member.
    fn write_implicit(&mut self, func: Func, class: Record, deed: Deed, span: Span) -> Result<(), Reported> {
        let Some(ty) = self.module.types.func(self.module.functions[func].ty).cloned() else {
            return Err(self.poisoned());
        };
        let this = self.module.types.with_quals(ty.params[0], Quals::CONST);
        let param = Param { ty: ty.params[1], ..Param::this(this, span) };
        debug_assert!(param.pack == OfPack::No);
        self.begin_body(func, ty.ret, vec![Param::this(this, span), param]);
        let mut list = ThinVec::new();
        let done = self.do_with_parts(class, deed, &mut list, span);
        if !deed.constructs()
            && let Some(this) = self.expressions().this_pointer(span)
        {
            list.push(self.statements().stmt(StmtData::Return(Some(this)), span));
        }
        let root = self.statements().stmt(StmtData::Block(list), span);
        self.scopes.pop();
        self.finish_body(func, root, span);
        done
    }

    fn do_with_parts(
        &mut self,
        class: Record,
        deed: Deed,
        list: &mut ThinVec<Stmt>,
        span: Span,
    ) -> Result<(), Reported> {
        let n_fields = self.module.types.records[class].fields.as_ref().map_or(0, Vec::len) as u32;
        for idx in 0..n_fields {
            let field = self.module.types.records[class].fields.as_ref().map(|f| &f[idx as usize]);
            let is_padding = field.is_some_and(|f| f.name.is_none() && f.bit_width.is_some());
            if is_padding {
                continue;
            }
            let class_ty = self.module.types.record_ty(class);
            let Some(this) = self.expressions().this_pointer(span) else { return Err(self.poisoned()) };
            let object = self.place(PlaceData::Deref(this), class_ty, span);
            let to = self.own_field(object, class, idx, span);
            let other = self.statements().func_cx().params[1];
            let held = self.statements().func_cx().locals[other].ty;
            let referred = self.module.types.reference(held).map_or(class_ty, |(referred, _)| referred);
            let pointer = self.module.types.pointer_to(referred);
            let held = self.place(PlaceData::Local(other), pointer, span);
            let pointer = self.expr(ExprData::Load(held), pointer, span);
            let object = self.place(PlaceData::Deref(pointer), referred, span);
            let from = self.own_field(object, class, idx, span);
            let quals = self.module.types.quals(self.place_ty(from)) | self.module.types.quals(referred);
            let ty = self.place_ty(from);
            self.cx.arena.places[from].ty = self.cx.module.types.with_quals(ty, quals);
            let stmt = self.do_with_part(to, from, deed, Some((class, idx)), span)?;
            list.push(stmt);
        }
        Ok(())
    }

    /// What is done with a base, a member or an element of an array; `field` says which it is.
    fn do_with_part(
        &mut self,
        to: Place,
        from: Place,
        deed: Deed,
        field: Option<(Record, u32)>,
        span: Span,
    ) -> Result<Stmt, Reported> {
        let ty = self.place_ty(to);
        if let TyKind::Array(elem, len) = *self.module.types.kind(ty) {
            return self.do_with_elements(to, from, (elem, len.unwrap_or(0)), deed, span);
        }
        let operand = if deed.moves() { Operand::Member(from) } else { Operand::Place(from) };
        if deed.constructs() {
            let bare = self.module.types.unqualified(ty);
            let value = self.expressions().rvalue(operand)?;
            let base = field.and_then(|(class, idx)| self.base_at(class, idx));
            let value = self.names().for_part_of_base(base, |cx| cx.conversions().own_value(value))?;
            debug_assert!(self.same(self.ty_of(value), bare));
            let init = self.conversions().init_of_value(value, span);
            if let Some((class, idx)) = field {
                self.construct_as_base(class, idx, init);
            }
            return Ok(self.statements().stmt(StmtData::Init(to, init), span));
        }
        let assigned = self.expressions().assign_whole(to, operand, span)?;
        Ok(self.statements().stmt(StmtData::Expr(assigned), span))
    }

    /// The same with each element, from the first to the last.
    fn do_with_elements(
        &mut self,
        to: Place,
        from: Place,
        (elem, len): (Ty, u64),
        deed: Deed,
        span: Span,
    ) -> Result<Stmt, Reported> {
        let counter = self.conversions().unnamed_local(Ty::ULONG, span);
        let zero = self.expr(ExprData::int(0), Ty::ULONG, span);
        let zero = self.init(InitData::Expr(zero), span);
        let start = self.statements().stmt(StmtData::Local(counter, Some(zero)), span);
        let read = |cx: &mut Self| -> Expr {
            let place = cx.place(PlaceData::Local(counter), Ty::ULONG, span);
            cx.expr(ExprData::Load(place), Ty::ULONG, span)
        };
        let (at, end) = (read(self), self.expr(ExprData::int(len), Ty::ULONG, span));
        let cond = self.expr(ExprData::Compare(CompareOp::Lt, at, end), Ty::BOOL, span);
        let (at, one) = (read(self), self.expr(ExprData::int(1), Ty::ULONG, span));
        let value = self.expr(ExprData::Binary(BinaryOp::Add, at, one), Ty::ULONG, span);
        let place = self.place(PlaceData::Local(counter), Ty::ULONG, span);
        let step = self.expr(ExprData::Assign { place, value }, Ty::ULONG, span);
        let elements = [to, from].map(|array| {
            let quals = self.module.types.quals(self.place_ty(array));
            let quals = quals | self.module.types.quals(elem);
            let elem = self.module.types.with_quals(elem, quals);
            let pointer = self.module.types.pointer_to(elem);
            let ptr = self.expr(ExprData::ArrayDecay(array), pointer, span);
            let index = read(self);
            let moved = self.expr(ExprData::PtrOffset { ptr, index, subtract: false }, pointer, span);
            self.place(PlaceData::Deref(moved), elem, span)
        });
        let body = self.do_with_part(elements[0], elements[1], deed, None, span)?;
        let head = ForHead { init: thin_vec![start], cond: Some(cond), step: Some(step), unroll: None };
        Ok(self.statements().stmt(StmtData::For(Box::new(head), body), span))
    }
}
