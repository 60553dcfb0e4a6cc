//! One check's pattern: literal text with `{{regex}}`, `[[VAR:regex]]` and `[[VAR]]` in it.
//!
//! The regex crate has no back references. A variable that is used in the very pattern that defines
//! it is therefore a second group with the same regex, and a match counts only where both groups
//! hold the same text.

use std::collections::BTreeMap;
use std::ops::Range;

use regex::Regex;

use crate::Failure;

/// The variables that have a value.
pub(super) type Variables = BTreeMap<String, String>;

#[derive(Debug)]
enum Piece {
    Literal(String),
    Regex(String),
    Define { name: String, regex: String },
    Use(String),
}

/// A parsed pattern; its regexes have been compiled once, so that they are known to be well formed.
#[derive(Debug)]
pub(super) struct Pattern {
    pieces: Vec<Piece>,
}

/// Where a pattern matched, and what it defines.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) range: Range<usize>,
    pub(super) defined: Variables,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// An unclosed or malformed part, and what FileCheck has and this subset has not.
    pub(super) fn parse(text: &str) -> Result<Pattern, Failure> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let next = match (rest.find("{{"), rest.find("[[")) {
                (Some(a), Some(b)) => a.min(b),
                (Some(a), None) | (None, Some(a)) => a,
                (None, None) => rest.len(),
            };
            // `[[[VAR]]` is a bracket before a variable, as PTX writes its addresses.
            let next = next + usize::from(rest[next..].starts_with("[[["));
            if next > 0 {
                pieces.push(Piece::Literal(rest[..next].to_owned()));
                rest = &rest[next..];
            } else if let Some(inner) = rest.strip_prefix("{{") {
                // `}}}` closes with its last two: `{{a{2}}}` is the regex `a{2}`.
                let end = inner.find("}}").ok_or("`{{` without `}}`")?;
                let end = end + inner[end..].bytes().take_while(|&b| b == b'}').count() - 2;
                pieces.push(Piece::Regex(inner[..end].to_owned()));
                rest = &inner[end + 2..];
            } else {
                let inner = &rest["[[".len()..];
                let end = close_of_variable(inner).ok_or("`[[` without `]]`")?;
                pieces.push(variable(&inner[..end])?);
                rest = &inner[end + 2..];
            }
        }
        for piece in &pieces {
            if let Piece::Regex(regex) | Piece::Define { regex, .. } = piece {
                Regex::new(regex).map_err(|e| e.to_string())?;
            }
        }
        Ok(Pattern { pieces })
    }

    /// Whether it defines or uses a variable.
    pub(super) fn has_variables(&self) -> bool {
        self.pieces.iter().any(|p| matches!(p, Piece::Define { .. } | Piece::Use(_)))
    }

    /// The variables that it uses and that have no value.
    pub(super) fn undefined<'p>(&'p self, variables: &Variables) -> Vec<&'p str> {
        let mut own = Vec::new();
        let mut undefined = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(_) | Piece::Regex(_) => {}
                Piece::Define { name, .. } => own.push(name.as_str()),
                Piece::Use(name) => {
                    if !own.contains(&name.as_str()) && !variables.contains_key(name) {
                        undefined.push(name.as_str());
                    }
                }
            }
        }
        undefined
    }

    /// The first match within `range` of `text`.
    pub(super) fn find(&self, text: &str, range: Range<usize>, variables: &Variables) -> Option<Found> {
        let (regex, groups) = self.compile(variables);
        let mut from = range.start;
        loop {
            // The haystack ends with the range, so that a match cannot reach across its end; `^`
            // still sees what stands before it.
            let captures = regex.captures_at(&text[..range.end], from)?;
            let whole = captures.get(0)?;
            let mut defined = Variables::new();
            let holds = groups.iter().enumerate().all(|(idx, name)| {
                let value = captures.get(idx + 1).map_or("", |m| m.as_str());
                defined.entry(name.clone()).or_insert_with(|| value.to_owned()) == value
            });
            if holds {
                return Some(Found { range: whole.range(), defined });
            }
            from = whole.start() + text[whole.start()..].chars().next().map_or(1, char::len_utf8);
            if from > range.end {
                return None;
            }
        }
    }

    /// The regex under the given values, and the variable of each of its groups.
    fn compile(&self, variables: &Variables) -> (Regex, Vec<String>) {
        let mut source = String::from("(?m)");
        let mut groups: Vec<String> = Vec::new();
        let mut own: BTreeMap<&str, &str> = BTreeMap::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => source.push_str(&literal(text)),
                Piece::Regex(regex) => source.push_str(&format!("(?:{})", without_groups(regex))),
                Piece::Define { name, regex } => {
                    source.push_str(&format!("({})", without_groups(regex)));
                    groups.push(name.clone());
                    own.insert(name, regex);
                }
                Piece::Use(name) => match (own.get(name.as_str()), variables.get(name)) {
                    (Some(regex), _) => {
                        source.push_str(&format!("({})", without_groups(regex)));
                        groups.push(name.clone());
                    }
                    (None, value) => source.push_str(&regex::escape(value.map_or("", String::as_str))),
                },
            }
        }
        let regex = Regex::new(&source).expect("invariant: each part compiled when it was parsed");
        (regex, groups)
    }
}

/// Where the `]]` stands that closes a variable: not one within a character class of its regex.
fn close_of_variable(inner: &str) -> Option<usize> {
    let mut depth = 0usize;
    let bytes = inner.as_bytes();
    let mut idx = 0;
    while idx < bytes.len() {
        match bytes[idx] {
            b'\\' => idx += 1,
            b'[' => depth += 1,
            b']' if depth == 0 => return (bytes.get(idx + 1) == Some(&b']')).then_some(idx),
            b']' => depth -= 1,
            _ => {}
        }
        idx += 1;
    }
    None
}

/// What stands between `[[` and `]]`.
fn variable(inner: &str) -> Result<Piece, Failure> {
    let (name, regex) = match inner.split_once(':') {
        Some((name, regex)) => (name, Some(regex)),
        None => (inner, None),
    };
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(format!("`[[{inner}]]`: `{name}` is no name of a variable"));
    }
    Ok(match regex {
        Some("") => return Err(format!("`[[{inner}]]` has no regex")),
        Some(regex) => Piece::Define { name: name.to_owned(), regex: regex.to_owned() },
        None => Piece::Use(name.to_owned()),
    })
}

/// Literal text as a regex: runs of blanks match runs of blanks.
fn literal(text: &str) -> String {
    let mut source = String::new();
    let mut in_blanks = false;
    for c in text.chars() {
        let blank = c == ' ' || c == '\t';
        if blank && !in_blanks {
            source.push_str(r"[ \t]+");
        } else if !blank {
            source.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
        }
        in_blanks = blank;
    }
    source
}

/// The regex with its groups made non-capturing, so that the groups that count are ours.
fn without_groups(regex: &str) -> String {
    let mut out = String::new();
    let mut chars = regex.chars().peekable();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        out.push(c);
        match c {
            '\\' => out.extend(chars.next()),
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class && chars.peek() != Some(&'?') => out.push_str("?:"),
            _ => {}
        }
    }
    out
}
