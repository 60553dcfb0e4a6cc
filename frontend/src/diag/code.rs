//! The one list of diagnostic codes.
//!
//! A code is kebab-case, stable, documented here and shown by a test in `tests/ui/`.
//! `unsupported-*` codes are for constructs of CUDA C that Weft does not support: they name the
//! construct. A warning's name is also the option that enables it, `-Wname`; new ones use the names
//! that clang uses.

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth a look; the output is still produced.
    Warning,
    /// No output is produced.
    Error,
}

/// The option that enables a warning. Each is also enabled by its own name, as `-Wname`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// On by default, unless `-Wno-name` turns it off.
    Default,
    /// `-Wall`
    All,
    /// `-Wextra`
    Extra,
    /// Only its own name, or `-Weverything`.
    Own,
}

/// The group that the list below gives after a code's name.
macro_rules! group {
    (Error) => {
        None
    };
    (Warning) => {
        Some(Group::Default)
    };
    (WarningAll) => {
        Some(Group::All)
    };
    (WarningExtra) => {
        Some(Group::Extra)
    };
    (WarningOwn) => {
        Some(Group::Own)
    };
}

macro_rules! codes {
    ($($variant:ident $name:literal $group:ident $explanation:literal)*) => {
        /// The kind of a diagnostic.
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

            /// The option group that enables it; `None` for an error.
            pub fn group(self) -> Option<Group> {
                match self {
                    $(Code::$variant => group!($group),)*
                }
            }

            /// One paragraph on its meaning.
            pub fn explanation(self) -> &'static str {
                match self {
                    $(Code::$variant => $explanation,)*
                }
            }
        }
    };
}

impl Code {
    /// The number of codes.
    pub const N: usize = Code::ALL.len();

    /// The severity unless an option raises it.
    pub fn severity(self) -> Severity {
        if self.group().is_some() { Severity::Warning } else { Severity::Error }
    }

    /// The code of a name.
    pub fn find(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }
}

