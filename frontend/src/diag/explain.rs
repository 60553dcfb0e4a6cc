//! `--explain`: the meaning of a code, with an example.
//!
//! Each code has a paragraph in [`code`](super::code); the most common have a page in
//! `docs/diagnostics/`, which is embedded in the compiler.

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
    "ambiguous-call"
    "ambiguous-reference"
    "argument-count"
    "array-bounds"
    "char-subscripts"
    "conflicting-types"
    "const-assignment"
    "constant-conversion"
    "constant-logical-operand"
    "dangling-else"
    "deleted-function"
    "deprecated-declarations"
    "discarded-qualifiers"
    "divergent-barrier"
    "division-by-zero"
    "double-promotion"
    "duplicate-case"
    "dynamic-initializer"
    "empty-body"
    "empty-character"
    "empty-declaration"
    "error-directive"
    "excess-initializers"
    "expected-declaration"
    "expected-expression"
    "expected-identifier"
    "expected-token"
    "float-conversion"
    "format"
    "header-not-found"
    "implicit-fallthrough"
    "implicit-float-conversion"
    "implicit-int-conversion"
    "implicit-int-float-conversion"
    "inaccessible-member"
    "incomplete-type"
    "infinite-recursion"
    "integer-overflow"
    "integer-too-large"
    "invalid-alignment"
    "invalid-array-length"
    "invalid-attribute"
    "invalid-bit-field"
    "invalid-cast"
    "invalid-character"
    "invalid-condition"
    "invalid-constexpr"
    "invalid-conversion"
    "invalid-dereference"
    "invalid-designator"
    "invalid-escape"
    "invalid-if-expression"
    "invalid-initializer"
    "invalid-kernel"
    "invalid-lambda"
    "invalid-launch-bounds"
    "invalid-macro-definition"
    "invalid-member-access"
    "invalid-number"
    "invalid-operands"
    "invalid-operator"
    "invalid-paste"
    "invalid-reference"
    "invalid-specifiers"
    "invalid-structured-binding"
    "invalid-subscript"
    "invalid-this"
    "invalid-type"
    "jump-past-initialization"
    "kernel-call"
    "launch-bounds"
    "literal-conversion"
    "logical-not-parentheses"
    "macro-argument-count"
    "macro-redefined"
    "misleading-indentation"
    "misplaced-jump"
    "misplaced-label"
    "missing-field-initializers"
    "missing-return"
    "multichar-constant"
    "narrowing"
    "narrowing-constant"
    "nesting-too-deep"
    "no-matching-builtin"
    "no-matching-function"
    "no-member"
    "not-a-function"
    "not-an-lvalue"
    "not-assignable"
    "not-constant"
    "parentheses"
    "parentheses-equality"
    "pass-failed"
    "pointer-to-small-integer"
    "redefinition"
    "reserved-symbol"
    "return-mismatch"
    "return-stack-address"
    "self-assign"
    "shadow"
    "shared-initializer"
    "shared-memory-size"
    "shift-count"
    "shift-op-parentheses"
    "shorten-64-to-32"
    "sign-compare"
    "sign-conversion"
    "sizeof-pointer-div"
    "sometimes-uninitialized"
    "static-assert-failed"
    "string-compare"
    "switch"
    "switch-past-initialization"
    "tag-mismatch"
    "undeclared-identifier"
    "undeclared-label"
    "undefined-function"
    "uninitialized"
    "uninitialized-const"
    "unknown-directive"
    "unknown-instance"
    "unknown-type-name"
    "unmatched-bracket"
    "unmatched-conditional"
    "unreachable-code"
    "unsequenced"
    "unsupported-allocation"
    "unsupported-auto"
    "unsupported-builtin"
    "unsupported-cast"
    "unsupported-declarator"
    "unsupported-exception"
    "unsupported-host-code"
    "unsupported-lambda"
    "unsupported-launch"
    "unsupported-long-double"
    "unsupported-member"
    "unsupported-namespace"
    "unsupported-operator"
    "unsupported-overloading"
    "unsupported-range-for"
    "unsupported-reference"
    "unsupported-template"
    "unsupported-type"
    "unsupported-using"
    "unsupported-vla"
    "unterminated-comment"
    "unterminated-conditional"
    "unterminated-literal"
    "unterminated-macro-call"
    "unused-but-set-variable"
    "unused-comparison"
    "unused-function"
    "unused-parameter"
    "unused-result"
    "unused-value"
    "unused-variable"
    "writable-string"
    "xor-used-as-pow"
}

/// The page of a code, if it has one.
pub fn page(code: Code) -> Option<&'static str> {
    PAGES.iter().find(|(name, _)| *name == code.name()).map(|(_, page)| *page)
}

/// The explanation of a code: its paragraph, the options that control it, and its page.
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

/// The code that was probably meant by an unknown name.
pub fn similar_code(name: &str) -> Option<&'static str> {
    similar(name, Code::ALL.iter().map(|code| code.name())).map(|idx| Code::ALL[idx].name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_belongs_to_a_code() {
        for (name, text) in PAGES {
            assert!(Code::find(name).is_some(), "{name}");
            assert!(text.starts_with(&format!("# {name}\n\n")), "{name}");
        }
    }
}
