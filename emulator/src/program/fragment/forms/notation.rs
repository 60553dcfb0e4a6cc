//! The notation of forms.
//!
//! ```text
//! # a comment
//! let scope = cta|cluster|gpu|sys
//! let data = (b32|b64 / v2 b64 / v4 b32)
//! mbarrier.arrive  (release|relaxed $scope)? b64 : =_u64, [], u32#1..?
//! ld  global? $data : =<~t>, []
//! cp.async  (ca : [], [], #4|8|16 / cg : [], [], #16), (u32 / !p)?
//! ```
//!
//! A form is a name, modifiers, and behind a colon the operands. A modifier is one word of several, or a list of words that has a name;
//! behind it `?` says that it may be missing, `&` that it is there where the one before it is. Operands are written as
//! [`OperandKind`] says, and may be missing with `?`; `word=>` before one, or `word|word=>`, says that it is there where the modifier is.
//! Parts of an address are written as operands are, with blanks between.
//!
//! A line with `(a / b)` stands for several forms, one with `a` and one with `b`, whatever they are: words that go together, and
//! operands behind their colon, too. `(a)?` is `(a / )`. Such alternatives may have a name as lists of words do.

use std::collections::HashMap;

use super::{
    AddressWidth, Count, Form, LabelKind, List, Numbers, OperandForm, OperandKind, OperandType, Pairing, Slot,
};

/// What `let` names.
#[derive(Default)]
struct Named {
    lists: HashMap<&'static str, Vec<&'static str>>,
    alternatives: HashMap<&'static str, &'static str>,
}

/// The forms of a text, with the numbers of their lines among those that have forms.
pub(super) fn forms(text: &'static str) -> Vec<Form> {
    let mut named = Named::default();
    let (mut forms, mut n_lines) = (Vec::new(), 0);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("let ").and_then(|rest| rest.split_once(" = ")) {
            Some((name, text)) if text.starts_with('(') => {
                let text = with_alternatives(text, &named).leak();
                named.alternatives.insert(name, text);
            }
            Some((name, words)) => {
                let words = words_of(words, &named);
                named.lists.insert(name, words);
            }
            None => {
                forms.extend(spelled(line, &named).into_iter().map(|text| form(text, n_lines, &named)));
                n_lines += 1;
            }
        }
    }
    forms
}

/// The lines without alternatives that a line stands for.
fn spelled(line: &str, named: &Named) -> Vec<&'static str> {
    let line = with_alternatives(line, named);
    // The first that has none within it.
    let Some(close) = line.find(')') else { return vec![line.leak()] };
    let open = line[..close].rfind('(').expect("invariant: what is closed is open");
    let (inner, rest) = (&line[open + 1..close], &line[close + 1..]);
    let (rest, or_nothing) = match rest.strip_prefix('?') {
        Some(rest) => (rest, Some("")),
        None => (rest, None),
    };
    let all = inner.split(" / ").chain(or_nothing);
    all.flat_map(|it| spelled(&format!("{}{it}{rest}", &line[..open]), named)).collect()
}

/// A line with the alternatives that it names.
fn with_alternatives(line: &str, named: &Named) -> String {
    let mut parts = line.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        match named.alternatives.get(&part[..end]) {
            Some(alternatives) => text.extend([alternatives, &part[end..]]),
            None => text.extend(["$", part]),
        }
    }
    text
}

fn form(line: &'static str, number: usize, named: &Named) -> Form {
    let (head, operands) = line.split_once(" :").unwrap_or((line, ""));
    let mut parts = head.split_whitespace();
    let name = parts.next().unwrap_or_default().split('.').collect();
    let slots = parts.map(|part| {
        let words = words_of(part.trim_end_matches(['?', '&']), named);
        let is_with_last = part.ends_with('&');
        Slot { words, is_optional: is_with_last || part.ends_with('?'), is_with_last }
    });
    let operands = operands.split(',').map(str::trim).filter(|operand| !operand.is_empty());
    Form { name, slots: slots.collect(), operands: operands.map(operand).collect(), line: number }
}

