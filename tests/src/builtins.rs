//! Compares the table of built-in functions with nvcc: a function for each overload, the code of both
//! compilers, and the declarations in CUDA's headers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use weft_frontend::Prototype;

use crate::Failure;

/// A file with a function for each overload, `f0` and so on, which calls it with arguments of exactly its
/// types.
pub fn source(prototypes: &[Prototype]) -> String {
    text(prototypes, |call, ret| format!("{}{call};", if ret == "void" { "" } else { "return " }))
}

/// The same for nvcc, which also checks that the result has exactly the expected type.
pub fn checked_source(prototypes: &[Prototype]) -> String {
    text(prototypes, |call, ret| match ret {
        "void" => format!("{call};"),
        _ => format!("auto value = {call}; {ret} *pointer = &value; return *pointer;"),
    })
}

/// A definition of each function's first overload, one per line; with the names.
pub fn definitions(prototypes: &[Prototype]) -> (String, Vec<&'static str>) {
    let (mut text, mut names) = (String::new(), Vec::new());
    for prototype in prototypes {
        if names.last() == Some(&prototype.name) {
            continue;
        }
        names.push(prototype.name);
        let params: Vec<String> =
            prototype.params.iter().enumerate().map(|(idx, ty)| format!("{ty} a{idx}")).collect();
        let Prototype { name, ret, .. } = prototype;
        let body = if ret == "void" { String::new() } else { format!("return *({ret} *)0;") };
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "__device__ {ret} {name}({}) {{ {body} }}", params.join(", "));
    }
    (text, names)
}

fn text(prototypes: &[Prototype], body: impl Fn(&str, &str) -> String) -> String {
    let headers: BTreeSet<&str> = prototypes.iter().filter_map(|prototype| prototype.header).collect();
    let mut text: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
    for (idx, prototype) in prototypes.iter().enumerate() {
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for (param_idx, ty) in prototype.params.iter().enumerate() {
            match prototype.immediates.get(param_idx).copied().flatten() {
                Some(least) => args.push(least.to_string()),
                None => {
                    params.push(format!("{ty} a{param_idx}"));
                    args.push(format!("a{param_idx}"));
                }
            }
        }
        let call = format!("{}({})", prototype.name, args.join(", "));
        let body = body(&call, &prototype.ret);
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "extern \"C\" __device__ {} f{idx}({}) {{ {body} }}",
            prototype.ret,
            params.join(", ")
        );
    }
    text
}

/// The instructions of each function, except those that move operands and results.
pub fn instructions(ptx: &str) -> BTreeMap<String, Vec<String>> {
    let mut functions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut current: Option<(String, bool)> = None;
    for line in ptx.lines() {
        let line = line.split("//").next().unwrap_or("").trim();
        if line.contains(".func") {
            let name = line
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .rfind(|word| word.strip_prefix('f').is_some_and(|rest| rest.parse::<usize>().is_ok()));
            current = name.map(|name| (name.to_owned(), false));
        } else if line == "{" {
            if let Some((_, is_open)) = &mut current {
                *is_open = true;
            }
        } else if let Some((name, true)) = &current {
            let found = functions.entry(name.clone()).or_default();
            found.extend(line.split(['{', '}', ';']).filter_map(opcode));
        }
    }
    functions
}

fn opcode(statement: &str) -> Option<String> {
    let opcode = statement.split_whitespace().next()?;
    // The last ones are the widths of registers, which the compilers choose differently.
    let is_frame =
        ["ld.param", "st.param", "mov.", "ret", "cvta", "cvt.u32.u16", "cvt.u32.u64", "cvt.u64.u32"];
    let is_name = opcode.chars().next().is_some_and(|c| c.is_ascii_lowercase());
    (is_name && !is_frame.iter().any(|frame| opcode.starts_with(frame))).then(|| opcode.to_owned())
}

/// Functions for which LLVM has other, equivalent instructions, and why.
const OTHERWISE: &[(&str, &str)] = &[
    ("alloca", "LLVM rounds the size up to a multiple of the alignment"),
    ("__builtin_alloca", "likewise"),
    ("signbit", "the sign of a double is the highest of 64 bits, or of the higher 32"),
    ("__builtin_signbit", "likewise"),
    ("__signbit", "likewise"),
];

