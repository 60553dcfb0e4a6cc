//! What stands in the parentheses of `if`, `switch` and `while`, and as the condition of `for`
//! (C++17 9.4, 9.5).

use smallvec::SmallVec;

use crate::ast::{
    Condition, Decl, DeclKind, DeclSpecs, ExprKind, InitDeclarator, InitDeclarators, InitKind, Name, StmtId,
    StmtKind, StmtList,
};
use crate::diag::{Code, Diagnostic};
use crate::parse::types::SpecsOf;
use crate::parse::{Parsed, Statements};
use crate::source::Span;
use crate::token::Punct;

/// Whose condition it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::parse) enum Head {
    /// Of `if` or `switch`, which may have a statement before it (C++17 9.4p1).
    Selection,
    /// Of a loop.
    Loop,
}

/// What stands before a condition: a part before a `;`, and a declaration.
type First = SmallVec<[StmtId; 2]>;

impl Statements<'_> {
    /// `"(" condition ")"`; after a mistake in it, the statement goes on behind the `)`.
    pub(super) fn condition(&mut self, head: Head) -> Parsed<Condition> {
        let (open, is_open) = self.open_head();
        let inside = self.pos;
        let result = self.condition_parts(head).and_then(|condition| {
            self.close_head(open, is_open)?;
            Ok(condition)
        });
        match result {
            Ok(condition) => Ok(condition),
            Err(reported) => {
                self.skip_to_close(inside, reported)?;
                let span = self.span_from(open);
                Ok(Condition { first: StmtList::default(), expr: self.error_expr(span), declares: false })
            }
        }
    }

    /// The `(` of a condition or a `for`; where it is missing, the head is read all the same.
    pub(super) fn open_head(&mut self) -> (Span, bool) {
        match self.eat(Punct::LParen) {
            Some(open) => (open, true),
            None => {
                self.expected(Punct::LParen);
                (self.span().start(), false)
            }
        }
    }

    pub(super) fn close_head(&mut self, open: Span, is_open: bool) -> Parsed<()> {
        if is_open {
            self.expect_close(Punct::RParen, open)?;
        } else {
            self.eat(Punct::RParen);
        }
        Ok(())
    }

    /// `condition = [(declaration | [expression] ";")] (expression | condition-declaration)`
    pub(super) fn condition_parts(&mut self, head: Head) -> Parsed<Condition> {
        let mut first = First::new();
        if head == Head::Selection && self.eat(Punct::Semi).is_some() {
            return self.condition_proper(Head::Loop, first);
        }
        if !self.is_declaration() {
            let start = self.span();
            let expr = self.expressions().expression()?;
            if head == Head::Loop || !self.is(Punct::Semi) {
                return Ok(Condition { first: StmtList::default(), expr, declares: false });
            }
            self.bump();
            let span = self.span_from(start);
            first.push(self.push_stmt(StmtKind::Expr(expr), span));
            return self.condition_proper(Head::Loop, first);
        }
        self.condition_proper(head, first)
    }

    /// What is left of a condition when no expression can be meant as the statement before it.
    fn condition_proper(&mut self, head: Head, mut first: First) -> Parsed<Condition> {
        if !self.is_declaration() {
            let expr = self.expressions().expression()?;
            let first = self.unit.push_stmt_list(&first);
            return Ok(Condition { first, expr, declares: false });
        }
        let start = self.span();
        let specs = self.types().decl_specs(SpecsOf::Declaration)?;
        if self.declarations_ref().begins_binding(&specs) {
            return self.binding_in_condition(specs, start, head, first);
        }
        // `if (struct S { … }; …)` declares a tag alone.
        let declarators = match self.is(Punct::Semi) && head == Head::Selection {
            true => InitDeclarators::new(),
            false => {
                let declarator = self.types().declarator()?;
                self.declarations().declare(&specs, &declarator, false);
                self.declarations().init_declarators(&specs, declarator, false)?
            }
        };
        let span = self.span_from(start);
        let is_first = head == Head::Selection && self.is(Punct::Semi);
        let is_plain = specs.storage.is_none() && specs.constexpr.is_none();
        let declared = match declarators.as_slice() {
            [only] if !is_first && is_plain && self.takes_value(only) => only.declarator.name,
            _ => None,
        };
        let (defines_type, ty_span) = (specs.ty.is_definition(), specs.ty_span);
        let names: Vec<_> = declarators.iter().filter_map(|declared| declared.declarator.name).collect();
        let decl = Decl { kind: DeclKind::Declarators { specs, declarators }, span };
        first.push(self.push_decl(decl, span));
        if is_first {
            self.bump();
            return self.condition_proper(Head::Loop, first);
        }
        if defines_type {
            // C++17 9p2
            self.refuse_type_definition(ty_span);
        }
        let Some(Name { symbol, span: at }) = declared else {
            self.unit.refused.extend(names);
            if self.is(Punct::Colon) {
                let message = "range-based `for` with a part before its declaration is not supported";
                let diagnostic = Diagnostic::new(Code::UnsupportedRangeFor, span, message)
                    .with_note("it is a C++20 extension")
                    .with_help("write the part before the loop");
                return Err(self.error(diagnostic));
            }
            let message = "a declaration in a condition must declare one variable with an initializer";
            let diagnostic = Diagnostic::new(Code::InvalidCondition, span, message)
                .with_help("write the initializer after `=` or in braces");
            return Err(self.error(diagnostic));
        };
        let expr = self.push_expr(ExprKind::Ident(symbol), at)?;
        let first = self.unit.push_stmt_list(&first);
        Ok(Condition { first, expr, declares: true })
    }

    /// A structured binding may precede a condition, and be none (C++17 9.4p2).
    fn binding_in_condition(
        &mut self,
        specs: DeclSpecs,
        start: Span,
        head: Head,
        mut first: First,
    ) -> Parsed<Condition> {
        let decl = self.declarations().structured_binding(specs, start)?;
        let span = decl.span;
        if head == Head::Selection && self.is(Punct::Semi) {
            first.push(self.push_decl(decl, span));
            self.bump();
            return self.condition_proper(Head::Loop, first);
        }
        self.declarations().broken_binding(decl);
        let message = "structured binding is not allowed in a condition";
        Err(self.error(Diagnostic::new(Code::InvalidCondition, span, message)))
    }

    /// Whether the declarator is that of a variable with a value behind `=` or in braces.
    fn takes_value(&self, declarator: &InitDeclarator) -> bool {
        let has_value = declarator.init.is_some_and(|init| {
            let node = &self.unit.inits[init];
            match node.kind {
                // In `int x(3)` the parentheses belong to the initializer, not to its value.
                InitKind::Expr(value) => node.span == self.expressions_ref().span_of(value),
                InitKind::List(_) => true,
                InitKind::Parens(_) => false,
            }
        });
        has_value && !declarator.declarator.is_function()
    }
}
