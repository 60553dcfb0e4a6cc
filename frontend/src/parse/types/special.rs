//! Constructors, destructors and conversion functions (C++17 15): no type is before their names.

use thin_vec::ThinVec;

use super::SpecsOf;
use super::keyword::is_attr;
use crate::ast::{DeclSpecs, Declarator, MemberInit, Name, Special, TypeName};
use crate::parse::{Parsed, Types};
use crate::token::{Keyword, Punct, Symbol, TokenKind};

impl Types<'_> {
    /// What kind of member function comes next, if it is one without a type before its name. `class` is the name of the class whose members
    /// are read; elsewhere such a function has a qualified name.
    pub(in crate::parse) fn special_ahead(&self, class: Option<Symbol>) -> Option<Special> {
        use Keyword as K;
        let mut at = self.pos;
        loop {
            match self.kind_of(at) {
                TokenKind::Keyword(
                    K::Inline | K::GnuInline | K::GnuInline2 | K::Constexpr | K::Explicit | K::Extension,
                ) => at += 1,
                // `__launch_bounds__(…)`, `__attribute__((…))`
                TokenKind::Keyword(keyword) if is_attr(keyword) => at = self.behind_attr(at),
                _ => break,
            }
        }
        let mut last = class;
        if class.is_none() {
            let mut is_qualified = false;
            loop {
                match (self.kind_of(at), self.kind_of(at + 1)) {
                    (TokenKind::Punct(Punct::ColonColon), _) if !is_qualified => at += 1,
                    (TokenKind::Ident(symbol), TokenKind::Punct(Punct::ColonColon)) => {
                        last = Some(symbol);
                        is_qualified = true;
                        at += 2;
                    }
                    (TokenKind::Ident(symbol), TokenKind::Punct(Punct::Lt))
                        if self.scopes.is_type_template(symbol) || is_qualified =>
                    {
                        let Some(end) = self.templates_ref().end_of_angles(at + 1) else { break };
                        if self.kind_of(end) != TokenKind::Punct(Punct::ColonColon) {
                            break;
                        }
                        last = Some(symbol);
                        is_qualified = true;
                        at = end + 1;
                    }
                    _ => break,
                }
            }
            if !is_qualified {
                return None;
            }
        }
        match self.kind_of(at) {
            TokenKind::Punct(Punct::Tilde) => Some(Special::Destructor),
            TokenKind::Keyword(K::Operator) => {
                (!matches!(self.kind_of(at + 1), TokenKind::Punct(punct) if punct != Punct::ColonColon))
                    .then_some(Special::Conversion)
            }
            TokenKind::Ident(symbol) if Some(symbol) == last => {
                let opens = self.kind_of(at + 1) == TokenKind::Punct(Punct::LParen);
                // `S (*p);` is a member, too rare to be told apart by more.
                let is_pointer = matches!(
                    self.kind_of(at + 2),
                    TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp)
                );
                (opens && !is_pointer).then_some(Special::Constructor)
            }
            _ => None,
        }
    }

    /// The token behind an attribute with its arguments.
    fn behind_attr(&self, at: usize) -> usize {
        match self.kind_of(at + 1) {
            TokenKind::Punct(Punct::LParen) => self.matching(at + 1).unwrap_or(at + 1),
            _ => at + 1,
        }
    }

    /// `special-specifiers = ("inline" | "constexpr" | "explicit" | attribute)*`, before the name of a special member.
    pub(in crate::parse) fn special_specs(&mut self, special: Special) -> Parsed<DeclSpecs> {
        let mut specs = self.decl_specs(SpecsOf::Special)?;
        specs.special = Some(special);
        Ok(specs)
    }

    /// `special-declarator = [qualifier] (["~"] identifier | "operator" conversion-type) parameters`
    pub(in crate::parse) fn special_declarator(
        &mut self,
        special: Special,
        specs: &mut DeclSpecs,
    ) -> Parsed<Declarator> {
        self.type_facts.special = Some(special);
        let declarator = self.declarator();
        self.type_facts.special = None;
        let converts_to = self.type_facts.converts_to.take();
        let mut declarator = declarator?;
        if let Some(TypeName { specs: of, declarator: abstract_, .. }) = converts_to {
            (specs.ty, specs.ty_span, specs.quals) = (of.ty, of.ty_span, of.quals);
            declarator.chunks.extend(abstract_.chunks);
        }
        if !declarator.is_function() {
            return Err(self.expected(Punct::LParen));
        }
        Ok(declarator)
    }

    /// The name of a special member: `S`, `~S`, `operator T`.
    pub(super) fn special_name(&mut self) -> Parsed<Name> {
        let start = self.span();
        match self.kind() {
            TokenKind::Punct(Punct::Tilde) => {
                self.bump();
                let symbol = self.expect_ident("the name of the class")?.symbol;
                Ok(Name { symbol, span: self.span_from(start) })
            }
            TokenKind::Keyword(Keyword::Operator) => {
                self.bump();
                let converts_to = self.conversion_type()?;
                self.type_facts.converts_to = Some(converts_to);
                let symbol = Keyword::Operator.symbol();
                Ok(Name { symbol, span: self.span_from(start) })
            }
            _ => self.expect_ident("the name of the class"),
        }
    }

    /// `conversion-type = type-specifiers pointer*`
    pub(in crate::parse) fn conversion_type(&mut self) -> Parsed<TypeName> {
        let special = self.type_facts.special.take();
        let specs = self.decl_specs(SpecsOf::TypeName)?;
        let mut declarator = self.empty_declarator(self.span().start());
        self.pointers(&mut declarator)?;
        declarator.chunks.reverse();
        self.type_facts.special = special;
        Ok(TypeName { specs, declarator, span: self.prev_span() })
    }

    /// `member-initializers = ":" member-initializer ["..."] ("," member-initializer ["..."])*`,
    /// `member-initializer = [qualifier] identifier ("(" arguments ")" | braced-list)`
    pub(in crate::parse) fn member_initializers(&mut self) -> Parsed<ThinVec<MemberInit>> {
        let mut inits = ThinVec::new();
        if self.eat(Punct::Colon).is_none() {
            return Ok(inits);
        }
        loop {
            let is_expansion = self.is_expanded_initializer();
            self.push_expanded(&mut inits, is_expansion, |p| p.types().member_initializer())?;
            if self.eat(Punct::Comma).is_none() {
                return Ok(inits);
            }
        }
    }

    fn member_initializer(&mut self) -> Parsed<MemberInit> {
        let (start, first) = (self.span(), self.pos);
        let mut at = first;
        while let TokenKind::Ident(_) | TokenKind::Punct(Punct::ColonColon) = self.kind_of(at) {
            at += 1;
        }
        let is_instance = at > first && self.kind_of(at) == TokenKind::Punct(Punct::Lt);
        let (mut scope, mut ty) = (None, None);
        let name = match self.kind_of(at.saturating_sub(1)) {
            TokenKind::Ident(symbol) if is_instance || self.scopes.is_type_pack(symbol) => {
                let name = Name { symbol, span: self.tokens[at - 1].span };
                let specs = self.decl_specs(SpecsOf::TypeName)?;
                let declarator = self.empty_declarator(self.prev_span().end());
                ty = Some(Box::new(TypeName { specs, declarator, span: self.span_from(start) }));
                name
            }
            _ => {
                scope = self.names().qualifier()?;
                self.expect_ident("the name of a member or a base class")?
            }
        };
        let init = match self.kind() {
            TokenKind::Punct(Punct::LBrace) => self.expressions().direct_list()?,
            TokenKind::Punct(Punct::LParen) => self.declarations().parenthesized_initializer()?,
            _ => return Err(self.expected(Punct::LParen)),
        };
        Ok(MemberInit { ty, scope, name, init, span: self.span_from(start) })
    }

    /// Goes past member initializers, to the `{` of the body.
    pub(in crate::parse) fn skip_member_initializers(&mut self) {
        if self.eat(Punct::Colon).is_none() {
            return;
        }
        // `name(…)`, `name{…}`: a brace that nothing is before opens the body.
        let mut is_named = false;
        loop {
            match self.kind() {
                TokenKind::Punct(Punct::LBrace) if !is_named => return,
                TokenKind::Punct(Punct::LParen | Punct::LBrace) => {
                    self.skip_balanced();
                    is_named = false;
                }
                TokenKind::Punct(Punct::Semi | Punct::RBrace) | TokenKind::Eof => return,
                TokenKind::Ident(_) | TokenKind::Punct(Punct::Gt | Punct::Shr) => {
                    is_named = true;
                    self.bump();
                }
                _ => _ = self.bump(),
            }
        }
    }
}
