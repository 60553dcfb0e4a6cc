//! Debug information (PTX interoperability guide 5).
//!
//! - `scope`: subprograms, lexical blocks and positions; names and places of parameters and local variables
//! - `params`: places of parameters that a debugger can see
//! - `types`: types
//! - `address_class`: the state spaces of variables
//! - `sections`: corrects the sections that LLVM's code generator wrote
//! - `instance`: names of instances of templates
//! - `inlined`: call sites of inlined code in line tables
//! - `moved`: the lines of instructions that passes moved
//! - `paths`: names of files
//! - `raw`: the parts of LLVM's builder of debug metadata that inkwell lacks
//!
//! Line tables use the emission kind that writes only directives: with the other kinds LLVM puts `debug` into
//! `.target`, and ptxas then does not optimize the code.

mod address_class;
pub(crate) mod inlined;
mod instance;
pub(crate) mod moved;
pub(crate) mod params;
pub(crate) mod paths;
mod raw;
pub(crate) mod scope;
pub(crate) mod sections;
mod types;

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use inkwell::values::BasicValue;
use weft_frontend::ir::{Func, Global, GlobalData, LinkName, Linkage, Namespace, TyKind};

use crate::context::Cx;
use crate::{DebugInfo, OptLevel};
use address_class::AddressClass;
use raw::variables::VariableNode;
use raw::{DebugBuilder, Emission, Metadata, Subprogram};
use scope::FnDebug;
use types::TypeCache;

/// The parent of each lexical block's scope, and of each part of one in another file.
pub(crate) type OuterScopes = HashMap<LLVMMetadataRef, LLVMMetadataRef>;

/// The debug metadata of one module.
pub(crate) struct ModuleDebug<'f, 'a, 'ctx> {
    cx: &'f Cx<'a, 'ctx>,
    builder: DebugBuilder<'ctx>,
    /// By name, which `#line` can change.
    files: BTreeMap<&'a str, Metadata<'ctx>>,
    /// The compiled file.
    main: Metadata<'ctx>,
    unit: Metadata<'ctx>,
    types: TypeCache<'ctx>,
    /// The type of all subprograms in line tables, which need no types.
    no_ty: Metadata<'ctx>,
    /// How many structured bindings have been described.
    n_bindings: Cell<u32>,
}

