//! Compares two trees: first nvcc's, then the one under test.
//!
//! Named entities are matched by name in their scope; variables of functions by name and line. Afterwards the
//! comparison checks whether variables of one scope are in one scope, since scopes have no names. The order
//! of parameters, members, enumerators and dimensions matters; other orders do not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::tree::{Block, Inlined, Location, Place, Subprogram, Tree, Variable};
use super::types::TypeComparison;

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub kind: Kind,
    /// The entity.
    pub of: Entity,
    /// The path to it: `kern/{}/t`, `kern(p): struct S.a`.
    pub path: String,
    /// What nvcc has.
    pub theirs: String,
    /// What the other one has.
    pub ours: String,
    /// Whether a header declares it.
    pub is_of_header: bool,
}

/// The kinds of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Only nvcc has it.
    Missing,
    /// nvcc does not have it.
    Extra,
    /// The language of the unit.
    Language,
    /// The attributes of a tag's entries.
    Attributes,
    /// The name.
    Name,
    /// The linkage name.
    LinkageName,
    /// The symbol of the code or variable.
    Symbol,
    /// Whether it is external.
    External,
    /// The line, or the file.
    Place,
    /// The address class, and the kind of location.
    Storage,
    /// The scope that contains it.
    Scope,
    /// Whether the braces of the function are a separate scope.
    BodyBlock,
    /// The kind of type.
    TypeKind,
    /// `const`, `volatile` or `restrict`.
    Qualifiers,
    /// The size in bytes.
    Size,
    /// The encoding of a base type.
    Encoding,
    /// The number of elements in each dimension.
    Count,
    /// The address class of a pointer's target.
    PointerClass,
    /// The position of a member.
    FirstBit,
    /// The number of bits.
    BitSize,
    /// The value of an enumerator.
    Value,
    /// The number of parameters, members or enumerators.
    Number,
}

/// The kind of entity that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entity {
    /// The unit.
    Unit,
    /// A file-scope variable.
    Global,
    /// A function or a kernel.
    Subprogram,
    /// An inlined call.
    Inlined,
    /// A parameter of an inlined call.
    InlinedParameter,
    /// A parameter.
    Parameter,
    /// A variable of a function.
    Local,
    /// A type.
    Type,
    /// A member.
    Member,
    /// An enumerator.
    Enumerator,
}

/// The kebab-case name of a variant: `linkage-name`.
fn kebab(debug: &str) -> String {
    let mut name = String::new();
    for (idx, c) in debug.char_indices() {
        if c.is_ascii_uppercase() && idx > 0 {
            name.push('-');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&kebab(&format!("{self:?}")))
    }
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&kebab(&format!("{self:?}")))
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { kind, of, path, theirs, ours, .. } = self;
        write!(f, "{path}: {kind} of {of}: nvcc has {theirs}, ours is {ours}")
    }
}

/// The text for a missing value.
pub(super) const NOTHING: &str = "nothing";

/// The position of the compared entity.
#[derive(Clone, Debug)]
pub(super) struct At {
    pub(super) of: Entity,
    pub(super) path: String,
    pub(super) is_of_header: bool,
}

/// Compares nvcc's tree with ours.
pub fn compare(theirs: &Tree, ours: &Tree) -> Vec<Difference> {
    let mut comparison = Comparison { theirs, ours, found: Vec::new(), seen: BTreeSet::new() };
    comparison.units();
    comparison.found
}

pub(super) struct Comparison<'t> {
    pub(super) theirs: &'t Tree,
    pub(super) ours: &'t Tree,
    found: Vec<Difference>,
    /// Pairs of types that have already been compared.
    pub(super) seen: BTreeSet<(super::tree::TypeId, super::tree::TypeId)>,
}

