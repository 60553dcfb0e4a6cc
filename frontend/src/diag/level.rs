//! Which warnings are enabled, and which are errors: `-Wname` and related options.
//!
//! Options are applied in order, and the last one wins, as in clang: whether a warning is on and whether
//! it is an error are separate. `-w` silences all warnings wherever it appears.

use super::Code;
use super::code::Group;
use super::edg;
use super::similar::similar;

/// The level of a warning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// It is dropped.
    #[default]
    Ignored,
    /// It is shown, and the output is made.
    Warning,
    /// It is shown as an error, and no output is made.
    Error,
}

/// The level of each warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    is_on: [bool; Code::N],
    /// The level set by the code's own name; else `all_are_errors` applies.
    is_error: [Option<bool>; Code::N],
    all_are_errors: bool,
    is_quiet: bool,
}

/// No warning has the name that an option gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWarning {
    /// The name.
    pub name: String,
    /// A name that was probably meant.
    pub similar: Option<&'static str>,
}

/// Aliases of warnings: clang's groups, and clang's, GCC's and nvcc's names
/// for warnings that have another name here.
const ALIASES: &[(&str, &[Code])] = &[
    ("#warnings", &[Code::WarningDirective]),
    ("attributes", &[Code::IgnoredAttributes, Code::UnknownAttributes]),
    ("bool-operation", &[Code::BitwiseInsteadOfLogical]),
    ("c++11-narrowing", &[Code::Narrowing]),
    (
        "conversion",
        &[
            Code::BitfieldConstantConversion,
            Code::ConstantConversion,
            Code::FloatConversion,
            Code::FloatOverflowConversion,
            Code::FloatZeroConversion,
            Code::ImplicitConstIntFloatConversion,
            Code::ImplicitFloatConversion,
            Code::ImplicitIntConversion,
            Code::ImplicitIntConversionOnNegation,
            Code::ImplicitIntFloatConversion,
            Code::LiteralConversion,
            Code::Shorten64To32,
            Code::SignConversion,
            Code::SingleBitBitfieldConstantConversion,
        ],
    ),
    ("constant-conversion", &[Code::BitfieldConstantConversion, Code::SingleBitBitfieldConstantConversion]),
    ("bitfield-constant-conversion", &[Code::SingleBitBitfieldConstantConversion]),
    ("cpp", &[Code::WarningDirective]),
    (
        "cuda",
        &[
            Code::DevicePrintf,
            Code::DivergentBarrier,
            Code::DoublePromotion,
            Code::LaunchBounds,
            Code::PassFailed,
            Code::SharedMemorySize,
        ],
    ),
    ("deprecated-increment-bool", &[Code::IncrementOfBool]),
    ("div-by-zero", &[Code::DivisionByZero]),
    ("float-conversion", &[Code::FloatOverflowConversion, Code::FloatZeroConversion]),
    (
        "format",
        &[
            Code::FormatExtraArgs,
            Code::FormatInsufficientArgs,
            Code::FormatInvalidSpecifier,
            Code::FormatSecurity,
        ],
    ),
    (
        "format=2",
        &[
            Code::Format,
            Code::FormatExtraArgs,
            Code::FormatInsufficientArgs,
            Code::FormatInvalidSpecifier,
            Code::FormatNonliteral,
            Code::FormatSecurity,
        ],
    ),
    ("implicit-float-conversion", &[Code::ImplicitConstIntFloatConversion, Code::ImplicitIntFloatConversion]),
    ("implicit-int-conversion", &[Code::ImplicitIntConversionOnNegation, Code::Shorten64To32]),
    ("implicit-int-float-conversion", &[Code::ImplicitConstIntFloatConversion]),
    ("literal-range", &[Code::FloatOutOfRange]),
    ("multichar", &[Code::MulticharConstant]),
    ("overflow", &[Code::BitfieldConstantConversion, Code::ConstantConversion]),
    (
        "parentheses",
        &[
            Code::BitwiseConditionalParentheses,
            Code::BitwiseOpParentheses,
            Code::DanglingElse,
            Code::LogicalOpParentheses,
            Code::ParenthesesEquality,
            Code::ShiftOpParentheses,
        ],
    ),
    ("missing-field-initializers", &[Code::MissingDesignatedFieldInitializers]),
    ("pointer-to-int-cast", &[Code::PointerToSmallInteger]),
    ("register", &[Code::DeprecatedRegister]),
    ("return-local-addr", &[Code::ReturnStackAddress]),
    ("return-type", &[Code::MissingReturn]),
    ("sequence-point", &[Code::Unsequenced]),
    ("shift-count-negative", &[Code::ShiftCount]),
    ("shift-count-overflow", &[Code::ShiftCount]),
    ("switch-enum", &[Code::Switch]),
    (
        "tautological-compare",
        &[
            Code::TautologicalBitwiseCompare,
            Code::TautologicalConstantCompare,
            Code::TautologicalConstantOutOfRangeCompare,
            Code::TautologicalOverlapCompare,
            Code::TautologicalPointerCompare,
        ],
    ),
    ("type-limits", &[Code::TautologicalTypeLimitCompare, Code::TautologicalUnsignedZeroCompare]),
    ("uninitialized", &[Code::SometimesUninitialized]),
    ("unknown-escape-sequence", &[Code::UnknownEscape]),
    ("unknown-pragmas", &[Code::UnknownPragma]),
    ("unused-local-typedefs", &[Code::UnusedLocalTypedef]),
    ("unused-value", &[Code::UnusedComparison, Code::UnusedResult]),
    ("unused-variable", &[Code::UnusedConstVariable]),
    (
        "unused",
        &[
            Code::UnusedButSetVariable,
            Code::UnusedValue,
            Code::UnusedComparison,
            Code::UnusedFunction,
            Code::UnusedLabel,
            Code::UnusedConstVariable,
            Code::UnusedLocalTypedef,
            Code::UnusedResult,
            Code::UnusedVariable,
        ],
    ),
    ("void-pointer-to-int-cast", &[Code::PointerToSmallInteger]),
    ("writable-strings", &[Code::WritableString]),
    ("write-strings", &[Code::WritableString]),
];

