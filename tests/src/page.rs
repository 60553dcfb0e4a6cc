//! A documentation page as files and shell commands.
//!
//! A fenced block whose first line has a file name after the language (```` ```cuda main.cu ````) is that
//! file. A `console` block has commands, each after `$ `, followed by their output; a command that ends in
//! `\` continues on the next line. In a `console,fails` block every command must fail, and the output
//! includes standard error. A `console,needs=cmake` block is only run if that program is installed. Other
//! blocks are only for readers.

use crate::Failure;

/// A part of a page, in the order of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A file: its name and its text.
    File(String, String),
    /// A command with its expected output.
    Command(PageCommand),
}

/// A command of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageCommand {
    /// The command line.
    pub line: String,
    /// Its whole output; empty permits any output.
    pub output: String,
    /// Whether it must fail, and `output` includes standard error.
    pub fails: bool,
    /// The program that it requires.
    pub needs: Option<String>,
}

/// Parses a page.
///
/// # Errors
///
/// An unterminated block, or output before the first command.
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
        let mut words = info.split(',');
        match info.split_once(' ') {
            Some((_, name)) => parts.push(Part::File(name.to_owned(), block.join("\n") + "\n")),
            None if words.next() == Some("console") => {
                let mut command = PageCommand::default();
                for word in words {
                    match word.split_once('=') {
                        Some(("needs", program)) => command.needs = Some(program.to_owned()),
                        None if word == "fails" => command.fails = true,
                        _ => return Err(format!("line {}: unknown word `{word}`", line_idx + 1)),
                    }
                }
                let commands = commands(&block, &command);
                parts.extend(
                    commands.ok_or_else(|| format!("line {}: output before a command", line_idx + 1))?,
                );
            }
            None => {}
        }
    }
    Ok(parts)
}

/// The commands of a block; `None` if it begins with output.
fn commands(block: &[&str], like: &PageCommand) -> Option<Vec<Part>> {
    let mut commands: Vec<PageCommand> = Vec::new();
    let mut lines = block.iter();
    while let Some(line) = lines.next() {
        if let Some(line) = line.strip_prefix("$ ") {
            let mut line = line.to_owned();
            while line.ends_with('\\') {
                line.push('\n');
                line.push_str(lines.next()?);
            }
            commands.push(PageCommand { line, ..like.clone() });
        } else {
            let command = commands.last_mut()?;
            command.output.push_str(line);
            command.output.push('\n');
        }
    }
    Some(commands.into_iter().map(Part::Command).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_files_and_commands() {
        let page = "# A\n```cuda a.src\nint x;\n\n```\n```c\nint y;\n```\ntext\n```console\n$ make\n$ ls\na\nb\n```\n";
        let command = |line: &str, output: &str| {
            Part::Command(PageCommand { line: line.into(), output: output.into(), ..PageCommand::default() })
        };
        let file = Part::File("a.src".into(), "int x;\n\n".into());
        assert_eq!(parts(page), Ok(vec![file, command("make", ""), command("ls", "a\nb\n")]));
        let page = "```console\n$ ls \\\n  -l\na\n```\n";
        assert_eq!(parts(page), Ok(vec![command("ls \\\n  -l", "a\n")]));
        assert!(parts("```console\na\n```\n").is_err());
        assert!(parts("```c\nint x;\n").is_err());
    }

    #[test]
    fn reads_the_words_of_a_block() {
        let failing = PageCommand { line: "a".into(), fails: true, ..PageCommand::default() };
        assert_eq!(parts("```console,fails\n$ a\n```\n"), Ok(vec![Part::Command(failing)]));
        let conditional =
            PageCommand { line: "a".into(), needs: Some("cmake".into()), ..PageCommand::default() };
        assert_eq!(parts("```console,needs=cmake\n$ a\n```\n"), Ok(vec![Part::Command(conditional)]));
        assert!(parts("```console,maybe\n$ a\n```\n").is_err());
    }
}
