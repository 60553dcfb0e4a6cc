//! Places of parameters that a debugger can see.
//!
//! A parameter that is never written stays in the kernel's parameters or in the register of a device function. Others are
//! copied into the frame, where they are visible as long as the function runs.

use std::collections::HashSet;

use inkwell::values::{AsValueRef, BasicValue, BasicValueEnum, InstructionOpcode, InstructionValue};
use weft_frontend::ir::{
    Body, ExprData, Func, Function, FunctionKind, InlineHint, Local, Place, PlaceData, StmtData,
};

use crate::abi::signature::{Passing, Signature};
use crate::context::Cx;

/// The location of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParamPlace {
    /// The same as without debug information.
    Any,
    /// In the kernel's parameters.
    Param,
    /// In a register.
    Register,
    /// In the frame.
    Frame,
}

/// The location of each of the function's parameters, for a debugger.
pub(crate) fn places(cx: &Cx<'_, '_>, func: Func, body: &Body, signature: &Signature) -> Vec<ParamPlace> {
    let uses = Uses::of(body);
    let function = &cx.ir.functions[func];
    let params = body.params.iter().zip(&signature.params);
    params.map(|(&param, passing)| place(cx, function, (body, param), passing, &uses)).collect()
}

fn place(
    cx: &Cx<'_, '_>,
    function: &Function,
    (body, param): (&Body, Local),
    passing: &Passing,
    uses: &Uses,
) -> ParamPlace {
    let data = &body.locals[param];
    if matches!(passing, Passing::Void) {
        return ParamPlace::Any;
    }
    let is_kept = !uses.changed.contains(&param) && !cx.is_volatile(data.ty);
    // The address of such a parameter is its own.
    if matches!(function.kind, FunctionKind::Kernel(_)) && (is_kept || data.is_grid_constant) {
        return ParamPlace::Param;
    }
    // A `bool` would be in a predicate register, which debuggers cannot read as a number.
    let fits = matches!(passing, Passing::Direct { bits, .. } if *bits <= 64) && !cx.is_bool(data.ty);
    // The arguments of an inlined function may be constants, or dead before the function's end.
    let is_inlined = function.inline == InlineHint::Always;
    if is_kept && fits && !is_inlined && uses.read.contains(&param) {
        ParamPlace::Register
    } else {
        ParamPlace::Frame
    }
}

/// How the body uses its parameters and variables.
#[derive(Default)]
struct Uses {
    /// The variables that are read.
    read: Vec<Local>,
    /// The variables that are written, or whose address is taken.
    changed: Vec<Local>,
}

impl Uses {
    fn of(body: &Body) -> Self {
        let mut uses = Uses::default();
        for node in body.exprs.values() {
            match node.data {
                ExprData::Load(place) => uses.read(body, place),
                ExprData::AddrOf(place)
                | ExprData::ArrayDecay(place)
                | ExprData::Assign { place, .. }
                | ExprData::Modify { place, .. } => uses.change(body, place),
                _ => {}
            }
        }
        for node in body.stmts.values() {
            if let StmtData::Asm(asm) = &node.data {
                asm.outputs.iter().for_each(|output| uses.change(body, output.place));
            }
        }
        uses
    }

    fn read(&mut self, body: &Body, place: Place) {
        match body.places[place].data {
            PlaceData::Local(local) => self.read.push(local),
            PlaceData::Field(base, _) => self.read(body, base),
            // Selecting between places requires their addresses.
            _ => self.change(body, place),
        }
    }

    fn change(&mut self, body: &Body, place: Place) {
        match body.places[place].data {
            PlaceData::Local(local) => self.changed.push(local),
            PlaceData::Field(base, _) | PlaceData::Comma(_, base) => self.change(body, base),
            PlaceData::Conditional(_, choice) => {
                for place in body.choices[choice] {
                    self.change(body, place);
                }
            }
            PlaceData::Global(_)
            | PlaceData::Deref(_)
            | PlaceData::Temporary(_)
            | PlaceData::Assigned(_)
            | PlaceData::CompoundLiteral(..) => {}
        }
    }
}

/// Whether an effect depends on the value: LLVM's code generator omits everything else.
pub(crate) fn is_needed(value: BasicValueEnum<'_>) -> bool {
    let (mut seen, mut open) = (HashSet::new(), vec![value.get_first_use()]);
    while let Some(mut next) = open.pop() {
        while let Some(used) = next {
            next = used.get_next_use();
            // SAFETY: each user of a parameter is an instruction of its function.
            let user = unsafe { InstructionValue::new(used.get_user().as_value_ref()) };
            if has_effect(user) {
                return true;
            }
            if seen.insert(user) {
                open.push(user.get_first_use());
            }
        }
    }
    false
}

fn has_effect(instruction: InstructionValue<'_>) -> bool {
    match instruction.get_opcode() {
        InstructionOpcode::Load => instruction.get_volatile().unwrap_or(true),
        InstructionOpcode::Store
        | InstructionOpcode::Call
        | InstructionOpcode::AtomicRMW
        | InstructionOpcode::AtomicCmpXchg => true,
        _ => instruction.is_terminator(),
    }
}