/// Warnings of clang and GCC that have no counterpart here, although their names resemble one: they are not misspelt.
const OF_OTHER_COMPILERS: &[&str] = &[
    "#pragma-messages",
    "arith-conversion",
    "bool-compare",
    "bool-conversion",
    "c++0x-narrowing",
    "char-align",
    "class-conversion",
    "comments",
    "dangling-field",
    "dangling-gsl",
    "enum-conversion",
    "format-y2k",
    "gnu-pointer-arith",
    "increment-bool",
    "int-conversion",
    "int-conversions",
    "missing-noreturn",
    "missing-requires",
    "null-conversion",
    "pointer-sign",
    "pointer-to-enum-cast",
    "sizeof-array-decay",
    "strict-overflow",
    "string-conversion",
    "string-plus-char",
    "underflow",
    "void-pointer-to-enum-cast",
];

impl Default for Levels {
    /// Without options: the warnings of [`Group::Default`].
    fn default() -> Self {
        let mut levels = Levels {
            is_on: [false; Code::N],
            is_error: [None; Code::N],
            all_are_errors: false,
            is_quiet: false,
        };
        levels.set_group(Group::Default, true);
        levels
    }
}

impl Levels {
    /// The level of a warning with the code.
    pub fn level(&self, code: Code) -> Level {
        let idx = code as usize;
        if self.is_quiet || !self.is_on[idx] {
            Level::Ignored
        } else if self.is_error[idx].unwrap_or(self.all_are_errors) {
            Level::Error
        } else {
            Level::Warning
        }
    }

    /// The same, except that `-Werror` alone does not make it an error.
    pub fn level_without_all(&self, code: Code) -> Level {
        match self.level(code) {
            Level::Error if self.is_error[code as usize].is_none() => Level::Warning,
            level => level,
        }
    }

    /// `-w`: no warnings.
    pub fn silence(&mut self) {
        self.is_quiet = true;
    }

    /// An option, without its `-W`: `all`, `no-unused-variable`, `error=shift-count`.
    ///
    /// # Errors
    /// When no warning has the name.
    pub fn apply(&mut self, option: &str) -> Result<(), UnknownWarning> {
        let (is_on, name) = match option.strip_prefix("no-") {
            Some(name) => (false, name),
            None => (true, option),
        };
        match name {
            "" | "extra" => self.set_group(Group::Extra, is_on),
            "all" | "most" => self.set_group(Group::All, is_on),
            "everything" => Code::ALL.iter().for_each(|&code| self.is_on[code as usize] = is_on),
            "error" | "error=all-warnings" => self.all_are_errors = is_on,
            _ => match name.strip_prefix("error=") {
                Some(name) => {
                    for code in find(name)? {
                        self.is_error[code as usize] = Some(is_on);
                        self.is_on[code as usize] |= is_on;
                    }
                }
                None => {
                    for code in find(name)? {
                        self.is_on[code as usize] = is_on;
                    }
                }
            },
        }
        Ok(())
    }

    /// Applies a pragma to the warnings of a name.
    pub(super) fn set(&mut self, name: &str, level: Level) -> Result<(), UnknownWarning> {
        let of = |group| Code::ALL.iter().copied().filter(move |code| code.group() == Some(group)).collect();
        let codes = match name {
            "" | "extra" => of(Group::Extra),
            "all" | "most" => of(Group::All),
            "everything" => Code::ALL.to_vec(),
            _ => find(name)?,
        };
        codes.into_iter().for_each(|code| self.set_code(code, level));
        Ok(())
    }

