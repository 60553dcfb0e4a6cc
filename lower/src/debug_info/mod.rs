//! Debug information (PTX interoperability guide 5).
//!
//! - `scope`: subprograms, lexical blocks and positions; what parameters and local variables are called and where they lie
//! - `params`: where parameters lie that a debugger can see
//! - `types`: types
//! - `address_class`: the memories of variables
//! - `sections`: behind LLVM's code generator, the sections that it wrote, mended and written again
//! - `inlined`: where inlined code was called, in line tables
//! - `paths`: names of files
//! - `raw`: LLVM's builder of debug metadata, as far as inkwell does not reach
//!
//! Line tables have the emission kind that writes directives and nothing else: with the other kinds LLVM puts `debug` into
//! `.target`, and ptxas then leaves the code unoptimised.

mod address_class;
pub(crate) mod inlined;
pub(crate) mod params;
pub(crate) mod paths;
mod raw;
pub(crate) mod scope;
pub(crate) mod sections;
mod types;

use std::collections::BTreeMap;

use weft_frontend::ir::{Func, Linkage};

use crate::context::Cx;
use crate::{DebugInfo, OptLevel};
use address_class::AddressClass;
use raw::variables::VariableNode;
use raw::{DebugBuilder, Emission, Metadata, Subprogram};
use scope::FnDebug;
use types::TypeCache;

/// The debug metadata of one module.
pub(crate) struct ModuleDebug<'f, 'a, 'ctx> {
    cx: &'f Cx<'a, 'ctx>,
    builder: DebugBuilder<'ctx>,
    /// By name: what `#line` says counts.
    files: BTreeMap<&'a str, Metadata<'ctx>>,
    /// The file that was given to compile.
    main: Metadata<'ctx>,
    unit: Metadata<'ctx>,
    types: TypeCache<'ctx>,
    /// The type of every subprogram in line tables, which need none.
    no_ty: Metadata<'ctx>,
}

impl<'f, 'a, 'ctx> ModuleDebug<'f, 'a, 'ctx> {
    /// The metadata for the module, or none where none is asked for, or there is no text.
    pub(crate) fn new(cx: &'f Cx<'a, 'ctx>) -> Option<Self> {
        let emission = match cx.options.debug {
            DebugInfo::None => return None,
            DebugInfo::Lines => Emission::Directives,
            DebugInfo::Full => Emission::Full,
        };
        let builder = DebugBuilder::new(&cx.module);
        let paths = &cx.options.debug_paths;
        let files: BTreeMap<_, _> =
            cx.sources.names().map(|name| (name, builder.file(&paths.file(name), ""))).collect();
        let main_name = cx.sources.names().next()?;
        let main = *files.get(main_name)?;
        let compiled = builder.file(&paths.unit(main_name), &paths.directory());
        let unit = builder.compile_unit(compiled, cx.options.opt_level != OptLevel::O0, emission);
        let no_ty = builder.function_ty(main, &[]);
        Some(ModuleDebug { cx, builder, files, main, unit, types: TypeCache::default(), no_ty })
    }

    /// Whether variables and types are described.
    pub(crate) fn is_full(&self) -> bool {
        self.cx.options.debug == DebugInfo::Full
    }

    /// The subprogram of a function that has a body.
    pub(crate) fn function<'d>(&'d self, func: Func) -> FnDebug<'d, 'f, 'a, 'ctx> {
        let data = &self.cx.ir.functions[func];
        let at = self.cx.sources.location(data.span);
        let (file, line) = (self.file(at.file), at.line);
        let linkage_name = &self.cx.symbols.functions[func];
        let ty = match self.cx.ir.types.func(data.ty) {
            Some(ty) if self.is_full() => self.function_ty(ty),
            _ => self.no_ty,
        };
        let subprogram = self.builder.subprogram(&Subprogram {
            name: &data.name,
            linkage_name: if *linkage_name == data.name { "" } else { linkage_name },
            file,
            line,
            ty,
            is_local: data.linkage == Linkage::Internal,
            is_optimized: self.cx.options.opt_level != OptLevel::O0,
        });
        raw::set_subprogram(self.cx.function(func).value, subprogram);
        self.note(subprogram, linkage_name);
        FnDebug::new(self, func, subprogram)
    }

    /// Describes the variables at file scope.
    pub(crate) fn globals(&self) {
        if !self.is_full() {
            return;
        }
        for (global, data) in &self.cx.ir.globals {
            let (Some(name), None, Some(variable)) = (&data.name, data.owner, self.cx.globals[global]) else {
                continue;
            };
            let node = VariableNode {
                name,
                declared: self.declared(Some(data.span)),
                ty: self.ty(data.ty),
                param: None,
            };
            let is_local = data.linkage == Linkage::Internal;
            let linkage_name = &self.cx.symbols.globals[global];
            let class = in_class(AddressClass::of(data.space));
            self.builder.global(variable, self.unit, &node, linkage_name, is_local, &class);
        }
    }

    /// Remembers which function a scope is in.
    fn note(&self, scope: Metadata<'ctx>, symbol: &str) {
        self.cx.debug_scopes.borrow_mut().insert(scope.node(), symbol.to_owned());
    }

    fn file(&self, name: &str) -> Metadata<'ctx> {
        *self.files.get(name).expect("invariant: each name of the map has its metadata")
    }
}

/// The expression by which LLVM knows an address class: `DW_OP_constu CODE DW_OP_swap DW_OP_xderef`.
fn in_class(class: AddressClass) -> [u64; 4] {
    [0x10, class.code().into(), 0x16, 0x18]
}
