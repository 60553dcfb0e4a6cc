//! Mistakes in host code that no C++ makes right. They are reported: skipped, they would be missed by nobody, and nvcc refuses them.

use super::item::{Item, Shape, is_device_token, takes_arguments};
use crate::diag::similar::similar;
use crate::diag::{Code, Diagnostic, Fix};
use crate::parse::HostItems;
use crate::parse::types::keyword::{begins_declaration, is_word};
use crate::token::{Keyword, Punct, TokenKind};

impl HostItems<'_> {
    /// The error of an item that lacks its `;`.
    pub(super) fn missing_semicolon(&self, item: &Item) -> Option<Diagnostic> {
        let ends_without = self.kind_of(item.end - 1) != TokenKind::Punct(Punct::Semi);
        let is_missing = match item.shape {
            Shape::Record | Shape::Named => ends_without,
            Shape::Variable => ends_without && is_device_token(&self.tokens[item.end]),
            Shape::Function | Shape::Template | Shape::Namespace | Shape::Using => false,
        };
        is_missing.then(|| self.expected_diagnostic_at(Punct::Semi, item.end))
    }

    /// Whether a typedef or an assertion lacks its `;`, so that the declaration in the next line has been taken for a part of it.
    pub(super) fn runs_into_the_next(&self, item: &Item, why: &Diagnostic) -> bool {
        let here = why.primary.span;
        let next = self.tokens[self.pos..item.end].iter().find(|token| token.span.lo >= here.lo);
        let begins = |kind| matches!(kind, TokenKind::Keyword(keyword) if begins_declaration(keyword));
        item.shape == Shape::Named
            && why.code == Code::ExpectedToken
            && next.is_some_and(|next| next.at_line_start && begins(next.kind))
    }

    /// The error of a bit-field without a type in a struct: `: 3;` or `x : 3;`.
    pub(super) fn untyped_member(&self, item: &Item) -> Option<Diagnostic> {
        let range = if item.shape == Shape::Record { self.pos..item.end } else { 0..0 };
        let is_untyped = |&at: &usize| {
            let name = usize::from(matches!(self.kind_of(at), TokenKind::Ident(_)));
            self.kind_of(at + name) == TokenKind::Punct(Punct::Colon)
                && matches!(self.kind_of(at + name + 1), TokenKind::Number(_))
        };
        let begins_member = |at: usize| {
            matches!(self.kind_of(at), TokenKind::Punct(Punct::LBrace | Punct::Semi | Punct::RBrace))
        };
        let at = range.filter(|&at| begins_member(at)).map(|at| at + 1).find(is_untyped)?;
        let message = format!("expected a type before {}", self.describe_at(at));
        Some(Diagnostic::new(Code::ExpectedType, self.tokens[at].span, message))
    }

    /// Whether the current token may begin a declaration of C++, or a use of a macro that is not known.
    pub(super) fn may_begin_host_item(&self) -> bool {
        use Keyword as K;
        match self.kind() {
            TokenKind::Ident(_) => self.may_begin_with_name(self.pos),
            TokenKind::Keyword(K::Struct | K::Union | K::Enum | K::Class)
                if matches!(self.kind_at(1), TokenKind::Ident(_)) =>
            {
                // `struct S int a; };` lacks its brace.
                !matches!(self.kind_at(2), TokenKind::Keyword(keyword) if is_word(keyword))
            }
            TokenKind::Keyword(keyword) if takes_arguments(keyword) => {
                let after = self.matching(self.pos + 1).unwrap_or(self.pos + 1);
                !matches!(self.kind_of(after), TokenKind::Ident(_)) || self.may_begin_with_name(after)
            }
            TokenKind::Keyword(keyword) => !matches!(
                keyword,
                K::If
                    | K::Else
                    | K::For
                    | K::While
                    | K::Do
                    | K::Switch
                    | K::Case
                    | K::Default
                    | K::Break
                    | K::Continue
                    | K::Return
                    | K::Goto
                    | K::Sizeof
                    | K::This
                    | K::Throw
                    | K::Try
                    | K::Catch
            ),
            TokenKind::Punct(punct) => {
                matches!(punct, Punct::ColonColon | Punct::LBracket | Punct::Tilde | Punct::LParen)
            }
            _ => false,
        }
    }

    /// Whether the name at `at` may be a type, or a macro, because what follows does not make it a variable or an operand.
    fn may_begin_with_name(&self, at: usize) -> bool {
        use Punct as P;
        match self.kind_of(at + 1) {
            TokenKind::Punct(
                P::Eq | P::Dot | P::Arrow | P::LBracket | P::LBrace | P::PlusPlus | P::MinusMinus,
            ) => false,
            // A misspelt `struct S { int a; };`
            TokenKind::Ident(_) if self.kind_of(at + 2) == TokenKind::Punct(P::LBrace) => {
                let last = self.matching(at + 2).map(|end| self.kind_of(end - 2));
                last != Some(TokenKind::Punct(P::Semi))
            }
            TokenKind::Punct(P::LParen) => !matches!(
                self.kind_of(self.matching(at + 1).unwrap_or(at + 1)),
                TokenKind::Punct(
                    P::EqEq | P::Ne | P::Le | P::Ge | P::Plus | P::Minus | P::Slash | P::Percent
                )
            ),
            _ => true,
        }
    }

    /// Reports an item that begins with a name that is nearly one of those that make it the device's: it would vanish without a message.
    pub(super) fn check_spelling(&mut self, item: &Item) {
        const SPECIFIERS: [&str; 5] =
            ["__global__", "__device__", "__constant__", "__shared__", "__managed__"];
        let TokenKind::Ident(symbol) = self.kind() else { return };
        let spelling = self.interner.spelling(symbol);
        if !spelling.starts_with('_') || !matches!(item.shape, Shape::Function | Shape::Variable) {
            return;
        }
        if let Some(found) = similar(spelling, SPECIFIERS.into_iter()) {
            let message = format!("unknown specifier `{spelling}`");
            let diagnostic = Diagnostic::new(Code::ExpectedDeclaration, self.span(), message);
            let title = format!("did you mean `{}`?", SPECIFIERS[found]);
            self.parser.sink.error(diagnostic.with_fix(Fix::new(title, self.span(), SPECIFIERS[found])));
        }
    }
}
