//! A header for programs that link with this one: its exported entities, for C, C++ and CUDA.
//!
//! - [`types`]: definitions of the needed types, each after the types of its members
//! - [`assertions`]: checks that the including compiler uses the same layouts
//! - [`origin`]: types that come from headers that the program includes
//! - this file: the header as a whole; functions, variables and kernels
//!
//! A host compiler sees the types, and for each kernel its symbol and a struct of its parameters, laid out as in a
//! launch's buffer (`CU_LAUNCH_PARAM_BUFFER_POINTER`). A compiler of device code sees the declarations as well.

mod assertions;
mod origin;
mod types;

use std::collections::BTreeMap;
use std::fmt::Write;

use weft_frontend::ir::{
    Function, FunctionKind, LinkName, Linkage, Module, Namespace, NamespaceData, Space, VerifiedModule,
};
use weft_frontend::layout::{self, Layout};
use weft_frontend::source::SourceMap;

use super::mangle::Symbols;
use types::Types;

/// The beginning of every header: static assertions in the including compiler's language.
const PRELUDE: &str = "\
#include <stddef.h>

#ifndef WEFT_STATIC_ASSERT
#ifdef __cplusplus
#define WEFT_STATIC_ASSERT(condition) static_assert(condition, #condition)
#define WEFT_ALIGNOF(type) alignof(type)
#else
#include <stdbool.h>
#define WEFT_STATIC_ASSERT(condition) _Static_assert(condition, #condition)
#define WEFT_ALIGNOF(type) _Alignof(type)
#endif
#endif
";

/// Around the structs of kernel parameters: GCC warns about members whose alignment exceeds that of a packed
/// struct.
const QUIET: &str = "\
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \"-Wpacked-not-aligned\"
#endif
#pragma pack(push, 1)

";
const LOUD: &str = "\
#pragma pack(pop)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
";

/// The header of the program in a file of this name, for C11, C++11 and CUDA.
pub fn header(module: &VerifiedModule, sources: &SourceMap, file: &str) -> String {
    let module = module.module();
    let symbols = Symbols::of(module);
    let mut types = Types::new(&module.types, sources);
    let mut n_kernels: BTreeMap<&String, usize> = BTreeMap::new();
    let is_kernel = |function: &&Function| matches!(function.kind, FunctionKind::Kernel(_));
    for function in module.functions.values().filter(is_kernel) {
        *n_kernels.entry(&function.name).or_default() += 1;
    }
    let mut kernels = String::new();
    let mut device = String::new();
    for (func, function) in &module.functions {
        // A member function belongs to its class, of which the header has the data.
        let is_exported = matches!(function.linkage, Linkage::External | Linkage::Weak);
        if function.body.is_none() || !is_exported || function.method.is_some() {
            continue;
        }
        if !types.declare(function.ty) {
            let name = module.types.qualified_name(function.namespace, &function.name);
            let why = types.why_unnamed(function.ty);
            let _ = writeln!(device, "/* {name}: one of its types has {why}. */");
            continue;
        }
        let declared = declaration(module, function);
        let _ = writeln!(device, "{}", in_namespace(module, function.namespace, declared));
        if matches!(function.kind, FunctionKind::Kernel(_)) {
            // A name that several kernels share would be declared twice.
            let symbol = &symbols.functions[func];
            let is_shared = n_kernels.get(&function.name).is_some_and(|&n_named| n_named > 1);
            let name = if is_shared { symbol } else { &function.name };
            kernel(module, function, name, symbol, &mut kernels);
        }
    }
    for data in module.globals.values() {
        let (Some(name), false, None) = (&data.name, data.is_extern, data.owner) else { continue };
        let space = match data.space {
            Space::Global if data.is_managed => "__managed__",
            Space::Global => "__device__",
            Space::Constant => "__constant__",
            Space::Shared => continue,
        };
        if !matches!(data.linkage, Linkage::External | Linkage::Weak) {
            continue;
        }
        if !types.declare(data.ty) {
            let (name, why) = (module.types.qualified_name(data.namespace, name), types.why_unnamed(data.ty));
            let _ = writeln!(device, "/* {name}: its type has {why}. */");
            continue;
        }
        let Some((name, prefix)) = linkage(name, &data.link_name, "extern ") else {
            let _ = writeln!(device, "/* {name}: its symbol is not a C identifier. */");
            continue;
        };
        let align = data.align.map(|align| format!(" __attribute__((aligned({align})))")).unwrap_or_default();
        let declared = module.types.display_declared(data.ty, name);
        let declared = format!("{prefix}{space} {declared}{align};");
        let _ = writeln!(device, "{}", in_namespace(module, data.namespace, declared));
    }
    let guard = guard(file);
    let mut text = format!(
        "/* Exported declarations of {file}. Generated by weftc {}: do not edit. */\n#ifndef {guard}\n#define {guard}\n\n{PRELUDE}",
        env!("CARGO_PKG_VERSION"),
        file = file.replace("*/", "* /"),
    );
    for include in types.includes() {
        let _ = writeln!(text, "#include <{include}>");
    }
    let (shared, definitions, assertions) = types.finish();
    text.push_str(&section(
        "Types from the program's headers: included, or with WEFT_OWN_TYPES defined here.",
        &shared,
    ));
    text.push_str(&section("Types.", &definitions));
    text.push_str(&section("The including compiler must lay them out as weftc does.", &assertions));
    if !kernels.is_empty() {
        text.push_str(&section(
            "Kernels: the symbol, and the parameters as laid out in a launch's buffer.",
            &format!("{QUIET}{kernels}{LOUD}"),
        ));
    }
    if !device.is_empty() {
        let guarded = format!("#ifdef __CUDACC__\n{device}#endif\n");
        text.push_str(&section("For device code, compiled with -rdc=true.", &guarded));
    }
    let _ = write!(text, "\n#endif /* {guard} */\n");
    text
}

