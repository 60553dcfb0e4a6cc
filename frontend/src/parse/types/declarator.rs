//! Declarators (C17 6.7.6, 6.7.7; C++17 11.3).
//!
//! A declarator is read inside out into a flat list: what follows a name binds tighter than the `*`
//! before it, parentheses turn that round.

use thin_vec::ThinVec;

use super::SpecsOf;
use crate::ast::{
    Chunk, ChunkKind, Declarator, FunctionChunk, Name, Noexcept, OfPack, ParamDecl, QualSpecs, TypeName,
    TypeNameId,
};
use crate::diag::{Code, Diagnostic};
use crate::ir::RefKind;
use crate::limits::MAX_NESTING;
use crate::parse::height::Bounded;
use crate::parse::name::scope::{Meaning, PackLen};
use crate::parse::template::expansion::Expanded;
use crate::parse::{Parsed, Parser, Types};
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// It must, unless a `:` of a bit-field follows.
    Named,
    /// It may: a parameter's.
    Maybe,
    /// It may not: a type name's.
    Abstract,
}

impl Types<'_> {
    /// `declarator = pointer* direct-declarator [asm-label] attribute*`
    pub(in crate::parse) fn declarator(&mut self) -> Parsed<Declarator> {
        self.any_declarator(Naming::Named)
    }

    pub(super) fn abstract_declarator(&mut self) -> Parsed<Declarator> {
        self.any_declarator(Naming::Abstract)
    }

    pub(in crate::parse) fn empty_declarator(&self, span: Span) -> Declarator {
        Declarator {
            name: None,
            scope: None,
            template_args: None.into(),
            chunks: ThinVec::new(),
            asm_label: None,
            attrs: ThinVec::new(),
            n_inner_attrs: 0,
            span,
        }
    }

    fn any_declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        match self.short_declarator(naming) {
            Some(declarator) => Ok(declarator),
            None => self.long_declarator(naming),
        }
    }

    /// The same of a declarator that may have more to it.
    #[inline(never)]
    fn long_declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let (first, start) = (self.pos, self.span());
        let mut declarator = self.empty_declarator(start);
        let result = self.declarator_part(naming, &mut declarator).and_then(|()| {
            declarator.n_inner_attrs = declarator.attrs.len() as u32;
            match naming {
                Naming::Named | Naming::Maybe => self.declarator_tail(&mut declarator),
                Naming::Abstract => Ok(()),
            }
        });
        // What was not understood has a name all the same.
        let is_broken = std::mem::take(&mut self.type_facts.has_broken_params) || result.is_err();
        if let (true, Some(name)) = (is_broken, declarator.name) {
            self.declarations().declare_refused(name, Meaning::Ordinary);
        }
        result?;
        declarator.span = self.span_from(start);
        if self.pos == first {
            declarator.span = start.start();
        }
        if declarator.chunks.len() > MAX_NESTING as usize {
            return Err(self.too_deep(declarator.span));
        }
        Ok(declarator)
    }

    /// A name alone, and in a type name nothing at all, as most declarators are: the shorter way to the same.
    fn short_declarator(&mut self, naming: Naming) -> Option<Declarator> {
        if naming == Naming::Abstract {
            return self.is(Punct::RParen).then(|| self.empty_declarator(self.span().start()));
        }
        let TokenKind::Ident(symbol) = self.kind() else { return None };
        let TokenKind::Punct(Punct::Eq | Punct::Semi | Punct::Comma | Punct::RParen) = self.kind_at(1) else {
            return None;
        };
        let span = self.bump().span;
        Some(Declarator { name: Some(Name { symbol, span }), ..self.empty_declarator(span) })
    }

    /// `[asm-label] attribute*`
    fn declarator_tail(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        loop {
            match self.kind() {
                TokenKind::Keyword(Keyword::Asm | Keyword::GnuAsm | Keyword::GnuAsm2) => {
                    let start = self.bump().span;
                    let open = self.expect(Punct::LParen)?;
                    if !matches!(self.kind(), TokenKind::Str(_)) {
                        let message = format!("expected a string literal, found {}", self.describe());
                        return Err(self.parser.error(Diagnostic::new(
                            Code::ExpectedToken,
                            self.span(),
                            message,
                        )));
                    }
                    let label = self.expressions().string_literal()?;
                    self.expect_close(Punct::RParen, open)?;
                    declarator.asm_label = Some((label, self.span_from(start)));
                }
                // A `{` or `;` is missing before it, and the next declaration begins.
                TokenKind::Keyword(
                    Keyword::Shared | Keyword::Device | Keyword::Global | Keyword::Constant | Keyword::Host,
                ) if self.token().at_line_start => return Ok(()),
                TokenKind::Keyword(Keyword::Shared) if declarator.is_function() => return Ok(()),
                _ if self.attributes(&mut declarator.attrs)? => {}
                _ => return Ok(()),
            }
        }
    }

    /// `pointer = ("*" | "&" | "&&") (qualifier | attribute)*`
    fn declarator_part(&mut self, naming: Naming, into: &mut Declarator) -> Parsed<()> {
        let first = into.chunks.len();
        self.any_pointers(naming, into)?;
        let n_pointers = into.chunks.len() - first;
        self.direct_declarator(naming, into)?;
        // What follows the name comes first, and then the pointers from the last to the first.
        if n_pointers > 0 {
            into.chunks[first..].rotate_left(n_pointers);
            let behind = into.chunks.len() - n_pointers;
            into.chunks[behind..].reverse();
        }
        Ok(())
    }

    /// `pointer*` of a type
    pub(super) fn pointers(&mut self, into: &mut Declarator) -> Parsed<()> {
        self.any_pointers(Naming::Abstract, into)
    }

    fn any_pointers(&mut self, naming: Naming, into: &mut Declarator) -> Parsed<()> {
        loop {
            let start = self.span();
            let reference = match self.kind() {
                TokenKind::Punct(Punct::Star) => None,
                TokenKind::Punct(Punct::Amp) => Some(RefKind::Lvalue),
                TokenKind::Punct(Punct::AmpAmp) => Some(RefKind::Rvalue),
                TokenKind::Keyword(keyword)
                    if super::keyword::is_attr(keyword) && naming != Naming::Abstract =>
                {
                    self.attributes(&mut into.attrs)?;
                    continue;
                }
                _ => return Ok(()),
            };
            self.bump();
            let mut quals = QualSpecs::default();
            while self.qualifier(&mut quals) || self.attributes(&mut into.attrs)? {}
            let kind = match reference {
                Some(kind) => ChunkKind::Reference(kind, quals),
                None => ChunkKind::Pointer(quals),
            };
            into.chunks.push(Chunk { kind, span: self.span_from(start) });
        }
    }

    /// `direct-declarator = (["..."] identifier attribute* | "(" declarator ")")? (array | parameters)*`
    fn direct_declarator(&mut self, naming: Naming, into: &mut Declarator) -> Parsed<()> {
        if naming == Naming::Maybe && self.is(Punct::Ellipsis) && self.declares_pack(into) {
            self.type_facts.ellipsis = Some(self.bump().span);
        }
        match self.kind() {
            TokenKind::Ident(_) | TokenKind::Punct(Punct::ColonColon)
                if naming == Naming::Named && self.names_ref().is_qualified_declarator() =>
            {
                self.names().qualified_declarator(into)?;
            }
            TokenKind::Ident(symbol) if naming != Naming::Abstract => {
                if self.is_at(1, Punct::ColonColon) {
                    return Err(self.names().refuse_qualified_name());
                }
                self.check_reserved(symbol)?;
                into.name = Some(Name { symbol, span: self.bump().span });
                if self.is(Punct::Lt)
                    && (self.is_special || self.scopes.meaning(symbol) == Meaning::Template)
                    && self.templates_ref().begins_template_args()
                {
                    into.template_args = self.templates().template_args()?.into();
                }
                if self.are_attributes_inside() {
                    while self.attributes(&mut into.attrs)? {}
                }
            }
            TokenKind::Punct(Punct::Tilde) | TokenKind::Keyword(Keyword::Operator)
                if naming == Naming::Named && self.type_facts.special.is_some() =>
            {
                into.name = Some(self.special_name()?);
            }
            TokenKind::Keyword(Keyword::Operator) if naming == Naming::Named => {
                into.name = Some(self.operator_name()?);
            }
            TokenKind::Punct(Punct::LParen) if self.is_inner_declarator(naming) => {
                let open = self.bump().span;
                self.nested(|p| p.declarator_part(naming, into))?;
                self.expect_close(Punct::RParen, open)?;
            }
            _ if naming == Naming::Named && !self.is(Punct::Colon) => {
                let message = format!("expected a name, found {}", self.describe());
                return Err(self.parser.error(Diagnostic::new(
                    Code::ExpectedIdentifier,
                    self.span(),
                    message,
                )));
            }
            _ => {}
        }
        loop {
            match self.kind() {
                // `[[` begins an attribute.
                TokenKind::Punct(Punct::LBracket) if !self.is_at(1, Punct::LBracket) => {
                    let chunk = self.array_chunk()?;
                    into.chunks.push(chunk);
                }
                TokenKind::Punct(Punct::LParen)
                    if self.type_facts.special.is_some() || !self.is_initializer(naming, into) =>
                {
                    self.type_facts.special = None;
                    let is_member = naming == Naming::Named && (self.is_in_record() || into.scope.is_some());
                    let chunk = self.nested(|p| p.function_chunk(is_member))?;
                    into.chunks.push(chunk);
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether the `...` in the place of a name makes the parameter a pack; otherwise, other arguments may follow the parameters.
    fn declares_pack(&self, before: &Declarator) -> bool {
        let is_in_parentheses = !before.chunks.is_empty()
            && self.is_at(1, Punct::RParen)
            && matches!(self.kind_at(2), TokenKind::Punct(Punct::LBracket | Punct::LParen));
        self.pack_facts.is_possible
            && (self.has_named_pack() || is_in_parentheses || matches!(self.kind_at(1), TokenKind::Ident(_)))
    }

    /// A name, which an operator can be.
    pub(in crate::parse) fn expect_name(&mut self) -> Parsed<Name> {
        match self.kind() {
            _ if self.type_facts.special.is_some() => self.special_name(),
            TokenKind::Keyword(Keyword::Operator) => self.operator_name(),
            _ => self.expect_ident("a name"),
        }
    }

    /// `operator-function-id = "operator" operator`
    pub(in crate::parse) fn operator_name(&mut self) -> Parsed<Name> {
        let start = self.span();
        let TokenKind::Punct(punct) = self.kind_at(1) else { return Err(self.refusals().refuse_operator()) };
        let Some(symbol) = punct.operator_name() else { return Err(self.refusals().refuse_operator()) };
        self.bump();
        let open = self.bump().span;
        match punct {
            Punct::LParen => _ = self.expect_close(Punct::RParen, open)?,
            Punct::LBracket => _ = self.expect_close(Punct::RBracket, open)?,
            _ => {}
        }
        Ok(Name { symbol, span: self.span_from(start) })
    }

    /// Whether `(` in the place of a name opens a declarator, not the parameters of an abstract one.
    fn is_inner_declarator(&self, naming: Naming) -> bool {
        match self.kind_at(1) {
            TokenKind::Punct(Punct::RParen | Punct::Ellipsis) => false,
            TokenKind::Punct(Punct::LBracket) => !self.is_at(2, Punct::LBracket),
            TokenKind::Punct(Punct::ColonColon) => !self.begins_type_at(1),
            TokenKind::Punct(_) => true,
            // Only for a declarator that must be named is a type's name a new name.
            TokenKind::Ident(_) => naming == Naming::Named || !self.begins_type_at(1),
            TokenKind::Keyword(keyword) => super::keyword::is_attr(keyword),
            TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::Str(_)
            | TokenKind::Other(_)
            | TokenKind::PragmaStart(_)
            | TokenKind::PragmaEnd
            | TokenKind::Eof => false,
        }
    }

    /// Whether `(` behind a name opens an initializer, as in `int x(3)` (C++17 11.2).
    fn is_initializer(&self, naming: Naming, into: &Declarator) -> bool {
        let names_object = naming == Naming::Named && into.name.is_some();
        let opens_parameters = match self.kind_at(1) {
            TokenKind::Punct(Punct::RParen | Punct::Ellipsis) => true,
            TokenKind::Punct(Punct::LBracket) => self.is_at(2, Punct::LBracket),
            TokenKind::Punct(Punct::ColonColon) => {
                self.begins_type_at(1) && !self.is_call_of_type(1) || self.names_ref().is_unknown_type_path(1)
            }
            TokenKind::Keyword(keyword) => {
                super::keyword::is_attr(keyword)
                    || matches!(
                        keyword,
                        Keyword::Constexpr
                            | Keyword::Register
                            | Keyword::Static
                            | Keyword::Extern
                            | Keyword::Typedef
                            | Keyword::Decltype
                            | Keyword::Typeof
                            | Keyword::Typeof2
                            | Keyword::GnuTypeof2
                            | Keyword::Struct
                            | Keyword::Union
                            | Keyword::Enum
                    )
                    || self.begins_type_at(1) && !self.is_call_of_type(1)
            }
            TokenKind::Ident(symbol) => {
                // An unknown name before another name is a type that is not declared.
                let is_unknown = self.scopes.meaning(symbol) == Meaning::Unknown;
                let is_typed = matches!(self.kind_at(2), TokenKind::Ident(_));
                let is_pointer = self.is_at(2, Punct::Star) && matches!(self.kind_at(3), TokenKind::Ident(_));
                let closes = self.is_at(2, Punct::RParen) || self.is_at(2, Punct::Comma);
                self.begins_type_at(1) && !self.is_call_of_type(1)
                    || is_typed
                    || is_unknown && (is_pointer || closes)
                    || self.names_ref().is_unknown_type_path(1)
            }
            _ => false,
        };
        names_object && !opens_parameters
    }

    /// Whether the type here is the result of a function type, `int(float)`, rather than cast to: what can be a type is one (C++17 17.3p2).
    pub(in crate::parse) fn is_function_type(&self) -> bool {
        let after = self.names_ref().n_type_tokens_at(0);
        self.is_at(after, Punct::LParen)
            && (self.is_at(after + 1, Punct::RParen)
                || self.begins_type_at(after + 1) && !self.is_call_of_type(after + 1))
    }

    /// Whether the type at `ahead` is cast to, as in `int x(float(y) + 1)`. What can be a parameter is one
    /// (C++17 11.2): `float (y)`, `void ()`.
    fn is_call_of_type(&self, ahead: usize) -> bool {
        let after = ahead + self.names_ref().n_type_tokens_at(ahead);
        if !self.is_at(after, Punct::LParen) {
            return self.is_at(after, Punct::LBrace);
        }
        match self.kind_at(after + 1) {
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp | Punct::RParen | Punct::Ellipsis) => {
                false
            }
            TokenKind::Ident(_) | TokenKind::Keyword(_) if self.begins_type_at(after + 1) => {
                self.is_call_of_type(after + 1)
            }
            TokenKind::Ident(_) => {
                let closes = self.is_at(after + 3, Punct::RParen) || self.is_at(after + 3, Punct::Comma);
                !(self.is_at(after + 2, Punct::RParen) && closes)
            }
            _ => true,
        }
    }

    /// `array = "[" [expression] "]"`
    pub(super) fn array_chunk(&mut self) -> Parsed<Chunk> {
        let open = self.bump().span;
        // C's `static` and qualifiers in a parameter's brackets are not C++.
        let len = if self.is(Punct::RBracket) {
            None
        } else {
            Some(self.nested(|p| p.expressions().assignment())?)
        };
        let close = self.expect_close(Punct::RBracket, open)?;
        Ok(Chunk { kind: ChunkKind::Array(len), span: open.to(close) })
    }

    /// `parameters = "(" ["void" | parameter ("," parameter)* [[","] "..."]] ")" qualifier* ["&" | "&&"] [exception-specification] ["->" type-name]`
    ///
    /// Only member functions have qualifiers.
    fn function_chunk(&mut self, is_member: bool) -> Parsed<Chunk> {
        let mut quals = QualSpecs::default();
        let mut ref_qualifier = None;
        let mut chunk = self.parameters_and(|p| {
            if is_member {
                while p.qualifier(&mut quals) {}
                ref_qualifier = match p.kind() {
                    TokenKind::Punct(Punct::Amp) => Some((RefKind::Lvalue, p.bump().span)),
                    TokenKind::Punct(Punct::AmpAmp) => Some((RefKind::Rvalue, p.bump().span)),
                    _ => None,
                };
            }
            Ok(())
        })?;
        if let ChunkKind::Function(function) = &mut chunk.kind {
            (function.quals, function.ref_qualifier) = (quals, ref_qualifier);
        }
        Ok(chunk)
    }

    /// The parameters of a lambda; `then` reads what comes after them and before an exception specification.
    pub(in crate::parse) fn lambda_chunk(
        &mut self,
        then: impl FnOnce(&mut Self) -> Parsed<()>,
    ) -> Parsed<Chunk> {
        self.parameters_and(then)
    }

    fn parameters_and(&mut self, then: impl FnOnce(&mut Self) -> Parsed<()>) -> Parsed<Chunk> {
        let open = self.bump().span;
        let inside = self.pos;
        let (mut params, mut packs, mut variadic) = (ThinVec::new(), ThinVec::new(), None);
        self.scopes.enter_prototype();
        let result = self.parameters(open, &mut params, &mut packs, &mut variadic);
        if result.is_err() {
            self.skip_parameters(inside);
        }
        let span = self.span_from(open);
        let behind = then(self).and_then(|()| self.behind_parameters());
        self.scopes.leave_prototype();
        let (noexcept, trailing) = behind?;
        let quals = QualSpecs::default();
        let function =
            FunctionChunk { params, packs, variadic, noexcept, trailing, quals, ref_qualifier: None };
        Ok(Chunk { kind: ChunkKind::Function(Box::new(function)), span })
    }

    /// `[exception-specification] ["->" type-name]`
    fn behind_parameters(&mut self) -> Parsed<(Option<Noexcept>, Option<Box<TypeName>>)> {
        let noexcept = self.exception_specification()?;
        let trailing = match self.eat(Punct::Arrow) {
            Some(_) => Some(Box::new(self.nested(Self::type_name)?.0)),
            None => None,
        };
        Ok((noexcept, trailing))
    }

    /// `exception-specification = "noexcept" ["(" assignment ")"] | "throw" "(" ")"` (C++17 18.4)
    fn exception_specification(&mut self) -> Parsed<Option<Noexcept>> {
        let start = self.span();
        if self.is_keyword(Keyword::Throw) && self.is_at(1, Punct::LParen) {
            self.bump();
            let open = self.bump().span;
            let close = self.expect_close(Punct::RParen, open)?;
            return Ok(Some(Noexcept { cond: None, span: start.to(close) }));
        }
        if self.eat_keyword(Keyword::Noexcept).is_none() {
            return Ok(None);
        }
        let cond = match self.eat(Punct::LParen) {
            Some(open) => {
                let cond = self.expressions().assignment()?;
                self.expect_close(Punct::RParen, open)?;
                Some(cond)
            }
            None => None,
        };
        Ok(Some(Noexcept { cond, span: self.span_from(start) }))
    }

    /// After a mistake in parameters, to behind their `)`, or where that is missing, to what ends the
    /// declarator. The names among them may be meant for parameters.
    fn skip_parameters(&mut self, inside: usize) {
        self.type_facts.has_broken_params = true;
        let close = inside.checked_sub(1).and_then(|open| self.matching(open));
        let end = close.filter(|&end| end >= self.pos).unwrap_or_else(|| {
            let ends = |kind| {
                matches!(
                    kind,
                    TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace | Punct::Eq)
                        | TokenKind::Eof
                )
            };
            (self.pos..).find(|&idx| ends(self.kind_of(idx))).unwrap_or(self.pos)
        });
        let end = end.min(self.tokens.len() - 1);
        for idx in inside..end {
            if let TokenKind::Ident(symbol) = self.kind_of(idx)
                && self.scopes.meaning(symbol) != Meaning::Type
            {
                self.parser.unit.refused.insert(Name { symbol, span: self.tokens[idx].span });
            }
        }
        self.go_to(end);
    }

    fn parameters(
        &mut self,
        open: Span,
        params: &mut ThinVec<ParamDecl>,
        packs: &mut ThinVec<(Name, Option<u32>)>,
        variadic: &mut Option<Span>,
    ) -> Parsed<()> {
        let is_void = self.is_keyword(Keyword::Void) && self.is_at(1, Punct::RParen);
        if is_void {
            self.bump();
        }
        while !self.is(Punct::RParen) {
            if let Some(span) = self.eat(Punct::Ellipsis) {
                *variadic = Some(span);
                break;
            }
            if self.pack_facts.is_possible {
                self.parameters_of_pack(params, packs)?;
            } else {
                params.push(self.parameter()?);
            }
            // `(int, ...)` and `(int ...)` are the same (C++17 11.3.5).
            if self.eat(Punct::Comma).is_none() && !self.is(Punct::Ellipsis) {
                if !self.begins_type_at(0) {
                    break;
                }
                // Another one, and the comma is missing.
                self.expected_comma();
                continue;
            }
            if self.is(Punct::RParen) {
                let message = "expected a parameter, found `)`";
                return Err(self.parser.error(Diagnostic::new(Code::ExpectedType, self.span(), message)));
            }
        }
        self.expect_close(Punct::RParen, open)?;
        Ok(())
    }

    /// The elements of a parameter that is a pack, or one that is none.
    fn parameters_of_pack(
        &mut self,
        params: &mut ThinVec<ParamDecl>,
        packs: &mut ThinVec<(Name, Option<u32>)>,
    ) -> Parsed<()> {
        let read = |p: &mut Parser<'_>| p.types().parameter();
        let outer = self.type_facts.ellipsis.take();
        let pattern = self.parser.pattern(read);
        let ellipsis = std::mem::replace(&mut self.type_facts.ellipsis, outer);
        let pattern = pattern?;
        let Some(ellipsis) = ellipsis else {
            params.push(self.parser.without_expansion(pattern, read)?);
            return Ok(());
        };
        if !pattern.has_packs() {
            let message = "type of function parameter pack does not contain any unexpanded parameter packs";
            return Err(self.sink.error(Diagnostic::new(Code::InvalidTemplate, ellipsis, message)));
        }
        let name = pattern.value.declarator.name;
        let expanded = self.parser.elements(pattern, ellipsis, read)?;
        self.type_facts.ellipsis = outer;
        let len = match expanded {
            Expanded::Elements(elements) => {
                let len = elements.len() as u32;
                let of_pack = |(idx, param)| ParamDecl { pack: OfPack::Element(idx), ..param };
                params.extend((0..).zip(elements).map(of_pack));
                Some(len)
            }
            Expanded::Pattern(param) => {
                params.push(ParamDecl { pack: OfPack::Whole, ..param });
                None
            }
        };
        if let Some(name) = name {
            packs.push((name, len));
            self.scopes.declare_pack(name.symbol, false, PackLen::of(len));
        }
        Ok(())
    }

    /// `parameter = declaration-specifiers [declarator] ["=" initializer]`
    fn parameter(&mut self) -> Parsed<ParamDecl> {
        let start = self.span();
        let specs = self.decl_specs(SpecsOf::Parameter)?;
        if specs.ty.is_definition() {
            // C++17 11.3.5p11
            self.refuse_type_definition(specs.ty_span);
        }
        let declarator = self.any_declarator(Naming::Maybe)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name.symbol, Meaning::Ordinary);
        }
        let default = match self.eat(Punct::Eq) {
            Some(_) => Some(self.expressions().initializer()?),
            None => None,
        };
        Ok(ParamDecl { specs, declarator, default, pack: OfPack::No, span: self.span_from(start) })
    }

    /// The type of a template's parameter, with the name that it may have.
    pub(in crate::parse) fn parameter_type(&mut self) -> Parsed<TypeNameId> {
        let start = self.span();
        let specs = self.decl_specs(SpecsOf::TypeName)?;
        let declarator = self.any_declarator(Naming::Maybe)?;
        let span = self.span_from(start);
        Ok(self.unit.type_names.push(TypeName { specs, declarator, span }))
    }

    /// Declares the parameters of a function in the scope of its body.
    pub(in crate::parse) fn declare_params(&mut self, declarator: &Declarator) {
        if let Some(Chunk { kind: ChunkKind::Function(function), .. }) = declarator.chunks.first() {
            for name in function.params.iter().filter_map(|param| param.declarator.name) {
                self.scopes.declare(name.symbol, Meaning::Ordinary);
            }
            for &(name, len) in &function.packs {
                self.scopes.declare_pack(name.symbol, false, PackLen::of(len));
            }
        }
    }

    /// Reports names of functions and variables that others could see, and PTX cannot have. Those of types and of
    /// variables in functions are only parts of symbols, in which such letters are written out.
    pub(in crate::parse) fn check_symbol(&mut self, name: Name) {
        let spelling = self.interner.spelling(name.symbol);
        if spelling.is_ascii() {
            return;
        }
        let message = format!("`{spelling}` contains non-ASCII characters, which PTX symbols cannot have");
        self.refuse(Code::UnsupportedUnicodeName, name.span, message);
    }
}
