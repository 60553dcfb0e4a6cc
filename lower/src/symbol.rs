//! Symbols: what functions and variables are called in PTX, checked.

use weft_frontend::ir::{Func, Global, Module};
use weft_frontend::ptx_name;

use crate::Bug;
use crate::abi::mangle;

/// The symbol of a function.
pub(crate) fn of_function(ir: &Module, func: Func) -> Result<String, Bug> {
    checked(mangle::function_symbol(ir, func))
}

/// The symbol of a variable.
pub(crate) fn of_global(ir: &Module, global: Global) -> Result<String, Bug> {
    checked(mangle::global_symbol(ir, global))
}

/// LLVM writes what it is given: ptxas would refuse it later, or LLVM abort.
fn checked(name: String) -> Result<String, Bug> {
    if ptx_name::is_identifier(&name) {
        Ok(name)
    } else {
        Err(Bug { message: format!("`{name}` is no PTX symbol") })
    }
}
