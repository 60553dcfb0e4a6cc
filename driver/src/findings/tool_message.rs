//! Parses the messages of ptxas and nvlink.
//!
//! In: their standard error. Out: a [`ToolMessage`] for each message. The format is `ptxas error   : text`, or with
//! a position `ptxas FILE, line 7; error   : text`; continuation lines begin with blanks (measured with ptxas
//! and nvlink 12.0 and 13.5). Anything else is a [`Severity::Other`], so that nothing is lost.

/// The severity, in their terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// `info`, which `-v` enables.
    Info,
    /// `warning`
    Warning,
    /// `error` and `fatal`
    Error,
    /// Neither.
    Other,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolMessage {
    /// How bad it is.
    pub severity: Severity,
    /// The line of the PTX, if there is one.
    pub line: Option<usize>,
    /// The text without its prefix, with a line break between its lines.
    pub text: String,
    /// The whole message as it was printed.
    pub whole: String,
}

/// Parses all messages.
pub fn read(text: &str) -> Vec<ToolMessage> {
    let mut all: Vec<ToolMessage> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match (message(line), all.last_mut()) {
            (Some(message), _) => all.push(message),
            (None, Some(last)) if line.starts_with(' ') => {
                last.text.push('\n');
                last.text.push_str(line.trim());
                last.whole.push('\n');
                last.whole.push_str(line);
            }
            (None, _) => {
                let (text, whole) = (line.trim().to_owned(), line.to_owned());
                all.push(ToolMessage { severity: Severity::Other, line: None, text, whole });
            }
        }
    }
    all
}

/// The first line of a message.
fn message(line: &str) -> Option<ToolMessage> {
    let rest = line.strip_prefix("ptxas ").or(line.strip_prefix("nvlink "))?;
    // The file is in the run's temporary folder: its name is that of the input.
    let (number, rest) = match rest.split_once(", line ") {
        Some((_, after)) if !is_severity(rest) => {
            let (number, rest) = after.split_once("; ")?;
            (Some(number.parse().ok()?), rest)
        }
        _ => (None, rest),
    };
    let (severity, text) = rest.split_once(':')?;
    let severity = match severity.trim() {
        "info" => Severity::Info,
        "warning" => Severity::Warning,
        "error" | "fatal" => Severity::Error,
        _ => return None,
    };
    let (text, number) = match named_line(text).filter(|_| number.is_none()) {
        Some((text, number)) => (text, Some(number)),
        None => (text.trim().to_owned(), number),
    };
    Some(ToolMessage { severity, line: number, text, whole: line.to_owned() })
}

/// `Program uses 32-bit address on line '7' which is conflicting with .address_size 64`
fn named_line(text: &str) -> Option<(String, usize)> {
    let (before, rest) = text.trim().split_once(" on line '")?;
    let (number, after) = rest.split_once('\'')?;
    Some((format!("{before}{after}"), number.parse().ok()?))
}

fn is_severity(rest: &str) -> bool {
    ["info ", "warning ", "error ", "fatal "].iter().any(|word| rest.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_messages() {
        let messages = read(
            "ptxas info    : Function properties for k\n    8 bytes stack frame, 0 bytes spill stores\n\
             ptxas /tmp/a, line b; x.ptx, line 26; error   : Not a name: 'frob'\n\
             ptxas a.ptx, line 7; fatal   : Parsing error near 'ret': syntax error\n\
             ptxas warning : Program uses 32-bit address on line '8' which is odd\n\
             ptxas warning : , line 3; of nothing\n\nSegmentation fault\n\
             nvlink error   : Undefined reference to 'f' in 'a.o'\n",
        );
        let shown: Vec<_> = messages.iter().map(|it| (it.severity, it.line, it.text.as_str())).collect();
        assert_eq!(
            shown,
            [
                (
                    Severity::Info,
                    None,
                    "Function properties for k\n8 bytes stack frame, 0 bytes spill stores"
                ),
                (Severity::Other, None, "ptxas /tmp/a, line b; x.ptx, line 26; error   : Not a name: 'frob'"),
                (Severity::Error, Some(7), "Parsing error near 'ret': syntax error"),
                (Severity::Warning, Some(8), "Program uses 32-bit address which is odd"),
                (Severity::Warning, None, ", line 3; of nothing"),
                (Severity::Other, None, "Segmentation fault"),
                (Severity::Error, None, "Undefined reference to 'f' in 'a.o'"),
            ]
        );
    }
}
