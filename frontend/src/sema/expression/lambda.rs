//! Lambda expressions (C++17 8.1.5): a class of the function, with what is captured as its members and one member function.
//!
//! The body is checked where the lambda is, in a function of its own, with the blocks around it open. Names of variables of the functions
//! around it are bound to [`Entity::Captured`]; the first use of one adds a member to the class. The value of the lambda is made after that,
//! from the same names in the function around it: so a lambda within a lambda captures through both.

mod capture;
mod generic;

use cranelift_entity::packed_option::ReservedValue;
use hashbrown::HashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use crate::ast::{CaptureKind, Lambda, LambdaId, Name};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, ExprData, Func, InitData, Local, Method, Place, PlaceData, Quals, Record, Ty};
use crate::sema::Evaluation;
use crate::sema::Expressions;
use crate::sema::expression::Operand;
use crate::sema::name::scope::{Binding, Entity};
use crate::sema::statement::FuncCx;
use crate::source::Span;
use crate::token::Symbol;

pub(in crate::sema) use generic::Surroundings;

/// What is remembered of lambdas.
#[derive(Default)]
pub(in crate::sema) struct LambdaFacts {
    /// Those whose bodies are being checked, from the outside in.
    open: Vec<LambdaCx>,
    /// The variables that the bodies of these may capture.
    variables: Vec<Variable>,
    /// By the function that has them.
    made: HashMap<(Func, LambdaId), Closure>,
    /// How many a function has by the types of their parameters.
    n_alike: HashMap<(Func, SmallVec<[Ty; 4]>), u32>,
    /// The variables of functions around a lambda whose values its body uses, by the number of the constant.
    constants: HashMap<u32, (u32, Name, Option<Span>)>,
}

/// A lambda whose body is being checked, or whose captures are being found.
struct LambdaCx {
    closure: Record,
    func: Func,
    default: Option<CaptureKind>,
    /// Its call operator changes what is captured by copy.
    is_mutable: bool,
    captures: Vec<Captured>,
    /// The function around it.
    around: Func,
    /// What is known of that while it is checked, too.
    outer: Option<Box<FuncCx>>,
}

/// A variable of a function around a lambda, or of such a lambda's own.
#[derive(Clone, Copy)]
struct Variable {
    /// That of the outermost lambda within that function, or of the lambda itself.
    level: u32,
    kind: VariableKind,
}

#[derive(Clone, Copy, PartialEq)]
enum VariableKind {
    Local(Local),
    /// A member of the lambda's class.
    Own(u32),
    /// What no lambda captures.
    Other,
    /// A variable of the type that a generic lambda does not capture.
    Uncaptured(Ty),
}

/// The class of a lambda.
#[derive(Clone)]
struct Closure {
    ty: Ty,
    captures: Vec<Captured>,
}

/// A member of it.
#[derive(Clone, Copy)]
struct Captured {
    source: Source,
    ty: Ty,
    /// Where it is captured.
    span: Span,
}

#[derive(Clone, Copy)]
enum Source {
    /// A variable, by its name and what that means in the function around the lambda.
    Variable(u32, Name, Binding),
    /// `this`, or with its object's type by copy `*this`.
    This,
    Init(crate::ast::InitId),
}

impl<'a> Expressions<'a> {
    /// The value of a lambda.
    pub(super) fn check_lambda(&mut self, id: LambdaId, span: Span) -> Result<Operand, Reported> {
        let unit = self.unit;
        let lambda = &unit.lambdas[id];
        let Some(current) = self.func.as_ref().map(|func| func.func) else {
            let message = "lambda expressions outside of functions are not supported";
            return Err(self.error(Code::UnsupportedLambda, lambda.introducer, message));
        };
        // The function stands for host code around a launch, and what it calls is not emitted.
        if current.is_reserved_value() {
            return Err(self.poisoned());
        }
        let made = self.lambdas().made.get(&(current, id)).cloned();
        let closure = match made {
            Some(closure) => closure,
            None => {
                let closure = match &lambda.generic {
                    Some(template) => self.make_generic_closure(current, lambda, template)?,
                    None => self.make_closure(current, lambda)?,
                };
                self.lambdas().made.insert((current, id), closure.clone());
                closure
            }
        };
        let mut members = ThinVec::new();
        for (idx, captured) in (0..).zip(&closure.captures) {
            members.push((idx, self.captured_value(*captured)?));
        }
        let init = self.init(InitData::Record(members), span);
        let place = self.conversions().literal_place(init, closure.ty, span);
        Ok(Operand::Member(place))
    }

