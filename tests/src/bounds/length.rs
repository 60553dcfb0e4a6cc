//! Tokens, comments and lines of megabytes.

use super::{Case, MEGA, checked, expression, function, refused, taken};

pub(super) fn cases() -> Vec<Case> {
    [literals(), between_tokens(), mistakes()].into_iter().flatten().collect()
}

fn string(text: &str) -> String {
    format!("__device__ const char s[] = {text};\n")
}

fn literals() -> Vec<Case> {
    vec![
        checked("string", || string(&format!("\"{}\"", "x".repeat(10 * MEGA)))),
        taken("string-1", || string(&format!("\"{}\"", "x".repeat(MEGA)))),
        checked("string-of-escapes", || string(&format!("\"{}\"", "\\n".repeat(5 * MEGA)))),
        checked("string-over-lines", || string(&format!("\"{}\"", "x\\\n".repeat(3 * MEGA)))),
        checked("string-raw", || string(&format!("R\"({})\"", "x\n".repeat(5 * MEGA)))),
        taken("strings-side-by-side", || string(&"\"ab\" ".repeat(MEGA / 5))),
        checked("character", || format!("__device__ int x = '{}';\n", "x".repeat(10 * MEGA))),
        refused("integer", "integer-too-large", || {
            format!("__device__ int x = {};\n", "1".repeat(10 * MEGA))
        }),
        refused("integer-of-groups", "integer-too-large", || {
            format!("__device__ int x = 1{};\n", "'1".repeat(5 * MEGA))
        }),
        taken("integer-of-zeros", || format!("__device__ int x = {}7;\n", "0".repeat(10 * MEGA))),
        taken("fraction", || format!("__device__ double x = 0.{};\n", "1".repeat(10 * MEGA))),
        taken("fraction-hexadecimal", || format!("__device__ double x = 0x.{}p1;\n", "1".repeat(10 * MEGA))),
        taken("exponent", || format!("__device__ double x = 1e{};\n", "9".repeat(10 * MEGA))),
        taken("exponent-negative", || format!("__device__ double x = 1e-{};\n", "9".repeat(10 * MEGA))),
        checked("identifier", || format!("__device__ int {};\n", "x".repeat(10 * MEGA))),
        checked("identifier-over-lines", || format!("__device__ int {};\n", "x\\\n".repeat(3 * MEGA))),
        refused("identifier-not-ascii", "unsupported-unicode-name", || {
            format!("__device__ int {};\n", "é".repeat(5 * MEGA))
        }),
    ]
}

fn between_tokens() -> Vec<Case> {
    vec![
        taken("comment", || format!("/*{}*/\n", "x".repeat(10 * MEGA))),
        taken("comment-of-stars", || format!("/*{}/\n", "*".repeat(10 * MEGA))),
        taken("comment-of-slashes", || format!("/*{}*/\n", "/".repeat(10 * MEGA))),
        taken("comment-to-the-end-of-line", || format!("//{}\n", "x".repeat(10 * MEGA))),
        taken("comment-over-lines", || format!("//{}\n", "x\\\n".repeat(3 * MEGA))),
        taken("comments", || "/**/".repeat(2 * MEGA)),
        taken("blanks", || format!("{}__device__ int x;\n", " ".repeat(10 * MEGA))),
        taken("lines", || format!("{}__device__ int x;\n", "\n".repeat(10 * MEGA))),
        taken("splices", || format!("{}__device__ int x;\n", "\\\n".repeat(5 * MEGA))),
        taken("form-feeds", || format!("{}__device__ int x;\n", "\u{c}\r\n".repeat(3 * MEGA))),
        refused("comment-open", "unterminated-comment", || format!("/*{}\n", "x".repeat(10 * MEGA))),
    ]
}

fn mistakes() -> Vec<Case> {
    vec![
        refused("invalid-characters", "invalid-character", || "@".repeat(10 * MEGA)),
        refused("invalid-characters-apart", "invalid-character", || "@ ".repeat(MEGA / 5)),
        refused("quotes", "unterminated-literal", || "'\n".repeat(MEGA / 5)),
        refused("nuls", "invalid-character", || "\0".repeat(MEGA)),
        refused("not-utf-8", "invalid-utf8", || vec![0xff_u8; MEGA]),
        refused("not-utf-8-in-a-string", "invalid-utf8", || {
            [b"__device__ const char s[] = \"".to_vec(), vec![0xff_u8; MEGA], b"\";\n".to_vec()].concat()
        }),
        refused("far-right-on-a-line", "undeclared-identifier", || {
            function(&format!("a = b; {} undeclared;", " ".repeat(10 * MEGA)))
        }),
        refused("undeclared-of-a-megabyte", "undeclared-identifier", || expression(&"x".repeat(MEGA))),
        refused("member-of-a-megabyte", "no-member", || {
            expression(&format!("threadIdx.{}", "x".repeat(MEGA)))
        }),
        refused("string-of-wrong-type", "invalid-conversion", || {
            function(&format!("int *p = \"{}\";", "x".repeat(MEGA)))
        }),
    ]
}
