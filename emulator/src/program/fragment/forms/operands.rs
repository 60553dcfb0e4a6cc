//! The operands of an instruction beside those of a form.

use super::fit::{At, Complaint};
use super::{Form, OperandForm, OperandKind, OperandType, Pairing};
use crate::program::agreement::Named;
use crate::program::fragment::names_in;
use crate::program::operand::{Decoded, Name, Names};
use crate::ptx::syntax::{Constant, Operand, Type};

/// The operands of an instruction, and those of its modifiers that stand in slots of the form.
pub(super) struct Operands<'i, 't> {
    pub(super) operands: &'i [Operand<'t>],
    pub(super) words: Vec<&'t str>,
}

/// Why operands do not fit a form.
pub(super) enum Misfit {
    /// So many it has, at least and at most.
    Count(usize, usize),
    /// The operand of that index.
    Operand(usize, String),
}

impl Misfit {
    /// The complaint about operands that fit none of several forms: about the one operand that got furthest.
    pub(super) fn of_all(misfits: Vec<Misfit>, name: &str, n_operands: usize) -> Complaint {
        let (mut least, mut most, mut furthest) = (usize::MAX, 0, None);
        for misfit in misfits {
            match misfit {
                Misfit::Count(from, to) => (least, most) = (least.min(from), most.max(to)),
                Misfit::Operand(idx, message) => {
                    if furthest.as_ref().is_none_or(|(last, _)| *last < idx) {
                        furthest = Some((idx, message));
                    }
                }
            }
        }
        let (at, message) = match furthest {
            Some((idx, message)) => (At::Operand(idx), message),
            None => {
                let count = match (least, most) {
                    (_, 0) => "no operands".to_owned(),
                    (1, 1) => "1 operand".to_owned(),
                    (least, most) if least == most => format!("{least} operands"),
                    (least, most) => format!("{least} to {most} operands"),
                };
                (At::Name, format!("`{name}` takes {count}, and has {n_operands}"))
            }
        };
        Complaint { at, message, words: Vec::new() }
    }
}

