//! Tokens; [`interner`]: their spellings.
//!
//! The lexer produces preprocessing tokens (C17 6.4p3): identifiers, preprocessing numbers, character
//! and string literals with their spelling, punctuators. Numbers and literals are evaluated when
//! the parser reads them (translation phase 7).

mod interner;

use std::fmt::Write;

pub(crate) use interner::SpellingHash;
pub use interner::{Interner, Symbol};

use crate::source::{SourceMap, Span};

/// C++'s alternative tokens (C++17 5.5). The digraphs are the lexer's affair.
pub const ALTERNATIVES: &[(&str, Punct)] = &[
    ("and", Punct::AmpAmp),
    ("and_eq", Punct::AmpEq),
    ("bitand", Punct::Amp),
    ("bitor", Punct::Pipe),
    ("compl", Punct::Tilde),
    ("not", Punct::Bang),
    ("not_eq", Punct::Ne),
    ("or", Punct::PipePipe),
    ("or_eq", Punct::PipeEq),
    ("xor", Punct::Caret),
    ("xor_eq", Punct::CaretEq),
];

/// The operators that functions can be (C++17 16.5), and the names of those functions.
pub const OPERATORS: &[(Punct, &str)] = &[
    (Punct::Plus, "operator+"),
    (Punct::Minus, "operator-"),
    (Punct::Star, "operator*"),
    (Punct::Slash, "operator/"),
    (Punct::Percent, "operator%"),
    (Punct::Caret, "operator^"),
    (Punct::Amp, "operator&"),
    (Punct::Pipe, "operator|"),
    (Punct::Tilde, "operator~"),
    (Punct::Bang, "operator!"),
    (Punct::Lt, "operator<"),
    (Punct::Gt, "operator>"),
    (Punct::Le, "operator<="),
    (Punct::Ge, "operator>="),
    (Punct::EqEq, "operator=="),
    (Punct::Ne, "operator!="),
    (Punct::AmpAmp, "operator&&"),
    (Punct::PipePipe, "operator||"),
    (Punct::Shl, "operator<<"),
    (Punct::Shr, "operator>>"),
    (Punct::PlusPlus, "operator++"),
    (Punct::MinusMinus, "operator--"),
    (Punct::PlusEq, "operator+="),
    (Punct::MinusEq, "operator-="),
    (Punct::StarEq, "operator*="),
    (Punct::SlashEq, "operator/="),
    (Punct::PercentEq, "operator%="),
    (Punct::CaretEq, "operator^="),
    (Punct::AmpEq, "operator&="),
    (Punct::PipeEq, "operator|="),
    (Punct::ShlEq, "operator<<="),
    (Punct::ShrEq, "operator>>="),
    (Punct::Eq, "operator="),
    (Punct::LParen, "operator()"),
    (Punct::LBracket, "operator[]"),
    (Punct::Arrow, "operator->"),
];

/// One token. There are millions of them, so that each is kept in 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Where it is in the raw text, including line splices.
    pub span: Span,
    /// It is the first on its line: a `#` here begins a directive.
    pub at_line_start: bool,
    /// White space or a comment precedes it.
    pub after_space: bool,
    /// Its other properties.
    pub form: Form,
}

const _: () = assert!(size_of::<Token>() == 16);

/// The properties of a token apart from its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Nothing.
    Usual,
    /// It is a punctuator in its other spelling ([`Punct::alternative`]).
    Alternative,
    /// It is the name of a macro that is never expanded any more (C17 6.10.3.4p2).
    Painted,
}

/// The kind of a token. Spellings contain no line splices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier that is no keyword.
    Ident(Symbol),
    /// A keyword.
    Keyword(Keyword),
    /// A preprocessing number: its spelling.
    Number(Symbol),
    /// A character literal: its spelling with prefix and quotes.
    Char(Symbol),
    /// A string literal: its spelling with prefix and quotes.
    Str(Symbol),
    /// A punctuator.
    Punct(Punct),
    /// Characters that begin no token, or an unterminated literal (C17 6.4p3: "each character that
    /// cannot be one of the above"). The preprocessor reports and drops it.
    Other(Symbol),
    /// The beginning of a pragma for the parser: the `#pragma` and its name, or the `_Pragma`. The part that
    /// follows up to [`TokenKind::PragmaEnd`] are the tokens after the name, with macros expanded. Only the
    /// preprocessor makes either.
    PragmaStart(Pragma),
    /// The end of the pragma's line.
    PragmaEnd,
    /// The end of the text.
    Eof,
}

/// A pragma that the parser understands; `preprocess` deals with all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pragma {
    /// `#pragma unroll`, alone or with a count in parentheses or without them.
    Unroll,
    /// `#pragma nounroll`
    Nounroll,
    /// `#pragma pack(…)`
    Pack,
}

