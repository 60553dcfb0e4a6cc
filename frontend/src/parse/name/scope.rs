//! Which names are types.
//!
//! C's grammar needs no more of a name than that (C17 6.7.8, "the lexer hack"). As in C++, the tag
//! of a struct, union or enum is a type name too, until something else of that name hides it.

use std::mem;

use cranelift_entity::PrimaryMap;
use hashbrown::{HashMap, HashSet};
use smallvec::SmallVec;

use crate::ast::ClassId;
use crate::limits::{MAX_HEIGHT, MAX_NESTING};
use crate::namespace::{Namespace, Namespaces};
use crate::predeclared::Predeclared;
use crate::token::Symbol;

/// What a name means where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parse) enum Meaning {
    /// Nothing that the program declares.
    Unknown,
    /// A type: a typedef name or a tag.
    Type,
    /// A variable, a function, an enumerator.
    Ordinary,
    /// A template of functions, beside which there may be functions, or of variables.
    Template,
    /// A template of types. In its own text the name alone is a type, too, and means [`Meaning::Type`].
    TypeTemplate,
    /// A namespace, or another name of it.
    Namespace(Namespace),
}

/// How many elements a pack has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PackLen {
    Known(u32),
    /// The signature of a template is read, for no arguments.
    Open,
}

impl PackLen {
    pub(in crate::parse) fn of(len: Option<u32>) -> PackLen {
        len.map_or(PackLen::Open, PackLen::Known)
    }
}

/// A [`Meaning`] without the namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unknown,
    Type,
    /// A pack of types.
    TypePack,
    Ordinary,
    /// A pack of values, or of parameters of a function.
    Pack,
    Template,
    TypeTemplate,
    /// A template of types in its own text, where the name alone is an instance (C++17 17.6.1).
    Injected,
    Namespace,
}

/// What a name means, in eight bytes, since each name of a program has one.
#[derive(Clone, Copy, Debug)]
struct Binding {
    kind: Kind,
    /// It is the tag of a struct, union or enum, too, which a variable may hide.
    is_tag: bool,
    /// How many blocks are around the declaration. [`MAX_HEIGHT`] bounds it.
    depth: u16,
    /// Which one, if it is a namespace; of a pack its length, or [`OPEN`].
    detail: u32,
}

/// In the place of a length that is not known.
const OPEN: u32 = u32::MAX;

const _: () = assert!(size_of::<Binding>() == 8 && MAX_HEIGHT < u16::MAX / 4);

const UNBOUND: Binding = Binding { kind: Kind::Unknown, is_tag: false, depth: 0, detail: 0 };

impl Binding {
    #[inline(always)]
    fn new(meaning: Meaning, depth: u16, is_tag: bool) -> Self {
        let (kind, detail) = match meaning {
            Meaning::Unknown => (Kind::Unknown, 0),
            Meaning::Type => (Kind::Type, 0),
            Meaning::Ordinary => (Kind::Ordinary, 0),
            Meaning::Template => (Kind::Template, 0),
            Meaning::TypeTemplate => (Kind::TypeTemplate, 0),
            Meaning::Namespace(namespace) => (Kind::Namespace, namespace.as_u32()),
        };
        Binding { kind, is_tag, depth, detail }
    }

    #[inline(always)]
    fn meaning(self) -> Meaning {
        match self.kind {
            Kind::Unknown => Meaning::Unknown,
            Kind::Type | Kind::TypePack | Kind::Injected => Meaning::Type,
            Kind::TypeTemplate => Meaning::TypeTemplate,
            Kind::Ordinary | Kind::Pack => Meaning::Ordinary,
            Kind::Template => Meaning::Template,
            Kind::Namespace => Meaning::Namespace(Namespace::from_u32(self.detail)),
        }
    }
}

impl Default for Binding {
    fn default() -> Self {
        UNBOUND
    }
}

/// What has a struct: a namespace, with the blocks in it, or another struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ClassHome {
    Namespace(Namespace),
    Class(ClassId),
}

