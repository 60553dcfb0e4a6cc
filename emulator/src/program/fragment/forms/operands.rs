//! The operands of an instruction beside those of a form.

use super::fit::{At, Complaint};
use super::{
    AddressWidth, Count, Form, LabelKind, Labels, List, Numbers, OperandForm, OperandKind, OperandType,
    Pairing,
};
use crate::program::agreement::Named;
use crate::program::fragment::names_in;
use crate::program::layout::size_of;
use crate::program::operand::{Decoded, InstructionDecoder, Name};
use crate::ptx::syntax::{Constant, Operand, Type};

/// The operands of an instruction, and those of its modifiers that stand in slots of the form.
pub(super) struct Operands<'i, 't> {
    pub(super) operands: &'i [Operand<'t>],
    pub(super) words: Vec<&'t str>,
    pub(super) labels: &'i Labels<'t>,
    pub(super) address_bits: u32,
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
                (At::Name, format!("`{name}` takes {count}, found {n_operands}"))
            }
        };
        Complaint { at, message, words: Vec::new() }
    }
}

impl<'t> Operands<'_, 't> {
    /// Why the operands do not fit a form.
    pub(super) fn misfit(&self, form: &Form, names: &mut InstructionDecoder<'_, 't>) -> Option<Misfit> {
        let operands = self.operands;
        let wanted = self.wanted(&form.operands);
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

    /// Those that are there with the modifiers.
    fn wanted<'f>(&self, operands: &'f [OperandForm]) -> Vec<&'f OperandForm> {
        let applies = |operand: &&OperandForm| {
            operand.with.is_empty() || operand.with.iter().any(|word| self.words.contains(word))
        };
        operands.iter().filter(applies).collect()
    }

    /// What is wrong with an operand.
    fn flaw(
        &self,
        kind: &OperandKind,
        operand: &Operand<'t>,
        names: &mut InstructionDecoder<'_, 't>,
    ) -> Option<String> {
        let is_open = is_open(operand, names);
        let is_name = matches!(operand, Operand::Name(_) | Operand::Constant(Constant::Symbol(_)));
        match kind {
            OperandKind::Any => None,
            OperandKind::Address(width) => match operand {
                Operand::Address(address) => {
                    let base = address.base.and_then(|name| names.find(name));
                    self.address_flaw(base, *width)
                }
                Operand::Parts(parts) if parts.len() == 1 => None,
                Operand::Element(..) => None,
                Operand::Name(name) if *width == AddressWidth::Bare => match names.find(name) {
                    Some(Name::Register { ty: Type::Pred, .. }) => expected("an address"),
                    _ => None,
                },
                // ptxas takes numbers with a point.
                Operand::Constant(Constant::F32(_) | Constant::F64(_) | Constant::Symbol(_))
                    if *width == AddressWidth::Bare =>
                {
                    None
                }
                _ if is_open && is_name => None,
                _ => expected("an address in brackets"),
            },
            OperandKind::Handle => match operand {
                Operand::Address(address) if address.offset != 0 => {
                    expected("a texture or surface without an offset")
                }
                operand => self.flaw(&OperandKind::Address(AddressWidth::Any), operand, names),
            },
            OperandKind::Parts(wanted) => self.parts_flaw(&self.wanted(wanted), operand, names),
            OperandKind::Coordinates(counts) => match operand {
                Operand::Parts(parts) => coordinates_flaw(parts, counts),
                _ => expected("an address and coordinates in brackets"),
            },
            OperandKind::Braces if is_open || matches!(operand, Operand::Vector(_)) => None,
            OperandKind::Braces => expected("a list in braces"),
            OperandKind::List(list) => match operand {
                operand
                    if is_open
                        && is_name
                        && !matches!(operand, Operand::Name(name) if name.starts_with('%')) =>
                {
                    None
                }
                operand => self.list_flaw(list, operand, names),
            },
            OperandKind::Label(kind) => self.label_flaw(*kind, operand),
            OperandKind::Arguments if matches!(operand, Operand::List(_)) => None,
            OperandKind::Arguments => expected("a list in parentheses"),
            OperandKind::Number(ranges) => match operand {
                Operand::Constant(Constant::Int(n)) if Numbers::have(ranges, *n) => None,
                _ if is_open && is_name => None,
                _ => Some(format!("expected {}", numbers(ranges))),
            },
            OperandKind::Sink if *operand == Operand::Sink => None,
            OperandKind::Sink => expected("`_`"),
            OperandKind::Register => match operand {
                Operand::Name(name) if !self.labels.contains_key(name) => None,
                Operand::Part(..) => None,
                _ => expected("a register"),
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
            OperandKind::Result(ty, pairing) => {
                let result = match operand {
                    Operand::Pair(pair) => &pair.0,
                    result => result,
                };
                if *result == Operand::Sink && !ty.may_be_sink {
                    return expected("a register");
                }
                self.paired_flaw(*pairing, operand, names, |operand, names| {
                    self.result_flaw(ty, operand, names)
                })
            }
            OperandKind::Value(ty, ranges) => match operand {
                Operand::Constant(Constant::Int(n)) if !ranges.is_empty() && !Numbers::have(ranges, *n) => {
                    Some(format!("expected {}", numbers(ranges)))
                }
                Operand::Constant(_) if ty.is_register => expected("a register"),
                Operand::Name(name) if ty.name == "a" => match names.find(name) {
                    Some(Name::Register { ty, .. }) if self.is_narrow(ty) => self.narrow_flaw(),
                    _ => self.value_flaw(ty, operand, names),
                },
                operand => self.value_flaw(ty, operand, names),
            },
        }
    }

    /// What is wrong with a result, and with the predicate beside it.
    fn paired_flaw(
        &self,
        pairing: Pairing,
        operand: &Operand<'t>,
        names: &mut InstructionDecoder<'_, 't>,
        flaw: impl FnOnce(&Operand<'t>, &mut InstructionDecoder<'_, 't>) -> Option<String>,
    ) -> Option<String> {
        match operand {
            Operand::Pair(pair) if pairing != Pairing::Never => {
                let found = flaw(&pair.0, names);
                found.or_else(|| message(names.result(&pair.1, Type::Pred)))
            }
            _ if pairing == Pairing::Must => expected("a register and a predicate, `d|p`,"),
            operand => flaw(operand, names),
        }
    }

    /// What is wrong with the register that holds an address.
    fn address_flaw(&self, base: Option<Name>, width: AddressWidth) -> Option<String> {
        let Some(Name::Register { ty, .. }) = base else { return None };
        match width {
            _ if matches!(ty, Type::F16x2 | Type::F32 | Type::F64 | Type::Pred) => {
                expected("a register that holds an address")
            }
            AddressWidth::Tensor if size_of(ty) != 4 => {
                expected("an address of 32 bits, as in tensor memory")
            }
            AddressWidth::Pointer if self.is_narrow(ty) && !self.names_small_space() => self.narrow_flaw(),
            AddressWidth::Any | AddressWidth::Bare | AddressWidth::Pointer | AddressWidth::Tensor => None,
        }
    }

    fn is_narrow(&self, ty: Type) -> bool {
        8 * size_of(ty) < u64::from(self.address_bits)
    }

    fn narrow_flaw(&self) -> Option<String> {
        expected(&format!("an address of {} bits", self.address_bits))
    }

    /// Whether a modifier names a space of which ptxas takes addresses of 32 bits.
    fn names_small_space(&self) -> bool {
        let is_small = |word: &&str| {
            let space = word.split("::").next().unwrap_or(word);
            matches!(space, "shared" | "local" | "const" | "param")
        };
        self.words.iter().any(is_small)
    }

    fn parts_flaw(
        &self,
        wanted: &[&OperandForm],
        operand: &Operand<'t>,
        names: &mut InstructionDecoder<'_, 't>,
    ) -> Option<String> {
        let parts = match operand {
            Operand::Parts(parts) => &parts[..],
            Operand::Address(_) => std::slice::from_ref(operand),
            _ => return expected("an address in brackets"),
        };
        if parts.len() != wanted.len() {
            let (wanted, found) = (wanted.len(), parts.len());
            return Some(format!("expected an address of {wanted} parts, found {found}"));
        }
        wanted.iter().zip(parts).find_map(|(form, part)| self.flaw(&form.kind, part, names))
    }

    fn list_flaw(
        &self,
        list: &List,
        operand: &Operand<'t>,
        names: &mut InstructionDecoder<'_, 't>,
    ) -> Option<String> {
        let pairing = list.result.unwrap_or(Pairing::Never);
        self.paired_flaw(pairing, operand, names, |operand, names| {
            let count = self.count(list.count)?;
            let Operand::Vector(elements) = operand else {
                return Some(format!("expected a vector of {count} in braces"));
            };
            if elements.len() != count {
                let found = elements.len();
                return Some(format!("expected a vector of {count}, found {found}"));
            }
            let ty = list.ty.as_ref()?;
            elements.iter().find_map(|element| match element {
                element if is_open(element, names) => None,
                element if list.result.is_some() => self.result_flaw(ty, element, names),
                // What constants are, ptxas does not look at.
                Operand::Constant(_) => None,
                element => self.value_flaw(ty, element, names),
            })
        })
    }

    /// How many registers a list has.
    fn count(&self, count: Count) -> Option<usize> {
        match count {
            Count::Fixed(count) => Some(count),
            Count::OfShape(divisor) => {
                let mut shapes = self.words.iter().filter_map(|word| word.strip_prefix("m64n"));
                let columns: usize = shapes.next()?.split('k').next()?.parse().ok()?;
                Some(columns / divisor)
            }
            Count::OfDimensions(less) => {
                let number = |word: &&str| word.strip_suffix('d')?.parse::<usize>().ok();
                self.words.iter().find_map(number)?.checked_sub(less)
            }
        }
    }

    /// Of a name from outside it is not known what it is.
    fn label_flaw(&self, wanted: LabelKind, operand: &Operand<'t>) -> Option<String> {
        let what = match wanted {
            LabelKind::Place => "a label",
            LabelKind::BranchTargets => "a label of `.branchtargets`",
            LabelKind::Callee => "the name of a function",
            LabelKind::Callees => "a label of `.calltargets` or `.callprototype`",
        };
        match operand {
            Operand::Name(name) if !name.starts_with('%') => match self.labels.get(name) {
                Some(kind) if *kind != wanted => expected(what),
                _ => None,
            },
            Operand::Constant(Constant::Symbol(_)) => None,
            _ => expected(what),
        }
    }

    fn result_flaw(
        &self,
        of: &OperandType,
        operand: &Operand<'t>,
        names: &mut InstructionDecoder<'_, 't>,
    ) -> Option<String> {
        let named = of.named(names.named);
        let before = names.named;
        let flaw = self.each_flaw(of, operand, |operand, ty, is_of_any_kind| {
            names.named = if is_of_any_kind { Named::OF_ANY_KIND } else { named };
            match (ty, operand) {
                (_, Operand::Sink) => None,
                (Some(Type::B128), operand) => message(names.wide_pair(operand)),
                (Some(ty), operand) if of.may_be_wider => message(names.wide_result(operand, ty)),
                (Some(ty), operand) => message(names.result(operand, ty)),
                (None, Operand::Name(_)) => None,
                (None, _) => Some("expected a register for the result".to_owned()),
            }
        });
        names.named = before;
        flaw
    }

    fn value_flaw(
        &self,
        of: &OperandType,
        operand: &Operand<'t>,
        names: &mut InstructionDecoder<'_, 't>,
    ) -> Option<String> {
        let named = of.named(names.named);
        let before = names.named;
        let flaw = self.each_flaw(of, operand, |operand, ty, is_of_any_kind| {
            names.named = if is_of_any_kind { Named::OF_ANY_KIND } else { named };
            match ty {
                // ptxas takes constants, too.
                Some(Type::B128) if matches!(operand, Operand::Name(_)) => message(names.wide_pair(operand)),
                Some(Type::B128) if matches!(operand, Operand::Constant(_)) => None,
                Some(Type::B128) => expected("a register of 128 bits"),
                Some(ty) if of.may_be_wider => message(names.wide_source(operand, ty)),
                Some(ty) => message(names.source(operand, ty)),
                None if matches!(operand, Operand::Name(_) | Operand::Constant(_)) => None,
                None => expected("a register"),
            }
        });
        names.named = before;
        flaw
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
            return match operand {
                Operand::Vector(_) => expected("a register"),
                operand => flaw(operand, ty, false),
            };
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
                    return Some(format!("expected a vector of {n}, found {found}"));
                }
                let counts = |&(idx, element): &(usize, &Operand<'_>)| match (element, ty) {
                    // Only their sizes count, and those of constants do not.
                    (Operand::Constant(_), _) if of.may_be_wider => false,
                    // The first says what they all are.
                    (
                        Operand::Constant(constant),
                        Some(Type::F16 | Type::Bf16 | Type::F16x2 | Type::Bf16x2),
                    ) => idx == 0 && !matches!(constant, Constant::Int(_)),
                    (Operand::Constant(_), ty) => ty == Some(Type::F32),
                    _ => true,
                };
                let mut elements = elements.iter().enumerate().filter(counts);
                elements.find_map(|(_, element)| flaw(element, ty, of.may_be_wider))
            }
            (_, Some(n)) => Some(format!("expected a vector of {n} in braces")),
            (operand, None) => flaw(operand, ty, false),
        }
    }

    fn type_of(&self, of: &OperandType) -> Option<Type> {
        let mut types = self.words.iter().filter_map(|word| Type::named(word));
        match of.name {
            "t" | "a" => types.next(),
            "t2" => types.nth(1),
            name => Type::named(name),
        }
    }
}

