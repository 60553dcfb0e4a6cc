//! Texts that stand within functions, such as inline assembly: what can be said of one without the rest of its module.
//!
//! Goes in: statements as they stand in a body, with declarations of the registers that come from outside. Comes out: what is
//! no PTX, names that nothing declares, operands that fit no form of their instruction, and the version of PTX that has
//! it all. Forms of instructions that are not executed here are taken: which there are, ptxas knows.
//!
//! - [`forms`]: the forms of instructions that do more than compute
//! - `opcodes`: all instructions by name, and the versions that they came with

pub mod forms;
pub(super) mod opcodes;

use std::collections::HashMap;
use std::ops::Range;

use self::forms::{At, LabelKind, Labels};
use super::agreement::Named;
use super::decode::Decoder;
use super::link::Symbols;
use super::operand::Flaw;
use super::special::{counter, fixed, special};
use super::target::Target;

use crate::compute::video;
use crate::ptx::parse_statements;
use crate::ptx::place::SyntaxError;
use crate::ptx::syntax::{Block, Constant, Instruction, Operand, Space, Statement};

pub use opcodes::{TYPES, VERSION, closed, opcodes};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The bytes of the text that show it.
    pub place: Range<usize>,
    /// A lower-case phrase.
    pub message: String,
    /// What kind of mistake it is.
    pub kind: MistakeKind,
}

/// What kind of mistake it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MistakeKind {
    /// The text is none of PTX's, or operands do not fit.
    Text,
    /// No instruction has the name: it may be a misspelled one of [`opcodes`].
    Opcode(String),
    /// No type has the name: it may be a misspelled one of [`TYPES`].
    Type(String),
    /// The instruction does not have the modifier: it may be a misspelled one of those that it has.
    Modifier {
        /// As it is written.
        name: String,
        /// Those that it has.
        known: Vec<&'static str>,
    },
    /// Nothing in the text declares the name. It may be that of something outside.
    Name(String),
    /// Nothing in the text declares the name, and if it is that of a variable or function outside, it does not belong there.
    Symbol(String),
}

/// What was found out of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// What is wrong, in the order of the text; the first alone of what is no PTX.
    pub mistakes: Vec<Mistake>,
    /// What it declares outside of all braces: others may name it.
    pub declared: Vec<String>,
    /// The lowest version of PTX that has what is known of its instructions, and where the one stands that needs it.
    pub version: Option<((u32, u32), Range<usize>)>,
    /// An instruction of which it is not known.
    pub unknown_version: Option<Range<usize>>,
}

/// Checks a text of a program whose addresses have so many bits.
pub fn check(text: &str, address_bits: u32) -> Checked {
    let block = match parse_statements(text) {
        Ok(block) => block,
        Err(error) => {
            return Checked { mistakes: vec![syntax_mistake(text, &error)], ..Checked::default() };
        }
    };
    let symbols = Symbols::none(Target { version: (99, 0), name: "sm_100a" });
    let mut checker = Checker {
        text,
        decoder: Decoder::new(&symbols),
        scopes: vec![Vec::new()],
        labels: HashMap::new(),
        address_bits,
        found: Checked::default(),
    };
    checker.find_labels(&block);
    checker.found.declared = checker.labels.keys().map(|&label| label.to_owned()).collect();
    for statement in &block.statements {
        checker.statement(statement);
    }
    let declared = checker.scopes[0].iter().map(|scoped| scoped.name.to_owned());
    checker.found.declared.extend(declared);
    checker.found
}

/// A register or variable that the text declares.
#[derive(Clone, Copy)]
struct Scoped<'t> {
    name: &'t str,
    /// How many there are if they are numbered.
    count: Option<u32>,
    is_register: bool,
    is_variable: bool,
}

impl Scoped<'_> {
    fn has(&self, name: &str) -> bool {
        match self.count {
            None => self.name == name,
            Some(count) => name.strip_prefix(self.name).is_some_and(|number| {
                number.parse::<u32>().is_ok_and(|n| n < count && n.to_string() == number)
            }),
        }
    }
}