fn words_of(text: &'static str, named: &Named) -> Vec<&'static str> {
    let word = |word: &'static str| match word.strip_prefix('$') {
        Some(name) => {
            named.lists.get(name).cloned().unwrap_or_else(|| panic!("invariant: `{name}` is a list"))
        }
        None => vec![word],
    };
    text.trim().split('|').flat_map(word).collect()
}

fn operand(text: &'static str) -> OperandForm {
    let (with, text) = match text.split_once("=>").filter(|_| !text.starts_with('[')) {
        Some((with, text)) => (with.split('|').collect(), text),
        None => (Vec::new(), text),
    };
    let (text, pairing) = match (text.strip_suffix("|p?"), text.strip_suffix("|p")) {
        (Some(text), _) => (text, Pairing::May),
        (_, Some(text)) => (text, Pairing::Must),
        (None, None) => (text, Pairing::Never),
    };
    let is_optional = !with.is_empty() || text.ends_with('?');
    let text = text.strip_suffix('?').unwrap_or(text);
    let parts = text.strip_prefix("[+").and_then(|text| text.strip_suffix(']'));
    let kind = match (text, text.strip_prefix('#'), text.strip_prefix('=')) {
        ("!p", ..) => OperandKind::Predicate,
        ("%", ..) => OperandKind::Register,
        ("_", ..) => OperandKind::Sink,
        ("[]", ..) => OperandKind::Address(AddressWidth::Any),
        ("[~]", ..) => OperandKind::Address(AddressWidth::Bare),
        ("[p]", ..) => OperandKind::Address(AddressWidth::Pointer),
        ("[t]", ..) => OperandKind::Handle,
        ("[32]", ..) => OperandKind::Address(AddressWidth::Tensor),
        ("{}", ..) => OperandKind::Braces,
        ("@", ..) => OperandKind::Label(LabelKind::Place),
        ("@branchtargets", ..) => OperandKind::Label(LabelKind::BranchTargets),
        ("@callee", ..) => OperandKind::Label(LabelKind::Callee),
        ("@callprototype", ..) => OperandKind::Label(LabelKind::Callees),
        ("<>", ..) => OperandKind::Arguments,
        ("*", ..) => OperandKind::Any,
        (_, Some(numbers), _) => OperandKind::Number(numbers_of(numbers)),
        (_, _, Some(result)) => match list(result, Some(pairing)) {
            Some(list) => OperandKind::List(list),
            None => OperandKind::Result(type_of(result), pairing),
        },
        _ => match (parts, list(text, None), text.split_once('#')) {
            (Some(""), ..) => OperandKind::Coordinates(Vec::new()),
            (Some(counts), ..) if !counts.starts_with(' ') => {
                OperandKind::Coordinates(counts.split('|').map(|count| number(count) as usize).collect())
            }
            _ if text.starts_with('[') => OperandKind::Parts(parts_of(text)),
            (_, Some(list), _) => OperandKind::List(list),
            (.., Some((ty, numbers))) => OperandKind::Value(type_of(ty), numbers_of(numbers)),
            _ => OperandKind::Value(type_of(text), Vec::new()),
        },
    };
    OperandForm { kind, is_optional, with }
}

/// `[+ u64 {2 b32}]`
fn parts_of(text: &'static str) -> Vec<OperandForm> {
    let inner = text.trim_start_matches('[').trim_end_matches(']');
    let mut depth = 0_u32;
    let parts = inner.split(move |c| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        c == ' ' && depth == 0
    });
    let address = OperandForm { kind: OperandKind::Any, is_optional: false, with: Vec::new() };
    parts.map(|part| if part == "+" { address.clone() } else { operand(part) }).collect()
}

