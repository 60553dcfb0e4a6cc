//! The frontend from end to end: whatever the text, it ends in diagnostics or in a program that `verify`
//! takes. What does not hold panics, which is how a fuzzer hears of it.

use weft_frontend::diag::render::{Format, render};
use weft_frontend::diag::{Levels, Sink};
use weft_frontend::ir::print::print;
use weft_frontend::source::{SourceMap, SourceText};
use weft_frontend::token::{Interner, Punct, Token, TokenKind};
use weft_frontend::{
    Dialect, HostCode, NoHeaders, PreprocessOptions, analyze, parse, preprocess, print_preprocessed,
};

use crate::headers::FixedHeaders;

/// Runs all stages over a text.
///
/// # Panics
/// Where one of the promises does not hold.
pub fn run(text: &[u8]) {
    let text = SourceText::decode(text);
    let mut sources = SourceMap::new();
    let Ok(file) = sources.add("fuzz.src".into(), text.clone()) else { return };
    let mut interner = Interner::new();
    let mut sink = Sink::new();
    // As many pieces as there can be.
    let options = PreprocessOptions { piece_len: 1, ..PreprocessOptions::default() };
    refuse_host_code(text.clone(), &options);
    let tokens = preprocess(&mut sources, file, &mut FixedHeaders, &options, &mut interner, &mut sink).tokens;
    // A `#` that begins no directive would begin one where it comes to begin a line.
    let has_hash = tokens.iter().any(|token| token.kind == TokenKind::Punct(Punct::Hash));
    if sink.reported().is_none() && !has_hash && !has_undefined_builtin(&tokens, &interner) {
        require_round_trip(&sources, &tokens, &mut interner);
    }
    let _ = parse(&tokens, &sources, &interner, &mut Sink::new()).print(&sources, &interner);
    let whole = PreprocessOptions { piece_len: usize::MAX, ..PreprocessOptions::default() };
    if let (Some(pieces), Some(whole)) = (analyzed(text.clone(), &options), analyzed(text, &whole)) {
        assert_eq!(pieces, whole, "pieces make the same program and the same warnings");
    }
}

/// The same text with host code refused ends in diagnostics or in a program that `verify` takes.
fn refuse_host_code(text: SourceText, options: &PreprocessOptions) {
    let (mut sources, mut interner, mut sink) = (SourceMap::new(), Interner::new(), Sink::new());
    let Ok(file) = sources.add("fuzz.src".into(), text) else { return };
    let dialect = Dialect { host_code: HostCode::Refuse, ..Dialect::default() };
    let module = analyze(&mut sources, file, &mut FixedHeaders, options, dialect, &mut interner, &mut sink);
    if let Ok(module) = module
        && let Err(error) = module.verify()
    {
        panic!("verify, with host code refused: {}", error.message);
    }
}

/// The program and what is said of it; `None` if there are errors.
fn analyzed(text: SourceText, options: &PreprocessOptions) -> Option<(String, String)> {
    let (mut sources, mut interner) = (SourceMap::new(), Interner::new());
    let mut levels = Levels::default();
    levels.apply("everything").unwrap_or_else(|unknown| panic!("`-W{}` is unknown", unknown.name));
    let mut sink = Sink::with_levels(levels);
    let file = sources.add("fuzz.src".into(), text).expect("it has been read before");
    let dialect = Dialect::default();
    let module = analyze(&mut sources, file, &mut FixedHeaders, options, dialect, &mut interner, &mut sink);
    for format in [Format::Human { color: false }, Format::Short, Format::Json, Format::Github] {
        let messages = render(&sources, sink.diagnostics(), format);
        assert_eq!(messages.is_empty(), sink.diagnostics().is_empty(), "what was reported is shown");
    }
    let module = module.ok()?;
    assert!(sink.reported().is_none(), "a program with errors is taken");
    let program = print(module.module());
    if let Err(error) = module.verify() {
        panic!("verify: {}", error.message);
    }
    Some((program, render(&sources, &sink.into_sorted(&sources), Format::Short)))
}

/// Whether a name is left that is a macro to whoever reads it again, as `__LINE__` behind `#undef __LINE__`.
fn has_undefined_builtin(tokens: &[Token], interner: &Interner) -> bool {
    tokens.iter().any(|token| {
        let TokenKind::Ident(symbol) = token.kind else { return false };
        let name = interner.spelling(symbol);
        name.starts_with("__") && (name.ends_with("__") || name.starts_with("__has_"))
    })
}

/// What `-E` prints reads as the same tokens.
fn require_round_trip(sources: &SourceMap, tokens: &[Token], interner: &mut Interner) {
    let printed = print_preprocessed(sources, interner, tokens, false);
    let mut again = SourceMap::new();
    let Ok(file) = again.add("fuzz.i".into(), printed.clone()) else { return };
    let options = PreprocessOptions::default();
    let mut sink = Sink::new();
    let read = preprocess(&mut again, file, &mut NoHeaders, &options, interner, &mut sink).tokens;
    let kinds = |tokens: &[Token]| -> Vec<TokenKind> { tokens.iter().map(|token| token.kind).collect() };
    assert_eq!(kinds(tokens), kinds(&read), "`-E` prints other tokens:\n{printed}");
}