/// The scopes that are open, the innermost last.
#[derive(Clone, Default)]
pub(in crate::parse) struct Scopes {
    /// By symbol: what it means now.
    current: Vec<Binding>,
    /// What was hidden, to be put back.
    hidden: Vec<(Symbol, Binding)>,
    /// For each open scope but the file's: where its part of `hidden` begins.
    marks: Vec<usize>,
    /// How many of the innermost scopes are parameter lists.
    n_prototypes: usize,
    /// The structs and unions around what is being read.
    classes: Vec<Symbol>,
    /// Those that have been read, by the namespace or the struct that has them, and their tag.
    class_ids: HashMap<(ClassHome, Symbol), ClassId>,
    /// The member functions that are the device's.
    device_methods: HashSet<(ClassId, Symbol)>,
    /// What they declare.
    members: PrimaryMap<ClassId, Vec<(Symbol, Meaning)>>,
    /// A class has a function as a friend, which `::` before its name does not find.
    has_friends: bool,
    /// All that each is derived from, the farthest first.
    bases: PrimaryMap<ClassId, Vec<ClassId>>,
    /// Types that are declared in structs: those with their own tags.
    nested: HashSet<(Symbol, Symbol)>,
    /// The templates that are members of some class.
    member_templates: HashMap<Symbol, Meaning>,
    /// Structs, and names of types, with those whose types they have, too: bases, and what a name is another name of.
    heirs: HashMap<Symbol, Vec<Symbol>>,
    /// What names of namespaces mean; those of the global one are in `current`.
    namespaces: Namespaces<Binding>,
}

/// What a name means of which several namespaces have something: a template, if one of them has that.
fn one_of(found: &[Binding]) -> Binding {
    let template = found.iter().find(|binding| matches!(binding.kind, Kind::Template | Kind::TypeTemplate));
    template.or(found.first()).copied().unwrap_or(UNBOUND)
}

impl Scopes {
    /// Makes room for symbols with numbers below `n_symbols`; some of the new ones are types that CUDA declares by
    /// itself.
    pub(in crate::parse) fn learn(&mut self, named: &[(Symbol, Predeclared)], n_symbols: usize) {
        self.current.resize(n_symbols, UNBOUND);
        for (symbol, predeclared) in named {
            if predeclared.is_type() {
                self.current[symbol.index()].kind = Kind::Type;
            }
        }
    }

    /// How many blocks are open.
    #[inline(always)]
    fn depth(&self) -> u16 {
        self.marks.len() as u16
    }

    pub(in crate::parse) fn enter(&mut self) {
        self.marks.push(self.hidden.len());
    }

    pub(in crate::parse) fn leave(&mut self) {
        let mark = self.marks.pop().expect("invariant: each scope left was entered");
        while self.hidden.len() > mark
            && let Some((symbol, binding)) = self.hidden.pop()
        {
            self.current[symbol.index()] = binding;
        }
        self.namespaces.leave_blocks(u32::from(self.depth()));
    }

    /// Enters the scope of a parameter list (C17 6.2.1p4).
    pub(in crate::parse) fn enter_prototype(&mut self) {
        self.enter();
        self.n_prototypes += 1;
    }

    pub(in crate::parse) fn leave_prototype(&mut self) {
        self.leave();
        self.n_prototypes -= 1;
    }

    /// Enters the members of the struct or union with that tag, which `outer` has.
    pub(in crate::parse) fn enter_class(
        &mut self,
        tag: Symbol,
        outer: Option<ClassId>,
        bases: SmallVec<[ClassId; 2]>,
    ) -> ClassId {
        self.classes.push(tag);
        let mut all: Vec<ClassId> = Vec::new();
        for base in bases {
            let around = self.bases[base].iter().copied().chain([base]);
            let new: Vec<ClassId> = around.filter(|class| !all.contains(class)).collect();
            all.extend(new);
        }
        // `sema` refuses more.
        all.truncate(MAX_NESTING as usize);
        // A scope around the class has what its bases have.
        self.enter();
        all.iter().for_each(|&base| self.declare_members(base));
        self.enter();
        let home = outer.map_or(ClassHome::Namespace(self.namespaces.current()), ClassHome::Class);
        let class = self.members.push(Vec::new());
        self.bases.push(all);
        self.class_ids.insert((home, tag), class);
        class
    }