/// Compares the code for overloads for which nvcc has a single instruction; returns their number.
///
/// # Errors
///
/// Lists the overloads with another instruction.
pub fn compare(
    prototypes: &[Prototype],
    ours: &BTreeMap<String, Vec<String>>,
    theirs: &BTreeMap<String, Vec<String>>,
) -> Result<usize, Failure> {
    let mut n_compared = 0;
    let mut differences = String::new();
    for (idx, prototype) in prototypes.iter().enumerate() {
        let name = format!("f{idx}");
        let [their] = characteristic(theirs.get(&name)) else { continue };
        // To LLVM, four bytes are one register; nvcc loads them one by one.
        if their.starts_with("st.") && prototype.params.iter().any(|param| param.contains("char4")) {
            continue;
        }
        if OTHERWISE.iter().any(|&(name, _)| name == prototype.name) {
            continue;
        }
        n_compared += 1;
        let our = characteristic(ours.get(&name));
        if !matches!(our, [our] if is_same(our, their)) {
            let params = prototype.params.join(", ");
            let _ = writeln!(differences, "{}({params}): nvcc has {their}, weftc {our:?}", prototype.name);
        }
    }
    if differences.is_empty() { Ok(n_compared) } else { Err(differences) }
}

/// The characteristic instructions: a matrix instruction without the accesses to its registers.
fn characteristic(instructions: Option<&Vec<String>>) -> &[String] {
    let instructions = instructions.map_or(&[][..], Vec::as_slice);
    match instructions.iter().position(|it| it.starts_with("wmma.") || it.starts_with("wgmma.")) {
        Some(at) => &instructions[at..=at],
        None => instructions,
    }
}

/// Whether two instructions are the same, although one may only specify a type's size.
fn is_same(our: &str, their: &str) -> bool {
    let (our, their) = (words(our), words(their));
    // A sum is the same for signed numbers, and `max.relu.s32` is `max.s32.relu`.
    let agrees = |our: &&str| {
        let is_sum = our.contains("16x2") && their.contains(&"add");
        their.iter().any(|their| {
            let is_same_size = our.get(1..) == their.get(1..);
            our == their || is_same_size && (our.starts_with('b') || is_sum)
        })
    };
    our.len() == their.len() && our.iter().all(agrees)
}

/// The parts of an instruction, except defaults: an `atom` is relaxed, with GPU scope (PTX ISA "atom").
fn words(instruction: &str) -> Vec<&str> {
    let is_said = |word: &&str| !instruction.starts_with("atom.") || !["relaxed", "gpu"].contains(word);
    instruction.split('.').filter(is_said).collect()
}

/// The overloads declared in the preprocessed text of NVIDIA's headers, by name.
pub fn declared(preprocessed: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for statement in statements(preprocessed) {
        let Some((head, params)) = statement.split_once('(') else { continue };
        let Some((params, _)) = params.split_once(')') else { continue };
        let mut words: Vec<&str> = head.split_whitespace().collect();
        let Some(name) = words.pop() else { continue };
        let specifiers = ["extern", "static", "inline", "__inline__", "constexpr", "\"C\""];
        let is_type = |word: &&str| !specifiers.contains(word);
        let ret: Vec<&str> = words.into_iter().filter(is_type).collect();
        if ret.is_empty()
            || ret.contains(&"template")
            || ret.contains(&"typedef")
            || ret.contains(&"namespace")
        {
            continue;
        }
        // The star of `void *f()` may be at the name.
        let (stars, name) = (name.matches('*').count(), name.trim_start_matches('*'));
        let ret = normal(&format!("{} {}", ret.join(" "), "*".repeat(stars)), false);
        let params: Vec<String> = match params.trim() {
            "" | "void" => Vec::new(),
            params => params.split(',').map(|param| normal(param, true)).collect(),
        };
        found.entry(name.to_owned()).or_default().insert(format!("{ret}({})", params.join(", ")));
    }
    found
}

/// An overload in the same format.
pub fn declaration(prototype: &Prototype) -> String {
    let params: Vec<String> = prototype.params.iter().map(|param| normal(param, false)).collect();
    format!("{}({})", normal(&prototype.ret, false), params.join(", "))
}

