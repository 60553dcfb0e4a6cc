//! What ships with the compiler besides itself: the headers that device code includes, the names that are
//! there without an include, and the predefined macros.
//!
//! - [`header`]: the text of a header
//! - [`known`]: what a name stands for without an include
//! - [`absent`]: why a header that programs for nvcc include is not there
//!
//! The texts are the files of `include/`, embedded in the program; see README.md.

mod absent;
mod hash;
mod names;
mod tables;

pub use absent::{Absent, absent};
pub use names::names;

/// What a name that needs no include stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A macro that is there from the start: its definition, as it follows `#define`.
    Macro(&'static str),
    /// What the header says that nvcc takes in before the first line.
    Header(&'static str),
}

/// The text of the header that ships under a name, as `stdint.h` or `cstdint`.
pub fn header(name: &str) -> Option<&'static str> {
    find(tables::HEADERS, canonical(name))
}

/// The one name of the file after a header's names: `stdint.h` of `cstdint`.
pub fn canonical(name: &str) -> &str {
    tables::alias(name).unwrap_or(name)
}

/// The names of all headers that ship, in no order.
pub fn headers() -> impl Iterator<Item = &'static str> {
    let aliases = tables::ALIASES.iter().flat_map(|(names, _)| names.iter().copied());
    tables::HEADERS.iter().map(|&(name, _)| name).chain(aliases)
}

/// What a name stands for without an include.
///
/// What depends on the GPU and the options, such as `__CUDA_ARCH__`, is not here.
pub fn known(name: &str) -> Option<Known> {
    tables::known(name)
}

/// The same of a host whose addresses have 32 bits.
pub fn known_in_32_bits(name: &str) -> Option<Known> {
    match tables::NARROW.binary_search_by(|(known, _)| (*known).cmp(name)) {
        Ok(idx) => tables::NARROW[idx].1.map(Known::Macro),
        Err(_) => known(name),
    }
}

/// The names that [`known`] knows, sorted.
pub fn known_names() -> impl Iterator<Item = &'static str> {
    tables::KNOWN.iter().map(|&(name, _)| name)
}

fn find(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    let idx = table.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    Some(table[idx].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_by_either_name() {
        assert_eq!(header("cstdint"), header("stdint.h"));
        assert_eq!((canonical("cstdint"), canonical("stdint.h")), ("stdint.h", "stdint.h"));
        assert!(header("stdint.h").is_some_and(|text| text.contains("uint32_t")));
        assert!(header("crt/host_defines.h").is_some() && header("sys/types.h").is_some());
        assert_eq!(header("iostream"), None);
    }

    #[test]
    fn headers_describe_themselves_and_include_shipped_ones() {
        for &(name, text) in tables::HEADERS {
            assert!(text.starts_with("/* "), "{name}");
            let included = text.lines().filter_map(|line| line.strip_prefix("#include <"));
            for other in included.filter_map(|rest| rest.strip_suffix('>')) {
                assert!(header(other).is_some(), "{name} includes {other}");
            }
        }
        for (names, target) in tables::ALIASES {
            assert!(find(tables::HEADERS, target).is_some(), "{names:?}: {target}");
        }
    }

    #[test]
    fn names_that_need_no_include_are_known() {
        for (name, header) in [
            ("INT_MAX", "limits.h"),
            ("M_PI", "math.h"),
            ("NULL", "stddef.h"),
            ("FILE", "stdio.h"),
            ("div_t", "stdlib.h"),
            ("tm", "time.h"),
            ("cudaSuccess", "driver_types.h"),
            ("cudaStream_t", "driver_types.h"),
            ("cudaCGScopeGrid", "cuda_device_runtime_api.h"),
            ("cudaCGSynchronize", "cuda_device_runtime_api.h"),
        ] {
            assert_eq!(known(name), Some(Known::Header(header)), "{name}");
        }
        assert_eq!(known("__cplusplus"), Some(Known::Macro("__cplusplus 201703L")));
        assert_eq!(known("__INT64_C"), Some(Known::Macro("__INT64_C(c) c ## L")));
        for name in ["UINT32_MAX", "FLT_MAX", "CUDART_PI_F", "uint32_t", "quot", "x", "", "__CUDA_ARCH__"] {
            assert_eq!(known(name), None, "{name}");
        }
    }

    #[test]
    fn a_32_bit_host_has_macros_of_its_own() {
        assert_eq!(known_in_32_bits("__LP64__"), None);
        assert_eq!(known_in_32_bits("__SIZEOF_POINTER__"), Some(Known::Macro("__SIZEOF_POINTER__ 4")));
        assert_eq!(known_in_32_bits("__i386__"), Some(Known::Macro("__i386__ 1")));
        assert_eq!(known_in_32_bits("__INT_MAX__"), known("__INT_MAX__"));
        assert_eq!(known_in_32_bits("INT_MAX"), Some(Known::Header("limits.h")));
        assert!(tables::NARROW.is_sorted_by_key(|&(name, _)| name));
    }

    #[test]
    fn each_known_name_is_found() {
        for &(name, meaning) in tables::KNOWN {
            assert_eq!(known(name), Some(meaning), "{name}");
        }
    }
}
