//! Member functions of the host in structs: they are skipped, and what those say that make, copy, assign or destroy objects is remembered.

use super::item::{Item, Shape};
use crate::ast::Name;
use crate::parse::HostItems;
use crate::parse::types::keyword::is_attr;
use crate::token::{Keyword, Punct, Symbol, TokenKind};

/// A member function that a struct would have without its declaration, or that replaces one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    /// One that does not copy.
    Constructor,
    /// One that copies or moves.
    Copy,
    Assignment,
    Destructor,
}

impl HostItems<'_> {
    /// Among the members of a struct: skips a function of the host, and what access specifiers say. False: it is something else.
    pub(in crate::parse) fn skip_host_member(&mut self, tag: Option<Name>) -> bool {
        if let TokenKind::Keyword(Keyword::Public | Keyword::Private | Keyword::Protected) = self.kind() {
            self.bump();
            return self.eat(Punct::Colon).is_some();
        }
        if self.is_keyword(Keyword::Virtual) {
            // It adds a member.
            return false;
        }
        let special = self.special_member(tag);
        let item = self.scan_item();
        let is_special = special.is_some_and(|(_, at)| self.is_said_at_once(at, &item));
        if is_special {
            self.add_special_member(special, &item);
        }
        let is_skipped = !item.is_device
            && !is_special
            && !item.is_malformed
            && !self.is_kept_template(&item)
            && matches!(item.shape, Shape::Function | Shape::Template);
        if is_skipped {
            self.add_special_member(special, &item);
            self.record_kernel_uses(self.pos..item.end);
            self.keep_text(&item, tag.map(|tag| tag.symbol));
            self.go_to(item.end);
        }
        is_skipped
    }

    /// Whether a member template without a word of the device is kept: types and constants are read where something uses them, and functions
    /// without bodies are declared for `decltype` and `sizeof`.
    fn is_kept_template(&self, item: &Item) -> bool {
        let ends_in_semi = self.kind_of(item.end - 1) == TokenKind::Punct(Punct::Semi);
        let is_static = || {
            let mut before = self.pos..item.end;
            before.any(|at| self.kind_of(at) == TokenKind::Keyword(Keyword::Static))
        };
        item.shape == Shape::Template && (!item.is_function || ends_in_semi && is_static())
    }

    /// What of a struct's special members comes next, and its token.
    fn special_member(&self, tag: Option<Name>) -> Option<(Special, usize)> {
        use Keyword as K;
        let tag = tag?;
        let mut at = self.pos;
        loop {
            match self.kind_of(at) {
                TokenKind::Punct(Punct::Tilde) => return Some((Special::Destructor, at)),
                TokenKind::Keyword(K::Inline | K::Constexpr | K::Explicit) => at += 1,
                TokenKind::Keyword(keyword) if is_attr(keyword) => at += 1,
                TokenKind::Keyword(K::Template) => {
                    // A constructor for several types, or an ordinary function: its name is searched for.
                    let open = at + 1;
                    at = self.after_angles(open)?;
                }
                TokenKind::Ident(symbol)
                    if symbol == tag.symbol && self.kind_of(at + 1) == TokenKind::Punct(Punct::LParen) =>
                {
                    let is_copy = self.takes_reference_to(tag.symbol, at + 1);
                    return Some((if is_copy { Special::Copy } else { Special::Constructor }, at));
                }
                TokenKind::Keyword(K::Operator) => {
                    let is_assignment = self.kind_of(at + 1) == TokenKind::Punct(Punct::Eq)
                        && self.takes_reference_to(tag.symbol, at + 2);
                    return is_assignment.then_some((Special::Assignment, at));
                }
                // The result of an assignment.
                TokenKind::Ident(symbol) if symbol == tag.symbol => at += 1,
                TokenKind::Keyword(K::Const | K::Void) | TokenKind::Punct(Punct::Amp | Punct::Star) => {
                    at += 1
                }
                _ => return None,
            }
        }
    }

    /// Whether the first of the parameters at `open` is a struct of that tag, or a reference to one.
    fn takes_reference_to(&self, tag: Symbol, open: usize) -> bool {
        let is_const = self.kind_of(open + 1) == TokenKind::Keyword(Keyword::Const);
        let at = open + 1 + usize::from(is_const);
        self.kind_of(at) == TokenKind::Ident(tag)
            && matches!(
                self.kind_of(at + 1),
                TokenKind::Punct(Punct::Amp | Punct::AmpAmp | Punct::RParen)
                    | TokenKind::Ident(_)
                    | TokenKind::Keyword(Keyword::Const)
            )
    }

    /// The token after `<…>`.
    fn after_angles(&self, open: usize) -> Option<usize> {
        let (arguments, end) = self.template_arguments_at(open);
        arguments.map(|_| end)
    }

    /// Whether a special member is defaulted or deleted where it is declared: it is nobody's function then.
    fn is_said_at_once(&self, at: usize, item: &Item) -> bool {
        let tokens = &self.tokens[at..item.end];
        matches!(tokens, [.., eq, word, semi]
            if eq.kind == TokenKind::Punct(Punct::Eq)
                && matches!(word.kind, TokenKind::Keyword(Keyword::Default | Keyword::Delete))
                && semi.kind == TokenKind::Punct(Punct::Semi))
    }

    /// Remembers a special member. `= default` leaves it as it would be without.
    fn add_special_member(&mut self, special: Option<(Special, usize)>, item: &Item) {
        let Some((special, at)) = special else { return };
        let tokens = &self.tokens[..item.end];
        let is_default = matches!(tokens, [.., default, semi]
            if matches!(default.kind, TokenKind::Keyword(Keyword::Default | Keyword::Delete)) && semi.kind == TokenKind::Punct(Punct::Semi));
        if is_default {
            let takes_nothing = self.kind_of(at + 2) == TokenKind::Punct(Punct::RParen);
            self.record.has_defaulted_constructor |= matches!(special, Special::Constructor) && takes_nothing;
            return;
        }
        let span = tokens[at].span;
        let members = &mut self.record.host_members;
        let member = match special {
            Special::Constructor => &mut members.constructor,
            Special::Copy => {
                // With it, there is no constructor without arguments, but for `S() = default`.
                members.constructor.get_or_insert(span);
                &mut members.copy
            }
            Special::Assignment => &mut members.assignment,
            Special::Destructor => &mut members.destructor,
        };
        member.get_or_insert(span);
    }
}