/// The declarations in NVIDIA's headers: without bodies, attributes and directives.
fn statements(preprocessed: &str) -> Vec<String> {
    let mut text = String::new();
    let mut is_theirs = false;
    for line in preprocessed.lines() {
        match line.strip_prefix('#') {
            Some(marker) if marker.contains('"') => {
                is_theirs = marker.contains("/include/crt/") || marker.contains("/include/sm_");
            }
            Some(_) => {}
            None if is_theirs => {
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    let text = text.replace("extern \"C\"", " ").replace("extern \"C++\"", " ");
    let (mut statements, mut statement, mut depth) = (Vec::new(), String::new(), 0_usize);
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("__attribute__") {
            rest = after_brackets(rest);
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            // An `extern "C"` block does not follow parameters, a body does.
            '{' if depth > 0 || statement.contains(')') => depth += 1,
            '{' => {}
            '}' if depth > 1 => depth -= 1,
            '}' => {
                depth = 0;
                statements.push(std::mem::take(&mut statement));
            }
            ';' if depth == 0 => statements.push(std::mem::take(&mut statement)),
            c if depth == 0 => statement.push(c),
            _ => {}
        }
    }
    statements
}

/// The text after the next pair of brackets.
fn after_brackets(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return &text[at + 1..],
            ')' => depth -= 1,
            _ => {}
        }
    }
    ""
}

/// A type in canonical spelling; for a parameter, without its name and default.
fn normal(ty: &str, is_param: bool) -> String {
    let ty = ty.split('=').next().unwrap_or(ty);
    if let Some((base, _)) = ty.rsplit_once('*') {
        let is_const = base.split_whitespace().any(|word| word == "const");
        return format!("{}{}*", if is_const { "const " } else { "" }, normal(base, false));
    }
    let mut words: Vec<&str> =
        ty.split_whitespace().filter(|word| !["const", "enum"].contains(word)).collect();
    let keywords = ["unsigned", "signed", "int", "long", "short", "char", "float", "double", "bool", "void"];
    if is_param && words.len() > 1 && words.last().is_some_and(|last| !keywords.contains(last)) {
        words.pop();
    }
    let n_longs = words.iter().filter(|word| **word == "long").count();
    let is_unsigned = words.contains(&"unsigned");
    let is_arithmetic = words.iter().all(|word| keywords.contains(word));
    if words == ["size_t"] {
        return "unsigned long".into();
    }
    if words == ["clock_t"] {
        return "long".into();
    }
    if !is_arithmetic || words.contains(&"char") || words.contains(&"double") {
        return words.join(" ");
    }
    let size = match n_longs {
        1 => "long",
        2 => "long long",
        _ if words.contains(&"short") => "short",
        _ if words.contains(&"int") || is_unsigned => "int",
        _ => return words.join(" "),
    };
    format!("{}{size}", if is_unsigned { "unsigned " } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_read_in_one_spelling() {
        let text = "# 1 \"/x/include/crt/a.h\"\nextern \"C\" {\n\
            extern __attribute__((device)) long long int f(const unsigned a, bool* const p = 0);\n}\n\
            static __inline__ void *g(void) { if (1) { return 0; } }\n\
            # 1 \"/usr/include/b.h\"\nint h(int);\n";
        let found = declared(text);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["f", "g"]);
        assert!(found["f"].contains("long long(unsigned int, bool*)"), "{found:?}");
        assert!(found["g"].contains("void*()"), "{found:?}");
    }

    #[test]
    fn instructions_are_those_of_the_function() {
        let ptx = ".visible .func (.param .b32 func_retval0) f3(\n\t.param .b32 f3_param_0\n)\n{\n\
            \t.reg .b32 %r<3>;\n\tld.param.u32 %r1, [f3_param_0];\n\t{ cvt.rn.f32.s32 %f1, %r1; }\n\
            \tpopc.b32 %r2, %r1;\n\tst.param.b32 [func_retval0+0], %r2;\n\tret;\n}\n";
        assert_eq!(instructions(ptx)["f3"], ["cvt.rn.f32.s32", "popc.b32"]);
        assert!(is_same("setp.ne.b32", "setp.ne.s32") && !is_same("mul.hi.u32", "mul.hi.s32"));
        assert!(is_same("atom.relaxed.gpu.cas.b32", "atom.cas.b32"));
        assert!(!is_same("atom.relaxed.cta.cas.b32", "atom.cas.b32"));
        assert!(!is_same("atom.acquire.gpu.cas.b32", "atom.cas.b32"));
    }
}
