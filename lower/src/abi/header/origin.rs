//! Finds where the program's types are defined: in its own source, or in headers that it includes.
//!
//! Users of the program may include such a header as well. So the generated header includes a type's header
//! if possible, by repeating the program's directive: a header that this one includes comes with it. A
//! directive whose name comes from a macro cannot be repeated.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use weft_frontend::source::{FileId, SourceMap, Span};

/// The headers that types come from.
pub(super) struct Origins<'a> {
    sources: &'a SourceMap,
    /// By position in the program: the operand of the directive, including delimiters, and the types from
    /// there.
    taken: BTreeMap<Vec<u32>, Taken>,
    /// The enclosing structs of types, by the types' spans.
    outer: BTreeMap<Span, String>,
}

struct Taken {
    name: String,
    is_cuda: bool,
    /// Whether every program can include it.
    is_system: bool,
    /// The names of types.
    types: BTreeSet<String>,
    /// The names of enums, which are tags in C.
    enums: BTreeSet<String>,
    /// The names of types declared among a struct's members, with the struct: C++ needs both.
    inner: BTreeMap<String, String>,
}

/// Keywords of CUDA that only CUDA compilers understand.
const CUDA_WORDS: [&str; 8] = [
    "__device__",
    "__global__",
    "__host__",
    "__constant__",
    "__shared__",
    "__managed__",
    "__align__",
    "__forceinline__",
];

/// Signs that a text supports host compilers, too: it tests for the compiler, or defines CUDA's keywords.
const FOR_HOSTS: [&str; 4] = ["__CUDACC__", "<cuda_runtime.h>", "<vector_types.h>", "host_defines.h>"];

impl<'a> Origins<'a> {
    pub(super) fn new(sources: &'a SourceMap) -> Self {
        Origins { sources, taken: BTreeMap::new(), outer: BTreeMap::new() }
    }

    /// Requests a type that is declared at the span. `is_enum`: it is an enum with a tag.
    pub(super) fn need(&mut self, name: &str, span: Span, is_enum: bool) {
        let Some((top, directive)) = self.header_of(span) else { return };
        let at = self.sources.order(self.sources.file(top).span());
        let taken = self.taken.entry(at).or_insert_with(|| Taken {
            name: directive,
            is_cuda: is_for_cuda(self.sources, top),
            is_system: self.sources.file(top).is_system(),
            types: BTreeSet::new(),
            enums: BTreeSet::new(),
            inner: BTreeMap::new(),
        });
        taken.types.insert(name.to_owned());
        if is_enum {
            taken.enums.insert(name.to_owned());
        }
        if let Some(outer) = self.outer.get(&span) {
            taken.inner.insert(name.to_owned(), outer.clone());
        }
    }

    /// Records that the type whose tag is at the span is defined among a struct's members.
    pub(super) fn is_within(&mut self, span: Span, outer: &str) {
        self.outer.insert(span, outer.to_owned());
    }

    /// The header included directly by the program that the text at the span comes from, and its spelling
    /// there.
    fn header_of(&self, span: Span) -> Option<(FileId, String)> {
        if span == Span::default() || self.sources.is_in_program(span) {
            return None;
        }
        let mut top = self.sources.file_of(span);
        let mut directive = None;
        while let Some(included_at) = self.sources.file(top).included_at() {
            let outer = self.sources.file_of(included_at);
            directive = Some(included_at);
            if self.sources.is_in_program(included_at) {
                break;
            }
            top = outer;
        }
        match directive.filter(|&directive| self.sources.is_in_program(directive)) {
            Some(directive) => {
                let text = self.sources.text(directive);
                let name = text
                    .trim_start_matches(|c: char| c.is_ascii_alphabetic() || c.is_whitespace() || c == '#');
                let is_name = name.starts_with('"') && name.len() > 2 && name.ends_with('"')
                    || name.starts_with('<') && name.ends_with('>');
                is_name.then(|| (top, name.to_owned()))
            }
            // Headers that ship with the compiler are included without a directive.
            None => {
                let name = self.sources.file(top).name();
                (name.starts_with('<') && name.ends_with('>')).then(|| (top, name.to_owned()))
            }
        }
    }

    /// The directives, and the macros that prevent a second definition of their types.
    pub(super) fn finish(self) -> String {
        if self.taken.is_empty() {
            return String::new();
        }
        let mut text = String::from("#ifdef __has_include\n");
        for Taken { name, is_cuda, is_system, types, enums, inner } in self.taken.into_values() {
            let for_cuda = if is_cuda { " && (defined(__CUDACC__) || defined(__device__))" } else { "" };
            let wanted = if is_system { "" } else { " && !defined(WEFT_OWN_TYPES)" };
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "#if __has_include({name}){wanted}{for_cuda}\n#include {name}");
            for ty in types {
                let _ = writeln!(text, "#define WEFT_TYPE_{ty}");
            }
            let in_c: String = enums.iter().map(|tag| format!("typedef enum {tag} {tag};\n")).collect();
            let in_cpp = inner.iter().map(|(tag, outer)| format!("typedef {outer}::{tag} {tag};\n"));
            let in_cpp: String = in_cpp.collect();
            match (in_c.is_empty(), in_cpp.is_empty()) {
                (true, true) => {}
                (false, true) => drop(write!(text, "#ifndef __cplusplus\n{in_c}#endif\n")),
                (_, false) => drop(write!(text, "#ifdef __cplusplus\n{in_cpp}#else\n{in_c}#endif\n")),
            }
            text.push_str("#endif\n");
        }
        text.push_str("#endif\n");
        text
    }
}

/// Whether a header, including those that it includes, requires a CUDA compiler.
fn is_for_cuda(sources: &SourceMap, top: FileId) -> bool {
    let range = sources.file(top);
    let is_within = |mut id: FileId| loop {
        if id == top {
            return true;
        }
        match sources.file(id).included_at() {
            Some(at) => id = sources.file_of(at),
            None => return false,
        }
    };
    let files = sources.files().filter(|(id, file)| file.base() >= range.base() && is_within(*id));
    let texts: Vec<&str> = files.filter(|(_, file)| !file.is_system()).map(|(_, file)| file.text()).collect();
    let has = |words: &[&str]| texts.iter().any(|text| words.iter().any(|word| text.contains(word)));
    has(&CUDA_WORDS) && !has(&FOR_HOSTS)
}