impl Comparison<'_> {
    pub(super) fn differs(
        &mut self,
        kind: Kind,
        at: &At,
        theirs: impl fmt::Display,
        ours: impl fmt::Display,
    ) {
        let (theirs, ours) = (theirs.to_string(), ours.to_string());
        let At { of, path, is_of_header } = at.clone();
        self.found.push(Difference { kind, of, path, theirs, ours, is_of_header });
    }

    pub(super) fn same<T: PartialEq + fmt::Display>(&mut self, kind: Kind, at: &At, theirs: &T, ours: &T) {
        if theirs != ours {
            self.differs(kind, at, theirs, ours);
        }
    }

    /// Whether another file than the source declares it.
    pub(super) fn is_of_header(&self, place: Option<&Place>) -> bool {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        place.is_some_and(|place| name(&place.file) != name(&self.theirs.name))
    }

    pub(super) fn at(&self, of: Entity, path: String, place: Option<&Place>) -> At {
        At { of, path, is_of_header: self.is_of_header(place) }
    }

    pub(super) fn places(&mut self, at: &At, theirs: Option<&Place>, ours: Option<&Place>) {
        let show = |place: Option<&Place>, folder: &str| match place {
            None => NOTHING.to_owned(),
            Some(place) if place.file.starts_with('/') => place.to_string(),
            Some(place) => format!("{folder}/{place}"),
        };
        let (theirs, ours) = (show(theirs, &self.theirs.folder), show(ours, &self.ours.folder));
        self.same(Kind::Place, at, &theirs, &ours);
    }

    fn units(&mut self) {
        let (theirs, ours) = (self.theirs, self.ours);
        let at = self.at(Entity::Unit, theirs.name.clone(), None);
        self.same(Kind::Language, &at, &theirs.language, &ours.language);
        self.same(Kind::Name, &at, &theirs.name, &ours.name);
        self.attributes(theirs, ours);
        let path = |variable: &Variable| variable.name.clone();
        let globals = paired(theirs.variables.iter().collect(), ours.variables.iter().collect(), path);
        for (theirs, ours) in globals {
            if let (Some(theirs), None) = (theirs, ours)
                && self.ours.subprograms.iter().any(|of| has_inlined_static(of, theirs))
            {
                let at = self.at(Entity::Global, path(theirs), theirs.place.as_ref());
                self.differs(Kind::Scope, &at, "of the file", "of an inlined call");
                continue;
            }
            self.pair_of_variables(Entity::Global, path, theirs, ours);
        }
        // C++ functions can share a name; symbols of internal functions differ between the compilers.
        let (name, symbol) = (|of: &Subprogram| of.name.clone(), |of: &Subprogram| of.code.clone());
        for (theirs, ours) in paired_nearly(&theirs.subprograms, &ours.subprograms, name, symbol) {
            let shown = |of: &Subprogram| {
                let external = if of.is_external { "external" } else { "internal" };
                let place = of.place.as_ref().map_or("no place".to_owned(), Place::to_string);
                format!("{external} {}, {place}", shown_name(&of.linkage_name))
            };
            match (theirs, ours) {
                (Some(theirs), Some(ours)) => self.subprograms(theirs, ours),
                (Some(theirs), None) => {
                    let at = self.at(Entity::Subprogram, theirs.name.clone(), theirs.place.as_ref());
                    self.differs(Kind::Missing, &at, shown(theirs), NOTHING);
                }
                (None, Some(ours)) => {
                    let at = self.at(Entity::Subprogram, ours.name.clone(), ours.place.as_ref());
                    self.differs(Kind::Extra, &at, NOTHING, shown(ours));
                }
                (None, None) => {}
            }
        }
    }

    /// Compares the attribute sets, which covers attributes that are not read otherwise.
    fn attributes(&mut self, theirs: &Tree, ours: &Tree) {
        for (tag, own) in &theirs.attributes {
            let Some(other) = ours.attributes.get(tag) else { continue };
            let at = self.at(Entity::Unit, tag.clone(), None);
            own.difference(other).for_each(|name| self.differs(Kind::Attributes, &at, name, NOTHING));
            other.difference(own).for_each(|name| self.differs(Kind::Attributes, &at, NOTHING, name));
        }
    }

    fn pair_of_variables(
        &mut self,
        of: Entity,
        path: impl Fn(&Variable) -> String,
        theirs: Option<&Variable>,
        ours: Option<&Variable>,
    ) {
        let shown = |variable: &Variable| storage(variable);
        match (theirs, ours) {
            (Some(theirs), Some(ours)) => self.variables(of, path(theirs), theirs, ours),
            (Some(theirs), None) => {
                let at = self.at(of, path(theirs), theirs.place.as_ref());
                self.differs(Kind::Missing, &at, shown(theirs), NOTHING);
            }
            (None, Some(ours)) => {
                let at = self.at(of, path(ours), ours.place.as_ref());
                self.differs(Kind::Extra, &at, NOTHING, shown(ours));
            }
            (None, None) => {}
        }
    }

    fn subprograms(&mut self, theirs: &Subprogram, ours: &Subprogram) {
        let at = self.at(Entity::Subprogram, theirs.name.clone(), theirs.place.as_ref());
        self.symbols(&at, &theirs.linkage_name, &ours.linkage_name);
        // Each at the start of its own code.
        let own_code = |subprogram: &Subprogram| {
            subprogram.code.as_ref() == Some(subprogram.linkage_name.as_ref().unwrap_or(&subprogram.name))
        };
        if !own_code(theirs) || !own_code(ours) {
            let [theirs, ours] = [theirs, ours].map(|of| format!("the code of {}", shown_name(&of.code)));
            self.differs(Kind::Symbol, &at, theirs, ours);
        }
        self.same(Kind::External, &at, &theirs.is_external, &ours.is_external);
        self.places(&at, theirs.place.as_ref(), ours.place.as_ref());
        self.types(&at, theirs.result, ours.result);
        self.parameters(&at, &theirs.parameters, &ours.parameters);
        self.within(&at, theirs, ours);
    }

    /// In order; if one is missing, by name, so that later ones do not all differ.
    fn parameters(&mut self, at: &At, theirs: &[Variable], ours: &[Variable]) {
        let path = |variable: &Variable| format!("{}({})", at.path, variable.name);
        if theirs.len() != ours.len() {
            for (own, other) in paired(theirs.iter().collect(), ours.iter().collect(), path) {
                self.pair_of_variables(Entity::Parameter, path, own, other);
            }
            return;
        }
        for (own, other) in theirs.iter().zip(ours) {
            let at = self.at(Entity::Parameter, path(own), own.place.as_ref());
            self.same(Kind::Name, &at, &own.name, &other.name);
            self.variables(Entity::Parameter, path(own), own, other);
        }
    }

    /// Compares the contents of a function, out of line or inlined.
    fn within(&mut self, at: &At, theirs: &Subprogram, ours: &Subprogram) {
        self.blocks(at, &theirs.body, &ours.body);
        let (name, line) = (
            |of: &Inlined| of.subprogram.name.clone(),
            |of: &Inlined| of.call.as_ref().map(|call| call.line),
        );
        let path = |of: &Inlined| format!("{}+{}", at.path, of.subprogram.name);
        let call = |of: &Inlined| of.call.as_ref().map_or("no place".to_owned(), Place::to_string);
        for (theirs, ours) in paired_nearly(&theirs.inlined, &ours.inlined, name, line) {
            let Some(one) = theirs.or(ours) else { continue };
            let at = self.at(Entity::Inlined, path(one), one.subprogram.place.as_ref());
            match (theirs, ours) {
                (Some(theirs), Some(ours)) => {
                    self.places(&at, theirs.call.as_ref(), ours.call.as_ref());
                    let (theirs, ours) = (&theirs.subprogram, &ours.subprogram);
                    // The called function determines their order, and which ones there are.
                    let name = |variable: &Variable| variable.name.clone();
                    let path = |variable: &Variable| format!("{}({})", at.path, variable.name);
                    let (own, other) = (theirs.parameters.iter(), ours.parameters.iter());
                    for (own, other) in paired(own.collect(), other.collect(), name) {
                        self.pair_of_variables(Entity::InlinedParameter, path, own, other);
                    }
                    self.within(&at, theirs, ours);
                }
                (Some(theirs), None) => self.differs(Kind::Missing, &at, call(theirs), NOTHING),
                (None, Some(ours)) => self.differs(Kind::Extra, &at, NOTHING, call(ours)),
                (None, None) => {}
            }
        }
    }

    /// Symbols of internal entities differ between the compilers: `_ZL1f` in one, and a name with a hash in
    /// the other.
    fn symbols(&mut self, at: &At, theirs: &Option<String>, ours: &Option<String>) {
        let [theirs, ours] = [theirs, ours].map(shown_name);
        self.same(Kind::LinkageName, at, &theirs, &ours);
    }

    fn variables(&mut self, of: Entity, path: String, theirs: &Variable, ours: &Variable) {
        let at = self.at(of, path, theirs.place.as_ref());
        self.symbols(&at, &theirs.linkage_name, &ours.linkage_name);
        self.same(Kind::External, &at, &theirs.is_external, &ours.is_external);
        self.places(&at, theirs.place.as_ref(), ours.place.as_ref());
        if let (Location::Symbol(own), Location::Symbol(other)) = (&theirs.location, &ours.location) {
            self.same(Kind::Symbol, &at, own, other);
        }
        self.same(Kind::Storage, &at, &storage(theirs), &storage(ours));
        self.types(&at, theirs.ty, ours.ty);
    }

    fn types(&mut self, at: &At, theirs: super::tree::TypeId, ours: super::tree::TypeId) {
        TypeComparison { of: self }.types(at, theirs, ours);
    }

    fn blocks(&mut self, at: &At, theirs: &Block, ours: &Block) {
        let (theirs, their_own) = body(theirs);
        let (ours, our_own) = body(ours);
        let has_variables = !theirs.variables.is_empty() && !ours.variables.is_empty();
        if has_variables && their_own != our_own {
            let shown = |own: bool| if own { "a block" } else { "no block" };
            self.differs(Kind::BodyBlock, at, shown(their_own), shown(our_own));
        }
        self.scopes(at, &Scopes::of(theirs), &Scopes::of(ours));
    }

    fn scopes(&mut self, at: &At, theirs: &Scopes<'_>, ours: &Scopes<'_>) {
        let path = |scopes: &Scopes<'_>, scope: usize, variable: &Variable| {
            format!("{}/{}{}", at.path, "{}/".repeat(scopes.depth(scope)), variable.name)
        };
        let pairs = theirs.paired(ours);
        // A scope without matched variables does not exist for the other side.
        let of_pairs = || pairs.iter().filter_map(|(own, other)| Some((own.as_ref()?.0, other.as_ref()?.0)));
        let (shared, our_shared) = of_pairs().unzip::<_, _, BTreeSet<usize>, BTreeSet<usize>>();
        // The functions' own scopes are partners.
        let (mut partner, mut other_partner) = (BTreeMap::from([(0, 0)]), BTreeMap::from([(0, 0)]));
        for (own, other) in pairs {
            let (own, other) = match (own, other) {
                (Some(own), Some(other)) => (own, other),
                (Some((scope, variable)), None) => {
                    let path = path(theirs, scope, variable);
                    self.pair_of_variables(Entity::Local, |_| path.clone(), Some(variable), None);
                    continue;
                }
                (None, Some((scope, variable))) => {
                    let path = path(ours, scope, variable);
                    self.pair_of_variables(Entity::Local, |_| path.clone(), None, Some(variable));
                    continue;
                }
                (None, None) => continue,
            };
            let path = path(theirs, own.0, own.1);
            // Outwards, until a scope has a partner.
            let (mut inner, mut other_inner) = (Some(own.0), Some(other.0));
            let mut is_same = true;
            while let (Some(scope), Some(other_scope)) = (inner, other_inner) {
                is_same &= *partner.entry(scope).or_insert(other_scope) == other_scope;
                is_same &= *other_partner.entry(other_scope).or_insert(scope) == scope;
                (inner, other_inner) = (theirs.outer(scope, &shared), ours.outer(other_scope, &our_shared));
            }
            if !is_same || inner.is_some() || other_inner.is_some() {
                let at = self.at(Entity::Local, path.clone(), own.1.place.as_ref());
                let shown = |depth: usize| format!("a block {depth} deep");
                self.differs(Kind::Scope, &at, shown(theirs.depth(own.0)), shown(ours.depth(other.0)));
            }
            self.variables(Entity::Local, path, own.1, other.1);
        }
    }
}

