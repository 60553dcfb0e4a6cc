//! Extracts the `asm` statements of a header: from all branches of its conditions, with its own macros
//! expanded.
//!
//! Included headers are not read: a statement in a macro is found where the same header uses it.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use super::{Operand, Statement};
use crate::Failure;
use crate::tools::{Tool, Tools};

/// A statement, or why it is skipped and its beginning.
pub type Found = Result<Statement, (&'static str, String)>;

/// The statements of a header, with the macros of an associated header.
///
/// # Errors
///
/// If the host's preprocessor cannot be run or rejects it.
pub fn statements(tools: &Tools, header: &str, with: &str) -> Result<Vec<Found>, Failure> {
    let macros = without_conditions(with, true);
    let expanded = expanded(tools.tool(Tool::Gxx)?, &(macros + &without_conditions(header, false)))?;
    let tokens = tokens(&expanded);
    let is_asm = |token: &Token| matches!(token, Token::Word("asm" | "__asm__" | "__asm"));
    let starts = (0..tokens.len()).filter(|&at| is_asm(&tokens[at]));
    Ok(starts.map(|at| statement(&tokens[at + 1..])).collect())
}

/// The text, or only its macros, without directives except `#define` and `#undef`; of several definitions of
/// a macro the first.
fn without_conditions(header: &str, are_macros_alone: bool) -> String {
    let mut text = String::with_capacity(header.len());
    let mut defined: BTreeSet<String> = BTreeSet::new();
    let mut lines = header.lines();
    while let Some(line) = lines.next() {
        let mut whole = format!("{line}\n");
        let Some(directive) = line.trim_start().strip_prefix('#') else {
            if !are_macros_alone {
                text.push_str(&whole);
            }
            continue;
        };
        while whole.trim_end().ends_with('\\') {
            let Some(next) = lines.next() else { break };
            whole.push_str(next);
            whole.push('\n');
        }
        let name = |rest: &str| -> String {
            rest.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
        };
        let directive = directive.trim_start();
        if let Some(rest) = directive.strip_prefix("define ") {
            if defined.insert(name(rest)) {
                text.push_str(&whole);
            }
        } else if let Some(rest) = directive.strip_prefix("undef ")
            && !are_macros_alone
        {
            defined.remove(&name(rest));
            text.push_str(&whole);
        }
    }
    text
}

fn expanded(mut gxx: Command, text: &str) -> Result<String, Failure> {
    gxx.args(["-E", "-P", "-w", "-x", "c++", "-"]);
    gxx.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = gxx.spawn().map_err(|e| e.to_string())?;
    let mut stdin = child.stdin.take().ok_or("no input")?;
    let text = text.to_owned();
    // The preprocessor may write before it has read everything.
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    writer.join().map_err(|_| "the writer died")?.map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'t> {
    Word(&'t str),
    Text(String),
    Other(char),
}

fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if let Some((text, after)) = raw_text(rest) {
            tokens.push(Token::Text(text.to_owned()));
            rest = after;
        } else if is_word(c) {
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(Token::Word(&rest[..len]));
            rest = &rest[len..];
        } else if c == '"' || c == '\'' {
            let (text, after) = quoted(&rest[1..], c);
            tokens.push(if c == '"' { Token::Text(text) } else { Token::Other(c) });
            rest = after;
        } else {
            if !c.is_whitespace() {
                tokens.push(Token::Other(c));
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    tokens
}

/// `R"mark(text)mark"` and what follows it.
fn raw_text(source: &str) -> Option<(&str, &str)> {
    let (mark, inside) = source.strip_prefix("R\"")?.split_once('(')?;
    inside.split_once(&format!("){mark}\""))
}

/// The content of a literal, and what follows it.
fn quoted(source: &str, end: char) -> (String, &str) {
    let mut text = String::new();
    let mut chars = source.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, 't')) => text.push('\t'),
                Some((_, other)) => text.push(other),
                None => {}
            },
            _ if c == end => return (text, &source[at + 1..]),
            _ => text.push(c),
        }
    }
    (text, "")
}

