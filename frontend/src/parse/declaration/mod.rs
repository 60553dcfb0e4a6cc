//! Declarations and function definitions (C17 6.7, 6.9; linkage specifications C++17 10.5).
//!
//! - [`structured_binding`]: structured bindings

mod structured_binding;

use smallvec::smallvec;
use thin_vec::ThinVec;

use super::height::Bounded;
use super::name::scope::Meaning;
use super::types::SpecsOf;
use super::types::keyword::begins_declaration;
use super::{Declarations, DeviceFunction, Parsed};
use crate::ast::{
    Assertion, AttrKind, Chunk, ChunkKind, Decl, DeclKind, DeclSpecs, Declarator, FunctionDef,
    InitDeclarator, InitDeclarators, InitKind, Member, Name, Special, Storage, TypeSpec,
};
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::token::{Keyword, Punct, Symbol, TokenKind};

/// What is remembered of declarations.
#[derive(Default)]
pub(super) struct DeclarationFacts {
    /// Within `extern "C"`: the span of the string.
    pub(super) extern_c: Option<Span>,
    /// At file scope after a mistake, where what follows may be the rest of a function.
    is_adrift: bool,
}

impl Declarations<'_> {
    /// `translation-unit = external-declaration*`
    pub(super) fn translation_unit(&mut self) {
        while !self.is_eof() {
            if let Some(brace) = self.eat(Punct::RBrace) {
                self.unmatched_brace(brace);
                continue;
            }
            self.is_too_deep = false;
            self.external_declarations();
            self.end_piece();
        }
    }

    /// A function ends a piece.
    fn end_piece(&mut self) {
        if self.unit.decls.last().is_some_and(|decl| decl.kind.function().is_some()) {
            self.hand_over();
        }
    }

    fn unmatched_brace(&mut self, brace: Span) {
        // After a mistake it most likely closes what was taken apart there.
        if !std::mem::take(&mut self.declaration_facts.is_adrift) {
            self.refuse(Code::UnmatchedBracket, brace, "extraneous closing brace (`}`)");
        }
    }

    /// `external-declaration = linkage-specification | namespace | declaration`
    ///
    /// Takes at least one token.
    fn external_declarations(&mut self) {
        if self.templates().deduction_guide() || self.templates().instantiation_elsewhere() {
            return;
        }
        if self.dialect.host_code.is_skipped() && self.host_items().host_item() {
            return;
        }
        let start = self.pos;
        if self.linked_declaration().is_err() {
            let span = self.tokens[start].span;
            self.skip_declaration();
            if self.pos == start {
                self.bump();
            }
            // What it could not be read up to may be its end.
            self.declaration_facts.is_adrift |= self.is(Punct::RBrace) && self.nesting == 0;
            let span = self.span_from(span);
            self.unit.decls.push(Decl { kind: DeclKind::Error, span });
        }
    }

    /// To the end of the declaration at file scope that could not be read.
    fn skip_declaration(&mut self) {
        self.skip_statement();
        if self.declaration_facts.is_adrift {
            // What follows may be the inside of a function: go to where a declaration can begin.
            loop {
                if self.is_eof()
                    || self.is(Punct::RBrace)
                    || self.token().at_line_start && self.types_ref().begins_decl()
                {
                    return;
                }
                if self.is(Punct::LBrace) {
                    self.skip_balanced();
                } else {
                    self.bump();
                }
            }
        }
    }

    /// A declaration, or several with a linkage.
    pub(super) fn linked_declaration(&mut self) -> Parsed<()> {
        if self.is_keyword(Keyword::Extension) && self.is_no_plain_declaration(1) {
            self.bump();
        }
        if self.begins_linkage_at(0) {
            self.nested(Self::linkage_specification)
        } else if self.names_ref().begins_namespace() {
            self.nested(|p| p.names().namespace_definition())
        } else {
            self.external_declaration()
        }
    }

    /// Whether a declaration without specifiers, or with a linkage, begins so many tokens ahead.
    fn is_no_plain_declaration(&self, ahead: usize) -> bool {
        let lacks_specs = matches!(
            self.kind_at(ahead),
            TokenKind::Keyword(Keyword::StaticAssert | Keyword::Using) | TokenKind::Punct(Punct::Semi)
        );
        lacks_specs || self.begins_linkage_at(ahead)
    }

    /// `linkage-specification = "extern" string ("{" external-declaration* "}" | declaration)`
    fn linkage_specification(&mut self) -> Parsed<()> {
        let extern_span = self.bump().span;
        let language = self.bump();
        let TokenKind::Str(symbol) = language.kind else { return Err(self.expected(Punct::LBrace)) };
        let extern_c = match self.interner.spelling(symbol) {
            "\"C\"" => Some(language.span),
            "\"C++\"" => None,
            other => {
                let message = format!("unknown linkage language `{other}`; expected `\"C\"` or `\"C++\"`");
                self.refuse(Code::ExpectedDeclaration, language.span, message);
                None
            }
        };
        let outer = std::mem::replace(&mut self.declaration_facts.extern_c, extern_c);
        let result = if self.is(Punct::LBrace) {
            self.declaration_block()
        } else if self.begins_linkage_at(0) {
            self.nested(Self::linkage_specification)
        } else {
            let first = self.unit.decls.len();
            let result = self.external_declaration();
            // Without braces it is as if `extern` were written (C++17 10.5p7).
            for decl in &mut self.unit.decls[first..] {
                if let DeclKind::Declarators { specs, .. } = &mut decl.kind {
                    specs.storage.get_or_insert((Storage::Extern, extern_span));
                }
                decl.span = extern_span.to(decl.span);
            }
            result
        };
        self.declaration_facts.extern_c = outer;
        result
    }

    /// `"{" external-declaration* "}"`
    pub(super) fn declaration_block(&mut self) -> Parsed<()> {
        let open = self.bump().span;
        while !self.is(Punct::RBrace) {
            if self.is_eof() {
                self.expect_close(Punct::RBrace, open)?;
            }
            self.external_declarations();
            self.end_piece();
        }
        self.bump();
        Ok(())
    }

    pub(super) fn external_declaration(&mut self) -> Parsed<()> {
        if self.is_alias() {
            let decl = self.alias()?;
            self.unit.decls.push(decl);
            return Ok(());
        }
        if self.names_ref().begins_using() {
            let decls = self.names().using()?;
            self.unit.decls.extend(decls);
            return Ok(());
        }
        if self.is_keyword(Keyword::Template) && self.templates().template_declaration()? {
            return Ok(());
        }
        if self.refusals().refuse_external_construct()? {
            return Ok(());
        }
        let begins = self.types_ref().begins_decl() || self.types_ref().special_ahead(None).is_some();
        if !begins && !self.may_name_unknown_type() {
            let message = match self.kind() {
                TokenKind::Ident(_) if self.is_at(1, Punct::LParen) => {
                    format!("expected a type before {}", self.describe())
                }
                _ => format!("expected a declaration, found {}", self.describe()),
            };
            if std::mem::replace(&mut self.declaration_facts.is_adrift, true)
                && let Some(reported) = self.sink.reported()
            {
                return Err(reported);
            }
            return Err(self.parser.error(Diagnostic::new(Code::ExpectedDeclaration, self.span(), message)));
        }
        let namespace = self.scopes.namespace();
        let decl = self.declaration(true);
        self.types().close_classes();
        self.scopes.go_to_namespace(namespace);
        let mut decl = decl?;
        match decl.kind {
            DeclKind::Function(_) => self.declaration_facts.is_adrift = false,
            // A local variable of the function that ended too early.
            DeclKind::Declarators { specs, declarators }
                if self.declaration_facts.is_adrift
                    && specs.attrs.is_empty()
                    && specs.storage.is_none()
                    && !declarators.is_empty() =>
            {
                decl.kind = self.broken_declaration(specs, &declarators);
            }
            DeclKind::Declarators { .. }
            | DeclKind::Binding(_)
            | DeclKind::StaticAssert { .. }
            | DeclKind::Namespace(_)
            | DeclKind::Template(_)
            | DeclKind::Specialization(_)
            | DeclKind::Instantiation(_)
            | DeclKind::Host(_)
            | DeclKind::Empty
            | DeclKind::Error => {}
        }
        self.unit.decls.push(decl);
        Ok(())
    }

    /// Whether an alias declaration comes next, and not another kind of `using`.
    pub(super) fn is_alias(&self) -> bool {
        self.is_keyword(Keyword::Using)
            && matches!(self.kind_at(1), TokenKind::Ident(_))
            && (self.is_at(2, Punct::Eq)
                || self.is_at(2, Punct::LBracket)
                || matches!(self.kind_at(2), TokenKind::Keyword(Keyword::Attribute | Keyword::GnuAttribute2)))
    }

    /// `alias = "using" identifier attribute* "=" type-name ";"` (C++17 10.1.3p2)
    ///
    /// It is the typedef that it could be written as; as by one, nvcc names a struct without a tag by it.
    pub(super) fn alias(&mut self) -> Parsed<Decl> {
        let start = self.bump().span;
        let name = self.expect_ident("a name")?;
        let mut attrs = ThinVec::new();
        while self.types().attributes(&mut attrs)? {}
        self.expect(Punct::Eq)?;
        let ty = match self.kind() {
            TokenKind::Ident(symbol) if self.is_at(1, Punct::Semi) && !self.types_ref().begins_type_at(0) => {
                let span = self.span();
                self.types().unknown_type(Name { symbol, span });
                self.types_ref().type_name_of(TypeSpec::Error, span)
            }
            _ => self.nested(|p| p.types().type_name())?.0,
        };
        self.expect_semi();
        let span = self.span_from(start);
        self.scopes.declare(name.symbol, Meaning::Type);
        self.parser.note_heir_of(name.symbol, &ty.specs.ty);
        let (mut specs, mut declarator) = (ty.specs, ty.declarator);
        specs.storage = Some((Storage::Typedef, start));
        declarator.name = Some(name);
        declarator.attrs.extend(attrs);
        let declarators = smallvec![InitDeclarator { declarator, init: None }];
        Ok(Decl { kind: DeclKind::Declarators { specs, declarators }, span })
    }

    /// Whether an identifier that is no type stands where a declaration's type does, and a name or
    /// a pointer follows.
    pub(super) fn may_name_unknown_type(&self) -> bool {
        let TokenKind::Ident(symbol) = self.kind() else {
            return self.is(Punct::Semi) || self.is(Punct::ColonColon);
        };
        let is_unknown = self.scopes.meaning(symbol) == Meaning::Unknown;
        match self.kind_at(1) {
            TokenKind::Ident(_) => true,
            TokenKind::Punct(Punct::ColonColon) => true,
            TokenKind::Punct(Punct::Star) => is_unknown && matches!(self.kind_at(2), TokenKind::Ident(_)),
            TokenKind::Punct(Punct::Lt) => is_unknown && self.types_ref().begins_type_at(2),
            // `statc int x`
            TokenKind::Keyword(keyword) => is_unknown && begins_declaration(keyword),
            _ => false,
        }
    }

    /// `declaration = ";" | static-assert | alias | declaration-specifiers [init-declarator ("," init-declarator)*] ";"`
    /// `function-definition = declaration-specifiers declarator block`
    pub(super) fn declaration(&mut self, at_file_scope: bool) -> Parsed<Decl> {
        let start = self.span();
        if self.eat(Punct::Semi).is_some() {
            return Ok(Decl { kind: DeclKind::Empty, span: start });
        }
        if self.is_keyword(Keyword::StaticAssert) {
            return self.static_assert();
        }
        if let Some(special) = self.types_ref().special_ahead(None).filter(|_| at_file_scope) {
            return self.special_member(special, start);
        }
        let mut specs = self.types().decl_specs(SpecsOf::Declaration)?;
        // Declarations in the body of a function are within the specification, too (C++17 10.5p4).
        specs.extern_c = self.declaration_facts.extern_c.into();
        if self.ends_after_specs(&specs.ty) {
            let kind = DeclKind::Declarators { specs, declarators: InitDeclarators::new() };
            return Ok(Decl { kind, span: self.span_from(start) });
        }
        if self.begins_binding(&specs) {
            if at_file_scope {
                let message = "structured bindings at file scope are not supported";
                return Err(self.parser.refuse(Code::UnsupportedDeclarator, self.span(), message));
            }
            let decl = self.structured_binding(specs, start)?;
            return Ok(if self.expect_semi() { decl } else { self.broken_binding(decl) });
        }
        let declarator = self.types().declarator()?;
        self.declare(&specs, &declarator, at_file_scope);
        if declarator.is_function() && (self.is(Punct::LBrace) || self.is_keyword(Keyword::Try)) {
            return self.function_definition(specs, declarator, start, at_file_scope);
        }
        if at_file_scope && declarator.is_function() && self.lacks_body_brace() {
            self.expected(Punct::LBrace);
            return self.function_definition(specs, declarator, start, at_file_scope);
        }
        let declarators = self.init_declarators(&specs, declarator, at_file_scope)?;
        if declarators.len() > 1
            && let Some(declared) = declarators.iter().find(|declared| declared.declarator.scope.is_some())
        {
            let message = "qualified names among several declarators are not supported";
            let span = declared.declarator.span;
            self.refuse(Code::UnsupportedNamespace, span, message);
        }
        if matches!(specs.ty, TypeSpec::Error) && !self.is(Punct::Semi) && !self.token().at_line_start {
            // Its first word may have been meant for a keyword, such as `return`, and this is no
            // declaration.
            self.skip_statement();
        } else if !self.expect_semi() {
            let kind = self.broken_declaration(specs, &declarators);
            return Ok(Decl { kind, span: self.span_from(start) });
        }
        let kind = DeclKind::Declarators { specs, declarators };
        Ok(Decl { kind, span: self.span_from(start) })
    }

    /// The definition of a constructor, destructor or conversion function outside of its class.
    fn special_member(&mut self, special: Special, start: Span) -> Parsed<Decl> {
        let mut specs = self.types().special_specs(special)?;
        let declarator = self.types().special_declarator(special, &mut specs)?;
        if self.is(Punct::Eq) {
            let message = "`= default` and `= delete` outside of the class are not supported";
            let span = self.span();
            return Err(self.refuse(Code::UnsupportedMember, span, message));
        }
        if self.is(Punct::LBrace) || self.is(Punct::Colon) || self.is_keyword(Keyword::Try) {
            return self.function_definition(specs, declarator, start, true);
        }
        Err(self.expected(Punct::LBrace))
    }

    /// Takes the `;` of a declaration without declarators, or reports that it is missing. False: a declarator follows.
    fn ends_after_specs(&mut self, ty: &TypeSpec) -> bool {
        if self.eat(Punct::Semi).is_some() || self.types_ref().ends_without_brace(ty) {
            return true;
        }
        let lacks_semi = matches!(ty, TypeSpec::Record(_) | TypeSpec::Enum(_)) && self.lacks_semi_after_tag();
        if lacks_semi {
            self.expect_semi();
        }
        lacks_semi
    }

    /// What is left of a declaration that was not understood: the struct, union or enum that it defines.
    /// Its names are known, and nothing is.
    fn broken_declaration(&mut self, specs: DeclSpecs, declarators: &[InitDeclarator]) -> DeclKind {
        self.unit.refused.extend(declarators.iter().filter_map(|declared| declared.declarator.name));
        if specs.ty.is_definition() {
            DeclKind::Declarators { specs, declarators: InitDeclarators::new() }
        } else {
            DeclKind::Error
        }
    }

    /// Whether a function's body follows, without its `{`.
    fn lacks_body_brace(&self) -> bool {
        let goes_on =
            matches!(self.kind(), TokenKind::Punct(Punct::Semi | Punct::Comma | Punct::Eq) | TokenKind::Eof);
        !goes_on && !self.begins_function() && self.has_unmatched_brace_ahead()
    }

    /// Whether what follows the `}` of a struct on a new line begins another declaration.
    fn lacks_semi_after_tag(&self) -> bool {
        let ends_in_brace = self.pos > 0 && self.kind_of(self.pos - 1) == TokenKind::Punct(Punct::RBrace);
        ends_in_brace
            && self.token().at_line_start
            && (self.types_ref().begins_decl() || self.is_eof() || self.is(Punct::RBrace))
    }

    /// `init-declarator ("," init-declarator)*`, of which the first declarator has been read.
    pub(super) fn init_declarators(
        &mut self,
        specs: &DeclSpecs,
        first: Declarator,
        at_file_scope: bool,
    ) -> Parsed<InitDeclarators> {
        let mut declarators = smallvec![InitDeclarator { declarator: first, init: None }];
        let result = self.rest_of_init_declarators(specs, &mut declarators, at_file_scope);
        if result.is_err() {
            let names = declarators.iter().filter_map(|declared| declared.declarator.name);
            self.unit.refused.extend(names);
        }
        result.map(|()| declarators)
    }

    /// The initializer of the last declarator, and what follows it.
    fn rest_of_init_declarators(
        &mut self,
        specs: &DeclSpecs,
        declarators: &mut InitDeclarators,
        at_file_scope: bool,
    ) -> Parsed<()> {
        loop {
            let init = self.declaration_initializer()?;
            if let Some(last) = declarators.last_mut() {
                last.init = init;
            }
            if self.eat(Punct::Comma).is_none() {
                return Ok(());
            }
            let declarator = self.types().declarator()?;
            self.declare(specs, &declarator, at_file_scope);
            declarators.push(InitDeclarator { declarator, init: None });
        }
    }

    /// `["=" initializer | braced-list | "(" assignment ")"]`
    pub(super) fn declaration_initializer(&mut self) -> Parsed<Option<crate::ast::InitId>> {
        if self.eat(Punct::Eq).is_some() {
            return self.expressions().initializer().map(Some);
        }
        if self.is(Punct::LBrace) {
            return self.expressions().direct_list().map(Some);
        }
        if !self.is(Punct::LParen) {
            return Ok(None);
        }
        self.parenthesized_initializer().map(Some)
    }

    /// `"(" assignment ("," assignment)* ")"`
    pub(super) fn parenthesized_initializer(&mut self) -> Parsed<crate::ast::InitId> {
        let open = self.bump().span;
        let args = self.expressions().call_args(Punct::RParen, open)?;
        let span = self.span_from(open);
        let kind = match *args {
            [arg] => InitKind::Expr(arg),
            _ => InitKind::Parens(args.into_iter().collect()),
        };
        Ok(self.push_direct_init(kind, span))
    }

    /// Lets the scopes know what a declarator declares.
    pub(super) fn declare(&mut self, specs: &DeclSpecs, declarator: &Declarator, at_file_scope: bool) {
        let Some(name) = declarator.name else { return };
        let is_typedef = matches!(specs.storage, Some((Storage::Typedef, _)));
        let meaning = if is_typedef { Meaning::Type } else { Meaning::Ordinary };
        if at_file_scope && self.is_again {
            return;
        }
        self.scopes.declare(name.symbol, meaning);
        if is_typedef && declarator.chunks.is_empty() {
            self.parser.note_heir_of(name.symbol, &specs.ty);
        }
        if at_file_scope && !self.is_of_host(specs, declarator) {
            let n_params = match declarator.chunks.first() {
                Some(Chunk { kind: ChunkKind::Function(function), .. }) => Some(function.params.len()),
                _ => None,
            };
            let key = (self.scopes.namespace(), name.symbol);
            self.parser
                .device_functions
                .entry(key)
                .or_default()
                .push(DeviceFunction { n_params, is_defined: false });
            let attrs = specs.attrs.iter().chain(&declarator.attrs);
            if attrs.into_iter().any(|attr| matches!(attr.kind, AttrKind::Global)) {
                self.kernels.insert(name.symbol);
            }
        }
        let has_symbol = at_file_scope || matches!(specs.storage, Some((Storage::Extern, _)));
        if has_symbol && !is_typedef {
            self.types().check_symbol(name);
        }
    }

    /// Whether a function of the name was declared for the device in the namespace.
    pub(super) fn is_device_function(&self, symbol: Symbol) -> bool {
        self.device_functions.contains_key(&(self.scopes.namespace(), symbol))
            || self.types_ref().is_device_method(symbol)
    }

    fn function_definition(
        &mut self,
        specs: DeclSpecs,
        mut declarator: Declarator,
        start: Span,
        at_file_scope: bool,
    ) -> Parsed<Decl> {
        // What stood before the name is among the specifiers or ahead of the parameters.
        let misplaced = declarator.attrs.split_off(declarator.n_inner_attrs as usize);
        self.types().no_attributes_before_body(&misplaced);
        if let Some((_, span)) = declarator.asm_label {
            let message = "`asm` label is not allowed on a function definition; put it on a declaration";
            self.refuse(Code::MisplacedAttribute, span, message);
        }
        if matches!(specs.storage, Some((Storage::Typedef, _))) {
            let message = "function definition declared `typedef`";
            self.refuse(Code::InvalidSpecifiers, declarator.span, message);
        }
        if !at_file_scope {
            let message = "function definition is not allowed here";
            self.refuse(Code::UnsupportedExtension, declarator.span, message);
            self.skip_balanced();
            return Ok(Decl { kind: DeclKind::Error, span: self.span_from(start) });
        }
        if self.is_keyword(Keyword::Try) {
            self.refusals().refuse_try();
            return Ok(Decl { kind: DeclKind::Error, span: self.span_from(start) });
        }
        let before = self.unit.nodes();
        let is_known = declarator.name.is_some_and(|name| self.is_device_function(name.symbol));
        let is_constant = specs.constexpr.is_some() && self.dialect.host_code.is_skipped();
        if self.is(Punct::LBrace) && !is_known && !is_constant && self.is_of_host(&specs, &declarator) {
            // It is refused as a whole, with all that only host code has.
            let open = self.span();
            self.skip_balanced();
            let none = self.unit.push_stmt_list(&[]);
            let body = self.parser.push_stmt(crate::ast::StmtKind::Block(none), self.span_from(open));
            return Ok(Decl {
                kind: DeclKind::Function(Box::new(FunctionDef {
                    specs,
                    declarator,
                    inits: ThinVec::new(),
                    body,
                    nodes: self.unit.nodes_since(&before),
                })),
                span: self.span_from(start),
            });
        }
        if let Some(name) = declarator.name
            && let Some(functions) =
                self.parser.device_functions.get_mut(&(self.parser.scopes.namespace(), name.symbol))
            && let Some(&DeviceFunction { n_params, .. }) = functions.last()
        {
            for function in functions.iter_mut().filter(|function| function.n_params == n_params) {
                function.is_defined = true;
            }
        }
        self.scopes.enter();
        self.types().declare_params(&declarator);
        let body = self.nested(|p| {
            let inits = p.types().member_initializers()?;
            Ok((inits, p.statements().function_body()?))
        });
        self.scopes.leave();
        let (inits, body) = body?;
        let nodes = self.unit.nodes_since(&before);
        Ok(Decl {
            kind: DeclKind::Function(Box::new(FunctionDef { specs, declarator, inits, body, nodes })),
            span: self.span_from(start),
        })
    }

    /// `static-assert = "static_assert" "(" conditional ["," string] ")" ";"`
    fn static_assert(&mut self) -> Parsed<Decl> {
        let Assertion { cond, message, span } = self.assertion()?;
        Ok(Decl { kind: DeclKind::StaticAssert { cond, message }, span })
    }

    /// The same among members.
    pub(super) fn member_assertion(&mut self) -> Parsed<Member> {
        self.assertion().map(Member::Assertion)
    }

    fn assertion(&mut self) -> Parsed<Assertion> {
        let start = self.bump().span;
        let open = self.expect(Punct::LParen)?;
        let cond = self.expressions().assignment()?;
        let message = match self.eat(Punct::Comma) {
            Some(_) => {
                if !matches!(self.kind(), TokenKind::Str(_)) {
                    let message = format!("expected a string literal, found {}", self.describe());
                    return Err(self.parser.error(Diagnostic::new(
                        Code::ExpectedToken,
                        self.span(),
                        message,
                    )));
                }
                Some(self.expressions().string_literal()?)
            }
            None => None,
        };
        self.expect_close(Punct::RParen, open)?;
        self.expect_semi();
        Ok(Assertion { cond, message, span: self.span_from(start) })
    }

    /// Declares a name that a refused construct would have declared.
    pub(super) fn declare_refused(&mut self, name: Name, meaning: Meaning) {
        self.scopes.declare(name.symbol, meaning);
        self.unit.refused.insert(name);
    }

    /// Whether a function is neither the device's nor a kernel.
    pub(super) fn is_of_host(&self, specs: &DeclSpecs, declarator: &Declarator) -> bool {
        use crate::ast::AttrKind;
        let mut attrs = specs.attrs.iter().chain(&declarator.attrs);
        // `__attribute__((device))` is what CUDA's own macros are made of.
        let is_marked =
            attrs.any(|attr| matches!(attr.kind, AttrKind::Device | AttrKind::Global | AttrKind::Gnu { .. }));
        let is_allowed = self.dialect.relaxed_constexpr && specs.constexpr.is_some();
        !is_marked && !is_allowed && !self.dialect.device_by_default
    }
}
