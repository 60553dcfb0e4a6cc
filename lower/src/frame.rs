//! The frame of a function: where its parameters and local variables are.
//!
//! Each parameter stays where it arrives or is copied into a variable; a local variable is allocated in the entry block when it
//! is first used. What debuggers see of parameters is decided here, too.

use cranelift_entity::SecondaryMap;
use inkwell::values::{BasicValueEnum, PointerValue};
use weft_frontend::ir::{Body, Func, FunctionKind, Local, Place, PlaceData};

use crate::Bug;
use crate::abi::signature::{Passing, Signature};
use crate::code::Code;
use crate::debug_info::params::{self, ParamPlace, is_needed};
use crate::debug_info::scope::{CodeDebug, ParamStorage};
use crate::place::Address;

/// The alignment of the arguments of `printf`, in bytes.
const PRINTED_ALIGN: u32 = 8;

/// The parameters and local variables of a function.
pub(crate) struct Frame<'f, 'a, 'ctx> {
    code: &'f Code<'f, 'a, 'ctx>,
    func: Func,
    body: &'a Body,
    /// The addresses of parameters and local variables.
    locals: SecondaryMap<Local, Option<Address<'ctx>>>,
    /// The values of parameters without an address.
    registers: SecondaryMap<Local, Option<BasicValueEnum<'ctx>>>,
    /// The buffer for the arguments of `printf`, and its size in bytes.
    printed: Option<(PointerValue<'ctx>, u64)>,
}

impl<'f, 'a, 'ctx> Frame<'f, 'a, 'ctx> {
    /// A frame with nothing in it.
    pub(crate) fn new(code: &'f Code<'f, 'a, 'ctx>, func: Func, body: &'a Body) -> Self {
        Frame { code, func, body, locals: SecondaryMap::new(), registers: SecondaryMap::new(), printed: None }
    }
}

impl<'ctx> Frame<'_, '_, 'ctx> {
    /// Gives each parameter of the function its place.
    pub(crate) fn lower_params(
        &mut self,
        signature: &Signature,
        debug: &CodeDebug<'_, '_, 'ctx>,
    ) -> Result<(), Bug> {
        let n_hidden = signature.n_hidden_params();
        let places = self.param_places(signature, debug.is_full());
        for (param_idx, (&param, passing)) in self.body.params.iter().zip(&signature.params).enumerate() {
            let value = self
                .code
                .function
                .get_nth_param((n_hidden + param_idx) as u32)
                .expect("invariant: the LLVM function has the signature's parameters");
            let place = places[param_idx];
            let ty = self.body.locals[param].ty;
            match *passing {
                // The parameter owns the bytes: LLVM copies them if they are written, or the caller has
                // copied them.
                Passing::Memory { align, .. } | Passing::Indirect { align, .. } => {
                    let ptr = value.into_pointer_value();
                    let volatile = self.code.cx.is_volatile(ty);
                    let given = Address { ptr, align, volatile };
                    if place == ParamPlace::Frame {
                        let address = self.local(param)?;
                        self.code.memory().copy(address, Address { volatile: false, ..given }, ty)?;
                    } else {
                        self.locals[param] = Some(given);
                    }
                }
                Passing::Direct { .. } if matches!(place, ParamPlace::Register | ParamPlace::Param) => {
                    self.registers[param] = Some(value);
                }
                Passing::Direct { .. } | Passing::Void => {
                    let address = self.local(param)?;
                    self.code.memory().store_scalar(address, ty, value)?;
                }
            }
            self.describe_param(param_idx as u32, place, debug);
        }
        Ok(())
    }

    /// The place of each of the function's parameters.
    fn param_places(&self, signature: &Signature, is_full: bool) -> Vec<ParamPlace> {
        match is_full {
            true => params::places(self.code.cx, self.func, self.body, signature),
            false => vec![ParamPlace::Any; signature.params.len()],
        }
    }

    fn describe_param(&self, number: u32, place: ParamPlace, debug: &CodeDebug<'_, '_, 'ctx>) {
        let param = self.body.params[number as usize];
        let storage = match (place, self.locals[param]) {
            (ParamPlace::Param, _) => ParamStorage::Param,
            // Computing the address of a parameter's own bytes takes an instruction.
            (ParamPlace::Any, Some(address)) if address.ptr.as_instruction().is_none() => return,
            (_, Some(address)) => ParamStorage::Frame(address.ptr),
            // A parameter in a register is described once it is known whether it is used.
            (_, None) => return,
        };
        debug.param(self.body, number, storage);
    }

    /// Describes the parameters in registers. An unused one has no register, so it is stored to the frame.
    pub(crate) fn describe_registers(&self, debug: &CodeDebug<'_, '_, 'ctx>) -> Result<(), Bug> {
        if !debug.is_requested()
            || matches!(self.code.cx.ir.functions[self.func].kind, FunctionKind::Kernel(_))
        {
            return Ok(());
        }
        for (number, &param) in self.body.params.iter().enumerate() {
            let Some(value) = self.registers[param] else { continue };
            let storage = if is_needed(value) {
                ParamStorage::Register(value)
            } else {
                ParamStorage::Frame(self.code.variable_of(value, self.body.locals[param].ty)?.ptr)
            };
            debug.param(self.body, number as u32, storage);
        }
        Ok(())
    }

    /// The address of a local variable; allocated in the entry block on first use.
    pub(crate) fn local(&mut self, local: Local) -> Result<Address<'ctx>, Bug> {
        if let Some(address) = self.locals[local] {
            return Ok(address);
        }
        if self.registers[local].is_some() {
            return Err(Bug::from("a parameter in a register has no address"));
        }
        let data = &self.body.locals[local];
        if self.body.results.contains(&local) {
            let given = self.code.function.get_first_param().ok_or("a result has no address")?;
            let align = self.code.cx.layout(data.ty).align;
            let address = Address { ptr: given.into_pointer_value(), align, volatile: false };
            self.locals[local] = Some(address);
            return Ok(address);
        }
        let name = data.name.as_deref().unwrap_or("");
        let address = self.code.variable(data.ty, data.align, name)?;
        self.locals[local] = Some(address);
        Ok(address)
    }

    /// The value of a parameter without an address.
    pub(crate) fn in_register(&self, place: Place) -> Option<BasicValueEnum<'ctx>> {
        match self.body.places[place].data {
            PlaceData::Local(local) => self.registers[local],
            _ => None,
        }
    }

    /// The function's buffer for printed arguments, of at least this size: calls do not overlap.
    pub(crate) fn print_buffer(&mut self, size: u64) -> Result<PointerValue<'ctx>, Bug> {
        match self.printed {
            Some((buffer, has)) if has >= size => Ok(buffer),
            small => {
                let buffer = self.code.bytes(size, PRINTED_ALIGN)?;
                if let Some((small, _)) = small {
                    small.replace_all_uses_with(buffer);
                    small
                        .as_instruction()
                        .ok_or("an allocation that is not an instruction")?
                        .erase_from_basic_block();
                }
                self.printed = Some((buffer, size));
                Ok(buffer)
            }
        }
    }
}
