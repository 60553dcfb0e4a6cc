//! Tokens, and the interner of their spellings.
//!
//! The lexer makes preprocessing tokens (C17 6.4p3): identifiers, preprocessing numbers, character
//! and string literals with their spelling, punctuators. Numbers and literals get their value when
//! the parser takes them (translation phase 7).

use std::collections::HashMap;

use crate::source::Span;

/// An interned spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

/// Spellings, each stored once. Keywords are interned first, in the order of [`Keyword::ALL`].
#[derive(Debug)]
pub struct Interner {
    symbols: HashMap<Box<str>, Symbol>,
    spellings: Vec<Box<str>>,
}

impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}

impl Interner {
    /// An interner that knows the keywords.
    pub fn new() -> Self {
        let mut interner = Interner { symbols: HashMap::new(), spellings: Vec::new() };
        for keyword in Keyword::ALL {
            interner.intern(keyword.spelling());
        }
        interner
    }

    /// The symbol of a spelling.
    pub fn intern(&mut self, spelling: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(spelling) {
            return symbol;
        }
        let symbol = Symbol(self.spellings.len() as u32);
        self.spellings.push(spelling.into());
        self.symbols.insert(spelling.into(), symbol);
        symbol
    }

    /// The spelling of a symbol of this interner.
    pub fn spelling(&self, symbol: Symbol) -> &str {
        &self.spellings[symbol.0 as usize]
    }

    /// The keyword that the symbol spells, if any.
    pub fn keyword(&self, symbol: Symbol) -> Option<Keyword> {
        Keyword::ALL.get(symbol.0 as usize).copied()
    }
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands in the raw text, line splices included.
    pub span: Span,
    /// It is the first on its line: a `#` here begins a directive.
    pub at_line_start: bool,
    /// White space or a comment stands before it.
    pub after_space: bool,
}

/// What a token is. Spellings are free of line splices.
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
    /// The end of the text.
    Eof,
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
        BlockSize "__block_size__" Align "__align__"
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_known_to_a_new_interner() {
        let mut interner = Interner::new();
        for &keyword in Keyword::ALL {
            let symbol = interner.intern(keyword.spelling());
            assert_eq!(interner.keyword(symbol), Some(keyword));
        }
        let name = interner.intern("sgemm");
        assert_eq!((interner.keyword(name), interner.spelling(name)), (None, "sgemm"));
    }
}