fn section(title: &str, content: &str) -> String {
    if content.is_empty() { String::new() } else { format!("\n/* {title} */\n\n{content}") }
}

/// A declaration within its namespaces.
fn in_namespace(module: &Module, namespace: Namespace, declared: String) -> String {
    let mut text = declared;
    let mut at = namespace;
    while let NamespaceData { parent: Some(parent), name, is_inline, .. } = &module.types.namespaces[at] {
        let inline = if *is_inline { "inline " } else { "" };
        text = format!("{inline}namespace {} {{ {text} }}", name.as_deref().unwrap_or_default());
        at = *parent;
    }
    text
}

/// The include guard of a file: `WEFT_SGEMM_SRC_H`.
fn guard(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    let upper = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
    format!("WEFT_{}_H", upper.collect::<String>())
}

/// The name to declare, and what precedes the declaration. nvcc does not support `__asm__("…")` in device
/// code, so such an entity is declared by its symbol; `None` if that is not a C identifier.
fn linkage<'a>(name: &'a str, link_name: &'a LinkName, word: &'a str) -> Option<(&'a str, &'a str)> {
    match link_name {
        LinkName::Cxx => Some((name, word)),
        LinkName::C => Some((name, "extern \"C\" ")),
        LinkName::Asm { symbol, .. } => {
            let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
            let is_name =
                symbol.starts_with(is_first) && symbol.chars().all(|c| is_first(c) || c.is_ascii_digit());
            is_name.then_some((symbol, "extern \"C\" "))
        }
    }
}

/// The CUDA declaration of a function or kernel.
fn declaration(module: &Module, function: &Function) -> String {
    let space = match function.kind {
        FunctionKind::Kernel(_) => "__global__",
        FunctionKind::Device => "__device__",
    };
    let Some((name, prefix)) = linkage(&function.name, &function.link_name, "") else {
        return format!("/* {}: its symbol is not a C identifier. */", function.name);
    };
    format!("{prefix}{space} {};", module.types.display_declared(function.ty, name))
}

/// The maximum alignment in bytes of kernel parameters whose offset is the same on all GPUs. Above that, the
/// offset depends on where the parameters begin in the constant bank: ptxas aligns the sum (measured: a
/// parameter with an alignment of 32 bytes comes 16 bytes after a `char` on sm_90, and 32 on sm_75 and
/// sm_100).
const MAX_ALIGN: u32 = 16;

/// The symbol of a kernel, and its parameters as a packed struct, which has no padding after the last one. What is declared for it begins
/// with the name.
fn kernel(module: &Module, function: &Function, name: &str, symbol: &str, text: &mut String) {
    let Some(signature) = module.types.written_func(function.ty) else { return };
    let declared = module.types.display_declared(function.ty, &function.name);
    let _ = writeln!(text, "/* {declared} */\n#define {name}_symbol \"{symbol}\"");
    if signature.params.is_empty() {
        text.push('\n');
        return;
    }
    // The alignment of a typedef name does not matter for a parameter.
    let layouts =
        signature.params.iter().map(|&ty| layout::layout_of(&module.types, module.types.canonical(ty)));
    let layouts: Vec<Layout> = layouts.filter_map(Result::ok).collect();
    if layouts.iter().any(|layout| layout.align > MAX_ALIGN) {
        let _ = writeln!(
            text,
            "/* The layout of its parameters depends on the GPU, since one is aligned to more than {MAX_ALIGN} bytes:\n   launch it with their addresses. */\n"
        );
        return;
    }
    let (mut end, mut n_pads) = (0_u64, 0);
    let (mut members, mut assertions) = (String::new(), String::new());
    let params = signature.params.iter().zip(layouts).zip(parameter_names(function));
    for (idx, ((&ty, layout), member)) in params.enumerate() {
        let offset = end.next_multiple_of(u64::from(layout.align));
        if offset > end {
            let _ = writeln!(members, "    char weft_padding_{n_pads}[{}];", offset - end);
            n_pads += 1;
        }
        let member = member.unwrap_or_else(|| format!("parameter_{idx}"));
        let _ = writeln!(members, "    {};", module.types.display_held(ty, &member));
        let _ =
            writeln!(assertions, "WEFT_STATIC_ASSERT(offsetof({name}_parameters, {member}) == {offset});");
        end = offset + layout.size;
    }
    let _ = writeln!(
        text,
        "typedef struct {name}_parameters {{\n{members}}} {name}_parameters;\n\
         WEFT_STATIC_ASSERT(sizeof({name}_parameters) == {end});\n{assertions}"
    );
}

/// The names of a kernel's parameters, if they have names.
fn parameter_names(function: &Function) -> Vec<Option<String>> {
    let body = function.body.as_ref();
    let names = body.into_iter().flat_map(|body| {
        body.params.iter().map(|&param| body.locals[param].name.as_deref().map(str::to_owned))
    });
    names.collect()
}