impl OperandForm {
    /// Where its modifier is, it is there.
    fn may_be_missing(&self) -> bool {
        self.is_optional && self.with.is_empty()
    }
}

impl OperandType {
    /// A type that the form says is that alone, whatever the instruction names.
    fn named(&self, by_instruction: Named) -> Named {
        match self.name {
            "t" | "t2" | "a" => by_instruction,
            name => Named::by("", &[name]),
        }
    }
}

impl Numbers {
    fn have(ranges: &[Numbers], n: u64) -> bool {
        let has = |range: &Numbers| {
            (range.from..=range.to).contains(&n)
                && n.is_multiple_of(range.step)
                && (!range.are_powers || n.is_power_of_two())
        };
        ranges.is_empty() || ranges.iter().any(has)
    }
}

/// Of names from outside it is not known what they are, and a register may be a vector.
fn is_open(operand: &Operand<'_>, names: &InstructionDecoder<'_, '_>) -> bool {
    let mut inner = Vec::new();
    names_in(operand, &mut inner);
    let is_register = |name: &&str| matches!(names.find(name), Some(Name::Register { .. }));
    !inner.iter().all(is_register) && !inner.iter().all(|name| name.starts_with('%'))
}

/// What is wrong with the coordinates behind an address.
fn coordinates_flaw(parts: &[Operand<'_>], counts: &[usize]) -> Option<String> {
    let Some(Operand::Vector(coordinates)) = parts.last() else { return None };
    let found = coordinates.len();
    if counts.is_empty() || counts.contains(&found) {
        return None;
    }
    let ranges: Vec<Numbers> = counts
        .iter()
        .map(|&n| n as u64)
        .map(|n| Numbers { from: n, to: n, step: 1, are_powers: false })
        .collect();
    let plural = if counts == [1] { "coordinate" } else { "coordinates" };
    Some(format!("expected {} {plural}, found {found}", numbers(&ranges)))
}

fn expected(what: &str) -> Option<String> {
    Some(format!("expected {what}"))
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

fn numbers(ranges: &[Numbers]) -> String {
    let text =
        |&Numbers { from, to, step, are_powers }: &Numbers| match (from == to, to == u64::MAX, step == 1) {
            _ if are_powers => "a power of two".to_owned(),
            (true, ..) => from.cast_signed().to_string(),
            (_, true, true) => format!("a number of at least {from}"),
            (_, true, false) if from == 0 => format!("a multiple of {step}"),
            (_, true, false) => format!("a multiple of {step} of at least {from}"),
            (_, false, true) => format!("a number from {from} to {to}"),
            (_, false, false) => format!("a multiple of {step} from {from} to {to}"),
        };
    let texts: Vec<String> = ranges.iter().map(text).collect();
    match &texts[..] {
        [] => "a number".to_owned(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}
