//! Names that nvcc knows without a declaration and Weft does not support: the rules of `lacking.txt`, each with a reason.
//!
//! They are asked about a name that has no declaration.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{host_function, known_function};
use crate::diag::Code;
use crate::sema::builtin;

const TABLE: &str = include_str!("lacking.txt");

/// What a diagnostic says of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sema) struct Lacking {
    pub(in crate::sema) code: Code,
    /// Follows the name in the message.
    pub(in crate::sema) phrase: &'static str,
    /// What programs write instead.
    pub(in crate::sema) instead: Option<&'static str>,
    /// nvcc declares a function of the name at file scope.
    pub(in crate::sema) is_declared: bool,
    /// Of a rule for all names that begin so, how: the rest may be misspelt.
    pub(in crate::sema) prefix: Option<&'static str>,
}

/// The table, read once: programs may use undeclared names by the thousand.
static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let mut rules = Rules::default();
    for (pattern, lacking) in entries() {
        match pattern.strip_suffix('*') {
            Some(prefix) => rules.of_prefix.push((prefix, Lacking { prefix: Some(prefix), ..lacking })),
            None => drop(rules.of_name.insert(pattern, lacking)),
        }
    }
    // The longest prefix that matches is the one that counts.
    rules.of_prefix.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
    rules
});

#[derive(Debug, Default)]
struct Rules {
    of_name: HashMap<&'static str, Lacking>,
    of_prefix: Vec<(&'static str, Lacking)>,
}

/// What there is to say of the name, if a rule is about it.
pub(in crate::sema) fn find(name: &str) -> Option<Lacking> {
    let by_prefix = || RULES.of_prefix.iter().find(|(prefix, _)| begins_with(name, prefix));
    let exact = RULES.of_name.get(name).copied();
    exact.or_else(|| by_prefix().map(|&(_, lacking)| lacking)).or_else(|| of_long_double(name))
}

/// Whether the name begins with the prefix, which may end in `[A-Z]`.
fn begins_with(name: &str, prefix: &str) -> bool {
    match prefix.strip_suffix("[A-Z]") {
        Some(prefix) => {
            name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
        }
        None => name.starts_with(prefix),
    }
}

/// The form for `long double` of a function that is known, such as `sinl`.
fn of_long_double(name: &str) -> Option<Lacking> {
    let stem = name.strip_suffix('l')?;
    let is_function = builtin::named(stem).next().is_some()
        || known_function::is_known(stem)
        || host_function::is_host(stem)
        || RULES.of_name.contains_key(format!("{stem}f").as_str());
    is_function.then_some(Lacking {
        code: Code::UnsupportedBuiltin,
        phrase: "takes a `long double`, which Weft does not support in mathematical functions",
        instead: None,
        is_declared: false,
        prefix: None,
    })
}

/// The patterns of the table, each with what it says.
fn entries() -> impl Iterator<Item = (&'static str, Lacking)> {
    let mut section = None;
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.flat_map(move |line| {
        if let Some((kind, phrase)) = line.strip_prefix('[').and_then(|head| head.split_once("] ")) {
            let code = if kind == "host" { Code::UnsupportedHostCode } else { Code::UnsupportedBuiltin };
            let is_declared = kind == "declared";
            section = Some(Lacking { code, phrase, instead: None, is_declared, prefix: None });
            return Vec::new();
        }
        let Some(section) = section else { return Vec::new() };
        let (names, instead) = match line.find('`') {
            Some(at) => (&line[..at], Some(&line[at..])),
            None => (line, None),
        };
        names.split_whitespace().map(|name| (name, Lacking { instead, ..section })).collect()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn lists_each_pattern_once_and_no_known_name() {
        let mut seen = BTreeSet::new();
        for (name, _) in entries() {
            assert!(seen.insert(name), "{name} is listed twice");
            let is_known = builtin::named(name).next().is_some()
                || known_function::is_known(name)
                || host_function::is_host(name);
            assert!(!is_known, "{name} is in another table");
        }
        assert!(seen.len() > 200, "{}", seen.len());
    }

    #[test]
    fn the_longest_match_counts() {
        let instead = |name| find(name).and_then(|lacking| lacking.instead);
        assert_eq!(instead("__nv_ldg_c2_impl"), Some("`__ldg`"));
        assert_eq!(instead("__nvvm_add_rn_f"), Some("`__fadd_rn`"));
        assert_eq!(instead("__nvvm_add_rn_f2"), Some("`add.rn.f32x2` in inline PTX"));
        assert_eq!(instead("__builtin_saddll_overflow"), Some("`__builtin_add_overflow`"));
        assert!(find("__builtin_ia32_pause").is_some_and(|lacking| lacking.phrase.contains("processor")));
    }

    #[test]
    fn rules_are_about_families_of_names() {
        let code = |name| find(name).map(|lacking| lacking.code);
        assert_eq!(code("cudaMemPool_t"), Some(Code::UnsupportedHostCode));
        assert_eq!(code("cudaarray"), None);
        assert_eq!(code("sinl"), Some(Code::UnsupportedBuiltin));
        assert_eq!(code("own"), None);
        assert_eq!(code("model"), None);
    }
}
