//! Names of files in outputs: `-fdebug-prefix-map` and related options, with clang's meaning.

/// A prefix of names, and its replacement.
///
/// ```
/// # use weft_frontend::source::PrefixMap;
/// let map: PrefixMap = [("/home/me/kernels", "."), ("/home/me/kernels/old", "old")].into_iter().collect();
/// assert_eq!(map.apply("/home/me/kernels/a.cu"), "./a.cu");
/// assert_eq!(map.apply("/home/me/kernels/old/a.cu"), "old/a.cu");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrefixMap {
    /// As they were given.
    pairs: Vec<(String, String)>,
}

impl PrefixMap {
    /// The name with its beginning replaced, by the last pair that fits. Bytes are compared and not parts of paths, as in clang
    /// and gcc.
    pub fn apply(&self, name: &str) -> String {
        let replaced = self.pairs.iter().rev().find_map(|(old, new)| {
            let rest = name.strip_prefix(old.as_str())?;
            Some(format!("{new}{rest}"))
        });
        replaced.unwrap_or_else(|| name.to_owned())
    }
}

impl<T: Into<String>> FromIterator<(T, T)> for PrefixMap {
    fn from_iter<I: IntoIterator<Item = (T, T)>>(pairs: I) -> Self {
        PrefixMap { pairs: pairs.into_iter().map(|(old, new)| (old.into(), new.into())).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_matching_pair_wins() {
        let map: PrefixMap = [("sub", "A"), ("sub/x", "B"), ("su", "C")].into_iter().collect();
        assert_eq!(map.apply("sub/x/a.src"), "Cb/x/a.src");
        let map: PrefixMap = [("su", "C"), ("sub/x", "B")].into_iter().collect();
        assert_eq!(map.apply("sub/x/a.src"), "B/a.src");
        assert_eq!(map.apply("./sub/x/a.src"), "./sub/x/a.src");
        let map: PrefixMap = [("", "/root/")].into_iter().collect();
        assert_eq!(map.apply("a.src"), "/root/a.src");
        assert_eq!(PrefixMap::default().apply("a.src"), "a.src");
    }
}
