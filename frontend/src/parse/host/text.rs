//! The host code that is kept: its launches say which instances of kernel templates there are.

use std::ops::Range;
use std::rc::Rc;

use super::item::{Item, Shape};
use crate::ast::{HostText, HostTextKind, TemplateDecl, TemplateKind};
use crate::parse::HostItems;
use crate::token::{Keyword, Punct, Symbol, TokenKind};

impl HostItems<'_> {
    /// Keeps the item that is skipped, if it names a kernel template, or a template of the host that does. `record` is the struct
    /// whose member it is.
    pub(super) fn keep_text(&mut self, item: &Item, record: Option<Symbol>) {
        self.keep_text_from(self.pos, item, record);
    }

    /// Keeps the template at the current token, which is read as well, if it names a kernel template.
    pub(in crate::parse) fn keep_item_text(&mut self) {
        let item = self.scan_item();
        self.record_kernel_uses(self.pos..item.end);
        self.keep_text(&item, None);
    }

    /// The same of an item that begins at a token.
    pub(super) fn keep_text_from(&mut self, start: usize, item: &Item, record: Option<Symbol>) {
        let range = start..item.end;
        let names_launcher = || {
            let is_launcher = |at: usize| matches!(self.kind_of(at), TokenKind::Ident(symbol) if self.launchers.contains(&symbol));
            range.clone().any(is_launcher)
        };
        let is_template = item.shape == Shape::Template;
        if self.launchers.is_empty() && !is_template {
            return;
        }
        // A template that is only declared may name one where it is defined.
        let is_declaration = is_template
            && item.is_function
            && self.kind_of(start + 1) == TokenKind::Punct(Punct::Lt)
            && self.kind_of(item.end - 1) == TokenKind::Punct(Punct::Semi);
        if !is_declaration && !names_launcher() {
            return;
        }
        let kind = match is_template {
            true => self.template_kind(start, item, record.is_some()),
            false => HostTextKind::Code,
        };
        let start = match kind {
            HostTextKind::Code | HostTextKind::Other(_) => range.start,
            HostTextKind::Template(_) => range.end,
            HostTextKind::Specialization => range.start + 3,
            HostTextKind::Instantiation => range.start + 1,
        };
        if let (HostTextKind::Template(_) | HostTextKind::Other(_), Some(name)) = (&kind, item.names.first())
        {
            self.parser.launchers.insert(name.symbol);
        }
        let namespace = self.scopes.namespace();
        let tokens = self.with_end(start..range.end);
        self.unit.host_texts.push(Rc::new(HostText { kind, namespace, record, tokens }));
    }

    fn template_kind(&mut self, start: usize, item: &Item, is_member: bool) -> HostTextKind {
        let (open, name) = (start + 1, item.names.first().copied());
        if self.kind_of(open) != TokenKind::Punct(Punct::Lt) {
            return HostTextKind::Instantiation;
        }
        let Some(close) = self.templates_ref().closing_angle(open) else { return HostTextKind::Other(name) };
        if close == open + 1 {
            return HostTextKind::Specialization;
        }
        let is_nested = self.kind_of(close + 1) == TokenKind::Keyword(Keyword::Template);
        let (Some(name), true, false, false, None) =
            (name, item.is_function, is_member, is_nested, item.qualified)
        else {
            return HostTextKind::Other(name);
        };
        let Some(params) = self.templates_ref().template_params(open + 1..close) else {
            return HostTextKind::Other(Some(name));
        };
        let is_definition = self.kind_of(item.end - 1) == TokenKind::Punct(Punct::RBrace);
        let tokens = self.with_end(close + 1..item.end);
        HostTextKind::Template(Rc::new(TemplateDecl {
            name,
            params,
            tokens,
            is_definition,
            kind: TemplateKind::Function,
            of: None,
            may_be_of_host: true,
            inner: None,
        }))
    }

    fn with_end(&self, range: Range<usize>) -> Vec<crate::token::Token> {
        let mut tokens = self.tokens[range.clone()].to_vec();
        tokens.push(self.templates_ref().end_of(range.end));
        tokens
    }
}
