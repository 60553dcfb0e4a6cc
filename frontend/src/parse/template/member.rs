//! Templates that are members of classes (C++17 17.5.2).

use std::rc::Rc;

use crate::ast::{
    Access, Member, MemberTemplate, MethodId, Name, Special, TemplateDecl, TemplateKind, TemplateParam,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::parse::host::is_device_token;
use crate::parse::name::scope::Meaning;
use crate::parse::{Parsed, Templates};
use crate::token::{Keyword, Punct, Symbol, TokenKind};

/// What a member template declares.
struct MemberDeclared {
    name: Name,
    kind: TemplateKind,
    special: Option<Special>,
    /// The token after it.
    end: usize,
}

impl Templates<'_> {
    /// `member-template = "template" "<" template-parameters ">" member-declaration`
    ///
    /// None: it was refused, and skipped.
    pub(in crate::parse) fn member_template(&mut self, class: Option<Name>) -> Option<Member> {
        let start = self.pos;
        let member = self.supported_member_template(class);
        if member.is_err() {
            self.go_to(start);
            let end = self.host_items_ref().scan_item().end;
            self.go_to(end.max(start + 1));
        }
        member.ok()
    }

    fn supported_member_template(&mut self, class: Option<Name>) -> Parsed<Member> {
        let start = self.pos;
        let access = self.record.access;
        let Some(class) = class else {
            let message = "a member template of an unnamed struct or union is not supported";
            return Err(self.refuse_here(message));
        };
        let close = if self.is_at(1, Punct::Lt) { self.closing_angle(self.pos + 1) } else { None };
        let Some(close) = close else {
            return Err(self.wrong_here(start, "explicit instantiation in a class"));
        };
        if close == start + 2 {
            return Err(self.refuse_here("explicit specializations in a class are not supported"));
        }
        let Some(params) = self.template_params(start + 2..close) else {
            return Err(self.refuse_here("a member template with such parameters is not supported"));
        };
        match self.kind_of(close + 1) {
            TokenKind::Keyword(Keyword::Friend) => {
                if let Some((name, end)) = self.friend_class(close + 2) {
                    self.go_to(end);
                    return Ok(Member::FriendTemplate(name));
                }
                return Err(self.refuse_here("templates of functions as friends are not supported"));
            }
            TokenKind::Keyword(Keyword::Template) => {
                let message = "extraneous template parameter list in a class";
                return Err(self.wrong_here(close + 1, message));
            }
            _ => {}
        }
        if self.kind_of(close + 1) == TokenKind::Keyword(Keyword::Virtual) {
            return Err(self.wrong_here(close + 1, "a member template cannot be virtual"));
        }
        let Some(declared) = self.declared_member(close + 1, class)? else {
            return Err(self.refuse_here("a member template of this form is not supported"));
        };
        Ok(self.keep_member_template(access, class, params, close, &declared))
    }

    /// `("struct" | "class" | "union") identifier ";"`: the name, and the token after it all.
    fn friend_class(&self, at: usize) -> Option<(Name, usize)> {
        match (self.kind_of(at), self.kind_of(at + 1), self.kind_of(at + 2)) {
            (
                TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Union),
                TokenKind::Ident(symbol),
                TokenKind::Punct(Punct::Semi),
            ) => Some((Name { symbol, span: self.tokens[at + 1].span }, at + 3)),
            _ => None,
        }
    }

    fn refuse_here(&mut self, message: &str) -> Reported {
        let span = self.span();
        self.parser.refuse(Code::UnsupportedMember, span, message)
    }

    fn wrong_here(&mut self, at: usize, message: &str) -> Reported {
        let span = self.tokens[at].span;
        self.sink.error(Diagnostic::new(Code::InvalidTemplate, span, message))
    }

    fn keep_member_template(
        &mut self,
        access: Access,
        class: Name,
        params: Vec<TemplateParam>,
        close: usize,
        declared: &MemberDeclared,
    ) -> Member {
        let &MemberDeclared { name, kind, special, end } = declared;
        let before_end = end - 1 - usize::from(self.kind_of(end - 1) == TokenKind::Punct(Punct::Semi));
        let is_definition = match kind {
            TemplateKind::Function => self.kind_of(end - 1) == TokenKind::Punct(Punct::RBrace),
            TemplateKind::Class { .. } => self.kind_of(before_end) == TokenKind::Punct(Punct::RBrace),
            TemplateKind::Alias
            | TemplateKind::Variable
            | TemplateKind::Member
            | TemplateKind::Guide { .. } => true,
        };
        let may_be_of_host = kind != TemplateKind::Function
            && self.dialect.host_code.is_skipped()
            && !self.tokens[close + 1..end].iter().any(is_device_token);
        let tokens = self.kept_tokens(close + 1..end);
        let declaration =
            TemplateDecl { name, params, tokens, is_definition, kind, of: None, may_be_of_host, inner: None };
        let meaning = match kind {
            TemplateKind::Class { .. } | TemplateKind::Alias => Meaning::TypeTemplate,
            TemplateKind::Function
            | TemplateKind::Variable
            | TemplateKind::Member
            | TemplateKind::Guide { .. } => Meaning::Template,
        };
        if special.is_none() {
            self.scopes.declare(name.symbol, meaning);
            self.scopes.add_member_template(class.symbol, name.symbol, meaning);
        }
        self.go_to(end);
        let classes = self.types_ref().open_classes_here();
        let declaration = Rc::new(declaration);
        Member::Template(MemberTemplate { access, declaration, special, tag: class.symbol, classes })
    }

    /// What the member template declares whose parameters end before a token.
    fn declared_member(&mut self, first: usize, class: Name) -> Parsed<Option<MemberDeclared>> {
        match self.kind_of(first) {
            TokenKind::Keyword(Keyword::Using) => {
                let alias = self.alias_template(first, false);
                return Ok(alias.map(|alias| MemberDeclared {
                    name: alias.name,
                    kind: alias.kind,
                    special: None,
                    end: alias.end,
                }));
            }
            TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Union) => {
                if let Some(inner) = self.class_template(first, false) {
                    self.note_types(&inner);
                    let (name, kind, end) = (inner.name, inner.kind, inner.end);
                    let is_plain = inner.of.is_none();
                    return Ok(is_plain.then_some(MemberDeclared { name, kind, special: None, end }));
                }
            }
            _ => {}
        }
        let start = self.pos;
        self.go_to(first);
        let special = self.types_ref().special_ahead(Some(class.symbol));
        let end = self.end_of_member_function(special);
        self.go_to(start);
        let Some(end) = end else { return Ok(None) };
        if special.is_none()
            && let Some(name) = self.variable_name(first..end)
        {
            return Ok(Some(MemberDeclared { name, kind: TemplateKind::Variable, special, end }));
        }
        let name = match special {
            Some(Special::Destructor) => {
                let is_tilde = |&at: &usize| self.kind_of(at) == TokenKind::Punct(Punct::Tilde);
                let at = (first..end).find(is_tilde).unwrap_or(first);
                return Err(self.wrong_here(at, "destructor cannot be declared as a template"));
            }
            Some(Special::Constructor) => {
                let is_name = |&at: &usize| self.kind_of(at) == TokenKind::Ident(class.symbol);
                let at = (first..end).find(is_name).unwrap_or(first);
                Some(Name { symbol: class.symbol, span: self.tokens[at].span })
            }
            Some(Special::Conversion) => {
                return Err(self.refuse_here("templates of conversion functions are not supported"));
            }
            None => self.function_name_among(first, end),
        };
        Ok(name.map(|name| MemberDeclared { name, kind: TemplateKind::Function, special, end }))
    }

    /// The name of the function that the tokens declare: an operator, or what the parameters follow.
    pub(super) fn function_name_among(&self, first: usize, end: usize) -> Option<Name> {
        let mut at = first;
        while at < end {
            at = match self.kind_of(at) {
                TokenKind::Keyword(Keyword::Operator) => return self.operator_among(at..end),
                TokenKind::Ident(symbol) => match self.kind_of(at + 1) {
                    TokenKind::Punct(Punct::LParen) => {
                        return Some(Name { symbol, span: self.tokens[at].span });
                    }
                    TokenKind::Punct(Punct::Lt) => self.closing_angle(at + 1)? + 1,
                    _ => at + 1,
                },
                // `__launch_bounds__(…)`, `decltype(…)`
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => self.matching(at)?,
                TokenKind::Punct(Punct::LBrace | Punct::Semi) => return None,
                _ => at + 1,
            };
        }
        None
    }

    /// The token after the member function that begins here.
    pub(super) fn end_of_member_function(&mut self, special: Option<Special>) -> Option<usize> {
        loop {
            match self.kind() {
                TokenKind::Punct(Punct::Semi) => return Some(self.pos + 1),
                TokenKind::Punct(Punct::LBrace) => return self.matching(self.pos),
                TokenKind::Punct(Punct::Colon) if special == Some(Special::Constructor) => {
                    self.types().skip_member_initializers();
                    return if self.is(Punct::LBrace) { self.matching(self.pos) } else { None };
                }
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => {
                    let end = self.matching(self.pos)?;
                    self.go_to(end);
                }
                TokenKind::Punct(Punct::RBrace) | TokenKind::Eof => return None,
                _ => _ = self.bump(),
            }
        }
    }

    /// Whether template arguments follow the name of a member: those of a call, unless `template` is before the name.
    pub(in crate::parse) fn begins_member_args(&self, name: Symbol, is_said: bool) -> bool {
        if !self.is(Punct::Lt) || !is_said && self.scopes.member_template(name) != Some(Meaning::Template) {
            return false;
        }
        let Some(close) = self.closing_angle(self.pos) else { return false };
        is_said || self.kind_of(close + 1) == TokenKind::Punct(Punct::LParen)
    }

    /// Reads a member template as the member that it makes, a function. Its body is kept as tokens.
    pub(in crate::parse) fn member_again(&mut self, access: Access, class: Name) -> Parsed<Option<MethodId>> {
        self.parser.keeps_bodies = true;
        self.parser.record.access = access;
        let member = self.types().one_member(class)?;
        self.parser.warn_unused_pragmas();
        match member {
            Some(Member::Method(id)) => Ok(Some(id)),
            _ => Ok(None),
        }
    }
}
