//! Lambda expressions (C++17 8.1.5).

use thin_vec::ThinVec;

use crate::ast::{
    Capture, CaptureKind, Chunk, ChunkKind, DeclSpecs, ExprId, ExprKind, FunctionChunk, Lambda, Name,
    QualSpecs, TypeSpec,
};
use crate::diag::{Code, Diagnostic};
use crate::parse::height::Bounded;
use crate::parse::{Expressions, Parsed};
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

/// The name of the call operator of a lambda.
pub(super) fn call_operator(span: Span) -> Name {
    let symbol = Punct::LParen.operator_name().expect("invariant: a call is an operator");
    Name { symbol, span }
}

impl Expressions<'_> {
    /// Whether `[` begins a lambda: nothing else has a bracket where a value begins, but for the designator of an element.
    pub(in crate::parse) fn is_lambda(&self) -> bool {
        let Some(end) = self.matching(self.pos) else { return false };
        match self.kind_of(end) {
            TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::Arrow) => true,
            TokenKind::Keyword(keyword) => crate::parse::types::keyword::is_attr(keyword),
            _ => false,
        }
    }

    /// `lambda = "[" captures "]" attribute* ["(" parameters ")" ("mutable" | "constexpr" | attribute)*
    /// [exception-specification] ["->" type-name]] block`
    pub(in crate::parse) fn lambda(&mut self) -> Parsed<ExprId> {
        let (first, start) = (self.pos, self.span());
        match self.measured(Self::lambda_parts) {
            Ok((lambda, height)) => {
                let span = self.span_from(start);
                let id = self.unit.lambdas.push(lambda);
                self.push_expr_over(ExprKind::Lambda(id), span, height)
            }
            Err(reported) => {
                // The text goes on after the body.
                self.go_to(first);
                while !self.is(Punct::LBrace) {
                    match self.kind() {
                        TokenKind::Punct(Punct::LParen | Punct::LBracket) => self.skip_balanced(),
                        TokenKind::Punct(Punct::Semi | Punct::RBrace | Punct::RParen) | TokenKind::Eof => {
                            return Err(reported);
                        }
                        _ => {
                            self.bump();
                        }
                    }
                }
                self.skip_balanced();
                let span = self.span_from(start);
                Ok(self.error_expr(span))
            }
        }
    }

    fn lambda_parts(&mut self) -> Parsed<Lambda> {
        let mut captures = ThinVec::new();
        let default = self.nested(|p| p.captures(&mut captures))?;
        let introducer = self.prev_span();
        let mut specs = DeclSpecs::new(TypeSpec::Auto, introducer);
        while self.types().attributes(&mut specs.attrs)? {}
        if self.is_generic_lambda() {
            return self.generic_lambda(introducer, default, captures, specs);
        }
        let chunk = match self.is(Punct::LParen) {
            true => self.nested(|p| p.lambda_parameters(&mut specs))?,
            false => {
                let quals = QualSpecs { const_: Some(introducer).into(), ..QualSpecs::default() };
                let function = FunctionChunk {
                    params: ThinVec::new(),
                    packs: ThinVec::new(),
                    variadic: None,
                    noexcept: None,
                    trailing: None,
                    quals,
                    ref_qualifier: None,
                };
                Chunk { kind: ChunkKind::Function(Box::new(function)), span: introducer.end() }
            }
        };
        if !self.is(Punct::LBrace) {
            let message = format!("expected the body of a lambda expression, found {}", self.describe());
            return Err(self.parser.error(Diagnostic::new(Code::ExpectedToken, self.span(), message)));
        }
        let ChunkKind::Function(function) = &chunk.kind else {
            unreachable!("a lambda has a function's declarator")
        };
        let is_mutable = function.quals.const_.is_none();
        let names = function.params.iter().filter_map(|param| Some(param.declarator.name?.symbol)).collect();
        let packs = function.packs.iter().map(|&(name, len)| (name.symbol, len)).collect();
        let body = self.types().lambda_body(names, packs)?.into();
        let mut declarator = self.types_ref().empty_declarator(introducer);
        declarator.name = Some(call_operator(introducer));
        declarator.chunks.push(chunk);
        Ok(Lambda { introducer, default, captures, specs, declarator, is_mutable, generic: None, body })
    }

    /// `captures = [("=" | "&") ("," capture)*] | capture ("," capture)*`, with the brackets
    fn captures(&mut self, captures: &mut ThinVec<Capture>) -> Parsed<Option<(CaptureKind, Span)>> {
        let open = self.expect(Punct::LBracket)?;
        let is_alone = self.is_at(1, Punct::Comma) || self.is_at(1, Punct::RBracket);
        let default = match self.kind() {
            TokenKind::Punct(Punct::Eq) => Some((CaptureKind::Copy, self.bump().span)),
            TokenKind::Punct(Punct::Amp) if is_alone => Some((CaptureKind::Reference, self.bump().span)),
            _ => None,
        };
        let mut is_first = default.is_none();
        while !self.is(Punct::RBracket) {
            if !std::mem::take(&mut is_first) {
                self.expect(Punct::Comma)?;
            }
            let is_expansion = self.is_expanded_capture();
            self.types().push_expanded(captures, is_expansion, |p| p.expressions().capture())?;
        }
        self.expect_close(Punct::RBracket, open)?;
        Ok(default)
    }

    /// `capture = ["&"] identifier ([initializer] | "...") | "this" | "*" "this"`
    fn capture(&mut self) -> Parsed<Capture> {
        let start = self.span();
        let is_copy_of_this = self.is(Punct::Star) && self.kind_at(1) == TokenKind::Keyword(Keyword::This);
        if is_copy_of_this || self.is_keyword(Keyword::This) {
            let kind = match is_copy_of_this {
                true => CaptureKind::Copy,
                false => CaptureKind::Reference,
            };
            if is_copy_of_this {
                self.bump();
            }
            self.bump();
            let span = self.span_from(start);
            return Ok(Capture { kind, name: None, element: None, init: None, span });
        }
        let kind = match self.eat(Punct::Amp) {
            Some(_) => CaptureKind::Reference,
            None => CaptureKind::Copy,
        };
        let name = self.expect_ident("the name of a variable to capture")?;
        let element = self.parser.element_named(name).flatten();
        let init = match self.kind() {
            TokenKind::Punct(Punct::Eq) => {
                self.bump();
                Some(self.initializer()?)
            }
            TokenKind::Punct(Punct::LParen | Punct::LBrace) => {
                let message = "the capture of an initializer without `=` is not supported";
                return Err(self.parser.refuse(Code::UnsupportedLambda, self.span(), message));
            }
            _ => None,
        };
        Ok(Capture { kind, name: Some(name), element, init, span: self.span_from(start) })
    }

    /// `["&"] identifier "..."`
    fn is_expanded_capture(&self) -> bool {
        let at = usize::from(self.is(Punct::Amp));
        matches!(self.kind_at(at), TokenKind::Ident(_)) && self.is_at(at + 1, Punct::Ellipsis)
    }

    /// The parameters, and what stands between them and the body.
    fn lambda_parameters(&mut self, specs: &mut DeclSpecs) -> Parsed<Chunk> {
        let mut mutable = None;
        let at = self.span();
        let mut chunk = self.types().lambda_chunk(|p| {
            loop {
                match p.kind() {
                    TokenKind::Keyword(Keyword::Mutable) => mutable = Some(p.bump().span),
                    TokenKind::Keyword(Keyword::Constexpr) => specs.constexpr = Some(p.bump().span).into(),
                    _ if p.types().attributes(&mut specs.attrs)? => {}
                    _ => return Ok(()),
                }
            }
        })?;
        if let (ChunkKind::Function(function), None) = (&mut chunk.kind, mutable) {
            function.quals.const_ = Some(at).into();
        }
        Ok(chunk)
    }
}
