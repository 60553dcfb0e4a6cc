/* `__nv_bfloat16`, `__nv_bfloat162`: the types and intrinsics are the compiler's. */
#pragma once
