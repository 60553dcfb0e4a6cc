//! `//@ key: value` lines: the settings of a test.
//!
//! They are at the top of the file, preceded only by blank lines and other comments.
//! `//@[O3] key: value` applies only to the revision O3. An unknown key, a duplicate key, an invalid value,
//! and a directive after the first line of code are errors: ignoring a directive could make a test
//! that checks nothing.

use crate::Failure;
use crate::tools::Tool;

/// The directives of a file.
#[derive(Debug)]
pub struct Directives {
    revisions: Vec<String>,
    entries: Vec<Entry>,
}

/// The settings of one revision of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The revision; `None` in a file without revisions.
    pub revision: Option<String>,
    /// Options for `weftc`, the revision's own first.
    pub args: Vec<String>,
    /// The GPU, for `weftc`, nvcc and ptxas.
    pub arch: String,
    /// The text to check, instead of the default of the folder's kind.
    pub emit: Option<Emit>,
    /// Tools without which the test is skipped, besides those of its kind.
    pub needs: Vec<Tool>,
    /// The exit status of `weftc`, if the annotations do not determine it.
    pub exit: Option<i32>,
    /// The expected answer of nvcc, if it is not that of the kind.
    pub nvcc: Option<Oracle>,
    /// The expected answer of ptxas about the output.
    pub ptxas: Option<Oracle>,
}

/// An output of `weftc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// Preprocessing tokens.
    Tokens,
    /// The syntax tree.
    Ast,
    /// The typed program.
    Ir,
    /// LLVM IR.
    LlvmIr,
    /// PTX.
    Ptx,
}

impl Emit {
    /// The value of `--emit`.
    pub fn name(self) -> &'static str {
        match self {
            Emit::Tokens => "tokens",
            Emit::Ast => "ast",
            Emit::Ir => "ir",
            Emit::LlvmIr => "llvm-ir",
            Emit::Ptx => "ptx",
        }
    }
}

/// The size of addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Machine {
    /// `-m64`
    #[default]
    Bits64,
    /// `-m32`
    Bits32,
}

impl Machine {
    /// The ptxas that accepts such PTX.
    pub fn ptxas(self) -> Tool {
        match self {
            Machine::Bits64 => Tool::Ptxas,
            Machine::Bits32 => Tool::NarrowPtxas,
        }
    }
}

/// The expected answer of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// It accepts the input.
    Accepts,
    /// It rejects the input.
    Rejects,
    /// It is not asked, for the reason in the directive.
    Unchecked,
}

/// Handles a directive of a test kind, given its line, key and value; returns whether the key is known.
pub type OwnDirective<'a> = dyn FnMut(usize, &str, &str) -> Result<bool, Failure> + 'a;

/// The default GPU of tests: the lowest that current ptxas supports.
pub const DEFAULT_ARCH: &str = "sm_75";

#[derive(Debug)]
struct Entry {
    line: usize,
    revision: Option<String>,
    key: Key,
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Args,
    Arch,
    Emit,
    Needs,
    Exit,
    Nvcc,
    Ptxas,
}

const KEYS: [(&str, Key); 7] = [
    ("args", Key::Args),
    ("arch", Key::Arch),
    ("emit", Key::Emit),
    ("needs", Key::Needs),
    ("exit", Key::Exit),
    ("nvcc", Key::Nvcc),
    ("ptxas", Key::Ptxas),
];

impl Directives {
    /// Parses the directives of a test.
    ///
    /// # Errors
    ///
    /// The first invalid line.
    pub fn parse(text: &str) -> Result<Directives, Failure> {
        Directives::parse_with(text, &mut |_, _, _| Ok(false))
    }

    /// The same for a kind of test with its own directives, which apply to all revisions. `own` gets the
    /// line, the key and the value of each, and returns whether the key is one of them.
    ///
    /// # Errors
    ///
    /// The first invalid line.
    pub fn parse_with(text: &str, own: &mut OwnDirective<'_>) -> Result<Directives, Failure> {
        let mut directives = Directives { revisions: Vec::new(), entries: Vec::new() };
        let mut code_line = None;
        for (line_idx, text) in text.lines().enumerate() {
            let line = line_idx + 1;
            let text = text.trim();
            if let Some(directive) = text.strip_prefix("//@") {
                if let Some(code_line) = code_line {
                    return Err(format!(
                        "line {line}: a directive must precede the code, which begins on line {code_line}"
                    ));
                }
                directives.line(line, directive, own).map_err(|e| format!("line {line}: {e}\n    {text}"))?;
            } else if !text.is_empty() && !text.starts_with("//") {
                code_line = code_line.or(Some(line));
            }
        }
        directives.all_settings()?;
        Ok(directives)
    }

