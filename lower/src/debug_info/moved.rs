//! The lines of instructions that LLVM's passes have moved.
//!
//! An instruction that a pass moves to another control-flow context, such as out of a loop or before a branch, loses its line in LLVM:
//! stepping through the program would jump back and forth. Line tables are for profilers, which need to know what an instruction is
//! for, and nvcc keeps these lines. So before the passes each instruction gets its origin, in metadata that the passes
//! keep and ignore ([`note`]), and those without a line after the passes get it back ([`restore`]). Merged returns
//! are at the end of the function.
//!
//! Not done: instructions that LLVM creates, and those of a function that is inlined several times into the same function, where
//! the call is no longer known.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::{
    LLVMBasicBlockAsValue, LLVMCountBasicBlocks, LLVMGetBasicBlocks, LLVMGetEntryBasicBlock,
    LLVMGetFirstInstruction, LLVMGetFirstUse, LLVMGetInstructionOpcode, LLVMGetInstructionParent,
    LLVMGetMDKindIDInContext, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands, LLVMGetMDString,
    LLVMGetMetadata, LLVMGetNextInstruction, LLVMMDNodeInContext2, LLVMMDStringInContext2,
    LLVMMetadataAsValue, LLVMSetMetadata,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMDIBuilderCreateDebugLocation, LLVMDILocationGetColumn, LLVMDILocationGetInlinedAt,
    LLVMDILocationGetLine, LLVMDILocationGetScope, LLVMGetSubprogram, LLVMInstructionGetDebugLoc,
    LLVMInstructionSetDebugLoc,
};
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};
use inkwell::values::{AsValueRef, FunctionValue};

use crate::context::Cx;

/// The kind of metadata: passes keep it wherever they keep positions, and also where they drop these.
const KIND: &str = "annotation";

/// The prefix of our text, followed by the index of an origin.
const MARK: &str = "weft ";

/// The origins of instructions.
pub(crate) struct Places {
    all: Vec<Place>,
    /// The final returns of void functions, by symbol.
    ends: HashMap<String, usize>,
}

/// A source position in LLVM's terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    scope: LLVMMetadataRef,
    line: u32,
    column: u32,
}

/// Records the origin of each instruction.
pub(crate) fn note(cx: &Cx<'_, '_>) -> Places {
    let context = cx.llvm.raw();
    let mut places = Places { all: Vec::new(), ends: HashMap::new() };
    let mut known = BTreeMap::new();
    for function in described(cx) {
        let mut end: Option<(u32, usize)> = None;
        for instruction in instructions(function) {
            // SAFETY: the instruction is alive, and the new metadata belongs to its context.
            unsafe {
                let location = LLVMInstructionGetDebugLoc(instruction);
                if location.is_null() {
                    continue;
                }
                let place = Place {
                    scope: LLVMDILocationGetScope(location),
                    line: LLVMDILocationGetLine(location),
                    column: LLVMDILocationGetColumn(location),
                };
                if place.line == 0 || !LLVMDILocationGetInlinedAt(location).is_null() {
                    continue;
                }
                let idx = *known.entry(place).or_insert_with(|| {
                    places.all.push(place);
                    places.all.len() - 1
                });
                let block = LLVMGetInstructionParent(instruction);
                let is_reached = block == LLVMGetEntryBasicBlock(function.as_value_ref())
                    || !LLVMGetFirstUse(LLVMBasicBlockAsValue(block)).is_null();
                if LLVMGetInstructionOpcode(instruction) == LLVMOpcode::LLVMRet
                    && is_reached
                    && function.get_type().get_return_type().is_none()
                {
                    end = end.max(Some((place.line, idx)));
                }
                let text = format!("{MARK}{idx}");
                let mut text = LLVMMDStringInContext2(context, text.as_ptr().cast(), text.len());
                let node = LLVMMDNodeInContext2(context, &mut text, 1);
                LLVMSetMetadata(instruction, kind(context), LLVMMetadataAsValue(context, node));
            }
        }
        if let Some((_, idx)) = end {
            places.ends.insert(name(function), idx);
        }
    }
    places
}