    /// Leaves it. As in C, the tags and enumerators that it declares are known after it, too: `sema` says that they are its own.
    pub(in crate::parse) fn leave_class(&mut self, class: ClassId) {
        let tag = self.classes.pop();
        let mark = self.marks.last().copied().unwrap_or_default();
        let mut symbols: Vec<Symbol> = self.hidden[mark..].iter().map(|&(symbol, _)| symbol).collect();
        symbols.dedup();
        let declared: Vec<(Symbol, Binding)> =
            symbols.into_iter().map(|symbol| (symbol, self.current[symbol.index()])).collect();
        self.leave();
        self.leave();
        // Classes derived from it have its name, too (C++17 12p2).
        if let Some(tag) = tag.filter(|&tag| !declared.iter().any(|&(symbol, _)| symbol == tag)) {
            self.members[class].push((tag, Meaning::Type));
        }
        for (symbol, binding) in declared {
            let meaning = match binding.kind {
                Kind::Injected => Meaning::TypeTemplate,
                _ => binding.meaning(),
            };
            self.members[class].push((symbol, meaning));
            match binding.kind {
                Kind::Type if binding.is_tag => self.declare_tag(symbol, true),
                Kind::Ordinary => self.declare(symbol, Meaning::Ordinary),
                _ => {}
            }
        }
    }

    /// Declares a type of the struct that is read, by a name that is no tag.
    pub(in crate::parse) fn declare_member_type(&mut self, symbol: Symbol) {
        self.declare(symbol, Meaning::Type);
        if let Some(&outer) = self.classes.last() {
            self.nested.insert((outer, symbol));
        }
    }

    /// Notes a template that is a member of a class of the tag.
    pub(in crate::parse) fn add_member_template(&mut self, class: Symbol, symbol: Symbol, meaning: Meaning) {
        self.member_templates.insert(symbol, meaning);
        if meaning == Meaning::TypeTemplate {
            self.nested.insert((class, symbol));
        }
    }

    /// Which template a name is that some class has as a member.
    pub(in crate::parse) fn member_template(&self, symbol: Symbol) -> Option<Meaning> {
        self.member_templates.get(&symbol).copied()
    }

    /// Notes a member function of the device.
    pub(in crate::parse) fn add_device_method(&mut self, class: ClassId, symbol: Symbol) {
        self.device_methods.insert((class, symbol));
    }

    /// Notes that a class has a friend.
    pub(in crate::parse) fn note_friend(&mut self) {
        self.has_friends = true;
    }

    /// Whether a class has one.
    pub(super) fn has_friends(&self) -> bool {
        self.has_friends
    }

    /// Whether a struct has declared a member function of the name for the device.
    pub(in crate::parse) fn has_device_method(&self, class: ClassId, symbol: Symbol) -> bool {
        self.device_methods.contains(&(class, symbol))
    }

    /// Notes what a struct declares.
    pub(in crate::parse) fn add_member(&mut self, class: ClassId, symbol: Symbol, meaning: Meaning) {
        self.members[class].push((symbol, meaning));
    }

    /// The struct of the tag that another struct or the namespace has, and the namespace; without one, the innermost namespace that has
    /// such a struct.
    pub(super) fn class_named(
        &self,
        namespace: Option<Namespace>,
        outer: Option<ClassId>,
        tag: Symbol,
    ) -> Option<(Namespace, ClassId)> {
        let known = |home| self.class_ids.get(&(home, tag)).copied();
        if let Some(outer) = outer {
            return Some((namespace?, known(ClassHome::Class(outer))?));
        }
        let direct = |namespace| Some((namespace, known(ClassHome::Namespace(namespace))?));
        let found = match namespace {
            Some(namespace) => self.namespaces.qualified(namespace, direct),
            None => self.namespaces.unqualified(direct).1,
        };
        found.first().copied()
    }

    /// Enters a scope with all that a struct declares; [`Scopes::leave`] leaves it.
    pub(in crate::parse) fn enter_members(&mut self, class: ClassId) {
        self.enter();
        for base in self.bases[class].clone() {
            self.declare_members(base);
        }
        self.declare_members(class);
    }

    /// Declares here what a struct itself declares.
    fn declare_members(&mut self, class: ClassId) {
        let members = std::mem::take(&mut self.members[class]);
        for &(symbol, meaning) in &members {
            match meaning {
                Meaning::TypeTemplate => self.declare_injected(symbol),
                _ => self.declare(symbol, meaning),
            }
        }
        self.members[class] = members;
    }

    /// Declares the name of a template of types in its own text.
    pub(in crate::parse) fn declare_injected(&mut self, symbol: Symbol) {
        self.declare(symbol, Meaning::Type);
        let depth = self.depth();
        self.slot(symbol, depth).kind = Kind::Injected;
    }

