//! The supported GPUs and PTX versions, and which version each GPU requires.
//!
//! LLVM ends the process if the PTX version is too low for the GPU, and only prints a warning about an
//! unknown name of either. So neither reaches it: a [`Target`] and a [`PtxVersion`] always map to ones that
//! LLVM 22 supports, and [`choose_ptx`] is the only way to get a version for a target.
//!
//! The table is LLVM 22's own, measured over all pairs (checked by `lower/tests/target.rs`), and agrees with
//! ptxas 13.5 except where noted. Targets newer than LLVM are in a separate table: LLVM compiles for a
//! compatible GPU, and the PTX then gets the new name.

mod feature;

pub use feature::Feature;

use std::fmt;

/// A GPU architecture, such as `sm_90` or `sm_90a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    sm: u16,
    variant: Variant,
}

/// Which features of an architecture are available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Those that all later architectures have, too.
    Base,
    /// Those of the family: `f`.
    Family,
    /// All features of exactly this architecture: `a`.
    Arch,
}

impl Variant {
    /// The suffix after the number.
    pub fn suffix(self) -> &'static str {
        match self {
            Variant::Base => "",
            Variant::Family => "f",
            Variant::Arch => "a",
        }
    }
}

/// A version of the PTX ISA that can be written, such as `8.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PtxVersion {
    major: u8,
    minor: u8,
}

/// A text is not a known target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetError {
    /// It is not of the form `sm_NN`, `sm_NNf` or `sm_NNa`.
    Malformed {
        /// The text.
        text: String,
    },
    /// The GPU does not exist, or is not supported.
    Unknown {
        /// The text.
        text: String,
        /// The nearest supported targets, those of the same number first.
        neighbours: Vec<Target>,
    },
}

/// A PTX version that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PtxError {
    /// The text is not a version: not of the form `8.0`, or not one that LLVM emits.
    Unknown {
        /// The text.
        text: String,
    },
    /// The target requires a later version than the requested one.
    TooLowForTarget {
        /// The requested version.
        requested: PtxVersion,
        /// The target.
        target: Target,
    },
    /// A feature that the program uses requires a later version than the requested one.
    TooLowForFeature {
        /// The requested version.
        requested: PtxVersion,
        /// The feature that the program uses.
        feature: Feature,
    },
    /// The GPU lacks a feature that the program uses.
    NotOnTarget {
        /// The GPU.
        target: Target,
        /// The feature that the program uses.
        feature: Feature,
    },
}

const fn v(major: u8, minor: u8) -> PtxVersion {
    PtxVersion { major, minor }
}

/// The highest version that LLVM 22 emits.
const MAX_OF_LLVM: PtxVersion = v(9, 0);

/// The versions that can be written: those that LLVM 22 emits, and later ones, in which PTX of version 9.0
/// has the same meaning (PTX ISA, "PTX Module Directives: .version"): inline PTX may need them.
const PTX_VERSIONS: &[PtxVersion] = &[
    v(3, 2),
    v(4, 0),
    v(4, 1),
    v(4, 2),
    v(4, 3),
    v(5, 0),
    v(6, 0),
    v(6, 1),
    v(6, 2),
    v(6, 3),
    v(6, 4),
    v(6, 5),
    v(7, 0),
    v(7, 1),
    v(7, 2),
    v(7, 3),
    v(7, 4),
    v(7, 5),
    v(7, 6),
    v(7, 7),
    v(7, 8),
    v(8, 0),
    v(8, 1),
    v(8, 2),
    v(8, 3),
    v(8, 4),
    v(8, 5),
    v(8, 6),
    v(8, 7),
    v(8, 8),
    MAX_OF_LLVM,
    v(9, 1),
    v(9, 2),
    v(9, 3),
    v(9, 4),
    v(9, 5),
];

/// An architecture: its number, its minimum version, and the minimum versions of its `f` and `a` variants, if
/// it has them.
struct Arch(u16, PtxVersion, Option<PtxVersion>, Option<PtxVersion>);

/// GPUs that LLVM 22 does not support, each with the one to compile for: an earlier one of its family, whose
/// PTX ptxas accepts for it (`sm_100f`, `sm_103f` and `sm_107f` are one family).
const NEWER_THAN_LLVM: &[(u16, u16)] = &[(107, 103)];

