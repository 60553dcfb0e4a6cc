//! What names stand for, and for how long.
//!
//! A scope has two tables, as in C++: ordinary names, and tags, which an ordinary name of the same
//! scope hides (C++17 6.3.10p2).

mod horizon;
mod lookup;
mod table;
mod tag;

use std::{iter, mem};

use hashbrown::HashMap;
use table::{Entry, Table};

use crate::ir::{Func, Global, Local, Namespace, Record, Ty};
use crate::namespace::{Found, Namespaces};
use crate::predeclared::SpecialVar;
use crate::sema::call::overload::OverloadsId;
use crate::sema::constant::const_eval::Value;
use crate::sema::template::Template;
use crate::source::Span;
use crate::token::Symbol;

/// What an ordinary name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) enum Entity {
    Func(Func),
    /// Several functions, built-in ones among them.
    Overloads(OverloadsId),
    Global(Global),
    Local(Local),
    /// A data member of the class whose scope is open.
    Field(Record),
    /// A member of a variable of the block that has no name: an anonymous union (C++17 12.3.1).
    Member(Local),
    /// An element of the variable of a structured binding, by its index; the last index until that is known.
    Element(Local, u32),
    Typedef(Ty),
    /// An enumerator: its type, and its index there.
    Enumerator(Ty, u32),
    /// A constant without an object: an index into the context's list.
    Const(u32),
    Special(SpecialVar),
    /// An `int` constant of the compiler's.
    Constant(u8),
    /// A value that depends on the parameters of the template whose signature is read: an index into the context's list.
    TemplateParam(u32),
    /// A template of types or of variables.
    Template(Template),
    /// A pack of an instance: an index into the context's list.
    Pack(u32),
    /// A variable of the function around the local class whose member function is checked.
    Enclosing,
    /// A variable of a function around the lambda whose body is checked, or what that lambda has for itself: an index into the context's list.
    Captured(u32),
    /// A namespace, or another name of it.
    Namespace(Namespace),
    /// What several namespaces have, whose names are visible by `using` directives: functions, or else the name is ambiguous.
    Several,
    /// What is only declared, and of the host.
    Host(HostEntity),
    /// A name whose declaration was wrong: nothing is said about its uses.
    Poison,
}

/// What a declaration without an execution space or a memory declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) enum HostEntity {
    Function,
    Variable,
    Type,
    Template,
    Namespace,
}

/// A `const` variable that nvcc keeps on the host, and of which device code can use the value.
#[derive(Clone, Debug)]
pub(in crate::sema) struct NamedConst {
    pub(in crate::sema) name: String,
    pub(in crate::sema) ty: Ty,
    pub(in crate::sema) value: Value,
    pub(in crate::sema) is_referenced: bool,
    /// It is no object, like an argument of a template (C++17 17.1p6): references bind to a copy.
    pub(in crate::sema) is_value: bool,
    pub(in crate::sema) span: Span,
}

/// A name's meaning and where it got it; none for what the compiler declares.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct Binding {
    pub(in crate::sema) entity: Entity,
    pub(in crate::sema) span: Option<Span>,
}

/// The scopes that are open, the file's first.
#[derive(Default)]
pub(in crate::sema) struct Scopes {
    names: Table<Binding>,
    tags: Table<(Ty, Option<Span>)>,
    /// How many are open besides the file's.
    depth: u32,
    /// Those of them that are no block's, by depth: a struct's or union's, or of the parameters of a template.
    classes: Vec<(u32, Option<Record>)>,
    /// When names of namespaces were first bound, once the program has a template: those that are not here were before it.
    ordinals: HashMap<(Namespace, Symbol), u32>,
    /// How many were, and none before there is a template.
    n_bound: Option<u32>,
    /// Names that were bound after so many are not seen.
    horizon: Option<u32>,
    /// What namespaces have; what the global one has is in the tables, as the scope of depth 0.
    namespaces: Namespaces<Member>,
}

/// What a namespace has of a name.
#[derive(Clone, Copy, Default)]
struct Member {
    name: Option<Binding>,
    tag: Option<(Ty, Option<Span>)>,
}

