//! Type names, and the types of functional casts (C++17 11.1, 8.2.3).

use super::SpecsOf;
use super::keyword::{Words, is_qualifier, is_word};
use crate::ast::{DeclSpecs, ExprId, Name, TypeName, TypeNameId, TypeSpec};
use crate::parse::height::Bounded;
use crate::parse::name::scope::Meaning;
use crate::parse::{Parsed, Types};
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

impl Types<'_> {
    /// `type-name = declaration-specifiers [abstract-declarator]`, and how high what it holds is.
    pub(in crate::parse) fn type_name(&mut self) -> Parsed<(TypeName, u16)> {
        self.measured(|p| {
            let start = p.span();
            let specs = p.decl_specs(SpecsOf::TypeName)?;
            let declarator = p.abstract_declarator()?;
            Ok(TypeName { specs, declarator, span: p.span_from(start) })
        })
    }

    /// The same within an expression.
    pub(in crate::parse) fn kept_type_name(&mut self) -> Parsed<(TypeNameId, u16)> {
        let (name, height) = self.type_name()?;
        Ok((self.unit.type_names.push(name), height))
    }

    /// `new-type = declaration-specifiers pointer* ["[" expression "]"] ("[" constant "]")*`: the type of the elements, and how many
    /// there are (C++17 8.3.4).
    pub(in crate::parse) fn new_type(&mut self) -> Parsed<(TypeName, Option<ExprId>)> {
        let start = self.span();
        let specs = self.decl_specs(SpecsOf::TypeName)?;
        let mut declarator = self.empty_declarator(self.span().start());
        self.pointers(&mut declarator)?;
        let n_pointers = declarator.chunks.len();
        let mut count = None;
        if self.is(Punct::LBracket) {
            let open = self.bump().span;
            count = Some(self.nested(|p| p.expressions().expression())?);
            self.expect_close(Punct::RBracket, open)?;
        }
        while self.is(Punct::LBracket) {
            let chunk = self.array_chunk()?;
            declarator.chunks.insert(n_pointers, chunk);
        }
        declarator.chunks.reverse();
        Ok((TypeName { specs, declarator, span: self.span_from(start) }, count))
    }

    /// The type of a functional cast: one keyword, or one name (C++17 8.2.3).
    pub(in crate::parse) fn simple_type_name(&mut self) -> Parsed<TypeName> {
        let start = self.span();
        if let (Some(_), TokenKind::Ident(symbol)) = (self.names_ref().instance_at(0), self.kind()) {
            let name = Name { symbol, span: self.bump().span };
            let ty = self.names().instance_of(TypeSpec::Named(name))?;
            return Ok(self.type_name_of(ty, self.span_from(start)));
        }
        if self.names_ref().qualified_type_at(0).is_some() || self.eat_keyword(Keyword::Typename).is_some() {
            let ty = self.names().qualified_type()?;
            return Ok(self.type_name_of(ty, self.span_from(start)));
        }
        let token = self.bump();
        let ty = match token.kind {
            TokenKind::Keyword(keyword) => {
                let mut words = Words { any: true, ..Words::default() };
                words.take(keyword, token.span);
                self.combine(&words, token.span)
            }
            TokenKind::Ident(symbol) => self.parser.named_type_spec(Name { symbol, span: token.span }),
            _ => return Err(self.expected_expression()),
        };
        Ok(self.type_name_of(ty, token.span))
    }

    /// A type name of nothing but a specifier.
    pub(in crate::parse) fn type_name_of(&self, ty: TypeSpec, span: Span) -> TypeName {
        TypeName { specs: DeclSpecs::new(ty, span), declarator: self.empty_declarator(span.end()), span }
    }

    /// Whether a type and then `(` or `{` at the current token make a functional cast rather than a
    /// type name with an abstract declarator such as `int (*)[3]`.
    pub(in crate::parse) fn is_functional_cast(&self) -> bool {
        let n_tokens = self.names_ref().n_simple_type_tokens();
        let is_simple = match self.kind() {
            _ if n_tokens > 1 => true,
            TokenKind::Keyword(keyword) => is_word(keyword),
            TokenKind::Ident(symbol) => {
                matches!(self.scopes.meaning(symbol), Meaning::Type | Meaning::TypeTemplate)
            }
            _ => false,
        };
        if !is_simple {
            return false;
        }
        if self.is_at(n_tokens, Punct::LBrace) {
            return true;
        }
        if !self.is_at(n_tokens, Punct::LParen) {
            return false;
        }
        // An abstract declarator has operators of pointers, and then no name.
        let mut idx = self.pos + n_tokens + 1;
        loop {
            match self.kind_of(idx) {
                TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp | Punct::LParen) => idx += 1,
                TokenKind::Keyword(keyword) if is_qualifier(keyword) => idx += 1,
                TokenKind::Punct(Punct::RParen) => return idx == self.pos + n_tokens + 1,
                // A lambda expression continues after its captures; an array without a name does not.
                TokenKind::Punct(Punct::LBracket) => {
                    let after = self.matching(idx).map(|after| self.kind_of(after));
                    return matches!(after, Some(TokenKind::Punct(Punct::LParen | Punct::LBrace)));
                }
                _ => return true,
            }
        }
    }
}