/// Parses what follows `asm`.
fn statement(tokens: &[Token<'_>]) -> Found {
    let n_words = tokens.iter().take_while(|token| matches!(token, Token::Word(_))).count();
    let Some((Token::Other('('), inside)) = tokens[n_words..].split_first() else {
        return Err(("no statement", format!("{:?}", &tokens[..tokens.len().min(3)])));
    };
    let len = closing(inside);
    let inside = &inside[..len];
    let parts = split(inside, ':');
    let Some(text) = joined(parts[0]) else {
        return Err((
            "a text that another header's macro has a part in",
            format!("{:?}", &parts[0][..parts[0].len().min(4)]),
        ));
    };
    let (mut operands, mut n_outputs) = (Vec::new(), 0);
    for (idx, part) in parts.iter().enumerate().skip(1).take(2) {
        for one in split(part, ',').into_iter().filter(|one| !one.is_empty()) {
            let Some(operand) = operand(one) else {
                return Err(("a constraint that another header's macro has, or none of a register", text));
            };
            operands.push(operand);
            n_outputs += usize::from(idx == 1);
        }
    }
    if text.matches('{').count() != text.matches('}').count() {
        return Err(("a block that other statements share", text));
    }
    Ok(Statement { text, operands, n_outputs })
}

/// The number of tokens before the closing parenthesis.
fn closing(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Other('(' | '[' | '{') => depth += 1,
            Token::Other(')' | ']' | '}') if depth == 0 => return at,
            Token::Other(')' | ']' | '}') => depth -= 1,
            Token::Word(_) | Token::Text(_) | Token::Other(_) => {}
        }
    }
    tokens.len()
}

/// Splits tokens at separators outside of brackets; `::` is two colons, like for the compiler.
fn split<'a, 't>(tokens: &'a [Token<'t>], separator: char) -> Vec<&'a [Token<'t>]> {
    let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
    while at < tokens.len() {
        match &tokens[at] {
            Token::Other('(' | '[' | '{') => at += 1 + closing(&tokens[at + 1..]),
            Token::Other(c) if *c == separator => {
                parts.push(&tokens[from..at]);
                from = at + 1;
            }
            Token::Word(_) | Token::Text(_) | Token::Other(_) => {}
        }
        at += 1;
    }
    parts.push(&tokens[from.min(tokens.len())..]);
    parts
}

/// Joins adjacent literals; `None` if there is anything between them.
fn joined(tokens: &[Token<'_>]) -> Option<String> {
    let text = |token: &Token<'_>| match token {
        Token::Text(text) => Some(text.clone()),
        Token::Word(_) | Token::Other(_) => None,
    };
    tokens.iter().map(text).collect()
}

/// `[name] "=r" (value)`.
fn operand(tokens: &[Token<'_>]) -> Option<Operand> {
    let (name, tokens) = match tokens {
        [Token::Other('['), Token::Word(name), Token::Other(']'), rest @ ..] => {
            (Some((*name).to_owned()), rest)
        }
        _ => (None, tokens),
    };
    let (Token::Text(constraint), value) = tokens.split_first()? else { return None };
    let letter = constraint.chars().last().filter(|letter| "hrlfdqn".contains(*letter))?;
    let modes = &constraint[..constraint.len() - 1];
    let number = match value {
        [Token::Other('('), Token::Word(word), Token::Other(')')] => word.parse().ok(),
        _ => None,
    };
    modes.chars().all(|mode| "=+&".contains(mode)).then(|| Operand {
        modes: modes.to_owned(),
        letter,
        name,
        number,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Found {
        let tokens = tokens(source);
        statement(&tokens[1..])
    }

    #[test]
    fn statements_are_read() {
        let found = of(r#"asm volatile("a\t" R"X(b
)X" : [o] "=r"(f(x, y)), "+l"(::z) : "n"(16), "r"(a ? b : c) : "memory");"#);
        let found = found.expect("a statement");
        assert_eq!((found.text.as_str(), found.n_outputs), ("a\tb\n", 2));
        let shown: Vec<String> =
            found.operands.iter().map(|it| format!("{}{}", it.modes, it.letter)).collect();
        assert_eq!(shown, ["=r", "+l", "n", "r"]);
        assert_eq!((found.operands[2].number, found.operands[0].name.as_deref()), (Some(16), Some("o")));
        assert_eq!(of(r#"asm("x;" ::: "memory");"#).map(|it| it.operands.len()), Ok(0));
        assert!(of(r#"asm("x" SCOPE ";");"#).is_err() && of("asm is a word").is_err());
    }

    #[test]
    fn groups_branches() {
        let header =
            "#if A \\\n B\n#define X 1\nx\n#else\n# define X 2\ny\n#endif\n#undef X\n#define X \\\n 3\n";
        assert_eq!(without_conditions(header, false), "#define X 1\nx\ny\n#undef X\n#define X \\\n 3\n");
    }
}
