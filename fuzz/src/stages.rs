//! The frontend from end to end: whatever the text, it ends in diagnostics or in a program that `verify`
//! takes. What does not hold panics, which is how a fuzzer hears of it.

use std::mem;

use weft_frontend::diag::Levels;
use weft_frontend::diag::render::{Format, render};
use weft_frontend::ir::print::print;
use weft_frontend::source::SourceText;
use weft_frontend::token::{Interner, Punct, Token, TokenKind};
use weft_frontend::{Bodies, Compilation, Dialect, FrontendOptions, HostCode, NoHeaders, PreprocessOptions};

use crate::headers::FixedHeaders;

/// Runs all stages over a text.
///
/// # Panics
/// Where one of the promises does not hold.
pub fn run(text: &[u8]) {
    let text = SourceText::decode(text);
    // As many pieces as there can be.
    let options = in_pieces(1);
    let mut compilation = Compilation::new(options.clone());
    let Ok(file) = compilation.sources.add("fuzz.src".into(), text.clone()) else { return };
    refuse_host_code(text.clone());
    let tokens = compilation.preprocess(file, &mut FixedHeaders).tokens;
    // A `#` that begins no directive would begin one where it comes to begin a line.
    let has_hash = tokens.iter().any(|token| token.kind == TokenKind::Punct(Punct::Hash));
    let is_correct = compilation.sink.reported().is_none();
    if is_correct && !has_hash && !has_undefined_builtin(&tokens, &compilation.interner) {
        require_round_trip(&mut compilation, &tokens);
    }
    let _ = compilation.parse(&tokens).print(&compilation);
    if let (Some(pieces), Some(whole)) =
        (analyzed(text.clone(), options), analyzed(text, in_pieces(usize::MAX)))
    {
        assert_eq!(pieces, whole, "pieces make the same program and the same warnings");
    }
}

fn in_pieces(piece_len: usize) -> FrontendOptions {
    let preprocessor = PreprocessOptions { piece_len, ..PreprocessOptions::default() };
    FrontendOptions { preprocessor, ..FrontendOptions::default() }
}

/// The same text with host code refused ends in diagnostics or in a program that `verify` takes.
fn refuse_host_code(text: SourceText) {
    let dialect = Dialect { host_code: HostCode::Refuse, ..Dialect::default() };
    let mut compilation = Compilation::new(FrontendOptions { dialect, ..in_pieces(1) });
    let Ok(file) = compilation.sources.add("fuzz.src".into(), text) else { return };
    if let Ok(module) = compilation.analyze(file, &mut FixedHeaders, Bodies::Keep).module
        && let Err(error) = module.verify()
    {
        panic!("verify, with host code refused: {}", error.message);
    }
}

/// The program and what is said of it; `None` if there are errors.
fn analyzed(text: SourceText, options: FrontendOptions) -> Option<(String, String)> {
    let mut levels = Levels::default();
    levels.apply("everything").unwrap_or_else(|unknown| panic!("`-W{}` is unknown", unknown.name));
    let mut compilation = Compilation::with_levels(options, levels);
    let file = compilation.sources.add("fuzz.src".into(), text).expect("it has been read before");
    let module = compilation.analyze(file, &mut FixedHeaders, Bodies::Keep).module;
    let Compilation { sources, sink, .. } = compilation;
    for format in [Format::Human { color: false }, Format::Short, Format::Json, Format::Github] {
        let messages = render(&sources, sink.diagnostics(), format);
        assert_eq!(messages.is_empty(), sink.diagnostics().is_empty(), "what was reported is shown");
    }
    let module = module.ok()?;
    assert!(sink.reported().is_none(), "a program with errors is taken");
    let program = in_any_order(&print(module.module()));
    if let Err(error) = module.verify() {
        panic!("verify: {}", error.message);
    }
    Some((program, render(&sources, &sink.into_sorted(&sources), Format::Short)))
}

/// The program without the numbers and the order of its types: what needs a header may be in a later piece than what needs built-in ones.
fn in_any_order(program: &str) -> String {
    let (mut types, mut rest) = (Vec::<String>::new(), String::new());
    for line in program.lines() {
        let ty = ["record", "enum", "typedef"].iter().find_map(|kind| line.strip_prefix(kind));
        match (ty, types.last_mut()) {
            (Some(ty), _) => types.push(ty.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned()),
            (None, Some(ty)) if line.starts_with("  ") && rest.is_empty() => ty.push_str(line),
            _ => rest.push_str(&format!("{line}\n")),
        }
    }
    types.sort();
    format!("{}\n{rest}", types.join("\n"))
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
fn require_round_trip(compilation: &mut Compilation, tokens: &[Token]) {
    let printed = compilation.print_preprocessed(tokens, false);
    let mut again = Compilation::new(FrontendOptions::default());
    let Ok(file) = again.sources.add("fuzz.i".into(), printed.clone()) else { return };
    // So that names have the same symbols.
    mem::swap(&mut again.interner, &mut compilation.interner);
    let read = again.preprocess(file, &mut NoHeaders).tokens;
    mem::swap(&mut again.interner, &mut compilation.interner);
    let kinds = |tokens: &[Token]| -> Vec<TokenKind> { tokens.iter().map(|token| token.kind).collect() };
    assert_eq!(kinds(tokens), kinds(&read), "`-E` prints other tokens:\n{printed}");
}
