//! Shrinks a finding: removes parts, one after the other, while the finding persists.
//!
//! All candidates of a step are tried at once, as one unit with renamed copies.

use std::collections::BTreeSet;

use super::levels::Engine;
use super::model::{Member, Record, Scalar, Signature, Ty, Unit};
use super::parse::parse;
use super::verdict::{Level, Outcome, Verdict};
use crate::Failure;

/// The maximum number of steps.
const MAX_ROUNDS: usize = 40;
/// The number of candidates tried at once.
const N_TRIES: usize = 48;

/// Shrinks a unit of one function that differs at the level, or whose record has another layout.
///
/// # Errors
///
/// Like [`Engine::check`].
pub fn shrink(engine: &Engine<'_>, unit: &Unit, level: Level, seed: u64) -> Result<Unit, Failure> {
    let mut smallest = unit.clone();
    for _ in 0..MAX_ROUNDS {
        let mut found = None;
        let all = candidates(&smallest);
        for tries in all.chunks(N_TRIES) {
            let mut together = Unit::default();
            for (idx, candidate) in tries.iter().enumerate() {
                let own = renamed(candidate, &format!("c{idx}_"))?;
                together.enums.extend(own.enums);
                together.records.extend(own.records);
                together.functions.extend(own.functions);
            }
            let outcome = engine.check(&together, seed)?;
            found = (0..tries.len())
                .find(|idx| shows(&outcome, &format!("c{idx}_"), level))
                .map(|idx| tries[idx].clone());
            if found.is_some() {
                break;
            }
        }
        match found {
            Some(candidate) => smallest = candidate,
            None => break,
        }
    }
    Ok(smallest)
}

/// Whether something whose name has this prefix differs at the level.
fn shows(outcome: &Outcome, prefix: &str, level: Level) -> bool {
    let is_it = |verdict: &Verdict| matches!(verdict, Verdict::Differs(_));
    let functions = outcome.functions.iter().filter(|(name, _)| name.starts_with(prefix));
    functions.filter_map(|(_, levels)| levels.get(&level)).any(is_it)
        || level == Level::Layouts
            && outcome.records.iter().any(|(tag, verdict)| tag.starts_with(prefix) && is_it(verdict))
}

/// The same unit with all its names changed.
fn renamed(unit: &Unit, prefix: &str) -> Result<Unit, Failure> {
    let mut names: BTreeSet<&str> = unit.functions.iter().map(|f| f.name.as_str()).collect();
    names.extend(unit.records.iter().map(|record| record.name.as_str()));
    for own in &unit.enums {
        names.insert(&own.name);
        names.extend(own.enumerators.iter().map(|(name, _)| name.as_str()));
    }
    let text = unit.to_string();
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if names.contains(word.as_str()) {
            out.push_str(prefix);
        }
        out.push_str(&word);
        word.clear();
        out.push(c);
    }
    parse(&out)
}

/// The unit with one part removed, for each part, the largest first.
fn candidates(unit: &Unit) -> Vec<Unit> {
    let mut found = Vec::new();
    let Some(function) = unit.functions.first() else { return found };
    let mut with = |function: Signature| {
        let changed = Unit { functions: vec![function], ..unit.clone() };
        found.push(changed.only(|_| true));
    };
    for idx in 0..function.params.len() {
        let mut less = function.clone();
        less.params.remove(idx);
        if less.variadic.is_none() || !less.params.is_empty() {
            with(less);
        }
    }
    if function.returns != Ty::Void {
        with(Signature { returns: Ty::Void, ..function.clone() });
    }
    if let Some(given) = &function.variadic {
        with(Signature { variadic: None, ..function.clone() });
        for idx in 0..given.len() {
            let mut less = given.clone();
            less.remove(idx);
            with(Signature { variadic: Some(less), ..function.clone() });
        }
    }
    if function.is_c {
        with(Signature { is_c: false, ..function.clone() });
    }
    let n_params = function.params.len();
    for idx in 0..=n_params {
        let ty = function.params.get(idx).unwrap_or(&function.returns);
        for simpler in simpler(unit, ty) {
            let mut less = function.clone();
            match less.params.get_mut(idx) {
                Some(param) => *param = simpler,
                None => less.returns = simpler,
            }
            with(less);
        }
    }
    for idx in 0..unit.records.len() {
        for record in smaller(unit, &unit.records[idx]) {
            let mut changed = unit.clone();
            changed.records[idx] = record;
            found.push(changed.only(|_| true));
        }
    }
    found.retain(|candidate| candidate != unit);
    found
}

