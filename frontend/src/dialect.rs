//! What affects the meaning of a program.

use crate::layout::DataModel;
use crate::limits::Depth;

/// Options that affect the meaning of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// Functions and variables of file scope without an execution space or a memory are the device's, as NVRTC has
    /// it with `-default-device`; otherwise they are the host's, which is an error.
    pub device_by_default: bool,
    /// The sizes of `long` and pointers.
    pub model: DataModel,
    /// How deep a program may nest: less where there is little memory.
    pub depth: Depth,
    /// What becomes of host code.
    pub host_code: HostCode,
    /// Device code can call `constexpr` functions of the host, as with nvcc's `--expt-relaxed-constexpr`.
    pub relaxed_constexpr: bool,
    /// The value of `__cplusplus`; `None` for that of C++17.
    pub cplusplus: Option<&'static str>,
}

impl Dialect {
    /// Whether a name is a keyword of the C++ standard, and not of C++17.
    pub(crate) fn reserves(self, name: &str) -> bool {
        let is_later = self.cplusplus.is_some_and(|number| number >= "202002L");
        is_later
            && matches!(
                name,
                "char8_t"
                    | "concept"
                    | "consteval"
                    | "constinit"
                    | "co_await"
                    | "co_return"
                    | "co_yield"
                    | "requires"
            )
    }
}

/// What becomes of functions, variables and types at file scope that are the host's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostCode {
    /// They are errors.
    Refuse,
    /// They are skipped; their use in device code is an error.
    #[default]
    Skip,
    /// As [`Skip`](HostCode::Skip), but definitions of functions and variables are errors: the output is for a
    /// host linker, which would miss them.
    SkipDeclarations,
}

impl HostCode {
    /// Whether host code is skipped.
    pub fn is_skipped(self) -> bool {
        self != HostCode::Refuse
    }
}