codes! {
    // Lexical (C17 6.4).
    InvalidCharacter "invalid-character" Error
        "The source contains a character that cannot begin a token."
    InvalidUtf8 "invalid-utf8" Error
        "A token contains a byte that is not valid UTF-8. Comments may contain any bytes."
    UnterminatedComment "unterminated-comment" Error
        "A comment that begins with `/*` has no closing `*/`."
    UnterminatedLiteral "unterminated-literal" Error
        "A character or string literal has no closing quote on its line, or a raw string literal has none at all."
    InvalidNumber "invalid-number" Error
        "A number has an invalid digit, suffix or exponent."
    IntegerTooLarge "integer-too-large" Error
        "An integer constant does not fit in 64 bits."
    FloatOutOfRange "float-out-of-range" Warning
        "A floating constant is out of range for its type and becomes infinity or zero."
    EmptyCharacter "empty-character" Error
        "A character constant is empty."
    CharacterTooLarge "character-too-large" Error
        "A character constant with a prefix contains more than one code unit of its type."
    MulticharConstant "multichar-constant" Warning
        "A character constant contains several characters; its value is an `int` with one character in each byte."
    InvalidEscape "invalid-escape" Error
        "An escape sequence lacks digits, or its value does not fit in the literal's character type."
    EscapeOutOfRange "escape-out-of-range" Warning
        "The value of an escape sequence does not fit in a byte; only its lower eight bits are used."
    UnknownEscape "unknown-escape" Warning
        "An escape sequence is unknown; the backslash is ignored."
    MixedStringPrefixes "mixed-string-prefixes" Error
        "Adjacent string literals with different prefixes cannot be concatenated."

    // Directives (C17 6.10).
    UnknownDirective "unknown-directive" Error
        "A line begins with `#` but not with the name of a directive."
    UnsupportedDirective "unsupported-directive" Error
        "The preprocessing directive is not supported."
    InvalidDirective "invalid-directive" Error
        "A directive is incomplete or contains something unexpected."
    ExtraTokens "extra-tokens" Warning
        "Extra tokens at the end of a directive are ignored."
    ErrorDirective "error-directive" Error
        "The source contains an `#error` directive."
    WarningDirective "warning-directive" Warning
        "The source contains a `#warning` directive."
    UnterminatedConditional "unterminated-conditional" Error
        "An `#if` has no `#endif`."
    UnmatchedConditional "unmatched-conditional" Error
        "An `#elif`, `#else` or `#endif` has no `#if`, or comes after the `#else`."
    InvalidIfExpression "invalid-if-expression" Error
        "The condition of an `#if` is not an integer constant expression."
    HeaderNotFound "header-not-found" Error
        "The header that an `#include` names was not found or cannot be read."
    IncludeTooDeep "include-too-deep" Error
        "Headers are nested too deeply, or too many are included."
    IncludeNextOutsideHeader "include-next-outside-header" Warning
        "`#include_next` in the main source file is the same as `#include`."
    PragmaOnceOutsideHeader "pragma-once-outside-header" Warning
        "A pragma meant for headers is in the main source file."
    PragmaMessage "pragma-message" Warning
        "The source contains a `#pragma message`."
    InvalidPragma "invalid-pragma" Error
        "A pragma is incomplete or contains something unexpected, or a `#pragma pack(pop)` has no matching `push`."

    // Macros (C17 6.10.3).
    InvalidMacroDefinition "invalid-macro-definition" Error
        "The parameters or the replacement list of a `#define` are not well-formed."
    MacroRedefined "macro-redefined" Warning
        "A macro is redefined with a different meaning; the last definition is used."
    UnusedMacro "unused-macros" WarningOwn
        "A macro defined in the main source file is never used."
    Undef "undef" WarningOwn
        "An `#if` uses an identifier that is not defined as a macro, which evaluates to 0."
    Comment "comment" WarningAll
        "A block comment contains `/*`, or a line comment ends in a backslash and continues on the next line."
    BuiltinMacroRedefined "builtin-macro-redefined" Warning
        "A macro that the compiler defines is redefined or undefined."
    MacroArgumentCount "macro-argument-count" Error
        "A macro is invoked with more or fewer arguments than it has parameters."
    UnterminatedMacroCall "unterminated-macro-call" Error
        "The argument list of a macro invocation has no closing `)`."
    InvalidPaste "invalid-paste" Error
        "`##` does not form a valid token."
    MacroExpansionTooLarge "macro-expansion-too-large" Error
        "Macro expansion exceeds the compiler's limits."
    PoisonedIdentifier "poisoned-identifier" Error
        "An identifier poisoned by `#pragma GCC poison` is used."
    IgnoredAttributes "ignored-attributes" Warning
        "An attribute has no effect here: it applies to host code only, such as a calling convention, or to other declarations."
    UnknownAttributes "unknown-attributes" Warning
        "An unknown attribute, or one from another compiler's namespace, is ignored."
    UnknownPragma "unknown-pragma" Warning
        "An unknown pragma is ignored."
    UnknownWarningOption "unknown-warning-option" Warning
        "A pragma names a warning that does not exist."

    // Syntax (C17 6.5 to 6.9, C++17 where it differs).
    ExpectedToken "expected-token" Error
        "A token required by the grammar is missing, such as `;` or a closing bracket."
    ExpectedExpression "expected-expression" Error
        "An expression is required here."
    ExpectedIdentifier "expected-identifier" Error
        "A name is required here."
    ExpectedDeclaration "expected-declaration" Error
        "A declaration is required here."
    ExpectedType "expected-type" Error
        "A type is required here."
    UnmatchedBracket "unmatched-bracket" Error
        "A closing bracket has no opening bracket."
    UnknownTypeName "unknown-type-name" Error
        "A name is used as a type, but no type has this name."
    InvalidSpecifiers "invalid-specifiers" Error
        "The specifiers of a declaration cannot be combined, for example `unsigned float` or `static extern`."
    MisplacedAttribute "misplaced-attribute" Error
        "An attribute or CUDA qualifier is at a place where nvcc does not accept it."
    NestingTooDeep "nesting-too-deep" Error
        "Brackets, blocks or expressions are nested more deeply than the compiler supports."

    InvalidTemplate "invalid-template" Error
        "A declaration of a template, a specialization or an instantiation is not one that the language allows."
    UnknownInstance "unknown-instance" Warning
        "Host code launches a kernel template, or takes its address, with arguments that Weft cannot tell."

    // Constructs of CUDA C++ that Weft does not support.
    UnsupportedTemplate "unsupported-template" Error
        "Weft does not support this kind of template."
    UnsupportedMember "unsupported-member" Error
        "Weft does not support this kind of member, such as virtual functions and friend templates, nor virtual base classes."
    UnsupportedNamespace "unsupported-namespace" Error
        "Weft does not support the namespaces of the C++ library and of CUDA's libraries in device code, nor qualified names in declarators."
    UnsupportedUsing "unsupported-using" Error
        "`using` does not make visible what device code lacks of `std`, nor members of types."
    UnsupportedException "unsupported-exception" Error
        "Weft does not support exceptions: no `try`, `catch` or `throw`, and `noexcept` on functions only."
    UnsupportedAllocation "unsupported-allocation" Error
        "Weft does not support these arguments of `new`, an object of this alignment, or a list of this array."
    UnsupportedLambda "unsupported-lambda" Error
        "Weft does not support this kind of lambda expression, such as one outside of functions."
    UnsupportedOperator "unsupported-operator" Error
        "Weft does not support literal operators, and overloading of `,`."
    UnsupportedLaunch "unsupported-launch" Error
        "Host code launches kernels; Weft compiles device code only."
    UnsupportedAsm "unsupported-asm" Error
        "`asm` outside a function belongs to host code, and PTX cannot express `asm goto`."
    UnsupportedRangeFor "unsupported-range-for" Error
        "Weft does not support a range-based `for` with a part before its declaration."
    UnsupportedTypeQuery "unsupported-type-query" Error
        "Weft does not support `decltype`, `typeof` and `typeid` here."
    UnsupportedCast "unsupported-cast" Error
        "Weft does not support `dynamic_cast`."
    UnsupportedSpecifier "unsupported-specifier" Error
        "Weft does not support this C++ declaration specifier, such as `thread_local` or `virtual`."
    UnsupportedType "unsupported-type" Error
        "Weft does not support this built-in type, such as `wchar_t`."
    UnsupportedLongDouble "unsupported-long-double" Error
        "Host and device code, or two pieces of device code, would disagree about the layout or the format of a `long double`."
    UnsupportedDeclarator "unsupported-declarator" Error
        "Weft does not support this C++ declarator, such as a structured binding at file scope."
    UnsupportedInitializer "unsupported-initializer" Error
        "Weft does not support this C++ initialization, such as `int x(3)`."
    UnsupportedExtension "unsupported-extension" Error
        "Weft does not support this GNU extension, such as the address of a label."
    UnsupportedUnicodeName "unsupported-unicode-name" Error
        "PTX symbols contain only ASCII letters, so an entity with linkage needs an ASCII name."

    // Names and declarations.
    UndeclaredIdentifier "undeclared-identifier" Error
        "No declaration of the name is in scope."
    Redefinition "redefinition" Error
        "The name is already declared in this scope, or the entity is already defined."
    ConflictingTypes "conflicting-types" Error
        "Two declarations of a function or variable differ in type, address space or linkage."
    TagMismatch "tag-mismatch" Error
        "A tag was previously declared with a different one of the keywords `struct`, `union` and `enum`."
    EmptyDeclaration "empty-declaration" Warning
        "A declaration declares nothing."
    UndefinedFunction "undefined-function" Error
        "A `static` or `inline` function is used but not defined; no other file can define it."
    InvalidAttribute "invalid-attribute" Error
        "An attribute or CUDA qualifier does not apply to this declaration, or conflicts with another one."
    InvalidAlignment "invalid-alignment" Error
        "An alignment is not a power of two."
    InvalidLaunchBounds "invalid-launch-bounds" Error
        "`__launch_bounds__` takes one to three positive integer constants."
    InvalidKernel "invalid-kernel" Error
        "A `__global__` function must return `void` and cannot be variadic."
    InvalidConstexpr "invalid-constexpr" Error
        "A `constexpr` function contains a statement that constant expressions cannot have."
    InvalidAsmLabel "invalid-asm-label" Error
        "The string of an `__asm__` label is not a PTX identifier, or PTX reserves it."
    ReservedSymbol "reserved-symbol" Error
        "PTX reserves the name that a function or variable would have as its symbol."
    SymbolConflict "symbol-conflict" Error
        "Two functions or variables have the same symbol, or the symbol is the same as that of a parameter."
    IgnoredAsmLabel "ignored-asm-label" Warning
        "nvcc ignores `__asm__` labels in device code, so the symbol differs from the one that nvcc emits."
    DeprecatedDeclarations "deprecated-declarations" Warning
        "An entity marked `deprecated` is used."
    DeprecatedRegister "deprecated-register" Warning
        "`register` has no meaning in C++17."
    LongDoubleAsDouble "long-double-as-double" Warning
        "Device code treats `long double` as `double`."
    DeprecatedVectorType "deprecated-vector-type" Warning
        "The built-in vector type is deprecated; its successors name their alignment."

    // Inline PTX.
    AsmIgnoredQualifier "asm-ignored-qualifier" Warning
        "`const` on an `asm` is ignored."
    InvalidAsm "invalid-asm" Error
        "The text of an `asm` refers to an operand that does not exist or contains an escape other than `%%` and `%=`, or a clobber is not `memory`."
    InvalidAsmConstraint "invalid-asm-constraint" Error
        "The constraint of an `asm` operand is not one of `h`, `r`, `l`, `q`, `f`, `d`, `n` and `C`, or `=` or `+` is missing on an output."
    InvalidAsmOperand "invalid-asm-operand" Error
        "The size or kind of an `asm` operand does not match its constraint; operands are not converted."
    InvalidPtx "invalid-ptx" Error
        "The text of an `asm` is not valid PTX, uses an undeclared name, or has operands that do not match the instruction."
    AsmOperandName "asm-operand-name" Warning
        "nvcc supports only the numbers of operands in the text of an `asm`, not their names."

    // Types.
    IncompleteType "incomplete-type" Error
        "An object has a type that is not defined or that cannot have objects."
    InvalidType "invalid-type" Error
        "A declarator forms an invalid type, such as an array of functions."
    InvalidQualifier "invalid-qualifier" Error
        "`__restrict__` is applied to a type that is not a pointer."
    InvalidArrayLength "invalid-array-length" Error
        "The length of an array is zero, negative or too large."
    InvalidBitField "invalid-bit-field" Error
        "A bit-field has a non-integer type, or an invalid width."
    InvalidEnum "invalid-enum" Error
        "An enumerator does not fit in the underlying type of its enum."

    // Expressions.
    InvalidOperands "invalid-operands" Error
        "The operator does not accept operands of these types."
    InvalidCondition "invalid-condition" Error
        "A condition cannot be converted to `bool`, or the value of a `switch` is not an integer."
    InvalidDereference "invalid-dereference" Error
        "The operand of `*` is not a pointer to an object."
    InvalidSubscript "invalid-subscript" Error
        "A subscript needs a pointer to objects and an integer."
    InvalidMemberAccess "invalid-member-access" Error
        "The operand of `.` is not a struct or union, or the operand of `->` is not a pointer to one."
    NoMember "no-member" Error
        "The struct or union has no member with this name."
    InaccessibleMember "inaccessible-member" Error
        "The member is private or protected, and is named outside of its class."
    DeletedFunction "deleted-function" Error
        "The function is deleted: a use of it is a mistake."
    InvalidLambda "invalid-lambda" Error
        "A lambda expression captures what it cannot capture, or uses what it does not."
    InvalidThis "invalid-this" Error
        "`this` is only known in member functions that are not static."
    NotAnLvalue "not-an-lvalue" Error
        "The operand of `&` is not an lvalue."
    NotAssignable "not-assignable" Error
        "The left operand of an assignment is not a modifiable lvalue."
    ConstAssignment "const-assignment" Error
        "A const object is assigned to."
    HostConstAddress "host-const-address" Error
        "Device code can use the value of a `const` variable that is not in device memory, but not its address."
    InvalidConversion "invalid-conversion" Error
        "A value cannot be converted to the type of the variable, parameter or result."
    VolatileCopy "volatile-copy" Error
        "A volatile struct or union is copied or assigned as a whole."
    UncopyableUnion "uncopyable-union" Error
        "A union cannot be copied because a member, such as a `__half2`, has a copy constructor."
    InvalidOperator "invalid-operator" Error
        "A function cannot be this operator: it has the wrong number of parameters, or none of class or enumeration type."
    InvalidReference "invalid-reference" Error
        "A reference cannot bind to this value, or there is no such reference."
    DiscardedQualifiers "discarded-qualifiers" Error
        "A pointer conversion discards `const` or `volatile`."
    InvalidCast "invalid-cast" Error
        "The cast between these types is not allowed."
    InvalidSizeof "invalid-sizeof" Error
        "`sizeof` or `alignof` is applied to something without a size."
    Narrowing "narrowing" Warning
        "A conversion of a value in braces may change it."
    NarrowingConstant "narrowing-constant" Error
        "A conversion changes a constant in braces that initializes a parameter or result, or is assigned. In the initializer of a variable this is a warning, as in nvcc."
    NarrowingCase "narrowing-case" Error
        "The value of a case label is not in the range of the switch's type."
    ConstantConversion "constant-conversion" Warning
        "An implicit conversion changes the value of a constant."
    LiteralConversion "literal-conversion" Warning
        "An implicit conversion to an integer type or `bool` changes the value of a floating literal."
    IntegerOverflow "integer-overflow" Warning
        "The value of a constant expression is outside the range of its signed type."
    DivisionByZero "division-by-zero" Warning
        "An integer is divided by zero."
    ShiftCount "shift-count" Warning
        "A shift count is negative or not less than the width of the type."
    IgnoredDefinition "ignored-definition" Warning
        "The definition of a built-in function is ignored: calls use the built-in function, as in nvcc."
    DevicePrintf "device-printf" Warning
        "A call of `printf` uses a feature that device code does not support: more than 32 arguments after the format, `%n`, or wide characters."
    Format "format" Warning
        "The type of a `printf` argument does not match the format, or a conversion specifier has no defined meaning."
    FormatExtraArgs "format-extra-args" Warning
        "A call of `printf` has an argument that the format does not use."
    FormatInsufficientArgs "format-insufficient-args" Warning
        "The format of a `printf` call requires more arguments than there are."
    FormatInvalidSpecifier "format-invalid-specifier" Warning
        "The format of a `printf` call contains an invalid conversion specifier."
    FormatNonliteral "format-nonliteral" WarningOwn
        "The format of a `printf` call is not a string literal, so its arguments cannot be checked."
    FormatSecurity "format-security" Warning
        "A `printf` call has a format that is not a string literal and no arguments; a `%` in it would read a missing argument."
    Varargs "varargs" Warning
        "`va_start` does not name the function's last parameter, or `va_arg` names a type that promotion changes."
    WritableString "writable-string" Warning
        "A string literal, which is const, is converted to a pointer to non-const; writing through it is undefined."
    FunctionToVoidPointer "function-to-void-pointer" Warning
        "A function pointer is converted to `void *` or compared with one, which needs a cast in C++."
    OrderedNullComparison "ordered-null-comparison" Warning
        "A pointer is compared with a null pointer by `<`, `>`, `<=` or `>=`; C++ does not define this, but nvcc accepts it."
    ImplicitlyUnsignedLiteral "implicitly-unsigned-literal" Warning
        "A decimal integer literal without `u` is too large for every signed type and becomes unsigned, which C++ does not allow."
    InitializerOverrides "initializer-overrides" WarningExtra
        "An array element is initialized twice in one list; the last value is used."
    IncrementOfBool "increment-of-bool" Warning
        "`++` on a `bool` sets it to true; C++17 removed it."
    PointerArith "pointer-arith" Warning
        "Arithmetic on a pointer to `void` counts bytes, and `sizeof` of `void` or a function is 1, as in GNU C and nvcc."
    PointerToSmallInteger "pointer-to-small-integer" Warning
        "A cast of a pointer to a smaller integer type loses the upper bits of the address."
    SwitchPastInitialization "switch-past-initialization" Warning
        "A `switch` can jump past the initialization of a variable into its scope."
    NotConstant "not-constant" Error
        "A constant expression is required, but the value is known only at run time."
    StaticAssertFailed "static-assert-failed" Error
        "The condition of a `static_assert` is false."

    // Calls.
    NotAFunction "not-a-function" Error
        "The called object is neither a function nor a pointer to a function."
    ArgumentCount "argument-count" Error
        "A call has more or fewer arguments than the function has parameters."
    InvalidDefaultArgument "invalid-default-argument" Error
        "A default argument is redefined, is missing after another one, or is not in a function declaration."
    KernelCall "kernel-call" Error
        "Device code calls a `__global__` function, which can only be launched."
    InvalidVariadic "invalid-variadic" Error
        "Variadic arguments are accessed outside a variadic function, through something other than a `va_list`, or as a type that no variadic argument can have."
    BuiltinNotCalled "builtin-not-called" Error
        "A built-in function is used as a value."
    NoMatchingBuiltin "no-matching-builtin" Error
        "No overload of the built-in function takes these arguments."
    AmbiguousBuiltin "ambiguous-builtin" Error
        "The call of an overloaded built-in function is ambiguous."
    NoMatchingFunction "no-matching-function" Error
        "No function of the name takes these arguments, or has the type that is wanted."
    AmbiguousCall "ambiguous-call" Error
        "Several functions of the name fit equally well, or nothing says which is meant."
    AmbiguousReference "ambiguous-reference" Error
        "Several namespaces have the name, and it means something else in each."
    ImmediateOutOfRange "immediate-out-of-range" Error
        "An operand of a built-in function is out of range for its instruction."
    InvalidMemoryOrder "invalid-memory-order" Error
        "The value is not a memory order, or the atomic operation does not allow it."
    InvalidThreadScope "invalid-thread-scope" Error
        "The value is not a thread scope."

    // Initializers.
    UninitializedConst "uninitialized-const" Error
        "A const object has no initializer."
    InvalidInitializer "invalid-initializer" Error
        "The initializer does not match the form that the type requires."
    InvalidDesignator "invalid-designator" Error
        "A designator does not name an element or member that can be initialized here."
    ExcessInitializers "excess-initializers" Error
        "An initializer has more elements than the object."
    DynamicInitializer "dynamic-initializer" Error
        "The initializer of a variable with static storage duration is not a constant expression."
    SharedInitializer "shared-initializer" Error
        "`__shared__` variables cannot have an initializer."
    SharedConstructor "shared-constructor" Warning
        "No thread runs the constructor of a `__shared__` variable."

    // Statements.
    MisplacedJump "misplaced-jump" Error
        "`break` is not in a loop or switch, or `continue` is not in a loop."
    MisplacedLabel "misplaced-label" Error
        "`case` or `default` is not in a `switch`."
    DuplicateCase "duplicate-case" Error
        "A `switch` has two labels with the same value."
    UndeclaredLabel "undeclared-label" Error
        "The function has no label with this name."
    JumpPastInitialization "jump-past-initialization" Error
        "A jump goes past the initialization of a variable into its scope."
    JumpIntoExpression "jump-into-expression" Error
        "A `goto` or a `case` label jumps into a statement expression `({ … })`."
    MisplacedStatements "misplaced-statements" Error
        "A statement expression is outside a function."
    EmptyCaseRange "empty-case-range" Error
        "The upper bound of a `case` range is less than its lower bound."
    MisplacedPragma "misplaced-pragma" Warning
        "`#pragma unroll` is not followed by a loop, or its count is invalid; it is ignored."
    ReturnMismatch "return-mismatch" Error
        "A `return` has a value in a function that returns `void`."
    MissingReturn "missing-return" Warning
        "Control can reach the end of a function that should return a value, or a `return` has no value."

    // Suspicious code: syntax.
    BitwiseConditionalParentheses "bitwise-conditional-parentheses" Warning
        "A bitwise operator before `?:` binds more tightly than `?:`."
    BitwiseOpParentheses "bitwise-op-parentheses" WarningAll
        "A bitwise operator is used within another without parentheses: `a & b | c` is `(a & b) | c`."
    DanglingElse "dangling-else" Warning
        "An `else` belongs to the nearest `if`; there are two that it could be meant for."
    EmptyBody "empty-body" Warning
        "A `;` right after `if (…)` or the head of a loop is its whole body."
    LogicalOpParentheses "logical-op-parentheses" WarningAll
        "`&&` is used within `||` without parentheses: `a && b || c` is `(a && b) || c`."
    MisleadingIndentation "misleading-indentation" WarningAll
        "A statement is indented as if it were part of an `if` or loop, but it is not."
    Parentheses "parentheses" Warning
        "Operator precedence may differ from what was meant, or `=` is used where a comparison is expected."
    ParenthesesEquality "parentheses-equality" Warning
        "A comparison by `==` has extra parentheses, as for an intended assignment."
    ShiftOpParentheses "shift-op-parentheses" Warning
        "`+` or `-` is used within a shift without parentheses: `a << b + c` is `a << (b + c)`."

    // The same: operators and the types of their operands.
    BitwiseInsteadOfLogical "bitwise-instead-of-logical" WarningAll
        "`&` or `|` is used with boolean operands that have side effects."
    BoolOperation "bool-operation" WarningAll
        "`~` is applied to a boolean, and the result is always true."
    CastAlign "cast-align" WarningOwn
        "A cast increases the required alignment of what a pointer points to."
    CastQual "cast-qual" WarningOwn
        "A cast removes `const` or `volatile` from what a pointer points to."
    CharSubscripts "char-subscripts" WarningAll
        "An array subscript has type `char`, which is signed and may be negative."
    ConstantLogicalOperand "constant-logical-operand" Warning
        "An operand of `&&` or `||` is a constant number; `&` or `|` is probably meant."
    EnumCompare "enum-compare" Warning
        "Values of two different enums are compared."
    FloatEqual "float-equal" WarningOwn
        "Floating-point values are compared by `==` or `!=`, which is unreliable because of rounding."
    IntInBoolContext "int-in-bool-context" WarningAll
        "The result of a shift is converted to a boolean."
    LogicalNotParentheses "logical-not-parentheses" Warning
        "`!` applies only to the left operand: `!a == b` is `(!a) == b`."
    PointerBoolConversion "pointer-bool-conversion" Warning
        "The address of a variable or function is used as a condition, but it is never null."
    SelfAssign "self-assign" WarningAll
        "A variable is assigned to itself."
    ShiftNegativeValue "shift-negative-value" WarningExtra
        "A negative constant is shifted left."
    ShiftOverflow "shift-overflow" Warning
        "A shift of a constant overflows its signed type."
    ShiftSignOverflow "shift-sign-overflow" WarningOwn
        "A shift of a constant sets the sign bit of its type."
    SizeofArrayDiv "sizeof-array-div" Warning
        "The size of an array is divided by the size of a type other than that of its elements."
    SizeofPointerDiv "sizeof-pointer-div" Warning
        "The size of a pointer is divided by the size of what it points to."
    SignCompare "sign-compare" WarningExtra
        "A signed and an unsigned integer are compared; a negative value is converted to a large unsigned one."
    StringCompare "string-compare" Warning
        "A pointer is compared with a string literal, which compares addresses, not characters."
    StringPlusInt "string-plus-int" Warning
        "An integer is added to a string literal, which moves the pointer and does not append."
    TautologicalBitwiseCompare "tautological-bitwise-compare" WarningAll
        "A masked value is compared with a constant that has bits outside the mask."
    TautologicalCompare "tautological-compare" Warning
        "A value is compared with itself."
    TautologicalConstantCompare "tautological-constant-compare" Warning
        "The range of the operand's type decides a comparison with a constant."
    TautologicalConstantOutOfRangeCompare "tautological-constant-out-of-range-compare" Warning
        "A value is compared with a constant outside the range of its type."
    TautologicalOverlapCompare "tautological-overlap-compare" WarningAll
        "Two comparisons joined by `&&` or `||` always have the same result."
    TautologicalPointerCompare "tautological-pointer-compare" Warning
        "The address of a variable or function is compared with null."
    TautologicalTypeLimitCompare "tautological-type-limit-compare" WarningOwn
        "A comparison with the minimum or maximum of the type always has the same result."
    TautologicalUnsignedZeroCompare "tautological-unsigned-zero-compare" WarningExtra
        "An unsigned value is compared with zero by `<` or `>=`, which always has the same result."
    XorUsedAsPow "xor-used-as-pow" Warning
        "`^` is XOR, not exponentiation, and its left operand is 2 or 10."
    UnusedCommandLineArgument "unused-command-line-argument" Warning
        "An option has no effect."
    UnusedComparison "unused-comparison" Warning
        "The result of a comparison is not used."
    UnusedResult "unused-result" Warning
        "The result of a function marked `nodiscard` or `warn_unused_result` is unused."
    UnusedValue "unused-value" Warning
        "The result of an expression without side effects is unused."

    // The same: implicit conversions that change values, or cost more than they seem to.
    BitfieldWidth "bitfield-width" Warning
        "A bit-field is wider than its type; the extra bits are padding (C++17 12.2.4p1)."
    BitfieldConstantConversion "bitfield-constant-conversion" Warning
        "A constant does not fit in the bit-field to which it is assigned."
    DoublePromotion "double-promotion" WarningOwn
        "A `float` is implicitly converted to `double`, and the arithmetic is done in double precision."
    FloatConversion "float-conversion" WarningOwn
        "A floating-point value is implicitly converted to an integer and loses its fraction."
    FloatOverflowConversion "float-overflow-conversion" WarningOwn
        "A floating-point constant is converted to an integer type that cannot represent it."
    FloatZeroConversion "float-zero-conversion" WarningOwn
        "A floating-point constant is converted to the integer zero."
    ImplicitConstIntFloatConversion "implicit-const-int-float-conversion" Warning
        "An integer constant is converted to a floating-point type that cannot represent it exactly."
    ImplicitFloatConversion "implicit-float-conversion" WarningOwn
        "A `double` is implicitly converted to `float` and loses precision."
    ImplicitIntConversion "implicit-int-conversion" WarningOwn
        "An integer is implicitly converted to a smaller type."
    ImplicitIntConversionOnNegation "implicit-int-conversion-on-negation" WarningOwn
        "A negated integer is implicitly converted to a smaller type."
    ImplicitIntFloatConversion "implicit-int-float-conversion" WarningOwn
        "An integer is implicitly converted to a floating-point type with less precision."
    Shorten64To32 "shorten-64-to-32" WarningOwn
        "A 64-bit integer is implicitly converted to a 32-bit type."
    SingleBitBitfieldConstantConversion "single-bit-bitfield-constant-conversion" Warning
        "1 is assigned to a signed one-bit bit-field, which then has the value -1."
    SignConversion "sign-conversion" WarningOwn
        "An implicit conversion between signed and unsigned integers may change the value."

    // Suspicious code: control flow.
    ImplicitFallthrough "implicit-fallthrough" WarningExtra
        "Control falls through from one case to the next without `[[fallthrough]]`."
    InfiniteRecursion "infinite-recursion" WarningAll
        "All paths through a function call it again."
    SometimesUninitialized "sometimes-uninitialized" WarningAll
        "A variable is uninitialized on some path to its use."
    Uninitialized "uninitialized" WarningAll
        "A variable is used before it has a value."
    UnreachableCode "unreachable-code" WarningOwn
        "A statement can never be executed."

    // The same: memory, and the order of evaluation.
    ArrayBounds "array-bounds" Warning
        "A constant index is out of bounds."
    ReturnStackAddress "return-stack-address" Warning
        "A function returns the address of a local variable."
    Switch "switch" Warning
        "A `switch` over an enum has no `default` and does not handle all of the enum's values."
    Unsequenced "unsequenced" Warning
        "An expression modifies a variable twice, or modifies and reads it, in an unspecified order."

    // Suspicious code: mistakes specific to device code.
    DivergentBarrier "divergent-barrier" WarningAll
        "`__syncthreads()` is called under a condition that depends on `threadIdx`."
    LaunchBounds "launch-bounds" Warning
        "Launch bounds exceed a limit of the GPU: threads, blocks or registers."
    PassFailed "pass-failed" Warning
        "A loop is not unrolled as `#pragma unroll` requests because it would become too large."
    SharedMemorySize "shared-memory-size" Warning
        "A `__shared__` variable is larger than 48 KiB, the limit for statically allocated shared memory."

    // Unused entities.
    MissingFieldInitializers "missing-field-initializers" WarningExtra
        "An initializer list ends before the last member of a struct; the remaining members are zero."
    MissingDesignatedFieldInitializers "missing-designated-field-initializers" WarningExtra
        "A list of designators omits a member of a struct, which is zero."
    Shadow "shadow" WarningOwn
        "A declaration hides a variable of an enclosing scope."
    UnusedButSetParameter "unused-but-set-parameter" WarningExtra
        "A parameter is assigned but never read."
    UnusedButSetVariable "unused-but-set-variable" WarningAll
        "A variable is assigned but never read."
    UnusedConstVariable "unused-const-variable" WarningAll
        "A constant at file scope is never used."
    UnusedFunction "unused-function" WarningAll
        "A `static` function is never used."
    UnusedLabel "unused-label" WarningAll
        "A label is never used."
    UnusedParameter "unused-parameter" WarningExtra
        "A named parameter is never used."
    UnusedLocalTypedef "unused-local-typedef" WarningAll
        "A typedef in a function is never used."
    UnusedVariable "unused-variable" WarningAll
        "A variable is never used."

    CircularInitializer "circular-initializer" Error
        "The initial values of variables refer to each other's addresses in a cycle."

    // Features that the GPU or the PTX version lacks.
    UnavailableFeature "unavailable-feature" Error
        "The program uses a feature that the selected GPU (`--arch`) or PTX version (`--ptx-version`) lacks."

    MissingLibdevice "missing-libdevice" Error
        "The program calls a function from NVIDIA's libdevice, which was not found."

    // Findings of ptxas and nvlink.
    Spills "spills" WarningExtra
        "The kernel needs more registers than a thread has, so ptxas spills values to local memory."
    Ptxas "ptxas" Warning
        "A warning of ptxas or nvlink that has no name of its own."
    ExcessResources "excess-resources" Error
        "A kernel, or the whole program, needs more memory than the GPU provides."
    RefusedPtx "refused-ptx" Error
        "ptxas rejects PTX written by the user: inline PTX, or a PTX input."
    UndefinedSymbol "undefined-symbol" Error
        "A function or variable is declared and used, but no input defines it."

    // Constructs of CUDA C++ that the checks refuse by name.
    UnsupportedBuiltin "unsupported-builtin" Error
        "Weft does not yet support this function of CUDA or the C library."
    UnsupportedHostCode "unsupported-host-code" Error
        "Device code uses a host function, variable or type, or `--host-code=refuse` was given."
    UnsupportedOverloading "unsupported-overloading" Error
        "Weft does not support overloading of built-in functions that take arguments of any type."
    UnsupportedDefaultArgument "unsupported-default-argument" Error
        "Default arguments are supported only in declarations at file scope."
    UnsupportedVla "unsupported-vla" Error
        "Weft does not support variable-length arrays."
    UnsupportedReference "unsupported-reference" Error
        "References with static storage duration do not bind to temporaries."
    InvalidStructuredBinding "invalid-structured-binding" Error
        "A structured binding has the wrong number of names, or names for parts of something that has none."
    InvalidAuto "invalid-auto" Error
        "The type of an `auto` variable cannot be deduced: it has no initializer, its initializer uses it, or the types do not match."
    UnsupportedAuto "unsupported-auto" Error
        "`auto` is not supported here; write the type."
    HostLayout "host-layout" Warning
        "Host compilers and nvcc's device compiler lay out a packed struct with this unnamed bit-field differently."
    UnsupportedLayout "unsupported-layout" Error
        "The parts of nvcc disagree about this layout: packing mixed with alignment, or a packed struct as a variadic argument."
    UnsupportedAttribute "unsupported-attribute" Error
        "The attribute or CUDA qualifier is not supported."
    UnsupportedKernelAddress "unsupported-kernel-address" Error
        "Device code cannot take the address of a kernel."
    UnsupportedDesignator "unsupported-designator" Error
        "Large ranges of designators, and designators into a member or element that a single value initializes, are not supported."
}
