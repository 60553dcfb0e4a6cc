//! Host code at file scope, which is skipped item by item.
//!
//! An item is what a declaration or definition at file scope is made of, found by its tokens alone: brackets are matched, and nothing
//! else of the grammar of C++ is needed. An item without an execution space or a memory is the host's. If it may declare something that
//! device code uses (a type, a constant), it is read as C first, and kept if that succeeds; everything else, and what cannot be read, is
//! skipped. Names of skipped items are known as the host's, so that a use in device code is an error with the place of the declaration.
//!
//! - this file: which items are skipped, and which are read as C
//! - [`item`]: where an item ends, and what it is
//! - [`member`]: member functions of the host in structs
//! - [`launch`]: the kernels that it names
//! - [`text`]: what of it is kept, since instances of templates depend on it
//! - [`mistake`]: mistakes in host code that are reported all the same

mod item;
mod launch;
mod member;
mod mistake;
mod text;

use super::name::scope::Meaning;
use super::{DeviceFunction, HostItems};
use crate::ast::{Decl, DeclKind, HostDecl, HostKind};
use crate::diag::Diagnostic;
use crate::token::{Keyword, Punct, Symbol, TokenKind};
use item::Shape;
pub(crate) use item::is_device_attribute;
pub(in crate::parse) use item::{Item, is_device_token};

/// What is known of the functions of the device that an unmarked one may be.
enum Known {
    /// One is not defined yet.
    Declared,
    Defined,
}