impl Member {
    /// The name, or else the tag.
    fn visible(self) -> Option<Binding> {
        let tag = self.tag.map(|(ty, span)| Binding { entity: Entity::Typedef(ty), span });
        self.name.or(tag)
    }
}

/// Scopes that are closed for the time being: what they have, the last first.
pub(in crate::sema) struct Blocks {
    names: Vec<Entry<Binding>>,
    tags: Vec<Entry<(Ty, Option<Span>)>>,
    directives: Vec<(u32, Namespace)>,
    classes: Vec<(u32, Option<Record>)>,
    depth: u32,
}

impl Scopes {
    /// Makes room for symbols with numbers below `n_symbols`.
    pub(in crate::sema) fn make_room(&mut self, n_symbols: usize) {
        self.names.innermost.resize(n_symbols, None);
        self.tags.innermost.resize(n_symbols, None);
    }

    pub(in crate::sema) fn push(&mut self) {
        self.depth += 1;
    }

    pub(in crate::sema) fn pop(&mut self) {
        debug_assert!(self.depth > 0);
        self.depth -= 1;
        self.names.leave_all(self.depth);
        self.tags.leave_all(self.depth);
        self.namespaces.leave_blocks(self.depth);
    }

    /// Enters the scope of a struct or union (C++17 6.3.7).
    pub(in crate::sema) fn push_class(&mut self, record: Record) {
        self.push();
        self.classes.push((self.depth, Some(record)));
    }

    /// Enters the scope of the parameters of a template (C++17 6.3.9).
    pub(in crate::sema) fn push_template(&mut self) {
        self.push();
        self.classes.push((self.depth, None));
    }

    pub(in crate::sema) fn pop_template(&mut self) {
        self.classes.pop();
        self.pop();
    }

    /// Leaves it, and gives the names that were declared in it; a name that hides a tag comes after it.
    pub(in crate::sema) fn pop_class(&mut self) -> Vec<(Symbol, Binding)> {
        let tags = self.tags.of_scope(self.depth).map(|entry| {
            let (ty, span) = entry.meaning;
            (entry.symbol, Binding { entity: Entity::Typedef(ty), span })
        });
        let names = self.names.of_scope(self.depth).map(|entry| (entry.symbol, entry.meaning));
        let nested = tags.chain(names).collect();
        self.classes.pop();
        self.pop();
        nested
    }

    /// The struct or union whose scope is the innermost one.
    pub(in crate::sema) fn class(&self) -> Option<Record> {
        self.classes.last().filter(|&&(depth, _)| depth == self.depth).and_then(|&(_, record)| record)
    }

    /// Whether the scope of the class is open: around a member function of it, too.
    pub(in crate::sema) fn is_within_class(&self, class: Record) -> bool {
        self.classes.iter().any(|&(_, open)| open == Some(class))
    }

    /// The class whose scope is open and of whose bases a name is that no inner scope has.
    pub(in crate::sema) fn inheriting_class(&self, symbol: Symbol) -> Option<Record> {
        let (name, tag) = (self.names.entry(symbol), self.tags.entry(symbol));
        let depth = name.map(|entry| entry.depth).max(tag.map(|entry| entry.depth))?;
        let idx = self.classes.iter().position(|&(open, class)| open == depth && class.is_none())?;
        self.classes.get(idx + 1).filter(|&&(open, _)| open == depth + 1).and_then(|&(_, class)| class)
    }

    /// In which scope the members of a class are, if that is open.
    pub(in crate::sema) fn depth_of_class(&self, class: Record) -> Option<u32> {
        let open = self.classes.iter().rev().find(|&&(_, open)| open == Some(class));
        open.map(|&(depth, _)| depth)
    }

    /// What a class whose members are being read has of a name.
    pub(super) fn member_of_open(&self, class: Record, symbol: Symbol) -> Option<Binding> {
        let &(depth, _) = self.classes.iter().rev().find(|&&(_, open)| open == Some(class))?;
        let tag = || {
            let (ty, span) = self.tags.hidden_at(symbol, depth)?;
            Some(Binding { entity: Entity::Typedef(ty), span })
        };
        self.names.hidden_at(symbol, depth).or_else(tag)
    }

