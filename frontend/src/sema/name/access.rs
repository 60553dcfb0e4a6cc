//! Who may name the members of classes, and who knows that a class is derived from another (C++17 14).
//!
//! Data members, types and constants are checked where they are named, functions once overload resolution has chosen. Where a function is
//! named, what is checked is the way from the class that it is named with to its own.

use crate::ast::{Access, Name};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Func, MethodKind, Record, Ty};
use crate::sema::Names;
use crate::sema::name::scope::{Binding, Entity};
use crate::source::Span;
use crate::token::Symbol;

/// A member, as the class has it that declares it or brings it from a base.
#[derive(Clone, Copy)]
struct OwnMember {
    class: Record,
    symbol: Option<Symbol>,
    access: Access,
    span: Span,
}

/// How a member is named.
#[derive(Clone, Copy)]
struct Naming {
    /// The class whose member it is named as (C++17 14.2p5).
    class: Record,
    /// The class of the object whose part it is, if it is of one.
    object: Option<Record>,
}

impl Names<'_> {
    /// Notes who may name a member of the class that is read, if that is not everyone.
    pub(in crate::sema) fn restrict(&mut self, access: Access, name: Name) {
        if access != Access::Public
            && let Some(class) = self.scopes.class()
        {
            self.known.names.access.insert((class, name.symbol), (access, name.span));
        }
    }

    /// Nothing in the program is hidden from anyone.
    fn is_all_public(&self) -> bool {
        let names = &self.known.names;
        names.access.is_empty() && names.hidden_bases.is_empty()
    }

    /// Reports a type, a constant or the name of a function that is named as a member of a class that may not be.
    pub(in crate::sema) fn require_access(&mut self, class: Record, name: Name) -> Result<(), Reported> {
        self.require_named(Naming { class, object: None }, name)
    }

    /// The same of a data member of an object.
    pub(in crate::sema) fn require_data_access(
        &mut self,
        class: Record,
        object: Record,
        name: Name,
    ) -> Result<(), Reported> {
        self.require_named(Naming { class, object: Some(object) }, name)
    }

    /// The same of a name that a base of a class has whose scope is open.
    #[inline]
    pub(in crate::sema) fn require_inherited(
        &mut self,
        binding: Binding,
        name: Name,
    ) -> Result<(), Reported> {
        if self.is_all_public() || matches!(binding.entity, Entity::Field(_)) {
            return Ok(());
        }
        match self.scopes.inheriting_class(name.symbol) {
            Some(class) => self.require_access(class, name),
            None => Ok(()),
        }
    }

    fn require_named(&mut self, naming: Naming, name: Name) -> Result<(), Reported> {
        if self.is_all_public() {
            return Ok(());
        }
        match self.own_member_named(naming.class, name.symbol) {
            Some(member) => self.require_member(member, naming, name.span),
            None => Ok(()),
        }
    }

    /// The class that declares what the name means as a member of a class, and who may name it there.
    fn own_member_named(&self, class: Record, symbol: Symbol) -> Option<OwnMember> {
        let member = |access, span| OwnMember { class, symbol: Some(symbol), access, span };
        let names = &self.known.names;
        if let Some(&(access, span)) = names.access.get(&(class, symbol)) {
            return Some(member(access, span));
        }
        if let Some(brought) = names.brought.get(&(class, symbol)) {
            return Some(member(brought.access, brought.span));
        }
        if self.known.class_names.contains_key(&(class, symbol))
            || self.expressions_ref().own_member(class, symbol).is_some()
            || self.scopes.member_of_open(class, symbol).is_some()
        {
            return Some(member(Access::Public, Span::default()));
        }
        let mut bases = self.types_ref().bases_of(class).into_iter();
        bases.find_map(|(_, base)| {
            let is_injected = self.module.types.class_name(base) == Some(self.spelling(symbol));
            let injected = OwnMember {
                class: base,
                symbol: Some(symbol),
                access: Access::Public,
                span: Span::default(),
            };
            self.own_member_named(base, symbol).or(is_injected.then_some(injected))
        })
    }

    /// Reports a member function that overload resolution has chosen: as a member of a class, if that is known, and for an object of another,
    /// of which it may be a part.
    pub(in crate::sema) fn require_method_access(
        &mut self,
        func: Func,
        class: Option<Record>,
        object: Option<Record>,
        span: Span,
    ) -> Result<(), Reported> {
        let Some(access) = self.known.func_facts.get(&func).map(|facts| facts.access) else { return Ok(()) };
        if access == Access::Public && self.is_all_public() {
            return Ok(());
        }
        let function = &self.module.functions[func];
        let Some(method) = function.method else { return Ok(()) };
        let symbol = self.interner.lookup(&function.name);
        let own = OwnMember { class: method.class, symbol, access, span: function.span };
        if matches!(method.kind, MethodKind::Constructor | MethodKind::Destructor) {
            return self.require_special(own, method.kind, object, span);
        }
        let naming = Naming { class: class.unwrap_or(method.class), object };
        let brought = symbol.filter(|_| !self.known.names.brought.is_empty());
        match (class, brought) {
            (Some(class), Some(symbol)) => {
                let own = self.brought_method(class, own, symbol).unwrap_or(own);
                self.require_member(own, naming, span)
            }
            // Of a call without an object it is not known which class names the function: that was checked where it is named.
            (None, Some(symbol)) if self.is_brought_somewhere(method.class, symbol) => Ok(()),
            _ => self.require_member(own, naming, span),
        }
    }

    /// A member function as a `using` declaration brings it to the class of an object, or to one of its bases.
    fn brought_method(&self, class: Record, own: OwnMember, symbol: Symbol) -> Option<OwnMember> {
        if class == own.class {
            return None;
        }
        if let Some(brought) = self.known.names.brought.get(&(class, symbol)) {
            return Some(OwnMember { class, access: brought.access, span: brought.span, ..own });
        }
        let base = self.base_leading_to(class, own.class)?;
        self.brought_method(base, own, symbol)
    }

    fn is_brought_somewhere(&self, from: Record, symbol: Symbol) -> bool {
        self.known.names.brought.iter().any(|(&(class, name), brought)| {
            let member =
                OwnMember { class, symbol: Some(symbol), access: brought.access, span: brought.span };
            name == symbol
                && self.types_ref().path_to_base(class, from).is_some()
                && self.may_name(member, Naming { class, object: None })
        })
    }

    /// A constructor or destructor: of an object that is no part of one of a derived class, only the class itself may call a protected one
    /// (C++17 14.4p1).
    fn require_special(
        &mut self,
        own: OwnMember,
        kind: MethodKind,
        object: Option<Record>,
        span: Span,
    ) -> Result<(), Reported> {
        let is_part = self.known.names.made_base == Some(own.class);
        let object = object.filter(|_| !is_part);
        if self.may_name(own, Naming { class: own.class, object }) {
            return Ok(());
        }
        let what = if kind == MethodKind::Constructor { "constructor" } else { "destructor" };
        let ty = self.module.types.record_ty(own.class);
        let message = format!("calling a {} {what} of {}", own.access.name(), self.show(ty));
        let diagnostic = Diagnostic::new(Code::InaccessibleMember, span, message)
            .with_label(own.span, format!("declared {} here", own.access.name()));
        Err(self.sink.error(diagnostic))
    }

    /// Does something for the part of an object that a base class has: its protected constructors and destructor may be called.
    pub(in crate::sema) fn for_part_of_base<R>(
        &mut self,
        base: Option<Record>,
        act: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outer = std::mem::replace(&mut self.known.names.made_base, base);
        let result = act(self);
        self.known.names.made_base = outer;
        result
    }

    fn require_member(&mut self, member: OwnMember, naming: Naming, span: Span) -> Result<(), Reported> {
        if self.may_name(member, naming) {
            return Ok(());
        }
        let spelling = member.symbol.map_or_else(String::new, |symbol| self.spelling(symbol).to_owned());
        let named = Naming { class: member.class, object: None };
        let ty = self.module.types.record_ty(member.class);
        if self.may_name(member, named) {
            if let Some((class, base)) = self.hidden_step(naming.class, member.class) {
                let access = self.base_access(class, base);
                let message = match self.module.types.class_name(member.class) == Some(&*spelling) {
                    true => format!("`{spelling}` is the name of a {} base class", access.name()),
                    false => format!("`{spelling}` is a {} member of {}", access.name(), self.show(ty)),
                };
                let at = self.known.names.hidden_bases[&(class, base)].1;
                let label = format!("constrained by {} inheritance here", access.name());
                let diagnostic = Diagnostic::new(Code::InaccessibleMember, span, message);
                return Err(self.sink.error(diagnostic.with_label(at, label)));
            }
            // C++17 14.4p1
            let object = self.module.types.record_ty(naming.object.unwrap_or(naming.class));
            let message = format!(
                "`{spelling}` is a protected member of {}, which a derived class cannot name for an object of type {}",
                self.show(ty),
                self.show(object)
            );
            let diagnostic = Diagnostic::new(Code::InaccessibleMember, span, message)
                .with_label(member.span, "declared protected here");
            return Err(self.sink.error(diagnostic));
        }
        let message = format!("`{spelling}` is a {} member of {}", member.access.name(), self.show(ty));
        let diagnostic = Diagnostic::new(Code::InaccessibleMember, span, message)
            .with_label(member.span, format!("declared {} here", member.access.name()));
        Err(self.sink.error(diagnostic))
    }

    // C++17 14.2p5, 14.4p1
    fn may_name(&self, member: OwnMember, naming: Naming) -> bool {
        let is_granted = match self.access_in(member, naming.class) {
            Some(Access::Public) => true,
            Some(_) if self.is_of_class(naming.class) => true,
            Some(Access::Protected) => self.is_of_heir(naming.class, |heir| {
                let is_heirs = |object| object == heir || self.is_derived(object, heir);
                self.access_in(member, heir).is_some() && naming.object.is_none_or(is_heirs)
            }),
            Some(Access::Private) | None => false,
        };
        is_granted
            || self.base_leading_to(naming.class, member.class).is_some_and(|base| {
                self.may_derive(naming.class, base) && self.may_name(member, Naming { class: base, ..naming })
            })
    }

    /// What a member is to those who name it as one of a class; none if the class cannot name it itself (C++17 14.2p1).
    fn access_in(&self, member: OwnMember, class: Record) -> Option<Access> {
        if member.class == class {
            return Some(member.access);
        }
        if let Some(symbol) = member.symbol
            && let Some(brought) = self.known.names.brought.get(&(class, symbol))
        {
            return Some(brought.access);
        }
        let base = self.base_leading_to(class, member.class)?;
        match (self.access_in(member, base)?, self.base_access(class, base)) {
            (Access::Private, _) => None,
            (_, Access::Private) => Some(Access::Private),
            (Access::Protected, _) | (_, Access::Protected) => Some(Access::Protected),
            (Access::Public, Access::Public) => Some(Access::Public),
        }
    }

    /// The direct base of a class by which it is derived from another.
    fn base_leading_to(&self, class: Record, to: Record) -> Option<Record> {
        let path = self.types_ref().path_to_base(class, to)?;
        let bases = self.types_ref().bases_of(class);
        bases.iter().find(|&&(idx, _)| idx == path[0]).map(|&(_, base)| base)
    }

    fn is_derived(&self, class: Record, base: Record) -> bool {
        self.types_ref().path_to_base(class, base).is_some()
    }

    fn base_access(&self, class: Record, base: Record) -> Access {
        let hidden = self.known.names.hidden_bases.get(&(class, base));
        hidden.map_or(Access::Public, |&(access, _)| access)
    }

    /// Whether it is known here that the class is derived from its direct base (C++17 14.2p4).
    fn may_derive(&self, class: Record, base: Record) -> bool {
        match self.base_access(class, base) {
            Access::Public => true,
            _ if self.is_of_class(class) => true,
            Access::Protected => self.is_of_heir(class, |_| true),
            Access::Private => false,
        }
    }

    /// The first step on the way from a class to one of its bases that is not known here.
    fn hidden_step(&self, class: Record, base: Record) -> Option<(Record, Record)> {
        let next = self.base_leading_to(class, base)?;
        if self.may_derive(class, next) { self.hidden_step(next, base) } else { Some((class, next)) }
    }

    /// Reports a conversion between a class and its base where that may not be known (C++17 7.11p3).
    pub(in crate::sema) fn require_base_access(
        &mut self,
        derived: Ty,
        base: Ty,
        span: Span,
    ) -> Result<(), Reported> {
        if self.known.names.hidden_bases.is_empty() {
            return Ok(());
        }
        let types = &self.module.types;
        let (Some(class), Some(to)) = (types.record(derived), types.record(base)) else { return Ok(()) };
        let Some(step) = self.hidden_step(class, to) else { return Ok(()) };
        let (access, declared) = self.known.names.hidden_bases[&step];
        let [derived, base] = [class, to].map(|class| self.module.types.record_ty(class));
        let (derived, base) = (self.show(derived), self.show(base));
        let message = format!("cannot convert between {derived} and its {} base class {base}", access.name());
        let diagnostic = Diagnostic::new(Code::InaccessibleMember, span, message)
            .with_label(declared, format!("declared {} here", access.name()));
        Err(self.sink.error(diagnostic))
    }

    /// Whether what is checked is of a class that is derived from this one, or of a friend of such a class.
    fn is_of_heir(&self, class: Record, is_good: impl Fn(Record) -> bool) -> bool {
        let is_heir = |heir: Record| self.is_derived(heir, class) && is_good(heir);
        self.scopes.open_classes().any(is_heir)
            || self.known.names.friends.keys().any(|&heir| self.is_friend(heir) && is_heir(heir))
    }

    /// Whether what is checked is of the class, or of a friend.
    fn is_of_class(&self, class: Record) -> bool {
        self.scopes.is_within_class(class) || self.is_friend(class)
    }

    fn is_friend(&self, class: Record) -> bool {
        let Some(friends) = self.known.names.friends.get(&class) else { return false };
        let func = self.func.as_ref().map(|func| func.func);
        let is_friend = |func: Func| friends.functions.contains(&func);
        // A class in a function has the access of the function (C++17 12.4p1).
        let mut owners = std::iter::successors(func, |&func| {
            let class = self.module.functions.get(func)?.method?.class;
            let outermost = self.classes_around(class).first().copied()?;
            Some(self.module.types.records[outermost].owner?.func)
        });
        let is_friend_instance = |open: Record| {
            let instance = self.module.types.class_instance(open);
            instance.is_some_and(|instance| {
                let data = &self.module.types.class_templates[instance.template];
                data.outer.is_none() && friends.templates.contains(&(data.namespace, data.name.clone()))
            })
        };
        friends.classes.iter().any(|&friend| self.scopes.is_within_class(friend))
            || !friends.templates.is_empty() && self.scopes.open_classes().any(is_friend_instance)
            || owners.any(is_friend)
    }
}
