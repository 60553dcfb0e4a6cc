//! Objects that are made and destroyed: `new`, `delete` (C++17 8.3.4, 8.3.5), and members by names with `::` or `~` (8.2.4, 8.2.5).

use crate::ast::{ExprId, ExprKind, New, TypeNameId, TypeSpec};
use crate::parse::height::Bounded;
use crate::parse::{Expressions, Parsed};
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

impl Expressions<'_> {
    /// Whether `new` or `delete` comes at `ahead`.
    pub(super) fn is_allocation(&self, ahead: usize) -> bool {
        matches!(self.kind_at(ahead), TokenKind::Keyword(Keyword::New | Keyword::Delete))
    }

    /// `"new" ["(" args ")"] ("(" type-name ")" | new-type) [initializer] | "delete" ["[" "]"] cast`, with the `::` at `start` that may be
    /// before it.
    pub(super) fn allocation(&mut self, start: Span) -> Parsed<ExprId> {
        if self.bump().kind == TokenKind::Keyword(Keyword::Delete) {
            let is_array = self.is(Punct::LBracket) && self.is_at(1, Punct::RBracket);
            if is_array {
                self.bump();
                self.bump();
            }
            let operand = self.cast()?;
            let span = start.to(self.span_of(operand));
            return self.push_expr(ExprKind::Delete { operand, is_array }, span);
        }
        let (new, below) = self.measured(Self::new_expression)?;
        let id = self.unit.news.push(new);
        let span = self.span_from(start);
        self.push_expr_over(ExprKind::New(id), span, below)
    }

    /// What follows `new`.
    fn new_expression(&mut self) -> Parsed<New> {
        let mut placement = None;
        if self.is(Punct::LParen) && !self.begins_type_in_parentheses() {
            let open = self.bump().span;
            let args = self.call_args(Punct::RParen, open)?;
            placement = Some(self.unit.push_args(&args));
        }
        let (ty, count) = if self.is(Punct::LParen) {
            let open = self.bump().span;
            let (ty, _) = self.types().kept_type_name()?;
            self.expect_close(Punct::RParen, open)?;
            (ty, None)
        } else {
            let (ty, count) = self.types().new_type()?;
            (self.unit.type_names.push(ty), count)
        };
        let init = match self.kind() {
            TokenKind::Punct(Punct::LParen) => Some(self.declarations().parenthesized_initializer()?),
            TokenKind::Punct(Punct::LBrace) => Some(self.direct_list()?),
            _ => None,
        };
        Ok(New { placement, ty, count, init })
    }

    fn begins_type_in_parentheses(&mut self) -> bool {
        if !self.types_ref().begins_type_at(1) {
            return false;
        }
        self.parser.go_to(self.pos + 1);
        let is_cast = self.types_ref().is_functional_cast();
        self.parser.go_to(self.pos - 1);
        !is_cast
    }

    /// Whether the name of a member that comes next has a `::` or a `~`.
    pub(super) fn begins_qualified_member(&self) -> bool {
        match self.kind() {
            TokenKind::Punct(punct) => matches!(punct, Punct::Tilde | Punct::ColonColon),
            TokenKind::Ident(_) => self.names_ref().begins_path(),
            _ => false,
        }
    }

    /// `[qualifier] (identifier | operator | "~" type "(" ")")`, after `.` or `->`.
    pub(super) fn qualified_member(&mut self, base: ExprId, arrow: bool) -> Parsed<ExprId> {
        let (start, at) = (self.span_of(base), self.span());
        let ((scope, ty), below) = self.measured(|p| {
            let scope = p.names().qualifier()?;
            let scope = scope.map(|scope| p.kept_scope(*scope, at));
            let ty = if p.eat(Punct::Tilde).is_some() { Some(p.destroyed_type()?) } else { None };
            Ok((scope, ty))
        })?;
        if let Some(ty) = ty {
            let open = self.expect(Punct::LParen)?;
            self.expect_close(Punct::RParen, open)?;
            let span = self.span_from(start);
            let height = self.unit.exprs[base].height;
            let kind = ExprKind::Destroy { base, arrow, scope: scope.into(), ty };
            return self.push_expr_over(kind, span, below.max(height));
        }
        let is_said = self.eat_keyword(Keyword::Template).is_some();
        let name = match self.kind() {
            TokenKind::Keyword(Keyword::Operator) => self.types().operator_name()?,
            _ => self.expect_ident("the name of a member")?,
        };
        let Some(ty) = scope else { return Err(self.expected_expression()) };
        let member = self.push_expr_over(ExprKind::Scoped { ty, name }, at.to(name.span), below)?;
        let member = self.push_expr(ExprKind::ScopedMember { base, arrow, member }, start.to(name.span))?;
        match self.templates_ref().begins_member_args(name.symbol, is_said) {
            true => self.templates().template_id(member),
            false => Ok(member),
        }
    }

    /// Whether the member is a conversion function, not an operator.
    pub(super) fn begins_conversion(&self) -> bool {
        self.is_keyword(Keyword::Operator) && !matches!(self.kind_at(1), TokenKind::Punct(_))
    }

    /// `base.operator type()`
    pub(super) fn conversion_call(&mut self, base: ExprId, arrow: bool) -> Parsed<ExprId> {
        let start = self.span_of(base);
        self.bump();
        let (ty, below) = self.measured(|p| p.types().conversion_type())?;
        let ty = self.unit.type_names.push(ty);
        let open = self.expect(Punct::LParen)?;
        self.expect_close(Punct::RParen, open)?;
        let height = self.unit.exprs[base].height;
        let span = self.span_from(start);
        self.push_expr_over(ExprKind::ConversionCall { base, arrow, ty }, span, below.max(height))
    }

    fn kept_scope(&mut self, scope: TypeSpec, start: Span) -> TypeNameId {
        let name = self.types_ref().type_name_of(scope, self.span_from(start));
        self.unit.type_names.push(name)
    }

    /// The type after `~`.
    fn destroyed_type(&mut self) -> Parsed<TypeNameId> {
        let start = self.span();
        let ty = if self.is_keyword(Keyword::Decltype) {
            self.types().decltype()?
        } else {
            let name = self.expect_ident("the name of a type")?;
            let ty = self.parser.named_type_spec(name);
            if self.is(Punct::Lt) && self.templates_ref().begins_template_args() {
                self.names().instance_of(ty)?
            } else {
                ty
            }
        };
        Ok(self.kept_scope(ty, start))
    }
}