    fn lambdas(&mut self) -> &mut LambdaFacts {
        &mut self.cx.known.expressions.lambdas
    }

    /// Begins the class of a lambda: with what the brackets name as members, and what the names of variables around it mean in it.
    fn begin_closure(
        &mut self,
        current: Func,
        lambda: &'a Lambda,
    ) -> Result<(LambdaCx, Vec<(Symbol, Binding)>), Reported> {
        let (closure, _) = self.types().add_closure(current, lambda.introducer);
        let level = self.lambdas().open.len() as u32;
        let mut cx = LambdaCx {
            closure,
            func: current,
            default: lambda.default.map(|(kind, _)| kind),
            is_mutable: lambda.is_mutable,
            captures: Vec::new(),
            around: current,
            outer: None,
        };
        let variables = self.variables_around(level);
        for capture in &lambda.captures {
            self.capture_listed(&mut cx, capture, lambda, &variables)?;
        }
        Ok((cx, variables))
    }

    /// Makes the class of a lambda, and checks its body.
    fn make_closure(&mut self, current: Func, lambda: &'a Lambda) -> Result<Closure, Reported> {
        let level = self.lambdas().open.len() as u32;
        let (mut cx, variables) = self.begin_closure(current, lambda)?;
        let closure = cx.closure;
        let ty = self.module.types.record_ty(closure);
        let own: Vec<(Symbol, u32, Span)> = (0..)
            .zip(&lambda.captures)
            .filter_map(|(idx, capture)| {
                let name = capture.name.filter(|_| capture.init.is_some())?;
                Some((name.symbol, idx, name.span))
            })
            .collect();
        let n_left_out = self.sink.n_errors() + self.n_poisoned.get();
        cx.outer = self.func.take();
        self.lambdas().open.push(cx);
        let was_quiet = self.sink.set_quiet(false);
        let declared = self.apart(|cx| {
            cx.scopes.push();
            for (symbol, binding) in variables {
                cx.scopes.bind(symbol, binding.entity, binding.span.unwrap_or_default());
            }
            for (symbol, idx, span) in own {
                let entity = cx.expressions().add_variable(Variable { level, kind: VariableKind::Own(idx) });
                cx.scopes.bind(symbol, entity, span);
            }
            let declared = cx.declarations().define_call_operator(closure, current, lambda);
            cx.scopes.pop();
            declared
        });
        self.sink.set_quiet(was_quiet);
        let cx = self.lambdas().open.pop().expect("invariant: it was pushed above");
        self.func = cx.outer;
        if self.lambdas().open.is_empty() {
            self.lambdas().variables.clear();
        }
        self.types().complete_closure(closure);
        declared?;
        // What is wrong has been said, and the lambda is not checked again.
        if self.sink.n_errors() + self.n_poisoned.get() > n_left_out {
            return Err(self.poisoned());
        }
        Ok(Closure { ty, captures: cx.captures })
    }

    /// Numbers a lambda among those of the function with parameters of the same types.
    pub(in crate::sema) fn number_lambda(&mut self, current: Func, params: &[Ty]) -> u32 {
        let params = params.iter().map(|&ty| self.canonical(ty)).collect();
        let n_alike = self.lambdas().n_alike.entry((current, params)).or_default();
        *n_alike += 1;
        *n_alike - 1
    }

