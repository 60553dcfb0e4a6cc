//! A function's definition: the tree of its nodes, its locals and labels.

use cranelift_entity::EntitySet;

use super::super::{
    Body, Expr, Func, Function, Global, Init, Label, Local, Module, Place, Stmt, StmtData, Ty, TypeTable,
};
use super::stmt::Enclosing;
use super::types::{check_ty, is_complete, same_unqualified};
use super::{Check, get, require, require_align};

/// Checks a definition.
pub(super) fn check(module: &Module, func: Func, function: &Function, body: &Body) -> Check {
    let mut cx = BodyCx {
        module,
        types: &module.types,
        func,
        body,
        ret: module.types.func(function.ty).map_or(Ty::ERROR, |ty| ty.ret),
        reached: Reached::default(),
        bounds: Vec::new(),
        declared: EntitySet::new(),
        used: EntitySet::new(),
        standing: EntitySet::new(),
        gone_to: EntitySet::new(),
        statics: EntitySet::new(),
    };
    cx.check_params(function)?;
    for (local, data) in &body.locals {
        check_ty(cx.types, data.ty, local)?;
        require_align(data.align, local)?;
        require(is_complete(cx.types, data.ty), local, "a local has a complete object type")?;
        require(
            data.is_param == body.params.contains(&local),
            local,
            "exactly the parameters are marked as such",
        )?;
    }
    let root = get(&body.stmts, body.root)?;
    require(matches!(root.data, StmtData::Block(_)), body.root, "the root is a block")?;
    cx.check_stmt(body.root, &mut Enclosing::default())?;
    for local in cx.used.keys() {
        require(cx.declared.contains(local), local, "a local that is used is a parameter or declared")?;
    }
    for label in cx.gone_to.keys() {
        require(cx.standing.contains(label), label, "a `goto` names a label that stands")?;
    }
    for (global, data) in &module.globals {
        let is_ours = data.owner == Some(func) && data.name.is_some() && !data.is_extern;
        require(!is_ours || cx.statics.contains(global), global, "the owner of a variable declares it")?;
    }
    Ok(())
}

/// A body and what has been seen of it.
pub(super) struct BodyCx<'a> {
    pub(super) module: &'a Module,
    pub(super) types: &'a TypeTable,
    pub(super) func: Func,
    pub(super) body: &'a Body,
    /// The return type.
    pub(super) ret: Ty,
    reached: Reached,
    /// The [`Bound`](super::super::ExprData::Bound)s that may be used where the walk is.
    pub(super) bounds: Vec<Expr>,
    declared: EntitySet<Local>,
    used: EntitySet<Local>,
    standing: EntitySet<Label>,
    gone_to: EntitySet<Label>,
    statics: EntitySet<Global>,
}

/// The nodes that the walk has come to.
#[derive(Default)]
struct Reached {
    exprs: EntitySet<Expr>,
    places: EntitySet<Place>,
    inits: EntitySet<Init>,
    stmts: EntitySet<Stmt>,
}

const ONCE: &str = "what is reached is reached once";

impl BodyCx<'_> {
    fn check_params(&mut self, function: &Function) -> Check {
        let Some(ty) = self.types.func(function.ty) else { return Ok(()) };
        let body = self.body;
        require(body.params.len() == ty.params.len(), "parameters", "a body has the type's parameters")?;
        for (&param, &param_ty) in body.params.iter().zip(&ty.params) {
            let data = get(&body.locals, param)?;
            let agrees = same_unqualified(self.types, data.ty, param_ty);
            require(agrees, param, "a parameter has the type of the function type's")?;
            self.declare(param)?;
        }
        Ok(())
    }

    pub(super) fn reach_expr(&mut self, expr: Expr) -> Check {
        require(self.reached.exprs.insert(expr), expr, ONCE)
    }

    pub(super) fn reach_place(&mut self, place: Place) -> Check {
        require(self.reached.places.insert(place), place, ONCE)
    }

    pub(super) fn reach_init(&mut self, init: Init) -> Check {
        require(self.reached.inits.insert(init), init, ONCE)
    }

    pub(super) fn reach_stmt(&mut self, stmt: Stmt) -> Check {
        require(self.reached.stmts.insert(stmt), stmt, ONCE)
    }

    /// The local begins to live here, and nowhere else.
    pub(super) fn declare(&mut self, local: Local) -> Check {
        get(&self.body.locals, local)?;
        require(self.declared.insert(local), local, "no local is declared twice")
    }

    pub(super) fn declare_static(&mut self, global: Global) -> Check {
        let data = get(&self.module.globals, global)?;
        // What has linkage belongs to no function: several scopes may declare it.
        if data.is_extern || data.owner.is_none() {
            return Ok(());
        }
        require(data.owner == Some(self.func), global, "a static is declared in its owner")?;
        require(self.statics.insert(global), global, "a static is declared once")
    }

    pub(super) fn use_local(&mut self, local: Local) -> Check {
        get(&self.body.locals, local)?;
        self.used.insert(local);
        Ok(())
    }

    pub(super) fn set_label(&mut self, label: Label) -> Check {
        get(&self.body.labels, label)?;
        require(self.standing.insert(label), label, "a label stands once")
    }

    pub(super) fn go_to(&mut self, label: Label) -> Check {
        get(&self.body.labels, label)?;
        self.gone_to.insert(label);
        Ok(())
    }
}
