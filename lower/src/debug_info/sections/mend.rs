//! What LLVM cannot say.

use super::{AtSymbol, Attribute, Die, OP_ADDR, Piece, Value, attribute, form, tag, unsigned};

/// Gives the variables that lie at symbols their places, and takes out what is written anew.
pub(super) fn mend(die: &mut Die, symbols: &[AtSymbol], is_defined: impl Fn(&AtSymbol) -> bool) {
    let mut open = vec![die];
    while let Some(die) = open.pop() {
        die.attributes.retain(|attribute| attribute.name != attribute::GNU_PUBNAMES);
        if matches!(die.tag, tag::VARIABLE | tag::FORMAL_PARAMETER) {
            place(die, symbols, &is_defined);
        }
        open.extend(&mut die.children);
    }
}

fn place(die: &mut Die, symbols: &[AtSymbol], is_defined: impl Fn(&AtSymbol) -> bool) {
    let Some(idx) = die.attributes.iter().position(|attribute| attribute.name == attribute::CONST_VALUE)
    else {
        return;
    };
    let number = die.attributes.remove(idx).value;
    let at = match number {
        Value::Leb(bytes) => symbols.get(unsigned(&bytes) as usize),
        Value::Number(number) => symbols.get(number as usize),
        _ => None,
    };
    let is_place = |name| matches!(name, attribute::ADDRESS_CLASS | attribute::LOCATION);
    die.attributes.retain(|attribute| !is_place(attribute.name));
    let Some(at) = at.filter(|at| is_defined(at)) else { return };
    let class = Value::Number(at.class.code().into());
    let address = vec![Piece::Byte(OP_ADDR), Piece::Label(at.symbol.clone())];
    die.attributes.extend([
        Attribute { name: attribute::ADDRESS_CLASS, form: form::DATA1, value: class },
        Attribute { name: attribute::LOCATION, form: form::BLOCK1, value: Value::Block(address) },
    ]);
}
