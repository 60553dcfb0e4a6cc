//! Attributes and CUDA's qualifiers.

use thin_vec::ThinVec;

use crate::ast::{Attr, AttrKind, ExprId, ExprKind, Name};
use crate::diag::{Code, Diagnostic};
use crate::parse::height::Bounded;
use crate::parse::{Parsed, Types};
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};

/// Whose attribute a name is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Namespace {
    Gnu,
    /// C++'s: `[[name]]`.
    Standard,
    /// Another compiler's: `[[clang::name]]`.
    Foreign,
}

/// The attributes of C++ (C++17 10.6.2 to 10.6.8), and those of C++20 that nvcc takes.
const STANDARD: &[&str] = &[
    "carries_dependency",
    "deprecated",
    "fallthrough",
    "likely",
    "maybe_unused",
    "no_unique_address",
    "nodiscard",
    "noreturn",
    "unlikely",
];

/// Attributes that take no arguments, with nvcc either.
const WITHOUT_ARGUMENTS: &[&str] = &[
    "always_inline",
    "artificial",
    "cdecl",
    "cold",
    "common",
    "const",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "flatten",
    "gnu_inline",
    "hot",
    "may_alias",
    "no_instrument_function",
    "nocommon",
    "noinline",
    "noplt",
    "noreturn",
    "nothrow",
    "nv_pure",
    "packed",
    "pure",
    "stdcall",
    "unused",
    "used",
    "warn_unused_result",
    "weak",
];

/// Attributes with one argument, which must be a string literal.
const OF_TEXT: &[&str] =
    &["deprecated", "error", "section", "target", "tls_model", "unavailable", "visibility", "warning"];