/// Whether the static variable belongs to a call that is inlined into the function.
fn has_inlined_static(of: &Subprogram, variable: &Variable) -> bool {
    fn has(block: &Block, name: &str) -> bool {
        let is_it = |variable: &Variable| variable.linkage_name.as_deref() == Some(name);
        block.variables.iter().any(is_it) || block.blocks.iter().any(|inner| has(inner, name))
    }
    let Some(name) = &variable.linkage_name else { return false };
    let is_in =
        |call: &Inlined| has(&call.subprogram.body, name) || has_inlined_static(&call.subprogram, variable);
    of.inlined.iter().any(is_in)
}

/// A function's scopes, numbered from its own, and their contents.
struct Scopes<'t> {
    parents: Vec<Option<usize>>,
    variables: Vec<(usize, &'t Variable)>,
}

impl<'t> Scopes<'t> {
    fn of(body: &'t Block) -> Scopes<'t> {
        fn walk<'t>(scopes: &mut Scopes<'t>, block: &'t Block, parent: Option<usize>) {
            let scope = scopes.parents.len();
            scopes.parents.push(parent);
            scopes.variables.extend(block.variables.iter().map(|variable| (scope, variable)));
            block.blocks.iter().for_each(|inner| walk(scopes, inner, Some(scope)));
        }
        let mut scopes = Scopes { parents: Vec::new(), variables: Vec::new() };
        walk(&mut scopes, body, None);
        scopes
    }