/// `{4}`, `{4 t}`, `{n/2 t}`, `{d-1 t}`
fn list(text: &'static str, result: Option<Pairing>) -> Option<List> {
    let inner = text.strip_prefix('{')?.strip_suffix('}').filter(|inner| !inner.is_empty())?;
    let (count, ty) = inner.split_once(' ').map_or((inner, None), |(count, ty)| (count, Some(ty)));
    let count = match (count.strip_prefix("n/"), count.strip_prefix("d-")) {
        (Some(divisor), _) => Count::OfShape(number(divisor) as usize),
        (_, Some(less)) => Count::OfDimensions(number(less) as usize),
        (None, None) if count == "d" => Count::OfDimensions(0),
        (None, None) => Count::Fixed(number(count) as usize),
    };
    Some(List { count, ty: ty.map(type_of), result })
}

fn type_of(text: &'static str) -> OperandType {
    let (may_be_sink, text) = text.strip_prefix('_').map_or((false, text), |text| (true, text));
    let inner = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    let (is_vector, text) = inner.map_or((false, text), |inner| (true, inner));
    let (is_register, text) = text.strip_prefix('%').map_or((false, text), |text| (true, text));
    let name = text.strip_prefix('~');
    OperandType {
        name: name.unwrap_or(text),
        may_be_wider: name.is_some(),
        is_vector,
        is_register,
        may_be_sink,
    }
}

/// Without an end there is none, and without a step they are all.
fn numbers_of(text: &str) -> Vec<Numbers> {
    let numbers = |range: &str| {
        let are_powers = range == "2^";
        let range = if are_powers { "1.." } else { range };
        let (range, step) = range.split_once('/').map_or((range, 1), |(range, step)| (range, number(step)));
        let (from, to) = range.split_once("..").unwrap_or((range, range));
        let to = if to.is_empty() { u64::MAX } else { number(to) };
        Numbers { from: number(from), to, step, are_powers }
    };
    text.split('|').filter(|range| !range.is_empty()).map(numbers).collect()
}

/// As the bits of a constant.
fn number(text: &str) -> u64 {
    let number: i64 = text.parse().unwrap_or_else(|_| panic!("invariant: `{text}` is a number"));
    number.cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let slot = |slot: &Slot| slot.words.join("|") + if slot.is_optional { "?" } else { "" };
        let forms = forms(text.to_owned().leak()).into_iter();
        let shown = forms.map(|form| {
            let slots: Vec<String> = form.slots.iter().map(slot).collect();
            format!("{} {}: {} {}", form.line, form.name.join("."), slots.join(" "), form.operands.len())
        });
        shown.collect()
    }

    #[test]
    fn alternatives_are_forms_of_their_own() {
        let text = "let both = (d|e / f)\nx.y  a? (b / c)? : []\nx  $both (g : u32 / h : u32, u32)";
        let expected = [
            "0 x.y: a? b 1",
            "0 x.y: a? c 1",
            "0 x.y: a? 1",
            "1 x: d|e g 1",
            "1 x: d|e h 2",
            "1 x: f g 1",
            "1 x: f h 2",
        ];
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn numbers_have_ends_and_steps() {
        let numbers = |from, to, step| Numbers { from, to, step, are_powers: false };
        assert_eq!(numbers_of("2^"), [Numbers { are_powers: true, ..numbers(1, u64::MAX, 1) }]);
        assert_eq!(numbers_of("0..15|-1"), [numbers(0, 15, 1), numbers(u64::MAX, u64::MAX, 1)]);
        assert_eq!(numbers_of("32../32"), [numbers(32, u64::MAX, 32)]);
        let u32 = type_of("u32");
        assert_eq!((u32.name, u32.may_be_sink, type_of("_u32").may_be_sink), ("u32", false, true));
        let of = |count, ty, result| OperandKind::List(List { count: Count::Fixed(count), ty, result });
        assert_eq!(operand("{4}").kind, of(4, None, None));
        assert_eq!(operand("={2 u32}|p?").kind, of(2, Some(u32.clone()), Some(Pairing::May)));
        assert_eq!(operand("a|b=>u32#1..4").kind, OperandKind::Value(u32, vec![numbers(1, 4, 1)]));
        assert_eq!(operand("a|b=>u32").with, ["a", "b"]);
    }
}