/// The architectures that LLVM 22 supports, and newer ones.
const ARCHS: &[Arch] = &[
    Arch(20, v(3, 2), None, None),
    Arch(21, v(3, 2), None, None),
    Arch(30, v(3, 2), None, None),
    Arch(32, v(4, 0), None, None),
    Arch(35, v(3, 2), None, None),
    Arch(37, v(4, 1), None, None),
    Arch(50, v(4, 0), None, None),
    Arch(52, v(4, 1), None, None),
    Arch(53, v(4, 2), None, None),
    Arch(60, v(5, 0), None, None),
    Arch(61, v(5, 0), None, None),
    Arch(62, v(5, 0), None, None),
    Arch(70, v(6, 0), None, None),
    Arch(72, v(6, 1), None, None),
    Arch(75, v(6, 3), None, None),
    Arch(80, v(7, 0), None, None),
    Arch(86, v(7, 1), None, None),
    Arch(87, v(7, 4), None, None),
    Arch(88, v(9, 0), None, None),
    Arch(89, v(7, 8), None, None),
    Arch(90, v(7, 8), None, Some(v(8, 0))),
    Arch(100, v(8, 6), Some(v(8, 8)), Some(v(8, 6))),
    Arch(101, v(8, 6), Some(v(8, 8)), Some(v(8, 6))),
    Arch(103, v(8, 8), Some(v(8, 8)), Some(v(8, 8))),
    // Measured with ptxas 13.5.
    Arch(107, v(9, 4), Some(v(9, 4)), Some(v(9, 4))),
    Arch(110, v(9, 0), Some(v(9, 0)), Some(v(9, 0))),
    Arch(120, v(8, 7), Some(v(8, 8)), Some(v(8, 7))),
    Arch(121, v(8, 8), Some(v(8, 8)), Some(v(8, 8))),
];

impl Arch {
    fn min_ptx(&self, variant: Variant) -> Option<PtxVersion> {
        match variant {
            Variant::Base => Some(self.1),
            Variant::Family => self.2,
            Variant::Arch => self.3,
        }
    }
}

impl Target {
    /// The lowest target that ptxas 13.5 supports.
    pub const DEFAULT: Target = Target { sm: 75, variant: Variant::Base };

    /// Every target, by number and then variant.
    pub fn all() -> impl Iterator<Item = Target> {
        let variants = [Variant::Base, Variant::Family, Variant::Arch];
        ARCHS.iter().flat_map(move |arch| {
            let known = variants.into_iter().filter(|&variant| arch.min_ptx(variant).is_some());
            known.map(|variant| Target { sm: arch.0, variant })
        })
    }

    /// Parses `sm_90`, `sm_90a`, `sm_100f`.
    ///
    /// # Errors
    ///
    /// If the text has another form, or is not a known target.
    pub fn parse(text: &str) -> Result<Target, TargetError> {
        let malformed = || TargetError::Malformed { text: text.to_owned() };
        let number = text.strip_prefix("sm_").ok_or_else(malformed)?;
        let (digits, variant) = match number.as_bytes().last() {
            Some(b'a') => (&number[..number.len() - 1], Variant::Arch),
            Some(b'f') => (&number[..number.len() - 1], Variant::Family),
            _ => (number, Variant::Base),
        };
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if !is_number || digits.starts_with('0') {
            return Err(malformed());
        }
        let sm = digits.parse().unwrap_or(u16::MAX);
        let target = Target { sm, variant };
        if Target::all().any(|known| known == target) {
            Ok(target)
        } else {
            Err(TargetError::Unknown { text: text.to_owned(), neighbours: neighbours(sm) })
        }
    }

    /// Whether ptxas accepts code with 32-bit addresses for it: up to sm_89.
    pub fn has_narrow_addresses(self) -> bool {
        self.sm < 90
    }

    /// The number: 90 of `sm_90a`.
    pub fn sm(self) -> u16 {
        self.sm
    }

    /// The variant: the letter after the number.
    pub fn variant(self) -> Variant {
        self.variant
    }

    /// The target of the same number, limited to features that later ones have, too.
    #[must_use]
    pub fn base(self) -> Option<Target> {
        let base = Target { variant: Variant::Base, ..self };
        Target::all().find(|&known| known == base)
    }