struct Checker<'s, 't> {
    text: &'t str,
    decoder: Decoder<'s, 't>,
    scopes: Vec<Vec<Scoped<'t>>>,
    labels: Labels<'t>,
    address_bits: u32,
    found: Checked,
}

/// What a name in an operand stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Register,
    /// A variable, or a label.
    Address,
    Other,
    Unknown,
}

impl<'t> Checker<'_, 't> {
    /// Labels are known before they stand.
    fn find_labels(&mut self, block: &Block<'t>) {
        for statement in &block.statements {
            let (label, kind) = match statement {
                Statement::Label(label, _) => (label, LabelKind::Place),
                Statement::BranchTargets(label, ..) => (label, LabelKind::BranchTargets),
                Statement::CallTargets(label, ..) | Statement::CallPrototype(label, ..) => {
                    (label, LabelKind::Callees)
                }
                Statement::Block(block) => {
                    self.find_labels(block);
                    continue;
                }
                Statement::Variable(_)
                | Statement::Instruction(_)
                | Statement::Loc(_)
                | Statement::Pragma(_) => continue,
            };
            self.labels.insert(label, kind);
        }
    }

    fn statement(&mut self, statement: &Statement<'t>) {
        match statement {
            Statement::Variable(variable) => {
                let is_register = variable.space == Space::Reg && self.decoder.variable(variable).is_ok();
                let scoped = Scoped {
                    name: variable.name,
                    count: variable.count,
                    is_register,
                    is_variable: variable.space != Space::Reg,
                };
                if let Some(scope) = self.scopes.last_mut() {
                    let is_twice =
                        scope.iter().any(|other| (other.name, other.count) == (scoped.name, scoped.count));
                    scope.push(scoped);
                    if is_twice {
                        let start = variable.place.0 as usize;
                        let message = format!("redeclaration of `{}`", variable.name);
                        self.report(start..start + variable.name.len(), message, MistakeKind::Text);
                    }
                }
            }
            Statement::Block(block) => {
                self.scopes.push(Vec::new());
                self.decoder.names.enter();
                block.statements.iter().for_each(|statement| self.statement(statement));
                self.decoder.names.leave();
                self.scopes.pop();
            }
            Statement::Instruction(instruction) => self.instruction(instruction),
            Statement::Label(..)
            | Statement::Loc(_)
            | Statement::Pragma(_)
            | Statement::BranchTargets(..)
            | Statement::CallTargets(..)
            | Statement::CallPrototype(..) => {}
        }
    }

    fn instruction(&mut self, instruction: &Instruction<'t>) {
        let opcode = instruction.opcode;
        let start = instruction.place.0 as usize;
        let place = start..start + opcode.len();
        if !opcodes::is_known(opcode) {
            let message = format!("unknown instruction `{opcode}`");
            return self.report(place, message, MistakeKind::Opcode(opcode.to_owned()));
        }
        if let Some(ty) = opcodes::wrong_type(opcode, &instruction.modifiers) {
            let (message, place) = match ty {
                Some(ty) => (format!("unknown type `.{ty}`"), self.place_of(start, ty)),
                None => (format!("`{opcode}` needs a type"), place),
            };
            return self.report(place, message, MistakeKind::Type(ty.unwrap_or_default().to_owned()));
        }
        let mut names = Vec::new();
        names.extend(instruction.guard.iter().map(|guard| guard.name));
        instruction.operands.iter().for_each(|operand| names_in(operand, &mut names));
        let mut are_registers = true;
        let from = start + opcode.len();
        for name in names {
            let meaning = self.meaning(name);
            are_registers &= meaning == Meaning::Register;
            if meaning == Meaning::Unknown {
                let is_guard = instruction.guard.is_some_and(|guard| guard.name == name);
                let place = if is_guard { self.guard_place(start, name) } else { self.place_of(from, name) };
                let what = if name.starts_with('%') { "register " } else { "" };
                let message = format!("{what}`{name}` is not declared");
                self.report(place, message, MistakeKind::Name(name.to_owned()));
            }
        }
        self.note_version(instruction, start..self.end_of_opcode(start));
        if self.has_misplaced_names(instruction) || self.complain(instruction) {
            return;
        }
        // Of a name from outside the type is not known.
        if are_registers
            && let Err(error) = self.decoder.instruction(instruction)
            && is_mistake(error.flaw, instruction)
        {
            let quoted = error.message.split('`').nth(1).map(|name| self.place_of(from, name));
            let is_name = quoted.as_ref().is_some_and(|place| place.start > from);
            let place = quoted.filter(|_| is_name).unwrap_or(start..self.end_of_opcode(start));
            self.report(place, error.message, MistakeKind::Text);
        }
    }

    /// Whether names of variables and labels stand where registers belong, or others where labels do.
    fn has_misplaced_names(&mut self, instruction: &Instruction<'t>) -> bool {
        let takes = Addresses::of(instruction);
        let start = instruction.place.0 as usize;
        let from = start + instruction.opcode.len();
        let mut names = Vec::new();
        instruction.operands.iter().for_each(|operand| values_in(operand, false, &mut names));
        let guard = instruction.guard.map(|guard| guard.name);
        let mut is_wrong = false;
        for (name, is_within) in guard.map(|guard| (guard, true)).into_iter().chain(names) {
            let is_guard = guard == Some(name);
            let (expected, is_value) = match takes {
                _ if is_guard => ("a predicate", true),
                Addresses::Labels => ("a label", is_within),
                Addresses::Any if !is_within => continue,
                Addresses::Any | Addresses::None => ("a register", true),
            };
            let (what, kind) = match self.meaning(name) {
                Meaning::Address if is_value => ("an address", MistakeKind::Text),
                Meaning::Unknown if !name.starts_with('%') => {
                    ("a variable or function", MistakeKind::Symbol(name.to_owned()))
                }
                _ => continue,
            };
            is_wrong |= kind == MistakeKind::Text;
            let place = if is_guard { self.guard_place(start, name) } else { self.place_of(from, name) };
            self.report(place, format!("expected {expected}, but `{name}` is {what}"), kind);
        }
        is_wrong
    }

    /// What is wrong with the form of an instruction.
    fn complain(&mut self, instruction: &Instruction<'t>) -> bool {
        let names = &mut self.decoder.names;
        names.named = Named::by(instruction.opcode, &instruction.modifiers);
        let Some(complaint) = forms::complaint(instruction, names, &self.labels, self.address_bits) else {
            return false;
        };
        let start = instruction.place.0 as usize;
        let (name, from) = (start..self.end_of_opcode(start), self.end_of_opcode(start));
        let (place, kind) = match complaint.at {
            At::Name => (name, MistakeKind::Text),
            At::Word(idx) => {
                let before = instruction.modifiers[..idx].iter().map(|word| word.len() + 1).sum::<usize>();
                let word = instruction.modifiers[idx];
                let place = self.place_of(start + instruction.opcode.len() + before, word);
                let kind = MistakeKind::Modifier { name: word.to_owned(), known: complaint.words };
                (if place.is_empty() { name } else { place }, kind)
            }
            At::Operand(idx) => (self.operand_place(from, idx), MistakeKind::Text),
        };
        self.report(place, complaint.message, kind);
        true
    }

    /// Where an operand stands.
    fn operand_place(&self, from: usize, idx: usize) -> Range<usize> {
        let (mut depth, mut n_before, mut start) = (0_usize, 0, from);
        let mut end = self.text.len();
        for (at, byte) in self.text.bytes().enumerate().skip(from) {
            match byte {
                b'[' | b'{' | b'(' => depth += 1,
                b']' | b'}' | b')' => depth = depth.saturating_sub(1),
                b',' if depth == 0 && n_before == idx => {
                    end = at;
                    break;
                }
                b',' if depth == 0 => (n_before, start) = (n_before + 1, at + 1),
                b';' => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        let operand = &self.text[start..end];
        let start = start + (operand.len() - operand.trim_start().len());
        start..start + operand.trim().len()
    }

    fn report(&mut self, place: Range<usize>, message: String, kind: MistakeKind) {
        self.found.mistakes.push(Mistake { place, message, kind });
    }

    fn note_version(&mut self, instruction: &Instruction<'t>, place: Range<usize>) {
        let needed = opcodes::version(instruction.opcode, &instruction.modifiers);
        if !needed.is_sure {
            self.found.unknown_version.get_or_insert(place.clone());
        }
        if self.found.version.as_ref().is_none_or(|(least, _)| *least < needed.version) {
            self.found.version = Some((needed.version, place));
        }
    }

    fn meaning(&self, name: &str) -> Meaning {
        if let Some(scoped) = self.scopes.iter().rev().flatten().find(|scoped| scoped.has(name)) {
            return match scoped {
                Scoped { is_register: true, .. } => Meaning::Register,
                Scoped { is_variable: true, .. } => Meaning::Address,
                _ => Meaning::Other,
            };
        }
        let is_special = ["x"].map(Some).into_iter().chain([None]).any(|part| {
            special(name, part).is_some() || fixed(name, part).is_some() || counter(name).is_some()
        });
        match name {
            _ if is_special => Meaning::Register,
            "WARP_SZ" => Meaning::Other,
            _ if self.labels.contains_key(name) => Meaning::Address,
            _ => Meaning::Unknown,
        }
    }

    /// Where a word stands, from a place on; that place if it does not.
    fn place_of(&self, from: usize, word: &str) -> Range<usize> {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%');
        let bytes = self.text.as_bytes();
        let mut at = from;
        while let Some(found) = self.text[at..].find(word).map(|found| at + found) {
            let end = found + word.len();
            let goes_on =
                found > 0 && is_word(bytes[found - 1]) || bytes.get(end).copied().is_some_and(is_word);
            if !goes_on && !word.is_empty() {
                return found..end;
            }
            at = end.max(at + 1);
            if !self.text.is_char_boundary(at) {
                break;
            }
        }
        from..from
    }

    /// The predicate of an instruction stands before it.
    fn guard_place(&self, start: usize, name: &str) -> Range<usize> {
        match self.text[..start].rfind(name) {
            Some(at) => at..at + name.len(),
            None => start..start,
        }
    }

    fn end_of_opcode(&self, start: usize) -> usize {
        let rest = &self.text.as_bytes()[start..];
        let len = rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b';');
        start + len.unwrap_or(rest.len())
    }
}

