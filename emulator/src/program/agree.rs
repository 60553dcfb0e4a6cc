//! What modules say of the same symbol, compared as nvlink does it, and alignments.
//!
//! Of functions, parameters and results must be as many, as large, and floating-point numbers, other numbers or arrays on both
//! sides; signs, `.noreturn`, and whether they are registers, may differ. nvlink does not see how arrays are aligned, and
//! each side then looks for its arguments in registers of its own: here that is an error. Of variables, the space, the size and
//! `.managed` must be the same; the size may be left open, and of common variables the largest counts. A declaration that
//! nothing in its module uses says nothing, since ptxas leaves it out.

use std::cell::LazyCell;
use std::collections::HashMap;

use super::layout::{align_of_variable, size_of, size_of_variable};
use super::link::{Input, LinkError, size_with_initializer};
use crate::ptx::names::names_in;
use crate::ptx::place::Place;
use crate::ptx::syntax::{Function, Linkage, Module, Space, Type, Variable};

/// Compares what several modules, or several places of one, say.
///
/// # Errors
/// The first symbol about which two do not agree, with both places.
pub(super) fn check(inputs: &[Input<'_, '_>]) -> Result<(), LinkError> {
    // By name, and the module of what no other one sees.
    let mut first = HashMap::<(&str, Option<usize>), (usize, Item<'_, '_>)>::new();
    for is_definition in [true, false] {
        for (module, input) in inputs.iter().enumerate() {
            let used = LazyCell::new(|| names_in(input.module));
            for item in items(input.module).filter(|item| item.is_definition() == is_definition) {
                if !is_definition && !used.contains(item.name()) {
                    continue;
                }
                let owner = Some(module).filter(|_| item.linkage() == Linkage::Internal);
                match first.get(&(item.name(), owner)) {
                    None => drop(first.insert((item.name(), owner), (module, item))),
                    Some((other, theirs)) => {
                        if let Some(difference) = item.difference(theirs) {
                            return Err(item.error(input, &inputs[*other], theirs, &difference));
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// A function or a variable.
#[derive(Clone, Copy)]
enum Item<'m, 't> {
    Function(&'m Function<'t>),
    Variable(&'m Variable<'t>),
}

fn items<'m, 't>(module: &'m Module<'t>) -> impl Iterator<Item = Item<'m, 't>> {
    let functions = module.functions.iter().map(Item::Function);
    functions.chain(module.variables.iter().map(Item::Variable))
}

impl<'t> Item<'_, 't> {
    fn name(&self) -> &'t str {
        match self {
            Item::Function(function) => function.name,
            Item::Variable(variable) => variable.name,
        }
    }

    fn linkage(&self) -> Linkage {
        match self {
            Item::Function(function) => function.linkage,
            Item::Variable(variable) => variable.linkage,
        }
    }

    fn place(&self) -> Place {
        match self {
            Item::Function(function) => function.place,
            Item::Variable(variable) => variable.place,
        }
    }

    fn is_definition(&self) -> bool {
        match self {
            Item::Function(function) => function.body.is_some(),
            Item::Variable(variable) => variable.linkage != Linkage::Extern,
        }
    }

    fn error(
        &self,
        input: &Input<'_, '_>,
        other: &Input<'_, '_>,
        theirs: &Item<'_, '_>,
        difference: &str,
    ) -> LinkError {
        let (line, column) = theirs.place().line_column(other.text);
        let verb = if theirs.is_definition() { "defined" } else { "declared" };
        let place = format!("{}:{line}:{column}", other.name);
        let message =
            format!("conflicting types for `{}`, which is also {verb} at {place}: {difference}", self.name());
        input.error(self.place(), message)
    }

    /// What is not the same here and there.
    fn difference(&self, theirs: &Item<'_, '_>) -> Option<String> {
        match (self, theirs) {
            (Item::Function(here), Item::Function(there)) => function_difference(here, there),
            (Item::Variable(here), Item::Variable(there)) => variable_difference(here, there),
            (Item::Function(_), Item::Variable(_)) => Some("a function here, a variable there".to_owned()),
            (Item::Variable(_), Item::Function(_)) => Some("a variable here, a function there".to_owned()),
        }
    }
}

fn function_difference(here: &Function<'_>, there: &Function<'_>) -> Option<String> {
    let what = |is_entry: bool| if is_entry { "a kernel" } else { "a function" };
    if here.is_entry != there.is_entry {
        return Some(format!("{} here, {} there", what(here.is_entry), what(there.is_entry)));
    }
    params_difference("parameter", &here.prototype.params, &there.prototype.params)
        .or_else(|| params_difference("result", &here.prototype.returns, &there.prototype.returns))
}

fn params_difference(what: &str, here: &[Variable<'_>], there: &[Variable<'_>]) -> Option<String> {
    if here.len() != there.len() {
        return Some(format!("{} {what}s here, {} there", here.len(), there.len()));
    }
    here.iter().zip(there).enumerate().find_map(|(idx, (here, there))| {
        let (here, there) = (shape(here), shape(there));
        (here != there).then(|| format!("{what} {} is {here} here, {there} there", idx + 1))
    })
}

/// What a parameter is, as far as it has to agree.
fn shape(param: &Variable<'_>) -> String {
    let size = size_of_variable(param).unwrap_or(0);
    match (&param.dims[..], param.ty) {
        ([None, ..], _) => "an array of any size".to_owned(),
        ([Some(_), ..], _) => format!("an array of {size} bytes aligned to {}", align_of_variable(param)),
        ([], Type::Pred) => "a predicate".to_owned(),
        ([], Type::F16 | Type::Bf16 | Type::F32 | Type::F64) => {
            format!("a floating-point number of {size} bytes")
        }
        ([], _) if param.vector > 1 => format!("a vector of {} by {} bytes", param.vector, size_of(param.ty)),
        ([], _) => format!("a value of {size} bytes"),
    }
}

fn variable_difference(here: &Variable<'_>, there: &Variable<'_>) -> Option<String> {
    if here.space != there.space {
        return Some(format!("in {} here, in {} there", space_name(here.space), space_name(there.space)));
    }
    let is_managed = |variable: &Variable<'_>| variable.attributes.contains(&"managed");
    if is_managed(here) != is_managed(there) {
        return Some("`.managed` in only one place".to_owned());
    }
    let is_open =
        |variable: &Variable<'_>| variable.init.is_none() && matches!(variable.dims.first(), Some(None));
    let both_common = here.linkage == Linkage::Common && there.linkage == Linkage::Common;
    if is_open(here) || is_open(there) || both_common {
        return None;
    }
    let (here, there) = (size_with_initializer(here), size_with_initializer(there));
    (here != there).then(|| format!("{} bytes here, {} there", here.unwrap_or(0), there.unwrap_or(0)))
}

fn space_name(space: Space) -> &'static str {
    match space {
        Space::Reg => "`.reg`",
        Space::Sreg => "`.sreg`",
        Space::Const => "`.const`",
        Space::Global => "`.global`",
        Space::Local => "`.local`",
        Space::Param => "`.param`",
        Space::Shared => "`.shared`",
        Space::Tex => "`.tex`",
    }
}
