//! Names that nvcc knows without a declaration and the language has not: `lacking.txt`, in which each has its reason. It is read where
//! something names what nobody declares, and nowhere else.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::diag::Code;

const TABLE: &str = include_str!("lacking.txt");

/// What is to be said of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lacking {
    pub(super) code: Code,
    /// Stands behind the name.
    pub(super) phrase: &'static str,
    /// What programs write instead.
    pub(super) instead: Option<&'static str>,
    /// nvcc declares a function of the name at file scope.
    pub(super) is_declared: bool,
}

/// The table, where programs name what nobody declares by the thousand.
static ENTRIES: LazyLock<Entries> = LazyLock::new(|| {
    let mut found = Entries::default();
    for (entry, lacking) in entries() {
        match entry.strip_suffix('*') {
            Some(prefix) => found.of_prefix.push((prefix, lacking)),
            None => drop(found.of_name.insert(entry, lacking)),
        }
    }
    found
});

#[derive(Debug, Default)]
struct Entries {
    of_name: HashMap<&'static str, Lacking>,
    of_prefix: Vec<(&'static str, Lacking)>,
}

/// The name's entry, if it is one of these.
pub(super) fn find(name: &str) -> Option<Lacking> {
    let of_prefix = || ENTRIES.of_prefix.iter().find(|(prefix, _)| name.starts_with(prefix));
    ENTRIES.of_name.get(name).or_else(|| of_prefix().map(|(_, lacking)| lacking)).copied()
}

fn entries() -> impl Iterator<Item = (&'static str, Lacking)> {
    let mut section = None;
    TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(move |line| {
        if let Some((code, phrase)) = line.strip_prefix('[').and_then(|head| head.split_once("] ")) {
            let is_declared = code == "declared";
            let code = if code == "host" { Code::UnsupportedHostCode } else { Code::UnsupportedBuiltin };
            section = Some((code, phrase, is_declared));
            return None;
        }
        let (code, phrase, is_declared) = section?;
        let (name, instead) = line.split_once(' ').map_or((line, None), |(name, it)| (name, Some(it)));
        Some((name, Lacking { code, phrase, instead, is_declared }))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{builtin, host_function, known_function};
    use super::*;

    #[test]
    fn each_name_is_there_once_and_nowhere_else() {
        let mut seen = BTreeSet::new();
        for (name, _) in entries() {
            assert!(seen.insert(name), "{name} is there twice");
            let is_elsewhere = builtin::named(name).next().is_some()
                || known_function::is_known(name)
                || host_function::is_host(name);
            assert!(!is_elsewhere, "{name} is known otherwise");
        }
        assert!(seen.len() > 1000, "{}", seen.len());
    }

    #[test]
    fn an_entry_has_its_reason() {
        let lacking = find("__nv_ldg_c2_impl").expect("an entry");
        assert_eq!((lacking.code, lacking.instead), (Code::UnsupportedBuiltin, Some("`__ldg`")));
        assert_eq!(find("cudaMemPool_t").map(|lacking| lacking.code), Some(Code::UnsupportedHostCode));
        assert!(find("__builtin_ia32_pause").is_some_and(|lacking| lacking.phrase.contains("processor")));
        assert_eq!(find("own"), None);
    }
}