    /// The lowest PTX version that supports this target.
    pub fn min_ptx(self) -> PtxVersion {
        let arch = ARCHS.iter().find(|arch| arch.0 == self.sm);
        arch.and_then(|arch| arch.min_ptx(self.variant)).expect("invariant: a target is one of the table's")
    }

    /// LLVM's name of the target, or of the GPU to compile for instead; for the target machine and
    /// `target-cpu`.
    pub fn llvm_cpu(self) -> String {
        let known =
            NEWER_THAN_LLVM.iter().find(|(sm, _)| *sm == self.sm).map_or(self.sm, |(_, known)| *known);
        Target { sm: known, ..self }.to_string()
    }

    /// The number in its name: 90 of `sm_90a`.
    pub(crate) fn number(self) -> u32 {
        self.sm.into()
    }

    /// Whether the ptxas of CUDA 13 supports it: from `sm_75` on, except `sm_101`, which CUDA 13 calls
    /// `sm_110`.
    pub fn is_in_ptxas_13(self) -> bool {
        self.sm >= 75 && self.sm != 101
    }
}

/// The targets of the same number, or else those of the next lower and higher number.
fn neighbours(sm: u16) -> Vec<Target> {
    let below = ARCHS.iter().map(|arch| arch.0).filter(|&n| n <= sm).max();
    let above = ARCHS.iter().map(|arch| arch.0).filter(|&n| n > sm).min();
    let numbers = if below == Some(sm) { [below, None] } else { [below, above] };
    Target::all().filter(|target| numbers.contains(&Some(target.sm))).collect()
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}{}", self.sm, self.variant.suffix())
    }
}

impl PtxVersion {
    /// The lowest version.
    pub const MIN: PtxVersion = PTX_VERSIONS[0];
    /// The highest version.
    pub const MAX: PtxVersion = PTX_VERSIONS[PTX_VERSIONS.len() - 1];
    /// The highest version that LLVM emits. Later ones are supported only for inline PTX.
    pub const MAX_OF_LLVM: PtxVersion = MAX_OF_LLVM;

    /// Every version, ascending.
    pub fn all() -> impl Iterator<Item = PtxVersion> {
        PTX_VERSIONS.iter().copied()
    }

    /// Parses `8.0`.
    ///
    /// # Errors
    ///
    /// If the text is not a version that can be written.
    pub fn parse(text: &str) -> Result<PtxVersion, PtxError> {
        let known = PtxVersion::all().find(|version| version.to_string() == text);
        known.ok_or_else(|| PtxError::Unknown { text: text.to_owned() })
    }

    /// The major version.
    pub fn major(self) -> u8 {
        self.major
    }

    /// The minor version.
    pub fn minor(self) -> u8 {
        self.minor
    }

    /// LLVM's target feature for it, or for the highest one of LLVM: `+ptx80`.
    pub fn llvm_feature(self) -> String {
        let PtxVersion { major, minor } = self.min(MAX_OF_LLVM);
        format!("+ptx{major}{minor}")
    }
}

impl fmt::Display for PtxVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Chooses the PTX version to write: the lowest that the target and the features require, or the requested
/// one if that is higher.
///
/// # Errors
///
/// If the requested version is too low, or the target lacks a feature.
pub fn choose_ptx(
    target: Target,
    requested: Option<PtxVersion>,
    features: impl IntoIterator<Item = Feature>,
) -> Result<PtxVersion, PtxError> {
    if let Some(requested) = requested.filter(|&version| version < target.min_ptx()) {
        return Err(PtxError::TooLowForTarget { requested, target });
    }
    let mut version = requested.unwrap_or(target.min_ptx());
    for feature in features {
        if target.sm < feature.min_sm() || feature.sole_target().is_some_and(|sole| sole != target) {
            return Err(PtxError::NotOnTarget { target, feature });
        }
        if let Some(requested) = requested.filter(|&version| version < feature.min_ptx()) {
            return Err(PtxError::TooLowForFeature { requested, feature });
        }
        version = version.max(feature.min_ptx());
    }
    Ok(version)
}

fn list(items: impl IntoIterator<Item = impl fmt::Display>) -> String {
    items.into_iter().map(|item| format!("`{item}`")).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetError::Malformed { text } => {
                write!(f, "unknown architecture `{text}`; write, for example, `sm_75`, `sm_90a` or `sm_100f`")
            }
            TargetError::Unknown { text, neighbours } => {
                write!(f, "unknown architecture `{text}`; similar ones are {}", list(neighbours))
            }
        }
    }
}

