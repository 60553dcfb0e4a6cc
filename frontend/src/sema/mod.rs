//! Meaning: from the abstract syntax to the typed program.
//!
//! In: an [`ast::TranslationUnit`]. Out: an [`ir::Module`] in which each name is resolved, each
//! expression typed, each conversion a node. What a program may say is what nvcc takes as C++17;
//! the clauses cited are C++17's where the two languages differ, C17's where they agree.
//!
//! The work is divided into contexts. Each is a folder with the methods of one concern and the facts that it alone
//! needs, and a view of [`Cx`], which has what all share: the syntax, the module in the making, the nodes of the
//! current body, the sink. A method names the context that it calls: `self.conversions().convert(…)`.
//!
//! - [`name`]: names, scopes, namespaces, lookup
//! - [`types`]: from specifiers and declarators to types; structs, unions, enums; attributes
//! - [`declaration`]: declarations of functions and variables
//! - [`expression`]: expressions and their operators
//! - [`conversion`]: conversions, what references bind to, initial values
//! - [`call`]: calls, overload resolution, arguments
//! - [`template`]: function templates and their instances
//! - [`builtin`]: built-in functions and types
//! - [`constant`]: constant expressions; it changes nothing
//! - [`statement`]: statements, jumps, inline PTX
//! - [`warn`]: doubts about what is right
//! - [`context`]: what they share; [`notes`]: what is noted of few of the expressions
//!
//! **Invariant**: a check that fails has reported, and gives [`Reported`]; callers go on with what
//! does not depend on it. Nothing is reported about the poison type or a poisoned name.
//!
//! **Invariant**: what is not evaluated (the operand of `sizeof`, constant expressions) is checked in
//! an arena of its own, which is dropped; the nodes of a body are those that it reaches, but for
//! designations that were folded away.

mod builtin;
mod call;
mod constant;
mod context;
mod conversion;
mod declaration;
mod expression;
mod name;
mod notes;
mod statement;
mod template;
mod types;
mod warn;

#[cfg(test)]
mod tests;

use std::mem;

use crate::Dialect;
use crate::ast;
use crate::diag::{Reported, Sink};
use crate::ir::{Body, Func, Module, TypeTable};
use crate::parse::Rereader;
use crate::predeclared::Predeclared;
use crate::token::{Interner, Symbol, Token};

pub use builtin::prototype::Prototype;
pub(crate) use builtin::prototype::prototypes as builtin_prototypes;

use context::{
    Arena, BuiltinRecords, Builtins, Calls, Constants, Conversions, Cx, Declarations, Evaluation,
    Expressions, Known, Names, Statements, Templates, Types, Units, Warnings,
};
use name::scope::Scopes;

/// What `__has_builtin` answers: as in GNU's preprocessor, only names with that prefix count.
pub(crate) fn has_builtin(name: &str) -> bool {
    name.starts_with("__builtin_") && builtin::named(name).next().is_some()
}

/// A program that is checked declaration by declaration, and what is known of it so far.
pub(crate) struct Checker {
    dialect: Dialect,
    /// None while a check has it.
    program: Option<Program>,
    units: Units,
}

impl Checker {
    /// Knows what the compiler declares by itself.
    pub(crate) fn new(dialect: Dialect, interner: &Interner, sink: &mut Sink) -> Self {
        let program = Program {
            module: Module { types: TypeTable::of(dialect.model), ..Module::default() },
            scopes: Scopes::default(),
            arena: Arena::default(),
            spare: None,
            spare_body: None,
            checked: Vec::new(),
            known: Box::default(),
            is_damaged: false,
        };
        let mut checker = Checker { dialect, program: Some(program), units: Units::new() };
        checker.with(&ast::TranslationUnit::default(), None, interner, sink, |cx| {
            cx.builtins().make_builtin_records()
        });
        checker
    }

    /// Takes note of names that the text has and that it had not before: those of the compiler's own are `named`.
    pub(crate) fn learn(&mut self, named: &[(Symbol, Predeclared)], interner: &Interner, sink: &mut Sink) {
        self.with(&ast::TranslationUnit::default(), None, interner, sink, |cx| {
            cx.scopes.make_room(interner.len());
            cx.names().declare_named(named);
        });
    }

