//! The options about macros, headers and dependencies: what the preprocessor is told, and what `make` is.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use weft_frontend::MacroOption;
use weft_frontend::source::PrefixMap;

use crate::error::{Error, Message};
use crate::headers::Preprocessing;
use crate::session::Dependencies;

/// The options about macros and headers, which every command that compiles has.
#[derive(Debug, Args)]
#[command(next_help_heading = "Preprocessor")]
pub struct MacroArgs {
    /// Look for headers in this directory
    #[arg(short = 'I', long, value_name = "DIR")]
    pub include_path: Vec<PathBuf>,

    /// The same, after those of -I and without warnings [-isystem DIR]
    #[arg(long, value_name = "DIR")]
    pub system_include: Vec<PathBuf>,

    /// Define a macro: NAME, NAME=TEXT or NAME(A,B)=TEXT
    #[arg(short = 'D', long, value_name = "MACRO")]
    pub define_macro: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', long, value_name = "NAME")]
    pub undefine_macro: Vec<String>,

    /// Include this file before the first line [-include FILE]
    #[arg(long, value_name = "FILE")]
    pub pre_include: Vec<String>,

    /// In `__FILE__`, let names of files that begin with OLD begin with NEW; the last one that fits wins
    /// [-fmacro-prefix-map=OLD=NEW]
    #[arg(long, value_name = "OLD=NEW", allow_hyphen_values = true)]
    pub macro_prefix_map: Vec<String>,

    /// `define_macro` and `undefine_macro` in the order of the line.
    #[arg(skip)]
    pub macros: Vec<MacroOption>,
}

/// The options as clap reads them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Preprocessor")]
pub struct SourceArgs {
    /// Macros and headers.
    #[command(flatten)]
    pub macros: MacroArgs,

    /// Stop after preprocessing, and print the text, to -o or standard output
    #[arg(short = 'E', long)]
    pub preprocess: bool,

    /// With -E: print no lines that say where the text comes from
    #[arg(short = 'P', long)]
    pub no_line_markers: bool,

    /// Print what the output depends on, as a rule for make, and make nothing [-M]
    #[arg(long)]
    pub generate_dependencies: bool,

    /// The same without headers of --system-include [-MM]
    #[arg(long)]
    pub generate_nonsystem_dependencies: bool,

    /// Write the rule beside the output: a.d [-MD]
    #[arg(long)]
    pub generate_dependencies_with_compile: bool,

    /// The same without headers of --system-include [-MMD]
    #[arg(long)]
    pub generate_nonsystem_dependencies_with_compile: bool,

    /// Write the rule here [-MF FILE]
    #[arg(long, value_name = "FILE")]
    pub dependency_output: Option<PathBuf>,

    /// What the rule says depends [-MT NAME]
    #[arg(long, value_name = "NAME")]
    pub dependency_target_name: Vec<String>,

    /// Add an empty rule for each header, so that make goes on when one is removed [-MP]
    #[arg(long)]
    pub generate_dependency_targets: bool,
}

impl MacroArgs {
    /// Puts the two kinds of options about macros in the order of the line: the last one counts.
    pub(super) fn order(&mut self, matches: &ArgMatches) {
        let places = |id: &str| matches.indices_of(id).into_iter().flatten().collect::<Vec<usize>>();
        let defines = self.define_macro.iter().cloned().map(MacroOption::Define);
        let undefines = self.undefine_macro.iter().cloned().map(MacroOption::Undefine);
        let mut all: Vec<(usize, MacroOption)> = places("define_macro").into_iter().zip(defines).collect();
        all.extend(places("undefine_macro").into_iter().zip(undefines));
        all.sort_by_key(|(place, _)| *place);
        self.macros = all.into_iter().map(|(_, option)| option).collect();
    }

    /// What the preprocessor is told.
    ///
    /// # Errors
    /// When an option has no such value.
    pub(crate) fn preprocessing(&self) -> Result<Preprocessing, Error> {
        Ok(Preprocessing {
            macros: self.macros.clone(),
            includes: self.pre_include.clone(),
            include_path: self.include_path.clone(),
            system_path: self.system_include.clone(),
            file_prefixes: prefix_map("-fmacro-prefix-map", &self.macro_prefix_map)?,
            files: true,
            ..Preprocessing::default()
        })
    }
}

/// What OLD=NEW of an option means, of each time that it is given.
pub(super) fn prefix_map(option: &str, given: &[String]) -> Result<PrefixMap, Error> {
    let pairs = given.iter().map(|pair| {
        pair.split_once('=').ok_or_else(|| {
            Message::new(format!("`{option}={pair}` does not say what becomes of `{pair}`"))
                .help(format!("`{option}=OLD=NEW` lets names that begin with OLD begin with NEW"))
                .user()
        })
    });
    pairs.collect()
}

impl SourceArgs {
    /// The rule for make, if one is asked for.
    pub(super) fn dependencies(&self, output: Option<&Path>) -> Result<Option<Dependencies>, Error> {
        let only = self.generate_dependencies || self.generate_nonsystem_dependencies;
        let beside =
            self.generate_dependencies_with_compile || self.generate_nonsystem_dependencies_with_compile;
        if !only && !beside && self.dependency_output.is_none() {
            return Ok(None);
        }
        if self.preprocess && !only {
            return Err(Message::new("a rule for make cannot be written beside the output of `-E`")
                .help("use `-M`, which prints the rule alone, or leave `-E` out")
                .user());
        }
        let without_system =
            self.generate_nonsystem_dependencies || self.generate_nonsystem_dependencies_with_compile;
        let at = self.dependency_output.as_deref().or(output.filter(|_| only));
        Ok(Some(Dependencies {
            only,
            at: at.map(Path::to_owned),
            is_output: self.dependency_output.is_none(),
            targets: self.dependency_target_name.clone(),
            with_system: !without_system,
            phony: self.generate_dependency_targets,
        }))
    }
}
