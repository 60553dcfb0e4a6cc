// clang has the same functions under other names, with scopes of its own (clang 22, "Scoped Atomic Builtins").
#ifdef __clang__
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __align__(n) __attribute__((aligned(n)))
#define __cluster_map_shared_rank(p, rank) __nvvm_mapa(p, rank)
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_CLUSTER __MEMORY_SCOPE_CLUSTR
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM
#define __nv_atomic_load_n __scoped_atomic_load_n
#define __nv_atomic_load __scoped_atomic_load
#define __nv_atomic_store_n __scoped_atomic_store_n
#define __nv_atomic_store __scoped_atomic_store
#define __nv_atomic_exchange_n __scoped_atomic_exchange_n
#define __nv_atomic_exchange __scoped_atomic_exchange
#define __nv_atomic_compare_exchange_n __scoped_atomic_compare_exchange_n
#define __nv_atomic_compare_exchange __scoped_atomic_compare_exchange
#define __nv_atomic_fetch_add __scoped_atomic_fetch_add
#define __nv_atomic_fetch_sub __scoped_atomic_fetch_sub
#define __nv_atomic_fetch_and __scoped_atomic_fetch_and
#define __nv_atomic_fetch_or __scoped_atomic_fetch_or
#define __nv_atomic_fetch_xor __scoped_atomic_fetch_xor
#define __nv_atomic_fetch_min __scoped_atomic_fetch_min
#define __nv_atomic_fetch_max __scoped_atomic_fetch_max
#define __nv_atomic_thread_fence __scoped_atomic_thread_fence
#endif
