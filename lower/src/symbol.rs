//! Checked PTX symbols of functions and variables.

use weft_frontend::ir::Module;
use weft_frontend::ptx_name;

use crate::Bug;
use crate::abi::mangle::Symbols;
use crate::abi::unit::UnitName;

/// Names everything in a module.
pub(crate) fn of(ir: &Module, unit: Option<&UnitName>) -> Result<Symbols, Bug> {
    let symbols = Symbols::in_unit(ir, unit);
    // LLVM emits any symbol; ptxas would reject it later, or LLVM abort.
    let mut names = symbols.functions.values().chain(symbols.globals.values());
    match names.find(|name| !ptx_name::is_identifier(name)) {
        None => Ok(symbols),
        Some(name) => Err(Bug { message: format!("`{name}` is not a valid PTX symbol") }),
    }
}
