//! Finds the temporaries in the tree of a full expression, in the order of evaluation, and makes them variables without names.

use hashbrown::HashSet;

use super::cleanup::Cleanup;
use super::temporary::Temporaries;
use crate::ir::{
    Choice, Expr, ExprData, Init, InitData, Local, Place, PlaceData, Stmt, StmtData, Ty, TyKind, evaluated,
};
use crate::sema::Statements;
use crate::source::Span;

/// What becomes of the value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is the object that is initialized with it.
    Initializes,
    /// It is read, or dropped.
    Read,
}

/// Looks for temporaries, in the order of evaluation.
pub(super) struct Walk<'w, 'a> {
    cx: &'w mut Statements<'a>,
    found: Temporaries,
    /// The places that references are bound to.
    bound: HashSet<Place>,
    /// In a part that is evaluated under a condition: its flag, once it has a temporary.
    branch: Option<Option<Local>>,
    /// In the initializer of each element of an array.
    is_repeated: bool,
    /// Nothing is changed: all temporaries should be known.
    is_checked: bool,
}

impl<'w, 'a> Walk<'w, 'a> {
    pub(super) fn new(cx: &'w mut Statements<'a>, is_checked: bool) -> Self {
        let found = Temporaries::default();
        Walk { cx, found, bound: HashSet::new(), branch: None, is_repeated: false, is_checked }
    }

    pub(super) fn into_found(self) -> Temporaries {
        self.found
    }

    pub(super) fn expr(&mut self, expr: Expr, uses: Use) {
        let ty = self.cx.ty_of(expr);
        if uses == Use::Read && self.is_destroyed(ty) && self.makes_object(expr) {
            return self.materialize(expr);
        }
        match self.cx.arena.exprs[expr].data {
            ExprData::Int(_)
            | ExprData::WideInt(_)
            | ExprData::Float(_)
            | ExprData::Null
            | ExprData::FuncAddr(_)
            | ExprData::SpecialReg(_)
            | ExprData::Bound => {}
            ExprData::Load(place) if uses == Use::Initializes => self.initial_object(place),
            ExprData::Load(place) | ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => {
                self.place(place)
            }
            ExprData::Unary(_, inner) | ExprData::Not(inner) | ExprData::Convert(_, inner) => {
                self.expr(inner, Use::Read);
            }
            ExprData::Binary(_, lhs, rhs)
            | ExprData::Compare(_, lhs, rhs)
            | ExprData::PtrDiff(lhs, rhs)
            | ExprData::PtrOffset { ptr: lhs, index: rhs, .. } => {
                self.expr(lhs, Use::Read);
                self.expr(rhs, Use::Read);
            }
            ExprData::Comma(first, second) => {
                self.expr(first, Use::Read);
                self.expr(second, uses);
            }
            ExprData::Logical(_, lhs, rhs) => {
                self.expr(lhs, Use::Read);
                self.branch(rhs, Use::Read);
            }
            ExprData::Conditional { cond, then, otherwise } => {
                self.expr(cond, Use::Read);
                self.branch(then, uses);
                self.branch(otherwise, uses);
            }
            ExprData::Assign { place, value } => {
                self.expr(value, Use::Read);
                self.place(place);
            }
            ExprData::Modify { place, ref change, .. } => {
                let (rhs, new) = (change.rhs, change.new);
                if let Some(rhs) = rhs {
                    self.expr(rhs.value, Use::Read);
                }
                self.place(place);
                self.expr(new, Use::Read);
            }
            ExprData::CallIndirect { callee, ref args } => {
                let args = args.clone();
                self.expr(callee, Use::Read);
                self.args(&args, false);
            }
            ExprData::Call { ref args, from_last, .. } => {
                let args = args.clone();
                self.args(&args, from_last);
            }
            ExprData::Builtin(_, ref args) | ExprData::VaList(_, ref args) => {
                let args = args.clone();
                args.iter().for_each(|&arg| self.expr(arg, Use::Read));
            }
            ExprData::Record(ref fields) => {
                let fields = fields.clone();
                fields.iter().for_each(|&field| self.expr(field, Use::Initializes));
            }
            ExprData::Block(ref stmts, value) => {
                let stmts = stmts.clone();
                stmts.iter().for_each(|&stmt| self.inner_stmt(stmt));
                if let Some(value) = value.expand() {
                    self.expr(value, uses);
                }
            }
        }
    }

