//! `--explain`: what a code means, with an example.
//!
//! Each code has its paragraph in [`code`](super::code); the commonest have a page in
//! `docs/diagnostics/`, which is part of the compiler.

use super::code::{Code, Group};
use super::similar::similar;

macro_rules! pages {
    ($($name:literal)*) => {
        /// The pages, by the names of their codes.
        const PAGES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../docs/diagnostics/", $name, ".md"))),)*];
    };
}

pages! {
    "argument-count"
    "array-bounds"
    "conflicting-types"
    "const-assignment"
    "constant-conversion"
    "dangling-else"
    "discarded-qualifiers"
    "division-by-zero"
    "duplicate-case"
    "empty-body"
    "expected-token"
    "implicit-fallthrough"
    "incomplete-type"
    "infinite-recursion"
    "invalid-conversion"
    "invalid-kernel"
    "invalid-member-access"
    "invalid-operands"
    "missing-return"
    "no-member"
    "not-constant"
    "parentheses"
    "redefinition"
    "return-mismatch"
    "return-stack-address"
    "self-assign"
    "shift-count"
    "sign-compare"
    "sometimes-uninitialized"
    "switch"
    "undeclared-identifier"
    "uninitialized"
    "unknown-type-name"
    "unsequenced"
    "unsupported-auto"
    "unsupported-class"
    "unsupported-host-code"
    "unsupported-namespace"
    "unsupported-overloading"
    "unsupported-reference"
    "unsupported-template"
    "unsupported-using"
    "unused-comparison"
    "unused-parameter"
    "unused-value"
    "unused-variable"
}

/// The page of a code, if it has one.
pub fn page(code: Code) -> Option<&'static str> {
    PAGES.iter().find(|(name, _)| *name == code.name()).map(|(_, page)| *page)
}

/// What there is to say about a code: its paragraph, what controls it, and its page.
pub fn explain(code: Code) -> String {
    let name = code.name();
    let control = match code.group() {
        None => "It is an error.".to_owned(),
        Some(group) => {
            let by = match group {
                Group::Default => "is on by default".to_owned(),
                Group::All => "is asked for by `-Wall`".to_owned(),
                Group::Extra => "is asked for by `-Wextra`".to_owned(),
                Group::Own => format!("is asked for by `-W{name}` alone"),
            };
            format!(
                "It is a warning, which {by}; `-Wno-{name}` turns it off, `-Werror={name}` makes an error of it."
            )
        }
    };
    let page = page(code).map(|page| page.split_once("\n\n").map_or(page, |(_, body)| body));
    let head = format!("{name}: {}\n\n{control}\n", code.explanation());
    page.map_or(head.clone(), |page| format!("{head}\n{page}"))
}

/// The codes, one on a line, each with its paragraph.
pub fn list(is_wanted: impl Fn(Code) -> bool) -> String {
    let codes = Code::ALL.iter().filter(|&&code| is_wanted(code));
    codes.map(|code| format!("{:42} {}\n", code.name(), code.explanation())).collect()
}

/// The code that was probably meant by a name that is none.
pub fn similar_code(name: &str) -> Option<&'static str> {
    similar(name, Code::ALL.iter().map(|code| code.name())).map(|idx| Code::ALL[idx].name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_is_of_a_code() {
        for (name, text) in PAGES {
            assert!(Code::find(name).is_some(), "{name}");
            assert!(text.starts_with(&format!("# {name}\n\n")), "{name}");
        }
    }
}
