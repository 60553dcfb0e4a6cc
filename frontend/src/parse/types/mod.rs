//! Declaration specifiers and type names (C17 6.7.1 to 6.7.5, 6.7.7).
//!
//! - this file: declaration specifiers and type names; [`keyword`]: which keywords they are
//! - [`declarator`]: declarators, which become flat lists
//! - [`record`]: the bodies of structs, unions and enums; [`method`]: the bodies of member functions
//! - [`type_name`]: type names, and the types of functional casts
//! - [`attr`]: attributes and CUDA's qualifiers

mod attr;
mod declarator;
pub(super) mod keyword;
mod method;
pub(super) mod record;
mod special;
mod type_name;

use thin_vec::ThinVec;

use super::height::Bounded;
use super::name::scope::Meaning;
use super::{Parsed, Types};
use crate::ast::{
    Attr, AttrKind, BuiltinTy, DeclSpecs, Name, QualSpecs, Special, Storage, TypeName, TypeSpec,
};
use crate::diag::similar::similar;
use crate::diag::{Code, Diagnostic, Fix};
use crate::source::Span;
use crate::token::{Keyword, Punct, Token, TokenKind};
use keyword::{Words, begins_declaration, begins_type, is_qualifier};

/// What is remembered of types.
#[derive(Default)]
pub(super) struct TypeFacts {
    /// The parameters of the declarator at hand were not understood.
    has_broken_params: bool,
    methods: method::MethodFacts,
    /// The kind of the special member whose name is to be read.
    special: Option<Special>,
    /// The type that the name of a conversion function says.
    converts_to: Option<TypeName>,
    /// The `...` before the name of the parameter that is being read.
    ellipsis: Option<Span>,
}

/// Where specifiers stand, and so which of them are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpecsOf {
    /// A declaration or a function.
    Declaration,
    /// A parameter.
    Parameter,
    /// The members of a struct or union.
    Member,
    /// A constructor, a destructor or a conversion function, whose name has no type before it.
    Special,
    /// A type name.
    TypeName,
}

