//! Items at file scope: where they end, and what they are, by their tokens alone.

use smallvec::SmallVec;

use crate::ast::{Arity, Name};
use crate::parse::types::keyword::{is_memory_or_space, is_word};
use crate::parse::{HostItems, Parser};
use crate::token::{Keyword, Punct, Token, TokenKind};

/// What an item is, by its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A struct, class, union or enum, or a variable of one.
    Record,
    /// A typedef, an alias, an assertion.
    Named,
    Variable,
    Function,
    Template,
    Namespace,
    /// `using` of a name or a namespace.
    Using,
}

/// An item at file scope.
#[derive(Debug)]
pub(in crate::parse) struct Item {
    /// The token after it.
    pub(in crate::parse) end: usize,
    pub(super) shape: Shape,
    /// Code or memory of the device is declared in it.
    pub(in crate::parse) is_device: bool,
    pub(super) is_constexpr: bool,
    /// A bracket in it has no partner, or the body of a function follows a type.
    pub(in crate::parse) is_malformed: bool,
    pub(in crate::parse) names: SmallVec<[Name; 2]>,
    /// The last token of a qualified name that it declares.
    pub(in crate::parse) qualified: Option<usize>,
    /// How many arguments it takes, if it is a function.
    pub(super) arity: Option<Arity>,
    /// It is a function, or a template of functions.
    pub(in crate::parse) is_function: bool,
}

/// How many tokens `<…>` may have: what is longer are comparisons.
pub(super) const MAX_ANGLES: usize = 1000;

impl HostItems<'_> {
    /// Finds the end of the item at the current token, and what it is.
    pub(in crate::parse) fn scan_item(&self) -> Item {
        let mut scan = Scan {
            parser: self,
            at: self.pos,
            shape: None,
            is_device: false,
            is_constexpr: false,
            is_malformed: false,
            has_parameters: false,
            has_value: false,
            is_after_value: false,
            names: SmallVec::new(),
            qualified: None,
            arity: None,
        };
        scan.run();
        let shape = scan.shape.unwrap_or(if scan.has_parameters { Shape::Function } else { Shape::Variable });
        let is_function = scan.is_function();
        Item {
            end: scan.at.min(self.tokens.len() - 1),
            shape,
            is_device: scan.is_device,
            is_constexpr: scan.is_constexpr,
            is_malformed: scan.is_malformed,
            names: scan.names,
            qualified: scan.qualified,
            arity: scan.arity,
            is_function,
        }
    }
}

/// The search for the end of an item.
struct Scan<'p, 'a> {
    parser: &'p Parser<'a>,
    at: usize,
    shape: Option<Shape>,
    is_device: bool,
    is_constexpr: bool,
    is_malformed: bool,
    /// The parameters of a function have been seen.
    has_parameters: bool,
    /// The value of a variable has begun.
    has_value: bool,
    /// A variable before the last comma had a value, so that the declarators after it are variables, too.
    is_after_value: bool,
    names: SmallVec<[Name; 2]>,
    qualified: Option<usize>,
    arity: Option<Arity>,
}

