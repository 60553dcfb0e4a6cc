//! The one list of diagnostic codes.
//!
//! A code is kebab-case, stable, documented here and shown by a test in `tests/ui/`.
//! `unsupported-*` codes are for constructs that CUDA C has and Weft has not: they name the
//! construct. A warning's name is also the option that asks for it, `-Wname`; new ones are called as
//! clang calls them.

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth a look; the output is made.
    Warning,
    /// No output is made.
    Error,
}

/// Which option asks for a warning. Each is asked for by its own name too, as `-Wname`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// None: it is on unless `-Wno-name` turns it off.
    Default,
    /// `-Wall`
    All,
    /// `-Wextra`
    Extra,
    /// Its own name alone, or `-Weverything`.
    Own,
}

/// What the list below says of a code behind its name.
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

            /// What asks for it; none for an error.
            pub fn group(self) -> Option<Group> {
                match self {
                    $(Code::$variant => group!($group),)*
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

impl Code {
    /// How many there are.
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
        "The text holds a character that no token of the language begins with."
    InvalidUtf8 "invalid-utf8" Error
        "A token holds a byte that is no UTF-8 text. Comments may hold anything."
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
    EscapeOutOfRange "escape-out-of-range" Warning
        "The value of an escape sequence does not fit in a byte; its lower eight bits count."
    UnknownEscape "unknown-escape" Warning
        "A backslash stands before a character that needs none; the character stands for itself."
    MixedStringPrefixes "mixed-string-prefixes" Error
        "Adjacent string literals with different prefixes cannot be joined."

    // Directives (C17 6.10).
    UnknownDirective "unknown-directive" Error
        "A line begins with `#` and no directive's name."
    UnsupportedDirective "unsupported-directive" Error
        "A line begins with a preprocessing directive that is not supported."
    InvalidDirective "invalid-directive" Error
        "A directive lacks what it needs, or has something else in its place."
    ExtraTokens "extra-tokens" Warning
        "Something stands behind the end of a directive; it is ignored."
    ErrorDirective "error-directive" Error
        "The program says so by `#error`."
    WarningDirective "warning-directive" Warning
        "The program says so by `#warning`."
    UnterminatedConditional "unterminated-conditional" Error
        "An `#if` has no `#endif`."
    UnmatchedConditional "unmatched-conditional" Error
        "An `#elif`, `#else` or `#endif` has no `#if`, or stands behind the `#else`."
    InvalidIfExpression "invalid-if-expression" Error
        "The condition of an `#if` is no integer constant expression of the preprocessor."
    HeaderNotFound "header-not-found" Error
        "The header that an `#include` names is not there or cannot be read."
    IncludeTooDeep "include-too-deep" Error
        "Headers include one another deeper, or more of them, than the compiler supports."
    IncludeNextOutsideHeader "include-next-outside-header" Warning
        "`#include_next` in the program itself is the same as `#include`."
    PragmaOnceOutsideHeader "pragma-once-outside-header" Warning
        "A pragma that is for headers stands in the program itself."
    PragmaMessage "pragma-message" Warning
        "The program says so by `#pragma message`."
    InvalidPragma "invalid-pragma" Error
        "A pragma lacks what it needs or has something else in its place, or `#pragma pack` pops what was not pushed."

    // Macros (C17 6.10.3).
    InvalidMacroDefinition "invalid-macro-definition" Error
        "A `#define` has parameters or a replacement list that are not well-formed."
    MacroRedefined "macro-redefined" Warning
        "A macro is defined anew with another meaning; the last definition counts."
    UnusedMacro "unused-macros" WarningOwn
        "Nothing uses a macro that the program itself defines."
    Undef "undef" WarningOwn
        "A condition of the preprocessor names what is no macro, which counts as 0."
    Comment "comment" WarningAll
        "A block comment has `/*` in it, or a comment of one line ends in a backslash and goes on."
    BuiltinMacroRedefined "builtin-macro-redefined" Warning
        "A macro that the compiler defines by itself is defined anew or undefined."
    MacroArgumentCount "macro-argument-count" Error
        "A call of a macro has more or fewer arguments than the macro has parameters."
    UnterminatedMacroCall "unterminated-macro-call" Error
        "The list of a macro's arguments has no `)`."
    InvalidPaste "invalid-paste" Error
        "`##` joins two tokens that are not one token together."
    MacroExpansionTooLarge "macro-expansion-too-large" Error
        "Macros expand to more than the compiler supports."
    PoisonedIdentifier "poisoned-identifier" Error
        "A name is used that `#pragma GCC poison` forbids."
    IgnoredAttributes "ignored-attributes" Warning
        "An attribute has a meaning for the host's code, such as a calling convention, or on something else, and none where it is."
    UnknownAttributes "unknown-attributes" Warning
        "An attribute that nothing here knows, or one of another compiler's namespace, is ignored."
    UnknownPragma "unknown-pragma" Warning
        "A pragma is ignored."
    UnknownWarningOption "unknown-warning-option" Warning
        "A pragma names a warning that no compiler has."

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
        "`using` of a name or namespace is not part of the language; `using name = type` is."
    UnsupportedException "unsupported-exception" Error
        "Exceptions are not part of the language: no `try`, `catch` or `throw`, and `noexcept` on functions alone."
    UnsupportedAllocation "unsupported-allocation" Error
        "`new` and `delete` are not part of the language."
    UnsupportedLambda "unsupported-lambda" Error
        "Lambda expressions are not part of the language."
    UnsupportedOperator "unsupported-operator" Error
        "Operators cannot be overloaded."
    UnsupportedLaunch "unsupported-launch" Error
        "Kernels are launched by host code, which is not part of the language."
    UnsupportedAsm "unsupported-asm" Error
        "`asm` outside of functions, which is the host's, and `asm goto`, which PTX has no way to do."
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
    UnsupportedLongDouble "unsupported-long-double" Error
        "A `long double` that host and device code, or two places of device code, would lay out or read differently."
    UnsupportedDeclarator "unsupported-declarator" Error
        "A declarator of C++ that the language leaves out, such as a structured binding or a trailing return type."
    UnsupportedInitializer "unsupported-initializer" Error
        "An initialization of C++ that the language leaves out, such as `int x(3)`."
    UnsupportedExtension "unsupported-extension" Error
        "A GNU extension that the language leaves out, such as statement expressions or case ranges."
    UnsupportedUnicodeName "unsupported-unicode-name" Error
        "PTX names have only ASCII letters, so what the object file sees needs such a name."

    // Names and declarations.
    UndeclaredIdentifier "undeclared-identifier" Error
        "Nothing in scope declares the name."
    Redefinition "redefinition" Error
        "The name has a meaning in this scope already, or the definition is the second one."
    ConflictingTypes "conflicting-types" Error
        "Two declarations of one function or variable do not agree in type, memory or linkage."
    TagMismatch "tag-mismatch" Error
        "A tag was declared with another of the keywords `struct`, `union` and `enum`."
    EmptyDeclaration "empty-declaration" Warning
        "A declaration declares nothing."
    UndefinedFunction "undefined-function" Error
        "A `static` or `inline` function is used, but this file, which alone could define it, does not."
    InvalidAttribute "invalid-attribute" Error
        "An attribute or CUDA qualifier does not go with what it stands on, or with another one."
    InvalidAlignment "invalid-alignment" Error
        "An alignment is not a power of two."
    InvalidLaunchBounds "invalid-launch-bounds" Error
        "`__launch_bounds__` takes one to three positive integer constants."
    InvalidKernel "invalid-kernel" Error
        "A `__global__` function must return `void` and cannot be variadic."
    InvalidAsmLabel "invalid-asm-label" Error
        "The string of an `__asm__` label is no identifier of PTX, or one that PTX has another meaning for."
    ReservedSymbol "reserved-symbol" Error
        "PTX has another meaning for a name that a function or variable would keep as its symbol."
    SymbolConflict "symbol-conflict" Error
        "Two functions or variables would have the same symbol, or one that of another's parameter."
    IgnoredAsmLabel "ignored-asm-label" Warning
        "nvcc ignores `__asm__` labels in device code, so that what it compiles has another symbol."
    DeprecatedDeclarations "deprecated-declarations" Warning
        "The attribute `deprecated` stands on what is used."
    DeprecatedRegister "deprecated-register" Warning
        "`register` has no meaning in C++17."
    LongDoubleAsDouble "long-double-as-double" Warning
        "Device code computes and stores a `long double` as a `double`."
    DeprecatedVectorType "deprecated-vector-type" Warning
        "A built-in vector type has been given another name, which says its alignment."

    // Inline PTX.
    AsmIgnoredQualifier "asm-ignored-qualifier" Warning
        "An `asm` is `const`, which has no meaning there."
    InvalidAsm "invalid-asm" Error
        "The text of an `asm` names an operand that is not there or has another escape than `%%` and `%=`, or a clobber is not `memory`."
    InvalidAsmConstraint "invalid-asm-constraint" Error
        "A constraint of an `asm` is not one of `h`, `r`, `l`, `q`, `f`, `d`, `n` and `C`, or lacks `=` or `+` where it is an output's."
    InvalidAsmOperand "invalid-asm-operand" Error
        "An operand of an `asm` has another size or kind than its constraint asks for: no conversion is made."
    InvalidPtx "invalid-ptx" Error
        "The text of an `asm` is not PTX, names what nothing declares, or has operands that do not fit their instruction."
    AsmOperandName "asm-operand-name" Warning
        "nvcc does not compile the names of operands in the text of an `asm`, only their numbers."

    // Types.
    IncompleteType "incomplete-type" Error
        "An object is wanted of a type that is not defined, or that has no objects."
    InvalidType "invalid-type" Error
        "A declarator makes a type that does not exist, such as an array of functions."
    InvalidQualifier "invalid-qualifier" Error
        "`__restrict__` stands on a type that is no pointer."
    InvalidArrayLength "invalid-array-length" Error
        "The length of an array is zero, negative or beyond what fits in memory."
    InvalidBitField "invalid-bit-field" Error
        "A bit-field has a type that is no integer type, or a width that its type does not have."
    InvalidEnum "invalid-enum" Error
        "An enumerator does not fit in the type that represents its enum."

    // Expressions.
    InvalidOperands "invalid-operands" Error
        "An operator does not take operands of these types."
    InvalidCondition "invalid-condition" Error
        "A condition has a type that does not convert to `bool`, or to an integer where a switch needs one."
    InvalidDereference "invalid-dereference" Error
        "The operand of `*` points to no object."
    InvalidSubscript "invalid-subscript" Error
        "A subscript needs a pointer to objects and an integer."
    InvalidMemberAccess "invalid-member-access" Error
        "The operand of `.` is no struct or union, or that of `->` no pointer to one."
    NoMember "no-member" Error
        "The struct or union has no member of the name."
    NotAnLvalue "not-an-lvalue" Error
        "The operand of `&` has no address."
    NotAssignable "not-assignable" Error
        "What stands on the left of an assignment designates no object that can be assigned to."
    ConstAssignment "const-assignment" Error
        "An object that is const is assigned to."
    HostConstAddress "host-const-address" Error
        "A `const` variable without a memory of the device has a value in device code, and no address."
    InvalidConversion "invalid-conversion" Error
        "A value does not convert to the type of what it is assigned to, passed to or returned as."
    VolatileCopy "volatile-copy" Error
        "A struct or union that is volatile is copied or assigned to as a whole."
    UncopyableUnion "uncopyable-union" Error
        "A union is copied of which a member has a constructor that copies it, such as `__half2`."
    DiscardedQualifiers "discarded-qualifiers" Error
        "A conversion of pointers would lose `const` or `volatile`."
    InvalidCast "invalid-cast" Error
        "A cast between these types is not allowed."
    InvalidSizeof "invalid-sizeof" Error
        "`sizeof` or `alignof` is applied to what has no size."
    Narrowing "narrowing" Warning
        "A value within braces may not survive its conversion."
    NarrowingConstant "narrowing-constant" Error
        "A constant within braces does not survive its conversion to the type of a parameter, a result or what is assigned to. In the \
         initializer of a variable that is a warning, as with nvcc."
    NarrowingCase "narrowing-case" Error
        "The value of a case label is not one of the switch's type."
    ConstantConversion "constant-conversion" Warning
        "A constant changes its value in an implicit conversion."
    LiteralConversion "literal-conversion" Warning
        "A floating literal changes its value in an implicit conversion to an integer type or `bool`."
    IntegerOverflow "integer-overflow" Warning
        "A constant expression has a value that its signed type does not have."
    DivisionByZero "division-by-zero" Warning
        "An integer is divided by the constant zero."
    ShiftCount "shift-count" Warning
        "A constant shift count is negative or not less than the width of the shifted type."
    IgnoredDefinition "ignored-definition" Warning
        "The definition of a function that is built in has no effect: calls mean the built-in one, as with nvcc."
    DevicePrintf "device-printf" Warning
        "A call of `printf` asks for what device code does not print: more than 32 arguments behind the format, `%n`, wide characters."
    Format "format" Warning
        "An argument of `printf` is of another type than the format says, or the format says what has no meaning."
    FormatExtraArgs "format-extra-args" Warning
        "A call of `printf` has an argument of which the format says nothing."
    FormatInsufficientArgs "format-insufficient-args" Warning
        "The format of a call of `printf` asks for more arguments than there are."
    FormatInvalidSpecifier "format-invalid-specifier" Warning
        "What stands behind a `%` in the format of a call of `printf` is no conversion."
    FormatNonliteral "format-nonliteral" WarningOwn
        "The format of a call of `printf` is no literal, so that nothing is known of the arguments it asks for."
    FormatSecurity "format-security" Warning
        "A text that is no literal is the format of a call of `printf` without arguments: a `%` in it asks for some."
    Varargs "varargs" Warning
        "`va_start` does not name the function's last parameter, or `va_arg` asks for a type that promotion changes."
    WritableString "writable-string" Warning
        "A string literal, which is const, becomes a pointer to what is not; writing through it is undefined."
    FunctionToVoidPointer "function-to-void-pointer" Warning
        "The address of a function becomes a `void *`, or is compared with one; C++ has a cast for that."
    OrderedNullComparison "ordered-null-comparison" Warning
        "A pointer is compared with a null pointer by `<` or its kin: C++ has no such order, and nvcc takes it."
    ImplicitlyUnsignedLiteral "implicitly-unsigned-literal" Warning
        "A decimal integer literal without `u` is larger than every signed type, and becomes unsigned: C++ has no such literal."
    InitializerOverrides "initializer-overrides" WarningExtra
        "An element of an array gets a value twice in one list: the last counts."
    IncrementOfBool "increment-of-bool" Warning
        "`++` on a `bool` sets it to true; C++17 has it no more."
    PointerArith "pointer-arith" Warning
        "An integer is added to a pointer to `void`, or subtracted from one: it counts bytes, in GNU C and to nvcc. Or the size of `void` or of a function is asked for, which is 1."
    PointerToSmallInteger "pointer-to-small-integer" Warning
        "A cast of a pointer to an integer type that is smaller loses the upper bits of the address."
    SwitchPastInitialization "switch-past-initialization" Warning
        "A `switch` can jump into the scope of a variable past its initialization, which then has no value."
    NotConstant "not-constant" Error
        "A constant expression is wanted, and the value is only known when the program runs."
    StaticAssertFailed "static-assert-failed" Error
        "The condition of a `static_assert` is false."

    // Calls.
    NotAFunction "not-a-function" Error
        "What is called is neither a function nor a pointer to one."
    ArgumentCount "argument-count" Error
        "A call has more or fewer arguments than the function has parameters."
    InvalidDefaultArgument "invalid-default-argument" Error
        "A default argument is given twice, is missing behind another one, or stands where no function is declared."
    KernelCall "kernel-call" Error
        "Device code calls a `__global__` function, which only a launch can do."
    InvalidVariadic "invalid-variadic" Error
        "The arguments of `...` are asked for outside of a variadic function, through what is no `va_list`, or by a type that no argument has."
    BuiltinNotCalled "builtin-not-called" Error
        "A built-in function is used as a value."
    NoMatchingBuiltin "no-matching-builtin" Error
        "No overload of the built-in function takes these arguments."
    AmbiguousBuiltin "ambiguous-builtin" Error
        "No overload of the built-in function is the best one for these arguments."
    ImmediateOutOfRange "immediate-out-of-range" Error
        "The instruction behind the built-in function does not have this operand."
    InvalidMemoryOrder "invalid-memory-order" Error
        "The value is no memory order, or none that the atomic operation can have."
    InvalidThreadScope "invalid-thread-scope" Error
        "The value is no thread scope."

    // Initializers.
    UninitializedConst "uninitialized-const" Error
        "A const object has no initializer, and can get its value in no other way."
    InvalidInitializer "invalid-initializer" Error
        "The initializer does not have the form that the type asks for."
    InvalidDesignator "invalid-designator" Error
        "A designator names nothing that can be initialized at this place of the list."
    ExcessInitializers "excess-initializers" Error
        "An initializer has more elements than the object."
    DynamicInitializer "dynamic-initializer" Error
        "The initializer of a variable with static storage duration is no constant."
    SharedInitializer "shared-initializer" Error
        "A `__shared__` variable has an initializer, which nothing would carry out."

    // Statements.
    MisplacedJump "misplaced-jump" Error
        "`break` or `continue` stands outside of what it could leave or continue."
    MisplacedLabel "misplaced-label" Error
        "`case` or `default` stands outside of a `switch`."
    DuplicateCase "duplicate-case" Error
        "A `switch` has two labels for one value."
    UndeclaredLabel "undeclared-label" Error
        "The function has no label of the name."
    JumpPastInitialization "jump-past-initialization" Error
        "A jump leads into the scope of a variable, past its initialization."
    JumpIntoExpression "jump-into-expression" Error
        "A jump leads into a statement expression `({ … })`, or a `case` of a switch around it stands there."
    MisplacedStatements "misplaced-statements" Error
        "A statement expression stands outside of a function."
    EmptyCaseRange "empty-case-range" Error
        "The range of a `case` ends before it begins."
    MisplacedPragma "misplaced-pragma" Warning
        "`#pragma unroll` stands before no loop, or its count is none, and it has no effect."
    ReturnMismatch "return-mismatch" Error
        "A `return` has a value in a function that returns none."
    MissingReturn "missing-return" Warning
        "Control can reach the end of a function that should return a value, or a `return` without one."

    // What is allowed and most likely not meant: how it is written.
    BitwiseConditionalParentheses "bitwise-conditional-parentheses" Warning
        "The condition of `?:` is a bitwise operation with a condition in it, which binds tighter than `?:`."
    BitwiseOpParentheses "bitwise-op-parentheses" WarningAll
        "A bitwise operator stands within another one without parentheses: `a & b | c` is `(a & b) | c`."
    DanglingElse "dangling-else" Warning
        "An `else` belongs to the nearest `if`, and there are two that it could be meant for."
    EmptyBody "empty-body" Warning
        "A `;` directly behind the head of a statement is its whole body."
    LogicalOpParentheses "logical-op-parentheses" WarningAll
        "`&&` stands within `||` without parentheses: `a && b || c` is `(a && b) || c`."
    MisleadingIndentation "misleading-indentation" WarningAll
        "A statement is indented as if an `if` or loop governed it, and none does."
    Parentheses "parentheses" Warning
        "An operator may bind otherwise than is meant, or `=` stands where a comparison is expected."
    ParenthesesEquality "parentheses-equality" Warning
        "A comparison by `==` has parentheses of its own, as if it were an assignment that is meant."
    ShiftOpParentheses "shift-op-parentheses" Warning
        "`+` or `-` stands within a shift without parentheses: `a << b + c` is `a << (b + c)`."

    // The same: operators and the types of their operands.
    BitwiseInsteadOfLogical "bitwise-instead-of-logical" WarningAll
        "`&` or `|` joins two truth values whose evaluation has effects."
    BoolOperation "bool-operation" WarningAll
        "`~` stands on a truth value, and the result is never false."
    CastAlign "cast-align" WarningOwn
        "A cast makes a pointer to a type of a stricter alignment."
    CastQual "cast-qual" WarningOwn
        "A cast takes `const` or `volatile` away from what a pointer points to."
    CharSubscripts "char-subscripts" WarningAll
        "An array is subscripted by a `char`, which is signed and may be negative."
    ConstantLogicalOperand "constant-logical-operand" Warning
        "An operand of `&&` or `||` is a constant number: `&` or `|` is probably meant."
    EnumCompare "enum-compare" Warning
        "Values of two different enums are compared."
    FloatEqual "float-equal" WarningOwn
        "Floating values are compared by `==` or `!=`, which rounding makes a matter of luck."
    IntInBoolContext "int-in-bool-context" WarningAll
        "A shift stands where a truth value is wanted."
    LogicalNotParentheses "logical-not-parentheses" Warning
        "`!` applies to the left operand alone: `!a == b` is `(!a) == b`."
    PointerBoolConversion "pointer-bool-conversion" Warning
        "The address of a variable or function is a condition, and it is never null."
    SelfAssign "self-assign" WarningAll
        "A variable is assigned to itself."
    ShiftNegativeValue "shift-negative-value" WarningExtra
        "A negative constant is shifted to the left."
    ShiftOverflow "shift-overflow" Warning
        "A constant is shifted to the left beyond the width of its signed type."
    ShiftSignOverflow "shift-sign-overflow" WarningOwn
        "A constant is shifted into the sign bit of its type."
    SizeofArrayDiv "sizeof-array-div" Warning
        "The size of an array is divided by the size of another type than its elements'."
    SizeofPointerDiv "sizeof-pointer-div" Warning
        "The size of a pointer is divided by the size of what it points to."
    SignCompare "sign-compare" WarningExtra
        "A signed and an unsigned integer are compared, and a negative value would count as a large one."
    StringCompare "string-compare" Warning
        "A pointer is compared with a string literal: the addresses are compared, not the texts."
    StringPlusInt "string-plus-int" Warning
        "An integer is added to a string literal, which moves the pointer."
    TautologicalBitwiseCompare "tautological-bitwise-compare" WarningAll
        "A masked value is compared with a constant that has other bits."
    TautologicalCompare "tautological-compare" Warning
        "A value is compared with itself."
    TautologicalConstantCompare "tautological-constant-compare" Warning
        "The values of the operand's type decide a comparison with a constant."
    TautologicalConstantOutOfRangeCompare "tautological-constant-out-of-range-compare" Warning
        "A value is compared with a constant that its type cannot have."
    TautologicalOverlapCompare "tautological-overlap-compare" WarningAll
        "Two comparisons of one value, joined by `&&` or `||`, have one result whatever the value is."
    TautologicalPointerCompare "tautological-pointer-compare" Warning
        "The address of a variable or function is compared with null."
    TautologicalTypeLimitCompare "tautological-type-limit-compare" WarningOwn
        "A comparison with the least or greatest value of the type has one result."
    TautologicalUnsignedZeroCompare "tautological-unsigned-zero-compare" WarningExtra
        "An unsigned value is compared with zero by `<` or `>=`, which has one result."
    XorUsedAsPow "xor-used-as-pow" Warning
        "`^` stands between 2 or 10 and a number, as if it were a power."
    UnusedComparison "unused-comparison" Warning
        "The result of a comparison is not used."
    UnusedResult "unused-result" Warning
        "The attribute `nodiscard` or `warn_unused_result` stands on a function, and a call drops its value."
    UnusedValue "unused-value" Warning
        "The value of an expression without another effect is not used."

    // The same: implicit conversions that change values, or cost more than they seem to.
    BitfieldWidth "bitfield-width" Warning
        "A bit-field is wider than its type: the bits above are padding (C++17 12.2.4p1)."
    BitfieldConstantConversion "bitfield-constant-conversion" Warning
        "A constant is stored into a bit-field that does not hold it."
    DoublePromotion "double-promotion" WarningOwn
        "A `float` becomes a `double` by itself, and the arithmetic is in double precision."
    FloatConversion "float-conversion" WarningOwn
        "A floating value becomes an integer by itself, and loses its fraction."
    FloatOverflowConversion "float-overflow-conversion" WarningOwn
        "A constant floating value becomes an integer that does not hold it."
    FloatZeroConversion "float-zero-conversion" WarningOwn
        "A constant floating value becomes the integer zero."
    ImplicitConstIntFloatConversion "implicit-const-int-float-conversion" Warning
        "An integer constant becomes a floating value that is not the same."
    ImplicitFloatConversion "implicit-float-conversion" WarningOwn
        "A `double` becomes a `float` by itself, and loses precision."
    ImplicitIntConversion "implicit-int-conversion" WarningOwn
        "An integer becomes one of a smaller type by itself."
    ImplicitIntConversionOnNegation "implicit-int-conversion-on-negation" WarningOwn
        "A negated integer becomes one of a smaller type by itself."
    ImplicitIntFloatConversion "implicit-int-float-conversion" WarningOwn
        "An integer becomes a floating value that has fewer digits."
    Shorten64To32 "shorten-64-to-32" WarningOwn
        "An integer of 64 bits becomes one of 32 by itself."
    SingleBitBitfieldConstantConversion "single-bit-bitfield-constant-conversion" Warning
        "A 1 is stored into a signed bit-field of one bit, which holds -1 then."
    SignConversion "sign-conversion" WarningOwn
        "A signed integer becomes an unsigned one by itself, or the other way about."

    // The same: what the flow of control tells.
    ImplicitFallthrough "implicit-fallthrough" WarningExtra
        "The statements of a case run on into the next one, and nothing says that they should."
    InfiniteRecursion "infinite-recursion" WarningAll
        "Each way through a function calls it again."
    SometimesUninitialized "sometimes-uninitialized" WarningAll
        "A variable is read, and on some way to there it gets no value."
    Uninitialized "uninitialized" WarningAll
        "A variable is read before it has a value."
    UnreachableCode "unreachable-code" WarningOwn
        "No way leads to a statement."

    // The same: memory, and the order of evaluation.
    ArrayBounds "array-bounds" Warning
        "A constant index is not one of the array's."
    ReturnStackAddress "return-stack-address" Warning
        "A function returns the address of a variable that is gone when it has returned."
    Switch "switch" Warning
        "A `switch` over an enum has no `default`, and no case for one of the enum's values."
    Unsequenced "unsequenced" Warning
        "An expression changes a variable twice, or changes and reads it, in no fixed order."

    // The same: what only device code can do wrong.
    DivergentBarrier "divergent-barrier" WarningAll
        "`__syncthreads()` stands under a condition that depends on `threadIdx`."
    LaunchBounds "launch-bounds" Warning
        "What a kernel says of its launches cannot hold: more threads, blocks or registers than the GPU has."
    PassFailed "pass-failed" Warning
        "A loop is not unrolled as `#pragma unroll` asks, since it would become too large."
    SharedMemorySize "shared-memory-size" Warning
        "A `__shared__` variable is larger than the 48 KiB that a block has without a request at its launch."

    // What nothing uses.
    MissingFieldInitializers "missing-field-initializers" WarningExtra
        "A list in braces ends before the last member of a struct; the others are zero."
    MissingDesignatedFieldInitializers "missing-designated-field-initializers" WarningExtra
        "A list of designators leaves out a member of a struct, which is zero."
    Shadow "shadow" WarningOwn
        "A variable or parameter hides a variable of a scope around it."
    UnusedButSetParameter "unused-but-set-parameter" WarningExtra
        "A parameter gets a new value, and nothing reads it."
    UnusedButSetVariable "unused-but-set-variable" WarningAll
        "A variable gets values, and nothing reads them."
    UnusedConstVariable "unused-const-variable" WarningAll
        "Nothing in the file uses a constant at file scope."
    UnusedFunction "unused-function" WarningAll
        "Nothing in the file uses a `static` function, which no other file can use."
    UnusedLabel "unused-label" WarningAll
        "No `goto` leads to the label."
    UnusedParameter "unused-parameter" WarningExtra
        "The function does not use a parameter that has a name."
    UnusedLocalTypedef "unused-local-typedef" WarningAll
        "A typedef in a function is not used."
    UnusedVariable "unused-variable" WarningAll
        "A variable is declared, and its name is not used."

    CircularInitializer "circular-initializer" Error
        "The initial values of variables hold each other's addresses."

    // What the GPU or the PTX version does not have.
    UnavailableFeature "unavailable-feature" Error
        "The program uses what the GPU (`--arch`) or the PTX version (`--ptx-version`) that was asked for has not."

    MissingLibdevice "missing-libdevice" Error
        "The program calls a function that NVIDIA's libdevice defines, and that was not found."

    // What ptxas and nvlink find.
    Spills "spills" WarningExtra
        "The registers of a thread do not suffice: ptxas keeps values in local memory and reads them back."
    Ptxas "ptxas" Warning
        "ptxas or nvlink warns of something that has no name of its own."
    ExcessResources "excess-resources" Error
        "A kernel, or the program as a whole, needs more memory than the GPU has for it."
    RefusedPtx "refused-ptx" Error
        "ptxas refuses PTX that the program has written itself: inline, or as an input."
    UndefinedSymbol "undefined-symbol" Error
        "A function or variable is declared and used, and no input defines it."

    // Constructs of CUDA C++ that the checks refuse by name.
    UnsupportedBuiltin "unsupported-builtin" Error
        "The function of CUDA or of the C library is not supported yet."
    UnsupportedHostCode "unsupported-host-code" Error
        "Functions and variables of the host are not part of the language."
    UnsupportedOverloading "unsupported-overloading" Error
        "The program overloads a function of its own, or a built-in one that takes arguments of any types."
    UnsupportedDefaultArgument "unsupported-default-argument" Error
        "Default arguments stand in declarations at file scope."
    UnsupportedVla "unsupported-vla" Error
        "The length of an array must be a constant."
    UnsupportedReference "unsupported-reference" Error
        "References are not part of the language; pointers are."
    InvalidAuto "invalid-auto" Error
        "A type cannot be deduced for `auto`: there is no initializer, it names the variable itself, or it does not fit."
    UnsupportedAuto "unsupported-auto" Error
        "The type of a declaration must be written."
    UnsupportedScopedEnum "unsupported-scoped-enum" Error
        "`enum class` is not part of the language; `enum` is."
    HostLayout "host-layout" Warning
        "The host's compilers lay out a packed struct with such an unnamed bit-field in another way than nvcc does for the device."
    UnsupportedLayout "unsupported-layout" Error
        "A layout of which nvcc's own parts think differently: packing mixed with alignment, or packed behind `...`."
    UnsupportedAttribute "unsupported-attribute" Error
        "The attribute or CUDA qualifier is not supported."
    UnsupportedKernelAddress "unsupported-kernel-address" Error
        "Device code cannot take the address of a kernel."
    UnsupportedDesignator "unsupported-designator" Error
        "Ranges of designators are supported as far as they stand alone and are small."
}
