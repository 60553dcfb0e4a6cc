//! Host code at file scope, which is skipped item by item.
//!
//! An item is what a declaration or definition at file scope is made of, found by its tokens alone: brackets are matched, and nothing
//! else of the grammar of C++ is needed. An item without an execution space or a memory is the host's. If it may declare something that
//! device code uses (a type, a constant), it is read as C first, and kept if that succeeds; everything else, and what cannot be read, is
//! skipped. Names of skipped items are known as the host's, so that a use in device code is an error with the place of the declaration.

use smallvec::SmallVec;

use super::Parser;
use super::keyword::{begins_declaration, is_memory_or_space, is_word};
use super::scope::Meaning;
use crate::ast::{Decl, DeclKind, HostDecl, HostKind, Name};
use crate::diag::similar::similar;
use crate::diag::{Code, Diagnostic, Fix};
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind};

/// What an item is, by its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
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

/// A member function that a struct would have without its declaration, or that replaces one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    /// One that does not copy.
    Constructor,
    /// One that copies or moves.
    Copy,
    Assignment,
    Destructor,
}

/// An item at file scope.
#[derive(Debug)]
struct Item {
    /// The token after it.
    end: usize,
    shape: Shape,
    /// Code or memory of the device is declared in it.
    is_device: bool,
    is_constexpr: bool,
    /// A bracket in it has no partner.
    is_unclosed: bool,
    names: SmallVec<[Name; 2]>,
}

/// How many tokens `<…>` may have: what is longer are comparisons.
pub(super) const MAX_ANGLES: usize = 1000;

