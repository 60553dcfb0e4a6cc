//! The options about macros, headers and dependencies: for the preprocessor, and for `make`.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use weft_frontend::MacroOption;
use weft_frontend::source::PrefixMap;

use crate::error::{Error, Message};
use crate::headers::Preprocessing;
use crate::session::Dependencies;

/// The options about macros and headers, which every command that compiles has.
#[derive(Debug, Args)]
pub struct MacroArgs {
    /// Search this directory for headers; may be repeated
    #[arg(short = 'I', long, value_name = "DIR", help_heading = "Preprocessor")]
    pub include_path: Vec<PathBuf>,

    /// Search this directory after those of -I, and report no warnings in its headers [-isystem DIR]
    #[arg(long, value_name = "DIR", help_heading = "Preprocessor")]
    pub system_include: Vec<PathBuf>,

    /// Define a macro: NAME, NAME=TEXT or NAME(A,B)=TEXT; may be repeated
    #[arg(short = 'D', long, value_name = "MACRO", help_heading = "Preprocessor")]
    pub define_macro: Vec<String>,

    /// Undefine a macro; may be repeated
    #[arg(short = 'U', long, value_name = "NAME", help_heading = "Preprocessor")]
    pub undefine_macro: Vec<String>,

    /// Include this file before the first line; may be repeated [-include FILE]
    #[arg(long, value_name = "FILE", help_heading = "Preprocessor")]
    pub pre_include: Vec<String>,

    /// Replace the prefix OLD of file names in `__FILE__`; may be repeated, the last match wins
    /// [-fmacro-prefix-map=OLD=NEW]
    #[arg(long, value_name = "OLD=NEW", allow_hyphen_values = true, help_heading = "Preprocessor")]
    pub macro_prefix_map: Vec<String>,

    /// `define_macro` and `undefine_macro` in the order of the line.
    #[arg(skip)]
    pub macros: Vec<MacroOption>,
}

/// The options as clap reads them.
#[derive(Debug, Args)]
pub struct SourceArgs {
    /// Macros and headers.
    #[command(flatten)]
    pub macros: MacroArgs,

    /// Stop after preprocessing and print the text to -o or standard output
    #[arg(short = 'E', long, help_heading = "Preprocessor")]
    pub preprocess: bool,

    /// With -E: omit line markers, unless debug information needs them
    #[arg(short = 'P', long, help_heading = "Preprocessor")]
    pub no_line_markers: bool,

    /// Print the dependencies as a make rule and make nothing else [-M]
    #[arg(long, help_heading = "Dependencies")]
    pub generate_dependencies: bool,

    /// Like --generate-dependencies, without headers from --system-include [-MM]
    #[arg(long, help_heading = "Dependencies")]
    pub generate_nonsystem_dependencies: bool,

    /// Write the dependencies beside the output, as a.d [-MD]
    #[arg(long, help_heading = "Dependencies")]
    pub generate_dependencies_with_compile: bool,

    /// Like --generate-dependencies-with-compile, without headers from --system-include [-MMD]
    #[arg(long, help_heading = "Dependencies")]
    pub generate_nonsystem_dependencies_with_compile: bool,

    /// Write the dependencies to this file [-MF FILE]
    #[arg(long, value_name = "FILE", help_heading = "Dependencies")]
    pub dependency_output: Option<PathBuf>,

    /// Set the target of the make rule; may be repeated [-MT NAME]
    #[arg(long, value_name = "NAME", help_heading = "Dependencies")]
    pub dependency_target_name: Vec<String>,

    /// Add an empty rule for each header, so that make continues when one is removed [-MP]
    #[arg(long, help_heading = "Dependencies")]
    pub generate_dependency_targets: bool,
}

impl MacroArgs {
    /// Restores the command-line order of macro definitions and undefinitions: the last one wins.
    pub(super) fn order(&mut self, matches: &ArgMatches) {
        let places = |id: &str| matches.indices_of(id).into_iter().flatten().collect::<Vec<usize>>();
        let defines = self.define_macro.iter().cloned().map(MacroOption::Define);
        let undefines = self.undefine_macro.iter().cloned().map(MacroOption::Undefine);
        let mut all: Vec<(usize, MacroOption)> = places("define_macro").into_iter().zip(defines).collect();
        all.extend(places("undefine_macro").into_iter().zip(undefines));
        all.sort_by_key(|(place, _)| *place);
        self.macros = all.into_iter().map(|(_, option)| option).collect();
    }

    /// The settings of the preprocessor.
    ///
    /// # Errors
    ///
    /// If an option has an invalid value.
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

/// The prefix map of an option's OLD=NEW values.
pub(super) fn prefix_map(option: &str, given: &[String]) -> Result<PrefixMap, Error> {
    let pairs = given.iter().map(|pair| {
        pair.split_once('=').ok_or_else(|| {
            Message::new(format!("`{option}={pair}` lacks a replacement for `{pair}`"))
                .help(format!("write `{option}=OLD=NEW`"))
                .user()
        })
    });
    pairs.collect()
}

impl SourceArgs {
    /// The rule for make, if requested.
    pub(super) fn dependencies(&self, output: Option<&Path>) -> Result<Option<Dependencies>, Error> {
        let only = self.generate_dependencies || self.generate_nonsystem_dependencies;
        let beside =
            self.generate_dependencies_with_compile || self.generate_nonsystem_dependencies_with_compile;
        if !only && !beside && self.dependency_output.is_none() {
            return Ok(None);
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