    /// By name and line, in order; the rest by name.
    #[expect(clippy::type_complexity, reason = "pairs of pairs")]
    fn paired(
        &self,
        ours: &Scopes<'t>,
    ) -> Vec<(Option<(usize, &'t Variable)>, Option<(usize, &'t Variable)>)> {
        let name = |(_, variable): &(usize, &Variable)| variable.name.clone();
        let line = |(_, variable): &(usize, &Variable)| variable.place.as_ref().map(|place| place.line);
        let pairs = paired_nearly(&self.variables, &ours.variables, name, line);
        pairs.into_iter().map(|(own, other)| (own.copied(), other.copied())).collect()
    }

    /// The next enclosing scope that is among these, or the function's own.
    fn outer(&self, scope: usize, among: &BTreeSet<usize>) -> Option<usize> {
        let mut outer = self.parents[scope]?;
        while !among.contains(&outer) {
            let Some(next) = self.parents[outer] else { break };
            outer = next;
        }
        Some(outer)
    }

    fn depth(&self, scope: usize) -> usize {
        let mut depth = 0;
        let mut at = scope;
        while let Some(parent) = self.parents[at] {
            (at, depth) = (parent, depth + 1);
        }
        depth
    }
}

/// The scope of a function's braces, and whether it is a separate one.
fn body(block: &Block) -> (&Block, bool) {
    match &block.blocks[..] {
        [only] if block.variables.is_empty() => (only, true),
        _ => (block, false),
    }
}

