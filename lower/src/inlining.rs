//! Limits the growth of functions by `__forceinline__`.
//!
//! In: a module as built. Out: the same, but functions that would become too large are no longer marked for
//! inlining; LLVM then decides by their size. Nested calls multiply: twelve functions with three calls each
//! of the next make 177,147 calls. Often most of them are equal, so if a program exceeds the budget, small
//! functions are inlined and cleaned up before larger ones are measured.

use std::collections::HashMap;

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::targets::TargetMachine;
use inkwell::values::{CallSiteValue, FunctionValue};
use weft_frontend::ir::InlineHint;

use crate::context::Cx;
use crate::{Bug, OptLevel, passes};

/// The maximum size of an inlined function in instructions, including its inlined callees.
const MAX_INLINED_SIZE: u64 = 20_000;

/// The same limit for code that is inlined and cleaned up in stages, if the first limit is exceeded.
const STAGE_SIZE: u64 = 2_000;

/// The maximum call depth for measuring sizes.
const MAX_CALL_DEPTH: u32 = 1_000;

/// The attribute of functions to inline that are not yet marked for it.
const WAITING: &str = "weft-forceinline";

/// Keeps the module within the budget.
pub(crate) fn limit(cx: &Cx<'_, '_>, machine: &TargetMachine, level: OptLevel) -> Result<(), Bug> {
    if !cx.ir.functions.values().any(|function| function.inline == InlineHint::Always) {
        return Ok(());
    }
    let always = Attribute::get_named_enum_kind_id("alwaysinline");
    let marked: Vec<_> = cx
        .module
        .get_functions()
        .filter(|function| function.get_enum_attribute(AttributeLoc::Function, always).is_some())
        .collect();
    let mut sizes = Sizes::new(always);
    if marked.iter().all(|&function| sizes.of(function, 0) <= MAX_INLINED_SIZE) {
        return Ok(());
    }
    for function in marked {
        function.remove_enum_attribute(AttributeLoc::Function, always);
        cx.add_fn_string_attr(function, WAITING, "");
    }
    while mark_up_to(cx, always, STAGE_SIZE) {
        passes::inline_and_clean_up(&cx.module, machine, level)?;
    }
    mark_up_to(cx, always, MAX_INLINED_SIZE);
    Ok(())
}

/// Marks the pending functions within the limit. Returns whether there were any. Passes delete functions, so
/// no function is kept from one stage to the next.
fn mark_up_to(cx: &Cx<'_, '_>, always: u32, limit: u64) -> bool {
    let mut sizes = Sizes::new(always);
    let waiting = cx.module.get_functions().filter(|&function| is_waiting(function));
    let small: Vec<_> = waiting.filter(|&function| sizes.of(function, 0) <= limit).collect();
    for function in &small {
        function.remove_string_attribute(AttributeLoc::Function, WAITING);
        cx.add_fn_attr(*function, "alwaysinline");
    }
    !small.is_empty()
}

fn is_waiting(function: FunctionValue<'_>) -> bool {
    function.get_string_attribute(AttributeLoc::Function, WAITING).is_some()
}

/// Sizes of functions including their inlined callees.
struct Sizes<'ctx> {
    always: u32,
    /// `None` while a function is being measured: a recursive call is not inlined.
    known: HashMap<FunctionValue<'ctx>, Option<u64>>,
}

impl<'ctx> Sizes<'ctx> {
    fn new(always: u32) -> Self {
        Sizes { always, known: HashMap::new() }
    }

    fn of(&mut self, function: FunctionValue<'ctx>, depth: u32) -> u64 {
        if let Some(&known) = self.known.get(&function) {
            return known.unwrap_or(0);
        }
        self.known.insert(function, None);
        let mut size = 0_u64;
        for instruction in function.get_basic_block_iter().flat_map(|block| block.get_instructions()) {
            let callee =
                CallSiteValue::try_from(instruction).ok().and_then(CallSiteValue::get_called_fn_value);
            size = size.saturating_add(match callee {
                Some(callee) if depth < MAX_CALL_DEPTH && self.is_inlined(callee) => {
                    self.of(callee, depth + 1)
                }
                _ => 1,
            });
        }
        self.known.insert(function, Some(size));
        size
    }

    fn is_inlined(&self, callee: FunctionValue<'ctx>) -> bool {
        is_waiting(callee) || callee.get_enum_attribute(AttributeLoc::Function, self.always).is_some()
    }
}
