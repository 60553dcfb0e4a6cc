//! From [`Module`] to [`VerifiedModule`]: what lowering may rely on.
//!
//! Each invariant that the documentation of the IR states is checked here, so that lowering needs no
//! checks of its own. A failure here is a bug in the semantic analysis, not a mistake in the user's
//! program. The first violation is reported, with the function, the entity and the invariant.
//!
//! - [`types`]: records, enums, and relations between types
//! - [`global`]: variables with static storage duration and their values
//! - [`body`]: a function's definition: its tree, its locals and labels
//! - [`stmt`]: statements and what encloses them
//! - [`expr`], [`convert`], [`builtin`]: values
//! - [`place`]: places and initializers
//! - [`seen`]: sets of entities
//!
//! **Invariants.** Everywhere:
//! - a handle is in range of its table;
//! - no type is the poison type, and `__restrict__` is on pointers only;
//! - an alignment is a power of two.
//!
//! Types:
//! - a function type returns no array and no function; its parameters are unqualified, and neither
//!   `void`, array nor function;
//! - a complete record has a layout; its bit-fields have integer or enum type, are no wider than it,
//!   and have no bits only where they have no name.
//!
//! Variables with static storage duration:
//! - the type is an object type, and complete unless another object or the launch defines it;
//! - there is an initial value unless it is declared `extern` or is in shared memory;
//! - one without a name is a string literal: internal, its value its bytes;
//! - unless `extern`, its owner is a function whose body declares it once, and only that body uses it;
//! - an initial value is of the variable's type: see [`global`].
//!
//! Functions:
//! - the type is a function type; a kernel returns `void` and is not variadic;
//! - a function that is defined or called, or whose address is taken, has complete parameter and return types;
//! - in a body, exactly the parameters are marked as parameters, and have the types in the function type;
//! - expressions, places, initializers and statements form a tree: each node has one parent;
//! - a [`Bound`](super::ExprData::Bound) is used only within the `new` of the
//!   [`Modify`](super::ExprData::Modify) that names it;
//! - a local has a complete object type; a used local is a parameter or is declared, and no local is
//!   declared twice.
//!
//! Statements:
//! - the root is a block; a `for` begins with declarations and expressions;
//! - a condition is a `bool`; a switch's value is of a promoted integer type;
//! - the cases of a switch are those in its body, in order; values are unique and in range of the type;
//! - `break`, `continue`, `case` and `default` are within a statement that they can belong to;
//! - a label is defined once; a `goto` names a defined label and does not jump into a statement expression;
//! - `return` has a value of the function's return type (which may be `void`), or no value if that is `void`.
//!
//! Values and places:
//! - a value's type is unqualified, complete or `void`, and not an array or function;
//! - operands have the types that [`ExprData`](super::ExprData) specifies, constants are in range;
//! - a place has the type of its object, with the qualifiers of the access path;
//! - the target of an assignment is not `const`; a bit-field has no address;
//! - an initializer fits the object's type.

mod body;
mod builtin;
mod convert;
mod expr;
mod global;
mod place;
mod seen;
mod stmt;
mod types;

use std::fmt::Display;

use cranelift_entity::{EntityRef, PrimaryMap};
use hashbrown::{HashMap, HashSet};

use super::{Func, Function, FunctionKind, Global, Module, TyKind, TypeTable};
use body::Sets;
use types::TypeFacts;

/// A module of which every invariant holds. Only [`Unverified::verify`] makes one.
#[derive(Debug)]
pub struct VerifiedModule {
    module: Module,
}

/// An invariant does not hold: a bug in the compiler.
#[derive(Debug)]
pub struct VerifyError {
    /// Which one, and where.
    pub message: String,
}

impl VerifiedModule {
    /// The module.
    pub fn module(&self) -> &Module {
        &self.module
    }
}

/// Checks every invariant of the IR.
///
/// # Errors
/// Names the first invariant that does not hold.
pub fn verify(module: Module) -> Result<VerifiedModule, VerifyError> {
    Unverified::from(module).verify()
}

/// A module that is to be verified, with what has been found on the way to it.
#[derive(Debug)]
pub struct Unverified {
    module: Module,
    bodies: BodyVerifier,
    /// The module has the bodies of its functions.
    has_bodies: bool,
}

impl From<Module> for Unverified {
    fn from(module: Module) -> Self {
        Unverified { module, bodies: BodyVerifier::default(), has_bodies: true }
    }
}

impl Unverified {
    /// The whole module, of which some bodies have been verified as they were made; those are gone unless it
    /// `has_bodies`.
    pub(crate) fn new(module: Module, bodies: BodyVerifier, has_bodies: bool) -> Self {
        Unverified { module, bodies, has_bodies }
    }

    /// The module.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Checks every invariant of the IR, of bodies those that have not been verified. Where assertions are on, that
    /// is every body: so tests find it if one is changed after it was verified.
    ///
    /// # Errors
    /// Names the first invariant that does not hold: there is one if bodies are gone.
    pub fn verify(self) -> Result<VerifiedModule, VerifyError> {
        let Unverified { module, mut bodies, has_bodies } = self;
        if cfg!(debug_assertions) || !has_bodies {
            bodies.verified.clear();
        }
        match check(&module, &mut bodies) {
            Ok(()) => Ok(VerifiedModule { module }),
            Err(error) => Err(*error),
        }
    }