/// Whether no other program could take the instruction either.
fn is_mistake(flaw: Flaw, instruction: &Instruction<'_>) -> bool {
    match flaw {
        Flaw::Misfit => match instruction.opcode {
            // ptxas does not look at all that stands behind a place.
            "tex" | "tld4" => instruction.operands.len() <= 2,
            // The forms say what the level is.
            "txq" => !instruction.modifiers.contains(&"level"),
            "mma" | "wmma" | "ldmatrix" | "stmatrix" | "suq" | "sured" => true,
            // The forms say what operands there are.
            opcode => opcodes::is_closed(opcode) || video::is_known(opcode),
        },
        Flaw::UnknownForm => opcodes::is_no_form(instruction.opcode, &instruction.modifiers),
        Flaw::Other => false,
    }
}

/// What an instruction takes names of variables, functions and labels for, beside addresses in brackets (asked of ptxas).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Addresses {
    /// Nothing.
    None,
    /// A value.
    Any,
    /// Where to go on.
    Labels,
}

impl Addresses {
    fn of(instruction: &Instruction<'_>) -> Self {
        match (instruction.opcode, instruction.modifiers.first()) {
            ("cvta", Some(&"to")) => Addresses::None,
            ("mov" | "cvta" | "mapa" | "getctarank" | "call", _) => Addresses::Any,
            ("cp", _) if instruction.modifiers.contains(&"tensor") => Addresses::Any,
            ("bra" | "brx", _) => Addresses::Labels,
            _ => Addresses::None,
        }
    }
}

