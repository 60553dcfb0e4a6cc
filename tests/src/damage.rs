//! Damages test inputs, and runs the frontend on them.
//!
//! The frontend runs in this process, on thousands of damaged programs per second. Each must end in
//! diagnostics or in a program that `verify` accepts, never in a panic.

use std::cell::{Cell, RefCell};
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Once;

use weft_frontend::diag::Levels;
use weft_frontend::diag::render::{Format, render};
use weft_frontend::ir::VerifiedModule;
use weft_frontend::source::{FileId, SourceMap};
use weft_frontend::token::TokenKind;
use weft_frontend::{Bodies, Compilation, FrontendOptions, HostCode, NoHeaders, PreprocessOptions};

use crate::Failure;
use crate::examples;
use crate::random::hash;
use crate::runner::files;
use crate::tools::repository;

/// Bytes that are rare, or that change the meaning of everything after them.
pub const ODD_BYTES: [u8; 16] =
    [0x00, b'\t', 0x0b, b'\r', 0x1a, b'"', b'\'', b'#', b'(', b'*', b'/', b'\\', b'{', 0x7f, 0x80, 0xff];

/// The stack of a thread that runs the frontend, in bytes: the same as in the driver.
pub const STACK_SIZE: usize = 256 << 20;

/// A program that `verify` has accepted, with the texts of its spans.
#[derive(Debug)]
pub struct Verified {
    /// The program.
    pub module: VerifiedModule,
    /// The texts.
    pub sources: SourceMap,
}

/// Every program of the test folders and the examples in C.
///
/// # Errors
///
/// If a folder or file cannot be read.
pub fn inputs() -> Result<Vec<(PathBuf, String)>, Failure> {
    let root = repository();
    let folders =
        ["tests/ui", "tests/ir", "tests/llvm", "tests/ptx", "tests/abi", "tests/values", "fuzz/regressions"];
    let mut paths = examples::sources_in_c()?;
    for folder in folders {
        paths.extend(files(&root.join(folder), "src")?);
    }
    let mut inputs = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.strip_prefix(&root).unwrap_or(&path).to_owned();
        inputs.push((name, text));
    }
    Ok(inputs)
}

/// The text truncated after each of its tokens, or after `most` of them, spread evenly.
pub fn cuts(text: &str, most: usize) -> Vec<String> {
    places(text, most).map(|(_, end)| text[..end].to_owned()).collect()
}

/// The text without one of its tokens, for each token, or for `most` of them, spread evenly.
pub fn thinned(text: &str, most: usize) -> Vec<String> {
    places(text, most).map(|(start, end)| format!("{}{}", &text[..start], &text[end..])).collect()
}

/// The ranges of the tokens, or of a subset whose start depends on the text.
fn places(text: &str, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let ranges = token_ranges(text);
    let step = ranges.len().div_ceil(most.max(1)).max(1);
    let first = (hash(text) % step as u64) as usize;
    ranges.into_iter().skip(first).step_by(step)
}

/// The text with one byte replaced, for each byte and each of [`ODD_BYTES`]. Invalid UTF-8 becomes
/// replacement characters.
pub fn altered(text: &str) -> Vec<String> {
    let mut altered = Vec::new();
    for at in 0..text.len() {
        for byte in ODD_BYTES {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = byte;
            altered.push(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    altered
}

fn token_ranges(text: &str) -> Vec<(usize, usize)> {
    let mut compilation = Compilation::new(FrontendOptions::default());
    let Ok(file) = compilation.sources.add("damaged.src".into(), text.to_owned()) else { return Vec::new() };
    let tokens = compilation.lex(file);
    let sources = compilation.sources;
    let tokens = tokens.iter().filter(|token| token.kind != TokenKind::Eof);
    tokens.map(|token| sources.range(token.span)).map(|range| (range.start, range.end)).collect()
}

thread_local! {
    /// Whether this thread is in [`caught`].
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes a panic in [`caught`] store its message and location instead of printing them; other panics print as
/// usual.
fn record_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| match IS_CATCHING.get() {
            true => LAST_PANIC.with(|last| *last.borrow_mut() = info.to_string()),
            false => print(info),
        }));
    });
}

