//! The body of one function: sets up what its lowering needs, from its parameters to its closing brace.

use weft_frontend::ir::{Func, InlineHint};

use crate::Bug;
use crate::code::Code;
use crate::context::Cx;
use crate::debug_info::scope::{CodeDebug, FnDebug};
use crate::expr::Expressions;

/// Lowers the definition of a function.
pub(crate) fn lower_body<'f, 'a, 'ctx>(
    cx: &'f Cx<'a, 'ctx>,
    func: Func,
    debug: Option<FnDebug<'f, 'f, 'a, 'ctx>>,
) -> Result<(), Bug> {
    let data = &cx.ir.functions[func];
    let Some(body) = &data.body else { return Ok(()) };
    let lowered = cx.function(func);
    let code = Code::new(cx, lowered.value)?;
    let debug = CodeDebug::new(&code, debug);
    debug.locate(data.span);
    if data.inline == InlineHint::Always {
        debug.locate_at_call();
    }
    let mut exprs = Expressions::new(&code, func, body, debug);
    exprs.frame.lower_params(&lowered.signature, &exprs.debug)?;
    exprs.statements().lower_stmt(body.root)?;
    exprs.frame.describe_registers(&exprs.debug)?;
    exprs.debug.locate(body.end);
    exprs.statements().return_nothing()?;
    code.finish();
    Ok(())
}