/// The names of an operand whose values count, and whether each stands in a list.
fn values_in<'t>(operand: &Operand<'t>, is_within: bool, names: &mut Vec<(&'t str, bool)>) {
    match operand {
        Operand::Name(name) | Operand::Not(name) => names.push((name, is_within)),
        Operand::Negated(inner) => values_in(inner, is_within, names),
        Operand::Pair(pair) => {
            values_in(&pair.0, is_within, names);
            values_in(&pair.1, is_within, names);
        }
        Operand::Vector(elements) => elements.iter().for_each(|element| values_in(element, true, names)),
        Operand::Parts(parts) => {
            let lists = parts.iter().filter(|part| matches!(part, Operand::Vector(_)));
            lists.for_each(|list| values_in(list, true, names));
        }
        // The index; what it is an element of is an address.
        Operand::Element(_, index) => values_in(index, true, names),
        // Parameters of calls are variables.
        Operand::List(_) | Operand::Address(_) | Operand::Part(..) | Operand::Constant(_) | Operand::Sink => {
        }
    }
}

/// The names of an operand that something declares.
pub(super) fn names_in<'t>(operand: &Operand<'t>, names: &mut Vec<&'t str>) {
    match operand {
        Operand::Name(name) | Operand::Part(name, _) | Operand::Not(name) => names.push(name),
        Operand::Constant(Constant::Symbol(address)) => names.push(address.name),
        Operand::Address(address) => names.extend(address.base),
        Operand::Negated(inner) => names_in(inner, names),
        Operand::Element(name, index) => {
            names.push(name);
            names_in(index, names);
        }
        Operand::Pair(pair) => {
            names_in(&pair.0, names);
            names_in(&pair.1, names);
        }
        Operand::Vector(operands) | Operand::List(operands) | Operand::Parts(operands) => {
            operands.iter().for_each(|operand| names_in(operand, names));
        }
        Operand::Constant(Constant::Int(_) | Constant::F32(_) | Constant::F64(_)) | Operand::Sink => {}
    }
}