fn shown_name(name: &Option<String>) -> String {
    name.clone().unwrap_or_else(|| NOTHING.to_owned())
}

/// `class 2, in a register`
fn storage(variable: &Variable) -> String {
    let class = variable.class.map_or("no class".to_owned(), |class| format!("class {class}"));
    format!("{class}, {}", variable.location.kind())
}

/// A pair of matching entities, or one side alone.
type Pair<'t, T> = (Option<&'t T>, Option<&'t T>);

/// Matches entities with the same name and further key; the rest by name.
pub(super) fn paired_nearly<'t, T, N: Ord, E: Ord>(
    theirs: &'t [T],
    ours: &'t [T],
    name: impl Fn(&T) -> N,
    other: impl Fn(&T) -> E,
) -> Vec<Pair<'t, T>> {
    let mut pairs = paired(theirs.iter().collect(), ours.iter().collect(), |of| (name(of), other(of)));
    let is_whole = |pair: &Pair<'t, T>| pair.0.is_some() && pair.1.is_some();
    let left: Vec<Pair<'t, T>> = pairs.iter().filter(|pair| !is_whole(pair)).copied().collect();
    pairs.retain(is_whole);
    let (theirs, ours) =
        (left.iter().filter_map(|pair| pair.0).collect(), left.iter().filter_map(|pair| pair.1).collect());
    pairs.extend(paired(theirs, ours, name));
    pairs
}

/// Matches entities with the same key, and returns those without a partner, too.
fn paired<'t, T, K: Ord>(theirs: Vec<&'t T>, ours: Vec<&'t T>, key: impl Fn(&T) -> K) -> Vec<Pair<'t, T>> {
    let mut others: BTreeMap<K, Vec<&T>> = BTreeMap::new();
    for other in ours.into_iter().rev() {
        others.entry(key(other)).or_default().push(other);
    }
    let mut pairs: Vec<Pair<'t, T>> = Vec::new();
    for own in theirs {
        pairs.push((Some(own), others.get_mut(&key(own)).and_then(Vec::pop)));
    }
    pairs.extend(others.into_values().flatten().map(|other| (None, Some(other))));
    pairs
}
