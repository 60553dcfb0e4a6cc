//! Programs with one or several inserted mistakes, of kinds that people make.
//!
//! A mistake is inserted at a random place of a correct program. The frontend should report as many errors as
//! there are mistakes.

use std::ops::Range;

use weft_frontend::diag::{Diagnostic, Fix, Levels, Severity};
use weft_frontend::token::{Interner, Keyword, Punct, TokenKind};
use weft_frontend::{Bodies, Compilation, FrontendOptions, NoHeaders};

use crate::random::Random;

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A punctuator is missing.
    Missing(Punct),
    /// An additional bracket.
    Stray(Punct),
    /// The name of a variable or function is misspelled at its use.
    MisspeltName,
    /// A type keyword is misspelled.
    MisspeltType,
    /// A member's name is misspelled.
    MisspeltMember,
    /// `.` instead of `->`, or the other way round.
    WrongArrow,
    /// The last argument of a call is missing.
    MissingArgument,
    /// The return type of a function is missing.
    MissingReturnType,
    /// The operator between two operands is missing.
    MissingOperator,
    /// The right operand is missing.
    MissingOperand,
    /// An operator is duplicated.
    DoubleOperator,
    /// One of [`STATEMENTS`] is inserted.
    Statement(usize),
    /// One of [`DECLARATIONS`] is inserted at file scope.
    Declaration(usize),
}

/// Statements with one mistake each.
pub const STATEMENTS: &[&str] = &[
    "no_such_function(1);",
    "no_such_type_t made;",
    "no_such_type_t *made = 0;",
    "\"text\" * 2;",
    "{ const int fixed = 1; fixed = 2; }",
    "{ int *pointer = 3; }",
    "switch (1) { case 1: case 1: break; }",
    "{ int twice; float twice; }",
    "{ int list[2] = {1, 2, 3}; }",
    "else { }",
    "if 1 { }",
    "while () { }",
    "for (int i = 0, i < 3, i++) { }",
    "return return;",
    "goto nowhere;",
    "{ int 3x = 1; }",
    "1 = 2;",
    "case 3: ;",
    "printf(\"text);",
    "{ char c = 'x; }",
    "{ auto f = [](int x) { return x; }; }",
    "std::min(1, 2);",
    "{ int &r = 1; }",
    "{ float x = 08; }",
    "{ struct unknown_s s; }",
    "@;",
];

/// Declarations with one mistake each.
pub const DECLARATIONS: &[&str] = &[
    "__device__ int no_semicolon",
    "__device__ unknown_t of_unknown;",
    "__global__ int returns(void) { return 1; }",
    "struct broken { int a int b; };",
    "template <typename T> __device__ T same(T x) { return x; }",
    "class C { public: int x; C() : x(0) {} };",
    "namespace n { __device__ int inside; }",
    "int main() { returns<<<1, 1>>>(); return 0; }",
    "__device__ int twice_defined; __device__ float twice_defined;",
    "enum { ONE, TWO THREE };",
    "#nonsense",
    "__device__ int f_with(int a, b) { return a; }",
    "__device__ int unnamed(int a, int a2 { return a; }",
    "typedef int;;",
    "using real = float;",
];

impl Kind {
    /// All kinds.
    pub fn all() -> Vec<Kind> {
        use Punct as P;
        let missing =
            [P::Semi, P::LParen, P::RParen, P::LBrace, P::RBrace, P::LBracket, P::RBracket, P::Comma];
        let stray = [P::RParen, P::RBrace, P::RBracket, P::LParen, P::LBrace];
        let others = [
            Kind::MisspeltName,
            Kind::MisspeltType,
            Kind::MisspeltMember,
            Kind::WrongArrow,
            Kind::MissingArgument,
            Kind::MissingReturnType,
            Kind::MissingOperator,
            Kind::MissingOperand,
            Kind::DoubleOperator,
        ];
        let kinds =
            missing.into_iter().map(Kind::Missing).chain(stray.into_iter().map(Kind::Stray)).chain(others);
        let statements = (0..STATEMENTS.len()).map(Kind::Statement);
        kinds.chain(statements).chain((0..DECLARATIONS.len()).map(Kind::Declaration)).collect()
    }

