//! The notation of forms.
//!
//! ```text
//! # a comment
//! let scope = cta|cluster|gpu|sys
//! mbarrier.arrive  release|relaxed? $scope? b64 : =b64, [], u32?
//! ```
//!
//! A form is a name, modifiers, and behind a colon the operands. A modifier is one word of several, or a list of words that has a name;
//! behind it `?` says that it may be missing, `&` that it is there where the one before it is. Operands are written as
//! [`OperandKind`] says, and may be missing with `?`; `word=>` before one says that it is there where the modifier is.

use std::collections::HashMap;

use super::{Form, OperandForm, OperandKind, OperandType, Pairing, Slot};

/// The forms of a text.
pub(super) fn forms(text: &'static str) -> Vec<Form> {
    let mut lists: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut forms = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((name, words)) = line.strip_prefix("let ").and_then(|rest| rest.split_once(" = ")) {
            let words = words_of(words, &lists);
            lists.insert(name, words);
            continue;
        }
        forms.push(form(line, &lists));
    }
    forms
}

fn form(line: &'static str, lists: &HashMap<&str, Vec<&'static str>>) -> Form {
    let (head, operands) = line.split_once(" :").unwrap_or((line, ""));
    let mut parts = head.split_whitespace();
    let name = parts.next().unwrap_or_default().split('.').collect();
    let slots = parts.map(|part| {
        let words = words_of(part.trim_end_matches(['?', '&']), lists);
        let is_with_last = part.ends_with('&');
        Slot { words, is_optional: is_with_last || part.ends_with('?'), is_with_last }
    });
    let operands = operands.split(',').map(str::trim).filter(|operand| !operand.is_empty());
    Form { name, slots: slots.collect(), operands: operands.map(operand).collect() }
}

fn words_of(text: &'static str, lists: &HashMap<&str, Vec<&'static str>>) -> Vec<&'static str> {
    let word = |word: &'static str| match word.strip_prefix('$') {
        Some(name) => lists.get(name).cloned().unwrap_or_else(|| panic!("invariant: `{name}` is a list")),
        None => vec![word],
    };
    text.trim().split('|').flat_map(word).collect()
}

fn operand(text: &'static str) -> OperandForm {
    let (with, text) = text.split_once("=>").map_or((None, text), |(with, text)| (Some(with), text));
    let (text, pairing) = match (text.strip_suffix("|p?"), text.strip_suffix("|p")) {
        (Some(text), _) => (text, Pairing::May),
        (_, Some(text)) => (text, Pairing::Must),
        (None, None) => (text, Pairing::Never),
    };
    let is_optional = with.is_some() || text.ends_with('?');
    let text = text.strip_suffix('?').unwrap_or(text);
    let kind = match text {
        "!p" => OperandKind::Predicate,
        "[]" => OperandKind::Address,
        "[+]" => OperandKind::Parts,
        "{}" => OperandKind::Braces,
        "@" => OperandKind::Label,
        "*" => OperandKind::Any,
        _ => match (text.strip_prefix('#'), text.strip_prefix('=')) {
            (Some(numbers), _) => OperandKind::Number(numbers_of(numbers)),
            (_, Some(result)) => OperandKind::Result(type_of(result), pairing),
            _ => OperandKind::Value(type_of(text)),
        },
    };
    OperandForm { kind, is_optional, with }
}

fn type_of(text: &'static str) -> OperandType {
    let inner = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    let (is_vector, text) = inner.map_or((false, text), |inner| (true, inner));
    let name = text.strip_prefix('~');
    OperandType { name: name.unwrap_or(text), may_be_wider: name.is_some(), is_vector }
}

fn numbers_of(text: &str) -> Vec<(u64, u64)> {
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("invariant: `{text}` is a number"));
    let range = |range: &str| match range.split_once("..") {
        Some((from, to)) => (number(from), number(to)),
        None => (number(range), number(range)),
    };
    text.split('|').filter(|range| !range.is_empty()).map(range).collect()
}
