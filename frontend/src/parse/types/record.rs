//! The bodies of structs, unions and enums (C17 6.7.2.1, 6.7.2.2).

use thin_vec::ThinVec;

use super::SpecsOf;
use crate::ast::{
    Access, Attr, AttrKind, BaseSpec, Decl, DeclKind, Declarator, EnumSpec, Enumerator, HostMembers,
    InitDeclarator, Member, MemberDecl, MemberDeclarator, MemberUsing, Name, RecordSpec, Storage, TypeName,
    TypeSpec,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::parse::height::Bounded;
use crate::parse::name::scope::Meaning;
use crate::parse::{Parsed, Types};
use crate::source::Span;
use crate::token::{Keyword, Punct, Token, TokenKind};

/// What is known of the struct or union whose members are being read.
#[derive(Default)]
pub(in crate::parse) struct OpenRecord {
    /// Those that the host alone has.
    pub(in crate::parse) host_members: HostMembers,
    /// Whether it has a constructor `S() = default`.
    pub(in crate::parse) has_defaulted_constructor: bool,
    /// A declaration with `friend` is read.
    pub(in crate::parse) declares_friend: bool,
    /// What the last access specifier says.
    pub(in crate::parse) access: Access,
}

impl Types<'_> {
    /// `record = ("struct" | "union") attribute* (["::"] (identifier "::")* identifier ["{" member* "}"] | "{" member* "}")`
    ///
    /// Attributes behind the `}` are [`Types::decl_specs`]' to read.
    pub(super) fn record_spec(&mut self) -> Parsed<TypeSpec> {
        let keyword = self.bump();
        self.record_behind(keyword)
    }

    /// The same behind its keyword, or behind what was meant for it.
    pub(super) fn record_behind(&mut self, keyword_token: Token) -> Parsed<TypeSpec> {
        let pack = self.packs.at(self.pos.saturating_sub(1));
        let keyword = keyword_token.span;
        let access = match keyword_token.kind {
            TokenKind::Keyword(Keyword::Class) => Access::Private,
            _ => Access::Public,
        };
        let is_union = keyword_token.kind == TokenKind::Keyword(Keyword::Union);
        let mut attrs = ThinVec::new();
        while self.attributes(&mut attrs)? {}
        let namespace = self.names_ref().scope_at(0);
        let scope = self.names().qualifier()?;
        let tag = self.eat_ident();
        let is_template = tag.is_some_and(|tag| match namespace.filter(|_| scope.is_some()) {
            Some(namespace) => self.scopes.member(namespace, tag.symbol) == Meaning::TypeTemplate,
            None => self.scopes.is_type_template(tag.symbol),
        });
        let args = match is_template && self.is(Punct::Lt) {
            true => Some(self.nested(|p| p.templates().template_args())?),
            false => {
                self.refuse_args_of_no_template(tag)?;
                None
            }
        };
        let outer = std::mem::replace(&mut self.record, OpenRecord { access, ..OpenRecord::default() });
        // A base may be an instance of a template for the class.
        if let Some(tag) = tag.filter(|_| self.is(Punct::Colon) && !is_template && scope.is_none()) {
            self.parser.scopes.declare_tag(tag.symbol, true);
        }
        let bases = self.base_clause(tag, access);
        let left = self.names().enter_tag_scope(namespace.filter(|_| scope.is_some()));
        if let Some(tag) = tag.filter(|_| !is_template && (scope.is_none() || left.is_some())) {
            let is_declared = self.scopes.has_namespaces() && self.is(Punct::Semi);
            self.parser.scopes.declare_tag(tag.symbol, self.is(Punct::LBrace) || is_declared);
        }
        let n_errors = self.sink.n_errors();
        let mut class = None;
        let members = if self.is(Punct::LBrace) || self.lacks_member_brace() {
            if !self.is(Punct::LBrace) {
                self.expected(Punct::LBrace);
            }
            class = self.enter_record(tag, bases.as_deref().unwrap_or_default());
            if let Some(tag) = tag.filter(|_| is_template) {
                self.parser.scopes.declare_injected(tag.symbol);
            }
            let members = self.measured(|p| p.members(tag)).map(|(members, _)| Some(members));
            self.leave_record(tag, members.as_ref().ok().and_then(Option::as_deref));
            members
        } else if tag.is_none() {
            let message = format!("expected a name or `{{`, found {}", self.describe());
            Err(self.parser.error(Diagnostic::new(Code::ExpectedIdentifier, self.span(), message)))
        } else {
            Ok(None)
        };
        if let Some(namespace) = left {
            self.scopes.go_to_namespace(namespace);
        }
        let OpenRecord { mut host_members, has_defaulted_constructor, .. } =
            std::mem::replace(&mut self.record, outer);
        if !has_defaulted_constructor {
            host_members.default_constructor = host_members.default_constructor.or(host_members.constructor);
        }
        let members = members?;
        let is_broken = members.is_some() && self.sink.n_errors() > n_errors;
        Ok(TypeSpec::Record(Box::new(RecordSpec {
            is_union,
            keyword,
            scope,
            tag,
            args: args.into(),
            may_be_of_host: self.is_special_of_host,
            class: class.into(),
            attrs,
            pack,
            bases: bases?,
            members,
            is_broken,
            host_members,
        })))
    }

    /// Reports template arguments after a tag that is no template's, and takes them.
    fn refuse_args_of_no_template(&mut self, tag: Option<Name>) -> Parsed<()> {
        let Some(tag) = tag.filter(|_| self.templates_ref().begins_template_args()) else { return Ok(()) };
        if let Some(reported) = self.sink.reported().filter(|_| self.unit.refused.has(tag.symbol)) {
            return Err(reported);
        }
        let message = format!("no template named `{}`", self.interner.spelling(tag.symbol));
        Err(self.parser.error(Diagnostic::new(Code::UndeclaredIdentifier, tag.span, message)))
    }

    /// Whether members follow, without the `{` before them.
    fn lacks_member_brace(&self) -> bool {
        let is_named = matches!(self.kind_at(1), TokenKind::Ident(_) | TokenKind::Punct(Punct::Star));
        let begins_member =
            self.begins_type_at(0) && (matches!(self.kind(), TokenKind::Keyword(_)) || is_named);
        let is_qualifier = matches!(
            self.kind(),
            TokenKind::Keyword(Keyword::Const | Keyword::Volatile | Keyword::GnuConst | Keyword::GnuVolatile)
        );
        begins_member && !is_qualifier && self.has_unmatched_brace_ahead()
    }

    /// `base-clause = ["final"] [":" base ["..."] ("," base ["..."])*]`
    fn base_clause(&mut self, tag: Option<Name>, default: Access) -> Parsed<ThinVec<BaseSpec>> {
        let mut bases = ThinVec::new();
        let is_final = matches!(self.kind(), TokenKind::Ident(symbol) if self.interner.spelling(symbol) == "final")
            && (self.is_at(1, Punct::LBrace) || self.is_at(1, Punct::Colon));
        if is_final {
            self.bump();
        }
        // In `struct A : 3;` the colon is that of a bit-field.
        let has_bases =
            self.is(Punct::Colon) && tag.is_some() && !matches!(self.kind_at(1), TokenKind::Number(_));
        if !has_bases {
            return Ok(bases);
        }
        self.bump();
        loop {
            let is_expansion = self.is_expanded_base();
            self.push_expanded(&mut bases, is_expansion, |p| p.types().base(default))?;
            if self.eat(Punct::Comma).is_none() {
                return Ok(bases);
            }
        }
    }

    /// `base = [access-specifier] type-name`
    fn base(&mut self, default: Access) -> Parsed<BaseSpec> {
        let start = self.span();
        let mut access = default;
        loop {
            access = match self.kind() {
                TokenKind::Keyword(Keyword::Public) => Access::Public,
                TokenKind::Keyword(Keyword::Protected) => Access::Protected,
                TokenKind::Keyword(Keyword::Private) => Access::Private,
                TokenKind::Keyword(Keyword::Virtual) => {
                    let message = "virtual base classes are not supported";
                    return Err(self.refuse_base(message));
                }
                _ => break,
            };
            self.bump();
        }
        let specs = match self.decl_specs(SpecsOf::TypeName) {
            Ok(specs) => specs,
            Err(reported) => {
                self.skip_bases();
                return Err(reported);
            }
        };
        let declarator = self.empty_declarator(self.prev_span().end());
        let span = self.span_from(start);
        Ok(BaseSpec { access, ty: TypeName { specs, declarator, span }, span })
    }

    fn refuse_base(&mut self, message: &str) -> Reported {
        let reported = self.parser.refuse(Code::UnsupportedMember, self.span(), message);
        self.skip_bases();
        reported
    }

    fn skip_bases(&mut self) {
        while !self.is(Punct::LBrace) && !self.is(Punct::Semi) && !self.is_eof() {
            self.bump();
        }
    }

    fn members(&mut self, tag: Option<Name>) -> Parsed<ThinVec<Member>> {
        let is_closed = self.is(Punct::LBrace) && self.matching(self.pos).is_some();
        let open = self.eat(Punct::LBrace).unwrap_or(self.prev_span().end());
        let mut members = ThinVec::new();
        while !self.is(Punct::RBrace) {
            let begins_next = !is_closed && self.begins_function() && self.token().at_line_start;
            if self.is_eof() || begins_next {
                let _reported = self.expect_close(Punct::RBrace, open);
                self.refuse_inner_tags(&members);
                return Ok(members);
            }
            if self.eat(Punct::Semi).is_some() {
                continue;
            }
            let start = self.pos;
            match self.member(tag) {
                Ok(Some(member)) => {
                    members.push(member);
                    members.extend(self.more_methods());
                }
                Ok(None) => {}
                Err(_) => {
                    self.skip_statement();
                    if self.pos == start {
                        self.bump();
                    }
                }
            }
        }
        self.bump();
        Ok(members)
    }

    /// Where the `}` is missing, the types behind the struct were taken for its own.
    fn refuse_inner_tags(&mut self, members: &[Member]) {
        for member in members {
            let Member::Data(member) = member else { continue };
            let tag = match &member.specs.ty {
                TypeSpec::Record(record) => record.tag,
                TypeSpec::Enum(enumeration) => enumeration.tag,
                TypeSpec::Builtin(_)
                | TypeSpec::Named(_)
                | TypeSpec::Element(_)
                | TypeSpec::Nested(_)
                | TypeSpec::Instance(_)
                | TypeSpec::Global
                | TypeSpec::Auto
                | TypeSpec::DecltypeAuto
                | TypeSpec::TypeofExpr(_)
                | TypeSpec::TypeofType(_)
                | TypeSpec::Decltype(_)
                | TypeSpec::Error => None,
            };
            self.unit.refused.extend(tag);
            let names = member.declarators.iter().filter_map(|member| member.declarator.name);
            self.unit.refused.extend(names);
        }
    }

    /// `member = declaration-specifiers [member-declarator ("," member-declarator)*] ";"`
    ///
    /// Gives nothing for what was refused and skipped.
    pub(super) fn member(&mut self, tag: Option<Name>) -> Parsed<Option<Member>> {
        let start = self.span();
        let access = self.record.access;
        if self.declarations_ref().is_alias() {
            return self.member_alias(access).map(Some);
        }
        if self.access_specifier() || self.skips_host_members() && self.host_items().skip_host_member(tag) {
            return Ok(None);
        }
        let access = self.record.access;
        if self.is_keyword(Keyword::Template) {
            return Ok(self.templates().member_template(tag));
        }
        if self.is_keyword(Keyword::Using) {
            return self.member_using(access).map(Some);
        }
        if self.is_keyword(Keyword::StaticAssert) {
            return self.declarations().member_assertion().map(Some);
        }
        if self.refusals().refuse_member() {
            return Ok(None);
        }
        let first_token = self.pos;
        if let Some(special) = tag.and_then(|tag| self.special_ahead(Some(tag.symbol))) {
            let mut specs = self.special_specs(special)?;
            let declarator = self.special_declarator(special, &mut specs)?;
            return self.methods(access, first_token, specs, declarator).map(Some);
        }
        let specs = self.decl_specs(SpecsOf::Member)?;
        let mut declarators = ThinVec::new();
        if !self.is(Punct::Semi) {
            self.record.declares_friend = specs.friend.is_some();
            if specs.friend.is_some() {
                self.scopes.note_friend();
            }
            let first = self.declarator();
            self.record.declares_friend = false;
            let first = first?;
            let storage = specs.storage.map(|(storage, _)| storage);
            if first.is_function() && storage != Some(Storage::Typedef) {
                return self.methods(access, first_token, specs, first).map(Some);
            }
            match self.member_declarators(storage, first, &mut declarators) {
                Ok(()) => {}
                Err(reported) if declarators.is_empty() => return Err(reported),
                // What could be read stays, so that its uses draw no message.
                Err(_) => {
                    self.skip_statement();
                    let span = self.span_from(start);
                    return Ok(Some(Member::Data(MemberDecl { access, specs, declarators, span })));
                }
            }
        }
        if !self.expect_semi() {
            return Ok(None);
        }
        let span = self.span_from(start);
        Ok(Some(Member::Data(MemberDecl { access, specs, declarators, span })))
    }

    /// `using-declaration = "using" declared-name ["..."] ("," declared-name ["..."])* ";"` among members.
    fn member_using(&mut self, access: Access) -> Parsed<Member> {
        self.bump();
        let mut names = ThinVec::new();
        loop {
            let is_expansion = self.begins_expansion();
            self.push_expanded(&mut names, is_expansion, |p| p.types().declared_name(access))?;
            if self.eat(Punct::Comma).is_none() {
                break;
            }
        }
        self.expect_semi();
        Ok(Member::Using(names))
    }

    /// `declared-name = ["typename"] qualifier name`
    fn declared_name(&mut self, access: Access) -> Parsed<MemberUsing> {
        let is_type = self.eat_keyword(Keyword::Typename).is_some();
        let Some(scope) = self.names().qualifier()? else { return Err(self.expected(Punct::ColonColon)) };
        let name = self.expect_name()?;
        if is_type {
            self.scopes.declare_member_type(name.symbol);
        }
        Ok(MemberUsing { access, scope, name })
    }

    /// `using name = type;` among members.
    fn member_alias(&mut self, access: Access) -> Parsed<Member> {
        let Decl { kind, span } = self.declarations().alias()?;
        let DeclKind::Declarators { specs, declarators } = kind else {
            return Err(self.expected(Punct::Semi));
        };
        let names = declarators.iter().filter_map(|declared| declared.declarator.name);
        names.for_each(|name| self.parser.scopes.declare_member_type(name.symbol));
        let member = |declared: InitDeclarator| {
            let InitDeclarator { declarator, init } = declared;
            MemberDeclarator { declarator, bit_width: None, init }
        };
        let declarators = declarators.into_iter().map(member).collect();
        Ok(Member::Data(MemberDecl { access, specs, declarators, span }))
    }

    /// `access-specifier = ("public" | "protected" | "private") ":"`
    fn access_specifier(&mut self) -> bool {
        let access = match self.kind() {
            TokenKind::Keyword(Keyword::Public) => Access::Public,
            TokenKind::Keyword(Keyword::Protected) => Access::Protected,
            TokenKind::Keyword(Keyword::Private) => Access::Private,
            _ => return false,
        };
        self.record.access = access;
        self.bump();
        if self.eat(Punct::Colon).is_none() {
            self.expected(Punct::Colon);
        }
        true
    }

    /// `member-declarator = declarator [":" conditional attribute*] ["=" initializer | braced-list]`, of which the first declarator has
    /// been read.
    fn member_declarators(
        &mut self,
        storage: Option<Storage>,
        first: Declarator,
        declarators: &mut ThinVec<MemberDeclarator>,
    ) -> Parsed<()> {
        let mut declarator = first;
        loop {
            let bit_width = match self.eat(Punct::Colon) {
                Some(_) => Some(self.expressions().assignment_without_eq()?),
                None => None,
            };
            if bit_width.is_some() {
                let mut behind = ThinVec::new();
                while self.attributes(&mut behind)? {}
                // There it has no effect, to nvcc.
                behind.retain(|attr| !self.is_mode(attr));
                declarator.attrs.extend(behind);
            }
            let init = match self.kind() {
                TokenKind::Punct(Punct::Eq) => {
                    self.bump();
                    Some(self.expressions().initializer()?)
                }
                TokenKind::Punct(Punct::LBrace) => Some(self.expressions().initializer()?),
                _ => None,
            };
            if let (true, Some(name)) = (storage == Some(Storage::Typedef), declarator.name) {
                self.scopes.declare_member_type(name.symbol);
            }
            declarators.push(MemberDeclarator { declarator, bit_width, init });
            if self.eat(Punct::Comma).is_none() {
                return Ok(());
            }
            declarator = self.declarator()?;
            if declarator.is_function() && storage != Some(Storage::Typedef) {
                return Err(self.several_methods(declarator.span));
            }
        }
    }

    fn is_mode(&self, attr: &Attr) -> bool {
        matches!(&attr.kind, AttrKind::Gnu { name, .. }
            if self.interner.spelling(name.symbol).trim_matches('_') == "mode")
    }

    /// `enum = "enum" ["class" | "struct"] attribute* [["::"] (identifier "::")* identifier] [":" type-name] ["{" enumerators "}"]`
    pub(super) fn enum_spec(&mut self) -> Parsed<TypeSpec> {
        let keyword = self.bump().span;
        let scoped = self.eat_keyword(Keyword::Class).or_else(|| self.eat_keyword(Keyword::Struct));
        let mut attrs = ThinVec::new();
        while self.attributes(&mut attrs)? {}
        let namespace = self.names_ref().scope_at(0);
        let scope = self.names().qualifier()?;
        let tag = self.eat_ident();
        let underlying = if self.is(Punct::Colon) && self.begins_type_at(1) {
            self.bump();
            Some(Box::new(self.type_name()?.0))
        } else {
            None
        };
        let is_known =
            scope.is_some() || tag.is_some_and(|tag| self.scopes.meaning(tag.symbol) == Meaning::Type);
        let left = self.names().enter_tag_scope(namespace.filter(|_| scope.is_some()));
        if let Some(tag) = tag.filter(|_| scope.is_none() || left.is_some()) {
            self.parser.scopes.declare_tag(tag.symbol, self.is(Punct::LBrace));
        }
        let enumerators = if self.is(Punct::LBrace) || !is_known && self.lacks_enumerator_brace() {
            if !self.is(Punct::LBrace) {
                self.expected(Punct::LBrace);
            }
            let enumerators = self.measured(|p| p.enumerators(scoped)).map(|(enumerators, _)| enumerators);
            if let Some(namespace) = left {
                self.scopes.go_to_namespace(namespace);
            }
            Some(enumerators?)
        } else if tag.is_none() {
            let message = format!("expected a name or `{{`, found {}", self.describe());
            return Err(self.parser.error(Diagnostic::new(Code::ExpectedIdentifier, self.span(), message)));
        } else {
            None
        };
        Ok(TypeSpec::Enum(Box::new(EnumSpec { keyword, scoped, attrs, scope, tag, underlying, enumerators })))
    }

    /// Whether enumerators follow, without the `{` before them.
    fn lacks_enumerator_brace(&self) -> bool {
        let goes_on = matches!(self.kind_at(1), TokenKind::Punct(Punct::Comma | Punct::Eq));
        matches!(self.kind(), TokenKind::Ident(_)) && goes_on && self.has_unmatched_brace_ahead()
    }

    /// `enumerators = enumerator ("," enumerator)* [","]`
    fn enumerators(&mut self, scoped: Option<Span>) -> Parsed<ThinVec<Enumerator>> {
        let open = self.eat(Punct::LBrace).unwrap_or(self.prev_span().end());
        let inside = self.pos;
        let mut enumerators = ThinVec::new();
        while !self.is(Punct::RBrace) {
            match self.enumerator(scoped) {
                Ok(enumerator) => enumerators.push(enumerator),
                Err(reported) => {
                    self.skip_to_close(inside, reported)?;
                    return Ok(enumerators);
                }
            }
            if self.eat(Punct::Comma).is_none() {
                if !matches!(self.kind(), TokenKind::Ident(_)) {
                    break;
                }
                // Another one, and the comma is missing.
                self.expected_comma();
            }
        }
        if let Err(reported) = self.expect_close(Punct::RBrace, open) {
            self.skip_to_close(inside, reported)?;
        }
        Ok(enumerators)
    }

    /// `enumerator = identifier attribute* ["=" conditional]`
    fn enumerator(&mut self, scoped: Option<Span>) -> Parsed<Enumerator> {
        let name = self.expect_ident("the name of an enumerator")?;
        let mut attrs = ThinVec::new();
        while self.attributes(&mut attrs)? {}
        let value = match self.eat(Punct::Eq) {
            Some(_) => Some(self.expressions().assignment()?),
            None => None,
        };
        if scoped.is_none() {
            self.scopes.declare(name.symbol, Meaning::Ordinary);
        }
        Ok(Enumerator { name, attrs, value })
    }
}
