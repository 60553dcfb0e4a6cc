//! Qualified names: `Mode::FAST`, `S::N`, `::f` and what of `std::` device code has (C++17 8.1.4.2).
//!
//! The scope is a struct, union or enum. A name of file scope and one of `std` that CUDA declares there, too, are the name alone.

use super::scope::Meaning;
use super::{Parsed, Parser};
use crate::ast::{ExprId, ExprKind, Limit, StdFunction, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::predeclared::standard;
use crate::source::Span;
use crate::token::{Keyword, Punct, Symbol, TokenKind};

impl Parser<'_> {
    /// How many tokens from `ahead` on are a qualified name of a type; `None`: something else comes there.
    pub(super) fn qualified_type_at(&self, ahead: usize) -> Option<usize> {
        let mut at = ahead + usize::from(self.is_at(ahead, Punct::ColonColon));
        let mut last = self.ident_at(at)?;
        let mut is_type = at > ahead && self.names_outer_type(last);
        while self.is_at(at + 1, Punct::ColonColon) {
            let name = self.ident_at(at + 2)?;
            is_type = if self.is_std(last) {
                standard::is_type(self.interner.spelling(name))
            } else {
                self.scopes.is_nested_type(last, name)
            };
            (at, last) = (at + 2, name);
        }
        is_type.then_some(at + 1 - ahead)
    }

    fn ident_at(&self, ahead: usize) -> Option<Symbol> {
        match self.kind_at(ahead) {
            TokenKind::Ident(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// Whether `::` before the name changes nothing, and it is a type.
    fn names_outer_type(&self, symbol: Symbol) -> bool {
        self.scopes.meaning(symbol) == Meaning::Type && !self.scopes.is_hidden(symbol)
    }

    fn is_std(&self, symbol: Symbol) -> bool {
        self.interner.spelling(symbol) == "std" && self.scopes.meaning(symbol) != Meaning::Type
    }

    /// `qualified-type = ["::"] (identifier "::")* identifier`, which [`Self::qualified_type_at`] has found here.
    pub(super) fn qualified_type(&mut self) -> Parsed<TypeSpec> {
        self.bump_if(Punct::ColonColon);
        let mut name = self.expect_ident("a name")?;
        if self.is_std(name.symbol) {
            self.bump();
            name = self.expect_ident("a name")?;
        }
        let mut spec = TypeSpec::Named(name);
        while self.eat(Punct::ColonColon).is_some() {
            let inner = self.expect_ident("a name")?;
            spec = TypeSpec::Nested(Box::new((spec, inner)));
        }
        Ok(spec)
    }

    /// `["::"] (identifier "::")* identifier` where an expression begins.
    pub(super) fn qualified_expr(&mut self) -> Parsed<ExprId> {
        if self.qualified_type_at(0).is_some() {
            return self.functional_cast();
        }
        let start = self.span();
        let is_global = self.is(Punct::ColonColon);
        let at = usize::from(is_global);
        let Some(first) = self.ident_at(at) else { return self.refuse_qualified_expr() };
        if !self.is_at(at + 1, Punct::ColonColon) {
            if self.scopes.is_hidden(first) {
                let message = "`::` before a name that a block declares, too, is not supported";
                let span = start.to(self.tokens[self.pos + at].span);
                self.refuse(Code::UnsupportedNamespace, span, message);
                self.bump();
                self.bump();
                return Ok(self.error_expr(span));
            }
            self.bump();
            self.bump();
            return self.push_expr(ExprKind::Ident(first), self.span_from(start));
        }
        if self.is_std(first) {
            self.bump_if(Punct::ColonColon);
            self.bump();
            self.bump();
            return self.std_expr(start);
        }
        if self.scopes.meaning(first) != Meaning::Type {
            return self.refuse_qualified_expr();
        }
        self.bump_if(Punct::ColonColon);
        let mut scope = TypeSpec::Named(self.expect_ident("a name")?);
        loop {
            self.bump();
            let name = self.expect_ident("a name")?;
            if !self.is(Punct::ColonColon) {
                let span = start.to(name.span);
                let ty = self.type_name_of(scope, span);
                let ty = self.unit.type_names.push(ty);
                return self.push_expr(ExprKind::Scoped { ty, name }, span);
            }
            scope = TypeSpec::Nested(Box::new((scope, name)));
        }
    }

    /// What follows `std::`.
    fn std_expr(&mut self, start: Span) -> Parsed<ExprId> {
        let name = self.expect_ident("a name")?;
        let span = self.span_from(start);
        let spelling = self.interner.spelling(name.symbol);
        if standard::is_device_function(spelling) && !self.scopes.is_hidden(name.symbol) {
            return self.push_expr(ExprKind::Ident(name.symbol), span);
        }
        let function = match spelling {
            "min" => Some(StdFunction::Min),
            "max" => Some(StdFunction::Max),
            _ => None,
        };
        if let Some(function) = function
            && (self.is(Punct::LParen) || self.is(Punct::Lt))
        {
            return self.std_function(function, start);
        }
        if spelling == "numeric_limits" && self.is(Punct::Lt) {
            return self.numeric_limit(start);
        }
        let message = format!("`std::{spelling}` is not available in device code");
        self.refuse(Code::UnsupportedNamespace, span, message);
        if self.is(Punct::Lt) && self.begins_type_at(1) {
            self.skip_angles();
        }
        while self.is(Punct::ColonColon) {
            self.bump();
            self.bump();
        }
        let span = self.span_from(start);
        Ok(self.error_expr(span))
    }

    /// `std::numeric_limits "<" type-name ">" "::" identifier`, at the `<`; of a function, the parentheses too.
    fn numeric_limit(&mut self, start: Span) -> Parsed<ExprId> {
        let open = self.bump().span;
        let (ty, below) = self.nested(Self::kept_type_name)?;
        self.expect_close(Punct::Gt, open)?;
        if self.eat(Punct::ColonColon).is_none() {
            return Err(self.expected(Punct::ColonColon));
        }
        let name = self.expect_ident("a member of `std::numeric_limits`")?;
        let spelling = self.interner.spelling(name.symbol);
        let Some((limit, is_function)) = Limit::named(spelling) else {
            let message = format!("`std::numeric_limits` has no member `{spelling}`");
            return Err(self.error(Diagnostic::new(Code::NoMember, name.span, message)));
        };
        if is_function {
            let open = self.expect(Punct::LParen)?;
            self.expect_close(Punct::RParen, open)?;
        }
        self.push_expr_over(ExprKind::NumericLimit { ty, limit }, self.span_from(start), below)
    }

    /// `std::min`, or `std::min "<" type-name ">"`, behind the name.
    fn std_function(&mut self, function: StdFunction, start: Span) -> Parsed<ExprId> {
        let (mut ty, mut below) = (None, 0);
        if self.is(Punct::Lt) {
            let open = self.bump().span;
            let (name, height) = self.nested(Self::kept_type_name)?;
            self.expect_close(Punct::Gt, open)?;
            (ty, below) = (Some(name), height);
        }
        self.push_expr_over(ExprKind::StdFunction { function, ty }, self.span_from(start), below)
    }

    /// Whether `using namespace std;` comes next, which changes nothing: what of `std` device code has is known without it.
    pub(super) fn is_using_std(&self) -> bool {
        let is_std =
            matches!(self.kind_at(2), TokenKind::Ident(symbol) if self.interner.spelling(symbol) == "std");
        self.is_keyword(Keyword::Using)
            && self.kind_at(1) == TokenKind::Keyword(Keyword::Namespace)
            && is_std
            && self.is_at(3, Punct::Semi)
    }

    fn refuse_qualified_expr(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        self.refuse_qualified_name();
        let span = self.span_from(start);
        Ok(self.error_expr(span))
    }

    /// `a::b`, `::b`: takes the name with the template arguments that it may have.
    pub(super) fn refuse_qualified_name(&mut self) -> Reported {
        let start = self.span();
        while let TokenKind::Ident(_) | TokenKind::Punct(Punct::ColonColon) = self.kind() {
            let is_name = matches!(self.kind(), TokenKind::Ident(_));
            self.bump();
            if is_name && !self.is(Punct::ColonColon) {
                break;
            }
        }
        let span = self.span_from(start);
        let reported = self.refuse(Code::UnsupportedNamespace, span, "qualified names are not supported");
        if self.is(Punct::Lt)
            && (self.begins_type_at(1) || matches!(self.kind_at(2), TokenKind::Punct(Punct::Gt)))
        {
            self.skip_angles();
        }
        reported
    }

    /// Takes the token if it comes next.
    fn bump_if(&mut self, punct: Punct) {
        if self.is(punct) {
            self.bump();
        }
    }
}