/// What the parser says, where people look for it.
fn syntax_mistake(text: &str, error: &SyntaxError) -> Mistake {
    let at = (error.place.0 as usize).min(text.len());
    let kind = MistakeKind::Text;
    let before = text[..at].trim_end();
    if text[at..].starts_with('}') && error.message.starts_with("expected a statement") {
        return Mistake { place: at..at + 1, message: "unmatched `}`".to_owned(), kind };
    }
    if at == text.len()
        && let Some(open) = unclosed_brace(text)
    {
        return Mistake { place: open..open + 1, message: "unmatched `{`".to_owned(), kind };
    }
    // What is missing belongs behind what stands before, and not to the next line.
    let is_on_next_line = text[before.len()..at].contains('\n') || at == text.len();
    if is_on_next_line && error.message.starts_with("expected `;`") && !before.is_empty() {
        let last = before.char_indices().next_back().map_or(0, |(last, _)| last);
        return Mistake {
            place: last..before.len(),
            message: "expected `;` after the instruction".to_owned(),
            kind,
        };
    }
    let rest = &text[at..];
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let len = match rest.char_indices().skip(1).find(|&(_, c)| !is_word(c)) {
        Some((end, _)) if rest.starts_with(|c: char| is_word(c) || matches!(c, '%' | '.')) => end,
        None => rest.len(),
        _ => rest.chars().next().map_or(0, char::len_utf8),
    };
    Mistake { place: at..at + len, message: error.message.clone(), kind }
}

/// The last `{` that nothing closes. Comments are not looked at.
fn unclosed_brace(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open.push(at),
            b'}' => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}

#[cfg(test)]
mod tests;
