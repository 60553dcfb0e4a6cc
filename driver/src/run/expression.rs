//! The expression at a position in a line, for a label: `tile[i][i]` in `tile[i][i] = in[idx[i]];`.
//!
//! It is found in the text, without types: prefix operators, a name or parentheses, followed by subscripts,
//! calls and members.

use std::ops::Range;

/// Words that do not begin an expression.
const KEYWORDS: [&str; 9] = ["return", "if", "for", "while", "do", "switch", "case", "else", "goto"];

/// The byte range of the expression at a column, from one; `None` if there is no expression.
pub(super) fn at(line: &str, column: u32) -> Option<Range<usize>> {
    let start = usize::try_from(column).ok()?.checked_sub(1)?;
    let bytes = line.get(start..)?.as_bytes();
    let prefix = bytes.iter().take_while(|byte| b"*&!~-+".contains(byte)).count();
    let mut end = match bytes.get(prefix)? {
        b'(' => balanced(bytes, prefix)?,
        _ => name(bytes, prefix)?,
    };
    if KEYWORDS.iter().any(|keyword| keyword.as_bytes() == &bytes[..end]) {
        return None;
    }
    loop {
        let next = match bytes[end..] {
            [b'[' | b'(', ..] => balanced(bytes, end),
            [b'.', ..] => name(bytes, end + 1),
            [b'-', b'>', ..] => name(bytes, end + 2),
            _ => None,
        };
        match next {
            Some(next) => end = next,
            None => return Some(start..start + end),
        }
    }
}

/// The expression assigned to the one in a range, which is what a read at that position reads: `b[i]` in
/// `a[i] = b[i];`. `None` if no `=` follows.
pub(super) fn assigned(line: &str, target: &Range<usize>) -> Option<Range<usize>> {
    let after = line.get(target.end..)?;
    let value = after.trim_start().strip_prefix('=').filter(|value| !value.starts_with('='))?.trim_start();
    let len = value.find(';').unwrap_or(value.len());
    let (start, len) = (line.len() - value.len(), value[..len].trim_end().len());
    (len > 0).then_some(start..start + len)
}

/// The end of a name, `ns::x` or a number.
fn name(bytes: &[u8], start: usize) -> Option<usize> {
    let is_part =
        |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte == b':' || **byte >= 0x80;
    let len = bytes.get(start..)?.iter().take_while(is_part).count();
    (len > 0).then_some(start + len)
}

/// The end of a bracketed part.
fn balanced(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (idx, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(idx + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_the_assigned_expression() {
        let found = |line: &'static str| {
            let target = super::at(line, 1)?;
            super::assigned(line, &target).map(|range| &line[range])
        };
        assert_eq!(found("ps[0] = ps[i] ; q = r;"), Some("ps[i]"));
        assert_eq!(found("ps[0]=ps[i]"), Some("ps[i]"));
        assert_eq!((found("a == b;"), found("a += b;"), found("a =;"), found("a")), (None, None, None, None));
    }

    #[test]
    fn expressions_begin_at_a_column_and_end_with_their_subscripts() {
        let found = |line: &'static str, column| super::at(line, column).map(|range| &line[range]);
        let line = "    tile[i][i] = in[idx[i]] + ps[i].b[n] + *p + (a + b)[2] + q->x(1) + é;";
        let at = |text: &str| found(line, line.find(text).expect("it is there") as u32 + 1);
        assert_eq!(at("tile"), Some("tile[i][i]"));
        assert_eq!((at("in["), at("idx")), (Some("in[idx[i]]"), Some("idx[i]")));
        assert_eq!((at("ps"), at("*p"), at("(a")), (Some("ps[i].b[n]"), Some("*p"), Some("(a + b)[2]")));
        assert_eq!((at("q->"), at("é")), (Some("q->x(1)"), Some("é")));
        assert_eq!(found("return p[i];", 1), None);
        assert_eq!((found("x", 0), found("x", 9), found("  ", 1), found("é", 2)), (None, None, None, None));
        assert_eq!(found("x[i", 1), Some("x"));
    }
}