impl fmt::Display for PtxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PtxError::Unknown { text } => {
                let known = list(PTX_VERSIONS);
                write!(f, "unknown PTX version `{text}`; the known ones are {known}")
            }
            PtxError::TooLowForTarget { requested, target } => {
                write!(
                    f,
                    "PTX {requested} does not support `{target}`, which requires PTX {} or later",
                    target.min_ptx()
                )
            }
            PtxError::TooLowForFeature { requested, feature } => {
                let (name, min) = (feature.name(), feature.min_ptx());
                write!(f, "PTX {requested} does not support {name}: PTX {min} or later is required")
            }
            PtxError::NotOnTarget { target, feature } => {
                let name = feature.name();
                match feature.sole_target() {
                    Some(sole) => write!(f, "`{target}` does not support {name}: only `{sole}` does"),
                    None => {
                        let min = feature.min_sm();
                        write!(f, "`{target}` does not support {name}: `sm_{min}` or later is required")
                    }
                }
            }
        }
    }
}

impl std::error::Error for TargetError {}

impl std::error::Error for PtxError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(text: &str) -> Target {
        Target::parse(text).expect("a target")
    }

    #[test]
    fn every_target_reads_back_and_has_a_version() {
        let mut n_targets = 0;
        for known in Target::all() {
            assert_eq!(Target::parse(&known.to_string()), Ok(known));
            assert!(Target::parse(&known.llvm_cpu()).is_ok());
            assert!(PTX_VERSIONS.contains(&known.min_ptx()));
            n_targets += 1;
        }
        assert_eq!(n_targets, 43);
        assert!(PTX_VERSIONS.is_sorted() && Target::all().is_sorted());
        assert!(PtxVersion::all().all(|version| PtxVersion::parse(&version.to_string()) == Ok(version)));
        assert!(Target::DEFAULT.is_in_ptxas_13());
    }

    #[test]
    fn rejects_invalid_targets_with_a_reason() {
        for text in ["", "sm_", "sm_a", "90", "compute_90", "sm_9x", "sm_+90", "sm_090", "sm_90A"] {
            assert_eq!(Target::parse(text), Err(TargetError::Malformed { text: text.to_owned() }));
        }
        let message = |text| Target::parse(text).expect_err("no target").to_string();
        assert_eq!(message("sm_80a"), "unknown architecture `sm_80a`; similar ones are `sm_80`");
        assert_eq!(message("sm_91"), {
            "unknown architecture `sm_91`; similar ones are `sm_90`, `sm_90a`, `sm_100`, `sm_100f`, `sm_100a`"
        });
        assert!(message("sm_99999999").ends_with("`sm_121`, `sm_121f`, `sm_121a`"));
        assert!(message("sm_1").ends_with("`sm_20`"));
        assert_eq!(target("sm_107a").llvm_cpu(), "sm_103a");
    }

    #[test]
    fn chooses_the_lowest_sufficient_version() {
        let choose = |arch, requested: Option<&str>, features: &[Feature]| {
            let requested = requested.map(|text| PtxVersion::parse(text).expect("a version"));
            choose_ptx(target(arch), requested, features.iter().copied())
                .map(|version| version.to_string())
                .map_err(|error| error.to_string())
        };
        assert_eq!(choose("sm_75", None, &[]), Ok("6.3".into()));
        assert_eq!(choose("sm_75", Some("8.0"), &[]), Ok("8.0".into()));
        assert_eq!(choose("sm_50", None, &[Feature::WarpSync]), Ok("6.0".into()));
        assert_eq!(choose("sm_90a", Some("7.8"), &[]), {
            Err("PTX 7.8 does not support `sm_90a`, which requires PTX 8.0 or later".into())
        });
        assert_eq!(choose("sm_50", Some("5.0"), &[Feature::WarpSync]), {
            Err("PTX 5.0 does not support warp-level operations with a mask: PTX 6.0 or later is required"
                .into())
        });
        assert_eq!(choose("sm_52", None, &[Feature::AtomicAddDouble]), {
            Err("`sm_52` does not support `atomicAdd` of `double`: `sm_60` or later is required".into())
        });
    }
}
