//! A function's definition: the tree of its nodes, its locals and labels.

use hashbrown::HashSet;

use super::super::{
    Body, Expr, Func, Function, Global, Init, Label, Local, Module, Place, Stmt, StmtData, Ty, TypeTable,
};
use super::seen::Seen;
use super::stmt::Enclosing;
use super::types::{TypeFacts, same_unqualified};
use super::{Check, get, require, require_align};

/// Checks a definition. `owned` are the variables that it has to declare.
pub(super) fn check(
    module: &Module,
    facts: &TypeFacts,
    (func, body): (Func, &Body),
    owned: &[Global],
    sets: &mut Sets,
) -> Check {
    let function = &module.functions[func];
    sets.reset(body);
    let ret = module.types.func(function.ty).map_or(Ty::ERROR, |ty| ty.ret);
    let types = &module.types;
    let mut cx = BodyCx {
        module,
        types,
        facts,
        func,
        body,
        ret,
        sets,
        bounds: Vec::new(),
        enclosing: Enclosing::default(),
        inner_blocks: Vec::new(),
        inner_labels: Vec::new(),
        gotos: Vec::new(),
    };
    cx.check_params(function)?;
    for (local, data) in &body.locals {
        facts.check_ty(types, data.ty, local)?;
        require_align(data.align, local)?;
        require(facts.is_complete(data.ty), local, "a local has a complete object type")?;
        // So far the parameters alone are declared.
        let is_param = cx.sets.declared.contains(local);
        require(data.is_param == is_param, local, "exactly the parameters are marked as such")?;
    }
    let root = get(&body.stmts, body.root)?;
    require(matches!(root.data, StmtData::Block(_)), body.root, "the root is a block")?;
    cx.check_stmt(body.root)?;
    if let Some(local) = cx.sets.used.first_not_in(&cx.sets.declared) {
        require(false, local, "a used local is a parameter or is declared")?;
    }
    if let Some(label) = cx.sets.gone_to.first_not_in(&cx.sets.standing) {
        require(false, label, "a `goto` names a label of its function")?;
    }
    for (label, around) in &cx.inner_labels {
        let leads_into = |(to, from): &(Label, Vec<Expr>)| to == label && !from.starts_with(around);
        require(
            !cx.gotos.iter().any(leads_into),
            label,
            "a `goto` does not jump into a statement expression",
        )?;
    }
    for &global in owned {
        require(cx.sets.statics.contains(&global), global, "the owner of a variable declares it")?;
    }
    Ok(())
}

/// A body and what has been seen of it.
pub(super) struct BodyCx<'a> {
    pub(super) module: &'a Module,
    pub(super) types: &'a TypeTable,
    pub(super) facts: &'a TypeFacts,
    pub(super) func: Func,
    pub(super) body: &'a Body,
    /// The return type.
    pub(super) ret: Ty,
    pub(super) sets: &'a mut Sets,
    /// The [`Bound`](super::super::ExprData::Bound)s that may be used where the walk is.
    pub(super) bounds: Vec<Expr>,
    /// What encloses the statement that is being visited.
    pub(super) enclosing: Enclosing,
    /// The blocks within expressions in which it stands.
    pub(super) inner_blocks: Vec<Expr>,
    /// The labels within such blocks, and the jumps to any label, with the blocks around each.
    inner_labels: Vec<(Label, Vec<Expr>)>,
    gotos: Vec<(Label, Vec<Expr>)>,
}

/// What the walk over a body has come to.
#[derive(Debug, Default)]
pub(super) struct Sets {
    exprs: Seen<Expr>,
    places: Seen<Place>,
    inits: Seen<Init>,
    stmts: Seen<Stmt>,
    declared: Seen<Local>,
    used: Seen<Local>,
    standing: Seen<Label>,
    gone_to: Seen<Label>,
    statics: HashSet<Global>,
    /// Functions whose addresses are taken where their types are not complete, or not yet: of all bodies.
    pub(super) incomplete: Vec<Func>,
}

impl Sets {
    fn reset(&mut self, body: &Body) {
        self.exprs.reset(body.exprs.len());
        self.places.reset(body.places.len());
        self.inits.reset(body.inits.len());
        self.stmts.reset(body.stmts.len());
        self.declared.reset(body.locals.len());
        self.used.reset(body.locals.len());
        self.standing.reset(body.labels.len());
        self.gone_to.reset(body.labels.len());
        self.statics.clear();
    }
}

const ONCE: &str = "a node has one parent";

impl BodyCx<'_> {
    fn check_params(&mut self, function: &Function) -> Check {
        let Some(ty) = self.types.func(function.ty) else { return Ok(()) };
        let body = self.body;
        require(body.params.len() == ty.params.len(), "parameters", "a body has the parameters of its type")?;
        for (&param, &param_ty) in body.params.iter().zip(&ty.params) {
            let data = get(&body.locals, param)?;
            let agrees = same_unqualified(self.types, data.ty, param_ty);
            require(agrees, param, "a parameter has its type in the function type")?;
            self.declare(param)?;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn reach_expr(&mut self, expr: Expr) -> Check {
        require(self.sets.exprs.insert(expr), expr, ONCE)
    }

    #[inline]
    pub(super) fn reach_place(&mut self, place: Place) -> Check {
        require(self.sets.places.insert(place), place, ONCE)
    }

    pub(super) fn reach_init(&mut self, init: Init) -> Check {
        require(self.sets.inits.insert(init), init, ONCE)
    }

    pub(super) fn reach_stmt(&mut self, stmt: Stmt) -> Check {
        require(self.sets.stmts.insert(stmt), stmt, ONCE)
    }

    /// The lifetime of the local starts here, and nowhere else.
    pub(super) fn declare(&mut self, local: Local) -> Check {
        get(&self.body.locals, local)?;
        require(self.sets.declared.insert(local), local, "no local is declared twice")
    }

    pub(super) fn declare_static(&mut self, global: Global) -> Check {
        let data = get(&self.module.globals, global)?;
        // An entity with linkage belongs to no function: several scopes may declare it.
        if data.is_extern || data.owner.is_none() {
            return Ok(());
        }
        require(data.owner == Some(self.func), global, "a static is declared in its owner")?;
        require(self.sets.statics.insert(global), global, "a static is declared once")
    }

    pub(super) fn use_local(&mut self, local: Local) -> Check {
        get(&self.body.locals, local)?;
        self.sets.used.insert(local);
        Ok(())
    }

    pub(super) fn set_label(&mut self, label: Label) -> Check {
        get(&self.body.labels, label)?;
        if !self.inner_blocks.is_empty() {
            self.inner_labels.push((label, self.inner_blocks.clone()));
        }
        require(self.sets.standing.insert(label), label, "a label is defined once")
    }

    pub(super) fn go_to(&mut self, label: Label) -> Check {
        get(&self.body.labels, label)?;
        self.sets.gone_to.insert(label);
        self.gotos.push((label, self.inner_blocks.clone()));
        Ok(())
    }
}
