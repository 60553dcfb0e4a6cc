//! The forms of instructions that do more than compute: what modifiers and operands each has.
//!
//! The forms stand in texts (`*.forms`), a line each, in a notation near that of the PTX ISA; `notation` reads them, `fit` finds
//! the form that an instruction is, or says what is missing for the nearest, and `operands` looks at what they are applied to.
//! They are those of PTX ISA 9.1, those of newer versions that CUDA's headers have, and what ptxas takes beyond: modifiers in any order, but for those of a kind (types, spaces), and
//! words that it does not look at. Which GPU and version has a form is not said.

mod fit;
mod notation;
mod operands;

use std::sync::OnceLock;

pub(super) use fit::{At, complaint};

/// A form of an instruction.
#[derive(Clone, Debug)]
pub struct Form {
    /// Its name: the opcode, and words that always follow it in this order (`mbarrier`, `init`).
    pub name: Vec<&'static str>,
    /// Its modifiers, in the order of the PTX ISA.
    pub slots: Vec<Slot>,
    /// Its operands.
    pub operands: Vec<OperandForm>,
}

/// A place for a modifier.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The words of which one may stand there.
    pub words: Vec<&'static str>,
    /// It may stay empty.
    pub is_optional: bool,
    /// It takes a word where the slot before it does, and nowhere else.
    pub is_with_last: bool,
}

/// An operand of a form.
#[derive(Clone, Debug)]
pub struct OperandForm {
    /// What stands there.
    pub kind: OperandKind,
    /// It may be left out.
    pub is_optional: bool,
    /// It is there where this modifier is, and nowhere else.
    pub with: Option<&'static str>,
}

/// What an operand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// `=t`: a register that is written.
    Result(OperandType, Pairing),
    /// `t`: a register or constant.
    Value(OperandType),
    /// `!p`: a predicate, which may be negated.
    Predicate,
    /// `[]`: an address.
    Address,
    /// `[+]`: an address and what belongs to it.
    Parts,
    /// `{}`: registers in braces.
    Braces,
    /// `#4|8`, `#0..15`: one of these numbers; `#` any.
    Number(Vec<(u64, u64)>),
    /// `@`: a label or the name of a function.
    Label,
    /// `*`: anything.
    Any,
}

/// Whether a predicate is written beside a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// `=t`: none.
    Never,
    /// `=t|p?`: there may be one.
    May,
    /// `=t|p`: there is one.
    Must,
}

/// Of what type an operand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperandType {
    /// Itself, or `t` and `t2` for the first and second type among the modifiers.
    pub name: &'static str,
    /// `~t`: a register may be wider.
    pub may_be_wider: bool,
    /// `<t>`: as many as `.v2`, `.v4` or `.v8` says.
    pub is_vector: bool,
}

/// The texts.
const TEXTS: &[&str] = &[
    include_str!("memory.forms"),
    include_str!("order.forms"),
    include_str!("together.forms"),
    include_str!("control.forms"),
    include_str!("copies.forms"),
    include_str!("texture.forms"),
    include_str!("matrix.forms"),
    include_str!("video.forms"),
    include_str!("fabric.forms"),
];

/// All of them, in the order of their texts.
pub fn forms() -> &'static [Form] {
    static FORMS: OnceLock<Vec<Form>> = OnceLock::new();
    FORMS.get_or_init(|| TEXTS.iter().flat_map(|text| notation::forms(text)).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::opcodes::{is_closed, opcodes};
    use super::*;

    #[test]
    fn each_instruction_has_forms_or_is_computed() {
        let named: BTreeSet<&str> = forms().iter().map(|form| form.name[0]).collect();
        let others: BTreeSet<&str> = opcodes().filter(|opcode| !is_closed(opcode)).collect();
        assert_eq!(named, others);
    }
}
