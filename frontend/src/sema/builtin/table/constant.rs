//! Functions that are constants: each call is a literal, so that there are no overloads and no operation.

use super::Function;

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "__builtin_huge_val", overloads: &[] },
    Function { name: "__builtin_huge_valf", overloads: &[] },
    Function { name: "__builtin_inf", overloads: &[] },
    Function { name: "__builtin_inff", overloads: &[] },
    Function { name: "__builtin_nan", overloads: &[] },
    Function { name: "__builtin_nanf", overloads: &[] },
    Function { name: "__builtin_nans", overloads: &[] },
    Function { name: "__builtin_nansf", overloads: &[] },
];
