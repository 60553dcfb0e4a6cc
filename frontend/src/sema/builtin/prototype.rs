//! The table of built-in functions as text, for tests and tools.

use super::half::Header;
use super::table;
use crate::ir::TypeTable;
use crate::ir::builtin::Operand;

/// An overload of a built-in function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    /// The header that declares it, where nvcc does not have it by itself.
    pub header: Option<&'static str>,
    /// Its name.
    pub name: &'static str,
    /// The type of the result, as CUDA's headers spell it.
    pub ret: String,
    /// The types of the parameters.
    pub params: Vec<String>,
    /// Of each parameter, the least constant that it takes if it takes constants alone.
    pub immediates: Vec<Option<u32>>,
    /// How many parameters at the end a call may leave out.
    pub n_defaults: usize,
}

/// All overloads, in the order of the table.
pub(crate) fn prototypes() -> Vec<Prototype> {
    let types = TypeTable::new();
    let overloads = table::all().flat_map(|(header, function)| {
        function.overloads.iter().map(move |overload| (header, function.name, overload))
    });
    let prototype = |(header, name, overload): (Option<Header>, _, &table::Overload)| Prototype {
        header: header.map(Header::name),
        name,
        ret: overload.ret.spelling(&types),
        params: overload.params.iter().map(|param| param.spelling(&types)).collect(),
        immediates: overload.builtin.signature().params.iter().map(least).collect(),
        n_defaults: overload.defaults.len(),
    };
    overloads.map(prototype).collect()
}

fn least(operand: &Operand) -> Option<u32> {
    operand.constants().map(|(range, _)| *range.start())
}
