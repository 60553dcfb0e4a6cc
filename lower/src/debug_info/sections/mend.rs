//! Corrections of facts that LLVM cannot express.

use super::{AtSymbol, Attribute, Die, OP_ADDR, Piece, Value, attribute, form, tag, unsigned};

/// DWARF 2, figure 22: the operations that give constants.
const CONST1U: u8 = 0x08;
const CONST2U: u8 = 0x0a;
const CONSTU: u8 = 0x10;
const CONSTS: u8 = 0x11;
const LIT0: u8 = 0x30;
const LIT31: u8 = 0x4f;

/// Gives variables at symbols their locations, and removes attributes that DWARF 2 lacks or that are written
/// separately. `lists` is the text of `.debug_loc`.
pub(super) fn mend(die: &mut Die, lists: &str, symbols: &[AtSymbol], is_defined: impl Fn(&AtSymbol) -> bool) {
    let mut open = vec![die];
    while let Some(die) = open.pop() {
        let is_enum = die.tag == tag::ENUMERATION_TYPE;
        die.attributes.retain(|attribute| match attribute.name {
            attribute::GNU_PUBNAMES | attribute::ALIGNMENT => false,
            attribute::TYPE => !is_enum,
            _ => true,
        });
        if matches!(die.tag, tag::VARIABLE | tag::FORMAL_PARAMETER) {
            place(die, lists, symbols, &is_defined);
        }
        open.extend(&mut die.children);
    }
}

fn place(die: &mut Die, lists: &str, symbols: &[AtSymbol], is_defined: impl Fn(&AtSymbol) -> bool) {
    let number = die.attributes.iter().find_map(|attribute| match (attribute.name, &attribute.value) {
        (attribute::CONST_VALUE, Value::Leb(bytes)) => Some(unsigned(bytes)),
        (attribute::CONST_VALUE, Value::Number(number)) => Some(*number),
        (attribute::LOCATION, Value::Label(list)) => constant(lists, list),
        _ => None,
    });
    let Some(number) = number else { return };
    die.attributes.retain(|attribute| {
        !matches!(attribute.name, attribute::CONST_VALUE | attribute::ADDRESS_CLASS | attribute::LOCATION)
    });
    let Some(at) = symbols.get(number as usize).filter(|at| is_defined(at)) else { return };
    if die.tag == tag::VARIABLE {
        let name = Value::Text(at.symbol.clone().into_bytes());
        die.attributes.push(Attribute { name: attribute::LINKAGE_NAME, form: form::STRING, value: name });
    }
    let class = Value::Number(at.class.code().into());
    let address = vec![Piece::Byte(OP_ADDR), Piece::Label(at.symbol.clone())];
    die.attributes.extend([
        Attribute { name: attribute::ADDRESS_CLASS, form: form::DATA1, value: class },
        Attribute { name: attribute::LOCATION, form: form::BLOCK1, value: Value::Block(address) },
    ]);
}

/// The constant that a location list begins with: for a variable whose scope has gaps.
fn constant(lists: &str, list: &str) -> Option<u64> {
    let (_, entries) = lists.split_once(&format!("{list}:"))?;
    // Two addresses, then the length of the location in two bytes.
    let words = entries.lines().filter_map(|line| line.strip_prefix(".b")?.split_once(' '));
    let bytes: Vec<u8> = words.skip(4).map_while(|(_, number)| number.parse().ok()).collect();
    match *bytes {
        [operation @ LIT0..=LIT31, ..] => Some((operation - LIT0).into()),
        [CONST1U, byte, ..] => Some(byte.into()),
        [CONST2U, low, high, ..] => Some(u16::from_le_bytes([low, high]).into()),
        [CONSTU | CONSTS, ref rest @ ..] => Some(unsigned(rest)),
        _ => None,
    }
}
