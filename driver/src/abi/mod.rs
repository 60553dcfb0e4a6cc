//! `weftc check-abi`: whether what some inputs use is what others define, before anything is linked.
//!
//! nvlink compares how many parameters there are, how large each is, and what kind of value; it says no more than that a
//! prototype does not match, and does not see alignments, though these decide in which registers a parameter passes. Here
//! each symbol that one input uses and another defines is compared, parameter by parameter.
//!
//! What inputs say of their symbols is read by `weft_objects`.
//!
//! - [`declared`]: what the source says of its functions and variables
//! - [`compare`]: what two say of one symbol
//! - [`duplicate`]: what several define
//! - [`undefined`]: what none defines
//! - this file: the command

pub mod compare;
pub mod declared;
pub mod duplicate;
pub mod undefined;

use std::path::Path;

use weft_frontend::diag::render::Format;
use weft_objects::interface::Interface;
use weft_objects::object;

use crate::args::check_abi::CheckAbiArgs;
use crate::emit::{report, write_stdout};
use crate::error::{Error, Message};
use crate::jobs::read_file;
use crate::pipeline::{self, Emit, Settings};
use crate::session::{InputKind, input};
use compare::compare;

/// Compares the inputs, and tells what does not agree.
///
/// # Errors
/// An input that cannot be read or is wrong, and symbols that do not agree.
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
    comparison.tell(format)
}

/// What an input says: an object may hold several.
fn read(path: &Path, settings: &Settings, format: Format) -> Result<Vec<Interface>, Error> {
    let input = input(path, false)?;
    let name = input.name();
    let bytes = read_file(path)?;
    match input.kind {
        InputKind::Source => {
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
