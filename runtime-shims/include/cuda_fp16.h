/* `__half`, `__half2`: the types and intrinsics are the compiler's. */
#pragma once