impl Scan<'_, '_> {
    fn run(&mut self) {
        while !self.is_malformed {
            let token = self.token(self.at);
            if is_device_token(&token) {
                if self.has_value && token.at_line_start {
                    return;
                }
                self.is_device |= !(self.has_value && self.is_of_lambda(self.at));
            }
            match token.kind {
                TokenKind::Eof | TokenKind::Punct(Punct::RBrace) => return,
                TokenKind::Punct(Punct::Semi) => {
                    self.at += 1;
                    return;
                }
                TokenKind::Punct(Punct::LParen) => self.parentheses(),
                TokenKind::Punct(Punct::LBracket) => self.jump(),
                TokenKind::Punct(Punct::LBrace) => {
                    if self.braces() {
                        return;
                    }
                }
                TokenKind::Punct(Punct::Colon) if self.is_function() => self.member_initializers(),
                TokenKind::Punct(Punct::Eq) => {
                    self.has_value |= !self.follows(Keyword::Operator);
                    self.at += 1;
                }
                TokenKind::Punct(Punct::Lt) if !self.has_value && self.may_open_arguments() => self.angles(),
                TokenKind::Keyword(keyword) => self.keyword(keyword),
                TokenKind::Ident(symbol) => {
                    let next = self.token(self.at + 1).kind;
                    // `T (*f)(int)` declares `f`.
                    let is_type = self.opens_declarator(self.at + 1);
                    let is_last = !is_type
                        && matches!(
                            next,
                            TokenKind::Punct(
                                Punct::Semi
                                    | Punct::Comma
                                    | Punct::Eq
                                    | Punct::LBracket
                                    | Punct::LBrace
                                    | Punct::LParen
                            )
                        );
                    if is_last && !self.has_value && !self.has_parameters && self.takes_names() {
                        match self.is_qualified() {
                            true => self.qualified = Some(self.at),
                            false => self.names.push(Name { symbol, span: token.span }),
                        }
                    }
                    self.at += 1;
                }
                TokenKind::Punct(Punct::Comma) => {
                    // Another variable follows.
                    self.is_after_value |= self.has_value;
                    self.has_value = false;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
    }

    fn token(&self, at: usize) -> Token {
        let tokens = &self.parser.tokens;
        tokens[at.min(tokens.len() - 1)]
    }

    fn is_function(&self) -> bool {
        self.has_parameters && !self.has_value && matches!(self.shape, None | Some(Shape::Template))
    }

    /// Names within the parameters of a template, or after the first of a function, are not the item's.
    fn takes_names(&self) -> bool {
        !matches!(self.shape, Some(Shape::Namespace | Shape::Using)) || self.names.is_empty()
    }

    fn is_qualified(&self) -> bool {
        self.at > 0 && self.token(self.at - 1).kind == TokenKind::Punct(Punct::ColonColon)
    }

    fn follows(&self, keyword: Keyword) -> bool {
        self.at > 0 && self.token(self.at - 1).kind == TokenKind::Keyword(keyword)
    }

    /// Goes after the bracket that closes the one here, or one token on.
    fn jump(&mut self) {
        let start = self.at;
        let end = self.parser.matching(start);
        self.is_malformed |= end.is_none();
        self.at = end.unwrap_or(start + 1);
        if self.token(start).kind == TokenKind::Punct(Punct::LParen) {
            self.is_device |=
                (start..self.at).any(|at| is_device_token(&self.token(at)) && !self.is_of_lambda(at));
        }
    }

    /// Whether the word at `at` is that of a lambda, which is a value: `[] __device__ (int n) {…}`.
    fn is_of_lambda(&self, at: usize) -> bool {
        let is_space = |at: usize| {
            is_device_token(&self.token(at)) || self.token(at).kind == TokenKind::Keyword(Keyword::Host)
        };
        let first = (0..at).rev().find(|&before| !is_space(before));
        first.is_some_and(|before| self.token(before).kind == TokenKind::Punct(Punct::RBracket))
    }

    fn keyword(&mut self, keyword: Keyword) {
        use Keyword as K;
        let shape = match keyword {
            K::Template => Some(Shape::Template),
            K::Namespace => Some(Shape::Namespace),
            K::Typedef | K::StaticAssert => Some(Shape::Named),
            K::Using => {
                let is_alias = matches!(
                    self.token(self.at + 2).kind,
                    TokenKind::Punct(Punct::Eq | Punct::LBracket) | TokenKind::Keyword(_)
                );
                Some(if is_alias { Shape::Named } else { Shape::Using })
            }
            K::Struct | K::Class | K::Union | K::Enum if !self.has_parameters && self.defines_a_type() => {
                Some(Shape::Record)
            }
            _ => None,
        };
        self.is_constexpr |= keyword == K::Constexpr;
        // `template <…> struct` is a template, `using namespace` a `using`.
        self.shape = self.shape.or(shape);
        self.at += 1;
        if takes_arguments(keyword) && self.token(self.at).kind == TokenKind::Punct(Punct::LParen) {
            let start = self.at;
            self.jump();
            let is_device = |token: &Token| match token.kind {
                TokenKind::Ident(symbol) => is_device_attribute(self.parser.interner.spelling(symbol)),
                _ => is_device_token(token),
            };
            self.is_device |= matches!(keyword, K::Attribute | K::GnuAttribute2)
                && self.parser.tokens[start..self.at].iter().any(is_device);
        }
    }

    /// Whether the tag here has a body or nothing else: `struct S {`, `class S : B {`, `struct S;`.
    fn defines_a_type(&self) -> bool {
        let mut at = self.at + 1;
        loop {
            match self.token(at).kind {
                TokenKind::Punct(Punct::LBrace) => return true,
                // `struct S;`, and not `struct S s;`
                TokenKind::Punct(Punct::Semi) => return at <= self.at + 2,
                TokenKind::Keyword(keyword) if takes_arguments(keyword) => {
                    at = self.parser.matching(at + 1).unwrap_or(at + 1);
                }
                TokenKind::Punct(Punct::LParen | Punct::Eq | Punct::RBrace) | TokenKind::Eof => return false,
                _ => at += 1,
            }
        }
    }

    /// Whether the `(` at the place opens a declarator: `(*f)`, or `(&r)` before parameters or a length.
    fn opens_declarator(&self, at: usize) -> bool {
        let kind = |ahead: usize| self.token(at + ahead).kind;
        let is_name = matches!(kind(2), TokenKind::Ident(_)) && kind(3) == TokenKind::Punct(Punct::RParen);
        match (kind(0), kind(1)) {
            (TokenKind::Punct(Punct::LParen), TokenKind::Punct(Punct::Star)) => true,
            (TokenKind::Punct(Punct::LParen), TokenKind::Punct(Punct::Amp | Punct::AmpAmp)) => {
                is_name && matches!(kind(4), TokenKind::Punct(Punct::LParen | Punct::LBracket))
            }
            _ => false,
        }
    }

    /// Parameters, or the arguments of an initializer, or what a pointer to a function is declared in.
    fn parentheses(&mut self) {
        let is_pointer = self.opens_declarator(self.at);
        if is_pointer && self.names.is_empty() && !self.has_value && !self.has_parameters {
            if let TokenKind::Ident(symbol) = self.token(self.at + 2).kind {
                self.names.push(Name { symbol, span: self.token(self.at + 2).span });
                // `int (*f(int x))(int)` is a function.
                self.has_parameters = self.token(self.at + 3).kind == TokenKind::Punct(Punct::LParen);
            }
            self.jump();
            if self.token(self.at).kind == TokenKind::Punct(Punct::LParen) {
                self.jump();
            }
            return;
        }
        let is_operator = self.follows(Keyword::Operator);
        // `int n(2)` has a value, `int f(int)` parameters.
        let may_have_value = self.at >= self.parser.pos + 2 && !self.has_parameters;
        self.has_value |= may_have_value && (self.is_after_value || self.begins_a_value(self.at + 1));
        let open = self.at;
        self.jump();
        if !self.has_value && !is_operator {
            if !self.has_parameters {
                self.arity = Some(self.arity_of(open + 1, self.at.saturating_sub(1)));
            }
            self.has_parameters = true;
        }
    }

    /// How many arguments the parameters between two tokens take: any number, where commas may be those of `<…>`.
    fn arity_of(&self, start: usize, end: usize) -> Arity {
        let mut arity = Arity { least: 0, most: 0 };
        let (mut at, mut has_default, mut is_parameter) = (start, false, false);
        while at < end {
            match self.token(at).kind {
                TokenKind::Punct(Punct::Lt | Punct::Ellipsis) => return Arity { least: 0, most: usize::MAX },
                TokenKind::Punct(Punct::Comma) => is_parameter = false,
                TokenKind::Punct(Punct::Eq) => has_default = true,
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => {
                    at = self.parser.matching(at).map_or(at, |after| after - 1);
                }
                TokenKind::Keyword(Keyword::Void) if end == start + 1 => return arity,
                _ if !is_parameter => {
                    is_parameter = true;
                    arity.most += 1;
                    arity.least = arity.most;
                }
                _ => {}
            }
            at += 1;
        }
        if has_default {
            arity.least = 0;
        }
        arity
    }

    /// Whether the token begins an expression, and no type.
    fn begins_a_value(&self, at: usize) -> bool {
        match self.token(at).kind {
            TokenKind::Number(_) | TokenKind::Char(_) | TokenKind::Str(_) => true,
            TokenKind::Keyword(keyword) => {
                matches!(keyword, Keyword::Sizeof | Keyword::True | Keyword::False)
            }
            TokenKind::Punct(punct) => {
                matches!(punct, Punct::Minus | Punct::Plus | Punct::Bang | Punct::Tilde)
            }
            _ => false,
        }
    }

    /// Whether a `<` in a declaration follows a name.
    fn may_open_arguments(&self) -> bool {
        self.at > 0
            && (matches!(self.token(self.at - 1).kind, TokenKind::Ident(_))
                || self.follows(Keyword::Template))
            && !self.follows(Keyword::Operator)
    }

    /// Skips `<…>`, if it is closed before the end of the declaration.
    fn angles(&mut self) {
        let (start, mut depth) = (self.at, 0_usize);
        while depth > 0 || self.at == start {
            if self.at - start > MAX_ANGLES {
                self.at = start + 1;
                return;
            }
            match self.token(self.at).kind {
                TokenKind::Punct(Punct::Lt) => depth += 1,
                TokenKind::Punct(Punct::Gt) => depth -= 1,
                TokenKind::Punct(Punct::Shr) => depth = depth.saturating_sub(2),
                TokenKind::Punct(Punct::LaunchClose) => depth = depth.saturating_sub(3),
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => {
                    self.jump();
                    continue;
                }
                TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace) | TokenKind::Eof => {
                    self.at = start + 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// A body or an initializer. True: the item ends with it.
    fn braces(&mut self) -> bool {
        let open = self.at;
        self.jump();
        let is_definition = match self.shape {
            Some(Shape::Record | Shape::Named) => true,
            Some(Shape::Template) => !self.has_parameters,
            _ => false,
        };
        if self.has_value {
            return false;
        }
        if is_definition || self.shape == Some(Shape::Namespace) {
            self.is_device |= self.parser.tokens[open..self.at].iter().any(is_device_token);
        }
        if is_definition {
            // `struct S { int a; } f(int n) { … }`
            self.is_malformed |= self.has_parameters;
            // Variables of the type may follow. An item that lacks its `;` must not take the next one along.
            let ends = |at| {
                matches!(
                    self.token(at).kind,
                    TokenKind::Punct(Punct::Semi | Punct::Comma | Punct::Eq | Punct::LBracket)
                )
            };
            let next = self.token(self.at);
            return match next.kind {
                _ if ends(self.at) => false,
                TokenKind::Ident(_) if next.at_line_start => !ends(self.at + 1),
                _ if next.at_line_start => true,
                TokenKind::Ident(_) => false,
                TokenKind::Punct(punct) => !matches!(punct, Punct::Star | Punct::Amp | Punct::LParen),
                TokenKind::Keyword(keyword) => is_word(keyword),
                _ => true,
            };
        }
        if self.has_parameters && matches!(self.shape, None | Some(Shape::Template)) {
            while self.token(self.at).kind == TokenKind::Keyword(Keyword::Catch) {
                self.at += 1;
                self.jump();
                self.jump();
            }
            return true;
        }
        self.shape == Some(Shape::Namespace)
    }

    /// `: a(1), b{2}` before the body of a constructor.
    fn member_initializers(&mut self) {
        self.at += 1;
        loop {
            match self.token(self.at).kind {
                TokenKind::Ident(_)
                | TokenKind::Punct(Punct::ColonColon | Punct::Comma | Punct::Ellipsis) => self.at += 1,
                TokenKind::Punct(Punct::Lt) => self.angles(),
                TokenKind::Punct(Punct::LParen) => self.jump(),
                TokenKind::Punct(Punct::LBrace)
                    if matches!(
                        self.token(self.at - 1).kind,
                        TokenKind::Ident(_) | TokenKind::Punct(Punct::Gt)
                    ) =>
                {
                    self.jump();
                }
                _ => return,
            }
        }
    }
}

/// Whether a parenthesis after the keyword belongs to it.
pub(super) fn takes_arguments(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(
        keyword,
        K::Attribute
            | K::GnuAttribute2
            | K::LaunchBounds
            | K::Maxnreg
            | K::ClusterDims
            | K::BlockSize
            | K::Align
            | K::Alignas
            | K::Decltype
            | K::Noexcept
    )
}

/// Whether a token says that code or memory is the device's.
pub(in crate::parse) fn is_device_token(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Keyword(keyword) if is_memory_or_space(keyword))
}

/// The attributes by which CUDA's headers define `__device__` and other specifiers: `__attribute__((device))`.
pub(crate) fn is_device_attribute(name: &str) -> bool {
    matches!(name.trim_matches('_'), "device" | "global" | "shared" | "constant" | "managed")
}
