//! Known alignment of addresses and sizes.
//!
//! LLVM's passes know most of it, but do not look through conversions between address spaces, and the
//! addresses of variables are converted to generic ones. The alignment of an address follows from its object,
//! never from the type of a pointer: nvcc supports copies of objects that are less aligned than their type,
//! too.

use super::access::WIDEST;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::{
    LLVMGetAlignment, LLVMGetAllocatedType, LLVMGetConstOpcode, LLVMGetGEPSourceElementType,
    LLVMGetInstructionOpcode, LLVMGetNumOperands, LLVMGetOperand, LLVMIsAAllocaInst, LLVMIsAConstantExpr,
    LLVMIsAGlobalVariable, LLVMIsAInstruction, LLVMSetAlignment,
};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::targets::TargetData;
use inkwell::types::AnyTypeEnum;
use inkwell::values::{AsValueRef, InstructionOpcode, IntValue, PointerValue};

/// The known alignment of an address: its offset from a multiple of a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    modulus: u32,
    /// The offset, less than `modulus`.
    residue: u32,
}

impl Known {
    /// A multiple of the power of two.
    pub(super) fn multiple_of(modulus: u32) -> Known {
        Known { modulus: modulus.min(MAX_MULTIPLE), residue: 0 }
    }

    /// The known alignment of an address at an offset.
    pub(super) fn further(self, offset: u64) -> Known {
        let residue = (u64::from(self.residue).wrapping_add(offset) % u64::from(self.modulus)) as u32;
        Known { residue, ..self }
    }

    /// The largest power of two that it is a multiple of.
    pub(super) fn align(self) -> u32 {
        if self.residue == 0 { self.modulus } else { 1 << self.residue.trailing_zeros() }
    }

    /// Whether it may be a multiple of this power of two.
    pub(super) fn may_be_multiple_of(self, width: u32) -> bool {
        self.residue.is_multiple_of(width.min(self.modulus))
    }

    /// The number of bytes to the next multiple of the power of two, which is at most the known alignment.
    pub(super) fn up_to_multiple(self, of: u32) -> u64 {
        (self.residue.wrapping_neg() % of).into()
    }

    /// The largest power of two modulo which both are equal.
    pub(super) fn agreement(self, other: Known) -> u32 {
        let modulus = self.modulus.min(other.modulus);
        let apart = self.residue.abs_diff(other.residue) % modulus;
        if apart == 0 { modulus } else { 1 << apart.trailing_zeros() }
    }

    /// The same knowledge with a smaller modulus.
    fn of_less(self, modulus: u32) -> Known {
        let modulus = self.modulus.min(modulus);
        Known { modulus, residue: self.residue % modulus }
    }
}

/// Larger alignments do not matter.
const MAX_MULTIPLE: u32 = 1 << 16;

/// The maximum number of operations to look through.
const MAX_STEPS: u32 = 8;

/// The alignment that follows from the object of the address. A variable of the function is aligned for the
/// widest accesses.
pub(super) fn of_address(layout: &TargetData, address: PointerValue<'_>) -> Known {
    // SAFETY: the value is LLVM's and alive; each step tests the kind of its value.
    unsafe { address_steps(layout, address.as_value_ref(), MAX_STEPS) }
}