/// Restores the line of instructions without one. The metadata of [`note`] is removed.
pub(crate) fn restore(cx: &Cx<'_, '_>, places: &Places) {
    let context = cx.llvm.raw();
    let owners = cx.debug_scopes.borrow();
    for function in described(cx) {
        let name = name(function);
        // The calls through which each function's code was inlined here.
        let mut calls: HashMap<&str, BTreeSet<LLVMMetadataRef>> = HashMap::new();
        let (mut lost, mut returns) = (Vec::new(), Vec::new());
        for instruction in instructions(function) {
            // SAFETY: as above; a location has a scope.
            unsafe {
                let noted = noted(instruction, context);
                LLVMSetMetadata(instruction, kind(context), std::ptr::null_mut());
                if LLVMGetInstructionOpcode(instruction) == LLVMOpcode::LLVMRet {
                    returns.push(instruction);
                }
                let location = LLVMInstructionGetDebugLoc(instruction);
                if location.is_null() || LLVMDILocationGetLine(location) == 0 {
                    lost.extend(noted.map(|idx| (instruction, places.all[idx])));
                } else if let Some(owner) = owners.get(&LLVMDILocationGetScope(location)) {
                    calls.entry(owner).or_default().insert(LLVMDILocationGetInlinedAt(location));
                }
            }
        }
        // The result of merging several returns.
        if let (&[one], Some(&end)) = (returns.as_slice(), places.ends.get(&name)) {
            lost.push((one, places.all[end]));
        }
        for (instruction, Place { scope, line, column }) in lost {
            let Some(owner) = owners.get(&scope) else { continue };
            let call = if *owner == name {
                std::ptr::null_mut()
            } else {
                match calls.get(owner.as_str()) {
                    Some(calls) if calls.len() == 1 => calls.first().copied().unwrap_or(std::ptr::null_mut()),
                    Some(_) | None => continue,
                }
            };
            // SAFETY: all belong to the same context.
            unsafe {
                let location = LLVMDIBuilderCreateDebugLocation(context, line, column, scope, call);
                LLVMInstructionSetDebugLoc(instruction, location);
            }
        }
    }
}

/// The recorded index.
///
/// # Safety
///
/// The instruction is alive, in this context.
unsafe fn noted(instruction: LLVMValueRef, context: LLVMContextRef) -> Option<usize> {
    // SAFETY: the operands of a node of this kind are texts, or nodes of texts, with the reported number of
    // operands.
    unsafe {
        let node = LLVMGetMetadata(instruction, kind(context));
        if node.is_null() {
            return None;
        }
        let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
        operands.into_iter().find_map(|operand| {
            let mut len = 0;
            let text = LLVMGetMDString(operand, &mut len);
            if text.is_null() {
                return None;
            }
            let text =
                std::str::from_utf8(std::slice::from_raw_parts(text.cast::<u8>(), len as usize)).ok()?;
            text.strip_prefix(MARK)?.parse().ok()
        })
    }
}

fn kind(context: LLVMContextRef) -> u32 {
    // SAFETY: the name has this length.
    unsafe { LLVMGetMDKindIDInContext(context, KIND.as_ptr().cast(), KIND.len() as u32) }
}

/// The functions with a subprogram.
fn described<'ctx>(cx: &Cx<'_, 'ctx>) -> impl Iterator<Item = FunctionValue<'ctx>> {
    // SAFETY: the functions belong to the module, which is alive.
    cx.module
        .get_functions()
        .filter(|function| unsafe { !LLVMGetSubprogram(function.as_value_ref()).is_null() })
}

fn instructions(function: FunctionValue<'_>) -> Vec<LLVMValueRef> {
    let mut instructions = Vec::new();
    // SAFETY: there are as many blocks as reported, and they and their instructions are alive.
    unsafe {
        let function = function.as_value_ref();
        let mut blocks = vec![std::ptr::null_mut(); LLVMCountBasicBlocks(function) as usize];
        LLVMGetBasicBlocks(function, blocks.as_mut_ptr());
        for block in blocks {
            let mut instruction = LLVMGetFirstInstruction(block);
            while !instruction.is_null() {
                instructions.push(instruction);
                instruction = LLVMGetNextInstruction(instruction);
            }
        }
    }
    instructions
}

fn name(function: FunctionValue<'_>) -> String {
    function.get_name().to_string_lossy().into_owned()
}
