//! Functions that take what has no one type, and are checked by themselves (GNU C "Other Builtins", "Integer
//! Overflow Builtins"; C17 7.16; CUDA C++ Programming Guide "Atomic Functions").

use super::Function;

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "__builtin_add_overflow", overloads: &[] },
    Function { name: "__builtin_constant_p", overloads: &[] },
    Function { name: "__builtin_mul_overflow", overloads: &[] },
    Function { name: "__builtin_sub_overflow", overloads: &[] },
    Function { name: "__builtin_va_copy", overloads: &[] },
    Function { name: "__builtin_va_end", overloads: &[] },
    Function { name: "__builtin_va_start", overloads: &[] },
    Function { name: "__nv_atomic_add", overloads: &[] },
    Function { name: "__nv_atomic_and", overloads: &[] },
    Function { name: "__nv_atomic_compare_exchange", overloads: &[] },
    Function { name: "__nv_atomic_compare_exchange_n", overloads: &[] },
    Function { name: "__nv_atomic_exchange", overloads: &[] },
    Function { name: "__nv_atomic_exchange_n", overloads: &[] },
    Function { name: "__nv_atomic_fetch_add", overloads: &[] },
    Function { name: "__nv_atomic_fetch_and", overloads: &[] },
    Function { name: "__nv_atomic_fetch_max", overloads: &[] },
    Function { name: "__nv_atomic_fetch_min", overloads: &[] },
    Function { name: "__nv_atomic_fetch_or", overloads: &[] },
    Function { name: "__nv_atomic_fetch_sub", overloads: &[] },
    Function { name: "__nv_atomic_fetch_xor", overloads: &[] },
    Function { name: "__nv_atomic_load", overloads: &[] },
    Function { name: "__nv_atomic_load_n", overloads: &[] },
    Function { name: "__nv_atomic_max", overloads: &[] },
    Function { name: "__nv_atomic_min", overloads: &[] },
    Function { name: "__nv_atomic_or", overloads: &[] },
    Function { name: "__nv_atomic_store", overloads: &[] },
    Function { name: "__nv_atomic_store_n", overloads: &[] },
    Function { name: "__nv_atomic_sub", overloads: &[] },
    Function { name: "__nv_atomic_thread_fence", overloads: &[] },
    Function { name: "__nv_atomic_xor", overloads: &[] },
    Function { name: "__nv_tex_surf_handler", overloads: &[] },
    Function { name: "printf", overloads: &[] },
];