    /// Whether the name is that of a template of types, in its own text, too.
    pub(in crate::parse) fn is_type_template(&self, symbol: Symbol) -> bool {
        matches!(self.binding(symbol).kind, Kind::TypeTemplate | Kind::Injected)
    }

    /// Whether the name is that of a template of types in its own text.
    pub(in crate::parse) fn is_injected(&self, symbol: Symbol) -> bool {
        self.binding(symbol).kind == Kind::Injected
    }

    /// Whether a struct of the tag `outer` has a type of the tag `inner`.
    pub(super) fn is_nested_type(&self, outer: Symbol, inner: Symbol) -> bool {
        self.nested.contains(&(outer, inner)) || !self.heirs.is_empty() && self.inherits_type(outer, inner)
    }

    fn inherits_type(&self, outer: Symbol, inner: Symbol) -> bool {
        let mut seen = vec![outer];
        let mut next = 0;
        while next < seen.len() {
            for &other in self.heirs.get(&seen[next]).map_or(&[][..], Vec::as_slice) {
                if self.nested.contains(&(other, inner)) {
                    return true;
                }
                if !seen.contains(&other) {
                    seen.push(other);
                }
            }
            next += 1;
        }
        false
    }

    /// Notes that a struct of the tag `outer` has a type of the tag `inner`.
    pub(in crate::parse) fn add_nested_type(&mut self, outer: Symbol, inner: Symbol) {
        self.nested.insert((outer, inner));
    }

    /// Notes that the types of the struct `other` are those of `heir`, too.
    pub(in crate::parse) fn add_heir(&mut self, heir: Symbol, other: Symbol) {
        let of = self.heirs.entry(heir).or_default();
        if heir != other && !of.contains(&other) {
            of.push(other);
        }
    }

    /// Whether a block gives the name a meaning of its own.
    pub(super) fn is_hidden(&self, symbol: Symbol) -> bool {
        self.current[symbol.index()].depth > 0
    }

    #[inline(always)]
    pub(in crate::parse) fn meaning(&self, symbol: Symbol) -> Meaning {
        self.binding(symbol).meaning()
    }

    #[inline(always)]
    fn binding(&self, symbol: Symbol) -> Binding {
        let binding = self.current[symbol.index()];
        if binding.depth > 0 || self.namespaces.is_trivial() {
            return binding;
        }
        self.binding_in_namespaces(symbol)
    }

    #[inline(never)]
    fn binding_in_namespaces(&self, symbol: Symbol) -> Binding {
        let (_, found) = self.namespaces.unqualified(|namespace| self.direct(namespace, symbol));
        one_of(&found)
    }

    /// What a namespace itself has of the name.
    fn direct(&self, namespace: Namespace, symbol: Symbol) -> Option<Binding> {
        match namespace {
            Namespace::GLOBAL => self.global(symbol),
            _ => self.namespaces.get(namespace, symbol),
        }
    }

    /// What a name before `::` means, which is a type or a namespace: others do not hide it (C++17 6.4.3p1).
    pub(super) fn scope_named(&self, symbol: Symbol) -> Meaning {
        let binding = self.binding(symbol);
        let is_scope = |binding: &Binding| {
            matches!(
                binding.kind,
                Kind::Type | Kind::TypePack | Kind::TypeTemplate | Kind::Injected | Kind::Namespace
            )
        };
        match binding.meaning() {
            Meaning::Ordinary | Meaning::Template if binding.is_tag => Meaning::Type,
            Meaning::Ordinary | Meaning::Template => {
                let mut of_it = self.hidden.iter().rev().filter(|(hidden, _)| *hidden == symbol);
                let in_block = of_it.find(|(_, binding)| is_scope(binding)).map(|(_, binding)| *binding);
                let direct = |namespace| self.direct(namespace, symbol).filter(is_scope);
                let found = in_block.or_else(|| self.namespaces.unqualified(direct).1.first().copied());
                found.map_or(Meaning::Ordinary, |binding| binding.meaning())
            }
            meaning => meaning,
        }
    }

    /// What the name means at file scope, whatever blocks say.
    fn global(&self, symbol: Symbol) -> Option<Binding> {
        let hidden = || {
            let of_it = |&&(hidden, _): &&(Symbol, Binding)| hidden == symbol;
            self.hidden.iter().find(of_it).map(|&(_, binding)| binding)
        };
        let binding = match self.current[symbol.index()] {
            binding if binding.depth == 0 => binding,
            _ => hidden().filter(|binding| binding.depth == 0)?,
        };
        (binding.kind != Kind::Unknown).then_some(binding)
    }

