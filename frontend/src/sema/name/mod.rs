//! Names: what they stand for, and for how long.
//!
//! - [`scope`]: scopes, entities, unqualified lookup
//! - [`namespace`]: namespaces; [`qualified`]: names with `::`; [`class`]: the scopes of classes; [`access`]: who may name their members; [`local_class`]: classes in functions
//! - [`host_code`]: declarations of the host that are skipped, and what is said where the device needs one
//! - [`known_function`]: functions that are not there yet; [`lacking`]: all else that nvcc knows; [`host_function`],
//!   [`library_function`], [`runtime_function`], [`system_function`]: functions that nvcc declares itself
//! - [`advice`]: what attributes say to users of a name; [`unused`]: names that nothing uses

pub(in crate::sema) mod access;
pub(super) mod advice;
pub(in crate::sema) mod class;
pub(super) mod host_code;
pub(super) mod host_function;
pub(super) mod known_function;
pub(super) mod lacking;
pub(super) mod library_function;
mod local_class;
mod namespace;
pub(super) mod qualified;
mod qualified_tag;
mod runtime_function;
pub(super) mod scope;
pub(super) mod system_function;
mod unused;

use crate::ast::Access;
use crate::ir::{Func, Namespace, Record};
use crate::source::Span;
use crate::token::Symbol;
use hashbrown::HashMap;
use hashbrown::HashSet;
use smallvec::SmallVec;
/// The functions and templates of several namespaces, and whether a built-in function is among them.
type MergedKey = (SmallVec<[Func; 4]>, SmallVec<[crate::sema::template::Template; 2]>, bool);

/// What is remembered of names.
#[derive(Default)]
pub(super) struct NameFacts {
    /// Where blocks declare functions, and where `using` declarations add others to these: no arguments add more (C++17 6.4.2p3).
    pub(super) of_blocks: HashSet<Span>,
    /// Where `using` declarations give a scope the tag of another.
    pub(super) used_tags: HashSet<Span>,
    /// The names that structs and unions declare, but for those of data members.
    pub(super) of_classes: HashMap<Record, Vec<Symbol>>,
    /// How many types of a name the blocks of a function have.
    pub(super) n_local_types: HashMap<(Func, Option<Symbol>), u32>,
    /// The members that are not public, but for functions: who may name them, and where they are declared.
    pub(super) access: HashMap<(Record, Symbol), (Access, Span)>,
    /// The bases that are not public, by the class that is derived from them: who may know of that, and where they are written.
    pub(super) hidden_bases: HashMap<(Record, Record), (Access, Span)>,
    /// The class whose part of an object of a derived class is being made or destroyed.
    pub(super) made_base: Option<Record>,
    /// The members that `using` declarations bring from bases, by the class that has the declaration.
    pub(super) brought: HashMap<(Record, Symbol), class::BroughtMember>,
    /// The bases of the classes whose members are being read, as [`crate::sema::Types::bases_of`] returns them.
    pub(super) open_bases: HashMap<Record, smallvec::SmallVec<[(u32, Record); 2]>>,
    /// What may name the members of a class as its own.
    pub(super) friends: HashMap<Record, class::Friends>,
    /// The functions that classes have as friends, which their objects lead to.
    pub(super) friend_functions: HashMap<Symbol, Vec<(Record, Func)>>,
    /// The names of member functions.
    pub(super) of_methods: HashSet<Symbol>,
    /// Names that declarations of the host use, and nothing declares for them.
    wrong_in_host_code: HashSet<Symbol>,
    /// Sets of functions that several namespaces have, by what is in them.
    merged_overloads: HashMap<MergedKey, crate::sema::call::overload::OverloadsId>,
    /// The items of the host that were skipped, by the places of their names.
    host_items: HashMap<Span, host_code::HostItem>,
    /// The types of the host's variables, by the places of their names.
    pub(in crate::sema) host_variables: HashMap<Span, crate::ir::Ty>,
    /// The functions of the host that are defined, by their names: those of the device with such a name have other parameters.
    host_definitions: HashMap<(Namespace, Symbol), Vec<host_code::HostFunction>>,
    /// A definition of the host that the output would lack was reported.
    has_host_definition: bool,
    /// The reasons that they give.
    reasons: Vec<String>,
}
