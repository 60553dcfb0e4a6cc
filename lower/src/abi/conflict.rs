//! Symbols that collide within a program, and symbols that differ from nvcc's.
//!
//! In: a [`Module`]. Out: diagnostics. Internal entities do not matter, since
//! [`Symbols`] gives them unique symbols; exported ones must keep the symbol that the program specifies, and
//! LLVM, which has one entity per name, would silently rename the second.

use std::collections::HashMap;

use weft_frontend::diag::{Code, Diagnostic};
use weft_frontend::ir::{Function, FunctionKind, GlobalData, LinkName, Linkage, Module};
use weft_frontend::source::Span;

use super::mangle::{Symbols, unlabelled_function_symbol};
use super::signature::{Convention, Signature};

/// An exported entity, and its source name.
#[derive(Clone, Copy)]
struct Named<'a> {
    name: &'a str,
    span: Span,
}

/// Errors and warnings about the symbols of a program.
pub fn check(module: &Module) -> Vec<Diagnostic> {
    let symbols = Symbols::of(module);
    let functions = || module.functions.iter().filter(|(_, function)| is_named_in_ptx(module, function));
    let seen_functions = functions().filter(|(_, function)| function.linkage != Linkage::Internal);
    let named_functions = seen_functions.map(|(func, function)| {
        let named = Named { name: &function.name, span: function.span };
        (symbols.functions[func].as_str(), named)
    });
    let seen_globals = module.globals.iter().filter(|(_, data)| data.linkage != Linkage::Internal);
    let named_globals = seen_globals.filter_map(|(global, data)| {
        let named = Named { name: data.name.as_ref()?, span: data.span };
        Some((symbols.globals[global].as_str(), named))
    });
    let mut found = Vec::new();
    let mut seen: HashMap<&str, Named<'_>> = HashMap::new();
    for (symbol, named) in named_functions.chain(named_globals) {
        if let Some(other) = seen.insert(symbol, named) {
            found.push(twice(symbol, other, named));
        }
    }
    for (func, function) in functions() {
        let symbol = &symbols.functions[func];
        for parameter in parameters(module, function, symbol) {
            if let Some(&other) = seen.get(parameter.as_str()) {
                found.push(parameter_of(&parameter, other, function));
            }
        }
        found.extend(ignored_label(function, &unlabelled_function_symbol(module, function)));
    }
    found.extend(module.globals.values().filter_map(ignored_label_of_variable));
    found
}

/// Whether the entity is in the PTX: an unused declaration is not.
fn is_named_in_ptx(module: &Module, function: &Function) -> bool {
    let is_used = function.body.is_some() || function.is_referenced;
    is_used && Signature::is_known(&module.types, function.ty)
}

fn twice(symbol: &str, a: Named<'_>, b: Named<'_>) -> Diagnostic {
    // The later declaration is the redundant one.
    let (first, second) = if a.span.lo <= b.span.lo { (a, b) } else { (b, a) };
    let message = format!("`{}` has the same symbol as `{}`: `{symbol}`", second.name, first.name);
    Diagnostic::new(Code::SymbolConflict, second.span, message)
        .with_label(first.span, format!("`{}` is declared here", first.name))
        .with_help("rename one of them, or change its `asm` label")
}

/// The PTX names of a function's parameters that hide other symbols of the same name.
fn parameters(module: &Module, function: &Function, symbol: &str) -> Vec<String> {
    let convention = match function.kind {
        FunctionKind::Kernel(_) => Convention::Kernel,
        FunctionKind::Device => Convention::Device,
    };
    let Some(ty) = module.types.written_func(function.ty) else { return Vec::new() };
    let signature = Signature::of(&module.types, ty, convention);
    let n_params = signature.n_hidden_params() + signature.params.len();
    let mut all: Vec<String> = (0..n_params).map(|idx| format!("{symbol}_param_{idx}")).collect();
    all.extend(signature.variadic.then(|| format!("{symbol}_vararg")));
    all
}

fn parameter_of(parameter: &str, other: Named<'_>, function: &Function) -> Diagnostic {
    let message = format!("`{}` has the same symbol as a parameter of `{}`", other.name, function.name);
    Diagnostic::new(Code::SymbolConflict, other.span, message)
        .with_label(function.span, format!("`{}` is declared here", function.name))
        .with_note(format!("in PTX, the parameter `{parameter}` hides other symbols of that name"))
        .with_help("rename it")
}

fn ignored_label(function: &Function, unlabelled: &str) -> Option<Diagnostic> {
    let LinkName::Asm { symbol: label, .. } = &function.link_name else { return None };
    // Internal entities may have any symbol.
    let is_ignored = label != unlabelled && function.linkage != Linkage::Internal;
    is_ignored.then(|| ignored(&function.name, function.span, label, unlabelled))
}

fn ignored_label_of_variable(data: &GlobalData) -> Option<Diagnostic> {
    let (LinkName::Asm { symbol: label, .. }, Some(name)) = (&data.link_name, &data.name) else {
        return None;
    };
    let is_ignored = data.linkage != Linkage::Internal && label != name;
    is_ignored.then(|| ignored(name, data.span, label, name))
}

fn ignored(name: &str, span: Span, label: &str, unlabelled: &str) -> Diagnostic {
    let message = format!(
        "nvcc ignores the `asm` label of `{name}`: Weft's symbol is `{label}`, nvcc's is `{unlabelled}`"
    );
    Diagnostic::new(Code::IgnoredAsmLabel, span, message)
        .with_note("nvcc applies `asm` labels only to host symbols")
}