impl<'t> Operands<'_, 't> {
    /// Why the operands do not fit a form.
    pub(super) fn misfit(&self, form: &Form, names: &mut Names<'_, 't>) -> Option<Misfit> {
        let operands = self.operands;
        let is_there = |operand: &&OperandForm| operand.with.is_none_or(|word| self.words.contains(&word));
        let wanted: Vec<&OperandForm> = form.operands.iter().filter(is_there).collect();
        let most = wanted.len();
        let least = wanted.iter().filter(|operand| !operand.may_be_missing()).count();
        if !(least..=most).contains(&operands.len()) {
            return Some(Misfit::Count(least, most));
        }
        let mut furthest: Option<(usize, String)> = None;
        for list in lists(&wanted, most - operands.len()) {
            let misfit = list
                .iter()
                .zip(operands)
                .enumerate()
                .find_map(|(idx, (kind, operand))| Some((idx, self.flaw(kind, operand, names)?)));
            let (idx, message) = misfit?;
            if furthest.as_ref().is_none_or(|(last, _)| *last < idx) {
                furthest = Some((idx, message));
            }
        }
        furthest.map(|(idx, message)| Misfit::Operand(idx, message))
    }

    /// What is wrong with an operand.
    fn flaw(&self, kind: &OperandKind, operand: &Operand<'t>, names: &mut Names<'_, 't>) -> Option<String> {
        let mut inner = Vec::new();
        names_in(operand, &mut inner);
        // Of names from outside it is not known what they are, and a register may be a vector.
        let is_register = |name: &&str| matches!(names.find(name), Some(Name::Register { .. }));
        let is_open = !inner.iter().all(is_register) && !inner.iter().all(|name| name.starts_with('%'));
        let is_name = matches!(operand, Operand::Name(_) | Operand::Constant(Constant::Symbol(_)));
        let expected = |what: &str| Some(format!("{what} is expected here"));
        match kind {
            OperandKind::Any => None,
            OperandKind::Address => match operand {
                Operand::Address(address) => match address.base.and_then(|name| names.find(name)) {
                    Some(Name::Register { ty: Type::F16x2 | Type::F32 | Type::F64 | Type::Pred, .. }) => {
                        expected("a register that holds an address")
                    }
                    _ => None,
                },
                Operand::Parts(parts) if parts.len() == 1 => None,
                _ if is_open && is_name => None,
                _ => expected("an address in brackets"),
            },
            OperandKind::Parts if matches!(operand, Operand::Parts(_)) => None,
            OperandKind::Parts => expected("an address and coordinates in brackets"),
            OperandKind::Braces if is_open || matches!(operand, Operand::Vector(_)) => None,
            OperandKind::Braces => expected("a list in braces"),
            OperandKind::Label if matches!(operand, Operand::Name(name) if !name.starts_with('%')) => None,
            OperandKind::Label => expected("a label"),
            OperandKind::Number(ranges) => match operand {
                Operand::Constant(Constant::Int(n))
                    if ranges.is_empty() || ranges.iter().any(|&(from, to)| (from..=to).contains(n)) =>
                {
                    None
                }
                _ if is_open && is_name => None,
                _ => Some(format!("{} is expected here", numbers(ranges))),
            },
            _ if is_open
                && (is_name || !matches!(operand, Operand::Name(_)))
                && !matches!(operand, Operand::Address(_) | Operand::Parts(_)) =>
            {
                None
            }
            OperandKind::Predicate => match operand {
                Operand::Not(name) => message(names.source(&Operand::Name(name), Type::Pred)),
                operand => message(names.source(operand, Type::Pred)),
            },
            OperandKind::Result(ty, pairing) => match operand {
                Operand::Pair(pair) if *pairing != Pairing::Never => {
                    let flaw = self.result_flaw(ty, &pair.0, names);
                    flaw.or_else(|| message(names.result(&pair.1, Type::Pred)))
                }
                _ if *pairing == Pairing::Must => expected("a register and a predicate, `d|p`,"),
                operand => self.result_flaw(ty, operand, names),
            },
            // Of lists ptxas lets some pass.
            OperandKind::Value(ty) if !ty.is_vector && matches!(operand, Operand::Vector(_)) => None,
            OperandKind::Value(ty) => self.value_flaw(ty, operand, names),
        }
    }

    fn result_flaw(
        &self,
        of: &OperandType,
        operand: &Operand<'t>,
        names: &mut Names<'_, 't>,
    ) -> Option<String> {
        let named = names.named;
        self.each_flaw(of, operand, |operand, ty, is_of_any_kind| {
            names.named = if is_of_any_kind { Named::OF_ANY_KIND } else { named };
            match (ty, operand) {
                (_, Operand::Sink) => None,
                (Some(Type::B128), operand) => message(names.wide_pair(operand)),
                (Some(ty), operand) if of.may_be_wider => message(names.wide_result(operand, ty)),
                (Some(ty), operand) => message(names.result(operand, ty)),
                (None, Operand::Name(_)) => None,
                (None, _) => Some("a register is expected for the result".to_owned()),
            }
        })
    }

    fn value_flaw(
        &self,
        of: &OperandType,
        operand: &Operand<'t>,
        names: &mut Names<'_, 't>,
    ) -> Option<String> {
        let named = names.named;
        self.each_flaw(of, operand, |operand, ty, is_of_any_kind| {
            names.named = if is_of_any_kind { Named::OF_ANY_KIND } else { named };
            match ty {
                // ptxas takes constants, too.
                Some(Type::B128) if matches!(operand, Operand::Name(_)) => message(names.wide_pair(operand)),
                Some(Type::B128) => None,
                Some(ty) if of.may_be_wider => message(names.wide_source(operand, ty)),
                Some(ty) => message(names.source(operand, ty)),
                None if matches!(operand, Operand::Name(_) | Operand::Constant(_)) => None,
                None => Some("a register is expected here".to_owned()),
            }
        })
    }

    /// Of one register, or of each of a vector.
    fn each_flaw(
        &self,
        of: &OperandType,
        operand: &Operand<'t>,
        mut flaw: impl FnMut(&Operand<'t>, Option<Type>, bool) -> Option<String>,
    ) -> Option<String> {
        let ty = self.type_of(of);
        if !of.is_vector {
            return flaw(operand, ty, false);
        }
        let n_elements = self.words.iter().find_map(|word| match *word {
            "v2" => Some(2),
            "v4" => Some(4),
            "v8" => Some(8),
            _ => None,
        });
        match (operand, n_elements) {
            (Operand::Vector(elements), n) => {
                let n = n.unwrap_or(1);
                if elements.len() != n {
                    let found = elements.len();
                    return Some(format!("a vector of {n} is expected here, and there are {found}"));
                }
                let is_constant = |element: &&Operand<'_>| matches!(element, Operand::Constant(_));
                // Only their sizes count, and those of constants do not.
                let mut elements = elements.iter().filter(|element| !is_constant(element));
                elements.find_map(|element| flaw(element, ty, of.may_be_wider))
            }
            (_, Some(n)) => Some(format!("a vector of {n} in braces is expected here")),
            (operand, None) => flaw(operand, ty, false),
        }
    }

    fn type_of(&self, of: &OperandType) -> Option<Type> {
        let mut types = self.words.iter().filter_map(|word| Type::named(word));
        match of.name {
            "t" => types.next(),
            "t2" => types.nth(1),
            name => Type::named(name),
        }
    }
}

impl OperandForm {
    /// Where its modifier is, it is there.
    fn may_be_missing(&self) -> bool {
        self.is_optional && self.with.is_none()
    }
}

/// What is left of the operands when so many of those that may be missing are.
fn lists<'f>(operands: &[&'f OperandForm], n_missing: usize) -> Vec<Vec<&'f OperandKind>> {
    let Some((first, rest)) = operands.split_first() else {
        return if n_missing == 0 { vec![Vec::new()] } else { Vec::new() };
    };
    let mut all = lists(rest, n_missing);
    all.iter_mut().for_each(|list| list.insert(0, &first.kind));
    if first.may_be_missing() && n_missing > 0 {
        all.extend(lists(rest, n_missing - 1));
    }
    all
}

fn message<T>(decoded: Decoded<T>) -> Option<String> {
    decoded.err().map(|error| error.message)
}

fn numbers(ranges: &[(u64, u64)]) -> String {
    let texts: Vec<String> = ranges
        .iter()
        .map(
            |&(from, to)| if from == to { from.to_string() } else { format!("a number from {from} to {to}") },
        )
        .collect();
    match &texts[..] {
        [] => "a number".to_owned(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}
