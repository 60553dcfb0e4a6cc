//! Functions that take what has no one type, and are checked by themselves (GNU C "Other Builtins", "Integer
//! Overflow Builtins"; C17 7.16).

use super::Function;

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "__builtin_add_overflow", overloads: &[] },
    Function { name: "__builtin_constant_p", overloads: &[] },
    Function { name: "__builtin_mul_overflow", overloads: &[] },
    Function { name: "__builtin_sub_overflow", overloads: &[] },
    Function { name: "__builtin_va_copy", overloads: &[] },
    Function { name: "__builtin_va_end", overloads: &[] },
    Function { name: "__builtin_va_start", overloads: &[] },
    Function { name: "printf", overloads: &[] },
];
