//! The functions that make values of the built-in vector types (CUDA C++ Programming Guide "Built-in
//! Vector Types"): their arguments become the members of a struct, and no operation is behind them.

use super::Function;
use crate::predeclared::VECTORS;

pub(super) const FUNCTIONS: &[Function] = &{
    let mut functions = [const { Function { name: "", overloads: &[] } }; VECTORS.len()];
    let mut idx = 0;
    while idx < VECTORS.len() {
        functions[idx].name = VECTORS[idx].maker;
        idx += 1;
    }
    functions
};
