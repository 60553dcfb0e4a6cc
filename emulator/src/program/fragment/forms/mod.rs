//! The forms of instructions that do more than compute: what modifiers and operands each has.
//!
//! The forms stand in texts (`*.forms`), a line each, in a notation near that of the PTX ISA; `notation` reads them, `fit` finds
//! the form that an instruction is, or says what is missing for the nearest, and `operands` looks at what they are applied to.
//! They are those of PTX ISA 9.1, those of newer versions that CUDA's headers have, and what ptxas takes beyond: modifiers in any order, but for those of a kind (types, spaces), and
//! words that it does not look at. Which GPU and version has a form is not said.

mod fit;
mod notation;
mod operands;

use std::collections::HashMap;
use std::sync::OnceLock;

pub(in crate::program) use fit::isa_orders;
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
    /// The line of the texts that it is of, which may stand for several forms.
    pub line: usize,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperandForm {
    /// What stands there.
    pub kind: OperandKind,
    /// It may be left out.
    pub is_optional: bool,
    /// It is there where one of these modifiers is, and nowhere else; without any it depends on none.
    pub with: Vec<&'static str>,
}

/// What an operand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// `=t`: a register that is written.
    Result(OperandType, Pairing),
    /// `t`: a register or constant. `t#0..15`: a constant is one of these numbers.
    Value(OperandType, Vec<Numbers>),
    /// `%`: a register, or a part of one.
    Register,
    /// `_`: no register.
    Sink,
    /// `!p`: a predicate, which may be negated.
    Predicate,
    /// `[]`, `[~]`, `[p]`, `[32]`: an address.
    Address(AddressWidth),
    /// `[+]`: an address and what belongs to it. `[+2|4]`: so many coordinates.
    Coordinates(Vec<usize>),
    /// `[u32 u64]`, `[+ word=>u64 {d b32}]`: an address of several parts, each of a kind; `+` is any address.
    Parts(Vec<OperandForm>),
    /// `[t]`: a texture, sampler or surface.
    Handle,
    /// `{}`: registers in braces.
    Braces,
    /// `{4 t}`: so many; `{4}`: of any type.
    List(List),
    /// `#4|8`, `#0..15`, `#16../16`, `#2^`: one of these numbers; `#` any.
    Number(Vec<Numbers>),
    /// `@`, `@branchtargets`, `@callee`, `@callprototype`: a label of a kind, or the name of a function.
    Label(LabelKind),
    /// `<>`: parameters in parentheses.
    Arguments,
    /// `*`: anything.
    Any,
}

/// How wide a register is that holds an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressWidth {
    /// `[]`: ptxas takes any.
    Any,
    /// `[~]`: any, and the brackets may be left out.
    Bare,
    /// `[p]`: as wide as the program's pointers, unless a modifier names a space that is smaller.
    Pointer,
    /// `[32]`: 32 bits, of an address in tensor memory.
    Tensor,
}

/// What a label stands for (PTX ISA "Control Flow Directives").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelKind {
    /// A place in the function.
    Place,
    /// `.branchtargets`
    BranchTargets,
    /// None: the name is a function's.
    Callee,
    /// `.calltargets` or `.callprototype`
    Callees,
}

/// The labels of a text.
pub(super) type Labels<'t> = HashMap<&'t str, LabelKind>;

/// How many registers a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// `{4}`: as many.
    Fixed(usize),
    /// `{n/2}`: of a shape `m64n16k8` the second number, divided.
    OfShape(usize),
    /// `{d}`, `{d-1}`: as many as the modifier `.3d` says, or fewer by so many.
    OfDimensions(usize),
}

/// Registers in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// How many there are.
    pub count: Count,
    /// Of what type, if that is known.
    pub ty: Option<OperandType>,
    /// `={4 t}`: they are written, with a predicate beside them or not.
    pub result: Option<Pairing>,
}

/// Numbers from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The first.
    pub from: u64,
    /// The last.
    pub to: u64,
    /// What they are multiples of.
    pub step: u64,
    /// `2^`: they are powers of two.
    pub are_powers: bool,
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
    /// Itself, or `t` and `t2` for the first and second type among the modifiers; `a` is the first, of which a register
    /// is as wide as the program's pointers.
    pub name: &'static str,
    /// `~t`: a register may be wider.
    pub may_be_wider: bool,
    /// `<t>`: as many as `.v2`, `.v4` or `.v8` says.
    pub is_vector: bool,
    /// `%t`: no constant.
    pub is_register: bool,
    /// `=_t`: a result may be `_`.
    pub may_be_sink: bool,
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
    FORMS.get_or_init(|| {
        let mut forms = Vec::new();
        for text in TEXTS {
            let n_lines = forms.last().map_or(0, |form: &Form| form.line + 1);
            let of_text = notation::forms(text).into_iter();
            forms.extend(of_text.map(|form| Form { line: n_lines + form.line, ..form }));
        }
        forms
    })
}

/// Those of an opcode.
fn forms_of(opcode: &str) -> &'static [&'static Form] {
    static BY_OPCODE: OnceLock<HashMap<&str, Vec<&Form>>> = OnceLock::new();
    let by_opcode = BY_OPCODE.get_or_init(|| {
        let mut by_opcode: HashMap<&str, Vec<&Form>> = HashMap::new();
        for form in forms() {
            by_opcode.entry(form.name[0]).or_default().push(form);
        }
        by_opcode
    });
    by_opcode.get(opcode).map_or(&[], Vec::as_slice)
}

/// The modifiers of an instruction in the order of the PTX ISA, where its name is one of those that have forms, and it is one of them.
pub fn ordered(opcode: &str, modifiers: &[&str]) -> Option<String> {
    let order = isa_orders(opcode, modifiers).into_iter().next()?;
    Some([opcode].into_iter().chain(order).collect::<Vec<&str>>().join("."))
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
