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
}
