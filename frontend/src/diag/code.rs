//! The one list of diagnostic codes.
//!
//! A code is kebab-case, stable, documented here and shown by a test in `tests/ui/`.
//! `unsupported-*` codes are for constructs that CUDA C has and Weft has not: they name the
//! construct.

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth a look; the output is made.
    Warning,
    /// No output is made.
    Error,
}

macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $explanation:literal)*) => {
        /// What kind of diagnostic it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $explanation] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the list.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// The kebab-case name that messages print.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => $name,)*
                }
            }

            /// The severity unless an option raises it.
            pub fn severity(self) -> Severity {
                match self {
                    $(Code::$variant => Severity::$severity,)*
                }
            }

            /// One paragraph on what it means.
            pub fn explanation(self) -> &'static str {
                match self {
                    $(Code::$variant => $explanation,)*
                }
            }
        }
    };
}

codes! {
    // Lexical (C17 6.4).
    InvalidCharacter "invalid-character" Error
        "The text holds a character that no token of the language begins with."
    InvalidUtf8 "invalid-utf8" Error
        "The file is not UTF-8 text; the place is its first wrong byte. Nothing behind it is looked at."
    UnterminatedComment "unterminated-comment" Error
        "A comment that begins with `/*` has no `*/`."
    UnterminatedLiteral "unterminated-literal" Error
        "A character or string literal has no closing quote on its line; a raw string literal, none at all."
    InvalidNumber "invalid-number" Error
        "A number has a digit, suffix or exponent that no constant of the language has."
    IntegerTooLarge "integer-too-large" Error
        "An integer constant does not fit in 64 bits."
    FloatOutOfRange "float-out-of-range" Warning
        "A floating constant is beyond the range of its type and becomes infinity or zero."
    EmptyCharacter "empty-character" Error
        "A character constant holds no character."
    CharacterTooLarge "character-too-large" Error
        "A character constant with a prefix holds more than one code unit of its type."
    MulticharConstant "multichar-constant" Warning
        "A character constant holds several characters; it is an `int` with a character in each byte."
    InvalidEscape "invalid-escape" Error
        "An escape sequence lacks digits, or its value does not fit in the literal's characters."
    UnknownEscape "unknown-escape" Warning
        "A backslash stands before a character that needs none; the character stands for itself."
    MixedStringPrefixes "mixed-string-prefixes" Error
        "Adjacent string literals with different prefixes cannot be joined."

    // Directives (C17 6.10).
    UnsupportedDirective "unsupported-directive" Error
        "A line begins with a preprocessing directive that is not supported."
    UnknownPragma "unknown-pragma" Warning
        "A pragma is ignored."

    // Syntax (C17 6.5 to 6.9, C++17 where it differs).
    ExpectedToken "expected-token" Error
        "The grammar asks for a certain token at this place, such as `;` or a closing bracket."
    ExpectedExpression "expected-expression" Error
        "The grammar asks for an expression at this place."
    ExpectedIdentifier "expected-identifier" Error
        "The grammar asks for a name at this place."
    ExpectedDeclaration "expected-declaration" Error
        "The grammar asks for a declaration at this place."
    ExpectedType "expected-type" Error
        "The grammar asks for a type at this place."
    UnmatchedBracket "unmatched-bracket" Error
        "A closing bracket has no opening one."
    UnknownTypeName "unknown-type-name" Error
        "A name stands where a type must stand, but no type has that name."
    InvalidSpecifiers "invalid-specifiers" Error
        "The specifiers of a declaration cannot be combined, such as `unsigned float` or `static extern`."
    MisplacedAttribute "misplaced-attribute" Error
        "An attribute or CUDA qualifier stands where nvcc does not take it."
    NestingTooDeep "nesting-too-deep" Error
        "Brackets, blocks or expressions nest deeper than the compiler supports."

    // Constructs of CUDA C++ that the language leaves out.
    UnsupportedTemplate "unsupported-template" Error
        "Templates are not part of the language."
    UnsupportedClass "unsupported-class" Error
        "`class` is not part of the language; `struct` is."
    UnsupportedMember "unsupported-member" Error
        "A struct or union has only data members: no functions, constructors, bases or access specifiers."
    UnsupportedNamespace "unsupported-namespace" Error
        "Namespaces and the `::` operator are not part of the language."
    UnsupportedUsing "unsupported-using" Error
        "`using` is not part of the language; `typedef` is."
    UnsupportedException "unsupported-exception" Error
        "Exceptions are not part of the language: no `try`, `catch`, `throw` or `noexcept`."
    UnsupportedAllocation "unsupported-allocation" Error
        "`new` and `delete` are not part of the language."
    UnsupportedLambda "unsupported-lambda" Error
        "Lambda expressions are not part of the language."
    UnsupportedOperator "unsupported-operator" Error
        "Operators cannot be overloaded."
    UnsupportedLaunch "unsupported-launch" Error
        "Kernels are launched by host code, which is not part of the language."
    UnsupportedAsm "unsupported-asm" Error
        "Inline assembly is not supported."
    UnsupportedCondition "unsupported-condition" Error
        "A declaration cannot be the condition of a statement, nor stand before it within the parentheses."
    UnsupportedRangeFor "unsupported-range-for" Error
        "The range-based `for` is not part of the language."
    UnsupportedTypeQuery "unsupported-type-query" Error
        "`decltype`, `typeof` and `typeid` are not part of the language."
    UnsupportedCast "unsupported-cast" Error
        "`dynamic_cast` is not part of the language."
    UnsupportedThis "unsupported-this" Error
        "There are no member functions, hence no `this`."
    UnsupportedSpecifier "unsupported-specifier" Error
        "A declaration specifier of C++ that the language leaves out, such as `thread_local` or `virtual`."
    UnsupportedType "unsupported-type" Error
        "A built-in type that the language leaves out, such as `wchar_t`."
    UnsupportedDeclarator "unsupported-declarator" Error
        "A declarator of C++ that the language leaves out, such as a structured binding or a trailing return type."
    UnsupportedInitializer "unsupported-initializer" Error
        "An initialization of C++ that the language leaves out, such as `int x(3)`."
    UnsupportedExtension "unsupported-extension" Error
        "A GNU extension that the language leaves out, such as statement expressions or case ranges."
    UnsupportedUnicodeName "unsupported-unicode-name" Error
        "PTX names have only ASCII letters, so what the object file sees needs such a name."

    // Meaning: names, types, conversions, constants.
}
