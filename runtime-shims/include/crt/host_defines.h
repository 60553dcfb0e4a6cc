/* Which GPU is compiled for, by features; the qualifiers are words of the language. */
#pragma once

#define __CUDA_ARCH_HAS_FEATURE__(feature) __CUDA_ARCH_FEAT_##feature

/* `sm_90a` is specific to 90, `sm_100f` and `sm_100a` are of the family of 100, which has 100 to 109. */
#ifdef __CUDA_ARCH_SPECIFIC__
#define __CUDA_HAS_ARCH_SPECIFIC(sm) (__CUDA_ARCH_SPECIFIC__ == (sm##0))
#else
#define __CUDA_HAS_ARCH_SPECIFIC(sm) 0
#endif
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(sm) \
    (__CUDA_ARCH_FAMILY_SPECIFIC__ == 1010 || (sm) == 101 \
         ? __CUDA_ARCH_FAMILY_SPECIFIC__ == (sm##0) \
         : __CUDA_ARCH_FAMILY_SPECIFIC__ >= (sm##0) && __CUDA_ARCH_FAMILY_SPECIFIC__ < (sm##0) + 100)
#else
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(sm) 0
#endif