impl Types<'_> {
    /// Whether the token at `ahead` begins a type name.
    pub(super) fn begins_type_at(&self, ahead: usize) -> bool {
        match self.kind_at(ahead) {
            TokenKind::Keyword(keyword) => begins_type(keyword),
            TokenKind::Ident(_) if self.is_at(ahead + 1, Punct::ColonColon) => {
                self.names_ref().qualified_type_at(ahead).is_some()
            }
            TokenKind::Ident(symbol) => match self.scopes.meaning(symbol) {
                Meaning::Type | Meaning::TypeTemplate if self.is_at(ahead + 1, Punct::Lt) => {
                    self.begins_instance_at(ahead)
                }
                Meaning::Type => true,
                Meaning::TypeTemplate => self.names_ref().may_deduce_class_at(ahead + 1),
                _ => false,
            },
            TokenKind::Punct(Punct::ColonColon) => self.names_ref().qualified_type_at(ahead).is_some(),
            _ => false,
        }
    }

    /// Whether the name of a type at `ahead`, before `<`, begins a type.
    #[inline(never)]
    fn begins_instance_at(&self, ahead: usize) -> bool {
        let names = self.names_ref();
        let is_template =
            matches!(self.kind_at(ahead), TokenKind::Ident(symbol) if self.scopes.is_type_template(symbol));
        // What nothing closes is a mistake.
        !is_template
            || names.instance_at(ahead).is_some()
            || names.qualified_type_at(ahead).is_some()
            || self.templates_ref().closing_angle(self.pos + ahead + 1).is_none()
    }

    /// Whether the current token begins a declaration and nothing else.
    pub(super) fn begins_decl(&self) -> bool {
        match self.kind() {
            TokenKind::Keyword(keyword) => begins_declaration(keyword),
            TokenKind::Punct(Punct::LBracket) => self.is_at(1, Punct::LBracket),
            _ => self.begins_type_at(0),
        }
    }

    /// `declaration-specifiers = (storage | "inline" | "constexpr" | qualifier | type-specifier | attribute)+`
    pub(super) fn decl_specs(&mut self, of: SpecsOf) -> Parsed<DeclSpecs> {
        match self.lone_word() {
            Some(ty) => Ok(DeclSpecs::new(TypeSpec::Builtin(ty), self.bump().span)),
            None => self.several_specs(of),
        }
    }

    /// The same of specifiers that may be several.
    #[inline(never)]
    fn several_specs(&mut self, of: SpecsOf) -> Parsed<DeclSpecs> {
        let start = self.span();
        let mut specs = DeclSpecs::new(TypeSpec::Error, start);
        let mut words = Words::default();
        let mut has_type = false;
        loop {
            let token = self.token();
            if has_type && (self.ends_at_brace() || self.ends_without_brace(&specs.ty)) {
                break;
            }
            // A comma is missing between two parameters.
            let begins_another = of == SpecsOf::Parameter
                && has_type
                && matches!(token.kind, TokenKind::Keyword(keyword) if !is_qualifier(keyword))
                && self.begins_type_at(0);
            if begins_another {
                break;
            }
            match token.kind {
                TokenKind::Keyword(keyword) => {
                    if words.take(keyword, token.span) {
                        if has_type {
                            self.two_types(&specs, token.span);
                        }
                        self.bump();
                        specs.ty_span = if words.any { specs.ty_span.to(token.span) } else { token.span };
                        words.any = true;
                    } else if self.qualifier(&mut specs.quals)
                        || self.attributes(&mut specs.attrs)?
                        || self.storage(keyword, of, &mut specs)
                        || self.odd_specifier(keyword, of, token.span == start)
                    {
                    } else if let Some(ty) = self.keyword_type(keyword)? {
                        if has_type || words.any {
                            self.two_types(&specs, token.span);
                        }
                        has_type = true;
                        specs.ty = ty;
                        specs.ty_span = self.span_from(token.span);
                        self.attributes_behind(&mut specs)?;
                    } else {
                        break;
                    }
                }
                TokenKind::Ident(_) | TokenKind::Punct(Punct::ColonColon) if of == SpecsOf::Special => break,
                TokenKind::Ident(symbol) if !has_type && !words.any => {
                    let name = Name { symbol, span: token.span };
                    let ty = match self.names_ref().begins_path() {
                        true if self.names_ref().qualified_type_at(0).is_some() => {
                            Some(self.names().qualified_type()?)
                        }
                        true => Some(self.names().unknown_qualified_type()?),
                        false => self.named_type(name, of),
                    };
                    let Some(ty) = ty else { break };
                    has_type = true;
                    specs.ty = ty;
                    specs.ty_span = self.span_from(token.span);
                }
                TokenKind::Ident(symbol) if self.is_misspelt_type() => {
                    self.unknown_type(Name { symbol, span: token.span });
                }
                TokenKind::Punct(Punct::LBracket) if self.is_at(1, Punct::LBracket) => {
                    self.attributes(&mut specs.attrs)?;
                }
                TokenKind::Punct(Punct::ColonColon) if !has_type && !words.any => {
                    if self.names_ref().qualified_type_at(0).is_some() {
                        specs.ty = self.names().qualified_type()?;
                        specs.ty_span = self.span_from(token.span);
                    } else {
                        specs.ty = self.names().unknown_qualified_type()?;
                        specs.ty_span = self.span_from(token.span);
                    }
                    has_type = true;
                }
                _ => break,
            }
        }
        specs.span = self.span_from(start);
        if words.any && !has_type {
            specs.ty = self.combine(&words, specs.ty_span);
        } else if of == SpecsOf::Special {
            specs.ty = TypeSpec::Builtin(BuiltinTy::Void);
        } else if !has_type {
            self.missing_type(&mut specs)?;
        }
        Ok(specs)
    }

    /// The type of a keyword that is all of the specifiers, as in most declarations: the shorter way to the same.
    fn lone_word(&self) -> Option<BuiltinTy> {
        let TokenKind::Keyword(keyword) = self.kind() else { return None };
        let ty = match keyword {
            Keyword::Void => BuiltinTy::Void,
            Keyword::Bool => BuiltinTy::Bool,
            Keyword::Char => BuiltinTy::Char,
            Keyword::Int => BuiltinTy::Int,
            Keyword::Float => BuiltinTy::Float,
            Keyword::Double => BuiltinTy::Double,
            _ => return None,
        };
        let is_alone = match self.kind_at(1) {
            // Behind a name it may turn out to be a misspelt type.
            TokenKind::Ident(_) => matches!(self.kind_at(2), TokenKind::Punct(punct) if punct != Punct::Star),
            TokenKind::Punct(punct) => punct != Punct::LBracket,
            _ => false,
        };
        is_alone.then_some(ty)
    }

    /// Attributes right behind the `}` of a type: what says how its objects lie is about the type (GNU C
    /// "Type Attributes"), anything else about what is declared.
    fn attributes_behind(&mut self, specs: &mut DeclSpecs) -> Parsed<()> {
        if self.kind_of(self.pos - 1) != TokenKind::Punct(Punct::RBrace) {
            return Ok(());
        }
        let mut behind = ThinVec::new();
        while matches!(
            self.kind(),
            TokenKind::Keyword(Keyword::Attribute | Keyword::GnuAttribute2 | Keyword::Align)
        ) {
            self.attributes(&mut behind)?;
        }
        for attr in behind {
            let is_of_type = match &attr.kind {
                AttrKind::Align(_) => true,
                AttrKind::Gnu { name, .. } => {
                    matches!(self.interner.spelling(name.symbol).trim_matches('_'), "aligned" | "packed")
                }
                _ => false,
            };
            match &mut specs.ty {
                TypeSpec::Record(spec) if is_of_type => spec.attrs.push(attr),
                TypeSpec::Enum(spec) if is_of_type => spec.attrs.push(attr),
                TypeSpec::Record(_)
                | TypeSpec::Enum(_)
                | TypeSpec::Builtin(_)
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
                | TypeSpec::Error => specs.attrs.push(attr),
            }
        }
        Ok(())
    }

    /// `qualifier = "const" | "volatile" | "__restrict__"`
    pub(super) fn qualifier(&mut self, quals: &mut QualSpecs) -> bool {
        use Keyword as K;
        let TokenKind::Keyword(keyword) = self.kind() else { return false };
        let place = match keyword {
            K::Const | K::GnuConst | K::GnuConst2 => &mut quals.const_,
            K::Volatile | K::GnuVolatile | K::GnuVolatile2 => &mut quals.volatile,
            K::Restrict | K::Restrict2 => &mut quals.restrict,
            _ => return false,
        };
        place.or_insert(self.here.span);
        self.bump();
        true
    }

    fn storage(&mut self, keyword: Keyword, of: SpecsOf, specs: &mut DeclSpecs) -> bool {
        let span = self.span();
        let storage = match keyword {
            Keyword::Typedef => Storage::Typedef,
            Keyword::Extern => Storage::Extern,
            Keyword::Static => Storage::Static,
            Keyword::Register => Storage::Register,
            Keyword::Inline | Keyword::GnuInline | Keyword::GnuInline2 => {
                specs.inline.or_insert(span);
                self.bump();
                return true;
            }
            Keyword::Explicit if of == SpecsOf::Special => {
                specs.explicit.or_insert(span);
                self.bump();
                return true;
            }
            Keyword::Constexpr => {
                if of == SpecsOf::Parameter {
                    let message = "function parameter cannot be `constexpr`";
                    self.error(Diagnostic::new(Code::InvalidSpecifiers, span, message));
                } else {
                    specs.constexpr.or_insert(span);
                }
                self.bump();
                return true;
            }
            Keyword::Mutable if of == SpecsOf::Member => {
                specs.is_mutable = true;
                self.bump();
                return true;
            }
            Keyword::Friend if of == SpecsOf::Member => {
                specs.friend.or_insert(span);
                self.bump();
                return true;
            }
            _ => return false,
        };
        let spelling = keyword.spelling();
        if let Some((_, first)) = specs.storage {
            let message = format!("cannot combine `{spelling}` with another storage class");
            let diagnostic = Diagnostic::new(Code::InvalidSpecifiers, span, message)
                .with_label(first, "first storage class is here");
            self.error(diagnostic);
        } else {
            let is_taken = match of {
                SpecsOf::Declaration => true,
                SpecsOf::Parameter => storage == Storage::Register,
                SpecsOf::Member => matches!(storage, Storage::Static | Storage::Typedef),
                SpecsOf::TypeName | SpecsOf::Special => false,
            };
            if is_taken {
                specs.storage = Some((storage, span));
            } else {
                let place = match of {
                    SpecsOf::Declaration => "a declaration",
                    SpecsOf::Parameter => "a parameter",
                    SpecsOf::Member => "a member",
                    SpecsOf::Special => "a constructor, destructor or conversion function",
                    SpecsOf::TypeName => "a type name",
                };
                let message = format!("`{spelling}` is not allowed on {place}");
                self.error(Diagnostic::new(Code::InvalidSpecifiers, span, message));
            }
        }
        self.bump();
        true
    }

    /// `"decltype" "(" expression ")"`
    pub(in crate::parse) fn decltype(&mut self) -> Parsed<TypeSpec> {
        self.bump();
        let open = self.expect(Punct::LParen)?;
        let operand = self.nested(|p| p.expressions().expression())?;
        self.expect_close(Punct::RParen, open)?;
        Ok(TypeSpec::Decltype(operand))
    }

    /// Specifiers of C++ that are refused, and GNU's `__extension__`, which means nothing, and begins a declaration.
    fn odd_specifier(&mut self, keyword: Keyword, of: SpecsOf, is_first: bool) -> bool {
        use Keyword as K;
        match keyword {
            K::Extension
                if is_first && matches!(of, SpecsOf::Declaration | SpecsOf::Member | SpecsOf::Special) => {}
            K::Extension => {
                let message = "`__extension__` is allowed only once, at the beginning of a declaration";
                self.parser.error(Diagnostic::new(Code::InvalidSpecifiers, self.span(), message));
            }
            K::ThreadLocal
            | K::Thread
            | K::Complex
            | K::GnuComplex
            | K::GnuComplex2
            | K::Mutable
            | K::Virtual
            | K::Explicit
            | K::Friend
            | K::Export => {
                let message = format!("`{}` is not supported", keyword.spelling());
                self.parser.refuse(Code::UnsupportedSpecifier, self.span(), message);
            }
            _ => return false,
        }
        self.bump();
        true
    }

    /// A type specifier that is a keyword and no arithmetic type's.
    ///
    /// `type-query = ("__typeof__" | "typeof") "(" (type-name | expression) ")" | "decltype" "(" expression ")"`
    fn keyword_type(&mut self, keyword: Keyword) -> Parsed<Option<TypeSpec>> {
        use Keyword as K;
        let ty = match keyword {
            K::Struct | K::Union | K::Class => self.nested(Self::record_spec)?,
            K::Enum => self.nested(Self::enum_spec)?,
            K::Typename => {
                self.bump();
                let is_scope = self.is(Punct::ColonColon) || self.is_keyword(K::Decltype);
                if !is_scope && !self.names_ref().begins_path() {
                    let message =
                        format!("expected a qualified name after `typename`, found {}", self.describe());
                    return Err(self.parser.error(Diagnostic::new(
                        Code::ExpectedIdentifier,
                        self.span(),
                        message,
                    )));
                }
                self.names().qualified_type()?
            }
            K::Auto => {
                self.bump();
                TypeSpec::Auto
            }
            K::Decltype if matches!(self.kind_at(2), TokenKind::Keyword(K::Auto)) => {
                self.bump();
                let open = self.expect(Punct::LParen)?;
                self.bump();
                self.expect_close(Punct::RParen, open)?;
                TypeSpec::DecltypeAuto
            }
            K::Decltype => {
                let spec = self.decltype()?;
                match self.is(Punct::ColonColon) {
                    true => self.names().rest_of_qualified(spec, true)?,
                    false => spec,
                }
            }
            K::Typeof | K::Typeof2 | K::GnuTypeof2 => {
                self.bump();
                let open = self.expect(Punct::LParen)?;
                let ty = if self.begins_type_at(0) && !self.is_functional_cast() {
                    TypeSpec::TypeofType(Box::new(self.nested(Self::type_name)?.0))
                } else {
                    TypeSpec::TypeofExpr(self.nested(|p| p.expressions().expression())?)
                };
                self.expect_close(Punct::RParen, open)?;
                ty
            }
            _ => return Ok(None),
        };
        Ok(Some(ty))
    }

    /// The type that an identifier names in the place of a type specifier. A name that is none is
    /// one all the same, and reported, where only a type can stand.
    fn named_type(&mut self, name: Name, of: SpecsOf) -> Option<TypeSpec> {
        if matches!(self.scopes.meaning(name.symbol), Meaning::Type | Meaning::TypeTemplate) {
            self.bump();
            if self.is(Punct::Lt) && self.scopes.is_type_template(name.symbol) {
                if !self.templates_ref().begins_template_args() {
                    self.templates().missing_angle();
                    self.refusals().skip_angles();
                    return Some(TypeSpec::Error);
                }
                let instance = self.names().instance_of(TypeSpec::Named(name));
                return Some(instance.unwrap_or(TypeSpec::Error));
            }
            if self.is(Punct::Lt) {
                self.refusals().refuse_template_arguments(name);
                return Some(TypeSpec::Error);
            }
            return Some(self.parser.named_type_spec(name));
        }
        let must_be_type = match self.kind_at(1) {
            TokenKind::Ident(_) => true,
            // `foo const x`, `foo __restrict__ x`, and `statc int x`.
            TokenKind::Keyword(keyword) => begins_declaration(keyword),
            // `foo<int> x` has more to it than a comparison can have.
            TokenKind::Punct(Punct::Lt) => of != SpecsOf::TypeName && self.begins_type_at(2),
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp) => true,
            TokenKind::Punct(Punct::LParen) => {
                of == SpecsOf::Member
                    && matches!(self.kind_at(2), TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp))
            }
            TokenKind::Punct(Punct::Comma | Punct::RParen) => of == SpecsOf::Parameter,
            _ => false,
        };
        if !must_be_type {
            return None;
        }
        self.unknown_type_as(name)
    }

    /// A name that is no type, and may be meant for the keyword before a tag.
    fn unknown_type_as(&mut self, name: Name) -> Option<TypeSpec> {
        let token = self.token();
        let meant = self.unknown_type(name);
        let has_tag = matches!(self.kind(), TokenKind::Ident(_) | TokenKind::Punct(Punct::LBrace));
        if let Some(keyword @ (Keyword::Struct | Keyword::Union)) = meant
            && has_tag
        {
            let keyword = Token { kind: TokenKind::Keyword(keyword), ..token };
            return Some(self.nested(|p| p.record_behind(keyword)).unwrap_or(TypeSpec::Error));
        }
        if self.is(Punct::Lt) {
            self.refusals().skip_angles();
        }
        Some(TypeSpec::Error)
    }

    /// Whether a word behind a type is meant for a type as well: `unsigned cahr c`.
    fn is_misspelt_type(&self) -> bool {
        let TokenKind::Ident(symbol) = self.kind() else { return false };
        let goes_on = matches!(self.kind_at(1), TokenKind::Ident(_))
            || self.is_at(1, Punct::Star) && matches!(self.kind_at(2), TokenKind::Ident(_));
        let is_new = self.scopes.meaning(symbol) == Meaning::Unknown && !self.here.at_line_start;
        goes_on && is_new && self.similar_type(self.interner.spelling(symbol)).is_some()
    }

    /// Takes a name that stands where a type must, and says that it is none. Gives the keyword that was
    /// probably meant.
    pub(super) fn unknown_type(&mut self, name: Name) -> Option<Keyword> {
        let spelling = self.interner.spelling(name.symbol);
        if ["texture", "surface"].contains(&spelling) && self.is_at(1, Punct::Lt) {
            self.refusals().refuse_texture_reference(name);
            self.bump();
            return None;
        }
        if spelling == "__label__" {
            let diagnostic = Diagnostic::new(
                Code::UnsupportedExtension,
                name.span,
                "local labels (`__label__`) are not supported",
            )
            .with_help("remove the declaration and give each label of the function a different name");
            self.error(diagnostic);
            self.bump();
            return None;
        }
        let mut diagnostic =
            Diagnostic::new(Code::UnknownTypeName, name.span, format!("unknown type name `{spelling}`"));
        let mut keyword = None;
        if let Some(header) = crate::predeclared::header_of(spelling) {
            diagnostic = diagnostic.with_fix(Fix::include(spelling, header));
        } else if let Some(meant) = other_name(spelling).or_else(|| self.similar_type(spelling)) {
            keyword = Keyword::ALL.iter().copied().find(|keyword| keyword.spelling() == meant);
            let title = format!("did you mean `{meant}`?");
            diagnostic = diagnostic.with_fix(Fix::new(title, name.span, meant));
        }
        if !self.unit.refused.has(name.symbol) {
            self.error(diagnostic);
        }
        self.bump();
        keyword
    }

    /// The type or keyword that was probably meant: `retrun x` looks like a declaration of `x`.
    fn similar_type(&self, spelling: &str) -> Option<&str> {
        if !self.sink.shows_more() {
            return None;
        }
        let types = self.scopes.types().map(|symbol| self.interner.spelling(symbol));
        let types: Vec<&str> = types.chain(Keyword::ALL.iter().map(|keyword| keyword.spelling())).collect();
        similar(spelling, types.iter().copied()).map(|idx| types[idx])
    }

    fn two_types(&mut self, specs: &DeclSpecs, span: Span) {
        // The first was no type: perhaps `static` with a letter wrong.
        if matches!(specs.ty, TypeSpec::Error) {
            return;
        }
        let message = "two or more data types in declaration";
        let diagnostic = Diagnostic::new(Code::InvalidSpecifiers, span, message)
            .with_help("is there a missing `;` before it?");
        self.error(diagnostic);
    }

    /// Whether a struct has just ended where its `}` is missing, before a function.
    pub(super) fn ends_without_brace(&self, ty: &TypeSpec) -> bool {
        matches!(ty, TypeSpec::Record(record) if record.is_broken) && self.begins_function()
    }

    /// Whether the `}` of a struct or enum came last and a new line begins: a `;` is missing.
    fn ends_at_brace(&self) -> bool {
        self.token().at_line_start
            && self.pos > 0
            && self.kind_of(self.pos - 1) == TokenKind::Punct(Punct::RBrace)
    }

    /// Nothing among the specifiers is a type.
    fn missing_type(&mut self, specs: &mut DeclSpecs) -> Parsed<()> {
        let is_only_attributes = self.is(Punct::Semi) && !specs.attrs.is_empty();
        if is_only_attributes {
            self.no_attributes(&specs.attrs, "without a declaration");
            return Ok(());
        }
        let what = match self.kind() {
            TokenKind::Ident(symbol) => format!("before `{}`", self.interner.spelling(symbol)),
            _ => format!("found {}", self.describe()),
        };
        let message = match self.kind() {
            TokenKind::Ident(_) => format!("expected a type {what}"),
            _ => format!("expected a type, {what}"),
        };
        let reported = self.parser.error(Diagnostic::new(Code::ExpectedType, self.span(), message));
        specs.ty = TypeSpec::Error;
        specs.ty_span = self.span().start();
        // With a name the declaration can still be read.
        if matches!(self.kind(), TokenKind::Ident(_)) { Ok(()) } else { Err(reported) }
    }

    /// The type that a multiset of keywords names (C17 6.7.2p2).
    fn combine(&mut self, words: &Words, span: Span) -> TypeSpec {
        use Keyword as K;
        if let Some((at, spelling)) = words.clash {
            let message = format!("cannot combine `{spelling}` with previous type specifier");
            self.error(Diagnostic::new(Code::InvalidSpecifiers, at, message));
            return TypeSpec::Error;
        }
        match words.named() {
            Some(ty) => TypeSpec::Builtin(ty),
            None => {
                let base = words.base.map_or("int", Keyword::spelling);
                let may_have_sign = matches!(words.base, Some(K::Char | K::Int128));
                let word = match (words.unsigned, words.signed) {
                    (true, _) if !may_have_sign => "unsigned",
                    (_, true) if !may_have_sign => "signed",
                    _ if words.short => "short",
                    _ if words.n_long > 1 => "long long",
                    _ => "long",
                };
                let message = format!("cannot combine `{word}` with `{base}`");
                self.error(Diagnostic::new(Code::InvalidSpecifiers, span, message));
                TypeSpec::Error
            }
        }
    }

    /// Reports the attributes of a place that takes none.
    pub(super) fn no_attributes(&mut self, attrs: &[Attr], place: &str) {
        if let Some(attr) = attrs.first() {
            let message = format!("attributes are not allowed {place}");
            self.refuse(Code::MisplacedAttribute, attr.span, message);
        }
    }
}

/// The built-in type that people mean by a name that CUDA does not declare by itself.
fn other_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "uint8_t" | "uchar" | "u8" => "unsigned char",
        "uint16_t" | "u16" => "unsigned short",
        "uint32_t" | "u32" => "unsigned int",
        "uint64_t" | "u64" => "unsigned long",
        "i8" => "signed char",
        "i16" => "short",
        "i32" => "int",
        "i64" => "long",
        "f32" => "float",
        "f64" => "double",
        "_Bool" | "boolean" => "bool",
        _ => return None,
    })
}
