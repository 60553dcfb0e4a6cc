//! What a template declares, by its tokens: functions, structs, another name for types, variables, or a member of a class template.

use std::ops::Range;

use smallvec::SmallVec;

use crate::ast::{Name, TemplateKind};
use crate::parse::host::Item;
use crate::parse::name::scope::Meaning;
use crate::parse::types::keyword::is_attr;
use crate::parse::{Parser, Templates};
use crate::token::{Keyword, Punct, Symbol, TokenKind};

/// What the tokens after the parameters of a template declare.
pub(in crate::parse) struct Declared {
    pub(in crate::parse) name: Name,
    pub(in crate::parse) kind: TemplateKind,
    /// The token after it.
    pub(in crate::parse) end: usize,
    /// The tokens of the type that it is a partial specialization for, or that it is a member of.
    pub(in crate::parse) of: Option<Range<usize>>,
    /// The `{` of a struct.
    body: Option<usize>,
    /// Nothing in it says that it is the device's.
    pub(in crate::parse) may_be_of_host: bool,
}

/// A path of names at some tokens.
struct Path {
    /// What comes before its last `::`, without that.
    scope: Range<usize>,
    has_args: bool,
    /// After the last `::`.
    last: usize,
}

impl Templates<'_> {
    /// What the template whose parameters end at `close` declares; none if that is not supported.
    pub(in crate::parse) fn declared(&self, close: usize) -> Option<Declared> {
        let item = self.host_items_ref().scan_item();
        let first = close + 1;
        // Where braces are among the parameters, the item ends before them.
        if item.end <= first {
            return None;
        }
        let may_be_of_host = !item.is_device;
        match self.kind_of(first) {
            TokenKind::Keyword(Keyword::Template) => return self.nested_declared(first, &item),
            TokenKind::Keyword(Keyword::Friend) => return None,
            TokenKind::Keyword(Keyword::Using) => return self.alias_template(first, may_be_of_host),
            TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Union) => {
                if let Some(class) = self.class_template(first, may_be_of_host) {
                    return Some(class);
                }
            }
            _ => {}
        }
        let is_end = matches!(self.kind_of(item.end - 1), TokenKind::Punct(Punct::Semi | Punct::RBrace));
        if item.is_malformed || !is_end {
            return None;
        }
        let declared =
            |name, kind, of| Declared { name, kind, end: item.end, of, body: None, may_be_of_host };
        if let Some((name, scope)) = self.member_of_template(first..item.end) {
            return Some(declared(name, TemplateKind::Member, Some(scope)));
        }
        if let Some(name) = self.variable_name(first..item.end) {
            return Some(declared(name, TemplateKind::Variable, None));
        }
        if item.is_function {
            if let Some(last) = item.qualified {
                return Some(declared(self.declared_name(last)?, TemplateKind::Member, None));
            }
            let name = item.names.first().copied().or_else(|| self.operator_among(first..item.end))?;
            return Some(declared(name, TemplateKind::Function, None));
        }
        let (name, of) = self.specialized_variable(first..item.end)?;
        Some(declared(name, TemplateKind::Variable, Some(of)))
    }

    /// `"template" "<" parameters ">" declaration` within a template: a member template of a class template, outside of it.
    fn nested_declared(&self, first: usize, item: &Item) -> Option<Declared> {
        let close = self
            .closing_angle(first + 1)
            .filter(|_| self.kind_of(first + 1) == TokenKind::Punct(Punct::Lt))?;
        let is_whole = !item.is_malformed && self.kind_of(item.end - 1) == TokenKind::Punct(Punct::RBrace);
        let (name, scope) = self.member_of_template(close + 1..item.end).filter(|_| is_whole)?;
        let may_be_of_host = !item.is_device;
        let (kind, end) = (TemplateKind::Member, item.end);
        Some(Declared { name, kind, end, of: Some(scope), body: None, may_be_of_host })
    }

    /// Whether an explicit instantiation begins here of a class template that is known: `template struct a::S<int>;`
    fn instantiates_known_class(&self) -> bool {
        if !matches!(self.kind_at(1), TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Union)) {
            return false;
        }
        let namespace = self.names_ref().scope_at(2);
        let mut at = self.pos + 2;
        while self.kind_of(at + 1) == TokenKind::Punct(Punct::ColonColon)
            || self.kind_of(at) == TokenKind::Punct(Punct::ColonColon)
        {
            at += 1;
        }
        let TokenKind::Ident(symbol) = self.kind_of(at) else { return false };
        match namespace {
            Some(namespace) => self.scopes.member(namespace, symbol) == Meaning::TypeTemplate,
            None => self.scopes.is_type_template(symbol),
        }
    }

    /// Whether a template that says nothing of the device is kept: structs, names of types and variables are read where something uses them.
    pub(in crate::parse) fn is_kept_of_host(&self) -> bool {
        if !self.is_at(1, Punct::Lt) {
            return self.instantiates_known_class();
        }
        let Some(close) = self.closing_angle(self.pos + 1) else { return false };
        if close == self.pos + 2 {
            return false;
        }
        let is_kept = self.declared(close).is_some_and(|declared| declared.kind != TemplateKind::Function);
        is_kept && self.template_params(self.pos + 2..close).is_some()
    }

    /// `("struct" | "class" | "union") attribute* identifier ["<" args ">"] [":" bases] (";" | "{" members "}" ";")`
    pub(super) fn class_template(&self, first: usize, may_be_of_host: bool) -> Option<Declared> {
        let is_union = self.kind_of(first) == TokenKind::Keyword(Keyword::Union);
        let mut at = first + 1;
        loop {
            match self.kind_of(at) {
                TokenKind::Keyword(keyword) if is_attr(keyword) => at += 1,
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => at = self.matching(at)?,
                _ => break,
            }
        }
        let start = at;
        // `struct a::S<T *> { … }`
        while self.kind_of(at + 1) == TokenKind::Punct(Punct::ColonColon) {
            at += 2;
        }
        let TokenKind::Ident(symbol) = self.kind_of(at) else { return None };
        let name = Name { symbol, span: self.tokens[at].span };
        let mut end = at + 1;
        let is_special = self.kind_of(end) == TokenKind::Punct(Punct::Lt);
        if is_special {
            end = self.closing_angle(end)? + 1;
        }
        let of = is_special.then_some(start..end);
        if matches!(self.kind_of(end), TokenKind::Ident(_))
            && self.kind_of(end + 1) == TokenKind::Punct(Punct::LBrace)
        {
            // `final`
            end += 1;
        }
        let mut body = end;
        if self.kind_of(end) == TokenKind::Punct(Punct::Colon) {
            while !matches!(
                self.kind_of(body),
                TokenKind::Punct(Punct::LBrace | Punct::Semi | Punct::RBrace) | TokenKind::Eof
            ) {
                body += 1;
            }
        }
        let kind = TemplateKind::Class { is_union };
        match self.kind_of(body) {
            TokenKind::Punct(Punct::Semi) => {
                Some(Declared { name, kind, end: body + 1, of, body: None, may_be_of_host })
            }
            TokenKind::Punct(Punct::LBrace) => {
                let end = self.matching(body)?;
                let is_whole = self.kind_of(end) == TokenKind::Punct(Punct::Semi);
                let end = end + usize::from(is_whole);
                Some(Declared { name, kind, end, of, body: Some(body), may_be_of_host })
            }
            _ => None,
        }
    }

    /// `"using" identifier attribute* "=" type-name ";"`
    pub(super) fn alias_template(&self, first: usize, may_be_of_host: bool) -> Option<Declared> {
        let TokenKind::Ident(symbol) = self.kind_of(first + 1) else { return None };
        let name = Name { symbol, span: self.tokens[first + 1].span };
        let mut at = first + 2;
        loop {
            at = match self.kind_of(at) {
                TokenKind::Punct(Punct::Semi) => break,
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => self.matching(at)?,
                TokenKind::Punct(Punct::RBrace) | TokenKind::Eof => return None,
                _ => at + 1,
            };
        }
        Some(Declared { name, kind: TemplateKind::Alias, end: at + 1, of: None, body: None, may_be_of_host })
    }

    /// The name of the member of a class template that the tokens declare, and what is before its `::`.
    fn member_of_template(&self, range: Range<usize>) -> Option<(Name, Range<usize>)> {
        let mut at = range.start;
        while at < range.end {
            match self.kind_of(at) {
                TokenKind::Ident(_) => {
                    let Some(path) = self.path_from(at) else {
                        at += 1;
                        continue;
                    };
                    let name = self.declared_name(path.last);
                    if let (Some(name), true) = (name, path.has_args) {
                        return Some((name, path.scope));
                    }
                    at = path.last;
                }
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => at = self.matching(at)?,
                TokenKind::Punct(Punct::Lt) if self.may_open_list(at) => at = self.closing_angle(at)? + 1,
                // What follows `->` is a result.
                TokenKind::Punct(Punct::Eq | Punct::LBrace | Punct::Semi | Punct::Arrow) | TokenKind::Eof => {
                    return None;
                }
                _ => at += 1,
            }
        }
        None
    }

    /// The path of names that begins at a token.
    fn path_from(&self, start: usize) -> Option<Path> {
        let (mut at, mut has_args, mut end) = (start, false, None);
        while let TokenKind::Ident(_) = self.kind_of(at) {
            let mut after = at + 1;
            if self.kind_of(after) == TokenKind::Punct(Punct::Lt) {
                let close = self.closing_angle(after)?;
                has_args |= self.kind_of(close + 1) == TokenKind::Punct(Punct::ColonColon);
                after = close + 1;
            }
            if self.kind_of(after) != TokenKind::Punct(Punct::ColonColon) {
                break;
            }
            end = Some(after);
            at = after + 1;
        }
        end.map(|end| Path { scope: start..end, has_args, last: end + 1 })
    }

    /// The name that is declared at a token: what its parameters, its value or the end follow.
    fn declared_name(&self, at: usize) -> Option<Name> {
        let span = self.tokens[at].span;
        match self.kind_of(at) {
            TokenKind::Ident(symbol) => {
                let is_declared = matches!(
                    self.kind_of(at + 1),
                    TokenKind::Punct(
                        Punct::LParen | Punct::LBracket | Punct::Eq | Punct::LBrace | Punct::Semi
                    )
                );
                is_declared.then_some(Name { symbol, span })
            }
            TokenKind::Punct(Punct::Tilde) => match self.kind_of(at + 1) {
                TokenKind::Ident(symbol) => Some(Name { symbol, span }),
                _ => None,
            },
            TokenKind::Keyword(Keyword::Operator) => match self.kind_of(at + 1) {
                TokenKind::Punct(punct) if punct != Punct::ColonColon => {
                    Some(Name { symbol: punct.operator_name()?, span })
                }
                // A conversion function.
                _ => Some(Name { symbol: Keyword::Operator.symbol(), span }),
            },
            _ => None,
        }
    }

    /// The name of the variable that the tokens declare, which its value or the end follows.
    pub(super) fn variable_name(&self, range: Range<usize>) -> Option<Name> {
        let (mut at, mut name) = (range.start, None);
        while at < range.end {
            at = match self.kind_of(at) {
                TokenKind::Ident(symbol) => {
                    name = Some(Name { symbol, span: self.tokens[at].span });
                    at + 1
                }
                TokenKind::Punct(Punct::Eq | Punct::LBrace | Punct::Semi) => return name,
                TokenKind::Punct(Punct::Lt) => {
                    name = None;
                    self.closing_angle(at)? + 1
                }
                // `decltype(…)`, `__align__(…)`; another parenthesis is that of parameters.
                TokenKind::Punct(Punct::LParen) if matches!(self.kind_of(at - 1), TokenKind::Keyword(keyword) if keyword != Keyword::Operator) => {
                    self.matching(at)?
                }
                TokenKind::Punct(Punct::LBracket) => self.matching(at)?,
                TokenKind::Punct(Punct::LParen | Punct::ColonColon)
                | TokenKind::Keyword(Keyword::Operator) => {
                    // `a::b x = …` has a name of a type before that of the variable.
                    if self.kind_of(at) != TokenKind::Punct(Punct::ColonColon) {
                        return None;
                    }
                    at + 2
                }
                _ => {
                    name = None;
                    at + 1
                }
            };
        }
        None
    }

    /// The variable template that the tokens specialize, and its name with the arguments.
    fn specialized_variable(&self, mut range: Range<usize>) -> Option<(Name, Range<usize>)> {
        let is_template = |symbol: Symbol| self.scopes.meaning(symbol) == Meaning::Template;
        let at = range.find(|&at| {
            matches!(self.kind_of(at), TokenKind::Ident(symbol) if is_template(symbol))
                && self.kind_of(at + 1) == TokenKind::Punct(Punct::Lt)
        })?;
        let TokenKind::Ident(symbol) = self.kind_of(at) else { return None };
        let end = self.closing_angle(at + 1)? + 1;
        let is_declared =
            matches!(self.kind_of(end), TokenKind::Punct(Punct::Eq | Punct::LBrace | Punct::Semi));
        is_declared.then_some((Name { symbol, span: self.tokens[at].span }, at..end))
    }

    /// Notes which types the template has: what a name after `::` is depends on it.
    pub(in crate::parse) fn note_types(&mut self, declared: &Declared) {
        let owner = declared.name.symbol;
        match declared.kind {
            TemplateKind::Class { .. } => {
                let Some(body) = declared.body else { return };
                let head = declared.of.as_ref().map_or(body, |of| of.end);
                self.note_bases(owner, head..body);
                self.note_member_types(owner, body);
            }
            // `template <…> using name = S<…>;`
            TemplateKind::Alias => {
                let names = self.idents(declared.end.saturating_sub(2)..declared.end);
                let first =
                    (0..declared.end).rev().find(|&at| self.kind_of(at) == TokenKind::Punct(Punct::Eq));
                let named = first.map(|at| self.idents(at + 1..at + 2)).unwrap_or_default();
                for symbol in names.into_iter().chain(named) {
                    self.parser.scopes.add_heir(owner, symbol);
                }
            }
            TemplateKind::Function
            | TemplateKind::Variable
            | TemplateKind::Member
            | TemplateKind::Guide { .. } => {}
        }
    }

    fn idents(&self, range: Range<usize>) -> SmallVec<[Symbol; 4]> {
        let ident = |at| match self.kind_of(at) {
            TokenKind::Ident(symbol) => Some(symbol),
            _ => None,
        };
        range.filter_map(ident).collect()
    }

    /// Notes the bases that follow `:`, by the last names of theirs.
    fn note_bases(&mut self, owner: Symbol, range: Range<usize>) {
        let colon = range.clone().find(|&at| self.kind_of(at) == TokenKind::Punct(Punct::Colon));
        let Some(colon) = colon else { return };
        for symbol in self.idents(colon..range.end) {
            self.parser.scopes.add_heir(owner, symbol);
        }
    }

    /// Notes the types among the members of the struct whose `{` is at a token.
    fn note_member_types(&mut self, owner: Symbol, open: usize) {
        let Some(end) = self.matching(open) else { return };
        let mut at = open + 1;
        while at + 1 < end {
            match self.kind_of(at) {
                TokenKind::Keyword(Keyword::Using) => {
                    if let (TokenKind::Ident(symbol), TokenKind::Punct(Punct::Eq)) =
                        (self.kind_of(at + 1), self.kind_of(at + 2))
                    {
                        self.parser.scopes.add_nested_type(owner, symbol);
                        self.note_same(symbol, at + 3);
                    }
                    at = self.end_of_member(at, end);
                }
                TokenKind::Keyword(Keyword::Template) => at = self.note_member_template(owner, at),
                TokenKind::Keyword(Keyword::Typedef) => {
                    let last = self.end_of_member(at, end);
                    if let Some(symbol) = self.typedef_name(at + 1..last) {
                        self.parser.scopes.add_nested_type(owner, symbol);
                        self.note_same(symbol, at + 1);
                    }
                    at = last;
                }
                TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Union | Keyword::Enum) => {
                    at += 1;
                    if let TokenKind::Keyword(Keyword::Struct | Keyword::Class) = self.kind_of(at) {
                        at += 1;
                    }
                    let TokenKind::Ident(symbol) = self.kind_of(at) else { continue };
                    let opens = self.kind_of(at + 1) == TokenKind::Punct(Punct::LBrace);
                    if opens || matches!(self.kind_of(at + 1), TokenKind::Punct(Punct::Semi | Punct::Colon)) {
                        self.parser.scopes.add_nested_type(owner, symbol);
                    }
                    if opens {
                        self.note_member_types(symbol, at + 1);
                    }
                }
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => {
                    at = self.matching(at).unwrap_or(at + 1);
                }
                _ => at += 1,
            }
        }
    }

    /// Notes a template that is a member. Returns the token of what it declares.
    fn note_member_template(&mut self, owner: Symbol, at: usize) -> usize {
        let Some(close) = self.closing_angle(at + 1) else { return at + 1 };
        let first = close + 1;
        let (name, meaning) = match self.kind_of(first) {
            TokenKind::Keyword(Keyword::Using) => {
                (self.idents(first + 1..first + 2).first().copied(), Meaning::TypeTemplate)
            }
            TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Union) => {
                (self.class_template(first, false).map(|class| class.name.symbol), Meaning::TypeTemplate)
            }
            TokenKind::Keyword(Keyword::Friend) => (None, Meaning::Template),
            _ => {
                let name = self.function_name_among(first, self.tokens.len());
                (name.map(|name| name.symbol), Meaning::Template)
            }
        };
        if let Some(name) = name.filter(|&name| name != owner) {
            self.parser.scopes.add_member_template(owner, name, meaning);
        }
        first
    }

    /// Notes that the types of the one that is named at a token are those of `name`, too.
    fn note_same(&mut self, name: Symbol, mut at: usize) {
        if self.kind_of(at) == TokenKind::Keyword(Keyword::Typename) {
            at += 1;
        }
        if let TokenKind::Ident(symbol) = self.kind_of(at) {
            self.parser.scopes.add_heir(name, symbol);
        }
    }

    /// The token after the `;` that ends what begins at a token.
    pub(super) fn end_of_member(&self, mut at: usize, end: usize) -> usize {
        while at + 1 < end {
            match self.kind_of(at) {
                TokenKind::Punct(Punct::Semi) => return at + 1,
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => {
                    at = self.matching(at).unwrap_or(at + 1);
                }
                _ => at += 1,
            }
        }
        at
    }

    /// The name that a `typedef` declares, which the tokens up to its `;` follow.
    fn typedef_name(&self, range: Range<usize>) -> Option<Symbol> {
        let (mut at, mut name) = (range.start, None);
        while at < range.end {
            match self.kind_of(at) {
                TokenKind::Ident(symbol) => {
                    name = Some(symbol);
                    at += 1;
                }
                // `int (*f)(int)`
                TokenKind::Punct(Punct::LParen)
                    if matches!(self.kind_of(at + 1), TokenKind::Punct(Punct::Star | Punct::Amp)) =>
                {
                    return self.idents(at + 2..at + 3).first().copied();
                }
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => {
                    at = self.matching(at).unwrap_or(at + 1);
                }
                TokenKind::Punct(Punct::Lt) => at = self.closing_angle(at).map_or(at + 1, |close| close + 1),
                _ => at += 1,
            }
        }
        name
    }
}

impl Parser<'_> {
    /// Notes that a typedef name, or a derived class, has the types that another type has.
    pub(in crate::parse) fn note_heir_of(&mut self, name: Symbol, ty: &crate::ast::TypeSpec) {
        use crate::ast::TypeSpec;
        let of = match ty {
            TypeSpec::Instance(instance) => &instance.0,
            ty => ty,
        };
        match of {
            TypeSpec::Named(of) => self.scopes.add_heir(name, of.symbol),
            TypeSpec::Nested(nested) => self.scopes.add_heir(name, nested.1.symbol),
            _ => {}
        }
    }
}
