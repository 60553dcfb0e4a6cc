//! Reads the inputs of a run: PTX, and sources, which are compiled.

use std::path::Path;

use weft_frontend::diag::render::Format;

use super::texts::{ModuleText, Texts};
use crate::args::run::{DeviceKind, RunArgs};
use crate::emit::report;
use crate::error::{Error, Message, UserError};
use crate::input::read_input;
use crate::input::{Input, InputKind};
use crate::pipeline::{self, Emit, Settings};

impl Texts {
    /// Reads and compiles the inputs. Reports all sources with errors.
    pub(super) fn read(args: &RunArgs, format: Format) -> Result<Self, Error> {
        if args.inputs.is_empty() {
            let message = Message::new("no input").help("for example `weftc run a.src --block 32 --arg …`");
            return Err(message.user());
        }
        let mut options = args.compile.options()?;
        // So that messages can name lines and variables of the source; this changes no instruction.
        options.debug = match args.device {
            DeviceKind::Emulator => options.debug.for_emulator(options.opt_level),
            DeviceKind::Gpu => options.debug.or_lines(),
        };
        // Positions are looked up in the texts by their names here.
        options.debug_paths = weft_lower::DebugPaths::default();
        let settings = Settings {
            options,
            levels: args.compile.levels(),
            dialect: args.compile.dialect(),
            preprocessing: args.macros.preprocessing()?,
            instantiate: args.compile.instantiate.clone(),
            describe_kernels: true,
            describe_symbols: false,
            makes_host_stub: false,
            source_in_ptx: false,
            line_markers: true,
            tools: crate::toolchain::ToolOptions::default(),
        };
        let all_sources = args.compile.all_sources()?;
        let (mut modules, mut wrong) = (Vec::new(), None);
        for path in &args.inputs {
            match ModuleText::read(path, all_sources, &settings, format) {
                Ok(module) => modules.push(module),
                Err(error @ Error::User(UserError::Program(_))) => {
                    if let Some(earlier) = wrong.replace(error) {
                        report::error(&earlier, format);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        wrong.map_or(Ok(Texts { modules }), Err)
    }
}

impl ModuleText {
    fn read(path: &Path, all_sources: bool, settings: &Settings, format: Format) -> Result<Self, Error> {
        let input = Input::named(path, all_sources)?;
        let name = input.name();
        match input.kind {
            InputKind::Object => {
                Err(Message::new(format!("`{name}` is machine code, which the emulator cannot run"))
                    .help("run the .src or .ptx file that it was made from")
                    .user())
            }
            InputKind::Ptx => {
                let ptx = String::from_utf8_lossy(&read_input(&input)?).into_owned();
                Ok(ModuleText { name, ptx, source: None, kernels: Vec::new(), variables: Vec::new() })
            }
            InputKind::Source | InputKind::Host => {
                let text = read_input(&input)?;
                let shown = String::from_utf8_lossy(&text).into_owned();
                let outputs = pipeline::compile_with(&name, text, Emit::Ptx, settings)?;
                report::diagnostics(&outputs.diagnostics, format);
                Ok(ModuleText {
                    name: format!("PTX of {name}"),
                    ptx: outputs.text,
                    source: Some((name, shown)),
                    kernels: outputs.kernels,
                    variables: outputs.variables,
                })
            }
        }
    }
}