    /// The revisions; one `None` if there are none.
    pub fn revisions(&self) -> Vec<Option<&str>> {
        match self.revisions.as_slice() {
            [] => vec![None],
            names => names.iter().map(|name| Some(name.as_str())).collect(),
        }
    }

    /// The settings of each revision.
    ///
    /// # Errors
    ///
    /// An invalid value.
    pub fn all_settings(&self) -> Result<Vec<Settings>, Failure> {
        self.revisions().into_iter().map(|revision| self.settings(revision)).collect()
    }

    /// The settings of a revision.
    ///
    /// # Errors
    ///
    /// An invalid value.
    pub fn settings(&self, revision: Option<&str>) -> Result<Settings, Failure> {
        let mut settings = Settings {
            revision: revision.map(str::to_owned),
            args: Vec::new(),
            arch: DEFAULT_ARCH.to_owned(),
            emit: None,
            needs: Vec::new(),
            exit: None,
            nvcc: None,
            ptxas: None,
        };
        match revision {
            Some(level @ ("O0" | "O1" | "O2" | "O3")) => settings.args.push(format!("-{level}")),
            Some(machine @ ("m32" | "m64")) => settings.args.push(format!("-{machine}")),
            Some(arch) if arch.starts_with("sm_") => arch.clone_into(&mut settings.arch),
            Some(_) | None => {}
        }
        for entry in &self.entries {
            if entry.revision.is_none() || entry.revision.as_deref() == revision {
                settings.take(entry.key, &entry.value).map_err(|e| format!("line {}: {e}", entry.line))?;
            }
        }
        Ok(settings)
    }

    fn line(&mut self, line: usize, directive: &str, own: &mut OwnDirective<'_>) -> Result<(), Failure> {
        let (revision, directive) = match directive.strip_prefix('[') {
            Some(rest) => {
                let (name, rest) = rest.split_once(']').ok_or("`[` without `]`")?;
                if !self.revisions.iter().any(|known| known == name) {
                    return Err(format!("no revision is called `{name}`; `//@ revisions:` comes first"));
                }
                (Some(name.to_owned()), rest)
            }
            None => (None, directive),
        };
        let (key, value) = directive.split_once(':').ok_or("a directive is `//@ key: value`")?;
        let (key, value) = (key.trim(), value.trim());
        if value.is_empty() {
            return Err(format!("`{key}` has no value"));
        }
        if key == "revisions" {
            return self.take_revisions(revision.as_deref(), value);
        }
        if own(line, key, value)? {
            return if revision.is_none() { Ok(()) } else { Err(format!("`{key}` is for all revisions")) };
        }
        let known = KEYS.iter().find(|(name, _)| *name == key);
        let (_, key) = *known.ok_or_else(|| format!("no directive is called `{key}`"))?;
        if self.entries.iter().any(|e| e.key == key && (e.revision == revision)) && key != Key::Args {
            return Err("the directive stands twice".into());
        }
        self.entries.push(Entry { line, revision, key, value: value.to_owned() });
        Ok(())
    }

    fn take_revisions(&mut self, of: Option<&str>, value: &str) -> Result<(), Failure> {
        if of.is_some() || !self.revisions.is_empty() {
            return Err("`revisions` stands once, for the whole file".into());
        }
        for name in value.split_whitespace() {
            let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !is_name || name.eq_ignore_ascii_case("check") || self.revisions.iter().any(|r| r == name) {
                return Err(format!("`{name}` cannot be the name of a further revision"));
            }
            self.revisions.push(name.to_owned());
        }
        Ok(())
    }
}

impl Settings {
    /// The address size that the last of the options selects.
    pub fn machine(&self) -> Machine {
        let said = self.args.iter().rev().find(|arg| matches!(arg.as_str(), "-m32" | "-m64"));
        if said.is_some_and(|arg| arg == "-m32") { Machine::Bits32 } else { Machine::Bits64 }
    }

    /// Those of the options that nvcc needs as well: they are spelled alike, and decide what is accepted.
    pub fn options_of_both(&self) -> Vec<&str> {
        let is_of_both = |arg: &&str| *arg == "--expt-relaxed-constexpr" || arg.starts_with("-I");
        self.args.iter().map(String::as_str).filter(is_of_both).collect()
    }

