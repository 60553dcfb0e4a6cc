//! Subprograms, lexical blocks, positions and variables.

use std::cell::RefCell;
use std::collections::HashMap;

use inkwell::builder::Builder;
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use inkwell::values::{BasicValueEnum, InstructionValue, PointerValue};
use weft_frontend::ir::{Body, Func, Global, Local};
use weft_frontend::source::Span;

use super::ModuleDebug;
use super::address_class::AddressClass;
use super::raw::variables::{Storage, VariableNode};
use super::raw::{self, Metadata};
use super::sections::AtSymbol;
use crate::code::Code;

/// The scopes of the function that is being lowered.
pub(crate) struct FnDebug<'d, 'f, 'a, 'ctx> {
    module: &'d ModuleDebug<'f, 'a, 'ctx>,
    /// The subprogram, and the open blocks.
    scopes: Vec<Scope<'a, 'ctx>>,
    /// Scopes in other files than their own: a body may span several files, through `#include` and `#line`.
    elsewhere: RefCell<HashMap<(LLVMMetadataRef, &'a str), Metadata<'ctx>>>,
    func: Func,
}

/// The location of a parameter.
#[derive(Clone, Copy)]
pub(crate) enum ParamStorage<'ctx> {
    /// In the kernel's parameter itself.
    Param,
    /// In a register, during the whole function.
    Register(BasicValueEnum<'ctx>),
    /// In the frame.
    Frame(PointerValue<'ctx>),
}

/// A scope, and the file that it begins in.
#[derive(Clone, Copy)]
struct Scope<'a, 'ctx> {
    node: Metadata<'ctx>,
    file: &'a str,
}

impl<'d, 'f, 'a, 'ctx> FnDebug<'d, 'f, 'a, 'ctx> {
    pub(super) fn new(module: &'d ModuleDebug<'f, 'a, 'ctx>, func: Func, subprogram: Metadata<'ctx>) -> Self {
        let file = module.cx.sources.location(module.cx.ir.functions[func].span).file;
        FnDebug {
            module,
            scopes: vec![Scope { node: subprogram, file }],
            elsewhere: RefCell::default(),
            func,
        }
    }

    /// Whether code is generated so that a debugger finds the described variables.
    pub(crate) fn is_full(&self) -> bool {
        self.module.is_full()
    }

    /// Opens a lexical block.
    pub(crate) fn enter(&mut self, span: Span) {
        let at = self.module.cx.sources.location(span);
        let block = self.module.builder.lexical_block(
            self.scope().node,
            self.module.file(at.file),
            at.line,
            at.column,
        );
        self.module.note_inner(block, self.scope().node, self.symbol());
        self.scopes.push(Scope { node: block, file: at.file });
    }

    /// Closes a lexical block.
    pub(crate) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Sets the source position of the following instructions.
    pub(crate) fn locate(&self, builder: &Builder<'ctx>, span: Span) {
        let at = self.module.cx.sources.location(span);
        let scope = self.scope();
        let scope = if at.file == scope.file { scope.node } else { self.scope_in(scope.node, at.file) };
        raw::set_location(self.module.cx.llvm, builder, at.line, at.column, scope);
    }

    /// The same for an operation, whose line is that of its last operand if that differs, like in nvcc.
    pub(crate) fn locate_operation(&self, builder: &Builder<'ctx>, whole: Span, last: Span) {
        let line = |span| {
            let at = self.module.cx.sources.location(span);
            (at.file, at.line)
        };
        self.locate(builder, if line(whole) == line(last) { whole } else { last });
    }

    /// Gives the following instructions the position of the call, if the function is inlined, and no line
    /// otherwise.
    pub(crate) fn locate_at_call(&self, builder: &Builder<'ctx>) {
        raw::set_location(self.module.cx.llvm, builder, 0, 0, self.scope().node);
    }

    /// The scope, for code in a file that may differ from its own.
    fn scope_in(&self, scope: Metadata<'ctx>, file: &'a str) -> Metadata<'ctx> {
        *self.elsewhere.borrow_mut().entry((scope.node(), file)).or_insert_with(|| {
            let part = self.module.builder.scope_in_file(scope, self.module.file(file));
            self.module.note_inner(part, scope, self.symbol());
            part
        })
    }

    /// The symbol of the function.
    fn symbol(&self) -> &'f str {
        &self.module.cx.symbols.functions[self.func]
    }

    /// Describes a parameter by its index, from 0; only `alloca` instructions precede `begin`.
    pub(crate) fn param(
        &self,
        body: &Body,
        number: u32,
        storage: ParamStorage<'ctx>,
        begin: InstructionValue<'ctx>,
    ) {
        let local = body.params[number as usize];
        if !self.module.has_variables() {
            return;
        }
        let node = VariableNode { param: Some(number + 1), ..self.local(body, local) };
        let storage = match storage {
            ParamStorage::Param => {
                let symbol = format!("{}_param_{number}", self.symbol());
                self.at_symbol(AddressClass::Param, symbol)
            }
            ParamStorage::Register(value) => Storage::Value(value),
            ParamStorage::Frame(at) => Storage::Memory(at),
        };
        self.module.builder.variable(self.scopes[0].node, &node, storage, begin);
    }

