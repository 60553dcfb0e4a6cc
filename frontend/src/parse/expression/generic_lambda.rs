//! Generic lambda expressions (C++17 8.1.5p5): the call operator is a template of the closure's class, with a parameter for each `auto`.

use std::rc::Rc;

use thin_vec::ThinVec;

use super::lambda::call_operator;
use crate::ast::{
    Capture, CaptureKind, DeclSpecs, Lambda, Name, TemplateDecl, TemplateKind, TemplateParam,
    TemplateParamKind,
};
use crate::diag::{Code, Diagnostic};
use crate::parse::types::keyword::is_attr;
use crate::parse::{Expressions, Parsed};
use crate::source::Span;
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind};

impl Expressions<'_> {
    /// Whether one of the parameters of the lambda that begin here has a type with `auto`.
    pub(super) fn is_generic_lambda(&self) -> bool {
        let Some(end) = self.matching(self.pos).filter(|_| self.is(Punct::LParen)) else { return false };
        (self.pos..end).any(|at| self.is_auto(at))
    }

    fn is_auto(&self, at: usize) -> bool {
        let is_in_decltype = at >= 2
            && self.kind_of(at - 1) == TokenKind::Punct(Punct::LParen)
            && self.kind_of(at - 2) == TokenKind::Keyword(Keyword::Decltype);
        self.kind_of(at) == TokenKind::Keyword(Keyword::Auto) && !is_in_decltype
    }

    /// The rest of a generic lambda, from its parameters on: the tokens are kept, written as those of a member template.
    pub(super) fn generic_lambda(
        &mut self,
        introducer: Span,
        default: Option<(CaptureKind, Span)>,
        captures: ThinVec<Capture>,
        specs: DeclSpecs,
    ) -> Parsed<Lambda> {
        let open = self.pos;
        let after = self.matching(open).unwrap_or(open + 1);
        let body = self.body_of_lambda(after)?;
        let end = self.matching(body).unwrap_or(body + 1);
        let params = self.auto_params(open, after)?;
        let mut is_mutable = false;
        let mut tail = Vec::new();
        let mut at = after;
        while at < body {
            match self.kind_of(at) {
                TokenKind::Keyword(Keyword::Mutable) => is_mutable = true,
                TokenKind::Keyword(Keyword::Constexpr) => {}
                TokenKind::Keyword(keyword) if is_attr(keyword) => {
                    if self.kind_of(at + 1) == TokenKind::Punct(Punct::LParen) {
                        at = self.matching(at + 1).unwrap_or(at + 2) - 1;
                    }
                }
                _ => tail.push(self.tokens[at]),
            }
            at += 1;
        }
        let word = |kind| Token::new(kind, introducer);
        let mut tokens = vec![
            word(TokenKind::Keyword(Keyword::Device)),
            word(TokenKind::Keyword(Keyword::Auto)),
            word(TokenKind::Keyword(Keyword::Operator)),
            word(TokenKind::Punct(Punct::LParen)),
            word(TokenKind::Punct(Punct::RParen)),
        ];
        let mut n_autos = 0;
        for at in open..after {
            let mut token = self.tokens[at];
            if self.is_auto(at)
                && let Some(symbol) = Symbol::auto_param(n_autos)
            {
                token.kind = TokenKind::Ident(symbol);
                n_autos += 1;
            }
            tokens.push(token);
        }
        if !is_mutable {
            tokens.push(word(TokenKind::Keyword(Keyword::Const)));
        }
        tokens.extend(tail);
        tokens.extend(self.templates().kept_tokens(body..end));
        let name = call_operator(introducer);
        let template = TemplateDecl {
            name,
            params,
            tokens,
            is_definition: true,
            kind: TemplateKind::Function,
            of: None,
            may_be_of_host: false,
            inner: None,
        };
        self.go_to(end);
        let mut declarator = self.types_ref().empty_declarator(introducer);
        declarator.name = Some(name);
        let (generic, body) = (Some(Rc::new(template)), None.into());
        Ok(Lambda { introducer, default, captures, specs, declarator, is_mutable, generic, body })
    }

    /// The `{` of the body.
    fn body_of_lambda(&mut self, after: usize) -> Parsed<usize> {
        let mut at = after;
        loop {
            at = match self.kind_of(at) {
                TokenKind::Punct(Punct::LBrace) => return Ok(at),
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => self.matching(at).unwrap_or(at + 1),
                TokenKind::Punct(Punct::Semi | Punct::RBrace | Punct::RParen) | TokenKind::Eof => {
                    let span = self.tokens[at].span;
                    let message = "expected the body of a lambda expression";
                    return Err(self.parser.error(Diagnostic::new(Code::ExpectedToken, span, message)));
                }
                _ => at + 1,
            };
        }
    }

    /// A parameter of the template for each `auto` among those of the lambda.
    fn auto_params(&mut self, open: usize, after: usize) -> Parsed<Vec<TemplateParam>> {
        let mut params = Vec::new();
        let mut start = open + 1;
        while start + 1 < after {
            let end = self.templates_ref().end_of_argument(start, after - 1);
            let is_pack = (start..end).any(|at| self.kind_of(at) == TokenKind::Punct(Punct::Ellipsis));
            for at in start..end {
                if !self.is_auto(at) {
                    continue;
                }
                let span = self.tokens[at].span;
                let Some(symbol) = Symbol::auto_param(params.len()) else {
                    let message = "a generic lambda expression with so many parameters is not supported";
                    return Err(self.parser.refuse(Code::UnsupportedLambda, span, message));
                };
                let name = Some(Name { symbol, span });
                let kind = TemplateParamKind::Type;
                params.push(TemplateParam { name, kind, is_pack, span, default: None });
            }
            start = end + 1;
        }
        Ok(params)
    }
}