impl<'f, 'a, 'ctx> ModuleDebug<'f, 'a, 'ctx> {
    /// The metadata for the module, or `None` if not requested or without source text.
    pub(crate) fn new(cx: &'f Cx<'a, 'ctx>) -> Option<Self> {
        let emission = match cx.options.debug {
            DebugInfo::None => return None,
            DebugInfo::Lines => Emission::Directives,
            DebugInfo::Variables | DebugInfo::Full => Emission::Full,
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
        Some(ModuleDebug {
            cx,
            builder,
            files,
            main,
            unit,
            types: TypeCache::default(),
            no_ty,
            n_bindings: Cell::new(0),
        })
    }

    /// Whether variables and types are described.
    fn has_variables(&self) -> bool {
        self.cx.options.debug.has_variables()
    }

    /// Whether code is generated so that a debugger finds the described variables.
    pub(crate) fn is_full(&self) -> bool {
        self.cx.options.debug == DebugInfo::Full
    }

    /// The subprogram of a function with a body.
    pub(crate) fn function<'d>(&'d self, func: Func) -> FnDebug<'d, 'f, 'a, 'ctx> {
        let data = &self.cx.ir.functions[func];
        let at = self.cx.sources.location(data.span);
        let (file, line) = (self.file(at.file), at.line);
        let linkage_name = &self.cx.symbols.functions[func];
        let types = &self.cx.ir.types;
        let ty = match types.written(data.ty) {
            _ if !self.has_variables() => self.no_ty,
            TyKind::Func(ty) => self.function_ty(ty),
            _ => types.func(data.ty).map_or(self.no_ty, |ty| self.function_ty(ty)),
        };
        let subprogram = self.builder.subprogram(&Subprogram {
            name: &instance::name(types, data),
            linkage_name,
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

    /// Describes the file-scope variables that are defined here.
    pub(crate) fn defined_globals(&self) {
        if !self.has_variables() {
            return;
        }
        for (global, data) in self.cx.ir.globals.iter().filter(|(_, data)| !data.is_extern) {
            self.global(global, data);
        }
    }

    /// Describes variables that are defined elsewhere and used by lowered code.
    pub(crate) fn used_globals(&self) {
        if !self.has_variables() {
            return;
        }
        for (global, data) in self.cx.ir.globals.iter().filter(|(_, data)| data.is_extern) {
            let variable = self.cx.globals[global];
            if variable.is_some_and(|variable| variable.as_pointer_value().get_first_use().is_some()) {
                self.global(global, data);
            }
        }
    }

    fn global(&self, global: Global, data: &GlobalData) {
        let (Some(name), None, Some(variable)) = (&data.name, data.owner, self.cx.globals[global]) else {
            return;
        };
        let linkage_name = &self.cx.symbols.globals[global];
        // nvcc describes no namespaces, and names their variables by their symbols.
        let is_global = data.namespace == Namespace::GLOBAL || data.link_name != LinkName::Cxx;
        let node = VariableNode {
            name: if is_global { name } else { linkage_name },
            declared: self.declared(Some(data.span)),
            ty: self.ty(data.ty),
            param: None,
        };
        let is_local = data.linkage == Linkage::Internal;
        let class = in_class(AddressClass::of(data.space));
        self.builder.global(variable, self.unit, &node, linkage_name, is_local, &class);
    }

    /// Records the parent and the function of a scope.
    fn note_inner(&self, scope: Metadata<'ctx>, outer: Metadata<'ctx>, symbol: &str) {
        self.cx.outer_scopes.borrow_mut().insert(scope.node(), outer.node());
        self.note(scope, symbol);
    }

    /// Records the function of a scope.
    fn note(&self, scope: Metadata<'ctx>, symbol: &str) {
        self.cx.debug_scopes.borrow_mut().insert(scope.node(), symbol.to_owned());
    }

    fn file(&self, name: &str) -> Metadata<'ctx> {
        *self.files.get(name).expect("invariant: each name of the map has its metadata")
    }
}

/// Called when the blocks of the module do not change any more: makes static variables visible in all of
/// their scopes, and gives the code that sets up an inlined call's parameters the position of the call, so
/// that a debugger can stop there.
pub(crate) fn settle(cx: &Cx<'_, '_>) {
    if cx.options.debug.has_variables() {
        raw::records::place_at_calls(&cx.module);
        let symbols = cx.debug_symbols.borrow();
        // LLVM only trusts the description of a kernel's parameters at its beginning.
        let is_static =
            |number: u64| symbols.get(number as usize).is_some_and(|at| at.class != AddressClass::Param);
        raw::records::repeat_in_blocks(&cx.module, &cx.outer_scopes.borrow(), is_static);
    }
}

/// Removes positions with line 0, which LLVM gives to code without a source line: ptxas drops the label
/// before one, and with it the start of a scope. The code then belongs to the previous line, like in nvcc.
pub(crate) fn without_line_0(text: &str) -> String {
    let is_line_0 = |line: &str| {
        let position = line.strip_prefix("\t.loc\t");
        position.is_some_and(|position| position.split(' ').nth(1) == Some("0"))
    };
    text.split_inclusive('\n').filter(|line| !is_line_0(line)).collect()
}

/// The expression that LLVM recognizes as an address class: `DW_OP_constu CODE DW_OP_swap DW_OP_xderef`.
fn in_class(class: AddressClass) -> [u64; 4] {
    [0x10, class.code().into(), 0x16, 0x18]
}
