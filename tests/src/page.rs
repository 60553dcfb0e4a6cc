//! A page of the documentation as a program for the shell: its files and its commands.
//!
//! A fenced block whose first line names a file behind the language (```` ```cuda main.cu ````) is that file. A block of
//! `console` has commands, behind `$ `, and what they print, in the lines that follow. Other blocks are for people alone.

use crate::Failure;

/// A part of a page, in the order in which they stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A file: its name and its text.
    File(String, String),
    /// A command, and what it must print.
    Command {
        /// For the shell.
        line: String,
        /// The whole of its standard output; nothing is said where it is empty.
        output: String,
    },
}

/// Reads a page.
///
/// # Errors
/// A block without an end, and output before the first command.
pub fn parts(page: &str) -> Result<Vec<Part>, Failure> {
    let mut parts = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((line_idx, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let mut block = Vec::new();
        loop {
            match lines.next() {
                Some((_, "```")) => break,
                Some((_, line)) => block.push(line),
                None => return Err(format!("line {}: a block without an end", line_idx + 1)),
            }
        }
        match info.split_once(' ') {
            Some((_, name)) => parts.push(Part::File(name.to_owned(), block.join("\n") + "\n")),
            None if info == "console" => {
                for (idx, line) in block.iter().enumerate() {
                    match (line.strip_prefix("$ "), parts.last_mut()) {
                        (Some(line), _) => {
                            parts.push(Part::Command { line: line.to_owned(), output: String::new() });
                        }
                        (None, Some(Part::Command { output, .. })) if idx > 0 => {
                            output.push_str(line);
                            output.push('\n');
                        }
                        _ => return Err(format!("line {}: output before a command", line_idx + 1)),
                    }
                }
            }
            None => {}
        }
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_commands_are_found() {
        let page = "# A\n```cuda a.src\nint x;\n\n```\n```c\nint y;\n```\ntext\n```console\n$ make\n$ ls\na\nb\n```\n";
        let command = |line: &str, output: &str| Part::Command { line: line.into(), output: output.into() };
        let file = Part::File("a.src".into(), "int x;\n\n".into());
        assert_eq!(parts(page), Ok(vec![file, command("make", ""), command("ls", "a\nb\n")]));
        assert!(parts("```console\na\n```\n").is_err());
        assert!(parts("```c\nint x;\n").is_err());
    }
}