    fn args(&mut self, args: &[Expr], from_last: bool) {
        for (_, arg) in evaluated(args, from_last) {
            let ty = self.cx.ty_of(arg);
            if self.is_destroyed(ty) {
                self.materialize(arg);
            } else {
                self.expr(arg, Use::Initializes);
            }
        }
    }

    /// The object that a value is read from, if it is not made for that.
    fn initial_object(&mut self, place: Place) {
        let node = &self.cx.arena.places[place];
        match node.data {
            PlaceData::CompoundLiteral(_, init) => self.init(init),
            PlaceData::Temporary(value) if self.is_destroyed(node.ty) => {
                self.name_object(place, value);
                self.expr(value, Use::Initializes);
            }
            _ => self.place(place),
        }
    }

    fn place(&mut self, place: Place) {
        let node = &self.cx.arena.places[place];
        let (ty, span) = (node.ty, node.span);
        match node.data {
            PlaceData::Local(_) | PlaceData::Global(_) => {}
            PlaceData::Deref(pointer) => self.expr(pointer, Use::Read),
            PlaceData::Field(outer, _) => self.place(outer),
            PlaceData::Temporary(value) => {
                self.expr(value, Use::Initializes);
                if self.is_destroyed(ty) {
                    let local = self.name_object(place, value);
                    self.note(place, local, span);
                }
            }
            PlaceData::Assigned(assignment) => self.expr(assignment, Use::Read),
            PlaceData::Conditional(cond, choice) => {
                self.expr(cond, Use::Read);
                for idx in 0..2 {
                    self.branch_place(choice, idx);
                }
            }
            PlaceData::Comma(first, place) => {
                self.expr(first, Use::Read);
                self.place(place);
            }
            PlaceData::CompoundLiteral(local, init) => {
                self.init(init);
                if self.cx.manners_of(ty).is_destroyed() {
                    self.note(place, local, span);
                }
            }
        }
    }

    pub(super) fn init(&mut self, init: Init) {
        match self.cx.arena.inits[init].data {
            InitData::Expr(value) => self.expr(value, Use::Initializes),
            InitData::Array(ref items) => {
                let items = items.clone();
                items.iter().for_each(|&(_, init)| self.init(init));
            }
            InitData::Record(ref items) | InitData::Partial(ref items) => {
                let items = items.clone();
                items.iter().for_each(|&(_, init)| self.init(init));
            }
            InitData::Each(elem) => {
                let outer = std::mem::replace(&mut self.is_repeated, true);
                self.init(elem);
                self.is_repeated = outer;
            }
            InitData::Construct(_, ref args) => {
                let args = args.clone();
                self.args(&args, false);
            }
            InitData::Bytes(_) => {}
        }
    }

    /// The initial value of a variable: to nvcc, each value in its list is a full expression, but not in that of a temporary.
    pub(super) fn variable(&mut self, ty: Ty, init: Init) {
        match self.cx.arena.inits[init].data {
            InitData::Array(ref items) => {
                let items = items.clone();
                let &TyKind::Array(elem, _) = self.cx.module.types.kind(ty) else { return };
                items.iter().for_each(|&(_, init)| self.clause(elem, init));
            }
            InitData::Record(ref members) | InitData::Partial(ref members) => {
                let members = members.clone();
                let Some(class) = self.cx.module.types.record(ty) else { return };
                for &(idx, init) in &members {
                    let ty = self.cx.conversions_ref().declared_field(class, idx);
                    self.clause(ty, init);
                }
            }
            InitData::Expr(_) | InitData::Each(_) | InitData::Construct(..) | InitData::Bytes(_) => {
                self.init(init);
            }
        }
    }

