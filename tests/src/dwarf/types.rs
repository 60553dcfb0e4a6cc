//! Compares two types; each pair is compared once.
//!
//! Qualifiers are compared as a set, since their order has no meaning. If only one side has a typedef, the
//! underlying types are still compared.

use std::collections::BTreeSet;

use super::compare::{At, Comparison, Entity, Kind, NOTHING, paired_nearly};
use super::tree::{Member, Qualifier, Record, Tree, Type, TypeId};

pub(super) struct TypeComparison<'c, 't> {
    pub(super) of: &'c mut Comparison<'t>,
}

/// A type without its qualifiers.
fn unqualified(tree: &Tree, mut id: TypeId) -> (BTreeSet<Qualifier>, TypeId) {
    let mut qualifiers = BTreeSet::new();
    while let Type::Qualified { qualifier, to } = tree.types.get(id) {
        qualifiers.insert(*qualifier);
        id = *to;
    }
    (qualifiers, id)
}

fn shown(qualifiers: &BTreeSet<Qualifier>) -> String {
    let names: Vec<&str> = qualifiers.iter().map(|qualifier| qualifier.name()).collect();
    if names.is_empty() { NOTHING.to_owned() } else { names.join(" ") }
}

fn shown_count(count: Option<u64>) -> String {
    count.map_or("unknown".to_owned(), |count| count.to_string())
}

fn shown_bits(member: &Member) -> String {
    member.n_bits.map_or("all bits".to_owned(), |n| format!("{n} bits"))
}

impl TypeComparison<'_, '_> {
    pub(super) fn types(&mut self, at: &At, theirs: TypeId, ours: TypeId) {
        if !self.of.seen.insert((theirs, ours)) {
            return;
        }
        let (their_tree, our_tree) = (self.of.theirs, self.of.ours);
        let (their_qualifiers, theirs) = unqualified(their_tree, theirs);
        let (our_qualifiers, ours) = unqualified(our_tree, ours);
        let at = At { of: Entity::Type, ..at.clone() };
        self.of.same(Kind::Qualifiers, &at, &shown(&their_qualifiers), &shown(&our_qualifiers));
        match (their_tree.types.get(theirs), our_tree.types.get(ours)) {
            (Type::Void, Type::Void) => {}
            (
                Type::Base { name, encoding, size },
                Type::Base { name: our_name, encoding: our_encoding, size: our_size },
            ) => {
                self.of.same(Kind::Name, &at, name, our_name);
                self.of.same(Kind::Encoding, &at, encoding, our_encoding);
                self.of.same(Kind::Size, &at, size, our_size);
            }
            (
                Type::Pointer { to, class, kind },
                Type::Pointer { to: our_to, class: our_class, kind: our_kind },
            ) if kind == our_kind => {
                let shown = |class: Option<u64>| class.map_or(NOTHING.to_owned(), |class| class.to_string());
                self.of.same(Kind::PointerClass, &at, &shown(*class), &shown(*our_class));
                self.types(&At { path: format!("*{}", at.path), ..at }, *to, *our_to);
            }
            (Type::Array { of, counts }, Type::Array { of: our_of, counts: our_counts }) => {
                let all = |counts: &[Option<u64>]| {
                    counts.iter().map(|n| format!("[{}]", shown_count(*n))).collect::<String>()
                };
                self.of.same(Kind::Count, &at, &all(counts), &all(our_counts));
                self.types(&At { path: format!("{}[]", at.path), ..at }, *of, *our_of);
            }
            (Type::Record(theirs), Type::Record(ours)) if theirs.is_union == ours.is_union => {
                self.records(&at, theirs, ours);
            }
            (
                Type::Enum { name, size, place, enumerators },
                Type::Enum { name: our_name, size: our_size, place: our_place, enumerators: our_enumerators },
            ) => {
                let at = self.of.at(Entity::Type, format!("{}: enum {name}", at.path), place.as_ref());
                self.of.same(Kind::Name, &at, name, our_name);
                self.of.same(Kind::Size, &at, size, our_size);
                self.of.places(&at, place.as_ref(), our_place.as_ref());
                self.enumerators(&at, enumerators, our_enumerators);
            }
            (
                Type::Typedef { name, to, place },
                Type::Typedef { name: our_name, to: our_to, place: our_place },
            ) => {
                let at = self.of.at(Entity::Type, format!("{}: {name}", at.path), place.as_ref());
                self.of.same(Kind::Name, &at, name, our_name);
                self.of.places(&at, place.as_ref(), our_place.as_ref());
                self.types(&at, *to, *our_to);
            }
            (
                Type::Function { result, parameters, is_variadic },
                Type::Function {
                    result: our_result,
                    parameters: our_parameters,
                    is_variadic: ours_is_variadic,
                },
            ) => {
                let at = At { path: format!("{} ()", at.path), ..at };
                let number =
                    |n: usize, more: bool| format!("{n} parameters{}", if more { " and more" } else { "" });
                let theirs = number(parameters.len(), *is_variadic);
                let ours = number(our_parameters.len(), *ours_is_variadic);
                self.of.same(Kind::Number, &at, &theirs, &ours);
                self.types(&at, *result, *our_result);
                for (own, other) in parameters.iter().zip(our_parameters) {
                    self.types(&at, *own, *other);
                }
            }
            (own, other) => {
                let (own_shown, other_shown) = (their_tree.types.show(theirs), our_tree.types.show(ours));
                let is_name = |ty: &Type| matches!(ty, Type::Typedef { .. });
                let named = |ty: &Type, shown: String| match is_name(ty) {
                    true => format!("typedef {shown}"),
                    false => shown,
                };
                let (own_shown, other_shown) = (named(own, own_shown), named(other, other_shown));
                let place = |ty: &Type| match ty {
                    Type::Typedef { place, .. } => place.clone(),
                    _ => None,
                };
                let place = place(own).or(place(other));
                let at = self.of.at(Entity::Type, at.path, place.as_ref());
                self.of.differs(Kind::TypeKind, &at, own_shown, other_shown);
                match (own, other) {
                    (Type::Typedef { to, .. }, _) => self.types(&at, *to, ours),
                    (_, Type::Typedef { to, .. }) => self.types(&at, theirs, *to),
                    _ => {}
                }
            }
        }
    }

