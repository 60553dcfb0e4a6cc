//! The declaration of a `for`: of an ordinary one, or of a range-based one with its range (C++17 9.5.4).

use smallvec::smallvec;

use crate::ast::{
    Decl, DeclKind, DeclSpecs, Declarator, ExprId, ExprKind, InitDeclarator, InitDeclarators, InitId,
    InitKind, StmtId,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::parse::types::SpecsOf;
use crate::parse::{Parsed, Statements};
use crate::source::Span;
use crate::token::{Punct, TokenKind};

impl Statements<'_> {
    /// The declaration of a `for`, with its `;`, or with the `:` and the range.
    pub(super) fn for_declaration(&mut self, start: Span, range: &mut Option<ExprId>) -> Parsed<StmtId> {
        let specs = self.types().decl_specs(SpecsOf::Declaration)?;
        if self.declarations_ref().begins_binding(&specs) {
            return self.for_binding(specs, start, range);
        }
        let declarator = self.types().declarator()?;
        self.declarations().declare(&specs, &declarator, false);
        if self.is(Punct::Colon) {
            return self.range_declaration(specs, declarator, start, range);
        }
        let declarators: InitDeclarators = self.declarations().init_declarators(&specs, declarator, false)?;
        let ended = match self.is(Punct::Colon) {
            true => Err(self.refuse_range_declarators(&declarators)),
            false => self.expect(Punct::Semi),
        };
        if let Err(reported) = ended {
            let names = declarators.iter().filter_map(|declared| declared.declarator.name);
            self.unit.refused.extend(names);
            return Err(reported);
        }
        let span = self.span_from(start);
        let decl = Decl { kind: DeclKind::Declarators { specs, declarators }, span };
        Ok(self.push_decl(decl, span))
    }

    /// Variables before the `:` of a range-based `for` that are several or have an initial value (C++17 9.5.4).
    fn refuse_range_declarators(&mut self, declarators: &[InitDeclarator]) -> Reported {
        let name = |declared: &InitDeclarator| declared.declarator.name.map(|name| name.span);
        let (at, message) = match declarators {
            [_, second, ..] => (name(second), "range-based `for` declares one variable"),
            _ => (
                declarators.first().and_then(name),
                "loop variable of a range-based `for` cannot have an initial value",
            ),
        };
        let at = at.unwrap_or(self.span());
        self.refuse(Code::InvalidSpecifiers, at, message)
    }

    fn range_declaration(
        &mut self,
        specs: DeclSpecs,
        declarator: Declarator,
        start: Span,
        range: &mut Option<ExprId>,
    ) -> Parsed<StmtId> {
        let span = self.span_from(start);
        let at = declarator.name.map_or(span, |name| name.span);
        let init = match self.range(&specs, at, range) {
            Ok(init) => Some(init),
            Err(reported) => {
                self.unit.refused.extend(declarator.name);
                return Err(reported);
            }
        };
        let declarators: InitDeclarators = smallvec![InitDeclarator { declarator, init }];
        Ok(self.push_decl(Decl { kind: DeclKind::Declarators { specs, declarators }, span }, span))
    }

    /// The same of a structured binding.
    fn for_binding(&mut self, specs: DeclSpecs, start: Span, range: &mut Option<ExprId>) -> Parsed<StmtId> {
        let is_range = self.is_range_binding();
        if !is_range {
            let decl = self.declarations().structured_binding(specs, start)?;
            if let Err(reported) = self.expect(Punct::Semi) {
                self.declarations().broken_binding(decl);
                return Err(reported);
            }
            let span = decl.span;
            return Ok(self.push_decl(decl, span));
        }
        let mut binding = self.declarations().binding_names(specs)?;
        let span = self.span_from(start);
        let at = binding.list;
        match self.range(&binding.specs, at, range) {
            Ok(init) => binding.declared.init = Some(init),
            Err(reported) => {
                self.unit.refused.extend(binding.names);
                return Err(reported);
            }
        }
        Ok(self.push_decl(Decl { kind: DeclKind::Binding(Box::new(binding)), span }, span))
    }

    /// Whether a `:` follows the names of the structured binding that comes next.
    fn is_range_binding(&self) -> bool {
        let open = if self.is(Punct::LBracket) { self.pos } else { self.pos + 1 };
        self.matching(open).is_some_and(|close| self.kind_of(close) == TokenKind::Punct(Punct::Colon))
    }

    /// `":" (expression | braced-list)`, and the element of it that the declared variable is initialized by.
    /// It is at the variable's name.
    fn range(&mut self, specs: &DeclSpecs, at: Span, range: &mut Option<ExprId>) -> Parsed<InitId> {
        self.bump();
        if let Some((_, span)) = specs.storage {
            let message = "loop variable of a range-based `for` cannot have a storage class";
            return Err(self.error(Diagnostic::new(Code::InvalidSpecifiers, span, message)));
        }
        *range = Some(if self.is(Punct::LBrace) {
            self.expressions().braced_value()?
        } else {
            self.expressions().expression()?
        });
        let element = self.push_expr(ExprKind::RangeElement, at)?;
        Ok(self.push_init(InitKind::Expr(element), at))
    }
}