    /// Its name in tables.
    pub fn name(self) -> String {
        match self {
            Kind::Missing(punct) => format!("missing `{}`", punct.spelling()),
            Kind::Stray(punct) => format!("stray `{}`", punct.spelling()),
            Kind::MisspeltName => "misspelt name".into(),
            Kind::MisspeltType => "misspelt type".into(),
            Kind::MisspeltMember => "misspelt member".into(),
            Kind::WrongArrow => "`.` for `->`".into(),
            Kind::MissingArgument => "missing argument".into(),
            Kind::MissingReturnType => "missing return type".into(),
            Kind::MissingOperator => "missing operator".into(),
            Kind::MissingOperand => "missing operand".into(),
            Kind::DoubleOperator => "double operator".into(),
            Kind::Statement(idx) => format!("`{}`", STATEMENTS[idx]),
            Kind::Declaration(idx) => format!("`{}`", DECLARATIONS[idx]),
        }
    }
}

/// A change to a text.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The replaced range.
    pub range: Range<usize>,
    /// The replacement.
    pub with: String,
}

/// A text and its tokens.
#[derive(Debug)]
pub struct Program {
    text: String,
    tokens: Vec<(TokenKind, Range<usize>)>,
    /// For each token: the enclosing braces of functions, and the parentheses within those.
    depths: Vec<(usize, usize)>,
    interner: Interner,
}

impl Program {
    /// Reads the tokens.
    pub fn new(text: &str) -> Self {
        let mut compilation = Compilation::new(FrontendOptions::default());
        let file = compilation.sources.add("mistaken.src".into(), text.to_owned()).expect("a test is small");
        let tokens = compilation.lex(file);
        let Compilation { sources, interner, .. } = compilation;
        let tokens: Vec<_> = tokens
            .iter()
            .filter(|token| token.kind != TokenKind::Eof)
            .map(|token| (token.kind, sources.range(token.span)))
            .collect();
        let depths = depths(&tokens);
        Program { text: text.to_owned(), tokens, depths, interner }
    }