    pub(super) fn set_code(&mut self, code: Code, level: Level) {
        let idx = code as usize;
        self.is_on[idx] = level != Level::Ignored;
        self.is_error[idx] = match level {
            Level::Ignored => self.is_error[idx],
            Level::Warning => Some(false),
            Level::Error => Some(true),
        };
    }

    /// The same as elsewhere.
    pub(super) fn copy_code(&mut self, code: Code, from: &Levels) {
        let idx = code as usize;
        self.is_on[idx] = from.is_on[idx];
        self.is_error[idx] = from.is_error[idx];
    }

    pub(super) fn turn_on_what_is_on_in(&mut self, other: &Levels) {
        self.is_on.iter_mut().zip(&other.is_on).for_each(|(mine, theirs)| *mine |= theirs);
    }

    fn set_group(&mut self, group: Group, is_on: bool) {
        let codes = Code::ALL.iter().filter(|code| code.group() == Some(group));
        codes.for_each(|&code| self.is_on[code as usize] = is_on);
    }
}

/// The warnings of a name. One that resembles no name here is taken for another compiler's and has no warnings: build
/// systems pass the same options to all compilers.
///
/// # Errors
/// When the name looks like a misspelt one, or is the code of an error.
fn find(name: &str) -> Result<Vec<Code>, UnknownWarning> {
    if let Some(number) = name.strip_prefix("nvcc-") {
        return Ok(edg::codes(number).to_vec());
    }
    let warning = |code: &Code| code.group().is_some();
    let own = Code::find(name).filter(warning);
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, codes)| codes);
    let codes: Vec<Code> =
        own.into_iter().chain(alias.into_iter().flat_map(|codes| codes.iter().copied())).collect();
    if !codes.is_empty() || OF_OTHER_COMPILERS.contains(&name) {
        return Ok(codes);
    }
    let own = Code::ALL.iter().filter(|code| warning(code)).map(|code| code.name());
    let names: Vec<&'static str> =
        own.chain(ALIASES.iter().map(|(alias, _)| *alias)).chain(["all", "extra"]).collect();
    let similar = similar(name, names.iter().copied()).map(|idx| names[idx]);
    // The code of an error looks like one of ours, too.
    if similar.is_none() && Code::find(name).is_none() {
        return Ok(codes);
    }
    Err(UnknownWarning { name: name.to_owned(), similar })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(options: &[&str], code: Code) -> Level {
        let mut levels = Levels::default();
        options.iter().for_each(|option| levels.apply(option).expect("a known name"));
        levels.level(code)
    }

    #[test]
    fn the_last_option_wins() {
        let code = Code::ShiftCount;
        assert_eq!(level(&[], code), Level::Warning);
        assert_eq!(level(&["no-shift-count"], code), Level::Ignored);
        assert_eq!(level(&["no-shift-count", "shift-count-overflow"], code), Level::Warning);
        assert_eq!(level(&["error"], code), Level::Error);
        assert_eq!(level(&["error", "no-error"], code), Level::Warning);
        assert_eq!(level(&["no-error=shift-count", "error"], code), Level::Warning);
        assert_eq!(level(&["no-shift-count", "error=shift-count"], code), Level::Error);
        assert_eq!(level(&["error=shift-count", "no-shift-count"], code), Level::Ignored);
        assert_eq!(level(&["no-everything"], code), Level::Ignored);
    }

    #[test]
    fn w_silences_all_warnings() {
        let mut levels = Levels::default();
        levels.silence();
        levels.apply("error=narrowing").expect("a known name");
        assert_eq!(levels.level(Code::Narrowing), Level::Ignored);
    }

    #[test]
    fn misspelt_names_get_a_suggestion() {
        let unknown = |option: &str| Levels::default().apply(option).expect_err("it is unknown");
        assert_eq!(unknown("no-shift-cuont").similar, Some("shift-count"));
        assert_eq!(unknown("redefinition"), UnknownWarning { name: "redefinition".into(), similar: None });
    }

    #[test]
    fn ignores_warnings_of_other_compilers() {
        for option in ["error=zzz", "no-deprecated-gpu-targets", "logical-op", "string-plus-char"] {
            let mut levels = Levels::default();
            levels.apply(option).expect("it is another compiler's");
            assert!(Code::ALL.iter().all(|&code| levels.level(code) == Levels::default().level(code)));
        }
    }

    #[test]
    fn aliases_select_warnings_of_other_names() {
        for (alias, codes) in ALIASES {
            assert!(codes.iter().all(|code| code.group().is_some()), "{alias}");
            assert!(Code::find(alias).is_none_or(|own| !codes.contains(&own)), "{alias}");
        }
    }
}
