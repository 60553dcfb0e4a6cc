//! Templates: which tokens they are, and the arguments after their names (C++17 clause 17).
//!
//! nvcc takes a template for its tokens until something instantiates it, and so does the parser: it finds where one ends by
//! brackets, and takes the parameters apart. [`declared`]: what it declares; [`guide`]: deduction guides; [`again`] reads the tokens of an instance, [`expansion`] the elements of packs.

pub(super) mod again;
mod declared;
pub(super) mod expansion;
pub(super) mod guide;
mod member;

use std::ops::Range;
use std::rc::Rc;

use thin_vec::ThinVec;

use self::expansion::Expanded;
use super::height::Bounded;
use super::name::scope::Meaning;
use super::{Parsed, Templates};
use crate::ast::{
    Decl, DeclKind, ExprId, ExprKind, Name, TemplateArg, TemplateArgsId, TemplateDecl, TemplateKind,
    TemplateParam, TemplateParamKind,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::source::Span;
use crate::token::{Keyword, Punct, Token, TokenKind};

impl Templates<'_> {
    /// `template-declaration = "template" "<" [template-parameters] ">" declaration | "template" declaration`
    ///
    /// False: nothing was taken, and it is to be refused.
    pub(super) fn template_declaration(&mut self) -> Parsed<bool> {
        let start = self.span();
        if let Some(linkage) = self.declaration_facts.extern_c {
            let message = "templates must have C++ linkage";
            let diagnostic = Diagnostic::new(Code::InvalidTemplate, start, message)
                .with_label(linkage, "within this language linkage specification");
            self.sink.error(diagnostic);
            self.refusals().skip_template();
            return Ok(true);
        }
        if !self.is_at(1, Punct::Lt) {
            return self.instantiation();
        }
        let Some(close) = self.closing_angle(self.pos + 1) else { return self.broken_params() };
        if close == self.pos + 2 {
            return self.specialization();
        }
        let Some(declared) = self.declared(close) else { return Ok(false) };
        let end = declared.end;
        let Some(params) = self.template_params(self.pos + 2..close) else { return self.broken_params() };
        if declared.may_be_of_host {
            self.host_items().keep_item_text();
        }
        let of = declared.of.clone().map(|of| self.with_end(of));
        let tokens = self.kept_tokens(close + 1..end);
        let (name, kind) = (declared.name, declared.kind);
        let before_end = end - 1 - usize::from(self.kind_of(end - 1) == TokenKind::Punct(Punct::Semi));
        let is_definition = match kind {
            TemplateKind::Function => self.kind_of(end - 1) == TokenKind::Punct(Punct::RBrace),
            TemplateKind::Class { .. } => self.kind_of(before_end) == TokenKind::Punct(Punct::RBrace),
            TemplateKind::Alias
            | TemplateKind::Variable
            | TemplateKind::Member
            | TemplateKind::Guide { .. } => true,
        };
        let may_be_of_host = declared.may_be_of_host && self.dialect.host_code.is_skipped();
        let inner = match self.inner_template(close + 1, end, &declared) {
            Ok(inner) => inner,
            Err(()) => return self.broken_params(),
        };
        let template = TemplateDecl { name, params, tokens, is_definition, kind, of, may_be_of_host, inner };
        if kind == TemplateKind::Function && template.is_kernel() {
            self.kernels.insert(name.symbol);
            self.launchers.insert(name.symbol);
        }
        self.note_types(&declared);
        let is_known = template.of.is_some();
        match kind {
            TemplateKind::Function | TemplateKind::Variable if !is_known => {
                self.scopes.declare(name.symbol, Meaning::Template);
            }
            TemplateKind::Class { .. } | TemplateKind::Alias if !is_known => {
                self.scopes.declare(name.symbol, Meaning::TypeTemplate);
            }
            _ => {}
        }
        self.go_to(end);
        if matches!(kind, TemplateKind::Class { .. })
            && self.kind_of(end - 1) == TokenKind::Punct(Punct::RBrace)
        {
            self.expect_semi();
        }
        let span = self.span_from(start);
        self.unit.decls.push(Decl { kind: DeclKind::Template(Rc::new(template)), span });
        Ok(true)
    }

    /// The template that a definition outside of a class template has after its own parameters.
    fn inner_template(
        &mut self,
        start: usize,
        end: usize,
        declared: &declared::Declared,
    ) -> Result<Option<Rc<TemplateDecl>>, ()> {
        if self.kind_of(start) != TokenKind::Keyword(Keyword::Template) {
            return Ok(None);
        }
        let close = self.closing_angle(start + 1).ok_or(())?;
        let params = self.template_params(start + 2..close).ok_or(())?;
        let tokens = self.kept_tokens(close + 1..end);
        let (name, may_be_of_host) = (declared.name, declared.may_be_of_host);
        let kind = TemplateKind::Function;
        let inner = TemplateDecl {
            name,
            params,
            tokens,
            is_definition: true,
            kind,
            of: None,
            may_be_of_host,
            inner: None,
        };
        Ok(Some(Rc::new(inner)))
    }

    /// Reports what follows a parameter, if it is neither a comma nor `>`.
    fn broken_params(&mut self) -> Parsed<bool> {
        let is_type = matches!(self.kind_at(2), TokenKind::Keyword(Keyword::Class | Keyword::Typename));
        let is_named = matches!(self.kind_at(3), TokenKind::Ident(_));
        let is_word = matches!(self.kind_at(4), TokenKind::Keyword(_) | TokenKind::Ident(_));
        if !is_type || !is_named || !is_word {
            return Ok(false);
        }
        let span = self.tokens[self.pos + 4].span;
        let message = "expected `,` or `>` in template parameter list";
        self.sink.error(Diagnostic::new(Code::ExpectedToken, span, message));
        let item = self.host_items().scan_item();
        for &name in &item.names {
            self.declarations().declare_refused(name, Meaning::Ordinary);
        }
        self.go_to(item.end);
        Ok(true)
    }

    /// `extern template declaration;` makes nothing, and what another object would have is made here where it is used (C++17 17.7.2p2).
    pub(super) fn instantiation_elsewhere(&mut self) -> bool {
        let begins = self.is_keyword(Keyword::Extern)
            && self.kind_at(1) == TokenKind::Keyword(Keyword::Template)
            && !self.is_at(2, Punct::Lt);
        if begins {
            let item = self.host_items().scan_item();
            if self.kind_of(item.end - 1) != TokenKind::Punct(Punct::Semi) {
                let message = "expected a declaration that ends in `;` after `extern template`";
                let span = self.span();
                self.refuse(Code::ExpectedToken, span, message);
            }
            self.go_to(item.end);
        }
        begins
    }

    /// `explicit-instantiation = "template" declaration` (C++17 17.7.2)
    fn instantiation(&mut self) -> Parsed<bool> {
        let start = self.span();
        if self.kind_at(1) == TokenKind::Keyword(Keyword::Template) {
            return Ok(false);
        }
        self.note_host();
        self.bump();
        self.parser.is_special = true;
        let decl = self.declarations().declaration(true);
        self.parser.is_special = false;
        self.parser.is_special_of_host = false;
        let decl = decl?;
        let span = self.span_from(start);
        self.unit.decls.push(Decl { kind: DeclKind::Instantiation(Box::new(decl.kind)), span });
        Ok(true)
    }

    /// Notes whether the explicit specialization or instantiation that begins here may be the host's.
    fn note_host(&mut self) {
        let is_of_host = self.dialect.host_code.is_skipped() && !self.host_items_ref().scan_item().is_device;
        self.parser.is_special_of_host = is_of_host;
    }

    /// `explicit-specialization = "template" "<" ">" declaration` (C++17 17.7.3)
    fn specialization(&mut self) -> Parsed<bool> {
        let start = self.span();
        if self.kind_at(3) == TokenKind::Keyword(Keyword::Template) {
            return Ok(false);
        }
        self.note_host();
        (0..3).for_each(|_| {
            self.bump();
        });
        self.parser.is_special = true;
        let decl = self.declarations().declaration(true);
        self.parser.is_special = false;
        self.parser.is_special_of_host = false;
        let decl = decl?;
        let span = self.span_from(start);
        self.unit.decls.push(Decl { kind: DeclKind::Specialization(Box::new(decl.kind)), span });
        Ok(true)
    }

    /// The name of the operator that is declared among the tokens.
    pub(super) fn operator_among(&self, mut range: Range<usize>) -> Option<Name> {
        let at = range.find(|&at| self.kind_of(at) == TokenKind::Keyword(Keyword::Operator))?;
        let TokenKind::Punct(punct) = self.kind_of(at + 1) else { return None };
        let span = self.tokens[at].span.to(self.tokens[at + 1].span);
        Some(Name { symbol: punct.operator_name()?, span })
    }

    /// The tokens with the pragmas among them, and an end. The pragmas are the instances' affair.
    pub(super) fn kept_tokens(&mut self, range: Range<usize>) -> Vec<Token> {
        let mut kept = Vec::with_capacity(range.len() + 1);
        let mut at = range.start;
        for idx in 0..self.pragmas.len() {
            let placed = &mut self.parser.pragmas[idx];
            let (before, args, span, pragma) = (placed.before, placed.args, placed.span, placed.pragma);
            if !range.contains(&before) {
                continue;
            }
            placed.is_taken = true;
            kept.extend_from_slice(&self.tokens[at..before]);
            kept.push(Token::new(TokenKind::PragmaStart(pragma), span));
            let line = self.tokens[args..].iter().take_while(|token| token.kind != TokenKind::Eof);
            kept.extend(line);
            at = before;
        }
        kept.extend_from_slice(&self.tokens[at..range.end]);
        kept.push(self.end_of(range.end));
        kept
    }

    /// The tokens and an end.
    fn with_end(&self, range: Range<usize>) -> Vec<Token> {
        let mut tokens = self.tokens[range.clone()].to_vec();
        tokens.push(self.end_of(range.end));
        tokens
    }

    /// An `Eof` in place of the token.
    pub(super) fn end_of(&self, at: usize) -> Token {
        Token { kind: TokenKind::Eof, ..self.tokens[at] }
    }

    /// The parameters between `<` and `>`; none if they are of a form that is not known.
    pub(super) fn template_params(&self, range: Range<usize>) -> Option<Vec<TemplateParam>> {
        let mut params = Vec::new();
        let mut start = range.start;
        while start < range.end {
            let end = self.end_of_argument(start, range.end);
            params.push(self.template_param(start..end)?);
            start = end + 1;
        }
        Some(params)
    }

    /// What of a token that ends the parameters closes `<` within the last one: all but its last `>`.
    fn closing_part(&self, at: usize) -> Option<Token> {
        let token = self.tokens[at];
        let part = match token.kind {
            TokenKind::Punct(Punct::Shr) => Punct::Gt,
            TokenKind::Punct(Punct::LaunchClose) => Punct::Shr,
            _ => return None,
        };
        Some(Token { kind: TokenKind::Punct(part), ..token })
    }

    /// `template-parameter = ("class" | "typename") ["..."] [name] ["=" type] | declaration ["=" value]`
    fn template_param(&self, range: Range<usize>) -> Option<TemplateParam> {
        let mut at = range.start;
        let assigned = self.default_at(range.clone());
        let declared_end = assigned.unwrap_or(range.end);
        let default = assigned.map(|eq| {
            let mut tokens = self.tokens[eq + 1..range.end].to_vec();
            tokens.extend(self.closing_part(range.end));
            tokens.push(self.end_of(range.end));
            tokens
        });
        let span = self.tokens.get(at)?.span.to(self.tokens[declared_end.max(at + 1) - 1].span);
        let is_type = matches!(self.kind_of(at), TokenKind::Keyword(Keyword::Class | Keyword::Typename))
            && !self.is_qualifier_at(at + 1);
        if self.kind_of(at) == TokenKind::Keyword(Keyword::Template) {
            return self.template_template_param(at..declared_end, span, default);
        }
        if is_type {
            at += 1;
            let is_pack = at < declared_end && self.kind_of(at) == TokenKind::Punct(Punct::Ellipsis);
            at += usize::from(is_pack);
            let name = match self.kind_of(at) {
                TokenKind::Ident(symbol) if at < declared_end => {
                    Some(Name { symbol, span: self.tokens[at].span })
                }
                _ => None,
            };
            at += usize::from(name.is_some());
            return (at == declared_end).then_some(TemplateParam {
                name,
                kind: TemplateParamKind::Type,
                is_pack,
                span,
                default,
            });
        }
        let mut tokens = self.tokens[at..declared_end].to_vec();
        if declared_end == range.end {
            tokens.extend(self.closing_part(range.end));
        }
        let is_pack = tokens.iter().any(|token| token.kind == TokenKind::Punct(Punct::Ellipsis));
        tokens.retain(|token| token.kind != TokenKind::Punct(Punct::Ellipsis));
        let name_at = |idx: usize| match tokens[idx].kind {
            TokenKind::Ident(symbol) => Some(Name { symbol, span: tokens[idx].span }),
            _ => None,
        };
        let is_pointer = |idx: usize| {
            matches!(tokens[idx].kind, TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp))
        };
        // `int (*f)(int)`; and `int`, or `T` alone, has no name.
        let inner = (1..tokens.len().saturating_sub(1)).find(|&idx| {
            is_pointer(idx - 1)
                && name_at(idx).is_some()
                && tokens[idx + 1].kind == TokenKind::Punct(Punct::RParen)
        });
        // What `::` leads to is the type.
        let is_qualified = |idx: usize| tokens[idx - 1].kind == TokenKind::Punct(Punct::ColonColon);
        let last = tokens.len().checked_sub(1).filter(|&last| last > 0 && !is_qualified(last));
        // `int f(int)`, `int a[4]`
        let opens =
            |idx: usize| matches!(tokens[idx].kind, TokenKind::Punct(Punct::LParen | Punct::LBracket));
        let decayed = (1..tokens.len().saturating_sub(1))
            .find(|&idx| name_at(idx).is_some() && !is_qualified(idx) && opens(idx + 1));
        let name = inner.or(decayed).or(last).and_then(name_at);
        tokens.push(self.end_of(declared_end));
        Some(TemplateParam { name, kind: TemplateParamKind::Value(tokens), is_pack, span, default })
    }

    /// `"template" "<" parameters ">" ("class" | "typename") [name]`; packs of such are not known.
    fn template_template_param(
        &self,
        range: Range<usize>,
        span: Span,
        default: Option<Vec<Token>>,
    ) -> Option<TemplateParam> {
        let open = range.start + 1;
        let close = self.closing_angle(open).filter(|_| self.kind_of(open) == TokenKind::Punct(Punct::Lt))?;
        let own = self.template_params(open + 1..close)?;
        let is_class =
            matches!(self.kind_of(close + 1), TokenKind::Keyword(Keyword::Class | Keyword::Typename));
        let at = close + 2;
        let name = match self.kind_of(at) {
            TokenKind::Ident(symbol) if at < range.end => Some(Name { symbol, span: self.tokens[at].span }),
            _ => None,
        };
        let is_whole = at + usize::from(name.is_some()) == range.end;
        let kind = TemplateParamKind::Template(own);
        (is_class && is_whole).then_some(TemplateParam { name, kind, is_pack: false, span, default })
    }

    /// Whether the token begins a qualified name: the `typename` before it belongs to the type of a value, as in `typename T::type n` and
    /// `typename S<T>::type n`.
    fn is_qualifier_at(&self, at: usize) -> bool {
        match self.kind_of(at) {
            TokenKind::Punct(Punct::ColonColon) => true,
            TokenKind::Ident(_) => {
                matches!(self.kind_of(at + 1), TokenKind::Punct(Punct::ColonColon | Punct::Lt))
            }
            _ => false,
        }
    }

    /// The `=` of a default argument among the tokens of a parameter.
    fn default_at(&self, range: Range<usize>) -> Option<usize> {
        let mut at = range.start;
        while at < range.end {
            match self.kind_of(at) {
                TokenKind::Punct(Punct::Eq) => return Some(at),
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => {
                    at = self.matching(at).unwrap_or(at + 1);
                }
                _ => at += 1,
            }
        }
        None
    }

    /// The comma that ends what begins at a token, or the end.
    pub(super) fn end_of_argument(&self, start: usize, end: usize) -> usize {
        let mut at = start;
        while at < end {
            match self.kind_of(at) {
                TokenKind::Punct(Punct::Comma) => return at,
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => {
                    at = self.matching(at).unwrap_or(at + 1);
                }
                TokenKind::Punct(Punct::Lt) => at = self.closing_angle(at).map_or(at + 1, |close| close + 1),
                _ => at += 1,
            }
        }
        end
    }

    /// The `>` that closes the `<` at a token, which may be the first half of `>>`; none if nothing closes it in the declaration.
    pub(super) fn closing_angle(&self, open: usize) -> Option<usize> {
        self.scan_angles(open).ok().map(|(close, _)| close)
    }

    /// What follows the list at the `<`: the token with the `>` itself, if that is a part of it alone.
    pub(super) fn end_of_angles(&self, open: usize) -> Option<usize> {
        self.scan_angles(open).ok().map(|(close, is_whole)| close + usize::from(is_whole))
    }

    /// The token that closes the list, and whether it closes no other; where nothing closes it, the token that it cannot go beyond.
    fn scan_angles(&self, open: usize) -> Result<(usize, bool), usize> {
        let (mut at, mut depth) = (open, 0_usize);
        loop {
            let n_closed = match self.kind_of(at) {
                TokenKind::Punct(Punct::Lt) => {
                    depth += usize::from(at == open || self.may_open_list(at));
                    0
                }
                TokenKind::Punct(Punct::Gt) => 1,
                TokenKind::Punct(Punct::Shr) => 2,
                TokenKind::Punct(Punct::LaunchClose) => 3,
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => {
                    at = self.matching(at).ok_or(at)?;
                    continue;
                }
                TokenKind::Punct(Punct::Semi | Punct::RBrace | Punct::RParen | Punct::RBracket)
                | TokenKind::Eof => return Err(at),
                _ => 0,
            };
            if n_closed >= depth {
                return Ok((at, n_closed == depth));
            }
            depth -= n_closed;
            at += 1;
        }
    }

    /// Whether `<` may open a list: it does not follow a variable.
    pub(super) fn may_open_list(&self, at: usize) -> bool {
        match self.kind_of(at - 1) {
            TokenKind::Ident(symbol) => self.scopes.meaning(symbol) != Meaning::Ordinary,
            TokenKind::Keyword(_) => true,
            _ => false,
        }
    }

    /// Whether template arguments follow the name of a template.
    pub(super) fn begins_template_args(&self) -> bool {
        self.is(Punct::Lt) && self.closing_angle(self.pos).is_some()
    }

    /// Reports that nothing closes the template arguments at the `<`.
    pub(super) fn missing_angle(&mut self) -> Reported {
        let open = self.span();
        let at = self.scan_angles(self.pos).err().unwrap_or(self.pos);
        let diagnostic = Diagnostic::new(Code::ExpectedToken, self.tokens[at].span, "expected `>`")
            .with_label(open, "to match this `<`");
        self.parser.error(diagnostic)
    }

    /// The name of a template, which has been read, with its arguments.
    pub(super) fn template_id(&mut self, name: ExprId) -> Parsed<ExprId> {
        let start = self.unit.exprs[name].span;
        let (args, below) = self.nested(|p| p.measured(Self::template_args))?;
        self.parser.push_expr_over(ExprKind::TemplateId { name, args }, self.span_from(start), below)
    }

    /// `template-args = "<" [template-arg ("," template-arg)*] ">"`, `template-arg = (type-name | conditional) ["..."]`
    pub(super) fn template_args(&mut self) -> Parsed<TemplateArgsId> {
        let close = self.closing_angle(self.pos).unwrap_or(self.pos);
        let open = self.bump().span;
        let outer = std::mem::replace(&mut self.parser.angle_end, close);
        let args = self.template_arg_list(close);
        self.parser.angle_end = outer;
        let args = args?;
        self.close_angle(open)?;
        Ok(self.unit.template_args.push(args))
    }

    fn template_arg_list(&mut self, close: usize) -> Parsed<ThinVec<TemplateArg>> {
        let mut args = ThinVec::new();
        if self.pos == close {
            return Ok(args);
        }
        loop {
            if self.begins_expansion() {
                match self.parser.expansion(|p| p.templates().template_arg())? {
                    Expanded::Elements(elements) => args.extend(elements),
                    Expanded::Pattern(TemplateArg::Type(ty)) => args.push(TemplateArg::Types(ty)),
                    Expanded::Pattern(TemplateArg::Value(value)) => args.push(TemplateArg::Values(value)),
                    Expanded::Pattern(pattern) => args.push(pattern),
                }
            } else {
                args.push(self.template_arg()?);
            }
            if self.eat(Punct::Comma).is_none() {
                return Ok(args);
            }
        }
    }

    fn template_arg(&mut self) -> Parsed<TemplateArg> {
        let types = self.types_ref();
        let is_type = types.begins_type_at(0)
            && (!types.is_functional_cast() || types.is_function_type())
            && !self.begins_value_of_decltype()
            || self.is_keyword(Keyword::Typename)
            || self.names_ref().is_template_argument();
        Ok(match is_type {
            true => TemplateArg::Type(self.nested(|p| p.types().kept_type_name())?.0),
            false => TemplateArg::Value(self.nested(|p| p.expressions().template_value())?),
        })
    }

    /// Whether `decltype(…)::name` is an operand: an operator follows, or it ends in a template, where types need `typename`.
    fn begins_value_of_decltype(&self) -> bool {
        if !self.is_keyword(Keyword::Decltype) {
            return false;
        }
        let Some(after) = self.matching(self.pos + 1) else { return false };
        let mut at = after;
        while self.kind_of(at) == TokenKind::Punct(Punct::ColonColon)
            && matches!(self.kind_of(at + 1), TokenKind::Ident(_))
        {
            at += 2;
        }
        let TokenKind::Punct(punct) = self.kind_of(at) else { return false };
        let is_operand = matches!(
            self.kind_of(at + 1),
            TokenKind::Number(_) | TokenKind::Ident(_) | TokenKind::Punct(Punct::LParen)
        );
        at > after
            && match punct {
                Punct::Comma | Punct::Gt | Punct::Shr | Punct::LaunchClose => self.is_again,
                // They follow types, too.
                Punct::Star | Punct::Amp | Punct::AmpAmp => is_operand,
                Punct::Plus
                | Punct::Minus
                | Punct::Slash
                | Punct::Percent
                | Punct::EqEq
                | Punct::Ne
                | Punct::Le
                | Punct::Ge
                | Punct::Lt
                | Punct::Shl
                | Punct::Pipe
                | Punct::PipePipe
                | Punct::Caret
                | Punct::Question => true,
                _ => false,
            }
    }

    /// Takes a `>`, or the first half of a token that begins with one.
    fn close_angle(&mut self, open: Span) -> Parsed<()> {
        let rest = match self.kind() {
            TokenKind::Punct(Punct::Shr) => Punct::Gt,
            TokenKind::Punct(Punct::LaunchClose) => Punct::Shr,
            _ => return self.expect_close(Punct::Gt, open).map(|_| ()),
        };
        let pos = self.pos;
        self.parser.note_split(pos);
        let token = &mut self.parser.tokens[pos];
        token.kind = TokenKind::Punct(rest);
        token.span.lo += 1;
        self.go_to(pos);
        Ok(())
    }
}
