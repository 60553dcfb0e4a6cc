//! Kernels by name: as PTX has them, or as the source calls them.

use cpp_demangle::{DemangleOptions, Symbol};

use crate::error::KernelError;

/// The symbol of the kernel that is meant.
///
/// A name is the symbol itself (`_Z5saxpyifPKfPf`), the function's name (`saxpy`), or that with its parameters
/// (`saxpy(int, float, float const*, float*)`). It may be left out where there is one kernel.
///
/// # Errors
/// When there is no such kernel, or several.
pub fn find<'s>(symbols: &[&'s str], name: Option<&str>) -> Result<&'s str, KernelError> {
    let error = |message: String, similar| KernelError {
        message,
        kernels: symbols.iter().map(|symbol| shown(symbols, symbol)).collect(),
        similar,
    };
    let Some(name) = name else {
        return match symbols {
            [one] => Ok(one),
            [] => Err(error("there is no kernel".to_owned(), None)),
            _ => Err(error("which kernel to run is not said".to_owned(), None)),
        };
    };
    if let Some(symbol) = symbols.iter().find(|&&symbol| symbol == name) {
        return Ok(symbol);
    }
    let is_meant = |symbol: &str| source_name(symbol) == name || signature(symbol) == name;
    let meant: Vec<&'s str> = symbols.iter().copied().filter(|symbol| is_meant(symbol)).collect();
    match meant[..] {
        [one] => Ok(one),
        [] => {
            let names = symbols.iter().flat_map(|symbol| [(*symbol).to_owned(), source_name(symbol)]);
            let near = names.map(|other| (strsim::damerau_levenshtein(name, &other), other)).min();
            let near = near.filter(|(distance, other)| *distance <= other.len().max(3) / 3);
            Err(error(format!("there is no kernel `{name}`"), near.map(|(_, other)| other)))
        }
        _ => {
            let several: Vec<String> =
                meant.iter().map(|symbol| format!("`{}`", signature(symbol))).collect();
            Err(error(format!("several kernels are called `{name}`: {}", several.join(", ")), None))
        }
    }
}

/// What the source calls a function: `_Z5saxpyifPKfPf` is `saxpy`.
pub fn source_name(symbol: &str) -> String {
    demangled(symbol, DemangleOptions::new().no_params())
}

/// With the types of the parameters: `saxpy(int, float, float const*, float*)`.
fn signature(symbol: &str) -> String {
    demangled(symbol, DemangleOptions::new())
}

fn demangled(symbol: &str, options: DemangleOptions) -> String {
    if !symbol.starts_with("_Z") {
        return symbol.to_owned();
    }
    let parsed = Symbol::new(symbol).ok();
    parsed.and_then(|parsed| parsed.demangle_with_options(&options).ok()).unwrap_or(symbol.to_owned())
}

/// The short name, if no other kernel has it.
fn shown(symbols: &[&str], symbol: &str) -> String {
    let name = source_name(symbol);
    let is_unique = symbols.iter().filter(|other| source_name(other) == name).count() == 1;
    if is_unique { name } else { signature(symbol) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYMBOLS: [&str; 4] = ["_Z5saxpyifPKfPf", "_Z5twicei", "_Z5twicef", "plain"];

    #[test]
    fn names_are_those_of_ptx_or_of_the_source() {
        assert_eq!(find(&SYMBOLS, Some("saxpy")), Ok("_Z5saxpyifPKfPf"));
        assert_eq!(find(&SYMBOLS, Some("_Z5saxpyifPKfPf")), Ok("_Z5saxpyifPKfPf"));
        assert_eq!(find(&SYMBOLS, Some("twice(float)")), Ok("_Z5twicef"));
        assert_eq!(find(&SYMBOLS, Some("plain")), Ok("plain"));
        assert_eq!(find(&["k"], None), Ok("k"));
    }

    #[test]
    fn what_is_not_clear_is_asked_back() {
        let refused = |symbols: &[&str], name| find(symbols, name).expect_err("not clear").to_string();
        assert_eq!(refused(&SYMBOLS, Some("sapxy")), "there is no kernel `sapxy`; did you mean `saxpy`?");
        let several = "several kernels are called `twice`: `twice(int)`, `twice(float)`";
        assert!(refused(&SYMBOLS, Some("twice")).starts_with(several));
        let all = "which kernel to run is not said; there are saxpy, twice(int), twice(float), plain";
        assert_eq!(refused(&SYMBOLS, None), all);
        assert_eq!(refused(&[], None), "there is no kernel");
        assert!(refused(&["_Z", "_Z4", "_Zx"], Some("y")).starts_with("there is no kernel `y`"));
    }
}