    /// Notes the call operator whose body is checked next.
    pub(in crate::sema) fn note_call_operator(&mut self, func: Func) {
        if let Some(lambda) = self.lambdas().open.last_mut() {
            lambda.func = func;
        }
    }

    fn add_variable(&mut self, variable: Variable) -> Entity {
        let variables = &mut self.lambdas().variables;
        variables.push(variable);
        Entity::Captured(variables.len() as u32 - 1)
    }

    /// What the names of the variables mean in a lambda that are visible here.
    fn variables_around(&mut self, level: u32) -> Vec<(Symbol, Binding)> {
        let mut visible = self.scopes.visible_locals();
        for (_, binding) in &mut visible {
            binding.entity = self.seen_within(binding.entity, level);
        }
        visible
    }

    fn seen_within(&mut self, entity: Entity, level: u32) -> Entity {
        let kind = match entity {
            Entity::Local(local) => VariableKind::Local(local),
            Entity::Captured(_) => return entity,
            Entity::Pack(pack) => {
                return self
                    .templates()
                    .pack_seen(pack, |cx, param| cx.expressions().seen_within(param, level));
            }
            Entity::Member(_) | Entity::Element(..) => VariableKind::Other,
            _ => return entity,
        };
        self.add_variable(Variable { level, kind })
    }

    fn variable_ty(&mut self, variable: u32) -> Ty {
        let Variable { level, kind } = self.lambdas().variables[variable as usize];
        let Some(lambda) = self.lambdas().open.get(level as usize) else { return Ty::ERROR };
        match kind {
            VariableKind::Local(local) => {
                lambda.outer.as_ref().map_or(Ty::ERROR, |func| func.locals[local].ty)
            }
            VariableKind::Own(idx) => lambda.captures[idx as usize].ty,
            VariableKind::Uncaptured(ty) => ty,
            VariableKind::Other => Ty::ERROR,
        }
    }

    /// The type of a variable where the lambda is: what a lambda around that has captured by copy is const there, unless that is mutable
    /// (C++17 8.1.5.2p14).
    fn ty_around(&mut self, variable: u32, lambda: usize) -> Ty {
        let Variable { level, kind } = self.lambdas().variables[variable as usize];
        let declared = self.variable_ty(variable);
        let around = &self.known.expressions.lambdas.open[level as usize..lambda];
        let is_kept = |cx: &LambdaCx| {
            let is_same = |captured: &&Captured| matches!(captured.source, Source::Variable(other, ..) if other == variable);
            let is_copy = match cx.captures.iter().find(is_same) {
                Some(captured) => self.module.types.reference(captured.ty).is_none(),
                None => cx.default == Some(CaptureKind::Copy),
            };
            is_copy && !cx.is_mutable
        };
        let is_const = match kind {
            VariableKind::Own(_) => {
                let own = around.first().is_some_and(|cx| !cx.is_mutable);
                own && self.module.types.reference(declared).is_none() || around.iter().skip(1).any(is_kept)
            }
            VariableKind::Local(_) | VariableKind::Uncaptured(_) | VariableKind::Other => {
                around.iter().any(is_kept)
            }
        };
        let ty = self.conversions_ref().unreferenced(declared);
        match is_const {
            true => self.module.types.with_quals(ty, Quals::CONST),
            false => ty,
        }
    }

    /// What a variable of a function around the lambda means in it: a constant, or a member that captures it.
    pub(super) fn captured_operand(
        &mut self,
        variable: u32,
        name: Name,
        declared: Option<Span>,
    ) -> Result<Operand, Reported> {
        let Variable { level, kind } = self.lambdas().variables[variable as usize];
        if self.held_by_closure(variable).is_none()
            && let VariableKind::Local(local) = kind
            && let Some(constant) = self.constant_around(level as usize, local, name, declared)
        {
            self.lambdas().constants.insert(constant, (variable, name, declared));
            return Ok(Operand::Const(constant, name.span));
        }
        self.captured_place(variable, name, declared)
    }