    fn clause(&mut self, ty: Ty, init: Init) {
        let outer = std::mem::take(&mut self.found.ended);
        self.variable(ty, init);
        let ended = std::mem::replace(&mut self.found.ended, outer);
        let Some(&Cleanup { span, .. }) = ended.first() else { return };
        match self.cx.arena.inits[init].data {
            InitData::Expr(value) if self.cx.module.types.record(ty).is_none() => {
                let found = Temporaries { ended, ..Temporaries::default() };
                let whole = self.cx.kept_value(value, found);
                self.cx.arena.inits[init].data = InitData::Expr(whole);
            }
            // The value would have to be kept.
            _ => {
                self.cx.refuse_temporary(span);
            }
        }
    }

    fn is_destroyed(&self, ty: Ty) -> bool {
        !ty.is_plain_number() && self.cx.module.types.is_destroyed(ty)
    }

    /// Whether evaluating the expression makes an object, and not only names one.
    fn makes_object(&self, expr: Expr) -> bool {
        match self.cx.arena.exprs[expr].data {
            ExprData::Call { .. }
            | ExprData::CallIndirect { .. }
            | ExprData::Conditional { .. }
            | ExprData::Block(..)
            | ExprData::Builtin(..)
            | ExprData::VaList(..)
            | ExprData::Record(_) => true,
            ExprData::Load(place) => matches!(
                self.cx.arena.places[place].data,
                PlaceData::Temporary(_) | PlaceData::CompoundLiteral(..)
            ),
            _ => false,
        }
    }

    /// Makes the value that of an unnamed variable.
    fn materialize(&mut self, expr: Expr) {
        if let ExprData::Load(place) = self.cx.arena.exprs[expr].data
            && let PlaceData::Temporary(_) | PlaceData::CompoundLiteral(..) = self.cx.arena.places[place].data
        {
            return self.place(place);
        }
        let node = self.cx.arena.exprs[expr].clone();
        let (ty, span) = (node.ty, node.span);
        let value = self.cx.expr(node.data, ty, span);
        let place = self.cx.place(PlaceData::Temporary(value), ty, span);
        if !self.is_checked {
            self.cx.arena.exprs[expr].data = ExprData::Load(place);
        }
        self.place(place);
    }

    /// Makes a temporary a variable without a name.
    fn name_object(&mut self, place: Place, value: Expr) -> Local {
        let node = &self.cx.arena.places[place];
        let (ty, span) = (node.ty, node.span);
        let ty = self.cx.module.types.unqualified(ty);
        let local = self.cx.conversions().unnamed_local(ty, span);
        let init = self.cx.conversions().init_of_value(value, span);
        if !self.is_checked {
            self.cx.arena.places[place].data = PlaceData::CompoundLiteral(local, init);
        }
        local
    }

    /// Notes an object that is a temporary.
    fn note(&mut self, place: Place, local: Local, span: Span) {
        if !self.cx.func_cx().ended.insert(local) {
            return;
        }
        if self.is_repeated && !self.is_checked {
            self.cx.refuse_temporary(span);
        }
        let guard = match self.branch {
            Some(None) => {
                let flag = self.cx.conversions().unnamed_local(Ty::BOOL, span);
                self.found.flags.push(flag);
                self.branch = Some(Some(flag));
                Some(flag)
            }
            Some(flag) => flag,
            None => None,
        };
        let cleanup = Cleanup::of_temporary(local, guard, span);
        if self.bound.contains(&place) {
            self.found.kept.push(cleanup);
        } else {
            self.found.ended.push(cleanup);
        }
    }

    /// A part that is evaluated under a condition.
    fn branch(&mut self, expr: Expr, uses: Use) {
        if let Some(flag) = self.in_branch(|walk| walk.expr(expr, uses)) {
            let node = self.cx.arena.exprs[expr].clone();
            let set = self.set(flag, node.span);
            let (ty, span) = (node.ty, node.span);
            let inner = self.cx.expr(node.data, ty, span);
            self.cx.arena.exprs[expr].data = ExprData::Comma(set, inner);
        }
    }

    fn branch_place(&mut self, choice: Choice, idx: usize) {
        let place = self.cx.arena.choices[choice][idx];
        if let Some(flag) = self.in_branch(|walk| walk.place(place)) {
            let node = self.cx.arena.places[place].clone();
            let set = self.set(flag, node.span);
            let chosen = self.cx.place(PlaceData::Comma(set, place), node.ty, node.span);
            self.cx.arena.choices[choice][idx] = chosen;
        }
    }

