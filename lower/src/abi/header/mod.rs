//! A header for who links with a program: what it defines for others, as C, C++ and CUDA have it.
//!
//! - [`types`]: definitions of the types that are needed, each behind those that it consists of
//! - [`assertions`]: that who includes the header lays them out in the same way
//! - [`origin`]: which of them come from headers that the program includes
//! - this file: the whole of it; functions, variables and kernels
//!
//! A host compiler sees the types, and for each kernel its symbol and the struct of its parameters, which lie as in a
//! launch's buffer (`CU_LAUNCH_PARAM_BUFFER_POINTER`). A compiler of device code sees the declarations as well.

mod assertions;
mod origin;
mod types;

use std::fmt::Write;

use weft_frontend::ir::{Function, FunctionKind, LinkName, Linkage, Module, Space, VerifiedModule};
use weft_frontend::layout::{self, Layout};
use weft_frontend::source::SourceMap;

use super::mangle::Symbols;
use types::Types;

/// What every header begins with: assertions in the words of the language at hand.
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

/// Around the structs of kernels' parameters: GCC warns of members that ask for more alignment than such a struct has.
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

/// The header of a program that a file of this name holds: C11, C++11 and CUDA.
pub fn header(module: &VerifiedModule, sources: &SourceMap, file: &str) -> String {
    let module = module.module();
    let symbols = Symbols::of(module);
    let mut types = Types::new(&module.types, sources);
    let mut kernels = String::new();
    let mut device = String::new();
    for (func, function) in &module.functions {
        if function.body.is_none() || !matches!(function.linkage, Linkage::External | Linkage::Weak) {
            continue;
        }
        if !types.declare(function.ty) {
            let _ = writeln!(device, "/* {}: a type of its has no name. */", function.name);
            continue;
        }
        let _ = writeln!(device, "{}", declaration(module, function));
        if matches!(function.kind, FunctionKind::Kernel(_)) {
            kernel(module, function, &symbols.functions[func], &mut kernels);
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
            let _ = writeln!(device, "/* {name}: its type has no name. */");
            continue;
        }
        let Some((name, prefix)) = linkage(name, &data.link_name, "extern ") else {
            let _ = writeln!(device, "/* {name}: C has no such name as it is called by. */");
            continue;
        };
        let align = data.align.map(|align| format!(" __attribute__((aligned({align})))")).unwrap_or_default();
        let declared = module.types.display_declared(data.ty, name);
        let _ = writeln!(device, "{prefix}{space} {declared}{align};");
    }
    let guard = guard(file);
    let mut text = format!(
        "/* What {file} defines for others. Made by weftc {}: do not edit. */\n#ifndef {guard}\n#define {guard}\n\n{PRELUDE}",
        env!("CARGO_PKG_VERSION"),
        file = file.replace("*/", "* /"),
    );
    for include in types.includes() {
        let _ = writeln!(text, "#include <{include}>");
    }
    let (shared, definitions, assertions) = types.finish();
    text.push_str(&section(
        "Types of the program's headers: from there, or with WEFT_OWN_TYPES from here.",
        &shared,
    ));
    text.push_str(&section("Types.", &definitions));
    text.push_str(&section("Who includes this lays them out as weftc does.", &assertions));
    if !kernels.is_empty() {
        text.push_str(&section(
            "Kernels: the symbol, and the parameters as they lie in a launch's buffer.",
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

/// A macro that is the file's own: `WEFT_SGEMM_SRC_H`.
fn guard(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    let upper = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
    format!("WEFT_{}_H", upper.collect::<String>())
}

/// The name to declare something by, and what stands before the declaration. nvcc does not know `__asm__("…")` in device
/// code: what is called so is declared as what it is called; none if that is no name of C's.
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

/// A function or a kernel, declared for CUDA.
fn declaration(module: &Module, function: &Function) -> String {
    let space = match function.kind {
        FunctionKind::Kernel(_) => "__global__",
        FunctionKind::Device => "__device__",
    };
    let Some((name, prefix)) = linkage(&function.name, &function.link_name, "") else {
        return format!("/* {}: C has no such name as it is called by. */", function.name);
    };
    format!("{prefix}{space} {};", module.types.display_declared(function.ty, name))
}

/// To what parameters of kernels are aligned at most whose place is the same on all GPUs, in bytes. More is a matter of
/// where the parameters begin in the constant bank: ptxas aligns the sum (measured: a parameter that is aligned to 32
/// bytes comes 16 bytes behind a `char` on sm_90, and 32 on sm_75 and sm_100).
const MAX_ALIGN: u32 = 16;

/// The symbol of a kernel, and its parameters as a struct: packed, and so without padding behind the last one.
fn kernel(module: &Module, function: &Function, symbol: &str, text: &mut String) {
    let Some(signature) = module.types.written_func(function.ty) else { return };
    let name = &function.name;
    let declared = module.types.display_declared(function.ty, &function.name);
    let _ = writeln!(text, "/* {declared} */\n#define {name}_symbol \"{symbol}\"");
    if signature.params.is_empty() {
        text.push('\n');
        return;
    }
    // What an alignment of a typedef name asks for does not matter to a parameter.
    let layouts =
        signature.params.iter().map(|&ty| layout::layout_of(&module.types, module.types.canonical(ty)));
    let layouts: Vec<Layout> = layouts.filter_map(Result::ok).collect();
    if layouts.iter().any(|layout| layout.align > MAX_ALIGN) {
        let _ = writeln!(
            text,
            "/* Where its parameters lie depends on the GPU, since one is aligned to more than {MAX_ALIGN} bytes:\n   \
             launch it with their addresses. */\n"
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
        let _ = writeln!(members, "    {};", module.types.display_declared(ty, &member));
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

/// The names of a kernel's parameters, where they have one.
fn parameter_names(function: &Function) -> Vec<Option<String>> {
    let body = function.body.as_ref();
    let names = body.into_iter().flat_map(|body| {
        body.params.iter().map(|&param| body.locals[param].name.as_deref().map(str::to_owned))
    });
    names.collect()
}