    fn records(&mut self, at: &At, theirs: &Record, ours: &Record) {
        let keyword = if theirs.is_union { "union" } else { "struct" };
        let path = format!("{}: {keyword} {}", at.path, theirs.name);
        let at = self.of.at(Entity::Type, path, theirs.place.as_ref());
        self.of.same(Kind::Name, &at, &theirs.name, &ours.name);
        self.of.same(Kind::Size, &at, &theirs.size, &ours.size);
        self.of.places(&at, theirs.place.as_ref(), ours.place.as_ref());
        let (theirs, ours) = (&theirs.members, &ours.members);
        let named = |member: &Member| member.name.clone();
        // In order; if one is missing, by name, so that later ones do not all differ.
        let pairs = match theirs.len() == ours.len() {
            true => theirs.iter().map(Some).zip(ours.iter().map(Some)).collect(),
            false => paired_nearly(theirs, ours, named, |member: &Member| member.n_bits == Some(0)),
        };
        for (idx, (own, other)) in pairs.into_iter().enumerate() {
            let Some(one) = own.or(other) else { continue };
            let name = if one.name.is_empty() { idx.to_string() } else { one.name.clone() };
            let at = self.of.at(Entity::Member, format!("{}.{name}", at.path), one.place.as_ref());
            match (own, other) {
                (Some(own), Some(other)) => self.members(&at, own, other),
                (Some(own), None) => self.of.differs(Kind::Missing, &at, shown_bits(own), NOTHING),
                (None, Some(other)) => self.of.differs(Kind::Extra, &at, NOTHING, shown_bits(other)),
                (None, None) => {}
            }
        }
    }

    fn members(&mut self, at: &At, theirs: &Member, ours: &Member) {
        self.of.same(Kind::Name, at, &theirs.name, &ours.name);
        // A plain member cannot begin within a byte.
        let first_bit = match (theirs.n_bits, ours.n_bits) {
            (None, Some(_)) => ours.first_bit.div_euclid(8) * 8,
            _ => ours.first_bit,
        };
        self.of.same(Kind::FirstBit, at, &theirs.first_bit, &first_bit);
        self.of.same(Kind::BitSize, at, &shown_bits(theirs), &shown_bits(ours));
        self.of.places(at, theirs.place.as_ref(), ours.place.as_ref());
        self.types(at, theirs.ty, ours.ty);
    }

    fn enumerators(&mut self, at: &At, theirs: &[(String, i64)], ours: &[(String, i64)]) {
        self.of.same(Kind::Number, at, &theirs.len(), &ours.len());
        for ((name, value), (our_name, our_value)) in theirs.iter().zip(ours) {
            let path = format!("{}.{name}", at.path);
            let at = At { of: Entity::Enumerator, path, is_of_header: at.is_of_header };
            self.of.same(Kind::Name, &at, name, our_name);
            self.of.same(Kind::Value, &at, value, our_value);
        }
    }
}