    /// The flag that is set there, if there is a temporary.
    fn in_branch(&mut self, walk: impl FnOnce(&mut Self)) -> Option<Local> {
        let outer = self.branch.replace(None);
        walk(self);
        let flag = std::mem::replace(&mut self.branch, outer).flatten();
        flag.filter(|_| !self.is_checked)
    }

    fn set(&mut self, flag: Local, span: Span) -> Expr {
        let place = self.cx.place(PlaceData::Local(flag), Ty::BOOL, span);
        let value = self.cx.expr(ExprData::int(1), Ty::BOOL, span);
        self.cx.expr(ExprData::Assign { place, value }, Ty::BOOL, span)
    }

    /// Notes the temporaries that live as long as the references in a variable of the type (C++17 15.2p6).
    pub(super) fn keep(&mut self, ty: Ty, init: Init) {
        match self.cx.arena.inits[init].data {
            InitData::Expr(value) if self.cx.module.types.reference(ty).is_some() => self.keep_bound(value),
            InitData::Expr(value) => {
                if let ExprData::Load(place) = self.cx.arena.exprs[value].data
                    && let PlaceData::CompoundLiteral(_, init) = self.cx.arena.places[place].data
                {
                    self.keep(ty, init);
                }
            }
            InitData::Record(ref members) | InitData::Partial(ref members) => {
                let members = members.clone();
                let Some(class) = self.cx.module.types.record(ty) else { return };
                if self.cx.conversions_ref().listed_elem(ty).is_some()
                    && let Some(&(0, first)) = members.first()
                    && let InitData::Expr(address) = self.cx.arena.inits[first].data
                {
                    return self.keep_bound(address);
                }
                for &(idx, init) in &members {
                    let ty = self.cx.conversions_ref().declared_field(class, idx);
                    self.keep(ty, init);
                }
            }
            InitData::Array(ref items) => {
                let items = items.clone();
                let &TyKind::Array(elem, _) = self.cx.module.types.kind(ty) else { return };
                items.iter().for_each(|&(_, init)| self.keep(elem, init));
            }
            InitData::Each(elem) => {
                let &TyKind::Array(elem_ty, _) = self.cx.module.types.kind(ty) else { return };
                self.keep(elem_ty, elem);
            }
            InitData::Construct(..) | InitData::Bytes(_) => {}
        }
    }

    /// The same of what a reference's address is of. Casts to references are looked through.
    pub(super) fn keep_bound(&mut self, address: Expr) {
        let (address, member) = match self.bound_place(address) {
            Some((_, place)) if let PlaceData::Deref(cast) = self.cx.arena.places[place].data => {
                match self.bound_place(cast) {
                    Some(bound) => bound,
                    None => return,
                }
            }
            Some(bound) => bound,
            None => return,
        };
        let mut root = member;
        while let PlaceData::Field(outer, _) = self.cx.arena.places[root].data {
            root = outer;
        }
        let ty = self.cx.place_ty(root);
        if let PlaceData::Temporary(value) = self.cx.arena.places[root].data
            && self.is_destroyed(ty)
        {
            self.name_object(root, value);
        }
        if let Some(span) = self.deeper_temporary(root) {
            self.cx.refuse_temporary(span);
        }
        let PlaceData::CompoundLiteral(_, init) = self.cx.arena.places[root].data else { return };
        let member_ty = self.cx.place_ty(member);
        let is_object = self.cx.module.types.record(member_ty).is_some()
            || matches!(self.cx.module.types.kind(member_ty), TyKind::Array(..));
        if root != member && !is_object && self.cx.manners_of(ty).is_destroyed() {
            return self.bind_copy(address, member);
        }
        self.bound.insert(root);
        self.keep(ty, init);
    }

    /// The place whose address an expression gives, and which one that is.
    fn bound_place(&self, mut address: Expr) -> Option<(Expr, Place)> {
        while let ExprData::Convert(_, operand) = self.cx.arena.exprs[address].data {
            address = operand;
        }
        match self.cx.arena.exprs[address].data {
            ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => Some((address, place)),
            _ => None,
        }
    }

