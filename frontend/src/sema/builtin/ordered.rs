//! `__nv_atomic_load_n` and its kin (CUDA C++ Programming Guide "Atomic Functions"; C17 7.17.7).
//!
//! Those in `_n` take integers by value, and the others objects of 1 to 16 bytes by address. Orders and scopes are part of the
//! instruction: nvcc takes constants alone that name no variable.

use thin_vec::ThinVec;

use crate::ast::{ExprId, ExprKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    AtomicOp, Builtin, Conversion, Exact, Expr, ExprData, FloatTy, MemoryOrder, Ordered, OrderedOp, Quals,
    Scope, Ty, TyKind,
};
use crate::layout;
use crate::sema::Builtins;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::conversion::Target;
use crate::sema::name::scope::Entity;
use crate::source::Span;

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Function {
    op: Op,
    is_by_address: bool,
    /// It gives nothing, where others give the old value.
    is_void: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Load,
    Store,
    Exchange,
    CompareExchange,
    Modify(AtomicOp),
    Fence,
}

/// The function of the name.
pub(super) fn named(name: &str) -> Option<Function> {
    let name = name.strip_prefix("__nv_atomic_")?;
    let is_by_address = matches!(name, "load" | "store" | "exchange" | "compare_exchange");
    let op = match name.strip_suffix("_n").unwrap_or(name) {
        "load" => Op::Load,
        "store" => Op::Store,
        "exchange" => Op::Exchange,
        "compare_exchange" => Op::CompareExchange,
        "thread_fence" => Op::Fence,
        other => Op::Modify(match other.strip_prefix("fetch_").unwrap_or(other) {
            "add" => AtomicOp::Add,
            "sub" => AtomicOp::Sub,
            "and" => AtomicOp::And,
            "or" => AtomicOp::Or,
            "xor" => AtomicOp::Xor,
            "min" => AtomicOp::Min,
            "max" => AtomicOp::Max,
            _ => return None,
        }),
    };
    let is_void = matches!(op, Op::Modify(_)) && !name.starts_with("fetch_");
    Some(Function { op, is_by_address, is_void })
}

impl Function {
    /// How many operands come before the orders.
    fn n_operands(self) -> usize {
        match (self.op, self.is_by_address) {
            (Op::Fence, _) => 0,
            (Op::Load, false) => 1,
            (Op::Load, true) | (Op::Store | Op::Modify(_), _) | (Op::Exchange, false) => 2,
            (Op::Exchange, true) => 3,
            // One of them says whether it is weak.
            (Op::CompareExchange, _) => 4,
        }
    }

    fn n_orders(self) -> usize {
        if self.op == Op::CompareExchange { 2 } else { 1 }
    }
}

