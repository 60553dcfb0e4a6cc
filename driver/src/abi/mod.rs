//! `weftc check-abi`: checks before linking that inputs use symbols like others define them.
//!
//! nvlink compares the number of parameters, their sizes, and the kind of value; its message only says that a
//! prototype does not match, and it ignores alignment, which determines the registers of a parameter. This
//! command compares each symbol that one input uses and another defines, parameter by parameter.
//!
//! `weft_objects` reads the inputs' symbols.
//!
//! - [`declared`]: the declarations of a source
//! - [`compare`]: compares two declarations of a symbol
//! - [`duplicate`]: symbols with several definitions
//! - [`undefined`]: symbols without a definition
//! - this file: the command

pub mod compare;
pub mod declared;
mod difference;
pub mod duplicate;
pub mod undefined;

use std::path::Path;

use weft_frontend::diag::render::Format;
use weft_objects::interface::Interface;
use weft_objects::object;

use crate::args::check_abi::CheckAbiArgs;
use crate::emit::{report, write_stdout};
use crate::error::{Error, Message};
use crate::input::read_file;
use crate::input::{Input, InputKind};
use crate::pipeline::{self, Emit, Settings};
use compare::compare;

/// Compares the inputs, and reports mismatches.
///
/// # Errors
///
/// If an input cannot be read or is invalid, or symbols do not match.
pub fn check(args: &CheckAbiArgs) -> Result<(), Error> {
    let format = args.compile.format();
    let settings = Settings {
        preprocessing: args.macros.preprocessing()?,
        describe_symbols: true,
        dialect: args.compile.dialect(),
        ..Settings::new(args.compile.options()?)
    };
    let inputs = args.inputs.iter().map(|path| read(path, &settings, format));
    let inputs: Vec<Interface> = inputs.collect::<Result<Vec<_>, _>>()?.concat();
    let comparison = compare(&inputs);
    let (n_compared, n_wrong) = (comparison.n_compared, comparison.mismatches.len());
    let mut text = format!(
        "{n_compared} symbol{} compared, {n_wrong} mismatch{}\n",
        if n_compared == 1 { "" } else { "s" },
        if n_wrong == 1 { "" } else { "es" },
    );
    for why in &comparison.not_compared {
        text.push_str(&format!("not compared: {why}\n"));
    }
    write_stdout(text.as_bytes())?;
    comparison.report(format)
}

/// The interfaces of an input: an object may have several.
fn read(path: &Path, settings: &Settings, format: Format) -> Result<Vec<Interface>, Error> {
    let input = Input::named(path, false)?;
    let name = input.name();
    let bytes = read_file(path)?;
    match input.kind {
        InputKind::Source | InputKind::Host => {
            let outputs = pipeline::compile_with(&name, bytes, Emit::Ptx, settings)?;
            report::diagnostics(&outputs.diagnostics, format);
            declared::interface(&name, &outputs.text, &outputs.declared)
                .map(|interface| vec![interface])
                .map_err(|why| Message::new(format!("invalid PTX of `{name}`: {why}")).internal())
        }
        InputKind::Ptx => {
            let text = String::from_utf8_lossy(&bytes);
            let interface = Interface::of_ptx(&name, &text).map(|interface| vec![interface]);
            interface.map_err(|why| Message::new(format!("{name}:{why}")).user())
        }
        InputKind::Object => Ok(object::interfaces(&name, &bytes, settings.options.target.sm().into())),
    }
}
