//! Qualified names: `a::f`, `Mode::FAST`, `S::N`, `::f` and what of `std::` device code has (C++17 8.1.4.2).
//!
//! In a program without namespaces, a name of file scope and one of `std` that CUDA declares there, too, are the name alone.

use smallvec::SmallVec;

use super::scope::Meaning;
use crate::ast::{ClassId, Declarator, ExprId, ExprKind, Limit, Name, StdFunction, TypeSpec};
use crate::diag::{Code, Diagnostic, Fix, Reported};
use crate::namespace::Namespace;
use crate::parse::height::Bounded;
use crate::parse::{Names, Parsed};
use crate::predeclared::standard;
use crate::source::Span;
use crate::token::{Keyword, Punct, Symbol, TokenKind};

impl Names<'_> {
    /// How many tokens from `ahead` on are a qualified name of a type; `None`: something else comes there.
    pub(in crate::parse) fn qualified_type_at(&self, ahead: usize) -> Option<usize> {
        self.qualified_at(ahead)
            .filter(|&(_, meaning)| meaning == Meaning::Type)
            .map(|(n_tokens, _)| n_tokens)
    }

    /// How many tokens a type takes here that is no more than a name or a keyword: `a::b`, `typename T::type`, `int`.
    pub(in crate::parse) fn n_simple_type_tokens(&self) -> usize {
        if !self.is_keyword(Keyword::Typename) {
            return self.n_type_tokens_at(0);
        }
        let mut at = 1 + usize::from(self.is_at(1, Punct::ColonColon));
        loop {
            at += usize::from(self.kind_at(at) == TokenKind::Keyword(Keyword::Template));
            let end = self.end_of_list(at + 1);
            if self.ident_at(at).is_none() || !self.is_at(end, Punct::ColonColon) {
                return end;
            }
            at = end + 1;
        }
    }

    /// How many tokens a type takes at `ahead` that is no more than a name or a keyword.
    pub(in crate::parse) fn n_type_tokens_at(&self, ahead: usize) -> usize {
        self.qualified_type_at(ahead).or_else(|| self.instance_at(ahead)).unwrap_or(1)
    }

    /// How many tokens from `ahead` on are the name of a template of types and its arguments, with nothing before or after it.
    pub(in crate::parse) fn instance_at(&self, ahead: usize) -> Option<usize> {
        let symbol = self.ident_at(ahead).filter(|_| self.is_at(ahead + 1, Punct::Lt))?;
        let is_template = self.scopes.is_type_template(symbol);
        let end = self.end_of_list(ahead + 1);
        (is_template && end > ahead + 1 && !self.is_at(end, Punct::ColonColon)).then_some(end - ahead)
    }

    /// Whether a qualified name begins here, the first part of which may have template arguments.
    pub(in crate::parse) fn begins_path(&self) -> bool {
        if self.is_at(1, Punct::ColonColon) {
            return true;
        }
        let is_template = self.is_at(1, Punct::Lt)
            && self.ident_at(0).is_some_and(|symbol| self.scopes.is_type_template(symbol));
        is_template && self.is_at(self.end_of_list(1), Punct::ColonColon)
    }

    /// What follows the template arguments at `ahead`, if there are some: the last `>` itself, if it is the first half of a token.
    fn end_of_list(&self, ahead: usize) -> usize {
        match self.is_at(ahead, Punct::Lt) {
            true => self.templates_ref().end_of_angles(self.pos + ahead).map_or(ahead, |end| end - self.pos),
            false => ahead,
        }
    }

    /// What follows the name at `ahead`, and its arguments if it is that of a template of types.
    fn end_of_name(&self, ahead: usize, meaning: Meaning) -> usize {
        let is_template = match meaning {
            Meaning::TypeTemplate => true,
            Meaning::Type => {
                self.is_at(ahead + 1, Punct::Lt)
                    && self.ident_at(ahead).is_some_and(|symbol| self.scopes.is_injected(symbol))
            }
            _ => false,
        };
        if is_template { self.end_of_list(ahead + 1) } else { ahead + 1 }
    }

    /// Whether the tokens are arguments which depend on the parameters of the template that is read again.
    fn is_dependent_list(&self, start: usize, end: usize) -> bool {
        let is_param = |ahead: usize| matches!(self.kind_at(ahead), TokenKind::Ident(symbol) if self.own_params.contains(&symbol));
        self.is_again && (start..end).any(is_param)
    }

    /// Whether a qualified name at `ahead` that is not known must be a type, since a parameter's name follows.
    pub(in crate::parse) fn is_unknown_type_path(&self, ahead: usize) -> bool {
        let Some((n_tokens, meaning)) = self.qualified_at(ahead) else { return false };
        let end = ahead + n_tokens;
        match self.kind_at(end) {
            TokenKind::Ident(_) => true,
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp) => {
                meaning == Meaning::Unknown && self.ident_at(end + 1).is_some()
            }
            TokenKind::Punct(Punct::RParen | Punct::Comma) => meaning == Meaning::Unknown,
            _ => false,
        }
    }

    /// Whether another name follows the qualified name here, which must be a type then.
    pub(in crate::parse) fn is_path_before_name(&self) -> bool {
        let end = self.qualified_at(0).map(|(n_tokens, _)| n_tokens);
        end.is_some_and(|end| matches!(self.kind_at(end), TokenKind::Ident(_)))
    }

    /// How many tokens from `ahead` on are a qualified name, and what it means.
    fn qualified_at(&self, ahead: usize) -> Option<(usize, Meaning)> {
        let is_global = self.is_at(ahead, Punct::ColonColon);
        let first = ahead + usize::from(is_global);
        let (mut at, mut last) = (first, self.ident_at(first)?);
        let is_path = |at| self.is_at(at + 1, Punct::ColonColon) || self.is_at(at + 1, Punct::Lt);
        if !is_global && !is_path(at) {
            return None;
        }
        let mut meaning = match is_global {
            true => self.scopes.member(Namespace::GLOBAL, last),
            false => self.scopes.scope_named(last),
        };
        let mut end = self.end_of_name(at, meaning);
        if !is_global && !self.is_at(end, Punct::ColonColon) {
            return None;
        }
        while self.is_at(end, Punct::ColonColon) {
            let name = self.ident_at(end + 1)?;
            let is_type = match meaning {
                _ if at == first && self.is_predeclared(last, name) => {
                    standard::is_type(self.interner.spelling(name))
                }
                // Without `typename`, what depends on a parameter is a value, but for the types of the template itself.
                Meaning::TypeTemplate if self.is_dependent_list(at + 1, end) => false,
                Meaning::Type | Meaning::TypeTemplate => self.scopes.is_nested_type(last, name),
                Meaning::Namespace(_) | Meaning::Ordinary | Meaning::Template | Meaning::Unknown => false,
            };
            let template = self.scopes.member_template(name);
            meaning = match meaning {
                Meaning::Type | Meaning::TypeTemplate
                    if let Some(template) = template
                        && is_type == (template == Meaning::TypeTemplate) =>
                {
                    template
                }
                _ if is_type => Meaning::Type,
                Meaning::Namespace(namespace) => self.scopes.member(namespace, name),
                _ => Meaning::Unknown,
            };
            (at, last) = (end + 1, name);
            end = self.end_of_name(at, meaning);
        }
        if meaning == Meaning::TypeTemplate && (end > at + 1 || self.may_deduce_class_at(end)) {
            meaning = Meaning::Type;
        }
        Some((end - ahead, meaning))
    }

    /// Whether the name of a class template that ends at `ahead` may be a type, the arguments of which the values there say (C++17
    /// 10.1.7.5).
    pub(in crate::parse) fn may_deduce_class_at(&self, ahead: usize) -> bool {
        matches!(self.kind_at(ahead), TokenKind::Ident(_) | TokenKind::Punct(Punct::LParen | Punct::LBrace))
    }

    /// Whether the name of a template of types comes next, as an argument of another one.
    pub(in crate::parse) fn is_template_argument(&self) -> bool {
        let (end, meaning) = match self.kind() {
            TokenKind::Ident(symbol) if !self.is_at(1, Punct::ColonColon) => (1, self.scopes.meaning(symbol)),
            _ => match self.qualified_at(0) {
                Some(found) => found,
                None => return false,
            },
        };
        let is_end = matches!(
            self.kind_at(end),
            TokenKind::Punct(Punct::Comma | Punct::Gt | Punct::Shr | Punct::LaunchClose | Punct::Ellipsis)
        );
        meaning == Meaning::TypeTemplate && is_end
    }

    fn ident_at(&self, ahead: usize) -> Option<Symbol> {
        match self.kind_at(ahead) {
            TokenKind::Ident(symbol) => Some(symbol),
            _ => None,
        }
    }

    fn is_std(&self, symbol: Symbol) -> bool {
        self.interner.spelling(symbol) == "std" && self.scopes.meaning(symbol) != Meaning::Type
    }

    /// Whether `scope::name` is a name of `std` that no header has declared: what device code has of it without one.
    fn is_predeclared(&self, scope: Symbol, name: Symbol) -> bool {
        self.is_std(scope)
            && match self.scopes.scope_named(scope) {
                Meaning::Namespace(namespace) => self.scopes.member(namespace, name) == Meaning::Unknown,
                _ => true,
            }
    }

    /// `qualified-type = ["::"] (identifier "::")* identifier`, which comes next.
    pub(in crate::parse) fn qualified_type(&mut self) -> Parsed<TypeSpec> {
        let is_after_typename =
            self.pos > 0 && self.kind_of(self.pos - 1) == TokenKind::Keyword(Keyword::Typename);
        let may_have_args = is_after_typename || self.qualified_type_at(0).is_some();
        if self.is_keyword(Keyword::Decltype) {
            let spec = self.types().decltype()?;
            return self.rest_of_qualified(spec, true);
        }
        let is_global = self.eat(Punct::ColonColon).is_some();
        let mut name = self.types().expect_name()?;
        let is_std = self.is(Punct::ColonColon)
            && self
                .ident_at(1)
                .map_or_else(|| self.is_std(name.symbol), |member| self.is_predeclared(name.symbol, member));
        if is_std {
            self.bump();
            name = self.types().expect_name()?;
        }
        let is_plain = !is_global && !is_std || self.is_as_if_plain(name.symbol);
        let scope =
            if is_plain { self.parser.named_type_spec(name) } else { in_scope(TypeSpec::Global, name) };
        self.rest_of_qualified(scope, may_have_args)
    }

    /// The name of a template with its arguments, if it has some.
    fn with_args(&mut self, name: TypeSpec, may_have_args: bool) -> Parsed<TypeSpec> {
        let has_args = self.is(Punct::Lt)
            && (may_have_args || self.is_at(self.end_of_list(0), Punct::ColonColon))
            && self.templates_ref().begins_template_args();
        if has_args { self.instance_of(name) } else { Ok(name) }
    }

    /// The template arguments at the `<`, with the name before them.
    pub(in crate::parse) fn instance_of(&mut self, name: TypeSpec) -> Parsed<TypeSpec> {
        let args = self.nested(|p| p.templates().template_args())?;
        Ok(TypeSpec::Instance(Box::new((name, args))))
    }

    /// The rest of a name whose first part is no name of `std`.
    pub(super) fn rest_of_path(&mut self, is_global: bool, name: Name) -> Parsed<TypeSpec> {
        let scope =
            if is_global { in_scope(TypeSpec::Global, name) } else { self.parser.named_type_spec(name) };
        self.rest_of_qualified(scope, false)
    }

    /// `[template-args] ("::" ["template"] identifier [template-args])*`, after the first name.
    pub(in crate::parse) fn rest_of_qualified(
        &mut self,
        scope: TypeSpec,
        may_have_args: bool,
    ) -> Parsed<TypeSpec> {
        let mut depth = 0;
        let mut scope = self.with_args(scope, may_have_args)?;
        while self.eat(Punct::ColonColon).is_some() {
            depth += 1;
            if depth > self.dialect.depth.nesting {
                return Err(self.parser.too_deep(self.span()));
            }
            self.eat_keyword(Keyword::Template);
            scope = in_scope(scope, self.types().expect_name()?);
            scope = self.with_args(scope, may_have_args)?;
        }
        Ok(scope)
    }

    /// Whether a name of file scope means the same without `::` before it.
    fn is_as_if_plain(&self, symbol: Symbol) -> bool {
        !self.scopes.has_namespaces() && !self.scopes.has_friends() && !self.scopes.is_hidden(symbol)
    }

    /// A qualified name in the place of a type, which is none that is known: `sema` says what it is.
    pub(in crate::parse) fn unknown_qualified_type(&mut self) -> Parsed<TypeSpec> {
        let first = usize::from(self.is(Punct::ColonColon));
        if let (Some(std), Some(name)) = (self.ident_at(first), self.ident_at(first + 2))
            && self.is_predeclared(std, name)
        {
            let start = self.span();
            self.parser.go_to(self.pos + first + 3);
            let message = format!("`std::{}` is not available in device code", self.interner.spelling(name));
            self.parser.refuse(Code::UnsupportedNamespace, self.span_from(start), message);
            self.skip_rest_of_std();
            return Ok(TypeSpec::Error);
        }
        let start = self.span();
        let end = self.end_of_list(1);
        let is_dependent = self.ident_at(0).is_some_and(|symbol| self.type_params.contains(&symbol))
            || end > 1 && self.is_dependent_list(1, end);
        let spec = self.qualified_type()?;
        if is_dependent {
            // C++17 17.6p3
            let span = self.span_from(start);
            let message = "missing `typename` before a type that depends on a template parameter";
            let fix = Fix::new("add `typename`", start.start(), "typename ");
            self.sink.error(Diagnostic::new(Code::ExpectedType, span, message).with_fix(fix));
            return Ok(TypeSpec::Error);
        }
        if self.is(Punct::Lt) {
            let message = "template arguments are not supported";
            self.parser.refuse(Code::UnsupportedTemplate, self.span_from(start), message);
            self.refusals().skip_angles();
            self.skip_nested_names();
            return Ok(TypeSpec::Error);
        }
        Ok(spec)
    }

    /// `["::"] (identifier "::")* identifier` where an expression begins.
    pub(in crate::parse) fn qualified_expr(&mut self) -> Parsed<ExprId> {
        if self.qualified_type_at(0).is_some() {
            return self.expressions().functional_cast();
        }
        let start = self.span();
        let is_template = self.qualified_at(0).is_some_and(|(_, meaning)| meaning == Meaning::Template);
        let is_global = self.eat(Punct::ColonColon).is_some();
        let first = self.types().expect_name()?;
        let begins_path = self.is(Punct::ColonColon) || self.is_at(self.end_of_list(0), Punct::ColonColon);
        if !begins_path {
            return self.global_expr(first, start, is_template);
        }
        let is_std = self
            .ident_at(1)
            .map_or_else(|| self.is_std(first.symbol), |member| self.is_predeclared(first.symbol, member));
        if is_std {
            self.bump();
            return self.std_expr(start);
        }
        match self.rest_of_path(is_global, first)? {
            TypeSpec::Nested(nested) => self.scoped_expr(nested.0, nested.1, start, is_template),
            _ => Err(self.expected_expression()),
        }
    }

    /// `decltype(…)::name` and `decltype(…)(…)` where an expression begins.
    pub(in crate::parse) fn decltype_expr(&mut self) -> Parsed<ExprId> {
        let end = self.matching(self.pos + 1);
        if end.is_none_or(|end| self.kind_of(end) != TokenKind::Punct(Punct::ColonColon)) {
            return self.expressions().functional_cast();
        }
        let start = self.span();
        let spec = self.types().decltype()?;
        match self.rest_of_qualified(spec, false)? {
            TypeSpec::Nested(nested) => self.scoped_expr(nested.0, nested.1, start, false),
            _ => Err(self.expected_expression()),
        }
    }

    /// `::name`
    fn global_expr(&mut self, name: Name, start: Span, is_template: bool) -> Parsed<ExprId> {
        if self.is_as_if_plain(name.symbol) && !is_template {
            return self.parser.push_expr(ExprKind::Ident(name.symbol), self.span_from(start));
        }
        self.scoped_expr(TypeSpec::Global, name, start, is_template)
    }

    /// `is_template`: it is the name of a template, whose arguments may follow.
    fn scoped_expr(&mut self, scope: TypeSpec, name: Name, start: Span, is_template: bool) -> Parsed<ExprId> {
        let span = self.span_from(start);
        let ty = self.types_ref().type_name_of(scope, span);
        let ty = self.unit.type_names.push(ty);
        let expr = self.push_expr(ExprKind::Scoped { ty, name }, span)?;
        // `S<T>::template f<U>`
        let is_said = self.kind_of(self.pos.saturating_sub(2)) == TokenKind::Keyword(Keyword::Template);
        let is_template = is_template || is_said;
        if self.is(Punct::Lt) && is_template && self.templates_ref().begins_template_args() {
            return self.templates().template_id(expr);
        }
        Ok(expr)
    }

    /// What follows `std::`.
    fn std_expr(&mut self, start: Span) -> Parsed<ExprId> {
        let name = self.types().expect_name()?;
        let span = self.span_from(start);
        let spelling = self.interner.spelling(name.symbol);
        if standard::is_device_function(spelling) {
            return self.global_expr(name, start, false);
        }
        let function = match spelling {
            "min" => Some(StdFunction::Min),
            "max" => Some(StdFunction::Max),
            "move" => Some(StdFunction::Move),
            "forward" => Some(StdFunction::Forward),
            _ => None,
        };
        if let Some(function) = function
            && (self.is(Punct::LParen) || self.is(Punct::Lt))
        {
            return self.std_function(function, start);
        }
        if spelling == "numeric_limits" && self.is(Punct::Lt) {
            return self.numeric_limit(start);
        }
        let message = format!("`std::{spelling}` is not available in device code");
        self.refuse(Code::UnsupportedNamespace, span, message);
        self.skip_rest_of_std();
        let span = self.span_from(start);
        Ok(self.error_expr(span))
    }

    /// What may follow a name of `std` that was refused: template arguments, and names within it.
    fn skip_rest_of_std(&mut self) {
        if self.is(Punct::Lt) && self.types_ref().begins_type_at(1) {
            self.refusals().skip_angles();
        }
        self.skip_nested_names();
    }

    fn skip_nested_names(&mut self) {
        while self.is(Punct::ColonColon) {
            self.bump();
            self.bump();
        }
    }

    /// `std::numeric_limits "<" type-name ">" "::" identifier`, at the `<`; of a function, the parentheses too.
    fn numeric_limit(&mut self, start: Span) -> Parsed<ExprId> {
        let open = self.bump().span;
        let (ty, below) = self.nested(|p| p.types().kept_type_name())?;
        self.expect_close(Punct::Gt, open)?;
        if self.eat(Punct::ColonColon).is_none() {
            return Err(self.expected(Punct::ColonColon));
        }
        let name = self.expect_ident("a member of `std::numeric_limits`")?;
        let spelling = self.interner.spelling(name.symbol);
        let Some((limit, is_function)) = Limit::named(spelling) else {
            let message = format!("`std::numeric_limits` has no member `{spelling}`");
            return Err(self.error(Diagnostic::new(Code::NoMember, name.span, message)));
        };
        if is_function {
            let open = self.expect(Punct::LParen)?;
            self.expect_close(Punct::RParen, open)?;
        }
        self.parser.push_expr_over(ExprKind::NumericLimit { ty, limit }, self.span_from(start), below)
    }

    /// `std::min`, or `std::min "<" type-name ">"`, behind the name.
    fn std_function(&mut self, function: StdFunction, start: Span) -> Parsed<ExprId> {
        let (mut ty, mut below) = (None, 0);
        if self.is(Punct::Lt) {
            let open = self.bump().span;
            let (name, height) = self.nested(|p| p.types().kept_type_name())?;
            self.expect_close(Punct::Gt, open)?;
            (ty, below) = (Some(name), height);
        }
        self.parser.push_expr_over(ExprKind::StdFunction { function, ty }, self.span_from(start), below)
    }

    /// Whether `using namespace std;` comes next, which changes nothing if no header has declared something there: what of `std` device code
    /// has is known without it.
    pub(in crate::parse) fn is_using_std(&self) -> bool {
        let is_std =
            matches!(self.kind_at(2), TokenKind::Ident(symbol) if self.interner.spelling(symbol) == "std");
        self.is_keyword(Keyword::Using)
            && self.kind_at(1) == TokenKind::Keyword(Keyword::Namespace)
            && is_std
            && !self
                .ident_at(2)
                .is_some_and(|std| matches!(self.scopes.scope_named(std), Meaning::Namespace(_)))
            && self.is_at(3, Punct::Semi)
    }

    /// Whether the name of a declarator is that of a member of a namespace, declared at file scope.
    pub(in crate::parse) fn is_qualified_declarator(&self) -> bool {
        let is_qualified = self.is(Punct::ColonColon) || self.begins_path();
        is_qualified
            && self.body_open.is_none()
            && (!self.scopes.is_in_class() || self.record.declares_friend)
            && (self.scope_at(0).is_some() || self.class_at(0).is_some())
    }

    /// The class that `["::"] (identifier "::")*` from `ahead` on leads to, with those around it from the outside in, and its namespace.
    pub(in crate::parse) fn class_at(&self, ahead: usize) -> Option<(Namespace, SmallVec<[ClassId; 2]>)> {
        let is_global = self.is_at(ahead, Punct::ColonColon);
        let mut at = ahead + usize::from(is_global);
        let mut namespace = is_global.then_some(Namespace::GLOBAL);
        let mut classes: SmallVec<[ClassId; 2]> = SmallVec::new();
        while let Some(symbol) = self.ident_at(at) {
            let meaning = match namespace {
                Some(namespace) => self.scopes.member(namespace, symbol),
                None => self.scopes.scope_named(symbol),
            };
            let end = self.end_of_name(at, meaning);
            if !self.is_at(end, Punct::ColonColon) {
                break;
            }
            if end > at + 1 && !self.instance_classes.is_empty() {
                return Some((self.scopes.namespace(), self.instance_classes.clone()));
            }
            if let (Meaning::Namespace(inner), true) = (meaning, classes.is_empty()) {
                namespace = Some(inner);
            } else {
                let (home, class) = self.scopes.class_named(namespace, classes.last().copied(), symbol)?;
                namespace = Some(home);
                classes.push(class);
            }
            at = end + 1;
        }
        Some((namespace?, classes)).filter(|(_, classes)| !classes.is_empty())
    }

    /// `["::"] (identifier "::")* name` of a declarator. What follows is read in the namespace (C++17 6.4.1p8), which
    /// [`Declarations::declaration`] leaves.
    pub(in crate::parse) fn qualified_declarator(&mut self, into: &mut Declarator) -> Parsed<()> {
        let class = self.class_at(0);
        let namespace = self.scope_at(0).or(class.as_ref().map(|&(namespace, _)| namespace));
        let is_template = self.qualified_at(0).is_some_and(|(_, meaning)| meaning == Meaning::Template);
        into.scope = self.qualifier()?;
        into.name = Some(self.types().expect_name()?);
        if self.record.declares_friend {
            return Ok(());
        }
        if is_template && self.templates_ref().begins_template_args() {
            into.template_args = self.templates().template_args()?.into();
        }
        if let Some(namespace) = namespace {
            self.scopes.go_to_namespace(namespace);
        }
        if let Some((_, classes)) = class {
            self.types().open_classes(&classes);
        }
        Ok(())
    }

    /// The class that a type is, as far as the parser knows it.
    pub(in crate::parse) fn class_of(&self, ty: &TypeSpec) -> Option<ClassId> {
        self.class_and_home(ty).map(|(_, class)| class)
    }

    fn class_and_home(&self, ty: &TypeSpec) -> Option<(Namespace, ClassId)> {
        match ty {
            TypeSpec::Named(name) => self.scopes.class_named(None, None, name.symbol),
            TypeSpec::Nested(nested) => {
                let (outer, name) = &**nested;
                if let Some((home, class)) = self.class_and_home(outer) {
                    return self.scopes.class_named(Some(home), Some(class), name.symbol);
                }
                let namespace = self.namespace_of(outer)?;
                self.scopes.class_named(Some(namespace), None, name.symbol)
            }
            _ => None,
        }
    }

    /// The namespace that a qualifier names.
    fn namespace_of(&self, ty: &TypeSpec) -> Option<Namespace> {
        let meaning = match ty {
            TypeSpec::Global => return Some(Namespace::GLOBAL),
            TypeSpec::Named(name) => self.scopes.scope_named(name.symbol),
            TypeSpec::Nested(nested) => self.scopes.member(self.namespace_of(&nested.0)?, nested.1.symbol),
            _ => return None,
        };
        match meaning {
            Meaning::Namespace(namespace) => Some(namespace),
            _ => None,
        }
    }

    /// `["::"] (identifier "::")*`, if that comes next.
    pub(in crate::parse) fn qualifier(&mut self) -> Parsed<Option<Box<TypeSpec>>> {
        let mut scope = self.eat(Punct::ColonColon).map(|_| TypeSpec::Global);
        let mut depth = 0;
        while self.is_at(1, Punct::ColonColon)
            || self.is_at(1, Punct::Lt) && self.is_at(self.end_of_list(1), Punct::ColonColon)
        {
            depth += 1;
            if depth > self.dialect.depth.nesting {
                let span = self.span();
                return Err(self.too_deep(span));
            }
            let name = self.expect_ident("the name of a namespace")?;
            let name = match scope {
                Some(scope) => in_scope(scope, name),
                None => self.named_type_spec(name),
            };
            scope = Some(self.with_args(name, false)?);
            self.bump();
        }
        Ok(scope.map(Box::new))
    }

    /// Goes to the namespace of a qualified tag, if that is defined here, and gives the one before.
    pub(in crate::parse) fn enter_tag_scope(&mut self, namespace: Option<Namespace>) -> Option<Namespace> {
        let is_here = self.is(Punct::LBrace) && self.body_open.is_none() && !self.scopes.is_in_class();
        let namespace = namespace.filter(|_| is_here)?;
        let outer = self.scopes.namespace();
        self.scopes.go_to_namespace(namespace);
        Some(outer)
    }

    /// `a::b`, `::b`: takes the name with the template arguments that it may have.
    pub(in crate::parse) fn refuse_qualified_name(&mut self) -> Reported {
        let start = self.span();
        while let TokenKind::Ident(_) | TokenKind::Punct(Punct::ColonColon) = self.kind() {
            let is_name = matches!(self.kind(), TokenKind::Ident(_));
            self.bump();
            if is_name && !self.is(Punct::ColonColon) {
                break;
            }
        }
        let span = self.span_from(start);
        let reported =
            self.refuse(Code::UnsupportedNamespace, span, "qualified names are not supported here");
        if self.is(Punct::Lt)
            && (self.types_ref().begins_type_at(1) || matches!(self.kind_at(2), TokenKind::Punct(Punct::Gt)))
        {
            self.refusals().skip_angles();
        }
        reported
    }
}

/// `scope::name`
fn in_scope(scope: TypeSpec, name: Name) -> TypeSpec {
    TypeSpec::Nested(Box::new((scope, name)))
}
