//! Constructs of CUDA C++ and GNU C that are recognised in order to be refused by name.
//!
//! Each gives one message and is skipped as a whole. What it would declare is known afterwards as
//! refused, so that uses of the name draw no second message.

use super::name::scope::Meaning;
use super::{Parsed, Refusals};
use crate::ast::{Decl, DeclKind, ExprId, Name};
use crate::diag::{Code, Diagnostic, Reported};
use crate::token::{Keyword, Punct, Token, TokenKind};

impl Refusals<'_> {
    /// At file scope: templates, namespaces, `using`, `asm`. Gives whether one was there.
    pub(super) fn refuse_external_construct(&mut self) -> Parsed<bool> {
        let start = self.span();
        match self.kind() {
            TokenKind::Keyword(Keyword::Asm | Keyword::GnuAsm | Keyword::GnuAsm2) => {
                return Err(self.refuse_asm());
            }
            TokenKind::Keyword(Keyword::Inline)
                if self.kind_at(1) == TokenKind::Keyword(Keyword::Namespace) =>
            {
                self.bump();
                self.refuse_namespace();
            }
            _ if self.refuse_block_construct()? => {}
            _ => return Ok(false),
        }
        let span = self.span_from(start);
        self.unit.decls.push(Decl { kind: DeclKind::Error, span });
        Ok(true)
    }

    /// The same within a block.
    pub(super) fn refuse_block_construct(&mut self) -> Parsed<bool> {
        match self.kind() {
            TokenKind::Keyword(Keyword::Template) if self.body_open.is_some() => {
                let message = "templates can only be declared in namespace or class scope";
                self.parser.error(Diagnostic::new(Code::InvalidTemplate, self.span(), message));
                self.skip_template();
            }
            TokenKind::Keyword(Keyword::Template) => self.refuse_template(),
            TokenKind::Keyword(Keyword::Namespace) => self.refuse_namespace(),
            TokenKind::Keyword(Keyword::Using) => {
                let start = self.bump().span;
                let what = if self.is_keyword(Keyword::Namespace) { "using namespace" } else { "using" };
                self.refuse(Code::UnsupportedUsing, start, format!("`{what}` is not supported"));
                self.skip_statement();
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `template <…> declaration`
    fn refuse_template(&mut self) {
        let diagnostic =
            Diagnostic::new(Code::UnsupportedTemplate, self.span(), "templates are not supported")
                .with_help("write the function or struct once for each type that it is used with");
        self.sink.error(diagnostic);
        self.skip_template();
    }

    /// Takes a template that was refused, and remembers its name.
    pub(super) fn skip_template(&mut self) {
        self.bump();
        loop {
            if self.is(Punct::Lt) {
                self.skip_angles();
            }
            if self.eat_keyword(Keyword::Template).is_none() {
                break;
            }
        }
        let is_type = matches!(
            self.kind(),
            TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Union | Keyword::Using)
        );
        let name = self.template_name(is_type);
        if let Some(name) = name {
            self.declarations()
                .declare_refused(name, if is_type { Meaning::Type } else { Meaning::Ordinary });
        }
        // Bases and member initializers stand before the body.
        let first = self.pos;
        self.skip_statement();
        let is_kernel = |token: &Token| token.kind == TokenKind::Keyword(Keyword::Global);
        if let Some(name) = name.filter(|_| !is_type)
            && self.tokens[first..self.pos].iter().any(is_kernel)
        {
            self.kernels.insert(name.symbol);
        }
    }

    /// The name that a template declares: of a struct the first identifier, else the last before
    /// the parameters, the value or the end.
    fn template_name(&self, is_type: bool) -> Option<Name> {
        let mut name = None;
        for token in &self.tokens[self.pos..] {
            match token.kind {
                TokenKind::Ident(symbol) => {
                    name = Some(Name { symbol, span: token.span });
                    if is_type {
                        break;
                    }
                }
                // The arguments of `__launch_bounds__` and `__attribute__` come before the name.
                TokenKind::Punct(Punct::LParen) if name.is_some() => break,
                TokenKind::Punct(Punct::LBrace | Punct::Semi | Punct::Eq | Punct::RBrace)
                | TokenKind::PragmaStart(_)
                | TokenKind::PragmaEnd
                | TokenKind::Eof => break,
                _ => {}
            }
        }
        name
    }

    fn refuse_namespace(&mut self) {
        let start = self.bump().span;
        while matches!(self.kind(), TokenKind::Ident(_) | TokenKind::Punct(Punct::ColonColon)) {
            self.bump();
        }
        let span = self.span_from(start);
        let (code, message) = match self.is(Punct::LBrace) {
            true if self.body_open.is_some() => {
                (Code::ExpectedDeclaration, "namespaces can only be defined in global or namespace scope")
            }
            true => (Code::UnsupportedNamespace, "device code in namespace `std` is not supported"),
            false => (Code::ExpectedDeclaration, "expected the name of a namespace, and `{` or `=` after it"),
        };
        self.refuse(code, span, message);
        self.skip_statement();
    }

    /// `T<…>` where `T` is a type: takes the arguments.
    pub(super) fn refuse_template_arguments(&mut self, name: Name) {
        if !self.is_refused(name) {
            let message = "template arguments are not supported";
            self.parser.refuse(Code::UnsupportedTemplate, name.span.to(self.span()), message);
        }
        self.skip_angles();
    }

    /// `texture<float> rows;`, with the name of the template as the current token.
    pub(super) fn refuse_texture_reference(&mut self, name: Name) {
        let message = format!("{} references are not supported", self.interner.spelling(name.symbol));
        let diagnostic = Diagnostic::new(Code::UnsupportedType, name.span, message)
            .with_note("CUDA 12 removed them")
            .with_help("pass a `cudaTextureObject_t` or a `cudaSurfaceObject_t` to the kernel");
        self.error(diagnostic);
    }

    fn is_refused(&self, name: Name) -> bool {
        self.unit.refused.has(name.symbol)
    }

    /// Whether `<` behind a name opens template arguments: a type follows, where the right operand
    /// of a comparison would have to stand.
    pub(super) fn begins_template_arguments(&mut self) -> bool {
        if self.name_before().is_none() || !self.types_ref().begins_type_at(1) {
            return false;
        }
        self.parser.go_to(self.pos + 1);
        let is_cast = self.types_ref().is_functional_cast();
        self.parser.go_to(self.pos - 1);
        !is_cast
    }

    /// The identifier that the previous token is: of `1 + f<float>(x)`, the operand before `<` is `1 + f`.
    fn name_before(&self) -> Option<Name> {
        match self.tokens[self.pos.saturating_sub(1)].kind {
            TokenKind::Ident(symbol) => Some(Name { symbol, span: self.prev_span() }),
            _ => None,
        }
    }

    /// `f<float>(x)`, at the `<`, with what ends with the name before it.
    pub(super) fn refuse_template_call(&mut self, lhs: ExprId) -> Parsed<ExprId> {
        let callee = self.name_before();
        self.skip_angles();
        if let Some(name) = callee
            && !self.is_refused(name)
        {
            let spelling = self.interner.spelling(name.symbol);
            let (code, message) = match self.scopes.meaning(name.symbol) {
                Meaning::Unknown => (Code::UndeclaredIdentifier, format!("no template named `{spelling}`")),
                _ => (Code::InvalidTemplate, format!("`{spelling}` is not a template")),
            };
            self.parser.refuse(code, name.span, message);
        }
        if self.is(Punct::LParen) {
            self.skip_balanced();
        }
        let span = self.span_from(self.expressions_ref().span_of(lhs));
        Ok(self.error_expr(span))
    }

    /// Takes `<…>`, as far as it is closed within the declaration.
    pub(super) fn skip_angles(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.kind() {
                TokenKind::Punct(Punct::Lt) => depth += 1,
                TokenKind::Punct(Punct::Gt) => depth = depth.saturating_sub(1),
                TokenKind::Punct(Punct::Shr) => depth = depth.saturating_sub(2),
                TokenKind::Punct(Punct::LaunchClose) => depth = depth.saturating_sub(3),
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => {
                    self.skip_balanced();
                    continue;
                }
                TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace) | TokenKind::Eof => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// `kernel<<<grid, block>>>(args)`
    pub(super) fn refuse_launch(&mut self, kernel: ExprId) -> Parsed<ExprId> {
        let start = self.expressions_ref().span_of(kernel);
        let open = self.bump().span;
        while !matches!(
            self.kind(),
            TokenKind::Punct(Punct::LaunchClose | Punct::Semi | Punct::LBrace | Punct::RBrace)
                | TokenKind::PragmaStart(_)
                | TokenKind::PragmaEnd
                | TokenKind::Eof
        ) {
            if self.is(Punct::LParen) {
                self.skip_balanced();
            } else {
                self.bump();
            }
        }
        let closed = self.eat(Punct::LaunchClose);
        let span = open.to(closed.unwrap_or(open));
        let diagnostic = Diagnostic::new(Code::UnsupportedLaunch, span, "kernel launches are not supported")
            .with_note("host code launches kernels; Weft compiles device code only");
        let reported = self.sink.error(diagnostic);
        if closed.is_none() {
            return Err(reported);
        }
        if self.is(Punct::LParen) {
            self.skip_balanced();
        }
        let span = self.span_from(start);
        Ok(self.error_expr(span))
    }

    /// `operator+` as a declarator.
    pub(super) fn refuse_operator(&mut self) -> Reported {
        let start = self.bump().span;
        self.bump();
        let span = self.span_from(start);
        let message = "overloading of this operator is not supported";
        let diagnostic =
            Diagnostic::new(Code::UnsupportedOperator, span, message).with_help("use a named function");
        self.sink.error(diagnostic)
    }

    /// `asm("…" : …);`
    pub(super) fn refuse_asm(&mut self) -> Reported {
        let diagnostic = Diagnostic::new(
            Code::UnsupportedAsm,
            self.span(),
            "`asm` outside of a function is not supported",
        )
        .with_note("nvcc passes it to the host compiler; device code does not see it")
        .with_help("move it into the function that needs it");
        self.sink.error(diagnostic)
    }

    /// `try { … } catch (…) { … }`, taken whole.
    pub(super) fn refuse_try(&mut self) {
        self.parser.refuse(Code::UnsupportedException, self.span(), "exceptions are not supported");
        self.bump();
        while !self.is(Punct::LBrace) && !self.is(Punct::Semi) && !self.is(Punct::RBrace) && !self.is_eof() {
            self.bump();
        }
        while self.is(Punct::LBrace) {
            self.skip_balanced();
            if self.eat_keyword(Keyword::Catch).is_some() && self.is(Punct::LParen) {
                self.skip_balanced();
            } else {
                break;
            }
        }
    }

    /// Among members: templates, `friend` and what else is neither data nor a function. Gives whether something was refused and skipped.
    pub(super) fn refuse_member(&mut self) -> bool {
        if !self.is_virtual() {
            return false;
        }
        self.parser.refuse(Code::UnsupportedMember, self.span(), "virtual functions are not supported");
        self.skip_statement();
        true
    }

    /// Whether `virtual` is among the specifiers of a member.
    fn is_virtual(&self) -> bool {
        let mut idx = self.pos;
        loop {
            match self.kind_of(idx) {
                TokenKind::Keyword(Keyword::Virtual) => return true,
                TokenKind::Keyword(Keyword::Inline | Keyword::Constexpr) => idx += 1,
                TokenKind::Keyword(keyword) if super::types::keyword::is_attr(keyword) => idx += 1,
                _ => return false,
            }
        }
    }

    /// Where a primary expression must stand: what C++ would have there, else that it is missing.
    pub(super) fn odd_primary(&mut self) -> Parsed<ExprId> {
        use Keyword as K;
        let start = self.span();
        let (code, what) = match self.kind() {
            TokenKind::Punct(Punct::ColonColon) => return self.names().qualified_expr(),
            TokenKind::Punct(Punct::LBracket) if self.expressions_ref().is_lambda() => {
                return self.expressions().lambda();
            }
            TokenKind::Punct(Punct::AmpAmp) if matches!(self.kind_at(1), TokenKind::Ident(_)) => {
                self.bump();
                self.bump();
                let span = self.span_from(start);
                self.refuse(Code::UnsupportedExtension, span, "the address of a label is not supported");
                return Ok(self.error_expr(span));
            }
            TokenKind::Keyword(keyword) => match keyword {
                K::Throw => (Code::UnsupportedException, "exceptions are"),
                K::Noexcept => (Code::UnsupportedException, "`noexcept` is"),
                K::Typeid => (Code::UnsupportedTypeQuery, "`typeid` is"),
                K::Decltype => return self.names().decltype_expr(),
                K::Typeof | K::Typeof2 | K::GnuTypeof2 => (Code::UnsupportedTypeQuery, "`typeof` is"),
                K::DynamicCast => (Code::UnsupportedCast, "`dynamic_cast` is"),
                K::This => {
                    let span = self.bump().span;
                    return self.push_expr(crate::ast::ExprKind::This, span);
                }
                K::Operator => {
                    let name = self.types().operator_name()?;
                    let expr = self.push_expr_over(crate::ast::ExprKind::Ident(name.symbol), name.span, 0)?;
                    let is_template = self.scopes.meaning(name.symbol) == Meaning::Template;
                    if is_template && self.templates_ref().begins_template_args() {
                        return self.templates().template_id(expr);
                    }
                    return Ok(expr);
                }
                _ => return Err(self.expected_expression()),
            },
            _ => return Err(self.expected_expression()),
        };
        let reported = self.refuse(code, start, format!("{what} not supported"));
        Err(reported)
    }
}
