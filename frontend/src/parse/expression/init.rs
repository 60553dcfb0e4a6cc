//! Initializers (C17 6.7.9).

use thin_vec::ThinVec;

use crate::ast::{Designator, ExprKind, InitId, InitItem, InitKind};
use crate::parse::height::Bounded;
use crate::parse::template::expansion::Expanded;
use crate::parse::{Expressions, Parsed};
use crate::source::Span;
use crate::token::{Punct, TokenKind};

impl Expressions<'_> {
    /// `initializer = assignment | braced-list`
    pub(in crate::parse) fn initializer(&mut self) -> Parsed<InitId> {
        if self.is(Punct::LBrace) {
            let list =
                |p: &mut Self| p.braced_list().map(|(items, span)| p.push_init(InitKind::List(items), span));
            return self.measured(|p| p.nested(list)).map(|(init, _)| init);
        }
        let expr = self.assignment()?;
        let span = self.unit.exprs[expr].span;
        Ok(self.push_init(InitKind::Expr(expr), span))
    }

    /// A braced list that stands behind a name or a type.
    pub(in crate::parse) fn direct_list(&mut self) -> Parsed<InitId> {
        let list = |p: &mut Self| {
            p.braced_list().map(|(items, span)| p.push_direct_init(InitKind::List(items), span))
        };
        self.measured(|p| p.nested(list)).map(|(init, _)| init)
    }

    /// `braced-list = "{" [item ("," item)* [","]] "}"`, `item = [designators "=" | identifier ":"] initializer ["..."]`
    ///
    /// After a mistake in it, what follows the `}` can still be read.
    fn braced_list(&mut self) -> Parsed<(ThinVec<InitItem>, Span)> {
        let open = self.bump().span;
        let inside = self.pos;
        let mut items = ThinVec::new();
        if let Err(reported) = self.init_items(open, &mut items) {
            // A `;` is in no list: the `}` behind it closes something else.
            if self.is(Punct::Semi) {
                return Err(reported);
            }
            self.skip_to_close(inside, reported)?;
            let span = self.span_from(open);
            let value = self.error_expr(span);
            let init = self.push_init(InitKind::Expr(value), span);
            items.push(InitItem { designators: ThinVec::new(), init });
        }
        let span = self.span_from(open);
        Ok((items, span))
    }

    fn init_items(&mut self, open: Span, items: &mut ThinVec<InitItem>) -> Parsed<()> {
        while !self.is(Punct::RBrace) {
            let mut designators = self.designators()?;
            if !designators.is_empty() {
                self.expect(Punct::Eq)?;
            } else if matches!(self.kind(), TokenKind::Ident(_)) && self.is_at(1, Punct::Colon) {
                // GNU C "Designated Inits": the old spelling of `.member =`.
                designators.push(Designator::Field(self.expect_ident("the name of a member")?));
                self.bump();
            }
            if self.begins_expansion() {
                match self.parser.expansion(|p| p.expressions().initializer())? {
                    Expanded::Elements(elements) => {
                        let item = |init| InitItem { designators: ThinVec::new(), init };
                        items.extend(elements.into_iter().map(item));
                    }
                    Expanded::Pattern(init) => {
                        let init = self.pattern_init(init)?;
                        items.push(InitItem { designators, init });
                    }
                }
            } else {
                let init = self.initializer()?;
                items.push(InitItem { designators, init });
            }
            if self.eat(Punct::Comma).is_none() {
                break;
            }
        }
        self.expect_close(Punct::RBrace, open)?;
        Ok(())
    }

    /// `pattern...` in the signature of a template.
    fn pattern_init(&mut self, pattern: InitId) -> Parsed<InitId> {
        let InitKind::Expr(pattern) = self.unit.inits[pattern].kind else { return Ok(pattern) };
        let span = self.unit.exprs[pattern].span;
        let expansion = self.push_expr(ExprKind::Expansion(pattern), span)?;
        Ok(self.push_init(InitKind::Expr(expansion), span))
    }

    /// `designators = ("." identifier | "[" assignment ["..." assignment] "]")*`
    pub(super) fn designators(&mut self) -> Parsed<ThinVec<Designator>> {
        let mut designators = ThinVec::new();
        loop {
            let start = self.span();
            if self.eat(Punct::Dot).is_some() {
                designators.push(Designator::Field(self.expect_ident("the name of a member")?));
            } else if self.is(Punct::LBracket) && !self.is_lambda() {
                self.bump();
                let first = self.assignment()?;
                let last = match self.eat(Punct::Ellipsis) {
                    Some(_) => Some(self.assignment()?),
                    None => None,
                };
                self.expect_close(Punct::RBracket, start)?;
                let span = self.span_from(start);
                designators.push(match last {
                    Some(last) => Designator::Range(first, last, span),
                    None => Designator::Index(first, span),
                });
            } else {
                return Ok(designators);
            }
        }
    }
}