    /// The instances of templates that the options ask for: `--instantiate=k<float,4>`.
    pub fn instances(&self) -> Vec<&str> {
        self.args.iter().filter_map(|arg| arg.strip_prefix("--instantiate=")).collect()
    }

    fn take(&mut self, key: Key, value: &str) -> Result<(), Failure> {
        match key {
            Key::Args => self.args.extend(value.split_whitespace().map(str::to_owned)),
            Key::Arch => value.clone_into(&mut self.arch),
            Key::Emit => self.emit = Some(emit(value)?),
            Key::Needs => {
                for name in value.split_whitespace() {
                    self.needs
                        .push(Tool::from_name(name).ok_or_else(|| format!("no tool is called `{name}`"))?);
                }
            }
            Key::Exit => {
                self.exit = Some(value.parse().map_err(|_| format!("`{value}` is no exit status"))?);
            }
            Key::Nvcc => self.nvcc = Some(oracle(value)?),
            Key::Ptxas => self.ptxas = Some(oracle(value)?),
        }
        Ok(())
    }
}

fn emit(value: &str) -> Result<Emit, Failure> {
    [Emit::Tokens, Emit::Ast, Emit::Ir, Emit::LlvmIr, Emit::Ptx]
        .into_iter()
        .find(|emit| emit.name() == value)
        .ok_or_else(|| format!("`{value}` cannot be emitted"))
}

/// `accepts`, `rejects`, or `unchecked (reason)`.
fn oracle(value: &str) -> Result<Oracle, Failure> {
    match value {
        "accepts" => Ok(Oracle::Accepts),
        "rejects" => Ok(Oracle::Rejects),
        _ => {
            let reason = value.strip_prefix("unchecked (").and_then(|rest| rest.strip_suffix(')'));
            match reason {
                Some(reason) if !reason.trim().is_empty() => Ok(Oracle::Unchecked),
                Some(_) | None => Err(format!("`{value}`: takes accepts, rejects, or unchecked (reason)")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, why: &str) {
        let message = Directives::parse(text).expect_err("must be refused");
        assert!(message.contains(why), "{message}\nlacks `{why}`");
    }

    #[test]
    fn settings_of_a_revision() {
        let text = "// What it shows.\n//@ revisions: O0 sm_90\n//@ args: -v\n//@[sm_90] args: -O2\n\
                    //@ needs: ptxas\n//@ nvcc: unchecked (its own fault)\nint x;\n";
        let directives = Directives::parse(text).expect("well formed");
        assert_eq!(directives.revisions(), [Some("O0"), Some("sm_90")]);
        let o0 = directives.settings(Some("O0")).expect("known");
        assert_eq!((o0.args.join(" ").as_str(), o0.arch.as_str()), ("-O0 -v", "sm_75"));
        assert_eq!((o0.needs, o0.nvcc), (vec![Tool::Ptxas], Some(Oracle::Unchecked)));
        let sm_90 = directives.settings(Some("sm_90")).expect("known");
        assert_eq!((sm_90.args.join(" ").as_str(), sm_90.arch.as_str()), ("-v -O2", "sm_90"));
        let machine =
            |text: &str| Directives::parse(text).and_then(|d| d.settings(None)).map(|s| s.machine());
        assert_eq!(machine("//@ args: -m64 -m32\n"), Ok(Machine::Bits32));
        assert_eq!(machine("//@ args: -m32 -m64\n"), Ok(Machine::Bits64));
        assert_eq!(machine(""), Ok(Machine::Bits64));
    }

    #[test]
    fn a_file_without_directives_has_the_defaults() {
        let directives = Directives::parse("int x;\n").expect("well formed");
        assert_eq!(directives.revisions(), [None]);
        assert_eq!(directives.settings(None).expect("known").arch, DEFAULT_ARCH);
    }

    #[test]
    fn rejects_unknown_directives() {
        refused("//@ revision: O0", "no directive is called `revision`");
        refused("//@ args", "`//@ key: value`");
        refused("//@ args:", "has no value");
        refused("//@ exit: one", "no exit status");
        refused("//@ needs: gcc", "no tool is called `gcc`");
        refused("//@ nvcc: yes", "takes accepts, rejects");
        refused("//@ nvcc: unchecked ()", "takes accepts, rejects");
        refused("//@ emit: obj", "cannot be emitted");
        refused("//@ exit: 1\n//@ exit: 2", "stands twice");
        refused("//@[O3] args: -v", "no revision is called `O3`");
        refused("//@ revisions: O0 O0", "further revision");
        refused("int x;\n//@ exit: 1", "must precede the code");
    }
}