/// Runs `f`, turning a panic into a failure.
///
/// # Errors
///
/// Those of `f`, and a panic, with its location.
pub fn caught<T>(f: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    record_panics();
    let was_catching = IS_CATCHING.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(f));
    IS_CATCHING.set(was_catching);
    outcome.unwrap_or_else(|_| Err(LAST_PANIC.with(|last| format!("panic: {}", last.take()))))
}

/// Runs the whole frontend, and renders its diagnostics.
///
/// # Errors
///
/// A panic, and a program that is accepted and `verify` refuses.
pub fn frontend(text: &str) -> Result<Option<Verified>, Failure> {
    caught(|| stages(text))
}

/// Whether a correct program has code for the host, of which the frontend sees few mistakes.
///
/// # Errors
///
/// If the text cannot be opened.
pub fn has_host_code(text: &str) -> Result<bool, Failure> {
    let (mut compilation, file) = opened(text)?;
    compilation.options.dialect.host_code = HostCode::Refuse;
    Ok(compilation.analyze(file, &mut NoHeaders, Bodies::Keep).module.is_err())
}

fn stages(text: &str) -> Result<Option<Verified>, Failure> {
    let (mut compilation, file) = opened(text)?;
    let module = compilation.analyze(file, &mut NoHeaders, Bodies::Keep).module;
    let Compilation { sources, mut sink, .. } = compilation;
    for format in [Format::Human { color: false }, Format::Short, Format::Json] {
        let messages = render(&sources, sink.diagnostics(), format);
        if messages.is_empty() != sink.diagnostics().is_empty() {
            return Err(format!("{format:?} leaves out what was reported"));
        }
    }
    let Ok(module) = module else { return Ok(None) };
    if sink.reported().is_some() {
        return Err("a program with errors is taken".into());
    }
    let module = module.verify().map_err(|e| format!("verify: {}", e.message))?;
    // A pragma may turn a warning into an error.
    sink.settle(&sources);
    Ok((!sink.has_failed()).then_some(Verified { module, sources }))
}

/// The opened text, with all warnings on, to be read in as many pieces as there can be.
fn opened(text: &str) -> Result<(Compilation, FileId), Failure> {
    let mut levels = Levels::default();
    levels.apply("everything").map_err(|unknown| unknown.name)?;
    let preprocessor = PreprocessOptions { piece_len: 1, ..PreprocessOptions::default() };
    let options = FrontendOptions { preprocessor, ..FrontendOptions::default() };
    let mut compilation = Compilation::with_levels(options, levels);
    let file =
        compilation.sources.add("damaged.src".into(), text.to_owned()).map_err(|e| format!("{e:?}"))?;
    Ok((compilation, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The enum's values are unknown when the switch is checked, but known in the end.
    #[test]
    fn what_follows_in_the_text_counts() {
        let text = "enum E : int;\n\
                    __device__ int f(E e) { switch (e) { case (E)0: return 1; } return 2; }\n\
                    enum E : int { A, B, C };\n\
                    __device__ int g(int n) { int size = 0; size = n; return n; }\n\
                    __device__ int h(int n) { int size; return n + (int)sizeof(size); }\n";
        assert!(frontend(text).is_ok_and(|verified| verified.is_some()));
    }

    #[test]
    fn each_token_is_cut_at_and_left_out() {
        assert_eq!(cuts("int  x;\n", 3), ["int", "int  x", "int  x;"]);
        assert_eq!(thinned("int  x;\n", 3), ["  x;\n", "int  ;\n", "int  x\n"]);
    }

    #[test]
    fn a_long_text_is_cut_at_some_of_its_tokens() {
        let text = "x ".repeat(1000);
        let lengths: Vec<usize> = cuts(&text, 100).iter().map(String::len).collect();
        assert_eq!(lengths.len(), 100);
        assert!(lengths.windows(2).all(|pair| pair[1] - pair[0] == 20), "{lengths:?}");
        let longer = text.clone() + "y ";
        assert!(cuts(&longer, 100).len() <= 100);
    }

    #[test]
    fn a_panic_is_a_failure() {
        let failure = caught::<()>(|| panic!("of a test")).expect_err("it panics");
        assert!(failure.starts_with("panic"), "{failure}");
    }

    #[test]
    fn each_byte_is_replaced() {
        let altered = altered("ab");
        assert_eq!(altered.len(), 2 * ODD_BYTES.len());
        assert!(altered.contains(&"a\0".to_owned()) && altered.contains(&"\u{fffd}b".to_owned()));
    }
}
