/* Asynchronous copies from global to shared memory, in C style. Before sm_80 there are no instructions for them: the copies are
   done at once. */
#pragma once
#include <cuda_awbarrier_primitives.h>

#if __CUDA_ARCH__ >= 800
static inline __device__ void __pipeline_memcpy_async(void *__restrict__ dst_shared, const void *__restrict__ src_global, size_t size_and_align, size_t zfill = 0) {
    if (zfill > size_and_align)
        __trap();
    else if (size_and_align == 16)
        __weft_cp_async_16(dst_shared, src_global, 16 - (unsigned)zfill);
    else if (size_and_align == 8)
        __weft_cp_async_8(dst_shared, src_global, 8 - (unsigned)zfill);
    else if (size_and_align == 4)
        __weft_cp_async_4(dst_shared, src_global, 4 - (unsigned)zfill);
    else
        __trap();
}
static inline __device__ void __pipeline_commit(void) { __weft_cp_async_commit(); }
static inline __device__ void __pipeline_wait_prior(size_t prior) {
    switch (prior) {
    case 0: __weft_cp_async_wait(0); return;
    case 1: __weft_cp_async_wait(1); return;
    case 2: __weft_cp_async_wait(2); return;
    case 3: __weft_cp_async_wait(3); return;
    case 4: __weft_cp_async_wait(4); return;
    case 5: __weft_cp_async_wait(5); return;
    case 6: __weft_cp_async_wait(6); return;
    case 7: __weft_cp_async_wait(7); return;
    default: __weft_cp_async_wait(8); return;
    }
}
static inline __device__ void __pipeline_arrive_on(__mbarrier_t *barrier) { __weft_cp_async_arrive(barrier); }
#else
static inline __device__ void __pipeline_memcpy_async(void *__restrict__ dst_shared, const void *__restrict__ src_global, size_t size_and_align, size_t zfill = 0) {
    char *to = (char *)dst_shared;
    const char *from = (const char *)src_global;
    if (size_and_align != 16 && size_and_align != 8 && size_and_align != 4 || zfill > size_and_align) {
        __trap();
        return;
    }
    size_t n = size_and_align - zfill;
    if (n == 16)
        *(int4 *)to = *(const int4 *)from;
    else if (n == 8)
        *(int2 *)to = *(const int2 *)from;
    else if (n == 4)
        *(int *)to = *(const int *)from;
    else
        for (size_t i = 0; i < n; i++)
            to[i] = from[i];
    for (size_t i = n; i < size_and_align; i++)
        to[i] = 0;
}
static inline __device__ void __pipeline_commit(void) {}
static inline __device__ void __pipeline_wait_prior(size_t prior) {}
static inline __device__ void __pipeline_arrive_on(__mbarrier_t *barrier) {}
#endif