impl Builtins<'_> {
    pub(super) fn check_ordered_call(
        &mut self,
        function: Function,
        name: &str,
        args: &[ExprId],
        span: Span,
    ) -> Result<Expr, Reported> {
        let n_least = function.n_operands() + function.n_orders();
        if args.len() < n_least || args.len() > n_least + 1 {
            return Err(self.other_argument_count(name, n_least, args, span));
        }
        let (operands, others) = args.split_at(function.n_operands());
        let (orders, scope) = others.split_at(function.n_orders());
        let values: Vec<_> = operands.iter().map(|&arg| self.expressions().check_rvalue(arg)).collect();
        let orders: Vec<_> = orders.iter().map(|&arg| self.memory_order(arg)).collect();
        let scope = scope.first().map_or(Ok(Scope::System), |&arg| self.thread_scope(arg));
        let values: Vec<Expr> = values.into_iter().collect::<Result<_, _>>()?;
        let orders: Vec<(MemoryOrder, Span)> = orders.into_iter().collect::<Result<_, _>>()?;
        self.check_orders(function.op, name, &orders)?;
        let order = orders.iter().fold(MemoryOrder::Relaxed, |order, &(other, _)| order.joined(other));
        let scope = scope?;
        let (operands, ret, is_weak) = if function.is_by_address {
            self.ordered_objects(function, name, &values)?
        } else {
            self.ordered_values(function, name, &values)?
        };
        let op = match function.op {
            Op::Load => OrderedOp::Load,
            Op::Store => OrderedOp::Store,
            Op::Exchange => OrderedOp::Exchange,
            Op::CompareExchange => OrderedOp::CompareExchange { is_weak: is_weak == Some(true) },
            Op::Modify(op) => OrderedOp::Modify(op),
            Op::Fence => OrderedOp::Fence,
        };
        let builtin = Ordered { op, order, scope, is_by_address: function.is_by_address };
        let call = self.expr(ExprData::Builtin(Builtin::Ordered(builtin), operands), ret, span);
        if function.is_void {
            return Ok(self.expressions().discarded(call));
        }
        match (function.op, is_weak) {
            // What says whether it is weak may do more than that.
            (Op::CompareExchange, None) => {
                let weak = self.expressions().discarded(values[3]);
                Ok(self.expr(ExprData::Comma(weak, call), ret, span))
            }
            _ => Ok(call),
        }
    }

    /// The operands of a function that takes values, the result's type, and whether a comparison is weak, if that is known.
    fn ordered_values(
        &mut self,
        function: Function,
        name: &str,
        values: &[Expr],
    ) -> Result<(ThinVec<Expr>, Ty, Option<bool>), Reported> {
        let Some((&ptr, others)) = values.split_first() else { return Ok((ThinVec::new(), Ty::VOID, None)) };
        let object = self.ordered_object(function, name, ptr)?;
        let mut operands: ThinVec<Expr> = [ptr].into();
        let (ret, is_weak) = match (function.op, others) {
            (Op::CompareExchange, &[expected, value, weak]) => {
                let wanted = self.pointer_like(expected).filter(|&to| {
                    let is_same_size = layout::size_of(&self.module.types, to).ok()
                        == layout::size_of(&self.module.types, object).ok();
                    is_same_size && matches!(self.module.types.kind(to), TyKind::Int(_))
                });
                if wanted.is_none() {
                    return Err(self.other_object(name, "the expected value", expected, object));
                }
                operands
                    .extend([expected, self.conversions().convert(value, object, Target::Argument(None))?]);
                (Ty::BOOL, self.known_truth(weak)?)
            }
            (Op::Load, _) => (object, None),
            (op, &[value]) => {
                let value = match self.module.types.kind(object) {
                    TyKind::Pointer(_) => self.address_operand(name, value, object)?,
                    _ => self.conversions().convert(value, object, Target::Argument(None))?,
                };
                operands.push(value);
                (if op == Op::Store { Ty::VOID } else { object }, None)
            }
            _ => unreachable!("invariant: the number of operands was counted"),
        };
        Ok((operands, ret, is_weak))
    }

    /// The operands of a function that takes addresses, and the same.
    fn ordered_objects(
        &mut self,
        function: Function,
        name: &str,
        values: &[Expr],
    ) -> Result<(ThinVec<Expr>, Ty, Option<bool>), Reported> {
        let (ret, is_weak, addresses) = match (function.op, values) {
            (Op::CompareExchange, &[_, _, _, weak]) => (Ty::BOOL, self.known_truth(weak)?, &values[..3]),
            _ => (Ty::VOID, None, values),
        };
        // Of what is only read, the address may be one of a constant.
        let is_read = |idx: usize| match function.op {
            Op::Load => idx == 0,
            Op::CompareExchange => idx == 2,
            _ => idx == 1,
        };
        let mut first: Option<Ty> = None;
        for (idx, &address) in addresses.iter().enumerate() {
            let object =
                self.pointee_of(name, address, is_read(idx), "an object of 1, 2, 4, 8 or 16 bytes")?;
            let size = layout::size_of(&self.module.types, object).ok();
            if !matches!(size, Some(1 | 2 | 4 | 8 | 16)) {
                let object = self.show(object);
                let message =
                    format!("object of `{name}` must have 1, 2, 4, 8 or 16 bytes; it has type {object}");
                return Err(self.cx.error(Code::NoMatchingBuiltin, self.span_of(address), message));
            }
            match first {
                Some(first) if layout::size_of(&self.module.types, first).ok() != size => {
                    return Err(self.other_object(name, "this object", address, first));
                }
                Some(_) => {}
                None => first = Some(object),
            }
        }
        Ok((addresses.iter().copied().collect(), ret, is_weak))
    }

    /// The type of what a function in `_n`, or one that modifies, is applied to.
    fn ordered_object(&mut self, function: Function, name: &str, ptr: Expr) -> Result<Ty, Reported> {
        let is_modified = matches!(function.op, Op::Modify(_));
        let what = if is_modified { "a number" } else { "an integer" };
        let object = self.pointee_of(name, ptr, false, what)?;
        let is_one = match (self.module.types.kind(object), function.op) {
            (&TyKind::Int(int), Op::Modify(_)) => Ty::int(int) != Ty::BOOL,
            (TyKind::Int(_), _) => true,
            (TyKind::Float(FloatTy::Float | FloatTy::Double), Op::Modify(op)) => {
                matches!(op, AtomicOp::Add | AtomicOp::Sub | AtomicOp::Min | AtomicOp::Max)
            }
            (TyKind::Pointer(_), Op::Modify(_)) => true,
            _ => false,
        };
        if is_one {
            return Ok(self.module.types.unqualified(object));
        }
        let shown = self.show(object);
        let message = format!("argument of `{name}` must be a pointer to {what}, not to {shown}");
        let mut diagnostic = Diagnostic::new(Code::NoMatchingBuiltin, self.span_of(ptr), message);
        if let Some(generic) = name.strip_suffix("_n") {
            diagnostic = diagnostic
                .with_help(format!("use `{generic}`, which accepts objects of any type, by address"));
        }
        Err(self.sink.error(diagnostic))
    }

    /// What a value points to, which is neither volatile nor, if it is written, constant.
    fn pointee_of(&mut self, name: &str, ptr: Expr, is_read: bool, what: &str) -> Result<Ty, Reported> {
        let refused = if is_read { Quals::VOLATILE } else { Quals::VOLATILE | Quals::CONST };
        let to = self.pointer_like(ptr);
        if let Some(to) = to.filter(|&to| !self.module.types.quals(to).intersects(refused)) {
            return Ok(to);
        }
        if self.module.types.kind(self.ty_of(ptr)) == &TyKind::Error {
            return Err(self.poisoned());
        }
        let ty = self.show(self.ty_of(ptr));
        let message = format!("argument of `{name}` must be a pointer to {what}, not {ty}");
        Err(self.cx.error(Code::NoMatchingBuiltin, self.span_of(ptr), message))
    }

    fn pointer_like(&self, ptr: Expr) -> Option<Ty> {
        self.module.types.pointee(self.ty_of(ptr))
    }

    /// What is added to an address, or combined with it, is a number of bytes.
    fn address_operand(&mut self, name: &str, value: Expr, object: Ty) -> Result<Expr, Reported> {
        if !matches!(self.module.types.kind(self.ty_of(value)), TyKind::Int(_)) {
            let ty = self.show(self.ty_of(value));
            let message = format!("operand of `{name}` on a pointer must be an integer, not {ty}");
            return Err(self.cx.error(Code::NoMatchingBuiltin, self.span_of(value), message));
        }
        Ok(self.expressions().conversion(Conversion::IntToPtr, value, object))
    }

    fn other_object(&mut self, name: &str, what: &str, ptr: Expr, object: Ty) -> Reported {
        let (ty, object) = (self.show(self.ty_of(ptr)), self.show(object));
        let message = format!(
            "{what} of `{name}` points to an object of the wrong size: {ty} instead of a pointer to {object}"
        );
        self.cx.error(Code::NoMatchingBuiltin, self.span_of(ptr), message)
    }

    /// The value of a condition, if it is a constant.
    fn known_truth(&mut self, value: Expr) -> Result<Option<bool>, Reported> {
        let truth = self.conversions().truth(value)?;
        Ok(match self.constants().eval(truth, Mode::Optional) {
            Ok(Value::Int(truth)) => Some(truth != 0),
            _ => None,
        })
    }

    fn memory_order(&mut self, arg: ExprId) -> Result<(MemoryOrder, Span), Reported> {
        let span = self.unit.exprs[arg].span;
        let constant = self.ordered_constant(arg, "the memory order of an atomic operation")?;
        let order = match u32::try_from(constant).unwrap_or(u32::MAX) {
            0 => MemoryOrder::Relaxed,
            1 | 2 => MemoryOrder::Acquire,
            3 => MemoryOrder::Release,
            4 => MemoryOrder::AcqRel,
            5 => MemoryOrder::SeqCst,
            _ => {
                let diagnostic = Diagnostic::new(
                    Code::InvalidMemoryOrder,
                    span,
                    format!("{constant} is not a memory order"),
                );
                let help =
                    "use `__NV_ATOMIC_RELAXED`, `_CONSUME`, `_ACQUIRE`, `_RELEASE`, `_ACQ_REL` or `_SEQ_CST`";
                return Err(self.sink.error(diagnostic.with_help(help)));
            }
        };
        Ok((order, span))
    }

    fn thread_scope(&mut self, arg: ExprId) -> Result<Scope, Reported> {
        let span = self.unit.exprs[arg].span;
        let constant = self.ordered_constant(arg, "the scope of an atomic operation")?;
        match u32::try_from(constant).unwrap_or(u32::MAX) {
            // PTX has no less.
            0 | 1 => Ok(Scope::Block),
            2 => Ok(Scope::Cluster),
            3 => Ok(Scope::Device),
            4 => Ok(Scope::System),
            _ => {
                let diagnostic = Diagnostic::new(
                    Code::InvalidThreadScope,
                    span,
                    format!("{constant} is not a thread scope"),
                );
                let help = "use `__NV_THREAD_SCOPE_THREAD`, `_BLOCK`, `_CLUSTER`, `_DEVICE` or `_SYSTEM`";
                Err(self.sink.error(diagnostic.with_help(help)))
            }
        }
    }

    /// An integer constant that names no variable.
    fn ordered_constant(&mut self, arg: ExprId, what: &str) -> Result<Exact, Reported> {
        let value = self.expressions().check_rvalue(arg)?;
        let constant = self.expressions().require_int(value, what)?;
        if let Some(span) = self.variable_in(arg) {
            let message = format!("{what} must not use a variable");
            let diagnostic = Diagnostic::new(Code::NotConstant, span, message)
                .with_note("nvcc does not accept variables here, not even constant ones")
                .with_help("use a literal, an enumerator or a macro");
            return Err(self.sink.error(diagnostic));
        }
        Ok(constant)
    }

    /// Where an expression names what is no constant by itself.
    fn variable_in(&self, expr: ExprId) -> Option<Span> {
        let node = &self.unit.exprs[expr];
        match node.kind {
            ExprKind::Ident(symbol) => match self.names_ref().lookup(symbol).map(|binding| binding.entity) {
                Some(Entity::Enumerator(..) | Entity::Constant(_)) => None,
                _ => Some(node.span),
            },
            ExprKind::Paren(operand)
            | ExprKind::Unary { operand, .. }
            | ExprKind::Cast { operand, .. }
            | ExprKind::NamedCast { operand, .. } => self.variable_in(operand),
            ExprKind::Binary { lhs, rhs, .. } => self.variable_in(lhs).or_else(|| self.variable_in(rhs)),
            ExprKind::Conditional { cond, then, otherwise } => [Some(cond), then, Some(otherwise)]
                .into_iter()
                .flatten()
                .find_map(|part| self.variable_in(part)),
            ExprKind::FunctionalCast { args, .. } => {
                self.unit.args(args).iter().find_map(|&arg| self.variable_in(arg))
            }
            ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Bool(_)
            | ExprKind::SizeofPack { .. }
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType(_) => None,
            _ => Some(node.span),
        }
    }

    /// Whether an operation can have its orders (C17 7.17.7, 7.17.4).
    fn check_orders(&mut self, op: Op, name: &str, orders: &[(MemoryOrder, Span)]) -> Result<(), Reported> {
        use MemoryOrder::{AcqRel, Acquire, Relaxed, Release, SeqCst};
        for (idx, &(order, span)) in orders.iter().enumerate() {
            let (legal, what): (&[MemoryOrder], _) = match op {
                Op::Load => (&[Relaxed, Acquire, SeqCst], "a load"),
                Op::Store => (&[Relaxed, Release, SeqCst], "a store"),
                Op::Fence => (&[Acquire, Release, AcqRel, SeqCst], "a fence"),
                Op::CompareExchange if idx == 1 => {
                    (&[Relaxed, Acquire, SeqCst], "a failed comparison, which only loads,")
                }
                Op::Exchange | Op::CompareExchange | Op::Modify(_) => continue,
            };
            if legal.contains(&order) {
                continue;
            }
            let message = format!("memory order of {what} cannot be {}", in_words(order));
            let legal: Vec<&str> = legal.iter().map(|&order| in_words(order)).collect();
            let diagnostic = Diagnostic::new(Code::InvalidMemoryOrder, span, message)
                .with_note(format!("valid orders for this operand of `{name}`: {}", legal.join(", ")));
            return Err(self.sink.error(diagnostic));
        }
        Ok(())
    }
}

/// C17's words for it.
fn in_words(order: MemoryOrder) -> &'static str {
    match order {
        MemoryOrder::Relaxed => "relaxed",
        MemoryOrder::Acquire => "acquire",
        MemoryOrder::Release => "release",
        MemoryOrder::AcqRel => "acq_rel",
        MemoryOrder::SeqCst => "seq_cst",
    }
}