impl Types<'_> {
    /// Takes one attribute, if one comes next, or a list of them in brackets.
    ///
    /// `attribute = cuda-qualifier | "alignas" "(" … ")" | "__attribute__" "((" … "))" | "[[" … "]]"`
    pub(in crate::parse) fn attributes(&mut self, attrs: &mut ThinVec<Attr>) -> Parsed<bool> {
        use Keyword as K;
        let start = self.span();
        let keyword = match self.kind() {
            TokenKind::Keyword(keyword) => keyword,
            TokenKind::Punct(Punct::LBracket) if self.is_at(1, Punct::LBracket) => {
                self.bracketed_attributes(attrs)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let simple = match keyword {
            K::Global => AttrKind::Global,
            K::Device => AttrKind::Device,
            K::Host => AttrKind::Host,
            K::Shared => AttrKind::Shared,
            K::Constant => AttrKind::Constant,
            K::Managed => AttrKind::Managed,
            K::GridConstant => AttrKind::GridConstant,
            K::Noinline => AttrKind::Noinline,
            K::Forceinline => AttrKind::Forceinline,
            K::InlineHint => AttrKind::InlineHint,
            K::LaunchBounds | K::Maxnreg | K::ClusterDims | K::BlockSize | K::Align => {
                let kind = self.attribute_with_args(keyword)?;
                attrs.push(Attr { kind, span: self.span_from(start) });
                return Ok(true);
            }
            K::Alignas => {
                let kind = self.alignas()?;
                attrs.push(Attr { kind, span: self.span_from(start) });
                return Ok(true);
            }
            K::Attribute | K::GnuAttribute2 => {
                self.gnu_attributes(attrs)?;
                return Ok(true);
            }
            K::Declspec => {
                self.bump();
                self.refuse(Code::UnsupportedExtension, start, "`__declspec` is not supported");
                if self.is(Punct::LParen) {
                    self.skip_balanced();
                }
                return Ok(true);
            }
            _ => return Ok(false),
        };
        self.bump();
        attrs.push(Attr { kind: simple, span: start });
        Ok(true)
    }

    /// `"__launch_bounds__" "(" args ")"` and its kin.
    fn attribute_with_args(&mut self, keyword: Keyword) -> Parsed<AttrKind> {
        let name = self.bump().span;
        let args = self.parenthesised_args()?;
        let kind = match keyword {
            Keyword::LaunchBounds => AttrKind::LaunchBounds(args),
            Keyword::ClusterDims => AttrKind::ClusterDims(args),
            Keyword::BlockSize => AttrKind::BlockSize(args),
            _ => match *args {
                [arg] if keyword == Keyword::Maxnreg => AttrKind::Maxnreg(arg),
                [arg] => AttrKind::Align(arg),
                _ => {
                    let message = format!("`{}` expects 1 argument", keyword.spelling());
                    return Err(self.parser.refuse(Code::MisplacedAttribute, self.span_from(name), message));
                }
            },
        };
        Ok(kind)
    }

    /// `"(" [assignment ("," assignment)*] ")"`
    fn parenthesised_args(&mut self) -> Parsed<ThinVec<ExprId>> {
        let open = self.expect(Punct::LParen)?;
        Ok(self.expressions().call_args(Punct::RParen, open)?.into_iter().collect())
    }

    /// `"alignas" "(" (type-name | assignment) ")"`
    fn alignas(&mut self) -> Parsed<AttrKind> {
        self.bump();
        let open = self.expect(Punct::LParen)?;
        let kind = if self.begins_type_at(0) && !self.is_functional_cast() {
            let (ty, _) = self.nested(Self::type_name)?;
            AttrKind::AlignasType(Box::new(ty))
        } else {
            AttrKind::AlignasValue(self.expressions().assignment()?)
        };
        self.expect_close(Punct::RParen, open)?;
        Ok(kind)
    }

    /// `"__attribute__" "(" "(" [name ["(" args ")"] ("," …)*] ")" ")"`
    fn gnu_attributes(&mut self, attrs: &mut ThinVec<Attr>) -> Parsed<()> {
        self.bump();
        let outer = self.expect(Punct::LParen)?;
        let inner = self.expect(Punct::LParen)?;
        self.attribute_list(Punct::RParen, Namespace::Gnu, attrs)?;
        self.expect_close(Punct::RParen, inner)?;
        self.expect_close(Punct::RParen, outer)?;
        Ok(())
    }

    /// `"[" "[" ["using" namespace ":"] [[namespace "::"] name ["(" args ")"] ("," …)*] "]" "]"` (C++17 10.6.1)
    fn bracketed_attributes(&mut self, attrs: &mut ThinVec<Attr>) -> Parsed<()> {
        let outer = self.bump().span;
        let inner = self.bump().span;
        let mut namespace = Namespace::Standard;
        if self.kind() == TokenKind::Keyword(Keyword::Using) {
            self.bump();
            let name = self.attribute_name()?;
            namespace = self.namespace(name);
            self.expect(Punct::Colon)?;
        }
        self.attribute_list(Punct::RBracket, namespace, attrs)?;
        self.expect_close(Punct::RBracket, inner)?;
        self.expect_close(Punct::RBracket, outer)?;
        Ok(())
    }

    /// Attributes up to `close`; those without a namespace of their own are of `namespace`.
    fn attribute_list(
        &mut self,
        close: Punct,
        namespace: Namespace,
        attrs: &mut ThinVec<Attr>,
    ) -> Parsed<()> {
        loop {
            while self.eat(Punct::Comma).is_some() {}
            if self.is(close) {
                return Ok(());
            }
            let start = self.span();
            let mut name = self.attribute_name()?;
            let mut namespace = namespace;
            if self.eat(Punct::ColonColon).is_some() {
                namespace = self.namespace(name);
                name = self.attribute_name()?;
            }
            let is_known = match namespace {
                Namespace::Gnu => true,
                Namespace::Standard => STANDARD.contains(&self.interner.spelling(name.symbol)),
                Namespace::Foreign => false,
            };
            if !is_known {
                if self.is(Punct::LParen) {
                    self.skip_balanced();
                }
                attrs.push(Attr { kind: AttrKind::Unknown(name), span: self.span_from(start) });
                if self.is(Punct::Comma) {
                    continue;
                }
                return Ok(());
            }
            let has_args = self.is(Punct::LParen);
            let open = self.span();
            let args = if has_args { self.parenthesised_args()? } else { ThinVec::new() };
            if has_args && args.is_empty() {
                let spelling = self.interner.spelling(name.symbol);
                let message = format!("attribute `{spelling}` has an empty argument list");
                self.parser.refuse(Code::InvalidAttribute, self.span_from(start), message);
            }
            self.check_attribute_args(name, namespace, &args, open);
            attrs.push(Attr { kind: AttrKind::Gnu { name, args }, span: self.span_from(start) });
            if !self.is(Punct::Comma) {
                return Ok(());
            }
        }
    }

    /// Reports arguments that nvcc refuses, too (C++17 10.6). `open` is their `(`.
    fn check_attribute_args(&mut self, name: Name, namespace: Namespace, args: &[ExprId], open: Span) {
        let [first, rest @ ..] = args else { return };
        let spelling = self.interner.spelling(name.symbol);
        let bare = spelling.trim_matches('_');
        let is_standard = namespace == Namespace::Standard && STANDARD.contains(&spelling);
        let takes_text = OF_TEXT.contains(&bare) || is_standard && bare == "nodiscard";
        let is_text = matches!(self.unit.exprs[*first].kind, ExprKind::Str(_)) && rest.is_empty();
        if takes_text && !is_text {
            let message = format!("attribute `{spelling}` takes one string literal");
            self.parser.refuse(Code::InvalidAttribute, self.unit.exprs[*first].span, message);
        } else if !takes_text && (is_standard || WITHOUT_ARGUMENTS.contains(&bare)) {
            let message = format!("attribute `{spelling}` does not take arguments");
            self.parser.refuse(Code::InvalidAttribute, self.span_from(open), message);
        }
    }

    fn namespace(&self, name: Name) -> Namespace {
        match self.interner.spelling(name.symbol) {
            "gnu" | "__gnu__" => Namespace::Gnu,
            _ => Namespace::Foreign,
        }
    }

    /// Whether attributes come next, and after them `[` or `(`: they stand between a name and what follows it.
    pub(super) fn are_attributes_inside(&self) -> bool {
        let mut ahead = 0;
        loop {
            let (open, close) = match self.kind_at(ahead) {
                TokenKind::Keyword(Keyword::Attribute | Keyword::GnuAttribute2) => {
                    ahead += 1;
                    (Punct::LParen, Punct::RParen)
                }
                TokenKind::Punct(Punct::LBracket) if self.is_at(ahead + 1, Punct::LBracket) => {
                    (Punct::LBracket, Punct::RBracket)
                }
                TokenKind::Punct(Punct::LBracket | Punct::LParen) => return ahead > 0,
                _ => return false,
            };
            let mut depth = 0;
            loop {
                match self.kind_at(ahead) {
                    TokenKind::Punct(punct) if punct == open => depth += 1,
                    TokenKind::Punct(punct) if punct == close => depth -= 1,
                    TokenKind::Punct(Punct::Semi) | TokenKind::Eof => return false,
                    _ => {}
                }
                ahead += 1;
                if depth == 0 {
                    break;
                }
            }
        }
    }

    /// An attribute's name, which a keyword can be as well: `const`.
    fn attribute_name(&mut self) -> Parsed<Name> {
        let span = self.span();
        let symbol = match self.kind() {
            TokenKind::Ident(symbol) => Some(symbol),
            TokenKind::Keyword(keyword) => self.interner.lookup(keyword.spelling()),
            _ => None,
        };
        match symbol {
            Some(symbol) => {
                self.bump();
                Ok(Name { symbol, span })
            }
            None => {
                let message = format!("expected an attribute name, found {}", self.describe());
                Err(self.error(Diagnostic::new(Code::ExpectedIdentifier, span, message)))
            }
        }
    }

    /// What nvcc refuses: attributes between a function's declarator and its body.
    pub(in crate::parse) fn no_attributes_before_body(&mut self, attrs: &[Attr]) {
        if let Some(attr) = attrs.first() {
            let span: Span = attr.span;
            let message = "attributes are not allowed between a function's parameters and its body";
            let diagnostic = Diagnostic::new(Code::MisplacedAttribute, span, message)
                .with_help("put them before the function's name");
            self.sink.error(diagnostic);
        }
    }
}