fn smaller(unit: &Unit, record: &Record) -> Vec<Record> {
    let mut found = Vec::new();
    for idx in 0..record.members.len() {
        let mut less = record.clone();
        less.members.remove(idx);
        found.push(less);
    }
    if !record.attributes.is_empty() {
        found.push(Record { attributes: String::new(), ..record.clone() });
    }
    if record.pack.is_some() {
        found.push(Record { pack: None, ..record.clone() });
    }
    for (idx, member) in record.members.iter().enumerate() {
        let mut with = |member: Member| {
            let mut less = record.clone();
            less.members[idx] = member;
            found.push(less);
        };
        if !member.attributes.is_empty() {
            with(Member { attributes: String::new(), ..member.clone() });
        }
        if member.width.is_none() {
            for ty in simpler(unit, &member.ty) {
                with(Member { ty, ..member.clone() });
            }
        }
        if let Ty::Anonymous(inner) = &member.ty {
            for inner in smaller(unit, inner) {
                with(Member { ty: Ty::Anonymous(Box::new(inner)), ..member.clone() });
            }
            let mut flat = record.clone();
            flat.members.splice(idx..=idx, inner.members.clone());
            found.push(flat);
        }
    }
    found
}

/// Simpler types instead of one.
fn simpler(unit: &Unit, ty: &Ty) -> Vec<Ty> {
    let int = || Scalar::named("int").map_or(Ty::Void, Ty::Scalar);
    match ty {
        Ty::Void | Ty::Scalar(_) | Ty::Anonymous(_) => Vec::new(),
        Ty::Enum(_) | Ty::Pointer(..) => vec![int()],
        Ty::Vector(vector) => vec![int(), Ty::Scalar(vector.element)],
        Ty::Array(element, n) => {
            let one = (*n > 1).then(|| Ty::Array(element.clone(), 1));
            [(**element).clone()].into_iter().chain(one).collect()
        }
        Ty::Record(tag) => {
            let members = unit.record(tag).map_or(&[][..], |record| &record.members);
            let whole = members.iter().filter(|member| member.width.is_none() && member.name.is_some());
            [int()]
                .into_iter()
                .chain(whole.map(|member| member.ty.clone()).filter(|ty| !matches!(ty, Ty::Array(..))))
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_can_be_taken_away() {
        let text = "struct S { int a __attribute__((aligned(8))); struct { char c; }; }; extern \"C\" __device__ S f(S p0, char p1);";
        let unit = parse(text).expect("it is right");
        let texts: Vec<String> = candidates(&unit).iter().map(Unit::to_string).collect();
        for wanted in [
            "f(S p0)",
            "__device__ void f(S p0, char p1)",
            "\n__device__ S f(",
            "{ int a; struct",
            "{ int a __attribute__((aligned(8))); }",
            "int a __attribute__((aligned(8))); char c; }",
            "__device__ S f(int p0, char p1)",
        ] {
            assert!(texts.iter().any(|text| text.contains(wanted)), "{wanted}");
        }
    }

    #[test]
    fn names_are_replaced_as_words() {
        let unit = parse("struct S { int f; }; __device__ int f(S S1, S *p1);").expect("it is right");
        let text = renamed(&unit, "c0_").expect("so is this").to_string();
        assert_eq!(text, "struct c0_S { int c0_f; };\n__device__ int c0_f(c0_S p0, c0_S *p1);\n");
    }
}