impl Pragma {
    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Pragma::Unroll => "unroll",
            Pragma::Nounroll => "nounroll",
            Pragma::Pack => "pack",
        }
    }
}

macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $spelling:literal)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $(#[doc = concat!("`", $spelling, "`")] $variant,)*
        }

        impl $name {
            /// Every one, in the order of declaration.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// How it is written.
            pub fn spelling(self) -> &'static str {
                match self {
                    $($name::$variant => $spelling,)*
                }
            }
        }
    };
}

spelled! {
    /// Keywords of C, of C++ where CUDA C++ reserves them, and of CUDA. A word that the language
    /// has no use for is here so that a message can name it.
    Keyword {
        Alignas "alignas" Alignof "alignof" Asm "asm" GnuAsm "__asm__" Auto "auto" Bool "bool"
        Break "break" Case "case" Catch "catch" Char "char" Class "class" Const "const"
        GnuConst "__const" GnuConst2 "__const__" ConstCast "const_cast" Constexpr "constexpr" Continue "continue"
        Decltype "decltype" Default "default" Delete "delete" Do "do" Double "double"
        DynamicCast "dynamic_cast" Else "else" Enum "enum" Explicit "explicit" Extern "extern"
        False "false" Float "float" For "for" Friend "friend" Goto "goto" If "if" Inline "inline"
        GnuInline "__inline" GnuInline2 "__inline__" Int "int" Int128 "__int128" Long "long"
        Mutable "mutable" Namespace "namespace" New "new" Noexcept "noexcept" Nullptr "nullptr"
        Operator "operator" Private "private" Protected "protected" Public "public"
        Register "register" ReinterpretCast "reinterpret_cast" Restrict "__restrict__"
        Restrict2 "__restrict" Return "return" Short "short" Signed "signed" GnuSigned "__signed__"
        Sizeof "sizeof" Static "static" StaticAssert "static_assert" StaticCast "static_cast"
        Struct "struct" Switch "switch" Template "template" This "this" ThreadLocal "thread_local"
        Throw "throw" True "true" Try "try" Typedef "typedef" Typeid "typeid" Typename "typename"
        Typeof "__typeof__" Typeof2 "typeof" Union "union" Unsigned "unsigned" Using "using" Virtual "virtual"
        Void "void" Volatile "volatile" GnuVolatile "__volatile__" GnuVolatile2 "__volatile"
        While "while" Attribute "__attribute__" Extension "__extension__" Declspec "__declspec"
        Global "__global__" Device "__device__" Host "__host__" Shared "__shared__"
        Constant "__constant__" Managed "__managed__" GridConstant "__grid_constant__"
        Noinline "__noinline__" Forceinline "__forceinline__" InlineHint "__inline_hint__"
        LaunchBounds "__launch_bounds__" Maxnreg "__maxnreg__" ClusterDims "__cluster_dims__"
        BlockSize "__block_size__" Align "__align__" Offsetof "__builtin_offsetof" VaArg "__builtin_va_arg"
        GnuAlignof "__alignof__" GnuAlignof2 "__alignof" GnuAsm2 "__asm" GnuAttribute2 "__attribute" GnuSigned2 "__signed" GnuTypeof2 "__typeof"
        Thread "__thread" Complex "_Complex" GnuComplex "__complex__" GnuComplex2 "__complex"
        WcharT "wchar_t" Char16T "char16_t" Char32T "char32_t" Export "export"
    }
}

spelled! {
    /// Punctuators (C17 6.4.6 with C++'s `::`, and `<<<` and `>>>` of CUDA). Digraphs are read as
    /// what they stand for.
    Punct {
        LBracket "[" RBracket "]" LParen "(" RParen ")" LBrace "{" RBrace "}" Dot "." Arrow "->"
        PlusPlus "++" MinusMinus "--" Amp "&" Star "*" Plus "+" Minus "-" Tilde "~" Bang "!"
        Slash "/" Percent "%" Shl "<<" Shr ">>" Lt "<" Gt ">" Le "<=" Ge ">=" EqEq "==" Ne "!="
        Caret "^" Pipe "|" AmpAmp "&&" PipePipe "||" Question "?" Colon ":" ColonColon "::"
        Semi ";" Ellipsis "..." Eq "=" StarEq "*=" SlashEq "/=" PercentEq "%=" PlusEq "+="
        MinusEq "-=" ShlEq "<<=" ShrEq ">>=" AmpEq "&=" CaretEq "^=" PipeEq "|=" Comma ","
        Hash "#" HashHash "##" LaunchOpen "<<<" LaunchClose ">>>"
    }
}

impl Keyword {
    /// The symbol that spells it.
    pub(crate) fn symbol(self) -> Symbol {
        Symbol::from_index(self as usize)
    }
}

impl Punct {
    /// The name of functions that are this operator, if functions can be.
    pub(crate) fn operator_name(self) -> Option<Symbol> {
        let idx = OPERATORS.iter().position(|&(punct, _)| punct == self)?;
        Some(Symbol::from_index(Keyword::ALL.len() + ALTERNATIVES.len() + idx))
    }

