//! From the text of a test to its checks.

use std::sync::LazyLock;

use regex::Regex;

use super::Prefixes;
use super::pattern::Pattern;
use crate::Failure;

/// What a check asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckKind {
    /// `CHECK`: somewhere behind the check before.
    Plain,
    /// `CHECK-NEXT`: on the line behind the check before.
    Next,
    /// `CHECK-SAME`: on the line of the check before.
    Same,
    /// `CHECK-EMPTY`: the next line is empty.
    Empty,
    /// `CHECK-NOT`: nowhere between the check before and the one behind.
    Not,
    /// `CHECK-DAG`: in any order with its neighbours of the kind.
    Dag,
    /// `CHECK-LABEL`: divides the output; what stands between two labels is checked there only.
    Label,
    /// `CHECK-COUNT-n`: this many times.
    Count(usize),
}

/// One CHECK line.
#[derive(Debug)]
pub struct Check {
    /// What it asks for.
    pub kind: CheckKind,
    /// Where it stands in the test, from 1.
    pub line: usize,
    /// The line as written, for messages.
    pub text: String,
    pub(super) pattern: Pattern,
}

/// The checks of a test under its active prefixes, in order; never empty.
#[derive(Debug)]
pub struct Checks {
    pub(super) checks: Vec<Check>,
}

impl Checks {
    /// Reads the lines that bear an active prefix.
    ///
    /// # Errors
    /// A line that is nearly a check: an unknown suffix, a suffix under a prefix that no run has,
    /// an empty or malformed pattern, a check behind code. A test without a check.
    pub fn parse(test: &str, prefixes: &Prefixes) -> Result<Checks, Failure> {
        let mut checks = Vec::new();
        for (line_idx, text) in test.lines().enumerate() {
            let line = line_idx + 1;
            let located = |e: String| format!("line {line}: {e}\n    {}", text.trim());
            let Some((kind, pattern)) = split_line(text, prefixes).map_err(located)? else {
                continue;
            };
            let pattern = if kind == CheckKind::Empty { "{{^$}}" } else { pattern };
            let pattern = Pattern::parse(pattern).map_err(located)?;
            if kind == CheckKind::Label && pattern.has_variables() {
                return Err(located("a label is found before any variable has a value".into()));
            }
            checks.push(Check { kind, line, text: text.trim().to_owned(), pattern });
        }
        match checks.first() {
            None => Err(format!("no line bears a check under {}", prefixes.active.join(" or "))),
            Some(Check { kind: CheckKind::Next | CheckKind::Same | CheckKind::Empty, line, .. }) => {
                Err(format!("line {line}: the first check has none before it to be next to"))
            }
            Some(_) => Ok(Checks { checks }),
        }
    }
}

/// The kind and the pattern of a line, when it is a check under an active prefix.
fn split_line<'t>(text: &'t str, prefixes: &Prefixes) -> Result<Option<(CheckKind, &'t str)>, Failure> {
    static CHECK: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"//\s*([A-Za-z][A-Za-z0-9_]*)((?:-[A-Za-z0-9]+)*):(.*)$")
            .expect("invariant: a constant pattern compiles")
    });
    let Some(parts) = CHECK.captures(text) else { return Ok(None) };
    let part = |idx: usize| parts.get(idx).map_or("", |m| m.as_str());
    let (prefix, suffix) = (part(1), part(2).strip_prefix('-').unwrap_or(""));
    let has = |list: &[String]| list.iter().any(|p| p == prefix);
    let kind = kind_of_suffix(suffix);
    if !has(&prefixes.active) {
        let nearly = prefix == prefix.to_uppercase() && !suffix.is_empty() && kind.is_some();
        return if nearly && !has(&prefixes.others) {
            Err(format!("no revision has the prefix `{prefix}`"))
        } else {
            Ok(None)
        };
    }
    if parts.get(0).is_some_and(|m| !text[..m.start()].trim().is_empty()) {
        return Err("a check stands alone on its line".into());
    }
    let kind = kind.ok_or_else(|| format!("no check has the suffix `-{suffix}`"))?;
    let pattern = part(3).trim();
    match (pattern.is_empty(), kind) {
        (true, CheckKind::Empty) => Ok(Some((kind, pattern))),
        (false, CheckKind::Empty) => Err("CHECK-EMPTY takes no pattern".into()),
        (true, _) => Err("the check has no pattern".into()),
        (false, _) => Ok(Some((kind, pattern))),
    }
}

fn kind_of_suffix(suffix: &str) -> Option<CheckKind> {
    Some(match suffix {
        "" => CheckKind::Plain,
        "NEXT" => CheckKind::Next,
        "SAME" => CheckKind::Same,
        "EMPTY" => CheckKind::Empty,
        "NOT" => CheckKind::Not,
        "DAG" => CheckKind::Dag,
        "LABEL" => CheckKind::Label,
        _ => match suffix.strip_prefix("COUNT-")?.parse() {
            Ok(n) if n > 0 => CheckKind::Count(n),
            Ok(_) | Err(_) => return None,
        },
    })
}