    /// What `namespace::symbol` means.
    pub(in crate::parse) fn member(&self, namespace: Namespace, symbol: Symbol) -> Meaning {
        let found = self.namespaces.qualified(namespace, |namespace| self.direct(namespace, symbol));
        one_of(&found).meaning()
    }

    /// Whether the program declares a namespace.
    pub(in crate::parse) fn has_namespaces(&self) -> bool {
        !self.namespaces.is_trivial()
    }

    /// The namespace in which declarations are read.
    pub(in crate::parse) fn namespace(&self) -> Namespace {
        self.namespaces.current()
    }

    /// Opens a namespace, for the first time or again.
    pub(super) fn enter_namespace(&mut self, name: Option<Symbol>, is_inline: bool) {
        let known = match name {
            Some(symbol) => match self.member_here(symbol).meaning() {
                Meaning::Namespace(known) => Some(known),
                Meaning::Unknown
                | Meaning::Type
                | Meaning::Ordinary
                | Meaning::Template
                | Meaning::TypeTemplate => None,
            },
            None => self.namespaces.unnamed(),
        };
        let namespace = known.unwrap_or_else(|| {
            let namespace = self.namespaces.add(name.is_some(), is_inline);
            if let Some(symbol) = name {
                self.declare(symbol, Meaning::Namespace(namespace));
            }
            namespace
        });
        self.namespaces.go_to(namespace);
    }

    /// Makes the names of a namespace visible in the innermost scope.
    pub(super) fn use_namespace(&mut self, namespace: Namespace) {
        match self.depth() {
            0 => self.namespaces.add_directive(namespace),
            depth => self.namespaces.add_block_directive(u32::from(depth), namespace),
        }
    }

    /// Goes to a namespace that is known.
    pub(in crate::parse) fn go_to_namespace(&mut self, namespace: Namespace) {
        self.namespaces.go_to(namespace);
    }

    /// Whether the members of a struct or union are being read.
    pub(super) fn is_in_class(&self) -> bool {
        !self.classes.is_empty()
    }

    pub(super) fn leave_namespace(&mut self) {
        self.namespaces.leave();
    }

    /// How many namespaces are open.
    pub(super) fn namespace_depth(&self) -> u32 {
        self.namespaces.depth()
    }

    /// Whether the current namespace has a template of the name.
    pub(in crate::parse) fn has_template_here(&self, symbol: Symbol) -> bool {
        matches!(self.member_here(symbol).kind, Kind::Template | Kind::TypeTemplate)
    }

    /// Whether the current namespace has a template of functions or variables of the name.
    pub(in crate::parse) fn has_function_template_here(&self, symbol: Symbol) -> bool {
        self.member_here(symbol).kind == Kind::Template
    }

    /// Whether the innermost scope, which is a namespace's, has the name.
    pub(in crate::parse) fn has_here(&self, symbol: Symbol) -> bool {
        self.member_here(symbol).kind != Kind::Unknown
    }

    /// What the innermost scope itself has of a name, if that is a namespace's.
    fn member_here(&self, symbol: Symbol) -> Binding {
        self.direct(self.namespaces.current(), symbol).unwrap_or(UNBOUND)
    }

    /// Every name that is a type now, in the order in which the text first has them.
    pub(in crate::parse) fn types(&self) -> impl Iterator<Item = Symbol> {
        let bindings = self.current.iter().enumerate();
        bindings.filter(|(_, b)| b.meaning() == Meaning::Type).map(|(idx, _)| Symbol::from_index(idx))
    }

    pub(in crate::parse) fn declare(&mut self, symbol: Symbol, meaning: Meaning) {
        let depth = self.depth();
        let Binding { is_tag, kind, .. } = self.binding(symbol);
        let declared = Binding::new(meaning, depth, is_tag);
        if depth > 0 {
            let before = mem::replace(&mut self.current[symbol.index()], declared);
            self.hidden.push((symbol, before));
            return;
        }
        // What else is declared by the name of a namespace is a mistake; a function may stand beside a template.
        let is_kept = match kind {
            Kind::Namespace => self.has_here(symbol),
            Kind::Template => meaning == Meaning::Ordinary && self.has_template_here(symbol),
            Kind::TypeTemplate => meaning == Meaning::Type && self.has_template_here(symbol),
            Kind::Unknown | Kind::Type | Kind::TypePack | Kind::Injected | Kind::Ordinary | Kind::Pack => {
                false
            }
        };
        if !is_kept {
            *self.slot(symbol, depth) = declared;
        }
    }

