//! The names that a header of `include/` declares, found by how these files are written: they are our own, one
//! declaration or enumerator to a line.

/// Macros, typedefs, tags, enumerators, functions of other objects.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let macro_name = line.strip_prefix("#define ").map(word);
        let tag = ["struct ", "enum "].into_iter().find_map(|keyword| line.strip_prefix(keyword)).map(word);
        let closing = line.strip_prefix("} ").map(word);
        let alias = line.strip_prefix("typedef ").and_then(|rest| rest.strip_suffix(';'));
        let alias = alias.and_then(|rest| rest.rsplit([' ', '*']).next());
        let enumerator = line.strip_prefix("    ").filter(|rest| rest.ends_with(',')).map(word);
        let function = line.strip_prefix("extern \"C\" ").and_then(|rest| rest.split_once('('));
        let function = function.and_then(|(start, _)| start.rsplit([' ', '*']).next());
        let found = [macro_name, tag, closing, alias, enumerator, function].into_iter().flatten();
        found.filter(|name| !name.is_empty())
    })
}

/// The identifier at the beginning.
pub(crate) fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}