    /// The text with the changes.
    pub fn changed(&self, edits: &[Edit]) -> String {
        let mut edits = edits.to_vec();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start));
        let mut text = self.text.clone();
        for edit in edits {
            text.replace_range(edit.range, &edit.with);
        }
        text
    }

    /// A mistake of the kind at a random place, if there is a suitable one.
    pub fn mistake(&self, kind: Kind, random: &mut Random) -> Option<Edit> {
        let places: Vec<Edit> = (0..self.tokens.len()).filter_map(|idx| self.mistake_at(kind, idx)).collect();
        (!places.is_empty()).then(|| random.of(&places).clone())
    }

    /// The ranges of the function bodies.
    pub fn bodies(&self) -> Vec<Range<usize>> {
        let mut bodies = Vec::new();
        let mut start = None;
        for (idx, (_, range)) in self.tokens.iter().enumerate() {
            match (self.depths[idx].0, start) {
                (1.., None) => start = Some(range.start),
                (0, Some(from)) => {
                    bodies.push(from..range.start);
                    start = None;
                }
                _ => {}
            }
        }
        bodies
    }

    fn kind_at(&self, idx: usize) -> Option<TokenKind> {
        self.tokens.get(idx).map(|(kind, _)| *kind)
    }

    fn is(&self, idx: usize, punct: Punct) -> bool {
        self.kind_at(idx) == Some(TokenKind::Punct(punct))
    }

    fn spelling(&self, idx: usize) -> &str {
        self.tokens.get(idx).map_or("", |(_, range)| &self.text[range.clone()])
    }

    /// Whether a token is in a directive, where nothing is changed.
    fn is_in_directive(&self, idx: usize) -> bool {
        let at = self.tokens[idx].1.start;
        let line = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        self.text[line..].trim_start().starts_with('#')
    }

    fn mistake_at(&self, kind: Kind, idx: usize) -> Option<Edit> {
        let (token, range) = &self.tokens[idx];
        if self.is_in_directive(idx) {
            return None;
        }
        let (in_function, in_parens) = self.depths[idx];
        let before = idx.checked_sub(1).and_then(|idx| self.kind_at(idx));
        let replace = |with: &str| Some(Edit { range: range.clone(), with: with.to_owned() });
        let insert = |with: &str| Some(Edit { range: range.start..range.start, with: with.to_owned() });
        let is_statement_start = in_function > 0
            && in_parens == 0
            && matches!(before, Some(TokenKind::Punct(Punct::Semi)))
            && !matches!(
                token,
                TokenKind::Keyword(Keyword::Else | Keyword::While | Keyword::Case | Keyword::Default)
            );
        match kind {
            // A blank, so that the neighboring tokens remain separate.
            Kind::Missing(punct) if *token == TokenKind::Punct(punct) => replace(" "),
            Kind::Stray(punct) if is_statement_start => insert(&format!("{} ", punct.spelling())),
            Kind::MisspeltName if self.is_use(idx) => {
                let name = self.spelling(idx);
                replace(&format!("{name}q"))
            }
            Kind::MisspeltType => {
                let TokenKind::Keyword(keyword) = *token else { return None };
                let with = match keyword {
                    Keyword::Int => "itn",
                    Keyword::Float => "flaot",
                    Keyword::Void => "viod",
                    Keyword::Unsigned => "unsinged",
                    Keyword::Struct => "strcut",
                    Keyword::Double => "duoble",
                    Keyword::Char => "cahr",
                    _ => return None,
                };
                replace(with)
            }
            Kind::MisspeltMember if self.is_member(idx) => replace(&format!("{}_q", self.spelling(idx))),
            Kind::WrongArrow if *token == TokenKind::Punct(Punct::Arrow) => replace("."),
            Kind::WrongArrow
                if *token == TokenKind::Punct(Punct::Dot) && in_function > 0 && self.is_member(idx + 1) =>
            {
                let is_designator = matches!(before, Some(TokenKind::Punct(Punct::Comma | Punct::LBrace)));
                if is_designator { None } else { replace("->") }
            }
            Kind::MissingArgument => self.without_last_argument(idx),
            Kind::MissingReturnType if in_function == 0 => {
                let is_type = matches!(
                    token,
                    TokenKind::Keyword(Keyword::Int | Keyword::Void | Keyword::Float | Keyword::Double)
                );
                let is_function = matches!(self.kind_at(idx + 1), Some(TokenKind::Ident(_)))
                    && self.is(idx + 2, Punct::LParen);
                let is_first = matches!(before, Some(TokenKind::Keyword(Keyword::Device | Keyword::Global)));
                if is_type && is_function && is_first { replace("") } else { None }
            }
            Kind::MissingOperator if self.is_binary(idx) => replace(" "),
            Kind::MissingOperand if self.is_binary(idx) => {
                let is_operand =
                    matches!(self.kind_at(idx + 1), Some(TokenKind::Ident(_) | TokenKind::Number(_)));
                let ends = matches!(
                    self.kind_at(idx + 2),
                    Some(TokenKind::Punct(Punct::Semi | Punct::RParen | Punct::RBracket | Punct::Comma))
                );
                let operand = self.tokens.get(idx + 1).map(|(_, range)| range.clone());
                operand.filter(|_| is_operand && ends).map(|range| Edit { range, with: String::new() })
            }
            Kind::DoubleOperator if self.is_binary(idx) => replace(&format!("{} /", self.spelling(idx))),
            Kind::Statement(which) if is_statement_start => insert(&format!("{}\n", STATEMENTS[which])),
            Kind::Declaration(which) if in_function == 0 => {
                let begins = matches!(
                    token,
                    TokenKind::Keyword(Keyword::Device | Keyword::Global | Keyword::Extern | Keyword::Static)
                );
                let is_first = matches!(before, None | Some(TokenKind::Punct(Punct::Semi | Punct::RBrace)));
                if begins && is_first { insert(&format!("\n{}\n", DECLARATIONS[which])) } else { None }
            }
            Kind::Missing(_)
            | Kind::Stray(_)
            | Kind::MisspeltName
            | Kind::MisspeltMember
            | Kind::WrongArrow
            | Kind::MissingReturnType
            | Kind::MissingOperator
            | Kind::MissingOperand
            | Kind::DoubleOperator
            | Kind::Statement(_)
            | Kind::Declaration(_) => None,
        }
    }

    /// Whether a name within a function is used there, rather than declared.
    fn is_use(&self, idx: usize) -> bool {
        let Some(TokenKind::Ident(symbol)) = self.kind_at(idx) else { return false };
        let before = idx.checked_sub(1).and_then(|idx| self.kind_at(idx));
        let is_operand = matches!(
            before,
            Some(TokenKind::Punct(
                Punct::LParen
                    | Punct::LBracket
                    | Punct::Eq
                    | Punct::Plus
                    | Punct::Minus
                    | Punct::Lt
                    | Punct::PlusEq
            ))
        );
        let is_declared = self.tokens[..idx].iter().any(|(kind, _)| *kind == TokenKind::Ident(symbol));
        self.depths[idx].0 > 0
            && is_operand
            && is_declared
            && !matches!(self.kind_at(idx + 1), Some(TokenKind::Ident(_) | TokenKind::Punct(Punct::Star)))
            && self.interner.spelling(symbol).len() < 20
    }

    fn is_member(&self, idx: usize) -> bool {
        let is_name = matches!(self.kind_at(idx), Some(TokenKind::Ident(_)));
        let before = idx.checked_sub(1);
        let is_behind =
            before.is_some_and(|before| self.is(before, Punct::Dot) || self.is(before, Punct::Arrow));
        let of_object = before.and_then(|before| before.checked_sub(1)).and_then(|idx| self.kind_at(idx));
        is_name
            && is_behind
            && matches!(
                of_object,
                Some(TokenKind::Ident(_) | TokenKind::Punct(Punct::RParen | Punct::RBracket))
            )
    }

    /// Whether an operator is certainly binary, with an operand on each side.
    fn is_binary(&self, idx: usize) -> bool {
        let is_operator = matches!(
            self.kind_at(idx),
            Some(TokenKind::Punct(
                Punct::Plus
                    | Punct::Slash
                    | Punct::Lt
                    | Punct::EqEq
                    | Punct::Eq
                    | Punct::PlusEq
                    | Punct::Percent
            ))
        );
        let ends_operand = idx.checked_sub(1).and_then(|idx| self.kind_at(idx)).is_some_and(|kind| {
            matches!(
                kind,
                TokenKind::Ident(_)
                    | TokenKind::Number(_)
                    | TokenKind::Punct(Punct::RParen | Punct::RBracket)
            )
        });
        let begins_operand =
            matches!(self.kind_at(idx + 1), Some(TokenKind::Ident(_) | TokenKind::Number(_)));
        self.depths[idx].0 > 0 && is_operator && ends_operand && begins_operand
    }

    /// Removes the last argument of a call of one of the program's functions.
    fn without_last_argument(&self, idx: usize) -> Option<Edit> {
        let Some(TokenKind::Ident(symbol)) = self.kind_at(idx) else { return None };
        let is_call = self.depths[idx].0 > 0 && self.is(idx + 1, Punct::LParen);
        // Declared at file scope, so that it is neither a built-in nor a pointer.
        let is_known = (0..idx).any(|other| {
            self.kind_at(other) == Some(TokenKind::Ident(symbol))
                && self.depths[other].0 == 0
                && self.is(other + 1, Punct::LParen)
        });
        if !is_call || !is_known {
            return None;
        }
        let (mut depth, mut comma): (usize, Option<usize>) = (0, None);
        for at in idx + 1..self.tokens.len() {
            match self.kind_at(at) {
                Some(TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace)) => depth += 1,
                Some(TokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace)) => {
                    depth -= 1;
                    if depth == 0 {
                        let start = self.tokens[comma?].1.start;
                        return Some(Edit { range: start..self.tokens[at].1.start, with: String::new() });
                    }
                }
                Some(TokenKind::Punct(Punct::Comma)) if depth == 1 => comma = Some(at),
                _ => {}
            }
        }
        None
    }
}