    /// The variable whose value the body of a lambda would use, where its address is needed (C++17 8.1.5.2p7).
    pub(super) fn captured_constant(&mut self, constant: u32) -> Option<Result<Operand, Reported>> {
        let &(variable, name, declared) = self.lambdas().constants.get(&constant)?;
        Some(self.captured_place(variable, name, declared))
    }

    /// The member of the innermost lambda's class that holds a variable already.
    fn held_by_closure(&mut self, variable: u32) -> Option<u32> {
        let Variable { level, kind } = self.lambdas().variables[variable as usize];
        let current = self.lambdas().open.len().checked_sub(1)?;
        if let VariableKind::Own(idx) = kind
            && level as usize == current
            && (self.func.is_some() || self.evaluation != Evaluation::Unevaluated)
        {
            return Some(idx);
        }
        let is_same =
            |captured: &Captured| matches!(captured.source, Source::Variable(other, ..) if other == variable);
        let idx = self.lambdas().open[current].captures.iter().position(is_same)?;
        Some(idx as u32)
    }

    /// The member that holds a variable, which the first use adds.
    fn captured_place(
        &mut self,
        variable: u32,
        name: Name,
        declared: Option<Span>,
    ) -> Result<Operand, Reported> {
        if let Some(idx) = self.held_by_closure(variable) {
            return self.member_of_closure(idx, name.span);
        }
        let Variable { level, kind } = self.lambdas().variables[variable as usize];
        let Some(current) = self.lambdas().open.len().checked_sub(1) else { return Err(self.poisoned()) };
        let ty = self.variable_ty(variable);
        if self.evaluation == Evaluation::Unevaluated {
            let referred = self.conversions_ref().unreferenced(ty);
            let pointer = self.module.types.pointer_to(referred);
            let null = self.expr(ExprData::Null, pointer, name.span);
            return Ok(Operand::Place(self.place(PlaceData::Deref(null), referred, name.span)));
        }
        let Some(default) = self.lambdas().open[current].default else {
            let spelling = self.spelling(name.symbol);
            let message = format!(
                "variable `{spelling}` cannot be implicitly captured in a lambda with no capture-default specified"
            );
            let mut diagnostic = Diagnostic::new(Code::InvalidLambda, name.span, message);
            if let Some(span) = declared {
                diagnostic = diagnostic.with_label(span, format!("`{spelling}` declared here"));
            }
            return Err(self.sink.error(diagnostic));
        };
        let entity = match kind {
            VariableKind::Local(local) if level as usize == current => Entity::Local(local),
            _ => Entity::Captured(variable),
        };
        let binding = Binding { entity, span: declared };
        let ty = self.ty_around(variable, current);
        self.with_open(|cx, lambda| cx.capture_variable(lambda, variable, name, binding, ty, default))?;
        let idx = self.lambdas().open[current].captures.len() as u32 - 1;
        self.member_of_closure(idx, name.span)
    }

    /// Adds to what the innermost lambda captures.
    fn with_open<R>(&mut self, add: impl FnOnce(&mut Self, &mut LambdaCx) -> R) -> R {
        let mut lambda = self.lambdas().open.pop().expect("invariant: a lambda is open");
        let result = add(self, &mut lambda);
        self.lambdas().open.push(lambda);
        result
    }

    /// The number that a variable of the function around the lambda is, whose value is used.
    fn constant_around(
        &mut self,
        level: usize,
        local: Local,
        name: Name,
        declared: Option<Span>,
    ) -> Option<u32> {
        let outer = self.lambdas().open[level].outer.take();
        let own = std::mem::replace(&mut self.func, outer);
        let binding = Binding { entity: Entity::Local(local), span: declared.or(Some(name.span)) };
        let constant = self.names().enclosing_constant(binding);
        let outer = std::mem::replace(&mut self.func, own);
        self.lambdas().open[level].outer = outer;
        match constant? {
            Entity::Const(idx) => Some(idx),
            _ => None,
        }
    }