    /// The temporary that casts of casts refer to: these are not told from `*&`, which binds no reference.
    fn deeper_temporary(&self, mut place: Place) -> Option<Span> {
        let PlaceData::Deref(_) = self.cx.arena.places[place].data else { return None };
        loop {
            let node = &self.cx.arena.places[place];
            place = match node.data {
                PlaceData::Field(outer, _) => outer,
                PlaceData::Deref(address) => self.bound_place(address)?.1,
                PlaceData::CompoundLiteral(..) | PlaceData::Temporary(_) => {
                    return self.cx.manners_of(node.ty).is_destroyed().then_some(node.span);
                }
                _ => return None,
            };
        }
    }

    /// nvcc binds a reference to a number in a temporary to a copy of the number.
    fn bind_copy(&mut self, address: Expr, member: Place) {
        let (ty, span) = (self.cx.place_ty(member), self.cx.arena.places[member].span);
        let bare = self.cx.module.types.unqualified(ty);
        let value = self.cx.expr(ExprData::Load(member), bare, span);
        let local = self.cx.conversions().unnamed_local(ty, span);
        let init = self.cx.init(InitData::Expr(value), span);
        let copy = self.cx.place(PlaceData::CompoundLiteral(local, init), ty, span);
        self.cx.arena.exprs[address].data = ExprData::AddrOf(copy);
    }

    /// A statement within an expression.
    fn inner_stmt(&mut self, stmt: Stmt) {
        if self.is_checked {
            return self.stmt(stmt);
        }
        match self.cx.func_cx().stmts[stmt].data {
            StmtData::Local(_, Some(init)) | StmtData::Init(_, init) => self.init(init),
            StmtData::Expr(expr) => self.expr(expr, Use::Read),
            _ => {}
        }
    }

    /// A statement whose temporaries should all be known.
    pub(super) fn stmt(&mut self, stmt: Stmt) {
        match self.cx.func_cx().stmts[stmt].data {
            StmtData::Expr(expr) => self.expr(expr, Use::Read),
            StmtData::Local(_, Some(init)) => self.init(init),
            StmtData::Init(place, init) => {
                self.place(place);
                self.init(init);
            }
            StmtData::Block(ref list) => {
                let list = list.clone();
                list.iter().for_each(|&stmt| self.stmt(stmt));
            }
            StmtData::If { cond, then, otherwise } => {
                self.expr(cond, Use::Read);
                self.stmt(then);
                otherwise.expand().into_iter().for_each(|stmt| self.stmt(stmt));
            }
            StmtData::While { cond, body, .. } | StmtData::DoWhile { body, cond, .. } => {
                self.expr(cond, Use::Read);
                self.stmt(body);
            }
            StmtData::For(ref head, body) => {
                let (init, cond, step) = (head.init.clone(), head.cond, head.step);
                init.iter().for_each(|&stmt| self.stmt(stmt));
                cond.into_iter().chain(step).for_each(|expr| self.expr(expr, Use::Read));
                self.stmt(body);
            }
            StmtData::Switch { ref head, body } => {
                let value = head.value;
                self.expr(value, Use::Read);
                self.stmt(body);
            }
            StmtData::Case(_, body) | StmtData::Default(body) | StmtData::Label(_, body) => self.stmt(body),
            StmtData::Return(Some(value)) => self.expr(value, Use::Initializes),
            StmtData::Asm(ref asm) => {
                let inputs: Vec<Expr> = asm.inputs.iter().map(|input| input.value).collect();
                let outputs: Vec<Place> = asm.outputs.iter().map(|output| output.place).collect();
                inputs.into_iter().for_each(|value| self.expr(value, Use::Read));
                outputs.into_iter().for_each(|place| self.place(place));
            }
            StmtData::Local(_, None)
            | StmtData::Static(_)
            | StmtData::Goto(_)
            | StmtData::Break
            | StmtData::Continue
            | StmtData::Return(None)
            | StmtData::Empty => {}
        }
    }
}
