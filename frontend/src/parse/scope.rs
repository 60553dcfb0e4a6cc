//! Which names are types.
//!
//! C's grammar needs no more of a name than that (C17 6.7.8, "the lexer hack"). As in C++, the tag
//! of a struct, union or enum is a type name too, until something else of that name hides it.

use hashbrown::HashSet;

use crate::predeclared::Predeclared;
use crate::token::Symbol;

/// What a name means where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Nothing that the program declares.
    Unknown,
    /// A type: a typedef name or a tag.
    Type,
    /// A variable, a function, an enumerator.
    Ordinary,
}

#[derive(Clone, Copy)]
struct Binding {
    meaning: Meaning,
    depth: u32,
    /// It is the tag of a struct, union or enum, too, which a variable may hide.
    is_tag: bool,
}

const UNBOUND: Binding = Binding { meaning: Meaning::Unknown, depth: 0, is_tag: false };

/// The scopes that are open, the innermost last.
#[derive(Clone, Default)]
pub(super) struct Scopes {
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
    /// Types that are declared in structs: those with their own tags.
    nested: HashSet<(Symbol, Symbol)>,
}

impl Scopes {
    /// Makes room for symbols with numbers below `n_symbols`; some of the new ones are types that CUDA declares by
    /// itself.
    pub(super) fn learn(&mut self, named: &[(Symbol, Predeclared)], n_symbols: usize) {
        self.current.resize(n_symbols, UNBOUND);
        for (symbol, predeclared) in named {
            if predeclared.is_type() {
                self.current[symbol.index()].meaning = Meaning::Type;
            }
        }
    }

    pub(super) fn enter(&mut self) {
        self.marks.push(self.hidden.len());
    }

    pub(super) fn leave(&mut self) {
        let mark = self.marks.pop().expect("invariant: each scope left was entered");
        while self.hidden.len() > mark
            && let Some((symbol, binding)) = self.hidden.pop()
        {
            self.current[symbol.index()] = binding;
        }
    }

    /// Enters the scope of a parameter list (C17 6.2.1p4).
    pub(super) fn enter_prototype(&mut self) {
        self.enter();
        self.n_prototypes += 1;
    }

    pub(super) fn leave_prototype(&mut self) {
        self.leave();
        self.n_prototypes -= 1;
    }

    /// Enters the members of the struct or union with that tag.
    pub(super) fn enter_class(&mut self, tag: Symbol) {
        self.classes.push(tag);
    }

    pub(super) fn leave_class(&mut self) {
        self.classes.pop();
    }

    /// Whether a struct of the tag `outer` has a type of the tag `inner`.
    pub(super) fn is_nested_type(&self, outer: Symbol, inner: Symbol) -> bool {
        self.nested.contains(&(outer, inner))
    }

    /// Whether a block gives the name a meaning of its own.
    pub(super) fn is_hidden(&self, symbol: Symbol) -> bool {
        self.current[symbol.index()].depth > 0
    }

    pub(super) fn meaning(&self, symbol: Symbol) -> Meaning {
        self.current[symbol.index()].meaning
    }

    /// Every name that is a type now, in the order in which the text first has them.
    pub(super) fn types(&self) -> impl Iterator<Item = Symbol> {
        let bindings = self.current.iter().enumerate();
        bindings.filter(|(_, b)| b.meaning == Meaning::Type).map(|(idx, _)| Symbol::from_index(idx))
    }

    pub(super) fn declare(&mut self, symbol: Symbol, meaning: Meaning) {
        let depth = self.marks.len() as u32;
        if depth > 0 {
            self.hidden.push((symbol, self.current[symbol.index()]));
        }
        let binding = &mut self.current[symbol.index()];
        *binding = Binding { meaning, depth, is_tag: binding.is_tag };
    }

    /// A tag that `struct`, `union` or `enum` stands before. A variable of the same scope hides it
    /// (C++17 6.3.10p2); mentioned first in a parameter list, it belongs to the scope around that
    /// (C++17 6.3.2p7).
    pub(super) fn declare_tag(&mut self, symbol: Symbol, is_definition: bool) {
        if let Some(&outer) = self.classes.last() {
            self.nested.insert((outer, symbol));
        }
        let depth = self.marks.len() as u32;
        let binding = self.current[symbol.index()];
        let is_here = binding.depth == depth && binding.meaning != Meaning::Unknown;
        let is_known = (binding.is_tag || binding.meaning == Meaning::Type) && !is_definition;
        if is_known || is_here {
            self.current[symbol.index()].is_tag = true;
            return;
        }
        if self.n_prototypes > 0 && self.n_prototypes == self.marks.len() {
            self.current[symbol.index()] = Binding { meaning: Meaning::Type, depth: 0, is_tag: true };
        } else {
            self.declare(symbol, Meaning::Type);
            self.current[symbol.index()].is_tag = true;
        }
    }
}