    /// Checks every invariant of the IR, but of bodies that have been verified and may be gone: the module is not for
    /// lowering.
    ///
    /// # Errors
    /// Names the first invariant that does not hold.
    pub fn verify_but_bodies(self) -> Result<Module, VerifyError> {
        let Unverified { module, mut bodies, .. } = self;
        match check(&module, &mut bodies) {
            Ok(()) => Ok(module),
            Err(error) => Err(*error),
        }
    }
}

fn check(module: &Module, bodies: &mut BodyVerifier) -> Check {
    types::check(&module.types)?;
    for (global, data) in &module.globals {
        global::check(module, global, data)?;
    }
    for (func, function) in &module.functions {
        check_signature(&module.types, function).map_err(|error| in_function(error, func, function))?;
    }
    bodies.verify(module, module.functions.keys());
    bodies.broken.take().map_or(Ok(()), Err)?;
    bodies.sets.incomplete.iter().try_for_each(|&func| {
        let function = &module.functions[func];
        require_callable(module, func, function)
    })
}

fn require_callable(module: &Module, func: Func, function: &Function) -> Check {
    let is_callable = module.types.func(function.ty).is_some_and(|ty| types::is_callable(&module.types, ty));
    require(is_callable, func, "a function whose address is taken has complete parameter and return types")
}

/// Checks definitions, each as soon as it is made: the nodes of a body that has just been made are in the cache, and
/// those of a long program's bodies are not, once it is read.
#[derive(Debug, Default)]
pub(crate) struct BodyVerifier {
    facts: TypeFacts,
    sets: Sets,
    /// The variables that a function's body has to declare.
    owned: HashMap<Func, Vec<Global>>,
    /// How many variables have been looked at.
    n_globals: usize,
    verified: HashSet<Func>,
    /// The first invariant that did not hold.
    broken: Option<Box<VerifyError>>,
}

impl BodyVerifier {
    /// Checks the bodies of functions, unless that has been done. What they refer to is in the module.
    pub(crate) fn verify(&mut self, module: &Module, funcs: impl IntoIterator<Item = Func>) {
        self.facts.update(&module.types);
        self.learn_owners(module);
        let BodyVerifier { facts, sets, owned, verified, broken, .. } = self;
        for func in funcs {
            let function = &module.functions[func];
            let Some(body) = &function.body else { continue };
            if broken.is_none() && verified.insert(func) {
                let owned = owned.get(&func).map_or(&[][..], Vec::as_slice);
                let result = body::check(module, facts, (func, body), owned, sets);
                *broken = result.err().map(|error| in_function(error, func, function));
            }
        }
    }

    fn learn_owners(&mut self, module: &Module) {
        for global in (self.n_globals..module.globals.len()).map(Global::new) {
            let data = &module.globals[global];
            if let Some(owner) = data.owner
                && data.name.is_some()
                && !data.is_extern
            {
                self.owned.entry(owner).or_default().push(global);
            }
        }
        self.n_globals = module.globals.len();
    }
}

/// The error with the function in which it was found.
fn in_function(mut error: Box<VerifyError>, func: Func, function: &Function) -> Box<VerifyError> {
    error.message = format!("function `{}` ({func}): {}", function.name, error.message);
    error
}

/// What each check gives.
type Check = Result<(), Box<VerifyError>>;

/// Fails with the entity and the invariant unless it holds.
#[inline]
fn require(holds: bool, entity: impl Display, invariant: &str) -> Check {
    if holds { Ok(()) } else { Err(broken(entity, invariant)) }
}

#[cold]
fn broken(entity: impl Display, invariant: &str) -> Box<VerifyError> {
    Box::new(VerifyError { message: format!("{entity}: {invariant}") })
}

/// What the handle stands for.
#[inline]
fn get<K: EntityRef + Display, V>(map: &PrimaryMap<K, V>, key: K) -> Result<&V, Box<VerifyError>> {
    map.get(key).ok_or_else(|| broken(key, "a handle is in range of its table"))
}

fn require_align(align: Option<u32>, entity: impl Display) -> Check {
    require(align.is_none_or(u32::is_power_of_two), entity, "an alignment is a power of two")
}

fn check_signature(types: &TypeTable, function: &Function) -> Check {
    types::check_ty(types, function.ty, "type")?;
    let TyKind::Func(ty) = types.kind(function.ty) else {
        return require(false, "type", "a function's type is a function type");
    };
    if let FunctionKind::Kernel(_) = &function.kind {
        let is_void = *types.kind(ty.ret) == TyKind::Void;
        require(is_void && !ty.variadic, "type", "a kernel returns `void` and is not variadic")?;
    }
    if function.body.is_some() {
        require(
            types::is_callable(types, ty),
            "type",
            "a defined function has complete parameter and return types",
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