    /// A member of the class of the lambda whose body is checked.
    fn member_of_closure(&mut self, idx: u32, span: Span) -> Result<Operand, Reported> {
        let Some(object) = self.closure_object(span) else { return Err(self.poisoned()) };
        Ok(Operand::Place(self.field_place(object, idx, span)))
    }

    fn closure_object(&mut self, span: Span) -> Option<Place> {
        let func = self.func.as_ref()?;
        let local = *func.params.first()?;
        let ty = func.locals.get(local)?.ty;
        let place = self.place(PlaceData::Local(local), ty, span);
        let pointer = self.module.types.unqualified(ty);
        let value = self.expr(ExprData::Load(place), pointer, span);
        let ty = self.module.types.pointee(pointer)?;
        Some(self.place(PlaceData::Deref(value), ty, span))
    }

    /// Whether the function that is checked is the call operator of the innermost lambda.
    fn is_in_lambda(&self) -> bool {
        let open = self.known.expressions.lambdas.open.last();
        open.is_some_and(|lambda| self.func.as_ref().is_some_and(|func| func.func == lambda.func))
    }

    /// The member function around the lambdas whose bodies are checked, or that is checked itself.
    pub(in crate::sema) fn own_method(&self) -> Option<Method> {
        self.module.functions.get(self.own_function()?)?.method
    }

    /// The function around the lambdas whose bodies are checked, or that is checked itself.
    fn own_function(&self) -> Option<Func> {
        let mut func = self.func.as_ref()?.func;
        for lambda in self.known.expressions.lambdas.open.iter().rev() {
            if lambda.func != func {
                break;
            }
            func = lambda.around;
        }
        Some(func)
    }

    /// `this` of the member function around a lambda, where a lambda's body is checked.
    pub(super) fn captured_this(&mut self, span: Span) -> Option<Option<Expr>> {
        if !self.is_in_lambda() {
            return None;
        }
        Some(self.this_around(span))
    }

    fn this_around(&mut self, span: Span) -> Option<Expr> {
        let method = self.own_method().filter(|method| !method.is_static)?;
        let current = self.lambdas().open.len() - 1;
        let is_this = |captured: &Captured| matches!(captured.source, Source::This);
        let known = self.lambdas().open[current].captures.iter().position(is_this);
        let idx = match known {
            Some(idx) => idx as u32,
            None => {
                let ty = self.ty_of_this(method)?;
                if self.evaluation == Evaluation::Unevaluated {
                    return Some(self.expr(ExprData::Null, ty, span));
                }
                if self.lambdas().open[current].default.is_none() {
                    let message = "`this` cannot be implicitly captured in this context";
                    self.error(Code::InvalidLambda, span, message);
                }
                self.with_open(|cx, lambda| {
                    cx.add_capture(lambda, Captured { source: Source::This, ty, span }, None);
                });
                self.lambdas().open[current].captures.len() as u32 - 1
            }
        };
        let Ok(Operand::Place(place)) = self.member_of_closure(idx, span) else { return None };
        let ty = self.place_ty(place);
        match self.module.types.record(ty) {
            Some(_) => {
                let pointer = self.module.types.pointer_to(ty);
                Some(self.expr(ExprData::AddrOf(place), pointer, span))
            }
            None => {
                let pointer = self.module.types.unqualified(ty);
                Some(self.expr(ExprData::Load(place), pointer, span))
            }
        }
    }

    /// The type of `this` in the member function around the lambdas.
    fn ty_of_this(&mut self, method: Method) -> Option<Ty> {
        let open = self.known.expressions.lambdas.open.iter().rev();
        let is_own =
            |&func: &Func| self.module.functions.get(func).is_some_and(|own| own.method == Some(method));
        let func = open.map(|lambda| lambda.around).find(is_own)?;
        let ty = self.module.types.func(self.module.functions[func].ty)?.params.first().copied()?;
        Some(self.module.types.unqualified(ty))
    }
}