/// For each token, the number of open braces of functions, and of open parentheses in the innermost one.
fn depths(tokens: &[(TokenKind, Range<usize>)]) -> Vec<(usize, usize)> {
    let mut depths = Vec::new();
    // Whether each open brace belongs to a block, and the parentheses that were open outside of it.
    let mut braces: Vec<(bool, usize)> = Vec::new();
    let mut parens = 0;
    let mut before = None;
    for (kind, _) in tokens {
        let blocks = braces.iter().filter(|(is_block, _)| *is_block).count();
        let is_inside_list = braces.last().is_some_and(|(is_block, _)| !is_block);
        depths.push((blocks, parens + usize::from(is_inside_list)));
        match kind {
            TokenKind::Punct(Punct::LBrace) => {
                let is_block = match before {
                    Some(TokenKind::Punct(Punct::RParen)) => true,
                    Some(TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace | Punct::Colon)) => {
                        blocks > 0 && !is_inside_list
                    }
                    Some(TokenKind::Keyword(Keyword::Else | Keyword::Do)) => true,
                    _ => false,
                };
                braces.push((is_block, std::mem::take(&mut parens)));
            }
            TokenKind::Punct(Punct::RBrace) => parens = braces.pop().map_or(0, |(_, outside)| outside),
            TokenKind::Punct(Punct::LParen | Punct::LBracket) => parens += 1,
            TokenKind::Punct(Punct::RParen | Punct::RBracket) => parens = parens.saturating_sub(1),
            _ => {}
        }
        before = Some(*kind);
    }
    depths
}

