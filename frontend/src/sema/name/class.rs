//! The scopes of classes, outside of the braces that declare their members (C++17 6.3.7).

use super::qualified::Outer;
use super::scope::Entity;
use hashbrown::HashSet;

use crate::ast::{Access, Declarator};
use crate::diag::{Code, Reported};
use crate::ir::{Field, Func, Namespace, Record};
use crate::sema::Names;
use crate::sema::context::Cx;
use crate::source::Span;

/// The friends of a class (C++17 14.3).
#[derive(Default)]
pub(in crate::sema) struct Friends {
    pub(in crate::sema) functions: HashSet<Func>,
    pub(in crate::sema) classes: HashSet<Record>,
    /// The class templates of whose instances each is one.
    pub(in crate::sema) templates: HashSet<(Namespace, String)>,
}

/// A member that a `using` declaration brings from a base class (C++17 10.3.3).
#[derive(Clone, Copy)]
pub(in crate::sema) struct BroughtMember {
    /// The class that the declaration names.
    pub(in crate::sema) base: Record,
    /// What it has here.
    pub(in crate::sema) access: Access,
    pub(in crate::sema) span: Span,
}

impl Cx<'_> {
    /// Checks something of a member function of the class, with the names that are known there.
    pub(in crate::sema) fn within_class<R>(
        &mut self,
        class: Record,
        check: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if self.module.types.class_templates.is_empty() {
            return self.within_plain_class(class, check);
        }
        match self.templates_ref().source_of_class(class) {
            Some(source) => {
                self.templates().in_scope_of_class(&source, |cx| cx.within_plain_class(class, check))
            }
            None => self.within_plain_class(class, check),
        }
    }

    /// The same where the parameters of the template that the class is made from are bound already.
    pub(in crate::sema) fn within_plain_class<R>(
        &mut self,
        class: Record,
        check: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let namespace = self.module.types.records[class].namespace;
        let outer = self.scopes.go_to_namespace(namespace);
        let n_classes = self.names().enter_class(class);
        let result = check(self);
        for _ in 0..n_classes {
            self.scopes.pop_class();
            self.scopes.pop_template();
        }
        self.scopes.go_to_namespace(outer);
        result
    }
}

impl Names<'_> {
    /// The class whose member a qualified declarator declares.
    pub(in crate::sema) fn class_of_declarator(
        &mut self,
        declarator: &Declarator,
    ) -> Result<Option<Record>, Reported> {
        let Some(scope) = &declarator.scope else { return Ok(None) };
        match self.scope_of(scope)? {
            Outer::Type(ty) => Ok(self.module.types.record(ty)),
            Outer::Namespace(_) => Ok(None),
        }
    }

    /// Enters a scope around that of a class with what its base classes have.
    pub(in crate::sema) fn push_bases(&mut self, bases: &[Field]) {
        self.scopes.push_template();
        for base in bases {
            if let Some(base) = self.module.types.record(base.ty) {
                self.bind_inherited(base);
            }
        }
    }

    /// Binds here what a class has, and before it what its base classes have.
    fn bind_inherited(&mut self, class: Record) {
        for (_, base) in self.types_ref().bases_of(class) {
            self.bind_inherited(base);
        }
        self.bind_members(class);
        self.bind_injected_name(class);
    }

    /// The name of a base class is a member of it (C++17 12p2). That of an instance of a template is found where its template is.
    fn bind_injected_name(&mut self, class: Record) {
        let data = &self.module.types.records[class];
        let (Some(tag), None) = (&data.tag, self.module.types.class_instance(class)) else { return };
        let span = data.span;
        if let Some(symbol) = self.interner.lookup(tag)
            && self.scopes.tag_here(symbol).is_none()
        {
            let ty = self.module.types.record_ty(class);
            self.scopes.bind_tag(symbol, ty, span);
        }
    }

    /// Binds here what a class declares.
    fn bind_members(&mut self, record: Record) {
        let names = self.known.names.of_classes.get(&record).cloned();
        // Operators are found by their operands alone (C++17 16.3.1.2p3).
        for symbol in names.into_iter().flatten().filter(|symbol| symbol.operator().is_none()) {
            if let Some(&binding) = self.known.class_names.get(&(record, symbol)) {
                self.scopes.bind(symbol, binding.entity, binding.span.unwrap_or_default());
            }
        }
        for (name, span) in self.types_ref().own_member_names(record) {
            if let Some(symbol) = self.interner.lookup(&name) {
                self.scopes.bind(symbol, Entity::Field(record), span);
            }
        }
    }

    /// Enters the scope of a class, and before it those of the classes around it: as many as it gives.
    fn enter_class(&mut self, class: Record) -> usize {
        let classes = self.classes_around(class);
        for &record in &classes {
            self.scopes.push_template();
            for (_, base) in self.types_ref().bases_of(record) {
                self.bind_inherited(base);
            }
            self.scopes.push_class(record);
            self.bind_members(record);
        }
        classes.len()
    }

    /// The class and those around it, from the outside in.
    pub(in crate::sema) fn classes_around(&self, class: Record) -> Vec<Record> {
        let around = std::iter::successors(Some(class), |&inner| self.module.types.records[inner].outer);
        let mut classes: Vec<Record> = around.collect();
        classes.reverse();
        classes
    }

    /// Refuses values that a class in a function has for its members or parameters, once the function has been checked: its text is gone.
    pub(in crate::sema) fn require_text(&mut self, class: Record, span: Span) -> Result<(), Reported> {
        let outermost = self.classes_around(class).first().copied();
        let owner = outermost.and_then(|class| Some(self.module.types.records[class].owner?.func));
        let is_checked = |func: &Func| {
            self.module.functions.get(*func).is_some_and(|function| function.body.is_some())
                || self.known.constant_bodies.contains_key(func)
        };
        if owner.as_ref().is_none_or(|owner| !is_checked(owner)) {
            return Ok(());
        }
        let ty = self.module.types.record_ty(class);
        let shown = self.show(ty);
        let message =
            format!("default values of {shown} are not supported outside of the function that declares it");
        Err(self.error(Code::UnsupportedMember, span, message))
    }
}
