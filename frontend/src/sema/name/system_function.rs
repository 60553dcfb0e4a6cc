//! `malloc` and `free`: functions of C language linkage that CUDA's headers declare, and the driver defines (PTX Interop 3).
//!
//! They are functions like the program's own: it may declare them again, and define them itself, as it may to nvcc.

use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Func, FuncTy, Function, LinkName, Linkage, Namespace, Quals, Ty, TyKind};
use crate::sema::Names;
use crate::source::Span;
use crate::token::Symbol;

/// Whether the name is that of one of them.
pub(in crate::sema) fn is_named(name: &str) -> bool {
    matches!(name, "malloc" | "free")
}

impl Names<'_> {
    /// Refuses the address of one that the program does not define: ptxas knows calls of it alone.
    pub(in crate::sema) fn refuse_system_address(&mut self, func: Func, span: Span) -> Result<(), Reported> {
        let function = &self.module.functions[func];
        if !is_named(&function.name)
            || function.link_name != LinkName::C
            || self.declarations_ref().is_defined(func)
        {
            return Ok(());
        }
        let message = format!("cannot take the address of `{}`", function.name);
        let diagnostic = Diagnostic::new(Code::BuiltinNotCalled, span, message)
            .with_note("the CUDA driver defines it, and ptxas supports only direct calls")
            .with_help("write a function that calls it");
        Err(self.sink.error(diagnostic))
    }

    /// The function of that name, which is declared the first time, at file scope; `span` is where it is named.
    pub(in crate::sema) fn system_function(&mut self, symbol: Symbol, span: Span) -> Option<Func> {
        let name = self.spelling(symbol);
        if !is_named(name) {
            return None;
        }
        if let Some(&func) =
            self.known.funcs_by_name.get(&(Namespace::GLOBAL, symbol)).and_then(|funcs| funcs.first())
        {
            return Some(func);
        }
        let name = name.to_owned();
        let memory = self.module.types.pointer_to(Ty::VOID);
        let (ret, param) =
            if name == "free" { (Ty::VOID, memory) } else { (memory, self.module.types.model().size_ty()) };
        let ty = FuncTy { ret, params: vec![param], variadic: false };
        let ty = self.module.types.intern(TyKind::Func(ty), Quals::empty());
        let func =
            self.module.functions.push(Function::device(name, ty, (LinkName::C, Linkage::External), span));
        self.known.func_facts.entry(func).or_default().predeclare();
        self.known.funcs_by_name.entry((Namespace::GLOBAL, symbol)).or_default().push(func);
        self.bind_function(symbol, func);
        Some(func)
    }
}
