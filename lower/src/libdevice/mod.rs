//! NVIDIA's libdevice, LLVM bitcode that defines mathematical functions (libdevice User's Guide), linked into a module that
//! calls them.
//!
//! Each function comes as a module of its own that has been optimised already (`prepare`): what was made once may be
//! [kept](Libdevice::keep), and neither libdevice as a whole is read then, nor the function optimised from its beginning.

mod prepare;

use std::io;

use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use inkwell::targets::TargetMachine;
use inkwell::types::FunctionType;
use inkwell::values::FunctionValue;
use weft_frontend::ir::LibraryFn;

use crate::Bug;
use crate::context::Cx;

/// The message of a [`Bug`] that is none of the compiler's: the bitcode is damaged, or no bitcode.
pub const UNREADABLE: &str = "libdevice cannot be read";

/// Where libdevice is read, and where what was made of it may be kept.
pub trait Libdevice: Sync {
    /// All of its bitcode.
    ///
    /// # Errors
    /// When it cannot be read; the lowering fails with [`UNREADABLE`] then.
    fn bitcode(&self) -> io::Result<Vec<u8>>;

    /// What was kept under a name, whole and unchanged; none where nothing was. Names are of letters, digits and `_-+.`
    /// and say all that what is kept depends on, but for libdevice itself and the compiler.
    fn kept(&self, name: &str) -> Option<Vec<u8>>;

    /// Keeps something for other compilations, if there is a place for it.
    fn keep(&self, name: &str, bitcode: &[u8]);
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

/// Links in what the module calls of it.
pub(crate) fn link(
    cx: &Cx<'_, '_>,
    machine: &TargetMachine,
    library: Option<&dyn Libdevice>,
) -> Result<(), Bug> {
    let called = cx.library_calls.borrow();
    // The program may define functions of these names itself.
    let is_missing =
        |name: &&String| cx.module.get_function(name).is_some_and(|f| f.count_basic_blocks() == 0);
    let called: Vec<&str> = called.iter().filter(is_missing).map(String::as_str).collect();
    if called.is_empty() {
        return Ok(());
    }
    let library = library.ok_or("libdevice is called, and not there")?;
    let mut symbols = Vec::new();
    for bitcode in prepare::all(cx, machine, library, &called)? {
        let buffer = MemoryBuffer::create_from_memory_range(&bitcode, "libdevice");
        let part = Module::parse_bitcode_from_buffer(&buffer, cx.llvm).map_err(|_| Bug::from(UNREADABLE))?;
        symbols.extend(give_way(cx, &part));
        cx.module.link_in_module(part).map_err(|_| Bug::from(UNREADABLE))?;
    }
    // No other module calls or reads them.
    for name in symbols {
        if let Some(function) = cx.module.get_function(&name) {
            function.set_linkage(Linkage::Internal);
        } else if let Some(variable) = cx.module.get_global(&name) {
            variable.set_linkage(Linkage::Internal);
        }
    }
    Ok(())
}

/// The names of what a part of libdevice defines, after those that the program has given to something else were changed.
fn give_way(cx: &Cx<'_, '_>, part: &Module<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for function in part.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        names.push(function.get_name().to_string_lossy().into_owned());
    }
    for variable in part.get_globals() {
        let name = variable.get_name().to_string_lossy().into_owned();
        if is_ours(cx, &name) {
            let other = format!("{name}$libdevice");
            variable.set_name(&other);
            names.push(other);
        } else {
            names.push(name);
        }
    }
    names
}

/// Whether the program declares a function or variable of this name.
fn is_ours(cx: &Cx<'_, '_>, name: &str) -> bool {
    let mut names = cx.symbols.functions.values().chain(cx.symbols.globals.values());
    names.any(|ours| ours == name)
}
