//! What ships with the compiler besides itself: the headers that device code includes, the names that are
//! there without an include, and the predefined macros.
//!
//! - [`header`]: the text of a header
//! - [`home`]: the header of a name that needs no include
//! - [`predefined`]: a macro that is defined before the first line
//! - [`absent`]: why a header that programs for nvcc include is not there
//!
//! The texts are the files of `include/`, embedded in the program; see README.md.

mod absent;
mod tables;

pub use absent::{Absent, absent};

/// The text of the header that ships under a name, as `stdint.h` or `cstdint`.
pub fn header(name: &str) -> Option<&'static str> {
    find(tables::HEADERS, tables::alias(name).unwrap_or(name))
}

/// The names of all headers that ship, in no order.
pub fn headers() -> impl Iterator<Item = &'static str> {
    let aliases = tables::ALIASES.iter().flat_map(|(names, _)| names.iter().copied());
    tables::HEADERS.iter().map(|&(name, _)| name).chain(aliases)
}

/// The header that gives the name its meaning, for the names that nvcc has without an include.
pub fn home(name: &str) -> Option<&'static str> {
    find(tables::UNASKED, name)
}

/// The definition of a macro that is there from the start, as it stands behind `#define`.
///
/// What depends on the GPU and the options, such as `__CUDA_ARCH__`, is not here.
pub fn predefined(name: &str) -> Option<&'static str> {
    find(tables::PREDEFINED, name)
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
        assert!(header("stdint.h").is_some_and(|text| text.contains("uint32_t")));
        assert!(header("crt/host_defines.h").is_some() && header("sys/types.h").is_some());
        assert_eq!(header("iostream"), None);
    }

    #[test]
    fn each_header_says_what_it_is_and_includes_what_ships() {
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
    fn names_have_one_home() {
        for (name, header) in [
            ("INT_MAX", "limits.h"),
            ("M_PI", "math.h"),
            ("NULL", "stddef.h"),
            ("FILE", "stdio.h"),
            ("div_t", "stdlib.h"),
            ("tm", "time.h"),
            ("cudaSuccess", "driver_types.h"),
            ("cudaStream_t", "driver_types.h"),
        ] {
            assert_eq!(home(name), Some(header), "{name}");
        }
        for name in ["UINT32_MAX", "FLT_MAX", "CUDART_PI_F", "uint32_t", "quot", "x"] {
            assert_eq!(home(name), None, "{name}");
        }
    }

    #[test]
    fn predefined_macros_have_their_text() {
        assert_eq!(predefined("__cplusplus"), Some("__cplusplus 201703L"));
        assert_eq!(predefined("__INT64_C"), Some("__INT64_C(c) c ## L"));
        assert_eq!(predefined("__CUDA_ARCH__"), None);
    }
}
