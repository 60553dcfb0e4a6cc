//! The headers, their other names, and the names that need no include.
//!
//! What `build.rs` makes of `include/` and of `predefined.h` is taken in here.

use crate::{Known, hash};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// Other names of a header: those of C++, which stand for the same at file scope, and those of the parts
/// that CUDA's runtime is made of, which nvcc takes in with `cuda_runtime.h`.
pub(crate) const ALIASES: &[(&[&str], &str)] = &[
    (&["cassert"], "assert.h"),
    (&["cctype"], "ctype.h"),
    (&["cerrno"], "errno.h"),
    (&["cfloat"], "float.h"),
    (&["cinttypes"], "inttypes.h"),
    (&["climits"], "limits.h"),
    (&["cmath"], "math.h"),
    (&["cstdarg"], "stdarg.h"),
    (&["cstddef"], "stddef.h"),
    (&["cstdint"], "stdint.h"),
    (&["cstdio"], "stdio.h"),
    (&["cstdlib", "malloc.h"], "stdlib.h"),
    (&["cstring", "memory.h", "strings.h"], "string.h"),
    (&["ctime"], "time.h"),
    (&["ciso646"], "iso646.h"),
    (&["host_defines.h"], "crt/host_defines.h"),
    (
        &[
            "builtin_types.h",
            "channel_descriptor.h",
            "common_functions.h",
            "crt/common_functions.h",
            "crt/device_double_functions.h",
            "crt/device_functions.h",
            "crt/host_config.h",
            "crt/math_functions.h",
            "crt/sm_70_rt.h",
            "crt/sm_80_rt.h",
            "crt/sm_90_rt.h",
            "cuda_runtime_api.h",
            "device_atomic_functions.h",
            "device_double_functions.h",
            "device_functions.h",
            "device_launch_parameters.h",
            "driver_functions.h",
            "host_config.h",
            "math_functions.h",
            "sm_20_atomic_functions.h",
            "sm_20_intrinsics.h",
            "sm_30_intrinsics.h",
            "sm_32_atomic_functions.h",
            "sm_32_intrinsics.h",
            "sm_35_atomic_functions.h",
            "sm_35_intrinsics.h",
            "sm_60_atomic_functions.h",
            "sm_61_intrinsics.h",
            "surface_indirect_functions.h",
            "surface_types.h",
            "texture_indirect_functions.h",
            "texture_types.h",
            "vector_functions.h",
            "vector_types.h",
        ],
        "cuda_runtime.h",
    ),
];

/// The file behind another name.
pub(crate) fn alias(name: &str) -> Option<&'static str> {
    ALIASES.iter().find(|(names, _)| names.contains(&name)).map(|&(_, header)| header)
}

/// What a name stands for without an include.
pub(crate) fn known(name: &str) -> Option<Known> {
    let mut slot = hash::hash(name) % SLOTS.len();
    // A free slot ends the search: half of them are.
    while let Some(idx) = usize::from(SLOTS[slot]).checked_sub(1) {
        if KNOWN[idx].0 == name {
            return Some(KNOWN[idx].1);
        }
        slot = (slot + 1) % SLOTS.len();
    }
    None
}
