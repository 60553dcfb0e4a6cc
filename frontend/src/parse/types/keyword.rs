//! What keywords are where declarations begin: type specifiers, qualifiers, attributes (C17 6.7.1 to 6.7.3).

use crate::ast::BuiltinTy;
use crate::source::Span;
use crate::token::Keyword;

/// The type specifiers that are keywords, as a multiset.
#[derive(Default)]
pub(in crate::parse) struct Words {
    pub(in crate::parse) base: Option<Keyword>,
    pub(in crate::parse) signed: bool,
    pub(in crate::parse) unsigned: bool,
    pub(in crate::parse) short: bool,
    pub(in crate::parse) n_long: u8,
    /// The first word that goes with none before it.
    pub(in crate::parse) clash: Option<(Span, &'static str)>,
    pub(in crate::parse) any: bool,
}

impl Words {
    /// Adds a keyword, if it is one of an arithmetic type or `void`.
    pub(in crate::parse) fn take(&mut self, keyword: Keyword, span: Span) -> bool {
        use Keyword as K;
        let clashes = match keyword {
            K::Signed | K::GnuSigned | K::GnuSigned2 => {
                std::mem::replace(&mut self.signed, true) || self.unsigned
            }
            K::Unsigned => std::mem::replace(&mut self.unsigned, true) || self.signed,
            K::Short => std::mem::replace(&mut self.short, true) || self.n_long > 0,
            K::Long => {
                self.n_long = self.n_long.saturating_add(1);
                self.n_long > 2 || self.short
            }
            K::Void
            | K::Bool
            | K::Char
            | K::Int
            | K::Int128
            | K::Float
            | K::Double
            | K::WcharT
            | K::Char16T
            | K::Char32T => self.base.replace(keyword).is_some(),
            _ => return false,
        };
        if clashes && self.clash.is_none() {
            self.clash = Some((span, keyword.spelling()));
        }
        true
    }

    /// The type that they name, if there is one (C17 6.7.2p2).
    pub(in crate::parse) fn named(&self) -> Option<BuiltinTy> {
        use BuiltinTy as T;
        use Keyword as K;
        let pick = |signed: T, unsigned: T| if self.unsigned { unsigned } else { signed };
        let has_sign = self.signed || self.unsigned;
        let has_length = self.short || self.n_long > 0;
        match self.base {
            None | Some(K::Int) => match (self.short, self.n_long) {
                (true, _) => Some(pick(T::Short, T::UShort)),
                (false, 0) => Some(pick(T::Int, T::UInt)),
                (false, 1) => Some(pick(T::Long, T::ULong)),
                (false, _) => Some(pick(T::LongLong, T::ULongLong)),
            },
            Some(K::Char) if !has_length => Some(match (self.signed, self.unsigned) {
                (true, _) => T::SChar,
                (_, true) => T::UChar,
                _ => T::Char,
            }),
            Some(K::Int128) if !has_length => Some(pick(T::Int128, T::UInt128)),
            Some(K::Double) if !has_sign && !self.short && self.n_long < 2 => {
                Some(if self.n_long == 1 { T::LongDouble } else { T::Double })
            }
            Some(_) if has_sign || has_length => None,
            Some(K::Void) => Some(T::Void),
            Some(K::Bool) => Some(T::Bool),
            Some(K::Float) => Some(T::Float),
            Some(K::WcharT) => Some(T::WChar),
            Some(K::Char16T) => Some(T::Char16),
            Some(K::Char32T) => Some(T::Char32),
            Some(_) => None,
        }
    }
}

/// Whether it is `const`, `volatile` or `restrict`, in any spelling.
pub(super) fn is_qualifier(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(
        keyword,
        K::Const
            | K::GnuConst
            | K::GnuConst2
            | K::Volatile
            | K::GnuVolatile
            | K::GnuVolatile2
            | K::Restrict
            | K::Restrict2
    )
}

/// Whether a keyword can be the first of a declaration, and of nothing else.
pub(in crate::parse) fn begins_declaration(keyword: Keyword) -> bool {
    use Keyword as K;
    begins_type(keyword)
        || is_attr(keyword)
        || matches!(
            keyword,
            K::Typedef
                | K::Extern
                | K::Static
                | K::Register
                | K::Inline
                | K::GnuInline
                | K::GnuInline2
                | K::Constexpr
                | K::Extension
                | K::ThreadLocal
                | K::Thread
                | K::Mutable
                | K::Virtual
                | K::Explicit
                | K::Friend
                | K::StaticAssert
                | K::Template
                | K::Namespace
                | K::Using
                | K::Export
        )
}

/// Whether the keyword is one of an arithmetic type or `void`: what [`Words::take`] takes.
pub(in crate::parse) fn is_word(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(
        keyword,
        K::Signed
            | K::GnuSigned
            | K::GnuSigned2
            | K::Unsigned
            | K::Short
            | K::Long
            | K::Void
            | K::Bool
            | K::Char
            | K::Int
            | K::Int128
            | K::Float
            | K::Double
            | K::WcharT
            | K::Char16T
            | K::Char32T
    )
}

/// Whether a keyword can be the first of a type name, and of nothing else.
pub(super) fn begins_type(keyword: Keyword) -> bool {
    use Keyword as K;
    is_word(keyword)
        || is_qualifier(keyword)
        || matches!(
            keyword,
            K::Struct
                | K::Union
                | K::Enum
                | K::Class
                | K::Auto
                | K::Decltype
                | K::Typeof
                | K::Typeof2
                | K::GnuTypeof2
                | K::Typename
                | K::Complex
                | K::GnuComplex
                | K::GnuComplex2
        )
}

/// Whether the keyword says that code or memory is the device's.
pub(in crate::parse) fn is_memory_or_space(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(keyword, K::Global | K::Device | K::Shared | K::Constant | K::Managed)
}

/// Whether the keyword is an attribute or CUDA qualifier, or introduces one.
pub(in crate::parse) fn is_attr(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(
        keyword,
        K::Global
            | K::Device
            | K::Host
            | K::Shared
            | K::Constant
            | K::Managed
            | K::GridConstant
            | K::Noinline
            | K::Forceinline
            | K::InlineHint
            | K::LaunchBounds
            | K::Maxnreg
            | K::ClusterDims
            | K::BlockSize
            | K::Align
            | K::Alignas
            | K::Attribute
            | K::GnuAttribute2
            | K::Declspec
    )
}