impl HostItems<'_> {
    /// Skips the item at the current token if it is the host's, or reads it as C if that may be useful. False: it is to be read as a
    /// declaration of the device.
    pub(super) fn host_item(&mut self) -> bool {
        let is_block = self.begins_linkage_at(0) && self.is_at(2, Punct::LBrace);
        if is_block
            || self.names_ref().begins_namespace()
            || self.names_ref().begins_using()
            || self.is_texture_reference()
            || !self.may_begin_host_item()
            || is_device_token(&self.token())
        {
            return false;
        }
        let item = self.scan_item();
        let name = item.names.first().map(|name| name.symbol);
        let is_read = match item.shape {
            Shape::Function => item.qualified.is_some_and(|at| self.is_device_member(at)),
            Shape::Template => {
                name.is_some_and(|name| self.scopes.has_function_template_here(name))
                    || self.templates_ref().is_kept_of_host()
            }
            _ => false,
        };
        if item.is_device || item.end == self.pos || is_read {
            return false;
        }
        let known =
            name.filter(|_| item.shape == Shape::Function).and_then(|name| self.declared_before(&item, name));
        if matches!(known, Some(Known::Declared)) {
            self.record_kernel_uses(self.pos..item.end);
            self.keep_text(&item, None);
            return false;
        }
        // What follows an opening bracket that nothing closes would be skipped with it.
        let last = self.tokens[item.end - 1].kind;
        let is_whole = matches!(last, TokenKind::Punct(Punct::Semi | Punct::RBrace));
        let is_cut = matches!(self.tokens[item.end].kind, TokenKind::Eof | TokenKind::Punct(Punct::RBrace));
        if item.is_malformed || !is_whole && is_cut {
            return false;
        }
        let is_specialization = item.shape == Shape::Template
            && self.is_at(1, Punct::Lt)
            && self.is_at(2, Punct::Gt)
            && !item.is_function;
        let start = self.pos;
        let may_be_kept = known.is_some()
            || matches!(item.shape, Shape::Record | Shape::Named | Shape::Variable)
            || is_specialization
            || item.shape == Shape::Function && item.is_constexpr;
        let why = match may_be_kept.then(|| self.read_as_c(&item)) {
            Some(Ok(())) => {
                if known.is_some() {
                    self.record_kernel_uses(start..item.end);
                    self.keep_text_from(start, &item, None);
                }
                return true;
            }
            Some(Err(why)) => why,
            None => None,
        };
        if why.as_deref().is_some_and(|why| self.runs_into_the_next(&item, why)) {
            return false;
        }
        self.check_spelling(&item);
        // What no C++ makes right is reported: skipped, it would be missed by nobody, and nvcc refuses it.
        let mistake = self.missing_semicolon(&item).or_else(|| self.untyped_member(&item));
        match (mistake, why) {
            // It is C but for that, and is read with its message.
            (Some(mistake), Some(why)) if why.primary.span == mistake.primary.span => return false,
            (Some(mistake), _) => {
                self.sink.error(mistake);
                self.unit.refused.extend(item.names.iter().copied());
                self.skip_item(item, None);
            }
            (None, why) => self.skip_item(item, why),
        }
        true
    }

    /// Whether the function may be one of the device that was declared before. Most are overloads of the host.
    fn declared_before(&self, item: &Item, symbol: Symbol) -> Option<Known> {
        let is_end = |kind| matches!(kind, TokenKind::Punct(Punct::LParen | Punct::LBrace));
        let mut specifiers =
            (self.pos..item.end).map(|at| self.kind_of(at)).take_while(|&kind| !is_end(kind));
        if specifiers.any(|kind| kind == TokenKind::Keyword(Keyword::Host)) {
            return None;
        }
        if self.types_ref().is_device_method(symbol) {
            return Some(Known::Declared);
        }
        let known = self.device_functions.get(&(self.scopes.namespace(), symbol))?;
        let is_alike = |function: &&DeviceFunction| match (function.n_params, item.arity) {
            (Some(n_params), Some(arity)) => [n_params, usize::MAX].contains(&arity.most),
            _ => true,
        };
        let mut alike = known.iter().filter(is_alike).peekable();
        alike.peek()?;
        let is_defined = alike.all(|function| function.is_defined);
        Some(if is_defined { Known::Defined } else { Known::Declared })
    }

    /// `texture<…>` of old CUDA, or `surface<…>`: a variable of the device without a word that says so.
    fn is_texture_reference(&self) -> bool {
        let ahead = usize::from(self.is_keyword(Keyword::Static));
        let TokenKind::Ident(symbol) = self.kind_at(ahead) else { return false };
        self.is_at(ahead + 1, Punct::Lt)
            && ["texture", "surface"].contains(&self.interner.spelling(symbol))
            && self.scopes.meaning(symbol) == Meaning::Unknown
    }

    /// Whether the qualified name that ends at the token is that of a function of the device.
    fn is_device_member(&self, at: usize) -> bool {
        let TokenKind::Ident(symbol) = self.kind_of(at) else { return false };
        let is_colons = |at| self.kind_of(at) == TokenKind::Punct(Punct::ColonColon);
        let mut start = at;
        while start > self.pos && is_colons(start - 1) {
            start -= 1;
            start -= usize::from(start > self.pos && matches!(self.kind_of(start - 1), TokenKind::Ident(_)));
        }
        let scope = self.names_ref().scope_at(start - self.pos);
        let class =
            self.names_ref().class_at(start - self.pos).and_then(|(_, classes)| classes.last().copied());
        scope.is_some_and(|scope| self.device_functions.contains_key(&(scope, symbol)))
            || class.is_some_and(|class| self.scopes.has_device_method(class, symbol))
    }

    /// Reads an item as a declaration, without messages.
    ///
    /// # Errors
    ///
    /// If it cannot be read: the first error. Nothing has changed but for names that are types.
    fn read_as_c(&mut self, item: &Item) -> Result<(), Option<Box<Diagnostic>>> {
        let (start, n_decls, nodes) = (self.pos, self.unit.decls.len(), self.unit.nodes());
        let (mark, nesting, refused) = (self.sink.mark(), self.nesting, self.unit.refused.clone());
        let (n_uses, n_texts) = (self.unit.kernel_uses.len(), self.unit.host_texts.len());
        let result = self.declarations().linked_declaration();
        if result.is_ok() && self.sink.n_errors_since(mark) == 0 && self.pos == item.end {
            if item.shape == Shape::Variable {
                self.keep_text_from(start, item, None);
            }
            return Ok(());
        }
        let why = self.sink.take_first_error_since(mark);
        self.sink.rewind(mark);
        (self.nesting, self.unit.refused) = (nesting, refused);
        self.go_to(start);
        self.last_error = None;
        self.unit.decls.truncate(n_decls);
        self.unit.kernel_uses.truncate(n_uses);
        self.unit.host_texts.truncate(n_texts);
        let made = self.unit.nodes_since(&nodes);
        self.unit.truncate(&made);
        Err(why.map(Box::new))
    }

    fn skip_item(&mut self, item: Item, why: Option<Box<Diagnostic>>) {
        let start = self.span();
        let is_definition = self.is_host_definition(&item);
        self.record_kernel_uses(self.pos..item.end);
        self.keep_text(&item, None);
        self.go_to(item.end);
        let span = self.span_from(start);
        let kind = match item.shape {
            Shape::Function if item.is_constexpr => HostKind::ConstexprFunction,
            Shape::Function => HostKind::Function,
            Shape::Variable => HostKind::Variable,
            Shape::Record | Shape::Named => HostKind::Type,
            Shape::Template => HostKind::Template,
            Shape::Namespace => HostKind::Namespace,
            Shape::Using => HostKind::Using,
        };
        for name in &item.names {
            // A template of structs, whose instances are types.
            let is_type = kind == HostKind::Type || kind == HostKind::Template && !item.is_function;
            if !self.scopes.has_here(name.symbol) {
                self.scopes.declare(name.symbol, if is_type { Meaning::Type } else { Meaning::Ordinary });
            }
        }
        let kind = DeclKind::Host(Box::new(HostDecl {
            kind,
            names: item.names.into_vec(),
            is_definition,
            arity: item.arity,
            why,
        }));
        self.unit.decls.push(Decl { kind, span });
    }

    /// Whether a function or variable that other files can see is defined.
    fn is_host_definition(&self, item: &Item) -> bool {
        let tokens = &self.tokens[self.pos..item.end];
        let has_body = || tokens.last().is_some_and(|last| last.kind == TokenKind::Punct(Punct::RBrace));
        let first = |keyword| tokens.first().is_some_and(|token| token.kind == TokenKind::Keyword(keyword));
        let is_inner = [Keyword::Static, Keyword::Inline, Keyword::Constexpr].into_iter().any(first);
        match item.shape {
            Shape::Function => has_body() && !is_inner,
            Shape::Variable => !first(Keyword::Extern) && !is_inner,
            Shape::Namespace | Shape::Record | Shape::Named | Shape::Template | Shape::Using => false,
        }
    }
}
