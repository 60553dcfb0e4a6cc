//! The predefined macros that depend on the target and the options: those of nvcc's device compilation.

use std::borrow::Cow;

use weft_lower::target::Variant;
use weft_lower::{DebugInfo, Options};

/// The definition of a macro, as it would follow `#define`; `None` for other names.
///
/// `__CUDA_ARCH_LIST__` is the same for each architecture: `archs`, or the current one if that is empty.
pub fn of_target(name: &str, options: &Options, archs: &[u16]) -> Option<Cow<'static, str>> {
    // This is called for each identifier of a program.
    if !name.starts_with("__") {
        return None;
    }
    let sm = options.target.sm();
    let is_defined = match name {
        "__CUDA_ARCH_LIST__" if !archs.is_empty() => {
            let list = archs.iter().map(|sm| format!("{sm}0")).collect::<Vec<_>>().join(",");
            return Some(format!("{name} {list}").into());
        }
        "__CUDA_ARCH__" | "__CUDA_ARCH_LIST__" => true,
        // CUDA C++ Programming Guide "Feature Set Compiler Targets".
        "__CUDA_ARCH_SPECIFIC__" => options.target.variant() == Variant::Arch,
        "__CUDA_ARCH_FAMILY_SPECIFIC__" => options.target.variant() != Variant::Base,
        "__CUDACC_RDC__" => return (!options.whole_program).then(|| "__CUDACC_RDC__ 1".into()),
        // Without `-dopt on`, the code is for a debugger.
        "__CUDACC_DEBUG__" => {
            return (options.debug == DebugInfo::Full).then(|| "__CUDACC_DEBUG__ 1".into());
        }
        "__WEFT_MAJOR__" => return Some(concat!("__WEFT_MAJOR__ ", env!("CARGO_PKG_VERSION_MAJOR")).into()),
        "__WEFT_MINOR__" => return Some(concat!("__WEFT_MINOR__ ", env!("CARGO_PKG_VERSION_MINOR")).into()),
        _ => {
            let number = name.strip_prefix("__CUDA_ARCH_FEAT_SM").and_then(|rest| rest.strip_suffix("_ALL"));
            let is_this = number.is_some_and(|number| number == sm.to_string());
            return (is_this && options.target.variant() == Variant::Arch)
                .then(|| format!("{name} 1").into());
        }
    };
    is_defined.then(|| format!("{name} {sm}0").into())
}

#[cfg(test)]
mod tests {
    use weft_lower::target::Target;

    use super::*;

    fn defined(arch: &str) -> Vec<String> {
        let target = Target::parse(arch).expect("a target");
        let options = Options { target, ..crate::options() };
        let names = [
            "__CUDA_ARCH__",
            "__CUDA_ARCH_LIST__",
            "__CUDA_ARCH_SPECIFIC__",
            "__CUDA_ARCH_FAMILY_SPECIFIC__",
        ];
        let feature = "__CUDA_ARCH_FEAT_SM100_ALL";
        names
            .into_iter()
            .chain([feature])
            .filter_map(|name| of_target(name, &options, &[]))
            .map(Cow::into_owned)
            .collect()
    }

    #[test]
    fn targets_have_nvccs_macros() {
        assert_eq!(defined("sm_75"), ["__CUDA_ARCH__ 750", "__CUDA_ARCH_LIST__ 750"]);
        let family = ["__CUDA_ARCH__ 1000", "__CUDA_ARCH_LIST__ 1000", "__CUDA_ARCH_FAMILY_SPECIFIC__ 1000"];
        assert_eq!(defined("sm_100f"), family);
        let specific = [
            "__CUDA_ARCH__ 1000",
            "__CUDA_ARCH_LIST__ 1000",
            "__CUDA_ARCH_SPECIFIC__ 1000",
            "__CUDA_ARCH_FAMILY_SPECIFIC__ 1000",
            "__CUDA_ARCH_FEAT_SM100_ALL 1",
        ];
        assert_eq!(defined("sm_100a"), specific);
    }
}
