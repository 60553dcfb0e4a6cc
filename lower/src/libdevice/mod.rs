//! NVIDIA's libdevice, LLVM bitcode that defines mathematical functions (libdevice User's Guide), linked into
//! a module that calls them.
//!
//! It has hundreds of functions, and a program calls a few. So only these are parsed (`library` and `body`,
//! on top of `bitstream`), built for the options of the compilation (`build`), and optimized once, with the
//! program that calls them. If they contain something unsupported, LLVM reads them instead (`prepare`).

mod bitstream;
mod body;
mod build;
mod library;
mod prepare;

use std::cell::Cell;
use std::io;

use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::targets::TargetMachine;
use inkwell::types::FunctionType;
use inkwell::values::{
    AnyValueEnum, BasicValue, BasicValueEnum, FunctionValue, InstructionOpcode, InstructionValue,
};
use weft_frontend::ir::LibraryFn;

use crate::context::Cx;
use crate::control_flow::is_in_loop;
use crate::passes::{Library, When};
use crate::{Bug, passes};
use build::Inlining;

/// The message of a [`Bug`] that is not a bug in the compiler: the bitcode is damaged, or not bitcode.
pub const UNREADABLE: &str = "libdevice cannot be read";

/// The source of libdevice's bitcode.
pub trait Libdevice: Sync {
    /// The whole bitcode.
    ///
    /// # Errors
    ///
    /// If it cannot be read; then lowering fails with [`UNREADABLE`].
    fn whole(&self) -> io::Result<Vec<u8>>;

    /// Up to `n_bytes` of it at an offset.
    ///
    /// # Errors
    ///
    /// If it cannot be read; then the whole is tried.
    fn part(&self, start: usize, n_bytes: usize) -> io::Result<Vec<u8>>;
}

/// Declares a libdevice function.
pub(crate) fn declare<'ctx>(
    cx: &Cx<'_, 'ctx>,
    function: LibraryFn,
    is_single: bool,
    ty: FunctionType<'ctx>,
) -> FunctionValue<'ctx> {
    let name = function.symbol(is_single);
    let value = cx.module.get_function(&name).unwrap_or_else(|| {
        let value = cx.module.add_function(&name, ty, None);
        if !has_pointers(value) {
            for kind in [cx.attrs.memory, cx.attrs.nounwind, cx.attrs.willreturn] {
                value.add_attribute(AttributeLoc::Function, cx.enum_attr(kind, 0));
            }
        }
        value
    });
    cx.library_calls.borrow_mut().insert(name);
    value
}

/// Whether a libdevice function returns results through pointers. All others are pure.
fn has_pointers(function: FunctionValue<'_>) -> bool {
    function.get_type().get_param_types().iter().any(|ty| ty.is_pointer_type())
}

/// The functions of libdevice that a module calls.
pub(crate) struct Called<'m, 'a, 'ctx> {
    cx: &'m Cx<'a, 'ctx>,
    machine: &'m TargetMachine,
    library: Option<&'m dyn Libdevice>,
    names: Vec<String>,
    /// Whether a function may be built inline at its call.
    in_place: bool,
    /// Whether that has failed, so that the module is invalid.
    is_broken: Cell<bool>,
}

impl<'m, 'a, 'ctx> Called<'m, 'a, 'ctx> {
    /// The functions that the module calls, if any.
    pub(crate) fn by(
        cx: &'m Cx<'a, 'ctx>,
        machine: &'m TargetMachine,
        library: Option<&'m dyn Libdevice>,
        in_place: bool,
    ) -> Option<Self> {
        // The program may define functions with these names itself.
        let is_missing =
            |name: &&String| cx.module.get_function(name).is_some_and(|f| f.count_basic_blocks() == 0);
        let names: Vec<String> = cx.library_calls.borrow().iter().filter(is_missing).cloned().collect();
        (!names.is_empty()).then_some(Called {
            cx,
            machine,
            library,
            names,
            // The positions of variables would not be correct in the moved instructions.
            in_place: in_place && !cx.options.debug.has_variables(),
            is_broken: Cell::new(false),
        })
    }

    /// Whether the module must be discarded: code that was built inline at a call is invalid.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.get()
    }

    /// The declarations of the functions still called: some calls may be in unreachable code.
    fn functions(&self) -> impl Iterator<Item = FunctionValue<'ctx>> {
        self.names.iter().filter_map(|name| self.cx.module.get_function(name))
    }
}

impl Library for Called<'_, '_, '_> {
    /// Whether there is one call, outside of loops, so that it cannot share work with another call or
    /// iteration; and variables need not stay in memory for a debugger.
    fn is_separate(&self) -> bool {
        let mut functions = self.functions();
        functions.next().is_some_and(|function| !has_pointers(function) && is_called_once(function))
            && functions.next().is_none()
    }

    fn inline_call(&self) -> Result<bool, Bug> {
        let (true, Some(library), [name]) = (self.in_place, self.library, &self.names[..]) else {
            return Ok(false);
        };
        let Some(function) = self.cx.module.get_function(name) else { return Ok(true) };
        let Some(call) = only_call(function) else { return Ok(false) };
        match prepare::in_place(self.cx, library, function, call) {
            Inlining::Skipped => Ok(false),
            Inlining::Done => Ok(true),
            Inlining::Failed => {
                self.is_broken.set(true);
                Err(Bug::from(UNREADABLE))
            }
        }
    }

    fn link(&self, when: When) -> Result<(), Bug> {
        let is_called = |name: &&str| self.cx.module.get_function(name).is_some();
        let names: Vec<&str> = self.names.iter().map(String::as_str).filter(is_called).collect();
        if names.is_empty() {
            return Ok(());
        }
        let library = self.library.ok_or("libdevice is called but missing")?;
        let part = prepare::module(self.cx, self.machine, library, &names)?;
        if when == When::After {
            passes::write_out_loops(&part, self.machine)?;
        }
        self.cx.module.link_in_module(part).map_err(|_| Bug::from(UNREADABLE))?;
        // No other module calls them.
        for function in self.functions() {
            function.set_linkage(Linkage::Internal);
        }
        Ok(())
    }
}

/// Whether a function is called once, outside of loops, in a kernel or in a function that is called likewise.
fn is_called_once(function: FunctionValue<'_>) -> bool {
    const MOST_CALLERS: usize = 16;
    let mut callee = function;
    for _ in 0..MOST_CALLERS {
        if callee.as_global_value().as_pointer_value().get_first_use().is_none() {
            return callee != function;
        }
        match only_call(callee).and_then(InstructionValue::get_parent).filter(|block| !is_in_loop(*block)) {
            Some(block) => callee = block.get_parent().expect("invariant: a block is a function's"),
            None => return false,
        }
    }
    false
}

/// The only use of a function, if it is a call.
fn only_call(function: FunctionValue<'_>) -> Option<InstructionValue<'_>> {
    let reference = function.as_global_value().as_pointer_value().get_first_use()?;
    let user = match reference.get_user() {
        AnyValueEnum::InstructionValue(user) => user,
        value => BasicValueEnum::try_from(value).ok()?.as_instruction_value()?,
    };
    let is_call = user.get_opcode() == InstructionOpcode::Call
        && user.get_operand(user.get_num_operands() - 1).and_then(|callee| callee.value())
            == Some(function.as_global_value().as_pointer_value().into());
    (is_call && reference.get_next_use().is_none()).then_some(user)
}
