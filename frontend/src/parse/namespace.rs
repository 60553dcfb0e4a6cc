//! Namespaces (C++17 10.3).

use thin_vec::ThinVec;

use super::{Parsed, Parser};
use crate::ast::{Decl, DeclKind, NamespaceDecl};
use crate::diag::Code;
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    /// Whether the definition of a namespace comes next that is compiled: not of `std`, which is the host's.
    pub(super) fn begins_namespace(&self) -> bool {
        let ahead = usize::from(self.is_keyword(Keyword::Inline));
        if self.kind_at(ahead) != TokenKind::Keyword(Keyword::Namespace) {
            return false;
        }
        let first = ahead + 1;
        let is_std =
            matches!(self.kind_at(first), TokenKind::Ident(name) if self.interner.spelling(name) == "std");
        let is_alias = self.is_at(first + 1, Punct::Eq);
        !(is_alias || is_std && self.scopes.namespace_depth() == 0)
    }

    /// `namespace = ["inline"] "namespace" attribute* [identifier ("::" ["inline"] identifier)*] attribute* "{" external-declaration* "}"`
    pub(super) fn namespace_definition(&mut self) -> Parsed<()> {
        let depth = self.scopes.namespace_depth();
        let result = self.opened_namespaces().and_then(|()| self.namespace_block());
        while self.scopes.namespace_depth() > depth {
            let end = self.prev_span();
            self.scopes.leave_namespace();
            self.push_namespace_decl(NamespaceDecl::Close, end);
        }
        result
    }

    /// What comes before the `{`. Each name opens a namespace in the one before.
    fn opened_namespaces(&mut self) -> Parsed<()> {
        let start = self.span();
        let mut inline = self.eat_keyword(Keyword::Inline);
        self.bump();
        let mut attrs = ThinVec::new();
        while self.attributes(&mut attrs)? {}
        if !matches!(self.kind(), TokenKind::Ident(_)) {
            self.open_namespace(None, inline.is_some(), self.span_from(start))?;
            return Ok(());
        }
        loop {
            let name = self.expect_ident("the name of a namespace")?;
            self.check_reserved(name.symbol)?;
            self.open_namespace(Some(name), inline.is_some(), name.span)?;
            if self.eat(Punct::ColonColon).is_none() {
                break;
            }
            inline = self.eat_keyword(Keyword::Inline);
            if let Some(span) = inline {
                let message = "nested inline namespace definition is a C++20 extension";
                self.refuse(Code::UnsupportedExtension, span, message);
            }
        }
        while self.attributes(&mut attrs)? {}
        Ok(())
    }

    fn open_namespace(&mut self, name: Option<crate::ast::Name>, is_inline: bool, span: Span) -> Parsed<()> {
        if self.scopes.namespace_depth() >= self.dialect.depth.nesting {
            return Err(self.too_deep(span));
        }
        self.scopes.enter_namespace(name.map(|name| name.symbol), is_inline);
        self.push_namespace_decl(NamespaceDecl::Open { name, is_inline }, span);
        Ok(())
    }

    fn push_namespace_decl(&mut self, decl: NamespaceDecl, span: Span) {
        self.unit.decls.push(Decl { kind: DeclKind::Namespace(decl), span });
    }

    fn namespace_block(&mut self) -> Parsed<()> {
        if !self.is(Punct::LBrace) {
            return Err(self.expected(Punct::LBrace));
        }
        self.declaration_block()
    }
}