/// A diagnostic, and its fixes.
#[derive(Clone, Debug)]
pub struct Found {
    /// The kebab-case code.
    pub code: String,
    /// The phrase.
    pub message: String,
    /// Whether it is an error.
    pub is_error: bool,
    /// Its line and column, from 1.
    pub at: (u32, u32),
    /// The lines of what explains it: "declared here", and what led to it.
    pub explained_at: Vec<u32>,
    /// The edits of each fix.
    pub fixes: Vec<Vec<Edit>>,
}

/// The errors of a text: line, code and phrase.
pub fn errors(text: &str) -> Vec<String> {
    let errors = found(text).into_iter().filter(|found| found.is_error);
    errors.map(|e| format!("{}:{}: [{}] {}", e.at.0, e.at.1, e.code, e.message)).collect()
}

/// All diagnostics of a text, with all warnings enabled.
pub fn found(text: &str) -> Vec<Found> {
    let mut levels = Levels::default();
    levels.apply("everything").expect("there is such an option");
    let mut compilation = Compilation::with_levels(FrontendOptions::default(), levels);
    let Ok(file) = compilation.sources.add("mistaken.src".into(), text.to_owned()) else { return Vec::new() };
    compilation.analyze(file, &mut NoHeaders, Bodies::Keep);
    let Compilation { sources, mut sink, .. } = compilation;
    let edits = |fix: &Fix| {
        let edits = fix.edits.iter();
        edits.map(|edit| Edit { range: sources.range(edit.span), with: edit.replacement.clone() }).collect()
    };
    let found = |diagnostic: &Diagnostic| {
        let at = sources.line_column(diagnostic.primary.span);
        Found {
            code: diagnostic.code.name().to_owned(),
            message: diagnostic.message.clone(),
            is_error: diagnostic.severity == Severity::Error,
            at: (at.line, at.column),
            explained_at: diagnostic.secondary.iter().map(|it| sources.line_column(it.span).line).collect(),
            fixes: diagnostic.applicable_fixes().map(edits).collect(),
        }
    };
    sink.settle(&sources);
    sink.diagnostics().iter().map(found).collect()
}
