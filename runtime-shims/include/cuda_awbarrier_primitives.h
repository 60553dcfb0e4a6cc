/* Barriers in shared memory at which arriving and waiting are apart, in C style. Before sm_80 there are no instructions for
   them: a barrier is then two words, of which the lower has what a phase expects and the upper what is pending, both counted up
   to a power of two; the upper's highest bit changes with each phase. */
#pragma once
#include <stdint.h>
#if __CUDA_ARCH__ < 700
#error "cuda_awbarrier_primitives.h is for sm_70 and later"
#endif

/* The name shows the compiler that the header is there. */
typedef uint64_t __weft_mbarrier;
typedef __weft_mbarrier __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

static inline __host__ __device__ uint32_t __mbarrier_maximum_count(void) { return (1 << 14) - 1; }

#if __CUDA_ARCH__ >= 800
static inline __device__ void __mbarrier_init(__mbarrier_t *barrier, uint32_t expected_count) { __weft_mbarrier_init(barrier, expected_count); }
static inline __device__ void __mbarrier_inval(__mbarrier_t *barrier) { __weft_mbarrier_inval(barrier); }
static inline __device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) { return __weft_mbarrier_arrive(barrier); }
static inline __device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) { return __weft_mbarrier_arrive_drop(barrier); }
static inline __device__ bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) { return __weft_mbarrier_test_wait(barrier, token); }
static inline __device__ uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) { return __weft_mbarrier_pending_count(token); }
#else
static inline __device__ void __mbarrier_init(__mbarrier_t *barrier, uint32_t expected_count) {
    uint32_t *words = (uint32_t *)barrier;
    words[0] = 0x40000000 - expected_count;
    words[1] = 0x80000000 - expected_count;
}
static inline __device__ void __mbarrier_inval(__mbarrier_t *barrier) {}
static inline __device__ __mbarrier_token_t __weft_mbarrier_arrive_in_words(__mbarrier_t *barrier, bool drop) {
    uint32_t *words = (uint32_t *)barrier;
    /* The last to arrive has not begun the next phase yet. */
    while ((*(volatile uint32_t *)&words[1] & 0x7fffffff) == 0) {}
    if (drop)
        (void)atomicAdd_block(&words[0], 1);
    __threadfence_block();
    uint32_t pending = atomicAdd_block(&words[1], 1);
    if ((pending ^ (pending + 1)) & 0x80000000) {
        __threadfence_block();
        uint32_t expected = *(volatile uint32_t *)&words[0] & ~0x40000000;
        if (expected & 0x20000000)
            expected |= 0x40000000;
        (void)atomicAdd_block(&words[1], expected);
    }
    return (uint64_t)pending << 32;
}
static inline __device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) { return __weft_mbarrier_arrive_in_words(barrier, false); }
static inline __device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) { return __weft_mbarrier_arrive_in_words(barrier, true); }
static inline __device__ bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
    return ((token >> 32) ^ ((volatile uint32_t *)barrier)[1]) & 0x80000000;
}
static inline __device__ uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
    return 0x80000000 - ((uint32_t)(token >> 32) & 0x7fffffff);
}
#endif

/* Without the instructions these stop the kernel, as CUDA's do. */
#if __CUDA_ARCH__ >= 900
static inline __device__ bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool phase_parity) { return __weft_mbarrier_test_wait_parity(barrier, phase_parity); }
static inline __device__ bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, uint32_t max_sleep_nanosec) { return __weft_mbarrier_try_wait(barrier, token, max_sleep_nanosec); }
static inline __device__ bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool phase_parity, uint32_t max_sleep_nanosec) { return __weft_mbarrier_try_wait_parity(barrier, phase_parity, max_sleep_nanosec); }
#else
static inline __device__ bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool phase_parity) { __trap(); return false; }
static inline __device__ bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, uint32_t max_sleep_nanosec) { __trap(); return false; }
static inline __device__ bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool phase_parity, uint32_t max_sleep_nanosec) { __trap(); return false; }
#endif
