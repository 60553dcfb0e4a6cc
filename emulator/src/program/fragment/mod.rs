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
                        let message = format!("`{}` is declared twice", variable.name);
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
                Some(ty) => (format!("`.{ty}` is not a type of PTX"), self.place_of(start, ty)),
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
                Meaning::Address if is_value => ("no register", MistakeKind::Text),
                Meaning::Unknown if !name.starts_with('%') => {
                    ("a variable or function", MistakeKind::Symbol(name.to_owned()))
                }
                _ => continue,
            };
            is_wrong |= kind == MistakeKind::Text;
            let place = if is_guard { self.guard_place(start, name) } else { self.place_of(from, name) };
            self.report(place, format!("{expected} is expected here, and `{name}` is {what}"), kind);
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
        return Mistake { place: at..at + 1, message: "this `}` closes nothing".to_owned(), kind };
    }
    if at == text.len()
        && let Some(open) = unclosed_brace(text)
    {
        return Mistake { place: open..open + 1, message: "this `{` is not closed".to_owned(), kind };
    }
    // What is missing belongs behind what stands before, and not to the next line.
    let is_on_next_line = text[before.len()..at].contains('\n') || at == text.len();
    if is_on_next_line && error.message.starts_with("expected `;`") && !before.is_empty() {
        let last = before.char_indices().next_back().map_or(0, |(last, _)| last);
        return Mistake {
            place: last..before.len(),
            message: "expected `;` behind the instruction".to_owned(),
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
mod tests {
    use super::*;

    const REGISTERS: &str = ".reg .b32 %r0, %r1; .reg .b64 %l; .reg .f32 %f; .reg .b16 %h; .reg .pred %p; ";

    /// What is found in a text behind some registers: the texts of the places, and the messages.
    fn mistakes(text: &str) -> Vec<(String, String)> {
        let text = format!("{REGISTERS}{text}");
        let found = check(&text, 64).mistakes;
        let found = found.into_iter().filter(|mistake| !matches!(mistake.kind, MistakeKind::Symbol(_)));
        found.map(|m| (text[m.place].to_owned(), m.message)).collect()
    }

    fn mistake(text: &str) -> (String, String) {
        let mut found = mistakes(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found.remove(0)
    }

    #[test]
    fn what_is_right_is_taken() {
        let texts = [
            "add.s32 %r0, %r1, 1;",
            "{ .reg .pred p; setp.lt.s32 p, %r0, 0; @p bra L; @!p mov.u32 %r0, %tid.x; L: }",
            "mov.u32 %r0, %laneid; mov.u64 %l, %globaltimer; mov.u32 %r1, WARP_SZ;",
            "{ .reg .b32 t<3>; mov.b64 {t0, t2}, %l; fma.rn.f32 %f, %f, 0f3F800000, %f; }",
            "ld.global.v2.u32 {%r0, %r1}, [%l+-8]; cvt.u16.u32 %h, %r0;",
            "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r0], %r1;",
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f, %f, %f, %f}, %l, %l, 1, 1, 1, 0, 0;",
            "// nothing\n/* at all */",
            "add.rn.f32x2 %l, %l, %l; min.NaN.f32 %f, %f, %f; bar.sync 0;",
            // ptxas takes modifiers in any order.
            "add.f32.rn %f, %f, 1.0; setp.s32.lt %p, %r0, 1; add.s32.sat %r0, %r1, 1; cvt.sat.rzi.u32.f32 %r0, %f;",
            "mov.b32 %r0, 0f3F800000; selp.f32 %f, 1.0, %f, 1; atom.global.add.u32 _, [%l], 1; mov.b64 {%r0, _}, %l;",
            "{ .reg .b32 t; } { .reg .b32 t; }",
            "lop3.b32 %r0, %r1, %r0, %r1, 256; @%p exit;",
            "cvt.rn.satfinite.e4m3x2.f32 %h, %f, %f; cvt.rn.relu.scaled::n2::ue8m0.bf16x2.e5m2x2 %r0, %h, %h;",
            "cvt.rn.satfinite.s2f6x2.f32 %h, %f, %f; cvt.rz.satfinite.ue5m3x2.f32 %h, %f, %f;",
        ];
        for text in texts {
            assert_eq!(mistakes(text), [], "{text}");
        }
    }

    #[test]
    fn mistakes_have_their_places() {
        let pair = |place: &str, message: &str| (place.to_owned(), message.to_owned());
        assert_eq!(mistake("ad.s32 %r0, %r1, 1;"), pair("ad", "unknown instruction `ad`"));
        assert_eq!(mistake("add.i32 %r0, %r1, 1;"), pair("i32", "`.i32` is not a type of PTX"));
        assert_eq!(mistake("add.s32 %r0, %r1"), pair("1", "expected `;` behind the instruction"));
        assert_eq!(mistake("add.s32 %r0, %r1, 1\nret;"), pair("1", "expected `;` behind the instruction"));
        assert_eq!(mistake("add.s32 %r0, %r2, 1;"), pair("%r2", "register `%r2` is not declared"));
        assert_eq!(mistake("@q bra L; L: ret;"), pair("q", "`q` is not declared"));
        assert_eq!(mistake("bra L;"), pair("L", "`L` is not declared"));
        assert_eq!(mistake("{ ret;"), pair("{", "this `{` is not closed"));
        assert_eq!(mistake("ret; }"), pair("}", "this `}` closes nothing"));
        assert_eq!(mistake("add.s32 %r0 %r1, 1;").0, "%r1");
        let (place, message) = mistake("add.s32 %r0, %r1;");
        assert_eq!((place.as_str(), message.contains("takes 3 operands")), ("add.s32", true), "{message}");
        let (place, message) = mistake("add.s32 %r0, %r1, %f;");
        assert_eq!((place.as_str(), message.contains("does not fit")), ("%f", true), "{message}");
        let (place, message) =
            mistake("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r0, %r1}, {%r0}, {%r1}, {%r0, %f};");
        assert_eq!((place.as_str(), message.contains("does not fit")), ("%f", true), "{message}");
        let (place, message) = mistake("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1}, [%r0];");
        assert_eq!(place, "{%r0, %r1}");
        assert_eq!(message, "a vector of 4 is expected here, and there are 2");
        let (place, message) = mistake("add.s32 %r0, %r1, %l;");
        assert_eq!((place.as_str(), message.contains("does not fit")), ("%l", true), "{message}");
    }

    #[test]
    fn forms_that_there_are_not_are_mistakes() {
        for (text, place, expected) in [
            ("mul.s32 %r0, %r1, 3;", "mul.s32", "unknown instruction `mul.s32`"),
            ("add.rn.rn.f32 %f, %f, %f;", "add.rn.rn.f32", "unknown instruction `add.rn.rn.f32`"),
            ("cvt.f32.s32 %f, %r0;", "cvt.f32.s32", "unknown instruction `cvt.f32.s32`"),
            ("cvt.rn.e4m3x2.f32 %h, %f, %f;", "cvt.rn.e4m3x2.f32", "unknown instruction `cvt.rn.e4m3x2.f32`"),
            (
                "cvt.rn.scaled::n2::ue8m0.f16x2.e4m3x2 %r0, %h, %h;",
                "cvt.rn.scaled::n2::ue8m0.f16x2.e4m3x2",
                "unknown instruction",
            ),
            ("add.f32 %f, %f, 1;", "add.f32", "an integer does not fit"),
            ("add.s32 %r0, %r1, 1.0;", "add.s32", "a floating-point number does not fit"),
            ("add.s32 12, %r0, %r1;", "add.s32", "a register is expected for the result"),
            ("add.s32 %r0, -%r1, 1;", "add.s32", "no `-` before an operand"),
            ("add.s32 _, %r1, 1;", "add.s32", "no `_` for its result"),
            ("mov.u32 %r0, %tid;", "%tid", "a vector of four"),
            ("mov.b64 %l, {%r0, };", "}", "expected a constant"),
            ("add.s32 %r0, %r1, 1;;", ";", "expected a statement"),
            (".reg.reg .b32 t;", ".reg", "a second state space"),
            (".reg .b32.b32 t;", ".b32", "a second type"),
            ("exit 3;", "exit", "`exit` takes no operands"),
            (".reg .b32 t, u, t;", "t", "`t` is declared twice"),
        ] {
            let (found, message) = mistake(text);
            assert_eq!((found.as_str(), message.contains(expected)), (place, true), "{text}: {message}");
        }
    }

    #[test]
    fn modifiers_and_operands_are_those_of_the_form() {
        for (text, place, expected) in [
            ("ld.globl.u32 %r0, [%l];", "globl", "`ld` has no modifier `.globl`"),
            ("ld.ca.cg.u32 %r0, [%l];", "cg", "`.cg` does not stand beside `.ca`"),
            ("ld.relaxed.u32 %r0, [%l];", "ld.relaxed.u32", "`ld` needs `.cta`"),
            ("st.v2.u32 [%l], {%r0};", "{%r0}", "a vector of 2"),
            ("red.add.u32 [%l], %r0, %r1;", "red.add.u32", "`red` takes 2 operands, and has 3"),
            ("red.L2::cache_hint.add.u32 [%l], %r0;", "red.L2::cache_hint.add.u32", "takes 3 operands"),
            ("elect.sync %r0, -1;", "%r0", "a register and a predicate"),
            ("mbarrier.b64 [%l];", "b64", "there is no `mbarrier.b64`"),
            ("wgmma.wait_group.sync.aligned %r0;", "%r0", "a number is expected"),
        ] {
            let (found, message) = mistake(text);
            assert_eq!((found.as_str(), message.contains(expected)), (place, true), "{text}: {message}");
        }
        // Modifiers in other orders, and words that ptxas does not look at.
        for text in [
            "ld.u32.global %r0, [%l];",
            "shfl.b32.idx.sync %r0|%p, %r1, 0, 31, -1;",
            "bar.sync.sync 0;",
            "ld.rank.u32 %r0, [%l];",
            "atom.global.add.f32.pred %f, [%l], %f;",
        ] {
            assert_eq!(mistakes(text), [], "{text}");
        }
    }

    /// Forms that every version has are nearer than newer ones.
    #[test]
    fn what_is_missing_is_not_what_is_newer() {
        for (text, place, expected) in [
            (
                "cp.async.bulk.tensor.2d.global.shared::cta.im2col_no_offs.bulk_group [%l, {%r0, %r1}], [%l];",
                "im2col_no_offs",
                "`.im2col_no_offs` does not fit the other modifiers",
            ),
            (
                "cp.async.bulk.prefetch.tensor.2d.L2.global.im2col [%l, {%r0, %r1}];",
                "im2col",
                "`.im2col` does not fit the other modifiers",
            ),
        ] {
            let (found, message) = mistake(text);
            assert_eq!((found.as_str(), message.contains(expected)), (place, true), "{text}: {message}");
        }
    }

    /// As ptxas 13 takes and refuses them.
    #[test]
    fn what_is_not_looked_at_has_its_places() {
        for (text, expected) in [
            ("fence.release.sync_restrict::shared::cta.sync_restrict::shared::cta.cluster;", "stands twice"),
            ("fence.proxy.tensormap::generic.acquire.global.gpu [%l], 128;", "does not fit"),
            ("wmma.load.b.sync.aligned.col.col.m8n8k32.s4 {%r0}, [%l];", "stands twice"),
            (
                "mma.sync.aligned.col.row.m8n8k32.s32.s4.s4.s32 {%r0, %r1}, {%r0}, {%r1}, {%r0, %r1};",
                "`.row` does not fit",
            ),
            ("alloca.u64 %l, %l, 3;", "a power of two is expected here"),
            ("mbarrier.arrive.b64 %l, [%l], -1;", "a number from 1 to 9223372036854775807"),
            ("red.global.add.noftz.v2.f16 [%l], {1.0, %h};", "a floating-point number does not fit"),
            ("mbarrier.arrive.expect_tx.multicast::cluster::32b.b64 %l, [%l], %r0;", "takes 4 operands"),
        ] {
            let (_, message) = mistake(text);
            assert!(message.contains(expected), "{text}: {message}");
        }
        for text in [
            "fence.proxy.tensormap::generic.release.global.gpu; fence.proxy.async.sync_restrict::shared::cta;",
            "mma.sync.aligned.row.col.xor.m8n8k32.s32.s4.s4.s32 {%r0, %r1}, {%r0}, {%r1}, {%r0, %r1};",
            "alloca.u64 %l, %l, 1048576; ld.volatile.local.u32 %r0, [%l]; st.async.shared.b32 [%l], %r0;",
            "red.global.add.noftz.v2.f16 [%l], {%h, 1.0}; red.async.release.sys.dec.u32 [%l], %r0;",
            "mbarrier.check_layout.layout::v0.gpu.b64 %p, [%l]; mbarrier.test_wait.phase_type::primary.b64 %p, [%l], %l;",
        ] {
            assert_eq!(mistakes(text), [], "{text}");
        }
    }

    /// As ptxas 13 takes and refuses them.
    #[test]
    fn addresses_of_copies_of_tensors_need_no_brackets() {
        let copy = "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes";
        assert_eq!(
            mistakes(&format!("{copy} %l, [%l, {{%r0}}], %r1; {copy} [%r0], [%l, {{%r0}}], 1.0;")),
            []
        );
        for operand in ["%p", "128", "{%r0}"] {
            let (found, message) = mistake(&format!("{copy} [%r0], [%l, {{%r0}}], {operand};"));
            assert_eq!((found.as_str(), message.contains("an address")), (operand, true), "{message}");
        }
        assert_eq!(
            mistakes("txq.level.width.b32 %r0, [%l], {%r1}; fence.proxy.async::generic.acq_rel.sys [%l], 0;"),
            []
        );
    }

    /// As ptxas takes and refuses them.
    #[test]
    fn names_of_variables_are_addresses() {
        let variables = ".shared .b64 m[4]; .reg .v4 .f32 v; L: ";
        for (text, place, expected) in [
            ("add.u64 %l, %l, m;", "m", "a register is expected here"),
            ("@m bra L;", "m", "a predicate is expected here"),
            ("mov.b64 %l, {%r0, m};", "m", "a register is expected here"),
            ("cvta.to.shared.u64 %l, m;", "m", "a register is expected here"),
            ("shl.b32 %r0, L, 3;", "L", "a register is expected here"),
            ("nanosleep.u32 m;", "m", "a register is expected here"),
            ("st.shared.v2.u64 [m], {m, %l};", "m", "a register is expected here"),
        ] {
            let (found, message) = mistake(&format!("{variables}{text}"));
            assert_eq!((found.as_str(), message.contains(expected)), (place, true), "{text}: {message}");
        }
        for text in [
            "mov.u64 %l, m; cvta.shared.u64 %l, m; ld.shared.u32 %r0, [m+4]; mapa.u64 %l, m, %r0; bra L;",
            "mov.u64 %l, L; cp.async.bulk.prefetch.tensor.1d.L2.global [%l, {%r0}]; ld.global.v4.f32 v, [%l];",
            "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [m], [%l, {%r0}], m;",
        ] {
            assert_eq!(mistakes(&format!("{variables}{text}")), [], "{text}");
        }
        let symbols = |text: &str| {
            let kinds = check(text, 64).mistakes.into_iter().map(|mistake| mistake.kind);
            kinds.filter(|kind| matches!(kind, MistakeKind::Symbol(_))).count()
        };
        assert_eq!([symbols("nanosleep.u32 g;"), symbols("bra g;"), symbols("mov.u64 %l, g;")], [1, 1, 0]);
    }

    #[test]
    fn addresses_are_as_wide_as_pointers() {
        for text in [
            "ld.global.u32 %r0, [%r1];",
            "st.u32 [%r1+4], %r0;",
            "red.add.u32 [%r0], %r1;",
            "mbarrier.init.b64 [%r0], 1;",
            "cvta.to.global.u32 %r0, %r1;",
            "cvta.shared.u32 %r0, %r1;",
        ] {
            let (_, message) = mistake(text);
            assert!(message.contains("an address of 64 bits"), "{text}: {message}");
            assert_eq!(check(&format!("{REGISTERS}{text}"), 32).mistakes, [], "{text}");
        }
        let of_small_spaces =
            "ld.shared.u32 %r0, [%r1]; ld.const.u32 %r0, [%r1]; ld.param::func.u32 %r0, [%r1];";
        assert_eq!(mistakes(of_small_spaces), []);
    }

    /// As ptxas 13 takes and refuses them.
    #[test]
    fn parts_of_addresses_have_types() {
        let put = "fabric.try_put.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.b128";
        let copy = "cp.async.bulk.prefetch.tensor.2d.L2.global.tile.override::global_address";
        let stride = "override::global_dim_stride";
        for (text, place, expected) in [
            (format!("{put} [%l, %l], [%r0], %r1, [%r1];"), "[%l, %l]", "the type of the register"),
            (format!("{put} [%r0, {{%l}}], [%r0], %r1, [%r1];"), "[%r0, {%l}]", "a register is expected"),
            (format!("{put} [%r0], [%r0], %r1, [%r1];"), "[%r0]", "an address of 2 parts"),
            (format!("{copy} [%l, {{%r0, %r1}}];"), "[%l, {%r0, %r1}]", "an address of 3 parts"),
            (format!("{copy} [%l, %l, {{%r0}}];"), "[%l, %l, {%r0}]", "a vector of 2"),
            (
                format!("{copy}.{stride} [%l, %l, {{%h, %h}}, %h, {{%r0, %r1}}];"),
                "[%l, %l, {%h, %h}, %h, {%r0, %r1}]",
                "an address of 6 parts",
            ),
        ] {
            let (found, message) = mistake(&text);
            assert_eq!((found.as_str(), message.contains(expected)), (place, true), "{text}: {message}");
        }
        for text in [
            format!("{put} [%r0, %l], [%r0], %r1, [%l];"),
            format!("{} [%r0, %l, %l], [%r0], %r1, [%l];", put.replace("relaxed", "counted::bytes.relaxed")),
            format!("{copy} [%l, %l, {{%r0, 1}}];"),
            format!("{copy}.{stride} [%l, %l, {{%h, 1}}, {{%r0}}, %h, {{%r0, %r1}}];"),
        ] {
            assert_eq!(mistakes(&text), [], "{text}");
        }
    }

    #[test]
    fn versions_are_those_of_the_instructions() {
        let version =
            |text: &str| check(&format!("{REGISTERS}{text}"), 64).version.map(|(version, _)| version);
        assert_eq!(version("add.s32 %r0, %r1, 1;"), Some((1, 0)));
        assert_eq!(version("redux.sync.add.s32 %r0, %r1, 1; add.s32 %r0, %r1, 1;"), Some((7, 0)));
        assert_eq!(version("ld.acquire.gpu.global.u32 %r0, [%l];"), Some((6, 0)));
        assert_eq!(version("ld.shared::cluster.u32 %r0, [%l];"), Some((7, 8)));
        let mma = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f, %f, %f, %f}, {%r0, %r0}, {%r0}, {%f, %f, %f, %f};";
        assert_eq!(version(mma), Some((6, 5)));
        assert_eq!(version(&mma.replace("f16.f16", "tf32.tf32")), Some((7, 0)));
        assert_eq!(
            version(&mma.replace("m16n8k8", "m16n8k32").replace("f16.f16", "e4m3.e5m2")),
            Some((8, 4))
        );
        assert_eq!(version("wmma.load.a.sync.aligned.row.m8n8k4.shared.f64 {%l}, [%r0];"), Some((7, 0)));
        assert_eq!(version("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r1];"), Some((6, 5)));
        assert_eq!(version("cvt.rn.satfinite.e4m3x2.f32 %h, %f, %f;"), Some((8, 1)));
        assert_eq!(version("cvt.rn.f16x2.e2m3x2 %r0, %h;"), Some((8, 6)));
        assert_eq!(version("cvt.rn.bf16x2.e2m3x2 %r0, %h;"), Some((9, 2)));
        assert_eq!(version("// nothing"), None);
    }
}
