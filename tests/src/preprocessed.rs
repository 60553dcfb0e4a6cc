//! Compares the tokens of two preprocessors for the same text.
//!
//! nvcc leaves preprocessing to the host's compiler, so g++ is the oracle. White space between tokens is
//! ignored, but not within literals made by `#`. Lines that begin with `#` are ignored: pragmas and line
//! markers differ between compilers.

use std::path::Path;

use weft_frontend::token::{Token, TokenKind};
use weft_frontend::{Compilation, FrontendOptions};

use crate::Failure;
use crate::tools::{Answer, Tool, Tools, run};

/// The spellings of the tokens of a text.
pub fn tokens(text: &str) -> Vec<String> {
    let is_directive = |line: &&str| line.trim_start().starts_with('#');
    let code: Vec<&str> = text.lines().filter(|line| !is_directive(line)).collect();
    let mut compilation = Compilation::new(FrontendOptions::default());
    let Ok(file) = compilation.sources.add("tokens".into(), code.join("\n")) else { return Vec::new() };
    let tokens = compilation.lex(file);
    let spelling = |token: &Token| match token.kind {
        // `and` and digraphs are equivalent to the tokens that they replace.
        TokenKind::Punct(punct) => punct.spelling().to_owned(),
        _ => token.spelling(&compilation.interner).to_owned(),
    };
    tokens.iter().filter(|token| token.kind != TokenKind::Eof).map(spelling).collect()
}

/// The output of `weftc -E -P`.
///
/// # Errors
///
/// If it rejects the source.
pub fn by_weftc(tools: &Tools, source: &Path) -> Result<String, Failure> {
    let mut weftc = tools.weftc();
    weftc.args(["-E", "-P", "-w", "-o", "-"]).arg(source);
    Ok(run(&mut weftc)?.success()?.stdout)
}

/// The output of g++, in the mode that nvcc uses. With `by_lines`, errors are reported at the line of the
/// invocation, and `__LINE__` differs.
///
/// # Errors
///
/// If it is missing.
pub fn by_gxx(tools: &Tools, source: &Path, by_lines: bool) -> Result<Answer, Failure> {
    let mut gxx = tools.tool(Tool::Gxx)?;
    gxx.args(["-E", "-P", "-w", "-x", "c++", "-fno-diagnostics-show-caret"]);
    gxx.arg(format!("-ftrack-macro-expansion={}", if by_lines { 0 } else { 2 }));
    run(gxx.arg(source))
}

/// Compares two lists of tokens.
///
/// # Errors
///
/// The first difference, with the preceding tokens.
pub fn compare(actual: &[String], expected: &[String]) -> Result<(), Failure> {
    let n_same = actual.iter().zip(expected).take_while(|(a, b)| a == b).count();
    if n_same == actual.len() && n_same == expected.len() {
        return Ok(());
    }
    let show = |tokens: &[String]| {
        let from = n_same.saturating_sub(12).min(tokens.len());
        tokens[from..tokens.len().min(n_same + 12)].join(" ")
    };
    Err(format!("token {n_same} differs\n  weftc: {}\n  g++:   {}", show(actual), show(expected)))
}
