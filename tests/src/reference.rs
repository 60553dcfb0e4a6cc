//! Generates reference pages from the compiler's tables: built-in functions, and diagnostic codes.
//!
//! In: the tables of `weft-frontend`. Out: the text of `docs/reference/builtins.md` and of
//! `docs/reference/diagnostics.md`. The suite `pages` compares them with the files; with `BLESS=1` it writes
//! them.

use std::collections::BTreeMap;
use std::fmt::Write;

use weft_frontend::builtin_prototypes;
use weft_frontend::diag::Code;
use weft_frontend::diag::code::Group;
use weft_frontend::diag::explain;

/// The page of the built-in functions.
pub fn builtins() -> String {
    let mut page = String::from(
        "# Built-in functions\n\n\
         Written by `BLESS=1 cargo test -p weft-tests pages/builtins` from the table in `frontend/src/sema/builtin/table/`.\n\n\
         Each overload is declared as in CUDA's headers. A parameter with `≥ N` takes a constant that is at least N; parameters in\n\
         brackets may be omitted. Functions without a header need no `#include`, like in nvcc. Some names take any type of a\n\
         family (`__shfl_sync` of every type, textures, `make_float4`) or are constants (`CUDART_INF_F`); the pages of\n\
         [textures](textures.md), [matrices](matrix.md) and [the language](language.md) describe those.\n",
    );
    let mut headers: BTreeMap<Option<&str>, BTreeMap<&str, Vec<String>>> = BTreeMap::new();
    for prototype in builtin_prototypes() {
        let overload = overload(&prototype);
        headers.entry(prototype.header).or_default().entry(prototype.name).or_default().push(overload);
    }
    for (header, functions) in headers {
        let title = header.map_or("Without a header".to_owned(), |name| format!("`{name}`"));
        let n_overloads: usize = functions.values().map(Vec::len).sum();
        let _ = write!(page, "\n## {title}\n\n{} functions, {n_overloads} overloads.\n\n", functions.len());
        page.push_str("| function | overloads |\n|---|---|\n");
        for (name, overloads) in functions {
            let overloads: Vec<String> = overloads.iter().map(|it| format!("`{it}`")).collect();
            let _ = writeln!(page, "| `{name}` | {} |", overloads.join("<br>"));
        }
    }
    page
}

/// The result and the parameters: `int (int, int)`.
fn overload(prototype: &weft_frontend::Prototype) -> String {
    let n_required = prototype.params.len() - prototype.n_defaults;
    let mut text = format!("{} (", prototype.ret);
    for (idx, (param, least)) in prototype.params.iter().zip(&prototype.immediates).enumerate() {
        let separator = if idx > 0 { ", " } else { "" };
        let bracket = if idx == n_required { "[" } else { "" };
        let _ = write!(text, "{separator}{bracket}{param}");
        if let Some(least) = least {
            let _ = write!(text, " ≥ {least}");
        }
    }
    text.push_str(if prototype.n_defaults > 0 { "])" } else { ")" });
    text
}

/// The page of diagnostic codes; codes with an explanation link to it.
pub fn diagnostics() -> String {
    let mut page = String::from(
        "# Diagnostics\n\n\
         Written by `BLESS=1 cargo test -p weft-tests pages/diagnostics` from the list in `frontend/src/diag/code.rs`.\n\n\
         Every message has its code in brackets: `error[no-member]`, `warning[-Wunused-variable]`. `weftc --explain CODE` prints\n\
         what this page links to: an example, how to correct it, and what nvcc says. [Warnings](warnings.md) describes how\n\
         warnings are turned on and off. [Messages compared](../diagnostics.md) shows what clang and nvcc say to the same mistakes.\n",
    );
    let parts = [
        ("Errors", None),
        ("Warnings that are on by default", Some(Group::Default)),
        ("Warnings of `-Wall`", Some(Group::All)),
        ("Warnings of `-Wextra`", Some(Group::Extra)),
        ("Warnings that are turned on by name", Some(Group::Own)),
    ];
    for (title, group) in parts {
        let _ = write!(page, "\n## {title}\n\n| code | meaning |\n|---|---|\n");
        let mut rows: Vec<Code> = Code::ALL.iter().copied().filter(|code| code.group() == group).collect();
        rows.sort_by_key(|code| code.name());
        for code in rows {
            let name = code.name();
            let shown = match explain::page(code) {
                Some(_) => format!("[`{name}`](../diagnostics/{name}.md)"),
                None => format!("`{name}`"),
            };
            let _ = writeln!(page, "| {shown} | {} |", code.explanation().replace('|', "\\|"));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overload_shows_constants_and_parameters_that_may_be_omitted() {
        let prototype = weft_frontend::Prototype {
            header: None,
            name: "f",
            ret: "int".into(),
            params: vec!["int".into(), "unsigned int".into(), "int".into()],
            immediates: vec![None, Some(2), None],
            n_defaults: 1,
        };
        assert_eq!(overload(&prototype), "int (int, unsigned int ≥ 2, [int])");
    }

    #[test]
    fn every_code_is_on_the_page() {
        let page = diagnostics();
        for code in Code::ALL {
            assert!(page.contains(&format!("`{}`", code.name())), "{}", code.name());
        }
    }
}