    /// The classes whose scopes are open.
    pub(in crate::sema) fn open_classes(&self) -> impl Iterator<Item = Record> + '_ {
        self.classes.iter().filter_map(|&(_, open)| open)
    }

    /// How many scopes are open around those of structs that are the innermost ones.
    pub(in crate::sema) fn depth_outside_classes(&self) -> u32 {
        let mut depth = self.depth;
        for &(class, _) in self.classes.iter().rev() {
            if class == depth {
                depth -= 1;
            }
        }
        depth
    }

    /// No block is around; structs may be.
    pub(in crate::sema) fn is_file_scope(&self) -> bool {
        self.depth_outside_classes() == 0
    }

    /// The variables of blocks that are visible.
    pub(in crate::sema) fn visible_locals(&self) -> Vec<(Symbol, Binding)> {
        let is_variable = |entity| {
            matches!(
                entity,
                Entity::Local(_)
                    | Entity::Member(_)
                    | Entity::Element(..)
                    | Entity::Pack(_)
                    | Entity::Enclosing
                    | Entity::Captured(_)
            )
        };
        let entries = self.names.entries.iter().filter(|entry| is_variable(entry.meaning.entity));
        let visible = entries.filter(|entry| {
            self.names.entry(entry.symbol).is_some_and(|visible| std::ptr::eq(visible, *entry))
        });
        visible.map(|entry| (entry.symbol, entry.meaning)).collect()
    }

    /// Gives a tag of the compiler's its meaning at file scope.
    fn bind_builtin_tag(&mut self, symbol: Symbol, ty: Ty) {
        self.tags.bind(symbol, (ty, None), self.depth);
    }

    /// What a name or else a tag means that is not of the file or of a namespace.
    pub(in crate::sema) fn block_binding(&self, symbol: Symbol) -> Option<Binding> {
        if let Some(entry) = self.names.entry(symbol).filter(|entry| entry.depth > 0) {
            return Some(entry.meaning);
        }
        let tag = self.tags.entry(symbol).filter(|entry| entry.depth > 0)?;
        let (ty, span) = tag.meaning;
        Some(Binding { entity: Entity::Typedef(ty), span })
    }

    /// Closes all scopes but the file's, for the time being.
    pub(in crate::sema) fn leave_blocks(&mut self) -> Blocks {
        self.leave_to(0)
    }

    /// Closes the scopes that are deeper than that, for the time being.
    pub(in crate::sema) fn leave_to(&mut self, depth: u32) -> Blocks {
        let names = iter::from_fn(|| self.names.leave(depth)).collect();
        let tags = iter::from_fn(|| self.tags.leave(depth)).collect();
        let directives = self.namespaces.take_block_directives();
        let n_classes = self.classes.partition_point(|&(class, _)| class <= depth);
        let classes = self.classes.split_off(n_classes);
        Blocks { names, tags, directives, classes, depth: mem::replace(&mut self.depth, depth) }
    }

    pub(in crate::sema) fn enter_again(&mut self, blocks: Blocks) {
        let Blocks { names, tags, directives, classes, depth } = blocks;
        names.into_iter().rev().for_each(|entry| self.names.bind(entry.symbol, entry.meaning, entry.depth));
        tags.into_iter().rev().for_each(|entry| self.tags.bind(entry.symbol, entry.meaning, entry.depth));
        self.namespaces.put_back_block_directives(directives);
        self.classes.extend(classes);
        self.depth = depth;
    }

    /// The namespace that is the innermost scope, if it is not the global one.
    #[inline(always)]
    fn member_scope(&self) -> Option<Namespace> {
        let namespace = self.namespaces.current();
        (self.depth == 0 && namespace != Namespace::GLOBAL).then_some(namespace)
    }

    /// The ordinary name in the innermost scope alone.
    pub(in crate::sema) fn get_here(&self, symbol: Symbol) -> Option<Binding> {
        match self.member_scope() {
            Some(namespace) => self.namespaces.get(namespace, symbol)?.name,
            None => self.names.get_at(symbol, self.depth),
        }
    }

    /// Gives the name its meaning in the innermost scope.
    pub(in crate::sema) fn bind(&mut self, symbol: Symbol, entity: Entity, span: Span) {
        self.note_bound(symbol);
        let binding = Binding { entity, span: Some(span) };
        match self.member_scope() {
            Some(namespace) => self.namespaces.entry(namespace, symbol).name = Some(binding),
            None => self.names.bind(symbol, binding, self.depth),
        }
    }

    pub(in crate::sema) fn tag_here(&self, symbol: Symbol) -> Option<(Ty, Option<Span>)> {
        match self.member_scope() {
            Some(namespace) => self.namespaces.get(namespace, symbol)?.tag,
            None => self.tags.get_at(symbol, self.depth),
        }
    }

    pub(in crate::sema) fn bind_tag(&mut self, symbol: Symbol, ty: Ty, span: Span) {
        self.note_bound(symbol);
        let meaning = (ty, Some(span));
        match self.member_scope() {
            Some(namespace) => self.namespaces.entry(namespace, symbol).tag = Some(meaning),
            None => self.tags.bind(symbol, meaning, self.depth),
        }
    }

    /// What the namespace itself has of a name.
    fn member(&self, namespace: Namespace, symbol: Symbol) -> Member {
        match self.is_beyond_horizon(namespace, symbol) {
            true => Member::default(),
            false => self.member_anywhere(namespace, symbol),
        }
    }

    /// The same, wherever in the text it is declared.
    fn member_anywhere(&self, namespace: Namespace, symbol: Symbol) -> Member {
        match namespace {
            Namespace::GLOBAL => {
                Member { name: self.names.outermost(symbol), tag: self.tags.outermost(symbol) }
            }
            _ => self.namespaces.get(namespace, symbol).unwrap_or_default(),
        }
    }

    /// Whether the program has no namespace but the global one, or a block has the name.
    #[inline(always)]
    fn is_in_stack(&self, symbol: Symbol) -> bool {
        if self.namespaces.is_trivial() && self.horizon.is_none() {
            return true;
        }
        let is_inner = |depth: Option<u32>| depth.is_some_and(|depth| depth > 0);
        is_inner(self.names.entry(symbol).map(|entry| entry.depth))
            || is_inner(self.tags.entry(symbol).map(|entry| entry.depth))
    }

    /// Whether the program has a namespace besides the global one.
    #[inline(always)]
    pub(in crate::sema) fn has_namespaces(&self) -> bool {
        !self.namespaces.is_trivial()
    }

    /// The ordinary name that a namespace itself has, wherever in the text it is declared: for argument-dependent lookup.
    pub(in crate::sema) fn member_named(&self, namespace: Namespace, symbol: Symbol) -> Option<Binding> {
        self.member_anywhere(namespace, symbol).name
    }

    /// The namespace, those that it is inline in, and the inline ones of all these.
    pub(in crate::sema) fn inline_set_around(&self, namespace: Namespace) -> Vec<Namespace> {
        self.namespaces.inline_set(self.namespaces.outside_inline(namespace))
    }

    /// The namespace in which declarations are checked.
    pub(in crate::sema) fn namespace(&self) -> Namespace {
        self.namespaces.current()
    }

    /// Whether declarations that are of no block are those of the global namespace.
    pub(in crate::sema) fn is_global(&self) -> bool {
        self.namespaces.current() == Namespace::GLOBAL
    }

    /// Goes to another namespace, and gives the one before.
    pub(in crate::sema) fn go_to_namespace(&mut self, namespace: Namespace) -> Namespace {
        self.namespaces.go_to(namespace)
    }

    /// Whether a namespace is `outer`, or one of its inline namespaces.
    pub(in crate::sema) fn is_of_inline_set(&self, outer: Namespace, namespace: Namespace) -> bool {
        self.namespaces.inline_set(outer).contains(&namespace)
    }

    /// Whether a namespace is `outer`, or within it.
    pub(in crate::sema) fn is_around(&self, outer: Namespace, namespace: Namespace) -> bool {
        self.namespaces.around(namespace).any(|at| at == outer)
    }

    /// The unnamed namespace in the current one.
    pub(super) fn unnamed_namespace(&self) -> Option<Namespace> {
        self.namespaces.unnamed()
    }

    /// A new namespace in the current one.
    pub(super) fn add_namespace(&mut self, is_named: bool, is_inline: bool) -> Namespace {
        self.namespaces.add(is_named, is_inline)
    }

    /// Makes the names of a namespace visible in the innermost scope.
    pub(super) fn use_namespace(&mut self, namespace: Namespace) {
        match self.depth {
            0 => self.namespaces.add_directive(namespace),
            depth => self.namespaces.add_block_directive(depth, namespace),
        }
    }

    /// Goes to the namespace around the current one.
    pub(super) fn leave_namespace(&mut self) {
        self.namespaces.leave();
    }

    /// Closes the scopes of the structs that are open, for the time being.
    pub(in crate::sema) fn leave_classes(&mut self) -> Blocks {
        self.leave_to(self.depth_outside_classes())
    }

    /// The same around the structs that are open: there belongs what is only mentioned in them (C++17 6.3.2p7).
    pub(in crate::sema) fn bind_tag_outside_classes(&mut self, symbol: Symbol, ty: Ty, span: Span) {
        let inner = self.leave_to(self.depth_outside_classes());
        self.bind_tag(symbol, ty, span);
        self.enter_again(inner);
    }

    /// The ordinary name, or a tag that no ordinary name of its scope hides.
    fn lookup(&self, symbol: Symbol) -> Option<Binding> {
        self.visible_tag(symbol).or_else(|| self.names.entry(symbol).map(|name| name.meaning))
    }

    /// Whether the name is a tag's and not a typedef's.
    pub(in crate::sema) fn names_tag(&self, symbol: Symbol) -> bool {
        if self.is_in_stack(symbol) {
            return self.visible_tag(symbol).is_some();
        }
        let direct = |namespace| {
            let member = self.member(namespace, symbol);
            member.visible().map(|_| member.name.is_none())
        };
        self.namespaces.unqualified(direct).1.first() == Some(&true)
    }

    /// What blocks give the name as a meaning, the innermost first.
    pub(super) fn hidden(&self, symbol: Symbol) -> impl Iterator<Item = Binding> {
        let entry = self.names.entry(symbol);
        let next = |entry: &&Entry<Binding>| Some(&self.names.entries[entry.hidden? as usize]);
        iter::successors(entry, next).take_while(|entry| entry.depth > 0).map(|entry| entry.meaning)
    }

    /// Gives a name of a namespace its meaning.
    pub(super) fn bind_member(&mut self, namespace: Namespace, symbol: Symbol, binding: Binding) {
        self.namespaces.entry(namespace, symbol).name = Some(binding);
    }

    /// The names of a namespace other than the global one, in no order.
    pub(in crate::sema) fn members(&self, namespace: Namespace) -> impl Iterator<Item = (Symbol, Binding)> {
        let names = self.namespaces.names_in(namespace);
        names.filter_map(|(symbol, member)| Some((symbol, member.visible()?)))
    }

    /// What namespaces have of a name that no block has, and the one of which that are members.
    pub(super) fn members_named(&self, symbol: Symbol) -> (Namespace, Found<(Namespace, Binding)>) {
        self.namespaces.unqualified(|namespace| Some((namespace, self.member(namespace, symbol).visible()?)))
    }

    /// What `namespace::symbol` may mean.
    pub(super) fn members_of(&self, namespace: Namespace, symbol: Symbol) -> Found<(Namespace, Binding)> {
        let direct = |namespace| Some((namespace, self.member(namespace, symbol).visible()?));
        self.namespaces.qualified(namespace, direct)
    }

    /// The tag, if no ordinary name of its scope hides it.
    fn visible_tag(&self, symbol: Symbol) -> Option<Binding> {
        let name = self.names.entry(symbol);
        let tag = self.tags.entry(symbol)?;
        let (ty, span) = tag.meaning;
        name.is_none_or(|name| name.depth < tag.depth)
            .then_some(Binding { entity: Entity::Typedef(ty), span })
    }
}
