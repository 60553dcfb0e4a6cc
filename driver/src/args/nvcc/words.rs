//! Lists of values, and the words of option files and environment variables, as nvcc splits them.

/// The comma-separated parts, except for commas in brackets and quotes: `-D 'MAX(a,b)=…'` is one. `\,` is a comma within a part.
pub fn parts(list: &str) -> Vec<String> {
    let (mut parts, mut depth, mut quote) = (vec![String::new()], 0_u32, None);
    let mut chars = list.chars().peekable();
    while let Some(c) = chars.next() {
        let last = parts.last_mut().expect("invariant: never empty");
        match c {
            '\\' if chars.peek() == Some(&',') => last.extend(chars.next()),
            ',' if depth == 0 && quote.is_none() => parts.push(String::new()),
            _ => {
                match c {
                    '"' | '\'' if quote.is_none() => quote = Some(c),
                    _ if quote == Some(c) => quote = None,
                    '(' | '[' | '{' if quote.is_none() => depth += 1,
                    ')' | ']' | '}' if quote.is_none() => depth = depth.saturating_sub(1),
                    _ => {}
                }
                last.push(c);
            }
        }
    }
    parts
}

/// The words that a shell makes of a value: nvcc runs programs through one.
pub fn for_shell(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (' ' | '\t' | '\n', None) => words.extend(word.take()),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            _ if quote == Some(c) => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The words of an option file: spaces and line ends separate them, except in double quotes, which are removed.
pub fn of_file(text: &str) -> Vec<String> {
    split(text, &[' ', '\t', '\n', '\r']).into_iter().map(|word| word.replace(['"', '\\'], "")).collect()
}

/// The words of NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS: double quotes are kept.
pub fn of_variable(text: &str) -> Vec<String> {
    split(text, &[' ', '\t'])
}

/// The words between separators that are not in double quotes; a backslash makes the next character an ordinary one.
fn split(text: &str, separators: &[char]) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            _ if !is_quoted && separators.contains(&c) => words.extend(take(&mut word)),
            '\\' => word.extend(chars.next()),
            _ => {
                is_quoted ^= c == '"';
                word.push(c);
            }
        }
    }
    words.extend(take(&mut word));
    words
}

fn take(word: &mut String) -> Option<String> {
    (!word.is_empty()).then(|| std::mem::take(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_outside_of_brackets_and_quotes() {
        assert_eq!(parts("MAX(a,b)=\"x,y\",N=','"), ["MAX(a,b)=\"x,y\"", "N=','"]);
        assert_eq!(parts("-Wl\\,-rpath,-O2"), ["-Wl,-rpath", "-O2"]);
        assert_eq!(for_shell("-fPIC -DA='x y' -DB=\"p \\\"q\""), ["-fPIC", "-DA=x y", "-DB=p \"q"]);
    }

    // Measured: the suite `nvcc_options` asks nvcc.
    #[test]
    fn files_and_variables_differ_in_quotes() {
        assert_eq!(of_file("-DA=\"b c\"\n\n-I d \"-DH=a b\""), ["-DA=b c", "-I", "d", "-DH=a b"]);
        assert_eq!(of_file("-DC=a\\ b -DK=\\\"x\\\" -DL=a\\\\b"), ["-DC=a b", "-DK=x", "-DL=ab"]);
        assert_eq!(of_variable("-DA=\"b c\" -DL=a\\\\b\t-O2"), ["-DA=\"b c\"", "-DL=a\\b", "-O2"]);
    }
}