/// # Safety
///
/// `address` is a pointer of a live module.
unsafe fn address_steps(layout: &TargetData, address: LLVMValueRef, steps: u32) -> Known {
    let unknown = Known::multiple_of(1);
    // SAFETY: each function is called with a value of the kind that it is for.
    unsafe {
        if !LLVMIsAGlobalVariable(address).is_null() {
            return Known::multiple_of(LLVMGetAlignment(address).max(1));
        }
        if !LLVMIsAAllocaInst(address).is_null() {
            // Its position in the frame is not observable.
            let size = layout.get_abi_size(&AnyTypeEnum::new(LLVMGetAllocatedType(address)));
            if size >= WIDEST.into() && LLVMGetAlignment(address) < WIDEST {
                LLVMSetAlignment(address, WIDEST);
            }
            return Known::multiple_of(LLVMGetAlignment(address));
        }
        let opcode = if !LLVMIsAInstruction(address).is_null() {
            LLVMGetInstructionOpcode(address)
        } else if !LLVMIsAConstantExpr(address).is_null() {
            LLVMGetConstOpcode(address)
        } else {
            return unknown;
        };
        if steps == 0 {
            return unknown;
        }
        match opcode {
            LLVMOpcode::LLVMAddrSpaceCast => address_steps(layout, LLVMGetOperand(address, 0), steps - 1),
            LLVMOpcode::LLVMGetElementPtr if LLVMGetNumOperands(address) == 2 => {
                let base = address_steps(layout, LLVMGetOperand(address, 0), steps - 1);
                let step = layout.get_abi_size(&AnyTypeEnum::new(LLVMGetGEPSourceElementType(address)));
                let index = IntValue::new(LLVMGetOperand(address, 1));
                match index.get_sign_extended_constant() {
                    Some(index) => base.further(step.wrapping_mul(index as u64)),
                    None => base.of_less(multiple_of(step).saturating_mul(of_size(index))),
                }
            }
            _ => unknown,
        }
    }
}

/// The largest known power of two that divides the number.
pub(super) fn of_size(size: IntValue<'_>) -> u32 {
    size_steps(size, MAX_STEPS)
}

fn size_steps(size: IntValue<'_>, steps: u32) -> u32 {
    if let Some(constant) = size.get_zero_extended_constant() {
        return multiple_of(constant);
    }
    let Some(instruction) = size.as_instruction().filter(|_| steps > 0) else { return 1 };
    let operand = |idx| {
        let value = instruction.get_operand(idx).and_then(|operand| operand.value());
        value.filter(|value| value.is_int_value()).map(|value| value.into_int_value())
    };
    let of = |idx| operand(idx).map_or(1, |operand| size_steps(operand, steps - 1));
    match instruction.get_opcode() {
        InstructionOpcode::ZExt | InstructionOpcode::SExt | InstructionOpcode::Trunc => of(0),
        InstructionOpcode::Mul => of(0).saturating_mul(of(1)),
        InstructionOpcode::Shl => {
            let by = operand(1).and_then(IntValue::get_zero_extended_constant).unwrap_or(0);
            of(0).saturating_mul(1 << by.min(16))
        }
        InstructionOpcode::And => of(0).max(of(1)),
        InstructionOpcode::Add | InstructionOpcode::Sub | InstructionOpcode::Or => of(0).min(of(1)),
        InstructionOpcode::Select => of(1).min(of(2)),
        _ => 1,
    }
}

/// The largest power of two that divides it, limited to the largest that matters.
fn multiple_of(number: u64) -> u32 {
    1 << number.trailing_zeros().min(MAX_MULTIPLE.ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_addresses_keep_known_alignment() {
        let known = Known::multiple_of(16).further(4);
        assert_eq!(known.align(), 4);
        assert_eq!(known.further(12).align(), 16);
        assert_eq!(known.further(u64::MAX).align(), 1, "one byte before");
        assert!(known.may_be_multiple_of(4) && !known.may_be_multiple_of(8));
        assert!(Known::multiple_of(4).may_be_multiple_of(16) && !known.may_be_multiple_of(32));
        assert_eq!(known.of_less(2).align(), 2);
    }

    #[test]
    fn merges_offsets_of_two_addresses() {
        let known = |residue| Known::multiple_of(16).further(residue);
        assert_eq!(known(1).agreement(known(17)), 16);
        assert_eq!(known(1).agreement(known(9)), 8);
        assert_eq!(known(1).agreement(known(2)), 1);
        assert_eq!(known(5).agreement(Known::multiple_of(4).further(1)), 4);
    }
}