    /// Its other spelling (C17 6.4.6p3, C++17 5.5), if it has one.
    pub fn alternative(self) -> Option<&'static str> {
        const DIGRAPHS: [(&str, Punct); 6] = [
            ("<:", Punct::LBracket),
            (":>", Punct::RBracket),
            ("<%", Punct::LBrace),
            ("%>", Punct::RBrace),
            ("%:", Punct::Hash),
            ("%:%:", Punct::HashHash),
        ];
        DIGRAPHS.iter().chain(ALTERNATIVES).find(|(_, punct)| *punct == self).map(|&(spelling, _)| spelling)
    }
}

/// Some of the punctuators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Puncts(u64);

const _: () = assert!(Punct::ALL.len() <= u64::BITS as usize);

impl Puncts {
    /// Those that are listed.
    pub(crate) const fn of(list: &[Punct]) -> Self {
        let (mut bits, mut idx) = (0, 0);
        while idx < list.len() {
            bits |= 1 << list[idx] as u32;
            idx += 1;
        }
        Puncts(bits)
    }

    /// Whether it is one of them.
    pub(crate) const fn has(self, punct: Punct) -> bool {
        self.0 >> punct as u32 & 1 != 0
    }
}

impl Token {
    /// A token with nothing around it.
    pub(crate) fn new(kind: TokenKind, span: Span) -> Self {
        Token { kind, span, at_line_start: false, after_space: false, form: Form::Usual }
    }

    /// How it is written, without line splices; a mark of a pragma and the end are nothing.
    pub fn spelling<'i>(&self, interner: &'i Interner) -> &'i str {
        match self.kind {
            TokenKind::Ident(symbol)
            | TokenKind::Number(symbol)
            | TokenKind::Char(symbol)
            | TokenKind::Str(symbol)
            | TokenKind::Other(symbol) => interner.spelling(symbol),
            TokenKind::Keyword(keyword) => keyword.spelling(),
            TokenKind::Punct(punct) => {
                punct.alternative().filter(|_| self.form == Form::Alternative).unwrap_or(punct.spelling())
            }
            TokenKind::PragmaStart(_) | TokenKind::PragmaEnd | TokenKind::Eof => "",
        }
    }

    /// The symbol of a word.
    pub(crate) fn word(&self) -> Option<Symbol> {
        match self.kind {
            TokenKind::Ident(symbol) => Some(symbol),
            TokenKind::Keyword(keyword) => Some(keyword.symbol()),
            TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::Str(_)
            | TokenKind::Punct(_)
            | TokenKind::Other(_)
            | TokenKind::PragmaStart(_)
            | TokenKind::PragmaEnd
            | TokenKind::Eof => None,
        }
    }
}

/// The text of `--emit=tokens`: a line for each token, `line:column kind spelling`.
pub fn print_tokens(sources: &SourceMap, interner: &Interner, tokens: &[Token]) -> String {
    let mut out = String::new();
    for token in tokens {
        let at = sources.line_column(token.span);
        let (kind, spelling) = match token.kind {
            TokenKind::Ident(symbol) => ("identifier", interner.spelling(symbol)),
            TokenKind::Keyword(keyword) => ("keyword", keyword.spelling()),
            TokenKind::Number(symbol) => ("number", interner.spelling(symbol)),
            TokenKind::Char(symbol) => ("character", interner.spelling(symbol)),
            TokenKind::Str(symbol) => ("string", interner.spelling(symbol)),
            TokenKind::Punct(punct) => ("punctuator", punct.spelling()),
            TokenKind::Other(symbol) => ("other", interner.spelling(symbol)),
            TokenKind::PragmaStart(pragma) => ("pragma", pragma.spelling()),
            TokenKind::PragmaEnd => ("pragma end", ""),
            TokenKind::Eof => ("end", ""),
        };
        let place = format!("{}:{}", at.line, at.column);
        // A raw string may hold line breaks.
        let spelling = spelling.replace('\n', "\\n");
        let line = format!("{place:<8} {kind:<11} {spelling}");
        writeln!(out, "{}", line.trim_end()).expect("invariant: writing to a string succeeds");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_interner_knows_keywords() {
        let mut interner = Interner::new();
        for &keyword in Keyword::ALL {
            let symbol = interner.intern(keyword.spelling());
            assert_eq!(interner.keyword(symbol), Some(keyword));
        }
        let and = interner.intern("and");
        assert_eq!((interner.keyword(and), interner.alternative(and)), (None, Some(Punct::AmpAmp)));
        let name = interner.intern("sgemm");
        assert_eq!(interner.alternative(name), None);
        assert_eq!((interner.keyword(name), interner.spelling(name)), (None, "sgemm"));
    }
}
