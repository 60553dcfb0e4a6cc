//! `using` declarations among members (C++17 10.3.3): the names of base classes as the class's own, with the access that they have there.
//!
//! Names of bases are known without them. A declaration changes the access, chooses one of several bases, and adds functions to those that the
//! class declares itself.

use std::collections::BTreeMap;

use crate::ast::{MemberUsing, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Field, Func, Record};
use crate::sema::Types;
use crate::sema::call::overload::Overloads;
use crate::sema::name::class::BroughtMember;
use crate::sema::name::qualified::Outer;
use crate::sema::name::scope::{Binding, Entity};
use crate::source::Span;

/// What a `using` declaration names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Brought {
    /// Functions, which the class has once its own ones are known.
    Functions,
    /// Constructors, which initialize objects of the class.
    Constructors,
    /// Anything else, which it has from there on.
    Other,
}

impl Types<'_> {
    /// Declares what a `using` declaration names, but for functions.
    pub(super) fn bring(
        &mut self,
        using: &MemberUsing,
        fields: &[Field],
        names: &BTreeMap<String, Span>,
    ) -> Result<Brought, Reported> {
        let name = using.name;
        let base = self.base_of_using(using, fields)?;
        let Some(class) = self.scopes.class() else { return Err(self.poisoned()) };
        if self.names_constructor(using, base) {
            return self.inherit_constructors(class, base, using);
        }
        let entity = self.class_member(base, name.symbol);
        let is_function =
            matches!(entity.map(|binding| binding.entity), Some(Entity::Func(_) | Entity::Overloads(_)));
        if entity.is_none() && self.expressions_ref().find_member(base, name.symbol).is_none() {
            if self.dialect.host_code.is_skipped() {
                // A function of the host's, which was skipped.
                return Ok(Brought::Other);
            }
            let base_ty = self.module.types.record_ty(base);
            let (spelling, shown) = (self.spelling(name.symbol).to_owned(), self.show(base_ty));
            let message = format!("no member named `{spelling}` in {shown}");
            return Err(self.error(Code::NoMember, name.span, message));
        }
        self.require_one_base(base, name)?;
        if !is_function {
            self.names().require_access(base, name)?;
            let here = self.scopes.get_here(name.symbol).and_then(|binding| binding.span);
            if let Some(span) = here.or(names.get(self.spelling(name.symbol)).copied()) {
                return Err(self.conflicting_using(using, span));
            }
        }
        let brought = BroughtMember { base, access: using.access, span: name.span };
        self.known.names.brought.entry((class, name.symbol)).or_insert(brought);
        match entity {
            _ if is_function => return Ok(Brought::Functions),
            Some(Binding { entity, .. }) => self.scopes.bind(name.symbol, entity, name.span),
            None => {}
        }
        self.names().restrict(using.access, name);
        Ok(Brought::Other)
    }

    /// Adds the functions of the base to those that the class declares. One with the parameters of one of these is hidden (C++17 10.3.3p15).
    pub(super) fn bring_functions(
        &mut self,
        using: &MemberUsing,
        fields: &[Field],
        names: &BTreeMap<String, Span>,
    ) -> Result<(), Reported> {
        let name = using.name;
        let base = self.base_of_using(using, fields)?;
        let Some(class) = self.scopes.class() else { return Err(self.poisoned()) };
        if let Some(&span) = names.get(self.spelling(name.symbol)) {
            return Err(self.conflicting_using(using, span));
        }
        let brought = match self.class_member(base, name.symbol).map(|binding| binding.entity) {
            Some(Entity::Func(func)) => Overloads::of(func),
            Some(Entity::Overloads(id)) => self.known.overloads[id].clone(),
            _ => return Err(self.poisoned()),
        };
        for &func in &brought.funcs {
            self.names().require_method_access(func, Some(base), None, name.span)?;
        }
        let here = self.scopes.get_here(name.symbol);
        let mut all = match here.map(|binding| binding.entity) {
            None => Overloads::default(),
            Some(Entity::Func(func)) => Overloads::of(func),
            Some(Entity::Overloads(id)) => self.known.overloads[id].clone(),
            Some(_) => {
                return Err(
                    self.conflicting_using(using, here.and_then(|here| here.span).unwrap_or(name.span))
                );
            }
        };
        for &func in &brought.funcs {
            // Of the same ones of two bases, nvcc reports a call that may mean both.
            let is_hidden = all.funcs.iter().any(|&own| {
                let method = self.module.functions[own].method;
                method.is_some_and(|method| method.class == class) && self.hides_brought(own, func)
            });
            if !is_hidden {
                all.add(func);
            }
        }
        for &template in &brought.templates {
            if !all.templates.contains(&template) {
                all.templates.push(template);
            }
        }
        all.naming = Some(class);
        self.known.names.of_methods.insert(name.symbol);
        let span = here.and_then(|here| here.span).unwrap_or(name.span);
        let id = self.known.overloads.push(all);
        self.scopes.bind(name.symbol, Entity::Overloads(id), span);
        Ok(())
    }

    /// Reports a data member by the name of what the declaration brings.
    pub(super) fn refuse_beside_brought(
        &mut self,
        using: &MemberUsing,
        names: &BTreeMap<String, Span>,
    ) -> Result<(), Reported> {
        match names.get(self.spelling(using.name.symbol)) {
            Some(&span) => Err(self.conflicting_using(using, span)),
            None => Ok(()),
        }
    }

    /// Whether a member function has the parameters and the qualifiers of one of a base class.
    fn hides_brought(&self, own: Func, brought: Func) -> bool {
        let types = &self.module.types;
        let signature = |func: Func| {
            let function = &self.module.functions[func];
            let method = function.method?;
            let params = &types.func(types.canonical(function.ty))?.params;
            let (this, params) = match method.is_static {
                true => (None, &params[..]),
                false => (types.pointee(*params.first()?).map(|class| types.quals(class)), &params[1..]),
            };
            Some((this, method.ref_qualifier, params.to_vec()))
        };
        signature(own) == signature(brought)
    }

    /// The base class that the declaration names.
    fn base_of_using(&mut self, using: &MemberUsing, fields: &[Field]) -> Result<Record, Reported> {
        let name = using.name;
        let Outer::Type(of) = self.names().scope_of(&using.scope)? else {
            let message = "`using` declaration in a class must name a member of a base class";
            return Err(self.error(Code::NoMember, name.span, message));
        };
        self.templates().complete(of, name.span);
        let Some(base) = self.module.types.record(of) else { return Err(self.poisoned()) };
        let bases = fields.iter().filter(|field| field.is_base);
        let mut bases = bases.filter_map(|field| self.module.types.record(field.ty));
        if !bases.any(|direct| direct == base || self.path_to_base(direct, base).is_some()) {
            let shown = self.show(of);
            let message = format!("`using` declaration refers into {shown}, which is not a base class");
            return Err(self.error(Code::NoMember, name.span, message));
        }
        Ok(base)
    }

    /// Whether the declaration names the constructors of the base class: by its name, or by that of the type before the `::`
    /// (C++17 6.4.3.1p2).
    fn names_constructor(&self, using: &MemberUsing, base: Record) -> bool {
        let written = match &*using.scope {
            TypeSpec::Instance(instance) => &instance.0,
            scope => scope,
        };
        let last = match written {
            TypeSpec::Named(name) => Some(name.symbol),
            TypeSpec::Element(element) => Some(element.0.symbol),
            TypeSpec::Nested(nested) => Some(nested.1.symbol),
            _ => None,
        };
        let symbol = using.name.symbol;
        last == Some(symbol) || self.module.types.class_name(base) == Some(self.spelling(symbol))
    }

    // C++17 10.3.3p3
    fn inherit_constructors(
        &mut self,
        class: Record,
        base: Record,
        using: &MemberUsing,
    ) -> Result<Brought, Reported> {
        if !self.bases_of(class).iter().any(|&(_, direct)| direct == base) {
            let base = self.module.types.record_ty(base);
            let message = format!(
                "{} is not a direct base class: its constructors cannot be inherited",
                self.show(base)
            );
            return Err(self.error(Code::NoMember, using.name.span, message));
        }
        let specials = self.known.specials.entry(class).or_default();
        if specials.inherits.contains(&base) {
            let base = self.module.types.record_ty(base);
            let message = format!("constructors of {} are inherited twice", self.show(base));
            return Err(self.error(Code::Redefinition, using.name.span, message));
        }
        specials.inherits.push(base);
        // C++17 11.6.1p1
        specials.is_constructed = true;
        Ok(Brought::Constructors)
    }

    pub(super) fn conflicting_using(&mut self, using: &MemberUsing, previous: Span) -> Reported {
        let message = format!(
            "target of `using` declaration `{}` conflicts with a declaration already in scope",
            self.spelling(using.name.symbol)
        );
        let diagnostic = Diagnostic::new(Code::Redefinition, using.name.span, message)
            .with_label(previous, "previously declared here");
        self.sink.error(diagnostic)
    }
}
