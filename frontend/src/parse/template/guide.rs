//! Deduction guides (C++17 17.9), and the constructors of a class template, each of which is one, too (16.3.1.8).
//!
//! A guide is kept as a template of functions, `__host__ __device__ auto S(parameters) -> S<…>`, so that a call of it deduces the arguments of
//! the class.

use std::ops::Range;
use std::rc::Rc;

use crate::ast::{Decl, DeclKind, Name, Special, TemplateDecl, TemplateKind, TemplateParam};
use crate::parse::name::scope::Meaning;
use crate::parse::types::keyword::is_attr;
use crate::parse::{Parsed, Templates};
use crate::source::Span;
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind};

/// A constructor of a class template, by its tokens.
pub(crate) struct ConstructorText {
    /// Of its own, where it is a template.
    pub(crate) template_params: Option<Vec<TemplateParam>>,
    pub(crate) is_explicit: bool,
    pub(crate) name: Name,
    /// From `(` to `)`, with the names of member types replaced by what they are.
    pub(crate) params: Vec<Token>,
}

/// A type that is a member of a class template.
struct MemberType {
    name: Symbol,
    /// What it is another name for; none for a class or an enumeration.
    of: Option<Range<usize>>,
}

/// What is before the name of a guide, as a function of both sides.
pub(crate) fn head_of_guide(span: Span) -> [Token; 3] {
    [Keyword::Host, Keyword::Device, Keyword::Auto]
        .map(|keyword| Token::new(TokenKind::Keyword(keyword), span))
}

