//! Namespaces (C++17 10.3).

use thin_vec::ThinVec;

use super::scope::Meaning;
use crate::ast::{Decl, DeclKind, Name, NamespaceDecl, TypeSpec};
use crate::diag::Code;
use crate::namespace::Namespace;
use crate::parse::host::is_device_token;
use crate::parse::{Names, Parsed};
use crate::predeclared::standard;
use crate::source::Span;
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind};

impl Names<'_> {
    /// Whether the definition of a namespace comes next that is compiled: not of `std`, which is the host's.
    pub(in crate::parse) fn begins_namespace(&self) -> bool {
        let ahead = usize::from(self.is_keyword(Keyword::Inline));
        if self.kind_at(ahead) != TokenKind::Keyword(Keyword::Namespace) {
            return false;
        }
        let first = ahead + 1;
        let is_std =
            matches!(self.kind_at(first), TokenKind::Ident(name) if self.interner.spelling(name) == "std");
        let is_alias = self.is_at(first + 1, Punct::Eq);
        let is_host = is_std && self.scopes.namespace_depth() == 0 && !self.specializes_elements(first);
        !(is_alias || is_host)
    }

    /// Whether a namespace `std` says what the elements of a class are, for structured bindings: it has specializations of templates
    /// that a header declares, and nothing of the device.
    fn specializes_elements(&self, name: usize) -> bool {
        let first = self.pos + name;
        let TokenKind::Ident(std) = self.kind_of(first) else { return false };
        let Meaning::Namespace(std) = self.scopes.member(Namespace::GLOBAL, std) else { return false };
        let Some(end) = self.matching(first + 1) else { return false };
        let body = &self.tokens[first + 1..end];
        let is_element_template = |token: &Token| match token.kind {
            TokenKind::Ident(symbol) => {
                ["tuple_size", "tuple_element"].contains(&self.interner.spelling(symbol))
                    && self.scopes.member(std, symbol) != Meaning::Unknown
            }
            _ => false,
        };
        body.iter().any(is_element_template) && !body.iter().any(is_device_token)
    }

    /// `namespace = ["inline"] "namespace" attribute* [identifier ("::" ["inline"] identifier)*] attribute* "{" external-declaration* "}"`
    pub(in crate::parse) fn namespace_definition(&mut self) -> Parsed<()> {
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
        while self.types().attributes(&mut attrs)? {}
        if !matches!(self.kind(), TokenKind::Ident(_)) {
            self.open_namespace(None, inline.is_some(), self.span_from(start))?;
            return Ok(());
        }
        loop {
            let mut name = self.expect_ident("the name of a namespace")?;
            self.check_reserved(name.symbol)?;
            if self.interner.spelling(name.symbol) == standard::NAMESPACE_OF_HEADERS {
                // The header has the word itself, too.
                name.symbol = self.interner.lookup("std").unwrap_or(name.symbol);
            }
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
        while self.types().attributes(&mut attrs)? {}
        Ok(())
    }

    fn open_namespace(&mut self, name: Option<Name>, is_inline: bool, span: Span) -> Parsed<()> {
        if self.scopes.namespace_depth() >= self.dialect.depth.nesting {
            return Err(self.too_deep(span));
        }
        self.scopes.enter_namespace(name.map(|name| name.symbol), is_inline);
        self.push_namespace_decl(NamespaceDecl::Open { name, is_inline }, span);
        Ok(())
    }

    fn push_namespace_decl(&mut self, decl: NamespaceDecl, span: Span) {
        self.unit.decls.push(Decl { kind: DeclKind::Namespace(Box::new(decl)), span });
    }

    fn namespace_block(&mut self) -> Parsed<()> {
        if !self.is(Punct::LBrace) {
            return Err(self.expected(Punct::LBrace));
        }
        self.declarations().declaration_block()
    }

    /// Whether an alias, a `using` directive or a `using` declaration comes next, of namespaces of the program; in device code, of any.
    pub(in crate::parse) fn begins_using(&self) -> bool {
        let is_using = self.is_keyword(Keyword::Using);
        let is_namespace = |ahead| self.kind_at(ahead) == TokenKind::Keyword(Keyword::Namespace);
        let path = if is_using && is_namespace(1) {
            self.path_at(2)
        } else if is_namespace(0) && self.is_at(2, Punct::Eq) {
            self.path_at(3)
        } else if is_using && !self.declarations_ref().is_alias() {
            let path = self.path_at(1);
            let is_known = path.is_std && path.last.is_some_and(|name| self.is_usable_of_std(name));
            let is_of_device = self.body_open.is_some() || !self.dialect.host_code.is_skipped();
            return path.scope.is_some() || is_known || is_of_device;
        } else {
            return false;
        };
        let is_of_device = self.body_open.is_some() || !self.dialect.host_code.is_skipped();
        path.namespace.is_some() || is_of_device && !(path.is_std && is_using)
    }

    /// Whether `using std::name;` makes something visible that device code has.
    fn is_usable_of_std(&self, name: Symbol) -> bool {
        let name = self.interner.spelling(name);
        standard::is_device_function(name) || standard::is_type(name)
    }

    /// The namespace before the last `::` of the qualified name there.
    pub(in crate::parse) fn scope_at(&self, ahead: usize) -> Option<Namespace> {
        self.path_at(ahead).scope
    }

    /// What the qualified name there means.
    fn path_at(&self, ahead: usize) -> Path {
        let is_global = self.is_at(ahead, Punct::ColonColon);
        let mut at = ahead + usize::from(is_global);
        let mut path = Path { scope: is_global.then_some(Namespace::GLOBAL), ..Path::default() };
        let mut is_first = true;
        let mut is_in_std = false;
        while let TokenKind::Ident(name) = self.kind_at(at) {
            let meaning = match path.scope {
                Some(scope) => self.scopes.member(scope, name),
                None if is_first => self.scopes.scope_named(name),
                None => Meaning::Unknown,
            };
            path.namespace = match meaning {
                Meaning::Namespace(namespace) => Some(namespace),
                Meaning::Unknown
                | Meaning::Type
                | Meaning::Ordinary
                | Meaning::Template
                | Meaning::TypeTemplate => None,
            };
            let is_std = is_first && self.interner.spelling(name) == "std";
            path.is_std |= is_std && path.namespace.is_none();
            if is_in_std && meaning == Meaning::Unknown {
                // No header that ships declares it.
                (path.is_std, path.scope) = (true, None);
            }
            is_in_std = is_std;
            path.last = Some(name);
            is_first = false;
            if !self.is_at(at + 1, Punct::ColonColon) {
                break;
            }
            path.scope = path.namespace;
            at += 2;
        }
        path
    }

    /// `alias = "namespace" identifier "=" qualified-name ";"`, `directive = "using" "namespace" attribute* qualified-name ";"`,
    /// `using = "using" qualified-name ("," qualified-name)* ";"`
    pub(in crate::parse) fn using(&mut self) -> Parsed<Vec<Decl>> {
        let start = self.span();
        let is_alias = self.eat_keyword(Keyword::Namespace).is_some();
        let mut decls = Vec::new();
        if is_alias {
            let name = self.types().expect_name()?;
            self.expect(Punct::Eq)?;
            let namespace = self.path_at(0).namespace;
            let target = self.plain_path()?;
            if let Some(namespace) = namespace {
                self.scopes.declare(name.symbol, Meaning::Namespace(namespace));
            }
            decls.push(NamespaceDecl::Alias { name, target });
        } else {
            self.bump();
            if self.eat_keyword(Keyword::Namespace).is_some() {
                let namespace = self.path_at(0).namespace;
                let target = self.plain_path()?;
                if let Some(namespace) = namespace {
                    self.scopes.use_namespace(namespace);
                }
                decls.push(NamespaceDecl::Directive { target });
            } else {
                loop {
                    decls.push(self.using_declarator()?);
                    if self.eat(Punct::Comma).is_none() {
                        break;
                    }
                }
            }
        }
        self.expect_semi();
        let span = self.span_from(start);
        let decls = decls.into_iter();
        Ok(decls.map(|decl| Decl { kind: DeclKind::Namespace(Box::new(decl)), span }).collect())
    }

    /// A qualified name whose namespaces are those of the program.
    fn plain_path(&mut self) -> Parsed<TypeSpec> {
        let is_global = self.eat(Punct::ColonColon).is_some();
        let name = self.expect_ident("the name of a namespace")?;
        self.rest_of_path(is_global, name)
    }

    fn using_declarator(&mut self) -> Parsed<NamespaceDecl> {
        let path = self.path_at(0);
        let start = self.span();
        if path.is_std {
            let spec = self.plain_path()?;
            let TypeSpec::Nested(nested) = spec else { return Err(self.expected(Punct::ColonColon)) };
            let name = nested.1;
            if !self.is_usable_of_std(name.symbol) {
                let span = self.span_from(start);
                let message =
                    format!("`std::{}` is not available in device code", self.interner.spelling(name.symbol));
                return Err(self.refuse(Code::UnsupportedUsing, span, message));
            }
            self.scopes.declare_used(Namespace::GLOBAL, name.symbol);
            return Ok(NamespaceDecl::Using { scope: TypeSpec::Global, name });
        }
        let (scope, name) = match self.plain_path()? {
            TypeSpec::Nested(nested) => *nested,
            _ => {
                let message = "`using` declaration requires a qualified name";
                return Err(self.parser.refuse(Code::ExpectedToken, self.span_from(start), message));
            }
        };
        if let Some(scope) = path.scope {
            self.scopes.declare_used(scope, name.symbol);
        }
        Ok(NamespaceDecl::Using { scope, name })
    }
}

/// What a qualified name means to the parser.
#[derive(Default)]
struct Path {
    /// The namespace before the last `::`.
    scope: Option<Namespace>,
    /// The namespace that it names as a whole.
    namespace: Option<Namespace>,
    /// It begins with `std`, which is the host's.
    is_std: bool,
    last: Option<Symbol>,
}
