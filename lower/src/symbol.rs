//! Symbols: what functions and variables are called in PTX, checked.

use weft_frontend::ir::{Func, Global, LinkName, Module};

use crate::Bug;

/// The symbol of a function.
pub(crate) fn of_function(ir: &Module, func: Func) -> Result<String, Bug> {
    let data = &ir.functions[func];
    checked(named(&data.link_name, &data.name))
}

/// The symbol of a variable.
pub(crate) fn of_global(ir: &Module, global: Global) -> Result<String, Bug> {
    let data = &ir.globals[global];
    match &data.name {
        Some(name) => checked(named(&data.link_name, name)),
        None => Ok("$str".to_owned()),
    }
}

fn named(link_name: &LinkName, name: &str) -> String {
    match link_name {
        LinkName::Asm(symbol) => symbol.clone(),
        LinkName::C | LinkName::Cxx => name.to_owned(),
    }
}

/// LLVM writes what it is given: ptxas would refuse it later, or LLVM abort.
// PTX ISA "Identifiers"
fn checked(name: String) -> Result<String, Bug> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$');
    let starts = match name.as_bytes() {
        [first, ..] if first.is_ascii_alphabetic() => true,
        [b'_' | b'$' | b'%', _, ..] => true,
        _ => false,
    };
    if starts && name.bytes().skip(1).all(is_word) {
        Ok(name)
    } else {
        Err(Bug { message: format!("`{name}` is no PTX symbol") })
    }
}
