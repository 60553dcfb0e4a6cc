//! NVIDIA's libdevice, LLVM bitcode that defines mathematical functions (libdevice User's Guide), linked into a module that
//! calls them.
//!
//! It has hundreds of functions, and a program calls a few. So only these are read (`excerpt`, of what `bitstream` takes apart),
//! made for what the compilation was told (`prepare`), and optimised once, with the program that calls them.

mod bitstream;
mod excerpt;
mod prepare;

use std::io;

use inkwell::module::Linkage;
use inkwell::targets::TargetMachine;
use inkwell::types::FunctionType;
use inkwell::values::FunctionValue;
use weft_frontend::ir::LibraryFn;

use crate::Bug;
use crate::context::Cx;

/// The message of a [`Bug`] that is none of the compiler's: the bitcode is damaged, or no bitcode.
pub const UNREADABLE: &str = "libdevice cannot be read";

/// Where libdevice is read.
pub trait Libdevice: Sync {
    /// All of its bitcode.
    ///
    /// # Errors
    /// When it cannot be read; the lowering fails with [`UNREADABLE`] then.
    fn whole(&self) -> io::Result<Vec<u8>>;

    /// So many bytes of it from a place on, or as many as there are.
    ///
    /// # Errors
    /// When it cannot be read; then the whole is tried.
    fn part(&self, start: usize, n_bytes: usize) -> io::Result<Vec<u8>>;
}

/// A function of it, declared.
pub(crate) fn declare<'ctx>(
    cx: &Cx<'_, 'ctx>,
    function: LibraryFn,
    is_single: bool,
    ty: FunctionType<'ctx>,
) -> FunctionValue<'ctx> {
    let name = function.symbol(is_single);
    let value = cx.module.get_function(&name).unwrap_or_else(|| cx.module.add_function(&name, ty, None));
    cx.library_calls.borrow_mut().insert(name);
    value
}

/// What the module calls of it.
pub(crate) fn called(cx: &Cx<'_, '_>) -> Vec<String> {
    // The program may define functions of these names itself.
    let is_missing =
        |name: &&String| cx.module.get_function(name).is_some_and(|f| f.count_basic_blocks() == 0);
    cx.library_calls.borrow().iter().filter(is_missing).cloned().collect()
}

/// Links in these functions.
pub(crate) fn link(
    cx: &Cx<'_, '_>,
    machine: &TargetMachine,
    library: Option<&dyn Libdevice>,
    called: &[String],
) -> Result<(), Bug> {
    // Some calls may be of code that is not reached.
    let called: Vec<&str> =
        called.iter().map(String::as_str).filter(|name| cx.module.get_function(name).is_some()).collect();
    if called.is_empty() {
        return Ok(());
    }
    let library = library.ok_or("libdevice is called, and not there")?;
    let part = prepare::module(cx, machine, library, &called)?;
    cx.module.link_in_module(part).map_err(|_| Bug::from(UNREADABLE))?;
    // No other module calls them.
    for function in called.iter().filter_map(|name| cx.module.get_function(name)) {
        function.set_linkage(Linkage::Internal);
    }
    Ok(())
}