    /// Describes a local variable that is declared here; only `alloca` instructions precede `begin`.
    pub(crate) fn variable(
        &self,
        body: &Body,
        local: Local,
        at: PointerValue<'ctx>,
        begin: InstructionValue<'ctx>,
    ) {
        if !self.module.has_variables() {
            return;
        }
        // Debuggers look into unnamed variables: it is an anonymous union, whose members are used by their
        // own names.
        let node = self.local(body, local);
        let name = self.name_of_binding(node.name);
        let node = VariableNode { name: name.as_deref().unwrap_or(node.name), ..node };
        self.module.builder.variable(self.scope().node, &node, Storage::Memory(at), begin);
    }

    /// Describes a static or shared variable that is declared here; only `alloca` instructions precede
    /// `begin`.
    pub(crate) fn static_variable(&self, global: Global, begin: InstructionValue<'ctx>) {
        let data = &self.module.cx.ir.globals[global];
        let (Some(name), true) = (&data.name, self.module.has_variables()) else { return };
        let node = VariableNode {
            name,
            declared: self.module.declared(Some(data.span)),
            ty: self.module.ty(data.ty),
            param: None,
        };
        let symbol = self.module.cx.symbols.globals[global].clone();
        let storage = self.at_symbol(AddressClass::of(data.space), symbol);
        self.module.builder.variable(self.scope().node, &node, storage, begin);
    }

    /// nvcc's name for the variable of a structured binding, `[a, b]`: it numbers its own variables.
    fn name_of_binding(&self, name: &str) -> Option<String> {
        let number = &self.module.n_bindings;
        name.starts_with('[').then(|| format!("__T{}", number.replace(number.get() + 1)))
    }

    fn local<'b>(&self, body: &'b Body, local: Local) -> VariableNode<'b, 'ctx> {
        let data = &body.locals[local];
        VariableNode {
            name: data.name.as_deref().unwrap_or(""),
            declared: self.module.declared((!data.is_this()).then_some(data.span)),
            ty: self.module.ty(data.ty),
            param: None,
        }
    }

    /// A placeholder for a variable at a symbol, until LLVM has written its sections.
    fn at_symbol(&self, class: AddressClass, symbol: String) -> Storage<'ctx> {
        let mut symbols = self.module.cx.debug_symbols.borrow_mut();
        let number = self.module.cx.tys.i64.const_int(symbols.len() as u64, false);
        symbols.push(AtSymbol { class, symbol });
        Storage::Value(number.into())
    }

    fn scope(&self) -> Scope<'a, 'ctx> {
        *self.scopes.last().expect("invariant: the subprogram is never left")
    }
}

/// The debug information of the code that is being built, if requested; it changes only the open scopes.
pub(crate) struct CodeDebug<'f, 'a, 'ctx> {
    code: &'f Code<'f, 'a, 'ctx>,
    debug: Option<FnDebug<'f, 'f, 'a, 'ctx>>,
}

impl<'f, 'a, 'ctx> CodeDebug<'f, 'a, 'ctx> {
    /// Describes the code.
    pub(crate) fn new(code: &'f Code<'f, 'a, 'ctx>, debug: Option<FnDebug<'f, 'f, 'a, 'ctx>>) -> Self {
        CodeDebug { code, debug }
    }

    /// Whether there is any.
    pub(crate) fn is_requested(&self) -> bool {
        self.debug.is_some()
    }

    /// Whether code is generated so that a debugger finds the described variables.
    pub(crate) fn is_full(&self) -> bool {
        self.debug.as_ref().is_some_and(FnDebug::is_full)
    }

    /// Opens a lexical block.
    pub(crate) fn enter(&mut self, span: Span) {
        if let Some(debug) = &mut self.debug {
            debug.enter(span);
        }
    }

    /// Closes a lexical block.
    pub(crate) fn leave(&mut self) {
        if let Some(debug) = &mut self.debug {
            debug.leave();
        }
    }

    /// Sets the position of the following LLVM values.
    pub(crate) fn locate(&self, span: Span) {
        if let Some(debug) = &self.debug {
            debug.locate(&self.code.builder, span);
        }
    }

    /// The same for an operation, whose line is that of its last operand, if that differs.
    pub(crate) fn locate_operation(&self, whole: Span, last: Span) {
        if let Some(debug) = &self.debug {
            debug.locate_operation(&self.code.builder, whole, last);
        }
    }

    /// Gives the following instructions the position of the call, if a debugger is to find variables.
    pub(crate) fn locate_at_call(&self) {
        if let Some(debug) = self.debug.as_ref().filter(|debug| debug.is_full()) {
            debug.locate_at_call(&self.code.builder);
        }
    }

    /// Makes the parameter visible to debuggers; see [`FnDebug::param`].
    pub(crate) fn param(&self, body: &Body, number: u32, storage: ParamStorage<'ctx>) {
        if let Some(debug) = &self.debug {
            debug.param(body, number, storage, self.code.variables_end);
        }
    }

    /// Makes the local variable visible to debuggers from here on.
    pub(crate) fn variable(&self, body: &Body, local: Local, at: PointerValue<'ctx>) {
        if let Some(debug) = &self.debug {
            debug.variable(body, local, at, self.code.variables_end);
        }
    }

    /// Makes the static or shared variable visible to debuggers in this scope.
    pub(crate) fn static_variable(&self, global: Global) {
        if let Some(debug) = &self.debug {
            debug.static_variable(global, self.code.variables_end);
        }
    }
}