    /// Checks the declarations of the unit. What they refer to may stand in units that came before, whose nodes are
    /// forgotten but for those outside of functions, which the unit has in their old places.
    /// `is_damaged` says that mistakes were found in their text: what was not understood is missing.
    pub(crate) fn check(
        &mut self,
        unit: &ast::TranslationUnit,
        is_damaged: bool,
        rereader: &mut Rereader,
        interner: &Interner,
        sink: &mut Sink,
    ) {
        if let Some(program) = &mut self.program {
            program.checked.clear();
            program.is_damaged = is_damaged;
        }
        self.with(unit, Some(rereader), interner, sink, |cx| {
            for decl in &cx.unit.decls {
                cx.declarations().check_file_decl(decl);
            }
            cx.templates().note_host_texts();
            cx.templates().make_pending(false);
            cx.builtins().define_builtins();
        });
    }

    /// What is known of the program.
    pub(crate) fn module(&self) -> &Module {
        &self.program().module
    }

    /// The functions whose bodies were in the last unit.
    pub(crate) fn checked(&self) -> &[Func] {
        &self.program().checked
    }

    /// Lets go of the bodies in the last unit; those of the next one will lie where they lay.
    pub(crate) fn drop_bodies(&mut self) {
        let Some(Program { module, checked, spare_body, known, .. }) = &mut self.program else { return };
        for &func in &*checked {
            // A constant may need it.
            if known.func_facts.get(&func).is_some_and(|facts| facts.is_constexpr) {
                continue;
            }
            if let Some(body) = &mut module.functions[func].body {
                let placeholder = Box::new(Body::placeholder(body.root, body.end));
                let mut spare = mem::replace(body, placeholder);
                spare.clear();
                *spare_body = Some(spare);
            }
        }
    }

    fn program(&self) -> &Program {
        self.program.as_ref().expect("invariant: a check gives the program back")
    }

    /// Checks what can only be told at the end of the text, of which `unit` has the syntax outside of functions. `instantiate` has the tokens of the instances to make.
    pub(crate) fn finish(
        mut self,
        unit: &ast::TranslationUnit,
        rereader: &mut Rereader,
        instantiate: &[Vec<Token>],
        interner: &Interner,
        sink: &mut Sink,
    ) -> Result<Module, Reported> {
        self.with(unit, Some(rereader), interner, sink, |cx| {
            for tokens in instantiate {
                // What is wrong is reported.
                let _reported = cx.templates().instantiate_named(tokens);
            }
            cx.finish();
        });
        let program = self.program.expect("invariant: a check gives the program back");
        sink.reported().map_or(Ok(program.module), Err)
    }

    fn with<'a>(
        &'a mut self,
        unit: &'a ast::TranslationUnit,
        rereader: Option<&'a mut Rereader>,
        interner: &'a Interner,
        sink: &'a mut Sink,
        check: impl FnOnce(&mut Cx<'a>),
    ) {
        let program = self.program.take().expect("invariant: a check gives the program back");
        let mut cx = Cx::new(unit, program, self.dialect, interner, sink, (rereader, &self.units));
        check(&mut cx);
        let Cx { module, scopes, arena, spare, spare_body, checked, known, is_damaged, .. } = cx;
        self.program = Some(Program { module, scopes, arena, spare, spare_body, checked, known, is_damaged });
    }
}

/// What one declaration leaves to the next. What is large does not move in memory, however many declarations there are.
struct Program {
    module: Module,
    scopes: Scopes,
    /// The nodes of initial values at file scope.
    arena: Arena,
    /// See [`Cx`].
    spare: Option<Box<statement::FuncCx>>,
    /// See [`Cx`].
    spare_body: Option<Box<Body>>,
    /// See [`Cx`].
    checked: Vec<Func>,
    known: Box<Known>,
    /// Mistakes were found in the text of what is checked: what was not understood is missing.
    is_damaged: bool,
}