    /// Declares a pack in the innermost scope, which is no namespace's.
    pub(in crate::parse) fn declare_pack(&mut self, symbol: Symbol, is_type: bool, len: PackLen) {
        self.declare(symbol, if is_type { Meaning::Type } else { Meaning::Ordinary });
        let binding = &mut self.current[symbol.index()];
        binding.kind = if is_type { Kind::TypePack } else { Kind::Pack };
        binding.detail = match len {
            PackLen::Known(len) => len,
            PackLen::Open => OPEN,
        };
    }

    /// How long the pack is, if the name is one's.
    pub(in crate::parse) fn pack_len(&self, symbol: Symbol) -> Option<PackLen> {
        let Binding { kind: Kind::TypePack | Kind::Pack, detail, .. } = self.current[symbol.index()] else {
            return None;
        };
        Some(if detail == OPEN { PackLen::Open } else { PackLen::Known(detail) })
    }

    /// Whether the name is that of a pack of types.
    pub(in crate::parse) fn is_type_pack(&self, symbol: Symbol) -> bool {
        self.current[symbol.index()].kind == Kind::TypePack
    }

    /// Declares in the innermost scope what `namespace::symbol` means: a type, something else, or both (C++17 10.3.3).
    pub(super) fn declare_used(&mut self, namespace: Namespace, symbol: Symbol) {
        let found = self.namespaces.qualified(namespace, |namespace| self.direct(namespace, symbol));
        let is_tag = found.iter().any(|binding| binding.is_tag);
        let depth = self.depth();
        let here = if depth > 0 { self.current[symbol.index()] } else { self.member_here(symbol) };
        let is_hidden = here.depth == depth && here.kind == Kind::Ordinary;
        match found.first().map_or(Meaning::Ordinary, |binding| binding.meaning()) {
            Meaning::Type if is_tag && is_hidden => {}
            meaning => self.declare(symbol, meaning),
        }
        if is_tag {
            self.slot(symbol, depth).is_tag = true;
        }
    }

    /// Whether a type has the name, which others may hide.
    fn has_type(&self, symbol: Symbol) -> bool {
        let is_type = |binding: &Binding| binding.is_tag || binding.meaning() == Meaning::Type;
        let in_namespaces = || {
            let direct = |namespace| self.direct(namespace, symbol).filter(is_type);
            !self.namespaces.unqualified(direct).1.is_empty()
        };
        is_type(&self.binding(symbol)) || !self.namespaces.is_trivial() && in_namespaces()
    }

    /// Where the meaning of a name of the scope of that depth is.
    fn slot(&mut self, symbol: Symbol, depth: u16) -> &mut Binding {
        match self.namespaces.current() {
            namespace if depth == 0 && namespace != Namespace::GLOBAL => {
                self.namespaces.entry(namespace, symbol)
            }
            _ => &mut self.current[symbol.index()],
        }
    }

    /// A tag that `struct`, `union` or `enum` stands before. A variable of the same scope hides it
    /// (C++17 6.3.10p2); mentioned first in a parameter list, it belongs to the scope around that
    /// (C++17 6.3.2p7).
    pub(in crate::parse) fn declare_tag(&mut self, symbol: Symbol, is_definition: bool) {
        if let Some(&outer) = self.classes.last() {
            self.nested.insert((outer, symbol));
        }
        let depth = self.depth();
        let binding = self.binding(symbol);
        let is_of_namespace = depth == 0 && self.namespaces.current() != Namespace::GLOBAL;
        let here = if is_of_namespace { self.member_here(symbol) } else { binding };
        let is_here = here.depth == depth && here.kind != Kind::Unknown;
        let is_known = !is_definition && self.has_type(symbol);
        if is_here || is_known && !is_of_namespace {
            self.slot(symbol, depth).is_tag = true;
            return;
        }
        if is_known {
            return;
        }
        if self.n_prototypes > 0 && self.n_prototypes == self.marks.len() {
            *self.slot(symbol, 0) = Binding::new(Meaning::Type, 0, true);
        } else {
            self.declare(symbol, Meaning::Type);
            self.slot(symbol, depth).is_tag = true;
        }
    }
}