impl Templates<'_> {
    /// `deduction-guide = ["template" "<" parameters ">"] ["explicit"] name parameters "->" instance ";"`
    ///
    /// False: there is none here.
    pub(in crate::parse) fn deduction_guide(&mut self) -> bool {
        let start = self.span();
        let is_template = self.is_keyword(Keyword::Template) && self.is_at(1, Punct::Lt);
        let (params, first) = match is_template {
            false => (Vec::new(), self.pos),
            true => {
                let Some(close) = self.closing_angle(self.pos + 1) else { return false };
                if self.guide_name(close + 1).is_none() {
                    return false;
                }
                let Some(params) = self.template_params(self.pos + 2..close) else { return false };
                (params, close + 1)
            }
        };
        let Some((at, is_explicit)) = self.guide_name(first) else { return false };
        let is_end = |at: &usize| matches!(self.kind_of(*at), TokenKind::Punct(Punct::Semi) | TokenKind::Eof);
        let Some(end) = (at..self.tokens.len()).find(is_end) else { return false };
        let TokenKind::Ident(symbol) = self.kind_of(at) else { return false };
        let name = Name { symbol, span: self.tokens[at].span };
        let mut tokens = head_of_guide(name.span).to_vec();
        tokens.extend(self.kept_tokens(at..end));
        let template = TemplateDecl {
            name,
            params,
            tokens,
            is_definition: false,
            kind: TemplateKind::Guide { is_explicit },
            of: None,
            may_be_of_host: true,
            inner: None,
        };
        self.go_to(end);
        self.expect_semi();
        let span = self.span_from(start);
        self.unit.decls.push(Decl { kind: DeclKind::Template(Rc::new(template)), span });
        true
    }

    /// The name in the guide that begins at a token, and whether it is explicit.
    fn guide_name(&self, first: usize) -> Option<(usize, bool)> {
        let is_explicit = self.kind_of(first) == TokenKind::Keyword(Keyword::Explicit);
        let at = first + usize::from(is_explicit);
        let TokenKind::Ident(symbol) = self.kind_of(at) else { return None };
        let opens = self.kind_of(at + 1) == TokenKind::Punct(Punct::LParen);
        if !opens || self.scopes.meaning(symbol) != Meaning::TypeTemplate {
            return None;
        }
        let end = self.matching(at + 1)?;
        (self.kind_of(end) == TokenKind::Punct(Punct::Arrow)).then_some((at, is_explicit))
    }

    /// The constructors in the text of a class template, which is at the current token. `instance` is the class with the template's
    /// parameters as its arguments.
    pub(super) fn constructors(&mut self, instance: &[Token]) -> Parsed<Vec<ConstructorText>> {
        let (mut found, mut types) = (Vec::new(), Vec::new());
        while !self.is(Punct::LBrace) && !self.is(Punct::Semi) && !self.is_eof() {
            match self.kind() {
                TokenKind::Punct(Punct::LParen) => self.skip_balanced(),
                _ => _ = self.bump(),
            }
        }
        let Some(&Token { kind: TokenKind::Ident(tag), .. }) = instance.first() else { return Ok(found) };
        let Some(end) = self.is(Punct::LBrace).then(|| self.matching(self.pos)).flatten() else {
            return Ok(found);
        };
        self.bump();
        while self.pos + 1 < end {
            let start = self.pos;
            if self.is_at(1, Punct::Colon)
                && matches!(
                    self.kind(),
                    TokenKind::Keyword(Keyword::Public | Keyword::Private | Keyword::Protected)
                )
            {
                self.go_to(start + 2);
                continue;
            }
            types.extend(self.member_type(start));
            let mut template_params = None;
            if self.is_keyword(Keyword::Template)
                && let Some(close) = self.closing_angle(start + 1)
            {
                template_params = self.template_params(start + 2..close);
                self.go_to(close + 1);
            }
            let special = self.types_ref().special_ahead(Some(tag));
            if special == Some(Special::Constructor) {
                let (at, is_explicit) = self.constructor_name();
                let close = self.matching(at + 1).unwrap_or(at + 2);
                found.push(ConstructorText {
                    template_params,
                    is_explicit,
                    name: Name { symbol: tag, span: self.tokens[at].span },
                    params: self.expanded_types(at + 1..close, instance, &types),
                });
            }
            let end = self.end_of_member_function(special).unwrap_or(end);
            self.go_to(end.max(start + 1));
        }
        Ok(found)
    }

    /// The name of the constructor that begins here, and whether it is explicit.
    fn constructor_name(&self) -> (usize, bool) {
        let (mut at, mut is_explicit) = (self.pos, false);
        while let TokenKind::Keyword(keyword) = self.kind_of(at) {
            is_explicit |= keyword == Keyword::Explicit;
            at += 1;
            if is_attr(keyword) && self.kind_of(at) == TokenKind::Punct(Punct::LParen) {
                at = self.matching(at).unwrap_or(at + 1);
            }
        }
        (at, is_explicit)
    }

    /// The type that the member at a token declares.
    fn member_type(&self, at: usize) -> Option<MemberType> {
        let end = self.end_of_member(at, self.tokens.len()).checked_sub(1)?;
        match (self.kind_of(at), self.kind_of(at + 1), self.kind_of(at + 2)) {
            (TokenKind::Keyword(Keyword::Using), TokenKind::Ident(name), TokenKind::Punct(Punct::Eq)) => {
                Some(MemberType { name, of: Some(at + 3..end) })
            }
            (TokenKind::Keyword(Keyword::Typedef), ..) => {
                let TokenKind::Ident(name) = self.kind_of(end - 1) else { return None };
                Some(MemberType { name, of: Some(at + 1..end - 1) })
            }
            (
                TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Union | Keyword::Enum),
                TokenKind::Ident(name),
                _,
            ) => Some(MemberType { name, of: None }),
            _ => None,
        }
    }

    /// The tokens, in which the names of the class and of its types are those that they have outside of it. What another name is for is
    /// deduced like any other type.
    fn expanded_types(&self, range: Range<usize>, instance: &[Token], types: &[MemberType]) -> Vec<Token> {
        let mut tokens = Vec::new();
        for at in range {
            let token = self.tokens[at];
            let made = |kind| Token { kind, ..token };
            let is_member = matches!(
                self.kind_of(at - 1),
                TokenKind::Punct(Punct::ColonColon | Punct::Dot | Punct::Arrow)
            );
            let TokenKind::Ident(symbol) = token.kind else {
                tokens.push(token);
                continue;
            };
            let is_class = instance[0].kind == token.kind;
            let known = types.iter().position(|ty| ty.name == symbol).filter(|_| !is_member && !is_class);
            match known.map(|idx| (&types[idx], &types[..idx])) {
                Some((MemberType { of: Some(of), .. }, before)) => {
                    tokens.push(made(TokenKind::Keyword(Keyword::Typeof)));
                    tokens.push(made(TokenKind::Punct(Punct::LParen)));
                    tokens.extend(self.expanded_types(of.clone(), instance, before));
                    tokens.push(made(TokenKind::Punct(Punct::RParen)));
                }
                Some((MemberType { of: None, .. }, _)) => {
                    tokens.push(made(TokenKind::Keyword(Keyword::Typename)));
                    tokens.extend_from_slice(instance);
                    tokens.push(made(TokenKind::Punct(Punct::ColonColon)));
                    tokens.push(token);
                }
                None if is_class && !is_member && self.kind_of(at + 1) != TokenKind::Punct(Punct::Lt) => {
                    tokens.extend_from_slice(instance);
                }
                None => tokens.push(token),
            }
        }
        tokens
    }
}