impl Parser<'_> {
    /// Skips the item at the current token if it is the host's, or reads it as C if that may be useful. False: it is to be read as a
    /// declaration of the device.
    pub(super) fn host_item(&mut self) -> bool {
        let is_block = self.begins_linkage() && self.is_at(2, Punct::LBrace);
        if is_block
            || self.is_texture_reference()
            || !self.may_begin_host_item()
            || is_device_token(&self.token())
        {
            return false;
        }
        let item = self.scan_item();
        let is_known = item.names.first().is_some_and(|name| self.device_functions.contains(&name.symbol));
        if item.is_device || item.end == self.pos || item.shape == Shape::Function && is_known {
            return false;
        }
        // What follows an opening bracket that nothing closes would be skipped with it.
        let last = self.tokens[item.end - 1].kind;
        let is_whole = matches!(last, TokenKind::Punct(Punct::Semi | Punct::RBrace));
        let is_cut = matches!(self.tokens[item.end].kind, TokenKind::Eof | TokenKind::Punct(Punct::RBrace));
        if item.is_unclosed || !is_whole && is_cut {
            return false;
        }
        let is_allowed = item.is_constexpr && self.dialect.relaxed_constexpr;
        let may_be_kept = matches!(item.shape, Shape::Record | Shape::Named | Shape::Variable)
            || item.shape == Shape::Function && is_allowed;
        let why = match may_be_kept.then(|| self.read_as_c(&item)) {
            Some(Ok(())) => return true,
            Some(Err(why)) => why,
            None => None,
        };
        if why.as_deref().is_some_and(|why| self.runs_into_the_next(&item, why)) {
            return false;
        }
        self.check_spelling(&item);
        // What no C++ makes right is reported: skipped, it would be missed by nobody, and nvcc refuses it.
        let mistake = self.missing_semicolon(&item).or_else(|| self.untyped_member(&item));
        match (mistake, why) {
            // It is C but for that, and is read with its message.
            (Some(mistake), Some(why)) if why.primary.span == mistake.primary.span => return false,
            (Some(mistake), _) => {
                self.sink.error(mistake);
                self.unit.refused.extend(item.names.iter().copied());
                self.skip_item(item, None);
            }
            (None, why) => self.skip_item(item, why),
        }
        true
    }

    /// The error of an item that lacks its `;`.
    fn missing_semicolon(&self, item: &Item) -> Option<Diagnostic> {
        let ends_without = self.kind_of(item.end - 1) != TokenKind::Punct(Punct::Semi);
        let is_missing = match item.shape {
            Shape::Record | Shape::Named => ends_without,
            Shape::Variable => ends_without && is_device_token(&self.tokens[item.end]),
            Shape::Function | Shape::Template | Shape::Namespace | Shape::Using => false,
        };
        is_missing.then(|| self.expected_diagnostic_at(Punct::Semi, item.end))
    }

    /// Whether a typedef or an assertion lacks its `;`, so that the declaration in the next line has been taken for a part of it.
    fn runs_into_the_next(&self, item: &Item, why: &Diagnostic) -> bool {
        let here = why.primary.span;
        let next = self.tokens[self.pos..item.end].iter().find(|token| token.span.lo >= here.lo);
        let begins = |kind| matches!(kind, TokenKind::Keyword(keyword) if begins_declaration(keyword));
        item.shape == Shape::Named
            && why.code == Code::ExpectedToken
            && next.is_some_and(|next| next.at_line_start && begins(next.kind))
    }

    /// The error of a bit-field without a type in a struct: `: 3;` or `x : 3;`.
    fn untyped_member(&self, item: &Item) -> Option<Diagnostic> {
        let range = if item.shape == Shape::Record { self.pos..item.end } else { 0..0 };
        let is_untyped = |&at: &usize| {
            let name = usize::from(matches!(self.kind_of(at), TokenKind::Ident(_)));
            self.kind_of(at + name) == TokenKind::Punct(Punct::Colon)
                && matches!(self.kind_of(at + name + 1), TokenKind::Number(_))
        };
        let begins_member = |at: usize| {
            matches!(self.kind_of(at), TokenKind::Punct(Punct::LBrace | Punct::Semi | Punct::RBrace))
        };
        let at = range.filter(|&at| begins_member(at)).map(|at| at + 1).find(is_untyped)?;
        let message = format!("expected a type before {}", self.describe_at(at));
        Some(Diagnostic::new(Code::ExpectedType, self.tokens[at].span, message))
    }

    /// `texture<…>` of old CUDA, or `surface<…>`: a variable of the device without a word that says so.
    fn is_texture_reference(&self) -> bool {
        let ahead = usize::from(self.is_keyword(Keyword::Static));
        let TokenKind::Ident(symbol) = self.kind_at(ahead) else { return false };
        self.is_at(ahead + 1, Punct::Lt)
            && ["texture", "surface"].contains(&self.interner.spelling(symbol))
            && self.scopes.meaning(symbol) == Meaning::Unknown
    }

    /// Whether the current token may begin a declaration of C++, or a use of a macro that is not known.
    fn may_begin_host_item(&self) -> bool {
        use Keyword as K;
        match self.kind() {
            TokenKind::Ident(_) => self.may_begin_with_name(self.pos),
            TokenKind::Keyword(K::Struct | K::Union | K::Enum | K::Class)
                if matches!(self.kind_at(1), TokenKind::Ident(_)) =>
            {
                // `struct S int a; };` lacks its brace.
                !matches!(self.kind_at(2), TokenKind::Keyword(keyword) if is_word(keyword))
            }
            TokenKind::Keyword(keyword) if takes_arguments(keyword) => {
                let after = self.matching(self.pos + 1).unwrap_or(self.pos + 1);
                !matches!(self.kind_of(after), TokenKind::Ident(_)) || self.may_begin_with_name(after)
            }
            TokenKind::Keyword(keyword) => !matches!(
                keyword,
                K::If
                    | K::Else
                    | K::For
                    | K::While
                    | K::Do
                    | K::Switch
                    | K::Case
                    | K::Default
                    | K::Break
                    | K::Continue
                    | K::Return
                    | K::Goto
                    | K::Sizeof
                    | K::This
                    | K::Throw
                    | K::Try
                    | K::Catch
            ),
            TokenKind::Punct(punct) => {
                matches!(punct, Punct::ColonColon | Punct::LBracket | Punct::Tilde | Punct::LParen)
            }
            _ => false,
        }
    }

    /// Whether the name at `at` may be a type, or a macro, because what follows does not make it a variable or an operand.
    fn may_begin_with_name(&self, at: usize) -> bool {
        use Punct as P;
        match self.kind_of(at + 1) {
            TokenKind::Punct(
                P::Eq | P::Dot | P::Arrow | P::LBracket | P::LBrace | P::PlusPlus | P::MinusMinus,
            ) => false,
            // A misspelt `struct S { int a; };`
            TokenKind::Ident(_) if self.kind_of(at + 2) == TokenKind::Punct(P::LBrace) => {
                let last = self.matching(at + 2).map(|end| self.kind_of(end - 2));
                last != Some(TokenKind::Punct(P::Semi))
            }
            TokenKind::Punct(P::LParen) => !matches!(
                self.kind_of(self.matching(at + 1).unwrap_or(at + 1)),
                TokenKind::Punct(
                    P::EqEq | P::Ne | P::Le | P::Ge | P::Plus | P::Minus | P::Slash | P::Percent
                )
            ),
            _ => true,
        }
    }

    /// Reports an item that begins with a name that is nearly one of those that make it the device's: it would vanish without a message.
    fn check_spelling(&mut self, item: &Item) {
        const SPECIFIERS: [&str; 5] =
            ["__global__", "__device__", "__constant__", "__shared__", "__managed__"];
        let TokenKind::Ident(symbol) = self.kind() else { return };
        let spelling = self.interner.spelling(symbol);
        if !spelling.starts_with('_') || !matches!(item.shape, Shape::Function | Shape::Variable) {
            return;
        }
        if let Some(found) = similar(spelling, SPECIFIERS.into_iter()) {
            let message = format!("unknown specifier `{spelling}`");
            let diagnostic = Diagnostic::new(Code::ExpectedDeclaration, self.span(), message);
            let title = format!("did you mean `{}`?", SPECIFIERS[found]);
            self.sink.error(diagnostic.with_fix(Fix::new(title, self.span(), SPECIFIERS[found])));
        }
    }

    /// Among the members of a struct: skips a function of the host, and what access specifiers say. False: it is something else.
    pub(super) fn skip_host_member(&mut self, tag: Option<Name>) -> bool {
        if let TokenKind::Keyword(Keyword::Public | Keyword::Private | Keyword::Protected) = self.kind() {
            self.bump();
            return self.eat(Punct::Colon).is_some();
        }
        if self.is_keyword(Keyword::Virtual) {
            // It adds a member.
            return false;
        }
        let special = self.special_member(tag);
        let item = self.scan_item();
        let is_skipped = !item.is_device
            && !item.is_unclosed
            && matches!(item.shape, Shape::Function | Shape::Template | Shape::Using);
        if is_skipped {
            self.add_special_member(special, &item);
            self.record_kernel_uses(self.pos..item.end);
            self.go_to(item.end);
        }
        is_skipped
    }

    /// What of a struct's special members comes next, and its token.
    fn special_member(&self, tag: Option<Name>) -> Option<(Special, usize)> {
        use Keyword as K;
        let tag = tag?;
        let mut at = self.pos;
        loop {
            match self.kind_of(at) {
                TokenKind::Punct(Punct::Tilde) => return Some((Special::Destructor, at)),
                TokenKind::Keyword(K::Inline | K::Constexpr | K::Explicit) => at += 1,
                TokenKind::Keyword(keyword) if super::keyword::is_attr(keyword) => at += 1,
                TokenKind::Keyword(K::Template) => {
                    // A constructor for several types, or an ordinary function: its name is searched for.
                    let open = at + 1;
                    at = self.after_angles(open)?;
                }
                TokenKind::Ident(symbol)
                    if symbol == tag.symbol && self.kind_of(at + 1) == TokenKind::Punct(Punct::LParen) =>
                {
                    let is_copy = self.takes_reference_to(tag.symbol, at + 1);
                    return Some((if is_copy { Special::Copy } else { Special::Constructor }, at));
                }
                TokenKind::Keyword(K::Operator) => {
                    let is_assignment = self.kind_of(at + 1) == TokenKind::Punct(Punct::Eq)
                        && self.takes_reference_to(tag.symbol, at + 2);
                    return is_assignment.then_some((Special::Assignment, at));
                }
                // The result of an assignment.
                TokenKind::Ident(symbol) if symbol == tag.symbol => at += 1,
                TokenKind::Keyword(K::Const | K::Void) | TokenKind::Punct(Punct::Amp | Punct::Star) => {
                    at += 1
                }
                _ => return None,
            }
        }
    }

    /// Whether the first of the parameters at `open` is a struct of that tag, or a reference to one.
    fn takes_reference_to(&self, tag: Symbol, open: usize) -> bool {
        let is_const = self.kind_of(open + 1) == TokenKind::Keyword(Keyword::Const);
        let at = open + 1 + usize::from(is_const);
        self.kind_of(at) == TokenKind::Ident(tag)
            && matches!(
                self.kind_of(at + 1),
                TokenKind::Punct(Punct::Amp | Punct::AmpAmp | Punct::RParen)
                    | TokenKind::Ident(_)
                    | TokenKind::Keyword(Keyword::Const)
            )
    }

    /// The token after `<…>`.
    fn after_angles(&self, open: usize) -> Option<usize> {
        let (arguments, end) = self.template_arguments_at(open);
        arguments.map(|_| end)
    }

    /// Remembers a special member. `= default` leaves it as it would be without.
    fn add_special_member(&mut self, special: Option<(Special, usize)>, item: &Item) {
        let Some((special, at)) = special else { return };
        let tokens = &self.tokens[..item.end];
        let is_default = matches!(tokens, [.., default, semi]
            if default.kind == TokenKind::Keyword(Keyword::Default) && semi.kind == TokenKind::Punct(Punct::Semi));
        if is_default {
            let takes_nothing = self.kind_of(at + 2) == TokenKind::Punct(Punct::RParen);
            self.has_defaulted_constructor |= matches!(special, Special::Constructor) && takes_nothing;
            return;
        }
        let members = &mut self.host_members;
        let member = match special {
            Special::Constructor => &mut members.constructor,
            Special::Copy => {
                // With it, there is no constructor without arguments, but for `S() = default`.
                members.constructor.get_or_insert(self.tokens[at].span);
                &mut members.copy
            }
            Special::Assignment => &mut members.assignment,
            Special::Destructor => &mut members.destructor,
        };
        member.get_or_insert(self.tokens[at].span);
    }

    /// Reads an item as a declaration, without messages.
    ///
    /// # Errors
    ///
    /// If it cannot be read: the first error. Nothing has changed but for names that are types.
    fn read_as_c(&mut self, item: &Item) -> Result<(), Option<Box<Diagnostic>>> {
        let (start, n_decls, nodes) = (self.pos, self.unit.decls.len(), self.unit.nodes());
        let (mark, nesting, refused) = (self.sink.mark(), self.nesting, self.unit.refused.clone());
        let n_uses = self.unit.kernel_uses.len();
        let result = self.linked_declaration();
        if result.is_ok() && self.sink.n_errors_since(mark) == 0 && self.pos == item.end {
            return Ok(());
        }
        let why = self.sink.take_first_error_since(mark);
        self.sink.rewind(mark);
        (self.nesting, self.unit.refused) = (nesting, refused);
        self.go_to(start);
        self.last_error = None;
        self.unit.decls.truncate(n_decls);
        self.unit.kernel_uses.truncate(n_uses);
        let made = self.unit.nodes_since(&nodes);
        self.unit.truncate(&made);
        Err(why.map(Box::new))
    }

    fn skip_item(&mut self, item: Item, why: Option<Box<Diagnostic>>) {
        let start = self.span();
        let is_definition = self.is_host_definition(&item);
        self.record_kernel_uses(self.pos..item.end);
        self.go_to(item.end);
        let span = self.span_from(start);
        let kind = match item.shape {
            Shape::Function if item.is_constexpr => HostKind::ConstexprFunction,
            Shape::Function => HostKind::Function,
            Shape::Variable => HostKind::Variable,
            Shape::Record | Shape::Named => HostKind::Type,
            Shape::Template => HostKind::Template,
            Shape::Namespace => HostKind::Namespace,
            Shape::Using => HostKind::Using,
        };
        for name in &item.names {
            let is_type = kind == HostKind::Type;
            if self.scopes.meaning(name.symbol) == Meaning::Unknown {
                self.scopes.declare(name.symbol, if is_type { Meaning::Type } else { Meaning::Ordinary });
            }
        }
        let kind =
            DeclKind::Host(Box::new(HostDecl { kind, names: item.names.into_vec(), is_definition, why }));
        self.unit.decls.push(Decl { kind, span });
    }

    /// Whether a function or variable that other files can see is defined.
    fn is_host_definition(&self, item: &Item) -> bool {
        let tokens = &self.tokens[self.pos..item.end];
        let has_body = || tokens.last().is_some_and(|last| last.kind == TokenKind::Punct(Punct::RBrace));
        let first = |keyword| tokens.first().is_some_and(|token| token.kind == TokenKind::Keyword(keyword));
        let is_inner = [Keyword::Static, Keyword::Inline, Keyword::Constexpr].into_iter().any(first);
        match item.shape {
            Shape::Function => has_body() && !is_inner,
            Shape::Variable => !first(Keyword::Extern) && !is_inner,
            Shape::Namespace | Shape::Record | Shape::Named | Shape::Template | Shape::Using => false,
        }
    }

    /// Finds the end of the item at the current token, and what it is.
    fn scan_item(&self) -> Item {
        let mut scan = Scan {
            parser: self,
            at: self.pos,
            shape: None,
            is_device: false,
            is_constexpr: false,
            is_unclosed: false,
            has_parameters: false,
            has_value: false,
            is_after_value: false,
            names: SmallVec::new(),
        };
        scan.run();
        let shape = scan.shape.unwrap_or(if scan.has_parameters { Shape::Function } else { Shape::Variable });
        Item {
            end: scan.at.min(self.tokens.len() - 1),
            shape,
            is_device: scan.is_device,
            is_constexpr: scan.is_constexpr,
            is_unclosed: scan.is_unclosed,
            names: scan.names,
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
    is_unclosed: bool,
    /// The parameters of a function have been seen.
    has_parameters: bool,
    /// The value of a variable has begun.
    has_value: bool,
    /// A variable before the last comma had a value, so that the declarators after it are variables, too.
    is_after_value: bool,
    names: SmallVec<[Name; 2]>,
}

impl Scan<'_, '_> {
    fn run(&mut self) {
        while !self.is_unclosed {
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
                    let is_type = next == TokenKind::Punct(Punct::LParen)
                        && self.token(self.at + 2).kind == TokenKind::Punct(Punct::Star);
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
                    if is_last
                        && !self.has_value
                        && !self.has_parameters
                        && !self.is_qualified()
                        && self.takes_names()
                    {
                        self.names.push(Name { symbol, span: token.span });
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
        self.is_unclosed |= end.is_none();
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

    /// Parameters, or the arguments of an initializer, or what a pointer to a function is declared in.
    fn parentheses(&mut self) {
        let is_pointer = self.token(self.at + 1).kind == TokenKind::Punct(Punct::Star);
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
        self.jump();
        if !self.has_value && !is_operator {
            self.has_parameters = true;
        }
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
        let is_definition =
            self.shape == Some(Shape::Record) || self.shape == Some(Shape::Template) && !self.has_parameters;
        if self.has_value {
            return false;
        }
        if is_definition || self.shape == Some(Shape::Namespace) {
            self.is_device |= self.parser.tokens[open..self.at].iter().any(is_device_token);
        }
        if is_definition {
            // Variables of the type may follow. An item that lacks its `;` must not take the next one along.
            let ends = |at| {
                matches!(
                    self.token(at).kind,
                    TokenKind::Punct(Punct::Semi | Punct::Comma | Punct::Eq | Punct::LBracket)
                )
            };
            let is_variable = matches!(self.token(self.at).kind, TokenKind::Ident(_)) && ends(self.at + 1);
            let next = self.token(self.at);
            let is_next_item = matches!(next.kind, TokenKind::Keyword(keyword) if is_word(keyword));
            return is_next_item || next.at_line_start && !ends(self.at) && !is_variable;
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
fn takes_arguments(keyword: Keyword) -> bool {
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
fn is_device_token(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Keyword(keyword) if is_memory_or_space(keyword))
}

/// What `__device__` and its kin are in CUDA's own headers: `__attribute__((device))`.
pub(crate) fn is_device_attribute(name: &str) -> bool {
    matches!(name.trim_matches('_'), "device" | "global" | "shared" | "constant" | "managed")
}
