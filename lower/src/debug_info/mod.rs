//! Debug information: what PTX's `.file` and `.loc` come from.
//!
//! - [`scope`]: subprograms, lexical blocks and positions
//! - [`inlined`]: where inlined code was called
//! - [`paths`]: names of files
//! - [`raw`]: LLVM's builder of debug metadata, as far as inkwell does not reach
//!
//! Today it holds line tables. Their emission kind is the one that writes directives and nothing
//! else: with the other kinds LLVM puts `debug` into `.target`, and ptxas then leaves the code
//! unoptimised.

pub(crate) mod inlined;
pub(crate) mod paths;
mod raw;
pub(crate) mod scope;

use std::collections::BTreeMap;

use weft_frontend::ir::{Func, Linkage};

use crate::OptLevel;
use crate::context::Cx;
use raw::{DebugBuilder, Metadata, Subprogram};
use scope::FnDebug;

/// The debug metadata of one module.
pub(crate) struct ModuleDebug<'f, 'a, 'ctx> {
    cx: &'f Cx<'a, 'ctx>,
    builder: DebugBuilder<'ctx>,
    /// By name: what `#line` says counts.
    files: BTreeMap<&'a str, Metadata<'ctx>>,
    /// The type of every subprogram: line tables need none of their own.
    subroutine_ty: Metadata<'ctx>,
}

impl<'f, 'a, 'ctx> ModuleDebug<'f, 'a, 'ctx> {
    /// The metadata for the module, or none for one without text.
    pub(crate) fn new(cx: &'f Cx<'a, 'ctx>) -> Option<Self> {
        let builder = DebugBuilder::new(&cx.module);
        let files: BTreeMap<_, _> =
            cx.sources.names().map(|name| (name, builder.file(&cx.options.debug_paths.file(name)))).collect();
        let main = *files.get(cx.sources.names().next()?)?;
        builder.compile_unit(main, cx.options.opt_level != OptLevel::O0);
        let subroutine_ty = builder.subroutine_ty(main);
        Some(ModuleDebug { cx, builder, files, subroutine_ty })
    }

    /// The subprogram of a function that has a body.
    pub(crate) fn function<'d>(&'d self, func: Func) -> FnDebug<'d, 'f, 'a, 'ctx> {
        let data = &self.cx.ir.functions[func];
        let at = self.cx.sources.location(data.span);
        let (file, line) = (self.file(at.file), at.line);
        let linkage_name = &self.cx.symbols.functions[func];
        let subprogram = self.builder.subprogram(&Subprogram {
            name: &data.name,
            linkage_name: if *linkage_name == data.name { "" } else { linkage_name },
            file,
            line,
            ty: self.subroutine_ty,
            is_local: data.linkage == Linkage::Internal,
            is_optimized: self.cx.options.opt_level != OptLevel::O0,
        });
        raw::set_subprogram(self.cx.function(func).value, subprogram);
        self.note(subprogram, linkage_name);
        FnDebug::new(self, subprogram, data.span, linkage_name)
    }

    /// Remembers which function a scope is in.
    fn note(&self, scope: Metadata<'ctx>, symbol: &str) {
        self.cx.debug_scopes.borrow_mut().insert(scope.node(), symbol.to_owned());
    }

    fn file(&self, name: &str) -> Metadata<'ctx> {
        *self.files.get(name).expect("invariant: each name of the map has its metadata")
    }
}
